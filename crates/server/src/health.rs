//! Whether the house lives: asked of its threads, its disk and its clock themselves, for whoever watches over it.

use crate::App;
use crate::tables::Tables;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use table::{Host, Wake};
use tokio::sync::Mutex;

/// How long the disk and the clock may take over an answer.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long an answer serves: each costs a wait for the disk.
const GOOD_FOR: Duration = Duration::from_secs(2);

/// How a house is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Health {
    /// Whether the thread is there that writes.
    writer: bool,
    /// Whether the disk takes entries, or why not.
    disk: Result<(), String>,
    /// Whether the thread is there that wakes the tables.
    clock: bool,
    /// Whether the clock rings, or why not.
    rings: Result<(), String>,
    /// Whether it is a node that others may send somebody to, or why not; none where it is on its own.
    node: Option<Result<(), String>>,
}

impl Health {
    /// Asks. Blocks for as long as the disk takes, at most some seconds.
    pub fn of(tables: &Tables) -> Health {
        let (store, host) = tables.machine();
        // The threads last: what they could not do they may have died of.
        let (disk, rings) = (store.try_out(PATIENCE), rings(host));
        let node = tables.nodes().map(|nodes| nodes.trouble());
        Health { writer: store.writer_lives(), disk, clock: host.clock_lives(), rings, node }
    }

    fn is_well(&self) -> bool {
        let node = self.node.as_ref().is_none_or(Result::is_ok);
        self.writer && self.clock && self.disk.is_ok() && self.rings.is_ok() && node
    }

    fn text(&self) -> String {
        let thread = |lives| if lives { "lives" } else { "has ended: start the server again" };
        let does = |what: &str, done: &Result<(), String>| match done {
            Ok(()) => what.to_owned(),
            Err(why) => format!("no: {why}"),
        };
        let node = self.node.as_ref().map(|node| format!("node: {}\n", does("works", node)));
        format!(
            "{}\nwriter: {}\ndisk: {}\nclock: {}\nalarms: {}\n{}",
            if self.is_well() { "ok" } else { "not ok" },
            thread(self.writer),
            does("takes entries", &self.disk),
            thread(self.clock),
            does("ring", &self.rings),
            node.unwrap_or_default(),
        )
    }
}

/// Somebody who waits to be woken.
struct Sleeper(SyncSender<()>);

impl Wake for Sleeper {
    fn woken(&self) {
        let _ = self.0.try_send(());
    }
}

fn rings(host: &dyn Host) -> Result<(), String> {
    let (sender, woken) = sync_channel(1);
    let sleeper: Arc<dyn Wake> = Arc::new(Sleeper(sender));
    let whom: Weak<dyn Wake> = Arc::downgrade(&sleeper);
    host.wake(host.now(), whom);
    woken
        .recv_timeout(PATIENCE)
        .map_err(|_| format!("the clock did not ring within {} s", PATIENCE.as_secs()))
}

/// The last answer, and when it was had.
pub type Known = Mutex<Option<(Instant, Health)>>;

/// Says whether all is well: 200, and 503 else. What is not is nothing for visitors.
pub async fn show(State(app): State<App>) -> impl IntoResponse {
    let (status, text) = ask(&app).await;
    (status, text.split_inclusive('\n').next().unwrap_or_default().to_owned())
}

/// The same for those who run the server: what lives, and what does not.
pub async fn tell(State(app): State<App>) -> impl IntoResponse {
    ask(&app).await
}

async fn ask(app: &App) -> (StatusCode, String) {
    // Whoever asks meanwhile waits for the same answer.
    let mut known = app.health.lock().await;
    if known.as_ref().is_none_or(|(had, _)| had.elapsed() >= GOOD_FOR) {
        let asked = app.clone();
        let health = tokio::task::spawn_blocking(move || Health::of(&asked.tables)).await;
        *known = health.ok().map(|health| (Instant::now(), health));
    }
    match &*known {
        Some((_, health)) if health.is_well() => (StatusCode::OK, health.text()),
        Some((_, health)) => (StatusCode::SERVICE_UNAVAILABLE, health.text()),
        None => (StatusCode::SERVICE_UNAVAILABLE, "not ok\nasking broke down\n".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;
    use store::Store;

    struct Broken;

    impl Wake for Broken {
        fn woken(&self) {
            panic!("planted");
        }
    }

    /// Holds up the clock until somebody lets go.
    struct Stuck(std::sync::Mutex<std::sync::mpsc::Receiver<()>>);

    impl Wake for Stuck {
        fn woken(&self) {
            let _ = self.0.lock().expect("no panic").recv();
        }
    }

    #[test]
    fn a_house_that_stands_still_says_so() {
        let data = tempfile::tempdir().expect("a folder");
        let store = Store::open(data.path()).expect("a database");
        let tables = Tables::open(store, &crate::Settings::default()).expect("tables");
        let check = |says: &str| {
            let health = Health::of(&tables);
            assert_eq!(health.text(), says);
            assert_eq!(health.is_well(), says.starts_with("ok"));
        };
        const WELL: &str = "ok\nwriter: lives\ndisk: takes entries\nclock: lives\nalarms: ring\n";
        check(WELL);
        // Whoever breaks down when woken takes nobody along.
        let (_, host) = tables.machine();
        let broken: Arc<dyn Wake> = Arc::new(Broken);
        host.wake(host.now(), Arc::downgrade(&broken));
        check(WELL);
        let (let_go, held) = channel();
        let stuck: Arc<dyn Wake> = Arc::new(Stuck(std::sync::Mutex::new(held)));
        host.wake(host.now(), Arc::downgrade(&stuck));
        check(
            "not ok\nwriter: lives\ndisk: takes entries\nclock: lives\nalarms: no: the clock did not ring within 2 s\n",
        );
        let_go.send(()).expect("it waits");
        check(WELL);
    }
}
