//! Turns the language file into sorted lists of keys and sentences: tables become dotted keys. What only the pages say
//! stands in a list of its own, so that a table need not load it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Parts of the file that no table says, but for their titles.
const PAGES: [&str; 21] = [
    "about",
    "device",
    "gallery",
    "games",
    "house",
    "learn",
    "lobby",
    "maths",
    "name",
    "new",
    "odds",
    "practice",
    "print",
    "rules",
    "settings",
    "settings.keys",
    "settings.motion",
    "settings.overlay",
    "settings.palette",
    "today",
    "value",
];

/// Whether only pages say this.
fn is_for_pages(key: &str) -> bool {
    let (part, name) = key.rsplit_once('.').unwrap_or((key, ""));
    let part = if part.starts_with("house.") { "house" } else { part };
    PAGES.contains(&part) && !["title", "title_short"].contains(&name)
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
    for (name, pages) in [("WORDS", false), ("PAGE_WORDS", true)] {
        writeln!(list, "static {name}: &[(&str, &str)] = &[").expect("writing to a string");
        for (key, text) in words.iter().filter(|(key, _)| is_for_pages(key) == pages) {
            writeln!(list, "    ({key:?}, {text:?}),").expect("writing to a string");
        }
        list.push_str("];\n");
    }
    let folder = std::env::var("OUT_DIR").expect("cargo says where to");
    std::fs::write(format!("{folder}/words.rs"), list).expect("the list can be written");
}
