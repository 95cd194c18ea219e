//! The laws of `game::laws`, for SETup.

use super::SetupGame;
use super::view::View;
use crate::command::Command;
use crate::frame::presence::Held;
use crate::rules::{Deals, FalseChallenge, Mechanism, Players, Rules};
use game::laws::{Plan, any_command, check};
use game::{Chance, Coverage, Viewer};
use std::sync::Arc;

#[test]
fn the_laws_hold() {
    let rules = Rules {
        mechanism: Mechanism::Setup,
        players: Players { min: 2, max: 8 },
        hand: 4,
        deals: Deals::Count(1),
        ..Rules::default()
    };
    let variants = [
        rules.clone(),
        Rules {
            window_min_s: 0,
            false_challenge: FalseChallenge::TakeOne,
            deals: Deals::Count(2),
            ..rules.clone()
        },
        Rules { window_last_s: 600, deals: Deals::EachDealer, ..rules.clone() },
        Rules { hand_visibility: crate::rules::HandVisibility::Public, ..rules },
    ];
    for (i, rules) in variants.into_iter().enumerate() {
        let rules = Arc::new(rules);
        for seed in 0..6 {
            let plan = Plan { seed, presence: if seed % 2 == 0 { 0 } else { 60 }, ..Plan::default() };
            let seats = 2 + (seed % 3) as u8;
            let mut choose =
                |view: &View, coverage: Coverage<Command>, chance: &mut game::chance::SplitMix| {
                    // Now and then something that is false but legal.
                    let state = &view.state;
                    if let (Viewer::Seat(seat), [.., a, b, _]) = (view.who, state.table.as_slice())
                        && state.undecided().has(seat)
                        && state.roster.players[seat.index()].held == Held::Here
                        && chance.below(20) == 0
                    {
                        return Some(Command::Challenge([*a, *b]));
                    }
                    any_command(view, coverage, chance)
                };
            if let Err(broken) = check::<SetupGame>(&rules, seats, &plan, &mut choose) {
                panic!("variant {i}, seed {seed}, {seats} seats: {broken}");
            }
        }
    }
}
