//! The language of the page: its words, numbers, days and letters.

use super::storage::{forget, storage};
use super::{document, reload, window};

/// What is said and written in the language of the page: `language.js`.
mod script {
    use wasm_bindgen::prelude::*;

    #[wasm_bindgen(js_namespace = parlour)]
    extern "C" {
        pub async fn words() -> JsValue;
        #[wasm_bindgen(catch)]
        pub async fn sheets() -> Result<JsValue, JsValue>;
        pub fn languages() -> String;
        pub fn plural(n: f64) -> String;
        pub fn number(value: f64, digits: u32) -> String;
        #[wasm_bindgen(catch)]
        pub fn whole(digits: &str) -> Result<String, JsValue>;
        pub fn time(unix_ms: f64) -> String;
        pub fn day(date: &str) -> String;
    }
}

/// The words of this program in the language of the page, once they are here.
pub async fn words() -> String {
    script::words().await.as_string().unwrap_or_default()
}

/// The words of rule sheets in the language of the page; nothing in English, in which sheets come as they are, and where they
/// cannot be had.
pub async fn sheet_words() -> String {
    script::sheets().await.ok().and_then(|words| words.as_string()).unwrap_or_default()
}

/// The language this person's browser asks for, such as `en-GB`.
#[must_use]
pub fn language() -> String {
    window().and_then(|w| w.navigator().language()).unwrap_or_default()
}

/// The languages that there are: the code of each, and what it calls itself.
#[must_use]
pub fn languages() -> Vec<(String, String)> {
    let lines = script::languages();
    lines
        .lines()
        .filter_map(|line| line.split_once('='))
        .map(|(id, name)| (id.to_owned(), name.to_owned()))
        .collect()
}

/// The language of the page.
#[must_use]
pub fn page_language() -> String {
    document().and_then(|d| d.document_element()).and_then(|e| e.get_attribute("lang")).unwrap_or_default()
}

const LANGUAGE: &str = "parlour.language";

/// The language that was chosen, if one was.
#[must_use]
pub fn chosen_language() -> Option<String> {
    storage()?.get_item(LANGUAGE).ok()?
}

/// Chooses a language, or leaves it to the browser. The page comes in it when it is loaded anew.
pub fn choose_language(id: Option<&str>) {
    match (storage(), id) {
        (Some(storage), Some(id)) => _ = storage.set_item(LANGUAGE, id),
        _ => forget(LANGUAGE),
    }
    reload();
}

/// What Unicode calls the form of words that goes with a number: `one`, `other`.
#[must_use]
pub fn plural(n: f64) -> String {
    // Tests run in no browser, and speak English.
    if cfg!(test) {
        return if n == 1.0 { "one" } else { "other" }.to_owned();
    }
    script::plural(n)
}

/// A number with so many digits after the point.
#[must_use]
pub fn number(value: f64, digits: u32) -> String {
    script::number(value, digits)
}

/// A whole number that may be too long to count with, from its digits; as it stands where it is none.
#[must_use]
pub fn whole_number(digits: &str) -> String {
    script::whole(digits).unwrap_or_else(|_| digits.to_owned())
}

/// A day and time as this person writes them.
#[must_use]
pub fn date_text(unix_ms: f64) -> String {
    script::time(unix_ms)
}

/// A day such as `2026-11-23` as this person writes it.
#[must_use]
pub fn day_text(date: &str) -> String {
    script::day(date)
}

/// A letter as a capital. The browser has the tables for that anyhow; those of the standard library would be loaded before a table
/// shows.
#[must_use]
pub fn capital(letter: char) -> String {
    js_sys::JsString::from(letter).to_upper_case().into()
}

/// A text with its first letter as a [`capital`].
#[must_use]
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(capital).unwrap_or_default();
    first + letters.as_str()
}

/// A text in small letters, by the browser's tables as well.
#[must_use]
pub fn small_letters(text: &str) -> String {
    js_sys::JsString::from(text).to_lower_case().into()
}
