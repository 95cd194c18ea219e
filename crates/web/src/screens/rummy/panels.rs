//! What stands round the melds: players, piles, contract, the question of the moment, score sheet, standing answers.

use super::{Later, Rummy, answer, later_part, standing};
use crate::prefs::{AutoPass, prefs};
use crate::ui::Show;
use crate::{lang, t, ui};
use cards::Face;
use contract::command::{Command, Standing};
use contract::meld::Law;
use contract::offers::{Declining, Price};
use contract::rules::{Direction, LimitPer};
use contract::state::Phase;
use contract::{Offer, Offers, View};
use game::Seat;
use leptos::{html, prelude::*};
use rulebook::Family;

/// Everybody: how many cards, which score, who is down, whose turn it is.
#[component]
pub fn Players() -> impl IntoView {
    let rummy: Rummy = expect_context();
    let desk = rummy.desk;
    let count = Memo::new(move |_| rummy.view.with(|s| s.flow.seats));
    let one = move |seat: Seat| {
        let n = seat.0;
        let i = usize::from(n);
        let flow = move |f: fn(&contract::state::Flow, usize) -> i64| rummy.view.with(|s| f(&s.flow, i));
        let ours = move |me| rummy.view.with(|s| s.flow.partners(&s.compiled, me, seat));
        let partner = move || desk.me.get().is_some_and(|me| me != seat && ours(me));
        let turn = move || rummy.view.with(|s| s.flow.turn == seat && s.flow.phase != Phase::Over);
        view! {
            <li class="player" class:turn=turn class:me=move || desk.me.get() == Some(seat) data-testid=format!("player-{n}") aria-current=move || turn().then_some("true")>
                <span class="name">{move || desk.name(seat)}</span>
                <span class="stats">
                    <span class="count" id=format!("rummy-seat-{n}") title=t!("rummy.cards")>
                        <span class="mini-back" aria-hidden="true"></span>
                        <span data-testid=format!("cards-{n}")>{move || flow(|f, i| i64::from(f.sizes[i]))}</span>
                        <span class="offscreen">{t!("rummy.cards")}</span>
                    </span>
                    <span class="points" data-testid=format!("score-{n}")>{move || rummy.view.with(|s| s.flow.score(&s.compiled, seat))}</span>
                </span>
                <span class="tags">
                    <Show when=move || rummy.view.with(|s| s.flow.down.has(seat))><span class="tag ready">{t!("rummy.is_down")}</span></Show>
                    <Show when=move || rummy.view.with(|s| s.flow.dealer == seat)><span class="tag" title=t!("table.dealer")>{t!("table.dealer_short")}</span></Show>
                    <Show when=move || rummy.view.with(|s| s.flow.phase.asked().has(seat))><span class="tag flag">{t!("rummy.is_asked")}</span></Show>
                    <Show when=move || rummy.view.with(|s| s.flow.shown.has(seat))><span class="tag flag">{t!("rummy.asks")}</span></Show>
                    <Show when=move || rummy.view.with(|s| s.flow.away.has(seat))><span class="tag warn">{t!("table.away")}</span></Show>
                    <Show when=move || rummy.view.with(|s| s.flow.gone.has(seat))><span class="tag warn">{t!("rummy.gone")}</span></Show>
                    {move || rummy.view.with(|s| (s.compiled.rules.settings.players.teams > 0).then(|| n % s.flow.sides(&s.compiled))).map(|team| view! {
                        <span class="tag" data-testid=format!("team-{n}")>{move || if partner() { t!("rummy.partner") } else { t!("rummy.team", n = team + 1) }}</span>
                    })}
                    {move || rummy.view.with(|s| s.compiled.per_player().then(|| s.compiled.round(s.flow.contract_of(&s.compiled, seat)).number)).map(|number| view! {
                        <span class="tag" data-testid=format!("contract-of-{n}") title=t!("rummy.own_contract")>{t!("rummy.contract_n", n = number)}</span>
                    })}
                    {move || {
                        let game = rummy.view.with(|s| s.compiled.rules.settings.take.limit_per == LimitPer::Game);
                        let before = if game { flow(|f, i| i64::from(f.takes_before[i])) } else { 0 };
                        let takes = before + flow(|f, i| i64::from(f.takes[i]));
                        let limit = rummy.view.with(|s| { let take = &s.flow.set(&s.compiled).take; if take.on { i64::from(take.limit) } else { -1 } });
                        match (takes, limit) {
                            (_, -1) | (0, 0) => None,
                            (n, 0) => Some(view! { <span class="tag">{t!("rummy.takes", n = n)}</span> }.into_any()),
                            (n, most) => Some(view! { <span class="tag">{t!("rummy.takes_of", n = n, most = most)}</span> }.into_any()),
                        }
                    }}
                </span>
            </li>
        }
    };
    // In the order of play.
    let place = move |n: u8| one(rummy.view.with_untracked(|s| s.flow.step(&s.compiled, Seat(0), n.into())));
    view! { <ul class="players" data-testid="players">{move || (0..count.get()).map(place).collect_view()}</ul> }
}

/// Stock and discard pile; they can be pressed when the own turn begins.
#[component]
pub fn Piles() -> impl IntoView {
    let rummy: Rummy = expect_context();
    let top = Memo::new(move |_| rummy.view.with(|s| s.flow.top));
    let may_take = move || rummy.may(|offers| &offers.draw_discard);
    let may_draw = move || rummy.declines().1.is_ok();
    view! {
        <div class="piles-row">
            <button
                class="pile-button"
                id="rummy-stock"
                data-testid="stock"
                aria-disabled=move || (!may_draw()).to_string()
                class:active=may_draw
                aria-label=move || t!("rummy.stock_label", n = rummy.view.with(|s| s.flow.stock))
                on:click=move |_| if may_draw() { rummy.send(rummy.declines().0) }
            >
                {ui::playing_back()}
                <span class="pile-count">{move || rummy.view.with(|s| s.flow.stock)}</span>
            </button>
            <button
                class="pile-button"
                id="rummy-discard"
                data-testid="discard-pile"
                data-drop="discard"
                data-face=move || top.get().map(|f| f.to_string()).unwrap_or_default()
                aria-disabled=move || (!may_take() && !rummy.offered()).to_string()
                class:active=may_take
                class:offered=move || rummy.offered()
                class:target=move || rummy.playing() && !rummy.drag.faces(rummy).is_empty()
                aria-label=move || match top.get() {
                    Some(card) => t!("rummy.top_label", card = rummy.name(card), n = rummy.view.with(|s| s.flow.pile)),
                    None => t!("rummy.no_top"),
                }
                on:click=move |_| if may_take() {
                    rummy.send(Command::DrawDiscard)
                } else if rummy.offered() {
                    rummy.send(Command::Take)
                }
            >
                {move || match top.get() {
                    Some(card) => rummy.pack.with_value(|pack| ui::playing_card(pack, card)),
                    None => view! { <span class="empty-pile"></span> }.into_any(),
                }}
                <Show when=move || rummy.view.with(|s| s.flow.protected)><span class="tag flag">{t!("rummy.protected")}</span></Show>
            </button>
        </div>
        <Show when=move || rummy.view.with(|s| s.pile.len() > 1)>
            <details class="browse" data-testid="browse">
                <summary>{move || t!("rummy.browse", n = rummy.view.with(|s| s.pile.len()))}</summary>
                <ol>{move || rummy.view.with(|s| s.pile.clone()).into_iter().rev().map(|card| view! {
                    <li class="mcard" role="img" aria-label=rummy.name(card)>{rummy.pack.with_value(|pack| ui::playing_card(pack, card))}</li>
                }).collect_view()}</ol>
            </details>
        </Show>
    }
}

/// Round, contract, and what is missing.
#[component]
pub fn Contract() -> impl IntoView {
    let rummy: Rummy = expect_context();
    let text = move || rummy.with_law(contract_words);
    let round = move || {
        rummy.view.with(|s| {
            let round = s.compiled.round(s.flow.round);
            // Rounds of the rules behind the last one played do not come.
            let of = s.compiled.played.iter().max().map_or(0, |last| last + 1);
            let n = round_number(s, s.flow.finished.into(), s.flow.round);
            // Where everybody goes on alone, or the contracts begin again, nobody knows how many rounds there will be.
            let mut text = if s.compiled.per_player() {
                t!("rummy.step", n = n, step = s.compiled.round(s.contract()).number, of = of)
            } else if s.compiled.goes_round() {
                t!("rummy.round_only", n = n)
            } else {
                t!("rummy.round", n = n, of = of)
            };
            if let Some(label) = &round.label {
                text += &format!(" ({label})");
            }
            if s.compiled.rules.settings.players.direction == Direction::Ccw {
                text += &t!("rummy.ccw");
            }
            text
        })
    };
    // Where whoever melds first picks one: the contracts that nobody has used yet.
    let left =
        Memo::new(
            move |_| {
                if rummy.me().is_some() { rummy.view.with(View::contracts_left) } else { Vec::new() }
            },
        );
    let words_of = move |at: u16| rummy.view.with(|s| contract_words(&s.compiled.laws[usize::from(at)]));
    let kitty = move || rummy.view.with(|s| s.compiled.rules.settings.money.on.then_some(s.flow.kitty));
    view! {
        <div class="contract-box" data-testid="contract">
            <span class="quiet">{round}</span>
            <strong data-testid="contract-text">{text}</strong>
            <span class="quiet" data-testid="lacking">
                {move || {
                    if rummy.me().is_none() { ().into_any() }
                    else if rummy.down() { t!("rummy.you_are_down").into_any() }
                    else { lacking(rummy) }
                }}
            </span>
            <Show when=move || !left.with(Vec::is_empty)>
                <label class="row">
                    <span class="quiet">{t!("rummy.pick")}</span>
                    <select data-testid="pick-contract" on:change=move |e| rummy.picked.set(event_target_value(&e).parse().ok())>
                        {move || left.get().into_iter().map(|at| view! {
                            <option value=at.to_string() prop:selected=move || rummy.staged.with(|staged| staged.contract == at)>{words_of(at)}</option>
                        }).collect_view()}
                    </select>
                </label>
            </Show>
            {move || kitty().map(|n| view! { <span class="tag" data-testid="kitty">{t!("rummy.kitty", n = n)}</span> })}
        </div>
    }
}

/// How far the contract is prepared, in words.
fn lacking(rummy: Rummy) -> AnyView {
    rummy.staged.with(|staged| match &staged.whole {
        Some(Ok(_)) => t!("stage.complete").into_any(),
        Some(Err(why)) => ui::refusal(Family::Contract, why, 2),
        None => t!("stage.done", done = staged.done(), n = staged.slots).into_any(),
    })
}

/// Which question stands, by the name that tests and styles know it by.
pub(super) fn question(rummy: Rummy) -> &'static str {
    let answered = rummy.view.with(answer).is_some();
    match rummy.phase() {
        Phase::Cut if rummy.may(|offers| &offers.cut) => "cut",
        Phase::Cut => "cut-wait",
        Phase::Deal => "deal",
        Phase::Start if rummy.starting() => "start",
        Phase::Start if rummy.may(|offers| &offers.take) => "early",
        Phase::Offer { .. } if rummy.may(|offers| &offers.take) => match (answered, rummy.idle.get()) {
            (true, _) => "answered",
            // What helps nobody here is no question for the whole screen: the pile says that it can be had.
            (false, true) => "quiet",
            (false, false) => "offer",
        },
        Phase::Offer { .. } => "offer-wait",
        Phase::Play if rummy.playing() => "play",
        Phase::Play if rummy.offered() && rummy.idle.get() => "quiet",
        Phase::Play if rummy.offered() => "open",
        Phase::Start | Phase::Play => "wait",
        Phase::Shanghai { .. } if rummy.claiming() => "claim",
        Phase::Shanghai { .. } => "claim-wait",
        Phase::Pick { .. } if rummy.may(|offers| &offers.pick) => "pick",
        Phase::Pick { .. } => "pick-wait",
        Phase::Over => "over",
    }
}

/// The question of the moment, with its buttons and clock; else whose turn it is.
#[component]
pub fn Prompt() -> impl IntoView {
    let rummy: Rummy = expect_context();
    let desk = rummy.desk;
    let flow = rummy.view;
    let top = move || flow.with(|s| s.flow.top).map(|c| rummy.text(c)).unwrap_or_default();
    let until = move || flow.with(|s| s.flow.until);
    let turn = move || flow.with(|s| desk.name_or_you(s.flow.turn));
    let kind = Memo::new(move |_| question(rummy));
    let words = move || match kind.get() {
        "cut" => t!("prompt.cut"),
        "cut-wait" => t!("prompt.cut_wait", name = flow.with(|s| desk.name(s.flow.cutter(&s.compiled)))),
        "deal" => t!("prompt.deal"),
        "start" if !rummy.may(|offers| &offers.draw_discard) => t!("prompt.start_none"),
        "start" => match rummy.declines() {
            (_, Err(_)) => t!("prompt.forced", card = top()),
            (_, Ok(Declining { blocks: true })) => t!("prompt.start_last", card = top()),
            (Command::DrawPush, _) => t!("prompt.start_push", card = top()),
            _ => t!("prompt.start", card = top()),
        },
        "offer" | "open" => t!("prompt.offer", card = top(), cost = cost(rummy, |offers| &offers.take)),
        "quiet" => t!("prompt.quiet", card = top(), cost = cost(rummy, |offers| &offers.take)),
        "answered" => t!("prompt.answered"),
        "offer-wait" => t!("prompt.offer_wait", card = top()),
        "play" if flow.with(|s| !s.board.pending.is_empty()) => {
            t!("prompt.pending", cards = flow.with(|s| rummy.texts(&s.board.pending)))
        }
        "play" => t!("prompt.play"),
        "claim" => t!("prompt.claim", card = top()),
        "claim-wait" => t!("prompt.claim_wait", card = top()),
        "pick" => {
            t!(
                "prompt.pick",
                name = flow.with(|s| s.flow.phase.claimer().map(|c| desk.name(c))).unwrap_or_default()
            )
        }
        "pick-wait" => t!("prompt.pick_wait", name = flow.with(|s| desk.name(s.flow.discarder))),
        "over" => t!("table.match_over"),
        _ => t!("table.wait", name = turn()),
    };
    let label = move || flow.with(|s| s.flow.set(&s.compiled).take.label.clone());
    let asked = move || flow.with(answer) == Some(true);
    // What is closed at the start of a turn, and why: the discard, if there is one, or the stock.
    let closed = move || {
        let take = rummy.offers.with(|offers| offers.as_ref().and_then(|o| o.draw_discard.clone().err()));
        let why =
            take.filter(|_| flow.with(|s| s.flow.top.is_some())).or_else(|| rummy.declines().1.err())?;
        (kind.get() == "start").then(|| ui::refusal(Family::Contract, &why, 1))
    };
    let mine = move || matches!(kind.get(), "start" | "offer" | "open" | "play" | "claim" | "pick" | "cut");
    view! {
        <div class="prompt" class:mine=mine data-testid="prompt" data-kind=move || kind.get()>
            <span class="prompt-text">{words}</span>
            {move || closed().map(|why| view! { <span class="quiet" data-testid="why">{why}</span> })}
            {move || until().map(|due| view! {
                <span class="countdown" data-testid="countdown" class:urgent=move || desk.clock.seconds_to(due) <= 5>{move || t!("ui.seconds", n = desk.clock.seconds_to(due))}</span>
            })}
            <span class="row">
                {move || match kind.get() {
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
                    _ => ().into_any(),
                }}
            </span>
        </div>
        {ui::refused(Family::Contract, desk.refused)}
    }
}

/// What it costs to get the discard, in words.
pub(super) fn cost(rummy: Rummy, act: fn(&Offers) -> &Offer<Price>) -> String {
    let Some(price) = rummy.needs(act) else { return String::new() };
    let mut parts = Vec::new();
    if price.cards > 0 {
        parts.push(t!("prompt.cost_cards", n = price.cards));
    }
    if price.pennies > 0 {
        parts.push(t!("prompt.cost_pennies", n = price.pennies));
    }
    if price.points != 0 {
        parts.push(t!("prompt.cost_points", n = price.points));
    }
    if parts.is_empty() {
        parts.push(t!("prompt.cost_none"));
    }
    if let Some(left) = price.left {
        parts.push(t!("prompt.cost_left", n = left));
    }
    parts.join(", ")
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

/// A line of the score sheet: number and contract of the round, points and takes of each side, whether it is played now.
type SheetLine = (usize, String, Vec<Option<(i32, u8)>>, bool);

/// The score sheet: a line for each round, with its contract and takes; a column for each side.
#[component]
pub fn ScoreSheet() -> impl IntoView {
    let rummy: Rummy = expect_context();
    let sides = Memo::new(move |_| rummy.view.with(|s| s.flow.sides(&s.compiled)));
    let rows = move || {
        let sides = usize::from(sides.get());
        rummy.view.with(|s| {
            let done = s.board.sheet.len();
            let line = |n: usize, round: u16| {
                let law = &s.compiled.laws[usize::from(round)];
                // Where everybody goes on alone, a round has no contract of its own.
                let text = if s.compiled.per_player() { String::new() } else { contract_words(law) };
                (round_number(s, n, round), text)
            };
            let mut rows: Vec<SheetLine> = (0..)
                .zip(&s.board.sheet)
                .map(|(n, r)| {
                    let (number, text) = line(n, r.round);
                    let of = |side| {
                        let points = r.points.iter().skip(side).step_by(sides).sum();
                        Some((points, r.takes.iter().skip(side).step_by(sides).sum()))
                    };
                    (number, text, (0..sides).map(of).collect(), false)
                })
                .collect();
            if !s.compiled.per_player() && !s.compiled.chosen() {
                for (n, round) in s.compiled.played.iter().enumerate().skip(done) {
                    let (number, text) = line(n, *round as u16);
                    rows.push((number, text, vec![None; sides], n == done && s.flow.phase != Phase::Over));
                }
            }
            rows
        })
    };
    view! {
        <section class="panel sheet-panel" data-testid="score-sheet">
            <h2>{t!("sheet.title")}</h2>
            <div class="scroll" tabindex="0">
                <table class="score-table">
                    <thead>
                        <tr>
                            <th scope="col">{t!("sheet.round")}</th>
                            {move || (0..sides.get()).map(|side| view! { <th scope="col" class="number">{side_name(rummy, side)}</th> }).collect_view()}
                        </tr>
                    </thead>
                    <tbody>
                        {move || rows().into_iter().map(|(number, text, cells, now)| view! {
                            <tr class:now=now>
                                <th scope="row"><b>{number}</b> " " <span class="quiet">{text}</span></th>
                                {cells.into_iter().map(|cell| view! {
                                    <td class="number">
                                        {cell.map(|(points, _)| points)}
                                        {cell.filter(|c| c.1 > 0).map(|(_, takes)| view! { <small class="quiet" title=t!("rummy.takes", n = takes)>{format!("+{takes}")}</small> })}
                                    </td>
                                }).collect_view()}
                            </tr>
                        }).collect_view()}
                    </tbody>
                    <tfoot>
                        <tr>
                            <th scope="row">{t!("sheet.total")}</th>
                            {move || (0..sides.get()).map(|side| view! { <td class="number"><b>{move || rummy.view.with(|s| s.flow.score(&s.compiled, Seat(side)))}</b></td> }).collect_view()}
                        </tr>
                    </tfoot>
                </table>
            </div>
        </section>
    }
}

/// Who plays on a side.
fn side_name(rummy: Rummy, side: u8) -> String {
    let (seats, sides) = rummy.view.with_untracked(|s| (s.flow.seats, s.flow.sides(&s.compiled)));
    let names: Vec<String> = (side..seats).step_by(sides.into()).map(|n| rummy.desk.name(Seat(n))).collect();
    names.join(" & ")
}

/// What a round is called, `finished` rounds after the first: by its place in the rules, or by counting where its contract
/// does not go by that.
fn round_number(s: &View, finished: usize, round: u16) -> usize {
    if s.compiled.per_player() || s.compiled.chosen() || s.compiled.goes_round() {
        finished + 1
    } else {
        s.compiled.round(round).number.into()
    }
}

/// The contracts of a round, in words.
pub(super) fn contract_words(law: &Law) -> String {
    lang::tell(&law.all_contract_words()).unwrap_or_default()
}

/// The standing answer for this round's offers.
#[component]
pub fn StandingAnswer() -> impl IntoView {
    let rummy: Rummy = expect_context();
    let prefs = prefs();
    let on = Memo::new(move |_| {
        rummy.may(|offers| &offers.stand) && rummy.view.with(|s| s.flow.set(&s.compiled).take.on)
    });
    let standing = Memo::new(move |_| rummy.view.with(standing));
    let wanted = RwSignal::new(Vec::<Face>::new());
    Effect::new(move || {
        if let Some(Standing::Take(faces)) = standing.get() {
            wanted.set(faces);
        }
    });
    let pack = rummy.pack.get_value();
    let (suits, ranks) = (pack.suits.len() as u8, pack.ranks.len() as u8);
    let set = move |standing: Option<Standing>| rummy.send(Command::Stand(standing));
    view! {
        <Show when=move || on.get()>
            <section class="panel" data-testid="standing">
                <h2>{t!("standing.title")}</h2>
                <p class="quiet">{move || match standing.get() {
                    None => t!("standing.none"),
                    Some(Standing::Pass) => t!("standing.passing"),
                    Some(Standing::Take(faces)) => t!("standing.taking", cards = rummy.texts(&faces)),
                }}</p>
                <div class="row">
                    <button class="small" data-testid="stand-pass" aria-pressed=move || (standing.get() == Some(Standing::Pass)).to_string() on:click=move |_| set(if standing.get_untracked() == Some(Standing::Pass) { None } else { Some(Standing::Pass) })>{t!("standing.pass")}</button>
                    <Show when=move || standing.with(Option::is_some)>
                        <button class="small" data-testid="stand-off" on:click=move |_| { wanted.set(Vec::new()); set(None) }>{t!("standing.off")}</button>
                    </Show>
                </div>
                <label class="row">
                    <span class="quiet">{t!("standing.auto")}</span>
                    <select data-testid="auto-pass" on:change=move |e| prefs.update(|p| p.pass = AutoPass::from_id(&event_target_value(&e)).unwrap_or_default())>
                        {AutoPass::ALL.iter().map(|&value| view! {
                            <option value=value.id() prop:selected=move || prefs.get().pass == value>{t!(&format!("standing.auto_{}", value.id()))}</option>
                        }).collect_view()}
                    </select>
                </label>
                <details>
                    <summary>{t!("standing.ask_for")}</summary>
                    <div class="face-grid" style:--ranks=ranks.to_string()>
                        {(0..suits).flat_map(|suit| (1..=ranks).map(move |rank| Face::new(suit, rank))).chain([Face::JOKER]).map(|face| {
                            let on = move || wanted.with(|w| w.contains(&face));
                            view! {
                                <button class="face" class:red=!face.is_joker() && matches!(face.suit(), 1 | 2) aria-pressed=move || on().to_string() aria-label=rummy.name(face) on:click=move |_| {
                                    ui::toggle(wanted, face);
                                }>{if face.is_joker() { t!("card.joker") } else { rummy.text(face) }}</button>
                            }
                        }).collect_view()}
                    </div>
                    <button class="small primary" data-testid="stand-take" disabled=move || wanted.with(Vec::is_empty) on:click=move |_| set(Some(Standing::Take(wanted.get_untracked())))>{t!("standing.set")}</button>
                </details>
            </section>
        </Show>
    }
}

/// How the last round ended: who won it, everybody's deadwood, and the scores.
pub fn round_result(rummy: Rummy) -> AnyView {
    let desk = rummy.desk;
    let (round, hands) =
        rummy.view.with_untracked(|s| (s.board.sheet.last().cloned(), s.board.shown.clone()));
    round.map(|round| {
        let title = match round.winner {
            Some(seat) => {
                let n = rummy.view.with_untracked(|s| round_number(s, s.board.sheet.len() - 1, round.round));
                t!("sheet.won", name = desk.name_or_you(seat), n = n)
            }
            None => t!("sheet.blocked"),
        };
        let row = |n: usize| {
            let cards = hands.get(n).cloned().unwrap_or_default();
            let seat = Seat(n as u8);
            view! {
                <li data-testid=format!("deadwood-{n}")>
                    <span class="name">{desk.name(seat)}</span>
                    <span class="deadwood-cards">
                        {cards.iter().map(|&card| view! { <span class="mcard" role="img" aria-label=rummy.name(card)>{rummy.pack.with_value(|pack| ui::playing_card(pack, card))}</span> }).collect_view()}
                        {cards.is_empty().then(|| view! { <span class="tag ready">{t!("sheet.out")}</span> })}
                    </span>
                    <span class="points">{format!("{:+}", round.points[n])}</span>
                    <span class="total">{rummy.view.with_untracked(|s| s.flow.score(&s.compiled, seat))}</span>
                </li>
            }
        };
        view! {
            <h2 id="round-over">{title}</h2>
            <ul class="deadwood">{(0..round.points.len()).map(row).collect_view()}</ul>
        }
        .into_any()
    })
    .into_any()
}

/// When a round ends: how. The next one is dealt at once, and its questions do not wait: so this stands where no meld lies yet,
/// until it has been read or one does. At the end of the match, when nothing is asked any more, it lies over the table.
#[component]
pub fn RoundSummary() -> impl IntoView {
    let rummy: Rummy = expect_context();
    let finished = Memo::new(move |_| rummy.view.with(|s| s.board.sheet.len()));
    let melded = Memo::new(move |_| rummy.view.with(|s| !s.board.melds.is_empty()));
    let dialog = NodeRef::<html::Dialog>::new();
    let last = RwSignal::new(false);
    Effect::new(move |before: Option<usize>| {
        let now = finished.get();
        if before.is_some_and(|b| now == b + 1) && rummy.desk.live {
            let over = rummy.view.with_untracked(|s| s.flow.phase == Phase::Over);
            last.set(over);
            rummy.reading.set(!over);
            if let Some(dialog) = dialog.get_untracked().filter(|_| over) {
                let _ = dialog.show_modal();
            }
        }
        now
    });
    Effect::new(move || {
        if melded.get() {
            rummy.reading.set(false);
        }
    });
    let close = move |_| {
        if let Some(dialog) = dialog.get_untracked() {
            dialog.close();
        }
    };
    view! {
        <dialog node_ref=dialog class="round-over" aria-labelledby="round-over" data-testid="round-summary">
            <Show when=move || last.get()>{later_part(|| Later::Round)}</Show>
            <button class="primary" data-testid="round-close" autofocus on:click=close>{t!("sheet.go_on")}</button>
        </dialog>
    }
}

/// What is left of the last round, where the melds of this one will lie.
pub fn reading(rummy: Rummy) -> AnyView {
    view! {
        <section class="round-over" aria-labelledby="round-over" data-testid="round-summary">
            {move || {
                // Read anew with each round.
                rummy.view.with(|s| s.board.sheet.len());
                later_part(|| Later::Round)
            }}
            <button class="small primary" data-testid="round-close" on:click=move |_| rummy.reading.set(false)>{t!("sheet.go_on")}</button>
        </section>
    }
    .into_any()
}
