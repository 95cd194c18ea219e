//! S6 at one glance, where jokers alone are wild and groups are alike.
//!
//! A shape costs what its runs lack and what the groups lack of what the runs leave; which ranks the groups have need not be tried: those are
//! best that lack least. Of that the wilds in hand fill as much as the melds may hold of them. Where all of them fit into any one meld it never matters
//! which meld a wild goes to, and no run that leaves a natural to another meld is better than one that takes it; elsewhere runs are tried that
//! leave naturals of theirs, too.

use super::{Interval, SLOTS, Shapes, Slot, compatible};
use crate::meld::Law;
use crate::options::RunAce;
use crate::solver::{presence, size};
use arrayvec::ArrayVec;

/// Naturals of a group at most: larger groups are left to the search.
const LARGEST: usize = 7;
/// Sizes that runs of one contract have at most, and lowest positions of a run.
const SIZES: usize = 4;
const PLACES: usize = 16;
/// Places for runs that are tried for one hand at most: a bound on the time.
const TRIED: u32 = 4_000;
/// Ranks at most: runs that go round the corner take the positions beyond.
const RANKS: u8 = 14;

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
    present: [u32; 4],
    more: [u64; 2],
    /// Faces that are missing from the runs, and of those that are missing from runs that lack more than wilds may fill.
    open: u64,
    over: u64,
    /// Faces that lie in runs that could hold a wild more.
    eased: u64,
}

struct Glance<'s, 'a> {
    shapes: &'s Shapes<'a>,
    lacking: ArrayVec<Lacking, SIZES>,
    /// Cards of a group, and the most wilds among them.
    group: u8,
    limit: u8,
    left: Left,
    runs: ArrayVec<Interval, SLOTS>,
    /// Whether runs are tried that leave naturals of theirs to other melds.
    leaves: bool,
    /// Fewest cards that are missing from this run on and from the groups.
    least: [u8; SLOTS + 1],
    /// Cards that may be missing beside what wilds fill.
    room: u8,
    /// Places that may still be tried.
    tries: u32,
    found: bool,
    /// Whether one of the shapes that lack least could hold more wilds than there are.
    wants_wilds: bool,
    helpful: u64,
    spare: u64,
}

/// Whether one glance tells of most hands what they lack, by slots for runs and for groups.
pub(super) fn is_told_at_once(law: &Law, runs: &[Slot], groups: &[Slot]) -> bool {
    let alike = |slot: &Slot| (slot.size, slot.most_wilds());
    law.exact
        && law.wild & !1 == 0
        && law.ranks <= RANKS
        && groups.iter().all(|slot| usize::from(slot.size) <= LARGEST && alike(slot) == alike(&groups[0]))
        // An ace lies at one end of a run alone.
        && runs.iter().all(|slot| slot.size <= law.ranks)
        && groups.len() <= usize::from(law.ranks)
}

impl Shapes<'_> {
    /// None where that cannot be told at once.
    pub(in crate::solver) fn look(&self) -> Option<Look> {
        let (law, plan) = (self.law, self.plan);
        let (group, limit) = plan.groups.first().map_or((0, 0), |slot| (slot.size, slot.most_wilds()));
        if !plan.at_once {
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
                present: self.plain.map(|set| self.round(set)),
                more: [more(1), more(2)],
                open: 0,
                over: 0,
                eased: 0,
            },
            runs: ArrayVec::new(),
            leaves: plan.each().any(|slot| slot.most_wilds() < self.wilds),
            least: [0; SLOTS + 1],
            room: 0,
            tries: TRIED,
            found: false,
            wants_wilds: false,
            helpful: 0,
            spare: 0,
        };
        for slot in &plan.runs {
            if glance.lacking.iter().all(|lacking| lacking.size != slot.size) {
                glance.lacking.try_push(self.lacking(slot.size)).ok()?;
            }
        }
        glance.least[plan.runs.len()] = self.least[plan.runs.len()];
        for (i, slot) in plan.runs.iter().enumerate().rev() {
            let lacking = glance.lacking.iter().find(|lacking| lacking.size == slot.size)?;
            glance.least[i] = glance.least[i + 1] + lacking.least.iter().min()?;
        }
        if group > 0 {
            self.total[1..=usize::from(law.ranks)].iter().for_each(|&held| glance.offer(held));
        }
        glance.room = glance.least[0].saturating_sub(self.wilds);
        let needed = group - limit.min(group);
        if glance.leaves && glance.parts() && self.total.iter().any(|&held| held > needed) {
            return None;
        }
        glance.search()?;
        if !glance.leaves && glance.room > 0 && !glance.wants_wilds {
            // One more wild may find no place: but where melds want the same card, it may as well be missing from the other.
            if glance.parts() {
                return None;
            }
            glance.leaves = true;
            glance.found = false;
            glance.search()?;
        }
        let cards = size(self.hand);
        let lacks = glance.room;
        // A hand of too few cards is as far away as cards are missing: any will do, and none can be spared.
        let few = plan.need.saturating_sub(cards) as u8;
        let missing = lacks.max(few);
        let helpful = match missing {
            0 => 0,
            _ if lacks < few => u64::MAX,
            _ => glance.helpful,
        };
        let spare = if cards + usize::from(missing) > plan.need { glance.spare } else { 0 };
        Some(Look { missing, helpful, spare })
    }

    /// The positions that naturals fill, once round where runs go round the corner.
    fn round(&self, set: u16) -> u32 {
        let (law, set) = (self.law, u32::from(set));
        if law.ace == RunAce::Corner {
            let once = set & ((2 << law.ranks) - 1);
            return once | once << law.ranks;
        }
        set
    }

    fn lacking(&self, size: u8) -> Lacking {
        let law = self.law;
        let mut lacking = Lacking { size, at: [[size; PLACES]; 4], least: [size; 4] };
        let window = (1u32 << size) - 1;
        for suit in 0..usize::from(law.suits) {
            let set = self.round(self.plain[suit]);
            for low in law.first()..=lowest(law, size) {
                let lacks = size - (set >> low & window).count_ones() as u8;
                lacking.at[suit][usize::from(low) % PLACES] = lacks;
                lacking.least[suit] = lacking.least[suit].min(lacks);
            }
        }
        lacking
    }
}

/// The last position from which a run of this size may go up.
fn lowest(law: &Law, size: u8) -> u8 {
    if law.ace == RunAce::Corner { law.ranks } else { (law.last() + 1).saturating_sub(size) }
}

/// How the groups came out.
#[derive(Clone, Copy)]
struct Grouped {
    /// Naturals of the last of them, and whether there is a choice of such.
    least: u8,
    choice: bool,
    /// Whether melds could hold more wilds than there are, or fewer.
    wants_wilds: bool,
    idle: bool,
}

/// What melds lack.
#[derive(Clone, Copy, Default)]
struct Cost {
    missing: u8,
    /// How much of that wilds may fill.
    filled: u8,
}

impl Cost {
    fn with(self, lacks: u8, limit: u8) -> Cost {
        Cost { missing: self.missing + lacks, filled: self.filled + lacks.min(limit) }
    }
}

impl Glance<'_, '_> {
    /// Looks for the shapes that lack least. None where that takes too long.
    fn search(&mut self) -> Option<()> {
        while !self.found {
            if usize::from(self.room) > self.shapes.plan.need {
                return None;
            }
            if self.leaves {
                self.run::<true>(0, Cost::default());
            } else {
                self.run::<false>(0, Cost::default());
            }
            if self.tries == 0 {
                return None;
            }
            self.room += u8::from(!self.found);
        }
        Some(())
    }

    /// Whether naturals of one rank may go to several groups: where wilds fill so much of each, one may do without what another lacks.
    fn parts(&self) -> bool {
        self.shapes.plan.groups.len() > 1 && !self.shapes.law.distinct_ranks
    }

    /// Cards that are missing from a shape, at least, beside what the wilds in hand fill.
    fn lacks<const LEAVES: bool>(&self, cost: Cost, least: u8) -> u8 {
        // Where all wilds fit into one meld, one that lacks more than it may hold of them has them all.
        let over = if LEAVES { cost.missing - cost.filled } else { 0 };
        over.max((cost.missing + least).saturating_sub(self.shapes.wilds))
    }

    /// Tries all intervals for this run and the next ones, beside what the runs before lack.
    fn run<const LEAVES: bool>(&mut self, index: usize, cost: Cost) {
        let shapes = self.shapes;
        let (law, plan) = (shapes.law, shapes.plan);
        let Some(&slot) = plan.runs.get(index) else { return self.groups::<LEAVES>(cost) };
        let (limit, least) = (slot.most_wilds(), self.least[index + 1]);
        let Some(sized) = self.lacking.iter().position(|lacking| lacking.size == slot.size) else { return };
        let after = (index > 0 && plan.runs[index - 1].same(slot)).then(|| self.runs[index - 1]);
        let window = (1u32 << slot.size) - 1;
        for suit in after.map_or(0, |after| after.suit)..law.suits {
            let lacking = self.lacking[sized].least[usize::from(suit)];
            if self.lacks::<LEAVES>(cost.with(lacking, limit), least) > self.room {
                continue;
            }
            let beside = self.runs.iter().any(|run| run.suit == suit);
            let first = after.filter(|after| after.suit == suit).map_or(law.first(), |after| after.low);
            for low in first..=lowest(law, slot.size) {
                let lacking = self.lacking[sized].at[usize::from(suit)][usize::from(low) % PLACES];
                if self.lacks::<LEAVES>(cost.with(lacking, limit), least) > self.room {
                    continue;
                }
                let open = window << low & !self.left.present[usize::from(suit)];
                let interval = Interval { suit, low, len: slot.size };
                if beside && !compatible(law, &self.runs, interval) {
                    continue;
                }
                self.cover::<LEAVES>(index, cost, interval, open);
                // Of what lies there, others may have better use for so many.
                let lacks = open.count_ones() as u8;
                if LEAVES && lacks <= limit {
                    self.leave(index, cost, interval, open, limit + 1 - lacks, low);
                }
            }
        }
    }

    /// Leaves naturals of a run, up to so many of those from this position on, to other melds.
    fn leave(&mut self, index: usize, cost: Cost, run: Interval, open: u32, most: u8, from: u8) {
        let lacks = cost.with(open.count_ones() as u8 + 1, self.shapes.plan.runs[index].most_wilds());
        if self.tries == 0 || self.lacks::<true>(lacks, self.least[index + 1]) > self.room {
            return;
        }
        for at in from..run.low + run.len {
            if open >> at & 1 == 0 {
                let open = open | 1 << at;
                self.cover::<true>(index, cost, run, open);
                if most > 1 {
                    self.leave(index, cost, run, open, most - 1, at + 1);
                }
            }
        }
    }

    /// A run that takes the naturals of its interval but those at the open positions, and then the other melds.
    fn cover<const LEAVES: bool>(&mut self, index: usize, cost: Cost, run: Interval, open: u32) {
        let (limit, least) = (self.shapes.plan.runs[index].most_wilds(), self.least[index + 1]);
        let lacks = open.count_ones() as u8;
        let cost = cost.with(lacks, limit);
        if self.tries == 0 || self.found && self.room == 0 || self.lacks::<LEAVES>(cost, least) > self.room {
            return;
        }
        self.tries -= 1;
        let before = self.left;
        let missing = self.faces(run.suit, open);
        self.left.open |= missing;
        if lacks > limit {
            self.left.over |= missing;
        }
        let taken = ((1 << run.len) - 1) << run.low & !open;
        if LEAVES && lacks < limit {
            self.left.eased |= self.faces(run.suit, taken);
        }
        self.take(run.suit, taken);
        self.runs.push(run);
        self.run::<LEAVES>(index + 1, cost);
        self.runs.pop();
        self.left = before;
    }

    /// The faces at such positions of a suit.
    fn faces(&self, suit: u8, positions: u32) -> u64 {
        let ranks = self.shapes.law.ranks;
        let ranks = positions & ((2 << ranks) - 1) | positions >> ranks & !1;
        u64::from(ranks) << (16 * suit)
    }

    /// A run takes the cards at these positions.
    #[inline]
    fn take(&mut self, suit: u8, mut positions: u32) {
        let ranks = self.shapes.law.ranks;
        while positions != 0 {
            let at = positions.trailing_zeros() as u8;
            positions &= positions - 1;
            let rank = if at > ranks { at - ranks } else { at };
            let face = usize::from(suit << 4 | rank);
            if self.left.more[0] >> face & 1 == 0 {
                self.left.present[usize::from(suit)] &= !(1 << rank | 1 << (rank + ranks));
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
    fn groups<const LEAVES: bool>(&mut self, mut cost: Cost) {
        let group = self.group;
        let mut wanted = self.shapes.plan.groups.len() as u8;
        let (mut least, mut taken) = (group, 0);
        while wanted > 0 {
            taken = if least == 0 { wanted } else { wanted.min(self.left.offers[usize::from(least)]) };
            let lacks = group - least;
            cost.missing += taken * lacks;
            cost.filled += taken * lacks.min(self.limit);
            wanted -= taken;
            if wanted > 0 {
                least -= 1;
            }
        }
        if self.lacks::<LEAVES>(cost, 0) > self.room {
            return;
        }
        if LEAVES && least == 0 && group > 0 && self.parts() {
            // Two groups of one rank may be better than one of none.
            self.tries = 0;
            return;
        }
        self.found = true;
        let wilds = self.shapes.wilds;
        // Where melds could hold more wilds than there are, any card that is missing helps, and one more wild; else those alone that are
        // missing from melds which lack more than wilds may fill.
        let wants_wilds = cost.filled > wilds;
        self.wants_wilds |= wants_wilds;
        self.helpful |= if wants_wilds { self.left.open | self.shapes.law.wild } else { self.left.over };
        let present =
            (0..4).fold(0, |all, suit| all | self.faces(suit, self.left.present[usize::from(suit)]));
        // A wild that lies nowhere can go, or take the place of a card in a meld that may hold one more.
        let idle = cost.filled < wilds;
        let left = if group == 0 {
            u64::MAX
        } else {
            let choice = taken < self.left.offers[usize::from(least)];
            self.grouped(Grouped { least, choice, wants_wilds, idle })
        };
        self.spare |= present & left;
        if idle {
            self.spare |= self.left.eased | self.shapes.law.wild;
        }
    }

    /// Notes the ranks that the groups lack. Gives the faces of the ranks that groups can leave cards of.
    #[inline]
    fn grouped(&mut self, groups: Grouped) -> u64 {
        let law = self.shapes.law;
        let Grouped { least, choice, wants_wilds, idle } = groups;
        let group = self.group;
        // Groups of so few naturals at most are missed for more than wilds may fill, and of so many at least could hold a wild more.
        let over = if wants_wilds { group } else { group - self.limit.min(group) };
        let eased = if idle { group + 1 - self.limit.min(group) } else { group + 1 };
        let (mut spare, mut open) = (0_u16, 0_u16);
        for rank in 1..=usize::from(law.ranks) {
            let held = self.left.total[rank];
            let (whole, rest) = self.offered(held);
            // Whether this rank offers to a group that is not whole, and may be the one.
            let offers = rest < over && (whole == 0 || !law.distinct_ranks);
            open |= u16::from(offers && rest >= least && least < group) << rank;
            let mut kept = if (least < group || !choice) && group < eased { whole * group } else { 0 };
            if (rest > least || rest == least && !choice) && rest < eased {
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
