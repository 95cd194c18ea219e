//! What all examples do with the words they are called by, and how they end.

use std::process::ExitCode;
use std::str::FromStr;

/// The words of the command line.
pub struct Words(std::iter::Skip<std::env::Args>);

impl Words {
    /// All but the program's name.
    pub fn new() -> Words {
        Words(std::env::args().skip(1))
    }

    /// What stands behind a word.
    ///
    /// # Errors
    /// If nothing does, or nothing of the kind.
    pub fn value<T: FromStr<Err: std::fmt::Display>>(&mut self, word: &str) -> Result<T, String> {
        let value = self.0.next().ok_or_else(|| format!("{word} wants a value"))?;
        value.parse().map_err(|why| format!("{word}: {why}"))
    }
}

impl Iterator for Words {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        self.0.next()
    }
}

/// The end of a run: whether all was well, or what went wrong, which is told.
pub fn ended(told: Result<bool, String>) -> ExitCode {
    match told {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
