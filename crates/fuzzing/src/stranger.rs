//! Records of matches that somebody else has kept, and perhaps changed.

use crate::{texts, work};
use record::EntryOf;
use record::entry::SCHEMA;
use record::replay::{self, Record};
use record::verify::Verified;
use rulebook::{Event, Match};
use serde_json::Value;

/// Bytes of memory for verifying a record: for any, and for each byte of one.
const WORK: (usize, usize) = (64 << 20, 64 << 10);

/// Records to be changed.
const RECORDS: [&str; 5] = [
    include_str!("../../record/tests/records/1/contract.jsonl"),
    include_str!("../../record/tests/records/1/set-classic.jsonl"),
    include_str!("../../record/tests/records/2/contract.jsonl"),
    include_str!("../../record/tests/records/2/set-classic.jsonl"),
    include_str!("../../record/tests/records/2/agreed.jsonl"),
];

/// A record, as a text; or, if the first byte is below 32, one of [`RECORDS`] with one thing in it changed as the bytes after
/// it say.
///
/// It is refused with the line that is wrong, or it verifies; always the same. What can be read is written again, and that
/// is read as the first. A record in which one thing was changed says what happened as before, if it verifies.
///
/// # Panics
/// If a law is broken.
pub fn record(bytes: &[u8]) {
    match bytes.split_first() {
        Some((first, edit)) if *first < 32 => changed(RECORDS[usize::from(*first) % RECORDS.len()], edit),
        _ => {
            if let Some(text) = texts::text(bytes) {
                judge(text);
            }
        }
    }
}

/// What was found, unless it is wrong or another program judged it otherwise.
fn judge(text: &str) -> Option<Verified> {
    let most = work::most(WORK.0, WORK.1, text.len());
    let verdict = work::within("verifying", most, || record::verify::<Match>(text));
    assert_eq!(verdict, record::verify::<Match>(text), "verified twice");
    let lines = text.lines().count().max(1);
    let read = replay::read::<Match>(text);
    if let Ok(record) = &read {
        let again = rewritten(record);
        assert_eq!(rewritten(&replay::read::<Match>(&again).expect("it was written")), again);
    }
    let found = match verdict {
        Err(wrong) => {
            assert!(wrong.line <= lines && wrong.text.len() > 5, "{wrong:?}");
            return None;
        }
        Ok(found) => found,
    };
    if let Some(differs) = &found.differs {
        assert!(differs.line <= lines && !found.is_whole(), "{found:?}");
        return None;
    }
    let record = read.unwrap_or_else(|why| panic!("it cannot be read but verifies: {why}"));
    assert_eq!(found.entries, record.entries.len());
    let told = replay::text(&record, &|_| "A game".to_owned()).unwrap_or_else(|why| panic!("{why}"));
    assert!(told.lines().count() >= record.entries.len(), "{told}");
    if found.engines.is_empty() && text.contains(&format!("\"schema\":{SCHEMA}")) {
        // Nothing stands there that was not read.
        let values = |text: &str| -> Vec<Value> {
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            lines.map(|line| serde_json::from_str(line).expect("JSON")).collect()
        };
        let again = rewritten(&record);
        assert_eq!(values(text), values(&again), "what verifies is written again as it was");
        assert_eq!(
            record::verify::<Match>(&again).as_ref(),
            Ok(&found),
            "written again it is judged otherwise"
        );
    }
    Some(found)
}

/// The record written again, which reads back as the same.
fn rewritten(record: &Record<Match>) -> String {
    let entries: Vec<EntryOf<Match>> = record.entries.iter().map(|(_, entry)| entry.clone()).collect();
    let text = replay::write::<Match>(&record.header, &entries).expect("plain data");
    let again = replay::read::<Match>(&text).unwrap_or_else(|wrong| panic!("{wrong}\n{text}"));
    assert_eq!(again.header, record.header, "{text}");
    assert!(again.entries.iter().map(|(_, entry)| entry).eq(&entries), "{text}");
    text
}

fn events(text: &str) -> Option<Vec<Event>> {
    let record = replay::read::<Match>(text).ok()?;
    Some(record.entries.into_iter().flat_map(|(_, entry)| entry.events).collect())
}

/// Changes one thing in a record. It is found out, or what happened is told as before, as far as it is told.
fn changed(own: &str, edit: &[u8]) {
    let Some(text) = edited(own, edit) else { return };
    if judge(&text).is_some() {
        let (before, after) = (events(own).expect("a record"), events(&text).expect("it verifies"));
        assert!(before.starts_with(&after), "what happened was changed, and it verifies: {edit:?}\n{text}");
        // One of an older version is brought up to date as it is read.
        if text == own && own.starts_with(&format!("{{\"schema\":{SCHEMA},")) {
            let record = replay::read::<Match>(own).expect("a record");
            assert_eq!(rewritten(&record), own, "a record is written again as it was");
        }
    }
}

/// Bytes: what is done, on which line, the way to the value there (each step one of its members, 255 for here), and a number.
fn edited(own: &str, edit: &[u8]) -> Option<String> {
    let mut bytes = edit.iter().copied();
    let (what, line) = (bytes.next()?, bytes.next()?);
    let mut lines: Vec<String> = own.lines().map(str::to_owned).collect();
    let line = usize::from(line) % lines.len();
    match what % 12 {
        0 => drop(lines.remove(line)),
        1 => lines.swap(line, usize::from(bytes.next()?) % own.lines().count()),
        2 => lines.truncate(line + 1),
        3 => lines.insert(line, lines[line].clone()),
        what => {
            let mut value: Value = serde_json::from_str(&lines[line]).expect("a record");
            change(&mut value, what, &mut bytes)?;
            lines[line] = value.to_string();
            if what == 4 {
                lines[line].clone_from(&own.lines().nth(line)?.to_owned());
            }
        }
    }
    Some(lines.join("\n") + "\n")
}

fn change(value: &mut Value, what: u8, bytes: &mut impl Iterator<Item = u8>) -> Option<()> {
    let size = match value {
        Value::Array(list) => list.len(),
        Value::Object(map) => map.len(),
        _ => 0,
    };
    let step = bytes.next()?;
    if size > 0 && step != 255 {
        let step = usize::from(step) % size;
        return match value {
            Value::Array(list) => change(&mut list[step], what, bytes),
            Value::Object(map) => change(map.values_mut().nth(step)?, what, bytes),
            _ => None,
        };
    }
    let number = bytes.next()?;
    let other = || {
        let small =
            [Value::Null, 0.into(), 1.into(), 255.into(), "x".into(), false.into(), Value::Array(vec![])];
        small[usize::from(number) % small.len()].clone()
    };
    match (what, &mut *value) {
        (5 | 6, Value::Number(n)) => {
            let n = n.as_i64()?;
            *value = n.wrapping_add(i64::from(number as i8)).into();
        }
        (7, Value::Array(list)) => {
            let at = usize::from(number) % list.len().max(1);
            drop((at < list.len()).then(|| list.remove(at)));
        }
        (7, Value::Object(map)) => {
            let key = map.keys().nth(usize::from(number) % map.len().max(1))?.clone();
            map.remove(&key);
        }
        (8, Value::Array(list)) => {
            let at = usize::from(number) % list.len().max(1);
            let copy = list.get(at)?.clone();
            list.insert(at, copy);
        }
        (9, Value::Array(list)) if list.len() > 1 => {
            let at = usize::from(number) % (list.len() - 1);
            list.swap(at, at + 1);
        }
        (10, Value::Object(map)) => drop(map.insert("more".to_owned(), other())),
        _ => *value = other(),
    }
    Some(())
}
