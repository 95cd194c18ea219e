//! A table on one's own device, for playing against bots without a network: the table of the server (`table`), with a browser
//! for its machine, or a terminal.
//!
//! In a browser it runs in a Web Worker beside the page, in a terminal in a thread (crate `terminal`); page or room talk to it in the
//! frames that they exchange with a server. What the journal and the store of a server keep, the device keeps; nothing is told of a move before it has. So a match goes on after the page
//! was closed, as it does after a server was killed.
//!
//! [`Home`] knows nothing of browsers: it is told what the time is and what came, as a [`Call`], and says as a [`Turn`] what is to
//! be sent, to be kept, and when it wants to be called again. The worker's `main.rs` and `home.js` are the glue.
//!
//! ```
//! use home::{Call, Home, Told};
//!
//! let mut home = Home::new(Box::new(|| [7; 32]));
//! let wanted = r#"{"table":{"game":{"preset":"contract"},"seats":3,"bots":["easy","easy"]},"name":"Ann"}"#;
//! let turn = home.turn(Told { wall: 0, today: 0, call: Call::Open(wanted.to_owned()) });
//! assert_eq!(turn.summary.map(|table| table.title).as_deref(), Some("Contract Rummy"));
//! assert!(turn.keep.is_some_and(|keep| keep.table.is_some()), "the table is kept at once");
//! ```

mod machine;

use game::{Refusal, Say, Sentence, say};
pub use machine::Random;
use machine::{Machine, Page};
use rulebook::{Command, Match, Notice, Rules, View};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use table::{Connection, Env, MatchId, Person, Settings, Table, Trial};
use wire::api::{DayDeal, GameChoice, NewTable, TableSummary};
use wire::{Stage, ToClient};

/// Whoever plays here, as the table knows them.
const OWNER: &str = "owner";

/// Milliseconds between two calls that count at most: a device that slept did not play meanwhile.
const MOST_PASSED: u64 = 3000;

/// Milliseconds after which a table at which a match is played wants to be called at the latest, so that time counts.
const MOST_WAIT: u64 = 1000;

/// A table that is to be opened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wanted {
    /// What a server would be asked for.
    pub table: NewTable,
    /// What the person who plays is called.
    pub name: String,
    /// The day whose game it is, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day: Option<PlayedDay>,
    /// How many percent of their time the bots take; 100 unless said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pace: Option<u32>,
}

/// A game of a day, played without rank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayedDay {
    /// The day, as `2026-01-31`.
    pub date: String,
    /// What is dealt, as the server told it.
    pub deal: DayDeal,
}

/// What the page tells, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// Milliseconds on a clock of the device, from any origin.
    pub wall: u64,
    /// Seconds since 1970, UTC.
    pub today: u64,
    /// What.
    pub call: Call,
}

/// What the page tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Call {
    /// Opens a table: a [`Wanted`] as JSON. Once it is open, what was kept before is given up.
    Open(String),
    /// Opens the table that the device kept.
    Restore {
        /// The last [`Keep::table`]; empty if there is none.
        table: String,
        /// Every row of [`Keep::rows`] that was not given up, in the order of their numbers.
        rows: Vec<Row>,
    },
    /// A frame of the page.
    Frame(String),
    /// What was to be kept is kept; or why not, in a sentence.
    Kept(Option<String>),
    /// Nothing: time has passed.
    Tick,
    /// The table is open elsewhere on this device now, and closes here.
    Taken,
    /// The device keeps nothing, for this reason.
    Lost(String),
}

/// A row of the log of a match: the match, the number of the row, the row.
pub type Row = (MatchId, u32, String);

/// What is to be done about it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Frames for the page.
    pub frames: Vec<String>,
    /// What the device is to keep, all of it or nothing, and to answer for with [`Call::Kept`] before anything else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep: Option<Keep>,
    /// In how many milliseconds to call again at the latest; none if nothing is waited for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wake: Option<u64>,
    /// What is played, once the table is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<TableSummary>,
}

/// What the device keeps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keep {
    /// Whether all rows that were kept so far are given up: the table is a new one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fresh: bool,
    /// The table, in the place of what was kept of it; none if it is as it was.
    pub table: Option<String>,
    /// Matches whose rows are given up.
    pub forget: Vec<MatchId>,
    /// Rows to be kept beside those that are, each new.
    pub rows: Vec<Row>,
}

/// What is kept of a table.
#[derive(Serialize, Deserialize)]
struct Kept {
    wanted: Wanted,
    /// As the table itself has it.
    table: String,
}

/// What was wanted of the table that a device kept ([`Keep::table`]); none where it is no such thing.
#[must_use]
pub fn wanted_of(table: &str) -> Option<Wanted> {
    serde_json::from_str(table).ok().map(|Kept { wanted, .. }| wanted)
}

/// The table of this device, once it is open.
pub struct Home {
    machine: Arc<Machine>,
    /// What the device's clock showed last.
    wall: Option<u64>,
    open: Option<Open>,
}

struct Open {
    wanted: Wanted,
    /// Whether nothing was kept of it yet.
    fresh: bool,
    table: Table<Match>,
    connection: Connection<Match>,
}

impl Home {
    /// No table yet; `random` gives bytes that nobody can guess.
    #[must_use]
    pub fn new(random: Random) -> Home {
        Home { machine: Arc::new(Machine::new(random)), wall: None, open: None }
    }

    /// Does what comes of what the page tells, a [`Told`] as JSON, and gives the [`Turn`] as JSON.
    #[must_use]
    pub fn turn_text(&mut self, told: &str) -> String {
        let turn = match serde_json::from_str(told) {
            Ok(told) => self.turn(told),
            Err(error) => Turn { frames: vec![parting(unreadable(error))], ..Turn::default() },
        };
        serde_json::to_string(&turn).expect("turns are JSON")
    }

    /// Does what comes of what the page tells.
    pub fn turn(&mut self, told: Told) -> Turn {
        let passed = told.wall.saturating_sub(self.wall.replace(told.wall).unwrap_or(told.wall));
        self.machine.passed(passed.min(MOST_PASSED), told.today);
        let ticks = told.call == Call::Tick;
        let opened = match told.call {
            Call::Open(wanted) => Some(self.open_new(&wanted)),
            Call::Restore { table, rows } => Some(self.restore(&table, rows)),
            Call::Lost(why) => Some(Err(unreadable(why))),
            // What it does from now on is kept by nobody.
            Call::Taken => {
                self.open = None;
                Some(Err(say!("no_table.open_elsewhere").into()))
            }
            call => {
                self.go_on(call);
                None
            }
        };
        self.machine.work(ticks);
        let mut frames = self.machine.frames();
        let summary = match opened {
            None => None,
            Some(Ok(summary)) => Some(summary),
            Some(Err(fault)) => {
                frames.push(parting(fault));
                None
            }
        };
        Turn { frames, keep: self.keep(), wake: self.wake(), summary }
    }

    fn go_on(&mut self, call: Call) {
        let Some(Open { connection, .. }) = &self.open else { return };
        match call {
            // A frame that is none comes of no page of ours, and nothing has happened.
            Call::Frame(text) => _ = connection.receive(&text),
            Call::Kept(why) => self.machine.kept(why.map_or(Ok(()), Err)),
            Call::Tick | Call::Taken | Call::Lost(_) | Call::Open(_) | Call::Restore { .. } => {}
        }
    }

    fn open_new(&mut self, wanted: &str) -> Result<TableSummary, Sentence> {
        let wanted: Wanted = serde_json::from_str(wanted).map_err(unreadable)?;
        let game = load(&wanted)?;
        let rules = game.rules(wanted.table.seats).map_err(|_| unplayable())?;
        let person = owner(&wanted);
        let settings = Settings {
            id: OWNER.to_owned(),
            join_late: matches!(&*rules, Rules::Pattern(rules) if rules.late_join),
            rules,
            seats: wanted.table.seats,
            host: person.clone(),
            sit_in: bots::beginner(game.info.family).name.to_owned(),
            rest_s: wanted.table.rest_s.unwrap_or(table::rest_s()),
            trial: wanted.day.as_ref().map(|day| {
                let DayDeal { name, seed } = day.deal.clone();
                Trial { name, seed }
            }),
        };
        let table = Table::open(settings, self.env(&wanted)).map_err(|why| refused(&why))?;
        table.seat(&person, &wanted.table.bots).map_err(|why| refused(&why))?;
        self.sit_at(wanted, table, true)
    }

    fn restore(&mut self, kept: &str, rows: Vec<Row>) -> Result<TableSummary, Sentence> {
        if kept.is_empty() {
            return Err(say!("no_table.none_here").into());
        }
        let Kept { wanted, table } = serde_json::from_str(kept).map_err(unreadable)?;
        self.machine.remember(rows.into_iter().map(|(id, _, row)| (id, row.into_bytes())));
        let table = Table::restore(&table, self.env(&wanted)).map_err(unreadable)?;
        self.sit_at(wanted, table, false)
    }

    fn sit_at(&mut self, wanted: Wanted, table: Table<Match>, fresh: bool) -> Result<TableSummary, Sentence> {
        let summary = summary(&wanted, &table)?;
        let connection = table.connect(Some(owner(&wanted)), Arc::new(Page(Arc::clone(&self.machine))));
        self.open = Some(Open { wanted, fresh, table, connection });
        Ok(summary)
    }

    fn env(&self, wanted: &Wanted) -> Env<Match> {
        let (made, pace) = (wanted.clone(), wanted.pace.unwrap_or(100));
        Env {
            journal: Arc::clone(&self.machine) as _,
            tables: Arc::clone(&self.machine) as _,
            host: Arc::clone(&self.machine) as _,
            bots: Arc::new(move |kind: &str, rules: &Rules| {
                Some(bots::at_pace(bots::make(kind, rules)?, pace))
            }),
            alike: |one, other| one == other,
            rules: Arc::new(move |_, seats| load(&made).ok()?.rules(seats).ok()),
        }
    }

    fn keep(&mut self) -> Option<Keep> {
        let Open { wanted, fresh, .. } = self.open.as_mut()?;
        let Keep { table, forget, rows, .. } = self.machine.keep()?;
        let kept = |table| serde_json::to_string(&Kept { wanted: wanted.clone(), table });
        Some(Keep {
            table: table.map(|table| kept(table).expect("texts are JSON")),
            forget,
            rows,
            fresh: std::mem::take(fresh),
        })
    }

    fn wake(&self) -> Option<u64> {
        let playing = self.open.as_ref().is_some_and(|open| open.table.state().stage == Stage::Playing);
        let most = playing.then_some(MOST_WAIT);
        let wait = self.machine.wait();
        wait.into_iter().chain(most).min()
    }
}

fn load(Wanted { table, day, .. }: &Wanted) -> Result<rulebook::Loaded, Sentence> {
    let mut options = table.options.clone();
    if day.is_some() {
        options.insert("abandon_s".to_owned(), Trial::ABANDON_S.into());
    }
    let game = table.game.load(&options).ok().and_then(Result::ok);
    game.ok_or_else(unplayable)
}

/// Nothing more is said: the words for what is wrong with rules are those of the page where a table is made.
fn unplayable() -> Sentence {
    say!("no_table.unplayable_here").into()
}

fn unreadable(why: impl ToString) -> Sentence {
    say!("no_table.unreadable_here", why = why.to_string()).into()
}

fn owner(wanted: &Wanted) -> Person {
    Person { id: OWNER.to_owned(), name: wanted.name.clone() }
}

/// The table, as a server would tell of it.
fn summary(wanted: &Wanted, table: &Table<Match>) -> Result<TableSummary, Sentence> {
    let game = load(wanted)?;
    let state = table.state();
    let named = matches!(wanted.table.game, GameChoice::Preset(_)).then(|| game.name_to_say());
    let (title, say) = match &wanted.day {
        Some(PlayedDay { date, .. }) => {
            let name = Say::apart(game.name_to_say().key.into_owned(), game.info.name.clone());
            let title = say!("title.day_unranked", game = name, date = date.clone());
            (title.to_string(), Some(title))
        }
        None => (game.info.name.clone(), named),
    };
    Ok(TableSummary {
        id: OWNER.to_owned(),
        title,
        say,
        preset: game.built_in(),
        seats: Vec::new(),
        stage: state.stage,
        public: false,
        day: wanted.day.as_ref().map(|day| day.date.clone()),
        players: Some((game.info.players_min, game.info.players_max)),
    })
}

/// The last frame, where there is no table to talk to.
fn parting(why: Sentence) -> String {
    let Sentence { text, say } = why;
    let frame = ToClient::<View, Notice, Command>::Error { text, say, retry: false };
    serde_json::to_string(&frame).expect("frames are JSON")
}

fn refused(why: &Refusal) -> Sentence {
    Sentence { text: why.to_string(), say: why.say.clone() }
}
