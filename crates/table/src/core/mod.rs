//! The table behind its lock.

mod acts;
mod bot_seats;
mod chance;
mod clock;
mod commands;
mod commit;
mod frames;
mod presence;
mod rest;
mod trouble;

use crate::log::read_log;
use crate::play::{Frame, Over, Play};
use crate::{Append, AppendListener, Appended, Env, MatchId, Outlet, Playable, Unreadable};
use bots::{Bot, Thought};
use game::chance::SplitMix;
use game::{Contest, Input, Millis, Outcome, Presence, Refusal, Seat, SeatSet, Status, Timing, Viewer, say};
use record::fair::{Bytes32, commitment};
use record::{Cause, Entry, EntryOf, Header, Note, Pause, Sitter, SitterKind, fair};
use rest::Rest;
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::collections::{BTreeSet, VecDeque};
use std::hash::{Hash as _, Hasher as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use wire::{
    Act, Answer, Occupant, PROTOCOL, Paused, Phrase, SeatState, SeedCall, SeedGiven, Stage, TableState,
    ToClient, ToServer, ViewerKey, Welcome,
};

/// Milliseconds that a deal waits for commitments, and then again for seeds.
const SEEDS: u64 = 1000;
/// Milliseconds between pings of one socket, the first few and then.
const PING: (u64, u64) = (1000, 15_000);
/// Milliseconds after which a socket that does not answer is taken to be dead.
const DEAD: u64 = 30_000;
/// Milliseconds between attempts to go on after the storage failed.
const RETRY: u64 = 1000;
/// Milliseconds of match time after which a bot whose command was refused is asked again.
const REST: u32 = 1000;
/// The same where it broke down over thinking.
const LONG_REST: u32 = 30_000;
/// Times that a table may break down before anything was played again; then its match stands still.
const BREAKDOWNS: u8 = 3;
/// Most frames kept for those who come back.
const RECENT: usize = 64;
/// Milliseconds between two `table` frames, unless the match stands still or goes on.
const JOIN: u64 = 200;
/// Milliseconds after which it is told who came to watch or left: that nobody waits for.
const WATCHERS: u64 = 2000;
/// Milliseconds between two views of one socket.
const RESYNC: u64 = 1000;
/// Milliseconds that a socket's views may come early: a few come at once when people sit down and a match begins.
const VIEWS_EARLY: u64 = 4000;
/// Most sockets of one person: when they come with another one, the oldest is closed.
const MOST_OF_ONE: usize = 8;
/// Milliseconds between two phrases of one socket.
const SAY: u64 = 1000;
/// Turns that run out in a row before a bot plays the seat (contract/A-48).
const IDLE_TURNS: u8 = 2;
/// Seconds after which a person who is not connected is not asked whether the match may be ended.
const AWAY: u64 = 120;
/// Most people whom a table keeps out.
const REMOVED: usize = 100;
/// Milliseconds for which a match that is over stays in memory after it was read for those who wanted to see it.
const SHOWN: u64 = 10_000;

/// What those are told who are at a table that is closed.
fn closed() -> Refusal {
    say!("no_table.closed").into()
}

/// What somebody is told over whose act the table broke down.
pub(crate) fn broke_down() -> Refusal {
    say!("no_table.broke_down").into()
}

/// The answer to a command that is not judged.
fn not_now(why: Refusal) -> Answer {
    let Refusal { text, say, .. } = why.spoken();
    Answer::NotNow { text, say }
}

/// The last frame on a connection that the table closes.
fn parting<C, V, N>(why: Refusal, retry: bool) -> ToClient<C, V, N> {
    let Refusal { text, say, .. } = why.spoken();
    ToClient::Error { text, say, retry }
}

/// Somebody with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// What the server knows them by; never sent to anybody.
    pub id: String,
    /// What others see.
    pub name: String,
}

/// What a table is opened with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "R: serde::de::DeserializeOwned"))]
pub struct Settings<R> {
    /// Its id, hard to guess.
    pub id: String,
    /// What is played.
    pub rules: Arc<R>,
    /// How many may sit.
    pub seats: u8,
    /// Who opened it and keeps it.
    pub host: Person,
    /// Which bot sits in for a person who is away.
    pub sit_in: String,
    /// Whether seats that are empty when a match starts stay at the table, for people to join later (LEAVE-7); else the
    /// match is played by those who are there.
    pub join_late: bool,
    /// Seconds that the match rests between two rounds at most, until all who are there have gone on; 0 for no rest.
    #[serde(default = "rest_s")]
    pub rest_s: u8,
    /// Whether it is a trial: one match, of which everything is the same for everybody who plays it elsewhere.
    #[serde(default)]
    pub trial: Option<Trial>,
}

/// [`Settings::rest_s`] where nobody says another.
#[must_use]
pub const fn rest_s() -> u8 {
    20
}

/// A match that many people play, each at a table of their own, to compare results: a game of the day.
///
/// All that chance decides follows from the seed. Once the cards lie, the clock goes on whoever is connected: looking at
/// the cards in peace would be an advantage. For the same reason nobody pauses the match, ends it by agreement, lets a bot
/// play or begins again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trial {
    /// What the chance of this trial is named by, such as `daily-puzzle/2026-01-31`.
    pub name: String,
    /// The seed, the same at every table of the trial, and a secret as long as anybody can still be ranked.
    pub seed: Bytes32,
}

impl Trial {
    /// Seconds after which a trial ends in which nothing is done. More than at other tables: a hard puzzle is looked at for long.
    pub const ABANDON_S: u16 = 1800;

    /// What the header of the record says of the shuffle: that no players' seeds are in it, so that nothing is proved.
    const SHUFFLE: &str = "trial-1";

    fn answer(&self, need: &game::Need, seats: u8) -> game::Draw {
        fair::Solo::new(self.name.as_str(), self.seed, seats).answer(need)
    }
}

/// A table as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "R: serde::de::DeserializeOwned"))]
pub struct Saved<R> {
    /// What it was opened with.
    pub settings: Settings<R>,
    /// Who sits where.
    pub chairs: Vec<Chair>,
    /// What it is doing.
    pub stage: Stage,
    /// Which match at this table, from 1; 0 before the first.
    pub game: u32,
    /// The match that is on, or that has just ended.
    pub playing: Option<MatchId>,
    /// Whether the host has stopped the clock.
    pub asked: bool,
    /// Whether it rests between two rounds.
    #[serde(default)]
    pub rests: bool,
    /// How far match time was.
    #[serde(default)]
    pub at: Millis,
    /// When that was, in milliseconds since 1970; 0 where that was not written down.
    #[serde(default)]
    pub seen: u64,
    /// Since when nobody has been connected, in seconds since 1970; 0 if somebody is.
    #[serde(default)]
    pub left: u64,
    /// Whom the host has removed: they cannot sit down again.
    #[serde(default)]
    pub removed: Vec<Person>,
    /// Who agrees to end the match.
    #[serde(default)]
    pub ending: SeatSet,
    /// Once the match is over: how many of its deals had no seed of the person in each seat. Empty if there are none.
    #[serde(default)]
    pub without_seed: Vec<u16>,
}

/// What is to be seen of a table from outside, awake or asleep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glance {
    /// Who has each seat.
    pub seats: Vec<Option<Who>>,
    /// What it is doing.
    pub stage: Stage,
    /// Since when nobody has been connected, in seconds since 1970; 0 if somebody is, or was when the power was cut.
    pub left: u64,
    /// Whether its clock has not moved yet in the match that is on.
    pub at_start: bool,
    /// Whether its match is a trial, whose clock waits for nobody.
    pub trial: bool,
}

impl<R> Saved<R> {
    fn glance(&self) -> Glance {
        Glance {
            seats: self.chairs.iter().map(|chair| chair.who.clone()).collect(),
            stage: self.stage,
            left: self.left,
            at_start: self.at == Millis(0),
            trial: self.settings.trial.is_some(),
        }
    }
}

/// What is to be seen of a table that is asleep, and as much of its rules as `R` says.
///
/// # Errors
/// If `saved` cannot be read.
pub fn glance<R: serde::de::DeserializeOwned>(saved: &str) -> Result<(Glance, Arc<R>), Unreadable> {
    let saved: Saved<R> = serde_json::from_str(saved)
        .map_err(|e| Unreadable(format!("the saved table cannot be read: {e}")))?;
    Ok((saved.glance(), saved.settings.rules))
}

/// One seat of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chair {
    /// Who has it.
    pub who: Option<Who>,
    /// Whether they are ready to start.
    pub ready: bool,
    /// Whether a bot plays for the person.
    #[serde(default)]
    pub bot_plays: bool,
    /// Since when the person has not been connected, in seconds since 1970; 0 if they are.
    #[serde(default)]
    pub gone: u64,
    /// Who left this match for good, while nobody else has the seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<Person>,
}

/// Who has a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// A person.
    Person(Person),
    /// A bot of this kind.
    Bot(String),
}

impl Chair {
    fn person(&self) -> Option<&Person> {
        match &self.who {
            Some(Who::Person(person)) => Some(person),
            _ => None,
        }
    }
    /// The kind of the bot that plays here, if one does.
    fn bot<'a>(&'a self, sit_in: &'a str) -> Option<&'a str> {
        match &self.who {
            Some(Who::Bot(kind)) => Some(kind),
            Some(Who::Person(_)) if self.bot_plays => Some(sit_in),
            _ => None,
        }
    }
}

/// Who plays a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Which match.
    pub id: MatchId,
    /// At which table.
    pub table: String,
    /// Who has each seat.
    pub seats: Vec<Option<Who>>,
}

/// A match that has ended, for the archive.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// Which match.
    pub id: MatchId,
    /// At which table.
    pub table: String,
    /// Who had each seat at the end.
    pub seats: Vec<Option<Who>>,
    /// The result; none if it was ended by agreement.
    pub outcome: Option<Outcome>,
    /// Number of entries in its log.
    pub entries: u32,
}

/// A socket of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Asker {
    place: u32,
    age: u32,
}

impl Asker {
    /// No socket at all.
    pub const NOBODY: Asker = Asker { place: u32::MAX, age: 0 };
}

/// Slow work that the core asks for.
pub(crate) enum Job<G: Playable> {
    Think(Thinking<G>),
    Read(MatchId),
    Finished(Finished),
}

/// A bot on its way to think and back.
pub(crate) struct Thinking<G: Playable> {
    game: u32,
    seat: Seat,
    n: u32,
    at: Millis,
    view: G::View,
    bot: Box<dyn Bot<G::View>>,
    chance: SplitMix,
}

impl<G: Playable> Thinking<G> {
    /// In which match at the table, and in which seat.
    pub fn whose(&self) -> (u32, Seat) {
        (self.game, self.seat)
    }

    pub fn think(&mut self) -> Option<Thought<G::Command>> {
        self.bot.think(&self.view, self.at, &mut self.chance)
    }
}

struct BotSeat<G: Playable> {
    kind: String,
    name: String,
    /// Away while it thinks.
    bot: Option<Box<dyn Bot<G::View>>>,
    chance: SplitMix,
    /// Number of the last notice it has thought about.
    asked: Option<u32>,
    /// What it will do, and when.
    thought: Option<(Millis, G::Command)>,
    /// Not to be asked before.
    rest: Millis,
}

struct Socket {
    age: u32,
    outlet: Arc<dyn Outlet>,
    person: Option<Person>,
    client: u32,
    /// It has said hello.
    hello: bool,
    /// It was sent what it needs to follow.
    greeted: bool,
    viewer: Viewer,
    /// Entries up to this one are in what it was sent when it was greeted.
    from: u32,
    ping: Option<(u32, u64)>,
    pings: u32,
    next_ping: u64,
    trips: VecDeque<u16>,
    said: u64,
    /// When the last view that was sent would have come, had all come at their pace.
    viewed: u64,
    /// When it was last sent a view because it wanted a fresh one.
    resynced: u64,
    /// When it gets the view that it waits for.
    view_due: Option<u64>,
    /// Whether it was sent something since the outlets were flushed.
    sent: Cell<bool>,
}

impl Socket {
    fn send(&self, body: &[u8]) {
        self.sent.set(true);
        self.outlet.send(body);
    }

    /// Sends a `table` frame.
    fn send_state(&self, body: &[u8]) {
        self.sent.set(true);
        self.outlet.send_state(body);
    }

    /// Half the smallest of the last round trips, within the bound.
    fn half_trip(&self) -> u16 {
        self.trips.iter().min().map_or(0, |trip| (trip / 2).min(Timing::MOST_OFF))
    }
}

/// What leaves once an entry is durable.
struct Waiting {
    ply: u32,
    frames: Vec<Frame>,
    verdicts: Vec<Verdict>,
    then: Vec<Then>,
}

struct Verdict {
    to: Asker,
    seat: Seat,
    client: u32,
    id: u32,
    at: Millis,
    answer: Answer,
}

enum Then {
    /// A welcome, the state of the table, and what else is needed to follow.
    Greet {
        to: Asker,
        welcome: Vec<u8>,
        state: Vec<u8>,
        frames: Vec<Vec<u8>>,
    },
    Committed {
        deal: u16,
        hash: Bytes32,
    },
    Open {
        deal: u16,
    },
    Revealed {
        deal: u16,
        seed: Bytes32,
    },
    /// The match rests between two rounds.
    Rest,
    /// The storage works again.
    Trust,
    Over,
}

/// A command on its way to be judged.
struct HeldCommand<C> {
    from: Option<Asker>,
    seat: Seat,
    client: u32,
    id: u32,
    seen: u32,
    timing: Timing,
    command: C,
}

struct Hold<C> {
    until: u64,
    items: Vec<HeldCommand<C>>,
    acts: Vec<(Asker, Act)>,
}

/// How a table was when it was saved last: what memory goes back to when it broke down.
#[derive(Clone)]
struct Standing {
    chairs: Vec<Chair>,
    stage: Stage,
    game: u32,
    playing: Option<MatchId>,
    asked: bool,
    removed: Vec<Person>,
}

enum Trouble {
    /// Moves cannot be stored; try again at that time of the host's clock.
    Storage { text: String, retry: Option<u64> },
    /// The log cannot be read by this version.
    Log { text: String },
}

/// Since when match time has stood still.
#[derive(Clone, Copy)]
struct Stopped {
    /// On the host's clock.
    since: u64,
    /// Milliseconds for which it had stood still when this host took the table.
    before: u64,
    why: Pause,
}

/// When a table was saved for the last time by the host before this one.
#[derive(Clone, Copy)]
struct LastSaved {
    /// In milliseconds since 1970.
    seen: u64,
    /// How far match time was.
    at: Millis,
    /// Whether nobody was connected.
    nobody: bool,
}

/// Match time: how far it was, and since when it has been going on.
#[derive(Clone, Copy)]
struct Watch {
    base: Millis,
    since: Option<u64>,
}

impl Watch {
    fn at(self, now: u64) -> Millis {
        self.since.map_or(self.base, |since| {
            self.base.after(u32::try_from(now.saturating_sub(since)).unwrap_or(u32::MAX))
        })
    }
    /// When it will show `due`, on the host's clock.
    fn when(self, due: Millis) -> Option<u64> {
        self.since.map(|since| since + u64::from(due.since(self.base)))
    }
}

/// What of a table's state is told at once: whether a match is on, which, and why it stands still.
type Stated = Option<(Stage, u32, Option<Paused>)>;

/// What [`Core::answered`] says of a command's number.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Answered {
    /// Not yet.
    New,
    /// It was accepted.
    Done,
    /// It was answered; how is forgotten.
    Before,
}

/// What somebody asked for who must hear that it was not done: else their client would send it again and again, or wait.
pub(crate) enum Asked {
    Command(u32),
    Act(Act),
}

/// Makes what hears from the journal, of an age: what an older one hears is of no concern any more.
pub(crate) type NewListener = Box<dyn Fn(u32) -> Arc<dyn AppendListener> + Send>;

/// What `f` gives, unless it breaks down: then the panic has been printed, and whatever it was changing is not to be trusted.
pub(crate) fn unless_broken<T>(f: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(f)).ok()
}

pub(crate) struct Core<G: Playable> {
    env: Env<G>,
    settings: Settings<G::Rules>,
    chairs: Vec<Chair>,
    bots: Vec<Option<BotSeat<G>>>,
    sockets: Vec<Option<Socket>>,
    age: u32,
    stage: Stage,
    game: u32,
    play: Option<Play<G>>,
    playing: Option<MatchId>,
    watch: Watch,
    stopped: Option<Stopped>,
    /// How it was saved for the last time before this host took it, until that is reckoned with.
    last_saved: Option<LastSaved>,
    asked: bool,
    resting: Option<Rest>,
    ending: SeatSet,
    removed: Vec<Person>,
    trouble: Option<Trouble>,
    /// Number of the last entry that is durable.
    durable: u32,
    waiting: VecDeque<Waiting>,
    recent: VecDeque<Frame>,
    refused: VecDeque<(Seat, u32, u32, Answer)>,
    unsettled: Vec<(Asker, Seat, u32, u32)>,
    hold: Option<Hold<G::Command>>,
    /// What a deal waits for until when, on the host's clock.
    seeds_until: Option<(u16, u64)>,
    finishing: bool,
    wanted: u32,
    armed: Option<u64>,
    /// The table is other than everybody was told.
    changed: bool,
    /// Only the number of those who watch is.
    watched: bool,
    /// What everybody was told last, and when, as far as it is not to wait.
    stated: (u64, Stated),
    /// When everybody is to be told.
    state_due: Option<u64>,
    unsaved: bool,
    kept: Standing,
    /// Whether the log of a match that is over is being read.
    looking_up: bool,
    /// When the match that is over is let go, if it was read again.
    let_go_at: Option<u64>,
    /// See [`Saved::without_seed`].
    without_seed: Vec<u16>,
    /// Whether the table is no more.
    closed: bool,
    /// It goes on elsewhere, or later: nobody is let in any more, and told why.
    shut: Option<Refusal>,
    /// How often it broke down since something was played.
    breakdowns: u8,
    /// Not to be woken before this time of the host's clock, because it broke down.
    rests_until: u64,
    jobs: Vec<Job<G>>,
    events: Vec<G::Event>,
    /// See [`Saved::left`].
    left: u64,
    /// The fingerprint of what was saved last.
    saved: u64,
    /// What hears from the journal, and how often it was changed for another one.
    listener: Option<Arc<dyn AppendListener>>,
    listener_age: u32,
    /// Makes one of an age.
    new_listener: Option<NewListener>,
}

type CommandOf<G> = <G as game::Game>::Command;
type Notes<G> = Vec<Note<CommandOf<G>>>;

/// A frame without a game in it.
fn frame(frame: &ToClient<(), (), ()>) -> Vec<u8> {
    serde_json::to_vec(frame).expect("frames are plain data")
}

impl<G: Playable> Core<G> {
    pub fn new(settings: Settings<G::Rules>, env: Env<G>) -> Core<G> {
        let seats = usize::from(settings.seats);
        let left = env.host.today();
        Core {
            env,
            settings,
            chairs: vec![Chair::default(); seats],
            bots: (0..seats).map(|_| None).collect(),
            sockets: Vec::new(),
            age: 0,
            stage: Stage::Lobby,
            game: 0,
            play: None,
            playing: None,
            watch: Watch { base: Millis(0), since: None },
            stopped: None,
            last_saved: None,
            asked: false,
            resting: None,
            ending: SeatSet::NONE,
            removed: Vec::new(),
            trouble: None,
            durable: 0,
            waiting: VecDeque::new(),
            recent: VecDeque::new(),
            refused: VecDeque::new(),
            unsettled: Vec::new(),
            hold: None,
            seeds_until: None,
            finishing: false,
            wanted: 0,
            armed: None,
            changed: false,
            watched: false,
            stated: (0, Stated::default()),
            state_due: None,
            unsaved: false,
            kept: Standing {
                chairs: vec![Chair::default(); seats],
                stage: Stage::Lobby,
                game: 0,
                playing: None,
                asked: false,
                removed: Vec::new(),
            },
            looking_up: false,
            let_go_at: None,
            without_seed: Vec::new(),
            closed: false,
            shut: None,
            breakdowns: 0,
            rests_until: 0,
            jobs: Vec::new(),
            events: Vec::new(),
            left,
            saved: 0,
            listener: None,
            listener_age: 0,
            new_listener: None,
        }
    }

    pub fn restored(text: &str, saved: Saved<G::Rules>, env: Env<G>) -> Core<G> {
        let mut core = Core::new(saved.settings, env);
        core.saved = fingerprint(text);
        core.chairs = saved.chairs;
        core.bots = (0..core.chairs.len()).map(|_| None).collect();
        core.stage = saved.stage;
        core.game = saved.game;
        core.playing = saved.playing;
        core.asked = saved.asked;
        core.resting = saved.rests.then(Rest::told);
        core.removed = saved.removed;
        core.ending = saved.ending;
        core.without_seed = saved.without_seed;
        core.watch.base = saved.at;
        let last = LastSaved { seen: saved.seen, at: saved.at, nobody: saved.left > 0 };
        core.last_saved = Some(last).filter(|last| last.seen > 0);
        if saved.left > 0 {
            core.left = saved.left;
        }
        core.kept = core.standing();
        core
    }

    /// Folds the match that was on, when the server starts.
    pub fn restart(&mut self, rows: Vec<Vec<u8>>) {
        self.note_who_is_gone();
        // One that is over is read when somebody comes to see it.
        if self.playing.is_some() && self.stage != Stage::Over {
            if rows.is_empty() && self.stage == Stage::Playing {
                // Stopped after the table was kept and before the first row: nobody heard of the match.
                self.stage = Stage::Lobby;
                self.playing = None;
                self.game -= 1;
                self.unsaved = true;
                return;
            }
            match self.fold(&rows) {
                Ok(play) => self.adopt(play),
                Err(e) => self.trouble = Some(Trouble::Log { text: e.to_string() }),
            }
            if self.stage == Stage::Playing && self.trouble.is_none() {
                self.seat_bots();
                let down = self.stood_still();
                self.take_over(down);
                self.follow();
                // A trial goes on, whether or not its player has found back.
                self.run_or_stop();
            }
        }
    }

    fn standing(&self) -> Standing {
        Standing {
            chairs: self.chairs.clone(),
            stage: self.stage,
            game: self.game,
            playing: self.playing,
            asked: self.asked,
            removed: self.removed.clone(),
        }
    }

    fn now(&self) -> u64 {
        self.env.host.now()
    }

    /// Who plays a seat now, as records call them.
    fn sits(&self, place: usize) -> Sitter {
        match &self.bots[place] {
            Some(bot) => Sitter { name: bot.name.clone(), kind: SitterKind::Bot(bot.name.clone()) },
            None => sitter(&self.chairs[place]),
        }
    }
}

/// Tells one text from another.
fn fingerprint(text: &str) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

fn sitter(chair: &Chair) -> Sitter {
    match &chair.who {
        Some(Who::Person(p)) => Sitter { name: p.name.clone(), kind: SitterKind::Person },
        Some(Who::Bot(kind)) => Sitter { name: kind.clone(), kind: SitterKind::Bot(kind.clone()) },
        None => Sitter { name: String::new(), kind: SitterKind::Empty },
    }
}

fn seed_frame(call: SeedCall) -> Vec<u8> {
    frame(&ToClient::Seed(call))
}

/// The call to open, with all that is bound: so each client sees whether its own commitment is in the log.
fn open_frame(game: u32, deal: &crate::fair::Deal) -> Vec<u8> {
    let (bound, without) = (deal.commits.clone(), deal.unbound);
    seed_frame(SeedCall::Open { game, deal: deal.deal, bound, without })
}
