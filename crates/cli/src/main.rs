//! The `parlour` program: a card parlour for the browser and the terminal.

#[macro_use]
mod out;
mod commands;

use clap::{Parser, Subcommand};
use std::io::ErrorKind;
use std::process::ExitCode;

/// A card parlour in one program: Set and Contract Rummy, for people and bots.
#[derive(Parser)]
#[command(name = "parlour", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Play(commands::play::Args),
    Serve(Box<commands::serve::Args>),
    Backup(commands::backup::Args),
    Cluster(commands::cluster::Args),
    Rules(commands::rules::Args),
    Scenario(commands::scenario::Args),
    Hint(commands::hint::Args),
    Verify(commands::verify::Args),
    Replay(commands::replay::Args),
    Solve(commands::solve::Args),
    Caps(commands::caps::Args),
    Odds(commands::odds::Args),
    Sim(commands::sim::Args),
    Tournament(commands::tournament::Args),
    Load(commands::load::Args),
    Print(commands::print::Args),
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Play(args) => commands::play::run(&args),
        Command::Serve(args) => commands::serve::run(*args),
        Command::Backup(args) => commands::backup::run(args),
        Command::Cluster(args) => commands::cluster::run(args),
        Command::Rules(args) => commands::rules::run(args),
        Command::Scenario(args) => commands::scenario::run(args),
        Command::Hint(args) => commands::hint::run(&args),
        Command::Verify(args) => commands::verify::run(args),
        Command::Replay(args) => commands::replay::run(args),
        Command::Solve(args) => commands::solve::run(args),
        Command::Caps(args) => commands::caps::run(args),
        Command::Odds(args) => commands::odds::run(args),
        Command::Sim(args) => commands::sim::run(args),
        Command::Tournament(args) => commands::tournament::run(args),
        Command::Load(args) => commands::load::run(args),
        Command::Print(args) => commands::print::run(args),
    };
    done.unwrap_or_else(|error| {
        if let Some(broken) =
            error.downcast_ref::<std::io::Error>().filter(|e| e.kind() == ErrorKind::BrokenPipe)
        {
            std::process::exit(out::ended_by(broken));
        }
        eprintln!("parlour: {error:#}");
        ExitCode::from(2)
    })
}
