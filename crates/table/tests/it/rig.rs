//! A table driven by hand: time, the journal and the sockets move only when a test says so.

use bytes::Bytes;
use game::Seat;
use game::chance::SplitMix;
use record::replay::Wrong;
use record::verify::Verified;
use record::{EntryOf, HeaderOf};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};
use table::*;
use wire::client::{Change, Client};
use wire::{Act, ToServer};

type Jobs = VecDeque<Box<dyn FnOnce() + Send>>;

/// Most times that somebody may be woken while the clock stands still.
const AT_ONE_MOMENT: usize = 50;

/// A machine whose clock stands still until it is moved. It holds every table to the law of wake-ups: while it is woken, a
/// table asks only for times that are to come.
pub struct Hand {
    now: AtomicU64,
    /// Whether somebody is being woken.
    waking: AtomicBool,
    /// How often somebody was woken.
    pub woken: AtomicUsize,
    wakes: Mutex<Vec<(u64, Weak<dyn Wake>)>>,
    jobs: Mutex<Jobs>,
    random: Mutex<SplitMix>,
}

impl Hand {
    pub fn new(seed: u64) -> Arc<Hand> {
        Arc::new(Hand {
            now: AtomicU64::new(1_000_000),
            waking: AtomicBool::new(false),
            woken: AtomicUsize::new(0),
            wakes: Mutex::default(),
            jobs: Mutex::default(),
            random: Mutex::new(SplitMix(seed)),
        })
    }
}

impl Host for Hand {
    fn now(&self) -> u64 {
        self.now.load(Ordering::Relaxed)
    }
    fn unix_ms(&self) -> u64 {
        1_800_000_000_000 + self.now()
    }
    fn random(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        let mut random = self.random.lock().unwrap();
        bytes.chunks_mut(8).for_each(|c| c.copy_from_slice(&random.bits().to_le_bytes()));
        bytes
    }
    fn wake(&self, at: u64, whom: Weak<dyn Wake>) {
        let now = self.now();
        assert!(at > now || !self.waking.load(Ordering::Relaxed), "woken at {now}, and asks for {at}");
        self.wakes.lock().unwrap().push((at, whom));
    }
    fn work(&self, job: Box<dyn FnOnce() + Send>) {
        self.jobs.lock().unwrap().push_back(job);
    }
}

/// Keeps what it is given.
#[derive(Default)]
pub struct Shelved {
    pub saved: Mutex<String>,
    pub finished: Mutex<Vec<Finished>>,
    pub played: Mutex<Vec<Played>>,
}

impl Shelved {
    /// The table as it was saved last.
    pub fn saved(&self) -> String {
        self.saved.lock().unwrap().clone()
    }
}

impl TableStore for Shelved {
    fn save(&self, _: &str, _: Vec<String>, saved: String) {
        *self.saved.lock().unwrap() = saved;
    }
    fn played(&self, played: Played) {
        self.played.lock().unwrap().push(played);
    }
    fn finished(&self, finished: Finished) {
        self.finished.lock().unwrap().push(finished);
    }
}

/// Records the frames for one socket.
#[derive(Default)]
pub struct Tape {
    pub frames: Mutex<VecDeque<Bytes>>,
    pub closed: Mutex<bool>,
}

impl Outlet for Tape {
    fn send(&self, frame: &[u8]) {
        if frame.starts_with(br#"{"notices""#) {
            super::toy::passing(super::toy::Where::Sending);
        }
        self.frames.lock().unwrap().push_back(Bytes::copy_from_slice(frame));
    }
    fn close(&self) {
        *self.closed.lock().unwrap() = true;
    }
}

pub struct Rig<G: Playable> {
    pub host: Arc<Hand>,
    pub journal: Arc<MemoryJournal>,
    pub tables: Arc<Shelved>,
    pub env: Env<G>,
    pub table: Table<G>,
}

pub fn person(name: &str) -> Person {
    Person { id: format!("id-{name}"), name: name.to_owned() }
}

impl<G: Playable> Rig<G> {
    pub fn new(rules: G::Rules, seats: u8, bots: Arc<BotMaker<G>>, seed: u64) -> Rig<G> {
        Rig::of(rules, seats, bots, seed, None)
    }

    pub fn of(rules: G::Rules, seats: u8, bots: Arc<BotMaker<G>>, seed: u64, trial: Option<Trial>) -> Rig<G> {
        Rig::resting(rules, seats, bots, seed, trial, 0)
    }

    /// One whose matches rest between rounds for so many seconds.
    pub fn resting(
        rules: G::Rules,
        seats: u8,
        bots: Arc<BotMaker<G>>,
        seed: u64,
        trial: Option<Trial>,
        rest_s: u8,
    ) -> Rig<G> {
        let (host, journal, tables) =
            (Hand::new(seed), Arc::new(MemoryJournal::default()), Arc::new(Shelved::default()));
        let env = Env {
            journal: Arc::clone(&journal) as Arc<dyn Journal>,
            tables: Arc::clone(&tables) as Arc<dyn TableStore>,
            host: Arc::clone(&host) as Arc<dyn Host>,
            bots,
            alike: |one, other| one == other,
            rules: Arc::new(|_, _| None),
        };
        let settings = Settings {
            id: "t".to_owned(),
            rules: Arc::new(rules),
            seats,
            host: person("ann"),
            sit_in: "easy".to_owned(),
            join_late: false,
            rest_s,
            trial,
        };
        let table = Table::open(settings, env.clone()).unwrap();
        Rig { host, journal, tables, env, table }
    }

    pub fn host_now(&self) -> u64 {
        self.host.now()
    }

    /// Does the slow work that waits. Gives how much there was.
    pub fn work(&self) -> usize {
        let mut count = 0;
        loop {
            let job = self.host.jobs.lock().unwrap().pop_front();
            let Some(job) = job else { return count };
            job();
            count += 1;
        }
    }

    /// Lets everything happen that needs no time.
    pub fn quiet(&self, peers: &mut [&mut Peer<G>]) {
        loop {
            let mut moved = self.journal.commit(usize::MAX) + self.work();
            for peer in peers.iter_mut() {
                moved += peer.pump(self.host.now());
            }
            if moved == 0 {
                return;
            }
        }
    }

    /// Moves the clock on, waking the table whenever it asked for it.
    pub fn pass(&self, millis: u64, peers: &mut [&mut Peer<G>]) {
        self.pass_with(millis, || self.quiet(peers));
        self.quiet(peers);
    }

    /// The same, but nothing else happens meanwhile than what `between` does before each wake-up.
    pub fn pass_with(&self, millis: u64, mut between: impl FnMut()) {
        let end = self.host.now() + millis;
        let (mut moment, mut count) = (0, 0);
        loop {
            between();
            let next = {
                let mut wakes = self.host.wakes.lock().unwrap();
                wakes.sort_by_key(|(at, _)| *at);
                let due = wakes.first().is_some_and(|(at, _)| *at <= end);
                due.then(|| wakes.remove(0))
            };
            let Some((at, whom)) = next else { break };
            let now = self.host.now.fetch_max(at, Ordering::Relaxed).max(at);
            (moment, count) = if now == moment { (moment, count + 1) } else { (now, 1) };
            assert!(count <= AT_ONE_MOMENT, "woken again and again at {now}: {:?}", self.table.state());
            if let Some(whom) = whom.upgrade() {
                self.host.woken.fetch_add(1, Ordering::Relaxed);
                self.host.waking.store(true, Ordering::Relaxed);
                whom.woken();
                self.host.waking.store(false, Ordering::Relaxed);
            }
        }
        self.host.now.store(end, Ordering::Relaxed);
    }

    /// How often the table was woken so far.
    pub fn woken(&self) -> usize {
        self.host.woken.load(Ordering::Relaxed)
    }

    /// The header and the entries that are durable. Nothing in what a table writes is ever wrong.
    pub fn log(&self) -> (HeaderOf<G>, Vec<EntryOf<G>>) {
        let id = self.table.playing().expect("a match is on");
        let rows = self.journal.read(id, 0).unwrap();
        let verified = self.verified();
        assert!(verified.as_ref().is_ok_and(|v| v.differs.is_none()), "{verified:?}");
        read_log::<G>(&rows).unwrap()
    }

    /// What `parlour verify` says of the match so far.
    pub fn verified(&self) -> Result<Verified, Wrong> {
        let rows = self.journal.read(self.table.playing().expect("a match is on"), 0).unwrap();
        let lines: Vec<String> = rows.into_iter().map(|row| String::from_utf8(row).unwrap()).collect();
        record::verify::<G>(&lines.join("\n"))
    }

    /// The truth, from the log.
    pub fn truth(&self) -> G {
        let (header, entries) = self.log();
        let mut truth = G::open(Arc::new(header.rules), header.seats.len() as u8).unwrap();
        entries.iter().flat_map(|e| &e.events).for_each(|e| truth.evolve(e));
        truth
    }

    /// People sit down in order, say that they are ready, and the first, who is the host, starts.
    pub fn start(&self, peers: &mut [&mut Peer<G>]) {
        for (seat, peer) in peers.iter_mut().enumerate() {
            peer.open(&self.table);
            peer.pump(self.host.now());
            peer.client.act(Act::Sit { seat: Seat(seat as u8) });
            peer.client.act(Act::Ready { ready: true });
            peer.pump(self.host.now());
        }
        peers[0].client.act(Act::Start);
        self.quiet(peers);
    }

    /// The server is killed and started again on the same journal.
    /// The same table at a server that is started so long after this one was killed: nobody has left, and nothing was saved.
    pub fn killed(self, down_ms: u64, peers: &mut [&mut Peer<G>]) -> Rig<G> {
        for peer in peers {
            std::mem::forget(peer.connection.take());
            peer.cut();
        }
        self.host.wakes.lock().unwrap().clear();
        self.host.now.fetch_add(down_ms, Ordering::Relaxed);
        self.restarted()
    }

    pub fn restarted(self) -> Rig<G> {
        let saved = self.tables.saved.lock().unwrap().clone();
        let table = Table::restore(&saved, self.env.clone()).unwrap();
        Rig { table, ..self }
    }
}

/// A client with its socket.
pub struct Peer<G: Playable> {
    pub name: &'static str,
    pub client: Client<G::View>,
    pub connection: Option<Connection<G>>,
    pub tape: Arc<Tape>,
    /// Every frame that came, in order.
    pub heard: Vec<String>,
    pub changes: Vec<Change<G::View>>,
    /// Answers pings only when told to.
    pub slow: Option<u64>,
    /// Keeps its seeds to itself.
    pub withholds: bool,
    late: VecDeque<(u64, String)>,
}

impl<G: Playable> Peer<G> {
    pub fn new(name: &'static str) -> Peer<G> {
        let number = name.bytes().fold(7, |n, b| n * 31 + u32::from(b));
        Peer {
            name,
            client: Client::new(number, [number as u8; 32]),
            connection: None,
            tape: Arc::default(),
            heard: Vec::new(),
            changes: Vec::new(),
            slow: None,
            withholds: false,
            late: VecDeque::new(),
        }
    }

    pub fn open(&mut self, table: &Table<G>) {
        self.tape = Arc::default();
        let person = (!self.name.is_empty()).then(|| person(self.name));
        self.connection = Some(table.connect(person, Arc::clone(&self.tape) as Arc<dyn Outlet>));
        self.client.opened();
    }

    /// The socket breaks; what is on its way to the client is lost.
    pub fn cut(&mut self) {
        self.connection = None;
        self.client.closed();
    }

    /// Sends what the client has to say, and hands it what has come.
    pub fn pump(&mut self, now: u64) -> usize {
        let mut moved = 0;
        loop {
            let before = moved;
            while let Some(frame) = self.client.next_frame() {
                moved += 1;
                let text = serde_json::to_string(&frame).unwrap();
                match (self.slow, &frame) {
                    (Some(delay), ToServer::Pong { .. }) => self.late.push_back((now + delay, text)),
                    (_, ToServer::Seed(_)) if self.withholds => {}
                    _ => self.send(&text),
                }
            }
            while self.late.front().is_some_and(|(due, _)| *due <= now) {
                let (_, text) = self.late.pop_front().unwrap();
                moved += 1;
                self.send(&text);
            }
            while let Some(frame) = self.take() {
                moved += 1;
                self.client.receive_text(&frame, now as f64).unwrap_or_else(|e| panic!("{e} in {frame}"));
                self.heard.push(frame);
            }
            while let Some(change) = self.client.next_change() {
                self.changes.push(change);
            }
            if moved == before {
                return moved;
            }
        }
    }

    pub fn send(&self, text: &str) {
        if let Some(connection) = &self.connection {
            connection.receive(text).unwrap();
        }
    }

    /// The next frame that has come and was not handed to the client.
    pub fn take(&self) -> Option<String> {
        let frame = self.tape.frames.lock().unwrap().pop_front()?;
        Some(String::from_utf8(frame.to_vec()).unwrap())
    }

    /// Number of frames that have come and were not handed to the client.
    pub fn unheard(&self) -> usize {
        self.tape.frames.lock().unwrap().len()
    }

    /// The last answer to a command.
    pub fn answer(&self) -> Option<&wire::Answer> {
        self.changes.iter().rev().find_map(|c| match c {
            Change::Verdict { answer, .. } => Some(answer),
            _ => None,
        })
    }
}
