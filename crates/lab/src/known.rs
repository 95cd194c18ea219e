//! What is known of the largest caps beyond what can be counted here: published results, and the bounds that follow.

use crate::fourier;

/// A published result about the largest cap of a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The dimension.
    pub dim: u32,
    /// A cap of so many points is there.
    pub least: u64,
    /// Whether no larger one is.
    pub exact: bool,
    /// Who found it.
    pub source: &'static str,
}

/// The largest caps, by dimension from 1. For 7 and 8 the paper that is named lists the best there are; 512 is its own.
pub const LARGEST: [Known; 8] = [
    Known { dim: 1, least: 2, exact: true, source: "" },
    Known { dim: 2, least: 4, exact: true, source: "" },
    Known { dim: 3, least: 9, exact: true, source: "Bose 1947" },
    Known { dim: 4, least: 20, exact: true, source: "Pellegrino 1971" },
    Known { dim: 5, least: 45, exact: true, source: "Edel, Ferret, Landjev, Storme 2002" },
    Known { dim: 6, least: 112, exact: true, source: "Potechin 2008" },
    Known { dim: 7, least: 236, exact: false, source: "Romera-Paredes et al. 2024" },
    Known { dim: 8, least: 512, exact: false, source: "Romera-Paredes et al. 2024" },
];

/// A published bound on how the largest caps grow with the dimension n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Growth {
    /// As a formula; C and e stand for constants above 0.
    pub bound: &'static str,
    /// Whether it is a bound from above.
    pub above: bool,
    /// Who found it.
    pub source: &'static str,
}

/// How the largest caps grow, by year.
pub const GROWTH: [Growth; 7] = [
    Growth { bound: "o(3ⁿ)", above: true, source: "Brown, Buhler 1982" },
    Growth { bound: "2 · 3ⁿ / n", above: true, source: "Meshulam 1995" },
    Growth { bound: "2.2174ⁿ", above: false, source: "Edel 2004" },
    Growth { bound: "C · 3ⁿ / n¹⁺ᵉ", above: true, source: "Bateman, Katz 2012" },
    Growth { bound: "2.756ⁿ", above: true, source: "Croot, Lev, Pach; Ellenberg, Gijswijt 2017" },
    Growth { bound: "2.2180ⁿ", above: false, source: "Tyrrell 2022" },
    Growth { bound: "2.2202ⁿ", above: false, source: "Romera-Paredes et al. 2024" },
];

/// What bounds the largest cap of one dimension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Between {
    /// All points.
    pub points: f64,
    /// A cap of so many points is there: the largest product of known caps.
    pub least: f64,
    /// None has more, by waves ([`fourier::bound`], one dimension after another from the largest that is known).
    pub waves: f64,
    /// None has more, by polynomials (Ellenberg and Gijswijt): three times the products of powers 0 to 2 of n variables whose
    /// powers add up to 2n/3 at most.
    pub polynomials: f64,
}

/// Dimensions that can be asked about.
pub const MOST_DIM: u32 = 200;

/// The bounds for a dimension from 1 to [`MOST_DIM`]; a larger one counts as that.
#[must_use]
pub fn between(dim: u32) -> Between {
    let dim = dim.clamp(1, MOST_DIM);
    let mut least: Vec<f64> = vec![1.0];
    for n in 1..=dim as usize {
        let known =
            LARGEST.iter().find(|known| known.dim as usize == n).map_or(0.0, |known| known.least as f64);
        least.push((1..n).map(|i| least[i] * least[n - i]).fold(known, f64::max));
    }
    let mut waves = 1.0f64;
    for n in 1..=dim {
        let size = 3f64.powi(n as i32);
        let exact = LARGEST.iter().find(|known| known.dim == n && known.exact);
        waves = exact.map_or_else(
            || {
                let bound = size * (3.0 * waves + 1.0) / (size + 3.0 * waves);
                // A cap has whole points; of large numbers the digits behind the point are not there.
                if bound < 1e15 { (bound + 1e-9).floor() } else { bound }
            },
            |known| known.least as f64,
        );
    }
    Between {
        points: 3f64.powi(dim as i32),
        least: least[dim as usize],
        waves,
        polynomials: 3.0 * monomials(dim),
    }
}

/// How many products of powers 0 to 2 of `dim` variables have powers that add up to 2/3 of `dim` at most.
fn monomials(dim: u32) -> f64 {
    let mut by_degree = vec![1.0f64];
    for _ in 0..dim {
        let mut next = vec![0.0; by_degree.len() + 2];
        for (degree, n) in by_degree.iter().enumerate() {
            (0..3).for_each(|power| next[degree + power] += n);
        }
        by_degree = next;
    }
    by_degree[..=(2 * dim / 3) as usize].iter().sum()
}

/// The bound of [`fourier::bound`] for the dimensions whose largest caps are known, with the largest cap: dimension, bound as
/// a fraction, largest cap.
#[must_use]
pub fn by_waves() -> Vec<(u32, String, f64, u64)> {
    let mut below = 1;
    let exact = LARGEST.iter().filter(|known| known.exact);
    exact
        .map(|known| {
            let bound = fourier::bound(known.dim, below);
            below = known.least;
            (known.dim, bound.to_string(), bound.value(), known.least)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{caps, space::Space};

    #[test]
    fn what_can_be_counted_is_as_published() {
        for known in &LARGEST[..4] {
            let counted = caps::count(&Space::new(known.dim)).iter().rposition(|c| c.caps > 0);
            assert_eq!(counted, Some(known.least as usize), "AG({},3)", known.dim);
        }
    }

    #[test]
    fn bounds_hold_what_is_known() {
        for dim in 1..=MOST_DIM {
            let of = between(dim);
            assert!(of.least <= of.waves && of.least <= of.polynomials, "{dim}: {of:?}");
            assert!(of.waves <= of.points, "{dim}: {of:?}");
        }
        for (dim, _, bound, largest) in by_waves() {
            assert!(largest as f64 <= bound, "AG({dim},3)");
        }
        assert_eq!(between(12).least, 112.0 * 112.0);
    }

    /// Waves give less than all points only by a factor of the dimension, polynomials by a power: they win in the end.
    #[test]
    fn polynomials_win_in_the_end() {
        let wins = (1..=MOST_DIM).find(|&dim| between(dim).polynomials < between(dim).waves);
        let wins = wins.expect("they do win");
        assert!((20..120).contains(&wins), "{wins}");
        let rate = (between(200).polynomials / between(100).polynomials).powf(0.01);
        assert!((2.74..2.757).contains(&rate), "{rate}: 2.756^n, but for a factor of a root of n");
    }
}
