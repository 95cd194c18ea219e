//! What everybody may see of a live trial: how far each is.

use crate::frame::presence::Held;
use crate::rules::Rules;
use game::{Millis, Objections, Outcome, Refusal, Seat, SeatSet, say};
use serde::{Deserialize, Serialize};

/// How far somebody is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "TrialRacer")]
pub struct Racer {
    /// Whether somebody holds the seat.
    pub held: Held,
    /// Sets found.
    pub sets: u16,
    /// Wrong claims.
    pub errors: u16,
    /// When the own board was done, and whether the goal was reached.
    pub done: Option<Done>,
}

/// How somebody's board ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "TrialDone")]
pub struct Done {
    /// When.
    pub at: Millis,
    /// Whether the goal was reached (TRIAL-2).
    pub goal: bool,
}

/// What everybody may see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "TrialState")]
pub struct State {
    /// The players.
    pub racers: Vec<Racer>,
    /// When the boards were dealt.
    pub started_at: Option<Millis>,
    /// How the match ended.
    pub outcome: Option<Outcome>,
}

impl State {
    /// Refuses everything once the match is over.
    pub(super) fn must_go_on(&self) -> Result<(), Refusal> {
        match self.outcome {
            Some(_) if self.all_done() => Err(Refusal::new(&["CORE-3"], say!("no.over"))),
            Some(_) => Err(Refusal::new(&["CORE-3", "LEAVE-6", "Q-06"], say!("no.over"))),
            None => Ok(()),
        }
    }

    /// Whether every board is done.
    pub(super) fn all_done(&self) -> bool {
        self.racers.iter().all(|racer| racer.done.is_some())
    }

    /// Whether so few are left that the match ends (LEAVE-6, Q-06). Who reached the goal and left has a result that others can
    /// still beat, and counts as there.
    pub(super) fn too_few(&self, rules: &Rules) -> bool {
        let counts = |racer: &&Racer| racer.held != Held::Retired || racer.done.is_some_and(|done| done.goal);
        let least = usize::from(rules.players.min).min(self.racers.len());
        self.racers.iter().filter(counts).count() < least
    }

    /// Refuses every act of a seat that has no board to play on.
    pub(super) fn may_play(&self, seat: Seat) -> Result<(), Refusal> {
        let Some(racer) = self.racers.get(seat.index()) else {
            return Err(Refusal::new(&["Q-15"], say!("no.seat", n = seat)));
        };
        let mut no = Objections::new();
        no.also(self.must_go_on());
        no.when(racer.done.is_some(), &["TRIAL-4", "TRIAL-2", "CORE-3"], || say!("no_pattern.board_done"));
        no.when(racer.held == Held::Retired, &["LEAVE-2", "Q-15"], || say!("no_pattern.left"));
        no.settle()
    }

    /// Milliseconds that a racer who reached the goal took, with what errors add (TRIAL-3).
    #[must_use]
    pub fn result(&self, rules: &Rules, seat: Seat) -> Option<u32> {
        let racer = self.racers.get(seat.index())?;
        let done = racer.done.filter(|done| done.goal)?;
        let errors = u32::from(racer.errors) * u32::from(rules.wrong_penalty_s) * 1000;
        Some(done.at.since(self.started_at.unwrap_or(Millis(0))).saturating_add(errors))
    }

    /// Final places: who reached the goal by their time, then the others by their Sets; equal results share. Where boards are
    /// left undone it is as they stand, unranked, and whoever leads has won (LEAVE-6).
    pub(super) fn ranking(&self, rules: &Rules) -> Outcome {
        let key = |seat: usize| match self.result(rules, Seat(seat as u8)) {
            Some(millis) => (0, i64::from(millis)),
            None => {
                let racer = &self.racers[seat];
                (1 + u8::from(racer.held == Held::Retired), -i64::from(racer.sets))
            }
        };
        let seats = 0..self.racers.len();
        let place = |seat| 1 + seats.clone().filter(|&other| key(other) < key(seat)).count() as u8;
        let places: Vec<u8> = seats.clone().map(place).collect();
        let early = !self.all_done();
        let won = |seat: &usize| places[*seat] == 1 && (key(*seat).0 == 0 || early && key(*seat).0 == 1);
        let winners: SeatSet = seats.filter(won).map(|seat| Seat(seat as u8)).collect();
        let ranked = self.racers.len() > 1 && !winners.is_empty() && !early;
        let scores = self.racers.iter().map(|racer| i32::from(racer.sets)).collect();
        Outcome { winners, scores, places, ranked, settlement: Vec::new() }
    }
}
