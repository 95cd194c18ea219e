//! How long people take for a match of each built-in game: prints `crates/rulebook/src/minutes.txt`, which the app shows.
//!
//!     cargo run --release -p parlour-lab --example minutes > crates/rulebook/src/minutes.txt
//!
//! `--matches N` for each game (40), `--seed N` (7). The same seed gives the same figures, the median of the matches in whole minutes.

#[path = "common/words.rs"]
mod words;

use lab::lengths::{Lengths, minutes};
use std::process::ExitCode;
use words::{Words, ended};

fn lengths() -> Result<Lengths, String> {
    let mut lengths = Lengths { matches: 40, seed: 7 };
    let mut words = Words::new();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--matches" => lengths.matches = words.value(&word)?,
            "--seed" => lengths.seed = words.value(&word)?,
            other => return Err(format!("`{other}`: --matches or --seed")),
        }
    }
    Ok(lengths)
}

fn run() -> Result<bool, String> {
    let lengths = lengths()?;
    for game in rulebook::presets() {
        println!("{game} {}", minutes(game, lengths)?);
    }
    Ok(true)
}

fn main() -> ExitCode {
    ended(run())
}
