//! Scenario files: positions that were written down, and what must come of them.

use crate::{texts, work};
use record::scenario::{self, Scenario};
use rulebook::NoFiles;

/// Bytes of memory for playing a scenario: for any, and for each byte of one.
const WORK: (usize, usize) = (256 << 20, 64 << 10);

/// A scenario file: it cannot be read, or a line of it does not hold, or it holds; always the same, and in words.
///
/// # Panics
/// If a law is broken.
pub fn scenario(bytes: &[u8]) {
    let Some(text) = texts::text(bytes) else { return };
    let lines = text.lines().count() + 1;
    let most = work::most(WORK.0, WORK.1, text.len());
    let played = work::within("a scenario", most, || scenario::run(text, &NoFiles));
    assert_eq!(played, scenario::run(text, &NoFiles), "played twice");
    match (&played, Scenario::parse(text)) {
        (Err(why), read) => {
            assert!(why.text.len() > 5 && why.line.is_none_or(|line| line <= lines), "{why:?}");
            assert!(read.is_err() || why.line.is_none(), "a scenario that can be read cannot: {why}");
        }
        (Ok(_), Err(why)) => panic!("a scenario that cannot be read was played: {why}"),
        (Ok(Err(failure)), Ok(read)) => {
            assert!(!failure.expected.is_empty() && !failure.found.is_empty(), "{failure:?}");
            assert_ne!(failure.expected, failure.found, "{failure:?}");
            assert!(
                failure.line == 0 || read.script.iter().any(|line| line.number == failure.line),
                "{failure:?}"
            );
        }
        (Ok(Ok(())), Ok(read)) => {
            assert!(read.script.iter().all(|line| line.number <= lines && !line.text.is_empty()));
        }
    }
}
