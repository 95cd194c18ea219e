//! Reading records back, and printing them: `parlour replay`.

use crate::entry::{EntryOf, Header, HeaderOf, SCHEMA, SitterKind};
use game::written::Written;
use game::{Game, Input, Presence};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// The first line of a record that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Line from 1; the header is line 1.
    pub line: usize,
    /// What is wrong with it.
    pub text: String,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.text)
    }
}

impl std::error::Error for Wrong {}

/// A record, read line by line.
#[derive(Clone, Debug)]
pub struct Record<G: Game> {
    /// The first line.
    pub header: HeaderOf<G>,
    /// The entries, each with its line in the file.
    pub entries: Vec<(usize, EntryOf<G>)>,
}

/// What brings one line of a record from a version of the format to the next: the header first, then each entry.
type Migration = fn(&mut Value);

/// The step from version `n + 1` is entry `n`. Version 1 is the first there was.
const MIGRATIONS: &[Migration] = &[without_hosts];

/// Version 1 named the table in `took`. That was nobody's to know, and nothing was ever read from it.
fn without_hosts(line: &mut Value) {
    for note in line.get_mut("notes").and_then(Value::as_array_mut).into_iter().flatten() {
        note.get_mut("took").and_then(Value::as_object_mut).map(|took| took.remove("host"));
    }
}

/// The lines of a record, not read yet.
pub(crate) struct Lines<'a> {
    /// The version of the format in which the record was written.
    pub schema: u32,
    /// The header as it stands there.
    pub header: Value,
    /// Each line with its number, the header first.
    pub all: Vec<(usize, &'a str)>,
}

impl<'a> Lines<'a> {
    /// The lines of `text`, if they begin with a header of a version that this program reads.
    pub fn of(text: &'a str) -> Result<Lines<'a>, Wrong> {
        let numbered = text.lines().enumerate().map(|(n, line)| (n + 1, line));
        let all: Vec<_> = numbered.filter(|(_, line)| !line.trim().is_empty()).collect();
        let &(line, first) =
            all.first().ok_or_else(|| Wrong { line: 1, text: "the record is empty".to_owned() })?;
        let header = json(first).map_err(|text| Wrong { line, text })?;
        let wrong = |text: String| Err(Wrong { line, text });
        match header.get("schema").and_then(Value::as_u64) {
            None => wrong("this is no header of a match record: it names no `schema`".to_owned()),
            Some(schema) => match u32::try_from(schema) {
                Ok(schema @ 1..=SCHEMA) => Ok(Lines { schema, header, all }),
                _ => wrong(format!(
                    "the record has version {schema}, this program reads versions 1 to {SCHEMA}"
                )),
            },
        }
    }

    /// Reads one line, bringing it up to date if an older program wrote it.
    pub fn read<T: DeserializeOwned>(&self, line: &str) -> Result<T, String> {
        if self.schema == SCHEMA {
            // Straight from the text, where a key that stands there twice is still seen.
            serde_json::from_str(line)
                .map_err(|why| if why.is_data() { in_line(&why) } else { no_json(&why) })
        } else {
            serde_json::from_value(self.value(line)?).map_err(|why| why.to_string())
        }
    }

    /// Reads one line of which nothing may be left over: what is written again is what stood there. In a line of `another`
    /// program something may be missing that this one knows and that has a default.
    pub fn read_whole<T: DeserializeOwned + Serialize>(
        &self,
        line: &str,
        another: bool,
    ) -> Result<T, String> {
        let read: T = self.read(line)?;
        let (stands, again) =
            (self.value(line)?, serde_json::to_value(&read).map_err(|why| why.to_string())?);
        match differ(&stands, &again, another || self.schema < SCHEMA, &mut String::new()) {
            None => Ok(read),
            Some(place) => Err(format!("`{place}` is not what a program of this version writes")),
        }
    }

    fn value(&self, line: &str) -> Result<Value, String> {
        let mut value = json(line)?;
        MIGRATIONS[self.schema as usize - 1..].iter().for_each(|step| step(&mut value));
        Ok(value)
    }
}

/// Where two values differ, as a path such as `notes.0.open`. What stands in `again` alone is passed over if `lenient`.
fn differ(stands: &Value, again: &Value, lenient: bool, path: &mut String) -> Option<String> {
    let below = |path: &mut String, key: &str, stands: Option<&Value>, again: Option<&Value>| {
        let length = path.len();
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(key);
        let found = match (stands, again) {
            (Some(stands), Some(again)) => differ(stands, again, lenient, path),
            (None, Some(_)) if lenient => None,
            _ => Some(path.clone()),
        };
        path.truncate(length);
        found
    };
    match (stands, again) {
        (Value::Object(stands), Value::Object(again)) => {
            let mut keys = stands.keys().chain(again.keys().filter(|key| !stands.contains_key(*key)));
            keys.find_map(|key| below(path, key, stands.get(key), again.get(key)))
        }
        (Value::Array(stands), Value::Array(again)) => (0..stands.len().max(again.len()))
            .find_map(|n| below(path, &n.to_string(), stands.get(n), again.get(n))),
        _ => (stands != again).then(|| path.clone()),
    }
}

fn json(line: &str) -> Result<Value, String> {
    serde_json::from_str(line).map_err(|why| no_json(&why))
}

fn no_json(why: &serde_json::Error) -> String {
    format!("this is no JSON: {}", in_line(why))
}

/// What is wrong with a line, with the column; the number of the line is known to who asked.
fn in_line(why: &serde_json::Error) -> String {
    let text = why.to_string();
    let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text);
    format!("{text}, at column {}", why.column())
}

/// Reads a record, bringing it up to date if an older program wrote it. Nothing in it is judged.
///
/// # Errors
/// The first line that cannot be read.
pub fn read<G: Game>(text: &str) -> Result<Record<G>, Wrong> {
    let lines = Lines::of(text)?;
    let (&(line, first), rest) = lines.all.split_first().expect("a header was found");
    let mut header: HeaderOf<G> = lines.read(first).map_err(|text| Wrong { line, text })?;
    header.schema = SCHEMA;
    let entry = |&(line, text): &(usize, &str)| match lines.read(text) {
        Ok(entry) => Ok((line, entry)),
        Err(text) => Err(Wrong { line, text }),
    };
    let entries = rest.iter().map(entry).collect::<Result<_, _>>()?;
    Ok(Record { header, entries })
}

/// Writes a record as a file: a line of JSON for the header, and one for each entry.
///
/// # Errors
/// If a value has no JSON, which those of this crate do.
pub fn write<G: Game>(header: &HeaderOf<G>, entries: &[EntryOf<G>]) -> serde_json::Result<String> {
    let mut text = serde_json::to_string(header)?;
    text.push('\n');
    for entry in entries {
        text.push_str(&serde_json::to_string(entry)?);
        text.push('\n');
    }
    Ok(text)
}

/// The record in notation, for people: a line for each input, and under it what followed. Nothing is judged, so a record
/// of any version can be shown.
///
/// # Errors
/// If the rules in the header cannot be played.
pub fn text<G: Written>(record: &Record<G>, names: &dyn Fn(&G::Rules) -> String) -> Result<String, Wrong> {
    let Header { id, rules, seats, opened, .. } = &record.header;
    let mut out = format!("# {}, match {id}\n", names(rules));
    if let Some(opened) = opened {
        out.push_str(&format!("# opened {opened} seconds after 1970\n"));
    }
    for (seat, sitter) in seats.iter().enumerate() {
        let kind = match &sitter.kind {
            SitterKind::Person => String::new(),
            SitterKind::Bot(kind) => format!(" (bot, {kind})"),
            SitterKind::Empty => " (empty)".to_owned(),
        };
        out.push_str(&format!("# seat {seat}: {}{kind}\n", sitter.name));
    }
    let mut game = open::<G>(&record.header).map_err(|text| Wrong { line: 1, text })?;
    for (_, entry) in &record.entries {
        let time = format!("{}:{:02}.{:03}", entry.at.0 / 60_000, entry.at.0 / 1000 % 60, entry.at.0 % 1000);
        let input = match &entry.input {
            Some(Input::Play(seat, command, _)) => format!("{seat} {}", game.write_command(command)),
            Some(Input::Draw(_)) => "(chance)".to_owned(),
            Some(Input::Ring(_)) => "(the clock)".to_owned(),
            Some(Input::Presence(seat, presence)) => {
                let word = match presence {
                    Presence::Dropped => "leave",
                    Presence::Left => "quit",
                    Presence::Back | Presence::Joined => "join",
                };
                format!("{word} {seat}")
            }
            None => "(note)".to_owned(),
        };
        out.push_str(&format!("{:>5}  {time:>9}  {input}\n", entry.ply));
        for event in &entry.events {
            out.push_str(&format!("{:19}# {}\n", "", game.write_event(event)));
            game.evolve(event);
        }
    }
    for line in game.position().lines() {
        out.push_str(&format!("# {line}\n"));
    }
    Ok(out)
}

/// The match about to begin.
pub(crate) fn open<G: Game>(header: &HeaderOf<G>) -> Result<G, String> {
    let seats = u8::try_from(header.seats.len()).map_err(|_| "too many seats".to_owned())?;
    G::open(Arc::new(header.rules.clone()), seats).map_err(|refusal| refusal.to_string())
}
