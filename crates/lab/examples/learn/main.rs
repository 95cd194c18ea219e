//! Learns what a hand of Contract Rummy is worth between two turns, and writes the weights that `keen` and `strong` play by.
//!
//! `counting` plays matches, and tries something else now and then. Half of the decisions to throw a card or to take one out of turn are kept: each
//! choice is played on among the true hands, and a network learns from what is seen at the table by how much each choice is better or
//! worse than the others of its decision. The same words give the same weights.
//!
//! ```text
//! cargo run --release -p parlour-lab --example learn -- contract:345 may-i:23 --matches 300 --out crates/bots/src/contract/value.txt
//! ```
//!
//! Games are named with the numbers of players, or by the path of a rule file with them. `--matches N` of each (100), `--worlds N` that
//! each choice is played on in (15), `--bold N` percent of the decisions that try something else (8), `--epochs N` (6), `--rate R` of learning at
//! first (0.001), `--seed N` (6), `--threads N` (as many as there are cores), `--out FILE` (value.txt).

#[path = "../common/games.rs"]
mod games;
mod teach;
#[path = "../common/words.rs"]
mod words;

use bots::contract::learning::{bold, weighed};
use bots::{Bot, Thought};
use contract::{Command, Event, Match, View};
use game::chance::{Chance, SplitMix};
use game::{Game, Input, Millis, Seat, Viewer};
use games::load;
use lab::matches::{play, seed_of, spread};
use rulebook::Rules;
use std::process::ExitCode;
use std::sync::Arc;
use teach::{Decision, teach};
use words::{Words, ended};

/// Inputs after which a match is given up as endless.
const MOST: u64 = 1_000_000;

/// What is asked for.
struct Asked {
    games: Vec<(String, u8)>,
    matches: u64,
    worlds: usize,
    bold: u32,
    epochs: usize,
    rate: f32,
    seed: u64,
    threads: usize,
    out: String,
}

fn asked() -> Result<Asked, String> {
    let mut asked = Asked {
        games: Vec::new(),
        matches: 100,
        worlds: 15,
        bold: 8,
        epochs: 6,
        rate: 0.001,
        seed: 6,
        threads: std::thread::available_parallelism().map_or(1, Into::into),
        out: "value.txt".to_owned(),
    };
    let mut words = Words::new();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--matches" => asked.matches = words.value(&word)?,
            "--worlds" => asked.worlds = words.value(&word)?,
            "--bold" => asked.bold = words.value(&word)?,
            "--epochs" => asked.epochs = words.value(&word)?,
            "--rate" => asked.rate = words.value(&word)?,
            "--seed" => asked.seed = words.value(&word)?,
            "--threads" => asked.threads = words.value(&word)?,
            "--out" => asked.out = words.value(&word)?,
            _ if word.starts_with("--") => return Err(format!("there is no {word}")),
            game => {
                let (game, seats) =
                    game.rsplit_once(':').ok_or(format!("{game}: for how many? (contract:34)"))?;
                for digit in seats.chars() {
                    let seats =
                        digit.to_digit(10).ok_or(format!("{word}: {digit} is no number of players"))?;
                    asked.games.push((game.to_owned(), seats as u8));
                }
            }
        }
    }
    if asked.games.is_empty() { Err("no game is named (contract:34)".to_owned()) } else { Ok(asked) }
}

/// Somebody who tries something else now and then.
struct Tries(u32);

impl Bot<View> for Tries {
    fn name(&self) -> &str {
        "tries"
    }

    fn think(&mut self, view: &View, _: Millis, chance: &mut dyn Chance) -> Option<Thought<Command>> {
        bold(view, self.0, chance)
    }
}

/// The decisions of one match.
fn decisions(
    rules: &Arc<contract::Rules>,
    seats: u8,
    seed: u64,
    asked: &Asked,
) -> Result<Vec<Decision>, String> {
    let mut players: Vec<Box<dyn Bot<View>>> =
        (0..seats).map(|_| Box::new(Tries(asked.bold)) as Box<dyn Bot<View>>).collect();
    let mut kept = Vec::new();
    let mut chance = SplitMix(seed ^ 77);
    let mut watch = |game: &Match, input: &Input<Command>, _: &[Event]| {
        let Input::Play(seat, Command::Discard { .. } | Command::Take | Command::Pass, _) = input else {
            return;
        };
        if chance.below(2) == 0 || game.flow().down.has(*seat) {
            return;
        }
        let hands = (0..seats).map(|seat| *game.hand(Seat(seat)).counts()).collect();
        kept.extend(weighed(&game.view(Viewer::Seat(*seat)), hands, asked.worlds, &mut chance));
    };
    play::<Match>(rules, &mut players, seed, MOST, &mut watch, &mut |_, _| ()).map_err(|e| e.to_string())?;
    Ok(kept)
}

fn run() -> Result<(), String> {
    let asked = asked()?;
    let mut all: Vec<Decision> = Vec::new();
    for (game, seats) in &asked.games {
        let rules = load(game)?.rules(*seats).map_err(|e| format!("{game} for {seats}: {e}"))?;
        let Rules::Contract(rules) = &*rules else { return Err(format!("{game} is no game of contracts")) };
        let one = |number| decisions(rules, *seats, seed_of(asked.seed, number), &asked);
        let before = all.len();
        for kept in spread(asked.matches, asked.threads, one, || true) {
            all.extend(kept.map_err(|e| format!("{game} for {seats}: {e}"))?);
        }
        eprintln!("{game} for {seats}: {} decisions", all.len() - before);
    }
    let taught = teach(&mut all, asked.epochs, asked.rate, asked.seed)?;
    let command = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    let head = format!(
        "# Written by: cargo run --release -p parlour-lab --example learn -- {command}\n# {}\n",
        taught.said
    );
    std::fs::write(&asked.out, head + &taught.weights).map_err(|e| format!("{}: {e}", asked.out))
}

fn main() -> ExitCode {
    ended(run().map(|()| true))
}
