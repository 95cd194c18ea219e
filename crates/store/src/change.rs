//! What is written, as values: each lasting change of the parlour's truth, as text for a log that several machines share, and
//! as SQL for the database of each.
//!
//! # The law of the order
//!
//! A change belongs to one part of the log, that of a table or that of a guest ([`Whose`]). The changes of a part are applied
//! in their order everywhere; how those of two parts fall between each other differs from machine to machine. **Whatever that
//! order is, and whenever [`Store::forget_here`](crate::Store::forget_here) is called for somebody who has left, the same
//! changes of each part bring the same database.** So what a change does may depend on what other parts have brought only
//! where the other order, too, ends there:
//!
//! | of a table | of a guest | whichever comes first |
//! | --- | --- | --- |
//! | `Saved`, `About` | `Leaves` | the guest is not at the table as it is kept: taken out by the step, or as it is written; where nobody else is known to be there nothing is kept to open it again, but it counts as closed only by `Closed` |
//! | `Played`, `Finished` | `Leaves` | their seat is nobody's, and is noted as `forgotten`; not knowing a guest is no sign, since their `Guest` may come later |
//! | `Entry` | `Leaves` | names of a forgotten seat go from the log by the step, and with each `Played`, `Finished` and `Closed` after it |
//! | `Closed` | `Leaves` | a match of which nobody is left is dropped when both are there, and not before: until its table is closed, somebody of whom this machine has not heard may have joined |
//! | `Finished` | `Try` | the try has ended |
//!
//! Of one part, and so in order: `Saved` and `About` after `Closed`; `Guest`, `Seen`, `Try` and `Judged` after `Leaves`, which do
//! nothing. In one seat of one match the first who was forgotten stands for all of them, and a bot for all that are not people,
//! so that the rows come to the same whoever is forgotten first.
//!
//! Two things are each machine's own: what [`Store::prune`](crate::Store::prune) deletes, and the names that are blanked in a seat
//! that somebody else had too, if they have changed their name since: what is not known to be theirs goes.

use crate::{TryResult, forget, log};
use game::Outcome;
use names::NOBODY;
use rusqlite::{Connection, params};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use table::{MatchId, Who};

/// Most bytes of several changes as one text (see [`join`]).
pub const BATCH_BYTES: usize = 512 << 10;
/// Version of the texts of changes. An older program refuses a newer one; a change may get new fields without one.
const VERSION: u32 = 1;

/// A lasting change. As JSON it is an object with the name of the change (`{"closed":{"table":"t"}}`); fields that are not known are
/// passed over. Times are in seconds since 1970, and are those of whoever makes the change.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// The next entry of a match.
    Entry {
        /// Of which match.
        id: MatchId,
        /// Its number, from 0.
        ply: u32,
        /// It: one line of JSON.
        body: Box<RawValue>,
    },
    /// A table, as it is now (see [`table::TableStore::save`]).
    Saved {
        /// Its id.
        table: String,
        /// Ids of the people whom it names.
        people: Vec<String>,
        /// What [`table::Table::restore`] reads.
        saved: String,
    },
    /// What the server wants to know about a table.
    About {
        /// Its id.
        table: String,
        /// JSON.
        about: String,
    },
    /// A table is no more; its matches stay.
    Closed {
        /// Its id.
        table: String,
    },
    /// A match has begun, or others play it.
    Played {
        /// When.
        at: u64,
        /// Which match.
        id: MatchId,
        /// At which table.
        table: String,
        /// Who has each seat.
        seats: Vec<Option<Who>>,
    },
    /// A match has ended.
    Finished {
        /// When.
        at: u64,
        /// Which match.
        id: MatchId,
        /// At which table.
        table: String,
        /// Who had each seat at the end.
        seats: Vec<Option<Who>>,
        /// The result; none if it was ended by agreement.
        outcome: Option<Outcome>,
        /// Number of entries in its log.
        entries: u32,
    },
    /// A guest, new or under another name. Nobody is called by the id of somebody who has left.
    Guest {
        /// When.
        at: u64,
        /// What the cookie says.
        id: String,
        /// What others see.
        name: String,
    },
    /// A guest was here.
    Seen {
        /// When.
        at: u64,
        /// Who.
        guest: String,
    },
    /// A guest is to be forgotten: from now on nobody is called by this id. [`Store::forget_here`](crate::Store::forget_here)
    /// does the rest on each machine.
    Leaves {
        /// Who.
        guest: String,
    },
    /// No table has this guest in memory any more, after `Leaves`. By itself it changes nothing: whoever applies it calls
    /// [`Store::forget_here`](crate::Store::forget_here) once more.
    Forgets {
        /// Who.
        guest: String,
    },
    /// The ranked try of a guest at a game of a day is played at this table. Whoever writes it has judged
    /// it: see [`Ledger::claim`](crate::Ledger::claim). One that was judged stays.
    Try {
        /// The day, as `2026-01-31`.
        day: String,
        /// The game.
        game: String,
        /// Whose.
        guest: String,
        /// Where.
        table: String,
    },
    /// What became of a try. What was judged before stays.
    Judged {
        /// The day, as `2026-01-31`.
        day: String,
        /// The game.
        game: String,
        /// Whose.
        guest: String,
        /// What became of it.
        result: TryResult,
    },
}

/// Which part of the log a change belongs to. The parts are written, and applied, independently of each other.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Whose {
    /// That of the table with this id: it, its matches and their entries.
    Table(String),
    /// That of the guest with this id: they and their tries.
    Guest(String),
}

impl Change {
    /// The next entry of a match, as a journal is given it.
    ///
    /// # Errors
    /// If it is not one line of JSON.
    pub fn entry(id: MatchId, ply: u32, body: Vec<u8>) -> Result<Change, String> {
        let broken = |why: String| format!("entry {ply} of match {id} is not one line of JSON: {why}");
        let body = String::from_utf8(body).map_err(|e| broken(e.to_string()))?;
        let body = RawValue::from_string(body).map_err(|e| broken(e.to_string()))?;
        if !log::is_entry(body.get().as_bytes()) {
            return Err(broken("it has several lines".to_owned()));
        }
        Ok(Change::Entry { id, ply, body })
    }

    /// The change as text, for [`join`].
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("changes are plain data")
    }

    /// Makes the change in a database. What it does is the same on one machine alone and on each of several.
    pub(crate) fn apply(&self, sql: &Connection) -> rusqlite::Result<()> {
        match self {
            Change::Entry { id, ply, body } => {
                log::keep(sql, std::iter::once((*id, *ply, body.get().as_bytes()))).map(|_| ())
            }
            Change::Saved { table, people, saved } => save(sql, table, people, saved),
            Change::About { table, about } => {
                sql.prepare_cached(
                    "INSERT INTO tables (id, about) VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET about = excluded.about",
                )?
                .execute(params![table, about])?;
                forget::leave_about(sql, table, about)
            }
            Change::Closed { table } => forget::close(sql, table),
            Change::Played { at, id, table, seats } => {
                let id = id.number() as i64;
                sql.prepare_cached(
                    "INSERT INTO matches (id, tab, began, seats) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (id) DO NOTHING",
                )?
                .execute(params![id, table, *at as i64, seats.len() as i64])?;
                players(sql, id, seats)
            }
            Change::Finished { at, id, table, seats, outcome, entries } => {
                let id = id.number() as i64;
                let outcome = outcome.as_ref().and_then(|o| serde_json::to_string(o).ok());
                let kept = sql
                    .prepare_cached(
                        "UPDATE matches SET ended = ?2, outcome = ?3, entries = ?4 WHERE id = ?1",
                    )?
                    .execute(params![id, *at as i64, outcome, entries])?;
                sql.prepare_cached(&format!(
                    "UPDATE tries SET ended = coalesce({ENDED}, ?2) WHERE tab = ?1"
                ))?
                .execute(params![table, *at as i64])?;
                if kept > 0 { players(sql, id, seats) } else { Ok(()) }
            }
            Change::Guest { id: guest, .. } | Change::Try { guest, .. } if forget::is_gone(sql, guest)? => {
                Ok(())
            }
            Change::Guest { at, id, name } => sql
                .prepare_cached(
                    "INSERT INTO guests (id, name, made, seen) VALUES (?1, ?2, ?3, ?3)
                     ON CONFLICT (id) DO UPDATE SET name = excluded.name, seen = excluded.seen",
                )?
                .execute(params![id, name, *at as i64])
                .map(|_| ()),
            Change::Seen { at, guest } => sql
                .prepare_cached("UPDATE guests SET seen = ?2 WHERE id = ?1")?
                .execute(params![guest, *at as i64])
                .map(|_| ()),
            Change::Leaves { guest } => forget::begin(sql, guest),
            Change::Forgets { .. } => Ok(()),
            Change::Try { day, game, guest, table } => sql
                .prepare_cached(&format!(
                    "INSERT INTO tries (day, game, guest, tab, ended) VALUES (?1, ?2, ?3, ?4, {ENDED_AT_4})
                     ON CONFLICT (day, game, guest) DO UPDATE SET tab = excluded.tab, ended = excluded.ended
                     WHERE solved IS NULL"
                ))?
                .execute(params![day, game, guest, table])
                .map(|_| ()),
            Change::Judged { day, game, guest, result } => sql
                .prepare_cached(
                    "UPDATE tries SET solved = ?4, millis = ?5, errors = ?6
                     WHERE day = ?1 AND game = ?2 AND guest = ?3 AND solved IS NULL",
                )?
                .execute(params![day, game, guest, result.solved, result.millis, result.errors])
                .map(|_| ()),
        }
    }

    /// Whether it looks at the logs of matches, and so at the entries that came before it.
    pub(crate) fn reads_logs(&self) -> bool {
        matches!(self, Change::Played { .. } | Change::Finished { .. } | Change::Closed { .. })
    }
}

/// When the last match of table `?1` ended.
const ENDED: &str = "(SELECT max(ended) FROM matches WHERE tab = ?1)";
/// The same of table `?4`.
const ENDED_AT_4: &str = "(SELECT max(ended) FROM matches WHERE tab = ?4)";

fn save(sql: &Connection, table: &str, people: &[String], saved: &str) -> rusqlite::Result<()> {
    sql.prepare_cached(
        "INSERT INTO tables (id, saved) VALUES (?1, ?2)
         ON CONFLICT (id) DO UPDATE SET saved = excluded.saved, closed = 0",
    )?
    .execute([table, saved])?;
    // Only what has changed is written.
    let ids = serde_json::json!(people).to_string();
    sql.prepare_cached(
        "DELETE FROM places WHERE tab = ?1 AND guest NOT IN (SELECT value FROM json_each(?2))",
    )?
    .execute([table, &ids])?;
    sql.prepare_cached("INSERT OR IGNORE INTO places (guest, tab) SELECT value, ?1 FROM json_each(?2)")?
        .execute([table, &ids])?;
    // Said by a table before it heard that these guests are forgotten.
    people.iter().try_for_each(|guest| match forget::is_gone(sql, guest)? {
        true => forget::leave_table(sql, guest, table),
        false => Ok(()),
    })
}

fn players(sql: &Connection, id: i64, seats: &[Option<Who>]) -> rusqlite::Result<()> {
    let mut insert = sql.prepare_cached(
        "INSERT INTO players (match, seat, guest, name) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
    )?;
    for (seat, who) in (0i64..).zip(seats) {
        match who {
            // Said by a table before it heard that this guest is forgotten.
            Some(Who::Person(p)) if forget::is_gone(sql, &p.id)? => {
                insert.execute(params![id, seat, "", NOBODY])?;
                forget::note_seat(sql, id, seat)?;
            }
            Some(Who::Person(p)) => {
                insert.execute(params![id, seat, p.id, p.name])?;
            }
            Some(Who::Bot(kind)) => {
                sql.prepare_cached(
                    "DELETE FROM players WHERE match = ?1 AND seat = ?2 AND guest = '' AND name = ?3",
                )?
                .execute(params![id, seat, NOBODY])?;
                insert.execute(params![id, seat, "", kind])?;
            }
            None => {}
        }
    }
    forget::blank_seats(sql, id)
}

/// Several changes, each by [`Change::encode`], as one text for [`decode`]: longer than all together by less than 200 bytes and
/// one for each.
#[must_use]
pub fn join(changes: &[Vec<u8>]) -> Vec<u8> {
    let mut batch = Vec::with_capacity(64 + changes.iter().map(|change| change.len() + 1).sum::<usize>());
    // The version comes first, and so is judged before anything else is read.
    batch.extend_from_slice(format!(r#"{{"v":{VERSION},"changes":["#).as_bytes());
    for (n, change) in changes.iter().enumerate() {
        if n > 0 {
            batch.push(b',');
        }
        batch.extend_from_slice(change);
    }
    batch.extend_from_slice(b"]}");
    batch
}

#[derive(Deserialize)]
struct Batch {
    #[serde(rename = "v", deserialize_with = "version")]
    _version: (),
    changes: Vec<Change>,
}

const NEWER: &str = "it was written by a newer version of Parlour";

fn version<'a, D: Deserializer<'a>>(from: D) -> Result<(), D::Error> {
    let found = u32::deserialize(from)?;
    if found == VERSION {
        return Ok(());
    }
    Err(serde::de::Error::custom(format!(
        "{NEWER} (version {found} of the log, and this program knows {VERSION})"
    )))
}

/// Reads what [`join`] has put together.
///
/// # Errors
/// In words, if it has more than [`BATCH_BYTES`], was written by a newer version of Parlour, or cannot be read.
pub fn decode(batch: &[u8]) -> Result<Vec<Change>, String> {
    if batch.len() > BATCH_BYTES {
        return Err(format!(
            "changes of {} bytes are too long: at most {BATCH_BYTES} are read at once",
            batch.len()
        ));
    }
    let batch: Batch = serde_json::from_slice(batch).map_err(|e| {
        let text = e.to_string();
        match text.contains("unknown variant") {
            true => format!("what is in the log cannot be read: {NEWER} ({text})"),
            false => format!("what is in the log cannot be read: {text}"),
        }
    })?;
    Ok(batch.changes)
}
