//! Strangers who attack, on a thread of their own that stands back for others.

use super::{Attack, local, stranger};
use serde::Serialize;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

/// Strangers at the same time, however many addresses they have.
const STRANGERS: usize = 200;
/// Connections that they try to open in a window, all together.
const MOST_CONNECTIONS: usize = 20_000;
/// Bytes that they try to send in a window, all together.
const MOST_BYTES: usize = 256 << 20;
/// Connections that each of those holds who hold them open.
const HELD: usize = 4;
/// How long a stranger waits for anything.
const PATIENCE: Duration = Duration::from_secs(2);
/// Bytes of a game's longest message.
const LONGEST: usize = 16 * 1024;

/// What strangers do in one window.
pub struct Raid {
    pub attack: Attack,
    pub target: SocketAddr,
    pub host: String,
    /// Tables where people play.
    pub tables: Vec<String>,
    pub addresses: usize,
}

/// What they got done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Raided {
    /// Connections or sockets that were opened.
    pub opened: u64,
    /// Those that were refused.
    pub refused: u64,
    /// Those that the server closed.
    pub closed: u64,
    /// Frames, requests or connections that were sent.
    pub sent: u64,
    /// Bytes of them.
    pub bytes: u64,
    /// Seconds of processor time that the strangers used themselves.
    pub cpu_seconds: f64,
}

impl std::iter::Sum for Raided {
    fn sum<I: Iterator<Item = Raided>>(all: I) -> Raided {
        all.fold(Raided::default(), |sum, one| Raided {
            opened: sum.opened + one.opened,
            refused: sum.refused + one.refused,
            closed: sum.closed + one.closed,
            sent: sum.sent + one.sent,
            bytes: sum.bytes + one.bytes,
            cpu_seconds: sum.cpu_seconds + one.cpu_seconds,
        })
    }
}

impl Raid {
    /// Attacks until then.
    pub fn run(self, end: Instant) -> Raided {
        // A thread of its own, as it never gets its place on the processor back.
        let attacking = std::thread::spawn(move || {
            stand_back();
            let before = processor_seconds();
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let mut raided = runtime.map_or_else(|_| Raided::default(), |r| r.block_on(self.all(end)));
            raided.cpu_seconds = processor_seconds() - before;
            raided
        });
        attacking.join().unwrap_or_default()
    }

    async fn all(self, end: Instant) -> Raided {
        let mut strangers = tokio::task::JoinSet::new();
        for n in 0..STRANGERS {
            let table = self.tables[n % self.tables.len()].clone();
            let stranger = Stranger {
                attack: self.attack,
                from: stranger(n % self.addresses),
                target: self.target,
                host: self.host.clone(),
                table,
                end,
                done: Raided::default(),
            };
            strangers.spawn(stranger.attack());
        }
        strangers.join_all().await.into_iter().sum()
    }
}

struct Stranger {
    attack: Attack,
    from: Ipv4Addr,
    target: SocketAddr,
    host: String,
    table: String,
    end: Instant,
    done: Raided,
}

impl Stranger {
    async fn attack(mut self) -> Raided {
        let until = self.end.into();
        let mut tries = 0;
        while Instant::now() < self.end
            && tries < MOST_CONNECTIONS / STRANGERS
            && self.done.bytes < (MOST_BYTES / STRANGERS) as u64
        {
            tries += 1;
            // What is broken off by the end is not counted among what the server closed.
            match tokio::time::timeout_at(until, self.try_once()).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => self.done.closed += 1,
                Err(_) => break,
            }
        }
        self.done
    }

    async fn try_once(&mut self) -> io::Result<()> {
        match self.attack {
            Attack::Pings => self.blast(&frame(0x89, &[0; 125]).repeat(32), 32).await,
            Attack::Fragments => self.blast(&frame(0x00, b"").repeat(512), 512).await,
            Attack::Resyncs => self.blast(&frame(0x81, b"\"resync\"").repeat(16), 16).await,
            Attack::Garbage => self.blast(&frame(0x81, &vec![b'['; LONGEST]), 1).await,
            Attack::Sockets => {
                let Some(mut stream) = self.socket().await? else { return Ok(()) };
                self.send(&mut stream, &frame(0x81, HELLO), 1).await?;
                let _ = stream.read(&mut [0; 1024]).await?;
                Ok(())
            }
            Attack::Lobby => self.read_the_lobby().await,
            Attack::Unread => self.hold(true).await,
            Attack::HalfOpen => self.hold(false).await,
        }
    }

    /// Sends the same again and again on a socket, and reads what comes.
    async fn blast(&mut self, bytes: &[u8], frames: u64) -> io::Result<()> {
        let Some(mut stream) = self.socket().await? else { return Ok(()) };
        self.send(&mut stream, &frame(0x81, HELLO), 1).await?;
        if self.attack == Attack::Fragments {
            self.send(&mut stream, &frame(0x01, b""), 1).await?;
        }
        let mut buffer = vec![0; 64 * 1024];
        while self.done.bytes < (MOST_BYTES / STRANGERS) as u64 {
            self.send(&mut stream, bytes, frames).await?;
            loop {
                match stream.try_read(&mut buffer) {
                    Ok(0) => return Err(io::ErrorKind::ConnectionReset.into()),
                    Ok(_) => {}
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                    Err(error) => return Err(error),
                }
            }
            tokio::task::yield_now().await;
        }
        Ok(())
    }

    async fn read_the_lobby(&mut self) -> io::Result<()> {
        let mut stream = self.connect().await?;
        let ask = format!("GET /api/tables HTTP/1.1\r\nHost: {}\r\n\r\n", self.host);
        let (mut buffer, mut answer) = (vec![0; 64 * 1024], vec![]);
        loop {
            self.send(&mut stream, ask.as_bytes(), 1).await?;
            answer.clear();
            while !is_whole(&answer) {
                let count = stream.read(&mut buffer).await?;
                if count == 0 {
                    return Err(io::ErrorKind::ConnectionReset.into());
                }
                answer.extend_from_slice(&buffer[..count]);
            }
            self.done.refused += u64::from(!answer.starts_with(b"HTTP/1.1 200"));
        }
    }

    /// Opens connections and holds them: with requests whose answers it does not read, or with half a request.
    async fn hold(&mut self, unread: bool) -> io::Result<()> {
        let mut held = vec![];
        for n in 0..HELD {
            if unread && n % 2 == 0 {
                let Some(mut stream) = self.socket().await? else { continue };
                self.send(&mut stream, &frame(0x81, HELLO), 1).await?;
                held.push(stream);
                continue;
            }
            let mut stream = self.connect().await?;
            let ask = format!("GET /api/games HTTP/1.1\r\nHost: {}\r\n\r\n", self.host);
            let ask = if unread { ask.repeat(100) } else { ask[..ask.len() - 2].to_owned() };
            self.send(&mut stream, ask.as_bytes(), 1).await?;
            held.push(stream);
        }
        let mut sent = 0;
        while let Some(stream) = held.first_mut().filter(|_| sent < 1000) {
            tokio::time::sleep(Duration::from_millis(10)).await;
            sent += 1;
            let more = if unread { frame(0x81, b"\"resync\"") } else { b"X-A: 1\r\n".to_vec() };
            // Whoever does not read does not wait for room either.
            match stream.try_write(&more) {
                Ok(count) => self.done.bytes += count as u64,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
            held.rotate_left(1);
        }
        Ok(())
    }

    async fn connect(&mut self) -> io::Result<TcpStream> {
        let connected = connect(self.from, self.target, self.attack == Attack::Unread).await;
        match &connected {
            Ok(_) => self.done.opened += 1,
            Err(_) => self.done.refused += 1,
        }
        connected
    }

    /// A socket of the table; none if it was refused.
    async fn socket(&mut self) -> io::Result<Option<TcpStream>> {
        let small = self.attack == Attack::Unread;
        let opened = open(self.from, self.target, &self.host, &self.table, "", small).await;
        match opened {
            Ok(Some(stream)) => {
                self.done.opened += 1;
                Ok(Some(stream))
            }
            Ok(None) | Err(_) => {
                self.done.refused += 1;
                Ok(None)
            }
        }
    }

    async fn send(&mut self, stream: &mut TcpStream, bytes: &[u8], count: u64) -> io::Result<()> {
        stream.write_all(bytes).await?;
        self.done.sent += count;
        self.done.bytes += bytes.len() as u64;
        Ok(())
    }
}

const HELLO: &[u8] = br#"{"hello":{"protocol":1,"client":7}}"#;

/// A frame with a mask that changes nothing.
fn frame(first: u8, content: &[u8]) -> Vec<u8> {
    let mut frame = vec![first];
    match content.len() {
        short @ 0..126 => frame.push(0x80 | short as u8),
        long => {
            frame.push(0x80 | 126);
            frame.extend_from_slice(&u16::try_from(long).unwrap_or(u16::MAX).to_be_bytes());
        }
    }
    frame.extend_from_slice(&[0; 4]);
    frame.extend_from_slice(content);
    frame
}

async fn connect(from: Ipv4Addr, to: SocketAddr, small: bool) -> io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    if small {
        socket.set_recv_buffer_size(4096)?;
    }
    socket.bind(local(from))?;
    tokio::time::timeout(PATIENCE, socket.connect(to)).await.map_err(|_| io::ErrorKind::TimedOut)?
}

/// Opens the socket of a table; none if the server would not.
async fn open(
    from: Ipv4Addr,
    to: SocketAddr,
    host: &str,
    table: &str,
    cookie: &str,
    small: bool,
) -> io::Result<Option<TcpStream>> {
    let mut stream = connect(from, to, small).await?;
    let ask = format!(
        "GET /ws/table/{table} HTTP/1.1\r\nHost: {host}\r\n{cookie}Connection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.write_all(ask.as_bytes()).await?;
    let mut head = vec![];
    while !head.ends_with(b"\r\n\r\n") {
        // One by one: what follows the head is the socket's.
        let byte = tokio::time::timeout(PATIENCE, stream.read_u8()).await;
        head.push(byte.map_err(|_| io::ErrorKind::TimedOut)??);
    }
    Ok(head.starts_with(b"HTTP/1.1 101").then_some(stream))
}

/// Opens a socket of somebody who plays, and waits until the table answers the hello.
pub async fn be_welcome(
    from: Ipv4Addr,
    to: SocketAddr,
    host: &str,
    table: &str,
    cookie: &str,
) -> io::Result<()> {
    let cookie = format!("Cookie: {cookie}\r\n");
    let refused = || io::Error::from(io::ErrorKind::ConnectionRefused);
    let mut stream = open(from, to, host, table, &cookie, false).await?.ok_or_else(refused)?;
    stream.write_all(&frame(0x81, HELLO)).await?;
    stream.read_u8().await.map(drop)
}

/// Whether an answer with its length in the head is there as a whole.
fn is_whole(answer: &[u8]) -> bool {
    let Some(end) = answer.windows(4).position(|four| four == b"\r\n\r\n") else { return false };
    let head = String::from_utf8_lossy(&answer[..end]).to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    answer.len() >= end + 4 + length.unwrap_or(0)
}

/// Others come first on the processor from now on: where the system can say so, this runs when nobody else wants to.
fn stand_back() {
    #[cfg(target_os = "linux")]
    {
        use thread_priority::{
            NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy, set_thread_priority_and_policy,
            thread_native_id,
        };
        // Where it may not, the figures of the strangers elsewhere tell.
        let policy = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
        let _ = set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Min, policy);
    }
}

/// Processor time of this thread; 0 where the system does not tell.
fn processor_seconds() -> f64 {
    #[cfg(unix)]
    {
        let used = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        used.tv_sec as f64 + used.tv_nsec as f64 / 1e9
    }
    #[cfg(not(unix))]
    0.0
}
