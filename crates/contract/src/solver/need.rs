//! S6: how far a hand is from the contract, and which cards bring it nearer.

use super::fast::{Plan, Shapes};
use super::{Counts, Solver};
use crate::meld::{Law, Suits, Want};
use crate::options::{RunAce, WildBalance};
use cards::Face;

/// What a hand lacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Need {
    /// Fewest cards missing from the contract; where the whole hand must go, fewest cards to be exchanged for others or
    /// added.
    pub distance: u8,
    /// The faces of which one more, added or put in the place of a card that is in the way, brings the hand a step
    /// nearer; one bit for each [`Face::index`].
    pub faces: u64,
}

/// Steps after which one distance is given up.
const BUDGET: u64 = 50_000;

/// Measures distances under one law: what [`Solver::need`] does, with what it works out kept for many hands of one size.
#[derive(Clone, Debug)]
pub struct Gauge {
    law: Law,
    plans: Vec<Plan>,
}

impl Gauge {
    /// A gauge for hands of `cards` cards; the number matters only where the whole hand must go.
    ///
    /// Rules that the fast search does not know (corner aces, flags of slots) are taken more leniently than they are.
    #[must_use]
    pub fn new(law: &Law, cards: usize) -> Gauge {
        let lenient = Law {
            exact: true,
            all: false,
            keep_one: law.keep_one && !law.all,
            wild_ends: true,
            wild_adjacent: true,
            distinct_suits: false,
            // Where a meld may grow, naturals could still come to outnumber its wilds.
            balance: if law.exact { law.balance } else { WildBalance::None },
            ace: if law.ace == RunAce::Corner { RunAce::Both } else { law.ace },
            // What cards cost does not matter here.
            values: [1; Face::COUNT],
            ..law.clone()
        };
        let plain = |want: &Want| Want { suits: Suits::One, distinct: false, ..*want };
        let mut plans = Vec::new();
        for wants in Solver::new(law).contracts {
            let wants: Vec<Want> = wants.iter().map(plain).collect();
            if law.all {
                // One plan for each way to share out the cards among the slots.
                let need: usize = wants.iter().map(|w| usize::from(w.size)).sum();
                let spare = cards.saturating_sub(need).min(8);
                grow(&wants, 0, spare, &mut |wants| plans.extend(Plan::new(&lenient, wants)), law.run_max);
            } else {
                plans.extend(Plan::new(&lenient, &wants));
            }
        }
        Gauge { law: lenient, plans }
    }

    /// Fewest cards missing from the contract.
    #[must_use]
    pub fn distance(&self, hand: &Counts) -> u8 {
        let most = self.plans.iter().map(|plan| plan.need as u8).max().unwrap_or(0);
        (0..most).find(|&spare| self.within(hand, spare)).unwrap_or(most)
    }

    /// Whether at most `spare` cards are missing.
    #[must_use]
    pub fn within(&self, hand: &Counts, spare: u8) -> bool {
        let cards: usize = hand.iter().map(|&n| usize::from(n)).sum();
        self.plans.iter().any(|plan| {
            // Missing cards count as held: the hand must be large enough with them.
            cards + usize::from(spare) >= plan.need
                && Shapes::new(&self.law, plan, hand, spare, BUDGET).exists()
        })
    }

    /// The faces of which one more brings a hand of this distance nearer.
    #[must_use]
    pub fn helpful(&self, hand: &Counts, distance: u8) -> u64 {
        if distance == 0 {
            return 0;
        }
        let cards: usize = hand.iter().map(|&n| usize::from(n)).sum();
        let faces = self
            .plans
            .iter()
            .filter(|plan| cards + usize::from(distance) >= plan.need)
            .fold(0, |set, plan| set | Shapes::new(&self.law, plan, hand, distance, BUDGET).helpful());
        let pack = self.law.pack.faces().fold(self.law.wild, |set, face| set | 1 << face.index());
        faces & pack
    }
}

impl Solver<'_> {
    /// S6: the distance, and which faces make it smaller.
    #[must_use]
    pub fn need(&self, hand: &Counts) -> Need {
        let gauge = Gauge::new(self.law, hand.iter().map(|&n| usize::from(n)).sum());
        let distance = gauge.distance(hand);
        Need { distance, faces: gauge.helpful(hand, distance) }
    }
}

/// Every way to make the slots from `at` on larger by `spare` cards in all; equal slots in descending order.
fn grow(wants: &[Want], at: usize, spare: usize, found: &mut dyn FnMut(&[Want]), most: u8) {
    if at == wants.len() {
        if spare == 0 {
            found(wants);
        }
        return;
    }
    for more in 0..=spare {
        let mut wants = wants.to_vec();
        let same = at > 0 && wants[at - 1].kind == wants[at].kind && wants[at - 1].wilds == wants[at].wilds;
        wants[at].size += more as u8;
        if wants[at].size > most || same && wants[at].size > wants[at - 1].size {
            break;
        }
        grow(&wants, at + 1, spare - more, found, most);
    }
}
