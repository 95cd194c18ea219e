//! `cargo xtask fuzz`: tries what nobody would think of, for as long as one likes.

use crate::shell::{root, run};
use crate::test::has;
use anyhow::{Result, ensure};
use std::path::PathBuf;
use std::process::Command;

/// What is to be tried.
#[derive(clap::Args)]
pub struct Args {
    /// A target: the name of a file in fuzz/fuzz_targets, such as `rule_file`.
    target: String,
    /// For how long.
    #[arg(long, default_value_t = 60)]
    minutes: u32,
    /// Instead, keep of what was found only what reaches more of the program than the saved inputs do, and save it.
    #[arg(long)]
    save: bool,
}

/// Most that one input may take, however busy the machine is, in seconds.
const TIMEOUT: u32 = 30;
/// Most memory that the program may take, in megabytes.
const MEMORY: u32 = 2048;
/// Longest input, in bytes.
const LENGTH: u32 = 16 * 1024;

/// Runs a target, or saves what it has found.
///
/// # Errors
/// If it cannot be built, or an input breaks a law: it is kept in `fuzz/artifacts` then.
pub fn fuzz(args: &Args) -> Result<()> {
    ensure!(has("cargo-fuzz"), "cargo-fuzz is missing: `cargo install cargo-fuzz --locked`");
    let Args { target, minutes, save } = args;
    let of = |folder: &str| -> PathBuf { root().join("fuzz").join(folder).join(target) };
    let (saved, found) = (of("corpus"), of("found"));
    for folder in [&saved, &found] {
        std::fs::create_dir_all(folder)?;
    }
    // Our code is safe Rust, where sanitizers find nothing and take half of the time. Counting what is reached needs an option
    // that the compiler has for nightly builds only, unless it is asked twice.
    let mut command = Command::new(env!("CARGO"));
    command.args(["fuzz", "run", target, "--sanitizer", "none"]).env("RUSTC_BOOTSTRAP", "1");
    let mut limits =
        vec![format!("-timeout={TIMEOUT}"), format!("-rss_limit_mb={MEMORY}"), format!("-max_len={LENGTH}")];
    if *save {
        limits.push("-merge=1".to_owned());
        command.args([&saved, &found]);
    } else {
        limits.push(format!("-max_total_time={}", 60 * minutes));
        command.args([&found, &saved]);
    }
    run(command.arg("--").args(limits))
}
