//! Turns the language file into a sorted list of keys and sentences: tables become dotted keys.

use std::collections::BTreeMap;
use std::fmt::Write as _;

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
    let mut list =
        String::from("/// Every sentence by its key, sorted.\nstatic WORDS: &[(&str, &str)] = &[\n");
    for (key, text) in words {
        writeln!(list, "    ({key:?}, {text:?}),").expect("writing to a string");
    }
    list.push_str("];\n");
    let folder = std::env::var("OUT_DIR").expect("cargo says where to");
    std::fs::write(format!("{folder}/words.rs"), list).expect("the list can be written");
}
