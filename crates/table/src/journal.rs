//! Where matches are written down: a log of entries for each, appended by compare-and-set on their number.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A match, as the journal knows it: a number of 63 bits drawn at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct MatchId(u64);

impl MatchId {
    /// The match with this number; the highest bit is dropped, so that it fits a signed number.
    #[must_use]
    pub const fn new(number: u64) -> MatchId {
        MatchId(number & (u64::MAX >> 1))
    }
    /// Its number, below 2^63.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for MatchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for MatchId {
    type Err = String;
    fn from_str(text: &str) -> Result<MatchId, String> {
        (text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit()))
            .then(|| u64::from_str_radix(text, 16).ok())
            .flatten()
            .filter(|n| n >> 63 == 0)
            .map(MatchId)
            .ok_or_else(|| format!("`{text}` is no match: its name has 16 hexadecimal digits"))
    }
}

impl From<MatchId> for String {
    fn from(id: MatchId) -> String {
        id.to_string()
    }
}

impl TryFrom<String> for MatchId {
    type Error = String;
    fn try_from(text: String) -> Result<MatchId, String> {
        text.parse()
    }
}

/// What is to be appended.
pub struct Append {
    /// To the log of which match.
    pub id: MatchId,
    /// Number of the entry: that of the last one and 1. The first row of a log, number 0, is the header.
    pub ply: u32,
    /// One line of JSON.
    pub body: Vec<u8>,
    /// Who is told what became of it.
    pub listener: Arc<dyn AppendListener>,
}

/// What became of an append.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Appended {
    /// It is durable, and so is all before it.
    Committed,
    /// The log has another entry of that number, or has not come so far. Nothing was written.
    Conflict,
    /// Nothing was written, for the reason given in one sentence.
    Failed(String),
    /// Nobody can say whether it was written; the log must be read. The reason is one sentence.
    Unknown(String),
}

/// Somebody who waits for entries to become durable.
pub trait AppendListener: Send + Sync {
    /// The entry `ply` of match `id` and all before it were committed, or entry `ply` was not (then none that was handed
    /// over later is, either). Never called from within [`Journal::append`].
    fn appended(&self, id: MatchId, ply: u32, appended: &Appended);
}

/// Why a log could not be read, in one sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unreadable(pub String);

/// A durable home of matches.
pub trait Journal: Send + Sync {
    /// Hands over an entry. Entries of one match are written in the order in which they are handed over; many may be on
    /// their way at once. The answer comes to `append.listener`.
    fn append(&self, append: Append);

    /// The rows of a match from number `from` on, in order; empty if there are none. Blocks.
    ///
    /// # Errors
    /// If the storage cannot be read.
    fn read(&self, id: MatchId, from: u32) -> Result<Vec<Vec<u8>>, Unreadable>;
}

/// A journal in memory, for tests and simulation. Nothing is committed before [`MemoryJournal::commit`] says so: the gate
/// through which tests let outputs go one by one.
#[derive(Default)]
pub struct MemoryJournal {
    inner: Mutex<Memory>,
}

#[derive(Default)]
struct Memory {
    logs: HashMap<MatchId, Vec<Vec<u8>>>,
    waiting: Vec<Append>,
    trouble: Option<Appended>,
}

impl MemoryJournal {
    fn lock(&self) -> MutexGuard<'_, Memory> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Commits up to `most` of the entries handed over, oldest first, and tells those who wait. Gives how many it took.
    pub fn commit(&self, most: usize) -> usize {
        let (batch, trouble) = {
            let mut inner = self.lock();
            let count = most.min(inner.waiting.len());
            (inner.waiting.drain(..count).collect::<Vec<_>>(), inner.trouble.clone())
        };
        for append in &batch {
            let answer = {
                let mut inner = self.lock();
                let log = inner.logs.entry(append.id).or_default();
                let fits = log.len() == append.ply as usize;
                match &trouble {
                    Some(Appended::Unknown(why)) => {
                        if fits {
                            log.push(append.body.clone());
                        }
                        Appended::Unknown(why.clone())
                    }
                    Some(other) => other.clone(),
                    None if fits => {
                        log.push(append.body.clone());
                        Appended::Committed
                    }
                    None => Appended::Conflict,
                }
            };
            append.listener.appended(append.id, append.ply, &answer);
        }
        batch.len()
    }

    /// Commits all that was handed over, and what that brings about, until nothing is left.
    pub fn commit_all(&self) {
        while self.commit(usize::MAX) > 0 {}
    }

    /// Lets every append from now on end like this; none: all is well again. Under [`Appended::Unknown`] the entry is
    /// written all the same.
    pub fn trouble(&self, trouble: Option<Appended>) {
        self.lock().trouble = trouble;
    }

    /// Number of entries that were handed over and not committed yet.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.lock().waiting.len()
    }

    /// Puts a row into a log, as another host would that runs the same match.
    pub fn intrude(&self, id: MatchId, row: Vec<u8>) {
        self.lock().logs.entry(id).or_default().push(row);
    }
}

impl Journal for MemoryJournal {
    fn append(&self, append: Append) {
        self.lock().waiting.push(append);
    }
    fn read(&self, id: MatchId, from: u32) -> Result<Vec<Vec<u8>>, Unreadable> {
        let inner = self.lock();
        Ok(inner.logs.get(&id).map_or(Vec::new(), |log| log.get(from as usize..).unwrap_or(&[]).to_vec()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn match_ids_read_back() {
        let id = MatchId::new(u64::MAX);
        assert_eq!(id.to_string(), "7fffffffffffffff");
        assert_eq!("7fffffffffffffff".parse(), Ok(id));
        for wrong in ["", "7ff", "ffffffffffffffff", "7fffffffffffffffg", "+fffffffffffffff"] {
            assert!(wrong.parse::<MatchId>().is_err(), "{wrong}");
        }
    }
}
