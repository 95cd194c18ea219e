//! What everybody may see of a game of SETup.

use crate::frame::roster::{Roster, Stage};
use crate::race::Hand;
use crate::rules::Rules;
use cards::Point;
use game::{Millis, Seat, SeatSet};
use serde::{Deserialize, Serialize};

/// The card played last, as long as it may be challenged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "SetupPlayed")]
pub struct Played {
    /// Who played it.
    pub seat: Seat,
    /// The card; it is the last one of the table.
    pub card: Point,
    /// When it was played.
    pub at: Millis,
}

/// A challenge that was judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "SetupChallenged")]
pub struct Challenged {
    /// Who challenged.
    pub seat: Seat,
    /// The two cards named.
    pub named: [Point; 2],
    /// The card challenged, and who played it.
    pub card: Point,
    /// Who played it.
    pub by: Seat,
    /// Whether the three are a Set.
    pub right: bool,
}

/// What everybody may see; hidden hands are counted only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "SetupState")]
pub struct State {
    /// Who sits there, piles of penalty cards, deals. Scores count penalty cards: fewest is best.
    #[serde(rename = "company")]
    pub roster: Roster,
    /// The hands, the card held longest first.
    pub hands: Vec<Hand>,
    /// The table, in the order played.
    pub table: Vec<Point>,
    /// Cards in the stock.
    pub stock: u16,
    /// Whose turn it is; with the last card of the deal played, whose it would be.
    pub turn: Seat,
    /// Since when.
    pub turn_since: Millis,
    /// The card that may be challenged.
    pub last: Option<Played>,
    /// Who lets it stand.
    pub passed: SeatSet,
    /// Who challenged it falsely and may not again (SETUP-8).
    pub locked: SeatSet,
    /// The last challenge.
    pub challenged: Option<Challenged>,
}

impl State {
    pub(super) fn new(roster: Roster) -> State {
        let seats = usize::from(roster.seats());
        State {
            turn: roster.after(roster.dealer),
            roster,
            hands: vec![Hand::Seen(Vec::new()); seats],
            table: Vec::new(),
            stock: 0,
            turn_since: Millis(0),
            last: None,
            passed: SeatSet::NONE,
            locked: SeatSet::NONE,
            challenged: None,
        }
    }

    /// Whether every card is played, so that only the last window is open (SETUP-10).
    #[must_use]
    pub fn all_played(&self) -> bool {
        self.roster.stage == Stage::Playing && self.hands.iter().all(Hand::is_empty)
    }

    /// When the next card may be played, or the last window closes, unless all pass before (SETUP-7).
    #[must_use]
    pub fn window_ends(&self, rules: &Rules) -> Millis {
        let seconds = if self.all_played() { rules.window_last_s } else { rules.window_min_s };
        self.last.map_or(self.turn_since, |last| last.at.after(u32::from(seconds) * 1000))
    }

    /// The seats that may still challenge the last card or let it stand.
    #[must_use]
    pub fn undecided(&self) -> SeatSet {
        let Some(last) = self.last else { return SeatSet::NONE };
        self.roster.remaining().without(last.seat).minus(self.passed).minus(self.locked)
    }

    /// Whether a card may be played at `at`: the shortest window is over, or all others let the last card stand.
    #[must_use]
    pub fn may_play(&self, rules: &Rules, at: Millis) -> bool {
        at >= self.window_ends(rules) || self.undecided().and(self.roster.needed(at)).is_empty()
    }

    /// The next seat after `seat` that has cards to play.
    pub(super) fn next_with_cards(&self, seat: Seat) -> Seat {
        let seats = self.roster.seats();
        (1..=i32::from(seats))
            .map(|steps| seat.step(steps, seats))
            .find(|&s| !self.roster.retired(s) && !self.hands[s.index()].is_empty())
            .unwrap_or_else(|| self.roster.after(seat))
    }
}
