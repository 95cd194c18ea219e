//! What speaks of a card, a seat or a command that there is not: it is refused in words like anything else that cannot be done.

use super::*;
use serde_json::{Value, json};

/// Says this, and gives the last frame that came back.
fn say(rig: &Rig<Toy>, peer: &mut Peer<Toy>, frame: &Value) -> Value {
    peer.connection.as_ref().expect("open").receive(&frame.to_string()).expect("an answer, not a strike");
    rig.journal.commit_all();
    let frames = std::iter::from_fn(|| peer.take());
    serde_json::from_str(&frames.last().expect("an answer")).expect("a frame")
}

#[test]
fn what_is_no_command_is_refused_and_changes_nothing() {
    let (rig, mut ann, _bob) = two();
    let before = rig.log();
    let mut refused = |id: u32, command: Value| {
        let frame = json!({ "command": { "id": id, "seen": 0, "command": command } });
        let answer = say(&rig, &mut ann, &frame);
        assert_eq!(answer["verdict"]["id"], id, "{answer}");
        let text =
            answer["verdict"]["answer"]["refused"]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
        assert!(text.len() > 10 && text.len() < 300, "{text}");
        text.to_owned()
    };
    let first = refused(1, json!({ "play": 70_000 }));
    assert!(first.contains("70000"), "{first}");
    refused(2, json!({ "play": -1 }));
    refused(3, json!({ "fly": { "x".repeat(5000): 1 } }));
    refused(4, Value::Null);
    assert_eq!(refused(1, json!("call")), first, "that number has its answer");
    assert!(refused(0, json!("call")).contains("from 1"), "no command has the number 0");
    assert_eq!(rig.log(), before);
}

#[test]
fn what_is_no_seat_is_declined() {
    let (rig, mut ann, _bob) = two();
    for act in [
        json!({ "sit": { "seat": 300 } }),
        json!({ "sit": { "seat": 200 } }),
        json!({ "remove": { "seat": -1 } }),
        json!({ "bot": { "seat": 1e9, "kind": "easy" } }),
        json!({ "person": { "seat": 12 } }),
    ] {
        let answer = say(&rig, &mut ann, &json!({ "act": act }));
        assert_eq!(answer["declined"]["act"], act, "{answer}");
        assert!(answer["declined"]["text"].as_str().is_some_and(|text| text.len() > 10), "{answer}");
    }
}

#[test]
fn what_is_no_frame_is_counted() {
    let (rig, ann, _bob) = two();
    let before = rig.log();
    for text in [
        "",
        "null",
        r#"{"command":{"id":-1,"seen":0,"command":"call"}}"#,
        r#"{"command":{"id":1,"command":"call"}}"#,
        r#"{"act":{"fly":{}}}"#,
        r#"{"act":{"sit":{"seat":"x"}}}"#,
        r#"{"pong":{"nonce":-1}}"#,
    ] {
        assert!(ann.connection.as_ref().expect("open").receive(text).is_err(), "{text}");
    }
    assert_eq!(ann.unheard(), 0);
    assert_eq!(rig.log(), before);
}
