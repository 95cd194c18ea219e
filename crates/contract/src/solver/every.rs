//! Every assignment of a hand to a contract, one by one (S3, S4): exact for every rule there is, and plain.
//!
//! Slots are filled in a fixed order, equal slots in non-decreasing order, so that no assignment comes twice. Where the
//! whole hand must go (`meld.all`) the lowest natural not yet covered says what is filled next: it must lie in some
//! meld, and all melds that hold its face are then chosen one after the other, in non-decreasing order again.

use super::Counts;
use crate::meld::{Kind, Law, Meld, Placed, Suits, Want};
use crate::options::{RunAce, WildBalance};
use cards::Face;
use std::cmp::Ordering;
use std::ops::ControlFlow;

/// A meld chosen so far: its cards are a stretch of the common stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chosen {
    pub kind: Kind,
    pub suits: Suits,
    pub low: u8,
    pub from: u16,
    pub to: u16,
}

/// What a walk over assignments is told at each.
pub(super) struct Found<'a> {
    pub melds: &'a [Chosen],
    pub cards: &'a [Placed],
    /// What stays in hand.
    pub left: &'a Counts,
}

impl Found<'_> {
    /// The melds as they would lie on the table.
    pub fn melds(&self) -> Vec<Meld> {
        self.melds
            .iter()
            .map(|c| Meld {
                kind: c.kind,
                suits: c.suits,
                low: c.low,
                cards: self.cards[usize::from(c.from)..usize::from(c.to)].to_vec(),
            })
            .collect()
    }
}

/// The walk itself.
pub(super) struct Every<'a, F> {
    law: &'a Law,
    /// The slots, equal ones side by side.
    wants: &'a [Want],
    counts: Counts,
    /// Cards in hand.
    left: usize,
    /// Wild cards in hand.
    wilds: usize,
    cards: Vec<Placed>,
    melds: Vec<Chosen>,
    /// Slots not yet filled (only where the whole hand must go; else they are filled in order).
    open: Vec<bool>,
    /// The natural that decided what was filled last, where the whole hand must go.
    last: Option<Face>,
    /// Steps left.
    pub budget: u64,
    visit: F,
}

/// Why a walk ends early.
pub(super) enum Halt {
    /// The visitor has seen enough.
    Enough,
    /// The budget is used up.
    Budget,
}

type Walk = ControlFlow<Halt>;

/// What the card being placed must be, where the whole hand must go.
type Must = Option<Face>;

impl<'a, F: FnMut(&Found<'_>) -> bool> Every<'a, F> {
    /// A walk over all assignments of `counts` to `wants`; `visit` says whether to go on.
    pub fn new(law: &'a Law, wants: &'a [Want], counts: &Counts, budget: u64, visit: F) -> Self {
        let left = counts.iter().map(|&c| usize::from(c)).sum();
        let wilds =
            (0..Face::COUNT).filter(|&i| law.wild >> i & 1 != 0).map(|i| usize::from(counts[i])).sum();
        Every {
            law,
            wants,
            counts: *counts,
            left,
            wilds,
            cards: Vec::with_capacity(64),
            melds: Vec::with_capacity(wants.len()),
            open: vec![true; wants.len()],
            last: None,
            budget,
            visit,
        }
    }

    /// Walks; tells whether it was cut short by the budget.
    pub fn run(&mut self) -> bool {
        let need: usize = self.wants.iter().map(|w| usize::from(w.size)).sum();
        if need + self.kept() > self.left {
            return false;
        }
        // What lies in no meld stays in hand, where nothing may.
        if self.law.all && (0..Face::COUNT).any(|i| self.counts[i] > 0 && self.law.skips >> i & 1 != 0) {
            return false;
        }
        let walk = if self.law.all { self.cover() } else { self.slot(0) };
        matches!(walk, ControlFlow::Break(Halt::Budget))
    }

    /// Cards that must stay in hand.
    fn kept(&self) -> usize {
        usize::from(self.law.keep_one && !self.law.all)
    }

    fn spend(&mut self) -> Walk {
        if self.budget == 0 {
            return ControlFlow::Break(Halt::Budget);
        }
        self.budget -= 1;
        ControlFlow::Continue(())
    }

    fn take(&mut self, placed: Placed) {
        self.counts[placed.card.index()] -= 1;
        self.left -= 1;
        self.wilds -= usize::from(self.law.is_wild(placed.card));
        self.cards.push(placed);
    }

    fn give_back(&mut self) {
        if let Some(placed) = self.cards.pop() {
            self.counts[placed.card.index()] += 1;
            self.left += 1;
            self.wilds += usize::from(self.law.is_wild(placed.card));
        }
    }

    fn found(&mut self) -> Walk {
        let points = || self.cards.iter().map(|c| i32::from(self.law.values[c.card.index()])).sum::<i32>();
        if self.law.opening > 0 && points() < i32::from(self.law.opening) {
            return ControlFlow::Continue(());
        }
        let found = Found { melds: &self.melds, cards: &self.cards, left: &self.counts };
        if (self.visit)(&found) { ControlFlow::Continue(()) } else { ControlFlow::Break(Halt::Enough) }
    }

    /// Fills the slots from `index` on.
    fn slot(&mut self, index: usize) -> Walk {
        if index == self.wants.len() {
            return self.found();
        }
        self.fill(index, None)
    }

    /// Fills slots until the whole hand lies in them.
    fn cover(&mut self) -> Walk {
        let natural = (0..Face::COUNT)
            .find(|&i| self.counts[i] > 0 && self.law.wild >> i & 1 == 0)
            .and_then(Face::from_index);
        let open: Vec<usize> = (0..self.wants.len()).filter(|&i| self.open[i]).collect();
        let least: usize = open.iter().map(|&i| usize::from(self.wants[i].size)).sum();
        if self.left < least || open.is_empty() && self.left > 0 {
            return ControlFlow::Continue(());
        }
        if open.is_empty() {
            return self.found();
        }
        if open.iter().all(|&i| self.wants[i].kind == Kind::Run && self.wants[i].suits == Suits::One) {
            let suits = (0..4)
                .filter(|s| {
                    (1..=self.law.ranks)
                        .map(|r| Face::new(*s, r))
                        .any(|f| self.counts[f.index()] > 0 && !self.law.is_wild(f))
                })
                .count();
            if suits > open.len() || self.left > open.len() * usize::from(self.law.run_max) {
                return ControlFlow::Continue(());
            }
        }
        for &i in &open {
            // Equal slots are the same to fill.
            if open.iter().any(|&j| j < i && self.wants[j] == self.wants[i]) {
                continue;
            }
            self.open[i] = false;
            let last = std::mem::replace(&mut self.last, natural);
            let equal = last == natural;
            let walk = match natural {
                Some(_) => self.fill_from(i, natural, equal),
                // Only wilds are left: any order will do, so keep to the order of the slots.
                None => self.fill_from(i, None, equal),
            };
            self.last = last;
            self.open[i] = true;
            walk?;
            if natural.is_none() {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    fn fill_from(&mut self, index: usize, must: Must, ordered: bool) -> Walk {
        match self.wants[index].kind {
            Kind::Run => self.runs(index, must, ordered),
            Kind::Group | Kind::Pair => self.groups(index, must, ordered),
            Kind::Flush => self.flushes(index, must, ordered),
        }
    }

    fn fill(&mut self, index: usize, must: Must) -> Walk {
        let ordered = index > 0 && self.wants[index] == self.wants[index - 1];
        self.fill_from(index, must, ordered)
    }

    /// The cards chosen for this slot are complete: checks the meld, and goes on to the next.
    fn complete(&mut self, index: usize, suits: Suits, low: u8, from: usize, ordered: bool) -> Walk {
        let want = self.wants[index];
        let chosen = Chosen { kind: want.kind, suits, low, from: from as u16, to: self.cards.len() as u16 };
        if ordered
            && let Some(before) = self.melds.last()
            && self.order(before, &chosen) == Ordering::Greater
        {
            return ControlFlow::Continue(());
        }
        if !self.legal(&chosen, &want) || self.left < self.kept() {
            return ControlFlow::Continue(());
        }
        self.melds.push(chosen);
        let walk = if self.law.all { self.cover() } else { self.slot(index + 1) };
        self.melds.pop();
        walk
    }

    fn cards_of(&self, chosen: &Chosen) -> &[Placed] {
        &self.cards[usize::from(chosen.from)..usize::from(chosen.to)]
    }

    fn order(&self, one: &Chosen, two: &Chosen) -> Ordering {
        (one.kind, one.suits, one.low)
            .cmp(&(two.kind, two.suits, two.low))
            .then_with(|| self.cards_of(one).cmp(self.cards_of(two)))
    }

    fn legal(&self, chosen: &Chosen, want: &Want) -> bool {
        let law = self.law;
        let cards = self.cards_of(chosen);
        let wild = |c: &Placed| law.counts_as_wild(*c);
        let wilds = cards.iter().filter(|c| wild(c)).count();
        if wilds > law.most_wilds(want, cards.len()) || cards.len() - wilds < usize::from(law.min_naturals) {
            return false;
        }
        if chosen.kind == Kind::Run {
            if !law.wild_ends && (cards.first().is_some_and(wild) || cards.last().is_some_and(wild)) {
                return false;
            }
            if !law.wild_adjacent && cards.windows(2).any(|w| wild(&w[0]) && wild(&w[1])) {
                return false;
            }
            if chosen.suits != Suits::One {
                return true;
            }
            let suit = cards[0].stands.suit();
            let mut same = 0;
            for other in self.melds.iter().filter(|m| m.kind == Kind::Run && m.suits == Suits::One) {
                if self.cards_of(other)[0].stands.suit() != suit {
                    continue;
                }
                same += 1;
                let apart =
                    between(law, (chosen.low, cards.len()), (other.low, usize::from(other.to - other.from)));
                let fine = match apart {
                    None => law.overlap,
                    Some(ranks) => ranks >= law.gap,
                };
                if !fine || same >= law.per_suit {
                    return false;
                }
            }
            true
        } else if chosen.kind == Kind::Flush {
            true
        } else {
            let of_rank = |m: &&Chosen| matches!(m.kind, Kind::Group | Kind::Pair);
            if law.distinct_ranks && self.melds.iter().filter(of_rank).any(|m| m.low == chosen.low) {
                return false;
            }
            if law.distinct_suits || want.distinct {
                let mut seen = 0u8;
                let repeated = cards.iter().filter(|c| !wild(c)).any(|c| {
                    let bit = 1 << c.card.suit();
                    let before = seen & bit != 0;
                    seen |= bit;
                    before
                });
                if repeated || cards.len() > usize::from(law.suits) {
                    return false;
                }
            }
            true
        }
    }

    fn groups(&mut self, index: usize, must: Must, ordered: bool) -> Walk {
        let want = self.wants[index];
        let first = match (must, self.melds.last()) {
            (Some(face), _) => face.rank(),
            (None, Some(before)) if ordered && before.kind == want.kind => before.low,
            _ => 1,
        };
        let last = must.map_or(self.law.ranks, Face::rank);
        let most = if self.law.exact { want.size } else { self.law.group_max.min(self.left.min(254) as u8) };
        for rank in (first..=last).filter(|&rank| want.takes(rank)) {
            let from = self.cards.len();
            let wild_faces: Vec<Face> = (0..Face::COUNT)
                .filter(|&i| self.law.wild >> i & 1 != 0 && self.counts[i] > 0)
                .filter_map(Face::from_index)
                .filter(|f| !(self.law.natural_in_place && f.rank() == rank))
                .collect();
            self.naturals(&Group { index, rank, must, ordered, most, from }, 0, &wild_faces)?;
        }
        ControlFlow::Continue(())
    }

    /// Chooses how many naturals of each suit lie in a group, then the wilds.
    fn naturals(&mut self, group: &Group, suit: u8, wild_faces: &[Face]) -> Walk {
        self.spend()?;
        let size = self.cards.len() - group.from;
        if suit == self.law.suits {
            return self.group_wilds(group, 0, wild_faces);
        }
        let face = Face::new(suit, group.rank);
        let natural = (!self.law.is_wild(face) || self.law.natural_in_place) && !self.law.is_skip(face);
        let held = if natural { usize::from(self.counts[face.index()]) } else { 0 };
        let most = held.min(usize::from(group.most) - size);
        self.each_number(face, group.must == Some(face), most, |every| {
            every.naturals(group, suit + 1, wild_faces)
        })
    }

    /// Goes on with each number of a natural up to `most`, with one at least where it must be there, and gives all of them back.
    fn each_number(
        &mut self,
        face: Face,
        must: bool,
        most: usize,
        mut on: impl FnMut(&mut Self) -> Walk,
    ) -> Walk {
        let from = self.cards.len();
        let mut walk = ControlFlow::Continue(());
        for n in 0..=most {
            if n > 0 {
                self.take(Placed { card: face, stands: face });
            }
            if n >= usize::from(must) {
                walk = on(self);
                if walk.is_break() {
                    break;
                }
            }
        }
        while self.cards.len() > from {
            self.give_back();
        }
        walk
    }

    fn group_wilds(&mut self, group: &Group, next: usize, wild_faces: &[Face]) -> Walk {
        self.spend()?;
        let size = self.cards.len() - group.from;
        let want = self.wants[group.index];
        if size >= usize::from(want.size) {
            self.complete(group.index, Suits::One, group.rank, group.from, group.ordered)?;
        }
        let wilds = self.cards[group.from..].iter().filter(|&&c| self.law.counts_as_wild(c)).count();
        if size == usize::from(group.most) || wilds >= self.law.most_wilds(&want, usize::from(group.most)) {
            return ControlFlow::Continue(());
        }
        for (i, &card) in wild_faces.iter().enumerate().skip(next) {
            if self.counts[card.index()] == 0 {
                continue;
            }
            self.take(self.law.in_group(card, group.rank));
            let walk = self.group_wilds(group, i, wild_faces);
            self.give_back();
            walk?;
        }
        ControlFlow::Continue(())
    }

    fn flushes(&mut self, index: usize, must: Must, ordered: bool) -> Walk {
        let law = self.law;
        let want = self.wants[index];
        let from = match (must, self.melds.last()) {
            (None, Some(before)) if ordered && before.kind == Kind::Flush && before.suits == want.suits => {
                before.low
            }
            _ => 0,
        };
        let most = if law.exact { usize::from(want.size) } else { self.left };
        for low in (from..law.suits).filter(|&suit| law.flush_of(want.suits, suit) == suit) {
            let of = |face: Face| law.suits_agree(want.suits, face.suit(), low);
            if must.is_some_and(|face| !of(face)) {
                continue;
            }
            let held = |i: &usize| self.counts[*i] > 0;
            let itself = |face: &Face| !face.is_joker() && of(*face);
            let natural = |face: &Face| {
                itself(face) && (!law.is_wild(*face) || law.natural_in_place) && !law.is_skip(*face)
            };
            let faces = || (0..Face::COUNT).filter(held).filter_map(Face::from_index);
            let naturals: Vec<Face> = faces().filter(natural).collect();
            let wilds: Vec<Face> = faces().filter(|f| law.is_wild(*f) && !natural(f)).collect();
            let start = self.cards.len();
            let flush = Flush { index, low, must, ordered, most, from: start };
            let reach = naturals.iter().map(|f| usize::from(self.counts[f.index()])).sum();
            self.of_suit(&flush, &naturals, reach, &wilds)?;
        }
        ControlFlow::Continue(())
    }

    /// Chooses how many of each natural lie in a flush, then the wilds. `reach` is how many naturals are still to be chosen from.
    fn of_suit(&mut self, flush: &Flush, naturals: &[Face], reach: usize, wilds: &[Face]) -> Walk {
        self.spend()?;
        let law = self.law;
        let want = self.wants[flush.index];
        let size = self.cards.len() - flush.from;
        let may = law.most_wilds(&want, flush.most).min(self.wilds);
        if size + reach + may < usize::from(want.size) {
            return ControlFlow::Continue(());
        }
        let Some((&face, rest)) = naturals.split_first() else {
            return self.flush_wilds(flush, 0, wilds);
        };
        let held = usize::from(self.counts[face.index()]);
        let most = held.min(flush.most - size);
        self.each_number(face, flush.must == Some(face), most, |every| {
            every.of_suit(flush, rest, reach - held, wilds)
        })
    }

    fn flush_wilds(&mut self, flush: &Flush, next: usize, wild_faces: &[Face]) -> Walk {
        self.spend()?;
        let law = self.law;
        let size = self.cards.len() - flush.from;
        let want = self.wants[flush.index];
        if size >= usize::from(want.size) {
            self.complete(flush.index, want.suits, flush.low, flush.from, flush.ordered)?;
        }
        let wilds = self.cards[flush.from..].iter().filter(|&&c| law.counts_as_wild(c)).count();
        if size == flush.most || wilds >= law.most_wilds(&want, flush.most) {
            return ControlFlow::Continue(());
        }
        let meld = Meld { kind: Kind::Flush, suits: want.suits, low: flush.low, cards: Vec::new() };
        for (i, &card) in wild_faces.iter().enumerate().skip(next) {
            if self.counts[card.index()] == 0 {
                continue;
            }
            self.take(law.inside(&meld, card));
            let walk = self.flush_wilds(flush, i, wild_faces);
            self.give_back();
            walk?;
        }
        ControlFlow::Continue(())
    }

    fn runs(&mut self, index: usize, must: Must, ordered: bool) -> Walk {
        let law = self.law;
        let want = self.wants[index];
        let size = usize::from(want.size);
        let most = if law.exact { size } else { usize::from(law.run_max).min(self.left) };
        let from = match (must, self.melds.last()) {
            (None, Some(before)) if ordered && before.kind == Kind::Run && before.suits == want.suits => {
                before.low
            }
            _ => law.first(),
        };
        let last_start =
            if law.ace == RunAce::Corner { law.ranks } else { (law.last() + 1).saturating_sub(want.size) };
        for low in from..=last_start {
            let most =
                if law.ace == RunAce::Corner { most } else { most.min(usize::from(law.last() + 1 - low)) };
            let start = self.cards.len();
            let run = Run { index, low, must, ordered, size, most, from: start };
            match want.suits {
                Suits::One => {
                    for suit in 0..law.suits {
                        if must.is_none_or(|face| face.suit() == suit) {
                            self.position(&run, Some(suit), must.is_some())?;
                        }
                    }
                }
                _ => self.position(&run, None, must.is_some())?,
            }
        }
        ControlFlow::Continue(())
    }

    /// Fills the next position of a run. `suit` is that of the whole run where it is bound to one; `missing` says
    /// whether the card that must lie in it is still to come.
    fn position(&mut self, run: &Run, suit: Option<u8>, missing: bool) -> Walk {
        self.spend()?;
        let law = self.law;
        let want = self.wants[run.index];
        let len = self.cards.len() - run.from;
        if len >= run.size && !missing {
            self.complete(run.index, want.suits, run.low, run.from, run.ordered)?;
        }
        if len == run.most {
            return ControlFlow::Continue(());
        }
        let position = run.low + len as u8;
        if let Some(face) = run.must
            && missing
            && law.ace != RunAce::Corner
            && position > if face.rank() == 1 { law.ranks + 1 } else { face.rank() }
        {
            return ControlFlow::Continue(());
        }
        let rank = law.rank_at(position);
        let before = (len > 0).then(|| self.cards[self.cards.len() - 1].stands.suit());
        let agrees = |s: u8| before.is_none_or(|b| law.suits_agree(want.suits, s, b));
        // Naturals.
        for s in suit.map_or(0..law.suits, |s| s..s + 1) {
            let face = Face::new(s, rank);
            let natural = (!law.is_wild(face) || law.natural_in_place) && !law.is_skip(face);
            if self.counts[face.index()] == 0 || !natural || !agrees(s) {
                continue;
            }
            self.take(Placed { card: face, stands: face });
            let walk = self.position(run, suit, missing && run.must != Some(face));
            self.give_back();
            walk?;
        }
        // Wilds, as long as the meld may hold more.
        if self.wilds == 0 {
            return ControlFlow::Continue(());
        }
        let used = self.cards[run.from..].iter().filter(|&&c| law.counts_as_wild(c)).count();
        if used >= law.most_wilds(&want, run.most) {
            return ControlFlow::Continue(());
        }
        // The suit it stands for: the run's; else one suit for each colour that may come here.
        let mut colours = 0u32;
        for s in suit.map_or(0..law.suits, |s| s..s + 1) {
            let colour = match want.suits {
                Suits::Colour | Suits::Alternate => 1 << law.colours[usize::from(s)],
                Suits::One | Suits::Free => 1,
            };
            if !agrees(s) || colours & colour != 0 {
                continue;
            }
            colours |= colour;
            let stands = Face::new(s, rank);
            for i in 0..Face::COUNT {
                if law.wild >> i & 1 == 0 || self.counts[i] == 0 {
                    continue;
                }
                let Some(card) = Face::from_index(i) else { continue };
                if card == stands && law.natural_in_place {
                    continue;
                }
                self.take(Placed { card, stands });
                let walk = self.position(run, suit, missing);
                self.give_back();
                walk?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// A group being filled.
struct Group {
    index: usize,
    rank: u8,
    must: Must,
    ordered: bool,
    most: u8,
    from: usize,
}

/// A flush being filled.
struct Flush {
    index: usize,
    /// Its suit, or the first of its colour.
    low: u8,
    must: Must,
    ordered: bool,
    most: usize,
    from: usize,
}

/// A run being filled.
struct Run {
    index: usize,
    low: u8,
    must: Must,
    ordered: bool,
    size: usize,
    most: usize,
    from: usize,
}

/// Ranks between two runs of one suit, each given by its lowest position and its length; none if they overlap.
pub(super) fn between(law: &Law, one: (u8, usize), two: (u8, usize)) -> Option<u8> {
    let (a, b) = if one.0 <= two.0 { (one, two) } else { (two, one) };
    let distance = b.0 - a.0;
    if law.ace == RunAce::Corner {
        let around = law.ranks - distance;
        let (ahead, behind) = (distance.checked_sub(a.1 as u8)?, around.checked_sub(b.1 as u8)?);
        return Some(ahead.min(behind));
    }
    distance.checked_sub(a.1 as u8)
}

impl Law {
    /// The most wilds that a meld of `size` cards may hold in this slot.
    pub(crate) fn most_wilds(&self, want: &Want, size: usize) -> usize {
        if !self.wild_kinds[want.kind as usize] {
            return 0;
        }
        let balance = match self.balance {
            WildBalance::None => size,
            WildBalance::AtLeast => size / 2,
            WildBalance::More => size.saturating_sub(1) / 2,
        };
        usize::from(self.wild_cap).min(usize::from(want.wilds)).min(balance)
    }
}
