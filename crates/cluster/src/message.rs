//! What the shared log is made of: messages, each with the number of its partition and the hash of the one before.

use sha2::{Digest, Sha256};
use std::fmt;

/// Most bytes of what a message carries. With its head it stays below what the engine takes by default (1 MiB), so that a
/// server that was not told otherwise will do.
pub const MOST_BODY: usize = 512 * 1024;
/// Most bytes of a message.
pub const MOST_MESSAGE: usize = HEAD + MOST_BODY;
/// Most bytes of the name of a node.
pub const MOST_NAME: usize = 64;

/// The notation, and which version of it.
const MARK: [u8; 4] = *b"PLG1";
/// Mark, partition, number, hash of the one before, kind.
const HEAD: usize = 4 + 2 + 8 + 32 + 1;
const TOOK_OVER: u8 = 0;
const BATCH: u8 = 1;

/// One of the parts into which tables are divided; each is a log of its own with one host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Partition(pub u16);

/// Number of partitions. It never changes: it says where a table is.
pub const PARTITIONS: u16 = 256;

impl Partition {
    /// Where the table, or whatever else, of this name is.
    #[must_use]
    pub fn of(name: &str) -> Partition {
        let hash = Sha256::digest(name);
        Partition(u16::from_le_bytes([hash[0], hash[1]]) % PARTITIONS)
    }
}

impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "partition {}", self.0)
    }
}

/// SHA-256 of a whole message.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hash(pub [u8; 32]);

impl Hash {
    /// What the first message of a partition names as the one before.
    pub const NONE: Hash = Hash([0; 32]);

    /// That of a message, as it is stored.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Hash {
        Hash(Sha256::digest(bytes).into())
    }
}

impl fmt::Display for Hash {
    /// Enough of it to tell two apart.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0[..6].iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What a message carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// From here on this host writes, and no other.
    TookOver {
        /// Drawn at random each time that a partition is taken over. So no two hosts ever write the same message.
        incarnation: [u8; 16],
        /// What the node is called, for people.
        node: String,
    },
    /// What a host wrote in one commit. The log does not look into it.
    Batch(Vec<u8>),
}

/// One message of a partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Of which partition.
    pub partition: Partition,
    /// Counted from 1 without a gap. (The engine's own sequence is that of a stream, which many partitions share.)
    pub number: u64,
    /// Hash of the one before.
    pub previous: Hash,
    /// What it carries.
    pub body: Body,
}

/// Why bytes are no message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoMessage {
    /// More or fewer bytes than a message can have.
    #[error("it has {0} bytes, and a message has from {HEAD} to {MOST_MESSAGE}")]
    Size(usize),
    /// It begins with something else.
    #[error("it begins like no message that this version of Parlour can read")]
    Mark,
    /// It carries something unknown.
    #[error("it carries something of kind {0}, which this version of Parlour does not know")]
    Kind(u8),
    /// Who took over cannot be read.
    #[error("it does not say who took over")]
    Host,
}

impl Message {
    /// As it is stored. What it carries must be within its bounds: see [`Body::fits`].
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD + self.body.len());
        bytes.extend_from_slice(&MARK);
        bytes.extend_from_slice(&self.partition.0.to_le_bytes());
        bytes.extend_from_slice(&self.number.to_le_bytes());
        bytes.extend_from_slice(&self.previous.0);
        match &self.body {
            Body::TookOver { incarnation, node } => {
                bytes.push(TOOK_OVER);
                bytes.extend_from_slice(incarnation);
                bytes.extend_from_slice(node.as_bytes());
            }
            Body::Batch(batch) => {
                bytes.push(BATCH);
                bytes.extend_from_slice(batch);
            }
        }
        bytes
    }

    /// Reads what somebody stored, whoever that was: its size is looked at before anything is copied.
    ///
    /// # Errors
    /// If it is no message.
    pub fn decode(bytes: &[u8]) -> Result<Message, NoMessage> {
        if bytes.len() > MOST_MESSAGE {
            return Err(NoMessage::Size(bytes.len()));
        }
        let size = || NoMessage::Size(bytes.len());
        let (mark, rest) = bytes.split_first_chunk().ok_or_else(size)?;
        let (partition, rest) = rest.split_first_chunk().ok_or_else(size)?;
        let (number, rest) = rest.split_first_chunk().ok_or_else(size)?;
        let (previous, rest) = rest.split_first_chunk().ok_or_else(size)?;
        let (kind, rest) = rest.split_first().ok_or_else(size)?;
        if *mark != MARK {
            return Err(NoMessage::Mark);
        }
        let body = match *kind {
            TOOK_OVER => {
                let (incarnation, name) = rest.split_first_chunk().ok_or(NoMessage::Host)?;
                let node = std::str::from_utf8(name).map_err(|_| NoMessage::Host)?;
                Body::TookOver { incarnation: *incarnation, node: node.to_owned() }
            }
            BATCH => Body::Batch(rest.to_vec()),
            other => return Err(NoMessage::Kind(other)),
        };
        if !body.fits() {
            return Err(NoMessage::Host);
        }
        Ok(Message {
            partition: Partition(u16::from_le_bytes(*partition)),
            number: u64::from_le_bytes(*number),
            previous: Hash(*previous),
            body,
        })
    }
}

impl Body {
    fn len(&self) -> usize {
        match self {
            Body::TookOver { incarnation, node } => incarnation.len() + node.len(),
            Body::Batch(batch) => batch.len(),
        }
    }

    /// Whether it is within its bounds: a batch of at most [`MOST_BODY`] bytes, a name of 1 to [`MOST_NAME`].
    #[must_use]
    pub fn fits(&self) -> bool {
        match self {
            Body::TookOver { node, .. } => (1..=MOST_NAME).contains(&node.len()),
            Body::Batch(batch) => batch.len() <= MOST_BODY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(body: Body) -> Message {
        Message { partition: Partition(7), number: 12, previous: Hash::of(b"before"), body }
    }

    #[test]
    fn a_message_is_read_as_it_was_written() {
        for body in [
            Body::Batch(Vec::new()),
            Body::Batch(vec![5; MOST_BODY]),
            Body::TookOver { incarnation: [3; 16], node: "north".to_owned() },
        ] {
            let message = message(body);
            assert_eq!(Message::decode(&message.encode()), Ok(message));
        }
    }

    #[test]
    fn whatever_is_stored_is_read_or_refused() {
        let whole = message(Body::TookOver { incarnation: [3; 16], node: "north".to_owned() }).encode();
        for len in 0..HEAD {
            assert_eq!(Message::decode(&whole[..len]), Err(NoMessage::Size(len)));
        }
        // Without a name, with a part of the incarnation, with a name that is too long or no text.
        for len in HEAD..=HEAD + 16 {
            assert_eq!(Message::decode(&whole[..len]), Err(NoMessage::Host));
        }
        let long = [&whole[..HEAD + 16], &[b'n'; MOST_NAME + 1]].concat();
        assert_eq!(Message::decode(&long), Err(NoMessage::Host));
        let no_text = [&whole[..], &[0xff]].concat();
        assert_eq!(Message::decode(&no_text), Err(NoMessage::Host));
        let mut other = whole.clone();
        other[HEAD - 1] = 9;
        assert_eq!(Message::decode(&other), Err(NoMessage::Kind(9)));
        other[0] = b'Q';
        assert_eq!(Message::decode(&other), Err(NoMessage::Mark));
        assert_eq!(Message::decode(&vec![0; MOST_MESSAGE + 1]), Err(NoMessage::Size(MOST_MESSAGE + 1)));
    }

    /// Where a table is may never change.
    #[test]
    fn a_table_is_always_in_the_same_partition() {
        let found: Vec<u16> =
            ["", "a", "b", "Zm9vYmFyYmF6cXV4MTIz"].map(|name| Partition::of(name).0).to_vec();
        assert_eq!(found, [227, 202, 62, 126]);
        let mut tables = [0; PARTITIONS as usize];
        (0..25_600).for_each(|table| tables[Partition::of(&table.to_string()).0 as usize] += 1);
        assert!(tables.iter().all(|&count| (50..170).contains(&count)), "{tables:?}");
    }
}
