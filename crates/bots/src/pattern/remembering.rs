//! How a bot plays memory: what it keeps in mind of each slot.

use super::{PatternBot, between, exponential, pick};
use crate::Thought;
use ::pattern::finder::{Open, Sought};
use ::pattern::memory::Slot;
use ::pattern::roster::Stage;
use ::pattern::rules::{Grouping, MemoryEnd};
use ::pattern::{Command, memory};
use cards::Point;
use game::{Chance, Millis, Viewer};

impl PatternBot {
    pub(super) fn memory(
        &mut self,
        view: &memory::View,
        at: Millis,
        chance: &mut dyn Chance,
    ) -> Option<Thought<Command>> {
        let Viewer::Seat(seat) = view.who else { return None };
        let (rules, state) = (&view.rules, &view.state);
        self.remember(state, at, chance);
        match state.roster.stage {
            Stage::Between if !state.roster.ready.has(seat) => {
                return Some(Thought::after(Command::Ready, between(1_500, 4_000, chance)));
            }
            Stage::Playing if !state.roster.retired(seat) => {}
            _ => return None,
        }
        let known: Vec<(u8, Point)> = (0u8..)
            .zip(&self.known)
            .filter_map(|(slot, known)| known.map(|(card, _)| (slot, card)))
            .filter(|(slot, _)| state.slots[usize::from(*slot)] == Slot::Down)
            .collect();
        let up = state.cards_up();
        let open =
            Open::layout(known.iter().map(|(_, card)| *card).chain(up.iter().copied()).map(|card| (0, card)));
        let sought = Sought { grouping: Grouping::Auto, pairing: Grouping::Auto, ..Sought::from(&**rules) };
        let whole = sought
            .list(&open, 2_000)
            .into_iter()
            .find(|claim| up.iter().all(|card| claim.cards().contains(card)));
        let declares = rules.memory_end == MemoryEnd::Declare && up.is_empty() && !state.declared.has(seat);
        if declares {
            let others = state.roster.needed(at).without(seat);
            let agree = !others.is_empty() && state.declared.contains_all(others);
            let all_known = known.len() == state.face_down().count();
            if whole.is_none() && (agree || all_known) {
                return Some(Thought::after(Command::Declare, between(1_500, 4_000, chance)));
            }
        }
        if state.turn != seat || !state.may_flip() {
            return None;
        }
        let from_memory = whole.and_then(|claim| {
            known
                .iter()
                .find(|(_, card)| claim.cards().contains(card) && !up.contains(card))
                .map(|(slot, _)| *slot)
        });
        let unknown: Vec<u8> =
            state.face_down().filter(|slot| !known.iter().any(|(known, _)| known == slot)).collect();
        let down: Vec<u8> = state.face_down().collect();
        let slot = match from_memory {
            Some(slot) => slot,
            None => pick(&unknown, chance).or_else(|| pick(&down, chance))?,
        };
        Some(Thought::after(Command::Flip(slot + 1), between(700, 2_000, chance)))
    }

    /// Takes in what lies face up and forgets what has faded.
    fn remember(&mut self, state: &memory::State, at: Millis, chance: &mut dyn Chance) {
        let mean = self.level.between(10_000.0, 50_000.0);
        self.known.resize(state.slots.len(), None);
        for (known, slot) in self.known.iter_mut().zip(&state.slots) {
            match *slot {
                Slot::Up(card) if known.is_none_or(|(old, _)| old != card) => {
                    *known = Some((card, at.after(2_000 + exponential(mean, chance))));
                }
                Slot::Empty => *known = None,
                _ => {}
            }
        }
        // A slot that was filled anew holds something else.
        for (known, seen) in self.known.iter_mut().zip(&state.seen) {
            if known.is_some_and(|(card, until)| *seen != Some(card) || until < at) {
                *known = None;
            }
        }
    }
}
