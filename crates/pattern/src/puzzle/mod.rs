//! The puzzle (M5): a fixed layout, all of whose Sets are to be found (DAILY-1 to DAILY-6).
//!
//! The layout is made by chance: the deck is shuffled again and again until its first cards hold exactly as many Sets as
//! the rules say (about 43 times for six in twelve). Nothing is removed, so everything on the table is public.

mod apply;
mod decide;
mod event;
mod judge;
pub(crate) mod layout;
mod notation;
mod settle;
mod state;
#[cfg(test)]
mod tests;
mod view;

pub use event::{Event, Notice};
pub use state::State;
pub use view::View;

use crate::command::Command;
use crate::finder::PointSet;
use crate::frame::alarms::{alarm_in, due};
use crate::frame::roster::{Cause, DealEnd, Roster};
use crate::rules::Rules;
use cards::Point;
use game::{Alarm, Chance, Game, Input, Millis, Presence, Refusal, Seat, SeatSet, Status, Viewer, say};
use std::sync::Arc;

/// The truth.
#[derive(Clone, Debug)]
pub struct Puzzle {
    rules: Arc<Rules>,
    state: State,
    /// Shuffles that were discarded.
    shuffles: u16,
    /// The slots of a written position.
    slots: Vec<Option<Point>>,
}

impl Puzzle {
    pub(super) fn phase(&self) -> &'static str {
        self.state.roster.stage.phase("open")
    }
}

impl Game for Puzzle {
    type Rules = Rules;
    type View = View;
    type Command = Command;
    type Event = Event;
    type Notice = Notice;

    fn open(rules: Arc<Rules>, seats: u8) -> Result<Self, Refusal> {
        if let Some(fault) = rules.check(seats).into_iter().next() {
            return Err(fault.into());
        }
        let state = State::new(Roster::new(seats));
        Ok(Puzzle { rules, state, shuffles: 0, slots: Vec::new() })
    }

    fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    fn seats(&self) -> u8 {
        self.state.roster.seats()
    }

    fn status(&self) -> Status {
        let common = self.state.roster.status(self.rules.deck.size() as u16, self.shuffles);
        common.unwrap_or(Status::Seats(SeatSet::one(Seat(0))))
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
        let events = match input {
            Input::Play(seat, command, _) => self.play(at, *seat, command),
            Input::Draw(draw) => self.draw(at, draw),
            Input::Ring(id) => match due(self.bell(), at, *id)? {
                Cause::Grace(seat) => self.presence(at, seat, Presence::Left),
                Cause::Abandon => Ok(self.ending(at, DealEnd::Abandoned)),
                Cause::Next => Err(say!("no.alarm").into()),
            },
            Input::Presence(seat, presence) => self.presence(at, *seat, *presence),
        }?;
        out.extend(events);
        Ok(())
    }

    fn evolve(&mut self, event: &Event) {
        self.take_in(event);
    }

    fn view(&self, who: Viewer) -> View {
        View { who, rules: self.rules.clone(), state: self.state.clone() }
    }

    fn notice(&self, event: &Event, _: Viewer) -> Option<Notice> {
        (!matches!(event, Event::Discarded { .. })).then(|| event.clone())
    }

    fn imagine(view: &View, _: &mut impl Chance) -> Self {
        let slots = view.state.layout.iter().map(|&card| Some(card)).collect();
        Puzzle { rules: view.rules.clone(), state: view.state.clone(), shuffles: 0, slots }
    }

    fn census(&self) -> Vec<u16> {
        // The deck is whole before and after the layout is shown, which never loses a card.
        let mut census = vec![0; self.rules.deck.points()];
        let shown = PointSet::of(&self.state.layout);
        let rest = self.rules.cards().filter(|&card| !shown.has(card));
        rest.chain(self.state.layout.iter().copied()).for_each(|card| census[usize::from(card.0)] += 1);
        census
    }
}
