//! The address of the page, and how one gets to another.

use super::window;
use std::cell::Cell;
use wasm_bindgen::JsValue;

/// Path of the address.
#[must_use]
pub fn path() -> String {
    window().and_then(|w| w.location().pathname().ok()).unwrap_or_default()
}

/// What the address says after the path under this name.
#[must_use]
pub fn query(name: &str) -> Option<String> {
    let search = window().and_then(|w| w.location().search().ok())?;
    let said = search.trim_start_matches('?').split('&').filter_map(|part| part.split_once('='));
    let (_, text) = said.into_iter().find(|(key, _)| *key == name)?;
    js_sys::decode_uri_component(&text.replace('+', " ")).ok().map(String::from)
}

/// The place in the page that the address names, with its `#`, if it names one.
#[must_use]
pub fn anchor() -> Option<String> {
    window()?.location().hash().ok().filter(|anchor| !anchor.is_empty())
}

/// Scheme, host and port: `http://127.0.0.1:7420`.
#[must_use]
pub fn origin() -> String {
    window().and_then(|w| w.location().origin().ok()).unwrap_or_default()
}

/// A text as an address holds it.
#[must_use]
pub fn in_address(text: &str) -> String {
    String::from(js_sys::encode_uri_component(text)).replace("%20", "+")
}

/// The address of a text that can be saved as a file: the text itself, as the page has it, in its language.
#[must_use]
pub fn text_file(text: &str) -> String {
    format!("data:text/markdown;charset=utf-8,{}", js_sys::encode_uri_component(text))
}

/// Puts a path into the address in place of the present one.
pub fn replace_path(path: &str) {
    if let Some(history) = window().and_then(|w| w.history().ok()) {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(path));
    }
}

/// Puts a path into the address without loading it.
pub fn push_path(path: &str) {
    if let Some(history) = window().and_then(|w| w.history().ok()) {
        let _ = history.push_state_with_url(&JsValue::NULL, "", Some(path));
    }
}

thread_local! {
    static DEPARTURES: Cell<u32> = const { Cell::new(0) };
}

/// How often somebody has left for another program; until that has come the page goes on.
#[must_use]
pub fn departures() -> u32 {
    DEPARTURES.get()
}

/// Leaves for a path that another program shows.
pub fn open_path(path: &str) {
    DEPARTURES.set(departures() + 1);
    if let Some(window) = window() {
        let _ = window.location().assign(path);
    }
}

/// Goes once more to that place.
pub fn to_anchor() {
    if let (Some(window), Some(anchor)) = (window(), anchor()) {
        let _ = window.location().replace(&anchor);
    }
}

/// Loads the page anew.
pub fn reload() {
    if let Some(window) = window() {
        let _ = window.location().reload();
    }
}
