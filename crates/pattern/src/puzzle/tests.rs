//! The laws of `game::laws`, for the puzzle.

use super::Puzzle;
use crate::rules::{Deals, Mechanism, Players, Rules};
use crate::written::Position;
use cards::Deck;
use game::Seat;
use game::laws::{Plan, any_command, check};
use game::written::{Opening, Written};
use std::sync::Arc;

fn daily() -> Rules {
    Rules {
        mechanism: Mechanism::Puzzle,
        players: Players { min: 1, max: 1 },
        deals: Deals::Count(1),
        ..Rules::default()
    }
}

#[test]
fn a_written_puzzle_holds_as_many_sets_as_are_to_be_found() {
    let check = |board: &str, expected: &[&str]| {
        let position = Position { board: Some(board.to_owned()), ..Position::default() };
        let opening = Opening { round: 1, dealer: Seat(0) };
        let found = Puzzle::set_up(Arc::new(daily()), 1, opening, position);
        assert_eq!(found.err().unwrap_or_default(), expected, "{board}");
    };
    check("0012 0100 0101 0112 0120 0212 1100 1112 1122 1220 2012 2101", &[]);
    check(
        "0000 0001 0002 0010 0011 0012 0020 0021 0022 0100 0101 0200",
        &["board: Sets to be found are 6, and it holds 14 (DAILY-1)"],
    );
    check(
        "0001 0011 0022 0102 0112 0201 1020 1110 1111 1220 2100 2220",
        &["board: it holds no Set, so there is nothing to find"],
    );
}

#[test]
fn the_laws_hold() {
    let daily = daily();
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

/// Nobody waits for a layout that no shuffle brings: the table would shuffle for ever.
#[test]
fn what_hardly_any_cards_hold_is_no_puzzle() {
    let check = |deck: Deck, base: u8, puzzle_sets: u8, comes: bool| {
        let rules = Rules { deck, base, puzzle_sets, ..daily() };
        let faults = rules.check(1);
        assert_eq!(faults.is_empty(), comes, "{puzzle_sets} in {base} of {deck:?}: {faults:?}");
    };
    check(Deck::D81, 12, 1, true);
    check(Deck::D81, 12, 6, true);
    // One layout in 214 and in 1,458; then in 8,497.
    check(Deck::D81, 12, 7, true);
    check(Deck::D81, 12, 8, true);
    check(Deck::D81, 12, 9, false);
    check(Deck::D81, 12, 14, false);
    check(Deck::D81, 3, 2, false);
    check(Deck::D81, 40, 1, false);
    check(Deck::D81, 18, 10, true);
    check(Deck::D27, 9, 4, true);
    // Nine of 27 never hold seven: section 5.4.
    check(Deck::D27, 9, 7, false);
    check(Deck::D243, 20, 10, true);
    check(Deck::D243, 12, 10, false);
}
