//! `parlour scenario`: plays scenario files.

use record::scenario::{self, Failure, Unreadable};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Play scenario files and say of each whether it holds.
///
/// Exit status 0 if all hold, 1 if any fails, 2 if a file cannot be read. The notation is described in docs/notation.md.
#[derive(clap::Args)]
pub struct Args {
    /// Scenario files (TOML).
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print one JSON object a file: file, ok, line, expected, found.
    #[arg(long)]
    pub json: bool,
}

/// Files on disk, by their path relative to a folder.
pub struct Folder<'a>(pub &'a Path);

impl rulebook::Files for Folder<'_> {
    fn read(&self, path: &str) -> Result<String, String> {
        let path = self.0.join(path);
        std::fs::read_to_string(&path).map_err(|why| format!("`{}` cannot be read: {why}", path.display()))
    }
}

/// Plays the files in order.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let mut worst = 0;
    for path in &args.files {
        let played = play(path);
        worst = worst.max(match &played {
            Ok(Ok(())) => 0,
            Ok(Err(_)) => 1,
            Err(_) => 2,
        });
        if args.json {
            outln!("{}", as_json(path, &played));
        } else {
            out!("{}", as_text(path, &played));
        }
    }
    Ok(ExitCode::from(worst))
}

type Played = Result<Result<(), Failure>, Unreadable>;

fn play(path: &Path) -> Played {
    let text = std::fs::read_to_string(path)
        .map_err(|why| Unreadable { line: None, text: format!("it cannot be read: {why}") })?;
    scenario::run(&text, &Folder(path.parent().unwrap_or(Path::new(""))))
}

fn as_json(path: &Path, played: &Played) -> serde_json::Value {
    let file = path.display().to_string();
    match played {
        Ok(Ok(())) => json!({ "file": file, "ok": true, "line": null, "expected": null, "found": null }),
        Ok(Err(failure)) => json!({
            "file": file,
            "ok": false,
            "line": failure.line,
            "expected": failure.expected,
            "found": failure.found,
        }),
        Err(unreadable) => json!({
            "file": file,
            "ok": false,
            "line": unreadable.line,
            "expected": "a scenario that can be read",
            "found": unreadable.text,
        }),
    }
}

fn as_text(path: &Path, played: &Played) -> String {
    let file = path.display();
    match played {
        Ok(Ok(())) => format!("ok {file}\n"),
        Ok(Err(failure)) => {
            let place = if failure.line == 0 { String::new() } else { format!(":{}", failure.line) };
            let mut text = format!("FAILED {file}{place}\n");
            let mut part = |name: &str, lines: &str| {
                for (n, line) in lines.lines().enumerate() {
                    let head = if n == 0 { name } else { "" };
                    text.push_str(&format!("  {head:<10}{line}\n"));
                }
            };
            part("line:", &failure.text);
            part("expected:", &failure.expected);
            part("found:", &failure.found);
            part("position:", &failure.position);
            text
        }
        Err(unreadable) => format!("unreadable {file}: {unreadable}\n"),
    }
}
