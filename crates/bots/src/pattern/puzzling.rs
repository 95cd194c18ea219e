//! How a bot plays the puzzles of the day.

use super::racing::nearly;
use super::{PatternBot, act};
use crate::Thought;
use ::pattern::finder::{Open, Sought};
use ::pattern::roster::Stage;
use ::pattern::{Claim, Command, puzzle};
use cards::Point;
use game::{Chance, Millis, Viewer};

impl PatternBot {
    /// The Sets not yet found are found one after the other, each in a time of its own.
    pub(super) fn puzzle(
        &mut self,
        view: &puzzle::View,
        at: Millis,
        chance: &mut dyn Chance,
    ) -> Option<Thought<Command>> {
        let Viewer::Seat(seat) = view.who else { return None };
        let (rules, state) = (&view.rules, &view.state);
        if state.roster.stage != Stage::Playing || state.roster.retired(seat) {
            return None;
        }
        let open = Open::layout(state.layout.iter().map(|&card| (0, card)));
        let sought = Sought::from(&**rules);
        let mut claims = sought.list(&open, 400);
        claims.retain(|claim| !state.found.contains(claim));
        if std::mem::replace(&mut self.errors, state.errors) != state.errors {
            self.slip = None;
        }
        let lit = |card: Point| state.hints.contains(&card);
        let found = self.find(rules.deck, &state.layout, claims.clone(), (at, at), &lit, &|_| false, chance);
        let due = found.as_ref().map(|(_, due)| *due);
        let slip = self.slip.filter(|&slip| slip >= at).unwrap_or_else(|| self.next_slip(at, due, chance));
        self.slip = Some(slip);
        let wrong = |claim: &Claim| sought.judge(&open, claim).is_ok_and(|judged| !judged.finding.right());
        if due.is_none_or(|due| slip < due)
            && let Some(claim) = nearly(rules.deck, &claims, &state.layout, wrong, chance)
        {
            return act(Command::claim(claim), at, slip);
        }
        let (claim, due) = found?;
        act(Command::claim(claim), at, due)
    }
}
