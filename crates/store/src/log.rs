//! Where the entries of matches lie.
//!
//! They come as one row for each commit, whatever their matches, because a commit that touched the place of each match would
//! write a page of the disk for each. From time to time they are sorted in: then the entries of a match that came since the
//! last time stand in one row together, a line for each.

use names::NOBODY;
use rusqlite::{Connection, OptionalExtension as _, params};
use serde_json::Value;
use std::borrow::Cow;
use table::MatchId;

/// Ends each entry of a row but the last. No entry has one in it: it is one line of JSON.
const END: u8 = b'\n';

/// One entry of a batch: its match, its number and itself.
type Entry<'a> = (i64, u32, &'a [u8]);
/// The same as it is handed over.
pub(crate) type Row<'a> = (MatchId, u32, &'a [u8]);

/// Whether this can be an entry: it is one line.
pub(crate) fn is_entry(body: &[u8]) -> bool {
    !body.contains(&END)
}

/// The entries of one commit as one value: each with its match, its number and its length before it.
fn packed<'a>(rows: impl Iterator<Item = Row<'a>> + Clone) -> Vec<u8> {
    let mut batch = Vec::with_capacity(rows.clone().map(|(_, _, body)| body.len() + 16).sum());
    for (id, ply, body) in rows {
        batch.extend_from_slice(&id.number().to_le_bytes());
        batch.extend_from_slice(&ply.to_le_bytes());
        batch.extend_from_slice(&(body.len() as u32).to_le_bytes());
        batch.extend_from_slice(body);
    }
    batch
}

/// What [`packed`] has put together.
fn unpacked(batch: &[u8]) -> impl Iterator<Item = Entry<'_>> {
    let mut rest = batch;
    std::iter::from_fn(move || {
        let (id, after) = rest.split_first_chunk()?;
        let (ply, after) = after.split_first_chunk()?;
        let (len, after) = after.split_first_chunk()?;
        let (body, after) = after.split_at_checked(u32::from_le_bytes(*len) as usize)?;
        rest = after;
        Some((i64::from_le_bytes(*id), u32::from_le_bytes(*ply), body))
    })
}

/// Keeps entries, which must be the next ones of their matches. Gives how many bytes that is.
pub(crate) fn keep<'a>(
    sql: &Connection,
    rows: impl Iterator<Item = Row<'a>> + Clone,
) -> rusqlite::Result<usize> {
    let batch = packed(rows);
    if batch.is_empty() {
        return Ok(0);
    }
    // If this fails so does the whole commit: told so, SQLite keeps no copy of the pages to undo a single statement.
    sql.prepare_cached("INSERT OR ROLLBACK INTO batches (entries) VALUES (?1)")?.execute([&batch])?;
    Ok(batch.len())
}

/// Puts entries where they are found by their match.
pub(crate) fn sort_in(sql: &Connection) -> rusqlite::Result<()> {
    let mut query = sql.prepare_cached("SELECT entries FROM batches ORDER BY id")?;
    let batches: Vec<Vec<u8>> = query.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut entries: Vec<Entry<'_>> = batches.iter().flat_map(|batch| unpacked(batch)).collect();
    entries.sort_unstable_by_key(|&(id, ply, _)| (id, ply));
    let mut insert =
        sql.prepare_cached("INSERT OR ROLLBACK INTO journal (match, ply, entry) VALUES (?1, ?2, ?3)")?;
    let mut lines = Vec::new();
    for of_one in entries.chunk_by(|one, next| one.0 == next.0) {
        lines.clear();
        for &(_, _, body) in of_one {
            lines.extend_from_slice(body);
            lines.push(END);
        }
        lines.pop();
        insert.execute(params![of_one[0].0, of_one[0].1, lines])?;
    }
    sql.prepare_cached("DELETE FROM batches")?.execute([])?;
    Ok(())
}

/// The entries of a match from number `from` on, in order: `most` of them or some more, if there are so many.
pub(crate) fn read(sql: &Connection, id: MatchId, from: u32, most: usize) -> rusqlite::Result<Vec<Vec<u8>>> {
    // Both tables as they are at one moment.
    let moment = sql.unchecked_transaction()?;
    let id = id.number() as i64;
    let mut found = Vec::new();
    let mut query = moment.prepare_cached(
        "SELECT ply, entry FROM journal WHERE match = ?1 AND ply >=
         (SELECT coalesce(max(ply), 0) FROM journal WHERE match = ?1 AND ply <= ?2) ORDER BY ply",
    )?;
    let mut rows = query.query(params![id, from])?;
    while let Some(row) = rows.next()? {
        let lines = (row.get::<_, u32>(0)?..).zip(row.get_ref(1)?.as_blob()?.split(|&byte| byte == END));
        found.extend(lines.filter(|&(ply, _)| ply >= from).map(|(_, line)| line.to_vec()));
        if found.len() >= most {
            return Ok(found);
        }
    }
    let mut query = moment.prepare_cached("SELECT entries FROM batches ORDER BY id")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let entries = unpacked(row.get_ref(0)?.as_blob()?);
        found.extend(entries.filter(|e| e.0 == id && e.1 >= from).map(|(_, _, body)| body.to_vec()));
    }
    Ok(found)
}

/// Number that the next entry of a match must have, where all entries are sorted in.
pub(crate) fn next(sql: &Connection, id: MatchId) -> rusqlite::Result<u32> {
    let mut query =
        sql.prepare_cached("SELECT ply, entry FROM journal WHERE match = ?1 ORDER BY ply DESC LIMIT 1")?;
    let next = query.query_row([id.number() as i64], |row| {
        let lines = row.get_ref(1)?.as_blob()?.split(|&byte| byte == END).count();
        Ok(row.get::<_, u32>(0)? + lines as u32)
    });
    Ok(next.optional()?.unwrap_or(0))
}

/// Takes names out of the log of a match, all of which is sorted in: out of the header and of every note of who sits in this
/// seat, but for the names that are to be kept. Gives how many bytes were looked at.
pub(crate) fn blank(sql: &Connection, id: i64, seat: u64, keep: &[String]) -> rusqlite::Result<usize> {
    let mut query = sql.prepare_cached(
        "SELECT ply, entry FROM journal WHERE match = ?1 AND (ply = 0 OR instr(entry, '\"sits\"'))",
    )?;
    let rows: Vec<(i64, Vec<u8>)> =
        query.query_map([id], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
    let mut size =
        sql.prepare_cached("SELECT coalesce(sum(length(entry)), 0) FROM journal WHERE match = ?1")?;
    let bytes = size.query_row([id], |row| row.get::<_, i64>(0))? as usize;
    for (first, row) in rows {
        let mut changed = false;
        let lines: Vec<Cow<'_, [u8]>> = (first..)
            .zip(row.split(|&byte| byte == END))
            .map(|(ply, line)| match without_names(ply == 0, line, seat, keep) {
                Some(line) => {
                    changed = true;
                    line.into()
                }
                None => line.into(),
            })
            .collect();
        if changed {
            sql.prepare_cached("UPDATE journal SET entry = ?3 WHERE match = ?1 AND ply = ?2")?
                .execute(params![id, first, lines.join(&END)])?;
        }
    }
    Ok(bytes)
}

/// A header or an entry without the names of people in a seat that are not to be kept; none if there is no such name.
fn without_names(header: bool, line: &[u8], seat: u64, keep: &[String]) -> Option<Vec<u8>> {
    if !header && !line.windows(6).any(|part| part == b"\"sits\"") {
        return None;
    }
    let mut json: Value = serde_json::from_slice(line).ok()?;
    let mut changed = false;
    let mut blank = |sitter: &mut Value| {
        let person = sitter["kind"].is_null() || sitter["kind"] == "person";
        if let Some(name) = sitter["name"].as_str()
            && person
            && name != NOBODY
            && !keep.iter().any(|kept| kept == name)
        {
            sitter["name"] = NOBODY.into();
            changed = true;
        }
    };
    if header {
        json.pointer_mut(&format!("/seats/{seat}")).into_iter().for_each(&mut blank);
    } else if let Some(notes) = json.get_mut("notes").and_then(Value::as_array_mut) {
        let sits = notes.iter_mut().filter_map(|note| note.get_mut("sits"));
        sits.filter(|sits| sits["seat"] == seat).filter_map(|sits| sits.get_mut("who")).for_each(&mut blank);
    }
    if changed { serde_json::to_vec(&json).ok() } else { None }
}
