//! `parlour verify`: checks a match record.

use record::{ENGINE, verify};
use std::path::PathBuf;
use std::process::ExitCode;

/// Replay match records and check every event, the cards and the fair deals; names the first line that is wrong.
///
/// Every input is judged again by the rules of this program, whatever program the record names. What was not judged is said,
/// and so is who had no part in the seeds of a deal. Names and a few other things that no replay can find out are listed
/// in docs/record.md.
#[derive(clap::Args)]
#[command(after_long_help = "\
Exit status:
  0  right: everything was judged and checked
  1  WRONG: a line is wrong
  2  unreadable: a file cannot be read
  3  not whole: nothing is wrong, but not everything could be judged (the match is not played to its end, a seed is not
     shown, the cards come from no seeds, an old record does not bind its header)
  4  DIFFERS: the record names another program as its judge, and this one decides differently; what follows was not judged

Of several files the gravest answer counts: 1, then 2, then 4, then 3.")]
pub struct Args {
    /// Match records (JSON lines).
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// Verifies the records in order.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    /// From what counts least to what counts most.
    const GRAVITY: [u8; 5] = [0, 3, 4, 2, 1];
    let mut worst = 0;
    for path in &args.files {
        let status = one(path);
        let gravity = |status| GRAVITY.iter().position(|other| *other == status);
        if gravity(status) > gravity(worst) {
            worst = status;
        }
    }
    Ok(ExitCode::from(worst))
}

/// Verifies one record, and says what came of it.
fn one(path: &std::path::Path) -> u8 {
    let file = path.display();
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(why) => {
            outln!("unreadable {file}: {why}");
            return 2;
        }
    };
    match verify::<rulebook::Match>(&text) {
        Err(wrong) => {
            outln!("WRONG {file}:{}: {}", wrong.line, wrong.text);
            1
        }
        Ok(verified) => match (&verified.differs, verified.open()) {
            (None, open) if open.is_empty() => {
                outln!("ok {file}: {verified}");
                0
            }
            (None, open) => {
                outln!("not whole {file}: {verified}. Not verified: {}", open.join("; "));
                3
            }
            (Some(differs), open) => {
                outln!(
                    "DIFFERS {file}:{}: {}. The record names {} as its judge; this is {ENGINE}. Either the rules have \
                     changed since, or the record was changed. Before that: {verified}. Not verified: {}",
                    differs.line,
                    differs.text,
                    verified.engines.join(" and "),
                    open.join("; ")
                );
                4
            }
        },
    }
}
