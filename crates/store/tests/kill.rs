//! `kill -9` at random moments under load: nothing that was acknowledged is lost, and nothing comes up half applied.
//!
//! The test starts itself again as a child that plays matches of both families on a data folder and prints each command as
//! it is acknowledged; it kills the child, opens the folder, and compares. Fifty times on the same folder, so that each
//! child also goes on from where the one before was killed.

use game::chance::SplitMix;
use game::{Chance as _, Game as _, Input, Millis, Seat, View as _, Viewer};
use record::Cause;
use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use store::Store;
use table::{Env, Journal, MatchId, Outlet, Person, Settings, System, Table, TableStore, read_log};
use wire::client::{Change, Client};
use wire::{Act, Answer, Stage};

type Match = rulebook::Match;

const FOLDER: &str = "PARLOUR_KILL_FOLDER";
const TABLES: [(&str, &str); 4] =
    [("a", "contract"), ("b", "set-classic"), ("c", "contract"), ("d", "set-classic")];

#[derive(Default)]
struct Tape(Mutex<VecDeque<Vec<u8>>>);

impl Outlet for Tape {
    fn send(&self, frame: &[u8]) {
        self.0.lock().unwrap().push_back(frame.to_vec());
    }
    fn close(&self) {}
}

fn rules(id: &str) -> Arc<rulebook::Rules> {
    rulebook::preset(id).unwrap().rules(3).unwrap()
}

fn env(store: &Arc<Store>) -> Env<Match> {
    Env {
        journal: Arc::clone(store) as Arc<dyn Journal>,
        tables: Arc::clone(store) as Arc<dyn TableStore>,
        host: Arc::new(System::start(1)),
        bots: Arc::new(|_, _| None),
        alike: |one, other| one == other,
        rules: Arc::new(|_, _| None),
    }
}

struct Player {
    client: Client<rulebook::View>,
    number: u32,
    tape: Arc<Tape>,
    connection: table::Connection<Match>,
    table: Table<Match>,
}

impl Player {
    fn pump(&mut self) {
        loop {
            let mut quiet = true;
            while let Some(frame) = self.client.next_frame() {
                quiet = false;
                self.connection.receive(&serde_json::to_string(&frame).unwrap()).unwrap();
            }
            loop {
                let frame = self.tape.0.lock().unwrap().pop_front();
                let Some(frame) = frame else { break };
                quiet = false;
                self.client.receive_text(std::str::from_utf8(&frame).unwrap(), 0.0).unwrap();
            }
            while let Some(change) = self.client.next_change() {
                if let Change::Verdict { id, command, answer: Answer::Done } = change {
                    let (Viewer::Seat(seat), Some(played)) = (self.client.viewer(), self.table.playing())
                    else {
                        continue;
                    };
                    let text = serde_json::to_string(&command).unwrap();
                    let line = format!("{played} {seat} {} {id} {text}\n", self.number);
                    std::io::stdout().write_all(line.as_bytes()).unwrap();
                }
            }
            if quiet {
                return;
            }
        }
    }
}

/// What the child does until it is killed.
#[test]
#[ignore = "run by the test below"]
fn child() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let mut chance = SplitMix(std::process::id().into());
    let store = Arc::new(Store::open(Path::new(&folder)).unwrap());
    let env = env(&store);
    let kept = store.tables().unwrap();
    let mut players = Vec::new();
    for (id, game) in TABLES {
        let person = |i: usize| Person { id: format!("p{i}"), name: format!("p{i}") };
        let table = match kept.iter().find(|t| t.id == id) {
            Some(kept) => Table::restore(&kept.saved, env.clone()).unwrap(),
            None => {
                let settings = Settings {
                    id: id.to_owned(),
                    rules: rules(game),
                    seats: 3,
                    host: person(0),
                    sit_in: String::new(),
                    join_late: false,
                    rest_s: 0,
                    trial: None,
                };
                Table::open(settings, env.clone()).unwrap()
            }
        };
        for i in 0..3 {
            let _ = table.act(&person(i), &Act::Sit { seat: Seat(i as u8) });
            let tape: Arc<Tape> = Arc::default();
            let connection = table.connect(Some(person(i)), Arc::clone(&tape) as Arc<dyn Outlet>);
            let number = chance.bits() as u32 | 1;
            let mut client = Client::new(number, [i as u8; 32]);
            client.opened();
            players.push(Player { client, number, tape, connection, table: table.clone() });
        }
    }
    loop {
        for player in &mut players {
            player.pump();
            match player.client.table().map(|t| t.stage) {
                Some(Stage::Lobby) => {
                    player.client.act(Act::Ready { ready: true });
                    player.client.act(Act::Start);
                }
                Some(Stage::Over) => player.client.act(Act::Rematch),
                _ => {}
            }
            let now = player.table.state().at;
            let Some(view) = player.client.view() else { continue };
            if player.client.unanswered().count() < 3 {
                let mut offered = view.commands(now).commands;
                if !offered.is_empty() {
                    let any = chance.below(offered.len() as u32) as usize;
                    let command = offered.swap_remove(any);
                    player.client.command(command);
                    player.pump();
                }
            }
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}

#[test]
fn kills_lose_nothing_acknowledged() {
    let folder = std::env::temp_dir().join(format!("parlour-kill-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let mut chance = SplitMix(std::process::id().into());
    let (mut acknowledged, mut entries) = (0, 0);
    for round in 0..50 {
        let heard = kill_once(&folder, 30 + u64::from(chance.below(250)));
        entries = compare(&folder, &heard, round);
        acknowledged += heard.len();
    }
    let _ = std::fs::remove_dir_all(&folder);
    assert!(acknowledged > 1000, "only {acknowledged} commands were acknowledged: that was no load");
    println!("{acknowledged} commands acknowledged, {entries} entries in the last matches");
}

/// Runs a child for some time and kills it. Gives what it said was acknowledged.
fn kill_once(folder: &Path, millis: u64) -> Vec<String> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["child", "--exact", "--ignored", "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    let reader = std::thread::spawn(move || {
        let lines = out.split(b'\n').map_while(Result::ok).filter_map(|l| String::from_utf8(l).ok());
        lines
            .filter(|l| l.split(' ').next().is_some_and(|id| id.parse::<MatchId>().is_ok()))
            .collect::<Vec<_>>()
    });
    std::thread::sleep(Duration::from_millis(millis));
    assert_eq!(child.try_wait().unwrap(), None, "the child ended by itself");
    child.kill().unwrap();
    child.wait().unwrap();
    let mut lines = reader.join().unwrap();
    // The last line may be cut in the middle.
    if lines.last().is_some_and(|l| !l.ends_with('}') && !l.ends_with('"')) {
        lines.pop();
    }
    lines
}

/// Looks for every acknowledged command in the logs, and plays each log again from its inputs.
fn compare(folder: &Path, heard: &[String], round: usize) -> usize {
    let store = Arc::new(Store::open(folder).unwrap());
    let mut by_match: BTreeMap<MatchId, Vec<&str>> = BTreeMap::new();
    for line in heard {
        let (id, rest) = line.split_once(' ').unwrap();
        by_match.entry(id.parse().unwrap()).or_default().push(rest);
    }
    let mut count = 0;
    for (id, lines) in by_match {
        let (header, entries) = read_log::<Match>(&store.read(id, 0).unwrap()).unwrap();
        let mut known = BTreeMap::new();
        let mut game = Match::open(Arc::new(header.rules), header.seats.len() as u8).unwrap();
        let mut last = Millis(0);
        for entry in &entries {
            assert!(entry.at >= last, "round {round}: time went back");
            last = entry.at;
            if let (Cause::Seat { seat, command, client, .. }, Some(Input::Play(_, what, _))) =
                (&entry.cause, &entry.input)
            {
                let text = serde_json::to_string(what).unwrap();
                assert!(
                    known.insert((*seat, *client, *command), text).is_none(),
                    "round {round}: a command was applied twice"
                );
            }
            if let Some(input) = &entry.input {
                let mut events = Vec::new();
                game.decide(entry.at, input, &mut events).unwrap();
                assert_eq!(events, entry.events, "round {round}: half an entry");
            }
            entry.events.iter().for_each(|e| game.evolve(e));
        }
        count += entries.len();
        for line in lines {
            let mut parts = line.splitn(4, ' ');
            let mut number = || parts.next().unwrap().parse::<u64>().unwrap();
            let key = (Seat(number() as u8), number() as u32, number());
            assert_eq!(known.get(&key).map(String::as_str), parts.next(), "round {round}: {id} lost {key:?}");
        }
    }
    count
}
