//! Caps: all counted, and an explorer of them.

use super::{deck_of, dimensions};
use crate::latest::Latest;
use crate::worker_client::WorkerClient;
use crate::{dom, t, ui};
use cards::Point;
use leptos::prelude::*;
use worker::{Ask, CapRow, Safe};

/// The caps of each size.
#[component]
pub fn Caps(worker: Result<WorkerClient, String>) -> impl IntoView {
    let dim = RwSignal::new(4u32);
    let rows = RwSignal::new(None::<Result<(Vec<CapRow>, f64), String>>);
    let latest = Latest::new();
    Effect::new(move || {
        let ask = Ask::<()>::Caps { dim: dim.get() };
        let turn = latest.ask();
        rows.set(None);
        let worker = match worker.clone() {
            Ok(worker) => worker,
            Err(why) => return rows.set(Some(Err(why))),
        };
        leptos::task::spawn_local(async move {
            let began = dom::now();
            let answer = worker.ask(&ask).await;
            let took = dom::now() - began;
            if turn.holds() {
                rows.set(Some(answer.map(|rows| (rows, took))));
            }
        });
    });
    view! {
        <section class="panel" id="caps_title" data-testid="caps">
            <h2>{t!("maths.caps_title")}</h2>
            {dimensions(dim, 1, "caps-dim")}
            {move || match rows.get() {
                None => view! { <p class="quiet">{t!("odds.counting")}</p> }.into_any(),
                Some(Err(why)) => view! { <p class="refusal">{why}</p> }.into_any(),
                Some(Ok((rows, took))) => view! {
                    <div class="scroll" tabindex="0" role="group" aria-label=t!("maths.caps_title")><table class="figures" data-testid="caps-table">
                        <thead><tr><th scope="col" class="number">{t!("maths.size")}</th><th scope="col" class="number">{t!("maths.count")}</th><th scope="col" class="number">{t!("maths.classes")}</th><th scope="col" class="number">{t!("maths.complete")}</th></tr></thead>
                        <tbody>
                            {rows.into_iter().map(|row| view! {
                                <tr><td class="number">{row.size}</td><td class="number">{row.caps}</td><td class="number">{row.classes}</td><td class="number">{row.complete}</td></tr>
                            }).collect_view()}
                        </tbody>
                    </table></div>
                    <p class="quiet">{t!("maths.took", seconds = dom::number(took / 1000.0, 1))}</p>
                }
                .into_any(),
            }}
            {super::sheets("caps_title")}
        </section>
    }
}

/// Cards to lay out one by one: which are still safe, and how many caps hold them.
#[component]
pub fn Explorer(worker: Result<WorkerClient, String>) -> impl IntoView {
    let dim = RwSignal::new(3u32);
    let chosen = RwSignal::new(Vec::<u8>::new());
    let safe = RwSignal::new(None::<Vec<u8>>);
    let extends = RwSignal::new(None::<Vec<String>>);
    let fault = RwSignal::new(String::new());
    let latest = Latest::new();
    Effect::new(move || {
        let (dim, cards) = (dim.get(), chosen.get());
        let turn = latest.ask();
        extends.set(None);
        let worker = match worker.clone() {
            Ok(worker) => worker,
            Err(why) => return fault.set(why),
        };
        leptos::task::spawn_local(async move {
            for count in [false, true] {
                let answer = worker.ask(&Ask::<()>::Safe { dim, cards: cards.clone(), count }).await;
                if !turn.holds() {
                    return;
                }
                match answer {
                    Ok(Safe { safe: can, extends: sizes, .. }) => {
                        safe.set(Some(can));
                        extends.set(sizes);
                    }
                    Err(why) => fault.set(why),
                }
                // Counting takes a moment: who goes on laying cards is not kept waiting for it.
                dom::sleep(300).await;
                if !turn.holds() {
                    return;
                }
            }
        });
    });
    Effect::new(move || {
        dim.get();
        chosen.set(vec![]);
        safe.set(None);
    });
    let deck = move || deck_of(dim.get());
    let card = move |n: u8| {
        let is_chosen = move || chosen.with(|c| c.contains(&n));
        let is_safe = move || safe.with(|s| s.as_ref().is_none_or(|s| s.contains(&n)));
        view! {
            <button
                class="cap-card"
                class:chosen=is_chosen
                aria-pressed=move || is_chosen().to_string()
                aria-label=move || ui::pattern_name(deck(), Point(n))
                disabled=move || !is_chosen() && !is_safe()
                data-testid=format!("cap-{n}")
                on:click=move |_| ui::toggle(chosen, n)
            >{move || ui::pattern_card(deck(), Point(n))}</button>
        }
    };
    let state = move || {
        let (laid, free) = (chosen.with(Vec::len), safe.with(|s| s.as_ref().map_or(0, Vec::len)));
        if free == 0 && laid > 0 && safe.with(Option::is_some) {
            t!("maths.full", n = laid)
        } else {
            t!("maths.state", laid = laid, free = free)
        }
    };
    view! {
        <section class="panel" data-testid="explorer">
            <h2>{t!("maths.explorer")}</h2>
            <p>{t!("maths.explorer_lead")}</p>
            <div class="row">
                {dimensions(dim, 2, "explorer-dim")}
                <button class="small" data-testid="explorer-clear" on:click=move |_| chosen.set(vec![])>{t!("maths.clear")}</button>
            </div>
            <p aria-live="polite" data-testid="explorer-state">{state}</p>
            <p class="refusal" class:hidden=move || fault.with(String::is_empty)>{move || fault.get()}</p>
            <div class="cap-board" class:wide=move || dim.get() == 4>
                {move || (0..3u8.pow(dim.get())).map(card).collect_view()}
            </div>
            <div aria-live="polite" data-testid="explorer-extends">
                {move || extends.get().map(|sizes| {
                    let first = chosen.with_untracked(Vec::len);
                    view! {
                        <p>{t!("maths.extends")}</p>
                        <ul class="sizes">{sizes.into_iter().enumerate().skip(first).map(|(k, n)| view! { <li>{t!("maths.extends_size", k = k, n = n)}</li> }).collect_view()}</ul>
                    }
                })}
            </div>
        </section>
    }
}
