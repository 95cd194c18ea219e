//! Reading the language files, and writing what the app reads.

use crate::{FIRST, ID_LETTERS, id};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

/// Tables that only the programs say that are named here. What stands in no row is said by all.
const ROWS: [(&[&str], &[&str]); 11] = [
    (&["lobby"], &["device", "games", "lobby", "settings", "today"]),
    (
        &["library"],
        &[
            "about",
            "gallery",
            "house",
            "learn",
            "maths",
            "odds",
            "practice",
            "print",
            "published",
            "rules",
            "solve",
            "strategy",
        ],
    ),
    // Both of these offer games.
    (&["lobby", "library"], &["choice", "difficulty", "family", "group", "new", "option"]),
    (&["library"], &["no_code"]),
    // Where bots are seated, and games of a day end.
    (&["lobby", "pattern", "contract"], &["plays", "try"]),
    // Of claims the library speaks as a table does.
    (&["library", "pattern"], &["board", "memory", "puzzle", "race", "scout", "setup", "trial", "verdict"]),
    (&["pattern", "contract"], &["hint", "list", "no", "no_table"]),
    (&["pattern"], &["no_pattern", "set_advice"]),
    (&["contract"], &["advice", "no_contract", "no_rules"]),
    // House rules put contracts together.
    (&["library", "contract"], &["want"]),
    (&["contract"], &["coach", "meld", "prompt", "rummy", "sheet", "stage", "standing", "story"]),
];

/// The table that no program says: it is for the page around them.
const PAGE: &str = "page";

/// Tables of what is wrong with a rule file, and what would be right.
const FAULTS: [&str; 2] = ["fault", "remedy"];

/// What the app says to words that go together: `form` is how an adjective goes with its noun.
const GRAMMAR: &str = "form";

/// The language that the others are translations of.
pub const SOURCE: &str = "en";

/// A language file.
#[derive(Clone, Debug)]
pub struct Language {
    /// The language's code, as in `lang` of a page: `en`.
    pub id: String,
    sentences: BTreeMap<String, String>,
}

impl Language {
    /// Reads a file.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn read(code: &str, text: &str) -> Result<Language, String> {
        Language::empty(code).with(text)
    }

    /// No sentences yet.
    pub(crate) fn empty(code: &str) -> Language {
        Language { id: code.to_owned(), sentences: BTreeMap::new() }
    }

    /// The same with the sentences of another file: what the app says stands in one, what the rules say in another.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn with(self, text: &str) -> Result<Language, String> {
        let Language { id: code, mut sentences } = self;
        let table: toml::Table = text.parse().map_err(|fault| format!("{code}: {fault}"))?;
        walk("", table, &mut sentences).map_err(|fault| format!("{code}: {fault}"))?;
        let language = Language { id: code.clone(), sentences };
        let mut seen = BTreeMap::new();
        for (key, sentence) in &language.sentences {
            if let Some(other) = seen.insert(id(key), key) {
                return Err(format!(
                    "{code}: {key} and {other} have the same number: call one of them otherwise"
                ));
            }
            if sentence.contains(['\n', '\r']) {
                return Err(format!("{code}: {key} is more than one line"));
            }
            holes(sentence).map_err(|fault| format!("{code}: {key}: {fault}"))?;
        }
        Ok(language)
    }

    /// The sentence of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        self.sentences.get(key).map(String::as_str)
    }

    /// The names of what is put into the sentence of a key, or chooses a form of it.
    #[must_use]
    pub fn values(&self, key: &str) -> Option<BTreeSet<String>> {
        let Holes { mut said, chosen_by, .. } = holes(self.get(key)?).ok()?;
        said.extend(chosen_by);
        said.remove(GRAMMAR);
        Some(said)
    }

    /// All keys, in order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.sentences.keys().map(String::as_str)
    }

    /// All sentences, a line for each, in the order of the numbers of their keys: what the app reads.
    #[must_use]
    pub fn file(&self) -> String {
        self.lines(|_| true)
    }

    /// What one of the programs says, in the same way.
    #[must_use]
    pub fn file_of(&self, program: &str) -> String {
        let told = |table: &str| SERVED.contains(&table) || (program, table) == LISTED;
        let served = |key: &str| self.id == SOURCE && told(table_of(key));
        self.lines(|key| is_said_by(program, key) && !served(key))
    }

    fn lines(&self, said: impl Fn(&str) -> bool) -> String {
        let said = self.sentences.iter().filter(|(key, _)| said(key));
        let lines: BTreeMap<u32, &String> = said.map(|(key, sentence)| (id(key), sentence)).collect();
        lines.into_iter().map(|(id, sentence)| format!("{}{sentence}\n", text_of(id))).collect()
    }

    /// What is wrong with this translation: keys that are missing or left over, values that are not said or not there to be
    /// said, forms of a number that the language has not.
    #[must_use]
    pub fn faults(&self, source: &Language) -> Vec<String> {
        let mut faults = Vec::new();
        let mut tell = |key: &str, what: &str| faults.push(format!("{}: {key} {what}", self.id));
        let forms = self.get("language.plurals").unwrap_or_default().split(' ').count();
        for key in source.keys().filter(|key| self.get(key).is_none()) {
            tell(key, "is missing");
        }
        for (key, sentence) in &self.sentences {
            let Some(original) = source.get(key) else {
                // Tests of the app hold these to the options and to the games.
                if !ELSEWHERE.contains(&table_of(key)) && !key.starts_with("rule.label.") {
                    tell(key, "is left over");
                }
                continue;
            };
            let (Ok(here), Ok(there)) = (holes(sentence), holes(original)) else {
                tell(key, "cannot be read");
                continue;
            };
            if sentence.trim().is_empty() {
                tell(key, "says nothing");
            }
            for name in there.said.difference(&here.said) {
                tell(key, &format!("does not say {{{name}}}"));
            }
            for name in here.said.difference(&there.said) {
                tell(key, &format!("says {{{name}}}, which is not there"));
            }
            for name in here.chosen_by.iter().filter(|name| **name != GRAMMAR) {
                if !there.said.contains(name) && !there.chosen_by.contains(name) {
                    tell(key, &format!("chooses by {{{name}}}, which is not there"));
                }
            }
            for count in here.plurals.iter().filter(|count| **count != forms) {
                tell(key, &format!("has {count} forms for a number, not {forms}"));
            }
        }
        faults
    }
}

/// What the rules say in English, for programs that are no browser: the sentence of a key.
#[must_use]
pub fn english(key: &str) -> Option<&'static str> {
    static ENGLISH: LazyLock<Language> = LazyLock::new(|| {
        let (rules, sheets) =
            (include_str!("../../web/lang/rules/en.toml"), include_str!("../../web/lang/sheets/en.toml"));
        let language = Language::read(SOURCE, rules).and_then(|rules| rules.with(sheets));
        language.expect("the tests read it")
    });
    ENGLISH.get(key)
}

/// What stands on printed sheets in a language: the sentence of a key; in English where that language is not known.
#[must_use]
pub fn printed(language: &str, key: &str) -> Option<&'static str> {
    static LANGUAGES: LazyLock<Vec<Language>> = LazyLock::new(|| {
        let files = [
            (SOURCE, include_str!("../../web/lang/print/en.toml")),
            ("de", include_str!("../../web/lang/print/de.toml")),
            ("es", include_str!("../../web/lang/print/es.toml")),
            ("fr", include_str!("../../web/lang/print/fr.toml")),
        ];
        files.map(|(id, text)| Language::read(id, text).expect("the tests read it")).into()
    });
    let of = |id: &str| LANGUAGES.iter().find(|language| language.id == id);
    of(language).or_else(|| of(SOURCE))?.get(key)
}

/// The folder, beside the files of the app, with what the rules say in each language.
const RULES: &str = "rules";

/// The folder with what rule sheets say.
const SHEETS: &str = "sheets";

/// What is read as if it were a program: the words of rule sheets and of what is wrong with rule files, which are fetched where
/// one is shown, or rules are refused.
pub const SHEET: &str = "sheet";

/// The folder with what stands on printed sheets, for the programs that print them.
const PRINT: &str = "print";

/// The table of its files.
const PRINTED: &str = "worksheet";

/// The folder with what only terminals say, and the table of its files.
const TERMINAL: &str = "terminal";

/// Folders whose English stands elsewhere: what may be set, beside the options; what is said of the games, in rule files; what others
/// said of the odds, in the laboratory.
const APART: [&str; 3] = ["options", "games", "odds"];

/// The tables of their files.
const ELSEWHERE: [&str; 5] = ["option", "difficulty", "preset", "played", "published"];

/// Tables that the server says: it does so in English, too, so nobody loads the English for them.
const SERVED: [&str; 2] = ["no_code", "no_server"];
/// What stands in the list of games in English, and the program that has that list whenever it says it.
const LISTED: (&str, &str) = ("lobby", "plays");

fn table_of(key: &str) -> &str {
    key.split('.').next().unwrap_or_default()
}

/// The languages of a folder, by their codes.
///
/// # Errors
/// What is wrong with one of them, in words.
pub fn read_folder(folder: &Path) -> Result<Vec<Language>, String> {
    let told = |fault: std::io::Error| format!("{}: {fault}", folder.display());
    let mut languages = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(told)? {
        let path = entry.map_err(told)?.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let name = path.file_name().unwrap_or_default().to_owned();
            let read = |path: &Path| {
                std::fs::read_to_string(path).map_err(|fault| format!("{}: {fault}", path.display()))
            };
            let mut language = Language::read(&id, &read(&path)?)?;
            for told in [RULES, SHEETS, PRINT, TERMINAL] {
                language = language.with(&read(&folder.join(told).join(&name))?)?;
            }
            for apart in APART.iter().filter(|_| id != SOURCE) {
                language = language.with(&read(&folder.join(apart).join(&name))?)?;
            }
            languages.push(language);
        }
    }
    languages.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(languages)
}

/// Whether a program of the app says the sentence of a key.
#[must_use]
pub fn is_said_by(program: &str, key: &str) -> bool {
    let (table, rest) = key.split_once('.').unwrap_or((key, ""));
    if [PAGE, PRINTED, TERMINAL].contains(&table) {
        return false;
    }
    // The words of rule sheets go with those of the program that shows one.
    let of_sheet = |rest: &str| rest.ends_with(".note") || rest.ends_with(".reconstruction");
    if program == SHEET {
        return ["list", "rule", "want"].contains(&table)
            || FAULTS.contains(&table)
            || ["preset", "played"].contains(&table) && of_sheet(rest);
    }
    if FAULTS.contains(&table) {
        return false;
    }
    let offers = ["lobby", "library"].contains(&program);
    if table == "rule" {
        // What a table should know is said where it is begun, too, and where options stand, what stands over them.
        return program == "lobby" && rest.starts_with("contract.note.")
            || offers && rest.starts_with("pattern.section.");
    }
    // All programs say their titles over the window, and the button for light and dark.
    if ["title", "title_short"].contains(&rest) || key.starts_with("settings.theme.") {
        return true;
    }
    // All name games; only where they are offered more is said of them.
    if table == "preset" {
        return rest.ends_with(".name") || offers && !of_sheet(rest);
    }
    // What families play stands on pages that are read, and is offered nowhere else.
    if table == "played" {
        return program == "library" && !of_sheet(rest);
    }
    let mut rows = ROWS.iter().filter(|(_, tables)| tables.contains(&table)).peekable();
    rows.peek().is_none() || rows.any(|(programs, _)| programs.contains(&program))
}

/// A key's number as it stands in a line.
#[must_use]
pub fn text_of(id: u32) -> String {
    let letter = |n: usize| char::from(FIRST + (id >> (6 * n) & 63) as u8);
    (0..ID_LETTERS).rev().map(letter).collect()
}

fn walk(prefix: &str, table: toml::Table, sentences: &mut BTreeMap<String, String>) -> Result<(), String> {
    for (key, value) in table {
        let key = if prefix.is_empty() { key } else { format!("{prefix}.{key}") };
        match value {
            toml::Value::String(text) => match sentences.insert(key.clone(), text) {
                None => {}
                Some(_) => return Err(format!("{key} stands in two files")),
            },
            toml::Value::Table(table) => walk(&key, table, sentences)?,
            other => return Err(format!("{key} is no sentence: {other}")),
        }
    }
    Ok(())
}

/// What a sentence leaves open.
#[derive(Debug, Default)]
struct Holes {
    /// Values that are put in.
    said: BTreeSet<String>,
    /// Values that choose a form.
    chosen_by: BTreeSet<String>,
    /// How many forms stand where a number chooses.
    plurals: Vec<usize>,
}

fn holes(sentence: &str) -> Result<Holes, String> {
    let mut holes = Holes::default();
    let mut rest = sentence;
    while let Some((_, after)) = rest.split_once('{') {
        let (hole, after) = after.split_once('}').ok_or("a { has no }")?;
        let mut parts = hole.split('|');
        let name = parts.next().unwrap_or_default();
        let forms = parts.count();
        match name.split_once('=') {
            Some((name, values)) => {
                if forms != values.split(',').count() + 1 {
                    return Err(format!("{{{hole}}} has not one form for each word and one for all others"));
                }
                holes.chosen_by.insert(name.to_owned());
            }
            None if forms == 0 => _ = holes.said.insert(name.to_owned()),
            None => {
                holes.plurals.push(forms);
                holes.chosen_by.insert(name.to_owned());
            }
        }
        rest = after;
    }
    Ok(holes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shipped() -> Vec<Language> {
        read_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/lang")).unwrap()
    }

    #[test]
    fn every_language_has_every_sentence_with_all_that_it_says() {
        let languages = shipped();
        let english = languages.iter().find(|language| language.id == SOURCE).unwrap();
        assert!(english.keys().count() > 600);
        for id in ["de", "en", "es", "fr"] {
            assert!(languages.iter().any(|language| language.id == id), "{id} is not there");
        }
        let faults: Vec<String> = languages.iter().flat_map(|language| language.faults(english)).collect();
        assert!(faults.is_empty(), "{faults:#?}");
    }

    #[test]
    fn no_sentence_is_still_english() {
        let languages = shipped();
        let english = languages.iter().find(|language| language.id == SOURCE).unwrap();
        for language in languages.iter().filter(|language| language.id != SOURCE) {
            let same = |key: &&str| {
                // Single words may be the same; sentences are not.
                let sentence = english.get(key).unwrap_or_default();
                sentence.split(' ').filter(|word| !word.contains('{') && *word != "|").count() > 3
                    && language.get(key) == Some(sentence)
            };
            let same: Vec<&str> = english.keys().filter(same).collect();
            assert!(same.is_empty(), "{}: still English: {same:?}", language.id);
        }
    }

    #[test]
    fn the_app_reads_what_is_written() {
        for language in shipped() {
            let file = language.file();
            let read: Vec<(u32, &str)> = file.lines().map(|line| crate::line(line).unwrap()).collect();
            assert!(read.is_sorted() && read.len() == language.keys().count());
            for key in language.keys() {
                let at = read.binary_search_by_key(&id(key), |(id, _)| *id).unwrap();
                assert_eq!(language.get(key), Some(read[at].1), "{key}");
            }
        }
        assert_eq!(crate::line("abc"), None);
    }

    #[test]
    fn what_is_wrong_with_a_translation_is_told() {
        let source = Language::read(
            "en",
            "plain = 'One'\nmany = '{n} {n|card|cards} of {who}'\n[language]\nplurals = 'one other'",
        )
        .unwrap();
        let check = |text: &str| Language::read("xx", text).unwrap().faults(&source);
        let well = "plain = 'Un'\nmany = '{who}: {n} {n|carte|cartes}'\n[language]\nplurals = 'one other'";
        assert_eq!(check(well), Vec::<String>::new());
        let three = "plain = 'Un {n}'\nmany = '{who}: {n} {m|a|b|c}'\nmore = 'x'\n[language]\nplurals = 'one few other'";
        assert_eq!(
            check(three),
            [
                "xx: many chooses by {m}, which is not there",
                "xx: more is left over",
                "xx: plain says {n}, which is not there",
            ]
        );
        assert_eq!(
            check("many = '{n} {n|carta}'\n[language]\nplurals = 'one other'"),
            [
                "xx: plain is missing",
                "xx: many does not say {who}",
                "xx: many has 1 forms for a number, not 2",
            ]
        );
        for (text, why) in [
            ("a = 'x {'", "xx: a: a { has no }"),
            (
                "a = '{form=m|rouge}'",
                "xx: a: {form=m|rouge} has not one form for each word and one for all others",
            ),
            ("a = 3", "xx: a is no sentence: 3"),
            ("a = \"x\\ny\"", "xx: a is more than one line"),
        ] {
            assert_eq!(Language::read("xx", text).unwrap_err(), why);
        }
    }

    #[test]
    fn each_program_says_its_own() {
        let said = |key: &str| {
            let all = ["lobby", "library", "pattern", "contract"];
            all.into_iter().filter(|program| is_said_by(program, key)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(said("ui.copy"), "lobby library pattern contract");
        assert_eq!(said("learn.title"), "lobby library pattern contract");
        assert_eq!(said("learn.step"), "library");
        assert_eq!(said("new.seats"), "lobby library");
        assert_eq!(said("verdict.right"), "library pattern");
        assert_eq!(said("settings.theme.dark"), "lobby library pattern contract");
        assert_eq!(said("preset.double.name"), "lobby library pattern contract");
        assert_eq!(said("preset.double.summary"), "lobby library");
        assert_eq!(said("preset.double.note"), "");
        assert_eq!(said("played.onze.summary") + &said("played.onze.name"), "librarylibrary");
        assert_eq!(said("played.onze.note"), "");
        assert!(is_said_by(SHEET, "played.onze.note") && !is_said_by(SHEET, "played.onze.summary"));
        assert_eq!(said("rule.players.alone"), "");
        assert!(is_said_by(SHEET, "rule.players.alone") && is_said_by(SHEET, "preset.double.note"));
        assert!(!is_said_by(SHEET, "ui.copy"));
        assert_eq!(said("fault.is") + &said("remedy.write"), "");
        assert!(is_said_by(SHEET, "fault.is") && is_said_by(SHEET, "remedy.write"));
        assert_eq!(said("page.noscript") + &said("terminal.help"), "");
    }
}
