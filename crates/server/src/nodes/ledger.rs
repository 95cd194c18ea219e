//! How the storage of a node writes: into the log, whichever node hosts that part of it.

use super::{Nodes, house};
use cluster::Partition;
use store::{Change, Ledger, Whose};

/// The partition that something is in.
pub(super) fn partition(whose: &Whose) -> Partition {
    match whose {
        Whose::Table(name) | Whose::Guest(name) => Partition::of(name),
    }
}

impl Ledger for Nodes {
    fn commit(&self, whose: &Whose, change: Change) -> Result<(), String> {
        self.wait(self.node().commit(partition(whose), change.encode()))
    }

    fn hand(&self, whose: &Whose, change: Change) {
        let queue = self.handed.get().and_then(|queues| queues.get(usize::from(partition(whose).0)));
        // Nobody hears of it if the server ends just now.
        let _ = queue.map(|queue| queue.send(change.encode()));
    }

    fn claim(&self, day: &str, game: &str, guest: &str, table: &str) -> Result<String, String> {
        let [day, game, table] = [day, game, table].map(str::to_owned);
        let question = house::Question::Claim { day, game, guest: guest.to_owned(), table };
        let answer = self.wait(self.node().question(Partition::of(guest), house::asked(&question)))?;
        String::from_utf8(answer.to_vec()).map_err(|_| "the host answered something strange".to_owned())
    }
}
