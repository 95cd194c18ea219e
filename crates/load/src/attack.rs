//! What strangers could do to a server, and what an honest player feels of it.
//!
//! People play at a few tables, at an even pace. Every round has three windows of the same length: nothing else happens;
//! the strangers do what they do to a listener of our own that does nothing; they do it to the server. How much longer the
//! players wait in the third than in the first is what the attack costs them; the second shows how much of that is the
//! strangers' own use of the machine. Strangers are few, end with their window, and stand back for everybody else on the
//! processor.

mod dummy;
mod raid;

use crate::process::Process;
use crate::table::Table;
use crate::{Failure, Plan, Stage, Tally, Times, open_all};
use raid::Raid;
pub use raid::Raided;
use serde::Serialize;
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Something that strangers do to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Attack {
    /// Pings without end on sockets.
    Pings,
    /// A message of empty fragments without end.
    Fragments,
    /// Asking for a fresh view again and again.
    Resyncs,
    /// Opening sockets and closing them.
    Sockets,
    /// Reading the lobby again and again.
    Lobby,
    /// Messages as long as they may be that mean nothing.
    Garbage,
    /// Asking and never reading the answers.
    Unread,
    /// Requests that are never finished.
    HalfOpen,
}

impl Attack {
    /// All of them.
    pub const ALL: [Attack; 8] = [
        Attack::Pings,
        Attack::Fragments,
        Attack::Resyncs,
        Attack::Sockets,
        Attack::Lobby,
        Attack::Garbage,
        Attack::Unread,
        Attack::HalfOpen,
    ];

    /// Its name, as it is asked for.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Attack::Pings => "pings",
            Attack::Fragments => "fragments",
            Attack::Resyncs => "resyncs",
            Attack::Sockets => "sockets",
            Attack::Lobby => "lobby",
            Attack::Garbage => "garbage",
            Attack::Unread => "unread",
            Attack::HalfOpen => "half-open",
        }
    }
}

impl FromStr for Attack {
    type Err = String;

    fn from_str(text: &str) -> Result<Attack, String> {
        let names = || Attack::ALL.map(Attack::name).join(", ");
        let found = Attack::ALL.into_iter().find(|attack| attack.name() == text);
        found.ok_or_else(|| format!("there is no attack `{text}`: {}", names()))
    }
}

/// From how many addresses each attack comes, one after the other.
pub const ADDRESSES: [usize; 2] = [1, 200];
/// Between two windows, for what is still on its way.
const PAUSE: Duration = Duration::from_millis(700);
/// How often somebody who plays comes back with another socket.
const COMES_BACK: Duration = Duration::from_millis(250);
/// Where they come from: whom the server takes for the strangers must be others.
const COMER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

/// What is to be done.
#[derive(Clone, Debug)]
pub struct Siege {
    /// Who plays meanwhile, and at which pace; its time does not count.
    pub honest: Plan,
    /// What is done to the server.
    pub attacks: Vec<Attack>,
    /// Length of each window.
    pub window: Duration,
    /// How often each attack is tried: an odd number has a median.
    pub rounds: usize,
}

impl Siege {
    /// Whether this may be done: strangers do this to a server of one's own only.
    ///
    /// # Errors
    /// Why not, in one sentence.
    pub fn check(&self) -> Result<(), Failure> {
        self.honest.check()?;
        let IpAddr::V4(address) = self.honest.server.ip() else {
            return Err(Failure::Plan(
                "attacks come from many addresses of this machine, which only IPv4 has: name the server by 127.0.0.1"
                    .into(),
            ));
        };
        if !address.is_loopback() {
            return Err(Failure::Plan(format!(
                "{address} is not this machine: attacks are made on a server of one's own, at 127.0.0.1, and on no other"
            )));
        }
        if self.honest.rate.is_none() || self.rounds == 0 || self.attacks.is_empty() {
            return Err(Failure::Plan(
                "an attack needs players at an even pace, and a round at least".into(),
            ));
        }
        Ok(())
    }
}

/// What the players felt of one attack.
#[derive(Clone, Debug, Serialize)]
pub struct Felt {
    /// Which.
    pub attack: Attack,
    /// From how many addresses.
    pub addresses: usize,
    /// Until everybody at the table was told of a move, in the windows where nothing else happened.
    pub quiet: Times,
    /// While the strangers were busy elsewhere on this machine.
    pub elsewhere: Times,
    /// Under attack.
    pub attacked: Times,
    /// The median of the rounds' ratios of the 99th percentiles, under attack and quiet.
    pub ratio: f64,
    /// The same, with the strangers elsewhere.
    pub ratio_elsewhere: f64,
    /// Until somebody who plays was welcome again on another socket, quiet and under attack.
    pub back: (Option<Times>, Option<Times>),
    /// How often they were not, within two seconds.
    pub kept_out: usize,
    /// What the strangers got done, in all rounds.
    pub strangers: Raided,
    /// Seconds of processor time a second that the server used, quiet and under attack, where it could be seen.
    pub server_load: Option<(f64, f64)>,
}

/// What a siege brought to light.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Endured {
    /// Each attack.
    pub felt: Vec<Felt>,
    /// What went wrong for those who played.
    pub errors: BTreeMap<String, u64>,
}

/// What happens in a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Condition {
    Quiet,
    Elsewhere,
    Attacked,
}

/// A stretch of time, and what was seen of the server and of the strangers in it.
struct Window {
    attack: Attack,
    addresses: usize,
    condition: Condition,
    begun: Instant,
    ended: Instant,
    cpu: Option<f64>,
    raided: Raided,
}

/// Lets people play, and strangers attack. `stop` ends it early; `show` is told how far it is.
///
/// # Errors
/// If it may not be done, or the tables could not be opened.
pub async fn besiege(
    siege: Siege,
    process: Option<Process>,
    stop: Arc<AtomicBool>,
    mut show: impl FnMut(Stage),
) -> Result<Endured, Failure> {
    siege.check()?;
    let plan = Arc::new(siege.honest.clone());
    let tables = open_all(&plan, &stop, &mut show).await?;
    let targets: Vec<String> = tables.iter().map(|table| table.id().to_owned()).collect();
    let player = tables.first().map(Table::door);
    show(Stage::Playing);
    let done = Arc::new(AtomicBool::new(false));
    let begun = Instant::now();
    let end = begun + Duration::from_secs(86_400);
    let mut playing = tokio::task::JoinSet::new();
    for table in tables {
        playing.spawn(table.play(begun, end, done.clone()));
    }
    let coming = tokio::spawn(come_back(plan.clone(), player, done.clone()));
    let dummy = dummy::start().map_err(|error| Failure::Odd(format!("no listener of our own: {error}")))?;
    tokio::time::sleep(PAUSE).await;
    let mut windows = vec![];
    'all: for &attack in &siege.attacks {
        for addresses in ADDRESSES {
            for _ in 0..siege.rounds {
                for condition in [Condition::Quiet, Condition::Elsewhere, Condition::Attacked] {
                    if stop.load(Ordering::Relaxed) {
                        break 'all;
                    }
                    let raid = match condition {
                        Condition::Quiet => None,
                        Condition::Elsewhere => Some(dummy.address),
                        Condition::Attacked => Some(plan.server),
                    };
                    let raid = raid.map(|target| Raid {
                        attack,
                        target,
                        host: plan.host.clone(),
                        tables: targets.clone(),
                        addresses,
                    });
                    windows.push(window(&siege, attack, addresses, condition, raid, process).await?);
                    tokio::time::sleep(PAUSE).await;
                }
            }
            show(Stage::Endured(attack, addresses));
        }
    }
    done.store(true, Ordering::Relaxed);
    let mut tally = Tally::default();
    while let Some(played) = playing.join_next().await {
        match played {
            Ok(part) => tally.merge(part),
            Err(error) => tally.error(error.to_string()),
        }
    }
    let came = coming.await.map_err(|error| Failure::Odd(error.to_string()))?;
    let felt = felt(&siege, &windows, begun, &tally.told, &came);
    Ok(Endured { felt, errors: tally.errors })
}

async fn window(
    siege: &Siege,
    attack: Attack,
    addresses: usize,
    condition: Condition,
    raid: Option<Raid>,
    process: Option<Process>,
) -> Result<Window, Failure> {
    let cpu = || process.as_ref().and_then(Process::cpu_seconds);
    let (before, begun) = (cpu(), Instant::now());
    let end = begun + siege.window;
    let raiding = raid.map(|raid| tokio::task::spawn_blocking(move || raid.run(end)));
    tokio::time::sleep_until(end.into()).await;
    let (after, ended) = (cpu(), Instant::now());
    let raided = match raiding {
        Some(raiding) => raiding.await.map_err(|error| Failure::Odd(error.to_string()))?,
        None => Raided::default(),
    };
    let cpu = after.zip(before).map(|(after, before)| after - before);
    Ok(Window { attack, addresses, condition, begun, ended, cpu, raided })
}

/// When somebody who plays came with another socket, and how many microseconds later they were welcome.
type Came = Vec<(Instant, Option<u32>)>;

/// Somebody who plays comes back again and again with another socket.
async fn come_back(plan: Arc<Plan>, door: Option<(String, String)>, done: Arc<AtomicBool>) -> Came {
    let mut came = vec![];
    let Some((table, cookie)) = door else { return came };
    let mut due = tokio::time::interval(COMES_BACK);
    while !done.load(Ordering::Relaxed) {
        due.tick().await;
        let begun = Instant::now();
        let welcome = raid::be_welcome(COMER, plan.server, &plan.host, &table, &cookie);
        let welcome = tokio::time::timeout(Duration::from_secs(2), welcome).await;
        let micros = u32::try_from(begun.elapsed().as_micros()).unwrap_or(u32::MAX);
        came.push((begun, matches!(welcome, Ok(Ok(()))).then_some(micros)));
    }
    came
}

/// What was felt of each attack.
fn felt(
    siege: &Siege,
    windows: &[Window],
    begun: Instant,
    told: &[crate::Told],
    came: &[(Instant, Option<u32>)],
) -> Vec<Felt> {
    let within = |window: &Window| {
        let (from, to) = (window.begun - begun, window.ended - begun);
        let told =
            told.iter().filter(move |told| (from..to).contains(&Duration::from_millis(told.at.into())));
        Times::of(told.map(|told| told.micros).collect())
    };
    let pooled = |windows: &[&Window]| -> Option<Times> {
        let all: Vec<Times> = windows.iter().filter_map(|window| within(window)).collect();
        Times::medians(&all)
    };
    let mut felt = vec![];
    for &attack in &siege.attacks {
        for addresses in ADDRESSES {
            let of = |condition| -> Vec<&Window> {
                let same =
                    |w: &&Window| (w.attack, w.addresses, w.condition) == (attack, addresses, condition);
                windows.iter().filter(same).collect()
            };
            let [quiet, elsewhere, attacked] =
                [Condition::Quiet, Condition::Elsewhere, Condition::Attacked].map(of);
            let ratio = |to: &[&Window]| {
                let both = quiet.iter().zip(to).filter_map(|(q, t)| within(q).zip(within(t)));
                median(both.map(|(quiet, to)| to.p99 / quiet.p99).collect())
            };
            let (Some(q), Some(e), Some(a)) = (pooled(&quiet), pooled(&elsewhere), pooled(&attacked)) else {
                continue;
            };
            let back = |windows: &[&Window]| -> Vec<Option<u32>> {
                let within = |at: &Instant| windows.iter().any(|w| (w.begun..w.ended).contains(at));
                came.iter().filter(|(at, _)| within(at)).map(|(_, micros)| *micros).collect()
            };
            let load = |windows: &[&Window]| {
                let seconds: f64 = windows.iter().map(|w| (w.ended - w.begun).as_secs_f64()).sum();
                windows.iter().map(|w| w.cpu).sum::<Option<f64>>().map(|cpu| cpu / seconds)
            };
            let (before, under) = (back(&quiet), back(&attacked));
            felt.push(Felt {
                attack,
                addresses,
                ratio: ratio(&attacked),
                ratio_elsewhere: ratio(&elsewhere),
                quiet: q,
                elsewhere: e,
                attacked: a,
                kept_out: under.iter().filter(|micros| micros.is_none()).count(),
                back: (
                    Times::of(before.into_iter().flatten().collect()),
                    Times::of(under.into_iter().flatten().collect()),
                ),
                strangers: attacked.iter().map(|window| window.raided).sum(),
                server_load: load(&quiet).zip(load(&attacked)),
            });
        }
    }
    felt
}

/// The middle one; of an even number, the smaller of the two.
pub(crate) fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get(all.len().saturating_sub(1) / 2).copied().unwrap_or(f64::NAN)
}

/// Address number `n` of the strangers: 127.1.0.1 and so on, all of this machine.
fn stranger(n: usize) -> Ipv4Addr {
    Ipv4Addr::from(u32::from(Ipv4Addr::new(127, 1, 0, 1)) + n as u32)
}

/// Where a stranger's connection comes from and goes to.
fn local(from: Ipv4Addr) -> SocketAddr {
    SocketAddr::new(from.into(), 0)
}
