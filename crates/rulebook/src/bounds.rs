//! How much a rule file may hold. It comes from strangers: size, depth and number are bounded before any work on it begins.

/// Bytes of a rule file at most. The largest of our own has 1,500.
pub const FILE_BYTES: usize = 32 * 1024;

/// Values of a file at most: each entry of a table and each item of a list is one.
pub(crate) const VALUES: usize = 4000;

/// Tables and lists within one another at most.
pub(crate) const DEPTH: usize = 12;

/// Faults that are told at once at most.
pub(crate) const FAULTS: usize = 40;

/// Letters of somebody's text that a message repeats at most.
const SHOWN: usize = 120;

/// As much of a text as a message repeats.
pub(crate) fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
