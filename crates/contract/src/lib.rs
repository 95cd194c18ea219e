//! The rules of the Contract Rummy family, and the exact meld solver.
//!
//! - [`options`]: one row for each option of the rulebook; [`rules`]: the rules of a match as plain data.
//! - [`meld`]: what a meld is, and what makes one legal.
//! - [`solver`]: what a hand can do; [`solve`]: the same asked in text.
//! - [`Match`]: the truth of a match; [`View`]: what one viewer holds of it. What is public lies in [`state`] and is the
//!   same code for both; what a player may do is judged from what that player sees.
//! - [`offers`]: what a seat may do now; [`prepare`]: how far the melds that it prepares have come.
//!
//! ```
//! use contract::solve::{Query, contract};
//! use contract::{Command, Match, Rules};
//! use game::chance::{Chance, SplitMix};
//! use game::{Game, Input, Millis, Seat, Status, Timing};
//! use std::sync::Arc;
//!
//! // Can the contract of the first round (two groups of three) be laid from this hand, and what would be left of it?
//! let rules = Rules::contract(4);
//! let hand = "4C 4D 4H 9S 9H JK KD QC 2S".to_owned();
//! let answer = contract(&rules, &Query { round: 1, hand, melds: None, players: None })?;
//! assert!(answer.can_meld);
//! assert_eq!(answer.best.expect("a way").left, "QC KD 2S");
//!
//! // A match of four: cards are dealt, and the player to begin draws.
//! let mut game = Match::open(Arc::new(rules), 4)?;
//! let (mut chance, mut events, now) = (SplitMix(1), Vec::new(), Millis(0));
//! while let Status::Chance(need) = game.status() {
//!     game::step(&mut game, now, &Input::Draw(chance.answer(&need)), &mut events)?;
//! }
//! let begins = game.flow().turn;
//! let out_of_turn = Input::Play(Seat((begins.0 + 1) % 4), Command::DrawStock, Timing::at(now));
//! let refusal = game::step(&mut game, now, &out_of_turn, &mut events).unwrap_err();
//! println!("{refusal}"); // in words, with the rules that forbid it
//! game::step(&mut game, now, &Input::Play(begins, Command::DrawStock, Timing::at(now)), &mut events)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alarms;
mod apply;
mod as_game;
mod clock;
pub mod command;
pub mod compiled;
mod deal;
mod decide;
mod draft;
pub mod event;
pub mod hand;
mod judge;
pub mod meld;
mod notation;
pub mod offers;
pub mod options;
mod outcome;
pub mod prepare;
pub mod rules;
pub mod sealed;
mod settle;
pub mod solve;
pub mod solver;
pub mod state;
mod truth;
mod view;
mod window;

pub use command::{Command, Standing};
pub use event::{Event, Notice};
pub use notation::Position;
pub use offers::{Offer, Offers};
pub use prepare::{Preparation, Staged, StagedMeld};
pub use rules::{RoundRules, Rules};
pub use truth::Match;
pub use view::View;
