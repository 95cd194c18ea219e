//! Games that can be written down: commands and positions as text (docs/notation.md).
//!
//! One notation serves tests, scenario files, move lists, the terminal's command line and bug reports. The scenario
//! runner drives any game through this trait.

use crate::{Game, Millis, Refusal, Seat, SeatSet, Status};
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// A statement about a position that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// What was stated, in canonical notation.
    pub expected: String,
    /// What is so, in canonical notation.
    pub found: String,
}

/// Where a written-down game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Round or deal, from 1.
    pub round: u16,
    /// Who deals.
    pub dealer: Seat,
}

impl Opening {
    /// Whether a match can have come to this deal, where no rule says how many there are.
    ///
    /// # Errors
    /// That it cannot, in words.
    pub fn some_deal(&self) -> Result<(), Vec<String>> {
        const MOST: u16 = 10_000;
        if self.round <= MOST {
            return Ok(());
        }
        Err(vec![format!("round: no match has {} deals: {MOST} are enough", self.round)])
    }
}

/// Most points of a seat, or pennies of a kitty, in a position that is written down, either way: more than any match is played
/// to, and so few that no play reaches what a score can hold.
const MOST_SCORE: u32 = 1_000_000;

/// Whether these can be what a position says of points, or of what is counted like them: `name` is what it calls them.
///
/// # Errors
/// Each that cannot, in words.
pub fn check_points(name: &str, points: &[i32]) -> Result<(), Vec<String>> {
    let out = points.iter().filter(|points| points.unsigned_abs() > MOST_SCORE);
    let faults: Vec<_> = out.map(|n| format!("{name}: {n} is beyond {MOST_SCORE}")).collect();
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// A game that can be written down and read back.
pub trait Written: Game {
    /// The `[setup]` table of a scenario file. Unknown keys are errors (`deny_unknown_fields`).
    type Position: DeserializeOwned;

    /// A match about to deal round `opening.round` with `opening.dealer` dealing (nothing is dealt yet: the status is
    /// chance, or a cut).
    ///
    /// # Errors
    /// Each thing that is wrong, in words.
    fn open_at(rules: Arc<Self::Rules>, seats: u8, opening: Opening) -> Result<Self, Vec<String>>;

    /// The position that was written down, checked.
    ///
    /// # Errors
    /// Every fault at once, in words.
    fn set_up(
        rules: Arc<Self::Rules>,
        seats: u8,
        opening: Opening,
        position: Self::Position,
    ) -> Result<Self, Vec<String>>;

    /// Reads a command of `seat` (without the seat), such as `layoff 7H on 2`. What the text leaves out is filled in
    /// from the position where the notation allows that.
    ///
    /// # Errors
    /// What is wrong with the text. A command that is well written but illegal is read, and refused by `decide`; where a
    /// text cannot even be made a command because a rule forbids its shape (a card that is not in the deck, two cards for
    /// a Set), the refusal cites that rule. A mere slip of the pen cites nothing ([`Refusal::slip`]).
    fn read_command(&self, seat: Seat, text: &str) -> Result<Self::Command, Refusal>;

    /// Writes a command, canonically; reading it back gives the same command.
    fn write_command(&self, command: &Self::Command) -> String;

    /// Writes an event as a person would note it, in one line.
    fn write_event(&self, event: &Self::Event) -> String;

    /// Checks one statement, without the `=`: `hand 1: 2C 2D`, `turn 0`, `over`.
    ///
    /// # Errors
    /// `Err(Ok(mismatch))` if it does not hold, `Err(Err(text))` if it cannot be read.
    fn check(&self, statement: &str) -> Result<(), Result<Mismatch, String>>;

    /// The same at match time `at`, for games in which something ends by time alone (a lockout).
    ///
    /// # Errors
    /// As [`Written::check`].
    fn check_at(&self, at: Millis, statement: &str) -> Result<(), Result<Mismatch, String>> {
        let _ = at;
        self.check(statement)
    }

    /// The seats whose decision is missing, in truth (the view of one seat does not tell): those that the status names, unless
    /// a game knows better.
    fn undecided(&self) -> SeatSet {
        match self.status() {
            Status::Seats(seats) => seats,
            Status::Chance(_) | Status::Over(_) => SeatSet::NONE,
        }
    }

    /// The seats in turn order from the one to play; for `* COMMAND`.
    fn turn_order(&self) -> Vec<Seat>;

    /// The whole position in notation, a few lines, for people.
    fn position(&self) -> String;
}
