//! `parlour print`: sheets of pattern cards to print and cut.

use anyhow::{Context, Result, bail};
use cards::Deck;
use print::Options;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Writes the pattern cards as A4 sheets (PDF) to print and cut, 21 cards a page
#[derive(clap::Args)]
pub struct Args {
    /// d81 (the whole deck), d27 (the quick deck) or d243 (with backgrounds)
    deck: String,
    /// Where to write; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Add a sheet of backs after each sheet of faces
    #[arg(long)]
    backs: bool,
    /// Put a letter for the colour on each symbol
    #[arg(long)]
    letters: bool,
    /// Leave out the marks that show where to cut
    #[arg(long)]
    no_crop_marks: bool,
}

/// Runs the subcommand.
pub fn run(args: Args) -> Result<ExitCode> {
    let deck = match args.deck.as_str() {
        "d27" => Deck::D27,
        "d81" => Deck::D81,
        "d243" => Deck::D243,
        other => bail!("`{other}` is no deck: d81, d27 or d243"),
    };
    let file = print::pdf(
        deck,
        Options { crop_marks: !args.no_crop_marks, backs: args.backs, letters: args.letters },
    );
    let path = args.output.unwrap_or_else(|| PathBuf::from(format!("parlour-{}.pdf", args.deck)));
    if path.as_os_str() == "-" {
        std::io::stdout().write_all(&file).context("standard output")?;
    } else {
        std::fs::write(&path, &file).with_context(|| format!("{} cannot be written", path.display()))?;
        outln!("wrote {} ({} cards)", path.display(), print::cards_of(deck).len());
    }
    Ok(ExitCode::SUCCESS)
}
