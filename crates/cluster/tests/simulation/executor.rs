//! Runs futures one after another, in the same order every time, on a clock of its own: time passes when nobody has anything to
//! do, and at once.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Wake, Waker};

/// Microseconds.
pub type Time = u64;
pub type TaskId = u64;
type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

#[derive(Default)]
struct Inner {
    now: Time,
    next: u64,
    ready: VecDeque<TaskId>,
    timers: BinaryHeap<Reverse<(Time, u64)>>,
    sleepers: BTreeMap<u64, Waker>,
    born: Vec<(TaskId, Task)>,
    killed: Vec<TaskId>,
    frozen: BTreeMap<TaskId, Time>,
}

/// What runs the futures; copies are the same one.
#[derive(Clone, Default)]
pub struct Executor(Arc<Mutex<Inner>>);

struct ToTask(TaskId, Executor);

impl Wake for ToTask {
    fn wake(self: Arc<Self>) {
        self.1.lock().ready.push_back(self.0);
    }
}

/// Ends when the clock shows this.
pub struct Sleep {
    until: Time,
    executor: Executor,
    registered: bool,
}

impl Future for Sleep {
    type Output = ();
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut inner = self.executor.lock();
        if inner.now >= self.until {
            return Poll::Ready(());
        }
        if !self.registered {
            inner.sleeper(self.until, context.waker().clone());
            drop(inner);
            self.registered = true;
        }
        Poll::Pending
    }
}

impl Inner {
    fn sleeper(&mut self, until: Time, waker: Waker) {
        self.next += 1;
        let id = self.next;
        self.timers.push(Reverse((until, id)));
        self.sleepers.insert(id, waker);
    }
}

impl Executor {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().expect("nobody breaks down")
    }

    pub fn now(&self) -> Time {
        self.lock().now
    }

    pub fn sleep(&self, time: Time) -> Sleep {
        Sleep { until: self.now() + time, executor: self.clone(), registered: false }
    }

    pub fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) -> TaskId {
        let mut inner = self.lock();
        inner.next += 1;
        let id = inner.next;
        inner.born.push((id, Box::pin(task)));
        inner.ready.push_back(id);
        id
    }

    /// The task stops where it is, for good.
    pub fn kill(&self, task: TaskId) {
        self.lock().killed.push(task);
    }

    /// The task does nothing for a while, and knows nothing of it.
    pub fn freeze(&self, task: TaskId, time: Time) {
        let mut inner = self.lock();
        let until = inner.now + time;
        inner.frozen.insert(task, until);
    }

    /// Runs everything until the clock shows `end`.
    pub fn run(&self, end: Time) {
        let mut tasks: BTreeMap<TaskId, (Task, Waker)> = BTreeMap::new();
        loop {
            let next = {
                let mut inner = self.lock();
                for (id, task) in std::mem::take(&mut inner.born) {
                    tasks.insert(id, (task, Arc::new(ToTask(id, self.clone())).into()));
                }
                for id in std::mem::take(&mut inner.killed) {
                    tasks.remove(&id);
                    inner.frozen.remove(&id);
                }
                inner.ready.pop_front()
            };
            let Some(id) = next else {
                if !self.advance(end) {
                    return;
                }
                continue;
            };
            let Some((task, waker)) = tasks.get_mut(&id) else { continue };
            {
                let mut inner = self.lock();
                let now = inner.now;
                if let Some(&until) = inner.frozen.get(&id) {
                    if until > now {
                        inner.sleeper(until, waker.clone());
                        continue;
                    }
                    inner.frozen.remove(&id);
                }
            }
            if task.as_mut().poll(&mut Context::from_waker(waker)).is_ready() {
                tasks.remove(&id);
            }
        }
    }

    /// Goes on to the next time at which something happens.
    fn advance(&self, end: Time) -> bool {
        let mut inner = self.lock();
        let Some(&Reverse((at, id))) = inner.timers.peek() else { return false };
        if at > end {
            return false;
        }
        inner.timers.pop();
        inner.now = inner.now.max(at);
        let waker = inner.sleepers.remove(&id);
        drop(inner);
        waker.into_iter().for_each(Waker::wake);
        true
    }
}
