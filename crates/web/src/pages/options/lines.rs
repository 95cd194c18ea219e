//! Options as lines that are written: where nothing else says what may be.

use rulebook::OptionType;
use serde_json::Value;

/// A value as it stands in a field: a list by its parts, `1, 2, 7`.
pub(super) fn written(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        Value::Object(none) if none.is_empty() => String::new(),
        Value::Array(parts) if !parts.iter().any(|part| part.is_array() || part.is_object()) => {
            parts.iter().map(written).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

/// What was typed, as what it is: a number, a list, with or without its brackets, a table, else a text.
pub(super) fn typed(kind: &OptionType<Vec<String>>, text: &str) -> Value {
    let plain = || Value::String(text.to_owned());
    let parts = || text.split(',').map(str::trim).filter(|part| !part.is_empty());
    match kind {
        OptionType::Text => plain(),
        _ if text.starts_with(['[', '{']) => serde_json::from_str(text).unwrap_or_else(|_| plain()),
        OptionType::Texts => parts().map(Value::from).collect(),
        OptionType::Rounds => rounds_typed(text).map_or_else(plain, Value::Array),
        _ => serde_json::from_str(text).unwrap_or_else(|_| plain()),
    }
}

/// The numbers of rounds in a line: `1, 3 5-7`; none where something else stands there.
fn rounds_typed(text: &str) -> Option<Vec<Value>> {
    let mut numbers = Vec::new();
    for part in text.split([',', ' ', ';']).filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once(['-', '–']).unwrap_or((part, part));
        let (first, last): (u8, u8) = (first.parse().ok()?, last.parse().ok()?);
        numbers.extend((first..=last).map(Value::from));
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_typed_is_what_it_looks_like() {
        let check = |kind: &OptionType<Vec<String>>, text: &str, value: Value, shown: &str| {
            assert_eq!(typed(kind, text), value, "{text}");
            assert_eq!(written(&value), shown, "{text}");
        };
        check(&OptionType::Rounds, "2", json!([2]), "2");
        check(&OptionType::Rounds, "1, 2,7", json!([1, 2, 7]), "1, 2, 7");
        check(&OptionType::Rounds, "[1, 2]", json!([1, 2]), "1, 2");
        check(&OptionType::Rounds, "1 3-5", json!([1, 3, 4, 5]), "1, 3, 4, 5");
        check(&OptionType::Rounds, "1-x", json!("1-x"), "1-x");
        check(&OptionType::Rounds, "all", json!("all"), "all");
        check(&OptionType::Texts, "hearts, spades", json!(["hearts", "spades"]), "hearts, spades");
        check(&OptionType::Text, "12", json!("12"), "12");
        check(&OptionType::Schedule, "[[1, 2]]", json!([[1, 2]]), "[[1,2]]");
    }
}
