//! What sentences for people are put together with.

/// So many things: `no cards`, `one card`, `twelve cards`, `13 cards`.
#[must_use]
pub fn count(n: impl Into<i64>, one: &str, many: &str) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    let n = n.into();
    let word =
        usize::try_from(n).ok().and_then(|n| WORDS.get(n)).map_or_else(|| n.to_string(), |w| (*w).to_owned());
    format!("{word} {}", if n == 1 { one } else { many })
}

/// So often: `never`, `once`, `twice`, `three times`.
#[must_use]
pub fn times(n: impl Into<i64>) -> String {
    match n.into() {
        0 => "never".to_owned(),
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        n => count(n, "time", "times"),
    }
}

/// The first letter made great.
#[must_use]
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

/// `a`, `a and b`, `a, b and c`; `and` may be another word.
#[must_use]
pub fn listed(items: &[impl AsRef<str>], and: &str) -> String {
    match items.split_last() {
        None => String::new(),
        Some((last, [])) => last.as_ref().to_owned(),
        Some((last, before)) => {
            let before: Vec<&str> = before.iter().map(AsRef::as_ref).collect();
            format!("{} {and} {}", before.join(", "), last.as_ref())
        }
    }
}

/// Numbers that rise, in words: `7`, `12 and 13`, `9 to 14`, `9 to 11 and 14`.
#[must_use]
pub fn numbers(rising: &[u16]) -> String {
    let mut spans: Vec<(u16, u16)> = Vec::new();
    for &n in rising {
        match spans.last_mut() {
            Some((_, last)) if *last + 1 == n => *last = n,
            _ => spans.push((n, n)),
        }
    }
    let words: Vec<String> = spans
        .into_iter()
        .flat_map(|(first, last)| match last - first {
            0 => vec![first.to_string()],
            1 => vec![first.to_string(), last.to_string()],
            _ => vec![format!("{first} to {last}")],
        })
        .collect();
    listed(&words, "and")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_lists_in_words() {
        assert_eq!(count(0, "card", "cards"), "no cards");
        assert_eq!(count(1, "card", "cards"), "one card");
        assert_eq!(count(13, "card", "cards"), "13 cards");
        assert_eq!(listed(&["a", "b", "c"], "or"), "a, b or c");
        assert_eq!(
            [&[7][..], &[12, 13], &[9, 10, 11, 12, 13, 14], &[9, 10, 11, 14]].map(numbers),
            ["7", "12 and 13", "9 to 14", "9 to 11 and 14"]
        );
        assert_eq!(capital("äpfel"), "Äpfel");
    }
}
