//! Melds: what they are, how they are written, and what makes them legal.
//!
//! Everything here is a pure function of the [`Law`] of a round (its rules, resolved) and of cards. The engine judges
//! commands with it, the solver proves its answers with it, and the browser shows with it what a hand could be.
//!
//! - [`DeclaredMeld`] is a meld as somebody sends it: cards in some order, wilds declared or not.
//! - [`Meld`] is a meld as it lies on the table: every card in its place.
//! - [`Law::place`] makes the one of the other, [`Law::judge_contract`] judges a whole contract,
//!   [`Law::lay_off`] and [`Law::reclaim`] change a meld on the table.
//! - [`Prepared`] is a meld that a player is putting together; [`Law::judge_prepared`] says what it still needs.

mod contract;
mod law;
mod layoff;
mod pending;
mod prepared;
#[cfg(test)]
mod tests;

pub use contract::Laid;
pub(crate) use contract::TRIES;
pub use law::{Choice, Law, Lineage, Want, Wanted};
pub use layoff::{End, Fit, Reclaimed};
pub use pending::{LayOff, Left, NoWay};
pub use prepared::{Judgement, Prepared};

use cards::{Face, Pack};
use game::{Say, say};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The sorts of meld (section 1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "MeldKind")]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Cards of one rank.
    Group,
    /// Consecutive ranks, by default of one suit.
    Run,
    /// A group of two.
    Pair,
    /// Cards of one suit, or of one colour, whatever their ranks (HR-SLOT-2).
    Flush,
}

impl Kind {
    /// The letter it is written with: `G`, `R`, `P`, `F`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Kind::Group => 'G',
            Kind::Run => 'R',
            Kind::Pair => 'P',
            Kind::Flush => 'F',
        }
    }

    /// The kind written with this letter, in either case.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Kind> {
        match letter.to_ascii_uppercase() {
            'G' => Some(Kind::Group),
            'R' => Some(Kind::Run),
            'P' => Some(Kind::Pair),
            'F' => Some(Kind::Flush),
            _ => None,
        }
    }

    /// The fewest cards that a slot of this kind asks for (4.1-6).
    #[must_use]
    pub const fn least(self) -> u8 {
        match self {
            Kind::Run | Kind::Pair => 2,
            Kind::Group | Kind::Flush => 1,
        }
    }

    /// The word for it, to be said.
    #[must_use]
    pub const fn say(self) -> Say {
        match self {
            Kind::Group => say!("want.kind.group"),
            Kind::Run => say!("want.kind.run"),
            Kind::Pair => say!("want.kind.pair"),
            Kind::Flush => say!("want.kind.flush"),
        }
    }

    /// The word for it, in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Group => "group",
            Kind::Run => "run",
            Kind::Pair => "pair",
            Kind::Flush => "flush",
        }
    }
}

/// How the suits of a run are bound (flags `m`, `k` and `a` of section 4.1), or those of a flush (`k`).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[schemars(rename = "RunSuits")]
#[serde(rename_all = "snake_case")]
pub enum Suits {
    /// All of one suit, as everywhere unless a slot says otherwise.
    #[default]
    One,
    /// Suits are free (`m`).
    Free,
    /// All of one colour (`k`).
    Colour,
    /// The colours alternate (`a`).
    Alternate,
}

/// A card as a player names it in a command: the face, and for a wild what it shall stand for, if that was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct DeclaredCard {
    /// The card itself.
    pub card: Face,
    /// What it was declared to stand for (`JK=7H`). In a group only the rank counts, in a flush only the suit.
    #[serde(default, rename = "as", skip_serializing_if = "Option::is_none")]
    pub stands: Option<Face>,
}

impl From<Face> for DeclaredCard {
    fn from(card: Face) -> Self {
        DeclaredCard { card, stands: None }
    }
}

/// A meld as a player sends it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "DeclaredMeld")]
pub struct DeclaredMeld {
    /// Group, run, pair or flush.
    pub kind: Kind,
    /// The cards; those of a run ascending.
    pub cards: Vec<DeclaredCard>,
}

/// A card in a meld on the table, and the face it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "MeldCard")]
pub struct Placed {
    /// The card itself.
    pub card: Face,
    /// What it stands for. A natural stands for itself; a wild in a group for any card of the rank, written with suit 0; one
    /// in a flush for any card of the suit, written with the first rank.
    #[serde(rename = "as")]
    pub stands: Face,
}

impl Placed {
    /// Whether the card stands for another one, or for itself though it is a wild in its own place.
    #[must_use]
    pub fn is_itself(self) -> bool {
        self.card == self.stands
    }
}

/// A meld on the table.
///
/// Cards of a run ascend, one for each position from `low` on; those of a group or flush are in canonical order, naturals by
/// face and then wilds. So equal melds are equal values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Meld {
    /// Group, run, pair or flush.
    pub kind: Kind,
    /// Of a run or a flush, how its suits are bound.
    #[serde(default, skip_serializing_if = "is_one_suit")]
    pub suits: Suits,
    /// Of a run, the position of its lowest card (1 is the first rank; see section 1.3). Of a group, its rank. Of a flush, its
    /// suit from 0, or the first suit of its colour.
    pub low: u8,
    /// The cards in order.
    pub cards: Vec<Placed>,
}

fn is_one_suit(suits: &Suits) -> bool {
    *suits == Suits::One
}

impl Meld {
    /// Number of cards.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cards.len()
    }

    /// Whether there is no card in it, which never lies on a table.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cards.is_empty()
    }

    /// Of a run, the position of its highest card; with corner aces it may pass the last rank, counting on.
    #[must_use]
    pub fn high(&self) -> u8 {
        self.low + self.cards.len() as u8 - 1
    }

    /// Whether this is a run.
    #[must_use]
    pub fn is_run(&self) -> bool {
        self.kind == Kind::Run
    }

    /// Whether this is a flush.
    #[must_use]
    pub fn is_flush(&self) -> bool {
        self.kind == Kind::Flush
    }

    /// The faces of its cards, in order.
    pub fn faces(&self) -> impl Iterator<Item = Face> + '_ {
        self.cards.iter().map(|c| c.card)
    }

    /// As it is written: `R[4H 5H JK=6H 7H]`, `G[5H 5D JK]`.
    #[must_use]
    pub fn text(&self, pack: &Pack) -> String {
        let cards: Vec<String> = self
            .cards
            .iter()
            .map(|c| {
                if c.is_itself() || !self.is_run() && self.has_natural() {
                    pack.text(c.card)
                } else {
                    format!("{}={}", pack.text(c.card), pack.text(c.stands))
                }
            })
            .collect();
        format!("{}[{}]", self.kind.letter(), cards.join(" "))
    }

    /// Whether any card stands for itself, so that a group's rank or a flush's suit shows.
    fn has_natural(&self) -> bool {
        self.cards.iter().any(|c| c.is_itself())
    }

    /// The same meld as a player would send it, every wild declared.
    #[must_use]
    pub fn said(&self) -> DeclaredMeld {
        DeclaredMeld {
            kind: self.kind,
            cards: self
                .cards
                .iter()
                .map(|c| DeclaredCard { card: c.card, stands: (!c.is_itself()).then_some(c.stands) })
                .collect(),
        }
    }
}

impl DeclaredCard {
    /// Reads `7H` or `JK=7H`.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str, pack: &Pack) -> Result<DeclaredCard, String> {
        let (card, stands) = match text.split_once('=') {
            Some((card, stands)) => (card, Some(pack.parse(stands)?)),
            None => (text, None),
        };
        if stands == Some(Face::JOKER) {
            return Err(format!("`{text}`: a card stands for a rank and a suit, not for a joker"));
        }
        let card = pack.parse(card)?;
        Ok(DeclaredCard { card, stands: stands.filter(|&s| s != card) })
    }

    /// As it is written, and read: a card that stands for itself is the card alone.
    #[must_use]
    pub fn text(self, pack: &Pack) -> String {
        match self.stands.filter(|&stands| stands != self.card) {
            Some(stands) => format!("{}={}", pack.text(self.card), pack.text(stands)),
            None => pack.text(self.card),
        }
    }
}

impl DeclaredMeld {
    /// Reads one meld: `R[4H 5H JK=6H 7H]`.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str, pack: &Pack) -> Result<DeclaredMeld, String> {
        match DeclaredMeld::parse_all(text, pack)?.as_slice() {
            [one] => Ok(one.clone()),
            _ => Err(format!("`{text}` is not one meld: write it as R[4H 5H JK=6H 7H] or G[9C 9D 9H]")),
        }
    }

    /// Reads any number of melds: `G[9C 9D 9H] R[4H 5H 6H 7H]`.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse_all(text: &str, pack: &Pack) -> Result<Vec<DeclaredMeld>, String> {
        let mut melds = Vec::new();
        let mut rest = text.trim();
        while !rest.is_empty() {
            let wrong =
                || format!("`{rest}`: a meld is written as R[4H 5H JK=6H 7H], G[9C 9D 9H] or P[8C 8D]");
            let mut chars = rest.chars();
            let kind = chars.next().and_then(Kind::from_letter).ok_or_else(wrong)?;
            let inner = chars.as_str().trim_start().strip_prefix('[').ok_or_else(wrong)?;
            let (inner, after) = inner.split_once(']').ok_or_else(wrong)?;
            let cards = inner
                .split_whitespace()
                .map(|word| DeclaredCard::parse(word, pack))
                .collect::<Result<Vec<_>, _>>()?;
            if cards.is_empty() {
                return Err(format!("`{}[]` holds no card", kind.letter()));
            }
            melds.push(DeclaredMeld { kind, cards });
            rest = after.trim_start();
        }
        Ok(melds)
    }

    /// As it is written.
    #[must_use]
    pub fn text(&self, pack: &Pack) -> String {
        let cards: Vec<String> = self.cards.iter().map(|c| c.text(pack)).collect();
        format!("{}[{}]", self.kind.letter(), cards.join(" "))
    }

    /// The faces of its cards, in order.
    pub fn faces(&self) -> impl Iterator<Item = Face> + '_ {
        self.cards.iter().map(|c| c.card)
    }
}
