//! What the subcommands of the laboratory share: the game, threads, progress, files.

use anyhow::{Context, Result, anyhow, bail};
use indicatif::{ProgressBar, ProgressStyle};
use rulebook::{Files, Rules, Source};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

/// Rule files from disk.
pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &str) -> Result<String, String> {
        std::fs::read_to_string(path).map_err(|e| format!("{path}: {e}"))
    }
}

/// A game as it is played in the laboratory.
pub struct Table {
    /// The rules for so many players.
    pub rules: Arc<Rules>,
    /// How many.
    pub players: u8,
    /// What a player reads of the rules, as Markdown, options that the rule file sets included.
    pub sheet: String,
}

/// A built-in game or a rule file for a table of `players` seats, or of the fewest that can play, at least `least`.
pub fn game_rules(game: &str, players: Option<u8>, least: u8) -> Result<Table> {
    let source =
        if rulebook::preset_text(game).is_some() { Source::Preset(game) } else { Source::File(game) };
    let loaded = rulebook::load(source, None, &Disk).map_err(|faults| anyhow!("{faults}"))?;
    let players = players.unwrap_or_else(|| lab::sim::fewest(&loaded).max(least));
    let rules = loaded.rules(players).map_err(|faults| anyhow!("{faults}"))?;
    let sheet = loaded.sheet(Some(players)).map_err(|faults| anyhow!("{faults}"))?;
    Ok(Table { rules, players, sheet })
}

/// Of what figures are, for tables, pages and JSON: the program, the game, the players, who played with its version.
pub fn facts(game: &str, table: &Table, (deals, seed): (u64, u64), bots: &[String]) -> Vec<(String, String)> {
    let bots = if bots.is_empty() { "none: claims at random".to_owned() } else { bots.join(", ") };
    let fact = |what: &str, value: String| (what.to_owned(), value);
    vec![
        fact("program", record::ENGINE.to_owned()),
        fact("game", game.to_owned()),
        fact("players", table.players.to_string()),
        fact("deals", deals.to_string()),
        fact("seed", seed.to_string()),
        fact("bots", bots),
    ]
}

/// The same as JSON, with the rules.
pub fn facts_json(facts: &[(String, String)], table: &Table) -> serde_json::Value {
    let mut value: serde_json::Map<_, _> =
        facts.iter().map(|(what, value)| (what.clone(), serde_json::Value::from(value.as_str()))).collect();
    value.insert("rules".to_owned(), table.sheet.as_str().into());
    value.into()
}

/// Figures as one table: what each is called, of what it is where there are several, and the plain number.
pub fn figures_csv(value: &serde_json::Value) -> String {
    use serde_json::Value;
    fn walk(value: &Value, names: &mut Vec<String>, of: &mut Vec<String>, table: &mut lab::report::Table) {
        match value {
            Value::Object(map) => map.iter().for_each(|(key, value)| {
                // Sizes of layouts and numbers of rounds are what a figure is of; all else is its name.
                let path = if key.parse::<u64>().is_ok() { &mut *of } else { &mut *names };
                path.push(key.clone());
                walk(value, names, of, table);
                if key.parse::<u64>().is_ok() {
                    of.pop()
                } else {
                    names.pop()
                };
            }),
            Value::Array(list) => list.iter().zip(1..).for_each(|(value, n)| {
                of.push(n.to_string());
                walk(value, names, of, table);
                of.pop();
            }),
            Value::Number(n) => table.rows.push(vec![names.join("."), of.join("."), n.to_string()]),
            _ => {}
        }
    }
    let mut table = lab::report::Table::new(&["figure", "of", "value"]);
    walk(value, &mut Vec::new(), &mut Vec::new(), &mut table);
    table.csv()
}

/// How many threads to use.
pub fn threads(asked: Option<usize>) -> Result<usize> {
    match asked {
        Some(0) => bail!("--threads 0: at least one thread is needed"),
        Some(n) => Ok(n),
        None => Ok(std::thread::available_parallelism().map_or(1, Into::into)),
    }
}

/// Writes a file, with its name in the error.
pub fn save(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))
}

/// After this long it can be told how long all will take.
const SOON: Duration = Duration::from_secs(2);
/// Work that takes longer says so.
const LONG: Duration = Duration::from_secs(60);

/// A bar with rate and time left on the terminal; Ctrl-C ends the work early. Work that would take more than a minute says
/// so, also where there is no terminal to show a bar.
pub struct Progress {
    bar: ProgressBar,
    said: AtomicBool,
}

static STOPPED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Whether Ctrl-C was pressed, from now on.
pub fn stop_on_ctrl_c() -> Arc<AtomicBool> {
    let stopped = STOPPED.clone();
    // The second time it ends the program.
    ctrlc::set_handler(|| {
        if STOPPED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .ok();
    stopped
}

impl Progress {
    /// For `steps` steps of `each` things called `what`.
    pub fn new(steps: u64, what: &str, each: u64) -> Result<Progress> {
        let bar = ProgressBar::new(steps);
        let template = format!("{{bar:40}} {{pos}}/{{len}} x {each} {what}, {{per_sec}}, {{eta}} left");
        bar.set_style(ProgressStyle::with_template(&template)?);
        stop_on_ctrl_c();
        Ok(Progress { bar, said: AtomicBool::new(false) })
    }

    /// One step is done; whether to go on.
    pub fn step(&self) -> bool {
        self.bar.inc(1);
        self.warn();
        !STOPPED.load(Ordering::Relaxed)
    }

    /// Says once how long it will take, as soon as that can be told, if it is long.
    fn warn(&self) {
        let spent = self.bar.elapsed();
        if spent < SOON || self.said.swap(true, Ordering::Relaxed) {
            return;
        }
        let done = self.bar.position().max(1) as f64;
        let all = spent.mul_f64(self.bar.length().unwrap_or(0) as f64 / done);
        if all > LONG {
            let minutes = all.as_secs_f64() / 60.0;
            self.bar.suspend(|| {
                eprintln!("This will take about {minutes:.1} minutes. Ctrl-C ends it early and prints what is finished.");
            });
        }
    }

    /// All is done, or was stopped.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
        if STOPPED.load(Ordering::Relaxed) {
            eprintln!("stopped early: what follows is of the part that was finished");
        }
    }
}
