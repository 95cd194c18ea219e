//! The laboratory: exact counts, odds, simulation, tournaments, reports.
//!
//! ```
//! use cards::Deck;
//! use lab::odds::{Pattern, odds};
//! use lab::{caps, space::Space};
//!
//! // How likely are twelve cards without a Set? Counted exactly, so that no sample is drawn (the last two numbers).
//! let twelve = odds(Deck::D81, Pattern::Set, 12, 1, 1)?;
//! assert!((twelve.none.p - 0.0323).abs() < 0.0001);
//!
//! // How many of the 27 cards of one shading can lie there without a Set?
//! let caps = caps::count(&Space::new(3));
//! assert_eq!(caps.last().expect("the largest").size, 9);
//! # Ok::<(), String>(())
//! ```

pub mod caps;
pub mod classes;
pub mod flats;
pub mod fourier;
pub mod known;
pub mod lengths;
pub mod lines;
pub mod matches;
pub mod odds;
pub mod patterns;
pub mod people;
#[cfg(feature = "native")]
pub mod records;
#[cfg(feature = "native")]
pub mod rehearsal;
#[cfg(feature = "native")]
pub mod report;
pub mod sim;
pub mod space;
pub mod stats;
#[cfg(feature = "native")]
pub mod tournament;
