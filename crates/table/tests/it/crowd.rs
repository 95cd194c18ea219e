//! What many strangers do to a table costs its players nothing that grows with their number.

use super::*;
use game::Seat;
use std::sync::atomic::{AtomicBool, Ordering};
use table::{Outlet, Person};
use wire::{Act, Stage};

fn two() -> (Rig<Toy>, Peer<Toy>, Peer<Toy>) {
    let rig = rig(Rules::default(), 2);
    let (mut ann, mut bob) = (Peer::new("ann"), Peer::new("bob"));
    rig.start(&mut [&mut ann, &mut bob]);
    (rig, ann, bob)
}

/// Frames of this kind that came to a peer since the last look.
fn came(peer: &mut Peer<Toy>, kind: &str) -> usize {
    let kind = format!("{{\"{kind}\":");
    let count = peer.heard.iter().filter(|frame| frame.starts_with(&kind)).count();
    peer.heard.clear();
    count
}

#[test]
fn who_comes_to_watch_is_told_of_later_and_together() {
    let (rig, mut ann, mut bob) = two();
    rig.pass(10_000, &mut [&mut ann, &mut bob]);
    came(&mut ann, "table");
    let mut watching = vec![];
    for round in 0..20 {
        for _ in 0..50 {
            let mut stranger = Peer::new("");
            stranger.open(&rig.table);
            stranger.pump(rig.host_now());
            // Every second one leaves at once.
            if watching.len() < 25 * round {
                watching.push(stranger);
            }
        }
        rig.pass(100, &mut [&mut ann, &mut bob]);
    }
    rig.pass(3000, &mut [&mut ann, &mut bob]);
    let told = came(&mut ann, "table");
    assert!((1..=3).contains(&told), "{told} in five seconds");
    assert_eq!(usize::from(ann.client.table().unwrap().watching), watching.len());
    drop(watching);
    rig.pass(3000, &mut [&mut ann, &mut bob]);
    assert_eq!((came(&mut ann, "table"), ann.client.table().unwrap().watching), (1, 0));
}

#[test]
fn changes_of_the_table_are_joined_but_a_pause_is_told_at_once() {
    let rig = rig(Rules::default(), 3);
    let (mut ann, mut bob, mut carl) = (Peer::new("ann"), Peer::new("bob"), Peer::new("carl"));
    for peer in [&mut ann, &mut bob, &mut carl] {
        peer.open(&rig.table);
        rig.quiet(&mut [peer]);
    }
    ann.client.act(Act::Sit { seat: Seat(0) });
    bob.client.act(Act::Sit { seat: Seat(1) });
    rig.pass(1000, &mut [&mut ann, &mut bob, &mut carl]);
    came(&mut ann, "table");
    for n in 0..100 {
        bob.client.act(Act::Ready { ready: n % 2 == 0 });
        rig.pass(10, &mut [&mut ann, &mut bob]);
    }
    rig.pass(1000, &mut [&mut ann, &mut bob, &mut carl]);
    let told = came(&mut ann, "table");
    assert!((5..=7).contains(&told), "{told} in a second");
    assert!(!ann.client.table().unwrap().seats[1].ready);
    bob.client.act(Act::Ready { ready: true });
    rig.quiet(&mut [&mut ann, &mut bob]);
    ann.client.act(Act::Start);
    for paused in [true, false, true] {
        rig.quiet(&mut [&mut ann, &mut bob]);
        assert_eq!(bob.client.table().unwrap().stage, Stage::Playing);
        ann.client.act(if paused { Act::Pause } else { Act::Resume });
        rig.quiet(&mut [&mut ann, &mut bob]);
        assert_eq!(bob.client.table().unwrap().paused.is_some(), paused);
    }
}

#[test]
fn a_fresh_view_comes_once_a_second_however_often_it_is_asked_for() {
    let (rig, mut ann, mut bob) = two();
    rig.pass(10_000, &mut [&mut ann, &mut bob]);
    came(&mut ann, "view");
    for _ in 0..300 {
        ann.send("\"resync\"");
        rig.pass(10, &mut [&mut ann, &mut bob]);
    }
    assert_eq!(came(&mut ann, "view"), 3 + 1);
    rig.pass(10_000, &mut [&mut ann, &mut bob]);
    assert_eq!(came(&mut ann, "view"), 0, "those that were asked for together came together");
    ann.send("\"resync\"");
    rig.quiet(&mut [&mut ann, &mut bob]);
    assert_eq!(came(&mut ann, "view"), 1, "at once when it is the first for long");
}

#[test]
fn who_sits_down_and_stands_up_all_the_time_is_not_shown_everything_each_time() {
    let (rig, mut ann, mut bob) = two();
    for peer in [&mut ann, &mut bob] {
        peer.client.act(Act::End { agree: true });
    }
    rig.pass(10_000, &mut [&mut ann, &mut bob]);
    assert_eq!(ann.client.table().unwrap().stage, Stage::Over);
    came(&mut bob, "view");
    for _ in 0..100 {
        bob.client.act(Act::Stand);
        bob.client.act(Act::Sit { seat: Seat(1) });
        rig.pass(20, &mut [&mut ann, &mut bob]);
    }
    let views = came(&mut bob, "view");
    assert!((2..=8).contains(&views), "{views} in two seconds");
    rig.pass(10_000, &mut [&mut ann, &mut bob]);
    assert_eq!(bob.client.viewer(), game::Viewer::Seat(Seat(1)), "in the end it knows its place");
    assert_eq!(bob.client.view(), Some(&game::Game::view(&rig.truth(), game::Viewer::Seat(Seat(1)))));
}

/// A line that takes nothing until it is told to.
#[derive(Default)]
struct Slow {
    behind: AtomicBool,
    tape: rig::Tape,
}

impl Outlet for Slow {
    fn send(&self, frame: &[u8]) {
        self.tape.send(frame);
    }
    fn is_behind(&self) -> bool {
        self.behind.load(Ordering::Relaxed)
    }
    fn close(&self) {
        self.tape.close();
    }
}

#[test]
fn a_line_that_is_behind_gets_no_more_views() {
    let (rig, mut ann, mut bob) = two();
    let line = Arc::new(Slow::default());
    let carl = rig.table.connect(Some(Person { id: "carl".into(), name: "Carl".into() }), line.clone());
    carl.receive(r#"{"hello":{"protocol":1,"client":7}}"#).unwrap();
    rig.pass(5000, &mut [&mut ann, &mut bob]);
    let views = || {
        let mut frames = line.tape.frames.lock().unwrap();
        frames.drain(..).filter(|frame| frame.starts_with(b"{\"view\":")).count()
    };
    assert_eq!(views(), 1);
    line.behind.store(true, Ordering::Relaxed);
    for _ in 0..10 {
        carl.receive("\"resync\"").unwrap();
        rig.pass(2000, &mut [&mut ann, &mut bob]);
    }
    assert_eq!(views(), 0);
    line.behind.store(false, Ordering::Relaxed);
    rig.pass(2000, &mut [&mut ann, &mut bob]);
    assert_eq!(views(), 1, "once it can take it");
}

#[test]
fn of_many_sockets_of_one_person_the_oldest_gives_way() {
    let (rig, ann, mut bob) = two();
    let mut more: Vec<Peer<Toy>> = (0..20).map(|_| Peer::new("ann")).collect();
    for peer in &mut more {
        peer.open(&rig.table);
        peer.pump(rig.host_now());
    }
    rig.quiet(&mut [&mut bob]);
    assert!(*ann.tape.closed.lock().unwrap());
    let open = more.iter().filter(|peer| !*peer.tape.closed.lock().unwrap()).count();
    assert_eq!((open, *bob.tape.closed.lock().unwrap()), (8, false), "of hers, and Bob's");
    assert!(!*more[19].tape.closed.lock().unwrap());
    assert!(bob.client.table().unwrap().seats[0].connected);
}
