//! The log that several machines share.
//!
//! Tables are divided into [partitions](Partition). Each partition is a log of [messages](Message), kept by an [`Engine`] on
//! several servers, and is written by one [host](Writer): a message for each commit, appended only if the last one is that
//! which its host knows, and carrying the hash of it. So whoever reads the log sees a fork, a gap or a rewind ([`Chain`]), and
//! a host that another one has replaced cannot write, whatever it believes.
//!
//! ```
//! use cluster::{Fault, Head, Host, Memory, Partition, Writer};
//! use std::sync::Arc;
//!
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! let engine = Arc::new(Memory::default());
//! let here = Partition::of("a table");
//! let [north, south] = [("north", 1), ("south", 2)]
//!     .map(|(node, number)| Host { node: node.to_owned(), incarnation: [number; 16] });
//!
//! let mut old = Writer::take_over(engine.clone(), here, Head::START, &north, |_| {}).await?;
//! let place = old.append(b"entries of one commit".to_vec()).await?;
//! assert_eq!(place.number, 2); // after "took over"
//!
//! // Another node takes over. It has read all before, and the old host notices with its next append.
//! let mut seen = 0;
//! let mut new = Writer::take_over(engine.clone(), here, Head::START, &south, |_| seen += 1).await?;
//! assert_eq!(seen, 3);
//! assert_eq!(old.append(b"too late".to_vec()).await, Err(Fault::Superseded(here)));
//! new.append(b"more entries".to_vec()).await?;
//! # Ok::<(), Fault>(()) }).unwrap();
//! ```
//!
//! A [`Node`] does that for its share of the partitions, follows all others, and hears of nodes that come and go
//! ([`Members`]); whoever knows what a change is, and applies it, is its [`House`].

mod bus;
mod chain;
mod engine;
mod house;
mod members;
mod memory;
mod message;
mod nats;
mod node;
mod writer;

pub use bus::{Bus, Heard, NoAnswer};
pub use chain::{Broken, Chain, Head};
pub use engine::{Engine, NotAppended, Sequence, Stored, Unreachable};
pub use house::{Applied, Hosting, House, JOINED, NO_ANSWER, Outcome, Told};
pub use members::{BEAT, Beat, GIVEN_AT_ONCE, GONE, LATE, Members, Misfit, NodeId, PROTOCOL, Steps, chosen};
pub use memory::{Memory, MemoryBus};
pub use message::{
    Body, Hash, MOST_BODY, MOST_MESSAGE, MOST_NAME, Message, NoMessage, PARTITIONS, Partition,
};
pub use nats::{Access, Account, Encryption, Nats, OLDEST, REPLICAS, STREAMS, Server, Servers, Unfit};
pub use node::{Counted, Node, Unable};
pub use writer::{Fault, Host, Writer, read_on};
