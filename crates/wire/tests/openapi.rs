//! docs/protocol/openapi.json: the requests are listed here, their bodies and answers are those of the types.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};
use std::path::Path;
use wire::api::*;

/// A document in the making.
struct Document {
    generator: SchemaGenerator,
    paths: Map<String, Value>,
}

/// What an answer is.
enum Answer {
    Json(Value),
    Text(&'static str, &'static str),
    None,
}

impl Document {
    fn of<T: JsonSchema>(&mut self) -> Value {
        self.generator.subschema_for::<T>().to_value()
    }

    fn json<T: JsonSchema>(&mut self) -> Answer {
        Answer::Json(self.of::<T>())
    }

    /// A request: its method and path, what it is for, its body, the answer if it is done, and the statuses with which it may
    /// be refused besides.
    fn request(&mut self, what: &str, why: &str, body: Option<Value>, done: (u16, Answer), refused: &[u16]) {
        let (method, path) = what.split_once(' ').expect("a method and a path");
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let parameter = |name: &str, place: &str, schema: Value| json!({ "name": name, "in": place, "required": place == "path", "schema": schema, "description": about(name) });
        let mut parameters: Vec<Value> = path
            .split(['{', '}'])
            .skip(1)
            .step_by(2)
            .map(|name| parameter(name, "path", json!({ "type": "string" })))
            .collect();
        parameters.extend(query.split('&').filter(|name| !name.is_empty()).map(|name| {
            let schema = if name == "players" {
                json!({ "type": "integer", "minimum": 1, "maximum": 12 })
            } else {
                json!({ "type": "string" })
            };
            parameter(name, "query", schema)
        }));
        let (status, answer) = done;
        let content = |kind: &str, schema: Value| json!({ kind: { "schema": schema } });
        let mut answers = Map::new();
        answers.insert(
            status.to_string(),
            match answer {
                Answer::Json(schema) => {
                    json!({ "description": "Done.", "content": content("application/json", schema) })
                }
                Answer::Text(kind, about) => {
                    json!({ "description": about, "content": content(kind, json!({ "type": "string" })) })
                }
                Answer::None => json!({ "description": "Done." }),
            },
        );
        for status in [400].iter().chain(refused).chain(&[429, 503]) {
            let reference = json!({ "$ref": format!("#/components/responses/{}", refusal(*status).0) });
            answers.insert(status.to_string(), reference);
        }
        let id: String = format!("{method} {}", path.trim_start_matches("/api"))
            .to_lowercase()
            .split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
            .join("_");
        let mut request = json!({ "operationId": id, "summary": why, "responses": answers });
        if !parameters.is_empty() {
            request["parameters"] = parameters.into();
        }
        if let Some(schema) = body {
            request["requestBody"] =
                json!({ "required": true, "content": content("application/json", schema) });
        }
        if refused.contains(&401) {
            request["security"] = json!([{ "guest": [] }]);
        }
        let place = self.paths.entry(path).or_insert_with(|| json!({}));
        place[method.to_lowercase()] = request;
    }
}

/// What a part of a path or a query says.
fn about(name: &str) -> &'static str {
    match name {
        "id" => "Of a table, a match or a game: what it was called when it was made or listed.",
        "token" => "What follows `/device/` in a link.",
        "date" => "A day, as `2026-01-31`; days begin at midnight UTC.",
        "game" => "Id of one of the day's games.",
        "code" => "A code for house rules, as `rules/read` gives it.",
        "players" => "For how many players the sheet is written.",
        "after" => "The `next` of a page: those that follow it.",
        "download" => "If it is there, the answer is named as a file to be kept.",
        other => panic!("`{other}` is not explained"),
    }
}

/// Name of a refusal, and when it comes.
fn refusal(status: u16) -> (&'static str, &'static str) {
    match status {
        400 => ("Wrong", "What was asked is wrong; the sentence says what."),
        401 => ("Nameless", "Only guests with a name may: `PUT /api/me` makes one of whoever has no cookie."),
        404 => ("Missing", "There is nothing by that name, or not for who asks."),
        409 => ("Conflict", "It was done already, or cannot be done again."),
        413 => ("TooLong", "The body is longer than this server takes."),
        415 => ("NoJson", "The body must be JSON, and its content type say so."),
        429 => ("TooMuch", "That was a lot at once: wait a moment."),
        503 => ("NotNow", "Not now; try again later."),
        other => panic!("{other} is not explained"),
    }
}

/// Refusals of a request with a body.
const BODY: [u16; 2] = [413, 415];

/// Who asks, and what is kept of them.
fn guests(doc: &mut Document) {
    let me = doc.json::<Me>();
    doc.request("GET /api/me", "Who asks; renews the cookie.", None, (200, me), &[]);
    let (name, me) = (doc.of::<Name>(), doc.json::<Me>());
    let why = "Takes a name. Whoever has no cookie gets one with the answer, and is that guest from then on; a guest is renamed.";
    doc.request("PUT /api/me", why, Some(name), (200, me), &BODY);
    doc.request(
        "DELETE /api/me",
        "Forgets the guest: name, seats and games.",
        None,
        (204, Answer::None),
        &[],
    );
    let games = doc.json::<PlayedGames>();
    doc.request("GET /api/me/games", "The guest's matches, newest first.", None, (200, games), &[401]);
}

/// Tables, the devices of guests, and records.
fn tables(doc: &mut Document) {
    let lobby = doc.json::<Lobby>();
    doc.request(
        "GET /api/tables?after",
        "A page of the public tables that are open, those with a free seat first.",
        None,
        (200, lobby),
        &[],
    );
    let (new, made) = (doc.of::<NewTable>(), doc.json::<TableMade>());
    let why = "Opens a table. Whoever does is its host and has seat 0; bots sit in the seats after it.";
    doc.request("POST /api/tables", why, Some(new), (201, made), &[401, 413, 415]);
    let table = doc.json::<TableSummary>();
    doc.request("GET /api/tables/{id}", "A table as seen from outside.", None, (200, table), &[404]);
    let qr = Answer::Text("image/svg+xml", "The picture.");
    doc.request("GET /api/tables/{id}/qr.svg", "The invite link as a QR code.", None, (200, qr), &[404]);
    let link = doc.json::<DeviceLink>();
    let why = "A link that makes another device the same guest, once.";
    doc.request("POST /api/tables/{id}/device", why, None, (200, link), &[401, 404]);
    let offer = doc.json::<DeviceOffer>();
    let why = "What such a link would do here; uses nothing up.";
    doc.request("GET /api/device/{token}", why, None, (200, offer), &[404]);
    let (token, joined) = (doc.of::<DeviceToken>(), doc.json::<DeviceJoined>());
    let why = "Uses such a link: the answer sets the cookie.";
    doc.request("POST /api/device", why, Some(token), (200, joined), &[404, 413, 415]);
    let record = Answer::Text(
        "application/jsonl",
        "The record, a line of JSON for the header and one for each entry.",
    );
    let why = "The record of a match that has ended (docs/record.md).";
    doc.request("GET /api/matches/{id}/record?download", why, None, (200, record), &[404]);
}

/// The games of the day.
fn days(doc: &mut Document) {
    let day = doc.json::<Day>();
    doc.request("GET /api/days", "Today's games.", None, (200, day), &[]);
    let day = doc.json::<Day>();
    doc.request("GET /api/days/{date}", "Those of a past day.", None, (200, day), &[404]);
    let (wish, made) = (doc.of::<DayTry>(), doc.json::<TableMade>());
    let why = "Begins a try at one of them, or goes back to the ranked one that is on.";
    doc.request("POST /api/days/{date}/{game}", why, Some(wish), (201, made), &[401, 404, 409, 413, 415]);
}

/// Games and house rules.
fn rules(doc: &mut Document) {
    let games = doc.json::<Games>();
    doc.request(
        "GET /api/games",
        "The built-in games, and the bots that play them.",
        None,
        (200, games),
        &[],
    );
    let game = doc.json::<GameSheet>();
    doc.request("GET /api/games/{id}", "One of them in full.", None, (200, game), &[404]);
    let sheet = || Answer::Text("text/markdown", "The sheet.");
    let why = "Its rule sheet.";
    doc.request("GET /api/games/{id}/sheet.md?players&download", why, None, (200, sheet()), &[404]);

    let published = doc.json::<PublishedRules>();
    let why = "House rules that families, clubs and books have published.";
    doc.request("GET /api/rules", why, None, (200, published), &[]);
    let (asked, checked) = (doc.of::<RulesAsked>(), doc.json::<RulesChecked>());
    doc.request("POST /api/rules/check", "Whether rules can be played.", Some(asked), (200, checked), &BODY);
    let (asked, read) = (doc.of::<ReadRules>(), doc.json::<RulesRead>());
    let why = "House rules as file and code, and what they mean.";
    doc.request("POST /api/rules/read", why, Some(asked), (200, read), &BODY);
    let file = Answer::Text("application/toml", "The rule file.");
    doc.request(
        "GET /api/rules/{code}/rules.toml?download",
        "The rule file of a code.",
        None,
        (200, file),
        &[],
    );
    let why = "The rule sheet of a code.";
    doc.request("GET /api/rules/{code}/sheet.md?players&download", why, None, (200, sheet()), &[]);
}

fn document() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut doc = Document { generator: settings.into_generator(), paths: Map::new() };
    guests(&mut doc);
    tables(&mut doc);
    days(&mut doc);
    rules(&mut doc);
    let problem = doc.of::<Problem>();
    let refusals: Map<String, Value> = [400, 401, 404, 409, 413, 415, 429, 503]
        .into_iter()
        .map(|status| {
            let (name, about) = refusal(status);
            let content = json!({ "application/json": { "schema": problem } });
            (name.to_owned(), json!({ "description": about, "content": content }))
        })
        .collect();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Parlour over HTTP",
            "version": wire::PROTOCOL.to_string(),
            "description": "What is asked beside the socket of a table: docs/protocol.md.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "paths": doc.paths,
        "components": {
            "schemas": doc.generator.take_definitions(true),
            "responses": refusals,
            "securitySchemes": { "guest": { "type": "apiKey", "in": "cookie", "name": "parlour" } },
        },
    })
}

#[test]
fn the_document_is_that_of_the_types() {
    let document = document();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/protocol/openapi.json");
    let published = std::fs::read_to_string(&path).unwrap_or_default();
    // The order of names may be another: it is that of whatever is built at the same time.
    let same = serde_json::from_str::<Value>(&published).is_ok_and(|published| published == document);
    if std::env::var_os("UPDATE").is_some() && !same {
        let text = serde_json::to_string_pretty(&document).expect("plain data") + "\n";
        std::fs::write(&path, text).expect("the document can be written");
    } else {
        assert!(
            same,
            "docs/protocol/openapi.json is not what the types say: run `UPDATE=1 cargo test -p parlour-wire --test openapi`"
        );
    }
    // By somebody who did not write it: PARLOUR_OPENAPI names the folder of the Python package openapi-spec-validator.
    let Some(folder) = std::env::var_os("PARLOUR_OPENAPI") else {
        return eprintln!("skipped: no validator, which `cargo xtask test` fetches");
    };
    let mut validator = std::process::Command::new("python3");
    let judged =
        validator.args(["-m", "openapi_spec_validator"]).arg(&path).env("PYTHONPATH", folder).output();
    let judged = judged.expect("python3");
    let told =
        String::from_utf8_lossy(&judged.stdout).into_owned() + &String::from_utf8_lossy(&judged.stderr);
    assert!(judged.status.success(), "{told}");
}
