//! Where in the app we are: paths of this site, without reloading where the same program shows the next page.

use crate::{dom, soon};
use leptos::{ev, prelude::*};
use wasm_bindgen::JsCast;
use wire::route::Program;
pub use wire::route::Route;

#[derive(Clone, Copy)]
struct Here {
    route: RwSignal<Route>,
    /// The program that runs.
    program: Program,
}

/// Watches the address and the links of the page in a program.
pub fn provide(program: Program) -> RwSignal<Route> {
    let route = RwSignal::new(Route::from_path(&dom::path()));
    if dom::anchor().is_some() {
        soon::at_once();
    }
    soon::provide();
    let here = Here { route, program };
    provide_context(here);
    window_event_listener(ev::popstate, move |_| {
        // Whoever goes to another place in the same page stays on it.
        let now = Route::from_path(&dom::path());
        if route.with_untracked(|route| *route != now) {
            // The browser goes to where one was as soon as this is over.
            soon::at_once();
            route.set(now);
        } else if soon::all_now() {
            // It was not there yet.
            dom::after(0, dom::to_anchor);
        }
    });
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
    // What a page is asked, and where in it, is the page's own.
    let (plain, place) =
        path.split_once('#').map_or((path, None), |(plain, place)| (plain, Some(place.to_owned())));
    let route = Route::from_path(plain.split('?').next().unwrap_or_default());
    // Another program comes with its page; and which of them shows a match, the server knows.
    if route.program() != here.program || here.program == Program::Match {
        return dom::open_path(path);
    }
    dom::push_path(path);
    if place.is_some() {
        soon::at_once();
    }
    here.route.set(route);
    dom::scroll_to_top();
    // Keyboard and screen reader begin where the new page begins.
    dom::after(30, move || {
        dom::focus("#main");
        if let Some(place) = place.and_then(|place| dom::by_id(&place)) {
            place.scroll_into_view();
        }
    });
}

/// A function that opens a page.
pub fn navigator() -> impl Fn(Route) + Copy + Send + Sync + 'static {
    let here: Here = expect_context();
    move |route: Route| go(here, &route.path())
}

#[cfg(test)]
mod tests {
    use wire::route::Part;

    /// The server sends a page that names its part, which is there only if a program divides it off under that name.
    #[test]
    fn every_part_that_a_page_begins_with_is_divided_off() {
        let source = concat!(
            include_str!("bin/parlour-lobby.rs"),
            include_str!("bin/parlour-library.rs"),
            include_str!("later.rs")
        );
        for part in Part::ALL.map(Part::name) {
            let found = [format!("#[wasm_split({part},"), format!("part!({part});")]
                .iter()
                .any(|mark| source.contains(mark.as_str()));
            assert!(found, "no program divides off {part}");
        }
    }
}
