//! What is asked of the engine past the program.

use crate::run::Cluster;
use cluster::{Access, Partition, STREAMS};

impl Cluster {
    /// A connection of its own, to these servers.
    pub async fn client(&self, servers: &[usize]) -> async_nats::Client {
        let Access { servers, log, .. } = self.access(servers);
        let options = async_nats::ConnectOptions::new().user_and_password(log.user, log.password);
        options.connect(servers).await.expect("a connection")
    }

    /// The server that leads the stream of a partition, if one does.
    pub async fn leader(&self, partition: Partition) -> Option<String> {
        let subject = format!("$JS.API.STREAM.INFO.PARLOUR_LOG_{}", partition.0 % STREAMS);
        let answer = self.client(&[0, 1, 2]).await.request(subject, "".into()).await.ok()?;
        let answer: serde_json::Value = serde_json::from_slice(&answer.payload).ok()?;
        answer["cluster"]["leader"].as_str().map(str::to_owned)
    }
}
