//! The race (M1) and scout (M2): simultaneous claims on an open layout, generic over everything in 4.1.

mod board;
mod state;

pub use board::Board;
use cards::Point;
use game::{Millis, Viewer};
use serde::{Deserialize, Serialize};
pub use state::{
    Call, DealEnd, Event, Finding, Hand, Held, Lock, Missed, Phase, Placed, Player, Search, Showing, Shuffle,
    State, Verdict, Why,
};
use std::sync::Arc;

use crate::claim::Claim;
use crate::rules::Rules;

/// What a viewer learns: the event without what is hidden from that viewer.
pub type Notice = Event;

/// What only one seat knows, its hand apart.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Mine {
    /// The own answer in a tie: a claim, or nothing for a withdrawn call.
    pub answer: Option<Option<Claim>>,
    /// The own sealed Set (SCOUT-2).
    pub sealed: Option<[Point; 3]>,
    /// Whether the own seat has passed in this search (SCOUT-7).
    pub passed: bool,
    /// Cards that hints have shown on the present layout.
    pub hints: Vec<Point>,
}

/// What a viewer knows of a race.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct View {
    /// Whose view.
    pub who: Viewer,
    /// The rules of the match.
    pub rules: Arc<Rules>,
    /// What is on the table; hidden hands are counted only.
    pub state: State,
    /// What only this seat knows; empty for the table.
    pub mine: Mine,
}

/// The truth of a race.
#[derive(Clone, Debug)]
pub struct Race {
    rules: Arc<Rules>,
    /// With every hand in it.
    state: State,
    /// The stock, top last.
    stock: Vec<Point>,
    /// Cards that a written position leaves out.
    aside: Vec<Point>,
    /// What each seat alone knows.
    mine: Vec<Mine>,
}

mod unplayed;
