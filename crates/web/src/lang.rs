//! Words for people. Every sentence of the app stands in one file for each language, `lang/*.toml`, and is asked for by key.
//! The build script turns the file into a sorted list, so that the app carries no reader of such files.
//!
//! `{name}` in a sentence is replaced; `{n|card|cards}` picks the form that goes with the number `n`.

use std::cell::Cell;

/// Sentences by their keys, in order.
pub type Words = &'static [(&'static str, &'static str)];

include!(concat!(env!("OUT_DIR"), "/words.rs"));

thread_local! {
    /// What this program says besides what all say. Nothing else names those lists, so each program carries its own.
    static MORE: Cell<&'static [Words]> = const { Cell::new(&[]) };
}

/// The sentence for `key`, with `values` put in. A key without a sentence shows itself.
#[must_use]
pub fn say(key: &str, values: &[(&str, String)]) -> String {
    let text = look_up(key).unwrap_or_else(|| key.to_owned());
    fill(&text, values)
}

/// The sentence for `key`, if the language file has one that this program says.
#[must_use]
pub fn look_up(key: &str) -> Option<String> {
    // Tests of single parts open no program.
    let more: &[Words] = if cfg!(test) { &[LOBBY, LIBRARY, OFFERS, PATTERN, CONTRACT] } else { MORE.get() };
    find(&[WORDS], key).or_else(|| find(more, key)).map(str::to_owned)
}

fn find(lists: &[Words], key: &str) -> Option<&'static str> {
    lists.iter().find_map(|words| words.binary_search_by_key(&key, |(key, _)| key).ok().map(|at| words[at].1))
}

/// Says what is in these lists, too.
pub fn speak(lists: &'static [Words]) {
    MORE.set(lists);
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
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    #[test]
    fn sentences_take_values_and_numbers() {
        let say = |text: &str, n: i32| fill(text, &[("n", n.to_string()), ("name", "Ada".into())]);
        assert_eq!(say("{name} holds {n} {n|card|cards}.", 1), "Ada holds 1 card.");
        assert_eq!(say("{name} holds {n} {n|card|cards}.", 3), "Ada holds 3 cards.");
        assert_eq!(say("{other} {", 1), "{other} {");
    }

    /// The source files under src/ of these names; of a folder, all.
    fn sources(names: &[&str]) -> Vec<(PathBuf, String)> {
        let mut open: Vec<PathBuf> =
            names.iter().map(|name| Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(name)).collect();
        let mut found = Vec::new();
        while let Some(path) = open.pop() {
            if path.is_dir() {
                open.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
            } else {
                let text = std::fs::read_to_string(&path).unwrap();
                found.push((path, text));
            }
        }
        found
    }

    /// The keys that a source names.
    fn keys(source: &str) -> impl Iterator<Item = &str> {
        source
            .match_indices("t!(\"")
            // `format!(` and the like end in the same letters.
            .filter(|(at, _)| !source[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
            .map(|(at, mark)| &source[at + mark.len()..])
            .map(|rest| &rest[..rest.find('"').unwrap()])
    }

    /// Nobody reads a key on the screen: every key that the source names has its sentence in a list that every program with
    /// this part of the source speaks.
    #[test]
    fn every_program_has_a_sentence_for_every_key_that_it_names() {
        const FRAME: &[&str] = &[
            "api.rs",
            "app.rs",
            "art",
            "worker_client.rs",
            "desk.rs",
            "dom.rs",
            "games.rs",
            "latest.rs",
            "lib.rs",
            "live.rs",
            "prefs.rs",
            "route.rs",
            "scene.rs",
            "ui.rs",
            "bin",
            "markdown.rs",
        ];
        const MATCHES: &[&str] = &["demo.rs", "mod.rs", "name.rs", "replay.rs", "summary.rs", "table.rs"];
        const LEADS: &[&str] = &["create.rs", "device.rs", "games.rs", "lobby.rs", "settings.rs", "today.rs"];
        const READ: &[&str] = &[
            "about.rs",
            "gallery.rs",
            "house.rs",
            "learn.rs",
            "maths.rs",
            "odds.rs",
            "practice.rs",
            "rules.rs",
        ];
        let screens = |name: &str| format!("screens/{name}");
        let pages = |names: &[&str]| names.iter().map(|name| format!("pages/{name}")).collect::<Vec<_>>();
        let frame: Vec<String> = FRAME.iter().map(|&name| name.to_owned()).chain(pages(MATCHES)).collect();
        let programs: [(Vec<String>, &[Words]); 6] = [
            (frame, &[WORDS]),
            (pages(LEADS), crate::pages::LOBBY.words),
            (pages(READ), crate::pages::LIBRARY.words),
            (pages(&["options.rs"]), &[WORDS, OFFERS]),
            (
                [
                    "board.rs",
                    "memory.rs",
                    "pattern.rs",
                    "puzzle.rs",
                    "race",
                    "setup.rs",
                    "trial.rs",
                    "mod.rs",
                ]
                .map(screens)
                .into(),
                crate::pages::PATTERN.words,
            ),
            (["contract.rs", "rummy"].map(screens).into(), crate::pages::CONTRACT.words),
        ];
        let mut seen = BTreeSet::new();
        let mut missing = BTreeSet::new();
        for (files, words) in &programs {
            let names: Vec<&str> = files.iter().map(String::as_str).collect();
            for (path, source) in sources(&names) {
                let said = |key: &&str| find(&[WORDS], key).or_else(|| find(words, key)).is_some();
                missing.extend(
                    keys(&source).filter(|key| !said(key)).map(|key| format!("{}: {key}", path.display())),
                );
                seen.insert(path);
            }
        }
        assert!(missing.is_empty(), "no sentence for {missing:#?}");
        let all: BTreeSet<PathBuf> = sources(&["."]).into_iter().map(|(path, _)| path).collect();
        let left: Vec<_> = all
            .iter()
            .filter(|path| !path.ends_with("lang.rs"))
            .filter(|path| {
                !seen.iter().any(|seen| seen.canonicalize().unwrap() == path.canonicalize().unwrap())
            })
            .collect();
        assert!(left.is_empty(), "no program is said to have {left:?}");
        assert!(WORDS.len() > 100 && keys(&sources(&["app.rs"])[0].1).count() > 10, "something was read");
    }
}
