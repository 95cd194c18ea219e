//! How many lines (Sets) random points hold: exact distributions (pattern rulebook, 5.4).
//!
//! A set of k points is counted through its subsets of size j: each class of j-sets, times its members, is extended
//! by every choice of k - j further points, and each k-set is met C(k,j) times. So the classes of 12-sets (41,407 in
//! AG(4,3)) are enough for 15 points.

use crate::classes::{Class, Hereditary, levels, members};
use crate::space::{PointSet, Space, points};

/// Number of subsets of `k` elements of a set of `n`.
///
/// # Panics
/// If the number has more than 127 bits.
#[must_use]
pub fn choose(n: u64, k: u64) -> u128 {
    if k > n {
        return 0;
    }
    (0..u128::from(k.min(n - k))).fold(1, |product, i| product * (u128::from(n) - i) / (i + 1))
}

/// Number of lines within `set`.
#[must_use]
pub fn lines_in(space: &Space, set: PointSet) -> usize {
    let through: usize = points(set)
        .map(|a| points(set & ((1 << a) - 1)).filter(|&b| set >> space.third(a, b) & 1 == 1).count())
        .sum();
    // Each line is met once for each of its three pairs.
    through / 3
}

/// Any set is good.
fn any(space: &Space, set: PointSet) -> PointSet {
    space.all() & !set
}

/// The classes of all sets of 0 to `size` points, by size.
#[must_use]
pub fn classes(space: &Space, size: usize) -> Vec<Vec<Class>> {
    levels(space, size, &any)
}

/// Of what size are the sets through which those of `k` points are counted.
#[must_use]
pub fn base(k: usize) -> usize {
    match k {
        0..=2 => k,
        3..=12 => k - 2,
        _ => k - 3,
    }
}

/// Entry `j`: the number of sets of `k` points of AG(n,3) that hold exactly `j` lines. Exact for any k up to 15, and
/// for all k where n is at most 3.
///
/// # Panics
/// If `k` is above 15 in AG(4,3): that is too many classes.
#[must_use]
pub fn distribution(space: &Space, k: usize) -> Vec<u128> {
    assert!(space.dim() < 4 || k <= 15, "at most 15 points of AG(4,3)");
    distribution_through(space, k, &classes(space, base(k))[base(k)])
}

/// As [`distribution`], with the classes of all sets of [`base`]`(k)` points at hand.
#[must_use]
pub fn distribution_through(space: &Space, k: usize, classes: &[Class]) -> Vec<u128> {
    let added = k - base(k);
    let mut counts = Vec::new();
    for class in classes {
        let mut of_class = [0u64; 256];
        extend(space, class.set, added, &mut of_class);
        let weight = u128::from(members(space, class));
        for (lines, &n) in of_class.iter().enumerate().filter(|(_, n)| **n > 0) {
            if counts.len() <= lines {
                counts.resize(lines + 1, 0);
            }
            counts[lines] += u128::from(n) * weight;
        }
    }
    let times = choose(k as u64, added as u64);
    for count in &mut counts {
        debug_assert_eq!(*count % times, 0);
        *count /= times;
    }
    counts
}

/// Counts, by the lines they hold, the sets that arise from `set` by adding `added` (0, 2 or 3) points.
fn extend(space: &Space, set: PointSet, added: usize, counts: &mut [u64; 256]) {
    let lines = lines_in(space, set);
    if added == 0 {
        counts[lines] += 1;
        return;
    }
    // Lines that a point would close with two members.
    let mut closes = [0u8; 81];
    let mut earlier = 0;
    for a in points(set) {
        for b in points(earlier) {
            closes[usize::from(space.third(a, b))] += 1;
        }
        earlier |= 1 << a;
    }
    let outside: Vec<u8> = points(space.all() & !set).collect();
    for (i, &p) in outside.iter().enumerate() {
        let with_p = lines + usize::from(closes[usize::from(p)]);
        if added == 2 {
            for &q in &outside[..i] {
                let through = (set >> space.third(p, q) & 1) as usize;
                counts[with_p + usize::from(closes[usize::from(q)]) + through] += 1;
            }
            continue;
        }
        // Lines that a point would close with members and p. The thirds of p with members never lie among q, r twice.
        let mut closes_p = closes;
        for a in points(set) {
            closes_p[usize::from(space.third(a, p))] += 1;
        }
        // All q, r before p as if they shared no line, by a convolution; then each line that they do share moves one up.
        let mut having = [0u64; 64];
        for &q in &outside[..i] {
            having[usize::from(closes_p[usize::from(q)])] += 1;
        }
        let high = having.iter().rposition(|&n| n > 0).map_or(0, |c| c + 1);
        for c in 0..high {
            counts[with_p + 2 * c] += having[c] * having[c].saturating_sub(1) / 2;
            for d in 0..c {
                counts[with_p + c + d] += having[c] * having[d];
            }
        }
        let before_p = outside[..i].iter().fold(0, |all: PointSet, &q| all | 1 << q);
        for &q in &outside[..i] {
            let with_q = with_p + usize::from(closes_p[usize::from(q)]);
            let before_q = before_p & ((1 << q) - 1);
            for a in points(set).chain([p]) {
                let r = space.third(a, q);
                if before_q >> r & 1 == 1 {
                    let lines = with_q + usize::from(closes_p[usize::from(r)]);
                    counts[lines] = counts[lines].wrapping_sub(1);
                    counts[lines + 1] = counts[lines + 1].wrapping_add(1);
                }
            }
        }
    }
}

/// The most lines that `k` points can hold, and a set that does, for AG(n,3).
///
/// A set with L lines on k points has a point on at most 3L/k of them; without it k - 1 points hold the rest. So sets
/// with at least L lines are found by extending only those that hold enough, from small sets up.
#[must_use]
pub fn most(space: &Space, k: usize) -> (usize, PointSet) {
    let mut goal = choose(k as u64, 2) as usize / 3;
    loop {
        // What a subset of each size must hold at the least.
        let mut least = vec![0usize; k + 1];
        least[k] = goal;
        for size in (1..=k).rev() {
            least[size - 1] = least[size] - 3 * least[size] / size;
        }
        let rich = Rich { least: &least };
        if let Some(class) = levels(space, k, &rich).get(k).and_then(|level| level.first()) {
            return (lines_in(space, class.set), class.set);
        }
        goal -= 1;
    }
}

/// Sets that hold as many lines as their size demands. Not hereditary, but each rich set has some rich subset one smaller.
struct Rich<'a> {
    least: &'a [usize],
}

impl Hereditary for Rich<'_> {
    const EVERY_SUBSET: bool = false;

    fn extensions(&self, space: &Space, set: PointSet) -> PointSet {
        let size = set.count_ones() as usize;
        let lines = lines_in(space, set);
        points(space.all() & !set)
            .filter(|&p| {
                let closed = points(set).filter(|&a| set >> space.third(a, p) & 1 == 1).count() / 2;
                lines + closed >= self.least[size + 1]
            })
            .fold(0, |all, p| all | 1 << p)
    }
}
