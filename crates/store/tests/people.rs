//! Forgetting, down to the last byte, and pruning in small steps.

use std::collections::HashMap;
use std::path::Path;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};
use store::{Guest, Keep, Pruned, Store};
use table::{Append, AppendListener, Appended, Finished, Journal, MatchId, Person, Played, TableStore, Who};

const DAY: u64 = 86_400;

struct Ear(Mutex<Sender<Appended>>);

impl AppendListener for Ear {
    fn appended(&self, _: MatchId, _: u32, appended: &Appended) {
        let _ = self.0.lock().unwrap().send(appended.clone());
    }
}

fn append(store: &Store, id: u64, ply: u32, body: String) {
    let (sender, heard) = channel();
    let listener = Arc::new(Ear(Mutex::new(sender))) as Arc<dyn AppendListener>;
    store.append(Append { id: MatchId::new(id), ply, body: body.into_bytes(), listener });
    assert_eq!(heard.recv().unwrap(), Appended::Committed);
}

/// Many rows at once, where waiting for each would take minutes.
fn append_and_go_on(store: &Store, id: u64, ply: u32, body: String) {
    let listener = Arc::new(Ear(Mutex::new(channel().0))) as Arc<dyn AppendListener>;
    store.append(Append { id: MatchId::new(id), ply, body: body.into_bytes(), listener });
}

fn person(n: usize) -> Person {
    Person { id: format!("guest-id-{n:04}-{n:04}"), name: format!("Name-{n:04}-of-guest") }
}

/// What the files of a folder hold of these words, as `file: word`.
fn found(folder: &Path, words: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        // All words have their first five letters in common with few others: that is where to look closer.
        let mut places: HashMap<&[u8], Vec<&String>> = HashMap::new();
        for word in words {
            places.entry(&word.as_bytes()[..5]).or_default().push(word);
        }
        for at in 0..bytes.len().saturating_sub(5) {
            for word in places.get(&bytes[at..at + 5]).into_iter().flatten() {
                if bytes[at..].starts_with(word.as_bytes()) {
                    found.push(format!("{}: {word}", path.file_name().unwrap().display()));
                }
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// A header as a table writes it, as far as names go.
fn header(seats: &[&Person]) -> String {
    let seats: Vec<String> =
        seats.iter().map(|p| format!(r#"{{"name":"{}","kind":"person"}}"#, p.name)).collect();
    format!(r#"{{"schema":2,"seats":[{}],"rules":"{}"}}"#, seats.join(","), "r".repeat(700))
}

fn sits(ply: u32, seat: u8, name: &str, kind: &str) -> String {
    format!(
        r#"{{"ply":{ply},"notes":[{{"sits":{{"seat":{seat},"who":{{"name":"{name}","kind":{kind}}}}}}}]}}"#
    )
}

/// A house with some hundred guests, who have played and renamed themselves: rows have moved from page to page.
fn house(store: &Store, guests: usize) {
    std::thread::scope(|scope| {
        for part in 0..8 {
            scope.spawn(move || {
                for n in (part..guests).step_by(8) {
                    let Person { id, name } = person(n);
                    store
                        .put_guest(&Guest {
                            id: id.clone(),
                            name: format!("{name} who was called otherwise"),
                        })
                        .unwrap();
                    store.put_guest(&Guest { id, name }).unwrap();
                }
            });
        }
    });
    for n in 0..guests {
        let (one, other) = (person(n), person((n + 1) % guests));
        let (id, table) = (MatchId::new(n as u64 * 7919 + 1), format!("table-{n}"));
        let seats = vec![
            Some(Who::Person(one.clone())),
            Some(Who::Person(other.clone())),
            Some(Who::Bot("easy".into())),
        ];
        let saved = |extra: usize| {
            let chair = |p: &Person| {
                format!(r#"{{"who":{{"person":{{"id":"{}","name":"{}"}}}},"ready":true}}"#, p.id, p.name)
            };
            format!(
                r#"{{"settings":{{"host":{{"id":"{}","name":"{}"}},"rules":"{}"}},"chairs":[{},{}],"stage":"over"}}"#,
                one.id,
                one.name,
                "x".repeat(extra),
                chair(&one),
                chair(&other)
            )
        };
        for extra in [10, 900, 200] {
            store.save(&table, vec![one.id.clone(), other.id.clone()], saved(extra));
        }
        store.played(Played { id, table: table.clone(), seats: seats.clone() });
        append_and_go_on(store, id.number(), 0, header(&[&one, &other]));
        append_and_go_on(store, id.number(), 1, sits(1, 0, "easy/1", r#"{"bot":"easy/1"}"#));
        append_and_go_on(
            store,
            id.number(),
            2,
            sits(2, 0, &format!("{} who has come back", one.name), r#""person""#),
        );
        store.finished(Finished { id, table: table.clone(), seats, outcome: None, entries: 2 });
        store.put_about(&table, &format!(r#"{{"title":"T","host":"{}"}}"#, one.id)).unwrap();
        if n % 5 == 0 {
            store.claim_try("2026-01-31", "daily-basic", &one.id, &format!("try-{n}")).unwrap();
        }
    }
    store.flush().unwrap();
}

#[test]
fn no_byte_of_a_forgotten_guest_is_left_in_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let guests = 240;
    let store = Store::open(folder.path()).unwrap();
    house(&store, guests);
    let leaving: Vec<usize> = (0..guests).filter(|n| n % 4 == 1).collect();
    let words: Vec<String> = leaving.iter().flat_map(|&n| [person(n).id, person(n).name]).collect();
    assert!(found(folder.path(), &words).len() >= words.len(), "all of them are there to be found");
    let staying: Vec<String> =
        (0..guests).filter(|n| n % 4 != 1).flat_map(|n| [person(n).id, person(n).name]).collect();

    for &n in &leaving {
        store.forget_guest(&person(n).id).unwrap();
    }
    for &n in &leaving {
        let id = person(n).id;
        assert_eq!(store.guest(&id).unwrap(), None);
        assert!(
            store.matches_of(&id, 9).unwrap().is_empty()
                && store.try_of("2026-01-31", "daily-basic", &id).unwrap().is_none()
        );
    }
    // What the others have stays: their games, without the name, and the tables at which they sit.
    let kept = store.match_of(MatchId::new(7919 + 1)).unwrap().unwrap();
    assert_eq!(kept.names, ["Somebody".to_owned(), person(2).name, "easy".into()]);
    let log = store.read(kept.id, 0).unwrap();
    let log: Vec<&str> = log.iter().map(|row| std::str::from_utf8(row).unwrap()).collect();
    assert!(
        log.len() == 3 && log[0].contains(r#""name":"Somebody""#) && log[0].contains(&person(2).name),
        "{log:?}"
    );
    assert!(log[1].contains("easy/1") && log[2].contains(r#""name":"Somebody""#), "{log:?}");
    let tables = store.tables().unwrap();
    assert_eq!(tables.len(), guests);
    let passed_on = tables.iter().find(|table| table.id == "table-9").unwrap();
    assert!(
        passed_on.saved.contains(&format!(r#""host":{{"id":"{}""#, person(10).id)),
        "{}",
        passed_on.saved
    );
    assert!(passed_on.about.contains(&person(10).id), "{}", passed_on.about);

    assert!(store.is_scrub_due().unwrap());
    assert!(store.scrub().unwrap() && !store.is_scrub_due().unwrap());
    assert_eq!(found(folder.path(), &words), [""; 0], "after it was written anew");
    assert!(found(folder.path(), &staying).len() >= staying.len(), "the others are there");
    // A match that is played meanwhile and after goes on.
    append(&store, 5, 0, "{}".to_owned());
    // The same by a start, where nobody scrubbed before.
    let last = person(0);
    store.forget_guest(&last.id).unwrap();
    drop(store);
    let store = Store::open(folder.path()).unwrap();
    assert!(!store.is_scrub_due().unwrap());
    assert_eq!(found(folder.path(), &[last.id, last.name]), [""; 0]);
    append(&store, 5, 1, "{}".to_owned());
}

#[test]
fn what_was_begun_is_forgotten_at_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    house(&store, 12);
    let Person { id, name } = person(3);
    store.leave_guest(&id).unwrap();
    assert_eq!(store.guest(&id).unwrap(), None, "nobody is called so any more");
    assert!(!store.matches_of(&id, 9).unwrap().is_empty(), "the rest is not done yet");
    drop(store);
    let store = Store::open(folder.path()).unwrap();
    assert!(store.matches_of(&id, 9).unwrap().is_empty());
    assert_eq!(found(folder.path(), &[id.clone(), name]), [""; 0]);
    // Once more, and of somebody who never was: nothing happens.
    for id in [id.as_str(), "nobody at all"] {
        store.forget_guest(id).unwrap();
    }
}

#[test]
fn two_of_one_seat_are_both_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let (ann, bob, cat) = (person(1), person(2), person(3));
    for p in [&ann, &bob, &cat] {
        store.put_guest(&Guest { id: p.id.clone(), name: p.name.clone() }).unwrap();
    }
    let id = MatchId::new(9);
    let who = |p: &Person| Some(Who::Person(p.clone()));
    // Ann had the seat, then a bot, then Bob.
    for first in [who(&ann), Some(Who::Bot("easy".to_owned())), who(&bob)] {
        store.played(Played { id, table: "t".to_owned(), seats: vec![first, who(&cat)] });
    }
    append(&store, 9, 0, header(&[&ann, &cat]));
    append(&store, 9, 1, sits(1, 0, "easy/1", r#"{"bot":"easy/1"}"#));
    append(&store, 9, 2, sits(2, 0, &bob.name, r#""person""#));
    let log = || String::from_utf8(store.read(id, 0).unwrap().join(&b'\n')).unwrap();
    store.forget_guest(&ann.id).unwrap();
    assert!(!log().contains(&ann.name) && log().contains(&bob.name) && log().contains("easy/1"), "{}", log());
    store.forget_guest(&bob.id).unwrap();
    assert!(!log().contains(&bob.name) && log().contains(&cat.name) && log().contains("easy/1"), "{}", log());
    assert_eq!(store.match_of(id).unwrap().unwrap().names[1], cat.name);
    store.forget_guest(&cat.id).unwrap();
    assert_eq!(store.match_of(id).unwrap(), None, "nobody is left who played it");
    assert!(store.read(id, 0).unwrap().is_empty());
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

fn keep() -> Keep {
    Keep {
        unused_guest: Some(30 * DAY),
        unused_guests: 100_000,
        unplayed_match: Some(30 * DAY),
        first_day: "2026-01-01".to_owned(),
    }
}

fn count(folder: &Path, table: &str) -> u64 {
    let sql = rusqlite::Connection::open(folder.join(store::DATABASE)).unwrap();
    sql.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get::<_, i64>(0)).unwrap() as u64
}

#[test]
fn what_nobody_asks_for_again_is_pruned_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let guest = |id: &str| store.put_guest(&Guest { id: id.to_owned(), name: id.to_owned() }).unwrap();
    let who = |id: &str| Some(Who::Person(Person { id: id.to_owned(), name: id.to_owned() }));
    let bot = || Some(Who::Bot("easy".to_owned()));
    let save = |table: &str, people: &[&str], playing: &str| {
        store.save(
            table,
            people.iter().map(|p| (*p).to_owned()).collect(),
            format!(r#"{{"playing":{playing}}}"#),
        );
        store.put_about(table, "{}").unwrap();
    };
    for id in ["idle", "host", "played", "tried", "left", "sat"] {
        guest(id);
    }
    // Matches: who sat there, at which table, and whether it ended.
    let matches = [
        (1, "closed", vec![who("played"), bot()], true, "played to its end by somebody"),
        (2, "closed", vec![bot(), bot()], true, "by bots only"),
        (3, "open", vec![bot(), bot()], true, "by bots only, at a table that is still open"),
        (4, "closed", vec![who("left"), bot()], true, "by somebody who was forgotten, and others"),
        (5, "closed", vec![who("sat"), bot()], false, "broken off, at a table that is closed"),
        (6, "open", vec![who("host"), bot()], false, "being played"),
    ];
    for (id, table, seats, ended, _) in matches.clone() {
        let id = MatchId::new(id);
        store.played(Played { id, table: table.to_owned(), seats: seats.clone() });
        append_and_go_on(&store, id.number(), 0, header(&[&person(1)]));
        if ended {
            store.finished(Finished { id, table: table.to_owned(), seats, outcome: None, entries: 0 });
        }
    }
    save("open", &["host"], r#""0000000000000003""#);
    save("closed", &[], "null");
    save("unused", &[], "null");
    for table in ["closed", "unused"] {
        store.drop_table(table).unwrap();
    }
    store.claim_try("2026-01-31", "daily-basic", "tried", "closed").unwrap();
    store.claim_try("2025-12-31", "daily-basic", "played", "closed").unwrap();
    store.flush().unwrap();
    // The log of a match that the database knows nothing of, as a table leaves it that wrote on when its match was dropped.
    append(&store, 77, 0, "{}".to_owned());
    drop(store);
    let store = Store::open(folder.path()).unwrap();

    assert_eq!(
        store.prune(now() + 29 * DAY, &keep()).unwrap(),
        Pruned { tables: 1, tries: 1, bytes: 2, ..Pruned::default() },
        "nothing else is old enough"
    );
    assert!(store.read(MatchId::new(77), 0).unwrap().is_empty());
    store.saw_guest("host").unwrap();
    let for_ever = Keep { unused_guest: None, unplayed_match: None, ..keep() };
    assert_eq!(store.prune(now() + 9999 * DAY, &for_ever).unwrap(), Pruned::default());
    let pruned = store.prune(now() + 31 * DAY, &keep()).unwrap();
    assert_eq!((pruned.guests, pruned.matches, pruned.tables, pruned.tries), (1, 2, 0, 0), "{pruned:?}");
    assert_eq!(store.guest("idle").unwrap(), None);
    for id in ["host", "played", "tried", "left", "sat"] {
        assert!(store.guest(id).unwrap().is_some(), "{id} has something here");
    }
    for (id, _, _, _, what) in matches {
        let gone = id == 2 || id == 5;
        assert_eq!(store.match_of(MatchId::new(id)).unwrap().is_none(), gone, "{what}");
        assert_eq!(store.read(MatchId::new(id), 0).unwrap().is_empty(), gone, "the log: {what}");
    }
    assert_eq!(store.tables().unwrap().len(), 1);
    // Nobody is left of match 4 who is known; and once the table is closed nobody needs match 3. But of what is left, a
    // match that somebody played stays for good.
    store.forget_guest("left").unwrap();
    assert_eq!(store.match_of(MatchId::new(4)).unwrap(), None);
    store.drop_table("open").unwrap();
    let pruned = store.prune(now() + 31 * DAY, &keep()).unwrap();
    assert_eq!(
        (pruned.guests, pruned.matches),
        (1, 2),
        "the one whose match was broken off is unused now: {pruned:?}"
    );
    assert_eq!(
        store.prune(now() + 31 * DAY, &keep()).unwrap().guests,
        1,
        "and so is who played at the table"
    );
    assert_eq!(store.prune(now() + 9999 * DAY, &keep()).unwrap(), Pruned::default());
    assert!(store.match_of(MatchId::new(1)).unwrap().is_some() && store.guest("tried").unwrap().is_some());
}

#[test]
fn pruning_goes_in_small_steps_between_which_moves_are_written() {
    const MANY: u64 = 20_000;
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let Person { id, name } = person(1);
    store.put_guest(&Guest { id, name }).unwrap();
    let bots = vec![Some(Who::Bot("easy".to_owned())); 3];
    for id in 1..=300 {
        let id = MatchId::new(id * 31);
        store.played(Played { id, table: "closed".to_owned(), seats: bots.clone() });
        for ply in 0..3 {
            append_and_go_on(&store, id.number(), ply, format!(r#"{{"long":"{}"}}"#, "x".repeat(20_000)));
        }
        store.finished(Finished {
            id,
            table: "closed".to_owned(),
            seats: bots.clone(),
            outcome: None,
            entries: 2,
        });
    }
    store.save("open", vec![], "{}".to_owned());
    store.played(Played { id: MatchId::new(5), table: "open".to_owned(), seats: bots });
    store.flush().unwrap();
    // Many more guests like the first, whom the storage itself has written.
    let sql = rusqlite::Connection::open(folder.path().join(store::DATABASE)).unwrap();
    sql.execute_batch(&format!(
        "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i <= {MANY})
         INSERT INTO guests SELECT id || '-' || i, name, made, seen FROM guests, n"
    ))
    .unwrap();
    drop((sql, store));
    let store = Store::open(folder.path()).unwrap();
    let size = store.size().unwrap();

    let mut pruning = store.pruning(now() + 31 * DAY, &keep()).unwrap();
    let (mut sum, mut steps) = (Pruned::default(), 0);
    while let Some(step) = pruning.step().unwrap() {
        // A row of a log holds what came within a MiB of entries: that is the most beyond a step's own measure.
        assert!(step.guests + step.matches + step.tables + step.tries <= 500, "{step:?}");
        assert!(step.bytes <= (256 << 10) + (1 << 20), "{step:?}");
        sum += step;
        append(&store, 5, steps, "{}".to_owned());
        steps += 1;
    }
    assert_eq!((sum.guests, sum.matches), (MANY + 1, 300), "{sum:?}");
    assert!(sum.bytes > 300 * 60_000 && steps > 80, "{sum:?} in {steps} steps");
    assert_eq!((count(folder.path(), "guests"), count(folder.path(), "matches")), (0, 1));
    assert_eq!(store.read(MatchId::new(5), 0).unwrap().len(), steps as usize);
    // The file gives its room back when it is written anew.
    assert!(
        store.scrub().unwrap() && store.size().unwrap() < size / 10,
        "{} of {size}",
        store.size().unwrap()
    );
}

#[test]
fn of_too_many_unused_guests_the_oldest_go_first() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    for n in 0..20 {
        let Person { id, name } = person(n);
        store.put_guest(&Guest { id, name }).unwrap();
    }
    store.save("t", vec![person(0).id], "{}".to_owned());
    store.flush().unwrap();
    let few = Keep { unused_guests: 5, ..keep() };
    assert_eq!(store.prune(now(), &few).unwrap(), Pruned { guests: 14, ..Pruned::default() });
    let left: Vec<usize> = (0..20).filter(|&n| store.guest(&person(n).id).unwrap().is_some()).collect();
    assert_eq!(left, [0, 15, 16, 17, 18, 19], "who keeps a table stays");
    assert_eq!(store.prune(now(), &few).unwrap(), Pruned::default());
}
