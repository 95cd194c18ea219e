//! What a viewer knows: the same for all, but for where which card lies, which nobody knows.

use super::Memory;
use super::event::Notice;
use super::judge::Judge;
use super::state::{Slot, State};
use crate::command::Command;
use crate::finder::PointSet;
use crate::frame::roster::Stage;
use crate::offers::{Judge as _, Offers};
use crate::rules::Rules;
use cards::Point;
use game::{Chance, Coverage, Millis, Outcome, Refusal, Viewer};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a viewer knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "MemoryView")]
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

    /// A truth that looks like this.
    pub(super) fn imagined(&self, chance: &mut impl Chance) -> Memory {
        let state = &self.state;
        let mut known = PointSet::EMPTY;
        state.seen.iter().flatten().for_each(|&card| known.add(card));
        state.roster.players.iter().flat_map(|member| &member.taken).for_each(|&card| known.add(card));
        let mut rest: Vec<Point> = self.rules.cards().filter(|&card| !known.has(card)).collect();
        chance.shuffle(&mut rest);
        let card = |(i, slot): (usize, &Slot)| match (slot, state.seen[i]) {
            (Slot::Empty, _) => None,
            (_, Some(card)) => Some(card),
            _ => rest.pop(),
        };
        let cards = state.slots.iter().enumerate().map(card).collect();
        let dealt = matches!(state.roster.stage, Stage::Playing);
        let stock =
            rest.split_off(rest.len() - if dealt { usize::from(state.stock).min(rest.len()) } else { 0 });
        Memory { rules: self.rules.clone(), state: state.clone(), cards, stock, aside: rest }
    }
}

impl game::View for View {
    type Command = Command;
    type Notice = Notice;

    fn observe(&mut self, notice: &Notice) {
        self.state.apply(&self.rules, notice);
    }

    fn commands(&self, at: Millis) -> Coverage<Command> {
        let listed = self.judge().map_or_else(Vec::new, |judge| judge.listed(at));
        Coverage { commands: listed.into_iter().flat_map(|(_, commands)| commands).collect(), complete: true }
    }

    fn closed(&self, at: Millis) -> Vec<(Command, Refusal)> {
        self.judge().map_or_else(Vec::new, |judge| judge.closed(at))
    }

    fn admits(&self, at: Millis, command: &Command) -> Option<bool> {
        Some(self.judge().is_some_and(|judge| judge.judge(at, command).is_ok()))
    }

    fn awaited(&self) -> bool {
        let Viewer::Seat(seat) = self.who else { return false };
        match self.state.roster.stage {
            Stage::Playing => self.state.turn == seat && self.state.may_flip(),
            Stage::Between => self.state.roster.unready().has(seat),
            _ => false,
        }
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.state.roster.outcome.as_ref()
    }
}
