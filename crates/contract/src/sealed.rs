//! What only its giver knows: answers to offers and claims, and standing answers.

use crate::command::Standing;
use crate::event::{Claim, Event};
use crate::table::{Flow, Phase};
use cards::Face;
use game::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A set of faces. In JSON the list of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaceSet(pub u64);

impl FaceSet {
    /// Whether a face is in it.
    #[must_use]
    pub const fn has(self, face: Face) -> bool {
        self.0 >> face.index() & 1 != 0
    }
    /// The faces in it, the joker last.
    pub fn faces(self) -> impl Iterator<Item = Face> {
        (1..Face::COUNT).chain([0]).filter(move |&i| self.0 >> i & 1 != 0).filter_map(Face::from_index)
    }
}

impl FromIterator<Face> for FaceSet {
    fn from_iter<I: IntoIterator<Item = Face>>(faces: I) -> FaceSet {
        FaceSet(faces.into_iter().fold(0, |set, face| set | 1 << face.index()))
    }
}

impl Serialize for FaceSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.faces())
    }
}

impl<'de> Deserialize<'de> for FaceSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::<Face>::deserialize(deserializer)?.into_iter().collect())
    }
}

impl JsonSchema for FaceSet {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "FaceSet".into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<Face>::json_schema(generator)
    }
}

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

impl Own {
    /// Takes in what an event changes for `seat`; asked with the flow as it was before it.
    pub fn apply(&mut self, flow: &Flow, event: &Event, seat: Seat) {
        match event {
            Event::Answered { seat: who, take } if *who == seat => self.answer = Some(*take),
            Event::Called { seat: who, claim } if *who == seat => {
                self.call = claim.map_or(Call::Pass, Call::Claim);
            }
            Event::Stands { seat: who, standing } if *who == seat => {
                self.stand = standing.into();
                // It decides the offer that is open, too.
                let open = flow.phase == Phase::Offer && flow.asked.has(seat) || flow.open.has(seat);
                if open && self.answer.is_none() {
                    self.answer = self.stand.answer(flow.top);
                }
            }
            Event::Offer { asked, .. } => self.asked(flow, asked.has(seat)),
            Event::Declined { open, .. } if !open.is_empty() => self.asked(flow, open.has(seat)),
            Event::Drew { discard: false, .. } => self.drawn(flow),
            Event::Took { .. }
            | Event::Drew { .. }
            | Event::Pushed { .. }
            | Event::Back { .. }
            | Event::Turn { .. }
            | Event::Discarded { .. }
            | Event::Held => {
                self.answer = None;
                self.call = Call::Open;
            }
            Event::Claims { .. } | Event::Unclaimed | Event::Claimed { .. } => self.call = Call::Open,
            Event::RoundOver { .. } | Event::Round { .. } => *self = Own::default(),
            _ => {}
        }
    }

    fn asked(&mut self, flow: &Flow, asked: bool) {
        if !asked {
            self.answer = None;
        } else if self.answer.is_none() {
            self.answer = self.stand.answer(flow.top);
        }
    }

    /// P0 drew from the stock: answers lapse, unless the card stays open while P0 plays.
    pub fn drawn(&mut self, flow: &Flow) {
        if flow.open.is_empty() {
            self.answer = None;
        }
    }
}
