//! `parlour backup`: a copy of the data while the server runs.

use anyhow::{Context, Result};
use std::path::PathBuf;
use std::process::ExitCode;

/// Copy the parlour's data to the folder DEST, also while the server is running.
///
/// The copy is as the data was at one moment. To go back to it, stop the server and start it with `--data DEST`.
#[derive(clap::Args)]
pub struct Args {
    /// Folder to write the copy to; it is made if it is missing, for its owner only. Files of an earlier copy are not
    /// overwritten.
    pub dest: PathBuf,
    /// The data folder of the server.
    #[arg(long, env = "PARLOUR_DATA", value_name = "DIR", default_value_os_t = server::default_data())]
    pub data: PathBuf,
}

/// Makes the copy.
pub fn run(args: Args) -> Result<ExitCode> {
    store::private_folder(&args.dest)
        .with_context(|| format!("cannot make the folder {}", args.dest.display()))?;
    store::backup(&args.data, &args.dest.join(store::DATABASE))?;
    server::copy_key(&args.data, &args.dest)
        .with_context(|| format!("cannot copy the key to {}", args.dest.display()))?;
    outln!("The data of {} was copied to {}.", args.data.display(), args.dest.display());
    Ok(ExitCode::SUCCESS)
}
