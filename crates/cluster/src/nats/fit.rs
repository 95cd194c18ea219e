//! Whether the engine keeps what it says it has appended: asked before anything is entrusted to it.

use super::{MOST_ANSWER, PATIENCE, Problem, code, read};
use crate::message::MOST_MESSAGE;
use async_nats::{Client, Request};
use futures_util::StreamExt as _;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;

/// The oldest version of nats-server that is known to keep one history: the tests of this crate run against it. Clustered,
/// 2.9.10 acknowledged two appends on one condition.
pub const OLDEST: [u64; 3] = [2, 15, 1];
/// On how many servers each message is; two of them must have it before it counts.
pub const REPLICAS: usize = 3;
/// Bytes of headers that a message may have beside itself.
const HEADERS: usize = 1024;

/// Why the engine cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// No server lets us in.
    #[error(
        "NATS cannot be reached at {servers} as `{user}`: {why}. Is it running, and are name and password right?"
    )]
    Unreachable {
        /// Where.
        servers: String,
        /// As whom.
        user: String,
        /// Why not.
        why: String,
    },
    /// A certificate or a key cannot be read.
    #[error("{file} cannot be read, which is needed for encrypted lines to NATS: {why}")]
    File {
        /// Its path.
        file: String,
        /// Why not.
        why: String,
    },
    /// Nobody says how the servers store.
    #[error("the servers of NATS do not say how they store: is `{0}` a user of the system account ($SYS)?")]
    Silent(String),
    /// Too few servers.
    #[error(
        "{found} of {of} servers of NATS answer, and the log needs {needed} at the start: start the others"
    )]
    Few {
        /// How many answered.
        found: usize,
        /// How many the cluster has, as far as they know.
        of: usize,
        /// How many must.
        needed: usize,
    },
    /// A server that may break its word.
    #[error(
        "the NATS server `{name}` has version {version}; older ones than {}.{}.{} have kept two histories of one log: upgrade it",
        OLDEST[0], OLDEST[1], OLDEST[2]
    )]
    Old {
        /// Its name.
        name: String,
        /// Its version.
        version: String,
    },
    /// A server that keeps no log.
    #[error("JetStream is off on the NATS server `{0}`: write `jetstream {{ … }}` into its configuration")]
    NoJetStream(String),
    /// A server that acknowledges before the disk has it.
    #[error(
        "the NATS server `{0}` does not wait for its disk and would lose moves when the power fails: write `jetstream {{ sync_interval: always }}` into its configuration"
    )]
    NotSynced(String),
    /// Messages do not fit.
    #[error("NATS takes messages of {0} bytes, and the log needs {needed}: raise `max_payload` on its servers", needed = MOST_MESSAGE + HEADERS)]
    Payload(usize),
    /// They have not found each other, or elect who leads.
    #[error("the servers of NATS are not ready: {0}. Wait some seconds, then start again")]
    NotReady(String),
    /// A stream that does not keep the log.
    #[error("the stream `{name}` does not keep the log: {why}. Has somebody changed it?")]
    Stream {
        /// Its name.
        name: String,
        /// What is wrong.
        why: String,
    },
}

/// A server of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// What was found out of the engine's servers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Servers {
    /// Those that answered: they are fit.
    pub fit: Vec<Server>,
    /// How many did not answer. How they store is not known.
    pub silent: usize,
}

/// What a server says of itself.
#[derive(Clone, Deserialize)]
struct Told {
    server: ToldServer,
    #[serde(default)]
    data: ToldStorage,
}

#[derive(Clone, Deserialize)]
struct ToldServer {
    id: String,
    name: String,
    ver: String,
}

#[derive(Clone, Default, Deserialize)]
struct ToldStorage {
    config: Option<ToldConfig>,
    meta_cluster: Option<ToldCluster>,
    #[serde(default)]
    disabled: bool,
}

#[derive(Clone, Deserialize)]
struct ToldConfig {
    #[serde(default)]
    sync_always: bool,
}

#[derive(Clone, Deserialize)]
struct ToldCluster {
    #[serde(default)]
    cluster_size: usize,
}

/// Whether a version is as new as [`OLDEST`]. `2.15.1-RC.1` is older than `2.15.1`; what cannot be read is too old.
fn new_enough(version: &str) -> bool {
    let (numbers, preview) = version.split_once('-').map_or((version, false), |(numbers, _)| (numbers, true));
    let numbers: Option<Vec<u64>> = numbers.split('.').map(|part| part.parse().ok()).collect();
    let Some(numbers) = numbers.and_then(|numbers| <[u64; 3]>::try_from(numbers).ok()) else { return false };
    numbers > OLDEST || numbers == OLDEST && !preview
}

fn judge(told: &Told) -> Result<Server, Unfit> {
    let name = told.server.name.clone();
    match &told.data.config {
        _ if !new_enough(&told.server.ver) => Err(Unfit::Old { name, version: told.server.ver.clone() }),
        Some(config) if !told.data.disabled && !config.sync_always => Err(Unfit::NotSynced(name)),
        Some(_) if !told.data.disabled => Ok(Server { name, version: told.server.ver.clone() }),
        _ => Err(Unfit::NoJetStream(name)),
    }
}

/// Asks all servers, as the system account, how they store.
pub(super) async fn servers(system: &Client, user: &str) -> Result<Servers, Unfit> {
    let silent = || Unfit::Silent(user.to_owned());
    let inbox = system.new_inbox();
    let mut answers = system.subscribe(inbox.clone()).await.map_err(|_| silent())?;
    let asked = system.publish_with_reply("$SYS.REQ.SERVER.PING.JSZ", inbox, "{}".into()).await;
    asked.map_err(|_| silent())?;
    // Nobody says how many will answer before one has.
    let mut told: BTreeMap<String, Told> = BTreeMap::new();
    let until = tokio::time::Instant::now() + PATIENCE;
    while let Ok(Some(answer)) = tokio::time::timeout_at(until, answers.next()).await {
        if answer.status.is_some() {
            break;
        }
        if let Some(one) = read::<Told>(&answer.payload) {
            told.insert(one.server.id.clone(), one);
        }
        if told.len() >= size(&told).max(REPLICAS) {
            break;
        }
    }
    if told.is_empty() {
        return Err(silent());
    }
    let fit: Vec<Server> = told.values().map(judge).collect::<Result<_, _>>()?;
    let of = size(&told);
    let needed = if of < REPLICAS { REPLICAS } else { of / 2 + 1 };
    if fit.len() < needed {
        return Err(Unfit::Few { found: fit.len(), of, needed });
    }
    Ok(Servers { silent: of - fit.len(), fit })
}

/// How many servers keep the log, as far as they know.
fn size(told: &BTreeMap<String, Told>) -> usize {
    let known = told.values().filter_map(|one| one.data.meta_cluster.as_ref());
    known.map(|cluster| cluster.cluster_size).max().unwrap_or(0).max(told.len())
}

pub(super) fn payload(most: usize) -> Result<(), Unfit> {
    if most < MOST_MESSAGE + HEADERS { Err(Unfit::Payload(most)) } else { Ok(()) }
}

#[derive(Deserialize)]
struct StreamAnswer {
    error: Option<Problem>,
    config: Option<Config>,
}

/// What of a stream's configuration decides whether it keeps the log.
#[derive(Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(default)]
struct Config {
    subjects: Vec<String>,
    retention: String,
    storage: String,
    discard: String,
    num_replicas: usize,
    max_msgs: i64,
    max_bytes: i64,
    max_msgs_per_subject: i64,
    max_msg_size: i64,
    max_age: i64,
    deny_delete: bool,
    allow_direct: bool,
    allow_rollup_hdrs: bool,
    allow_msg_ttl: bool,
    sealed: bool,
    no_ack: bool,
    persist_mode: Option<String>,
    mirror: Option<serde_json::Value>,
    sources: Option<serde_json::Value>,
}

/// What is wrong with how a stream is kept.
fn wrong(config: &Config, subjects: &str) -> Option<String> {
    let endless = |limit: i64| limit <= 0;
    let checks = [
        (config.subjects == [subjects], format!("it must take `{subjects}` and nothing else")),
        (config.storage == "file", "it must be on disks (storage: file)".to_owned()),
        (
            config.persist_mode.as_deref().is_none_or(|mode| mode.is_empty() || mode == "default"),
            "it must wait for the disk (persist_mode: default)".to_owned(),
        ),
        (config.num_replicas >= REPLICAS, format!("it must be on {REPLICAS} servers (num_replicas)")),
        (
            config.retention == "limits"
                && config.max_age == 0
                && [config.max_msgs, config.max_bytes, config.max_msgs_per_subject].into_iter().all(endless),
            "it must keep everything (retention: limits, without any limit)".to_owned(),
        ),
        (config.discard == "new", "it must not drop what is old (discard: new)".to_owned()),
        (
            config.max_msg_size <= 0
                || usize::try_from(config.max_msg_size).is_ok_and(|most| most >= MOST_MESSAGE + HEADERS),
            format!("it must take messages of {MOST_MESSAGE} bytes (max_msg_size)"),
        ),
        (
            config.deny_delete && !config.allow_rollup_hdrs && !config.allow_msg_ttl,
            "nobody may delete single messages (deny_delete, no rollup, no ttl)".to_owned(),
        ),
        (config.allow_direct, "it must be readable on every server (allow_direct)".to_owned()),
        (
            !config.sealed && !config.no_ack && config.mirror.is_none() && config.sources.is_none(),
            "it must be open, acknowledge, and be no copy of another (sealed, no_ack, mirror, sources)"
                .to_owned(),
        ),
    ];
    checks.into_iter().find(|(right, _)| !right).map(|(_, why)| why)
}

/// Makes sure that a stream is there and keeps the log; makes it if it is not there.
pub(super) async fn stream(client: &Client, name: &str, subjects: &str) -> Result<(), Unfit> {
    let unfit = |why: String| Unfit::Stream { name: name.to_owned(), why };
    let found = ask(client, "INFO", name, String::new()).await?;
    let missing = found.error.as_ref().is_some_and(|problem| problem.err_code == Some(code::NO_STREAM));
    let found = if missing {
        let config = json!({
            "name": name,
            "subjects": [subjects],
            "retention": "limits",
            "storage": "file",
            "discard": "new",
            "num_replicas": REPLICAS,
            "deny_delete": true,
            "allow_direct": true,
        });
        ask(client, "CREATE", name, config.to_string()).await?
    } else {
        found
    };
    match (found.config, found.error) {
        (Some(config), None) => wrong(&config, subjects).map_or(Ok(()), |why| Err(unfit(why))),
        (_, Some(problem)) => Err(unfit(problem.description.unwrap_or_default())),
        (None, None) => Err(unfit("nothing is said of it".to_owned())),
    }
}

/// Asks once more while servers elect a leader.
async fn ask(client: &Client, what: &str, stream: &str, body: String) -> Result<StreamAnswer, Unfit> {
    let subject = format!("$JS.API.STREAM.{what}.{stream}");
    let mut why = String::new();
    for _ in 0..5 {
        let request = Request::new().payload(body.clone().into()).timeout(Some(PATIENCE * 2));
        match client.send_request(subject.clone(), request).await {
            Ok(answer) => {
                let too_long = || Unfit::Stream {
                    name: stream.to_owned(),
                    why: format!("the answer has more than {MOST_ANSWER} bytes, or cannot be read"),
                };
                let answer: StreamAnswer = read(&answer.payload).ok_or_else(too_long)?;
                match &answer.error {
                    Some(problem) if problem.err_code == Some(code::NOT_READY) => {
                        why = problem.description.clone().unwrap_or_default();
                    }
                    _ => return Ok(answer),
                }
            }
            Err(e) => why = e.to_string(),
        }
        tokio::time::sleep(PATIENCE / 8).await;
    }
    Err(Unfit::NotReady(why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_server_and_one_that_does_not_wait_for_its_disk_are_refused() {
        let told = |ver: &str, config: &str| {
            let text = format!(r#"{{"server":{{"id":"A","name":"n","ver":"{ver}"}},"data":{{{config}}}}}"#);
            judge(&read::<Told>(text.as_bytes()).expect("an answer"))
        };
        let (always, never) = (r#""config":{"sync_always":true}"#, r#""config":{"sync_interval":120}"#);
        for version in ["2.15.1", "2.15.2", "2.16.0-RC.1", "3.0.0"] {
            let server = Server { name: "n".to_owned(), version: version.to_owned() };
            assert_eq!(told(version, always), Ok(server), "{version}");
            assert_eq!(told(version, never), Err(Unfit::NotSynced("n".to_owned())), "{version}");
        }
        for version in ["2.9.10", "2.15.0", "2.15.1-RC.3", "2.15", "", "new"] {
            let old = Unfit::Old { name: "n".to_owned(), version: version.to_owned() };
            assert_eq!(told(version, always), Err(old), "{version}");
        }
        for off in ["", r#""disabled":true,"config":{"sync_always":true}"#] {
            assert_eq!(told("2.15.1", off), Err(Unfit::NoJetStream("n".to_owned())), "{off}");
        }
    }

    #[test]
    fn a_stream_that_forgets_is_refused() {
        let good = r#"{"subjects":["a.*"],"retention":"limits","storage":"file","discard":"new","num_replicas":3,
            "max_msgs":-1,"max_bytes":-1,"max_age":0,"max_msgs_per_subject":-1,"max_msg_size":-1,
            "deny_delete":true,"allow_direct":true}"#;
        let judged = |text: &str| wrong(&read::<Config>(text.as_bytes()).expect("a stream"), "a.*");
        assert_eq!(judged(good), None);
        for (part, other) in [
            ("a.*", "a.>"),
            (r#""storage":"file""#, r#""storage":"memory""#),
            (r#""num_replicas":3"#, r#""num_replicas":1"#),
            (r#""retention":"limits""#, r#""retention":"interest""#),
            (r#""discard":"new""#, r#""discard":"old""#),
            (r#""max_msgs":-1"#, r#""max_msgs":1000"#),
            (r#""max_bytes":-1"#, r#""max_bytes":1000000"#),
            (r#""max_age":0"#, r#""max_age":60000000000"#),
            (r#""max_msgs_per_subject":-1"#, r#""max_msgs_per_subject":1"#),
            (r#""max_msg_size":-1"#, r#""max_msg_size":1000"#),
            (r#""deny_delete":true"#, r#""deny_delete":false"#),
            (r#""allow_direct":true"#, r#""allow_direct":false"#),
            (r#""deny_delete":true"#, r#""deny_delete":true,"allow_rollup_hdrs":true"#),
            (r#""deny_delete":true"#, r#""deny_delete":true,"allow_msg_ttl":true"#),
            (r#""deny_delete":true"#, r#""deny_delete":true,"persist_mode":"async""#),
            (r#""deny_delete":true"#, r#""deny_delete":true,"mirror":{"name":"x"}"#),
            (r#""deny_delete":true"#, r#""deny_delete":true,"sealed":true"#),
        ] {
            assert!(good.contains(part), "{part}");
            assert!(judged(&good.replace(part, other)).is_some(), "{other}");
        }
    }

    #[test]
    fn answers_are_bounded_before_they_are_read() {
        assert!(read::<Config>(b"{}").is_some());
        let long = format!("{{\"subjects\":[{}\"\"]}}", "\"\",".repeat(MOST_ANSWER / 3));
        assert!(read::<Config>(long.as_bytes()).is_none());
        assert!(payload(1 << 20).is_ok());
        assert_eq!(payload(1 << 19), Err(Unfit::Payload(1 << 19)));
    }
}
