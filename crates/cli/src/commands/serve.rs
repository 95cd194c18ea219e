//! `parlour serve`: the server.

use anyhow::{Context, Result, bail};
use clap::{CommandFactory, FromArgMatches};
use server::{Listeners, Settings, qr};
use std::ffi::OsString;
use std::io::Write;
use std::net::{IpAddr, SocketAddr, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tracing_subscriber::EnvFilter;

/// Open the parlour: serve the game tables and the web app.
///
/// Each setting can be given as a flag, as an environment variable, or in the configuration file, which is TOML with
/// the names of the flags as keys (`listen = "0.0.0.0:7420"`). A flag wins over a variable, a variable over the file.
#[derive(clap::Args)]
pub struct Args {
    /// Configuration file.
    #[arg(long, env = "PARLOUR_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// Form of the log on standard error.
    #[arg(long, env = "PARLOUR_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text)]
    log_format: LogFormat,
    /// What is logged: error, warn, info, debug, trace, or by part (`warn,server=debug`).
    #[arg(long, env = "PARLOUR_LOG", value_name = "FILTER", default_value = "info")]
    log: String,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum LogFormat {
    /// Lines for people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Serves until Ctrl-C or SIGTERM.
pub fn run(args: Args) -> Result<ExitCode> {
    let args = match &args.config {
        Some(file) => with_file(file, std::env::args_os())?,
        None => args,
    };
    let filter = EnvFilter::try_new(&args.log).with_context(|| format!("`{}` is no log filter", args.log))?;
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match args.log_format {
        LogFormat::Text => log.with_target(false).init(),
        LogFormat::Json => log.json().init(),
    }

    // One processor is left to the thread that commits and tells: with as many workers each would keep the others waiting.
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let mut workers = tokio::runtime::Builder::new_multi_thread();
    workers.worker_threads(processors.saturating_sub(1).max(1)).enable_all();
    workers.build()?.block_on(async {
        let listeners = server::listen(&args.settings).await?;
        let server = tokio::task::block_in_place(|| server::Server::open(args.settings.clone()))?;
        greet(&args.settings, &listeners)?;
        server.serve(listeners, told_to_stop()).await;
        Ok(ExitCode::SUCCESS)
    })
}

/// Reads the command line again, the file's values being the defaults.
fn with_file(file: &Path, line: impl IntoIterator<Item = OsString>) -> Result<Args> {
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let table: toml::Table = text.parse().with_context(|| format!("{} is not TOML", file.display()))?;
    let mut command = crate::Cli::command();
    for (key, value) in table {
        let serve = command.find_subcommand("serve").expect("this very command");
        let known = |arg: &&clap::Arg| arg.get_long() == Some(&key) && !["config", "help"].contains(&&*key);
        let Some(setting) = serve.get_arguments().find(known) else {
            bail!("{}: there is no setting `{key}`; `parlour serve --help` lists them", file.display());
        };
        let is_list = setting.get_value_delimiter().is_some();
        let values = match value {
            toml::Value::String(text) => vec![text],
            toml::Value::Integer(_) | toml::Value::Boolean(_) => vec![value.to_string()],
            toml::Value::Array(texts) if is_list => {
                let texts = texts.into_iter().map(|text| text.as_str().map(str::to_owned));
                let texts: Option<Vec<String>> = texts.collect();
                texts.with_context(|| format!("{}: `{key}` is a list of texts", file.display()))?
            }
            _ => bail!("{}: `{key}` takes a text, a number, true or false", file.display()),
        };
        let setting = setting.get_id().clone();
        command =
            command.mut_subcommand("serve", |serve| serve.mut_arg(setting, |arg| arg.default_values(values)));
    }
    let matches = command.try_get_matches_from(line).map_err(|error| {
        // The command line was read once already, so what is wrong stands in the file.
        let said = error.to_string();
        let said = said.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
        anyhow::anyhow!("{}: {said}", file.display())
    })?;
    Ok(Args::from_arg_matches(matches.subcommand_matches("serve").expect("this very command"))?)
}

/// Says where the parlour is open, all at once. It stays open whether or not somebody reads that: `parlour serve | head -1`.
fn greet(settings: &Settings, listeners: &Listeners) -> std::io::Result<()> {
    let address = listeners.local_addr()?;
    let here = if address.ip().is_unspecified() {
        SocketAddr::new(IpAddr::from([127, 0, 0, 1]), address.port())
    } else {
        address
    };
    let mut lines = vec![format!("Parlour is open at http://{here}")];
    let invite = match &settings.base_url {
        Some(url) => Some(url.to_string()),
        None if address.ip().is_unspecified() => {
            lan_address().map(|ip| format!("http://{}", SocketAddr::new(ip, address.port())))
        }
        None => None,
    };
    if let Some(url) = invite {
        lines.push(format!("For others: {url}"));
        lines.extend(qr::terminal(&url).map(|code| format!("\n{code}")));
    }
    lines.push(format!("Data is kept in {}", settings.data.display()));
    lines.extend(listeners.metrics_addr().map(|address| format!("Metrics are at http://{address}/metrics")));
    lines.push("Ctrl-C closes it.\n".to_owned());
    let _ = std::io::stdout().lock().write_all(lines.join("\n").as_bytes());
    Ok(())
}

/// This machine's address in its network: the one that it would use to reach others. Nothing is sent.
fn lan_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    // An address set aside for documentation (RFC 5737).
    socket.connect("192.0.2.1:9").ok()?;
    socket.local_addr().ok().map(|address| address.ip()).filter(|ip| !ip.is_unspecified())
}

/// Waits for Ctrl-C or SIGTERM; a second one ends the program at once.
async fn told_to_stop() {
    signal().await;
    eprintln!("Closing; the matches are kept. Ctrl-C again ends at once.");
    tokio::spawn(async {
        signal().await;
        std::process::exit(130);
    });
}

async fn signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut term = signal(SignalKind::terminate()).expect("the runtime has signals");
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = term.recv() => {}
        }
    }
    #[cfg(not(unix))]
    {
        let _ = tokio::signal::ctrl_c().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a file of this text beside a command line.
    fn read(text: &str, line: &[&str]) -> Result<Args> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("parlour.toml");
        std::fs::write(&path, text)?;
        with_file(&path, ["parlour", "serve"].iter().chain(line).map(OsString::from))
    }

    #[test]
    fn a_flag_wins_over_the_file_and_the_file_over_the_default() {
        let text =
            "listen = \"127.0.0.1:1234\"\npatience-seconds = 3\ntrust-proxy = true\nlog-format = \"json\"\n";
        let args = read(text, &["--patience-seconds", "5"]).expect("good");
        assert_eq!(args.settings.listen.port(), 1234);
        assert_eq!(args.settings.patience_seconds, 5);
        assert_eq!(args.settings.trust_proxy, server::TrustProxy::Near);
        assert!(matches!(args.log_format, LogFormat::Json));
        assert_eq!(args.settings.drain_seconds, Settings::default().drain_seconds);
    }

    /// The file that hosts of several machines copy, with all that stands in it as a remark, too.
    #[test]
    fn the_file_for_a_node_is_read() {
        let text = include_str!("../../../../packaging/cluster/node.toml");
        let is_setting = |line: &str| line.split_once(" = ").is_some_and(|(key, _)| !key.contains(' '));
        let open =
            |line: &'static str| line.strip_prefix("# ").filter(|line| is_setting(line)).unwrap_or(line);
        let whole: Vec<&str> = text.lines().map(open).collect();
        for text in [text, &whole.join("\n")] {
            let args = read(text, &["--node", "north"]).expect("good");
            let of = args.settings.cluster;
            assert_eq!(of.servers, ["nats://nats-1:4222", "nats://nats-2:4222", "nats://nats-3:4222"]);
            assert_eq!((of.node.as_deref(), of.user.as_str()), (Some("north"), "parlour"));
            let encrypted = text.contains("\ncluster-authority");
            assert_eq!(of.authority.is_some() && of.certificate.is_some() && of.key.is_some(), encrypted);
        }
        assert!(whole.iter().any(|line| line.starts_with("cluster-authority")), "{whole:?}");
        let few = read("cluster = \"nats://a:1,nats://b:2\"\ncluster-log-days = 3", &[]).expect("good");
        assert_eq!((few.settings.cluster.servers.len(), few.settings.cluster.log_days), (2, 3));
    }

    #[test]
    fn a_fault_in_the_file_is_named() {
        for (text, says) in [
            ("colour = 1", "there is no setting `colour`"),
            ("config = \"x\"", "there is no setting `config`"),
            ("listen = [1]", "`listen` takes a text"),
            ("cluster = [1]", "`cluster` is a list of texts"),
            ("listen =", "is not TOML"),
            ("listen = \"here\"", "invalid value 'here' for '--listen"),
            ("patience-seconds = 0", "'--patience-seconds"),
        ] {
            let error = format!("{:#}", read(text, &[]).err().expect("refused"));
            assert!(error.contains("parlour.toml") && error.contains(says), "{error}");
        }
    }
}
