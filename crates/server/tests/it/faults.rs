//! Tables of three machines, each a process of its own that is killed, ended or stopped, over servers of the log to which the same
//! happens. What a player was told is done stands in the record, once; the record is the same at every machine, and is judged again.

use crate::common::{Guest, Server, Socket};
use crate::nodes::run::Cluster;
use crate::nodes::{engine, folder, until};
use game::chance::SplitMix;
use game::{Chance, View as _};
use record::Cause;
use serde_json::json;
use std::io::Write as _;
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
/// How long a node may take to notice that its disk is full.
const NOTICED: Duration = Duration::from_secs(10);

/// A node: the program as it is installed.
struct Node {
    command: Command,
    process: Option<Child>,
    address: SocketAddr,
    data: Disk,
}

/// The folder of a node: a disk of its own where this machine lets a test mount one, which then may be full.
struct Disk {
    folder: TempDir,
    mounted: bool,
}

impl Disk {
    fn new() -> Disk {
        let data = folder();
        let disk = data.path().join("disk");
        std::fs::create_dir(&disk).expect("a folder");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=128m", "tmpfs"]).arg(&disk).stderr(Stdio::null());
        let mounted = mount.status().is_ok_and(|mounted| mounted.success());
        std::fs::copy(data.path().join("cookie.key"), disk.join("cookie.key")).expect("a key");
        Disk { folder: data, mounted }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("disk")
    }

    /// Leaves no room on it, or as much as there was.
    fn fill(&self, full: bool) {
        let filler = self.path().join("filler");
        if !full {
            let _ = std::fs::remove_file(filler);
            return;
        }
        let mut file = std::fs::File::create(filler).expect("there is room for a name");
        let mebibyte = vec![0; 1 << 20];
        while file.write_all(&mebibyte).is_ok() {}
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        if self.mounted {
            // Its node has ended.
            let _ = Command::new("umount").arg(self.path()).status();
        }
    }
}

impl Node {
    fn new(program: &PathBuf, engine: &Cluster, name: &str) -> Node {
        let free = TcpListener::bind("127.0.0.1:0").and_then(|port| port.local_addr());
        let (address, data, access) = (free.expect("a free port"), Disk::new(), engine.access(&[0, 1, 2]));
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
        let mut node = Node { command, process: None, address, data };
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

    /// What it says of itself, as the status of an answer; none if it says nothing.
    async fn health(&self) -> Option<String> {
        let asked = async {
            let mut line = TcpStream::connect(self.address).await.ok()?;
            let get = format!("GET /healthz HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address);
            line.write_all(get.as_bytes()).await.ok()?;
            let mut answer = String::new();
            line.read_to_string(&mut answer).await.ok()?;
            Some(answer.split(' ').nth(1)?.to_owned())
        };
        // Whoever asks all the time is refused, and the players come from the same address.
        tokio::time::sleep(Duration::from_millis(200)).await;
        tokio::time::timeout(Duration::from_secs(2), asked).await.ok().flatten()
    }

    /// Whether it says that it serves.
    async fn is_well(&self) -> bool {
        self.health().await.is_some_and(|status| status == "200")
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
    /// How long they think: so that matches last as long as there are faults.
    pause: Duration,
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
                rests = Instant::now() + self.pause;
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

/// What may happen everywhere.
const KINDS: [&str; 6] = [
    "a node is killed",
    "a node ends in good order",
    "a node stands still",
    "a server of the log is killed",
    "a server of the log stands still",
    "a node and a server of the log are killed",
];
/// What may happen where a node has a disk of its own.
const FULL: &str = "the disk of a node is full";

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
        FULL => {
            nodes[node].data.fill(true);
            // For a while its files may have room in themselves.
            let says = async { while nodes[node].health().await.is_none_or(|status| status != "503") {} };
            let says = tokio::time::timeout(NOTICED, says).await;
            println!("it {} that it cannot store", if says.is_ok() { "says" } else { "has not noticed" });
        }
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
        // Until all has gone on.
        FULL => {}
        "a server of the log stands still" => engine.servers[server].pause(false),
        _ => {
            engine.servers[server].start_again();
            nodes[node].start();
        }
    }
}

/// Two people and a bot at each table, which lie at different nodes; a match has begun at each.
async fn seated(servers: &[Server], chance: &mut SplitMix) -> Vec<Someone> {
    let pause = Duration::from_millis(if is_long() { 500 } else { 80 });
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
                pause,
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

/// Servers of the log, and three nodes that serve; none where there is no program for one of them.
async fn house() -> Option<(Cluster, Vec<Node>)> {
    let Some(program) = std::env::var_os("PARLOUR_BIN").map(PathBuf::from) else {
        println!("left out: PARLOUR_BIN names no program (`cargo xtask test` sets it)");
        return None;
    };
    let engine = engine().await?;
    let nodes = ["north", "south", "west"].map(|name| Node::new(&program, &engine, name)).into();
    well(&nodes).await;
    Some((engine, nodes))
}

async fn well(nodes: &Vec<Node>) {
    for node in nodes {
        until("a node serves", async || node.is_well().await).await;
    }
}

/// By what is drawn; the same number means the same faults.
fn chance() -> SplitMix {
    let seed = std::env::var("PARLOUR_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or_else(|| std::time::UNIX_EPOCH.elapsed().map_or(1, |since| since.as_secs()));
    println!("PARLOUR_SEED={seed}");
    SplitMix(seed)
}

fn is_long() -> bool {
    std::env::var_os("PARLOUR_LONG").is_some()
}

/// Lets all play while these things happen, each once or many by chance. After each one every table goes on.
async fn through(
    kinds: &[&str],
    (engine, nodes): (&mut Cluster, &mut Vec<Node>),
    people: Vec<Someone>,
    chance: &mut SplitMix,
) -> Vec<Someone> {
    let stop = Arc::new(AtomicBool::new(false));
    let moved: Vec<Arc<Told>> = people.iter().map(|_| Arc::default()).collect();
    let playing: Vec<_> = people
        .into_iter()
        .zip(&moved)
        .map(|(someone, moved)| tokio::spawn(someone.play(stop.clone(), moved.clone())))
        .collect();
    let faults = if is_long() { 100 } else { kinds.len() };
    for fault in 0..faults {
        let kind = kinds[if is_long() { chance.below(kinds.len() as u32) as usize } else { fault }];
        let before: Vec<usize> = moved.iter().map(|moved| moved.0.load(SeqCst)).collect();
        happens(kind, nodes, engine, chance).await;
        let began = Instant::now();
        let goes_on =
            |table: usize| (2 * table..2 * table + 2).any(|who| moved[who].0.load(SeqCst) > before[who] + 1);
        while !(0..TABLES).all(goes_on) {
            let stand = || moved.iter().map(|moved| moved.1.lock().expect("nobody breaks down").clone());
            assert!(
                began.elapsed() < STANDS,
                "after: {kind}: all tables go on\n{}\n{}",
                stand().collect::<Vec<_>>().join("\n"),
                engine.told()
            );
            let fell = playing.iter().any(tokio::task::JoinHandle::is_finished);
            assert!(!fell, "a player gave up");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        println!("all tables go on after {:?}", began.elapsed());
        nodes.iter().for_each(|node| node.data.fill(false));
        well(nodes).await;
        // The next one is another fault, and not a second at once.
        engine.is_whole().await;
    }
    stop.store(true, SeqCst);
    let mut people = Vec::new();
    for someone in playing {
        people.push(someone.await.expect("nobody gives up"));
    }
    people
}

/// Where people come in, and those that answer for a record.
fn servers(addresses: &[SocketAddr]) -> Vec<Server> {
    addresses.iter().map(|address| Server::elsewhere(*address)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_players_were_told_is_done_is_in_the_record_whatever_is_killed() {
    let Some((mut engine, mut nodes)) = house().await else { return };
    let addresses: Vec<SocketAddr> = nodes.iter().map(|node| node.address).collect();
    let mut kinds = KINDS.to_vec();
    if nodes.iter().all(|node| node.data.mounted) {
        // First, while its files have no room of their own yet.
        kinds.insert(0, FULL);
    } else {
        println!("left out: {FULL} (to mount one takes Linux and root)");
    }
    if let Ok(only) = std::env::var("PARLOUR_FAULT") {
        kinds.retain(|kind| *kind == only);
        assert!(!kinds.is_empty(), "PARLOUR_FAULT names one of them");
    }
    let (servers, mut chance) = (servers(&addresses), chance());
    let people = seated(&servers, &mut chance).await;
    let people = through(&kinds, (&mut engine, &mut nodes), people, &mut chance).await;
    let (told, taken) = judged(&servers, &people).await;
    println!("{told} moves were told done, all of them stand once; tables were taken over {taken} times");
    assert!(told > 10 * kinds.len() && taken > 0, "{told} moves, {taken} times");
}

/// A load balancer before nodes: Caddy, with the file that hosts are given.
struct Balancer {
    process: Child,
    address: SocketAddr,
    _own: TempDir,
}

impl Balancer {
    /// None where there is no such program.
    async fn start(nodes: &[Node]) -> Option<Balancer> {
        let Some(program) = std::env::var_os("PARLOUR_CADDY") else {
            println!("left out: PARLOUR_CADDY names no load balancer (`cargo xtask test` fetches it)");
            return None;
        };
        let given = concat!(env!("CARGO_MANIFEST_DIR"), "/../../packaging/cluster/Caddyfile");
        let given = std::fs::read_to_string(given).expect("the file");
        let free = TcpListener::bind("127.0.0.1:0").and_then(|port| port.local_addr());
        let (address, own) = (free.expect("a free port"), tempfile::tempdir().expect("a folder"));
        let places = nodes.iter().map(|node| node.address.to_string()).collect::<Vec<_>>().join(" ");
        let file = given.replacen("node-a:7420 node-b:7420 node-c:7420", &places, 1).replacen(
            "\n:7420 {",
            &format!("\n{{\n\tadmin off\n}}\nhttp://{address} {{"),
            1,
        );
        assert!(file.contains(&places) && file.contains(&address.to_string()), "{file}");
        let config = own.path().join("Caddyfile");
        std::fs::write(&config, file).expect("a copy");
        let mut command = Command::new(program);
        command.args(["run", "--adapter", "caddyfile", "--config"]).arg(config);
        let process = command.env("HOME", own.path()).stderr(Stdio::null()).spawn().expect("it starts");
        until("it listens", async || TcpStream::connect(address).await.is_ok()).await;
        Some(Balancer { process, address, _own: own })
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// As docs/cluster.md says of load balancers: nobody has to come back to the same node.
#[tokio::test(flavor = "multi_thread")]
async fn a_load_balancer_needs_to_remember_nobody() {
    let Some((mut engine, mut nodes)) = house().await else { return };
    let Some(balancer) = Balancer::start(&nodes).await else { return };
    let (servers, mut chance) = (servers(&[balancer.address]), chance());
    let people = seated(&servers, &mut chance).await;
    let kinds = &KINDS[..3];
    let people = through(kinds, (&mut engine, &mut nodes), people, &mut chance).await;
    let (told, taken) = judged(&servers, &people).await;
    println!("{told} moves were told done, all of them stand once; tables were taken over {taken} times");
    assert!(told > 10 * kinds.len() && taken > 0, "{told} moves, {taken} times");
}
