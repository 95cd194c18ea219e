//! The pages.

pub mod about;
pub mod create;
pub mod demo;
mod device;
pub mod ended;
mod figures;
pub mod first;
pub mod gallery;
pub mod games;
pub mod house;
pub mod learn;
pub mod lobby;
pub mod maths;
pub mod menu;
pub mod name;
pub mod odds;
pub mod options;
pub mod practice;
pub mod replay;
pub mod rules;
pub mod settings;
pub mod solve;
pub mod story;
pub mod strategy;
pub mod summary;
pub mod table;
pub mod today;
mod your_try;

use crate::later::{self, Later, later};
use crate::live;
use crate::route::Route;
use crate::screens::{Contract, Family, Pattern};
use crate::t;
use leptos::prelude::*;
use wire::route::Program;

/// The pages of one program.
#[derive(Clone, Copy)]
pub struct Pages {
    /// Which program.
    pub program: Program,
    /// Shows one of them.
    pub show: fn(Route) -> AnyView,
}

/// What leads to a table.
pub const LOBBY: Pages = Pages { program: Program::Lobby, show: of_lobby };

/// What is read and learnt.
pub const LIBRARY: Pages = Pages { program: Program::Library, show: later_or_nowhere };

/// What shows a match of Set and its variants.
pub const PATTERN: Pages = Pages { program: Program::Match, show: of_matches::<Pattern> };

/// What shows a match of Contract Rummy and its variants.
pub const CONTRACT: Pages = Pages { program: Program::Match, show: of_matches::<Contract> };

fn of_lobby(route: Route) -> AnyView {
    match route {
        Route::Lobby => lobby::Lobby().into_any(),
        _ => later_or_nowhere(route),
    }
}

/// The pages of the lobby's program that come later.
pub fn beside_lobby(route: Route) -> AnyView {
    match route {
        Route::New(game) => view! { <create::Create game=game/> }.into_any(),
        Route::Device(token) => view! { <device::TakeSeat token=token/> }.into_any(),
        Route::Games => games::Games().into_any(),
        Route::Today => view! { <today::Today date=None/> }.into_any(),
        Route::Day(date) => view! { <today::Today date=Some(date)/> }.into_any(),
        Route::Settings => settings::Settings().into_any(),
        _ => nowhere(),
    }
}

/// A page that comes later, or that there is none.
fn later_or_nowhere(route: Route) -> AnyView {
    if route.part().is_some() { later::page(route) } else { nowhere() }
}

/// What is read: the rules, and about the parlour.
pub fn read(route: Route) -> AnyView {
    match route {
        Route::Rules => rules::Rules().into_any(),
        Route::RuleSheet(game) => view! { <rules::RuleSheet game=game/> }.into_any(),
        Route::Rulebook(family) => view! { <rules::Rulebook family=family/> }.into_any(),
        Route::About => about::About().into_any(),
        Route::Gallery => gallery::Gallery().into_any(),
        _ => nowhere(),
    }
}

/// Where house rules are written.
pub fn write(route: Route) -> AnyView {
    match route {
        Route::House(code) => view! { <house::House code=code/> }.into_any(),
        _ => nowhere(),
    }
}

/// Where one learns to play.
pub fn learn(route: Route) -> AnyView {
    match route {
        Route::Learn => learn::Learn().into_any(),
        Route::Practice => practice::Practice().into_any(),
        Route::Strategy(family) => view! { <strategy::Strategy family=family/> }.into_any(),
        _ => nowhere(),
    }
}

/// What is counted and proved.
pub fn reckon(route: Route) -> AnyView {
    match route {
        Route::Odds => odds::Odds().into_any(),
        Route::Maths => maths::Maths().into_any(),
        Route::Solve(game) => view! { <solve::Solve game=game/> }.into_any(),
        _ => nowhere(),
    }
}

fn of_matches<F: Family>(route: Route) -> AnyView {
    untrack(|| match route {
        Route::Table(id) => table::table::<F>(id),
        Route::Home(_) => table::table::<F>(live::HOME.to_owned()),
        Route::Replay(id) => later::<F>(move || Later::Replay(id.clone())),
        Route::Demo(game, seats) => later::<F>(move || Later::Demo(game.clone(), seats)),
        _ => nowhere(),
    })
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
