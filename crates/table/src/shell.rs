//! The lock around a table, and its connections to the machine.

use crate::core::{Asked, Asker, Core, Job, broke_down, unless_broken};
use crate::journal::{AppendListener, Appended, MatchId, Unreadable};
use crate::{Env, Glance, Journal, Outlet, Person, Playable, Saved, Settings, Wake};
use game::{Refusal, Seat};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use wire::{Act, Stage, TableState, ToServer};

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
    /// A new table where people gather. It is kept at once.
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
    /// If `text` cannot be read, or the storage cannot be read.
    pub fn restore(text: &str, env: Env<G>) -> Result<Table<G>, Unreadable> {
        let saved: Saved<G::Rules> = serde_json::from_str(text)
            .map_err(|e| Unreadable(format!("the saved table cannot be read: {e}")))?;
        let rows = match saved.playing.filter(|_| saved.stage == Stage::Playing) {
            Some(id) => env.journal.read(id, 0)?,
            None => Vec::new(),
        };
        let table = Table::wrap(Core::restored(text, saved, env.clone()), env);
        table.0.attempt(|core| core.restart(rows));
        Ok(table)
    }

    fn wrap(core: Core<G>, env: Env<G>) -> Table<G> {
        Table(Arc::new_cyclic(|me: &Weak<Shared<G>>| {
            let mut core = core;
            let table = me.clone();
            core.listen_with(Box::new(move |age| {
                Arc::new(TableListener { table: table.clone(), age }) as Arc<dyn AppendListener>
            }));
            Shared { core: Mutex::new(core), env, me: me.clone() }
        }))
    }

    /// A socket is open; frames for it go to `outlet`. `person` is who it belongs to, if they have a name: others may only
    /// watch.
    #[must_use]
    pub fn connect(&self, person: Option<Person>, outlet: Arc<dyn Outlet>) -> Connection<G> {
        let way_out = Arc::clone(&outlet);
        let asker = self.0.attempt(|core| core.connect(person, outlet)).unwrap_or_else(|| {
            way_out.close();
            Asker::NOBODY
        });
        Connection { table: self.clone(), asker }
    }

    /// Does something about the table for somebody who needs no socket for it (a host who creates it and sits down).
    ///
    /// # Errors
    /// Why it was not done.
    pub fn act(&self, person: &Person, act: &Act) -> Result<(), Refusal> {
        self.0.attempt(|core| core.act(person, act)).unwrap_or_else(|| Err(broke_down()))
    }

    /// Seats whoever opened it in the first seat, and bots of these kinds in the next ones.
    ///
    /// # Errors
    /// Why not; some may sit there then.
    pub fn seat(&self, host: &Person, bots: &[String]) -> Result<(), Refusal> {
        self.act(host, &Act::Sit { seat: Seat(0) })?;
        let seated =
            bots.iter().zip(1..).map(|(kind, seat)| Act::Bot { seat: Seat(seat), kind: kind.clone() });
        seated.into_iter().try_for_each(|act| self.act(host, &act))
    }

    /// How things stand.
    #[must_use]
    pub fn state(&self) -> TableState {
        self.0.lock().state()
    }

    /// What is played.
    #[must_use]
    pub fn rules(&self) -> Arc<G::Rules> {
        self.0.lock().rules()
    }

    /// Which match is on, or was the last one.
    #[must_use]
    pub fn playing(&self) -> Option<MatchId> {
        self.0.lock().playing()
    }

    /// The seat that a person has.
    #[must_use]
    pub fn seat_of(&self, person: &str) -> Option<game::Seat> {
        self.0.lock().seat_of(person)
    }

    /// Ids of all whom what is kept of the table names: those who sit there, the host, and whom the host has removed.
    #[must_use]
    pub fn named(&self) -> Vec<String> {
        self.0.lock().named()
    }

    /// The name of somebody else who sits here and could be taken for this person, if there is one.
    #[must_use]
    pub fn namesake(&self, person: &Person) -> Option<String> {
        self.0.lock().namesake(person)
    }

    /// Puts each name at the table in the form that `revise` gives it: an older table may hold names of another time.
    pub fn revise_names(&self, revise: impl Fn(&str) -> String) {
        self.0.attempt(|core| core.revise_names(revise));
    }

    /// Forgets a person: their sockets are closed, their seat is free, and nothing that is kept of the table names them. In a
    /// match they have left for good; if they kept the table, somebody who sits there does now. Gives whether they had a
    /// seat or kept the table.
    pub fn forget(&self, person: &str) -> bool {
        // Most tables have never heard of them.
        self.0.lock().knows(person) && self.0.attempt(|core| core.forget(person)).unwrap_or(true)
    }

    /// Who keeps the table; nobody where they were forgotten and nobody sat there.
    #[must_use]
    pub fn host(&self) -> Option<Person> {
        self.0.lock().host()
    }

    /// A person has another name from now on.
    pub fn rename(&self, person: &Person) {
        if self.0.lock().knows(&person.id) {
            self.0.attempt(|core| core.rename(person));
        }
    }

    /// What is to be seen of it from outside.
    #[must_use]
    pub fn glance(&self) -> Glance {
        self.0.lock().glance()
    }

    /// Since when nobody has been connected, in seconds since 1970; 0 if somebody is.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.0.lock().left()
    }

    /// Whether this table can be dropped, to be opened again with [`Table::restore`] from what `on_disk` says of it: nobody
    /// else has hold of it, nobody is connected, its clock stands still, and the disk has all that memory has. Whoever asks
    /// sees to it that nobody else gets hold of it meanwhile.
    #[must_use]
    pub fn may_sleep(&self, on_disk: &str) -> bool {
        Arc::strong_count(&self.0) == 1 && self.0.attempt(|core| core.may_sleep(on_disk)) == Some(true)
    }

    /// Ends a match that nobody comes back to, without a result. Whether there was one, at a table where nobody is.
    #[must_use]
    pub fn abandon(&self) -> bool {
        self.0.attempt(|core| core.abandon()) == Some(true)
    }

    /// The table is closed for good: every socket is told and closed, nobody comes in any more, and nothing is kept of the table
    /// from now on, so that what is kept of it can be dropped.
    pub fn close(&self) {
        self.0.attempt(Core::close);
    }

    /// The server goes down, or the table goes on at another one: every socket is told and closed, whoever comes later too, and the
    /// clock stops. The match is not harmed; it goes on with what is restored from what was kept.
    pub fn shut(&self, why: &Refusal) {
        self.0.attempt(|core| core.shut(why));
    }
}

/// Letters at most of what a reader says about a frame that it cannot read.
const WHY_MOST: usize = 200;

impl<G: Playable> Shared<G> {
    fn lock(&self) -> MutexGuard<'_, Core<G>> {
        // Whoever changes something under the lock cleans up after a panic before it is open again.
        self.core.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls into the core and does what comes of it. If that breaks down there is no answer, what memory holds is dropped and
    /// read anew, and whoever called goes on: the clock and the journal have other tables to serve.
    fn attempt<T>(&self, f: impl FnOnce(&mut Core<G>) -> T) -> Option<T> {
        let (value, wake, jobs, (play, watch)) = {
            let mut core = self.lock();
            let (value, wake) = match unless_broken(|| (f(&mut core), core.settle())) {
                Some((value, wake)) => (Some(value), wake),
                None => {
                    let recovered = unless_broken(|| {
                        core.broke_down();
                        core.settle()
                    });
                    (None, recovered.flatten())
                }
            };
            (value, wake, core.take_jobs(), core.take_sent())
        };
        for outlet in play {
            outlet.flush();
        }
        for outlet in watch {
            outlet.flush_in_turn();
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
                let (game, seat) = thinking.whose();
                let back = unless_broken(|| {
                    let thought = thinking.think();
                    (thinking, thought)
                });
                if let Some(me) = me.upgrade() {
                    me.attempt(|core| match back {
                        Some((thinking, thought)) => core.thought(thinking, thought),
                        None => core.bot_broke_down(game, seat),
                    });
                }
            })),
            Job::Read(id) => {
                let journal: Arc<dyn Journal> = Arc::clone(&self.env.journal);
                self.env.host.work(Box::new(move || {
                    let rows = unless_broken(|| journal.read(id, 0));
                    let rows =
                        rows.unwrap_or_else(|| Err(Unreadable("reading the log broke down".to_owned())));
                    if let Some(me) = me.upgrade() {
                        me.attempt(|core| core.read_again(id, rows));
                    }
                }));
            }
            Job::Finished(finished) => self.env.tables.finished(finished),
        }
    }
}

impl<G: Playable> Wake for Shared<G> {
    fn woken(&self) {
        self.attempt(|core| core.woken());
    }
}

/// Hears from the journal for a table, until the table has dropped what it had handed over: what comes after that is about
/// entries that it has read anew.
struct TableListener<G: Playable> {
    table: Weak<Shared<G>>,
    age: u32,
}

impl<G: Playable> AppendListener for TableListener<G> {
    fn appended(&self, id: MatchId, ply: u32, appended: &Appended) {
        if let Some(table) = self.table.upgrade() {
            table.attempt(|core| core.appended(self.age, id, ply, appended));
        }
    }
}

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
        let frame = match serde_json::from_str(text) {
            Ok(frame) => frame,
            Err(error) => return self.receive_strange(text, &error.to_string()),
        };
        let asked = match &frame {
            ToServer::Command { id, .. } => Some(Asked::Command(*id)),
            ToServer::Act(act) => Some(Asked::Act(act.clone())),
            _ => None,
        };
        let table = &self.table.0;
        if table.attempt(|core| core.receive(self.asker, frame)).is_none()
            && let Some(asked) = asked
        {
            table.attempt(|core| core.broke_down_over(self.asker, asked));
        }
        Ok(())
    }

    /// What is a frame but for the number of a card or a seat in it is refused in words, and not counted: whoever sent it
    /// waits for an answer.
    fn receive_strange(&self, text: &str, why: &str) -> Result<(), Malformed> {
        let frame = serde_json::from_str(text).map_err(|_| Malformed(why.to_owned()))?;
        // Part of the text may be said again in it.
        let why: String = why.chars().take(WHY_MOST).collect();
        self.table.0.attempt(|core| core.receive_strange(self.asker, frame, &why));
        Ok(())
    }
}

impl<G: Playable> Drop for Connection<G> {
    fn drop(&mut self) {
        self.table.0.attempt(|core| core.disconnect(self.asker));
    }
}
