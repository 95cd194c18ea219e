//! What comes with time alone, and how the game ends.

use super::Puzzle;
use super::event::Event;
use crate::frame::alarms::first_alarm;
use crate::frame::roster::{Best, Cause, DealEnd, Happening};
use game::{Alarm, Millis, SeatSet};

impl Puzzle {
    pub(super) fn bell(&self) -> Option<(Alarm, Cause)> {
        first_alarm(self.state.roster.alarms(&self.rules), |cause| match cause {
            Cause::Grace(_) => 0,
            Cause::Next => 1,
            Cause::Abandon => 2,
        })
    }

    /// How the game ends: won if everything was found.
    pub(super) fn ending(&self, at: Millis, why: DealEnd) -> Vec<Event> {
        let mut events = vec![Event::Table(Happening::DealOver { at, why })];
        let missed = self.state.unfound(&self.rules);
        if !missed.is_empty() {
            events.push(Event::Solved { at, missed });
        }
        let finished = why == DealEnd::Finished;
        let mut outcome = self.state.roster.outcome(Best::Highest, finished);
        if !finished {
            outcome.winners = SeatSet::NONE;
        }
        events.push(Event::Table(Happening::Ended { at, outcome }));
        events
    }
}
