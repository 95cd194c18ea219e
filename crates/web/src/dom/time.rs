//! When something is done: after a while, before the next picture.

use super::window;
use wasm_bindgen::prelude::*;
use wasm_bindgen::{JsCast, JsValue};

/// Milliseconds of the browser's steady clock.
#[must_use]
pub fn now() -> f64 {
    window().and_then(|w| w.performance()).map_or(0.0, |p| p.now())
}

/// Runs `then` once after `millis`.
pub fn after(millis: i32, then: impl FnOnce() + 'static) {
    if let Some(window) = window() {
        let callback = Closure::once_into_js(then);
        let _ =
            window.set_timeout_with_callback_and_timeout_and_arguments_0(callback.unchecked_ref(), millis);
    }
}

/// Waits for `millis`.
pub async fn sleep(millis: i32) {
    let waited = js_sys::Promise::new(&mut |resolve, _| {
        if let Some(window) = window() {
            let _ = window.set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, millis);
        }
    });
    let _ = wasm_bindgen_futures::JsFuture::from(waited).await;
}

/// Lets the browser answer and draw what waits for that, before a piece of work that takes a slow device long.
pub async fn turn() {
    sleep(0).await;
}

/// Runs `then` before the next picture is drawn.
pub fn next_frame(then: impl FnOnce() + 'static) {
    if let Some(window) = window() {
        let callback = Closure::once_into_js(move |_: JsValue| then());
        let _ = window.request_animation_frame(callback.unchecked_ref());
    }
}
