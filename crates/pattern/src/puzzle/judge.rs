//! Whether a seat may do something now, and the refusal if not. The truth and the views judge by this.

use super::state::State;
use crate::claim::Claim;
use crate::command::Command;
use crate::finder::{Judged, Sought};
use crate::frame::roster::Stage;
use crate::offers::{self, Act, Asked, Needs};
use crate::rules::{Hints, Rules};
use cards::Point;
use game::{Millis, Refusal, say};

/// What a seat knows, asked for what that seat may do.
pub(super) type Judge<'a> = Asked<'a, State>;

impl Judge<'_> {
    /// Refuses everything while there is no layout to act on.
    pub fn may_act(&self) -> Result<(), Refusal> {
        self.state.roster.may_act(self.seat, "DAILY-3")?;
        if self.state.roster.stage != Stage::Playing {
            return Err(Refusal::new(&["DAILY-1", "CORE-3"], say!("no_pattern.no_layout")));
        }
        Ok(())
    }

    /// Judges a claim; refuses one that has not the shape of a claim.
    pub fn claim(&self, claim: &Claim) -> Result<Judged, Refusal> {
        Sought::from(self.rules).judge(&self.state.open(), claim).map_err(|mut refusal| {
            refusal.rules.insert(0, "DAILY-1".into());
            refusal
        })
    }

    /// The card that a hint shows.
    pub fn hint(&self) -> Result<Point, Refusal> {
        if self.rules.hints == Hints::Off {
            return Err(Refusal::new(&["A-50"], say!("no_pattern.no_hints")));
        }
        let unfound = self.state.unfound(self.rules);
        let shown = |card: &&Point| self.state.hints.contains(card);
        let next = unfound.first().and_then(|claim| claim.cards().iter().find(|card| !shown(card)).copied());
        next.ok_or_else(|| Refusal::new(&["A-50"], say!("no_pattern.nothing_to_show")))
    }

    /// Points that a hint adds to the score.
    pub fn hint_points(&self) -> i32 {
        -i32::from(self.rules.hints == Hints::CostPoint)
    }
}

impl offers::Judge for Judge<'_> {
    fn rules(&self) -> &Rules {
        self.rules
    }

    fn judge(&self, _: Millis, command: &Command) -> Result<(), Refusal> {
        self.may_act()?;
        match command {
            Command::Claim { leaves: Some(_), .. } => {
                Err(Refusal::new(&["DAILY-2", "Q-01"], say!("no_pattern.none_leaves")))
            }
            Command::Claim { groups, leaves: None } => self.claim(groups).map(drop),
            Command::GiveUp => Ok(()),
            Command::Hint => self.hint().map(drop),
            _ => Err(Refusal::new(&["DAILY-1", "DAILY-2", "4.1"], say!("no_pattern.puzzle_only"))),
        }
    }

    fn needs(&self, at: Millis, act: Act) -> Result<Needs, Refusal> {
        match act {
            Act::Claim => self.may_act().map(|()| Needs::Cards(self.rules.claim_shape())),
            _ => self.judge(at, &act.any()).map(|()| Needs::Nothing),
        }
    }

    fn points(&self, act: Act) -> i32 {
        if act == Act::Hint { self.hint_points() } else { 0 }
    }
}
