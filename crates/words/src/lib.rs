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

#[cfg(feature = "files")]
pub use files::{Language, SOURCE, is_said_by, read_folder, text_of};

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
