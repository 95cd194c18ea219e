//! Dragging cards of the hand with finger, pen or mouse: to another place in the hand, onto a meld, into the staging area,
//! onto the discard pile. A touch that does not travel is a tap and selects.

use super::Rummy;
use super::hand::{Held, Spot};
use crate::{dom, ui};
use leptos::{ev, prelude::*};

/// What is being dragged, and where it is.
#[derive(Clone, Debug, PartialEq)]
struct Moving {
    card: Held,
    /// Everything that travels with it.
    keys: Vec<u32>,
    start: (f64, f64),
    at: (f64, f64),
    pointer: i32,
    /// Whether it has travelled far enough to be a drag.
    away: bool,
}

/// The drag of this screen.
#[derive(Clone, Copy)]
pub struct Drag(RwSignal<Option<Moving>>);

/// Travel in CSS pixels from which a touch is a drag.
const SLACK: f64 = 7.0;

impl Drag {
    /// Nothing is dragged.
    #[must_use]
    pub fn new() -> Drag {
        Drag(RwSignal::new(None))
    }

    /// A finger came down on a card.
    pub fn start(self, rummy: Rummy, card: Held, event: &ev::PointerEvent) {
        if event.button() != 0 || !event.is_primary() {
            return;
        }
        dom::capture(event);
        let selected = rummy.hand.selected.get_untracked();
        let keys = if selected.contains(&card.key) { selected } else { vec![card.key] };
        let at = (f64::from(event.client_x()), f64::from(event.client_y()));
        self.0.set(Some(Moving { card, keys, start: at, at, pointer: event.pointer_id(), away: false }));
    }

    /// It moved.
    pub fn travel(self, event: &ev::PointerEvent) {
        let at = (f64::from(event.client_x()), f64::from(event.client_y()));
        let known = self.0.with_untracked(|m| m.as_ref().is_some_and(|m| m.pointer == event.pointer_id()));
        if known {
            self.0.update(|moving| {
                if let Some(m) = moving {
                    m.at = at;
                    m.away |= (at.0 - m.start.0).hypot(at.1 - m.start.1) > SLACK;
                }
            });
        }
    }

    /// It left: a tap selects, a drag drops.
    pub fn end(self, rummy: Rummy, event: &ev::PointerEvent) {
        let Some(moving) = self.0.get_untracked().filter(|m| m.pointer == event.pointer_id()) else { return };
        self.0.set(None);
        if !moving.away {
            rummy.hand.toggle(moving.card.key);
            return;
        }
        let Some(target) = dom::drop_target(moving.at) else { return };
        let keys = moving.keys;
        if target == "hand" {
            let before = dom::card_after(moving.at, &keys);
            rummy.hand.selected.set(Vec::new());
            rummy.hand.arrange(|r| r.put(&keys, Spot::Hand, before));
        } else if target == "discard" {
            rummy.hand.selected.set(vec![moving.card.key]);
            rummy.discard(moving.card);
        } else if let Some(slot) = target.strip_prefix("stage-").and_then(|n| n.parse().ok()) {
            rummy.hand.selected.set(Vec::new());
            rummy.hand.arrange(|r| r.put(&keys, Spot::Stage(slot), None));
        } else if let Some(on) = target.strip_prefix("meld-").and_then(|n| n.parse().ok()) {
            let card = moving.card;
            if keys.len() == 1 && rummy.ends(&[card.face], on).is_empty() && rummy.reclaims(card.face, on) {
                rummy.reclaim(card, on);
            } else {
                rummy.lay_off(keys, on, None);
            }
        }
    }

    /// The browser took the finger for something else.
    pub fn cancel(self) {
        self.0.set(None);
    }

    /// Faces that travel, for lighting up where they may go.
    pub fn faces(self, rummy: Rummy) -> Vec<cards::Face> {
        self.0.with(|m| match m {
            Some(m) if m.away => {
                rummy.hand.rack.with(|r| m.keys.iter().filter_map(|&k| r.find(k)).map(|c| c.face).collect())
            }
            _ => Vec::new(),
        })
    }
}

impl Default for Drag {
    fn default() -> Self {
        Drag::new()
    }
}

/// The picture under the finger.
#[component]
pub fn Ghost() -> impl IntoView {
    let rummy: Rummy = expect_context();
    let moving = rummy.drag.0;
    let card = Memo::new(move |_| {
        moving.with(|m| m.as_ref().filter(|m| m.away).map(|m| (m.card.face, m.keys.len())))
    });
    let at = move |f: fn(&Moving) -> f64| moving.with(|m| m.as_ref().map_or(0.0, f));
    view! {
        {move || card.get().map(|(face, count)| view! {
            <div
                class="ghost"
                aria-hidden="true"
                style:left=move || format!("{}px", at(|m| m.at.0) as i32)
                style:top=move || format!("{}px", at(|m| m.at.1) as i32)
            >
                {rummy.pack.with_value(|pack| ui::playing_card(pack, face))}
                {(count > 1).then(|| view! { <span class="badge">{count}</span> })}
            </div>
        })}
    }
}
