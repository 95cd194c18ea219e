//! Random legal play through the real engine: accepted inputs a second on one core.
//!
//! `cargo run --release -p parlour-contract --example decisions -- [MATCHES] [SEED]`
//!
//! Four seats play whole matches of `contract`. Each asks for an offered card one time in eight, draws the discard one
//! time in four, lays a contract it holds (found by S1) with chance one half, and discards any card.

use contract::meld::Meld;
use contract::solver::Solver;
use contract::state::Phase;
use contract::{Command, Match, Rules};
use game::chance::{Chance, SplitMix};
use game::{Game, Input, Millis, Status, Timing};
use std::sync::Arc;
use std::time::Instant;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|a| a.parse::<u64>().expect("a whole number"));
    let (matches, seed) = (arguments.next().unwrap_or(200), arguments.next().unwrap_or(1));
    let rules = Arc::new(Rules::contract(4));
    let mut chance = SplitMix(seed);
    let (mut inputs, mut passes, mut melds) = (0u64, 0u64, 0u64);
    let start = Instant::now();
    for _ in 0..matches {
        let mut game = Match::open(rules.clone(), 4).expect("four may play");
        let mut events = Vec::with_capacity(16);
        loop {
            let input = match game.status() {
                Status::Over(_) => break,
                Status::Chance(need) => Input::Draw(chance.answer(&need)),
                Status::Seats(seats) => {
                    let seat = seats.iter().next().expect("somebody is awaited");
                    let command = choose(&game, seat, &mut chance);
                    passes += u64::from(command == Command::Pass);
                    melds += u64::from(matches!(command, Command::Meld { .. }));
                    Input::Play(seat, command, Timing::at(Millis(0)))
                }
            };
            events.clear();
            if game.decide(Millis(0), &input, &mut events).is_err() {
                // A stock that is gone, the card just drawn, or the last card of a whole-hand round.
                let Input::Play(seat, command, timing) = &input else { panic!("chance was refused") };
                let others: Vec<Command> = match command {
                    Command::DrawStock => vec![Command::DrawDiscard],
                    Command::Discard { .. } => {
                        let discards = game.hand(*seat).faces();
                        let discards = discards.map(|card| Command::Discard { card, shanghai: false });
                        discards.chain([Command::Hold]).collect()
                    }
                    other => panic!("{other:?} was refused"),
                };
                let accepted = others.into_iter().any(|other| {
                    game.decide(Millis(0), &Input::Play(*seat, other, *timing), &mut events).is_ok()
                });
                assert!(accepted, "nothing is accepted after {command:?}");
            }
            events.iter().for_each(|event| game.evolve(event));
            inputs += 1;
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{matches} matches, {inputs} decisions in {seconds:.2} s: {:.0} a second; passes {:.1} %, contracts {melds}",
        inputs as f64 / seconds,
        100.0 * passes as f64 / inputs as f64,
    );
}

fn choose(game: &Match, seat: game::Seat, chance: &mut SplitMix) -> Command {
    let flow = game.flow();
    match flow.phase {
        Phase::Start if flow.pile > 0 && chance.below(4) == 0 => Command::DrawDiscard,
        Phase::Start => Command::DrawStock,
        Phase::Offer { .. } if chance.below(8) == 0 => Command::Take,
        Phase::Offer { .. } => Command::Pass,
        _ => {
            let hand = game.hand(seat);
            if !flow.down.has(seat) && chance.below(2) == 0 {
                let law = game.law(seat);
                let solver = Solver::new(law).with_budget(20_000);
                if solver.feasible(hand.counts()) == Some(true)
                    && let Some(answer) = solver.best(hand.counts()).answer
                    && (law.all || answer.left.iter().any(|&n| n > 0))
                {
                    return Command::Meld {
                        contract: None,
                        melds: answer.melds.iter().map(Meld::said).collect(),
                    };
                }
            }
            let place = chance.below(hand.len() as u32) as usize;
            Command::Discard { card: hand.nth(place).expect("a hand that plays has a card"), shanghai: false }
        }
    }
}
