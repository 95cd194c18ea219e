//! A storage that is one of several: what is written goes into a log that they share, and comes back as folds of it.
//!
//! The log is what is durable; the database of each machine is a fold of it, and says itself how far. What a power failure takes
//! from its end is folded again.

use crate::{Change, Store, StoreError, Whose, forget};
use rusqlite::{Connection, OptionalExtension as _, params};
use std::path::Path;
use std::sync::Arc;

/// Where changes go before they count.
pub trait Ledger: Send + Sync {
    /// Writes a change, and returns when it is in the log and applied to this storage. Blocks.
    ///
    /// # Errors
    /// Why not, as part of a sentence. It may be in the log all the same if that could not be found out.
    fn commit(&self, about: &Whose, change: Change) -> Result<(), String>;

    /// The same for a change of which nobody waits to hear. Must not block; changes of one part are written in the order of
    /// the calls.
    fn hand(&self, about: &Whose, change: Change);

    /// Claims the ranked try of a guest at a game of a day, to be played at `table`: judged with [`Store::try_of`] where the
    /// log of this guest is written, and with [`Store::is_left`] where that of the table of an earlier claim is. Gives the table where it is played. Blocks.
    ///
    /// # Errors
    /// As [`Ledger::commit`].
    fn claim(&self, day: &str, game: &str, guest: &str, table: &str) -> Result<String, String>;
}

/// Is told whether a fold was written, or why not.
pub type Done = Box<dyn FnOnce(Result<(), String>) + Send>;

/// How far a part of the log has been folded: its number, and the number, sequence and hash of its last message.
pub type Place = (u16, u64, u64, [u8; 32]);

/// A message of the log, to be applied.
pub struct Folded {
    /// Of which part of the log.
    pub part: u16,
    /// Its number there, from 1 without a gap.
    pub number: u64,
    /// Its place in what keeps the log.
    pub sequence: u64,
    /// Its hash.
    pub hash: [u8; 32],
    /// What it says; nothing if only the place moves on.
    pub changes: Vec<Change>,
    /// Is told, on the thread that writes and in the order of the folds.
    pub done: Done,
}

impl Store {
    /// Opens the storage in `folder` as one of several, which share the log behind `ledger`: all that is written goes there, and
    /// counts when it comes back by [`Store::fold`]. Reads are those of this storage. Its [`table::Journal`] takes no entries, since
    /// they go into the log too.
    ///
    /// # Errors
    /// Those of [`Store::open`]; and if the folder has games of its own that are not from the log.
    pub fn open_shared(folder: &Path, ledger: Arc<dyn Ledger>) -> Result<Store, StoreError> {
        Store::open_with(folder, Some(ledger))
    }

    /// Applies a message of the log, and keeps how far that is, in one commit with whatever else is written just then. A message
    /// that is not the next one of its part is refused; one change that cannot be made is passed over, with an error in the
    /// log of the program; a disk that takes nothing refuses the whole message. Returns at once: `done` is told.
    pub fn fold(&self, folded: Folded) {
        self.writer.hand(crate::writer::Job::Fold(folded));
    }

    /// How far each part of the log has been folded.
    ///
    /// # Errors
    /// If that cannot be read.
    pub fn folded(&self) -> Result<Vec<Place>, StoreError> {
        self.read_with(|sql| {
            sql.prepare_cached("SELECT part, number, sequence, hash FROM folded ORDER BY part")?
                .query_map([], |row| {
                    Ok((row.get(0)?, row.get::<_, i64>(1)? as u64, row.get::<_, i64>(2)? as u64, row.get(3)?))
                })?
                .collect()
        })
    }

    /// Whether somebody had this id who was forgotten.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn is_gone(&self, guest: &str) -> Result<bool, StoreError> {
        self.read_with(|sql| forget::is_gone(sql, guest))
    }

    /// Whether a table is not kept any more and no match was played to an end there, so that another one may take its place in a
    /// try that was not judged. To be asked where the log of the table is written: elsewhere it may not be known yet.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn is_left(&self, table: &str) -> Result<bool, StoreError> {
        self.read_with(|sql| {
            sql.prepare_cached(&format!("SELECT {} FROM (SELECT ?1 AS tab) AS tries", crate::LEFT))?
                .query_row([table], |row| row.get(0))
        })
    }
}

/// Number of the message of a part that was folded last; 0 if none was.
pub(crate) fn last(sql: &Connection, part: u16) -> rusqlite::Result<u64> {
    let last = sql
        .prepare_cached("SELECT number FROM folded WHERE part = ?1")?
        .query_row([part], |row| row.get::<_, i64>(0))
        .optional()?;
    Ok(last.unwrap_or(0) as u64)
}

/// Keeps how far a part was folded.
pub(crate) fn reach(
    sql: &Connection,
    part: u16,
    number: u64,
    sequence: u64,
    hash: &[u8; 32],
) -> rusqlite::Result<()> {
    sql.prepare_cached(
        "INSERT INTO folded (part, number, sequence, hash) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (part) DO UPDATE SET number = excluded.number, sequence = excluded.sequence, hash = excluded.hash",
    )?
    .execute(params![part, number as i64, sequence as i64, hash])
    .map(|_| ())
}

/// Whether a database has something that is from no log; and, if so, whether it was used alone after it was.
pub(crate) fn has_its_own(sql: &Connection) -> rusqlite::Result<Option<bool>> {
    let (own, alone): (bool, bool) = sql.query_row(
        "SELECT NOT EXISTS (SELECT 1 FROM folded) AND (EXISTS (SELECT 1 FROM guests) OR EXISTS (SELECT 1 FROM tables)
             OR EXISTS (SELECT 1 FROM matches) OR EXISTS (SELECT 1 FROM tries) OR EXISTS (SELECT 1 FROM journal)),
         EXISTS (SELECT 1 FROM chores WHERE name = 'alone')",
        [],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    Ok(own.then_some(alone))
}

/// The database is no fold of a log any more.
pub(crate) fn go_alone(sql: &Connection) -> rusqlite::Result<()> {
    if sql.execute("DELETE FROM folded", [])? > 0 {
        sql.execute("INSERT OR IGNORE INTO chores VALUES ('alone')", [])?;
    }
    Ok(())
}
