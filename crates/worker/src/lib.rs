//! What the browser app computes beside the page, in a Web Worker of its own: replays, demonstration matches, odds and
//! counts. The page is asked to carry neither the rules' whole engine nor the laboratory, so a first visit stays small, and
//! a count of some seconds never holds up a tap.
//!
//! The page posts an [`Ask`] as JSON, and gets one [`Answer`] for it, in order. [`Worker`] knows nothing of browsers, so
//! tests talk to it as the page does; `main.rs` is the glue.
//!
//! ```
//! use worker::{Answer, Ask, Worker};
//!
//! let mut worker = Worker::default();
//! let ask = Ask::Odds { deck: "d81".to_owned(), pattern: "set".to_owned(), cards: 12 };
//! let Answer::Odds(row) = worker.answer(ask) else { panic!("odds") };
//! assert_eq!(row.cards, 12);
//!
//! // A page has texts for both.
//! let text = worker.answer_text(r#"{"demo":{"game":"set-classic","seats":2,"seed":1}}"#);
//! assert!(text.starts_with(r#"{"shown":"#));
//! ```

mod demo;
mod film;
mod handover;
mod maths;
mod play;
mod story;

pub use bots::Advice;
pub use bots::contract as rummy;
pub use bots::pattern as set;
pub use demo::Demo;
pub use film::Film;
pub use lab::sim::Choose;
pub use maths::{
    BetweenRow, CapRow, CountsRow, DealRow, KnownRows, OddsRow, PublishedRow, WaveBound, WaveRow, WavesRow,
};
pub use play::{Estimate, FreshRow, MetRow, PlayRow, RaceRow};
pub use story::{Find, Missed, Moment, Story, Takes, What};

use cards::Point;
use game::{Millis, Refusal, Sentence, Viewer};
use rulebook::solve::{Question, Solver};
use rulebook::{Command, Notice, View};
use serde::{Deserialize, Serialize};
use wire::api::{ReadRules, RulesRead};

/// What the page asks. A page of one family speaks of that family's commands alone, and carries what writes views only where it
/// sends some.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask<C = Command, V = ()> {
    /// Opens a match record (JSON lines).
    Record(String),
    /// What is told of the opened record's match.
    Story,
    /// The opened record, judged again as `parlour verify` does.
    Verify,
    /// The opened record's match after so many entries, as somebody saw it.
    Frame {
        /// How many entries, 0 for the beginning.
        after: usize,
        /// Whose eyes.
        who: Viewer,
    },
    /// Where the solver answers about the opened record's match after so many entries, as somebody saw it.
    Handover {
        /// How many entries, 0 for the beginning.
        after: usize,
        /// Whose eyes.
        who: Viewer,
    },
    /// Begins a match of this game against seats that move at random.
    Demo {
        /// Id of a built-in game.
        game: String,
        /// For how many; four, or as near as the game allows, unless said.
        seats: Option<u8>,
        /// Chooses the cards and the other seats' moves.
        seed: u64,
    },
    /// Lets whatever happens by itself in the demonstration happen.
    Step {
        /// Match time.
        at: Millis,
    },
    /// A command of seat 0 of the demonstration.
    Play {
        /// The command.
        command: C,
        /// Match time.
        at: Millis,
    },
    /// What a bot would do in the place of whoever has this view, and why. It sees the view and nothing else.
    Advise {
        /// Which bot: a kind of the view's family, or a number.
        bot: String,
        /// The view of the seat that asks.
        view: Box<V>,
    },
    /// What cards drawn at random hold.
    Odds {
        /// `d27` or `d81`.
        deck: String,
        /// `set`, `super`, `double` or `eight`.
        pattern: String,
        /// How many cards, 3 to 21.
        cards: usize,
    },
    /// The races among the built-in games.
    Races,
    /// The chances of fresh cards in a race.
    Fresh {
        /// Id of a built-in game.
        game: String,
    },
    /// Begins to simulate a race, in the place of any before it; no deal is played yet.
    Simulate {
        /// Id of a built-in game.
        game: String,
        /// For how many; the fewest, unless said.
        players: Option<u8>,
        /// Which claim is taken where there are several.
        choose: Choose,
        /// Chooses the cards and who takes what.
        seed: u64,
    },
    /// So many more deals of the simulation, ten thousand at most.
    Deals(u64),
    /// The caps of AG(n,3) by size.
    Caps {
        /// The dimension n, 1 to 4.
        dim: u32,
    },
    /// How many lines, planes and directions there are.
    Counts {
        /// The dimension, 2 to 4.
        dim: u32,
    },
    /// How some cards are split in every direction, and how many Sets follow from that.
    Waves {
        /// The dimension, 1 to 4.
        dim: u32,
        /// The cards, as points.
        cards: Vec<u8>,
    },
    /// The bound on caps that follows from waves, for the dimensions whose largest caps are known.
    WaveBounds,
    /// What others found out about caps that cannot be counted here.
    Known,
    /// Between which bounds the largest cap of a dimension lies.
    Between {
        /// The dimension, 1 to 200.
        dim: u32,
    },
    /// How rare a given deal of so many cards is.
    Deal {
        /// How many cards, 1 to 81.
        cards: u64,
        /// How often they are dealt.
        times: f64,
    },
    /// One of the largest caps.
    LargestCap {
        /// The dimension, 1 to 4.
        dim: u32,
    },
    /// The odds that others published, with what they really measured (pattern rulebook, 5.5).
    Published,
    /// What can still be added to some cards.
    Safe {
        /// The dimension, 1 to 4.
        dim: u32,
        /// The cards, as points.
        cards: Vec<u8>,
        /// Whether to count how many caps hold them, which takes a moment.
        count: bool,
    },
    /// What house rules mean, where no server can be asked.
    Rules(ReadRules),
    /// What a layout or a hand holds.
    Solve {
        /// Id of a built-in game.
        game: String,
        /// What is asked.
        question: Question,
        /// About what: the query of `parlour solve`.
        query: serde_json::Value,
    },
}

/// What the worker answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// A record was opened.
    Opened(Opened),
    /// What is told of a match.
    Told(Story),
    /// What came of judging a record again.
    Verified(Verified),
    /// A position.
    Shown(Shown),
    /// The path of the solver's page with the position; none where there is nothing to ask about, or no built-in game whose
    /// rules are these.
    Handover(Option<String>),
    /// What a bot would do; none where nobody waits for that seat.
    Advised(Option<Box<Advice>>),
    /// What cards hold.
    Odds(OddsRow),
    /// The races.
    Races(Vec<RaceRow>),
    /// Chances of fresh cards; none where there is nothing to be counted.
    Fresh(Vec<FreshRow>),
    /// What came of a simulation so far.
    Played(PlayRow),
    /// Caps by size.
    Caps(Vec<CapRow>),
    /// Published odds.
    Published(Vec<PublishedRow>),
    /// How many lines, planes and directions there are.
    Counts(CountsRow),
    /// Cards split in every direction.
    Waves(WavesRow),
    /// Bounds on caps by dimension.
    WaveBounds(Vec<WaveBound>),
    /// What others found out.
    Known(KnownRows),
    /// Bounds on the largest cap.
    Between(BetweenRow),
    /// How rare a deal is.
    Deal(DealRow),
    /// Cards, as points.
    LargestCap(Vec<u8>),
    /// What can still be added.
    Safe(Safe),
    /// What house rules mean, or what is wrong with the code that they came as.
    Rules(Result<Box<RulesRead>, Sentence>),
    /// The answer of `parlour solve`.
    Solved(serde_json::Value),
    /// It could not be done; why, in words.
    Fault(String),
}

/// A record that was opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opened {
    /// Its entries that changed something.
    pub entries: usize,
    /// Who sat, by seat: the name, and whether it was a bot.
    pub seats: Vec<(String, bool)>,
}

/// What came of judging a record again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verified {
    /// What is wrong with it, if anything is.
    pub wrong: Option<String>,
    /// How many inputs the rules judged again.
    pub judged: usize,
    /// How many draws follow from the seeds.
    pub draws: usize,
    /// How many seeds of people are in no card of the deal they were for.
    pub missing: usize,
    /// Whose, why and of which deals: a line each.
    pub absent: Vec<String>,
    /// What could not be verified: a few words each.
    pub open: Vec<String>,
}

/// A position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shown<V = View, N = Notice> {
    /// What is seen.
    pub view: Box<V>,
    /// How many play.
    pub seats: u8,
    /// Match time.
    pub at: Millis,
    /// What seat 0 learnt on the way, in a demonstration; in a record, what was learnt last up to there.
    pub heard: Vec<N>,
    /// How much was learnt before that.
    pub before: u32,
    /// What could be claimed there in a race, in a record.
    pub open: Option<OpenClaims>,
    /// Why the last command was refused; without words if it was not.
    pub refused: Refusal,
}

/// What can be claimed in a race.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenClaims {
    /// How many claims there are, counted up to [`MOST_OPEN`].
    pub count: usize,
    /// The cards of the first of them.
    pub cards: Vec<Vec<Point>>,
}

/// How far open claims are counted: a large layout may have any number of them.
pub const MOST_OPEN: usize = 1000;

/// What can still be added to some cards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Safe {
    /// Whether the cards hold no Set.
    pub cap: bool,
    /// The cards that would make no Set with them.
    pub safe: Vec<u8>,
    /// How many caps of each size hold them, from size 0; none unless asked, and if they are no cap.
    pub extends: Option<Vec<String>>,
}

/// Judges a record again.
fn verified(text: &str) -> Verified {
    match record::verify::<rulebook::Match>(text) {
        Err(wrong) => Verified { wrong: Some(wrong.to_string()), ..Verified::default() },
        Ok(found) => {
            let absent = record::verify::by_seat(&found.absent);
            let differs = found.differs.iter().map(ToString::to_string);
            Verified {
                wrong: None,
                judged: found.judged,
                draws: found.draws,
                missing: found.absent.len(),
                absent: absent
                    .iter()
                    .map(|(_, name, why, deals)| format!("{name} {why} in {deals}."))
                    .collect(),
                open: differs.chain(found.open()).collect(),
            }
        }
    }
}

/// What lives beside the page.
#[derive(Default)]
pub struct Worker {
    film: Option<Film>,
    /// The text that the film was read from.
    record: String,
    /// The built-in game of the record, as far as there is one, once it was asked for.
    game: Option<Option<&'static str>>,
    demo: Option<Demo>,
    play: Option<play::Play>,
    /// Who answers questions about the game that was asked about last.
    solver: Option<(String, Solver)>,
}

impl Worker {
    /// Answers.
    pub fn answer(&mut self, ask: Ask<Command, View>) -> Answer {
        self.try_answer(ask).unwrap_or_else(Answer::Fault)
    }

    /// Answers a text with a text, as they are posted.
    pub fn answer_text(&mut self, ask: &str) -> String {
        let answer = match serde_json::from_str(ask) {
            Ok(ask) => self.answer(ask),
            Err(fault) => Answer::Fault(format!("The question cannot be read: {fault}.")),
        };
        serde_json::to_string(&answer).expect("answers are JSON")
    }

    fn try_answer(&mut self, ask: Ask<Command, View>) -> Result<Answer, String> {
        Ok(match ask {
            Ask::Record(text) => {
                let film = self.film.insert(Film::read(&text)?);
                self.record = text;
                self.game = None;
                Answer::Opened(Opened { entries: film.entries(), seats: film.seats() })
            }
            Ask::Story => Answer::Told(self.film.as_ref().ok_or("No record is open.")?.story().clone()),
            Ask::Verify => {
                self.film.as_ref().ok_or("No record is open.")?;
                Answer::Verified(verified(&self.record))
            }
            Ask::Frame { after, who } => {
                let film = self.film.as_mut().ok_or("No record is open.")?;
                let (view, at) = film.frame(after, who);
                let (heard, before) = film.heard(after, who);
                Answer::Shown(Shown {
                    open: film.open(after, who, &view),
                    view: Box::new(view),
                    seats: film.seats().len() as u8,
                    at,
                    heard,
                    before,
                    refused: Refusal::default(),
                })
            }
            Ask::Handover { after, who } => {
                let film = self.film.as_ref().ok_or("No record is open.")?;
                let (rules, seats) = film.played();
                // It is looked for once: a record keeps its rules.
                let game = *self.game.get_or_insert_with(|| handover::game_of(rules, seats));
                Answer::Handover(game.and_then(|game| handover::path(game, &film.frame(after, who).0, who)))
            }
            Ask::Demo { game, seats, seed } => {
                let demo = self.demo.insert(Demo::open(&game, seats, seed)?);
                demo.step(Millis(0));
                demo.shown(Millis(0), Refusal::default())
            }
            Ask::Step { at } => {
                let demo = self.demo()?;
                demo.step(at);
                demo.shown(at, Refusal::default())
            }
            Ask::Play { command, at } => {
                let demo = self.demo()?;
                let refused = demo.play(command, at).err().unwrap_or_default();
                demo.shown(at, refused)
            }
            Ask::Advise { bot, view } => {
                let advice =
                    bots::advise(&bot, &view).map_err(|_| format!("`{bot}` is no bot of this game."))?;
                Answer::Advised(advice.map(Box::new))
            }
            Ask::Odds { deck, pattern, cards } => Answer::Odds(maths::odds(&deck, &pattern, cards)?),
            Ask::Published => Answer::Published(maths::published()),
            Ask::Races => Answer::Races(play::races()),
            Ask::Fresh { game } => Answer::Fresh(play::fresh(&game)?),
            Ask::Simulate { game, players, choose, seed } => {
                self.play = None;
                let play = self.play.insert(play::Play::open(&game, players, choose, seed)?);
                Answer::Played(play.on(0)?)
            }
            Ask::Deals(deals) => {
                Answer::Played(self.play.as_mut().ok_or("No simulation is under way.")?.on(deals)?)
            }
            Ask::Caps { dim } => Answer::Caps(maths::caps(dim)?),
            Ask::Counts { dim } => Answer::Counts(maths::counts(dim)?),
            Ask::Waves { dim, cards } => Answer::Waves(maths::waves(dim, &cards)?),
            Ask::WaveBounds => Answer::WaveBounds(maths::wave_bounds()),
            Ask::Known => Answer::Known(maths::known()),
            Ask::Between { dim } => Answer::Between(maths::between(dim)),
            Ask::Deal { cards, times } => Answer::Deal(maths::deal(cards, times)?),
            Ask::LargestCap { dim } => Answer::LargestCap(maths::largest_cap(dim)?),
            Ask::Safe { dim, cards, count } => maths::safe(dim, &cards, count)?,
            Ask::Rules(asked) => Answer::Rules(asked.answer().map(Box::new).map_err(Sentence::from)),
            Ask::Solve { game, question, query } => {
                Answer::Solved(self.solver(&game)?.answer(question, query)?)
            }
        })
    }

    fn solver(&mut self, game: &str) -> Result<&mut Solver, String> {
        let kept = self.solver.take().filter(|(other, _)| other == game);
        let solver = match kept {
            Some((_, solver)) => solver,
            None => Solver::new(rulebook::preset(game).map_err(|faults| faults.to_string())?),
        };
        Ok(&mut self.solver.insert((game.to_owned(), solver)).1)
    }

    fn demo(&mut self) -> Result<&mut Demo, String> {
        self.demo.as_mut().ok_or_else(|| "No demonstration is open.".to_owned())
    }
}
