//! The log in three real servers of the engine.

mod ask;
#[path = "../histories/history.rs"]
#[allow(dead_code, reason = "a race asks for less than the histories do")]
mod history;
mod run;
mod synced;
mod tls;

use bytes::Bytes;
use cluster::{
    Access, Body, Chain, Engine as _, Fault, Head, Host, Message, Nats, NotAppended, Partition, Unfit,
    Writer, read_on,
};
use futures_util::future::join_all;
use history::{Answered, Asked, History, Register};
use run::{Cluster, program};
use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime};

const ALWAYS: &str = "sync_interval: always";

/// Opens the log when the servers have found each other.
async fn open(cluster: &Cluster, servers: &[usize]) -> Nats {
    open_by(&cluster.access(servers)).await
}

async fn open_by(access: &Access) -> Nats {
    let began = Instant::now();
    loop {
        match Nats::open(access).await {
            Ok((nats, _)) => return nats,
            Err(unfit) if began.elapsed() > Duration::from_secs(40) => panic!("{unfit}"),
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
}

fn host(number: u8) -> Host {
    Host { node: format!("node {number}"), incarnation: [number; 16] }
}

/// Takes over, as often as it has to be tried.
async fn take_over(nats: &Nats, partition: Partition, number: u8) -> (Writer<Nats>, Vec<Message>) {
    for attempt in 0..20 {
        let mut seen = Vec::new();
        let host = host(number + attempt);
        match Writer::take_over(nats.clone(), partition, Head::START, &host, |one| seen.push(one.clone()))
            .await
        {
            Ok(writer) => return (writer, seen),
            Err(fault @ Fault::Broken(_)) => panic!("{fault}"),
            Err(_) => tokio::time::sleep(Duration::from_millis(250)).await,
        }
    }
    panic!("nobody could take over {partition}");
}

/// All of a partition, judged.
async fn all(nats: &Nats, partition: Partition) -> BTreeMap<u64, Message> {
    let (mut chain, mut found) = (Chain::after(partition, Head::START), BTreeMap::new());
    read_on(nats, partition, &mut chain, |message| drop(found.insert(message.number, message.clone())))
        .await
        .expect("one chain");
    found
}

/// Appends, and settles it as often as it takes.
async fn append(writer: &mut Writer<Nats>, batch: &[u8]) -> Head {
    let mut appended = writer.append(batch.to_vec()).await;
    for _ in 0..20 {
        match appended {
            Err(Fault::Unsettled(_)) => {
                appended = writer.settle().await.map(|head| head.expect("it was open"))
            }
            _ => break,
        }
    }
    appended.expect("it is appended at last")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_old_is_trimmed_and_never_the_last_message() {
    let Some(program) = program("PARLOUR_NATS") else { return };
    let cluster = Cluster::start(program, 3, ALWAYS);
    let here = Partition(5);
    let nats = open(&cluster, &[0, 1, 2]).await;
    assert_eq!(nats.trim(here, Duration::ZERO, SystemTime::now()).await, Ok(0), "there is nothing");
    let (mut writer, _) = take_over(&nats, here, 1).await;
    append(&mut writer, b"one").await;
    let known = append(&mut writer, b"two").await;
    // Times are told to the second.
    tokio::time::sleep(Duration::from_millis(2500)).await;
    append(&mut writer, b"three").await;
    append(&mut writer, b"four").await;
    // A clock that jumped makes nothing old.
    let jumped = SystemTime::now() + Duration::from_secs(2 * 3600);
    let refused = nats.trim(here, Duration::from_secs(1), jumped).await.expect_err("the clocks do not agree");
    assert!(refused.to_string().contains("set the clock"), "{refused}");
    assert_eq!(nats.trim(here, Duration::from_secs(1), SystemTime::now()).await, Ok(3));
    assert_eq!(nats.trim(here, Duration::from_secs(1), SystemTime::now()).await, Ok(0), "once is enough");
    // Who has come so far follows, and who has not sees that something is missing.
    let mut chain = Chain::after(here, known);
    let mut bodies = Vec::new();
    read_on(&nats, here, &mut chain, |message| bodies.push(message.body.clone())).await.expect("it follows");
    assert_eq!(bodies, [Body::Batch(b"three".to_vec()), Body::Batch(b"four".to_vec())]);
    let mut new = Chain::after(here, Head::START);
    let lacks = read_on(&nats, here, &mut new, |_| {}).await;
    assert!(
        matches!(lacks, Err(Fault::Broken(cluster::Broken::Number { expected: 1, found: 4, .. }))),
        "{lacks:?}"
    );
    // The last one stays, however old it is, and the log goes on after it.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(nats.trim(here, Duration::ZERO, SystemTime::now()).await, Ok(1));
    let before = writer.head().number;
    assert_eq!(append(&mut writer, b"five").await.number, before + 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_writers_who_race_for_one_place_one_wins() {
    let Some(program) = program("PARLOUR_NATS") else { return };
    let cluster = Cluster::start(program, 3, ALWAYS);
    let rounds = if std::env::var_os("PARLOUR_LONG").is_some() { 300 } else { 60 };
    let here = Partition(3);
    open(&cluster, &[0, 1, 2]).await;
    // Three for each server.
    let writers =
        join_all((0..9).map(|number| open(&cluster, std::slice::from_ref(&[0, 1, 2][number % 3])))).await;
    let (mut chain, mut winners, race) = (Chain::after(here, Head::START), 0, Race::default());
    for round in 0..rounds {
        let head = chain.head();
        let messages: Vec<Bytes> = (0..9u8)
            .map(|number| {
                let body = Body::Batch(vec![number, round as u8]);
                Message { partition: here, number: head.number + 1, previous: head.hash, body }
                    .encode()
                    .into()
            })
            .collect();
        let appends = writers
            .iter()
            .zip(&messages)
            .map(|(writer, message)| writer.append(here, head.sequence, message.clone()));
        let answers = join_all(appends).await;
        let won: Vec<usize> = (0..9).filter(|&number| answers[number].is_ok()).collect();
        race.told(round, &won);
        assert!(won.len() <= 1, "round {round}: {answers:?}");
        let refused = |answer: &&Result<_, NotAppended>| matches!(answer, Err(NotAppended::Refused(_)));
        assert_eq!(answers.iter().find(refused), None);
        winners += won.len();
        // Who is asked may be late.
        let found = loop {
            let found = writers[round % 9].read(here, head.sequence, 10).await.unwrap_or_default();
            if !found.is_empty() || won.is_empty() {
                break found;
            }
        };
        assert!(found.len() <= 1, "round {round}: {found:?}");
        for stored in &found {
            chain.take(stored).expect("it follows");
            for &number in &won {
                assert_eq!((&answers[number], &stored.bytes), (&Ok(stored.sequence), &messages[number]));
            }
        }
    }
    println!("{winners} of {rounds} rounds were won, each by one");
    assert!(winners > rounds / 2, "{winners}");
    assert_eq!(race.0.judge().wrong, []);
}

/// Rounds in which nine writers want one place of the log, as a history: in each the place is a register, and each writer swaps nobody
/// for itself. The judge of the histories judges it.
#[derive(Default)]
struct Race(History);

impl Race {
    /// Who was told in a round that the place is theirs. The others know nothing: a refusal may be of an append that happened.
    fn told(&self, round: usize, won: &[usize]) {
        let place = Register { partition: 0, key: round as u32 };
        let asked = (0..9).map(|number| self.0.invoked(place, Asked::Swap { from: 0, to: number + 1 }));
        let asked: Vec<usize> = asked.collect();
        for &number in won {
            self.0.returned(asked[number], Answered::Written);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_that_are_killed_lose_nothing_that_was_acknowledged() {
    let Some(program) = program("PARLOUR_NATS") else { return };
    let mut cluster = Cluster::start(program, 3, ALWAYS);
    let here = Partition(5);
    let nats = open(&cluster, &[0, 1, 2]).await;
    let (mut writer, _) = take_over(&nats, here, 1).await;
    let mut acknowledged = BTreeMap::new();
    for number in 0..60u32 {
        let batch = [&number.to_le_bytes()[..], &[7; 2000]].concat();
        match number {
            // The leader, while something is on its way to it.
            20 => {
                let leader = cluster.leader(here).await.expect("a leader");
                let kill = async {
                    tokio::time::sleep(Duration::from_micros(700)).await;
                    let server = cluster.servers.iter_mut().find(|server| server.name == leader);
                    server.expect("a leader").kill();
                };
                let began = Instant::now();
                let (head, ()) = tokio::join!(append(&mut writer, &batch), kill);
                acknowledged.insert(head.number, batch);
                let next = append(&mut writer, &number.to_le_bytes()).await;
                acknowledged.insert(next.number, number.to_le_bytes().to_vec());
                println!("without {leader} it goes on after {} ms", began.elapsed().as_millis());
                cluster.servers.iter_mut().for_each(run::Server::start_again);
            }
            // All of them.
            40 => {
                cluster.servers.iter_mut().for_each(run::Server::kill);
                cluster.servers.iter_mut().for_each(run::Server::start);
                let began = Instant::now();
                let head = append(&mut writer, &batch).await;
                acknowledged.insert(head.number, batch);
                println!("after all were killed it goes on after {} ms", began.elapsed().as_millis());
            }
            _ => {
                let head = append(&mut writer, &batch).await;
                acknowledged.insert(head.number, batch);
            }
        }
    }
    // Another node takes over: it has read everything, and the host before notices.
    let other = open(&cluster, &[0, 1, 2]).await;
    let (_new, seen) = take_over(&other, here, 100).await;
    let found: BTreeMap<u64, Message> = seen.into_iter().map(|one| (one.number, one)).collect();
    for (number, batch) in &acknowledged {
        assert_eq!(found.get(number).map(|one| &one.body), Some(&Body::Batch(batch.clone())), "{number}");
    }
    assert_eq!(acknowledged.len(), 61);
    assert_eq!(writer.append(b"too late".to_vec()).await, Err(Fault::Superseded(here)));
    assert_eq!(all(&nats, here).await, all(&other, here).await);
}

/// The race as above, with a server of which it is known that it has two winners: so it is known that the race would find them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_race_has_two_winners_where_the_engine_has_them() {
    let Some(program) = program("PARLOUR_NATS_OLD") else { return };
    let cluster = Cluster::start(program, 3, "");
    let began = Instant::now();
    let unfit = loop {
        match Nats::open(&cluster.access(&[0, 1, 2])).await {
            Err(unfit @ Unfit::Old { .. }) => break unfit,
            _ if began.elapsed() > Duration::from_secs(20) => panic!("nobody says that it is old"),
            _ => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    };
    println!("{unfit}");
    let clients =
        join_all((0..9).map(|number| cluster.client(std::slice::from_ref(&[0, 1, 2][number % 3])))).await;
    let stream = r#"{"name":"RACE","subjects":["race.*"],"storage":"file","num_replicas":3}"#;
    loop {
        let made = clients[0].request("$JS.API.STREAM.CREATE.RACE", stream.into()).await;
        match made.map(|answer| String::from_utf8_lossy(&answer.payload).into_owned()) {
            Ok(answer) if answer.contains("\"did_create\":true") || answer.contains("\"config\"") => break,
            other if began.elapsed() > Duration::from_secs(40) => panic!("no stream: {other:?}"),
            _ => tokio::time::sleep(Duration::from_millis(200)).await,
        }
    }
    let (mut after, mut twice, race) = (0, 0, Race::default());
    let rounds = 100;
    for round in 0..rounds {
        let appends = clients.iter().map(|client| async move {
            let mut headers = async_nats::HeaderMap::new();
            headers.insert("Nats-Expected-Last-Subject-Sequence", after.to_string().as_str());
            let answer = client.request_with_headers("race.one", headers, "entry".into()).await.ok()?;
            let answer: serde_json::Value = serde_json::from_slice(&answer.payload).ok()?;
            answer["error"].is_null().then(|| answer["seq"].as_u64()).flatten()
        });
        let answers = join_all(appends).await;
        let won: Vec<usize> = (0..9).filter(|&number| answers[number].is_some()).collect();
        race.told(round, &won);
        twice += usize::from(won.len() > 1);
        after = answers.into_iter().flatten().max().unwrap_or(after).max(after);
    }
    println!("{twice} of {rounds} rounds were won by more than one");
    assert!(twice > 0);
    let judged = race.0.judge();
    assert_eq!(judged.wrong.len(), twice, "the judge of the histories finds each of them");
}

/// Servers whose room for the log is used up refuse, and lose nothing: with more room, and once they have read their files
/// again, it goes on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_without_room_refuse_and_go_on_when_there_is_some() {
    let Some(program) = program("PARLOUR_NATS") else { return };
    let mut cluster = Cluster::prepare(program, 3, ALWAYS);
    cluster.give_room("3MB");
    cluster.begin();
    let here = Partition(5);
    let nats = open(&cluster, &[0, 1, 2]).await;
    let (mut writer, _) = take_over(&nats, here, 1).await;
    let mut acknowledged = BTreeMap::new();
    let batch = |number: u32| [&number.to_le_bytes()[..], &[7; 60_000]].concat();
    // Until it is refused, or nobody can say any more whether it was appended.
    let mut number = 0;
    let refused = loop {
        match writer.append(batch(number)).await {
            Ok(head) => drop(acknowledged.insert(head.number, batch(number))),
            Err(fault @ (Fault::Refused(_) | Fault::Unsettled(_))) => break fault,
            Err(other) => panic!("{other}"),
        }
        number += 1;
        assert!(number < 200, "there is no end of the room");
    };
    println!("after {number} batches: {refused}");
    assert!(number > 10, "{number}");
    cluster.give_room("256MB");
    for server in &mut cluster.servers {
        server.end();
        server.start();
    }
    let began = Instant::now();
    let mut again = match refused {
        Fault::Unsettled(_) => writer.settle().await.map(|head| head.expect("it was open")),
        _ => writer.append(batch(number)).await,
    };
    while let Err(fault) = &again {
        assert!(began.elapsed() < Duration::from_secs(60), "{fault}");
        again = match fault {
            Fault::Unsettled(_) => writer.settle().await.map(|head| head.expect("it was open")),
            Fault::Refused(_) | Fault::Unreachable(_) => writer.append(batch(number)).await,
            other => panic!("{other}"),
        };
    }
    acknowledged.insert(again.expect("there is room").number, batch(number));
    let next = append(&mut writer, b"on").await;
    acknowledged.insert(next.number, b"on".to_vec());
    let found = all(&nats, here).await;
    for (number, batch) in &acknowledged {
        assert_eq!(found.get(number).map(|one| &one.body), Some(&Body::Batch(batch.clone())), "{number}");
    }
}

#[tokio::test]
async fn a_server_that_may_lose_the_log_is_refused_in_words() {
    let Some(program) = program("PARLOUR_NATS") else { return };
    let refused = |cluster: Cluster, change: fn(&mut cluster::Access)| async move {
        let mut access = cluster.access(&[0]);
        change(&mut access);
        let began = Instant::now();
        loop {
            match Nats::open(&access).await {
                Ok(_) => panic!("it was taken"),
                // It has not started yet.
                Err(Unfit::Unreachable { why, .. })
                    if why.contains("IO") && began.elapsed() < Duration::from_secs(5) =>
                {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                Err(unfit) => return unfit,
            }
        }
    };
    let start = |storage| Cluster::start(program.clone(), 1, storage);
    let unfit = refused(start("sync_interval: 2m"), |_| {}).await;
    assert_eq!(unfit, Unfit::NotSynced("server-0".to_owned()));
    assert!(unfit.to_string().contains("write `jetstream { sync_interval: always }`"), "{unfit}");
    let unfit = refused(start(ALWAYS), |_| {}).await;
    assert_eq!(unfit, Unfit::Few { found: 1, of: 1, needed: 3 });
    let unfit = refused(start(ALWAYS), |access| access.system.password.push('x')).await;
    assert!(matches!(&unfit, Unfit::Unreachable { user, .. } if user == "system"), "{unfit}");
    let unfit = refused(start(ALWAYS), |access| access.system = access.log.clone()).await;
    assert_eq!(unfit, Unfit::Silent("parlour".to_owned()));
    let mut cluster = start(ALWAYS);
    cluster.servers[0].kill();
    let unfit = Nats::open(&cluster.access(&[0])).await.map(|_| ()).expect_err("nobody is there");
    assert!(matches!(unfit, Unfit::Unreachable { .. }), "{unfit}");
    println!("{unfit}");
}
