//! The screens of the games: each draws a [`game::View`] and sends commands. None of them judges what the server must.

pub mod calm;
pub mod race;
pub mod rummy;
pub mod trial;

use crate::desk::Desk;
use contract::Standing;
use contract::sealed::{Call, Stand};
use contract::table::Phase;
use leptos::prelude::*;
use rulebook::{Notice, View};
use std::sync::Arc;

/// Which screen shows a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Claims on an open layout.
    Race,
    /// Contract Rummy and its relatives.
    Rummy,
    /// Cards turned up in turn.
    Memory,
    /// Cards placed in turn.
    Setup,
    /// A fixed layout.
    Puzzle,
    /// A race of each on a board of their own.
    Trial,
}

/// Which screen shows this view.
#[must_use]
pub fn kind(view: &View) -> Kind {
    match view {
        View::Pattern(pattern::View::Race(_)) => Kind::Race,
        View::Contract(_) => Kind::Rummy,
        View::Pattern(pattern::View::Memory(_)) => Kind::Memory,
        View::Pattern(pattern::View::Setup(_)) => Kind::Setup,
        View::Pattern(pattern::View::Puzzle(_)) => Kind::Puzzle,
        View::Pattern(pattern::View::Trial(_)) => Kind::Trial,
    }
}

/// The screen for the view that is held now. `view` must hold one.
pub fn screen(
    desk: Desk,
    view: RwSignal<Option<Arc<View>>>,
    heard: Signal<Vec<(u32, Arc<Notice>)>>,
) -> AnyView {
    let Some(first) = view.get_untracked() else { return ().into_any() };
    match &*first {
        View::Pattern(pattern::View::Race(start)) => {
            let start = StoredValue::new((**start).clone());
            let race = Memo::new(move |_| {
                view.with(|view| match view.as_deref() {
                    Some(View::Pattern(pattern::View::Race(race))) => (**race).clone(),
                    _ => start.get_value(),
                })
            });
            view! { <race::RaceScreen desk=desk view=race/> }.into_any()
        }
        View::Pattern(pattern::View::Trial(start)) => {
            let start = StoredValue::new((**start).clone());
            let now = Memo::new(move |_| {
                view.with(|view| match view.as_deref() {
                    Some(View::Pattern(pattern::View::Trial(now))) => (**now).clone(),
                    _ => start.get_value(),
                })
            });
            view! { <trial::TrialScreen desk=desk view=now/> }.into_any()
        }
        View::Contract(start) => {
            let start = StoredValue::new(seen(start));
            let shown = Memo::new(move |_| {
                view.with(|view| match view.as_deref() {
                    Some(View::Contract(now)) => seen(now),
                    _ => start.get_value(),
                })
            });
            view! { <rummy::RummyScreen desk=desk seen=shown heard=heard/> }.into_any()
        }
        View::Pattern(pattern::View::Memory(start)) => {
            let start = StoredValue::new((**start).clone());
            let now = Memo::new(move |_| {
                view.with(|view| match view.as_deref() {
                    Some(View::Pattern(pattern::View::Memory(now))) => (**now).clone(),
                    _ => start.get_value(),
                })
            });
            view! { <calm::MemoryScreen desk=desk view=now/> }.into_any()
        }
        View::Pattern(pattern::View::Setup(start)) => {
            let start = StoredValue::new((**start).clone());
            let now = Memo::new(move |_| {
                view.with(|view| match view.as_deref() {
                    Some(View::Pattern(pattern::View::Setup(now))) => (**now).clone(),
                    _ => start.get_value(),
                })
            });
            view! { <calm::SetupScreen desk=desk view=now/> }.into_any()
        }
        View::Pattern(pattern::View::Puzzle(start)) => {
            let start = StoredValue::new((**start).clone());
            let now = Memo::new(move |_| {
                view.with(|view| match view.as_deref() {
                    Some(View::Pattern(pattern::View::Puzzle(now))) => (**now).clone(),
                    _ => start.get_value(),
                })
            });
            view! { <calm::PuzzleScreen desk=desk view=now/> }.into_any()
        }
    }
}

/// What the rummy screen shows of a view.
fn seen(view: &contract::View) -> rummy::Seen {
    rummy::Seen {
        book: view.book.clone(),
        flow: view.flow,
        board: view.board.clone(),
        contract: view.contract(),
        hand: view.hand.cards().collect(),
        pile: view.pile.clone(),
        standing: match view.own.stand {
            Stand::Off => None,
            Stand::Pass => Some(Standing::Pass),
            Stand::Take(faces) => Some(Standing::Take(faces.faces().collect())),
        },
        answer: match (view.flow.phase, view.own.call) {
            (Phase::Shanghai, Call::Open) => None,
            (Phase::Shanghai, call) => Some(matches!(call, Call::Claim(_))),
            _ => view.own.answer,
        },
    }
}
