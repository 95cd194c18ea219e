//! The JSON Schema of rule files, made from the same list that the loader checks by.

use crate::Family;
use game::option::{OptionType, Row};
use serde_json::{Map, Value, json};

/// Keys that speak about the file.
pub(crate) const ABOUT: &[(&str, &str)] = &[
    ("schema", "Version of the format: 1."),
    ("id", "Short name of the game: small letters, digits and hyphens."),
    ("name", "Name of the game as players read it."),
    ("summary", "The game in a sentence."),
    ("note", "Anything worth knowing about this file."),
    ("base", "The game that this one is based on; only what differs is written."),
    ("extends", "The same in pattern games, where `base` is the number of cards on the table."),
    ("family", "pattern or contract; needed only in a file without a base."),
    ("difficulty", "How hard the game is, in words."),
    ("reconstruction", "What of the game was not found in any source and is ours."),
];

/// The JSON Schema (draft 2020-12) of rule files of both families, for editors that complete and check while one types.
#[must_use]
pub fn schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Parlour rule file",
        "description": "One game as a TOML file. A file based on another writes only what differs.",
        "anyOf": [{ "$ref": "#/$defs/contract" }, { "$ref": "#/$defs/pattern" }],
        "$defs": { "contract": contract(), "pattern": pattern(), "slot": slot(), "number": number() },
    })
}

fn about(properties: &mut Map<String, Value>, skip: &[&str]) {
    for (key, help) in ABOUT.iter().filter(|(key, _)| !skip.contains(key)) {
        let schema = match *key {
            "schema" => json!({ "const": 1, "description": help }),
            "id" => json!({ "type": "string", "pattern": "^[a-z0-9-]+$", "description": help }),
            "family" => json!({ "enum": ["pattern", "contract"], "description": help }),
            _ => json!({ "type": "string", "description": help }),
        };
        properties.insert((*key).to_owned(), schema);
    }
}

/// The options as properties: those of a group inside it, and dotted for a round's `set`, which has only its own.
fn properties(family: Family, of_round: bool) -> Map<String, Value> {
    let mut all = Map::new();
    for row in family.rows().iter().filter(|row| !(of_round && row.whole_match)) {
        let schema = option(family, row);
        match row.key.split_once('.') {
            Some((group, name)) if !of_round => {
                let group = all.entry(group).or_insert_with(
                    || json!({ "type": "object", "additionalProperties": false, "properties": {} }),
                );
                group["properties"][name] = schema;
            }
            _ => {
                all.insert(row.key.to_owned(), schema);
            }
        }
    }
    all
}

fn option(family: Family, row: &Row) -> Value {
    let mut schema = match row.kind {
        OptionType::Int { max, .. } if row.zero.is_some_and(|(from, _)| from > 1) => {
            let from = row.zero.map_or(0, |(from, _)| from);
            json!({ "anyOf": [{ "const": 0 }, { "type": "integer", "minimum": from, "maximum": max }] })
        }
        OptionType::Bool => json!({ "type": "boolean" }),
        OptionType::Int { .. } if !row.only.is_empty() => json!({ "enum": row.only }),
        OptionType::Int { min, max } => json!({ "type": "integer", "minimum": min, "maximum": max }),
        OptionType::Expr { .. } => json!({ "$ref": "#/$defs/number" }),
        OptionType::Choice { of } => json!({ "enum": of }),
        OptionType::ChoiceOrInt { of, min, max } => {
            json!({ "anyOf": [{ "enum": of }, { "type": "integer", "minimum": min, "maximum": max }] })
        }
        OptionType::Text => json!({ "type": "string" }),
        OptionType::Texts => json!({ "type": "array", "items": { "type": "string" } }),
        OptionType::Several { of } => json!({ "type": "array", "items": { "enum": of } }),
        OptionType::Values => json!({
            "type": ["object", "string"],
            "additionalProperties": { "anyOf": [{ "type": "integer" }, { "const": "pip" }] },
        }),
        OptionType::Schedule => json!({
            "type": "object",
            "additionalProperties": { "type": "array", "items": { "type": "integer", "minimum": 0 } },
        }),
        OptionType::Rounds => json!({
            "anyOf": [{ "const": "all" }, { "type": "array", "items": { "type": "integer", "minimum": 1 }, "minItems": 1 }],
        }),
        OptionType::Deals => {
            json!({ "anyOf": [{ "type": "integer", "minimum": 1, "maximum": 20 }, { "type": "string" }] })
        }
    };
    schema["title"] = row.label.into();
    schema["description"] = format!("{} ({})", row.help, row.rule).into();
    schema["default"] = family.defaults()[row.key].to_json();
    schema
}

fn contract() -> Value {
    let mut all = properties(Family::Contract, false);
    about(&mut all, &["extends", "difficulty"]);
    all.insert(
        "round".to_owned(),
        json!({
            "type": "array",
            "minItems": 1,
            "description": "The rounds, in order.",
            "items": {
                "type": "object",
                "additionalProperties": false,
                "required": ["contract"],
                "properties": {
                    "contract": { "anyOf": [
                        { "type": "array", "items": { "$ref": "#/$defs/slot" }, "minItems": 1 },
                        { "type": "array", "items": { "type": "array", "items": { "$ref": "#/$defs/slot" } }, "minItems": 1 },
                    ] },
                    "deal": { "$ref": "#/$defs/number" },
                    "label": { "type": "string" },
                    "set": {
                        "type": "object",
                        "additionalProperties": false,
                        "properties": properties(Family::Contract, true),
                    },
                },
            },
        }),
    );
    json!({ "type": "object", "additionalProperties": false, "required": ["id", "name"], "properties": all })
}

fn pattern() -> Value {
    let mut all = properties(Family::Pattern, false);
    about(&mut all, &["base"]);
    json!({ "type": "object", "additionalProperties": false, "required": ["id", "name"], "properties": all })
}

fn slot() -> Value {
    json!({
        "type": "string",
        "description": "A slot of a contract: G group, R run, P pair; a size; flags; = and a rank; several with | between.",
        "pattern": "^[GRP][0-9]+[cswmka0-9]*(=[0-9A-Za-z]+)?( *\\| *[GRP][0-9]+[cswmka0-9]*(=[0-9A-Za-z]+)?)*$",
    })
}

fn number() -> Value {
    json!({
        "description": "A number, a reckoning over n (players) and d (packs), or steps by the number of players.",
        "anyOf": [
            { "type": "integer" },
            { "type": "string" },
            { "type": "array", "items": {
                "type": "object",
                "required": ["upto", "is"],
                "properties": { "upto": { "type": "integer" }, "is": { "type": ["integer", "string"] } },
            } },
        ],
    })
}
