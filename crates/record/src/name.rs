//! The name of a match, which binds its header.
//!
//! Every draw of a fair deal depends on the name of the match (docs/fair-deal.md). The name ends with a hash of the header,
//! so whoever changes a rule, a seat or a time in the header of a record must change the name, and then no draw follows
//! from the seeds any more. People's names are left out: they may be removed when somebody wants to be forgotten.

use crate::entry::Header;
use crate::fair::Bytes32;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::str::FromStr;

/// What stands between the server's own name of the match and the hash.
const BEFORE_HASH: char = '-';

impl<R: Serialize> Header<R> {
    /// The header with the name of its match: `id`, which is what the server knows it by, and then the hash of all else in
    /// the header but the names of people.
    ///
    /// # Panics
    /// If the rules have no JSON, which those of all games have.
    #[must_use]
    pub fn named(self, id: &str) -> Header<R> {
        let header = serde_json::to_value(&self).expect("headers are plain data");
        Header { id: format!("{id}{BEFORE_HASH}{}", hash(&header)), ..self }
    }
}

/// The hash that the name of a match binds its header with; none in the name of a match that an older program opened.
#[must_use]
pub fn bound(name: &str) -> Option<Bytes32> {
    let (_, hash) = name.rsplit_once(BEFORE_HASH)?;
    Bytes32::from_str(hash).ok()
}

/// SHA-256 of a header without `match` and without the names of those who sit, written as JSON without spaces, the keys of
/// each object in ascending order.
#[must_use]
pub fn hash(header: &Value) -> Bytes32 {
    let mut bound = header.clone();
    if let Some(header) = bound.as_object_mut() {
        header.remove("match");
        for seat in header.get_mut("seats").and_then(Value::as_array_mut).into_iter().flatten() {
            seat.as_object_mut().map(|seat| seat.remove("name"));
        }
    }
    let mut text = String::new();
    write(&bound, &mut text);
    Bytes32(Sha256::digest(text).into())
}

/// Writes a value with its keys in order, whatever order `serde_json` was built to keep.
fn write(value: &Value, text: &mut String) {
    let mut list = |open: char, items: &mut dyn Iterator<Item = (Option<&String>, &Value)>, close: char| {
        text.push(open);
        for (n, (key, item)) in items.enumerate() {
            if n > 0 {
                text.push(',');
            }
            if let Some(key) = key {
                text.push_str(&Value::from(key.as_str()).to_string());
                text.push(':');
            }
            write(item, text);
        }
        text.push(close);
    };
    match value {
        Value::Object(object) => {
            let mut items: Vec<_> = object.iter().map(|(key, item)| (Some(key), item)).collect();
            items.sort_unstable_by_key(|(key, _)| *key);
            list('{', &mut items.into_iter(), '}');
        }
        Value::Array(items) => list('[', &mut items.iter().map(|item| (None, item)), ']'),
        plain => text.push_str(&plain.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_hash_is_of_all_but_names_in_any_order() {
        let header = json!({ "match": "x", "b": [1, { "z": null, "a": "é\n" }], "a": true,
            "seats": [{ "name": "Ann", "kind": "person" }] });
        let other = json!({ "seats": [{ "kind": "person", "name": "" }], "a": true,
            "b": [1, { "a": "é\n", "z": null }] });
        assert_eq!(hash(&header), hash(&other));
        let text = r#"{"a":true,"b":[1,{"a":"é\n","z":null}],"seats":[{"kind":"person"}]}"#;
        assert_eq!(hash(&header), Bytes32(Sha256::digest(text).into()));
        assert_ne!(hash(&header), hash(&json!({ "a": false })));
    }

    #[test]
    fn a_name_says_whether_it_binds() {
        let hash = "ab".repeat(32);
        assert_eq!(bound(&format!("kitchen-7-{hash}")), Some(Bytes32([0xab; 32])));
        assert_eq!(bound("kitchen-7"), None);
        assert_eq!(bound("00c0ffee00c0ffee"), None);
    }
}
