//! Turns the language file into sorted lists of keys and sentences: tables become dotted keys. What not every program says
//! stands in lists of their own, so that none loads the words of another.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Lists of the tables that not every program says. (But all programs say their titles.)
const LISTS: [(&str, &[&str]); 5] = [
    ("LOBBY", &["device", "games", "lobby", "settings", "today"]),
    ("LIBRARY", &["about", "gallery", "house", "learn", "maths", "odds", "practice", "print", "rules"]),
    // Both of these offer games.
    ("OFFERS", &["family", "new", "value"]),
    ("PATTERN", &["board", "memory", "puzzle", "race", "scout", "setup", "trial", "verdict"]),
    ("CONTRACT", &["meld", "prompt", "rummy", "sheet", "stage", "standing", "story"]),
];

/// The list for what all programs say.
const ALL: &str = "WORDS";

/// The list that a sentence belongs to.
fn list_of(key: &str) -> &'static str {
    let (table, rest) = key.split_once('.').unwrap_or((key, ""));
    if ["title", "title_short"].contains(&rest) || key.starts_with("settings.theme.") {
        return ALL;
    }
    LISTS.iter().find(|(_, tables)| tables.contains(&table)).map_or(ALL, |(list, _)| list)
}

fn walk(prefix: &str, table: toml::Table, words: &mut BTreeMap<String, String>) {
    for (key, value) in table {
        let key = if prefix.is_empty() { key } else { format!("{prefix}.{key}") };
        match value {
            toml::Value::String(text) => {
                words.insert(key, text);
            }
            toml::Value::Table(table) => walk(&key, table, words),
            other => panic!("lang/en.toml: {key} is no sentence: {other}"),
        }
    }
}

fn main() {
    println!("cargo::rerun-if-changed=lang/en.toml");
    let text = std::fs::read_to_string("lang/en.toml").expect("lang/en.toml can be read");
    let table = text.parse().unwrap_or_else(|fault| panic!("lang/en.toml: {fault}"));
    let mut words = BTreeMap::new();
    walk("", table, &mut words);
    let mut list = String::new();
    for name in LISTS.into_iter().map(|(name, _)| name).chain([ALL]) {
        writeln!(list, "/// What is said, by key.\npub static {name}: Words = &[")
            .expect("writing to a string");
        for (key, text) in words.iter().filter(|(key, _)| list_of(key) == name) {
            writeln!(list, "    ({key:?}, {text:?}),").expect("writing to a string");
        }
        list.push_str("];\n");
    }
    let folder = std::env::var("OUT_DIR").expect("cargo says where to");
    std::fs::write(format!("{folder}/words.rs"), list).expect("the list can be written");
}
