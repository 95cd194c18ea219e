//! `order = ping_adjusted`: everything waits while a claim is held, and goes on in adjusted order. And what is dropped.

use super::*;
use game::{Game as _, Seat, Viewer};
use record::Note;
use table::Journal as _;
use wire::Answer;
use wire::client::Change;

/// Ann is near (no round trip), bob is far: his pongs take 200 ms, so that 100 ms are taken off.
fn near_and_far() -> (Rig<Toy>, Peer<Toy>, Peer<Toy>) {
    let rig = rig(Rules { adjusted: true, ..Rules::default() }, 2);
    let (mut ann, mut bob) = (Peer::new("ann"), Peer::new("bob"));
    bob.slow = Some(200);
    rig.start(&mut [&mut ann, &mut bob]);
    for _ in 0..30 {
        rig.pass(100, &mut [&mut ann, &mut bob]);
    }
    (rig, ann, bob)
}

#[test]
fn hold_lets_the_far_player_win() {
    let (rig, mut ann, mut bob) = near_and_far();
    let card = ann.client.view().unwrap().board[0];
    ann.client.command(Command::Take(card));
    ann.pump(rig.host_now());
    assert_eq!(rig.journal.waiting(), 0, "what is held is in nobody's log");
    rig.pass(60, &mut [&mut ann, &mut bob]);
    // Bob's claim arrives 60 ms later, was made 40 ms earlier, and is in time.
    bob.client.command(Command::Take(card));
    bob.client.command(Command::Flag);
    rig.quiet(&mut [&mut ann, &mut bob]);
    assert_eq!((ann.answer(), bob.answer()), (None, None), "what is held is not acknowledged");
    rig.pass(39, &mut [&mut ann, &mut bob]);
    assert_eq!(ann.answer(), None);
    rig.pass(1, &mut [&mut ann, &mut bob]);
    assert!(matches!(ann.answer(), Some(Answer::Refused(_))));
    assert_eq!(rig.truth().points, [0, 1]);
    let entries = rig.log().1;
    let won = entries.iter().find(|e| matches!(e.events[..], [toy::Event::Taken(..)])).unwrap();
    assert!(
        matches!(&won.input, Some(game::Input::Play(Seat(1), _, t)) if t.adjustment == 100 && t.arrival.0 + 40 == won.at.0),
        "{won:?}"
    );
    // Who lost stands in the winner's entry and is shown to all.
    let lost: Vec<_> = won.notes.iter().filter(|n| matches!(n, Note::Lost { .. })).collect();
    assert!(matches!(lost[..], [Note::Lost { seat: Seat(0), command: Command::Take(c), .. }] if *c == card));
    for peer in [&ann, &bob] {
        assert!(peer.changes.iter().any(|c| matches!(c, Change::Lost(l) if l[0].seat == Seat(0))));
    }
    // What lost is judged again, too: it would have won, and was made no earlier. And nobody is favoured beyond what is allowed.
    assert!(rig.verified().is_ok());
    let rows = rig.journal.read(rig.table.playing().unwrap(), 0).unwrap();
    let text =
        rows.iter().map(|row| String::from_utf8_lossy(row).into_owned()).collect::<Vec<_>>().join("\n");
    for (from, to) in [
        (r#""adjustment":100"#, r#""adjustment":151"#),
        (r#""adjustment":100"#, r#""adjustment":1"#),
        (r#""lost":{"seat":0,"command":{"take":"#, r#""lost":{"seat":0,"command":{"play":"#),
        (r#""lost":{"seat":0"#, r#""lost":{"seat":7"#),
    ] {
        assert!(text.contains(from), "{from} in {text}");
        let wrong = record::verify::<Toy>(&text.replace(from, to));
        assert!(wrong.is_err(), "{to}");
    }
    // The log's time never goes back.
    assert!(entries.windows(2).all(|w| w[0].at <= w[1].at));
}

#[test]
fn hold_makes_an_alarm_wait_its_turn() {
    let (rig, mut ann, mut bob) = near_and_far();
    let left = || rig.truth().view(Viewer::Table).left;
    let card = ann.client.view().unwrap().board[0];
    // Ann's turn runs out in 30 ms; she claims before that, bob's claim comes after it but was made before it.
    let now = rig.table.state().at;
    let due = game::Game::alarm(&rig.truth()).unwrap().due;
    rig.pass(u64::from(due.0 - now.0) - 30, &mut [&mut ann, &mut bob]);
    ann.client.command(Command::Take(card));
    ann.pump(rig.host_now());
    rig.pass(50, &mut [&mut ann, &mut bob]);
    assert_eq!(left(), 6, "the alarm waits while a claim is held");
    bob.client.command(Command::Take(card));
    let hand = ann.client.view().unwrap().hand[0];
    ann.client.command(Command::Play(hand));
    rig.pass(50, &mut [&mut ann, &mut bob]);
    let entries = rig.log().1;
    let tail: Vec<_> = entries.iter().rev().take(2).rev().map(|e| (&e.events[0], e.at)).collect();
    // Bob's claim (made 80 ms before the alarm), ann's (refused), the alarm, ann's card (too late).
    assert!(matches!(tail[0], (toy::Event::Taken(Seat(1), _), _)), "{tail:?}");
    assert!(matches!(tail[1], (toy::Event::Played(Seat(0), _, _, true), _)), "{tail:?}");
    assert_eq!(tail[0].1, tail[1].1, "both are stamped with the time of the release");
    assert!(matches!(ann.answer(), Some(Answer::Refused(_))));
}

#[test]
fn hold_is_bounded_for_each_deal() {
    let (rig, mut ann, mut bob) = near_and_far();
    let mut taken_off = 0;
    for _ in 0..25 {
        let board = bob.client.view().unwrap().board.clone();
        let Some(card) = board.first() else { break };
        bob.client.command(Command::Take(*card));
        rig.pass(120, &mut [&mut ann, &mut bob]);
        if rig.truth().deal > 1 {
            break;
        }
    }
    for entry in rig.log().1 {
        if let Some(game::Input::Play(Seat(1), _, timing)) = entry.input {
            assert!(timing.adjustment <= 150);
            taken_off += u32::from(timing.adjustment);
        }
    }
    assert!(taken_off > 0 && taken_off <= 2000, "{taken_off}");
}

#[test]
fn flags_and_calls_on_a_changed_layout_are_dropped() {
    let (rig, mut ann, mut bob) = two();
    let card = ann.client.view().unwrap().board[0];
    ann.client.command(Command::Take(card));
    ann.pump(rig.host_now());
    rig.journal.commit_all();
    // Bob has not seen it yet.
    bob.client.command(Command::Flag);
    bob.client.command(Command::Call);
    bob.client.command(Command::Take(bob.client.view().unwrap().board[1]));
    while let Some(frame) = bob.client.next_frame() {
        bob.send(&serde_json::to_string(&frame).unwrap());
    }
    rig.quiet(&mut [&mut ann, &mut bob]);
    let answers: Vec<_> = bob
        .changes
        .iter()
        .filter_map(|c| if let Change::Verdict { answer, .. } = c { Some(answer) } else { None })
        .collect();
    assert!(
        matches!(answers[..], [Answer::Dropped { .. }, Answer::Dropped { .. }, Answer::Done]),
        "{answers:?}"
    );
    bob.client.command(Command::Flag);
    rig.quiet(&mut [&mut ann, &mut bob]);
    assert_eq!(bob.answer(), Some(&Answer::Done));
}
