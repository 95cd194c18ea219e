//! What is asked of the engine past the program.
#![allow(dead_code, reason = "each test file uses its part")]

use super::run::Cluster;
use cluster::{Access, Partition, STREAMS};
use std::time::{Duration, Instant};

impl Cluster {
    /// A connection of its own, to these servers.
    pub async fn client(&self, servers: &[usize]) -> async_nats::Client {
        let Access { servers, log, .. } = self.access(servers);
        let options = async_nats::ConnectOptions::new().user_and_password(log.user, log.password);
        options.connect(servers).await.expect("a connection")
    }

    /// How a stream of the log lies, as its leader says.
    async fn lies(client: &async_nats::Client, stream: u16) -> Option<serde_json::Value> {
        let answer =
            client.request(format!("$JS.API.STREAM.INFO.PARLOUR_LOG_{stream}"), "".into()).await.ok()?;
        let answer: serde_json::Value = serde_json::from_slice(&answer.payload).ok()?;
        Some(answer["cluster"].clone())
    }

    /// The server that leads the stream of a partition, if one does.
    pub async fn leader(&self, partition: Partition) -> Option<String> {
        let lies = Self::lies(&self.client(&[0, 1, 2]).await, partition.0 % STREAMS).await?;
        lies["leader"].as_str().map(str::to_owned)
    }

    /// Waits until each stream has a leader, and two copies that have all that it has.
    pub async fn is_whole(&self) {
        let client = self.client(&[0, 1, 2]).await;
        for stream in 0..STREAMS {
            let began = Instant::now();
            loop {
                let lies = Self::lies(&client, stream).await;
                let copies = lies.as_ref().and_then(|lies| lies["replicas"].as_array());
                if copies.is_some_and(|all| all.len() == 2 && all.iter().all(|copy| copy["current"] == true))
                {
                    break;
                }
                let late = began.elapsed() > Duration::from_secs(60);
                assert!(!late, "stream {stream} is not whole: {lies:?}\n{}", self.told());
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}
