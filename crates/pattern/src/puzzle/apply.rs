//! How what happened changes what is seen.

use super::Puzzle;
use super::event::Event;
use super::state::State;
use crate::frame::roster::Happening;

impl Puzzle {
    /// Takes in an event.
    pub(super) fn take_in(&mut self, event: &Event) {
        match event {
            Event::Discarded { nth } => self.shuffles = nth + 1,
            Event::Shown { layout, .. } => self.slots = layout.iter().map(|&card| Some(card)).collect(),
            _ => {}
        }
        self.state.apply(event);
    }
}

impl State {
    /// Takes in an event, or what a viewer learnt of it.
    pub(super) fn apply(&mut self, event: &Event) {
        match *event {
            Event::Table(ref happening) => {
                self.roster.apply(happening);
                match *happening {
                    Happening::DealOver { at, .. } => self.ended_at = Some(at),
                    Happening::Begun => *self = State::new(self.roster.clone()),
                    _ => {}
                }
            }
            Event::Discarded { .. } => {}
            Event::Shown { at, ref layout, total } => {
                self.roster.dealt_at(at);
                self.layout.clone_from(layout);
                self.total = total;
                self.started_at = at;
            }
            Event::Judged { at, ref claim, finding } => {
                self.roster.acted_at = at;
                self.last = Some((claim.clone(), finding));
                if finding.right() {
                    self.found.push(claim.clone());
                    self.hints.clear();
                    self.score(1);
                } else {
                    self.errors += 1;
                }
            }
            Event::Repeated { at, .. } => self.roster.acted_at = at,
            Event::Hinted { at, card, points } => {
                self.roster.acted_at = at;
                self.hints.push(card);
                self.score(points);
            }
            Event::Solved { ref missed, .. } => self.missed.clone_from(missed),
        }
    }

    fn score(&mut self, points: i32) {
        let member = &mut self.roster.players[0];
        member.score += points;
        member.points += points;
    }
}
