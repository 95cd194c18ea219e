//! What is wrong with a rule file, said so that somebody who never saw one can mend it.

use serde::Serialize;
use std::fmt;
use std::sync::Arc;

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
    /// What is wrong.
    pub reason: String,
    /// What would be right.
    pub remedy: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.reason)?;
        if !self.remedy.is_empty() {
            write!(f, ": {}", self.remedy)?;
        }
        write!(f, " ({})", self.check)
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

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, fault) in self.faults.iter().enumerate() {
            if n > 0 {
                f.write_str("\n")?;
            }
            fault.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}

/// Of `known`, the name that `text` was probably meant to be.
pub(crate) fn nearest<'a>(text: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let least = (1 + text.chars().count()) / 3;
    known
        .into_iter()
        .map(|name| {
            // The last word of a dotted name counts too: `gap` for `run.gap`.
            let tail = name.rsplit('.').next().unwrap_or(name);
            (distance(text, name).min(distance(text, tail)), name)
        })
        .filter(|(far, _)| *far <= least)
        .min_by_key(|(far, _)| *far)
        .map(|(_, name)| name)
}

/// Edits (a letter put in, taken out, changed, or two swapped) between two words.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0usize; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = change.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

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
    }
}
