//! What all texts have in common.

use serde::de::{DeserializeOwned, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::{self, Debug};

/// The text that the bytes are; none if they are none.
pub fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

/// Reads JSON with both readers: what the app's reads is what `serde_json` reads.
///
/// They differ where they are meant to, in what no server of ours writes: the app's takes no array for a struct, of a field
/// that is there twice it takes the last, and of a list that is too long the beginning.
pub fn json<T: Serialize + DeserializeOwned + PartialEq + Debug>(text: &str) -> Option<T> {
    let (theirs, ours) = (serde_json::from_str::<T>(text), wire::json::from_str::<T>(text));
    match (&theirs, &ours) {
        (Ok(theirs), Ok(ours)) => assert_eq!(theirs, ours, "two readings of {text}"),
        (Err(why), Ok(ours)) => {
            // Each field once, the last of them: then only a list may be too long.
            let (once, again) = once(text);
            assert!(again || why.to_string().contains(TOO_LONG), "{why}, but it is {ours:?}: {text}");
            match serde_json::from_str::<T>(&once) {
                Ok(theirs) => assert_eq!(theirs, *ours, "two readings of {once}: {text}"),
                Err(why) => {
                    assert!(why.to_string().contains(TOO_LONG), "{why}, but it is {ours:?}: {once}: {text}");
                }
            }
        }
        (Ok(theirs), Err(why)) => {
            let written = serde_json::to_string(theirs).expect("plain data");
            let read = wire::json::from_str::<T>(&written);
            assert_eq!(read.as_ref().ok(), Some(theirs), "{why} in {text}; {read:?} in {written}");
        }
        (Err(_), Err(_)) => {}
    }
    let value = theirs.ok()?;
    written(&value);
    Some(value)
}

/// What `serde_json` says of a list that goes on after what was expected of it.
const TOO_LONG: &str = "trailing characters";

/// The same JSON with each field once, the last of those of a name, and whether there was one to leave out.
fn once(text: &str) -> (String, bool) {
    let last: Value = serde_json::from_str(text).expect("JSON");
    let Members(all) = serde_json::from_str(text).expect("JSON");
    (last.to_string(), all > members(&last))
}

/// How many members the objects of a value have in all.
fn members(value: &Value) -> usize {
    match value {
        Value::Array(list) => list.iter().map(members).sum(),
        Value::Object(map) => map.values().map(|value| 1 + members(value)).sum(),
        _ => 0,
    }
}

/// The same of a text, where of a name there may be several.
struct Members(usize);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Members, D::Error> {
        deserializer.deserialize_any(Members(0))
    }
}

impl<'de> Visitor<'de> for Members {
    type Value = Members;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }
    fn visit_bool<E>(self, _: bool) -> Result<Members, E> {
        Ok(self)
    }
    fn visit_i64<E>(self, _: i64) -> Result<Members, E> {
        Ok(self)
    }
    fn visit_u64<E>(self, _: u64) -> Result<Members, E> {
        Ok(self)
    }
    fn visit_f64<E>(self, _: f64) -> Result<Members, E> {
        Ok(self)
    }
    fn visit_str<E>(self, _: &str) -> Result<Members, E> {
        Ok(self)
    }
    fn visit_unit<E>(self) -> Result<Members, E> {
        Ok(self)
    }
    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<Members, A::Error> {
        while let Some(Members(inside)) = list.next_element()? {
            self.0 += inside;
        }
        Ok(self)
    }
    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Members, A::Error> {
        while let Some((_, Members(inside))) = map.next_entry::<String, Members>()? {
            self.0 += 1 + inside;
        }
        Ok(self)
    }
}

/// What is written is read back, by both readers.
pub fn written<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let text = serde_json::to_string(value).expect("plain data");
    assert_eq!(serde_json::from_str::<T>(&text).as_ref().ok(), Some(value), "{text}");
    assert_eq!(wire::json::from_str::<T>(&text).as_ref().ok(), Some(value), "{text}");
}

/// A number that the bytes make, for choices that should be the same for the same input.
pub fn seed(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
