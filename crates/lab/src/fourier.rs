//! Sets of points through their waves: how evenly each family of parallel hyperplanes splits them, the lines that follow
//! from it, and the bound on caps that follows from that (after Meshulam 1995).
//!
//! A direction `f` splits a set A into three parts by the value of f·p; these have h0, h1, h2 points. Its *wave* is
//! W = h0 + h1 w + h2 w², w a third root of 1: three arrows at 120 degrees, added. Since the sum of w^(f·s) over all f is
//! 3^n for s = 0 and else 0, the ordered triples of A with sum 0 number (|A|³ + sum of W³ over all f but 0) / 3^n. They
//! are the |A| triples p, p, p and each line six times.
//!
//! In a cap there are none but the first. If no hyperplane holds more than m of its points, W = -((m - h0) + (m - h1) w + (m - h2) w²)
//! has at most the length 3m - |A|; and the squares of all lengths add up to 3^n |A|. So
//! |A|³/3^n - |A| <= (3m - |A|)(|A| - |A|²/3^n), which is |A| <= 3^n (3m + 1) / (3^n + 3m).

use crate::odds::Fraction;
use crate::space::{PointSet, Space, points};

/// How one direction splits a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wave {
    /// The direction, as a point; its opposite splits alike.
    pub direction: u8,
    /// How many points lie in each of the three parallel hyperplanes.
    pub parts: [u64; 3],
}

impl Wave {
    /// The square of the length of the three arrows' sum.
    #[must_use]
    pub fn square(&self) -> u64 {
        let [a, b] = self.turned();
        (a * a - a * b + b * b).unsigned_abs()
    }

    /// What this direction and its opposite add to the number of triples, times 3^n: twice the real part of the cube.
    #[must_use]
    pub fn cubes(&self) -> i64 {
        let [a, b] = self.turned();
        2 * (a * a * a + b * b * b) - 3 * a * b * (a + b)
    }

    /// The sum of the arrows as a + b w.
    fn turned(&self) -> [i64; 2] {
        let [x, y, z] = self.parts.map(|n| n as i64);
        [x - z, y - z]
    }
}

/// The waves of a set, one for each direction and its opposite.
#[must_use]
pub fn waves(space: &Space, set: PointSet) -> Vec<Wave> {
    let digits = |p: u8| (0..space.dim()).map(move |place| p as usize / 3usize.pow(place) % 3);
    (1..space.size() as u8)
        .filter(|&f| f < space.minus(f))
        .map(|direction| {
            let mut parts = [0; 3];
            for p in points(set) {
                let value: usize = digits(direction).zip(digits(p)).map(|(f, p)| f * p).sum();
                parts[value % 3] += 1;
            }
            Wave { direction, parts }
        })
        .collect()
}

/// The lines that a set of so many points holds, by its waves alone.
#[must_use]
pub fn lines(space: &Space, count: u64, waves: &[Wave]) -> u64 {
    let count = count as i64;
    let triples = (count.pow(3) + waves.iter().map(Wave::cubes).sum::<i64>()) / space.size() as i64;
    ((triples - count) / 6).unsigned_abs()
}

/// No cap of AG(`dim`,3) is larger, if none one dimension below has more than `below` points.
///
/// # Panics
/// If `dim` is above 40.
#[must_use]
pub fn bound(dim: u32, below: u64) -> Fraction {
    let (size, below) = (3u128.pow(dim), u128::from(below));
    Fraction::new(size * (3 * below + 1), size + 3 * below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::caps;
    use crate::lines::lines_in;
    use game::chance::SplitMix;

    #[test]
    fn waves_count_the_lines() {
        let mut dice = SplitMix(1);
        for dim in 1..=4 {
            let space = Space::new(dim);
            for _ in 0..200 {
                let set = (u128::from(dice.bits()) << 64 | u128::from(dice.bits())) & space.all();
                let (waves, count) = (waves(&space, set), u64::from(set.count_ones()));
                assert_eq!(waves.len(), (space.size() - 1) / 2);
                assert_eq!(lines(&space, count, &waves), lines_in(&space, set) as u64);
                let squares: u64 = 2 * waves.iter().map(Wave::square).sum::<u64>() + count * count;
                assert_eq!(squares, space.size() as u64 * count, "Parseval");
            }
        }
    }

    /// The bound is sharp in dimensions 1 to 3, and one too high in the fourth.
    #[test]
    fn no_cap_is_larger_than_its_bound() {
        let mut below = 1;
        for (dim, text, largest) in [(1, "2/1", 2), (2, "21/5", 4), (3, "9/1", 9), (4, "21/1", 20)] {
            let most = caps::count(&Space::new(dim)).iter().rposition(|c| c.caps > 0).unwrap() as u64;
            assert_eq!((bound(dim, below).to_string().as_str(), most), (text, largest), "AG({dim},3)");
            assert!(most as f64 <= bound(dim, below).value());
            below = most;
        }
    }

    /// What the bound rests on: no wave of a cap is longer than three times the fullest hyperplane less all points.
    #[test]
    fn waves_of_a_cap_are_short() {
        for dim in 2..=4 {
            let space = Space::new(dim);
            for class in caps::classes(&space).iter().flatten() {
                let (waves, count) = (waves(&space, class.set), i64::from(class.set.count_ones()));
                let fullest = waves.iter().flat_map(|w| w.parts).max().unwrap_or(0) as i64;
                let longest = waves.iter().map(Wave::square).max().unwrap_or(0) as i64;
                assert!(longest <= (3 * fullest - count).pow(2), "{:?}", class.set);
            }
        }
    }
}
