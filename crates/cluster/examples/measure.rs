//! How fast the log is: `cargo run --release -p parlour-cluster --example measure -- nats://a:4222,nats://b:4222,nats://c:4222`,
//! with the users `parlour` and `system` and their passwords in `PARLOUR_NATS_PASSWORD` and `PARLOUR_NATS_SYSTEM_PASSWORD`.

use bytes::Bytes;
use cluster::{Access, Account, Bus as _, Chain, Head, Host, Nats, PARTITIONS, Partition, Writer, read_on};
use futures_util::StreamExt as _;
use std::time::{Duration, Instant};

type Error = Box<dyn std::error::Error>;

fn host(number: u16) -> Host {
    let drawn = std::time::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_nanos());
    Host { node: "measure".to_owned(), incarnation: (drawn + u128::from(number)).to_le_bytes() }
}

/// Takes over so many partitions at once, all of which has been read before; says how long the first, the median and the last took.
async fn takings(nats: &Nats, partitions: u16) -> Result<(), Error> {
    let mut tasks = Vec::new();
    for partition in (0..partitions).map(Partition) {
        let mut chain = Chain::after(partition, Head::START);
        read_on(nats, partition, &mut chain, |_| {}).await?;
        tasks.push((nats.clone(), partition, chain.head()));
    }
    let began = Instant::now();
    let tasks: Vec<_> = tasks
        .into_iter()
        .map(|(nats, partition, head)| {
            tokio::spawn(async move {
                let writer = Writer::take_over(nats, partition, head, &host(partition.0), |_| {}).await?;
                drop(writer);
                Ok::<_, cluster::Fault>(began.elapsed())
            })
        })
        .collect();
    let mut took = Vec::new();
    for task in tasks {
        took.push(task.await??.as_millis());
    }
    took.sort_unstable();
    let (first, last) = (took[0], took[took.len() - 1]);
    println!(
        "{partitions} taken over at once: first {first} ms, median {} ms, last {last} ms",
        took[took.len() / 2]
    );
    Ok(())
}

/// Writes batches of so many bytes to so many partitions at once for some seconds; says how many a second, and how long each took.
async fn writes(nats: &Nats, partitions: u16, bytes: usize) -> Result<(), Error> {
    let mut tasks = Vec::new();
    for number in 0..partitions {
        let nats = nats.clone();
        tasks.push(tokio::spawn(async move {
            let host = host(number);
            let mut writer = Writer::take_over(nats, Partition(number), Head::START, &host, |_| {}).await?;
            let (began, mut took) = (Instant::now(), Vec::new());
            while began.elapsed() < Duration::from_secs(5) {
                let one = Instant::now();
                writer.append(vec![7; bytes]).await?;
                took.push(one.elapsed());
            }
            Ok::<_, cluster::Fault>(took)
        }));
    }
    let mut took = Vec::new();
    for task in tasks {
        took.extend(task.await??);
    }
    took.sort_unstable();
    let at = |part: usize| took[(took.len() - 1) * part / 100].as_micros() as f64 / 1000.0;
    println!(
        "{partitions} partitions, {bytes} bytes: {} a second; median {:.1} ms, 99 % {:.1} ms",
        took.len() / 5,
        at(50),
        at(99)
    );
    Ok(())
}

/// Says so many bytes to others, over and over, by several connections to as many, and says how many a second came.
async fn sayings(access: &Access, bytes: usize) -> Result<(), Error> {
    const PAIRS: usize = 4;
    let mut hearing = Vec::new();
    let end = Instant::now() + Duration::from_secs(6);
    for pair in 0..PAIRS {
        let ((said, _), (heard, _)) = (Nats::open(access).await?, Nats::open(access).await?);
        let subject = format!("parlour.measure.{pair}");
        let mut coming = heard.subscribe(subject.clone()).await?;
        tokio::spawn(async move {
            while Instant::now() < end
                && said.publish(subject.clone(), Bytes::from(vec![7; bytes])).await.is_ok()
            {}
        });
        hearing.push(tokio::spawn(async move {
            let (_kept, mut count) = (heard, 0u64);
            while let Ok(Some(_)) = tokio::time::timeout_at(end.into(), coming.next()).await {
                count += 1;
            }
            count
        }));
    }
    let (began, mut count) = (Instant::now(), 0);
    for one in hearing {
        count += one.await?;
    }
    println!(
        "said to others, {bytes} bytes: {:.0} a second came",
        count as f64 / began.elapsed().as_secs_f64()
    );
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let servers = std::env::args().nth(1).ok_or("which servers?")?;
    let account = |user: &str, variable: &str| {
        Ok::<_, std::env::VarError>(Account { user: user.to_owned(), password: std::env::var(variable)? })
    };
    let access = Access {
        encryption: cluster::Encryption::default(),
        servers: servers.split(',').map(str::to_owned).collect(),
        log: account("parlour", "PARLOUR_NATS_PASSWORD")?,
        system: account("system", "PARLOUR_NATS_SYSTEM_PASSWORD")?,
    };
    let (nats, found) = Nats::open(&access).await?;
    println!("{found:?}");
    for partitions in [16, PARTITIONS / 3, PARTITIONS] {
        takings(&nats, partitions).await?;
    }
    let all = [(PARTITIONS, 200), (PARTITIONS, 4 * 1024)];
    for (partitions, bytes) in [(1, 200), (1, 64 * 1024), (16, 200), (16, 64 * 1024)].into_iter().chain(all) {
        writes(&nats, partitions, bytes).await?;
    }
    sayings(&access, 200).await?;
    sayings(&access, 4 * 1024).await?;
    let (began, mut chain, mut bytes) = (Instant::now(), Chain::after(Partition(0), Head::START), 0);
    read_on(&nats, Partition(0), &mut chain, |message| {
        bytes += match &message.body {
            cluster::Body::Batch(batch) => batch.len(),
            cluster::Body::TookOver { .. } => 0,
        }
    })
    .await?;
    let seconds = began.elapsed().as_secs_f64();
    let count = chain.head().number as f64;
    println!(
        "read and judged: {:.0} messages and {:.1} MB a second",
        count / seconds,
        bytes as f64 / seconds / 1e6
    );
    Ok(())
}
