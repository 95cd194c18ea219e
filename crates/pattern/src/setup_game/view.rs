//! What a viewer knows: hidden hands are counted only.

use super::SetupGame;
use super::event::{Event, Notice};
use super::judge::Judge;
use super::state::State;
use crate::command::Command;
use crate::finder::{PointSet, is_set};
use crate::frame::roster::{Happening, Stage};
use crate::offers::{Act, Judge as _, Offers};
use crate::race::Hand;
use crate::rules::Rules;
use cards::Point;
use game::{Chance, Coverage, Millis, Outcome, Refusal, Seat, Viewer};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a viewer knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "SetupView")]
pub struct View {
    /// Whose view.
    pub who: Viewer,
    /// The rules of the match.
    pub rules: Arc<Rules>,
    /// What is on the table.
    pub state: State,
}

impl View {
    /// What `who` knows of this game.
    pub(super) fn of(game: &SetupGame, who: Viewer) -> View {
        let mut state = game.state.clone();
        for (i, hand) in state.hands.iter_mut().enumerate() {
            if game.rules.private_hands() && !who.is(Seat(i as u8)) {
                *hand = hand.hidden();
            }
        }
        View { who, rules: game.rules.clone(), state }
    }

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
    pub(super) fn imagined(&self, chance: &mut impl Chance) -> SetupGame {
        let mut state = self.state.clone();
        let mut known = PointSet::of(&state.table);
        let taken = state.roster.players.iter().flat_map(|member| member.taken.iter());
        taken.chain(state.hands.iter().flat_map(|hand| hand.cards())).for_each(|&card| known.add(card));
        let mut rest: Vec<Point> = self.rules.cards().filter(|&card| !known.has(card)).collect();
        chance.shuffle(&mut rest);
        for hand in &mut state.hands {
            if let Hand::Hidden(count) = *hand {
                *hand = Hand::Seen(rest.split_off(rest.len().saturating_sub(usize::from(count))));
            }
        }
        let stock = rest.split_off(rest.len().saturating_sub(usize::from(state.stock)));
        SetupGame { rules: self.rules.clone(), state, stock, aside: rest }
    }
}

impl Event {
    /// What `who` learns from it; `private` says whether hands are hidden.
    pub(super) fn seen_by(&self, who: Viewer, private: bool) -> Notice {
        let mut notice = self.clone();
        let hides = |seat: Seat| private && !who.is(seat);
        match &mut notice {
            Event::Dealt { stock, hands, .. } => {
                stock.clear();
                for (i, hand) in hands.iter_mut().enumerate() {
                    if hides(Seat(i as u8)) {
                        *hand = hand.hidden();
                    }
                }
            }
            Event::Drew { seat, card } if hides(*seat) => *card = card.hidden(),
            // The next deal begins with empty hands, which nobody hides: the views are built anew with it.
            _ => {}
        }
        notice
    }
}

impl game::View for View {
    type Command = Command;
    type Notice = Notice;

    fn observe(&mut self, notice: &Notice) {
        let hidden = matches!(notice, Event::Table(Happening::Begun)) && self.rules.private_hands();
        self.state.apply(notice);
        if hidden {
            for (i, hand) in self.state.hands.iter_mut().enumerate() {
                if !self.who.is(Seat(i as u8)) {
                    *hand = hand.hidden();
                }
            }
        }
    }

    fn commands(&self, at: Millis) -> Coverage<Command> {
        let mut all = Coverage { commands: Vec::new(), complete: true };
        let Some(judge) = self.judge() else { return all };
        for (act, commands) in judge.listed(at) {
            all.commands.extend(commands);
            if let (Act::Challenge, Some(last)) = (act, self.state.last) {
                let table = &self.state.table;
                for (i, &a) in table.iter().enumerate() {
                    let others = table[i + 1..].iter().filter(|&&b| is_set(a, b, last.card));
                    all.commands.extend(others.map(|&b| Command::Challenge([a, b])));
                }
                // False challenges are legal, too.
                all.complete = table.len() < 3;
            }
        }
        all
    }

    fn closed(&self, at: Millis) -> Vec<(Command, Refusal)> {
        self.judge().map_or_else(Vec::new, |judge| judge.closed(at))
    }

    fn admits(&self, at: Millis, command: &Command) -> Option<bool> {
        Some(self.judge().is_some_and(|judge| judge.judge(at, command).is_ok()))
    }

    fn awaited(&self) -> bool {
        let Viewer::Seat(seat) = self.who else { return false };
        let state = &self.state;
        match state.roster.stage {
            Stage::Playing => state.turn == seat && !state.all_played() || state.undecided().has(seat),
            Stage::Between => state.roster.unready().has(seat),
            _ => false,
        }
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.state.roster.outcome.as_ref()
    }
}
