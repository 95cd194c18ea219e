//! What shows a match of Contract Rummy and its variants.

use leptos::prelude::AnyView;
use wasm_split_helpers::{SplitLoaderError, wasm_split};
use web::{Contract, Family, Later, Loader};

/// The part of the program that is loaded when it is needed.
#[wasm_split(later, fallible, preload(fetch))]
fn load(part: Later<Contract>) -> Result<AnyView, SplitLoaderError> {
    Ok(web::show(part))
}

/// The screens that are not there at once.
#[wasm_split(screen, fallible, preload(fetch_screen))]
fn open(opening: <Contract as Family>::Opening) -> Result<AnyView, SplitLoaderError> {
    Ok(Contract::open(opening))
}

/// All of both.
async fn rest() -> Result<(), SplitLoaderError> {
    fetch_screen().await?;
    fetch().await
}

fn main() {
    web::contract(Loader {
        load: |part| Box::pin(load(part)),
        screen: |opening| Box::pin(open(opening)),
        fetch: || Box::pin(rest()),
    });
}
