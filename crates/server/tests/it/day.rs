//! The games of the day, over a real server's HTTP and sockets.

use crate::common::player::Player;
use crate::common::{Guest, Server};
use cards::Point;
use pattern::finder::is_set;
use pattern::{Claim, Command};
use serde_json::{Value, json};
use std::time::Duration;
use wire::{Act, Answer, Stage};

async fn play(guest: &Guest<'_>, date: &str, game: &str, ranked: bool) -> crate::common::Answer {
    let body = json!({ "ranked": ranked }).to_string();
    guest.ask("POST", &format!("/api/days/{date}/{game}"), &body).await
}

/// The table of a try that begins.
async fn begin(guest: &Guest<'_>, date: &str, game: &str, ranked: bool) -> String {
    let made = play(guest, date, game, ranked).await;
    assert_eq!(made.status, 201, "{}", made.body);
    made.json()["id"].as_str().expect("an id").to_owned()
}

async fn day(guest: &Guest<'_>) -> Value {
    guest.ask("GET", "/api/days", "").await.json()
}

async fn dates(server: &Server) -> (String, String) {
    let day = server.get("/api/days").await.json();
    let text = |name: &str| day[name].as_str().unwrap_or_else(|| panic!("{name} of {day}")).to_owned();
    assert_eq!(day["today"], json!(true));
    assert_eq!(day.get("after"), None, "tomorrow has not come");
    (text("date"), text("before"))
}

/// The cards on the table, as their player sees them.
fn layout(player: &Player<'_>) -> Vec<Point> {
    match player.client.view() {
        Some(rulebook::View::Pattern(pattern::View::Puzzle(view))) => view.state.layout.clone(),
        Some(rulebook::View::Pattern(pattern::View::Race(view))) => view.state.board.cards().collect(),
        _ => Vec::new(),
    }
}

async fn cards_of(guest: Guest<'_>, table: &str, number: u32) -> Vec<Point> {
    let mut player = Player::with(guest, table, number).await;
    player.until("the cards", |client| client.view().is_some()).await;
    for _ in 0..50 {
        if !layout(&player).is_empty() {
            break;
        }
        player.pump(Duration::from_millis(50)).await;
    }
    layout(&player)
}

fn sets(cards: &[Point]) -> Vec<[Point; 3]> {
    let mut sets = Vec::new();
    for (i, &a) in cards.iter().enumerate() {
        for (j, &b) in cards.iter().enumerate().skip(i + 1) {
            for &c in &cards[j + 1..] {
                if is_set(a, b, c) {
                    sets.push([a, b, c]);
                }
            }
        }
    }
    sets
}

async fn claim(player: &mut Player<'_>, cards: &[Point]) {
    let command = rulebook::Command::Pattern(Command::claim(Claim::one(cards)));
    assert_eq!(player.command(command).await, Answer::Done);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_day_has_its_games_for_everybody_and_each_day_others() {
    let server = Server::start().await;
    let (today, before) = dates(&server).await;
    let (ann, bea) = (server.guest("Ann").await, server.guest("Bea").await);
    for (game, cards, holds) in [("daily-puzzle", 12, 6), ("daily-basic", 9, 4), ("time-trial", 12, 0)] {
        let mut seen = Vec::new();
        for (guest, date, ranked, number) in [
            (&ann, &today, true, 1),
            (&bea, &today, true, 2),
            (&bea, &today, false, 3),
            (&ann, &before, false, 4),
        ] {
            let table = begin(guest, date, game, ranked).await;
            let guest = Guest { server: &server, cookie: guest.cookie.clone() };
            seen.push(cards_of(guest, &table, number).await);
        }
        // Where twelve cards may hold no Set, more are laid.
        let more = holds == 0 && seen[0].len() > cards;
        assert!(seen[0].len() == cards || more, "{game}: {seen:?}");
        assert!(seen[0] == seen[1] && seen[1] == seen[2], "{game} is the same for everybody: {seen:?}");
        assert_ne!(seen[0], seen[3], "{game}: another day, other cards");
        if holds > 0 {
            assert_eq!((sets(&seen[0]).len(), sets(&seen[3]).len()), (holds, holds), "{game}");
        }
    }
    // Another server has other days.
    let other = Server::start().await;
    let guest = other.guest("Ann").await;
    let table = begin(&guest, &today, "daily-puzzle", true).await;
    let theirs = cards_of(guest, &table, 1).await;
    let again = begin(&ann, &today, "daily-puzzle", true).await;
    assert_ne!(cards_of(ann, &again, 1).await, theirs, "nobody can work the cards out from the date");
}

/// Past days are for practice, future ones for nobody.
async fn other_days_are_not_ranked(guest: &Guest<'_>, today: &str, before: &str) {
    let refused = play(guest, before, "daily-basic", true).await;
    assert!(refused.status == 400 && refused.problem().contains("only today's games are ranked"));
    for (date, says, status) in [
        ("2999-01-01", "has not come yet", 400),
        ("1999-01-01", "too long ago", 404),
        ("2026-02-30", "is no date", 400),
    ] {
        let refused = play(guest, date, "daily-basic", false).await;
        assert_eq!(refused.status, status, "{}", refused.body);
        assert!(refused.problem().contains(says), "{}", refused.problem());
        assert_eq!(guest.ask("GET", &format!("/api/days/{date}"), "").await.status, status);
    }
    assert_eq!(play(guest, today, "set-classic", true).await.status, 404);
}

/// A ranked try, whose clock waits for nobody: all is found, with one error, or the player gives up.
async fn ranked_try<'a>(guest: Guest<'a>, table: &str, number: u32, finds: bool) -> Player<'a> {
    let mut player = Player::with(guest, table, number).await;
    player.until("the cards", |client| client.view().is_some_and(game::View::awaited)).await;
    for act in [Act::Pause, Act::End { agree: true }, Act::Bot { seat: game::Seat(0), kind: "hard".into() }] {
        player.act(act).await;
    }
    assert_eq!(
        player.client.table().map(|table| (table.stage, table.paused.clone())),
        Some((Stage::Playing, None))
    );
    let cards = layout(&player);
    if finds {
        let sets = sets(&cards);
        let wrong = cards.iter().find(|card| !sets[0].contains(card)).expect("a card beside it");
        claim(&mut player, &[sets[0][0], sets[0][1], *wrong]).await;
        for set in &sets {
            claim(&mut player, set).await;
        }
    } else {
        player.command(rulebook::Command::Pattern(Command::GiveUp)).await;
    }
    player.until("it is over", |client| client.table().is_some_and(|table| table.stage == Stage::Over)).await;
    player.act(Act::Rematch).await;
    assert_eq!(player.client.table().map(|table| table.stage), Some(Stage::Over), "one try is one match");
    player
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ranked_try_is_had_once_and_the_archive_never_ranks() {
    let server = Server::start().await;
    let (today, before) = dates(&server).await;
    assert_eq!(
        server.ask("POST", &format!("/api/days/{today}/daily-basic"), &[], r#"{"ranked":true}"#).await.status,
        401,
        "first a name"
    );
    let (ann, bea) = (server.guest("Ann").await, server.guest("Bea").await);
    // What is dealt nobody is told before an hour has passed after the day; of a day long ago anybody is.
    let deals = |day: &Value| {
        day["games"]
            .as_array()
            .expect("games")
            .iter()
            .map(|game| game["deal"]["name"].clone())
            .collect::<Vec<_>>()
    };
    const NOTHING: [Value; 3] = [Value::Null, Value::Null, Value::Null];
    assert_eq!(deals(&day(&bea).await), NOTHING);
    let past = server.get(&format!("/api/days/{before}")).await.json();
    let past = server.get(&format!("/api/days/{}", past["before"].as_str().expect("a day"))).await.json();
    let named = ["daily-puzzle", "daily-basic", "time-trial"]
        .map(|game| json!(format!("{game}/{}", past["date"].as_str().expect("a date"))));
    assert_eq!(deals(&past), named);

    other_days_are_not_ranked(&ann, &today, &before).await;

    // Bea finds all, with an error; Ann gives up.
    let mut results = Vec::new();
    for (guest, number, finds) in [(&bea, 1, true), (&ann, 2, false)] {
        let table = begin(guest, &today, "daily-basic", true).await;
        assert_eq!(
            begin(guest, &today, "daily-basic", true).await,
            table,
            "a try that is on is gone back to"
        );
        let guest = Guest { server: &server, cookie: guest.cookie.clone() };
        let player = ranked_try(guest, &table, number, finds).await;
        results.push(player.guest);
    }
    let [bea, ann] = <[Guest<'_>; 2]>::try_from(results).ok().expect("two");
    // The list is written right after the end.
    let mut seen = day(&bea).await;
    for _ in 0..100 {
        if seen["games"][1]["yours"]["over"] == json!(true)
            && day(&ann).await["games"][1]["yours"]["over"] == json!(true)
        {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        seen = day(&bea).await;
    }
    let basic = &seen["games"][1];
    assert_eq!((&basic["game"], &basic["tries"]), (&json!("daily-basic"), &json!(2)), "{seen}");
    let places = basic["places"].as_array().expect("places");
    assert_eq!(places.len(), 1, "who gives up has no place: {seen}");
    assert_eq!(places[0]["name"], "Bea");
    assert_eq!(
        (&places[0]["place"], &places[0]["errors"], &places[0]["you"]),
        (&json!(1), &json!(1), &json!(true))
    );
    assert!(
        places[0]["millis"].as_u64().is_some_and(|ms| ms > 0 && ms < 60_000),
        "the server's time: {seen}"
    );
    let share = basic["yours"]["share"]["text"].as_str().expect("a text to share");
    assert!(share.contains(&today) && share.contains("1 error, place 1 of 1"), "{share}");
    let squares = basic["yours"]["squares"].as_str().expect("how it went");
    assert_eq!(squares.matches('🟥').count(), 1, "{squares}");
    assert_eq!(squares.chars().count(), 5, "four are found, and one is wrong: {squares}");
    assert_eq!((&basic["yours"]["streak"], basic["yours"].get("slower")), (&json!(1), None), "{seen}");
    let told = day(&ann).await;
    assert_eq!(deals(&told), NOTHING, "others may still try");
    let theirs = &told["games"][1];
    assert_eq!(theirs["yours"]["over"], json!(true));
    assert_eq!((theirs["yours"].get("place"), theirs["yours"].get("share")), (None, None), "{theirs}");

    // Never a second time, but as often as one likes without rank.
    for guest in [&ann, &bea] {
        let refused = play(guest, &today, "daily-basic", true).await;
        assert_eq!(refused.status, 409, "{}", refused.body);
        assert!(refused.problem().contains("You have had your ranked try"), "{}", refused.problem());
    }
    for date in [&today, &before] {
        let table = begin(&ann, date, "daily-basic", false).await;
        let guest = Guest { server: &server, cookie: ann.cookie.clone() };
        let mut player = Player::with(guest, &table, 7).await;
        player.until("the cards", |client| client.view().is_some_and(game::View::awaited)).await;
        for set in sets(&layout(&player)) {
            claim(&mut player, &set).await;
        }
        player
            .until("it is over", |client| client.table().is_some_and(|table| table.stage == Stage::Over))
            .await;
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    let seen = day(&ann).await;
    assert_eq!(seen["games"][1]["places"].as_array().map(Vec::len), Some(1), "{seen}");
    let archive = ann.ask("GET", &format!("/api/days/{before}"), "").await.json();
    assert_eq!((&archive["today"], &archive["games"][1]["places"]), (&json!(false), &json!([])), "{archive}");
    assert_eq!(archive["after"], json!(today));

    // Who is forgotten has no place.
    assert_eq!(bea.ask("DELETE", "/api/me", "").await.status, 204);
    assert_eq!(day(&ann).await["games"][1]["places"], json!([]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_card_is_sent_before_the_clock_and_it_goes_on_over_a_restart() {
    let server = Server::start().await;
    let (today, _) = dates(&server).await;
    let ann = server.guest("Ann").await;
    let table = begin(&ann, &today, "daily-puzzle", true).await;
    // A stranger who has the link sees no card, however long they wait.
    let mut eve = Player::come(&server, "Eve", &table, 9).await;
    for _ in 0..10 {
        eve.pump(Duration::from_millis(50)).await;
    }
    assert_eq!(layout(&eve), []);
    assert_eq!(eve.client.table().map(|table| table.at), Some(game::Millis(0)), "the clock stands");
    assert_eq!(ann.ask("GET", "/api/days", "").await.json()["games"][0]["yours"]["over"], json!(false));
    let mut player = Player::with(ann, &table, 1).await;
    player.until("the cards", |client| client.view().is_some_and(game::View::awaited)).await;
    let cards = layout(&player);
    let sets = sets(&cards);
    assert_eq!((cards.len(), sets.len()), (12, 6));
    claim(&mut player, &sets[0]).await;

    // Away for a second, and the server goes down and comes up: the try is the same, and time has gone on meanwhile.
    let (cookie, before) = (player.guest.cookie.clone(), player.client.table().expect("a table").at);
    drop((player, eve));
    tokio::time::sleep(Duration::from_millis(1000)).await;
    let still = server.get(&format!("/api/tables/{table}")).await.json();
    assert_eq!((&still["stage"], &still["day"]), (&json!("playing"), &json!(today)));
    let server = Server::on(server.stop().await, |_| {}).await;
    assert_eq!(server.get("/healthz").await.status, 200, "it is up");
    tokio::time::sleep(Duration::from_millis(550)).await;
    let ann = Guest { server: &server, cookie };
    assert_eq!(begin(&ann, &today, "daily-puzzle", true).await, table);
    let mut player = Player::with(ann, &table, 2).await;
    player.until("the cards", |client| client.view().is_some_and(game::View::awaited)).await;
    assert_eq!(layout(&player), cards);
    assert!(player.client.table().expect("a table").at.since(before) >= 500, "the clock went on by itself");
    for set in &sets[1..] {
        claim(&mut player, set).await;
    }
    player.until("it is over", |client| client.table().is_some_and(|table| table.stage == Stage::Over)).await;
    let mut seen = day(&player.guest).await;
    for _ in 0..100 {
        if seen["games"][0]["places"] != json!([]) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        seen = day(&player.guest).await;
    }
    assert_eq!(seen["games"][0]["places"][0]["name"], "Ann", "{seen}");
}

#[tokio::test]
async fn cards_can_be_printed_from_the_app() {
    let server = Server::start().await;
    // 81 cards are 4 sheets of 21; with backs twice as many.
    for (path, pages) in [("d27.pdf", 2), ("d81.pdf", 4), ("d81.pdf?backs=1", 8), ("d243.pdf?letters=1", 12)]
    {
        let answer = server.get(&format!("/print/{path}")).await;
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(answer.header("content-type"), Some("application/pdf"), "{path}");
        assert!(answer.body.starts_with("%PDF-"), "{path}");
        let found = answer.body.matches("/Type /Page\n").count();
        assert_eq!(found, pages, "{path}");
    }
    for (path, status) in [("d82.pdf", 404), ("d81.pdf?colour=no", 400)] {
        let answer = server.get(&format!("/print/{path}")).await;
        assert_eq!(answer.status, status, "{path}");
        assert!(answer.problem().ends_with('.'));
    }
}
