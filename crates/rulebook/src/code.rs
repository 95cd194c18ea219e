//! Share codes: a rule file as one line of text to pass on, which says so if it was cut off or edited.
//!
//! `PARLOUR1-` and then groups of letters and digits: the file, compressed by leaving out what its base says and by short
//! words for the common ones, in base 32 (Crockford's digits, which nobody mistakes), with a checksum in front.

use crate::bounds::FILE_BYTES;
use game::{Say, say};
use std::fmt;
use std::sync::LazyLock;

/// Letters of a code at most, with everything between and before them: more than the longest file can need.
const MOST_LETTERS: usize = 4 * FILE_BYTES;

/// What a code begins with; the number is its version.
const PREFIX: &str = "PARLOUR1-";

/// Crockford's base 32: no I, L, O, U.
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Digits that hold the checksum: 30 bits.
const CHECK: usize = 6;

/// Why a code is no rule file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadCode {
    /// It does not begin as a code does.
    NoCode,
    /// It is of a newer program.
    Newer,
    /// A part of it is missing at the end.
    CutOff,
    /// Something in it was changed.
    Edited,
    /// It stands for more than a rule file may hold.
    TooLong,
}

impl BadCode {
    /// Why, in no language yet.
    #[must_use]
    pub fn say(self) -> Say {
        match self {
            BadCode::NoCode => say!("no_code.none", prefix = PREFIX),
            BadCode::Newer => say!("no_code.newer"),
            BadCode::CutOff => say!("no_code.cut_off"),
            BadCode::Edited => say!("no_code.edited"),
            BadCode::TooLong => say!("no_code.long", n = FILE_BYTES),
        }
    }
}

impl fmt::Display for BadCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.say().fmt(f)
    }
}

impl std::error::Error for BadCode {}

/// Texts that rule files hold often, as one byte each (128 and up).
const WORDS: &[&str] = &[
    "\", \"",
    " = \"",
    " = { ",
    " = ",
    "  { contract = [\"",
    "\"], deal = ",
    "\"] },\n",
    "], set = { ",
    " = true",
    " = false",
    "\"G3\"",
    "\"R4\"",
    "G3",
    "R4",
    "\"\n",
    "\nname = \"",
    "id = \"",
    "\nbase = \"",
    "\nsummary = \"",
    "\nnote = \"",
    "\"meld.all\"",
    "\"meld.size\" = \"at-least\"",
    "\"out.discard\" = \"forbidden\"",
    "score.values",
    "players",
    "deck",
    "jokers",
    "decks",
    "deal.cards",
    "take.",
    "wild",
    "reclaim",
    "layoff.when",
    "same-turn",
    "out.discard",
    "optional",
    "required",
    "shanghai",
    "contract",
    "round = [\n",
    "penalty",
    "limit",
    "label",
    "max_per_meld",
    "extends",
    "set-classic",
    "call_timeout_s",
    "no_claim",
    "deals",
    "min",
    "max",
    " }",
    "ing",
    "the ",
    "and ",
    "er",
    "es",
    "on",
    "ti",
    "re",
    "at",
    "en",
    "or",
    "an",
    ", ",
];

/// The words that begin with each byte, with their places.
static BY_FIRST: LazyLock<[Vec<(u8, &str)>; 256]> = LazyLock::new(|| {
    std::array::from_fn(|byte| {
        let words = WORDS.iter().zip(0..).filter(|(word, _)| usize::from(word.as_bytes()[0]) == byte);
        words.map(|(word, n)| (n, *word)).collect()
    })
});

/// FNV-1a, of which 30 bits are kept: enough to notice a slip, no protection against intent.
fn checksum(bytes: &[u8]) -> u32 {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    ((hash >> 32) ^ hash) as u32 & 0x3fff_ffff
}

fn pack(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let best = BY_FIRST[usize::from(rest.as_bytes()[0])]
            .iter()
            .filter(|(_, word)| rest.starts_with(*word))
            .max_by_key(|(_, word)| word.len());
        if let Some((n, word)) = best {
            bytes.push(128 + n);
            rest = &rest[word.len()..];
        } else {
            let (letter, after) = rest.split_at(first.len_utf8());
            // A byte above 127 would be read as a word: 0 says that the next is meant as it is.
            for &byte in letter.as_bytes() {
                if byte >= 128 || byte == 0 {
                    bytes.push(0);
                }
                bytes.push(byte);
            }
            rest = after;
        }
    }
    bytes
}

/// Stops where the text would be longer than a file may be: a byte can stand for many.
fn unpack(bytes: &[u8]) -> Result<String, BadCode> {
    let mut text = Vec::new();
    let mut bytes = bytes.iter().copied();
    while let Some(byte) = bytes.next() {
        match byte {
            0 => text.push(bytes.next().ok_or(BadCode::Edited)?),
            byte if byte >= 128 => {
                let word = WORDS.get(usize::from(byte) - 128).ok_or(BadCode::Edited)?;
                text.extend_from_slice(word.as_bytes());
            }
            byte => text.push(byte),
        }
        if text.len() > FILE_BYTES {
            return Err(BadCode::TooLong);
        }
    }
    String::from_utf8(text).map_err(|_| BadCode::Edited)
}

/// The code of a rule file.
#[must_use]
pub fn share(text: &str) -> String {
    let bytes = pack(text);
    let mut digits = Vec::new();
    let number = |value: u32, digits: &mut Vec<u8>| {
        for place in (0..CHECK).rev() {
            digits.push(DIGITS[(value >> (5 * place) & 31) as usize]);
        }
    };
    // The length comes first, so that a code that was cut off is told from one that was changed.
    number(bytes.len() as u32, &mut digits);
    number(checksum(&bytes), &mut digits);
    for five in bytes.chunks(5) {
        let mut bits = [0u8; 8];
        bits[3..3 + five.len()].copy_from_slice(five);
        let value = u64::from_be_bytes(bits);
        let count = (five.len() * 8).div_ceil(5);
        for place in 0..count {
            digits.push(DIGITS[(value >> (35 - 5 * place) & 31) as usize]);
        }
    }
    let mut code = String::from(PREFIX);
    for (n, digit) in digits.iter().enumerate() {
        if n > 0 && n % CHECK == 0 {
            code.push('-');
        }
        code.push(*digit as char);
    }
    code
}

/// The rule file of a code. White space, hyphens (dashes, as telephones like to make of them) and case do not matter, nor
/// what is written before it.
///
/// # Errors
/// What happened to the code.
pub fn unshare(code: &str) -> Result<String, BadCode> {
    if code.len() > MOST_LETTERS {
        return Err(BadCode::TooLong);
    }
    let between = |c: &char| c.is_whitespace() || matches!(c, '-' | '\u{2010}'..='\u{2015}');
    let plain: String = code.chars().filter(|c| !between(c)).map(|c| c.to_ascii_uppercase()).collect();
    let (_, rest) = plain.rsplit_once("PARLOUR").ok_or(BadCode::NoCode)?;
    let rest = rest.strip_prefix(['1', 'I', 'L']).ok_or(BadCode::Newer)?;
    let values = rest
        .bytes()
        .map(|byte| {
            let byte = match byte {
                b'O' => b'0',
                b'I' | b'L' => b'1',
                byte => byte,
            };
            DIGITS.iter().position(|digit| *digit == byte).map(|p| p as u64)
        })
        .collect::<Option<Vec<u64>>>()
        .ok_or(BadCode::Edited)?;
    if values.len() < 2 * CHECK {
        return Err(BadCode::CutOff);
    }
    let number = |part: &[u64]| part.iter().fold(0, |n, value| n << 5 | value);
    let (length, check) = (number(&values[..CHECK]) as usize, number(&values[CHECK..2 * CHECK]) as u32);
    let body = &values[2 * CHECK..];
    let needed = length / 5 * 8 + (length % 5 * 8).div_ceil(5);
    if body.len() != needed {
        return Err(if body.len() < needed { BadCode::CutOff } else { BadCode::Edited });
    }
    let mut bytes = Vec::with_capacity(length + 5);
    for eight in body.chunks(8) {
        let value = number(eight) << (5 * (8 - eight.len()));
        bytes.extend_from_slice(&value.to_be_bytes()[3..]);
    }
    // The last digit may say more than its byte has room for: nothing, unless somebody changed it.
    if bytes.split_off(length).iter().any(|byte| *byte != 0) {
        return Err(BadCode::Edited);
    }
    if checksum(&bytes) != check {
        return Err(BadCode::Edited);
    }
    unpack(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_survives_the_trip() {
        for id in crate::presets() {
            let text = crate::preset_text(id).unwrap();
            let code = share(text);
            assert_eq!(unshare(&code).as_deref(), Ok(text), "{id}");
            assert_eq!(unshare(&code.to_lowercase().replace('-', " ")).as_deref(), Ok(text), "{id}");
        }
        for text in ["", "a", "Größe = \"ö\"", "\0\u{ffff}"] {
            assert_eq!(unshare(&share(text)).as_deref(), Ok(text));
        }
    }

    #[test]
    fn a_code_stands_for_no_more_than_a_file_may_hold() {
        let longest = WORDS.iter().max_by_key(|word| word.len()).unwrap();
        let text = longest.repeat(FILE_BYTES / longest.len());
        assert_eq!(unshare(&share(&text)), Ok(text.clone()));
        // Few letters that would grow to many.
        let bomb = share(&longest.repeat(FILE_BYTES / longest.len() + 1));
        assert!(bomb.len() < 3000, "{}", bomb.len());
        assert_eq!(unshare(&bomb), Err(BadCode::TooLong));
        assert_eq!(unshare(&format!("PARLOUR1-{}", "0".repeat(MOST_LETTERS))), Err(BadCode::TooLong));
        assert_eq!(unshare("PARLOUR1-ZZZZZZ-ZZZZZZ"), Err(BadCode::CutOff), "it says it holds a gigabyte");
        let dense = "\u{ffff}".repeat(FILE_BYTES / 3);
        assert_eq!(unshare(&share(&dense)), Ok(dense), "what packs worst fits, too");
    }

    #[test]
    fn a_code_is_read_as_people_pass_it_on() {
        let text = crate::preset_text("liverpool").unwrap();
        let code = share(text);
        for sent in [
            format!("Our rules: {code}\n"),
            format!("https://example.org/house#{code}"),
            code.replace('-', "\u{2014}"),
            code.replace('0', "O").replace('1', "l"),
        ] {
            assert_eq!(unshare(&sent).as_deref(), Ok(text), "{sent}");
        }
    }

    #[test]
    fn a_code_that_was_cut_off_or_edited_says_so() {
        let code = share(crate::preset_text("liverpool").unwrap());
        for end in PREFIX.len()..code.len() - 1 {
            if !code[..end].ends_with('-') || end == PREFIX.len() {
                assert_eq!(unshare(&code[..end]), Err(BadCode::CutOff), "{}", &code[..end]);
            }
        }
        for (at, letter) in code.char_indices().skip(PREFIX.len()).filter(|(_, c)| *c != '-') {
            let other = if letter == 'Z' { 'Y' } else { 'Z' };
            let mut edited = code.clone();
            edited.replace_range(at..=at, &other.to_string());
            assert!(matches!(unshare(&edited), Err(BadCode::Edited | BadCode::CutOff)), "{edited}");
        }
        // Whatever is left over in the last digit.
        for text in ["a", "ab", "abc", "abcd", "abcde"] {
            let code = share(text);
            for digit in DIGITS.iter().map(|digit| char::from(*digit)).filter(|digit| !code.ends_with(*digit))
            {
                let edited = format!("{}{digit}", &code[..code.len() - 1]);
                assert_eq!(unshare(&edited), Err(BadCode::Edited), "{edited} for {code}");
            }
        }
        assert_eq!(unshare(&format!("{code}7")), Err(BadCode::Edited));
        assert_eq!(unshare("hello"), Err(BadCode::NoCode));
        assert_eq!(unshare("PARLOUR2-000000"), Err(BadCode::Newer));
    }
}
