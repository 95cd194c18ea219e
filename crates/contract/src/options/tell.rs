//! What the rule sheet is told from, section by section.

use super::{DrawMode, Progress, Settings, TakeClose};
use crate::meld::{Kind, Suits};
use crate::rules::{Choice, JOKER, Rules, Slot};
use game::{Say, Value, say};
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
    pub fn head(self, t: &Tell) -> Say {
        match self {
            Section::Cards => say!("rule.contract.section.cards"),
            Section::Deal => say!("rule.contract.section.deal"),
            Section::Contracts => say!("rule.contract.section.contracts"),
            Section::Melds => say!("rule.contract.section.melds"),
            Section::Wilds => say!("rule.contract.section.wilds"),
            Section::LayOffs => say!("rule.contract.section.layoffs"),
            Section::Turn => say!("rule.contract.section.turn"),
            Section::Takes if t.rules.rounds.iter().any(|round| round.settings.take.on) => {
                say!("rule.contract.section.takes", name = t.take.label.clone())
            }
            Section::Takes => say!("rule.contract.section.no_takes"),
            Section::Shanghai => say!("rule.contract.section.shanghai"),
            Section::End => say!("rule.contract.section.end"),
            Section::Scores => say!("rule.contract.section.scores"),
            Section::Table => say!("rule.contract.section.table"),
        }
    }

    /// What no option changes: the sentences at its beginning.
    #[must_use]
    pub fn always(self, t: &Tell) -> Vec<Say> {
        let flush = |suits: Suits| {
            let such = |slot: &Slot| slot.kind == Kind::Flush && slot.suits == suits;
            t.some_slot(|slots| slots.iter().flat_map(|choice| &choice.0).any(such))
        };
        match self {
            Section::Contracts => vec![say!("rule.contract.always.contract")],
            Section::Melds => {
                let what = if t.wants(Kind::Pair) {
                    say!("rule.contract.always.melds_pair")
                } else {
                    say!("rule.contract.always.melds")
                };
                let suit = flush(Suits::One).then(|| say!("rule.contract.always.flush"));
                let colour = flush(Suits::Colour).then(|| say!("rule.contract.always.flush_colour"));
                let apart = say!("rule.contract.always.apart");
                [what].into_iter().chain(suit).chain(colour).chain([apart]).collect()
            }
            Section::End => vec![say!("rule.contract.always.out")],
            _ => Vec::new(),
        }
    }
}

/// A place at the end of the match, as a word.
pub(super) fn place_words(place: u8) -> Say {
    match place {
        2 => say!("rule.contract.place.second"),
        3 => say!("rule.contract.place.third"),
        4 => say!("rule.contract.place.fourth"),
        5 => say!("rule.contract.place.fifth"),
        6 => say!("rule.contract.place.sixth"),
        7 => say!("rule.contract.place.seventh"),
        8 => say!("rule.contract.place.eighth"),
        9 => say!("rule.contract.place.ninth"),
        10 => say!("rule.contract.place.tenth"),
        11 => say!("rule.contract.place.eleventh"),
        _ => say!("rule.contract.place.twelfth"),
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

    /// Whether the contract of some round that is played may hold a meld of this kind.
    pub(super) fn wants(&self, kind: Kind) -> bool {
        self.some_slot(|slots| slots.iter().any(|choice| choice.0.iter().any(|slot| slot.kind == kind)))
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
        self.wild_jokers() || self.wild_ranks()
    }

    /// Whether there are jokers that are wild.
    fn wild_jokers(&self) -> bool {
        self.deck.jokers > 0 && !self.skip.names(JOKER)
    }

    /// What makes somebody lose a turn, in words.
    pub(super) fn skip_cards(&self) -> Say {
        let card = |name: &String| match name.as_str() {
            JOKER => say!("rule.contract.wild.jokers"),
            rank => say!("rule.contract.wild.every", rank = rank.to_owned()),
        };
        Say::all(self.skip.cards.iter().map(card).collect()).unwrap_or_default()
    }

    /// Whether there are wilds besides the jokers.
    pub(super) fn wild_ranks(&self) -> bool {
        let turned = self.wild.upcard && self.deal.upcard || self.wild.named;
        turned || !self.wild.ranks.is_empty() || !self.wild.faces.is_empty()
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
    pub(super) fn rank(&self, place: usize) -> Value {
        match self.deck.ranks.get(place).map_or("", String::as_str) {
            "A" => say!("rule.contract.rank.ace").into(),
            "J" => say!("rule.contract.rank.jack").into(),
            "Q" => say!("rule.contract.rank.queen").into(),
            "K" => say!("rule.contract.rank.king").into(),
            other => other.to_owned().into(),
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
    pub(super) fn wild_cards(&self) -> Say {
        let mut wilds: Vec<Say> = Vec::new();
        if self.wild_jokers() {
            wilds.push(say!("rule.contract.wild.jokers"));
        }
        let every = |rank: &String| say!("rule.contract.wild.every", rank = rank.clone());
        wilds.extend(self.wild.ranks.iter().map(every));
        wilds.extend(self.wild.faces.iter().map(|face| say!("list.name", name = face.clone())));
        if self.wild.named {
            wilds.push(say!("rule.contract.wild.named"));
        } else if self.wild.upcard && self.deal.upcard {
            wilds.push(say!("rule.contract.wild.turned"));
        }
        Say::all(wilds).unwrap_or_default()
    }

    /// What the cards count, the cheapest first; those that count by their number are told as one.
    pub(super) fn card_values(&self) -> Say {
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
        // A joker, under the name that the language has for it.
        let joker = (self.deck.jokers > 0).then(|| values.of(cards::Face::JOKER));
        groups.extend(joker.map(|value| (value, Vec::new())));
        groups.sort_by_key(|(value, _)| *value);
        let place = |rank: &str| pack.ranks.iter().position(|r| r == rank).unwrap_or_default();
        let numbered = match numbered[..] {
            [] => None,
            [first, .., last] if place(last) - place(first) + 1 == numbered.len() => {
                Some(say!("rule.contract.value.span", first = first.to_owned(), last = last.to_owned()))
            }
            _ => Some(say!("rule.contract.value.number", ranks = numbered.join(" "))),
        };
        let group = |(value, ranks): &(i32, Vec<String>)| {
            let ranks: Value = match ranks.as_slice() {
                [] => say!("rule.contract.value.joker").into(),
                ranks => ranks.join(" ").into(),
            };
            say!("rule.contract.value.of", ranks = ranks, n = *value)
        };
        let words = numbered
            .into_iter()
            .chain(groups.iter().map(group))
            .reduce(|a, b| say!("rule.contract.value.also", a = a, b = b))
            .unwrap_or_default();
        let odd: Vec<String> = pack
            .faces()
            .filter(|face| values.of(*face) != values.of(cards::Face::new(0, face.rank())))
            .map(|face| format!("{}: {}", pack.text(face), values.of(face)))
            .collect();
        if odd.is_empty() {
            words
        } else {
            say!("rule.contract.value.but", values = words, odd = odd.join(", "))
        }
    }

    /// What places 2, 3 and so on pay at the end.
    pub(super) fn payments(&self) -> Vec<i32> {
        let money = &self.money;
        match money.schedule.get(&self.rules.seats) {
            Some(list) => list.clone(),
            None => (1..i32::from(self.rules.seats)).map(|place| money.step * place).collect(),
        }
    }

    /// Whether the contracts begin again after the last.
    pub(super) fn goes_round(&self) -> bool {
        let alone = self.game.progress == Progress::PerPlayer;
        self.game.again && self.game.target > 0 && !alone
    }

    /// Deals at most where contracts are tried again.
    pub(super) fn most_deals(&self) -> usize {
        match self.game.max_rounds {
            0 => 3 * self.rules.played().len(),
            most => most.into(),
        }
    }
}
