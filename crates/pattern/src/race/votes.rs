//! Who may act, who is needed for an agreement, and when there is one (CORE-15 to CORE-17, Q-03, Q-04, Q-15 to Q-17).

use super::Race;
use super::reach::Reach;
use super::state::{Event, Finding, Lock, Phase, Player, State};
use crate::rules::{Dealer, Rules, Sources};
use game::{Millis, Seat, SeatSet};

impl State {
    /// All seats.
    pub(crate) fn seats(&self) -> SeatSet {
        SeatSet::all(self.players.len() as u8)
    }

    /// Seats that are not retired.
    #[must_use]
    pub fn active(&self) -> SeatSet {
        self.seats().iter().filter(|s| !self.players[s.index()].retired()).collect()
    }

    /// Seats whose players are connected.
    #[must_use]
    pub fn here(&self) -> SeatSet {
        self.seats().iter().filter(|s| self.players[s.index()].here()).collect()
    }

    /// The dealer, where the dealer sits out (SETT-2).
    #[must_use]
    pub fn sitting_out(&self, rules: &Rules) -> Option<Seat> {
        (rules.dealer == Dealer::SitsOut && self.active().len() >= 3).then_some(self.dealer)
    }

    /// Whether `seat` may not call or claim now because of a lock.
    #[must_use]
    pub fn locked(&self, seat: Seat, at: Millis) -> bool {
        self.players[seat.index()].lock.holds(at)
    }

    /// Seats needed for an agreement: seated, in the game, not frozen, not away for long.
    #[must_use]
    pub fn needed(&self, rules: &Rules, at: Millis) -> SeatSet {
        self.seats()
            .iter()
            .filter(|&seat| {
                let player = &self.players[seat.index()];
                player.held.needed(at) && player.frozen.is_none() && self.sitting_out(rules) != Some(seat)
            })
            .collect()
    }

    /// Whether all seats needed at `at` wait for somebody's claim, so that nobody is left to make it.
    pub(super) fn all_locked(&self, rules: &Rules, at: Millis) -> bool {
        let needed = self.needed(rules, at);
        !needed.is_empty() && needed.iter().all(|seat| self.players[seat.index()].lock == Lock::NextClaim)
    }

    /// Whether all who are not away for long at `at` are frozen (SCOUT-8).
    pub(super) fn all_frozen(&self, rules: &Rules, at: Millis) -> bool {
        let frozen = self.players.iter().any(|player| player.frozen.is_some() && player.held.needed(at));
        frozen && self.needed(rules, at).is_empty()
    }

    /// Seats that may act, locks aside.
    #[must_use]
    pub fn players_in(&self, rules: &Rules) -> SeatSet {
        let out = self.sitting_out(rules);
        let plays =
            |seat: Seat, player: &Player| player.here() && player.frozen.is_none() && out != Some(seat);
        let seats = (0..).map(Seat).zip(&self.players);
        seats.filter(|&(seat, player)| plays(seat, player)).map(|(seat, _)| seat).collect()
    }

    /// Whether flags are refused because a claim is certain (CORE-19, 4.3).
    #[must_use]
    pub fn certain(&self, rules: &Rules) -> bool {
        rules.layout_max().is_some_and(|max| self.board.len() >= usize::from(max))
    }
}

impl Race {
    /// Keeps the minds up with an event that has just been applied; `layout` says whether the layout changed.
    #[inline(always)]
    pub(super) fn remember(&mut self, event: &Event, layout: bool) {
        let Some(at) = event.at() else { return };
        if layout && std::mem::take(&mut self.minded) {
            for mind in &mut self.minds {
                (mind.refused, mind.pressed) = (None, None);
            }
        }
        if let Some(actor) = event.actor() {
            self.minds[actor.index()].acted = at;
            self.acted = at;
        }
        match event {
            Event::Looking { seat, .. } => {
                self.minds[seat.index()].refused.get_or_insert(at);
                self.minded = true;
            }
            Event::Flag { up: true, .. } => self.flagged = at,
            _ => {}
        }
        if matches!(
            event,
            Event::Flag { .. }
                | Event::Retired { .. }
                | Event::Away { .. }
                | Event::Resolved { .. }
                | Event::Thawed { .. }
        ) {
            self.press(at);
        }
    }

    /// Notes which seats are the last without a flag at `at`.
    fn press(&mut self, at: Millis) {
        for seat in self.state.needed(&self.rules, at).iter() {
            if self.presses(seat, at) {
                self.minds[seat.index()].pressed.get_or_insert(at);
                self.minded = true;
            }
        }
    }

    /// Whether all others who are needed at `at` are flagged.
    fn presses(&self, seat: Seat, at: Millis) -> bool {
        let others = self.state.needed(&self.rules, at).without(seat);
        !others.is_empty() && self.state.flags.contains_all(others)
    }

    /// Notes the same for the times since the last event at which a seat has been away for long enough.
    #[cold]
    pub(super) fn press_until(&mut self, at: Millis) {
        let mut times: Vec<Millis> = self.long_away().filter(|&t| self.clock < t && t <= at).collect();
        times.sort_unstable();
        times.into_iter().for_each(|time| self.press(time));
    }

    /// From when `seat`, whose flag is down, counts as flagged while the flags of all the others count.
    fn counts_from(&self, seat: Seat) -> Option<Millis> {
        let mind = &self.minds[seat.index()];
        let lapse = self.rules.refusal_lapse_s.millis();
        let silent = self.rules.idle_vote_s.millis().and_then(|idle| {
            let silent = mind.acted.max(self.flagged).after(idle);
            match mind.refused {
                None => Some(silent),
                Some(refused) => lapse.map(|l| refused.after(l).max(silent)),
            }
        });
        let later = || self.long_away().filter(|&t| self.clock < t && self.presses(seat, t)).min();
        let pressed = lapse.and_then(|l| mind.pressed.or_else(later).map(|p| p.after(l)));
        [silent, pressed].into_iter().flatten().min()
    }

    /// When all needed seats will count as flagged if nobody acts: now or later, or not at all.
    pub(super) fn agreed_from(&self) -> Option<Millis> {
        if self.state.phase != Phase::Open || self.state.flags.is_empty() || self.state.certain(&self.rules) {
            return None;
        }
        // Who is needed changes only when somebody has been away for long enough.
        let agreed = |from: Millis| -> Option<Millis> {
            let needed = self.state.needed(&self.rules, from);
            if needed.and(self.state.flags).is_empty() {
                return None;
            }
            let mut when = from;
            for seat in needed.minus(self.state.flags).iter() {
                when = when.max(self.counts_from(seat)?);
            }
            Some(when)
        };
        std::iter::once(Millis(0)).chain(self.long_away()).filter_map(agreed).min()
    }

    /// Of those needed for agreement the seats whose claims keep a deal going: not silent for long.
    fn counted(&self, needed: SeatSet, at: Millis) -> SeatSet {
        let Some(idle) = self.rules.idle_vote_s.millis() else { return needed };
        let changed = self.state.layout_at;
        let patient = at < changed.after(idle);
        needed.iter().filter(|s| patient || self.minds[s.index()].acted > changed).collect()
    }

    /// When nobody who counts will have a claim any more if nobody acts, where that comes by itself: claims depend on
    /// the player, and who has one stops being counted.
    pub(super) fn unclaimed_from(&self) -> Option<Millis> {
        if self.rules.sources == Sources::Layout {
            return None;
        }
        let idle = self.rules.idle_vote_s.millis().map(|idle| self.state.layout_at.after(idle));
        let times = idle.into_iter().chain(self.long_away());
        let mut when: Vec<Millis> = times.map(|at| at.max(self.clock)).collect();
        when.sort_unstable();
        when.into_iter().find(|&at| !self.has_claim(at))
    }

    /// When all of those left will wait for a claim, as `all` says, because the others have been away for long (SCOUT-8, Q-18).
    pub(super) fn free_from(&self, all: impl Fn(&State, &Rules, Millis) -> bool) -> Option<Millis> {
        let times = self.long_away().map(|at| at.max(self.clock));
        times.filter(|&at| all(&self.state, &self.rules, at)).min()
    }

    /// When each dropped player stops being needed (LEAVE-1).
    fn long_away(&self) -> impl Iterator<Item = Millis> {
        self.state.players.iter().filter_map(|p| p.held.unneeded_from())
    }

    /// Whether anybody who counts has a claim (CORE-16, CORE-21). Where claims depend on the player and nobody is there, nobody
    /// has none: what comes then is for `grace_s` and `abandon_s` to say.
    pub(super) fn has_claim(&self, at: Millis) -> bool {
        if self.rules.sources == Sources::Layout {
            return self.reach(None).any();
        }
        let needed = self.state.needed(&self.rules, at);
        if needed.is_empty() {
            return true;
        }
        self.counted(needed, at).iter().any(|seat| self.reach(Some(seat)).any())
    }

    /// What is open to a seat, single patterns at the very end where these may be taken.
    pub(super) fn reach(&self, seat: Option<Seat>) -> Reach<'_> {
        let reach = Reach::new(&self.rules, &self.state, seat);
        reach.at_the_end(&self.state)
    }
}

impl Event {
    /// When it happened, where that matters.
    #[inline(always)]
    pub(super) fn at(&self) -> Option<Millis> {
        match self {
            Event::Dealt { at, .. }
            | Event::Laid { at, .. }
            | Event::Drew { at, .. }
            | Event::Called { at, .. }
            | Event::Answered { at, .. }
            | Event::CallClosed { at, .. }
            | Event::Picking { at, .. }
            | Event::Judged { at, .. }
            | Event::TieJudged { at, .. }
            | Event::Flag { at, .. }
            | Event::Looking { at, .. }
            | Event::FlagsDropped { at }
            | Event::Swept { at }
            | Event::Regrouped { at, .. }
            | Event::Lit { at, .. }
            | Event::Hinted { at, .. }
            | Event::Asked { at, .. }
            | Event::Sealed { at, .. }
            | Event::Named { at, .. }
            | Event::Passed { at, .. }
            | Event::ScoutFailed { at, .. }
            | Event::Resolved { at, .. }
            | Event::Thawed { at }
            | Event::Unlocked { at }
            | Event::Away { at, .. }
            | Event::Back { at, .. }
            | Event::Retired { at, .. }
            | Event::Joined { at, .. }
            | Event::Returning { at, .. }
            | Event::DealOver { at, .. }
            | Event::Ready { at, .. }
            | Event::Graduating { at, .. }
            | Event::Ended { at, .. } => Some(*at),
            Event::FirstDealer(_)
            | Event::WindowClosed
            | Event::Shuffling(_)
            | Event::Shuffled { .. }
            | Event::Next { .. }
            | Event::Graduated
            | Event::Begun => None,
        }
    }

    /// Whether it may give a seat something to know alone.
    #[inline(always)]
    pub(super) fn is_private(&self) -> bool {
        matches!(
            self,
            Event::Answered { .. } | Event::Sealed { .. } | Event::Passed { .. } | Event::Hinted { .. }
        )
    }

    /// Whose act it is, if anybody's.
    #[inline(always)]
    pub(super) fn actor(&self) -> Option<Seat> {
        match self {
            Event::Called { seat, .. }
            | Event::Answered { seat, .. }
            | Event::Picking { seat, .. }
            | Event::Flag { seat, .. }
            | Event::Looking { seat, .. }
            | Event::Hinted { seat, .. }
            | Event::Asked { seat, .. }
            | Event::Sealed { seat, .. }
            | Event::Named { seat, .. }
            | Event::Passed { seat, .. }
            | Event::Ready { seat, .. }
            | Event::Graduating { seat, .. } => Some(*seat),
            Event::Judged { verdict, .. } if !matches!(verdict.finding, Finding::Timeout) => {
                Some(verdict.seat)
            }
            Event::ScoutFailed { seat, shown: Some(_), .. } => Some(*seat),
            Event::Resolved { scout: Some((seat, _)), .. } => Some(*seat),
            _ => None,
        }
    }
}
