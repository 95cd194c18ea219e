//! The table behind its lock.

use crate::play::{Frame, Over, Play};
use crate::shell::{Me, Myself as _, read_log};
use crate::{Append, Appended, Env, MatchId, Outlet, Playable, Unreadable};
use bots::{Bot, Thought};
use bytes::Bytes;
use game::chance::SplitMix;
use game::{Input, Millis, Outcome, Presence, Race, Refusal, Seat, SeatSet, Status, Timing, Viewer};
use record::fair::{Bytes32, commitment};
use record::{Cause, Entry, EntryOf, Header, Note, Pause, Sitter, SitterKind, fair};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;
use wire::{
    Act, Answer, Occupant, PROTOCOL, Paused, Phrase, SeatState, SeedCall, SeedGiven, Stage, TableState,
    ToClient, ToServer, ViewerKey, Welcome,
};

/// Most of a round trip's half that is taken off an act, in milliseconds.
const ADJUST_MOST: u16 = 150;
/// Most that is taken off one player's acts in one deal, in milliseconds.
const ADJUST_DEAL: u16 = 2000;
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
/// Most frames kept for those who come back.
const RECENT: usize = 64;
/// Milliseconds between two phrases of one socket.
const SAY: u64 = 1000;
/// Turns that run out in a row before a bot plays the seat (contract/A-48).
const IDLE_TURNS: u8 = 2;

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
    /// Whether it is a trial: one match, of which everything is the same for everybody who plays it elsewhere.
    #[serde(default)]
    pub trial: Option<Trial>,
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
    /// The seed, the same at every table of the trial, and a secret.
    pub seed: Bytes32,
}

impl Trial {
    /// What the header of the record says of the shuffle: that no players' seeds are in it, so that nothing is proved.
    const SHUFFLE: &str = "trial-1";

    fn answer(&self, need: &game::Need, seats: u8) -> game::Draw {
        fair::Solo::new(self.name.as_str(), self.seed, seats).answer(need)
    }
}

/// A table as the shelf keeps it.
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
}

impl Socket {
    /// Half the smallest of the last round trips, within the bound.
    fn half_trip(&self) -> u16 {
        self.trips.iter().min().map_or(0, |trip| (trip / 2).min(ADJUST_MOST))
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
    Greet {
        to: Asker,
        frames: Vec<Bytes>,
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
    /// The storage works again.
    Trust,
    Over,
}

/// A command on its way to be judged.
struct Held<C> {
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
    items: Vec<Held<C>>,
    acts: Vec<(Asker, Act)>,
}

enum Trouble {
    /// Moves cannot be stored; try again at that time of the host's clock.
    Storage { text: String, retry: Option<u64> },
    /// The log cannot be read by this version.
    Log { text: String },
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
    stopped: Option<(u64, Pause)>,
    asked: bool,
    ending: SeatSet,
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
    changed: bool,
    unsaved: bool,
    jobs: Vec<Job<G>>,
    events: Vec<G::Event>,
    empty_since: u64,
    pub told: Option<Me<G>>,
}

type CommandOf<G> = <G as game::Game>::Command;
type Notes<G> = Vec<Note<CommandOf<G>>>;

/// A frame without a game in it.
fn frame(frame: &ToClient<(), (), ()>) -> Bytes {
    serde_json::to_vec(frame).expect("frames are plain data").into()
}

impl<G: Playable> Core<G> {
    pub fn new(settings: Settings<G::Rules>, env: Env<G>) -> Core<G> {
        let seats = usize::from(settings.seats);
        let now = env.host.now();
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
            asked: false,
            ending: SeatSet::NONE,
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
            unsaved: false,
            jobs: Vec::new(),
            events: Vec::new(),
            empty_since: now,
            told: None,
        }
    }

    pub fn restored(saved: Saved<G::Rules>, env: Env<G>) -> Core<G> {
        let mut core = Core::new(saved.settings, env);
        core.chairs = saved.chairs;
        core.bots = (0..core.chairs.len()).map(|_| None).collect();
        core.stage = saved.stage;
        core.game = saved.game;
        core.playing = saved.playing;
        core.asked = saved.asked;
        core
    }

    /// Folds the match that was on, when the server starts.
    pub fn restart(&mut self, rows: Vec<Vec<u8>>) {
        if self.playing.is_some() {
            if rows.is_empty() && self.stage == Stage::Playing {
                // Stopped between the shelf and the first row: nobody heard of the match.
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
                self.take_over();
                self.follow();
                // A trial goes on, whether or not its player has found back.
                self.run_or_stop();
            }
        }
    }

    fn now(&self) -> u64 {
        self.env.host.now()
    }

    // ---- Who is here -------------------------------------------------------------------------------------------------

    fn socket(&mut self, asker: Asker) -> Option<&mut Socket> {
        self.sockets.get_mut(asker.place as usize)?.as_mut().filter(|s| s.age == asker.age)
    }

    fn send(&mut self, to: Asker, body: Bytes) {
        if let Some(socket) = self.socket(to) {
            socket.outlet.send(body);
        }
    }

    fn all(&self, body: &Bytes) {
        for socket in self.sockets.iter().flatten().filter(|s| s.greeted) {
            socket.outlet.send(body.clone());
        }
    }

    pub fn connect(&mut self, person: Option<Person>, outlet: Arc<dyn Outlet>) -> Asker {
        let viewer = self.viewer_of(person.as_ref());
        self.age = self.age.wrapping_add(1);
        let age = self.age;
        let socket = Socket {
            age,
            outlet,
            person,
            client: 0,
            hello: false,
            greeted: false,
            viewer,
            from: 0,
            ping: None,
            pings: 0,
            next_ping: u64::MAX,
            trips: VecDeque::new(),
            said: 0,
        };
        let place = self.sockets.iter().position(Option::is_none).unwrap_or_else(|| {
            self.sockets.push(None);
            self.sockets.len() - 1
        });
        self.sockets[place] = Some(socket);
        Asker { place: place as u32, age }
    }

    pub fn disconnect(&mut self, asker: Asker) {
        if self.socket(asker).is_some() {
            self.sockets[asker.place as usize] = None;
            if self.sockets.iter().all(Option::is_none) {
                self.sockets = Vec::new();
                self.empty_since = self.now();
            }
            self.presence_changed();
        }
    }

    pub fn open_sockets(&self) -> (usize, u64) {
        (self.sockets.iter().flatten().count(), self.empty_since)
    }

    fn viewer_of(&self, person: Option<&Person>) -> Viewer {
        person.and_then(|p| self.seat_of(&p.id)).map_or(Viewer::Table, Viewer::Seat)
    }

    pub fn seat_of(&self, person: &str) -> Option<Seat> {
        let has = |chair: &Chair| chair.person().is_some_and(|p| p.id == person);
        self.chairs.iter().position(has).map(|place| Seat(place as u8))
    }

    pub fn people(&self) -> Vec<String> {
        self.chairs.iter().filter_map(|c| Some(c.person()?.id.clone())).collect()
    }

    pub fn rename(&mut self, person: &Person) {
        for chair in &mut self.chairs {
            if let Some(Who::Person(p)) = &mut chair.who
                && p.id == person.id
            {
                p.name.clone_from(&person.name);
            }
        }
        if self.settings.host.id == person.id {
            self.settings.host.name.clone_from(&person.name);
        }
        self.changed = true;
        self.unsaved = true;
    }

    pub fn playing(&self) -> Option<MatchId> {
        self.playing
    }

    /// Whether a socket of the person in this seat is open.
    fn connected(&self, seat: Seat) -> bool {
        self.sockets.iter().flatten().any(|s| s.hello && s.viewer.is(seat))
    }

    /// Whether somebody is there for whom time goes on: a person who has a seat or, where none has, anybody.
    fn somebody(&self) -> bool {
        let seated = self.chairs.iter().any(|c| c.person().is_some());
        self.sockets.iter().flatten().any(|s| s.hello && (!seated || s.viewer != Viewer::Table))
    }

    fn presence_changed(&mut self) {
        self.changed = true;
        self.rewant();
        self.run_or_stop();
        self.tell_presence();
    }

    /// Whose notices are worth putting into frames: those who are there, and people who may come back.
    fn rewant(&mut self) {
        self.wanted = 0;
        if let Some(play) = &self.play {
            for socket in self.sockets.iter().flatten().filter(|s| s.hello) {
                self.wanted |= 1 << play.slot(socket.viewer);
            }
            for (seat, chair) in self.chairs.iter().enumerate() {
                if chair.person().is_some() {
                    self.wanted |= 1 << seat;
                }
            }
        }
    }

    /// Tells the rules who came and went, once somebody is there for whom time goes on.
    fn tell_presence(&mut self) {
        if self.stage != Stage::Playing || self.hold.is_some() || self.troubled() || !self.somebody() {
            return;
        }
        // In a trial only the clock counts.
        if self.settings.trial.is_some() {
            return;
        }
        for place in 0..self.chairs.len() {
            let seat = Seat(place as u8);
            let Some(play) = &mut self.play else { return };
            if play.over.is_some() || self.chairs[place].person().is_none() {
                continue;
            }
            let here = self.chairs[place].bot_plays
                || self.sockets.iter().flatten().any(|s| s.hello && s.viewer.is(seat));
            if here != play.present[place] {
                play.present[place] = here;
                let presence = if here { Presence::Back } else { Presence::Dropped };
                // Rules that know no coming and going refuse; then it is nothing to them.
                if self.judge_now(Cause::Host, Input::Presence(seat, presence), Vec::new()).is_ok() {
                    self.follow();
                }
            }
        }
    }

    // ---- Time --------------------------------------------------------------------------------------------------------

    fn troubled(&self) -> bool {
        self.trouble.is_some()
    }

    /// Match time now, never before that of the last entry.
    fn at(&self) -> Millis {
        let at = self.watch.at(self.now());
        self.play.as_ref().map_or(at, |play| at.max(play.at))
    }

    fn run_or_stop(&mut self) {
        let why = if self.asked { Pause::Asked } else { Pause::Nobody };
        let playing = self.stage == Stage::Playing && self.play.as_ref().is_some_and(|p| p.over.is_none());
        let run = playing && !self.asked && !self.troubled() && (self.somebody() || self.on_trial());
        let now = self.now();
        match (run, self.watch.since) {
            (true, None) => {
                self.watch.since = Some(now);
                self.changed = true;
                self.follow();
            }
            (false, Some(_)) => {
                if self.hold.is_some() {
                    self.release();
                }
                self.watch = Watch { base: self.watch.at(now), since: None };
                if playing {
                    self.stopped = Some((now, why));
                }
                self.changed = true;
            }
            _ => {}
        }
    }

    /// Whether this is a trial whose cards lie: its clock waits for nobody.
    fn on_trial(&self) -> bool {
        let dealt = |play: &Play<G>| !matches!(play.truth.status(), Status::Chance(_));
        self.settings.trial.is_some() && self.play.as_ref().is_some_and(dealt)
    }

    /// Lets the alarms ring that are due, in order.
    fn ring(&mut self) {
        while self.watch.since.is_some() && self.hold.is_none() && !self.troubled() {
            let now = self.watch.at(self.now());
            let Some(play) = self.play.as_ref().filter(|p| p.over.is_none()) else { return };
            let Some(alarm) = play.truth.alarm().filter(|a| a.due <= now) else { return };
            let at = alarm.due.max(play.at);
            if let Err(refusal) = self.judge(at, Cause::Host, Input::Ring(alarm.id), Vec::new(), None) {
                return self.confuse(&format!("the alarm {} was refused: {refusal}", alarm.id));
            }
            self.follow();
            self.sit_in_for_idle();
        }
    }

    pub fn woken(&mut self) {
        self.armed = None;
        let now = self.now();
        if self.hold.as_ref().is_some_and(|hold| hold.until <= now) {
            self.release();
        }
        self.ring();
        if self.seeds_until.is_some_and(|(_, until)| until <= now) {
            self.follow();
        }
        self.move_bots();
        self.ping(now);
        if let Some(Trouble::Storage { retry: Some(retry), .. }) = &self.trouble
            && *retry <= now
        {
            self.reread();
        }
    }

    /// When to be woken next, on the host's clock.
    fn next_wake(&self) -> Option<u64> {
        let mut next = u64::MAX;
        if let Some(hold) = &self.hold {
            next = next.min(hold.until);
        }
        if let Some((_, until)) = self.seeds_until {
            next = next.min(until);
        }
        if self.watch.since.is_some() && self.hold.is_none() && !self.troubled() {
            if let Some(alarm) = self.play.as_ref().filter(|p| p.over.is_none()).and_then(|p| p.truth.alarm())
            {
                next = next.min(self.watch.when(alarm.due).unwrap_or(u64::MAX));
            }
            for bot in self.bots.iter().flatten() {
                let due = match &bot.thought {
                    Some((due, _)) => *due,
                    None if bot.asked.is_none() && bot.bot.is_some() && bot.rest > self.at() => bot.rest,
                    None => continue,
                };
                next = next.min(self.watch.when(due).unwrap_or(u64::MAX));
            }
        }
        for socket in self.sockets.iter().flatten() {
            next = next.min(socket.next_ping);
        }
        if let Some(Trouble::Storage { retry: Some(retry), .. }) = &self.trouble {
            next = next.min(*retry);
        }
        (next != u64::MAX).then_some(next)
    }

    /// After every call: bots think, the table is told of and saved if it changed; says when to wake it, if that is sooner
    /// than was last said.
    pub fn settle(&mut self) -> Option<u64> {
        self.ask_bots();
        if std::mem::take(&mut self.changed) && self.sockets.iter().flatten().any(|s| s.greeted) {
            let body = frame(&ToClient::Table(self.state()));
            self.all(&body);
        }
        if std::mem::take(&mut self.unsaved) {
            self.save();
        }
        let next = self.next_wake()?;
        if self.armed.is_some_and(|armed| armed <= next) {
            return None;
        }
        self.armed = Some(next);
        Some(next)
    }

    pub fn take_jobs(&mut self) -> Vec<Job<G>> {
        std::mem::take(&mut self.jobs)
    }

    fn ping(&mut self, now: u64) {
        let mut dead = Vec::new();
        for (place, socket) in self.sockets.iter_mut().enumerate() {
            let Some(socket) = socket.as_mut().filter(|s| s.next_ping <= now) else { continue };
            if socket.ping.is_some_and(|(_, sent)| now.saturating_sub(sent) >= DEAD) {
                dead.push(Asker { place: place as u32, age: socket.age });
                continue;
            }
            if socket.ping.is_none() {
                socket.pings = socket.pings.wrapping_add(1);
                socket.ping = Some((socket.pings, now));
                socket.outlet.send(frame(&ToClient::Ping { nonce: socket.pings }));
            }
            socket.next_ping = now + if socket.pings < 4 { PING.0 } else { PING.1 };
        }
        for asker in dead {
            if let Some(socket) = self.socket(asker) {
                socket.outlet.close();
            }
            self.disconnect(asker);
        }
    }

    // ---- Frames that come ----------------------------------------------------------------------------------------------

    pub fn receive(&mut self, from: Asker, frame: ToServer<G::Command>) {
        let now = self.now();
        let Some(socket) = self.socket(from) else { return };
        match frame {
            ToServer::Hello(hello) => self.hello(from, &hello),
            _ if !socket.hello => self.part(from, "The first frame must be the hello.", false),
            ToServer::Command { id, seen, command } => self.command(from, id, seen, command),
            ToServer::Resync => self.greet(from, None),
            ToServer::Act(Act::Say(phrase)) => self.say(from, phrase),
            ToServer::Act(act) => self.asked_to(from, act),
            ToServer::Seed(given) => self.seed(from, given),
            ToServer::Pong { nonce } => {
                if let Some((sent_nonce, sent)) = socket.ping
                    && sent_nonce == nonce
                {
                    socket.ping = None;
                    if socket.trips.len() == 8 {
                        socket.trips.pop_front();
                    }
                    socket.trips.push_back(u16::try_from(now - sent).unwrap_or(u16::MAX));
                }
            }
        }
    }

    /// Says goodbye to a socket.
    fn part(&mut self, asker: Asker, text: &str, retry: bool) {
        let body = frame(&ToClient::Error { text: text.to_owned(), retry });
        if let Some(socket) = self.socket(asker) {
            socket.outlet.send(body);
            socket.outlet.close();
        }
        self.disconnect(asker);
    }

    fn hello(&mut self, from: Asker, hello: &wire::Hello) {
        if hello.protocol != PROTOCOL {
            return self.part(from, "The server speaks another version: load the page again.", false);
        }
        let now = self.now();
        let Some(socket) = self.socket(from) else { return };
        if socket.hello {
            return self.part(from, "There is one hello for each connection.", false);
        }
        socket.hello = true;
        socket.client = hello.client;
        socket.next_ping = now;
        let person = socket.person.clone();
        let viewer = self.viewer_of(person.as_ref());
        if let Some(socket) = self.socket(from) {
            socket.viewer = viewer;
        }
        self.rewant();
        self.greet(from, hello.last);
        self.presence_changed();
        self.ping(now);
    }

    /// Tells a socket who it is and what it needs to follow the match: what it misses, or a fresh view.
    fn greet(&mut self, to: Asker, last: Option<wire::Last>) {
        let state = self.state();
        let at = self.at();
        let (game, durable) = (self.game, self.durable);
        let Some(socket) = self.socket(to).filter(|s| s.hello) else { return };
        let viewer = socket.viewer;
        let person = socket.person.clone();
        let host = person.as_ref().is_some_and(|p| p.id == self.settings.host.id);
        let mut welcome =
            Welcome { protocol: PROTOCOL, engine: self.env.engine.clone(), you: viewer, host, game, n: 0 };
        let mut frames = Vec::new();
        let mut head = 0;
        if let Some(play) = &self.play {
            head = play.ply;
            let slot = play.slot(viewer);
            welcome.n = play.n[usize::from(slot)];
            frames.push(frame(&ToClient::Welcome(welcome)));
            frames.push(frame(&ToClient::Table(state)));
            let n = play.n[usize::from(slot)];
            let same = last.filter(|l| (l.game, l.viewer) == (game, ViewerKey::from(viewer)) && l.n <= n);
            // What it misses, where all of that is durable and still at hand.
            let missed: Option<Vec<Bytes>> = same.filter(|_| head == durable).and_then(|last| {
                let mut next = last.n + 1;
                let mut bodies = Vec::new();
                for frame in self.recent.iter().filter(|f| f.slot == slot && f.last > last.n) {
                    if frame.first > next {
                        return None;
                    }
                    next = frame.last + 1;
                    bodies.push(frame.body.clone());
                }
                (next == n + 1).then_some(bodies)
            });
            match missed {
                Some(bodies) => frames.extend(bodies),
                None => {
                    let view = play.truth.view(viewer);
                    let all: ToClient<_, (), ()> = ToClient::View { game, n, at, view };
                    frames.push(serde_json::to_vec(&all).expect("views are plain data").into());
                }
            }
            for deal in play.seeds.iter().filter(|d| !d.settled) {
                frames.push(seed_frame(SeedCall::Committed { game, deal: deal.deal, hash: deal.hash }));
                if deal.closed {
                    frames.push(seed_frame(SeedCall::Open { game, deal: deal.deal }));
                }
            }
        } else {
            frames.push(frame(&ToClient::Welcome(welcome)));
            frames.push(frame(&ToClient::Table(state)));
        }
        if let Some(socket) = self.socket(to) {
            socket.greeted = false;
            socket.from = head;
        }
        self.then(Then::Greet { to, frames });
    }

    fn say(&mut self, from: Asker, phrase: Phrase) {
        let now = self.now();
        let Some(socket) = self.socket(from) else { return };
        let Viewer::Seat(seat) = socket.viewer else { return };
        if now.saturating_sub(socket.said) >= SAY || socket.said == 0 {
            socket.said = now.max(1);
            let body = frame(&ToClient::Said { seat, phrase });
            self.all(&body);
        }
    }

    // ---- Commands --------------------------------------------------------------------------------------------------------

    fn command(&mut self, from: Asker, id: u32, seen: u32, command: G::Command) {
        let Some(socket) = self.socket(from) else { return };
        let (viewer, client) = (socket.viewer, socket.client);
        let half_trip = socket.half_trip();
        let not_now = |core: &mut Self, text: &str| {
            let answer = Answer::NotNow { text: text.to_owned() };
            core.answer(from, Seat(0), client, id, answer);
        };
        let Viewer::Seat(seat) = viewer else {
            return not_now(self, "Only somebody who has a seat can play.");
        };
        if let Some(Trouble::Storage { text, .. } | Trouble::Log { text }) = &self.trouble {
            let text = text.clone();
            return not_now(self, &text);
        }
        if self.stage != Stage::Playing || self.play.is_none() {
            return not_now(self, "No match is being played.");
        }
        match self.answered(seat, client, id) {
            Answered::New => {}
            Answered::Done => return self.answer(from, seat, client, id, Answer::Done),
            Answered::Before => {
                let known = self.refused.iter().find(|(s, c, i, _)| (*s, *c, *i) == (seat, client, id));
                let answer = known.map_or(Answer::Answered, |(.., answer)| answer.clone());
                return self.answer(from, seat, client, id, answer);
            }
        }
        if self.asked {
            return not_now(self, "The host has paused the match.");
        }
        if self.chairs[seat.index()].bot_plays {
            self.take_back(seat);
        }
        if let Some(hold) = &mut self.hold
            && let Some(held) = hold.items.iter_mut().find(|h| (h.seat, h.client, h.id) == (seat, client, id))
        {
            // Sent again over a new socket: the answer goes there.
            held.from = Some(from);
            return;
        }
        self.ring();
        let arrival = self.at();
        let Some(play) = &self.play else { return };
        let adjusts =
            play.truth.ping_adjusted() && matches!(play.truth.race(&command), Race::Call | Race::Claim);
        let adjustment =
            if adjusts { half_trip.min(ADJUST_DEAL.saturating_sub(play.adjusted[seat.index()])) } else { 0 };
        let timing = Timing { arrival, adjustment };
        let held = Held { from: Some(from), seat, client, id, seen, timing, command };
        if let Some(hold) = &mut self.hold {
            hold.items.push(held);
            return;
        }
        let wait = if adjusts { self.longest_way() } else { 0 };
        if wait > 0 {
            let until = self.now() + u64::from(wait);
            self.hold = Some(Hold { until, items: vec![held], acts: Vec::new() });
            return;
        }
        self.play_held(held, Vec::new());
    }

    /// What is known of a command's number.
    fn answered(&self, seat: Seat, client: u32, id: u32) -> Answered {
        if self.refused.iter().any(|(s, c, i, _)| (*s, *c, *i) == (seat, client, id)) {
            return Answered::Before;
        }
        let last = self.play.as_ref().map_or(0, |p| p.last_command(seat, client));
        match id {
            _ if id > last => Answered::New,
            _ if id == last => Answered::Done,
            _ => Answered::Before,
        }
    }

    /// The largest adjustment of a connected player who may act: how long a racing act is held, in milliseconds.
    fn longest_way(&self) -> u16 {
        let Some(play) = &self.play else { return 0 };
        let Status::Seats(awaited) = play.truth.status() else { return 0 };
        let ways = self.sockets.iter().flatten().filter(|s| s.hello).filter_map(|s| match s.viewer {
            Viewer::Seat(seat) if awaited.has(seat) => {
                Some(s.half_trip().min(ADJUST_DEAL.saturating_sub(play.adjusted[seat.index()])))
            }
            _ => None,
        });
        ways.max().unwrap_or(0)
    }

    /// Judges a command; `lost` are the claims that lost to it.
    fn play_held(&mut self, held: Held<G::Command>, lost: Notes<G>) {
        let Held { from, seat, client, id, seen, timing, command } = held;
        let Some(play) = &self.play else { return };
        let slot = usize::from(play.slot(Viewer::Seat(seat)));
        if matches!(play.truth.race(&command), Race::Layout | Race::Call) && seen < play.layout[slot] {
            if let Some(from) = from {
                let text = "The cards on the table had changed before this came.".to_owned();
                self.refuse(from, seat, client, id, Answer::Dropped { text });
            }
            return;
        }
        let cause = Cause::Seat { seat, command: u64::from(id), client, bot: from.is_none() };
        let verdict = from.map(|to| (to, client, id));
        let at = self.at();
        match self.judge(at, cause, Input::Play(seat, command, timing), lost, verdict) {
            Ok(()) => self.follow(),
            Err(refusal) => match from {
                Some(from) => self.refuse(from, seat, client, id, Answer::Refused(refusal)),
                None => {
                    let rest = at.after(REST);
                    if let Some(Some(bot)) = self.bots.get_mut(seat.index()) {
                        bot.asked = None;
                        bot.rest = rest;
                    }
                }
            },
        }
    }

    fn refuse(&mut self, to: Asker, seat: Seat, client: u32, id: u32, answer: Answer) {
        if self.refused.len() == 16 {
            self.refused.pop_front();
        }
        self.refused.push_back((seat, client, id, answer.clone()));
        self.answer(to, seat, client, id, answer);
    }

    /// Answers a command once all that the answer rests on is durable.
    fn answer(&mut self, to: Asker, seat: Seat, client: u32, id: u32, answer: Answer) {
        let verdict = Verdict { to, seat, client, id, at: self.at(), answer };
        match self.waiting.back_mut() {
            Some(last) => last.verdicts.push(verdict),
            None => self.verdict(verdict),
        }
    }

    fn verdict(&mut self, verdict: Verdict) {
        let Verdict { to, id, at, answer, .. } = verdict;
        self.send(to, frame(&ToClient::Verdict { id, at, answer }));
    }

    /// The hold is over: all that waited is judged in adjusted order, at the present time.
    fn release(&mut self) {
        let Some(Hold { mut items, acts, .. }) = self.hold.take() else { return };
        items.sort_by_key(|held| held.timing.adjusted());
        let at = self.at();
        let mut lost = self.rehearse(&items, at);
        for (place, held) in items.into_iter().enumerate() {
            self.ring_before(held.timing.adjusted(), at);
            self.play_held(held, std::mem::take(&mut lost[place]));
        }
        for (from, act) in acts {
            self.asked_to(from, act);
        }
        self.ring();
        self.tell_presence();
    }

    /// Alarms that were due before an act was made ring before it, at the time of the release.
    fn ring_before(&mut self, due: Millis, at: Millis) {
        while let Some(alarm) = self.play.as_ref().and_then(|p| p.truth.alarm()).filter(|a| a.due <= due) {
            if let Err(refusal) = self.judge(at, Cause::Host, Input::Ring(alarm.id), Vec::new(), None) {
                return self.confuse(&format!("the alarm {} was refused: {refusal}", alarm.id));
            }
            self.follow();
        }
    }

    /// Plays what was held on a copy, to see which claims lose to which: those that are refused and would have been
    /// accepted had the winner not been before them. They belong into the winner's entry.
    fn rehearse(&mut self, items: &[Held<G::Command>], at: Millis) -> Vec<Notes<G>> {
        let mut lost: Vec<Notes<G>> = items.iter().map(|_| Vec::new()).collect();
        if items.len() < 2 {
            return lost;
        }
        let Some(play) = &self.play else { return lost };
        let mut trial = play.truth.clone();
        let mut winner: Option<(usize, G)> = None;
        let mut events = Vec::new();
        for (place, held) in items.iter().enumerate() {
            while let Some(alarm) = trial.alarm().filter(|a| a.due <= held.timing.adjusted()) {
                if game::step(&mut trial, at, &Input::Ring(alarm.id), &mut events).is_err() {
                    break;
                }
            }
            let racing = matches!(trial.race(&held.command), Race::Call | Race::Claim);
            let input = Input::Play(held.seat, held.command.clone(), held.timing);
            events.clear();
            if trial.decide(at, &input, &mut events).is_ok() {
                if racing {
                    winner = Some((place, trial.clone()));
                }
                for event in &events {
                    trial.evolve(event);
                }
            } else if racing && let Some((first, before)) = &winner {
                let mut sink = Vec::new();
                if before.decide(at, &input, &mut sink).is_ok() {
                    let command = held.command.clone();
                    lost[*first].push(Note::Lost { seat: held.seat, command, timing: held.timing });
                }
            }
            if matches!(trial.status(), Status::Chance(_) | Status::Over(_)) {
                break;
            }
        }
        lost
    }

    // ---- Judging and storing -----------------------------------------------------------------------------------------------

    fn judge_now(&mut self, cause: Cause, input: Input<G::Command>, notes: Notes<G>) -> Result<(), Refusal> {
        self.judge(self.at(), cause, input, notes, None)
    }

    /// Judges an input and, if the rules accept it, hands the entry over to the journal.
    fn judge(
        &mut self,
        at: Millis,
        cause: Cause,
        input: Input<G::Command>,
        notes: Notes<G>,
        verdict: Option<(Asker, u32, u32)>,
    ) -> Result<(), Refusal> {
        let Some(play) = &self.play else { return Err("no match is on".into()) };
        if play.over.is_some() {
            return Err("the match is over".into());
        }
        let mut events = std::mem::take(&mut self.events);
        events.clear();
        let judged = play.truth.decide(at, &input, &mut events);
        let entry = Entry { ply: play.ply + 1, at, cause, input: Some(input), events, notes };
        if let Err(refusal) = judged {
            self.events = entry.events;
            return Err(refusal);
        }
        let verdicts = match (&entry.cause, verdict) {
            (Cause::Seat { seat, .. }, Some((to, client, id))) => {
                vec![Verdict { to, seat: *seat, client, id, at, answer: Answer::Done }]
            }
            _ => Vec::new(),
        };
        self.commit(entry, verdicts);
        Ok(())
    }

    /// Writes an entry that holds only notes.
    fn note(&mut self, cause: Cause, notes: Notes<G>, then: Vec<Then>) {
        let Some(play) = &self.play else { return };
        let entry = Entry { ply: play.ply + 1, at: self.at(), cause, input: None, events: Vec::new(), notes };
        self.commit(entry, Vec::new());
        if let Some(last) = self.waiting.back_mut() {
            last.then.extend(then);
        }
    }

    fn commit(&mut self, mut entry: EntryOf<G>, verdicts: Vec<Verdict>) {
        if let Some((since, why)) = self.stopped.filter(|_| self.watch.since.is_some()) {
            let millis = self.watch.since.map_or(0, |now| now.saturating_sub(since));
            entry.notes.insert(0, Note::Stood { millis, why });
            self.stopped = None;
        }
        let Some(play) = &mut self.play else { return };
        let body = serde_json::to_vec(&entry).expect("entries are plain data");
        let mut frames = Vec::new();
        play.apply(&entry, self.wanted, &mut frames);
        self.waiting.push_back(Waiting { ply: entry.ply, frames, verdicts, then: Vec::new() });
        let (id, ply) = (play.id, entry.ply);
        self.events = entry.events;
        self.append(id, ply, body);
    }

    fn append(&self, id: MatchId, ply: u32, body: Vec<u8>) {
        if let Some(told) = self.told.as_ref().and_then(|me| me.myself()) {
            self.env.journal.append(Append { id, ply, body, told });
        }
    }

    /// Does something once all entries that were handed over are durable.
    fn then(&mut self, then: Then) {
        match self.waiting.back_mut() {
            Some(last) => last.then.push(then),
            None => self.do_then(then),
        }
    }

    pub fn appended(&mut self, id: MatchId, ply: u32, appended: &Appended) {
        if self.play.as_ref().is_none_or(|play| play.id != id) || ply <= self.durable && ply > 0 {
            return;
        }
        match appended {
            Appended::Committed => {
                while self.waiting.front().is_some_and(|w| w.ply <= ply) {
                    let Some(waiting) = self.waiting.pop_front() else { break };
                    self.publish(waiting);
                }
            }
            Appended::Conflict => {
                self.distrust("Another server has gone on with this match: its log is read anew.");
            }
            Appended::Failed(text) | Appended::Unknown(text) => self.distrust(text),
        }
    }

    /// An entry is durable: everybody may know.
    fn publish(&mut self, waiting: Waiting) {
        self.durable = waiting.ply;
        let slots = self.play.as_ref().map_or(0, Play::seats);
        for frame in waiting.frames {
            let viewer = if frame.slot < slots { Viewer::Seat(Seat(frame.slot)) } else { Viewer::Table };
            for socket in self.sockets.iter().flatten() {
                if socket.greeted && socket.viewer == viewer && socket.from < waiting.ply {
                    socket.outlet.send(frame.body.clone());
                }
            }
            if self.recent.len() == RECENT {
                self.recent.pop_front();
            }
            self.recent.push_back(frame);
        }
        for verdict in waiting.verdicts {
            self.verdict(verdict);
        }
        for then in waiting.then {
            self.do_then(then);
        }
    }

    fn do_then(&mut self, then: Then) {
        let game = self.game;
        match then {
            Then::Greet { to, frames } => {
                if let Some(socket) = self.socket(to) {
                    socket.greeted = true;
                    for body in frames {
                        socket.outlet.send(body);
                    }
                }
            }
            Then::Committed { deal, hash } => self.all(&seed_frame(SeedCall::Committed { game, deal, hash })),
            Then::Open { deal } => self.all(&seed_frame(SeedCall::Open { game, deal })),
            Then::Revealed { deal, seed } => self.all(&seed_frame(SeedCall::Revealed { game, deal, seed })),
            Then::Trust => {
                if matches!(self.trouble, Some(Trouble::Storage { .. })) {
                    self.trouble = None;
                    self.changed = true;
                    self.run_or_stop();
                    self.tell_presence();
                    self.follow();
                }
            }
            Then::Over => self.over(),
        }
    }

    // ---- When the journal is not to be trusted -------------------------------------------------------------------------------

    /// Drops what memory holds beyond the durable entries; the log is read anew, and who waits is answered by it.
    pub fn distrust(&mut self, text: &str) {
        tracing::warn!(table = self.settings.id, "{text}");
        for waiting in self.waiting.drain(..) {
            for v in waiting.verdicts {
                self.unsettled.push((v.to, v.seat, v.client, v.id));
            }
            for then in waiting.then {
                if let Then::Greet { to, .. } = then
                    && let Some(Some(socket)) = self.sockets.get_mut(to.place as usize)
                    && socket.age == to.age
                {
                    socket.greeted = false;
                }
            }
        }
        if let Some(hold) = self.hold.take() {
            for held in hold.items {
                if let Some(from) = held.from {
                    self.unsettled.push((from, held.seat, held.client, held.id));
                }
            }
        }
        self.seeds_until = None;
        let again = matches!(self.trouble, Some(Trouble::Storage { .. }));
        let retry = again.then(|| self.now() + RETRY);
        self.trouble = Some(Trouble::Storage { text: text.to_owned(), retry });
        self.changed = true;
        self.run_or_stop();
        if !again {
            self.reread();
        }
    }

    fn reread(&mut self) {
        if let Some(Trouble::Storage { retry, .. }) = &mut self.trouble {
            *retry = None;
        }
        if let Some(id) = self.playing {
            self.jobs.push(Job::Read(id));
        }
    }

    /// The log was read anew.
    pub fn read_again(&mut self, id: MatchId, rows: Result<Vec<Vec<u8>>, Unreadable>) {
        if self.playing != Some(id) || !matches!(self.trouble, Some(Trouble::Storage { .. })) {
            return;
        }
        let later = self.now() + RETRY;
        let rows = match rows {
            Ok(rows) => rows,
            Err(e) => {
                self.trouble = Some(Trouble::Storage { text: e.to_string(), retry: Some(later) });
                self.changed = true;
                return;
            }
        };
        if rows.is_empty() {
            // Not even the header was written: the match never began.
            self.play = None;
            self.playing = None;
            self.stage = Stage::Lobby;
            self.game -= 1;
            self.trouble = None;
            self.changed = true;
            self.unsaved = true;
            self.settle_unsettled();
            self.greet_all();
            return;
        }
        match self.fold(&rows) {
            Ok(play) => {
                let before = self.durable;
                self.adopt(play);
                self.publish_from(&rows, before);
                self.settle_unsettled();
                let unfinished: Vec<Asker> = self.askers(|s| s.hello && !s.greeted);
                for asker in unfinished {
                    self.greet(asker, None);
                }
                self.seat_bots();
                // Only an entry of our own proves that the storage takes entries, and that nobody else goes on.
                self.take_over();
            }
            Err(e) => {
                self.trouble = Some(Trouble::Log { text: e.to_string() });
                self.changed = true;
                self.settle_unsettled();
            }
        }
    }

    fn askers(&self, which: impl Fn(&Socket) -> bool) -> Vec<Asker> {
        let sockets = self.sockets.iter().enumerate();
        sockets
            .filter_map(|(place, s)| {
                s.as_ref().filter(|s| which(s)).map(|s| Asker { place: place as u32, age: s.age })
            })
            .collect()
    }

    fn settle_unsettled(&mut self) {
        for (to, seat, client, id) in std::mem::take(&mut self.unsettled) {
            let answer = match self.answered(seat, client, id) {
                Answered::Done => Answer::Done,
                Answered::Before => Answer::Answered,
                Answered::New => {
                    Answer::NotNow { text: "The move could not be stored and does not count.".to_owned() }
                }
            };
            let at = self.at();
            self.verdict(Verdict { to, seat, client, id, at, answer });
        }
    }

    /// The match that a log tells of.
    fn fold(&self, rows: &[Vec<u8>]) -> Result<Play<G>, Unreadable> {
        let id = self.playing.ok_or_else(|| Unreadable("no match is on".to_owned()))?;
        let (header, entries) = read_log::<G>(rows)?;
        let seats = header.seats.len() as u8;
        let truth = G::open(Arc::new(header.rules), seats)
            .map_err(|e| Unreadable(format!("the rules of the match cannot be played any more: {e}")))?;
        let mut play = Play::new(id, truth);
        let mut frames = Vec::new();
        for entry in &entries {
            play.apply(entry, 0, &mut frames);
        }
        Ok(play)
    }

    /// Goes on with a match that was folded from its log.
    fn adopt(&mut self, play: Play<G>) {
        self.durable = play.ply;
        self.watch = Watch { base: play.at.max(self.watch.base), since: None };
        self.finishing = false;
        self.recent.clear();
        self.play = Some(play);
        self.rewant();
        if self.play.as_ref().is_some_and(|p| p.over.is_some()) && self.stage == Stage::Playing {
            self.finish();
        }
    }

    /// Tells what had become durable without this table hearing of it: entries after `before`.
    fn publish_from(&mut self, rows: &[Vec<u8>], before: u32) {
        let Ok((header, entries)) = read_log::<G>(rows) else { return };
        let (Some(id), seats) = (self.playing, header.seats.len() as u8) else { return };
        let Ok(truth) = G::open(Arc::new(header.rules), seats) else { return };
        let mut play = Play::new(id, truth);
        for entry in &entries {
            let wanted = if entry.ply > before { self.wanted } else { 0 };
            let mut frames = Vec::new();
            play.apply(entry, wanted, &mut frames);
            if entry.ply > before {
                let then = Vec::new();
                self.publish(Waiting { ply: entry.ply, frames, verdicts: Vec::new(), then });
            }
        }
    }

    fn take_over(&mut self) {
        if self.stage == Stage::Playing && self.play.as_ref().is_some_and(|p| p.over.is_none()) {
            let took = Note::Took { host: self.settings.id.clone(), engine: self.env.engine.clone() };
            self.note(Cause::Host, vec![took], vec![Then::Trust]);
        } else {
            self.trouble = None;
        }
    }

    /// The rules refused what they asked for: a fault of the program. The match stands still and is kept.
    fn confuse(&mut self, text: &str) {
        tracing::error!(table = self.settings.id, "{text}");
        self.trouble = Some(Trouble::Log { text: format!("The match cannot go on: {text}.") });
        self.run_or_stop();
    }

    // ---- Chance and fair deals -------------------------------------------------------------------------------------------------

    /// After each input: chance falls as soon as its seeds are there, and the match ends when it is over.
    fn follow(&mut self) {
        while !self.troubled() {
            let Some(play) = &self.play else { return };
            if play.over.is_some() {
                return self.finish();
            }
            if self.watch.since.is_none() {
                return;
            }
            let Status::Chance(need) = play.truth.status() else { return };
            if !self.draw(&need) {
                return;
            }
        }
    }

    /// Binds the server to a new seed for `deal`.
    fn bind(&self, deal: u16) -> (Notes<G>, Then) {
        let seed = Bytes32(self.env.host.random());
        let hash = commitment(&seed);
        (vec![Note::Commit { deal, hash }, Note::Secret { deal, seed }], Then::Committed { deal, hash })
    }

    /// The seeds of the deals before `before`, which have ended, to be shown.
    fn reveal(&self, before: u16) -> (Notes<G>, Vec<Then>) {
        let ended = self.play.as_ref().map_or(Vec::new(), |p| p.seeds.unrevealed(before));
        let notes = ended.iter().map(|&(deal, seed)| Note::Reveal { deal, seed }).collect();
        (notes, ended.into_iter().map(|(deal, seed)| Then::Revealed { deal, seed }).collect())
    }

    /// Draws what the rules need, if the seeds of the deal are settled or need not be waited for. False while they are.
    fn draw(&mut self, need: &game::Need) -> bool {
        if let Some(trial) = &self.settings.trial {
            let draw = trial.answer(need, self.chairs.len() as u8);
            let notes = vec![Note::Asked { need: need.clone() }];
            if let Err(refusal) = self.judge_now(Cause::Host, Input::Draw(draw), notes) {
                self.confuse(&format!("what was drawn was refused: {refusal}"));
                return false;
            }
            return true;
        }
        let deal = fair::deal(need);
        let now = self.now();
        if self.play.as_ref().is_some_and(|p| p.seeds.get(deal).is_none()) {
            let (mut notes, mut then) = self.reveal(deal);
            let (bound, committed) = self.bind(deal);
            notes.extend(bound);
            then.push(committed);
            self.note(Cause::Host, notes, then);
        }
        let waits: Vec<bool> = (0..self.chairs.len())
            .map(|i| self.chairs[i].person().is_some() && self.connected(Seat(i as u8)))
            .collect();
        let Some(seeds) = self.play.as_mut().and_then(|p| p.seeds.get_mut(deal)) else { return false };
        let mut notes = Vec::new();
        if !seeds.settled {
            let until = self.seeds_until.filter(|(d, _)| *d == deal).map(|(_, until)| until);
            if !seeds.closed {
                let missing =
                    waits.iter().zip(&seeds.offered).any(|(waits, offer)| *waits && offer.is_none());
                let until = until.unwrap_or(now + SEEDS);
                if missing && now < until {
                    self.seeds_until = Some((deal, until));
                    return false;
                }
                seeds.closed = true;
                self.seeds_until = Some((deal, now + SEEDS));
                let bound: Notes<G> = (0..)
                    .zip(&seeds.offered)
                    .filter_map(|(i, hash)| hash.map(|hash| Note::ClientCommit { deal, seat: Seat(i), hash }))
                    .collect();
                let (mut all, mut then) = self.reveal(deal);
                if !bound.is_empty() {
                    all.extend(bound);
                    then.push(Then::Open { deal });
                }
                if !all.is_empty() {
                    self.note(Cause::Host, all, then);
                }
                return self.draw(need);
            }
            let until = until.unwrap_or(now + SEEDS);
            if !seeds.all_shown() && now < until {
                self.seeds_until = Some((deal, until));
                return false;
            }
            self.seeds_until = None;
            seeds.opened.clone_from(&seeds.shown);
            for (i, bound) in (0..).zip(&seeds.commits) {
                if bound.is_some() {
                    let seat = Seat(i);
                    notes.push(match seeds.shown[usize::from(i)] {
                        Some(seed) => Note::Open { deal, seat, seed },
                        None => Note::Missing { deal, seat },
                    });
                }
            }
        }
        let first = !seeds.settled;
        let Some(play) = &mut self.play else { return false };
        let name = &play.name;
        let Some(draw) = play.seeds.get_mut(deal).and_then(|s| s.key(name)).map(|key| key.answer(need))
        else {
            self.confuse("the server's seed of this deal is not in the log");
            return false;
        };
        notes.push(Note::Asked { need: need.clone() });
        let mut committed = None;
        if first && play.seeds.get(deal + 1).is_none() {
            let (bound, then) = self.bind(deal + 1);
            notes.extend(bound);
            committed = Some(then);
        }
        if let Err(refusal) = self.judge_now(Cause::Host, Input::Draw(draw), notes) {
            self.confuse(&format!("what was drawn was refused: {refusal}"));
            return false;
        }
        if let (Some(last), Some(committed)) = (self.waiting.back_mut(), committed) {
            last.then.push(committed);
        }
        true
    }

    fn seed(&mut self, from: Asker, given: SeedGiven) {
        let now_game = self.game;
        let Some(Viewer::Seat(seat)) = self.socket(from).map(|s| s.viewer) else { return };
        let Some(play) = &mut self.play else { return };
        let taken = match given {
            SeedGiven::Commit { game, deal, hash } => {
                game == now_game && play.seeds.offer(deal, seat.index(), hash)
            }
            SeedGiven::Open { game, deal, seed } => {
                game == now_game && play.seeds.show(deal, seat.index(), seed)
            }
        };
        if taken && self.seeds_until.is_some() {
            self.follow();
        }
    }

    /// The match is over: the last seeds are shown, and then everybody hears of it.
    fn finish(&mut self) {
        if std::mem::replace(&mut self.finishing, true) {
            return;
        }
        let deal = self.play.as_ref().map_or(0, |p| p.deal);
        let (notes, mut then) = self.reveal(deal + 1);
        then.push(Then::Over);
        if notes.is_empty() {
            for then in then {
                self.then(then);
            }
        } else {
            self.note(Cause::Host, notes, then);
        }
    }

    fn over(&mut self) {
        self.stage = Stage::Over;
        self.run_or_stop();
        self.ending = SeatSet::NONE;
        for (chair, bot) in self.chairs.iter_mut().zip(&mut self.bots) {
            chair.ready = false;
            chair.bot_plays = false;
            *bot = None;
        }
        self.changed = true;
        self.unsaved = true;
        if let Some(play) = &self.play {
            let outcome = match &play.over {
                Some(Over::Played(outcome)) => Some(outcome.clone()),
                _ => None,
            };
            self.jobs.push(Job::Finished(Finished {
                id: play.id,
                table: self.settings.id.clone(),
                seats: self.chairs.iter().map(|c| c.who.clone()).collect(),
                outcome,
                entries: play.ply,
            }));
        }
    }

    // ---- Bots ----------------------------------------------------------------------------------------------------------------

    fn make_bot(&self, kind: &str) -> Option<BotSeat<G>> {
        let bot = (self.env.bots)(kind, &self.settings.rules)?;
        let seed = self.env.host.random();
        let mut number = [0; 8];
        number.copy_from_slice(&seed[..8]);
        Some(BotSeat {
            kind: kind.to_owned(),
            name: bot.name().to_owned(),
            bot: Some(bot),
            chance: SplitMix(u64::from_le_bytes(number)),
            asked: None,
            thought: None,
            rest: Millis(0),
        })
    }

    /// Gives each seat that a bot plays its bot, and takes it from the others.
    fn seat_bots(&mut self) {
        for place in 0..self.chairs.len() {
            let kind = self.chairs[place].bot(&self.settings.sit_in).map(str::to_owned);
            if self.bots[place].as_ref().map(|b| &b.kind) != kind.as_ref() {
                self.bots[place] = kind.and_then(|kind| self.make_bot(&kind));
            }
            if let Some(bot) = &mut self.bots[place] {
                bot.asked = None;
                bot.thought = None;
                bot.rest = Millis(0);
            }
        }
    }

    /// Lets the bots think whose view has changed. Only on what is durable: what they learn cannot be taken back.
    fn ask_bots(&mut self) {
        if self.watch.since.is_none() || self.troubled() || self.hold.is_some() || !self.waiting.is_empty() {
            return;
        }
        let at = self.at();
        let Some(play) = &self.play else { return };
        if play.over.is_some() {
            return;
        }
        for (place, seat) in self.bots.iter_mut().enumerate() {
            let Some(seat) = seat else { continue };
            let n = play.n[place];
            if seat.asked == Some(n) || seat.rest > at {
                continue;
            }
            seat.thought = None;
            let Some(bot) = seat.bot.take() else { continue };
            seat.asked = Some(n);
            let view = play.truth.view(Viewer::Seat(Seat(place as u8)));
            self.jobs.push(Job::Think(Thinking {
                game: self.game,
                seat: Seat(place as u8),
                n,
                at,
                view,
                bot,
                chance: seat.chance.clone(),
            }));
        }
    }

    /// A bot comes back from thinking.
    pub fn thought(&mut self, thinking: Thinking<G>, thought: Option<Thought<G::Command>>) {
        let Thinking { game, seat, n, at, bot, chance, .. } = thinking;
        if game != self.game {
            return;
        }
        let Some(Some(place)) = self.bots.get_mut(seat.index()) else { return };
        if place.bot.is_some() || place.name != bot.name() {
            return;
        }
        place.bot = Some(bot);
        place.chance = chance;
        if place.asked == Some(n) {
            place.thought = thought.map(|t| (at.after(t.after_ms), t.command));
            self.move_bots();
        }
    }

    /// Bots whose time has come do what they meant to, if their view is still the one they thought about.
    fn move_bots(&mut self) {
        for place in 0..self.bots.len() {
            if self.watch.since.is_none() || self.troubled() || self.hold.is_some() {
                return;
            }
            let at = self.at();
            let Some(play) = self.play.as_ref().filter(|p| p.over.is_none()) else { return };
            let n = play.n[place];
            let Some(bot) = &mut self.bots[place] else { continue };
            if bot.thought.as_ref().is_none_or(|(due, _)| *due > at) {
                continue;
            }
            let Some((_, command)) = bot.thought.take() else { continue };
            if bot.asked != Some(n) {
                continue;
            }
            // Asked again when it was answered, whether or not it learns anything from that.
            bot.asked = None;
            let seat = Seat(place as u8);
            let timing = Timing::at(at);
            let held = Held { from: None, seat, client: 0, id: 0, seen: n, timing, command };
            let races = self.play.as_ref().is_some_and(|p| {
                p.truth.ping_adjusted() && matches!(p.truth.race(&held.command), Race::Call | Race::Claim)
            });
            let wait = if races { self.longest_way() } else { 0 };
            if wait > 0 {
                let until = self.now() + u64::from(wait);
                self.hold = Some(Hold { until, items: vec![held], acts: Vec::new() });
            } else {
                self.play_held(held, Vec::new());
            }
        }
    }

    /// A bot sits in for a person whose turns ran out.
    fn sit_in_for_idle(&mut self) {
        let Some(play) = &self.play else { return };
        let idle: Vec<usize> = (0..self.chairs.len())
            .filter(|&i| {
                self.chairs[i].person().is_some()
                    && !self.chairs[i].bot_plays
                    && play.ran_out[i] >= IDLE_TURNS
            })
            .collect();
        for place in idle {
            self.sit_in(Seat(place as u8), Cause::Host);
        }
    }

    /// A bot plays for the person in this seat until they are back.
    fn sit_in(&mut self, seat: Seat, cause: Cause) -> bool {
        let kind = self.settings.sit_in.clone();
        let Some(bot) = self.make_bot(&kind) else { return false };
        let who = Sitter { name: bot.name.clone(), kind: SitterKind::Bot(bot.name.clone()) };
        self.chairs[seat.index()].bot_plays = true;
        self.bots[seat.index()] = Some(bot);
        self.note(cause, vec![Note::Sits { seat, who }], Vec::new());
        self.changed = true;
        self.unsaved = true;
        self.tell_presence();
        true
    }

    /// The person plays their seat themselves again.
    fn take_back(&mut self, seat: Seat) {
        let chair = &mut self.chairs[seat.index()];
        chair.bot_plays = false;
        self.bots[seat.index()] = None;
        let who = sitter(chair);
        self.note(
            Cause::Seat { seat, command: 0, client: 0, bot: true },
            vec![Note::Sits { seat, who }],
            Vec::new(),
        );
        self.changed = true;
        self.unsaved = true;
        self.tell_presence();
    }

    // ---- About the table --------------------------------------------------------------------------------------------------------

    pub fn state(&self) -> TableState {
        let seats = self
            .chairs
            .iter()
            .enumerate()
            .map(|(place, chair)| {
                let seat = Seat(place as u8);
                let who = chair.who.as_ref().map(|who| match who {
                    Who::Person(p) => Occupant::Person { name: p.name.clone(), bot_plays: chair.bot_plays },
                    Who::Bot(kind) => Occupant::Bot { kind: kind.clone() },
                });
                let bot = matches!(chair.who, Some(Who::Bot(_)));
                SeatState { who, ready: bot || chair.ready, connected: bot || self.connected(seat) }
            })
            .collect();
        let paused = match &self.trouble {
            Some(Trouble::Storage { text, .. }) => Some(Paused::Storage { text: text.clone() }),
            Some(Trouble::Log { text }) => Some(Paused::Unreadable { text: text.clone() }),
            None if self.stage != Stage::Playing => None,
            None if self.asked => Some(Paused::Asked),
            None if self.watch.since.is_none() && !self.somebody() => Some(Paused::Nobody),
            None => None,
        };
        let watching = self.sockets.iter().flatten().filter(|s| s.hello && s.viewer == Viewer::Table).count();
        TableState {
            stage: self.stage,
            game: self.game,
            seats,
            host: self.settings.host.name.clone(),
            watching: watching as u16,
            paused,
            at: self.at(),
            ending: self.ending,
        }
    }

    pub fn save(&mut self) {
        let saved = Saved {
            settings: self.settings.clone(),
            chairs: self.chairs.clone(),
            stage: self.stage,
            game: self.game,
            playing: self.playing,
            asked: self.asked,
        };
        let text = serde_json::to_string(&saved).expect("tables are plain data");
        self.env.shelf.save(&self.settings.id, text);
    }

    fn save_played(&self) {
        if let Some(id) = self.playing {
            let seats = self.chairs.iter().map(|c| c.who.clone()).collect();
            self.env.shelf.played(Played { id, table: self.settings.id.clone(), seats });
        }
    }

    pub fn shut(&mut self, text: &str) {
        for asker in self.askers(|_| true) {
            self.part(asker, text, true);
        }
    }

    fn asked_to(&mut self, from: Asker, act: Act) {
        if let Some(hold) = &mut self.hold {
            hold.acts.push((from, act));
            return;
        }
        let Some(socket) = self.socket(from) else { return };
        let person = socket.person.clone();
        let done = match &person {
            Some(person) => self.act(person, &act),
            None => Err("Say who you are first: you have no name yet.".to_owned()),
        };
        if let Err(text) = done {
            self.send(from, frame(&ToClient::Declined { act, text }));
        }
    }

    pub fn act(&mut self, person: &Person, act: &Act) -> Result<(), String> {
        let host = person.id == self.settings.host.id;
        let mine = self.seat_of(&person.id);
        let no = |text: &str| Err(text.to_owned());
        let only_host = || if host { Ok(()) } else { no("Only the host of the table can do that.") };
        match (&self.trouble, act) {
            (Some(Trouble::Storage { text, .. }), _) => return Err(text.clone()),
            (Some(Trouble::Log { .. }), Act::Stand | Act::Rematch) | (None, _) => {}
            (Some(Trouble::Log { text }), _) => return Err(text.clone()),
        }
        if self.settings.trial.is_some() {
            match act {
                Act::Sit { .. } | Act::Stand | Act::Ready { .. } | Act::Start | Act::Say(_) => {}
                Act::Rematch => return no("This is one try. Begin another one where you began this."),
                Act::Pause | Act::Resume | Act::End { .. } => {
                    return no("The clock of this game goes on for everybody: give up if you want to stop.");
                }
                Act::Remove { .. } | Act::Bot { .. } | Act::Person { .. } | Act::Back => {
                    return no("This game is played by its player alone, and by no bot.");
                }
            }
        }
        match act {
            Act::Sit { seat } => self.sit(person, *seat)?,
            Act::Stand => {
                let Some(seat) = mine else { return no("You have no seat.") };
                self.leave(seat, Cause::Seat { seat, command: 0, client: 0, bot: false });
            }
            Act::Ready { ready } => {
                let Some(seat) = mine else { return no("You have no seat.") };
                if self.stage == Stage::Playing {
                    return no("The match is on already.");
                }
                self.chairs[seat.index()].ready = *ready;
            }
            Act::Start => {
                only_host()?;
                self.start()?;
            }
            Act::Rematch => {
                if self.stage != Stage::Over {
                    return no("A match must have ended before there is another one.");
                }
                if mine.is_none() && !host {
                    return no("Only those who have a seat can ask for another match.");
                }
                self.lobby();
            }
            Act::Pause | Act::Resume => {
                only_host()?;
                if self.stage != Stage::Playing {
                    return no("No match is being played.");
                }
                self.asked = *act == Act::Pause;
                self.run_or_stop();
            }
            Act::Remove { seat } => {
                only_host()?;
                match self.chairs.get(seat.index()).map(|c| &c.who) {
                    None => return no("There is no such seat."),
                    Some(None) => return no("Nobody sits there."),
                    Some(Some(_)) => self.leave(*seat, Cause::Keeper),
                }
            }
            Act::Bot { seat, kind } => {
                only_host()?;
                self.give_to_bot(*seat, kind)?;
            }
            Act::Person { seat } => {
                only_host()?;
                match self.chairs.get(seat.index()) {
                    Some(Chair { who: Some(Who::Bot(_)), .. }) => self.leave(*seat, Cause::Keeper),
                    Some(chair) if chair.bot_plays => self.take_back(*seat),
                    _ => return no("No bot plays there."),
                }
            }
            Act::Back => match mine {
                Some(seat) if self.chairs[seat.index()].bot_plays => self.take_back(seat),
                _ => return no("No bot plays for you."),
            },
            Act::End { agree } => {
                let Some(seat) = mine else { return no("You have no seat.") };
                if self.stage != Stage::Playing {
                    return no("No match is being played.");
                }
                self.ending = if *agree { self.ending.with(seat) } else { self.ending.without(seat) };
                self.end_if_agreed();
            }
            Act::Say(phrase) => {
                let Some(seat) = mine else { return no("You have no seat.") };
                let body = frame(&ToClient::Said { seat, phrase: *phrase });
                self.all(&body);
            }
        }
        self.changed = true;
        self.unsaved = true;
        Ok(())
    }

    /// Everybody's place may have changed: those whose did are told who they are now.
    fn reseat(&mut self) {
        let mut moved = Vec::new();
        for place in 0..self.sockets.len() {
            let Some(socket) = &self.sockets[place] else { continue };
            let viewer = self.viewer_of(socket.person.as_ref());
            let age = socket.age;
            if viewer != socket.viewer {
                if let Some(socket) = &mut self.sockets[place] {
                    socket.viewer = viewer;
                }
                moved.push(Asker { place: place as u32, age });
            }
        }
        self.rewant();
        for asker in moved {
            self.greet(asker, None);
        }
    }

    fn greet_all(&mut self) {
        self.rewant();
        for asker in self.askers(|s| s.hello) {
            self.greet(asker, None);
        }
    }

    fn sit(&mut self, person: &Person, seat: Seat) -> Result<(), String> {
        let Some(chair) = self.chairs.get(seat.index()) else {
            return Err("There is no such seat.".to_owned());
        };
        if chair.who.is_some() {
            return Err("That seat is taken.".to_owned());
        }
        if let Some(old) = self.seat_of(&person.id) {
            if self.stage == Stage::Playing {
                return Err("You have a seat already.".to_owned());
            }
            self.chairs[old.index()] = Chair::default();
        }
        let taken = Chair { who: Some(Who::Person(person.clone())), ready: false, bot_plays: false };
        if self.stage == Stage::Playing {
            let who = sitter(&taken);
            self.judge_now(
                Cause::Host,
                Input::Presence(seat, Presence::Joined),
                vec![Note::Sits { seat, who }],
            )
            .map_err(|refusal| refusal.to_string())?;
        }
        self.chairs[seat.index()] = taken;
        if self.stage == Stage::Playing {
            self.save_played();
        }
        self.reseat();
        self.run_or_stop();
        self.follow();
        Ok(())
    }

    /// Whoever has this seat is gone for good.
    fn leave(&mut self, seat: Seat, cause: Cause) {
        self.chairs[seat.index()] = Chair::default();
        self.bots[seat.index()] = None;
        self.ending = self.ending.without(seat);
        if self.stage == Stage::Playing {
            let who = Sitter { name: String::new(), kind: SitterKind::Empty };
            let left = Input::Presence(seat, Presence::Left);
            if self.judge_now(cause.clone(), left, vec![Note::Sits { seat, who }]).is_ok() {
                self.follow();
            } else if self.play.as_ref().is_some_and(|p| p.over.is_none()) {
                // Rules that know no leaving: somebody must play on.
                let kind = self.settings.sit_in.clone();
                if let Some(bot) = self.make_bot(&kind) {
                    let who = Sitter { name: bot.name.clone(), kind: SitterKind::Bot(bot.name.clone()) };
                    self.chairs[seat.index()].who = Some(Who::Bot(kind));
                    self.bots[seat.index()] = Some(bot);
                    self.note(cause, vec![Note::Sits { seat, who }], Vec::new());
                }
            }
        }
        self.reseat();
        self.run_or_stop();
        self.end_if_agreed();
    }

    fn give_to_bot(&mut self, seat: Seat, kind: &str) -> Result<(), String> {
        let Some(chair) = self.chairs.get(seat.index()) else {
            return Err("There is no such seat.".to_owned());
        };
        let Some(bot) = self.make_bot(kind) else {
            return Err(format!("There is no bot `{kind}` for this game."));
        };
        let playing = self.stage == Stage::Playing;
        match &chair.who {
            Some(Who::Person(_)) if playing => {
                if chair.bot_plays {
                    return Err("A bot plays there already.".to_owned());
                }
                self.sit_in(seat, Cause::Keeper);
            }
            Some(Who::Person(_)) => return Err("Somebody sits there: remove them first.".to_owned()),
            Some(Who::Bot(_)) | None => {
                let who = Sitter { name: bot.name.clone(), kind: SitterKind::Bot(bot.name.clone()) };
                let sits = vec![Note::Sits { seat, who }];
                if playing && chair.who.is_none() {
                    self.judge_now(Cause::Keeper, Input::Presence(seat, Presence::Joined), sits)
                        .map_err(|refusal| refusal.to_string())?;
                } else if playing {
                    self.note(Cause::Keeper, sits, Vec::new());
                }
                self.chairs[seat.index()] =
                    Chair { who: Some(Who::Bot(kind.to_owned())), ready: true, bot_plays: false };
                self.bots[seat.index()] = playing.then_some(bot);
                self.follow();
            }
        }
        Ok(())
    }

    fn end_if_agreed(&mut self) {
        if self.stage != Stage::Playing || self.ending.is_empty() || self.hold.is_some() {
            return;
        }
        let agreed = (0..self.chairs.len()).map(|i| Seat(i as u8)).all(|seat| {
            self.chairs[seat.index()].person().is_none() || !self.connected(seat) || self.ending.has(seat)
        });
        if agreed && self.play.as_ref().is_some_and(|p| p.over.is_none()) {
            self.note(Cause::Keeper, vec![Note::Ended], Vec::new());
            self.finish();
        }
    }

    /// Back to where people gather, with the same people.
    fn lobby(&mut self) {
        self.stage = Stage::Lobby;
        self.trouble = None;
        self.play = None;
        self.playing = None;
        self.asked = false;
        self.recent.clear();
        self.refused.clear();
        self.waiting.clear();
        self.chairs.resize(usize::from(self.settings.seats), Chair::default());
        self.bots = (0..self.chairs.len()).map(|_| None).collect();
        self.watch = Watch { base: Millis(0), since: None };
        self.greet_all();
    }

    fn start(&mut self) -> Result<(), String> {
        if self.stage != Stage::Lobby {
            return Err("There is a match at this table already.".to_owned());
        }
        if self.chairs.iter().all(|c| c.who.is_none()) {
            return Err("Nobody sits at the table.".to_owned());
        }
        let unready = self.chairs.iter().filter_map(Chair::person);
        let unready = unready.filter(|p| p.id != self.settings.host.id);
        let unready: Vec<_> = unready
            .filter(|p| self.chairs.iter().any(|c| c.person() == Some(p) && !c.ready))
            .map(|p| p.name.as_str())
            .collect();
        if !unready.is_empty() {
            return Err(format!("Not ready yet: {}.", unready.join(", ")));
        }
        let chairs: Vec<Chair> = if self.settings.join_late {
            self.chairs.clone()
        } else {
            self.chairs.iter().filter(|c| c.who.is_some()).cloned().collect()
        };
        let seats = chairs.len() as u8;
        let truth =
            G::open(Arc::clone(&self.settings.rules), seats).map_err(|refusal| refusal.to_string())?;
        let mut number = [0; 8];
        number.copy_from_slice(&self.env.host.random()[..8]);
        let id = MatchId::new(u64::from_le_bytes(number));
        self.chairs = chairs;
        self.bots = (0..self.chairs.len()).map(|_| None).collect();
        self.game += 1;
        self.playing = Some(id);
        self.stage = Stage::Playing;
        self.asked = false;
        self.ending = SeatSet::NONE;
        self.durable = 0;
        self.finishing = false;
        self.recent.clear();
        self.refused.clear();
        self.waiting.clear();
        self.stopped = None;
        self.seeds_until = None;
        self.play = Some(Play::new(id, truth));
        self.watch = Watch { base: Millis(0), since: None };
        self.seat_bots();
        let sitters = self.chairs.iter().zip(&self.bots).map(|(chair, bot)| match bot {
            Some(bot) => Sitter { name: bot.name.clone(), kind: SitterKind::Bot(bot.name.clone()) },
            None => sitter(chair),
        });
        let header = Header {
            schema: record::entry::SCHEMA,
            engine: self.env.engine.clone(),
            id: id.to_string(),
            opened: Some(self.env.host.today()),
            rules: (*self.settings.rules).clone(),
            seats: sitters.collect(),
            shuffle: match &self.settings.trial {
                Some(_) => Trial::SHUFFLE.to_owned(),
                None => record::entry::SHUFFLE.to_owned(),
            },
        };
        // The shelf knows of the match before the journal does: one without rows never began.
        self.save();
        self.save_played();
        let body = serde_json::to_vec(&header).expect("headers are plain data");
        self.waiting.push_back(Waiting {
            ply: 0,
            frames: Vec::new(),
            verdicts: Vec::new(),
            then: Vec::new(),
        });
        self.append(id, 0, body);
        for place in 0..self.sockets.len() {
            let Some(socket) = &self.sockets[place] else { continue };
            let viewer = self.viewer_of(socket.person.as_ref());
            if let Some(socket) = &mut self.sockets[place] {
                socket.viewer = viewer;
            }
        }
        self.greet_all();
        for place in 0..self.chairs.len() {
            if self.chairs[place].who.is_none() {
                let left = Input::Presence(Seat(place as u8), Presence::Left);
                if let Err(refusal) = self.judge_now(Cause::Host, left, Vec::new()) {
                    tracing::warn!(table = self.settings.id, "an empty seat stays in the match: {refusal}");
                }
            }
        }
        self.run_or_stop();
        self.tell_presence();
        Ok(())
    }
}

fn sitter(chair: &Chair) -> Sitter {
    match &chair.who {
        Some(Who::Person(p)) => Sitter { name: p.name.clone(), kind: SitterKind::Person },
        Some(Who::Bot(kind)) => Sitter { name: kind.clone(), kind: SitterKind::Bot(kind.clone()) },
        None => Sitter { name: String::new(), kind: SitterKind::Empty },
    }
}

fn seed_frame(call: SeedCall) -> Bytes {
    frame(&ToClient::Seed(call))
}
