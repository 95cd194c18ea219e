//! The first check: types and ranges (V1).

use crate::bounds::shown;
use crate::expr::Expr;
use crate::layer::{Node, Value};
use game::option::{Kind, Row};

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

/// Whether `node` may be the value of an option.
///
/// # Errors
/// What is wrong, and what would be right.
pub(crate) fn value(row: &Row, node: &Node, creator: bool) -> Result<(), (String, String)> {
    let name = row.key;
    let is = |remedy: String| Err((format!("`{name}` is {}", node.text()), remedy));
    let range = |n: i64, min: i64, max: i64| {
        let (min, max) = row.creator.filter(|_| creator).unwrap_or((min, max));
        match row.zero {
            Some((from, written_for)) if n != 0 && !(from..=max).contains(&n) => {
                let numbers = if from == max { max.to_string() } else { format!("{from} to {max}") };
                is(format!("write 0 {written_for}, or {numbers}"))
            }
            None if !(min..=max).contains(&n) => is(format!("write a number from {min} to {max}")),
            _ => Ok(()),
        }
    };
    match (row.kind, &node.value) {
        (Kind::Bool, Value::Bool(_)) => Ok(()),
        (Kind::Text, Value::Text(text)) if !is_long(text, MOST_TEXT) => Ok(()),
        (Kind::Text, Value::Text(_)) => is(format!("write at most {MOST_TEXT} letters")),
        (Kind::Bool, _) => is("write true or false".to_owned()),
        (Kind::Text, _) => is("write a text in double quotes".to_owned()),
        (
            Kind::Int { min, max } | Kind::Expr { min, max } | Kind::ChoiceOrInt { min, max, .. },
            Value::Int(n),
        ) => range(*n, min, max),
        (Kind::Int { min, max }, _) => is(format!("write a number from {min} to {max}")),
        (Kind::Expr { .. }, Value::Text(_) | Value::Array(_)) => Expr::read(node)
            .map(|_| ())
            .map_err(|why| (format!("`{name}`: {why}"), "such as 2, \"n-1\" or \"ceil(n/2)\"".to_owned())),
        (Kind::Expr { .. }, _) => {
            is("write a number, or a reckoning such as \"n-1\" or \"ceil(n/2)\"".to_owned())
        }
        (Kind::Choice { of } | Kind::ChoiceOrInt { of, .. }, Value::Text(text))
            if of.contains(&text.as_str()) =>
        {
            Ok(())
        }
        (Kind::Choice { of }, _) => is(format!("write one of {}", listed(of))),
        (Kind::ChoiceOrInt { of, min, max }, _) => {
            is(format!("write {} or a number from {min} to {max}", listed(of)))
        }
        (Kind::Texts, Value::Array(items)) if items.len() > MOST_TEXTS => {
            is(format!("write at most {MOST_TEXTS} texts"))
        }
        (Kind::Texts, Value::Array(items)) if items.iter().all(|i| i.as_text().is_some()) => {
            match items.iter().filter_map(Node::as_text).find(|text| is_long(text, MOST_WORD)) {
                Some(long) => Err((
                    format!("`{name}` holds \"{}\"", shown(long)),
                    format!("write names of at most {MOST_WORD} letters"),
                )),
                None => Ok(()),
            }
        }
        // `deck.ranks = "A23456789TJQK"`: one letter a rank.
        (Kind::Texts, Value::Text(text)) if row.letters && !is_long(text, MOST_WORD) => Ok(()),
        (Kind::Texts, _) => is("write a list of texts, such as [\"2\"]".to_owned()),
        (Kind::Values, Value::Table(entries)) if entries.len() > MOST_VALUES => {
            is(format!("write at most {MOST_VALUES} values; a range such as \"2-T\" is one"))
        }
        (Kind::Values, Value::Table(entries)) => {
            for (card, value) in entries {
                let right = match &value.value {
                    Value::Int(n) => (-1000..=1000).contains(n),
                    Value::Text(text) => text == "pip",
                    _ => false,
                };
                if !right {
                    return Err((
                        format!("the value of `{}` is {}", shown(card), value.text()),
                        "write a number from -1000 to 1000, or \"pip\" for the number on the card".to_owned(),
                    ));
                }
            }
            Ok(())
        }
        (Kind::Values, _) => {
            is("write a table such as { JK = 15, A = 15, \"J-K\" = 10, \"2-T\" = \"pip\" }".to_owned())
        }
        (Kind::Schedule, Value::Table(entries)) => {
            for (players, amounts) in entries {
                let count: Option<usize> = players.parse().ok().filter(|n| (2..=12).contains(n));
                let right = match &amounts.value {
                    Value::Array(items) => {
                        count.is_some_and(|n| items.len() == n - 1)
                            && items.iter().all(|i| matches!(i.value, Value::Int(0..=1000)))
                    }
                    _ => false,
                };
                if !right {
                    return Err((
                        format!("`{name}` says {} for `{}` players", amounts.text(), shown(players)),
                        "write the amounts of places 2, 3 and so on: { 4 = [2, 4, 6] }".to_owned(),
                    ));
                }
            }
            Ok(())
        }
        (Kind::Schedule, _) => is("write a table such as { 4 = [2, 4, 6] }".to_owned()),
        (Kind::Rounds, Value::Text(text)) if text == "all" => Ok(()),
        (Kind::Rounds, Value::Array(items))
            if !items.is_empty() && items.iter().all(|i| matches!(i.value, Value::Int(1..=99))) =>
        {
            let numbers: Vec<i64> = items
                .iter()
                .filter_map(|i| if let Value::Int(n) = i.value { Some(n) } else { None })
                .collect();
            if numbers.windows(2).all(|pair| pair[0] < pair[1]) {
                Ok(())
            } else {
                is("write the rounds in their order, each once".to_owned())
            }
        }
        (Kind::Rounds, _) => is("write \"all\", or a list of rounds such as [1, 3, 5]".to_owned()),
        (Kind::Deals, Value::Int(n)) => range(*n, 1, 20),
        (Kind::Deals, Value::Text(text)) if text.parse::<pattern::rules::Deals>().is_ok() => Ok(()),
        (Kind::Deals, _) => {
            is("write a number from 1 to 20, \"each_dealer\", or \"to_points(50)\"".to_owned())
        }
    }
}

fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
}
