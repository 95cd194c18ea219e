//! What comes with time alone.

use super::SetupGame;
use crate::frame::alarms::{due, first_alarm};
use crate::frame::draft::Draft;
use crate::frame::roster::{Cause, DealEnd, Stage};
use game::{Alarm, Millis, Refusal};

/// Why an alarm rings; the order settles which of two goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Bell {
    /// The last window closes.
    Last,
    /// A turn runs out.
    Turn,
    Roster(Cause),
}

impl SetupGame {
    pub(super) fn bell(&self) -> Option<(Alarm, Bell)> {
        let (state, rules) = (&self.state, &self.rules);
        let own = match (state.roster.stage, state.all_played()) {
            (Stage::Playing, true) => {
                let open = |at: &Millis| !state.undecided().and(state.roster.needed(*at)).is_empty();
                // Nobody waits for who has been away for long.
                let decided = state.roster.long_away().filter(|at| !open(at)).min();
                let ends = state.window_ends(rules);
                Some((decided.map_or(ends, |at| at.min(ends)), Bell::Last))
            }
            (Stage::Playing, false) if rules.turn_timeout_s > 0 => {
                let due = state.turn_since.after(u32::from(rules.turn_timeout_s) * 1000);
                // Even the clock waits for the challenge window.
                Some((due.max(state.window_ends(rules)), Bell::Turn))
            }
            _ => None,
        };
        let common = state.roster.alarms(rules).map(|(due, cause)| (due, Bell::Roster(cause)));
        first_alarm(own.into_iter().chain(common), |bell| match bell {
            Bell::Last => 0,
            Bell::Turn => 1,
            Bell::Roster(cause) => cause.kind(),
        })
    }
}

impl Draft<SetupGame> {
    /// An alarm rings.
    pub(super) fn ring(&mut self, at: Millis, id: u32) -> Result<(), Refusal> {
        match due(self.game.bell(), at, id)? {
            Bell::Last => self.close(at, DealEnd::Finished),
            Bell::Turn => {
                let seat = self.game.state.turn;
                match self.game.state.hands[seat.index()].cards().first() {
                    Some(&card) => self.lay(at, seat, card, true),
                    None => self.skip(at),
                }
            }
            Bell::Roster(cause) => self.rung(at, cause),
        }
        Ok(())
    }
}
