//! The rows of a match as the journal has them, read.

use crate::{Playable, Unreadable};
use record::{EntryOf, HeaderOf};

/// The header and the entries of a match, from its rows.
///
/// # Errors
/// What is wrong with the first row that cannot be read.
pub fn read_log<G: Playable>(rows: &[Vec<u8>]) -> Result<(HeaderOf<G>, Vec<EntryOf<G>>), Unreadable> {
    let Some((header, rest)) = rows.split_first() else {
        return Err(Unreadable("the log of the match is empty".to_owned()));
    };
    let header: HeaderOf<G> = serde_json::from_slice(header)
        .map_err(|e| Unreadable(format!("the header of the match cannot be read: {e}")))?;
    let mut entries = Vec::with_capacity(rest.len());
    for (row, number) in rest.iter().zip(1..) {
        let entry: EntryOf<G> = serde_json::from_slice(row)
            .map_err(|e| Unreadable(format!("entry {number} of the match cannot be read: {e}")))?;
        if entry.ply != number {
            return Err(Unreadable(format!("entry {number} of the match says it is number {}", entry.ply)));
        }
        entries.push(entry);
    }
    Ok((header, entries))
}
