//! Where the keyboard is, and where it goes.

use super::{document, find, object};
use wasm_bindgen::prelude::*;
use wasm_bindgen::{JsCast, JsValue};

/// Whether the keyboard is in a field that takes text, so that letters are no commands.
#[must_use]
pub fn typing() -> bool {
    document().and_then(|d| d.active_element()).is_some_and(|e| {
        matches!(e.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT")
            && !matches!(e.get_attribute("type").as_deref(), Some("checkbox" | "radio" | "range" | "button"))
    })
}

/// Moves the keyboard to the first element a selector finds.
pub fn focus(selector: &str) {
    if let Some(element) = find(selector) {
        let _ = element.focus();
    }
}

/// Moves the keyboard to the next or the last card beside an element.
pub fn focus_sibling(element: &web_sys::HtmlElement, by: i32) {
    let next = if by > 0 { element.next_element_sibling() } else { element.previous_element_sibling() };
    if let Some(next) = next.and_then(|e| e.dyn_into::<web_sys::HtmlElement>().ok()) {
        let _ = next.focus();
    }
}

#[wasm_bindgen]
extern "C" {
    type MutationObserver;
    #[wasm_bindgen(constructor)]
    fn new(seen: &JsValue) -> MutationObserver;
    #[wasm_bindgen(method)]
    fn observe(this: &MutationObserver, target: &JsValue, options: &JsValue);
}

/// What can have the keyboard, where it goes when what had it has gone.
const FOCUSABLE: &str = "button:not(:disabled), a[href], input:not(:disabled), select:not(:disabled)";

/// Keeps the keyboard where it was: if what has it is taken away, what is nearest gets it, and cards before buttons
/// (`data-home`); the page as a whole if a large part of it has changed (`data-rest`). Else it would begin anew at the top.
pub fn keep_focus() {
    type Chain = Vec<web_sys::Element>;
    thread_local! {
        /// What has the keyboard, and what that stands in, from the inside out.
        static HAS: std::cell::RefCell<Chain> = const { std::cell::RefCell::new(Vec::new()) };
    }
    let came = leptos::prelude::window_event_listener_untyped("focusin", |event| {
        let mut next = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
        let mut chain = Vec::new();
        while let Some(element) = next {
            next = element.parent_element();
            chain.push(element);
        }
        HAS.set(chain);
    });
    // It is kept as long as the page.
    std::mem::forget(came);
    let seen = Closure::<dyn FnMut()>::new(|| {
        let lost = document().and_then(|d| d.active_element()).is_none_or(|e| e.tag_name() == "BODY");
        // It is asked with every change of the page, and has almost always been kept.
        if !lost || HAS.with_borrow(|chain| chain.first().is_none_or(|had| had.is_connected())) {
            return;
        }
        let chain = HAS.with_borrow(Vec::clone);
        let same =
            chain[0].get_attribute("data-testid").map(|id| format!("[data-testid='{id}']:not(:disabled)"));
        for place in chain.into_iter().filter(|place| place.is_connected()) {
            let found = |selector: &str| place.query_selector(selector).ok().flatten();
            let next = if place.has_attribute("data-rest") {
                document().and_then(|d| d.get_element_by_id("main"))
            } else {
                let same = same.as_deref().and_then(found);
                same.or_else(|| found("[data-home]")).or_else(|| found(FOCUSABLE))
            };
            if let Some(next) = next.and_then(|next| next.dyn_into::<web_sys::HtmlElement>().ok()) {
                let options = object(&[("preventScroll", true.into())]);
                let _ = js_sys::Reflect::get(&next, &"focus".into())
                    .and_then(|focus| focus.unchecked_into::<js_sys::Function>().call1(&next, &options));
                return;
            }
        }
    });
    if let Some(body) = document().and_then(|d| d.body()) {
        let options = object(&[("childList", true.into()), ("subtree", true.into())]);
        MutationObserver::new(seen.as_ref()).observe(&body, &options);
    }
    seen.forget();
}
