//! A table where nobody is can be dropped from memory, once the disk has all of it; it is opened again as it was.

use super::*;
use game::{Game as _, Seat, Viewer};
use record::fair::Bytes32;
use rig::person;
use table::{Trial, Who, glance};
use wire::{Act, Stage};

fn falls_asleep(rig: &Rig<Toy>) -> bool {
    rig.table.may_sleep(&rig.tables.saved())
}

#[test]
fn a_table_sleeps_only_where_nothing_is_lost_by_it() {
    let (rig, mut ann, mut bob) = two();
    assert!(!falls_asleep(&rig), "somebody is there");
    let card = ann.client.view().unwrap().hand[0];
    ann.client.command(Command::Play(card));
    ann.pump(rig.host_now());
    ann.cut();
    bob.cut();
    assert!(!falls_asleep(&rig), "a move is on its way to the disk");
    rig.quiet(&mut []);
    let held = rig.table.clone();
    assert!(!falls_asleep(&rig), "somebody else has hold of it");
    drop(held);
    assert!(!rig.table.may_sleep("{}"), "the disk has something else");
    assert!(falls_asleep(&rig), "which was set right");
    // Who watches keeps it awake, too.
    let mut carl = Peer::new("");
    carl.open(&rig.table);
    carl.pump(rig.host_now());
    assert!(!falls_asleep(&rig));
    carl.cut();
    rig.quiet(&mut []);
    assert!(falls_asleep(&rig));
}

#[test]
fn a_table_wakes_as_it_fell_asleep() {
    let (rig, mut ann, mut bob) = two();
    rig.pass(1000, &mut [&mut ann, &mut bob]);
    let card = ann.client.view().unwrap().hand[0];
    ann.client.command(Command::Play(card));
    // Nothing happens for three seconds of bob's turn: no entry says so.
    rig.pass(3000, &mut [&mut ann, &mut bob]);
    ann.cut();
    bob.cut();
    rig.quiet(&mut []);
    let before = rig.table.state();
    assert_eq!(before.at, Millis(4000));
    let seen = rig.table.glance();
    let asleep = glance::<Rules>(&rig.tables.saved());
    assert_eq!(asleep, Ok((seen.clone(), rig.table.rules())), "asleep it looks as it does awake");
    assert_eq!((seen.stage, seen.left > 0, seen.at_start), (Stage::Playing, true, false));
    assert_eq!(seen.seats, [Some(Who::Person(person("ann"))), Some(Who::Person(person("bob")))]);
    assert!(falls_asleep(&rig));
    let rig = rig.restarted();
    rig.pass(3_600_000, &mut []);
    assert_eq!(rig.table.state(), before);
    // Bob has the two seconds that he had left, and not one more.
    bob.open(&rig.table);
    rig.pass(1900, &mut [&mut bob]);
    assert_eq!(rig.truth().view(Viewer::Table).left, 5);
    rig.pass(200, &mut [&mut bob]);
    assert_eq!(rig.truth().view(Viewer::Table).left, 4);
}

#[test]
fn a_trial_is_awake_as_long_as_its_clock_goes_on() {
    let trial = Trial { name: "one/2026-01-31".to_owned(), seed: Bytes32([3; 32]) };
    let rig = Rig::of(Rules::default(), 1, bots(), 1, Some(trial));
    rig.table.act(&person("ann"), &Act::Sit { seat: Seat(0) }).unwrap();
    rig.table.act(&person("ann"), &Act::Start).unwrap();
    rig.quiet(&mut []);
    assert!(falls_asleep(&rig), "its player has not come, and has seen no card");
    let mut ann = Peer::new("ann");
    ann.open(&rig.table);
    rig.pass(1000, &mut [&mut ann]);
    ann.cut();
    rig.quiet(&mut []);
    assert!(!falls_asleep(&rig));
    let seen = rig.table.glance();
    assert!(seen.trial && !seen.at_start);
    rig.pass(2 * u64::from(toy::TURN), &mut []);
    assert_eq!(rig.truth().hands[0].len(), 1, "its alarms ring");
}

#[test]
fn a_match_that_nobody_comes_back_to_is_ended_without_a_result() {
    let (rig, mut ann, mut bob) = two();
    assert!(!rig.table.abandon(), "somebody is there");
    ann.cut();
    bob.cut();
    assert!(rig.table.abandon());
    rig.quiet(&mut []);
    assert_eq!(rig.table.glance().stage, Stage::Over);
    assert_eq!(rig.tables.finished.lock().unwrap()[0].outcome, None);
    assert!(!rig.table.abandon(), "it is over");
    assert!(falls_asleep(&rig));
    let rig = rig.restarted();
    ann.open(&rig.table);
    rig.quiet(&mut [&mut ann]);
    assert_eq!(ann.client.table().unwrap().stage, Stage::Over);
    assert_eq!(ann.client.view(), Some(&rig.truth().view(Viewer::Seat(Seat(0)))));
}

#[test]
fn a_match_that_is_over_is_read_once_for_all_who_come_to_see_it() {
    let (rig, ann, bob) = two();
    drop((ann, bob));
    assert!(rig.table.abandon());
    rig.quiet(&mut []);
    let mut peers: Vec<Peer<Toy>> = (0..10).map(|_| Peer::new("")).collect();
    for peer in &mut peers {
        peer.open(&rig.table);
        peer.pump(rig.host_now());
    }
    let mut reads = rig.work();
    // However often they ask for it.
    for _ in 0..9 {
        for peer in &mut peers {
            peer.pump(rig.host_now());
            assert_eq!(peer.client.view(), Some(&rig.truth().view(Viewer::Table)));
            peer.send("\"resync\"");
            peer.pump(rig.host_now());
        }
        rig.pass_with(1000, || reads += rig.work());
    }
    assert_eq!(reads, 1);
    // Then it is let go, and read again for the next who wants it.
    rig.pass_with(1500, || reads += rig.work());
    assert_eq!(reads, 1);
    peers[0].send("\"resync\"");
    peers[0].pump(rig.host_now());
    rig.pass_with(1500, || reads += rig.work());
    assert_eq!(reads, 2);
}

#[test]
fn of_a_closed_table_nothing_is_kept_and_nobody_comes_in() {
    let (rig, mut ann, mut bob) = two();
    rig.table.close();
    rig.tables.saved.lock().unwrap().clear();
    let mut carl = Peer::new("carl");
    carl.open(&rig.table);
    for peer in [&mut ann, &mut bob, &mut carl] {
        peer.pump(rig.host_now());
        assert!(*peer.tape.closed.lock().unwrap());
        peer.cut();
    }
    let _ = rig.table.act(&person("ann"), &Act::Stand);
    rig.pass(60_000, &mut []);
    assert_eq!(rig.tables.saved(), "");
}
