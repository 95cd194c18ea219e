//! Cards of both families: the vocabulary that every other part speaks.
//!
//! This crate knows what cards are and how they are written, and never a rule.
//!
//! - [`art`]: outlines of our own pattern cards.
//! - [`list`]: lists as short as a hand.
//! - [`playing`]: faces of ordinary (and Rook-like) packs, for Contract Rummy.
//! - [`point`]: pattern cards as points of the affine geometry AG(n,3), for Set.

pub mod art;
pub mod list;
pub mod playing;
pub mod point;

pub use playing::{Face, Pack};
pub use point::{Deck, Point};
