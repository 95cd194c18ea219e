//! The rules of a match as plain data: section 4.2 of the rulebook, evaluated for a number of players.
//!
//! Field names are the option names of the rulebook: `settings.take.seconds` is `take.seconds`; each option has its row in
//! [`crate::options`]. A rule file's expressions, its chain of bases and its per-round `set` are resolved by the loader
//! (crate `rulebook`); here every number is a number, and every round carries all of its own settings.

use crate::meld::{Kind, Law, Left, Lineage, Suits, Want};
pub use crate::options::*;
use cards::{Face, Pack};
use game::{Say, say};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A whole rule set, resolved for a number of players. Stands in the header of every record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ContractRules")]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// Slug of the game.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// Ids of the games it is based on, nearest first; so refusals cite what it inherits.
    pub bases: Vec<String>,
    /// Number of players these rules were evaluated for.
    pub seats: u8,
    /// Settings of the match as a whole. What a round sets differently is in [`RoundRules::settings`].
    pub settings: Settings,
    /// All rounds of the rule file in order, those that `game.rounds` leaves out too.
    pub rounds: Vec<RoundRules>,
}

/// One round, with everything that holds in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RoundRules {
    /// Its place in the rule file, from 1 (Q-12).
    pub number: u16,
    /// What must be laid down: one list of slots, or several of which one is laid (4.1-6).
    pub contracts: Vec<Vec<Choice>>,
    /// Cards dealt to each player.
    pub deal: u8,
    /// What is said about it, such as `no discard`.
    pub label: Option<String>,
    /// Everything that holds in this round: the match's settings with the round's own over them. What belongs to the
    /// whole match, as its row says, is read from [`Rules::settings`].
    pub settings: Settings,
}

impl Default for RoundRules {
    fn default() -> Self {
        RoundRules { number: 1, contracts: Vec::new(), deal: 10, label: None, settings: Settings::default() }
    }
}

/// One thing that a slot of a contract may be: `G3`, `R4`, `P2`, with flags (4.1-6). In JSON it is its text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot {
    /// Group, run, pair or flush.
    pub kind: Kind,
    /// Number of cards; the least where `meld.size = at-least`.
    pub size: u8,
    /// The most wilds, where the slot says so: flag `c` is 0, `w1` to `w9` that many.
    pub wilds: Option<u8>,
    /// Whether all suits must differ (flag `s`, groups).
    pub distinct: bool,
    /// How the suits of a run are bound (flags `m`, `k`, `a`), or those of a flush (`k`).
    pub suits: Suits,
    /// The rank that a group or pair must be of (`=A`), as the pack names it (HR-SLOT-1).
    pub rank: Option<String>,
}

impl Slot {
    /// The most cards that one asks for.
    pub const LARGEST: u8 = 40;

    /// Whether this is the rank that the slot names; a ten may be written as a number.
    #[must_use]
    pub fn names(&self, rank: &str) -> bool {
        self.rank
            .as_deref()
            .is_some_and(|named| named.eq_ignore_ascii_case(rank) || named == "10" && rank == "T")
    }
}

impl FromStr for Slot {
    type Err = Say;
    /// Reads `R7w1`.
    fn from_str(text: &str) -> Result<Slot, Say> {
        let wrong = || say!("fault.no_slot", slot = text.to_owned());
        let mut letters = text.chars();
        let kind = letters.next().and_then(Kind::from_letter).ok_or_else(wrong)?;
        let rest = letters.as_str();
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let size: u8 = rest[..digits].parse().map_err(|_| wrong())?;
        if size < kind.least() || size > Slot::LARGEST || kind == Kind::Pair && size != 2 {
            return Err(say!("fault.slot_size", slot = text.to_owned()));
        }
        let (flags, rank) = match rest[digits..].split_once('=') {
            Some((flags, rank)) => (flags, Some(rank.to_ascii_uppercase())),
            None => (&rest[digits..], None),
        };
        let of_rank = matches!(kind, Kind::Group | Kind::Pair);
        let named = |rank: &str| !rank.is_empty() && rank.chars().all(|c| c.is_ascii_alphanumeric());
        if rank.as_deref().is_some_and(|rank| !of_rank || rank.len() > 4 || !named(rank)) {
            return Err(wrong());
        }
        let mut slot = Slot { kind, size, wilds: None, distinct: false, suits: Suits::One, rank };
        let mut flags = flags.chars();
        while let Some(flag) = flags.next() {
            match (flag, kind) {
                ('c', _) if slot.wilds.is_none() => slot.wilds = Some(0),
                ('w', _) if slot.wilds.is_none() => {
                    let most =
                        flags.next().and_then(|c| c.to_digit(10)).filter(|&n| n > 0).ok_or_else(wrong)?;
                    slot.wilds = Some(most as u8);
                }
                ('s', Kind::Group | Kind::Pair) => slot.distinct = true,
                ('m', Kind::Run) if slot.suits == Suits::One => slot.suits = Suits::Free,
                ('k', Kind::Run | Kind::Flush) if slot.suits == Suits::One => slot.suits = Suits::Colour,
                ('a', Kind::Run) if slot.suits == Suits::One => slot.suits = Suits::Alternate,
                _ => return Err(wrong()),
            }
        }
        Ok(slot)
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.kind.letter(), self.size)?;
        match self.wilds {
            Some(0) => f.write_str("c")?,
            Some(most) => write!(f, "w{most}")?,
            None => {}
        }
        if self.distinct {
            f.write_str("s")?;
        }
        f.write_str(match self.suits {
            Suits::One => "",
            Suits::Free => "m",
            Suits::Colour => "k",
            Suits::Alternate => "a",
        })?;
        self.rank.iter().try_for_each(|rank| write!(f, "={rank}"))
    }
}

/// What the jokers are called where cards are named by rank.
pub const JOKER: &str = "JK";

impl SkipRules {
    /// Whether the cards of a rank, or the jokers ([`JOKER`]), make somebody lose a turn (HR-SKIP-1).
    #[must_use]
    pub fn names(&self, rank: &str) -> bool {
        self.cards.iter().any(|named| named == rank)
    }
}

/// A slot of a contract with the things it may be, usually one: `G3`, `G3|R3`. In JSON it is its text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Choice(pub Vec<Slot>);

impl Choice {
    /// The most things that a slot may be.
    pub const MOST: usize = 4;
}

impl FromStr for Choice {
    type Err = Say;
    fn from_str(text: &str) -> Result<Choice, Say> {
        let slots: Vec<Slot> = text.split('|').map(|slot| slot.trim().parse()).collect::<Result<_, _>>()?;
        if slots.len() > Choice::MOST {
            Err(say!("fault.many_choices", slot = text.to_owned()))
        } else {
            Ok(Choice(slots))
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, slot) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str("|")?;
            }
            slot.fmt(f)?;
        }
        Ok(())
    }
}

impl TryFrom<String> for Choice {
    type Error = Say;
    fn try_from(text: String) -> Result<Choice, Say> {
        text.parse()
    }
}

impl From<Choice> for String {
    fn from(choice: Choice) -> String {
        choice.to_string()
    }
}

impl JsonSchema for Choice {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ContractSlot".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "description": "A slot of a contract: kind, size, flags and a rank, or several of them with | between",
            "pattern": "^[GRPF][0-9]+[csmka0-9w]*(=[0-9A-Za-z]+)?( *\\| *[GRPF][0-9]+[csmka0-9w]*(=[0-9A-Za-z]+)?)*$"
        })
    }
}

impl Settings {
    /// What a turn by these rules must leave in hand.
    pub(crate) const fn left(&self) -> Left {
        match (self.out.discard, self.out.stuck) {
            (OutDiscard::Required, _) if !self.meld.all => Left::Discard,
            (OutDiscard::Forbidden, OutStuck::Reject) => Left::Playable,
            _ => Left::Any,
        }
    }
}

impl Default for Rules {
    /// `contract` for four players.
    fn default() -> Self {
        Rules::contract(4)
    }
}

impl Rules {
    /// The base game, `contract`, for this many players.
    #[must_use]
    pub fn contract(seats: u8) -> Rules {
        let mut settings = Settings::default();
        settings.deck.jokers = seats.saturating_sub(1);
        let contracts: [&[&str]; 7] = [
            &["G3", "G3"],
            &["G3", "R4"],
            &["R4", "R4"],
            &["G3", "G3", "G3"],
            &["G3", "G3", "R4"],
            &["G3", "R4", "R4"],
            &["R4", "R4", "R4"],
        ];
        let rounds = (1u16..)
            .zip(contracts)
            .map(|(number, slots)| {
                let mut settings = settings.clone();
                let last = number == 7;
                if last {
                    settings.meld.all = true;
                    settings.meld.size = MeldSize::AtLeast;
                    settings.out.discard = OutDiscard::Forbidden;
                }
                let slot = |text: &&str| text.parse().expect("slots of the base game are well written");
                RoundRules {
                    number,
                    contracts: vec![slots.iter().map(slot).collect()],
                    deal: if number <= 3 { 10 } else { 12 },
                    label: last.then(|| "no discard".to_owned()),
                    settings,
                }
            })
            .collect();
        Rules {
            id: "contract".into(),
            name: "Contract Rummy".into(),
            bases: Vec::new(),
            seats,
            settings,
            rounds,
        }
    }

    /// The make-up of one pack.
    #[must_use]
    pub fn pack(&self) -> Pack {
        Pack { suits: self.settings.deck.suits.clone(), ranks: self.settings.deck.ranks.clone() }
    }

    /// Every card that is shuffled, in canonical order: the packs' faces suit by suit with ranks ascending, all copies
    /// of a face together, and the jokers last. The indices of a deal's shuffle refer to this list.
    #[must_use]
    pub fn cards(&self) -> Vec<Face> {
        let deck = &self.settings.deck;
        self.pack()
            .faces()
            .flat_map(|face| std::iter::repeat_n(face, usize::from(deck.decks)))
            .chain(std::iter::repeat_n(Face::JOKER, usize::from(deck.jokers)))
            .collect()
    }

    /// The rounds that are played (A-47), as places in [`Rules::rounds`].
    #[must_use]
    pub fn played(&self) -> Vec<usize> {
        let rounds = &self.settings.game.rounds;
        (0..self.rounds.len()).filter(|&i| rounds.has(self.rounds[i].number)).collect()
    }

    /// The rules of a round as far as melds go, packed for judging; `round` is a place in [`Rules::rounds`].
    ///
    /// # Panics
    /// If there is no such round.
    #[must_use]
    pub fn law(&self, round: usize) -> Law {
        let round = &self.rounds[round];
        let set = &round.settings;
        let pack = self.pack();
        // Each text is read once: laws are made often, and a rule file may name every card.
        let bit = |face: Face| 1u64 << face.index();
        let named =
            set.wild.faces.iter().filter_map(|text| pack.parse(text).ok()).fold(1, |all, f| all | bit(f));
        let of_rank = |face: &Face| set.wild.ranks.contains(&pack.ranks[usize::from(face.rank()) - 1]);
        let wild = pack.faces().filter(of_rank).fold(named, |all, face| all | bit(face));
        let skip = &self.settings.skip;
        let skips = |face: &Face| skip.names(&pack.ranks[usize::from(face.rank()) - 1]);
        let jokers = u64::from(skip.names(JOKER));
        let skips = pack.faces().filter(skips).fold(jokers, |all, face| all | bit(face));
        let (ranks, suits) = (pack.ranks.len() as u8, pack.suits.len() as u8);
        let longest = ranks + u8::from(set.run.ace == RunAce::Both);
        let or = |limit: u8, none: u8| if limit == 0 { none } else { limit };
        let kind = |letter: &str| set.wild.kinds.iter().any(|k| k.eq_ignore_ascii_case(letter));
        let want = |slot: &Slot| Want {
            kind: slot.kind,
            size: slot.size,
            wilds: slot.wilds.unwrap_or(255),
            distinct: slot.distinct,
            suits: slot.suits,
            // A rank that there is not is none that a card has.
            rank: match slot.rank {
                Some(_) => {
                    pack.ranks.iter().position(|rank| slot.names(rank)).map_or(u8::MAX, |at| at as u8 + 1)
                }
                None => 0,
            },
        };
        Law {
            ranks,
            suits,
            // Clubs and spades are black, diamonds and hearts red; every other suit is a colour of its own.
            colours: [0, 1, 2, 3]
                .map(|suit| pack.ordinary(suit).map_or(2 + suit, |suit| u8::from(suit == 1 || suit == 2))),
            // What makes somebody lose a turn is not wild.
            wild: wild & !skips,
            skips,
            turned: 0,
            wild_kinds: MELD_KINDS.map(kind),
            wild_cap: or(set.wild.max_per_meld, 255),
            min_naturals: set.wild.min_naturals,
            balance: set.wild.balance,
            caps_always: set.wild.cap_scope == CapScope::Always,
            wild_ends: set.wild.ends,
            wild_adjacent: set.wild.adjacent,
            natural_in_place: set.wild.natural_in_place,
            place: set.wild.place,
            reclaim: set.wild.reclaim,
            reclaims_jokers_only: set.wild.reclaim_what == ReclaimWhat::Jokers,
            ace: set.run.ace,
            run_max: or(set.run.max, longest).min(longest),
            gap: set.run.gap,
            overlap: set.run.overlap,
            per_suit: or(set.run.per_suit, 255),
            group_max: or(set.group.max, 255),
            distinct_ranks: set.group.distinct_ranks,
            distinct_suits: set.group.distinct_suits,
            exact: set.meld.size == MeldSize::Exact,
            all: set.meld.all,
            opening: set.meld.points,
            same_turn: set.layoff.when == LayoffWhen::SameTurn && !set.layoff.all_down,
            all_down: set.layoff.when == LayoffWhen::SameTurn && set.layoff.all_down,
            keep_one: set.left() == Left::Discard,
            contracts: round
                .contracts
                .iter()
                .map(|slots| slots.iter().map(|choice| choice.0.iter().map(want).collect()).collect())
                .collect(),
            values: std::array::from_fn(|i| set.score.values.0.get(i).copied().unwrap_or(0)),
            lineage: Lineage::of(
                // What a file leaves out is as in `contract` (4.2).
                ["contract", self.id.as_str()].into_iter().chain(self.bases.iter().map(String::as_str)),
            ),
            pack,
        }
    }

    /// The place in [`Rules::rounds`] of the round with this number.
    #[must_use]
    pub fn round(&self, number: u16) -> Option<usize> {
        self.rounds.iter().position(|r| r.number == number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_round_trip() {
        for text in [
            "G3",
            "R4",
            "P2",
            "G3cs",
            "R7w1",
            "R13m",
            "R13k",
            "R4a",
            "G3|R3",
            "P2=A",
            "G3w1=K|R4",
            "G4=10",
            "F7",
            "F5k",
            "F4w2k",
            "F7c|R4",
        ] {
            assert_eq!(text.parse::<Choice>().map(|c| c.to_string()), Ok(text.to_owned()));
        }
        for text in [
            "", "X3", "G", "P3", "R4s", "G3m", "G3w0", "R1", "G99", "G3|", "R4=K", "G3=", "G3=K=", "F7=K",
            "F7m", "F4s",
        ] {
            assert!(text.parse::<Choice>().is_err(), "{text}");
        }
    }

    #[test]
    fn rules_round_trip_through_json() {
        for seats in 3..=5 {
            let rules = Rules::contract(seats);
            let text = serde_json::to_string(&rules).unwrap();
            assert_eq!(serde_json::from_str::<Rules>(&text).unwrap(), rules);
            assert_eq!(rules.cards().len(), 104 + usize::from(seats) - 1); // CR-DECK-1
        }
        let list: GameRules = serde_json::from_str(r#"{"rounds": [1, 3]}"#).unwrap();
        assert!(list.rounds.has(3) && !list.rounds.has(2));
        assert!(serde_json::from_str::<GameRules>(r#"{"rounds": "some"}"#).is_err());
        assert!(serde_json::from_str::<TakeRules>(r#"{"second": 3}"#).is_err());
    }
}
