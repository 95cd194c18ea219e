//! A log, and messages between nodes, in memory: for tests.

use crate::bus::{Bus, Heard, NoAnswer};
use crate::engine::{Engine, NotAppended, Sequence, Stored, Unreachable};
use crate::message::Partition;
use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Keeps logs in the memory of this process, and waits for nothing.
#[derive(Default)]
pub struct Memory {
    logs: Mutex<(Sequence, HashMap<Partition, Vec<Stored>>)>,
}

impl Memory {
    fn lock(&self) -> MutexGuard<'_, (Sequence, HashMap<Partition, Vec<Stored>>)> {
        self.logs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All messages of a partition.
    #[must_use]
    pub fn all(&self, of: Partition) -> Vec<Stored> {
        self.lock().1.get(&of).cloned().unwrap_or_default()
    }

    /// Appends whatever the last message is, as nobody may, and gives where it is.
    pub fn force(&self, to: Partition, message: Bytes) -> Sequence {
        let (last, logs) = &mut *self.lock();
        *last += 1;
        logs.entry(to).or_default().push(Stored { sequence: *last, bytes: message });
        *last
    }

    /// Forgets the last message of a partition, as a disk may that was not waited for.
    pub fn lose_last(&self, of: Partition) -> Option<Stored> {
        self.lock().1.get_mut(&of)?.pop()
    }

    /// [`Engine::append`], at once.
    ///
    /// # Errors
    /// If the last message is at another place.
    pub fn append_now(
        &self,
        to: Partition,
        after: Sequence,
        message: Bytes,
    ) -> Result<Sequence, NotAppended> {
        let (last, logs) = &mut *self.lock();
        let log = logs.entry(to).or_default();
        if log.last().map_or(0, |last| last.sequence) != after {
            return Err(NotAppended::Behind);
        }
        *last += 1;
        log.push(Stored { sequence: *last, bytes: message });
        Ok(*last)
    }

    /// [`Engine::read`], at once, as somebody reads who lacks the newest `behind` messages.
    #[must_use]
    pub fn read_now(&self, of: Partition, after: Sequence, most: usize, behind: usize) -> Vec<Stored> {
        let logs = self.lock();
        let Some(log) = logs.1.get(&of) else { return Vec::new() };
        let known = &log[..log.len().saturating_sub(behind)];
        let from = known.partition_point(|stored| stored.sequence <= after);
        known[from..].iter().take(most).cloned().collect()
    }
}

impl Engine for Memory {
    async fn append(&self, to: Partition, after: Sequence, message: Bytes) -> Result<Sequence, NotAppended> {
        self.append_now(to, after, message)
    }
    async fn read(&self, of: Partition, after: Sequence, most: usize) -> Result<Vec<Stored>, Unreachable> {
        Ok(self.read_now(of, after, most, 0))
    }
    async fn wait(&self, _: Duration) {}
}

/// Carries messages between nodes of one process. Each clone is the connection of one node, which can be cut.
#[derive(Clone, Default)]
pub struct MemoryBus {
    all: Arc<Mutex<Lines>>,
    /// Number of this connection.
    line: u64,
}

#[derive(Default)]
struct Lines {
    next: u64,
    /// Who listens to what, by the number of a connection.
    listeners: Vec<(u64, String, UnboundedSender<Heard>)>,
    cut: Vec<u64>,
}

impl MemoryBus {
    fn lock(&self) -> MutexGuard<'_, Lines> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Another connection.
    #[must_use]
    pub fn line(&self) -> MemoryBus {
        let mut all = self.lock();
        all.next += 1;
        MemoryBus { all: Arc::clone(&self.all), line: all.next }
    }

    /// Which connection it is.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.line
    }

    /// Cuts this connection off: nothing goes out or comes in any more, and who asks it hears that nobody is there.
    pub fn cut(&self) {
        let mut all = self.lock();
        all.cut.push(self.line);
        all.listeners.retain(|(line, ..)| *line != self.line);
    }

    fn send(&self, subject: &str, bytes: &Bytes, reply: Option<&str>) -> Result<usize, Unreachable> {
        let mut all = self.lock();
        if all.cut.contains(&self.line) {
            return Err(Unreachable("the line is cut".to_owned()));
        }
        all.listeners.retain(|(_, _, to)| !to.is_closed());
        let matches = |pattern: &str| {
            pattern.split('.').count() == subject.split('.').count()
                && pattern.split('.').zip(subject.split('.')).all(|(one, other)| one == "*" || one == other)
        };
        let heard =
            Heard { subject: subject.to_owned(), bytes: bytes.clone(), reply: reply.map(str::to_owned) };
        let to = all.listeners.iter().filter(|(_, pattern, _)| matches(pattern));
        Ok(to.filter(|(_, _, to)| to.send(heard.clone()).is_ok()).count())
    }

    fn listen(&self, subject: String) -> UnboundedReceiver<Heard> {
        let (to, from) = unbounded_channel();
        let mut all = self.lock();
        if !all.cut.contains(&self.line) {
            all.listeners.push((self.line, subject, to));
        }
        from
    }
}

impl Bus for MemoryBus {
    async fn publish(&self, subject: String, bytes: Bytes) -> Result<(), Unreachable> {
        self.send(&subject, &bytes, None).map(|_| ())
    }

    async fn subscribe(&self, subject: String) -> Result<BoxStream<'static, Heard>, Unreachable> {
        let heard = self.listen(subject);
        Ok(futures_util::stream::unfold(heard, |mut heard| async { Some((heard.recv().await?, heard)) })
            .boxed())
    }

    async fn ask(&self, subject: String, bytes: Bytes, patience: Duration) -> Result<Bytes, NoAnswer> {
        let reply = {
            let mut all = self.lock();
            all.next += 1;
            format!("reply.{}", all.next)
        };
        let mut answers = self.listen(reply.clone());
        match self.send(&subject, &bytes, Some(&reply)) {
            Ok(0) => return Err(NoAnswer::Nobody),
            Ok(_) => {}
            Err(Unreachable(why)) => return Err(NoAnswer::Late(why)),
        }
        match tokio::time::timeout(patience, answers.recv()).await {
            Ok(Some(heard)) => Ok(heard.bytes),
            Ok(None) | Err(_) => Err(NoAnswer::Late("none came in time".to_owned())),
        }
    }
}
