//! A board of one zone and what stands around it: what the screens of memory, setup and puzzles share.

use crate::screens::pattern::{Desk, Of};
use crate::ui::Show;
use crate::{dom, t, ui};
use cards::{Deck, Point};
use game::Seat;
use leptos::prelude::*;
use pattern::race::Held;
use pattern::roster::{DealEnd, Roster, Stage};
use pattern::{Act, Command, Offers};
use rulebook::Family;
use screen::board::columns;

/// Sends a command of this person's seat.
pub fn send(desk: Desk, command: Command) {
    desk.send.run(command);
}

/// What the own seat may do, judged anew when the view changes, and with the clock.
pub fn offers(desk: Desk, view: Of<pattern::View>) -> Memo<Offers> {
    Memo::new(move |_| view.with(|view| view.offers(desk.clock.now())))
}

/// What stands on the button for a hint: with its price, where it has one.
pub fn hint_label(offers: &Offers) -> String {
    screen::board::hint_words(crate::lang::PAGE, offers)
}

/// Columns on a screen that is much higher than wide, and most cards that are larger in them.
pub const SLIM: usize = 2;
pub const MOST_SLIM: usize = 12;

/// A board of one zone, its places filled in reading order.
pub fn board(count: Memo<usize>, cards: impl IntoView + 'static) -> impl IntoView {
    let wide = move || columns(count.get()).0;
    let tall = move || columns(count.get()).1;
    let rows = move |columns: usize| count.get().div_ceil(columns).max(1).to_string();
    view! {
        <div class="board-room">
            <div
                class="board flow"
                class:slim=move || count.get() <= MOST_SLIM
                data-testid="board"
                style:--c-wide=move || wide().to_string()
                style:--r-wide=move || rows(wide())
                style:--c-tall=move || tall().to_string()
                style:--r-tall=move || rows(tall())
                style:--r-slim=move || rows(SLIM)
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
pub fn card(
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
            data-from="#stock-pile"
            aria-label=ui::pattern_name(deck, point)
            aria-pressed=move || picked().to_string()
            on:pointerdown=move |e| if dom::presses(&e) { press() }
            on:click=move |e| if e.detail() == 0 { press() }
        >{ui::pattern_card(deck, point)}</button>
    }
    .into_any()
}

/// Scores and stock beside the board.
pub fn side(
    desk: Desk,
    roster: Of<Roster>,
    turn: Memo<Option<Seat>>,
    stock: Memo<Option<u16>>,
    unit: &'static str,
) -> impl IntoView {
    let count = Memo::new(move |_| roster.with(|c| c.players.len()));
    let row = move |n: usize| {
        let seat = Seat(n as u8);
        let total = move || roster.with(|c| c.players.get(n).map_or(0, |p| p.score));
        let held = move || roster.with(|c| c.players.get(n).map(|p| p.held));
        view! {
            <li class="score" style:--seat=n.to_string() class:me=move || desk.me.get() == Some(seat) class:calling=move || turn.get() == Some(seat) data-testid=format!("score-{n}")>
                <span class="who">
                    <span class="name" class:bot=move || desk.is_bot(seat) dir="auto">{move || desk.is_bot(seat).then(|| ui::bot_face(seat))}{move || desk.plate(seat)}</span>
                    <Show when=move || desk.me.get() == Some(seat)><span class="tag">{t!("table.you")}</span></Show>
                    <Show when=move || turn.get() == Some(seat)><span class="tag flag">{t!("board.turn")}</span></Show>
                    <Show when=move || matches!(held(), Some(Held::Away { .. }))><span class="tag warn">{t!("table.away")}</span></Show>
                </span>
                <span class="points" data-testid=format!("points-{n}")>{total}</span>
                <span class="detail quiet">{move || t!(unit, n = roster.with(|c| c.players.get(n).map_or(0, |p| p.taken.len())))}</span>
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
                    <div class="pile" data-testid="stock"><span class="pile-card" id="stock-pile">{ui::pattern_back()}</span><span>{t!("race.stock", n = n)}</span></div>
                </section>
            })}
        </aside>
    }
}

/// Between deals: how the last one ended, and a button for the next.
pub fn between(desk: Desk, roster: Of<Roster>, offers: Memo<Offers>) -> impl IntoView {
    let on = Memo::new(move |_| roster.with(|c| c.stage == Stage::Between));
    let why = move || {
        roster.with(|c| {
            c.deal_end.map(|end| match end {
                DealEnd::Finished => t!("board.end_finished"),
                DealEnd::TimedOut => t!("board.end_timed_out"),
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
                    <button class="primary" data-testid="next-deal" disabled=move || !offers.with(|offers| offers.open(Act::Ready)) on:click=move |_| send(desk, Command::Ready)>{t!("race.next")}</button>
                </Show>
            </section>
        </Show>
    }
}

/// What is going on, in a sentence, said aloud when it changes; and why something was refused.
pub fn banner(
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
        {ui::refused(Family::Pattern, desk.refused)}
    }
}
