//! The bar above the hand: the question of the moment with its clock, and what can be done now.

use super::panels::contract_words;
use super::{Rummy, stage};
use crate::lang::PAGE;
use crate::ui::Show;
use crate::{t, ui};
use contract::command::Command;
use contract::offers::{Price, Throw};
use contract::state::Phase;
use contract::{Offer, Offers};
use leptos::prelude::*;
use rulebook::Family;
use screen::contract::{Moment, answer};

/// A moment of the match, as whoever sits before this screen sees it.
fn moment<T>(rummy: Rummy, ask: impl FnOnce(Moment<'_>) -> T) -> T {
    let (rests, idle) = (rummy.desk.rests.now.get().map(|rest| rest.waits_for), rummy.idle.get());
    let chosen = rummy.hand.selected.with(Vec::len);
    rummy.desk.told(|desk| {
        rummy.view.with(|view| {
            rummy
                .offers
                .with(|offers| ask(Moment { desk, view, offers: offers.as_ref(), rests, idle, chosen }))
        })
    })
}

/// Which question stands, by the name that tests and styles know it by.
pub(super) fn question(rummy: Rummy) -> &'static str {
    moment(rummy, |moment| moment.question())
}

/// The question of the moment, with its buttons and clock, else whose turn it is; and what can be done with the hand.
#[component]
pub fn Bar() -> impl IntoView {
    let rummy: Rummy = expect_context();
    let desk = rummy.desk;
    let flow = rummy.view;
    let top = move || flow.with(|s| s.flow.top).map(|c| rummy.text(c)).unwrap_or_default();
    let rest = desk.rests.now;
    // What the rules ask for has its time after the rest.
    let seconds = move || match (rest.get(), rummy.passes.get()) {
        (Some(rest), _) => Some(desk.clock.seconds_until(rest.until)),
        (None, Some(passes)) => Some(desk.clock.seconds_until(passes)),
        (None, None) => flow.with(|s| s.flow.until).map(|due| desk.clock.seconds_to(due)),
    };
    let kind = Memo::new(move |_| question(rummy));
    let words = move || moment(rummy, |moment| moment.words(kind.get()));
    let label = move || flow.with(|s| s.flow.set(&s.compiled).take.label.clone());
    let asked = move || flow.with(answer) == Some(true);
    // What is closed at the start of a turn, and why: the discard, if there is one, or the stock.
    let closed = move || {
        let take = rummy.offers.with(|offers| offers.as_ref().and_then(|o| o.draw_discard.clone().err()));
        let why =
            take.filter(|_| flow.with(|s| s.flow.top.is_some())).or_else(|| rummy.declines().1.err())?;
        (kind.get() == "start").then(|| ui::refusal(Family::Contract, &why, 1))
    };
    let mine = move || {
        matches!(
            kind.get(),
            "rest"
                | "start"
                | "offer"
                | "open"
                | "play"
                | "claim"
                | "pick"
                | "cut"
                | "choose"
                | "name"
                | "pass"
        )
    };
    // Why the card that is chosen cannot be thrown.
    let throw = Memo::new(move |_| rummy.throw());
    let kept = move || throw.with(|throw| throw.as_ref().and_then(|throw| throw.refused.clone()));
    // Who loses a turn by the card that is chosen.
    let loser = move || {
        let card =
            throw.with(|throw| throw.as_ref().filter(|throw| throw.refused.is_none()).map(|t| t.card))?;
        let seat = rummy.view.with(|view| view.loses_turn(card))?;
        Some(t!("prompt.skips", name = desk.name(seat)))
    };
    view! {
        <div class="bar" class:mine=mine data-testid="prompt" data-kind=move || kind.get()>
            <p class="said">
                <span class="prompt-text">{words}</span>
                {move || came(rummy).map(|came| view! { <span class="quiet" data-testid="came">{came}" "</span> })}
                {move || closed().map(|why| view! { " " <span class="quiet" data-testid="why">{why}</span> })}
                " "
                <span class="quiet" data-testid="closed">{move || kept().map(|why| ui::refusal(Family::Contract, &why, 1))}</span>
                " "
                <span class="quiet" data-testid="loser">{loser}</span>
            </p>
            <Show when=move || seconds().is_some()>
                <span class="countdown" data-testid="countdown" class:urgent=move || seconds().unwrap_or(0) <= 5 && rest.get().is_none()>{move || t!("ui.seconds", n = seconds().unwrap_or(0))}</span>
            </Show>
            <span class="row asks">
                {move || match kind.get() {
                    "rest" => view! {
                        <button class="primary" data-testid="round-close" on:click=move |_| rummy.go_on()>{t!("sheet.go_on")} " " <kbd aria-hidden="true">"G"</kbd></button>
                    }.into_any(),
                    "start" => view! {
                        <Show when=move || rummy.may(|offers| &offers.draw_discard)><button class="primary" data-testid="take-discard" on:click=move |_| rummy.send(Command::DrawDiscard)>{move || t!("prompt.take", card = top())} <kbd aria-hidden="true">"T"</kbd></button></Show>
                        <Show when=move || rummy.declines().1.is_ok()><button data-testid="draw-stock" on:click=move |_| rummy.send(rummy.declines().0)>{move || if rummy.declines().0 == Command::DrawPush { t!("prompt.push") } else { t!("prompt.stock") }} <kbd aria-hidden="true">"P"</kbd></button></Show>
                        <Show when=move || rummy.may(|offers| &offers.buy)><button data-testid="buy" on:click=move |_| rummy.send(Command::Buy)>{move || t!("prompt.buy", cost = cost(rummy, |offers| &offers.buy))}</button></Show>
                    }.into_any(),
                    "offer" | "open" | "quiet" => view! {
                        <button class:primary=move || kind.get() != "quiet" data-testid="take" on:click=move |_| rummy.send(Command::Take)>{label} " " <kbd aria-hidden="true">"T"</kbd></button>
                        <button data-testid="pass" on:click=move |_| rummy.send(Command::Pass)>{t!("prompt.pass")} <kbd aria-hidden="true">"P"</kbd></button>
                    }.into_any(),
                    "early" => view! {
                        <button class="small" data-testid="early-take" aria-pressed=move || asked().to_string() on:click=move |_| rummy.send(if asked() { Command::Pass } else { Command::Take })>
                            {move || if asked() { t!("prompt.asked_early") } else { t!("prompt.ask_early", card = top(), cost = cost(rummy, |offers| &offers.take)) }}
                        </button>
                    }.into_any(),
                    "claim" => view! {
                        <button data-testid="pass" on:click=move |_| rummy.send(Command::Pass)>{t!("prompt.let_lie")} <kbd aria-hidden="true">"P"</kbd></button>
                    }.into_any(),
                    "pick" => view! { <Pick/> }.into_any(),
                    "cut" => view! { <Cut/> }.into_any(),
                    "choose" | "name" => view! { <Choose/> }.into_any(),
                    "pass" => view! { <PassOn/> }.into_any(),
                    _ => ().into_any(),
                }}
            </span>
            <Actions throw=throw/>
            {ui::refused(Family::Contract, desk.refused)}
        </div>
    }
}

/// What it costs to get the discard, in words.
pub(super) fn cost(rummy: Rummy, act: fn(&Offers) -> &Offer<Price>) -> String {
    moment(rummy, |moment| moment.cost(act))
}

/// What one is asked for before the first turn, a button each: the contracts that are left, or the ranks.
#[component]
fn Choose() -> impl IntoView {
    let rummy: Rummy = expect_context();
    let all = untrack(|| {
        let ranks = rummy.offers.with(|offers| offers.as_ref().and_then(|offers| offers.name.clone().ok()));
        let ranks = ranks.unwrap_or_default();
        rummy.view.with(|s| {
            let left = if ranks.is_empty() { s.contracts_left() } else { Vec::new() };
            let contract = |at: u16| {
                (
                    Command::Contract { number: s.compiled.round(at).number },
                    contract_words(&s.compiled.laws[usize::from(at)]),
                )
            };
            let rank = |rank: u8| (Command::Wild { rank }, s.law().rank_text(rank));
            left.into_iter().map(contract).chain(ranks.iter().copied().map(rank)).collect::<Vec<_>>()
        })
    });
    let asks = if all.iter().any(|(command, _)| matches!(command, Command::Wild { .. })) {
        "prompt.wild"
    } else {
        "prompt.choose"
    };
    let words = all.iter().map(|(_, words)| words.clone()).collect::<Vec<_>>();
    let picked = RwSignal::new(0_usize);
    let pick = move |_| {
        if let Some((command, _)) = all.get(picked.get_untracked()) {
            rummy.send(command.clone());
        }
    };
    view! {
        <span class="cut">
            <select aria-label=t!(asks) data-testid="choose" on:change=move |e| picked.set(event_target_value(&e).parse().unwrap_or(0))>
                {words.into_iter().enumerate().map(|(at, words)| view! { <option value=at.to_string()>{words}</option> }).collect_view()}
            </select>
            <button class="primary" data-testid="choose-now" on:click=pick>{t!("prompt.choose_now")}</button>
        </span>
    }
}

/// What was passed on to this player, until the end of the own first turn.
fn came(rummy: Rummy) -> Option<String> {
    rummy.view.with(|s| {
        let me = s.seat?;
        let first = s.flow.step(&s.compiled, s.flow.dealer, 1);
        let before = s.flow.order(&s.compiled, first).take_while(|&seat| seat != me).count();
        let fresh = usize::from(s.flow.turns) <= before && matches!(s.flow.phase, Phase::Start | Phase::Play);
        let from = s.flow.passed_by(&s.compiled, me);
        (fresh && !s.passed.taken.is_empty())
            .then(|| t!("story.came", name = rummy.desk.name(from), cards = rummy.texts(&s.passed.taken)))
    })
}

/// The button that passes the chosen cards of the hand on, once they are as many as must be.
#[component]
fn PassOn() -> impl IntoView {
    let rummy: Rummy = expect_context();
    let passing = untrack(|| rummy.needs(|offers| &offers.pass_on));
    let name = passing.map(|passing| rummy.desk.name(passing.to)).unwrap_or_default();
    let enough = move || rummy.chosen_to_pass().is_some();
    view! {
        <button class="primary" data-testid="pass-on" disabled=move || !enough() on:click=move |_| rummy.pass_on()>
            {t!("prompt.pass_now", name = name)} " " <kbd aria-hidden="true">"P"</kbd>
        </button>
    }
}

/// The claimer's hand, face down.
#[component]
fn Pick() -> impl IntoView {
    let rummy: Rummy = expect_context();
    let count = Memo::new(move |_| rummy.needs(|offers| &offers.pick).unwrap_or(0));
    view! {
        <span class="pick-row" role="group" data-testid="pick">
            {move || (1..=count.get()).map(|place| view! {
                <button class="pick-card" aria-label=t!("prompt.pick_place", n = place) on:click=move |_| rummy.send(Command::Pick { place })>{ui::playing_back()}</button>
            }).collect_view()}
        </span>
    }
}

/// The packet to be cut: a slider without marks, where the cutter aims.
#[component]
fn Cut() -> impl IntoView {
    let rummy: Rummy = expect_context();
    let cutting = untrack(|| rummy.needs(|offers| &offers.cut));
    let most = cutting.map_or(1, |cutting| cutting.most);
    let aim = RwSignal::new(most / 2);
    view! {
        <span class="cut">
            <Show when=move || cutting.is_some_and(|cutting| cutting.aims)>
                <input
                    type="range"
                    min="1"
                    max=most.to_string()
                    aria-label=t!("prompt.cut_slider")
                    data-testid="cut-slider"
                    prop:value=move || aim.get().to_string()
                    on:input=move |e| aim.set(event_target_value(&e).parse().unwrap_or(1))
                />
            </Show>
            <button class="primary" data-testid="cut" on:click=move |_| rummy.send(Command::Cut { aim: aim.get_untracked() })>{t!("prompt.cut_now")}</button>
        </span>
    }
}

/// What can be done with the hand now.
#[component]
fn Actions(throw: Memo<Option<Throw>>) -> impl IntoView {
    let rummy: Rummy = expect_context();
    let hand = rummy.hand;
    let one = move || rummy.chosen();
    let ready = Memo::new(move |_| rummy.whole().is_some());
    let open = move || throw.with(|throw| throw.as_ref().is_some_and(|throw| throw.refused.is_none()));
    let protect = move || throw.with(|throw| throw.as_ref().is_some_and(|throw| throw.unprotected.is_none()));
    let further = Memo::new(move |_| rummy.further());
    let place = Memo::new(move |_| rummy.lays_off_on());
    let suggested = Memo::new(move |_| stage::suggested(rummy));
    let named = move || {
        let words = |act: &Command| rummy.view.with(|view| screen::contract::further_words(PAGE, view, act));
        let name = further.with(|act| act.as_ref().and_then(words));
        name.map_or_else(|| t!("rummy.extra"), |meld| t!("rummy.lay_as", meld = meld))
    };
    let prepare = move || match suggested.get() {
        Some((meld, true)) => t!("rummy.lay_as", meld = meld),
        Some((meld, false)) => t!("rummy.prepare_as", meld = meld),
        None => t!("rummy.prepare"),
    };
    view! {
        <div class="actions" data-testid="actions">
            <Show when=move || ready.get()>
                <button class="primary big" data-testid="meld" on:click=move |_| rummy.meld()>{t!("rummy.meld")} <kbd aria-hidden="true">"M"</kbd></button>
            </Show>
            <Show when=move || place.get().is_some()>
                <button class="primary" data-testid="lay-off" on:click=move |_| {
                    if let Some(on) = place.get_untracked() {
                        rummy.lay_off(hand.selected.get_untracked(), on, None);
                    }
                }>{move || place.get().map(|on| t!("rummy.lay_off", n = on))} " " <kbd aria-hidden="true">"L"</kbd></button>
            </Show>
            // A card that goes somewhere is hardly meant to be thrown.
            <Show when=open>
                <button
                    class:primary=move || place.get().is_none() && suggested.with(Option::is_none)
                    data-testid="discard"
                    class:danger=move || one().is_some_and(|c| rummy.armed.get() == Some(c.key))
                    on:click=move |_| if let Some(card) = one() { rummy.discard(card) }
                >
                    {move || one().map(|card| {
                        let text = rummy.text(card.face);
                        if rummy.armed.get() == Some(card.key) { t!("rummy.discard_sure", card = text) } else { t!("rummy.discard", card = text) }
                    })}
                    <kbd aria-hidden="true">"D"</kbd>
                </button>
            </Show>
            <Show when=protect>
                <button data-testid="discard-shanghai" on:click=move |_| if let Some(card) = one() { rummy.throw_away(card, true) }>{t!("rummy.protect")}</button>
            </Show>
            <Show when=move || rummy.may(|offers| &offers.hold)>
                <button class="primary" data-testid="hold" on:click=move |_| rummy.send(Command::Hold)>{t!("rummy.hold")}</button>
            </Show>
            <Show when=move || further.with(Option::is_some)>
                <button class="primary" data-testid="meld-extra" on:click=move |_| {
                    if let Some(command) = further.get_untracked() {
                        rummy.give(hand.selected.get_untracked(), command);
                    }
                }>{named}</button>
            </Show>
            <Show when=move || rummy.may(|offers| &offers.undo)>
                <button data-testid="undo" on:click=move |_| rummy.send(Command::Undo)>{t!("rummy.undo")}</button>
            </Show>
            <Show when=move || !hand.selected.with(Vec::is_empty) && !rummy.down() && rummy.phase() != Phase::Pass>
                <button class:primary=move || suggested.with(Option::is_some) data-testid="prepare" on:click=move |_| rummy.prepare()>{prepare} " " <kbd aria-hidden="true">"S"</kbd></button>
            </Show>
        </div>
    }
}
