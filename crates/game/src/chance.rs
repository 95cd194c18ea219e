//! Chance: what the rules need drawn, and what was drawn.
//!
//! Rules state a [`Need`]; the host answers with a [`Draw`] that carries the finished outcome, so that a log replays
//! without any generator. Where the numbers come from is the host's: the fair-deal stream on a server, a fast generator
//! in simulation, a person's pencil in a test.

use serde::{Deserialize, Serialize};

/// What chance is to decide.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Need {
    /// Which of the seats in `0..seats` deals first. Answer: [`Draw::Pick`].
    Dealer {
        /// Number of seats to choose from.
        seats: u8,
    },
    /// The order of `cards` cards in deal `deal` (from 1), shuffle `nth` of that deal (0 is the deal's own shuffle, 1.. are
    /// reshuffles). The rules say what list the indices refer to. Answer: [`Draw::Order`].
    Shuffle {
        /// Deal or round of the match, from 1.
        deal: u16,
        /// Which shuffle of this deal, from 0.
        nth: u16,
        /// How many cards, so a permutation of `0..cards`.
        cards: u16,
    },
    /// A place in `0..of`, pick number `nth` (from 0) of the deal. Answer: [`Draw::Pick`].
    Pick {
        /// Deal or round of the match, from 1.
        deal: u16,
        /// Which pick of this deal, from 0.
        nth: u16,
        /// How many places there are.
        of: u16,
    },
    /// Noise on a cut: the difference of two numbers drawn uniformly from `0..=noise` (contract/A-35), or, if `noise` is
    /// none, a number drawn uniformly from `-spread..=spread`. Answer: [`Draw::Noise`].
    Cut {
        /// Deal or round of the match, from 1.
        deal: u16,
        /// Upper end of both numbers, 0 to 20; none for the uniform draw.
        noise: Option<u8>,
        /// Half-width of the uniform draw.
        spread: u8,
    },
}

/// What chance decided.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Draw {
    /// One of several places, from 0.
    Pick(u16),
    /// A permutation: entry 0 is the index of the card that comes to lie on top.
    Order(Vec<u16>),
    /// What is added to the aim of a cut.
    Noise(i16),
}

/// A source of chance.
pub trait Chance {
    /// A number drawn uniformly from `0..bound`.
    ///
    /// # Panics
    /// May panic if `bound` is 0.
    fn below(&mut self, bound: u32) -> u32;

    /// A uniform permutation of `0..count` (Fisher and Yates, from the last place down).
    fn order(&mut self, count: u16) -> Vec<u16>
    where
        Self: Sized,
    {
        let mut order: Vec<u16> = (0..count).collect();
        self.shuffle(&mut order);
        order
    }

    /// Shuffles in place.
    fn shuffle<T>(&mut self, items: &mut [T])
    where
        Self: Sized,
    {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u32 + 1) as usize;
            items.swap(last, other);
        }
    }

    /// Answers a need.
    fn answer(&mut self, need: &Need) -> Draw
    where
        Self: Sized,
    {
        match *need {
            Need::Dealer { seats } => Draw::Pick(self.below(u32::from(seats)) as u16),
            Need::Shuffle { cards, .. } => Draw::Order(Chance::order(self, cards)),
            Need::Pick { of, .. } => Draw::Pick(self.below(u32::from(of)) as u16),
            Need::Cut { noise: Some(noise), .. } => {
                let (a, b) = (self.below(u32::from(noise) + 1), self.below(u32::from(noise) + 1));
                Draw::Noise(a as i16 - b as i16)
            }
            Need::Cut { noise: None, spread, .. } => {
                Draw::Noise(self.below(2 * u32::from(spread) + 1) as i16 - i16::from(spread))
            }
        }
    }
}

impl Draw {
    /// Whether this is an answer to `need`: of the right kind, in range, a permutation.
    #[must_use]
    pub fn answers(&self, need: &Need) -> bool {
        match (need, self) {
            (Need::Dealer { seats }, Draw::Pick(n)) => *n < u16::from(*seats),
            (Need::Pick { of, .. }, Draw::Pick(n)) => n < of,
            (Need::Shuffle { cards, .. }, Draw::Order(order)) => {
                // As many as most decks have, so that no memory is asked for.
                let (mut few, mut many) = ([false; 256], Vec::new());
                let seen = few.get_mut(..usize::from(*cards)).unwrap_or_else(|| {
                    many.resize(usize::from(*cards), false);
                    &mut many
                });
                order.len() == seen.len()
                    && order
                        .iter()
                        .all(|&i| seen.get_mut(usize::from(i)).is_some_and(|s| !std::mem::replace(s, true)))
            }
            (Need::Cut { noise: Some(noise), .. }, Draw::Noise(n)) => n.unsigned_abs() <= u16::from(*noise),
            (Need::Cut { noise: None, spread, .. }, Draw::Noise(n)) => n.unsigned_abs() <= u16::from(*spread),
            _ => false,
        }
    }
}

/// A borrowed source is a source, also one behind `dyn`.
impl<T: Chance + ?Sized> Chance for &mut T {
    fn below(&mut self, bound: u32) -> u32 {
        (**self).below(bound)
    }
}

/// A small, fast, well-mixed generator (SplitMix64, Steele, Lea and Flood 2014) for simulations, bots and tests. Not for
/// dealing to people: deals come from the fair-deal stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitMix(pub u64);

impl SplitMix {
    /// The next 64 bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

impl Chance for SplitMix {
    /// Lemire's multiplication with rejection: exactly uniform.
    #[inline]
    fn below(&mut self, bound: u32) -> u32 {
        assert!(bound > 0, "a number below 0 was asked for");
        let mut product = u64::from(self.bits() as u32) * u64::from(bound);
        if (product as u32) < bound {
            let threshold = bound.wrapping_neg() % bound;
            while (product as u32) < threshold {
                product = u64::from(self.bits() as u32) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_answer() {
        let mut chance = SplitMix(1);
        for need in [
            Need::Dealer { seats: 5 },
            Need::Shuffle { deal: 1, nth: 0, cards: 108 },
            Need::Pick { deal: 1, nth: 0, of: 1 },
            Need::Cut { deal: 1, noise: Some(12), spread: 0 },
            Need::Cut { deal: 1, noise: None, spread: 30 },
        ] {
            for _ in 0..100 {
                assert!(chance.answer(&need).answers(&need));
            }
        }
        assert!(!Draw::Order(vec![0, 0]).answers(&Need::Shuffle { deal: 1, nth: 0, cards: 2 }));
        assert!(!Draw::Order(vec![0, 2]).answers(&Need::Shuffle { deal: 1, nth: 0, cards: 2 }));
        assert!(!Draw::Pick(3).answers(&Need::Dealer { seats: 3 }));
    }

    #[test]
    fn below_is_uniform_within_five_sigma() {
        let mut chance = SplitMix(7);
        let mut counts = [0u32; 6];
        for _ in 0..60_000 {
            counts[chance.below(6) as usize] += 1;
        }
        // Binomial: mean 10,000, deviation 91.
        assert!(counts.iter().all(|&c| c.abs_diff(10_000) < 460), "{counts:?}");
    }
}
