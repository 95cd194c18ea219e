//! `parlour solve`: claims on a board, melds of a hand.

use anyhow::bail;
use rulebook::{Loaded, Rules};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::sync::Arc;

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
    #[arg(long)]
    pub layoff: bool,
    /// Pattern games: list at most this many claims.
    #[arg(long, default_value_t = 1000, value_name = "N")]
    pub limit: usize,
}

/// Answers the queries.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let loaded = super::rules::load(&args.game)?;
    let mut solver = Solver { loaded, rules: BTreeMap::new(), layoff: args.layoff, limit: args.limit };
    let mut out = std::io::stdout().lock();
    match (args.query, args.stdin) {
        (Some(query), false) => {
            let answer = solver.answer(&query);
            writeln!(out, "{answer}")?;
            return Ok(ExitCode::from(u8::from(answer.get("error").is_some())));
        }
        (None, true) => {}
        _ => bail!("give a query, or --stdin to read them from standard input"),
    }
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        if !line.trim().is_empty() {
            writeln!(out, "{}", solver.answer(&line))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

struct Solver {
    loaded: Loaded,
    /// The rules by number of players, as far as they were asked for.
    rules: BTreeMap<u8, Arc<Rules>>,
    layoff: bool,
    limit: usize,
}

impl Solver {
    fn answer(&mut self, query: &str) -> Value {
        self.solve(query).unwrap_or_else(|why| json!({ "error": why }))
    }

    fn solve(&mut self, query: &str) -> Result<Value, String> {
        let query: Value =
            serde_json::from_str(query).map_err(|why| format!("the query is no JSON: {why}"))?;
        let players = match query.get("players") {
            None | Some(Value::Null) => None,
            Some(n) => {
                let n = n.as_u64().and_then(|n| u8::try_from(n).ok());
                Some(n.ok_or_else(|| {
                    format!("`players` is {}, which is no number of players", query["players"])
                })?)
            }
        };
        let rules = self.rules(players)?;
        let unreadable = |why: serde_json::Error| format!("the query cannot be read: {why}");
        let value = match &*rules {
            Rules::Pattern(_) if self.layoff => {
                return Err("lay-offs are a matter of contract games".to_owned());
            }
            Rules::Pattern(rules) => {
                let query = serde_json::from_value(query).map_err(unreadable)?;
                serde_json::to_value(pattern::solve::solve(rules, &query, self.limit)?)
            }
            Rules::Contract(rules) => {
                let query = serde_json::from_value(query).map_err(unreadable)?;
                if self.layoff {
                    serde_json::to_value(contract::solve::lay_off(rules, &query)?)
                } else {
                    serde_json::to_value(contract::solve::contract(rules, &query)?)
                }
            }
        };
        value.map_err(|why| why.to_string())
    }

    /// The rules for so many players; where nothing is said, those with the largest pack, so that a hand may hold as many
    /// jokers as the game ever has.
    fn rules(&mut self, players: Option<u8>) -> Result<Arc<Rules>, String> {
        let seats = players.unwrap_or(self.loaded.info.players_max);
        if let Some(rules) = self.rules.get(&seats) {
            return Ok(rules.clone());
        }
        let rules = self.loaded.rules(seats).map_err(|faults| faults.to_string())?;
        self.rules.insert(seats, rules.clone());
        Ok(rules)
    }
}
