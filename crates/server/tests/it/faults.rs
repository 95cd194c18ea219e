//! Tables of three machines, each a process of its own that is killed, ended or stopped, over servers of the log to which the same
//! happens. What a player was told is done stands in the record, once; the record is the same at every machine, and is judged again.

use crate::common::{Guest, Server, Socket};
use crate::nodes::run::Cluster;
use crate::nodes::{engine, folder, until};
use game::chance::SplitMix;
use game::{Chance, View as _};
use record::Cause;
use serde_json::json;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use wire::client::{Change, Client};
use wire::{Act, Answer, Stage};

const TABLES: usize = 3;
/// How long play may stand still after a fault before it counts as over. A leader of the log that is killed is missed for 13 s.
const STANDS: Duration = Duration::from_secs(60);

/// A node: the program as it is installed.
struct Node {
    command: Command,
    process: Option<Child>,
    address: SocketAddr,
    _data: TempDir,
}

impl Node {
    fn new(program: &PathBuf, engine: &Cluster, name: &str) -> Node {
        let free = TcpListener::bind("127.0.0.1:0").and_then(|port| port.local_addr());
        let (address, data, access) = (free.expect("a free port"), folder(), engine.access(&[0, 1, 2]));
        let mut command = Command::new(program);
        command.args([
            "serve",
            "--log",
            "error",
            "--bot-pace",
            "10",
            "--listen",
            &address.to_string(),
            "--data",
        ]);
        command.arg(data.path()).args(["--cluster", &access.servers.join(","), "--node", name]);
        command.args(["--cluster-password", &access.log.password]);
        command.args(["--cluster-system-password", &access.system.password]);
        command.stdout(Stdio::null());
        let mut node = Node { command, process: None, address, _data: data };
        node.start();
        node
    }

    fn start(&mut self) {
        if self.process.is_none() {
            self.process = Some(self.command.spawn().expect("it starts"));
        }
    }

    fn signal(&self, signal: &str) {
        let process = self.process.as_ref().expect("it runs");
        let sent = Command::new("kill").args([signal, &process.id().to_string()]).status();
        assert!(sent.is_ok_and(|sent| sent.success()), "kill {signal}");
    }

    /// Waits for its end.
    fn ends(&mut self) {
        self.process.take().expect("it runs").wait().expect("it ends");
    }

    /// Whether it says that it serves.
    async fn is_well(&self) -> bool {
        let asked = async {
            let mut line = TcpStream::connect(self.address).await.ok()?;
            let get = format!("GET /healthz HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address);
            line.write_all(get.as_bytes()).await.ok()?;
            let mut answer = Vec::new();
            line.read_to_end(&mut answer).await.ok()?;
            answer.starts_with(b"HTTP/1.1 200").then_some(())
        };
        tokio::time::timeout(Duration::from_secs(2), asked).await.is_ok_and(|well| well.is_some())
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

/// What somebody tells while they play: how many of their commands are done, and how things stand.
#[derive(Default)]
struct Told(AtomicUsize, Mutex<String>);

/// Somebody who plays whatever they may, comes in by any node, and comes again whenever the line breaks.
struct Someone {
    number: u32,
    table: String,
    cookie: String,
    nodes: Vec<SocketAddr>,
    client: Client<rulebook::View>,
    line: Option<Socket>,
    chance: SplitMix,
    since: Instant,
    /// Numbers of the commands of which they were told that they are done.
    done: Vec<u32>,
}

impl Someone {
    fn now(&self) -> f64 {
        self.since.elapsed().as_secs_f64() * 1000.0
    }

    async fn connect(&mut self) {
        let address = self.nodes[self.chance.below(self.nodes.len() as u32) as usize];
        let mut request =
            format!("ws://{address}/ws/table/{}", self.table).into_client_request().expect("a URL");
        request.headers_mut().insert("Cookie", self.cookie.parse().expect("a cookie"));
        let opened = async {
            let stream = TcpStream::connect(address).await.ok()?;
            Some(Socket(tokio_tungstenite::client_async(request, stream).await.ok()?.0))
        };
        self.line = tokio::time::timeout(Duration::from_secs(2), opened).await.ok().flatten();
        match self.line {
            Some(_) => self.client.opened(),
            None => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }

    /// Sends what there is, and takes in what comes within a moment.
    async fn pump(&mut self) {
        if self.line.is_none() {
            self.connect().await;
        }
        let Some(line) = &mut self.line else { return };
        while let Some(frame) = self.client.next_frame() {
            line.send(serde_json::to_string(&frame).expect("plain data")).await;
        }
        match tokio::time::timeout(Duration::from_millis(40), line.next()).await {
            Err(_) => {}
            Ok(Some(text)) => self.client.receive_text(&text, self.now()).expect("a frame"),
            Ok(None) => {
                self.line = None;
                self.client.closed();
            }
        }
        while let Some(change) = self.client.next_change() {
            match change {
                Change::Verdict { id, answer: Answer::Done, .. } => self.done.push(id),
                // What could not be kept, and whoever is too quick, waits a moment.
                Change::Verdict { answer: Answer::NotNow { .. }, .. } => {
                    tokio::time::sleep(Duration::from_millis(300)).await;
                }
                Change::Behind { had, has } => {
                    panic!("{}: {had} notices were lost, {has} are left", self.number)
                }
                _ => {}
            }
        }
    }

    async fn until(&mut self, what: &str, holds: impl Fn(&Client<rulebook::View>) -> bool) {
        let began = Instant::now();
        while !holds(&self.client) {
            assert!(began.elapsed() < STANDS, "{}: not in time: {what}", self.number);
            self.pump().await;
        }
    }

    /// How things stand, for who looks why nothing happens.
    fn told(&self) -> String {
        let (table, view) = (self.client.table(), self.client.view());
        format!(
            "{}: {} done, line {}, greeted {}, unanswered {:?}, {:?}, awaited {:?}",
            self.number,
            self.done.len(),
            self.line.is_some(),
            self.client.is_up(),
            self.client.unanswered().map(|(id, _)| id).collect::<Vec<_>>(),
            table.map(|table| (table.stage, table.paused.clone())),
            view.map(game::View::awaited),
        )
    }

    /// Plays until told to stop, and then agrees to end the match.
    async fn play(mut self, stop: Arc<AtomicBool>, moved: Arc<Told>) -> Someone {
        let mut rests = Instant::now();
        while !stop.load(SeqCst) {
            self.pump().await;
            moved.0.store(self.done.len(), SeqCst);
            *moved.1.lock().expect("nobody breaks down") = self.told();
            let waits = !self.client.is_up() || self.client.unanswered().next().is_some();
            if waits || rests > Instant::now() {
                continue;
            }
            let at = self.client.clock(self.now());
            let Some(view) = self.client.view().filter(|view| view.awaited()) else { continue };
            let mut commands = view.commands(at).commands;
            if !commands.is_empty() {
                let any = self.chance.below(commands.len() as u32) as usize;
                self.client.command(commands.swap_remove(any));
                rests = Instant::now() + Duration::from_millis(80);
            }
        }
        let over =
            |client: &Client<rulebook::View>| client.table().is_some_and(|table| table.stage == Stage::Over);
        let (began, mut asked) = (Instant::now(), Instant::now());
        while !over(&self.client) {
            assert!(began.elapsed() < STANDS, "{}: the match does not end", self.number);
            if asked <= Instant::now() && self.client.is_up() {
                self.client.act(Act::End { agree: true });
                asked = Instant::now() + Duration::from_secs(2);
            }
            self.pump().await;
        }
        self
    }
}

/// What may happen.
const KINDS: [&str; 6] = [
    "a node is killed",
    "a node ends in good order",
    "a node stands still",
    "a server of the log is killed",
    "a server of the log stands still",
    "a node and a server of the log are killed",
];

async fn happens(kind: &str, nodes: &mut [Node], engine: &mut Cluster, chance: &mut SplitMix) {
    let (node, server) = (chance.below(3) as usize, chance.below(3) as usize);
    let wait = Duration::from_millis(u64::from(300 + chance.below(2000)));
    println!("{kind} (node {node}, server {server}, {wait:?})");
    match kind {
        "a node is killed" => {
            nodes[node].signal("-KILL");
            nodes[node].ends();
        }
        "a node ends in good order" => {
            nodes[node].signal("-TERM");
            tokio::task::block_in_place(|| nodes[node].ends());
        }
        "a node stands still" => nodes[node].signal("-STOP"),
        "a server of the log is killed" => engine.servers[server].kill(),
        "a server of the log stands still" => engine.servers[server].pause(true),
        _ => {
            nodes[node].signal("-KILL");
            engine.servers[server].kill();
            nodes[node].ends();
        }
    }
    tokio::time::sleep(wait).await;
    match kind {
        "a node stands still" => nodes[node].signal("-CONT"),
        "a server of the log stands still" => engine.servers[server].pause(false),
        _ => {
            engine.servers[server].start_again();
            nodes[node].start();
        }
    }
}

/// Two people and a bot at each table, which lie at different nodes; a match has begun at each.
async fn seated(servers: &[Server], chance: &mut SplitMix) -> Vec<Someone> {
    let addresses: Vec<SocketAddr> = servers.iter().map(|server| server.address).collect();
    let mut people = Vec::new();
    for number in 0..TABLES {
        let here = &servers[number % servers.len()];
        let mut table = String::new();
        for (seat, name) in ["Ann", "Bea"].into_iter().enumerate() {
            let guest = here.guest(name).await;
            if seat == 0 {
                let new = json!({ "game": { "preset": "contract" }, "seats": 3, "bots": ["random"] });
                let made = guest.ask("POST", "/api/tables", &new.to_string()).await;
                assert_eq!(made.status, 201, "{}", made.body);
                table = made.json()["id"].as_str().expect("an id").to_owned();
            }
            let number = people.len() as u32 + 1;
            let mut client = Client::new(number, [number as u8; 32]);
            client.go_on_by_itself(true);
            people.push(Someone {
                number,
                table: table.clone(),
                cookie: guest.cookie.clone(),
                nodes: addresses.clone(),
                client,
                line: None,
                chance: SplitMix(chance.bits()),
                since: Instant::now(),
                done: Vec::new(),
            });
        }
        let [.., ann, bea] = &mut people[..] else { panic!("two came") };
        let table_is = |client: &Client<rulebook::View>| client.is_up() && client.table().is_some();
        ann.until("the table is there", table_is).await;
        bea.until("the table is there", table_is).await;
        let free =
            bea.client.table().and_then(|table| table.seats.iter().position(|seat| seat.who.is_none()));
        let seat = game::Seat(free.expect("a free seat") as u8);
        bea.client.act(Act::Sit { seat });
        bea.until("she sits", |client| client.viewer() == game::Viewer::Seat(seat)).await;
        bea.client.act(Act::Ready { ready: true });
        ann.client.act(Act::Ready { ready: true });
        bea.pump().await;
        let ready = |client: &Client<rulebook::View>| {
            client.table().is_some_and(|table| table.seats.iter().all(|seat| seat.ready))
        };
        ann.until("all are ready", ready).await;
        ann.client.act(Act::Start);
        ann.until("it begins", |client| client.view().is_some()).await;
    }

    people
}

/// Holds what each was told against the record, which every node has. Gives how many moves were told done, and how often a table was
/// taken over.
async fn judged(servers: &[Server], people: &[Someone]) -> (usize, usize) {
    let (mut told, mut taken) = (0, 0);
    for pair in people.chunks(2) {
        let mut records = Vec::new();
        for server in servers {
            let guest = Guest { server, cookie: pair[0].cookie.clone() };
            let ended = async || {
                let games = guest.ask("GET", "/api/me/games", "").await.json();
                let id = games["games"][0]["id"].as_str().map(str::to_owned);
                let record = match id {
                    Some(id) => server.record(&id).await,
                    None => return None,
                };
                (record.status == 200).then_some(record.body)
            };
            until("the record is there", async || ended().await.is_some()).await;
            records.push(ended().await.expect("it is there"));
        }
        assert!(records.windows(2).all(|two| two[0] == two[1]), "every node has the same record");
        record::verify::verify::<rulebook::Match>(&records[0]).unwrap_or_else(|wrong| panic!("{wrong}"));
        let record =
            record::replay::read::<rulebook::Match>(&records[0]).unwrap_or_else(|wrong| panic!("{wrong}"));
        let stand = record.entries.iter().filter_map(|(_, entry)| match entry.cause {
            Cause::Seat { command, client, .. } => Some((client, command)),
            _ => None,
        });
        let stand: Vec<(u32, u64)> = stand.collect();
        for someone in pair {
            for id in &someone.done {
                let times = stand.iter().filter(|one| **one == (someone.number, u64::from(*id))).count();
                assert_eq!(times, 1, "command {id} of {} was done", someone.number);
            }
            told += someone.done.len();
        }
        let notes = record.entries.iter().flat_map(|(_, entry)| &entry.notes);
        taken += notes.filter(|note| matches!(note, record::Note::Took { .. })).count();
    }
    (told, taken)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_players_were_told_is_done_is_in_the_record_whatever_is_killed() {
    let Some(program) = std::env::var_os("PARLOUR_BIN").map(PathBuf::from) else {
        println!("left out: PARLOUR_BIN names no program (`cargo xtask test` sets it)");
        return;
    };
    let Some(mut engine) = engine().await else { return };
    let long = std::env::var_os("PARLOUR_LONG").is_some();
    let seed = std::env::var("PARLOUR_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or_else(|| std::time::UNIX_EPOCH.elapsed().map_or(1, |since| since.as_secs()));
    println!("PARLOUR_SEED={seed}");
    let mut chance = SplitMix(seed);
    let mut nodes: Vec<Node> =
        ["north", "south", "west"].map(|name| Node::new(&program, &engine, name)).into();
    let addresses: Vec<SocketAddr> = nodes.iter().map(|node| node.address).collect();
    let well = async |nodes: &[Node]| {
        for node in nodes {
            until("a node serves", async || node.is_well().await).await;
        }
    };
    well(&nodes).await;
    let servers: Vec<Server> = addresses.iter().map(|address| Server::elsewhere(*address)).collect();

    let people = seated(&servers, &mut chance).await;
    let stop = Arc::new(AtomicBool::new(false));
    let moved: Vec<Arc<Told>> = people.iter().map(|_| Arc::default()).collect();
    let playing: Vec<_> = people
        .into_iter()
        .zip(&moved)
        .map(|(someone, moved)| tokio::spawn(someone.play(stop.clone(), moved.clone())))
        .collect();
    // Each kind once, or many by chance.
    let faults = if long { 100 } else { KINDS.len() };
    for fault in 0..faults {
        let kind = KINDS[if long { chance.below(KINDS.len() as u32) as usize } else { fault }];
        let before: Vec<usize> = moved.iter().map(|moved| moved.0.load(SeqCst)).collect();
        happens(kind, &mut nodes, &mut engine, &mut chance).await;
        let began = Instant::now();
        let goes_on =
            |table: usize| (2 * table..2 * table + 2).any(|who| moved[who].0.load(SeqCst) > before[who] + 1);
        while !(0..TABLES).all(goes_on) {
            let stand = || moved.iter().map(|moved| moved.1.lock().expect("nobody breaks down").clone());
            assert!(
                began.elapsed() < STANDS,
                "after: {kind}: all tables go on\n{}",
                stand().collect::<Vec<_>>().join("\n")
            );
            let fell = playing.iter().any(tokio::task::JoinHandle::is_finished);
            assert!(!fell, "a player gave up");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        println!("all tables go on after {:?}", began.elapsed());
        well(&nodes).await;
    }
    stop.store(true, SeqCst);
    let mut people = Vec::new();
    for someone in playing {
        people.push(someone.await.expect("nobody gives up"));
    }

    let (told, taken) = judged(&servers, &people).await;
    println!("{told} moves were told done, all of them stand once; tables were taken over {taken} times");
    assert!(told > 10 * faults && taken > 0, "{told} moves, {taken} times");
}
