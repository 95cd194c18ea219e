//! Records that somebody made up to break the program: whatever stands in a header or an entry is refused or found wrong.

use super::places::{at, walk};
use record::verify;
use rulebook::Match;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::panic::catch_unwind;

/// What a value may become in the hands of somebody who means harm.
fn odd(value: &Value) -> Vec<Value> {
    match value {
        Value::Number(_) => {
            [0, 1, 16, 64, 255, 32_767, 65_535, -1, -32_768, i64::from(u32::MAX)].map(Value::from).to_vec()
        }
        Value::Bool(b) => vec![json!(!b)],
        Value::String(text) => {
            vec![json!(""), json!("G40"), json!("K"), json!("é".repeat(300)), json!(format!("{text}{text}"))]
        }
        Value::Null => vec![json!(0), json!(u32::MAX)],
        Value::Array(list) => {
            let more: Vec<Value> = list.iter().cycle().take(list.len() * 40).cloned().collect();
            let fewer = list.get(..list.len().saturating_sub(1)).unwrap_or_default().to_vec();
            let more_by_one: Vec<Value> = list.iter().chain(list.first()).cloned().collect();
            vec![json!([]), json!(fewer), json!(more_by_one), json!(more)]
        }
        Value::Object(_) => vec![json!({})],
    }
}

/// The record without seeds, so that what is drawn is not held against any, under a name that binds its header.
fn seedless(text: &str) -> Vec<Value> {
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    lines[0]["shuffle"] = "trial-1".into();
    for line in &mut lines[1..] {
        if let Some(notes) = line.get_mut("notes").and_then(Value::as_array_mut) {
            let seeds = ["commit", "secret", "client_commit", "unbound", "open", "missing", "reveal"];
            notes.retain(|note| seeds.iter().all(|seed| note.get(seed).is_none()));
            if notes.is_empty() {
                notes.push(json!({ "stood": { "millis": 1, "why": "asked" } }));
            }
        }
    }
    lines
}

fn written(lines: &[Value]) -> String {
    let mut header = lines[0].clone();
    header["match"] = format!("x-{}", record::name::hash(&header)).into();
    let rest = lines[1..].iter().map(Value::to_string);
    std::iter::once(header.to_string()).chain(rest).collect::<Vec<_>>().join("\n")
}

/// What broke: with every value of the lines that `which` names made odd in turn. The first few of each list, and of the
/// places of one kind in all lines, stand for the others.
fn broken(text: &str, most: usize, which: impl Fn(usize) -> bool) -> Vec<String> {
    let mut lines = seedless(text);
    lines.truncate(most);
    assert!(
        verify::<Match>(&written(&lines))
            .is_ok_and(|verified| verified.differs.is_none() && verified.unchecked > 0)
    );
    let (mut broken, mut seen) = (Vec::new(), BTreeMap::new());
    for n in (0..lines.len()).filter(|n| which(*n)) {
        let mut found = Vec::new();
        walk(&lines[n], &mut Vec::new(), &mut found);
        for (path, _) in found {
            let kind =
                |part: &String| if part.parse::<usize>().is_ok() { "*".to_owned() } else { part.clone() };
            let times = seen.entry(path.iter().map(kind).collect::<Vec<_>>()).or_insert(0);
            *times += 1;
            if *times > 2 {
                continue;
            }
            for odd in odd(at(&mut lines[n].clone(), &path)) {
                let mut changed = lines.clone();
                *at(&mut changed[n], &path) = odd.clone();
                let text = written(&changed);
                if catch_unwind(|| drop(verify::<Match>(&text))).is_err() {
                    let odd: String = odd.to_string().chars().take(60).collect();
                    broken.push(format!("line {}: {} = {odd}", n + 1, path.join(".")));
                }
            }
        }
    }
    broken
}

#[test]
fn no_header_breaks_verify() {
    for text in [include_str!("../records/2/contract.jsonl"), include_str!("../records/2/set-classic.jsonl")]
    {
        let broken = broken(text, 20, |n| n == 0);
        assert!(broken.is_empty(), "{} headers break it:\n{}", broken.len(), broken.join("\n"));
    }
}

#[test]
fn no_entry_breaks_verify() {
    for text in [include_str!("../records/2/contract.jsonl"), include_str!("../records/2/set-classic.jsonl")]
    {
        let broken = broken(text, 80, |n| n > 0);
        assert!(broken.is_empty(), "{} entries break it:\n{}", broken.len(), broken.join("\n"));
    }
}

#[test]
fn what_was_asked_of_no_places_is_refused() {
    let check = |text: &str, key: &str| {
        let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let needs = lines.iter_mut().filter_map(|line| line.get_mut("notes")?.as_array_mut()).flatten();
        let mut needs = needs.filter_map(|note| note.pointer_mut("/asked/need")?.as_object_mut());
        let need = needs.find_map(|need| need.values_mut().find(|need| need.get(key).is_some())).unwrap();
        need[key] = 0.into();
        let text = lines.iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
        let wrong = verify::<Match>(&text).expect_err("a draw from nothing");
        assert!(wrong.text.starts_with("what was drawn is no answer to"), "{wrong}");
    };
    for text in [
        include_str!("../records/1/contract.jsonl"),
        include_str!("../records/1/set-classic.jsonl"),
        include_str!("../records/2/contract.jsonl"),
        include_str!("../records/2/set-classic.jsonl"),
        include_str!("../records/2/agreed.jsonl"),
    ] {
        check(text, "seats");
        check(text, "cards");
    }
}
