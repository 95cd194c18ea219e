//! Hosting a partition: taking it over, writing what is handed over, and giving it away.

use super::{Cooling, Inner, PATIENCE, lock};
use crate::bus::Bus;
use crate::engine::{Engine, Stored};
use crate::house::{Hosting, JOINED, NO_ANSWER, Outcome, Told, Work};
use crate::message::{Body, MOST_BODY, Partition};
use crate::node::follow;
use crate::writer::{Fault, Host, Writer};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{Instant, sleep, timeout};

/// How long it may be unknown whether something is in the log before those who wait are told so: their clocks stand from then on.
const QUIET: Duration = Duration::from_millis(800);
/// Most changes in one message.
const TOGETHER: usize = 4096;

/// Changes that are written together.
#[derive(Default)]
struct Batch {
    changes: Vec<Vec<u8>>,
    told: Vec<Told>,
    /// Nothing is to be written: another host has taken over.
    replaced: bool,
}

impl Batch {
    fn tell(&mut self, outcome: &Outcome) {
        self.told.drain(..).for_each(|told| told(outcome.clone()));
    }
}

/// What was handed over and is not written.
struct Queue {
    coming: UnboundedReceiver<Work>,
    /// What did not fit any more.
    next: VecDeque<Work>,
    /// See [`Hosting`].
    settled: Arc<AtomicBool>,
}

impl Queue {
    /// Waits for something to write, and takes all that fits into a message. None when nothing more will come.
    async fn batch(&mut self) -> Option<Batch> {
        let first = match self.next.pop_front() {
            Some(work) => work,
            None => self.coming.recv().await?,
        };
        let mut batch = Batch::default();
        let mut room = MOST_BODY - JOINED;
        let mut coming = Some(first);
        while let Some(work) = coming.take() {
            match work {
                Work::End if batch.changes.is_empty() => return None,
                Work::Replaced if batch.changes.is_empty() => {
                    batch.replaced = true;
                    return Some(batch);
                }
                Work::Change(change, _, told) if change.len() + 4 > MOST_BODY - JOINED => {
                    let len = change.len();
                    told(Outcome::Refused(format!("{len} bytes are too much to be written at once")));
                }
                Work::Change(change, _, told)
                    if change.len() + 4 <= room && batch.changes.len() < TOGETHER =>
                {
                    room -= change.len() + 4;
                    batch.changes.push(change);
                    batch.told.push(told);
                }
                later => {
                    self.next.push_front(later);
                    break;
                }
            }
            coming = self.next.pop_front().or_else(|| self.coming.try_recv().ok());
        }
        Some(batch)
    }

    /// Refuses what counts only if what is not settled does, and keeps the rest. Whether there was any.
    fn refuse(&mut self) -> bool {
        let mut any = false;
        while let Ok(work) = self.coming.try_recv() {
            self.next.push_back(work);
        }
        for work in std::mem::take(&mut self.next) {
            match work {
                Work::Change(_, true, told) => {
                    any = true;
                    told(Outcome::Refused(NO_ANSWER.to_owned()));
                }
                kept => self.next.push_back(kept),
            }
        }
        any
    }

    /// It is known again what is in the log. What was handed over by those who have not heard of it yet is refused, until all
    /// have: nothing is written of which something before is missing.
    fn settle(&mut self) {
        while self.refuse() {}
        self.settled.store(true, Ordering::SeqCst);
    }

    /// Nothing more is written.
    fn close(mut self) {
        self.coming.close();
        self.next.drain(..).for_each(|work| work.tell(Outcome::Over));
        while let Ok(work) = self.coming.try_recv() {
            work.tell(Outcome::Over);
        }
    }
}

impl<E: Engine + Clone + 'static, B: Bus> Inner<E, B> {
    /// Takes a partition over and hosts it until it is given away or another node takes over.
    pub(super) async fn host(self: Arc<Self>, partition: Partition) {
        match self.take_over(partition).await {
            Ok(writer) => self.write(partition, writer).await,
            Err(why) => {
                tracing::warn!(%partition, why, "a partition could not be taken over");
                self.leave_alone(partition);
            }
        }
        lock(&self.busy).remove(&partition);
    }

    fn leave_alone(&self, partition: Partition) {
        let mut cooling = lock(&self.cooling);
        let next = Cooling::next(cooling.get(&partition).copied(), Instant::now());
        cooling.insert(partition, next);
    }

    async fn take_over(self: &Arc<Self>, partition: Partition) -> Result<Writer<E>, String> {
        let from = self.read_on(partition).await?;
        self.applied(partition, from.number).await?;
        let mut incarnation = [0; 16];
        incarnation[..8].copy_from_slice(&self.id.drawn().to_le_bytes());
        let count = self.takeovers.fetch_add(1, Ordering::Relaxed);
        incarnation[8..].copy_from_slice(&count.to_le_bytes());
        let host = Host { node: self.id.to_string(), incarnation };
        let taken = Writer::take_over(self.engine.clone(), partition, from, &host, |_| {}).await;
        let writer = taken.map_err(|fault| fault.to_string())?;
        // What others wrote meanwhile, and that it took over.
        let until = Instant::now() + PATIENCE;
        loop {
            let head = self.read_on(partition).await?;
            if head == writer.head() {
                self.applied(partition, head.number).await?;
                return Ok(writer);
            }
            if head.number >= writer.head().number {
                return Err(format!("another host has taken over {partition}"));
            }
            if Instant::now() > until {
                return Err("the log does not show what was just written".to_owned());
            }
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// Writes what is handed over, until nothing more will come or another node has taken over.
    async fn write(self: &Arc<Self>, partition: Partition, mut writer: Writer<E>) {
        let (sender, coming) = unbounded_channel();
        let settled = Arc::new(AtomicBool::new(true));
        let mut queue = Queue { coming, next: VecDeque::new(), settled: Arc::clone(&settled) };
        let hosting = Hosting { partition, queue: sender, settled };
        lock(&self.hosting).insert(partition, hosting.clone());
        self.counts.taken.fetch_add(1, Ordering::Relaxed);
        self.blocking(move |house| house.gained(hosting)).await;
        lock(&self.members).hosts(partition, writer.head().number);
        self.changed.notify_waiters();
        self.beat.notify_one();
        let mut ended = None;
        while let Some(batch) = queue.batch().await {
            if batch.replaced {
                ended = Some(Fault::Superseded(partition).to_string());
                break;
            }
            if !batch.changes.is_empty()
                && let Err(why) = self.write_batch(partition, &mut writer, batch, &mut queue).await
            {
                ended = Some(why);
                break;
            }
        }
        queue.close();
        if let Some(why) = ended {
            // Nobody has given it away: those who are there are told.
            self.counts.superseded.fetch_add(1, Ordering::Relaxed);
            tracing::warn!(%partition, why, "a partition is not hosted here any more");
            lock(&self.hosting).remove(&partition);
            self.leave_alone(partition);
            self.blocking(move |house| house.lost(partition)).await;
        }
        lock(&self.members).hosts_no_more(partition);
        self.changed.notify_waiters();
        self.beat.notify_one();
    }

    /// Writes one message, applies it here and tells those who wait. An error says why nothing more can be written.
    async fn write_batch(
        self: &Arc<Self>,
        partition: Partition,
        writer: &mut Writer<E>,
        mut batch: Batch,
        queue: &mut Queue,
    ) -> Result<(), String> {
        let body = self.house.join(&batch.changes);
        let message = writer.head().next(partition, Body::Batch(body.clone()));
        let mut answer = timeout(QUIET, writer.append(body)).await;
        loop {
            match answer {
                Ok(Ok(_)) => break,
                Ok(Err(fault @ (Fault::Refused(_) | Fault::Size(_)))) => {
                    batch.tell(&Outcome::Refused(format!("Moves cannot be stored: {fault}.")));
                    queue.settle();
                    return Ok(());
                }
                Ok(Err(fault @ (Fault::Superseded(_) | Fault::Broken(_)))) => {
                    batch.tell(&Outcome::Over);
                    return Err(fault.to_string());
                }
                unsure @ (Ok(Err(Fault::Unsettled(_) | Fault::Unreachable(_))) | Err(_)) => {
                    if let Ok(Err(why)) = unsure {
                        tracing::debug!(%partition, %why, "it is not known whether a message is in the log");
                    }
                    if !batch.told.is_empty() {
                        self.counts.unsettled.fetch_add(1, Ordering::Relaxed);
                        queue.settled.store(false, Ordering::SeqCst);
                        batch.tell(&Outcome::Unknown(NO_ANSWER.to_owned()));
                    }
                    queue.refuse();
                    answer = timeout(4 * QUIET, async {
                        match writer.settle().await {
                            Ok(Some(head)) => Ok(head),
                            // It was settled before this was asked.
                            Ok(None) => Ok(writer.head()),
                            Err(fault) => Err(fault),
                        }
                    })
                    .await;
                }
            }
        }
        let head = writer.head();
        if head.number != message.number {
            return Err("the log has something else than what was written".to_owned());
        }
        let stored = Stored { sequence: head.sequence, bytes: message.encode().into() };
        self.counts.appended.fetch_add(1, Ordering::Relaxed);
        self.counts.changes.fetch_add(batch.changes.len() as u64, Ordering::Relaxed);
        if let Err(why) = self.bus.publish(follow::told(partition), follow::telling(&stored)).await {
            tracing::debug!(%why, "others are not told at once what was written");
        }
        let (stuck, applied) = tokio::sync::oneshot::channel();
        let told = std::mem::take(&mut batch.told);
        let then = move |is_applied: bool| {
            // It is in the log in any case.
            told.into_iter().for_each(|told| told(Outcome::Committed(head.number)));
            let _ = stuck.send(is_applied);
        };
        self.take_in(&stored, partition, then).await?;
        match applied.await {
            Ok(true) => {
                if !queue.settled.load(Ordering::SeqCst) {
                    queue.settle();
                }
                Ok(())
            }
            Ok(false) | Err(_) => Err("what is in the log cannot be stored here".to_owned()),
        }
    }

    /// Gives a partition away: what was handed over is still written.
    pub(super) async fn let_go(self: &Arc<Self>, partition: Partition) {
        let Some(hosting) = lock(&self.hosting).remove(&partition) else { return };
        // Tables save themselves a last time in this.
        self.blocking(move |house| house.lost(partition)).await;
        hosting.end();
    }

    async fn blocking(&self, f: impl FnOnce(&dyn crate::House) + Send + 'static) {
        let house = Arc::clone(&self.house);
        if let Err(broken) = tokio::task::spawn_blocking(move || f(house.as_ref())).await {
            tracing::error!(%broken, "a partition changed hands, and something broke down over it");
        }
    }
}
