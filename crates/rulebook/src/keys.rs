//! What can be set: every option of both families, as its row has it, with its default.
//!
//! The rows stand in the families (`options.rs` of each); they feed the loader's first check, the JSON Schema, the option
//! screens and the rule sheet.

use crate::Family;
use crate::layer::{self, Node};
pub use game::option::OptionType;
use game::option::{Names, Row};
use game::{Say, Values};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// An option, as a screen offers it. One that has travelled owns its words: `OptionInfo<String, Vec<String>>`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "OptionInfo")]
pub struct OptionInfo<Text = &'static str, Of = Names> {
    /// Its name in rule files, dotted: `take.seconds`.
    pub key: Text,
    /// What stands over it and those like it.
    #[serde(default)]
    pub group: Say,
    /// Its name in plain words.
    pub label: Text,
    /// What it means, in a sentence or two.
    pub help: Text,
    /// What may be set.
    pub kind: OptionType<Of>,
    /// Of a number: the least one besides 0, where 0 stands for something else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub besides_zero: Option<i64>,
    /// Of a number: all that it may be, where those are not all of its range.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<i64>,
    /// Of a text, or a list of texts: all that may stand there in this game, where that is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// What holds in this game when nothing is set.
    pub default: serde_json::Value,
    /// The rule of the family's rulebook behind it.
    pub rule: Text,
    /// Whether it belongs to the whole match: no round sets it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub whole_match: bool,
    /// Whether a table's creator is offered it: not where only a rule file may set it, or where it means nothing in this game.
    pub creator: bool,
}

/// The option with this dotted name.
pub(crate) fn find(rows: &'static [Row], key: &str) -> Option<&'static Row> {
    rows.iter().find(|row| row.key == key)
}

/// Whether some option's name goes on after `group` and a dot.
pub(crate) fn is_group(rows: &'static [Row], group: &str) -> bool {
    rows.iter().any(|row| row.key.strip_prefix(group).is_some_and(|rest| rest.starts_with('.')))
}

/// What stands over an option: the first part of its name, in words; where it has but one, the section of the rule sheet that tells of it.
pub(crate) fn group(row: &Row) -> Say {
    match row.key.split_once('.') {
        Some((group, _)) => Say { key: format!("group.{group}").into(), values: Values::default() },
        None => pattern::options::section_of(row.key).head(),
    }
}

impl Family {
    /// The family's default of each option, by dotted name.
    pub(crate) fn defaults(self) -> &'static BTreeMap<&'static str, Node> {
        static CONTRACT: LazyLock<BTreeMap<&'static str, Node>> =
            LazyLock::new(|| defaults(contract::options::OPTIONS, &contract::options::Settings::default()));
        static PATTERN: LazyLock<BTreeMap<&'static str, Node>> =
            LazyLock::new(|| defaults(pattern::options::OPTIONS, &pattern::Rules::default()));
        match self {
            Family::Contract => &CONTRACT,
            Family::Pattern => &PATTERN,
        }
    }
}

/// The defaults of options: as a file writes them where the row says so, else as they stand in the settings' own default.
fn defaults(rows: &'static [Row], settings: &impl Serialize) -> BTreeMap<&'static str, Node> {
    let settings = serde_json::to_value(settings).expect("settings are plain data");
    let node = |row: &Row| {
        let value = match row.written {
            Some(text) => {
                let table: toml::Table = format!("value = {text}").parse().expect("the defaults are TOML");
                table["value"].clone()
            }
            None => {
                let value = row.key.split('.').fold(&settings, |value, name| &value[name]);
                toml::Value::try_from(value).expect("the defaults are plain data")
            }
        };
        let node = layer::from_toml(&"defaults".into(), &value).expect("the defaults are small");
        match row.kind {
            OptionType::Expr { .. } => {
                let number = node.expression().expect("the defaults can be reckoned");
                node.reckoned(number)
            }
            _ => node,
        }
    };
    rows.iter().map(|row| (row.key, node(row))).collect()
}
