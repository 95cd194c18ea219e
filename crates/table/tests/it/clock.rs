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
    let took = rig.log().1.into_iter().flat_map(|e| e.notes);
    assert!(took.into_iter().any(|n| matches!(n, record::Note::Took { .. })));
}
