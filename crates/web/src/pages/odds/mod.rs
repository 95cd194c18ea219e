//! How likely cards without a Set are: fresh cards counted, and layouts met in play simulated, both beside the page in this
//! browser.

mod chart;
mod play;

use super::figures::{against, percent};
use crate::latest::Latest;
use crate::soon::below;
use crate::worker_client::WorkerClient;
use crate::{dom, lang, t};
use leptos::prelude::*;
use worker::{Ask, OddsRow, PublishedRow};

const DECKS: [&str; 2] = ["d81", "d27"];
const PATTERNS: [&str; 4] = ["set", "super", "double", "eight"];

#[component]
pub fn Odds() -> impl IntoView {
    let deck = RwSignal::new(DECKS[0].to_owned());
    let pattern = RwSignal::new(PATTERNS[0].to_owned());
    let cards = RwSignal::new(12usize);
    let row = RwSignal::new(None::<Result<OddsRow, String>>);
    // Room is made for the first answer; later ones take the place of one another.
    let waits = Memo::new(move |before| before != Some(&false) && row.with(Option::is_none));
    let published = RwSignal::new(Vec::<PublishedRow>::new());
    let worker = StoredValue::new_local(None::<WorkerClient>);
    let latest = Latest::new();
    on_cleanup(move || {
        if let Some(old) = worker.try_update_value(Option::take).flatten() {
            old.end();
        }
    });
    Effect::new(move || {
        let ask = Ask::<()>::Odds { deck: deck.get(), pattern: pattern.get(), cards: cards.get() };
        // Who asks anew does not wait for the old answer, however long it still had to count.
        let idle = row.with_untracked(|row| matches!(row, Some(Ok(_))));
        if !idle && let Some(old) = worker.try_update_value(Option::take).flatten() {
            old.end();
        }
        row.set(None);
        let turn = latest.ask();
        let mine = match worker.get_value().map_or_else(WorkerClient::start, Ok) {
            Ok(mine) => mine,
            Err(why) => return row.set(Some(Err(why))),
        };
        worker.set_value(Some(mine.clone()));
        if published.with_untracked(Vec::is_empty) {
            let mine = mine.clone();
            leptos::task::spawn_local(async move {
                if let Ok(rows) = mine.ask(&Ask::<()>::Published).await {
                    let _ = published.try_set(rows);
                }
            });
        }
        leptos::task::spawn_local(async move {
            let answer = mine.ask(&ask).await;
            if turn.holds() {
                row.set(Some(answer));
            }
        });
    });
    let choice = |name: &'static str, of: &'static [&'static str], signal: RwSignal<String>| {
        view! {
            <label class="labelled">
                <span>{t!(&format!("odds.{name}"))}</span>
                <select data-testid=format!("odds-{name}") on:change=move |e| signal.set(event_target_value(&e))>
                    {of.iter().map(|v| view! { <option value=*v>{t!(&format!("odds.{v}"))}</option> }).collect_view()}
                </select>
            </label>
        }
    };
    view! {
        <div class="page narrow prose odds" data-testid="odds">
            <h1>{t!("odds.title")}</h1>
            <p>{t!("odds.lead")}</p>
            <p><a href="/maths">{t!("odds.why")}</a></p>
            <section class="panel">
                <h2>{t!("odds.fresh")}</h2>
                <div class="row">
                    {choice("deck", &DECKS, deck)}
                    {choice("pattern", &PATTERNS, pattern)}
                    <label class="labelled">
                        <span>{move || t!("odds.cards", n = cards.get())}</span>
                        <input
                            type="range"
                            min="3"
                            max="21"
                            data-testid="odds-cards"
                            prop:value=move || cards.get().to_string()
                            on:change=move |e| cards.set(event_target_value(&e).parse().unwrap_or(12))
                        />
                    </label>
                </div>
                <div aria-live="polite" class:waits=move || waits.get() data-testid="odds-answer">
                    {move || match row.get() {
                        None => view! { <p class="quiet">{t!("odds.counting")}</p> }.into_any(),
                        Some(Err(why)) => view! { <p class="refusal">{why}</p> }.into_any(),
                        Some(Ok(row)) => answer(&row),
                    }}
                </div>
            </section>
            {below(move || view! {
                <play::InPlay/>
                {below(move || figures(published))}
            }.into_any())}
        </div>
    }
}

/// What others have published.
fn figures(published: RwSignal<Vec<PublishedRow>>) -> AnyView {
    view! {
        <h2>{t!("odds.published")}</h2>
        <p>{t!("odds.published_lead")}</p>
        <div class="scroll" tabindex="0" role="group" aria-label=t!("odds.published")><table class="figures">
            <thead><tr><th scope="col">{t!("odds.source")}</th><th scope="col" class="number">"12"</th><th scope="col" class="number">"15"</th><th scope="col" class="number">"18"</th><th scope="col">{t!("odds.measures")}</th></tr></thead>
            <tbody>
                {move || published.get().into_iter().enumerate().map(|(n, p)| {
                    // In English they come as they are.
                    let said = |part: &str, english: String| lang::look_up(&format!("published.{n}.{part}")).unwrap_or(english);
                    let odds = p.odds.into_iter().zip(["12", "15", "18"]);
                    let odds = odds.map(|(odds, cards)| view! { <td class="number">{said(cards, odds)}</td> }).collect_view();
                    view! { <tr><td>{said("source", p.source)}</td>{odds}<td>{said("measures", p.measures)}</td></tr> }
                }).collect_view()}
            </tbody>
        </table></div>
    }
    .into_any()
}

fn answer(row: &OddsRow) -> AnyView {
    let exact = match (&row.exact, row.error) {
        (Some(fraction), _) => t!("odds.exact", fraction = fraction),
        (None, Some(error)) => t!("odds.sampled", error = percent(error)),
        (None, None) => String::new(),
    };
    view! {
        <p class="big-figure"><strong data-testid="odds-none">{percent(row.none)}</strong> " " {t!("odds.none")}</p>
        <p>{t!("odds.against", odds = against(row.none))} " " {row.mean.map(|mean| t!("odds.mean", mean = dom::number(mean, 3)))} " " {row.most.map(|most| t!("odds.most", most = most))}</p>
        <p class="quiet">{exact}</p>
        {(!row.distribution.is_empty()).then(|| bars(&row.distribution))}
    }
    .into_any()
}

/// How many layouts hold each number, as bars with their figures.
fn bars(distribution: &[(usize, String)]) -> AnyView {
    let share: Vec<f64> = distribution.iter().map(|(_, n)| n.parse().unwrap_or(0.0)).collect();
    let all: f64 = share.iter().sum();
    let most = share.iter().copied().fold(1.0, f64::max);
    view! {
        <h3>{t!("odds.distribution")}</h3>
        <div class="scroll" tabindex="0" role="group" aria-label=t!("odds.distribution")><table class="figures bars" data-testid="odds-distribution">
            <thead><tr><th scope="col" class="number">{t!("odds.how_many")}</th><th scope="col" class="number">{t!("odds.layouts")}</th><th scope="col">{t!("odds.share")}</th></tr></thead>
            <tbody>
                {distribution.iter().zip(share).map(|((n, layouts), share)| view! {
                    <tr>
                        <td class="number">{*n}</td>
                        <td class="number">{dom::whole_number(layouts)}</td>
                        <td class="bar"><span style:width=format!("{:.2}%", 70.0 * share / most)></span>{percent(share / all)}</td>
                    </tr>
                }).collect_view()}
            </tbody>
        </table></div>
    }
    .into_any()
}
