//! Words for people. Every sentence of the app stands in one file for each language, `lang/*.toml`, and is asked for by key.
//! The build script turns the file into a sorted list, so that the app carries no reader of such files.
//!
//! `{name}` in a sentence is replaced; `{n|card|cards}` picks the form that goes with the number `n`.

use std::cell::Cell;

include!(concat!(env!("OUT_DIR"), "/words.rs"));

thread_local! {
    /// The pages' words where pages are shown. Nothing else names them, so that a table's program does without.
    static MORE: Cell<&'static [(&'static str, &'static str)]> = const { Cell::new(&[]) };
}

/// The sentence for `key`, with `values` put in. A key without a sentence shows itself.
#[must_use]
pub fn say(key: &str, values: &[(&str, String)]) -> String {
    let text = look_up(key).unwrap_or_else(|| key.to_owned());
    fill(&text, values)
}

/// The sentence for `key`, if the language file has one.
#[must_use]
pub fn look_up(key: &str) -> Option<String> {
    let find = |words: &[(&str, &'static str)]| {
        words.binary_search_by_key(&key, |(key, _)| key).ok().map(|at| words[at].1.to_owned())
    };
    // Tests of single parts open no page.
    let more = if cfg!(test) { PAGE_WORDS } else { MORE.get() };
    find(WORDS).or_else(|| find(more))
}

/// Lets the sentences be found that only pages say.
pub fn with_pages() {
    MORE.set(PAGE_WORDS);
}

fn fill(text: &str, values: &[(&str, String)]) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        let Some(length) = rest[start..].find('}') else { break };
        out.push_str(&rest[..start]);
        let mut parts = rest[start + 1..start + length].split('|');
        let name = parts.next().unwrap_or_default();
        let forms: Vec<&str> = parts.collect();
        match (values.iter().find(|(key, _)| *key == name), forms.as_slice()) {
            (Some((_, value)), []) => out.push_str(value),
            (Some((_, value)), forms) => {
                let form = usize::from(value != "1" && value != "-1" && value != "−1");
                out.push_str(forms[form.min(forms.len() - 1)]);
            }
            (None, _) => out.push_str(&rest[start..=start + length]),
        }
        rest = &rest[start + length + 1..];
    }
    out.push_str(rest);
    out
}

/// `t!("key")` or `t!("key", name = value, ..)`: the sentence for a key.
#[macro_export]
macro_rules! t {
    ($key:expr) => { $crate::lang::say($key, &[]) };
    ($key:expr, $($name:ident = $value:expr),+ $(,)?) => {
        $crate::lang::say($key, &[$((stringify!($name), ($value).to_string())),+])
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_take_values_and_numbers() {
        let say = |text: &str, n: i32| fill(text, &[("n", n.to_string()), ("name", "Ada".into())]);
        assert_eq!(say("{name} holds {n} {n|card|cards}.", 1), "Ada holds 1 card.");
        assert_eq!(say("{name} holds {n} {n|card|cards}.", 3), "Ada holds 3 cards.");
        assert_eq!(say("{other} {", 1), "{other} {");
    }

    /// Every literal key in the source has its sentence, so nobody reads a key on the screen.
    #[test]
    fn every_key_that_the_source_names_has_a_sentence() {
        fn files(folder: &std::path::Path, found: &mut Vec<String>) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    files(&path, found);
                } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("lang.rs") {
                    found.push(std::fs::read_to_string(path).unwrap());
                }
            }
        }
        assert!(WORDS.len() > 100, "the language file is read");
        let mut sources = Vec::new();
        files(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut sources);
        let missing: std::collections::BTreeSet<&str> = sources
            .iter()
            .flat_map(|source| source.match_indices("t!(\"").map(move |(at, mark)| (source, at, mark.len())))
            // `format!(` and the like end in the same letters.
            .filter(|(source, at, _)| !source[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
            .map(|(source, at, length)| &source[at + length..])
            .map(|rest| &rest[..rest.find('"').unwrap()])
            .filter(|key| look_up(key).is_none())
            .collect();
        assert!(missing.is_empty(), "no sentence for {missing:?}");
    }

    /// A table's program has no words of the pages.
    #[test]
    fn tables_say_nothing_that_only_pages_know() {
        let table = ["table", "replay", "demo", "summary"].map(|page| format!("pages/{page}.rs"));
        let screens =
            ["app", "api", "beside", "desk", "dom", "live", "prefs", "ui"].map(|part| format!("{part}.rs"));
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut files: Vec<_> = table.iter().chain(&screens).map(|name| folder.join(name)).collect();
        let mut folders = vec![folder.join("screens")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() { folders.push(path) } else { files.push(path) }
            }
        }
        for file in files {
            let source = std::fs::read_to_string(&file).unwrap();
            for (key, _) in PAGE_WORDS {
                assert!(!source.contains(&format!("\"{key}\"")), "{} says {key}", file.display());
            }
        }
    }
}
