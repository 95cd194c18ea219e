//! A trial is dealt from its seed alone, and its clock waits for nobody once the cards lie.

use super::*;
use game::{Input, Seat};
use record::fair::Bytes32;
use rig::person;
use table::Trial;
use wire::Act;

fn trial(name: &str, random: u64) -> Rig<Toy> {
    let trial = Trial { name: name.to_owned(), seed: Bytes32([3; 32]) };
    let rig = Rig::of(Rules::default(), 1, bots(), random, Some(trial));
    rig.table.act(&person("ann"), &Act::Sit { seat: Seat(0) }).unwrap();
    rig.table.act(&person("ann"), &Act::Start).unwrap();
    rig.quiet(&mut []);
    rig
}

fn draws(rig: &Rig<Toy>) -> Vec<Input<Command>> {
    let inputs = rig.log().1.into_iter().filter_map(|entry| entry.input);
    inputs.filter(|input| matches!(input, Input::Draw(_))).collect()
}

#[test]
fn a_trial_is_the_same_for_everybody() {
    let play = |name, random| {
        let (rig, mut ann) = (trial(name, random), Peer::new("ann"));
        ann.open(&rig.table);
        rig.pass(100, &mut [&mut ann]);
        draws(&rig)
    };
    let first = play("one/2026-01-31", 1);
    assert_eq!(first.len(), 1, "dealt");
    assert_eq!(first, play("one/2026-01-31", 2), "whatever the machine draws");
    assert_ne!(first, play("one/2026-02-01", 1), "another day is another deal");
}

#[test]
fn the_cards_of_a_trial_come_with_its_player_and_then_the_clock_waits_for_nobody() {
    let (rig, mut ann, mut eve) = (trial("one/2026-01-31", 1), Peer::new("ann"), Peer::new("eve"));
    eve.open(&rig.table);
    rig.pass(60_000, &mut [&mut eve]);
    assert_eq!(draws(&rig), [], "nobody has seen a card");
    assert_eq!(rig.table.state().at, Millis(0), "nor has the clock begun");
    ann.open(&rig.table);
    rig.pass(1000, &mut [&mut ann]);
    assert_eq!(ann.client.view().unwrap().hand.len(), 3);
    ann.cut();
    rig.pass(2000, &mut []);
    assert_eq!(rig.table.state().at, Millis(3000), "looking in peace is not for free");
    let rig = rig.restarted();
    rig.pass(u64::from(toy::TURN), &mut []);
    assert_eq!(rig.truth().hands[0].len(), 2, "its alarms ring though nobody is there");
    let header = rig.log().0;
    assert_ne!(header.shuffle, record::entry::SHUFFLE, "nothing is proved of its shuffle");
}

#[test]
fn a_trial_is_not_paused_nor_ended_nor_played_by_others() {
    let (rig, mut ann) = (trial("one/2026-01-31", 1), Peer::new("ann"));
    ann.open(&rig.table);
    rig.pass(1000, &mut [&mut ann]);
    let acts = [
        Act::Pause,
        Act::End { agree: true },
        Act::Bot { seat: Seat(0), kind: "easy".to_owned() },
        Act::Remove { seat: Seat(0) },
        Act::Rematch,
    ];
    for act in acts {
        let refused = rig.table.act(&person("ann"), &act).unwrap_err();
        assert!(refused.words().ends_with('.'), "{act:?}: {refused}");
    }
    assert!(rig.table.act(&person("eve"), &Act::Sit { seat: Seat(0) }).is_err());
    assert!(rig.truth().hands[0].len() == 3);
}
