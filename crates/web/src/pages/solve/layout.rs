//! What a layout of a game of Set holds.

use super::{Asker, field, given, keep};
use crate::latest::Latest;
use crate::{t, ui};
use cards::{Deck, Point};
use leptos::prelude::*;
use pattern::solve::{About, Group};
use rulebook::solve::Question;
use serde_json::{Value, json};

/// How many claims are listed at first, and how many more each time.
const STEP: usize = 100;

/// What a game of Set asks about.
pub(super) struct Layout {
    pub deck: Deck,
    pub cards: Vec<Point>,
    pub zones: u8,
    pub hand: bool,
    pub previous: bool,
}

/// What a layout holds.
#[derive(Clone)]
struct Found {
    claims: pattern::solve::Answer,
    about: Option<About>,
}

/// Asks for the claims of a layout, so many at most, and of a few cards for what else is to be said.
async fn look(asker: &Asker, query: Value, limit: usize, few: bool) -> Result<Found, String> {
    let cards = query["cards"].clone();
    let claims = asker.ask(Question::Solve { limit }, query).await?;
    let about = match few {
        true => Some(asker.ask(Question::About, json!({ "cards": cards })).await?),
        false => None,
    };
    Ok(Found { claims, about })
}

/// The layout, which is written or pressed, and the claims that it holds.
pub(super) fn layout(asker: Asker, layout: Layout) -> AnyView {
    let Layout { deck, cards, zones, hand: has_hand, previous: has_previous } = layout;
    let [laid, own, before] = ["cards", "hand", "previous"].map(given);
    let found = RwSignal::new(None::<Result<Found, String>>);
    // Which claim is lit, where they are looked at one at a time.
    let one = RwSignal::new(None::<usize>);
    // How many claims of which layout were asked for.
    let limit = RwSignal::new(STEP);
    let latest = Latest::new();
    let all = StoredValue::new(cards.clone());
    Effect::new(move || {
        [laid, own, before].iter().for_each(Track::track);
        // Of other cards the first claims are listed again.
        one.set(None);
        if limit.get_untracked() != STEP {
            limit.set(STEP);
        }
    });
    Effect::new(move || {
        let fields = [("cards", laid.get()), ("hand", own.get()), ("previous", before.get())];
        keep(&asker.game, &fields);
        let limit = limit.get();
        let [cards, hand, previous] = fields.map(|(_, text)| text);
        let few = matches!(cards.split_whitespace().count(), 2..=4) && zones == 1;
        let turn = latest.ask();
        let asker = asker.clone();
        leptos::task::spawn_local(async move {
            let query = json!({ "cards": cards, "hand": hand, "previous": previous });
            let asked = look(&asker, query, limit, few).await;
            if turn.holds() {
                found.set(Some(asked));
            }
        });
    });
    let holds = move |text: &str| laid.with(|laid| laid.split_whitespace().any(|word| word == text));
    let press = move |text: &str| {
        laid.update(|laid| {
            let words: Vec<&str> = laid.split_whitespace().collect();
            let left: Vec<&str> = words.iter().copied().filter(|word| *word != text).collect();
            *laid =
                if left.len() < words.len() { left.join(" ") } else { format!("{} {text}", words.join(" ")) };
        });
    };
    let lit = move |text: &str| {
        let Some(n) = one.get() else { return false };
        let in_claim =
            |found: &Found| found.claims.claims.get(n).is_some_and(|c| written(c).iter().any(|w| w == text));
        found.with(|found| matches!(found, Some(Ok(found)) if in_claim(found)))
    };
    let deal = move |_| {
        let mut left = all.get_value();
        let mut dealt = Vec::new();
        while dealt.len() < 12 && !left.is_empty() {
            let at = (js_sys::Math::random() * left.len() as f64) as usize;
            dealt.push(deck.text(left.swap_remove(at.min(left.len() - 1))));
        }
        laid.set(dealt.join(" "));
    };
    view! {
        <section class="panel">
            <div class="row">
                {field("cards", t!("solve.layout"), laid)}
                {has_hand.then(|| field("hand", t!("solve.hand"), own))}
                {has_previous.then(|| field("previous", t!("solve.previous"), before))}
            </div>
            <p class="row">
                <button class="small" data-testid="solve-deal" on:click=deal>{t!("solve.deal", n = 12)}</button>
                {(zones > 1).then(|| view! { <button class="small" data-testid="solve-zone" on:click=move |_| laid.update(|laid| laid.push_str(" | "))>{t!("solve.zone", of = zones)}</button> })}
                <button class="small" data-testid="solve-clear" on:click=move |_| laid.set(String::new())>{t!("maths.clear")}</button>
            </p>
            <div class="answer" aria-live="polite" data-testid="solve-answer">
                {move || match found.get() {
                    None => view! { <p class="quiet">{t!("odds.counting")}</p> }.into_any(),
                    Some(Err(why)) => view! { <p class="refusal">{why}</p> }.into_any(),
                    Some(Ok(found)) => answer(deck, found, one, limit),
                }}
            </div>
        </section>
        <div class="cap-board wide solve-deck">
            {cards.into_iter().map(|card| {
                let text = StoredValue::new(deck.text(card));
                let chosen = move || text.with_value(|text| holds(text));
                view! {
                    <button
                        class="cap-card"
                        class:chosen=chosen
                        class:lit=move || text.with_value(|text| lit(text))
                        aria-pressed=move || chosen().to_string()
                        aria-label=ui::pattern_name(deck, card)
                        data-testid="solve-card"
                        data-card=deck.text(card)
                        on:click=move |_| text.with_value(|text| press(text))
                    >{ui::pattern_card(deck, card)}</button>
                }
            }).collect_view()}
        </div>
    }
    .into_any()
}

/// The cards of a claim as codes, in its order.
fn written(claim: &[Group]) -> Vec<String> {
    let of = |group: &Group| match group {
        Group::Cards(cards) => cards.clone(),
        Group::Pairs(pairs) => pairs.iter().flatten().cloned().collect(),
    };
    claim.iter().flat_map(of).collect()
}

fn pictures(deck: Deck, cards: &[String]) -> impl IntoView + use<> {
    let cards = cards.iter().filter_map(|card| deck.parse(card).ok());
    cards
        .map(|card| {
            view! { <span class="pcard" role="img" aria-label=ui::pattern_name(deck, card)>{ui::pattern_card(deck, card)}</span> }
        })
        .collect_view()
}

fn answer(deck: Deck, found: Found, one: RwSignal<Option<usize>>, limit: RwSignal<usize>) -> AnyView {
    let Found { claims: pattern::solve::Answer { count, claims }, about } = found;
    let listed = claims.len();
    let turn = move |by: isize| {
        let last = listed as isize - 1;
        one.update(|one| *one = Some((one.map_or(0, |n| n as isize + by)).clamp(0, last) as usize));
    };
    let claims = StoredValue::new(claims);
    let row = move |n: usize| {
        let cards = claims.with_value(|claims| claims.get(n).map(|claim| written(claim)).unwrap_or_default());
        view! { <li class="learn-cards" data-testid="solve-claim">{pictures(deck, &cards)}</li> }
    };
    view! {
        <p><strong data-testid="solve-count">{t!("solve.count", n = count)}</strong></p>
        {about.map(|about| told(deck, about))}
        {(listed > 0).then(|| view! {
            <p class="row">
                <button class="small" aria-pressed=move || one.get().is_some().to_string() data-testid="solve-one" on:click=move |_| one.update(|one| *one = if one.is_some() { None } else { Some(0) })>{t!("solve.one")}</button>
                <Show when=move || one.get().is_some()>
                    <button class="small" aria-label=t!("replay.previous") disabled=move || one.get() == Some(0) on:click=move |_| turn(-1)>"◀"</button>
                    <span class="quiet">{move || t!("solve.which", n = one.get().unwrap_or(0) + 1, of = listed)}</span>
                    <button class="small" aria-label=t!("replay.next") data-testid="solve-next" disabled=move || one.get() == Some(listed - 1) on:click=move |_| turn(1)>"▶"</button>
                </Show>
            </p>
            <ul class="plain-list solve-claims">
                {move || match one.get() {
                    Some(n) => row(n).into_any(),
                    None => (0..listed).map(row).collect_view().into_any(),
                }}
            </ul>
        })}
        {(count > listed as u64).then(|| {
            let left = count - listed as u64;
            view! {
                <p class="row quiet">
                    <span>{t!("solve.more", n = left)}</span>
                    {(listed < pattern::solve::LIMIT).then(|| {
                        let more = left.min(STEP as u64);
                        view! { <button class="small" data-testid="solve-more" on:click=move |_| limit.update(|limit| *limit = (*limit + STEP).min(pattern::solve::LIMIT))>{t!("solve.show_more", n = more)}</button> }
                    })}
                </p>
            }
        })}
    }
    .into_any()
}

/// What else is to be said about two to four cards.
fn told(deck: Deck, about: About) -> AnyView {
    let line = |words: String, cards: Vec<String>| {
        view! { <div><p>{words}</p><div class="learn-cards">{pictures(deck, &cards)}</div></div> }
    };
    let features = about.split.iter().map(|feature| t!(&format!("verdict.features.{feature}")));
    let split = features.collect::<Vec<_>>().join(", ");
    view! {
        <div data-testid="solve-about">
            {about.third.map(|card| line(t!("solve.third"), vec![card]))}
            {(!split.is_empty()).then(|| view! { <p>{t!("solve.split", features = split)}</p> })}
            {about.completers.map(|cards| line(t!("solve.completers"), cards.to_vec()))}
            {about.pairs.map(|pairs| line(t!("solve.pairs"), pairs.into_iter().flatten().collect()))}
            {about.joint.map(|card| line(t!("solve.joint"), vec![card]))}
        </div>
    }
    .into_any()
}
