//! The rules of the Contract Rummy family, and the exact meld solver.
//!
//! - [`rules`]: the rules of a match as plain data, one field for each option of the rulebook.
//! - [`meld`]: what a meld is, and what makes one legal.
//! - [`solver`]: what a hand can do; [`solve`]: the same asked in text.

pub mod meld;
pub mod rules;
pub mod solve;
pub mod solver;

pub use rules::{RoundRules, Rules};
