//! Lines to tables, of a server or of this device, and what this device keeps of them.

use super::{forget, load, store, window};
use serde::Serialize;
use wasm_bindgen::JsValue;

/// What leads to a table: of a server (`line.js`), or of this device, as a socket leads to one of a server (`home.js`).
mod lines {
    use wasm_bindgen::prelude::*;

    #[wasm_bindgen(js_namespace = parlour)]
    extern "C" {
        #[wasm_bindgen(catch)]
        pub fn line(url: &str) -> Result<web_sys::WebSocket, JsValue>;
        #[wasm_bindgen(catch)]
        pub fn home(name: &str) -> Result<web_sys::WebSocket, JsValue>;
        pub async fn summary() -> JsValue;
        pub async fn record(id: &str) -> JsValue;
        #[wasm_bindgen(catch)]
        pub async fn keep() -> Result<JsValue, JsValue>;
        #[wasm_bindgen(catch)]
        pub async fn forget() -> Result<JsValue, JsValue>;
    }
}

/// The line to the table of a server: the one that was asked for while the program came, or a new one. It may be open already.
///
/// # Errors
/// No socket leads to such an address.
pub fn line(url: &str) -> Result<web_sys::WebSocket, JsValue> {
    lines::line(url)
}

/// Opens the table of this device of this name: what was put down for it with [`want_at_home`], or what it was.
///
/// # Errors
/// This browser has no workers.
pub fn home_line(name: &str) -> Result<web_sys::WebSocket, JsValue> {
    lines::home(name)
}

/// What is played at the table of this device (a `TableSummary`), once it is open.
pub async fn home_summary() -> String {
    lines::summary().await.as_string().unwrap_or_default()
}

/// The record of a match of a table of this device: what the browser keeps of it.
pub async fn record_at_home(id: &str) -> String {
    lines::record(id).await.as_string().unwrap_or_default()
}

/// Where it is put down what the table of this device is to be opened with, and what is played there.
fn at_home_key(name: &str, on: bool) -> String {
    format!("parlour.home.{name}{}", if on { ".on" } else { "" })
}

/// Puts down what the table of this device of this name is to be opened with (a `home::Wanted`).
pub fn want_at_home<T: Serialize>(name: &str, wanted: &T) {
    store(&at_home_key(name, false), wanted);
}

/// Puts down the title of the match that goes on at the table of this device; none once it is over.
pub fn goes_on_at_home(name: &str, title: Option<&str>) {
    match title {
        Some(title) => store(&at_home_key(name, true), &title),
        None => forget(&at_home_key(name, true)),
    }
}

/// The title of the match that goes on there.
#[must_use]
pub fn on_at_home(name: &str) -> Option<String> {
    load(&at_home_key(name, true))
}

/// Forgets what this device keeps of whoever plays here: their name, and the tables of this device.
pub async fn forget_at_home() {
    for name in ["pattern", "contract"] {
        forget(&at_home_key(name, false));
        forget(&at_home_key(name, true));
    }
    let _ = lines::forget().await;
}

/// Whether the browser could keep the app: it does where nobody on the way can change it.
#[must_use]
pub fn may_keep_app() -> bool {
    window().is_some_and(|window| window.is_secure_context())
}

/// Keeps the app on this device, so that it opens without a network. False if the browser will not.
pub async fn keep_app() -> bool {
    lines::keep().await.is_ok_and(|kept| kept.is_truthy())
}
