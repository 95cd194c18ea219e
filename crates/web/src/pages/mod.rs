//! The pages.

pub mod about;
pub mod create;
pub mod demo;
mod device;
pub mod gallery;
pub mod games;
pub mod house;
pub mod learn;
pub mod lobby;
pub mod maths;
pub mod odds;
pub mod options;
pub mod practice;
pub mod replay;
pub mod rules;
pub mod settings;
pub mod summary;
pub mod table;
pub mod today;

use crate::route::Route;
use crate::t;
use leptos::prelude::*;

/// The pages of one program.
#[derive(Clone, Copy)]
pub struct Pages {
    /// Whether these are the pages that show a match.
    pub matches: bool,
    /// Shows one of them.
    pub show: fn(Route) -> AnyView,
}

/// All pages that show no match.
pub const PARLOUR: Pages = Pages { matches: false, show: parlour };

/// The pages that show a match.
pub const TABLE: Pages = Pages { matches: true, show: table_page };

fn parlour(route: Route) -> AnyView {
    match route {
        Route::Lobby => lobby::Lobby().into_any(),
        Route::New(game) => view! { <create::Create game=game/> }.into_any(),
        Route::Device(token) => view! { <device::TakeSeat token=token/> }.into_any(),
        Route::Games => games::Games().into_any(),
        Route::Rules => rules::Rules().into_any(),
        Route::RuleSheet(game) => view! { <rules::RuleSheet game=game/> }.into_any(),
        Route::House(code) => view! { <house::House code=code/> }.into_any(),
        Route::Today => view! { <today::Today date=None/> }.into_any(),
        Route::Day(date) => view! { <today::Today date=Some(date)/> }.into_any(),
        Route::Learn => learn::Learn().into_any(),
        Route::Practice => practice::Practice().into_any(),
        Route::Settings => settings::Settings().into_any(),
        Route::About => about::About().into_any(),
        Route::Gallery => gallery::Gallery().into_any(),
        Route::Odds => odds::Odds().into_any(),
        Route::Maths => maths::Maths().into_any(),
        _ => nowhere(),
    }
}

fn table_page(route: Route) -> AnyView {
    match route {
        Route::Table(id) => view! { <table::Table id=id/> }.into_any(),
        Route::Replay(id) => view! { <replay::Replay id=id/> }.into_any(),
        Route::Demo(game, seats) => view! { <demo::Demo game=game seats=seats/> }.into_any(),
        _ => nowhere(),
    }
}

fn nowhere() -> AnyView {
    view! {
        <div class="page narrow">
            <h1>{t!("nowhere.title")}</h1>
            <p>{t!("nowhere.text")}</p>
            <p><a class="button" href="/">{t!("nowhere.back")}</a></p>
        </div>
    }
    .into_any()
}
