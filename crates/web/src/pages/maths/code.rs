//! Cards as words of a code: one that is lost comes back from two others, and one smudge is wiped away.

use super::{any_of, drawn, section};
use crate::{t, ui};
use cards::{Deck, Point};
use leptos::prelude::*;
use pattern::finder::third;

const DECK: Deck = Deck::D81;

/// The nine words of the code: two digits that are free, their sum and their difference.
fn words() -> [Point; 9] {
    std::array::from_fn(|n| {
        let (a, b) = (n / 3, n % 3);
        word([a, b, (a + b) % 3, (a + 2 * b) % 3])
    })
}

fn word(digits: [usize; 4]) -> Point {
    Point(digits.into_iter().fold(0, |all, digit| all * 3 + digit) as u8)
}

/// In how many features two cards differ.
fn apart(a: Point, b: Point) -> usize {
    DECK.code(a).iter().zip(DECK.code(b).iter()).filter(|(a, b)| a != b).count()
}

fn digits(card: Point) -> String {
    DECK.code(card).iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
}

/// A card with a different value in one feature.
fn smudged(card: Point, feature: usize, by: u8) -> Point {
    let code = DECK.code(card);
    word(std::array::from_fn(|n| usize::from(if n == feature { (code[n] + by) % 3 } else { code[n] })))
}

fn face(card: Point) -> AnyView {
    view! { <span class="pcard" role="img" aria-label=ui::pattern_name(DECK, card)>{ui::pattern_card(DECK, card)}</span> <code>{digits(card)}</code> }.into_any()
}

/// Two cards and a check card; any of them may be lost.
fn lost() -> impl IntoView {
    let fresh = || {
        let two = drawn(DECK, 2);
        [two[0], two[1], third(two[0], two[1])]
    };
    let sent = RwSignal::new(fresh());
    let gone = RwSignal::new(None::<usize>);
    let back = RwSignal::new(false);
    let lose = move |n: usize| {
        gone.set(Some(n));
        back.set(false);
    };
    let place = move |n: usize| {
        let is_gone = move || gone.get() == Some(n) && !back.get();
        let shown = move || {
            let cards = sent.get();
            if is_gone() {
                return view! { <span class="pcard" role="img" aria-label=t!("card.back")>{ui::pattern_back()}</span> <code>"? ? ? ?"</code> }.into_any();
            }
            // What was lost is not looked up: it is worked out from the other two.
            face(if gone.get() == Some(n) { third(cards[(n + 1) % 3], cards[(n + 2) % 3]) } else { cards[n] })
        };
        view! { <button class="cap-card code-card" class:lit=move || back.get() && gone.get() == Some(n) data-testid=format!("code-{n}") on:click=move |_| lose(n)>{shown}</button> }
    };
    view! {
        <p>{t!("maths.code.lead")}</p>
        <div class="maths-row code-row">{(0..3).map(place).collect_view()}</div>
        <div class="row">
            <button class="small primary" data-testid="code-back" disabled=move || gone.get().is_none() || back.get() on:click=move |_| back.set(true)>{t!("maths.code.back")}</button>
            <button class="small" data-testid="code-other" on:click=move |_| { sent.set(fresh()); gone.set(None); back.set(false) }>{t!("maths.code.other")}</button>
        </div>
        <p aria-live="polite" data-testid="code-said">{move || match (gone.get(), back.get()) {
            (None, _) => t!("maths.code.press"),
            (Some(_), false) => t!("maths.code.gone"),
            (Some(_), true) => t!("maths.code.returned"),
        }}</p>
        <p>{t!("maths.code.why")}</p>
    }
}

/// A word of the code with smudges, and which word it must have been.
fn smudge() -> impl IntoView {
    let sent = RwSignal::new(words()[any_of(9)]);
    let got = RwSignal::new(sent.get_untracked());
    let send = move |card: Point| {
        sent.set(card);
        got.set(card);
    };
    let smudge =
        move |feature: usize| got.update(|card| *card = smudged(*card, feature, 1 + any_of(2) as u8));
    let code = move || {
        words()
            .into_iter()
            .enumerate()
            .map(|(n, card)| {
                let near = move || apart(card, got.get());
                let told = move || t!("maths.code.apart", n = near());
                view! {
                    <button class="cap-card code-card" class:lit=move || { near() <= 1 } class:chosen=move || sent.get() == card aria-pressed=move || (sent.get() == card).to_string() aria-label=move || format!("{}, {}", ui::pattern_name(DECK, card), told()) data-testid=format!("word-{n}") data-apart=move || near().to_string() on:click=move |_| send(card)>
                        {ui::pattern_card(DECK, card)}<span class="quiet">{told}</span>
                    </button>
                }
            })
            .collect_view()
    };
    let features = ["number", "colour", "shading", "symbol"];
    let said = move || {
        let (sent, got) = (sent.get(), got.get());
        let nearest = words().into_iter().find(|word| apart(*word, got) <= 1);
        match (apart(sent, got), nearest == Some(sent)) {
            (0, _) => t!("maths.code.clean"),
            (_, true) => t!("maths.code.mended"),
            (n, false) => t!("maths.code.fooled", n = n),
        }
    };
    view! {
        <h3>{t!("maths.code.smudge_title")}</h3>
        <p>{t!("maths.code.smudge_lead")}</p>
        <div class="maths-board">{code}</div>
        <div class="row">
            {features.into_iter().enumerate().map(|(n, feature)| view! {
                <button class="small" data-testid=format!("smudge-{n}") on:click=move |_| smudge(n)>{t!("maths.code.smudge", feature = t!(&format!("verdict.features.{feature}")))}</button>
            }).collect_view()}
        </div>
        <div class="maths-row"><span class="code-card">{move || face(got.get())}</span></div>
        <p aria-live="polite" data-testid="smudge-said">{said}</p>
        <p>{t!("maths.code.perfect")}</p>
    }
}

#[component]
pub fn Code() -> impl IntoView {
    section("code", view! { {lost()} {smudge()} })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The nine cards lie three features apart, are a plane, and each of the 81 is at most one feature from just one of them.
    #[test]
    fn the_code_is_perfect() {
        let words = words();
        for (n, a) in words.iter().enumerate() {
            for b in &words[..n] {
                assert_eq!(apart(*a, *b), 3);
                assert!(words.contains(&third(*a, *b)));
            }
        }
        for card in (0..81).map(Point) {
            assert_eq!(words.iter().filter(|word| apart(**word, card) <= 1).count(), 1);
        }
        let one = smudged(words[4], 2, 1);
        assert_eq!(apart(one, words[4]), 1);
    }
}
