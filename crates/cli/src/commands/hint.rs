//! `parlour hint`: what a bot would do in a position that was written down, and why.

use super::scenario::Folder;
use crate::out::prose;
use anyhow::{Context, bail};
use bots::Advice;
use bots::contract::{Reason, Words};
use game::{Game, Say, Seat, Status, Viewer};
use record::scenario::{self, Failure};
use rulebook::{Family, View};
use serde_json::json;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Ask a bot what it would do in a position, and why. It sees what the seat that is asked about would see.
///
/// The position stands in a scenario file (docs/notation.md): its script is played first.
#[derive(clap::Args)]
pub struct Args {
    /// A scenario file (TOML).
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Which bot, by name or as a level from 0 to 100; `strong` in contract games and `hard` in those of the Set family unless said.
    #[arg(long)]
    pub bot: Option<String>,
    /// For which seat, from 0; for all that are awaited unless said.
    #[arg(long, value_name = "N")]
    pub seat: Option<u8>,
    /// Print one JSON object a seat: seat, bot, command, reason.
    #[arg(long)]
    pub json: bool,
}

/// Asks.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let file = args.file.display();
    let text = std::fs::read_to_string(&args.file).with_context(|| format!("`{file}` cannot be read"))?;
    let folder = Folder(args.file.parent().unwrap_or(Path::new("")));
    let game = match scenario::end(&text, &folder).with_context(|| file.to_string())? {
        Ok(game) => game,
        Err(Failure { line, expected, found, .. }) => {
            bail!("{file}:{line}: expected {expected}, found {found}")
        }
    };
    let seats: Vec<Seat> = match (args.seat, game.status()) {
        (Some(seat), _) if seat >= game.seats() => {
            bail!("--seat {seat}: the seats are 0 to {}", game.seats() - 1)
        }
        (Some(seat), _) => vec![Seat(seat)],
        (None, Status::Seats(awaited)) => awaited.iter().collect(),
        (None, _) => bail!("{file}: nobody is awaited at its end"),
    };
    let mut answered = false;
    for seat in seats {
        let view = game.view(Viewer::Seat(seat));
        let family = match view {
            View::Pattern(_) => Family::Pattern,
            View::Contract(_) => Family::Contract,
        };
        let bot = args.bot.as_deref().unwrap_or(match family {
            Family::Pattern => "hard",
            Family::Contract => "strong",
        });
        let advice = bots::advise(bot, &view).map_err(|_| super::bots::no_bot(bot, family))?;
        let Some((words, advice)) = advice.and_then(|advice| Some((in_words(seat, &advice, &view)?, advice)))
        else {
            eprintln!("seat {seat}: {bot} has nothing to say here");
            continue;
        };
        answered = true;
        if args.json {
            let mut told = serde_json::to_value(&advice)?;
            told["seat"] = json!(seat);
            outln!("{told}");
        } else {
            prose(&words);
        }
    }
    Ok(ExitCode::from(u8::from(!answered)))
}

/// Advice in words, with the cards and players of the view that it is about.
fn in_words(seat: Seat, advice: &Advice, view: &View) -> Option<String> {
    Some(match (advice, view) {
        (Advice::Contract(advice), View::Contract(view)) => contract_in_words(seat, advice, view),
        (Advice::Pattern(advice), View::Pattern(view)) => {
            let deck = screen::board::deck(view);
            let card = |card| deck.text(card);
            sentences(seat, &advice.bot, &advice.action(&card), &advice.reasons(&card))
        }
        _ => return None,
    })
}

/// What it would do, and below that why.
fn sentences(seat: Seat, bot: &str, action: &Say, reasons: &[Say]) -> String {
    let mut text = format!("seat {seat}, {bot}: {action}\n");
    for reason in reasons {
        let _ = writeln!(text, "  {reason}");
    }
    text
}

fn contract_in_words(seat: Seat, advice: &bots::contract::Advice, view: &contract::View) -> String {
    let card = |face| view.compiled.pack.text(face);
    let name = |seat: Seat| format!("seat {seat}");
    let words = Words { card: &card, name: &name };
    let mut text = sentences(seat, &advice.bot, &advice.action(words), &advice.reasons(words));
    if let Reason::Throw { weighed, .. } = &advice.reason
        && weighed.len() > 1
    {
        let _ = writeln!(
            text,
            "  {:<8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}",
            "throw", "missing", "helpers", "points", "learned", "waits", "ends at"
        );
        for card in weighed {
            let some = |number: Option<f32>| number.map_or_else(String::new, |n| format!("{n:.1}"));
            let _ = writeln!(
                text,
                "  {:<8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}",
                (words.card)(card.card),
                card.missing.map_or_else(String::new, |n| n.to_string()),
                card.helpers,
                card.points,
                some(card.learned),
                some(card.waits),
                some(card.played.filter(|played| played.rounds > 0).map(|played| played.points)),
            );
        }
    }
    text
}
