//! Several machines as one parlour: three servers over three real servers of the engine that keeps their log.

#[path = "../../../cluster/tests/servers/ask.rs"]
mod ask;
#[path = "../../../cluster/tests/servers/run.rs"]
pub mod run;

use crate::common::player::{Player, begin, moves};
use crate::common::{Guest, PATIENCE, Server};
use cluster::Nats;
use run::Cluster;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use wire::api::{LOBBY_PAGE, Lobby};
use wire::{Act, Stage};

/// The engine; none where there is no program for it.
pub async fn engine() -> Option<Cluster> {
    let program = run::program("PARLOUR_NATS")?;
    let engine = Cluster::start(program, 3, "sync_interval: always");
    let began = Instant::now();
    while let Err(unfit) = Nats::open(&engine.access(&[0, 1, 2])).await {
        assert!(began.elapsed() < 2 * PATIENCE, "{unfit}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Some(engine)
}

/// A data folder with the key that all nodes have.
pub fn folder() -> TempDir {
    let data = tempfile::tempdir().expect("a folder");
    std::fs::write(data.path().join("cookie.key"), [7; 32]).expect("a key");
    data
}

async fn node_on(data: TempDir, engine: &Cluster, name: &str) -> Server {
    let access = engine.access(&[0, 1, 2]);
    let node = Server::on(data, |settings| {
        settings.cluster.servers = access.servers;
        settings.cluster.node = Some(name.to_owned());
        settings.cluster.password = Some(access.log.password);
        settings.cluster.system_password = Some(access.system.password);
        settings.bot_pace = 0;
    })
    .await;
    let began = Instant::now();
    while node.for_hosts("/healthz").await.status != 200 {
        assert!(began.elapsed() < PATIENCE, "{}", node.for_hosts("/healthz").await.body);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    node
}

async fn node(engine: &Cluster, name: &str) -> Server {
    node_on(folder(), engine, name).await
}

/// Waits until the nodes share all partitions, and no more of them move.
async fn settled(nodes: &[&Server]) {
    const QUIET: Duration = Duration::from_millis(600);
    let began = Instant::now();
    let (mut before, mut since) = (Vec::new(), Instant::now());
    loop {
        let mut hosted = Vec::new();
        let mut all = true;
        for node in nodes {
            hosted.push(node.metric("parlour_cluster_hosted").await);
            all &= node.metric("parlour_cluster_nodes").await == nodes.len() as u64;
            all &= node.metric("parlour_cluster_unhosted").await == 0;
        }
        all &= hosted.iter().all(|count| *count > 0);
        all &= hosted.iter().sum::<u64>() == u64::from(cluster::PARTITIONS);
        if !all || hosted != before {
            (before, since) = (hosted, Instant::now());
        } else if since.elapsed() > QUIET {
            return;
        }
        assert!(began.elapsed() < PATIENCE, "{before:?} partitions are hosted");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// A new table: its id.
async fn table(host: &Guest<'_>, game: &str, seats: u8, bots: &[&str]) -> String {
    // A short match.
    let options = if game == "may-i" { json!({ "game.rounds": [1] }) } else { json!({}) };
    let new = json!({
        "game": { "preset": game }, "options": options, "seats": seats, "bots": bots, "public": true
    });
    let made = host.ask("POST", "/api/tables", &new.to_string()).await;
    assert_eq!(made.status, 201, "{}", made.body);
    made.json()["id"].as_str().expect("an id").to_owned()
}

/// The same guest, at another node.
fn at<'a>(guest: &Guest<'_>, node: &'a Server) -> Guest<'a> {
    Guest { server: node, cookie: guest.cookie.clone() }
}

/// The match begins, and both see it.
async fn begins([host, other]: [&mut Player<'_>; 2]) {
    begin([&mut *host, &mut *other]).await;
    for player in [host, other] {
        player.until("the match begins", |client| client.view().is_some()).await;
    }
}

/// Ann at a new table and Bea, who comes in by another server or the same, and a bot; each of the two has made so many moves.
async fn two_play<'a>(by: &'a Server, other: &'a Server, made: usize) -> [Player<'a>; 2] {
    let ann = by.guest("Ann").await;
    let id = table(&ann, "contract", 3, &["random"]).await;
    let mut ann = Player::with(ann, &id, 1).await;
    let mut bea = Player::come(other, "Bea", &id, 2).await;
    bea.sit(2).await;
    begins([&mut ann, &mut bea]).await;
    moves([&mut ann, &mut bea], made).await;
    [ann, bea]
}

/// Waits until something holds at a node.
pub async fn until(what: &str, holds: impl AsyncFn() -> bool) {
    let began = Instant::now();
    while !holds().await {
        assert!(began.elapsed() < PATIENCE, "not in time: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_played_through_all_nodes_and_moves_to_another_one() {
    let Some(engine) = engine().await else { return };
    let (north, south, west) =
        (node(&engine, "north").await, node(&engine, "south").await, node(&engine, "west").await);
    settled(&[&north, &south, &west]).await;

    // Ann opens a table at South, which hosts it, and plays by way of North; Bea plays by way of West.
    let ann = north.guest("Ann").await;
    let id = table(&at(&ann, &south), "contract", 3, &["random"]).await;
    let listed = async |node: &Server| {
        let lobby = node.get("/api/tables").await.json();
        lobby["tables"].as_array().is_some_and(|tables| tables.iter().any(|one| one["id"] == id.as_str()))
    };
    for node in [&north, &south, &west] {
        until("the table is in the lobby of every node", async || listed(node).await).await;
        let seen = node.get(&format!("/api/tables/{id}")).await.json();
        assert_eq!(seen["seats"][0]["name"], "Ann", "{seen}");
    }
    let mut ann = Player::with(at(&ann, &north), &id, 1).await;
    let mut bea = Player::come(&west, "Bea", &id, 2).await;
    bea.sit(2).await;
    begins([&mut ann, &mut bea]).await;
    moves([&mut ann, &mut bea], 3).await;
    assert_eq!(north.metric("parlour_cluster_sockets_elsewhere").await, 1);

    // Bea calls herself otherwise, at a node where her table is not.
    let renamed = bea.guest.ask("PUT", "/api/me", &json!({ "name": "Beatrice" }).to_string()).await;
    assert_eq!(renamed.status, 200, "{}", renamed.body);
    ann.until("Ann sees Bea's new name", |client| {
        let seats = client.table().map(|table| format!("{:?}", table.seats));
        seats.is_some_and(|seats| seats.contains("Beatrice"))
    })
    .await;

    // South closes in good order: the table goes to another node, and both come again to where they were.
    let (seen, game) = ([ann.client.seen(), bea.client.seen()], ann.client.game());
    let data = south.stop().await;
    let (mut ann, mut bea) = (ann.come_back(&north).await, bea.come_back(&west).await);
    moves([&mut ann, &mut bea], 2).await;
    assert!(ann.client.seen() > seen[0] && bea.client.seen() > seen[1]);
    assert_eq!(ann.client.game(), game, "it is the same match");

    // It comes back and has the table again: nobody notices but by a line that breaks.
    let south = node_on(data, &engine, "south").await;
    settled(&[&north, &south, &west]).await;
    let (mut ann, mut bea) = (ann.come_back(&north).await, bea.come_back(&south).await);
    moves([&mut ann, &mut bea], 1).await;

    // Bea is forgotten, at a node where she never was.
    let games = bea.guest.ask("GET", "/api/me/games", "").await.json();
    assert_eq!(games["games"][0]["players"][2], "Bea", "as she was called when it began: {games}");
    let gone = at(&bea.guest, &north).ask("DELETE", "/api/me", "").await;
    assert_eq!(gone.status, 204, "{}", gone.body);
    ann.until("her seat is free", |client| {
        client.table().is_some_and(|table| !format!("{:?}", table.seats).contains("Beatrice"))
    })
    .await;
    for node in [&north, &south, &west] {
        until("nobody knows her any more", async || {
            at(&bea.guest, node).ask("GET", "/api/me", "").await.json()["name"].is_null()
        })
        .await;
        until("her name is nowhere", async || {
            let games = at(&ann.guest, node).ask("GET", "/api/me/games", "").await.body;
            games.contains("Ann") && !games.contains("Bea")
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_ends_and_its_record_is_at_every_node() {
    let Some(engine) = engine().await else { return };
    let (north, south) = (node(&engine, "north").await, node(&engine, "south").await);
    settled(&[&north, &south]).await;
    let ann = north.guest("Ann").await;
    let id = table(&at(&ann, &south), "may-i", 2, &["easy"]).await;
    let mut ann = Player::with(ann, &id, 1).await;
    ann.act(Act::Ready { ready: true }).await;
    ann.act(Act::Start).await;
    ann.until("the match begins", |client| client.view().is_some()).await;
    let deadline = Instant::now() + Duration::from_secs(120);
    while ann.client.table().is_some_and(|table| table.stage != Stage::Over) {
        assert!(Instant::now() < deadline, "it ends");
        ann.move_if_may().await;
    }
    for node in [&north, &south] {
        let played = at(&ann.guest, node).ask("GET", "/api/me/games", "").await.json();
        let played = played["games"][0]["id"].as_str().expect("a match").to_owned();
        until("the record is there", async || node.record(&played).await.status == 200).await;
        let record = node.record(&played).await.body;
        record::verify::verify::<rulebook::Match>(&record).unwrap_or_else(|wrong| panic!("{wrong}"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pages_of_the_lobby_may_be_asked_of_any_node() {
    let Some(engine) = engine().await else { return };
    let (north, south) = (node(&engine, "north").await, node(&engine, "south").await);
    settled(&[&north, &south]).await;
    let mut opened = BTreeSet::new();
    for number in 0..LOBBY_PAGE + 3 {
        let here = [&north, &south][number % 2];
        opened.insert(table(&here.guest("Ann").await, "contract", 3, &[]).await);
    }
    let lobby = async |node: &Server, query: &str| -> Lobby {
        let page = node.get(&format!("/api/tables{query}")).await;
        serde_json::from_str(&page.body).unwrap_or_else(|wrong| panic!("{wrong}: {}", page.body))
    };
    let pages = async |first: &Server, then: &Server| {
        let mut page = lobby(first, "").await;
        let mut all = page.tables;
        while let Some(next) = page.next {
            page = lobby(then, &format!("?after={next}")).await;
            all.append(&mut page.tables);
        }
        all.into_iter().map(|table| table.id).collect::<Vec<String>>()
    };
    for node in [&north, &south] {
        until("every table is known", async || pages(node, node).await.len() == opened.len()).await;
    }
    let all = pages(&north, &north).await;
    assert_eq!(all.iter().cloned().collect::<BTreeSet<String>>(), opened);
    for (first, then) in [(&north, &south), (&south, &north), (&south, &south)] {
        assert_eq!(pages(first, then).await, all);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ranked_try_is_one_at_whatever_node_it_is_asked_for() {
    let Some(engine) = engine().await else { return };
    let (north, south) = (node(&engine, "north").await, node(&engine, "south").await);
    settled(&[&north, &south]).await;
    let ann = north.guest("Ann").await;
    let date = north.get("/api/days").await.json()["date"].as_str().expect("a day").to_owned();
    let path = format!("/api/days/{date}/daily-basic");
    let (at_north, at_south) = (at(&ann, &north), at(&ann, &south));
    let ask = async |guest: &Guest<'_>| guest.ask("POST", &path, r#"{"ranked":true}"#).await;
    // Both at once.
    let (one, other) = tokio::join!(ask(&at_north), ask(&at_south));
    assert_eq!((one.status, other.status), (201, 201), "{}, {}", one.body, other.body);
    assert_eq!(one.json()["id"], other.json()["id"], "there is one try");
    let again = ask(&at_south).await;
    assert_eq!(again.json()["id"], one.json()["id"], "{}", again.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_engine_is_away_the_table_stands_still_and_then_goes_on() {
    let Some(mut engine) = engine().await else { return };
    let north = node(&engine, "north").await;
    settled(&[&north]).await;
    let [mut ann, mut bea] = two_play(&north, &north, 1).await;
    engine.servers.iter_mut().for_each(run::Server::kill);
    let troubled = |client: &wire::client::Client<rulebook::View>| {
        client.table().is_some_and(|table| table.paused.is_some())
    };
    let began = Instant::now();
    let mut asked = [false; 2];
    while !troubled(&ann.client) {
        assert!(began.elapsed() < PATIENCE, "it stands still");
        // What is asked for now is answered when it is known what became of it.
        for (player, asked) in [&mut ann, &mut bea].into_iter().zip(&mut asked) {
            *asked = *asked || player.move_unanswered().await;
            player.pump(Duration::from_millis(30)).await;
        }
    }
    engine.servers.iter_mut().for_each(run::Server::start);
    ann.until("it goes on", |client| client.table().is_some_and(|table| table.paused.is_none())).await;
    let seen = ann.client.seen();
    moves([&mut ann, &mut bea], 2).await;
    assert!(ann.client.seen() > seen);
}

/// Brings the games of a data folder into the log, as `parlour cluster import` does.
async fn bring(engine: &Cluster, folder: &Path) -> Result<server::Imported, server::StartError> {
    let mut settings = server::Settings::default().cluster;
    let access = engine.access(&[0, 1, 2]);
    settings.servers = access.servers;
    settings.password = Some(access.log.password);
    settings.system_password = Some(access.system.password);
    let from = folder.to_owned();
    tokio::task::spawn_blocking(move || server::import(&settings, &from)).await.expect("no panic")
}

/// docs/cluster.md, "Adding and removing nodes" and "Backup and restore".
#[tokio::test(flavor = "multi_thread")]
async fn a_node_begins_with_a_copy_while_people_play_and_makes_a_lost_log_anew() {
    let Some(engine) = engine().await else { return };
    let (north, south) = (node(&engine, "north").await, node(&engine, "south").await);
    settled(&[&north, &south]).await;
    let [mut ann, mut bea] = two_play(&north, &south, 2).await;

    // A third node is started on a copy of South's folder, which goes on meanwhile.
    let copy = folder();
    store::backup(south.data.path(), &copy.path().join(store::DATABASE)).expect("a copy");
    moves([&mut ann, &mut bea], 1).await;
    let (game, seen) = (ann.client.game(), ann.client.seen());
    // Where their table moves to it, they come in again.
    let (ann, bea) = (ann.leave(), bea.leave());
    let west = node_on(copy, &engine, "west").await;
    settled(&[&north, &south, &west]).await;
    let (mut ann, mut bea) = (ann.come_back(&west).await, bea.come_back(&south).await);
    moves([&mut ann, &mut bea], 1).await;
    assert!(ann.client.game() == game && ann.client.seen() > seen);
    let seen = ann.client.seen();
    let (ann, bea) = (ann.leave(), bea.leave());
    for node in [north, south] {
        node.stop().await;
    }
    let data = west.stop().await;

    // The log is lost, with all of its servers. It is made anew from what the third node has.
    drop(engine);
    let Some(engine) = self::engine().await else { return };
    let brought = bring(&engine, data.path()).await.expect("they are brought in");
    assert!(brought.changes > 10, "{brought:?}");
    let (north, south) = (node(&engine, "north").await, node(&engine, "south").await);
    settled(&[&north, &south]).await;
    let (mut ann, mut bea) = (ann.come_back(&south).await, bea.come_back(&north).await);
    assert!(ann.client.game() == game && ann.client.seen() >= seen);
    moves([&mut ann, &mut bea], 1).await;
    assert!(ann.client.seen() > seen);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_games_of_one_machine_go_to_several_and_back() {
    let Some(engine) = engine().await else { return };
    // Played a little on a server on its own.
    let alone = Server::on(folder(), |_| {}).await;
    let [ann, bea] = two_play(&alone, &alone, 2).await;
    let (game, seen) = (ann.client.game(), ann.client.seen());
    let (ann, bea) = (ann.leave(), bea.leave());
    let data = alone.stop().await;

    let brought = bring(&engine, data.path()).await.expect("they are brought in");
    assert!(brought.changes > 10 && brought.bytes > 1000, "{brought:?}");
    let again = bring(&engine, data.path()).await.expect_err("there is something now").to_string();
    assert!(again.contains("its log has something already"), "{again}");

    let (north, south) = (node(&engine, "north").await, node(&engine, "south").await);
    settled(&[&north, &south]).await;
    let (mut ann, mut bea) = (ann.come_back(&north).await, bea.come_back(&south).await);
    moves([&mut ann, &mut bea], 2).await;
    assert!(ann.client.game() == game && ann.client.seen() > seen);
    let seen = ann.client.seen();
    let (ann, bea) = (ann.leave(), bea.leave());
    south.stop().await;
    let data = north.stop().await;

    // The folder of a node is a whole parlour. It is one of the nodes no more then.
    let alone = Server::on(data, |_| {}).await;
    let (mut ann, mut bea) = (ann.come_back(&alone).await, bea.come_back(&alone).await);
    moves([&mut ann, &mut bea], 2).await;
    assert!(ann.client.game() == game && ann.client.seen() > seen);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_cannot_be_a_node_says_why() {
    let start = async |change: &dyn Fn(&mut server::Settings)| {
        let data = folder();
        let mut settings = server::Settings {
            listen: "127.0.0.1:0".parse().expect("an address"),
            data: data.path().into(),
            ..server::Settings::default()
        };
        settings.cluster.servers = vec!["nats://127.0.0.1:1".to_owned()];
        settings.cluster.node = Some("north".to_owned());
        change(&mut settings);
        let listeners = server::listen(&settings).await.expect("a port");
        let launched = tokio::time::timeout(PATIENCE, server::launch(settings, listeners, async {})).await;
        launched.expect("it does not wait for ever").err().map(|error| error.to_string()).unwrap_or_default()
    };
    let says = start(&|settings| settings.cluster.node = None).await;
    assert!(says.contains("--node"), "{says}");
    let says = start(&|settings| settings.cluster.node = Some("North Pole".to_owned())).await;
    assert!(says.contains("`North Pole` cannot be the name of a node"), "{says}");
    let says = start(&|_| {}).await;
    assert!(says.contains("NATS cannot be reached at nats://127.0.0.1:1"), "{says}");
    let Some(engine) = engine().await else { return };
    let access = engine.access(&[0, 1, 2]);
    let join = |settings: &mut server::Settings| {
        settings.cluster.servers.clone_from(&access.servers);
        settings.cluster.password = Some(access.log.password.clone());
        settings.cluster.system_password = Some(access.system.password.clone());
    };
    let says = start(&|settings| {
        join(settings);
        settings.cluster.password = Some("wrong".to_owned());
    })
    .await;
    assert!(says.contains("as `parlour`"), "{says}");
    let _north = node(&engine, "north").await;
    let says = start(&join).await;
    assert!(says.contains("another node of this cluster is called `north`"), "{says}");
    let says = start(&|settings| {
        join(settings);
        settings.cluster.node = Some("south".to_owned());
        std::fs::write(settings.data.join("cookie.key"), [8; 32]).expect("another key");
    })
    .await;
    assert!(says.contains("cookie.key"), "{says}");
}
