//! What is shown of a match: its views as they come, held once and read by everything on the screen.

use crate::desk::Desk;
use crate::screens::Family;
use leptos::prelude::*;
use rulebook::Only;
use std::sync::Arc;

/// The view of a match of this family, shared by whoever follows the match and all that is drawn from it.
pub type Shared<F> = Arc<Only<<F as Family>::View>>;

/// What the viewer learnt lately, each with its number.
pub type Heard<F> = Signal<Vec<(u32, Arc<<F as Family>::Notice>)>>;

/// What is shown now, if anything. Views that one screen can show one after the other come in one signal; a view for another
/// screen comes in another one, so that no screen ever meets a view that it cannot draw.
pub struct Scene<F: Family>(RwSignal<Option<ArcRwSignal<Shared<F>>>>);

impl<F: Family> Clone for Scene<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F: Family> Copy for Scene<F> {}

impl<F: Family> Scene<F> {
    /// Nothing is shown yet.
    #[must_use]
    pub fn new() -> Scene<F> {
        Scene(RwSignal::new(None))
    }

    /// Shows a view from now on. False if the page has been left.
    pub fn show(self, view: Shared<F>) -> bool {
        let Some(now) = self.0.try_get_untracked() else { return false };
        match now {
            Some(now) if now.with_untracked(|now| F::screen_of(&now.0) == F::screen_of(&view.0)) => {
                now.set(view);
            }
            _ => self.0.set(Some(ArcRwSignal::new(view))),
        }
        true
    }

    /// Shows nothing.
    pub fn clear(self) {
        if self.0.with_untracked(Option::is_some) {
            self.0.set(None);
        }
    }

    /// Reads what is shown, and is run again when it changes; none if there is nothing.
    pub fn with<T>(self, read: impl FnOnce(&F::View) -> T) -> Option<T> {
        self.0.with(|now| now.as_ref().map(|now| now.with(|view| read(&view.0))))
    }

    /// The screen for what is shown. Another one when the view is for another.
    pub fn screen(self, desk: Desk<F::Command>, heard: Heard<F>) -> Option<AnyView> {
        Some(F::screen(desk, Sight { view: self.0.get()?.into(), part: |view| Some(view) }, heard))
    }
}

/// Where a screen, or a part of one, reads what it draws: a part `V` of the view that is shown.
pub struct Sight<F: Family, V: 'static> {
    view: RwSignal<Shared<F>>,
    part: fn(&F::View) -> Option<&V>,
}

impl<F: Family, V> Clone for Sight<F, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F: Family, V> Copy for Sight<F, V> {}

impl<F: Family, V> Sight<F, V> {
    /// A part of what is shown. It must be there in every view for the same screen ([`Family::screen_of`]).
    pub fn part<W>(self, part: fn(&F::View) -> Option<&W>) -> Sight<F, W> {
        Sight { view: self.view, part }
    }

    /// Reads, and is run again when the view changes.
    pub fn with<T>(self, read: impl FnOnce(&V) -> T) -> T {
        self.view.with(|view| read(self.of(view)))
    }

    /// Reads once.
    pub fn with_untracked<T>(self, read: impl FnOnce(&V) -> T) -> T {
        self.view.with_untracked(|view| read(self.of(view)))
    }

    #[inline(never)]
    fn of(self, view: &Shared<F>) -> &V {
        (self.part)(&view.0).expect("a view for another screen comes in another signal")
    }
}
