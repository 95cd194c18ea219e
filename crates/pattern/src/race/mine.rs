//! What a seat alone knows, and how it changes with what happens.

use super::state::Event;
use crate::claim::Claim;
use cards::Point;
use game::Seat;
use serde::{Deserialize, Serialize};

/// What only one seat knows, its hand apart.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "RaceOwn")]
#[serde(default)]
pub struct Mine {
    /// The own answer in a tie: a claim, or a withdrawn call.
    pub answer: Option<Answer>,
    /// The own sealed Set (SCOUT-2).
    pub sealed: Option<[Point; 3]>,
    /// Whether the own seat has passed in this search (SCOUT-7).
    pub passed: bool,
    /// Cards that hints have shown on the present layout.
    pub hints: Vec<Point>,
}

/// A sealed answer of one of several callers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "SealedAnswer")]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// A claim.
    Claim(Claim),
    /// The call is withdrawn.
    Cancel,
}

impl Mine {
    /// Takes in what the seat `own` learnt; `layout` says whether the layout has changed with it.
    #[inline(always)]
    pub(crate) fn apply(&mut self, event: &Event, own: Seat, layout: bool) {
        if layout {
            self.hints.clear();
        }
        match event {
            Event::Answered { seat, claim, .. } if *seat == own => {
                self.answer = Some(claim.clone().map_or(Answer::Cancel, Answer::Claim));
            }
            Event::Sealed { seat, cards, .. } if *seat == own => self.sealed = *cards,
            Event::Passed { seat, .. } if *seat == own => self.passed = true,
            Event::Hinted { seat, card: Some(card), .. } if *seat == own => self.hints.push(*card),
            Event::TieJudged { .. } | Event::Judged { .. } => self.answer = None,
            Event::Resolved { .. } => (self.sealed, self.passed) = (None, false),
            // A search ends without a verdict when its finder is gone, a tie when all its callers are.
            Event::CallClosed { seat, .. } if self.sealed.is_some() || self.passed || *seat == own => {
                (self.sealed, self.passed, self.answer) = (None, false, None);
            }
            Event::DealOver { .. } => *self = Mine::default(),
            _ => {}
        }
    }
}
