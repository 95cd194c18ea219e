//! What a node does the work of the log for.

use crate::chain::Head;
use crate::members::NodeId;
use crate::message::Partition;
use bytes::Bytes;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::mpsc::UnboundedSender;

/// What is said where the log does not answer.
pub const NO_ANSWER: &str = "Moves cannot be stored at the moment: the log of the cluster does not answer.";

/// What became of a change that was handed to the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is in the log, in the message of this number, and applied here. (If it could not be applied, this node is about to give
    /// the partition up: [`House::lost`] comes next.)
    Committed(u64),
    /// It is not, for the reason given, and will not be.
    Refused(String),
    /// It may be, or be in a moment: the log is asked until it says so. What is read meanwhile may lack it.
    Unknown(String),
    /// This node does not host the partition any more. It is not in the log, unless another host's reader says so.
    Over,
}

/// Is told what became of a change. It must not block for long.
pub type Told = Box<dyn FnOnce(Outcome) + Send>;

/// Is told whether a message was applied, or why not. Called once, in the order of the messages of a partition.
pub type Applied = Box<dyn FnOnce(Result<(), String>) + Send>;

/// What is on its way to the log.
pub(crate) enum Work {
    /// A change; whether it counts only if all before it does.
    Change(Vec<u8>, bool, Told),
    /// Nothing more is to be written.
    End,
    /// The log shows that another host has taken over.
    Replaced,
}

impl Work {
    /// Tells whoever waits what became of it.
    pub(crate) fn tell(self, outcome: Outcome) {
        if let Work::Change(_, _, told) = self {
            told(outcome);
        }
    }
}

/// The right to write to a partition, for as long as nobody else takes over. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Hosting {
    pub(crate) partition: Partition,
    pub(crate) queue: UnboundedSender<Work>,
    /// Whether it is known what is in the log.
    pub(crate) settled: Arc<AtomicBool>,
}

impl Hosting {
    /// Whether this is the same right as the other: not one that the node was given anew.
    #[must_use]
    pub fn is(&self, other: &Hosting) -> bool {
        Arc::ptr_eq(&self.settled, &other.settled)
    }

    /// Which one.
    #[must_use]
    pub fn partition(&self) -> Partition {
        self.partition
    }

    /// Hands over a change. Those that are handed over one after another are written in that order; what waits goes into the
    /// log together. Where the log does not answer it waits until it does.
    pub fn hand(&self, change: Vec<u8>, told: Told) {
        self.send(Work::Change(change, false, told));
    }

    /// Hands over a change that counts only if all that was handed over before it does. While it is not known whether that is
    /// so, it is refused.
    pub fn append(&self, change: Vec<u8>, told: Told) {
        self.send(Work::Change(change, true, told));
    }

    fn send(&self, work: Work) {
        if let Err(back) = self.queue.send(work) {
            back.0.tell(Outcome::Over);
        }
    }

    /// Whether it is known what is in the log, and all of it is applied here or about to be. If not, what is read may lack the
    /// last of it.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.settled.load(Ordering::SeqCst)
    }

    /// Ends it, when all is written that was handed over before.
    pub(crate) fn end(&self) {
        let _ = self.queue.send(Work::End);
    }

    /// Ends it since the log shows another host.
    pub(crate) fn replaced(&self) {
        let _ = self.queue.send(Work::Replaced);
    }

    /// Whether this node hosts the partition still, as far as it knows.
    #[must_use]
    pub fn is_open(&self) -> bool {
        !self.queue.is_closed()
    }
}

/// What a node does the work of the log for: whoever knows what a change is, and applies it.
pub trait House: Send + Sync + 'static {
    /// How far a partition has been applied. Blocks.
    ///
    /// # Errors
    /// If that cannot be read.
    fn place(&self, partition: Partition) -> Result<Head, String>;

    /// Applies a message, after those before it; `head` is its place. `batch` is what a host wrote, and nothing if it says who
    /// took over: then only the place moves on. If the message before could not be applied this one must not be either: all from
    /// there on are handed over again. Must not block.
    fn apply(&self, partition: Partition, head: Head, batch: Option<Bytes>, applied: Applied);

    /// Several changes as one batch. It may be longer than all of them by [`JOINED`] bytes, and four more for each.
    fn join(&self, changes: &[Vec<u8>]) -> Vec<u8>;

    /// From now on this node writes to a partition, all of which has been applied. Blocks.
    fn gained(&self, hosting: Hosting);

    /// It does so no more, or is about to end it: what is handed over until this returns may still be written. Blocks.
    fn lost(&self, partition: Partition);

    /// Answers a question about a partition that this node hosts, as far as it knows. Blocks. An answer that must not be out of
    /// date is given after something that was handed to [`Hosting`] has been committed: see [`Node`](crate::Node).
    ///
    /// # Errors
    /// Why it cannot be answered.
    fn answer(&self, partition: Partition, question: &[u8]) -> Result<Vec<u8>, String>;

    /// Another node says something, in the order in which it has said it. Must not block.
    fn heard(&self, from: &NodeId, bytes: Bytes);

    /// Some of what a node has said or was told may be missing, since its line was lost for a moment; if none is named, of what all said
    /// to this one and were told by it. Must not block.
    fn missed(&self, node: Option<&NodeId>);

    /// A node is gone, or was started anew: nothing more of what it was about will come. Must not block.
    fn gone(&self, node: &NodeId);
}

/// Bytes by which a batch may be longer than its changes, and four more for each.
pub const JOINED: usize = 256;
