//! How figures are written for people: chances, odds, and numbers with many digits.

use crate::{dom, t};

/// A whole number, with its thousands apart.
pub(super) fn whole(n: u64) -> String {
    dom::number(n as f64, 0)
}

/// A large number as people read it: with a power of ten where it has many digits.
pub(super) fn large(n: f64) -> String {
    if n < 1e9 {
        return dom::number(n, 0);
    }
    let power = n.log10().floor();
    let digits = format!("{power}");
    let raised = digits.chars().map(|d| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(d as usize - 48).unwrap_or(d));
    let (times, raised) = (n / 10f64.powf(power), raised.collect::<String>());
    if (times - 1.0).abs() < 1e-9 {
        format!("10{raised}")
    } else {
        format!("{} · 10{raised}", dom::number(times, 2))
    }
}

/// A chance as people read it: in per cent with the digits that matter, as long as that says something, else as one in so many.
pub(super) fn percent(p: f64) -> String {
    let digits = match p {
        _ if p == 0.0 || p >= 1e-3 => 2,
        _ if p >= 1e-5 => 4,
        _ => return t!("odds.one_in", n = large((1.0 / p).round())),
    };
    format!("{} %", dom::number(p * 100.0, digits))
}

/// Some against none, as people write it, from the chance of none.
pub(super) fn against(none: f64) -> String {
    if none == 0.0 {
        return t!("odds.certain");
    }
    let odds = (1.0 - none) / none;
    format!("{}:1", dom::number(odds, if odds < 100.0 { 2 } else { 0 }))
}
