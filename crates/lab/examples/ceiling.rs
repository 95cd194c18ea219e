//! How much is there to be won? A player who cheats sits where a stronger bot would sit, against `steady` over duplicate deals.
//!
//! ```text
//! cargo run --release -p parlour-lab --example ceiling -- contract --seats 3 --deals 24 --hands
//! cargo run --release -p parlour-lab --example ceiling -- contract --seats 4 --deals 8
//! cargo run --release -p parlour-lab --example ceiling -- contract --seats 4 --deals 8 --only discard
//! ```
//!
//! `--hands`: it plays as `strong` does, with the true hands of all in place of imagined ones; the order of the stock it does not
//! see. Without that it plays the round on in the real engine before each of its decisions, once for each command that it may give, with
//! the real cards and everybody playing as `steady`, and gives the one that came out best: a minute a match, and in any game.
//! `--stocks N`: there the order of the stock is not seen; each command is played on with N orders of it. `--only KIND` (`take`, `draw`,
//! `lay`, `layoff`, `discard`; more than once): it cheats in decisions of that kind alone. `--bot KIND` for whom everybody plays like
//! otherwise (steady), `--seed N` (1), `--threads N` (1).

use bots::Bot;
use bots::contract::open_handed;
use contract::{Command, Event, Match, Rules, View};
use game::chance::SplitMix;
use game::{Game, Input, Millis, Seat, Status, Timing, View as _, Viewer};
use lab::matches::{draw, seed_of, spread};
use lab::stats::clustered;
use rulebook::{NoFiles, Source};
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;

/// Commands that are tried at one decision at most.
const TRIED: usize = 24;
/// Inputs after which a round that is played on is broken off.
const LONGEST: usize = 3_000;
/// What one round may still move between two players, in points.
const SPREAD: f64 = 36.0;

/// What is asked for.
#[derive(Clone)]
struct Asked {
    game: String,
    seats: u8,
    deals: u64,
    seed: u64,
    threads: usize,
    stocks: usize,
    hands: bool,
    only: Vec<String>,
    bot: String,
}

fn asked() -> Result<Asked, String> {
    let mut asked = Asked {
        game: String::new(),
        seats: 4,
        deals: 20,
        seed: 1,
        threads: 1,
        stocks: 0,
        hands: false,
        only: Vec::new(),
        bot: "steady".to_owned(),
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} wants a value"));
        let bad = |e: std::num::ParseIntError| format!("{word}: {e}");
        match word.as_str() {
            "--seats" => asked.seats = value()?.parse().map_err(bad)?,
            "--deals" => asked.deals = value()?.parse().map_err(bad)?,
            "--seed" => asked.seed = value()?.parse().map_err(bad)?,
            "--threads" => asked.threads = value()?.parse().map_err(bad)?,
            "--stocks" => asked.stocks = value()?.parse().map_err(bad)?,
            "--hands" => asked.hands = true,
            "--only" => {
                let kind = value()?;
                if !["take", "draw", "lay", "layoff", "discard"].contains(&kind.as_str()) {
                    return Err(format!("`{kind}` is no kind of decision"));
                }
                asked.only.push(kind);
            }
            "--bot" => asked.bot = value()?,
            _ if word.starts_with("--") => return Err(format!("there is no {word}")),
            _ => asked.game = word,
        }
    }
    Ok(asked)
}

/// A bot of a kind.
fn bot(kind: &str) -> Box<dyn Bot<View>> {
    bots::of_contract(kind).expect("a kind of bot")
}

/// What a command is about.
fn kind(command: &Command) -> &'static str {
    match command {
        Command::Take | Command::Pass => "take",
        Command::DrawDiscard | Command::DrawStock | Command::DrawPush | Command::Buy => "draw",
        Command::Meld { .. } => "lay",
        Command::LayOff { .. } | Command::Reclaim { .. } => "layoff",
        Command::Discard { .. } | Command::Hold => "discard",
        _ => "other",
    }
}

/// What somebody does who is waited for.
fn wish(
    game: &Match,
    players: &mut [Box<dyn Bot<View>>],
    chance: &mut SplitMix,
) -> Option<(Seat, View, Command)> {
    let Status::Seats(missing) = game.status() else { return None };
    missing.iter().find_map(|seat| {
        let view = game.view(Viewer::Seat(seat));
        let thought = players[seat.index()].think(&view, Millis(0), chance)?;
        Some((seat, view, thought.command))
    })
}

/// One input; whether it was accepted.
fn step(game: &mut Match, input: &Input<Command>, events: &mut Vec<Event>) -> bool {
    events.clear();
    game::step(game, Millis(0), input, events).is_ok()
}

/// How many of the opponents are likely to be behind a seat in the end, of one, once a round has ended so.
fn worth(game: &Match, view: &View, seat: Seat) -> f64 {
    let flow = game.flow();
    let left = view.compiled.most_deals().saturating_sub(usize::from(flow.finished));
    let spread = SPREAD * (left as f64 + 0.05).sqrt();
    let sign = if view.compiled.rules.settings.score.low_wins { 1.0 } else { -1.0 };
    let others: Vec<Seat> = (0..flow.seats)
        .map(Seat)
        .filter(|&other| other != seat && !flow.partners(&view.compiled, seat, other))
        .collect();
    let behind = |other: &Seat| {
        let by = f64::from(flow.scores[other.index()] - flow.scores[seat.index()]) * sign;
        1.0 / (1.0 + (-by / spread).exp())
    };
    others.iter().map(behind).sum::<f64>() / others.len() as f64
}

/// What comes of a command, once everybody has played the round to its end.
fn played_on(game: &Match, view: &View, seat: Seat, command: &Command, seed: u64, like: &str) -> Option<f64> {
    let mut game = game.clone();
    let mut events = Vec::new();
    let mut players: Vec<_> = (0..view.flow.seats).map(|_| bot(like)).collect();
    let mut chance = SplitMix(seed);
    let round = game.flow().finished;
    if !step(&mut game, &Input::Play(seat, command.clone(), Timing::at(Millis(0))), &mut events) {
        return None;
    }
    for _ in 0..LONGEST {
        if game.flow().finished != round {
            break;
        }
        let input = match game.status() {
            Status::Over(_) => break,
            Status::Chance(need) => Input::Draw(draw(seed, &need)),
            Status::Seats(_) => {
                let (seat, _, command) = wish(&game, &mut players, &mut chance)?;
                Input::Play(seat, command, Timing::at(Millis(0)))
            }
        };
        if !step(&mut game, &input, &mut events) {
            return None;
        }
    }
    Some(worth(&game, view, seat))
}

/// What cheating came to at decisions of one kind: how many, how many with another command than the first, and what that gained.
#[derive(Clone, Copy, Default)]
struct Gained {
    asked: u64,
    changed: u64,
    gain: f64,
}

type Gains = BTreeMap<&'static str, Gained>;

/// The best command by what the cards really are.
fn cheat(
    game: &Match,
    view: &View,
    seat: Seat,
    first: Command,
    seed: u64,
    asked: &Asked,
    gains: &mut Gains,
) -> Command {
    let about = kind(&first);
    if about == "other" || !asked.only.is_empty() && !asked.only.iter().any(|only| only == about) {
        return first;
    }
    let mut tried = vec![first.clone()];
    let others = view.commands(Millis(0)).commands;
    let other = |command: &&Command| {
        **command != first
            && !matches!(kind(command), "other")
            && !matches!(command, Command::Discard { shanghai: true, .. })
            && (about != "discard" || kind(command) == "discard")
    };
    tried.extend(others.iter().filter(other).take(TRIED).cloned());
    if tried.len() < 2 {
        return first;
    }
    let worlds: Vec<Match> = if asked.stocks == 0 {
        vec![game.clone()]
    } else {
        let mut chance = SplitMix(seed ^ u64::from(view.flow.turns) << 20 ^ u64::from(view.flow.stock));
        (0..asked.stocks).map(|_| game.restocked(&mut chance)).collect()
    };
    let of = |command: &Command| {
        let sum: Option<f64> =
            worlds.iter().map(|world| played_on(world, view, seat, command, seed, &asked.bot)).sum();
        sum.map(|sum| sum / worlds.len() as f64)
    };
    let Some(base) = of(&first) else { return first };
    let gained = gains.entry(about).or_default();
    gained.asked += 1;
    let (mut best, mut most) = (first, base + 1e-9);
    for command in &tried[1..] {
        if let Some(worth) = of(command).filter(|&worth| worth > most) {
            (best, most) = (command.clone(), worth);
        }
    }
    gained.changed += u64::from(most > base + 1e-8);
    gained.gain += most - base;
    best
}

/// What one deal, both ways round, came to: the share of what could be won, points a round that the cheat was better by, and the gains.
fn deal(rules: &Arc<Rules>, asked: &Asked, number: u64) -> (f64, f64, Gains) {
    let seed = seed_of(asked.seed, number);
    let (mut share, mut points, mut gains) = (0.0, 0.0, Gains::new());
    for turned in 0..2 {
        let cheats = |seat: usize| (seat + turned).is_multiple_of(2);
        let mut players: Vec<_> = (0..asked.seats).map(|_| bot(&asked.bot)).collect();
        let mut game = Match::open(rules.clone(), asked.seats).expect("so many may play");
        let (mut chance, mut events) = (SplitMix(seed), Vec::new());
        let outcome = loop {
            let input = match game.status() {
                Status::Over(outcome) => break outcome,
                Status::Chance(need) => Input::Draw(draw(seed, &need)),
                Status::Seats(_) => {
                    let (seat, view, first) = wish(&game, &mut players, &mut chance).expect("somebody acts");
                    let command = if asked.hands && cheats(seat.index()) {
                        let hands = (0..asked.seats).map(|seat| *game.hand(Seat(seat)).counts()).collect();
                        open_handed(&view, hands, &mut chance).unwrap_or(first)
                    } else if cheats(seat.index()) {
                        cheat(&game, &view, seat, first, seed, asked, &mut gains)
                    } else {
                        first
                    };
                    Input::Play(seat, command, Timing::at(Millis(0)))
                }
            };
            assert!(step(&mut game, &input, &mut events), "{input:?} is refused");
        };
        let flow = game.flow();
        let rounds = f64::from(flow.finished.max(1));
        let (mut ahead, mut pairs, mut better) = (0.0, 0.0, 0.0);
        for a in (0..usize::from(asked.seats)).filter(|&seat| cheats(seat)) {
            for b in (0..usize::from(asked.seats)).filter(|&seat| !cheats(seat)) {
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
    (share, points, gains)
}

fn run() -> Result<(), String> {
    let asked = asked()?;
    if bots::of_contract(&asked.bot).is_none() {
        return Err(format!("`{}` is no bot for contract games", asked.bot));
    }
    let loaded = rulebook::load(Source::Preset(&asked.game), None, &NoFiles).map_err(|e| e.to_string())?;
    let rules = loaded.rules(asked.seats).map_err(|e| e.to_string())?;
    let rulebook::Rules::Contract(rules) = &*rules else { return Err("no game of contracts".to_owned()) };
    let deals = spread(asked.deals, asked.threads, |number| deal(rules, &asked, number), || true);
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
    let mut all = Gains::new();
    for (about, gained) in deals.iter().flat_map(|deal| &deal.2) {
        let sum = all.entry(about).or_default();
        *sum = Gained {
            asked: sum.asked + gained.asked,
            changed: sum.changed + gained.changed,
            gain: sum.gain + gained.gain,
        };
    }
    let matches = asked.deals as f64 * 2.0;
    for (about, gained) in all {
        println!(
            "    {about:<8} {:>6.1} decisions a match, {:>5.1} % changed, gain {:.2} a match",
            gained.asked as f64 / matches,
            100.0 * gained.changed as f64 / gained.asked.max(1) as f64,
            gained.gain / matches
        );
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
