//! All that the app says, in every language, for programs that are no browser and say it too.

use crate::{Language, SOURCE, Tongue, id};
use intl_pluralrules::{PluralCategory, PluralRuleType, PluralRules};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;
use unic_langid::LanguageIdentifier;

/// A language with its words.
pub struct Speaker {
    language: Language,
    by_number: HashMap<u32, String>,
    plurals: Option<PluralRules>,
}

impl Speaker {
    fn of(code: &str, files: &[&str]) -> Speaker {
        let language = files.iter().try_fold(Language::empty(code), |language, file| language.with(file));
        let language = language.expect("the tests read it");
        let by_number = language.keys().filter_map(|key| Some((id(key), language.get(key)?.to_owned())));
        let by_number = by_number.collect();
        let code: Option<LanguageIdentifier> = code.parse().ok();
        let plurals = code.and_then(|code| PluralRules::create(code, PluralRuleType::CARDINAL).ok());
        Speaker { language, by_number, plurals }
    }

    /// The language's code: `en`.
    #[must_use]
    pub fn code(&self) -> &str {
        &self.language.id
    }
}

impl Tongue for Speaker {
    fn find(&self, key: u32) -> Option<&str> {
        self.by_number.get(&key).map(String::as_str)
    }

    fn category(&self, number: f64) -> Cow<'static, str> {
        let category = self.plurals.as_ref().and_then(|plurals| plurals.select(number).ok());
        Cow::Borrowed(match category {
            Some(PluralCategory::ZERO) => "zero",
            Some(PluralCategory::ONE) => "one",
            Some(PluralCategory::TWO) => "two",
            Some(PluralCategory::FEW) => "few",
            Some(PluralCategory::MANY) => "many",
            Some(PluralCategory::OTHER) | None => "other",
        })
    }
}

/// The files of a language that whoever plays hears: the app's own, those of the rules, and what only terminals say. What is said
/// of games stands in a file of its own where it is a translation; in English it is in the rule files.
macro_rules! languages {
    ($($code:literal: $($file:literal)*;)*) => {
        &[$(($code, &[
            include_str!(concat!("../../web/lang/", $code, ".toml")),
            include_str!(concat!("../../web/lang/rules/", $code, ".toml")),
            include_str!(concat!("../../web/lang/sheets/", $code, ".toml")),
            include_str!(concat!("../../web/lang/terminal/", $code, ".toml")),
            $(include_str!(concat!("../../web/lang/", $file, "/", $code, ".toml")),)*
        ])),*]
    };
}

const LANGUAGES: &[(&str, &[&str])] = languages! {
    "en":;
    "de": "games";
    "es": "games";
    "fr": "games";
};

/// Who speaks the language of a code, a locale's name or a list of these by preference (`de`, `fr_CA.UTF-8`, `pt:es:en`): the first of
/// them that is known, else English.
#[must_use]
pub fn spoken(wanted: &str) -> &'static Speaker {
    static SPEAKERS: [OnceLock<Speaker>; LANGUAGES.len()] = [const { OnceLock::new() }; LANGUAGES.len()];
    // `pt_BR.UTF-8` is the Portuguese of Brazil, where there is one, else Portuguese.
    let name =
        |wanted: &str| wanted.split(['.', '@']).next().unwrap_or_default().to_lowercase().replace('_', "-");
    let known = |code: &str| LANGUAGES.iter().position(|(known, _)| *known == code);
    let at = |wanted: &str| {
        let name = name(wanted);
        known(&name).or_else(|| known(name.split('-').next()?))
    };
    let source = || known(SOURCE).expect("English is one of them");
    let at = wanted.split([':', ',']).find_map(at).unwrap_or_else(source);
    SPEAKERS[at].get_or_init(|| Speaker::of(LANGUAGES[at].0, LANGUAGES[at].1))
}

/// The codes of all languages that are spoken.
pub fn spoken_codes() -> impl Iterator<Item = &'static str> {
    LANGUAGES.iter().map(|(code, _)| *code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{read_folder, said};
    use std::path::Path;

    #[test]
    fn every_language_of_the_app_is_spoken() {
        for language in read_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/lang")).unwrap() {
            let speaker = spoken(&language.id);
            assert_eq!(speaker.code(), language.id);
            for key in speaker.language.keys() {
                assert_eq!(speaker.find(id(key)), language.get(key), "{key}");
            }
        }
    }

    #[test]
    fn languages_are_found_as_machines_name_them() {
        let named = |wanted| spoken(wanted).code();
        assert_eq!(
            ["de", "fr_CA.UTF-8", "pt:es:en", "es-419,en", "C.UTF-8", "", "xx"].map(named),
            ["de", "fr", "es", "es", "en", "en", "en"]
        );
    }

    #[test]
    fn numbers_choose_the_form_that_the_language_has() {
        let takes = |code, n: i32| said!(spoken(code), "rummy.takes", n = n);
        assert_eq!([0, 1, 2].map(|n| takes("en", n)), ["0 takes", "1 take", "2 takes"]);
        // In French nothing is one thing, too.
        let forms = |n| spoken("fr").plural(n);
        assert_eq!(["0", "1", "2", "-1", "x"].map(forms), [0, 0, 1, 0, 1]);
    }
}
