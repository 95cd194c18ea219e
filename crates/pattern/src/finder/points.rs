//! Sets of cards as bits.

use arrayvec::ArrayVec;
use cards::Point;

/// A set of pattern cards, any deck.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PointSet([u64; 4]);

impl PointSet {
    /// No card.
    pub const EMPTY: PointSet = PointSet([0; 4]);

    /// These cards.
    #[must_use]
    #[inline]
    pub fn of(cards: &[Point]) -> PointSet {
        let mut set = PointSet::EMPTY;
        cards.iter().for_each(|&card| set.add(card));
        set
    }

    /// As bits, card 0 the lowest of the first word.
    #[cfg(target_arch = "x86_64")]
    pub(super) const fn words(&self) -> [u64; 4] {
        self.0
    }

    /// Puts a card in.
    pub const fn add(&mut self, card: Point) {
        self.0[card.0 as usize >> 6] |= 1 << (card.0 & 63);
    }

    /// Takes a card out.
    pub const fn remove(&mut self, card: Point) {
        self.0[card.0 as usize >> 6] &= !(1 << (card.0 & 63));
    }

    /// Whether the card is in it.
    #[must_use]
    pub const fn has(&self, card: Point) -> bool {
        self.0[card.0 as usize >> 6] >> (card.0 & 63) & 1 == 1
    }

    /// How many cards.
    #[must_use]
    pub const fn len(&self) -> usize {
        let [a, b, c, d] = self.0;
        (a.count_ones() + b.count_ones() + c.count_ones() + d.count_ones()) as usize
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        let [a, b, c, d] = self.0;
        a | b | c | d == 0
    }

    /// Those in either.
    #[must_use]
    pub const fn or(&self, other: &PointSet) -> PointSet {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        PointSet([a | e, b | f, c | g, d | h])
    }

    /// Those in both.
    #[must_use]
    pub const fn and(&self, other: &PointSet) -> PointSet {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        PointSet([a & e, b & f, c & g, d & h])
    }

    /// Those in this but not in `other`.
    #[must_use]
    pub const fn minus(&self, other: &PointSet) -> PointSet {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        PointSet([a & !e, b & !f, c & !g, d & !h])
    }

    /// Whether a card is in both.
    #[must_use]
    pub const fn meets(&self, other: &PointSet) -> bool {
        !self.and(other).is_empty()
    }

    /// The cards, codes ascending.
    pub fn iter(&self) -> impl Iterator<Item = Point> + use<> {
        self.0.into_iter().enumerate().flat_map(|(word, bits)| {
            let mut rest = bits;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros() as u8;
                    rest &= rest - 1;
                    Point((word as u8) << 6 | bit)
                })
            })
        })
    }

    pub(super) fn to_array(self) -> ArrayVec<Point, 256> {
        let mut cards = ArrayVec::new();
        for (word, &bits) in self.0.iter().enumerate() {
            let mut rest = bits;
            while rest != 0 {
                cards.push(Point((word as u8) << 6 | rest.trailing_zeros() as u8));
                rest &= rest - 1;
            }
        }
        cards
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(cards: I) -> PointSet {
        let mut set = PointSet::EMPTY;
        cards.into_iter().for_each(|card| set.add(card));
        set
    }
}
