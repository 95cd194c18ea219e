//! The laws of `game::laws`, for memory.

use super::Memory;
use super::state::sought;
use super::view::View;
use crate::command::Command;
use crate::finder::Open;
use crate::frame::roster::Stage;
use crate::rules::{
    Feature, FlipOnTimeout, Mechanism, MemoryEnd, MemoryLayout, MiniFixed, Multiplicity, Players, Rules,
};
use cards::{Deck, Point};
use game::chance::SplitMix;
use game::laws::{Plan, check};
use game::{Chance, Coverage};
use std::sync::Arc;

fn rules() -> Rules {
    Rules {
        mechanism: Mechanism::Memory,
        players: Players { min: 1, max: 8 },
        deck: Deck::D27,
        mini_fixed: MiniFixed { feature: Feature::Shading, value: 0 },
        deals: crate::rules::Deals::Count(1),
        ..Rules::default()
    }
}

/// Knows every card: turns up what is right two times in three.
fn knowing(view: &View, coverage: Coverage<Command>, chance: &mut SplitMix) -> Option<Command> {
    if chance.below(3) > 0 && view.state.roster.stage == Stage::Playing && view.state.may_flip() {
        let up = view.state.cards_up();
        let seen: Vec<Point> = view.state.seen.iter().flatten().copied().collect();
        let open = Open::layout(seen.iter().map(|&card| (0, card)));
        let sought = sought(&view.rules);
        let found =
            sought.list(&open, 500).into_iter().find(|c| up.iter().all(|card| c.cards().contains(card)));
        if let Some(claim) = found {
            let next = claim.cards().iter().find(|card| !up.contains(card));
            let slot = next.and_then(|card| view.state.seen.iter().position(|seen| seen == &Some(*card)));
            let flip = slot.map(|slot| Command::Flip(slot as u8 + 1));
            if flip.as_ref().is_some_and(|flip| coverage.commands.contains(flip)) {
                return flip;
            }
        }
    }
    game::laws::any_command(view, coverage, chance)
}

#[test]
fn the_laws_hold() {
    let variants = [
        rules(),
        Rules { deck: Deck::D81, memory_layout: MemoryLayout::Slots(12), ..rules() },
        Rules {
            memory_end: MemoryEnd::Declare,
            extra_turn: false,
            deals: crate::rules::Deals::Count(2),
            ..rules()
        },
        Rules { multiplicity: Multiplicity::Double, flip_on_timeout: FlipOnTimeout::Random, ..rules() },
        Rules {
            reveal_ms: 0,
            deck: Deck::D81,
            memory_layout: MemoryLayout::Slots(12),
            memory_end: MemoryEnd::Declare,
            ..rules()
        },
    ];
    for (i, rules) in variants.into_iter().enumerate() {
        let rules = Arc::new(rules);
        for seed in 0..6 {
            let plan = Plan { seed, presence: if seed % 2 == 0 { 0 } else { 60 }, ..Plan::default() };
            let seats = 1 + (seed % 4) as u8;
            if let Err(broken) = check::<Memory>(&rules, seats, &plan, &mut knowing) {
                panic!("variant {i}, seed {seed}, {seats} seats: {broken}");
            }
        }
    }
}
