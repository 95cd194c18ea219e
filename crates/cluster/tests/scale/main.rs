//! Placement and takeover in a house of a hundred nodes. `cargo run --release -p parlour-cluster --example scale` plays it with a
//! thousand nodes and a million tables.

mod house;

use cluster::{GONE, NodeId, PARTITIONS, Partition, chosen};
use house::{Costs, End, House};

const COSTS: Costs = Costs { append: 20, takings: 3_000, restored: 5_000, starts: 1_500 };
const NODES: usize = 40;

fn house() -> House {
    let mut house = House::start(NODES, 20_000, COSTS, 7);
    house.settle(60_000).expect("they share");
    house.seen = house::Seen::default();
    house
}

#[test]
fn when_nodes_end_only_their_tables_stand_still_and_not_for_long() {
    for (end, bar) in [(End::Killed, 1_500), (End::Silent, 2_500)] {
        for count in [1, NODES / 10, NODES / 3] {
            let mut house = house();
            let before = house.load();
            let ended: Vec<usize> = (0..count).map(|number| 2 * number + 1).collect();
            ended.iter().for_each(|&number| house.end(number, end));
            house.settle(30_000).expect("they share again");
            let tables: u64 = ended.iter().map(|&number| before[number]).sum();
            assert_eq!(house.seen.tables(), tables, "{count} {end:?}: tables of others stood still");
            assert_eq!(house.seen.taken_from_others, 0, "{count} {end:?}");
            let longest = house.seen.at(100);
            assert!(longest < bar, "{count} {end:?}: {longest} ms");
            // Who is silent is given time.
            assert!(end == End::Killed || house.seen.at(1) + 300 > GONE, "{}", house.seen.at(1));
        }
    }
}

#[test]
fn a_rolling_restart_moves_each_table_twice_and_leaves_all_as_it_was() {
    let mut house = house();
    let before = house.load();
    for number in 0..NODES {
        house.leave(number);
        while !house.has_left(number) {
            house.step();
        }
        house.end(number, End::Killed);
        house.start_again(number);
        house.settle(30_000).expect("they share again");
    }
    assert_eq!(house.load(), before, "each has what it had");
    assert_eq!(house.seen.moved, 2 * u64::from(PARTITIONS));
    assert!(house.seen.at(100) < 500, "{} ms", house.seen.at(100));
}

/// What rendezvous hashing is chosen for, whatever the number of partitions.
#[test]
fn a_node_that_comes_takes_its_share_and_nothing_else_moves() {
    let nodes: Vec<NodeId> =
        (0..NODES).map(|n| NodeId::new(&format!("node-{n}"), 1).expect("a name")).collect();
    let (before, after) = (&nodes[1..], &nodes[..]);
    let mut moved = 0;
    for partition in (0..u16::MAX).map(Partition) {
        let [old, new] = [before, after].map(|nodes| chosen(partition, nodes).expect("one"));
        assert!(old == new || *new == nodes[0], "{partition} went from {old} to {new}");
        moved += usize::from(old != new);
    }
    let share = usize::from(u16::MAX) / NODES;
    assert!(moved.abs_diff(share) < share / 5, "{moved} and not some {share}");
}

#[test]
fn what_nodes_say_of_themselves_is_little_in_a_house_of_forty() {
    let house = house();
    let bits = NODES as f64 * house.beat_bytes() * 8.0 * 1000.0 / cluster::BEAT as f64;
    assert!(bits < 1e6, "each node hears {bits} bits a second");
}
