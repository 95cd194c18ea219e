//! Memory (M3): in turn, face-down slots.
//!
//! Everything that happens is seen by everybody except which card lies where: that is in the truth alone, so a
//! [`View`] is the same for all, and a notice is the event without the order of the shuffle.

mod alarms;
mod apply;
mod decide;
mod event;
mod judge;
mod notation;
mod settle;
mod state;
#[cfg(test)]
mod tests;
mod view;

pub use event::{Event, Notice};
pub use state::{Slot, State, Turned};
pub use view::View;

use crate::command::Command;
use crate::frame::alarms::alarm_in;
use crate::frame::draft::{Draft, Seated};
use crate::frame::roster::{Best, DealEnd, Happening, Roster, Stage};
use crate::rules::Rules;
use cards::Point;
use game::{Alarm, Chance, Game, Input, Millis, Need, Refusal, Seat, SeatSet, Status, Viewer};
use std::sync::Arc;

/// The truth.
#[derive(Clone, Debug)]
pub struct Memory {
    rules: Arc<Rules>,
    state: State,
    /// The card in each slot.
    cards: Vec<Option<Point>>,
    /// The stock, top last.
    stock: Vec<Point>,
    /// Cards that a written position leaves out.
    aside: Vec<Point>,
}

impl Memory {
    pub(super) fn phase(&self) -> &'static str {
        self.state.roster.stage.phase("turn")
    }
}

impl Game for Memory {
    type Rules = Rules;
    type View = View;
    type Command = Command;
    type Event = Event;
    type Notice = Notice;

    fn open(rules: Arc<Rules>, seats: u8) -> Result<Self, Refusal> {
        let state = State::new(&rules, Roster::new(seats));
        Ok(Memory { rules, state, cards: Vec::new(), stock: Vec::new(), aside: Vec::new() })
    }

    fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    fn seats(&self) -> u8 {
        self.state.roster.seats()
    }

    fn status(&self) -> Status {
        let state = &self.state;
        if let Some(status) = state.roster.status(self.rules.deck.size() as u16, 0) {
            return status;
        }
        if state.filling {
            let of = state.face_down().count() as u16;
            return Status::Chance(Need::Pick { deal: state.roster.deal, nth: state.picks, of });
        }
        Status::Seats(if state.reveal_until.is_some() { SeatSet::NONE } else { SeatSet::one(state.turn) })
    }

    fn alarm(&self) -> Option<Alarm> {
        alarm_in(&self.status(), self.bell())
    }

    fn decide(
        &self,
        at: Millis,
        input: &Input<Command>,
        out: &mut impl Extend<Event>,
    ) -> Result<(), Refusal> {
        let mut draft = Draft::of(self);
        match input {
            Input::Play(seat, command, _) => draft.play(at, *seat, command),
            Input::Draw(draw) => draft.draw(at, draw),
            Input::Ring(id) => draft.ring(at, *id),
            Input::Presence(seat, presence) => draft.presence(at, *seat, *presence),
        }?;
        out.extend(draft.events);
        Ok(())
    }

    fn evolve(&mut self, event: &Event) {
        self.take_in(event);
    }

    fn view(&self, who: Viewer) -> View {
        View { who, rules: self.rules.clone(), state: self.state.clone() }
    }

    fn notice(&self, event: &Event, _: Viewer) -> Option<Notice> {
        let mut notice = event.clone();
        if let Event::Dealt { cards, .. } = &mut notice {
            cards.clear();
        }
        Some(notice)
    }

    fn imagine(view: &View, chance: &mut impl Chance) -> Self {
        view.imagined(chance)
    }

    fn census(&self) -> Vec<u16> {
        let mut census = vec![0; self.rules.deck.points()];
        let taken = self.state.roster.players.iter().flat_map(|member| member.taken.iter().copied());
        let placed =
            self.laid().chain(self.stock.iter().copied()).chain(self.aside.iter().copied()).chain(taken);
        if self.cards.is_empty() && self.stock.is_empty() {
            // Between two deals all cards are in the dealer's hands.
            self.rules.cards().for_each(|card| census[usize::from(card.0)] = 1);
        } else {
            placed.for_each(|card| census[usize::from(card.0)] += 1);
        }
        census
    }

    fn ran_out(&self, event: &Event) -> Option<Seat> {
        match event {
            Event::RanOut { seat, .. } => Some(*seat),
            _ => None,
        }
    }
}

impl Seated for Memory {
    const BEST: Best = Best::Highest;

    fn roster(&self) -> &Roster {
        &self.state.roster
    }

    fn told(happening: Happening) -> Event {
        Event::Table(happening)
    }

    fn retire(draft: &mut Draft<Memory>, at: Millis, seat: Seat) {
        draft.table(Happening::Retired { at, seat });
        let state = &draft.game.state;
        if state.roster.too_few(&draft.game.rules) {
            match state.roster.stage {
                Stage::Playing => draft.close(at, DealEnd::TooFew),
                Stage::Over => {}
                _ => draft.end(at),
            }
        } else if state.roster.stage == Stage::Playing {
            if state.turn == seat {
                draft.pass_on(at);
            }
            draft.agreed(at);
        } else {
            draft.go_on_without(at, seat);
        }
    }
}
