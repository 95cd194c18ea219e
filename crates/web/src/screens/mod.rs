//! The screens of the games: each draws a [`game::View`] and sends commands. None of them judges what the server must.

pub mod race;

use crate::desk::Desk;
use leptos::prelude::*;
use rulebook::{Notice, View};
use std::sync::Arc;

/// Which screen shows a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Claims on an open layout.
    Race,
    /// Not one of those that can be shown yet.
    Other,
}

/// Which screen shows this view.
#[must_use]
pub fn kind(view: &View) -> Kind {
    match view {
        View::Pattern(pattern::View::Race(_)) => Kind::Race,
        _ => Kind::Other,
    }
}

/// The screen for the view that is held now. `view` must hold one.
pub fn screen(
    desk: Desk,
    view: RwSignal<Option<Arc<View>>>,
    _heard: Signal<Vec<(u32, Arc<Notice>)>>,
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
        _ => ().into_any(),
    }
}
