//! The contract every game fulfils.
//!
//! A [`Game`] is a pure state machine that holds the whole truth of one *match* (all its deals or rounds). It reads no
//! clock, no random source and no socket. Whatever happens comes in through [`Input`]: a seat acts, chance falls, time
//! passes, somebody comes or goes; there is no fifth door. [`Game::decide`] judges an input and says what follows from
//! it as events, changing nothing; [`Game::evolve`] applies an event, judging nothing. So a match *is* its log of
//! events: state, views, replays and statistics are folds over it.
//!
//! A [`View`] is all that a person, a bot, a browser or a terminal ever holds. Cards that its viewer may not see are
//! not in it: they are unreachable, not filtered out. A view is kept up to date by the [`Game::notice`] of each event,
//! which says what *that viewer* learns from it.
//!
//! The laws that tie these together are in [`laws`], one test kit for all games.
//!
//! # A game of one's own
//!
//! Some matches lie on a heap; whoever takes the last of them wins. Nothing is hidden and nothing is left to chance, so little
//! has to be said. Whatever follows from it (tables, records, replays, bots) works with it as with any other game, and the law
//! kit finds what is wrong with it.
//!
//! ```
//! use game::laws::{self, Plan};
//! use game::{Alarm, Chance, Coverage, Game, Input, Millis, Outcome, Refusal, Seat, SeatSet, Status, View, Viewer};
//! use serde::{Deserialize, Serialize};
//! use std::sync::Arc;
//!
//! /// What everybody sees.
//! #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
//! struct Heap { began: u8, left: u8, turn: Seat, seats: u8 }
//!
//! impl Heap {
//!     fn take(&mut self, count: u8) {
//!         self.left -= count;
//!         if self.left > 0 {
//!             self.turn = Seat((self.turn.0 + 1) % self.seats);
//!         }
//!     }
//!     fn outcome(&self) -> Outcome {
//!         let won = |seat| u8::from(Seat(seat) == self.turn);
//!         Outcome {
//!             winners: SeatSet::from_iter([self.turn]),
//!             scores: (0..self.seats).map(|seat| won(seat).into()).collect(),
//!             places: (0..self.seats).map(|seat| 2 - won(seat)).collect(),
//!             ranked: true,
//!             settlement: vec![],
//!         }
//!     }
//! }
//!
//! /// What one viewer holds.
//! #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
//! struct Seen { who: Viewer, heap: Heap, over: Option<Outcome> }
//!
//! impl View for Seen {
//!     type Command = u8; // take so many
//!     type Notice = u8; // so many were taken
//!
//!     fn observe(&mut self, taken: &u8) {
//!         self.heap.take(*taken);
//!         self.over = (self.heap.left == 0).then(|| self.heap.outcome());
//!     }
//!     fn commands(&self, _: Millis) -> Coverage<u8> {
//!         let most = if self.awaited() { self.heap.left.min(3) } else { 0 };
//!         Coverage { commands: (1..=most).collect(), complete: true }
//!     }
//!     fn awaited(&self) -> bool {
//!         self.over.is_none() && self.who.is(self.heap.turn)
//!     }
//!     fn outcome(&self) -> Option<&Outcome> {
//!         self.over.as_ref()
//!     }
//! }
//!
//! /// The truth.
//! #[derive(Clone, Debug)]
//! struct Nim { rules: Arc<u8>, heap: Heap }
//!
//! impl Game for Nim {
//!     type Rules = u8; // how many lie there
//!     type View = Seen;
//!     type Command = u8;
//!     type Event = u8;
//!     type Notice = u8;
//!
//!     fn open(rules: Arc<u8>, seats: u8) -> Result<Nim, Refusal> {
//!         let heap = Heap { began: *rules, left: *rules, turn: Seat(0), seats };
//!         Ok(Nim { rules, heap })
//!     }
//!     fn rules(&self) -> &Arc<u8> { &self.rules }
//!     fn seats(&self) -> u8 { self.heap.seats }
//!     fn alarm(&self) -> Option<Alarm> { None }
//!     fn status(&self) -> Status {
//!         match self.heap.left {
//!             0 => Status::Over(self.heap.outcome()),
//!             _ => Status::Seats(SeatSet::from_iter([self.heap.turn])),
//!         }
//!     }
//!     fn decide(&self, _: Millis, input: &Input<u8>, out: &mut impl Extend<u8>) -> Result<(), Refusal> {
//!         match input {
//!             Input::Play(seat, ..) if *seat != self.heap.turn => {
//!                 Err(Refusal::in_words(&["NIM-1"], "It is not your turn."))
//!             }
//!             Input::Play(_, count, _) if (1..=self.heap.left.min(3)).contains(count) => {
//!                 out.extend([*count]);
//!                 Ok(())
//!             }
//!             Input::Play(..) => Err(Refusal::in_words(&["NIM-2"], "One, two or three are taken.")),
//!             _ => Err(Refusal::slip("Nothing else happens in this game.")),
//!         }
//!     }
//!     fn evolve(&mut self, taken: &u8) { self.heap.take(*taken) }
//!     fn view(&self, who: Viewer) -> Seen {
//!         let over = (self.heap.left == 0).then(|| self.heap.outcome());
//!         Seen { who, heap: self.heap.clone(), over }
//!     }
//!     fn notice(&self, taken: &u8, _: Viewer) -> Option<u8> { Some(*taken) }
//!     fn imagine(view: &Seen, _: &mut impl Chance) -> Nim {
//!         Nim { rules: Arc::new(view.heap.began), heap: view.heap.clone() }
//!     }
//!     fn census(&self) -> Vec<u16> { vec![] } // it has no cards
//! }
//!
//! for seed in 0..20 {
//!     let plan = Plan { seed, ..Plan::default() };
//!     let played = laws::check::<Nim>(&Arc::new(15), 3, &plan, &mut laws::any_command)?;
//!     assert_eq!(played.events.iter().sum::<u8>(), 15);
//! }
//! # Ok::<(), laws::Broken>(())
//! ```

pub mod chance;
pub mod laws;
mod objections;
pub mod option;
mod say;
mod seats;
pub mod sum;
pub mod words;
pub mod written;

pub use chance::{Chance, Draw, Need};
pub use objections::Objections;
pub use say::{Say, Sentence, Value, Values};
pub use seats::{Seat, SeatSet};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// Match time in milliseconds since the match began. It is handed in, never read, and never goes back; it stands still
/// while no host runs the match, while nobody is connected, while the host of the table has paused it and while a table
/// waits between two rounds.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(transparent)]
pub struct Millis(pub u32);

impl Millis {
    /// This time and `millis` more, stopping at the end of time (49 days).
    #[must_use]
    pub const fn after(self, millis: u32) -> Millis {
        Millis(self.0.saturating_add(millis))
    }
    /// Milliseconds from `earlier` to this time; 0 if it is not earlier.
    #[must_use]
    pub const fn since(self, earlier: Millis) -> u32 {
        self.0.saturating_sub(earlier.0)
    }
}

/// A wake-up that the rules ask for: the host sends [`Input::Ring`] with `id` once `due` has come. Alarms exist only
/// where something happens by itself; a lock that merely ends is a comparison of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alarm {
    /// Tells this alarm from every other of the match, so that a ring that comes late is recognised and refused.
    pub id: u32,
    /// When it is due, in match time.
    pub due: Millis,
}

/// Whose eyes: a seat's, or those of the table, which is any spectator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Viewer {
    /// The player in this seat.
    Seat(Seat),
    /// Anybody else.
    Table,
}

impl Viewer {
    /// Whether this viewer sits in `seat`.
    #[must_use]
    pub fn is(self, seat: Seat) -> bool {
        self == Viewer::Seat(seat)
    }
}

/// Coming and going. The rules start grace and retire seats by it (LEAVE-*).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Presence {
    /// The connection was lost.
    Dropped,
    /// The connection is there again.
    Back,
    /// The player left for good.
    Left,
    /// A player took the seat.
    Joined,
}

/// When an act was made, as far as fairness is concerned (design, section 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Timing {
    /// When the act reached the host, in match time.
    pub arrival: Millis,
    /// Half the round trip that is taken off under `order = ping_adjusted`, in milliseconds; else 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub adjustment: u16,
}

fn is_zero(n: &u16) -> bool {
    *n == 0
}

impl Timing {
    /// Most that may be taken off one act, in milliseconds.
    pub const MOST_OFF: u16 = 150;
    /// Most that may be taken off all acts of one seat in one deal, in milliseconds.
    pub const MOST_OFF_IN_DEAL: u16 = 2000;

    /// An act that counts from when it arrived.
    #[must_use]
    pub const fn at(arrival: Millis) -> Timing {
        Timing { arrival, adjustment: 0 }
    }
    /// The adjusted time, which tie windows compare.
    #[must_use]
    pub const fn adjusted(self) -> Millis {
        Millis(self.arrival.0.saturating_sub(self.adjustment as u32))
    }
}

/// Everything that can happen to a match. There is no fifth door.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Input<C> {
    /// A seat acts. Judged at the time handed to `decide`; the timing is data for tie windows and the record.
    Play(Seat, C, Timing),
    /// Chance falls: the answer to the [`Need`] that [`Game::status`] stated.
    Draw(Draw),
    /// The alarm with this id is due.
    Ring(u32),
    /// Somebody comes or goes.
    Presence(Seat, Presence),
}

/// What a match waits for.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// For chance; the host draws at once.
    Chance(Need),
    /// For these seats: all who may act and whose act (or clock) moves the game on. Several at once in races and windows.
    Seats(SeatSet),
    /// For nothing: it has ended.
    Over(Outcome),
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Outcome {
    /// Who won; several share a win.
    pub winners: SeatSet,
    /// Final score of each seat, in the unit of the game.
    pub scores: Vec<i32>,
    /// Place of each seat from 1; equal places are shared. 0 for a seat that nobody held.
    pub places: Vec<u8>,
    /// Whether it counts for ratings (a match that was abandoned or ended early does not).
    pub ranked: bool,
    /// Tokens won (+) or paid (-) at the end by each seat; empty where the game has none (contract/PR-SET).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settlement: Vec<i32>,
}

/// Why an input was refused. Nothing has changed. Cites every rule id that forbids the act (Q-13) and says why.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Refusal {
    /// Rule ids of the family's rulebook, the game's own first.
    pub rules: Vec<Cow<'static, str>>,
    /// One sentence in English for the person who tried. Rules leave it empty, but for slips of the pen: who sends a refusal
    /// to others says it ([`Refusal::spoken`]).
    #[serde(default)]
    pub text: String,
    /// The same, to be said in any language; empty for what stands in no language file.
    #[serde(default, skip_serializing_if = "Say::is_empty")]
    pub say: Say,
}

impl Refusal {
    /// A refusal that cites `rules`.
    #[must_use]
    pub fn new(rules: &[&'static str], say: Say) -> Refusal {
        Refusal { rules: rules.iter().map(|&r| Cow::Borrowed(r)).collect(), text: String::new(), say }
    }
    /// A refusal whose sentence stands in no language file: of a game that speaks one language only.
    #[must_use]
    pub fn in_words(rules: &[&'static str], text: impl Into<String>) -> Refusal {
        Refusal { text: text.into(), ..Refusal::new(rules, Say::default()) }
    }
    /// A refusal for which no rule is to blame: a slip of the pen in something that was written down.
    #[must_use]
    pub fn slip(text: impl Into<String>) -> Refusal {
        Refusal::in_words(&[], text)
    }
    /// Whether `rule` is among the ids cited.
    #[must_use]
    pub fn cites(&self, rule: &str) -> bool {
        self.rules.iter().any(|r| r == rule)
    }
    /// Cites these rules too, each once.
    pub fn cite<R: Into<Cow<'static, str>>>(&mut self, rules: impl IntoIterator<Item = R>) {
        for rule in rules.into_iter().map(Into::into) {
            if !self.rules.contains(&rule) {
                self.rules.push(rule);
            }
        }
    }
    /// The same refusal, which cites these rules too.
    #[must_use]
    pub fn citing<R: Into<Cow<'static, str>>>(mut self, rules: impl IntoIterator<Item = R>) -> Refusal {
        self.cite(rules);
        self
    }
    /// Whether nothing is said: the refusal of nothing at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.say.is_empty()
    }
    /// What is said: the text, else [`Say`] as it displays itself.
    #[must_use]
    pub fn words(&self) -> Cow<'_, str> {
        if self.text.is_empty() { Cow::Owned(self.say.to_string()) } else { Cow::Borrowed(&self.text) }
    }
    /// The same with its text, for those who do not say it themselves.
    #[must_use]
    pub fn spoken(self) -> Refusal {
        Refusal { text: self.words().into_owned(), ..self }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words())?;
        if !self.rules.is_empty() {
            write!(f, " ({})", self.rules.join(", "))?;
        }
        Ok(())
    }
}

impl std::error::Error for Refusal {}

/// A refusal for which no rule is to blame.
impl From<Say> for Refusal {
    fn from(say: Say) -> Refusal {
        Refusal::new(&[], say)
    }
}

/// A list of commands that would be accepted, and whether it is all of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Coverage<C> {
    /// Each would be accepted if it came at the time asked about.
    pub commands: Vec<C>,
    /// Whether there is no other. Where the choices are too many (which cards to meld), a fair sample is given.
    pub complete: bool,
}

impl<C> Default for Coverage<C> {
    fn default() -> Self {
        Coverage { commands: Vec::new(), complete: true }
    }
}

/// What one viewer knows of a match.
pub trait View: Clone + PartialEq + fmt::Debug {
    /// What a seat may do.
    type Command: Clone + fmt::Debug;
    /// What a viewer learns.
    type Notice: Clone + fmt::Debug;

    /// Takes in what this viewer learnt from one event.
    fn observe(&mut self, notice: &Self::Notice);
    /// What this viewer's seat may do at `at`; empty for the table.
    fn commands(&self, at: Millis) -> Coverage<Self::Command>;
    /// Acts that are closed to this viewer's seat at `at`: a command for each, and the refusal that it would meet, which may cite more
    /// where the act is wrong by itself, too. Empty where a game says nothing of it.
    fn closed(&self, at: Millis) -> Vec<(Self::Command, Refusal)> {
        let _ = at;
        Vec::new()
    }
    /// Whether `command` is among what this viewer's seat may do at `at`, whether [`View::commands`] lists it or not: what is
    /// among it the truth accepts, and nothing else. None where a game says nothing of it.
    fn admits(&self, at: Millis, command: &Self::Command) -> Option<bool> {
        let _ = (at, command);
        None
    }
    /// Whether the match waits for this viewer's seat (it is its turn, or a window asks it).
    fn awaited(&self) -> bool;
    /// How the match ended, once it has.
    fn outcome(&self) -> Option<&Outcome>;
}

/// What a command means where players race (design, section 4): how the table treats one that crosses with another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Contest {
    /// Nobody is raced with it: it is judged when it comes.
    #[default]
    None,
    /// It speaks of the layout as a whole (a flag): dropped if the layout has changed since the player saw it.
    Layout,
    /// A call: dropped like a flag, and held under `order = ping_adjusted`.
    Call,
    /// It names what it takes (a claim): held under `order = ping_adjusted`, and never dropped.
    Claim,
}

/// The truth of one match: server, laboratory, replay. See the crate's page for the idea, [`laws`] for what must hold.
pub trait Game: Clone + fmt::Debug {
    /// The whole rule set, options of the table included; plain data that stands in the header of every record.
    type Rules: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned;
    /// What a viewer holds.
    type View: View<Command = Self::Command, Notice = Self::Notice> + Serialize + DeserializeOwned;
    /// What a seat may do; typed JSON on the wire.
    type Command: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned;
    /// What happened, with its outcome in it (the card drawn), so that a replay folds and never judges again.
    type Event: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned;
    /// What a viewer learns of an event.
    type Notice: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned;

    /// A match about to begin, at match time 0, with `seats` seats (its capacity; all are taken to be filled and
    /// connected until [`Presence`] says otherwise).
    ///
    /// # Errors
    /// If the rules cannot be played with so many seats.
    fn open(rules: Arc<Self::Rules>, seats: u8) -> Result<Self, Refusal>;
    /// The rules of this match.
    fn rules(&self) -> &Arc<Self::Rules>;
    /// Number of seats (capacity).
    fn seats(&self) -> u8;
    /// What the match waits for.
    fn status(&self) -> Status;
    /// The next alarm, if any: the one due soonest.
    fn alarm(&self) -> Option<Alarm>;
    /// Judges `input` at match time `at`, which is never before the time of an earlier input, and says in order what
    /// follows. Pure. An accepted input gives at least one event.
    ///
    /// # Errors
    /// The refusal; then `out` holds nothing new.
    fn decide(
        &self,
        at: Millis,
        input: &Input<Self::Command>,
        out: &mut impl Extend<Self::Event>,
    ) -> Result<(), Refusal>;
    /// Applies an event. Total: what was decided always applies.
    fn evolve(&mut self, event: &Self::Event);
    /// What `who` knows now.
    fn view(&self, who: Viewer) -> Self::View;
    /// What `who` learns from `event`, asked on the state *before* it; none if nothing, so that nothing is sent.
    fn notice(&self, event: &Self::Event, who: Viewer) -> Option<Self::Notice>;
    /// What `command` means in a race. Games without races keep the default.
    fn contest(&self, command: &Self::Command) -> Contest {
        let _ = command;
        Contest::None
    }
    /// Whether `event` changes the layout that calls and flags are about; asked on the state before it.
    fn changes_layout(&self, event: &Self::Event) -> bool {
        let _ = event;
        false
    }
    /// Whether racing acts count from when they were made rather than from when they arrived: the option
    /// `order = ping_adjusted`.
    fn ping_adjusted(&self) -> bool {
        false
    }
    /// The seat whose turn ran out with `event`, so that the rules moved for it (contract/A-48); asked on the state before
    /// it. After two in a row the table lets a bot play the seat.
    fn ran_out(&self, event: &Self::Event) -> Option<Seat> {
        let _ = event;
        None
    }
    /// Whether a round has ended and nothing of the next one is dealt yet. A table may let the match rest then, until
    /// people have read how it ended. Games that pause by their own rules, and those of one deal, keep the default.
    fn between_rounds(&self) -> bool {
        false
    }
    /// A truth that is consistent with `view`, what is hidden being drawn from `chance`. For bots that think ahead.
    fn imagine(view: &Self::View, chance: &mut impl Chance) -> Self;
    /// The card places of the truth as counted cards, the same list after every event: every card of the pack once
    /// for each copy, wherever it lies. For the law that cards are conserved.
    fn census(&self) -> Vec<u16>;
}

/// Decides and, if accepted, evolves. Events are handed to `out` in order.
///
/// # Errors
/// The refusal of [`Game::decide`]; then nothing has changed.
pub fn step<G: Game>(
    game: &mut G,
    at: Millis,
    input: &Input<G::Command>,
    out: &mut Vec<G::Event>,
) -> Result<(), Refusal> {
    let first = out.len();
    game.decide(at, input, out)?;
    for event in &out[first..] {
        game.evolve(event);
    }
    Ok(())
}
