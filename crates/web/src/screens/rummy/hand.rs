//! The own hand as its holder arranges it: every card has an identity, so that of two equal cards one can be moved, staged
//! or discarded without the other; the arrangement survives a reload.

use crate::dom;
use cards::Face;
use leptos::prelude::*;
pub use screen::rack::{Held, Order, Rack, Spot};

/// The rack of this screen, kept in the browser under `key`.
#[derive(Clone, Copy)]
pub struct Hand {
    /// The cards.
    pub rack: RwSignal<Rack>,
    /// Keys of the cards that are selected, in the order selected.
    pub selected: RwSignal<Vec<u32>>,
    /// Keys of the cards that the last command gave away.
    pub leaving: StoredValue<Vec<u32>>,
}

impl Hand {
    /// An empty one.
    #[must_use]
    pub fn new() -> Hand {
        Hand {
            rack: RwSignal::new(Rack::default()),
            selected: RwSignal::new(Vec::new()),
            leaving: StoredValue::new(Vec::new()),
        }
    }

    /// Follows `hand`, and keeps the arrangement under the name that `name` gives; another name is another hand.
    pub fn follow(
        self,
        hand: Memo<Vec<Face>>,
        name: Memo<String>,
        staged_first: impl Fn() -> bool + 'static,
    ) {
        Effect::new(move |before: Option<String>| {
            let (cards, name) = (hand.get(), name.get());
            let mut rack = if before.as_ref() == Some(&name) {
                self.rack.get_untracked()
            } else {
                Rack::stored(dom::load::<Vec<(Face, Spot)>>(&name).unwrap_or_default())
            };
            if let Some(old) = before.filter(|old| *old != name) {
                dom::forget(&old);
            }
            rack.sync(&cards, &self.leaving.get_value(), staged_first());
            self.selected.update(|s| s.retain(|key| rack.find(*key).is_some()));
            if self.rack.with_untracked(|old| *old != rack) {
                self.rack.set(rack);
            }
            name
        });
        Effect::new(move || {
            let list = self.rack.with(Rack::to_store);
            let name = name.get_untracked();
            if !list.is_empty() {
                dom::store(&name, &list);
            }
        });
    }

    /// Selects a card, or no longer.
    pub fn toggle(self, key: u32) {
        self.selected.update(|selected| screen::pick::toggle(selected, key));
    }

    /// The cards selected.
    #[must_use]
    pub fn chosen(self) -> Vec<Held> {
        let keys = self.selected.get();
        self.rack.with(|rack| keys.iter().filter_map(|&key| rack.find(key)).collect())
    }

    /// Changes the arrangement and lets the cards travel.
    pub fn arrange(self, change: impl FnOnce(&mut Rack)) {
        let places = dom::Places::now();
        self.rack.update(change);
        places.play();
    }
}

impl Default for Hand {
    fn default() -> Self {
        Hand::new()
    }
}
