//! A table: people and bots around one match after another.
//!
//! The table is the only place where the truth of a running match lives. Everything that happens to it comes in through
//! [`Table`] under one lock, is judged by the rules, written to the [`Journal`], and told to those who may know it only
//! when the journal says that it is durable. So the table works ahead of the disk, and nobody ever hears of a move that a
//! power cut could undo.
//!
//! It knows no sockets and no SQL: frames leave through an [`Outlet`], entries through a [`Journal`], time and randomness
//! come from a [`Host`]. All of them are traits, so that a test drives a table by hand through the same code.
//!
//! Invariants, each with the test that guards it (`tests/`):
//!
//! - Nothing leaves before its entry is durable, and everything leaves in the order of the log: `gate`.
//! - Each viewer's notices are numbered without gaps by a function of log and viewer alone: `numbers`.
//! - A command is applied once, however often it is sent: `resend`.
//! - A viewer's bytes do not depend on cards it has not learnt: `secrecy`.
//! - When the journal refuses or is unsure, memory is dropped and read anew, and who asked is answered: `trouble`.
//! - A table where nobody is can be dropped, once the disk has all of it, and is opened again as it was: `sleep`.
//! - A match that is over keeps no memory: `memory`.
//! - Match time stands still while nobody is connected, on request, and while moves cannot be stored: `clock`.
//! - Between two rounds the match rests until all who are there have gone on, or the time is up: `rest`.
//! - After a wake-up nothing is due now or earlier, and an empty house asks for none: `wakes`.
//! - A trial is dealt from its seed alone, and its clock waits for nobody once the cards lie: `trial`.
//! - Under `order = ping_adjusted` everything waits while a claim is held, and goes on in adjusted order: `hold`.
//!
//! ```
//! use game::Seat;
//! use rulebook::Match;
//! use std::sync::Arc;
//! use table::*;
//! use wire::{Act, Stage};
//!
//! /// Tables are kept nowhere.
//! struct Nowhere;
//! impl TableStore for Nowhere {
//!     fn save(&self, _: &str, _: Vec<String>, _: String) {}
//!     fn played(&self, _: Played) {}
//!     fn finished(&self, _: Finished) {}
//! }
//!
//! // What a table works with: here memory, and the clock and chance of this machine.
//! let journal = Arc::new(MemoryJournal::default());
//! let env = Env::<Match> {
//!     journal: journal.clone(),
//!     tables: Arc::new(Nowhere),
//!     host: Arc::new(System::start(1)),
//!     bots: Arc::new(bots::make),
//!     alike: |one, other| one == other,
//!     rules: Arc::new(|_, _| None),
//! };
//! let ann = Person { id: "1".to_owned(), name: "Ann".to_owned() };
//! let settings = Settings {
//!     id: "t".to_owned(),
//!     rules: rulebook::preset("contract")?.rules(3)?,
//!     seats: 3,
//!     host: ann.clone(),
//!     sit_in: "easy".to_owned(),
//!     join_late: false,
//!     rest_s: 20,
//!     trial: None,
//! };
//! let table = Table::open(settings, env)?;
//!
//! // Ann sits down with two bots. A socket would be given to `connect`, and bring commands.
//! table.act(&ann, &Act::Sit { seat: Seat(0) })?;
//! for seat in [1, 2] {
//!     table.act(&ann, &Act::Bot { seat: Seat(seat), kind: "steady".to_owned() })?;
//! }
//! journal.commit_all();
//! assert_eq!(table.state().stage, Stage::Lobby);
//! assert!(table.state().seats.iter().all(|seat| seat.who.is_some()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod core;
mod fair;
mod host;
mod journal;
mod log;
mod outlet;
mod play;
mod shell;
#[cfg(not(target_family = "wasm"))]
mod system;

pub use core::{Chair, Finished, Glance, Person, Played, Saved, Settings, Trial, Who, glance, rest_s};
pub use host::{Host, Wake};
pub use journal::{Append, AppendListener, Appended, Journal, MatchId, MemoryJournal, Unreadable};
pub use log::read_log;
pub use outlet::Outlet;
pub use shell::{Connection, Malformed, Table};
#[cfg(not(target_family = "wasm"))]
pub use system::System;

use game::Game;
use std::sync::Arc;

/// A game that can be played at a table: one whose parts may go from thread to thread.
pub trait Playable:
    Game<Rules: Send + Sync, View: Send, Command: Send, Event: Send, Notice: Send> + Send + 'static
{
}

impl<G> Playable for G where
    G: Game<Rules: Send + Sync, View: Send, Command: Send, Event: Send, Notice: Send> + Send + 'static
{
}

/// Makes the bot of a kind (`easy`) for matches under these rules; none if there is no such kind.
pub type BotMaker<G> =
    dyn Fn(&str, &<G as Game>::Rules) -> Option<Box<dyn bots::Bot<<G as Game>::View>>> + Send + Sync;

/// Makes the rules of the game of a table, by its id, for another number of players than it has seats; none if nobody knows
/// what the table was made of, or the game is not for so many.
pub type RulesMaker<G> = dyn Fn(&str, u8) -> Option<Arc<<G as Game>::Rules>> + Send + Sync;

/// Where tables themselves are kept: who sits where, and which match is on. The journal keeps the matches.
pub trait TableStore: Send + Sync {
    /// Keeps how a table is now, in place of how it was, and the ids of the people who are in that: those who sit there, and
    /// the host. Must not block; written in the order of the calls, and before whatever is appended to the journal later.
    fn save(&self, table: &str, people: Vec<String>, saved: String);
    /// A match has begun with these people, or some of them have changed.
    fn played(&self, played: Played);
    /// A match has ended and is durable.
    fn finished(&self, finished: Finished);
}

/// What a table works with.
pub struct Env<G: Playable> {
    /// Where matches are written down.
    pub journal: Arc<dyn Journal>,
    /// Where the table itself is kept.
    pub tables: Arc<dyn TableStore>,
    /// The machine.
    pub host: Arc<dyn Host>,
    /// Who makes the bots.
    pub bots: Arc<BotMaker<G>>,
    /// Whether people would take one name for the other: then two of them do not sit at one table.
    pub alike: fn(&str, &str) -> bool,
    /// Who works out rules for fewer players than a table has seats.
    pub rules: Arc<RulesMaker<G>>,
}

impl<G: Playable> Clone for Env<G> {
    fn clone(&self) -> Self {
        Env {
            journal: Arc::clone(&self.journal),
            tables: Arc::clone(&self.tables),
            host: Arc::clone(&self.host),
            bots: Arc::clone(&self.bots),
            alike: self.alike,
            rules: Arc::clone(&self.rules),
        }
    }
}
