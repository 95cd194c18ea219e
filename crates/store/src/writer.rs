//! The one thread that writes.

use crate::error::describe;
use crate::log;
use rusqlite::{Connection, ErrorCode};
use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use table::{Append, Appended, MatchId};

// Who waits for a commit is told by the same thread, and what it says is sent at once: so the more there is to tell, the more
// entries share the next commit.

/// Bytes of entries that may wait to be sorted in: a few milliseconds' work, and not much to look through for those who
/// read.
const FRESH: usize = 1 << 20;
/// Most matches of which it is remembered how far they are, when entries are sorted in.
const REMEMBERED: usize = 10_000;

pub(crate) type Change = Box<dyn FnOnce(&Connection) -> rusqlite::Result<()> + Send>;

pub(crate) enum Job {
    /// A row for the journal.
    Append(Append),
    /// Something else to be written, of which nobody waits to hear.
    Write(Change),
    /// Something to be written for somebody who waits.
    Run(Change, SyncSender<rusqlite::Result<()>>),
    /// Something that cannot share a commit, such as a new layout of the file, for somebody who waits.
    Alone(Change, SyncSender<rusqlite::Result<()>>),
    /// How do you store?
    Pragmas(SyncSender<rusqlite::Result<Pragmas>>),
}

/// How a connection stores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pragmas {
    /// `wal`.
    pub journal_mode: String,
    /// 2 is `FULL`: a commit waits for the disk.
    pub synchronous: i64,
}

#[derive(Default)]
struct Queue {
    jobs: Mutex<(VecDeque<Job>, bool)>,
    filled: Condvar,
    commits: AtomicU64,
    rows: AtomicU64,
}

pub(crate) struct Writer {
    queue: Arc<Queue>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub fn start(connection: Connection) -> std::io::Result<Writer> {
        let queue = Arc::new(Queue::default());
        let mine = Arc::clone(&queue);
        let thread = std::thread::Builder::new().name("parlour-writer".to_owned()).spawn(move || {
            Loop { connection, next: HashMap::new(), fresh: 0, sure: true, queue: mine }.run()
        })?;
        Ok(Writer { queue, thread: Some(thread) })
    }

    pub fn hand(&self, job: Job) {
        let mut jobs = self.queue.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        let idle = jobs.0.is_empty();
        jobs.0.push_back(job);
        drop(jobs);
        if idle {
            self.queue.filled.notify_one();
        }
    }

    pub fn run(&self, change: Change) -> rusqlite::Result<()> {
        let (sender, receiver) = sync_channel(1);
        self.hand(Job::Run(change, sender));
        receiver.recv().unwrap_or(Err(rusqlite::Error::InvalidQuery))
    }

    /// The same; none if that takes longer than `patience`.
    pub fn run_within(&self, change: Change, patience: Duration) -> Option<rusqlite::Result<()>> {
        let (sender, receiver) = sync_channel(1);
        self.hand(Job::Run(change, sender));
        receiver.recv_timeout(patience).ok()
    }

    /// Does something between two commits, when no transaction is open.
    pub fn run_alone(&self, change: Change) -> rusqlite::Result<()> {
        let (sender, receiver) = sync_channel(1);
        self.hand(Job::Alone(change, sender));
        receiver.recv().unwrap_or(Err(rusqlite::Error::InvalidQuery))
    }

    /// Whether the thread is there.
    pub fn lives(&self) -> bool {
        self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    pub fn pragmas(&self) -> rusqlite::Result<Pragmas> {
        let (sender, receiver) = sync_channel(1);
        self.hand(Job::Pragmas(sender));
        receiver.recv().unwrap_or(Err(rusqlite::Error::InvalidQuery))
    }

    pub fn counts(&self) -> (u64, u64) {
        (self.queue.commits.load(Ordering::Relaxed), self.queue.rows.load(Ordering::Relaxed))
    }
}

impl Drop for Writer {
    /// What was handed over is written before this returns.
    fn drop(&mut self) {
        self.queue.jobs.lock().unwrap_or_else(PoisonError::into_inner).1 = true;
        self.queue.filled.notify_one();
        let Some(thread) = self.thread.take() else { return };
        // A table may drop the last handle from the writer's own thread.
        if thread.thread().id() != std::thread::current().id() && thread.join().is_err() {
            tracing::error!("the writer of the database broke down");
        }
    }
}

struct Loop {
    connection: Connection,
    /// Number that the next entry of a match must have, for all that have entries which are not sorted in.
    next: HashMap<MatchId, u32>,
    /// Bytes of entries that are not sorted in.
    fresh: usize,
    /// Whether the two above are right.
    sure: bool,
    queue: Arc<Queue>,
}

/// What one commit is about. Kept apart from the writer, so that whoever waits is answered even if the writer breaks down
/// over it.
#[derive(Default)]
struct Batch {
    /// What has not been looked at.
    jobs: VecDeque<Job>,
    /// Entries that are to be written.
    fresh: Vec<Append>,
    /// What became of others.
    answers: Vec<(Append, Appended)>,
    /// Those who wait for something else, and what they will hear if the commit is made.
    waiting: Vec<(SyncSender<rusqlite::Result<()>>, rusqlite::Result<()>)>,
    /// What is done when the commit is.
    alone: Vec<(Change, SyncSender<rusqlite::Result<()>>)>,
}

/// Tells whoever waits for an entry. If they break down over it, that is theirs alone.
fn tell(append: &Append, appended: &Appended) {
    if catch_unwind(AssertUnwindSafe(|| append.listener.appended(append.id, append.ply, appended))).is_err() {
        tracing::error!(id = %append.id, "somebody broke down when told of an entry");
    }
}

impl Loop {
    fn run(mut self) {
        let mut batch = Batch::default();
        loop {
            {
                let mut jobs = self.queue.jobs.lock().unwrap_or_else(PoisonError::into_inner);
                while jobs.0.is_empty() {
                    if jobs.1 {
                        return;
                    }
                    jobs = self.queue.filled.wait(jobs).unwrap_or_else(PoisonError::into_inner);
                }
                std::mem::swap(&mut jobs.0, &mut batch.jobs);
            }
            let written = catch_unwind(AssertUnwindSafe(|| {
                self.write(&mut batch);
                self.go_alone(&mut batch);
                if self.fresh >= FRESH {
                    self.sort_in();
                }
            }));
            if written.is_err() {
                self.broke_down(&mut batch);
            }
        }
    }

    /// The writer broke down over a batch: nobody knows what of it was written, and the next one is another matter.
    fn broke_down(&mut self, batch: &mut Batch) {
        let text = "Moves cannot be stored: the storage broke down.";
        tracing::error!("{text}");
        if !self.connection.is_autocommit() {
            let _ = self.connection.execute_batch("ROLLBACK");
        }
        self.distrust();
        let answers = batch.answers.drain(..).map(|(append, _)| append);
        for append in batch.fresh.drain(..).chain(answers) {
            tell(&append, &Appended::Unknown(text.to_owned()));
        }
        for (sender, _) in batch.waiting.drain(..) {
            let _ = sender.send(Err(broken()));
        }
        for (_, sender) in batch.alone.drain(..) {
            let _ = sender.send(Err(broken()));
        }
        self.fail(&mut batch.jobs, &broken());
    }

    /// Does what cannot share a commit.
    fn go_alone(&self, batch: &mut Batch) {
        for (change, sender) in batch.alone.drain(..) {
            let done =
                catch_unwind(AssertUnwindSafe(|| change(&self.connection))).unwrap_or_else(|_| Err(broken()));
            let _ = sender.send(done);
        }
    }

    /// Sorts in what has come since the last time. Where that fails nothing is lost, and it is tried again later.
    fn sort_in(&mut self) {
        let sorted = self.connection.execute_batch("BEGIN IMMEDIATE").and_then(|()| {
            log::sort_in(&self.connection)?;
            self.connection.execute_batch("COMMIT")
        });
        self.fresh = 0;
        match sorted {
            Ok(()) if self.next.len() > REMEMBERED => self.next.clear(),
            Ok(()) => {}
            Err(e) => {
                tracing::warn!("entries could not be sorted in: {}", describe(&e));
                if !self.connection.is_autocommit() {
                    let _ = self.connection.execute_batch("ROLLBACK");
                }
            }
        }
    }

    /// Writes a batch in one commit, and tells who waits.
    fn write(&mut self, batch: &mut Batch) {
        let Batch { jobs, fresh, answers, waiting, alone } = batch;
        if let Err(e) = self.connection.execute_batch("BEGIN IMMEDIATE") {
            return self.fail(jobs, &e);
        }
        let mut failure: Option<rusqlite::Error> = None;
        while let Some(job) = jobs.pop_front() {
            match job {
                Job::Append(append) => {
                    if failure.is_some() {
                        fresh.push(append);
                        continue;
                    }
                    match self.expected(append.id) {
                        Ok(next) if next == append.ply => {
                            self.next.insert(append.id, next + 1);
                            fresh.push(append);
                        }
                        Ok(_) => answers.push((append, Appended::Conflict)),
                        Err(e) => {
                            failure = Some(e);
                            fresh.push(append);
                        }
                    }
                }
                Job::Write(change) => {
                    if let Err(e) = self.apart(change, &mut failure) {
                        tracing::error!("something was not stored: {}", describe(&e));
                    }
                }
                Job::Run(change, sender) => {
                    let done = self.apart(change, &mut failure);
                    waiting.push((sender, done));
                }
                Job::Alone(change, sender) => alone.push((change, sender)),
                Job::Pragmas(sender) => {
                    let pragmas = self.pragmas();
                    let _ = sender.send(pragmas);
                }
            }
        }
        let mut bytes = 0;
        if failure.is_none() {
            match log::keep(&self.connection, fresh) {
                Ok(kept) => bytes = kept,
                Err(e) => failure = Some(e),
            }
        }
        let unsure = match failure {
            Some(e) => {
                let _ = self.connection.execute_batch("ROLLBACK");
                Some((e, false))
            }
            None => self.connection.execute_batch("COMMIT").err().map(|e| {
                // A commit that fails may have happened, unless there was simply no room.
                let unsure = e.sqlite_error_code() != Some(ErrorCode::DiskFull);
                if !self.connection.is_autocommit() {
                    let _ = self.connection.execute_batch("ROLLBACK");
                }
                (e, unsure)
            }),
        };
        match unsure {
            None => {
                self.queue.commits.fetch_add(1, Ordering::Relaxed);
                self.queue.rows.fetch_add(fresh.len() as u64, Ordering::Relaxed);
                self.fresh += bytes;
                // The last of each match speaks for those before it.
                let mut last: HashMap<MatchId, u32> = HashMap::with_capacity(fresh.len());
                for append in &*fresh {
                    last.insert(append.id, append.ply);
                }
                for append in fresh.drain(..) {
                    if last.get(&append.id) == Some(&append.ply) {
                        tell(&append, &Appended::Committed);
                    }
                }
                for (sender, done) in waiting.drain(..) {
                    let _ = sender.send(done);
                }
            }
            Some((e, unsure)) => {
                let text = format!("Moves cannot be stored: {}.", describe(&e));
                tracing::error!("{text}");
                self.distrust();
                for append in fresh.drain(..) {
                    let appended =
                        if unsure { Appended::Unknown(text.clone()) } else { Appended::Failed(text.clone()) };
                    answers.push((append, appended));
                }
                for (sender, _) in waiting.drain(..) {
                    let _ = sender.send(Err(again(&e)));
                }
            }
        }
        for (append, appended) in answers.drain(..) {
            tell(&append, &appended);
        }
    }

    /// Nothing of a batch can be written.
    fn fail(&mut self, jobs: &mut VecDeque<Job>, e: &rusqlite::Error) {
        let text = format!("Moves cannot be stored: {}.", describe(e));
        tracing::error!("{text}");
        self.distrust();
        for job in jobs.drain(..) {
            match job {
                Job::Append(a) => tell(&a, &Appended::Failed(text.clone())),
                Job::Run(_, sender) | Job::Alone(_, sender) => drop(sender.send(Err(again(e)))),
                Job::Pragmas(sender) => drop(sender.send(Err(again(e)))),
                Job::Write(_) => {}
            }
        }
    }

    /// Writes something on its own, so that its failure is nobody else's; unless the whole commit has failed, or fails now,
    /// as it does where the disk is full.
    fn apart(&self, change: Change, failure: &mut Option<rusqlite::Error>) -> rusqlite::Result<()> {
        if let Some(e) = failure {
            return Err(again(e));
        }
        self.connection.execute_batch("SAVEPOINT apart")?;
        let done =
            catch_unwind(AssertUnwindSafe(|| change(&self.connection))).unwrap_or_else(|_| Err(broken()));
        if self.connection.is_autocommit() {
            *failure = Some(done.as_ref().err().map_or_else(broken, again));
            return done;
        }
        if done.is_err() {
            self.connection.execute_batch("ROLLBACK TO apart")?;
        }
        self.connection.execute_batch("RELEASE apart")?;
        done
    }

    /// What is remembered may be wrong.
    fn distrust(&mut self) {
        self.next.clear();
        self.sure = false;
    }

    /// Number that the next entry of a match must have.
    fn expected(&mut self, id: MatchId) -> rusqlite::Result<u32> {
        if let Some(next) = self.next.get(&id) {
            return Ok(*next);
        }
        if !self.sure {
            log::sort_in(&self.connection)?;
            self.sure = true;
        }
        log::next(&self.connection, id)
    }

    fn pragmas(&self) -> rusqlite::Result<Pragmas> {
        Ok(Pragmas {
            journal_mode: self.connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?,
            synchronous: self.connection.pragma_query_value(None, "synchronous", |row| row.get(0))?,
        })
    }
}

/// What is said where something of ours broke down.
fn broken() -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure("the storage broke down over it".into())
}

/// The same error once more; SQLite's own cannot be copied.
fn again(e: &rusqlite::Error) -> rusqlite::Error {
    match e {
        rusqlite::Error::SqliteFailure(code, text) => rusqlite::Error::SqliteFailure(*code, text.clone()),
        other => rusqlite::Error::ToSqlConversionFailure(other.to_string().into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Sender, channel};

    struct Listener(Mutex<Sender<Appended>>);

    impl table::AppendListener for Listener {
        fn appended(&self, _: MatchId, _: u32, appended: &Appended) {
            self.0.lock().expect("no panic").send(appended.clone()).expect("somebody listens");
        }
    }

    #[test]
    fn what_breaks_down_breaks_down_alone() {
        let mut sql = Connection::open_in_memory().expect("memory");
        assert!(crate::schema::prepare(&mut sql).is_ok());
        let writer = Writer::start(sql).expect("a thread");
        let (sender, heard) = channel();
        let told = Arc::new(Listener(Mutex::new(sender)));
        for ply in 0..3 {
            let planted = || -> Change { Box::new(|_| panic!("planted")) };
            writer.hand(Job::Write(planted()));
            assert!(writer.run(planted()).is_err(), "who waits hears of it");
            let (id, listener) = (MatchId::new(1), told.clone() as Arc<dyn table::AppendListener>);
            writer.hand(Job::Append(Append { id, ply, body: b"{}".to_vec(), listener }));
            assert_eq!(heard.recv(), Ok(Appended::Committed));
        }
        assert!(writer.lives());
    }
}
