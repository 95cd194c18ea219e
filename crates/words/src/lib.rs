//! The language files of the app, `crates/web/lang/*.toml`: every sentence by its key, read, compared with English, and divided
//! among the programs of the app, so that none loads the words of another.
//!
//! `{name}` in a sentence is replaced. `{n|card|cards}` picks the form that goes with the number `n`: the forms stand in the
//! order of `language.plurals`, which names those of the language as Unicode does (`one other`). `{form=f,ms|verte|verts|vert}`
//! picks by a word: a form for each that is listed, and the last for all others.
//!
//! ```
//! use words::Language;
//!
//! let english = Language::read("en", "[language]\nplurals = 'one other'\n[hand]\nsize = '{n} {n|card|cards}'").unwrap();
//! assert_eq!(english.get("hand.size"), Some("{n} {n|card|cards}"));
//! // What the app reads: a line for each sentence, which begins with the key's number.
//! assert!(english.file().lines().any(|line| line[4..] == *"{n} {n|card|cards}" && line[..4] == words::text_of(words::id("hand.size"))));
//!
//! let german = Language::read("de", "[language]\nplurals = 'one other'\n[hand]\nsize = '{n|Karte|Karten}'").unwrap();
//! assert_eq!(german.faults(&english), ["de: hand.size does not say {n}"]);
//! ```

//!
//! Neither the programs nor what they read hold the keys, which would be a third of it: they know them by [`id`].

#[cfg(feature = "files")]
mod files;
#[cfg(feature = "speaker")]
mod speaker;
mod tongue;

#[cfg(feature = "files")]
pub use files::{Language, SHEET, SOURCE, english, is_said_by, printed, read_folder, text_of};
#[cfg(feature = "speaker")]
pub use speaker::{Speaker, spoken, spoken_codes};
pub use tongue::Tongue;

/// How many letters of a line are its key's number.
pub const ID_LETTERS: usize = 4;

/// The first of the letters in which numbers are written, six bits each.
const FIRST: u8 = b'0';

/// The number by which the app knows a key: 24 bits of FNV-1a. No two keys have the same; who reads the files sees to it.
#[must_use]
pub const fn id(key: &str) -> u32 {
    let bytes = key.as_bytes();
    let mut hash = 0x811c_9dc5_u32;
    let mut at = 0;
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    (hash >> 24) ^ (hash & 0x00ff_ffff)
}

/// A line of what the app reads: the number of the key, and the sentence.
#[must_use]
pub fn line(line: &str) -> Option<(u32, &str)> {
    let (number, sentence) = line.split_at_checked(ID_LETTERS)?;
    Some((number.bytes().fold(0, |id, letter| id << 6 | u32::from(letter.wrapping_sub(FIRST))), sentence))
}

/// A sentence with its values put in; `plural` says which form goes with a number, as the language counts.
#[must_use]
pub fn fill(text: &str, values: &[(&str, String)], plural: impl Fn(&str) -> usize) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        let Some(length) = rest[start..].find('}') else { break };
        out.push_str(&rest[..start]);
        let mut parts = rest[start + 1..start + length].split('|');
        let name = parts.next().unwrap_or_default();
        let forms: Vec<&str> = parts.collect();
        let (name, words) = name.split_once('=').map_or((name, None), |(name, words)| (name, Some(words)));
        match (values.iter().find(|(key, _)| *key == name), forms.as_slice()) {
            (Some((_, value)), []) => out.push_str(value),
            (value, [.., last]) if value.is_some() || words.is_some() => {
                let value = value.map_or("", |(_, value)| value);
                let form = match words {
                    Some(words) => words.split(',').position(|word| word == value).unwrap_or(usize::MAX),
                    None => plural(value),
                };
                out.push_str(forms.get(form).unwrap_or(last));
            }
            _ => out.push_str(&rest[start..=start + length]),
        }
        rest = &rest[start + length + 1..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_take_values_and_numbers() {
        let say = |text: &str, n: i32| {
            let plural = |n: &str| usize::from(!["1", "-1"].contains(&n));
            fill(text, &[("n", n.to_string()), ("name", "Ada".into())], plural)
        };
        assert_eq!(say("{name} holds {n} {n|card|cards}.", 1), "Ada holds 1 card.");
        assert_eq!(say("{name} holds {n} {n|card|cards}.", 3), "Ada holds 3 cards.");
        assert_eq!(say("{other} {other|one|more} {", 1), "{other} {other|one|more} {");
    }

    #[test]
    fn languages_have_as_many_forms_as_they_need() {
        // Polish: one, few, many.
        let polish = |n: &str| match n.parse::<u32>().unwrap() {
            1 => 0,
            n if (2..=4).contains(&(n % 10)) && !(12..=14).contains(&(n % 100)) => 1,
            _ => 2,
        };
        let say = |n: u32| fill("{n} {n|karta|karty|kart}", &[("n", n.to_string())], polish);
        assert_eq!([1, 3, 12, 22].map(say), ["1 karta", "3 karty", "12 kart", "22 karty"]);
    }

    #[test]
    fn adjectives_go_with_their_nouns() {
        let green = |form: &str| {
            let values = [("form", form.to_owned())];
            fill("{form=f,ms,fs|verte|verts|vertes|vert}", &values, |_| 0)
        };
        assert_eq!(["m", "f", "ms", "fs", ""].map(green), ["vert", "verte", "verts", "vertes", "vert"]);
        // What is said alone has no noun to go with.
        assert_eq!(fill("{form=f|verte|vert}", &[], |_| 0), "vert");
    }
}
