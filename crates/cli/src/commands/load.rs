//! `parlour load`: many tables at once against a running server.

use super::bots::listed;
use super::choice;
use super::lab::stop_on_ctrl_c;
use anyhow::{Context, Result, bail};
use load::{ADDRESSES, Attack, Endured, Measured, Plan, Process, Siege, Stage, Times};
use std::net::{SocketAddr, ToSocketAddrs};
use std::process::ExitCode;
use std::time::Duration;

/// Plays many tables at once against a running server, and measures moves a second, delays, processor time and memory
///
/// Every player is a guest with a socket of their own, and a bot chooses what they do, without thinking time. At a table
/// the next move is made when everybody there has been told of the last. The server must allow so much from one address:
///
///   parlour serve --requests-per-second 100000 --messages-per-second 100000 --processor-ms-per-second 100000
///     --max-connections-per-address 20000 --max-tables 100000 --max-tables-per-address 100000
///
/// With --attack, some people play at an even pace (10 tables, 200 moves a second, unless said otherwise) while strangers
/// attack the server, from one address of this machine and from 200: pings, fragments, resyncs, sockets, lobby, garbage,
/// unread, half-open. It tells how long the players waited without and with each, against a server that is started as it
/// is meant to be used, and only one of this machine.
///
/// Processor time and memory are the server's alone. Its process is found by its port if it runs on this machine, else
/// they are left out.
#[derive(clap::Args)]
pub struct Args {
    /// Where the server is
    #[arg(long, default_value = "http://127.0.0.1:7420", value_name = "URL")]
    server: String,
    /// What is played: a built-in game or a rule file
    #[arg(long, default_value = "set-classic")]
    game: String,
    /// An option over those of the game, such as `settle_ms=0`; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// Tables (default: 200; under attack 10)
    #[arg(long, value_name = "N")]
    tables: Option<usize>,
    /// Seats at each table
    #[arg(long, default_value_t = 2, value_name = "N")]
    seats: u8,
    /// Seats whose players come over a socket; bots of the server have the others (default: all)
    #[arg(long, value_name = "M")]
    players: Option<u8>,
    #[arg(long, default_value = "random", help = format!("Which bot chooses: {}", listed()))]
    bot: String,
    /// Moves a second of all tables together (default: as fast as they can)
    #[arg(long, value_name = "MOVES")]
    rate: Option<f64>,
    /// How long to measure, once all tables play (default: 10); under attack, each of three windows a round (default: 3)
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    seconds: Option<u64>,
    /// What strangers do to the server meanwhile (default: all, one after the other)
    #[arg(long, value_name = "ATTACK,...", num_args = 0.., value_delimiter = ',', conflicts_with = "idle")]
    attack: Option<Vec<Attack>>,
    /// How often each attack is tried
    #[arg(long, default_value_t = 3, value_name = "N", requires = "attack", value_parser = clap::value_parser!(u8).range(1..=99))]
    rounds: u8,
    /// Nobody moves: what open tables cost
    #[arg(long, conflicts_with = "rate")]
    idle: bool,
    /// Process of the server (default: who listens there, if that is this machine)
    #[arg(long, value_name = "ID")]
    pid: Option<u32>,
    /// Seed of what the players choose
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand. The exit status is 1 if anything went wrong on the way.
pub fn run(args: Args) -> Result<ExitCode> {
    let (host, server) = address(&args.server)?;
    let process = match args.pid {
        Some(id) if !Process(id).is_there() => {
            bail!("--pid {id}: there is no such process, or it cannot be looked at")
        }
        Some(id) => Some(Process(id)),
        None => load::listening_at(server).filter(|_| server.ip().is_loopback()),
    };
    let (choice, game, options) = choice::of(&args.game, &args.options)?;
    let plan = Plan {
        server,
        host,
        game: choice,
        options,
        rules: load::rules_of(&game, args.seats)?,
        tables: args.tables.unwrap_or(if args.attack.is_some() { 10 } else { 200 }),
        seats: args.seats,
        players: args.players.unwrap_or(args.seats),
        bot: bots::present_name(&args.bot).to_owned(),
        rate: args.rate.or(args.attack.is_some().then_some(200.0)),
        time: Duration::from_secs(args.seconds.unwrap_or(10)),
        idle: args.idle,
        // As many as a server works for at once for one address.
        at_once: 8,
        seed: args.seed,
    };
    let siege = args.attack.map(|attacks| Siege {
        honest: plan.clone(),
        attacks: if attacks.is_empty() { Attack::ALL.to_vec() } else { attacks },
        window: Duration::from_secs(args.seconds.unwrap_or(3)),
        rounds: args.rounds.into(),
    });
    plan.check()?;
    siege.as_ref().map_or(Ok(()), Siege::check)?;
    if process.is_none() {
        eprintln!(
            "The server's process is not known: its processor time and memory are left out. --pid names it."
        );
    }
    let bar = indicatif::ProgressBar::new(plan.tables as u64);
    bar.set_style(indicatif::ProgressStyle::with_template("{bar:40} {pos}/{len} tables open, {eta} left")?);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    if let Some(siege) = siege {
        return attacked(&runtime, siege, process, &bar, args.json);
    }
    let seconds = plan.time.as_secs();
    let measured = runtime.block_on(load::run(plan, process, stop_on_ctrl_c(), |stage| match stage {
        Stage::Opened(count) => bar.set_position(count as u64),
        Stage::Playing => {
            bar.finish_and_clear();
            eprintln!("All tables are open; measuring for {seconds} s. Ctrl-C ends it early.");
        }
        Stage::Endured(..) => {}
    }));
    bar.finish_and_clear();
    let measured = measured?;
    if args.json {
        outln!("{}", serde_json::to_string(&measured)?);
    } else {
        tell(&measured);
    }
    Ok(if measured.errors.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Attacks the server while people play.
fn attacked(
    runtime: &tokio::runtime::Runtime,
    siege: Siege,
    process: Option<Process>,
    bar: &indicatif::ProgressBar,
    json: bool,
) -> Result<ExitCode> {
    let windows = siege.attacks.len() * ADDRESSES.len() * siege.rounds * 3;
    let seconds = windows as f64 * (siege.window.as_secs_f64() + 0.7);
    let endured = runtime.block_on(load::besiege(siege, process, stop_on_ctrl_c(), |stage| match stage {
        Stage::Opened(count) => bar.set_position(count as u64),
        Stage::Playing => {
            bar.finish_and_clear();
            eprintln!("All tables are open; attacking for {seconds:.0} s in all. Ctrl-C ends it early.");
        }
        Stage::Endured(attack, addresses) => eprintln!("{} from {addresses}: done", attack.name()),
    }));
    bar.finish_and_clear();
    let endured = endured?;
    if json {
        outln!("{}", serde_json::to_string(&endured)?);
    } else {
        tell_endured(&endured);
    }
    Ok(if endured.errors.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn tell_endured(endured: &Endured) {
    outln!(
        "Milliseconds until everybody at the table was told of a move: half of them, and 99 of 100, faster than"
    );
    outln!(
        "{:<10} {:>9}  {:>15}  {:>15}  {:>15}  {:>6} {:>9}  back after (kept out)",
        "attack",
        "addresses",
        "quiet",
        "elsewhere",
        "attacked",
        "ratio",
        "elsewhere"
    );
    let times = |times: &Times| format!("{:.1} / {:.1}", times.p50, times.p99);
    for felt in &endured.felt {
        let back = |times: &Option<Times>| times.map_or("-".into(), |t| format!("{:.1}", t.p99));
        outln!(
            "{:<10} {:>9}  {:>15}  {:>15}  {:>15}  {:>6.2} {:>9.2}  {} -> {} ({})",
            felt.attack.name(),
            felt.addresses,
            times(&felt.quiet),
            times(&felt.elsewhere),
            times(&felt.attacked),
            felt.ratio,
            felt.ratio_elsewhere,
            back(&felt.back.0),
            back(&felt.back.1),
            felt.kept_out
        );
        let strangers = &felt.strangers;
        let load = felt.server_load.map_or(String::new(), |(quiet, attacked)| {
            format!(
                "; the server used {:.0} % of a processor, {:.0} % under attack",
                quiet * 100.0,
                attacked * 100.0
            )
        });
        outln!(
            "           strangers: {} opened, {} refused, {} closed, {} sent in {:.1} MB, {:.1} s of processor time{load}",
            strangers.opened,
            strangers.refused,
            strangers.closed,
            strangers.sent,
            strangers.bytes as f64 / 1e6,
            strangers.cpu_seconds
        );
    }
    for (what, count) in &endured.errors {
        outln!("error, {count} times: {what}");
    }
}

fn tell(measured: &Measured) {
    let Measured { tables, players, seconds, moves, moves_per_second, refused, games, .. } = measured;
    outln!("{tables} tables, {players} players, {seconds:.1} s");
    outln!(
        "{moves} moves, {moves_per_second:.0} a second; {refused} refused by the rules; {games} matches ended"
    );
    let times = |what: &str, times: &Option<Times>| {
        if let Some(t) = times {
            outln!(
                "{what}: p50 {:.2} ms, p99 {:.2} ms, p99.9 {:.2} ms, most {:.2} ms",
                t.p50,
                t.p99,
                t.p999,
                t.most
            );
        }
    };
    times("until everybody at the table was told", &measured.told);
    times("until the command was answered", &measured.answered);
    if let Some(used) = measured.server {
        outln!(
            "server: {:.2} s of processor time, {:.0} moves for each; {:.1} KiB a table ({} KiB before, {} with all open, {} at the end)",
            used.cpu_seconds,
            used.moves_per_cpu_second,
            used.kib_per_table,
            used.kib_before,
            used.kib_open,
            used.kib_after
        );
    }
    for (what, count) in &measured.errors {
        outln!("error, {count} times: {what}");
    }
}

/// Host and address of a server.
fn address(url: &str) -> Result<(String, SocketAddr)> {
    let host = url.strip_prefix("http://").with_context(|| {
        format!(
            "--server {url}: it begins with http:// (a load test speaks to the server itself, not to a proxy)"
        )
    })?;
    let host = host.trim_end_matches('/');
    let named = if host.contains(':') { host.to_owned() } else { format!("{host}:80") };
    let found = named.to_socket_addrs().with_context(|| format!("--server {url}: no such address"))?.next();
    Ok((host.to_owned(), found.with_context(|| format!("--server {url}: no such address"))?))
}
