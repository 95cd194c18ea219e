//! The match record, fair deals, replay and the scenario runner.
//!
//! - [`entry`]: what a record is made of, on disk and in the journal of a running match.
//! - [`name`]: the name of a match, which binds its header.
//! - [`replay`]: reading records back, and printing them.
//! - [`verify`]: judging them again.
//! - [`scenario`]: the scenario runner.
//! - [`fair`]: deals that nobody alone chose, and how to check them.
//!
//! ```
//! use record::scenario;
//! use rulebook::NoFiles;
//!
//! // A position and what must come of it, as in docs/notation.md.
//! let text = r#"
//! game = "contract"
//! seats = 3
//! [setup]
//! phase = "play"
//! turn = 0
//! hands = ["4S 9C 2D", "KS", "KD"]
//! melds = ["0: G[4C 4D 4H]"]
//! [play]
//! script = '''
//! 0 layoff 4S on 1
//! = hand 0: 9C 2D
//! ! 1 discard KS
//! '''
//! "#;
//! assert_eq!(scenario::run(text, &NoFiles)?, Ok(()));
//!
//! let wrong = scenario::run(&text.replace("9C 2D\n!", "9C\n!"), &NoFiles)?.unwrap_err();
//! assert_eq!(wrong.text, "= hand 0: 9C");
//! # Ok::<(), scenario::Unreadable>(())
//! ```

pub mod entry;
pub mod fair;
pub mod name;
pub mod replay;
pub mod scenario;
pub mod verify;

pub use entry::{Cause, ENGINE, Entry, EntryOf, Header, HeaderOf, Note, Pause, Sitter, SitterKind};
pub use verify::verify;
