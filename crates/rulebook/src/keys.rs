//! What can be set: every option of both families, with its type, its default and its name in plain words.
//!
//! One list for each family feeds the loader's first check, the JSON Schema, the option screens and the rule sheet.

use crate::expr::Expr;
use crate::layer::{self, Node};
use serde::{Deserialize, Serialize};

/// Names that an option may have, as the families' lists hold them.
type Names = &'static [&'static str];

/// An option, as a screen offers it. One that has travelled owns its words: `OptionInfo<String, Vec<String>>`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OptionInfo<Text = &'static str, Of = Names> {
    /// Its name in rule files, dotted: `take.seconds`.
    pub key: Text,
    /// Its name in plain words.
    pub label: Text,
    /// What it means, in a sentence or two.
    pub help: Text,
    /// What may be set.
    pub kind: Kind<Of>,
    /// What holds in this game when nothing is set.
    pub default: serde_json::Value,
    /// The rule of the family's rulebook behind it.
    pub rule: Text,
    /// Whether a table's creator may set it; else only a rule file.
    pub creator: bool,
}

/// The type of an option, and what it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Kind<Of = Names> {
    /// Yes or no.
    Bool,
    /// A whole number.
    Int {
        /// Least.
        min: i64,
        /// Most.
        max: i64,
    },
    /// A whole number, or an expression over the number of players `n` and the number of packs `d`.
    Expr {
        /// Least that it may come to.
        min: i64,
        /// Most that it may come to.
        max: i64,
    },
    /// One of some names.
    Choice {
        /// The names.
        of: Of,
    },
    /// One of some names, or a whole number.
    ChoiceOrInt {
        /// The names.
        of: Of,
        /// Least.
        min: i64,
        /// Most.
        max: i64,
    },
    /// A text.
    Text,
    /// A list of texts.
    Texts,
    /// The card values: `{ JK = 15, A = 15, "J-K" = 10, "2-T" = "pip" }`.
    Values,
    /// For a number of players the amounts of places 2, 3, ...: `{ 4 = [2, 4, 6] }`.
    Schedule,
    /// `"all"`, or the numbers of some rounds.
    Rounds,
    /// `each_dealer`, `to_points(n)` or a number of deals.
    Deals,
}

/// An option as its family's list has it; the default is that of the family, in TOML.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub key: &'static str,
    pub kind: Kind,
    pub default: &'static str,
    pub label: &'static str,
    pub help: &'static str,
    pub rule: &'static str,
    /// Fixed by the rule file: a table's creator does not choose it.
    pub file_only: bool,
}

/// The option with this dotted name.
pub(crate) fn find(keys: &'static [Key], key: &str) -> Option<&'static Key> {
    keys.iter().find(|k| k.key == key)
}

/// Whether some option's name goes on after `group` and a dot.
pub(crate) fn is_group(keys: &'static [Key], group: &str) -> bool {
    keys.iter().any(|k| k.key.strip_prefix(group).is_some_and(|rest| rest.starts_with('.')))
}

/// The family's default of an option.
pub(crate) fn default_node(key: &Key) -> Node {
    let table: toml::Table = format!("value = {}", key.default).parse().expect("the defaults are TOML");
    let node = layer::from_toml(&"defaults".into(), &table["value"]).expect("the defaults are small");
    match key.kind {
        Kind::Expr { .. } => {
            let number = Expr::read(&node).expect("the defaults can be reckoned");
            node.reckoned(number)
        }
        _ => node,
    }
}

/// The family's default of an option, as JSON.
pub(crate) fn default_json(key: &Key) -> serde_json::Value {
    default_node(key).to_json()
}
