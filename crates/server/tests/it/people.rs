//! What is known of people: what they may be called, and that it can all be forgotten.

use crate::common::Server;
use crate::common::player::Player;
use base64::Engine;
use serde_json::json;
use std::path::Path;
use std::time::{Duration, Instant};
use wire::{Act, Stage};

/// A new table of this guest's, who has the first seat: its id.
async fn table(guest: &crate::common::Guest<'_>, game: &str, seats: u8, bots: &[&str]) -> String {
    let body = json!({ "game": { "preset": game }, "seats": seats, "bots": bots, "public": true });
    let made = guest.ask("POST", "/api/tables", &body.to_string()).await;
    assert_eq!(made.status, 201, "{}", made.body);
    made.json()["id"].as_str().expect("an id").to_owned()
}

/// Begins the match at the table of the first, once all are ready.
async fn begin(players: &mut [&mut Player<'_>]) {
    for player in players.iter_mut() {
        player.act(Act::Ready { ready: true }).await;
    }
    let people = players.len();
    let is_ready =
        |seat: &&wire::SeatState| matches!(seat.who, Some(wire::Occupant::Person { .. })) && seat.ready;
    let all_ready = move |table: &wire::TableState| table.seats.iter().filter(is_ready).count() == people;
    let host = &mut players[0];
    host.until("all are ready", |client| client.table().is_some_and(all_ready)).await;
    host.act(Act::Start).await;
    for player in players {
        player.until("the match begins", |client| client.view().is_some()).await;
    }
}

/// Ends the match by agreement, and gives the path of its record once that can be had.
async fn end(players: &mut [&mut Player<'_>]) -> String {
    for player in players.iter_mut() {
        player.act(Act::End { agree: true }).await;
    }
    let host = &mut players[0];
    let over = |table: &wire::TableState| table.stage == Stage::Over;
    host.until("it is over", |client| client.table().is_some_and(over)).await;
    let deadline = Instant::now() + crate::common::PATIENCE;
    loop {
        let games = host.guest.ask("GET", "/api/me/games", "").await.json();
        let mut games = games["games"].as_array().expect("a list").iter();
        if let Some(played) =
            games.find(|played| played["table"] == host.table.as_str() && played["ended"] == json!(true))
        {
            return format!("/api/matches/{}/record", played["id"].as_str().expect("an id"));
        }
        assert!(Instant::now() < deadline, "no match has ended at {}", host.table);
        host.pump(Duration::from_millis(50)).await;
    }
}

fn database(folder: &Path) -> rusqlite::Connection {
    // Sorts all entries in, as a start does.
    drop(store::Store::open(folder).expect("it opens"));
    rusqlite::Connection::open(folder.join(store::DATABASE)).expect("a database")
}

#[tokio::test]
async fn a_name_is_what_it_shows_and_its_own_at_a_table() {
    let server = Server::start().await;
    let body = json!({ "name": " Zoe\u{308} \u{3000} \u{2764}\u{fe0f} " }).to_string();
    assert_eq!(server.ask("PUT", "/api/me", &[], &body).await.json(), json!({ "name": "Zoë \u{2764}" }));
    for (name, says) in [
        ("A\u{200b}nn", "U+200B"),
        ("\u{2066}Ann", "U+2066"),
        ("A\u{e000}", "U+E000"),
        ("A\u{378}", "U+0378"),
        ("\u{3164}", "U+3164"),
        ("Z\u{301}\u{302}\u{303}\u{304}", "at most 2 marks"),
        ("\u{200d}\u{fe0f}", "at least one letter"),
    ] {
        let refused = server.ask("PUT", "/api/me", &[], &json!({ "name": name }).to_string()).await;
        assert_eq!((refused.status, refused.header("set-cookie")), (400, None), "{name:?}");
        assert!(refused.problem().contains(says), "{name:?}: {}", refused.problem());
    }
    // A title is a name, too.
    let ann = server.guest("Ann").await;
    let made = |name: &str| {
        let rules = format!("id = \"ours\"\nname = \"{name}\"\nbase = \"contract\"\n");
        json!({ "game": { "rules": rules }, "seats": 4, "public": true }).to_string()
    };
    let refused = ann.ask("POST", "/api/tables", &made("O\\u202Eurs")).await;
    assert!(refused.status == 400 && refused.problem().contains("U+202E"), "{}", refused.body);
    let id = ann.ask("POST", "/api/tables", &made("Zoe\u{308}’s \t game")).await.json()["id"].clone();
    let id = id.as_str().expect("an id");
    assert_eq!(server.get(&format!("/api/tables/{id}")).await.json()["title"], "Zoë’s game");
    // Two at one table can be told apart: the second of these begins with a Cyrillic letter.
    for double in ["ANN", "Аnn", "Ann"] {
        let mut other = Player::come(&server, double, id, 2).await;
        other.act(Act::Sit { seat: game::Seat(1) }).await;
        let declined = |change: &wire::client::Change<_>| match change {
            wire::client::Change::Declined { text, .. } => text.contains("Ann sits here already"),
            _ => false,
        };
        for _ in 0..40 {
            if other.changes.iter().any(declined) {
                break;
            }
            other.pump(Duration::from_millis(50)).await;
        }
        assert!(other.changes.iter().any(declined), "{double}: {:?}", other.changes);
        // By another name they may, and then not take the first one back.
        let body = json!({ "name": "Anna" }).to_string();
        assert_eq!(other.guest.ask("PUT", "/api/me", &body).await.status, 200);
        let mut anna = Player::with(other.guest, id, 3).await;
        anna.sit(1).await;
        let refused = anna.guest.ask("PUT", "/api/me", &json!({ "name": double }).to_string()).await;
        assert!(refused.status == 409 && refused.problem().contains("Ann sits at a table with you"));
        anna.act(Act::Stand).await;
        anna.until("the seat is free", |client| client.viewer() == game::Viewer::Table).await;
        assert_eq!(
            anna.guest.ask("PUT", "/api/me", &json!({ "name": double }).to_string()).await.status,
            200
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn names_of_an_older_database_are_shown_as_names_are_now() {
    let server = Server::start().await;
    let guest = server.guest("Ann").await;
    let id = table(&guest, "contract", 3, &["random", "random"]).await;
    let mut ann = Player::with(guest, &id, 1).await;
    begin(&mut [&mut ann]).await;
    let record = end(&mut [&mut ann]).await;
    let cookie = ann.guest.cookie.clone();
    drop(ann);
    let data = server.stop().await;
    // As a version that looked at names less closely would have kept them.
    let sql = database(data.path());
    let old = "A\u{202e}\u{200b}nn";
    for (table, column) in [
        ("guests", "name"),
        ("players", "name"),
        ("tables", "saved"),
        ("tables", "about"),
        ("journal", "entry"),
    ] {
        let as_text = format!("replace(cast({column} as text), '\"Ann\"', '\"{old}\"')");
        let as_text = if column == "name" { format!("'{old}'") } else { as_text };
        let value = if table == "journal" { format!("cast({as_text} as blob)") } else { as_text };
        let only = if table == "players" { "WHERE guest <> ''" } else { "" };
        assert!(
            sql.execute(&format!("UPDATE {table} SET {column} = {value} {only}"), []).expect("changed") > 0
        );
    }
    sql.execute("UPDATE tables SET about = replace(about, 'Contract', 'Contract\u{2067}')", [])
        .expect("changed");
    drop(sql);
    let server = Server::on(data, |_| {}).await;
    let ann = crate::common::Guest { server: &server, cookie: cookie.clone() };
    let mut answers = vec![];
    for path in ["/api/me", "/api/me/games", "/api/tables", &format!("/api/tables/{id}"), &record] {
        answers.push(ann.ask("GET", path, "").await.body);
    }
    let player = Player::with(ann, &id, 2).await;
    answers.push(format!("{:?}", player.client.table()));
    for answer in &answers {
        assert!(
            !answer.contains(['\u{202e}', '\u{200b}', '\u{2067}']) && !answer.contains("\\u{20"),
            "{answer:?}"
        );
    }
    assert_eq!(answers[0], r#"{"name":"Ann"}"#);
    for place in [1, 3, 4, 5] {
        assert!(answers[place].contains("Ann"), "{}", answers[place]);
    }
    record::verify::<rulebook::Match>(&answers[4]).expect("the record is right");
}

#[test]
fn bots_are_called_what_people_may_be_called() {
    for game in rulebook::presets() {
        let loaded = rulebook::preset(game).expect("a game");
        let rules = loaded.rules(loaded.info.players_min).expect("rules");
        for kind in bots::kinds(loaded.info.family) {
            let bot = bots::make(kind.name, &rules).expect("it can be made");
            for name in [kind.name, bot.name()] {
                assert_eq!(names::name(name, wire::api::NAME_MOST).as_deref(), Ok(name));
            }
        }
        assert_eq!(names::name(&loaded.info.name, 80).as_deref(), Ok(&*loaded.info.name), "{game}");
    }
}

/// All that the files of the data folder hold, one after the other.
fn bytes_of(folder: &Path) -> Vec<u8> {
    let files = std::fs::read_dir(folder).expect("a folder").flatten();
    files.flat_map(|entry| std::fs::read(entry.path()).expect("a file")).collect()
}

fn holds(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// Whether the record is one that the real program wrote, and right as far as it goes.
#[track_caller]
fn check_record(record: &str) {
    if let Err(wrong) = record::verify::verify::<rulebook::Match>(record) {
        panic!("{wrong} of {} lines", record.lines().count());
    }
}

/// Nothing that these two are told has one of the words in it; the last of the paths is that of the record.
async fn no_answer_names_him(bea: &Player<'_>, cleo: &Player<'_>, paths: &[&str], words: &[&str]) {
    let mut answers = vec![format!("{:?} {:?}", bea.client.table(), cleo.client.table())];
    for guest in [&bea.guest, &cleo.guest] {
        answers.push(guest.ask("GET", "/api/me/games", "").await.body);
    }
    for path in paths {
        answers.push(bea.guest.ask("GET", path, "").await.body);
    }
    for answer in &answers {
        for word in words {
            assert!(!answer.contains(word), "{word} in {}", &answer[..answer.floor_char_boundary(300)]);
        }
    }
    let after = answers.last().expect("the record");
    assert!(after.contains("Somebody") && after.contains("Bea"), "the others keep their names");
    check_record(after);
    assert!(answers[1].contains("Somebody"), "{}", answers[1]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_of_a_forgotten_guest_is_left_anywhere() {
    let server = Server::with(|settings| settings.bot_pace = 0).await;
    let guest = server.guest("Zebedee").await;
    let (bea, cleo) = (server.guest("Bea").await, server.guest("Cleopatra").await);
    let cookie = guest.cookie.clone();
    let id = cookie.trim_start_matches("parlour=").split('.').next().expect("an id").to_owned();
    let again = |cookie: &str| crate::common::Guest { server: &server, cookie: cookie.to_owned() };

    // A game with Bea, played and over, in which a bot sat in for him and he came back under another name.
    let shared = table(&guest, "contract", 3, &["random"]).await;
    let mut zeb = Player::with(guest, &shared, 1).await;
    let mut other = Player::with(bea, &shared, 2).await;
    other.sit(2).await;
    begin(&mut [&mut zeb, &mut other]).await;
    zeb.act(Act::Bot { seat: game::Seat(0), kind: "easy".into() }).await;
    let renamed = zeb.guest.ask("PUT", "/api/me", r#"{"name":"Quixotina"}"#).await;
    assert_eq!(renamed.status, 200, "{}", renamed.body);
    zeb.act(Act::Back).await;
    let back = |table: &wire::TableState| format!("{:?}", table.seats).contains("bot_plays: false");
    zeb.until("he is back", |client| client.table().is_some_and(back)).await;
    let record = end(&mut [&mut zeb, &mut other]).await;
    let before = other.guest.ask("GET", &record, "").await.body;
    assert!(before.contains("Zebedee") && before.contains("Quixotina"), "as he was called");
    check_record(&before);
    // A game alone with bots; a table that he keeps and does not sit at; one of Cleopatra's that he plays at; a try of today;
    // a link to another device.
    let alone = table(&again(&cookie), "contract", 3, &["random", "random"]).await;
    let mut solo = Player::with(again(&cookie), &alone, 3).await;
    begin(&mut [&mut solo]).await;
    let solo_record = end(&mut [&mut solo]).await;
    let kept = table(&again(&cookie), "set-classic", 4, &[]).await;
    let mut keeper = Player::with(again(&cookie), &kept, 4).await;
    keeper.act(Act::Stand).await;
    let hers = table(&cleo, "contract", 3, &["random"]).await;
    let mut cleo = Player::with(cleo, &hers, 5).await;
    let mut player = Player::with(again(&cookie), &hers, 6).await;
    player.sit(2).await;
    begin(&mut [&mut cleo, &mut player]).await;
    let watched = table(&cleo.guest, "set-classic", 4, &[]).await;
    let watcher = Player::with(again(&cookie), &watched, 7).await;
    let today = server.get("/api/days").await.json()["date"].as_str().expect("a date").to_owned();
    let tried =
        again(&cookie).ask("POST", &format!("/api/days/{today}/daily-basic"), r#"{"ranked":true}"#).await;
    assert_eq!(tried.status, 201, "{}", tried.body);
    let link = again(&cookie).ask("POST", &format!("/api/tables/{shared}/device"), "{}").await.json();
    let token = link["url"].as_str().and_then(|url| url.rsplit('/').next()).expect("a token").to_owned();
    let data = server.data.path().to_owned();
    for word in ["Zebedee", "Quixotina", &id] {
        assert!(holds(&bytes_of(&data), word.as_bytes()), "{word} is there to be found");
    }

    assert_eq!(again(&cookie).ask("DELETE", "/api/me", "").await.status, 204);

    // His sockets are closed, wherever they were, and he is nobody now.
    for player in [zeb, solo, keeper, player, watcher] {
        player.until_parted("You have been forgotten here.").await;
    }
    assert_eq!(again(&cookie).ask("GET", "/api/me", "").await.json(), json!({ "name": null }));
    assert_eq!(again(&cookie).ask("GET", "/api/me/games", "").await.json()["games"], json!([]));
    assert_eq!(server.get(&format!("/api/device/{token}")).await.status, 404);
    // The tables where nobody else sat are closed; what he shared with Bea is hers to keep now; Cleopatra's match goes on.
    for table in [&alone, &kept] {
        assert_eq!(server.get(&format!("/api/tables/{table}")).await.status, 404);
    }
    assert_eq!(other.guest.ask("GET", &solo_record, "").await.status, 404, "nobody else played it");
    other.until("she keeps the table", |client| client.welcome().is_some_and(|welcome| welcome.host)).await;
    other.act(Act::Rematch).await;
    other.act(Act::Bot { seat: game::Seat(0), kind: "easy".into() }).await;
    other
        .until("she may do what a host does", |client| {
            client.table().is_some_and(|table| table.host == "Bea" && table.seats[0].who.is_some())
        })
        .await;
    cleo.act(Act::End { agree: true }).await;
    let over = |table: &wire::TableState| table.stage == Stage::Over;
    cleo.until("it is over", |client| client.table().is_some_and(over)).await;

    let paths = [
        "/api/tables",
        "/api/days",
        "/metrics",
        "/healthz",
        &format!("/api/days/{today}"),
        &format!("/api/tables/{shared}"),
        &format!("/api/tables/{hers}"),
        &format!("/api/tables/{shared}/qr.svg"),
        &record,
    ];
    no_answer_names_him(&other, &cleo, &paths, &["Zebedee", "Quixotina", &id]).await;
    drop((other, cleo));
    let data = server.stop().await;
    // Whatever is left of deleted rows goes with the next start, if it has not before.
    let server = Server::on(data, |_| {}).await;
    assert!(server.get(&record).await.body.contains("Somebody"));
    let data = server.stop().await;
    let bytes = bytes_of(data.path());
    let raw = base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(&id).expect("base 64");
    for word in [b"Zebedee".as_slice(), b"Quixotina", id.as_bytes(), &raw] {
        assert!(!holds(&bytes, word), "{} is still there", String::from_utf8_lossy(word));
    }
    assert!(holds(&bytes, b"Cleopatra"), "the others are");
}
