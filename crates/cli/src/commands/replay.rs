//! `parlour replay`: prints a match record in notation.

use anyhow::Context;
use record::replay;
use std::path::PathBuf;
use std::process::ExitCode;

/// Print a match record in the notation of scenario files.
#[derive(clap::Args)]
pub struct Args {
    /// Match record (JSON lines).
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// Prints the record.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let file = args.file.display();
    let text = std::fs::read_to_string(&args.file).with_context(|| format!("{file} cannot be read"))?;
    let record =
        replay::read::<rulebook::Match>(&text).with_context(|| format!("{file} is no match record"))?;
    let printed =
        replay::text(&record, &|rules| rules.name()).with_context(|| format!("{file} cannot be replayed"))?;
    out!("{printed}");
    Ok(ExitCode::SUCCESS)
}
