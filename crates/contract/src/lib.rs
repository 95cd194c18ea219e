//! The rules of the Contract Rummy family, and the exact meld solver

pub mod meld;
