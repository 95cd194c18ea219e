//! The rulebooks' tables of options (docs/rules/rummy-family.md, 4.2; docs/rules/set-family.md, 3 and 4.5) and the rows say
//! the same: each option, what it may be, and its default.

use contract::options::OPTIONS;
use game::option::{OptionType, Row};

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
        OptionType::Bool => said.starts_with("bool"),
        OptionType::Choice { of } => names(said) == of,
        OptionType::Int { .. } if said == "0, 2, 3" => {
            row.zero.is_some_and(|(from, _)| from == 2) && row.range() == Some((0, 3))
        }
        OptionType::Int { min, max } => {
            let range = format!("{min}–{max}");
            let bounded = said.contains('–');
            said.starts_with("int")
                && (!bounded || said.contains(&range) || said == "int 2–8 (12 E)" && (min, max) == (2, 12))
        }
        OptionType::Expr { .. } => said == "expr",
        OptionType::Text => said == "string",
        OptionType::Texts | OptionType::Several { .. } => said.starts_with("list") || said == "string/list",
        OptionType::Values => said == "table",
        OptionType::Schedule => said == "table n → list",
        OptionType::Rounds => said == "all or list",
        OptionType::ChoiceOrInt { .. } | OptionType::Deals => false,
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

/// The rulebook of the Set family, and where it lies.
fn set_family() -> (&'static str, String) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rules/set-family.md");
    (path, std::fs::read_to_string(path).unwrap())
}

/// What an option may be, as a table says it.
fn may_be(row: &Row) -> String {
    match row.kind {
        OptionType::Bool => "true, false".into(),
        OptionType::Choice { of } => of.join(", "),
        OptionType::Int { .. } if !row.only.is_empty() => {
            row.only.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")
        }
        OptionType::Int { min, max } => format!("{min}-{max}"),
        OptionType::ChoiceOrInt { of, min, max } if min == max => format!("{}, {min}", of.join(", ")),
        OptionType::ChoiceOrInt { of, min, max } => format!("{}, {min}-{max}", of.join(", ")),
        OptionType::Text => "text".into(),
        OptionType::Deals => "each_dealer, to_points(n), 1-20".into(),
        kind => panic!("`{}` is of a kind that no pattern option had: {kind:?}", row.key),
    }
}

/// The table of 4.5, made from the rows.
#[test]
fn the_set_familys_table_is_made_from_the_rows() {
    let defaults = rulebook::preset("set-classic").unwrap().options();
    let mut table =
        String::from("| option | may be | default | rule | what it is |\n|---|---|---|---|---|\n");
    for row in pattern::options::OPTIONS {
        let default = &defaults.iter().find(|option| option.key == row.key).unwrap().default;
        let default = default.as_str().map_or_else(|| default.to_string(), String::from);
        let only = if row.file_only { " (only in rule files)" } else { "" };
        table += &format!(
            "| `{}`{only} | {} | {default} | {} | {}. {} |\n",
            row.key,
            may_be(row),
            row.rule,
            row.label,
            row.help
        );
    }
    let (path, text) = set_family();
    let from = text.find("### 4.5 Every option").expect("the section is there");
    let from = from + text[from..].find("| option |").expect("its table is there");
    let to = from + text[from..].find("\n\n").expect("something follows it") + 1;
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, format!("{}{table}{}", &text[..from], &text[to..])).unwrap();
        return;
    }
    assert_eq!(text[from..to], table, "UPDATE=1 writes it anew");
}

/// What the table of ambiguities offers a table's creator is what the rows let a creator set.
#[test]
fn what_the_ambiguities_offer_may_be_set() {
    let (_, text) = set_family();
    let section = &text[text.find("## 3. Ambiguities").unwrap()..text.find("## 4. Options matrix").unwrap()];
    let defaults = rulebook::preset("set-classic").unwrap().options();
    let (mut offered, mut wrong) = (0, Vec::new());
    for line in section.lines().filter(|line| line.starts_with("| A-")) {
        let cell = line.trim_matches('|').split('|').next_back().unwrap();
        for part in cell.split(';') {
            let Some((key, values)) = part.trim().strip_prefix('`').and_then(|rest| rest.split_once('`'))
            else {
                continue;
            };
            let Some(row) = pattern::options::OPTIONS.iter().find(|row| row.key == key) else {
                wrong.push(format!("there is no option `{key}`"));
                continue;
            };
            offered += 1;
            let (values, default) = match values.split_once('(').map(|(v, rest)| (v, rest.split(')').next()))
            {
                Some((values, Some(default))) if default.parse::<i64>().is_ok() => (values, Some(default)),
                _ => (values, None),
            };
            let own = &defaults.iter().find(|option| option.key == key).unwrap().default;
            if default.is_some_and(|said| *own != said.parse::<i64>().expect("a number")) {
                wrong.push(format!("`{key}` is {own} by default, not {default:?}"));
            }
            let may = may_be(row).replace("true, false", "yes, no");
            for value in values.trim_start_matches([' ', '=']).split(',').map(|value| value.trim()) {
                let value = value.split(" (").next().unwrap();
                let fits = match (value.parse::<i64>(), row.range()) {
                    (Ok(number), Some((min, max))) => (min..=max).contains(&number),
                    // Of a range, a game may offer a part.
                    _ if key == "base" => true,
                    _ => row.kind == OptionType::Text || may.split(", ").any(|name| name == value),
                };
                if !fits && !value.is_empty() {
                    wrong.push(format!("`{key}` may be {may}, not `{value}`"));
                }
            }
        }
    }
    assert!(offered > 45, "only {offered} options are offered");
    assert_eq!(wrong, [] as [String; 0]);
    // The numbers that 4.2 lists below its table.
    let from = text.find("Other defaults (D):").unwrap();
    let listed: Vec<&str> =
        text[from..].split("\n\n").next().unwrap().split('`').skip(1).step_by(2).collect();
    assert!(listed.len() > 10, "{listed:?}");
    for said in listed {
        let (key, value) = said.split_once('=').unwrap();
        let row = pattern::options::OPTIONS.iter().find(|row| row.key == key).expect(key);
        let own = defaults.iter().find(|option| option.key == key).unwrap().default.to_string();
        assert!(own == value || row.written == Some(value), "{said}, but the row has {own}");
    }
}
