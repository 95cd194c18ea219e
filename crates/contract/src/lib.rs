//! The rules of the Contract Rummy family, and the exact meld solver.
//!
//! - [`rules`]: the rules of a match as plain data, one field for each option of the rulebook.
//! - [`meld`]: what a meld is, and what makes one legal.

pub mod meld;
pub mod rules;

pub use rules::{RoundRules, Rules};
