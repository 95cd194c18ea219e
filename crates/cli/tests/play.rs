//! `parlour play` as it is started, in a real terminal.
#![cfg(target_os = "linux")]

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// The program in a terminal of 100 columns and 30 rows (`script` makes one).
struct InTerminal {
    child: Child,
    written: Receiver<Vec<u8>>,
    seen: String,
}

impl InTerminal {
    fn start(arguments: &str, data: &Path) -> InTerminal {
        let program = env!("CARGO_BIN_EXE_parlour");
        let line =
            format!("stty cols 100 rows 30; exec '{program}' play {arguments} --data '{}'", data.display());
        let mut child = Command::new("script")
            .args(["--quiet", "--return", "--command", &line, "/dev/null"])
            .env("TERM", "xterm-256color")
            .env("LANG", "C.UTF-8")
            .env_remove("LC_ALL")
            .env_remove("LANGUAGE")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("`script` makes a terminal: it is in the package bsdutils, or util-linux");
        let mut out = child.stdout.take().expect("piped");
        let (tell, written) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count) = out.read(&mut bytes) {
                if count == 0 || tell.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        InTerminal { child, written, seen: String::new() }
    }

    fn press(&mut self, keys: &str) {
        let stdin = self.child.stdin.as_mut().expect("piped");
        stdin.write_all(keys.as_bytes()).and_then(|()| stdin.flush()).expect("it reads");
    }

    /// Waits until this was written to the terminal, since it was last waited for something.
    #[track_caller]
    fn until(&mut self, what: &str) {
        let end = Instant::now() + Duration::from_secs(60);
        while !self.seen.contains(what) {
            match self.written.recv_timeout(Duration::from_millis(100)) {
                Ok(bytes) => self.seen += &String::from_utf8_lossy(&bytes),
                Err(_) => assert!(Instant::now() < end, "never: {what}\n{:?}", self.seen),
            }
        }
        self.seen.clear();
    }

    /// Waits for its end: the exit status.
    fn end(mut self) -> i32 {
        let end = Instant::now() + Duration::from_secs(60);
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status.code().unwrap_or(-1);
            }
            assert!(Instant::now() < end, "it does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for InTerminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_match_that_was_left_goes_on_where_it_was() {
    let data = tempfile::tempdir().expect("a folder");
    let mut terminal = InTerminal::start("contract --name Ann --pace 0", data.path());
    terminal.until("Round 1 of 7");
    // Another one must not write to the same folder.
    let taken = InTerminal::start("set-classic", data.path());
    assert_eq!(taken.end(), 2);
    terminal.press("q");
    terminal.until("The match is kept");
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
    let mut again = InTerminal::start("", data.path());
    again.until("Go on: Contract Rummy");
    again.press("\r");
    again.until("Ann (you)");
    // Ctrl-C leaves at once.
    again.press("\x03");
    assert_eq!(again.end(), 0);
}

#[test]
fn what_cannot_be_played_is_told_before_the_terminal_is_touched() {
    let check = |arguments: &str, part: &str| {
        let data = tempfile::tempdir().expect("a folder");
        let mut terminal = InTerminal::start(arguments, data.path());
        terminal.until(part);
        assert_eq!(terminal.end(), 2, "{arguments}");
    };
    check("no-such-game", "no-such-game");
    check("contract --seats 9", "--seats 9: Contract Rummy is for 3 to 5");
    check("contract --bot genius", "`genius` is no bot for this game");
    check("contract --option deal=0", "deal");
    check("http://", "is no address of a parlour");
    check("http://127.0.0.1:1/table/abc", "cannot be reached");
    check("--at http://127.0.0.1:1", "say which game");
}

#[test]
fn without_a_terminal_it_says_so() {
    let told =
        Command::new(env!("CARGO_BIN_EXE_parlour")).args(["play", "contract"]).output().expect("it runs");
    assert_eq!(told.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&told.stderr).contains("needs a terminal"), "{told:?}");
}

#[test]
fn told_to_end_it_gives_the_terminal_back() {
    let data = tempfile::tempdir().expect("a folder");
    let mut terminal = InTerminal::start("contract --pace 0", data.path());
    terminal.until("Round 1 of 7");
    // `script` runs a shell, which the program has taken the place of.
    let own = terminal.child.id();
    let children = std::fs::read_to_string(format!("/proc/{own}/task/{own}/children")).expect("a child");
    let ended = Command::new("kill").arg("-TERM").arg(children.trim()).status().expect("kill");
    assert!(ended.success());
    // The other screen is left.
    terminal.until("\x1b[?1049l");
    assert_eq!(terminal.end(), 128 + 15);
}
