//! What a hand of a game of Contract Rummy can lay.

use super::{Asker, field, given, keep};
use crate::latest::Latest;
use crate::{lang, t, ui};
use cards::{Face, Pack};
use game::Sentence;
use leptos::prelude::*;
use rulebook::solve::Question;
use serde_json::json;

/// What a hand can lay.
#[derive(Clone)]
struct Melds {
    laid: contract::solve::Answer,
    missing: contract::solve::Missing,
    lay_off: Option<contract::solve::LayOff>,
}

/// The hand and the melds on the table, which are written or pressed, and what can be laid.
pub(super) fn hand(asker: Asker, pack: Pack, faces: Vec<(String, u8)>, rounds: Vec<Sentence>) -> AnyView {
    let words = lang::sheets();
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
                let laid = asker.ask(Question::Solve { limit: 0 }, query.clone()).await?;
                let missing = asker.ask(Question::Missing, query).await?;
                let melds = melds_of(&table);
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
    // The next meld on the table, card by card, where cards that are pressed go there and not into the hand.
    let next = RwSignal::new(None::<Vec<String>>);
    view! {
        <section class="panel">
            <div class="row">
                <label class="labelled">
                    <span>{t!("solve.round")}</span>
                    <select data-testid="solve-round" on:change=move |e| round.set(event_target_value(&e))>
                        {rounds.into_iter().zip(1..).map(|(contract, n): (Sentence, u16)| view! {
                            <option value=n.to_string() prop:selected=move || round.with(|round| round.parse() == Ok(n))>
                                {move || { words.track(); format!("{n}: {}", lang::sentence(&contract)) }}
                            </option>
                        }).collect_view()}
                    </select>
                </label>
                {field("hand", t!("solve.hand"), held)}
            </div>
            <div class="solve-hand">{move || in_hand(pack, held)}</div>
            {field("melds", t!("solve.melds"), table)}
            {on_table(pack, table, next)}
            <p class="row"><button class="small" data-testid="solve-clear" on:click=move |_| { held.set(String::new()); table.set(String::new()); next.set(None) }>{t!("maths.clear")}</button></p>
            <div class="answer" aria-live="polite" data-testid="solve-answer">
                {move || match found.get() {
                    None => view! { <p class="quiet">{t!("odds.counting")}</p> }.into_any(),
                    Some(Err(why)) => view! { <p class="refusal">{why}</p> }.into_any(),
                    Some(Ok(found)) => melds(pack, found),
                }}
            </div>
        </section>
        {every_face(pack, faces, held, table, next)}
    }
    .into_any()
}

/// The cards of the hand, each of which goes back when it is pressed.
fn in_hand(pack: StoredValue<Pack>, held: RwSignal<String>) -> impl IntoView {
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
}

/// The melds as they are written, one by one.
fn melds_of(table: &str) -> Vec<String> {
    table.split(';').map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned).collect()
}

/// The melds on the table, each of which can be taken away, and the next one, which grows by pressing cards.
fn on_table(
    pack: StoredValue<Pack>,
    table: RwSignal<String>,
    next: RwSignal<Option<Vec<String>>>,
) -> impl IntoView {
    let laid = move || {
        let meld = |(n, meld): (usize, String)| {
            let away = move |_| {
                table.update(|table| {
                    let mut melds = melds_of(table);
                    melds.remove(n);
                    *table = melds.join("; ");
                });
            };
            view! {
                <li data-testid="solve-laid">
                    {row(pack, &meld)}
                    <button class="small" aria-label=t!("solve.away", meld = meld) on:click=away>"✕"</button>
                </li>
            }
        };
        table.with(|table| melds_of(table)).into_iter().enumerate().map(meld).collect_view()
    };
    let lay = move |kind: char| {
        let cards = next.with(|next| next.as_deref().unwrap_or_default().join(" "));
        table.update(|table| {
            let mut melds = melds_of(table);
            melds.push(format!("{kind}[{cards}]"));
            *table = melds.join("; ");
        });
        next.set(Some(Vec::new()));
    };
    let empty = move || next.with(|next| next.as_ref().is_none_or(Vec::is_empty));
    let into = move |melds: bool| move |_| next.set(melds.then(Vec::new));
    view! {
        <ul class="plain-list solve-melds">{laid}</ul>
        <p class="row" role="group" aria-label=t!("solve.press_into")>
            <span class="quiet">{t!("solve.press_into")}</span>
            <button class="small" aria-pressed=move || next.with(Option::is_none).to_string() data-testid="solve-into-hand" on:click=into(false)>{t!("solve.into_hand")}</button>
            <button class="small" aria-pressed=move || next.with(Option::is_some).to_string() data-testid="solve-into-meld" on:click=into(true)>{t!("solve.into_meld")}</button>
        </p>
        <Show when=move || next.with(Option::is_some)>
            <div class="solve-hand" data-testid="solve-next">{move || next.with(|next| row(pack, &next.as_deref().unwrap_or_default().join(" ")))}</div>
            <p class="row">
                <button class="small" disabled=empty data-testid="solve-group" on:click=move |_| lay('G')>{t!("solve.as_group")}</button>
                <button class="small" disabled=empty data-testid="solve-run" on:click=move |_| lay('R')>{t!("solve.as_run")}</button>
                <button class="small" disabled=empty data-testid="solve-undo" on:click=move |_| next.update(|next| { next.as_mut().map(Vec::pop); })>{t!("solve.undo")}</button>
            </p>
        </Show>
    }
}

/// All faces, to be pressed into the hand or into the next meld; no more often than the pack has them.
fn every_face(
    pack: StoredValue<Pack>,
    faces: Vec<(String, u8)>,
    held: RwSignal<String>,
    table: RwSignal<String>,
    next: RwSignal<Option<Vec<String>>>,
) -> impl IntoView {
    let held_of =
        move |text: &str| held.with(|held| held.split_whitespace().filter(|word| *word == text).count());
    let used = move |text: &str| {
        let laid = table.with(|table| {
            let melds = melds_of(table);
            melds.iter().flat_map(|meld| faces_of(meld)).filter(|word| *word == text).count()
        });
        let next = next.with(|next| next.iter().flatten().filter(|word| *word == text).count());
        held_of(text) + laid + next
    };
    let press = move |text: &str| match next.with_untracked(Option::is_some) {
        true => next.update(|next| next.get_or_insert_default().push(text.to_owned())),
        false => held.update(|held| *held = format!("{} {text}", held.trim()).trim().to_owned()),
    };
    view! {
        <div class="solve-pack">
            {faces.into_iter().filter_map(|(text, most)| {
                let face = pack.with_value(|pack| pack.parse(&text)).ok()?;
                let text = StoredValue::new(text);
                let held_of = move || text.with_value(|text| held_of(text));
                Some(view! {
                    <button
                        class="solve-face"
                        class:chosen=move || { held_of() > 0 }
                        disabled=move || { text.with_value(|text| used(text)) >= usize::from(most) }
                        aria-label=name(pack, face)
                        data-testid="solve-face"
                        data-face=text.get_value()
                        on:click=move |_| text.with_value(|text| press(text))
                    >{picture(pack, face)}<Show when=move || { held_of() > 1 }><b class="solve-times">{held_of}</b></Show></button>
                })
            }).collect_view()}
        </div>
    }
}

/// The faces that stand in a text of notation, such as a meld.
fn faces_of(text: &str) -> impl Iterator<Item = &str> {
    let inside = text.split_once('[').map_or(text, |(_, inside)| inside.trim_end_matches(']'));
    // What a wild stands for is written behind it.
    inside.split_whitespace().map(|word| word.split('=').next().unwrap_or(word))
}

fn name(pack: StoredValue<Pack>, face: Face) -> String {
    pack.with_value(|pack| ui::playing_name(pack, face))
}

fn picture(pack: StoredValue<Pack>, face: Face) -> AnyView {
    pack.with_value(|pack| ui::playing_card(pack, face))
}

/// The cards that stand in a text of notation.
fn row(pack: StoredValue<Pack>, text: &str) -> impl IntoView + use<> {
    let faces = faces_of(text).filter_map(|word| pack.with_value(|pack| pack.parse(word)).ok());
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
