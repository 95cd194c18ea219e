//! What a viewer knows: the own board, and how far the others are.

use super::event::Notice;
use super::state::State;
use super::{ALONE, Trial};
use crate::command::Command;
use crate::offers::{Act, Offers};
use crate::race::{self, Race};
use crate::rules::Rules;
use game::{Chance, Coverage, Game, Millis, Outcome, Refusal, Seat, Viewer, say};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a viewer knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "TrialView")]
pub struct View {
    /// Whose view.
    pub who: Viewer,
    /// The rules of the match.
    pub rules: Arc<Rules>,
    /// How far everybody is.
    pub state: State,
    /// The own board; none for those who watch.
    pub board: Option<race::View>,
}

impl View {
    /// What `who` knows of this match.
    pub(super) fn of(trial: &Trial, who: Viewer) -> View {
        let board = match who {
            Viewer::Seat(seat) => trial.boards.get(seat.index()).map(|race| race.view(Viewer::Seat(ALONE))),
            Viewer::Table => None,
        };
        View { who, rules: trial.rules.clone(), state: trial.state.clone(), board }
    }

    /// Everything that this seat may do at `at`, on its own board; nothing for those who watch.
    #[must_use]
    pub fn offers(&self, at: Millis) -> Offers {
        self.board.as_ref().map_or_else(Offers::default, |board| {
            let mut offers = board.offers(at);
            if let Err(refusal) = self.may_play() {
                offers.close(&refusal);
            }
            offers
        })
    }

    /// Refuses every act once the match is over, or this board is done.
    fn may_play(&self) -> Result<(), Refusal> {
        match self.who {
            Viewer::Seat(seat) => self.state.may_play(seat),
            Viewer::Table => Err(say!("no.spectators").into()),
        }
    }

    /// A truth that looks like this.
    pub(super) fn imagined(&self, chance: &mut impl Chance) -> Trial {
        let alone = Arc::new(self.rules.of_board());
        let board = |seat: u8, chance: &mut _| match &self.board {
            Some(own) if self.who.is(Seat(seat)) => Race::imagine(own, chance),
            _ => Race::open(alone.clone(), 1).expect("rules that are played already"),
        };
        let boards = (0..self.state.racers.len() as u8).map(|seat| board(seat, chance)).collect();
        Trial { rules: self.rules.clone(), state: self.state.clone(), boards, plies: 0 }
    }
}

impl game::View for View {
    type Command = Command;
    type Notice = Notice;

    fn observe(&mut self, notice: &Notice) {
        match notice {
            Notice::Shared(event) => self.state.apply(event),
            Notice::Own(event) => {
                if let (Some(board), Viewer::Seat(seat)) = (&mut self.board, self.who) {
                    board.observe(event);
                    self.state.racers[seat.index()].apply(event);
                }
            }
            Notice::Progress { seat, racer } => self.state.racers[seat.index()] = *racer,
        }
    }

    fn commands(&self, at: Millis) -> Coverage<Command> {
        match &self.board {
            Some(board) if self.may_play().is_ok() => board.commands(at),
            _ => Coverage::default(),
        }
    }

    fn closed(&self, at: Millis) -> Vec<(Command, Refusal)> {
        let Some(board) = &self.board else { return Vec::new() };
        match self.may_play() {
            Ok(()) => board.closed(at),
            Err(refusal) => {
                let own = |command: &Command| board.forbids(at, command).err().map(|own| own.rules);
                let closed = Act::ALL.map(|act| {
                    let command = act.any();
                    let why = refusal.clone().citing(own(&command).unwrap_or_default());
                    (command, why)
                });
                closed.into()
            }
        }
    }

    fn admits(&self, at: Millis, command: &Command) -> Option<bool> {
        let board = self.board.as_ref().filter(|_| self.may_play().is_ok());
        Some(board.is_some_and(|board| board.admits(at, command) == Some(true)))
    }

    fn awaited(&self) -> bool {
        self.state.outcome.is_none() && self.board.as_ref().is_some_and(race::View::awaited)
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.state.outcome.as_ref()
    }
}
