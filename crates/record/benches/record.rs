//! What a match costs beside its rules: entries as JSON, replaying, views and notices. `cargo bench -p parlour-record`
//!
//! The matches are those of the tests of records: every figure is for one entry (one move) of them, but for views.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use game::{Game, Seat, Viewer};
use record::replay::{self, Record};
use record::{Entry, EntryOf};
use rulebook::{Event, Match};
use std::sync::Arc;

fn main() {
    divan::main();
}

const GAMES: [&str; 2] = ["contract", "set-classic"];

fn text(game: &str) -> String {
    let path = format!("{}/tests/records/{}/{game}.jsonl", env!("CARGO_MANIFEST_DIR"), record::entry::SCHEMA);
    std::fs::read_to_string(path).expect("a record")
}

fn matched(game: &str) -> Record<Match> {
    replay::read::<Match>(&text(game)).expect("a record")
}

fn entries(game: &str) -> Vec<EntryOf<Match>> {
    matched(game).entries.into_iter().map(|(_, entry)| entry).collect()
}

fn opened(game: &str) -> Match {
    let header = matched(game).header;
    Match::open(Arc::new(header.rules), header.seats.len() as u8).expect("rules that can be played")
}

/// An entry is written as the journal keeps it.
#[divan::bench(args = GAMES)]
fn append(bencher: Bencher<'_, '_>, game: &str) {
    let entries = entries(game);
    let mut line = Vec::new();
    bencher.counter(ItemsCount::new(entries.len())).bench_local(|| {
        for entry in &entries {
            line.clear();
            serde_json::to_writer(&mut line, black_box(entry)).expect("plain data");
            black_box(&line);
        }
    });
}

/// Lines are read back into entries.
#[divan::bench(args = GAMES)]
fn read(bencher: Bencher<'_, '_>, game: &str) {
    let text = text(game);
    let lines: Vec<&str> = text.lines().skip(1).collect();
    bencher.counter(ItemsCount::new(lines.len())).bench_local(|| {
        for line in &lines {
            let entry: EntryOf<Match> = serde_json::from_str(black_box(line)).expect("an entry");
            black_box(entry);
        }
    });
}

/// Entries are folded without judging them again, as a server does that starts.
#[divan::bench(args = GAMES)]
fn fold(bencher: Bencher<'_, '_>, game: &str) {
    let (entries, start) = (entries(game), opened(game));
    bencher.counter(ItemsCount::new(entries.len())).with_inputs(|| start.clone()).bench_local_refs(|game| {
        for Entry { events, .. } in &entries {
            events.iter().for_each(|event| game.evolve(event));
        }
    });
}

/// A record is verified: lines are read, entries are judged again and folded, and the cards counted after each event.
#[divan::bench(args = GAMES)]
fn verified(bencher: Bencher<'_, '_>, game: &str) {
    let text = text(game);
    bencher.counter(ItemsCount::new(text.lines().count() - 1)).bench_local(|| {
        black_box(record::verify::<Match>(black_box(&text)).expect("a record that is right"));
    });
}

/// A seat's view in the middle of the match, made and written as JSON.
#[divan::bench(args = GAMES)]
fn view(bencher: Bencher<'_, '_>, game: &str) {
    let (mut truth, entries) = (opened(game), entries(game));
    let events: Vec<&Event> = entries.iter().flat_map(|entry| &entry.events).collect();
    events[..events.len() / 2].iter().for_each(|event| truth.evolve(event));
    bencher.bench_local(|| {
        serde_json::to_vec(&black_box(&truth).view(Viewer::Seat(Seat(0)))).expect("plain data")
    });
}

/// What a seat learns of each entry, made and written as JSON.
#[divan::bench(args = GAMES)]
fn notice(bencher: Bencher<'_, '_>, game: &str) {
    let (start, entries) = (opened(game), entries(game));
    let mut states = Vec::new();
    let mut truth = start;
    for event in entries.iter().flat_map(|entry| &entry.events) {
        states.push((truth.clone(), event));
        truth.evolve(event);
    }
    bencher.counter(ItemsCount::new(entries.len())).bench_local(|| {
        for (truth, event) in &states {
            let notice = black_box(truth).notice(event, Viewer::Seat(Seat(0)));
            black_box(serde_json::to_vec(&notice).expect("plain data"));
        }
    });
}
