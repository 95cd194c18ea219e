//! What happens in a puzzle.

use crate::claim::Claim;
use crate::frame::roster::Happening;
use crate::race::Finding;
use cards::Point;
use game::Millis;
use serde::{Deserialize, Serialize};

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "PuzzleEvent")]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Something about the table rather than the cards.
    Table(Happening),
    /// A shuffle did not give the number of Sets that is wanted; nobody learns of it.
    Discarded {
        /// Which shuffle, from 0.
        nth: u16,
    },
    /// The layout.
    Shown {
        /// When.
        at: Millis,
        /// Its cards.
        layout: Vec<Point>,
        /// How many claims it holds.
        total: u16,
    },
    /// A claim was judged.
    Judged {
        /// When.
        at: Millis,
        /// The claim, canonical if it is right.
        claim: Claim,
        /// How.
        finding: Finding,
    },
    /// A claim that was found before; it changes nothing.
    Repeated {
        /// When.
        at: Millis,
        /// The claim.
        claim: Claim,
    },
    /// A hint.
    Hinted {
        /// When.
        at: Millis,
        /// A card of a claim that is still to be found.
        card: Point,
        /// What it does to the score.
        points: i32,
    },
    /// The solution, once the game is over: what was not found.
    Solved {
        /// When.
        at: Millis,
        /// The claims.
        missed: Vec<Claim>,
    },
}

/// What a viewer learns.
pub type Notice = Event;
