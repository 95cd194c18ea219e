//! Three real servers of the engine, nodes whose connections the test controls, and faults by a seed.

use crate::clock::Clock;
use crate::network::{Lines, Way};
use crate::registers::Plant;
use crate::run::networks::Networks;
use crate::run::{Cluster, Server, program};
use crate::world::{Found, Site, World};
use cluster::{Access, Nats, Partition};
use futures_util::future::join_all;
use game::chance::{Chance as _, SplitMix};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;
use tokio::time::sleep;

const NODES: usize = 4;
/// Clients for each partition that is played in.
const CLIENTS: usize = 2;
/// How often each fault is repeated to see how long play stands still.
const REPEATED: usize = 20;

/// Where nodes find three real servers: each by lines of its own.
pub struct Servers {
    pub cluster: Mutex<Cluster>,
    lines: Vec<Lines>,
    access: Vec<Access>,
    clock: Clock,
}

impl Servers {
    /// Starts them.
    async fn start(program: PathBuf, nodes: usize, networks: Option<Networks>, clock: Clock) -> Servers {
        let mut cluster = Cluster::prepare_in(program, 3, "sync_interval: always", networks);
        cluster.servers.iter_mut().for_each(Server::start);
        let direct = cluster.access(&[0, 1, 2]);
        let lines = join_all((0..nodes).map(|_| Lines::to(&direct.servers))).await;
        let access = lines.iter().map(|lines| Access { servers: lines.urls.clone(), ..direct.clone() });
        Servers { cluster: Mutex::new(cluster), access: access.collect(), lines, clock }
    }
}

impl Site for Servers {
    type Engine = Nats;
    type Bus = Nats;
    async fn connect(&self, node: usize) -> Option<(Nats, Nats)> {
        let (nats, _) = Nats::open(&self.access[node]).await.ok()?;
        Some((nats.clone(), nats))
    }
}

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// The server that leads a stream is killed, and started again.
    Leader,
    /// Another server is, or ends in good order.
    Follower,
    /// A server stands still for a while, and goes on as if nothing had been.
    Paused,
    /// The servers and one of them do not see each other, while nodes see them all.
    Split,
    /// A node is killed, and started again with what it had, or with nothing.
    NodeKilled,
    /// A node leaves in good order, and comes back.
    NodeLeft,
    /// A node is cut off from all servers.
    Cut,
    /// Nothing gets through from or to a node for three seconds; its own clock goes on.
    Stalled,
    /// Whatever a node sends or is sent takes long.
    Slow,
    /// A node's disk is full.
    Full,
    /// The clock of all nodes jumps, by up to a month, and back.
    Clock,
}

const KINDS: [Kind; 11] = [
    Kind::Leader,
    Kind::Follower,
    Kind::Paused,
    Kind::Split,
    Kind::NodeKilled,
    Kind::NodeLeft,
    Kind::Cut,
    Kind::Stalled,
    Kind::Slow,
    Kind::Full,
    Kind::Clock,
];

fn milliseconds(chance: &mut SplitMix, from: u32, to: u32) -> Duration {
    Duration::from_millis(u64::from(from + chance.below(to - from)))
}

/// Lets something go wrong, and come right again.
async fn go_wrong(world: &Arc<World<Servers>>, kind: Kind, node: usize, chance: &mut SplitMix) {
    match kind {
        Kind::Leader | Kind::Follower | Kind::Paused | Kind::Split => {
            let mut cluster = world.site.cluster.lock().await;
            let leader = cluster.leader(Partition(chance.below(8) as u16)).await;
            let leads = |number: usize| leader.as_ref() == Some(&cluster.servers[number].name);
            // Of those that stand still or are cut off every second one leads.
            let wanted = kind == Kind::Leader || kind != Kind::Follower && chance.below(2) == 0;
            let number = (0..3).find(|&number| leads(number) == wanted);
            let number = number.unwrap_or(chance.below(3) as usize);
            match kind {
                Kind::Paused => {
                    cluster.servers[number].pause(true);
                    sleep(milliseconds(chance, 300, 6000)).await;
                    cluster.servers[number].pause(false);
                }
                Kind::Split => {
                    let Some(networks) = &cluster.networks else { return };
                    networks.cut(number, true);
                    sleep(milliseconds(chance, 300, 12000)).await;
                    networks.cut(number, false);
                }
                _ => {
                    match kind == Kind::Follower && chance.below(2) == 0 {
                        true => cluster.servers[number].end(),
                        false => cluster.servers[number].kill(),
                    }
                    sleep(milliseconds(chance, 100, 1500)).await;
                    cluster.servers[number].start();
                }
            }
        }
        Kind::NodeKilled | Kind::NodeLeft => {
            let remains = match kind {
                Kind::NodeKilled => world.kill(node),
                _ => world.leave(node).await,
            };
            let remains = remains.filter(|_| chance.below(4) > 0).unwrap_or_else(|| world.nothing());
            sleep(milliseconds(chance, 0, 1200)).await;
            world.start(node, remains).await;
        }
        Kind::Cut | Kind::Stalled | Kind::Slow => {
            let (way, time) = match kind {
                Kind::Cut => (Way::Cut, milliseconds(chance, 300, 3000)),
                Kind::Stalled => (Way::Stalled, Duration::from_secs(3)),
                _ => (Way::Slow(milliseconds(chance, 20, 200)), Duration::from_millis(1500)),
            };
            world.site.lines[node].set(way);
            sleep(time).await;
            world.site.lines[node].set(Way::Open);
        }
        Kind::Full => {
            world.full(node, true);
            sleep(milliseconds(chance, 300, 1500)).await;
            world.full(node, false);
        }
        Kind::Clock => {
            let jump = 100 + i64::from(chance.below(30 * 24 * 3600));
            let clock = &world.site.clock;
            clock.set(if chance.below(2) == 0 { jump } else { -jump });
            sleep(milliseconds(chance, 300, 1500)).await;
            clock.set(0);
        }
    }
}

/// For each kind how often it was, and the longest time from one commit of a partition to its next that began in it.
#[derive(Debug, Default)]
struct Told(BTreeMap<Kind, (usize, Duration)>);

impl Told {
    fn of(world: &World<Servers>, faults: &[(Kind, Instant)]) -> Told {
        let mut told = Told::default();
        for (kind, _) in faults {
            told.0.entry(*kind).or_default().0 += 1;
        }
        let mut last: BTreeMap<Partition, Instant> = BTreeMap::new();
        for one in world.acknowledged() {
            let before = last.insert(one.partition, one.at).unwrap_or(one.at);
            // Play may have stood still before it is seen that something is wrong.
            let fault = faults.iter().rfind(|(_, began)| *began <= before + Duration::from_millis(50));
            let Some((_, began)) = fault else { continue };
            // Two at once have it both.
            for (kind, _) in
                faults.iter().filter(|(_, other)| other <= began && (*began - *other).as_millis() < 5)
            {
                let longest = &mut told.0.entry(*kind).or_default().1;
                *longest = (*longest).max(one.at - before);
            }
        }
        told
    }
}

fn print(found: &Found, told: &Told) {
    println!(
        "{} operations on {} registers: {} acknowledged, {} unknown; not linearizable: {:?}; broken: {:#?}",
        found.judged.operations,
        found.judged.registers,
        found.acknowledged,
        found.judged.unknown,
        found.judged.wrong,
        found.broken
    );
    for (kind, (count, longest)) in &told.0 {
        println!("{kind:?}: {count}; play stood still for {} ms at most", longest.as_millis());
    }
}

fn seed() -> u64 {
    let seed = match std::env::var("PARLOUR_SEED") {
        Ok(given) => given.parse().expect("PARLOUR_SEED is a number"),
        Err(_) => std::time::UNIX_EPOCH.elapsed().map_or(1, |time| time.as_micros() as u64),
    };
    println!("PARLOUR_SEED={seed} draws the same faults again");
    seed
}

fn is_long() -> bool {
    std::env::var_os("PARLOUR_LONG").is_some()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_fails_histories_are_linearizable_and_nothing_is_lost() {
    let Some(program) = program("PARLOUR_NATS") else { return };
    let clock = Clock::here();
    if let Clock::Elsewhere(status) = clock {
        assert!(status.success(), "see above");
        return;
    }
    let mut chance = SplitMix(seed());
    let wanted = if is_long() { 500 } else { 1 };
    let networks = Networks::open(3);
    let mut kinds = KINDS.to_vec();
    kinds.retain(|kind| match kind {
        Kind::Split => networks.is_some(),
        Kind::Clock => clock.may_jump(),
        _ => true,
    });
    let world =
        World::open(Servers::start(program, NODES, networks, clock).await, NODES, Plant::Nothing).await;
    let partitions: Vec<Partition> = (0..8).map(Partition).collect();
    let clients: Vec<_> = (0..CLIENTS * partitions.len())
        .map(|number| {
            let partition = partitions[number % partitions.len()];
            let world = Arc::clone(&world);
            tokio::spawn(world.client(partition, (0..NODES).collect(), SplitMix(chance.bits())))
        })
        .collect();
    let (mut faults, mut deck): (Vec<(Kind, Instant)>, Vec<Kind>) = (Vec::new(), Vec::new());
    // Each kind once, as often as it takes.
    while faults.len() < wanted || !deck.is_empty() {
        if deck.is_empty() {
            deck.clone_from(&kinds);
        }
        let mut draw = |chance: &mut SplitMix| deck.swap_remove(chance.below(deck.len() as u32) as usize);
        let (kind, node) = (draw(&mut chance), chance.below(NODES as u32) as usize);
        sleep(milliseconds(&mut chance, 100, 600)).await;
        faults.push((kind, Instant::now()));
        let mut other = SplitMix(chance.bits());
        if chance.below(3) == 0 {
            // A second one, of another node, while the first lasts.
            let kinds = [Kind::NodeKilled, Kind::Cut, Kind::Slow, Kind::Full];
            let second = kinds[chance.below(4) as usize];
            faults.push((second, Instant::now()));
            tokio::join!(
                go_wrong(&world, kind, node, &mut chance),
                go_wrong(&world, second, (node + 1) % NODES, &mut other)
            );
        } else {
            go_wrong(&world, kind, node, &mut chance).await;
        }
        world.turn_the_page();
    }
    world.settled().await;
    world.end();
    join_all(clients).await.into_iter().for_each(|client| client.expect("nobody breaks down"));
    let found = world.judge(&partitions).await;
    print(&found, &Told::of(&world, &faults));
    for register in &found.judged.wrong {
        println!("{register:?}\n{}", world.history.told(*register));
    }
    assert!(found.is_clean());
    assert!(found.acknowledged > 100, "they played");
}

/// What is done to a node or a server, and how long play then stands still: in the partitions that it concerns, from the last
/// commit to the next.
async fn stands_still(world: &Arc<World<Servers>>, kind: Kind, partitions: &[Partition]) -> Vec<Duration> {
    let (concerned, began): (Vec<Partition>, Instant) = match kind {
        Kind::Leader => {
            let mut cluster = world.site.cluster.lock().await;
            let mut leads: BTreeMap<String, Vec<Partition>> = BTreeMap::new();
            for partition in partitions {
                if let Some(leader) = cluster.leader(*partition).await {
                    leads.entry(leader).or_default().push(*partition);
                }
            }
            let (name, concerned) = leads.into_iter().max_by_key(|(_, led)| led.len()).expect("a leader");
            let server = cluster.servers.iter_mut().find(|server| server.name == name).expect("it is there");
            server.kill();
            (concerned, Instant::now())
        }
        _ => {
            let hosted = partitions.iter().filter(|partition| world.host_of(**partition) == Some(0)).copied();
            (hosted.collect(), Instant::now())
        }
    };
    let remains = match kind {
        Kind::NodeKilled => world.kill(0),
        Kind::NodeLeft => world.leave(0).await,
        _ => None,
    };
    let next = |partition: Partition| async move {
        loop {
            let all = world.acknowledged();
            let mut of = all.iter().filter(|one| one.partition == partition);
            let before = of.clone().rfind(|one| one.at <= began).map_or(began, |one| one.at);
            // The longest of what began then: some may have been on its way.
            let mut last = before;
            let mut longest = Duration::ZERO;
            for one in of.by_ref().filter(|one| one.at > began) {
                longest = longest.max(one.at - last);
                last = one.at;
            }
            if longest > Duration::ZERO && last > began + Duration::from_millis(1500) {
                return longest;
            }
            if began.elapsed() > Duration::from_secs(60) {
                println!("{}", world.site.cluster.lock().await.told());
                panic!("play does not go on in {partition} after {kind:?}");
            }
            sleep(Duration::from_millis(50)).await;
        }
    };
    let longest = join_all(concerned.into_iter().map(next)).await;
    let mut cluster = world.site.cluster.lock().await;
    cluster.servers.iter_mut().for_each(crate::run::Server::start_again);
    // With one that is killed and one that has not caught up nobody could go on.
    cluster.is_whole().await;
    drop(cluster);
    if let Some(remains) = remains {
        world.start(0, remains).await;
    }
    world.settled().await;
    sleep(Duration::from_millis(500)).await;
    longest
}

/// Only the long run has time for it: `PARLOUR_LONG=1` repeats each fault and prints how soon play goes on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn play_goes_on_wherever_a_node_or_a_server_fails() {
    let Some(program) = program("PARLOUR_NATS") else { return };
    let repeated = if is_long() { REPEATED } else { 1 };
    let world = World::open(Servers::start(program, 3, None, Clock::True).await, 3, Plant::Nothing).await;
    let partitions: Vec<Partition> = (0..16).map(Partition).collect();
    let clients: Vec<_> = partitions
        .iter()
        .map(|partition| {
            // Whoever sits at the node that is killed comes back somewhere else.
            let seed = SplitMix(u64::from(partition.0));
            tokio::spawn(Arc::clone(&world).client(*partition, vec![1, 2], seed))
        })
        .collect();
    sleep(Duration::from_secs(1)).await;
    for kind in [Kind::NodeKilled, Kind::NodeLeft, Kind::Leader] {
        let (mut each, mut longest) = (Vec::new(), Vec::new());
        for _ in 0..repeated {
            let stood = stands_still(&world, kind, &partitions).await;
            longest.extend(stood.iter().max());
            each.extend(stood);
            world.turn_the_page();
        }
        each.sort_unstable();
        longest.sort_unstable();
        let at = |all: &[Duration], part: usize| all[(all.len() - 1) * part / 100].as_millis();
        println!(
            "{kind:?}, {} times: a partition stands still for {} ms at the median, {} ms at most; the slowest of each time: {} ms at the median",
            longest.len(),
            at(&each, 50),
            at(&each, 100),
            at(&longest, 50)
        );
    }
    world.end();
    join_all(clients).await.into_iter().for_each(|client| client.expect("nobody breaks down"));
    let found = world.judge(&partitions).await;
    assert!(found.is_clean(), "{found:?}");
}
