//! `parlour cluster`: what is done once about several machines.

use anyhow::Result;
use clap::Subcommand;
use server::{ClusterSettings, Imported};
use std::path::PathBuf;
use std::process::ExitCode;

/// Go from one machine to several that share all tables. See docs/cluster.md.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Import(Import),
}

/// Bring the games of a server that was on its own into the log of a cluster that has none yet.
///
/// The server must be stopped; its folder stays as it is. Then start the nodes, each on a folder of its own to which the file
/// `cookie.key` of the old one was copied.
#[derive(clap::Args)]
struct Import {
    /// The data folder of the server.
    #[arg(long, env = "PARLOUR_DATA", value_name = "DIR", default_value_os_t = server::default_data())]
    data: PathBuf,
    #[command(flatten)]
    cluster: ClusterSettings,
}

/// Does it.
pub fn run(args: Args) -> Result<ExitCode> {
    let What::Import(Import { data, cluster }) = args.what;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let brought = runtime
        .block_on(async { tokio::task::spawn_blocking(move || server::import(&cluster, &data)).await })?;
    let Imported { changes, bytes } = brought?;
    outln!(
        "{changes} changes ({} KB) of guests, tables and matches are in the log of the cluster.",
        bytes.div_ceil(1024)
    );
    Ok(ExitCode::SUCCESS)
}
