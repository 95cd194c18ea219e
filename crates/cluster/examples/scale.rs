//! Placement and takeover where many nodes share many tables, by the program's own [`cluster::Members`]:
//! `cargo run --release -p parlour-cluster --example scale -- [NODES [TABLES [RESTARTED-AT-ONCE]]]`, 1,000 nodes, 1,000,000 tables and 20
//! unless said otherwise. Then how evenly other numbers of partitions would divide the tables, without playing it.

#[path = "../tests/scale/house.rs"]
mod house;

use cluster::{BEAT, GIVEN_AT_ONCE, GONE, LATE, NodeId, PARTITIONS, Partition, chosen};
use house::{Costs, End, House, Seen};
use std::time::Instant;

/// Measured (docs/cluster.md says where): an append while the servers have other work; takings over that the servers bear; a table
/// that is read from the disk and folded; a process that ends, starts and reads what it missed.
const COSTS: Costs = Costs { append: 20, takings: 3_000, restored: 5_000, starts: 1_500 };

fn report(what: &str, house: &mut House, took: Option<u64>) {
    let seen = std::mem::take(&mut house.seen);
    println!(
        "| {what} | {} | {} | {} | {} | {} | {} |",
        seen.moved,
        seen.tables(),
        seen.at(50),
        seen.at(99),
        seen.at(100),
        took.map_or("not settled".to_owned(), |took| format!("{:.1} s", took as f64 / 1000.0))
    );
}

fn evenness(load: &[u64]) -> String {
    let mean = load.iter().sum::<u64>() as f64 / load.len() as f64;
    let idle = load.iter().filter(|&&tables| tables == 0).count();
    let most = load.iter().max().copied().unwrap_or(0) as f64 / mean;
    format!("the fullest node has {most:.2} times the mean, {idle} of {} have nothing", load.len())
}

fn end_some(house: &mut House, count: usize, end: End, what: &str) {
    let mut ended = Vec::new();
    while ended.len() < count {
        let there = house.there();
        let number = there[house.below(there.len() as u64) as usize];
        house.end(number, end);
        ended.push(number);
    }
    let took = house.settle(60_000);
    report(what, house, took);
    ended.iter().for_each(|&number| house.start_again(number));
    let took = house.settle(120_000);
    report("they come back", house, took);
}

/// Restarts all, so many at once.
fn roll(house: &mut House, nodes: usize, at_once: usize) {
    let began = house.now;
    let all: Vec<usize> = (0..nodes).collect();
    for some in all.chunks(at_once) {
        some.iter().for_each(|&number| house.leave(number));
        while !some.iter().all(|&number| house.has_left(number)) {
            house.step();
        }
        for &number in some {
            house.end(number, End::Killed);
            house.start_again(number);
        }
        if house.settle(60_000).is_none() {
            println!("not settled within a minute");
        }
    }
    let took = house.now - began;
    report(&format!("all are restarted, {at_once} at once"), house, Some(took));
}

fn main() {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let at = |place: usize, or: u64| numbers.get(place).copied().unwrap_or(or);
    let (nodes, tables, at_once) = (at(0, 1_000) as usize, at(1, 1_000_000), at(2, 20) as usize);
    println!("{nodes} nodes, {tables} tables, {PARTITIONS} partitions; {COSTS:?}");
    println!(
        "a beat each {BEAT} ms, asked after {LATE} ms, gone after {GONE} ms, {GIVEN_AT_ONCE} given at once\n"
    );
    let began = Instant::now();
    let mut house = House::start(nodes, tables, COSTS, 1);
    println!(
        "| what happens | partitions that move | tables that stand still | median, ms | 99 % | longest | until all is settled |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    let took = house.settle(120_000);
    report("all start within a second", &mut house, took);
    let load = house.load();
    for (end, word) in [(End::Killed, "killed"), (End::Silent, "silent")] {
        end_some(&mut house, 1, end, &format!("one node is {word}"));
        end_some(&mut house, nodes / 10, end, &format!("a tenth is {word}"));
        end_some(&mut house, nodes / 3, end, &format!("a third is {word}"));
    }
    roll(&mut house, nodes, at_once);
    let bytes = house.beat_bytes();
    let heard = nodes as f64 * 1000.0 / BEAT as f64;
    println!("\nLoad: {}.", evenness(&load));
    println!(
        "Beats: {bytes:.0} bytes each; a node hears {heard:.0} a second, {:.1} Mbit/s; the servers send {:.2} million a second, {:.2} GB/s.",
        heard * bytes * 8e-6,
        heard * nodes as f64 * 1e-6,
        heard * nodes as f64 * bytes * 1e-9
    );
    println!("Played {:.0} s in {:.0} s.\n", house.now as f64 / 1000.0, began.elapsed().as_secs_f64());
    let _: Seen = std::mem::take(&mut house.seen);
    divisions();
}

/// How evenly other numbers of partitions would lie on other numbers of nodes.
fn divisions() {
    println!("| nodes | partitions | the fullest node, of the mean | the emptiest | nodes without any |");
    println!("| --- | --- | --- | --- | --- |");
    for nodes in [3, 5, 10, 30, 100, 300, 1000] {
        for partitions in [256, 1024, 4096, 16_384] {
            // The mean of several houses: names are chance.
            let (mut most, mut least, mut idle) = (0.0, 0.0, 0);
            const HOUSES: usize = 10;
            for house in 0..HOUSES {
                let ids: Vec<NodeId> = (0..nodes)
                    .map(|number| NodeId::new(&format!("h{house}-{number}"), 1).expect("a name"))
                    .collect();
                let mut has = std::collections::BTreeMap::new();
                for partition in (0..partitions).map(Partition) {
                    *has.entry(chosen(partition, &ids).expect("one")).or_insert(0u32) += 1;
                }
                let mean = f64::from(partitions) / nodes as f64;
                most += f64::from(has.values().max().copied().unwrap_or(0)) / mean;
                let emptiest = if has.len() < nodes { 0 } else { has.values().min().copied().unwrap_or(0) };
                least += f64::from(emptiest) / mean;
                idle += nodes - has.len();
            }
            let houses = HOUSES as f64;
            println!(
                "| {nodes} | {partitions} | {:.2} | {:.2} | {:.1} |",
                most / houses,
                least / houses,
                idle as f64 / houses
            );
        }
    }
}
