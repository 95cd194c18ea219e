//! Tables that nobody is at fall asleep on the disk, and wake when somebody comes; nobody loses one to a newcomer.

use crate::common::player::Player;
use crate::common::{Guest, PATIENCE, Server};
use serde_json::json;
use std::time::{Duration, Instant};
use wire::{Act, Stage};

async fn open(guest: &Guest<'_>, game: &str, seats: u8, bots: &[&str]) -> crate::common::Answer {
    let body =
        json!({ "game": { "preset": game }, "seats": seats, "bots": bots, "public": true }).to_string();
    guest.ask("POST", "/api/tables", &body).await
}

fn id_of(made: &crate::common::Answer) -> String {
    assert_eq!(made.status, 201, "{}", made.body);
    made.json()["id"].as_str().expect("an id").to_owned()
}

/// How many tables are in memory, and how many asleep.
async fn tables(server: &Server) -> (u64, u64) {
    let text = server.for_hosts("/metrics").await.body;
    let row = |name: &str| {
        let row = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        row.and_then(|count| count.parse().ok()).unwrap_or_else(|| panic!("{name} in {text}"))
    };
    (row("parlour_tables"), row("parlour_tables_asleep"))
}

async fn until_tables(server: &Server, awake: u64, asleep: u64) {
    let deadline = Instant::now() + PATIENCE;
    while tables(server).await != (awake, asleep) {
        assert!(Instant::now() < deadline, "{:?} instead of {awake} and {asleep}", tables(server).await);
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// A match of a guest against a bot is begun, and left.
async fn begin_and_leave(server: &Server, name: &str, number: u32) -> (String, String) {
    let guest = server.guest(name).await;
    let cookie = guest.cookie.clone();
    let id = id_of(&open(&guest, "12-step", 2, &["easy"]).await);
    let mut player = Player::with(guest, &id, number).await;
    player.act(Act::Start).await;
    player.until("the match begins", |client| client.view().is_some()).await;
    (id, cookie)
}

/// All cards that a player of Contract Rummy sees, and whose turn it is.
fn cards(player: &Player<'_>) -> String {
    let Some(rulebook::View::Contract(view)) = player.client.view() else {
        panic!("a hand of Contract Rummy")
    };
    let flow = &view.flow;
    format!("{:?} {:?} {:?} {} {:?}", view.hand, flow.top, flow.sizes, flow.stock, flow.turn)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_match_that_is_left_falls_asleep_and_wakes_on_a_visit() {
    let server = Server::with(|settings| settings.sleep_after_seconds = 1).await;
    let guest = server.guest("Ann").await;
    let id = id_of(&open(&guest, "12-step", 2, &[]).await);
    let mut ann = Player::with(guest, &id, 1).await;
    let mut bea = Player::come(&server, "Bea", &id, 2).await;
    bea.sit(1).await;
    ann.act(Act::Ready { ready: true }).await;
    bea.act(Act::Ready { ready: true }).await;
    let ready = |table: &wire::TableState| table.seats.iter().all(|seat| seat.ready);
    ann.until("all are ready", |client| client.table().is_some_and(ready)).await;
    ann.act(Act::Start).await;
    let (mut moves, deadline) = (0, Instant::now() + PATIENCE);
    while moves < 4 {
        assert!(Instant::now() < deadline, "it is dealt, and played");
        moves += u32::from(ann.move_if_may().await) + u32::from(bea.move_if_may().await);
    }
    for player in [&mut ann, &mut bea] {
        player.pump(Duration::from_millis(300)).await;
    }
    let seen = [cards(&ann), cards(&bea)];
    let cookies = [ann.guest.cookie.clone(), bea.guest.cookie.clone()];
    drop((ann, bea));
    until_tables(&server, 0, 1).await;

    // Whoever looks from outside finds it, and does not wake it.
    let shown = server.get(&format!("/api/tables/{id}")).await.json();
    assert_eq!((&shown["stage"], &shown["seats"][1]["name"]), (&json!("playing"), &json!("Bea")), "{shown}");
    assert_eq!(server.get("/api/tables").await.json()["tables"][0], shown);
    let bea = Guest { server: &server, cookie: cookies[1].clone() };
    let games = bea.ask("GET", "/api/me/games", "").await.json();
    assert_eq!((&games["games"][0]["table"], &games["games"][0]["ended"]), (&json!(id), &json!(false)));
    assert_eq!(server.get(&format!("/api/tables/{id}/qr.svg")).await.status, 200);
    assert_eq!(tables(&server).await, (0, 1));

    // A name is changed everywhere.
    assert_eq!(bea.ask("PUT", "/api/me", r#"{"name":"Beatrix"}"#).await.status, 200);
    until_tables(&server, 0, 1).await;
    let shown = server.get(&format!("/api/tables/{id}")).await.json();
    assert_eq!(shown["seats"][1]["name"], "Beatrix", "{shown}");

    // And so after the server was started again.
    let server = Server::on(server.stop().await, |settings| settings.sleep_after_seconds = 1).await;
    assert_eq!(tables(&server).await, (0, 1), "nobody has come yet");
    assert_eq!(server.get(&format!("/api/tables/{id}")).await.json(), shown);
    let come = |number: usize| Guest { server: &server, cookie: cookies[number].clone() };
    let mut bea = Player::with(come(1), &id, 12).await;
    bea.until("her cards", |client| client.view().is_some()).await;
    assert_eq!(cards(&bea), seen[1]);
    let mut ann = Player::with(come(0), &id, 11).await;
    ann.until("her cards", |client| client.view().is_some()).await;
    assert_eq!(cards(&ann), seen[0]);
    assert_eq!(tables(&server).await, (1, 0));
    let deadline = Instant::now() + PATIENCE;
    while !ann.move_if_may().await && !bea.move_if_may().await {
        assert!(Instant::now() < deadline, "the match goes on");
    }
}

/// Thirty matches that were begun and left once closed a house of thirty for good.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_house_full_of_matches_that_were_left_takes_in_newcomers_and_drops_nobody() {
    let server = Server::with(|settings| {
        settings.max_tables = 5;
        settings.requests_per_second = 1000;
    })
    .await;
    let mut left = Vec::new();
    for number in 0..8 {
        left.push(begin_and_leave(&server, &format!("Guest {number}"), number).await);
    }
    let (awake, asleep) = tables(&server).await;
    assert!(awake <= 5 && awake + asleep == 8, "{awake} awake, {asleep} asleep");
    for (number, (id, cookie)) in (20..).zip(left) {
        assert_eq!(server.get(&format!("/api/tables/{id}")).await.json()["stage"], "playing");
        let mut player = Player::with(Guest { server: &server, cookie }, &id, number).await;
        player.until("the cards", |client| client.view().is_some()).await;
        assert_eq!(player.client.table().map(|table| table.stage), Some(Stage::Playing));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_house_refuses_in_words_and_closes_nobodys_table() {
    let server = Server::with(|settings| settings.max_tables = 2).await;
    let mut players = Vec::new();
    for (number, name) in (1..).zip(["Ann", "Bea"]) {
        let guest = server.guest(name).await;
        let id = id_of(&open(&guest, "set-classic", 3, &[]).await);
        players.push((Player::with(guest, &id, number).await, id));
    }
    let carl = server.guest("Carl").await;
    let refused = open(&carl, "set-classic", 3, &[]).await;
    assert_eq!(refused.status, 503);
    assert!(refused.problem().contains("All tables of the house are taken"), "{}", refused.problem());
    for (_, id) in &players {
        assert_eq!(server.get(&format!("/api/tables/{id}")).await.status, 200);
    }
    // One falls asleep when its people have gone, and only waking it has to wait for a place.
    let (_, id) = players.pop().expect("Bea's");
    let deadline = Instant::now() + PATIENCE;
    while open(&carl, "set-classic", 3, &[]).await.status != 201 {
        assert!(Instant::now() < deadline, "there is room now");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(server.get(&format!("/api/tables/{id}")).await.json()["stage"], "lobby", "hers is kept");
    assert_eq!(tables(&server).await, (2, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_of_a_guest_and_of_an_address_are_bounded() {
    let server = Server::with(|settings| {
        settings.max_tables_per_guest = 2;
        settings.max_tables_per_address = 4;
    })
    .await;
    // Empty ones of one's own make room for a new one of one's own.
    let ann = server.guest("Ann").await;
    let first = id_of(&open(&ann, "set-classic", 3, &[]).await);
    let second = id_of(&open(&ann, "set-classic", 3, &[]).await);
    let third = id_of(&open(&ann, "set-classic", 3, &[]).await);
    for (id, status) in [(&first, 404), (&second, 200), (&third, 200)] {
        assert_eq!(server.get(&format!("/api/tables/{id}")).await.status, status);
    }
    // Those where somebody else waits do not.
    for (number, id) in (1..).zip([&second, &third]) {
        Player::come(&server, &format!("Friend {number}"), id, number).await.sit(1).await;
    }
    let refused = open(&ann, "set-classic", 3, &[]).await;
    assert_eq!(refused.status, 429);
    assert!(refused.problem().starts_with("You have opened 2 tables"), "{}", refused.problem());
    // Others of the same address may open some more, and then no more.
    for name in ["Bea", "Carl"] {
        id_of(&open(&server.guest(name).await, "set-classic", 3, &[]).await);
    }
    let refused = open(&server.guest("Dora").await, "set-classic", 3, &[]).await;
    assert_eq!(refused.status, 429);
    assert!(
        refused.problem().starts_with("4 tables that were opened from your address"),
        "{}",
        refused.problem()
    );
}

#[tokio::test]
async fn tables_that_are_opened_at_once_are_bounded_as_well() {
    let server = Server::with(|settings| settings.max_tables_per_address = 3).await;
    let mut guests = vec![];
    for n in 0..12 {
        guests.push(server.guest(&format!("Guest {n}")).await);
    }
    let answers =
        futures_util::future::join_all(guests.iter().map(|guest| open(guest, "set-classic", 3, &[])));
    let opened = answers.await.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(opened, 3);
}

/// Everything that the database keeps of tables, and what the lobby shows.
async fn kept_of_tables(server: &Server) -> String {
    let database = rusqlite::Connection::open_with_flags(
        server.data.path().join(store::DATABASE),
        rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY,
    )
    .expect("a database");
    let mut rows = database.prepare("SELECT id, about, saved FROM tables").expect("a table");
    let rows = rows.query_map([], |row| {
        Ok(format!(
            "{}: {} {}\n",
            row.get::<_, String>(0)?,
            row.get::<_, String>(1)?,
            row.get::<_, String>(2)?
        ))
    });
    let mut text: String = rows.expect("rows").map(|row| row.expect("text")).collect();
    text += &server.get("/api/tables").await.body;
    text
}

fn change_database(folder: &std::path::Path, statement: &str) {
    let database = rusqlite::Connection::open(folder.join(store::DATABASE)).expect("a database");
    assert_eq!(database.execute(statement, []).expect("a statement"), 1, "{statement}");
}

/// A match of two guests is begun, and left.
async fn share_and_leave(ann: Guest<'_>, bea: Guest<'_>, game: &str, number: u32) -> String {
    let id = id_of(&open(&ann, game, 2, &[]).await);
    let mut ann = Player::with(ann, &id, number).await;
    let mut bea = Player::with(bea, &id, number + 1).await;
    bea.sit(1).await;
    bea.act(Act::Ready { ready: true }).await;
    let ready = |table: &wire::TableState| table.seats.iter().filter(|seat| seat.ready).count() == 1;
    ann.until("she is ready", |client| client.table().is_some_and(ready)).await;
    ann.act(Act::Start).await;
    bea.until("the match begins", |client| client.view().is_some()).await;
    id
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_lobby_shows_tables_that_sleep_and_who_comes_from_there_wakes_them() {
    let app = tempfile::tempdir().expect("a folder");
    for program in ["pattern", "contract"] {
        std::fs::write(app.path().join(format!("{program}.html")), program).expect("a file");
    }
    let change = |settings: &mut ::server::Settings| {
        settings.sleep_after_seconds = 1;
        settings.web_dir = Some(app.path().to_owned());
    };
    let server = Server::with(change).await;
    let ann = server.guest("Ann").await;
    let id = id_of(&open(&ann, "12-step", 2, &[]).await);
    until_tables(&server, 0, 1).await;
    let lobby = || async { server.get("/api/tables").await.json()["tables"].clone() };
    let names = |shown: &serde_json::Value| {
        let name = |seat: &serde_json::Value| seat["name"].as_str().map(str::to_owned);
        shown[0]["seats"].as_array().expect("seats").iter().map(name).collect::<Vec<_>>()
    };
    assert_eq!(names(&lobby().await), [Some("Ann".to_owned()), None]);
    // A name is another one at once, and no table wakes for it; it stays so when the server starts again.
    assert_eq!(ann.ask("PUT", "/api/me", r#"{"name":"Annabel"}"#).await.status, 200);
    assert_eq!(names(&lobby().await), [Some("Annabel".to_owned()), None]);
    assert_eq!(tables(&server).await, (0, 1));
    let server = Server::on(server.stop().await, change).await;
    let lobby = || async { server.get("/api/tables").await.json()["tables"].clone() };
    assert_eq!(names(&lobby().await), [Some("Annabel".to_owned()), None]);
    // The page of a table that sleeps is that of its family.
    let page = server.get(&format!("/table/{id}")).await;
    assert_eq!((page.body.as_str(), tables(&server).await), ("contract", (0, 1)));

    let shown = lobby().await[0]["id"].as_str().expect("an id").to_owned();
    assert_eq!(shown, id);
    let mut bea = Player::come(&server, "Bea", &id, 2).await;
    assert_eq!(tables(&server).await, (1, 0));
    bea.until("she is told who sits there", |client| {
        client.table().is_some_and(|table| format!("{:?}", table.seats).contains("Annabel"))
    })
    .await;
    // Nobody takes a name that could be taken for hers.
    let like = server.guest("Annabel").await;
    let mut like = Player::with(like, &id, 3).await;
    like.act(Act::Sit { seat: game::Seat(1) }).await;
    bea.sit(1).await;
    assert_eq!(names(&lobby().await), [Some("Annabel".to_owned()), Some("Bea".to_owned())]);
    let cookie = bea.guest.cookie.clone();
    drop((bea, like));
    let bea = Guest { server: &server, cookie };
    until_tables(&server, 0, 1).await;
    let renamed = bea.ask("PUT", "/api/me", r#"{"name":"annabel"}"#).await;
    assert_eq!((renamed.status, tables(&server).await), (409, (0, 1)), "{}", renamed.body);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_forgotten_is_taken_from_tables_that_sleep_too() {
    let change = |settings: &mut ::server::Settings| {
        settings.sleep_after_seconds = 1;
        settings.requests_per_second = 1000;
    };
    let server = Server::with(change).await;
    let zeb = server.guest("Zebedee").await;
    let cookie = zeb.cookie.clone();
    let id = cookie.trim_start_matches("parlour=").split('.').next().expect("an id").to_owned();
    let bea = server.guest("Bea").await.cookie;
    let again = |cookie: &str| Guest { server: &server, cookie: cookie.to_owned() };
    // Matches with Bea, one of which he keeps; a table where he is alone; one of Bea's from which she removed him; and one
    // that no program of this version can open.
    let kept = share_and_leave(again(&cookie), again(&bea), "12-step", 1).await;
    let hers = share_and_leave(again(&bea), again(&cookie), "set-classic", 3).await;
    let alone = id_of(&open(&zeb, "set-classic", 2, &[]).await);
    let removed = id_of(&open(&again(&bea), "set-classic", 3, &[]).await);
    {
        let mut keeper = Player::with(again(&bea), &removed, 5).await;
        let mut he = Player::with(again(&cookie), &removed, 6).await;
        he.sit(1).await;
        keeper.act(Act::Remove { seat: game::Seat(1) }).await;
        keeper
            .until("he is out", |client| client.table().is_some_and(|table| table.removed == ["Zebedee"]))
            .await;
        assert!(he.client.table().is_some_and(|table| table.removed.is_empty()), "the others are not told");
    }
    let broken = share_and_leave(again(&bea), again(&cookie), "set-classic", 7).await;
    until_tables(&server, 0, 5).await;
    let data = server.stop().await;
    change_database(
        data.path(),
        &format!(
            "UPDATE tables SET saved = json_set(saved, '$.settings.rules.pattern', json('{{}}')) WHERE id = '{broken}'"
        ),
    );
    let server = Server::on(data, change).await;
    assert_eq!(tables(&server).await, (0, 5));
    let again = |cookie: &str| Guest { server: &server, cookie: cookie.to_owned() };
    assert_eq!(again(&cookie).ask("PUT", "/api/me", r#"{"name":"Quixotina"}"#).await.status, 200);
    let before = kept_of_tables(&server).await;
    for word in ["Zebedee", "Quixotina", &id] {
        assert!(before.contains(word), "{word} is there to be found");
    }

    // While he is forgotten, Bea comes to each of the tables.
    let forgotten = async { again(&cookie).ask("DELETE", "/api/me", "").await.status };
    let come = async {
        let mut players = Vec::new();
        for (number, table) in (20..).zip([&kept, &hers, &removed]) {
            players.push(Player::with(again(&bea), table, number).await);
        }
        players
    };
    let (status, mut players) = tokio::join!(forgotten, come);
    assert_eq!(status, 204);
    for player in &mut players {
        player
            .until("he is not there", |client| {
                client.table().is_some_and(|table| {
                    let told = format!("{table:?}");
                    !told.contains("Quixotina") && !told.contains("Zebedee") && table.host == "Bea"
                })
            })
            .await;
    }
    assert_eq!(players[0].client.table().map(|table| table.stage), Some(Stage::Playing), "it goes on");
    assert_eq!(server.get(&format!("/api/tables/{alone}")).await.status, 404);
    drop(players);
    until_tables(&server, 0, 4).await;
    let after = kept_of_tables(&server).await;
    for word in ["Zebedee", "Quixotina", &id] {
        assert!(!after.contains(word), "{word} is left in {after}");
    }
    for table in [&kept, &hers, &removed, &broken] {
        assert!(after.contains(table.as_str()), "{table} stays");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn matches_that_nobody_comes_back_to_end_and_then_their_tables_are_closed() {
    let server = Server::with(|settings| settings.sleep_after_seconds = 1).await;
    let (ended, cookie) = begin_and_leave(&server, "Ann", 1).await;
    let (kept, _) = begin_and_leave(&server, "Bea", 2).await;
    until_tables(&server, 0, 2).await;
    let data = server.stop().await;
    let long_ago = |id: &str, days: u32| {
        let left = format!("json_set(saved, '$.left', json_extract(saved, '$.left') - {days} * 86400)");
        change_database(data.path(), &format!("UPDATE tables SET saved = {left} WHERE id = '{id}'"));
    };
    long_ago(&ended, 91);
    long_ago(&kept, 89);
    let server = Server::on(data, |settings| settings.sleep_after_seconds = 1).await;
    let deadline = Instant::now() + PATIENCE;
    while server.get(&format!("/api/tables/{ended}")).await.status != 404 {
        assert!(Instant::now() < deadline, "it is closed");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let ann = Guest { server: &server, cookie };
    let played = ann.ask("GET", "/api/me/games", "").await.json()["games"][0].clone();
    assert_eq!((&played["ended"], &played["outcome"]), (&json!(true), &json!(null)), "{played}");
    let record = format!("/api/matches/{}/record", played["id"].as_str().expect("an id"));
    assert_eq!(ann.ask("GET", &record, "").await.status, 200, "its record stays");
    assert_eq!(server.get(&format!("/api/tables/{kept}")).await.json()["stage"], "playing");
}
