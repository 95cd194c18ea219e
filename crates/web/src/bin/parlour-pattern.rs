//! What shows a match of Set and its variants.

use leptos::prelude::AnyView;
use wasm_split_helpers::{SplitLoaderError, wasm_split};
use web::{Family, Later, Loader, Pattern};

/// The part of the program that is loaded when it is needed.
#[wasm_split(later, fallible, preload(fetch))]
fn load(part: Later<Pattern>) -> Result<AnyView, SplitLoaderError> {
    Ok(web::show(part))
}

/// The screens that are not there at once.
#[wasm_split(screen, fallible, preload(fetch_screen))]
fn open(opening: <Pattern as Family>::Opening) -> Result<AnyView, SplitLoaderError> {
    Ok(Pattern::open(opening))
}

/// All of both.
async fn rest() -> Result<(), SplitLoaderError> {
    fetch_screen().await?;
    fetch().await
}

fn main() {
    web::pattern(Loader {
        load: |part| Box::pin(load(part)),
        screen: |opening| Box::pin(open(opening)),
        fetch: || Box::pin(rest()),
    });
}
