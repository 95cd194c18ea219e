//! What happens in a live trial, and what a viewer learns of it.

use super::state::Racer;
use crate::race;
use game::{Millis, Outcome, Presence, Seat};
use serde::{Deserialize, Serialize};

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "TrialEvent")]
#[serde(rename_all = "snake_case")]
#[allow(clippy::large_enum_variant)] // held in lists as long as one input
pub enum Event {
    /// The deck was shuffled for all.
    Started {
        /// When.
        at: Millis,
    },
    /// Something happened on somebody's board, where they have seat 0.
    Board {
        /// Whose.
        seat: Seat,
        /// What.
        event: race::Event,
    },
    /// Somebody whose board is done comes or goes.
    Presence {
        /// When.
        at: Millis,
        /// Who.
        seat: Seat,
        /// How.
        presence: Presence,
    },
    /// All boards are done, or too few are left (LEAVE-6).
    Ended {
        /// When.
        at: Millis,
        /// How.
        outcome: Outcome,
    },
}

/// What a viewer learns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "TrialNotice")]
#[serde(rename_all = "snake_case")]
#[allow(clippy::large_enum_variant)] // as above
pub enum Notice {
    /// What everybody learns.
    Shared(Event),
    /// Something happened on the own board.
    Own(race::Notice),
    /// How far somebody else is now.
    Progress {
        /// Who.
        seat: Seat,
        /// How far.
        racer: Racer,
    },
}
