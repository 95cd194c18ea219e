//! `parlour tournament`: bots against bots over duplicate deals.

use super::bots::{contract_bot, listed, pattern_bot};
use super::lab::{Progress, game_rules, threads};
use anyhow::{Result, bail};
use lab::report::Table;
use lab::tournament::{MakeBot, Setting, Standings, tournament};
use rulebook::Rules;
use std::process::ExitCode;

/// Lets bots play each other over duplicate deals and says which is stronger, where the figures say so
///
/// Each pair shares a table and plays every deal again with the seats changed about.
#[derive(clap::Args)]
pub struct Args {
    /// A built-in game or a rule file
    game: String,
    #[arg(long, value_delimiter = ',', value_name = "BOTS", help = format!("Who plays (default: all): {}", listed()))]
    bots: Vec<String>,
    /// Deals that each pair plays, both ways round
    #[arg(long, default_value_t = 50, value_name = "N")]
    deals: u64,
    /// Seed of everything
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Seats at the table (default: the fewest that can play, at least two)
    #[arg(long, value_name = "N")]
    players: Option<u8>,
    /// Threads to use (default: all cores)
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub fn run(args: Args) -> Result<ExitCode> {
    if args.deals == 0 {
        bail!("--deals 0: at least one deal is needed");
    }
    let threads = threads(args.threads)?;
    let (mut rules, mut seats) = game_rules(&args.game, args.players)?;
    if seats < 2 {
        (rules, seats) = game_rules(&args.game, Some(2))?;
    }
    let names: Vec<String> = if args.bots.is_empty() {
        bots::kinds(rules.family()).map(|kind| kind.name.to_owned()).collect()
    } else {
        args.bots.clone()
    };
    if names.len() < 2 {
        bail!("--bots: name at least two of {}", super::bots::names(rules.family()));
    }
    let setting = Setting { seats, seeds: args.deals, seed: args.seed, threads, most: 1_000_000 };
    let pairs = (names.len() * (names.len() - 1) / 2) as u64;
    let progress = Progress::new(pairs * args.deals, "deals", 1)?;
    let standings = match &*rules {
        Rules::Pattern(rules) => {
            let mut bots: Vec<(String, Box<MakeBot<pattern::Match>>)> = Vec::new();
            for name in &names {
                let version = pattern_bot(name)?.name().to_owned();
                let name = name.clone();
                bots.push((
                    version,
                    Box::new(move || pattern_bot(&name).unwrap_or_else(|e| unreachable!("{e}"))),
                ));
            }
            tournament::<pattern::Match>(rules, &setting, &bots, || progress.step())
        }
        Rules::Contract(rules) => {
            let mut bots: Vec<(String, Box<MakeBot<contract::Match>>)> = Vec::new();
            for name in &names {
                let version = contract_bot(name)?.name().to_owned();
                let name = name.clone();
                bots.push((
                    version,
                    Box::new(move || contract_bot(&name).unwrap_or_else(|e| unreachable!("{e}"))),
                ));
            }
            tournament::<contract::Match>(rules, &setting, &bots, || progress.step())
        }
    };
    progress.finish();
    if args.json {
        outln!("{}", serde_json::to_string(&standings)?);
    } else {
        print(&standings);
    }
    Ok(if standings.unfinished.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn print(standings: &Standings) {
    let mut table =
        Table::new(&["pair", "deals", "share", "95 % from", "to", "won", "lost", "p", "stronger"]);
    for p in &standings.pairings {
        table.rows.push(vec![
            format!("{} : {}", p.first, p.second),
            p.seeds.to_string(),
            format!("{:.3}", p.share),
            format!("{:.3}", p.interval.low),
            format!("{:.3}", p.interval.high),
            p.wins.to_string(),
            p.losses.to_string(),
            format!("{:.2e}", p.p),
            p.stronger.clone().unwrap_or_else(|| "not decided".to_owned()),
        ]);
    }
    outln!("{}", table.text());
    let mut table = Table::new(&["bot", "rating", "95 % from", "to", "p50 us", "p99 us"]);
    for r in &standings.ratings {
        table.rows.push(vec![
            r.bot.clone(),
            format!("{:.0}", r.rating),
            format!("{:.0}", r.interval.low),
            format!("{:.0}", r.interval.high),
            format!("{:.1}", r.p50_us),
            format!("{:.1}", r.p99_us),
        ]);
    }
    outln!("{}", table.text());
    for line in &standings.unfinished {
        eprintln!("not finished: {line}");
    }
}
