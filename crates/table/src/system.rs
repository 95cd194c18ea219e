//! The machine of a server: threads, the clock and the chance of the operating system.

use crate::{Host, Wake};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

struct Due {
    at: u64,
    whom: Weak<dyn Wake>,
}

impl PartialEq for Due {
    fn eq(&self, other: &Due) -> bool {
        self.at == other.at
    }
}
impl Eq for Due {}
impl PartialOrd for Due {
    fn partial_cmp(&self, other: &Due) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Due {
    fn cmp(&self, other: &Due) -> std::cmp::Ordering {
        self.at.cmp(&other.at)
    }
}

#[derive(Default)]
struct Bell {
    heap: Mutex<(BinaryHeap<Reverse<Due>>, bool)>,
    changed: Condvar,
    /// How often somebody was woken.
    rung: AtomicU64,
}

/// The real machine: one thread that wakes all tables, and a few that work for them.
pub struct System {
    origin: Instant,
    bell: Arc<Bell>,
    clock: JoinHandle<()>,
    workers: Mutex<Sender<Box<dyn FnOnce() + Send>>>,
}

impl System {
    /// Starts the threads: one clock and `workers` (at least 1) for slow work. They end when this is dropped.
    ///
    /// # Panics
    /// If the operating system gives no thread.
    #[must_use]
    pub fn start(workers: usize) -> System {
        let origin = Instant::now();
        let bell = Arc::new(Bell::default());
        let ringing = Arc::clone(&bell);
        let clock = std::thread::Builder::new()
            .name("parlour-clock".to_owned())
            .spawn(move || ring(&ringing, origin))
            .expect("a thread for the clock");
        let (sender, receiver) = channel::<Box<dyn FnOnce() + Send>>();
        let receiver = Arc::new(Mutex::new(receiver));
        for _ in 0..workers.max(1) {
            let receiver = Arc::clone(&receiver);
            std::thread::Builder::new()
                .name("parlour-work".to_owned())
                .spawn(move || {
                    loop {
                        let job = receiver.lock().unwrap_or_else(PoisonError::into_inner).recv();
                        let Ok(job) = job else { return };
                        if catch_unwind(AssertUnwindSafe(job)).is_err() {
                            tracing::error!("slow work for a table broke down");
                        }
                    }
                })
                .expect("a thread for slow work");
        }
        System { origin, bell, clock, workers: Mutex::new(sender) }
    }

    /// Whether the clock's thread is there. Whether it wakes anybody is to be asked of itself, with [`Host::wake`].
    #[must_use]
    pub fn clock_lives(&self) -> bool {
        !self.clock.is_finished()
    }

    /// How often the clock has woken somebody so far. Where nobody is there it hardly grows.
    #[must_use]
    pub fn wake_ups(&self) -> u64 {
        self.bell.rung.load(Ordering::Relaxed)
    }
}

fn ring(bell: &Bell, origin: Instant) {
    let mut guard = bell.heap.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if guard.1 {
            return;
        }
        let now = origin.elapsed().as_millis() as u64;
        match guard.0.peek() {
            None => guard = bell.changed.wait(guard).unwrap_or_else(PoisonError::into_inner),
            Some(Reverse(due)) if due.at > now => {
                let wait = Duration::from_millis(due.at - now);
                guard = bell.changed.wait_timeout(guard, wait).unwrap_or_else(PoisonError::into_inner).0;
            }
            Some(_) => {
                let Some(Reverse(due)) = guard.0.pop() else { continue };
                drop(guard);
                if let Some(whom) = due.whom.upgrade() {
                    bell.rung.fetch_add(1, Ordering::Relaxed);
                    // Whoever breaks down when woken is alone in that: the clock is everybody's.
                    if catch_unwind(AssertUnwindSafe(|| whom.woken())).is_err() {
                        tracing::error!("somebody broke down when woken");
                    }
                }
                guard = bell.heap.lock().unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

impl Drop for System {
    fn drop(&mut self) {
        self.bell.heap.lock().unwrap_or_else(PoisonError::into_inner).1 = true;
        self.bell.changed.notify_all();
    }
}

impl Host for System {
    fn now(&self) -> u64 {
        self.origin.elapsed().as_millis() as u64
    }
    fn unix_ms(&self) -> u64 {
        SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |d| d.as_millis() as u64)
    }
    fn random(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
        bytes
    }
    fn wake(&self, at: u64, whom: Weak<dyn Wake>) {
        let mut guard = self.bell.heap.lock().unwrap_or_else(PoisonError::into_inner);
        let sooner = guard.0.peek().is_none_or(|Reverse(first)| at < first.at);
        guard.0.push(Reverse(Due { at, whom }));
        drop(guard);
        if sooner {
            self.bell.changed.notify_one();
        }
    }
    fn work(&self, job: Box<dyn FnOnce() + Send>) {
        // The workers live as long as this sender does.
        let _ = self.workers.lock().unwrap_or_else(PoisonError::into_inner).send(job);
    }
}
