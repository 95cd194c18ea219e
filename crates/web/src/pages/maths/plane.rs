//! Planes: nine cards from three, and the twelve Sets in them.

use super::{Spaces, drawn_corners, section, spaces_told, whole};
use crate::{t, ui};
use cards::{Deck, Point};
use leptos::prelude::*;
use pattern::finder;
use worker::CountsRow;

const DECK: Deck = Deck::D81;

/// The places of the square that are given.
const GIVEN: [usize; 3] = [0, 1, 3];

/// The lines of a square of nine places: rows, columns, and diagonals that go on at the other edge.
fn lines(square: &[Point; 9]) -> Vec<[usize; 3]> {
    let mut lines = Vec::new();
    for a in 0..9 {
        for b in a + 1..9 {
            for c in b + 1..9 {
                if finder::is_set(square[a], square[b], square[c]) {
                    lines.push([a, b, c]);
                }
            }
        }
    }
    lines
}

/// A line on which this place is the last that is empty.
fn last_of(lines: &[[usize; 3]], laid: &[usize], place: usize) -> Option<[usize; 3]> {
    let fills = |line: &&[usize; 3]| {
        line.contains(&place) && line.iter().all(|other| *other == place || laid.contains(other))
    };
    lines.iter().find(fills).copied()
}

#[component]
pub fn Plane(spaces: Spaces) -> impl IntoView {
    let corners = RwSignal::new(drawn_corners());
    let laid = RwSignal::new(GIVEN.to_vec());
    let lit = RwSignal::new(None::<[usize; 3]>);
    let square = Memo::new(move |_| {
        let [a, b, c] = corners.get();
        finder::plane(a, b, c)
    });
    let found = Memo::new(move |_| lines(&square.get()));
    let begin = move |_| {
        corners.set(drawn_corners());
        laid.set(GIVEN.to_vec());
        lit.set(None);
    };
    let fill = move |place: usize| {
        let line = last_of(&found.read_untracked(), &laid.read_untracked(), place);
        if let Some(line) = line {
            laid.update(|laid| laid.push(place));
            lit.set(Some(line));
        }
    };
    let all = move |_| {
        laid.set((0..9).collect());
        lit.set(None);
    };
    let place = move |n: usize| {
        let is_laid = move || laid.with(|laid| laid.contains(&n));
        let can = move || !is_laid() && last_of(&found.read(), &laid.read(), n).is_some();
        let lit_here = move || lit.get().is_some_and(|line| line.contains(&n));
        let card = move || square.with(|square| square[n]);
        view! {
            <button
                class="cap-card place"
                class:lit=lit_here
                class:open=can
                disabled=move || !can()
                data-testid=format!("plane-{n}")
                aria-label=move || if is_laid() { ui::pattern_name(DECK, card()) } else { t!("maths.plane.place") }
                on:click=move |_| fill(n)
            >{move || if is_laid() { ui::pattern_card(DECK, card()) } else { view! { <span class="empty"></span> }.into_any() }}</button>
        }
    };
    let whole_plane = move || laid.with(Vec::len) == 9;
    let said = move || {
        if whole_plane() { t!("maths.plane.whole") } else { t!("maths.plane.state", n = laid.with(Vec::len)) }
    };
    let line = |row: CountsRow| {
        view! { <tr><td class="number">{row.cards}</td><td class="number">{whole(row.sets)}</td><td class="number" data-testid=format!("planes-{}", row.dim)>{whole(row.planes)}</td><td class="number">{whole(row.planes_through)}</td><td class="number">{whole(row.planes_on_set)}</td></tr> }.into_any()
    };
    section(
        "plane",
        view! {
            <p>{t!("maths.plane.lead")}</p>
            <div class="row">
                <button class="small" data-testid="plane-all" disabled=whole_plane on:click=all>{t!("maths.plane.all")}</button>
                <button class="small" data-testid="plane-other" on:click=begin>{t!("maths.plane.other")}</button>
            </div>
            <p aria-live="polite" data-testid="plane-said">{said}</p>
            <div class="plane">{(0..9).map(place).collect_view()}</div>
            <div class="row plane-lines" class:hidden=move || !whole_plane()>
                {move || found.get().into_iter().enumerate().map(|(n, line)| view! {
                    <button class="small" class:primary=move || lit.get() == Some(line) data-testid="plane-line" aria-label=t!("maths.plane.line", n = n + 1) on:click=move |_| lit.set(Some(line))>{n + 1}</button>
                }).collect_view()}
            </div>
            <p>{t!("maths.plane.why")}</p>
            <p>{t!("maths.plane.square")}</p>
            <div class="scroll" tabindex="0" role="group" aria-label=t!("maths.plane.title")><table class="figures">
                <thead><tr><th scope="col" class="number">{t!("maths.size")}</th><th scope="col" class="number">{t!("maths.plane.sets")}</th><th scope="col" class="number">{t!("maths.plane.planes")}</th><th scope="col" class="number">{t!("maths.plane.through")}</th><th scope="col" class="number">{t!("maths.plane.on_set")}</th></tr></thead>
                <tbody>{spaces_told(spaces, line)}</tbody>
            </table></div>
            <p>{t!("maths.plane.count")}</p>
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Any three cards that are no Set give nine with twelve Sets, and every place can be filled from those before.
    #[test]
    fn a_square_is_filled_from_three_cards() {
        for (a, b, c) in [(0, 1, 3), (5, 44, 80), (7, 8, 27)] {
            let [a, b, c] = [a, b, c].map(Point);
            let square = finder::plane(a, b, c);
            let lines = lines(&square);
            assert_eq!(lines.len(), 12);
            for rows in [[0, 1, 2], [2, 5, 8], [0, 4, 8], [2, 4, 6], [1, 5, 6]] {
                assert!(lines.contains(&rows), "{rows:?}");
            }
            let mut laid = GIVEN.to_vec();
            while laid.len() < 9 {
                let next = (0..9).find(|n| !laid.contains(n) && last_of(&lines, &laid, *n).is_some());
                laid.push(next.expect("one can always be filled"));
            }
        }
    }
}
