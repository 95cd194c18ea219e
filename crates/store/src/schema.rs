//! The tables of the database, and how an older database becomes one of today.

use crate::error::describe;
use crate::{forget, log, shared};
use rusqlite::Connection;
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
", "
ALTER TABLE guests ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;
UPDATE guests SET seen = unixepoch();
CREATE TABLE places (guest TEXT NOT NULL, tab TEXT NOT NULL, PRIMARY KEY (guest, tab)) WITHOUT ROWID;
CREATE INDEX places_tab ON places (tab);
INSERT OR IGNORE INTO places (guest, tab) SELECT found.atom, t.id
    FROM tables t, json_tree(CASE WHEN json_valid(t.saved) THEN t.saved ELSE '{}' END) found
    WHERE found.key = 'id' AND (found.path = '$.settings.host' OR found.path LIKE '$.chairs[%].who.person');
UPDATE tables SET about = json_remove(about, '$.host') WHERE saved = '' AND json_valid(about);
CREATE TABLE leaving (guest TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE doomed (match INTEGER PRIMARY KEY);
CREATE TABLE chores (name TEXT PRIMARY KEY) WITHOUT ROWID;
INSERT INTO chores VALUES ('scrub');
", "
CREATE TABLE folded (part INTEGER PRIMARY KEY, number INTEGER NOT NULL, sequence INTEGER NOT NULL, hash BLOB NOT NULL);
CREATE TABLE gone (trace BLOB PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE forgotten (match INTEGER NOT NULL, seat INTEGER NOT NULL, PRIMARY KEY (match, seat)) WITHOUT ROWID;
ALTER TABLE tables ADD COLUMN closed INTEGER NOT NULL DEFAULT 0;
UPDATE tables SET closed = 1 WHERE saved = '';
"];

/// How long the database may be busy with something else.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

pub(crate) enum Fault {
    Sql(rusqlite::Error),
    Newer(i64),
    /// It has games that are from no log; and whether it was used alone after it was a fold of one.
    Own(bool),
}

impl From<rusqlite::Error> for Fault {
    fn from(e: rusqlite::Error) -> Fault {
        Fault::Sql(e)
    }
}

/// Sets the writer's connection up and brings the database up to date; `one_of_several` says whether it is to be the fold of a log
/// that several machines share.
pub(crate) fn prepare(sql: &mut Connection, one_of_several: bool) -> Result<(), Fault> {
    sql.busy_timeout(PATIENCE)?;
    sql.pragma_update(None, "journal_mode", "wal")?;
    // A commit is on the disk before it is told of; but what a fold loses of its end it reads from the log again.
    sql.pragma_update(None, "synchronous", if one_of_several { "normal" } else { "full" })?;
    sql.pragma_update(None, "journal_size_limit", 64 << 20)?;
    // What is deleted is overwritten: a quarter more is written to the disk, in the same commits.
    sql.pragma_update(None, "secure_delete", "on")?;
    // In pages: what is written again and again is copied to its place more seldom. In a fold others do it: see checkpoint.rs.
    sql.pragma_update(None, "wal_autocheckpoint", if one_of_several { 0 } else { 4096 })?;
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
    if one_of_several {
        // Nothing of it has changed but its version.
        if let Some(alone) = shared::has_its_own(&change)? {
            return Err(Fault::Own(alone));
        }
    } else {
        shared::go_alone(&change)?;
    }
    change.commit()?;
    for guest in forget::leaving(sql)? {
        loop {
            let change = sql.transaction()?;
            let done = forget::step(&change, &guest, one_of_several)?;
            change.commit()?;
            if done {
                break;
            }
        }
    }
    if forget::is_scrub_due(sql)?
        && let Err(e) = forget::scrub(sql, PATIENCE)
    {
        tracing::warn!(
            "traces of deleted rows stay in the unused parts of the database until there is room to write it anew: {}",
            describe(&e)
        );
    }
    Ok(())
}
