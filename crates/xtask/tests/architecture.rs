//! ARCHITECTURE.md names the test of each invariant; they must be there.

use std::fs;
use std::path::Path;

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

#[test]
fn every_test_named_in_the_architecture_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("ARCHITECTURE.md")).expect("the page");
    let mut text = String::new();
    sources(&root.join("crates"), &mut text);
    let (_, table) = page.split_once("| what holds | guarded by |").expect("the table of invariants");
    let rows: Vec<&str> = table.lines().skip(2).take_while(|line| line.starts_with('|')).collect();
    assert!(rows.len() > 10, "the table was found");
    for row in rows {
        let guards = row.rsplit('|').nth(1).expect("a second column");
        let names: Vec<&str> = guards.split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "no test guards: {row}");
        for name in names {
            assert!(text.contains(&format!("fn {name}(")), "there is no test `{name}`");
        }
    }
}
