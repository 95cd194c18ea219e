//! Bounding growth: what nobody will ask for again is deleted, in steps so small that no move waits for one.
//!
//! A step looks at some rows with a reader's connection, and then has the writer delete those that are still to go, together
//! with whatever else it commits just then. What is never deleted: a guest who has a seat, a game or a try, and a match that
//! was played to its end by somebody who is still known.

use crate::{Store, StoreError, forget};
use rusqlite::{Connection, OptionalExtension as _, params};
use std::ops::AddAssign;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Rows that a step looks at, and so the most that it deletes.
pub const STEP_ROWS: usize = 500;
/// Pause between two steps, in which others write.
const PAUSE: Duration = Duration::from_millis(5);

/// What is kept of that which nobody will ask for again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keep {
    /// Seconds for which a guest is kept who has no seat, no game and no try, since they were last here; none: for ever.
    pub unused_guest: Option<u64>,
    /// Most such guests; of more, the oldest go first.
    pub unused_guests: u64,
    /// Seconds for which a match is kept that nobody played who is still known, or that was broken off, since it ended or
    /// began; none: for ever.
    pub unplayed_match: Option<u64>,
    /// The first day, as `2026-01-31`, of which ranked tries are kept.
    pub first_day: String,
}

/// What was deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Guests.
    pub guests: u64,
    /// Matches.
    pub matches: u64,
    /// What was kept about tables that are closed.
    pub tables: u64,
    /// Tries at games of past days.
    pub tries: u64,
    /// Bytes of logs.
    pub bytes: u64,
}

impl AddAssign for Pruned {
    fn add_assign(&mut self, other: Pruned) {
        self.guests += other.guests;
        self.matches += other.matches;
        self.tables += other.tables;
        self.tries += other.tries;
        self.bytes += other.bytes;
    }
}

/// Where pruning stands: each stage goes through its rows in their order, from the one after this.
enum Stage {
    Guests { after: i64, too_many: u64 },
    Matches { after: i64 },
    Orphans { after: i64 },
    Logs,
    Tables { after: i64 },
    Tries,
    Done,
}

/// Pruning on its way.
pub struct Pruning<'a> {
    store: &'a Store,
    now: u64,
    keep: Keep,
    stage: Stage,
}

/// A guest who has no seat, no game and no try.
const UNUSED: &str = "NOT EXISTS (SELECT 1 FROM players WHERE guest = g.id AND guest <> '')
    AND NOT EXISTS (SELECT 1 FROM places WHERE guest = g.id) AND NOT EXISTS (SELECT 1 FROM tries WHERE guest = g.id)";

impl Store {
    /// Deletes what is not to be kept any more at the time `now`, in seconds since 1970. Blocks, but nobody who writes.
    ///
    /// # Errors
    /// If it cannot be read or written; what was deleted before is.
    pub fn prune(&self, now: u64, keep: &Keep) -> Result<Pruned, StoreError> {
        let mut pruning = self.pruning(now, keep)?;
        let mut sum = Pruned::default();
        while let Some(pruned) = pruning.step()? {
            sum += pruned;
            std::thread::sleep(PAUSE);
        }
        Ok(sum)
    }

    /// The same step by step.
    ///
    /// # Errors
    /// If it cannot be read how many guests there are.
    pub fn pruning(&self, now: u64, keep: &Keep) -> Result<Pruning<'_>, StoreError> {
        let most = keep.unused_guests;
        let too_many = self.read_with(|sql| {
            let count = |text: &str| sql.query_row(text, [], |row| row.get::<_, i64>(0)).map(|n| n as u64);
            if count("SELECT count(*) FROM guests")? <= most {
                return Ok(0);
            }
            Ok(count(&format!("SELECT count(*) FROM guests g WHERE {UNUSED}"))?.saturating_sub(most))
        })?;
        Ok(Pruning { store: self, now, keep: keep.clone(), stage: Stage::Guests { after: 0, too_many } })
    }
}

impl Pruning<'_> {
    /// Looks at the next rows and deletes what is to go. Gives what that was; none when all has been looked at.
    ///
    /// # Errors
    /// If it cannot be read or written.
    pub fn step(&mut self) -> Result<Option<Pruned>, StoreError> {
        let pruned = match self.stage {
            Stage::Guests { after, too_many } => self.guests(after, too_many)?,
            Stage::Matches { after } => self.matches(after)?,
            Stage::Orphans { after } => self.orphans(after)?,
            Stage::Logs => self.logs()?,
            Stage::Tables { after } => self.tables(after)?,
            Stage::Tries => self.tries()?,
            Stage::Done => return Ok(None),
        };
        Ok(Some(pruned))
    }

    /// Whether something of this time is older than so many seconds.
    fn is_older(&self, at: i64, than: Option<u64>) -> bool {
        than.is_some_and(|than| (at as u64).saturating_add(than) < self.now)
    }

    /// Writes, and gives what `f` counts.
    fn count(
        &self,
        f: impl FnOnce(&Connection) -> rusqlite::Result<u64> + Send + 'static,
    ) -> Result<u64, StoreError> {
        let counted = Arc::new(Mutex::new(0));
        let told = Arc::clone(&counted);
        self.store.write(move |sql| {
            *told.lock().unwrap_or_else(PoisonError::into_inner) = f(sql)?;
            Ok(())
        })?;
        let counted = *counted.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(counted)
    }

    fn guests(&mut self, after: i64, mut too_many: u64) -> Result<Pruned, StoreError> {
        let rows: Vec<(i64, String, i64, bool)> = self.store.read_with(|sql| {
            sql.prepare_cached(&format!(
                "SELECT g.rowid, g.id, g.seen, {UNUSED} FROM guests g WHERE g.rowid > ?1 ORDER BY g.rowid LIMIT ?2"
            ))?
            .query_map(params![after, STEP_ROWS as i64], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
            })?
            .collect()
        })?;
        let last = rows.last().map(|row| row.0);
        let mut leave = Vec::new();
        for (_, id, seen, unused) in rows {
            if unused && (too_many > 0 || self.is_older(seen, self.keep.unused_guest)) {
                too_many = too_many.saturating_sub(1);
                leave.push((id, seen));
            }
        }
        self.stage = last.map_or(Stage::Matches { after: -1 }, |after| Stage::Guests { after, too_many });
        if leave.is_empty() {
            return Ok(Pruned::default());
        }
        let guests = self.count(move |sql| {
            // Whoever has come meanwhile stays.
            let mut delete = sql.prepare_cached(&format!(
                "DELETE FROM guests AS g WHERE id = ?1 AND seen = ?2 AND {UNUSED}"
            ))?;
            leave.iter().try_fold(0, |sum, (id, seen)| Ok(sum + delete.execute(params![id, seen])? as u64))
        })?;
        Ok(Pruned { guests, ..Pruned::default() })
    }

    fn matches(&mut self, after: i64) -> Result<Pruned, StoreError> {
        // Whether somebody played it, whether it has ended, when, and whether a table is still open that may need it.
        let rows: Vec<(i64, bool, bool, i64, bool)> = self.store.read_with(|sql| {
            sql.prepare_cached(
                "SELECT m.id, EXISTS (SELECT 1 FROM players p WHERE p.match = m.id AND p.guest <> ''),
                 m.ended IS NOT NULL, coalesce(m.ended, m.began),
                 EXISTS (SELECT 1 FROM tables t WHERE t.id = m.tab AND t.saved <> '')
                 FROM matches m WHERE m.id > ?1 ORDER BY m.id LIMIT ?2",
            )?
            .query_map(params![after, STEP_ROWS as i64], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?))
            })?
            .collect()
        })?;
        let last = rows.last().map(|row| row.0);
        self.stage = last.map_or(Stage::Orphans { after: -1 }, |after| Stage::Matches { after });
        let leave: Vec<i64> = rows
            .into_iter()
            .filter(|&(_, played, ended, at, open)| {
                !(open || played && ended) && self.is_older(at, self.keep.unplayed_match)
            })
            .map(|(id, ..)| id)
            .collect();
        if leave.is_empty() {
            return Ok(Pruned::default());
        }
        let matches = self.count(move |sql| {
            leave.iter().try_for_each(|id| forget::drop_match(sql, *id)).map(|()| leave.len() as u64)
        })?;
        Ok(Pruned { matches, ..Pruned::default() })
    }

    /// Logs of no match: what a table still wrote when its match was dropped.
    fn orphans(&mut self, after: i64) -> Result<Pruned, StoreError> {
        let (last, leave) = self.store.read_with(|sql| {
            let mut next = sql.prepare_cached(
                "SELECT j.match, EXISTS (SELECT 1 FROM matches m WHERE m.id = j.match)
                 OR EXISTS (SELECT 1 FROM tables t WHERE instr(t.saved, printf('\"playing\":\"%016x\"', j.match)))
                 FROM journal j WHERE j.match > ?1 ORDER BY j.match LIMIT 1",
            )?;
            let (mut at, mut leave) = (after, Vec::new());
            for _ in 0..STEP_ROWS {
                let found = next.query_row([at], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, bool>(1)?)));
                match found.optional()? {
                    None => return Ok((None, leave)),
                    Some((id, known)) => {
                        if !known {
                            leave.push(id);
                        }
                        at = id;
                    }
                }
            }
            Ok((Some(at), leave))
        })?;
        self.stage = last.map_or(Stage::Logs, |after| Stage::Orphans { after });
        if !leave.is_empty() {
            self.store.write(move |sql| leave.iter().try_for_each(|id| forget::drop_match(sql, *id)))?;
        }
        Ok(Pruned::default())
    }

    fn logs(&mut self) -> Result<Pruned, StoreError> {
        if !self
            .store
            .read_with(|sql| sql.query_row("SELECT EXISTS (SELECT 1 FROM doomed)", [], |row| row.get(0)))?
        {
            self.stage = Stage::Tables { after: 0 };
            return Ok(Pruned::default());
        }
        let bytes = self.count(|sql| Ok(forget::drop_logs(sql)?.0 as u64))?;
        Ok(Pruned { bytes, ..Pruned::default() })
    }

    fn tables(&mut self, after: i64) -> Result<Pruned, StoreError> {
        const GONE: &str = "t.saved = '' AND NOT EXISTS (SELECT 1 FROM matches WHERE tab = t.id)
            AND NOT EXISTS (SELECT 1 FROM tries WHERE tab = t.id)";
        let rows: Vec<(i64, bool)> = self.store.read_with(|sql| {
            sql.prepare_cached(&format!(
                "SELECT t.rowid, {GONE} FROM tables t WHERE t.rowid > ?1 ORDER BY t.rowid LIMIT ?2"
            ))?
            .query_map(params![after, STEP_ROWS as i64], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect()
        })?;
        let last = rows.last().map(|row| row.0);
        self.stage = last.map_or(Stage::Tries, |after| Stage::Tables { after });
        let leave: Vec<i64> = rows.into_iter().filter(|row| row.1).map(|row| row.0).collect();
        if leave.is_empty() {
            return Ok(Pruned::default());
        }
        let tables = self.count(move |sql| {
            let mut delete =
                sql.prepare_cached(&format!("DELETE FROM tables AS t WHERE rowid = ?1 AND {GONE}"))?;
            leave.iter().try_fold(0, |sum, row| Ok(sum + delete.execute([row])? as u64))
        })?;
        Ok(Pruned { tables, ..Pruned::default() })
    }

    fn tries(&mut self) -> Result<Pruned, StoreError> {
        let first = self.keep.first_day.clone();
        let tries = self.count(move |sql| {
            sql.prepare_cached(
                "DELETE FROM tries WHERE (day, game, guest) IN
                 (SELECT day, game, guest FROM tries WHERE day < ?1 LIMIT ?2)",
            )?
            .execute(params![first, STEP_ROWS as i64])
            .map(|deleted| deleted as u64)
        })?;
        if tries < STEP_ROWS as u64 {
            self.stage = Stage::Done;
        }
        Ok(Pruned { tries, ..Pruned::default() })
    }
}
