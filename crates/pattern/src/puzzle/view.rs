//! What a viewer knows: everything on the table is public.

use super::event::Notice;
use super::state::State;
use crate::command::Command;
use crate::finder::Kind;
use crate::frame::roster::Stage;
use crate::rules::Rules;
use game::{Coverage, Millis, Outcome, Seat, Viewer};
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

impl game::View for View {
    type Command = Command;
    type Notice = Notice;

    fn observe(&mut self, notice: &Notice) {
        self.state.apply(notice);
    }

    fn commands(&self, _: Millis) -> Coverage<Command> {
        let state = &self.state;
        let mut commands = Vec::new();
        if let Viewer::Seat(seat) = self.who
            && state.roster.stage == Stage::Playing
            && state.roster.acts(seat)
        {
            let all = Kind::from(&*self.rules).list(&state.open(), usize::MAX);
            let unfound = all.into_iter().filter(|claim| !state.found.contains(claim));
            commands.extend(unfound.map(Command::claim));
            commands.push(Command::GiveUp);
        }
        // Wrong claims are legal, too.
        Coverage { complete: commands.is_empty(), commands }
    }

    fn awaited(&self) -> bool {
        self.who.is(Seat(0)) && self.state.roster.stage == Stage::Playing
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.state.roster.outcome.as_ref()
    }
}
