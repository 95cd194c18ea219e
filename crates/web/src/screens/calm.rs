//! The quieter mechanisms of the pattern family: memory (turn cards up in turn), setup (place cards and do not complete a
//! Set) and puzzles (find every Set of a fixed layout).

use crate::desk::time_text;
use crate::screens::pattern::{Desk, Of, memory_in, puzzle_in, setup_in};
use crate::screens::race::finding_text;
use crate::{t, ui};
use cards::{Deck, Point};
use game::Seat;
use leptos::prelude::*;
use pattern::company::{Company, DealEnd, Stage};
use pattern::memory::Slot;
use pattern::race::Held;
use pattern::rules::{Hints, MemoryEnd};
use pattern::{Claim, Command};

fn send(desk: Desk, command: Command) {
    desk.send.run(command);
}

/// Places for so many cards: the columns on a wide and on a tall screen.
fn columns(count: usize) -> (usize, usize) {
    match count {
        0..=4 => (count.max(1), count.clamp(1, 3)),
        5..=21 => (count.div_ceil(3), 3),
        22..=36 => (count.div_ceil(3), 4),
        _ => (9, count.div_ceil(12).max(6)),
    }
}

/// A board of one zone, its places filled in reading order.
fn board(count: Memo<usize>, cards: impl IntoView + 'static) -> impl IntoView {
    let wide = move || columns(count.get()).0;
    let tall = move || columns(count.get()).1;
    let rows = move |columns: usize| count.get().div_ceil(columns).max(1).to_string();
    view! {
        <div class="board-room">
            <div
                class="board flow"
                data-testid="board"
                style:--c-wide=move || wide().to_string()
                style:--r-wide=move || rows(wide())
                style:--c-tall=move || tall().to_string()
                style:--r-tall=move || rows(tall())
                style:--z-wide="1"
                style:--z-tall="1"
                style:--zr-wide="1"
                style:--zr-tall="1"
            >
                <div class="zone" role="group" aria-label=t!("race.layout")>{cards}</div>
            </div>
        </div>
    }
}

/// A card that can be pressed.
fn card(
    deck: Deck,
    point: Point,
    picked: impl Fn() -> bool + Copy + Send + Sync + 'static,
    lit: impl Fn() -> bool + Copy + Send + Sync + 'static,
    press: impl Fn() + Copy + Send + Sync + 'static,
    own: bool,
) -> AnyView {
    view! {
        <button
            class="pcard"
            class:picked=picked
            class:lit=lit
            data-testid=if own { "own-card" } else { "card" }
            data-card=deck.text(point)
            data-flip=format!("p{}", point.0)
            data-from="#calm-stock"
            aria-label=ui::pattern_name(deck, point)
            aria-pressed=move || picked().to_string()
            on:pointerdown=move |e| if e.button() == 0 && e.is_primary() { press() }
            on:click=move |e| if e.detail() == 0 { press() }
        >{ui::pattern_card(deck, point)}</button>
    }
    .into_any()
}

/// Scores and stock beside the board.
fn side(
    desk: Desk,
    company: Of<Company>,
    turn: Memo<Option<Seat>>,
    stock: Memo<Option<u16>>,
    unit: &'static str,
) -> impl IntoView {
    let count = Memo::new(move |_| company.with(|c| c.players.len()));
    let row = move |n: usize| {
        let seat = Seat(n as u8);
        let total = move || company.with(|c| c.players.get(n).map_or(0, |p| p.score));
        let held = move || company.with(|c| c.players.get(n).map(|p| p.held));
        view! {
            <li class="score" class:me=move || desk.me.get() == Some(seat) class:calling=move || turn.get() == Some(seat) data-testid=format!("score-{n}")>
                <span class="who">
                    <span class="name">{move || desk.name(seat)}</span>
                    <Show when=move || desk.me.get() == Some(seat)><span class="tag">{t!("table.you")}</span></Show>
                    <Show when=move || turn.get() == Some(seat)><span class="tag flag">{t!("calm.turn")}</span></Show>
                    <Show when=move || matches!(held(), Some(Held::Away { .. }))><span class="tag warn">{t!("table.away")}</span></Show>
                </span>
                <span class="points" data-testid=format!("points-{n}")>{total}</span>
                <span class="detail quiet">{move || t!(unit, n = company.with(|c| c.players.get(n).map_or(0, |p| p.taken.len())))}</span>
            </li>
        }
    };
    view! {
        <aside class="side" aria-label=t!("race.side")>
            <section class="panel scores" data-testid="scores">
                <h2>{t!("race.scores")}</h2>
                <ol>{move || (0..count.get()).map(row).collect_view()}</ol>
            </section>
            {move || stock.get().map(|n| view! {
                <section class="panel piles">
                    <div class="pile" data-testid="stock"><span class="pile-card" id="calm-stock">{ui::pattern_back()}</span><span>{t!("race.stock", n = n)}</span></div>
                </section>
            })}
        </aside>
    }
}

/// Between deals: how the last one ended, and a button for the next.
fn between(desk: Desk, company: Of<Company>) -> impl IntoView {
    let on = Memo::new(move |_| company.with(|c| c.stage == Stage::Between));
    let why = move || {
        company.with(|c| {
            c.deal_end.map(|end| match end {
                DealEnd::Finished => t!("calm.end_finished"),
                DealEnd::TimedOut => t!("calm.end_timed_out"),
                DealEnd::GaveUp => t!("race.end.gave_up"),
                DealEnd::TooFew => t!("race.end.too_few"),
                DealEnd::Abandoned => t!("race.end.abandoned"),
            })
        })
    };
    view! {
        <Show when=move || on.get()>
            <section class="panel summary" data-testid="deal-summary">
                <h2>{t!("race.deal_over")}</h2>
                <p>{why}</p>
                <Show when=move || desk.playing()>
                    <button class="primary" data-testid="next-deal" on:click=move |_| send(desk, Command::Ready)>{t!("race.next")}</button>
                </Show>
            </section>
        </Show>
    }
}

fn banner(
    kind: impl Fn() -> &'static str + Send + Sync + 'static,
    text: Memo<String>,
    desk: Desk,
    due: Memo<Option<game::Millis>>,
) -> impl IntoView {
    let voice = ui::voice();
    Effect::new(move |before: Option<String>| {
        let now = text.get();
        if before.is_some_and(|b| b != now) {
            voice.say(now.clone());
        }
        now
    });
    view! {
        <div class="banner" data-testid="banner" data-kind=kind>
            <span>{move || text.get()}</span>
            {move || due.get().map(|due| view! { <span class="countdown" data-testid="countdown">{move || t!("ui.seconds", n = desk.clock.seconds_to(due))}</span> })}
        </div>
        <p class="refusal" role="alert" data-testid="refusal" class:hidden=move || desk.refused.with(|r| r.1.is_empty())>{move || desk.refused.get().1}</p>
    }
}

/// Memory.
#[component]
pub fn MemoryScreen(desk: Desk, view: Of<pattern::View>) -> impl IntoView {
    let state = view.part(|view| memory_in(view).map(|v| &v.state));
    let company = view.part(|view| memory_in(view).map(|v| &v.state.company));
    let rules = view.part(memory_in).with_untracked(|v| v.rules.clone());
    let deck = rules.deck;
    let turn = Memo::new(move |_| state.with(|s| (s.company.stage == Stage::Playing).then_some(s.turn)));
    let stock = Memo::new(move |_| state.with(|s| Some(s.stock)));
    let count = Memo::new(move |_| state.with(|s| s.slots.len()));
    let text = Memo::new(move |_| {
        state.with(|s| {
            if let (Some(last), true) = (&s.last, s.up.is_empty()) {
                let name = desk.name_or_you(last.seat);
                let next = if desk.me.get() == Some(s.turn) {
                    t!("calm.flip", n = 0)
                } else {
                    t!("table.wait", name = desk.name(s.turn))
                };
                return if last.right {
                    format!("{} {next}", t!("verdict.right", name = name))
                } else {
                    next
                };
            }
            if s.reveal_until.is_some() {
                return t!("calm.no_set");
            }
            if desk.me.get() == Some(s.turn) {
                t!("calm.flip", n = s.up.len())
            } else {
                t!("table.wait", name = desk.name(s.turn))
            }
        })
    });
    let due = Memo::new(move |_| state.with(|s| s.deadline));
    let slot = move |n: usize| {
        let shown = Memo::new(move |_| state.with(|s| s.slots.get(n).copied().unwrap_or(Slot::Empty)));
        let label = move || match shown.get() {
            Slot::Empty => t!("calm.empty", n = n + 1),
            Slot::Down => t!("calm.down", n = n + 1),
            Slot::Up(point) => ui::pattern_name(deck, point),
        };
        view! {
            <button
                class="pcard"
                class:gone=move || shown.get() == Slot::Empty
                data-testid="slot"
                data-slot=(n + 1).to_string()
                aria-label=label
                aria-disabled=move || (shown.get() != Slot::Down).to_string()
                on:click=move |_| if shown.get_untracked() == Slot::Down && desk.live { send(desk, Command::Flip(n as u8 + 1)) }
            >
                {move || match shown.get() {
                    Slot::Empty => ().into_any(),
                    Slot::Down => ui::pattern_back(),
                    Slot::Up(point) => ui::pattern_card(deck, point),
                }}
            </button>
        }
    };
    let declares = rules.memory_end == MemoryEnd::Declare;
    view! {
        <div class="match race calm" data-testid="memory">
            <div class="field">
                {banner(move || state.with(|s| if s.reveal_until.is_some() { "wrong" } else if desk.me.get() == Some(s.turn) { "call" } else { "idle" }), text, desk, due)}
                {board(count, move || (0..count.get()).map(slot).collect_view())}
                <div class="actions">
                    <Show when=move || declares && desk.playing()>
                        <button data-testid="declare" on:click=move |_| send(desk, Command::Declare)>{t!("calm.declare")}</button>
                    </Show>
                </div>
            </div>
            {side(desk, company, turn, stock, "calm.cards")}
            {between(desk, company)}
        </div>
    }
}

/// SETup: place a card, challenge the last one.
#[component]
pub fn SetupScreen(desk: Desk, view: Of<pattern::View>) -> impl IntoView {
    let state = view.part(|view| setup_in(view).map(|v| &v.state));
    let company = view.part(|view| setup_in(view).map(|v| &v.state.company));
    let rules = view.part(setup_in).with_untracked(|v| v.rules.clone());
    let deck = rules.deck;
    let turn = Memo::new(move |_| state.with(|s| (s.company.stage == Stage::Playing).then_some(s.turn)));
    let stock = Memo::new(move |_| state.with(|s| Some(s.stock)));
    let table = Memo::new(move |_| state.with(|s| s.table.clone()));
    let count = Memo::new(move |_| table.with(|t| t.len().max(12)));
    let hand = Memo::new(move |_| {
        desk.me
            .get()
            .map(|me| state.with(|s| s.hands.get(me.index()).map(|h| h.cards().to_vec()).unwrap_or_default()))
            .unwrap_or_default()
    });
    let picked = RwSignal::new(Vec::<Point>::new());
    let chosen = RwSignal::new(None::<Point>);
    Effect::new(move || {
        table.with(|t| picked.update(|p| p.retain(|c| t.contains(c))));
        hand.with(|h| {
            if chosen.get_untracked().is_some_and(|c| !h.contains(&c)) {
                chosen.set(None)
            }
        });
    });
    let may_challenge = move || {
        desk.playing()
            && state.with(|s| {
                s.last.is_some_and(|l| Some(l.seat) != desk.me.get())
                    && desk.me.get().is_some_and(|me| !s.locked.has(me))
            })
    };
    let press = move |point: Point| {
        if !may_challenge() || state.with_untracked(|s| s.last.is_some_and(|l| l.card == point)) {
            return;
        }
        picked.update(|p| {
            if let Some(at) = p.iter().position(|c| *c == point) {
                p.remove(at);
            } else {
                p.push(point)
            }
        });
        if let [a, b] = picked.get_untracked()[..] {
            picked.set(Vec::new());
            send(desk, Command::Challenge([a, b]));
        }
    };
    let text = Memo::new(move |_| {
        state.with(|s| {
            if let Some(c) = s.challenged {
                let name = desk.name_or_you(c.seat);
                return if c.right {
                    t!("calm.challenge_right", name = name, by = desk.name(c.by))
                } else {
                    t!("calm.challenge_wrong", name = name)
                };
            }
            let last = s
                .last
                .map(|l| {
                    t!("calm.played", name = desk.name_or_you(l.seat), card = ui::pattern_name(deck, l.card))
                })
                .unwrap_or_default();
            let next = if desk.me.get() == Some(s.turn) {
                t!("calm.place")
            } else {
                t!("table.wait", name = desk.name(s.turn))
            };
            format!("{last} {next}")
        })
    });
    let due = Memo::new(move |_| None);
    let passed = move || desk.me.get().is_some_and(|me| state.with(|s| s.passed.has(me)));
    view! {
        <div class="match race calm" data-testid="setup">
            <div class="field">
                {banner(move || state.with(|s| if s.challenged.is_some_and(|c| c.right) { "wrong" } else if desk.me.get() == Some(s.turn) { "call" } else { "idle" }), text, desk, due)}
                {board(count, view! {
                    <For each=move || table.get() key=|p| p.0 let:point>
                        {card(deck, point, move || picked.with(|p| p.contains(&point)), move || state.with(|s| s.last.is_some_and(|l| l.card == point)), move || press(point), false)}
                    </For>
                })}
                <section class="own" aria-label=t!("race.hand")>
                    <div class="own-cards">
                        <For each=move || hand.get() key=|p| p.0 let:point>
                            {card(deck, point, move || chosen.get() == Some(point), || false, move || chosen.update(|c| *c = if *c == Some(point) { None } else { Some(point) }), true)}
                        </For>
                    </div>
                </section>
                <div class="actions">
                    <Show when=move || chosen.get().is_some() && desk.me.get() == turn.get() && desk.playing()>
                        <button class="primary big" data-testid="place" on:click=move |_| if let Some(card) = chosen.get_untracked() { send(desk, Command::Play(card)) }>{t!("calm.place_this")}</button>
                    </Show>
                    <Show when=move || may_challenge() && !passed()>
                        <button data-testid="pass" on:click=move |_| send(desk, Command::Pass)>{t!("calm.let_stand")}</button>
                        <span class="quiet">{t!("calm.challenge_hint")}</span>
                    </Show>
                </div>
            </div>
            {side(desk, company, turn, stock, "calm.penalties")}
            {between(desk, company)}
        </div>
    }
}

/// A puzzle.
#[component]
pub fn PuzzleScreen(desk: Desk, view: Of<pattern::View>) -> impl IntoView {
    let state = view.part(|view| puzzle_in(view).map(|v| &v.state));
    let rules = view.part(puzzle_in).with_untracked(|v| v.rules.clone());
    let deck = rules.deck;
    let size = if rules.pattern == pattern::rules::Pattern::Super { 4 } else { 3 };
    let hints = rules.hints != Hints::Off;
    let layout = Memo::new(move |_| state.with(|s| s.layout.clone()));
    let count = Memo::new(move |_| layout.with(Vec::len));
    let picked = RwSignal::new(Vec::<Point>::new());
    let press = move |point: Point| {
        if !desk.live || desk.me.get_untracked().is_none() {
            return;
        }
        picked.update(|p| {
            if let Some(at) = p.iter().position(|c| *c == point) {
                p.remove(at);
            } else {
                p.push(point)
            }
        });
        if picked.with_untracked(Vec::len) == size {
            let claim = Claim::one(&picked.get_untracked());
            picked.set(Vec::new());
            send(desk, Command::claim(claim));
        }
    };
    let text = Memo::new(move |_| {
        state.with(|s| match &s.last {
            Some((claim, finding)) => finding_text(
                *finding,
                claim,
                1,
                deck,
                &desk.me.get().map_or_else(String::new, |me| desk.name_or_you(me)),
            ),
            None => t!("calm.puzzle", n = s.total),
        })
    });
    let kind = move || {
        state.with(|s| match &s.last {
            Some((_, finding)) if finding.right() => "right",
            Some(_) => "wrong",
            None => "idle",
        })
    };
    let due = Memo::new(move |_| None);
    let list = move |claims: Vec<Claim>| {
        claims
            .into_iter()
            .map(|claim| view! {
                <li>{claim.cards().iter().map(|&c| view! { <span class="mini" role="img" aria-label=ui::pattern_name(deck, c)>{ui::pattern_card(deck, c)}</span> }).collect_view()}</li>
            })
            .collect_view()
    };
    view! {
        <div class="match race calm" data-testid="puzzle">
            <div class="field">
                {banner(kind, text, desk, due)}
                {board(count, view! {
                    <For each=move || layout.get() key=|p| p.0 let:point>
                        {card(deck, point, move || picked.with(|p| p.contains(&point)), move || state.with(|s| s.hints.contains(&point)), move || press(point), false)}
                    </For>
                })}
                <div class="actions">
                    <Show when=move || hints && desk.playing()><button data-testid="hint" on:click=move |_| send(desk, Command::Hint)>{t!("race.hint")}</button></Show>
                    <Show when=move || desk.playing() && state.with(|s| s.ended_at.is_none())><button class="danger" data-testid="give-up" on:click=move |_| send(desk, Command::GiveUp)>{t!("race.give_up")}</button></Show>
                </div>
            </div>
            <aside class="side" aria-label=t!("race.side")>
                <section class="panel" data-testid="found">
                    <h2>{move || t!("calm.found", n = state.with(|s| s.found.len()), of = state.with(|s| s.total))}</h2>
                    <p class="quiet"><span data-testid="clock">{move || state.with(|s| time_text(s.ended_at.unwrap_or_else(|| desk.clock.now()).since(s.started_at)))}</span> " · " {move || t!("calm.errors", n = state.with(|s| s.errors))}</p>
                    <ul class="missed">{move || list(state.with(|s| s.found.clone()))}</ul>
                    <Show when=move || state.with(|s| !s.missed.is_empty())>
                        <h3>{t!("race.missed")}</h3>
                        <ul class="missed">{move || list(state.with(|s| s.missed.clone()))}</ul>
                    </Show>
                </section>
            </aside>
        </div>
    }
}
