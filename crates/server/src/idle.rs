//! Connections that are open and on which nothing is asked. When the house is full the one that has been so for longest
//! gives its place to whoever comes: else anybody could fill it with requests that are never finished. If there is none, a
//! socket of somebody who only watches and has no name does.

use crate::lock;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{Notify, OwnedSemaphorePermit};

/// All idle connections of a listener, with their places, in the order in which they became idle.
#[derive(Default)]
pub struct Idle(Mutex<Waiting>);

#[derive(Default)]
struct Waiting {
    last: u64,
    /// In the order in which they give way: by kind, and then by age.
    lines: BTreeMap<(Rest, u64), (Arc<Notify>, OwnedSemaphorePermit)>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rest {
    Idle,
    Watcher,
}

impl Idle {
    /// Hangs up on the connection that has been idle for longest, and gives its place.
    pub fn evict(&self) -> Option<OwnedSemaphorePermit> {
        let (_, (bell, place)) = lock(&self.0).lines.pop_first()?;
        bell.notify_one();
        Some(place)
    }
}

/// One connection's place, held while it is asked something and else up for those who come.
pub struct Turn {
    idle: Arc<Idle>,
    bell: Arc<Notify>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Requests that are being answered.
    busy: usize,
    /// Its number among the idle ones.
    number: Option<(Rest, u64)>,
    place: Option<OwnedSemaphorePermit>,
    ended: bool,
}

impl Turn {
    /// That of a connection which was just opened, and on which nothing was asked yet.
    #[must_use]
    pub fn new(idle: Arc<Idle>, place: OwnedSemaphorePermit) -> Arc<Turn> {
        let turn = Turn { idle, bell: Arc::default(), state: Mutex::default() };
        let mut state = lock(&turn.state);
        state.place = Some(place);
        turn.rest(&mut state, Rest::Idle);
        drop(state);
        Arc::new(turn)
    }

    /// Something is asked. The connection is not idle until the answer is dropped.
    #[must_use]
    pub fn begin(self: &Arc<Turn>) -> Busy {
        let mut state = lock(&self.state);
        state.busy += 1;
        self.rise(&mut state);
        drop(state);
        Busy(self.clone())
    }

    /// Waits until the place was given away.
    pub async fn evicted(&self) {
        self.bell.notified().await;
    }

    /// The conversation is over; a socket that came of it keeps the place.
    pub fn end(&self) {
        let mut state = lock(&self.state);
        state.ended = true;
        if state.busy == 0 {
            self.rise(&mut state);
            state.place = None;
        }
    }

    /// Somebody only watches on it: it gives way when nothing idle does.
    pub fn watch(&self) {
        let mut state = lock(&self.state);
        self.rise(&mut state);
        self.rest(&mut state, Rest::Watcher);
    }

    fn rest(&self, state: &mut State, rest: Rest) {
        if let Some(place) = state.place.take() {
            let mut waiting = lock(&self.idle.0);
            waiting.last += 1;
            let number = (rest, waiting.last);
            waiting.lines.insert(number, (self.bell.clone(), place));
            state.number = Some(number);
        }
    }

    fn rise(&self, state: &mut State) {
        if let Some(number) = state.number.take() {
            state.place = lock(&self.idle.0).lines.remove(&number).map(|(_, place)| place);
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        // The place is given back, wherever it was.
        let mut state = std::mem::take(self.state.get_mut().unwrap_or_else(PoisonError::into_inner));
        self.rise(&mut state);
    }
}

/// A request that is being answered.
pub struct Busy(Arc<Turn>);

impl Drop for Busy {
    fn drop(&mut self) {
        let mut state = lock(&self.0.state);
        state.busy -= 1;
        if state.busy == 0 && state.ended {
            self.0.rise(&mut state);
            state.place = None;
        } else if state.busy == 0 {
            self.0.rest(&mut state, Rest::Idle);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::Semaphore;

    #[test]
    fn the_longest_idle_gives_way_and_who_is_busy_stays() {
        let places = Arc::new(Semaphore::new(3));
        let idle = Arc::new(Idle::default());
        let open = || Turn::new(idle.clone(), places.clone().try_acquire_owned().expect("a place"));
        let (first, second, third) = (open(), open(), open());
        let asked = first.begin();
        drop(second.begin());
        assert!(idle.evict().is_some(), "the third has been idle for longest now");
        assert!(idle.evict().is_some(), "then the second");
        assert!(idle.evict().is_none(), "the first is busy");
        assert_eq!(places.available_permits(), 2);
        first.end();
        assert_eq!(places.available_permits(), 2, "a socket came of it");
        drop(asked);
        assert_eq!(places.available_permits(), 3);
        // Who was hung up on while a request of theirs came has no place to give back.
        drop(third.begin());
        drop((first, second, third));
        assert_eq!(places.available_permits(), 3);
        let (watcher, asked, rude) = (open(), open(), open());
        let (watching, busy) = (watcher.begin(), asked.begin());
        watcher.watch();
        watcher.end();
        assert!(idle.evict().is_some(), "who asks nothing goes first");
        drop(rude);
        assert!(idle.evict().is_some(), "then who watches");
        assert!(idle.evict().is_none(), "and nobody else");
        drop((watching, busy));
        drop((watcher, asked));
        assert_eq!(places.available_permits(), 3);
        let fourth = open();
        assert_eq!(places.available_permits(), 2);
        drop(fourth);
        assert_eq!(places.available_permits(), 3);
        assert!(idle.evict().is_none());
    }
}
