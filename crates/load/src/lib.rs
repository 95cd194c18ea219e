//! Plays many tables at once against a running server, as people would, over its own HTTP and WebSocket protocol, and
//! measures what that costs: moves a second, how long it takes until everybody at the table has seen a move, processor
//! time and memory of the server.
//!
//! Every player is a guest of their own with a socket of their own, and follows the match with [`wire::client`], as the
//! browser does. What they do is a bot's choice; how long a person would have thought about it is left out.
//!
//! At a table one move is made at a time: the next one when everybody there has been told of the last. So `N` tables have
//! at most `N` moves on their way.
//!
//! ```
//! use std::sync::{Arc, atomic::AtomicBool};
//! use std::time::Duration;
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A server, which would be another process.
//! let data = tempfile::tempdir()?;
//! let settings =
//!     server::Settings { listen: "127.0.0.1:0".parse()?, data: data.path().to_owned(), ..Default::default() };
//! let listeners = server::listen(&settings).await?;
//! let address = listeners.local_addr()?;
//! tokio::spawn(server::launch(settings, listeners, std::future::pending()));
//!
//! // Two tables of two people each, for a fifth of a second at 20 moves a second.
//! let plan = load::Plan {
//!     server: address,
//!     host: address.to_string(),
//!     game: wire::api::GameChoice::Preset("set-classic".to_owned()),
//!     options: serde_json::Map::new(),
//!     rules: load::rules_of(&rulebook::preset("set-classic")?, 2)?,
//!     tables: 2,
//!     seats: 2,
//!     players: 2,
//!     bot: "random".to_owned(),
//!     rate: Some(20.0),
//!     time: Duration::from_millis(200),
//!     idle: false,
//!     at_once: 2,
//!     seed: 1,
//! };
//! let measured = load::run(plan, None, Arc::new(AtomicBool::new(false)), |_| {}).await?;
//! assert_eq!((measured.tables, measured.players), (2, 4));
//! println!("{:.0} moves a second", measured.moves_per_second);
//! # Ok(())
//! # }
//! ```

mod attack;
mod http;
mod process;
mod table;

pub use attack::{ADDRESSES, Attack, Endured, Felt, Raided, Siege, besiege};
pub use process::{Process, listening_at};

use rulebook::{Loaded, Rules};
use serde::Serialize;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use wire::api::GameChoice;

/// What is to be done.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Where the server listens.
    pub server: SocketAddr,
    /// What it calls itself: the `Host` of each request.
    pub host: String,
    /// What is played, as the server is told.
    pub game: GameChoice,
    /// Options over those of the game, as the server is told.
    pub options: serde_json::Map<String, serde_json::Value>,
    /// The same game, as its bots need it.
    pub rules: Arc<Rules>,
    /// How many tables.
    pub tables: usize,
    /// Seats at each.
    pub seats: u8,
    /// How many of them have a player with a socket; bots of the server have the others.
    pub players: u8,
    /// Which bot chooses for the players, and which plays the other seats.
    pub bot: String,
    /// Moves a second of all tables together; none: as fast as they can.
    pub rate: Option<f64>,
    /// For how long, once all tables play.
    pub time: Duration,
    /// Whether the players only sit there.
    pub idle: bool,
    /// Tables that are opened at the same time.
    pub at_once: usize,
    /// Seed of the players' choices.
    pub seed: u64,
}

impl Plan {
    /// Whether the bots and the numbers of seats and players fit the game.
    ///
    /// # Errors
    /// What does not fit, in one sentence.
    pub fn check(&self) -> Result<(), Failure> {
        let no = |text: String| Err(Failure::Plan(text));
        if self.tables == 0 {
            return no("0 tables: at least one is needed".into());
        }
        if self.players == 0 || self.players > self.seats {
            return no(format!(
                "{} players at a table of {} seats: from 1 to that many",
                self.players, self.seats
            ));
        }
        if bots::make(&self.bot, &self.rules).is_none() {
            return no(format!("there is no bot `{}` for this game", self.bot));
        }
        if self.rate.is_some_and(|rate| !(rate > 0.0 && rate.is_finite())) {
            return no("the rate must be more than 0 moves a second".into());
        }
        Ok(())
    }
}

/// The rules of `game` as `seats` play them.
///
/// # Errors
/// Why they cannot, in words.
pub fn rules_of(game: &Loaded, seats: u8) -> Result<Arc<Rules>, Failure> {
    game.rules(seats).map_err(|faults| Failure::Plan(faults.to_string()))
}

/// Why nothing could be measured.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// What was asked for does not fit together.
    #[error("{0}")]
    Plan(String),
    /// The server cannot be reached.
    #[error("{server} cannot be reached: {why}")]
    Unreachable {
        /// Where it should listen.
        server: SocketAddr,
        /// Why not.
        why: String,
    },
    /// The server would not do what was asked.
    #[error("the server refused {what}: {why}")]
    Refused {
        /// What was asked for.
        what: &'static str,
        /// Its words.
        why: String,
    },
    /// It speaks otherwise than it should.
    #[error("{0}")]
    Odd(String),
}

/// What was measured.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Measured {
    /// Tables that played.
    pub tables: usize,
    /// Players with sockets, of all tables.
    pub players: usize,
    /// Seconds of measuring.
    pub seconds: f64,
    /// Commands that were accepted.
    pub moves: u64,
    /// The same a second.
    pub moves_per_second: f64,
    /// Commands that the rules refused.
    pub refused: u64,
    /// Matches that ended.
    pub games: u64,
    /// What went wrong, and how often.
    pub errors: BTreeMap<String, u64>,
    /// Milliseconds from sending a command to the moment when every player of the table had its notice.
    pub told: Option<Times>,
    /// Milliseconds from sending a command to its answer.
    pub answered: Option<Times>,
    /// What the server's process used meanwhile, where it could be seen.
    pub server: Option<Used>,
}

/// Percentiles, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Times {
    /// How many there were.
    pub count: usize,
    /// Half were faster.
    pub p50: f64,
    /// 99 of 100 were faster.
    pub p99: f64,
    /// 999 of 1000 were faster.
    pub p999: f64,
    /// The slowest.
    pub most: f64,
}

impl Times {
    /// Of times in microseconds; none of none.
    #[must_use]
    pub fn of(mut micros: Vec<u32>) -> Option<Times> {
        micros.sort_unstable();
        let last = micros.len().checked_sub(1)?;
        // The smallest that at least this share does not exceed.
        let at = |share: f64| {
            let rank = (share * micros.len() as f64).ceil() as usize;
            f64::from(micros[rank.saturating_sub(1).min(last)]) / 1000.0
        };
        Some(Times { count: micros.len(), p50: at(0.5), p99: at(0.99), p999: at(0.999), most: at(1.0) })
    }
}

impl Times {
    /// The median of each, of several; none of none.
    #[must_use]
    fn medians(all: &[Times]) -> Option<Times> {
        let of = |part: fn(&Times) -> f64| attack::median(all.iter().map(part).collect());
        let count = all.iter().map(|times| times.count).sum();
        let times = Times {
            count,
            p50: of(|t| t.p50),
            p99: of(|t| t.p99),
            p999: of(|t| t.p999),
            most: of(|t| t.most),
        };
        (count > 0).then_some(times)
    }
}

/// What the server's process used.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Used {
    /// Seconds of processor time, its own and the system's for it, while the tables played.
    pub cpu_seconds: f64,
    /// Accepted commands for each of them.
    pub moves_per_cpu_second: f64,
    /// Kibibytes in memory before the first table.
    pub kib_before: u64,
    /// Once all tables were open and their matches had begun.
    pub kib_open: u64,
    /// At the end.
    pub kib_after: u64,
    /// What a table took, its sockets included, when all were open and nobody had moved.
    pub kib_per_table: f64,
}

/// What one table tells when it is done.
#[derive(Default)]
pub(crate) struct Tally {
    pub moves: u64,
    pub refused: u64,
    pub games: u64,
    pub errors: BTreeMap<String, u64>,
    pub told: Vec<Told>,
    pub answered: Vec<u32>,
}

/// When everybody at a table was told of a move.
#[derive(Clone, Copy)]
pub(crate) struct Told {
    /// Milliseconds after the beginning, when it was sent.
    pub at: u32,
    /// Microseconds until they were told.
    pub micros: u32,
}

impl Tally {
    pub fn error(&mut self, what: impl Into<String>) {
        *self.errors.entry(what.into()).or_default() += 1;
    }

    fn merge(&mut self, other: Tally) {
        self.moves += other.moves;
        self.refused += other.refused;
        self.games += other.games;
        self.told.extend(other.told);
        self.answered.extend(other.answered);
        for (what, count) in other.errors {
            *self.errors.entry(what).or_default() += count;
        }
    }
}

/// How far the run is, for whoever shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// So many tables are open.
    Opened(usize),
    /// All play.
    Playing,
    /// An attack from so many addresses is over.
    Endured(Attack, usize),
}

/// Opens all tables, lets them play, and measures. `stop` ends it early; what was measured till then is given.
///
/// # Errors
/// If the plan does not fit, or not all tables could be opened.
pub async fn run(
    plan: Plan,
    process: Option<Process>,
    stop: Arc<AtomicBool>,
    mut show: impl FnMut(Stage),
) -> Result<Measured, Failure> {
    plan.check()?;
    let plan = Arc::new(plan);
    let before = process.as_ref().and_then(Process::kib);
    let mut tables = open_all(&plan, &stop, &mut show).await?;
    // The last frames of the opening are on their way.
    let until = Instant::now() + Duration::from_millis(1500);
    tables = attend(tables, until).await;
    let open = process.as_ref().and_then(Process::kib);
    show(Stage::Playing);
    let count = tables.len();
    let begun = Instant::now();
    let cpu = process.as_ref().and_then(Process::cpu_seconds);
    let end = begun + plan.time;
    let mut playing = tokio::task::JoinSet::new();
    for table in tables {
        let stop = stop.clone();
        playing.spawn(table.play(begun, end, stop));
    }
    // The processor time is read when the time is up, not when the last straggler is done.
    while Instant::now() < end && !stop.load(Ordering::Relaxed) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let seconds = begun.elapsed().as_secs_f64();
    let cpu = process.as_ref().and_then(Process::cpu_seconds).zip(cpu).map(|(now, then)| now - then);
    let after = process.as_ref().and_then(Process::kib);
    let mut tally = Tally::default();
    while let Some(done) = playing.join_next().await {
        match done {
            Ok(part) => tally.merge(part),
            Err(error) => tally.error(error.to_string()),
        }
    }
    let used = |((cpu, before), (open, after)): ((f64, u64), (u64, u64))| Used {
        cpu_seconds: cpu,
        moves_per_cpu_second: if cpu > 0.0 { tally.moves as f64 / cpu } else { 0.0 },
        kib_before: before,
        kib_open: open,
        kib_after: after,
        kib_per_table: open.saturating_sub(before) as f64 / count.max(1) as f64,
    };
    Ok(Measured {
        tables: count,
        players: count * usize::from(plan.players),
        seconds,
        moves: tally.moves,
        moves_per_second: tally.moves as f64 / seconds,
        refused: tally.refused,
        games: tally.games,
        server: cpu.zip(before).zip(open.zip(after)).map(used),
        errors: tally.errors,
        told: Times::of(tally.told.iter().map(|told| told.micros).collect()),
        answered: Times::of(tally.answered),
    })
}

/// Opens all tables, or as many as are open when `stop` ends it.
async fn open_all(
    plan: &Arc<Plan>,
    stop: &AtomicBool,
    show: &mut impl FnMut(Stage),
) -> Result<Vec<table::Table>, Failure> {
    let gate = Arc::new(Semaphore::new(plan.at_once.max(1)));
    let mut opening = tokio::task::JoinSet::new();
    for number in 0..plan.tables {
        let (plan, gate) = (plan.clone(), gate.clone());
        opening.spawn(async move {
            let _place = gate.acquire_owned().await;
            table::Table::open(plan, number).await
        });
    }
    let mut tables = Vec::with_capacity(plan.tables);
    while let Some(opened) = opening.join_next().await {
        tables.push(opened.map_err(|error| Failure::Odd(error.to_string()))??);
        show(Stage::Opened(tables.len()));
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(tables)
}

/// Lets the players answer what comes until then.
async fn attend(tables: Vec<table::Table>, until: Instant) -> Vec<table::Table> {
    let mut waiting = tokio::task::JoinSet::new();
    for mut table in tables {
        waiting.spawn(async move {
            table.attend(until).await;
            table
        });
    }
    let mut tables = Vec::new();
    while let Some(table) = waiting.join_next().await {
        tables.extend(table);
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_times_that_were_measured() {
        assert_eq!(Times::of(vec![]), None);
        let all = Times::of((1..=1000).rev().map(|ms| ms * 1000).collect()).expect("times");
        assert_eq!((all.count, all.p50, all.p99, all.p999, all.most), (1000, 500.0, 990.0, 999.0, 1000.0));
        let one = Times::of(vec![7000]).expect("a time");
        assert_eq!((one.p50, one.p999), (7.0, 7.0));
    }
}
