//! What the rules and the table say stands in the language files, and nowhere else.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use words::{Language, SHEET, SOURCE, is_said_by, read_folder};

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn english() -> Language {
    let languages = read_folder(&crates().join("web/lang")).unwrap();
    languages.into_iter().find(|language| language.id == SOURCE).unwrap()
}

/// The sources of a crate, without tests and comments.
fn sources(name: &str) -> Vec<(String, String)> {
    let root = crates().join(name).join("src");
    let mut open = vec![root.clone()];
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if !path.ends_with("tests.rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            let place = path.strip_prefix(&root).unwrap().display().to_string();
            found.push((format!("{name}/{place}"), code.join("\n")));
        }
    }
    assert!(!found.is_empty(), "{name} has sources");
    found
}

/// The keys that a source says, each with the names of what is put in.
fn said(source: &str) -> Vec<(String, BTreeSet<String>)> {
    let mut found = Vec::new();
    for (at, mark) in source.match_indices("say!(") {
        let Some(rest) = source[at + mark.len()..].trim_start().strip_prefix('"') else { continue };
        let mut rest = rest.split_once('"').unwrap();
        let key = rest.0.to_owned();
        let (mut names, mut depth, mut quoted, mut argument) = (BTreeSet::new(), 0, false, String::new());
        rest.1 = rest.1.trim_start();
        for letter in rest.1.chars() {
            match letter {
                '"' => quoted = !quoted,
                _ if quoted => {}
                '(' | '[' | '{' => depth += 1,
                ')' if depth == 0 => break,
                ')' | ']' | '}' => depth -= 1,
                ',' if depth == 0 => argument.clear(),
                '=' if depth == 0 => _ = names.insert(argument.trim().to_owned()),
                letter => argument.push(letter),
            }
        }
        found.push((key, names));
    }
    found
}

/// Crates that say something to people, and the programs of the app in which it may be said.
const SPEAKERS: [(&str, &[&str]); 10] = [
    ("game", &["pattern", "contract"]),
    ("pattern", &["pattern"]),
    ("contract", &["contract"]),
    ("bots", &["contract"]),
    ("record", &[]),
    ("table", &["pattern", "contract"]),
    ("home", &["pattern", "contract"]),
    ("rulebook", &[]),
    ("cli", &[]),
    ("server", &["lobby", "library", "pattern", "contract"]),
];

#[test]
fn every_key_that_is_said_has_its_sentence_with_all_that_it_says() {
    let english = english();
    let mut faults = Vec::new();
    let mut used = BTreeSet::new();
    for (name, programs) in SPEAKERS {
        for (place, source) in sources(name) {
            for (key, names) in said(&source) {
                let tell = |what: String| format!("{place}: {key} {what}");
                match english.values(&key) {
                    None => faults.push(tell("has no sentence".to_owned())),
                    Some(values) if values != names => {
                        faults.push(tell(format!("is given {names:?}, and says {values:?}")));
                    }
                    Some(_) => {}
                }
                let of_sheet = ["rule.", "fault.", "remedy."].iter().any(|table| key.starts_with(table));
                let programs = match () {
                    () if of_sheet => &[SHEET][..],
                    // One crate speaks of both families.
                    () if place.starts_with("bots/pattern") => &["pattern"],
                    () => programs,
                };
                let silent = programs.iter().filter(|program| !is_said_by(program, &key));
                faults.extend(silent.map(|program| tell(format!("is not among the words of {program}"))));
                used.insert(key);
            }
        }
    }
    let tables = |name: &str| -> BTreeMap<String, toml::Value> {
        toml::from_str(&std::fs::read_to_string(crates().join("web/lang").join(name)).unwrap()).unwrap()
    };
    let mut rules = tables("rules/en.toml");
    rules.extend(tables("sheets/en.toml"));
    let left = english
        .keys()
        .filter(|key| rules.contains_key(key.split('.').next().unwrap_or_default()) && !used.contains(*key));
    faults.extend(left.map(|key| format!("nobody says {key}")));
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(used.len() > 200, "only {} are said", used.len());
}

/// What is no sentence for players, by file: notation, questions and the schema of rule files are read and written by those who
/// know them; an option's row is its documentation; faults of clients and of the house are for programmers.
const ELSEWHERE: &[&str] = &[
    "game/chance.rs",
    "game/laws.rs",
    "game/option.rs",
    "game/sum.rs",
    "pattern/claim.rs",
    "pattern/command.rs",
    "pattern/options.rs",
    "pattern/options/choices.rs",
    "pattern/race/board.rs",
    "pattern/rules.rs",
    "pattern/solve.rs",
    "contract/command.rs",
    "contract/meld/mod.rs",
    "contract/options.rs",
    "contract/options/choices.rs",
    "contract/solve.rs",
    "rulebook/family.rs",
    "rulebook/only.rs",
    "rulebook/schema.rs",
    "rulebook/solve.rs",
    "table/core/bot_seats.rs",
    "table/core/chance.rs",
    "table/core/clock.rs",
    "table/core/commit.rs",
    "table/core/frames.rs",
    "table/core/trouble.rs",
    "table/host.rs",
    "table/journal.rs",
    "table/log.rs",
    "table/shell.rs",
];

/// What a literal is for if it is not for players.
const OTHERWISE: [&str; 9] = [
    "\"description\":",
    "expect(",
    "assert!(",
    "tracing::",
    "write_str(",
    "Error::custom(",
    "Unreadable(",
    "Refusal::slip(text",
    "Refusal::slip(\"The commands",
];

/// Crates of the rules and of the table.
const RULES: [&str; 5] = ["game", "pattern", "contract", "rulebook", "table"];

#[test]
fn no_sentence_for_players_stands_in_the_source_of_the_rules() {
    let mut found = Vec::new();
    for name in RULES {
        for (place, source) in sources(name) {
            let notation =
                place.contains("notation") || place.contains("written") || place.contains("roster");
            if notation || ELSEWHERE.iter().any(|other| place.starts_with(other)) {
                continue;
            }
            for line in source.lines().filter(|line| !OTHERWISE.iter().any(|other| line.contains(other))) {
                let refuses = ["Refusal::in_words", "Refusal::slip"].iter().any(|made| line.contains(made))
                    && !place.starts_with("game/lib.rs");
                let literals = line.split('"').skip(1).step_by(2);
                let words = |text: &str| {
                    let word = |word: &&str| {
                        word.trim_end_matches([',', '.', ':', ';']).chars().all(char::is_alphabetic)
                    };
                    text.split_whitespace().filter(word).count()
                };
                if refuses || literals.into_iter().any(|literal| words(literal) > 2) {
                    found.push(format!("{place}: {}", line.trim()));
                }
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
    let files: Vec<String> = RULES.iter().flat_map(|name| sources(name)).map(|(place, _)| place).collect();
    let gone: Vec<_> =
        ELSEWHERE.iter().filter(|other| !files.iter().any(|place| place.starts_with(*other))).collect();
    assert!(gone.is_empty(), "these are no files: {gone:?}");
}
