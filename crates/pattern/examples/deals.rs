//! How many whole `set-classic` deals a second the engine plays: one seat, a random Set taken.
//!
//! `cargo run --release -p parlour-pattern --example deals -- 200000`

use game::chance::{Chance, SplitMix};
use game::{Game, Input, Millis, Seat, Status, Timing};
use pattern::race::{Event, Race};
use pattern::rules::Deals;
use pattern::{Command, Rules};
use std::sync::Arc;
use std::time::Instant;

/// Takes in events and keeps them for one step only.
fn step(race: &mut Race, input: &Input<Command>, events: &mut Vec<Event>) {
    events.clear();
    race.decide_quickly(Millis(0), input, events).expect("a legal input");
    events.iter().for_each(|event| race.evolve(event));
}

fn main() {
    let deals: u32 = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(100_000);
    let rules = Rules { deals: Deals::Count(1), settle_ms: 0, ..Rules::default() };
    let rules = Arc::new(rules.seated(1).into_owned());
    let mut chance = SplitMix(1);
    let mut events = Vec::new();
    let (mut claims, mut left) = (0u64, 0u64);
    let start = Instant::now();
    for _ in 0..deals {
        let mut race = Race::open(rules.clone(), 1).expect("set-classic alone");
        loop {
            match race.status() {
                Status::Over(_) => break,
                Status::Chance(need) => step(&mut race, &Input::Draw(chance.answer(&need)), &mut events),
                Status::Seats(_) => {
                    let set = race.random_claim(Seat(0), &mut chance).expect("the match goes on");
                    let claim = Command::claim(set);
                    step(&mut race, &Input::Play(Seat(0), claim, Timing::at(Millis(0))), &mut events);
                    claims += 1;
                }
            }
        }
        left += race.state().board.len() as u64;
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{deals} deals in {seconds:.2} s: {:.0} deals/s, {:.2} claims and {:.2} cards left a deal",
        f64::from(deals) / seconds,
        claims as f64 / f64::from(deals),
        left as f64 / f64::from(deals)
    );
}
