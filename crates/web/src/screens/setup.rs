//! SETup: cards are placed in turn, and nobody wants to complete a Set.

use super::board::{banner, between, board, card, offers, send, side};
use crate::screens::pattern::{Desk, Of, practises, setup_in};
use crate::screens::pattern_advice::SetAdvice;
use crate::t;
use crate::ui::Show;
use cards::Point;
use leptos::prelude::*;
use pattern::roster::Stage;
use pattern::{Act, Command};

#[component]
pub fn SetupScreen(desk: Desk, view: Of<pattern::View>) -> impl IntoView {
    let state = view.part(|view| setup_in(view).map(|v| &v.state));
    let roster = view.part(|view| setup_in(view).map(|v| &v.state.roster));
    let rules = view.part(setup_in).with_untracked(|v| v.rules.clone());
    let deck = rules.deck;
    let advice = SetAdvice::new(view, deck, practises(desk));
    let offers = offers(desk, view);
    let open = move |act| desk.playing() && offers.with(|offers| offers.open(act));
    let turn = Memo::new(move |_| state.with(|s| (s.roster.stage == Stage::Playing).then_some(s.turn)));
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
    let press = move |point: Point| {
        if !untrack(|| desk.playing()) {
            return;
        }
        let mut held = picked.get_untracked();
        let challenge = state.with_untracked(|state| {
            offers.with_untracked(|offers| screen::pick::challenge(state, offers, &mut held, point))
        });
        picked.set(held);
        if let Some(challenge) = challenge {
            send(desk, challenge);
        }
    };
    let text = Memo::new(move |_| {
        desk.told(|desk| view.with(|view| setup_in(view).map(|view| screen::board::setup(desk, view))))
            .unwrap_or_default()
    });
    let due = Memo::new(move |_| None);
    view! {
        <div class="match race one-zone" data-testid="setup">
            <div class="field">
                {banner(move || state.with(|s| if s.challenged.is_some_and(|c| c.right) { "wrong" } else if desk.me.get() == Some(s.turn) { "call" } else { "idle" }), text, desk, due)}
                {board(count, view! {
                    <For each=move || table.get() key=|p| p.0 let:point>
                        {card(deck, point, move || picked.with(|p| p.contains(&point)), move || advice.names(point) || state.with(|s| s.last.is_some_and(|l| l.card == point)), move || press(point), false)}
                    </For>
                })}
                <section class="own" aria-label=t!("race.hand")>
                    <div class="own-cards">
                        <For each=move || hand.get() key=|p| p.0 let:point>
                            {card(deck, point, move || chosen.get() == Some(point), move || advice.names(point), move || chosen.update(|c| *c = if *c == Some(point) { None } else { Some(point) }), true)}
                        </For>
                    </div>
                </section>
                <div class="actions">
                    <Show when=move || chosen.get().is_some() && desk.me.get() == turn.get() && desk.playing()>
                        <button class="primary big" data-testid="place" disabled=move || !open(Act::Play) on:click=move |_| if let Some(card) = chosen.get_untracked() { send(desk, Command::Play(card)) }>{t!("setup.place_this")}</button>
                    </Show>
                    <Show when=move || open(Act::Challenge)>
                        <button data-testid="pass" on:click=move |_| send(desk, Command::Pass)>{t!("setup.let_stand")}</button>
                        <span class="quiet">{t!("setup.challenge_hint")}</span>
                    </Show>
                    {advice.button()}
                </div>
            </div>
            {side(desk, roster, turn, stock, "setup.penalties")}
            {advice.shown()}
            {between(desk, roster, offers)}
        </div>
    }
}
