//! S6 at one glance, where jokers alone are wild, groups are alike, and the wilds in hand fit into any one meld.
//!
//! Then it never matters which meld a wild goes to, and no run that leaves a natural to a group is better than one that takes it. So a shape
//! costs what its runs lack and what the groups lack of what the runs leave; and which ranks the groups have need not be tried: those are
//! best that lack least.

use super::{Interval, SLOTS, Shapes, Slot, compatible};
use crate::solver::{presence, size};
use arrayvec::ArrayVec;

/// Naturals of a group at most: larger groups are left to the search.
const LARGEST: usize = 7;
/// Sizes that runs of one contract have at most, and lowest positions of a run.
const SIZES: usize = 4;
const PLACES: usize = 16;
/// Places for runs that are tried for one hand at most: a bound on the time.
const TRIED: u32 = 4_000;

/// What is seen at one glance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::solver) struct Look {
    /// Cards that are missing from the contract.
    pub missing: u8,
    /// The faces of which one more brings the hand nearer.
    pub helpful: u64,
    /// The faces in hand of which one can go, and no more is missing. Only where something is missing.
    pub spare: u64,
}

/// What the runs of one size lack, wherever they lie: by suit and lowest position.
struct Lacking {
    size: u8,
    at: [[u8; PLACES]; 4],
    /// What the best of each suit lacks.
    least: [u8; 4],
}

/// What is not in runs.
#[derive(Clone, Copy)]
struct Left {
    /// Naturals of each rank, and how many groups each number of naturals is offered to.
    total: [u8; 16],
    offers: [u8; LARGEST + 1],
    /// The positions of each suit that a natural can fill, and the faces of which there are more than one, and more than two.
    present: [u16; 4],
    more: [u64; 2],
    /// Faces that are missing from the runs.
    open: u64,
}

struct Glance<'s, 'a> {
    shapes: &'s Shapes<'a>,
    lacking: ArrayVec<Lacking, SIZES>,
    /// Cards of a group, and the most wilds among them.
    group: u8,
    limit: u8,
    left: Left,
    runs: ArrayVec<Interval, SLOTS>,
    /// Cards that may be missing, wilds in hand not counted.
    room: u8,
    /// Places that may still be tried.
    tries: u32,
    found: bool,
    /// The most wilds that can lie in a shape.
    filled: u8,
    helpful: u64,
    spare: u64,
}

impl Slot {
    /// The most wilds that a meld of this size may hold.
    fn most_wilds(self) -> u8 {
        self.limit.min(self.size.saturating_sub(self.naturals))
    }
}

impl Shapes<'_> {
    /// None where that cannot be told at once.
    pub(in crate::solver) fn look(&self) -> Option<Look> {
        let (law, plan) = (self.law, self.plan);
        let slots = || plan.runs.iter().chain(&plan.groups);
        let (group, limit) = plan.groups.first().map_or((0, 0), |slot| (slot.size, slot.most_wilds()));
        let room = slots().map(|slot| slot.most_wilds()).min()?;
        let plain = plan.exact
            && law.wild & !1 == 0
            && usize::from(group) <= LARGEST
            && plan.groups.iter().all(|slot| (slot.size, slot.most_wilds()) == (group, limit))
            && self.wilds <= room
            // An ace lies at one end of a run alone.
            && plan.runs.iter().all(|slot| slot.size <= law.ranks)
            && plan.groups.len() <= usize::from(law.ranks);
        if !plain {
            return None;
        }
        let more = |than: u8| presence(&self.hand.map(|held| held.saturating_sub(than))) & !1;
        // No more copies are told apart.
        if plan.runs.len() > 2 && more(3) != 0 {
            return None;
        }
        let mut glance = Glance {
            shapes: self,
            lacking: ArrayVec::new(),
            group,
            limit,
            left: Left {
                total: self.total,
                offers: [0; LARGEST + 1],
                present: self.plain,
                more: [more(1), more(2)],
                open: 0,
            },
            runs: ArrayVec::new(),
            room: self.least[0],
            tries: TRIED,
            found: false,
            filled: 0,
            helpful: 0,
            spare: 0,
        };
        for slot in &plan.runs {
            if glance.lacking.iter().all(|lacking| lacking.size != slot.size) {
                glance.lacking.try_push(self.lacking(slot.size)).ok()?;
            }
        }
        if group > 0 {
            self.total[1..=usize::from(law.ranks)].iter().for_each(|&held| glance.offer(held));
        }
        while !glance.found {
            if usize::from(glance.room) > plan.need {
                return None;
            }
            glance.run(0, 0, 0);
            if glance.tries == 0 {
                return None;
            }
            glance.room += u8::from(!glance.found);
        }
        let cards = size(self.hand);
        let lacks = glance.room.saturating_sub(self.wilds);
        // A hand of too few cards is as far away as cards are missing: any will do, and none can be spared.
        let few = plan.need.saturating_sub(cards) as u8;
        let missing = lacks.max(few);
        let helpful = match missing {
            0 => 0,
            _ if lacks < few => u64::MAX,
            _ if glance.filled > self.wilds => glance.helpful | law.wild,
            // One more wild may find no place: but where melds want the same card, it may as well be missing from the other.
            _ => return None,
        };
        let spare = if cards + usize::from(missing) > plan.need { glance.spare } else { 0 };
        Some(Look { missing, helpful, spare })
    }

    fn lacking(&self, size: u8) -> Lacking {
        let law = self.law;
        let mut lacking = Lacking { size, at: [[size; PLACES]; 4], least: [size; 4] };
        let window = (1u32 << size) - 1;
        for suit in 0..usize::from(law.suits) {
            let set = u32::from(self.plain[suit]);
            for low in law.first()..=(law.last() + 1).saturating_sub(size) {
                let lacks = size - (set >> low & window).count_ones() as u8;
                lacking.at[suit][usize::from(low) % PLACES] = lacks;
                lacking.least[suit] = lacking.least[suit].min(lacks);
            }
        }
        lacking
    }
}

impl Glance<'_, '_> {
    /// Tries all intervals for this run and the next ones, where so many cards are missing from those before, of which wilds may fill so many.
    fn run(&mut self, index: usize, cost: u8, filled: u8) {
        let shapes = self.shapes;
        let (law, plan) = (shapes.law, shapes.plan);
        let Some(&slot) = plan.runs.get(index) else { return self.groups(cost, filled) };
        let Some(room) = self.room.checked_sub(cost + shapes.least[index + 1]) else { return };
        let Some(sized) = self.lacking.iter().position(|lacking| lacking.size == slot.size) else { return };
        let after = (index > 0 && plan.runs[index - 1].same(slot)).then(|| self.runs[index - 1]);
        let window = (1u32 << slot.size) - 1;
        for suit in after.map_or(0, |after| after.suit)..law.suits {
            if self.lacking[sized].least[usize::from(suit)] > room {
                continue;
            }
            let beside = self.runs.iter().any(|run| run.suit == suit);
            let first = after.filter(|after| after.suit == suit).map_or(law.first(), |after| after.low);
            for low in first..=(law.last() + 1).saturating_sub(slot.size) {
                if self.lacking[sized].at[usize::from(suit)][usize::from(low) % PLACES] > room {
                    continue;
                }
                let set = u32::from(self.left.present[usize::from(suit)]);
                let open = window << low & !set;
                let lacks = open.count_ones() as u8;
                let interval = Interval { suit, low, len: slot.size };
                if beside && (lacks > room || !compatible(law, &self.runs, interval)) {
                    continue;
                }
                if self.tries == 0 {
                    return;
                }
                self.tries -= 1;
                let before = self.left;
                self.left.open |= self.faces(suit, open);
                self.take(suit, window << low & set);
                self.runs.push(interval);
                self.run(index + 1, cost + lacks, filled + lacks.min(slot.most_wilds()));
                self.runs.pop();
                self.left = before;
            }
        }
    }

    /// The faces at such positions of a suit.
    fn faces(&self, suit: u8, positions: u32) -> u64 {
        let beyond = self.shapes.law.ranks + 1;
        let ranks = positions & ((1 << beyond) - 1) | (positions >> beyond & 1) << 1;
        u64::from(ranks) << (16 * suit)
    }

    /// A run takes the cards at these positions.
    fn take(&mut self, suit: u8, mut positions: u32) {
        let ranks = self.shapes.law.ranks;
        while positions != 0 {
            let at = positions.trailing_zeros() as u8;
            positions &= positions - 1;
            let rank = if at > ranks { at - ranks } else { at };
            let face = usize::from(suit << 4 | rank);
            let places = 1 << rank | if rank == 1 { 1 << (ranks + 1) } else { 0 };
            if self.left.more[0] >> face & 1 == 0 {
                self.left.present[usize::from(suit)] &= !places;
            }
            // A copy less of those beside it.
            self.left.more =
                [self.left.more[0] & (self.left.more[1] | !(1 << face)), self.left.more[1] & !(1 << face)];
            if self.group > 0 {
                let held = self.left.total[usize::from(rank)];
                let (whole, rest) = self.offered(held);
                self.left.offers[usize::from(self.group)] -= whole;
                self.left.offers[usize::from(rest)] -= 1;
                self.offer(held - 1);
                self.left.total[usize::from(rank)] = held - 1;
            }
        }
    }

    fn offer(&mut self, held: u8) {
        let (whole, rest) = self.offered(held);
        self.left.offers[usize::from(self.group)] += whole;
        self.left.offers[usize::from(rest)] += 1;
    }

    /// What the groups take of what the runs leave: of each rank one group after the other, of all these those that lack least.
    fn groups(&mut self, mut cost: u8, mut filled: u8) {
        let group = self.group;
        let mut wanted = self.shapes.plan.groups.len() as u8;
        let (mut least, mut taken) = (group, 0);
        while wanted > 0 {
            taken = if least == 0 { wanted } else { wanted.min(self.left.offers[usize::from(least)]) };
            cost += taken * (group - least);
            filled += taken * (group - least).min(self.limit);
            wanted -= taken;
            if wanted > 0 {
                least -= 1;
            }
        }
        if cost > self.room {
            return;
        }
        self.found = true;
        self.filled = self.filled.max(filled);
        self.helpful |= self.left.open;
        let present = (0..4)
            .fold(0, |all, suit| all | self.faces(suit, u32::from(self.left.present[usize::from(suit)])));
        let left = if group == 0 {
            u64::MAX
        } else {
            self.grouped(least, taken < self.left.offers[usize::from(least)])
        };
        self.spare |= present & left;
    }

    /// Notes the ranks that the groups lack, where the last of them offers so many naturals, and whether there is a choice of them. Gives the
    /// faces of the ranks that groups can leave cards of.
    fn grouped(&mut self, least: u8, choice: bool) -> u64 {
        let law = self.shapes.law;
        let group = self.group;
        let (mut spare, mut open) = (0_u16, 0_u16);
        for rank in 1..=usize::from(law.ranks) {
            let held = self.left.total[rank];
            let (whole, rest) = self.offered(held);
            // Whether this rank offers to a group that is not whole, and may be the one.
            let offers = rest < group && (whole == 0 || !law.distinct_ranks);
            open |= u16::from(offers && rest >= least && least < group) << rank;
            let mut kept = if least < group || !choice { whole * group } else { 0 };
            if rest > least || rest == least && !choice {
                kept += rest;
            }
            spare |= u16::from(held > kept) << rank;
        }
        let faces = |ranks: u16| (0..law.suits).fold(0, |all, suit| all | u64::from(ranks) << (16 * suit));
        self.helpful |= faces(open);
        faces(spare)
    }

    /// How many whole groups the naturals of a rank make, and how many they offer to another.
    fn offered(&self, held: u8) -> (u8, u8) {
        let group = self.group;
        if held < group {
            (0, held)
        } else if self.shapes.law.distinct_ranks {
            (1, 0)
        } else {
            (held / group, held % group)
        }
    }
}
