//! What everybody may see of a puzzle.

use crate::claim::Claim;
use crate::finder::{Open, Sought};
use crate::frame::roster::Roster;
use crate::race::Finding;
use crate::rules::Rules;
use cards::Point;
use game::Millis;
use serde::{Deserialize, Serialize};

/// What everybody may see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "PuzzleState")]
pub struct State {
    /// The player, and how far the match is.
    #[serde(rename = "company")]
    pub roster: Roster,
    /// The layout.
    pub layout: Vec<Point>,
    /// How many claims it holds.
    pub total: u16,
    /// Those found so far, in order; each canonical.
    pub found: Vec<Claim>,
    /// Wrong claims (DAILY-2).
    pub errors: u16,
    /// The last claim and how it was judged.
    pub last: Option<(Claim, Finding)>,
    /// Cards that hints have shown since the last find.
    pub hints: Vec<Point>,
    /// When the layout was first shown: the clock runs from there (DAILY-3).
    pub started_at: Millis,
    /// When the last claim was found, or the game ended without.
    pub ended_at: Option<Millis>,
    /// What was not found; empty before the end (DAILY-6).
    pub missed: Vec<Claim>,
}

impl State {
    pub(super) fn new(roster: Roster) -> State {
        State {
            roster,
            layout: Vec::new(),
            total: 0,
            found: Vec::new(),
            errors: 0,
            last: None,
            hints: Vec::new(),
            started_at: Millis(0),
            ended_at: None,
            missed: Vec::new(),
        }
    }

    pub(super) fn open(&self) -> Open {
        Open::layout(self.layout.iter().map(|&card| (0, card)))
    }

    /// The claims that are still to be found, in canonical order.
    #[must_use]
    pub fn unfound(&self, rules: &Rules) -> Vec<Claim> {
        let mut all = Sought::from(rules).list(&self.open(), usize::MAX);
        all.retain(|claim| !self.found.contains(claim));
        all
    }

    /// Milliseconds from the first display to the end, or to `at` while it runs (DAILY-3).
    #[must_use]
    pub fn elapsed(&self, at: Millis) -> u32 {
        self.ended_at.unwrap_or(at).since(self.started_at)
    }
}
