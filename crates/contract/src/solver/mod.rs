//! The exact meld solver (section 6 of the rulebook).
//!
//! A hand is a table of counts, one for each face. All answers obey the same [`Law`] that judges commands, and are exact
//! unless they say that they were cut short by the budget.

mod every;
mod fast;
mod flow;
mod lack;
mod layoff;
mod need;
#[cfg(test)]
mod tests;
mod whole;

use crate::meld::{DeclaredCard, DeclaredMeld, Kind, Law, Meld, Want};
use cards::{Face, list};
use every::{Every, Found};
use fast::{Plan, Shapes};

pub use layoff::{Play, Rights, Shed, fitting, shed, without};
pub use need::{Gauge, Need, is_fast};
pub use whole::Whole;

/// How many cards of each face, by [`Face::index`].
pub type Counts = [u8; Face::COUNT];

/// The counts of a list of cards.
#[must_use]
pub fn counts_of(cards: impl IntoIterator<Item = Face>) -> Counts {
    let mut counts = [0; Face::COUNT];
    for card in cards {
        counts[card.index()] += 1;
    }
    counts
}

/// How many cards that are.
#[must_use]
pub fn size(counts: &Counts) -> usize {
    const EVEN: u64 = 0x00ff_00ff_00ff_00ff;
    let mut sums = 0_u64;
    for chunk in counts.as_chunks::<8>().0 {
        let eight = u64::from_le_bytes(*chunk);
        sums += (eight & EVEN) + (eight >> 8 & EVEN);
    }
    // Four sums of 16 bits each, added up in the highest.
    (sums.wrapping_mul(0x0001_0001_0001_0001) >> 48) as usize
}

/// The faces that there are, a bit each.
#[must_use]
pub fn presence(counts: &Counts) -> u64 {
    let mut set = 0u64;
    for (i, chunk) in counts.as_chunks::<8>().0.iter().enumerate() {
        let x = u64::from_le_bytes(*chunk);
        // High bit of each byte that is not zero, gathered into one byte.
        let some = (((x & 0x7f7f_7f7f_7f7f_7f7f) + 0x7f7f_7f7f_7f7f_7f7f) | x) & 0x8080_8080_8080_8080;
        set |= ((some >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i);
    }
    set
}

/// The cards of a table of counts: naturals by face, jokers last.
#[must_use]
pub fn cards_of(counts: &Counts) -> Vec<Face> {
    let faces = (1..Face::COUNT).chain([0]).filter_map(Face::from_index);
    faces.flat_map(|f| std::iter::repeat_n(f, usize::from(counts[f.index()]))).collect()
}

/// One way to lay a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The melds, in the order of the contract's slots.
    pub melds: Vec<Meld>,
    /// What stays in hand.
    pub left: Counts,
    /// What that costs.
    pub points: i32,
    /// Wilds used as wilds.
    pub wilds: usize,
}

impl Answer {
    /// What makes one answer better than another: fewer points left, then fewer wilds used, then the melds in canonical
    /// order, slot by slot.
    fn key(&self) -> (i32, usize, &[Meld]) {
        (self.points, self.wilds, &self.melds)
    }
}

/// The best answer, and whether the search was cut short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Best {
    /// None if the contract cannot be laid.
    pub answer: Option<Answer>,
    /// Whether the budget ended first; then a better answer may exist.
    pub truncated: bool,
}

/// Answers questions about hands under one law.
#[derive(Clone, Debug)]
pub struct Solver<'a> {
    law: &'a Law,
    /// Every combination of alternatives and choices, slots in the order of the rule file.
    contracts: Vec<Vec<Want>>,
    /// For each, how to search it fast; none where its rules are too special.
    plans: Vec<Option<Plan>>,
    budget: u64,
}

/// What [`Solver::survey`] finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survey {
    /// The best answer in canonical order; none if the contract cannot be laid.
    pub best: Option<Answer>,
    /// Number of ways up to equal faces and equal slots.
    pub ways: u64,
    /// Whether the budget ended before all ways were seen.
    pub truncated: bool,
}

impl<'a> Solver<'a> {
    /// Steps after which a search gives its best so far.
    pub const BUDGET: u64 = 2_000_000;

    /// A solver for a round.
    #[must_use]
    pub fn new(law: &'a Law) -> Self {
        let mut contracts: Vec<Vec<Want>> = Vec::new();
        let mut seen: Vec<Vec<Want>> = Vec::new();
        for wanted in &law.contracts {
            let mut lists = vec![Vec::new()];
            for slot in wanted {
                lists = lists
                    .into_iter()
                    .flat_map(|list| {
                        slot.iter().map(move |want| {
                            let mut list = list.clone();
                            list.push(*want);
                            list
                        })
                    })
                    .collect();
            }
            for list in lists {
                let mut sorted = list.clone();
                list::sort(&mut sorted);
                if !seen.contains(&sorted) {
                    seen.push(sorted);
                    contracts.push(list);
                }
            }
        }
        let plans = contracts.iter().map(|wants| Plan::new(law, wants)).collect();
        Solver { law, contracts, plans, budget: Self::BUDGET }
    }

    /// The same with another budget.
    #[must_use]
    pub fn with_budget(self, budget: u64) -> Self {
        Solver { budget, ..self }
    }

    /// The slots in the order they are searched: long runs first, then large groups; equal ones side by side.
    fn ordered(wants: &[Want]) -> Vec<Want> {
        let mut ordered = wants.to_vec();
        list::sort_by_key(&mut ordered, |w| (w.kind != Kind::Run, std::cmp::Reverse(w.size), *w));
        ordered
    }

    /// Walks over all assignments. `visit` gets each and says whether to go on. Tells whether the budget ended first.
    fn walk(&self, hand: &Counts, mut visit: impl FnMut(&[Want], &Found<'_>) -> bool) -> bool {
        let mut budget = self.budget;
        let mut go_on = true;
        for wants in &self.contracts {
            let cut = self.walk_one(wants, hand, &mut budget, &mut |wants, found| {
                go_on = visit(wants, found);
                go_on
            });
            if cut || !go_on {
                return cut;
            }
        }
        false
    }

    /// Walks over the assignments to one list of slots.
    fn walk_one(
        &self,
        wants: &[Want],
        hand: &Counts,
        budget: &mut u64,
        visit: &mut dyn FnMut(&[Want], &Found<'_>) -> bool,
    ) -> bool {
        let ordered = Self::ordered(wants);
        let mut every =
            Every::new(self.law, &ordered, hand, *budget, |found: &Found<'_>| visit(wants, found));
        let cut = every.run();
        *budget = every.budget;
        cut
    }

    fn answer(&self, wants: &[Want], found: &Found<'_>) -> Answer {
        self.finish(wants, found.melds(), *found.left)
    }

    fn finish(&self, wants: &[Want], mut melds: Vec<Meld>, left: Counts) -> Answer {
        list::sort(&mut melds);
        let wilds = melds.iter().map(|m| self.law.wilds_in(m)).sum();
        Answer { melds: self.in_slots(wants, melds), left, points: self.law.points_of(&left), wilds }
    }

    /// Puts melds in the order of the slots they fill.
    fn in_slots(&self, wants: &[Want], mut melds: Vec<Meld>) -> Vec<Meld> {
        // Slots of a rank and larger ones choose first, so that where sizes are free each slot finds a meld that is large enough.
        let mut slots: Vec<usize> = (0..wants.len()).collect();
        list::sort_by_key(&mut slots, |&i| (wants[i].rank == 0, std::cmp::Reverse(wants[i].size)));
        let mut out: Vec<Option<Meld>> = vec![None; wants.len()];
        for slot in slots {
            let want = wants[slot];
            let fits =
                |m: &Meld| m.kind == want.kind && m.suits == want.suits && (m.is_run() || want.takes(m.low));
            let at = melds
                .iter()
                .position(|m| fits(m) && m.len() == usize::from(want.size))
                .or_else(|| melds.iter().position(|m| fits(m) && m.len() >= usize::from(want.size)));
            out[slot] = at.map(|at| melds.remove(at));
        }
        let mut out: Vec<Meld> = out.into_iter().flatten().collect();
        out.append(&mut melds);
        // Equal slots in canonical order.
        for i in 0..out.len() {
            for j in i + 1..out.len() {
                if wants.get(i) == wants.get(j) && out[j] < out[i] {
                    out.swap(i, j);
                }
            }
        }
        out
    }

    /// S1: whether the contract can be laid from `hand`; none if the budget ended before that was known.
    #[must_use]
    pub fn feasible(&self, hand: &Counts) -> Option<bool> {
        let cards = size(hand);
        let mut unknown = false;
        for (wants, plan) in self.contracts.iter().zip(&self.plans) {
            let known = match plan {
                Some(plan) if cards < plan.need => Some(false),
                // Many wilds fill nearly anything.
                Some(_) if cards_where(hand, self.law.wild) > 4 && self.greedy(wants, hand) => Some(true),
                Some(plan) => {
                    let mut shapes = Shapes::new(self.law, plan, hand, 0, self.budget);
                    let found = shapes.exists();
                    (found || shapes.budget > 0).then_some(found)
                }
                None => {
                    let mut found = false;
                    let cut = self.walk_one(wants, hand, &mut self.budget.clone(), &mut |_, _| {
                        found = true;
                        false
                    });
                    (found || !cut).then_some(found)
                }
            };
            match known {
                Some(true) => return Some(true),
                Some(false) => {}
                None => unknown = true,
            }
        }
        (!unknown).then_some(false)
    }

    /// Whether slot by slot the meld that lacks fewest cards leads to the contract: so it does with many wilds, where a
    /// search would look at far too much. What is found is judged as a command would be.
    fn greedy(&self, wants: &[Want], hand: &Counts) -> bool {
        let law = self.law;
        let cards = size(hand);
        let (mut left, mut wilds) = (*hand, Vec::new());
        for i in (0..Face::COUNT).filter(|&i| law.wild >> i & 1 != 0) {
            wilds.extend(
                Face::from_index(i).into_iter().flat_map(|f| std::iter::repeat_n(f, usize::from(left[i]))),
            );
            left[i] = 0;
        }
        let mut said = Vec::with_capacity(wants.len());
        for want in Self::ordered(wants) {
            let mut best: Option<(usize, Vec<Face>)> = None;
            let mut keep = |places: Vec<Face>, lacking: usize| {
                if best.as_ref().is_none_or(|(fewest, _)| lacking < *fewest) {
                    best = Some((lacking, places));
                }
            };
            if want.kind == Kind::Run {
                for suit in 0..law.suits {
                    for low in law.first()..=(law.last() + 1).saturating_sub(want.size) {
                        let places: Vec<Face> =
                            (low..low + want.size).map(|at| Face::new(suit, law.rank_at(at))).collect();
                        let lacking = places.iter().filter(|face| left[face.index()] == 0).count();
                        keep(places, lacking);
                    }
                }
            } else {
                for rank in 1..=law.ranks {
                    let suits = (0..law.suits).map(|suit| Face::new(suit, rank));
                    let mut places: Vec<Face> = suits
                        .flat_map(|face| std::iter::repeat_n(face, usize::from(left[face.index()])))
                        .take(usize::from(want.size))
                        .collect();
                    let lacking = usize::from(want.size) - places.len();
                    places.resize(usize::from(want.size), Face::new(0, rank));
                    keep(places, lacking);
                }
            }
            let Some((_, places)) = best else { return false };
            let mut meld = Vec::with_capacity(places.len());
            for stands in places {
                if left[stands.index()] > 0 {
                    left[stands.index()] -= 1;
                    meld.push(stands.into());
                } else if let Some(wild) = wilds.pop() {
                    meld.push(DeclaredCard { card: wild, stands: Some(stands) });
                } else {
                    return false;
                }
            }
            said.push(DeclaredMeld { kind: want.kind, cards: meld });
        }
        law.judge_contract(&said, cards).is_ok()
    }

    /// S2: a way to lay the contract that leaves the fewest points and among those uses the fewest wilds. Which of
    /// several such ways it is depends on the hand alone; the first in canonical order is [`Solver::survey`]'s.
    #[must_use]
    pub fn best(&self, hand: &Counts) -> Best {
        let cards = size(hand);
        let few_wilds = cards_where(hand, self.law.wild) < 16;
        // Where the whole hand must go, wilds that never stand for themselves are in every answer.
        let in_place = if self.law.natural_in_place { !1 } else { 0 };
        let always_wild = cards_where(hand, self.law.wild & !in_place);
        let mut best = Best { answer: None, truncated: false };
        let mut keep = |answer: Answer| {
            if best.answer.as_ref().is_none_or(|b| answer.key() < b.key()) {
                best.answer = Some(answer);
            }
        };
        let mut truncated = false;
        for (wants, plan) in self.contracts.iter().zip(&self.plans) {
            match plan {
                Some(plan) if cards < plan.need => {}
                Some(plan) if few_wilds => {
                    let mut shapes = Shapes::new(self.law, plan, hand, 0, self.budget);
                    shapes.optimise();
                    truncated |= shapes.budget == 0;
                    if let Some(melds) = shapes.melds() {
                        let used = counts_of(melds.iter().flat_map(Meld::faces));
                        let left = std::array::from_fn(|i| hand[i] - used[i]);
                        keep(self.finish(wants, melds, left));
                    }
                }
                _ => {
                    let mut points = i32::MAX;
                    truncated |= self.walk_one(wants, hand, &mut self.budget.clone(), &mut |wants, found| {
                        let left = self.law.points_of(found.left);
                        if left > points {
                            return true;
                        }
                        points = left;
                        let answer = self.answer(wants, found);
                        let fewest_wilds = answer.wilds <= always_wild;
                        keep(answer);
                        !(self.law.all && fewest_wilds)
                    });
                }
            }
        }
        best.truncated = truncated;
        best
    }

    /// The best way in canonical order, and how many ways there are.
    #[must_use]
    pub fn survey(&self, hand: &Counts) -> Survey {
        if self.feasible(hand) == Some(false) {
            return Survey { best: None, ways: 0, truncated: false };
        }
        let (mut best, mut ways): (Option<Answer>, u64) = (None, 0);
        let truncated = self.walk(hand, |wants, found| {
            ways += 1;
            let points = self.law.points_of(found.left);
            if best.as_ref().is_none_or(|b| points <= b.points) {
                let answer = self.answer(wants, found);
                if best.as_ref().is_none_or(|b| answer.key() < b.key()) {
                    best = Some(answer);
                }
            }
            true
        });
        if truncated {
            let fast = self.best(hand).answer;
            best = [best, fast].into_iter().flatten().min_by(|a, b| a.key().cmp(&b.key()));
        }
        Survey { best, ways, truncated }
    }

    /// S3: all ways to lay the contract up to equal faces and equal slots, best first, at most `most` of them; and
    /// whether that is not all, be it for `most` or for the budget.
    #[must_use]
    pub fn all(&self, hand: &Counts, most: usize) -> (Vec<Answer>, bool) {
        let mut answers: Vec<Answer> = Vec::new();
        let mut dropped = false;
        let truncated = self.walk(hand, |wants, found| {
            let answer = self.answer(wants, found);
            let at = answers.partition_point(|a| a.key() < answer.key());
            if at < most {
                answers.insert(at, answer);
                dropped |= answers.len() > most;
                answers.truncate(most);
            } else {
                dropped = true;
            }
            true
        });
        (answers, truncated || dropped)
    }

    /// How many ways there are to lay the contract up to equal faces and equal slots, and whether the budget ended
    /// before all were counted.
    #[must_use]
    pub fn ways(&self, hand: &Counts) -> (u64, bool) {
        let mut ways = 0;
        let truncated = self.walk(hand, |_, _| {
            ways += 1;
            true
        });
        (ways, truncated)
    }
}

/// How many cards of the faces in a set.
fn cards_where(hand: &Counts, mut set: u64) -> usize {
    let mut cards = 0;
    while set != 0 {
        cards += usize::from(hand[set.trailing_zeros() as usize]);
        set &= set - 1;
    }
    cards
}

impl Law {
    /// What these cards cost if they are left in hand.
    #[must_use]
    pub fn points_of(&self, cards: &Counts) -> i32 {
        cards.iter().zip(&self.values).map(|(&n, &value)| i32::from(n) * i32::from(value)).sum()
    }
}
