//! What tables keep in memory, counted in bytes taken from the heap.

use super::*;
use game::Seat;
use rulebook::Match;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use wire::{Act, Stage};

/// Counts what the thread has taken from the heap and not given back.
struct Counting;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
}

fn count(bytes: isize) {
    let _ = HELD.try_with(|held| held.set(held.get() + bytes));
}

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize - layout.size() as isize);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static HEAP: Counting = Counting;

/// What is given back when this is dropped.
fn held<T>(thing: T) -> isize {
    let before = HELD.get();
    drop(thing);
    before - HELD.get()
}

/// A table of bots and one person who watches it, played until `stage`, or for `millis`.
fn played(preset: &str, seats: u8, stage: Stage, millis: u64) -> (Rig<Match>, Peer<Match>) {
    let rules = (*rulebook::preset(preset).unwrap().rules(seats).unwrap()).clone();
    let rig = Rig::<Match>::new(rules, seats, Arc::new(bots::make), 11);
    let mut ann = Peer::new("ann");
    ann.open(&rig.table);
    ann.pump(rig.host_now());
    for seat in 0..seats {
        ann.client.act(Act::Bot { seat: Seat(seat), kind: "random".to_owned() });
    }
    if stage != Stage::Lobby {
        ann.client.act(Act::Start);
    }
    let mut passed = 0;
    rig.quiet(&mut [&mut ann]);
    while passed < millis && (stage == Stage::Playing || rig.table.state().stage != stage) {
        rig.pass(10_000, &mut [&mut ann]);
        passed += 10_000;
    }
    assert_eq!(rig.table.state().stage, stage, "{preset} after {passed} ms");
    (rig, ann)
}

/// Bytes that a table of a game keeps while somebody looks at it: before a match, in it, and after it.
fn check(preset: &str, seats: u8, most_after: isize) {
    let bytes = |stage, millis| {
        let (rig, ann) = played(preset, seats, stage, millis);
        // The socket keeps the table, too.
        let Rig { table, .. } = rig;
        drop(table);
        held(ann.connection)
    };
    let before = bytes(Stage::Lobby, 0);
    let in_it = bytes(Stage::Playing, 60_000);
    let after = bytes(Stage::Over, 100 * 3_600_000);
    println!("{preset} for {seats}: {before} bytes before a match, {in_it} in it, {after} after it");
    assert!(
        after - before <= most_after,
        "{preset} for {seats} keeps {} bytes of a match that is over",
        after - before
    );
}

#[test]
fn a_match_that_is_over_is_let_go() {
    check("contract", 4, 1000);
    check("12-step", 2, 1000);
    check("set-classic", 3, 1000);
}
