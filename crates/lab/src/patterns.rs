//! Sets of points without a SuperSET, and without two disjoint Sets: exact counts (pattern rulebook, 5.2 and 5.4).

use crate::classes::{Class, Hereditary, members, next_level};
use crate::space::{PointSet, Space, points};

/// The points that can be added to `set`, which holds no SuperSET (PAT-SUPER), without completing one.
///
/// {a,b},{c,p} is one iff third(a,b) = third(c,p), so p = third(c, third(a,b)), for three members that are no line.
#[must_use]
pub fn without_super(space: &Space, set: PointSet) -> PointSet {
    let mut taken = set;
    for a in points(set) {
        for b in points(set & ((1 << a) - 1)) {
            let joint = space.third(a, b);
            for c in points(set & !(1 << a | 1 << b)) {
                if c != joint {
                    taken |= 1 << space.third(c, joint);
                }
            }
        }
    }
    space.all() & !taken
}

/// The points that can be added to `set`, whose Sets meet pairwise, so that they still do (no PAT-DOUBLE).
#[must_use]
pub fn without_double(space: &Space, set: PointSet) -> PointSet {
    let members: Vec<u8> = points(set).collect();
    let mut lines: Vec<PointSet> = Vec::new();
    let mut closing: Vec<Vec<PointSet>> = vec![Vec::new(); space.size()];
    for (i, &a) in members.iter().enumerate() {
        for &b in &members[..i] {
            let third = space.third(a, b);
            let pair: PointSet = 1 << a | 1 << b;
            if set >> third & 1 == 0 {
                closing[usize::from(third)].push(pair);
            } else if third < b {
                lines.push(pair | 1 << third);
            }
        }
    }
    points(space.all() & !set)
        .filter(|&p| closing[usize::from(p)].iter().all(|pair| lines.iter().all(|line| line & pair != 0)))
        .fold(0, |all, p| all | 1 << p)
}

/// Number of good sets of each size 0 to `most`, exactly: a good set of k points arises from k good sets one smaller, so
/// classes one smaller than wanted suffice. `progress` is told each size with the number of its classes.
#[must_use]
pub fn count<P: Hereditary>(
    space: &Space,
    most: usize,
    property: &P,
    progress: &mut impl FnMut(usize, usize),
) -> Vec<u128> {
    let mut counts = vec![1];
    let mut level = vec![Class { set: 0, stabiliser: space.group_order() }];
    for size in 1..=most {
        let extended: u128 = level
            .iter()
            .map(|class| {
                let extensions = property.extensions(space, class.set).count_ones();
                u128::from(members(space, class)) * u128::from(extensions)
            })
            .sum();
        counts.push(extended / size as u128);
        if size < most && extended > 0 {
            level = next_level(space, &level, property);
            progress(size, level.len());
        } else {
            level.clear();
        }
    }
    counts
}
