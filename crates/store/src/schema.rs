//! The tables of the database, and how an older database becomes one of today.

use crate::log;
use rusqlite::{Connection, params};
use std::time::Duration;

/// Each step makes a database of one version (its place in the list) one of the next. Never changed once released.
const STEPS: &[&str] = &["
CREATE TABLE journal (match INTEGER NOT NULL, ply INTEGER NOT NULL, entry BLOB NOT NULL, PRIMARY KEY (match, ply));
CREATE TABLE guests (id TEXT PRIMARY KEY, name TEXT NOT NULL, made INTEGER NOT NULL);
CREATE TABLE tables (id TEXT PRIMARY KEY, about TEXT NOT NULL DEFAULT '', saved TEXT NOT NULL DEFAULT '');
CREATE TABLE matches (id INTEGER PRIMARY KEY, tab TEXT NOT NULL, began INTEGER NOT NULL, seats INTEGER NOT NULL,
    ended INTEGER, outcome TEXT, entries INTEGER);
CREATE TABLE players (match INTEGER NOT NULL, seat INTEGER NOT NULL, guest TEXT NOT NULL, name TEXT NOT NULL,
    PRIMARY KEY (match, seat, guest));
CREATE INDEX players_guest ON players (guest) WHERE guest <> '';
", "
CREATE TABLE tries (day TEXT NOT NULL, game TEXT NOT NULL, guest TEXT NOT NULL, tab TEXT NOT NULL,
    solved INTEGER, millis INTEGER, errors INTEGER, PRIMARY KEY (day, game, guest)) WITHOUT ROWID;
CREATE INDEX tries_guest ON tries (guest);
CREATE INDEX matches_tab ON matches (tab);
", "
CREATE TABLE fresh (match INTEGER NOT NULL, ply INTEGER NOT NULL, entry BLOB NOT NULL);
CREATE VIEW entries AS SELECT match, ply, entry FROM journal UNION ALL SELECT match, ply, entry FROM fresh;
", "
INSERT INTO journal SELECT match, ply, entry FROM fresh ORDER BY match, ply;
DROP VIEW entries;
DROP TABLE fresh;
CREATE TABLE batches (id INTEGER PRIMARY KEY, entries BLOB NOT NULL);
", "
ALTER TABLE tries ADD COLUMN ended INTEGER;
UPDATE tries SET ended = (SELECT max(ended) FROM matches m WHERE m.tab = tries.tab);
CREATE INDEX tries_tab ON tries (tab);
CREATE INDEX tries_best ON tries (day, game, millis, errors) WHERE solved = 1;
CREATE INDEX tries_unjudged ON tries (day, game) WHERE solved IS NULL AND ended IS NOT NULL;
"];

pub(crate) enum Fault {
    Sql(rusqlite::Error),
    Newer(i64),
}

impl From<rusqlite::Error> for Fault {
    fn from(e: rusqlite::Error) -> Fault {
        Fault::Sql(e)
    }
}

/// Sets the writer's connection up and brings the database up to date.
pub(crate) fn prepare(sql: &mut Connection) -> Result<(), Fault> {
    sql.busy_timeout(Duration::from_secs(5))?;
    sql.pragma_update(None, "journal_mode", "wal")?;
    // A commit is on the disk before it is told of.
    sql.pragma_update(None, "synchronous", "full")?;
    sql.pragma_update(None, "journal_size_limit", 64 << 20)?;
    // In pages: what is written again and again is copied to its place more seldom.
    sql.pragma_update(None, "wal_autocheckpoint", 4096)?;
    // In KiB: what is sorted in fits.
    sql.pragma_update(None, "cache_size", -4096)?;
    let version: i64 = sql.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let steps =
        usize::try_from(version).ok().and_then(|from| STEPS.get(from..)).ok_or(Fault::Newer(version))?;
    if !steps.is_empty() {
        let change = sql.transaction()?;
        for step in steps {
            change.execute_batch(step)?;
        }
        change.pragma_update(None, "user_version", STEPS.len() as i64)?;
        change.commit()?;
    }
    // What the server before this one left.
    let change = sql.transaction()?;
    log::sort_in(&change)?;
    change.commit()?;
    Ok(())
}

/// Forgets a guest: see [`crate::Store::delete_guest`].
pub(crate) fn forget(sql: &Connection, guest: &str) -> rusqlite::Result<()> {
    log::sort_in(sql)?;
    let mut query = sql.prepare("SELECT match, seat, name FROM players WHERE guest = ?1")?;
    let seats: Vec<(i64, u64, String)> = query
        .query_map([guest], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64, row.get(2)?)))?
        .collect::<Result<_, _>>()?;
    for (id, seat, name) in seats {
        sql.execute(
            "UPDATE players SET guest = '', name = '' WHERE match = ?1 AND seat = ?2 AND guest = ?3",
            params![id, seat as i64, guest],
        )?;
        let others: i64 =
            sql.query_row("SELECT count(*) FROM players WHERE match = ?1 AND guest <> ''", [id], |row| {
                row.get(0)
            })?;
        let on: bool = sql.query_row(
            "SELECT coalesce(max(ended IS NULL), 0) FROM matches WHERE id = ?1",
            [id],
            |row| row.get(0),
        )?;
        if others == 0 && !on {
            log::drop_log(sql, id)?;
            sql.execute("DELETE FROM players WHERE match = ?1", [id])?;
            sql.execute("DELETE FROM matches WHERE id = ?1", [id])?;
        } else {
            log::blank(sql, id, seat, &name)?;
        }
    }
    sql.execute("DELETE FROM tries WHERE guest = ?1", [guest])?;
    sql.execute("DELETE FROM guests WHERE id = ?1", [guest])?;
    Ok(())
}
