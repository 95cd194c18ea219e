//! How rare a given deal of twenty cards is, and what it means that one was seen twice.

use super::{Counter, answers, drawn, large, percent, row_of, section};
use crate::{dom, t};
use cards::{Deck, Point};
use leptos::prelude::*;
use pattern::finder;
use worker::{Ask, DealRow};

/// How many cards are dealt: as many as there can be without a Set.
const CARDS: usize = 20;

/// A chance in words.
fn chance(p: f64) -> String {
    if p >= 0.999_9 { t!("maths.deal.sure") } else { percent(p) }
}

#[component]
pub fn Deal(worker: Counter) -> impl IntoView {
    let power = RwSignal::new(0u32);
    let row = answers::<DealRow>(&worker, move || Ask::Deal {
        cards: CARDS as u64,
        times: 10f64.powi(power.get() as i32),
    });
    let cards = RwSignal::new(drawn(Deck::D81, CARDS));
    let cap = move |_| {
        if let Ok(worker) = worker.clone() {
            leptos::task::spawn_local(async move {
                if let Ok(found) = worker.ask::<Vec<u8>, ()>(&Ask::LargestCap { dim: 4 }).await {
                    let _ = cards.try_set(found.into_iter().map(Point).collect());
                }
            });
        }
    };
    let sets = move || {
        let mut n = 0;
        cards.with(|cards| finder::sets(cards, |_| n += 1));
        n
    };
    let dealt = move || {
        let chances = row.get();
        match chances {
            None => view! { <p class="quiet">{t!("odds.counting")}</p> }.into_any(),
            Some(Err(why)) => view! { <p class="refusal">{why}</p> }.into_any(),
            Some(Ok(row)) => view! {
                <p>{t!("maths.deal.ways", n = dom::whole_number(&row.deals), caps = dom::whole_number(&row.caps))}</p>
                <table class="figures">
                    <tbody>
                        <tr><th scope="row">{t!("maths.deal.given")}</th><td class="number" data-testid="deal-given">{chance(row.given)}</td></tr>
                        <tr><th scope="row">{t!("maths.deal.without")}</th><td class="number" data-testid="deal-without">{chance(row.without)}</td></tr>
                        <tr><th scope="row">{t!("maths.deal.some_twice")}</th><td class="number" data-testid="deal-twice">{if power.get() == 0 { t!("maths.deal.never") } else { chance(row.twice) }}</td></tr>
                    </tbody>
                </table>
            }
            .into_any(),
        }
    };
    section(
        "deal",
        view! {
            <p>{t!("maths.deal.lead")}</p>
            <div class="row">
                <button class="small" data-testid="deal-again" on:click=move |_| cards.set(drawn(Deck::D81, CARDS))>{t!("maths.deal.again")}</button>
                <button class="small" data-testid="deal-cap" on:click=cap>{t!("maths.deal.cap")}</button>
            </div>
            <p aria-live="polite" data-testid="deal-sets" data-sets=move || sets().to_string()>{move || t!("maths.deal.sets", n = sets())}</p>
            {move || cards.with(|cards| row_of(Deck::D81, cards))}
            <label class="labelled">
                <span data-testid="deal-times">{move || t!("maths.deal.times", n = large(10f64.powi(power.get() as i32)))}</span>
                <input type="range" min="0" max="21" data-testid="deal-power" prop:value=move || power.get().to_string() on:input=move |e| power.set(event_target_value(&e).parse().unwrap_or(0))/>
            </label>
            <p class="quiet">{t!("maths.deal.scale")}</p>
            <div aria-live="polite">{dealt}</div>
            <p>{t!("maths.deal.seen_twice")}</p>
        },
    )
}
