//! Fingers and mice: what a press means, and where something is dropped.

use super::{all, document, window};
use std::cell::Cell;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;

/// Whether this is the beginning of a press that counts at once. What it does then is done: the click that ends it goes to nothing that
/// stands under the finger by then.
pub fn presses(event: &web_sys::PointerEvent) -> bool {
    let counts = event.button() == 0 && event.is_primary();
    if counts {
        hold_click();
    }
    counts
}

fn hold_click() {
    thread_local! {
        /// Whether the next click belongs to such a press. Whoever presses anew has ended it.
        static HELD: Cell<bool> = const { Cell::new(false) };
        static WATCHES: Cell<bool> = const { Cell::new(false) };
    }
    HELD.set(true);
    let Some(window) = window().filter(|_| !WATCHES.replace(true)) else { return };
    let watch = |event: &str, then: Closure<dyn FnMut(web_sys::UiEvent)>| {
        let _ = window.add_event_listener_with_callback_and_bool(event, then.as_ref().unchecked_ref(), true);
        // It is kept as long as the page.
        then.forget();
    };
    watch("pointerdown", Closure::new(|_| HELD.set(false)));
    watch(
        "click",
        Closure::new(|event: web_sys::UiEvent| {
            // Keys and programs count no clicks.
            if event.detail() > 0 && HELD.take() {
                event.stop_propagation();
                event.prevent_default();
            }
        }),
    );
}

/// Keeps a pointer's events with the element it came down on.
pub fn capture(event: &web_sys::PointerEvent) {
    if let Some(element) = event.current_target().and_then(|t| t.dyn_into::<web_sys::Element>().ok()) {
        let _ = element.set_pointer_capture(event.pointer_id());
    }
}

/// Pixels beside a target at which a drop still means it: a finger hides what it is over.
const NEAR: f64 = 36.0;

/// The `data-drop` of what lies under a point, else of what is nearest to it, if that is near.
#[must_use]
pub fn drop_target(at: (f64, f64)) -> Option<String> {
    let element = document()?.element_from_point(at.0 as f32, at.1 as f32)?;
    if let Some(under) = element.closest("[data-drop]").ok()? {
        return under.get_attribute("data-drop");
    }
    let mut near: Option<(f64, String)> = None;
    for element in all("[data-drop]") {
        let r = element.get_bounding_client_rect();
        let beside = |from: f64, to: f64, at: f64| (from - at).max(at - to).max(0.0);
        let far = beside(r.left(), r.right(), at.0).hypot(beside(r.top(), r.bottom(), at.1));
        if r.width() > 0.0 && far <= NEAR && near.as_ref().is_none_or(|(best, _)| far < *best) {
            near = element.get_attribute("data-drop").map(|name| (far, name));
        }
    }
    near.map(|(_, name)| name)
}

/// The card of the hand before which something dropped at a point belongs: the first in reading order whose middle lies
/// behind the point. Those that are being moved do not count.
#[must_use]
pub fn card_after(at: (f64, f64), moving: &[u32]) -> Option<u32> {
    all("[data-drop='hand'] [data-key]").into_iter().find_map(|element| {
        let key: u32 = element.get_attribute("data-key")?.parse().ok()?;
        let r = element.get_bounding_client_rect();
        let below = at.1 > r.bottom();
        let before = at.1 < r.top() || (!below && at.0 < r.left() + (r.width() / 2.0).min(24.0));
        (before && !moving.contains(&key)).then_some(key)
    })
}

/// Whether an event happened inside of what a selector finds.
#[must_use]
pub fn is_inside(event: &web_sys::Event, selector: &str) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    target.is_some_and(|element| element.closest(selector).is_ok_and(|found| found.is_some()))
}
