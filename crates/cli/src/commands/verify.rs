//! `parlour verify`: checks a match record.

use record::replay;
use std::path::PathBuf;
use std::process::ExitCode;

/// Replay match records and check every event, the cards and the fair-deal commitments; names the first line that is wrong.
///
/// Exit status 0 if all are right, 1 if one is wrong, 2 if a file cannot be read.
#[derive(clap::Args)]
pub struct Args {
    /// Match records (JSON lines).
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// Verifies the records in order.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let mut worst = 0;
    for path in &args.files {
        let file = path.display();
        match std::fs::read_to_string(path) {
            Err(why) => {
                outln!("unreadable {file}: {why}");
                worst = 2;
            }
            Ok(text) => match replay::verify::<rulebook::Match>(&text) {
                Ok(verified) => outln!("ok {file}: {verified}"),
                Err(wrong) => {
                    outln!("WRONG {file}:{}: {}", wrong.line, wrong.text);
                    worst = worst.max(1);
                }
            },
        }
    }
    Ok(ExitCode::from(worst))
}
