//! Records: what was played verifies, and whatever is changed in it is found, on the line where it stands.

use game::chance::SplitMix;
use game::{Chance, Game, Input, Millis, Seat, Status, Timing, View, Viewer};
use record::fair::Why;
use record::fair::{self, Bytes32, Solo, commitment};
use record::replay;
use record::verify::{Absent, End, Verified, verify};
use record::{Cause, ENGINE, EntryOf, Header, HeaderOf, Note, Sitter, SitterKind};
use rulebook::Match;
use serde_json::Value;
use std::collections::BTreeSet;

const SERVER: Bytes32 = Bytes32([0x42; 32]);

/// Plays `most` inputs of a match at random, as a server would record it, whose program calls itself `engine`.
fn played(
    engine: &str,
    game: &str,
    seats: u8,
    most: usize,
    seed: u64,
) -> (HeaderOf<Match>, Vec<EntryOf<Match>>) {
    let rules = rulebook::preset(game).unwrap().rules(seats).unwrap();
    let header = Header {
        schema: record::entry::SCHEMA,
        engine: engine.to_owned(),
        id: String::new(),
        opened: Some(1_700_000_000),
        rules: (*rules).clone(),
        seats: (0..seats)
            .map(|seat| Sitter { name: format!("Seat {seat}"), kind: SitterKind::Bot("random/1".to_owned()) })
            .collect(),
        shuffle: record::entry::SHUFFLE.to_owned(),
    }
    .named("kitchen-7");
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
                    at = alarm.due.max(Millis(entries.last().map_or(0, |e| e.at.0)));
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
    by(ENGINE, game, seats, most, seed)
}

fn by(engine: &str, game: &str, seats: u8, most: usize, seed: u64) -> String {
    let (header, entries) = played(engine, game, seats, most, seed);
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
    let wrong = verify::<Match>(text).expect_err("the record is wrong");
    (wrong.line, wrong.text)
}

#[test]
fn what_was_played_verifies_and_is_printed() {
    for (game, seats) in [("contract", 4), ("shanghai", 3), ("set-classic", 2), ("memory", 3), ("setup", 2)] {
        let text = file(game, seats, 300, 7);
        let verified = verify::<Match>(&text).unwrap_or_else(|wrong| panic!("{game}: {wrong}"));
        assert!(verified.draws > 0 && verified.unchecked == 0, "{game}: {verified}");
        assert_eq!(verified.is_whole(), verified.end == Some(End::Played), "{game}: {:?}", verified.open());
        assert_eq!(verified.entries, text.lines().count() - 1);
        let printed = replay::text(&replay::read::<Match>(&text).unwrap(), &|rules| rules.name()).unwrap();
        assert!(
            printed.contains("match kitchen-7-") && printed.lines().count() > verified.entries,
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

/// Puts the name into a header that it should have, so that nothing but the deals tells that it was changed.
fn renamed(text: &str, edit: impl FnOnce(&mut Value)) -> String {
    edited(text, 1, |header| {
        edit(header);
        header["match"] = format!("kitchen-7-{}", record::name::hash(header)).into();
    })
}

/// The name of a program decides nothing: what another one judged is judged again, and where this one decides otherwise
/// that is said, and is not the same as wrong.
#[test]
fn what_another_program_judged_is_judged_again() {
    let text = by("parlour 0.0.1", "contract", 3, 60, 5);
    let verified = verify::<Match>(&text).unwrap();
    assert_eq!((verified.judged, verified.unjudged), (60, 0));
    assert_eq!((&verified.differs, &verified.engines[..]), (&None, &["parlour 0.0.1".to_owned()][..]));
    let change = |text: &str| {
        edited(text, 30, |entry| {
            let event = entry["events"][0]["contract"].take();
            entry["events"][0]["contract"] = serde_json::json!({ "renamed": event });
        })
    };
    let lines = text.lines().count();
    for changed in [
        edited(&text, 30, |entry| {
            entry["events"].as_array_mut().unwrap().pop();
        }),
        edited(&text, 30, |entry| entry["input"] = serde_json::json!({ "ring": 7 })),
        change(&text),
        edited(&text, 30, |entry| entry["later"] = 1.into()),
    ] {
        let verified = match verify::<Match>(&changed) {
            Ok(verified) => verified,
            // Who acted and what was acted are compared without the rules.
            Err(wrong) => {
                assert!(changed.contains("{\"ring\":7}"), "{wrong}");
                continue;
            }
        };
        assert_eq!(verified.differs.as_ref().map(|wrong| wrong.line), Some(30), "{verified:?}");
        assert_eq!((verified.judged, verified.unjudged > 0), (28, true), "{verified:?}");
        assert!(!verified.is_whole());
    }
    // The rest is judged as in any record: what was drawn, and who acted when.
    let shuffle = 1 + text.lines().position(|line| line.contains("{\"order\":")).unwrap();
    let swapped = edited(&text, shuffle, |entry| {
        entry["input"]["draw"]["order"].as_array_mut().unwrap().swap(0, 1);
    });
    assert_eq!(wrong(&swapped).0, shuffle);
    assert_eq!(wrong(&edited(&text, 50, |entry| entry["at"] = 0.into())).0, 50);
    // And whoever only says that another program did it has changed what the name of the match binds.
    let own = file("contract", 3, 60, 5);
    let (line, why) = wrong(&edited(&change(&own), 1, |header| header["engine"] = "parlour 0.0.1".into()));
    assert_eq!((line, why.as_str()), (1, "the header is not the one that the name of the match binds"));
    let (line, why) = wrong(&renamed(&own, |header| header["engine"] = "parlour 0.0.1".into()));
    // Who deals first, drawn in line 2, may be the same by chance; the shuffle is not.
    assert!(line <= 3 && why.starts_with("this is not what the seeds"), "line {line}: {why}");
    assert_eq!(wrong(&change(&own)).0, 30);
    assert_eq!(lines, own.lines().count());
}

/// What was not judged is said.
#[test]
fn what_is_left_open_is_said() {
    let open = |text: &str| {
        let verified = verify::<Match>(text).unwrap_or_else(|wrong| panic!("{wrong}"));
        assert_eq!(verified.is_whole(), verified.open().is_empty());
        verified.open().join("; ")
    };
    let text =
        (1..).map(|seed| file("set-classic", 2, 3000, seed)).find(|text| open(text).is_empty()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let first = |most: usize| lines[..most].join("\n");
    assert_eq!(
        open(&first(lines.len() - 1)),
        "3 draws have no seeds to check them by; the server's seed of deals 1, 2 was not shown"
    );
    assert!(open(&first(lines.len() - 2)).contains("does not come to its end"));
    let old = include_str!("../records/1/contract.jsonl");
    assert_eq!(
        open(old),
        "the match does not come to its end; nothing binds the header to the deals, as in all records of version 1"
    );
    // What came from no seeds is not checked; who says so in a record that has seeds is wrong.
    let other = edited(old, 1, |header| header["shuffle"] = "trial-1".into());
    assert_eq!(wrong(&other), (2, "there are seeds, but the header names a shuffle without any".to_owned()));
    let bare: String = other
        .lines()
        .map(|line| {
            let mut entry: Value = serde_json::from_str(line).unwrap();
            if let Some(notes) = entry.get_mut("notes").and_then(Value::as_array_mut) {
                notes.retain(|note| note["commit"].is_null() && note["reveal"].is_null());
            }
            entry.to_string() + "\n"
        })
        .filter(|line| !line.contains("\"notes\":[]"))
        .collect();
    assert!(open(&bare).contains("2 draws have no seeds to check them by"), "{}", open(&bare));
}

/// Who had no part in a deal is named, by what the record says of it.
#[test]
fn who_had_no_part_in_a_deal_is_named() {
    let (mut header, mut entries) = played(ENGINE, "contract", 4, 10, 5);
    let (own, deal) = (Bytes32([9; 32]), 1);
    for sitter in &mut header.seats {
        *sitter = Sitter { name: "Ann".to_owned(), kind: SitterKind::Person };
    }
    header.engine = ENGINE.to_owned();
    let header = header.named("kitchen-7");
    let draws = entries.iter().take_while(|entry| matches!(entry.input, Some(Input::Draw(_)))).count();
    entries.truncate(draws);
    let key = fair::DealKey::new(&header.id, deal, &SERVER, &[Some(own), None, None, None]);
    let mut truth = Match::open(header.rules.clone().into(), 4).unwrap();
    for entry in &mut entries {
        let Status::Chance(need) = truth.status() else { panic!("chance is asked") };
        entry.input = Some(Input::Draw(key.answer(&need)));
        entry.notes.retain(|note| !matches!(note, Note::Asked { .. }));
        entry.notes.push(Note::Asked { need });
        entry.events.clear();
        game::step(&mut truth, entry.at, entry.input.as_ref().unwrap(), &mut entry.events).unwrap();
    }
    let hash = commitment(&own);
    let closing = |seat, bound| match bound {
        true => Note::ClientCommit { deal, seat: Seat(seat), hash },
        false => Note::Unbound { deal, seat: Seat(seat) },
    };
    let notes = [
        Note::Commit { deal, hash: commitment(&SERVER) },
        closing(0, true),
        closing(1, true),
        closing(2, false),
        Note::Open { deal, seat: Seat(0), seed: own },
        Note::Missing { deal, seat: Seat(1) },
    ];
    let with = |notes: &[Note<rulebook::Command>]| {
        let mut entries = entries.clone();
        entries[0].notes.retain(|note| matches!(note, Note::Asked { .. }));
        entries[0].notes.splice(..0, notes.iter().cloned());
        verify::<Match>(&replay::write::<Match>(&header, &entries).unwrap())
    };
    let absent = |seat, why| Absent { deal, seat: Seat(seat), name: "Ann".to_owned(), why };
    // The seed is not shown here, so the draws are not checked: only who had a part in them.
    let found: Verified = with(&notes).unwrap();
    let named = [absent(1, Why::Unopened), absent(2, Why::Unbound), absent(3, Why::Away)];
    assert_eq!(found.absent, named);
    assert!(found.to_string().ends_with(
        "seat 1 (Ann) did not open its seed in deal 1; seat 2 (Ann) was connected but bound to no seed in deal 1; \
         seat 3 (Ann) was away and had no seed in deal 1"
    ));
    // Each note leans on another: none can go or come twice unnoticed, but that somebody was connected is the host's word.
    for n in 0..notes.len() {
        let mut fewer = notes.to_vec();
        let gone = fewer.remove(n);
        let free = matches!(gone, Note::Unbound { .. });
        assert_eq!(with(&fewer).is_err(), !free, "without {gone:?}");
        let mut twice = notes.to_vec();
        twice.insert(n, gone.clone());
        assert!(with(&twice).is_err(), "twice {gone:?}");
    }
    let late: Vec<_> = [&notes[1..3], &notes[..1], &notes[3..]].concat();
    assert!(with(&late).unwrap_err().text.contains("for which the server was not bound"));
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

/// A real server wrote them: `UPDATE_RECORDS=1 cargo nextest run -p parlour-server --test it records::` writes them anew.
#[test]
fn this_version_has_records_in_the_folder() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(format!("tests/records/{}", record::entry::SCHEMA));
    for game in ["contract", "set-classic", "agreed"] {
        let path = folder.join(format!("{game}.jsonl"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        let verified = verify::<Match>(&text).unwrap_or_else(|wrong| panic!("{}: {wrong}", path.display()));
        assert!(verified.differs.is_none(), "{}: {verified}", path.display());
    }
}
