//! The lock around a table, and its connections to the machine.

use crate::core::{Asker, Core, Job};
use crate::journal::{Appended, MatchId, Told, Unreadable};
use crate::{Env, Journal, Outlet, Person, Playable, Saved, Settings, Wake};
use game::Refusal;
use record::{EntryOf, HeaderOf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use wire::TableState;

/// A table. Cheap to clone; all clones are the same table.
pub struct Table<G: Playable>(Arc<Shared<G>>);

impl<G: Playable> Clone for Table<G> {
    fn clone(&self) -> Self {
        Table(Arc::clone(&self.0))
    }
}

pub(crate) struct Shared<G: Playable> {
    core: Mutex<Core<G>>,
    env: Env<G>,
    me: Weak<Shared<G>>,
}

/// A frame that is none: no JSON, or not of this protocol.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Malformed(pub String);

impl<G: Playable> Table<G> {
    /// A new table where people gather. It is kept on the shelf at once.
    ///
    /// # Errors
    /// If the rules cannot be played with so many seats.
    pub fn open(settings: Settings<G::Rules>, env: Env<G>) -> Result<Table<G>, Refusal> {
        G::open(Arc::clone(&settings.rules), settings.seats)?;
        let mut core = Core::new(settings, env.clone());
        core.save();
        Ok(Table::wrap(core, env))
    }

    /// A table as it was saved. A match that was on is folded from its log and goes on as soon as somebody comes; if its
    /// log cannot be read by this version, the table is shown as paused and the log is kept. Blocks.
    ///
    /// # Errors
    /// If `saved` cannot be read, or the storage cannot be read.
    pub fn restore(saved: &str, env: Env<G>) -> Result<Table<G>, Unreadable> {
        let saved: Saved<G::Rules> = serde_json::from_str(saved)
            .map_err(|e| Unreadable(format!("the saved table cannot be read: {e}")))?;
        let rows = match saved.playing {
            Some(id) => env.journal.read(id, 0)?,
            None => Vec::new(),
        };
        let table = Table::wrap(Core::restored(saved, env.clone()), env);
        table.0.with(|core| core.restart(rows));
        Ok(table)
    }

    fn wrap(core: Core<G>, env: Env<G>) -> Table<G> {
        Table(Arc::new_cyclic(|me: &Weak<Shared<G>>| {
            let mut core = core;
            core.told = Some(me.clone());
            Shared { core: Mutex::new(core), env, me: me.clone() }
        }))
    }

    /// A socket is open; frames for it go to `outlet`. `person` is who it belongs to, if they have a name: others may only
    /// watch.
    #[must_use]
    pub fn connect(&self, person: Option<Person>, outlet: Arc<dyn Outlet>) -> Connection<G> {
        let asker = self.0.with(|core| core.connect(person, outlet));
        Connection { table: self.clone(), asker }
    }

    /// Does something about the table for somebody who needs no socket for it (a host who creates it and sits down).
    ///
    /// # Errors
    /// Why it was not done, in one sentence.
    pub fn act(&self, person: &Person, act: &wire::Act) -> Result<(), String> {
        self.0.with(|core| core.act(person, act))
    }

    /// How things stand.
    #[must_use]
    pub fn state(&self) -> TableState {
        self.0.with(|core| core.state())
    }

    /// Which match is on, or was the last one.
    #[must_use]
    pub fn playing(&self) -> Option<MatchId> {
        self.0.with(|core| core.playing())
    }

    /// The seat that a person has.
    #[must_use]
    pub fn seat_of(&self, person: &str) -> Option<game::Seat> {
        self.0.with(|core| core.seat_of(person))
    }

    /// Ids of the people who have a seat.
    #[must_use]
    pub fn people(&self) -> Vec<String> {
        self.0.with(|core| core.people())
    }

    /// The name of somebody else who sits here and could be taken for this person, if there is one.
    #[must_use]
    pub fn namesake(&self, person: &Person) -> Option<String> {
        self.0.with(|core| core.namesake(person))
    }

    /// Whether this person keeps the table.
    #[must_use]
    pub fn is_host(&self, person: &str) -> bool {
        self.0.with(|core| core.is_host(person))
    }

    /// Puts each name at the table in the form that `revise` gives it: an older table may hold names of another time.
    pub fn revise_names(&self, revise: impl Fn(&str) -> String) {
        self.0.with(|core| core.revise_names(revise));
    }

    /// A person has another name from now on.
    pub fn rename(&self, person: &Person) {
        self.0.with(|core| core.rename(person));
    }

    /// Number of open sockets, and the time on the host's clock since when there has been none.
    #[must_use]
    pub fn sockets(&self) -> (usize, u64) {
        self.0.with(|core| core.open_sockets())
    }

    /// The server goes down: every socket is told and closed, and the clock stops. The match is not harmed.
    pub fn shut(&self, text: &str) {
        self.0.with(|core| core.shut(text));
    }
}

impl<G: Playable> Shared<G> {
    fn lock(&self) -> MutexGuard<'_, Core<G>> {
        match self.core.lock() {
            Ok(core) => core,
            Err(poisoned) => {
                // Somebody broke down in the midst of a change: what memory holds is not to be trusted, the log is.
                self.core.clear_poison();
                let mut core = PoisonError::into_inner(poisoned);
                core.distrust("the table broke down and reads its log anew");
                core
            }
        }
    }

    fn with<T>(&self, f: impl FnOnce(&mut Core<G>) -> T) -> T {
        let (value, wake, jobs, sent) = {
            let mut core = self.lock();
            let value = f(&mut core);
            let wake = core.settle();
            (value, wake, core.take_jobs(), core.take_sent())
        };
        for outlet in sent {
            outlet.flush();
        }
        if let Some(at) = wake {
            let me: Weak<dyn Wake> = self.me.clone() as Weak<dyn Wake>;
            self.env.host.wake(at, me);
        }
        for job in jobs {
            self.start(job);
        }
        value
    }

    fn start(&self, job: Job<G>) {
        let me = self.me.clone();
        match job {
            Job::Think(mut thinking) => self.env.host.work(Box::new(move || {
                let thought = thinking.think();
                if let Some(me) = me.upgrade() {
                    me.with(|core| core.thought(thinking, thought));
                }
            })),
            Job::Read(id) => {
                let journal: Arc<dyn Journal> = Arc::clone(&self.env.journal);
                self.env.host.work(Box::new(move || {
                    let rows = journal.read(id, 0);
                    if let Some(me) = me.upgrade() {
                        me.with(|core| core.read_again(id, rows));
                    }
                }));
            }
            Job::Finished(finished) => self.env.shelf.finished(finished),
        }
    }
}

impl<G: Playable> Told for Shared<G> {
    fn told(&self, id: MatchId, ply: u32, appended: &Appended) {
        self.with(|core| core.appended(id, ply, appended));
    }
}

impl<G: Playable> Wake for Shared<G> {
    fn woken(&self) {
        self.with(|core| core.woken());
    }
}

/// Lets the core hand itself to the journal.
pub(crate) trait Myself: Send + Sync {
    fn myself(&self) -> Option<Arc<dyn Told>>;
}

impl<G: Playable> Myself for Weak<Shared<G>> {
    fn myself(&self) -> Option<Arc<dyn Told>> {
        self.upgrade().map(|it| it as Arc<dyn Told>)
    }
}

/// How the core knows the table it is in.
pub(crate) type Me<G> = Weak<Shared<G>>;

/// An open socket of a table. Dropping it says that the socket is closed.
pub struct Connection<G: Playable> {
    table: Table<G>,
    asker: Asker,
}

impl<G: Playable> Connection<G> {
    /// A frame came.
    ///
    /// # Errors
    /// If it is none; nothing has happened then, and the caller counts it.
    pub fn receive(&self, text: &str) -> Result<(), Malformed> {
        let frame = serde_json::from_str(text).map_err(|e| Malformed(e.to_string()))?;
        self.table.0.with(|core| core.receive(self.asker, frame));
        Ok(())
    }
}

impl<G: Playable> Drop for Connection<G> {
    fn drop(&mut self) {
        self.table.0.with(|core| core.disconnect(self.asker));
    }
}

/// The header and the entries of a match, from its rows.
///
/// # Errors
/// What is wrong with the first row that cannot be read.
pub fn read_log<G: Playable>(rows: &[Vec<u8>]) -> Result<(HeaderOf<G>, Vec<EntryOf<G>>), Unreadable> {
    let Some((header, rest)) = rows.split_first() else {
        return Err(Unreadable("the log of the match is empty".to_owned()));
    };
    let header: HeaderOf<G> = serde_json::from_slice(header)
        .map_err(|e| Unreadable(format!("the header of the match cannot be read: {e}")))?;
    let mut entries = Vec::with_capacity(rest.len());
    for (row, number) in rest.iter().zip(1..) {
        let entry: EntryOf<G> = serde_json::from_slice(row)
            .map_err(|e| Unreadable(format!("entry {number} of the match cannot be read: {e}")))?;
        if entry.ply != number {
            return Err(Unreadable(format!("entry {number} of the match says it is number {}", entry.ply)));
        }
        entries.push(entry);
    }
    Ok((header, entries))
}
