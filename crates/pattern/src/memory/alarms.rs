//! What comes with time alone.

use super::Memory;
use super::event::Event;
use crate::frame::alarms::{due, first_alarm};
use crate::frame::draft::Draft;
use crate::frame::roster::{Cause, DealEnd, Stage};
use crate::rules::FlipOnTimeout;
use game::{Alarm, Millis, Refusal};

/// Why an alarm rings; the order settles which of two goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Bell {
    Reveal,
    Flip,
    Roster(Cause),
}

impl Memory {
    pub(super) fn bell(&self) -> Option<(Alarm, Bell)> {
        let state = &self.state;
        let playing = state.roster.stage == Stage::Playing;
        let own = [(state.reveal_until, Bell::Reveal), (state.deadline, Bell::Flip)];
        let own = own.into_iter().filter_map(|(due, bell)| due.filter(|_| playing).map(|due| (due, bell)));
        let common = state.roster.alarms(&self.rules).map(|(due, cause)| (due, Bell::Roster(cause)));
        first_alarm(own.chain(common), |bell| match bell {
            Bell::Reveal => 0,
            Bell::Flip => 1,
            Bell::Roster(cause) => cause.kind(),
        })
    }
}

impl Draft<Memory> {
    /// An alarm rings.
    pub(super) fn ring(&mut self, at: Millis, id: u32) -> Result<(), Refusal> {
        match due(self.game.bell(), at, id)? {
            Bell::Reveal => self.pass_on(at),
            Bell::Flip => {
                let seat = self.game.state.turn;
                let filling = self.game.rules.flip_on_timeout == FlipOnTimeout::Random;
                self.emit(Event::RanOut { at, seat, filling });
                if !filling {
                    if self.game.state.timed_out >= 2 * self.game.state.roster.remaining().len() as u16 {
                        self.close(at, DealEnd::TimedOut);
                    } else {
                        self.pass_on(at);
                    }
                }
            }
            Bell::Roster(cause) => self.rung(at, cause),
        }
        Ok(())
    }
}
