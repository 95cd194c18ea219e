//! From one machine to several: the games of a server that was on its own come into the log of a cluster.

use super::{access, ledger};
use crate::error::StartError;
use crate::settings::ClusterSettings;
use cluster::{Engine as _, Head, Host, JOINED, MOST_BODY, Nats, PARTITIONS, Partition, Writer};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;
use store::{Change, Store, Whose};
use tokio::runtime::Handle;

/// What writes the games of before into the log is called so there.
const IMPORT: &str = "import";

/// What was brought in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Changes: guests, tables, entries of matches, and the like.
    pub changes: u64,
    /// Bytes of them.
    pub bytes: u64,
}

/// What is to be written to one partition.
struct Part {
    writer: Writer<Nats>,
    waiting: Vec<Vec<u8>>,
    bytes: usize,
}

/// Writes all that a server kept in the folder `from` into the log of the cluster that `settings` name. No server may run on the
/// folder, and the log must be empty. The folder stays as it is. Blocks, on a thread of a runtime.
///
/// # Errors
/// If the folder cannot be read, or the log cannot be written or has something already: in a sentence.
pub fn import(settings: &ClusterSettings, from: &Path) -> Result<Imported, StartError> {
    let runtime = Handle::current();
    let no = |why: String| StartError::Cluster(why);
    let access =
        access(settings)?.ok_or_else(|| no("say with --cluster where its servers of NATS are".to_owned()))?;
    if !from.join(store::DATABASE).is_file() {
        return Err(no(format!("{} has no games of a server", from.display())));
    }
    let store = Store::open(from)?;
    let nats = runtime.block_on(async {
        let (nats, _) = Nats::open(&access).await.map_err(|unfit| no(unfit.to_string()))?;
        for partition in (0..PARTITIONS).map(Partition) {
            if !nats.read(partition, 0, 1).await.map_err(|error| no(error.to_string()))?.is_empty() {
                return Err(no(
                    "its log has something already, and games of before come first or not at all: remove its streams (`nats stream rm PARLOUR_LOG_0` and so on) if nothing in it is needed"
                        .to_owned(),
                ));
            }
        }
        Ok(nats)
    })?;
    let mut parts: BTreeMap<Partition, Part> = BTreeMap::new();
    let (mut imported, mut failed) = (Imported::default(), None);
    store.everything(|whose: Whose, change: Change| {
        if failed.is_some() {
            return;
        }
        let (partition, change) = (ledger::partition(&whose), change.encode());
        imported.changes += 1;
        imported.bytes += change.len() as u64;
        let written = runtime.block_on(async {
            let part = match parts.entry(partition) {
                Entry::Occupied(part) => part.into_mut(),
                Entry::Vacant(place) => {
                    let host = Host { node: IMPORT.to_owned(), incarnation: crate::identity::random() };
                    let writer =
                        Writer::take_over(nats.clone(), partition, Head::START, &host, |_| {}).await?;
                    place.insert(Part { writer, waiting: Vec::new(), bytes: 0 })
                }
            };
            part.take(change).await
        });
        failed = written.err();
    })?;
    for part in parts.values_mut() {
        if failed.is_none() {
            failed = runtime.block_on(part.write()).err();
        }
    }
    match failed {
        None => Ok(imported),
        Some(fault) => Err(no(format!("{fault}; what was written of it is of no use, see above"))),
    }
}

impl Part {
    /// Takes a change, and writes what waits where that would be too much.
    async fn take(&mut self, change: Vec<u8>) -> Result<(), cluster::Fault> {
        if self.bytes + change.len() + 4 > MOST_BODY - JOINED {
            self.write().await?;
        }
        self.bytes += change.len() + 4;
        self.waiting.push(change);
        Ok(())
    }

    async fn write(&mut self) -> Result<(), cluster::Fault> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let batch = store::join(&std::mem::take(&mut self.waiting));
        self.bytes = 0;
        let mut written = self.writer.append(batch).await;
        while let Err(cluster::Fault::Unsettled(_)) = written {
            written = self.writer.settle().await.map(|head| head.unwrap_or(self.writer.head()));
        }
        written.map(|_| ())
    }
}
