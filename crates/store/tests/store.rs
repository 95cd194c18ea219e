//! What the storage promises, beside surviving a kill (see `kill.rs`).

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use store::{Guest, PlayedTry, Store, StoreError, TryCount, TryResult, backup};
use table::{Append, AppendListener, Appended, Finished, Journal, MatchId, Person, Played, TableStore, Who};

/// A folder that goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("parlour-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

struct Ear(Mutex<Sender<(MatchId, u32, Appended)>>);

impl AppendListener for Ear {
    fn appended(&self, id: MatchId, ply: u32, appended: &Appended) {
        self.0.lock().unwrap().send((id, ply, appended.clone())).unwrap();
    }
}

fn ear() -> (Arc<Ear>, Receiver<(MatchId, u32, Appended)>) {
    let (sender, receiver) = channel();
    (Arc::new(Ear(Mutex::new(sender))), receiver)
}

fn append(store: &Store, ear: &Arc<Ear>, id: u64, ply: u32, body: &str) {
    let listener = Arc::clone(ear) as Arc<dyn AppendListener>;
    store.append(Append { id: MatchId::new(id), ply, body: body.as_bytes().to_vec(), listener });
}

#[test]
fn the_writer_waits_for_the_disk() {
    let folder = Folder::new("pragmas");
    let pragmas = Store::open(&folder.0).unwrap().pragmas().unwrap();
    assert_eq!((pragmas.journal_mode.as_str(), pragmas.synchronous), ("wal", 2));
}

#[test]
fn entries_come_in_order_and_once() {
    let folder = Folder::new("order");
    let store = Store::open(&folder.0).unwrap();
    let (me, heard) = ear();
    for ply in 0..200 {
        append(&store, &me, 1, ply, &format!("{{\"ply\":{ply}}}"));
    }
    let mut last = None;
    while last != Some(199) {
        let (_, ply, appended) = heard.recv().unwrap();
        assert_eq!(appended, Appended::Committed);
        assert!(last < Some(ply));
        last = Some(ply);
    }
    // Committed in groups, each with one wait for the disk.
    let (commits, rows) = store.commits();
    assert!(commits < rows && rows == 200, "{commits} {rows}");
    // Again, or with a gap: refused, and nothing is written.
    for ply in [199, 0, 201] {
        append(&store, &me, 1, ply, "{}");
        assert_eq!(heard.recv().unwrap().2, Appended::Conflict);
    }
    drop(store);
    let store = Store::open(&folder.0).unwrap();
    append(&store, &me, 1, 5, "{}");
    assert_eq!(heard.recv().unwrap().2, Appended::Conflict);
    append(&store, &me, 1, 200, "{}");
    assert_eq!(heard.recv().unwrap().2, Appended::Committed);
    let rows = store.read(MatchId::new(1), 199).unwrap();
    assert_eq!(rows, [b"{\"ply\":199}".to_vec(), b"{}".to_vec()]);
    assert!(store.read(MatchId::new(2), 0).unwrap().is_empty());
}

#[test]
fn entries_are_found_whether_sorted_in_or_not() {
    let folder = Folder::new("sorted");
    let store = Store::open(&folder.0).unwrap();
    let (me, heard) = ear();
    let body = |id: u64, ply: u32| format!(r#"{{"ply":{ply},"long":"{}"}}"#, "x".repeat(200 * id as usize));
    for ply in 0..3000 {
        for id in [1, 2] {
            append(&store, &me, id, ply, &body(id, ply));
        }
        // Not all in one commit.
        if ply % 100 == 0 {
            store.flush().unwrap();
        }
    }
    store.flush().unwrap();
    drop(heard);
    let all_there = |store: &Store| {
        for (id, from) in [(1, 0), (2, 0), (1, 1), (2, 1234), (1, 2999), (2, 3000)] {
            let rows = store.read(MatchId::new(id), from).unwrap();
            let expected: Vec<Vec<u8>> = (from..3000).map(|ply| body(id, ply).into_bytes()).collect();
            assert!(rows == expected, "{} entries of match {id} from {from} on", rows.len());
            let (mut paged, mut next) = (Vec::new(), from);
            loop {
                let page = store.entries(MatchId::new(id), next, 700).unwrap();
                next += page.len() as u32;
                if page.is_empty() {
                    break;
                }
                paged.extend(page);
            }
            assert!(paged == expected, "{} entries of match {id} from {from} on, in pages", paged.len());
        }
    };
    all_there(&store);
    let sql = rusqlite::Connection::open(folder.0.join(store::DATABASE)).unwrap();
    let count = |table: &str| -> u32 {
        sql.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
    };
    let (sorted, fresh) = (count("journal"), count("batches"));
    assert!(sorted > 0 && sorted < 20 && fresh > 0, "{sorted} rows sorted in, {fresh} not");
    // A new server finds them sorted in, and goes on from the last.
    drop(store);
    let store = Store::open(&folder.0).unwrap();
    assert_eq!(count("batches"), 0);
    all_there(&store);
    let (me, heard) = ear();
    for (ply, becomes) in
        [(2999, Appended::Conflict), (3001, Appended::Conflict), (3000, Appended::Committed)]
    {
        append(&store, &me, 1, ply, "{}");
        assert_eq!(heard.recv().unwrap().2, becomes, "entry {ply}");
    }
}

#[test]
fn an_older_database_goes_on() {
    let folder = Folder::new("older");
    std::fs::create_dir_all(&folder.0).unwrap();
    // As the version before this one left it: a row for each entry, some of them not sorted in.
    let sql = rusqlite::Connection::open(folder.0.join(store::DATABASE)).unwrap();
    sql.execute_batch(
        "CREATE TABLE journal (match INTEGER NOT NULL, ply INTEGER NOT NULL, entry BLOB NOT NULL, PRIMARY KEY (match, ply));
         CREATE TABLE guests (id TEXT PRIMARY KEY, name TEXT NOT NULL, made INTEGER NOT NULL);
         CREATE TABLE tables (id TEXT PRIMARY KEY, about TEXT NOT NULL DEFAULT '', saved TEXT NOT NULL DEFAULT '');
         CREATE TABLE matches (id INTEGER PRIMARY KEY, tab TEXT NOT NULL, began INTEGER NOT NULL, seats INTEGER NOT NULL,
             ended INTEGER, outcome TEXT, entries INTEGER);
         CREATE TABLE players (match INTEGER NOT NULL, seat INTEGER NOT NULL, guest TEXT NOT NULL, name TEXT NOT NULL,
             PRIMARY KEY (match, seat, guest));
         CREATE INDEX players_guest ON players (guest) WHERE guest <> '';
         CREATE TABLE tries (day TEXT NOT NULL, game TEXT NOT NULL, guest TEXT NOT NULL, tab TEXT NOT NULL,
             solved INTEGER, millis INTEGER, errors INTEGER, PRIMARY KEY (day, game, guest)) WITHOUT ROWID;
         CREATE INDEX tries_guest ON tries (guest);
         CREATE INDEX matches_tab ON matches (tab);
         CREATE TABLE fresh (match INTEGER NOT NULL, ply INTEGER NOT NULL, entry BLOB NOT NULL);
         CREATE VIEW entries AS SELECT match, ply, entry FROM journal UNION ALL SELECT match, ply, entry FROM fresh;
         INSERT INTO journal VALUES (7, 0, x'7b7d'), (7, 1, x'5b315d'), (8, 0, x'7b7d');
         INSERT INTO fresh VALUES (8, 1, x'5b325d'), (7, 2, x'5b335d');
         INSERT INTO matches VALUES (7, 't7', 100, 1, 160, NULL, 3), (8, 't8', 100, 1, NULL, NULL, NULL);
         INSERT INTO tries VALUES ('d', 'g', 'ann', 't7', NULL, NULL, NULL), ('d', 'g', 'bob', 't8', NULL, NULL, NULL);
         PRAGMA user_version = 3;",
    )
    .unwrap();
    drop(sql);
    let store = Store::open(&folder.0).unwrap();
    let (me, heard) = ear();
    append(&store, &me, 7, 3, "[4]");
    assert_eq!(heard.recv().unwrap().2, Appended::Committed);
    let log = |id| String::from_utf8(store.read(MatchId::new(id), 0).unwrap().join(&b' ')).unwrap();
    assert_eq!((log(7).as_str(), log(8).as_str()), ("{} [1] [3] [4]", "{} [2]"));
    let unjudged = store.unjudged_tries("d", "g", 9).unwrap();
    let played = Some(PlayedTry { id: MatchId::new(7), ended: Some(160), entries: 3 });
    assert_eq!(unjudged.iter().map(|t| (t.guest.as_str(), t.played)).collect::<Vec<_>>(), [("ann", played)]);
}

#[test]
fn tries_of_a_day_are_counted_and_the_best_come_first() {
    let folder = Folder::new("tries");
    let store = Store::open(&folder.0).unwrap();
    let finish = |id: u64, table: &str| {
        let id = MatchId::new(id);
        store.played(Played { id, table: table.to_owned(), seats: vec![] });
        store.finished(Finished { id, table: table.to_owned(), seats: vec![], outcome: None, entries: 9 });
    };
    let guests = |tries: Vec<store::KeptTry>| -> Vec<String> { tries.into_iter().map(|t| t.guest).collect() };
    let results = [("ann", 300, 0), ("bob", 200, 2), ("cat", 200, 1), ("dan", 200, 1), ("eve", 0, 0)];
    for (n, (guest, ..)) in results.into_iter().enumerate() {
        let table = format!("t{n}");
        assert_eq!(store.claim_try("d", "g", guest, &table).unwrap(), table);
        assert_eq!(guests(store.unjudged_tries("d", "g", 9).unwrap()).len(), n, "{guest} still plays");
        finish(n as u64, &table);
        store.flush().unwrap();
        let own = store.try_of("d", "g", guest).unwrap().expect("begun");
        assert_eq!(own.played.map(|played| played.entries), Some(9));
    }
    assert_eq!(guests(store.unjudged_tries("d", "g", 2).unwrap()).len(), 2, "as many as asked for");
    for (guest, millis, errors) in results {
        store.judge_try("d", "g", guest, TryResult { solved: millis > 0, millis, errors }).unwrap();
    }
    assert_eq!(store.count_tries("d", "g").unwrap(), TryCount { begun: 5, solved: 4 });
    assert_eq!(store.count_tries("d", "other").unwrap(), TryCount::default());
    assert!(store.unjudged_tries("d", "g", 9).unwrap().is_empty());
    assert_eq!(guests(store.best_tries("d", "g", 9).unwrap()), ["cat", "dan", "bob", "ann"]);
    assert_eq!(guests(store.best_tries("d", "g", 1).unwrap()), ["cat"]);
    for ((millis, errors), better) in [((200, 1), 0), ((200, 2), 2), ((300, 0), 3), ((400, 0), 4)] {
        let than = TryResult { solved: true, millis, errors };
        assert_eq!(store.better_tries("d", "g", than).unwrap(), better, "{millis} {errors}");
    }
}

#[test]
fn a_second_server_is_refused_in_words() {
    let folder = Folder::new("second");
    let first = Store::open(&folder.0).unwrap();
    let Err(second) = Store::open(&folder.0) else { panic!("two servers on one folder") };
    assert!(second.is_in_use() && second.to_string().contains("Another parlour server"), "{second}");
    drop(first);
    assert!(Store::open(&folder.0).is_ok());
}

#[test]
fn unusable_folders_are_said_in_words() {
    let folder = Folder::new("unusable");
    std::fs::create_dir_all(&folder.0).unwrap();
    let file = folder.0.join("file");
    std::fs::write(&file, "in the way").unwrap();
    assert!(matches!(Store::open(&file.join("data")), Err(StoreError::Folder { .. })));
    std::fs::write(folder.0.join(store::DATABASE), "this is no database, but text that somebody put here")
        .unwrap();
    let Err(e) = Store::open(&folder.0) else { panic!("text was taken for a database") };
    assert!(e.to_string().contains("no database"), "{e}");
    std::fs::remove_file(folder.0.join(store::DATABASE)).unwrap();
    let newer = rusqlite::Connection::open(folder.0.join(store::DATABASE)).unwrap();
    newer.pragma_update(None, "user_version", 99).unwrap();
    drop(newer);
    assert!(matches!(Store::open(&folder.0), Err(StoreError::Newer { version: 99, .. })));
}

#[test]
fn a_full_disk_refuses_and_loses_nothing() {
    let folder = Folder::new("full");
    let store = Store::open(&folder.0).unwrap();
    let (me, heard) = ear();
    append(&store, &me, 1, 0, "{}");
    assert_eq!(heard.recv().unwrap().2, Appended::Committed);
    // SQLite's own bound on pages stands for the end of the disk.
    store.limit_pages(Some(1)).unwrap();
    let long = "x".repeat(1 << 20);
    append(&store, &me, 1, 1, &long);
    append(&store, &me, 1, 2, "{}");
    let (_, ply, appended) = heard.recv().unwrap();
    assert!(matches!(&appended, Appended::Failed(text) if text.contains("full")), "{appended:?}");
    assert_eq!(ply, 1);
    assert_ne!(heard.recv().unwrap().2, Appended::Committed);
    assert_eq!(store.read(MatchId::new(1), 0).unwrap().len(), 1);
    store.limit_pages(None).unwrap();
    append(&store, &me, 1, 1, &long);
    assert_eq!(heard.recv().unwrap().2, Appended::Committed);
    // What was refused is not there, and what is there is known to be.
    append(&store, &me, 1, 1, "{}");
    assert_eq!(heard.recv().unwrap().2, Appended::Conflict);
    assert_eq!(store.read(MatchId::new(1), 0).unwrap(), [b"{}".to_vec(), long.into_bytes()]);
}

#[test]
fn whether_the_disk_takes_entries_is_known() {
    const PATIENCE: std::time::Duration = std::time::Duration::from_secs(1);
    let folder = Folder::new("tried");
    let store = Store::open(&folder.0).unwrap();
    let (me, heard) = ear();
    append(&store, &me, 1, 0, "{}");
    assert_eq!(heard.recv().unwrap().2, Appended::Committed);
    let before = store.commits();
    assert_eq!(store.try_out(PATIENCE), Ok(()));
    assert_eq!(store.commits(), (before.0 + 1, before.1), "a commit, and no entry of anybody's");
    store.limit_pages(Some(1)).unwrap();
    let body = "x".repeat(4000);
    let taken = (1..100).take_while(|ply| {
        append(&store, &me, 1, *ply, &body);
        heard.recv().unwrap().2 == Appended::Committed
    });
    assert!(taken.count() < 50, "what was free is used up");
    assert_eq!(store.try_out(PATIENCE), Err("the disk is full".to_owned()));
    store.limit_pages(None).unwrap();
    assert_eq!(store.try_out(PATIENCE), Ok(()));
    // Somebody else holds the database.
    let sql = rusqlite::Connection::open(folder.0.join(store::DATABASE)).unwrap();
    sql.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert!(store.try_out(PATIENCE).is_err_and(|why| why.contains("within 1 s")));
    assert!(store.writer_lives());
    sql.execute_batch("ROLLBACK").unwrap();
    assert_eq!(store.try_out(10 * PATIENCE), Ok(()));
    assert_eq!(store.read(MatchId::new(0), 0).unwrap().len(), 0);
}

/// Breaks down whenever it is told something.
struct Broken;

impl AppendListener for Broken {
    fn appended(&self, _: MatchId, _: u32, _: &Appended) {
        panic!("planted");
    }
}

#[test]
fn who_breaks_down_when_told_is_alone_in_that() {
    let folder = Folder::new("broken");
    let store = Store::open(&folder.0).unwrap();
    let (me, heard) = ear();
    for ply in 0..20 {
        store.append(Append { id: MatchId::new(2), ply, body: b"{}".to_vec(), listener: Arc::new(Broken) });
        append(&store, &me, 1, ply, "{}");
    }
    while heard.recv().unwrap() != (MatchId::new(1), 19, Appended::Committed) {}
    assert_eq!(store.read(MatchId::new(2), 0).unwrap().len(), 20);
    assert!(store.writer_lives());
}

#[test]
fn backups_are_whole_while_the_server_writes() {
    let (folder, copy) = (Folder::new("backup"), Folder::new("backup-copy"));
    let store = Store::open(&folder.0).unwrap();
    let (me, heard) = ear();
    std::fs::create_dir_all(&copy.0).unwrap();
    for ply in 0..500 {
        append(&store, &me, 1, ply, "{}");
        if ply == 250 {
            heard.recv().unwrap();
            backup(&folder.0, &copy.0.join(store::DATABASE)).unwrap();
        }
    }
    assert!(matches!(backup(&folder.0, &copy.0.join(store::DATABASE)), Err(StoreError::Exists { .. })));
    let copied = Store::open(&copy.0).unwrap().read(MatchId::new(1), 0).unwrap();
    assert!(!copied.is_empty());
    store.flush().unwrap();
    assert_eq!(store.read(MatchId::new(1), 0).unwrap().len(), 500);
    assert!(backup(&copy.0.join("nowhere"), &copy.0.join("x.db")).is_err());
}

#[test]
fn guests_tables_and_games_are_kept_and_forgotten() {
    let folder = Folder::new("guests");
    let store = Store::open(&folder.0).unwrap();
    let who = |name: &str| Some(Who::Person(Person { id: format!("id-{name}"), name: name.to_owned() }));
    for name in ["ann", "bob"] {
        store.put_guest(&Guest { id: format!("id-{name}"), name: name.to_owned() }).unwrap();
    }
    store.save("t1", vec!["id-ann".to_owned()], "{}".to_owned());
    store.put_about("t1", r#"{"title":"Set"}"#).unwrap();
    assert_eq!(store.tables().unwrap()[0].about, r#"{"title":"Set"}"#);
    let (me, heard) = ear();
    let (both, alone) = (MatchId::new(7), MatchId::new(8));
    for (id, seats) in
        [(both, vec![who("ann"), who("bob")]), (alone, vec![who("ann"), Some(Who::Bot("easy".into()))])]
    {
        store.played(Played { id, table: "t1".to_owned(), seats: seats.clone() });
        append(&store, &me, id.number(), 0, r#"{"seats":[{"name":"ann"},{"name":"bob"}]}"#);
        append(&store, &me, id.number(), 1, r#"{"notes":[{"sits":{"seat":0,"who":{"name":"ann"}}}]}"#);
        store.finished(Finished { id, table: "t1".to_owned(), seats, outcome: None, entries: 1 });
    }
    store.flush().unwrap();
    drop(heard);
    let mine = store.matches_of("id-ann", 9).unwrap();
    assert_eq!(mine.len(), 2);
    assert!(mine.iter().all(|m| m.ended && m.about.contains("Set")));
    store.forget_guest("id-ann").unwrap();
    assert_eq!(store.guest("id-ann").unwrap(), None);
    assert!(store.matches_of("id-ann", 9).unwrap().is_empty());
    // Bob's game stays, without her name; the one that was hers alone is gone with its log.
    let kept = store.match_of(both).unwrap().unwrap();
    assert_eq!(kept.names, ["Somebody", "bob"]);
    let log: Vec<String> =
        store.read(both, 0).unwrap().into_iter().map(|row| String::from_utf8(row).unwrap()).collect();
    assert!(log.iter().all(|row| !row.contains("ann")) && log[0].contains("bob"), "{log:?}");
    assert_eq!(store.match_of(alone).unwrap(), None);
    assert!(store.read(alone, 0).unwrap().is_empty());
    assert!(store.tables().unwrap().is_empty(), "nobody else was there");
    store.drop_table("t1").unwrap();
}

/// What others than the owner may do with each file of a folder, and with the folder itself (as `.`).
#[cfg(unix)]
fn open_to_others(folder: &std::path::Path) -> Vec<(String, u32)> {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o077;
    let mut found = vec![(".".to_owned(), mode(folder))];
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        found.push((entry.file_name().into_string().unwrap(), mode(&entry.path())));
    }
    found.retain(|(_, open)| *open != 0);
    found.sort();
    found
}

#[cfg(unix)]
#[test]
fn a_folder_that_was_open_to_others_is_closed() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("wide");
    drop(Store::open(&folder.0).unwrap());
    assert_eq!(open_to_others(&folder.0), [], "as it is made");
    let widen = |name: &str, mode| {
        std::fs::set_permissions(folder.0.join(name), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    // As a version that left modes to the umask made it, killed with its journals beside the database.
    let sql = rusqlite::Connection::open(folder.0.join(store::DATABASE)).unwrap();
    sql.execute_batch("PRAGMA user_version").unwrap();
    std::fs::write(folder.0.join("cookie.key"), [0; 32]).unwrap();
    let names = ["", "parlour.db", "parlour.db-wal", "parlour.db-shm", "parlour.lock", "cookie.key"];
    for name in names {
        let _ = std::fs::File::options().append(true).create(true).open(folder.0.join(name));
        widen(name, if name.is_empty() { 0o755 } else { 0o664 });
    }
    assert_eq!(open_to_others(&folder.0).len(), names.len());
    let store = Store::open(&folder.0).unwrap();
    assert_eq!(open_to_others(&folder.0), []);
    drop((store, sql));
    // Where others have something, too, the folder stays as it is; the parlour's files are closed all the same.
    std::fs::write(folder.0.join("recipes.txt"), "cake").unwrap();
    widen("", 0o755);
    widen("recipes.txt", 0o644);
    widen("parlour.db", 0o644);
    let _store = Store::open(&folder.0).unwrap();
    assert_eq!(open_to_others(&folder.0), [(".".to_owned(), 0o055), ("recipes.txt".to_owned(), 0o044)]);
}
