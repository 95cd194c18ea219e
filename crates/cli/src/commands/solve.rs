//! `parlour solve`: claims on a board, melds of a hand.

use std::process::ExitCode;

/// Find the claims of a board or the melds of a hand, by the engine that plays. The queries are described in docs/notation.md.
#[derive(clap::Args)]
pub struct Args {
    /// A built-in game, or a rule file.
    pub game: String,
    /// Read one JSON query a line from standard input, and write one JSON answer a line.
    #[arg(long)]
    pub stdin: bool,
    /// Contract games: the lay-offs that leave the fewest points.
    #[arg(long)]
    pub layoff: bool,
    /// Pattern games: list at most this many claims.
    #[arg(long, default_value_t = 1000, value_name = "N")]
    pub limit: usize,
}

/// Answers the queries.
pub fn run(_args: Args) -> anyhow::Result<ExitCode> {
    anyhow::bail!("solving is not in this build yet")
}
