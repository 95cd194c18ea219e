//! What a bot would do with this hand, and why.

use super::Rummy;
use crate::scene::Sight;
use crate::screens::Contract;
use crate::screens::advice::{self, Adviser, Advises};
use crate::ui::Show;
use crate::{lang, t};
use contract::View;
use contract::state::Phase;
use leptos::prelude::*;
use worker::rummy::{Advice, Reason, Weighed, Words};

impl Advises for Rummy {
    type Family = Contract;
    type Advice = Advice;
    type Moment = (u16, u16, Phase, usize, usize);

    fn adviser(self) -> Adviser<Advice> {
        self.adviser
    }

    fn sight(self) -> Sight<Contract, View> {
        self.view
    }

    fn moment(view: &View) -> Self::Moment {
        (view.flow.deal, view.flow.turns, view.flow.phase, view.hand.len(), view.board.melds.len())
    }

    fn spoken(self, advice: &Advice) -> String {
        with_words(self, |words| lang::tell(&advice.action(words))).unwrap_or_default()
    }

    fn action(self, advice: &Advice) -> AnyView {
        self.spoken(advice).into_any()
    }

    fn reasons(self, advice: &Advice) -> Vec<AnyView> {
        let reasons = with_words(self, |words| advice.reasons(words));
        reasons.iter().filter_map(lang::tell).map(IntoAny::into_any).collect()
    }

    fn more(self, advice: &Advice) -> AnyView {
        match &advice.reason {
            Reason::Throw { down, weighed, .. } if weighed.len() > 1 => compared(self, *down, weighed),
            _ => ().into_any(),
        }
    }
}

/// The button that asks, where that is allowed.
#[component]
pub fn AskAdvice() -> impl IntoView {
    let rummy: Rummy = expect_context();
    view! {
        <Show when=move || rummy.desk.practises()>
            <button class="small" data-testid="ask-advice" disabled=move || !rummy.decides() on:click=move |_| rummy.adviser.ask()>
                {t!("hint.ask")} " " <kbd aria-hidden="true">"H"</kbd>
            </button>
        </Show>
    }
}

/// What was answered, over the table.
pub fn shown(rummy: Rummy) -> AnyView {
    advice::frame(rummy.adviser, t!("hint.ask"), advice::shown(rummy))
}

/// Does something with how cards and players are called here.
fn with_words<T>(rummy: Rummy, f: impl FnOnce(Words<'_>) -> T) -> T {
    untrack(|| f(Words { card: &|face| rummy.text(face), name: &|seat| rummy.desk.name(seat) }))
}

/// What was compared, a row for each card that could be thrown.
fn compared(rummy: Rummy, down: bool, weighed: &[Weighed]) -> AnyView {
    let number = |number: Option<f32>| number.map(|n| n.round().to_string()).unwrap_or_default();
    let learned = weighed.iter().any(|card| card.learned.is_some());
    let waits = weighed.iter().any(|card| card.waits.is_some());
    let played = weighed.iter().any(|card| card.played.is_some());
    let rows = weighed.iter().map(|card| {
        let missing = card.missing.map(|n| n.to_string()).unwrap_or_default();
        let end = card.played.filter(|played| played.rounds > 0).map(|played| played.points);
        let cells = [
            (!down, missing),
            (!down, card.helpers.to_string()),
            (true, card.points.to_string()),
            (learned, number(card.learned)),
            (waits, number(card.waits)),
            (played, number(end)),
        ];
        let name = rummy.text(card.card);
        view! {
            <tr>
                <th scope="row">{name}</th>
                {cells.into_iter().filter(|(shown, _)| *shown).map(|(_, cell)| view! { <td>{cell}</td> }).collect_view()}
            </tr>
        }
    });
    let heads = [
        (true, t!("rummy.advice_card")),
        (!down, t!("rummy.advice_missing")),
        (!down, t!("rummy.advice_helpers")),
        (true, t!("rummy.advice_points")),
        (learned, t!("rummy.advice_learned")),
        (waits, t!("rummy.advice_waits")),
        (played, t!("rummy.advice_played")),
    ];
    view! {
        <table class="compared" data-testid="advice-compared">
            <caption>{t!("rummy.advice_compared")}</caption>
            <thead><tr>{heads.into_iter().filter(|(shown, _)| *shown).map(|(_, head)| view! { <th scope="col">{head}</th> }).collect_view()}</tr></thead>
            <tbody>{rows.collect_view()}</tbody>
        </table>
    }
    .into_any()
}
