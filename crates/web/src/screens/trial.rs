//! The live trial: the own board as in any race, and how far the others are.

use crate::screens::pattern::{Desk, Of, practises, trial_in};
use crate::screens::race::RaceScreen;
use crate::t;
use game::Seat;
use leptos::prelude::*;
use pattern::rules::{End, TrialGoal};
use pattern::trial::State;
use screen::people::time_text;

/// Everybody's progress, and one's own board under it.
#[component]
pub fn TrialScreen(desk: Desk, view: Of<pattern::View>) -> impl IntoView {
    let trial = view.part(trial_in);
    let state = view.part(|view| trial_in(view).map(|trial| &trial.state));
    let rules = trial.with_untracked(|t| t.rules.clone());
    let goal = match (rules.end, rules.trial_goal) {
        (End::Goal, TrialGoal::Sets(n)) => n,
        _ => (rules.deck.size() / 3) as u16,
    };
    let seats = state.with_untracked(|s| s.racers.len());
    let racer = move |n: usize| {
        let seat = Seat(n as u8);
        let sets = move || state.with(|s| s.racers[n].sets);
        let rules = rules.clone();
        let result = move |s: &State| match (s.result(&rules, seat), s.racers[n].done) {
            (Some(millis), _) => t!("trial.done", time = time_text(millis)),
            (None, Some(_)) => t!("trial.out"),
            (None, None) => t!("race.detail", sets = s.racers[n].sets, errors = s.racers[n].errors),
        };
        view! {
            <li class="racer" class:me=move || desk.me.get() == Some(seat) data-testid=format!("racer-{n}")>
                <span class="name" dir="auto">{move || desk.name(seat)}</span>
                <progress max=goal.to_string() value=move || sets().min(goal).to_string() aria-label=move || t!("trial.progress", name = desk.name(seat), n = sets(), of = goal)></progress>
                <span class="quiet" data-testid=format!("progress-{n}")>{move || state.with(&result)}</span>
            </li>
        }
    };
    // On one's own board one has seat 0; who only watches sees no board, which would tell those behind what comes.
    let own = trial.with_untracked(|t| t.board.is_some()).then(|| {
        let people = Signal::derive(move || {
            let me = desk.me.get().map_or(0, Seat::index);
            desk.people.with(|people| people.get(me).cloned().into_iter().collect::<Vec<_>>())
        });
        let own = Desk { me: Signal::derive(move || desk.me.get().map(|_| Seat(0))), people, ..desk };
        view! { <RaceScreen desk=own view=view practises=practises(desk)/> }.into_any()
    });
    view! {
        <div class="trial" data-testid="trial">
            <ol class="racers" aria-label=t!("trial.racers")>{(0..seats).map(racer).collect_view()}</ol>
            {own.unwrap_or_else(|| view! { <p class="page narrow">{t!("trial.watch")}</p> }.into_any())}
        </div>
    }
}
