//! Directions of Sets: the points of a projective space.

use super::{Spaces, drawn, section, spaces_told, whole};
use crate::screens::race::FEATURES;
use crate::soon::soon;
use crate::{t, ui};
use cards::{Deck, Point};
use leptos::prelude::*;
use pattern::finder::third;
use worker::CountsRow;

const DECK: Deck = Deck::D81;

/// The way from one card to another, digit by digit. It and its opposite are one direction; the first digit that is not 0
/// is made 1.
fn direction(a: Point, b: Point) -> [u8; 4] {
    let (from, to) = (DECK.code(a), DECK.code(b));
    let step: [u8; 4] = std::array::from_fn(|n| (3 + to[n] - from[n]) % 3);
    let first = step.iter().find(|digit| **digit > 0).copied().unwrap_or(1);
    step.map(|digit| digit * first % 3)
}

/// A card moved by some steps in a direction.
fn moved(card: Point, by: [u8; 4], steps: u8) -> Point {
    let code = DECK.code(card);
    Point((0..4).fold(0, |all, n| all * 3 + (code[n] + by[n] * steps) % 3))
}

/// All Sets of a direction, each by its first card.
fn parallel(by: [u8; 4]) -> Vec<[Point; 3]> {
    let sets = (0..81).map(|n| [0, 1, 2].map(|steps| moved(Point(n), by, steps)));
    sets.filter(|set| set[0] < set[1] && set[0] < set[2]).collect()
}

#[component]
pub fn Directions(spaces: Spaces) -> impl IntoView {
    let two = drawn(DECK, 2);
    let chosen = RwSignal::new(vec![two[0], two[1]]);
    let shown = RwSignal::new(None::<usize>);
    let by = Memo::new(move |_| chosen.with(|two| (two.len() == 2).then(|| direction(two[0], two[1]))));
    let sets = Memo::new(move |_| by.get().map(parallel).unwrap_or_default());
    let press = move |card: Point| {
        shown.set(None);
        chosen.update(|chosen| {
            if chosen.len() == 2 {
                chosen.clear();
            }
            if !chosen.contains(&card) {
                chosen.push(card);
            }
        });
    };
    let step = move |_| {
        let n = sets.with_untracked(Vec::len);
        shown.update(|shown| *shown = Some(shown.map_or(0, |at| (at + 1) % n.max(1))));
    };
    let place = move |n: u8| {
        let card = Point(n);
        let is_chosen = move || chosen.with(|chosen| chosen.contains(&card));
        let lit = move || {
            let of_shown = shown
                .get()
                .is_some_and(|at| sets.with(|sets| sets.get(at).is_some_and(|set| set.contains(&card))));
            let completes =
                shown.get().is_none() && chosen.with(|two| two.len() == 2 && third(two[0], two[1]) == card);
            of_shown || completes
        };
        view! {
            <button class="cap-card" class:chosen=is_chosen class:lit=lit aria-pressed=move || is_chosen().to_string() aria-label=ui::pattern_name(DECK, card) data-testid=format!("point-{n}") on:click=move |_| press(card)>
                {ui::pattern_card(DECK, card)}
            </button>
        }
    };
    // All at once they are the longest task of the page.
    let board = [0, 27, 54].map(|from| soon(move || (from..from + 27).map(place).collect_view().into_any()));
    let said = move || match by.get() {
        None => t!("maths.directions.press"),
        Some(by) => {
            let names = |differ: bool| {
                let of = FEATURES.iter().zip(by).filter(|(_, digit)| (*digit > 0) == differ);
                of.map(|(name, _)| t!(&format!("verdict.features.{name}"))).collect::<Vec<_>>().join(", ")
            };
            let digits = by.map(|digit| digit.to_string()).join(" ");
            let alike = names(false);
            if alike.is_empty() {
                t!("maths.directions.all_differ", digits = digits)
            } else {
                t!("maths.directions.is", digits = digits, differ = names(true), alike = alike)
            }
        }
    };
    let line = |row: CountsRow| {
        view! { <tr><td class="number">{row.cards}</td><td class="number" data-testid=format!("directions-{}", row.dim)>{whole(row.directions)}</td><td class="number">{whole(row.parallel)}</td><td class="number">{whole(row.pencils)}</td></tr> }.into_any()
    };
    section(
        "directions",
        view! {
            <p>{t!("maths.directions.lead")}</p>
            <p aria-live="polite" data-testid="directions-said">{said}</p>
            <p class="row">
                <button class="small" data-testid="directions-next" disabled=move || by.get().is_none() on:click=step>{t!("maths.directions.next")}</button>
                <span class="quiet" data-testid="directions-at">{move || shown.get().map(|at| t!("solve.which", n = at + 1, of = sets.with(Vec::len)))}</span>
            </p>
            <div class="cap-board wide">{board}</div>
            <p>{t!("maths.directions.why")}</p>
            <div class="scroll" tabindex="0" role="group" aria-label=t!("maths.directions.title")><table class="figures">
                <thead><tr><th scope="col" class="number">{t!("maths.size")}</th><th scope="col" class="number">{t!("maths.directions.directions")}</th><th scope="col" class="number">{t!("maths.directions.parallel")}</th><th scope="col" class="number">{t!("maths.directions.pencils")}</th></tr></thead>
                <tbody>{spaces_told(spaces, line)}</tbody>
            </table></div>
            <p>{t!("maths.directions.projective")}</p>
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Each pair of cards has one of 40 directions, its Sets cover the deck, and a Set has one direction whichever two are taken.
    #[test]
    fn there_are_forty_directions() {
        let all: BTreeSet<[u8; 4]> = (1..81).map(|n| direction(Point(0), Point(n))).collect();
        assert_eq!(all.len(), 40);
        for by in all {
            let sets = parallel(by);
            assert_eq!(sets.len(), 27);
            let cards: BTreeSet<Point> = sets.iter().flatten().copied().collect();
            assert_eq!(cards.len(), 81);
            for [a, b, c] in sets {
                assert!(pattern::finder::is_set(a, b, c));
                assert_eq!([direction(a, b), direction(c, a), direction(b, c)], [by; 3]);
            }
        }
    }
}
