//! What sentences for people are put together with.

use crate::{Say, Value, say};

/// A number as a sentence of a rule sheet says it: in words up to twelve, where the language does so.
#[must_use]
pub fn number(n: impl Into<i64>) -> Value {
    match n.into() {
        0 => say!("rule.number.zero").into(),
        1 => say!("rule.number.one").into(),
        2 => say!("rule.number.two").into(),
        3 => say!("rule.number.three").into(),
        4 => say!("rule.number.four").into(),
        5 => say!("rule.number.five").into(),
        6 => say!("rule.number.six").into(),
        7 => say!("rule.number.seven").into(),
        8 => say!("rule.number.eight").into(),
        9 => say!("rule.number.nine").into(),
        10 => say!("rule.number.ten").into(),
        11 => say!("rule.number.eleven").into(),
        12 => say!("rule.number.twelve").into(),
        n => n.into(),
    }
}

/// The same where it begins a sentence.
#[must_use]
pub fn number_first(n: impl Into<i64>) -> Value {
    match n.into() {
        0 => say!("rule.number_first.zero").into(),
        1 => say!("rule.number_first.one").into(),
        2 => say!("rule.number_first.two").into(),
        3 => say!("rule.number_first.three").into(),
        4 => say!("rule.number_first.four").into(),
        5 => say!("rule.number_first.five").into(),
        6 => say!("rule.number_first.six").into(),
        7 => say!("rule.number_first.seven").into(),
        8 => say!("rule.number_first.eight").into(),
        9 => say!("rule.number_first.nine").into(),
        10 => say!("rule.number_first.ten").into(),
        11 => say!("rule.number_first.eleven").into(),
        12 => say!("rule.number_first.twelve").into(),
        n => n.into(),
    }
}

/// So often: `never`, `once`, `twice`, `three times`, to be said.
#[must_use]
pub fn so_often(n: impl Into<i64>) -> Say {
    match n.into() {
        0 => say!("rule.times.never"),
        1 => say!("rule.times.once"),
        2 => say!("rule.times.twice"),
        n => say!("rule.times.some", words = number(n)),
    }
}

/// Numbers that rise, to be said: `7`, `12 and 13`, `9 to 14`, `9 to 11 and 14`.
#[must_use]
pub fn numbers_to_say(rising: &[u16]) -> Say {
    let mut spans: Vec<(u16, u16)> = Vec::new();
    for &n in rising {
        match spans.last_mut() {
            Some((_, last)) if *last + 1 == n => *last = n,
            _ => spans.push((n, n)),
        }
    }
    let one = |n: u16| say!("list.name", name = n);
    let words = spans.into_iter().flat_map(|(first, last)| match last - first {
        0 => vec![one(first)],
        1 => vec![one(first), one(last)],
        _ => vec![say!("rule.span", first = first, last = last)],
    });
    Say::all(words.collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_lists_in_words() {
        let cards = |n: i64| say!("rule.pattern.open.one", n = n, words = number_first(n)).to_string();
        assert_eq!(
            [2, 12, 13].map(cards),
            ["Two cards lie open.", "Twelve cards lie open.", "13 cards lie open."]
        );
        assert_eq!([0, 1, 2, 3].map(|n| so_often(n).to_string()), ["never", "once", "twice", "three times"]);
        assert_eq!(
            [&[7][..], &[12, 13], &[9, 10, 11, 12, 13, 14], &[9, 10, 11, 14]]
                .map(|numbers| numbers_to_say(numbers).to_string()),
            ["7", "12 and 13", "9 to 14", "9 to 11 and 14"]
        );
    }
}
