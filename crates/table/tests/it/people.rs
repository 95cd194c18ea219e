//! People, bots, hosts and spectators.

use super::*;
use game::{Game as _, Seat, Viewer};
use rig::person;
use wire::client::Change;
use wire::{Act, Answer, Occupant, Phrase, Stage};

#[test]
fn bots_play_and_think_like_people() {
    let rig = rig(Rules::default(), 2);
    let mut ann = with_a_bot(&rig);
    rig.quiet(&mut [&mut ann]);
    let card = ann.client.view().unwrap().hand[0];
    ann.client.command(Command::Play(card));
    rig.pass(600, &mut [&mut ann]);
    assert_eq!(ann.client.view().unwrap().left, 5);
    // Something happens that the bot sees: what it thought is stale, and it thinks anew.
    ann.client.command(Command::Flag);
    rig.pass(600, &mut [&mut ann]);
    assert_eq!(ann.client.view().unwrap().left, 5);
    rig.pass(100, &mut [&mut ann]);
    assert_eq!(ann.client.view().unwrap().left, 4);
    let entry = rig.log().1.pop().unwrap();
    assert_eq!(entry.cause, record::Cause::Seat { seat: Seat(1), command: 0, client: 0, bot: true });
    assert!(matches!(rig.log().0.seats[1].kind, record::SitterKind::Bot(ref name) if name == "eager/1"));
}

#[test]
fn bots_sit_in_after_two_turns_run_out() {
    let (rig, mut ann, mut bob) = two();
    let bot_plays = |peer: &Peer<Toy>| {
        matches!(peer.client.table().unwrap().seats[0].who, Some(Occupant::Person { bot_plays: true, .. }))
    };
    rig.pass(u64::from(toy::TURN), &mut [&mut ann, &mut bob]);
    let card = bob.client.view().unwrap().hand[0];
    bob.client.command(Command::Play(card));
    rig.pass(100, &mut [&mut ann, &mut bob]);
    assert!(!bot_plays(&bob));
    rig.pass(u64::from(toy::TURN), &mut [&mut ann, &mut bob]);
    assert!(bot_plays(&bob));
    let card = bob.client.view().unwrap().hand[0];
    bob.client.command(Command::Play(card));
    rig.pass(750, &mut [&mut ann, &mut bob]);
    assert_eq!(ann.client.view().unwrap().hand.len(), 0, "the bot has played the last card");
    // Ann is back with her first command.
    rig.quiet(&mut [&mut ann, &mut bob]);
    ann.client.command(Command::Flag);
    rig.quiet(&mut [&mut ann, &mut bob]);
    assert!(!bot_plays(&bob));
}

#[test]
fn a_bot_holds_the_seat_of_somebody_who_is_away() {
    let (rig, mut ann, mut bob) = two();
    bob.cut();
    rig.quiet(&mut [&mut ann]);
    assert!(rig.truth().view(Viewer::Table).absent.has(Seat(1)));
    ann.client.act(Act::Bot { seat: Seat(1), kind: "easy".to_owned() });
    rig.quiet(&mut [&mut ann]);
    assert!(!rig.truth().view(Viewer::Table).absent.has(Seat(1)), "for the rules the seat is played again");
    bob.open(&rig.table);
    rig.quiet(&mut [&mut ann, &mut bob]);
    bob.client.act(Act::Back);
    rig.quiet(&mut [&mut ann, &mut bob]);
    assert!(matches!(
        ann.client.table().unwrap().seats[1].who,
        Some(Occupant::Person { bot_plays: false, .. })
    ));
}

#[test]
fn several_sockets_follow_one_seat() {
    let (rig, mut ann, mut bob) = two();
    let mut phone: Peer<Toy> = Peer::new("ann");
    phone.client = wire::client::Client::new(999, [3; 32]);
    phone.open(&rig.table);
    rig.quiet(&mut [&mut ann, &mut bob, &mut phone]);
    let card = phone.client.view().unwrap().hand[0];
    assert_eq!(phone.client.view(), ann.client.view());
    phone.client.command(Command::Play(card));
    ann.client.command(Command::Flag);
    rig.quiet(&mut [&mut ann, &mut bob, &mut phone]);
    // Both numbered their command 1, and both were done.
    assert_eq!((ann.answer(), phone.answer()), (Some(&Answer::Done), Some(&Answer::Done)));
    ann.cut();
    rig.quiet(&mut [&mut bob, &mut phone]);
    assert!(!rig.truth().view(Viewer::Table).absent.has(Seat(0)), "the phone is still there");
}

#[test]
fn spectators_see_the_table_and_cannot_play() {
    let (rig, mut ann, mut bob) = two();
    let mut carl = Peer::new("carl");
    carl.open(&rig.table);
    rig.quiet(&mut [&mut ann, &mut bob, &mut carl]);
    assert_eq!(carl.client.viewer(), Viewer::Table);
    assert!(carl.client.view().unwrap().hand.is_empty());
    carl.client.command(Command::Flag);
    carl.client.act(Act::Stand);
    carl.client.act(Act::Start);
    rig.quiet(&mut [&mut ann, &mut bob, &mut carl]);
    assert!(matches!(carl.answer(), Some(Answer::NotNow { .. })));
    assert_eq!(carl.changes.iter().filter(|c| matches!(c, Change::Declined { .. })).count(), 2);
    rig.pass(3000, &mut [&mut ann, &mut bob, &mut carl]);
    assert_eq!(ann.client.table().unwrap().watching, 1);
}

#[test]
fn matches_end_by_agreement_and_begin_again() {
    let (rig, mut ann, mut bob) = two();
    let first = rig.table.playing();
    bob.client.act(Act::End { agree: true });
    rig.quiet(&mut [&mut ann, &mut bob]);
    assert_eq!(ann.client.table().unwrap().stage, Stage::Playing);
    ann.client.act(Act::End { agree: true });
    rig.quiet(&mut [&mut ann, &mut bob]);
    assert_eq!(ann.client.table().unwrap().stage, Stage::Over);
    assert_eq!(rig.tables.finished.lock().unwrap()[0].outcome, None);
    bob.client.act(Act::Rematch);
    rig.quiet(&mut [&mut ann, &mut bob]);
    bob.client.act(Act::Ready { ready: true });
    rig.quiet(&mut [&mut ann, &mut bob]);
    ann.client.act(Act::Start);
    rig.quiet(&mut [&mut ann, &mut bob]);
    assert_eq!((ann.client.game(), bob.client.game()), (2, 2));
    assert_ne!(rig.table.playing(), first);
    assert_eq!(bob.client.view(), Some(&rig.truth().view(Viewer::Seat(Seat(1)))));
    assert_eq!(bob.client.view().unwrap().hand.len(), 3);
}

/// Milliseconds within which what has changed at a table is told.
const JOIN: u64 = 200;

/// What the last act of somebody was declined with.
fn declined(peer: &Peer<Toy>) -> Option<&str> {
    peer.changes.iter().rev().find_map(|c| match c {
        Change::Declined { text, .. } => Some(text.as_str()),
        _ => None,
    })
}

#[test]
fn a_match_is_not_ended_without_somebody_who_was_away_for_a_moment() {
    let rig = rig(Rules::default(), 3);
    let (mut ann, mut bob, mut carl) = (Peer::new("ann"), Peer::new("bob"), Peer::new("carl"));
    rig.start(&mut [&mut ann, &mut bob, &mut carl]);
    ann.client.act(Act::Pause);
    bob.cut();
    rig.pass(100, &mut [&mut ann, &mut carl]);
    // Carl is there and has not agreed: that is waited for, whoever is away.
    ann.client.act(Act::End { agree: true });
    rig.pass(JOIN, &mut [&mut ann, &mut carl]);
    assert_eq!(declined(&ann), None);
    assert!(carl.client.table().unwrap().ending.has(Seat(0)));
    carl.client.act(Act::End { agree: true });
    rig.quiet(&mut [&mut ann, &mut carl]);
    assert_eq!(
        declined(&carl),
        Some(
            "bob has not been away for long and may come back: without them you can end the match in 2 min."
        )
    );
    carl.cut();
    rig.pass(30_000, &mut [&mut ann]);
    ann.client.act(Act::End { agree: false });
    ann.client.act(Act::End { agree: true });
    rig.quiet(&mut [&mut ann]);
    assert_eq!(
        declined(&ann),
        Some(
            "bob and carl have not been away for long and may come back: without them you can end the match in 1 min 30 s."
        )
    );
    assert!(ann.client.table().unwrap().ending.is_empty());
    // Who comes back is asked, and has all of the time again.
    rig.pass(95_000, &mut [&mut ann]);
    bob.open(&rig.table);
    rig.pass(100, &mut [&mut ann, &mut bob]);
    bob.cut();
    rig.pass(100_000, &mut [&mut ann]);
    ann.client.act(Act::End { agree: true });
    rig.quiet(&mut [&mut ann]);
    assert_eq!(
        declined(&ann),
        Some("bob has not been away for long and may come back: without them you can end the match in 20 s.")
    );
    // Nor does a restart make it shorter or longer.
    ann.cut();
    let rig = rig.restarted();
    ann.open(&rig.table);
    rig.pass(19_000, &mut [&mut ann]);
    ann.client.act(Act::End { agree: true });
    rig.quiet(&mut [&mut ann]);
    assert!(declined(&ann).is_some_and(|text| text.ends_with("in 1 s.")), "{:?}", declined(&ann));
    assert_eq!(rig.table.state().stage, Stage::Playing);
    rig.pass(1000, &mut [&mut ann]);
    ann.client.act(Act::End { agree: true });
    rig.quiet(&mut [&mut ann]);
    assert_eq!(rig.table.state().stage, Stage::Over);
}

#[test]
fn who_stands_up_does_not_end_the_match_for_somebody_who_was_away_for_a_moment() {
    let rig = rig(Rules::default(), 3);
    let (mut ann, mut bob, mut carl) = (Peer::new("ann"), Peer::new("bob"), Peer::new("carl"));
    rig.start(&mut [&mut ann, &mut bob, &mut carl]);
    ann.client.act(Act::End { agree: true });
    rig.quiet(&mut [&mut ann, &mut bob, &mut carl]);
    bob.cut();
    rig.pass(100, &mut [&mut ann, &mut carl]);
    carl.client.act(Act::Stand);
    rig.quiet(&mut [&mut ann, &mut carl]);
    assert_eq!(rig.table.state().stage, Stage::Playing);
}

#[test]
fn who_was_removed_stays_out_until_the_host_lets_them_back() {
    let rig = rig(Rules::default(), 3);
    let (mut ann, mut bob, mut carl) = (Peer::new("ann"), Peer::new("bob"), Peer::new("carl"));
    rig.start(&mut [&mut ann, &mut bob, &mut carl]);
    let sit = Act::Sit { seat: Seat(1) };
    let stays_out = |table: &table::Table<Toy>| {
        assert!(table.act(&person("bob"), &sit).is_err_and(|why| why.words().contains("removed you")));
        assert_eq!(table.seat_of("id-bob"), None);
    };
    ann.client.act(Act::Remove { seat: Seat(1) });
    rig.quiet(&mut [&mut ann, &mut bob, &mut carl]);
    stays_out(&rig.table);
    rig.pass(JOIN, &mut [&mut ann, &mut bob, &mut carl]);
    // They may watch. Only the host is told who was removed.
    assert_eq!(bob.client.viewer(), Viewer::Table);
    assert_eq!(bob.client.view(), Some(&rig.truth().view(Viewer::Table)));
    let removed = |peer: &Peer<Toy>| peer.client.table().unwrap().removed.clone();
    assert_eq!((removed(&ann), removed(&bob), removed(&carl)), (vec!["bob".to_owned()], vec![], vec![]));
    // They know that they cannot sit down.
    let kept_out = |peer: &Peer<Toy>| peer.client.welcome().unwrap().kept_out;
    assert_eq!((kept_out(&ann), kept_out(&bob), kept_out(&carl)), (false, true, false));
    // In the next match, too, and after a restart, and under another name.
    ann.client.act(Act::End { agree: true });
    carl.client.act(Act::End { agree: true });
    rig.quiet(&mut [&mut ann, &mut bob, &mut carl]);
    ann.client.act(Act::Rematch);
    rig.quiet(&mut [&mut ann, &mut bob, &mut carl]);
    stays_out(&rig.table);
    for peer in [&mut ann, &mut bob, &mut carl] {
        peer.cut();
    }
    let rig = rig.restarted();
    stays_out(&rig.table);
    rig.table.rename(&table::Person { id: "id-bob".to_owned(), name: "rob".to_owned() });
    ann.open(&rig.table);
    rig.pass(JOIN, &mut [&mut ann]);
    assert_eq!(removed(&ann), ["rob"]);
    // Nobody else lets them back.
    assert!(rig.table.act(&person("carl"), &Act::LetBack { name: "rob".to_owned() }).is_err());
    assert!(rig.table.act(&person("ann"), &Act::LetBack { name: "bob".to_owned() }).is_err());
    stays_out(&rig.table);
    bob.open(&rig.table);
    rig.pass(JOIN, &mut [&mut ann, &mut bob]);
    assert!(kept_out(&bob));
    ann.client.act(Act::LetBack { name: "rob".to_owned() });
    rig.pass(JOIN, &mut [&mut ann, &mut bob]);
    assert_eq!(removed(&ann), [""; 0]);
    assert!(!kept_out(&bob), "they are told that they may sit down");
    assert_eq!(rig.table.act(&person("bob"), &sit), Ok(()));
    // A host who clears their own seat may sit down again, and a bot is nobody.
    rig.table.act(&person("ann"), &Act::Remove { seat: Seat(0) }).unwrap();
    assert_eq!(rig.table.act(&person("ann"), &Act::Sit { seat: Seat(0) }), Ok(()));
}

/// Whoever comes while a table goes to another server, or its server goes down, comes too late.
#[test]
fn nobody_is_let_in_once_the_table_goes_on_elsewhere() {
    let (rig, mut ann, mut bob) = two();
    rig.table.shut(&game::say!("no_server.table_moves").into());
    let moves = |peer: &mut Peer<Toy>| {
        peer.changes.clear();
        peer.open(&rig.table);
        rig.quiet(&mut [peer]);
        let told = peer.changes.iter().any(|change| {
            matches!(change, wire::client::Change::Error { say, retry: true, .. } if say.key == wire::TABLE_MOVES)
        });
        assert!(told && *peer.tape.closed.lock().unwrap(), "{:?}", peer.changes);
    };
    moves(&mut ann);
    moves(&mut bob);
    let before = rig.log().1.len();
    rig.pass(10 * u64::from(toy::TURN), &mut [&mut ann, &mut bob]);
    assert_eq!(rig.log().1.len(), before, "its clock stands still");
}

#[test]
fn who_was_removed_and_is_forgotten_leaves_no_trace() {
    let rig = rig(Rules::default(), 3);
    let (mut ann, mut bob) = (Peer::new("ann"), Peer::new("bob"));
    rig.start(&mut [&mut ann, &mut bob]);
    rig.table.act(&person("ann"), &Act::Remove { seat: Seat(1) }).unwrap();
    assert_eq!(rig.table.named(), ["id-ann", "id-bob"]);
    assert!(rig.tables.saved().contains("bob"));
    assert!(rig.table.forget("id-bob"));
    assert_eq!(rig.table.named(), ["id-ann"]);
    assert!(!rig.tables.saved().contains("bob"), "{}", rig.tables.saved());
}

#[test]
fn hosts_remove_and_people_leave() {
    let rig = rig(Rules::default(), 3);
    let (mut ann, mut bob, mut carl) = (Peer::new("ann"), Peer::new("bob"), Peer::new("carl"));
    rig.start(&mut [&mut ann, &mut bob, &mut carl]);
    ann.client.act(Act::Remove { seat: Seat(2) });
    bob.client.act(Act::Stand);
    rig.quiet(&mut [&mut ann, &mut bob, &mut carl]);
    assert_eq!((bob.client.viewer(), carl.client.viewer()), (Viewer::Table, Viewer::Table));
    let absent = rig.truth().view(Viewer::Table).absent;
    assert!(absent.has(Seat(1)) && absent.has(Seat(2)));
    assert_eq!(carl.client.view(), Some(&rig.truth().view(Viewer::Table)));
    // Whose scores those are is still said, until somebody else has the seat or the match is gone.
    let left = |peer: &Peer<Toy>| -> Vec<String> {
        peer.client.table().unwrap().seats.iter().map(|seat| seat.left.clone()).collect()
    };
    rig.pass(JOIN, &mut [&mut ann, &mut bob, &mut carl]);
    assert_eq!(left(&ann), ["", "bob", "carl"]);
    bob.client.act(Act::Sit { seat: Seat(2) });
    rig.pass(JOIN, &mut [&mut ann, &mut bob, &mut carl]);
    assert_eq!(left(&ann), ["", "bob", ""]);
    assert_eq!(bob.client.viewer(), Viewer::Seat(Seat(2)));
    assert_eq!(bob.client.view(), Some(&rig.truth().view(Viewer::Seat(Seat(2)))));
    for peer in [&mut ann, &mut bob] {
        peer.client.act(Act::End { agree: true });
    }
    rig.pass(JOIN, &mut [&mut ann, &mut bob, &mut carl]);
    assert_eq!((rig.table.state().stage, left(&carl)), (Stage::Over, left(&ann)));
    bob.client.act(Act::Rematch);
    rig.pass(JOIN, &mut [&mut ann, &mut bob, &mut carl]);
    assert_eq!((rig.table.state().stage, left(&ann)), (Stage::Lobby, vec![String::new(); 3]));
}

#[test]
fn nobody_starts_before_all_are_ready() {
    let rig = rig(Rules::default(), 3);
    let (mut ann, mut bob) = (Peer::new("ann"), Peer::new("bob"));
    for (seat, peer) in [&mut ann, &mut bob].into_iter().enumerate() {
        peer.open(&rig.table);
        peer.pump(rig.host_now());
        peer.client.act(Act::Sit { seat: Seat(seat as u8) });
        rig.quiet(&mut [peer]);
    }
    ann.client.act(Act::Start);
    rig.quiet(&mut [&mut ann, &mut bob]);
    let declined = ann.changes.iter().rev().find_map(|c| match c {
        Change::Declined { text, .. } => Some(text.as_str()),
        _ => None,
    });
    assert_eq!(declined, Some("Not ready yet: bob."));
    bob.client.act(Act::Ready { ready: true });
    bob.client.act(Act::Say(Phrase::Hello));
    rig.quiet(&mut [&mut ann, &mut bob]);
    assert!(ann.changes.iter().any(|c| matches!(c, Change::Said { seat: Seat(1), phrase: Phrase::Hello })));
    ann.client.act(Act::Start);
    rig.quiet(&mut [&mut ann, &mut bob]);
    assert_eq!(rig.log().0.seats.len(), 2, "the match is played by those who are there");
}
