//! What shows a match of Contract Rummy and its variants.

use leptos::prelude::AnyView;
use wasm_split_helpers::{SplitLoaderError, wasm_split};
use web::{Contract, Later, Loader};

/// The part of the program that is loaded when it is needed.
#[wasm_split(later, fallible, preload(fetch))]
fn load(part: Later<Contract>) -> Result<AnyView, SplitLoaderError> {
    Ok(web::show(part))
}

fn main() {
    web::contract(Loader { load: |part| Box::pin(load(part)), fetch: || Box::pin(fetch()) });
}
