//! A house of many nodes and tables, played step by step: each node knows the others by [`Members`] alone, as in the program, and
//! does what [`Members::steps`] tells it. What the log and the storage take is given in milliseconds.

use cluster::{BEAT, Beat, Members, NodeId, PARTITIONS, Partition};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Milliseconds of one step: as long as a message is on its way.
pub const STEP: u64 = 10;
/// Milliseconds that a node listens before it says anything, and again before it takes anything where nobody hosts
/// anything; as in `node.rs`.
const LISTENS: u64 = 3 * BEAT;

/// What things take, in milliseconds unless said otherwise.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    /// An append, or a question, to the log.
    pub append: u64,
    /// Takings over that the log's servers bear in a second, of all nodes together.
    pub takings: u64,
    /// Tables that a node restores in a second.
    pub restored: u64,
    /// From the end of a process until the next one has read what it missed.
    pub starts: u64,
}

/// How a node ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Its process: its connection closes, and whoever asks for it hears at once that nobody is there.
    Killed,
    /// Its machine, or its line: there is silence.
    Silent,
}

struct One {
    members: Members,
    name: String,
    /// How often it was started.
    life: u64,
    next_beat: u64,
    beat_now: bool,
    /// When it first said something.
    opened: Option<u64>,
    /// It has heard something new since it last thought about what to do.
    news: bool,
    leaving: bool,
    /// Why it is not there.
    ended: Option<End>,
    /// Partitions it is giving away or taking, and when that is done.
    gives: BTreeMap<Partition, u64>,
    takes: BTreeSet<Partition>,
}

/// What was seen since it was last asked.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// For each stand-still its milliseconds and how many tables stood still.
    pub stands: Vec<(u64, u64)>,
    /// Partitions that got a host.
    pub moved: u64,
    /// Of those, how many another node hosted as well: it was superseded.
    pub taken_from_others: u64,
}

impl Seen {
    /// Tables that stood still for a while, each time counted.
    pub fn tables(&self) -> u64 {
        self.stands.iter().map(|(_, tables)| tables).sum()
    }

    /// So many milliseconds stood still, at most, that part (in hundredths) of the tables that stood still at all.
    pub fn at(&self, part: u64) -> u64 {
        let mut sorted = self.stands.clone();
        sorted.sort_unstable();
        let wanted = (self.tables() * part).div_ceil(100);
        let mut so_far = 0;
        for (time, tables) in &sorted {
            so_far += tables;
            if so_far >= wanted {
                return *time;
            }
        }
        0
    }
}

/// All nodes, and what happens among them.
pub struct House {
    pub now: u64,
    pub seen: Seen,
    costs: Costs,
    nodes: Vec<One>,
    /// Tables of each partition.
    tables: Vec<u64>,
    /// Who hosts a partition, as the log has it.
    host: Vec<Option<usize>>,
    stands: Vec<Option<u64>>,
    said: Vec<Arc<Beat>>,
    /// Takings over: when, which, by whom (and in which life of it).
    takings: BTreeSet<(u64, u16, usize, u64)>,
    /// When the log's servers have done what they were asked for.
    engine: f64,
    /// When each node has restored what it took over.
    restores: Vec<f64>,
    chance: u64,
}

impl House {
    /// So many nodes, which all start within a second, and tables.
    pub fn start(nodes: usize, tables: u64, costs: Costs, seed: u64) -> House {
        let mut of = vec![0; usize::from(PARTITIONS)];
        (0..tables).for_each(|table| of[usize::from(Partition::of(&format!("table {table}")).0)] += 1);
        let all = usize::from(PARTITIONS);
        let mut house = House {
            now: 0,
            seen: Seen::default(),
            costs,
            nodes: Vec::new(),
            tables: of,
            host: vec![None; all],
            stands: vec![Some(0); all],
            said: Vec::new(),
            takings: BTreeSet::new(),
            engine: 0.0,
            restores: vec![0.0; nodes],
            chance: seed,
        };
        for number in 0..nodes {
            let name = format!("node-{number}");
            let one = house.started(name, 1);
            house.nodes.push(one);
        }
        house
    }

    /// A number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.chance = self.chance.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.chance ^ (self.chance >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ (mixed >> 29)) % end
    }

    fn started(&mut self, name: String, life: u64) -> One {
        let listens = self.now + LISTENS + self.below(1_000);
        One {
            members: Members::new(NodeId::new(&name, life).expect("a name")),
            name,
            life,
            next_beat: listens,
            beat_now: false,
            opened: None,
            news: false,
            leaving: false,
            ended: None,
            gives: BTreeMap::new(),
            takes: BTreeSet::new(),
        }
    }

    /// Nodes that are there.
    pub fn there(&self) -> Vec<usize> {
        (0..self.nodes.len()).filter(|&number| self.nodes[number].ended.is_none()).collect()
    }

    /// A node ends without a word.
    pub fn end(&mut self, number: usize, end: End) {
        self.nodes[number].ended = Some(end);
        for partition in 0..self.host.len() {
            if self.host[partition] == Some(number) {
                self.host[partition] = None;
                self.stands[partition].get_or_insert(self.now);
            }
        }
    }

    /// A node is asked to end: it gives away what it hosts first.
    pub fn leave(&mut self, number: usize) {
        let one = &mut self.nodes[number];
        one.leaving = true;
        one.beat_now = true;
    }

    /// Whether a node that was asked to end hosts nothing any more, and has said so.
    pub fn has_left(&self, number: usize) -> bool {
        let one = &self.nodes[number];
        one.leaving && one.gives.is_empty() && !one.beat_now && one.members.beat("").hosts.is_empty()
    }

    /// A node is started again; it listens before it takes anything.
    pub fn start_again(&mut self, number: usize) {
        let (name, life) = (self.nodes[number].name.clone(), self.nodes[number].life + 1);
        self.nodes[number] = self.started(name, life);
        self.nodes[number].next_beat += self.costs.starts;
        self.restores[number] = 0.0;
    }

    /// Whether every partition is hosted by the node that is to, and all who are there know it.
    pub fn is_settled(&self) -> bool {
        let there = self.there();
        let takers = there.iter().filter(|&&number| !self.nodes[number].leaving).count();
        let hosted: usize = there.iter().map(|&n| self.nodes[n].members.beat("").hosts.len()).sum();
        self.host.iter().all(Option::is_some)
            && hosted == self.host.len()
            && there.iter().all(|&number| {
                let one = &self.nodes[number];
                let steps = one.members.steps();
                one.members.others().count() + 1 == there.len()
                    && (takers == 0 || steps == cluster::Steps::default())
            })
    }

    /// Goes on until all is settled, for at most so many milliseconds. How long it took.
    pub fn settle(&mut self, most: u64) -> Option<u64> {
        let began = self.now;
        while self.now - began < most {
            (0..10).for_each(|_| self.step());
            if self.is_settled() {
                return Some(self.now - began);
            }
        }
        None
    }

    /// Tables that each node hosts.
    pub fn load(&self) -> Vec<u64> {
        let mut load = vec![0; self.nodes.len()];
        for (host, tables) in self.host.iter().zip(&self.tables) {
            host.iter().for_each(|&number| load[number] += tables);
        }
        self.there().into_iter().map(|number| load[number]).collect()
    }

    /// Bytes of a beat, in the mean.
    pub fn beat_bytes(&self) -> f64 {
        let there = self.there();
        let key = "0".repeat(64);
        let bytes = |&number: &usize| {
            serde_json::to_vec(&self.nodes[number].members.beat(&key)).expect("plain data").len() as f64
        };
        there.iter().map(bytes).sum::<f64>() / there.len() as f64
    }

    /// One step.
    pub fn step(&mut self) {
        self.now += STEP;
        let said = std::mem::take(&mut self.said);
        for one in self.nodes.iter_mut().filter(|one| one.ended.is_none()) {
            for beat in &said {
                one.members.hear(self.now, Arc::clone(beat));
            }
            one.news |= !said.is_empty();
        }
        self.take_over();
        for number in 0..self.nodes.len() {
            if self.nodes[number].ended.is_none() {
                self.turn(number);
            }
        }
    }

    /// What was taken over by now.
    fn take_over(&mut self) {
        while let Some(first) = self.takings.first().copied().filter(|first| first.0 <= self.now) {
            self.takings.remove(&first);
            let (_, number, node, life) = first;
            let (partition, place) = (Partition(number), usize::from(number));
            let one = &mut self.nodes[node];
            if one.ended.is_some() || one.life != life {
                continue;
            }
            one.takes.remove(&partition);
            one.members.hosts(partition, 1);
            one.beat_now = true;
            if let Some(before) = self.host[place].replace(node).filter(|&before| before != node) {
                self.seen.taken_from_others += 1;
                self.nodes[before].members.hosts_no_more(partition);
                self.nodes[before].beat_now = true;
            }
            self.seen.moved += 1;
            if let Some(since) = self.stands[place].take() {
                // Whoever plays by way of another node hears of it one message later.
                self.seen.stands.push((self.now - since + STEP, self.tables[place]));
            }
        }
    }

    /// What a node does in one step.
    fn turn(&mut self, number: usize) {
        let one = &mut self.nodes[number];
        let given: Vec<Partition> =
            one.gives.iter().filter(|(_, at)| **at <= self.now).map(|(partition, _)| *partition).collect();
        for partition in given {
            one.gives.remove(&partition);
            one.members.hosts_no_more(partition);
            one.beat_now = true;
        }
        if self.now >= one.next_beat || one.beat_now && one.opened.is_some() {
            if self.now >= one.next_beat {
                one.next_beat = self.now + BEAT;
            }
            (one.beat_now, one.news) = (false, true);
            one.opened.get_or_insert(self.now);
            one.members.ready(!one.leaving);
            self.said.push(Arc::new(one.members.beat("")));
            one.members.expire(self.now);
            for node in one.members.late(self.now) {
                // An answer takes two messages: less than until the next beat.
                let is_there = |other: &One| *other.members.me() == node && other.ended != Some(End::Killed);
                if !self.nodes.iter().any(is_there) {
                    self.nodes[number].members.bury(&node);
                }
            }
        }
        if std::mem::take(&mut self.nodes[number].news) {
            self.act(number);
        }
    }

    fn act(&mut self, number: usize) {
        let one = &mut self.nodes[number];
        let steps = one.members.steps();
        for partition in steps.give {
            let place = usize::from(partition.0);
            if let std::collections::btree_map::Entry::Vacant(free) = one.gives.entry(partition) {
                // Tables save themselves; then nothing is written any more.
                free.insert(self.now + self.costs.append);
                if self.host[place] == Some(number) {
                    self.host[place] = None;
                    self.stands[place].get_or_insert(self.now);
                }
            }
        }
        let listens =
            one.opened.is_none_or(|opened| self.now - opened < LISTENS) && one.members.nobody_hosts();
        for partition in steps.take {
            if listens || !one.takes.insert(partition) {
                continue;
            }
            // Read, append, read again; then the tables are restored.
            self.engine = self.engine.max(self.now as f64) + 1000.0 / self.costs.takings as f64;
            let read = self.engine.max((self.now + 3 * self.costs.append) as f64);
            let tables = self.tables[usize::from(partition.0)] as f64;
            let restores = &mut self.restores[number];
            *restores = restores.max(read) + tables * 1000.0 / self.costs.restored as f64;
            self.takings.insert((restores.ceil() as u64, partition.0, number, one.life));
        }
    }
}
