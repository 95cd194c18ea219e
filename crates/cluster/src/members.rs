//! Which nodes are there, and which of them is to host which partition.
//!
//! Each node says several times a second that it is there, and what it hosts: a [`Beat`]. From that each works out the same
//! division by itself, by rendezvous hashing: of all nodes that are there, the one whose name and the partition hash highest
//! is to host it. So when a node goes, only its own partitions move, and nobody has to be asked.
//!
//! Beats take the place of leases: nothing rests on them. Two nodes that both believe in themselves take a partition from each
//! other, which costs time, and nothing else (see [`Writer`](crate::Writer)).

use crate::message::{MOST_NAME, PARTITIONS, Partition};
use crate::nats::STREAMS;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Version of what nodes say to each other, and write into the log. Neighbours work together: a cluster is brought from one version to the
/// next node by node. So a program of a later version writes and says what the one before it reads as long as it hears one of those.
pub const PROTOCOL: u16 = 1;
/// Milliseconds between two beats.
pub const BEAT: u64 = 200;
/// Milliseconds after which a node that has not been heard is asked whether it is there.
pub const LATE: u64 = 450;
/// Milliseconds after which a node that has not been heard counts as gone.
pub const GONE: u64 = 1_000;
/// Partitions that a node gives away at once, so that a node that comes or goes does not move all tables in one moment.
pub const GIVEN_AT_ONCE: usize = 16;

/// A node, each time that it is started: its name, and a number drawn at random.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct NodeId {
    name: Arc<str>,
    drawn: u64,
    /// The first bytes of SHA-256 of the name: what partitions are divided by.
    seed: u64,
}

impl NodeId {
    /// The node of this name, started anew.
    ///
    /// # Errors
    /// If it can be no name: in words.
    pub fn new(name: &str, drawn: u64) -> Result<NodeId, String> {
        let fits = (1..=MOST_NAME - 17).contains(&name.len())
            && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        if !fits {
            return Err(format!(
                "`{name}` cannot be the name of a node: it has 1 to {} small letters a to z, digits and hyphens",
                MOST_NAME - 17
            ));
        }
        let hash = Sha256::digest(name);
        let seed = u64::from_le_bytes(hash[..8].try_into().expect("32 bytes have 8"));
        Ok(NodeId { name: name.into(), drawn, seed })
    }

    /// What people call it; it stays when the node is started anew.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number that it drew.
    pub(crate) fn drawn(&self) -> u64 {
        self.drawn
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:016x}", self.name, self.drawn)
    }
}

impl FromStr for NodeId {
    type Err = String;
    fn from_str(text: &str) -> Result<NodeId, String> {
        let strange = || "that is no node".to_owned();
        let (name, drawn) = text.rsplit_once('-').ok_or_else(strange)?;
        if drawn.len() != 16 {
            return Err(strange());
        }
        NodeId::new(name, u64::from_str_radix(drawn, 16).map_err(|_| strange())?)
    }
}

impl From<NodeId> for String {
    fn from(id: NodeId) -> String {
        id.to_string()
    }
}

impl TryFrom<String> for NodeId {
    type Error = String;
    fn try_from(text: String) -> Result<NodeId, String> {
        text.parse()
    }
}

/// What a node says of itself, several times a second.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beat {
    /// Who.
    pub node: NodeId,
    /// The newest version of what nodes say to each other that it knows; it knows the one before, too.
    pub protocol: u16,
    /// How the log is divided: its partitions, and the streams in which they lie. Zeros of who does not say so.
    #[serde(default)]
    pub log: (u16, u16),
    /// Tells one signing key from another, without telling it.
    pub key: String,
    /// Whether it takes partitions: not while it finds out what there is, nor when it is about to end.
    pub takes: bool,
    /// How often its line was lost and came back: what it said or was told at those times may be missing.
    #[serde(default)]
    pub gaps: u64,
    /// The partitions that it hosts, each with the number of its last message.
    pub hosts: Vec<(u16, u64)>,
}

impl Beat {
    /// Whether nothing of it is out of bounds.
    #[must_use]
    pub fn fits(&self) -> bool {
        self.hosts.len() <= usize::from(PARTITIONS)
            && self.hosts.iter().all(|(partition, _)| *partition < PARTITIONS)
            && self.key.len() <= 128
    }
}

/// Why a node cannot work with those that are there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misfit {
    /// Another node has its name.
    #[error("another node of this cluster is called `{0}`: give each a name of its own (--node)")]
    Name(String),
    /// Versions that are too far from each other.
    #[error(
        "the node `{name}` speaks version {theirs} of the cluster's language and this one version {PROTOCOL}: bring the cluster from one version to the next, without leaving one out"
    )]
    Version {
        /// Which node.
        name: String,
        /// What it speaks.
        theirs: u16,
    },
    /// The log is divided otherwise: of one partition there would be two.
    #[error(
        "the node `{name}` divides the log into {partitions} partitions in {streams} streams and this one into {PARTITIONS} in {STREAMS}: of one partition there would be two logs; move the games to one machine and from there into a new cluster (docs/cluster.md, \"From one machine to a cluster, and back\")"
    )]
    Log {
        /// Which node.
        name: String,
        /// Its partitions.
        partitions: u16,
        /// Its streams.
        streams: u16,
    },
    /// Cookies that one signs the other would not believe.
    #[error(
        "the node `{0}` signs cookies with another key: copy the file `cookie.key` from its data folder into this one's"
    )]
    Key(String),
}

/// What is known of another node.
#[derive(Clone, Debug)]
struct Member {
    beat: Arc<Beat>,
    heard: u64,
}

impl Beat {
    /// The partitions that it hosts.
    fn partitions(&self) -> impl Iterator<Item = u16> {
        self.hosts.iter().map(|(partition, _)| *partition)
    }
}

/// What is to be done now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// Partitions to take over: nobody else says that it hosts them.
    pub take: Vec<Partition>,
    /// Partitions to give away: another node is to have them.
    pub give: Vec<Partition>,
}

/// The nodes, as one of them knows them. Time is given in milliseconds of any clock that does not go back. How long a node has
/// not been heard is to be judged at the moment at which one hears a beat of one's own: who was stopped for a while, or hears
/// nothing at all, knows nothing of the others.
///
/// With N nodes and P partitions, to hear of a node that goes on as before costs log N steps, to hear of one that comes P, of one
/// that goes N for each partition that was its own; what is to be done is found in P steps, and a host at once.
#[derive(Clone, Debug)]
pub struct Members {
    me: NodeId,
    takes: bool,
    gaps: u64,
    mine: BTreeMap<Partition, u64>,
    others: BTreeMap<NodeId, Member>,
    /// For each partition the node that is to host it, of those that take any.
    chosen: Vec<Option<NodeId>>,
    /// For each partition the other nodes that say that they host it: one, as a rule.
    hosts: Vec<Vec<NodeId>>,
}

/// How high a node and a partition hash: of the numbers that SplitMix64 makes of the node's seed (Steele, Lea and Flood, *Fast
/// splittable pseudorandom number generators*, 2014), that at the partition's place.
fn weight(node: &NodeId, partition: Partition) -> u64 {
    let place = u64::from(partition.0).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut mixed = node.seed.wrapping_add(place);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// The node that is to host a partition, of those that take any.
#[must_use]
pub fn chosen<'a>(partition: Partition, nodes: impl IntoIterator<Item = &'a NodeId>) -> Option<&'a NodeId> {
    nodes.into_iter().max_by_key(|node| (weight(node, partition), *node))
}

/// Divides the partitions anew after a node began to take any.
fn takes_part(division: &mut [Option<NodeId>], node: &NodeId) {
    for (partition, best) in (0..).map(Partition).zip(division) {
        if chosen(partition, best.iter().chain([node])) == Some(node) {
            *best = Some(node.clone());
        }
    }
}

impl Members {
    /// A node that has heard of nobody yet, and takes nothing before [`Members::ready`].
    #[must_use]
    pub fn new(me: NodeId) -> Members {
        let all = usize::from(PARTITIONS);
        Members {
            me,
            takes: false,
            gaps: 0,
            mine: BTreeMap::new(),
            others: BTreeMap::new(),
            chosen: vec![None; all],
            hosts: vec![Vec::new(); all],
        }
    }

    /// This node.
    #[must_use]
    pub fn me(&self) -> &NodeId {
        &self.me
    }

    /// From now on it takes partitions, or no more.
    pub fn ready(&mut self, takes: bool) {
        if std::mem::replace(&mut self.takes, takes) != takes {
            let me = self.me.clone();
            match takes {
                true => takes_part(&mut self.chosen, &me),
                false => self.takes_no_part(&me),
            }
        }
    }

    /// Divides the partitions of a node that takes none any more among those that do.
    fn takes_no_part(&mut self, node: &NodeId) {
        let others = self.others.values().filter(|member| member.beat.takes).map(|member| &member.beat.node);
        let takers: Vec<&NodeId> =
            others.chain(self.takes.then_some(&self.me)).filter(|one| *one != node).collect();
        for (partition, best) in (0..).map(Partition).zip(&mut self.chosen) {
            if best.as_ref() == Some(node) {
                *best = chosen(partition, takers.iter().copied()).cloned();
            }
        }
    }

    /// Another node hosts nothing and takes no part any more. Whether it was there.
    fn forget(&mut self, node: &NodeId) -> bool {
        let Some(Member { beat, .. }) = self.others.remove(node) else { return false };
        for partition in beat.partitions() {
            self.hosts[usize::from(partition)].retain(|host| host != node);
        }
        if beat.takes {
            self.takes_no_part(node);
        }
        true
    }

    /// It hosts a partition now, whose last message has this number.
    pub fn hosts(&mut self, partition: Partition, number: u64) {
        self.mine.insert(partition, number);
    }

    /// It hosts a partition no more.
    pub fn hosts_no_more(&mut self, partition: Partition) {
        self.mine.remove(&partition);
    }

    /// How often its line was lost and came back. Whether that is more than before.
    pub fn gaps(&mut self, gaps: u64) -> bool {
        std::mem::replace(&mut self.gaps, gaps) != gaps
    }

    /// Whether a node that is known says by this that its line was lost since it was heard last.
    #[must_use]
    pub fn has_missed(&self, beat: &Beat) -> bool {
        self.others.get(&beat.node).is_some_and(|member| member.beat.gaps != beat.gaps)
    }

    /// What it says of itself.
    #[must_use]
    pub fn beat(&self, key: &str) -> Beat {
        Beat {
            node: self.me.clone(),
            protocol: PROTOCOL,
            log: (PARTITIONS, STREAMS),
            key: key.to_owned(),
            takes: self.takes,
            gaps: self.gaps,
            hosts: self.mine.iter().map(|(partition, number)| (partition.0, *number)).collect(),
        }
    }

    /// Another node has said that it is there. Gives the one that it takes the place of, if it was started anew.
    pub fn hear(&mut self, now: u64, beat: impl Into<Arc<Beat>>) -> Option<NodeId> {
        let beat = beat.into();
        if beat.node == self.me || !beat.fits() {
            return None;
        }
        let node = &beat.node;
        if let Some(member) = self.others.get_mut(node) {
            let before = std::mem::replace(member, Member { beat: Arc::clone(&beat), heard: now }).beat;
            if !before.partitions().eq(beat.partitions()) {
                before.partitions().for_each(|one| self.hosts[usize::from(one)].retain(|host| host != node));
                beat.partitions().for_each(|one| self.hosts[usize::from(one)].push(node.clone()));
            }
            match (before.takes, beat.takes) {
                (false, true) => takes_part(&mut self.chosen, node),
                (true, false) => self.takes_no_part(node),
                _ => {}
            }
            return None;
        }
        let before = self.others.keys().find(|other| other.name == node.name).cloned();
        if let Some(before) = &before {
            self.forget(before);
        }
        beat.partitions().for_each(|one| self.hosts[usize::from(one)].push(node.clone()));
        self.others.insert(node.clone(), Member { beat: Arc::clone(&beat), heard: now });
        if beat.takes {
            takes_part(&mut self.chosen, node);
        }
        before
    }

    /// Why this node cannot work with those that it has heard, if it cannot.
    ///
    /// # Errors
    /// What is in the way.
    pub fn fit(&self, key: &str) -> Result<(), Misfit> {
        for Member { beat, .. } in self.others.values() {
            let name = || beat.node.name().to_owned();
            if beat.node.name == self.me.name {
                return Err(Misfit::Name(name()));
            }
            if beat.protocol.abs_diff(PROTOCOL) > 1 {
                return Err(Misfit::Version { name: name(), theirs: beat.protocol });
            }
            if beat.log != (PARTITIONS, STREAMS) {
                let (partitions, streams) = beat.log;
                return Err(Misfit::Log { name: name(), partitions, streams });
            }
            if beat.key != key {
                return Err(Misfit::Key(name()));
            }
        }
        Ok(())
    }

    /// Nodes that have not been heard for a while: they are asked whether they are there.
    #[must_use]
    pub fn late(&self, now: u64) -> Vec<NodeId> {
        let late = self.others.iter().filter(|(_, member)| now.saturating_sub(member.heard) >= LATE);
        late.map(|(node, _)| node.clone()).collect()
    }

    /// A node that was asked has said that it is there.
    pub fn answers(&mut self, now: u64, node: &NodeId) {
        if let Some(member) = self.others.get_mut(node) {
            member.heard = member.heard.max(now);
        }
    }

    /// A node is gone. Whether it was there.
    pub fn bury(&mut self, node: &NodeId) -> bool {
        self.forget(node)
    }

    /// Drops those that have not been heard for too long, and gives them.
    pub fn expire(&mut self, now: u64) -> Vec<NodeId> {
        let gone: Vec<NodeId> = self
            .others
            .iter()
            .filter(|(_, member)| now.saturating_sub(member.heard) >= GONE)
            .map(|(node, _)| node.clone())
            .collect();
        for node in &gone {
            self.forget(node);
        }
        gone
    }

    /// The nodes that are there besides this one.
    pub fn others(&self) -> impl Iterator<Item = &NodeId> {
        self.others.keys()
    }

    /// Whether a node is there.
    #[must_use]
    pub fn knows(&self, node: &NodeId) -> bool {
        *node == self.me || self.others.contains_key(node)
    }

    /// The node that hosts a partition, as far as is known. If several say so, the one that is to.
    #[must_use]
    pub fn host_of(&self, partition: Partition) -> Option<&NodeId> {
        let me = self.mine.contains_key(&partition).then_some(&self.me);
        chosen(partition, self.hosts.get(usize::from(partition.0))?.iter().chain(me))
    }

    /// Whether no other node hosts anything: they have all just been started, or there is none.
    #[must_use]
    pub fn nobody_hosts(&self) -> bool {
        self.hosts.iter().all(Vec::is_empty)
    }

    /// The numbers of the last messages of all partitions that others host, as they have said.
    pub fn heads(&self) -> impl Iterator<Item = (Partition, u64)> {
        let beats = self.others.values().flat_map(|member| &member.beat.hosts);
        beats.map(|(partition, number)| (Partition(*partition), *number))
    }

    /// What this node is to do now.
    #[must_use]
    pub fn steps(&self) -> Steps {
        let mut steps = Steps::default();
        for ((partition, chosen), hosts) in (0..).map(Partition).zip(&self.chosen).zip(&self.hosts) {
            match chosen {
                Some(node) if *node == self.me => {
                    if hosts.is_empty() && !self.mine.contains_key(&partition) {
                        steps.take.push(partition);
                    }
                }
                // Who is about to end gives all away at once.
                Some(_)
                    if (steps.give.len() < GIVEN_AT_ONCE || !self.takes)
                        && self.mine.contains_key(&partition) =>
                {
                    steps.give.push(partition);
                }
                Some(_) | None => {}
            }
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(name: &str, drawn: u64) -> NodeId {
        NodeId::new(name, drawn).expect("a name")
    }

    /// Nodes that hear each other at once, and do what they are to do at once.
    struct House(Vec<Members>);

    impl House {
        fn open(names: &[&str]) -> House {
            let mut nodes: Vec<Members> = names.iter().map(|name| Members::new(id(name, 1))).collect();
            nodes.iter_mut().for_each(|node| node.ready(true));
            House(nodes)
        }

        /// Goes on until nobody has anything to do, and gives how often somebody had.
        fn settle(&mut self, now: u64) -> usize {
            for round in 0..100 {
                let beats: Vec<Beat> = self.0.iter().map(|node| node.beat("key")).collect();
                for node in &mut self.0 {
                    beats.iter().for_each(|beat| drop(node.hear(now, beat.clone())));
                }
                let mut done = true;
                for node in &mut self.0 {
                    let Steps { take, give } = node.steps();
                    done &= take.is_empty() && give.is_empty();
                    take.iter().for_each(|&partition| node.hosts(partition, 1));
                    give.iter().for_each(|&partition| node.hosts_no_more(partition));
                }
                if done {
                    return round;
                }
            }
            panic!("they never agree");
        }

        fn hosts(&self) -> Vec<Option<&NodeId>> {
            let all: Vec<Option<&NodeId>> =
                (0..PARTITIONS).map(|partition| self.0[0].host_of(Partition(partition))).collect();
            for node in &self.0 {
                let same: Vec<_> =
                    (0..PARTITIONS).map(|partition| node.host_of(Partition(partition))).collect();
                assert_eq!(all, same, "all say the same");
            }
            all
        }
    }

    #[test]
    fn every_partition_has_one_host_and_only_those_of_a_node_that_goes_move() {
        let mut house = House::open(&["north", "south", "west"]);
        house.settle(0);
        let before: Vec<NodeId> = house.hosts().into_iter().map(|host| host.expect("one").clone()).collect();
        for name in ["north", "south", "west"] {
            let count = before.iter().filter(|node| node.name() == name).count();
            assert!((60..110).contains(&count), "{name} has {count}");
        }
        // South goes without a word.
        house.0.remove(1);
        for node in &mut house.0 {
            assert_eq!(node.expire(GONE - 1), []);
            assert_eq!(node.late(LATE).len(), 2);
            assert!(node.bury(&id("south", 1)));
        }
        house.settle(10);
        let after: Vec<NodeId> = house.hosts().into_iter().map(|host| host.expect("one").clone()).collect();
        for (before, after) in before.iter().zip(&after) {
            assert!(before == after || before.name() == "south", "{before} gave something to {after}");
        }
        // It comes back, and has what it had; a few at a time.
        let mut south = Members::new(id("south", 2));
        south.ready(true);
        house.0.push(south);
        assert!(house.settle(20) > 60 / GIVEN_AT_ONCE);
        let again: Vec<&str> = house.hosts().into_iter().map(|host| host.expect("one").name()).collect();
        assert_eq!(again, before.iter().map(NodeId::name).collect::<Vec<_>>());
    }

    #[test]
    fn who_is_about_to_end_gives_all_away_and_the_last_one_keeps_it() {
        let mut house = House::open(&["north", "south"]);
        house.settle(0);
        house.0[0].ready(false);
        house.settle(1);
        assert!(house.hosts().iter().all(|host| host.is_some_and(|node| node.name() == "south")));
        house.0[1].ready(false);
        assert_eq!(house.settle(2), 0, "there is nobody to give it to");
    }

    #[test]
    fn who_is_started_anew_takes_the_place_of_who_was_killed() {
        let mut node = Members::new(id("north", 1));
        let mut south = Members::new(id("south", 1));
        south.hosts(Partition(4), 7);
        assert_eq!(node.hear(0, south.beat("key")), None);
        assert_eq!(node.host_of(Partition(4)), Some(&id("south", 1)));
        assert_eq!(node.heads().collect::<Vec<_>>(), [(Partition(4), 7)]);
        let anew = Members::new(id("south", 2));
        assert_eq!(node.hear(1, anew.beat("key")), Some(id("south", 1)));
        assert_eq!(node.host_of(Partition(4)), None);
    }

    #[test]
    fn nodes_that_cannot_work_together_say_why() {
        let mut node = Members::new(id("north", 1));
        let hear = |node: &mut Members, beat: Beat| {
            let mut one = node.clone();
            one.hear(0, beat);
            one.fit("key")
        };
        let other = Members::new(id("south", 1)).beat("key");
        assert_eq!(hear(&mut node, other.clone()), Ok(()));
        assert_eq!(hear(&mut node, Beat { protocol: PROTOCOL + 1, ..other.clone() }), Ok(()));
        let far = Beat { protocol: PROTOCOL + 2, ..other.clone() };
        let version = Misfit::Version { name: "south".to_owned(), theirs: PROTOCOL + 2 };
        assert_eq!(hear(&mut node, far), Err(version));
        // A version that divides the log otherwise, and one from before that was told.
        for (partitions, streams) in [(PARTITIONS, STREAMS + 1), (0, 0)] {
            let otherwise = Beat { log: (partitions, streams), ..other.clone() };
            let misfit = Misfit::Log { name: "south".to_owned(), partitions, streams };
            assert_eq!(hear(&mut node, otherwise), Err(misfit));
        }
        let untold = serde_json::to_string(&other)
            .unwrap()
            .replace(&format!(r#""log":[{PARTITIONS},{STREAMS}],"#), "");
        assert_eq!(serde_json::from_str::<Beat>(&untold).unwrap().log, (0, 0), "{untold}");
        let stranger = Beat { key: "another".to_owned(), ..other };
        assert_eq!(hear(&mut node, stranger), Err(Misfit::Key("south".to_owned())));
        let namesake = Members::new(id("north", 2)).beat("key");
        assert_eq!(hear(&mut node, namesake), Err(Misfit::Name("north".to_owned())));
        for name in ["", "North", "a.b", "a b", "*", &"n".repeat(48)] {
            assert!(NodeId::new(name, 0).is_err(), "{name}");
        }
        let long = id(&"n".repeat(47), u64::MAX);
        assert_eq!(long.to_string().parse(), Ok(long.clone()));
        assert_eq!(long.to_string().len(), MOST_NAME);
        for text in ["", "north", "north-1", "north-00000000000000zz", "-0000000000000001"] {
            assert!(text.parse::<NodeId>().is_err(), "{text}");
        }
    }
}
