//! Whether a seat may do something now, and the refusal if not. The truth and the views judge by this.

use super::state::State;
use crate::claim::Claim;
use crate::command::Command;
use crate::finder::{Judged, Sought};
use crate::offers::{self, Act, Asked, Needs};
use crate::rules::{Hints, Rules};
use cards::Point;
use game::{Millis, Objections, Refusal, say};

/// What a seat knows, asked for what that seat may do.
pub(super) type Judge<'a> = Asked<'a, State>;

impl Judge<'_> {
    /// What keeps the player from every act, and that there is no layout to act on.
    fn may_act(&self) -> Result<Objections, Refusal> {
        let roster = &self.state.roster;
        let mut no = roster.may_act(self.rules, self.seat, "DAILY-3")?;
        roster.must_play(&mut no, &["DAILY-1"], say!("no_pattern.no_layout"));
        Ok(no)
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
        let mut no = self.may_act()?;
        match command {
            Command::Claim { groups, leaves } => {
                no.when(leaves.is_some(), &["DAILY-2", "Q-01"], || say!("no_pattern.none_leaves"));
                no.also(self.claim(groups));
            }
            Command::GiveUp => {}
            Command::Hint => drop(no.also(self.hint())),
            _ => no.object(&["DAILY-1", "DAILY-2", "4.1"], say!("no_pattern.puzzle_only")),
        }
        no.settle()
    }

    fn needs(&self, at: Millis, act: Act) -> Result<Needs, Refusal> {
        match act {
            Act::Claim => self.may_act()?.settle().map(|()| Needs::Cards(self.rules.claim_shape())),
            _ => self.judge(at, &act.any()).map(|()| Needs::Nothing),
        }
    }

    fn points(&self, act: Act) -> i32 {
        if act == Act::Hint { self.hint_points() } else { 0 }
    }
}
