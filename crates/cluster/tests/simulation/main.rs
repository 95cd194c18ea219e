//! Nodes, leases, partitions and the network, simulated: what a host does is the program itself ([`Writer`]); the rest is played by
//! a seed, and the same seed gives the same run to the byte.
//!
//! Laws: what was acknowledged is in the log, once, and in the order in which it was written; what was refused is not; the log is one
//! chain; and who takes over has read all that was acknowledged before.

mod executor;
mod world;

use cluster::{Body, Chain, Fault, Head, Host, Message, Partition, Writer, read_on};
use executor::{TaskId, Time};
use game::chance::SplitMix;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use world::{Counts, Entry, Fate, FromNode, NODES, PARTITIONS, Plant, Sim};

const MS: Time = 1000;
/// How long a run lasts, and how much time is between two faults at most.
const RUN: Time = 30_000 * MS;
const BETWEEN: u64 = 300;

/// The entries that a message carries: each is a number.
fn entries(message: &Message) -> Vec<u64> {
    match &message.body {
        Body::Batch(batch) => {
            batch.chunks_exact(8).map(|eight| u64::from_le_bytes(eight.try_into().expect("eight"))).collect()
        }
        Body::TookOver { .. } => Vec::new(),
    }
}

/// What a node does for a partition: it takes over when it gets the lease, and writes as long as it can.
async fn host(sim: Sim, node: usize, partition: Partition) {
    loop {
        sim.executor.sleep(sim.below(100) * MS).await;
        let Some(lease) = sim.lease(node, partition).await else { continue };
        let lease = Arc::new(Mutex::new(lease));
        let (from, mut known) =
            sim.world().disks.get(&(node, partition)).cloned().unwrap_or((Head::START, BTreeSet::new()));
        let incarnation = [sim.world().chance.bits(), node as u64].map(u64::to_le_bytes).concat();
        let host =
            Host { node: format!("node {node}"), incarnation: incarnation.try_into().expect("sixteen") };
        let acknowledged = acknowledged(&sim, partition);
        let engine = FromNode { sim: sim.clone(), node, lease: Arc::clone(&lease) };
        let taken = Writer::take_over(engine, partition, from, &host, |message| {
            for entry in entries(message) {
                if !known.insert(entry) {
                    sim.violated(format!("{partition} has entry {entry} twice"));
                }
            }
        });
        let writer = match taken.await {
            Ok(writer) => writer,
            Err(Fault::Broken(broken)) => return sim.violated(broken.to_string()),
            Err(_) => continue,
        };
        sim.note(&format!("{partition}: {node} takes over at {}", writer.head().number));
        sim.world().counts.taken_over += 1;
        for entry in acknowledged.difference(&known) {
            sim.violated(format!(
                "{partition}: entry {entry} was acknowledged, and node {node} has not read it"
            ));
        }
        serve(&sim, node, partition, writer, known, &lease).await;
    }
}

fn acknowledged(sim: &Sim, partition: Partition) -> BTreeSet<u64> {
    let world = sim.world();
    let all = (0..).zip(&world.entries);
    all.filter(|(_, entry)| entry.partition == partition && matches!(entry.fate, Fate::Acknowledged(_)))
        .map(|(number, _)| number)
        .collect()
}

/// Writes what players do, until another host has taken over or nobody knows what becomes of it.
async fn serve(
    sim: &Sim,
    node: usize,
    partition: Partition,
    mut writer: Writer<FromNode>,
    mut known: BTreeSet<u64>,
    lease: &Mutex<i64>,
) {
    for round in 1.. {
        sim.executor.sleep(5 * MS + sim.below(15) * MS).await;
        if round % 6 == 0 {
            if let Some(renewed) = sim.lease(node, partition).await {
                *lease.lock().expect("nobody breaks down") = renewed;
            } else if !sim.believes(node, *lease.lock().expect("nobody breaks down")) {
                // Good manners, not safety: another node may have it now.
                return;
            }
        }
        let count = 1 + sim.below(4);
        let sent = sim.executor.now();
        let first = {
            let mut world = sim.world();
            let first = world.entries.len() as u64;
            world.entries.extend((0..count).map(|_| Entry { partition, sent, fate: Fate::Unknown }));
            first
        };
        let batch: Vec<u8> = (first..first + count).flat_map(u64::to_le_bytes).collect();
        let mut written = writer.append(batch).await;
        // Some hosts are patient.
        for _ in 0..sim.below(4) {
            if !matches!(written, Err(Fault::Unsettled(_))) {
                break;
            }
            written = writer.settle().await.map(|head| head.expect("something was open"));
        }
        let now = sim.executor.now();
        let fate = match &written {
            Ok(_) => Fate::Acknowledged(now),
            Err(Fault::Superseded(_) | Fault::Refused(_)) => Fate::Refused,
            Err(_) => Fate::Unknown,
        };
        sim.note(&format!("{partition}: {node} wrote {first}: {written:?}"));
        {
            let mut world = sim.world();
            (first..first + count).for_each(|entry| world.entries[entry as usize].fate = fate);
            let counts = &mut world.counts;
            match fate {
                Fate::Acknowledged(_) => counts.acknowledged += count,
                Fate::Refused => counts.superseded += 1,
                Fate::Unknown => counts.unsettled += 1,
            }
        }
        match written {
            Ok(head) => {
                known.extend(first..first + count);
                if sim.below(8) == 0 {
                    sim.world().disks.insert((node, partition), (head, known.clone()));
                }
            }
            Err(Fault::Broken(broken)) => return sim.violated(broken.to_string()),
            Err(_) => return,
        }
    }
}

fn start(sim: &Sim, node: usize) {
    for partition in (0..PARTITIONS).map(Partition) {
        let task: TaskId = sim.executor.spawn(host(sim.clone(), node, partition));
        sim.runs(node, task);
    }
}

/// Judges the whole log of a partition.
fn judge(sim: &Sim, partition: Partition) {
    let mut chain = Chain::after(partition, Head::START);
    let mut order = Vec::new();
    for stored in sim.engine.all(partition) {
        match chain.take(&stored) {
            Ok(message) => order.extend(entries(&message)),
            Err(broken) => return sim.violated(broken.to_string()),
        }
    }
    let found: BTreeSet<u64> = order.iter().copied().collect();
    if found.len() != order.len() {
        sim.violated(format!("{partition} has entries more than once"));
    }
    let mut against = Vec::new();
    {
        let world = sim.world();
        for (number, entry) in (0..).zip(&world.entries).filter(|(_, entry)| entry.partition == partition) {
            match entry.fate {
                Fate::Acknowledged(_) if !found.contains(&number) => {
                    against.push(format!("entry {number} is lost"))
                }
                Fate::Refused if found.contains(&number) => {
                    against.push(format!("entry {number} was refused, and is there"));
                }
                _ => {}
            }
        }
        // What was acknowledged before another was sent comes before it.
        let mut earliest = Time::MAX;
        for &number in order.iter().rev() {
            let entry = &world.entries[number as usize];
            if earliest < entry.sent {
                against.push(format!(
                    "entry {number} comes before one that was acknowledged before it was sent"
                ));
            }
            if let Fate::Acknowledged(at) = entry.fate {
                earliest = earliest.min(at);
            }
        }
    }
    against.into_iter().for_each(|what| sim.violated(format!("{partition}: {what}")));
}

/// What came of a run.
struct Run {
    counts: Counts,
    violations: Vec<String>,
    trace: String,
}

fn play(seed: u64, plant: Plant) -> Run {
    let sim = Sim::new(seed, plant);
    (0..NODES).for_each(|node| start(&sim, node));
    let faults = sim.clone();
    let trouble = sim.executor.spawn(async move {
        loop {
            faults.executor.sleep((1 + faults.below(BETWEEN)) * MS).await;
            if let Some((node, after)) = faults.fault() {
                let later = faults.clone();
                faults.executor.spawn(async move {
                    later.executor.sleep(after).await;
                    later.note(&format!("{node} starts again"));
                    start(&later, node);
                });
            }
        }
    });
    sim.executor.run(RUN);
    sim.executor.kill(trouble);
    // Let what is on its way arrive; then one node that knows nothing reads all.
    sim.executor.run(RUN + 5_000 * MS);
    sim.calm();
    for partition in (0..PARTITIONS).map(Partition) {
        judge(&sim, partition);
        let reader = sim.clone();
        sim.executor.spawn(async move {
            let engine = FromNode { sim: reader.clone(), node: 0, lease: Arc::default() };
            let (mut chain, mut count) = (Chain::after(partition, Head::START), 0);
            let read =
                read_on(&engine, partition, &mut chain, |message| count += entries(message).len()).await;
            if let Err(fault) = read {
                reader.violated(fault.to_string());
            }
            reader.note(&format!("{partition} has {count} entries in {} messages", chain.head().number));
        });
    }
    sim.executor.run(RUN + 60_000 * MS);
    let mut world = sim.world();
    world.counts.unknown = world.entries.iter().filter(|entry| entry.fate == Fate::Unknown).count() as u64;
    Run {
        counts: world.counts.clone(),
        violations: std::mem::take(&mut world.violations),
        trace: std::mem::take(&mut world.trace),
    }
}

/// Another seed every time, printed; `PARLOUR_SEED` plays one again.
fn seed() -> u64 {
    let seed = match std::env::var("PARLOUR_SEED") {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("PARLOUR_SEED is `{text}`: write a number")),
        Err(_) => std::time::UNIX_EPOCH.elapsed().expect("a clock after 1970").as_nanos() as u64,
    };
    println!("PARLOUR_SEED={seed} plays this again");
    seed
}

#[test]
fn nothing_acknowledged_is_lost_whatever_goes_wrong() {
    // A million with `PARLOUR_LONG`.
    let wanted = if std::env::var_os("PARLOUR_LONG").is_some() { 1_000_000 } else { 2_000 };
    let mut seeds = SplitMix(seed());
    let (mut sum, mut runs) = (Counts::default(), 0);
    while sum.faults < wanted {
        let seed = seeds.bits();
        let run = play(seed, Plant::None);
        assert!(run.violations.is_empty(), "run {seed}: {:#?}", run.violations);
        let one = run.counts;
        runs += 1;
        sum.faults += one.faults;
        sum.mishaps += one.mishaps;
        sum.taken_over += one.taken_over;
        sum.acknowledged += one.acknowledged;
        sum.superseded += one.superseded;
        sum.unsettled += one.unsettled;
        sum.unknown += one.unknown;
    }
    println!("{runs} runs: {sum:?}");
    // It was worth looking at.
    let least = sum.faults / 10;
    assert!(sum.taken_over > least && sum.acknowledged > sum.faults, "{sum:?}");
    assert!(sum.superseded > 0 && sum.unsettled > 0 && sum.unknown > 0, "{sum:?}");
    assert!(sum.mishaps > least, "{sum:?}");
}

#[test]
fn the_same_seed_is_the_same_run() {
    let [one, again, other] = [5, 5, 6].map(|seed| play(seed, Plant::None).trace);
    assert!(one.len() > 100_000 && one == again && one != other);
}

#[test]
fn planted_faults_are_found() {
    let mut seeds = SplitMix(seed());
    for plant in [Plant::NoCondition, Plant::LeaseBelieved, Plant::NotSynced] {
        let found = (0..20).find_map(|_| play(seeds.bits(), plant).violations.into_iter().next());
        println!("{plant:?}: {}", found.unwrap_or_else(|| panic!("{plant:?} was not found in twenty runs")));
    }
}
