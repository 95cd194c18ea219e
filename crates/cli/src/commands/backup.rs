//! `parlour backup`: a copy of the data while the server runs.

use std::path::PathBuf;
use std::process::ExitCode;

/// Copy the parlour's data folder to DEST, also while the server is running.
#[derive(clap::Args)]
pub struct Args {
    /// Folder to write the copy to; it is made if it is missing, and must be empty.
    pub dest: PathBuf,
}

/// Makes the copy.
pub fn run(_args: Args) -> anyhow::Result<ExitCode> {
    anyhow::bail!("backing up is not in this build yet")
}
