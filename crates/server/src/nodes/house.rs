//! What is in the log comes into the database of this node; and what this node does as the host of a partition.

use super::Nodes;
use crate::lock;
use bytes::Bytes;
use cluster::{Applied, Head, Hosting, NodeId, Partition};
use serde::{Deserialize, Serialize};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Weak};
use store::{Change, Folded};
use table::Person;

/// Applies the log.
pub(super) struct Applies(pub Arc<Nodes>);

/// What the host of a partition is asked.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Question {
    /// May this guest try a game of the day at this table, and if not, where do they?
    Claim { day: String, game: String, guest: String, table: String },
    /// Is this table not kept any more, with no match played to its end? Only its host knows it of a table that was just opened.
    Left { table: String },
    /// Seat the guest at the table of their try, and begin; is it kept?
    Begin { table: String, guest: String },
    /// Whom is this link for, and where does it lead? It may be used up by that.
    Link { token: String, take: bool },
}

/// What a message carries is a batch that can be read.
const _: () = assert!(cluster::MOST_BODY <= store::BATCH_BYTES);

/// What is said where a partition has gone.
const ELSEWHERE: &str = "another node hosts it now";
/// Most bytes of a question.
const MOST: usize = 4096;

pub(super) fn asked(question: &Question) -> Vec<u8> {
    serde_json::to_vec(question).expect("plain data")
}

/// Whether memory has to do with a change.
fn concerns_memory(change: &Change) -> bool {
    matches!(
        change,
        Change::Saved { .. }
            | Change::About { .. }
            | Change::Closed { .. }
            | Change::Guest { .. }
            | Change::Leaves { .. }
            | Change::Forgets { .. }
    )
}

impl cluster::House for Applies {
    fn place(&self, partition: Partition) -> Result<Head, String> {
        let store = self.0.store().ok_or("the storage is closed")?;
        let places = store.folded().map_err(|error| error.to_string())?;
        let place = places.into_iter().find(|(part, ..)| *part == partition.0);
        Ok(place.map_or(Head::START, |(_, number, sequence, hash)| Head {
            sequence,
            number,
            hash: cluster::Hash(hash),
        }))
    }

    fn apply(&self, partition: Partition, head: Head, batch: Option<Bytes>, applied: Applied) {
        let Some(store) = self.0.store() else { return applied(Err("the storage is closed".to_owned())) };
        let changes = match batch.map_or(Ok(Vec::new()), |batch| store::decode(&batch)) {
            Ok(changes) => changes,
            Err(why) => return applied(Err(why)),
        };
        let news: Vec<Change> = changes.iter().filter(|change| concerns_memory(change)).cloned().collect();
        let nodes = Arc::clone(&self.0);
        let done = move |folded: Result<(), String>| {
            if folded.is_ok() {
                news.into_iter().for_each(|change| nodes.tell(change));
            }
            applied(folded);
        };
        store.fold(Folded {
            part: partition.0,
            number: head.number,
            sequence: head.sequence,
            hash: head.hash.0,
            changes,
            done: Box::new(done),
        });
    }

    fn join(&self, changes: &[Vec<u8>]) -> Vec<u8> {
        store::join(changes)
    }

    fn gained(&self, hosting: Hosting) {
        if let Some(app) = self.0.app() {
            app.tables.rooms.gained(hosting.partition());
        }
    }

    fn lost(&self, partition: Partition) {
        if let Some(app) = self.0.app() {
            app.tables.rooms.lost(partition);
        }
    }

    fn answer(&self, partition: Partition, question: &[u8]) -> Result<Vec<u8>, String> {
        if question.len() > MOST {
            return Err(format!("a question has at most {MOST} bytes"));
        }
        match serde_json::from_slice(question).map_err(|why| format!("no question: {why}"))? {
            Question::Claim { day, game, guest, table } => self.claim(partition, day, game, guest, table),
            Question::Left { table } => {
                // A host that was replaced and has not heard of it cannot commit, and so does not say what was true once. (Nobody was
                // seen: that changes nothing.)
                let hosting = self.hosting(partition)?;
                self.commit(&hosting, &Change::Seen { at: 0, guest: String::new() })?;
                let left = self.0.store().ok_or("the storage is closed")?.is_left(&table);
                Ok(left.map_err(|error| error.to_string())?.to_string().into_bytes())
            }
            Question::Begin { table, guest } => {
                let app = self.0.app().ok_or("the server is closing")?;
                let table = app.tables.visit(&table).map_err(|refused| refused.text.into_owned())?;
                let Some(table) = table else { return Ok(b"false".to_vec()) };
                let known = self.0.store().ok_or("the storage is closed")?.guest(&guest);
                let known = known.map_err(|error| error.to_string())?.ok_or("there is no such guest")?;
                let player = Person { id: known.id, name: known.name };
                app.tables.begin_try(&table, &player).map_err(|refused| refused.text.into_owned())?;
                Ok(b"true".to_vec())
            }
            Question::Link { token, take } => {
                let app = self.0.app().ok_or("the server is closing")?;
                let found = if take { app.devices.take(&token) } else { app.devices.look(&token) };
                let found = found.map(|(guest, table)| (guest.to_string(), table));
                Ok(serde_json::to_vec(&found).expect("plain data"))
            }
        }
    }

    fn heard(&self, from: &NodeId, bytes: Bytes) {
        self.0.heard(from, &bytes);
    }

    fn missed(&self, node: Option<&NodeId>) {
        self.0.missed(node);
    }

    fn gone(&self, node: &NodeId) {
        self.0.missed(Some(node));
    }
}

impl Applies {
    /// Whether another table may take the place of this one in a try: its host knows.
    fn is_left(&self, table: &str) -> Result<bool, String> {
        let question = asked(&Question::Left { table: table.to_owned() });
        let answer = self.0.wait(self.0.node().question(Partition::of(table), question))?;
        serde_json::from_slice(&answer).map_err(|why| why.to_string())
    }

    /// Judges a claim one after another, each when what came of the one before is in the database.
    fn claim(
        &self,
        partition: Partition,
        day: String,
        game: String,
        guest: String,
        table: String,
    ) -> Result<Vec<u8>, String> {
        let store = self.0.store().ok_or("the storage is closed")?;
        // Before anything is read: what is judged with what another host has written since is not written.
        let hosting = self.hosting(partition)?;
        let claimed = || store.try_of(&day, &game, &guest).map_err(|error| error.to_string());
        let _turn = loop {
            let before = claimed()?;
            if let Some(kept) = &before {
                let stays = kept.table == table || kept.result.is_some() || !self.is_left(&kept.table)?;
                if stays {
                    return Ok(kept.table.clone().into_bytes());
                }
            }
            let turn = lock(&self.0.claims);
            if claimed()?.map(|kept| kept.table) == before.map(|kept| kept.table) {
                break turn;
            }
        };
        let answer = table.clone().into_bytes();
        self.commit(&hosting, &Change::Try { day, game, guest, table }).map(|()| answer)
    }

    /// The right to write to a partition, while all is known that was written there.
    fn hosting(&self, partition: Partition) -> Result<Hosting, String> {
        let hosting = self.0.node().hosting(partition).ok_or(ELSEWHERE)?;
        if hosting.is_settled() { Ok(hosting) } else { Err(cluster::NO_ANSWER.to_owned()) }
    }

    /// Writes a change that counts only if all that was handed over before it does, and waits until it is applied here.
    fn commit(&self, hosting: &Hosting, change: &Change) -> Result<(), String> {
        let (told, heard) = std::sync::mpsc::sync_channel(1);
        hosting.append(change.encode(), Box::new(move |outcome| drop(told.send(outcome))));
        match heard.recv() {
            Ok(cluster::Outcome::Committed(_)) => Ok(()),
            Ok(cluster::Outcome::Refused(why) | cluster::Outcome::Unknown(why)) => Err(why),
            Ok(cluster::Outcome::Over) | Err(_) => Err(ELSEWHERE.to_owned()),
        }
    }
}

/// Starts the thread that brings what was applied to memory: names, glances of tables that other nodes host, and those who are
/// to be forgotten. What it has not done when the server ends is done by what is read at the next start.
pub(super) fn see_to_news(nodes: Weak<Nodes>, news: Receiver<Change>) -> std::io::Result<()> {
    let see = move || {
        while let Ok(change) = news.recv() {
            let Some(nodes) = nodes.upgrade() else { return };
            if let Err(why) = nodes.see_to(change) {
                tracing::error!(why, "what another node has written does not show here");
            }
        }
    };
    std::thread::Builder::new().name("parlour-news".to_owned()).spawn(see).map(|_| ())
}

impl Nodes {
    fn see_to(&self, change: Change) -> Result<(), String> {
        let Some(app) = self.app() else { return Ok(()) };
        let text = |error: store::StoreError| error.to_string();
        match change {
            Change::Saved { table, .. } | Change::About { table, .. } | Change::Closed { table } => {
                app.tables.rooms.look_at(&table).map_err(text)
            }
            Change::Guest { id, name, .. } => app
                .tables
                .rooms
                .rename(&Person { id, name: crate::about::shown(&name).into_owned() })
                .map_err(text),
            Change::Leaves { guest } => {
                guest.parse().into_iter().for_each(|guest| app.devices.forget(guest));
                let named = app.tables.rooms.hosted_of(&guest).map_err(text)?;
                app.tables.forget_here(&guest).map_err(text)?;
                // What tables of this node said of them before they heard of it is behind this in their logs.
                for partition in named {
                    let change = Change::Forgets { guest: guest.clone() };
                    self.wait(self.node().commit(partition, change.encode()))?;
                }
                Ok(())
            }
            Change::Forgets { guest } => {
                self.store().map_or(Ok(()), |store| store.forget_here(&guest)).map_err(text)
            }
            _ => Ok(()),
        }
    }
}
