//! `parlour tournament`: bots against bots over duplicate deals.

use super::bots::{bot, listed};
use super::lab::{Progress, facts, facts_json, game_rules, save, threads};
use anyhow::{Context, Result, bail};
use lab::report::{Bar, Plot, Report, Section, Table};
use lab::tournament::{Keep, Kept, MakeBot, Setting, Standings, tournament};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;

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
    /// Keep the record of every match in this folder, for `parlour verify` and `parlour replay`
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
    /// Write the pairs as one comma-separated table with plain numbers
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write a page with tables and plots, too
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

/// Runs the subcommand.
pub fn run(args: Args) -> Result<ExitCode> {
    if args.deals == 0 {
        bail!("--deals 0: at least one deal is needed");
    }
    let threads = threads(args.threads)?;
    // Before any work: can all be written that is to be written?
    for path in args.csv.iter().chain(&args.report) {
        save(path, "")?;
    }
    if let Some(folder) = &args.records {
        std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    }
    let table = game_rules(&args.game, args.players, 2)?;
    if table.players < 2 {
        bail!("--players {}: bots need somebody to play against: at least 2", table.players);
    }
    let family = table.rules.family();
    let names: Vec<String> = if args.bots.is_empty() {
        bots::kinds(family).map(|kind| kind.name.to_owned()).collect()
    } else {
        args.bots.clone()
    };
    if names.len() < 2 {
        bail!("--bots: name at least two of {}", super::bots::names(family));
    }
    let mut bots: Vec<(String, Box<MakeBot<rulebook::Match>>)> = Vec::new();
    for name in &names {
        let version = bot(name, &table.rules)?.name().to_owned();
        let (name, rules) = (name.clone(), table.rules.clone());
        bots.push((version, Box::new(move || bot(&name, &rules).unwrap_or_else(|e| unreachable!("{e}")))));
    }
    let setting =
        Setting { seats: table.players, seeds: args.deals, seed: args.seed, threads, most: 1_000_000 };
    let pairs = (names.len() * (names.len() - 1) / 2) as u64;
    let progress = Progress::new(pairs * args.deals, "deals", 1)?;
    let unwritten = Mutex::new(None);
    let write = |kept: Kept| {
        let Some(folder) = &args.records else { return };
        if let Err(why) = save(&folder.join(file_name(&kept)), &kept.text) {
            unwritten.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(why);
        }
    };
    let keep: Option<&Keep<'_>> = if args.records.is_some() { Some(&write) } else { None };
    let standings = tournament::<rulebook::Match>(&table.rules, &setting, &bots, keep, || progress.step());
    progress.finish();
    if let Some(why) = unwritten.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        return Err(why);
    }
    let versions: Vec<String> = bots.iter().map(|(version, _)| version.clone()).collect();
    let facts = facts(&args.game, &table, (args.deals, args.seed), &versions);
    if args.json {
        let mut value = serde_json::to_value(&standings)?;
        value["about"] = facts_json(&facts, &table);
        outln!("{value}");
    } else {
        for (what, value) in &facts {
            outln!("{what}: {value}");
        }
        outln!("");
        print(&standings);
    }
    if let Some(path) = &args.csv {
        save(path, &plain(&standings).csv())?;
    }
    if let Some(path) = &args.report {
        let mut report = page(&standings);
        let chosen =
            if args.bots.is_empty() { String::new() } else { format!(" --bots {}", names.join(",")) };
        report.title = format!("{}: {}", args.game, versions.join(", "));
        report.command = format!(
            "parlour tournament {}{chosen} --deals {} --seed {} --players {}",
            args.game, args.deals, args.seed, table.players
        );
        (report.facts, report.rules) = (facts, table.sheet);
        save(path, &report.html().map_err(anyhow::Error::msg)?)?;
        eprintln!("wrote {}", path.display());
    }
    Ok(if standings.unfinished.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What a record is called: `steady.1-easy.2-00001-a.jsonl`; `b` is the deal with the bots changed about.
fn file_name(kept: &Kept) -> String {
    let [first, second] = &kept.pair;
    let way = if kept.deal.1 { 'b' } else { 'a' };
    format!("{first}-{second}-{:05}-{way}.jsonl", kept.deal.0).replace('/', ".")
}

/// The pairs with plain numbers.
fn plain(standings: &Standings) -> Table {
    let mut table =
        Table::new(&["first", "second", "deals", "share", "low", "high", "won", "lost", "p", "stronger"]);
    for p in &standings.pairings {
        table.rows.push(vec![
            p.first.clone(),
            p.second.clone(),
            p.seeds.to_string(),
            p.share.to_string(),
            p.interval.low.to_string(),
            p.interval.high.to_string(),
            p.wins.to_string(),
            p.losses.to_string(),
            p.p.to_string(),
            p.stronger.clone().unwrap_or_default(),
        ]);
    }
    table
}

fn page(standings: &Standings) -> Report {
    let bar = |label: String, value: f64, interval| Bar { label, value, interval: Some(interval) };
    let pairs = standings.pairings.iter();
    let shares = pairs.map(|p| bar(format!("{} : {}", p.first, p.second), p.share, p.interval)).collect();
    let rated = standings.ratings.iter().map(|r| bar(r.bot.clone(), r.rating, r.interval)).collect();
    let plot = |across: &str, up: &str, bars| Some(Plot { across: across.into(), up: up.into(), bars });
    Report {
        sections: vec![
            Section {
                heading: "Pairs".into(),
                text: "The share of what the first could win of the second over the same deals, both ways round. Intervals \
                       (95 %) are over deals: matches of one deal count once. One is called stronger only where the interval \
                       leaves out one half and the sign test of the deals, for so many pairs, has a p below .05."
                    .into(),
                table: Some(pair_table(standings)),
                plot: plot("pair", "share of the first", shares),
            },
            Section {
                heading: "Ratings".into(),
                text: "On the scale of Elo; the mean of all is 0. Times are of one decision.".into(),
                table: Some(rating_table(standings)),
                plot: plot("bot", "rating", rated),
            },
        ],
        ..Report::default()
    }
}

fn pair_table(standings: &Standings) -> Table {
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
    table
}

fn rating_table(standings: &Standings) -> Table {
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
    table
}

fn print(standings: &Standings) {
    outln!("{}", pair_table(standings).text());
    outln!("{}", rating_table(standings).text());
    for line in &standings.unfinished {
        eprintln!("not finished: {line}");
    }
}
