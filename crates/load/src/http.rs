//! As much of HTTP as making guests and tables takes.

use crate::{Failure, Plan};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// How long a request that is put off is made again.
const PATIENCE: Duration = Duration::from_secs(2);

/// What lets a server bear everybody who comes from one address.
const LARGER: &str = "A server for load tests is started with larger limits: --requests-per-second, \
                      --max-connections-per-address, --messages-per-second, --max-tables, --max-tables-per-address";

/// Why `what` was refused with nothing but this status.
pub fn refused(what: &'static str, status: u16) -> Failure {
    Failure::Refused { what, why: format!("status {status}. {LARGER}") }
}

/// Why `what` was not answered. A server hangs up on connections that its limits have no room for, without a word.
pub fn broke(what: &'static str, error: &std::io::Error) -> Failure {
    use std::io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    match error.kind() {
        BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof => {
            Failure::Refused { what, why: format!("it hung up ({error}). {LARGER}") }
        }
        _ => Failure::Odd(format!("{what}: the connection broke: {error}")),
    }
}

/// A connection that requests go over one after another.
pub struct Http {
    stream: BufReader<TcpStream>,
    host: String,
}

impl Http {
    pub async fn connect(plan: &Plan) -> Result<Http, Failure> {
        let stream = TcpStream::connect(plan.server)
            .await
            .map_err(|error| Failure::Unreachable { server: plan.server, why: error.to_string() })?;
        Ok(Http { stream: BufReader::new(stream), host: plan.host.clone() })
    }

    /// Asks; gives the answer, and the cookie that came with it.
    pub async fn ask<T: DeserializeOwned>(
        &mut self,
        what: &'static str,
        method: &str,
        path: &str,
        cookie: Option<&str>,
        body: &impl Serialize,
    ) -> Result<(T, Option<String>), Failure> {
        let body = serde_json::to_string(body).map_err(|error| Failure::Odd(error.to_string()))?;
        let cookie = cookie.map(|cookie| format!("Cookie: {cookie}\r\n")).unwrap_or_default();
        let text = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\n{cookie}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.host,
            body.len()
        );
        // Everybody comes at once here: who is told to wait does, for a while.
        let until = Instant::now() + PATIENCE;
        loop {
            let (status, given, answer) = self.exchange(&text).await.map_err(|error| broke(what, &error))?;
            if matches!(status, 429 | 503) && Instant::now() < until {
                tokio::time::sleep(PATIENCE / 40).await;
                continue;
            }
            return answered(what, status, given, &answer);
        }
    }

    /// Sends a request, and reads the answer: its status, a cookie that came with it, and the body.
    async fn exchange(&mut self, text: &str) -> std::io::Result<(u16, Option<String>, Vec<u8>)> {
        self.stream.get_mut().write_all(text.as_bytes()).await?;
        let mut line = String::new();
        if self.stream.read_line(&mut line).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        let status: u16 = line.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let (mut length, mut given) = (0, None);
        loop {
            line.clear();
            if self.stream.read_line(&mut line).await? == 0 || line == "\r\n" {
                break;
            }
            if let Some((name, value)) = line.split_once(':') {
                match name.to_ascii_lowercase().as_str() {
                    "content-length" => length = value.trim().parse().unwrap_or(0),
                    "set-cookie" => given = value.trim().split(';').next().map(str::to_owned),
                    _ => {}
                }
            }
        }
        let mut answer = vec![0; length];
        self.stream.read_exact(&mut answer).await?;
        Ok((status, given, answer))
    }
}

/// What an answer holds, unless it refuses.
fn answered<T: DeserializeOwned>(
    what: &'static str,
    status: u16,
    given: Option<String>,
    answer: &[u8],
) -> Result<(T, Option<String>), Failure> {
    if !(200..300).contains(&status) {
        let said = serde_json::from_slice::<wire::api::Problem>(answer);
        let mut why = said.map_or_else(|_| format!("status {status}"), |problem| problem.error);
        if status == 429 {
            why = format!("{why} {LARGER}");
        }
        return Err(Failure::Refused { what, why });
    }
    let answer = serde_json::from_slice(answer)
        .map_err(|error| Failure::Odd(format!("{what}: the answer is not what it should be: {error}")))?;
    Ok((answer, given))
}
