//! What a viewer knows: everything on the table is public.

use super::event::Notice;
use super::judge::Judge;
use super::state::State;
use crate::command::Command;
use crate::frame::roster::Stage;
use crate::offers::{Act, Judge as _, Offers};
use crate::rules::Rules;
use game::{Coverage, Millis, Outcome, Refusal, Seat, Viewer};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a viewer knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "PuzzleView")]
pub struct View {
    /// Whose view.
    pub who: Viewer,
    /// The rules of the match.
    pub rules: Arc<Rules>,
    /// What is on the table.
    pub state: State,
}

impl View {
    /// What judges the own seat's acts; none for the table.
    fn judge(&self) -> Option<Judge<'_>> {
        Judge::by(self.who, &self.rules, &self.state)
    }

    /// Everything that this seat may do at `at`; nothing for the table.
    #[must_use]
    pub fn offers(&self, at: Millis) -> Offers {
        self.judge().map_or_else(Offers::default, |judge| judge.offers(at))
    }
}

impl game::View for View {
    type Command = Command;
    type Notice = Notice;

    fn observe(&mut self, notice: &Notice) {
        self.state.apply(notice);
    }

    fn commands(&self, at: Millis) -> Coverage<Command> {
        let mut commands = Vec::new();
        for (act, listed) in self.judge().map_or_else(Vec::new, |judge| judge.listed(at)) {
            commands.extend(listed);
            if act == Act::Claim {
                commands.extend(self.state.unfound(&self.rules).into_iter().map(Command::claim));
            }
        }
        // Wrong claims are legal, too.
        Coverage { complete: commands.is_empty(), commands }
    }

    fn closed(&self, at: Millis) -> Vec<(Command, Refusal)> {
        self.judge().map_or_else(Vec::new, |judge| judge.closed(at))
    }

    fn admits(&self, at: Millis, command: &Command) -> Option<bool> {
        Some(self.judge().is_some_and(|judge| judge.judge(at, command).is_ok()))
    }

    fn awaited(&self) -> bool {
        self.who.is(Seat(0)) && self.state.roster.stage == Stage::Playing
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.state.roster.outcome.as_ref()
    }
}
