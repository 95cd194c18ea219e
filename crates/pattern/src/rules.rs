//! The whole rule set of one match of the family, as plain data (rulebook, sections 3 and 4.1).
//!
//! A preset is these fields in a TOML file; each has its row in [`crate::options`], with its default, which is
//! `set-classic`'s.

pub use crate::options::*;
use cards::{Deck, Point};
use game::{Refusal, Say};
use std::borrow::Cow;

/// Something that makes a rule set unplayable (4.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Rule ids that forbid it.
    pub rules: &'static [&'static str],
    /// The options that clash.
    pub options: &'static [&'static str],
    /// Why, and what would be right.
    pub say: Say,
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Refusal {
        Refusal::new(fault.rules, fault.say)
    }
}

impl Rules {
    /// Whether the deck of these rules holds `card`.
    #[must_use]
    pub fn holds(&self, card: Point) -> bool {
        match self.deck {
            Deck::D27 => self.digit(card, self.mini_fixed.feature) == self.mini_fixed.value,
            deck => usize::from(card.0) < deck.size(),
        }
    }

    /// The deck, codes ascending.
    pub fn cards(&self) -> impl Iterator<Item = Point> + '_ {
        (0..self.deck.points()).map(|i| Point(i as u8)).filter(|&c| self.holds(c))
    }

    /// The cards of the whole deck that are not played with, codes ascending: the box has them.
    pub fn boxed(&self) -> impl Iterator<Item = Point> + use<> {
        let MiniFixed { feature, value } = self.mini_fixed;
        let fixed = (self.deck == Deck::D27).then_some(value);
        // Asked after every event of a record, so by counting rather than by looking at each card.
        let weight =
            if fixed.is_some() { 3u8.pow((self.deck.digits() - 1 - feature as usize) as u32) } else { 27 };
        let others = (0..3).filter(move |&digit| fixed.is_some_and(|fixed| digit != fixed));
        (0..27 / weight).flat_map(move |high| {
            others
                .clone()
                .flat_map(move |digit| (0..weight).map(move |low| Point((3 * high + digit) * weight + low)))
        })
    }

    /// The deck as a list.
    #[must_use]
    pub fn pack(&self) -> Vec<Point> {
        match self.deck {
            Deck::D27 => self.cards().collect(),
            // Every number is a card: none is asked for.
            deck => (0..deck.size()).map(|i| Point(i as u8)).collect(),
        }
    }

    /// The digit of a card's code for a feature, 0 to 2.
    ///
    /// # Panics
    /// If the deck has no such feature.
    #[must_use]
    pub fn digit(&self, card: Point, feature: Feature) -> u8 {
        let place = self.deck.digits() - 1 - feature as usize;
        card.0 / [1, 3, 9, 27, 81][place] % 3
    }

    /// Whether the game is for one (SOLO-1, TRIAL-1).
    #[must_use]
    pub const fn solo(&self) -> bool {
        self.players.max == 1
    }

    /// how long a wrong caller may not call.
    #[must_use]
    pub fn lockout(&self) -> Lockout {
        self.lockout_s.unwrap_or(Lockout::Seconds(if self.penalty == Penalty::None { 3 } else { 2 }))
    }

    /// Whether hands are there and hidden from the others.
    #[must_use]
    pub fn private_hands(&self) -> bool {
        self.hand > 0 && self.hand_visibility == HandVisibility::Private
    }

    /// The rules as `seats` play them: a race alone is practice, where the server watches and no call is made.
    #[must_use]
    pub fn seated(&self, seats: u8) -> Cow<'_, Rules> {
        let race = self.mechanism == Mechanism::Race && self.sources != Sources::Hand;
        if seats == 1 && self.players.min > 1 && race {
            let players = Players { min: 1, ..self.players };
            let alone = Rules {
                players,
                no_claim: NoClaim::Auto,
                entry: Entry::Tap,
                tie: Tie::First,
                ..self.clone()
            };
            Cow::Owned(alone)
        } else {
            Cow::Borrowed(self)
        }
    }

    /// The rules after the two parts of the quick deck are joined: `set-classic`'s deck and layout (QUICK-4).
    #[must_use]
    pub fn graduated(&self) -> Rules {
        Rules { deck: Deck::D81, base: Rules::default().base, ..self.clone() }
    }

    /// Fewest cards of a claim (PAT-SET, PAT-SUPER, PAT-DOUBLE, PAT-EIGHT).
    #[must_use]
    pub fn claim_cards(&self) -> u8 {
        let pattern = if self.pattern == Pattern::Super { 4 } else { 3 };
        match self.multiplicity {
            Multiplicity::Single => pattern,
            Multiplicity::Double => 2 * pattern,
            Multiplicity::Eight => 8,
        }
    }

    /// From how many cards of the layout a claim is certain, so that flags are refused (4.3); none if from no number.
    #[must_use]
    pub fn layout_max(&self) -> Option<u16> {
        use Multiplicity::{Double, Eight, Single};
        match (self.pattern, self.multiplicity, self.deck, self.sources) {
            (Pattern::Set, Single, Deck::D81, Sources::Previous) => Some(41),
            (Pattern::Set, Single, Deck::D81, Sources::Hand) if self.min_personal > 0 => None,
            (Pattern::Set, Single, Deck::D81, _) => Some(21),
            (_, _, _, Sources::Previous | Sources::Hand) => None,
            (Pattern::Set, Single, Deck::D27, _) => Some(10),
            (Pattern::Set, Single, Deck::D243, _) => Some(46),
            (Pattern::Super, Single, Deck::D81, _) => Some(10),
            (Pattern::Set, Double | Eight, Deck::D81, _) => Some(22),
            (Pattern::Set, Double, Deck::D27, _) => Some(11),
            (Pattern::Ultra1, Single, Deck::D81, _) => Some(46),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_played_with_is_in_the_box() {
        for deck in [Deck::D27, Deck::D81, Deck::D243] {
            for feature in &Feature::ALL[..4] {
                for value in 0..3 {
                    let mini_fixed = MiniFixed { feature: *feature, value };
                    let rules = Rules { deck, mini_fixed, ..Rules::default() };
                    let others =
                        (0..deck.points()).map(|i| Point(i as u8)).filter(|&card| !rules.holds(card));
                    assert_eq!(rules.boxed().collect::<Vec<_>>(), others.collect::<Vec<_>>(), "{rules:?}");
                }
            }
        }
    }
}
