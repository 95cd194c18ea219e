//! Forgetting a guest, and then every trace of them in the file.
//!
//! It goes in small steps, so that no move waits for somebody with a thousand games; a list in the database says who is
//! leaving, so that a step which the power cut took is done at the next start. When a guest is gone, nothing that reads the
//! database finds them; what SQLite leaves of deleted rows in unused places of its file is scrubbed when that disturbs
//! nobody, see [`scrub`].

use crate::log;
use names::NOBODY;
use rusqlite::{Connection, OptionalExtension as _, params};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::time::Duration;

/// Tables, and matches, that one step looks at.
const STEP: usize = 20;
/// Bytes of logs that one step reads or drops, unless a single row has more.
pub(crate) const STEP_BYTES: usize = 256 << 10;

/// The guest is gone for all who ask; what is kept of them goes step by step.
pub(crate) fn begin(sql: &Connection, guest: &str) -> rusqlite::Result<()> {
    sql.execute(
        "INSERT OR IGNORE INTO leaving (guest, name) SELECT id, name FROM guests WHERE id = ?1",
        [guest],
    )?;
    sql.execute("INSERT OR IGNORE INTO leaving (guest, name) VALUES (?1, '')", [guest])?;
    sql.execute("INSERT OR IGNORE INTO gone (trace) VALUES (?1)", [trace(guest)])?;
    sql.execute("DELETE FROM guests WHERE id = ?1", [guest]).map(|_| ())
}

/// What stays of an id: enough to know it again, and nothing to find it by.
fn trace(guest: &str) -> [u8; 32] {
    Sha256::digest(guest).into()
}

/// Whether somebody had this id whose forgetting was begun.
pub(crate) fn is_gone(sql: &Connection, guest: &str) -> rusqlite::Result<bool> {
    sql.prepare_cached("SELECT EXISTS (SELECT 1 FROM gone WHERE trace = ?1)")?
        .query_row([trace(guest)], |row| row.get(0))
}

/// Whether anything is kept of a guest.
pub(crate) fn is_known(sql: &Connection, guest: &str) -> rusqlite::Result<bool> {
    sql.query_row(
        "SELECT EXISTS (SELECT 1 FROM guests WHERE id = ?1) OR EXISTS (SELECT 1 FROM leaving WHERE guest = ?1)
         OR EXISTS (SELECT 1 FROM players WHERE guest = ?1 AND guest <> '') OR EXISTS (SELECT 1 FROM places WHERE guest = ?1)
         OR EXISTS (SELECT 1 FROM tries WHERE guest = ?1)",
        [guest],
        |row| row.get(0),
    )
}

/// Those whose forgetting was begun and not ended.
pub(crate) fn leaving(sql: &Connection) -> rusqlite::Result<Vec<String>> {
    sql.prepare("SELECT guest FROM leaving")?.query_map([], |row| row.get(0))?.collect()
}

/// Forgets some more of a guest; `shared` says whether this machine is one of several. Whether that was the last.
pub(crate) fn step(sql: &Connection, guest: &str, shared: bool) -> rusqlite::Result<bool> {
    log::sort_in(sql)?;
    if leave_tables(sql, guest)? && leave_matches(sql, guest, shared)? && drop_logs(sql)?.1 {
        sql.execute("DELETE FROM tries WHERE guest = ?1", [guest])?;
        sql.execute("DELETE FROM leaving WHERE guest = ?1", [guest])?;
        sql.execute("INSERT OR IGNORE INTO chores VALUES ('scrub')", [])?;
        return Ok(true);
    }
    Ok(false)
}

/// Takes a guest from tables as they are kept: those in memory have saved themselves without them. A table where nobody is
/// left is closed.
fn leave_tables(sql: &Connection, guest: &str) -> rusqlite::Result<bool> {
    let mut query = sql.prepare_cached("SELECT tab FROM places WHERE guest = ?1 LIMIT ?2")?;
    let tabs: Vec<String> =
        query.query_map(params![guest, STEP as i64], |row| row.get(0))?.collect::<Result<_, _>>()?;
    tabs.iter().try_for_each(|tab| leave_table(sql, guest, tab))?;
    Ok(tabs.len() < STEP)
}

/// Takes a guest from one table as it is kept. Where nobody is left nothing is kept to open it again, but it is not closed by
/// that: somebody of whom this machine has not heard may be there.
pub(crate) fn leave_table(sql: &Connection, guest: &str, tab: &str) -> rusqlite::Result<()> {
    sql.prepare_cached("DELETE FROM places WHERE guest = ?1 AND tab = ?2")?.execute([guest, tab])?;
    let kept = sql
        .prepare_cached("SELECT about, saved FROM tables WHERE id = ?1")?
        .query_row([tab], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))
        .optional()?;
    let Some((about, saved)) = kept else { return Ok(()) };
    let others: bool =
        sql.query_row("SELECT EXISTS (SELECT 1 FROM places WHERE tab = ?1)", [tab], |row| row.get(0))?;
    match without_guest(&about, &saved, guest).filter(|_| others) {
        Some((about, saved)) => sql
            .prepare_cached("UPDATE tables SET about = ?2, saved = ?3 WHERE id = ?1")?
            .execute([tab, &about, &saved])
            .map(|_| ()),
        None => empty(sql, tab, EMPTY),
    }
}

/// What is kept about a table names nobody as its host who is gone: whoever is the host as it is kept stands there, or nobody.
pub(crate) fn leave_about(sql: &Connection, tab: &str, about: &str) -> rusqlite::Result<()> {
    let (saved, is): (String, u8) = sql
        .prepare_cached("SELECT saved, closed FROM tables WHERE id = ?1")?
        .query_row([tab], |row| Ok((row.get(0)?, row.get(1)?)))?;
    if is == EMPTY {
        return strip(sql, tab);
    }
    let Ok(Value::Object(mut about)) = serde_json::from_str(about) else { return Ok(()) };
    match about.get("host").and_then(Value::as_str) {
        Some(host) if is_gone(sql, host)? => {}
        _ => return Ok(()),
    }
    let saved: Option<Value> = serde_json::from_str(&saved).ok();
    match saved.as_ref().and_then(|saved| saved.pointer("/settings/host/id")) {
        Some(host) => about.insert("host".to_owned(), host.clone()),
        None => about.remove("host"),
    };
    sql.prepare_cached("UPDATE tables SET about = ?2 WHERE id = ?1")?
        .execute([tab, &Value::Object(about).to_string()])
        .map(|_| ())
}

/// Drops a table. Matches of which nobody is left go with it, since nobody can join them any more.
pub(crate) fn close(sql: &Connection, table: &str) -> rusqlite::Result<()> {
    empty(sql, table, CLOSED)?;
    let mut query = sql.prepare_cached(
        "SELECT m.id, EXISTS (SELECT 1 FROM players p WHERE p.match = m.id AND p.guest <> '')
         FROM matches m WHERE m.tab = ?1 AND EXISTS (SELECT 1 FROM forgotten f WHERE f.match = m.id)",
    )?;
    let found: Vec<(i64, bool)> =
        query.query_map([table], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
    for (id, stays) in found {
        if stays {
            blank_seats(sql, id)?;
        } else {
            log::sort_in(sql)?;
            drop_forgotten(sql, id)?;
        }
    }
    Ok(())
}

/// Keeps of a table only what the matches played there want to know about it, but for who opened it; `why` is what becomes of it:
/// [`CLOSED`] or [`EMPTY`].
fn empty(sql: &Connection, table: &str, why: u8) -> rusqlite::Result<()> {
    sql.prepare_cached("UPDATE tables SET saved = '', closed = ?2 WHERE id = ?1")?
        .execute(params![table, why])?;
    strip(sql, table)?;
    sql.prepare_cached("DELETE FROM places WHERE tab = ?1")?.execute([table]).map(|_| ())
}

/// It was closed.
const CLOSED: u8 = 1;
/// Nobody is left there of whom this machine knows; somebody else may be, and then it is saved again.
const EMPTY: u8 = 2;

fn strip(sql: &Connection, table: &str) -> rusqlite::Result<()> {
    sql.prepare_cached(
        "UPDATE tables SET about = CASE WHEN json_valid(about) THEN json_remove(about, '$.host', '$.made') ELSE '' END
         WHERE id = ?1",
    )?
    .execute([table])
    .map(|_| ())
}

/// A table without a guest: their seat is free, nobody knows that they were removed, and somebody else who sits there is the host in their place. None if nobody
/// is, or it cannot be read.
fn without_guest(about: &str, saved: &str, guest: &str) -> Option<(String, String)> {
    let mut saved: Value = serde_json::from_str(saved).ok()?;
    let mut heir = None;
    let (playing, sit_in) = (saved["stage"] == "playing", saved.pointer("/settings/sit_in").cloned());
    for chair in saved.get_mut("chairs")?.as_array_mut()? {
        let Some(person) = chair.pointer("/who/person") else { continue };
        if person["id"] != guest {
            heir.get_or_insert_with(|| person.clone());
        } else {
            // In the midst of a match somebody must play on.
            *chair = if playing {
                json!({ "who": { "bot": sit_in }, "ready": true })
            } else {
                json!({ "who": null, "ready": false })
            };
        }
    }
    if let Some(removed) = saved.get_mut("removed").and_then(Value::as_array_mut) {
        removed.retain(|person| person["id"] != guest);
    }
    let host = saved.pointer_mut("/settings/host")?;
    if host["id"] == guest {
        *host = heir?;
        if let Ok(Value::Object(mut about)) = serde_json::from_str(about) {
            about.insert("host".to_owned(), host["id"].clone());
            return Some((Value::Object(about).to_string(), saved.to_string()));
        }
    }
    // To the letter: elsewhere it may be there before the guest leaves, or after.
    Some((about.to_owned(), saved.to_string()))
}

/// Takes a guest from matches: their names from the logs of those that others played or play, and the others whole.
fn leave_matches(sql: &Connection, guest: &str, shared: bool) -> rusqlite::Result<bool> {
    let known: String = sql
        .query_row("SELECT name FROM leaving WHERE guest = ?1", [guest], |row| row.get(0))
        .optional()?
        .unwrap_or_default();
    let mut query =
        sql.prepare_cached("SELECT rowid, match, seat, name FROM players WHERE guest = ?1 LIMIT ?2")?;
    let seats: Vec<(i64, i64, i64, String)> = query
        .query_map(params![guest, STEP as i64], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        })?
        .collect::<Result<_, _>>()?;
    let mut bytes = 0;
    for (done, (row, id, seat, name)) in seats.iter().enumerate() {
        if done > 0 && bytes > STEP_BYTES {
            return Ok(false);
        }
        leave_seat(sql, *row, *id, *seat)?;
        let stays: bool = sql
            .prepare_cached(if shared { STAYS_SHARED } else { STAYS })?
            .query_row([id], |row| row.get(0))?;
        if stays {
            let mut others = names_in(sql, *id, *seat)?;
            others.retain(|other| other != name && *other != known);
            bytes += log::blank(sql, *id, *seat as u64, &others)?;
        } else {
            drop_forgotten(sql, *id)?;
        }
    }
    Ok(seats.len() < STEP)
}

/// Whether a match stays, of which one is forgotten: others have played it, or may still.
const STAYS: &str = "SELECT EXISTS (SELECT 1 FROM players WHERE match = ?1 AND guest <> '')
    OR EXISTS (SELECT 1 FROM matches m JOIN tables t ON t.id = m.tab
               WHERE m.id = ?1 AND m.ended IS NULL AND t.saved <> '')";
/// The same where others may have joined of whom this machine has not heard: until it has heard that the table is closed.
const STAYS_SHARED: &str = "SELECT EXISTS (SELECT 1 FROM players WHERE match = ?1 AND guest <> '')
    OR EXISTS (SELECT 1 FROM matches m JOIN tables t ON t.id = m.tab WHERE m.id = ?1 AND t.closed <> 1)";

/// Makes a player of a match nobody. A bot in that seat stands for them; of several who were forgotten, the first does.
fn leave_seat(sql: &Connection, row: i64, id: i64, seat: i64) -> rusqlite::Result<()> {
    note_seat(sql, id, seat)?;
    let other: Option<(i64, String)> = sql
        .prepare_cached("SELECT rowid, name FROM players WHERE match = ?1 AND seat = ?2 AND guest = ''")?
        .query_row([id, seat], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let mut delete = sql.prepare_cached("DELETE FROM players WHERE rowid = ?1")?;
    match other {
        Some((other, name)) if name == NOBODY && other > row => delete.execute([other])?,
        Some(_) => return delete.execute([row]).map(|_| ()),
        None => 0,
    };
    sql.prepare_cached("UPDATE players SET guest = '', name = ?2 WHERE rowid = ?1")?
        .execute(params![row, NOBODY])
        .map(|_| ())
}

/// Somebody had this seat of a match who was forgotten.
pub(crate) fn note_seat(sql: &Connection, id: i64, seat: i64) -> rusqlite::Result<()> {
    sql.prepare_cached("INSERT OR IGNORE INTO forgotten (match, seat) VALUES (?1, ?2)")?
        .execute([id, seat])
        .map(|_| ())
}

/// What those are or were called who had a seat and are still known. That stays; whatever else stands there is of somebody who was
/// forgotten, also a name that they had in between.
fn names_in(sql: &Connection, id: i64, seat: i64) -> rusqlite::Result<Vec<String>> {
    sql.prepare_cached(
        "SELECT p.name FROM players p WHERE p.match = ?1 AND p.seat = ?2 AND p.guest <> ''
         UNION SELECT g.name FROM players p JOIN guests g ON g.id = p.guest WHERE p.match = ?1 AND p.seat = ?2",
    )?
    .query_map([id, seat], |row| row.get(0))?
    .collect()
}

/// Takes names out of what the log of a match has gained since somebody was forgotten who had a seat there.
pub(crate) fn blank_seats(sql: &Connection, id: i64) -> rusqlite::Result<()> {
    let mut query = sql.prepare_cached("SELECT seat FROM forgotten WHERE match = ?1")?;
    let seats: Vec<i64> = query.query_map([id], |row| row.get(0))?.collect::<Result<_, _>>()?;
    if !seats.is_empty() {
        log::sort_in(sql)?;
    }
    seats.iter().try_for_each(|seat| {
        let others = names_in(sql, id, *seat)?;
        log::blank(sql, id, *seat as u64, &others).map(|_| ())
    })
}

/// Drops a match of which nobody is left. A try at its table is as if it had never been played, whether or not it was known
/// before.
fn drop_forgotten(sql: &Connection, id: i64) -> rusqlite::Result<()> {
    let table: Option<String> = sql
        .prepare_cached("SELECT tab FROM matches WHERE id = ?1")?
        .query_row([id], |row| row.get(0))
        .optional()?;
    drop_match(sql, id)?;
    sql.prepare_cached(
        "UPDATE tries SET ended = (SELECT max(ended) FROM matches WHERE tab = ?1) WHERE tab = ?1",
    )?
    .execute([table])
    .map(|_| ())
}

/// Drops a match; its log goes piece by piece, see [`drop_logs`].
pub(crate) fn drop_match(sql: &Connection, id: i64) -> rusqlite::Result<()> {
    sql.prepare_cached("DELETE FROM players WHERE match = ?1")?.execute([id])?;
    sql.prepare_cached("DELETE FROM forgotten WHERE match = ?1")?.execute([id])?;
    sql.prepare_cached("DELETE FROM matches WHERE id = ?1")?.execute([id])?;
    sql.prepare_cached("INSERT OR IGNORE INTO doomed VALUES (?1)")?.execute([id]).map(|_| ())
}

/// Drops as much of the logs of dropped matches as one step may. Gives how many bytes that was, and whether all are gone.
pub(crate) fn drop_logs(sql: &Connection) -> rusqlite::Result<(usize, bool)> {
    // Even a short row has its place to be found and cleaned.
    const ROW: usize = 512;
    let (mut bytes, mut work) = (0, 0);
    while work < STEP_BYTES {
        let doomed: Option<i64> = sql
            .prepare_cached("SELECT match FROM doomed LIMIT 1")?
            .query_row([], |row| row.get(0))
            .optional()?;
        let Some(id) = doomed else { return Ok((bytes, true)) };
        let last: Option<(i64, i64)> = sql
            .prepare_cached(
                "SELECT ply, length(entry) FROM journal WHERE match = ?1 ORDER BY ply DESC LIMIT 1",
            )?
            .query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        match last {
            Some((ply, length)) => {
                sql.prepare_cached("DELETE FROM journal WHERE match = ?1 AND ply = ?2")?
                    .execute([id, ply])?;
                bytes += length as usize;
                work += length as usize + ROW;
            }
            None => {
                sql.prepare_cached("DELETE FROM doomed WHERE match = ?1")?.execute([id])?;
                work += ROW;
            }
        }
    }
    Ok((bytes, false))
}

/// Whether the file may still hold traces of somebody who was forgotten.
pub(crate) fn is_scrub_due(sql: &Connection) -> rusqlite::Result<bool> {
    sql.query_row("SELECT EXISTS (SELECT 1 FROM chores WHERE name = 'scrub')", [], |row| row.get(0))
}

/// Writes the file anew, without what deleted rows left in it, and empties the journal beside it. SQLite overwrites what it
/// deletes (`secure_delete`), but where it moves rows from one page to another it leaves their bytes behind. Gives whether it
/// could be done to the end: not while somebody reads an older state.
///
/// Takes about a second for 100 MB, within which nothing else is written.
pub(crate) fn scrub(sql: &Connection, patience: Duration) -> rusqlite::Result<bool> {
    // Nobody is waited for: there is another time.
    sql.busy_timeout(Duration::ZERO)?;
    let scrubbed = sql.execute_batch("VACUUM").and_then(|()| {
        let busy: i64 = sql.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
        if busy == 0 {
            sql.execute("DELETE FROM chores WHERE name = 'scrub'", [])?;
        }
        Ok(busy == 0)
    });
    sql.busy_timeout(patience)?;
    scrubbed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_goes_on_without_a_guest() {
        let person =
            |id: &str| format!(r#"{{"who":{{"person":{{"id":"{id}","name":"N{id}"}}}},"ready":true}}"#);
        let saved = |host: &str, chairs: &[&str]| {
            let chairs: Vec<String> = chairs.iter().map(|id| person(id)).collect();
            format!(
                r#"{{"settings":{{"host":{{"id":"{host}","name":"N{host}"}}}},"chairs":[{}]}}"#,
                chairs.join(",")
            )
        };
        let about = r#"{"title":"T","host":"a"}"#;
        let (about_b, saved_b) =
            without_guest(about, &saved("a", &["a", "b"]), "a").expect("somebody is left");
        assert!(
            about_b.contains(r#""host":"b""#) && !saved_b.contains(r#""a""#) && !saved_b.contains("Na"),
            "{saved_b}"
        );
        let (about_a, saved_a) =
            without_guest(about, &saved("a", &["a", "b"]), "b").expect("the host is left");
        assert!(about_a.contains(r#""host":"a""#) && !saved_a.contains("Nb"), "{saved_a}");
        assert_eq!(without_guest(about, &saved("a", &["a"]), "a"), None, "nobody is left");
        let removed = r#""removed":[{"id":"b","name":"Nb"},{"id":"c","name":"Nc"}],"settings""#;
        let removed = saved("a", &["a"]).replacen(r#""settings""#, removed, 1);
        let (_, let_back) = without_guest(about, &removed, "b").expect("the host is left");
        assert!(!let_back.contains("Nb") && let_back.contains("Nc"), "{let_back}");
        assert_eq!(without_guest(about, "no JSON", "a"), None);
        let playing = saved("a", &["a", "b"]).replacen('{', r#"{"stage":"playing","#, 1);
        let playing = playing.replacen(r#""host""#, r#""sit_in":"easy","host""#, 1);
        let (_, played_on) = without_guest(about, &playing, "b").expect("the host is left");
        assert!(played_on.contains(r#""who":{"bot":"easy"}"#) && !played_on.contains("Nb"), "{played_on}");
    }
}
