//! The log in NATS JetStream: one subject for each partition, in a few streams with three copies.

mod fit;

pub use fit::{OLDEST, REPLICAS, Server, Servers, Unfit};

use crate::bus::{Bus, Heard, NoAnswer};
use crate::engine::{Engine, NotAppended, Sequence, Stored, Unreachable};
use crate::message::{MOST_MESSAGE, PARTITIONS, Partition};
use async_nats::client::RequestErrorKind;
use async_nats::{Client, ConnectOptions, Event, HeaderMap, Request};
use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use serde::Deserialize;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Number of streams that the partitions are divided among. Each has a leader of its own, so that all servers have work; what is
/// appended to one at the same time waits for the disk once, so fewer are quicker (docs/decisions/cluster.md). It never
/// changes, since it says where a partition is.
pub const STREAMS: u16 = 4;
/// How long an answer is waited for. An election takes longer; what was asked is then asked again.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often it is asked whether the connection is alive. A server whose machine is gone does not close it; after three
/// questions without an answer another server is tried.
const ALIVE: Duration = Duration::from_secs(1);
/// How long is waited at most between two tries to connect again. The library would wait up to 4 seconds, during which a node
/// that could be back hosts nothing.
const AGAIN: Duration = Duration::from_millis(250);
/// How far the clock of this machine may be ahead of the engine's when what is old is dropped.
const AHEAD: Duration = Duration::from_secs(3600);
/// Most bytes of an answer that is no message.
const MOST_ANSWER: usize = 64 * 1024;
/// Most bytes that are asked for at once.
const MOST_READ: usize = 4 * MOST_MESSAGE;

/// Error codes of the engine: <https://github.com/nats-io/nats-server/blob/main/server/errors.json>.
mod code {
    /// The condition does not hold; the second is said where another append to the subject is on its way.
    pub const WRONG_LAST: [u64; 2] = [10071, 10164];
    /// The message is too large for the stream, or meant for another one.
    pub const REFUSED: [u64; 2] = [10054, 10060];
    pub const NO_STREAM: u64 = 10059;
    /// Nobody leads the servers at the moment.
    pub const NOT_READY: u64 = 10008;
}

/// Who one is for the engine.
#[derive(Clone)]
pub struct Account {
    /// Name of the user.
    pub user: String,
    /// Their password.
    pub password: String,
}

/// How the lines to the engine are encrypted. Where none of this is set they are if an address is `tls://host:4222`, by the
/// authorities that this machine trusts.
#[derive(Clone, Debug, Default)]
pub struct Encryption {
    /// A file with the certificates of who signs those of the servers (PEM).
    pub authority: Option<PathBuf>,
    /// Files with a certificate of one's own and its key (PEM), for servers that ask for one.
    pub own: Option<[PathBuf; 2]>,
}

/// How the engine is reached.
#[derive(Clone)]
pub struct Access {
    /// Where its servers are: `nats://host:4222` or `tls://host:4222`, without a name or a password.
    pub servers: Vec<String>,
    /// How the lines to them are encrypted.
    pub encryption: Encryption,
    /// The account that the log is in.
    pub log: Account,
    /// The system account, which says how the servers store. It is used once, at the start.
    pub system: Account,
}

/// The log, kept by NATS JetStream.
#[derive(Clone)]
pub struct Nats {
    client: Client,
    /// How often the line came back, or something was dropped on it.
    gaps: Arc<AtomicU64>,
}

#[derive(Deserialize)]
struct Problem {
    err_code: Option<u64>,
    description: Option<String>,
}

/// What the engine says about an append.
#[derive(Deserialize)]
struct Answer {
    error: Option<Problem>,
    seq: Option<u64>,
}

fn stream_of(partition: Partition) -> String {
    stream(partition.0 % STREAMS)
}

fn stream(number: u16) -> String {
    format!("PARLOUR_LOG_{number}")
}

fn subject_of(partition: Partition) -> String {
    format!("parlour.log.{}.{}", partition.0 % STREAMS, partition.0)
}

/// A time in seconds since 1970 as the engine reads it (RFC 3339), by the calendar's own arithmetic:
/// <https://howardhinnant.github.io/date_algorithms.html#civil_from_days>.
fn rfc3339(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let (month, day) =
        (if shifted < 10 { shifted + 3 } else { shifted - 9 }, of_year - (153 * shifted + 2) / 5 + 1);
    let year = year + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

/// Reads an answer, which is bounded first.
fn read<'a, T: Deserialize<'a>>(answer: &'a [u8]) -> Option<T> {
    (answer.len() <= MOST_ANSWER).then(|| serde_json::from_slice(answer).ok()).flatten()
}

/// Counts in `gaps` how often the line comes back, or something is dropped on it.
async fn connect(access: &Access, account: &Account, gaps: &Arc<AtomicU64>) -> Result<Client, Unfit> {
    let Access { servers, encryption: Encryption { authority, own }, .. } = access;
    // The library tells of a file that it cannot read without its name.
    for file in authority.iter().chain(own.iter().flatten()) {
        std::fs::File::open(file)
            .map_err(|e| Unfit::File { file: file.display().to_string(), why: e.to_string() })?;
    }
    let mut options = ConnectOptions::new()
        .name("parlour")
        .user_and_password(account.user.clone(), account.password.clone())
        .connection_timeout(PATIENCE)
        .ping_interval(ALIVE)
        .event_callback({
            let gaps = Arc::clone(gaps);
            move |event| {
                heard(&event, &gaps);
                std::future::ready(())
            }
        })
        .reconnect_delay_callback(|attempts| match attempts {
            0 | 1 => Duration::ZERO,
            _ => Duration::from_millis(10 * attempts as u64).min(AGAIN),
        });
    // Not by address: servers tell of others without saying how they are spoken to, and whoever stands between could say that it
    // is in the clear.
    let by_address = servers.iter().any(|server| server.starts_with("tls://"));
    options = options.require_tls(by_address || authority.is_some() || own.is_some());
    if let Some(authority) = authority {
        options = options.add_root_certificates(authority.clone());
    }
    if let Some([certificate, key]) = own {
        options = options.add_client_certificate(certificate.clone(), key.clone());
    }
    let unreachable =
        |why: String| Unfit::Unreachable { servers: servers.join(", "), user: account.user.clone(), why };
    // Each server is tried, one after another.
    let all = PATIENCE * (servers.len() as u32 + 1);
    match tokio::time::timeout(all, options.connect(servers)).await {
        Ok(Ok(client)) => Ok(client),
        Ok(Err(e)) => Err(unreachable(e.to_string())),
        Err(_) => Err(unreachable("no answer in time".to_owned())),
    }
}

/// What becomes of a line.
fn heard(event: &Event, gaps: &AtomicU64) {
    match event {
        Event::Connected | Event::SlowConsumer(_) => {
            gaps.fetch_add(1, Ordering::Relaxed);
            tracing::info!(%event, "the line to NATS");
        }
        Event::Disconnected => tracing::warn!("the line to NATS is lost"),
        event => tracing::debug!(%event, "the line to NATS"),
    }
}

impl Nats {
    /// Reaches the engine, makes sure that it keeps what it says it has appended, and that the streams of the log are there.
    /// Gives what was found out of its servers. Servers that do not answer are counted, not judged.
    ///
    /// # Errors
    /// If it cannot be reached, or would not keep the log.
    pub async fn open(access: &Access) -> Result<(Nats, Servers), Unfit> {
        let (gaps, once) = (Arc::default(), Arc::default());
        let servers =
            fit::servers(&connect(access, &access.system, &once).await?, &access.system.user).await?;
        let client = connect(access, &access.log, &gaps).await?;
        fit::payload(client.max_payload())?;
        for number in 0..STREAMS {
            fit::stream(&client, &stream(number), &format!("parlour.log.{number}.*")).await?;
        }
        Ok((Nats { client, gaps }, servers))
    }

    /// Drops the messages of a partition that are older than `age`, but for the last one: after an empty subject the log would
    /// begin anew. Gives how many that were. Whoever has not applied them cannot follow any more. `now` is what the clock of this
    /// machine shows; where it is ahead of the engine's, too much would seem old, and nothing is dropped.
    ///
    /// # Errors
    /// If the engine does not do it, or the clocks do not agree; it is no harm to try again.
    pub async fn trim(&self, of: Partition, age: Duration, now: SystemTime) -> Result<u64, Unreachable> {
        let unreachable = |why: &dyn std::fmt::Display| Unreachable(why.to_string());
        let subject = subject_of(of);
        let now = now.duration_since(UNIX_EPOCH).map_err(|e| unreachable(&e))?;
        let its = self.clock(of).await?;
        // Times in this form are in the order of their letters.
        if its.as_str() < rfc3339(now.saturating_sub(AHEAD).as_secs()).trim_end_matches('Z') {
            return Err(Unreachable(format!(
                "by the clock of this machine it is {}, by that of NATS {its}: set the clock",
                rfc3339(now.as_secs())
            )));
        }
        let since = now.saturating_sub(age);
        // The last one, and the first that is not too old: nothing before the earlier of them is needed.
        let find = async |query: serde_json::Value| {
            let request = Request::new().payload(query.to_string().into());
            let answer = self.ask(format!("$JS.API.DIRECT.GET.{}", stream_of(of)), request).await;
            match part(&subject, answer.map_err(|kind| unreachable(&kind))?) {
                Part::Message { stored, .. } => Ok(Some(stored.sequence)),
                Part::End => Ok(None),
                Part::Strange => Err(Unreachable("an answer cannot be understood".to_owned())),
            }
        };
        let Some(last) = find(json!({ "last_by_subj": subject })).await? else { return Ok(0) };
        let young = find(json!({ "next_by_subj": subject, "start_time": rfc3339(since.as_secs()) })).await?;
        let before = young.unwrap_or(last).min(last);
        #[derive(Deserialize)]
        struct Purged {
            error: Option<Problem>,
            purged: Option<u64>,
        }
        let request = Request::new().payload(json!({ "filter": subject, "seq": before }).to_string().into());
        let answer = self.ask(format!("$JS.API.STREAM.PURGE.{}", stream_of(of)), request).await;
        match read::<Purged>(&answer.map_err(|kind| unreachable(&kind))?.payload) {
            Some(Purged { error: None, purged: Some(count) }) => Ok(count),
            Some(Purged { error: Some(problem), .. }) => {
                Err(Unreachable(problem.description.unwrap_or_default()))
            }
            _ => Err(Unreachable("an answer cannot be read".to_owned())),
        }
    }

    /// What the clock of the server shows that leads the stream of a partition.
    async fn clock(&self, of: Partition) -> Result<String, Unreachable> {
        #[derive(Deserialize)]
        struct Info {
            ts: String,
        }
        let answer = self.ask(format!("$JS.API.STREAM.INFO.{}", stream_of(of)), Request::new()).await;
        let answer = answer.map_err(|kind| Unreachable(kind.to_string()))?;
        let info = read::<Info>(&answer.payload);
        info.map(|info| info.ts).ok_or_else(|| Unreachable("an answer cannot be read".to_owned()))
    }

    async fn ask(&self, subject: String, request: Request) -> Result<async_nats::Message, RequestErrorKind> {
        self.client.send_request(subject, request.timeout(Some(PATIENCE))).await.map_err(|e| e.kind())
    }
}

/// One of the answers to a question for many messages.
enum Part {
    Message { previous: Sequence, stored: Stored },
    End,
    Strange,
}

/// Takes a message apart that the engine found for somebody who reads `subject`.
fn part(subject: &str, answer: async_nats::Message) -> Part {
    if answer.status.is_some() {
        // 204: that was all. 404: there is none.
        return match answer.status.map(|status| status.as_u16()) {
            Some(204 | 404) => Part::End,
            _ => Part::Strange,
        };
    }
    let Some(headers) = &answer.headers else { return Part::Strange };
    let text = |name: &str| headers.get(name).map(async_nats::HeaderValue::as_str);
    let number = |name: &str| text(name).and_then(|text| text.parse().ok());
    match (number("Nats-Sequence"), text("Nats-Subject")) {
        (Some(sequence), Some(of)) if of == subject && answer.payload.len() <= MOST_MESSAGE => {
            Part::Message {
                previous: number("Nats-Last-Sequence").unwrap_or(0),
                stored: Stored { sequence, bytes: answer.payload },
            }
        }
        _ => Part::Strange,
    }
}

impl Engine for Nats {
    async fn append(&self, to: Partition, after: Sequence, message: Bytes) -> Result<Sequence, NotAppended> {
        if to.0 >= PARTITIONS || message.len() > MOST_MESSAGE {
            return Err(NotAppended::Refused(format!("{to} with {} bytes is out of bounds", message.len())));
        }
        let mut headers = HeaderMap::new();
        headers.insert("Nats-Expected-Stream", stream_of(to).as_str());
        headers.insert("Nats-Expected-Last-Subject-Sequence", after.to_string().as_str());
        let request = Request::new().headers(headers).payload(message);
        let answer = match self.ask(subject_of(to), request).await {
            Ok(answer) => answer.payload,
            Err(RequestErrorKind::MaxPayloadExceeded) => {
                return Err(NotAppended::Refused("it is larger than its servers allow".to_owned()));
            }
            Err(RequestErrorKind::NoResponders) => {
                return Err(NotAppended::Unknown("no server has the log at the moment".to_owned()));
            }
            Err(kind) => return Err(NotAppended::Unknown(kind.to_string())),
        };
        let Some(answer) = read::<Answer>(&answer) else {
            return Err(NotAppended::Unknown("the answer cannot be read".to_owned()));
        };
        match (answer.error, answer.seq) {
            (None, Some(sequence)) if sequence > after => Ok(sequence),
            (None, _) => Err(NotAppended::Unknown("the answer does not say where it is".to_owned())),
            (Some(problem), _) => {
                let why = problem.description.unwrap_or_else(|| "an error without a word".to_owned());
                match problem.err_code {
                    Some(code) if code::WRONG_LAST.contains(&code) => Err(NotAppended::Behind),
                    Some(code) if code::REFUSED.contains(&code) => Err(NotAppended::Refused(why)),
                    _ => Err(NotAppended::Unknown(why)),
                }
            }
        }
    }

    async fn read(&self, of: Partition, after: Sequence, most: usize) -> Result<Vec<Stored>, Unreachable> {
        let subject = subject_of(of);
        let unreachable = |why: &dyn std::fmt::Display| Unreachable(why.to_string());
        let inbox = self.client.new_inbox();
        let mut answers = self.client.subscribe(inbox.clone()).await.map_err(|e| unreachable(&e))?;
        let query = json!({
            "next_by_subj": subject,
            "seq": after + 1,
            "batch": most.clamp(1, 1024),
            "max_bytes": MOST_READ,
        });
        let question = format!("$JS.API.DIRECT.GET.{}", stream_of(of));
        let asked = self.client.publish_with_reply(question, inbox, query.to_string().into()).await;
        asked.map_err(|e| unreachable(&e))?;
        let mut found: Vec<Stored> = Vec::new();
        while let Ok(Some(answer)) = tokio::time::timeout(PATIENCE, answers.next()).await {
            match part(&subject, answer) {
                Part::End => return Ok(found),
                // Each names the one before it: so it is seen if one was lost on its way here.
                Part::Message { previous, stored }
                    if previous == found.last().map_or(0, |last| last.sequence)
                        && stored.sequence > after.max(previous) =>
                {
                    found.push(stored);
                    if found.len() >= most {
                        return Ok(found);
                    }
                }
                Part::Message { .. } => break,
                Part::Strange => return Err(Unreachable("an answer cannot be understood".to_owned())),
            }
        }
        // What came is what comes next, as far as it goes.
        if found.is_empty() { Err(Unreachable("no answer in time".to_owned())) } else { Ok(found) }
    }

    async fn wait(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }
}

impl Bus for Nats {
    async fn publish(&self, subject: String, bytes: Bytes) -> Result<(), Unreachable> {
        self.client.publish(subject, bytes).await.map_err(|e| Unreachable(e.to_string()))
    }

    async fn subscribe(&self, subject: String) -> Result<BoxStream<'static, Heard>, Unreachable> {
        let heard = self.client.subscribe(subject).await.map_err(|e| Unreachable(e.to_string()))?;
        // The server knows of it before anything is asked on this connection.
        self.client.flush().await.map_err(|e| Unreachable(e.to_string()))?;
        let read = |message: async_nats::Message| Heard {
            subject: message.subject.to_string(),
            bytes: message.payload,
            reply: message.reply.map(|reply| reply.to_string()),
        };
        Ok(heard.map(read).boxed())
    }

    fn gaps(&self) -> u64 {
        self.gaps.load(Ordering::Relaxed)
    }

    async fn ask(&self, subject: String, bytes: Bytes, patience: Duration) -> Result<Bytes, NoAnswer> {
        let request = Request::new().payload(bytes).timeout(Some(patience));
        match self.client.send_request(subject, request).await {
            Ok(answer) => Ok(answer.payload),
            Err(e) if e.kind() == RequestErrorKind::NoResponders => Err(NoAnswer::Nobody),
            Err(e) => Err(NoAnswer::Late(e.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_written_as_the_engine_reads_it() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_826_154, "2000-02-29T12:09:14Z"),
            (1_795_572_847, "2026-11-25T02:14:07Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(rfc3339(seconds), text);
        }
    }
}
