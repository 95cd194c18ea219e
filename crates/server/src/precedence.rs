//! Those who play go first. What others want, who come, look around or watch, is done a little at a time: between two such
//! things everything that those who play have sent meanwhile is done. So however many strangers come at once, a move waits
//! for one or two of them and not for all.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Whose turn it is among those who do not play.
pub struct Precedence(Arc<Semaphore>);

/// Something that is done now. When it has ended the turn goes to somebody else, after all that is ready then.
struct Turn(Option<OwnedSemaphorePermit>);

impl Drop for Turn {
    fn drop(&mut self) {
        let permit = self.0.take();
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(async move {
                tokio::task::yield_now().await;
                drop(permit);
            });
        }
    }
}

impl Precedence {
    /// So many who do not play do something at the same time, one at least: fewer than there are threads to do it on, where
    /// there are some.
    pub fn new(at_once: usize) -> Precedence {
        Precedence(Arc::new(Semaphore::new(at_once.max(1))))
    }

    async fn turn(&self) -> Turn {
        // It is never closed.
        Turn(self.0.clone().acquire_owned().await.ok())
    }

    /// Waits for a turn, once.
    pub async fn after_those_who_play(&self) {
        drop(self.turn().await);
    }

    /// Goes on with `what` in turns, as long as `plays` does not say that it is for somebody who plays.
    pub async fn in_turns<F: Future>(&self, plays: &AtomicBool, what: F) -> F::Output {
        let mut what = pin!(what);
        loop {
            let turn = if plays.load(Ordering::Relaxed) { None } else { Some(self.turn().await) };
            if let Poll::Ready(output) = poll_fn(|context| Poll::Ready(what.as_mut().poll(context))).await {
                return output;
            }
            drop(turn);
            // Whatever `what` waits for wakes this.
            let mut woken = false;
            poll_fn(|_| if std::mem::replace(&mut woken, true) { Poll::Ready(()) } else { Poll::Pending })
                .await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// Thirty strangers come at once with three things to do each, and somebody who plays has ten moves to make.
    #[tokio::test]
    async fn a_move_waits_for_a_stranger_and_not_for_all() {
        let all = Arc::new(Precedence::new(1));
        let done = Arc::new(Mutex::new(String::new()));
        let mut tasks = tokio::task::JoinSet::new();
        for (who, things) in std::iter::repeat_n(('s', 3), 30).chain([('P', 10)]) {
            let (all, done) = (all.clone(), done.clone());
            tasks.spawn(async move {
                let plays = AtomicBool::new(who == 'P');
                let work = async {
                    for _ in 0..things {
                        done.lock().expect("whole").push(who);
                        tokio::task::yield_now().await;
                    }
                };
                all.in_turns(&plays, work).await;
            });
        }
        tasks.join_all().await;
        let done = done.lock().expect("whole").clone();
        assert_eq!(done.matches('s').count(), 90, "everybody is served: {done}");
        let last = done.rfind('P').expect("moves");
        assert!(last < 30, "between two moves a stranger or two: {done}");
    }

    #[tokio::test]
    async fn whoever_gives_up_leaves_the_turn_to_others() {
        let all = Arc::new(Precedence::new(1));
        let plays = AtomicBool::new(false);
        for _ in 0..3 {
            let never = all.in_turns(&plays, std::future::pending::<()>());
            let soon = std::time::Duration::from_millis(5);
            assert!(tokio::time::timeout(soon, never).await.is_err());
        }
        let breaks_down = {
            let all = all.clone();
            tokio::spawn(async move {
                let plays = AtomicBool::new(false);
                all.in_turns(&plays, async { panic!("by intention") }).await;
            })
        };
        assert!(breaks_down.await.is_err());
        assert_eq!(all.in_turns(&plays, async { 7 }).await, 7);
    }
}
