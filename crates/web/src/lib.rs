//! The browser app: Leptos, rendered by the browser alone, with the engine inside.
//!
//! The app never holds the truth of an online match: it holds this viewer's [`game::View`], kept up to date by
//! `wire::client` from the server's frames, and draws it. What a view says may be done is advice; the server judges
//! what counts.
//!
//! It is several programs from one source, and the server sends each page with the one that shows it
//! (`wire::route::Program`): [`lobby`], [`library`], and for whatever shows a match [`pattern`] or [`contract`]. So who only
//! looks in loads no table, and a table of one family nothing of the other.

#![allow(
    missing_docs,
    reason = "components are named after what they show; their macros generate undocumented items"
)]

mod api;
mod app;
mod art;
mod desk;
mod dom;
mod feel;
mod games;
mod handover;
mod lang;
mod later;
mod latest;
mod live;
mod pages;
mod prefs;
mod route;
mod scene;
mod screens;
mod soon;
mod ui;
mod worker_client;

use leptos::prelude::provide_context;
use pages::Pages;

pub use later::{Later, Loader, Loading, LookLoader, PageLoader, show};
pub use pages::first::{Dealt, Look, look};
pub use pages::{beside_lobby, learn, read, reckon, write};
pub use route::Route;
pub use screens::{Contract, Family, Pattern};
pub use wire::route::Part;

/// Opens what leads to a table: the lobby, a new table, the games of the day.
pub fn lobby(others: PageLoader, look: LookLoader) {
    open_with_games(pages::LOBBY, others, move || provide_context(look));
}

/// Opens what is read and learnt: rules, house rules, the tutorial, odds.
pub fn library(pages: PageLoader) {
    open_with_games(pages::LIBRARY, pages, || {});
}

/// Opens what shows a match of Set and its variants: a table, a replay, a demonstration.
pub fn pattern(rest: Loader<Pattern>) {
    open(pages::PATTERN, move || provide_context(rest));
}

/// Opens what shows a match of Contract Rummy and its variants.
pub fn contract(rest: Loader<Contract>) {
    open(pages::CONTRACT, move || provide_context(rest));
}

/// Opens pages as soon as there are words for them.
fn open(pages: Pages, provide: impl FnOnce() + 'static) {
    // The executor of the framework is not there before something is mounted.
    wasm_bindgen_futures::spawn_local(async move {
        lang::speak(dom::words().await);
        dom::turn().await;
        mount(pages, provide);
    });
}

/// Opens pages on which games are offered.
fn open_with_games(pages: Pages, later: PageLoader, provide: impl FnOnce() + 'static) {
    let route = Route::from_path(&dom::path());
    if route.part().is_some() {
        // It is on its way while words and games are; if it does not come, the page says so.
        wasm_bindgen_futures::spawn_local(async move { drop((later.ahead)(&route).await) });
    }
    wasm_bindgen_futures::spawn_local(async move {
        lang::speak(dom::words().await);
        dom::turn().await;
        // Nothing can be offered before the server has said what there is.
        while games::fetch().await.is_err() {
            dom::sleep(2_000).await;
        }
        dom::turn().await;
        mount(pages, move || {
            provide_context(later);
            provide();
            later::fetch_pages_soon();
        });
    });
}

fn mount(pages: Pages, provide: impl FnOnce() + 'static) {
    leptos::mount::mount_to_body(move || {
        provide();
        app::app(pages)
    });
}
