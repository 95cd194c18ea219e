//! A puzzle: every Set of a fixed layout is to be found.

use super::board::{banner, board, card, hint_label, offers, send};
use crate::screens::pattern::{Desk, Of, practises, puzzle_in};
use crate::screens::pattern_advice::SetAdvice;
use crate::ui::Show;
use crate::{t, ui};
use cards::Point;
use leptos::prelude::*;
use pattern::{Act, Claim, Command};
use screen::people::time_text;

#[component]
pub fn PuzzleScreen(desk: Desk, view: Of<pattern::View>) -> impl IntoView {
    let state = view.part(|view| puzzle_in(view).map(|v| &v.state));
    let rules = view.part(puzzle_in).with_untracked(|v| v.rules.clone());
    let deck = rules.deck;
    let advice = SetAdvice::new(view, deck, practises(desk));
    let offers = offers(desk, view);
    let open = move |act| desk.playing() && offers.with(|offers| offers.open(act));
    let layout = Memo::new(move |_| state.with(|s| s.layout.clone()));
    let count = Memo::new(move |_| layout.with(Vec::len));
    let (picked, voice) = (RwSignal::new(Vec::<Point>::new()), ui::voice());
    let press = move |point: Point| {
        if !desk.live || desk.me.get_untracked().is_none() {
            return;
        }
        let mut held = picked.get_untracked();
        let claim = view.part(puzzle_in).with_untracked(|view| screen::pick::puzzle(view, &mut held, point));
        picked.set(held);
        match claim {
            Ok(claim) => claim.into_iter().for_each(|claim| send(desk, claim)),
            Err(_) => voice.tell(t!("puzzle.again")),
        }
    };
    let text = Memo::new(move |_| {
        desk.told(|desk| view.with(|view| puzzle_in(view).map(|view| screen::board::puzzle(desk, view))))
            .unwrap_or_default()
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
        <div class="match race one-zone" data-testid="puzzle">
            <div class="field">
                {banner(kind, text, desk, due)}
                {board(count, view! {
                    <For each=move || layout.get() key=|p| p.0 let:point>
                        {card(deck, point, move || picked.with(|p| p.contains(&point)), move || state.with(|s| s.hints.contains(&point)) || advice.names(point), move || press(point), false)}
                    </For>
                })}
                <div class="actions">
                    <Show when=move || desk.playing() && offers.with(|offers| offers.has(Act::Hint))><button data-testid="hint" disabled=move || !open(Act::Hint) on:click=move |_| send(desk, Command::Hint)>{move || offers.with(hint_label)}</button></Show>
                    <Show when=move || open(Act::GiveUp)><button class="danger" data-testid="give-up" on:click=move |_| send(desk, Command::GiveUp)>{t!("race.give_up")}</button></Show>
                    {advice.button()}
                </div>
            </div>
            <aside class="side" aria-label=t!("race.side")>
                <section class="panel" data-testid="found">
                    <h2>{move || t!("puzzle.found", n = state.with(|s| s.found.len()), of = state.with(|s| s.total))}</h2>
                    <p class="quiet"><span data-testid="clock">{move || state.with(|s| time_text(s.ended_at.unwrap_or_else(|| desk.clock.now()).since(s.started_at)))}</span> " · " {move || t!("puzzle.errors", n = state.with(|s| s.errors))}</p>
                    <ul class="missed">{move || list(state.with(|s| s.found.clone()))}</ul>
                    <Show when=move || state.with(|s| !s.missed.is_empty())>
                        <p>{t!("race.missed")}</p>
                        <ul class="missed">{move || list(state.with(|s| s.missed.clone()))}</ul>
                    </Show>
                </section>
            </aside>
            {advice.shown()}
        </div>
    }
}
