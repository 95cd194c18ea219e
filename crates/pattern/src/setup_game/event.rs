//! What happens in a game of SETup.

use super::state::Challenged;
use crate::frame::roster::Happening;
use crate::race::Hand;
use cards::Point;
use game::{Millis, Seat};
use serde::{Deserialize, Serialize};

/// What happened. A viewer's notice is the same with what is hidden from that viewer left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "SetupEvent")]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Something about the table rather than the cards.
    Table(Happening),
    /// The deck was shuffled and the hands were dealt.
    Dealt {
        /// When.
        at: Millis,
        /// The stock, top first; hidden from everybody.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        stock: Vec<Point>,
        /// How many that is.
        left: u16,
        /// The hands, seat by seat.
        hands: Vec<Hand>,
        /// Who begins.
        turn: Seat,
    },
    /// A card was played.
    Played {
        /// When.
        at: Millis,
        /// Who.
        seat: Seat,
        /// Which.
        card: Point,
        /// Whether the clock played it (SETUP-7).
        by_clock: bool,
        /// Whose turn is next.
        next: Seat,
    },
    /// The card played was replaced from the stock.
    Drew {
        /// Who.
        seat: Seat,
        /// Which; counted only for the others.
        card: Hand,
    },
    /// A seat lets the card stand.
    Passed {
        /// When.
        at: Millis,
        /// Who.
        seat: Seat,
    },
    /// A challenge was judged. Right: whoever played the card takes the table (SETUP-5).
    Challenged {
        /// When.
        at: Millis,
        /// How.
        challenge: Challenged,
        /// The penalty card that a false challenge costs.
        penalty: Option<Point>,
        /// Whether the challenger is locked out for this card.
        locks: bool,
    },
    /// The hand of a retired seat was put under the stock (LEAVE-4).
    HandedIn {
        /// Whose.
        seat: Seat,
    },
    /// The turn passes from a retired seat, or from one without cards.
    Skipped {
        /// When.
        at: Millis,
        /// To whom.
        next: Seat,
    },
}

/// What a viewer learns: the event without the order of the stock and the others' cards.
pub type Notice = Event;
