//! Both families as one game, by delegation: what stands above the rules is written once.

use contract as contract_game;
use game::written::{Mismatch, Opening, Written};
use game::{
    Alarm, Chance, Contest, Coverage, Game, Input, Millis, Outcome, Refusal, Seat, SeatSet, Status, Viewer,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The rules of a match of either family.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "MatchRules")]
#[serde(rename_all = "snake_case")]
pub enum Rules {
    /// Set and its variants.
    Pattern(Arc<pattern::Rules>),
    /// Contract Rummy and its variants.
    Contract(Arc<contract::Rules>),
}

impl Rules {
    /// Whose they are.
    #[must_use]
    pub const fn family(&self) -> crate::Family {
        match self {
            Rules::Pattern(_) => crate::Family::Pattern,
            Rules::Contract(_) => crate::Family::Contract,
        }
    }

    /// The name of the game: as its file has it, else that of the built-in game with these very rules.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Rules::Contract(rules) => rules.name.clone(),
            Rules::Pattern(own) => crate::presets()
                .into_iter()
                .filter_map(|id| crate::preset(id).ok())
                .find(|loaded| {
                    let rules = loaded.rules(loaded.info.players_min);
                    rules.is_ok_and(|rules| matches!(&*rules, Rules::Pattern(rules) if rules == own))
                })
                .map_or_else(|| "Set, by rules of the table".to_owned(), |loaded| loaded.info.name),
        }
    }
}

/// A command of either family.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Set and its variants.
    Pattern(pattern::Command),
    /// Contract Rummy and its variants.
    Contract(contract_game::Command),
}

/// An event of either family.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Set and its variants.
    Pattern(pattern::Event),
    /// Contract Rummy and its variants.
    Contract(contract_game::Event),
}

/// What a viewer learns of an event of either family.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Notice {
    /// Set and its variants.
    Pattern(pattern::Notice),
    /// Contract Rummy and its variants.
    Contract(contract_game::Notice),
}

/// What a viewer knows of a match of either family.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(clippy::large_enum_variant)] // held one by one, never in lists
pub enum View {
    /// Set and its variants.
    Pattern(pattern::View),
    /// Contract Rummy and its variants.
    Contract(contract_game::View),
}

/// A match of either family, and its rules.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)] // held one by one, never in lists
pub enum Match {
    /// Set and its variants.
    Pattern(pattern::Match, Arc<Rules>),
    /// Contract Rummy and its variants.
    Contract(contract_game::Match, Arc<Rules>),
}

/// A family, as one of the two.
trait Member: Written + Sized {
    fn command_of(command: &Command) -> Option<&Self::Command>;
    fn event_of(event: &Event) -> Option<&Self::Event>;
    fn of_rules(rules: Arc<Self::Rules>) -> Rules;
    fn of_command(command: Self::Command) -> Command;
    fn of_event(event: Self::Event) -> Event;
    fn of_notice(notice: Self::Notice) -> Notice;
    fn of_view(view: Self::View) -> View;
    fn of_match(game: Self, rules: Arc<Rules>) -> Match;

    /// Judges an input of either family.
    fn decide_any(
        &self,
        at: Millis,
        input: &Input<Command>,
        out: &mut impl Extend<Event>,
    ) -> Result<(), Refusal> {
        let input = match input {
            Input::Play(seat, command, timing) => {
                let command = Self::command_of(command).ok_or("this is a command of another game")?;
                Input::Play(*seat, command.clone(), *timing)
            }
            Input::Draw(draw) => Input::Draw(draw.clone()),
            Input::Ring(alarm) => Input::Ring(*alarm),
            Input::Presence(seat, presence) => Input::Presence(*seat, *presence),
        };
        self.decide(at, &input, &mut Sink::<Self, _> { out, wrap: Self::of_event })
    }

    fn evolve_any(&mut self, event: &Event) {
        self.evolve(Self::event_of(event).expect("a log holds the events of its own game"));
    }

    fn notice_any(&self, event: &Event, who: Viewer) -> Option<Notice> {
        self.notice(Self::event_of(event)?, who).map(Self::of_notice)
    }

    fn contest_any(&self, command: &Command) -> Contest {
        Self::command_of(command).map_or(Contest::None, |command| self.contest(command))
    }

    fn changes_layout_any(&self, event: &Event) -> bool {
        Self::event_of(event).is_some_and(|event| self.changes_layout(event))
    }

    fn ran_out_any(&self, event: &Event) -> Option<Seat> {
        self.ran_out(Self::event_of(event)?)
    }

    fn open_any(
        rules: &Arc<Rules>,
        own: &Arc<Self::Rules>,
        open: impl FnOnce(Arc<Self::Rules>) -> Result<Self, Vec<String>>,
    ) -> Result<Match, Vec<String>> {
        open(own.clone()).map(|game| Self::of_match(game, rules.clone()))
    }

    fn set_up_any(
        own: Arc<Self::Rules>,
        seats: u8,
        opening: Opening,
        setup: toml::Table,
    ) -> Result<Self, Vec<String>> {
        let setup =
            Self::Setup::deserialize(setup).map_err(|why| vec![format!("[setup]: {}", why.message())])?;
        Self::set_up(own, seats, opening, setup)
    }
}

/// Takes the events of one family as those of either.
struct Sink<'a, M: Member, O> {
    out: &'a mut O,
    wrap: fn(M::Event) -> Event,
}

impl<M: Member, O: Extend<Event>> Extend<M::Event> for Sink<'_, M, O> {
    fn extend<I: IntoIterator<Item = M::Event>>(&mut self, events: I) {
        self.out.extend(events.into_iter().map(self.wrap));
    }
}

macro_rules! member {
    ($family:ident, $variant:ident) => {
        impl Member for $family::Match {
            fn command_of(command: &Command) -> Option<&Self::Command> {
                if let Command::$variant(command) = command { Some(command) } else { None }
            }
            fn event_of(event: &Event) -> Option<&Self::Event> {
                if let Event::$variant(event) = event { Some(event) } else { None }
            }
            fn of_rules(rules: Arc<Self::Rules>) -> Rules {
                Rules::$variant(rules)
            }
            fn of_command(command: Self::Command) -> Command {
                Command::$variant(command)
            }
            fn of_event(event: Self::Event) -> Event {
                Event::$variant(event)
            }
            fn of_notice(notice: Self::Notice) -> Notice {
                Notice::$variant(notice)
            }
            fn of_view(view: Self::View) -> View {
                View::$variant(view)
            }
            fn of_match(game: Self, rules: Arc<Rules>) -> Match {
                Match::$variant(game, rules)
            }
        }
    };
}

member!(pattern, Pattern);
member!(contract_game, Contract);

/// Does the same with a match of either family.
macro_rules! either {
    ($of:expr, $game:ident => $body:expr) => {
        match $of {
            Match::Pattern($game, _) => $body,
            Match::Contract($game, _) => $body,
        }
    };
}

/// Makes a match of the family that `rules` are of.
macro_rules! open {
    ($rules:expr, $own:ident => $body:expr) => {
        match &*$rules {
            Rules::Pattern(own) => pattern::Match::open_any(&$rules, own, |$own| $body),
            Rules::Contract(own) => contract_game::Match::open_any(&$rules, own, |$own| $body),
        }
    };
}

fn view_of<M: Member>(game: &M, who: Viewer) -> View {
    M::of_view(game.view(who))
}

fn imagined<M: Member>(view: &M::View, chance: &mut impl Chance) -> Match {
    let game = M::imagine(view, chance);
    let rules = Arc::new(M::of_rules(game.rules().clone()));
    M::of_match(game, rules)
}

fn read<M: Member>(game: &M, seat: Seat, text: &str) -> Result<Command, Refusal> {
    game.read_command(seat, text).map(M::of_command)
}

fn write<M: Member>(game: &M, command: &Command) -> String {
    M::command_of(command).map_or_else(|| "(a command of another game)".to_owned(), |c| game.write_command(c))
}

fn write_event<M: Member>(game: &M, event: &Event) -> String {
    M::event_of(event).map_or_else(|| "(an event of another game)".to_owned(), |e| game.write_event(e))
}

impl Game for Match {
    type Rules = Rules;
    type View = View;
    type Command = Command;
    type Event = Event;
    type Notice = Notice;

    fn open(rules: Arc<Rules>, seats: u8) -> Result<Match, Refusal> {
        match &*rules {
            Rules::Pattern(own) => {
                pattern::Match::open(own.clone(), seats).map(|game| Match::Pattern(game, rules))
            }
            Rules::Contract(own) => {
                contract_game::Match::open(own.clone(), seats).map(|game| Match::Contract(game, rules))
            }
        }
    }
    fn rules(&self) -> &Arc<Rules> {
        let (Match::Pattern(_, rules) | Match::Contract(_, rules)) = self;
        rules
    }
    fn seats(&self) -> u8 {
        either!(self, game => game.seats())
    }
    fn status(&self) -> Status {
        either!(self, game => game.status())
    }
    fn alarm(&self) -> Option<Alarm> {
        either!(self, game => game.alarm())
    }
    fn decide(
        &self,
        at: Millis,
        input: &Input<Command>,
        out: &mut impl Extend<Event>,
    ) -> Result<(), Refusal> {
        either!(self, game => game.decide_any(at, input, out))
    }
    fn evolve(&mut self, event: &Event) {
        either!(self, game => game.evolve_any(event));
    }
    fn view(&self, who: Viewer) -> View {
        either!(self, game => view_of(game, who))
    }
    fn notice(&self, event: &Event, who: Viewer) -> Option<Notice> {
        either!(self, game => game.notice_any(event, who))
    }
    fn imagine(view: &View, chance: &mut impl Chance) -> Match {
        match view {
            View::Pattern(view) => imagined::<pattern::Match>(view, chance),
            View::Contract(view) => imagined::<contract_game::Match>(view, chance),
        }
    }
    fn census(&self) -> Vec<u16> {
        either!(self, game => game.census())
    }
    fn contest(&self, command: &Command) -> Contest {
        either!(self, game => game.contest_any(command))
    }
    fn changes_layout(&self, event: &Event) -> bool {
        either!(self, game => game.changes_layout_any(event))
    }
    fn ping_adjusted(&self) -> bool {
        either!(self, game => game.ping_adjusted())
    }
    fn ran_out(&self, event: &Event) -> Option<Seat> {
        either!(self, game => game.ran_out_any(event))
    }
}

impl game::View for View {
    type Command = Command;
    type Notice = Notice;

    fn observe(&mut self, notice: &Notice) {
        match (self, notice) {
            (View::Pattern(view), Notice::Pattern(notice)) => view.observe(notice),
            (View::Contract(view), Notice::Contract(notice)) => view.observe(notice),
            _ => unreachable!("a viewer is told of the own game"),
        }
    }
    fn commands(&self, at: Millis) -> Coverage<Command> {
        fn wrapped<C>(coverage: Coverage<C>, wrap: fn(C) -> Command) -> Coverage<Command> {
            Coverage {
                commands: coverage.commands.into_iter().map(wrap).collect(),
                complete: coverage.complete,
            }
        }
        match self {
            View::Pattern(view) => wrapped(view.commands(at), Command::Pattern),
            View::Contract(view) => wrapped(view.commands(at), Command::Contract),
        }
    }
    fn closed(&self, at: Millis) -> Vec<(Command, Refusal)> {
        fn wrapped<C>(closed: Vec<(C, Refusal)>, wrap: fn(C) -> Command) -> Vec<(Command, Refusal)> {
            closed.into_iter().map(|(command, refusal)| (wrap(command), refusal)).collect()
        }
        match self {
            View::Pattern(view) => wrapped(view.closed(at), Command::Pattern),
            View::Contract(view) => wrapped(view.closed(at), Command::Contract),
        }
    }
    fn admits(&self, at: Millis, command: &Command) -> Option<bool> {
        match (self, command) {
            (View::Pattern(view), Command::Pattern(command)) => view.admits(at, command),
            (View::Contract(view), Command::Contract(command)) => view.admits(at, command),
            _ => Some(false),
        }
    }
    fn awaited(&self) -> bool {
        match self {
            View::Pattern(view) => view.awaited(),
            View::Contract(view) => view.awaited(),
        }
    }
    fn outcome(&self) -> Option<&Outcome> {
        match self {
            View::Pattern(view) => view.outcome(),
            View::Contract(view) => view.outcome(),
        }
    }
}

impl Written for Match {
    /// Read by the family that the rules are of.
    type Setup = toml::Table;

    fn open_at(rules: Arc<Rules>, seats: u8, opening: Opening) -> Result<Match, Vec<String>> {
        open!(rules, own => Written::open_at(own, seats, opening))
    }
    fn set_up(
        rules: Arc<Rules>,
        seats: u8,
        opening: Opening,
        setup: toml::Table,
    ) -> Result<Match, Vec<String>> {
        open!(rules, own => Member::set_up_any(own, seats, opening, setup))
    }
    fn read_command(&self, seat: Seat, text: &str) -> Result<Command, Refusal> {
        either!(self, game => read(game, seat, text))
    }
    fn write_command(&self, command: &Command) -> String {
        either!(self, game => write(game, command))
    }
    fn write_event(&self, event: &Event) -> String {
        either!(self, game => write_event(game, event))
    }
    fn check(&self, statement: &str) -> Result<(), Result<Mismatch, String>> {
        either!(self, game => game.check(statement))
    }
    fn check_at(&self, at: Millis, statement: &str) -> Result<(), Result<Mismatch, String>> {
        either!(self, game => game.check_at(at, statement))
    }
    fn undecided(&self) -> SeatSet {
        either!(self, game => game.undecided())
    }
    fn turn_order(&self) -> Vec<Seat> {
        either!(self, game => game.turn_order())
    }
    fn position(&self) -> String {
        either!(self, game => game.position())
    }
}
