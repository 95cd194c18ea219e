//! What people and things may be called: one rule for guests, tables and rule files.
//!
//! Whatever one person writes and another reads goes through here. A name says what it shows: it is composed (Unicode's
//! form NFC), its spaces are single, and it has no letter that cannot be seen, turns the text around it, or means different
//! things on different machines; no letter carries a tower of marks. What only chooses how a letter is drawn, or joins two
//! of them, is left out without a word: phones put such things into names that nobody meant anything by.
//!
//! ```
//! assert_eq!(names::name("  Zoe\u{308} \n Lee ", 24).as_deref(), Ok("Zoë Lee"));
//! assert_eq!(names::name("A\u{202e}nn", 24).unwrap_err().to_string(), "has only letters that can be seen: U+202E is none");
//! assert!(names::alike("Ann", "Аnn"), "the second begins with a Cyrillic letter");
//! ```
//!
//! The tables behind this are large: the browser goes without and asks the server.

use std::borrow::Cow;
use std::fmt;
use unicode_normalization::{UnicodeNormalization, is_nfc};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// Most marks in a row that a letter may carry.
pub const MARKS: usize = 2;
/// Bytes for each allowed letter beyond which nothing is looked at any more. A letter has at most 4; what is left out on
/// the way may take some, too.
const BYTES_EACH: usize = 64;
/// How somebody is called who has no name any more.
pub const NOBODY: &str = "Somebody";

/// Why something cannot be called so. Reads on after "A name", as in "A name has at least one letter".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// There is nothing to be seen.
    Empty,
    /// It has more letters than this.
    Long(usize),
    /// It holds this, which cannot be seen, turns the text around it, or is no letter of everybody's.
    Unseen(char),
    /// Marks stand where no letter carries them, or too many on one.
    Marks,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::Empty => f.write_str("has at least one letter"),
            Wrong::Long(most) => write!(f, "has at most {most} letters"),
            Wrong::Unseen(c) => {
                write!(f, "has only letters that can be seen: U+{:04X} is none", u32::from(*c))
            }
            Wrong::Marks => write!(f, "has at most {MARKS} marks on a letter, and none before the first"),
        }
    }
}

impl std::error::Error for Wrong {}

/// The name that a wish stands for, of at most `most` letters and so at most four times as many bytes.
///
/// # Errors
/// Why nobody can be called so.
pub fn name(wish: &str, most: usize) -> Result<String, Wrong> {
    if wish.len() > most.saturating_mul(BYTES_EACH) {
        return Err(Wrong::Long(most));
    }
    let (name, wrong) = sieve(wish, true);
    match wrong {
        Some(wrong) => Err(wrong),
        None if name.is_empty() => Err(Wrong::Empty),
        None if name.chars().count() > most => Err(Wrong::Long(most)),
        None => Ok(name),
    }
}

/// A longer text, the lines and spaces of which stay as they are.
///
/// # Errors
/// What in it cannot be shown; never its length.
pub fn text(text: &str) -> Result<Cow<'_, str>, Wrong> {
    if is_plain(text) {
        return Ok(text.into());
    }
    match sieve(text, false) {
        (_, Some(wrong)) => Err(wrong),
        (clean, None) => Ok(clean.into()),
    }
}

/// A name from before there was a rule, as it may be shown: what is wrong with it is left out.
#[must_use]
pub fn shown(old: &str, most: usize) -> Cow<'_, str> {
    if is_plain(old) && old.len() <= most && old == old.trim() && !old.contains("  ") && !old.contains('\n') {
        return old.into();
    }
    // As much of it as could matter.
    let end = old.char_indices().nth(most.saturating_mul(BYTES_EACH)).map_or(old.len(), |(end, _)| end);
    let (name, _) = sieve(&old[..end], true);
    match name.char_indices().nth(most) {
        Some((end, _)) => name[..end].trim_end().to_owned().into(),
        None => name.into(),
    }
}

/// Whether people would take one name for the other: whether they are the same but for capital letters, or look so.
#[must_use]
pub fn alike(one: &str, other: &str) -> bool {
    let skeleton = |name: &str| -> String { unicode_security::skeleton(name).collect() };
    let small = |name: &str| name.to_lowercase();
    one == other || skeleton(one) == skeleton(other) || skeleton(&small(one)) == skeleton(&small(other))
}

/// Whether each letter is one that every keyboard has, where nothing can be wrong.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n'))
}

/// Puts a text into its composed form, without what is left out; and the first thing that is wrong with it, which the text
/// then lacks. The spaces of a name become single ones.
fn sieve(text: &str, name: bool) -> (String, Option<Wrong>) {
    let composed: Cow<'_, str> =
        if is_nfc(text) { text.into() } else { text.nfc().collect::<String>().into() };
    let mut kept = String::with_capacity(composed.len());
    let mut wrong = None;
    let (mut marks, mut letter) = (0, false);
    for c in composed.chars() {
        if c.is_whitespace() && (name || matches!(c, '\n' | '\r' | '\t' | ' ')) {
            if !name {
                kept.push(c);
            } else if !kept.is_empty() && !kept.ends_with(' ') {
                kept.push(' ');
            }
            (marks, letter) = (0, false);
            continue;
        }
        match reading(c) {
            Reading::Manner => continue,
            Reading::Unseen => {
                wrong = wrong.or(Some(Wrong::Unseen(c)));
                continue;
            }
            Reading::Mark => marks += 1,
            Reading::Letter => (marks, letter) = (0, true),
        }
        if marks > MARKS || marks > 0 && !letter {
            wrong = wrong.or(Some(Wrong::Marks));
        } else {
            kept.push(c);
        }
    }
    if name {
        kept.truncate(kept.trim_end().len());
    }
    // What was left out may have kept two apart that belong together.
    if !is_nfc(&kept) {
        kept = kept.nfc().collect();
    }
    (kept, wrong)
}

/// What a character is to whoever reads it.
enum Reading {
    /// Takes room of its own.
    Letter,
    /// Stands on the letter before it.
    Mark,
    /// Chooses how its neighbours are drawn: left out.
    Manner,
    /// Shows nothing, turns the text around, or means what each machine makes of it.
    Unseen,
}

fn reading(c: char) -> Reading {
    match c {
        // Joiners, which emoji and some scripts are drawn with; the variants of a letter; the tags of flags.
        '\u{200c}'
        | '\u{200d}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{180b}'..='\u{180d}'
        | '\u{180f}'
        | '\u{e0100}'..='\u{e01ef}'
        | '\u{e0020}'..='\u{e007f}' => return Reading::Manner,
        // Letters and marks by their category that show nothing: fillers, the blank of braille and of music, a place for
        // something that is not there.
        '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{2800}' | '\u{3164}'
        | '\u{ffa0}' | '\u{fffc}' | '\u{1d159}' => return Reading::Unseen,
        _ => {}
    }
    match c.general_category() {
        GeneralCategory::Control
        | GeneralCategory::Format
        | GeneralCategory::Surrogate
        | GeneralCategory::PrivateUse
        | GeneralCategory::Unassigned
        | GeneralCategory::LineSeparator
        | GeneralCategory::ParagraphSeparator
        | GeneralCategory::SpaceSeparator => Reading::Unseen,
        GeneralCategory::NonspacingMark | GeneralCategory::EnclosingMark => Reading::Mark,
        _ => Reading::Letter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_what_it_shows() {
        let check = |wish: &str, expected: &str| {
            let found = name(wish, 24).unwrap_or_else(|wrong| format!("no: {wrong}"));
            assert!(
                found.starts_with(expected) && found.is_empty() == expected.is_empty(),
                "{wish:?}: {found}"
            );
            if !found.starts_with("no: ") {
                assert_eq!(found, expected, "{wish:?}");
                assert_eq!(name(&found, 24).as_deref(), Ok(&*found), "a name stays what it is");
                assert_eq!(shown(&found, 24), found);
                assert!(found.len() <= 96);
            }
        };
        check("Ann", "Ann");
        check("  Ann \t Bee\n", "Ann Bee");
        check("Ann\u{a0}\u{3000}Bee", "Ann Bee");
        check("Zoe\u{308}", "Zoë");
        check("李", "李");
        check("Nguyễn Thị", "Nguyễn Thị");
        check("שָׁלוֹם", "שָׁלוֹם");
        check("ကျော်", "ကျော်");
        check("🦀", "🦀");
        check("❤\u{fe0f}", "❤");
        check("👩\u{200d}🍳", "👩🍳");
        check("e\u{200d}\u{301}", "é");
        check("", "no: has at least one letter");
        check(" \u{200d}\u{fe0f} ", "no: has at least one letter");
        check(&"x".repeat(24), &"x".repeat(24));
        check(&"x".repeat(25), "no: has at most 24 letters");
        check(&"𝔘".repeat(24), &"𝔘".repeat(24));
        check(&"\u{200d}".repeat(5000), "no: has at most 24 letters");
        // Controls, bidirectional marks, invisible and unassigned letters, those of private use.
        for c in [
            '\0',
            '\u{7}',
            '\u{1b}',
            '\u{7f}',
            '\u{ad}',
            '\u{61c}',
            '\u{200b}',
            '\u{200e}',
            '\u{200f}',
            '\u{202a}',
            '\u{202e}',
            '\u{2060}',
            '\u{2066}',
            '\u{2069}',
            '\u{feff}',
            '\u{115f}',
            '\u{3164}',
            '\u{ffa0}',
            '\u{2800}',
            '\u{e001}',
            '\u{f8ff}',
            '\u{10fffd}',
            '\u{fff9}',
            '\u{fffc}',
            '\u{e0001}',
            '\u{378}',
            '\u{ffff}',
            '\u{1d173}',
            '\u{34f}',
        ] {
            check(
                &format!("A{c}B"),
                &format!("no: has only letters that can be seen: U+{:04X} is none", u32::from(c)),
            );
            assert_eq!(shown(&format!("A{c}B"), 24), "AB");
        }
        check("x\u{302}\u{323}", "x\u{323}\u{302}");
        check("x\u{301}\u{302}\u{303}", "no: has at most 2 marks on a letter");
        check("\u{301}x", "no: has at most 2 marks on a letter, and none before the first");
        check("x \u{301}", "no: has at most 2 marks on a letter, and none before the first");
    }

    #[test]
    fn old_names_are_shown_as_far_as_they_can_be() {
        let check = |old: &str, seen: &str| assert_eq!(shown(old, 24), seen, "{old:?}");
        check("Ann", "Ann");
        check(" Ann  Bee ", "Ann Bee");
        check("\u{202e}evil", "evil");
        check("\u{200b}\u{200b}", "");
        check(&format!("Z{}", "\u{301}".repeat(500)), "Ź\u{301}\u{301}");
        check(&"x".repeat(500), &"x".repeat(24));
        check(&"ü".repeat(5_000), &"ü".repeat(24));
    }

    #[test]
    fn longer_texts_keep_their_lines() {
        let check = |whole: &str, expected: Result<&str, Wrong>| {
            assert_eq!(text(whole), expected.map(Cow::from), "{whole:?}");
        };
        check("two\nlines,\t a tab", Ok("two\nlines,\t a tab"));
        check("ein Blatt fu\u{308}r  zwei\r\n", Ok("ein Blatt für  zwei\r\n"));
        check("never \u{2066}mind", Err(Wrong::Unseen('\u{2066}')));
        check("a bell \u{7}", Err(Wrong::Unseen('\u{7}')));
    }

    #[test]
    fn names_that_look_the_same_are_told() {
        for (one, other) in
            [("Ann", "Ann"), ("Ann", "ANN"), ("Ann", "Аnn"), ("Bill", "BiIl"), ("Zoë", "Zoë"), ("o", "ο")]
        {
            assert!(alike(one, other), "{one} {other}");
        }
        for (one, other) in [("Ann", "Anna"), ("Tom B", "Tom C"), ("Zoë", "Zoe"), ("李", "季")] {
            assert!(!alike(one, other), "{one} {other}");
        }
    }
}
