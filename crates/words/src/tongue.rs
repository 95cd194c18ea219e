//! Who says sentences: the app in the language of its page, a program in a terminal in that of its user.

use crate::{fill, id};
use std::borrow::Cow;

/// A language that sentences are said in, as far as whoever says them has its words.
pub trait Tongue {
    /// The sentence for the key with this number, if its words are here.
    fn find(&self, key: u32) -> Option<&str>;

    /// What Unicode calls the form that goes with a number in this language: `one`, `few`, `other`.
    fn category(&self, number: f64) -> Cow<'static, str>;

    /// Which of a sentence's forms goes with a number that was written down.
    fn plural(&self, number: &str) -> usize {
        const FORMS: u32 = id("language.plurals");
        let forms = self.find(FORMS).unwrap_or_default();
        let number = number.trim_start_matches(['-', '−']).parse::<u32>();
        let name = number.map_or(Cow::Borrowed("other"), |n| self.category(f64::from(n)));
        forms.split(' ').position(|form| form == name).unwrap_or(usize::MAX)
    }

    /// The sentence for the key with this number, with `values` put in.
    fn say(&self, key: u32, values: &[(&str, String)]) -> String {
        fill(self.find(key).unwrap_or("?"), values, |number| self.plural(number))
    }
}

/// `said!(tongue, "key")` or `said!(tongue, "key", name = value, ..)`: the sentence for a key. Of a key that is written out only its
/// number is left.
#[macro_export]
macro_rules! said {
    ($tongue:expr, $key:literal $(, $name:ident = $value:expr)* $(,)?) => {{
        const KEY: u32 = $crate::id($key);
        $crate::Tongue::say($tongue, KEY, &[$((stringify!($name), ($value).to_string())),*])
    }};
    ($tongue:expr, $key:expr $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::Tongue::say($tongue, $crate::id($key), &[$((stringify!($name), ($value).to_string())),*])
    };
}
