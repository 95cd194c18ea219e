//! `parlour rules`: lists, shows, checks and shares rule files.

use super::scenario::Folder;
use crate::out::prose;
use anyhow::Context;
use game::{Say, say};
use lab::rehearsal::rehearse;
use rulebook::{Faults, Loaded, Rules, Source};
use serde_json::json;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// List the games, show a rule sheet, check a rule file, share house rules.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// List the built-in games.
    List {
        /// Print one JSON object a game.
        #[arg(long)]
        json: bool,
    },
    /// Print the rule sheet of a game as Markdown.
    Show {
        /// A built-in game, or a rule file.
        game: String,
        /// For so many players, where the rules depend on it.
        #[arg(long, value_name = "N")]
        players: Option<u8>,
        /// Print the rule file itself instead, to copy and change.
        #[arg(long)]
        file: bool,
    },
    /// Check a rule file and name every fault at once. Exit status 0 if it can be played, 1 if not, 2 if it cannot be read.
    ///
    /// Bots play some matches of a contract game, for a few seconds, to warn of rounds whose contract is hardly ever met or in
    /// which nobody goes out.
    Check {
        /// Rule files (TOML).
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Print one JSON object a file: file, ok, faults, warnings, doubts.
        #[arg(long)]
        json: bool,
        /// Only read the files: no matches are played.
        #[arg(long)]
        quick: bool,
    },
    /// Print what can be set in a game, in plain words.
    Options {
        /// A built-in game, or a rule file.
        game: String,
        /// Print a JSON list.
        #[arg(long)]
        json: bool,
    },
    /// Print the JSON Schema of rule files.
    Schema,
    /// Print a short code for a rule file, to pass on.
    Share {
        /// A rule file, or a built-in game.
        game: String,
    },
    /// Print the rule file of a code; `-` reads the code from standard input.
    Unshare {
        /// The code.
        code: String,
    },
}

/// Loads a built-in game, or a rule file by its path.
pub fn load(game: &str) -> Result<Loaded, Faults> {
    let path = Path::new(game);
    if game.ends_with(".toml") || game.contains('/') || path.is_file() {
        let folder = path.parent().unwrap_or(Path::new(""));
        let name = path.file_name().and_then(|n| n.to_str()).unwrap_or(game);
        rulebook::load(Source::File(name), None, &Folder(folder))
    } else {
        rulebook::preset(game)
    }
}

/// The text of a built-in game's file, or of a rule file.
fn text(game: &str) -> anyhow::Result<String> {
    match rulebook::preset_text(game) {
        Some(text) => Ok(text.to_owned()),
        None => std::fs::read_to_string(game)
            .with_context(|| format!("`{game}` is no built-in game and cannot be read")),
    }
}

/// Does what was asked of the rules.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.command {
        Command::List { json } => {
            for id in rulebook::presets() {
                let info = rulebook::preset(id)?.info;
                if json {
                    outln!("{}", serde_json::to_string(&info)?);
                } else {
                    let (min, max) = (info.players_min, info.players_max);
                    let players = if min == max { min.to_string() } else { format!("{min}-{max}") };
                    prose(&format!("{id:<24} {players:>5}   {}: {}\n", info.name, info.summary));
                }
            }
            Ok(ExitCode::SUCCESS)
        }
        Command::Show { game, file: true, .. } => {
            out!("{}", text(&game)?);
            Ok(ExitCode::SUCCESS)
        }
        Command::Show { game, players, file: false } => {
            prose(&load(&game)?.sheet(players)?);
            Ok(ExitCode::SUCCESS)
        }
        Command::Check { files, json, quick } => check(&files, json, quick),
        Command::Options { game, json } => {
            let options = load(&game)?.options();
            if json {
                outln!("{}", serde_json::to_string_pretty(&options)?);
            } else {
                for option in options {
                    let (key, default) = (option.key, option.default);
                    outln!("{key} = {default}");
                    prose(&format!("    {}: {} ({})\n", option.label, option.help, option.rule));
                }
            }
            Ok(ExitCode::SUCCESS)
        }
        Command::Schema => {
            outln!("{}", serde_json::to_string_pretty(&rulebook::schema())?);
            Ok(ExitCode::SUCCESS)
        }
        Command::Share { game } => {
            let text = text(&game)?;
            // Whoever gets the code has this one file and the built-in games, nothing else.
            rulebook::house::load(&text)
                .with_context(|| format!("`{game}` cannot be passed on as a code"))?;
            outln!("{}", rulebook::share(&text));
            Ok(ExitCode::SUCCESS)
        }
        Command::Unshare { code } => {
            let code = if code == "-" {
                let mut read = String::new();
                std::io::stdin().read_to_string(&mut read)?;
                read
            } else {
                code
            };
            out!("{}", rulebook::unshare(&code)?);
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// How long bots play each number of players that is tried.
const REHEARSAL: Duration = Duration::from_millis(1_500);

/// What bots find hard to play in a game, for the fewest and for the most players; and where they were too slow to tell.
fn doubts(loaded: &Loaded) -> (Vec<String>, Vec<String>) {
    let (fewest, most) = (loaded.info.players_min, loaded.info.players_max);
    let (mut doubts, mut untold) = (Vec::new(), Vec::new());
    for players in [fewest, most].into_iter().take(if fewest == most { 1 } else { 2 }) {
        if let Ok(rules) = loaded.rules(players)
            && let Rules::Contract(rules) = &*rules
        {
            let rehearsal = rehearse(rules, players, REHEARSAL);
            let found = rehearsal.doubts();
            if found.is_empty() && rehearsal.tells_nothing() {
                untold.push(format!(
                    "with {players} players, bots ended {} matches in {REHEARSAL:?}: too few to tell whether a round can hardly be played (`parlour sim` plays as many as you like)",
                    rehearsal.matches
                ));
            }
            doubts.extend(found.into_iter().map(|doubt| format!("with {players} players, {doubt}")));
        }
    }
    (doubts, untold)
}

fn check(files: &[PathBuf], json: bool, quick: bool) -> anyhow::Result<ExitCode> {
    let mut worst = 0;
    for path in files {
        let file = path.display().to_string();
        // Faults are told with the path as given.
        let checked = match std::fs::read_to_string(path) {
            Ok(text) => {
                let folder = path.parent().unwrap_or(Path::new(""));
                rulebook::load(Source::Text { name: &file, text: &text }, None, &Folder(folder))
            }
            Err(why) => Err(Faults {
                faults: vec![rulebook::Fault {
                    place: rulebook::Place { file: file.as_str().into(), line: None },
                    check: "V1",
                    reason: match why.kind() {
                        std::io::ErrorKind::NotFound => say!("fault.file_missing"),
                        std::io::ErrorKind::InvalidData => say!("fault.file_no_text"),
                        _ => say!("fault.file_unread", why = why.to_string()),
                    },
                    remedy: Say::default(),
                }],
                missing: true,
            }),
        };
        let (faults, warnings) = match &checked {
            Ok(loaded) => (&[][..], &loaded.warnings[..]),
            Err(faults) => (&faults.faults[..], &[][..]),
        };
        worst = worst.max(match &checked {
            Ok(_) => 0,
            Err(faults) if faults.missing => 2,
            Err(_) => 1,
        });
        let (doubts, untold) = checked.as_ref().ok().filter(|_| !quick).map(doubts).unwrap_or_default();
        if json {
            outln!(
                "{}",
                json!({
                    "file": file, "ok": checked.is_ok(), "faults": faults, "warnings": warnings, "doubts": doubts,
                    "untold": untold,
                })
            );
            continue;
        }
        for fault in faults {
            prose(&format!("{fault}\n"));
        }
        for warning in warnings {
            prose(&format!("warning: {warning}\n"));
        }
        for doubt in doubts {
            prose(&format!("warning: {doubt}\n"));
        }
        if let Ok(loaded) = &checked {
            outln!(
                "ok {file}: {}, {} to {} players",
                loaded.info.name,
                loaded.info.players_min,
                loaded.info.players_max
            );
            for note in loaded.notes(loaded.info.players_min).iter().map(ToString::to_string).chain(untold) {
                prose(&format!("  {note}\n"));
            }
        }
    }
    Ok(ExitCode::from(worst))
}
