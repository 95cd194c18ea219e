//! A cluster in this process: nodes that can be killed, clients that write down what they do and are told, and the laws that all
//! of it is judged by.

use crate::history::{Answered, Asked, History, Judged, Register};
use crate::registers::{Answer, Change, Part, Plant, Question, Registers, changes, changes_of};
use cluster::{Bus, Chain, Engine, Head, Node, NodeId, Partition, read_on};
use game::chance::{Chance as _, SplitMix};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tokio::runtime::{Handle, Runtime};
use tokio::time::sleep;

/// Where nodes find the engine.
pub trait Site: Send + Sync + 'static {
    type Engine: Engine + Clone + 'static;
    type Bus: Bus;
    /// Connects the node of this number; none if it cannot be at the moment.
    fn connect(&self, node: usize) -> impl Future<Output = Option<(Self::Engine, Self::Bus)>> + Send;
}

/// What a node runs on. All that it does ends with it, as with a process that is killed.
struct Process(Option<Runtime>);

impl Process {
    fn start() -> Process {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        Process(Some(runtime.expect("a runtime")))
    }

    fn handle(&self) -> Handle {
        self.0.as_ref().expect("it runs").handle().clone()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

struct Running<S: Site> {
    node: Node<S::Engine, S::Bus>,
    house: Arc<Registers>,
    process: Process,
}

/// A node that runs, its house, and what it runs on.
type Reached<S> = (Node<<S as Site>::Engine, <S as Site>::Bus>, Arc<Registers>, Handle);

/// Something that was acknowledged.
#[derive(Clone, Copy, Debug)]
pub struct Acknowledged {
    pub at: Instant,
    pub partition: Partition,
    /// Of the change; 0 if nothing was changed.
    id: usize,
    /// The message in which it was said to be.
    number: Option<u64>,
}

pub struct World<S: Site> {
    pub site: S,
    plant: Plant,
    nodes: Vec<Mutex<Option<Running<S>>>>,
    pub history: History,
    acknowledged: Mutex<Vec<Acknowledged>>,
    /// Laws that were broken meanwhile.
    broken: Mutex<Vec<String>>,
    /// Registers are used for a while: so no history becomes long.
    chapter: AtomicU32,
    done: AtomicBool,
    /// How many nodes were started.
    started: AtomicU32,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("nobody breaks down")
}

/// What was found when all was over.
#[derive(Debug, Default)]
pub struct Found {
    pub judged: Judged,
    pub acknowledged: usize,
    /// What is wrong with the log, or with what houses have made of it.
    pub broken: Vec<String>,
}

impl Found {
    pub fn is_clean(&self) -> bool {
        self.judged.wrong.is_empty() && self.broken.is_empty()
    }
}

impl<S: Site> World<S> {
    /// A cluster of so many nodes, all of which host their share.
    pub async fn open(site: S, nodes: usize, plant: Plant) -> Arc<World<S>> {
        let world = Arc::new(World {
            site,
            plant,
            nodes: (0..nodes).map(|_| Mutex::new(None)).collect(),
            history: History::default(),
            acknowledged: Mutex::default(),
            broken: Mutex::default(),
            chapter: AtomicU32::new(0),
            done: AtomicBool::new(false),
            started: AtomicU32::new(0),
        });
        let starts = (0..nodes).map(|number| world.start(number, Registers::new(plant)));
        futures_util::future::join_all(starts).await;
        world.settled().await;
        world
    }

    /// Starts a node; tries again while the engine does not answer.
    pub async fn start(self: &Arc<Self>, number: usize, house: Registers) {
        let began = Instant::now();
        let house = Arc::new(house);
        loop {
            let process = Process::start();
            let (world, its_house) = (Arc::clone(self), Arc::clone(&house));
            let drawn = self.started.fetch_add(1, Ordering::Relaxed);
            let joined = process.handle().spawn(async move {
                let (engine, bus) = world.site.connect(number).await.ok_or("the engine does not answer")?;
                let id = NodeId::new(&format!("node-{number}"), u64::from(drawn))?;
                let node = Node::join(id, "key".to_owned(), engine, bus, its_house).await;
                node.map_err(|why| why.to_string())
            });
            match joined.await.expect("nobody breaks down") {
                Ok(node) => {
                    let opened = node.clone();
                    process.handle().spawn(async move { opened.open() }).await.expect("it opens");
                    *lock(&self.nodes[number]) = Some(Running { node, house, process });
                    return;
                }
                Err(why) if began.elapsed() > Duration::from_secs(90) => panic!("no node: {why}"),
                Err(_) => sleep(Duration::from_millis(100)).await,
            }
        }
    }

    /// Kills a node. Gives what is left on its disk.
    pub fn kill(&self, number: usize) -> Option<Registers> {
        let running = lock(&self.nodes[number]).take()?;
        drop(running.process);
        Some(running.house.remains())
    }

    /// A node ends in good order.
    pub async fn leave(&self, number: usize) -> Option<Registers> {
        let running = lock(&self.nodes[number]).take()?;
        let Running { node, house, process } = running;
        process.handle().spawn(async move { node.leave().await }).await.expect("it leaves");
        drop(process);
        Some(house.remains())
    }

    /// What is left where there is nothing.
    pub fn nothing(&self) -> Registers {
        Registers::new(self.plant)
    }

    /// A node's disk is full, or no more.
    pub fn full(&self, number: usize, full: bool) {
        if let Some(running) = &*lock(&self.nodes[number]) {
            running.house.full.store(full, Ordering::SeqCst);
        }
    }

    /// The node that hosts a partition, as most say.
    pub fn host_of(&self, partition: Partition) -> Option<usize> {
        (0..self.nodes.len()).find(|&number| {
            let running = lock(&self.nodes[number]);
            running.as_ref().is_some_and(|running| running.node.hosting(partition).is_some())
        })
    }

    fn running(&self, number: usize) -> Option<Reached<S>> {
        let running = lock(&self.nodes[number]);
        running.as_ref().map(|one| (one.node.clone(), Arc::clone(&one.house), one.process.handle()))
    }

    /// Other registers are used from now on.
    pub fn turn_the_page(&self) {
        self.chapter.fetch_add(1, Ordering::SeqCst);
    }

    /// Waits until all nodes that run know each other, and every partition has its host.
    pub async fn settled(&self) {
        let began = Instant::now();
        loop {
            let counted: Vec<cluster::Counted> = (0..self.nodes.len())
                .filter_map(|number| self.running(number))
                .map(|(node, ..)| node.counted())
                .collect();
            let hosted: usize = counted.iter().map(|one| one.hosted).sum();
            let all = |one: &cluster::Counted| {
                one.nodes == counted.len() && one.unhosted == 0 && one.stuck == 0 && one.hosted > 0
            };
            if hosted == usize::from(cluster::PARTITIONS) && counted.iter().all(all) {
                return;
            }
            assert!(began.elapsed() < Duration::from_secs(90), "they never share: {counted:?}");
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// A client: it writes and reads in one partition through any of `nodes`, until all is over.
    pub async fn client(self: Arc<Self>, partition: Partition, nodes: Vec<usize>, mut chance: SplitMix) {
        let mut known: BTreeMap<Register, u64> = BTreeMap::new();
        while !self.done.load(Ordering::SeqCst) {
            sleep(Duration::from_millis(u64::from(5 + chance.below(20)))).await;
            let number = nodes[chance.below(nodes.len() as u32) as usize];
            let Some((node, house, process)) = self.running(number) else { continue };
            // In registers of one kind hosts judge, the others are written in any case.
            let judged = chance.below(2);
            let key = 2 * self.chapter.load(Ordering::SeqCst) + judged;
            let register = Register { partition: partition.0, key };
            let value = chance.bits() | 1;
            let asked = match (chance.below(3), judged) {
                (0 | 1, 0) => Asked::Write(value),
                (0 | 1, _) => Asked::Swap { from: known.get(&register).copied().unwrap_or(0), to: value },
                _ => Asked::Read,
            };
            let id = self.history.invoked(register, asked);
            let told = process.spawn(async move { ask(&node, &house, partition, id, key, asked).await });
            let answer = match told.await {
                Ok(Ok(answer)) => answer,
                // Whoever is told nothing does not know.
                Ok(Err(_)) => continue,
                Err(ended) => {
                    if ended.is_panic() {
                        lock(&self.broken).push(format!("{partition}: {ended}"));
                    }
                    continue;
                }
            };
            let answered = if answer.written { Answered::Written } else { Answered::Read(answer.value) };
            self.history.returned(id, answered);
            known.insert(register, answer.value);
            let id = if answer.written { id } else { 0 };
            let number = Some(answer.number).filter(|number| *number > 0);
            lock(&self.acknowledged).push(Acknowledged { at: Instant::now(), partition, id, number });
        }
    }

    /// What was acknowledged so far, in order.
    pub fn acknowledged(&self) -> Vec<Acknowledged> {
        lock(&self.acknowledged).clone()
    }

    pub fn end(&self) {
        self.done.store(true, Ordering::SeqCst);
    }

    /// Judges it all, when the clients have ended and all nodes run.
    pub async fn judge(&self, partitions: &[Partition]) -> Found {
        let mut found = Found { judged: self.history.judge(), ..Found::default() };
        let acknowledged = self.acknowledged();
        found.acknowledged = acknowledged.len();
        found.broken = lock(&self.broken).clone();
        let mut parts = Vec::new();
        for &partition in partitions {
            let mut part = Part::START;
            let mut at: BTreeMap<u64, BTreeSet<usize>> = BTreeMap::new();
            let of = || acknowledged.iter().filter(|one| one.partition == partition);
            let known = of().filter_map(|one| one.number).max().unwrap_or(0);
            if let Err(why) = self.read(partition, known, &mut part, &mut at).await {
                found.broken.push(why);
                continue;
            }
            for one in of() {
                let there = match one.number {
                    Some(number) => at.get(&number).is_some_and(|ids| ids.contains(&one.id)),
                    None => one.id == 0 || part.changes.contains_key(&one.id),
                };
                if !there {
                    found.broken.push(format!("{partition} does not have what was acknowledged: {one:?}"));
                }
            }
            parts.push((partition, part));
        }
        if found.broken.is_empty() {
            for (partition, mut part) in parts {
                loop {
                    let read = part.head.number;
                    for number in 0..self.nodes.len() {
                        found.broken.extend(self.has(number, partition, &mut part).await.err());
                    }
                    if part.head.number == read {
                        break;
                    }
                }
            }
        }
        found
    }

    /// Reads a whole partition, as often as the engine lets one wait. A server that was cut off may lack the newest for a while:
    /// so what does not come to the message of the number `known` is read on, for a minute at most.
    async fn read(
        &self,
        partition: Partition,
        known: u64,
        part: &mut Part,
        at: &mut BTreeMap<u64, BTreeSet<usize>>,
    ) -> Result<(), String> {
        let began = Instant::now();
        let engine = loop {
            match self.site.connect(0).await {
                Some((engine, _)) => break engine,
                None if began.elapsed() > Duration::from_secs(60) => return Err("nobody answers".to_owned()),
                None => sleep(Duration::from_millis(200)).await,
            }
        };
        let mut chain = Chain::after(partition, Head::START);
        let mut messages = Vec::new();
        loop {
            let lasts = began.elapsed() < Duration::from_secs(60);
            match read_on(&engine, partition, &mut chain, |message| messages.push(message.clone())).await {
                Ok(()) if lasts && chain.head().number < known => sleep(Duration::from_millis(100)).await,
                Ok(()) => break,
                Err(cluster::Fault::Unreachable(_)) if lasts => {}
                Err(fault) => return Err(fault.to_string()),
            }
        }
        let mut chain = Chain::after(partition, Head::START);
        for message in messages {
            let stored = cluster::Stored { sequence: message.number, bytes: message.encode().into() };
            let batch = changes_of(&message);
            let ids = batch.map(changes).unwrap_or_default();
            at.insert(message.number, ids.into_iter().map(|change| change.id).collect());
            chain.take(&stored).map_err(|broken| broken.to_string())?;
            part.take(chain.head(), batch);
        }
        Ok(())
    }

    /// Whether a node's house has made of a partition what it is, at the latest in a while. What nobody was told of may still
    /// have been on its way when the log was read: so where a house is ahead, `part` is read again.
    async fn has(&self, number: usize, partition: Partition, part: &mut Part) -> Result<(), String> {
        let began = Instant::now();
        loop {
            let Some((_, house, _)) = self.running(number) else { return Ok(()) };
            let its = house.part(partition);
            if its.head.number > part.head.number {
                *part = Part::START;
                self.read(partition, its.head.number, part, &mut BTreeMap::new()).await?;
            }
            // The engine's own places are left aside.
            let same = (its.head.number, its.head.hash) == (part.head.number, part.head.hash)
                && (&its.values, &its.changes) == (&part.values, &part.changes);
            if same {
                return Ok(());
            }
            if began.elapsed() > Duration::from_secs(20) {
                return Err(format!(
                    "node {number} has another {partition} than the log: it is at {}, the log at {}; hosted by {:?}",
                    its.head.number,
                    part.head.number,
                    self.host_of(partition)
                ));
            }
            sleep(Duration::from_millis(50)).await;
        }
    }
}

/// Asks a node for something. An error says that it is not known whether it was done.
async fn ask<E: Engine + Clone + 'static, B: Bus>(
    node: &Node<E, B>,
    house: &Registers,
    partition: Partition,
    id: usize,
    key: u32,
    asked: Asked,
) -> Result<Answer, String> {
    let question = match asked {
        Asked::Write(value) => {
            let change = Change { id, key, value: Some(value) };
            node.commit(partition, serde_json::to_vec(&change).expect("plain data")).await?;
            let part = house.part(partition);
            let number = part.changes.get(&id).copied();
            let number = number.expect("what was committed is applied here");
            return Ok(Answer { written: true, value, number });
        }
        Asked::Read => Question::Read { id, key },
        Asked::Swap { from, to } => Question::Swap { id, key, from, to },
    };
    let answer = node.question(partition, serde_json::to_vec(&question).expect("plain data")).await?;
    serde_json::from_slice(&answer).map_err(|e| e.to_string())
}
