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

/// The rules of a built-in game or a rule file for a table of `players` seats, or of the fewest that can play.
pub fn game_rules(game: &str, players: Option<u8>) -> Result<(Arc<Rules>, u8)> {
    let source =
        if rulebook::preset_text(game).is_some() { Source::Preset(game) } else { Source::File(game) };
    let loaded = rulebook::load(source, None, &Disk).map_err(|faults| anyhow!("{faults}"))?;
    let players = players.unwrap_or_else(|| lab::sim::fewest(&loaded));
    let rules = loaded.rules(players).map_err(|faults| anyhow!("{faults}"))?;
    Ok((rules, players))
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
