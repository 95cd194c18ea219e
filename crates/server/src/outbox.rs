//! The way out of one socket.
//!
//! Frames for those who play are written to the connection by whoever has made them, at once: to wake the socket's task for
//! each would cost as much as the rules do. What is for those who watch is left to the task, and so is what the connection
//! does not take: the task waits until it does. All that goes out goes through here, what the WebSocket library says by itself
//! (answers to pings, the goodbye) as well, so that frames never mix.

use crate::frames::Frames;
use crate::limits::{Meter, Of};
use crate::metrics::Metrics;
use crate::pace::Pace;
use std::io;
use std::ops::Range;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use table::Outlet;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_tungstenite::tungstenite::protocol::frame::FrameHeader;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

/// Most bytes that may wait for a client: one that does not read is cut off.
const MOST: usize = 1 << 20;

/// An outlet to a connection.
pub struct Outbox {
    waiting: Mutex<Waiting>,
    /// The socket's task is to see to it: bytes wait for the connection, or no more will come.
    attend: Notify,
    metrics: Arc<Metrics>,
}

struct Waiting {
    connection: Arc<TcpStream>,
    bytes: Vec<u8>,
    /// Where in `bytes` the last frame lies that the next of its kind makes needless, if none of it has gone.
    state: Option<Range<usize>>,
    /// The connection took no more: the task waits for it, and nobody else writes.
    stuck: bool,
    /// No more frames will come.
    closed: bool,
    /// The connection is not worth a goodbye: it failed, or was cut off within a frame.
    broken: bool,
}

impl Waiting {
    fn on(connection: Arc<TcpStream>) -> Waiting {
        Waiting { connection, bytes: Vec::new(), state: None, stuck: false, closed: false, broken: false }
    }

    fn give_up(&mut self) {
        *self = Waiting { closed: true, broken: true, ..Waiting::on(self.connection.clone()) };
    }

    /// The first `written` bytes have gone.
    fn went(&mut self, written: usize) {
        self.bytes.drain(..written);
        let left = |state: Range<usize>| Some(state.start.checked_sub(written)?..state.end - written);
        self.state = self.state.take().and_then(left);
    }

    /// Takes a whole text, not masked (RFC 6455, 5.2).
    fn push(&mut self, text: &[u8]) -> Range<usize> {
        let start = self.bytes.len();
        let header = FrameHeader { opcode: OpCode::Data(Data::Text), ..FrameHeader::default() };
        self.bytes.reserve(header.len(text.len() as u64) + text.len());
        header.format(text.len() as u64, &mut self.bytes).expect("memory takes bytes");
        self.bytes.extend_from_slice(text);
        start..self.bytes.len()
    }
}

/// What the task does next.
#[derive(Debug, PartialEq, Eq)]
pub enum Next {
    /// It goes on.
    GoOn,
    /// It says goodbye: no more frames will come.
    Goodbye,
    /// It hangs up.
    HangUp,
}

impl Outbox {
    /// The two sides of a connection.
    pub fn new(stream: TcpStream, meter: Arc<Meter>, metrics: Arc<Metrics>) -> (Arc<Outbox>, Line) {
        let connection = Arc::new(stream);
        let waiting = Mutex::new(Waiting::on(connection.clone()));
        let outbox = Arc::new(Outbox { waiting, attend: Notify::new(), metrics });
        (outbox.clone(), Line { connection, outbox, meter, frames: Frames::default() })
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes what the connection takes without waiting, and says how many bytes that was.
    fn write(&self, waiting: &mut Waiting) -> usize {
        let mut written = 0;
        while written < waiting.bytes.len() {
            match waiting.connection.try_write(&waiting.bytes[written..]) {
                Ok(more) if more > 0 => written += more,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    waiting.went(written);
                    if !std::mem::replace(&mut waiting.stuck, true) {
                        self.attend.notify_one();
                    }
                    return written;
                }
                Ok(_) | Err(_) => {
                    self.attend.notify_one();
                    waiting.give_up();
                    return written;
                }
            }
        }
        // Not kept for later: most sockets are idle most of the time.
        waiting.bytes = Vec::new();
        waiting.state = None;
        waiting.stuck = false;
        written
    }

    /// Takes bytes of the library, and writes them unless something waits before them.
    fn put(&self, bytes: &[u8]) {
        let mut waiting = self.lock();
        if waiting.broken {
            return;
        }
        if waiting.bytes.len() + bytes.len() > MOST {
            waiting.give_up();
            return self.attend.notify_one();
        }
        waiting.bytes.extend_from_slice(bytes);
        if !waiting.stuck {
            self.write(&mut waiting);
        }
    }

    fn take(&self, frame: &[u8], waiting: &mut Waiting) -> Option<Range<usize>> {
        if waiting.closed {
            return None;
        }
        if waiting.bytes.len() + frame.len() > MOST {
            waiting.give_up();
            self.attend.notify_one();
            return None;
        }
        self.metrics.frames_out.add(1);
        self.metrics.bytes_out.add(frame.len() as u64);
        Some(waiting.push(frame))
    }

    /// Waits until the task is to see to something.
    pub async fn wanted(&self) {
        self.attend.notified().await;
    }

    /// Waits until the connection has taken all that waits, and says what to do then. A client that does not take what it is
    /// sent is not waited for.
    pub async fn emptied(&self, patience: Duration) -> Next {
        let mut pace = Pace::new(patience);
        loop {
            let connection = {
                let mut waiting = self.lock();
                pace.moved(self.write(&mut waiting));
                match *waiting {
                    Waiting { broken: true, .. } => return Next::HangUp,
                    Waiting { stuck: true, .. } => waiting.connection.clone(),
                    Waiting { closed: true, .. } => return Next::Goodbye,
                    _ => return Next::GoOn,
                }
            };
            let since = Instant::now();
            match tokio::time::timeout(pace.left(), connection.writable()).await {
                Ok(Ok(())) => pace.waited(since.elapsed()),
                Ok(Err(_)) | Err(_) => return Next::HangUp,
            }
        }
    }
}

impl Outlet for Outbox {
    fn send(&self, frame: &[u8]) {
        self.take(frame, &mut self.lock());
    }

    fn send_state(&self, frame: &[u8]) {
        let waiting = &mut *self.lock();
        if let Some(old) = waiting.state.take() {
            waiting.bytes.drain(old);
        }
        waiting.state = self.take(frame, waiting);
    }

    fn is_behind(&self) -> bool {
        self.lock().stuck
    }

    fn flush(&self) {
        let mut waiting = self.lock();
        if !waiting.stuck {
            self.write(&mut waiting);
        }
    }

    fn flush_in_turn(&self) {
        self.attend.notify_one();
    }

    fn close(&self) {
        self.lock().closed = true;
        self.attend.notify_one();
    }
}

/// A connection as the WebSocket library has it: what it reads is counted, and what it writes goes out in its turn.
pub struct Line {
    connection: Arc<TcpStream>,
    outbox: Arc<Outbox>,
    meter: Arc<Meter>,
    frames: Frames,
}

/// More came on a socket than it may send: so the library reads no further.
#[derive(Debug, thiserror::Error)]
#[error("too much came at once")]
pub struct TooMuch;

impl Line {
    /// Counts bytes that came.
    ///
    /// # Errors
    /// If they are more than may come.
    pub fn count(&mut self, bytes: &[u8]) -> Result<(), TooMuch> {
        let scraps = self.frames.scraps(bytes);
        let few = scraps == 0 || self.meter.spend(Of::Scraps, scraps as f64);
        let short = self.meter.spend(Of::Bytes, bytes.len() as f64);
        if few && short { Ok(()) } else { Err(TooMuch) }
    }

    /// From now on the connection is served on the threads that this is called on, both ways.
    ///
    /// # Errors
    /// If the system does not let us. Then it is served nowhere any more.
    pub fn come_over(&mut self) -> io::Result<()> {
        let mut waiting = self.outbox.lock();
        // Another name of the same connection: the threads before are to hear no more of it.
        #[cfg(unix)]
        let named = std::os::fd::AsFd::as_fd(&*self.connection).try_clone_to_owned()?;
        #[cfg(windows)]
        let named = std::os::windows::io::AsSocket::as_socket(&*self.connection).try_clone_to_owned()?;
        self.connection = Arc::new(TcpStream::from_std(named.into())?);
        waiting.connection = self.connection.clone();
        Ok(())
    }
}

impl AsyncRead for Line {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let count = loop {
            ready!(self.connection.poll_read_ready(context))?;
            match self.connection.try_read(buffer.initialize_unfilled()) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => break read?,
            }
        };
        let before = buffer.filled().len();
        buffer.advance(count);
        Poll::Ready(self.count(&buffer.filled()[before..]).map_err(io::Error::other))
    }
}

impl AsyncWrite for Line {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.outbox.put(bytes);
        Poll::Ready(Ok(bytes.len()))
    }
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{OfSockets, Purse, Rates};
    use futures_util::StreamExt;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpSocket;
    use tokio_tungstenite::WebSocketStream;
    use tokio_tungstenite::tungstenite::Message;
    use tokio_tungstenite::tungstenite::protocol::Role;

    /// A connection that takes little at once, and its other end.
    async fn narrow() -> (Arc<Outbox>, Line, TcpStream) {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_send_buffer_size(4096).expect("a size");
        socket.bind("127.0.0.1:0".parse().expect("an address")).expect("a free port");
        let listener = socket.listen(1).expect("it listens");
        let address = listener.local_addr().expect("bound");
        let other = TcpSocket::new_v4().expect("a socket");
        other.set_recv_buffer_size(4096).expect("a size");
        let (ours, theirs) = tokio::join!(listener.accept(), other.connect(address));
        let settings = crate::Settings::default();
        let address = Arc::new(Purse::new(Arc::new(Rates::of_address(&settings))));
        let meter = Arc::new(OfSockets::new(&settings).meter(address));
        let (outbox, line) = Outbox::new(ours.expect("a connection").0, meter, Arc::default());
        (outbox, line, theirs.expect("a connection"))
    }

    /// Does what the task of a socket does, until it would say goodbye or hang up.
    async fn attend(outbox: Arc<Outbox>) -> Next {
        loop {
            outbox.wanted().await;
            match outbox.emptied(Duration::from_secs(15)).await {
                Next::GoOn => {}
                end => return end,
            }
        }
    }

    #[tokio::test]
    async fn what_does_not_fit_at_once_comes_later_and_in_order() {
        let (outbox, mut line, other) = narrow().await;
        let task = tokio::spawn(attend(outbox.clone()));
        let text = |n: usize| format!("{n}:{}", "x".repeat(n * 37 % 3000));
        for n in 0..300 {
            outbox.send(text(n).as_bytes());
            if n % 3 == 0 {
                outbox.flush();
            }
            if n % 100 == 50 {
                // An answer to a ping, as the library writes it.
                line.write_all(&[0x8a, 0]).await.expect("taken");
            }
        }
        outbox.close();
        outbox.send(b"too late");
        let mut other = WebSocketStream::from_raw_socket(other, Role::Client, None).await;
        let (mut texts, mut pongs) = (0, 0);
        while texts < 300 {
            match other.next().await.expect("more").expect("whole frames") {
                Message::Text(said) => {
                    assert_eq!(said.as_str(), text(texts));
                    texts += 1;
                }
                Message::Pong(_) => pongs += 1,
                odd => panic!("{odd:?}"),
            }
        }
        assert_eq!(pongs, 3);
        assert_eq!(task.await.expect("no panic"), Next::Goodbye);
    }

    /// Half of what is said comes before it moves, half of what is written waits for it.
    #[tokio::test]
    async fn a_connection_goes_on_on_other_threads() {
        let (outbox, mut line, mut other) = narrow().await;
        let elsewhere = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("threads");
        outbox.send(&[b'x'; 60_000]);
        outbox.flush();
        assert!(outbox.lock().stuck);
        other.write_all(b"before").await.expect("sent");
        let mut said = [0; 6];
        line.read_exact(&mut said).await.expect("whole");
        other.write_all(b"be").await.expect("sent");
        let moved = elsewhere.spawn(async move {
            line.come_over().expect("the system lets it");
            let task = tokio::spawn(attend(outbox.clone()));
            let mut said = [0; 8];
            line.read_exact(&mut said).await.expect("whole");
            assert_eq!(&said, b"be after");
            outbox.send(b"last");
            outbox.flush();
            outbox.close();
            task.await.expect("no panic")
        });
        other.write_all(b" after").await.expect("sent");
        let mut other = WebSocketStream::from_raw_socket(other, Role::Client, None).await;
        for length in [60_000, 4] {
            assert_eq!(other.next().await.expect("more").expect("whole frames").len(), length);
        }
        assert_eq!(moved.await.expect("no panic"), Next::Goodbye);
        elsewhere.shutdown_background();
    }

    #[tokio::test]
    async fn who_does_not_read_is_cut_off() {
        let (outbox, _line, _other) = narrow().await;
        let task = tokio::spawn(attend(outbox.clone()));
        for _ in 0..2000 {
            outbox.send(&[b'x'; 1000]);
            outbox.flush();
        }
        assert_eq!(task.await.expect("no panic"), Next::HangUp);
        assert_eq!(outbox.lock().bytes.capacity(), 0, "nothing is kept for nobody");
    }

    #[tokio::test]
    async fn however_often_the_table_changes_one_such_frame_waits_for_a_slow_line() {
        let (outbox, _line, other) = narrow().await;
        for n in 0..100_000 {
            outbox.send_state(format!("state {n}").as_bytes());
            if n % 1000 == 0 {
                outbox.send(format!("notice {n}").as_bytes());
            }
            outbox.flush();
        }
        assert!(outbox.lock().stuck && outbox.lock().bytes.len() < 10_000, "{}", outbox.lock().bytes.len());
        let task = tokio::spawn(attend(outbox.clone()));
        outbox.close();
        let mut other = WebSocketStream::from_raw_socket(other, Role::Client, None).await;
        let (mut notices, mut last) = (0, 0);
        while last < 99_999 {
            let said = other.next().await.expect("more").expect("whole frames").into_text().expect("a text");
            let (what, n) = said.split_once(' ').expect("two words");
            let n: usize = n.parse().expect("a number");
            assert!(n >= last, "in order: {said}");
            last = n;
            if what == "notice" {
                assert_eq!(n, notices * 1000, "every notice");
                notices += 1;
            }
        }
        assert_eq!(notices, 100);
        assert_eq!(task.await.expect("no panic"), Next::Goodbye);
    }

    #[tokio::test]
    async fn answers_to_pings_do_not_pile_up() {
        let (outbox, mut line, _other) = narrow().await;
        for _ in 0..MOST / 100 {
            let _ = line.write_all(&[0; 127]).await;
        }
        assert!(outbox.lock().broken && outbox.lock().bytes.capacity() == 0);
        assert_eq!(attend(outbox).await, Next::HangUp);
    }

    #[tokio::test]
    async fn who_takes_nothing_for_too_long_is_hung_up_on() {
        let (outbox, _line, _other) = narrow().await;
        for _ in 0..50 {
            outbox.send(&[b'x'; 10_000]);
            outbox.flush();
        }
        assert!(outbox.lock().stuck);
        assert_eq!(outbox.emptied(Duration::from_millis(50)).await, Next::HangUp);
    }

    #[tokio::test]
    async fn who_is_gone_is_hung_up_on() {
        let (outbox, _line, other) = narrow().await;
        let task = tokio::spawn(attend(outbox.clone()));
        drop(other);
        while !task.is_finished() {
            outbox.send(b"hello");
            outbox.flush();
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert_eq!(task.await.expect("no panic"), Next::HangUp);
    }
}
