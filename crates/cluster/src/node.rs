//! A node: it hosts its share of the partitions, follows all others, and hears of the nodes that come and go.

mod follow;
mod hosting;
mod talk;

use crate::bus::{Bus, NoAnswer};
use crate::engine::{Engine, Unreachable};
use crate::house::{Hosting, House, Outcome};
use crate::members::{BEAT, Beat, GONE, Members, Misfit, NodeId};
use crate::message::{PARTITIONS, Partition};
use bytes::Bytes;
use follow::Follow;
use futures_util::StreamExt as _;
use std::collections::{HashMap, HashSet};
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use talk::{Ask, Reply, answer_of, ask_of};
use tokio::sync::mpsc::{Sender, channel};
use tokio::sync::{Notify, Semaphore};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, timeout};

/// How long a node listens before it says anything: whoever is there has been heard by then.
const LISTENS: Duration = Duration::from_millis(3 * BEAT);
/// How long something is tried again while a partition moves or the engine elects a leader.
const PATIENCE: Duration = Duration::from_secs(12);
/// How long one answer of another node is waited for.
const ANSWER: Duration = Duration::from_secs(3);
/// How long a partition is left alone that another node took over, or that could not be; twice as long each time that it
/// happens again, up to [`COOLS`]. A server that lags for a moment costs little so, and two nodes that do not hear each other do
/// not take a partition from each other all the time.
const COOLS_FIRST: Duration = Duration::from_millis(50);
/// See [`COOLS_FIRST`].
const COOLS: Duration = Duration::from_secs(2);
/// After so long it counts as the first time again.
const CALM: Duration = Duration::from_secs(10);
/// How long a node that is about to end waits for others to take what it hosts.
const FAREWELL: Duration = Duration::from_secs(5);
/// Messages that may wait to be sent to other nodes.
const OUTGOING: usize = 16_384;
/// Partitions that are read at once at the start.
const AT_ONCE: usize = 16;

/// Why a node cannot work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unable {
    /// With those that are there.
    #[error(transparent)]
    Misfit(#[from] Misfit),
    /// The engine is not to be reached.
    #[error(transparent)]
    Unreachable(#[from] Unreachable),
    /// What is in the log cannot be applied here.
    #[error("the log cannot be followed: {0}")]
    Follow(String),
}

/// What a node has counted since it was started, and how things stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Nodes that are there, with this one.
    pub nodes: usize,
    /// Partitions that it hosts.
    pub hosted: usize,
    /// Partitions that nobody is known to host.
    pub unhosted: usize,
    /// Messages that it has appended.
    pub appended: u64,
    /// Changes in them.
    pub changes: u64,
    /// Messages of any node that were applied here.
    pub applied: u64,
    /// How often it has taken over a partition.
    pub taken: u64,
    /// How often another node took one from it without being asked to.
    pub superseded: u64,
    /// How often it was not known for a while whether something was in the log.
    pub unsettled: u64,
    /// Partitions whose messages cannot be applied at the moment.
    pub stuck: usize,
}

#[derive(Default)]
struct Counts {
    appended: AtomicU64,
    changes: AtomicU64,
    applied: AtomicU64,
    taken: AtomicU64,
    superseded: AtomicU64,
    unsettled: AtomicU64,
}

/// How long a partition is left alone.
#[derive(Clone, Copy)]
struct Cooling {
    until: Instant,
    /// How long it was this time.
    time: Duration,
}

impl Cooling {
    fn next(before: Option<Cooling>, now: Instant) -> Cooling {
        let time = match before {
            Some(before) if now < before.until + CALM => (before.time * 2).min(COOLS),
            Some(_) | None => COOLS_FIRST,
        };
        Cooling { until: now + time, time }
    }
}

struct Inner<E, B> {
    id: NodeId,
    key: String,
    engine: E,
    bus: B,
    house: Arc<dyn House>,
    began: Instant,
    members: Mutex<Members>,
    /// Something about the members has changed.
    changed: Notify,
    /// A beat is due at once.
    beat: Notify,
    parts: Vec<Follow>,
    hosting: Mutex<HashMap<Partition, Hosting>>,
    /// Partitions that a task of this node is about, and those that are to be left alone until some time.
    busy: Mutex<HashSet<Partition>>,
    cooling: Mutex<HashMap<Partition, Cooling>>,
    outgoing: Sender<(NodeId, Bytes)>,
    /// When it last heard itself, in milliseconds since it began.
    echo: AtomicU64,
    /// What it does until it ends.
    tasks: Mutex<Vec<AbortHandle>>,
    /// It has found that it fits those that are there.
    joined: AtomicBool,
    /// When it first said that it is there, in milliseconds since it began.
    opened: AtomicU64,
    /// Others are to take what it hosts.
    leaving: AtomicBool,
    ending: AtomicBool,
    takeovers: AtomicU64,
    counts: Counts,
}

/// A node of a cluster. Cheap to clone; all clones are the same node.
///
/// # What is promised
/// - What [`Node::commit`] or [`Outcome::Committed`] has said is in the log for good, and every house applies it, in the same order.
///   A commit that failed may be in the log all the same, now or in a moment.
/// - Commits of a partition are linearizable, as far as whoever applies them counts each once: `commit` hands a change over again
///   while a partition moves, so it may stand in the log twice. (Say in the change which one it is.)
/// - The same goes for a [`question`](Node::question) whose answer is given after something has been committed that was handed over
///   after it was asked: a host that another one has replaced cannot commit anything.
/// - Any other answer may be out of date, and so may what a house has applied. A host that was cut off answers until it hears
///   that it was replaced. No time limit is promised; once it is in touch with the others it hears of it within a second
///   as a rule.
pub struct Node<E, B>(Arc<Inner<E, B>>);

impl<E, B> Clone for Node<E, B> {
    fn clone(&self) -> Self {
        Node(Arc::clone(&self.0))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

const BEATS: &str = "parlour.node.beat";

impl<E: Engine + Clone + 'static, B: Bus> Node<E, B> {
    /// Joins a cluster: listens who is there, reads all of the log that is not applied here, and follows it from then on. It
    /// takes nothing before [`Node::open`]. `key` tells one signing key from another.
    ///
    /// # Errors
    /// If it does not fit those that are there, or cannot follow the log.
    pub async fn join(
        id: NodeId,
        key: String,
        engine: E,
        bus: B,
        house: Arc<dyn House>,
    ) -> Result<Node<E, B>, Unable> {
        let (outgoing, mut to_send) = channel::<(NodeId, Bytes)>(OUTGOING);
        let parts = {
            let house = Arc::clone(&house);
            let read = tokio::task::spawn_blocking(move || {
                (0..PARTITIONS).map(Partition).map(|p| house.place(p).map(|at| Follow::new(p, at))).collect()
            });
            let read: Result<Vec<Follow>, String> =
                read.await.unwrap_or_else(|broken| Err(broken.to_string()));
            read.map_err(Unable::Follow)?
        };
        let node = Node(Arc::new(Inner {
            members: Mutex::new(Members::new(id.clone())),
            id,
            key,
            engine,
            bus,
            house,
            began: Instant::now(),
            changed: Notify::new(),
            beat: Notify::new(),
            parts,
            hosting: Mutex::default(),
            busy: Mutex::default(),
            cooling: Mutex::default(),
            outgoing,
            echo: AtomicU64::new(0),
            tasks: Mutex::default(),
            joined: AtomicBool::new(false),
            opened: AtomicU64::new(u64::MAX),
            leaving: AtomicBool::new(false),
            ending: AtomicBool::new(false),
            takeovers: AtomicU64::new(0),
            counts: Counts::default(),
        }));
        let inner = &node.0;
        let mut beats = inner.bus.subscribe(BEATS.to_owned()).await?;
        let asked = inner.bus.subscribe(talk::asks(&inner.id)).await?;
        let said = inner.bus.subscribe(talk::says(&inner.id)).await?;
        let told = inner.bus.subscribe(follow::TOLD_ALL.to_owned()).await?;
        let until = Instant::now() + LISTENS;
        while let Ok(Some(heard)) = tokio::time::timeout_at(until, beats.next()).await {
            inner.hear(&heard.bytes);
        }
        lock(&inner.members).fit(&inner.key)?;
        inner.joined.store(true, Ordering::Relaxed);
        // From here on, while all is read: nothing that is said meanwhile is missed.
        inner.keep_doing(|inner| async move {
            let mut beats = beats;
            while let Some(heard) = beats.next().await {
                inner.hear(&heard.bytes);
            }
        });
        inner.keep_doing(|inner| inner.answers(asked));
        inner.keep_doing(|inner| inner.listens(said));
        let (bus, me) = (inner.bus.clone(), inner.id.clone());
        inner.keep_doing(|_| async move {
            while let Some((to, bytes)) = to_send.recv().await {
                if let Err(why) = bus.publish(talk::says(&to), talk::saying(&me, &bytes)).await {
                    tracing::warn!(%to, %why, "another node cannot be told something");
                }
            }
        });
        if let Err(why) = inner.read_all().await {
            // Nobody holds it: it must not go on answering that it is there.
            lock(&inner.tasks).drain(..).for_each(|task| task.abort());
            return Err(why);
        }
        inner.keep_doing(|inner| inner.follows(told));
        Ok(node)
    }

    /// Says from now on that it is there, and takes its share.
    pub fn open(&self) {
        self.0.spawn(Inner::beats);
    }

    /// Its name, and the number it drew.
    #[must_use]
    pub fn id(&self) -> &NodeId {
        &self.0.id
    }

    /// The node that hosts a partition, as far as is known.
    #[must_use]
    pub fn host_of(&self, partition: Partition) -> Option<NodeId> {
        lock(&self.0.members).host_of(partition).cloned()
    }

    /// The same; where nobody does it is waited for a while, since somebody will.
    pub async fn wait_for_host(&self, partition: Partition, patience: Duration) -> Option<NodeId> {
        let until = Instant::now() + patience;
        loop {
            let changed = self.0.changed.notified();
            if let Some(host) = self.host_of(partition) {
                return Some(host);
            }
            if tokio::time::timeout_at(until, changed).await.is_err() {
                return None;
            }
        }
    }

    /// The right to write to a partition, if this node has it.
    #[must_use]
    pub fn hosting(&self, partition: Partition) -> Option<Hosting> {
        lock(&self.0.hosting).get(&partition).cloned()
    }

    /// Whether a node is there, as far as is known.
    #[must_use]
    pub fn knows(&self, node: &NodeId) -> bool {
        lock(&self.0.members).knows(node)
    }

    /// Writes a change to a partition, whichever node hosts it, and waits until it is applied here. It is handed over again
    /// while a partition moves, so it may be written twice.
    ///
    /// # Errors
    /// If nobody took it, or nobody knows: in words.
    pub async fn commit(&self, partition: Partition, change: Vec<u8>) -> Result<(), String> {
        let number = self.0.with_host(partition, Ask::Commit, change).await?;
        let number = number.as_ref().try_into().map(u64::from_le_bytes);
        let number = number.map_err(|_| "the host answered something strange".to_owned())?;
        self.0.applied(partition, number).await
    }

    /// Asks the host of a partition something, which [`House::answer`] answers there. It may be asked more than once, and the
    /// answer be out of date: see what is [promised](Node#what-is-promised).
    ///
    /// # Errors
    /// If nobody answers, or why it cannot be answered.
    pub async fn question(&self, partition: Partition, question: Vec<u8>) -> Result<Bytes, String> {
        self.0.with_host(partition, Ask::Question, question).await
    }

    /// Says something to another node, which [`House::heard`] hears there if it is there. Whether it is on its way: too much
    /// may wait already.
    #[must_use]
    pub fn say(&self, to: &NodeId, bytes: Bytes) -> bool {
        self.0.outgoing.try_send((to.clone(), bytes)).is_ok()
    }

    /// Whether it is in touch with the engine: it hears what it says itself.
    #[must_use]
    pub fn is_in_touch(&self) -> bool {
        self.0.now().saturating_sub(self.0.echo.load(Ordering::Relaxed)) < 2 * GONE
    }

    /// How things stand.
    #[must_use]
    pub fn counted(&self) -> Counted {
        let inner = &self.0;
        let (nodes, unhosted) = {
            let members = lock(&inner.members);
            let unhosted = (0..PARTITIONS).filter(|p| members.host_of(Partition(*p)).is_none()).count();
            (members.others().count() + 1, unhosted)
        };
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Counted {
            nodes,
            hosted: lock(&inner.hosting).len(),
            unhosted,
            appended: count(&inner.counts.appended),
            changes: count(&inner.counts.changes),
            applied: count(&inner.counts.applied),
            taken: count(&inner.counts.taken),
            superseded: count(&inner.counts.superseded),
            unsettled: count(&inner.counts.unsettled),
            stuck: inner.parts.iter().filter(|part| part.is_stuck()).count(),
        }
    }

    /// Leaves in good order: others take what it hosts; what nobody takes is let go. All that was handed over is in the log
    /// when this returns, or has been answered.
    pub async fn leave(&self) {
        let inner = &self.0;
        inner.leaving.store(true, Ordering::Relaxed);
        inner.beat.notify_one();
        let until = Instant::now() + FAREWELL;
        let somebody_takes = || lock(&inner.members).others().next().is_some();
        while Instant::now() < until && somebody_takes() && !lock(&inner.hosting).is_empty() {
            sleep(Duration::from_millis(20)).await;
        }
        inner.ending.store(true, Ordering::Relaxed);
        let rest: Vec<Partition> = lock(&inner.hosting).keys().copied().collect();
        for partition in rest {
            inner.let_go(partition).await;
        }
        while !lock(&inner.busy).is_empty() && Instant::now() < until + FAREWELL {
            sleep(Duration::from_millis(20)).await;
        }
        inner.say_beat().await;
    }
}

impl<E: Engine + Clone + 'static, B: Bus> Inner<E, B> {
    fn now(&self) -> u64 {
        self.began.elapsed().as_millis() as u64
    }

    /// Runs something for as long as the node is.
    fn spawn<F: Future<Output = ()> + Send + 'static>(self: &Arc<Self>, task: impl FnOnce(Arc<Self>) -> F) {
        tokio::spawn(task(Arc::clone(self)));
    }

    /// Runs something that goes on until the node ends.
    fn keep_doing<F: Future<Output = ()> + Send + 'static>(
        self: &Arc<Self>,
        task: impl FnOnce(Arc<Self>) -> F,
    ) {
        let task = tokio::spawn(task(Arc::clone(self)));
        lock(&self.tasks).push(task.abort_handle());
    }

    fn hear(self: &Arc<Self>, bytes: &[u8]) {
        // 256 partitions with large numbers have some 6 KB.
        const MOST: usize = 32 * 1024;
        let beat = (bytes.len() <= MOST).then(|| serde_json::from_slice::<Beat>(bytes).ok()).flatten();
        let Some(beat) = beat else { return tracing::debug!("a beat cannot be read") };
        if beat.node == self.id {
            self.echo.store(self.now(), Ordering::Relaxed);
            return self.judge_silence();
        }
        if beat.key != self.key && self.joined.load(Ordering::Relaxed) {
            // It finds out by itself, and says why.
            return tracing::warn!(node = %beat.node, "a node with another signing key wants to join");
        }
        self.hosts_as_well(&beat);
        let (node, missed, before) = {
            let mut members = lock(&self.members);
            (beat.node.clone(), members.has_missed(&beat), members.hear(self.now(), beat))
        };
        if missed {
            self.house.missed(Some(&node));
        }
        if let Some(before) = before {
            self.house.gone(&before);
        }
        self.changed.notify_waiters();
        self.act();
    }

    async fn say_beat(&self) {
        let beat = {
            let mut members = lock(&self.members);
            for partition in lock(&self.hosting).keys() {
                members.hosts(*partition, self.parts[usize::from(partition.0)].number());
            }
            members.beat(&self.key)
        };
        let bytes = serde_json::to_vec(&beat).expect("plain data");
        if let Err(why) = self.bus.publish(BEATS.to_owned(), bytes.into()).await {
            tracing::debug!(%why, "nobody hears that this node is there");
        }
    }

    /// Sees who is not there any more. Only who hears itself may say of others that they are silent: what they said before its
    /// own beat has come before it. So a node that was stopped or cut off does not take everything from those who went on.
    fn judge_silence(self: &Arc<Self>) {
        let (gone, late) = {
            let mut members = lock(&self.members);
            (members.expire(self.now()), members.late(self.now()))
        };
        gone.iter().for_each(|node| self.is_gone(node));
        for node in late {
            self.spawn(|inner| inner.is_there(node));
        }
        if !gone.is_empty() {
            self.act();
        }
    }

    /// Says that it is there and does what is to be done, for ever.
    async fn beats(self: Arc<Self>) {
        let mut often = interval(Duration::from_millis(BEAT));
        often.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut reading = JoinSet::new();
        let (mut beats, mut own) = (0u32, None);
        self.opened.store(self.now(), Ordering::Relaxed);
        loop {
            tokio::select! {
                _ = often.tick() => {}
                () = self.beat.notified() => {}
            }
            if self.ending.load(Ordering::Relaxed) {
                return;
            }
            // Who cannot store what the others write is no host.
            let takes = !self.leaving.load(Ordering::Relaxed) && !self.parts.iter().any(Follow::is_stuck);
            let missed = {
                let mut members = lock(&self.members);
                members.ready(takes);
                members.gaps(self.bus.gaps())
            };
            self.say_beat().await;
            if missed {
                self.house.missed(None);
            }
            self.act();
            beats = beats.saturating_add(1);
            while reading.try_join_next().is_some() {}
            if !reading.is_empty() {
                continue;
            }
            // Who lags behind what a host has said reads on; what is on its way comes within a beat as a rule.
            if beats >= 3 {
                beats = 0;
                for partition in self.behind() {
                    let inner = Arc::clone(&self);
                    reading.spawn(async move {
                        match inner.read_on(partition).await {
                            Ok(_) => {}
                            // That was said when it began.
                            Err(why) if inner.part(partition).is_stuck() => {
                                tracing::debug!(%partition, why, "the log cannot be followed yet");
                            }
                            Err(why) => tracing::warn!(%partition, why, "the log cannot be followed"),
                        }
                    });
                }
            }
            own = self.own_after(own);
            if let Some(partition) = own {
                let inner = Arc::clone(&self);
                reading.spawn(async move {
                    if let Err(why) = inner.look_at_own(partition).await {
                        tracing::debug!(%partition, why, "what is hosted here cannot be read");
                    }
                });
            }
        }
    }

    fn is_gone(&self, node: &NodeId) {
        tracing::warn!(%node, "a node is gone");
        self.house.gone(node);
        self.changed.notify_waiters();
    }

    /// Asks a node that was not heard whether it is there. If its connection is gone that is known at once.
    async fn is_there(self: Arc<Self>, node: NodeId) {
        let asked = self.bus.ask(talk::asks(&node), Ask::There.with(Partition(0), &[]), ANSWER).await;
        match asked {
            // It has other work than to say so by itself.
            Ok(_) => lock(&self.members).answers(self.now(), &node),
            Err(NoAnswer::Nobody) => {
                if lock(&self.members).bury(&node) {
                    self.is_gone(&node);
                    self.act();
                }
            }
            Err(NoAnswer::Late(_)) => {}
        }
    }

    /// Takes and gives what is to be taken and given.
    fn act(self: &Arc<Self>) {
        // Where all start at once, each has heard of the others before any takes what is to be another's.
        let is_new =
            self.now().saturating_sub(self.opened.load(Ordering::Relaxed)) < LISTENS.as_millis() as u64;
        let steps = {
            let members = lock(&self.members);
            let mut steps = members.steps();
            if is_new && members.nobody_hosts() {
                steps.take.clear();
            }
            steps
        };
        // What it was replaced in is taken again only by who hears, since others may have it.
        let heard = self.began + Duration::from_millis(self.echo.load(Ordering::Relaxed));
        for partition in steps.take {
            let cools = lock(&self.cooling).get(&partition).is_some_and(|cooling| cooling.until > heard);
            if !cools && !self.ending.load(Ordering::Relaxed) && lock(&self.busy).insert(partition) {
                self.spawn(|inner| inner.host(partition));
            }
        }
        for partition in steps.give {
            if lock(&self.hosting).contains_key(&partition) {
                self.spawn(|inner| async move { inner.let_go(partition).await });
            }
        }
    }

    /// Reads all that is in the log and not applied here.
    async fn read_all(self: &Arc<Self>) -> Result<(), Unable> {
        let at_once = Arc::new(Semaphore::new(AT_ONCE));
        let mut reading = JoinSet::new();
        for partition in (0..PARTITIONS).map(Partition) {
            let (inner, at_once) = (Arc::clone(self), Arc::clone(&at_once));
            reading.spawn(async move {
                let _turn = at_once.acquire().await;
                inner.read_on(partition).await
            });
        }
        while let Some(read) = reading.join_next().await {
            read.unwrap_or_else(|broken| Err(broken.to_string())).map_err(Unable::Follow)?;
        }
        Ok(())
    }

    /// Has the host of a partition do something, as soon as there is one.
    async fn with_host(
        self: &Arc<Self>,
        partition: Partition,
        ask: Ask,
        bytes: Vec<u8>,
    ) -> Result<Bytes, String> {
        let until = Instant::now() + PATIENCE;
        let mut why = "no node hosts it at the moment".to_owned();
        while Instant::now() < until {
            let changed = self.changed.notified();
            let host = lock(&self.members).host_of(partition).cloned();
            let reply = match host {
                None => Reply::NotHere,
                Some(host) if host == self.id => self.do_here(ask, partition, &bytes).await,
                Some(host) => match self.ask_while_there(&host, ask.with(partition, &bytes)).await {
                    Ok(answer) => answer_of(&answer),
                    Err(no_answer) => {
                        why = no_answer.to_string();
                        Reply::NotHere
                    }
                },
            };
            match reply {
                Reply::Done(bytes) => return Ok(bytes),
                Reply::Refused(why) => return Err(why),
                Reply::NotHere => drop(timeout(Duration::from_millis(BEAT / 2), changed).await),
            }
        }
        Err(why)
    }

    /// Asks another node and waits for the answer as long as that is there: one that was killed with a question on its way never
    /// answers.
    async fn ask_while_there(&self, node: &NodeId, bytes: Bytes) -> Result<Bytes, NoAnswer> {
        let mut asked = pin!(self.bus.ask(talk::asks(node), bytes, ANSWER));
        loop {
            let changed = self.changed.notified();
            if !lock(&self.members).knows(node) {
                return Err(NoAnswer::Late(format!("{} is gone", node.name())));
            }
            tokio::select! {
                answer = &mut asked => return answer,
                () = changed => {}
            }
        }
    }

    /// Does what the host of a partition was asked for.
    async fn do_here(self: &Arc<Self>, ask: Ask, partition: Partition, bytes: &[u8]) -> Reply {
        if ask == Ask::There {
            return Reply::Done(Bytes::new());
        }
        let Some(hosting) = lock(&self.hosting).get(&partition).cloned() else { return Reply::NotHere };
        if ask == Ask::Question {
            let (house, question) = (Arc::clone(&self.house), bytes.to_vec());
            let answered = tokio::task::spawn_blocking(move || house.answer(partition, &question)).await;
            return match answered {
                Ok(Ok(answer)) => Reply::Done(answer.into()),
                Ok(Err(why)) => Reply::Refused(why),
                Err(broken) => Reply::Refused(broken.to_string()),
            };
        }
        let (told, heard) = tokio::sync::oneshot::channel();
        hosting.hand(bytes.to_vec(), Box::new(move |outcome| drop(told.send(outcome))));
        match heard.await {
            Ok(Outcome::Committed(number)) => Reply::Done(number.to_le_bytes().to_vec().into()),
            Ok(Outcome::Refused(why) | Outcome::Unknown(why)) => Reply::Refused(why),
            Ok(Outcome::Over) | Err(_) => Reply::NotHere,
        }
    }

    /// Answers what other nodes ask.
    async fn answers(self: Arc<Self>, mut asked: futures_util::stream::BoxStream<'static, crate::Heard>) {
        while let Some(heard) = asked.next().await {
            let Some(reply) = heard.reply else { continue };
            self.spawn(|inner| async move {
                let answer = match ask_of(&heard.bytes) {
                    Some((ask, partition, bytes)) => inner.do_here(ask, partition, bytes).await,
                    None => Reply::Refused("this node does not understand what it is asked".to_owned()),
                };
                if let Err(why) = inner.bus.publish(reply, answer.encode()).await {
                    tracing::debug!(%why, "an answer did not go out");
                }
            });
        }
    }

    /// Hears what other nodes say.
    async fn listens(self: Arc<Self>, mut said: futures_util::stream::BoxStream<'static, crate::Heard>) {
        while let Some(heard) = said.next().await {
            if let Some((from, bytes)) = talk::said(&heard.bytes) {
                self.house.heard(&from, bytes);
            }
        }
    }
}

#[cfg(test)]
mod tests;
