//! What the rule sheet is told from, section by section.

use super::{DrawMode, Settings, TakeClose};
use crate::meld::{Kind, Suits};
use crate::rules::{Choice, Rules};
use game::words;
use std::ops::Deref;
use std::sync::Arc;

/// Where the rule sheet tells of an option.
pub type Told = game::option::Told<Section, Tell>;

/// The sections of a rule sheet, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// The pack and who plays.
    Cards,
    /// Cut, deal, upcard.
    Deal,
    /// The rounds.
    Contracts,
    /// Groups and runs.
    Melds,
    /// Wilds, in hand and on the table.
    Wilds,
    /// What is added to melds.
    LayOffs,
    /// Draw, play, discard.
    Turn,
    /// Taking out of turn.
    Takes,
    /// Shanghai calls.
    Shanghai,
    /// How a round ends.
    End,
    /// Points and pennies.
    Scores,
    /// Manners and clocks.
    Table,
}

impl Section {
    /// All, in order.
    pub const ALL: [Section; 12] = [
        Section::Cards,
        Section::Deal,
        Section::Contracts,
        Section::Melds,
        Section::Wilds,
        Section::LayOffs,
        Section::Turn,
        Section::Takes,
        Section::Shanghai,
        Section::End,
        Section::Scores,
        Section::Table,
    ];

    /// What stands over it.
    #[must_use]
    pub fn head(self, t: &Tell) -> String {
        match self {
            Section::Cards => "Cards".into(),
            Section::Deal => "The deal".into(),
            Section::Contracts => "Contracts".into(),
            Section::Melds => "Melds".into(),
            Section::Wilds => "Wild cards".into(),
            Section::LayOffs => "Laying off".into(),
            Section::Turn => "The turn".into(),
            Section::Takes if t.rules.rounds.iter().any(|round| round.settings.take.on) => {
                format!("Out of turn: {}", t.take.label)
            }
            Section::Takes => "Out of turn".into(),
            Section::Shanghai => "Shanghai".into(),
            Section::End => "The end of a round".into(),
            Section::Scores => "Scores".into(),
            Section::Table => "At the table".into(),
        }
    }

    /// What no option changes: the sentences at its beginning.
    #[must_use]
    pub fn always(self, t: &Tell) -> Vec<String> {
        let lines: &[&str] = match self {
            Section::Contracts => &[
                "Everybody tries to lay the contract of the round. Until then nothing else can be laid; who has laid it is down.",
            ],
            Section::Melds
                if t.some_slot(|slots| slots.iter().any(|s| s.0.iter().any(|s| s.kind == Kind::Pair))) =>
            {
                &[
                    "A group is cards of one rank, a run is consecutive cards of one suit, a pair is two cards of one rank.",
                    "Melds on the table are never joined, split or moved, whoever laid them.",
                ]
            }
            Section::Melds => &[
                "A group is cards of one rank, a run is consecutive cards of one suit.",
                "Melds on the table are never joined, split or moved, whoever laid them.",
            ],
            Section::End => &["Who has no cards left is out and wins the round, which ends at once."],
            _ => &[],
        };
        lines.iter().map(ToString::to_string).collect()
    }
}

/// What a sentence is made from: the rules for some number of players, and the settings of the whole match or of a round.
#[derive(Clone, Debug)]
pub struct Tell {
    /// The rules.
    pub rules: Arc<Rules>,
    settings: Settings,
}

impl Deref for Tell {
    type Target = Settings;
    fn deref(&self) -> &Settings {
        &self.settings
    }
}

impl Tell {
    /// For the match as a whole.
    #[must_use]
    pub fn of_match(rules: &Arc<Rules>) -> Tell {
        Tell { rules: rules.clone(), settings: rules.settings.clone() }
    }

    /// For each round that is played, with its number.
    #[must_use]
    pub fn of_rounds(rules: &Arc<Rules>) -> Vec<(u16, Tell)> {
        let of = |at: usize| {
            let round = &rules.rounds[at];
            (round.number, Tell { rules: rules.clone(), settings: round.settings.clone() })
        };
        rules.played().into_iter().map(of).collect()
    }

    /// Whether the contract of some round that is played is so.
    pub(super) fn some_slot(&self, is: impl Fn(&[Choice]) -> bool) -> bool {
        self.rules
            .played()
            .into_iter()
            .any(|at| self.rules.rounds[at].contracts.iter().any(|slots| is(slots)))
    }

    /// Whether some contract may hold two melds of one kind; runs only where each is of one suit.
    pub(super) fn two(&self, kind: Kind) -> bool {
        self.some_slot(|slots| {
            let such = |choice: &&Choice| {
                choice
                    .0
                    .iter()
                    .any(|slot| slot.kind == kind && (kind != Kind::Run || slot.suits == Suits::One))
            };
            slots.iter().filter(such).count() > 1
        })
    }

    /// Whether there are wilds at all.
    pub(super) fn has_wilds(&self) -> bool {
        self.deck.jokers > 0 || !self.wild.ranks.is_empty() || !self.wild.faces.is_empty()
    }

    /// Whether the card that the player to play declined stays open while that player draws and plays.
    pub(super) fn stays_open(&self) -> bool {
        self.take.close == TakeClose::BeforeDiscard && self.draw.mode != DrawMode::Push
    }

    /// Whether there are melds on the table to add to: not where laying the contract ends the round.
    pub(super) fn melds_lie(&self) -> bool {
        !self.meld.all
    }

    /// A rank's name in plain words, by its place from 0.
    pub(super) fn rank(&self, place: usize) -> &str {
        match self.deck.ranks.get(place).map_or("", String::as_str) {
            "A" => "ace",
            "J" => "jack",
            "Q" => "queen",
            "K" => "king",
            other => other,
        }
    }

    /// The first ranks, and the last ones, as a run shows them.
    pub(super) fn low_and_high(&self) -> (String, String) {
        let ranks = &self.deck.ranks;
        let last = ranks.len().saturating_sub(2);
        (
            ranks.iter().take(3).cloned().collect::<Vec<_>>().join(" "),
            format!("{} {}", ranks[last..].join(" "), ranks[0]),
        )
    }

    /// What is wild, in words.
    pub(super) fn wild_cards(&self) -> String {
        let mut wilds: Vec<String> = Vec::new();
        if self.deck.jokers > 0 {
            wilds.push("jokers".to_owned());
        }
        wilds.extend(self.wild.ranks.iter().map(|rank| format!("every {rank}")));
        wilds.extend(self.wild.faces.iter().cloned());
        words::listed(&wilds, "and")
    }

    /// What the cards count, the cheapest first; those that count by their number are told as one.
    pub(super) fn card_values(&self) -> String {
        let (pack, values) = (self.rules.pack(), &self.score.values);
        let mut groups: Vec<(i32, Vec<String>)> = Vec::new();
        let mut numbered: Vec<&str> = Vec::new();
        for face in pack.faces().filter(|face| face.suit() == 0) {
            let (value, rank) = (values.of(face), pack.ranks[usize::from(face.rank()) - 1].as_str());
            if rank.parse() == Ok(value) {
                numbered.push(rank);
            }
        }
        if numbered.len() < 3 {
            numbered.clear(); // a card that is worth its number by chance
        }
        for face in pack.faces().filter(|face| face.suit() == 0) {
            let (value, rank) = (values.of(face), pack.ranks[usize::from(face.rank()) - 1].as_str());
            if numbered.contains(&rank) {
                continue;
            }
            let rank = if rank == "T" { "10" } else { rank }.to_owned();
            match groups.iter_mut().find(|(v, _)| *v == value) {
                Some((_, ranks)) => ranks.push(rank),
                None => groups.push((value, vec![rank])),
            }
        }
        if self.deck.jokers > 0 {
            groups.push((values.of(cards::Face::JOKER), vec!["joker".to_owned()]));
        }
        groups.sort_by_key(|(value, _)| *value);
        let place = |rank: &str| pack.ranks.iter().position(|r| r == rank).unwrap_or_default();
        let numbered = match numbered[..] {
            [] => None,
            [first, .., last] if place(last) - place(first) + 1 == numbered.len() => {
                Some(format!("{first} to {last}: their number"))
            }
            _ => Some(format!("{}: their number", numbered.join(" "))),
        };
        let words: Vec<String> = numbered
            .into_iter()
            .chain(groups.iter().map(|(value, ranks)| format!("{}: {value}", ranks.join(" "))))
            .collect();
        let odd: Vec<String> = pack
            .faces()
            .filter(|face| values.of(*face) != values.of(cards::Face::new(0, face.rank())))
            .map(|face| format!("{}: {}", pack.text(face), values.of(face)))
            .collect();
        let but = if odd.is_empty() { String::new() } else { format!("; but {}", odd.join(", ")) };
        format!("{}{but}", words.join("; "))
    }

    /// What places 2, 3 and so on pay at the end.
    pub(super) fn payments(&self) -> Vec<i32> {
        let money = &self.money;
        match money.schedule.get(&self.rules.seats) {
            Some(list) => list.clone(),
            None => (1..i32::from(self.rules.seats)).map(|place| money.step * place).collect(),
        }
    }

    /// Deals at most where contracts are tried again.
    pub(super) fn most_deals(&self) -> usize {
        match self.game.max_rounds {
            0 => 3 * self.rules.played().len(),
            most => most.into(),
        }
    }
}
