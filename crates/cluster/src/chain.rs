//! Reading a partition: each message must follow the one before.

use crate::engine::{Sequence, Stored};
use crate::message::{Body, Hash, Message, NoMessage, Partition};

/// How far somebody has come in a partition: what its last message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// Where the engine has it; 0 before the first.
    pub sequence: Sequence,
    /// Its number; 0 before the first.
    pub number: u64,
    /// Its hash.
    pub hash: Hash,
}

impl Head {
    /// Before the first message.
    pub const START: Head = Head { sequence: 0, number: 0, hash: Hash::NONE };

    /// The message that follows with this body.
    pub(crate) fn next(&self, partition: Partition, body: Body) -> Message {
        Message { partition, number: self.number + 1, previous: self.hash, body }
    }
}

/// What is wrong with a log. Nothing of this can happen while the engine keeps its word; if it does, nobody writes to the
/// partition before somebody has looked at it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// Something in the log is no message.
    #[error("what {partition} has at {sequence} cannot be read: {why}")]
    Unreadable {
        /// Of which partition.
        partition: Partition,
        /// Where the engine has it.
        sequence: Sequence,
        /// Why not.
        why: NoMessage,
    },
    /// A message of another partition.
    #[error("{partition} has a message of {other} at {sequence}")]
    Elsewhere {
        /// Of which partition.
        partition: Partition,
        /// Where it belongs.
        other: Partition,
        /// Where the engine has it.
        sequence: Sequence,
    },
    /// Messages are missing, or there are more of one number.
    #[error(
        "{partition} has message {found} at {sequence} where message {expected} belongs: some are lost, or came twice"
    )]
    Number {
        /// Of which partition.
        partition: Partition,
        /// Where the engine has it.
        sequence: Sequence,
        /// Number of the last one and 1.
        expected: u64,
        /// Its number.
        found: u64,
    },
    /// Two histories: a message follows another one than that which is there.
    #[error(
        "message {number} of {partition} follows another one than that before it: there are two histories"
    )]
    Fork {
        /// Of which partition.
        partition: Partition,
        /// Number of the message.
        number: u64,
    },
    /// What was there is not any more.
    #[error("{partition} has come to message {known}, and the log no longer has it")]
    Rewound {
        /// Of which partition.
        partition: Partition,
        /// Number of the last message that was known.
        known: u64,
    },
}

/// Follows a partition from some message on, and sees whether each follows the one before. It judges for hosts, for those who
/// fold the log and for tests.
#[derive(Clone, Debug)]
pub struct Chain {
    partition: Partition,
    head: Head,
}

impl Chain {
    /// Goes on after `head`.
    #[must_use]
    pub fn after(partition: Partition, head: Head) -> Chain {
        Chain { partition, head }
    }

    /// The last message.
    #[must_use]
    pub fn head(&self) -> Head {
        self.head
    }

    /// Takes in what comes next.
    ///
    /// # Errors
    /// If it does not follow.
    pub fn take(&mut self, stored: &Stored) -> Result<Message, Broken> {
        let (partition, sequence) = (self.partition, stored.sequence);
        let message =
            Message::decode(&stored.bytes).map_err(|why| Broken::Unreadable { partition, sequence, why })?;
        if message.partition != partition {
            return Err(Broken::Elsewhere { partition, other: message.partition, sequence });
        }
        let expected = self.head.number + 1;
        if message.number != expected || sequence <= self.head.sequence {
            return Err(Broken::Number { partition, sequence, expected, found: message.number });
        }
        if message.previous != self.head.hash {
            return Err(Broken::Fork { partition, number: message.number });
        }
        self.head = Head { sequence, number: message.number, hash: Hash::of(&stored.bytes) };
        Ok(message)
    }

    /// Whether the last message is still there as it was, judged by what the engine has at its place.
    ///
    /// # Errors
    /// If it is another one.
    pub fn confirm(&self, stored: &Stored) -> Result<(), Broken> {
        if stored.sequence == self.head.sequence && Hash::of(&stored.bytes) == self.head.hash {
            Ok(())
        } else {
            Err(self.rewound())
        }
    }

    pub(crate) fn rewound(&self) -> Broken {
        Broken::Rewound { partition: self.partition, known: self.head.number }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Partition = Partition(3);

    fn stored(sequence: Sequence, number: u64, previous: Hash) -> Stored {
        let body = Body::Batch(number.to_le_bytes().to_vec());
        Stored { sequence, bytes: Message { partition: HERE, number, previous, body }.encode().into() }
    }

    #[test]
    fn a_fork_a_gap_and_a_rewind_are_seen() {
        let mut chain = Chain::after(HERE, Head::START);
        let first = stored(4, 1, Hash::NONE);
        chain.take(&first).expect("the first");
        let second = stored(9, 2, Hash::of(&first.bytes));
        let mut forked = chain.clone();
        chain.take(&second).expect("the second");
        chain.confirm(&second).expect("it is there");

        let partition = HERE;
        let other = stored(9, 2, Hash::of(b"another"));
        assert_eq!(forked.take(&other), Err(Broken::Fork { partition, number: 2 }));
        let gap = stored(12, 4, Hash::of(&second.bytes));
        let expected = 3;
        assert_eq!(chain.take(&gap), Err(Broken::Number { partition, sequence: 12, expected, found: 4 }));
        assert_eq!(chain.take(&second), Err(Broken::Number { partition, sequence: 9, expected, found: 2 }));
        assert_eq!(chain.confirm(&first), Err(Broken::Rewound { partition, known: 2 }));
        assert_eq!(chain.confirm(&other), Err(Broken::Rewound { partition, known: 2 }));
        let elsewhere = Message { partition: Partition(5), ..Message::decode(&second.bytes).expect("it") };
        let elsewhere = Stored { sequence: 20, bytes: elsewhere.encode().into() };
        let refused = Broken::Elsewhere { partition, other: Partition(5), sequence: 20 };
        assert_eq!(chain.take(&elsewhere), Err(refused));
        let junk = Stored { sequence: 20, bytes: vec![1; 100].into() };
        let refused = Broken::Unreadable { partition, sequence: 20, why: NoMessage::Mark };
        assert_eq!(chain.take(&junk), Err(refused));
    }
}
