//! The machine under a table at home: it does nothing by itself. Whoever calls the table says what the time is, and takes what is to
//! be sent, to be kept and to be waited for.

use crate::Keep;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use table::{
    Append, Appended, Finished, Host, Journal, MatchId, Outlet, Played, TableStore, Unreadable, Wake,
};

/// Milliseconds after which a device that did not keep something is asked again.
const AGAIN: u64 = 1000;

/// Where random bytes come from.
pub type Random = Box<dyn Fn() -> [u8; 32] + Send + Sync>;

pub struct Machine {
    random: Random,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    /// Milliseconds.
    now: u64,
    /// Seconds since 1970.
    today: u64,
    /// Whom to wake, by when, in the order in which they asked.
    due: BTreeMap<(u64, u64), Weak<dyn Wake>>,
    asked: u64,
    jobs: VecDeque<Box<dyn FnOnce() + Send>>,
    /// What the device keeps of the match: that of a match before is not needed any more.
    logs: HashMap<MatchId, Vec<Vec<u8>>>,
    handed_over: VecDeque<Append>,
    /// What the device is asked to keep now.
    outstanding: Vec<Append>,
    saved: Option<String>,
    /// The table as the device is asked to keep it now.
    saving: Option<String>,
    /// From when on the device is asked again, after it did not keep what it was asked to.
    again_at: Option<u64>,
    frames: Vec<String>,
}

impl Machine {
    pub fn new(random: Random) -> Machine {
        Machine { random, inner: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// So many milliseconds have passed, and it is so late.
    pub fn passed(&self, millis: u64, today: u64) {
        let mut inner = self.lock();
        inner.now += millis;
        inner.today = today;
    }

    /// What the device kept of a match.
    pub fn remember(&self, rows: impl IntoIterator<Item = (MatchId, Vec<u8>)>) {
        let mut inner = self.lock();
        for (id, row) in rows {
            inner.logs.entry(id).or_default().push(row);
        }
    }

    /// Wakes all who are to be woken now. Slow work waits for a tick, a piece for each, so that what comes of a move is told before.
    pub fn work(&self, tick: bool) {
        let job = if tick { self.lock().jobs.pop_front() } else { None };
        if let Some(job) = job {
            job();
        }
        while let Some(whom) = self.next_due() {
            if let Some(whom) = whom.upgrade() {
                whom.woken();
            }
        }
    }

    fn next_due(&self) -> Option<Weak<dyn Wake>> {
        let mut inner = self.lock();
        let (at, _) = *inner.due.first_key_value()?.0;
        if at > inner.now { None } else { inner.due.pop_first().map(|(_, whom)| whom) }
    }

    /// In how many milliseconds somebody is to be woken.
    pub fn wait(&self) -> Option<u64> {
        let inner = self.lock();
        if !inner.jobs.is_empty() {
            return Some(0);
        }
        let due = inner.due.keys().next().map(|(at, _)| *at);
        due.into_iter().chain(inner.again_at).min().map(|at| at.saturating_sub(inner.now))
    }

    /// What is to be sent.
    pub fn frames(&self) -> Vec<String> {
        std::mem::take(&mut self.lock().frames)
    }

    /// What the device is to keep next, and to answer for with [`Machine::kept`]; nothing while it has not answered for the last.
    pub fn keep(&self) -> Option<Keep> {
        let mut inner = self.lock();
        let waits = !inner.outstanding.is_empty() || inner.saving.is_some();
        if waits || inner.handed_over.is_empty() && inner.saved.is_none() {
            return None;
        }
        if inner.again_at.is_some_and(|at| inner.now < at) {
            return None;
        }
        let saved = inner.saved.take();
        inner.saving.clone_from(&saved);
        inner.outstanding = std::mem::take(&mut inner.handed_over).into();
        let row =
            |append: &Append| (append.id, append.ply, String::from_utf8_lossy(&append.body).into_owned());
        let rows: Vec<_> = inner.outstanding.iter().map(row).collect();
        // A match that begins takes the place of the one before.
        let begins = rows.iter().rev().find(|(_, ply, _)| *ply == 0).map(|(id, ..)| *id);
        let over: Vec<MatchId> =
            inner.logs.keys().copied().filter(|id| begins.is_some_and(|new| new != *id)).collect();
        for id in &over {
            inner.logs.remove(id);
        }
        Some(Keep { fresh: false, table: saved, forget: over, rows })
    }

    /// The device has kept what it was asked to keep, or not.
    pub fn kept(&self, result: Result<(), String>) {
        let appends = {
            let mut inner = self.lock();
            let saving = inner.saving.take();
            inner.again_at = result.is_err().then_some(inner.now + AGAIN);
            if result.is_err() && inner.saved.is_none() {
                inner.saved = saving;
            }
            std::mem::take(&mut inner.outstanding)
        };
        for append in appends {
            let answer = match &result {
                Ok(()) => self.append_row(&append),
                Err(why) => Appended::Failed(why.clone()),
            };
            append.listener.appended(append.id, append.ply, &answer);
        }
    }

    fn append_row(&self, append: &Append) -> Appended {
        let mut inner = self.lock();
        let log = inner.logs.entry(append.id).or_default();
        if log.len() != append.ply as usize {
            return Appended::Conflict;
        }
        log.push(append.body.clone());
        Appended::Committed
    }
}

impl Host for Machine {
    fn now(&self) -> u64 {
        self.lock().now
    }
    fn unix_ms(&self) -> u64 {
        self.lock().today.saturating_mul(1000)
    }
    fn random(&self) -> [u8; 32] {
        (self.random)()
    }
    fn wake(&self, at: u64, whom: Weak<dyn Wake>) {
        let mut inner = self.lock();
        inner.asked += 1;
        let key = (at, inner.asked);
        inner.due.insert(key, whom);
    }
    fn work(&self, job: Box<dyn FnOnce() + Send>) {
        self.lock().jobs.push_back(job);
    }
}

impl Journal for Machine {
    fn append(&self, append: Append) {
        self.lock().handed_over.push_back(append);
    }
    fn read(&self, id: MatchId, from: u32) -> Result<Vec<Vec<u8>>, Unreadable> {
        let inner = self.lock();
        Ok(inner.logs.get(&id).and_then(|log| log.get(from as usize..)).unwrap_or_default().to_vec())
    }
}

impl TableStore for Machine {
    fn save(&self, _table: &str, _people: Vec<String>, saved: String) {
        self.lock().saved = Some(saved);
    }
    // Who has played, and what came of it, stands in the table and in the log.
    fn played(&self, _: Played) {}
    fn finished(&self, _: Finished) {}
}

/// The way out to the page.
pub struct Page(pub Arc<Machine>);

impl Outlet for Page {
    fn send(&self, frame: &[u8]) {
        self.0.lock().frames.push(String::from_utf8_lossy(frame).into_owned());
    }
    fn close(&self) {}
}
