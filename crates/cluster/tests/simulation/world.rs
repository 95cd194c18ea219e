//! The machines, the network between them and the engine, and what goes wrong with them.

use crate::executor::{Executor, TaskId, Time};
use bytes::Bytes;
use cluster::{Engine, Head, Memory, NotAppended, Partition, Sequence, Stored, Unreachable};
use futures_util::future::{Either, select};
use game::chance::{Chance as _, SplitMix};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

pub const NODES: usize = 3;
pub const PARTITIONS: u16 = 2;
const MS: Time = 1000;
/// How long a lease is good for, by the clock of whoever asks.
const LEASE: Time = 400 * MS;
/// How long a node waits for an answer.
const PATIENCE: Time = 150 * MS;

/// A fault of the program or of the engine that is put in on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plant {
    None,
    /// The engine appends without looking at the condition.
    NoCondition,
    /// A host that holds the lease by its own clock takes "wrong last sequence" for a mistake, and appends after whatever is last.
    LeaseBelieved,
    /// The engine says that it has appended before that is on a disk, and forgets the newest when it starts again.
    NotSynced,
}

/// What became of something that a host wrote for its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Nobody was told anything.
    Unknown,
    /// Somebody was told that it is written, at that time.
    Acknowledged(Time),
    /// Somebody was told that it is not.
    Refused,
}

/// Something that a host wrote.
pub struct Entry {
    pub partition: Partition,
    pub sent: Time,
    pub fate: Fate,
}

/// How a node stands.
#[derive(Default)]
struct Node {
    tasks: Vec<TaskId>,
    /// By how much its clock is wrong.
    clock: i64,
    /// Until when its requests do not arrive, and the answers to them.
    requests_lost: Time,
    answers_lost: Time,
    /// Until when it reads from a server that lacks the newest messages, and how many of them.
    behind: (Time, usize),
}

/// Counts of one run.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Nodes killed, stopped or cut off, clocks that jumped, leaders of the engine lost, servers behind.
    pub faults: u64,
    /// Requests and answers that were lost, late, or wrongly refused.
    pub mishaps: u64,
    pub taken_over: u64,
    /// Entries.
    pub acknowledged: u64,
    /// Batches that came too late.
    pub superseded: u64,
    /// Batches of which a living host does not know what became.
    pub unsettled: u64,
    /// Entries of which nobody was told anything; most were in the hands of hosts that were killed.
    pub unknown: u64,
}

pub struct World {
    pub chance: SplitMix,
    pub plant: Plant,
    pub counts: Counts,
    pub entries: Vec<Entry>,
    /// What was found to be against the laws.
    pub violations: Vec<String>,
    /// Everything that happened, for comparing runs.
    pub trace: String,
    /// What each node has folded and keeps on its own disk.
    pub disks: BTreeMap<(usize, Partition), (Head, BTreeSet<u64>)>,
    nodes: [Node; NODES],
    leases: BTreeMap<Partition, (usize, Time)>,
    no_leader: Time,
    calm: bool,
}

/// The world, and its clock. Copies are the same one.
#[derive(Clone)]
pub struct Sim {
    pub executor: Executor,
    pub engine: Arc<Memory>,
    world: Arc<Mutex<World>>,
}

impl Sim {
    pub fn new(seed: u64, plant: Plant) -> Sim {
        let world = World {
            chance: SplitMix(seed),
            plant,
            counts: Counts::default(),
            entries: Vec::new(),
            violations: Vec::new(),
            trace: String::new(),
            disks: BTreeMap::new(),
            nodes: Default::default(),
            leases: BTreeMap::new(),
            no_leader: 0,
            calm: false,
        };
        Sim { executor: Executor::default(), engine: Arc::default(), world: Arc::new(Mutex::new(world)) }
    }

    pub fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().expect("nobody breaks down")
    }

    pub fn below(&self, bound: u64) -> u64 {
        u64::from(self.world().chance.below(u32::try_from(bound).expect("a small number")))
    }

    pub fn note(&self, what: &str) {
        let now = self.executor.now();
        let mut world = self.world();
        world.trace.push_str(&format!("{now} {what}\n"));
    }

    pub fn violated(&self, what: String) {
        self.note(&what);
        self.world().violations.push(what);
    }

    /// What the clock of a node shows.
    fn clock(&self, node: usize) -> i64 {
        self.executor.now() as i64 + self.world().nodes[node].clock
    }

    pub fn runs(&self, node: usize, task: TaskId) {
        self.world().nodes[node].tasks.push(task);
    }

    /// Kills what runs on a node. What it has sent is on its way all the same.
    fn kill(&self, node: usize) {
        let tasks = std::mem::take(&mut self.world().nodes[node].tasks);
        tasks.into_iter().for_each(|task| self.executor.kill(task));
    }

    /// From now on nothing goes wrong.
    pub fn calm(&self) {
        for node in 0..NODES {
            self.kill(node);
        }
        let mut world = self.world();
        world.calm = true;
        world.no_leader = 0;
        world.nodes = Default::default();
    }

    /// Lets one thing go wrong, and gives the node that must be started again, and when.
    pub fn fault(&self) -> Option<(usize, Time)> {
        let now = self.executor.now();
        let node = self.below(NODES as u64) as usize;
        // Some last so long that whoever waits gives up.
        let time = (1 + self.below(1500)) * MS * if self.below(20) == 0 { 15 } else { 1 };
        let kind = self.below(8);
        self.note(&format!("fault {kind} of {node} for {time}"));
        let mut restart = None;
        let mut world = self.world();
        world.counts.faults += 1;
        match kind {
            0 => {
                drop(world);
                self.kill(node);
                restart = Some((node, time / 4));
            }
            1 => world.nodes[node].tasks.iter().for_each(|&task| self.executor.freeze(task, time)),
            2 => world.nodes[node].requests_lost = now + time,
            3 => world.nodes[node].answers_lost = now + time,
            4 => {
                world.nodes[node].requests_lost = now + time;
                world.nodes[node].answers_lost = now + time;
            }
            5 => world.nodes[node].clock += world.chance.below(20_000_000) as i64 - 10_000_000,
            6 => {
                world.no_leader = now + time;
                if world.plant == Plant::NotSynced {
                    let partition = Partition(world.chance.below(u32::from(PARTITIONS)) as u16);
                    self.engine.lose_last(partition);
                }
            }
            _ => world.nodes[node].behind = (now + time, 1 + time as usize % 5),
        }
        restart
    }

    /// One chance in `of` that something small goes wrong.
    fn mishap(&self, of: u64) -> bool {
        let happens = self.below(of) == 0 && !self.world().calm;
        self.world().counts.mishaps += u64::from(happens);
        happens
    }

    /// Asks the engine for something over the network; none if no answer comes in time. What was asked may be done all the same,
    /// now or later.
    async fn ask<T: Send + 'static>(
        &self,
        node: usize,
        what: impl FnOnce(&Sim) -> T + Send + 'static,
    ) -> Option<T> {
        let answer: Arc<Mutex<(Option<T>, Option<std::task::Waker>)>> = Arc::new(Mutex::new((None, None)));
        let (sim, slot) = (self.clone(), Arc::clone(&answer));
        // Not a task of the node: it goes on though the node is killed.
        self.executor.spawn(async move {
            let late = if sim.mishap(60) { sim.below(2000) * MS } else { 0 };
            sim.executor.sleep(200 + sim.below(3000) + late).await;
            let (now, lost, no_leader) = {
                let world = sim.world();
                (sim.executor.now(), world.nodes[node].requests_lost, world.no_leader)
            };
            if now < lost || sim.mishap(200) {
                return;
            }
            if now < no_leader {
                // What comes while there is no leader is lost, or done when there is one.
                if sim.below(2) == 0 {
                    return;
                }
                sim.executor.sleep(no_leader - now + sim.below(50) * MS).await;
            }
            let done = what(&sim);
            sim.executor.sleep(200 + sim.below(2000)).await;
            if sim.executor.now() < sim.world().nodes[node].answers_lost || sim.mishap(200) {
                return;
            }
            let waker = {
                let mut slot = slot.lock().expect("nobody breaks down");
                slot.0 = Some(done);
                slot.1.take()
            };
            waker.into_iter().for_each(std::task::Waker::wake);
        });
        let arrives = std::future::poll_fn(move |context| {
            let mut slot = answer.lock().expect("nobody breaks down");
            slot.1 = Some(context.waker().clone());
            slot.0.take().map_or(std::task::Poll::Pending, std::task::Poll::Ready)
        });
        match select(arrives, self.executor.sleep(PATIENCE)).await {
            Either::Left((answer, _)) => Some(answer),
            Either::Right(_) => None,
        }
    }

    /// Asks for the lease of a partition, and gives until when the node may believe that it has it, by its own clock.
    pub async fn lease(&self, node: usize, partition: Partition) -> Option<i64> {
        let asked = self.clock(node);
        let given = self.ask(node, move |sim| {
            let now = sim.executor.now();
            let mut world = sim.world();
            let (holder, until) = world.leases.get(&partition).copied().unwrap_or((node, 0));
            let given = holder == node || until < now;
            if given {
                world.leases.insert(partition, (node, now + LEASE));
            }
            given
        });
        given.await.unwrap_or(false).then_some(asked + LEASE as i64)
    }

    pub fn believes(&self, node: usize, lease: i64) -> bool {
        self.clock(node) < lease
    }
}

/// The engine, as one node sees it.
pub struct FromNode {
    pub sim: Sim,
    pub node: usize,
    pub lease: Arc<Mutex<i64>>,
}

impl FromNode {
    async fn append_once(
        &self,
        to: Partition,
        after: Sequence,
        message: Bytes,
    ) -> Result<Sequence, NotAppended> {
        let node = self.node;
        let appended = self.sim.ask(node, move |sim| {
            if sim.mishap(150) {
                return Err(NotAppended::Behind);
            }
            let appended = if sim.world().plant == Plant::NoCondition {
                Ok(sim.engine.force(to, message))
            } else {
                sim.engine.append_now(to, after, message)
            };
            sim.note(&format!("{to}: {node} appends after {after}: {appended:?}"));
            appended
        });
        appended.await.unwrap_or_else(|| Err(NotAppended::Unknown("no answer".to_owned())))
    }
}

impl Engine for FromNode {
    async fn append(&self, to: Partition, after: Sequence, message: Bytes) -> Result<Sequence, NotAppended> {
        let appended = self.append_once(to, after, message.clone()).await;
        let lease = *self.lease.lock().expect("nobody breaks down");
        if self.sim.world().plant == Plant::LeaseBelieved
            && appended == Err(NotAppended::Behind)
            && self.sim.believes(self.node, lease)
            && let Ok(newer) = self.read(to, after, usize::MAX).await
            && let Some(last) = newer.last()
        {
            return self.append_once(to, last.sequence, message).await;
        }
        appended
    }

    async fn read(&self, of: Partition, after: Sequence, most: usize) -> Result<Vec<Stored>, Unreachable> {
        let node = self.node;
        let read = self.sim.ask(node, move |sim| {
            let (until, behind) = sim.world().nodes[node].behind;
            let behind = if sim.executor.now() < until { behind } else { 0 };
            sim.engine.read_now(of, after, most, behind)
        });
        read.await.ok_or_else(|| Unreachable("no answer".to_owned()))
    }

    async fn wait(&self, time: Duration) {
        self.sim.executor.sleep(time.as_micros() as Time).await;
    }
}
