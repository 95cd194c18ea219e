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

impl Route {
    /// Whether the page shows a match: these are a program of their own (see `static/boot.js`).
    #[must_use]
    pub fn is_match(&self) -> bool {
        matches!(self, Route::Table(_) | Route::Replay(_) | Route::Demo(..))
    }
}

#[derive(Clone, Copy)]
struct Here {
    route: RwSignal<Route>,
    /// Whether this program is the one that shows matches.
    matches: bool,
}

/// Watches the address and the links of the page, in the program that shows matches or in the other.
pub fn provide(matches: bool) -> RwSignal<Route> {
    let route = RwSignal::new(Route::from_path(&dom::path()));
    let here = Here { route, matches };
    provide_context(here);
    window_event_listener(ev::popstate, move |_| route.set(Route::from_path(&dom::path())));
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
    route
}

fn go(here: Here, path: &str) {
    let route = Route::from_path(path);
    if route.is_match() != here.matches {
        return dom::open_path(path);
    }
    dom::push_path(path);
    here.route.set(route);
    dom::scroll_to_top();
    // Keyboard and screen reader begin where the new page begins.
    dom::after(30, || dom::focus("#main"));
}

/// A function that opens a page.
pub fn navigator() -> impl Fn(Route) + Copy + Send + Sync + 'static {
    let here: Here = expect_context();
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

    /// The script that chooses the program must choose the one that has the page.
    #[test]
    fn matches_are_told_from_pages_as_the_boot_script_does() {
        let script = include_str!("../static/boot.js");
        assert!(script.contains(r"/^\/(table|games|gallery)\/./"), "it asks this");
        let chosen = |path: &str| {
            ["/table/", "/games/", "/gallery/"].iter().any(|p| path.len() > p.len() && path.starts_with(p))
        };
        for path in [
            "/",
            "/table/x",
            "/device/x",
            "/games",
            "/games/x",
            "/gallery",
            "/gallery/quick",
            "/gallery/quick/3",
        ] {
            assert_eq!(Route::from_path(path).is_match(), chosen(path), "{path}");
        }
    }
}
