//! The glue between [`worker::Worker`] and a Web Worker's messages.

#[cfg(target_family = "wasm")]
mod glue {
    use std::cell::RefCell;
    use wasm_bindgen::prelude::*;

    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_name = postMessage)]
        fn post_message(message: &JsValue);
        #[wasm_bindgen(js_name = addEventListener)]
        fn add_event_listener(kind: &str, listener: &js_sys::Function);
    }

    /// Listens for questions, and says with an empty message that it does: what is posted before is lost.
    pub fn listen() {
        let worker = RefCell::new(worker::Worker::default());
        let listener = Closure::<dyn Fn(JsValue)>::new(move |event: JsValue| {
            let data = js_sys::Reflect::get(&event, &"data".into()).ok().and_then(|data| data.as_string());
            let answer = worker.borrow_mut().answer_text(&data.unwrap_or_default());
            post_message(&answer.into());
        });
        add_event_listener("message", listener.as_ref().unchecked_ref());
        listener.forget();
        post_message(&"".into());
    }
}

fn main() {
    #[cfg(target_family = "wasm")]
    glue::listen();
    #[cfg(not(target_family = "wasm"))]
    eprintln!("This part of the app runs in a browser.");
}
