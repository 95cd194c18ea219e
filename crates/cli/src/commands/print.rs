//! `parlour print`: sheets of pattern cards to print and cut, and work sheets.

use anyhow::{Context, Result, bail};
use cards::Deck;
use print::Options;
use print::worksheet::{Kind, Worksheet};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Writes the pattern cards as A4 sheets (PDF) to print and cut, 21 cards a page; or work sheets for a class
#[derive(clap::Args)]
pub struct Args {
    /// d81 (the whole deck), d27 (the quick deck) or d243 (with backgrounds)
    #[arg(required_unless_present = "sheets", conflicts_with = "sheets")]
    deck: Option<String>,
    #[arg(long, value_name = "KIND", help = format!("Work sheets instead: {}", kinds()))]
    sheets: Option<String>,
    /// How hard the tasks are, 1 to 3
    #[arg(long, requires = "sheets", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=3))]
    level: u8,
    /// Which tasks: the same number makes the same sheet; by chance if it is not given
    #[arg(long, requires = "sheets")]
    seed: Option<u64>,
    /// Pages of tasks, 1 to 10; as many pages of solutions follow
    #[arg(long, requires = "sheets", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=10))]
    pages: u8,
    /// In which language the work sheets are: en, de, fr or es
    #[arg(long, requires = "sheets", default_value = "en", value_parser = ["en", "de", "fr", "es"])]
    language: String,
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
    let (file, name, what) = match &args.sheets {
        Some(kind) => worksheet(&args, kind)?,
        None => cards(&args)?,
    };
    let path = args.output.unwrap_or_else(|| PathBuf::from(format!("parlour-{name}.pdf")));
    if path.as_os_str() == "-" {
        std::io::stdout().write_all(&file).context("standard output")?;
    } else {
        std::fs::write(&path, &file).with_context(|| format!("{} cannot be written", path.display()))?;
        outln!("wrote {} ({what})", path.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// The cards of a deck: the file, its name, and what is in it.
fn cards(args: &Args) -> Result<(Vec<u8>, String, String)> {
    let name = args.deck.clone().unwrap_or_default();
    let deck = match name.as_str() {
        "d27" => Deck::D27,
        "d81" => Deck::D81,
        "d243" => Deck::D243,
        other => bail!("`{other}` is no deck: d81, d27 or d243"),
    };
    let file = print::pdf(
        deck,
        Options { crop_marks: !args.no_crop_marks, backs: args.backs, letters: args.letters },
    );
    Ok((file, name, format!("{} cards", print::cards_of(deck).len())))
}

/// The kinds of work sheets, by their names.
fn kinds() -> String {
    Kind::ALL.map(|(name, _)| name).join(", ")
}

/// Tasks of a kind, in the same way.
fn worksheet(args: &Args, name: &str) -> Result<(Vec<u8>, String, String)> {
    let Some((name, kind)) = Kind::named(name) else {
        bail!("`{name}` is no kind of work sheet: {}", kinds());
    };
    let seed = args.seed.unwrap_or_else(Worksheet::any_seed);
    let sheet = Worksheet { kind, level: args.level, seed, pages: args.pages.into() };
    let told = format!("level {}, seed {seed}", args.level);
    Ok((sheet.pdf(&args.language), format!("{name}-{}-{seed}", args.level), told))
}
