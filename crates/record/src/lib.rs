//! The match record, fair deals, replay and the scenario runner.
//!
//! - [`entry`]: what a record is made of, on disk and in the journal of a running match.
//! - [`name`]: the name of a match, which binds its header.
//! - [`replay`]: reading records back, and printing them.
//! - [`verify`]: judging them again.
//! - [`scenario`]: the scenario runner.
//! - [`fair`]: deals that nobody alone chose, and how to check them.

pub mod entry;
pub mod fair;
pub mod name;
pub mod replay;
pub mod scenario;
pub mod verify;

pub use entry::{Cause, ENGINE, Entry, EntryOf, Header, HeaderOf, Note, Pause, Sitter, SitterKind};
pub use verify::verify;
