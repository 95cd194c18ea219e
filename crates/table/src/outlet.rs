//! The way out to one socket.

/// Where the frames for one socket go. None of this may block.
pub trait Outlet: Send + Sync {
    /// Takes a frame (UTF-8 JSON), to be sent after those before it. Called while the table is locked. A socket that cannot
    /// take any more closes itself.
    fn send(&self, frame: &[u8]);
    /// Takes a frame that says all that the last one taken in this way did, and more: that one, if it waits still, need not be
    /// sent. So however often the table changes, one such frame at most waits for a slow line.
    fn send_state(&self, frame: &[u8]) {
        self.send(frame);
    }
    /// Whether much that was taken waits for the line.
    fn is_behind(&self) -> bool {
        false
    }
    /// Sends what was taken. Called when nothing else is to come at once, and not while the table is locked.
    fn flush(&self) {}
    /// The same for somebody who watches: it may be done elsewhere a little later, so that those who play do not wait for it.
    fn flush_in_turn(&self) {
        self.flush();
    }
    /// No more frames will come: the socket sends what it has and closes.
    fn close(&self);
}
