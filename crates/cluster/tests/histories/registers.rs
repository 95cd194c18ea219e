//! A house that keeps registers, as the server keeps tables: what is in the log is folded, and the host judges.

use bytes::Bytes;
use cluster::{Applied, Body, Head, Hosting, House, Message, NodeId, Outcome, PARTITIONS, Partition};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};

/// A change as it is in the log. It counts once, however often it stands there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Change {
    /// Which one; 0 if nothing is written.
    pub id: usize,
    pub key: u32,
    /// What is written; nothing if it is only to be known that the host could write.
    pub value: Option<u64>,
}

/// What a host is asked.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum Question {
    Read { id: usize, key: u32 },
    Swap { id: usize, key: u32, from: u64, to: u64 },
}

/// What it answers.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// Whether something was written.
    pub written: bool,
    /// What is there.
    pub value: u64,
    /// The message in which this was committed.
    pub number: u64,
}

/// What is wrong with a house on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plant {
    Nothing,
    /// It says that something is written when it has been handed over.
    TellsEarly,
    /// It answers what is asked by what it has, whether it may still write or not.
    BelievesItself,
}

/// A partition as it is after some message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub head: Head,
    pub values: BTreeMap<u32, u64>,
    /// In which message each change stood first.
    pub changes: BTreeMap<usize, u64>,
}

impl Part {
    pub const START: Part = Part { head: Head::START, values: BTreeMap::new(), changes: BTreeMap::new() };

    /// Takes in the next message.
    pub fn take(&mut self, head: Head, batch: Option<&[u8]>) {
        self.head = head;
        for change in batch.map(changes).unwrap_or_default() {
            if change.id == 0 {
                continue;
            }
            if let std::collections::btree_map::Entry::Vacant(first) = self.changes.entry(change.id) {
                first.insert(head.number);
                if let Some(value) = change.value {
                    self.values.insert(change.key, value);
                }
            }
        }
    }

    fn value(&self, key: u32) -> u64 {
        self.values.get(&key).copied().unwrap_or(0)
    }
}

pub fn changes(batch: &[u8]) -> Vec<Change> {
    serde_json::from_slice(batch).expect("changes")
}

/// The changes of a message.
pub fn changes_of(message: &Message) -> Option<&[u8]> {
    match &message.body {
        Body::Batch(batch) => Some(batch),
        Body::TookOver { .. } => None,
    }
}

pub struct Registers {
    parts: Vec<Mutex<Part>>,
    hosts: Mutex<HashMap<Partition, Hosting>>,
    /// Held while a host judges and what it has decided is not committed.
    judging: Vec<Mutex<()>>,
    /// Its disk is full.
    pub full: AtomicBool,
    plant: Plant,
}

impl Registers {
    pub fn new(plant: Plant) -> Registers {
        Registers::with(vec![Part::START; usize::from(PARTITIONS)], plant)
    }

    fn with(parts: Vec<Part>, plant: Plant) -> Registers {
        Registers {
            judging: parts.iter().map(|_| Mutex::default()).collect(),
            parts: parts.into_iter().map(Mutex::new).collect(),
            hosts: Mutex::default(),
            full: AtomicBool::new(false),
            plant,
        }
    }

    /// What is left when its node has been killed.
    pub fn remains(&self) -> Registers {
        Registers::with(
            self.parts.iter().map(|part| part.lock().expect("a part").clone()).collect(),
            self.plant,
        )
    }

    pub fn part(&self, of: Partition) -> Part {
        self.parts[usize::from(of.0)].lock().expect("a part").clone()
    }

    /// Writes a change as the host and waits until it is committed. Gives where.
    fn commit(&self, hosting: &Hosting, change: &Change) -> Result<u64, String> {
        let (told, heard) = mpsc::channel();
        let bytes = serde_json::to_vec(change).expect("plain data");
        hosting.append(bytes, Box::new(move |outcome| drop(told.send(outcome))));
        if self.plant == Plant::TellsEarly && change.value.is_some() {
            return Ok(0);
        }
        match heard.recv() {
            Ok(Outcome::Committed(number)) => Ok(number),
            Ok(other) => Err(format!("{other:?}")),
            Err(_) => Err("the node is gone".to_owned()),
        }
    }
}

impl House for Registers {
    fn place(&self, partition: Partition) -> Result<Head, String> {
        Ok(self.part(partition).head)
    }

    fn apply(&self, partition: Partition, head: Head, batch: Option<Bytes>, applied: Applied) {
        let result = {
            let mut part = self.parts[usize::from(partition.0)].lock().expect("a part");
            if self.full.load(Ordering::SeqCst) {
                Err("the disk is full".to_owned())
            } else if head.number != part.head.number + 1 {
                Err(format!("{} does not follow {}", head.number, part.head.number))
            } else {
                part.take(head, batch.as_deref());
                Ok(())
            }
        };
        applied(result);
    }

    fn join(&self, changes: &[Vec<u8>]) -> Vec<u8> {
        [b"[".as_slice(), &changes.join(&b','), b"]"].concat()
    }

    fn gained(&self, hosting: Hosting) {
        self.hosts.lock().expect("hosts").insert(hosting.partition(), hosting);
    }

    fn lost(&self, partition: Partition) {
        self.hosts.lock().expect("hosts").remove(&partition);
    }

    fn answer(&self, partition: Partition, question: &[u8]) -> Result<Vec<u8>, String> {
        let question: Question = serde_json::from_slice(question).map_err(|e| e.to_string())?;
        let _turn = self.judging[usize::from(partition.0)].lock().expect("a turn");
        let hosting = self.hosts.lock().expect("hosts").get(&partition).cloned();
        let hosting = hosting.ok_or("it was just given away")?;
        let here = |key| self.part(partition).value(key);
        let (id, key, swap) = match question {
            Question::Read { id, key } => (id, key, None),
            Question::Swap { id, key, from, to } => (id, key, Some((from, to))),
        };
        let done = self.part(partition).changes.get(&id).copied();
        let answer = match (swap, done) {
            // It was asked before, and nobody heard the answer.
            (Some((_, to)), Some(number)) => Answer { written: true, value: to, number },
            (Some((from, to)), None) if here(key) == from => {
                let number = self.commit(&hosting, &Change { id, key, value: Some(to) })?;
                Answer { written: true, value: to, number }
            }
            (None, _) if self.plant == Plant::BelievesItself => {
                Answer { written: false, value: here(key), number: 0 }
            }
            // What is committed shows that nobody else could write before: what is here is the newest.
            (None, _) | (Some(_), None) => {
                let number = self.commit(&hosting, &Change { id: 0, key, value: None })?;
                Answer { written: false, value: here(key), number }
            }
        };
        serde_json::to_vec(&answer).map_err(|e| e.to_string())
    }

    fn heard(&self, _: &NodeId, _: Bytes) {}

    fn missed(&self, _: Option<&NodeId>) {}
    fn gone(&self, _: &NodeId) {}
}
