//! What is asked of the engine that keeps the log: little enough that a simulation can stand in for it.

use crate::message::Partition;
use bytes::Bytes;
use std::time::Duration;

/// Where the engine has a message: a number that grows within a partition, with gaps. 0 is before the first.
pub type Sequence = u64;

/// A message as the engine has it. Nobody knows who wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Where.
    pub sequence: Sequence,
    /// The bytes that were appended.
    pub bytes: Bytes,
}

/// Why the engine did not say that it has appended something.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAppended {
    /// It says that another message is the last one. Engines have been seen to say so when it was not true.
    #[error("another message was appended before")]
    Behind,
    /// It has not, and will not.
    #[error("the log does not take it: {0}")]
    Refused(String),
    /// Nobody can say whether it has, or will in a moment.
    #[error("it is not known whether it was appended: {0}")]
    Unknown(String),
}

/// Why nothing could be read, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the log cannot be read: {0}")]
pub struct Unreachable(pub String);

/// Keeps the logs of all partitions on several machines. What it has said that it appended is on the disks of most of them.
///
/// Whatever it answers may be late, and what it lets read may lack the newest messages; it must not change their order, nor
/// append anything whose condition does not hold.
pub trait Engine: Send + Sync {
    /// Appends a message if the last one of the partition is at `after` (0: if there is none). Gives where it is now.
    fn append(
        &self,
        to: Partition,
        after: Sequence,
        message: Bytes,
    ) -> impl Future<Output = Result<Sequence, NotAppended>> + Send;

    /// The messages of a partition that come after `after`, in order: the first of them, and as many more as are handy, at
    /// most `most`. Empty if there are none, or none that whoever answers knows of.
    fn read(
        &self,
        of: Partition,
        after: Sequence,
        most: usize,
    ) -> impl Future<Output = Result<Vec<Stored>, Unreachable>> + Send;

    /// Lets some time pass.
    fn wait(&self, time: Duration) -> impl Future<Output = ()> + Send;
}

impl<E: Engine> Engine for std::sync::Arc<E> {
    fn append(
        &self,
        to: Partition,
        after: Sequence,
        message: Bytes,
    ) -> impl Future<Output = Result<Sequence, NotAppended>> + Send {
        E::append(self, to, after, message)
    }
    fn read(
        &self,
        of: Partition,
        after: Sequence,
        most: usize,
    ) -> impl Future<Output = Result<Vec<Stored>, Unreachable>> + Send {
        E::read(self, of, after, most)
    }
    fn wait(&self, time: Duration) -> impl Future<Output = ()> + Send {
        E::wait(self, time)
    }
}
