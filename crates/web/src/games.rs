//! The built-in games as the app offers them.

use crate::t;
use rulebook::{Family, Info, Loaded};

/// A built-in game, loaded.
#[must_use]
pub fn load(id: &str) -> Option<Loaded> {
    rulebook::preset(id).ok()
}

/// What is said about every built-in game, in the order offered.
#[must_use]
pub fn all() -> Vec<Info> {
    thread_local! {
        static ALL: std::cell::OnceCell<Vec<Info>> = const { std::cell::OnceCell::new() };
    }
    ALL.with(|all| {
        all.get_or_init(|| rulebook::presets().into_iter().filter_map(load).map(|game| game.info).collect())
            .clone()
    })
}

/// The game in a sentence.
#[must_use]
pub fn summary(info: &Info) -> String {
    if !info.summary.is_empty() {
        return info.summary.clone();
    }
    crate::lang::look_up(&format!("game.{}", info.id)).unwrap_or_default()
}

/// For how many players: "2 to 8 players".
#[must_use]
pub fn players(info: &Info) -> String {
    if info.players_min == info.players_max {
        t!("game.players_one", n = info.players_min)
    } else {
        t!("game.players", min = info.players_min, max = info.players_max)
    }
}

/// Levels of the bots that can play a family's games, weakest first.
#[must_use]
pub fn bot_levels(family: Family) -> &'static [&'static str] {
    match family {
        Family::Pattern => &["easy", "medium", "hard"],
        Family::Contract => &["easy", "steady"],
    }
}
