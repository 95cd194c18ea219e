//! Those who play go first. Their sockets are served on the threads that the server was started on; whoever comes, looks
//! around or watches is served on threads of their own, which the system lets wait where both have something to do. So
//! however many strangers come at once, and whatever they ask, a move does not queue behind them.

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::io;
use std::pin::pin;
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::JoinHandle;

/// The threads of those who play, and of all others.
pub struct Precedence {
    players: Handle,
    /// Always there, until this is dropped.
    others: Option<Runtime>,
}

impl Precedence {
    /// Those who play have the threads that this is called on, if connections are served there; others have half as many.
    ///
    /// # Errors
    /// If the system gives no threads.
    pub fn new() -> io::Result<Precedence> {
        let here = Handle::try_current().ok();
        let threads = here.as_ref().map_or(1, |players| players.metrics().num_workers());
        let mut others = Builder::new_multi_thread();
        others.worker_threads(threads.div_ceil(2)).thread_name("parlour-others").on_thread_start(stand_back);
        let others = others.enable_all().build()?;
        Ok(Precedence { players: here.unwrap_or_else(|| others.handle().clone()), others: Some(others) })
    }

    /// The threads of those who do not play.
    pub fn others(&self) -> &Handle {
        self.others.as_ref().map_or(&self.players, Runtime::handle)
    }

    /// Does something for somebody: on which threads says whether they play.
    pub fn serve<F: Future<Output: Send> + Send + 'static>(
        &self,
        plays: bool,
        what: F,
    ) -> JoinHandle<F::Output> {
        if plays { self.players.spawn(what) } else { self.others().spawn(what) }
    }
}

impl Drop for Precedence {
    fn drop(&mut self) {
        // Nobody is left to wait for; and this may be called where nothing may wait.
        if let Some(others) = self.others.take() {
            others.shutdown_background();
        }
    }
}

/// How long strangers are served before whoever waits for the processor has it.
const A_LITTLE: Duration = Duration::from_micros(20);

/// Does something, and leaves the processor to whoever waits for it now and then. The system would let even a thread that
/// stands back go on for some milliseconds once it runs.
pub async fn a_little_at_a_time<F: Future>(what: F) -> F::Output {
    thread_local!(static SINCE: Cell<Instant> = Cell::new(Instant::now()));
    let mut what = pin!(what);
    poll_fn(|context| {
        let done = what.as_mut().poll(context);
        if SINCE.get().elapsed() >= A_LITTLE {
            std::thread::yield_now();
            SINCE.set(Instant::now());
        }
        done
    })
    .await
}

/// Lets this thread run when no other wants the processor as much. Where the system has no such thing, all are alike.
fn stand_back() {
    #[cfg(target_os = "linux")]
    // Of this thread alone, on Linux. It is never refused: everybody may wait longer.
    let _ = rustix::process::setpriority_process(None, BEHIND);
}

/// How far behind: they get a quarter of a processor where those who play could use it whole.
#[cfg(target_os = "linux")]
const BEHIND: i32 = 5;

#[cfg(test)]
mod tests {
    use super::*;

    /// How far the thread stands back that does something for somebody.
    async fn behind(precedence: &Precedence, plays: bool) -> Option<String> {
        let look = || std::fs::read_to_string("/proc/thread-self/stat").ok();
        let stat = precedence.serve(plays, async move { look() }).await.expect("no panic");
        // The nineteenth field; the second, a name in brackets, may hold anything (proc_pid_stat(5)).
        let fields = stat?;
        fields.rsplit_once(") ")?.1.split(' ').nth(16).map(str::to_owned)
    }

    #[tokio::test]
    #[cfg(target_os = "linux")]
    async fn strangers_stand_back_and_those_who_play_do_not() {
        let precedence = Precedence::new().expect("threads");
        let own = rustix::process::getpriority_process(None).expect("it has one");
        assert_eq!(behind(&precedence, true).await, Some(own.to_string()));
        assert_eq!(behind(&precedence, false).await, Some(BEHIND.to_string()));
    }

    #[tokio::test]
    async fn it_ends_where_nothing_may_wait() {
        let precedence = Precedence::new().expect("threads");
        let endless = precedence.serve(false, std::future::pending::<()>());
        drop(precedence);
        assert!(endless.await.is_err(), "what strangers wanted is broken off");
    }

    #[test]
    fn without_other_threads_all_are_served_on_theirs() {
        let precedence = Precedence::new().expect("threads");
        let done = precedence.serve(true, async { 7 });
        assert_eq!(precedence.others().block_on(done).expect("no panic"), 7);
    }
}
