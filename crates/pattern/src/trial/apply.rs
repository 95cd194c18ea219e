//! How what happened changes what is seen.

use super::event::Event;
use super::state::{Done, Racer, State};
use crate::frame::presence::Held;
use crate::race::{self, DealEnd};
use game::Presence;

impl Racer {
    /// Takes in what happened on the own board.
    pub(super) fn apply(&mut self, event: &race::Event) {
        match *event {
            race::Event::Judged { ref verdict, .. } if verdict.finding.right() => {
                self.sets += u16::from(verdict.sets);
            }
            race::Event::Judged { .. } => self.errors += 1,
            race::Event::Away { at, .. } => self.held = Held::Away { since: at },
            race::Event::Back { .. } => self.held = Held::Here,
            race::Event::Retired { .. } => self.held = Held::Retired,
            race::Event::DealOver { at, why, .. } => {
                self.done = Some(Done { at, goal: matches!(why, DealEnd::Goal | DealEnd::NoClaim) });
            }
            // Who leaves before the deal has no deal that ends.
            race::Event::Ended { at, .. } => self.done = self.done.or(Some(Done { at, goal: false })),
            _ => {}
        }
    }

    pub(super) fn after(mut self, event: &race::Event) -> Racer {
        self.apply(event);
        self
    }
}

impl State {
    /// Takes in an event.
    pub(super) fn apply(&mut self, event: &Event) {
        match *event {
            Event::Started { at } => self.started_at = Some(at),
            Event::Board { seat, ref event } => self.racers[seat.index()].apply(event),
            Event::Presence { at, seat, presence } => {
                self.racers[seat.index()].held = match presence {
                    Presence::Dropped => Held::Away { since: at },
                    Presence::Back | Presence::Joined => Held::Here,
                    Presence::Left => Held::Retired,
                };
            }
            Event::Ended { ref outcome, .. } => self.outcome = Some(outcome.clone()),
        }
    }
}
