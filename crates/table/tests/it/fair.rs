//! Fair deals: commitments before seeds, stand-ins for what does not come, and everything shown afterwards.

use super::*;
use game::{Input, Seat};
use record::Note;
use record::fair::{Bytes32, DealKey, Why, commitment};
use std::collections::BTreeMap;
use wire::Stage;
use wire::client::Change;

/// Checks a log as somebody would who has nothing else. Gives, for each deal, how many clients had a part in it.
fn verify(rig: &Rig<Toy>) -> BTreeMap<u16, usize> {
    let (header, entries) = rig.log();
    let seats = header.seats.len();
    let mut commits: BTreeMap<u16, Bytes32> = BTreeMap::new();
    let mut clients: BTreeMap<(u16, u8), Bytes32> = BTreeMap::new();
    let mut opened: BTreeMap<u16, Vec<Option<Bytes32>>> = BTreeMap::new();
    let mut draws = Vec::new();
    let mut revealed = BTreeMap::new();
    for entry in entries {
        for note in &entry.notes {
            match note {
                Note::Commit { deal, hash } => assert!(commits.insert(*deal, *hash).is_none()),
                Note::ClientCommit { deal, seat, hash } => {
                    assert!(commits.contains_key(deal), "the server is bound first");
                    assert!(clients.insert((*deal, seat.0), *hash).is_none());
                }
                Note::Open { deal, seat, seed } => {
                    assert_eq!(clients.get(&(*deal, seat.0)), Some(&commitment(seed)));
                    opened.entry(*deal).or_insert_with(|| vec![None; seats])[seat.index()] = Some(*seed);
                }
                Note::Missing { deal, seat } => assert!(clients.contains_key(&(*deal, seat.0))),
                Note::Reveal { deal, seed } => {
                    assert_eq!(commits.get(deal), Some(&commitment(seed)));
                    revealed.insert(*deal, *seed);
                }
                Note::Asked { need } => draws.push((need.clone(), entry.input.clone())),
                _ => {}
            }
        }
    }
    for (need, input) in draws {
        let deal = record::fair::deal(&need);
        let seeds = opened.get(&deal).cloned().unwrap_or_else(|| vec![None; seats]);
        let Some(server) = revealed.get(&deal) else { continue };
        let draw = DealKey::new(&header.id, deal, server, &seeds).answer(&need);
        assert_eq!(input, Some(Input::Draw(draw)));
    }
    let parts = |deal: &u16| opened.get(deal).map_or(0, |o| o.iter().flatten().count());
    revealed.keys().map(|deal| (*deal, parts(deal))).collect()
}

fn play_out(rig: &Rig<Toy>, peers: &mut [&mut Peer<Toy>]) {
    while rig.table.state().stage != Stage::Over {
        for i in 0..peers.len() {
            if let Some(command) = turn(peers[i]) {
                peers[i].client.command(command);
                rig.quiet(peers);
            }
        }
        rig.pass(500, peers);
    }
}

#[test]
fn fair_deals_can_be_checked() {
    let (rig, mut ann, mut bob) = two();
    assert_eq!(rig.table.state().at, Millis(0), "nobody waits when everybody answers");
    play_out(&rig, &mut [&mut ann, &mut bob]);
    assert_eq!(verify(&rig), BTreeMap::from([(1, 2), (2, 2)]));
    assert!(!ann.changes.iter().any(|c| matches!(c, wire::client::Change::Unfair { .. })));
}

#[test]
fn fair_deals_do_not_wait_for_the_silent() {
    let rig = rig(Rules::default(), 2);
    let mut ann = Peer::new("ann");
    ann.open(&rig.table);
    ann.pump(rig.host_now());
    ann.client.act(wire::Act::Sit { seat: Seat(0) });
    rig.quiet(&mut [&mut ann]);
    // A client that never says a word about seeds.
    let mute: Arc<rig::Tape> = Arc::default();
    let connection = rig.table.connect(Some(rig::person("bob")), mute);
    for frame in [
        r#"{"hello":{"protocol":1,"client":5}}"#,
        r#"{"act":{"sit":{"seat":1}}}"#,
        r#"{"act":{"ready":{"ready":true}}}"#,
    ] {
        connection.receive(frame).unwrap();
    }
    ann.client.act(wire::Act::Start);
    rig.quiet(&mut [&mut ann]);
    assert_eq!(rig.truth().deal, 0);
    rig.pass(2000, &mut [&mut ann]);
    assert_eq!(rig.truth().deal, 1, "never more than 2 s");
    let notes: Vec<_> = rig.log().1.into_iter().flat_map(|e| e.notes).collect();
    assert!(notes.iter().any(|n| matches!(n, Note::Open { deal: 1, seat: Seat(0), .. })));
    assert!(!notes.iter().any(|n| matches!(n, Note::Open { deal: 1, seat: Seat(1), .. })));
    // It was there and is bound to nothing: that is written down, and told to all before anybody opens.
    assert!(notes.contains(&Note::Unbound { deal: 1, seat: Seat(1) }), "{notes:?}");
    let (before, call) = ann.heard.iter().enumerate().find(|(_, frame)| frame.contains("\"open\"")).unwrap();
    let hash = notes.iter().find_map(|n| match n {
        Note::ClientCommit { seat: Seat(0), hash, .. } => Some(*hash),
        _ => None,
    });
    let told = format!(r#""bound":["{}",null],"without":2"#, hash.unwrap());
    assert!(call.contains(&told), "{call}");
    assert!(!ann.heard[..before].iter().any(|frame| frame.contains("\"dealt\"")));
    assert!(!ann.changes.iter().any(|c| matches!(c, Change::LeftOut { .. })), "hers is among them");
    let absent = rig.verified().unwrap().absent;
    assert!(
        matches!(&absent[..], [a] if (a.deal, a.seat, a.why) == (1, Seat(1), Why::Unbound) && a.name == "bob")
    );
}

/// A client whose commitment does not arrive, or is dropped by whoever runs the server, opens nothing and says so; the log
/// names it, and so does the table once the match is over.
#[test]
fn fair_deals_tell_a_client_that_it_is_left_out() {
    let (rig, mut ann, mut bob) = (rig(Rules::default(), 2), Peer::new("ann"), Peer::new("bob"));
    bob.withholds = true;
    rig.start(&mut [&mut ann, &mut bob]);
    rig.pass(1000, &mut [&mut ann, &mut bob]);
    assert_eq!(rig.truth().deal, 1);
    let left_out = |peer: &Peer<Toy>| {
        let deals = peer.changes.iter().filter_map(|c| match c {
            Change::LeftOut { deal, other } => Some((*deal, *other)),
            _ => None,
        });
        deals.collect::<Vec<_>>()
    };
    assert_eq!((left_out(&ann), left_out(&bob)), (vec![], vec![(1, false)]));
    // What it would say now is too late; from the next deal on it takes part.
    bob.withholds = false;
    bob.send(r#"{"seed":{"commit":{"game":1,"deal":1,"hash":"0000000000000000000000000000000000000000000000000000000000000000"}}}"#);
    bob.cut();
    bob.open(&rig.table);
    rig.quiet(&mut [&mut ann, &mut bob]);
    assert_eq!(rig.table.state().without_seed, [0; 0], "told when the match is over");
    play_out(&rig, &mut [&mut ann, &mut bob]);
    assert_eq!(left_out(&bob), [(1, false)]);
    assert_eq!(rig.table.state().without_seed, [0, 1]);
    assert_eq!(verify(&rig), BTreeMap::from([(1, 1), (2, 2)]));
    let verified = rig.verified().unwrap();
    assert!(verified.is_whole() && verified.absent.len() == 1, "{verified}");
    // A server that is started again knows it.
    assert_eq!(rig.restarted().table.state().without_seed, [0, 1]);
}

/// The page that committed may be closed before the deal: the seat's last device counts, and one whose hash is not the
/// seat's opens nothing.
#[test]
fn fair_deals_take_the_last_device_of_a_seat() {
    let (rig, mut ann, mut bob) = two();
    let mut phone = Peer::new("bob");
    phone.client = wire::client::Client::new(999, [3; 32]);
    phone.open(&rig.table);
    rig.quiet(&mut [&mut ann, &mut bob, &mut phone]);
    // Bob's first device is still there.
    while rig.truth().deal < 2 && rig.table.state().stage != Stage::Over {
        for i in 0..2 {
            let peers = [&mut ann, &mut phone];
            if let Some(command) = turn(peers[i]) {
                peers.into_iter().nth(i).unwrap().client.command(command);
            }
            rig.quiet(&mut [&mut ann, &mut bob, &mut phone]);
        }
        rig.pass(500, &mut [&mut ann, &mut bob, &mut phone]);
    }
    let other =
        |peer: &Peer<Toy>| peer.changes.iter().any(|c| matches!(c, Change::LeftOut { deal: 2, other: true }));
    assert!(other(&bob) && !other(&phone), "{:?}", bob.changes);
    let notes: Vec<_> = rig.log().1.into_iter().flat_map(|e| e.notes).collect();
    assert!(notes.iter().any(|n| matches!(n, Note::Open { deal: 2, seat: Seat(1), .. })));
    assert!(!notes.iter().any(|n| matches!(n, Note::Missing { .. } | Note::Unbound { .. })), "{notes:?}");
}

#[test]
fn fair_deals_note_who_did_not_open() {
    let (rig, mut ann, mut bob) = two();
    // For the second deal bob is bound, and then gone when it is time to open.
    while rig.truth().hands.iter().any(|h| !h.is_empty()) {
        for peer in [&mut ann, &mut bob] {
            if let Some(command) = turn(peer) {
                peer.client.command(command);
                rig.quiet(&mut [peer]);
            }
        }
        rig.quiet(&mut [&mut ann, &mut bob]);
    }
    let seal = bob.client.command(Command::Seal(1));
    bob.pump(rig.host_now());
    rig.quiet(&mut [&mut ann]);
    bob.cut();
    ann.client.command(Command::Seal(2));
    rig.pass(3000, &mut [&mut ann]);
    assert_eq!(rig.truth().deal, 2);
    let notes: Vec<_> = rig.log().1.into_iter().flat_map(|e| e.notes).collect();
    assert!(notes.contains(&Note::Missing { deal: 2, seat: Seat(1) }), "{seal} {notes:?}");
    let (table, deal) = (verify(&rig), 1);
    assert_eq!(table.get(&deal), Some(&2), "the first deal is shown when it has ended");
}
