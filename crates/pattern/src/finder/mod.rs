//! Finding claims: pure functions over cards, without any state of a match.
//!
//! A [`Sought`] says what is looked for, an [`Open`] what one player may claim from: the layout with its zones, the own
//! hand, the own previous Set. Everything is listed in canonical order (SOLVE-1): codes ascending within a group,
//! groups ascending within a claim, claims ascending.
//!
//! Sums are per digit, so a card of `d81` and its number read as five digits behave alike: one table of third cards
//! serves every deck, and the numbers of zones, too.

mod judge;
mod points;
#[cfg(target_arch = "x86_64")]
mod simd;
#[cfg(not(target_arch = "x86_64"))]
#[path = "without.rs"]
mod simd;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod wide;

pub use judge::{Judged, split_features};
pub use points::PointSet;

use crate::claim::Claim;
use crate::rules::{EightPadding, Grouping, Multiplicity, Pattern, Rules, Sources};
use cards::{Deck, Point};
use game::Chance;
use std::ops::ControlFlow::{self, Break, Continue};

/// Third cards, by the numbers of two cards; 255 for what is no card. Every byte has its place, so none is checked.
type Thirds = [[u8; 256]; 256];

#[cfg(not(target_family = "wasm"))]
static THIRD: Thirds = thirds();
/// A page reckons it when it is first asked: loading it would take longer.
#[cfg(target_family = "wasm")]
static THIRD: std::sync::LazyLock<Thirds> = std::sync::LazyLock::new(thirds);

const fn thirds() -> Thirds {
    // Digit by digit: a table of numbers below 3^k gives the one below 3^(k+1).
    let mut table = [[255; 256]; 256];
    table[0][0] = 0;
    let mut size = 1;
    while size < 243 {
        let mut a = 0;
        while a < 3 * size {
            let mut b = 0;
            while b < 3 * size {
                if a >= size || b >= size {
                    let digit = (6 - a / size - b / size) % 3;
                    table[a][b] = table[a % size][b % size] + (digit * size) as u8;
                }
                b += 1;
            }
            a += 1;
        }
        size *= 3;
    }
    table
}

/// PAT-THIRD: the card that completes a Set with `a` and `b`; `a` itself if they are the same.
#[must_use]
pub fn third(a: Point, b: Point) -> Point {
    Point(THIRD[usize::from(a.0)][usize::from(b.0)])
}

/// PAT-SET: whether these are three different cards that form a Set.
#[must_use]
pub fn is_set(a: Point, b: Point, c: Point) -> bool {
    a != b && third(a, b) == c
}

/// PAT-SUPER: the two pairs of a SuperSET, and its joint; none if the four cards are none. The pairs stand in
/// canonical order.
#[must_use]
pub fn super_set(cards: [Point; 4]) -> Option<([Point; 2], [Point; 2], Point)> {
    let mut sorted = cards;
    sorted.sort_unstable();
    let [a, b, c, d] = sorted;
    if a == b || b == c || c == d {
        return None;
    }
    [([a, b], [c, d]), ([a, c], [b, d]), ([a, d], [b, c])].into_iter().find_map(|(first, second)| {
        let joint = third(first[0], first[1]);
        (joint == third(second[0], second[1])).then_some((first, second, joint))
    })
}

/// SOLVE-3: the three cards that complete three cards to a SuperSET, ascending; none if those are not three different
/// cards without a Set.
#[must_use]
pub fn completers(cards: [Point; 3]) -> Option<[Point; 3]> {
    let [a, b, c] = cards;
    if a == b || b == c || a == c || is_set(a, b, c) {
        return None;
    }
    let mut found = [third(third(a, b), c), third(third(a, c), b), third(third(b, c), a)];
    found.sort_unstable();
    Some(found)
}

/// The plane through three cards that are no Set, three rows of three in each of which, in each column and along each diagonal,
/// also around the edge, lies a Set: `a` and `b` begin the first row, and `c` stands below `a`.
#[must_use]
pub fn plane(a: Point, b: Point, c: Point) -> [Point; 9] {
    let (right, below) = (third(a, b), third(a, c));
    // The middle is the third of the two ends of a diagonal: of the upper right and the lower left corner.
    let middle = third(right, below);
    [a, b, right, c, middle, third(c, middle), below, third(b, middle), third(a, middle)]
}

/// Whether the cards hold no Set. Twice the same card counts once.
#[must_use]
pub fn is_cap(cards: &[Point]) -> bool {
    let mut open = Open::new();
    cards.iter().for_each(|&card| open.lay(card, 0));
    !Sought::SET.exists(&open)
}

/// All Sets of a layout: calls `found` with each, codes ascending, in no particular order of Sets if the cards are in
/// none. The cards are different ones.
pub fn sets(cards: &[Point], mut found: impl FnMut([Point; 3])) {
    #[cfg(target_arch = "x86_64")]
    if wide::sets(cards, &mut found) {
        return;
    }
    if let Some(sets) = simd::listed(cards) {
        let _ = sets.each(|set| {
            found(set);
            Continue::<(), ()>(())
        });
    } else {
        sets_portable(cards, found);
    }
}

/// As [`sets`], on any processor.
pub fn sets_portable(cards: &[Point], mut found: impl FnMut([Point; 3])) {
    // Each Set is found at its first two cards in place, so only the place of the third is asked for.
    let mut places = [0u8; 256];
    (1..).zip(cards).for_each(|(place, card)| places[usize::from(card.0)] = place);
    for (i, &a) in cards.iter().enumerate() {
        let row = &THIRD[usize::from(a.0)];
        for (place, &b) in (i as u8 + 2..).zip(&cards[i + 1..]) {
            let c = Point(row[usize::from(b.0)]);
            if places[usize::from(c.0)] > place {
                let (low, high) = (a.min(b), a.max(b));
                found([low.min(c), low.max(c.min(high)), high.max(c)]);
            }
        }
    }
}

/// What one player may claim from.
#[derive(Clone, Debug)]
pub struct Open {
    all: PointSet,
    hand: PointSet,
    link: PointSet,
    /// Where a card of the layout lies.
    zone: [u8; 243],
}

impl Default for Open {
    fn default() -> Open {
        Open::new()
    }
}

impl Open {
    /// Nothing.
    #[must_use]
    pub const fn new() -> Open {
        Open { all: PointSet::EMPTY, hand: PointSet::EMPTY, link: PointSet::EMPTY, zone: [0; 243] }
    }

    /// A layout: cards with the numbers of their zones.
    #[must_use]
    pub fn layout(cards: impl IntoIterator<Item = (u8, Point)>) -> Open {
        let mut open = Open::new();
        cards.into_iter().for_each(|(zone, card)| open.lay(card, zone));
        open
    }

    /// Adds a card of the layout.
    pub fn lay(&mut self, card: Point, zone: u8) {
        self.all.add(card);
        self.zone[usize::from(card.0)] = zone;
    }

    /// Adds a card of the own hand.
    pub fn hold(&mut self, card: Point) {
        self.all.add(card);
        self.hand.add(card);
    }

    /// Adds a card of the own previous Set. As soon as there is one, each Set claimed must hold exactly one (CHAIN-3).
    pub fn link(&mut self, card: Point) {
        self.all.add(card);
        self.link.add(card);
    }

    /// Everything that may be named.
    #[must_use]
    pub fn all(&self) -> &PointSet {
        &self.all
    }

    /// Whether the card is in the layout (not in the hand, no link).
    #[must_use]
    pub fn lies(&self, card: Point) -> bool {
        self.all.has(card) && !self.hand.has(card) && !self.link.has(card)
    }

    /// Whether the zones of three cards are all equal or all different in each digit (PAT-ULTRA).
    fn zones_fit(&self, a: Point, b: Point, c: Point) -> bool {
        let zone = |card: Point| usize::from(self.zone[usize::from(card.0)]);
        usize::from(THIRD[zone(a)][zone(b)]) == zone(c)
    }

    /// CHAIN-3: whether exactly one card of a Set is a link, where there are links.
    fn link_fits(&self, cards: &[Point]) -> bool {
        self.link.is_empty() || cards.iter().filter(|&&c| self.link.has(c)).count() == 1
    }
}

/// One pattern that was found: a Set, or a SuperSET as two pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Found {
    cards: [Point; 4],
    len: u8,
}

impl Found {
    fn cards(&self) -> &[Point] {
        &self.cards[..usize::from(self.len)]
    }
    fn points(&self) -> PointSet {
        PointSet::of(self.cards())
    }
}

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sought {
    /// How the cards are written.
    pub deck: Deck,
    /// What a group of cards must be.
    pub pattern: Pattern,
    /// How many of it at once.
    pub multiplicity: Multiplicity,
    /// Whether the pairs of a SuperSET must be named.
    pub pairing: Grouping,
    /// Whether several Sets must be told apart (DBL-3, EIGHT-3).
    pub grouping: Grouping,
    ///
    pub eight_padding: EightPadding,
    /// personal cards that a claim must hold.
    pub min_personal: u8,
    /// Where the cards may lie; says only which rules a refusal cites.
    pub sources: Sources,
}

impl From<&Rules> for Sought {
    #[inline]
    fn from(rules: &Rules) -> Sought {
        Sought {
            deck: rules.deck,
            pattern: rules.pattern,
            multiplicity: rules.multiplicity,
            pairing: rules.pairing,
            grouping: rules.grouping,
            eight_padding: rules.eight_padding,
            // Where nobody has personal cards it means nothing.
            min_personal: if rules.hand > 0 { rules.min_personal } else { 0 },
            sources: rules.sources,
        }
    }
}

impl Sought {
    /// Single Sets.
    pub const SET: Sought = Sought {
        deck: Deck::D81,
        pattern: Pattern::Set,
        multiplicity: Multiplicity::Single,
        pairing: Grouping::Auto,
        grouping: Grouping::Auto,
        eight_padding: EightPadding::Allowed,
        min_personal: 0,
        sources: Sources::Layout,
    };

    /// The same pattern one at a time (A-28: `final_single`).
    #[must_use]
    pub const fn single(self) -> Sought {
        Sought { multiplicity: Multiplicity::Single, ..self }
    }

    /// Cards of one pattern: 3, or 4 of a SuperSET.
    #[must_use]
    pub const fn size(self) -> usize {
        match self.pattern {
            Pattern::Super => 4,
            _ => 3,
        }
    }

    const fn ultra(self) -> bool {
        matches!(self.pattern, Pattern::Ultra1 | Pattern::Ultra2)
    }

    /// Each pattern that can be made of the open cards, in canonical order.
    fn each_pattern<B>(self, open: &Open, mut visit: impl FnMut(Found) -> ControlFlow<B>) -> ControlFlow<B> {
        let plain = !self.ultra() && open.link.is_empty();
        if plain
            && self.pattern == Pattern::Set
            && let Some(sets) = simd::all(&open.all)
        {
            return sets.each(|[a, b, c]| visit(Found { cards: [a, b, c, Point(0)], len: 3 }));
        }
        self.each_pattern_portable(open, visit)
    }

    /// The same on any processor and of any cards.
    fn each_pattern_portable<B>(
        self,
        open: &Open,
        mut visit: impl FnMut(Found) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let cards = open.all.to_array();
        let plain = !self.ultra() && open.link.is_empty();
        for (i, &a) in cards.iter().enumerate() {
            let row = &THIRD[usize::from(a.0)];
            for &b in &cards[i + 1..] {
                let c = Point(row[usize::from(b.0)]);
                if self.pattern == Pattern::Super {
                    // The second pair is on another line through the joint.
                    let through = &THIRD[usize::from(c.0)];
                    for &c in &cards[i + 1..] {
                        let d = Point(through[usize::from(c.0)]);
                        if d > c && open.all.has(d) {
                            visit(Found { cards: [a, b, c, d], len: 4 })?;
                        }
                    }
                } else if c > b
                    && open.all.has(c)
                    && (plain || open.link_fits(&[a, b, c]) && (!self.ultra() || open.zones_fit(a, b, c)))
                {
                    visit(Found { cards: [a, b, c, Point(0)], len: 3 })?;
                }
            }
        }
        Continue(())
    }

    fn patterns(self, open: &Open) -> Vec<(Found, PointSet)> {
        let mut all = Vec::new();
        let _ = self.each_pattern(open, |found| {
            all.push((found, found.points()));
            Continue::<(), ()>(())
        });
        all
    }

    fn personal(self, open: &Open, cards: &PointSet) -> bool {
        self.min_personal == 0 || cards.and(&open.hand).len() >= usize::from(self.min_personal)
    }

    /// Each claim, in canonical order.
    fn each<B>(self, open: &Open, mut visit: impl FnMut(&[Found]) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.multiplicity == Multiplicity::Single {
            return self.each_pattern(open, |found| match self.personal(open, &found.points()) {
                true => visit(&[found]),
                false => Continue(()),
            });
        }
        let all = self.patterns(open);
        for (i, &(a, a_cards)) in all.iter().enumerate() {
            for (j, &(b, b_cards)) in all.iter().enumerate().skip(i + 1) {
                if self.multiplicity == Multiplicity::Double {
                    if !a_cards.meets(&b_cards) && self.personal(open, &a_cards.or(&b_cards)) {
                        visit(&[a, b])?;
                    }
                    continue;
                }
                let two = a_cards.or(&b_cards);
                for (k, &(c, c_cards)) in all.iter().enumerate().skip(j + 1) {
                    let three = two.or(&c_cards);
                    if three.len() >= EIGHT && self.personal(open, &three) {
                        visit(&[a, b, c])?;
                    }
                    for &(d, d_cards) in &all[k + 1..] {
                        let four = three.or(&d_cards);
                        if four.len() >= EIGHT
                            && self.personal(open, &four)
                            && self.each_adds(&[a_cards, b_cards, c_cards, d_cards])
                        {
                            visit(&[a, b, c, d])?;
                        }
                    }
                }
            }
        }
        Continue(())
    }

    /// whether each Set covers a card that the others do not, where that is needed.
    fn each_adds(self, sets: &[PointSet]) -> bool {
        self.eight_padding == EightPadding::Allowed
            || (0..sets.len()).all(|i| {
                let others = (0..sets.len()).filter(|&j| j != i);
                let covered = others.fold(PointSet::EMPTY, |all, j| all.or(&sets[j]));
                sets[i].minus(&covered) != PointSet::EMPTY
            })
    }

    fn claim(self, found: &[Found]) -> Claim {
        let mut claim = Claim::of(found.iter().map(Found::cards)).expect("four groups of four fit a claim");
        if self.pattern == Pattern::Super {
            claim.set_paired();
        }
        claim
    }

    /// Whether there is a claim.
    #[must_use]
    pub fn exists(self, open: &Open) -> bool {
        if open.link.is_empty()
            && let Some(exists) = self.exists_among(&open.all)
        {
            return exists;
        }
        self.each(open, |_| Break(())).is_break()
    }

    /// Whether these cards hold a claim, where it does not matter where and whose they are; none where it does.
    #[must_use]
    #[inline]
    pub fn exists_among(self, cards: &PointSet) -> Option<bool> {
        match self.pattern {
            _ if self.multiplicity != Multiplicity::Single || self.min_personal > 0 => None,
            Pattern::Set => Some(some_set(cards)),
            Pattern::Super => Some(some_super(cards)),
            Pattern::Ultra1 | Pattern::Ultra2 => None,
        }
    }

    /// The Sets of these cards, where each of them is a claim and there is a fast way to all of them.
    fn sets_among(self, cards: &PointSet) -> Option<simd::Sets> {
        let plain = self.pattern == Pattern::Set
            && self.multiplicity == Multiplicity::Single
            && self.min_personal == 0;
        if plain { simd::all(cards) } else { None }
    }

    /// How many claims there are.
    #[must_use]
    pub fn count(self, open: &Open) -> u64 {
        if open.link.is_empty()
            && let Some(sets) = self.sets_among(&open.all)
        {
            return u64::from(sets.count());
        }
        let quads = self.multiplicity == Multiplicity::Eight
            && self.min_personal == 0
            && self.eight_padding == EightPadding::Allowed;
        if quads {
            return count_eight(&self.patterns(open));
        }
        let mut count = 0;
        let _ = self.each(open, |_| {
            count += 1;
            Continue::<(), ()>(())
        });
        count
    }

    /// The claims, at most `limit` of them, in canonical order.
    #[must_use]
    pub fn list(self, open: &Open, limit: usize) -> Vec<Claim> {
        let mut claims = Vec::new();
        if limit > 0 {
            let _ = self.each(open, |found| {
                claims.push(self.claim(found));
                if claims.len() == limit { Break(()) } else { Continue(()) }
            });
        }
        claims
    }

    /// The first claim in canonical order.
    #[must_use]
    pub fn first(self, open: &Open) -> Option<Claim> {
        self.nth(open, 0)
    }

    /// The claim that has `n` before it in canonical order.
    #[must_use]
    pub fn nth(self, open: &Open, n: u64) -> Option<Claim> {
        let mut left = n;
        let found = self.each(open, |found| {
            if left == 0 {
                return Break(self.claim(found));
            }
            left -= 1;
            Continue(())
        });
        found.break_value()
    }

    /// One of the claims, each equally likely.
    pub fn random(self, open: &Open, chance: &mut impl Chance) -> Option<Claim> {
        if open.link.is_empty()
            && let Some(sets) = self.sets_among(&open.all)
        {
            return random_of(&sets, chance).map(|set| Claim::one(&set));
        }
        let count = u32::try_from(self.count(open)).unwrap_or(u32::MAX);
        (count > 0).then(|| self.nth(open, u64::from(chance.below(count)))).flatten()
    }
}

/// One of the Sets of these cards, each equally likely; in the same order whatever finds them.
pub fn random_set(cards: &PointSet, chance: &mut impl Chance) -> Option<[Point; 3]> {
    #[cfg(target_arch = "x86_64")]
    if let Some(set) = wide::one(cards, |count| chance.below(count)) {
        return set;
    }
    match simd::all(cards) {
        Some(sets) => random_of(&sets, chance),
        None => {
            let open = Open::layout(cards.iter().map(|card| (0, card)));
            Sought::SET.random(&open, chance)?.cards().try_into().ok()
        }
    }
}

fn random_of(sets: &simd::Sets, chance: &mut impl Chance) -> Option<[Point; 3]> {
    match sets.count() {
        0 => None,
        count => sets.nth(chance.below(count)),
    }
}

/// PAT-EIGHT: fewest cards.
const EIGHT: usize = 8;

/// Whether there is a Set among these cards.
#[inline]
pub(crate) fn some_set(cards: &PointSet) -> bool {
    #[cfg(target_arch = "x86_64")]
    if let Some(some) = wide::any(cards) {
        return some;
    }
    simd::any(cards).unwrap_or_else(|| some_set_portable(cards))
}

fn some_set_portable(all: &PointSet) -> bool {
    let cards = all.to_array();
    cards.iter().enumerate().any(|(i, &a)| {
        let row = &THIRD[usize::from(a.0)];
        cards[i + 1..].iter().any(|&b| all.has(Point(row[usize::from(b.0)])))
    })
}

/// Two pairs with one third card, as soon as one shows.
fn some_super(all: &PointSet) -> bool {
    let cards = all.to_array();
    let mut joints = PointSet::EMPTY;
    for (i, &a) in cards.iter().enumerate() {
        let row = &THIRD[usize::from(a.0)];
        for &b in &cards[i + 1..] {
            let joint = Point(row[usize::from(b.0)]);
            if joints.has(joint) {
                return true;
            }
            joints.add(joint);
        }
    }
    false
}

/// Triples on at least eight cards and fours on at least eight. A four on seven cards or fewer holds only triples on
/// as few, so the fours are counted by their exceptions.
fn count_eight(all: &[(Found, PointSet)]) -> u64 {
    let n = all.len() as u64;
    let fours = if n < 4 { 0 } else { n * (n - 1) / 2 * (n - 2) / 3 * (n - 3) / 4 };
    let (mut triples, mut small) = (0, 0);
    for (i, (_, a)) in all.iter().enumerate() {
        for (j, (_, b)) in all.iter().enumerate().skip(i + 1) {
            let two = a.or(b);
            for (k, (_, c)) in all.iter().enumerate().skip(j + 1) {
                let three = two.or(c);
                if three.len() >= EIGHT {
                    triples += 1;
                } else {
                    small += all[k + 1..].iter().filter(|(_, d)| three.or(d).len() < EIGHT).count() as u64;
                }
            }
        }
    }
    triples + fours - small
}
