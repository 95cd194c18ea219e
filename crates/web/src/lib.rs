//! The browser app: Leptos, rendered by the browser alone, with the engine inside.
//!
//! The app never holds the truth of an online match: it holds this viewer's [`game::View`], kept up to date by
//! `wire::client` from the server's frames, and draws it. What it judges itself (is this a run?) is advice; the server
//! judges what counts.
//!
//! It is two programs from one source: [`parlour`], the pages, and [`table`], whatever shows a match. `static/boot.js` loads
//! the one that the address asks for, so who only looks in loads half.

#![allow(
    missing_docs,
    reason = "components are named after what they show; their macros generate undocumented items"
)]

mod api;
mod app;
mod art;
mod beside;
mod desk;
mod dom;
mod games;
mod lang;
mod latest;
mod list;
mod live;
mod markdown;
mod pages;
mod prefs;
mod route;
mod screens;
mod ui;

/// Opens the pages: the lobby, a new table, rules, settings and all the rest.
pub fn parlour() {
    lang::with_pages();
    // The executor of the framework is not there before something is mounted.
    wasm_bindgen_futures::spawn_local(async {
        // Nothing can be offered before the server has said what there is.
        while games::fetch().await.is_err() {
            dom::sleep(2_000).await;
        }
        leptos::mount::mount_to_body(|| app::app(pages::PARLOUR));
    });
}

/// Opens what shows a match: a table, a replay, a demonstration.
pub fn table() {
    leptos::mount::mount_to_body(|| app::app(pages::TABLE));
}
