//! The browser's own facilities, each in one small function. Here is what concerns the page as it stands.

mod address;
mod ahead;
mod ask;
mod device;
mod keyboard;
mod movement;
mod pointer;
mod sound;
mod speech;
mod storage;
mod texts;
mod time;

pub use address::*;
pub use ahead::*;
pub use ask::*;
pub use device::*;
pub use keyboard::*;
pub use movement::*;
pub use pointer::*;
pub use sound::*;
pub use speech::*;
pub use storage::*;
pub use texts::*;
pub use time::*;
use wasm_bindgen::{JsCast, JsValue};

fn window() -> Option<web_sys::Window> {
    web_sys::window()
}

fn document() -> Option<web_sys::Document> {
    window()?.document()
}

/// The first element a selector finds.
#[must_use]
pub fn find(selector: &str) -> Option<web_sys::HtmlElement> {
    document()?.query_selector(selector).ok()??.dyn_into().ok()
}

/// The elements a selector finds.
fn all(selector: &str) -> Vec<web_sys::Element> {
    let Some(list) = document().and_then(|d| d.query_selector_all(selector).ok()) else { return Vec::new() };
    (0..list.length()).filter_map(|i| list.item(i)?.dyn_into().ok()).collect()
}

/// The element with this id.
#[must_use]
pub fn by_id(id: &str) -> Option<web_sys::HtmlElement> {
    document()?.get_element_by_id(id)?.dyn_into().ok()
}

/// What the page's `<meta name>` says.
#[must_use]
pub fn meta(name: &str) -> Option<String> {
    find(&format!("meta[name='{name}']"))?.get_attribute("content")
}

/// Puts a copy of the first element of this selector into another element.
pub fn copy_into(element: &web_sys::Element, selector: &str) {
    let found = document().and_then(|d| d.query_selector(selector).ok().flatten());
    if let Some(copy) = found.and_then(|found| found.clone_node_with_deep(true).ok()) {
        let _ = element.append_child(&copy);
    }
}

/// The attributes of the page that say how everything looks, with their values.
#[must_use]
pub fn looks() -> Vec<(String, String)> {
    let Some(root) = document().and_then(|d| d.document_element()) else { return Vec::new() };
    let named = |name: JsValue| {
        let name = name.as_string().filter(|name| name.starts_with("data-"))?;
        let value = root.get_attribute(&name)?;
        Some((name, value))
    };
    root.get_attribute_names().iter().filter_map(named).collect()
}

/// Sets an attribute of `<html>`.
pub fn root_attribute(name: &str, value: &str) {
    if let Some(root) = document().and_then(|d| d.document_element()) {
        let _ = root.set_attribute(name, value);
    }
}

/// The title of the page.
pub fn set_title(title: &str) {
    if let Some(document) = document() {
        document.set_title(title);
    }
}

/// Whether the first element of this selector lies more than half a window below what is seen.
#[must_use]
pub fn is_far_below(selector: &str) -> bool {
    let found = document().and_then(|d| d.query_selector(selector).ok().flatten());
    let height = window().and_then(|w| w.inner_height().ok()?.as_f64());
    found.zip(height).is_some_and(|(found, height)| found.get_bounding_client_rect().top() > 1.5 * height)
}

/// Where the first element of this selector ends, in pixels from the top of the window; 0 if there is none.
#[must_use]
pub fn bottom_of(selector: &str) -> f64 {
    find(selector).map_or(0.0, |element| element.get_bounding_client_rect().bottom())
}

/// Scrolls to the top, where a new page begins.
pub fn scroll_to_top() {
    if let Some(window) = window() {
        window.scroll_to_with_x_and_y(0.0, 0.0);
    }
}

/// Scrolls a list so that one of the things in it that a selector finds is in sight; not at all if one is.
pub fn reveal(list: &str, selector: &str) {
    let (Some(list), Some(first)) = (find(list), find(selector)) else { return };
    let there = list.get_bounding_client_rect();
    let inside = all(selector).into_iter().any(|e| {
        let r = e.get_bounding_client_rect();
        r.top() >= there.top() && r.bottom() <= there.bottom()
    });
    if !inside {
        let by = first.get_bounding_client_rect().top() - there.top();
        list.set_scroll_top(list.scroll_top() + by as i32 - 8);
    }
}

/// Whether the page can be seen.
#[must_use]
pub fn visible() -> bool {
    document().is_none_or(|d| !d.hidden())
}

/// Runs `then` whenever the page is shown or hidden. The event is the document's; it does bubble to the window.
pub fn on_visibility(then: impl Fn() + 'static) -> leptos::prelude::WindowListenerHandle {
    leptos::prelude::window_event_listener_untyped("visibilitychange", move |_| then())
}

/// Random bytes from the browser's generator, which needs no secure context. None if the browser has none.
#[must_use]
pub fn random_bytes() -> Option<[u8; 32]> {
    let bytes = js_sys::Uint8Array::new_with_length(32);
    window()?.crypto().ok()?.get_random_values_with_js_u8_array(&bytes).ok()?;
    bytes.to_vec().try_into().ok()
}

/// What the browser says of itself: `what` of this part of its navigator; none where it does not say.
fn navigator_says(part: &str, what: &str) -> Option<bool> {
    let navigator = window()?.navigator();
    let part = js_sys::Reflect::get(&navigator, &part.into()).ok()?;
    js_sys::Reflect::get(&part, &what.into()).ok()?.as_bool()
}

fn object(fields: &[(&str, JsValue)]) -> JsValue {
    let object = js_sys::Object::new();
    for (key, value) in fields {
        let _ = js_sys::Reflect::set(&object, &JsValue::from_str(key), value);
    }
    object.into()
}
