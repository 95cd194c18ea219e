//! People and bots at the tables of a real server, over real sockets.

use crate::common::Server;
use crate::common::player::{Player, begin, moves};
use serde_json::json;
use std::time::{Duration, Instant};
use wire::client::Change;
use wire::{Act, Answer, Stage};

/// A new table of Ann's: its id.
async fn table(ann: &crate::common::Guest<'_>, game: &str, seats: u8, bots: &[&str]) -> String {
    let body =
        json!({ "game": { "preset": game }, "seats": seats, "bots": bots, "public": true }).to_string();
    let made = ann.ask("POST", "/api/tables", &body).await;
    assert_eq!(made.status, 201, "{}", made.body);
    assert_eq!(made.json()["path"], format!("/table/{}", made.json()["id"].as_str().expect("an id")));
    made.json()["id"].as_str().expect("an id").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bots_that_are_listed_can_be_seated() {
    let server = Server::start().await;
    let guest = server.guest("Ann").await;
    let listed = server.get("/api/games").await.json();
    let listed: wire::api::Games = serde_json::from_value(listed).expect("games and bots");
    for (family, game) in [(rulebook::Family::Pattern, "set-classic"), (rulebook::Family::Contract, "may-i")]
    {
        let of_family = listed.bots.iter().filter(|bot| bot.family == family);
        let kinds: Vec<&str> = of_family.clone().map(|bot| &*bot.kind).collect();
        let levels: Vec<u8> = of_family.clone().map(|bot| bot.level).collect();
        assert!(levels.is_sorted() && [0, 1, 2].iter().all(|level| levels.contains(level)), "{levels:?}");
        let id = table(&guest, game, kinds.len() as u8 + 1, &kinds).await;
        let summary = server.get(&format!("/api/tables/{id}")).await.json();
        for (bot, seat) in of_family.zip(1..) {
            assert_eq!(summary["seats"][seat], json!({ "name": bot.kind, "bot": true }), "{summary}");
        }
        // And no other, nor those of the other family.
        let all = listed.bots.iter().map(|bot| &*bot.kind).chain(["nobody"]);
        for other in all.filter(|kind| !kinds.contains(kind)) {
            let body = json!({ "game": { "preset": game }, "seats": 2, "bots": [other] }).to_string();
            assert_eq!(guest.ask("POST", "/api/tables", &body).await.status, 400, "{other} at {game}");
        }
    }
}

async fn two_people_and_a_bot(game: &str) {
    let server = Server::start().await;
    let guest = server.guest("Ann").await;
    let id = table(&guest, game, 3, &["random"]).await;
    let lobby = server.get("/api/tables").await.json();
    assert_eq!(lobby["tables"][0]["id"], id.as_str(), "{lobby}");
    assert_eq!(lobby["tables"][0]["seats"][0]["name"], "Ann", "who opens a table sits down");
    assert_eq!(lobby["tables"][0]["seats"][2], json!(null));

    let mut ann = Player::with(guest, &id, 1).await;
    let mut bea = Player::come(&server, "Bea", &id, 2).await;
    bea.sit(2).await;
    begin([&mut ann, &mut bea]).await;
    for player in [&mut ann, &mut bea] {
        player.until("the match begins", |client| client.view().is_some()).await;
    }
    moves([&mut ann, &mut bea], 3).await;

    // Somebody who only watches, and somebody who guesses.
    let mut watcher = Player::come(&server, "Will", &id, 3).await;
    watcher.until("the match shows", |client| client.view().is_some()).await;
    let theirs = {
        let at = game::Millis(0);
        let view = bea.client.view().expect("seen");
        game::View::commands(view, at).commands.first().cloned()
    };
    if let Some(command) = theirs {
        assert!(
            matches!(watcher.command(command).await, Answer::NotNow { .. }),
            "a spectator has no seat to act for"
        );
    }
    let games = bea.guest.ask("GET", "/api/me/games", "").await.json();
    let played = games["games"][0].clone();
    assert_eq!((&played["ended"], &played["seat"]), (&json!(false), &json!(2)), "{games}");
    let record = format!("/api/matches/{}/record", played["id"].as_str().expect("an id"));
    assert_eq!(
        bea.guest.ask("GET", &record, "").await.status,
        404,
        "a running match has its hidden cards in its record"
    );

    // A line that breaks.
    let game = bea.client.game();
    let seen = bea.client.seen();
    let mut bea = bea.come_back(&server).await;
    bea.until("it goes on", |client| client.table().is_some()).await;
    moves([&mut ann, &mut bea], 1).await;
    assert!(bea.client.seen() > seen && bea.client.game() == game);
    // A server that is started again: from the very card.
    let views = [ann.client.seen(), bea.client.seen()];
    drop(watcher);
    let cookies = [ann.guest.cookie.clone(), bea.guest.cookie.clone()];
    let (ann_client, bea_client) = (ann.client.clone(), bea.client.clone());
    drop((ann, bea));
    let data = server.stop().await;
    let server = Server::on(data, |_| {}).await;
    let mut again = vec![];
    for ((client, cookie), number) in [ann_client, bea_client].into_iter().zip(cookies).zip([11, 12]) {
        let guest = crate::common::Guest { server: &server, cookie };
        let mut player = Player::with(guest, &id, number).await;
        player.client = client;
        again.push(player.come_back(&server).await);
    }
    let [mut ann, mut bea] = <[Player<'_>; 2]>::try_from(again).ok().expect("two");
    moves([&mut ann, &mut bea], 1).await;
    for (player, seen) in [&ann, &bea].into_iter().zip(views) {
        assert!(player.client.seen() > seen);
        assert!(
            !player
                .changes
                .iter()
                .any(|change| matches!(change, Change::Behind { .. } | Change::Dropped { .. }))
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn contract_rummy_goes_on_through_broken_lines_and_restarts() {
    two_people_and_a_bot("contract").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn set_goes_on_through_broken_lines_and_restarts() {
    two_people_and_a_bot("set-classic").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_match_ends_by_agreement_and_its_record_can_be_had() {
    let server = Server::start().await;
    let guest = server.guest("Ann").await;
    let id = table(&guest, "contract", 3, &["random", "random"]).await;
    let mut ann = Player::with(guest, &id, 1).await;
    ann.act(Act::Ready { ready: true }).await;
    ann.act(Act::Start).await;
    ann.until("the match begins", |client| client.view().is_some()).await;
    ann.act(Act::End { agree: true }).await;
    ann.until("it is over", |client| client.table().is_some_and(|table| table.stage == Stage::Over)).await;
    // The table says so as soon as it is durable; the list is written right after.
    let deadline = Instant::now() + crate::common::PATIENCE;
    let played = loop {
        let played = ann.guest.ask("GET", "/api/me/games", "").await.json()["games"][0].clone();
        if played["ended"] == json!(true) {
            break played;
        }
        assert!(Instant::now() < deadline, "{played}");
        ann.pump(Duration::from_millis(50)).await;
    };
    let path = format!("/api/matches/{}/record?download", played["id"].as_str().expect("an id"));
    let record = ann.guest.ask("GET", &path, "").await;
    assert_eq!(record.status, 200);
    assert!(record.header("content-disposition").is_some_and(|value| value.contains(".jsonl")));
    assert!(record.body.lines().count() > 1 && record.body.contains("Ann"));
    assert!(!record.body.contains(&id), "the address of a private table is its secret");

    // To be forgotten is to be gone from lists and records.
    assert_eq!(ann.guest.ask("DELETE", "/api/me", "").await.status, 204);
    assert_eq!(ann.guest.ask("GET", "/api/me", "").await.json()["name"], json!(null));
    assert_eq!(ann.guest.ask("GET", &path, "").await.status, 404, "nobody else played it");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_forgotten_in_the_midst_of_a_match_leaves_no_name() {
    let server = Server::start().await;
    let guest = server.guest("Ann").await;
    let id = table(&guest, "contract", 3, &["random"]).await;
    let mut ann = Player::with(guest, &id, 1).await;
    let mut bea = Player::come(&server, "Beatrix", &id, 2).await;
    bea.sit(2).await;
    begin([&mut ann, &mut bea]).await;
    ann.until("the match begins", |client| client.view().is_some()).await;
    moves([&mut ann, &mut bea], 2).await;
    assert_eq!(bea.guest.ask("DELETE", "/api/me", "").await.status, 204);
    drop(bea);
    ann.until("nobody reads the name any more", |client| {
        client.table().is_some_and(|table| !format!("{table:?}").contains("Beatrix"))
    })
    .await;
    // The others go on, and what is kept of the match does not name her.
    assert!(ann.client.table().is_some_and(|table| table.stage == Stage::Playing));
    ann.act(Act::End { agree: true }).await;
    ann.until("it is over", |client| client.table().is_some_and(|table| table.stage == Stage::Over)).await;
    let games = ann.guest.ask("GET", "/api/me/games", "").await.json();
    assert!(!games.to_string().contains("Beatrix"), "{games}");
    let path = format!("/api/matches/{}/record", games["games"][0]["id"].as_str().expect("an id"));
    let deadline = Instant::now() + crate::common::PATIENCE;
    let record = loop {
        let record = ann.guest.ask("GET", &path, "").await;
        if record.status == 200 {
            break record.body;
        }
        assert!(Instant::now() < deadline, "{}", record.body);
        ann.pump(Duration::from_millis(50)).await;
    };
    assert!(record.contains("Ann") && !record.contains("Beatrix"), "{record}");
}

#[tokio::test]
async fn a_table_is_refused_in_words() {
    let server = Server::start().await;
    let body = json!({ "game": { "preset": "contract" }, "seats": 4 }).to_string();
    assert_eq!(server.ask("POST", "/api/tables", &[], &body).await.status, 401, "first a name");
    let ann = server.guest("Ann").await;
    for (body, says) in [
        (json!({ "game": { "preset": "whist" }, "seats": 4 }), "whist"),
        (json!({ "game": { "preset": "contract" }, "seats": 99 }), "99"),
        (json!({ "game": { "preset": "contract" }, "seats": 4, "options": { "colour": 1 } }), "colour"),
        (json!({ "game": { "preset": "contract" }, "seats": 4, "bots": ["hal"] }), "hal"),
        (
            json!({ "game": { "preset": "contract" }, "seats": 3, "bots": ["random", "random", "random"] }),
            "more bots than seats",
        ),
        (json!({ "game": { "rules": "deal = maybe" }, "seats": 3 }), "your rules:1"),
    ] {
        let answer = ann.ask("POST", "/api/tables", &body.to_string()).await;
        assert_eq!(answer.status, 400, "{body}: {}", answer.body);
        assert!(answer.problem().contains(says), "{body}: {}", answer.problem());
    }
    let lobby = server.get("/api/tables").await.json();
    assert_eq!(lobby["tables"], json!([]), "nothing was left behind");
}

#[tokio::test]
async fn a_seat_moves_to_another_device_once_and_only_when_somebody_says_so() {
    let server = Server::start().await;
    let ann = server.guest("Ann").await;
    let id = table(&ann, "set-classic", 2, &[]).await;
    let link = ann.ask("POST", &format!("/api/tables/{id}/device"), "{}").await.json();
    let url = link["url"].as_str().expect("a link");
    assert!(link["qr"].as_str().is_some_and(|qr| qr.contains("<svg")), "{link}");
    let token = url.rsplit('/').next().expect("a token");
    let body = json!({ "token": token }).to_string();
    // Following a link changes nothing: it is said first whose name this browser takes, and whose it gives up.
    let offer = format!("/api/device/{token}");
    for path in [format!("/device/{token}"), offer.clone()] {
        assert_eq!(server.get(&path).await.header("set-cookie"), None, "{path}");
    }
    assert_eq!(server.get(&offer).await.json(), json!({ "name": "Ann" }));
    let bea = server.guest("Bea").await;
    assert_eq!(bea.ask("GET", &offer, "").await.json(), json!({ "name": "Ann", "present": "Bea" }));
    assert_eq!(ann.ask("GET", &offer, "").await.json(), json!({ "name": "Ann", "table": id }));
    assert_eq!(server.get("/api/device/made-up").await.status, 404);
    // Only a page of ours may say yes for somebody.
    for headers in [
        [("Origin", "http://evil.example"), ("Content-Type", "application/json")],
        [("Origin", "null"), ("Content-Type", "application/json")],
        [("Origin", "http://evil.example"), ("Content-Type", "text/plain")],
    ] {
        let foreign = server.ask("POST", "/api/device", &headers, &body).await;
        assert_eq!((foreign.status, foreign.header("set-cookie")), (403, None));
    }
    let own = format!("http://{}", server.address);
    let phone = server.ask("POST", "/api/device", &[("Origin", &own)], &body).await;
    assert_eq!(phone.json()["table"], id.as_str());
    let cookie = phone.header("set-cookie").expect("a cookie").split(';').next().expect("a value").to_owned();
    let phone = crate::common::Guest { server: &server, cookie };
    let player = Player::with(phone, &id, 5).await;
    assert_eq!(player.client.viewer(), game::Viewer::Seat(game::Seat(0)), "Ann's seat");
    assert_eq!(server.ask("POST", "/api/device", &[], &body).await.status, 404, "a link works once");
    assert_eq!(server.get(&offer).await.status, 404, "and is nobody's any more");
    assert_eq!(bea.ask("GET", "/api/me", "").await.json()["name"], "Bea");
    assert!(server.get(&format!("/api/tables/{id}/qr.svg")).await.body.contains("<svg"));
}

#[tokio::test]
async fn a_second_server_on_the_same_data_is_refused() {
    let server = Server::start().await;
    assert_eq!(server.get("/healthz").await.status, 200);
    let settings = server::Settings { data: server.data.path().into(), ..server::Settings::default() };
    let error = server::Server::open(settings).err().expect("refused").to_string();
    assert!(error.contains("Another parlour server"), "{error}");
    let taken = server::Settings { listen: server.address, ..server::Settings::default() };
    let error = server::listen(&taken).await.expect_err("refused").to_string();
    assert!(error.contains("in use already"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn those_who_sit_play_by_the_rules_for_their_number() {
    let server = Server::start().await;
    let guest = server.guest("Ann").await;
    let id = table(&guest, "contract", 5, &["random"]).await;
    let summary = server.get(&format!("/api/tables/{id}")).await.json();
    assert_eq!(summary["players"], json!([3, 5]), "{summary}");

    // Two of five: the game is not for so few, and they are told.
    let mut ann = Player::with(guest, &id, 1).await;
    ann.act(Act::Start).await;
    let deadline = Instant::now() + Duration::from_secs(20);
    let refused = |change: &Change<rulebook::View>| matches!(change, Change::Declined { text, .. } if text.contains("3 to 5"));
    while !ann.changes.iter().any(refused) {
        assert!(Instant::now() < deadline, "not refused: {:?}", ann.changes);
        ann.pump(Duration::from_millis(100)).await;
    }

    // Three of five, with the cards for three.
    ann.act(Act::Bot { seat: game::Seat(3), kind: "random".to_owned() }).await;
    ann.act(Act::Start).await;
    let for_three = |client: &wire::client::Client<rulebook::View>| match client.view() {
        Some(rulebook::View::Contract(view)) => {
            let rules = &view.compiled.rules;
            (view.flow.seats, rules.seats, rules.cards().len()) == (3, 3, 106)
        }
        _ => false,
    };
    ann.until("a match for three", for_three).await;
    // The rules for five are kept once, and those for three nowhere but with the match.
    let away = ann.leave();
    let server = Server::on(server.stop().await, |_| {}).await;
    let mut ann = away.come_back(&server).await;
    ann.until("the same match", for_three).await;
    ann.until("it goes on", |client| client.table().is_some_and(|table| table.paused.is_none())).await;
}

/// Two rounds that are soon over.
const SHORT: &str = r#"
id = "short"
name = "Short"
base = "contract"
[deal]
cards = 5
[[round]]
contract = ["P2"]
[[round]]
contract = ["P2"]
"#;

#[tokio::test(flavor = "multi_thread")]
async fn between_two_rounds_a_table_waits_for_its_people() {
    let server = Server::with(|settings| settings.bot_pace = 0).await;
    let guest = server.guest("Ann").await;
    let rules = rulebook::house::load(SHORT).expect("rules").rules(3).expect("for three");
    for rest_s in [6, 200] {
        let body =
            json!({ "game": { "rules": SHORT }, "seats": 3, "bots": [], "rest_s": rest_s }).to_string();
        let made = guest.ask("POST", "/api/tables", &body).await;
        assert_eq!(made.status, 201, "{}", made.body);
        let id = made.json()["id"].as_str().expect("an id").to_owned();
        let same = crate::common::Guest { server: &server, cookie: guest.cookie.clone() };
        let mut ann = Player::with(same, &id, 1).await;
        let mut bob = Player::come(&server, "Bob", &id, 2).await;
        bob.sit(1).await;
        ann.act(Act::Bot { seat: game::Seat(2), kind: "easy".to_owned() }).await;
        begin([&mut ann, &mut bob]).await;
        let waits = |client: &wire::client::Client<rulebook::View>| match client.table()?.paused {
            Some(wire::Paused::Round { waits_for }) => Some(waits_for),
            _ => None,
        };
        ann.client.go_on_by_itself(false);
        for player in [&mut ann, &mut bob] {
            player.brain = bots::make("easy", &rules);
        }
        let deadline = Instant::now() + Duration::from_secs(60);
        while waits(&ann.client).is_none() {
            assert!(Instant::now() < deadline, "no round is over");
            ann.move_if_may().await;
            bob.move_if_may().await;
        }
        // Bob goes on by himself, and nothing is dealt.
        let only_ann = game::SeatSet::one(game::Seat(0));
        for player in [&mut bob, &mut ann] {
            player.until("ann is waited for", |client| waits(client) == Some(only_ann)).await;
        }
        let left = ann.client.table().expect("a table").rest_ms;
        assert!((1..=rest_s * 1000).contains(&left), "{left}");
        let round = |client: &wire::client::Client<rulebook::View>| match client.view() {
            Some(rulebook::View::Contract(view)) => (view.flow.finished, view.hand.cards().count()),
            _ => (0, 0),
        };
        assert_eq!(round(&ann.client), (1, 0));
        if rest_s > 100 {
            // She loses her connection, and so does the server: she is waited for all the same.
            let (away, other) = (ann.leave(), bob.leave());
            let mut ann = away.come_back(&server).await;
            ann.until("it waits again", |client| client.is_up() && waits(client) == Some(only_ann)).await;
            ann.act(Act::GoOn).await;
            let mut bob = other.come_back(&server).await;
            for player in [&mut ann, &mut bob] {
                player.until("the second round", |client| round(client) == (1, 5)).await;
            }
        } else {
            // Her time is up.
            ann.until("the second round", |client| round(client) == (1, 5)).await;
            assert_eq!(waits(&ann.client), None);
        }
    }
}
