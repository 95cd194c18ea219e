//! S6: how far a hand is from the contract, and which cards bring it nearer.

use super::fast::{Look, Plan, Shapes};
use super::lack::{Forms, Lacks, grows};
use super::{Counts, Solver, size};
use crate::meld::{Kind, Law, Suits, Want};
use crate::options::RunAce;
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

/// Ways to share out a whole hand among the slots that are searched one by one; where there are more, all at once.
const SHARED_OUT: usize = 64;

/// Measures distances under one law: what [`Solver::need`] does, with what it works out kept for many hands.
#[derive(Clone, Debug)]
pub struct Gauge {
    law: Law,
    /// The same law as far as the fast search needs it: slots of just their size, every card worth the same.
    plain: Law,
    aims: Vec<Aim>,
}

/// One list of slots, ready to be searched.
#[derive(Clone, Debug)]
enum Aim {
    /// Fast, for common rules.
    Plain(Plan),
    /// By every meld that a slot could become, where one glance does not tell.
    Any(Forms, Option<Plan>),
}

impl Gauge {
    /// What a hand is told to be away from a contract that no hand can ever make.
    pub const NEVER: u8 = 200;

    /// A gauge. Where the whole hand must go, `cards` is how many there are when it is laid, with what is drawn before.
    #[must_use]
    pub fn new(law: &Law, cards: usize) -> Gauge {
        Gauge::among(law, cards, &[u8::MAX; Face::COUNT])
    }

    /// A gauge that knows how many of each face can still be had, held or to come: where none can, nothing waits for it. The
    /// distance may then be less than the true one, as a last copy may be counted on in two melds, but never more.
    #[must_use]
    pub fn among(law: &Law, cards: usize, left: &Counts) -> Gauge {
        let gone = law.pack.faces().any(|face| left[face.index()] == 0)
            || (0..Face::COUNT).all(|i| law.wild >> i & 1 == 0 || left[i] == 0);
        let plain = plain(law);
        let mut aims = Vec::new();
        for wants in Solver::new(law).contracts {
            match plans(law, &plain, &wants, cards).filter(|_| !gone) {
                Some(plans) => aims.extend(plans.into_iter().map(Aim::Plain)),
                None => {
                    let glance = glanced(law, &plain, &wants).filter(|_| !gone);
                    aims.push(Aim::Any(Forms::new(law, &wants, cards, left), glance));
                }
            }
        }
        Gauge { law: law.clone(), plain, aims }
    }

    /// Fewest cards missing from the contract; [`Gauge::NEVER`] where no cards would do.
    #[must_use]
    pub fn distance(&self, hand: &Counts) -> u8 {
        self.aims.iter().map(|aim| aim.distance(self, hand)).min().unwrap_or(Self::NEVER)
    }

    /// Whether at most `spare` cards are missing.
    #[must_use]
    pub fn within(&self, hand: &Counts, spare: u8) -> bool {
        self.aims.iter().any(|aim| aim.within(self, hand, spare))
    }

    /// The faces in hand of which one can go from a hand of this distance, and no more is missing.
    #[must_use]
    pub fn spare(&self, hand: &Counts, distance: u8) -> u64 {
        self.aims.iter().fold(0, |set, aim| set | aim.spare(self, hand, distance))
    }

    /// The faces of which one more brings a hand of this distance nearer.
    #[must_use]
    pub fn helpful(&self, hand: &Counts, distance: u8) -> u64 {
        if distance == 0 {
            return 0;
        }
        let faces = self.aims.iter().fold(0, |set, aim| set | aim.helpful(self, hand, distance));
        let others = self.law.wild | self.law.skips;
        let pack = self.law.pack.faces().fold(others, |set, face| set | 1 << face.index());
        faces & pack
    }
}

impl Aim {
    /// What is seen at one glance, where that tells all.
    fn look(&self, gauge: &Gauge, hand: &Counts) -> Option<Look> {
        match self {
            Aim::Plain(plan) | Aim::Any(_, Some(plan)) => {
                Shapes::new(&gauge.plain, plan, hand, 0, BUDGET).look()
            }
            Aim::Any(_, None) => None,
        }
    }

    fn distance(&self, gauge: &Gauge, hand: &Counts) -> u8 {
        if let Some(look) = self.look(gauge, hand) {
            return look.missing;
        }
        let most = match self {
            Aim::Plain(plan) => plan.need,
            Aim::Any(forms, _) => forms.most(),
        };
        let mut spares = 0..=most.min(usize::from(Gauge::NEVER)) as u8;
        spares.find(|&spare| self.within(gauge, hand, spare)).unwrap_or(Gauge::NEVER)
    }

    fn within(&self, gauge: &Gauge, hand: &Counts, spare: u8) -> bool {
        match self {
            // Missing cards count as held: the hand must be large enough with them.
            Aim::Plain(plan) => {
                size(hand) + usize::from(spare) >= plan.need
                    && Shapes::new(&gauge.plain, plan, hand, spare, BUDGET).exists()
            }
            Aim::Any(forms, _) => Lacks::new(&gauge.law, forms, hand, spare, BUDGET).exists(),
        }
    }

    fn helpful(&self, gauge: &Gauge, hand: &Counts, distance: u8) -> u64 {
        if let Some(look) = self.look(gauge, hand)
            && look.missing >= distance
        {
            return if look.missing == distance { look.helpful } else { 0 };
        }
        match self {
            Aim::Plain(plan) if size(hand) + usize::from(distance) < plan.need => 0,
            Aim::Plain(plan) => Shapes::new(&gauge.plain, plan, hand, distance, BUDGET).helpful(),
            Aim::Any(forms, _) => Lacks::new(&gauge.law, forms, hand, distance, BUDGET).helpful(),
        }
    }

    fn spare(&self, gauge: &Gauge, hand: &Counts, distance: u8) -> u64 {
        if let Some(look) = self.look(gauge, hand)
            && look.missing >= distance.max(1)
        {
            return if look.missing == distance { look.spare } else { 0 };
        }
        let spare = |&face: &usize| {
            let mut rest = *hand;
            rest[face] -= 1;
            self.within(gauge, &rest, distance)
        };
        (0..Face::COUNT).filter(|&face| hand[face] > 0).filter(spare).fold(0, |set, face| set | 1 << face)
    }
}

/// The same law as far as the fast search needs it.
fn plain(law: &Law) -> Law {
    Law {
        exact: true,
        all: false,
        // How far a hand is from its melds: what they count is asked once they are there.
        opening: 0,
        keep_one: law.keep_one && !law.all,
        // What cards cost does not matter here.
        values: [1; Face::COUNT],
        ..law.clone()
    }
}

/// Whether slots are told by their kinds and sizes alone.
fn common(law: &Law, wants: &[Want]) -> bool {
    // A wild rank that never stands for itself leaves places that only wilds fill.
    let ranks_wild = law.wild & !1 != 0 && !law.natural_in_place;
    let plainly = |w: &Want| {
        w.suits == Suits::One
            && w.kind != Kind::Flush
            && !w.distinct
            && w.size >= law.min_naturals
            && w.size <= if w.kind == Kind::Run { law.run_max } else { law.group_max }
    };
    !ranks_wild && !law.distinct_suits && wants.iter().all(plainly) && (law.all || !grows(law, wants))
}

/// The plans of a list of slots, where the fast search is exact for it.
fn plans(law: &Law, plain: &Law, wants: &[Want], cards: usize) -> Option<Vec<Plan>> {
    let runs = wants.iter().any(|want| want.kind == Kind::Run);
    if !common(law, wants) || runs && law.ace == RunAce::Corner {
        return None;
    }
    // What is said of runs says nothing of groups.
    let grouped = Law { ace: RunAce::Both, wild_ends: true, wild_adjacent: true, ..plain.clone() };
    let plain = if runs { plain } else { &grouped };
    if !law.all {
        return Some(vec![Plan::new(plain, wants)?]);
    }
    // One plan for each way to share out the cards among the slots.
    let need: usize = wants.iter().map(|w| usize::from(w.size)).sum();
    let spare = cards.saturating_sub(need);
    if law.exact && spare > 0 {
        return Some(Vec::new());
    }
    let (mut shared, mut plans) = (Vec::new(), Vec::new());
    share_out(law, wants, wants, 0, spare, &mut shared);
    if shared.len() > SHARED_OUT {
        return None;
    }
    for wants in shared {
        plans.push(Plan::new(plain, &wants)?);
    }
    Some(plans)
}

/// The plan of a list of slots where runs go round the corner, or wilds may not lie side by side: for one glance, since the fast search knows of
/// neither.
fn glanced(law: &Law, plain: &Law, wants: &[Want]) -> Option<Plan> {
    let mut runs = wants.iter().filter(|want| want.kind == Kind::Run);
    // One wild lies beside no other.
    let apart = law.wild_adjacent || runs.all(|want| law.most_wilds(want, want.size.into()) <= 1);
    let plain = Law { ace: RunAce::Both, wild_adjacent: true, ..plain.clone() };
    // What lies beside a run is asked of positions, and round the corner those have two.
    let free = law.ace != RunAce::Corner || law.overlap && law.gap == 0 && law.per_suit == 255;
    if law.all || !apart || !free || !common(law, wants) {
        return None;
    }
    Plan::new(&plain, wants).filter(|plan| plan.at_once)
}

/// Whether distances from melds of just the sizes that a law asks for take microseconds for most hands: jokers alone are wild, and slots are told by
/// their kinds and sizes.
#[must_use]
pub fn is_fast(law: &Law) -> bool {
    let plain = plain(law);
    let told = |wants: &Vec<Want>| {
        plans(&plain, &plain, wants, 0).is_some() || glanced(&plain, &plain, wants).is_some()
    };
    law.wild == 1 && Solver::new(&plain).contracts.iter().all(told)
}

impl Solver<'_> {
    /// S6: the distance, and which faces make it smaller.
    #[must_use]
    pub fn need(&self, hand: &Counts) -> Need {
        let gauge = Gauge::new(self.law, size(hand));
        let distance = gauge.distance(hand);
        Need { distance, faces: gauge.helpful(hand, distance) }
    }
}

/// Every way to make the slots from `at` on larger by `spare` cards in all, and little more than [`SHARED_OUT`] of them at
/// most; slots that were equal are in descending order.
fn share_out(law: &Law, slots: &[Want], wants: &[Want], at: usize, spare: usize, found: &mut Vec<Vec<Want>>) {
    if at == wants.len() || found.len() > SHARED_OUT {
        if spare == 0 {
            found.push(wants.to_vec());
        }
        return;
    }
    let longest = if slots[at].kind == Kind::Run { law.run_max } else { law.group_max };
    for more in 0..=spare {
        let size = usize::from(slots[at].size) + more;
        let above = at > 0 && slots[at - 1] == slots[at] && size > usize::from(wants[at - 1].size);
        if size > usize::from(longest) || above {
            break;
        }
        let mut wants = wants.to_vec();
        wants[at].size = size as u8;
        share_out(law, slots, &wants, at + 1, spare - more, found);
    }
}
