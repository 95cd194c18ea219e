//! The laws of `game::laws` over every built-in game of both families, as its file has it: a sample of games and numbers
//! of players in a normal run, all of them with `PARLOUR_LONG`.

mod common;

use game::chance::{Chance, SplitMix};
use game::laws::{Plan, check};
use game::{Game, Status};
use rulebook::{Family, Loaded, Match, NoFiles, Source};

/// Games sampled in a normal run.
const SAMPLE: usize = 12;

/// The game, its rounds shortened to what random players need: they seldom hold a contract, and laws are looked at at
/// every step of every turn.
fn short(id: &str, family: Family) -> Loaded {
    let options = match family {
        Family::Contract => "'game.max_turns' = 8",
        Family::Pattern => "",
    };
    let options = options.parse().expect("options");
    rulebook::load(Source::Preset(id), Some(&options), &NoFiles).unwrap_or_else(|f| panic!("{id}: {f}"))
}

fn holds(id: &str, seats: u8, seed: u64) {
    let family = rulebook::preset(id).unwrap_or_else(|f| panic!("{id}: {f}")).info.family;
    let rules = short(id, family).rules(seats).unwrap_or_else(|f| panic!("{id} for {seats}: {f}"));
    let plan = Plan { seed, most_inputs: 60_000, every: 31, presence: 300, dawdle: 25 };
    let played = check::<Match>(&rules, seats, &plan, &mut common::choose)
        .unwrap_or_else(|broken| panic!("{id} with {seats}, seed {seed}: {broken}"));
    assert!(matches!(played.game.status(), Status::Over(_)), "{id} with {seats}, seed {seed}");
}

#[test]
fn laws_hold_for_every_preset() {
    let mut games: Vec<(&str, u8)> = rulebook::presets()
        .into_iter()
        .flat_map(|id| {
            let info = rulebook::preset(id).unwrap_or_else(|f| panic!("{id}: {f}")).info;
            (info.players_min..=info.players_max).map(move |seats| (id, seats))
        })
        .collect();
    assert!(games.len() > 150, "only {} games and numbers of players", games.len());
    let seed = common::seed();
    if !common::long() {
        SplitMix(seed).shuffle(&mut games);
        games.truncate(SAMPLE);
    }
    for (id, seats) in games {
        println!("{id} with {seats}");
        holds(id, seats, seed);
    }
}
