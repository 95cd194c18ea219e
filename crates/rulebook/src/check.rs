//! The first check: types and ranges (V1).

use crate::Family;
use crate::bounds::shown;
use crate::layer::{Node, Value};
use game::option::{OptionType, Row};
use game::{Say, say};

/// Letters of an option that is a text at most.
const MOST_TEXT: usize = 80;
/// Letters of a suit, a rank or a card in a list at most.
const MOST_WORD: usize = 24;
/// Pennies of a place at most (contract/A-34).
pub const MOST_PENNIES: i64 = 1_000;
/// Texts in a list at most: every card of a pack.
const MOST_TEXTS: usize = 56;
/// Entries of a table of card values at most: every card of a pack, every rank, and ranges.
const MOST_VALUES: usize = 100;

fn is_long(text: &str, most: usize) -> bool {
    text.chars().count() > most
}

/// What is wrong, and what would be right.
type Wrong = (Say, Say);

/// How values look in a file.
const VALUES: &str = "{ JK = 15, A = 15, \"J-K\" = 10, \"2-T\" = \"pip\" }";
const VALUES_LISTED: &str = "\"JK A 15, J-K 10, 2-T pip\"";
const SCHEDULE: &str = "{ 4 = [2, 4, 6] }";

/// Whether `node` may be the value of an option.
///
/// # Errors
/// What is wrong, and what would be right.
pub(crate) fn value(row: &Row, node: &Node, family: Family, creator: bool) -> Result<(), Wrong> {
    let is = |remedy: Say| wrong(row, node, remedy);
    let number = |n: i64, range: (i64, i64)| number(row, node, family, creator, n, range);
    match (row.kind, &node.value) {
        (OptionType::Bool, Value::Bool(_)) => Ok(()),
        (OptionType::Bool, _) => is(say!("remedy.bool")),
        (OptionType::Text, Value::Text(text)) if !is_long(text, MOST_TEXT) => Ok(()),
        (OptionType::Text, Value::Text(_)) => is(say!("remedy.letters", n = MOST_TEXT)),
        (OptionType::Text, _) => is(say!("remedy.text")),
        (
            OptionType::Int { min, max }
            | OptionType::Expr { min, max }
            | OptionType::ChoiceOrInt { min, max, .. },
            Value::Int(n),
        ) => number(*n, (min, max)),
        (OptionType::Int { min, max }, _) => is(say!("remedy.range", min = min, max = max)),
        (OptionType::Expr { .. }, Value::Text(_) | Value::Array(_)) => {
            let wrong = |why| (say!("fault.expression", key = row.key, why = why), say!("remedy.expression"));
            node.expression().map(|_| ()).map_err(wrong)
        }
        (OptionType::Expr { .. }, _) => is(say!("remedy.number_or_expression")),
        (OptionType::Choice { of } | OptionType::ChoiceOrInt { of, .. }, Value::Text(text))
            if of.contains(&text.as_str()) =>
        {
            Ok(())
        }
        (OptionType::Choice { of }, _) => is(say!("remedy.one_of", names = listed(of))),
        (OptionType::ChoiceOrInt { min, max, .. }, _) if min == max => is(either(row, min)),
        (OptionType::ChoiceOrInt { of, min, max }, _) => {
            is(say!("remedy.one_of_or_range", names = listed(of), min = min, max = max))
        }
        (OptionType::Texts | OptionType::Several { .. }, _) => texts(row, node),
        (OptionType::Values, Value::Table(entries)) if entries.len() > MOST_VALUES => {
            is(say!("remedy.values", n = MOST_VALUES))
        }
        (OptionType::Values, Value::Table(entries)) => {
            entries.iter().try_for_each(|(card, value)| card_value(card, value))
        }
        (OptionType::Values, _) => is(say!("remedy.table_or_list", table = VALUES, list = VALUES_LISTED)),
        (OptionType::Schedule, Value::Table(entries)) => {
            entries.iter().try_for_each(|(players, amounts)| payments(row, players, amounts))
        }
        (OptionType::Schedule, _) => is(say!("remedy.table", table = SCHEDULE)),
        (OptionType::Rounds, _) => rounds(row, node),
        (OptionType::Deals, Value::Int(n)) => number(*n, (1, 20)),
        (OptionType::Deals, Value::Text(text)) if text.parse::<pattern::rules::Deals>().is_ok() => Ok(()),
        (OptionType::Deals, _) => is(say!("remedy.deals")),
    }
}

fn wrong(row: &Row, node: &Node, remedy: Say) -> Result<(), Wrong> {
    Err((say!("fault.is", key = row.key, value = node.text()), remedy))
}

/// Whether a number is in the range that is written down for a row, or the narrower one of a table's creator.
fn number(
    row: &Row,
    node: &Node,
    family: Family,
    creator: bool,
    n: i64,
    written: (i64, i64),
) -> Result<(), Wrong> {
    let (min, max) = row.creator.filter(|_| creator).unwrap_or(written);
    match row.zero {
        Some((from, written_for)) if n != 0 && !(from..=max).contains(&n) => {
            // The English stands in the option's row.
            let of = Say::apart(format!("option.{}.{}.zero", family.name(), row.key), written_for);
            let remedy = if from == max {
                say!("remedy.zero_or", what = of, n = max)
            } else {
                say!("remedy.zero_or_range", what = of, min = from, max = max)
            };
            wrong(row, node, remedy)
        }
        None if !row.only.is_empty() && !row.only.contains(&n) => {
            let numbers = row.only.iter().map(|n| say!("list.name", name = *n)).collect();
            wrong(row, node, say!("remedy.write", what = Say::any(numbers).unwrap_or_default()))
        }
        None if min == max && n != min => wrong(row, node, either(row, min)),
        None if !(min..=max).contains(&n) => wrong(row, node, say!("remedy.range", min = min, max = max)),
        _ => Ok(()),
    }
}

/// To write the one number that is possible, or one of the words.
fn either(row: &Row, n: i64) -> Say {
    let words = match row.kind {
        OptionType::ChoiceOrInt { of, .. } => of,
        _ => &[],
    };
    let words = words.iter().map(|word| say!("list.name", name = format!("\"{word}\"")));
    say!(
        "remedy.write",
        what = Say::any(words.chain([say!("list.name", name = n)]).collect()).unwrap_or_default()
    )
}

/// Whether this is a list of names.
fn texts(row: &Row, node: &Node) -> Result<(), Wrong> {
    match &node.value {
        Value::Array(items) if items.len() > MOST_TEXTS => {
            wrong(row, node, say!("remedy.texts", n = MOST_TEXTS))
        }
        Value::Array(items) if items.iter().all(|i| i.as_text().is_some()) => {
            match items.iter().filter_map(Node::as_text).find(|text| is_long(text, MOST_WORD)) {
                Some(long) => Err((
                    say!("fault.holds", key = row.key, text = shown(long)),
                    say!("remedy.names", n = MOST_WORD),
                )),
                None => Ok(()),
            }
        }
        // `deck.ranks = "A23456789TJQK"`: one letter a rank.
        Value::Text(text) if row.letters && !is_long(text, MOST_WORD) => Ok(()),
        _ => wrong(row, node, say!("remedy.list")),
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
    Err((say!("fault.card_value", card = shown(card), value = value.text()), say!("remedy.card_value")))
}

/// Whether these may be what the places of so many players pay.
fn payments(row: &Row, players: &str, amounts: &Node) -> Result<(), Wrong> {
    let count: Option<usize> = players.parse().ok().filter(|n| (2..=12).contains(n));
    let right = match &amounts.value {
        Value::Array(items) => {
            count.is_some_and(|n| items.len() == n - 1)
                && items.iter().all(|i| matches!(i.value, Value::Int(0..=MOST_PENNIES)))
        }
        _ => false,
    };
    if right {
        return Ok(());
    }
    Err((
        say!("fault.payments", key = row.key, value = amounts.text(), players = shown(players)),
        say!("remedy.payments", table = SCHEDULE),
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
                wrong(row, node, say!("remedy.rounds_in_order"))
            }
        }
        _ => wrong(row, node, say!("remedy.rounds")),
    }
}

fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
}
