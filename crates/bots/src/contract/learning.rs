//! What the network of `value.rs` is taught with: choices that were played to the end of their rounds among the true hands, by whoever
//! sees them all. Nobody who plays may have it.

use super::signs::{Eye, Signs};
use super::strong::{Choice, Rollouts};
use super::value::WEIGHED;
use super::{FULL, Level, Mind, size};
use crate::Thought;
use ::contract::solver::Counts;
use ::contract::state::Phase;
use ::contract::{Command, View};
use game::Chance;
use game::chance::SplitMix;

/// What somebody does who plays as `counting` does, and tries another discard or take in so many of a hundred decisions: so that what such
/// things lead to is learned, too.
pub fn bold(view: &View, percent: u32, chance: &mut dyn Chance) -> Option<Thought<Command>> {
    let mind = Mind::new(view, Level::Counting)?;
    let mut thought = mind.think(chance)?;
    if chance.below(100) >= percent {
        return Some(thought);
    }
    match &mut thought.command {
        command @ Command::Discard { .. } => {
            let notes = mind.notes.borrow();
            let tried = &notes.ranked[..notes.ranked.len().min(WEIGHED)];
            if !tried.is_empty() {
                *command = mind.throwing(tried[chance.below(tried.len() as u32) as usize]);
            }
        }
        command @ (Command::Pass | Command::Take) => {
            let nearer = view.flow.top.is_some_and(|top| !mind.down() && mind.nearer_with(top));
            let takes = *command == Command::Pass && nearer && size(&mind.hand) < FULL;
            let other = if takes { Command::Take } else { Command::Pass };
            if view.judge(&other).is_ok() {
                *command = other;
            }
        }
        _ => {}
    }
    Some(thought)
}

/// The choices of a decision to throw a card, or to take one out of turn: for each what is seen then, and by how many cards the others end
/// behind on average, where the round is played on so many times among these hands. None where there is nothing to choose, and under rules
/// by which rounds are not played on.
#[must_use]
pub fn weighed(
    view: &View,
    hands: Vec<Counts>,
    worlds: usize,
    chance: &mut SplitMix,
) -> Option<Vec<(Signs, f32)>> {
    let mind = Mind { open: Some(hands), ..Mind::new(view, Level::Counting)? };
    if mind.down() {
        return None;
    }
    let eye = Eye::new(&mind);
    let (choices, signs): (Vec<Choice>, Vec<Signs>) = if let Phase::Offer { .. } = view.flow.phase {
        let top = view.flow.top?;
        if mind.here() == 0 || view.judge(&Command::Take).is_err() || !mind.nearer_with(top) {
            return None;
        }
        let choices = vec![Choice::Take(false), Choice::Take(true)];
        (choices, vec![eye.waiting(), eye.taken(top)])
    } else {
        let Command::Discard { .. } = mind.think(chance)?.command else { return None };
        let notes = mind.notes.borrow();
        let cards = notes.ranked.iter().take(WEIGHED);
        cards.map(|&card| (Choice::Throw(card), eye.thrown(card))).unzip()
    };
    if choices.len() < 2 {
        return None;
    }
    let mut came = Rollouts::new(&mind)?.means(&choices, worlds, chance);
    // What a take costs in points is added where it is weighed.
    let price = view.round().settings.take.points as f32;
    for (_, came) in choices.iter().zip(&mut came).filter(|(choice, _)| **choice == Choice::Take(true)) {
        *came += price;
    }
    Some(signs.into_iter().zip(came.into_iter().map(|points| points / mind.unit())).collect())
}
