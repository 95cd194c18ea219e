//! Caps: sets of points without a line, that is, cards without a Set (pattern rulebook, 5.3).

use crate::classes::{Class, levels, members};
use crate::space::{PointSet, Space, points};

/// The caps of one size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapCount {
    /// Points in each.
    pub size: usize,
    /// How many there are.
    pub caps: u128,
    /// How many classes under the affine group.
    pub classes: usize,
    /// How many are complete: no point can be added.
    pub complete: u128,
    /// How many classes of complete ones.
    pub complete_classes: usize,
}

/// The points that can be added to the cap `set` without making a line.
#[must_use]
pub fn safe(space: &Space, set: PointSet) -> PointSet {
    let mut taken = set;
    let mut earlier = 0;
    for a in points(set) {
        for b in points(earlier) {
            taken |= 1 << space.third(a, b);
        }
        earlier |= 1 << a;
    }
    space.all() & !taken
}

/// Whether no three points of `set` are a line.
#[must_use]
pub fn is_cap(space: &Space, set: PointSet) -> bool {
    points(set).all(|a| points(set & ((1 << a) - 1)).all(|b| set >> space.third(a, b) & 1 == 0))
}

/// The classes of caps of AG(n,3), by size from 0.
#[must_use]
pub fn classes(space: &Space) -> Vec<Vec<Class>> {
    levels(space, space.size(), &safe)
}

/// The caps of AG(n,3), counted exactly by size.
#[must_use]
pub fn count(space: &Space) -> Vec<CapCount> {
    classes(space).iter().enumerate().map(|(size, level)| {
        let complete = level.iter().filter(|class| safe(space, class.set) == 0);
        CapCount {
            size,
            caps: level.iter().map(|class| u128::from(members(space, class))).sum(),
            classes: level.len(),
            complete: complete.clone().map(|class| u128::from(members(space, class))).sum(),
            complete_classes: complete.count(),
        }
    }).collect()
}
