//! Work that takes the processor for a while, such as reading a rule file: a few at a time, so that moves are never kept
//! waiting by it, and none for somebody who has gone.

use crate::address::ClientAddress;
use crate::limits::AtOnce;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::JoinError;

/// How long somebody waits for a place at most.
pub const PATIENCE: Duration = Duration::from_secs(3);
/// How many may wait at once.
const MOST_WAITING: usize = 100;
/// How many of one address may be worked for or wait at once.
const MOST_OF_ADDRESS: usize = 8;
/// How much is done at once that waits for the log of several servers.
const WAITING: usize = 64;

/// The places where slow work is done.
pub struct Work {
    /// Where it is done.
    places: Arc<Semaphore>,
    /// Where it is waited for.
    chairs: Semaphore,
    addresses: AtOnce<ClientAddress>,
    patience: Duration,
}

/// Why something was not done.
#[derive(Debug)]
pub enum Undone {
    /// The address has asked for much that is not done yet.
    AddressBusy,
    /// All places were taken for as long as one waits.
    HouseBusy,
    /// It panicked.
    Broken(JoinError),
}

/// Whoever work is done for.
#[derive(Clone, Default)]
pub struct Caller(Arc<AtomicBool>);

impl Caller {
    /// Whether they have hung up, so that nobody wants the work any more. Work in many parts asks between them.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Says that the caller is gone when it is dropped.
struct OnLine(Caller);

impl Drop for OnLine {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

impl Default for Work {
    /// Half of this machine's cores, so that the other half is there for the tables.
    fn default() -> Work {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Work::new((cores / 2).clamp(1, 8), PATIENCE)
    }
}

impl Work {
    /// For what waits more than it works, so that what works does not wait for it.
    pub fn waiting() -> Work {
        Work::new(WAITING, PATIENCE)
    }

    fn new(places: usize, patience: Duration) -> Work {
        Work {
            places: Arc::new(Semaphore::new(places)),
            chairs: Semaphore::new(MOST_WAITING),
            addresses: AtOnce::new(MOST_OF_ADDRESS),
            patience,
        }
    }

    /// Does `work` when a place is free. Whoever stops waiting for the answer no longer waits for a place; work that has
    /// begun hears of it.
    ///
    /// # Errors
    /// If no place was free in time, or it panicked.
    pub async fn run<T: Send + 'static>(
        &self,
        address: ClientAddress,
        work: impl FnOnce(&Caller) -> T + Send + 'static,
    ) -> Result<T, Undone> {
        let of_address = self.addresses.enter(address).ok_or(Undone::AddressBusy)?;
        let place = {
            let _chair = self.chairs.try_acquire().map_err(|_| Undone::HouseBusy)?;
            let place = tokio::time::timeout(self.patience, self.places.clone().acquire_owned()).await;
            place.ok().and_then(Result::ok).ok_or(Undone::HouseBusy)?
        };
        let on_line = OnLine(Caller::default());
        let caller = on_line.0.clone();
        let done = tokio::task::spawn_blocking(move || {
            // The place is taken until the work has ended, whoever may still wait for it.
            let _held = (place, of_address);
            work(&caller)
        });
        done.await.map_err(Undone::Broken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Asker;
    use crate::{App, Server, Settings};
    use axum::extract::State;
    use std::sync::mpsc;
    use std::time::Instant;
    use tokio::io::AsyncWriteExt;
    use tokio::sync::Notify;

    fn address(n: u8) -> ClientAddress {
        ClientAddress::of([10, 0, 0, n].into())
    }

    /// Works until nobody wants it any more; whether that came to be.
    fn until_gone(caller: &Caller) -> bool {
        let begun = Instant::now();
        while !caller.is_gone() && begun.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(1));
        }
        caller.is_gone()
    }

    #[tokio::test]
    async fn slow_work_ends_when_its_caller_is_gone() {
        let work = Arc::new(Work::new(1, PATIENCE));
        let ((begun, is_begun), (ended, is_ended)) = (mpsc::channel(), mpsc::channel());
        let running = work.clone();
        let caller = tokio::spawn(async move {
            let long = move |caller: &Caller| {
                begun.send(()).expect("heard");
                ended.send(until_gone(caller)).expect("heard");
            };
            running.run(address(1), long).await
        });
        tokio::task::spawn_blocking(move || is_begun.recv()).await.expect("no panic").expect("it begins");
        caller.abort();
        let gone = tokio::task::spawn_blocking(move || is_ended.recv()).await.expect("no panic");
        assert_eq!(gone, Ok(true), "it heard that nobody waits");
        assert_eq!(work.run(address(1), |_| 7).await.expect("the place is free"), 7);
    }

    #[tokio::test]
    async fn who_finds_no_place_is_told_so_and_who_leaves_takes_none() {
        let work = Arc::new(Work::new(1, Duration::from_millis(20)));
        let busy = work.places.clone().acquire_owned().await.expect("free");
        assert!(matches!(work.run(address(1), |_| ()).await, Err(Undone::HouseBusy)));
        // Many wait, and all leave.
        let patient = Arc::new(Work { patience: Duration::from_secs(60), ..Work::new(0, PATIENCE) });
        let wait = |n: usize| {
            let patient = patient.clone();
            let work = move |_: &Caller| panic!("nobody waits for this");
            tokio::spawn(async move { patient.run(address(n as u8), work).await })
        };
        let waiting: Vec<_> = (0..MOST_WAITING).map(|n| wait(n % 50)).collect();
        while patient.chairs.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        assert!(matches!(patient.run(address(99), |_| ()).await, Err(Undone::HouseBusy)), "none may wait");
        waiting.iter().for_each(tokio::task::JoinHandle::abort);
        for gone in waiting {
            assert!(gone.await.is_err_and(|error| error.is_cancelled()));
        }
        patient.places.add_permits(1);
        assert_eq!(patient.run(address(1), |_| 7).await.expect("free"), 7);
        drop(busy);
        assert_eq!(work.run(address(1), |_| 7).await.expect("free"), 7);
    }

    #[tokio::test]
    async fn one_address_does_not_take_all_places() {
        let work = Arc::new(Work::new(0, Duration::from_secs(60)));
        for _ in 0..MOST_OF_ADDRESS {
            let work = work.clone();
            tokio::spawn(async move { work.run(address(1), |_| ()).await });
        }
        while work.chairs.available_permits() > MOST_WAITING - MOST_OF_ADDRESS {
            tokio::task::yield_now().await;
        }
        assert!(matches!(work.run(address(1), |_| ()).await, Err(Undone::AddressBusy)));
        work.places.add_permits(1);
        assert_eq!(work.run(address(2), |_| 7).await.expect("others are served"), 7);
    }

    #[tokio::test]
    async fn who_hangs_up_is_worked_for_no_longer() {
        let data = tempfile::tempdir().expect("a folder");
        let settings = Settings { data: data.path().into(), ..Settings::default() };
        let Server(app) = Server::open(settings).expect("a new house");
        let listener = crate::listen::bind(([127, 0, 0, 1], 0).into()).expect("a port");
        let at = listener.local_addr().expect("bound");
        let begun = Arc::new(Notify::new());
        let (ended, is_ended) = mpsc::channel();
        let begins = begun.clone();
        let slow = async move |State(app): State<App>, asker: Asker| {
            app.slow(&asker, move |_, caller| {
                begins.notify_one();
                ended.send(until_gone(caller)).expect("heard");
                Ok(())
            })
            .await
        };
        let router = axum::Router::new()
            .route("/slow", axum::routing::get(slow))
            .layer(axum::middleware::from_fn_with_state(app.clone(), crate::admit::admit))
            .with_state(app.clone());
        let (_stop, stopped) = tokio::sync::watch::channel(false);
        tokio::spawn(async move { crate::listen::serve(app, router, listener, stopped).await });
        let mut stream = tokio::net::TcpStream::connect(at).await.expect("it listens");
        stream.write_all(b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n").await.expect("sent");
        begun.notified().await;
        drop(stream);
        let gone = tokio::task::spawn_blocking(move || is_ended.recv()).await.expect("no panic");
        assert_eq!(gone, Ok(true), "the work heard that its caller hung up");
    }
}
