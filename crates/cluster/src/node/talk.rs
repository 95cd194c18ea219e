//! What nodes ask each other, as bytes.

use crate::members::NodeId;
use crate::message::{PARTITIONS, Partition};
use bytes::Bytes;

/// Where a node is asked something.
pub(super) fn asks(node: &NodeId) -> String {
    format!("parlour.node.{node}.ask")
}

/// Where a node is told something.
pub(super) fn says(node: &NodeId) -> String {
    format!("parlour.node.{node}.say")
}

/// What a node is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ask {
    /// Whether it is there.
    There,
    /// To write a change.
    Commit,
    /// Something that only a host knows.
    Question,
}

impl Ask {
    pub fn with(self, partition: Partition, bytes: &[u8]) -> Bytes {
        let mut whole = Vec::with_capacity(bytes.len() + 3);
        whole.push(self as u8);
        whole.extend_from_slice(&partition.0.to_le_bytes());
        whole.extend_from_slice(bytes);
        whole.into()
    }
}

/// Reads what a node is asked; none if it cannot be read.
pub(super) fn ask_of(bytes: &[u8]) -> Option<(Ask, Partition, &[u8])> {
    let (kind, rest) = bytes.split_first()?;
    let (partition, rest) = rest.split_first_chunk()?;
    let partition = Some(u16::from_le_bytes(*partition)).filter(|number| *number < PARTITIONS)?;
    let kinds = [Ask::There, Ask::Commit, Ask::Question];
    kinds.into_iter().find(|ask| *ask as u8 == *kind).map(|ask| (ask, Partition(partition), rest))
}

/// What a node answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// It is done.
    Done(Bytes),
    /// It is not, and it is no use to ask again.
    Refused(String),
    /// It does not host the partition.
    NotHere,
}

impl Reply {
    pub fn encode(self) -> Bytes {
        let (kind, bytes) = match &self {
            Reply::Done(bytes) => (0, bytes.as_ref()),
            Reply::Refused(why) => (1, why.as_bytes()),
            Reply::NotHere => (2, [].as_slice()),
        };
        [&[kind], bytes].concat().into()
    }
}

/// Reads an answer.
pub(super) fn answer_of(answer: &Bytes) -> Reply {
    match answer.first() {
        Some(0) => Reply::Done(answer.slice(1..)),
        Some(2) => Reply::NotHere,
        Some(1) => Reply::Refused(String::from_utf8_lossy(&answer[1..]).into_owned()),
        _ => Reply::Refused("the other node answered something strange".to_owned()),
    }
}

/// What one node says to another, with its name.
pub(super) fn saying(from: &NodeId, bytes: &[u8]) -> Bytes {
    let name = from.to_string();
    let len = u8::try_from(name.len()).expect("names are short");
    [&[len], name.as_bytes(), bytes].concat().into()
}

/// Reads that.
pub(super) fn said(whole: &Bytes) -> Option<(NodeId, Bytes)> {
    let len = usize::from(*whole.first()?);
    let name = std::str::from_utf8(whole.get(1..=len)?).ok()?;
    Some((name.parse().ok()?, whole.slice(1 + len..)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_heard_and_what_cannot_be_read_is_nothing() {
        let bytes = Ask::Commit.with(Partition(255), b"change");
        assert_eq!(ask_of(&bytes), Some((Ask::Commit, Partition(255), b"change".as_slice())));
        for strange in [&[][..], &[1], &[1, 0], &[9, 0, 0], &[1, 0, 1]] {
            assert_eq!(ask_of(strange), None, "{strange:?}");
        }
        for reply in
            [Reply::Done(Bytes::from_static(b"yes")), Reply::Refused("no".to_owned()), Reply::NotHere]
        {
            assert_eq!(answer_of(&reply.clone().encode()), reply);
        }
        assert!(matches!(answer_of(&Bytes::new()), Reply::Refused(_)));
        let north = NodeId::new("north", 7).expect("a name");
        assert_eq!(said(&saying(&north, b"frame")), Some((north, Bytes::from_static(b"frame"))));
        for strange in [&[][..], &[5, b'a'], b"\x05north", &[1, 0xff]] {
            assert_eq!(said(&Bytes::from_static(strange)), None, "{strange:?}");
        }
    }
}
