//! How long people take for a match of a game, as far as bots can tell.

use crate::matches::{play, seed_of};
use contract::Event;
use game::Millis;
use rulebook::{Family, Rules};

/// How it is measured.
#[derive(Clone, Copy, Debug)]
pub struct Lengths {
    /// Matches of each game, at least one; the median counts.
    pub matches: u64,
    /// What they are dealt from.
    pub seed: u64,
}

/// Milliseconds that people take where bots do not think as long as people do: in Contract Rummy for a turn, in which they draw, look what fits and
/// discard, and for the summary between two rounds; in memory for a card that is turned up. (Assumptions: nobody has published such times.)
const TURN: u32 = 15_000;
const ROUND: u32 = 20_000;
const FLIP: u32 = 4_000;

/// Most accepted inputs of a match.
const MOST: u64 = 1_000_000;

/// How many minutes people take for a match of a built-in game, at least one, from fifteen on in steps of five: in the Set family as long
/// as two bots that find as fast as people between beginners and experts (`casual`), in Contract Rummy as many turns as four bots need
/// (`steady`), in memory as many as two.
///
/// # Errors
/// If there is no such game, or one of its matches does not end.
pub fn minutes(game: &str, lengths: Lengths) -> Result<u32, String> {
    let loaded = rulebook::preset(game).map_err(|_| format!("`{game}` is no built-in game"))?;
    let info = &loaded.info;
    // As many as usually play, or as near to it as the rules allow.
    let usual: u8 = match info.family {
        Family::Pattern => 2,
        Family::Contract => 4,
    };
    let seats = usual.clamp(info.players_min, info.players_max);
    let rules = loaded.rules(seats).map_err(|faults| format!("{game}: {faults}"))?;
    let mut times = (0..lengths.matches.max(1))
        .map(|index| {
            length(&rules, seats, seed_of(lengths.seed, index)).map_err(|why| format!("{game}: {why}"))
        })
        .collect::<Result<Vec<_>, _>>()?;
    times.sort_unstable();
    let minutes = f64::from(times[times.len() / 2].0) / 60_000.0;
    Ok(if minutes < 15.0 { minutes.round().max(1.0) as u32 } else { (minutes / 5.0).round() as u32 * 5 })
}

/// How long one match takes.
fn length(rules: &Rules, seats: u8, seed: u64) -> Result<Millis, String> {
    let nobody = |kind: &str| format!("there is no bot `{kind}`");
    match rules {
        Rules::Pattern(rules) => {
            let players = (0..seats).map(|_| bots::of_pattern("casual"));
            let mut players = players.collect::<Option<Vec<_>>>().ok_or_else(|| nobody("casual"))?;
            let mut flips = Millis(0);
            let mut watch = |_: &pattern::Match, _: &_, events: &[pattern::Event]| {
                let flipped = |event: &&pattern::Event| {
                    matches!(event, pattern::Event::Memory(pattern::memory::Event::Flipped { .. }))
                };
                flips = events.iter().filter(flipped).fold(flips, |flips, _| flips.after(FLIP));
            };
            let over = play::<pattern::Match>(rules, &mut players, seed, MOST, &mut watch, &mut |_, _| ())
                .map_err(|why| why.to_string())?;
            Ok(over.length.max(flips))
        }
        Rules::Contract(rules) => {
            let players = (0..seats).map(|_| bots::of_contract("steady"));
            let mut players = players.collect::<Option<Vec<_>>>().ok_or_else(|| nobody("steady"))?;
            let mut length = Millis(0);
            let mut watch = |_: &contract::Match, _: &_, events: &[Event]| {
                for event in events {
                    match event {
                        Event::Discarded { .. } => length = length.after(TURN),
                        Event::RoundOver { .. } => length = length.after(ROUND),
                        _ => {}
                    }
                }
            };
            play::<contract::Match>(rules, &mut players, seed, MOST, &mut watch, &mut |_, _| ())
                .map_err(|why| why.to_string())?;
            Ok(length)
        }
    }
}
