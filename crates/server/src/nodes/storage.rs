//! Where tables of a partition that this node hosts are written down.

use super::moves;
use cluster::{Hosting, NO_ANSWER, Outcome};
use std::sync::Arc;
use store::{Change, Store};
use table::{Append, Appended, Finished, Host, Journal, MatchId, Played, TableStore, Unreadable};
use tokio::runtime::Handle;

/// The log of a partition, for as long as this node hosts it, and the database, which has all that is in it.
pub(super) struct Hosted {
    pub hosting: Hosting,
    pub store: Arc<Store>,
    pub runtime: Handle,
    pub host: Arc<dyn Host>,
}

impl Hosted {
    /// Seconds since 1970.
    fn now(&self) -> u64 {
        self.host.today()
    }

    fn hand(&self, change: &Change) {
        let told = |outcome| match outcome {
            // It is written, or will be; or the table is another node's, which knows as much of it.
            Outcome::Committed(_) | Outcome::Unknown(_) | Outcome::Over => {}
            Outcome::Refused(why) => tracing::error!(why, "how a table is was not stored"),
        };
        self.hosting.hand(change.encode(), Box::new(told));
    }
}

impl Journal for Hosted {
    fn append(&self, append: Append) {
        let Append { id, ply, body, listener } = append;
        let change = match Change::entry(id, ply, body) {
            Ok(change) => change.encode(),
            Err(why) => {
                // Never from within this call.
                self.runtime.spawn_blocking(move || listener.appended(id, ply, &Appended::Failed(why)));
                return;
            }
        };
        let runtime = self.runtime.clone();
        let told = move |outcome| {
            let appended = match outcome {
                Outcome::Committed(_) => Appended::Committed,
                Outcome::Refused(why) => Appended::Failed(why),
                Outcome::Unknown(why) => Appended::Unknown(why),
                Outcome::Over => {
                    let appended = Appended::Failed(moves().to_string());
                    runtime.spawn_blocking(move || listener.appended(id, ply, &appended));
                    return;
                }
            };
            listener.appended(id, ply, &appended);
        };
        self.hosting.append(change, Box::new(told));
    }

    fn read(&self, id: MatchId, from: u32) -> Result<Vec<Vec<u8>>, Unreadable> {
        if !self.hosting.is_settled() {
            return Err(Unreadable(NO_ANSWER.to_owned()));
        }
        self.store.read(id, from)
    }
}

impl TableStore for Hosted {
    fn save(&self, table: &str, people: Vec<String>, saved: String) {
        self.hand(&Change::Saved { table: table.to_owned(), people, saved });
    }
    fn played(&self, played: Played) {
        let Played { id, table, seats } = played;
        self.hand(&Change::Played { at: self.now(), id, table, seats });
    }
    fn finished(&self, finished: Finished) {
        let Finished { id, table, seats, outcome, entries } = finished;
        self.hand(&Change::Finished { at: self.now(), id, table, seats, outcome, entries });
    }
}
