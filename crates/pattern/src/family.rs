//! One match of any mechanism of the family: the enums that the rest of the program speaks.

use crate::command::Command;
use crate::memory::{self, Memory};
use crate::offers::Offers;
use crate::puzzle::{self, Puzzle};
use crate::race::{self, Race};
use crate::rules::{Mechanism, Rules};
use crate::setup_game::{self, SetupGame};
use crate::trial::{self, Trial};
use crate::written::Position;
use game::sum::Member;
use game::written::{Opening, Written};
use game::{Game, Input, Millis, Refusal, sum_game, sum_view, sum_written};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;

/// The truth of a match.
#[derive(Clone, Debug)]
pub enum Match {
    /// M1 and M2: claims on an open layout.
    Race(Box<Race>),
    /// M3.
    Memory(Box<Memory>),
    /// M4.
    Setup(Box<SetupGame>),
    /// M5.
    Puzzle(Box<Puzzle>),
    /// TRIAL-4.
    Trial(Box<Trial>),
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "PatternEvent")]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// M1 and M2.
    Race(race::Event),
    /// M3.
    Memory(memory::Event),
    /// M4.
    Setup(setup_game::Event),
    /// M5.
    Puzzle(puzzle::Event),
    /// TRIAL-4.
    Trial(trial::Event),
}

/// What a viewer learns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "PatternNotice")]
#[serde(rename_all = "snake_case")]
pub enum Notice {
    /// M1 and M2.
    Race(race::Notice),
    /// M3.
    Memory(memory::Notice),
    /// M4.
    Setup(setup_game::Notice),
    /// M5.
    Puzzle(puzzle::Notice),
    /// TRIAL-4.
    Trial(trial::Notice),
}

/// What a viewer knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "PatternView")]
#[serde(rename_all = "snake_case")]
pub enum View {
    /// M1 and M2.
    Race(Box<race::View>),
    /// M3.
    Memory(Box<memory::View>),
    /// M4.
    Setup(Box<setup_game::View>),
    /// M5.
    Puzzle(Box<puzzle::View>),
    /// TRIAL-4.
    Trial(Box<trial::View>),
}

/// Calls with `$make` for the mechanism that the rules name.
macro_rules! made {
    ($rules:expr, $make:ident($($arg:expr),*)) => {
        match $rules.mechanism {
            Mechanism::Race | Mechanism::Scout => Race::$make($($arg),*).map(Member::of_game),
            Mechanism::Memory => Memory::$make($($arg),*).map(Member::of_game),
            Mechanism::Setup => SetupGame::$make($($arg),*).map(Member::of_game),
            Mechanism::Puzzle => Puzzle::$make($($arg),*).map(Member::of_game),
            Mechanism::Trial => Trial::$make($($arg),*).map(Member::of_game),
        }
    };
}

/// A mechanism as one of the family's.
macro_rules! member {
    ($variant:ident, $game:ty) => {
        impl Member<Match> for $game {
            fn command_of(command: &Command) -> Option<&Command> {
                Some(command)
            }
            fn of_command(command: Command) -> Command {
                command
            }
            fn event_of(event: &Event) -> Option<&Self::Event> {
                if let Event::$variant(event) = event { Some(event) } else { None }
            }
            fn of_event(event: Self::Event) -> Event {
                Event::$variant(event)
            }
            fn notice_of(notice: &Notice) -> Option<&Self::Notice> {
                if let Notice::$variant(notice) = notice { Some(notice) } else { None }
            }
            fn of_notice(notice: Self::Notice) -> Notice {
                Notice::$variant(notice)
            }
            fn of_view(view: Self::View) -> View {
                View::$variant(Box::new(view))
            }
            fn of_game(game: $game) -> Match {
                Match::$variant(Box::new(game))
            }
            fn input_of(input: &Input<Command>) -> Option<Cow<'_, Input<Command>>> {
                Some(Cow::Borrowed(input))
            }
        }
    };
}

member!(Race, Race);
member!(Memory, Memory);
member!(Setup, SetupGame);
member!(Puzzle, Puzzle);
member!(Trial, Trial);

impl Game for Match {
    type Rules = Rules;
    type View = View;
    type Command = Command;
    type Event = Event;
    type Notice = Notice;

    fn open(rules: Arc<Rules>, seats: u8) -> Result<Self, Refusal> {
        if let Some(fault) = rules.check(seats).into_iter().next() {
            return Err(fault.into());
        }
        made!(rules, open(rules, seats))
    }

    fn rules(&self) -> &Arc<Rules> {
        match self {
            Match::Race(it) => it.rules(),
            Match::Memory(it) => it.rules(),
            Match::Setup(it) => it.rules(),
            Match::Puzzle(it) => it.rules(),
            Match::Trial(it) => it.rules(),
        }
    }

    sum_game!(Match, View { Race(Race), Memory(Memory), Setup(SetupGame), Puzzle(Puzzle), Trial(Trial) });
}

impl Written for Match {
    type Position = Position;

    fn open_at(rules: Arc<Rules>, seats: u8, opening: Opening) -> Result<Self, Vec<String>> {
        no_faults(&rules, seats)?;
        opening.some_deal()?;
        made!(rules, open_at(rules, seats, opening))
    }

    fn set_up(rules: Arc<Rules>, seats: u8, opening: Opening, setup: Position) -> Result<Self, Vec<String>> {
        no_faults(&rules, seats)?;
        opening.some_deal()?;
        game::written::check_points("scores", &setup.scores)?;
        made!(rules, set_up(rules, seats, opening, setup))
    }

    sum_written!(Match { Race(Race), Memory(Memory), Setup(SetupGame), Puzzle(Puzzle), Trial(Trial) });
}

fn no_faults(rules: &Rules, seats: u8) -> Result<(), Vec<String>> {
    let faults = rules.check(seats);
    if faults.is_empty() {
        return Ok(());
    }
    Err(faults.into_iter().map(|fault| Refusal::from(fault).to_string()).collect())
}

impl View {
    /// Everything that this seat may do at `at`; nothing for the table.
    #[must_use]
    pub fn offers(&self, at: Millis) -> Offers {
        match self {
            View::Race(it) => it.offers(at),
            View::Memory(it) => it.offers(at),
            View::Setup(it) => it.offers(at),
            View::Puzzle(it) => it.offers(at),
            View::Trial(it) => it.offers(at),
        }
    }
}

impl game::View for View {
    type Command = Command;
    type Notice = Notice;

    sum_view!(View of Match { Race(Race), Memory(Memory), Setup(SetupGame), Puzzle(Puzzle), Trial(Trial) });
}
