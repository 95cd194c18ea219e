//! A storage that is one of several: what is written as values, and folds of their log.

use game::chance::SplitMix;
use std::collections::HashMap;
use std::path::Path;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, OnceLock, Weak};
use store::{Change, Folded, Guest, Keep, Ledger, Store, StoreError, TryResult, Whose, decode, join};
use table::{Append, AppendListener, Appended, Finished, Journal, MatchId, Person, Played, TableStore, Who};

/// A log that forgets nothing and is applied to the one storage that it is for.
#[derive(Default)]
struct Log {
    store: OnceLock<Weak<Store>>,
    numbers: Mutex<HashMap<u16, u64>>,
    written: Mutex<Vec<(Whose, Vec<u8>)>>,
}

fn part(about: &Whose) -> u16 {
    let (Whose::Table(id) | Whose::Guest(id)) = about;
    id.bytes().fold(0, |sum, byte| (sum * 31 + u16::from(byte)) % 256)
}

impl Log {
    fn store(&self) -> Arc<Store> {
        self.store.get().and_then(Weak::upgrade).unwrap()
    }

    fn write(&self, about: &Whose, change: &Change, done: store::Done) {
        let text = change.encode();
        self.written.lock().unwrap().push((about.clone(), text.clone()));
        let mut numbers = self.numbers.lock().unwrap();
        let number = numbers.entry(part(about)).or_default();
        *number += 1;
        let changes = decode(&join(&[text])).unwrap();
        let (part, number) = (part(about), *number);
        let folded = Folded { part, number, sequence: number * 7, hash: [number as u8; 32], changes, done };
        self.store().fold(folded);
    }
}

impl Ledger for Log {
    fn commit(&self, about: &Whose, change: Change) -> Result<(), String> {
        let (sender, heard) = channel();
        self.write(about, &change, Box::new(move |done| sender.send(done).unwrap()));
        heard.recv().unwrap()
    }
    fn hand(&self, about: &Whose, change: Change) {
        self.write(about, &change, Box::new(|done| done.unwrap()));
    }
    fn claim(&self, day: &str, game: &str, guest: &str, table: &str) -> Result<String, String> {
        let store = self.store();
        let text = |e: store::StoreError| e.to_string();
        if let Some(kept) = store.try_of(day, game, guest).map_err(text)?
            && (kept.result.is_some() || !store.is_left(&kept.table).map_err(text)?)
        {
            return Ok(kept.table);
        }
        let [day, game, who, table] = [day, game, guest, table].map(str::to_owned);
        self.commit(&Whose::Guest(who.clone()), Change::Try { day, game, guest: who, table: table.clone() })?;
        Ok(table)
    }
}

fn shared(folder: &Path) -> (Arc<Log>, Arc<Store>) {
    let log = Arc::new(Log::default());
    let store = Arc::new(Store::open_shared(folder, Arc::clone(&log) as Arc<dyn Ledger>).unwrap());
    assert!(log.store.set(Arc::downgrade(&store)).is_ok());
    (log, store)
}

fn fold(store: &Store, part: u16, number: u64, changes: Vec<Change>) -> Result<(), String> {
    let (sender, heard) = channel();
    let done = Box::new(move |done| sender.send(done).unwrap());
    store.fold(Folded { part, number, sequence: number, hash: [9; 32], changes, done });
    heard.recv().unwrap()
}

fn entry(id: u64, ply: u32, body: &str) -> Change {
    Change::entry(MatchId::new(id), ply, body.as_bytes().to_vec()).unwrap()
}

fn person(id: &str) -> Option<Who> {
    Some(Who::Person(Person { id: id.to_owned(), name: format!("Name-{id}") }))
}

/// All rows of all tables, but for what each machine has for itself.
fn dump(folder: &Path) -> Vec<String> {
    let sql = rusqlite::Connection::open(folder.join(store::DATABASE)).unwrap();
    let tables = [
        ("guests", "id"),
        ("tables", "id"),
        ("matches", "id"),
        ("players", "match, seat, rowid"),
        ("tries", "day, game, guest"),
        ("places", "guest, tab"),
        ("gone", "trace"),
        ("leaving", "guest"),
        ("forgotten", "match, seat"),
        ("folded", "part"),
    ];
    let mut found = Vec::new();
    for (table, order) in tables {
        let mut query = sql.prepare(&format!("SELECT * FROM {table} ORDER BY {order}")).unwrap();
        let columns = query.column_count();
        let rows = query.query_map([], |row| {
            let values: Vec<String> = (0..columns)
                .map(|n| row.get::<_, rusqlite::types::Value>(n).map(|value| format!("{value:?}")))
                .collect::<Result<_, _>>()?;
            Ok(format!("{table}: {}", values.join(", ")))
        });
        found.extend(rows.unwrap().map(Result::unwrap));
    }
    let mut query = sql.prepare("SELECT match, ply, entry FROM journal ORDER BY match, ply").unwrap();
    let mut entries: HashMap<i64, Vec<u8>> = HashMap::new();
    let mut rows = query.query([]).unwrap();
    while let Some(row) = rows.next().unwrap() {
        let log = entries.entry(row.get(0).unwrap()).or_default();
        log.extend(row.get::<_, Vec<u8>>(2).unwrap());
        log.push(b'\n');
    }
    let mut logs: Vec<String> = entries
        .into_iter()
        .map(|(id, log)| format!("log {id}: {}", String::from_utf8(log).unwrap()))
        .collect();
    logs.sort();
    found.extend(logs);
    found
}

struct Ear(Mutex<std::sync::mpsc::Sender<Appended>>);

impl AppendListener for Ear {
    fn appended(&self, _: MatchId, _: u32, appended: &Appended) {
        self.0.lock().unwrap().send(appended.clone()).unwrap();
    }
}

/// What a server does with its storage, as far as that is no entry.
fn live(store: &Store) {
    let guest = |id: &str| store.put_guest(&Guest { id: id.to_owned(), name: format!("Name-{id}") }).unwrap();
    ["ann", "bob", "cat"].into_iter().for_each(guest);
    let saved = |people: &[&str]| {
        let chairs: Vec<String> = people
            .iter()
            .map(|id| format!(r#"{{"who":{{"person":{{"id":"{id}","name":"Name-{id}"}}}},"ready":true}}"#))
            .collect();
        format!(
            r#"{{"settings":{{"host":{{"id":"{0}","name":"Name-{0}"}}}},"chairs":[{1}]}}"#,
            people[0],
            chairs.join(",")
        )
    };
    let people = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<String>>();
    store.save("t1", people(&["ann", "bob"]), saved(&["ann", "bob"]));
    store.put_about("t1", r#"{"title":"T","host":"ann","made":1}"#).unwrap();
    let id = MatchId::new(1);
    let seats = vec![person("ann"), person("bob"), Some(Who::Bot("easy".to_owned()))];
    store.played(Played { id, table: "t1".to_owned(), seats: seats.clone() });
    store.put_about("t2", r#"{"title":"Day","host":"bob"}"#).unwrap();
    store.save("t2", people(&["bob"]), saved(&["bob"]));
    assert_eq!(store.claim_try("2026-01-31", "daily-basic", "bob", "t2").unwrap(), "t2");
    let own = Played { id: MatchId::new(2), table: "t2".to_owned(), seats: vec![person("bob")] };
    store.played(own);
    store.finished(Finished {
        id: MatchId::new(2),
        table: "t2".to_owned(),
        seats: vec![person("bob")],
        outcome: None,
        entries: 3,
    });
    store.flush().unwrap();
    assert!(!store.is_left("t2").unwrap() && store.is_left("t3").unwrap(), "t3 never was");
    assert_eq!(store.claim_try("2026-01-31", "daily-basic", "bob", "t3").unwrap(), "t2", "played already");
    let result = TryResult { solved: true, millis: 1200, errors: 1 };
    store.judge_try("2026-01-31", "daily-basic", "bob", result).unwrap();
    store.drop_table("t2").unwrap();
    store.flush().unwrap();
    assert!(!store.is_left("t2").unwrap(), "a match was played there");
    store.saw_guest("ann").unwrap();
    store.forget_guest("ann").unwrap();
    guest("ann");
    assert!(store.is_gone("ann").unwrap() && !store.is_gone("bob").unwrap());
    assert_eq!(store.guest("ann").unwrap(), None, "nobody is called so again");
    store.finished(Finished { id, table: "t1".to_owned(), seats, outcome: None, entries: 9 });
    store.flush().unwrap();
}

/// Rows without what says when, and without how far a log is.
fn timeless(rows: Vec<String>) -> Vec<String> {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let text = |row: String| {
        (now - 60..=now).fold(row, |row, at| row.replace(&format!("Integer({at})"), "Integer(now)"))
    };
    rows.into_iter().filter(|row| !row.starts_with("folded")).map(text).collect()
}

#[test]
fn one_of_several_keeps_what_one_alone_keeps() {
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let alone = Store::open(one.path()).unwrap();
    live(&alone);
    let (log, store) = shared(other.path());
    live(&store);
    assert_eq!(timeless(dump(one.path())), timeless(dump(other.path())));
    assert!(dump(one.path()).iter().any(|row| row.starts_with("tries") && row.contains("1200")));
    let kinds =
        ["saved", "about", "closed", "played", "finished", "guest", "leaves", "forgets", "try", "judged"];
    let written = log.written.lock().unwrap();
    for kind in kinds {
        let begin = format!(r#"{{"{kind}":"#);
        assert!(written.iter().any(|(_, text)| text.starts_with(begin.as_bytes())), "{kind} is a change");
    }
    // What a disk keeps is in the log anyway.
    assert_eq!((alone.pragmas().unwrap().synchronous, store.pragmas().unwrap().synchronous), (2, 1));
    // Entries of tables go to the log as well: nothing is taken here.
    let (sender, heard) = channel();
    let listener = Arc::new(Ear(Mutex::new(sender)));
    store.append(Append { id: MatchId::new(1), ply: 0, body: b"{}".to_vec(), listener });
    assert!(matches!(heard.recv().unwrap(), Appended::Failed(why) if why.contains("log")));
}

#[test]
fn a_fold_that_does_not_follow_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (_log, store) = shared(folder.path());
    let guest = |id: &str| Change::Guest { at: 5, id: id.to_owned(), name: "N".to_owned() };
    assert_eq!(fold(&store, 3, 1, vec![guest("a"), entry(7, 0, "{}"), entry(7, 1, r#"{"ply":1}"#)]), Ok(()));
    for number in [0, 1, 3, u64::MAX] {
        let why = fold(&store, 3, number, vec![guest("b"), entry(7, 2, "{}")]).unwrap_err();
        assert!(why.contains("does not follow"), "{why}");
    }
    assert!(fold(&store, 4, 2, vec![guest("b")]).is_err(), "each part begins with 1");
    assert_eq!(store.guest("b").unwrap(), None);
    assert_eq!(store.read(MatchId::new(7), 0).unwrap().len(), 2);
    assert_eq!(
        fold(&store, 3, 2, vec![entry(7, 2, "{}")]),
        Ok(()),
        "what was refused is as if it had not been"
    );
    assert_eq!(fold(&store, 200, 1, vec![]), Ok(()));
    assert_eq!(store.folded().unwrap(), [(3, 2, 2, [9; 32]), (200, 1, 1, [9; 32])]);
    drop(store);
}

#[test]
fn a_change_that_cannot_be_made_stops_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (_log, store) = shared(folder.path());
    let played =
        Change::Played { at: 1, id: MatchId::new(1), table: "t".to_owned(), seats: vec![person("a")] };
    // Entries that are not the next ones; after and before others.
    let changes = vec![played, entry(1, 5, "{}"), entry(1, 0, "{}"), entry(1, 0, "{}"), entry(1, 1, "[1]")];
    assert_eq!(fold(&store, 1, 1, changes), Ok(()));
    let sql = rusqlite::Connection::open(folder.path().join(store::DATABASE)).unwrap();
    sql.execute_batch(
        "CREATE TRIGGER planted BEFORE INSERT ON guests WHEN NEW.name = 'planted'
         BEGIN SELECT RAISE(ABORT, 'planted'); END",
    )
    .unwrap();
    let guest = |name: &str| Change::Guest { at: 5, id: name.to_owned(), name: name.to_owned() };
    assert_eq!(
        fold(&store, 1, 2, vec![guest("x"), guest("planted"), entry(1, 2, "[2]"), guest("y")]),
        Ok(())
    );
    let there = |name: &str| store.guest(name).unwrap().is_some();
    assert!(there("x") && there("y") && !there("planted"));
    let log = store.read(MatchId::new(1), 0).unwrap();
    assert_eq!(log, [b"{}".to_vec(), b"[1]".to_vec(), b"[2]".to_vec()]);
}

#[test]
fn a_full_disk_refuses_a_fold_whole() {
    let folder = tempfile::tempdir().unwrap();
    let (_log, store) = shared(folder.path());
    let guest = |id: &str| Change::Guest { at: 5, id: id.to_owned(), name: "N".to_owned() };
    assert_eq!(fold(&store, 1, 1, vec![guest("a"), entry(1, 0, "{}")]), Ok(()));
    let before = dump(folder.path());
    store.limit_pages(Some(1)).unwrap();
    let long = Change::About { table: "t".to_owned(), about: "x".repeat(1 << 20) };
    let changes = vec![guest("b"), entry(1, 1, "{}"), long.clone(), guest("c")];
    let why = fold(&store, 1, 2, changes.clone()).unwrap_err();
    assert!(why.contains("full"), "{why}");
    // The same where only the entries are too long.
    let entries = vec![guest("b"), entry(1, 1, &format!("\"{}\"", "x".repeat(1 << 20)))];
    assert!(fold(&store, 1, 2, entries).is_err_and(|why| why.contains("full")));
    assert_eq!(dump(folder.path()), before, "nothing of it is there");
    store.limit_pages(None).unwrap();
    assert_eq!(fold(&store, 1, 2, changes), Ok(()), "and all of it can be");
    assert!(store.guest("c").unwrap().is_some());
    assert_eq!(store.read(MatchId::new(1), 0).unwrap().len(), 2);
}

#[test]
fn folds_are_told_in_their_order_and_share_commits() {
    let folder = tempfile::tempdir().unwrap();
    let (_log, store) = shared(folder.path());
    let (sender, heard) = channel();
    for number in 1..=200 {
        for part in 0..4 {
            let sender = sender.clone();
            let done = Box::new(move |done: Result<(), String>| sender.send((part, number, done)).unwrap());
            let changes = vec![entry(u64::from(part), number as u32 - 1, "{}")];
            store.fold(Folded { part, number, sequence: number, hash: [0; 32], changes, done });
        }
    }
    for number in 1..=200 {
        for part in 0..4 {
            assert_eq!(heard.recv().unwrap(), (part, number, Ok(())));
        }
    }
    let (commits, rows) = store.commits();
    assert!(commits < 800 && rows == 800, "{commits} {rows}");
    assert_eq!(store.read(MatchId::new(3), 0).unwrap().len(), 200);
}

#[test]
fn what_cannot_be_read_is_refused_in_words() {
    let text = |batch: &[u8]| decode(batch).unwrap_err();
    assert!(decode(&join(&[])).unwrap().is_empty());
    assert!(text(br#"{"v":2,"changes":[{"closed":{"table":"t"}}]}"#).contains("newer version of Parlour"));
    assert!(text(br#"{"v":1,"changes":[{"moved":{"table":"t"}}]}"#).contains("newer version of Parlour"));
    for broken in [&b"{}"[..], b"", b"[1]", br#"{"v":1}"#, br#"{"v":1,"changes":[{"closed":{}}]}"#, b"\xff"] {
        assert!(text(broken).contains("cannot be read"), "{}", text(broken));
    }
    let more = br#"{"v":1,"more":[],"changes":[{"closed":{"table":"t","why":[1]}}]}"#;
    assert!(matches!(&decode(more).unwrap()[..], [Change::Closed { table }] if table == "t"), "new fields");
    assert!(text(&vec![b' '; store::BATCH_BYTES + 1]).contains("too long"));
    let changes: Vec<Vec<u8>> = (0..500).map(|n| entry(1, n, "[1,\"\u{e9}\"]").encode()).collect();
    let batch = join(&changes);
    assert!(batch.len() < 200 + changes.iter().map(|c| c.len() + 4).sum::<usize>());
    let again: Vec<Vec<u8>> = decode(&batch).unwrap().iter().map(Change::encode).collect();
    assert_eq!(again, changes);
    assert!(Change::entry(MatchId::new(1), 0, b"{".to_vec()).is_err());
    assert!(Change::entry(MatchId::new(1), 0, b"[1,\n2]".to_vec()).is_err(), "several lines");
}

#[test]
fn a_database_goes_into_a_log_and_out_of_it() {
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let alone = Store::open(one.path()).unwrap();
    live(&alone);
    let (sender, heard) = channel();
    let listener: Arc<dyn AppendListener> = Arc::new(Ear(Mutex::new(sender)));
    for ply in 0..1500 {
        let body = format!(r#"{{"ply":{ply}}}"#).into_bytes();
        alone.append(Append { id: MatchId::new(1), ply, body, listener: Arc::clone(&listener) });
    }
    alone.flush().unwrap();
    drop((alone, heard));
    let alone = Store::open(one.path()).unwrap();
    let empty: Arc<dyn Ledger> = Arc::new(Log::default());
    let Err(why) = Store::open_shared(one.path(), Arc::clone(&empty)) else { panic!("in use") };
    assert!(why.is_in_use());
    let (empty_log, store) = shared(other.path());
    let mut numbers: HashMap<u16, u64> = HashMap::new();
    alone
        .everything(|whose, change| {
            let number = numbers.entry(part(&whose)).or_default();
            *number += 1;
            let changes = decode(&join(&[change.encode()])).unwrap();
            store.fold(Folded {
                part: part(&whose),
                number: *number,
                sequence: 0,
                hash: [0; 32],
                changes,
                done: Box::new(|done| done.unwrap()),
            });
        })
        .unwrap();
    // Entries are sorted in when it is opened.
    drop(store);
    drop(empty_log);
    let (_log, store) = shared(other.path());
    let without = |rows: Vec<String>| -> Vec<String> {
        rows.into_iter()
            .filter(|row| !["folded", "forgotten", "gone"].iter().any(|own| row.starts_with(own)))
            .collect()
    };
    let log = |store: &Store| store.read(MatchId::new(1), 0).unwrap();
    assert_eq!(without(dump(one.path())), without(dump(other.path())));
    assert!(log(&alone).len() == 1500 && log(&alone) == log(&store));
    drop(alone);
    // What was one machine's is not taken for a fold, nor is what has been alone since.
    let refused = |folder: &Path| match Store::open_shared(folder, Arc::clone(&empty)) {
        Err(why @ StoreError::Own { .. }) => why.to_string(),
        _ => panic!("games that the log does not have"),
    };
    assert!(refused(one.path()).contains("parlour cluster import"));
    drop((_log, store));
    drop(shared(other.path()));
    let back = Store::open(other.path()).unwrap();
    assert!(back.guest("bob").unwrap().is_some() && back.folded().unwrap().is_empty());
    drop(back);
    assert!(refused(other.path()).contains("after it had left the cluster"));
}

/// The changes of one house, part by part: tables at which people come and go, some of whom are forgotten, who may have heard of
/// that or not.
struct House {
    chance: SplitMix,
    guests: Vec<String>,
    parts: Vec<Vec<Change>>,
}

impl House {
    fn new(seed: u64) -> House {
        let guests: Vec<String> = (0..5).map(|n| format!("g{n}")).collect();
        let mut house = House { chance: SplitMix(seed), guests, parts: Vec::new() };
        for n in 0..house.guests.len() {
            house.guest(n);
        }
        for n in 0..3 {
            house.table(n);
        }
        house
    }

    fn below(&mut self, n: u64) -> u64 {
        self.chance.bits() % n
    }

    fn guest(&mut self, n: usize) {
        let id = self.guests[n].clone();
        let mut part = vec![Change::Guest { at: 10, id: id.clone(), name: format!("Name-{id}") }];
        let (day, game) = ("d".to_owned(), "g".to_owned());
        for at in 0..self.below(4) {
            part.push(match self.below(3) {
                0 => Change::Seen { at: 20 + at, guest: id.clone() },
                1 => {
                    let table = format!("t{}", self.below(3));
                    Change::Try { day: day.clone(), game: game.clone(), guest: id.clone(), table }
                }
                _ => {
                    let result = TryResult { solved: true, millis: at as u32, errors: 0 };
                    Change::Judged { day: day.clone(), game: game.clone(), guest: id.clone(), result }
                }
            });
        }
        if self.below(2) == 0 {
            part.push(Change::Leaves { guest: id.clone() });
            let late = Change::Try { day, game, guest: id.clone(), table: "t9".to_owned() };
            let again = Change::Guest { at: 90, id: id.clone(), name: "again".to_owned() };
            for change in [late, again, Change::Seen { at: 99, guest: id.clone() }] {
                if self.below(2) == 0 {
                    part.push(change);
                }
            }
            part.push(Change::Forgets { guest: id });
        }
        self.parts.push(part);
    }

    fn anybody(&mut self) -> String {
        let n = self.below(self.guests.len() as u64) as usize;
        self.guests[n].clone()
    }

    /// Who may have a seat.
    fn sitter(&mut self) -> Option<Who> {
        match self.below(4) {
            0 => None,
            1 => Some(Who::Bot("easy".to_owned())),
            _ => person(&self.anybody()),
        }
    }

    fn name(who: Option<&Who>) -> (String, &'static str) {
        match who {
            Some(Who::Person(p)) => (p.name.clone(), r#""person""#),
            Some(Who::Bot(_)) => ("easy/1".to_owned(), r#"{"bot":"easy/1"}"#),
            None => (String::new(), r#""empty""#),
        }
    }

    fn saved(&mut self, table: &str, seats: &[Option<Who>], part: &mut Vec<Change>) {
        let host = self.anybody();
        let removed = self.anybody();
        let chairs: Vec<serde_json::Value> =
            seats.iter().map(|who| serde_json::json!({ "who": who, "ready": true })).collect();
        let stage = ["lobby", "playing"][self.below(2) as usize];
        let named = |id: &str| serde_json::json!({ "id": id, "name": format!("Name-{id}") });
        let saved = serde_json::json!({
            "settings": { "host": named(&host), "sit_in": "easy" },
            "stage": stage, "chairs": chairs, "removed": [named(&removed)],
        });
        let mut people = vec![host.clone(), removed];
        people.extend(seats.iter().filter_map(|who| match who {
            Some(Who::Person(p)) => Some(p.id.clone()),
            _ => None,
        }));
        people.sort();
        people.dedup();
        part.push(Change::Saved { table: table.to_owned(), people, saved: saved.to_string() });
        let about = format!(r#"{{"title":"T","host":"{host}","made":{{}}}}"#);
        part.push(Change::About { table: table.to_owned(), about });
    }

    fn table(&mut self, n: u64) {
        let (table, mut part) = (format!("t{n}"), Vec::new());
        for match_number in 0..1 + self.below(2) {
            let id = MatchId::new(n * 10 + match_number);
            let mut seats = [self.sitter(), self.sitter()];
            self.saved(&table, &seats, &mut part);
            let played = |seats: &[Option<Who>]| Change::Played {
                at: 30,
                id,
                table: table.clone(),
                seats: seats.to_vec(),
            };
            part.push(played(&seats));
            let names: Vec<String> = seats
                .iter()
                .map(|who| House::name(who.as_ref()))
                .map(|(name, kind)| format!(r#"{{"name":"{name}","kind":{kind}}}"#))
                .collect();
            part.push(entry(id.number(), 0, &format!(r#"{{"seats":[{}]}}"#, names.join(","))));
            let entries = self.below(6) as u32;
            for ply in 1..=entries {
                let seat = self.below(2) as usize;
                let mut who = seats[seat].clone();
                // Somebody else, or whoever has the seat is back.
                let other = self.below(2) == 0;
                if other {
                    who = self.sitter();
                }
                let (name, kind) = House::name(who.as_ref());
                let sits = format!(
                    r#"{{"ply":{ply},"notes":[{{"sits":{{"seat":{seat},"who":{{"name":"{name}","kind":{kind}}}}}}}]}}"#
                );
                part.push(entry(id.number(), ply, &sits));
                if other {
                    seats[seat] = who;
                    part.push(played(&seats));
                }
                if self.below(3) == 0 {
                    self.saved(&table, &seats, &mut part);
                }
            }
            if match_number == 0 || self.below(2) == 0 {
                let (at, seats) = (40 + self.below(9), seats.to_vec());
                part.push(Change::Finished { at, id, table: table.clone(), seats, outcome: None, entries });
            } else {
                part.push(Change::Closed { table: table.clone() });
            }
        }
        if self.below(2) == 0 {
            part.push(Change::Closed { table });
        }
        self.parts.push(part);
    }

    /// Folds all of it in an order of its own, and forgets whoever has left whenever it likes.
    fn folded(&self, seed: u64) -> (tempfile::TempDir, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let (_log, store) = shared(folder.path());
        let mut chance = SplitMix(seed);
        let mut next = vec![0; self.parts.len()];
        let (mut number, (sender, heard)) = (vec![0; self.parts.len()], channel());
        let mut gone = Vec::new();
        loop {
            let open: Vec<usize> = (0..next.len()).filter(|&p| next[p] < self.parts[p].len()).collect();
            if open.is_empty() {
                break;
            }
            // Now one part is ahead, now another.
            let part = match chance.bits() % 4 {
                0 => open[0],
                1 => open[open.len() - 1],
                _ => open[(chance.bits() % open.len() as u64) as usize],
            };
            let left = self.parts[part].len() - next[part];
            let many = 1 + (chance.bits() as usize) % left;
            let changes = self.parts[part][next[part]..next[part] + many].to_vec();
            next[part] += many;
            for change in &changes {
                if let Change::Leaves { guest } | Change::Forgets { guest } = change {
                    gone.push(guest.clone());
                }
            }
            number[part] += 1;
            let sender = sender.clone();
            let done = Box::new(move |done| sender.send(done).unwrap());
            let (part, number) = (part as u16, number[part]);
            store.fold(Folded { part, number, sequence: 0, hash: [0; 32], changes, done });
            if chance.bits().is_multiple_of(2) {
                store.flush().unwrap();
            }
            if chance.bits().is_multiple_of(3)
                && let Some(guest) = gone.pop()
            {
                store.forget_here(&guest).unwrap();
            }
        }
        drop(sender);
        assert!(heard.iter().all(|done| done == Ok(())));
        for guest in &self.guests {
            store.forget_here(guest).unwrap();
        }
        // Logs of dropped matches go with the next pruning.
        let keep = Keep {
            unused_guest: None,
            unused_guests: u64::MAX,
            unplayed_match: None,
            first_day: String::new(),
        };
        store.prune(0, &keep).unwrap();
        drop(store);
        drop(shared(folder.path()));
        let rows = dump(folder.path()).into_iter().filter(|row| !row.starts_with("folded")).collect();
        (folder, rows)
    }
}

#[test]
fn the_order_of_the_parts_does_not_matter() {
    for seed in 0..20 {
        let house = House::new(seed);
        let (_one, first) = house.folded(seed * 1000);
        for order in 1..4 {
            let (_other, rows) = house.folded(seed * 1000 + order);
            let differ: Vec<&String> = first
                .iter()
                .filter(|row| !rows.contains(row))
                .chain(rows.iter().filter(|row| !first.contains(row)))
                .collect();
            assert!(first == rows, "house {seed}, order {order}: {differ:#?}\n{:#?}", house.parts);
        }
        // Of those who have left there is nothing but that they have.
        let gone: Vec<String> = house
            .parts
            .iter()
            .flatten()
            .filter_map(|change| match change {
                Change::Leaves { guest } => Some(format!("Name-{guest}")),
                _ => None,
            })
            .collect();
        for name in gone {
            let told: Vec<&String> = first.iter().filter(|row| row.contains(&name)).collect();
            assert!(told.is_empty(), "house {seed}: {told:#?}");
        }
    }
}
