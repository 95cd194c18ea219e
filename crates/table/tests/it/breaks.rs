//! Whatever breaks down, breaks down alone: the table goes back to what is durable and on from there, and whoever called into it
//! (the clock, the journal, a socket) goes on.

use super::*;
use game::{Game as _, Seat, Viewer};
use rig::person;
use toy::{Where, plant, planted};
use wire::client::Change;
use wire::{Act, Answer, Paused, Stage};

/// Everybody sees the match as its log has it, and it goes on.
fn well(rig: &Rig<Toy>, peers: &mut [&mut Peer<Toy>; 2]) {
    assert_eq!(planted(), 0, "it did break down");
    rig.pass(1200, peers);
    assert_eq!(rig.table.state().paused, None);
    for (seat, peer) in (0..).zip(peers.iter_mut()) {
        assert_eq!(peer.client.view(), Some(&rig.truth().view(Viewer::Seat(Seat(seat)))));
        assert_eq!(peer.client.unanswered().count(), 0);
    }
    peers[0].client.command(Command::Flag);
    peers[1].client.command(Command::Flag);
    rig.quiet(peers);
    assert_eq!((peers[0].answer(), peers[1].answer()), (Some(&Answer::Done), Some(&Answer::Done)));
}

#[test]
fn a_table_that_breaks_down_over_a_move_goes_back_to_what_is_durable() {
    for (place, done) in [(Where::Judging, false), (Where::TakingIn, false), (Where::Sending, true)] {
        let (rig, mut ann, mut bob) = two();
        let mut carl = Peer::new("");
        carl.open(&rig.table);
        rig.quiet(&mut [&mut ann, &mut bob, &mut carl]);
        let card = ann.client.view().unwrap().hand[0];
        plant(place, 1);
        ann.client.command(Command::Play(card));
        rig.quiet(&mut [&mut ann, &mut bob, &mut carl]);
        match ann.answer() {
            Some(Answer::Done) => assert!(done, "{place:?}"),
            Some(Answer::NotNow { text, .. }) => {
                assert!(!done && text.contains("broke down"), "{place:?}: {text}")
            }
            other => panic!("{place:?}: {other:?}"),
        }
        assert_eq!(rig.truth().hands[0].contains(&card), !done, "{place:?}");
        well(&rig, &mut [&mut ann, &mut bob]);
        rig.quiet(&mut [&mut carl]);
        assert_eq!(carl.client.view(), Some(&rig.truth().view(Viewer::Table)));
    }
}

#[test]
fn a_table_that_breaks_down_when_woken_is_woken_again() {
    let (rig, mut ann, mut bob) = two();
    plant(Where::Ringing, 1);
    rig.pass(u64::from(toy::TURN) + 10, &mut [&mut ann, &mut bob]);
    well(&rig, &mut [&mut ann, &mut bob]);
    assert_eq!(rig.truth().view(Viewer::Table).left, 5, "the alarm rang after all");
}

#[test]
fn a_table_that_breaks_down_again_and_again_stands_still() {
    let (rig, mut ann, mut bob) = two();
    plant(Where::Ringing, 1000);
    rig.pass(60_000, &mut [&mut ann, &mut bob]);
    assert!(planted() > 990, "it does not go on breaking down");
    let paused = bob.client.table().unwrap().paused.clone();
    assert!(
        matches!(&paused, Some(Paused::Unreadable { text }) if text.contains("breaks down")),
        "{paused:?}"
    );
    assert!(rig.log().1.len() < 20, "nor does its log grow");
    ann.cut();
    bob.cut();
    let before = rig.woken();
    rig.pass(3_600_000, &mut []);
    assert!(rig.woken() <= before + 2, "{} wake-ups", rig.woken() - before);
    // A program without that fault goes on with it.
    plant(Where::Ringing, 0);
    let rig = rig.restarted();
    ann.open(&rig.table);
    bob.open(&rig.table);
    rig.quiet(&mut [&mut ann, &mut bob]);
    well(&rig, &mut [&mut ann, &mut bob]);
}

#[test]
fn a_log_over_which_the_rules_break_down_is_kept() {
    let (rig, mut ann, mut bob) = two();
    let card = ann.client.view().unwrap().hand[0];
    ann.client.command(Command::Play(card));
    rig.quiet(&mut [&mut ann, &mut bob]);
    plant(Where::TakingIn, 1);
    let rig = rig.restarted();
    ann.open(&rig.table);
    rig.quiet(&mut [&mut ann]);
    let paused = ann.client.table().unwrap().paused.clone();
    assert!(
        matches!(&paused, Some(Paused::Unreadable { text }) if text.contains("break down")),
        "{paused:?}"
    );
    assert_eq!(rig.truth().gone, [card]);
}

#[test]
fn a_bot_that_breaks_down_is_replaced() {
    let rig = rig(Rules::default(), 2);
    let mut ann = with_a_bot(&rig);
    plant(Where::Thinking, 1);
    rig.pass(40_000, &mut [&mut ann]);
    assert_eq!(planted(), 0);
    let bot = |entry: &record::EntryOf<Toy>| {
        matches!(entry.cause, record::Cause::Seat { seat: Seat(1), bot: true, .. })
    };
    assert!(rig.log().1.iter().any(bot), "another one plays on");
}

#[test]
fn a_table_that_breaks_down_over_an_act_is_as_it_was() {
    let rig = rig(Rules::default(), 2);
    let (mut ann, mut bob) = (Peer::new("ann"), Peer::new("bob"));
    for (seat, peer) in [&mut ann, &mut bob].into_iter().enumerate() {
        peer.open(&rig.table);
        peer.pump(rig.host_now());
        peer.client.act(Act::Sit { seat: Seat(seat as u8) });
        peer.client.act(Act::Ready { ready: true });
        rig.quiet(&mut [peer]);
    }
    let before = rig.table.state();
    plant(Where::Opening, 2);
    ann.client.act(Act::Start);
    rig.quiet(&mut [&mut ann, &mut bob]);
    let declined =
        ann.changes.iter().any(|c| matches!(c, Change::Declined { text, .. } if text.contains("broke down")));
    assert!(declined, "{:?}", ann.changes);
    assert!(rig.table.act(&person("ann"), &Act::Start).is_err_and(|why| why.words().contains("broke down")));
    assert_eq!((rig.table.state(), planted()), (before, 0));
    // What broke down when the match had begun, did not keep it from beginning.
    plant(Where::Showing, 1);
    ann.client.act(Act::Start);
    rig.quiet(&mut [&mut ann, &mut bob]);
    assert_eq!(rig.table.state().stage, Stage::Playing);
    well(&rig, &mut [&mut ann, &mut bob]);
}

#[test]
fn rules_that_want_chance_for_ever_stop_their_table() {
    let rig = rig(Rules { endless: true, ..Rules::default() }, 2);
    let (mut ann, mut bob) = (Peer::new("ann"), Peer::new("bob"));
    rig.start(&mut [&mut ann, &mut bob]);
    rig.pass(1200, &mut [&mut ann, &mut bob]);
    let Some(Paused::Unreadable { text }) = rig.table.state().paused else {
        panic!("{:?}", rig.table.state().paused)
    };
    assert!(text.contains("ask for chance for ever"), "{text}");
    let written = rig.log().1.len();
    rig.pass(60_000, &mut [&mut ann, &mut bob]);
    assert_eq!(rig.log().1.len(), written, "nothing more is dealt");
}
