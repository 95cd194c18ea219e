//! What is a choice worth? Where two bots would do something else in the same place, the round is played to its end from either choice on, by
//! real players among the true hands, with the stock in many orders. That tells sooner than whole matches who chooses better.
//!
//! ```text
//! cargo run --release -p parlour-lab --example choices -- contract --seats 3 --bots strong,keen --others steady --matches 20
//! ```
//!
//! `--bots A,B`: A's choices are compared with B's; B plays the seat on, and `--others` (steady) sit at the others. `--orders N` (20) of the
//! stock, `--seed N` (1), `--threads N` (1).

#[path = "common/games.rs"]
mod games;
#[path = "common/rummy.rs"]
mod rummy;
#[path = "common/words.rs"]
mod words;

use bots::Bot;
use contract::{Command, Match, Rules, View};
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
    bots: [String; 2],
    others: String,
    matches: u64,
    orders: u64,
    seed: u64,
    threads: usize,
}

fn asked() -> Result<Asked, String> {
    let mut asked = Asked {
        game: String::new(),
        seats: 3,
        bots: ["strong", "keen"].map(str::to_owned),
        others: "steady".to_owned(),
        matches: 20,
        orders: 20,
        seed: 1,
        threads: 1,
    };
    let mut words = Words::new();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--seats" => asked.seats = words.value(&word)?,
            "--bots" => {
                let both: String = words.value(&word)?;
                let (one, other) = both.split_once(',').ok_or("--bots wants two (strong,keen)")?;
                asked.bots = [one, other].map(str::to_owned);
            }
            "--others" => asked.others = words.value(&word)?,
            "--matches" => asked.matches = words.value(&word)?,
            "--orders" => asked.orders = words.value(&word)?,
            "--seed" => asked.seed = words.value(&word)?,
            "--threads" => asked.threads = words.value(&word)?,
            _ if word.starts_with("--") => return Err(format!("there is no {word}")),
            _ => asked.game = word,
        }
    }
    for bot in asked.bots.iter().chain([&asked.others]) {
        bots::of_contract(bot).ok_or(format!("{bot} is no bot of Contract Rummy"))?;
    }
    Ok(asked)
}

type Players = Vec<Box<dyn Bot<View>>>;

/// The next input: what chance says, or what somebody does who is waited for. None once the match is over.
fn next(
    game: &Match,
    players: &mut Players,
    seed: u64,
    chance: &mut SplitMix,
) -> Option<(Input<Command>, Option<View>)> {
    match game.status() {
        Status::Over(_) => None,
        Status::Chance(need) => Some((Input::Draw(draw(seed, &need)), None)),
        Status::Seats(missing) => {
            let (seat, view, command) = wish(game, missing, players, chance)?;
            Some((Input::Play(seat, command, Timing::at(Millis(0))), Some(view)))
        }
    }
}

fn step(game: &mut Match, input: &Input<Command>) {
    game::step(game, Millis(0), input, &mut Vec::new()).expect("what was wished is accepted");
}

/// By how many points the others end the round behind this seat, on average.
fn margin(mut game: Match, command: Command, seat: Seat, players: &mut Players, seed: u64) -> f64 {
    let round = game.flow().finished;
    let before = game.flow().scores;
    step(&mut game, &Input::Play(seat, command, Timing::at(Millis(0))));
    let mut chance = SplitMix(seed);
    while game.flow().finished == round {
        let Some((input, _)) = next(&game, players, seed, &mut chance) else { break };
        step(&mut game, &input);
    }
    let flow = game.flow();
    let seats = usize::from(flow.seats);
    let points = |seat: usize| f64::from(flow.scores[seat] - before[seat]);
    let others: f64 = (0..seats).filter(|&other| other != seat.index()).map(points).sum();
    others / (seats - 1) as f64 - points(seat.index())
}

/// One match: by how many points each choice of the first bot that differs is better, and how many places there were to choose in.
fn compared(rules: &Arc<Rules>, asked: &Asked, number: u64) -> (Vec<f64>, u64) {
    let seed = seed_of(asked.seed, number);
    let bot = |name: &str| bots::of_contract(name).expect("a bot");
    let chooser = Seat((number % u64::from(asked.seats)) as u8);
    let seated = || -> Players {
        (0..asked.seats)
            .map(|seat| bot(if seat == chooser.0 { &asked.bots[1] } else { &asked.others }))
            .collect()
    };
    let (mut players, mut first, mut chance) = (seated(), bot(&asked.bots[0]), SplitMix(seed));
    let mut game = Match::open(rules.clone(), asked.seats).expect("so many may play");
    let (mut better, mut places) = (Vec::new(), 0);
    while let Some((input, view)) = next(&game, &mut players, seed, &mut chance) {
        if let (Input::Play(seat, usual, _), Some(view)) = (&input, view)
            && *seat == chooser
            && let Some(thought) = first.think(&view, Millis(0), &mut chance)
        {
            places += 1;
            if thought.command != *usual {
                let by: f64 = (0..asked.orders)
                    .map(|order| {
                        let seed = seed_of(seed, order + 1);
                        let other = game.restocked(&mut SplitMix(seed));
                        let came = |command: &Command| {
                            margin(other.clone(), command.clone(), chooser, &mut seated(), seed)
                        };
                        came(&thought.command) - came(usual)
                    })
                    .sum();
                better.push(by / asked.orders as f64);
            }
        }
        step(&mut game, &input);
    }
    (better, places)
}

fn run() -> Result<(), String> {
    let asked = asked()?;
    let rules = rules(&asked.game, asked.seats)?;
    let matches = spread(asked.matches, asked.threads, |number| compared(&rules, &asked, number), || true);
    let by_match: Vec<f64> = matches.iter().map(|(better, _)| better.iter().sum()).collect();
    let choices: Vec<f64> = matches.iter().flat_map(|(better, _)| better).copied().collect();
    let places: u64 = matches.iter().map(|(_, places)| places).sum();
    let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len().max(1) as f64;
    let interval = clustered(&by_match);
    println!(
        "{} for {}, {} among {}: {} of {places} choices are other ones than those of {}, and better by {:.2} points each; {:.1} a match ({:.1} to {:.1})",
        asked.game,
        asked.seats,
        asked.bots[0],
        asked.others,
        choices.len(),
        asked.bots[1],
        mean(&choices),
        mean(&by_match),
        interval.low,
        interval.high
    );
    Ok(())
}

fn main() -> ExitCode {
    ended(run().map(|()| true))
}
