//! The `[setup]` of a scenario file of this family (docs/notation.md, section 3).

use serde::{Deserialize, Serialize};

/// A position that was written down. What is left out is empty, zero, or the rule's default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "Setup")]
pub struct Position {
    /// Whose turn it is; in phase `called`, who called.
    pub turn: Option<u8>,
    /// `open` (default) or `called`.
    pub phase: Option<String>,
    /// Slots row by row, `--` an empty slot, `|` between zones.
    pub board: Option<String>,
    /// Top first; `...` stands for every card of the deck not named anywhere.
    pub stock: Option<String>,
    /// Personal cards, seat by seat.
    pub hands: Vec<String>,
    /// Previous Sets, seat by seat: `A B C`, or `A B C / D E F` in a double chain.
    pub previous: Vec<String>,
    /// Sets held, seat by seat.
    pub collected: Vec<u16>,
    /// Scores, seat by seat.
    pub scores: Vec<i32>,
    /// Cards out of play.
    pub heap: Option<String>,
    /// The discard pile, top first.
    pub discard: Option<String>,
}
