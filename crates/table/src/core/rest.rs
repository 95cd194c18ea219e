//! The rest between two rounds: nothing goes on until all have read how the last one ended, or its time is up.

use super::*;

/// A pause between two rounds.
#[derive(Clone, Copy)]
pub(super) struct Rest {
    /// When it is over at the latest, on the host's clock; none while nobody is there, or something else stops the clock.
    pub until: Option<u64>,
    /// Who has gone on.
    pub pressed: SeatSet,
    /// Whether the end of the round is durable: nobody hears of the rest before.
    pub told: bool,
}

impl Rest {
    /// One that has been told of, with its whole time.
    pub fn told() -> Rest {
        Rest { until: None, pressed: SeatSet::NONE, told: true }
    }
}

impl<G: Playable> Core<G> {
    /// A round has just ended. The match rests if anybody is there to read how; in a trial the clock waits for nobody.
    pub(super) fn begin_rest(&mut self) {
        if self.settings.trial.is_none() && self.settings.rest_s > 0 && !self.waits_for().is_empty() {
            self.resting = Some(Rest { told: false, ..Rest::told() });
            self.then(Then::Rest);
        }
    }

    /// The people who have not gone on: those who are connected and play themselves.
    pub(super) fn waits_for(&self) -> SeatSet {
        let pressed = self.resting.map_or(SeatSet::NONE, |rest| rest.pressed);
        let seats = self.chairs.iter().zip((0..).map(Seat));
        seats
            .filter(|(chair, seat)| chair.person().is_some() && !chair.bot_plays && !pressed.has(*seat))
            .map(|(_, seat)| seat)
            .filter(|seat| self.connected(*seat))
            .collect()
    }

    /// Everybody may know that the match rests.
    pub(super) fn tell_rest(&mut self) {
        if let Some(rest) = &mut self.resting {
            rest.told = true;
            self.changed = true;
            self.run_or_stop();
        }
    }

    /// Somebody has read how the round ended.
    pub(super) fn go_on(&mut self, seat: Seat) {
        if let Some(rest) = self.resting.as_mut().filter(|rest| rest.told) {
            rest.pressed.add(seat);
            self.changed = true;
        }
    }

    /// Ends the rest if its time is up or all have gone on. Its time passes while somebody is there, and begins anew for who
    /// comes back to an empty table.
    pub(super) fn end_rest(&mut self) {
        let now = self.now();
        let counts = self.somebody() && !self.asked && !self.troubled();
        let waits = !self.waits_for().is_empty();
        let most = 1000 * u64::from(self.settings.rest_s);
        let Some(rest) = self.resting.as_mut().filter(|rest| rest.told) else { return };
        let until = rest.until.unwrap_or(now + most);
        rest.until = counts.then_some(until);
        if counts && (!waits || until <= now) {
            self.resting = None;
            self.changed = true;
            self.unsaved = true;
        }
    }

    /// How many milliseconds are left of the rest.
    pub(super) fn rest_left(&self) -> u32 {
        let until = self.resting.and_then(|rest| rest.until);
        until.map_or(0, |until| u32::try_from(until.saturating_sub(self.now())).unwrap_or(u32::MAX))
    }
}
