//! Which layouts are puzzles (DAILY-1), and whether shuffling ever brings one.

use crate::finder::{Open, Sought};
use crate::rules::Rules;
use cards::Point;
use game::Chance;
use game::chance::SplitMix;

/// Of so many shuffles one at least should give a puzzle: else those who wait for it wait for ever.
const SHUFFLES: usize = 2_000;
/// Layouts that are looked at before a puzzle is given up, of twelve cards; fewer where there are more cards.
const LOOKED_AT: usize = 10 * SHUFFLES;

/// Whether these cards hold just as many Sets as are to be found.
pub(super) fn is_puzzle(rules: &Rules, layout: &[Point]) -> bool {
    let open = Open::layout(layout.iter().map(|&card| (0, card)));
    let wanted = usize::from(rules.puzzle_sets);
    // Many cards hold more than anybody would wait for.
    Sought::from(rules).list(&open, wanted + 1).len() == wanted
}

/// Whether a shuffle gives a puzzle once in [`SHUFFLES`] or more often, as far as a sample tells, which is always the same.
pub(crate) fn comes_up(rules: &Rules) -> bool {
    let mut deck: Vec<Point> = rules.cards().collect();
    let cards = usize::from(rules.base);
    if cards > deck.len() {
        return false;
    }
    let samples = LOOKED_AT * 144 / (cards * cards).max(144);
    let mut missing = (samples / SHUFFLES).max(1);
    let mut chance = SplitMix(0);
    for _ in 0..samples {
        chance.shuffle(&mut deck);
        if is_puzzle(rules, &deck[..cards]) {
            missing -= 1;
            if missing == 0 {
                return true;
            }
        }
    }
    false
}
