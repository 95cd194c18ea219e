//! Everything that can be set. One definition gives the flags of `parlour serve`, their help, the environment variables
//! and the keys of the configuration file.

use crate::address::TrustProxy;
use clap::{Args, FromArgMatches};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

/// Settings of a server.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// Address and port to listen on; 0.0.0.0:7420 lets phones and other machines of the house join.
    #[arg(long, env = "PARLOUR_LISTEN", value_name = "ADDR:PORT", default_value = "127.0.0.1:7420")]
    pub listen: SocketAddr,
    /// Address and port for /metrics, which Prometheus reads, and for a /healthz that says what is wrong; without it there are
    /// no metrics. Whoever reaches it sees how many come and play: keep it to yourself.
    #[arg(long, env = "PARLOUR_METRICS_LISTEN", value_name = "ADDR:PORT")]
    pub metrics_listen: Option<SocketAddr>,
    /// Folder for the data: matches, guests, and the key that signs their cookies.
    #[arg(long, env = "PARLOUR_DATA", value_name = "DIR", default_value_os_t = default_data())]
    pub data: PathBuf,
    /// Address under which others reach this server, such as https://cards.example; needed where that is neither this
    /// machine nor an address of a private network. With https, cookies are sent over https only.
    #[arg(long, env = "PARLOUR_BASE_URL", value_name = "URL")]
    pub base_url: Option<BaseUrl>,
    /// Believe what a proxy on this machine or in a private network says in X-Forwarded-For; limits then count for the
    /// address that it names. Only behind a proxy that sets it. Proxies elsewhere, or one before the other, are listed.
    #[arg(
        long,
        env = "PARLOUR_TRUST_PROXY",
        value_name = "ADDR,...",
        num_args = 0..=1,
        require_equals = true,
        default_value = "false",
        default_missing_value = "true",
        hide_default_value = true
    )]
    pub trust_proxy: TrustProxy,
    /// Serve the web app from this folder instead of the one in the program, for those who work on it.
    #[arg(long, env = "PARLOUR_WEB_DIR", value_name = "DIR")]
    pub web_dir: Option<PathBuf>,
    /// How long bots take over a move, in percent of what a person would: 0 for as fast as they can.
    #[arg(long, env = "PARLOUR_BOT_PACE", value_name = "PERCENT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub bot_pace: u32,

    /// Whether this server is one of several machines.
    #[command(flatten)]
    pub cluster: ClusterSettings,

    /// Most connections at once.
    #[arg(
        long,
        env = "PARLOUR_MAX_CONNECTIONS",
        value_name = "N",
        default_value_t = 20_000,
        help_heading = "Limits"
    )]
    pub max_connections: usize,
    /// Most connections at once from one address.
    #[arg(
        long,
        env = "PARLOUR_MAX_CONNECTIONS_PER_ADDRESS",
        value_name = "N",
        default_value_t = 200,
        help_heading = "Limits"
    )]
    pub max_connections_per_address: usize,
    /// Requests a second from one address, of those that change something or take work to answer; ten times as many may
    /// come at once. Twice as many in all, forty times at once, and half as many sockets, five times at once.
    #[arg(
        long,
        env = "PARLOUR_REQUESTS_PER_SECOND",
        value_name = "N",
        default_value_t = 10,
        help_heading = "Limits"
    )]
    pub requests_per_second: u32,
    /// Messages a second on one socket; four times as many may come at once, and more are refused. Ten times as many on all
    /// sockets of an address. Pings, fragments and bytes are bounded in proportion.
    #[arg(
        long,
        env = "PARLOUR_MESSAGES_PER_SECOND",
        value_name = "N",
        default_value_t = 20,
        help_heading = "Limits"
    )]
    pub messages_per_second: u32,
    /// Milliseconds of processor time a second for what one address says on sockets; ten times as much at once.
    #[arg(
        long,
        env = "PARLOUR_PROCESSOR_MS_PER_SECOND",
        value_name = "MS",
        default_value_t = 100,
        help_heading = "Limits"
    )]
    pub processor_ms_per_second: u32,
    /// Refused messages (too many, malformed) after which a socket is closed.
    #[arg(
        long,
        env = "PARLOUR_MAX_STRIKES",
        value_name = "N",
        default_value_t = 100,
        help_heading = "Limits"
    )]
    pub max_strikes: u32,
    /// Largest message on a socket, in bytes.
    #[arg(long, env = "PARLOUR_MAX_MESSAGE_BYTES", value_name = "BYTES", default_value_t = 16 * 1024, help_heading = "Limits")]
    pub max_message_bytes: usize,
    /// Largest body of a request, in bytes; rule files come this way.
    #[arg(long, env = "PARLOUR_MAX_BODY_BYTES", value_name = "BYTES", default_value_t = 64 * 1024, help_heading = "Limits")]
    pub max_body_bytes: usize,
    /// Most tables in memory at once: those where somebody is, or was a short while ago. When it is full whoever comes is
    /// turned away; nobody loses a table for that.
    #[arg(
        long,
        env = "PARLOUR_MAX_TABLES",
        value_name = "N",
        default_value_t = 10_000,
        help_heading = "Limits"
    )]
    pub max_tables: usize,
    /// Most tables kept at once, with those that are asleep on the disk.
    #[arg(
        long,
        env = "PARLOUR_MAX_KEPT_TABLES",
        value_name = "N",
        default_value_t = 100_000,
        help_heading = "Limits"
    )]
    pub max_kept_tables: usize,
    /// Most tables at once that one guest has opened and where the match is not over.
    #[arg(
        long,
        env = "PARLOUR_MAX_TABLES_PER_GUEST",
        value_name = "N",
        default_value_t = 10,
        help_heading = "Limits"
    )]
    pub max_tables_per_guest: usize,
    /// Most sockets at one table whose people have no seat; a quarter of them from one address.
    #[arg(
        long,
        env = "PARLOUR_MAX_WATCHERS_PER_TABLE",
        value_name = "N",
        default_value_t = 100,
        help_heading = "Limits"
    )]
    pub max_watchers_per_table: usize,
    /// Most tables at once that were opened from one address, since the server started, and where the match is not over.
    #[arg(
        long,
        env = "PARLOUR_MAX_TABLES_PER_ADDRESS",
        value_name = "N",
        default_value_t = 300,
        help_heading = "Limits"
    )]
    pub max_tables_per_address: usize,
    /// Seconds after which a table where nobody is connected is put to sleep on the disk. A visit wakes it.
    #[arg(
        long,
        env = "PARLOUR_SLEEP_AFTER_SECONDS",
        value_name = "S",
        default_value_t = 300,
        help_heading = "Limits"
    )]
    pub sleep_after_seconds: u64,
    /// Hours after which a table is closed where nothing is played and nobody has been.
    #[arg(
        long,
        env = "PARLOUR_IDLE_TABLE_HOURS",
        value_name = "H",
        default_value_t = 48,
        help_heading = "Limits"
    )]
    pub idle_table_hours: u64,
    /// Days after which a match that nobody has come back to is ended without a result; 0 for never. Its record stays.
    #[arg(
        long,
        env = "PARLOUR_ABANDONED_MATCH_DAYS",
        value_name = "DAYS",
        default_value_t = 90,
        help_heading = "Limits"
    )]
    pub abandoned_match_days: u64,
    /// Days after which a guest is forgotten who has no seat, no game and no try; 0 for never.
    #[arg(
        long,
        env = "PARLOUR_UNUSED_GUEST_DAYS",
        value_name = "DAYS",
        default_value_t = 30,
        help_heading = "Limits"
    )]
    pub unused_guest_days: u64,
    /// Most guests kept who have no seat, no game and no try; of more, the oldest are forgotten first.
    #[arg(
        long,
        env = "PARLOUR_MAX_UNUSED_GUESTS",
        value_name = "N",
        default_value_t = 100_000,
        help_heading = "Limits"
    )]
    pub max_unused_guests: u64,
    /// Days after which a match is deleted that only bots or forgotten guests played, or that was broken off for good; 0
    /// for never. What somebody played to its end is kept for as long as they are.
    #[arg(
        long,
        env = "PARLOUR_UNPLAYED_MATCH_DAYS",
        value_name = "DAYS",
        default_value_t = 30,
        help_heading = "Limits"
    )]
    pub unplayed_match_days: u64,
    /// Seconds for which a request may keep the server waiting, or an answer or a message that is not taken; up to twice
    /// as long where at least a KiB a second arrives or is taken.
    #[arg(long, env = "PARLOUR_PATIENCE_SECONDS", value_name = "S", default_value_t = 15, value_parser = clap::value_parser!(u64).range(1..=300), help_heading = "Limits")]
    pub patience_seconds: u64,
    /// Seconds that open connections get to end when the server is told to stop.
    #[arg(long, env = "PARLOUR_DRAIN_SECONDS", value_name = "S", default_value_t = 10, value_parser = clap::value_parser!(u64).range(0..=300), help_heading = "Limits")]
    pub drain_seconds: u64,
}

/// How a server is one of several machines, if it is.
#[derive(Args, Clone, Debug)]
pub struct ClusterSettings {
    /// Be one of several machines that share all tables: where the servers of NATS are that keep their common log, as
    /// nats://a:4222,nats://b:4222,nats://c:4222. See docs/cluster.md.
    #[arg(
        long = "cluster",
        env = "PARLOUR_CLUSTER",
        value_name = "URL,...",
        value_delimiter = ',',
        help_heading = "Several machines"
    )]
    pub servers: Vec<String>,
    /// A file with the certificates (PEM) of who signs those of the servers of NATS: lines to them are then encrypted, and
    /// others are not spoken to. With addresses as tls://a:4222 they are, too, by the authorities that this machine trusts.
    #[arg(
        long = "cluster-authority",
        env = "PARLOUR_CLUSTER_AUTHORITY",
        value_name = "FILE",
        help_heading = "Several machines"
    )]
    pub authority: Option<PathBuf>,
    /// A file with a certificate of this machine's own (PEM), for servers of NATS that ask for one.
    #[arg(
        long = "cluster-certificate",
        env = "PARLOUR_CLUSTER_CERTIFICATE",
        value_name = "FILE",
        help_heading = "Several machines"
    )]
    pub certificate: Option<PathBuf>,
    /// The file with its key (PEM).
    #[arg(
        long = "cluster-key",
        env = "PARLOUR_CLUSTER_KEY",
        value_name = "FILE",
        help_heading = "Several machines"
    )]
    pub key: Option<PathBuf>,
    /// What this machine is called among them: small letters, digits and hyphens, and the same at each start.
    #[arg(long, env = "PARLOUR_NODE", value_name = "NAME", help_heading = "Several machines")]
    pub node: Option<String>,
    /// Days for which the common log is kept; 0 for ever. A node that was away for longer, or is new, is started on a copy of
    /// another node's folder. What somebody wrote who is forgotten is in the log for so long.
    #[arg(
        long = "cluster-log-days",
        env = "PARLOUR_CLUSTER_LOG_DAYS",
        value_name = "DAYS",
        default_value_t = 7,
        help_heading = "Several machines"
    )]
    pub log_days: u64,
    /// Name by which NATS knows the parlour.
    #[arg(
        long = "cluster-user",
        env = "PARLOUR_CLUSTER_USER",
        value_name = "NAME",
        default_value = "parlour",
        help_heading = "Several machines"
    )]
    pub user: String,
    /// Its password. On the command line others of this machine can read it: better in the environment or the
    /// configuration file.
    #[arg(
        long = "cluster-password",
        env = "PARLOUR_CLUSTER_PASSWORD",
        value_name = "PASSWORD",
        hide_env_values = true,
        help_heading = "Several machines"
    )]
    pub password: Option<String>,
    /// Name of a user of NATS's system account, who is asked at the start how its servers store.
    #[arg(
        long = "cluster-system-user",
        env = "PARLOUR_CLUSTER_SYSTEM_USER",
        value_name = "NAME",
        default_value = "system",
        help_heading = "Several machines"
    )]
    pub system_user: String,
    /// Their password.
    #[arg(
        long = "cluster-system-password",
        env = "PARLOUR_CLUSTER_SYSTEM_PASSWORD",
        value_name = "PASSWORD",
        hide_env_values = true,
        help_heading = "Several machines"
    )]
    pub system_password: Option<String>,
}

impl Default for Settings {
    /// What holds where nothing was set; the environment does not count here.
    fn default() -> Self {
        let command =
            Settings::augment_args(clap::Command::new("parlour")).mut_args(|arg| arg.env(None::<&str>));
        let matches = command.get_matches_from(["parlour"]);
        Settings::from_arg_matches(&matches).expect("every setting has a default")
    }
}

/// A data folder of this user's own, by the custom of the system; where there is none, `parlour-data` here.
#[must_use]
pub fn default_data() -> PathBuf {
    directories::ProjectDirs::from("", "", "parlour")
        .map_or_else(|| "parlour-data".into(), |dirs| dirs.data_dir().into())
}

/// An http or https address without path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl {
    secure: bool,
    /// Lower case, with the port if it is not the usual one.
    host: String,
}

impl BaseUrl {
    /// Whether it is https.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        self.secure
    }

    /// Whether a `Host` header names this address.
    #[must_use]
    pub fn is_host(&self, host: &str) -> bool {
        usual(&host.to_ascii_lowercase(), self.secure) == self.host
    }

    /// Whether an `Origin` header names this address.
    #[must_use]
    pub fn is_origin(&self, origin: &str) -> bool {
        origin.parse() == Ok(self.clone())
    }
}

/// Without the port that goes without saying.
fn usual(host: &str, secure: bool) -> &str {
    host.strip_suffix(if secure { ":443" } else { ":80" }).unwrap_or(host)
}

impl std::fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}://{}", if self.secure { "https" } else { "http" }, self.host)
    }
}

impl FromStr for BaseUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<BaseUrl, String> {
        let (secure, rest) = match (text.strip_prefix("http://"), text.strip_prefix("https://")) {
            (Some(rest), _) => (false, rest),
            (_, Some(rest)) => (true, rest),
            _ => return Err("it begins with neither http:// nor https://".into()),
        };
        let host = rest.strip_suffix('/').unwrap_or(rest);
        if host.is_empty() || host.contains(['/', '?', '#', '@', ' ']) {
            return Err(
                "it must be just a scheme, a host and perhaps a port: Parlour cannot live under a path"
                    .into(),
            );
        }
        if let Ok(uri) = host.parse::<axum::http::uri::Authority>() {
            let host = uri.as_str().to_ascii_lowercase();
            return Ok(BaseUrl { secure, host: usual(&host, secure).to_owned() });
        }
        Err(format!("`{host}` is no host name"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_url_has_no_path() {
        for (text, shown) in [
            ("http://cards.example:7420", "http://cards.example:7420"),
            ("https://Cards.Example/", "https://cards.example"),
            ("https://cards.example:443", "https://cards.example"),
            ("http://[fd00::1]:7420", "http://[fd00::1]:7420"),
        ] {
            assert_eq!(text.parse::<BaseUrl>().map(|url| url.to_string()), Ok(shown.to_owned()), "{text}");
        }
        for text in [
            "cards.example",
            "ftp://cards.example",
            "https://cards.example/parlour",
            "https://",
            "http://a b",
        ] {
            assert!(text.parse::<BaseUrl>().is_err(), "{text}");
        }
    }

    #[test]
    fn everything_has_a_default_and_can_be_set_three_ways() {
        assert_eq!(Settings::default().listen.port(), 7420);
        let command = Settings::augment_args(clap::Command::new("parlour"));
        for arg in command.get_arguments().filter(|arg| arg.get_long().is_some()) {
            let name =
                format!("PARLOUR_{}", arg.get_long().expect("checked").replace('-', "_").to_uppercase());
            assert_eq!(
                arg.get_env().and_then(|env| env.to_str()),
                Some(&*name),
                "the variable is named as the flag"
            );
            assert!(arg.get_help().is_some(), "{name} says what it does");
        }
    }
}
