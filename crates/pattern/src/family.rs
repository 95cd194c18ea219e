//! One match of any mechanism of the family: the enums that the rest of the program speaks.

use crate::command::Command;
use crate::offers::Offers;
use crate::rules::{Mechanism, Rules};
use crate::written::Position;
use crate::{memory, puzzle, race, setup_game, trial};
use game::written::{Mismatch, Opening, Written};
use game::{
    Alarm, Chance, Contest, Coverage, Game, Input, Millis, Outcome, Refusal, Seat, SeatSet, Status, Viewer,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The truth of a match.
#[derive(Clone, Debug)]
pub enum Match {
    /// M1 and M2: claims on an open layout.
    Race(Box<race::Race>),
    /// M3.
    Memory(Box<memory::Memory>),
    /// M4.
    Setup(Box<setup_game::SetupGame>),
    /// M5.
    Puzzle(Box<puzzle::Puzzle>),
    /// TRIAL-4.
    Trial(Box<trial::Trial>),
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

/// The same for whichever mechanism it is.
macro_rules! each {
    ($match:expr, $it:ident => $body:expr) => {
        match $match {
            Match::Race($it) => $body,
            Match::Memory($it) => $body,
            Match::Setup($it) => $body,
            Match::Puzzle($it) => $body,
            Match::Trial($it) => $body,
        }
    };
}

/// Calls with `$make` for the mechanism that the rules name.
macro_rules! made {
    ($rules:expr, $make:ident($($arg:expr),*)) => {
        match $rules.mechanism {
            Mechanism::Race | Mechanism::Scout => race::Race::$make($($arg),*).map(|g| Match::Race(Box::new(g))),
            Mechanism::Memory => memory::Memory::$make($($arg),*).map(|g| Match::Memory(Box::new(g))),
            Mechanism::Setup => setup_game::SetupGame::$make($($arg),*).map(|g| Match::Setup(Box::new(g))),
            Mechanism::Puzzle => puzzle::Puzzle::$make($($arg),*).map(|g| Match::Puzzle(Box::new(g))),
            Mechanism::Trial => trial::Trial::$make($($arg),*).map(|g| Match::Trial(Box::new(g))),
        }
    };
}

/// Hands events on under the family's name.
struct Named<'a, X, E>(&'a mut X, fn(E) -> Event);

impl<X: Extend<Event>, E> Extend<E> for Named<'_, X, E> {
    fn extend<I: IntoIterator<Item = E>>(&mut self, events: I) {
        self.0.extend(events.into_iter().map(self.1));
    }
}

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
        each!(self, it => it.rules())
    }

    fn seats(&self) -> u8 {
        each!(self, it => it.seats())
    }

    fn status(&self) -> Status {
        each!(self, it => it.status())
    }

    fn alarm(&self) -> Option<Alarm> {
        each!(self, it => it.alarm())
    }

    fn decide(
        &self,
        at: Millis,
        input: &Input<Command>,
        out: &mut impl Extend<Event>,
    ) -> Result<(), Refusal> {
        match self {
            Match::Race(it) => it.decide(at, input, &mut Named(out, Event::Race)),
            Match::Memory(it) => it.decide(at, input, &mut Named(out, Event::Memory)),
            Match::Setup(it) => it.decide(at, input, &mut Named(out, Event::Setup)),
            Match::Puzzle(it) => it.decide(at, input, &mut Named(out, Event::Puzzle)),
            Match::Trial(it) => it.decide(at, input, &mut Named(out, Event::Trial)),
        }
    }

    fn evolve(&mut self, event: &Event) {
        match (self, event) {
            (Match::Race(it), Event::Race(event)) => it.evolve(event),
            (Match::Memory(it), Event::Memory(event)) => it.evolve(event),
            (Match::Setup(it), Event::Setup(event)) => it.evolve(event),
            (Match::Puzzle(it), Event::Puzzle(event)) => it.evolve(event),
            (Match::Trial(it), Event::Trial(event)) => it.evolve(event),
            _ => debug_assert!(false, "an event of another mechanism: {event:?}"),
        }
    }

    fn view(&self, who: Viewer) -> View {
        match self {
            Match::Race(it) => View::Race(Box::new(it.view(who))),
            Match::Memory(it) => View::Memory(Box::new(it.view(who))),
            Match::Setup(it) => View::Setup(Box::new(it.view(who))),
            Match::Puzzle(it) => View::Puzzle(Box::new(it.view(who))),
            Match::Trial(it) => View::Trial(Box::new(it.view(who))),
        }
    }

    fn notice(&self, event: &Event, who: Viewer) -> Option<Notice> {
        match (self, event) {
            (Match::Race(it), Event::Race(event)) => it.notice(event, who).map(Notice::Race),
            (Match::Memory(it), Event::Memory(event)) => it.notice(event, who).map(Notice::Memory),
            (Match::Setup(it), Event::Setup(event)) => it.notice(event, who).map(Notice::Setup),
            (Match::Puzzle(it), Event::Puzzle(event)) => it.notice(event, who).map(Notice::Puzzle),
            (Match::Trial(it), Event::Trial(event)) => it.notice(event, who).map(Notice::Trial),
            _ => None,
        }
    }

    fn contest(&self, command: &Command) -> Contest {
        each!(self, it => it.contest(command))
    }

    fn changes_layout(&self, event: &Event) -> bool {
        match (self, event) {
            (Match::Race(it), Event::Race(event)) => it.changes_layout(event),
            (Match::Memory(it), Event::Memory(event)) => it.changes_layout(event),
            (Match::Setup(it), Event::Setup(event)) => it.changes_layout(event),
            (Match::Puzzle(it), Event::Puzzle(event)) => it.changes_layout(event),
            (Match::Trial(it), Event::Trial(event)) => it.changes_layout(event),
            _ => false,
        }
    }

    fn ping_adjusted(&self) -> bool {
        each!(self, it => it.ping_adjusted())
    }

    fn ran_out(&self, event: &Event) -> Option<Seat> {
        match (self, event) {
            (Match::Race(it), Event::Race(event)) => it.ran_out(event),
            (Match::Memory(it), Event::Memory(event)) => it.ran_out(event),
            (Match::Setup(it), Event::Setup(event)) => it.ran_out(event),
            (Match::Puzzle(it), Event::Puzzle(event)) => it.ran_out(event),
            (Match::Trial(it), Event::Trial(event)) => it.ran_out(event),
            _ => None,
        }
    }

    fn imagine(view: &View, chance: &mut impl Chance) -> Self {
        match view {
            View::Race(it) => Match::Race(Box::new(race::Race::imagine(it, chance))),
            View::Memory(it) => Match::Memory(Box::new(memory::Memory::imagine(it, chance))),
            View::Setup(it) => Match::Setup(Box::new(setup_game::SetupGame::imagine(it, chance))),
            View::Puzzle(it) => Match::Puzzle(Box::new(puzzle::Puzzle::imagine(it, chance))),
            View::Trial(it) => Match::Trial(Box::new(trial::Trial::imagine(it, chance))),
        }
    }

    fn census(&self) -> Vec<u16> {
        each!(self, it => it.census())
    }
}

impl Written for Match {
    type Setup = Position;

    fn open_at(rules: Arc<Rules>, seats: u8, opening: Opening) -> Result<Self, Vec<String>> {
        no_faults(&rules, seats)?;
        made!(rules, open_at(rules, seats, opening))
    }

    fn set_up(rules: Arc<Rules>, seats: u8, opening: Opening, setup: Position) -> Result<Self, Vec<String>> {
        no_faults(&rules, seats)?;
        made!(rules, set_up(rules, seats, opening, setup))
    }

    fn read_command(&self, seat: Seat, text: &str) -> Result<Command, Refusal> {
        each!(self, it => it.read_command(seat, text))
    }

    fn write_command(&self, command: &Command) -> String {
        command.text(self.rules().deck)
    }

    fn write_event(&self, event: &Event) -> String {
        match (self, event) {
            (Match::Race(it), Event::Race(event)) => it.write_event(event),
            (Match::Memory(it), Event::Memory(event)) => it.write_event(event),
            (Match::Setup(it), Event::Setup(event)) => it.write_event(event),
            (Match::Puzzle(it), Event::Puzzle(event)) => it.write_event(event),
            (Match::Trial(it), Event::Trial(event)) => it.write_event(event),
            _ => String::new(),
        }
    }

    fn check(&self, statement: &str) -> Result<(), Result<Mismatch, String>> {
        each!(self, it => it.check(statement))
    }

    fn check_at(&self, at: Millis, statement: &str) -> Result<(), Result<Mismatch, String>> {
        each!(self, it => it.check_at(at, statement))
    }

    fn undecided(&self) -> SeatSet {
        each!(self, it => it.undecided())
    }

    fn turn_order(&self) -> Vec<Seat> {
        each!(self, it => it.turn_order())
    }

    fn position(&self) -> String {
        each!(self, it => it.position())
    }
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

    fn observe(&mut self, notice: &Notice) {
        match (self, notice) {
            (View::Race(it), Notice::Race(notice)) => it.observe(notice),
            (View::Memory(it), Notice::Memory(notice)) => it.observe(notice),
            (View::Setup(it), Notice::Setup(notice)) => it.observe(notice),
            (View::Puzzle(it), Notice::Puzzle(notice)) => it.observe(notice),
            (View::Trial(it), Notice::Trial(notice)) => it.observe(notice),
            _ => debug_assert!(false, "a notice of another mechanism: {notice:?}"),
        }
    }

    fn commands(&self, at: Millis) -> Coverage<Command> {
        match self {
            View::Race(it) => it.commands(at),
            View::Memory(it) => it.commands(at),
            View::Setup(it) => it.commands(at),
            View::Puzzle(it) => it.commands(at),
            View::Trial(it) => it.commands(at),
        }
    }

    fn closed(&self, at: Millis) -> Vec<(Command, Refusal)> {
        match self {
            View::Race(it) => it.closed(at),
            View::Memory(it) => it.closed(at),
            View::Setup(it) => it.closed(at),
            View::Puzzle(it) => it.closed(at),
            View::Trial(it) => it.closed(at),
        }
    }

    fn admits(&self, at: Millis, command: &Command) -> Option<bool> {
        match self {
            View::Race(it) => it.admits(at, command),
            View::Memory(it) => it.admits(at, command),
            View::Setup(it) => it.admits(at, command),
            View::Puzzle(it) => it.admits(at, command),
            View::Trial(it) => it.admits(at, command),
        }
    }

    fn awaited(&self) -> bool {
        match self {
            View::Race(it) => it.awaited(),
            View::Memory(it) => it.awaited(),
            View::Setup(it) => it.awaited(),
            View::Puzzle(it) => it.awaited(),
            View::Trial(it) => it.awaited(),
        }
    }

    fn outcome(&self) -> Option<&Outcome> {
        match self {
            View::Race(it) => it.outcome(),
            View::Memory(it) => it.outcome(),
            View::Setup(it) => it.outcome(),
            View::Puzzle(it) => it.outcome(),
            View::Trial(it) => it.outcome(),
        }
    }
}
