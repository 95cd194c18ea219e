//! The rules of the pattern-card family (Set and its variants).
//!
//! One [`Rules`] describes any game of the family; [`Match`] is the truth of one match of it, whatever its mechanism:
//! [`race`] (M1, and scout, M2, on top of it), [`memory`] (M3), [`setup_game`] (M4), [`puzzle`] (M5). `Command` is one
//! language for all of them; `Event`, `Notice` and `View` are nested by mechanism.

mod check;
mod claim;
mod command;
pub mod company;
mod family;
pub mod finder;
pub mod memory;
pub mod options;
mod paper;
pub mod puzzle;
pub mod race;
pub mod rules;
pub mod setup_game;
pub mod solve;
pub mod trial;
mod written;

pub use claim::{Claim, Few};
pub use command::Command;
pub use family::{Event, Match, Notice, View};
pub use rules::{Fault, Rules};
pub use written::Setup;
