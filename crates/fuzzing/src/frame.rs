//! What comes on the sockets of a table: frames, in any order, from people who have a seat and from people who have none.

use crate::{texts, work};
use game::chance::SplitMix;
use game::{Game, Seat, View as _, Viewer};
use record::replay;
use rulebook::{Command, Match, Notice, View};
use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, Weak};
use table::{
    Connection, Env, Finished, Host, Journal, MatchId, MemoryJournal, Outlet, Person, Played, Settings,
    Table, TableStore, Wake, read_log,
};
use wire::{Act, Answer, ToClient, ToServer};

/// Most lines of one input.
const LINES: usize = 32;

/// Most that one line may let pass, in milliseconds.
const PASS: u64 = 60_000;

/// Most that a table may ask to be woken while a line's time passes: some things are due at each moment, none for ever.
const WAKES: usize = 4000;

/// Bytes of memory for one line, whatever it is, and for each byte of it.
const WORK: (usize, usize) = (256 << 20, 32 << 10);

/// Games that are played here: each mechanism of both families.
const GAMES: [(&str, u8); 10] = [
    ("set-classic", 2),
    ("contract", 3),
    ("memory", 2),
    ("setup", 2),
    ("daily-puzzle", 1),
    ("trial-live", 2),
    ("scout", 3),
    ("push", 4),
    ("twenty", 2),
    ("shanghai", 3),
];

/// Who is at the table: the first keeps it, the last has no name.
const PEOPLE: [&str; 4] = ["ann", "bob", "cleo", ""];

type Frame = ToClient<View, Notice, Command>;

/// Frames on the sockets of a table. Two bytes say which game, and whether a match is on and who has a seat; each line after
/// them is a digit, which says whose socket, and a frame, or `+` and milliseconds that pass, or `x` and whose socket breaks and
/// is opened again.
///
/// A command gets one answer each time it is sent; it is in the log once if it was accepted, and not at all if it was
/// refused. Every frame that leaves is one of the protocol, a client can follow what it is told to what the truth shows its
/// viewer, and the log verifies.
///
/// # Panics
/// If a law is broken.
pub fn client_frame(bytes: &[u8]) {
    let Some(([game, how], text)) = bytes.split_first_chunk::<2>() else { return };
    let Some(text) = texts::text(text) else { return };
    let mut room = Room::open(*game, *how);
    for line in text.lines().take(LINES) {
        work::within("a line", work::most(WORK.0, WORK.1, line.len()), || room.line(line));
    }
    room.pass(1500);
    room.judge();
}

/// A machine whose clock stands still until it is moved.
struct Hand {
    now: AtomicU64,
    inner: Mutex<Inner>,
}

struct Inner {
    wakes: Vec<(u64, Weak<dyn Wake>)>,
    jobs: VecDeque<Box<dyn FnOnce() + Send>>,
    random: SplitMix,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Host for Hand {
    fn now(&self) -> u64 {
        self.now.load(Ordering::Relaxed)
    }
    fn unix_ms(&self) -> u64 {
        1_800_000_000_000
    }
    fn random(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        let random = &mut lock(&self.inner).random;
        bytes.chunks_mut(8).for_each(|chunk| chunk.copy_from_slice(&random.bits().to_le_bytes()));
        bytes
    }
    fn wake(&self, at: u64, whom: Weak<dyn Wake>) {
        lock(&self.inner).wakes.push((at, whom));
    }
    fn work(&self, job: Box<dyn FnOnce() + Send>) {
        lock(&self.inner).jobs.push_back(job);
    }
}

/// Keeps how the table is.
#[derive(Default)]
struct Kept(Mutex<String>);

impl TableStore for Kept {
    fn save(&self, _: &str, _: Vec<String>, saved: String) {
        *lock(&self.0) = saved;
    }
    fn played(&self, _: Played) {}
    fn finished(&self, _: Finished) {}
}

/// What was sent on one socket.
#[derive(Default)]
struct Tape {
    frames: Mutex<VecDeque<Vec<u8>>>,
    closed: Mutex<bool>,
}

impl Outlet for Tape {
    fn send(&self, frame: &[u8]) {
        lock(&self.frames).push_back(frame.to_vec());
    }
    fn close(&self) {
        *lock(&self.closed) = true;
    }
}

/// One socket, and what a client makes of what comes on it.
struct Peer {
    person: Option<Person>,
    tape: Arc<Tape>,
    connection: Option<Connection<Match>>,
    greeted: bool,
    number: u32,
    /// Answers still to come, by the number of the command.
    asked: BTreeMap<u32, usize>,
    /// What it has seen of the match: which, up to which notice, and the view; none if it said that it had seen something
    /// else, and follows blindly.
    seen: Option<(u32, u32, Option<View>)>,
    blind: bool,
}

struct Room {
    host: Arc<Hand>,
    journal: Arc<MemoryJournal>,
    tables: Arc<Kept>,
    env: Env<Match>,
    table: Table<Match>,
    peers: Vec<Peer>,
    /// What each command was answered, in order; by the person, the client's number and the command's.
    answers: BTreeMap<(usize, u32, u32), Vec<Answer>>,
    matches: Vec<MatchId>,
}

fn rules(game: &str, seats: u8) -> Arc<rulebook::Rules> {
    type Loaded = BTreeMap<(String, u8), Arc<rulebook::Rules>>;
    static LOADED: LazyLock<Mutex<Loaded>> = LazyLock::new(Mutex::default);
    let load = || rulebook::preset(game).and_then(|loaded| loaded.rules(seats)).expect("a built-in game");
    lock(&LOADED).entry((game.to_owned(), seats)).or_insert_with(load).clone()
}

impl Room {
    fn open(game: u8, how: u8) -> Room {
        let (game, seats) = GAMES[usize::from(game) % GAMES.len()];
        let host = Arc::new(Hand {
            now: AtomicU64::new(1_000_000),
            inner: Mutex::new(Inner {
                wakes: Vec::new(),
                jobs: VecDeque::new(),
                random: SplitMix(u64::from(how)),
            }),
        });
        let (journal, tables) = (Arc::new(MemoryJournal::default()), Arc::new(Kept::default()));
        let env = Env {
            journal: journal.clone(),
            tables: tables.clone(),
            host: host.clone(),
            bots: Arc::new(|kind: &str, rules: &rulebook::Rules| bots::make(kind, rules)),
            alike: |one, other| one == other,
            rules: Arc::new(|_, _| None),
        };
        let people = PEOPLE.map(|name| {
            (!name.is_empty()).then(|| Person { id: format!("id-{name}"), name: name.to_owned() })
        });
        let settings = Settings {
            id: "t".to_owned(),
            rules: rules(game, seats),
            seats,
            host: people[0].clone().expect("a name"),
            sit_in: "easy".to_owned(),
            join_late: how & 8 != 0,
            rest_s: table::rest_s(),
            trial: None,
        };
        let table = Table::open(settings, env.clone()).expect("as many as it says");
        let mut room = Room {
            host,
            journal,
            tables,
            env,
            table,
            peers: Vec::new(),
            answers: BTreeMap::new(),
            matches: Vec::new(),
        };
        for (at, person) in people.into_iter().enumerate() {
            room.peers.push(Peer {
                person,
                tape: Arc::default(),
                connection: None,
                greeted: false,
                number: 0,
                asked: BTreeMap::new(),
                seen: None,
                blind: false,
            });
            room.connect(at);
            if how & 1 != 0 {
                room.say(at, &format!(r#"{{"hello":{{"protocol":1,"client":{}}}}}"#, at + 1));
            }
        }
        if how & 2 != 0 {
            for seat in (0..seats).map(Seat) {
                let acts = match room.peers.get(seat.index()).and_then(|peer| peer.person.clone()) {
                    Some(person) => [Act::Sit { seat }, Act::Ready { ready: true }]
                        .map(|act| (person.clone(), act))
                        .to_vec(),
                    None => vec![(room.keeper(), Act::Bot { seat, kind: "easy".to_owned() })],
                };
                for (person, act) in acts {
                    room.table.act(&person, &act).unwrap_or_else(|why| panic!("{why}"));
                }
            }
        }
        if how & 4 != 0 {
            let _ = room.table.act(&room.keeper(), &Act::Start);
        }
        // The deal waits for seeds that do not come.
        room.pass(if how & 16 != 0 { 2500 } else { 0 });
        room
    }

    fn keeper(&self) -> Person {
        self.peers[0].person.clone().expect("a name")
    }

    fn connect(&mut self, at: usize) {
        let peer = &mut self.peers[at];
        peer.connection = None;
        peer.tape = Arc::default();
        (peer.greeted, peer.blind, peer.seen) = (false, false, None);
        peer.asked.clear();
        peer.connection = Some(self.table.connect(peer.person.clone(), peer.tape.clone()));
    }

    fn line(&mut self, line: &str) {
        let mut letters = line.chars();
        let (first, rest) = (letters.next(), letters.as_str());
        match first {
            Some('+') => {
                let millis: u64 = rest.trim().parse().unwrap_or(0);
                self.pass(millis.min(PASS));
            }
            Some('x') => {
                let at: usize = rest.trim().parse().unwrap_or(0);
                self.connect(at % PEOPLE.len());
                self.pass(0);
            }
            Some(digit) if digit.is_ascii_digit() => {
                let at = (digit as usize - '0' as usize) % PEOPLE.len();
                self.say(at, rest);
                self.pass(0);
            }
            _ => {}
        }
    }

    fn say(&mut self, at: usize, text: &str) {
        let frame = texts::json::<ToServer<Command>>(text);
        let rows = self.rows();
        let peer = &mut self.peers[at];
        let Some(connection) = &peer.connection else { return };
        if *lock(&peer.tape.closed) {
            return;
        }
        let said = connection.receive(text);
        if said.is_err() {
            assert!(frame.is_none(), "a frame was called malformed: {text}");
            assert_eq!(self.journal.waiting(), 0, "{text} is no frame, but was written down");
            assert_eq!(self.rows(), rows);
            return;
        }
        match frame {
            Some(ToServer::Hello(hello)) if !peer.greeted => {
                (peer.greeted, peer.number, peer.blind) = (true, hello.client, hello.last.is_some());
            }
            Some(ToServer::Command { id, .. }) if peer.greeted => *peer.asked.entry(id).or_default() += 1,
            // A command of which only the number can be read is answered, too.
            None if peer.greeted => {
                if let Some(id) =
                    serde_json::from_str::<Value>(text).ok().and_then(|v| v["command"]["id"].as_u64())
                {
                    *peer.asked.entry(id as u32).or_default() += 1;
                }
            }
            _ => {}
        }
    }

    fn rows(&self) -> usize {
        let read = |id| self.journal.read(id, 0).map_or(0, |rows| rows.len());
        self.table.playing().map_or(0, read)
    }

    /// Lets time pass, and everything happen that is due.
    fn pass(&mut self, millis: u64) {
        let end = self.host.now() + millis;
        for _ in 0..WAKES {
            self.quiet();
            let next = {
                let wakes = &mut lock(&self.host.inner).wakes;
                wakes.sort_by_key(|(at, _)| *at);
                let due = wakes.first().is_some_and(|(at, _)| *at <= end);
                due.then(|| wakes.remove(0))
            };
            let Some((at, whom)) = next else {
                self.host.now.store(end, Ordering::Relaxed);
                return self.quiet();
            };
            self.host.now.fetch_max(at, Ordering::Relaxed);
            if let Some(whom) = whom.upgrade() {
                whom.woken();
            }
        }
        panic!("the table wants to be woken more than {WAKES} times in {millis} ms");
    }

    /// Lets everything happen that needs no time.
    fn quiet(&mut self) {
        loop {
            let mut moved = self.journal.commit(usize::MAX);
            loop {
                let job = lock(&self.host.inner).jobs.pop_front();
                let Some(job) = job else { break };
                job();
                moved += 1;
            }
            if let Some(id) = self.table.playing().filter(|id| self.matches.last() != Some(id)) {
                self.matches.push(id);
            }
            for at in 0..self.peers.len() {
                moved += self.hear(at);
            }
            if moved == 0 {
                return;
            }
        }
    }

    /// Takes in what was sent to one.
    fn hear(&mut self, at: usize) -> usize {
        let mut count = 0;
        loop {
            let frame = lock(&self.peers[at].tape.frames).pop_front();
            let Some(frame) = frame else { return count };
            count += 1;
            let text = String::from_utf8(frame).expect("frames are text");
            let frame: Frame =
                texts::json(&text).unwrap_or_else(|| panic!("this was sent, and is no frame: {text}"));
            self.take(at, frame);
        }
    }

    fn take(&mut self, at: usize, frame: Frame) {
        let peer = &mut self.peers[at];
        match frame {
            ToClient::View { game, n, view, .. } => {
                (peer.seen, peer.blind) = (Some((game, n, Some(view))), false);
            }
            ToClient::Notices { n, list, .. } => {
                assert!(!list.is_empty(), "notices of nothing");
                let Some((_, last, view)) = &mut peer.seen else {
                    assert!(peer.blind, "notices without a view");
                    return;
                };
                assert_eq!(n, *last + 1, "a gap in the numbers");
                *last += list.len() as u32;
                if let Some(view) = view {
                    list.iter().for_each(|notice| view.observe(notice));
                }
            }
            ToClient::Verdict { id, answer, .. } => {
                let left = peer.asked.get_mut(&id).filter(|left| **left > 0);
                *left.unwrap_or_else(|| panic!("an answer to {id}, which was not asked")) -= 1;
                self.answers.entry((at, peer.number, id)).or_default().push(answer);
            }
            ToClient::Declined { text, .. } | ToClient::Error { text, .. } => {
                assert!(text.len() > 5, "{text}");
            }
            _ => {}
        }
    }

    fn judge(&self) {
        for peer in &self.peers {
            if !*lock(&peer.tape.closed) {
                let open: Vec<_> = peer.asked.iter().filter(|(_, left)| **left > 0).collect();
                assert!(open.is_empty(), "commands without an answer: {open:?}");
            }
        }
        let logs: Vec<_> = self.matches.iter().map(|id| self.journal.read(*id, 0).expect("memory")).collect();
        let logs: Vec<_> = logs.into_iter().filter(|rows| !rows.is_empty()).collect();
        let mut written: BTreeMap<(u32, u32), usize> = BTreeMap::new();
        for rows in &logs {
            let (header, entries) = read_log::<Match>(rows).unwrap_or_else(|why| panic!("{why}"));
            let text = replay::write::<Match>(&header, &entries).expect("plain data");
            let as_it_was: String =
                rows.iter().map(|row| format!("{}\n", std::str::from_utf8(row).expect("text"))).collect();
            assert_eq!(text, as_it_was, "a log is written again as it was");
            let found = record::verify::<Match>(&text)
                .unwrap_or_else(|wrong| panic!("the log does not verify: {wrong}\n{text}"));
            assert_eq!((found.differs, found.unjudged), (None, 0), "{text}");
            for entry in &entries {
                if let record::Cause::Seat { command, client, bot: false, .. } = entry.cause
                    && matches!(entry.input, Some(game::Input::Play(..)))
                {
                    *written.entry((client, command as u32)).or_default() += 1;
                }
            }
        }
        // Two matches, two people of one number: then the numbers say too little.
        let numbers: Vec<u32> = self.peers.iter().map(|peer| peer.number).filter(|n| *n > 0).collect();
        let told_apart = numbers.iter().all(|n| numbers.iter().filter(|m| *m == n).count() == 1);
        if logs.len() < 2 && told_apart && !self.peers.iter().any(|peer| peer.blind) {
            for ((_, client, id), answers) in &self.answers {
                let times = written.get(&(*client, *id)).copied().unwrap_or(0);
                let done = answers.iter().any(|answer| matches!(answer, Answer::Done));
                assert_eq!(times, usize::from(done), "command {id} of client {client}: {answers:?}");
            }
        }
        self.followed(&logs);
        self.restored();
    }

    /// Whoever followed the match has the view that the truth gives.
    fn followed(&self, logs: &[Vec<Vec<u8>>]) {
        let Some(rows) = logs.last() else { return };
        let (header, entries) = read_log::<Match>(rows).expect("read a moment ago");
        let seats = header.seats.len() as u8;
        let mut truth = Match::open(Arc::new(header.rules), seats).expect("it was played");
        entries.iter().flat_map(|entry| &entry.events).for_each(|event| truth.evolve(event));
        for peer in self.peers.iter().filter(|peer| peer.greeted && !*lock(&peer.tape.closed)) {
            if let Some((game, _, Some(view))) = &peer.seen
                && *game == self.table.state().game
                && self.table.playing().is_some()
            {
                let seat = peer.person.as_ref().and_then(|person| self.table.seat_of(&person.id));
                let who = seat.map_or(Viewer::Table, Viewer::Seat);
                assert_eq!(*view, truth.view(who), "{:?} follows another match", peer.person);
            }
        }
    }

    /// A server that starts anew has the same table.
    fn restored(&self) {
        let saved = lock(&self.tables.0).clone();
        let again = Table::restore(&saved, self.env.clone()).unwrap_or_else(|why| panic!("{why}"));
        let (was, is) = (self.table.state(), again.state());
        let who =
            |state: &wire::TableState| state.seats.iter().map(|seat| seat.who.clone()).collect::<Vec<_>>();
        assert_eq!((was.stage, was.game, who(&was)), (is.stage, is.game, who(&is)));
    }
}
