//! The rulebook's table of options (docs/rules/rummy-family.md, 4.2) and the rows say the same: each option, what it may
//! be, and its default. The meaning stands in both in words of their own.

use contract::options::OPTIONS;
use game::option::{Kind, Row};

/// The rows of the table of 4.2: keys, type and values, default.
fn table() -> Vec<(Vec<String>, String, String)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rules/rummy-family.md");
    let text = std::fs::read_to_string(path).unwrap();
    let from = text.find("### 4.2 Every parameter").unwrap();
    let section = &text[from..];
    let section = &section[..section.find("### 4.3").unwrap()];
    let mut rows = Vec::new();
    for line in section.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let names: Vec<&str> = cells[0].split('`').skip(1).step_by(2).collect();
        // `shanghai.tie`, `.seconds`: the group is that of the name before.
        let group = names[0].split('.').next().unwrap();
        let keys = names.iter().map(|name| match name.strip_prefix('.') {
            Some(rest) => format!("{group}.{rest}"),
            None => (*name).to_owned(),
        });
        rows.push((keys.collect(), cells[1].to_owned(), cells[2].to_owned()));
    }
    rows
}

/// Splits a cell that speaks of several keys, or repeats it for each.
fn parts(cell: &str, keys: usize) -> Vec<String> {
    for separator in [";", ","] {
        let found: Vec<String> = cell.split(separator).map(|part| part.trim().to_owned()).collect();
        if keys > 1 && found.len() == keys {
            return found;
        }
    }
    vec![cell.to_owned(); keys]
}

/// What the document says of an option's type and values, against its row.
fn right_values(row: &Row, said: &str) -> bool {
    let names =
        |said: &str| -> Vec<String> { said.split([',', '/']).map(|name| name.trim().to_owned()).collect() };
    match row.kind {
        Kind::Bool => said.starts_with("bool"),
        Kind::Choice { of } => names(said) == of,
        Kind::Int { .. } if said == "0, 2" => row.zero.is_some_and(|(from, _)| from == 2),
        Kind::Int { min, max } => {
            let range = format!("{min}–{max}");
            let bounded = said.contains('–');
            said.starts_with("int")
                && (!bounded || said.contains(&range) || said == "int 2–8 (12 E)" && (min, max) == (2, 12))
        }
        Kind::Expr { .. } => said == "expr",
        Kind::Text => said == "string",
        Kind::Texts => said.starts_with("list") || said == "string/list",
        Kind::Values => said == "table",
        Kind::Schedule => said == "table n → list",
        Kind::Rounds => said == "all or list",
        Kind::ChoiceOrInt { .. } | Kind::Deals => false,
    }
}

/// The default as the document writes it.
fn shown(row: &Row) -> Vec<String> {
    let default = rulebook::preset("contract").unwrap().options();
    let default = &default.iter().find(|option| option.key == row.key).unwrap().default;
    let plain = match default {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Array(items) => {
            let items: Vec<&str> = items.iter().filter_map(|item| item.as_str()).collect();
            format!("[{}]", items.join(","))
        }
        other => other.to_string(),
    };
    vec![plain.clone(), format!("\"{plain}\"")]
}

#[test]
fn the_rulebooks_table_is_that_of_the_rows() {
    let mut left: Vec<&str> = OPTIONS.iter().map(|row| row.key).collect();
    let mut wrong = Vec::new();
    for (keys, types, defaults) in table() {
        if ["schema", "id", "[[round]]"].contains(&keys[0].as_str()) {
            continue; // about the file, and the rounds
        }
        // One of these names its values in the order of its keys, group by group.
        let types = match keys[0].as_str() {
            "shanghai.tie" => {
                ["turn-order, first-call", "int", "bool", "bool", "bool"].map(String::from).to_vec()
            }
            "table.undo" => ["none, until-discard", "bool"].map(String::from).to_vec(),
            _ => parts(&types, keys.len()),
        };
        let defaults = if keys.len() == 1 { vec![defaults] } else { parts(&defaults, keys.len()) };
        for ((key, said), default) in keys.iter().zip(&types).zip(&defaults) {
            let Some(row) = OPTIONS.iter().find(|row| row.key == key) else {
                wrong.push(format!("there is no option `{key}`"));
                continue;
            };
            left.retain(|k| *k != row.key);
            let named = matches!(row.key, "deck.suits" | "deck.ranks" | "score.values"); // by their initials, or a rule
            let written_otherwise =
                named && ["CDHS", "A23456789TJQK", "CR-SCO-1"].contains(&default.as_str());
            if !right_values(row, said) {
                wrong.push(format!("`{key}` is {said}, but the row has {:?}", row.kind));
            }
            if !written_otherwise && !shown(row).contains(default) {
                wrong.push(format!("`{key}` is {default} by default, but the row has {:?}", shown(row)));
            }
        }
    }
    // Two that rulings of section 7 add, with their ranges.
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rules/rummy-family.md"))
            .unwrap();
    for (key, said) in [
        ("game.max_turns", "`game.max_turns` (int 0-1000, default 100"),
        ("game.max_rounds", "`game.max_rounds` (default 3 x the number of contracts)"),
        ("turn.seconds", "`turn.seconds` (int 0-600, 0 = off"),
    ] {
        assert!(text.contains(said), "{key}");
        left.retain(|k| *k != key);
    }
    assert_eq!(wrong, [] as [String; 0]);
    assert_eq!(left, [] as [&str; 0], "the rulebook's table does not name them");
}
