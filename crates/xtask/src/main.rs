//! The project's own tasks: `cargo xtask serve` plays, `cargo xtask test` checks everything.

mod divide;
mod fuzz;
mod order;
mod prune;
mod shell;
mod test;
mod web;

use anyhow::Result;
use clap::{Parser, Subcommand};
use shell::cargo;
use std::process::ExitCode;

/// Parlour's own tasks.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Build the web app and the server, and start it. Arguments go to `parlour serve` (try `--help`).
    #[command(disable_help_flag = true)]
    Serve {
        /// Passed on to `parlour serve`.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Check everything: format, lints, tests, the web build, and play in a real browser.
    Test(test::Args),
    /// Try inputs that nobody would think of: see CONTRIBUTING.md.
    Fuzz(fuzz::Args),
    /// Build the web app into dist/, from where the next build of the server embeds it.
    BuildWeb {
        /// Build without the size optimisations: quicker, for working on the app.
        #[arg(long)]
        dev: bool,
    },
}

fn main() -> ExitCode {
    match run(Cli::parse().task) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> Result<ExitCode> {
    match task {
        Task::Test(args) => test::test(&args).map(|()| ExitCode::SUCCESS),
        Task::Fuzz(args) => fuzz::fuzz(&args).map(|()| ExitCode::SUCCESS),
        Task::BuildWeb { dev } => web::build(dev).map(|()| ExitCode::SUCCESS),
        Task::Serve { args } => {
            web::build(false)?;
            cargo(["build", "--release", "--package", "parlour"])?;
            shell::replace(
                shell::target_dir().join("release/parlour"),
                ["serve".to_owned()].into_iter().chain(args),
            )
        }
    }
}
