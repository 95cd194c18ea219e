//! Standard output. What reads it may have heard enough (`| head`): then the program ends quietly, as others do.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write};

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
