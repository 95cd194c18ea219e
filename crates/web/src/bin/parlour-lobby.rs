//! What leads to a table.

use leptos::prelude::AnyView;
use wasm_split_helpers::{SplitLoaderError, wasm_split};
use web::{PageLoader, Route};

/// The pages that are loaded when somebody goes to one of them.
#[wasm_split(page, fallible, preload(fetch))]
fn open(route: Route) -> Result<AnyView, SplitLoaderError> {
    Ok(web::beside_lobby(route))
}

fn main() {
    web::lobby(PageLoader {
        load: |route| Box::pin(open(route)),
        ahead: |_| Box::pin(fetch()),
        fetch: || Box::pin(fetch()),
    });
}
