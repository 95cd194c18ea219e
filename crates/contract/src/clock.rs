//! How long each has.

use crate::compiled::CompiledRules;
use crate::draft::Draft;
use crate::event::Event;
use crate::state::{Flow, Phase};
use crate::truth::Match;
use game::{Alarm, Millis, Seat, SeatSet};

/// Seconds after which a seat whose player has left is moved for, where no turn clock runs.
const GONE_SECONDS: u32 = 5;
/// Seconds after which a seat whose connection is lost is moved for, where no turn clock runs.
const AWAY_SECONDS: u32 = 60;
/// Seconds to pick a card of the claimer's hand.
pub(crate) const PICK_SECONDS: u32 = 15;

/// Seconds after which a seat is moved for; none if it has all the time in the world.
pub(crate) fn seconds_of(compiled: &CompiledRules, flow: &Flow, seat: Seat) -> Option<u32> {
    match flow.set(compiled).turn.seconds {
        0 if flow.gone.has(seat) => Some(GONE_SECONDS),
        0 if flow.away.has(seat) => Some(AWAY_SECONDS),
        0 => None,
        seconds => Some(u32::from(seconds)),
    }
}

impl Flow {
    /// Whether a seat that is asked for a discard passes by itself when time is up.
    pub(crate) fn answers_by_clock(&self, compiled: &CompiledRules, seat: Seat) -> bool {
        self.set(compiled).take.seconds > 0 || seconds_of(compiled, self, seat).is_some()
    }
}

impl<O: Extend<Event>> Draft<'_, O> {
    /// When the clock of a seat runs out if it starts now; none if it has none.
    pub(crate) fn clock(&self, seat: Seat) -> Option<Millis> {
        seconds_of(self.compiled, &self.flow, seat).map(|seconds| self.at.after(seconds * 1000))
    }

    /// When P0 must have played: what was left on the turn clock.
    pub(crate) fn rest_of_turn(&self) -> Option<Millis> {
        if self.flow.timed_out {
            return Some(self.at);
        }
        match self.flow.left {
            Some(left) => Some(self.at.after(left)),
            // In START the clock is running.
            None if self.flow.phase == Phase::Start => self.flow.until,
            // Where no turn clock runs, who has left meanwhile is moved for all the same.
            None if self.flow.set(self.compiled).turn.seconds == 0 => self.clock(self.flow.turn),
            None => None,
        }
    }

    /// When a window that asks `asked` closes by itself.
    pub(crate) fn window(&self, seconds: u16, asked: SeatSet) -> Option<Millis> {
        if seconds > 0 {
            return Some(self.at.after(u32::from(seconds) * 1000));
        }
        // each has the turn clock to answer.
        let clocks = asked.iter().map(|seat| seconds_of(self.compiled, &self.flow, seat));
        clocks.flatten().max().map(|seconds| self.at.after(seconds * 1000))
    }
}

impl Match {
    /// When the clock of what is under way runs out.
    pub(crate) fn next_alarm(&self) -> Option<Alarm> {
        let flow = &self.flow;
        // In an offer it may have been that of a seat that has answered since.
        let counts = match flow.phase {
            Phase::Offer { .. } => {
                self.missing().iter().any(|seat| flow.answers_by_clock(&self.compiled, seat))
            }
            _ => true,
        };
        flow.until.filter(|_| counts).map(|due| Alarm { id: flow.alarm, due })
    }

    /// Starts the clock of P0, or of who picks, in a position that was written down, where none runs yet.
    pub(crate) fn start_clock(&mut self) {
        let flow = &self.flow;
        let until = match flow.phase {
            Phase::Start | Phase::Play => {
                seconds_of(&self.compiled, flow, flow.turn).map(|seconds| Millis(seconds * 1000))
            }
            Phase::Choose => {
                let chooser = flow.chooser(&self.compiled);
                seconds_of(&self.compiled, flow, chooser).map(|seconds| Millis(seconds * 1000))
            }
            Phase::Name => {
                seconds_of(&self.compiled, flow, flow.dealer).map(|seconds| Millis(seconds * 1000))
            }
            Phase::Pick { .. } => Some(Millis(PICK_SECONDS * 1000)),
            _ => return,
        };
        if self.flow.until.is_none() {
            self.flow.until = until;
        }
    }
}
