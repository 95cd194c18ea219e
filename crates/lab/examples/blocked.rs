//! Do bots get stuck? Plays matches of every contract game at every number of players and tells the rounds in which nobody
//! went out, the discards that were left lying though they completed a contract, and how steady does against easy.
//!
//! ```text
//! cargo run --release -p parlour-lab --example blocked                       # every built-in game
//! cargo run --release -p parlour-lab --example blocked -- push rules/house   # one of them, and the files of a folder
//! ```
//!
//! `--matches N` for each number of players (100), `--bots KIND` on all seats (steady), `--duels N` for so many duplicate deals of that
//! kind (0) `--against KIND` (easy) with `--seed N` (7), `--threads N` (as many as there are cores), `--seats N` for one number of
//! players alone, `--rounds` for a line on each round, `--most P` to fail where a round is blocked in more than P percent, `--show` for
//! what lay on the table and in the hands when a round was blocked.

#[path = "common/games.rs"]
mod games;
#[path = "common/words.rs"]
mod words;

use cards::Face;
use contract::solver::{cards_of, counts_of};
use contract::{Command, Event, Match};
use game::{Game, Input, Seat, Viewer};
use games::load;
use lab::matches::{seed_of, spread};
use lab::sim::{ContractTally, contract_match, leaves_completing};
use lab::stats::wilson;
use lab::tournament::{MakeBot, Setting, tournament};
use rulebook::{Loaded, Rules};
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use words::{Words, ended};

/// What is asked for.
struct Asked {
    games: Vec<String>,
    matches: u64,
    duels: u64,
    bots: String,
    against: String,
    seed: u64,
    threads: usize,
    seats: Option<u8>,
    rounds: bool,
    most: Option<f64>,
    show: bool,
}

/// Reads the arguments.
fn asked() -> Result<Asked, String> {
    let mut asked = Asked {
        games: Vec::new(),
        matches: 100,
        duels: 0,
        bots: "steady".to_owned(),
        against: "easy".to_owned(),
        seed: 7,
        threads: std::thread::available_parallelism().map_or(1, Into::into),
        seats: None,
        rounds: false,
        most: None,
        show: false,
    };
    let mut words = Words::new();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--matches" => asked.matches = words.value(&word)?,
            "--duels" => asked.duels = words.value(&word)?,
            "--bots" => asked.bots = words.value(&word)?,
            "--against" => asked.against = words.value(&word)?,
            "--seed" => asked.seed = words.value(&word)?,
            "--threads" => asked.threads = words.value(&word)?,
            "--seats" => asked.seats = Some(words.value(&word)?),
            "--rounds" => asked.rounds = true,
            "--show" => asked.show = true,
            "--most" => asked.most = Some(words.value(&word)?),
            _ if word.starts_with("--") => return Err(format!("there is no {word}")),
            _ => asked.games.push(word),
        }
    }
    Ok(asked)
}

/// The games: built in, a file, or all files of a folder.
fn games(names: &[String]) -> Result<Vec<(String, Loaded)>, String> {
    let all: Vec<String> = if names.is_empty() {
        rulebook::presets().into_iter().map(str::to_owned).collect()
    } else {
        names.to_vec()
    };
    let mut games = Vec::new();
    for name in all {
        let path = Path::new(&name);
        let mut files = vec![path.to_owned()];
        if path.is_dir() {
            let entries = path.read_dir().map_err(|e| format!("{name}: {e}"))?;
            files = entries.flatten().map(|entry| entry.path()).collect();
            files.sort();
        }
        for file in files {
            let id = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            games.push((id, load(&file.to_string_lossy())?));
        }
    }
    Ok(games)
}

/// What one match came to: its rounds, decisions about a discard, completing discards that were left lying, and how its
/// blocked rounds ended, in words.
#[derive(Default)]
struct Came {
    tally: ContractTally,
    ends: Vec<String>,
    dead: u64,
    decisions: u64,
    offered: u64,
    left: u64,
}

/// Plays a match of a kind of bot.
fn one_match(rules: &Arc<contract::Rules>, bots: &str, seats: u8, seed: u64) -> Result<Came, String> {
    let mut players: Vec<_> = (0..seats).map(|_| bots::of_contract(bots).expect("a kind of bot")).collect();
    let mut came = Came::default();
    let mut seen = |game: &Match, input: &Input<Command>, events: &[Event]| {
        if events.iter().any(|event| matches!(event, Event::RoundOver { winner: None, .. })) {
            came.ends.push(end(game));
            came.dead += u64::from(dead(game));
        }
        came.decisions += u64::from(matches!(input, Input::Play(..)));
        if let Some(left) = leaves_completing(game, input) {
            came.offered += 1;
            came.left += u64::from(left);
        }
    };
    let tally = contract_match(rules, &mut players, seed, &mut seen).map_err(|e| e.to_string())?;
    Ok(Came { tally, ..came })
}

/// Whether everybody is down and no card that is not laid fits on any meld: then nobody can go out any more.
fn dead(game: &Match) -> bool {
    let view = game.view(Viewer::Table);
    let (flow, law) = (&view.flow, view.law());
    let mut left = counts_of(view.compiled.cards.iter().copied());
    for face in view.board.melds.iter().flat_map(|m| m.meld.faces()) {
        left[face.index()] -= 1;
    }
    let fits = |face: &Face| view.board.melds.iter().any(|m| law.fit(&m.meld, *face).any());
    (0..flow.seats).all(|seat| flow.down.has(Seat(seat))) && !cards_of(&left).iter().any(fits)
}

/// How a round that is about to be blocked stands.
fn end(game: &Match) -> String {
    let view = game.view(Viewer::Table);
    let (flow, pack) = (&view.flow, &view.compiled.pack);
    let mut text = format!(
        "    round {} after {} turns each, stock {}, pile {}, remade {} times\n",
        view.round().number,
        flow.turns / u16::from(flow.seats),
        flow.stock,
        flow.pile,
        flow.recycles
    );
    for meld in &view.board.melds {
        let _ = writeln!(text, "      {} laid {}", meld.owner.0 + 1, meld.meld.text(pack));
    }
    for seat in (0..flow.seats).map(Seat) {
        let hand: Vec<Face> = game.view(Viewer::Seat(seat)).hand.cards().collect();
        let down = if flow.down.has(seat) { ", is down" } else { "" };
        let _ = writeln!(text, "      {} holds {}{down}", seat.0 + 1, pack.text_all(&hand));
    }
    text
}

fn run() -> Result<bool, String> {
    let asked = asked()?;
    for kind in [&asked.bots, &asked.against] {
        if bots::of_contract(kind).is_none() {
            return Err(format!("`{kind}` is no bot for contract games"));
        }
    }
    let threads = asked.threads;
    println!(
        "game                    n  blocked  worst round       met  completing left lying  {} against {}",
        asked.bots, asked.against
    );
    let (mut all_well, mut decisions, mut lying, mut blocked, mut dead) = (true, 0, 0, 0, 0);
    for (id, loaded) in games(&asked.games)? {
        for seats in loaded.info.players_min..=loaded.info.players_max {
            let Ok(rules) = loaded.rules(seats) else { continue };
            let Rules::Contract(rules) = &*rules else { continue };
            if asked.seats.is_some_and(|only| only != seats) {
                continue;
            }
            let play = |i| one_match(rules, &asked.bots, seats, seed_of(1, i));
            let mut all = Came::default();
            for came in spread(asked.matches, threads, play, || true) {
                let came = came.map_err(|e| format!("{id}, {seats} players: {e}"))?;
                all.tally.merge(&came.tally);
                all.decisions += came.decisions;
                all.offered += came.offered;
                all.left += came.left;
                all.ends.extend(came.ends);
                all.dead += came.dead;
            }
            let rounds: Vec<_> = all.tally.rounds.iter().enumerate().filter(|(_, r)| r.played > 0).collect();
            let sum = |of: fn(&lab::sim::RoundTally) -> u64| rounds.iter().map(|(_, r)| of(r)).sum::<u64>();
            let share = |a: u64, b: u64| 100.0 * a as f64 / b.max(1) as f64;
            let worst = rounds
                .iter()
                .map(|(i, r)| (share(r.blocked, r.played), i + 1))
                .max_by(|a, b| a.0.total_cmp(&b.0))
                .unwrap_or_default();
            let duel = if asked.duels > 0 { duel(rules, seats, &asked) } else { String::new() };
            println!(
                "{id:<22} {seats:>2}  {:>5.1} %  {:>5.1} % (of {:>2})  {:>5.1} %  {:>5} of {:>6}  {duel}",
                share(sum(|r| r.blocked), sum(|r| r.played)),
                worst.0,
                worst.1,
                share(sum(|r| r.met), sum(|r| r.seats)),
                all.left,
                all.offered,
            );
            for (i, r) in rounds.iter().filter(|_| asked.rounds) {
                let (blocked, met) = (wilson(r.blocked, r.played), share(r.met, r.seats));
                println!(
                    "    round {:>2}: blocked {:>5.1} % ({:.1} to {:.1}), met {met:>5.1} %, turns {:>5.1}, points {:>6.1}, takes {:>4.2}",
                    i + 1,
                    share(r.blocked, r.played),
                    100.0 * blocked.low,
                    100.0 * blocked.high,
                    r.length.mean(),
                    r.points.mean(),
                    r.takes.mean(),
                );
            }
            blocked += all.ends.len();
            dead += all.dead;
            all.ends.iter().filter(|_| asked.show).for_each(|end| print!("{end}"));
            all_well &= asked.most.is_none_or(|most| worst.0 <= most);
            decisions += all.decisions;
            lying += all.left;
        }
    }
    println!("{decisions} decisions, {lying} completing discards left lying");
    println!(
        "{blocked} rounds blocked, in {dead} of them all were down and no card was left that fits on a meld"
    );
    Ok(all_well)
}

/// One kind against another over duplicate deals: the share of opposed seats in which the first came out ahead, and its 99th
/// percentile of the time for a decision.
fn duel(rules: &Arc<contract::Rules>, seats: u8, asked: &Asked) -> String {
    let bots: Vec<(String, Box<MakeBot<Match>>)> = [&asked.bots, &asked.against]
        .map(|name| -> (String, Box<MakeBot<Match>>) {
            let kind = name.clone();
            (name.clone(), Box::new(move || bots::of_contract(&kind).expect("a kind of bot")))
        })
        .into();
    let setting =
        Setting { seats, seeds: asked.duels, seed: asked.seed, threads: asked.threads, most: 1_000_000 };
    let standings = tournament::<Match>(rules, &setting, &bots, None, || true);
    let pair = &standings.pairings[0];
    let unfinished =
        standings.unfinished.first().map_or_else(String::new, |why| format!(", not finished: {why}"));
    let first = standings.ratings.iter().find(|rating| rating.bot == pair.first);
    let (mean, p99) = first.map_or((0.0, 0.0), |rating| (rating.mean_us / 1_000.0, rating.p99_us / 1_000.0));
    format!(
        "{:.3} ({:.3} to {:.3}), mean {mean:.1} ms, p99 {p99:.1} ms{unfinished}",
        pair.share, pair.interval.low, pair.interval.high
    )
}

fn main() -> ExitCode {
    ended(run())
}
