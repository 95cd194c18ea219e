//! The clock that nodes read, which the test lets jump: this program runs once more, in a process whose clock is libfaketime's. The
//! servers keep theirs, and what is measured with clocks that never go back is as before.

use std::path::PathBuf;
use std::process::{Command, ExitStatus};
use std::time::{Duration, SystemTime};

/// Names the library; `cargo xtask test` fetches it and says where it is.
const LIBRARY: &str = "PARLOUR_FAKETIME";
/// Names the file that says how far the clock is off, for who runs with one that jumps.
const OFFSET: &str = "FAKETIME_TIMESTAMP_FILE";

pub enum Clock {
    /// It is this machine's.
    True,
    /// It jumps as this file says.
    Jumps(PathBuf),
    /// The test has run in another process.
    Elsewhere(ExitStatus),
}

impl Clock {
    /// To be asked first: it is whole if what it says is.
    pub fn here() -> Clock {
        if let Some(offset) = std::env::var_os(OFFSET) {
            return Clock::Jumps(offset.into());
        }
        let Some(library) = std::env::var_os(LIBRARY) else {
            println!(
                "left out: clocks that jump, since {LIBRARY} names no libfaketime (`cargo xtask test` fetches it)"
            );
            return Clock::True;
        };
        let folder = tempfile::tempdir().expect("a folder");
        let offset = folder.path().join("offset");
        std::fs::write(&offset, "+0").expect("a file");
        let status = Command::new(std::env::current_exe().expect("a program"))
            .args(std::env::args_os().skip(1))
            .env(OFFSET, offset)
            .env("LD_PRELOAD", library)
            .envs([("FAKETIME_NO_CACHE", "1"), ("FAKETIME_DONT_FAKE_MONOTONIC", "1")])
            .status();
        Clock::Elsewhere(status.expect("it runs once more"))
    }

    pub fn may_jump(&self) -> bool {
        matches!(self, Clock::Jumps(_))
    }

    /// Sets it so many seconds before or after what it is.
    pub fn set(&self, seconds: i64) {
        let Clock::Jumps(offset) = self else { return };
        let before = SystemTime::now();
        // In one step: whoever reads it at the same time reads one or the other.
        let new = offset.with_extension("new");
        std::fs::write(&new, format!("{seconds:+}"))
            .and_then(|()| std::fs::rename(&new, offset))
            .expect("a file");
        let now = SystemTime::now();
        let jump = now.duration_since(before).unwrap_or_else(|back| back.duration());
        assert!(seconds == 0 || jump > Duration::from_secs(60), "the clock does not jump: {jump:?}");
    }
}
