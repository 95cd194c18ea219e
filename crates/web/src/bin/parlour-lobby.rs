//! What leads to a table.

use leptos::prelude::{AnyView, RwSignal};
use wasm_split_helpers::{SplitLoaderError, wasm_split};
use web::{Dealt, Look, LookLoader, PageLoader, Route};

/// The pages that are loaded when somebody goes to one of them.
#[wasm_split(page, fallible, preload(fetch))]
fn open(route: Route) -> Result<AnyView, SplitLoaderError> {
    Ok(web::beside_lobby(route))
}

/// What looks at a table before that one's program is here.
#[wasm_split(first, fallible, preload(fetch_first))]
fn look(table: String, shown: RwSignal<Option<Dealt>>) -> Result<Option<Look>, SplitLoaderError> {
    Ok(web::look(&table, shown))
}

fn main() {
    let pages = PageLoader {
        load: |route| Box::pin(open(route)),
        ahead: |_| Box::pin(fetch()),
        fetch: || Box::pin(fetch()),
    };
    let look =
        LookLoader { look: |table, shown| Box::pin(look(table, shown)), fetch: || Box::pin(fetch_first()) };
    web::lobby(pages, look);
}
