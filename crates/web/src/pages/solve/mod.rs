//! The solver: what a layout or a hand of any game holds, answered beside the page by the engine that plays.

use crate::latest::Latest;
use crate::route::Route;
use crate::worker_client::WorkerClient;
use crate::{dom, games, t, ui};
use cards::{Deck, Face, Pack, Point};
use leptos::prelude::*;
use pattern::solve::{About, Group};
use rulebook::solve::{Question, Setting};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use worker::Ask;

/// How many claims are listed.
const LIMIT: usize = 100;

/// Who answers, and about which game.
#[derive(Clone)]
struct Asker {
    worker: WorkerClient,
    game: String,
}

impl Asker {
    async fn ask<T: DeserializeOwned>(&self, question: Question, query: Value) -> Result<T, String> {
        self.worker.ask(&Ask::<()>::Solve { game: self.game.clone(), question, query }).await
    }
}

/// What the address says of a field.
fn given(name: &str) -> RwSignal<String> {
    RwSignal::new(dom::query(name).unwrap_or_default())
}

/// Keeps what is asked in the address, so that it can be passed on.
fn keep(game: &str, fields: &[(&str, String)]) {
    let said = fields.iter().filter(|(_, text)| !text.trim().is_empty());
    let said: Vec<String> =
        said.map(|(name, text)| format!("{name}={}", dom::in_address(text.trim()))).collect();
    let path = Route::Solve(game.to_owned()).path();
    dom::replace_path(&if said.is_empty() { path } else { format!("{path}?{}", said.join("&")) });
}

/// The solver, for a game.
#[component]
pub fn Solve(game: String) -> impl IntoView {
    let games = games::all();
    let game = games.iter().find(|g| g.id == game).or_else(|| games.first()).cloned();
    let go = crate::route::navigator();
    let chosen = game.as_ref().map(|game| game.id.clone()).unwrap_or_default();
    let options = games
        .iter()
        .map(|game| {
            let selected = game.id == chosen;
            view! { <option value=game.id.clone() selected=selected>{game.name.clone()}</option> }
        })
        .collect_view();
    let body = game.map(|info| {
        let setting = RwSignal::new_local(None::<Result<(Asker, Setting), String>>);
        leptos::task::spawn_local(async move {
            let asked = async {
                let asker = Asker { worker: WorkerClient::start()?, game: info.id };
                let found = asker.ask(Question::Setting, json!({})).await?;
                Ok((asker, found))
            };
            let _ = setting.try_set(Some(asked.await));
        });
        move || match setting.get() {
            None => view! { <p class="quiet">{t!("ui.loading")}</p> }.into_any(),
            Some(Err(why)) => view! { <p class="refusal">{why}</p> }.into_any(),
            Some(Ok((asker, Setting::Pattern { deck, cards, zones, hand, previous }))) => {
                let cards = cards.iter().filter_map(|card| deck.parse(card).ok()).collect();
                layout(asker, Layout { deck, cards, zones, hand, previous })
            }
            Some(Ok((asker, Setting::Contract { pack, faces, rounds }))) => hand(asker, pack, faces, rounds),
        }
    });
    view! {
        <div class="page solve" data-testid="solve">
            <h1>{t!("solve.title")}</h1>
            <p>{t!("solve.lead")}</p>
            <label class="labelled">
                <span>{t!("solve.game")}</span>
                <select data-testid="solve-game" on:change=move |e| go(Route::Solve(event_target_value(&e)))>{options}</select>
            </label>
            {body}
        </div>
    }
}

/// A line of cards that is written; cards are pressed into the first one.
fn field(name: &'static str, label: String, text: RwSignal<String>) -> impl IntoView {
    view! {
        <label class="labelled grow">
            <span>{label}</span>
            <input type="text" autocapitalize="off" autocomplete="off" spellcheck="false" data-testid=format!("solve-{name}") prop:value=move || text.get() on:input=move |e| text.set(event_target_value(&e))/>
        </label>
    }
}

/// What a game of Set asks about.
struct Layout {
    deck: Deck,
    cards: Vec<Point>,
    zones: u8,
    hand: bool,
    previous: bool,
}

/// What a layout holds.
#[derive(Clone)]
struct Found {
    claims: pattern::solve::Answer,
    about: Option<About>,
}

fn layout(asker: Asker, layout: Layout) -> AnyView {
    let Layout { deck, cards, zones, hand: has_hand, previous: has_previous } = layout;
    let [laid, own, before] = ["cards", "hand", "previous"].map(given);
    let found = RwSignal::new(None::<Result<Found, String>>);
    // Which claim is lit, where they are looked at one at a time.
    let one = RwSignal::new(None::<usize>);
    let latest = Latest::new();
    let all = StoredValue::new(cards.clone());
    Effect::new(move || {
        let fields = [("cards", laid.get()), ("hand", own.get()), ("previous", before.get())];
        keep(&asker.game, &fields);
        let [cards, hand, previous] = fields.map(|(_, text)| text);
        let few = matches!(cards.split_whitespace().count(), 2..=4) && zones == 1;
        let turn = latest.ask();
        one.set(None);
        let asker = asker.clone();
        leptos::task::spawn_local(async move {
            let query = json!({ "cards": cards, "hand": hand, "previous": previous });
            let claims = asker.ask(Question::Solve { limit: LIMIT }, query).await;
            let about = match few {
                true => asker.ask(Question::About, json!({ "cards": cards })).await.ok(),
                false => None,
            };
            if turn.holds() {
                found.set(Some(claims.map(|claims| Found { claims, about })));
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
                    Some(Ok(found)) => answer(deck, found, one),
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

fn answer(deck: Deck, found: Found, one: RwSignal<Option<usize>>) -> AnyView {
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
        {(count > listed as u64).then(|| view! { <p class="quiet">{t!("solve.more", n = count - listed as u64)}</p> })}
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

/// What a hand can lay.
#[derive(Clone)]
struct Melds {
    laid: contract::solve::Answer,
    missing: contract::solve::Missing,
    lay_off: Option<contract::solve::LayOff>,
}

fn hand(asker: Asker, pack: Pack, faces: Vec<(String, u8)>, rounds: Vec<String>) -> AnyView {
    let [held, table, round] = ["hand", "melds", "round"].map(given);
    let found = RwSignal::new(None::<Result<Melds, String>>);
    let latest = Latest::new();
    let pack = StoredValue::new(pack);
    Effect::new(move || {
        let fields = [("round", round.get()), ("hand", held.get()), ("melds", table.get())];
        keep(&asker.game, &fields);
        let [round, hand, table] = fields.map(|(_, text)| text);
        let round: u16 = round.parse().unwrap_or(1);
        let turn = latest.ask();
        let asker = asker.clone();
        leptos::task::spawn_local(async move {
            let asked = async {
                let query = json!({ "round": round, "hand": hand });
                let laid = asker.ask(Question::Solve { limit: LIMIT }, query.clone()).await?;
                let missing = asker.ask(Question::Missing, query).await?;
                let melds: Vec<&str> =
                    table.split(';').map(str::trim).filter(|text| !text.is_empty()).collect();
                let lay_off = match melds.is_empty() {
                    true => None,
                    false => {
                        let query = json!({ "round": round, "hand": hand, "melds": melds });
                        Some(asker.ask(Question::LayOff, query).await?)
                    }
                };
                Ok(Melds { laid, missing, lay_off })
            };
            let asked = asked.await;
            if turn.holds() {
                found.set(Some(asked));
            }
        });
    });
    let cards = move || {
        let words: Vec<String> = held.with(|held| held.split_whitespace().map(str::to_owned).collect());
        let card = |(n, word): (usize, String)| {
            let face = pack.with_value(|pack| pack.parse(&word)).ok()?;
            let back = move |_| {
                held.update(|held| {
                    let left = held.split_whitespace().enumerate().filter(|(m, _)| *m != n);
                    *held = left.map(|(_, word)| word).collect::<Vec<_>>().join(" ");
                });
            };
            Some(
                view! { <button class="solve-held" data-testid="solve-held" aria-label=t!("solve.back", card = name(pack, face)) on:click=back>{picture(pack, face)}</button> },
            )
        };
        words.into_iter().enumerate().filter_map(card).collect_view()
    };
    view! {
        <section class="panel">
            <div class="row">
                <label class="labelled">
                    <span>{t!("solve.round")}</span>
                    <select data-testid="solve-round" on:change=move |e| round.set(event_target_value(&e))>
                        {rounds.into_iter().zip(1..).map(|(contract, n): (String, u16)| view! {
                            <option value=n.to_string() prop:selected=move || round.with(|round| round.parse() == Ok(n))>{format!("{n}: {contract}")}</option>
                        }).collect_view()}
                    </select>
                </label>
                {field("hand", t!("solve.hand"), held)}
            </div>
            <div class="solve-hand">{cards}</div>
            {field("melds", t!("solve.melds"), table)}
            <p class="row"><button class="small" data-testid="solve-clear" on:click=move |_| { held.set(String::new()); table.set(String::new()) }>{t!("maths.clear")}</button></p>
            <div class="answer" aria-live="polite" data-testid="solve-answer">
                {move || match found.get() {
                    None => view! { <p class="quiet">{t!("odds.counting")}</p> }.into_any(),
                    Some(Err(why)) => view! { <p class="refusal">{why}</p> }.into_any(),
                    Some(Ok(found)) => melds(pack, found),
                }}
            </div>
        </section>
        {every_face(pack, faces, held)}
    }
    .into_any()
}

/// All faces, to be pressed into the hand.
fn every_face(pack: StoredValue<Pack>, faces: Vec<(String, u8)>, held: RwSignal<String>) -> impl IntoView {
    let count =
        move |text: &str| held.with(|held| held.split_whitespace().filter(|word| *word == text).count());
    view! {
        <div class="solve-pack">
            {faces.into_iter().filter_map(|(text, most)| {
                let face = pack.with_value(|pack| pack.parse(&text)).ok()?;
                let text = StoredValue::new(text);
                let held_of = move || text.with_value(|text| count(text));
                Some(view! {
                    <button
                        class="solve-face"
                        class:chosen=move || { held_of() > 0 }
                        disabled=move || { held_of() >= usize::from(most) }
                        aria-label=name(pack, face)
                        data-testid="solve-face"
                        data-face=text.get_value()
                        on:click=move |_| held.update(|held| *held = format!("{} {}", held.trim(), text.get_value()).trim().to_owned())
                    >{picture(pack, face)}<Show when=move || { held_of() > 1 }><b class="solve-times">{move || held_of()}</b></Show></button>
                })
            }).collect_view()}
        </div>
    }
}

fn name(pack: StoredValue<Pack>, face: Face) -> String {
    pack.with_value(|pack| ui::playing_name(pack, face))
}

fn picture(pack: StoredValue<Pack>, face: Face) -> AnyView {
    pack.with_value(|pack| ui::playing_card(pack, face))
}

/// The cards that stand in a text of notation, such as a meld.
fn row(pack: StoredValue<Pack>, text: &str) -> impl IntoView + use<> {
    let inside = text.split_once('[').map_or(text, |(_, inside)| inside.trim_end_matches(']'));
    let faces = inside.split_whitespace().filter_map(|word| {
        // What a wild stands for is written behind it.
        let word = word.split('=').next().unwrap_or(word);
        pack.with_value(|pack| pack.parse(word)).ok()
    });
    faces
        .map(|face| view! { <span class="mcard" role="img" aria-label=name(pack, face)>{picture(pack, face)}</span> })
        .collect_view()
}

fn melds(pack: StoredValue<Pack>, found: Melds) -> AnyView {
    let Melds { laid, missing, lay_off } = found;
    let contract = match (laid.best, missing.distance) {
        (Some(way), _) => view! {
            <p><strong data-testid="solve-can">{t!("solve.can", n = laid.ways)}</strong></p>
            <ul class="plain-list solve-melds">{way.melds.iter().map(|meld| view! { <li data-testid="solve-meld">{row(pack, meld)}</li> }).collect_view()}</ul>
            <p>{t!("solve.left", points = way.points)}</p>
            <div class="solve-hand">{row(pack, &way.left)}</div>
        }
        .into_any(),
        (None, Some(distance)) => view! {
            <p><strong data-testid="solve-missing">{t!("solve.missing", n = distance)}</strong></p>
            {(!missing.helpful.is_empty()).then(|| view! { <p>{t!("solve.helpful")}</p><div class="solve-hand" data-testid="solve-helpful">{row(pack, &missing.helpful)}</div> })}
        }
        .into_any(),
        (None, None) => view! { <p>{t!("solve.never")}</p> }.into_any(),
    };
    let plays = lay_off.map(|lay_off| {
        view! {
            <h2>{t!("solve.lay_off")}</h2>
            <ul data-testid="solve-plays">{lay_off.plays.iter().map(|play| view! { <li>{told_play(pack, play)}</li> }).collect_view()}</ul>
            <p>{t!("solve.left", points = lay_off.points)}</p>
            <div class="solve-hand">{row(pack, &lay_off.left)}</div>
        }
    });
    view! { {contract} {plays} }.into_any()
}

/// A play, which is written as a command, in words.
fn told_play(pack: StoredValue<Pack>, play: &str) -> String {
    let named = |text: &str| {
        pack.with_value(|pack| pack.parse(text)).map_or_else(|_| text.to_owned(), |face| name(pack, face))
    };
    match *play.split_whitespace().collect::<Vec<_>>() {
        ["layoff", card, "on", meld, ..] => t!("solve.lays", card = named(card), meld = meld),
        ["reclaim", card, "from", meld] => t!("solve.takes_back", card = named(card), meld = meld),
        _ => play.to_owned(),
    }
}
