//! The Fourier bound on caps: how every direction splits some cards, and what follows from it.

use super::{Counter, answer, answers, deck_of, dimensions, section, shown, whole};
use crate::{dom, t, ui};
use cards::Point;
use leptos::prelude::*;
use worker::{Ask, WaveBound, WaveRow, WavesRow};

/// Three arrows at 120 degrees, as long as the parts, and their sum.
fn wheel(wave: &WaveRow) -> impl IntoView + use<> {
    let all: u64 = wave.parts.iter().sum();
    let most = wave.parts.into_iter().max().unwrap_or(0).max(1) as f64;
    let way = |n: usize| {
        let angle = std::f64::consts::TAU * n as f64 / 3.0 - std::f64::consts::FRAC_PI_2;
        (angle.cos(), angle.sin())
    };
    let point =
        |(x, y): (f64, f64), length: f64| format!("{:.1},{:.1}", 30.0 * length * x, 30.0 * length * y);
    let spokes = (0..3).map(|n| {
        let end = point(way(n), wave.parts[n] as f64 / most);
        view! { <polyline class="spoke" points=format!("0,0 {end}")></polyline> }
    });
    let sum = (0..3).fold((0.0, 0.0), |(x, y), n| {
        let (dx, dy) = way(n);
        let part = wave.parts[n] as f64;
        (x + part * dx, y + part * dy)
    });
    let text = wave.parts.map(|n| n.to_string()).join(" + ");
    let length = dom::number((wave.square as f64).sqrt(), 2);
    view! {
        <figure class="wheel">
            <svg viewBox="-34 -34 68 68" role="img" aria-label=t!("maths.waves.wheel", parts = text.clone(), length = length.clone())>
                <circle r="32"></circle>
                {spokes.collect_view()}
                {(all > 0).then(|| view! { <polyline class="sum" points=format!("0,0 {}", point(sum, 1.0 / most))></polyline> })}
            </svg>
            <figcaption>{text}<br/>{length}</figcaption>
        </figure>
    }
}

/// A bound as a fraction and as a number; a whole one once.
fn told_bound(row: &WaveBound) -> String {
    match row.exact.strip_suffix("/1") {
        Some(exact) => exact.to_owned(),
        None => format!("{} = {}", row.exact, dom::number(row.value, 2)),
    }
}

#[component]
pub fn Waves(worker: Counter) -> impl IntoView {
    let dim = RwSignal::new(2u32);
    let chosen = RwSignal::new(Vec::<u8>::new());
    let row = answers::<WavesRow>(&worker, move || Ask::Waves { dim: dim.get(), cards: chosen.get() });
    Effect::new(move |before: Option<u32>| {
        let now = dim.get();
        if before.is_some_and(|before| before != now) {
            chosen.set(vec![]);
        }
        now
    });
    let largest = worker.clone();
    let cap = move |_| {
        let (dim, worker) = (dim.get_untracked(), largest.clone());
        if let Ok(worker) = worker {
            leptos::task::spawn_local(async move {
                if let Ok(found) = worker.ask(&Ask::<()>::LargestCap { dim }).await {
                    let _ = chosen.try_set(found);
                }
            });
        }
    };
    let card = move |n: u8| {
        let deck = deck_of(dim.get());
        let is_chosen = move || chosen.with(|c| c.contains(&n));
        view! {
            <button class="cap-card" class:chosen=is_chosen aria-pressed=move || is_chosen().to_string() aria-label=ui::pattern_name(deck, Point(n)) data-testid=format!("wave-{n}") on:click=move |_| ui::toggle(chosen, n)>
                {ui::pattern_card(deck, Point(n))}
            </button>
        }
    };
    let told = move |row: WavesRow| {
        let cards = chosen.with_untracked(Vec::len) as i64;
        let cubes: i64 = row.waves.iter().map(|wave| wave.cubes).sum();
        let wheels = row.waves.iter().map(wheel).collect_view();
        view! {
            <div class="wheels" data-testid="wheels">{wheels}</div>
            <p data-testid="waves-sum">{t!("maths.waves.sum", n = cards, cube = dom::number(cards.pow(3) as f64, 0), cubes = dom::number(cubes as f64, 0), deck = row.deck, triples = dom::number((cards.pow(3) + cubes) as f64 / row.deck as f64, 0))}</p>
            <p data-testid="waves-sets" data-sets=row.by_waves.to_string()>{t!("maths.waves.sets", sets = row.by_waves, looking = row.by_looking)}</p>
        }
        .into_any()
    };
    let bounds = answer::<Vec<WaveBound>>(&worker, Ask::WaveBounds);
    section(
        "waves",
        view! {
            <p>{t!("maths.waves.lead")}</p>
            <div class="row">
                {dimensions(dim, 2, "waves-dim")}
                <button class="small" data-testid="waves-cap" on:click=cap>{t!("maths.waves.cap")}</button>
                <button class="small" data-testid="waves-clear" on:click=move |_| chosen.set(vec![])>{t!("maths.clear")}</button>
            </div>
            <div class="cap-board" class:square=move || dim.get() == 2 class:wide=move || dim.get() == 4>{move || (0..3u8.pow(dim.get())).map(card).collect_view()}</div>
            <div aria-live="polite">{shown(row, told)}</div>
            <h3>{t!("maths.why")}</h3>
            <ol class="properties">{(1..=5).map(|n| view! { <li>{t!(&format!("maths.waves.step_{n}"))}</li> }).collect_view()}</ol>
            {shown(bounds, |rows| view! {
                <div class="scroll" tabindex="0" role="group" aria-label=t!("maths.waves.title")><table class="figures" data-testid="wave-bounds">
                    <thead><tr><th scope="col">{t!("maths.dim")}</th><th scope="col" class="number">{t!("maths.waves.bound")}</th><th scope="col" class="number">{t!("maths.waves.whole")}</th><th scope="col" class="number">{t!("maths.waves.largest")}</th></tr></thead>
                    <tbody>{rows.into_iter().map(|row| view! {
                        <tr><td>{format!("AG({},3)", row.dim)}</td><td class="number">{told_bound(&row)}</td><td class="number">{whole(row.value.floor() as u64)}</td><td class="number">{row.largest}</td></tr>
                    }).collect_view()}</tbody>
                </table></div>
            }.into_any())}
            <p>{t!("maths.waves.end")}</p>
        },
    )
}
