//! `parlour solve`: claims on a board, melds of a hand.

use anyhow::bail;
use rulebook::solve::{Question, Solver};
use serde_json::{Value, json};
use std::io::{BufRead, Write};
use std::process::ExitCode;

/// Find the claims of a board or the melds of a hand, by the engine that plays. The queries are described in docs/notation.md.
#[derive(clap::Args)]
pub struct Args {
    /// A built-in game, or a rule file.
    pub game: String,
    /// The query, as JSON; or use --stdin.
    pub query: Option<String>,
    /// Read one JSON query a line from standard input, and write one JSON answer a line.
    #[arg(long)]
    pub stdin: bool,
    /// Contract games: the lay-offs that leave the fewest points.
    #[arg(long, group = "question")]
    pub layoff: bool,
    /// Contract games: how far the hand is from the contract, and which cards bring it nearer.
    #[arg(long, group = "question")]
    pub missing: bool,
    /// Pattern games: what else is to be said about two to four cards (what completes or joins them), and whether the cards hold
    /// no Set.
    #[arg(long, group = "question")]
    pub about: bool,
    /// Pattern games: list at most this many claims.
    #[arg(long, default_value_t = 1000, value_name = "N")]
    pub limit: usize,
}

/// Answers the queries.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let mut solver = Solver::new(super::rules::load(&args.game)?);
    let question = match args {
        Args { layoff: true, .. } => Question::LayOff,
        Args { missing: true, .. } => Question::Missing,
        Args { about: true, .. } => Question::About,
        _ => Question::Solve { limit: args.limit },
    };
    let mut answer = |query: &str| -> Value {
        let read = serde_json::from_str(query).map_err(|why| format!("the query is no JSON: {why}"));
        read.and_then(|query| solver.answer(question, query)).unwrap_or_else(|why| json!({ "error": why }))
    };
    let mut out = std::io::stdout().lock();
    match (args.query, args.stdin) {
        (Some(query), false) => {
            let answer = answer(&query);
            writeln!(out, "{answer}")?;
            return Ok(ExitCode::from(u8::from(answer.get("error").is_some())));
        }
        (None, true) => {}
        _ => bail!("give a query, or --stdin to read them from standard input"),
    }
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        if !line.trim().is_empty() {
            writeln!(out, "{}", answer(&line))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
