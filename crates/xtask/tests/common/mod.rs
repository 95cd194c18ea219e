//! What the tests of pages have in common: reading them, and finding what they name.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A file of it.
pub fn read(page: &str) -> String {
    fs::read_to_string(root().join(page)).unwrap_or_else(|why| panic!("{page}: {why}"))
}

/// All Rust under a folder.
pub fn sources(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&fs::read_to_string(path).expect("text"));
        }
    }
}

/// Whether a crate's sources have a test of this name that is run: a function with an attribute that says so above it.
pub fn has_test(text: &str, name: &str) -> bool {
    text.match_indices(&format!("fn {name}(")).any(|(at, _)| {
        let line = text[..at].rfind('\n').unwrap_or(0);
        let attributes: Vec<&str> = text[..line]
            .lines()
            .rev()
            .map(str::trim_start)
            .take_while(|line| line.starts_with(['#', '/']))
            .collect();
        let begins = |start: &str| attributes.iter().any(|line| line.starts_with(start));
        (begins("#[test]") || begins("#[tokio::test")) && !begins("#[ignore")
    })
}

/// The cells of the rows of each table with these heads.
pub fn rows<'a>(page: &str, text: &'a str, heads: &str) -> Vec<Vec<&'a str>> {
    let rows: Vec<_> = text
        .split(heads)
        .skip(1)
        .flat_map(|table| table.lines().skip(2).take_while(|line| line.starts_with('|')))
        .map(|row| row.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    assert!(rows.len() > 10, "{page} has no table {heads}");
    rows
}

/// What stands between backticks.
pub fn named(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}
