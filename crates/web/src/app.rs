//! The frame around every page: header, navigation, messages; and which page is shown.

use crate::pages::Pages;
use crate::prefs::{self, Theme};
use crate::route::{self, Route};
use crate::soon::below;
use crate::{art, dom, t, ui};
use leptos::prelude::*;

/// The frame, with the pages of one program in it.
pub fn app(pages: Pages) -> impl IntoView {
    let prefs = prefs::provide();
    let here = route::provide(pages.program);
    ui::provide_voice();
    crate::api::provide();
    dom::keep_focus();
    if let Some(boot) = dom::by_id("boot") {
        boot.remove();
    }
    // A page says itself where it is; this is for those that do not change.
    Effect::new(move || {
        let name = match here.get() {
            Route::Table(_) | Route::Home(_) => return,
            Route::Device(_) => t!("device.title"),
            Route::Lobby => t!("nav.lobby"),
            Route::New(_) => t!("new.title_short"),
            Route::Games => t!("nav.games"),
            Route::Replay(_) => t!("replay.title"),
            Route::Rules | Route::RuleSheet(_) | Route::Rulebook(_) => t!("nav.rules"),
            Route::House(_) => t!("house.title"),
            Route::Today | Route::Day(_) => t!("today.title"),
            Route::Learn => t!("learn.title"),
            Route::Practice => t!("practice.title"),
            Route::Strategy(_) => t!("strategy.title"),
            Route::Settings => t!("nav.settings"),
            Route::About => t!("nav.about"),
            Route::Gallery | Route::Demo(..) => t!("gallery.title"),
            Route::Odds => t!("odds.title"),
            Route::Maths => t!("maths.title"),
            Route::Solve(_) => t!("solve.title"),
            Route::Nowhere => t!("nowhere.title"),
        };
        dom::set_title(&format!("{name} · Parlour"));
    });
    let at_table = Memo::new(move |_| {
        matches!(here.get(), Route::Table(_) | Route::Home(_) | Route::Demo(..) | Route::Replay(_))
    });
    let theme = move |_| {
        prefs.update(|p| {
            p.theme = match p.theme {
                Theme::Auto => Theme::Dark,
                Theme::Dark => Theme::Light,
                Theme::Light => Theme::Auto,
            }
        });
    };
    let link = move |to: Route, text: String| {
        let path = to.path();
        let current = Memo::new(move |_| {
            let now = here.get();
            now == to
                || matches!(
                    (&now, &to),
                    (Route::RuleSheet(_) | Route::Rulebook(_) | Route::House(_), Route::Rules)
                        | (Route::Replay(_), Route::Games)
                )
        });
        view! { <a href=path aria-current=move || current.get().then_some("page")>{text}</a> }
    };
    view! {
        <div class="offscreen" inner_html=art::defs()></div>
        <a class="skip" href="#main">{t!("ui.skip")}</a>
        <header class="top" class:at-table=move || at_table.get()>
            <a class="brand" href="/" data-testid="brand">
                <span class="brand-mark" aria-hidden="true"></span>
                "Parlour"
            </a>
            <nav aria-label=t!("nav.label")>
                {link(Route::Lobby, t!("nav.lobby"))} {link(Route::Games, t!("nav.games"))}
                {link(Route::Rules, t!("nav.rules"))} {link(Route::Settings, t!("nav.settings"))}
            </nav>
            <button
                class="plain theme"
                data-testid="theme"
                on:click=theme
                aria-label=move || t!("ui.theme", theme = t!(&format!("settings.theme.{}", prefs.get().theme.id())))
                title=move || t!("ui.theme", theme = t!(&format!("settings.theme.{}", prefs.get().theme.id())))
            >
                {move || match prefs.get().theme {
                    Theme::Auto => "◐",
                    Theme::Light => "☀",
                    Theme::Dark => "☾",
                }}
            </button>
        </header>
        <main id="main" tabindex="-1" data-rest="" class:at-table=move || at_table.get()>
            // So the frame may be drawn before the page is made.
            {below(move || (move || (pages.show)(here.get())).into_any())}
            // What is announced is content, which belongs in a landmark.
            <ui::Messages/>
        </main>
        <footer class="foot" class:at-table=move || at_table.get()>
            <a href="/odds">{t!("odds.title")}</a>
            <a href="/maths">{t!("maths.title")}</a>
            <a href="/solve">{t!("solve.title")}</a>
            <a href="/about">{t!("nav.about")}</a>
        </footer>
    }
}
