//! The glue between [`worker::Worker`] and [`home::Home`] and a Web Worker, which does for one page what one of them does.

#[cfg(target_family = "wasm")]
mod glue {
    use home::Home;
    use std::cell::RefCell;
    use wasm_bindgen::prelude::*;

    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_name = postMessage)]
        fn post_message(message: &JsValue);
        #[wasm_bindgen(js_name = addEventListener)]
        fn add_event_listener(kind: &str, listener: &js_sys::Function);
        #[wasm_bindgen(thread_local_v2, js_name = name)]
        static NAME: String;
        #[wasm_bindgen(js_namespace = crypto, js_name = getRandomValues)]
        fn get_random_values(bytes: &mut [u8]);
    }

    thread_local! {
        static HOME: RefCell<Home> = RefCell::new(Home::new(Box::new(|| {
            let mut bytes = [0; 32];
            get_random_values(&mut bytes);
            bytes
        })));
    }

    /// What the page of a table of this device tells, and what is to be done about it, as JSON: see `home.js`.
    #[wasm_bindgen]
    pub fn turn(told: &str) -> String {
        HOME.with_borrow_mut(|home| home.turn_text(told))
    }

    /// Listens for questions, and says with an empty message that it does: what is posted before is lost. A worker with a name
    /// is a table.
    pub fn listen() {
        if !NAME.with(String::is_empty) {
            return;
        }
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
