//! The real server on a port of its own, and clients that may be as rude as a test wants.

pub mod player;

use futures_util::{SinkExt, StreamExt};
use server::Settings;
use std::net::SocketAddr;
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http;

/// How long anything may take before a test gives up.
pub const PATIENCE: Duration = Duration::from_secs(20);

pub struct Server {
    pub address: SocketAddr,
    /// Where the metrics are.
    pub metrics: SocketAddr,
    pub data: TempDir,
    stop: oneshot::Sender<()>,
    done: JoinHandle<Result<(), server::StartError>>,
}

impl Server {
    /// With the settings that hold where nothing is set.
    pub async fn start() -> Server {
        Server::with(|_| {}).await
    }

    pub async fn with(change: impl FnOnce(&mut Settings)) -> Server {
        Server::on(tempfile::tempdir().expect("a folder"), change).await
    }

    /// On a data folder that may have been used before.
    pub async fn on(data: TempDir, change: impl FnOnce(&mut Settings)) -> Server {
        let mut settings = Settings {
            listen: "127.0.0.1:0".parse().expect("an address"),
            metrics_listen: Some("127.0.0.1:0".parse().expect("an address")),
            data: data.path().into(),
            drain_seconds: 2,
            // Tests are built with little optimisation.
            processor_ms_per_second: 1000,
            ..Settings::default()
        };
        change(&mut settings);
        let listeners = server::listen(&settings).await.expect("free ports");
        let address = listeners.local_addr().expect("bound");
        let metrics = listeners.metrics_addr().expect("bound");
        let (stop, stopped) = oneshot::channel::<()>();
        let done = tokio::spawn(server::launch(settings, listeners, async {
            let _ = stopped.await;
        }));
        Server { address, metrics, data, stop, done }
    }

    /// One that runs as a process of its own.
    pub fn elsewhere(address: SocketAddr) -> Server {
        let (stop, _) = oneshot::channel::<()>();
        let done = tokio::spawn(async { Ok(()) });
        Server { address, metrics: address, data: tempfile::tempdir().expect("a folder"), stop, done }
    }

    /// Stops it in good order, and gives back its data.
    pub async fn stop(self) -> TempDir {
        let _ = self.stop.send(());
        tokio::time::timeout(PATIENCE, self.done)
            .await
            .expect("it stops")
            .expect("no panic")
            .expect("it started");
        self.data
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[], "").await
    }

    /// A request with headers, on a connection of its own.
    pub async fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            text += &format!("Host: {}\r\n", self.address);
        }
        if !body.is_empty() {
            text += &format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
        }
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        self.raw(format!("{text}\r\n{body}").as_bytes()).await
    }

    /// The record of a match that has ended, as soon as it can be had.
    pub async fn record(&self, id: &str) -> Answer {
        let deadline = tokio::time::Instant::now() + PATIENCE;
        loop {
            let record = self.get(&format!("/api/matches/{id}/record")).await;
            if record.status == 200 {
                return record;
            }
            assert!(tokio::time::Instant::now() < deadline, "{}", record.body);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// A page for those who run the server.
    pub async fn for_hosts(&self, path: &str) -> Answer {
        let text = format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.metrics);
        self.raw_to(self.metrics, text.as_bytes()).await
    }

    /// The value of a row in /metrics; 0 where there is none.
    pub async fn metric(&self, row: &str) -> u64 {
        let text = self.for_hosts("/metrics").await.body;
        let found = text.lines().find_map(|line| line.strip_prefix(row)?.strip_prefix(' '));
        found.map_or(0, |count| count.parse().expect("a number"))
    }

    /// Any bytes at all.
    pub async fn raw(&self, bytes: &[u8]) -> Answer {
        self.raw_to(self.address, bytes).await
    }

    /// The same from another address of this machine.
    pub async fn raw_from(&self, from: &str, bytes: &[u8]) -> Answer {
        Self::raw_on(self.connect_from(from).await, bytes).await
    }

    async fn connect_from(&self, from: &str) -> TcpStream {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket
            .bind(SocketAddr::new(from.parse().expect("an address"), 0))
            .expect("an address of this machine");
        socket.connect(self.address).await.expect("it listens")
    }

    async fn raw_to(&self, address: SocketAddr, bytes: &[u8]) -> Answer {
        Self::raw_on(TcpStream::connect(address).await.expect("it listens"), bytes).await
    }

    async fn raw_on(mut stream: TcpStream, bytes: &[u8]) -> Answer {
        // It may hang up before all is written.
        let _ = stream.write_all(bytes).await;
        let mut answer = Vec::new();
        let _ = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer))
            .await
            .expect("an answer, or an end");
        Answer::of(&answer)
    }

    /// A guest of this name.
    pub async fn guest(&self, name: &str) -> Guest<'_> {
        let body = serde_json::json!({ "name": name }).to_string();
        let answer = self.ask("PUT", "/api/me", &[], &body).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        let cookie =
            answer.header("set-cookie").expect("a cookie").split(';').next().expect("a value").to_owned();
        Guest { server: self, cookie }
    }

    /// A socket with these headers beside the necessary ones.
    pub async fn socket(&self, path: &str, headers: &[(&str, &str)]) -> Result<Socket, u16> {
        self.socket_from("127.0.0.1", path, headers).await
    }

    /// The same from another address of this machine.
    pub async fn socket_from(&self, from: &str, path: &str, headers: &[(&str, &str)]) -> Result<Socket, u16> {
        let mut request = format!("ws://{}{path}", self.address).into_client_request().expect("a URL");
        for (name, value) in headers {
            let name: http::HeaderName = name.parse().expect("a name");
            request.headers_mut().insert(name, value.parse().expect("a value"));
        }
        let stream = self.connect_from(from).await;
        match tokio_tungstenite::client_async(request, stream).await {
            Ok((socket, _)) => Ok(Socket(socket)),
            Err(tokio_tungstenite::tungstenite::Error::Http(answer)) => Err(answer.status().as_u16()),
            Err(error) => panic!("{error}"),
        }
    }
}

/// Somebody with a name and a cookie.
pub struct Guest<'a> {
    pub server: &'a Server,
    pub cookie: String,
}

impl Guest<'_> {
    pub async fn ask(&self, method: &str, path: &str, body: &str) -> Answer {
        self.server.ask(method, path, &[("Cookie", &self.cookie)], body).await
    }

    pub async fn socket(&self, table: &str) -> Socket {
        self.ask_for_socket(table).await.expect("a socket")
    }

    /// The same, asked for until then while the table is on its way from one node to another.
    pub async fn socket_by(&self, table: &str, deadline: std::time::Instant) -> Socket {
        loop {
            match self.ask_for_socket(table).await {
                Err(503) if std::time::Instant::now() < deadline => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                answer => return answer.expect("a socket"),
            }
        }
    }

    async fn ask_for_socket(&self, table: &str) -> Result<Socket, u16> {
        let path = format!("/ws/table/{table}");
        self.server.socket(&path, &[("Cookie", &self.cookie)]).await
    }
}

pub struct Answer {
    pub status: u16,
    head: String,
    pub body: String,
}

impl Answer {
    fn of(bytes: &[u8]) -> Answer {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
        let (head, body) = end.map_or((bytes, &[][..]), |end| (&bytes[..end], &bytes[end + 4..]));
        let head = String::from_utf8_lossy(head).into_owned();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let mut answer = Answer { status, head, body: String::new() };
        let in_pieces = answer.header("transfer-encoding").is_some_and(|coding| coding == "chunked");
        let mut whole = if in_pieces { joined(body) } else { body.to_vec() };
        if answer.header("content-encoding") == Some("gzip") {
            let mut plain = Vec::new();
            let mut reader = flate2::read::GzDecoder::new(&whole[..]);
            std::io::Read::read_to_end(&mut reader, &mut plain).expect("what gzip has compressed");
            whole = plain;
        }
        answer.body = String::from_utf8_lossy(&whole).into_owned();
        answer
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(": ")?;
            key.eq_ignore_ascii_case(name).then_some(value)
        })
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// The sentence of a refusal.
    pub fn problem(&self) -> String {
        self.json()["error"].as_str().unwrap_or_else(|| panic!("no problem: {}", self.body)).to_owned()
    }
}

pub struct Socket(pub WebSocketStream<TcpStream>);

impl Socket {
    pub async fn send(&mut self, text: impl Into<String>) {
        // It may have been closed already, which the test then sees when it reads.
        let _ = self.0.send(Message::text(text.into())).await;
    }

    /// The next text; none once it is closed.
    pub async fn next(&mut self) -> Option<String> {
        loop {
            match tokio::time::timeout(PATIENCE, self.0.next())
                .await
                .expect("something comes, or it closes")?
            {
                Ok(Message::Text(text)) => return Some(text.to_string()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// Reads until it is closed.
    pub async fn until_closed(&mut self) {
        while self.next().await.is_some() {}
    }
}

/// A body that came in pieces, each with its length before it.
fn joined(mut pieces: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = pieces.windows(2).position(|window| window == b"\r\n") {
        let length =
            std::str::from_utf8(&pieces[..end]).ok().and_then(|text| usize::from_str_radix(text, 16).ok());
        let Some(length) = length.filter(|length| *length > 0) else { break };
        let Some(piece) = pieces[end + 2..].get(..length) else { break };
        body.extend_from_slice(piece);
        pieces = pieces[end + 2 + length..].strip_prefix(b"\r\n").unwrap_or_default();
    }
    body
}
