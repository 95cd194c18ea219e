//! S6: how far a hand is from the contract, and which cards bring it nearer.

use super::fast::{Plan, Shapes};
use super::{Counts, Solver};
use crate::meld::{Balance, Law, Reach, Suits, Want};
use cards::Face;

/// What a hand lacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Need {
    /// Fewest cards missing from the contract; where the whole hand must go, fewest cards to be exchanged for others or
    /// added.
    pub distance: u8,
    /// The faces of which one more brings the hand a step nearer, one bit for each [`Face::index`].
    pub faces: u64,
}

/// Steps after which one distance is given up.
const BUDGET: u64 = 50_000;

impl Solver<'_> {
    /// The distance of a hand from the contract, 0 if it can be laid. Rules that the fast search does not know (corner
    /// aces, flags of slots) are judged as if they were more lenient.
    #[must_use]
    pub fn distance(&self, hand: &Counts) -> u8 {
        let (law, plans) = self.lenient(hand);
        plans.iter().map(|plan| distance_of(&law, plan, hand)).min().unwrap_or(0)
    }

    /// S6: the distance, and which faces make it smaller.
    #[must_use]
    pub fn need(&self, hand: &Counts) -> Need {
        let (law, plans) = self.lenient(hand);
        let distance = plans.iter().map(|plan| distance_of(&law, plan, hand)).min().unwrap_or(0);
        let Some(nearer) = distance.checked_sub(1) else { return Need::default() };
        let mut faces = 0;
        let jokers = (law.wild & 1 != 0).then_some(Face::JOKER);
        for face in law.pack.faces().chain(jokers) {
            let mut more = *hand;
            more[face.index()] += 1;
            // One card more changes what the whole hand must be.
            let nearer = if self.law.all {
                self.distance(&more) <= nearer
            } else {
                plans.iter().any(|plan| within(&law, plan, &more, nearer))
            };
            faces |= u64::from(nearer) << face.index();
        }
        Need { distance, faces }
    }

    /// The law without what the fast search does not know, and the plans under it. Where the whole hand must go, one plan
    /// for each way to share out its cards among the slots.
    fn lenient(&self, hand: &Counts) -> (Law, Vec<Plan>) {
        let law = Law {
            exact: true,
            all: false,
            keep_one: self.law.keep_one && !self.law.all,
            wild_ends: true,
            wild_adjacent: true,
            distinct_suits: false,
            balance: Balance::None,
            reach: if self.law.reach == Reach::Corner { Reach::Both } else { self.law.reach },
            // What cards cost does not matter here.
            values: [1; Face::COUNT],
            ..self.law.clone()
        };
        let plain = |want: &Want| Want { suits: Suits::One, distinct: false, ..*want };
        let cards: usize = hand.iter().map(|&n| usize::from(n)).sum();
        let mut plans = Vec::new();
        for wants in &self.contracts {
            let wants: Vec<Want> = wants.iter().map(plain).collect();
            if self.law.all {
                let need: usize = wants.iter().map(|w| usize::from(w.size)).sum();
                let spare = cards.saturating_sub(need).min(8);
                grow(&wants, 0, spare, &mut |wants| plans.extend(Plan::new(&law, wants)), law.run_max);
            } else {
                plans.extend(Plan::new(&law, &wants));
            }
        }
        (law, plans)
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

fn within(law: &Law, plan: &Plan, hand: &Counts, spare: u8) -> bool {
    let cards: usize = hand.iter().map(|&n| usize::from(n)).sum();
    // Missing cards count as held: the hand must be large enough with them.
    cards + usize::from(spare) >= plan.need && Shapes::new(law, plan, hand, spare, BUDGET).exists()
}

fn distance_of(law: &Law, plan: &Plan, hand: &Counts) -> u8 {
    (0..plan.need as u8).find(|&spare| within(law, plan, hand, spare)).unwrap_or(plan.need as u8)
}
