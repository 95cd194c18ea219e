//! What happens in a game of memory.

use super::state::MOST_UP;
use crate::frame::roster::Happening;
use arrayvec::ArrayVec;
use cards::Point;
use game::{Millis, Seat};
use serde::{Deserialize, Serialize};

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "MemoryEvent")]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Something about the table rather than the cards.
    Table(Happening),
    /// The deck was shuffled and laid out face down.
    Dealt {
        /// When.
        at: Millis,
        /// The cards, the first slot's first, then the stock from its top; hidden from everybody.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        cards: Vec<Point>,
        /// How many lie in slots.
        laid: u8,
        /// How many are left as stock.
        left: u16,
        /// Who begins.
        turn: Seat,
    },
    /// A card was turned up.
    Flipped {
        /// When.
        at: Millis,
        /// Whose turn it is.
        seat: Seat,
        /// The slot, from 1.
        slot: u8,
        /// The card.
        card: Point,
        /// Whether chance turned it up because the clock had run out.
        by_chance: bool,
    },
    /// The cards turned up are right and were collected (MEM-4).
    Taken {
        /// When.
        at: Millis,
        /// Who.
        seat: Seat,
        /// The cards.
        cards: ArrayVec<Point, MOST_UP>,
        /// Points for them.
        points: i32,
        /// Whose turn is next.
        next: Seat,
    },
    /// They are not, and stay up for a while (MEM-5).
    Wrong {
        /// When.
        at: Millis,
        /// Until when they stay up.
        until: Millis,
    },
    /// The cards were turned down again and the turn passes (MEM-5).
    TurnedDown {
        /// When.
        at: Millis,
        /// Whose turn is next.
        next: Seat,
    },
    /// The clock ran out (MEM-6).
    RanOut {
        /// When.
        at: Millis,
        /// Whose turn it was.
        seat: Seat,
        /// Whether chance now turns up what is missing; else the turn ends.
        filling: bool,
    },
    /// Face-down cards were laid from the stock.
    Laid {
        /// When.
        at: Millis,
        /// In which slots, from 1.
        slots: Vec<u8>,
        /// Whether they are extra cards because no Set was left (MEM-8).
        extra: bool,
    },
    /// A seat declared that no Set is left (MEM-10).
    Declared {
        /// When.
        at: Millis,
        /// Who.
        seat: Seat,
    },
    /// All declared it, and it is not so.
    DeclaredFalsely {
        /// When.
        at: Millis,
    },
}

/// What a viewer learns: the event without the order of the cards.
pub type Notice = Event;
