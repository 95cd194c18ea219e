//! Between two rounds the match rests until all who are there have gone on, or the time is up.

use super::*;
use game::{Game as _, Seat, SeatSet, Viewer};
use record::fair::Bytes32;
use record::{Note, Pause};
use rig::person;
use table::{Appended, Trial};
use wire::{Answer, Paused};

/// Seconds of the rest.
const REST: u8 = 20;

fn resting(rules: Rules, seats: u8) -> Rig<Toy> {
    Rig::resting(rules, seats, bots(), 11, None, REST)
}

/// Who is waited for between two rounds; none where the match goes on, or stands still for another reason.
fn waits(rig: &Rig<Toy>) -> Option<Vec<u8>> {
    match rig.table.state().paused {
        Some(Paused::Round { waits_for }) => Some(waits_for.iter().map(|seat| seat.0).collect()),
        _ => None,
    }
}

fn deal(rig: &Rig<Toy>) -> u16 {
    rig.truth().view(Viewer::Table).deal
}

/// Plays the first deal to its end, each a card as soon as it is their turn.
fn play_out(rig: &Rig<Toy>, peers: &mut [&mut Peer<Toy>]) {
    for _ in 0..60 {
        rig.pass(700, peers);
        if rig.truth().between_rounds() {
            return;
        }
        for peer in peers.iter_mut() {
            if let Some(command) = turn(peer) {
                peer.client.command(command);
            }
            rig.quiet(&mut [peer]);
            if rig.truth().between_rounds() {
                return rig.quiet(peers);
            }
        }
    }
    panic!("the deal has no end: {:?}", rig.table.state());
}

/// Ann and Bob, whose first deal has just ended.
fn at_rest() -> (Rig<Toy>, Peer<Toy>, Peer<Toy>) {
    let (rig, mut ann, mut bob) = (resting(Rules::default(), 2), Peer::new("ann"), Peer::new("bob"));
    rig.start(&mut [&mut ann, &mut bob]);
    play_out(&rig, &mut [&mut ann, &mut bob]);
    (rig, ann, bob)
}

fn stood(rig: &Rig<Toy>) -> Vec<(u64, Pause)> {
    let notes = rig.log().1.into_iter().flat_map(|entry| entry.notes);
    let stood = notes.filter_map(|note| match note {
        Note::Stood { millis, why } => Some((millis, why)),
        _ => None,
    });
    stood.collect()
}

#[test]
fn the_next_round_comes_when_all_have_gone_on() {
    let (rig, mut ann, mut bob) = at_rest();
    let at = rig.table.state().at;
    assert_eq!(waits(&rig), Some(vec![0, 1]));
    assert_eq!(ann.client.table().unwrap().rest_ms, 20_000);
    rig.pass(3000, &mut [&mut ann, &mut bob]);
    assert_eq!((rig.table.state().at, rig.table.state().rest_ms), (at, 17_000), "match time stands still");
    ann.client.act(Act::GoOn);
    rig.pass(1000, &mut [&mut ann, &mut bob]);
    assert_eq!(waits(&rig), Some(vec![1]));
    let told = bob.client.table().unwrap();
    assert_eq!(told.paused, Some(Paused::Round { waits_for: SeatSet::one(Seat(1)) }), "all are told");
    // Whoever plays on as if nothing were is told why not.
    bob.client.command(Command::Flag);
    rig.quiet(&mut [&mut ann, &mut bob]);
    assert!(matches!(bob.answer(), Some(Answer::NotNow { .. })), "{:?}", bob.answer());
    assert_eq!(deal(&rig), 1);
    bob.client.act(Act::GoOn);
    rig.quiet(&mut [&mut ann, &mut bob]);
    assert_eq!((waits(&rig), deal(&rig), rig.table.state().rest_ms), (None, 2, 0));
    assert_eq!(stood(&rig), [(4000, Pause::Round)]);
    // Who says so once more, or too late, has done nothing wrong.
    let before = bob.changes.len();
    bob.client.act(Act::GoOn);
    rig.quiet(&mut [&mut ann, &mut bob]);
    assert_eq!(bob.changes.len(), before);
}

#[test]
fn who_does_not_go_on_is_waited_for_so_long_and_no_longer() {
    let (rig, mut ann, mut bob) = at_rest();
    ann.client.act(Act::GoOn);
    rig.pass(19_900, &mut [&mut ann, &mut bob]);
    assert_eq!((waits(&rig), deal(&rig)), (Some(vec![1]), 1));
    rig.pass(200, &mut [&mut ann, &mut bob]);
    assert_eq!((waits(&rig), deal(&rig)), (None, 2));
    assert_eq!(stood(&rig), [(20_000, Pause::Round)]);
    let turn_left = bob.client.view().unwrap().left;
    assert_eq!(turn_left, 6, "nobody's turn ran out meanwhile");
}

#[test]
fn only_people_who_are_there_are_waited_for() {
    let (rig, mut ann, mut bob) = at_rest();
    ann.client.act(Act::GoOn);
    rig.quiet(&mut [&mut ann, &mut bob]);
    bob.cut();
    rig.quiet(&mut [&mut ann]);
    assert_eq!(waits(&rig), None, "bob is away");
    // He was bound to a seed, which a deal waits for.
    rig.pass(1001, &mut [&mut ann]);
    assert_eq!(deal(&rig), 2);

    let (rig, mut ann, mut bob) = at_rest();
    bob.client.act(Act::GoOn);
    rig.quiet(&mut [&mut ann, &mut bob]);
    assert_eq!(waits(&rig), Some(vec![0]));
    ann.client.act(Act::Stand);
    rig.pass(1001, &mut [&mut ann, &mut bob]);
    assert_eq!((waits(&rig), deal(&rig)), (None, 2), "ann has left");

    // Those who watch are not asked, and have nothing to say.
    let (rig, mut ann, mut bob) = at_rest();
    let mut carl = Peer::new("carl");
    carl.open(&rig.table);
    rig.quiet(&mut [&mut ann, &mut bob, &mut carl]);
    assert_eq!(waits(&rig), Some(vec![0, 1]));
    carl.client.act(Act::GoOn);
    rig.quiet(&mut [&mut ann, &mut bob, &mut carl]);
    assert!(carl.changes.iter().any(|c| matches!(c, wire::client::Change::Declined { .. })));
    assert_eq!(waits(&rig), Some(vec![0, 1]));
}

#[test]
fn bots_are_not_waited_for_and_do_nothing_meanwhile() {
    let rig = resting(Rules::default(), 2);
    let mut ann = with_a_bot(&rig);
    rig.quiet(&mut [&mut ann]);
    play_out(&rig, &mut [&mut ann]);
    assert_eq!(waits(&rig), Some(vec![0]));
    let before = rig.log().1.len();
    rig.pass(10_000, &mut [&mut ann]);
    assert_eq!(rig.log().1.len(), before);
    // A seat that a bot plays is no person's, for as long as it does.
    let host = person("ann");
    rig.table.act(&host, &Act::Bot { seat: Seat(0), kind: "easy".to_owned() }).unwrap();
    rig.quiet(&mut [&mut ann]);
    assert_eq!((waits(&rig), deal(&rig)), (None, 2));

    // Where nobody but bots sits nobody is waited for, whoever watches.
    let rig = resting(Rules::default(), 2);
    for seat in [0, 1] {
        rig.table.act(&person("ann"), &Act::Bot { seat: Seat(seat), kind: "easy".to_owned() }).unwrap();
    }
    rig.table.act(&person("ann"), &Act::Start).unwrap();
    let mut carl = Peer::new("carl");
    carl.open(&rig.table);
    rig.pass(20_000, &mut [&mut carl]);
    assert_eq!((deal(&rig), stood(&rig)), (2, vec![]));
}

#[test]
fn a_trial_and_a_table_whose_host_wants_none_do_not_rest() {
    let trial = Trial { name: "one/2026-01-31".to_owned(), seed: Bytes32([3; 32]) };
    let rig: Rig<Toy> = Rig::resting(Rules::default(), 1, bots(), 1, Some(trial), REST);
    let mut ann = Peer::new("ann");
    ann.open(&rig.table);
    rig.table.act(&person("ann"), &Act::Sit { seat: Seat(0) }).unwrap();
    rig.table.act(&person("ann"), &Act::Start).unwrap();
    rig.quiet(&mut [&mut ann]);
    let (none, mut bob) = (rig_of_two_without(), Peer::new("ann"));
    let mut carl = Peer::new("bob");
    none.start(&mut [&mut bob, &mut carl]);
    for (rig, peers) in [(&rig, &mut [&mut ann][..]), (&none, &mut [&mut bob, &mut carl][..])] {
        for _ in 0..60 {
            rig.pass(100, peers);
            for peer in peers.iter_mut() {
                if let Some(command) = turn(peer).filter(|_| deal(rig) == 1) {
                    peer.client.command(command);
                }
                rig.quiet(&mut [peer]);
            }
        }
        assert_eq!((waits(rig), deal(rig)), (None, 2));
    }
}

fn rig_of_two_without() -> Rig<Toy> {
    Rig::resting(Rules::default(), 2, bots(), 11, None, 0)
}

#[test]
fn the_rest_begins_anew_for_who_comes_back_to_an_empty_table() {
    let (rig, mut ann, mut bob) = at_rest();
    rig.pass(15_000, &mut [&mut ann, &mut bob]);
    ann.cut();
    bob.cut();
    // What was asked for before comes once more, for nothing.
    rig.pass(30_000, &mut []);
    let woken = rig.woken();
    rig.pass(3_600_000, &mut []);
    assert_eq!((rig.woken(), rig.table.state().paused), (woken, Some(Paused::Nobody)));
    // The same where the server was started anew, or the table has slept.
    assert!(rig.table.may_sleep(&rig.tables.saved()));
    let rig = rig.restarted();
    rig.pass(1000, &mut []);
    ann.open(&rig.table);
    rig.quiet(&mut [&mut ann]);
    assert_eq!((waits(&rig), ann.client.table().unwrap().rest_ms), (Some(vec![0]), 20_000));
    ann.client.act(Act::GoOn);
    rig.pass(10, &mut [&mut ann]);
    assert_eq!((waits(&rig), deal(&rig)), (None, 2));
    // A rest that is over does not come again.
    ann.cut();
    let rig = rig.restarted();
    ann.open(&rig.table);
    rig.quiet(&mut [&mut ann]);
    assert_eq!(waits(&rig), None);
}

#[test]
fn a_host_who_pauses_the_match_holds_the_rest() {
    let (rig, mut ann, mut bob) = at_rest();
    rig.pass(5000, &mut [&mut ann, &mut bob]);
    ann.client.act(Act::Pause);
    rig.pass(60_000, &mut [&mut ann, &mut bob]);
    assert_eq!(rig.table.state().paused, Some(Paused::Asked));
    bob.client.act(Act::GoOn);
    ann.client.act(Act::Resume);
    rig.quiet(&mut [&mut ann, &mut bob]);
    assert_eq!((waits(&rig), rig.table.state().rest_ms), (Some(vec![0]), 20_000));
    rig.pass(20_001, &mut [&mut ann, &mut bob]);
    assert_eq!((waits(&rig), deal(&rig)), (None, 2));
}

#[test]
fn nobody_hears_of_a_rest_before_the_end_of_the_round_is_durable() {
    let (rig, mut ann, mut bob) = (resting(Rules::default(), 2), Peer::new("ann"), Peer::new("bob"));
    rig.start(&mut [&mut ann, &mut bob]);
    // All but the last one's seal.
    for _ in 0..6 {
        for peer in [&mut ann, &mut bob] {
            if let Some(Command::Play(card)) = turn(peer) {
                peer.client.command(Command::Play(card));
            }
        }
        rig.quiet(&mut [&mut ann, &mut bob]);
    }
    let seal = turn(&ann).unwrap();
    ann.client.command(seal);
    rig.quiet(&mut [&mut ann, &mut bob]);
    for trouble in [Some(Appended::Failed("The disk is full.".to_owned())), None] {
        bob.client.command(turn(&bob).unwrap());
        bob.pump(rig.host_now());
        assert_eq!((waits(&rig), bob.unheard()), (None, 0));
        rig.journal.trouble(trouble.clone());
        rig.quiet(&mut [&mut ann, &mut bob]);
        assert_eq!(waits(&rig).is_some(), trouble.is_none());
        rig.journal.trouble(None);
        rig.pass(3000, &mut [&mut ann, &mut bob]);
        assert_eq!(waits(&rig).is_some(), trouble.is_none(), "{:?}", rig.table.state());
    }
}
