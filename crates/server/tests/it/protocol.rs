//! docs/protocol.md is enough: its example happens, the requests in openapi.json are those that are answered, and a client
//! in another language that was written from it plays.

use crate::common::Server;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|why| panic!("{path}: {why}"))
}

/// Whether what was got is what the page shows, but for what chance and the clock decide. `...` stands for anything: for a value,
/// for further elements of a list, and as a key for further fields.
fn same(shown: &Value, got: &Value, key: &str) -> bool {
    match (shown, got) {
        (Value::String(any), _) if any == "..." => true,
        (Value::Object(shown), Value::Object(got)) => {
            let open = shown.contains_key("...");
            let of = |(key, value): (&String, &Value)| {
                key == "..." || got.get(key).is_some_and(|got| same(value, got, key))
            };
            shown.iter().all(of) && (open || shown.len() == got.len())
        }
        (Value::Array(shown), Value::Array(got)) => {
            let open = shown.last() == Some(&json!("..."));
            let some = if open { &shown[..shown.len() - 1] } else { shown };
            let fits = if open { got.len() >= some.len() } else { got.len() == some.len() };
            fits && some.iter().zip(got).all(|(shown, got)| same(shown, got, key))
        }
        // Drawn at random: cards, names of tables, seeds and their hashes, the time.
        (Value::String(shown), Value::String(got)) => {
            shown == got || shown.len() == got.len() && shown.len() >= 16
        }
        (Value::Number(shown), Value::Number(got)) => {
            shown == got
                || ["at", "board", "since", "deadline", "adjusted", "open_at", "until"].contains(&key)
        }
        _ => shown == got,
    }
}

fn example() -> Vec<(bool, String)> {
    let page = text("docs/protocol.md");
    let (_, after) = page.split_once("## An example").expect("an example");
    let (_, block) = after.split_once("```text\n").expect("a block");
    let (block, _) = block.split_once("```").expect("its end");
    let line = |line: &str| match line.split_once(' ') {
        Some((">", said)) => (true, said.to_owned()),
        Some(("<", got)) => (false, got.to_owned()),
        _ => panic!("`{line}` begins with neither > nor <"),
    };
    block.lines().map(line).collect()
}

/// The next frame, but for those that come when they come unless it is they that are shown: pings, seeds, how things stand.
async fn next_like(socket: &mut crate::common::Socket, shown: &Value, seen: &mut Vec<String>) -> String {
    loop {
        let frame = socket.next().await;
        let frame = frame.unwrap_or_else(|| panic!("closed before {shown}\n{}", seen.join("\n")));
        let got: Value = serde_json::from_str(&frame).expect("JSON");
        if let Some(nonce) = got["ping"].get("nonce") {
            socket.send(json!({ "pong": { "nonce": nonce } }).to_string()).await;
        }
        let any_time = ["ping", "seed", "table"].iter().any(|kind| !got[kind].is_null());
        if !any_time || same(shown, &got, "") {
            return frame;
        }
        seen.push(format!("< {frame}"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_example_of_the_page_happens() {
    // Of thirty deals one holds no Set: more cards are laid, which the page does not show.
    while !happens().await {}
}

/// Plays the example; false if the cards that came are another story.
async fn happens() -> bool {
    let server = Server::start().await;
    let (mut cookie, mut table, mut socket, mut answer, mut seen) =
        (String::new(), String::new(), None, None, Vec::new());
    for (said, line) in example() {
        if !said {
            let got = match (&mut socket, answer.take()) {
                (_, Some(answer)) => answer,
                (Some(socket), None) => {
                    let shown = serde_json::from_str::<Value>(&line).expect("JSON");
                    next_like(socket, &shown, &mut seen).await
                }
                (None, None) => panic!("nothing was asked before {line}"),
            };
            seen.push(format!("< {got}"));
            if got.contains(r#""why":"extra""#) {
                return false;
            }
            if got.contains("\"open_at\"") && got.contains("\"dealt\"") {
                // The cards may be claimed from then on.
                tokio::time::sleep(std::time::Duration::from_millis(600)).await;
            }
            let split = |text: &str| -> (String, Value) {
                let (status, json) = text.split_once(' ').unwrap_or((text, "null"));
                match text.starts_with('{') {
                    true => (
                        String::new(),
                        serde_json::from_str(text).unwrap_or_else(|why| panic!("{why}: {text}")),
                    ),
                    false => (
                        status.to_owned(),
                        serde_json::from_str(json).unwrap_or_else(|why| panic!("{why}: {text}")),
                    ),
                }
            };
            let (shown, got) = (split(&line), split(&got));
            assert!(
                shown.0 == got.0 && same(&shown.1, &got.1, ""),
                "the page shows\n< {line}\nbut this happened:\n{}",
                seen.join("\n")
            );
            continue;
        }
        seen.push(format!("> {line}"));
        if line.starts_with(['{', '"']) {
            socket.as_mut().expect("a socket").send(line).await;
            continue;
        }
        let (method, rest) = line.split_once(' ').expect("a request");
        let (path, body) = rest.split_once(' ').unwrap_or((rest, ""));
        if path.starts_with("/ws/") {
            let opened = server.socket(&format!("/ws/table/{table}"), &[("Cookie", &cookie)]).await;
            socket = Some(opened.expect("a socket"));
            answer = Some("101".to_owned());
        } else {
            let headers: Vec<(&str, &str)> =
                if cookie.is_empty() { vec![] } else { vec![("Cookie", &cookie)] };
            let got = server.ask(method, path, &headers, body).await;
            if let Some(new) = got.header("set-cookie") {
                cookie = new.split(';').next().unwrap_or_default().to_owned();
            }
            if let Some(id) = serde_json::from_str::<Value>(&got.body)
                .ok()
                .and_then(|body| Some(body["id"].as_str()?.to_owned()))
            {
                table = id;
            }
            answer = Some(format!("{} {}", got.status, got.body));
        }
    }
    true
}

#[tokio::test]
async fn the_requests_of_the_document_are_those_that_are_answered() {
    let document: Value = serde_json::from_str(&text("docs/protocol/openapi.json")).expect("JSON");
    let paths = document["paths"].as_object().expect("paths");
    let mut told = BTreeSet::new();
    let server = Server::start().await;
    let guest = server.guest("Ann").await;
    for (path, requests) in paths {
        for (method, request) in requests.as_object().expect("requests") {
            told.insert((path.trim_start_matches("/api").to_owned(), method.clone()));
            if path == "/api/me" && method == "delete" {
                continue;
            }
            // Names that are none: what is answered is said in the document, and the path is known.
            let asked: String = path
                .split(['{', '}'])
                .enumerate()
                .map(|(n, part)| if n % 2 == 0 { part } else { "none" })
                .collect();
            let body = if request["requestBody"].is_null() { "" } else { "{}" };
            let answer = guest.ask(&method.to_uppercase(), &asked, body).await;
            let told = &request["responses"][answer.status.to_string()];
            assert!(!told.is_null(), "{method} {path}: {} is not told of: {}", answer.status, answer.body);
            assert!(!answer.body.contains("nothing by that name"), "{method} {path} is not there");
        }
    }
    // Each route of the server, as it is written down there.
    let routes = text("crates/server/src/api.rs");
    let mut there = BTreeSet::new();
    for route in routes.split(".route(\"").skip(1) {
        let (path, rest) = route.split_once('"').expect("a path");
        let methods =
            rest.split(".route(").next().unwrap_or_default().split(".fallback").next().unwrap_or_default();
        for method in ["get", "put", "post", "delete"] {
            if methods.contains(&format!("{method}(")) {
                there.insert((path.to_owned(), method.to_owned()));
            }
        }
    }
    assert_eq!(there, told, "routes of the server, and of docs/protocol/openapi.json");
}

/// tools/play.py shares nothing with this project but the page. The bots take so many percent of their time.
async fn python_plays(game: &str, seats: u8, bot_pace: u32) {
    let server = Server::with(|settings| {
        settings.bot_pace = bot_pace;
        settings.messages_per_second = 1000;
    })
    .await;
    let mut program = Command::new("python3");
    program.arg(root().join("tools/play.py")).args([&format!("http://{}", server.address), game]);
    program.args(["--seats", &seats.to_string(), "--pace", "0", "--seconds", "200"]);
    let played = match tokio::task::spawn_blocking(move || program.output()).await.expect("no panic") {
        Ok(played) => played,
        Err(why) => return eprintln!("skipped: python3 cannot be started ({why})"),
    };
    let told = String::from_utf8_lossy(&played.stderr);
    assert!(played.status.success(), "{told}");
    let result: Value = serde_json::from_slice(&played.stdout).unwrap_or_else(|why| panic!("{why}: {told}"));
    assert_eq!(result["outcome"]["scores"].as_array().map(Vec::len), Some(usize::from(seats)), "{result}");
    assert_eq!(result["resumed"], true, "{result}");
    // Whoever knows the rules is refused for a race that was lost, not for what was sent.
    let (commands, refused) =
        (result["commands"].as_u64().expect("a number"), result["refused"].as_array().expect("a list"));
    assert!(commands > 10 && refused.len() as u64 * 4 < commands, "{result}");
    assert!(!refused.iter().any(|one| one[1].to_string().contains("no command")), "{result}");

    // What was played is a record that verifies.
    let cookie = result["cookie"].as_str().expect("a cookie");
    let games = server.ask("GET", "/api/me/games", &[("Cookie", cookie)], "").await.json();
    let id = games["games"][0]["id"].as_str().expect("an id").to_owned();
    let record = server.record(&id).await;
    let found = record::verify::<rulebook::Match>(&record.body).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert!(found.is_whole() && found.absent.is_empty(), "{found}: {:?}", found.open());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_of_another_language_plays_set() {
    // In a race a bot without any time takes every Set now and then.
    python_plays("set-classic", 2, 5).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_of_another_language_plays_contract_rummy() {
    python_plays("contract", 3, 0).await;
}
