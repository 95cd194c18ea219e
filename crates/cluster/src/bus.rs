//! What nodes say to each other beside the log: messages that may be lost, and of which nothing is kept.

use crate::engine::Unreachable;
use bytes::Bytes;
use futures_util::stream::BoxStream;
use std::time::Duration;

/// A message as it came.
#[derive(Clone, Debug)]
pub struct Heard {
    /// What it was about: the whole subject.
    pub subject: String,
    /// What it says.
    pub bytes: Bytes,
    /// Where an answer goes, if one is waited for.
    pub reply: Option<String>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    /// Nobody listens there: whoever did is gone. This is known at once.
    #[error("nobody listens there")]
    Nobody,
    /// None came in time, or the way is blocked.
    #[error("no answer: {0}")]
    Late(String),
}

/// Carries messages between nodes. Those of one node to one subject come in the order in which they were sent; some may be
/// missing.
pub trait Bus: Clone + Send + Sync + 'static {
    /// Sends a message to whoever listens.
    fn publish(&self, subject: String, bytes: Bytes) -> impl Future<Output = Result<(), Unreachable>> + Send;

    /// Listens. `*` in the subject stands for any one part of it.
    fn subscribe(
        &self,
        subject: String,
    ) -> impl Future<Output = Result<BoxStream<'static, Heard>, Unreachable>> + Send;

    /// How often the line was lost and came back, or something was dropped on it. What was said or heard at those times may be missing.
    fn gaps(&self) -> u64 {
        0
    }

    /// Sends a message and waits for an answer.
    fn ask(
        &self,
        subject: String,
        bytes: Bytes,
        patience: Duration,
    ) -> impl Future<Output = Result<Bytes, NoAnswer>> + Send;
}
