//! Statistics of simulations and tournaments: sums that do not depend on order, intervals, an exact test, ratings.

use serde::Serialize;

/// Sums of whole numbers, from which mean and deviation follow. Adding is associative and commutative, exactly, so
/// results do not depend on how work was split among threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// How many numbers.
    pub n: u64,
    /// Their sum.
    pub sum: i128,
    /// Sum of their squares.
    pub squares: i128,
}

impl Sums {
    /// Takes in a number.
    pub fn add(&mut self, value: i64) {
        self.n += 1;
        self.sum += i128::from(value);
        self.squares += i128::from(value) * i128::from(value);
    }
    /// Takes in what another has taken in.
    pub fn merge(&mut self, other: &Sums) {
        self.n += other.n;
        self.sum += other.sum;
        self.squares += other.squares;
    }
    /// The mean; 0 of nothing.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.n == 0 { 0.0 } else { self.sum as f64 / self.n as f64 }
    }
    /// Standard error of the mean; 0 of fewer than two numbers.
    #[must_use]
    pub fn error(&self) -> f64 {
        if self.n < 2 {
            return 0.0;
        }
        let n = self.n as f64;
        let squares = self.squares as f64 - self.sum as f64 * self.sum as f64 / n;
        (squares.max(0.0) / (n - 1.0) / n).sqrt()
    }
}

/// A range that holds the true value with the stated confidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// The quantile of the normal distribution for two-sided 95 %.
pub const Z95: f64 = 1.959_963_984_540_054;

/// 95 % interval of a share (Wilson 1927).
#[must_use]
pub fn wilson(hits: u64, of: u64) -> Interval {
    wilson_share(hits as f64 / of.max(1) as f64, of as f64)
}

/// The same of a share that was seen in so many cases, which need not be a whole number.
fn wilson_share(p: f64, n: f64) -> Interval {
    if n <= 0.0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let z2 = Z95 * Z95;
    let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z95 / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    Interval { low: (centre - half).max(0.0), high: (centre + half).min(1.0) }
}

/// 95 % interval of a share over clusters: `hits` holds how many of the `each` cases of a cluster (the seats of one deal) were
/// hits. As many cases count as would be independent: what they share is found in how much the clusters differ (the design effect,
/// Kish 1965). Where all are hits or none, each cluster counts as one case.
#[must_use]
pub fn clustered_share(hits: &Sums, each: f64) -> Interval {
    let (clusters, p) = (hits.n as f64, (hits.mean() / each).clamp(0.0, 1.0));
    let alone = p * (1.0 - p) / (clusters * each);
    let together = (hits.error() / each).powi(2);
    let effect = if alone > 0.0 { (together / alone).max(1.0) } else { each };
    wilson_share(p, clusters * each / effect)
}

/// 95 % interval of a mean over clusters: each number is the mean of one cluster (all matches of one seed), so that what
/// matches of a cluster share does not feign precision.
#[must_use]
pub fn clustered(means: &[f64]) -> Interval {
    let n = means.len() as f64;
    let mean = means.iter().sum::<f64>() / n.max(1.0);
    if means.len() < 2 {
        return Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };
    }
    let variance = means.iter().map(|m| (m - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let half = student95(means.len() - 1) * (variance / n).sqrt();
    Interval { low: mean - half, high: mean + half }
}

/// The same of a share, from 0 to 1. Where all clusters are alike each counts as one case (Wilson): that nothing has differed yet is not
/// that nothing can.
#[must_use]
pub fn clustered_means(shares: &[f64]) -> Interval {
    if let Some(first) = shares.first().filter(|first| shares.iter().all(|share| share == *first)) {
        return wilson_share(*first, shares.len() as f64);
    }
    let Interval { low, high } = clustered(shares);
    Interval { low: low.max(0.0), high: high.min(1.0) }
}

/// Two-sided 95 % quantile of Student's distribution, by the expansion of Cornish and Fisher (within 0.5 % from 4
/// degrees of freedom; the first three are tabulated).
#[must_use]
pub fn student95(freedom: usize) -> f64 {
    match freedom {
        0 => f64::INFINITY,
        1 => 12.706,
        2 => 4.303,
        3 => 3.182,
        _ => {
            let (v, z) = (freedom as f64, Z95);
            let (z3, z5, z7) = (z.powi(3), z.powi(5), z.powi(7));
            z + (z3 + z) / (4.0 * v)
                + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * v * v)
                + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * v * v * v)
        }
    }
}

/// Two-sided p-value of the exact sign test: how likely a split at least as uneven is if both sides are equal.
#[must_use]
pub fn sign_test(wins: u64, losses: u64) -> f64 {
    let n = wins + losses;
    let fewer = wins.min(losses);
    // Sum of C(n,i) / 2^n for i up to `fewer`, in logarithms so that nothing overflows.
    let mut log_term = -(n as f64) * std::f64::consts::LN_2;
    let mut tail = log_term.exp();
    for i in 1..=fewer {
        log_term += ((n - i + 1) as f64).ln() - (i as f64).ln();
        tail += log_term.exp();
    }
    (2.0 * tail).min(1.0)
}

/// Ratings on the scale of Elo from a table of points won (`points[i][j]`: what i won against j, a draw half), by the
/// model of Bradley and Terry, fitted by minorisation (Hunter 2004). Half a point is added to each pair that met, so that
/// a player who won all stays finite. The mean rating is 0.
#[must_use]
pub fn ratings(points: &[Vec<f64>]) -> Vec<f64> {
    let n = points.len();
    let won = |i: usize, j: usize| {
        let met = points[i][j] + points[j][i] > 0.0;
        points[i][j] + if met { 0.5 } else { 0.0 }
    };
    let mut strength = vec![1.0f64; n];
    for _ in 0..10_000 {
        let mut next = strength.clone();
        for i in 0..n {
            let total: f64 = (0..n).filter(|&j| j != i).map(|j| won(i, j)).sum();
            let weight: f64 = (0..n)
                .filter(|&j| j != i)
                .map(|j| (won(i, j) + won(j, i)) / (strength[i] + strength[j]))
                .sum();
            if weight > 0.0 {
                next[i] = total / weight;
            }
        }
        let scale = (next.iter().map(|s| s.ln()).sum::<f64>() / n.max(1) as f64).exp();
        next.iter_mut().for_each(|s| *s /= scale);
        let moved = next.iter().zip(&strength).map(|(a, b)| (a / b).ln().abs()).fold(0.0, f64::max);
        strength = next;
        if moved < 1e-10 {
            break;
        }
    }
    strength.iter().map(|s| 400.0 * s.log10()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_do_not_depend_on_the_split() {
        let numbers = [3, -5, 12, 0, 7, 7, -1];
        let mut all = Sums::default();
        numbers.iter().for_each(|&n| all.add(n));
        let (mut left, mut right) = (Sums::default(), Sums::default());
        numbers[..3].iter().for_each(|&n| left.add(n));
        numbers[3..].iter().for_each(|&n| right.add(n));
        right.merge(&left);
        assert_eq!(all, right);
        assert!(
            (all.mean() - 23.0 / 7.0).abs() < 1e-12 && (all.error() - 2.19).abs() < 1e-3,
            "{}",
            all.error()
        );
    }

    #[test]
    fn known_quantiles() {
        for (freedom, table) in [(4, 2.776), (5, 2.571), (10, 2.228), (30, 2.042), (1000, 1.962)] {
            assert!((student95(freedom) - table).abs() / table < 0.005, "{freedom}: {}", student95(freedom));
        }
        let w = wilson(8, 10);
        assert!((w.low - 0.4902).abs() < 1e-3 && (w.high - 0.9433).abs() < 1e-3, "{w:?}");
    }

    #[test]
    fn sign_test_by_hand() {
        assert!((sign_test(0, 5) - 2.0 / 32.0).abs() < 1e-12);
        assert!((sign_test(8, 2) - 2.0 * 56.0 / 1024.0).abs() < 1e-12);
        assert_eq!(sign_test(3, 3), 1.0);
        assert!(sign_test(400, 600) < 1e-9);
    }

    #[test]
    fn three_wins_in_four_are_191_points() {
        let many = 100_000.0;
        let r = ratings(&[vec![0.0, 0.75 * many], vec![0.25 * many, 0.0]]);
        assert!((r[0] - r[1] - 190.85).abs() < 0.1, "{r:?}");
        assert!((r[0] + r[1]).abs() < 1e-6);
        assert!(ratings(&[vec![0.0, 10.0], vec![0.0, 0.0]]).iter().all(|r| r.is_finite()));
    }

    /// Three seats that always do the same are as good as one.
    #[test]
    fn seats_of_a_deal_count_together() {
        let (mut same, mut apart) = (Sums::default(), Sums::default());
        for i in 0..400 {
            same.add(if i % 2 == 0 { 3 } else { 0 });
            apart.add([1, 2][i % 2]);
        }
        let width = |i: Interval| i.high - i.low;
        let (one, three) = (width(wilson(200, 400)), width(wilson(600, 1200)));
        assert!((width(clustered_share(&same, 3.0)) / one - 1.0).abs() < 0.01);
        assert!((width(clustered_share(&apart, 3.0)) / three - 1.0).abs() < 0.01);
        let mut all = Sums::default();
        (0..10).for_each(|_| all.add(3));
        assert_eq!(clustered_share(&all, 3.0), wilson(10, 10));
    }

    #[test]
    fn clusters_widen_the_interval() {
        let i = clustered(&[1.0, 2.0, 3.0, 4.0]);
        assert!((i.high + i.low - 5.0).abs() < 1e-9 && (i.high - 2.5 - 3.182 * 0.6455).abs() < 1e-3);
    }
}
