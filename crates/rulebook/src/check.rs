//! The first check: types and ranges (V1).

use crate::bounds::shown;
use crate::layer::{Node, Value};
use game::option::{OptionType, Row};

/// Letters of an option that is a text at most.
const MOST_TEXT: usize = 80;
/// Letters of a suit, a rank or a card in a list at most.
const MOST_WORD: usize = 24;
/// Texts in a list at most: every card of a pack.
const MOST_TEXTS: usize = 56;
/// Entries of a table of card values at most: every card of a pack, every rank, and ranges.
const MOST_VALUES: usize = 100;

fn is_long(text: &str, most: usize) -> bool {
    text.chars().count() > most
}

/// What is wrong, and what would be right.
type Wrong = (String, String);

/// Whether `node` may be the value of an option.
///
/// # Errors
/// What is wrong, and what would be right.
pub(crate) fn value(row: &Row, node: &Node, creator: bool) -> Result<(), Wrong> {
    let is = |remedy: String| wrong(row, node, remedy);
    match (row.kind, &node.value) {
        (OptionType::Bool, Value::Bool(_)) => Ok(()),
        (OptionType::Bool, _) => is("write true or false".to_owned()),
        (OptionType::Text, Value::Text(text)) if !is_long(text, MOST_TEXT) => Ok(()),
        (OptionType::Text, Value::Text(_)) => is(format!("write at most {MOST_TEXT} letters")),
        (OptionType::Text, _) => is("write a text in double quotes".to_owned()),
        (
            OptionType::Int { min, max }
            | OptionType::Expr { min, max }
            | OptionType::ChoiceOrInt { min, max, .. },
            Value::Int(n),
        ) => number(row, node, creator, *n, (min, max)),
        (OptionType::Int { min, max }, _) => is(format!("write a number from {min} to {max}")),
        (OptionType::Expr { .. }, Value::Text(_) | Value::Array(_)) => {
            node.expression().map(|_| ()).map_err(|why| {
                (format!("`{}`: {why}", row.key), "such as 2, \"n-1\" or \"ceil(n/2)\"".to_owned())
            })
        }
        (OptionType::Expr { .. }, _) => {
            is("write a number, or a reckoning such as \"n-1\" or \"ceil(n/2)\"".to_owned())
        }
        (OptionType::Choice { of } | OptionType::ChoiceOrInt { of, .. }, Value::Text(text))
            if of.contains(&text.as_str()) =>
        {
            Ok(())
        }
        (OptionType::Choice { of }, _) => is(format!("write one of {}", listed(of))),
        (OptionType::ChoiceOrInt { of, min, max }, _) => {
            is(format!("write {} or a number from {min} to {max}", listed(of)))
        }
        (OptionType::Texts, _) => texts(row, node),
        (OptionType::Values, Value::Table(entries)) if entries.len() > MOST_VALUES => {
            is(format!("write at most {MOST_VALUES} values; a range such as \"2-T\" is one"))
        }
        (OptionType::Values, Value::Table(entries)) => {
            entries.iter().try_for_each(|(card, value)| card_value(card, value))
        }
        (OptionType::Values, _) => {
            is("write a table such as { JK = 15, A = 15, \"J-K\" = 10, \"2-T\" = \"pip\" }, or a list such as \"JK A 15, J-K 10, 2-T pip\"".to_owned())
        }
        (OptionType::Schedule, Value::Table(entries)) => {
            entries.iter().try_for_each(|(players, amounts)| payments(row, players, amounts))
        }
        (OptionType::Schedule, _) => is("write a table such as { 4 = [2, 4, 6] }".to_owned()),
        (OptionType::Rounds, _) => rounds(row, node),
        (OptionType::Deals, Value::Int(n)) => number(row, node, creator, *n, (1, 20)),
        (OptionType::Deals, Value::Text(text)) if text.parse::<pattern::rules::Deals>().is_ok() => Ok(()),
        (OptionType::Deals, _) => {
            is("write a number from 1 to 20, \"each_dealer\", or \"to_points(50)\"".to_owned())
        }
    }
}

fn wrong(row: &Row, node: &Node, remedy: String) -> Result<(), Wrong> {
    Err((format!("`{}` is {}", row.key, node.text()), remedy))
}

/// Whether a number is in the range that is written down for a row, or the narrower one of a table's creator.
fn number(row: &Row, node: &Node, creator: bool, n: i64, written: (i64, i64)) -> Result<(), Wrong> {
    let (min, max) = row.creator.filter(|_| creator).unwrap_or(written);
    match row.zero {
        Some((from, written_for)) if n != 0 && !(from..=max).contains(&n) => {
            let numbers = if from == max { max.to_string() } else { format!("{from} to {max}") };
            wrong(row, node, format!("write 0 {written_for}, or {numbers}"))
        }
        None if !row.only.is_empty() && !row.only.contains(&n) => {
            let numbers: Vec<String> = row.only.iter().map(i64::to_string).collect();
            wrong(row, node, format!("write {}", game::words::listed(&numbers, "or")))
        }
        None if !(min..=max).contains(&n) => wrong(row, node, format!("write a number from {min} to {max}")),
        _ => Ok(()),
    }
}

/// Whether this is a list of names.
fn texts(row: &Row, node: &Node) -> Result<(), Wrong> {
    match &node.value {
        Value::Array(items) if items.len() > MOST_TEXTS => {
            wrong(row, node, format!("write at most {MOST_TEXTS} texts"))
        }
        Value::Array(items) if items.iter().all(|i| i.as_text().is_some()) => {
            match items.iter().filter_map(Node::as_text).find(|text| is_long(text, MOST_WORD)) {
                Some(long) => Err((
                    format!("`{}` holds \"{}\"", row.key, shown(long)),
                    format!("write names of at most {MOST_WORD} letters"),
                )),
                None => Ok(()),
            }
        }
        // `deck.ranks = "A23456789TJQK"`: one letter a rank.
        Value::Text(text) if row.letters && !is_long(text, MOST_WORD) => Ok(()),
        _ => wrong(row, node, "write a list of texts, such as [\"2\"]".to_owned()),
    }
}

/// Whether this may be what a card is worth.
fn card_value(card: &str, value: &Node) -> Result<(), Wrong> {
    let right = match &value.value {
        Value::Int(n) => (-1000..=1000).contains(n),
        Value::Text(text) => text == "pip",
        _ => false,
    };
    if right {
        return Ok(());
    }
    Err((
        format!("the value of `{}` is {}", shown(card), value.text()),
        "write a number from -1000 to 1000, or \"pip\" for the number on the card".to_owned(),
    ))
}

/// Whether these may be what the places of so many players pay.
fn payments(row: &Row, players: &str, amounts: &Node) -> Result<(), Wrong> {
    let count: Option<usize> = players.parse().ok().filter(|n| (2..=12).contains(n));
    let right = match &amounts.value {
        Value::Array(items) => {
            count.is_some_and(|n| items.len() == n - 1)
                && items.iter().all(|i| matches!(i.value, Value::Int(0..=1000)))
        }
        _ => false,
    };
    if right {
        return Ok(());
    }
    Err((
        format!("`{}` says {} for `{}` players", row.key, amounts.text(), shown(players)),
        "write the amounts of places 2, 3 and so on: { 4 = [2, 4, 6] }".to_owned(),
    ))
}

/// Whether these are all rounds, or some of them in their order.
fn rounds(row: &Row, node: &Node) -> Result<(), Wrong> {
    match &node.value {
        Value::Text(text) if text == "all" => Ok(()),
        Value::Array(items)
            if !items.is_empty() && items.iter().all(|i| matches!(i.value, Value::Int(1..=99))) =>
        {
            let number = |item: &Node| if let Value::Int(n) = item.value { Some(n) } else { None };
            let numbers: Vec<i64> = items.iter().filter_map(number).collect();
            if numbers.is_sorted_by(|one, next| one < next) {
                Ok(())
            } else {
                wrong(row, node, "write the rounds in their order, each once".to_owned())
            }
        }
        _ => wrong(row, node, "write \"all\", or a list of rounds such as [1, 3, 5]".to_owned()),
    }
}

fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
}
