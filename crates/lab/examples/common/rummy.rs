//! What examples do that play Contract Rummy input by input.

use crate::games::load;
use bots::Bot;
use contract::{Command, Match, Rules, View};
use game::chance::SplitMix;
use game::{Game, Millis, Seat, SeatSet, Viewer};
use std::sync::Arc;

/// The rules of a game of contracts for so many.
///
/// # Errors
/// If there is no such game, it is of another kind, or not for so many.
pub fn rules(game: &str, seats: u8) -> Result<Arc<Rules>, String> {
    let rules = load(game)?.rules(seats).map_err(|e| e.to_string())?;
    let rulebook::Rules::Contract(rules) = &*rules else { return Err("no game of contracts".to_owned()) };
    Ok(rules.clone())
}

/// What somebody does of those who are waited for, and what they see.
pub fn wish(
    game: &Match,
    missing: SeatSet,
    players: &mut [Box<dyn Bot<View>>],
    chance: &mut SplitMix,
) -> Option<(Seat, View, Command)> {
    missing.iter().find_map(|seat| {
        let view = game.view(Viewer::Seat(seat));
        let thought = players[seat.index()].think(&view, Millis(0), chance)?;
        Some((seat, view, thought.command))
    })
}
