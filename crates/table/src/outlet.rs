//! The way out to one socket.

use bytes::Bytes;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// Where the frames for one socket go. Called while the table is locked: must not block.
pub trait Outlet: Send + Sync {
    /// Sends a frame (UTF-8 JSON). A socket that cannot take any more closes itself.
    fn send(&self, frame: Bytes);
    /// No more frames will come: the socket sends what it has and closes.
    fn close(&self);
}

/// An outlet that keeps frames until a task sends them. A client that does not read is cut off when [`Outbox::MOST`] bytes
/// wait for it.
#[derive(Default)]
pub struct Outbox {
    inner: Mutex<Queue>,
    ready: Notify,
}

#[derive(Default)]
struct Queue {
    frames: VecDeque<Bytes>,
    bytes: usize,
    closed: bool,
}

impl Outbox {
    /// Most bytes that may wait for a client.
    pub const MOST: usize = 1 << 20;

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Moves all waiting frames to `into`, waiting for the first if there is none. False once it is closed and empty.
    pub async fn take(&self, into: &mut Vec<Bytes>) -> bool {
        loop {
            {
                let mut queue = self.lock();
                if !queue.frames.is_empty() {
                    queue.bytes = 0;
                    into.extend(queue.frames.drain(..));
                    return true;
                }
                if queue.closed {
                    return false;
                }
            }
            self.ready.notified().await;
        }
    }
}

impl Outlet for Outbox {
    fn send(&self, frame: Bytes) {
        let mut queue = self.lock();
        if queue.closed {
            return;
        }
        queue.bytes += frame.len();
        if queue.bytes > Outbox::MOST {
            queue.frames.clear();
            queue.closed = true;
        } else {
            queue.frames.push_back(frame);
        }
        let first = queue.frames.len() <= 1;
        drop(queue);
        if first {
            self.ready.notify_one();
        }
    }
    fn close(&self) {
        self.lock().closed = true;
        self.ready.notify_one();
    }
}
