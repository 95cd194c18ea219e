//! Durable storage in one folder: the journal of all matches, guests, tables and finished games, in SQLite.
//!
//! One thread writes, and nobody else: what comes while it commits is committed together the next time (group commit over
//! all matches), as one row and with one wait for the disk. Readers have connections of their own.
//!
//! `parlour.lock` keeps a second server away from the folder. [`backup`] copies the database while a server runs.
//!
//! ```
//! use store::{Guest, Store};
//!
//! let folder = tempfile::tempdir()?;
//! let store = Store::open(folder.path())?;
//! let ann = Guest { id: "1".to_owned(), name: "Ann".to_owned() };
//! store.put_guest(&ann)?; // durable when this returns
//! assert!(Store::open(folder.path()).is_err_and(|why| why.is_in_use()), "one server has the folder");
//! drop(store);
//!
//! assert_eq!(Store::open(folder.path())?.guest("1")?, Some(ann));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod change;
mod checkpoint;
mod error;
mod everything;
mod forget;
mod log;
mod private;
mod prune;
mod schema;
mod shared;
mod writer;

pub use change::{BATCH_BYTES, Change, Whose, decode, join};
pub use error::StoreError;
pub use private::{private_file, private_folder};
pub use prune::{Keep, Pruned, Pruning};
pub use shared::{Done, Folded, Ledger, Place};
pub use writer::Pragmas;

use checkpoint::Checkpoints;
use game::Outcome;
use rusqlite::{Connection, OpenFlags, OptionalExtension as _, params};
use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use table::{Append, Finished, Journal, MatchId, Played, TableStore, Unreadable};
use writer::{Job, Writer};

/// Name of the database in the data folder.
pub const DATABASE: &str = "parlour.db";
const LOCK: &str = "parlour.lock";

/// The storage of one server.
pub struct Store {
    folder: PathBuf,
    writer: Writer,
    _checkpoints: Option<Checkpoints>,
    /// Where changes go if this is one of several.
    ledger: Option<Arc<dyn Ledger>>,
    readers: Mutex<Vec<Connection>>,
    // Held as long as the store is open; the operating system gives it back however the server ends.
    _lock: File,
}

/// A guest: somebody with a name and a cookie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guest {
    /// What the cookie says.
    pub id: String,
    /// What others see.
    pub name: String,
}

/// A table, as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptTable {
    /// Its id.
    pub id: String,
    /// What the server keeps about it (JSON).
    pub about: String,
    /// What [`table::Table::restore`] reads.
    pub saved: String,
}

/// A match that a guest played or plays.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptMatch {
    /// Which.
    pub id: MatchId,
    /// At which table.
    pub table: String,
    /// What the server keeps about that table (JSON); empty if the table is gone.
    pub about: String,
    /// When it began, in seconds since 1970.
    pub began: u64,
    /// Whether it has ended.
    pub ended: bool,
    /// Its result, if it was played to one.
    pub outcome: Option<Outcome>,
    /// Name of each seat; empty where nobody sat, and [`names::NOBODY`] where the name was deleted.
    pub names: Vec<String>,
    /// Ids of the guests in each seat; empty for bots, empty seats and the deleted.
    pub guests: Vec<String>,
}

/// A guest's one ranked try at a game of a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptTry {
    /// Whose.
    pub guest: String,
    /// The name they have now.
    pub name: String,
    /// The table where it is, or was, played.
    pub table: String,
    /// The match there, once it has begun.
    pub played: Option<PlayedTry>,
    /// What became of it, once that has been judged.
    pub result: Option<TryResult>,
}

/// The match of a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedTry {
    /// Which.
    pub id: MatchId,
    /// When it ended, in seconds since 1970; none while it is on.
    pub ended: Option<u64>,
    /// How many entries it has, once it has ended.
    pub entries: u32,
}

/// How many have tried a game of a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TryCount {
    /// That began.
    pub begun: u32,
    /// That reached their goal.
    pub solved: u32,
}

/// What became of a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct TryResult {
    /// Whether it reached its goal, and so counts.
    pub solved: bool,
    /// Its time, in milliseconds, with what errors add to it.
    pub millis: u32,
    /// Wrong claims.
    pub errors: u32,
}

impl Store {
    /// Opens the storage in `folder`, which is made if it is not there, and brings its database up to date. One that was a fold of
    /// the log of several (see [`Store::open_shared`]) is one of them no more.
    ///
    /// # Errors
    /// If another server has the folder, or it cannot be written, or the database is damaged or newer than this program.
    pub fn open(folder: &Path) -> Result<Store, StoreError> {
        Store::open_with(folder, None)
    }

    fn open_with(folder: &Path, ledger: Option<Arc<dyn Ledger>>) -> Result<Store, StoreError> {
        let unwritable =
            |e: std::io::Error| StoreError::Folder { folder: folder.to_owned(), why: e.to_string() };
        private_folder(folder).map_err(unwritable)?;
        let lock = private_file().read(true).create(true).open(folder.join(LOCK)).map_err(unwritable)?;
        lock.try_lock().map_err(|e| match e {
            TryLockError::WouldBlock => StoreError::InUse { folder: folder.to_owned() },
            TryLockError::Error(e) => unwritable(e),
        })?;
        let path = folder.join(DATABASE);
        // Made here if it is missing: SQLite would leave its mode to the umask.
        private_file().create(true).open(&path).map_err(unwritable)?;
        let mut connection = Connection::open(&path).map_err(|e| StoreError::database(&path, &e))?;
        schema::prepare(&mut connection, ledger.is_some()).map_err(|e| match e {
            schema::Fault::Sql(e) => StoreError::database(&path, &e),
            schema::Fault::Newer(version) => StoreError::Newer { path: path.clone(), version },
            schema::Fault::Own(alone) => StoreError::Own { folder: folder.to_owned(), alone },
        })?;
        let writer = Writer::start(connection, ledger.is_some()).map_err(unwritable)?;
        let checkpoints =
            ledger.is_some().then(|| Checkpoints::start(&path)).transpose().map_err(unwritable)?;
        Ok(Store {
            folder: folder.to_owned(),
            writer,
            _checkpoints: checkpoints,
            ledger,
            readers: Mutex::new(Vec::new()),
            _lock: lock,
        })
    }

    /// Reads with a connection of its own.
    fn read_with<T>(&self, f: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        let path = self.folder.join(DATABASE);
        let spare = self.readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = match spare {
            Some(connection) => connection,
            None => reader(&path).map_err(|e| StoreError::database(&path, &e))?,
        };
        let value = f(&connection).map_err(|e| StoreError::database(&path, &e))?;
        let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        if readers.len() < 4 {
            readers.push(connection);
        }
        Ok(value)
    }

    /// Writes and waits until that is durable.
    fn write(
        &self,
        f: impl FnOnce(&Connection) -> rusqlite::Result<()> + Send + 'static,
    ) -> Result<(), StoreError> {
        let path = self.folder.join(DATABASE);
        self.writer.run(Box::new(f)).map_err(|e| StoreError::database(&path, &e))
    }

    /// Makes a change and waits until that counts.
    fn make(&self, about: &Whose, change: Change) -> Result<(), StoreError> {
        match &self.ledger {
            None => self.write(move |sql| change.apply(sql)),
            Some(ledger) => ledger.commit(about, change).map_err(|why| StoreError::Log { why }),
        }
    }

    /// The same for a change of which nobody waits to hear.
    fn hand(&self, about: &Whose, change: Change) {
        match &self.ledger {
            None => self.writer.hand(Job::Write(Box::new(move |sql| change.apply(sql)))),
            Some(ledger) => ledger.hand(about, change),
        }
    }

    /// How the writer's own connection stores, as it says itself.
    ///
    /// # Errors
    /// If the database cannot be asked.
    pub fn pragmas(&self) -> Result<Pragmas, StoreError> {
        let path = self.folder.join(DATABASE);
        self.writer.pragmas().map_err(|e| StoreError::database(&path, &e))
    }

    /// Most pages (of 4 KiB) that the database may have; none: as many as the disk takes. It never shrinks below what it
    /// has.
    ///
    /// # Errors
    /// If the database cannot be asked.
    pub fn limit_pages(&self, most: Option<u32>) -> Result<(), StoreError> {
        let most = most.unwrap_or(u32::MAX - 1);
        self.write(move |sql| sql.query_row(&format!("PRAGMA max_page_count = {most}"), [], |_| Ok(())))
    }

    /// Number of commits and of rows appended to the journal so far.
    #[must_use]
    pub fn commits(&self) -> (u64, u64) {
        self.writer.counts()
    }

    /// Whether the thread that writes is there.
    #[must_use]
    pub fn writer_lives(&self) -> bool {
        self.writer.lives()
    }

    /// Whether the disk takes entries now: one is written and taken back, which waits for the disk as a move does.
    ///
    /// # Errors
    /// Why not, as part of a sentence; also if it takes longer than `patience`.
    pub fn try_out(&self, patience: Duration) -> Result<(), String> {
        let written = self.writer.run_within(
            Box::new(|sql| {
                sql.prepare_cached("INSERT INTO batches (entries) VALUES (zeroblob(8192))")?.execute([])?;
                sql.prepare_cached("DELETE FROM batches WHERE id = last_insert_rowid()")?
                    .execute([])
                    .map(|_| ())
            }),
            patience,
        );
        match written {
            Some(written) => written.map_err(|e| error::describe(&e)),
            None => Err(format!("nothing was written within {} s", patience.as_secs())),
        }
    }

    /// Waits until all that was handed over is written.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn flush(&self) -> Result<(), StoreError> {
        self.write(|_| Ok(()))
    }

    /// Keeps a guest, new or under another name; but nobody who was forgotten.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn put_guest(&self, guest: &Guest) -> Result<(), StoreError> {
        let Guest { id, name } = guest.clone();
        self.make(&Whose::Guest(id.clone()), Change::Guest { at: now(), id, name })
    }

    /// The guest with this id.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn guest(&self, id: &str) -> Result<Option<Guest>, StoreError> {
        self.read_with(|sql| {
            sql.prepare_cached("SELECT name FROM guests WHERE id = ?1")?
                .query_row([id], |row| Ok(Guest { id: id.to_owned(), name: row.get(0)? }))
                .optional()
        })
    }

    /// The guest has been here today, and so is not one whom nobody has seen for long.
    ///
    /// # Errors
    /// If it cannot be read whether that is known already.
    pub fn saw_guest(&self, id: &str) -> Result<(), StoreError> {
        let long_ago = self.read_with(|sql| {
            sql.prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM guests WHERE id = ?1 AND seen < unixepoch() - 86400)",
            )?
            .query_row([id], |row| row.get::<_, bool>(0))
        })?;
        if long_ago {
            self.hand(&Whose::Guest(id.to_owned()), Change::Seen { at: now(), guest: id.to_owned() });
        }
        Ok(())
    }

    /// Begins to forget a guest: from now on nobody is called by this id. [`Store::forget_guest`] does the rest.
    ///
    /// # Errors
    /// If it cannot be written; then nothing has changed.
    pub fn leave_guest(&self, id: &str) -> Result<(), StoreError> {
        // What is known here says nothing of what is known where others write.
        if self.read_with(|sql| {
            Ok(self.ledger.is_some() && !forget::is_gone(sql, id)? || forget::is_known(sql, id)?)
        })? {
            self.make(&Whose::Guest(id.to_owned()), Change::Leaves { guest: id.to_owned() })?;
        }
        Ok(())
    }

    /// Forgets a guest: their name, their games, their tries, and their places at tables that are kept. A game that somebody
    /// else played, too, stays for them, without the name; one that nobody else is left of is deleted with its log. Done in
    /// small steps, between which others write; what is interrupted is done when the storage is opened next. Where several share
    /// a log, they all do so.
    ///
    /// What SQLite leaves of deleted rows in the file is gone after [`Store::scrub`].
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn forget_guest(&self, id: &str) -> Result<(), StoreError> {
        self.leave_guest(id)?;
        if self.ledger.is_some() {
            self.make(&Whose::Guest(id.to_owned()), Change::Forgets { guest: id.to_owned() })?;
        }
        self.forget_here(id)
    }

    /// Does here what is left to do of forgetting a guest who has left ([`Store::leave_guest`], [`Change::Leaves`]); nothing if they
    /// have not. Blocks, in small steps, between which others write.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn forget_here(&self, id: &str) -> Result<(), StoreError> {
        if !self.read_with(|sql| Ok(forget::is_gone(sql, id)? && forget::is_known(sql, id)?))? {
            return Ok(());
        }
        let shared = self.ledger.is_some();
        let done = Arc::new(AtomicBool::new(false));
        while !done.load(Ordering::Relaxed) {
            let (id, done) = (id.to_owned(), Arc::clone(&done));
            self.write(move |sql| {
                let all = forget::step(sql, &id, shared)?;
                done.store(all, Ordering::Relaxed);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Whether the file may still hold traces of a guest who was forgotten.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn is_scrub_due(&self) -> Result<bool, StoreError> {
        self.read_with(forget::is_scrub_due)
    }

    /// Writes the database anew, without what deleted rows left in its file and in the journal beside it. Nothing else is
    /// written meanwhile, which takes about a second for 100 MB. Gives whether it was done to the end: somebody who reads
    /// may prevent that, and then it is still due.
    ///
    /// # Errors
    /// If there is no room for it; then all stays as it was.
    pub fn scrub(&self) -> Result<bool, StoreError> {
        let done = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&done);
        let scrubbed = self.writer.run_alone(Box::new(move |sql| {
            done.store(forget::scrub(sql, schema::PATIENCE)?, Ordering::Relaxed);
            Ok(())
        }));
        scrubbed.map_err(|e| StoreError::database(&self.folder.join(DATABASE), &e))?;
        Ok(told.load(Ordering::Relaxed))
    }

    /// Bytes of the database, without the journal beside it.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn size(&self) -> Result<u64, StoreError> {
        self.read_with(|sql| {
            let pages: i64 = sql.pragma_query_value(None, "page_count", |row| row.get(0))?;
            let bytes: i64 = sql.pragma_query_value(None, "page_size", |row| row.get(0))?;
            Ok((pages * bytes) as u64)
        })
    }

    /// Keeps what the server wants to know about a table (JSON).
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn put_about(&self, table: &str, about: &str) -> Result<(), StoreError> {
        let (table, about) = (table.to_owned(), about.to_owned());
        self.make(&Whose::Table(table.clone()), Change::About { table, about })
    }

    /// Claims the one ranked try of a guest at a game of a day, to be played at `table`. Gives the table where it is
    /// played: another one if it was claimed before, at a table that is still kept or where a match was played.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn claim_try(&self, day: &str, game: &str, guest: &str, table: &str) -> Result<String, StoreError> {
        if let Some(ledger) = &self.ledger {
            return ledger.claim(day, game, guest, table).map_err(|why| StoreError::Log { why });
        }
        let [d, g, who, tab] = [day, game, guest, table].map(str::to_owned);
        self.write(move |sql| {
            sql.prepare_cached(&format!(
                "INSERT INTO tries (day, game, guest, tab) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (day, game, guest) DO UPDATE SET tab = excluded.tab, ended = NULL
                 WHERE solved IS NULL AND {LEFT}"
            ))?
            .execute(params![d, g, who, tab])
            .map(|_| ())
        })?;
        let kept = self.try_of(day, game, guest)?;
        Ok(kept.map_or_else(|| table.to_owned(), |kept| kept.table))
    }

    /// A guest's ranked try at a game of a day.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn try_of(&self, day: &str, game: &str, guest: &str) -> Result<Option<KeptTry>, StoreError> {
        let which = "r.day = ?1 AND r.game = ?2 AND r.guest = ?3";
        Ok(self.tries_where(which, params![day, game, guest])?.pop())
    }

    /// The best tries at a game of a day that reached their goal, the best first, at most `most`.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn best_tries(&self, day: &str, game: &str, most: u32) -> Result<Vec<KeptTry>, StoreError> {
        let which = "r.day = ?1 AND r.game = ?2 AND r.solved = 1 ORDER BY r.millis, r.errors LIMIT ?3";
        self.tries_where(which, params![day, game, most])
    }

    /// Tries at a game of a day that have ended and are not judged, at most `most`.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn unjudged_tries(&self, day: &str, game: &str, most: u32) -> Result<Vec<KeptTry>, StoreError> {
        let which = "r.day = ?1 AND r.game = ?2 AND r.solved IS NULL AND r.ended IS NOT NULL LIMIT ?3";
        self.tries_where(which, params![day, game, most])
    }

    /// How many tries there are at a game of a day.
    ///
    /// # Errors
    /// If they cannot be counted.
    pub fn count_tries(&self, day: &str, game: &str) -> Result<TryCount, StoreError> {
        let count = |which: &str| {
            self.read_with(|sql| {
                sql.prepare_cached(&format!(
                    "SELECT count(*) FROM tries WHERE day = ?1 AND game = ?2{which}"
                ))?
                .query_row([day, game], |row| row.get(0))
            })
        };
        Ok(TryCount { begun: count("")?, solved: count(" AND solved = 1")? })
    }

    /// How many tries at a game of a day are better than this.
    ///
    /// # Errors
    /// If they cannot be counted.
    pub fn better_tries(&self, day: &str, game: &str, than: TryResult) -> Result<u32, StoreError> {
        self.read_with(|sql| {
            sql.prepare_cached(
                "SELECT count(*) FROM tries WHERE day = ?1 AND game = ?2 AND solved = 1 AND (millis, errors) < (?3, ?4)",
            )?
            .query_row(params![day, game, than.millis, than.errors], |row| row.get(0))
        })
    }

    fn tries_where(&self, which: &str, values: impl rusqlite::Params) -> Result<Vec<KeptTry>, StoreError> {
        self.read_with(|sql| {
            let mut query = sql.prepare_cached(&format!(
                "SELECT r.guest, coalesce(g.name, ''), r.tab, m.id, m.ended, m.entries, r.solved, r.millis, r.errors
                 FROM tries r LEFT JOIN guests g ON g.id = r.guest LEFT JOIN matches m ON m.id =
                   (SELECT id FROM matches WHERE tab = r.tab ORDER BY ended IS NULL, began DESC LIMIT 1)
                 WHERE {which}"
            ))?;
            let rows = query.query_map(values, |row| {
                let id: Option<i64> = row.get(3)?;
                let ended: Option<i64> = row.get(4)?;
                let entries = row.get::<_, Option<u32>>(5)?.unwrap_or(0);
                let played = id.map(|id| PlayedTry {
                    id: MatchId::new(id as u64),
                    ended: ended.map(|at| at as u64),
                    entries,
                });
                let solved: Option<bool> = row.get(6)?;
                let (millis, errors) =
                    (row.get::<_, Option<u32>>(7)?.unwrap_or(0), row.get::<_, Option<u32>>(8)?.unwrap_or(0));
                Ok(KeptTry {
                    guest: row.get(0)?,
                    name: row.get(1)?,
                    table: row.get(2)?,
                    played,
                    result: solved.map(|solved| TryResult { solved, millis, errors }),
                })
            })?;
            rows.collect()
        })
    }

    /// Keeps what became of a try. What was kept before stays.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn judge_try(&self, day: &str, game: &str, guest: &str, result: TryResult) -> Result<(), StoreError> {
        let [day, game, guest] = [day, game, guest].map(str::to_owned);
        self.make(&Whose::Guest(guest.clone()), Change::Judged { day, game, guest, result })
    }

    /// All tables that are kept, the oldest first.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn tables(&self) -> Result<Vec<KeptTable>, StoreError> {
        let mut tables = Vec::new();
        self.each_table(|table| tables.push(table))?;
        Ok(tables)
    }

    /// Does something with each table that is kept, the oldest first; no two of them need be in memory at once.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn each_table(&self, mut f: impl FnMut(KeptTable)) -> Result<(), StoreError> {
        self.read_with(|sql| {
            let mut query =
                sql.prepare_cached("SELECT id, about, saved FROM tables WHERE saved <> '' ORDER BY rowid")?;
            let mut rows = query.query([])?;
            while let Some(row) = rows.next()? {
                f(kept_table(row)?);
            }
            Ok(())
        })
    }

    /// One table; none if it is not kept.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn table(&self, id: &str) -> Result<Option<KeptTable>, StoreError> {
        self.read_with(|sql| {
            sql.prepare_cached("SELECT id, about, saved FROM tables WHERE id = ?1 AND saved <> ''")?
                .query_row([id], kept_table)
                .optional()
        })
    }

    /// Ids of the kept tables that name a guest: as somebody who sits there, as the host, or as one who was removed.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn tables_of(&self, guest: &str) -> Result<Vec<String>, StoreError> {
        self.read_with(|sql| {
            let mut query = sql.prepare_cached("SELECT tab FROM places WHERE guest = ?1")?;
            query.query_map([guest], |row| row.get(0))?.collect()
        })
    }

    /// What all guests are called whom kept tables name, by their ids.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn names_at_tables(&self) -> Result<HashMap<String, String>, StoreError> {
        self.read_with(|sql| {
            let mut query = sql.prepare_cached(
                "SELECT id, name FROM guests WHERE EXISTS (SELECT 1 FROM places WHERE guest = guests.id)",
            )?;
            query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })
    }

    /// Drops a table that is empty; its matches stay.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn drop_table(&self, table: &str) -> Result<(), StoreError> {
        self.make(&Whose::Table(table.to_owned()), Change::Closed { table: table.to_owned() })
    }

    /// The matches that a guest played or plays, the newest first, at most `most`.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn matches_of(&self, guest: &str, most: u32) -> Result<Vec<KeptMatch>, StoreError> {
        self.read_with(|sql| {
            let mut query = sql.prepare_cached(
                "SELECT DISTINCT m.id FROM matches m JOIN players p ON p.match = m.id WHERE p.guest = ?1
                 ORDER BY m.began DESC, m.rowid DESC LIMIT ?2",
            )?;
            let ids: Vec<i64> =
                query.query_map(params![guest, most], |row| row.get(0))?.collect::<Result<_, _>>()?;
            ids.into_iter().filter_map(|id| kept_match(sql, id).transpose()).collect()
        })
    }

    /// One match.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn match_of(&self, id: MatchId) -> Result<Option<KeptMatch>, StoreError> {
        self.read_with(|sql| kept_match(sql, id.number() as i64))
    }
}

/// Whether another table may take the place of the one of a try that was not judged: its table is not kept any more, and no
/// match was played to an end there.
const LEFT: &str = "NOT EXISTS (SELECT 1 FROM tables t WHERE t.id = tries.tab AND t.saved <> '')
    AND NOT EXISTS (SELECT 1 FROM matches m WHERE m.tab = tries.tab AND m.ended IS NOT NULL)";

/// The time, in seconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

fn kept_table(row: &rusqlite::Row<'_>) -> rusqlite::Result<KeptTable> {
    Ok(KeptTable { id: row.get(0)?, about: row.get(1)?, saved: row.get(2)? })
}

fn kept_match(sql: &Connection, id: i64) -> rusqlite::Result<Option<KeptMatch>> {
    let found = sql
        .prepare_cached(
            "SELECT m.tab, coalesce(t.about, ''), m.began, m.ended, m.outcome, m.seats
             FROM matches m LEFT JOIN tables t ON t.id = m.tab WHERE m.id = ?1",
        )?
        .query_row([id], |row| {
            let outcome: Option<String> = row.get(4)?;
            let seats = row.get::<_, i64>(5)?.clamp(0, 64) as usize;
            Ok(KeptMatch {
                id: MatchId::new(id as u64),
                table: row.get(0)?,
                about: row.get(1)?,
                began: row.get::<_, i64>(2)? as u64,
                ended: row.get::<_, Option<i64>>(3)?.is_some(),
                outcome: outcome.and_then(|text| serde_json::from_str(&text).ok()),
                names: vec![String::new(); seats],
                guests: vec![String::new(); seats],
            })
        })
        .optional()?;
    let Some(mut kept) = found else { return Ok(None) };
    // Whoever came last to a seat stands there.
    let mut query =
        sql.prepare_cached("SELECT seat, name, guest FROM players WHERE match = ?1 ORDER BY rowid")?;
    let mut rows = query.query([id])?;
    while let Some(row) = rows.next()? {
        let seat = usize::try_from(row.get::<_, i64>(0)?).unwrap_or(usize::MAX);
        if seat < kept.names.len() {
            kept.names[seat] = row.get(1)?;
            kept.guests[seat] = row.get(2)?;
        }
    }
    Ok(Some(kept))
}

fn reader(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    Ok(connection)
}

/// Copies the database of a data folder to the file `to` while a server may run on it. The copy is whole: as it was at one
/// moment between two commits. It is for its owner only.
///
/// # Errors
/// If there is no database, or `to` exists already or cannot be written.
pub fn backup(folder: &Path, to: &Path) -> Result<(), StoreError> {
    let path = folder.join(DATABASE);
    let from = reader(&path).map_err(|e| StoreError::database(&path, &e))?;
    private_file().create_new(true).open(to).map_err(|e| match e.kind() {
        std::io::ErrorKind::AlreadyExists => StoreError::Exists { path: to.to_owned() },
        _ => StoreError::Database { path: to.to_owned(), why: e.to_string() },
    })?;
    let copied = Connection::open(to).and_then(|mut copy| {
        rusqlite::backup::Backup::new(&from, &mut copy)?.run_to_completion(1024, Duration::ZERO, None)?;
        // One file, not three.
        copy.pragma_update(None, "journal_mode", "delete")
    });
    copied.map_err(|e| {
        // Half a copy is none.
        let _ = std::fs::remove_file(to);
        StoreError::database(to, &e)
    })
}

impl Journal for Store {
    fn append(&self, append: Append) {
        self.writer.hand(Job::Append(append));
    }

    fn read(&self, id: MatchId, from: u32) -> Result<Vec<Vec<u8>>, Unreadable> {
        let rows = self.read_with(|sql| log::read(sql, id, from, usize::MAX));
        rows.map_err(|e| Unreadable(e.to_string()))
    }
}

impl Store {
    /// Entries of a match from number `from` on, as they are written: about `most` of them, or all that are left if they
    /// are fewer. None are left when this gives none.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn entries(&self, id: MatchId, from: u32, most: usize) -> Result<Vec<Vec<u8>>, StoreError> {
        self.read_with(|sql| log::read(sql, id, from, most))
    }
}

impl TableStore for Store {
    fn save(&self, table: &str, people: Vec<String>, saved: String) {
        let table = table.to_owned();
        self.hand(&Whose::Table(table.clone()), Change::Saved { table, people, saved });
    }

    fn played(&self, played: Played) {
        let Played { id, table, seats } = played;
        self.hand(&Whose::Table(table.clone()), Change::Played { at: now(), id, table, seats });
    }

    fn finished(&self, finished: Finished) {
        let Finished { id, table, seats, outcome, entries } = finished;
        let change = Change::Finished { at: now(), id, table: table.clone(), seats, outcome, entries };
        self.hand(&Whose::Table(table), change);
    }
}
