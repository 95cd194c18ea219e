//! The layout on the screen: where each slot stands, the letter on each card, and the cards as buttons.

use super::RaceShared;
use crate::prefs::prefs;
use crate::screens::board::{MOST_SLIM, SLIM};
use crate::{dom, t, ui};
use cards::Point;
use leptos::prelude::*;
pub use screen::keys::Arrangement;

/// The layout.
#[component]
pub fn BoardView() -> impl IntoView {
    let race: RaceShared = expect_context();
    let prefs = prefs();
    let arrangement =
        Memo::new(move |_| race.state.with(|s| race.rules.with_value(|r| Arrangement::of(r, &s.board))));
    let extent = move |n: usize| arrangement.get().extent()[n].to_string();
    let slots = move || arrangement.get().extent()[2..].iter().product::<usize>();
    let keys = Memo::new(move |_| prefs.get().letters());
    let zones = race.rules.with_value(|r| usize::from(r.zones).max(1));
    let several = zones > 1;
    let zone = move |z: usize| {
        let cards = Memo::new(move |_| {
            race.state.with(|s| {
                s.board
                    .zones()
                    .nth(z)
                    .map(|slots| {
                        slots.iter().enumerate().filter_map(|(n, c)| Some((n, (*c)?))).collect::<Vec<_>>()
                    })
                    .unwrap_or_default()
            })
        });
        let label = if zones == 1 { t!("race.layout") } else { t!("race.zone", n = z + 1) };
        view! {
            <div class="zone" role="group" aria-label=label>
                <For each=move || cards.get() key=|(slot, card)| (*slot, card.0) let((slot, card))>
                    {
                        let place = move || arrangement.get();
                        view! {
                            <div
                                class="slot"
                                style:--r=move || (place().wide(slot).0 + 1).to_string()
                                style:--c=move || (place().wide(slot).1 + 1).to_string()
                                style:--tr=move || (place().tall(slot).0 + 1).to_string()
                                style:--tc=move || (place().tall(slot).1 + 1).to_string()
                                style:--sr=(slot / SLIM + 1).to_string()
                                style:--sc=(slot % SLIM + 1).to_string()
                            >
                                {card_button_with(race, card, Signal::derive(move || place().key(keys.get(), z, slot)), true)}
                            </div>
                        }
                    }
                </For>
            </div>
        }
    };
    view! {
        <div class="board-room">
            <div
                class="board"
                data-testid="board"
                class:several=several
                class:slim=move || !several && slots() <= MOST_SLIM
                style:--r-slim=move || slots().div_ceil(SLIM).to_string()
                class:closed=move || race.state.with(|s| s.call.is_some_and(|c| race.desk.me.get().is_none_or(|me| !c.callers.has(me))))
                style:--c-wide=move || extent(0)
                style:--r-wide=move || extent(1)
                style:--c-tall=move || extent(2)
                style:--r-tall=move || extent(3)
                style:--z-wide=move || arrangement.get().zone_columns.0.to_string()
                style:--z-tall=move || arrangement.get().zone_columns.1.to_string()
                style:--zr-wide=move || zones.div_ceil(arrangement.get().zone_columns.0).to_string()
                style:--zr-tall=move || zones.div_ceil(arrangement.get().zone_columns.1).to_string()
            >
                {(0..zones).map(zone).collect_view()}
            </div>
        </div>
    }
}

/// By what a card is known where it moves to.
pub fn flip_key(card: Point) -> String {
    format!("p{}", card.0)
}

/// A card as a button, with the key that picks it.
pub fn card_button(race: RaceShared, card: Point, key: Option<char>) -> AnyView {
    card_button_with(race, card, Signal::stored(key), false)
}

fn card_button_with(race: RaceShared, card: Point, key: Signal<Option<char>>, on_board: bool) -> AnyView {
    let picker = race.picker;
    let place = Memo::new(move |_| picker.place(card));
    let wrong = Memo::new(move |_| {
        race.state.with(|s| s.last.iter().any(|v| !v.finding.right() && v.claim.cards().contains(&card)))
    });
    let lit = Memo::new(move |_| {
        race.state.with(|s| s.lit.contains(&card) || s.search.as_ref().is_some_and(|q| q.points == card))
            || race.view.with(|v| v.mine.hints.contains(&card))
            || race.advice.names(card)
    });
    let name = ui::pattern_name(race.deck, card);
    let label = {
        let name = name.clone();
        move || match key.get() {
            Some(key) => t!("race.card_key", card = name, key = dom::capital(key)),
            None => name.clone(),
        }
    };
    view! {
        <button
            class="pcard"
            class:picked=move || place.get().is_some()
            class:wrong=move || wrong.get()
            class:lit=move || lit.get()
            data-testid=if on_board { "card" } else { "own-card" }
            data-home=on_board.then_some("")
            data-card=race.deck.text(card)
            data-flip=flip_key(card)
            data-from="#race-stock"
            aria-label=label
            aria-pressed=move || place.get().is_some().to_string()
            // A claim is decided by milliseconds: the finger's touch counts, not its leaving.
            on:pointerdown=move |event| {
                if dom::presses(&event) {
                    picker.press(race, card);
                }
            }
            on:click=move |event| {
                if event.detail() == 0 {
                    picker.press(race, card);
                }
            }
        >
            {ui::pattern_card(race.deck, card)}
            {move || key.get().map(|key| view! { <kbd aria-hidden="true">{dom::capital(key)}</kbd> })}
            {move || place.get().flatten().map(|n| view! { <span class="badge" aria-hidden="true">{n}</span> })}
        </button>
    }
    .into_any()
}
