//! The rules of the pattern-card family (Set and its variants).
//!
//! One [`Rules`] describes any game of the family; [`Match`] is the truth of one match of it, whatever its mechanism:
//! [`race`] (M1, and scout, M2, on top of it), [`memory`] (M3), [`setup_game`] (M4), [`puzzle`] (M5). `Command` is one
//! language for all of them; `Event`, `Notice` and `View` are nested by mechanism.
//!
//! ```
//! use game::chance::{Chance, SplitMix};
//! use game::{Game, Input, Millis, Seat, Status, Timing, View as _, Viewer};
//! use pattern::solve::{Query, solve};
//! use pattern::{Command, Match, Rules};
//! use std::sync::Arc;
//!
//! // Every Set among some cards.
//! let cards = "0000 0001 0002 1111 2222".to_owned();
//! let answer = solve(&Rules::default(), &Query { cards, ..Query::default() }, 10)?;
//! assert_eq!(answer.count, 2);
//!
//! // A match of two: cards are dealt, and seat 0 claims the first Set that its view offers.
//! let mut game = Match::open(Arc::new(Rules::default()), 2)?;
//! let (mut chance, mut events, now) = (SplitMix(1), Vec::new(), Millis(10_000));
//! while let Status::Chance(need) = game.status() {
//!     game::step(&mut game, Millis(0), &Input::Draw(chance.answer(&need)), &mut events)?;
//! }
//! for kind in [|c: &Command| *c == Command::Call, |c: &Command| matches!(c, Command::Claim { .. })] {
//!     let offered = game.view(Viewer::Seat(Seat(0))).commands(now).commands;
//!     let command = offered.into_iter().find(kind).expect("there is a Set");
//!     game::step(&mut game, now, &Input::Play(Seat(0), command, Timing::at(now)), &mut events)?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
mod claim;
mod command;
mod family;
pub mod finder;
mod frame;
pub mod memory;
pub mod offers;
pub mod options;
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
pub use frame::roster;
pub use offers::{Act, Offers};
pub use rules::{Fault, Rules};
pub use written::Position;
