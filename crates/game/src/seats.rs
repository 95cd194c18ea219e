//! Seats and sets of seats.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A place at the table, from 0, clockwise.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(transparent)]
pub struct Seat(pub u8);

impl Seat {
    /// Most seats a table can have.
    pub const MOST: u8 = 12;

    /// As an index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The seat `steps` further on at a table of `seats`, clockwise; negative steps go back.
    #[must_use]
    pub fn step(self, steps: i32, seats: u8) -> Seat {
        Seat((i32::from(self.0) + steps).rem_euclid(i32::from(seats)) as u8)
    }

    /// All seats of a table of `seats`, clockwise from this one.
    pub fn around(self, seats: u8) -> impl Iterator<Item = Seat> {
        (0..i32::from(seats)).map(move |steps| self.step(steps, seats))
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A set of seats. In JSON: a number whose bit `n` says whether seat `n` is in it.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(transparent)]
pub struct SeatSet(pub u16);

impl SeatSet {
    /// No seat.
    pub const NONE: SeatSet = SeatSet(0);

    /// All seats of a table of `seats`.
    #[must_use]
    pub const fn all(seats: u8) -> SeatSet {
        SeatSet(((1u32 << seats) - 1) as u16)
    }
    /// Just this seat.
    #[must_use]
    pub const fn one(seat: Seat) -> SeatSet {
        SeatSet(1 << seat.0)
    }
    /// Whether `seat` is in it.
    #[must_use]
    pub const fn has(self, seat: Seat) -> bool {
        self.0 >> seat.0 & 1 == 1
    }
    /// Puts `seat` in.
    pub const fn add(&mut self, seat: Seat) {
        self.0 |= 1 << seat.0;
    }
    /// Takes `seat` out.
    pub const fn remove(&mut self, seat: Seat) {
        self.0 &= !(1 << seat.0);
    }
    /// With `seat`, too.
    #[must_use]
    pub const fn with(self, seat: Seat) -> SeatSet {
        SeatSet(self.0 | 1 << seat.0)
    }
    /// Without `seat`.
    #[must_use]
    pub const fn without(self, seat: Seat) -> SeatSet {
        SeatSet(self.0 & !(1 << seat.0))
    }
    /// Those in both.
    #[must_use]
    pub const fn and(self, other: SeatSet) -> SeatSet {
        SeatSet(self.0 & other.0)
    }
    /// Those in either.
    #[must_use]
    pub const fn or(self, other: SeatSet) -> SeatSet {
        SeatSet(self.0 | other.0)
    }
    /// Those in this but not in `other`.
    #[must_use]
    pub const fn minus(self, other: SeatSet) -> SeatSet {
        SeatSet(self.0 & !other.0)
    }
    /// Whether nobody is in it.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
    /// How many.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }
    /// Whether all of `other` are in it.
    #[must_use]
    pub const fn contains_all(self, other: SeatSet) -> bool {
        other.0 & !self.0 == 0
    }
    /// In rising order.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let seat = rest.trailing_zeros() as u8;
                rest &= rest - 1;
                Seat(seat)
            })
        })
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> SeatSet {
        seats.into_iter().fold(SeatSet::NONE, SeatSet::with)
    }
}

impl fmt::Debug for SeatSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|s| s.0)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_seats() {
        let set: SeatSet = [Seat(0), Seat(3), Seat(11)].into_iter().collect();
        assert_eq!(set.iter().map(|s| s.0).collect::<Vec<_>>(), [0, 3, 11]);
        assert_eq!(set.without(Seat(3)).len(), 2);
        assert!(SeatSet::all(12).contains_all(set) && !SeatSet::all(11).contains_all(set));
        assert_eq!(Seat(0).step(-1, 4), Seat(3));
    }
}
