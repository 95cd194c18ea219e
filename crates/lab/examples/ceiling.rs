//! How much is there to be won? A player who plays as `strong` does, but sees the hands of all where that one imagines them, against
//! `counting` over duplicate deals. The order of the stock it does not see.
//!
//! ```text
//! cargo run --release -p parlour-lab --example ceiling -- contract --seats 3 --deals 24
//! ```
//!
//! `--seed N` (1), `--threads N` (1).

#[path = "common/games.rs"]
mod games;
#[path = "common/rummy.rs"]
mod rummy;
#[path = "common/words.rs"]
mod words;

use bots::contract::open_handed;
use contract::{Match, Rules};
use game::chance::SplitMix;
use game::{Game, Input, Millis, Seat, Status, Timing};
use lab::matches::{draw, seed_of, spread};
use lab::stats::clustered;
use rummy::{rules, wish};
use std::process::ExitCode;
use std::sync::Arc;
use words::{Words, ended};

/// What is asked for.
struct Asked {
    game: String,
    seats: u8,
    deals: u64,
    seed: u64,
    threads: usize,
}

fn asked() -> Result<Asked, String> {
    let mut asked = Asked { game: String::new(), seats: 4, deals: 20, seed: 1, threads: 1 };
    let mut words = Words::new();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--seats" => asked.seats = words.value(&word)?,
            "--deals" => asked.deals = words.value(&word)?,
            "--seed" => asked.seed = words.value(&word)?,
            "--threads" => asked.threads = words.value(&word)?,
            _ if word.starts_with("--") => return Err(format!("there is no {word}")),
            _ => asked.game = word,
        }
    }
    Ok(asked)
}

/// What one deal, both ways round, came to: the share of what could be won, and points a round that open hands were better by.
fn deal(rules: &Arc<Rules>, asked: &Asked, number: u64) -> (f64, f64) {
    let seed = seed_of(asked.seed, number);
    let (mut share, mut points) = (0.0, 0.0);
    for turned in 0..2 {
        let sees = |seat: usize| (seat + turned).is_multiple_of(2);
        let mut players: Vec<_> =
            (0..asked.seats).map(|_| bots::of_contract("counting").expect("a bot")).collect();
        let mut game = Match::open(rules.clone(), asked.seats).expect("so many may play");
        let (mut chance, mut events) = (SplitMix(seed), Vec::new());
        let outcome = loop {
            let input = match game.status() {
                Status::Over(outcome) => break outcome,
                Status::Chance(need) => Input::Draw(draw(seed, &need)),
                Status::Seats(missing) => {
                    let (seat, view, first) =
                        wish(&game, missing, &mut players, &mut chance).expect("somebody acts");
                    let command = if sees(seat.index()) {
                        let hands = (0..asked.seats).map(|seat| *game.hand(Seat(seat)).counts()).collect();
                        open_handed(&view, hands, &mut chance).unwrap_or(first)
                    } else {
                        first
                    };
                    Input::Play(seat, command, Timing::at(Millis(0)))
                }
            };
            events.clear();
            game::step(&mut game, Millis(0), &input, &mut events).expect("what was wished is accepted");
        };
        let flow = game.flow();
        let rounds = f64::from(flow.finished.max(1));
        let (mut ahead, mut pairs, mut better) = (0.0, 0.0, 0.0);
        for a in (0..usize::from(asked.seats)).filter(|&seat| sees(seat)) {
            for b in (0..usize::from(asked.seats)).filter(|&seat| !sees(seat)) {
                pairs += 1.0;
                better += f64::from(flow.scores[b] - flow.scores[a]) / rounds;
                ahead += match outcome.places[a].cmp(&outcome.places[b]) {
                    std::cmp::Ordering::Less => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Greater => 0.0,
                };
            }
        }
        share += ahead / pairs / 2.0;
        points += better / pairs / 2.0;
    }
    (share, points)
}

fn run() -> Result<(), String> {
    let asked = asked()?;
    let rules = rules(&asked.game, asked.seats)?;
    let deals = spread(asked.deals, asked.threads, |number| deal(&rules, &asked, number), || true);
    let shares: Vec<f64> = deals.iter().map(|deal| deal.0).collect();
    let points: Vec<f64> = deals.iter().map(|deal| deal.1).collect();
    let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
    let (by_share, by_points) = (clustered(&shares), clustered(&points));
    println!(
        "{} for {}, {} deals: {:.3} ({:.3} to {:.3}), better by {:.1} points a round ({:.1} to {:.1})",
        asked.game,
        asked.seats,
        asked.deals,
        mean(&shares),
        by_share.low,
        by_share.high,
        mean(&points),
        by_points.low,
        by_points.high
    );
    Ok(())
}

fn main() -> ExitCode {
    ended(run().map(|()| true))
}
