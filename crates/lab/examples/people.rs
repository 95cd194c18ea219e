//! How the bots of the Set family look beside what is known of people. Three tables: times for one Set among twelve cards beside the
//! published ones, times and slips in play, and what neighbouring levels win against each other.
//!
//!     cargo run --release -p parlour-lab --example people
//!     cargo run --release -p parlour-lab --example people -- --matches 200 --games set-classic,memory
//!
//! The same seed gives the same figures. Levels are names (easy, medium, hard) or numbers from 0 to 100.

#[path = "common/words.rs"]
mod words;

use lab::people::{PUBLISHED, alone, in_play};
use lab::report::Table;
use lab::tournament::{MakeBot, Setting, tournament};
use pattern::rules::Mechanism;
use pattern::{Match, Rules};
use std::process::ExitCode;
use std::sync::Arc;
use words::{Words, ended};

struct Asked {
    matches: u64,
    layouts: u64,
    games: Vec<String>,
    levels: Vec<String>,
    seed: u64,
}

fn asked() -> Result<Asked, String> {
    let mut asked = Asked {
        matches: 60,
        layouts: 2_000,
        games: ["set-classic", "superset-h", "ultra", "double"].map(str::to_owned).to_vec(),
        levels: bots::pattern::Level::NAMED.map(|(name, _)| name.to_owned()).to_vec(),
        seed: 1,
    };
    let mut words = Words::new();
    let list = |text: String| text.split(',').map(str::to_owned).collect();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--matches" => asked.matches = words.value(&word)?,
            "--layouts" => asked.layouts = words.value(&word)?,
            "--seed" => asked.seed = words.value(&word)?,
            "--games" => asked.games = list(words.value(&word)?),
            "--levels" => asked.levels = list(words.value(&word)?),
            other => return Err(format!("`{other}`: --matches, --layouts, --seed, --games or --levels")),
        }
    }
    Ok(asked)
}

fn rules(game: &str, seats: u8) -> Result<Arc<Rules>, String> {
    let loaded = rulebook::preset(game).map_err(|_| format!("`{game}` is no built-in game"))?;
    match &*loaded.rules(seats).map_err(|faults| faults.to_string())? {
        rulebook::Rules::Pattern(rules) => Ok(rules.clone()),
        rulebook::Rules::Contract(_) => Err(format!("`{game}` is no game of the Set family")),
    }
}

fn level(name: &str) -> Result<bots::pattern::Level, String> {
    use bots::pattern::Level;
    let named = Level::NAMED.iter().find(|(known, _)| *known == name).map(|(_, level)| *level);
    named.or_else(|| name.parse().ok().and_then(Level::new)).ok_or(format!("`{name}` is no level"))
}

/// One Set among twelve cards.
fn beside_people(asked: &Asked) -> Result<(), String> {
    let classic = rules("set-classic", 2)?;
    let mut table = Table::new(&[
        "one Set among twelve cards",
        "features",
        "published s",
        "mean s",
        "spread s",
        "median s",
    ]);
    for name in &asked.levels {
        let level = level(name)?;
        let published = PUBLISHED.iter().find(|(known, _)| *known == level).map(|(_, times)| times);
        for features in 1..=4 {
            let times =
                alone(&classic, level, features, asked.layouts, asked.seed).map_err(|e| e.to_string())?;
            let mut seconds: Vec<f64> = times.iter().map(|&ms| f64::from(ms) / 1000.0).collect();
            seconds.sort_unstable_by(f64::total_cmp);
            let n = seconds.len().max(1) as f64;
            let mean = seconds.iter().sum::<f64>() / n;
            let spread = (seconds.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / n).sqrt();
            let told = published.map_or_else(String::new, |times| format!("{:.0}", times[features - 1]));
            let median = seconds.get(seconds.len() / 2).copied().unwrap_or(0.0);
            let figures = [mean, spread, median].map(|s| format!("{s:.1}"));
            table.rows.push([vec![name.clone(), features.to_string(), told], figures.to_vec()].concat());
        }
    }
    println!("{}", table.text());
    Ok(())
}

/// Times from when calls opened, and slips.
fn claims(asked: &Asked) -> Result<(), String> {
    let head =
        ["claims of two alike", "level", "claims", "10 % within s", "half", "90 %", "before 2 s", "wrong"];
    let mut table = Table::new(&head);
    for game in &asked.games {
        let rules = rules(game, 2)?;
        if rules.mechanism != Mechanism::Race {
            continue;
        }
        for name in &asked.levels {
            let claims =
                in_play(&rules, level(name)?, 2, asked.matches, asked.seed).map_err(|e| e.to_string())?;
            let all = claims.times.len() as u64 + claims.wrong;
            table.rows.push(vec![
                game.clone(),
                name.clone(),
                all.to_string(),
                format!("{:.2}", claims.quantile(0.1)),
                format!("{:.2}", claims.quantile(0.5)),
                format!("{:.2}", claims.quantile(0.9)),
                format!("{:.1} %", claims.within(2_000) * 100.0),
                format!("{:.1} %", claims.wrong as f64 / all.max(1) as f64 * 100.0),
            ]);
        }
    }
    println!("{}", table.text());
    Ok(())
}

/// What each level wins against the one below it.
fn neighbours(asked: &Asked) -> Result<(), String> {
    let mut table = Table::new(&["neighbours", "stronger : weaker", "deals", "share", "95 % from", "to"]);
    for game in &asked.games {
        let rules = rules(game, 2)?;
        for pair in asked.levels.windows(2) {
            let bots: Vec<(String, Box<MakeBot<Match>>)> = [&pair[1], &pair[0]]
                .map(|name| {
                    let made = name.clone();
                    let make: Box<MakeBot<Match>> =
                        Box::new(move || bots::of_pattern(&made).expect("a level that was read"));
                    (name.clone(), make)
                })
                .into();
            let setting =
                Setting { seats: 2, seeds: asked.matches, seed: asked.seed, threads: 1, most: 1_000_000 };
            let standings = tournament::<Match>(&rules, &setting, &bots, None, || true);
            for line in &standings.unfinished {
                eprintln!("{game}: {line}");
            }
            let p = &standings.pairings[0];
            table.rows.push(vec![
                game.clone(),
                format!("{} : {}", pair[1], pair[0]),
                p.seeds.to_string(),
                format!("{:.3}", p.share),
                format!("{:.3}", p.interval.low),
                format!("{:.3}", p.interval.high),
            ]);
        }
    }
    println!("{}", table.text());
    Ok(())
}

fn main() -> ExitCode {
    let told = asked().and_then(|asked| {
        beside_people(&asked)?;
        claims(&asked)?;
        neighbours(&asked)
    });
    ended(told.map(|()| true))
}
