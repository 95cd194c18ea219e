//! `parlour replay`: prints a match record in notation.

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
pub fn run(_args: Args) -> anyhow::Result<ExitCode> {
    anyhow::bail!("replaying records is not in this build yet")
}
