//! What a client does about fair deals when the server does not play fair.

use game::{Seat, Viewer};
use record::fair::{Bytes32, commitment};
use rulebook::View;
use wire::client::{Change, Client, ToClientOf};
use wire::{Act, PROTOCOL, Paused, SeedCall, SeedGiven, Stage, TableState, ToClient, ToServer, Welcome};

/// A client that sits in seat 1 of the first match.
fn seated() -> Client<View> {
    welcomed(Client::new(7, [7; 32]))
}

/// The same of this client.
fn welcomed(mut client: Client<View>) -> Client<View> {
    client.opened();
    let you = Viewer::Seat(Seat(1));
    let engine = record::ENGINE.to_owned();
    let welcome = Welcome { protocol: PROTOCOL, engine, you, host: false, kept_out: false, game: 1, n: 0 };
    client.receive(ToClient::Welcome(welcome), 0.0);
    let _ = seeds(&mut client);
    client
}

fn hear(client: &mut Client<View>, call: SeedCall) {
    let frame: ToClientOf<View> = ToClient::Seed(call);
    client.receive(frame, 0.0);
}

/// What the client says about seeds.
fn seeds(client: &mut Client<View>) -> Vec<SeedGiven> {
    let said = std::iter::from_fn(|| client.next_frame());
    said.filter_map(|frame| if let ToServer::Seed(given) = frame { Some(given) } else { None }).collect()
}

/// What it has to tell of fairness.
fn told(client: &mut Client<View>) -> Vec<String> {
    let changes = std::iter::from_fn(|| client.next_change());
    let told = changes.filter(|c| matches!(c, Change::Unfair { .. } | Change::LeftOut { .. }));
    told.map(|change| format!("{change:?}")).collect()
}

const SERVER: Bytes32 = Bytes32([0x42; 32]);

fn committed(game: u32, deal: u16, seed: Bytes32) -> SeedCall {
    SeedCall::Committed { game, deal, hash: commitment(&seed) }
}

fn open(bound: Vec<Option<Bytes32>>) -> SeedCall {
    SeedCall::Open { game: 1, deal: 1, bound, without: game::SeatSet::NONE }
}

/// The client and what it is bound to for the first deal.
fn bound() -> (Client<View>, Bytes32) {
    let mut client = seated();
    hear(&mut client, committed(1, 1, SERVER));
    match seeds(&mut client)[..] {
        [SeedGiven::Commit { game: 1, deal: 1, hash }] => (client, hash),
        ref other => panic!("{other:?}"),
    }
}

/// What the client does about the table when it is told that the match rests, and who is waited for.
fn rested(client: &mut Client<View>, waits_for: &[u8]) -> Vec<Act> {
    let waits_for = waits_for.iter().copied().map(Seat).collect();
    let paused = Some(Paused::Round { waits_for });
    let state = TableState { stage: Stage::Playing, paused, rest_ms: 20_000, ..TableState::default() };
    client.receive(ToClient::Table(state), 0.0);
    let said = std::iter::from_fn(|| client.next_frame());
    said.filter_map(|frame| if let ToServer::Act(act) = frame { Some(act) } else { None }).collect()
}

#[test]
fn a_client_goes_on_between_rounds_only_where_it_is_told_to() {
    let mut client = seated();
    assert_eq!(rested(&mut client, &[0, 1]), []);
    client.go_on_by_itself(true);
    assert_eq!(rested(&mut client, &[0, 1]), [Act::GoOn]);
    assert_eq!(rested(&mut client, &[0, 2]), [], "it is not waited for");
}

#[test]
fn a_client_opens_only_what_is_written_down() {
    let (client, own) = bound();
    let other = Some(Bytes32([9; 32]));
    for (list, opens, says) in [
        (vec![other, Some(own)], true, None),
        (vec![None, Some(own), other], true, None),
        (vec![other, None], false, Some("LeftOut { deal: 1, other: false }")),
        (vec![other], false, Some("LeftOut { deal: 1, other: false }")),
        (vec![], false, Some("LeftOut { deal: 1, other: false }")),
        // In the seat of another it does not count.
        (vec![Some(own), None], false, Some("LeftOut { deal: 1, other: false }")),
        (vec![Some(own), other], false, Some("LeftOut { deal: 1, other: true }")),
    ] {
        let mut client = client.clone();
        hear(&mut client, open(list.clone()));
        let opened = seeds(&mut client);
        assert_eq!(!opened.is_empty(), opens, "{list:?}: {opened:?}");
        if let [SeedGiven::Open { seed, .. }] = opened[..] {
            assert_eq!(commitment(&seed), own);
        }
        assert_eq!(told(&mut client), says.into_iter().map(str::to_owned).collect::<Vec<_>>(), "{list:?}");
    }
    // Who only watches has no seed and misses none.
    let mut watcher: Client<View> = Client::new(8, [8; 32]);
    hear(&mut watcher, committed(1, 1, SERVER));
    hear(&mut watcher, open(vec![other, None]));
    assert_eq!((seeds(&mut watcher), told(&mut watcher)), (vec![], vec![]));
}

#[test]
fn who_goes_on_in_anothers_place_holds_the_server_to_what_it_was_told() {
    let (mut before, own) = bound();
    let welcome =
        r#"{"welcome":{"protocol":1,"engine":"","you":{"seat":1},"host":false,"game":1,"n":0}}"#.to_owned();
    let ended = r#"{"error":{"text":"The house closes.","say":{"key":"x"},"retry":false}}"#.to_owned();
    before.receive_text(&ended, 0.0).expect("a frame");
    let kept = before.keepsake(vec!["what nobody can read".to_owned(), welcome, ended]);
    let kept = serde_json::from_str(&serde_json::to_string(&kept).unwrap()).unwrap();
    let mut client = Client::in_place_of(kept, 0.0);
    let changes: Vec<_> = std::iter::from_fn(|| client.next_change()).collect();
    assert!(matches!(changes[..], [Change::Welcome(_)]), "the line that it was said of is gone: {changes:?}");
    let mut client = welcomed(client);
    hear(&mut client, open(vec![None, Some(own)]));
    let opened = seeds(&mut client);
    assert!(matches!(opened[..], [SeedGiven::Open { game: 1, deal: 1, seed }] if commitment(&seed) == own));
    hear(&mut client, SeedCall::Revealed { game: 1, deal: 1, seed: Bytes32([0x43; 32]) });
    assert_eq!(told(&mut client), ["Unfair { deal: 1 }"]);
    // A command has a number that no other of this client has had.
    let command: <View as game::View>::Command = serde_json::from_str(r#"{"pattern":"call"}"#).unwrap();
    let given = before.command(command.clone());
    assert_eq!(Client::<View>::in_place_of(before.keepsake(vec![]), 0.0).command(command), given + 1);
}

#[test]
fn a_server_is_bound_once() {
    let (mut client, own) = bound();
    // The same again, as after a broken line: the commitment is sent again.
    hear(&mut client, committed(1, 1, SERVER));
    assert_eq!((seeds(&mut client).len(), told(&mut client).len()), (1, 0));
    hear(&mut client, open(vec![None, Some(own)]));
    assert_eq!(seeds(&mut client).len(), 1);
    // Now that it knows our seed it would rather have been bound to another one.
    let better = Bytes32([0x43; 32]);
    hear(&mut client, committed(1, 1, better));
    assert_eq!((seeds(&mut client), told(&mut client)), (vec![], vec!["Unfair { deal: 1 }".to_owned()]));
    hear(&mut client, SeedCall::Revealed { game: 1, deal: 1, seed: better });
    assert_eq!(told(&mut client), ["Unfair { deal: 1 }"]);
    hear(&mut client, SeedCall::Revealed { game: 1, deal: 1, seed: SERVER });
    assert_eq!(told(&mut client), [""; 0]);
    // Nor is a match dealt again that was over, with seeds that are known.
    hear(&mut client, committed(2, 1, SERVER));
    assert_eq!(seeds(&mut client).len(), 1);
    hear(&mut client, committed(1, 1, better));
    assert_eq!(seeds(&mut client), []);
    // And nothing is opened to a server that is bound to nothing.
    let mut client = seated();
    hear(&mut client, open(vec![None, Some(own)]));
    assert_eq!(seeds(&mut client), []);
}
