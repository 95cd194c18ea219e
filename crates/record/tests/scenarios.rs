//! Plays every scenario file of the project, and tells each that does not hold.
//!
//! `SCENARIOS=folder cargo test -p parlour-record --test scenarios` plays those of another folder (`PATTERN_SCENARIOS` for the
//! pattern family).

use std::fs;
use std::path::{Path, PathBuf};

/// Rule files beside a scenario.
struct Beside(PathBuf);

impl rulebook::Files for Beside {
    fn read(&self, path: &str) -> Result<String, String> {
        fs::read_to_string(self.0.join(path)).map_err(|e| format!("{path}: {e}"))
    }
}

fn play_all(folder: &Path) {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no scenarios in {}", folder.display());
    let mut failed = Vec::new();
    for file in &files {
        let text = fs::read_to_string(file).unwrap();
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match record::scenario::run(&text, &Beside(folder.to_owned())) {
            Ok(Ok(())) => {}
            Ok(Err(f)) => failed.push(format!(
                "{name}:{}: `{}`\n  expected {}\n  found    {}\n{}",
                f.line, f.text, f.expected, f.found, f.position
            )),
            Err(unreadable) => failed.push(format!("{name}: {unreadable}")),
        }
    }
    assert!(failed.is_empty(), "{} of {} failed\n{}", failed.len(), files.len(), failed.join("\n"));
}

#[test]
fn contract_scenarios_hold() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/contract");
    play_all(&std::env::var_os("SCENARIOS").map_or(own, PathBuf::from));
}

#[test]
fn pattern_scenarios_hold() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/pattern");
    play_all(&std::env::var_os("PATTERN_SCENARIOS").map_or(own, PathBuf::from));
}

#[test]
fn what_did_not_hold_is_said_in_words() {
    let check = |game: &str, statement: &str, expected: &str| {
        let text = format!(
            "game = \"{game}\"\nseed = \"{}\"\n[play]\nscript = '''\n= {statement}\n'''\n",
            "91".repeat(32)
        );
        let failure = record::scenario::run(&text, &rulebook::NoFiles).unwrap().expect_err(statement);
        assert_eq!((failure.line, failure.expected.as_str()), (5, expected), "{failure:?}");
        assert!(!failure.found.trim().is_empty(), "{failure:?}");
        failure.found
    };
    let slip = check("set-classic", "scroes 0 0", "scroes 0 0");
    assert_eq!(slip, "`scroes` is no statement of this game");
    check("daily-basic", "slots:  # of which nothing is said", "nothing");
    check("daily-basic", "phase", "nothing");
    check("memory", "slots:", "nothing");
    check("setup", "turn", "nothing");
    check("daily-basic", "phase over", "over");
}

#[test]
fn a_score_that_nobody_reaches_is_refused() {
    let found = |game: &str, setup: &str| {
        let text = format!("game = \"{game}\"\n[setup]\n{setup}\n[play]\nscript = \"\"\n");
        record::scenario::run(&text, &rulebook::NoFiles).unwrap().expect_err(game).found
    };
    assert_eq!(found("progressive", "kitty = 2147483647"), "kitty: 2147483647 is beyond 1000000");
    let sets = "board = \"0000\"\ncollected = [65535]";
    assert_eq!(found("set-classic", sets), "collected: 65535 Sets are more than the deck has cards");
    for game in ["set-classic", "memory", "setup", "daily-puzzle", "contract"] {
        for score in [i32::MAX, i32::MIN, 1_000_001] {
            let said = format!("scores: {score} is beyond 1000000");
            assert_eq!(found(game, &format!("scores = [{score}]")), said, "{game}");
        }
    }
}
