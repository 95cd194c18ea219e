//! Several games as one, by delegation: what stands above them is written once.
//!
//! A sum is an enum of games, one of their views, and so on for commands, events and notices. [`sum_game!`](crate::sum_game),
//! [`sum_written!`](crate::sum_written) and [`sum_view!`](crate::sum_view) write the methods that only hand on; what a sum
//! does by itself (how a match is opened) stands beside them.

use crate::written::Written;
use crate::{Contest, Coverage, Game, Input, Millis, Refusal, Seat, View, Viewer};
use std::borrow::Cow;

/// A game as one of those that make up the sum `S`.
pub trait Member<S: Game>: Game {
    /// Its own command in one of the sum; none if that is of another game.
    fn command_of(command: &S::Command) -> Option<&Self::Command>;
    /// Its command as one of the sum.
    fn of_command(command: Self::Command) -> S::Command;
    /// Its own event in one of the sum; none if that is of another game.
    fn event_of(event: &S::Event) -> Option<&Self::Event>;
    /// Its event as one of the sum.
    fn of_event(event: Self::Event) -> S::Event;
    /// Its own notice in one of the sum; none if that is of another game.
    fn notice_of(notice: &S::Notice) -> Option<&Self::Notice>;
    /// Its notice as one of the sum.
    fn of_notice(notice: Self::Notice) -> S::Notice;
    /// Its view as one of the sum.
    fn of_view(view: Self::View) -> S::View;
    /// Its match as one of the sum.
    fn of_game(game: Self) -> S;

    /// Its own input in one of the sum; none if that is of another game.
    fn input_of(input: &Input<S::Command>) -> Option<Cow<'_, Input<Self::Command>>> {
        Some(Cow::Owned(match input {
            Input::Play(seat, command, timing) => {
                Input::Play(*seat, Self::command_of(command)?.clone(), *timing)
            }
            Input::Draw(draw) => Input::Draw(draw.clone()),
            Input::Ring(alarm) => Input::Ring(*alarm),
            Input::Presence(seat, presence) => Input::Presence(*seat, *presence),
        }))
    }
}

/// Takes the events of one game as those of the sum.
struct Named<'a, E, F, X> {
    out: &'a mut X,
    named: fn(E) -> F,
}

impl<E, F, X: Extend<F>> Extend<E> for Named<'_, E, F, X> {
    fn extend<I: IntoIterator<Item = E>>(&mut self, events: I) {
        self.out.extend(events.into_iter().map(self.named));
    }
}

/// [`Game::decide`] of the sum.
///
/// # Errors
/// As there, and for a command of another game.
pub fn decide<S: Game, M: Member<S>>(
    game: &M,
    at: Millis,
    input: &Input<S::Command>,
    out: &mut impl Extend<S::Event>,
) -> Result<(), Refusal> {
    let input = M::input_of(input).ok_or_else(|| crate::say!("no.command"))?;
    game.decide(at, &input, &mut Named { out, named: M::of_event })
}

/// [`Game::evolve`] of the sum. A log holds the events of its own game.
pub fn evolve<S: Game, M: Member<S>>(game: &mut M, event: &S::Event) {
    match M::event_of(event) {
        Some(event) => game.evolve(event),
        None => debug_assert!(false, "an event of another game: {event:?}"),
    }
}

/// [`Game::view`] of the sum.
pub fn view<S: Game, M: Member<S>>(game: &M, who: Viewer) -> S::View {
    M::of_view(game.view(who))
}

/// [`Game::notice`] of the sum.
pub fn notice<S: Game, M: Member<S>>(game: &M, event: &S::Event, who: Viewer) -> Option<S::Notice> {
    game.notice(M::event_of(event)?, who).map(M::of_notice)
}

/// [`Game::contest`] of the sum.
pub fn contest<S: Game, M: Member<S>>(game: &M, command: &S::Command) -> Contest {
    M::command_of(command).map_or(Contest::None, |command| game.contest(command))
}

/// [`Game::changes_layout`] of the sum.
pub fn changes_layout<S: Game, M: Member<S>>(game: &M, event: &S::Event) -> bool {
    M::event_of(event).is_some_and(|event| game.changes_layout(event))
}

/// [`Game::ran_out`] of the sum.
pub fn ran_out<S: Game, M: Member<S>>(game: &M, event: &S::Event) -> Option<Seat> {
    game.ran_out(M::event_of(event)?)
}

/// [`Game::imagine`] of the sum.
pub fn imagine<S: Game, M: Member<S>>(view: &M::View, chance: &mut impl crate::Chance) -> S {
    M::of_game(M::imagine(view, chance))
}

/// [`Written::read_command`] of the sum.
///
/// # Errors
/// As there.
pub fn read_command<S: Game, M: Member<S> + Written>(
    game: &M,
    seat: Seat,
    text: &str,
) -> Result<S::Command, Refusal> {
    game.read_command(seat, text).map(M::of_command)
}

/// [`Written::write_command`] of the sum.
pub fn write_command<S: Game, M: Member<S> + Written>(game: &M, command: &S::Command) -> String {
    M::command_of(command).map_or_else(|| "(a command of another game)".to_owned(), |c| game.write_command(c))
}

/// [`Written::write_event`] of the sum.
pub fn write_event<S: Game, M: Member<S> + Written>(game: &M, event: &S::Event) -> String {
    M::event_of(event).map_or_else(|| "(an event of another game)".to_owned(), |e| game.write_event(e))
}

/// [`View::observe`] of the sum. A viewer is told of the own game.
pub fn observe<S: Game, M: Member<S>>(view: &mut M::View, notice: &S::Notice) {
    match M::notice_of(notice) {
        Some(notice) => view.observe(notice),
        None => debug_assert!(false, "a notice of another game: {notice:?}"),
    }
}

/// [`View::commands`] of the sum.
pub fn commands<S: Game, M: Member<S>>(view: &M::View, at: Millis) -> Coverage<S::Command> {
    let Coverage { commands, complete } = view.commands(at);
    Coverage { commands: commands.into_iter().map(M::of_command).collect(), complete }
}

/// [`View::closed`] of the sum.
pub fn closed<S: Game, M: Member<S>>(view: &M::View, at: Millis) -> Vec<(S::Command, Refusal)> {
    view.closed(at).into_iter().map(|(command, refusal)| (M::of_command(command), refusal)).collect()
}

/// [`View::admits`] of the sum.
pub fn admits<S: Game, M: Member<S>>(view: &M::View, at: Millis, command: &S::Command) -> Option<bool> {
    M::command_of(command).map_or(Some(false), |command| view.admits(at, command))
}

/// The methods of [`Game`] that a sum hands on, for the inside of its `impl`: `sum_game!(Match, View { Race(Race), .. })` names
/// the enums of the matches and of the views, and the game of each variant, whose first field it is.
#[macro_export]
macro_rules! sum_game {
    ($sum:ident, $view:ident { $($variant:ident($member:ty)),+ $(,)? }) => {
        fn seats(&self) -> u8 {
            match self { $($sum::$variant(game, ..) => game.seats()),+ }
        }
        fn status(&self) -> $crate::Status {
            match self { $($sum::$variant(game, ..) => game.status()),+ }
        }
        fn alarm(&self) -> Option<$crate::Alarm> {
            match self { $($sum::$variant(game, ..) => game.alarm()),+ }
        }
        fn decide(
            &self,
            at: $crate::Millis,
            input: &$crate::Input<Self::Command>,
            out: &mut impl Extend<Self::Event>,
        ) -> Result<(), $crate::Refusal> {
            match self { $($sum::$variant(game, ..) => $crate::sum::decide::<Self, $member>(game, at, input, out)),+ }
        }
        fn evolve(&mut self, event: &Self::Event) {
            match self { $($sum::$variant(game, ..) => $crate::sum::evolve::<Self, $member>(game, event)),+ }
        }
        fn view(&self, who: $crate::Viewer) -> Self::View {
            match self { $($sum::$variant(game, ..) => $crate::sum::view::<Self, $member>(game, who)),+ }
        }
        fn notice(&self, event: &Self::Event, who: $crate::Viewer) -> Option<Self::Notice> {
            match self { $($sum::$variant(game, ..) => $crate::sum::notice::<Self, $member>(game, event, who)),+ }
        }
        fn contest(&self, command: &Self::Command) -> $crate::Contest {
            match self { $($sum::$variant(game, ..) => $crate::sum::contest::<Self, $member>(game, command)),+ }
        }
        fn changes_layout(&self, event: &Self::Event) -> bool {
            match self { $($sum::$variant(game, ..) => $crate::sum::changes_layout::<Self, $member>(game, event)),+ }
        }
        fn ping_adjusted(&self) -> bool {
            match self { $($sum::$variant(game, ..) => game.ping_adjusted()),+ }
        }
        fn ran_out(&self, event: &Self::Event) -> Option<$crate::Seat> {
            match self { $($sum::$variant(game, ..) => $crate::sum::ran_out::<Self, $member>(game, event)),+ }
        }
        fn between_rounds(&self) -> bool {
            match self { $($sum::$variant(game, ..) => game.between_rounds()),+ }
        }
        fn imagine(view: &Self::View, chance: &mut impl $crate::Chance) -> Self {
            match view { $($view::$variant(view) => $crate::sum::imagine::<Self, $member>(view, chance)),+ }
        }
        fn census(&self) -> Vec<u16> {
            match self { $($sum::$variant(game, ..) => game.census()),+ }
        }
    };
}

/// The methods of [`Written`] that a sum hands on, for the inside of its `impl`; written as [`sum_game!`](crate::sum_game).
#[macro_export]
macro_rules! sum_written {
    ($sum:ident { $($variant:ident($member:ty)),+ $(,)? }) => {
        fn read_command(&self, seat: $crate::Seat, text: &str) -> Result<Self::Command, $crate::Refusal> {
            match self { $($sum::$variant(game, ..) => $crate::sum::read_command::<Self, $member>(game, seat, text)),+ }
        }
        fn write_command(&self, command: &Self::Command) -> String {
            match self { $($sum::$variant(game, ..) => $crate::sum::write_command::<Self, $member>(game, command)),+ }
        }
        fn write_event(&self, event: &Self::Event) -> String {
            match self { $($sum::$variant(game, ..) => $crate::sum::write_event::<Self, $member>(game, event)),+ }
        }
        fn check(&self, statement: &str) -> Result<(), Result<$crate::written::Mismatch, String>> {
            match self { $($sum::$variant(game, ..) => game.check(statement)),+ }
        }
        fn check_at(
            &self,
            at: $crate::Millis,
            statement: &str,
        ) -> Result<(), Result<$crate::written::Mismatch, String>> {
            match self { $($sum::$variant(game, ..) => game.check_at(at, statement)),+ }
        }
        fn undecided(&self) -> $crate::SeatSet {
            match self { $($sum::$variant(game, ..) => game.undecided()),+ }
        }
        fn turn_order(&self) -> Vec<$crate::Seat> {
            match self { $($sum::$variant(game, ..) => game.turn_order()),+ }
        }
        fn position(&self) -> String {
            match self { $($sum::$variant(game, ..) => game.position()),+ }
        }
    };
}

/// The methods of [`View`] of a sum, for the inside of its `impl`: `sum_view!(View of Match { Race(Race), .. })`.
#[macro_export]
macro_rules! sum_view {
    ($view:ident of $sum:ident { $($variant:ident($member:ty)),+ $(,)? }) => {
        fn observe(&mut self, notice: &Self::Notice) {
            match self { $($view::$variant(view) => $crate::sum::observe::<$sum, $member>(view, notice)),+ }
        }
        fn commands(&self, at: $crate::Millis) -> $crate::Coverage<Self::Command> {
            match self { $($view::$variant(view) => $crate::sum::commands::<$sum, $member>(view, at)),+ }
        }
        fn closed(&self, at: $crate::Millis) -> Vec<(Self::Command, $crate::Refusal)> {
            match self { $($view::$variant(view) => $crate::sum::closed::<$sum, $member>(view, at)),+ }
        }
        fn admits(&self, at: $crate::Millis, command: &Self::Command) -> Option<bool> {
            match self { $($view::$variant(view) => $crate::sum::admits::<$sum, $member>(view, at, command)),+ }
        }
        fn awaited(&self) -> bool {
            match self { $($view::$variant(view) => view.awaited()),+ }
        }
        fn outcome(&self) -> Option<&$crate::Outcome> {
            match self { $($view::$variant(view) => view.outcome()),+ }
        }
    };
}
