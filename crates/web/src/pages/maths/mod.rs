//! The mathematics of the cards: lines of a finite space, what follows from them, and something to try for each.

mod beyond;
mod caps;
mod code;
mod deal;
mod directions;
mod joint;
mod last;
mod plane;
mod waves;

use super::figures::{large, percent, whole};
use crate::latest::Latest;
use crate::soon::below;
use crate::worker_client::WorkerClient;
use crate::{dom, t, ui};
use cards::{Deck, Point};
use leptos::prelude::*;
use serde::de::DeserializeOwned;
use worker::{Ask, CountsRow};

/// The sections, in their order: what the address calls each, which is also the key of its heading.
const SECTIONS: [&str; 9] =
    ["last", "deal", "plane", "joint", "code", "directions", "caps_title", "waves", "beyond"];

/// Who counts, or why nobody does.
type Counter = Result<WorkerClient, String>;

#[component]
pub fn Maths() -> impl IntoView {
    // What takes a while to count keeps the others not waiting.
    let (worker, quick) = (WorkerClient::start(), WorkerClient::start());
    let spaces = [2, 3, 4].map(|dim| answer::<CountsRow>(&quick, Ask::Counts { dim }));
    let [worker, quick] = [worker, quick].map(StoredValue::new_local);
    let contents = SECTIONS.map(|section| {
        view! { <li><a href=format!("#{section}")>{heading(section)}</a></li> }
    });
    request_animation_frame(dom::to_anchor);
    view! {
        <div class="page prose maths" data-testid="maths">
            <h1>{t!("maths.title")}</h1>
            <p>{t!("maths.points")}</p>
            <p>{t!("maths.lines")}</p>
            <ul class="contents">{contents.collect_view()}</ul>
            {below(|| view! { <last::Last/> }.into_any())}
            {below(move || view! { <deal::Deal worker=quick.get_value()/> }.into_any())}
            {below(move || view! { <plane::Plane spaces=spaces/> }.into_any())}
            {below(move || view! { <joint::Joint spaces=spaces/> }.into_any())}
            {below(|| view! { <code::Code/> }.into_any())}
            {below(move || view! { <directions::Directions spaces=spaces/> }.into_any())}
            {below(move || view! {
                <p>{t!("maths.caps")} " " <a href="/odds">{t!("maths.odds")}</a></p>
                <caps::Caps worker=worker.get_value()/>
            }.into_any())}
            {below(move || view! { <caps::Explorer worker=worker.get_value()/> }.into_any())}
            {below(move || view! { <waves::Waves worker=quick.get_value()/> }.into_any())}
            {below(move || view! { <beyond::Beyond worker=quick.get_value()/> }.into_any())}
        </div>
    }
}

fn heading(section: &str) -> String {
    if section == "caps_title" { t!("maths.caps_title") } else { t!(&format!("maths.{section}.title")) }
}

/// A section with its heading, where the contents lead to.
fn section(name: &'static str, inside: impl IntoView) -> impl IntoView {
    view! {
        <section class="panel" id=name data-testid=name>
            <h2>{heading(name)}</h2>
            {inside}
            {sheets(name)}
        </section>
    }
}

/// Work sheets that practise what a section tells.
fn sheets(section: &str) -> impl IntoView + use<> {
    let kinds: &[&str] = match section {
        "last" => &["left"],
        "plane" => &["square"],
        "joint" => &["joint", "split", "completers"],
        "code" => &["complete", "code"],
        "directions" => &["direction"],
        "caps_title" => &["cap"],
        _ => &[],
    };
    let link = |kind: &&str| {
        let path = super::rules::sheet(kind, 2);
        view! { " " <a class="button small" href=path target="_blank">{t!(&format!("print.sheet.{kind}"))}</a> }
    };
    (!kinds.is_empty()).then(|| view! { <p data-testid="maths-sheets">{t!("print.sheets")} ":" {kinds.iter().map(link).collect_view()}</p> })
}

/// The deck whose cards are the points of a dimension.
fn deck_of(dim: u32) -> Deck {
    if dim == 4 { Deck::D81 } else { Deck::D27 }
}

fn dimensions(dim: RwSignal<u32>, from: u32, name: &'static str) -> impl IntoView {
    view! {
        <label class="row">
            <span>{t!("maths.dim")}</span>
            <select data-testid=name on:change=move |e| dim.set(event_target_value(&e).parse().unwrap_or(4))>
                {(from..=4).map(|n| view! {
                    <option value=n.to_string() prop:selected=move || dim.get() == n>{t!("maths.cards", dim = n, n = 3u32.pow(n))}</option>
                }).collect_view()}
            </select>
        </label>
    }
}

/// Asks once, and holds the answer when it comes.
fn answer<T: DeserializeOwned + Send + Sync + 'static>(
    worker: &Counter,
    ask: Ask<()>,
) -> RwSignal<Option<Result<T, String>>> {
    answers(worker, move || ask.clone())
}

/// Asks again whenever the question changes, and holds the latest answer.
fn answers<T: DeserializeOwned + Send + Sync + 'static>(
    worker: &Counter,
    ask: impl Fn() -> Ask<()> + 'static,
) -> RwSignal<Option<Result<T, String>>> {
    let (held, latest, worker) = (RwSignal::new(None), Latest::new(), worker.clone());
    Effect::new(move || {
        let (ask, turn) = (ask(), latest.ask());
        match worker.clone() {
            Err(why) => held.set(Some(Err(why))),
            Ok(worker) => leptos::task::spawn_local(async move {
                let answer = worker.ask(&ask).await;
                if turn.holds() {
                    held.set(Some(answer));
                }
            }),
        }
    });
    held
}

/// What the spaces of two, three and four dimensions are made of.
type Spaces = [RwSignal<Option<Result<CountsRow, String>>>; 3];

/// A line of a table for each space, once it is counted.
fn spaces_told(spaces: Spaces, line: fn(CountsRow) -> AnyView) -> impl IntoView {
    spaces.map(|space| move || space.get().and_then(Result::ok).map(line)).collect_view()
}

/// Shows an answer: that it is being counted, why there is none, or what it says.
fn shown<T: Clone + Send + Sync + 'static>(
    held: RwSignal<Option<Result<T, String>>>,
    say: impl Fn(T) -> AnyView + Send + Sync + 'static,
) -> impl IntoView {
    move || match held.get() {
        None => view! { <p class="quiet">{t!("odds.counting")}</p> }.into_any(),
        Some(Err(why)) => view! { <p class="refusal">{why}</p> }.into_any(),
        Some(Ok(said)) => say(said),
    }
}

/// A card that is only looked at.
fn card(deck: Deck, point: Point) -> impl IntoView {
    view! { <span class="pcard" role="img" aria-label=ui::pattern_name(deck, point)>{ui::pattern_card(deck, point)}</span> }
}

/// Some cards in a row.
fn row_of(deck: Deck, cards: &[Point]) -> impl IntoView + use<> {
    let cards = cards.iter().map(|&point| card(deck, point)).collect_view();
    view! { <div class="maths-row">{cards}</div> }
}

/// A number below `n`, by chance.
fn any_of(n: usize) -> usize {
    ((js_sys::Math::random() * n as f64) as usize).min(n.saturating_sub(1))
}

/// So many different cards of a deck, by chance.
fn drawn(deck: Deck, n: usize) -> Vec<Point> {
    let mut left: Vec<Point> = (0..deck.points() as u8).map(Point).collect();
    if deck == Deck::D27 {
        left.truncate(27);
    }
    (0..n.min(left.len())).map(|_| left.swap_remove(any_of(left.len()))).collect()
}

/// Three cards that are no Set, by chance.
fn drawn_corners() -> [Point; 3] {
    loop {
        if let [a, b, c] = drawn(Deck::D81, 3)[..]
            && !pattern::finder::is_set(a, b, c)
        {
            return [a, b, c];
        }
    }
}
