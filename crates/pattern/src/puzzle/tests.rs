//! The laws of `game::laws`, for the puzzle.

use super::Puzzle;
use crate::rules::{Deals, Mechanism, Players, Rules};
use cards::Deck;
use game::laws::{Plan, any_command, check};
use std::sync::Arc;

#[test]
fn the_laws_hold() {
    let daily = Rules {
        mechanism: Mechanism::Puzzle,
        players: Players { min: 1, max: 1 },
        deals: Deals::Count(1),
        ..Rules::default()
    };
    let basic = Rules { deck: Deck::D27, base: 9, puzzle_sets: 4, ..daily.clone() };
    for (rules, most) in [(daily, 6), (basic, 4)] {
        let rules = Arc::new(rules);
        for seed in 0..6 {
            let plan = Plan { seed, presence: if seed % 2 == 0 { 0 } else { 60 }, ..Plan::default() };
            match check::<Puzzle>(&rules, 1, &plan, &mut any_command) {
                Err(broken) => panic!("seed {seed}: {broken}"),
                Ok(played) => {
                    assert_eq!(played.game.state.total, most);
                    let found = played.game.state.found.len() + played.game.state.missed.len();
                    assert_eq!(found, usize::from(most));
                }
            }
        }
    }
}
