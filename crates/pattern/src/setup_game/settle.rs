//! What follows by itself: the card drawn, the next turn, the end of a deal.

use super::SetupGame;
use super::event::Event;
use crate::frame::draft::Draft;
use crate::frame::roster::DealEnd;
use crate::race::Hand;
use cards::Point;
use game::{Millis, Seat};

impl Draft<SetupGame> {
    pub(super) fn lay(&mut self, at: Millis, seat: Seat, card: Point, by_clock: bool) {
        let draws = self.game.state.stock > 0;
        let state = &mut self.game.state;
        // Whose turn is next depends on who has cards once this one is replaced.
        let alone = !draws && state.hands[seat.index()].len() == 1;
        let mut next = state.next_with_cards(seat);
        if next == seat && alone {
            next = state.roster.after(seat);
        }
        self.emit(Event::Played { at, seat, card, by_clock, next });
        if let Some(&card) = self.game.stock.last() {
            self.emit(Event::Drew { seat, card: Hand::Seen(vec![card]) });
        }
        self.over_if_decided(at);
    }

    /// SETUP-7: the last window closes early once nobody may challenge any more.
    pub(super) fn over_if_decided(&mut self, at: Millis) {
        let state = &self.game.state;
        if state.all_played() && state.undecided().and(state.roster.needed(at)).is_empty() {
            self.close(at, DealEnd::Finished);
        }
    }

    pub(super) fn skip(&mut self, at: Millis) {
        let next = self.game.state.next_with_cards(self.game.state.turn);
        self.emit(Event::Skipped { at, next });
    }
}
