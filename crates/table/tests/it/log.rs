//! Durability before publication, numbering, resending, and what happens when the journal is in trouble.

use super::*;
use game::{Game, Viewer};
use record::Cause;
use table::{Appended, Journal};
use wire::client::Change;
use wire::{Answer, Paused, Stage};

#[test]
fn gate_nothing_leaves_before_it_is_durable() {
    let (rig, mut ann, mut bob) = two();
    assert_eq!((ann.unheard(), bob.unheard()), (0, 0));
    let card = ann.client.view().unwrap().hand[0];
    ann.client.command(Command::Play(card));
    bob.client.command(Command::Take(bob.client.view().unwrap().board[0]));
    bob.client.command(Command::Play(99));
    ann.pump(rig.host_now());
    bob.pump(rig.host_now());
    // Both were judged and handed over; the third was refused on the strength of them.
    assert_eq!(rig.journal.waiting(), 2);
    assert_eq!((ann.unheard(), bob.unheard()), (0, 0));
    let mut carl = Peer::new("");
    carl.open(&rig.table);
    carl.pump(rig.host_now());
    assert_eq!(carl.heard.iter().filter(|f| f.contains("view")).count(), 0, "{:?}", carl.heard);
    assert_eq!((ann.unheard(), bob.unheard()), (0, 0));
    assert_eq!(rig.journal.commit(1), 1);
    // The first notice to both, the verdict to whom it belongs, and nothing else.
    assert_eq!((ann.unheard(), bob.unheard()), (2, 1));
    bob.pump(rig.host_now());
    assert!(matches!(&bob.changes.last(), Some(Change::Notice { notice: toy::Notice::Played(..), .. })));
    rig.quiet(&mut [&mut ann, &mut bob, &mut carl]);
    assert_eq!(ann.answer(), Some(&Answer::Done));
    assert!(matches!(bob.answer(), Some(Answer::Refused(r)) if r.cites("TOY-1")), "{:?}", bob.answer());
    assert_eq!(carl.client.view(), Some(&rig.truth().view(Viewer::Table)));
}

/// Plays a whole match by what is offered first.
fn play_out(rig: &Rig<Toy>, peers: &mut [&mut Peer<Toy>]) {
    for _ in 0..200 {
        if rig.table.state().stage == Stage::Over {
            return;
        }
        for i in 0..peers.len() {
            if let Some(command) = turn(peers[i]) {
                peers[i].client.command(command);
                rig.quiet(peers);
            }
        }
        rig.pass(100, peers);
    }
    panic!("the match does not end: {:?}", rig.table.state());
}

#[test]
fn numbers_have_no_gaps_and_views_fold() {
    let (rig, mut ann, mut bob) = two();
    let mut carl = Peer::new("");
    carl.open(&rig.table);
    play_out(&rig, &mut [&mut ann, &mut bob, &mut carl]);
    let truth = rig.truth();
    for (peer, viewer) in
        [(&ann, Viewer::Seat(game::Seat(0))), (&bob, Viewer::Seat(game::Seat(1))), (&carl, Viewer::Table)]
    {
        let numbers: Vec<u32> = peer
            .changes
            .iter()
            .filter_map(|c| if let Change::Notice { n, .. } = c { Some(*n) } else { None })
            .collect();
        assert!(numbers.windows(2).all(|w| w[0] + 1 == w[1]), "{numbers:?}");
        assert_eq!(peer.client.view(), Some(&truth.view(viewer)));
        // The number is that of the events in the log that this viewer learns something from.
        let (header, entries) = rig.log();
        let mut game = Toy::open(Arc::new(header.rules), 2).unwrap();
        let mut count = 0;
        for event in entries.iter().flat_map(|e| &e.events) {
            count += u32::from(game.notice(event, viewer).is_some());
            game.evolve(event);
        }
        assert_eq!(peer.client.seen(), count);
    }
    // A sealed choice makes them differ.
    assert!(ann.client.seen() > carl.client.seen());
    assert_eq!(rig.tables.finished.lock().unwrap().len(), 1);
    let finished = rig.tables.finished.lock().unwrap()[0].clone();
    assert_eq!(finished.outcome.as_ref(), ann.client.view().unwrap().over.as_ref());
}

#[test]
fn resend_is_applied_once() {
    let (mut rig, mut ann, mut bob) = two();
    let (card, other) = (ann.client.view().unwrap().hand[0], ann.client.view().unwrap().board[0]);
    // The answer is lost with the socket.
    ann.client.command(Command::Play(card));
    ann.client.command(Command::Take(other));
    ann.pump(rig.host_now());
    ann.cut();
    rig.quiet(&mut [&mut bob]);
    let entries = rig.log().1.len();
    ann.open(&rig.table);
    rig.quiet(&mut [&mut ann, &mut bob]);
    assert_eq!(ann.client.unanswered().count(), 0);
    let plays = |rig: &Rig<Toy>| {
        let events = rig.log().1.into_iter().flat_map(|e| e.events);
        events.filter(|e| matches!(e, toy::Event::Played(..) | toy::Event::Taken(..))).count()
    };
    assert_eq!(plays(&rig), 2);
    assert!(rig.log().1.len() <= entries + 2, "coming back is all that was added");
    // The socket is lost before the command is durable, and the server is killed after it was.
    let card = bob.client.view().unwrap().hand[0];
    bob.client.command(Command::Play(card));
    bob.pump(rig.host_now());
    bob.cut();
    rig.journal.commit_all();
    rig = rig.restarted();
    ann.cut();
    bob.open(&rig.table);
    ann.open(&rig.table);
    rig.quiet(&mut [&mut ann, &mut bob]);
    assert_eq!(plays(&rig), 3);
    assert_eq!(bob.answer(), Some(&Answer::Done));
    assert_eq!(bob.client.view(), Some(&rig.truth().view(Viewer::Seat(game::Seat(1)))));
}

#[test]
fn reconnect_brings_what_is_missing_or_a_fresh_view() {
    let (rig, mut ann, mut bob) = two();
    let before = bob.client.seen();
    bob.cut();
    let card = ann.client.view().unwrap().hand[0];
    ann.client.command(Command::Play(card));
    rig.quiet(&mut [&mut ann]);
    bob.heard.clear();
    bob.open(&rig.table);
    rig.quiet(&mut [&mut ann, &mut bob]);
    assert!(!bob.heard.iter().any(|f| f.starts_with(r#"{"view""#)), "{:?}", bob.heard);
    assert!(bob.client.seen() > before);
    assert_eq!(bob.client.view(), Some(&rig.truth().view(Viewer::Seat(game::Seat(1)))));
    // Too much is missing: a fresh view.
    bob.cut();
    for _ in 0..40 {
        ann.client.command(Command::Flag);
        ann.client.command(Command::Flag);
        rig.quiet(&mut [&mut ann]);
    }
    bob.heard.clear();
    bob.open(&rig.table);
    rig.quiet(&mut [&mut ann, &mut bob]);
    assert!(bob.heard.iter().any(|f| f.starts_with(r#"{"view""#)), "{:?}", bob.heard);
    assert_eq!(bob.client.seen(), ann.client.seen());
    assert_eq!(bob.client.view(), Some(&rig.truth().view(Viewer::Seat(game::Seat(1)))));
}

#[test]
fn gap_in_the_numbers_brings_a_fresh_view() {
    let (rig, mut ann, mut bob) = two();
    let card = ann.client.view().unwrap().hand[0];
    ann.client.command(Command::Play(card));
    ann.pump(rig.host_now());
    rig.journal.commit_all();
    bob.take().expect("the notice, which is lost on its way");
    ann.pump(rig.host_now());
    ann.client.command(Command::Flag);
    rig.quiet(&mut [&mut ann, &mut bob]);
    assert_eq!(bob.client.view(), Some(&rig.truth().view(Viewer::Seat(game::Seat(1)))));
    assert_eq!(bob.client.seen(), ann.client.seen());
}

#[test]
fn server_with_less_is_noticed() {
    let (rig, mut ann, mut bob) = two();
    let mut old = Rig { table: rig.table.clone(), ..rig };
    let card = ann.client.view().unwrap().hand[0];
    ann.client.command(Command::Play(card));
    ann.pump(old.host_now());
    // The client heard of the move, and then an old copy of the data was put back.
    let backup = old.journal.read(old.table.playing().unwrap(), 0).unwrap();
    old.quiet(&mut [&mut ann, &mut bob]);
    let had = ann.client.seen();
    ann.cut();
    bob.cut();
    old.journal = Arc::new(table::MemoryJournal::default());
    for row in backup {
        old.journal.intrude(old.table.playing().unwrap(), row);
    }
    old.env.journal = Arc::clone(&old.journal) as Arc<dyn Journal>;
    let rig = old.restarted();
    ann.open(&rig.table);
    rig.quiet(&mut [&mut ann]);
    let behind = ann.changes.iter().find(|c| matches!(c, Change::Behind { .. }));
    assert!(matches!(behind, Some(Change::Behind { had: h, has }) if *h == had && *has < had), "{behind:?}");
}

#[test]
fn trouble_drops_memory_and_answers() {
    let (rig, mut ann, mut bob) = two();
    let (card, board) = (ann.client.view().unwrap().hand[0], ann.client.view().unwrap().board[0]);
    let before = rig.truth();
    // The disk is full: nothing happened, everybody is told, and it goes on by itself later.
    rig.journal.trouble(Some(Appended::Failed("The disk is full.".to_owned())));
    ann.client.command(Command::Play(card));
    bob.client.command(Command::Take(board));
    rig.quiet(&mut [&mut ann, &mut bob]);
    for peer in [&ann, &bob] {
        assert!(matches!(peer.answer(), Some(Answer::NotNow { .. })), "{:?}", peer.answer());
        assert_eq!(
            peer.client.table().unwrap().paused,
            Some(Paused::Storage { text: "The disk is full.".to_owned() })
        );
    }
    assert_eq!(rig.truth().hands, before.hands);
    rig.pass(5 * u64::from(toy::TURN), &mut [&mut ann, &mut bob]);
    assert_eq!(rig.truth().hands, before.hands, "clocks stand still meanwhile");
    rig.journal.trouble(None);
    rig.pass(1500, &mut [&mut ann, &mut bob]);
    assert_eq!(ann.client.table().unwrap().paused, None);
    ann.client.command(Command::Play(card));
    rig.quiet(&mut [&mut ann, &mut bob]);
    assert_eq!(ann.answer(), Some(&Answer::Done));
    // Nobody can say whether it was written, and it was.
    let card = bob.client.view().unwrap().hand[0];
    rig.journal.trouble(Some(Appended::Unknown("The disk does not answer.".to_owned())));
    bob.client.command(Command::Play(card));
    bob.pump(rig.host_now());
    rig.journal.commit(1);
    rig.journal.trouble(None);
    rig.quiet(&mut [&mut ann, &mut bob]);
    assert_eq!(bob.answer(), Some(&Answer::Done));
    assert!(rig.truth().gone.contains(&card));
    for (peer, seat) in [(&ann, 0), (&bob, 1)] {
        assert_eq!(peer.client.view(), Some(&rig.truth().view(Viewer::Seat(game::Seat(seat)))));
    }
}

#[test]
fn conflict_is_read_and_folded() {
    let (rig, mut ann, mut bob) = two();
    let (header, entries) = rig.log();
    let mut twin = Toy::open(Arc::new(header.rules), 2).unwrap();
    entries.iter().flat_map(|e| &e.events).for_each(|e| twin.evolve(e));
    // Another host plays ann's lowest card; this one does not know of it and takes a card of the board.
    let card = *twin.hands[0].iter().min().unwrap();
    let mut entry = entries.last().unwrap().clone();
    entry.ply += 1;
    entry.notes.clear();
    entry.cause = Cause::Seat { seat: game::Seat(0), command: 1, client: 99, bot: false };
    let timing = game::Timing { arrival: entry.at, adjustment: 0 };
    entry.input = Some(game::Input::Play(game::Seat(0), Command::Play(card), timing));
    entry.events = vec![toy::Event::Played(game::Seat(0), card, entry.at, false)];
    rig.journal.intrude(rig.table.playing().unwrap(), serde_json::to_vec(&entry).unwrap());
    bob.client.command(Command::Take(twin.board[0]));
    rig.quiet(&mut [&mut ann, &mut bob]);
    assert!(matches!(bob.answer(), Some(Answer::NotNow { .. })), "{:?}", bob.answer());
    assert!(rig.truth().gone.contains(&card));
    for (peer, seat) in [(&ann, 0), (&bob, 1)] {
        assert_eq!(peer.client.view(), Some(&rig.truth().view(Viewer::Seat(game::Seat(seat)))));
    }
    bob.client.command(Command::Take(twin.board[0]));
    rig.quiet(&mut [&mut ann, &mut bob]);
    assert_eq!(bob.answer(), Some(&Answer::Done));
}

#[test]
fn unreadable_logs_are_kept_and_said() {
    let (rig, mut ann, _bob) = two();
    let id = rig.table.playing().unwrap();
    rig.journal.intrude(id, b"{\"ply\":\"what\"}".to_vec());
    ann.cut();
    let rig = rig.restarted();
    ann.open(&rig.table);
    rig.quiet(&mut [&mut ann]);
    let paused = ann.client.table().unwrap().paused.clone();
    assert!(matches!(&paused, Some(Paused::Unreadable { text }) if text.contains("entry")), "{paused:?}");
    ann.client.command(Command::Flag);
    rig.quiet(&mut [&mut ann]);
    assert!(matches!(ann.answer(), Some(Answer::NotNow { .. })));
    assert!(!rig.journal.read(id, 0).unwrap().is_empty());
}
