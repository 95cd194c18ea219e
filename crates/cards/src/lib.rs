//! Cards of both families: the vocabulary that every other part speaks.
//!
//! This crate knows what cards are and how they are written, and never a rule.
//!
//! - [`art`]: outlines of our own pattern cards.
//! - [`list`]: lists as short as a hand.
//! - [`playing`]: faces of ordinary (and Rook-like) packs, for Contract Rummy.
//! - [`point`]: pattern cards as points of the affine geometry AG(n,3), for Set.
//!
//! ```
//! use cards::{Deck, Pack};
//!
//! // A hand, as a person would write it. Each card is a number small enough to index a table.
//! let pack = Pack::standard();
//! let hand = pack.parse_all("4C TH JK")?;
//! assert_eq!(hand[1].rank(), 10);
//! assert_eq!(pack.text_all(&hand), "4C TH JK");
//!
//! // The third card of a Set, with which each feature of the three sums to nothing modulo 3.
//! let (a, b) = (Deck::D81.parse("0000")?, Deck::D81.parse("0121")?);
//! let third: String =
//!     Deck::D81.code(a).iter().zip(Deck::D81.code(b)).map(|(a, b)| ((6 - a - b) % 3).to_string()).collect();
//! assert_eq!(third, "0212");
//! # Ok::<(), String>(())
//! ```

pub mod art;
pub mod list;
pub mod playing;
pub mod point;

pub use playing::{Face, Pack};
pub use point::{Deck, Point};
