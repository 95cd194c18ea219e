//! ARCHITECTURE.md and SECURITY.md name the tests that hold what they say; they must be there.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn sources(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&fs::read_to_string(path).expect("text"));
        }
    }
}

/// Whether a crate's sources have a test of this name: a function with an attribute that says so above it.
fn has_test(text: &str, name: &str) -> bool {
    text.match_indices(&format!("fn {name}(")).any(|(at, _)| {
        let line = text[..at].rfind('\n').unwrap_or(0);
        let mut attributes =
            text[..line].lines().rev().map(str::trim_start).take_while(|line| line.starts_with(['#', '/']));
        attributes.any(|line| line.starts_with("#[test]") || line.starts_with("#[tokio::test"))
    })
}

/// Checks the last column of the table with these heads: names of tests, and after those of one crate its name in brackets.
fn check(page: &str, heads: &str) {
    let text = fs::read_to_string(root().join(page)).expect("the page");
    let (_, table) = text.split_once(heads).unwrap_or_else(|| panic!("{page} has no table {heads}"));
    let rows: Vec<&str> = table.lines().skip(2).take_while(|line| line.starts_with('|')).collect();
    assert!(rows.len() > 10, "{page}: the table was found");
    let mut crates: HashMap<String, String> = HashMap::new();
    for row in rows {
        let guards = row.rsplit('|').nth(1).expect("a last column");
        let mut groups = guards.split(')').filter(|group| !group.trim().is_empty()).peekable();
        assert!(groups.peek().is_some(), "{page}: no test holds: {row}");
        for group in groups {
            let (names, folder) = group
                .split_once('(')
                .unwrap_or_else(|| panic!("{page}: of which crate are the tests in: {row}"));
            let text = crates.entry(folder.to_owned()).or_insert_with(|| {
                let mut text = String::new();
                sources(&root().join("crates").join(folder), &mut text);
                text
            });
            let names: Vec<&str> = names.split('`').skip(1).step_by(2).collect();
            assert!(!names.is_empty(), "{page}: no test of `{folder}` holds: {row}");
            for name in names {
                assert!(has_test(text, name), "{page}: `{folder}` has no test `{name}`");
            }
        }
    }
}

#[test]
fn every_test_named_in_the_architecture_exists() {
    check("ARCHITECTURE.md", "| what holds | guarded by |");
}

#[test]
fn every_test_named_in_the_promises_of_security_exists() {
    check("SECURITY.md", "| promise | against whom | held by |");
}
