//! How long the other side may keep us waiting, whichever way bytes go: a body that is sent drop by drop, an answer that
//! nobody reads.

use axum::body::Bytes;
use hyper::body::{Frame, SizeHint};
use std::error::Error;
use std::future::Future;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

/// Bytes that earn another second. A line that is slower carries no game.
const BYTES_A_SECOND: u64 = 1024;

/// Bytes that the system holds back for a connection which takes nothing. By itself it would hold megabytes, and it would be
/// minutes before a slow line is seen to take something.
pub const SEND_BUFFER: u32 = 128 * 1024;

/// The time for which the other side may keep us waiting: some at first, and more for all that it takes or gives, up to twice
/// as much. What the system takes in for it is thought to be taken, but is little ([`SEND_BUFFER`]).
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    left: Duration,
    most: Duration,
}

impl Pace {
    /// With so much to begin with.
    #[must_use]
    pub fn new(patience: Duration) -> Pace {
        Pace { left: patience, most: patience * 2 }
    }

    /// So many bytes have gone.
    pub fn moved(&mut self, bytes: usize) {
        let earned = Duration::from_micros(bytes as u64 * 1_000_000 / BYTES_A_SECOND);
        self.left = (self.left + earned).min(self.most);
    }

    /// So long nothing went.
    pub fn waited(&mut self, time: Duration) {
        self.left = self.left.saturating_sub(time);
    }

    /// How long we still wait.
    #[must_use]
    pub fn left(&self) -> Duration {
        self.left
    }
}

/// The other side kept us waiting for too long.
#[derive(Debug, thiserror::Error)]
#[error("it took too long")]
pub struct TooSlow;

impl TooSlow {
    /// Whether that is what is behind an error.
    #[must_use]
    pub fn is_behind(error: &(dyn Error + 'static)) -> bool {
        error.is::<TooSlow>() || error.source().is_some_and(TooSlow::is_behind)
    }
}

/// Waiting that goes on: since when, and until when at most.
#[derive(Default)]
struct Wait(Option<(Instant, Pin<Box<Sleep>>)>);

impl Wait {
    /// Nothing goes: whether that has been so for longer than `pace` allows.
    fn is_over(&mut self, pace: Pace, context: &mut Context<'_>) -> bool {
        let (_, end) = self.0.get_or_insert_with(|| (Instant::now(), Box::pin(sleep(pace.left))));
        end.as_mut().poll(context).is_ready()
    }

    /// Something goes again.
    fn ended(&mut self, pace: &mut Pace) {
        if let Some((since, _)) = self.0.take() {
            pace.waited(since.elapsed());
        }
    }
}

/// The body of a request that must come in time.
pub struct InTime<B> {
    body: B,
    pace: Pace,
    wait: Wait,
}

impl<B> InTime<B> {
    /// Waits for `body` with so much patience to begin with.
    pub fn new(body: B, patience: Duration) -> InTime<B> {
        InTime { body, pace: Pace::new(patience), wait: Wait::default() }
    }
}

impl<B> hyper::body::Body for InTime<B>
where
    B: hyper::body::Body<Data = Bytes, Error: Into<axum::BoxError>> + Unpin,
{
    type Data = Bytes;
    type Error = axum::BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::BoxError>>> {
        let this = &mut *self;
        let Poll::Ready(frame) = Pin::new(&mut this.body).poll_frame(context) else {
            let over = this.wait.is_over(this.pace, context);
            return if over { Poll::Ready(Some(Err(TooSlow.into()))) } else { Poll::Pending };
        };
        this.wait.ended(&mut this.pace);
        if let Some(Ok(frame)) = &frame {
            this.pace.moved(frame.data_ref().map_or(0, Bytes::len));
        }
        Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A connection whose answers must be taken in time.
pub struct Paced {
    stream: TcpStream,
    pace: Pace,
    wait: Wait,
}

impl Paced {
    /// With so much patience to begin with.
    pub fn new(stream: TcpStream, patience: Duration) -> Paced {
        Paced { stream, pace: Pace::new(patience), wait: Wait::default() }
    }

    /// The connection as it was.
    pub fn into_inner(self) -> TcpStream {
        self.stream
    }

    fn written(
        &mut self,
        written: Poll<io::Result<usize>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        match written {
            Poll::Pending if self.wait.is_over(self.pace, context) => {
                Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, TooSlow)))
            }
            Poll::Pending => Poll::Pending,
            Poll::Ready(written) => {
                self.wait.ended(&mut self.pace);
                self.pace.moved(*written.as_ref().unwrap_or(&0));
                Poll::Ready(written)
            }
        }
    }
}

impl AsyncRead for Paced {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Paced {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.written(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.written(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_moves_bytes_is_waited_for_longer() {
        let seconds = Duration::from_secs;
        let mut pace = Pace::new(seconds(15));
        pace.waited(seconds(14));
        assert_eq!(pace.left(), seconds(1));
        pace.moved(10 * BYTES_A_SECOND as usize);
        assert_eq!(pace.left(), seconds(11));
        pace.moved(1 << 30);
        assert_eq!(pace.left(), seconds(30));
        pace.waited(seconds(40));
        assert_eq!(pace.left(), Duration::ZERO);
        pace.moved(1);
        assert!(pace.left() < Duration::from_millis(1), "a byte now and then does not help");
    }
}
