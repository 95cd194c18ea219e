//! The way out to one socket.

/// Where the frames for one socket go. None of this may block.
pub trait Outlet: Send + Sync {
    /// Takes a frame (UTF-8 JSON), to be sent after those before it. Called while the table is locked. A socket that cannot
    /// take any more closes itself.
    fn send(&self, frame: &[u8]);
    /// Sends what was taken. Called when nothing else is to come at once, and not while the table is locked.
    fn flush(&self) {}
    /// No more frames will come: the socket sends what it has and closes.
    fn close(&self);
}
