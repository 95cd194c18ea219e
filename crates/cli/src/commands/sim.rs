//! `parlour sim`: many deals through the real engine, and what came of them.

use super::bots::{contract_bot, listed, pattern_bot, usual};
use super::lab::{Progress, Table as Played, facts, facts_json, figures_csv, game_rules, save, threads};
use anyhow::{Result, bail};
use lab::matches::{seed_of, spread};
use lab::report::{Bar, Plot, Report, Section, Table};
use lab::sim::{
    Choose, ContractTally, OwnTally, PatternTally, SomeNone, contract_match, one_deal, own_match, race_deal,
    without_waiting,
};
use lab::stats::{Interval, clustered_share, wilson};
use pattern::rules::Mechanism;
use rulebook::{Family, Rules};
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Plays many deals by itself and tells what came of them: odds in play, leftovers, how often each contract is met
///
/// GAME is a built-in game or a rule file. Races are played by random claims without waiting, unless --bots names bots; memory, setup,
/// scout, the puzzle and contract games by bots, whole matches. The same seed gives the same answer on any number of threads. Ctrl-C prints what is finished.
#[derive(clap::Args)]
pub struct Args {
    /// A built-in game (`parlour rules list`) or a rule file
    game: String,
    /// Deals of a pattern game, matches of a game that bots play
    #[arg(long, default_value_t = 1000, value_name = "N")]
    deals: u64,
    /// Seed of everything
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Seats at the table (default: the fewest that can play)
    #[arg(long, value_name = "N")]
    players: Option<u8>,
    /// Which claim is taken in a race where there are several: random, or the first that is found
    #[arg(long, default_value = "random", value_name = "HOW")]
    choose: Choose,
    #[arg(long, value_name = "BOT", help = who_plays())]
    bots: Option<String>,
    /// Threads to use (default: all cores)
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// One JSON object
    #[arg(long)]
    json: bool,
    /// One comma-separated table of all figures as plain numbers: to FILE, or instead of the tables
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    csv: Option<Option<PathBuf>>,
    /// Write a page with tables and plots, too
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

fn who_plays() -> String {
    let (contract, pattern) = (usual(Family::Contract), usual(Family::Pattern));
    format!("Who plays: {} (default: {contract}, {pattern}); races have no bots here", listed())
}

/// Runs the subcommand.
pub fn run(args: Args) -> Result<ExitCode> {
    if args.deals == 0 {
        bail!("--deals 0: at least one deal is needed");
    }
    let threads = threads(args.threads)?;
    let csv_file = args.csv.as_ref().and_then(Option::as_ref);
    for path in args.report.iter().chain(csv_file) {
        // Before any work: can it be written at all?
        save(path, "")?;
    }
    let table = game_rules(&args.game, args.players, 1)?;
    let players = table.players;
    let bots = who_played(&args, &table)?;
    let (mut value, mut report) = match &*table.rules {
        // Races are played by random claims where nobody asks for bots: for what lies there, not for who finds it.
        Rules::Pattern(rules) if rules.mechanism == Mechanism::Race && args.bots.is_none() => {
            pattern(&args, rules, players, threads)?
        }
        Rules::Pattern(rules) => own(&args, rules, players, threads)?,
        Rules::Contract(rules) => contract(&args, rules, players, threads)?,
    };
    let choose = if args.choose == Choose::First { " --choose first" } else { "" };
    let who = args.bots.as_ref().map_or_else(String::new, |name| format!(" --bots {name}"));
    report.command = format!(
        "parlour sim {} --deals {} --seed {} --players {players}{choose}{who}",
        args.game, args.deals, args.seed
    );
    let played = value["deals"].as_u64().unwrap_or(args.deals);
    report.facts = facts(&args.game, &table, (played, args.seed), &bots);
    let csv = figures_csv(&value);
    if let Some(path) = csv_file {
        save(path, &csv)?;
    }
    if args.json {
        value["about"] = facts_json(&report.facts, &table);
        outln!("{value}");
    } else if args.csv.is_some() && csv_file.is_none() {
        out!("{csv}");
    } else {
        for section in &report.sections {
            if let Some(table) = &section.table {
                outln!("{}\n{}", section.heading, table.text());
            }
        }
    }
    report.rules = table.sheet;
    if let Some(path) = &args.report {
        save(path, &report.html().map_err(anyhow::Error::msg)?)?;
        eprintln!("wrote {}", path.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// The bot in every seat, with its version; nobody where claims are made at random.
fn who_played(args: &Args, table: &Played) -> Result<Vec<String>> {
    if matches!(&*table.rules, Rules::Pattern(rules) if rules.mechanism == Mechanism::Race) {
        return Ok(Vec::new());
    }
    let name = args.bots.as_deref().unwrap_or_else(|| usual(table.rules.family()));
    Ok(vec![super::bots::bot(name, &table.rules)?.name().to_owned()])
}

/// Counts in `steps` steps of `each` things called `what`, on all threads, and takes the counts together.
fn gather<T: Default + Send>(
    (steps, each, what): (u64, u64, &str),
    threads: usize,
    count: impl Fn(u64) -> Result<T> + Sync,
    merge: impl Fn(&mut T, &T),
) -> Result<T> {
    let progress = Progress::new(steps, what, each)?;
    let done = spread(steps, threads, count, || progress.step());
    progress.finish();
    let mut all = T::default();
    for part in done {
        merge(&mut all, &part?);
    }
    Ok(all)
}

/// The same kind of bot on every seat.
fn sit<B>(players: u8, bot: impl Fn() -> Result<B>) -> Result<Vec<B>> {
    (0..players).map(|_| bot()).collect()
}

fn pattern(
    args: &Args,
    rules: &Arc<pattern::Rules>,
    players: u8,
    threads: usize,
) -> Result<(serde_json::Value, Report)> {
    let rules = Arc::new(without_waiting(rules));
    // Some deals at a time, so that what each thread holds stays small.
    let batch = args.deals.div_ceil(2000).max(1);
    let batches = args.deals.div_ceil(batch);
    let play = |b: u64| {
        let mut tally = PatternTally::default();
        for deal in b * batch..((b + 1) * batch).min(args.deals) {
            race_deal(&rules, players, args.choose, seed_of(args.seed, deal), &mut tally)?;
        }
        Ok(tally)
    };
    let tally = gather((batches, batch, "deals"), threads, play, PatternTally::merge)?;
    Ok((figures(args, players, &tally), told(args, &tally)))
}

/// What share of the deals so many are.
fn share(tally: &PatternTally, n: u64) -> f64 {
    n as f64 / tally.deals.max(1) as f64
}

/// What was counted, as JSON.
fn figures(args: &Args, players: u8, tally: &PatternTally) -> serde_json::Value {
    let left: serde_json::Map<_, _> =
        tally.left.iter().map(|(k, &n)| (k.to_string(), json!(share(tally, n)))).collect();
    let by_layout: serde_json::Map<_, _> = tally
        .by_layout
        .iter()
        .map(|(k, n)| (k.to_string(), json!({"some": n.some, "none": n.none})))
        .collect();
    let by_stage: serde_json::Map<_, _> = tally
        .by_stage
        .iter()
        .map(|(k, n)| (k.to_string(), json!({"some": n.some, "none": n.none})))
        .collect();
    let points: Vec<f64> = tally.points.iter().map(lab::stats::Sums::mean).collect();
    json!({
        "game": args.game, "players": players, "seed": args.seed, "deals": tally.deals,
        "claims_mean": tally.claims.mean(), "claims_error": tally.claims.error(),
        "extra_deals_mean": tally.extra_deals.mean(), "extra_deals_error": tally.extra_deals.error(),
        "with_extra_deals": share(tally, tally.extended), "left": left, "odds_by_layout": by_layout, "odds_by_stage": by_stage,
        "points_mean": points, "lost": share(tally, tally.lost), "inputs": tally.inputs,
    })
}

/// What was counted, as a report.
fn told(args: &Args, tally: &PatternTally) -> Report {
    let mut report = Report { title: format!("{}: {} deals", args.game, tally.deals), ..Report::default() };
    let mut table = Table::new(&["", "mean", "standard error"]);
    for (name, sums) in [("claims a deal", &tally.claims), ("extra deals a deal", &tally.extra_deals)] {
        table.rows.push(vec![name.into(), format!("{:.4}", sums.mean()), format!("{:.4}", sums.error())]);
    }
    for (seat, sums) in tally.points.iter().enumerate() {
        let name = format!("points of seat {seat}");
        table.rows.push(vec![name, format!("{:.4}", sums.mean()), format!("{:.4}", sums.error())]);
    }
    let extended = format!("{:.4}", share(tally, tally.extended));
    table.rows.push(vec!["deals with an extra deal".into(), extended, String::new()]);
    if tally.lost > 0 {
        table.rows.push(vec!["lost".into(), format!("{:.4}", share(tally, tally.lost)), String::new()]);
    }
    report.sections.push(Section { heading: "A deal".into(), table: Some(table), ..Section::default() });
    report.sections.push(left_at_the_end(tally));
    let layouts = tally.by_layout.iter().map(|(k, n)| (*k as u64, *n)).collect();
    let text = "Layouts met in play while stock remained.";
    report.sections.push(chances("By layout", "cards", text, layouts));
    let stages = tally.by_stage.iter().map(|(k, n)| (*k, *n)).collect();
    let text = "Layouts of the usual size, by the claims made before.";
    report.sections.push(chances("By stage", "claims made", text, stages));
    report
}

fn left_at_the_end(tally: &PatternTally) -> Section {
    let mut table = Table::new(&["cards left", "share", "95 % from", "to"]);
    let mut bars = Vec::new();
    for (k, &n) in &tally.left {
        let i = wilson(n, tally.deals);
        let share = share(tally, n);
        table.rows.push(vec![k.to_string(), percent(share), percent(i.low), percent(i.high)]);
        bars.push(Bar { label: k.to_string(), value: share, interval: Some(i) });
    }
    Section {
        heading: "Left at the end".into(),
        text: "Cards on the table when the deal was over.".into(),
        table: Some(table),
        plot: Some(Plot { across: "cards left".into(), up: "share of deals".into(), bars }),
    }
}

/// How often layouts hold a claim, by something that they are counted by.
fn chances(heading: &str, first: &str, text: &str, met: Vec<(u64, SomeNone)>) -> Section {
    let mut table = Table::new(&[first, "with a claim", "without", "odds"]);
    let mut bars = Vec::new();
    for (k, n) in met {
        let all = n.some + n.none;
        let none = n.none as f64 / all.max(1) as f64;
        table.rows.push(vec![
            k.to_string(),
            n.some.to_string(),
            n.none.to_string(),
            lab::odds::odds_text(none),
        ]);
        bars.push(Bar { label: k.to_string(), value: none, interval: Some(wilson(n.none, all)) });
    }
    Section {
        heading: heading.into(),
        text: text.into(),
        table: Some(table),
        plot: Some(Plot { across: first.into(), up: "share without a claim".into(), bars }),
    }
}

fn percent(share: f64) -> String {
    format!("{:.2} %", share * 100.0)
}

/// Games with a flow of their own: whole matches of bots.
fn own(
    args: &Args,
    rules: &Arc<pattern::Rules>,
    players: u8,
    threads: usize,
) -> Result<(serde_json::Value, Report)> {
    let name = args.bots.as_deref().unwrap_or_else(|| usual(Family::Pattern));
    pattern_bot(name)?;
    let rules = Arc::new(one_deal(rules));
    let play = |i| {
        let mut tally = OwnTally::default();
        let mut seats = sit(players, || pattern_bot(name))?;
        own_match(&rules, &mut seats, seed_of(args.seed, i), &mut tally)?;
        Ok(tally)
    };
    let tally = gather((args.deals, 1, "matches"), threads, play, OwnTally::merge)?;
    let matches = tally.matches.max(1) as f64;
    let minutes = |sums: &lab::stats::Sums| (sums.mean() / 60.0, sums.error() / 60.0);
    let counts: serde_json::Map<_, _> = tally
        .counts
        .iter()
        .map(|(name, sums)| ((*name).to_owned(), json!({"mean": sums.mean(), "error": sums.error()})))
        .collect();
    let points: Vec<f64> = tally.points.iter().map(lab::stats::Sums::mean).collect();
    let value = json!({
        "game": args.game, "players": players, "seed": args.seed, "bots": bots::present_name(name), "deals": tally.matches,
        "minutes_mean": minutes(&tally.seconds).0, "counts": counts, "points_mean": points, "won": tally.won,
        "inputs": tally.inputs,
    });
    let title = format!("{}: {} matches of {} bots", args.game, tally.matches, bots::present_name(name));
    let mut report = Report { title, ..Report::default() };
    let mut table = Table::new(&["in a match", "mean", "standard error"]);
    let (mean, error) = minutes(&tally.seconds);
    table.rows.push(vec!["minutes".into(), format!("{mean:.2}"), format!("{error:.2}")]);
    let mut bars = Vec::new();
    for (name, sums) in &tally.counts {
        table.rows.push(vec![
            (*name).to_owned(),
            format!("{:.3}", sums.mean()),
            format!("{:.3}", sums.error()),
        ]);
        bars.push(Bar { label: (*name).to_owned(), value: sums.mean(), interval: None });
    }
    report.sections.push(Section {
        heading: "A match".into(),
        text: "What happened, on average.".into(),
        table: Some(table),
        plot: Some(Plot { across: "what".into(), up: "times in a match".into(), bars }),
    });
    let mut table = Table::new(&["seat", "points", "standard error", "won", "95 % from", "to"]);
    for (seat, sums) in tally.points.iter().enumerate() {
        let i = wilson(tally.won[seat], tally.matches);
        table.rows.push(vec![
            seat.to_string(),
            format!("{:.3}", sums.mean()),
            format!("{:.3}", sums.error()),
            percent(tally.won[seat] as f64 / matches),
            percent(i.low),
            percent(i.high),
        ]);
    }
    report.sections.push(Section { heading: "Seats".into(), table: Some(table), ..Section::default() });
    Ok((value, report))
}

fn contract(
    args: &Args,
    rules: &Arc<contract::Rules>,
    players: u8,
    threads: usize,
) -> Result<(serde_json::Value, Report)> {
    let name = args.bots.as_deref().unwrap_or_else(|| usual(Family::Contract));
    contract_bot(name)?;
    let play = |i| {
        let mut seats = sit(players, || contract_bot(name))?;
        Ok(contract_match(rules, &mut seats, seed_of(args.seed, i), &mut |_, _, _| ())?)
    };
    let tally = gather((args.deals, 1, "matches"), threads, play, ContractTally::merge)?;
    let mut table = Table::new(&[
        "round",
        "contract met",
        "95 % from",
        "to",
        "after turns",
        "turns",
        "blocked",
        "points",
        "takes",
    ]);
    let (mut rounds, mut bars) = (Vec::new(), Vec::new());
    for (i, r) in tally.rounds.iter().enumerate().filter(|(_, r)| r.played > 0) {
        let met = r.met as f64 / r.seats as f64;
        let blocked = r.blocked as f64 / r.played as f64;
        let interval: Interval = clustered_share(&r.met_of_deal, r.seats as f64 / r.played as f64);
        rounds.push(json!({
            "round": i + 1, "played": r.played, "met": met, "met_interval": interval, "turns_mean": r.turns.mean(),
            "length_mean": r.length.mean(), "blocked": blocked, "points_mean": r.points.mean(), "takes_mean": r.takes.mean(),
        }));
        table.rows.push(vec![
            (i + 1).to_string(),
            percent(met),
            percent(interval.low),
            percent(interval.high),
            format!("{:.2}", r.turns.mean()),
            format!("{:.2}", r.length.mean()),
            percent(blocked),
            format!("{:.2}", r.points.mean()),
            format!("{:.2}", r.takes.mean()),
        ]);
        bars.push(Bar { label: (i + 1).to_string(), value: met, interval: Some(interval) });
    }
    let means = |sums: &[lab::stats::Sums]| sums.iter().map(lab::stats::Sums::mean).collect::<Vec<_>>();
    let value = json!({
        "game": args.game, "players": players, "seed": args.seed, "bots": bots::present_name(name), "deals": tally.matches,
        "rounds": rounds, "scores_mean": means(&tally.scores), "points_by_place": means(&tally.by_place),
        "won": tally.won, "inputs": tally.inputs, "passes": tally.passes,
    });
    let mut report = Report {
        title: format!("{}: {} matches of {} bots", args.game, tally.matches, bots::present_name(name)),
        ..Report::default()
    };
    report.sections.push(Section {
        heading: "Rounds".into(),
        text: "How many of the players laid the contract, and after how many own turns; how long the round was; how often nobody went out; points and takes of a player.".into(),
        table: Some(table),
        plot: Some(Plot { across: "round".into(), up: "share of players who met the contract".into(), bars }),
    });
    let mut table = Table::new(&["place after the dealer", "points a round", "standard error"]);
    for (i, sums) in tally.by_place.iter().enumerate() {
        table.rows.push(vec![
            (i + 1).to_string(),
            format!("{:.3}", sums.mean()),
            format!("{:.3}", sums.error()),
        ]);
    }
    report.sections.push(Section {
        heading: "Seats".into(),
        text: "Does it help to sit close behind the dealer?".into(),
        table: Some(table),
        plot: None,
    });
    Ok((value, report))
}
