//! Every rule of the rulebooks has a scenario that names it, or a reason why not (scenarios/uncovered.toml).

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Ids that a scenario names: in its comments, and after a `!`.
fn named(scenario: &str) -> BTreeSet<String> {
    scenario
        .lines()
        .map(|line| {
            let comment = line.split_once('#').map(|(_, comment)| comment.to_owned()).unwrap_or_default();
            let refused = line.trim_start().strip_prefix('!').and_then(|rest| rest.split_whitespace().next());
            format!("{comment} {}", refused.unwrap_or_default())
        })
        .flat_map(|text| {
            text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
                .filter(|word| rulebook::rule_id(word) == Some(word))
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .collect()
}

fn check(family: &str, book: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &Path| fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let text = read(&root.join("docs/rules").join(book));
    let defined: BTreeSet<String> =
        text.lines().filter_map(rulebook::rule_of_line).map(str::to_owned).collect();
    assert!(defined.len() > 200, "{} ids were found in {book}", defined.len());
    let mut covered = BTreeSet::new();
    for entry in fs::read_dir(root.join("scenarios").join(family)).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "toml") {
            covered.extend(named(&read(&path)));
        }
    }
    let listed: toml::Table = read(&root.join("scenarios/uncovered.toml")).parse().unwrap();
    let listed = listed[family].as_table().unwrap();
    let without: Vec<&String> =
        defined.iter().filter(|id| !covered.contains(*id) && !listed.contains_key(*id)).collect();
    assert!(without.is_empty(), "{family} rules without a scenario: {without:?}");
    for (id, reason) in listed {
        assert!(defined.contains(id), "scenarios/uncovered.toml lists {id}, which {book} does not define");
        // A debt may be paid at any time; a reason why there can be no scenario must stay true.
        let debt = reason.as_str() == Some("no scenario yet");
        assert!(
            debt || !covered.contains(id),
            "{id} has a scenario by now: take it off scenarios/uncovered.toml"
        );
        assert!(
            reason.as_str().is_some_and(|r| r.len() > 10),
            "scenarios/uncovered.toml gives no reason for {id}"
        );
    }
}

#[test]
fn every_rule_of_the_set_family_has_a_scenario() {
    check("pattern", "set-family.md");
}

#[test]
fn every_rule_of_the_rummy_family_has_a_scenario() {
    check("contract", "rummy-family.md");
}
