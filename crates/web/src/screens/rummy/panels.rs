//! What stands beside the melds: piles, contract, score sheet, standing answers, how a round ended.

use super::Rummy;
use crate::lang::PAGE;
use crate::prefs::{AutoPass, prefs};
use crate::ui::Show;
use crate::{t, ui};
use cards::Face;
use contract::View;
use contract::command::{Command, Standing};
use contract::meld::Law;
use contract::state::Phase;
use game::Seat;
use leptos::prelude::*;
use rulebook::Family;
use screen::contract::{round_number, standing};

/// Stock and discard pile: pressed when the own turn begins, and the discard pile with the card that is selected to end it.
#[component]
pub fn Piles() -> impl IntoView {
    let rummy: Rummy = expect_context();
    let top = Memo::new(move |_| rummy.view.with(|s| s.flow.top));
    let may_take = move || rummy.may(|offers| &offers.draw_discard);
    let may_draw = move || rummy.declines().1.is_ok();
    let thrown = move || rummy.chosen().filter(|_| rummy.playing());
    // How long the top discard is to be had: the ring round it closes with the time.
    let ring = Memo::new(move |_| {
        let until = rummy.offered().then(|| rummy.view.with(|s| s.flow.until)).flatten()?;
        Some(until.since(rummy.desk.clock.read()))
    });
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
                aria-disabled=move || (!may_take() && !rummy.offered() && thrown().is_none()).to_string()
                class:active=may_take
                class:offered=move || rummy.offered()
                class:timed=move || ring.get().is_some()
                class:target=move || thrown().is_some() || rummy.playing() && !rummy.drag.faces(rummy).is_empty()
                aria-label=move || match top.get() {
                    Some(card) => t!("rummy.top_label", card = rummy.name(card), n = rummy.view.with(|s| s.flow.pile)),
                    None => t!("rummy.no_top"),
                }
                on:click=move |_| if may_take() {
                    rummy.send(Command::DrawDiscard)
                } else if rummy.offered() {
                    rummy.send(Command::Take)
                } else if let Some(card) = untrack(thrown) {
                    rummy.discard(card);
                }
            >
                {move || ring.get().map(|ms| view! { <span class="ring" aria-hidden="true" style:--lasts=format!("{ms}ms")><i></i><i></i></span> })}
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
    // None is played yet while it is being picked.
    let open = move || rummy.phase() == Phase::Choose;
    let text = move || if open() { String::new() } else { rummy.with_law(contract_words) };
    let round = move || rummy.view.with(|view| screen::contract::round_words(PAGE, view));
    // Where whoever melds first picks one: the contracts that nobody has used yet.
    let left = Memo::new(move |_| {
        let picks = rummy.me().is_some() && !rummy.view.with(|s| s.compiled.asks());
        if picks { rummy.view.with(View::contracts_left) } else { Vec::new() }
    });
    let words_of = move |at: u16| rummy.view.with(|s| contract_words(&s.compiled.laws[usize::from(at)]));
    let kitty = move || rummy.view.with(|s| s.compiled.rules.settings.money.on.then_some(s.flow.kitty));
    view! {
        <div class="contract-box" data-testid="contract">
            <span class="quiet">{round}</span>
            <strong data-testid="contract-text">{text}</strong>
            <span class="quiet" data-testid="lacking">
                {move || {
                    if open() || rummy.me().is_none() || rummy.phase() == Phase::Over { ().into_any() }
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

/// A line of the score sheet: number and contract of the round, points and takes of each side, whether it is played now.
type SheetLine = (usize, String, Vec<Option<(i32, u8)>>, bool);

/// The score sheet: a line for each round, with its contract and takes; a column for each side.
#[component]
pub fn ScoreSheet() -> impl IntoView {
    let rummy: Rummy = expect_context();
    let sides = Memo::new(move |_| rummy.view.with(|s| s.flow.sides(&s.compiled)));
    // Written anew when a round is over, not with every card.
    let rows = Memo::new(move |_| {
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
    });
    view! {
        <section class="panel sheet-panel" data-testid="score-sheet">
            <h2>{t!("sheet.title")}</h2>
            <div class="scroll" tabindex="0">
                <table class="score-table" class:sides-4=move || { sides.get() >= 4 } class:sides-5=move || { sides.get() >= 5 }>
                    <thead>
                        <tr>
                            <th scope="col">{t!("sheet.round")}</th>
                            {move || (0..sides.get()).map(|side| view! { <th scope="col" class="number">{side_name(rummy, side)}</th> }).collect_view()}
                        </tr>
                    </thead>
                    <tbody>
                        {move || rows.get().into_iter().map(|(number, text, cells, now)| view! {
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
            <Show when=move || rummy.view.with(|s| s.board.sheet.iter().any(|round| round.takes.iter().any(|n| *n > 0)))>
                <p class="quiet legend">{t!("sheet.takes")}</p>
            </Show>
        </section>
    }
}

/// Who plays on a side.
fn side_name(rummy: Rummy, side: u8) -> String {
    let (seats, sides) = rummy.view.with_untracked(|s| (s.flow.seats, s.flow.sides(&s.compiled)));
    let names: Vec<String> = (side..seats).step_by(sides.into()).map(|n| rummy.desk.name(Seat(n))).collect();
    names.join(" & ")
}

/// The contracts of a round, in words.
pub(super) fn contract_words(law: &Law) -> String {
    screen::contract::contract_words(PAGE, law)
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
                    <span class="name" dir="auto">{desk.name(seat)}</span>
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

/// When a round ends: how, where no meld lies yet. The table rests until all have read it, or for a while; the bar asks. Who has
/// not read it by then, or plays where no table rests, has it before them until they have, or a meld is laid. How the last one
/// ended stands beside the table, above the sheet: what comes first then is who won.
pub fn read_results(rummy: Rummy) {
    let finished = Memo::new(move |_| rummy.view.with(|s| s.board.sheet.len()));
    let melded = Memo::new(move |_| rummy.view.with(|s| !s.board.melds.is_empty()));
    Effect::new(move |before: Option<usize>| {
        let now = finished.get();
        if before.is_some_and(|b| now == b + 1) && rummy.desk.live {
            rummy.reading.set(rummy.view.with_untracked(|s| s.flow.phase != Phase::Over));
        }
        now
    });
    Effect::new(move || {
        if melded.get() {
            rummy.reading.set(false);
        }
    });
    // Whoever comes while the table rests reads it, too.
    Effect::new(move |before: Option<Option<bool>>| {
        let rests = rummy.rests();
        match (before.flatten(), rests) {
            (None, Some(_)) => {
                rummy.read.set(false);
                rummy.reading.set(true);
                rummy.voice.say(t!("prompt.rest"));
            }
            (Some(waited), None) if !waited || rummy.read.get_untracked() => rummy.reading.set(false),
            _ => {}
        }
        rests
    });
}

/// After the match: how its last round ended.
#[component]
pub fn LastRound() -> impl IntoView {
    let rummy: Rummy = expect_context();
    let over =
        Memo::new(move |_| rummy.view.with(|s| s.flow.phase == Phase::Over && !s.board.sheet.is_empty()));
    view! {
        <Show when=move || over.get()>
            <section class="panel round-over" aria-labelledby="round-over" data-testid="round-summary">{round_result(rummy)}</section>
        </Show>
    }
}

/// What is left of the last round, where the melds of this one will lie.
pub fn reading(rummy: Rummy) -> AnyView {
    view! {
        <section class="round-over" aria-labelledby="round-over" data-testid="round-summary">
            {move || {
                // Read anew with each round.
                rummy.view.with(|s| s.board.sheet.len());
                round_result(rummy)
            }}
            // While the table rests the bar has it.
            <Show when=move || rummy.rests().is_none()>
                <button class="small primary" data-testid="round-close" on:click=move |_| rummy.reading.set(false)>{t!("sheet.go_on")}</button>
            </Show>
        </section>
    }
    .into_any()
}
