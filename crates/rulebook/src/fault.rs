//! What is wrong with a rule file, said so that somebody who never saw one can mend it.

use crate::bounds;
use game::{Say, say};
use serde::{Serialize, Serializer};
use std::fmt;
use std::sync::Arc;

/// By this name house rules are called.
pub(crate) const HOUSE: &str = "your rules";

/// By this name what a table's creator set is called.
pub(crate) const OPTIONS: &str = "options";

/// Where in which file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Name of the file as given; `options` for what a table's creator set.
    pub file: Arc<str>,
    /// Line from 1; none where there are no lines.
    pub line: Option<usize>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}", self.file),
            None => f.write_str(&self.file),
        }
    }
}

/// One fault, or one warning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// Where.
    pub place: Place,
    /// The check or rule it offends: `V1` to `V8` of the contract rulebook (4.4), or a rule id of the pattern rulebook.
    pub check: &'static str,
    /// What is wrong. Written in English, with the feature `english` of `game`.
    #[serde(serialize_with = "in_english")]
    pub reason: Say,
    /// What would be right; empty where nothing is said. Written as the reason is.
    #[serde(serialize_with = "in_english")]
    pub remedy: Say,
}

fn in_english<S: Serializer>(say: &Say, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(say)
}

impl Place {
    /// The same, in no language yet.
    fn say(&self) -> Say {
        let file = match &*self.file {
            HOUSE => say!("fault.place.house"),
            OPTIONS => say!("fault.place.options"),
            file => say!("list.name", name = file.to_owned()),
        };
        match self.line {
            Some(line) => say!("fault.place.line", file = file, line = line),
            None => file,
        }
    }
}

impl Fault {
    /// All of it, in no language yet.
    #[must_use]
    pub fn say(&self) -> Say {
        let (place, reason) = (self.place.say(), self.reason.clone());
        if self.remedy.is_empty() {
            say!("fault.told", place = place, reason = reason, check = self.check)
        } else {
            let remedy = self.remedy.clone();
            say!("fault.told_remedy", place = place, reason = reason, remedy = remedy, check = self.check)
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.say().fmt(f)
    }
}

/// Everything that is wrong with a rule file and the files it is based on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Faults {
    /// Each fault, in the order of the files.
    pub faults: Vec<Fault>,
    /// Whether the file itself could not be read, so that nothing was checked.
    pub missing: bool,
}

impl Faults {
    /// All of them, a line for each, in no language yet.
    #[must_use]
    pub fn say(&self) -> Say {
        let all = self.faults.iter().map(Fault::say).collect();
        together(all, |a, b| say!("fault.lines", a = a, b = b, end = "\n"))
    }

    /// Only why, in no language yet.
    pub(crate) fn reasons(&self) -> Say {
        let all = self.faults.iter().map(|fault| fault.reason.clone()).collect();
        together(all, |a, b| say!("fault.both", a = a, b = b))
    }
}

/// One after the other. Halves are put together, so that many do not lie deep in one another.
pub(crate) fn together(mut all: Vec<Say>, two: fn(Say, Say) -> Say) -> Say {
    match all.len() {
        0 | 1 => all.pop().unwrap_or_default(),
        n => {
            let rest = all.split_off(n.div_ceil(2));
            two(together(all, two), together(rest, two))
        }
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.say().fmt(f)
    }
}

impl std::error::Error for Faults {}

/// Faults as they are found. When there are [`bounds::FAULTS`] of them, nobody looks for more.
#[derive(Debug, Default)]
pub(crate) struct Found {
    faults: Vec<Fault>,
    more: bool,
}

impl Found {
    /// Takes in a fault, if there is room for it.
    pub fn push(&mut self, fault: Fault) {
        if !self.is_full() {
            self.faults.push(fault);
        }
    }

    /// Takes in faults, as far as there is room for them.
    pub fn extend(&mut self, faults: impl IntoIterator<Item = Fault>) {
        faults.into_iter().for_each(|fault| self.push(fault));
    }

    /// Whether there are so many that no more need be looked for.
    pub fn is_full(&mut self) -> bool {
        self.more |= self.faults.len() >= bounds::FAULTS;
        self.more
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.faults.is_empty()
    }

    /// Whether just this was found already.
    pub fn contains(&self, fault: &Fault) -> bool {
        self.faults.contains(fault)
    }

    /// What was found, and at the end whether nobody looked further.
    pub fn told(mut self) -> Vec<Fault> {
        if let (true, Some(last)) = (self.more, self.faults.last()) {
            self.faults.push(Fault {
                place: Place { file: last.place.file.clone(), line: None },
                check: "V1",
                reason: say!("fault.more"),
                remedy: say!("remedy.more"),
            });
        }
        self.faults
    }
}

/// Of `known`, the name that `text` was probably meant to be.
pub(crate) fn nearest<'a>(text: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = text.chars().count();
    let least = (1 + letters) / 3;
    // A name that is longer or shorter by more than that is too far away, and need not be compared letter by letter.
    let far = |name: &str| {
        let off = letters.abs_diff(name.chars().count());
        if off > least { usize::MAX } else { strsim::osa_distance(text, name) }
    };
    known
        .into_iter()
        .take_while(|_| letters <= MOST_MEANT)
        .map(|name| {
            // The last word of a dotted name counts too: `gap` for `run.gap`.
            let tail = name.rsplit('.').next().unwrap_or(name);
            (far(name).min(far(tail)), name)
        })
        .filter(|(far, name)| *far <= least && !in_group(text, name))
        .min_by_key(|(far, _)| *far)
        .map(|(_, name)| name)
}

/// Whether both are settings of one group, and the settings themselves are too far apart for a slip of the pen: `take.wild`
/// is not `take.who`.
fn in_group(text: &str, name: &str) -> bool {
    let (Some((group, own)), Some((other, known))) = (text.rsplit_once('.'), name.rsplit_once('.')) else {
        return false;
    };
    group == other && strsim::osa_distance(own, known) > (1 + own.chars().count()) / 3
}

/// Letters of a text that may be a slip of the pen; what is longer is meant to be something else.
const MOST_MEANT: usize = 40;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_finds_what_was_meant() {
        let known = ["run.gap", "run.ace", "take.penalty", "layoff.when", "out.discard"];
        let check = |text, meant| assert_eq!(nearest(text, known), meant, "{text}");
        check("run.gpa", Some("run.gap"));
        check("run.acee", Some("run.ace"));
        check("penalty", Some("take.penalty"));
        check("lay-off.when", Some("layoff.when"));
        check("colour", None);
        check("run.gab", Some("run.gap"));
        check("run.bag", None);
        check(&"run.gap".repeat(10_000), None);
    }

    #[test]
    fn faults_are_told_up_to_a_number() {
        let found = |n: usize| {
            let mut found = Found::default();
            let place = Place { file: "f".into(), line: Some(1) };
            found.extend((0..n).map(|n| Fault {
                place: place.clone(),
                check: "V1",
                reason: say!("list.name", name = n),
                remedy: Say::default(),
            }));
            found.told()
        };
        assert_eq!(found(bounds::FAULTS).len(), bounds::FAULTS);
        let many = found(10_000);
        assert_eq!(many.len(), bounds::FAULTS + 1);
        assert_eq!(
            many[bounds::FAULTS].to_string(),
            "f: perhaps more is wrong: mend these faults first, and see what is left (V1)"
        );
        // Together they are told line by line.
        let lines: Vec<String> = many.iter().map(ToString::to_string).collect();
        let all = Faults { faults: many, missing: false };
        assert_eq!(all.to_string(), lines.join("\n"));
        assert_eq!(Faults { faults: Vec::new(), missing: false }.to_string(), "");
    }
}
