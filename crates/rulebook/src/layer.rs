//! One rule file, taken apart into keys and values that know their lines.

use crate::bounds::{self, shown};
use crate::expr::Expr;
use crate::fault::{Fault, Place, together};
use crate::letters;
use game::{Say, say};
use std::sync::Arc;
use toml::de::{DeTable, DeValue};

/// Steps at most of a number that depends on how many play: more than there are numbers of players.
const MOST_STEPS: usize = 32;

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub place: Place,
    pub value: Value,
    /// What is reckoned, where an option that may be reckoned is set: read once, used for each number of players.
    number: Option<Arc<Expr>>,
}

/// A TOML value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Bool(bool),
    Int(i64),
    Text(String),
    Array(Vec<Node>),
    Table(Vec<(String, Node)>),
    /// Nothing in a rule file is one.
    Other(Other),
}

/// What TOML has besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Other {
    Large,
    Fraction,
    Date,
}

impl Node {
    pub fn new(place: Place, value: Value) -> Node {
        Node { place, value, number: None }
    }

    /// The same, as the number that was read from it.
    pub fn reckoned(mut self, number: Expr) -> Node {
        self.number = Some(Arc::new(number));
        self
    }

    /// The number that was read from it.
    pub fn number(&self) -> Option<&Expr> {
        self.number.as_deref()
    }

    /// Reads a number, an expression or a list of steps.
    ///
    /// # Errors
    /// What is wrong.
    pub fn expression(&self) -> Result<Expr, Say> {
        match &self.value {
            Value::Int(n) => Ok(Expr::Number(*n)),
            Value::Text(text) => Expr::parse(text),
            Value::Array(steps) if steps.len() > MOST_STEPS => {
                Err(say!("fault.steps", n = steps.len(), most = MOST_STEPS))
            }
            Value::Array(steps) => steps.iter().map(Node::step).collect::<Result<_, _>>().map(Expr::Steps),
            _ => Err(say!("fault.no_number", value = self.text())),
        }
    }

    fn step(&self) -> Result<(i64, Expr), Say> {
        let wrong = || say!("fault.no_step", value = self.text(), step = "{ upto = 5, is = 2 }");
        let Value::Table(entries) = &self.value else { return Err(wrong()) };
        let (mut upto, mut is) = (None, None);
        for (key, value) in entries {
            match (key.as_str(), &value.value) {
                ("upto", Value::Int(n)) => upto = Some(*n),
                ("is", _) => is = Some(value.expression()?),
                _ => return Err(wrong()),
            }
        }
        upto.zip(is).ok_or_else(wrong)
    }

    /// A value that stands in no file.
    pub fn of_json(value: &serde_json::Value) -> Node {
        use serde_json::Value as Json;
        let value = match value {
            Json::Bool(b) => Value::Bool(*b),
            Json::Number(n) => n.as_i64().map_or(Value::Other(Other::Fraction), Value::Int),
            Json::String(text) => Value::Text(text.clone()),
            Json::Array(items) => Value::Array(items.iter().map(Node::of_json).collect()),
            Json::Object(entries) => {
                Value::Table(entries.iter().map(|(key, value)| (key.clone(), Node::of_json(value))).collect())
            }
            Json::Null => Value::Text(String::new()),
        };
        Node::new(Place { file: "".into(), line: None }, value)
    }

    /// What sort of value it is, in words.
    pub fn sort(&self) -> Say {
        match &self.value {
            Value::Bool(_) => say!("fault.sort.bool"),
            Value::Int(_) => say!("fault.sort.number"),
            Value::Text(_) => say!("fault.sort.text"),
            Value::Array(_) => say!("fault.sort.list"),
            Value::Table(_) => say!("fault.sort.table"),
            Value::Other(other) => other.say(),
        }
    }

    /// As a person would write it in a message, as far as a message goes.
    pub fn text(&self) -> game::Value {
        match &self.value {
            Value::Bool(b) => b.to_string().into(),
            // Of numbers only those that are counted are told as such.
            Value::Int(n) => n.to_string().into(),
            Value::Text(t) => format!("\"{}\"", shown(t)).into(),
            Value::Array(items) => listed(items),
            Value::Table(_) => "{ ... }".into(),
            Value::Other(other) => other.say().into(),
        }
    }

    pub fn as_text(&self) -> Option<&str> {
        if let Value::Text(text) = &self.value { Some(text) } else { None }
    }
}

impl Other {
    fn say(self) -> Say {
        match self {
            Other::Large => say!("fault.sort.large"),
            Other::Fraction => say!("fault.sort.fraction"),
            Other::Date => say!("fault.sort.date"),
        }
    }
}

/// A list as a message has it.
fn listed(items: &[Node]) -> game::Value {
    let mut list = String::new();
    let mut told = Vec::new();
    for item in items {
        if shown(&list).len() < list.len() {
            break; // the rest is not shown
        }
        let text = item.text();
        list.push_str(if list.is_empty() { "" } else { ", " });
        list.push_str(&text.to_string());
        told.push(text);
    }
    let in_words = told.iter().any(|text| matches!(text, game::Value::Say(_)));
    // A list that is cut off is English to its end: what is left of a word is one of no language.
    if !in_words || shown(&list).len() < list.len() {
        return format!("[{}]", shown(&list)).into();
    }
    let items = told.into_iter().map(|text| say!("list.name", name = text)).collect();
    say!("fault.sort.items", items = together(items, |a, b| say!("list.comma", a = a, b = b))).into()
}

fn too_deep() -> Say {
    say!("fault.deep", n = bounds::DEPTH)
}

/// Reads the text of a file. Every place that is no TOML is a fault, up to [`bounds::FAULTS`].
pub(crate) fn read(file: &Arc<str>, text: &str) -> Result<Node, Vec<Fault>> {
    if text.len() > bounds::FILE_BYTES {
        return Err(vec![Fault {
            place: Place { file: file.clone(), line: None },
            check: "V1",
            reason: say!("fault.bytes", n = text.len()),
            remedy: say!("remedy.bytes", n = bounds::FILE_BYTES),
        }]);
    }
    // Remarks are read by people, too.
    if let Some((line, why)) =
        text.lines().zip(1..).find_map(|(line, n)| Some((n, letters::text(line).err()?)))
    {
        return Err(vec![unfit(Place { file: file.clone(), line: Some(line) }, why)]);
    }
    let lines = Lines::of(text);
    let (table, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        return Err(errors
            .into_iter()
            .take(bounds::FAULTS)
            .map(|error| {
                // The commonest slip has nothing to do with how things are written.
                let (reason, remedy) = match error.message() {
                    "duplicate key" => (say!("fault.set_twice"), say!("remedy.set_twice")),
                    // The reader's own limit, further up.
                    why if why.contains("recur") => (too_deep(), say!("remedy.deep")),
                    why => (say!("fault.no_toml", why = why.to_owned()), say!("remedy.no_toml")),
                };
                let line = error.span().map(|span| lines.line(span.start));
                Fault { place: Place { file: file.clone(), line }, check: "V1", reason, remedy }
            })
            .collect());
    }
    let mut taking = Taking { file, values: 0 };
    let place = taking.place(Some(1));
    let value = taking.table(table.get_ref(), &lines, 0).map_err(|fault| vec![*fault])?;
    Ok(Node::new(place, value))
}

/// A text has something in it that cannot be shown.
fn unfit(place: Place, why: Say) -> Fault {
    Fault { place, check: "V1", reason: say!("fault.unfit"), remedy: why }
}

/// Where the lines of a text begin, found once.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Lines {
        Lines(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1).collect())
    }

    /// The line, from 1, that the byte at `at` is on.
    fn line(&self, at: usize) -> usize {
        1 + self.0.partition_point(|begin| *begin <= at)
    }
}

/// What is being taken from a file or from options, and how much it has been.
struct Taking<'a> {
    file: &'a Arc<str>,
    values: usize,
}

impl Taking<'_> {
    fn place(&self, line: Option<usize>) -> Place {
        Place { file: self.file.clone(), line }
    }

    /// Counts one more value, which lies so deep.
    fn count(&mut self, depth: usize, line: Option<usize>) -> Result<(), Box<Fault>> {
        self.values += 1;
        let fault = |reason: Say, remedy: Say| {
            Err(Box::new(Fault { place: self.place(line), check: "V1", reason, remedy }))
        };
        if self.values > bounds::VALUES {
            return fault(say!("fault.values", n = bounds::VALUES), say!("remedy.fewer_values"));
        }
        if depth > bounds::DEPTH {
            return fault(too_deep(), say!("remedy.deep"));
        }
        Ok(())
    }

    fn table(&mut self, table: &DeTable<'_>, lines: &Lines, depth: usize) -> Result<Value, Box<Fault>> {
        let mut entries = Vec::new();
        for (key, value) in table {
            let at = key.span().start;
            // A table's own place is that of its key, which is what a person looks for.
            let line = Some(lines.line(at));
            self.count(depth + 1, line)?;
            let key = self.text(key.get_ref(), line)?;
            let value = self.value(value.get_ref(), lines, depth + 1, line)?;
            entries.push((at, key, Node::new(self.place(line), value)));
        }
        entries.sort_by_key(|(at, ..)| *at);
        Ok(Value::Table(entries.into_iter().map(|(_, key, node)| (key, node)).collect()))
    }

    /// A text as it may be shown: by an escape it can hold what the file itself does not.
    fn text(&self, text: &str, line: Option<usize>) -> Result<String, Box<Fault>> {
        letters::text(text).map(Into::into).map_err(|why| Box::new(unfit(self.place(line), why)))
    }

    fn value(
        &mut self,
        value: &DeValue<'_>,
        lines: &Lines,
        depth: usize,
        line: Option<usize>,
    ) -> Result<Value, Box<Fault>> {
        Ok(match value {
            DeValue::String(text) => Value::Text(self.text(text, line)?),
            DeValue::Integer(n) => {
                i64::from_str_radix(n.as_str(), n.radix()).map_or(Value::Other(Other::Large), Value::Int)
            }
            DeValue::Boolean(b) => Value::Bool(*b),
            DeValue::Float(_) => Value::Other(Other::Fraction),
            DeValue::Datetime(_) => Value::Other(Other::Date),
            DeValue::Array(items) => {
                let mut nodes = Vec::new();
                for item in items.iter() {
                    let line = Some(lines.line(item.span().start));
                    self.count(depth + 1, line)?;
                    let value = self.value(item.get_ref(), lines, depth + 1, line)?;
                    nodes.push(Node::new(self.place(line), value));
                }
                Value::Array(nodes)
            }
            DeValue::Table(table) => self.table(table, lines, depth)?,
        })
    }

    fn plain(&mut self, value: &toml::Value, depth: usize) -> Result<Node, Box<Fault>> {
        self.count(depth, None)?;
        let value = match value {
            toml::Value::String(text) => Value::Text(self.text(text, None)?),
            toml::Value::Integer(n) => Value::Int(*n),
            toml::Value::Boolean(b) => Value::Bool(*b),
            toml::Value::Float(_) => Value::Other(Other::Fraction),
            toml::Value::Datetime(_) => Value::Other(Other::Date),
            toml::Value::Array(items) => {
                Value::Array(items.iter().map(|item| self.plain(item, depth + 1)).collect::<Result<_, _>>()?)
            }
            toml::Value::Table(table) => {
                let entries = table
                    .iter()
                    .map(|(key, value)| Ok((self.text(key, None)?, self.plain(value, depth + 1)?)));
                Value::Table(entries.collect::<Result<_, Box<Fault>>>()?)
            }
        };
        Ok(Node::new(self.place(None), value))
    }
}

/// What a table's creator set, as a file without lines.
pub(crate) fn from_toml(file: &Arc<str>, value: &toml::Value) -> Result<Node, Box<Fault>> {
    Taking { file, values: 0 }.plain(value, 0)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of the only key of a file.
    fn value(text: &str) -> Node {
        let Value::Table(mut entries) = read(&"test".into(), text).unwrap().value else { panic!() };
        entries.remove(0).1
    }

    #[test]
    fn steps_are_taken_by_the_number_of_players_and_bounded() {
        let packs = value("decks = [{ upto = 5, is = 2 }, { upto = 8, is = \"n-4\" }]").expression().unwrap();
        assert_eq!([4, 5, 6, 8, 9].map(|n| packs.value(n, 0)), [Some(2), Some(2), Some(2), Some(4), None]);
        let steps =
            |n: usize| value(&format!("decks = [{}]", "{ upto = 9, is = 2 }, ".repeat(n))).expression();
        assert!(steps(MOST_STEPS).is_ok());
        assert!(steps(MOST_STEPS + 1).unwrap_err().to_string().contains("33 steps"));
    }

    #[test]
    fn size_number_and_depth_are_bounded() {
        let check = |text: &str, expected: &str| {
            let found = match read(&"f".into(), text) {
                Ok(_) => String::new(),
                Err(faults) => {
                    assert!(faults.len() <= bounds::FAULTS);
                    faults[0].to_string()
                }
            };
            assert!(found.starts_with(expected) && found.is_empty() == expected.is_empty(), "{found}");
        };
        check(&" ".repeat(bounds::FILE_BYTES), "");
        check(&" ".repeat(bounds::FILE_BYTES + 1), "f: the file has 32769 bytes: write at most 32768");
        let list = |items: usize| format!("\na = [\n{}]", "0,".repeat(items - 1));
        check(&list(bounds::VALUES), "");
        check(&list(bounds::VALUES + 1), "f:3: there are more than 4000 values: write fewer");
        let deep = |depth: usize| format!("a = {}0{}", "[".repeat(depth - 1), "]".repeat(depth - 1));
        check(&deep(bounds::DEPTH), "");
        check(&deep(bounds::DEPTH + 1), "f:1: tables and lists lie more than 12 deep in one another");
        check(&format!("{} = 0", ["a"; bounds::DEPTH].join(".")), "");
        for sep in [".", " . "] {
            let path = vec!["a"; 2000].join(sep);
            for text in [format!("{path} = 0"), format!("[{path}]"), format!("[[{path}]]")] {
                check(&text, "f: tables and lists lie more than 12 deep in one another");
            }
        }
        for open in ["[", "{a=", "[{a=", "[["] {
            let text = format!("a = {}", open.repeat(bounds::FILE_BYTES / 5));
            check(&text, "f:1: tables and lists lie more than 12 deep in one another");
        }
        check(&"=\n".repeat(10_000), "f:1: this is no TOML");
    }

    #[test]
    fn options_are_bounded_like_files() {
        let nested = |depth: usize| {
            (0..depth).fold(toml::Value::Integer(0), |inner, _| toml::Value::Array(vec![inner]))
        };
        let read =
            |value: &toml::Value| from_toml(&"options".into(), value).map_err(|f| f.reason.to_string());
        assert!(read(&nested(bounds::DEPTH)).is_ok());
        assert!(read(&nested(bounds::DEPTH + 1)).unwrap_err().contains("12 deep"));
        let wide = |n: usize| toml::Value::Array(vec![toml::Value::Integer(0); n]);
        assert!(read(&wide(bounds::VALUES - 1)).is_ok());
        assert!(read(&wide(bounds::VALUES)).unwrap_err().contains("4000 values"));
    }

    #[test]
    fn every_line_is_found_where_it_stands() {
        for text in ["", "\n", "a\nb\n\nc", "a"] {
            let lines = Lines::of(text);
            for at in 0..=text.len() {
                assert_eq!(lines.line(at), 1 + text[..at].matches('\n').count(), "{at} in {text:?}");
            }
        }
    }
}
