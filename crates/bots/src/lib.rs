//! Players that know a view and nothing else.
//!
//! A bot sits at a table like a person: it is shown the [`View`] of its seat and never the truth, so it cannot cheat even
//! by mistake.
//!
//! ```
//! use game::chance::{Chance, SplitMix};
//! use game::{Game, Input, Millis, Status, Timing, Viewer};
//! use rulebook::{Family, Match};
//!
//! // Two who play Contract Rummy with experience, and a beginner, up to the end of a match.
//! let rules = rulebook::preset("contract")?.rules(3)?;
//! let mut seats: Vec<_> = ["steady", "steady", "easy"].map(|kind| bots::make(kind, &rules).expect(kind)).into();
//! let mut game = Match::open(rules, 3)?;
//! let (mut chance, mut now, mut events) = (SplitMix(5), Millis(0), Vec::new());
//! let outcome = loop {
//!     let (after_ms, input) = match game.status() {
//!         Status::Over(outcome) => break outcome,
//!         Status::Chance(need) => (0, Input::Draw(chance.answer(&need))),
//!         Status::Seats(awaited) => {
//!             let thoughts = awaited.iter().filter_map(|seat| {
//!                 let view = game.view(Viewer::Seat(seat));
//!                 Some((seat, seats[seat.index()].think(&view, now, &mut chance)?))
//!             });
//!             let (seat, thought) = thoughts.min_by_key(|(_, thought)| thought.after_ms).expect("somebody moves");
//!             (thought.after_ms, Input::Play(seat, thought.command, Timing::at(now.after(thought.after_ms))))
//!         }
//!     };
//!     now = now.after(after_ms);
//!     game::step(&mut game, now, &input, &mut events)?;
//! };
//! assert_eq!(outcome.scores.len(), 3);
//!
//! // Which bots people are offered; those of level 0 are for tests and measurements.
//! let offered = bots::kinds(Family::Contract).filter(|kind| kind.level > 0);
//! let names: Vec<_> = offered.map(|kind| (kind.level, kind.name)).collect();
//! assert_eq!(names, [(1, "easy"), (2, "steady"), (3, "keen"), (3, "strong")]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod contract;
mod kinds;
pub mod pattern;
pub mod random;

pub use kinds::{
    BotKind, NoBot, advise, beginner, kinds, make, of_contract, of_level, of_pattern, present_name,
};

use game::{Chance, Millis, View};
use serde::{Deserialize, Serialize};

/// What a bot means to do, unless something changes before.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought<C> {
    /// What it will do.
    pub command: C,
    /// Milliseconds of match time from now until it does it: how long a person would have looked or hesitated.
    pub after_ms: u32,
    /// Milliseconds of `after_ms` that the rules ask for, so that nobody who plays the bot faster may leave them out.
    pub least_ms: u32,
}

impl<C> Thought<C> {
    /// To do `command` in so many milliseconds, or sooner.
    pub fn after(command: C, after_ms: u32) -> Thought<C> {
        Thought { command, after_ms, least_ms: 0 }
    }

    /// The same with its command made another.
    pub fn map<D>(self, command: impl FnOnce(C) -> D) -> Thought<D> {
        Thought { command: command(self.command), after_ms: self.after_ms, least_ms: self.least_ms }
    }

    /// The same by a bot that takes so many percent of its time.
    #[must_use]
    pub fn paced(self, percent: u32) -> Thought<C> {
        let scaled = u64::from(self.after_ms) * u64::from(percent) / 100;
        let after_ms = u32::try_from(scaled).unwrap_or(u32::MAX).max(self.least_ms);
        Thought { after_ms, ..self }
    }
}

/// A player over a view.
pub trait Bot<V: View>: Send {
    /// Which bot, with a version that changes when its play does: `steady/1`. Stands in records and ratings.
    fn name(&self) -> &str;

    /// Thinks about `view`, as it is at match time `at`, and says what the bot will do next and when; none if it waits for
    /// the others.
    ///
    /// The table asks at the start, after each change of the view, and again after a command of the bot was answered. A
    /// thought that is not yet done when the view changes is dropped, and the bot is asked anew: one that looks for
    /// something remembers in itself since when, so that others cannot keep it from finding it.
    ///
    /// All chance comes from `chance`, so that a game with bots can be played again. Takes well under 100 ms.
    fn think(&mut self, view: &V, at: Millis, chance: &mut dyn Chance) -> Option<Thought<V::Command>>;

    /// What it would do now in the place of whoever sees `view`, and why; none where it would wait, or has nothing to say.
    ///
    /// The same view brings the same advice. It tells no more than a person in that seat could work out: the view is all there is.
    fn advise(&self, view: &V) -> Option<Advice> {
        let _ = view;
        None
    }
}

/// What a bot would do now in the place of whoever sees a view, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Advised<Command, Reason> {
    /// Which bot, with its version: `steady/3`.
    pub bot: String,
    /// What it would do.
    pub command: Command,
    /// Why.
    pub reason: Reason,
}

/// What a bot would do in somebody's place, and why, in a game of either family.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Advice {
    /// In a game of Contract Rummy.
    Contract(contract::Advice),
    /// In a game of the Set family.
    Pattern(pattern::Advice),
}

/// The same bot, which takes so many percent of its time.
#[must_use]
pub fn at_pace<V: View + 'static>(bot: Box<dyn Bot<V>>, percent: u32) -> Box<dyn Bot<V>> {
    if percent == 100 { bot } else { Box::new(Paced { bot, percent }) }
}

struct Paced<V: View> {
    bot: Box<dyn Bot<V>>,
    percent: u32,
}

impl<V: View> Bot<V> for Paced<V> {
    fn name(&self) -> &str {
        self.bot.name()
    }
    fn think(&mut self, view: &V, at: Millis, chance: &mut dyn Chance) -> Option<Thought<V::Command>> {
        Some(self.bot.think(view, at, chance)?.paced(self.percent))
    }
    fn advise(&self, view: &V) -> Option<Advice> {
        self.bot.advise(view)
    }
}
