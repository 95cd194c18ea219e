//! Reading records back: `parlour verify` and `parlour replay`.
//!
//! A record is not trusted until it has been replayed. [`verify`] folds it and judges every input again; it checks the
//! numbering, the times, the cards and the fair deals, and names the first line that is wrong.

use crate::entry::{Entry, EntryOf, Header, HeaderOf, Note, SCHEMA, SHUFFLE, SitterKind};
use crate::fair::{self, Bytes32, DealKey};
use game::written::Written;
use game::{Game, Input, Millis, Need, Presence, Status};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

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
type Migration = fn(line: usize, &mut Value);

/// The step from version `n + 1` is entry `n`. Version 1 is the first there was.
const MIGRATIONS: &[Migration] = &[];

/// Reads a record, bringing it up to date if an older program wrote it.
///
/// # Errors
/// The first line that cannot be read.
pub fn read<G: Game>(text: &str) -> Result<Record<G>, Wrong> {
    let mut lines =
        text.lines().enumerate().map(|(n, line)| (n + 1, line)).filter(|(_, line)| !line.trim().is_empty());
    let (first, header) =
        lines.next().ok_or_else(|| Wrong { line: 1, text: "the record is empty".to_owned() })?;
    let mut header = json(first, header)?;
    let schema = header.get("schema").and_then(Value::as_u64).ok_or_else(|| Wrong {
        line: first,
        text: "this is no header of a match record: it names no `schema`".to_owned(),
    })?;
    if schema == 0 || schema > u64::from(SCHEMA) {
        let text = format!("the record has version {schema}, this program reads versions 1 to {SCHEMA}");
        return Err(Wrong { line: first, text });
    }
    let migrations = &MIGRATIONS[schema as usize - 1..];
    let migrate = |line: usize, value: &mut Value| migrations.iter().for_each(|step| step(line, value));
    migrate(first, &mut header);
    header["schema"] = SCHEMA.into();
    let header: HeaderOf<G> = typed(first, header)?;
    let entries = lines
        .map(|(line, text)| {
            let mut entry = json(line, text)?;
            migrate(line, &mut entry);
            Ok((line, typed(line, entry)?))
        })
        .collect::<Result<_, Wrong>>()?;
    Ok(Record { header, entries })
}

fn json(line: usize, text: &str) -> Result<Value, Wrong> {
    serde_json::from_str(text).map_err(|why| Wrong { line, text: format!("this is no JSON: {why}") })
}

fn typed<T: serde::de::DeserializeOwned>(line: usize, value: Value) -> Result<T, Wrong> {
    serde_json::from_value(value).map_err(|why| Wrong { line, text: why.to_string() })
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

/// What [`verify`] found in a record that is right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// How many entries.
    pub entries: usize,
    /// How many draws follow from the seeds.
    pub draws: usize,
    /// How many draws could not be checked, because their deal's seed is not shown.
    pub unchecked: usize,
    /// How many client seeds were not opened in time, and so replaced.
    pub missing: usize,
    /// Whether the match was played to its end.
    pub over: bool,
    /// Another version of the program judged some inputs; their events were folded, not judged again.
    pub other_engine: Option<String>,
}

impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} entries, {} draws follow from the seeds", self.entries, self.draws)?;
        if self.unchecked > 0 {
            write!(f, ", {} are of deals whose seed is not shown", self.unchecked)?;
        }
        if self.missing > 0 {
            write!(f, ", {} client seeds were not opened in time", self.missing)?;
        }
        if !self.over {
            f.write_str(", not played to the end")?;
        }
        if let Some(engine) = &self.other_engine {
            write!(f, ", judged in part by version {engine}, whose events were taken as they are")?;
        }
        Ok(())
    }
}

/// The seeds of all deals, collected before the replay, and what of them is wrong.
#[derive(Default)]
struct Seeds {
    commits: BTreeMap<u16, (usize, Bytes32)>,
    servers: BTreeMap<u16, (usize, Bytes32)>,
    client_commits: BTreeMap<(u16, u8), Bytes32>,
    clients: BTreeMap<(u16, u8), Bytes32>,
    missing: usize,
}

impl Seeds {
    fn note<C>(&mut self, line: usize, note: &Note<C>) -> Result<(), Wrong> {
        let wrong = |text: String| Err(Wrong { line, text });
        match note {
            Note::Commit { deal, hash } => {
                if self.client_commits.keys().any(|(d, _)| d == deal) {
                    return wrong(format!("the server bound itself for deal {deal} only after a client had"));
                }
                if self.commits.insert(*deal, (line, *hash)).is_some() {
                    return wrong(format!("the server bound itself for deal {deal} twice"));
                }
            }
            Note::ClientCommit { deal, seat, hash } => {
                if !self.commits.contains_key(deal) {
                    return wrong(format!("seat {seat} bound itself for deal {deal} before the server had"));
                }
                if self.client_commits.insert((*deal, seat.0), *hash).is_some() {
                    return wrong(format!("seat {seat} bound itself for deal {deal} twice"));
                }
            }
            Note::Open { deal, seat, seed } => {
                if self.client_commits.get(&(*deal, seat.0)) != Some(&fair::commitment(seed)) {
                    return wrong(format!(
                        "seat {seat} opened another seed for deal {deal} than it was bound to"
                    ));
                }
                self.clients.insert((*deal, seat.0), *seed);
            }
            Note::Missing { .. } => self.missing += 1,
            Note::Secret { deal, seed } | Note::Reveal { deal, seed } => {
                match self.commits.get(deal) {
                    Some((_, hash)) if *hash == fair::commitment(seed) => {}
                    Some(_) => {
                        return wrong(format!(
                            "the server shows another seed for deal {deal} than it was bound to"
                        ));
                    }
                    None => {
                        return wrong(format!(
                            "the server shows a seed for deal {deal} that it was never bound to"
                        ));
                    }
                }
                self.servers.insert(*deal, (line, *seed));
            }
            _ => {}
        }
        Ok(())
    }
}

/// Replays a record and checks everything that can be checked.
///
/// # Errors
/// The first line that is wrong.
pub fn verify<G: Game>(text: &str) -> Result<Verified, Wrong> {
    let record: Record<G> = read(text)?;
    let fair = record.header.shuffle == SHUFFLE;
    // The seeds first: a draw can be checked only with the seed that is shown later. A line that is wrong here counts only
    // if none before it is.
    let mut seeds = Seeds::default();
    let mut bad_seed = None;
    for (line, entry) in &record.entries {
        for note in &entry.notes {
            if let Err(wrong) = seeds.note(*line, note) {
                bad_seed.get_or_insert((*line, wrong));
            }
        }
    }
    let mut replay = Replay::<G>::open(&record.header).map_err(|text| Wrong { line: 1, text })?;
    let mut found = Verified { entries: record.entries.len(), missing: seeds.missing, ..Verified::default() };
    for (line, entry) in &record.entries {
        if let Some((bad, wrong)) = &bad_seed
            && bad <= line
        {
            return Err(wrong.clone());
        }
        let wrong = |text: String| Wrong { line: *line, text };
        if let Some(Input::Draw(draw)) = &entry.input {
            let need = replay.need().ok_or_else(|| wrong("chance was not asked anything".to_owned()))?;
            if let Some(said) = entry.notes.iter().find_map(asked)
                && *said != need
            {
                return Err(wrong(format!("chance was asked {need:?}, not {said:?}")));
            }
            if !draw.answers(&need) {
                return Err(wrong(format!("what was drawn is no answer to {need:?}")));
            }
            let deal = fair::deal(&need);
            if fair {
                match seeds.commits.get(&deal) {
                    Some((committed, _)) if committed <= line => {}
                    _ => {
                        return Err(wrong(format!(
                            "deal {deal} was drawn before the server was bound to a seed"
                        )));
                    }
                }
                match seeds.servers.get(&deal) {
                    None => found.unchecked += 1,
                    Some((_, server)) => {
                        let clients: Vec<Option<Bytes32>> = (0..record.header.seats.len() as u8)
                            .map(|seat| seeds.clients.get(&(deal, seat)).copied())
                            .collect();
                        let key = DealKey::new(&record.header.id, deal, server, &clients);
                        if key.answer(&need) != *draw {
                            return Err(wrong(format!("this is not what the seeds of deal {deal} give")));
                        }
                        found.draws += 1;
                    }
                }
            } else {
                found.unchecked += 1;
            }
        }
        replay.take(entry).map_err(wrong)?;
    }
    if let Some((_, wrong)) = bad_seed {
        return Err(wrong);
    }
    found.over = matches!(replay.game.status(), Status::Over(_));
    found.other_engine = replay.other_engine;
    Ok(found)
}

fn asked<C>(note: &Note<C>) -> Option<&Need> {
    if let Note::Asked { need } = note { Some(need) } else { None }
}

/// A match as far as its record was read.
pub struct Replay<G: Game> {
    /// The truth now.
    pub game: G,
    ply: u32,
    at: Millis,
    census: Vec<u16>,
    /// The program that judges from here on.
    engine: String,
    other_engine: Option<String>,
}

/// The version of this program, as headers name it.
pub const ENGINE: &str = env!("CARGO_PKG_VERSION");

impl<G: Game> Replay<G> {
    /// A match about to begin.
    ///
    /// # Errors
    /// Why the rules in the header cannot be played.
    pub fn open(header: &HeaderOf<G>) -> Result<Replay<G>, String> {
        let seats = u8::try_from(header.seats.len()).map_err(|_| "too many seats".to_owned())?;
        let game = G::open(header.rules.clone().into(), seats).map_err(|refusal| refusal.to_string())?;
        let mut census = game.census();
        census.sort_unstable();
        Ok(Replay { game, ply: 0, at: Millis(0), census, engine: header.engine.clone(), other_engine: None })
    }

    fn need(&self) -> Option<Need> {
        if let Status::Chance(need) = self.game.status() { Some(need) } else { None }
    }

    /// Takes in the next entry, checking it.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn take(&mut self, entry: &Entry<G::Command, G::Event>) -> Result<(), String> {
        if entry.ply != self.ply + 1 {
            return Err(format!("entry {} follows entry {}", entry.ply, self.ply));
        }
        if entry.at < self.at {
            return Err(format!("the time goes back from {} to {} ms", self.at.0, entry.at.0));
        }
        for note in &entry.notes {
            if let Note::Took { engine, .. } = note {
                engine.clone_into(&mut self.engine);
            }
        }
        match &entry.input {
            None if entry.events.is_empty() => {}
            None => return Err("there are events, but nothing that brought them about".to_owned()),
            Some(input) => {
                self.cause(entry, input)?;
                if self.engine == ENGINE {
                    self.judge(entry, input)?;
                } else {
                    self.other_engine = Some(self.engine.clone());
                }
                for event in &entry.events {
                    self.game.evolve(event);
                    let mut census = self.game.census();
                    census.sort_unstable();
                    if census != self.census {
                        return Err("cards were lost or came from nowhere".to_owned());
                    }
                }
            }
        }
        self.ply = entry.ply;
        self.at = entry.at;
        Ok(())
    }

    fn cause(&self, entry: &Entry<G::Command, G::Event>, input: &Input<G::Command>) -> Result<(), String> {
        match (&entry.cause, input) {
            (crate::Cause::Seat { seat, .. }, Input::Play(played, ..)) if seat != played => {
                Err(format!("seat {seat} acted, but seat {played} played"))
            }
            (crate::Cause::Host | crate::Cause::Keeper, Input::Play(played, ..)) => {
                Err(format!("seat {played} played without acting"))
            }
            (crate::Cause::Seat { seat, .. }, Input::Draw(_) | Input::Ring(_)) => {
                Err(format!("seat {seat} acted where chance or the clock should"))
            }
            _ => Ok(()),
        }
    }

    fn judge(&self, entry: &Entry<G::Command, G::Event>, input: &Input<G::Command>) -> Result<(), String> {
        if let Input::Ring(id) = input {
            match self.game.alarm() {
                Some(alarm) if alarm.id == *id && alarm.due <= entry.at => {}
                _ => return Err(format!("no alarm {id} was due at {} ms", entry.at.0)),
            }
        }
        let mut events = Vec::new();
        self.game
            .decide(entry.at, input, &mut events)
            .map_err(|refusal| format!("the rules refuse this: {refusal}"))?;
        if events == entry.events {
            return Ok(());
        }
        let same = events.iter().zip(&entry.events).take_while(|(a, b)| a == b).count();
        let show = |event: Option<&G::Event>| {
            event.map_or("nothing more".to_owned(), |e| {
                serde_json::to_string(e).unwrap_or_else(|_| format!("{e:?}"))
            })
        };
        Err(format!(
            "by the rules event {} is {}, the record says {}",
            same + 1,
            show(events.get(same)),
            show(entry.events.get(same))
        ))
    }
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
    let mut replay = Replay::<G>::open(&record.header).map_err(|text| Wrong { line: 1, text })?;
    for (_, entry) in &record.entries {
        let time = format!("{}:{:02}.{:03}", entry.at.0 / 60_000, entry.at.0 / 1000 % 60, entry.at.0 % 1000);
        let input = match &entry.input {
            Some(Input::Play(seat, command, _)) => format!("{seat} {}", replay.game.write_command(command)),
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
            out.push_str(&format!("{:19}# {}\n", "", replay.game.write_event(event)));
            replay.game.evolve(event);
        }
    }
    for line in replay.game.position().lines() {
        out.push_str(&format!("# {line}\n"));
    }
    Ok(out)
}
