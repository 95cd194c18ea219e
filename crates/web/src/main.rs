//! The browser app: Leptos, rendered by the browser alone, with the engine inside.
//!
//! The app never holds the truth of an online match: it holds this viewer's [`game::View`], kept up to date by
//! `wire::client` from the server's frames, and draws it. What it judges itself (is this a run?) is advice; the server
//! judges what counts.

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
mod live;
mod markdown;
mod pages;
mod prefs;
mod route;
mod screens;
mod ui;

fn main() {
    // The executor of the framework is not there before something is mounted.
    wasm_bindgen_futures::spawn_local(async {
        // Nothing can be offered before the server has said what there is.
        while games::fetch().await.is_err() {
            dom::sleep(2_000).await;
        }
        leptos::mount::mount_to_body(app::App);
    });
}
