//! `parlour serve`: the server.

use std::process::ExitCode;

/// Open the parlour: serve the game tables and the web app.
#[derive(clap::Args)]
pub struct Args {}

/// Serves until Ctrl-C.
pub fn run(_args: Args) -> anyhow::Result<ExitCode> {
    anyhow::bail!("serving is not in this build yet")
}
