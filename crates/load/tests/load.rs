//! A load test against a real server: everything it tells is there, and nothing goes wrong.

use load::{Attack, Measured, Plan, Process, Raided, Siege, Stage};
use rulebook::{NoFiles, Source};
use server::Settings;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use wire::api::GameChoice;

fn plan(game: &str, server: std::net::SocketAddr) -> Plan {
    let loaded = rulebook::load(Source::Preset(game), None, &NoFiles).expect("a game");
    Plan {
        server,
        host: server.to_string(),
        game: GameChoice::Preset(game.to_owned()),
        options: serde_json::Map::new(),
        rules: load::rules_of(&loaded, 2).expect("two can play"),
        tables: 3,
        seats: 2,
        players: 2,
        bot: "random".into(),
        rate: None,
        time: Duration::from_secs(2),
        idle: false,
        at_once: 2,
        seed: 1,
    }
}

async fn check(
    game: &str,
    change: impl FnOnce(&mut Plan),
    limits: impl FnOnce(&mut Settings),
) -> Result<Measured, String> {
    let data = tempfile::tempdir().expect("a folder");
    let mut settings = Settings {
        listen: "127.0.0.1:0".parse().expect("an address"),
        data: data.path().into(),
        drain_seconds: 1,
        requests_per_second: 10_000,
        messages_per_second: 100_000,
        ..Settings::default()
    };
    limits(&mut settings);
    let listeners = server::listen(&settings).await.expect("a free port");
    let address = listeners.local_addr().expect("bound");
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let done = tokio::spawn(server::launch(settings, listeners, async {
        let _ = stopped.await;
    }));
    let mut plan = plan(game, address);
    change(&mut plan);
    let (mut opened, tables) = (0, plan.tables);
    let mine = Some(Process(std::process::id()));
    let measured = load::run(plan, mine, Arc::new(AtomicBool::new(false)), |stage| match stage {
        Stage::Opened(count) => opened = count,
        Stage::Playing | Stage::Endured(..) => {}
    })
    .await;
    assert!(opened == tables || measured.is_err());
    let _ = stop.send(());
    done.await.expect("no panic").expect("it started");
    measured.map_err(|why| why.to_string())
}

fn plays(measured: &Measured) {
    assert_eq!(measured.errors, std::collections::BTreeMap::new());
    assert!(measured.moves > 20, "{measured:?}");
    let (told, answered) = (measured.told.expect("times"), measured.answered.expect("times"));
    assert_eq!(answered.count as u64, measured.moves);
    assert!(told.count as u64 <= measured.moves && told.p50 > 0.0 && told.most >= told.p99);
    let used = measured.server.expect("this very process");
    assert!(used.kib_before > 0 && used.kib_open >= used.kib_before);
    if cfg!(target_os = "linux") {
        assert!(used.cpu_seconds > 0.0 && used.moves_per_cpu_second > 0.0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_play_by_turns() {
    let measured = check("12-step", |_| {}, |_| {}).await.expect("it plays");
    plays(&measured);
    assert_eq!((measured.tables, measured.players), (3, 6));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_plays_against_a_bot_of_the_server() {
    let quick = |plan: &mut Plan| plan.players = 1;
    plays(&check("12-step", quick, |settings| settings.bot_pace = 0).await.expect("it plays"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rate_is_kept() {
    let slow = |plan: &mut Plan| plan.rate = Some(30.0);
    let measured = check("12-step", slow, |_| {}).await.expect("it plays");
    assert!((20..=75).contains(&measured.moves), "{measured:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_tables_do_nothing_and_stay() {
    let measured = check("set-classic", |plan| plan.idle = true, |_| {}).await.expect("it stays");
    assert_eq!((measured.moves, measured.errors.len()), (0, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_not_made_for_it_says_so() {
    // Ten times as many may come at once; more tables than that are refused.
    let many = |plan: &mut Plan| plan.tables = 20;
    let why =
        check("12-step", many, |settings| settings.requests_per_second = 1).await.expect_err("too many");
    assert!(why.contains("refused") && why.contains("--requests-per-second"), "{why}");
    // Connections for which there is no room are dropped without a word: that is told as well.
    let crowd = |settings: &mut Settings| settings.max_connections_per_address = 4;
    let why = check("12-step", many, crowd).await.expect_err("too many");
    assert!(why.contains("hung up") && why.contains("--max-connections-per-address"), "{why}");
    let nobody = check("12-step", |plan| plan.bot = "nobody".into(), |_| {}).await.expect_err("no such bot");
    assert!(nobody.contains("no bot `nobody`"), "{nobody}");
}

/// A server as it is meant to be used, attacked for a moment in each way while people play.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn strangers_attack_and_people_play_on() {
    let data = tempfile::tempdir().expect("a folder");
    let settings = Settings {
        listen: "127.0.0.1:0".parse().expect("an address"),
        data: data.path().into(),
        drain_seconds: 1,
        processor_ms_per_second: 1000,
        ..Settings::default()
    };
    let listeners = server::listen(&settings).await.expect("a free port");
    let address = listeners.local_addr().expect("bound");
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let done = tokio::spawn(server::launch(settings, listeners, async {
        let _ = stopped.await;
    }));
    let honest = Plan { rate: Some(40.0), ..plan("12-step", address) };
    let siege =
        Siege { honest, attacks: Attack::ALL.to_vec(), window: Duration::from_millis(500), rounds: 1 };
    let endured =
        load::besiege(siege, None, Arc::new(AtomicBool::new(false)), |_| {}).await.expect("it plays");
    assert_eq!(endured.errors, std::collections::BTreeMap::new());
    assert_eq!(endured.felt.len(), 2 * Attack::ALL.len());
    let (mut kept_back, mut came) = (0, false);
    for felt in &endured.felt {
        assert!(felt.quiet.count > 0 && felt.attacked.count > 0 && felt.ratio > 0.0, "{felt:?}");
        assert_eq!(felt.kept_out, 0, "who plays is let in: {felt:?}");
        let Raided { opened, refused, closed, sent, .. } = felt.strangers;
        if felt.addresses == 1 {
            kept_back += refused + closed;
        } else {
            came |= opened > 0 && sent > 0;
        }
    }
    assert!(kept_back > 0, "one address is not let do all that: {:?}", endured.felt);
    assert!(came, "nobody attacked: {:?}", endured.felt);
    let _ = stop.send(());
    done.await.expect("no panic").expect("it started");
}

#[tokio::test]
async fn no_other_machine_is_attacked() {
    for (server, says) in [
        ("192.0.2.1:7420", "is not this machine"),
        ("0.0.0.0:7420", "is not this machine"),
        ("10.0.0.1:80", "is not this machine"),
        ("[::1]:7420", "name the server by 127.0.0.1"),
        ("[::ffff:127.0.0.1]:7420", "name the server by 127.0.0.1"),
    ] {
        let honest = Plan { rate: Some(1.0), ..plan("12-step", server.parse().expect("an address")) };
        let attacks = vec![Attack::Pings];
        let siege = Siege { honest, attacks, window: Duration::from_millis(1), rounds: 1 };
        let why = load::besiege(siege, None, Arc::default(), |_| {}).await.expect_err("refused").to_string();
        assert!(why.contains(says), "{server}: {why}");
    }
    assert!("everything".parse::<Attack>().expect_err("none").contains("half-open"));
}
