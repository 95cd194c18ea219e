//! What only its giver knows: answers to offers and claims, and standing answers.

use crate::command::Standing;
use crate::event::Claim;
use crate::hand::FaceSet;
use crate::state::MOST;
use cards::Face;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A standing answer, as kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "KeptStandingAnswer")]
#[serde(rename_all = "snake_case")]
pub enum Stand {
    /// None: the seat is asked each time.
    #[default]
    Off,
    /// Pass every offer of this round.
    Pass,
    /// Ask for these faces; be asked about any other.
    Take(FaceSet),
}

impl Stand {
    /// What it answers to an offer of `face`; none if the seat is to be asked.
    #[must_use]
    pub fn answer(self, face: Option<Face>) -> Option<bool> {
        match self {
            Stand::Off => None,
            Stand::Pass => Some(false),
            Stand::Take(faces) => face.filter(|&f| faces.has(f)).map(|_| true),
        }
    }
}

impl From<&Option<Standing>> for Stand {
    fn from(standing: &Option<Standing>) -> Stand {
        match standing {
            None => Stand::Off,
            Some(Standing::Pass) => Stand::Pass,
            Some(Standing::Take(faces)) => Stand::Take(faces.iter().copied().collect()),
        }
    }
}

/// What a seat decided about a discard that could be claimed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "DiscardAnswer")]
#[serde(rename_all = "snake_case")]
pub enum Call {
    /// Nothing yet.
    #[default]
    Open,
    /// To let it lie.
    Pass,
    /// To claim it.
    Claim(Claim),
}

/// One seat's answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "OwnAnswers")]
pub struct Own {
    /// To the card that is or will be offered: whether it asks for it.
    pub answer: Option<bool>,
    /// To the discard that can be claimed.
    pub call: Call,
    /// To all offers of the round.
    pub stand: Stand,
}

/// What a seat knows of the cards that were passed on in this round (HR-PASS-1).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PassedCards")]
#[serde(default)]
pub struct Passed {
    /// What it passes on: the cards that lie face down while others choose; afterwards those that whoever got them still holds, as
    /// far as can be known.
    pub given: Vec<Face>,
    /// What it got, as it came.
    pub taken: Vec<Face>,
}

impl Passed {
    /// Whether nothing was passed on.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.given.is_empty() && self.taken.is_empty()
    }
}

/// What is small and secret. Copied for a decision on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sealed {
    pub own: [Own; MOST],
    /// In what order seats asked or called: 0 for not at all.
    pub since: [u8; MOST],
    /// How many have.
    pub asked: u8,
    /// What each hand costs.
    pub deadwood: [i32; MOST],
    /// P0's discard (none: hold) and protecting call, held back while the card beneath is settled.
    pub discard: Option<(Option<Face>, bool)>,
    /// The card P0 drew from the discard pile, if the hand held none of its face before.
    pub back: Option<Face>,
}

impl Default for Sealed {
    fn default() -> Self {
        Sealed {
            own: [Own::default(); MOST],
            since: [0; MOST],
            asked: 0,
            deadwood: [0; MOST],
            discard: None,
            back: None,
        }
    }
}
