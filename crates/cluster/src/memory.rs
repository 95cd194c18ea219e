//! A log in memory, for tests.

use crate::engine::{Engine, NotAppended, Sequence, Stored, Unreachable};
use crate::message::Partition;
use bytes::Bytes;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

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
