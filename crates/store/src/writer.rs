//! The one thread that writes.

use crate::error::describe;
use crate::shared::{self, Done, Folded};
use crate::{Change, log};
use rusqlite::{Connection, ErrorCode};
use serde_json::value::RawValue;
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

pub(crate) type Work = Box<dyn FnOnce(&Connection) -> rusqlite::Result<()> + Send>;

pub(crate) enum Job {
    /// A row for the journal.
    Append(Append),
    /// A message of the log that several share.
    Fold(Folded),
    /// Something else to be written, of which nobody waits to hear.
    Write(Work),
    /// Something to be written for somebody who waits.
    Run(Work, SyncSender<rusqlite::Result<()>>),
    /// Something that cannot share a commit, such as a new layout of the file, for somebody who waits.
    Alone(Work, SyncSender<rusqlite::Result<()>>),
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
    /// `shared` says whether entries come from a log that several share, and from nowhere else.
    pub fn start(connection: Connection, shared: bool) -> std::io::Result<Writer> {
        let queue = Arc::new(Queue::default());
        let mine = Arc::clone(&queue);
        let thread = std::thread::Builder::new().name("parlour-writer".to_owned()).spawn(move || {
            Loop { connection, shared, next: HashMap::new(), fresh: 0, sure: true, queue: mine }.run()
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

    pub fn run(&self, change: Work) -> rusqlite::Result<()> {
        let (sender, receiver) = sync_channel(1);
        self.hand(Job::Run(change, sender));
        receiver.recv().unwrap_or(Err(rusqlite::Error::InvalidQuery))
    }

    /// The same; none if that takes longer than `patience`.
    pub fn run_within(&self, change: Work, patience: Duration) -> Option<rusqlite::Result<()>> {
        let (sender, receiver) = sync_channel(1);
        self.hand(Job::Run(change, sender));
        receiver.recv_timeout(patience).ok()
    }

    /// Does something between two commits, when no transaction is open.
    pub fn run_alone(&self, change: Work) -> rusqlite::Result<()> {
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
    shared: bool,
    /// Number that the next entry of a match must have, for all that have entries which are not sorted in.
    next: HashMap<MatchId, u32>,
    /// Bytes of entries that are not sorted in.
    fresh: usize,
    /// Whether the two above are right.
    sure: bool,
    queue: Arc<Queue>,
}

/// What a commit has kept before its end.
#[derive(Default)]
struct Kept {
    rows: u64,
    bytes: usize,
}

/// An entry of a fold.
type Entry = (MatchId, u32, Box<RawValue>);

/// What one commit is about. Kept apart from the writer, so that whoever waits is answered even if the writer breaks down
/// over it.
#[derive(Default)]
struct Batch {
    /// What has not been looked at.
    jobs: VecDeque<Job>,
    /// Entries that are to be written.
    fresh: Vec<Append>,
    /// Entries of folds that are to be written.
    entries: Vec<Entry>,
    /// Those who wait for a fold, and what they will hear if the commit is made.
    folds: Vec<(Done, Result<(), String>)>,
    /// What became of others.
    answers: Vec<(Append, Appended)>,
    /// Those who wait for something else, and what they will hear if the commit is made.
    waiting: Vec<(SyncSender<rusqlite::Result<()>>, rusqlite::Result<()>)>,
    /// What is done when the commit is.
    alone: Vec<(Work, SyncSender<rusqlite::Result<()>>)>,
}

/// Tells whoever waits for an entry. If they break down over it, that is theirs alone.
fn tell(append: &Append, appended: &Appended) {
    if catch_unwind(AssertUnwindSafe(|| append.listener.appended(append.id, append.ply, appended))).is_err() {
        tracing::error!(id = %append.id, "somebody broke down when told of an entry");
    }
}

/// Tells whoever waits for a fold, likewise.
fn tell_fold(done: Done, folded: Result<(), String>) {
    if catch_unwind(AssertUnwindSafe(|| done(folded))).is_err() {
        tracing::error!("somebody broke down when told of a fold");
    }
}

/// Why something of a fold is not written.
enum Fault {
    /// It is at fault itself: it is passed over everywhere.
    Its(String),
    /// This machine is.
    Ours(rusqlite::Error),
}

impl From<rusqlite::Error> for Fault {
    fn from(e: rusqlite::Error) -> Fault {
        use ErrorCode::{ConstraintViolation, ParameterOutOfRange, TooBig, TypeMismatch, Unknown};
        match e.sqlite_error_code() {
            None | Some(ConstraintViolation | ParameterOutOfRange | TooBig | TypeMismatch | Unknown) => {
                Fault::Its(describe(&e))
            }
            Some(_) => Fault::Ours(e),
        }
    }
}

fn row((id, ply, body): &Entry) -> log::Row<'_> {
    (*id, *ply, body.get().as_bytes())
}

/// Tells who waits that a commit is made.
fn committed(batch: &mut Batch) {
    let Batch { fresh, folds, waiting, .. } = batch;
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
    for (done, folded) in folds.drain(..) {
        tell_fold(done, folded);
    }
    for (sender, done) in waiting.drain(..) {
        let _ = sender.send(done);
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
        batch.entries.clear();
        for (done, _) in batch.folds.drain(..) {
            tell_fold(done, Err(text.to_owned()));
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
        if let Err(e) = self.connection.execute_batch("BEGIN IMMEDIATE") {
            return self.fail(&mut batch.jobs, &e);
        }
        let (mut failure, mut kept) = (None, Kept::default());
        while let Some(job) = batch.jobs.pop_front() {
            self.take(job, batch, &mut failure, &mut kept);
        }
        if failure.is_none() {
            let fresh = batch.fresh.iter().map(|append| (append.id, append.ply, &*append.body));
            let folded = batch.entries.iter().map(row);
            match log::keep(&self.connection, fresh.chain(folded)) {
                Ok(bytes) => kept.bytes += bytes,
                Err(e) => failure = Some(e),
            }
        }
        kept.rows += (batch.fresh.len() + batch.entries.len()) as u64;
        batch.entries.clear();
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
                self.queue.rows.fetch_add(kept.rows, Ordering::Relaxed);
                self.fresh += kept.bytes;
                committed(batch);
            }
            Some((e, unsure)) => {
                let text = format!("Moves cannot be stored: {}.", describe(&e));
                tracing::error!("{text}");
                self.distrust();
                let Batch { fresh, answers, waiting, folds, .. } = batch;
                for append in fresh.drain(..) {
                    let appended =
                        if unsure { Appended::Unknown(text.clone()) } else { Appended::Failed(text.clone()) };
                    answers.push((append, appended));
                }
                for (done, _) in folds.drain(..) {
                    tell_fold(done, Err(text.clone()));
                }
                for (sender, _) in waiting.drain(..) {
                    let _ = sender.send(Err(again(&e)));
                }
            }
        }
        for (append, appended) in batch.answers.drain(..) {
            tell(&append, &appended);
        }
    }

    /// Takes a job into the commit.
    fn take(&mut self, job: Job, batch: &mut Batch, failure: &mut Option<rusqlite::Error>, kept: &mut Kept) {
        let Batch { fresh, entries, folds, answers, waiting, alone, .. } = batch;
        match job {
            Job::Append(append) if self.shared => {
                let text = "Moves of several servers are stored by the log that they share.";
                answers.push((append, Appended::Failed(text.to_owned())));
            }
            Job::Append(append) => {
                if failure.is_some() {
                    return fresh.push(append);
                }
                match self.expected(append.id) {
                    Ok(next) if next == append.ply => {
                        self.next.insert(append.id, next + 1);
                        fresh.push(append);
                    }
                    Ok(_) => answers.push((append, Appended::Conflict)),
                    Err(e) => {
                        *failure = Some(e);
                        fresh.push(append);
                    }
                }
            }
            Job::Fold(folded) => {
                let done = self.fold(&folded, entries, failure, kept);
                folds.push((folded.done, done));
            }
            Job::Write(change) => {
                if let Err(e) = self.apart(change, failure) {
                    tracing::error!("something was not stored: {}", describe(&e));
                }
            }
            Job::Run(change, sender) => {
                // It may look at the logs.
                if let Err(e) = self.keep_now(entries, kept) {
                    failure.get_or_insert(e);
                }
                let done = self.apart(change, failure);
                waiting.push((sender, done));
            }
            Job::Alone(change, sender) => alone.push((change, sender)),
            Job::Pragmas(sender) => {
                let pragmas = self.pragmas();
                let _ = sender.send(pragmas);
            }
        }
    }

    /// Keeps entries of folds before the end of the commit: what follows may look at them.
    fn keep_now(&self, entries: &mut Vec<Entry>, kept: &mut Kept) -> rusqlite::Result<()> {
        if !entries.is_empty() {
            kept.bytes += log::keep(&self.connection, entries.iter().map(row))?;
            kept.rows += entries.len() as u64;
            entries.clear();
        }
        Ok(())
    }

    /// Takes a message of the log into the commit, whole or not at all.
    fn fold(
        &mut self,
        folded: &Folded,
        entries: &mut Vec<Entry>,
        failure: &mut Option<rusqlite::Error>,
        kept: &mut Kept,
    ) -> Result<(), String> {
        if let Some(e) = failure {
            return Err(format!("Moves cannot be stored: {}.", describe(e)));
        }
        let (part, number) = (folded.part, folded.number);
        // What has been put off so far does not go with this message.
        let reads = folded.changes.iter().any(Change::reads_logs);
        let begun = self.be_sure().and_then(|()| if reads { self.keep_now(entries, kept) } else { Ok(()) });
        let last = begun.and_then(|()| shared::last(&self.connection, part));
        let last = match last {
            Ok(last) => last,
            Err(e) => {
                let text = format!("Moves cannot be stored: {}.", describe(&e));
                *failure = Some(e);
                return Err(text);
            }
        };
        if last.checked_add(1) != Some(number) {
            return Err(format!(
                "message {number} of part {part} does not follow the last one here, which is {last}"
            ));
        }
        let (mut mine, mut entered) = (Vec::new(), Vec::new());
        let written = self
            .connection
            .execute_batch("SAVEPOINT fold")
            .and_then(|()| self.fold_all(folded, &mut mine, &mut entered, kept))
            .and_then(|()| self.connection.execute_batch("RELEASE fold"));
        let Err(e) = written else {
            entries.append(&mut mine);
            return Ok(());
        };
        let text = format!("Moves cannot be stored: {}.", describe(&e));
        // As it was before, but for entries that have been put off: they are the next ones after what is there.
        for (id, ply) in entered.into_iter().rev() {
            self.next.insert(id, ply);
        }
        let undone = match self.connection.is_autocommit() {
            true => Err(again(&e)),
            false => self.connection.execute_batch("ROLLBACK TO fold; RELEASE fold"),
        };
        if let Err(e) = undone {
            *failure = Some(e);
        }
        Err(text)
    }

    /// Makes the changes of a message, and keeps its place. Changes that cannot be made anywhere are passed over.
    fn fold_all(
        &mut self,
        folded: &Folded,
        mine: &mut Vec<Entry>,
        entered: &mut Vec<(MatchId, u32)>,
        kept: &mut Kept,
    ) -> rusqlite::Result<()> {
        let Folded { part, number, sequence, hash, changes, .. } = folded;
        for change in changes {
            let done = match change {
                Change::Entry { id, ply, body } => self.enter(*id, *ply, body).map(|()| {
                    entered.push((*id, *ply));
                    mine.push((*id, *ply, body.clone()));
                }),
                change => {
                    if change.reads_logs() {
                        self.keep_now(mine, kept)?;
                    }
                    self.make(change)
                }
            };
            match done {
                Ok(()) => {}
                Err(Fault::Its(why)) => {
                    tracing::error!(
                        part,
                        number,
                        "something in the log cannot be applied, and is passed over: {why}"
                    );
                }
                Err(Fault::Ours(e)) => return Err(e),
            }
        }
        shared::reach(&self.connection, *part, *number, *sequence, hash)
    }

    /// Sees that an entry is the next one of its match.
    fn enter(&mut self, id: MatchId, ply: u32, body: &RawValue) -> Result<(), Fault> {
        let next = self.expected(id).map_err(Fault::Ours)?;
        if next != ply {
            return Err(Fault::Its(format!(
                "entry {ply} of match {id} is not the next one, which is {next}"
            )));
        }
        if !log::is_entry(body.get().as_bytes()) {
            return Err(Fault::Its(format!("entry {ply} of match {id} has several lines")));
        }
        self.next.insert(id, ply + 1);
        Ok(())
    }

    /// Makes a change on its own, so that nothing of it is left if it fails.
    fn make(&self, change: &Change) -> Result<(), Fault> {
        let sql = &self.connection;
        sql.execute_batch("SAVEPOINT change").map_err(Fault::Ours)?;
        let done = catch_unwind(AssertUnwindSafe(|| change.apply(sql))).unwrap_or_else(|_| Err(broken()));
        if let Err(e) = done {
            if sql.is_autocommit() {
                return Err(Fault::Ours(e));
            }
            sql.execute_batch("ROLLBACK TO change; RELEASE change").map_err(Fault::Ours)?;
            return Err(Fault::from(e));
        }
        sql.execute_batch("RELEASE change").map_err(Fault::Ours)
    }

    /// Nothing of a batch can be written.
    fn fail(&mut self, jobs: &mut VecDeque<Job>, e: &rusqlite::Error) {
        let text = format!("Moves cannot be stored: {}.", describe(e));
        tracing::error!("{text}");
        self.distrust();
        for job in jobs.drain(..) {
            match job {
                Job::Append(a) => tell(&a, &Appended::Failed(text.clone())),
                Job::Fold(folded) => tell_fold(folded.done, Err(text.clone())),
                Job::Run(_, sender) | Job::Alone(_, sender) => drop(sender.send(Err(again(e)))),
                Job::Pragmas(sender) => drop(sender.send(Err(again(e)))),
                Job::Write(_) => {}
            }
        }
    }

    /// Writes something on its own, so that its failure is nobody else's; unless the whole commit has failed, or fails now,
    /// as it does where the disk is full.
    fn apart(&self, change: Work, failure: &mut Option<rusqlite::Error>) -> rusqlite::Result<()> {
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
        self.be_sure()?;
        log::next(&self.connection, id)
    }

    /// Has all entries sorted in whose matches are not remembered.
    fn be_sure(&mut self) -> rusqlite::Result<()> {
        if !self.sure {
            log::sort_in(&self.connection)?;
            self.sure = true;
        }
        Ok(())
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
        assert!(crate::schema::prepare(&mut sql, false).is_ok());
        let writer = Writer::start(sql, false).expect("a thread");
        let (sender, heard) = channel();
        let told = Arc::new(Listener(Mutex::new(sender)));
        for ply in 0..3 {
            let planted = || -> Work { Box::new(|_| panic!("planted")) };
            writer.hand(Job::Write(planted()));
            assert!(writer.run(planted()).is_err(), "who waits hears of it");
            let (id, listener) = (MatchId::new(1), told.clone() as Arc<dyn table::AppendListener>);
            writer.hand(Job::Append(Append { id, ply, body: b"{}".to_vec(), listener }));
            assert_eq!(heard.recv(), Ok(Appended::Committed));
        }
        assert!(writer.lives());
    }
}
