//! Records: what was played verifies, and whatever is changed in it is found, on the line where it stands.

use game::chance::SplitMix;
use game::{Chance, Game, Input, Millis, Seat, Status, Timing, View, Viewer};
use record::fair::{self, Bytes32, Solo, commitment};
use record::replay::{self, ENGINE};
use record::{Cause, EntryOf, Header, HeaderOf, Note, Sitter, SitterKind};
use rulebook::Match;
use serde_json::Value;
use std::collections::BTreeSet;

const SERVER: Bytes32 = Bytes32([0x42; 32]);

/// Plays `most` inputs of a match at random, as a server would record it.
fn played(game: &str, seats: u8, most: usize, seed: u64) -> (HeaderOf<Match>, Vec<EntryOf<Match>>) {
    let rules = rulebook::preset(game).unwrap().rules(seats).unwrap();
    let header = Header {
        schema: record::entry::SCHEMA,
        engine: ENGINE.to_owned(),
        id: "kitchen-7".to_owned(),
        opened: Some(1_700_000_000),
        rules: (*rules).clone(),
        seats: (0..seats)
            .map(|seat| Sitter { name: format!("Seat {seat}"), kind: SitterKind::Bot("random/1".to_owned()) })
            .collect(),
        shuffle: record::entry::SHUFFLE.to_owned(),
    };
    let chance = Solo::new(header.id.clone(), SERVER, seats);
    let mut dice = SplitMix(seed);
    let mut truth = Match::open(rules, seats).unwrap();
    let (mut entries, mut at, mut deals): (Vec<EntryOf<Match>>, _, _) =
        (Vec::new(), Millis(0), BTreeSet::new());
    while entries.len() < most {
        let mut notes = Vec::new();
        let (cause, input) = match truth.status() {
            Status::Over(_) => break,
            Status::Chance(need) => {
                let deal = fair::deal(&need);
                if deals.insert(deal) {
                    notes.push(Note::Commit { deal, hash: commitment(&SERVER) });
                }
                notes.push(Note::Asked { need: need.clone() });
                (Cause::Host, Input::Draw(chance.answer(&need)))
            }
            Status::Seats(awaited) => {
                let mut may: Vec<(Seat, rulebook::Command)> = Vec::new();
                for seat in awaited.iter() {
                    let view = truth.view(Viewer::Seat(seat));
                    may.extend(view.commands(at).commands.into_iter().map(|command| (seat, command)));
                }
                if may.is_empty() {
                    let alarm = truth.alarm().expect("somebody may act, or time passes");
                    at = at.max(alarm.due);
                    (Cause::Host, Input::Ring(alarm.id))
                } else {
                    at = at.after(dice.below(900));
                    if let Some(alarm) = truth.alarm().filter(|alarm| alarm.due <= at) {
                        at = alarm.due.max(Millis(entries.last().map_or(0, |e| e.at.0)));
                        (Cause::Host, Input::Ring(alarm.id))
                    } else {
                        let (seat, command) = may.swap_remove(dice.below(may.len() as u32) as usize);
                        let cause = Cause::Seat { seat, command: 0, client: 0, bot: true };
                        (cause, Input::Play(seat, command, Timing::at(at)))
                    }
                }
            }
        };
        let mut events = Vec::new();
        if game::step(&mut truth, at, &input, &mut events).is_err() {
            continue; // what was offered a moment ago may have lapsed
        }
        entries.push(EntryOf::<Match> {
            ply: entries.len() as u32 + 1,
            at,
            cause,
            input: Some(input),
            events,
            notes,
        });
    }
    let notes = deals.iter().map(|&deal| Note::Reveal { deal, seed: SERVER }).collect();
    let ply = entries.len() as u32 + 1;
    entries.push(EntryOf::<Match> { ply, at, cause: Cause::Host, input: None, events: Vec::new(), notes });
    (header, entries)
}

fn file(game: &str, seats: u8, most: usize, seed: u64) -> String {
    let (header, entries) = played(game, seats, most, seed);
    replay::write::<Match>(&header, &entries).unwrap()
}

/// Changes line `line` (from 1) of a record.
fn edited(text: &str, line: usize, edit: impl FnOnce(&mut Value)) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut value: Value = serde_json::from_str(&lines[line - 1]).unwrap();
    edit(&mut value);
    lines[line - 1] = value.to_string();
    lines.join("\n")
}

fn wrong(text: &str) -> (usize, String) {
    let wrong = replay::verify::<Match>(text).expect_err("the record is wrong");
    (wrong.line, wrong.text)
}

#[test]
fn what_was_played_verifies_and_is_printed() {
    for (game, seats) in [("contract", 4), ("shanghai", 3), ("set-classic", 2), ("memory", 3), ("setup", 2)] {
        let text = file(game, seats, 300, 7);
        let verified = replay::verify::<Match>(&text).unwrap_or_else(|wrong| panic!("{game}: {wrong}"));
        assert!(verified.draws > 0 && verified.unchecked == 0, "{game}: {verified}");
        assert_eq!(verified.entries, text.lines().count() - 1);
        let printed = replay::text(&replay::read::<Match>(&text).unwrap(), &|rules| rules.name()).unwrap();
        assert!(
            printed.contains("match kitchen-7") && printed.lines().count() > verified.entries,
            "{printed}"
        );
    }
}

#[test]
fn the_first_line_that_is_wrong_is_named() {
    let text = file("contract", 4, 120, 3);
    let lines: Vec<&str> = text.lines().collect();
    let without = |line: usize| {
        let mut lines = lines.clone();
        lines.remove(line - 1);
        lines.join("\n")
    };
    assert_eq!(wrong(&without(40)), (40, "entry 40 follows entry 38".to_owned()));
    assert_eq!(wrong(&edited(&text, 60, |e| e["at"] = 0.into())).0, 60);
    assert!(wrong(&edited(&text, 60, |e| e["at"] = 0.into())).1.starts_with("the time goes back"));
    assert_eq!(wrong(&edited(&text, 50, |e| e["events"] = Value::Array(Vec::new()))).0, 50);
    assert_eq!(wrong(&text.replacen("\"ply\":30,", "\"ply\":30,,", 1)).0, 31);
    assert_eq!(wrong("").1, "the record is empty");
    assert_eq!(wrong(&edited(&text, 1, |h| h["schema"] = 9.into())).0, 1);
    assert_eq!(wrong("{}").1, "this is no header of a match record: it names no `schema`");

    // Another deck than the seeds give: on the line of the draw, however plausible it looks.
    let shuffle = 1 + lines.iter().position(|line| line.contains("{\"order\":")).unwrap();
    let swapped = edited(&text, shuffle, |entry| {
        let order = entry["input"]["draw"]["order"].as_array_mut().unwrap();
        order.swap(0, 1);
    });
    let (line, why) = wrong(&swapped);
    assert_eq!(line, shuffle);
    assert!(why.starts_with("this is not what the seeds of deal 1 give"), "{why}");
    // Another seed than the server was bound to.
    let (line, why) = wrong(&text.replace(&SERVER.to_string(), &Bytes32([7; 32]).to_string()));
    assert_eq!(line, lines.len());
    assert!(why.contains("than it was bound to"), "{why}");
    // No commitment at all.
    let commit = 1 + lines.iter().position(|line| line.contains("{\"commit\":")).unwrap();
    let unbound = edited(&text, commit, |entry| entry["notes"] = Value::Array(Vec::new()));
    assert_eq!(wrong(&unbound).0, commit);
}

/// A record that another version judged is folded as it is, and says so.
#[test]
fn what_another_version_judged_is_folded() {
    let text = edited(&file("contract", 3, 60, 5), 1, |header| header["engine"] = "0.0.1".into());
    let verified = replay::verify::<Match>(&text).unwrap();
    assert_eq!(verified.other_engine.as_deref(), Some("0.0.1"));
}

/// The independent script agrees about a whole record, and about a deck that was changed.
#[test]
fn the_independent_script_checks_records() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tools/verify_fair_deal.py");
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let text = file("contract", 3, 80, 11);
    let shuffle = 1 + text.lines().position(|line| line.contains("{\"order\":")).unwrap();
    let swapped = edited(&text, shuffle, |entry| {
        entry["input"]["draw"]["order"].as_array_mut().unwrap().swap(0, 1);
    });
    for (name, text, status) in [("right.jsonl", &text, 0), ("swapped.jsonl", &swapped, 1)] {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        match std::process::Command::new("python3").arg(script).arg(&path).output() {
            Ok(output) => {
                assert_eq!(output.status.code(), Some(status), "{}", String::from_utf8_lossy(&output.stdout))
            }
            Err(why) => eprintln!("skipped: python3 cannot be started ({why})"),
        }
    }
}

/// `UPDATE_RECORDS=1` writes the records of this version that tests/published.rs reads, once for each version.
#[test]
fn this_version_has_records_in_the_folder() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(format!("tests/records/{}", record::entry::SCHEMA));
    for (game, seats) in [("contract", 3), ("set-classic", 2)] {
        let path = folder.join(format!("{game}.jsonl"));
        if std::env::var_os("UPDATE_RECORDS").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, file(game, seats, 60, 1)).unwrap();
        }
        assert!(path.is_file(), "{} is missing: run this test with UPDATE_RECORDS=1", path.display());
    }
}
