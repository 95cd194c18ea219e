//! The match record, fair deals, replay and the scenario runner.
//!
//! - [`entry`]: what a record is made of, on disk and in the journal of a running match.
//! - [`replay`]: reading records back, and checking them.
//! - [`scenario`]: the scenario runner.
//! - [`fair`]: deals that nobody alone chose, and how to check them.

pub mod entry;
pub mod fair;
pub mod replay;
pub mod scenario;

pub use entry::{Cause, Entry, EntryOf, Header, HeaderOf, Note, Pause, Sitter, SitterKind};
