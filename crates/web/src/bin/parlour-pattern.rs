//! What shows a match of Set and its variants.

use leptos::prelude::AnyView;
use wasm_split_helpers::{SplitLoaderError, wasm_split};
use web::{Later, Loader, Pattern};

/// The part of the program that is loaded when it is needed.
#[wasm_split(later, fallible, preload(fetch))]
fn load(part: Later<Pattern>) -> Result<AnyView, SplitLoaderError> {
    Ok(web::show(part))
}

fn main() {
    web::pattern(Loader { load: |part| Box::pin(load(part)), fetch: || Box::pin(fetch()) });
}
