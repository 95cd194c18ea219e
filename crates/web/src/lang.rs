//! Words for people. Every sentence of the app stands in a file for each language, `lang/*.toml`, and is asked for by key. The
//! programs carry none: each comes with the words that it says, in the language of the page (`language.js`, crate `words`).
//!
//! `{name}` in a sentence is replaced; `{n|card|cards}` picks the form that goes with the number `n`; `{form=f,ms|verte|verts|vert}`
//! picks by a word.

use crate::dom;
use game::{Refusal, Say, Sentence};
use leptos::prelude::*;
use std::borrow::Cow;
use std::cell::Cell;
use words::Tongue;

pub use words::id;

/// Says what the app says, in the language of its page.
pub struct Page;

/// Who says it.
pub const PAGE: &Page = &Page;

impl Tongue for Page {
    fn find(&self, key: u32) -> Option<&str> {
        find(key)
    }

    fn category(&self, number: f64) -> Cow<'static, str> {
        dom::plural(number).into()
    }
}

/// Sentences by the numbers of their keys, in order.
type Said = &'static [(u32, &'static str)];

thread_local! {
    static SAID: Cell<Said> = const { Cell::new(&[]) };
    /// The words of rule sheets and of what is wrong with rule files, once one was shown.
    static SHEETS: Cell<Said> = const { Cell::new(&[]) };
}

/// The sentence for the key with this number, with `values` put in.
#[must_use]
pub fn say(key: u32, values: &[(&str, String)]) -> String {
    PAGE.say(key, values)
}

/// The sentence for `key`, if the language file has one that this program says.
#[must_use]
pub fn look_up(key: &str) -> Option<String> {
    find(id(key)).map(str::to_owned)
}

/// What the rules say, in this language; none if its words are not there, nor English ones with it.
#[must_use]
pub fn tell(said: &Say) -> Option<String> {
    screen::tell(PAGE, said)
}

/// What came with its English: in this language, where its words are there.
#[must_use]
pub fn told(said: Option<&Say>, english: &str) -> String {
    said.and_then(tell).unwrap_or_else(|| english.to_owned())
}

/// A sentence: in this language, where its words are here.
#[must_use]
pub fn sentence(said: &Sentence) -> String {
    told(Some(&said.say), &said.text)
}

/// Why something is refused: in this language, or as whoever refused it said it.
#[must_use]
pub fn refusal(why: &Refusal) -> String {
    screen::refusal(PAGE, why)
}

fn find(key: u32) -> Option<&'static str> {
    // Tests open no program.
    #[cfg(test)]
    if SAID.get().is_empty() {
        speak(tests::english().file());
    }
    let find = |said: Said| said.binary_search_by_key(&key, |(key, _)| *key).ok().map(|at| said[at].1);
    find(SAID.get()).or_else(|| find(SHEETS.get()))
}

/// Clauses side by side, as this language divides them.
#[must_use]
pub fn divided(clauses: &[String]) -> String {
    screen::divided(PAGE, clauses)
}

/// Fetches the words of rule sheets; changes when they are here, so that what is said with them is said anew.
pub fn sheets() -> RwSignal<bool> {
    let here = RwSignal::new(false);
    leptos::task::spawn_local(async move {
        fetch_sheets().await;
        let _ = here.try_set(true);
    });
    here
}

/// Fetches the words of rule sheets, unless they are here.
pub async fn fetch_sheets() {
    if SHEETS.get().is_empty() {
        SHEETS.set(read(dom::sheet_words().await));
    }
}

/// A rule sheet as Markdown in this language; in English, as it came, where its words are not here.
#[must_use]
pub fn sheet(told: &rulebook::Sheet, english: &str) -> String {
    let line = |line: &rulebook::Line| {
        let text = if line.say.is_empty() { Some(String::new()) } else { tell(&line.say) };
        Some(line.mark.clone() + &text? + "\n")
    };
    let lines = (!SHEETS.get().is_empty()).then(|| told.lines.iter().map(line).collect::<Option<String>>());
    lines.flatten().unwrap_or_else(|| english.to_owned())
}

/// The text of a rule sheet in parts, each with the pictures that follow it.
pub fn sheet_parts<'a>(told: &'a rulebook::Sheet, text: &str) -> Vec<(String, &'a [rulebook::Picture])> {
    let (mut parts, mut part) = (Vec::new(), String::new());
    // Each line of the sheet is one of the text.
    let mut lines = told.lines.iter();
    for text in text.lines() {
        part.push_str(text);
        part.push('\n');
        if let Some(line) = lines.next().filter(|line| !line.shows.is_empty()) {
            parts.push((std::mem::take(&mut part), line.shows.as_slice()));
        }
    }
    parts.push((part, &[]));
    parts
}

/// Says what stands in these lines from now on, for good.
pub fn speak(lines: String) {
    SAID.set(read(lines));
}

fn read(lines: String) -> Said {
    lines.leak().lines().filter_map(words::line).collect::<Vec<_>>().leak()
}

/// `t!("key")` or `t!("key", name = value, ..)`: the sentence for a key. Of a key that is written out only its number is left.
#[macro_export]
macro_rules! t {
    ($key:literal $(, $name:ident = $value:expr)* $(,)?) => {{
        const KEY: u32 = $crate::lang::id($key);
        $crate::lang::say(KEY, &[$((stringify!($name), ($value).to_string())),*])
    }};
    ($key:expr $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::lang::say($crate::lang::id($key), &[$((stringify!($name), ($value).to_string())),*])
    };
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    fn languages() -> Vec<words::Language> {
        words::read_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("lang")).unwrap()
    }

    /// The language file that the others are translations of.
    pub fn english() -> words::Language {
        languages().into_iter().find(|language| language.id == words::SOURCE).unwrap()
    }

    /// What may be set is said in every language: each option of both families, what stands over it, and each word that may be chosen.
    /// In English options say themselves what they are.
    #[test]
    fn every_language_says_every_option() {
        let (mut wanted, mut choices, english) = (BTreeSet::new(), BTreeSet::new(), english());
        for family in ["contract", "pattern"] {
            let base = if family == "contract" { "contract" } else { "set-classic" };
            // What 0 is written for, where it is no number like others.
            let rows =
                if family == "contract" { contract::options::OPTIONS } else { pattern::options::OPTIONS };
            let zero = rows.iter().filter(|row| row.zero.is_some());
            wanted.extend(zero.map(|row| format!("option.{family}.{}.zero", row.key)));
            for option in rulebook::preset(base).unwrap().options() {
                wanted.extend(["label", "help"].map(|part| format!("option.{family}.{}.{part}", option.key)));
                use rulebook::OptionType::{Choice, ChoiceOrInt, Several};
                if let Choice { of } | ChoiceOrInt { of, .. } | Several { of } = option.kind {
                    choices.extend(of.iter().map(|word| format!("choice.{word}")));
                }
                assert!(english.get(&option.group.key).is_some(), "{} is not said", option.group.key);
            }
        }
        assert!(wanted.len() > 250 && choices.len() > 150, "{} and {}", wanted.len(), choices.len());
        every_translation_says(&wanted, &["option."]);
        // What may be chosen has no English of its own.
        let said: BTreeSet<String> =
            english.keys().filter(|key| key.starts_with("choice.")).map(str::to_owned).collect();
        assert_eq!(said, choices, "words of choices");
    }

    /// Every language but English says just what is wanted under these beginnings of keys.
    fn every_translation_says(wanted: &BTreeSet<String>, beginnings: &[&str]) {
        for language in languages().iter().filter(|language| language.id != words::SOURCE) {
            let begins = |key: &&str| beginnings.iter().any(|of| key.starts_with(of));
            let said: BTreeSet<String> = language.keys().filter(begins).map(str::to_owned).collect();
            let missing: Vec<_> = wanted.difference(&said).collect();
            let left: Vec<_> = said.difference(wanted).collect();
            assert!(
                missing.is_empty() && left.is_empty(),
                "{}: missing {missing:#?}, left {left:#?}",
                language.id
            );
        }
    }

    /// Games whose name is a name, and stays what it is in every language.
    const NAMES: [&str; 25] = [
        "12-step",
        "6-7-8-9-10",
        "california",
        "carioca",
        "continental-7",
        "contract",
        "liverpool",
        "loba",
        "may-i",
        "progressive",
        "push",
        "russian",
        "scout",
        "set-classic",
        "setup",
        "shanghai",
        "shanghai-kolsov",
        "shanghai-powe",
        "superset-h",
        "telefunken",
        "telefunken-desordenada",
        "toonerville-rook",
        "twenty",
        "ultra",
        "zioncheck",
    ];

    /// The same of what families play.
    const PLAYED_NAMES: [&str; 4] = ["dummy-rummy", "jo", "klennedy", "onze"];

    /// What is said of the games is said in every language. In English it stands in their rule files.
    #[test]
    fn every_language_says_what_every_game_is() {
        let ids = rulebook::presets();
        assert!(ids.len() > 50 && NAMES.iter().all(|name| ids.contains(name)), "{ids:?}");
        let played: Vec<_> = rulebook::house::published().collect();
        let is_played = |id: &&str| played.iter().any(|(info, _)| info.id == *id);
        assert!(played.len() > 20 && PLAYED_NAMES.iter().all(is_played), "{}", played.len());
        let built_in = ids.iter().map(|id| ("preset", NAMES.contains(id), rulebook::preset(id).unwrap()));
        let of_families = played.iter().map(|(info, text)| {
            ("played", PLAYED_NAMES.contains(&info.id.as_str()), rulebook::house::load(text).unwrap())
        });
        let mut wanted = BTreeSet::new();
        for (table, named, game) in built_in.chain(of_families) {
            let info = &game.info;
            let mut say = |said: bool, part: &str| {
                wanted.extend(said.then(|| format!("{table}.{}.{part}", info.id)));
            };
            say(!named, "name");
            say(!info.summary.is_empty(), "summary");
            say(!info.note.is_empty(), "note");
            say(!info.reconstruction.is_empty(), "reconstruction");
            let rounds = rulebook::house::rounds_of(&game);
            let labels = rounds.into_iter().map(|round| round.label).filter(|label| !label.is_empty());
            wanted.extend(labels.map(|label| format!("rule.label.{label}")));
            wanted.extend((!info.difficulty.is_empty()).then(|| format!("difficulty.{}", info.difficulty)));
            // Who looks for games by how hard they are finds all that are built in.
            let known =
                || crate::games::DIFFICULTIES.iter().any(|(_, words)| words.contains(&&*info.difficulty));
            assert!(table != "preset" || known(), "{}: {}", info.id, info.difficulty);
        }
        every_translation_says(&wanted, &["preset.", "played.", "difficulty.", "rule.label."]);
    }

    /// What others said of the odds is said in every language. In English it stands in the laboratory.
    #[test]
    fn every_language_says_what_others_published() {
        let answer = worker::Worker::default().answer(worker::Ask::Published);
        let worker::Answer::Published(rows) = answer else { panic!("{answer:?}") };
        let mut wanted = BTreeSet::new();
        for (n, row) in rows.iter().enumerate() {
            wanted.extend(["source", "measures"].map(|part| format!("published.{n}.{part}")));
            let worded = |odds: &str| odds.chars().filter(char::is_ascii_alphabetic).count() > 1;
            let odds = row.odds.iter().zip(["12", "15", "18"]).filter(|(odds, _)| worded(odds));
            wanted.extend(odds.map(|(_, cards)| format!("published.{n}.{cards}")));
        }
        every_translation_says(&wanted, &["published."]);
    }

    /// The source files under src/ of these names, or beside this crate; of a folder, all.
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

    /// The keys that a source names: first in `t!`, and after who says it in `said!`.
    fn keys(source: &str) -> impl Iterator<Item = &str> {
        let here = source.match_indices("t!(").filter_map(|(at, mark)| {
            // `format!(` and the like end in the same letters.
            let other = source[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            (!other).then_some(&source[at + mark.len()..])
        });
        let told = source.match_indices("said!(").map(|(at, mark)| &source[at + mark.len()..]);
        let told = told.filter_map(|rest| rest.split_once(',').map(|(_, rest)| rest.trim_start()));
        here.chain(told).filter_map(|rest| rest.strip_prefix('"')?.split('"').next())
    }

    /// Parts of the source that all programs have.
    const FRAME: &[&str] = &[
        "api.rs",
        "app.rs",
        "art",
        "worker_client.rs",
        "desk.rs",
        "dom",
        "feel.rs",
        "games.rs",
        "handover.rs",
        "ahead.js",
        "home.js",
        "language.js",
        "later.rs",
        "latest.rs",
        "lib.rs",
        "line.js",
        "live.rs",
        "prefs.rs",
        "route.rs",
        "scene.rs",
        "service_worker.js",
        "soon.rs",
        "start.js",
        "ui.rs",
        "bin",
    ];

    /// Pages of the programs that show matches.
    const MATCHES: &[&str] = &[
        "demo.rs",
        "ended.rs",
        "menu.rs",
        "mod.rs",
        "name.rs",
        "replay.rs",
        "story.rs",
        "summary.rs",
        "table.rs",
    ];

    /// Pages that lead to a table.
    const LEADS: &[&str] =
        &["create.rs", "device.rs", "first.rs", "games.rs", "lobby.rs", "settings.rs", "today.rs"];

    /// Pages that are read.
    const READ: &[&str] = &[
        "about.rs",
        "gallery.rs",
        "house",
        "learn.rs",
        "figures.rs",
        "maths",
        "odds",
        "practice.rs",
        "rules.rs",
        "solve",
        "strategy.rs",
    ];

    /// Nobody reads a key on the screen: every key that the source names has its sentence among the words that come
    /// with every program that has this part of the source.
    #[test]
    fn every_program_has_a_sentence_for_every_key_that_it_names() {
        let screens = |name: &str| format!("screens/{name}");
        let pages = |names: &[&str]| names.iter().map(|name| format!("pages/{name}")).collect::<Vec<_>>();
        let frame: Vec<String> = FRAME.iter().map(|&name| name.to_owned()).chain(pages(MATCHES)).collect();
        let told = |names: &[&str]| names.iter().map(|name| format!("../../screen/src/{name}")).collect();
        let programs: [(Vec<String>, &[&str]); 12] = [
            (frame, &["lobby", "library", "pattern", "contract"]),
            (pages(LEADS), &["lobby"]),
            (pages(&["your_try.rs"]), &["lobby", "pattern", "contract"]),
            (pages(READ), &["library"]),
            (pages(&["options"]), &["lobby", "library"]),
            (
                [
                    "board.rs",
                    "memory.rs",
                    "pattern.rs",
                    "pattern_advice.rs",
                    "puzzle.rs",
                    "race",
                    "setup.rs",
                    "trial.rs",
                    "mod.rs",
                ]
                .map(screens)
                .into(),
                &["pattern"],
            ),
            (["contract.rs", "rummy"].map(screens).into(), &["contract"]),
            ([screens("advice.rs")].into(), &["pattern", "contract"]),
            (told(&["lib.rs", "card.rs", "people.rs"]), &["lobby", "library", "pattern", "contract"]),
            (told(&["verdict.rs"]), &["library", "pattern"]),
            (told(&["board.rs", "pick.rs", "race.rs"]), &["pattern"]),
            (told(&["contract.rs", "story.rs"]), &["contract"]),
        ];
        let english = english();
        let mut seen = BTreeSet::new();
        let mut missing = BTreeSet::new();
        for (files, said_by) in &programs {
            let names: Vec<&str> = files.iter().map(String::as_str).collect();
            for (path, source) in sources(&names) {
                let said = |key: &&str| {
                    english.get(key).is_some()
                        && said_by.iter().all(|program| words::is_said_by(program, key))
                };
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
        assert!(
            english.keys().count() > 100 && keys(&sources(&["app.rs"])[0].1).count() > 10,
            "something was read"
        );
    }
}
