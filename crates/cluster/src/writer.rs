//! Writing a partition, as its host: one conditional append at a time, each after the last message that this host knows.

use crate::chain::{Broken, Chain, Head};
use crate::engine::{Engine, NotAppended, Stored, Unreachable};
use crate::message::{Body, Hash, MOST_BODY, Message, Partition};
use bytes::Bytes;
use std::time::Duration;

/// How often something is appended whose fate is not known, before its host says so.
const TRIES: u32 = 8;
/// How long is waited before the second try; twice as long before each further one, up to a second.
const PAUSE: Duration = Duration::from_millis(10);
/// How often a host that takes over reads on because others wrote meanwhile.
const ROUNDS: u32 = 16;
/// Most messages that are asked for at once.
const PAGE: usize = 256;

/// Why a host could not write.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It is more than a message can carry. Nothing was written.
    #[error("{0} bytes are more than the {MOST_BODY} that can be written at once")]
    Size(usize),
    /// The engine does not take it. Nothing was written.
    #[error("the log does not take it: {0}")]
    Refused(String),
    /// Another host took over before. Nothing was written, and this host writes no more.
    #[error("another host has taken over {0}")]
    Superseded(Partition),
    /// It may have been written, or be written later: see [`Writer::settle`].
    #[error("it is not known whether it was written: {0}")]
    Unsettled(String),
    /// The log cannot be read. Nothing was written.
    #[error(transparent)]
    Unreachable(#[from] Unreachable),
    /// The log is not what it was: this host writes no more.
    #[error(transparent)]
    Broken(#[from] Broken),
}

/// Who takes over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    /// What the node is called, for people: 1 to 64 bytes.
    pub node: String,
    /// Drawn at random for this one takeover.
    pub incarnation: [u8; 16],
}

/// Something that was handed to the engine.
struct Pending {
    bytes: Bytes,
    /// Whether it may be on its way, or there.
    sent: bool,
}

/// A host of a partition. Only one append can be on its way, since each borrows the writer mutably; if the caller does not wait
/// for the end of one, the next call settles it.
///
/// That another host took over is seen by what the log says and by nothing else: neither leases nor clocks are asked.
pub struct Writer<E> {
    engine: E,
    partition: Partition,
    chain: Chain,
    pending: Option<Pending>,
    ended: Option<Fault>,
}

/// Reads on until nothing more is there, and hands each message that follows to `fold`.
///
/// # Errors
/// If the log cannot be read, or a message does not follow.
pub async fn read_on<E: Engine>(
    engine: &E,
    partition: Partition,
    chain: &mut Chain,
    mut fold: impl FnMut(&Message),
) -> Result<(), Fault> {
    loop {
        let found = engine.read(partition, chain.head().sequence, PAGE).await?;
        if found.is_empty() {
            return Ok(());
        }
        for stored in &found {
            fold(&chain.take(stored)?);
        }
    }
}

impl<E: Engine> Writer<E> {
    /// Makes `host` the host of a partition: reads what was written after `from`, hands it to `fold`, and appends that it took
    /// over. That this could be appended shows that nothing was missed, and ends what the host before could do.
    ///
    /// # Errors
    /// If the log cannot be read or is broken, if others keep writing, or if it is not known whether it took over; it may be
    /// tried again then, with another incarnation.
    pub async fn take_over(
        engine: E,
        partition: Partition,
        from: Head,
        host: &Host,
        mut fold: impl FnMut(&Message),
    ) -> Result<Writer<E>, Fault> {
        let body = Body::TookOver { incarnation: host.incarnation, node: host.node.clone() };
        if !body.fits() {
            return Err(Fault::Refused(format!("`{}` cannot be the name of a node", host.node)));
        }
        let chain = Chain::after(partition, from);
        if from.sequence > 0 {
            let found = engine.read(partition, from.sequence - 1, 1).await?;
            let Some(known) = found.first() else {
                return Err(Unreachable(format!("who answered does not have message {}", from.number)).into());
            };
            chain.confirm(known)?;
        }
        let mut writer = Writer { engine, partition, chain, pending: None, ended: None };
        for _ in 0..ROUNDS {
            read_on(&writer.engine, partition, &mut writer.chain, &mut fold).await?;
            let message = writer.chain.head().next(partition, body.clone());
            writer.pending = Some(Pending { bytes: message.encode().into(), sent: false });
            match writer.push().await {
                Ok(_) => {
                    fold(&message);
                    return Ok(writer);
                }
                // Somebody wrote in between: let us see what.
                Err(Fault::Superseded(_)) => writer.ended = None,
                Err(fault) => return Err(fault),
            }
        }
        Err(Fault::Superseded(partition))
    }

    /// The last message that is known to be there.
    #[must_use]
    pub fn head(&self) -> Head {
        self.chain.head()
    }

    /// Writes what was put together for one commit, and gives its place once it is on the disks of most servers.
    ///
    /// # Errors
    /// If it was not written, or nobody knows; what holds then says the [`Fault`]. While something is unsettled nothing else
    /// is written.
    pub async fn append(&mut self, batch: Vec<u8>) -> Result<Head, Fault> {
        if let Some(ended) = &self.ended {
            return Err(ended.clone());
        }
        if self.pending.is_some() {
            return Err(Fault::Unsettled("what was written before is not settled".to_owned()));
        }
        let (len, body) = (batch.len(), Body::Batch(batch));
        if !body.fits() {
            return Err(Fault::Size(len));
        }
        let message = self.chain.head().next(self.partition, body);
        self.pending = Some(Pending { bytes: message.encode().into(), sent: false });
        self.push().await
    }

    /// Finds out what became of the last append; none if nothing is open. It is appended once more, as it was and on the same
    /// condition: of two such appends one can happen, whenever they arrive.
    ///
    /// # Errors
    /// As those of [`append`](Writer::append), for what was appended then.
    pub async fn settle(&mut self) -> Result<Option<Head>, Fault> {
        if let Some(ended) = &self.ended {
            return Err(ended.clone());
        }
        if self.pending.is_none() {
            return Ok(None);
        }
        self.push().await.map(Some)
    }

    fn end(&mut self, fault: Fault) -> Fault {
        self.pending = None;
        self.ended = Some(fault.clone());
        fault
    }

    fn committed(&mut self, stored: &Stored) -> Result<Head, Fault> {
        self.pending = None;
        match self.chain.take(stored) {
            Ok(_) => Ok(self.chain.head()),
            Err(broken) => Err(self.end(broken.into())),
        }
    }

    /// Appends what is pending until its fate is known, or patience ends.
    async fn push(&mut self) -> Result<Head, Fault> {
        let Some(pending) = &mut self.pending else { return Ok(self.chain.head()) };
        let (mut unsure, bytes) = (pending.sent, pending.bytes.clone());
        pending.sent = true;
        let after = self.chain.head().sequence;
        let (mut pause, mut why) = (PAUSE, String::new());
        for attempt in 0..TRIES {
            if attempt > 0 {
                self.engine.wait(pause).await;
                pause = (pause * 2).min(Duration::from_secs(1));
            }
            match self.engine.append(self.partition, after, bytes.clone()).await {
                Ok(sequence) => return self.committed(&Stored { sequence, bytes }),
                Err(NotAppended::Refused(reason)) if !unsure => {
                    self.pending = None;
                    return Err(Fault::Refused(reason));
                }
                Err(NotAppended::Refused(reason) | NotAppended::Unknown(reason)) => {
                    (unsure, why) = (true, reason);
                }
                // What comes after our last message decides, not the answer: the engine may be wrong, and an earlier try of
                // ours may be what stands there.
                Err(NotAppended::Behind) => match self.engine.read(self.partition, after, 1).await {
                    Ok(found) => {
                        if let Some(next) = found.first() {
                            return self.decide(next, &bytes);
                        }
                        (unsure, why) = (true, "the log has moved on, and does not show by what".to_owned());
                    }
                    Err(Unreachable(reason)) => (unsure, why) = (true, reason),
                },
            }
        }
        Err(Fault::Unsettled(why))
    }

    /// What became of what we appended, by what stands at its place.
    fn decide(&mut self, next: &Stored, ours: &Bytes) -> Result<Head, Fault> {
        if Hash::of(&next.bytes) == Hash::of(ours) {
            return self.committed(next);
        }
        let fault = match self.chain.clone().take(next) {
            Ok(_) => Fault::Superseded(self.partition),
            Err(broken) => broken.into(),
        };
        Err(self.end(fault))
    }
}

#[cfg(test)]
mod tests;
