//! What seats saw in a match of `counting`, for tests.

use super::Counting;
use crate::Bot;
use ::contract::solver::Counts;
use ::contract::{Command, Match, Rules, View};
use game::chance::{Chance, SplitMix};
use game::{Game, Input, Millis, Seat, Status, Timing, Viewer};
use std::sync::Arc;

/// What each who moved saw, what they did, and the hands of all.
pub(super) fn views(
    rules: &Arc<Rules>,
    seats: u8,
    seed: u64,
    inputs: usize,
) -> Vec<(View, Command, Vec<Counts>)> {
    let mut game = Match::open(rules.clone(), seats).expect("so many may play");
    let (mut chance, mut events, mut views) = (SplitMix(seed), Vec::new(), Vec::new());
    for _ in 0..inputs {
        let input = match game.status() {
            Status::Over(_) => break,
            Status::Chance(need) => Input::Draw(chance.answer(&need)),
            Status::Seats(_) => {
                let mut thoughts = (0..seats).map(Seat).filter_map(|seat| {
                    let view = game.view(Viewer::Seat(seat));
                    let thought = Counting.think(&view, Millis(0), &mut chance)?;
                    Some((view, seat, thought.command))
                });
                let (view, seat, command) = thoughts.next().expect("somebody moves");
                drop(thoughts);
                let hands = (0..seats).map(|seat| *game.hand(Seat(seat)).counts()).collect();
                views.push((view, command.clone(), hands));
                Input::Play(seat, command, Timing::at(Millis(0)))
            }
        };
        game::step(&mut game, Millis(0), &input, &mut events).expect("a legal command");
    }
    views
}
