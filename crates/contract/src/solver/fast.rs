//! S1, S2 and S6 for rules without exotic flags: a search over shapes instead of assignments.
//!
//! A *shape* says which ranks the groups have and which intervals the runs cover; which card lies where is left open.
//! There are few shapes, and most die at once, because the cards that are missing from them outnumber the wilds. For a
//! complete shape the cards are then given out: a natural that two melds could use is *contested*, and both ways are
//! tried; the rest is forced. In S2 wilds that are left over replace the cheapest naturals (or, where sizes are free,
//! join melds): how many go where is a small table, and the same table bounds the search.

mod look;

use super::{Counts, presence};
use crate::meld::{Kind, Law, Meld, Placed, Suits, Want};
use crate::options::{RunAce, WildBalance};
use arrayvec::ArrayVec;
use cards::{Face, list};
pub(super) use look::Look;

/// Slots of one kind at most.
const SLOTS: usize = 8;
/// Wilds in hand at most, plus one.
const WILDS: usize = 16;
/// What no shape is worth.
const NEVER: i32 = i32::MIN / 4;
/// Points are scaled so that the number of wilds breaks ties.
const SCALE: i32 = 64;

/// A slot, packed.
#[derive(Clone, Copy, Debug)]
struct Slot {
    size: u8,
    /// The most wilds the meld may hold.
    limit: u8,
    /// The fewest naturals.
    naturals: u8,
}

impl Slot {
    /// The most wilds that a meld of so many cards may hold.
    fn wilds_among(self, cards: u8) -> u8 {
        self.limit.min(cards.saturating_sub(self.naturals))
    }

    /// The same for a meld of just its size.
    fn most_wilds(self) -> u8 {
        self.wilds_among(self.size)
    }

    /// Whether two slots ask for the same.
    fn same(self, other: Slot) -> bool {
        (self.size, self.limit) == (other.size, other.limit)
    }
}

/// A run of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Interval {
    suit: u8,
    low: u8,
    len: u8,
}

/// Naturals of a meld and what it lacks, once cards are given out.
#[derive(Clone, Copy, Debug, Default)]
struct Dealt {
    /// One bit for each position of a run that a natural fills, from its lowest.
    naturals: u16,
}

/// The value of a meld by the number of wilds in it.
type Table = [i32; WILDS];

/// A contract, packed; made once for each round.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    runs: ArrayVec<Slot, SLOTS>,
    groups: ArrayVec<Slot, SLOTS>,
    pairs: [bool; SLOTS],
    /// Cards that must be in hand.
    pub need: usize,
    exact: bool,
    /// Whether one glance tells of most hands what they lack.
    pub at_once: bool,
}

impl Plan {
    /// The slots, runs first.
    fn each(&self) -> impl Iterator<Item = &Slot> {
        self.runs.iter().chain(&self.groups)
    }

    /// The plan of a contract; none where its rules are beyond this search.
    pub fn new(law: &Law, wants: &[Want]) -> Option<Plan> {
        let simple = law.ace != RunAce::Corner
            && law.wild_ends
            && law.wild_adjacent
            && !law.distinct_suits
            && !law.all
            && law.opening == 0
            && wants.len() <= SLOTS
            // A rank that lies in no meld leaves places that only wilds fill.
            && law.skips & !1 == 0
            && wants
                .iter()
                .all(|w| w.kind != Kind::Flush && w.suits == Suits::One && !w.distinct && w.rank == 0);
        let free = law.exact
            || law.gap == 0
                && law.overlap
                && law.per_suit == 255
                && law.group_max == 255
                && !law.keep_one
                && law.balance == WildBalance::None
                && !law.distinct_ranks;
        // Cards of one rank must cost the same: then it does not matter which of them a group takes.
        let even = (1..=law.ranks).all(|r| {
            (1..law.suits).all(|s| {
                let (one, other) = (Face::new(0, r), Face::new(s, r));
                law.values[one.index()] == law.values[other.index()] && law.is_wild(one) == law.is_wild(other)
            })
        });
        let positive = law.values.iter().all(|&v| v >= 0);
        let wild = |i: &usize| law.wild >> i & 1 != 0;
        let same_values = (0..Face::COUNT).filter(wild).all(|i| law.values[i] == law.wild_value());
        if !simple || !free || !even || !positive || !same_values {
            return None;
        }
        let slot = |w: &Want| Slot {
            size: w.size,
            limit: if law.exact {
                law.most_wilds(w, usize::from(w.size))
                    .min(usize::from(w.size.saturating_sub(law.min_naturals))) as u8
            } else {
                law.most_wilds(w, 200).min(200) as u8
            },
            naturals: law.min_naturals,
        };
        let mut runs: Vec<&Want> = wants.iter().filter(|w| w.kind == Kind::Run).collect();
        list::sort_by_key(&mut runs, |w| (std::cmp::Reverse(w.size), w.wilds));
        let mut groups: Vec<&Want> = wants.iter().filter(|w| w.kind != Kind::Run).collect();
        list::sort_by_key(&mut groups, |w| (std::cmp::Reverse(w.size), w.wilds, w.kind));
        let mut pairs = [false; SLOTS];
        for (i, w) in groups.iter().enumerate() {
            pairs[i] = w.kind == Kind::Pair;
        }
        let runs: ArrayVec<Slot, SLOTS> = runs.into_iter().map(slot).collect();
        let groups: ArrayVec<Slot, SLOTS> = groups.into_iter().map(slot).collect();
        Some(Plan {
            at_once: look::is_told_at_once(law, &runs, &groups),
            runs,
            groups,
            pairs,
            need: wants.iter().map(|w| usize::from(w.size)).sum::<usize>() + usize::from(law.keep_one),
            exact: law.exact,
        })
    }
}

/// A complete way to lay a contract: intervals with the positions that naturals fill, and groups with their naturals.
#[derive(Clone, Debug)]
pub(super) struct Witness {
    runs: ArrayVec<(Interval, Dealt), SLOTS>,
    /// Rank, and wilds that its groups hold in all.
    groups: ArrayVec<u8, SLOTS>,
    /// Wilds of each run and then of each distinct rank of groups.
    wilds: ArrayVec<u8, { 2 * SLOTS }>,
}

/// The search over the shapes of one hand.
pub(super) struct Shapes<'a> {
    law: &'a Law,
    plan: &'a Plan,
    hand: &'a Counts,
    /// Positions of each suit that a natural in hand could fill, and those that a natural not wild could.
    present: [u16; 4],
    plain: [u16; 4],
    /// Naturals of each rank.
    total: [u8; 16],
    /// Wild cards in hand.
    wilds: u8,
    /// Cards that may be missing (S6).
    spare: u8,
    /// Fewest cards that wilds must fill from this slot on, runs first.
    least: [u8; 2 * SLOTS + 1],
    runs: ArrayVec<Interval, SLOTS>,
    groups: ArrayVec<u8, SLOTS>,
    /// Steps left.
    pub budget: u64,
    /// The faces that would help, while they are gathered (S6).
    helpful: Option<u64>,
    /// S2: best worth of the slots from this one on, by the wilds they hold, and what this many of the dearest wilds are
    /// worth. Empty in S1.
    scores: Option<Box<Scores>>,
    /// The best found.
    pub best: Option<(i32, Witness)>,
}

/// The tables that S2 adds.
struct Scores {
    rest: [Table; 2 * SLOTS + 1],
    worth: Table,
    /// At most what the naturals of the whole contract are worth by the number of wilds in it.
    ceiling: Table,
    /// Candidate intervals for each run slot.
    candidates: Vec<(Slot, Vec<(Interval, Table)>)>,
}

impl<'a> Shapes<'a> {
    /// The search for this hand, with at most `spare` cards missing.
    pub fn new(law: &'a Law, plan: &'a Plan, hand: &'a Counts, spare: u8, budget: u64) -> Self {
        let present = presence(hand);
        let in_place = if law.natural_in_place { u64::MAX } else { !law.wild };
        let lanes = |set: u64| -> [u16; 4] {
            std::array::from_fn(|s| {
                let ranks = (set >> (16 * s)) as u16 & !1;
                let ace = ranks >> 1 & 1;
                let low = if law.first() == 1 { ranks } else { ranks & !2 };
                if law.last() > law.ranks { low | ace << (law.ranks + 1) } else { low }
            })
        };
        let mut sum = 0u128;
        for suit in 0..4 {
            let mut lane = [0; 16];
            lane.copy_from_slice(&hand[16 * suit..16 * suit + 16]);
            sum += u128::from_le_bytes(lane);
        }
        let mut total = sum.to_le_bytes();
        total[0] = 0;
        let mut wilds = if law.is_wild(Face::JOKER) { hand[0] } else { 0 };
        let mut others = law.wild & present & !1;
        while others != 0 {
            let i = others.trailing_zeros() as usize;
            wilds = wilds.saturating_add(hand[i]);
            if !law.natural_in_place {
                total[i & 15] -= hand[i];
            }
            others &= others - 1;
        }
        let mut shapes = Shapes {
            law,
            plan,
            hand,
            present: lanes(present & in_place),
            plain: lanes(present & !law.wild),
            total,
            wilds,
            spare,
            least: [0; 2 * SLOTS + 1],
            runs: ArrayVec::new(),
            groups: ArrayVec::new(),
            budget,
            helpful: None,
            scores: None,
            best: None,
        };
        shapes.bound();
        shapes
    }

    /// Whether more wilds than there are would be needed, whatever the shape.
    pub fn hopeless(&self) -> bool {
        self.least[0] > self.wilds.saturating_add(self.spare)
    }

    /// The number of slots.
    fn slots(&self) -> usize {
        self.plan.runs.len() + self.plan.groups.len()
    }

    /// Bounds from below the wilds that each slot needs, looking at each by itself.
    fn bound(&mut self) {
        let runs = self.plan.runs.len();
        let mut cost = [0u8; 2 * SLOTS];
        for (i, slot) in self.plan.runs.iter().enumerate() {
            cost[i] = if i > 0 && self.plan.runs[i - 1].size == slot.size {
                cost[i - 1]
            } else {
                slot.size - self.longest(slot.size)
            };
        }
        // Groups: the k-th best of the naturals that ranks offer to groups of this size.
        if !self.plan.groups.is_empty() {
            let mut offers = [0u8; 8];
            let size = self.plan.groups.last().map_or(0, |g| g.size);
            for rank in 1..=self.law.ranks {
                if self.law.is_wild(Face::new(0, rank)) {
                    continue;
                }
                let mut left = self.total[rank as usize];
                while left >= size {
                    offers[7.min(size as usize)] += 1;
                    left -= size;
                }
                offers[7.min(left as usize)] += 1;
            }
            let mut best = 7.min(size as usize);
            for i in 0..self.plan.groups.len() {
                while best > 0 && offers[best] == 0 {
                    best -= 1;
                }
                offers[best] = offers[best].saturating_sub(1);
                // A larger slot lacks at least what the smallest lacks. The cheapest come last: so what is bounded for
                // the last slots holds whatever those before have taken.
                let lacks = if size > 7 { 0 } else { size - (best as u8).min(size) };
                cost[runs + self.plan.groups.len() - 1 - i] = lacks;
            }
        }
        for i in (0..self.slots()).rev() {
            self.least[i] = self.least[i + 1] + cost[i];
        }
    }

    /// The most naturals in any interval of this length.
    fn longest(&self, size: u8) -> u8 {
        let window = (1u32 << size) - 1;
        let mut most = 0;
        for suit in 0..self.law.suits as usize {
            let set = u32::from(self.plain[suit]);
            if set.count_ones() <= u32::from(most) {
                continue;
            }
            for low in self.law.first()..=(self.law.last() + 1).saturating_sub(size) {
                most = most.max((set >> low & window).count_ones() as u8);
            }
        }
        most
    }

    /// S1 and S6: whether there is a shape that the hand fills, with at most `spare` cards missing.
    pub fn exists(&mut self) -> bool {
        if self.hopeless() {
            return false;
        }
        self.run_slot(0, 0)
    }

    /// Cards left for what is still to be chosen, after `cost` are used up.
    fn room(&self, cost: u8, next: usize) -> Option<u8> {
        (self.wilds + self.spare).checked_sub(cost)?.checked_sub(self.least[next])
    }

    fn run_slot(&mut self, index: usize, cost: u8) -> bool {
        let Some(&slot) = self.plan.runs.get(index) else { return self.group_slot(0, cost) };
        let (law, size) = (self.law, slot.size);
        let Some(room) = self.room(cost, index + 1) else { return false };
        let after = (index > 0 && self.plan.runs[index - 1].same(slot)).then(|| self.runs[index - 1]);
        let window = (1u32 << size) - 1;
        for suit in after.map_or(0, |a| a.suit)..law.suits {
            let set = u32::from(self.plain[suit as usize]);
            if size > room && (set.count_ones() as u8) < size - room {
                continue;
            }
            let first = after.filter(|a| a.suit == suit).map_or(law.first(), |a| a.low);
            for low in first..=(law.last() + 1).saturating_sub(size) {
                let lacks = size - (set >> low & window).count_ones() as u8;
                if lacks > room {
                    continue;
                }
                let interval = Interval { suit, low, len: size };
                if !compatible(self.law, &self.runs, interval) {
                    continue;
                }
                if self.budget == 0 {
                    return false;
                }
                self.budget -= 1;
                self.runs.push(interval);
                let found = self.run_slot(index + 1, cost + lacks);
                self.runs.pop();
                if found {
                    return true;
                }
            }
        }
        false
    }

    fn group_slot(&mut self, index: usize, cost: u8) -> bool {
        let Some(&slot) = self.plan.groups.get(index) else { return self.resolve() };
        let law = self.law;
        let Some(room) = self.room(cost, self.plan.runs.len() + index + 1) else { return false };
        let equal = index > 0 && self.plan.groups[index - 1].same(slot);
        let first = if equal { self.groups[index - 1] } else { 1 };
        for rank in first..=law.ranks {
            let Some(lacks) = self.group_lacks(rank, slot).filter(|&l| l <= room) else { continue };
            if self.budget == 0 {
                return false;
            }
            self.budget -= 1;
            self.groups.push(rank);
            let found = self.group_slot(index + 1, cost + lacks);
            self.groups.pop();
            if found {
                return true;
            }
        }
        false
    }

    /// How many wilds (or spare cards) a group of this rank takes at least, after those chosen; none if it may not be.
    fn group_lacks(&self, rank: u8, slot: Slot) -> Option<u8> {
        let law = self.law;
        let mut before = 0;
        for (i, _) in self.groups.iter().enumerate().filter(|&(_, &r)| r == rank) {
            if law.distinct_ranks {
                return None;
            }
            before += self.plan.groups[i].size;
        }
        if law.is_wild(Face::new(0, rank)) {
            return Some(slot.size);
        }
        // What the groups of this rank lack in all, less what those before were counted to lack.
        let held = self.total[rank as usize];
        let lacks = |size: u8| size.saturating_sub(held);
        Some(lacks(before + slot.size) - lacks(before))
    }

    /// A complete shape: gives the cards out. In S1 tells whether that can be done; in S2 keeps the best.
    fn resolve(&mut self) -> bool {
        let law = self.law;
        let mut deal = Deal {
            held: *self.hand,
            left: self.total,
            pool: i16::from(self.wilds) + i16::from(self.spare),
            spare: i16::from(self.spare),
            in_place: 0,
            contested: 0,
            by_groups: [0; 16],
            dealt: ArrayVec::new(),
        };
        for (&rank, slot) in self.groups.iter().zip(&self.plan.groups) {
            deal.by_groups[rank as usize] += slot.size;
        }
        // What the runs would take of each face if each took all it can, and what is then short.
        let mut demand = [0u8; Face::COUNT];
        for run in &self.runs {
            let mut naturals = u32::from(self.present[run.suit as usize]) >> run.low & ((1 << run.len) - 1);
            deal.dealt.push(Dealt { naturals: naturals as u16 });
            while naturals != 0 {
                let rank = law.rank_at(run.low + naturals.trailing_zeros() as u8);
                let i = Face::new(run.suit, rank).index();
                demand[i] += 1;
                if demand[i] > self.hand[i] {
                    deal.contested |= 1 << i;
                } else {
                    deal.left[rank as usize] -= 1;
                }
                naturals &= naturals - 1;
            }
        }
        for &rank in &self.groups {
            let rank = rank as usize;
            if deal.left[rank] < deal.by_groups[rank] && deal.left[rank] < self.total[rank] {
                for suit in 0..usize::from(law.suits) {
                    deal.contested |= u64::from(demand[suit << 4 | rank] > 0) << (suit << 4 | rank);
                }
            }
        }
        if deal.contested != 0 {
            deal.left = self.total;
            deal.dealt.clear();
            return self.give_run(&mut deal, 0);
        }
        // Nothing is contested: everybody takes what there is.
        for (i, (run, slot)) in self.runs.iter().zip(&self.plan.runs).enumerate() {
            let naturals = deal.dealt[i].naturals;
            let lacking = run.len - naturals.count_ones() as u8;
            let plain = u32::from(self.plain[run.suit as usize]) >> run.low & u32::from(naturals);
            let in_place = naturals.count_ones() as u8 - plain.count_ones() as u8;
            let limit = slot.wilds_among(run.len);
            deal.spare -= i16::from(lacking.saturating_sub(limit));
            deal.pool -= i16::from(lacking + in_place);
            deal.in_place += in_place;
        }
        deal.pool >= 0 && deal.spare >= 0 && self.give_groups(&mut deal)
    }

    /// Whether the card may stand for itself.
    fn natural(&self, index: usize) -> bool {
        self.law.natural_in_place || self.law.wild >> index & 1 == 0
    }

    /// Gives cards to the run `index` and those after it, then to the groups.
    fn give_run(&mut self, deal: &mut Deal, index: usize) -> bool {
        if index == self.runs.len() {
            return self.give_groups(deal);
        }
        deal.dealt.push(Dealt::default());
        let found = self.give_position(deal, index, 0, 0);
        deal.dealt.pop();
        found
    }

    fn give_position(&mut self, deal: &mut Deal, index: usize, at: u8, lacking: u8) -> bool {
        let run = self.runs[index];
        let slot = self.plan.runs[index];
        if at == run.len {
            // Beyond its limit a meld lacks cards that no wild may fill.
            let limit = slot.wilds_among(run.len);
            let missing = i16::from(lacking.saturating_sub(limit));
            if missing > deal.spare {
                return false;
            }
            deal.spare -= missing;
            let found = self.give_run(deal, index + 1);
            deal.spare += missing;
            return found;
        }
        if self.budget == 0 {
            return false;
        }
        self.budget -= 1;
        let rank = self.law.rank_at(run.low + at);
        let face = Face::new(run.suit, rank);
        let i = face.index();
        let wild = self.law.is_wild(face);
        if deal.held[i] > 0 && self.natural(i) && (!wild || deal.pool > 0) {
            deal.held[i] -= 1;
            deal.left[rank as usize] -= 1;
            deal.pool -= i16::from(wild);
            deal.in_place += u8::from(wild);
            deal.dealt[index].naturals |= 1 << at;
            let found = self.give_position(deal, index, at + 1, lacking);
            deal.dealt[index].naturals &= !(1 << at);
            deal.in_place -= u8::from(wild);
            deal.pool += i16::from(wild);
            deal.left[rank as usize] += 1;
            deal.held[i] += 1;
            if found || deal.contested >> i & 1 == 0 {
                return found;
            }
        }
        if deal.pool == 0 {
            return false;
        }
        deal.pool -= 1;
        let found = self.give_position(deal, index, at + 1, lacking + 1);
        deal.pool += 1;
        found
    }

    fn give_groups(&mut self, deal: &mut Deal) -> bool {
        let mut pool = deal.pool;
        let mut spare = deal.spare;
        for rank in 1..=self.law.ranks {
            let wanted = deal.by_groups[rank as usize];
            if wanted == 0 {
                continue;
            }
            let naturals = deal.left[rank as usize].min(wanted);
            let lacking = wanted - naturals;
            let limit = self.limit_of_rank(rank);
            let missing = i16::from(lacking.saturating_sub(limit));
            spare -= missing;
            pool -= i16::from(lacking);
            if self.law.is_wild(Face::new(0, rank)) {
                pool -= i16::from(naturals);
            }
        }
        if pool < 0 || spare < 0 {
            return false;
        }
        if let Some(faces) = self.helpful {
            self.helpful = Some(faces | self.helps(deal, pool, spare));
            return false;
        }
        if self.scores.is_none() {
            return true;
        }
        self.score(deal);
        false
    }

    /// The faces of which one more would fill a place of this shape, with what is left of the pool and of the cards that
    /// may be missing.
    fn helps(&self, deal: &Deal, pool: i16, spare: i16) -> u64 {
        let law = self.law;
        // Fewer cards are missing from the shape than from the hand: any card will do.
        if pool > 0 && spare > 0 {
            return u64::MAX;
        }
        let mut faces = if spare > 0 { law.wild } else { 0 };
        // A meld that lacks more than wilds may fill needs naturals; where there are too few wilds, any place will do.
        for ((run, dealt), slot) in self.runs.iter().zip(&deal.dealt).zip(&self.plan.runs) {
            let lacking = run.len - dealt.naturals.count_ones() as u8;
            if spare == 0 && lacking <= slot.wilds_among(run.len) {
                continue;
            }
            for at in (0..run.len).filter(|at| dealt.naturals >> at & 1 == 0) {
                faces |= 1 << Face::new(run.suit, law.rank_at(run.low + at)).index();
            }
        }
        for &rank in &self.groups {
            let lacking = deal.by_groups[rank as usize].saturating_sub(deal.left[rank as usize]);
            if lacking > 0 && (spare > 0 || lacking > self.limit_of_rank(rank)) {
                (0..law.suits).for_each(|suit| faces |= 1 << Face::new(suit, rank).index());
            }
        }
        faces
    }

    /// S6: the faces of which one more brings a hand nearer that is `spare` cards away.
    pub fn helpful(&mut self) -> u64 {
        self.helpful = Some(0);
        self.exists();
        self.helpful.take().unwrap_or(0)
    }

    /// The most cards that the groups of a rank may lack together: what wilds may fill.
    fn limit_of_rank(&self, rank: u8) -> u8 {
        let slots = || self.groups.iter().zip(&self.plan.groups).filter(|&(&r, _)| r == rank).map(|(_, s)| s);
        let by_size = slots().map(|s| s.size.saturating_sub(s.naturals)).sum::<u8>();
        let by_limit = slots().fold(0u8, |sum, s| sum.saturating_add(s.limit));
        by_limit.min(by_size)
    }
}

/// S2: the search for the best shape.
impl Shapes<'_> {
    /// Finds the assignment that leaves the fewest points, then uses the fewest wilds. Wilds in hand must be fewer than
    /// [`WILDS`].
    pub fn optimise(&mut self) {
        if self.hopeless() {
            return;
        }
        let law = self.law;
        let mut worth = [NEVER; WILDS];
        for (k, worth) in worth.iter_mut().enumerate().take(usize::from(self.wilds) + 1) {
            *worth = k as i32 * (i32::from(law.wild_value()) * SCALE - 1);
        }
        let mut candidates: Vec<(Slot, Vec<(Interval, Table)>)> = Vec::new();
        for slot in &self.plan.runs {
            if candidates.iter().all(|(known, _)| !known.same(*slot)) {
                candidates.push((*slot, self.candidates(*slot)));
            }
        }
        let runs = self.plan.runs.len();
        let mut rest = [[NEVER; WILDS]; 2 * SLOTS + 1];
        rest[self.slots()][0] = 0;
        for i in (0..self.slots()).rev() {
            let mut best = [NEVER; WILDS];
            let mut take = |table: &Table| {
                for (best, &one) in best.iter_mut().zip(table) {
                    *best = (*best).max(one);
                }
            };
            match self.plan.runs.get(i) {
                Some(slot) => {
                    let list = candidates.iter().find(|(known, _)| known.same(*slot));
                    list.into_iter().flat_map(|(_, list)| list).for_each(|(_, table)| take(table));
                }
                None => {
                    let slot = self.plan.groups[i - runs];
                    (1..=law.ranks).for_each(|rank| take(&self.group_table(rank, slot, 0)));
                }
            }
            rest[i] = join(&best, &rest[i + 1]);
        }
        let ceiling = self.ceiling();
        self.scores = Some(Box::new(Scores { rest, worth, ceiling, candidates }));
        let mut start = [NEVER; WILDS];
        start[0] = 0;
        self.best_run(0, 0, &start);
    }

    /// At most what the naturals of the whole contract are worth by the number of wilds in it: where its size is fixed, the
    /// dearest cards that could fill the other places.
    fn ceiling(&self) -> Table {
        let law = self.law;
        let mut ceiling = [i32::MAX / 4; WILDS];
        if !self.plan.exact {
            return ceiling;
        }
        let places: usize = self.plan.each().map(|slot| usize::from(slot.size)).sum();
        let values = |wild: bool| {
            (1..Face::COUNT).filter(move |&i| (law.wild >> i & 1 != 0) == wild).flat_map(|i| {
                std::iter::repeat_n(i32::from(law.values[i]) * SCALE, usize::from(self.hand[i]))
            })
        };
        let in_place: Vec<i32> = if law.natural_in_place { values(true).collect() } else { Vec::new() };
        for (k, ceiling) in ceiling.iter_mut().enumerate().take(usize::from(self.wilds) + 1) {
            // Who is wild in one place is no natural in another.
            let free = in_place.len().min(usize::from(self.wilds) - k);
            let mut cards: Vec<i32> = values(false).chain(in_place.iter().copied().take(free)).collect();
            list::sort_by_key(&mut cards, |&value| std::cmp::Reverse(value));
            *ceiling = cards.iter().take(places.saturating_sub(k)).sum();
        }
        ceiling
    }

    /// Whether a beginning with this table can still beat the best.
    fn promising(&self, table: &Table, next: usize) -> bool {
        let Some(scores) = &self.scores else { return false };
        let floor = self.best.as_ref().map_or(NEVER / 2, |(score, _)| *score);
        let rest = &scores.rest[next];
        let most = usize::from(self.wilds);
        (0..=most).any(|a| {
            table[a] > NEVER / 2
                && (0..=most - a).any(|b| {
                    let naturals = (table[a] + rest[b]).min(scores.ceiling[a + b]);
                    rest[b] > NEVER / 2 && naturals + scores.worth[a + b] > floor
                })
        })
    }

    /// The intervals that a run slot may cover, dearest first, with their worth by the wilds in them.
    fn candidates(&self, slot: Slot) -> Vec<(Interval, Table)> {
        let law = self.law;
        let mut list = Vec::new();
        for suit in 0..law.suits {
            let set = self.present[suit as usize];
            let plain = self.plain[suit as usize];
            for low in law.first()..=(law.last() + 1).saturating_sub(slot.size) {
                let longest = if self.plan.exact { slot.size } else { law.run_max.min(law.last() + 1 - low) };
                for len in slot.size..=longest {
                    let high = low + len - 1;
                    let ends = set >> low & 1 != 0 && set >> high & 1 != 0;
                    if len > slot.size && !ends {
                        continue;
                    }
                    let window = ((1u32 << len) - 1) << low;
                    if u32::from(len) - (u32::from(plain) & window).count_ones() > u32::from(self.wilds) {
                        continue;
                    }
                    let interval = Interval { suit, low, len };
                    let naturals = (u32::from(set) & window) >> low;
                    let table = self.run_table(interval, slot, naturals as u16);
                    if table.iter().any(|&v| v > NEVER / 2) {
                        list.push((interval, table));
                    }
                }
            }
        }
        list::sort_by_key(&mut list, |(_, table)| std::cmp::Reverse(table.iter().copied().max()));
        list
    }

    /// What a run with these naturals is worth by the number of wilds in it, the wilds themselves not counted.
    fn run_table(&self, run: Interval, slot: Slot, naturals: u16) -> Table {
        let law = self.law;
        let mut table = [NEVER; WILDS];
        let held = naturals.count_ones() as u8;
        let lacking = run.len - held;
        let room = if self.plan.exact { 0 } else { law.run_max.min(law.last() + 1 - law.first()) - run.len };
        let (all, mut droppable) = self.values(run, naturals);
        list::sort(&mut droppable);
        let mut worth = all;
        let mut dropped = 0usize;
        for wilds in lacking..=slot.limit.min(self.wilds).min(WILDS as u8 - 1) {
            let extra = wilds - lacking;
            if extra > room {
                // No place is left: the wild takes that of the cheapest natural.
                let Some(&cheapest) = droppable.get(dropped) else { break };
                if held - dropped as u8 <= slot.naturals {
                    break;
                }
                worth -= cheapest;
                dropped += 1;
            }
            if held - (dropped as u8) < slot.naturals {
                break;
            }
            table[usize::from(wilds)] = worth;
        }
        table
    }

    /// What the naturals of a run are worth in all, and each that a wild could replace.
    fn values(&self, run: Interval, naturals: u16) -> (i32, ArrayVec<i32, 16>) {
        let mut all = 0;
        let mut droppable = ArrayVec::new();
        for at in (0..run.len).filter(|at| naturals >> at & 1 != 0) {
            let face = Face::new(run.suit, self.law.rank_at(run.low + at));
            let value = i32::from(self.law.values[face.index()]) * SCALE;
            all += value;
            if !self.law.is_wild(face) {
                droppable.push(value);
            }
        }
        (all, droppable)
    }

    /// At most what one more group of this rank is worth by the wilds in it, when groups of `before` cards of this rank
    /// were chosen. An upper bound where cards are contested.
    fn group_table(&self, rank: u8, slot: Slot, before: u8) -> Table {
        let mut table = [NEVER; WILDS];
        let held = self.total[rank as usize].saturating_sub(before);
        let value = i32::from(self.law.values[Face::new(0, rank).index()]) * SCALE;
        let most = slot.limit.min(self.wilds).min(WILDS as u8 - 1);
        for wilds in slot.size.saturating_sub(held)..=most {
            if self.plan.exact && wilds > slot.size {
                break;
            }
            let naturals = if self.plan.exact { slot.size - wilds } else { held };
            table[usize::from(wilds)] = i32::from(naturals) * value;
        }
        table
    }

    fn best_run(&mut self, index: usize, start: usize, before: &Table) {
        let Some(&slot) = self.plan.runs.get(index) else { return self.best_group(0, before) };
        let again = |shapes: &Self| shapes.plan.runs.get(index + 1).is_some_and(|next| next.same(slot));
        let mut at = start;
        while let Some(&(interval, table)) = self
            .scores
            .as_ref()
            .and_then(|s| s.candidates.iter().find(|(known, _)| known.same(slot)))
            .and_then(|(_, list)| list.get(at))
        {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            if compatible(self.law, &self.runs, interval) {
                let table = join(before, &table);
                if self.promising(&table, index + 1) {
                    self.runs.push(interval);
                    self.best_run(index + 1, if again(self) { at } else { 0 }, &table);
                    self.runs.pop();
                }
            }
            at += 1;
        }
    }

    fn best_group(&mut self, index: usize, before: &Table) {
        let Some(&slot) = self.plan.groups.get(index) else {
            self.resolve();
            return;
        };
        let law = self.law;
        let equal = index > 0
            && self.plan.groups[index - 1].same(slot)
            && self.plan.pairs[index - 1] == self.plan.pairs[index];
        // Dear ranks first: kings down to twos, and the ace where its value puts it.
        let first = if equal { self.order_of(self.groups[index - 1]) } else { 0 };
        for at in first..law.ranks {
            let rank = self.rank_in_order(at);
            if self.group_lacks(rank, slot).is_none() {
                continue;
            }
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            let kept: u8 = self
                .groups
                .iter()
                .zip(&self.plan.groups)
                .filter(|&(&r, _)| r == rank)
                .map(|(_, s)| if self.plan.exact { s.size.saturating_sub(s.limit) } else { 0 })
                .sum();
            let table = join(before, &self.group_table(rank, slot, kept));
            if self.promising(&table, self.plan.runs.len() + index + 1) {
                self.groups.push(rank);
                self.best_group(index + 1, &table);
                self.groups.pop();
            }
        }
    }

    fn rank_in_order(&self, at: u8) -> u8 {
        if at == 0 { 1 } else { self.law.ranks + 1 - at }
    }

    fn order_of(&self, rank: u8) -> u8 {
        if rank == 1 { 0 } else { self.law.ranks + 1 - rank }
    }

    /// What a complete shape with its cards given out is worth; keeps it if it is the best.
    fn score(&mut self, deal: &Deal) {
        let law = self.law;
        let mut tables: ArrayVec<Table, { 2 * SLOTS }> = ArrayVec::new();
        for (i, &run) in self.runs.iter().enumerate() {
            tables.push(self.run_table(run, self.plan.runs[i], deal.dealt[i].naturals));
        }
        let mut in_place = deal.in_place;
        for rank in 1..=law.ranks {
            let wanted = deal.by_groups[rank as usize];
            if wanted == 0 {
                continue;
            }
            let held = deal.left[rank as usize];
            let value = i32::from(law.values[Face::new(0, rank).index()]) * SCALE;
            let lacking = wanted.saturating_sub(held);
            let mut table = [NEVER; WILDS];
            let wild = law.is_wild(Face::new(0, rank));
            let slots =
                || self.groups.iter().zip(&self.plan.groups).filter(|&(&r, _)| r == rank).map(|(_, s)| s);
            let cap = slots().fold(0u8, |sum, s| sum.saturating_add(s.limit));
            let naturals = if self.plan.exact { wanted - lacking } else { held };
            if wild {
                in_place += naturals;
            }
            let least: u8 = slots().map(|s| s.naturals).sum();
            for wilds in lacking..=cap.min(self.wilds).min(WILDS as u8 - 1) {
                let naturals = if self.plan.exact { wanted.saturating_sub(wilds) } else { naturals };
                // Wilds in their own place are not replaced by others of the same worth.
                if naturals < least || self.plan.exact && (wilds > wanted || wild && wilds > lacking) {
                    break;
                }
                table[usize::from(wilds)] = i32::from(naturals) * value;
            }
            tables.push(table);
        }
        let Some(free) = self.wilds.checked_sub(in_place) else { return };
        let mut sums: ArrayVec<Table, { 2 * SLOTS + 1 }> = ArrayVec::new();
        let mut sum = [NEVER; WILDS];
        sum[0] = 0;
        sums.push(sum);
        for table in &tables {
            sum = join(&sum, table);
            sums.push(sum);
        }
        let Some(scores) = &self.scores else { return };
        let Some((used, score)) = (0..=usize::from(free))
            .filter(|&w| sum[w] > NEVER / 2)
            .map(|w| (w, sum[w] + scores.worth[w]))
            .max_by_key(|&(w, score)| (score, std::cmp::Reverse(w)))
        else {
            return;
        };
        if self.best.as_ref().is_some_and(|(best, _)| *best >= score) {
            return;
        }
        // Which meld holds how many wilds: back through the sums.
        let mut wilds: ArrayVec<u8, { 2 * SLOTS }> = ArrayVec::new();
        let mut left = used;
        for i in (0..tables.len()).rev() {
            let here = (0..=left)
                .find(|&w| {
                    tables[i][w] > NEVER / 2
                        && sums[i][left - w] > NEVER / 2
                        && tables[i][w] + sums[i][left - w] == sums[i + 1][left]
                })
                .unwrap_or(0);
            wilds.push(here as u8);
            left -= here;
        }
        wilds.reverse();
        let runs = self.runs.iter().copied().zip(deal.dealt.iter().copied()).collect();
        self.best = Some((score, Witness { runs, groups: self.groups.clone(), wilds }));
    }

    /// The melds of the best assignment, runs first.
    pub fn melds(&self) -> Option<Vec<Meld>> {
        let (_, witness) = self.best.as_ref()?;
        Some(self.build(witness))
    }

    /// Lays out a witness as melds, with the cards that it leaves open: naturals of a group by suit, jokers before other
    /// wilds.
    fn build(&self, witness: &Witness) -> Vec<Meld> {
        let mut layout = Layout { hand: *self.hand, melds: Vec::new(), open: Vec::new() };
        // Naturals first, so that wilds in their own place are not used up elsewhere.
        for (&(run, dealt), &wilds) in witness.runs.iter().zip(&witness.wilds) {
            self.lay_run(&mut layout, run, dealt, wilds);
        }
        let mut ranks: Vec<u8> = witness.groups.to_vec();
        list::sort(&mut ranks);
        ranks.dedup();
        for (n, &rank) in ranks.iter().enumerate() {
            self.lay_groups(&mut layout, witness, rank, witness.wilds[witness.runs.len() + n]);
        }
        self.fill_open(&mut layout);
        let mut melds = layout.melds;
        for meld in melds.iter_mut().filter(|m| !m.is_run()) {
            list::sort_by_key(&mut meld.cards, |&c| (self.law.counts_as_wild(c), c.card));
        }
        melds
    }

    /// Lays a run, with so many wilds in places that are still open.
    fn lay_run(&self, layout: &mut Layout, run: Interval, dealt: Dealt, wilds: u8) {
        let law = self.law;
        let mut naturals = dealt.naturals;
        let (mut low, mut len) = (run.low, run.len);
        let mut extra = wilds - (run.len - naturals.count_ones() as u8);
        // Spare wilds: beyond the high end, beyond the low end, or for the cheapest naturals.
        while extra > 0 && !self.plan.exact && len < law.run_max && low + len <= law.last() {
            len += 1;
            extra -= 1;
        }
        while extra > 0 && !self.plan.exact && len < law.run_max && low > law.first() {
            low -= 1;
            len += 1;
            naturals <<= 1;
            extra -= 1;
        }
        while extra > 0 {
            let cheapest = (0..len)
                .filter(|at| naturals >> at & 1 != 0)
                .filter(|at| !law.is_wild(Face::new(run.suit, law.rank_at(low + at))))
                .min_by_key(|at| law.values[Face::new(run.suit, law.rank_at(low + at)).index()]);
            let Some(at) = cheapest else { break };
            naturals &= !(1 << at);
            extra -= 1;
        }
        let cards = (0..len)
            .map(|at| {
                let stands = Face::new(run.suit, law.rank_at(low + at));
                if naturals >> at & 1 != 0 {
                    layout.hand[stands.index()] -= 1;
                    Placed { card: stands, stands }
                } else {
                    layout.open.push((layout.melds.len(), usize::from(at)));
                    Placed { card: Face::JOKER, stands }
                }
            })
            .collect();
        layout.melds.push(Meld { kind: Kind::Run, suits: Suits::One, low, cards });
    }

    /// Lays the groups of a rank, with so many wilds in places that are still open.
    fn lay_groups(&self, layout: &mut Layout, witness: &Witness, rank: u8, wilds: u8) {
        let law = self.law;
        let slots: Vec<usize> = (0..witness.groups.len()).filter(|&i| witness.groups[i] == rank).collect();
        let held: u8 = (0..law.suits).map(|s| layout.hand[Face::new(s, rank).index()]).sum();
        let held = if self.natural(Face::new(0, rank).index()) { held } else { 0 };
        for (&i, (naturals, wilds)) in slots.iter().zip(self.split(&slots, held, wilds)) {
            let mut cards: Vec<Placed> = Vec::new();
            for suit in 0..law.suits {
                let face = Face::new(suit, rank);
                while cards.len() < usize::from(naturals) && layout.hand[face.index()] > 0 {
                    layout.hand[face.index()] -= 1;
                    cards.push(Placed { card: face, stands: face });
                }
            }
            for _ in 0..wilds {
                layout.open.push((layout.melds.len(), cards.len()));
                cards.push(law.in_group(Face::JOKER, rank));
            }
            let kind = if self.plan.pairs[i] { Kind::Pair } else { Kind::Group };
            layout.melds.push(Meld { kind, suits: Suits::One, low: rank, cards });
        }
    }

    /// How many naturals and wilds each group of one rank holds.
    fn split(&self, slots: &[usize], held: u8, mut wilds: u8) -> Vec<(u8, u8)> {
        let slot = |i: usize| &self.plan.groups[i];
        let mut split: Vec<(u8, u8)> = Vec::new();
        if self.plan.exact {
            for slot in slots.iter().map(|&i| slot(i)) {
                let here = wilds.min(slot.limit).min(slot.size - slot.naturals.min(slot.size));
                wilds -= here;
                split.push((slot.size - here, here));
            }
            return split;
        }
        let mut left = held;
        for slot in slots.iter().map(|&i| slot(i)) {
            let here = slot.naturals.min(left);
            left -= here;
            split.push((here, 0));
        }
        for (part, &i) in split.iter_mut().zip(slots) {
            let here = left.min(slot(i).size.saturating_sub(part.0));
            part.0 += here;
            left -= here;
        }
        split[0].0 += left;
        for (part, &i) in split.iter_mut().zip(slots) {
            let here = wilds.min(slot(i).size.saturating_sub(part.0)).min(slot(i).limit);
            part.1 += here;
            wilds -= here;
        }
        for (part, &i) in split.iter_mut().zip(slots) {
            let here = wilds.min(slot(i).limit - part.1);
            part.1 += here;
            wilds -= here;
        }
        split
    }

    /// The wilds: jokers first. One that would stand for itself elsewhere is taken last, so that it counts as told.
    fn fill_open(&self, Layout { hand, melds, open }: &mut Layout) {
        let law = self.law;
        for &mut (meld, at) in open {
            let place = melds[meld].cards[at];
            let rank = melds[meld].low;
            let group = !melds[meld].is_run();
            let itself = |f: Face| if group { f.rank() == rank } else { f == place.stands };
            let mut wilds = (0..Face::COUNT)
                .filter(|&i| law.wild >> i & 1 != 0 && hand[i] > 0)
                .filter_map(Face::from_index)
                .collect::<ArrayVec<Face, 64>>();
            list::sort_by_key(&mut wilds, |&f| itself(f));
            if let Some(&card) = wilds.first() {
                hand[card.index()] -= 1;
                melds[meld].cards[at] =
                    if group { law.in_group(card, rank) } else { Placed { card, stands: place.stands } };
            }
        }
    }
}

impl Law {
    /// What the first of the wild cards costs: each of them, where all cost the same.
    fn wild_value(&self) -> i16 {
        self.values.get(self.wild.trailing_zeros() as usize).copied().unwrap_or(0)
    }
}

/// Melds being laid out.
struct Layout {
    /// What is left in hand.
    hand: Counts,
    melds: Vec<Meld>,
    /// Places that wilds are to take, by meld and card.
    open: Vec<(usize, usize)>,
}

/// The best of two tables together, by the wilds in both.
fn join(one: &Table, two: &Table) -> Table {
    let mut sum = [NEVER; WILDS];
    for (a, &x) in one.iter().enumerate().filter(|&(_, &x)| x > NEVER / 2) {
        for (sum, &y) in sum[a..].iter_mut().zip(two) {
            if y > NEVER / 2 {
                *sum = (*sum).max(x + y);
            }
        }
    }
    sum
}

/// Cards being given out to a shape.
struct Deal {
    /// Naturals not yet given, by face and by rank.
    held: Counts,
    left: [u8; 16],
    /// Wild cards, and cards that may be missing, not yet used.
    pool: i16,
    /// Of these, how many may still be missing.
    spare: i16,
    /// Wild cards that lie in their own place in runs.
    in_place: u8,
    /// Naturals that more melds want than there are copies.
    contested: u64,
    by_groups: [u8; 16],
    dealt: ArrayVec<Dealt, SLOTS>,
}

/// Whether a run may stand beside those chosen.
fn compatible(law: &Law, chosen: &[Interval], one: Interval) -> bool {
    let mut same = 0;
    for other in chosen.iter().filter(|other| other.suit == one.suit) {
        same += 1;
        if !beside(law, (one.low, one.len), (other.low, other.len)) || same >= law.per_suit {
            return false;
        }
    }
    true
}

/// Whether two runs may lie in one suit, each told by its lowest position and its cards.
pub(super) fn beside(law: &Law, one: (u8, u8), other: (u8, u8)) -> bool {
    let (low, high) = if one.0 <= other.0 { (one, other) } else { (other, one) };
    high.0.checked_sub(low.0 + low.1).map_or(law.overlap, |ranks| ranks >= law.gap)
}
