//! How fast the log is: `cargo run --release -p parlour-cluster --example measure -- nats://a:4222,nats://b:4222,nats://c:4222`,
//! with the users `parlour` and `system` and their passwords in `PARLOUR_NATS_PASSWORD` and `PARLOUR_NATS_SYSTEM_PASSWORD`.

use cluster::{Access, Account, Chain, Head, Host, Nats, Partition, Writer, read_on};
use std::time::{Duration, Instant};

type Error = Box<dyn std::error::Error>;

/// Writes batches of so many bytes to so many partitions at once for some seconds; says how many a second, and how long each took.
async fn writes(nats: &Nats, partitions: u16, bytes: usize) -> Result<(), Error> {
    let mut tasks = Vec::new();
    for number in 0..partitions {
        let nats = nats.clone();
        tasks.push(tokio::spawn(async move {
            let drawn = std::time::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_nanos());
            let host =
                Host { node: "measure".to_owned(), incarnation: (drawn + u128::from(number)).to_le_bytes() };
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

#[tokio::main]
async fn main() -> Result<(), Error> {
    let servers = std::env::args().nth(1).ok_or("which servers?")?;
    let account = |user: &str, variable: &str| {
        Ok::<_, std::env::VarError>(Account { user: user.to_owned(), password: std::env::var(variable)? })
    };
    let access = Access {
        servers: servers.split(',').map(str::to_owned).collect(),
        log: account("parlour", "PARLOUR_NATS_PASSWORD")?,
        system: account("system", "PARLOUR_NATS_SYSTEM_PASSWORD")?,
    };
    let (nats, found) = Nats::open(&access).await?;
    println!("{found:?}");
    for (partitions, bytes) in [(1, 200), (1, 64 * 1024), (16, 200), (16, 64 * 1024)] {
        writes(&nats, partitions, bytes).await?;
    }
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
