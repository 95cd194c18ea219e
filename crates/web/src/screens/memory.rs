//! Memory: cards are turned up in turn.

use super::board::{banner, between, board, offers, send, side};
use crate::screens::pattern::{Desk, Of, memory_in, practises};
use crate::screens::pattern_advice::SetAdvice;
use crate::ui::Show;
use crate::{t, ui};
use leptos::prelude::*;
use pattern::memory::Slot;
use pattern::offers::Needs;
use pattern::roster::Stage;
use pattern::rules::MemoryLayout;
use pattern::{Act, Command};

#[component]
pub fn MemoryScreen(desk: Desk, view: Of<pattern::View>) -> impl IntoView {
    let state = view.part(|view| memory_in(view).map(|v| &v.state));
    let roster = view.part(|view| memory_in(view).map(|v| &v.state.roster));
    let rules = view.part(memory_in).with_untracked(|v| v.rules.clone());
    let deck = rules.deck;
    // No stock is left over where all cards lie there.
    let all = matches!(rules.memory_layout, MemoryLayout::Full(_));
    let advice = SetAdvice::new(view, deck, practises(desk));
    let offers = offers(desk, view);
    let turns = Memo::new(move |_| {
        offers.with(|offers| match offers.get(Act::Flip) {
            Some(Ok(open)) => match &open.needs {
                Needs::Slot(slots) => slots.clone(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        })
    });
    let turn = Memo::new(move |_| state.with(|s| (s.roster.stage == Stage::Playing).then_some(s.turn)));
    let stock = Memo::new(move |_| state.with(|s| Some(s.stock).filter(|_| !all)));
    let count = Memo::new(move |_| state.with(|s| s.slots.len()));
    let text = Memo::new(move |_| desk.told(|desk| state.with(|state| screen::board::memory(desk, state))));
    let due = Memo::new(move |_| state.with(|s| s.deadline));
    let slot = move |n: usize| {
        let shown = Memo::new(move |_| state.with(|s| s.slots.get(n).copied().unwrap_or(Slot::Empty)));
        let label = move || match shown.get() {
            Slot::Empty => t!("memory.empty", n = n + 1),
            Slot::Down => t!("memory.down", n = n + 1),
            Slot::Up(point) => ui::pattern_name(deck, point),
        };
        view! {
            <button
                class="pcard"
                class:gone=move || shown.get() == Slot::Empty
                class:lit=move || advice.turns(n as u8 + 1)
                data-testid="slot"
                data-slot=(n + 1).to_string()
                aria-label=label
                aria-disabled=move || (!turns.with(|slots| slots.contains(&(n as u8 + 1)))).to_string()
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
    let declares = move || offers.with(|offers| offers.has(Act::Declare));
    view! {
        <div class="match race one-zone" data-testid="memory">
            <div class="field">
                {banner(move || state.with(|s| if s.reveal_until.is_some() { "wrong" } else if desk.me.get() == Some(s.turn) { "call" } else { "idle" }), text, desk, due)}
                {board(count, move || (0..count.get()).map(slot).collect_view())}
                <div class="actions">
                    <Show when=move || declares() && desk.playing()>
                        <button data-testid="declare" disabled=move || !offers.with(|offers| offers.open(Act::Declare)) on:click=move |_| send(desk, Command::Declare)>{t!("memory.declare")}</button>
                    </Show>
                    {advice.button()}
                </div>
            </div>
            {side(desk, roster, turn, stock, "memory.cards")}
            {advice.shown()}
            {between(desk, roster, offers)}
        </div>
    }
}
