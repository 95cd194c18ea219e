//! What is said to people: the key of a sentence in the language files (`crates/web/lang/rules`), and what is put into it.
//!
//! The rules say nothing in words. Whoever shows it says it in the language of whoever reads; programs that are no browser
//! say it in English, with the feature `english`.
//!
//! ```
//! use game::{Refusal, say};
//!
//! let refusal = Refusal::new(&["CR-DISC-1"], say!("no_contract.not_held", card = "7H"));
//! assert_eq!(refusal.say.key, "no_contract.not_held");
//! assert_eq!(refusal.to_string(), "you do not hold the 7H (CR-DISC-1)");
//! ```

use crate::Seat;
use schemars::JsonSchema;
use serde::de::{Deserializer, MapAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// A sentence, or words within one, in no language yet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Say {
    /// Its key in the language files; empty where nothing is said.
    pub key: Cow<'static, str>,
    /// What is put into it, by name.
    #[serde(default, skip_serializing_if = "Values::is_empty")]
    pub values: Values,
}

/// A sentence with its English, for whoever has no words of another language.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sentence {
    /// In English.
    pub text: String,
    /// In no language yet.
    pub say: Say,
}

impl Sentence {
    /// Whether nothing is said.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.say.is_empty()
    }
}

impl From<Say> for Sentence {
    fn from(say: Say) -> Sentence {
        Sentence { text: say.to_string(), say }
    }
}

/// What is put into a sentence, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values(pub Vec<(Cow<'static, str>, Value)>);

/// Something that is put into a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Value {
    /// A number, which may choose a form.
    Number(i64),
    /// What is the same in every language: cards in notation, a name.
    Text(Cow<'static, str>),
    /// Words of the language.
    Say(Say),
}

/// The name of the value that is the English of words that have it with them.
const ENGLISH: &str = "english";

impl Say {
    /// The sentence of a key. `say!` also puts in what it says.
    #[must_use]
    pub const fn new(key: &'static str) -> Say {
        Say { key: Cow::Borrowed(key), values: Values(Vec::new()) }
    }

    /// Words whose English stands elsewhere than in the language files: in a rule file, or in an option's row.
    #[must_use]
    pub fn apart(key: String, english: impl Into<Value>) -> Say {
        Say { key: Cow::Owned(key), values: Values(Vec::new()) }.with(ENGLISH, english)
    }

    /// The English of words that have it with them.
    #[must_use]
    pub fn english(&self) -> Option<&Value> {
        self.values.0.iter().find(|(name, _)| name == ENGLISH).map(|(_, english)| english)
    }

    /// The same with a value put in.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Value>) -> Say {
        self.values.0.push((Cow::Borrowed(name), value.into()));
        self
    }

    /// Whether nothing is said.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.key.is_empty()
    }

    /// `a`, `a and b`, `a, b and c`; nothing of nothing.
    #[must_use]
    pub fn all(items: Vec<Say>) -> Option<Say> {
        joined(items, |a, b| crate::say!("list.and", a = a, b = b))
    }

    /// `a`, `a or b`, `a, b or c`; nothing of nothing.
    #[must_use]
    pub fn any(items: Vec<Say>) -> Option<Say> {
        joined(items, |a, b| crate::say!("list.or", a = a, b = b))
    }
}

fn joined(mut items: Vec<Say>, end: fn(Say, Say) -> Say) -> Option<Say> {
    let last = items.pop()?;
    let before = items.into_iter().reduce(|a, b| crate::say!("list.comma", a = a, b = b));
    Some(match before {
        Some(before) => end(before, last),
        None => last,
    })
}

/// In English, with the feature `english`; else the key and what is put in.
impl fmt::Display for Say {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[cfg(feature = "english")]
        if let Some(sentence) = words::english(&self.key) {
            let values: Vec<(&str, String)> =
                self.values.0.iter().map(|(name, value)| (&**name, value.to_string())).collect();
            return f.write_str(&words::fill(sentence, &values, |n| usize::from(n != "1" && n != "-1")));
        }
        if let Some(english) = self.english() {
            return english.fmt(f);
        }
        f.write_str(&self.key)?;
        self.values.0.iter().try_for_each(|(name, value)| write!(f, " {name}={value}"))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(n) => n.fmt(f),
            Value::Text(text) => text.fmt(f),
            Value::Say(say) => say.fmt(f),
        }
    }
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl From<$number> for Value {
            fn from(number: $number) -> Value {
                Value::Number(number as i64)
            }
        }
    )*};
}
numbers!(u8 u16 u32 u64 usize i16 i32 i64);

/// As notation numbers it, from 0.
impl From<Seat> for Value {
    fn from(seat: Seat) -> Value {
        Value::Number(seat.0.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(Cow::Owned(text))
    }
}

impl From<&'static str> for Value {
    fn from(text: &'static str) -> Value {
        Value::Text(Cow::Borrowed(text))
    }
}

impl From<Say> for Value {
    fn from(say: Say) -> Value {
        Value::Say(say)
    }
}

impl Values {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Values {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Values, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Values;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("values by name")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Values, A::Error> {
                let mut values = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, Value>()? {
                    values.push((Cow::Owned(name), value));
                }
                Ok(Values(values))
            }
        }
        from.deserialize_map(Read)
    }
}

impl JsonSchema for Values {
    fn schema_name() -> Cow<'static, str> {
        "Values".into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        <std::collections::BTreeMap<String, Value>>::json_schema(generator)
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Value, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Value;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, a text, or words of the language")
            }
            fn visit_i64<E>(self, n: i64) -> Result<Value, E> {
                Ok(Value::Number(n))
            }
            fn visit_u64<E>(self, n: u64) -> Result<Value, E> {
                Ok(Value::Number(i64::try_from(n).unwrap_or(i64::MAX)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Value, E> {
                Ok(Value::from(text.to_owned()))
            }
            fn visit_string<E>(self, text: String) -> Result<Value, E> {
                Ok(Value::from(text))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Value, A::Error> {
                Say::deserialize(MapAccessDeserializer::new(map)).map(Value::Say)
            }
        }
        from.deserialize_any(Read)
    }
}

/// `say!("key")` or `say!("key", name = value, ..)`: the sentence of a key of the language files, with what is put into it.
#[macro_export]
macro_rules! say {
    ($key:literal $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::Say::new($key)$(.with(stringify!($name), $value))*
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_written_and_read() {
        let check = |say: Say, text: &str| {
            assert_eq!(serde_json::to_string(&say).unwrap(), text);
            assert_eq!(serde_json::from_str::<Say>(text).unwrap(), say);
        };
        check(say!("no.over"), r#"{"key":"no.over"}"#);
        check(
            say!("no.some", n = 3, card = "7H", what = say!("want.kind.pair")),
            r#"{"key":"no.some","values":{"n":3,"card":"7H","what":{"key":"want.kind.pair"}}}"#,
        );
    }

    #[test]
    fn what_is_listed_is_said_in_english() {
        let pairs = |n: u8| (0..n).map(|_| say!("want.kind.pair")).collect();
        let told = |say: Option<Say>| say.map(|say| say.to_string());
        assert_eq!(told(Say::all(pairs(0))), None);
        assert_eq!(told(Say::all(pairs(1))).as_deref(), Some("pair"));
        assert_eq!(told(Say::any(pairs(2))).as_deref(), Some("pair or pair"));
        assert_eq!(told(Say::all(pairs(3))).as_deref(), Some("pair, pair and pair"));
        let apart = Say::apart("preset.double.name".to_owned(), "Double-Set");
        assert_eq!(say!("list.name", name = apart).to_string(), "Double-Set");
        // What no file knows is told as it is.
        assert_eq!(say!("no.such", n = 1).to_string(), "no.such n=1");
    }
}
