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
    /// All have declared who are still waited for.
    Agreed,
    Roster(Cause),
}

impl Memory {
    pub(super) fn bell(&self) -> Option<(Alarm, Bell)> {
        let state = &self.state;
        let playing = state.roster.stage == Stage::Playing;
        let own = [
            (state.reveal_until, Bell::Reveal),
            (state.deadline, Bell::Flip),
            (self.agreed_from(), Bell::Agreed),
        ];
        let own = own.into_iter().filter_map(|(due, bell)| due.filter(|_| playing).map(|due| (due, bell)));
        let common = state.roster.alarms(&self.rules).map(|(due, cause)| (due, Bell::Roster(cause)));
        first_alarm(own.chain(common), |bell| match bell {
            Bell::Reveal => 0,
            Bell::Flip => 1,
            // While a deal is played none begins.
            Bell::Agreed => Cause::Next.kind(),
            Bell::Roster(cause) => cause.kind(),
        })
    }

    /// When those who are needed have all declared that no Set is left, because others have been away for long (LEAVE-1, Q-19).
    fn agreed_from(&self) -> Option<Millis> {
        let (roster, declared) = (&self.state.roster, self.state.declared);
        let agreed = |at: &Millis| {
            let needed = roster.needed(*at);
            !needed.is_empty() && declared.contains_all(needed)
        };
        roster.long_away().filter(agreed).min()
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
            Bell::Agreed => self.agreed(at),
            Bell::Roster(cause) => self.rung(at, cause),
        }
        Ok(())
    }
}
