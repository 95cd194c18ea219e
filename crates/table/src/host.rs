//! What a table needs from the machine it runs on: a clock, to be woken, randomness, and somebody to do slow work.

use std::sync::Weak;

/// The machine, as tables see it.
pub trait Host: Send + Sync {
    /// Milliseconds on a clock that never goes back, from any origin.
    fn now(&self) -> u64;
    /// Milliseconds since 1970, UTC, as far as the machine knows: it may jump, and another machine may have it otherwise.
    fn unix_ms(&self) -> u64;
    /// Seconds since 1970, UTC.
    fn today(&self) -> u64 {
        self.unix_ms() / 1000
    }
    /// Bytes that nobody can guess.
    fn random(&self) -> [u8; 32];
    /// Calls `whom` once the clock shows `at`; possibly too early and more than once, but not from within this call.
    fn wake(&self, at: u64, whom: Weak<dyn Wake>);
    /// Does slow work (a bot that thinks, a log to be read) elsewhere, not within this call.
    fn work(&self, job: Box<dyn FnOnce() + Send>);
}

/// Somebody who can be woken.
pub trait Wake: Send + Sync {
    /// It is time.
    fn woken(&self);
}
