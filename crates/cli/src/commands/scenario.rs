//! `parlour scenario`: plays scenario files.

use std::path::PathBuf;
use std::process::ExitCode;

/// Play scenario files and say of each whether it holds.
///
/// Exit status 0 if all hold, 1 if any fails, 2 if a file cannot be read. The notation is described in docs/notation.md.
#[derive(clap::Args)]
pub struct Args {
    /// Scenario files (TOML).
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print one JSON object a file: file, ok, line, expected, found.
    #[arg(long)]
    pub json: bool,
}

/// Plays the files in order.
pub fn run(_args: Args) -> anyhow::Result<ExitCode> {
    anyhow::bail!("scenarios are not in this build yet")
}
