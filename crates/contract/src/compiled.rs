//! The rules of a match with what follows from them.

use crate::meld::Law;
use crate::rules::{self, Progress, RoundRules, Rules, Settings};
use crate::solver::{Answer, Solver};
use crate::state::Flow;
use cards::{Face, Pack};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

/// Finds ways to lay the contract from a hand, the best first.
pub(crate) type Ways = fn(&Law, &[u8; Face::COUNT]) -> Vec<Answer>;

/// Most ways that are looked at, and most steps that it takes to find them.
const WAYS: usize = 64;
const STEPS: u64 = 200_000;

/// The rules of a match with what follows from them, worked out once.
#[derive(Debug)]
pub struct CompiledRules {
    /// The rules.
    pub rules: Arc<Rules>,
    /// For each round of the rules what melds are judged by.
    pub laws: Vec<Law>,
    /// The make-up of a pack.
    pub pack: Pack,
    /// Every card, in canonical order.
    pub cards: Vec<Face>,
    /// The rounds that are played, as places in the rules' list.
    pub played: Vec<usize>,
    /// The rank that is wild in the round that is played, by the upcard or the dealer (HR-WILD-3, HR-WILD-4).
    /// With it the contract that is told with it.
    turned: Option<(u8, u16)>,
    /// Who finds ways to lay a contract; nobody where the rules came with a view, so that a page need not carry the solver.
    pub(crate) ways: Option<Ways>,
}

impl CompiledRules {
    /// Works out what follows from the rules.
    #[must_use]
    pub fn new(rules: Arc<Rules>) -> CompiledRules {
        let ways: Ways = |law, hand| Solver::new(law).with_budget(STEPS).all(hand, WAYS).0;
        CompiledRules::with(rules, Some(ways))
    }

    fn with(rules: Arc<Rules>, ways: Option<Ways>) -> CompiledRules {
        CompiledRules {
            laws: (0..rules.rounds.len()).map(|round| rules.law(round)).collect(),
            pack: rules.pack(),
            cards: rules.cards(),
            played: rules.played(),
            turned: None,
            ways,
            rules,
        }
    }

    /// The same for a round in which the upcard or the dealer has made this rank wild, or none.
    fn with_turned(&self, turned: Option<(u8, u16)>) -> CompiledRules {
        let mut compiled = CompiledRules { turned, ..CompiledRules::with(self.rules.clone(), self.ways) };
        let suits = self.rules.settings.deck.suits.len() as u8;
        let faces =
            turned.into_iter().flat_map(|(rank, _)| (0..suits).map(move |suit| Face::new(suit, rank)));
        let wild = faces.fold(0, |set, face| set | 1 << face.index());
        let (rank, told) = turned.unwrap_or_default();
        let alone = self.per_player();
        for (at, law) in (0..).zip(&mut compiled.laws) {
            law.wild |= wild & !law.skips;
            // The others are told without it.
            law.turned = if alone || at == told { rank } else { 0 };
        }
        compiled
    }

    /// A round of the rules.
    #[must_use]
    pub fn round(&self, at: u16) -> &RoundRules {
        &self.rules.rounds[usize::from(at)]
    }

    /// What holds in a round.
    #[must_use]
    pub fn set(&self, at: u16) -> &Settings {
        &self.rules.rounds[usize::from(at)].settings
    }

    /// Whether each player goes on to the next contract alone.
    #[must_use]
    pub fn per_player(&self) -> bool {
        self.rules.settings.game.progress == Progress::PerPlayer
    }

    /// Whether somebody picks the contract of a round: the first melder, or who is asked before the first turn.
    #[must_use]
    pub fn chosen(&self) -> bool {
        self.rules.settings.game.choice == rules::ContractChoice::FirstMelder || self.asks()
    }

    /// Whether somebody is asked for the contract of a round before its first turn (HR-PICK-2).
    #[must_use]
    pub fn asks(&self) -> bool {
        use rules::ContractChoice::{Dealer, LastLoser};
        !self.per_player() && matches!(self.rules.settings.game.choice, Dealer | LastLoser)
    }

    /// Whether each player lays the contracts in any order.
    #[must_use]
    pub fn any_order(&self) -> bool {
        self.per_player() && self.rules.settings.game.choice == rules::ContractChoice::AnyOrder
    }

    /// Whether who melds picks one of several contracts, and so may name its number.
    #[must_use]
    pub fn picks(&self) -> bool {
        self.chosen() || self.any_order()
    }

    /// Whether the contracts begin again after the last, until somebody has reached the target score.
    #[must_use]
    pub fn goes_round(&self) -> bool {
        let game = &self.rules.settings.game;
        game.again && game.target > 0 && !self.per_player()
    }

    /// Most deals of a match.
    #[must_use]
    pub fn most_deals(&self) -> usize {
        let game = &self.rules.settings.game;
        match (self.per_player() || self.goes_round(), game.max_rounds) {
            (false, _) => self.played.len(),
            (true, 0) => 3 * self.played.len(),
            (true, most) => usize::from(most),
        }
    }
}

impl PartialEq for CompiledRules {
    fn eq(&self, other: &CompiledRules) -> bool {
        Arc::ptr_eq(&self.rules, &other.rules) || self.rules == other.rules
    }
}

/// The rules as a match or a view carries them; in JSON they are the rules alone.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedRules(pub Arc<CompiledRules>);

impl SharedRules {
    /// Takes in which rank the upcard or the dealer has made wild in the round that is played.
    pub(crate) fn turn(&mut self, flow: &Flow) {
        // It is told with the contract that is played, whoever picked it.
        let turned = flow.wild.map(|rank| (rank, flow.contract.unwrap_or(flow.round)));
        if self.turned != turned {
            self.0 = Arc::new(self.with_turned(turned));
        }
    }
}

impl std::ops::Deref for SharedRules {
    type Target = CompiledRules;
    fn deref(&self) -> &CompiledRules {
        &self.0
    }
}

impl Serialize for SharedRules {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.rules.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for SharedRules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let rules = Arc::new(Rules::deserialize(deserializer)?);
        Ok(SharedRules(Arc::new(CompiledRules::with(rules, None))))
    }
}

impl JsonSchema for SharedRules {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        Rules::schema_name()
    }
    fn schema_id() -> std::borrow::Cow<'static, str> {
        Rules::schema_id()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Rules::json_schema(generator)
    }
}
