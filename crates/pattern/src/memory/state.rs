//! What everybody may see of a game of memory.

use crate::finder::Sought;
use crate::frame::roster::{Roster, Stage};
use crate::rules::{Grouping, MemoryLayout, Rules};
use arrayvec::ArrayVec;
use cards::Point;
use game::{Millis, Seat, SeatSet};
use serde::{Deserialize, Serialize};

/// Most cards that are turned up in a turn: two SuperSETs.
pub(super) const MOST_UP: usize = 8;

/// A place of the layout as everybody sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "MemorySlot")]
#[serde(rename_all = "snake_case")]
pub enum Slot {
    /// No card; it stays empty in a full layout (MEM-7).
    Empty,
    /// A card face down.
    Down,
    /// A card face up.
    Up(Point),
}

/// What a turn brought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "MemoryTurned")]
pub struct Turned {
    /// Whose turn.
    pub seat: Seat,
    /// The cards in the order in which they were turned up.
    pub cards: ArrayVec<Point, MOST_UP>,
    /// Whether they were collected.
    pub right: bool,
}

/// What everybody may see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "MemoryState")]
pub struct State {
    /// Who sits there, scores, deals.
    #[serde(rename = "company")]
    pub roster: Roster,
    /// The layout, row by row.
    pub slots: Vec<Slot>,
    /// What has lain face up in a slot since it was filled. A person may have forgotten it: screens do not show it, and
    /// bots forget some of it.
    pub seen: Vec<Option<Point>>,
    /// Cards in the stock.
    pub stock: u16,
    /// Whose turn it is.
    pub turn: Seat,
    /// Slots turned up in this turn, in order, from 0.
    pub up: ArrayVec<u8, MOST_UP>,
    /// When the clock for the next card runs out (MEM-6).
    pub deadline: Option<Millis>,
    /// No Set: until when the cards stay up (MEM-5).
    pub reveal_until: Option<Millis>,
    /// Turns in a row that ran out.
    pub timed_out: u16,
    /// Whether chance turns up what is missing.
    pub filling: bool,
    /// How often chance has turned up a card in this deal.
    pub picks: u16,
    /// Who has declared that no Set is left (MEM-10).
    pub declared: SeatSet,
    /// Whether the last declaration was false.
    pub declared_falsely: bool,
    /// The last turn.
    pub last: Option<Turned>,
}

/// Cards that a turn turns up (MEM-3; six in double-memory).
pub(super) fn needed(rules: &Rules) -> usize {
    let sought = Sought::from(rules);
    sought.size() * if rules.multiplicity == crate::rules::Multiplicity::Double { 2 } else { 1 }
}

/// How many cards are laid out: the whole deck, or as many as the rules say (MEM-2).
pub(super) fn base(rules: &Rules) -> usize {
    match rules.memory_layout {
        MemoryLayout::Full(_) => rules.deck.size(),
        MemoryLayout::Slots(slots) => usize::from(slots).min(rules.deck.size()),
    }
}

/// Cards turned up in one go are told apart by the server (double-memory: "must split into two Sets").
pub(super) fn sought(rules: &Rules) -> Sought {
    Sought { grouping: Grouping::Auto, pairing: Grouping::Auto, ..Sought::from(rules) }
}

impl State {
    pub(super) fn new(rules: &Rules, roster: Roster) -> State {
        State {
            turn: roster.after(roster.dealer),
            roster,
            slots: Vec::new(),
            seen: Vec::new(),
            stock: rules.deck.size() as u16,
            up: ArrayVec::new(),
            deadline: None,
            reveal_until: None,
            timed_out: 0,
            filling: false,
            picks: 0,
            declared: SeatSet::NONE,
            declared_falsely: false,
            last: None,
        }
    }

    pub(super) fn clock(&mut self, rules: &Rules, at: Millis) {
        self.deadline = (rules.flip_timeout_s > 0).then(|| at.after(u32::from(rules.flip_timeout_s) * 1000));
    }

    pub(super) fn turn_down(&mut self) {
        for slot in self.up.drain(..) {
            self.slots[usize::from(slot)] = Slot::Down;
        }
        self.reveal_until = None;
        self.filling = false;
    }

    /// The slots with a card face down, from 0.
    pub fn face_down(&self) -> impl Iterator<Item = u8> + '_ {
        let slots = self.slots.iter().enumerate();
        slots.filter(|(_, slot)| **slot == Slot::Down).map(|(i, _)| i as u8)
    }

    /// Whether a card may be turned up now by the seat whose turn it is.
    #[must_use]
    pub fn may_flip(&self) -> bool {
        self.roster.stage == Stage::Playing && self.reveal_until.is_none() && !self.filling
    }

    /// The cards turned up in this turn.
    #[must_use]
    pub fn cards_up(&self) -> ArrayVec<Point, MOST_UP> {
        let card = |slot: &u8| match self.slots[usize::from(*slot)] {
            Slot::Up(card) => Some(card),
            _ => None,
        };
        self.up.iter().filter_map(card).collect()
    }
}
