//! Records that a real server wrote of whole matches: they verify, and whatever is changed in them is called out.

use crate::common::Server;
use crate::common::player::Player;
use crate::places::{at, walk};
use record::fair::Why;
use record::verify::{End, Verified, verify};
use rulebook::Match;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use wire::{Act, Paused, Stage};

/// How long a match may take before a test gives up.
const MATCH: Duration = Duration::from_secs(120);

/// What no replay can find out: it may be changed in a record, and nobody could tell. The same table, with the reasons,
/// stands in docs/record.md. Before the path stands what was put in: a play, a draw, a ring, presence, or nothing but notes.
const FREE: &[&str] = &[
    "header: seats.*.name",
    "draw: at",
    "note: at",
    "note: cause",
    "presence: at",
    "play: cause.seat.client",
    "play: cause.seat.command",
    "play: input.play.*.contract.lay_off.cards.* order",
    "play: input.play.*.contract.lay_off.cards.*.as",
    "play: input.play.*.contract.lay_off.end",
    "play: input.play.*.contract.meld.melds.* order",
    "play: input.play.*.contract.meld.melds.*.cards.* order",
    "play: input.play.*.contract.meld.melds.*.cards.*.as",
    "*: notes.* order",
    "*: notes.*.client_commit.hash",
    "*: notes.*.sits",
    "*: notes.*.sits.who",
    "*: notes.*.sits.who.kind",
    "*: notes.*.sits.who.kind.bot",
    "*: notes.*.sits.who.name",
    "*: notes.*.stood",
    "*: notes.*.stood.millis",
    "*: notes.*.stood.why",
    "*: notes.*.took",
    "*: notes.*.took.engine",
    "*: notes.*.unbound",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Ann's new table, with bots in the seats after hers.
async fn table(
    ann: &crate::common::Guest<'_>,
    game: &str,
    options: Value,
    seats: u8,
    bots: &[&str],
) -> String {
    let body = json!({ "game": { "preset": game }, "options": options, "seats": seats, "bots": bots });
    let made = ann.ask("POST", "/api/tables", &body.to_string()).await;
    assert_eq!(made.status, 201, "{}", made.body);
    made.json()["id"].as_str().expect("an id").to_owned()
}

/// A bot's mind in a person's seat.
fn brain(kind: &str, game: &str) -> Option<Box<dyn bots::Bot<rulebook::View>>> {
    let loaded = rulebook::preset(game).expect("a preset");
    bots::make(kind, &loaded.rules(loaded.info.players_min).expect("rules"))
}

/// All play until `holds`, or the match is over.
async fn play(players: &mut [&mut Player<'_>], holds: impl Fn(&Player<'_>) -> bool) {
    let deadline = Instant::now() + MATCH;
    let over = |player: &Player<'_>| player.client.table().is_some_and(|table| table.stage == Stage::Over);
    while !over(players[0]) && !holds(players[0]) {
        assert!(Instant::now() < deadline, "the match goes on for too long: {:?}", players[0].changes.last());
        for player in players.iter_mut() {
            player.move_if_may().await;
        }
    }
}

/// All are ready, and Ann, who is the first, begins.
async fn begin(players: &mut [&mut Player<'_>]) {
    for player in players.iter_mut() {
        player.act(Act::Ready { ready: true }).await;
    }
    let ready = |table: &wire::TableState| table.seats.iter().all(|seat| seat.ready);
    players[0].until("all are ready", |client| client.table().is_some_and(ready)).await;
    players[0].act(Act::Start).await;
    for player in players.iter_mut() {
        player.until("the match begins", |client| client.view().is_some()).await;
    }
}

/// The record of Ann's only match, as it is downloaded once the match has ended.
async fn record(ann: &mut Player<'_>) -> String {
    let deadline = Instant::now() + crate::common::PATIENCE;
    loop {
        let games = ann.guest.ask("GET", "/api/me/games", "").await.json();
        let path =
            format!("/api/matches/{}/record?download", games["games"][0]["id"].as_str().expect("an id"));
        let record = ann.guest.ask("GET", &path, "").await;
        if record.status == 200 {
            return record.body;
        }
        assert!(Instant::now() < deadline, "{games}");
        ann.pump(Duration::from_millis(50)).await;
    }
}

fn whole(text: &str) -> Verified {
    let verified = verify::<Match>(text).unwrap_or_else(|wrong| panic!("{wrong}\n{text}"));
    assert!(verified.is_whole(), "{:?}: {verified}", verified.open());
    assert_eq!(verified.engines, [""; 0], "the server calls itself as verify does");
    verified
}

/// Keeps the record for those who come later, if asked to (`UPDATE_RECORDS=1`).
fn keep(name: &str, text: &str) {
    if std::env::var_os("UPDATE_RECORDS").is_some() {
        let folder = root().join(format!("crates/record/tests/records/{}", record::entry::SCHEMA));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join(name), text).expect("written");
    }
}

/// The script that knows nothing of the program: what it answers, and what it says.
fn script(name: &str, text: &str) -> Option<(i32, String)> {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("written");
    let script = root().join("tools/verify_fair_deal.py");
    match std::process::Command::new("python3").arg(script).arg(path).output() {
        Ok(output) => {
            Some((output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stdout).into()))
        }
        Err(why) => {
            eprintln!("skipped: python3 cannot be started ({why})");
            None
        }
    }
}

/// One change of one line.
struct Change {
    /// What was changed: the kind of line, and a path with `*` for places in lists.
    path: String,
    /// How.
    how: String,
    line: Value,
}

fn pattern(kind: &str, path: &[String]) -> String {
    let star = |part: &String| if part.parse::<usize>().is_ok() { "*".to_owned() } else { part.clone() };
    format!("{kind}: {}", path.iter().map(star).collect::<Vec<_>>().join("."))
}

/// What was put in with an entry.
fn kind(entry: &Value) -> &str {
    entry["input"].as_object().and_then(|input| input.keys().next()).map_or("note", String::as_str)
}

/// Every change of a line: each value is left out, each leaf becomes others of its kind, those among them that stand in the
/// same place of other lines, and neighbours in lists change places.
fn changes(kind: &str, line: &Value, others: &BTreeMap<String, BTreeSet<String>>) -> Vec<Change> {
    let mut found = Vec::new();
    walk(line, &mut Vec::new(), &mut found);
    let mut changes = Vec::new();
    for (path, value) in found {
        let pattern = pattern(kind, &path);
        let (last, parent) = path.split_last().expect("not the line itself");
        let mut change_in = |path: String, how: String, edit: &dyn Fn(&mut Value)| {
            let mut line = line.clone();
            edit(at(&mut line, parent));
            changes.push(Change { path, how, line });
        };
        if let (Ok(place), Value::Array(list)) = (last.parse::<usize>(), at(&mut line.clone(), parent))
            && list.get(place + 1).is_some_and(|next| next != value)
        {
            change_in(
                format!("{pattern} order"),
                "swapped with the next".to_owned(),
                &|parent| match parent {
                    Value::Array(list) => list.swap(place, place + 1),
                    _ => unreachable!("a list"),
                },
            );
        }
        let mut change = |how: String, edit: &dyn Fn(&mut Value)| change_in(pattern.clone(), how, edit);
        change("left out".to_owned(), &|parent| match parent {
            Value::Array(list) => drop(list.remove(last.parse::<usize>().expect("a place"))),
            Value::Object(object) => drop(object.remove(last)),
            _ => unreachable!("a parent"),
        });
        let mut new: Vec<Value> = match value {
            Value::Number(n) => {
                let n = n.as_i64().expect("a whole number");
                vec![json!(n + 1), json!(n - 1), json!(u32::MAX)]
            }
            Value::Bool(b) => vec![json!(!b)],
            Value::Null => vec![json!(0)],
            Value::String(text) => match text.char_indices().next_back() {
                Some((end, digit)) if text.len() == 64 => {
                    vec![json!(format!("{}{}", &text[..end], if digit == '0' { '1' } else { '0' }))]
                }
                _ => vec![json!(format!("{text}x"))],
            },
            Value::Array(_) | Value::Object(_) => Vec::new(),
        };
        if !value.is_array() && !value.is_object() {
            let elsewhere = others.get(&pattern).into_iter().flatten().take(3);
            new.extend(elsewhere.map(|text| serde_json::from_str(text).expect("JSON")));
        }
        new.retain(|other| other != value);
        new.dedup();
        for other in new {
            change(format!("{value} became {other}"), &|parent| {
                *at(parent, std::slice::from_ref(last)) = other.clone()
            });
        }
    }
    // Who brought it about, as others do.
    if let Some(causes) = others.get("causes") {
        let own = line["cause"].to_string();
        for cause in causes.iter().filter(|cause| **cause != own) {
            let mut line = line.clone();
            line["cause"] = serde_json::from_str(cause).expect("JSON");
            changes.push(Change { path: format!("{kind}: cause"), how: format!("became {cause}"), line });
        }
    }
    changes
}

fn is_free(path: &str) -> Option<&'static str> {
    let (_, own) = path.split_once(": ").expect("a kind");
    FREE.iter().copied().find(|free| *free == path || free.strip_prefix("*: ") == Some(own))
}

/// Whether a line lacks nothing but the note of how long the match stood: to leave that out is to say that it did not stand.
fn lacks_a_stand(before: &Value, after: &Value) -> bool {
    let notes = |line: &Value| line["notes"].as_array().cloned().unwrap_or_default();
    let (before, after) = (notes(before), notes(after));
    let mut left_out = before.iter().filter(|note| !after.contains(note));
    before.len() == after.len() + 1 && left_out.next().is_some_and(|note| note["stood"].is_object())
}

/// Whether a change concerns the notes of a line as a whole, and all that they say is free.
fn nothing_but_free(path: &str, line: &Value) -> bool {
    path.ends_with(": notes")
        && line["notes"].as_array().is_some_and(|notes| {
            let mut kinds = notes.iter().filter_map(Value::as_object).flat_map(|note| note.keys());
            kinds.all(|note| is_free(&format!("*: notes.*.{note}")).is_some())
        })
}

/// The record with a line left out, alone or with all after it; repeated; or swapped with the next.
fn moved_about(lines: &[&str], n: usize) -> Vec<(String, String)> {
    let changed = |change: &dyn Fn(&mut Vec<&str>)| {
        let mut lines = lines.to_vec();
        change(&mut lines);
        lines.join("\n")
    };
    let mut all = vec![
        (format!("line {} left out", n + 1), changed(&|lines| _ = lines.remove(n))),
        (format!("line {} repeated", n + 1), changed(&|lines| lines.insert(n, lines[n]))),
        (format!("line {} and the rest left out", n + 1), changed(&|lines| lines.truncate(n))),
    ];
    if n + 1 < lines.len() {
        all.push((format!("lines {} and {} swapped", n + 1, n + 2), changed(&|lines| lines.swap(n, n + 1))));
    }
    all
}

/// Changes of one kind in one place of a line that are all tried, and how many of those after them: one of so many. The
/// matches are others each time. (`PARLOUR_LONG` tries them all.)
const ALL_OF_FIRST: usize = 200;
const ONE_OF: usize = 4;

/// Changes the fields of every line in turn, and leaves out, repeats and swaps lines: `verify` calls each out, but for what
/// stands in [`FREE`]. Gives what of that went unnoticed.
fn tampered(text: &str) -> BTreeSet<&'static str> {
    let lines: Vec<&str> = text.lines().collect();
    let values: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let with = |n: usize, line: &Value| {
        let mut text = String::with_capacity(text.len() + 64);
        for (other, old) in lines.iter().enumerate() {
            text.push_str(&if other == n { line.to_string() } else { (*old).to_owned() });
            text.push('\n');
        }
        text
    };
    let noticed = |text: &str| !verify::<Match>(text).is_ok_and(|verified| verified.is_whole());
    let mut others: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for value in &values[1..] {
        let mut found = Vec::new();
        walk(value, &mut Vec::new(), &mut found);
        for (path, leaf) in found.into_iter().filter(|(_, leaf)| leaf.is_string()) {
            others.entry(pattern(kind(value), &path)).or_default().insert(leaf.to_string());
        }
        let own = |cause: &Value| cause.is_object() && cause["seat"]["bot"].is_null();
        // One cause of each kind is enough.
        let causes = others.entry("causes".to_owned()).or_default();
        if !own(&value["cause"])
            || !causes.iter().any(|cause| !cause.contains("bot") && cause.contains("seat"))
        {
            causes.insert(value["cause"].to_string());
        }
    }
    let long = std::env::var_os("PARLOUR_LONG").is_some();
    let met = Mutex::new(BTreeMap::<String, usize>::new());
    let is_tried = |path: &str| {
        let mut met = met.lock().expect("no panic");
        let before = met.entry(path.to_owned()).or_default();
        *before += 1;
        long || *before <= ALL_OF_FIRST || before.is_multiple_of(ONE_OF)
    };
    // What was tried with one line: how many changes, and of those that went unnoticed the known ones and the others.
    let of_line = |n: usize| {
        let (mut tried, mut free, mut unnoticed) = (0, Vec::new(), Vec::new());
        let value = &values[n];
        let kind = if n == 0 { "header" } else { kind(value) };
        let none = BTreeMap::new();
        for Change { path, how, line } in changes(kind, value, if n == 0 { &none } else { &others }) {
            if !is_tried(&path) {
                continue;
            }
            tried += 1;
            let stand = path.ends_with(": notes.*") && lacks_a_stand(value, &line);
            let path = if stand { format!("{path}.stood") } else { path };
            if !noticed(&with(n, &line)) && !nothing_but_free(&path, value) {
                match is_free(&path) {
                    Some(known) => free.push(known),
                    None => unnoticed.push(format!("line {}: {path}: {how}", n + 1)),
                }
            }
            // Somebody who puts the right name into the header has changed what every draw depends on.
            if n == 0 && how == "left out" && path != "header: match" && line.get("seats").is_some() {
                let mut line = line;
                let id = value["match"].as_str().and_then(|name| name.split('-').next()).expect("a name");
                line["match"] = format!("{id}-{}", record::name::hash(&line)).into();
                if line["match"] != value["match"] && !noticed(&with(0, &line)) {
                    unnoticed.push(format!("a header with another name: {path}: {how}"));
                }
            }
        }
        let moved = moved_about(&lines, n).into_iter();
        unnoticed.extend(moved.filter(|(_, text)| !noticed(text)).map(|(what, _)| what));
        (tried, free, unnoticed)
    };
    // Thousands of records are judged: by all processors at once.
    let next = AtomicUsize::new(0);
    let of_some = || {
        let take = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|n| *n < values.len());
        std::iter::from_fn(take).map(of_line).collect::<Vec<_>>()
    };
    let (mut tried, mut free, mut unnoticed) = (0, BTreeSet::new(), Vec::new());
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let parts: Vec<_> = (0..threads).map(|_| scope.spawn(of_some)).collect();
        for (some, known, others) in parts.into_iter().flat_map(|part| part.join().expect("no panic")) {
            tried += some;
            free.extend(known);
            unnoticed.extend(others);
        }
    });
    assert!(
        unnoticed.is_empty(),
        "{} of {tried} changes went unnoticed:\n{}",
        unnoticed.len(),
        unnoticed.join("\n")
    );
    assert!(tried > 3000, "{tried} changes are not many");
    println!("{tried} changes of {} lines", lines.len());
    free
}

/// May I: people and a bot, a device that never opens its seeds, a line that breaks, a bot that sits in, a pause and a
/// server that is started again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_record_of_a_contract_match_is_verified_and_nothing_in_it_can_be_changed() {
    let server = Server::with(|settings| settings.bot_pace = 0).await;
    let guest = server.guest("Ann").await;
    let id = table(&guest, "may-i", json!({ "game.rounds": [1, 2] }), 3, &["steady"]).await;
    let mut ann = Player::with(guest, &id, 1).await;
    let mut bea = Player::come(&server, "Bea", &id, 2).await;
    (ann.brain, bea.brain) = (brain("steady", "may-i"), brain("easy", "may-i"));
    bea.withholds = true;
    bea.sit(2).await;
    begin(&mut [&mut ann, &mut bea]).await;
    play(&mut [&mut ann, &mut bea], |ann| ann.client.seen() > 20).await;
    ann.act(Act::Pause).await;
    let paused = |client: &wire::client::Client<rulebook::View>, why: Option<Paused>| {
        client.table().is_some_and(|table| table.paused == why)
    };
    ann.until("it stands still", |client| paused(client, Some(Paused::Asked))).await;
    ann.act(Act::Resume).await;
    ann.until("it goes on", |client| paused(client, None)).await;
    let away = bea.leave();
    ann.until("Bea is gone", |client| client.table().is_some_and(|table| !table.seats[2].connected)).await;
    ann.act(Act::Bot { seat: game::Seat(2), kind: "easy".to_owned() }).await;
    play(&mut [&mut ann], |ann| ann.client.seen() > 40).await;
    let mut bea = away.come_back(&server).await;
    bea.until("Bea is back", |client| client.view().is_some()).await;
    bea.act(Act::Back).await;
    play(&mut [&mut ann, &mut bea], |ann| ann.client.seen() > 60).await;
    let (ann, bea) = (ann.leave(), bea.leave());
    let server = Server::on(server.stop().await, |settings| settings.bot_pace = 0).await;
    let (mut ann, mut bea) = (ann.come_back(&server).await, bea.come_back(&server).await);
    play(&mut [&mut ann, &mut bea], |_| false).await;
    let text = record(&mut ann).await;
    keep("contract.jsonl", &text);

    let verified = whole(&text);
    assert_eq!(verified.end, Some(End::Played));
    assert!(verified.draws >= 3 && verified.judged > 60, "{verified}");
    let unopened = |deal| {
        verified
            .absent
            .iter()
            .any(|a| (a.deal, a.seat.0, a.why) == (deal, 2, Why::Unopened) && a.name == "Bea")
    };
    // In the next deal a bot may sit in for her.
    assert!(unopened(1), "{verified}");
    for (part, what) in [
        ("\"took\"", "the server was started again"),
        ("\"stood\"", "it stood still"),
        ("\"sits\"", "a bot sat in"),
        ("\"dropped\"", "a line broke"),
        ("\"missing\"", "a seed was not opened"),
        ("\"answered\"", "a discard was asked for"),
    ] {
        assert!(text.contains(part), "{what}: {part}");
    }
    if let Some((status, said)) = script("contract.jsonl", &text) {
        assert_eq!(status, 0, "{said}");
        assert!(said.contains("seat 2 (Bea) did not open its seed"), "{said}");
    }
    let free = tampered(&text);
    for known in
        ["note: at", "*: notes.*.took.engine", "*: notes.*.stood.millis", "*: notes.*.client_commit.hash"]
    {
        assert!(free.contains(known), "{known} cannot be verified: {free:?}");
    }
}

/// Set: two people race with bots over two deals, and no seed is missing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_record_of_a_race_is_verified_and_nothing_in_it_can_be_changed() {
    let server = Server::with(|settings| settings.bot_pace = 20).await;
    let guest = server.guest("Ann").await;
    let options = json!({ "deck": "d27", "deals": 2, "between_s": 1 });
    let id = table(&guest, "set-classic", options, 4, &["medium", "hard"]).await;
    let mut ann = Player::with(guest, &id, 1).await;
    let mut bea = Player::come(&server, "Bea", &id, 2).await;
    (ann.brain, bea.brain) = (brain("medium", "set-classic"), brain("easy", "set-classic"));
    bea.sit(3).await;
    begin(&mut [&mut ann, &mut bea]).await;
    play(&mut [&mut ann, &mut bea], |_| false).await;
    let text = record(&mut ann).await;
    keep("set-classic.jsonl", &text);

    let verified = whole(&text);
    assert_eq!((verified.end, &verified.absent[..]), (Some(End::Played), &[][..]), "{verified}");
    if let Some((status, said)) = script("set-classic.jsonl", &text) {
        assert_eq!(status, 0, "{said}");
    }
    tampered(&text);
}

/// A match that is ended by agreement is whole, too, and its record says so.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_record_of_a_match_ended_by_agreement_is_whole() {
    let server = Server::with(|settings| settings.bot_pace = 0).await;
    let guest = server.guest("Ann").await;
    let id = table(&guest, "contract", json!({}), 3, &["random", "random"]).await;
    let mut ann = Player::with(guest, &id, 1).await;
    begin(&mut [&mut ann]).await;
    play(&mut [&mut ann], |ann| ann.client.seen() > 10).await;
    ann.act(Act::End { agree: true }).await;
    ann.until("it is over", |client| client.table().is_some_and(|table| table.stage == Stage::Over)).await;
    let text = record(&mut ann).await;
    keep("agreed.jsonl", &text);
    let verified = whole(&text);
    assert_eq!(verified.end, Some(End::Agreed));
    let without = text.replace("\"ended\"", "");
    assert!(!verify::<Match>(&without).is_ok_and(|verified| verified.is_whole()));
}

/// What cannot be verified stands in the document, and nothing else does.
#[test]
fn the_document_names_what_cannot_be_verified() {
    let document = std::fs::read_to_string(root().join("docs/record.md")).expect("the document");
    let (_, section) = document.split_once("## What cannot be verified").expect("the section");
    let section = section.split("\n## ").next().expect("a section");
    let named: BTreeSet<&str> = section
        .lines()
        .filter(|line| line.starts_with("| `"))
        .flat_map(|line| line.split('|').nth(1).expect("a cell").split('`').skip(1).step_by(2))
        .collect();
    assert_eq!(named, FREE.iter().copied().collect(), "docs/record.md");
}
