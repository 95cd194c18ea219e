//! The match record, fair deals, replay and the scenario runner.
//!
//! - [`entry`]: what a record is made of, on disk and in the journal of a running match.
//! - [`scenario`]: the scenario runner.
//! - [`fair`]: deals that nobody alone chose, and how to check them.

pub mod entry;
pub mod fair;
pub mod scenario;

pub use entry::{Cause, Entry, EntryOf, Header, HeaderOf, Note, Pause, Sitter, SitterKind};
