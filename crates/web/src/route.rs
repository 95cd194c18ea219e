//! Where in the app we are: paths of this site, without reloading.

use crate::dom;
use leptos::{ev, prelude::*};
use wasm_bindgen::JsCast;

/// A page of the app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Route {
    /// Tables to join, a table to open.
    Lobby,
    /// Options for a new table of this game.
    New(String),
    /// A table, by its id; the invite link leads here.
    Table(String),
    /// Takes one's seat on this device, by a link made on another.
    Device(String),
    /// Games this guest has played.
    Games,
    /// A finished game, move by move.
    Replay(String),
    /// The games and their rules.
    Rules,
    /// The rule sheet of a game.
    RuleSheet(String),
    /// House rules: new ones if the code is empty, else those of a code.
    House(String),
    /// The games of today.
    Today,
    /// The games of another day, by its date.
    Day(String),
    /// Set, learnt step by step.
    Learn,
    /// A board to practise finding Sets on.
    Practice,
    /// Preferences.
    Settings,
    /// What this is.
    About,
    /// All artwork side by side.
    Gallery,
    /// A match inside the browser, to look at a game's screen with, for so many players.
    Demo(String, Option<u8>),
    /// The odds that some cards hold a Set.
    Odds,
    /// The mathematics of the cards, and the explorer of caps.
    Maths,
    /// No page of ours.
    Nowhere,
}

impl Route {
    /// The page at a path.
    #[must_use]
    pub fn from_path(path: &str) -> Route {
        let parts: Vec<&str> = path.split('/').filter(|p| !p.is_empty()).collect();
        match parts.as_slice() {
            [] => Route::Lobby,
            ["new", game] => Route::New((*game).to_owned()),
            ["table", id] => Route::Table((*id).to_owned()),
            ["device", token] => Route::Device((*token).to_owned()),
            ["games"] => Route::Games,
            ["games", id] => Route::Replay((*id).to_owned()),
            ["rules"] => Route::Rules,
            ["rules", game] => Route::RuleSheet((*game).to_owned()),
            ["house"] => Route::House(String::new()),
            ["house", code] => Route::House((*code).to_owned()),
            ["today"] => Route::Today,
            ["today", date] => Route::Day((*date).to_owned()),
            ["learn"] => Route::Learn,
            ["practice"] => Route::Practice,
            ["settings"] => Route::Settings,
            ["about"] => Route::About,
            ["gallery"] => Route::Gallery,
            ["gallery", game] => Route::Demo((*game).to_owned(), None),
            ["gallery", game, seats] if seats.parse::<u8>().is_ok() => {
                Route::Demo((*game).to_owned(), seats.parse().ok())
            }
            ["odds"] => Route::Odds,
            ["maths"] => Route::Maths,
            _ => Route::Nowhere,
        }
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> String {
        match self {
            Route::Lobby | Route::Nowhere => "/".into(),
            Route::New(game) => format!("/new/{game}"),
            Route::Table(id) => format!("/table/{id}"),
            Route::Device(token) => format!("/device/{token}"),
            Route::Games => "/games".into(),
            Route::Replay(id) => format!("/games/{id}"),
            Route::Rules => "/rules".into(),
            Route::RuleSheet(game) => format!("/rules/{game}"),
            Route::House(code) if code.is_empty() => "/house".into(),
            Route::House(code) => format!("/house/{code}"),
            Route::Today => "/today".into(),
            Route::Day(date) => format!("/today/{date}"),
            Route::Learn => "/learn".into(),
            Route::Practice => "/practice".into(),
            Route::Settings => "/settings".into(),
            Route::About => "/about".into(),
            Route::Gallery => "/gallery".into(),
            Route::Demo(game, None) => format!("/gallery/{game}"),
            Route::Demo(game, Some(seats)) => format!("/gallery/{game}/{seats}"),
            Route::Odds => "/odds".into(),
            Route::Maths => "/maths".into(),
        }
    }
}

#[derive(Clone, Copy)]
struct Here(RwSignal<Route>);

/// Watches the address and the links of the page.
pub fn provide() -> RwSignal<Route> {
    let here = RwSignal::new(Route::from_path(&dom::path()));
    provide_context(Here(here));
    window_event_listener(ev::popstate, move |_| here.set(Route::from_path(&dom::path())));
    window_event_listener(ev::click, move |event| {
        if event.default_prevented()
            || event.button() != 0
            || event.meta_key()
            || event.ctrl_key()
            || event.shift_key()
        {
            return;
        }
        let Some(link) = event
            .target()
            .and_then(|t| t.dyn_into::<web_sys::Element>().ok())
            .and_then(|e| e.closest("a[href^='/']").ok().flatten())
        else {
            return;
        };
        let href = link.get_attribute("href").unwrap_or_default();
        if link.has_attribute("download")
            || link.has_attribute("target")
            || href.starts_with("/api")
            || href.starts_with("/print")
        {
            return;
        }
        event.prevent_default();
        go(here, &href);
    });
    here
}

fn go(here: RwSignal<Route>, path: &str) {
    dom::push_path(path);
    here.set(Route::from_path(path));
    dom::scroll_to_top();
    // Keyboard and screen reader begin where the new page begins.
    dom::after(30, || dom::focus("#main"));
}

/// A function that opens a page.
pub fn navigator() -> impl Fn(Route) + Copy + Send + Sync + 'static {
    let Here(here) = expect_context();
    move |route: Route| go(here, &route.path())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_round_trip() {
        for path in [
            "/",
            "/table/abc",
            "/device/x",
            "/new/quick",
            "/games",
            "/games/7",
            "/rules",
            "/rules/contract",
            "/house",
            "/house/PARLOUR1-0123AB",
            "/today",
            "/today/2026-01-31",
            "/learn",
            "/practice",
            "/settings",
            "/about",
            "/gallery/contract",
            "/gallery/contract/8",
            "/odds",
            "/maths",
        ] {
            assert_eq!(Route::from_path(path).path(), path);
        }
        assert_eq!(Route::from_path("/table/abc/extra"), Route::Nowhere);
    }
}
