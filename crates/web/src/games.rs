//! The built-in games as the app offers them. The server says which there are: the loader of rule files is its own, and
//! would weigh more here than the screens.

use crate::{api, t};
use rulebook::{Family, Info};
use std::cell::OnceCell;
use wire::api::{GameSheet, Games};

thread_local! {
    static ALL: OnceCell<Vec<Info>> = const { OnceCell::new() };
}

/// Asks the server which games there are; the app opens when it knows.
///
/// # Errors
/// A sentence for the person.
pub async fn fetch() -> Result<(), String> {
    let games: Games = api::get("/api/games").await?;
    ALL.with(|all| {
        all.get_or_init(|| games.games);
    });
    Ok(())
}

/// What is said about every built-in game, in the order offered.
#[must_use]
pub fn all() -> Vec<Info> {
    ALL.with(|all| all.get().cloned().unwrap_or_default())
}

/// A built-in game in full: its options and its rule sheet.
///
/// # Errors
/// A sentence for the person.
pub async fn sheet(id: &str) -> Result<GameSheet, String> {
    if !all().iter().any(|game| game.id == id) {
        return Err(t!("net.unknown_game", game = id));
    }
    api::get(&format!("/api/games/{id}")).await
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
