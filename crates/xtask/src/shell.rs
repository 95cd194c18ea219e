//! Running other programs, with their output and progress shown as they give it.

use anyhow::{Context, Result, bail};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The folder of the project.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/xtask lies two folders down")
}

/// Where cargo builds to.
pub fn target_dir() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Runs `command` in the project's folder.
///
/// # Errors
/// If it cannot be started, or fails.
pub fn run(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.current_dir(root()).status().with_context(|| format!("cannot start `{name}`"))?;
    if !status.success() {
        let args: Vec<_> = command.get_args().map(OsStr::to_string_lossy).collect();
        bail!("`{name} {}` failed ({status})", args.join(" "));
    }
    Ok(())
}

/// Runs the cargo that runs us, with `args`.
///
/// # Errors
/// If it fails.
pub fn cargo<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Result<()> {
    run(Command::new(env!("CARGO")).args(args))
}

/// Runs `program` in our place: signals reach it, and its exit status is ours.
///
/// # Errors
/// If it cannot be started.
pub fn replace(program: PathBuf, args: impl Iterator<Item = String>) -> Result<ExitCode> {
    let mut command = Command::new(&program);
    command.args(args);
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        Err(command.exec()).with_context(|| format!("cannot start {}", program.display()))
    }
    #[cfg(not(unix))]
    {
        let status = command.status().with_context(|| format!("cannot start {}", program.display()))?;
        Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}
