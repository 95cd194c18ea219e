//! The rules of the Contract Rummy family, and the exact meld solver.
//!
//! - [`options`]: one row for each option of the rulebook; [`rules`]: the rules of a match as plain data.
//! - [`meld`]: what a meld is, and what makes one legal.
//! - [`solver`]: what a hand can do; [`solve`]: the same asked in text.
//! - [`Match`]: the truth of a match; [`View`]: what one viewer holds of it. What is public lies in [`table`] and is the
//!   same code for both; what a player may do is judged from what that player sees.

pub mod command;
mod engine;
pub mod event;
mod judge;
pub mod meld;
pub mod options;
pub mod rules;
pub mod sealed;
mod settle;
pub mod solve;
pub mod solver;
pub mod table;
mod view;
mod written;

pub use command::{Command, Standing};
pub use engine::Match;
pub use event::{Event, Notice};
pub use rules::{RoundRules, Rules};
pub use view::View;
pub use written::Setup;
