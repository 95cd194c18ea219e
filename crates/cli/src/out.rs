//! Standard output. What reads it may have heard enough (`| head`): then the program ends quietly, as others do.

use std::fmt::Arguments;
use std::io::{ErrorKind, IsTerminal, Write};
use textwrap::{Options, WordSplitter, fill, termwidth};

/// Columns that a line of prose has at most: longer ones are hard to read.
const WIDEST: usize = 100;
/// Columns below which lines are left as they are: on so narrow a terminal a column of text would be no help.
const NARROWEST: usize = 40;

/// Prints a line, as `println!` does.
macro_rules! outln {
    () => { $crate::out::write(format_args!("\n")) };
    ($($text:tt)*) => { $crate::out::write(format_args!("{}\n", format_args!($($text)*))) };
}

/// Prints, as `print!` does.
macro_rules! out {
    ($($text:tt)*) => { $crate::out::write(format_args!($($text)*)) };
}

/// Writes to standard output, or ends the program if nobody reads it or it cannot be written.
pub fn write(text: Arguments<'_>) {
    if let Err(error) = std::io::stdout().lock().write_fmt(text) {
        std::process::exit(ended_by(&error));
    }
}

/// The exit status when standard output broke off: 0 if its reader had enough.
pub fn ended_by(error: &std::io::Error) -> i32 {
    if error.kind() == ErrorKind::BrokenPipe {
        return 0;
    }
    eprintln!("parlour: standard output cannot be written: {error}");
    2
}

/// Prints sentences: on a terminal broken between words, what goes on standing below the sentence. What another program reads is left as it is.
pub fn prose(text: &str) {
    if std::io::stdout().is_terminal() {
        write(format_args!("{}", wrapped(text, termwidth())));
    } else {
        write(format_args!("{text}"));
    }
}

/// Breaks lines that are longer than a terminal so wide. Rows of tables are left alone.
fn wrapped(text: &str, wide: usize) -> String {
    if wide < NARROWEST {
        return text.to_owned();
    }
    let broken = |line: &str| {
        if line.starts_with('|') {
            return line.to_owned();
        }
        let words = line.trim_start();
        // What goes on in the next line stands below the words, not below the dash of a list, and below the last column.
        let column =
            words.rfind("   ").map_or(0, |at| at + 3) + words.len() - words.trim_start_matches("- ").len();
        let below = " ".repeat((line.len() - words.len() + column).min(wide / 2));
        // Numbers of rules have a hyphen.
        let whole =
            Options::new(wide.min(WIDEST)).break_words(false).word_splitter(WordSplitter::NoHyphenation);
        fill(line, whole.subsequent_indent(&below))
    };
    text.split('\n').map(broken).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[track_caller]
    fn check(text: &str, wide: usize, expected: &str) {
        assert_eq!(wrapped(text, wide), expected);
    }

    #[test]
    fn lines_are_broken_between_words_and_go_on_below_them() {
        check("short\n", 40, "short\n");
        check(
            "A run is consecutive cards of one suit, a group cards of one rank.\n\n## Melds\n",
            40,
            "A run is consecutive cards of one suit,\na group cards of one rank.\n\n## Melds\n",
        );
        check(
            "- A run is consecutive cards of one suit, a group cards of one rank.",
            40,
            "- A run is consecutive cards of one\n  suit, a group cards of one rank.",
        );
        check(
            "    Jokers: how many jokers there are (A-21)",
            40,
            "    Jokers: how many jokers there are\n    (A-21)",
        );
    }

    #[test]
    fn a_list_of_columns_goes_on_below_its_last() {
        check(
            "quick      1-8   Quick Set: nine cards, for children and travellers.",
            60,
            "quick      1-8   Quick Set: nine cards, for children and\n                 travellers.",
        );
    }

    #[test]
    fn tables_and_narrow_terminals_are_left_alone() {
        let row = "| 3 | two runs of four, each of one suit and without any wild card | 10 |";
        check(row, 40, row);
        check(row, 20, row);
        let word = "https://example.org/a/very/long/address/that/has/no/place/to/break";
        check(word, 40, word);
    }
}
