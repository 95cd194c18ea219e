//! The glue between [`home::Home`] and `browser.js`, which has the messages, the clock and the storage of a Web Worker.

#[cfg(target_family = "wasm")]
mod glue {
    use home::Home;
    use std::cell::RefCell;
    use wasm_bindgen::prelude::*;

    #[wasm_bindgen]
    extern "C" {
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

    /// What the page tells, and what is to be done about it, as JSON.
    #[wasm_bindgen]
    pub fn turn(told: &str) -> String {
        HOME.with_borrow_mut(|home| home.turn_text(told))
    }
}

fn main() {
    #[cfg(not(target_family = "wasm"))]
    eprintln!("This part of the app runs in a browser.");
}
