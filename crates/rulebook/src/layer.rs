//! One rule file, taken apart into keys and values that know their lines.

use crate::fault::{Fault, Place};
use std::sync::Arc;
use toml::de::{DeTable, DeValue};

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub place: Place,
    pub value: Value,
}

/// A TOML value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Bool(bool),
    Int(i64),
    Text(String),
    Array(Vec<Node>),
    Table(Vec<(String, Node)>),
    /// A number with a fraction, or a date: nothing in a rule file is one.
    Other(&'static str),
}

impl Node {
    /// What sort of value it is, in words.
    pub fn sort(&self) -> &'static str {
        match &self.value {
            Value::Bool(_) => "true or false",
            Value::Int(_) => "a number",
            Value::Text(_) => "a text",
            Value::Array(_) => "a list",
            Value::Table(_) => "a table",
            Value::Other(sort) => sort,
        }
    }

    /// As a person would write it in a message.
    pub fn text(&self) -> String {
        match &self.value {
            Value::Bool(b) => b.to_string(),
            Value::Int(n) => n.to_string(),
            Value::Text(t) => format!("\"{t}\""),
            Value::Array(items) => {
                format!("[{}]", items.iter().map(Node::text).collect::<Vec<_>>().join(", "))
            }
            Value::Table(_) => "{ ... }".to_owned(),
            Value::Other(sort) => (*sort).to_owned(),
        }
    }

    pub fn as_text(&self) -> Option<&str> {
        if let Value::Text(text) = &self.value { Some(text) } else { None }
    }
}

/// Reads the text of a file. Every place that is no TOML is a fault.
pub(crate) fn read(file: &Arc<str>, text: &str) -> Result<Node, Vec<Fault>> {
    let line =
        |at: usize| Some(1 + text.as_bytes()[..at.min(text.len())].iter().filter(|&&b| b == b'\n').count());
    let (table, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        return Err(errors
            .into_iter()
            .map(|error| {
                // The commonest slip has nothing to do with how things are written.
                let (reason, remedy) = match error.message() {
                    "duplicate key" => (
                        "this is set a second time".to_owned(),
                        "set it once, a group of settings in one place",
                    ),
                    why => {
                        (format!("this is no TOML ({why})"), "write `key = value`, texts in double quotes")
                    }
                };
                Fault {
                    place: Place { file: file.clone(), line: error.span().and_then(|span| line(span.start)) },
                    check: "V1",
                    reason,
                    remedy: remedy.to_owned(),
                }
            })
            .collect());
    }
    let place = |at: usize| Place { file: file.clone(), line: line(at) };
    Ok(Node { place: place(0), value: Value::Table(convert_table(table.get_ref(), &place)) })
}

fn convert_table(table: &DeTable<'_>, place: &impl Fn(usize) -> Place) -> Vec<(String, Node)> {
    let mut entries: Vec<(usize, String, Node)> = table
        .iter()
        .map(|(key, value)| {
            let at = key.span().start;
            let value = convert(value.get_ref(), place);
            // A table's own place is that of its key, which is what a person looks for.
            (at, key.get_ref().clone().into_owned(), Node { place: place(at), value })
        })
        .collect();
    entries.sort_by_key(|(at, ..)| *at);
    entries.into_iter().map(|(_, key, node)| (key, node)).collect()
}

fn convert(value: &DeValue<'_>, place: &impl Fn(usize) -> Place) -> Value {
    match value {
        DeValue::String(text) => Value::Text(text.clone().into_owned()),
        DeValue::Integer(n) => i64::from_str_radix(n.as_str(), n.radix())
            .map_or(Value::Other("a number that is too large"), Value::Int),
        DeValue::Boolean(b) => Value::Bool(*b),
        DeValue::Float(_) => Value::Other("a number with a fraction"),
        DeValue::Datetime(_) => Value::Other("a date"),
        DeValue::Array(items) => Value::Array(
            items
                .iter()
                .map(|item| {
                    let at = item.span().start;
                    Node { place: place(at), value: convert(item.get_ref(), place) }
                })
                .collect(),
        ),
        DeValue::Table(table) => Value::Table(convert_table(table, place)),
    }
}

/// What a table's creator set, as a file without lines.
pub(crate) fn from_toml(file: &Arc<str>, value: &toml::Value) -> Node {
    let place = Place { file: file.clone(), line: None };
    let value = match value {
        toml::Value::String(text) => Value::Text(text.clone()),
        toml::Value::Integer(n) => Value::Int(*n),
        toml::Value::Boolean(b) => Value::Bool(*b),
        toml::Value::Float(_) => Value::Other("a number with a fraction"),
        toml::Value::Datetime(_) => Value::Other("a date"),
        toml::Value::Array(items) => Value::Array(items.iter().map(|item| from_toml(file, item)).collect()),
        toml::Value::Table(table) => {
            Value::Table(table.iter().map(|(k, v)| (k.clone(), from_toml(file, v))).collect())
        }
    };
    Node { place, value }
}

impl Node {
    /// The value alone, as JSON.
    pub fn to_json(&self) -> serde_json::Value {
        match &self.value {
            Value::Bool(b) => (*b).into(),
            Value::Int(n) => (*n).into(),
            Value::Text(text) => text.clone().into(),
            Value::Array(items) => items.iter().map(Node::to_json).collect(),
            Value::Table(entries) => {
                serde_json::Value::Object(entries.iter().map(|(k, v)| (k.clone(), v.to_json())).collect())
            }
            Value::Other(_) => serde_json::Value::Null,
        }
    }
}
