//! Following the partitions: each message that a host has written is applied here, after the one before it.

use super::{Inner, PATIENCE};
use crate::bus::Bus;
use crate::chain::{Broken, Chain, Head};
use crate::engine::{Engine, Stored};
use crate::members::Beat;
use crate::message::{Body, Message, PARTITIONS, Partition};
use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::{Mutex, watch};
use tokio::time::{sleep, timeout};

/// Where hosts tell what they have written.
pub(super) const TOLD_ALL: &str = "parlour.told.*";

pub(super) fn told(partition: Partition) -> String {
    format!("parlour.told.{}", partition.0)
}

/// How long something is waited for that was told, or is about to be, before it is read.
const SOON: Duration = Duration::from_millis(100);
/// Messages that are read at once.
const PAGE: usize = 256;

/// How far one partition is here.
pub(super) struct Follow {
    partition: Partition,
    /// What was taken in, and is applied or about to be.
    chain: Mutex<Chain>,
    /// Number of the last message that was applied.
    applied: watch::Sender<u64>,
    /// What was taken in could not be applied: it is to be read again.
    stuck: Arc<AtomicBool>,
    /// Something was told that could not be taken in: it is about to be read.
    missed: AtomicBool,
}

impl Follow {
    pub fn new(partition: Partition, at: Head) -> Follow {
        let (applied, _) = watch::channel(at.number);
        let chain = Mutex::new(Chain::after(partition, at));
        Follow { partition, chain, applied, stuck: Arc::default(), missed: AtomicBool::new(false) }
    }

    pub fn is_stuck(&self) -> bool {
        self.stuck.load(Ordering::Relaxed)
    }

    /// Number of the last message that was applied.
    pub fn number(&self) -> u64 {
        *self.applied.borrow()
    }
}

/// What a host tells: where a message is, and the message.
pub(super) fn telling(stored: &Stored) -> Bytes {
    [&stored.sequence.to_le_bytes(), stored.bytes.as_ref()].concat().into()
}

/// Why the log cannot be followed from here on. Where it begins later than what is known ends, it was trimmed meanwhile.
fn lacks(from: Head, broken: Broken) -> String {
    match broken {
        Broken::Number { partition, expected, found, .. }
            if found > expected && expected == from.number + 1 =>
        {
            format!(
                "the log of {partition} begins with message {found} and this node has come to {}: it was away for longer than the log is kept, or is new. Start it on a copy of another node's folder (`parlour backup`)",
                from.number
            )
        }
        broken => broken.to_string(),
    }
}

fn stored_of(bytes: &Bytes) -> Option<Stored> {
    let (sequence, _) = bytes.split_first_chunk()?;
    Some(Stored { sequence: u64::from_le_bytes(*sequence), bytes: bytes.slice(8..) })
}

impl<E: Engine + Clone + 'static, B: Bus> Inner<E, B> {
    pub(super) fn part(&self, partition: Partition) -> &Follow {
        &self.parts[usize::from(partition.0)]
    }

    /// Hands a message that was taken in to whoever applies it. To be called while the chain is held, so that the order is kept.
    fn apply(self: &Arc<Self>, head: Head, message: Message, then: impl FnOnce(bool) + Send + 'static) {
        let partition = message.partition;
        let batch = match message.body {
            Body::Batch(batch) => Some(Bytes::from(batch)),
            Body::TookOver { .. } => None,
        };
        let inner = Arc::clone(self);
        let applied = move |applied: Result<(), String>| {
            let part = inner.part(partition);
            match &applied {
                Ok(()) => {
                    inner.counts.applied.fetch_add(1, Ordering::Relaxed);
                    part.applied.send_replace(head.number);
                }
                Err(why) => {
                    // Where there is no room for one there is none for the others: it is said once.
                    let others = inner.parts.iter().any(Follow::is_stuck);
                    let before = part.stuck.swap(true, Ordering::Relaxed);
                    if !others {
                        tracing::error!(%partition, number = head.number, why, "what is in the log cannot be stored here");
                    } else if !before {
                        tracing::debug!(%partition, number = head.number, why, "nor can this");
                    }
                }
            }
            then(applied.is_ok());
        };
        self.house.apply(partition, head, batch, Box::new(applied));
    }

    /// Takes in a message that this node has written.
    pub(super) async fn take_in(
        self: &Arc<Self>,
        stored: &Stored,
        partition: Partition,
        then: impl FnOnce(bool) + Send + 'static,
    ) -> Result<(), String> {
        let mut chain = self.part(partition).chain.lock().await;
        let head = chain.head();
        if head.sequence > stored.sequence
            || head.sequence == stored.sequence && chain.confirm(stored).is_ok()
        {
            // Whoever read on has had it before, and perhaps that another host took over after it.
            let (inner, number) = (Arc::clone(self), head.number);
            tokio::spawn(async move { then(inner.is_applied(partition, number).await.is_ok()) });
            return Ok(());
        }
        let message = chain.take(stored).map_err(|broken| broken.to_string())?;
        self.apply(chain.head(), message, then);
        Ok(())
    }

    /// Reads what is in the log after what is applied here, and applies it. Gives how far that is.
    pub(super) async fn read_on(self: &Arc<Self>, partition: Partition) -> Result<Head, String> {
        let part = self.part(partition);
        let mut chain = part.chain.lock().await;
        if part.is_stuck() {
            let house = Arc::clone(&self.house);
            let place = tokio::task::spawn_blocking(move || house.place(partition)).await;
            let place = place.unwrap_or_else(|broken| Err(broken.to_string()))?;
            *chain = Chain::after(partition, place);
            part.applied.send_replace(place.number);
            part.stuck.store(false, Ordering::Relaxed);
        }
        loop {
            let from = chain.head();
            let found = self.engine.read(partition, from.sequence, PAGE).await.map_err(|e| e.to_string())?;
            if found.is_empty() {
                // It may be that what is known is not there any more.
                return Ok(from);
            }
            for stored in &found {
                let message = chain.take(stored).map_err(|broken| lacks(from, broken))?;
                self.may_be_replaced(&message);
                self.apply(chain.head(), message, |_| {});
            }
            // Not more in memory than one page.
            self.is_applied(partition, chain.head().number).await?;
        }
    }

    /// Sees whether the log says that another node hosts what this one believes to host. It would notice with its next
    /// append; until then it would answer questions, and the others would hand moves to it.
    fn may_be_replaced(&self, message: &Message) {
        if let Body::TookOver { node, .. } = &message.body
            && *node != self.id.to_string()
            && let Some(hosting) = super::lock(&self.hosting).get(&message.partition)
        {
            hosting.replaced();
        }
    }

    /// Waits until a message has been applied here.
    async fn is_applied(&self, partition: Partition, number: u64) -> Result<(), String> {
        let part = self.part(partition);
        let mut applied = part.applied.subscribe();
        let waits = async {
            loop {
                if *applied.borrow_and_update() >= number {
                    return Ok(());
                }
                if part.is_stuck() {
                    return Err("what is in the log cannot be stored on this node".to_owned());
                }
                // Being stuck is not told.
                let _ = timeout(std::time::Duration::from_millis(100), applied.changed()).await;
            }
        };
        timeout(PATIENCE, waits).await.unwrap_or_else(|_| Err("this node lags behind the log".to_owned()))
    }

    /// The same for what another node has written; if it does not come by itself it is read.
    pub(super) async fn applied(self: &Arc<Self>, partition: Partition, number: u64) -> Result<(), String> {
        if timeout(SOON, self.is_applied(partition, number)).await.is_ok_and(|applied| applied.is_ok()) {
            return Ok(());
        }
        self.read_on(partition).await?;
        self.is_applied(partition, number).await
    }

    /// Partitions of which others have told more than is applied here, or that were stuck.
    pub(super) fn behind(&self) -> Vec<Partition> {
        let heads: Vec<(Partition, u64)> = super::lock(&self.members).heads().collect();
        let behind = heads.into_iter().filter(|(partition, number)| self.part(*partition).number() < *number);
        let stuck = self.parts.iter().filter(|part| part.is_stuck()).map(|part| part.partition);
        let mut all: Vec<Partition> = behind.map(|(partition, _)| partition).chain(stuck).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The partition that is hosted here and comes after another one; after the last the first.
    pub(super) fn own_after(&self, before: Option<Partition>) -> Option<Partition> {
        let hosting = super::lock(&self.hosting);
        let later = hosting.keys().filter(|own| before.is_some_and(|before| **own > before)).min();
        later.or_else(|| hosting.keys().min()).copied()
    }

    /// Looks whether there is something in a partition that is hosted here and that this node has not written: whoever took one
    /// over without knowing that it did tells nobody. Play does not wait for that.
    pub(super) async fn look_at_own(self: &Arc<Self>, partition: Partition) -> Result<(), String> {
        let known = self.part(partition).chain.lock().await.head();
        let found = self.engine.read(partition, known.sequence, 1).await.map_err(|e| e.to_string())?;
        let Some(next) = found.first() else { return Ok(()) };
        // What this node writes itself is on its way.
        if self.part(partition).chain.lock().await.head().sequence < next.sequence {
            self.read_on(partition).await?;
        }
        Ok(())
    }

    /// Another node says what it hosts. What this one believes to host, and the other has written more to, is read: it says
    /// there that it took over, even if it has given it away by the next time that it is heard.
    pub(super) fn hosts_as_well(self: &Arc<Self>, beat: &Beat) {
        for (partition, number) in
            beat.hosts.iter().map(|(partition, number)| (Partition(*partition), *number))
        {
            let is_own = super::lock(&self.hosting).contains_key(&partition);
            if is_own && self.part(partition).number() < number {
                self.catch_up(partition);
            }
        }
    }

    /// Reads a partition in a moment, of which something was told that could not be taken in.
    fn catch_up(self: &Arc<Self>, partition: Partition) {
        if self.part(partition).missed.swap(true, Ordering::SeqCst) {
            return;
        }
        self.spawn(move |inner| async move {
            // What is being read now, and what is on its way, may well bring it.
            sleep(SOON).await;
            inner.part(partition).missed.store(false, Ordering::SeqCst);
            if let Err(why) = inner.read_on(partition).await {
                tracing::debug!(%partition, why, "what was missed could not be read at once");
            }
        });
    }

    /// Takes in what hosts tell, for ever. What does not follow was taken in before, or is read.
    pub(super) async fn follows(self: Arc<Self>, mut told: BoxStream<'static, crate::Heard>) {
        while let Some(heard) = told.next().await {
            let partition = heard.subject.rsplit('.').next().and_then(|number| number.parse().ok());
            let partition = partition.filter(|number| *number < PARTITIONS).map(Partition);
            let (Some(partition), Some(stored)) = (partition, stored_of(&heard.bytes)) else { continue };
            if super::lock(&self.hosting).contains_key(&partition) || self.part(partition).is_stuck() {
                continue;
            }
            // Whoever reads holds it, and may have read just what was there before this.
            let Ok(mut chain) = self.part(partition).chain.try_lock() else {
                self.catch_up(partition);
                continue;
            };
            if stored.sequence <= chain.head().sequence {
                continue;
            }
            match chain.take(&stored) {
                Ok(message) => self.apply(chain.head(), message, |_| {}),
                Err(_) => self.catch_up(partition),
            }
        }
    }
}
