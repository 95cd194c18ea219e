//! The laboratory: exact counts, odds, simulation, tournaments, reports.

pub mod caps;
pub mod classes;
pub mod lines;
pub mod matches;
pub mod odds;
pub mod patterns;
#[cfg(feature = "native")]
pub mod report;
pub mod sim;
pub mod space;
pub mod stats;
#[cfg(feature = "native")]
pub mod tournament;
