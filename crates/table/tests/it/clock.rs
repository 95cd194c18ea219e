//! Match time stands still while nobody is connected, on request, and while no server runs.

use super::*;
use game::{Game as _, Seat, Viewer};
use wire::{Act, Answer, Paused};

#[test]
fn clock_runs_and_alarms_ring() {
    let (rig, mut ann, mut bob) = two();
    rig.pass(u64::from(toy::TURN) + 10, &mut [&mut ann, &mut bob]);
    assert_eq!(ann.client.view().unwrap().hand.len(), 2);
    let ring = rig.log().1.pop().unwrap();
    assert_eq!(ring.at, Millis(toy::TURN), "an alarm counts from when it was due");
}

#[test]
fn clock_stands_still_while_nobody_is_connected() {
    let (rig, mut ann, mut bob) = two();
    rig.pass(2000, &mut [&mut ann, &mut bob]);
    bob.cut();
    rig.pass(10, &mut [&mut ann]);
    assert!(rig.truth().view(Viewer::Table).absent.has(Seat(1)));
    ann.cut();
    rig.pass(3_600_000, &mut []);
    assert_eq!(rig.truth().view(Viewer::Table).left, 6, "no turn ran out");
    bob.open(&rig.table);
    rig.pass(10, &mut [&mut bob]);
    let absent = rig.truth().view(Viewer::Table).absent;
    assert!(absent.has(Seat(0)) && !absent.has(Seat(1)), "{absent:?}");
    // 2010 ms of the turn had gone, and 10 since; the hour does not count.
    rig.pass(u64::from(toy::TURN) - 2020 - 20, &mut [&mut bob]);
    assert_eq!(rig.truth().view(Viewer::Table).left, 6);
    rig.pass(40, &mut [&mut bob]);
    assert_eq!(rig.truth().view(Viewer::Table).left, 5);
    let stood = rig.log().1.into_iter().flat_map(|e| e.notes);
    let stood: Vec<_> = stood.filter(|n| matches!(n, record::Note::Stood { .. })).collect();
    assert!(
        matches!(stood[..], [record::Note::Stood { millis: 3_600_000, why: record::Pause::Nobody }]),
        "{stood:?}"
    );
}

#[test]
fn clock_stands_still_on_request() {
    let (rig, mut ann, mut bob) = two();
    bob.client.act(Act::Pause);
    rig.quiet(&mut [&mut ann, &mut bob]);
    assert!(
        bob.changes.iter().any(|c| matches!(c, wire::client::Change::Declined { .. })),
        "only the host may pause"
    );
    ann.client.act(Act::Pause);
    rig.pass(60_000, &mut [&mut ann, &mut bob]);
    assert_eq!(bob.client.table().unwrap().paused, Some(Paused::Asked));
    assert_eq!(rig.truth().view(Viewer::Table).left, 6);
    ann.client.command(Command::Flag);
    rig.quiet(&mut [&mut ann, &mut bob]);
    assert!(matches!(ann.answer(), Some(Answer::NotNow { .. })));
    ann.client.act(Act::Resume);
    rig.pass(u64::from(toy::TURN) + 10, &mut [&mut ann, &mut bob]);
    assert_eq!(rig.truth().view(Viewer::Table).left, 5);
}

#[test]
fn clock_stands_still_while_no_server_runs() {
    let (rig, mut ann, mut bob) = two();
    rig.pass(3000, &mut [&mut ann, &mut bob]);
    ann.client.command(Command::Flag);
    rig.quiet(&mut [&mut ann, &mut bob]);
    ann.cut();
    bob.cut();
    let rig = rig.restarted();
    rig.pass(3_600_000, &mut []);
    ann.open(&rig.table);
    bob.open(&rig.table);
    rig.pass(u64::from(toy::TURN) - 3000 - 50, &mut [&mut ann, &mut bob]);
    assert_eq!(rig.truth().view(Viewer::Table).left, 6);
    rig.pass(100, &mut [&mut ann, &mut bob]);
    assert_eq!(rig.truth().view(Viewer::Table).left, 5);
    // Whoever took it over says so, and for how long nobody was there.
    let stood = "[Took { engine: \"E\" }, Stood { millis: 3600000, why: Nobody }]";
    assert_eq!(standstills(&rig).replace(record::ENGINE, "E"), stood);
}

/// What the record says of who took the match over, and of when its time stood still.
fn standstills(rig: &Rig<Toy>) -> String {
    let notes = rig.log().1.into_iter().flat_map(|e| e.notes);
    let told = notes.filter(|n| matches!(n, record::Note::Took { .. } | record::Note::Stood { .. }));
    format!("{:?}", told.collect::<Vec<_>>())
}

#[test]
fn whoever_takes_over_says_for_how_long_nobody_ran_the_match() {
    let (rig, mut ann, mut bob) = two();
    rig.pass(3000, &mut [&mut ann, &mut bob]);
    ann.client.command(Command::Flag);
    rig.quiet(&mut [&mut ann, &mut bob]);
    // Nothing is saved with a move: that it came 3 s after the start is known from match time.
    let rig = rig.killed(2500, &mut [&mut ann, &mut bob]);
    rig.pass(700, &mut []);
    ann.open(&rig.table);
    bob.open(&rig.table);
    rig.pass(u64::from(toy::TURN) + 50, &mut [&mut ann, &mut bob]);
    let told = standstills(&rig).replace(record::ENGINE, "E");
    assert_eq!(
        told,
        "[Took { engine: \"E\" }, Stood { millis: 2500, why: Down }, Stood { millis: 700, why: Nobody }]"
    );
    assert_eq!(rig.truth().view(Viewer::Table).left, 5, "and none of it was of the turn");
    // What the host has stopped stands still for that.
    ann.client.act(Act::Pause);
    rig.quiet(&mut [&mut ann, &mut bob]);
    let rig = rig.killed(4000, &mut [&mut ann, &mut bob]);
    ann.open(&rig.table);
    rig.pass(1000, &mut [&mut ann]);
    ann.client.act(Act::Resume);
    rig.pass(u64::from(toy::TURN) + 50, &mut [&mut ann]);
    let told = standstills(&rig);
    assert!(told.ends_with("Stood { millis: 5000, why: Asked }]"), "{told}");
}
