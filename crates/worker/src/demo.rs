//! A match inside the browser, to look at a screen with: the engine deals, and the other seats do anything that is legal.
//! No server is asked and nothing is kept.

use crate::{Answer, Shown};
use game::chance::{Chance as _, SplitMix};
use game::{Game as _, Input, Millis, Refusal, Seat, Status, Timing, View as _, Viewer};
use rulebook::{Command, Match, Notice, View};

/// A match with seat 0 for the person, and the others moving at random.
pub struct Demo {
    game: Match,
    seats: u8,
    dice: SplitMix,
    heard: Vec<Notice>,
}

const ME: Viewer = Viewer::Seat(Seat(0));

impl Demo {
    /// Opens a match of this built-in game.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn open(game: &str, seats: Option<u8>, seed: u64) -> Result<Demo, String> {
        let loaded = rulebook::preset(game).map_err(|faults| faults.to_string())?;
        let seats = seats.unwrap_or(4).clamp(loaded.info.players_min, loaded.info.players_max);
        let rules = loaded.rules(seats).map_err(|faults| faults.to_string())?;
        let game = Match::open(rules, seats).map_err(|refusal| refusal.words().into_owned())?;
        Ok(Demo { game, seats, dice: SplitMix(seed), heard: vec![] })
    }

    /// Whatever happens by itself: chance, an alarm that is due, or one act of another seat.
    pub fn step(&mut self, at: Millis) {
        if self.draw(at).is_err() {
            return;
        }
        if matches!(self.game.status(), Status::Over(_)) {
            return;
        }
        if let Some(alarm) = self.game.alarm().filter(|alarm| alarm.due <= at) {
            // An alarm that is due is never refused (the laws); a demonstration would only stand still.
            let _ = self.apply(at, &Input::Ring(alarm.id));
            return;
        }
        let views: Vec<(Seat, View)> =
            (1..self.seats).map(|n| (Seat(n), self.game.view(Viewer::Seat(Seat(n))))).collect();
        let racing = views
            .iter()
            .any(|(_, v)| matches!(v, View::Pattern(pattern::View::Race(_) | pattern::View::Trial(_))));
        if racing && self.dice.below(8) > 0 {
            return;
        }
        for (seat, seen) in views.into_iter().filter(|(_, view)| view.awaited()) {
            let mut commands = seen.commands(at).commands;
            if commands.is_empty() {
                continue;
            }
            let pick = self.dice.below(commands.len() as u32) as usize;
            let command = commands.swap_remove(pick);
            // What a view offers is accepted (the laws).
            let _ = self.apply(at, &Input::Play(seat, command, Timing::at(at)));
            return;
        }
    }

    /// A command of seat 0.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn play(&mut self, command: Command, at: Millis) -> Result<(), Refusal> {
        self.apply(at, &Input::Play(Seat(0), command, Timing::at(at)))?;
        self.draw(at)
    }

    /// The position as seat 0 sees it, with what was heard since last asked.
    pub fn shown(&mut self, at: Millis, refused: Refusal) -> Answer {
        let heard = std::mem::take(&mut self.heard);
        let view = Box::new(self.game.view(ME));
        Answer::Shown(Shown { view, seats: self.seats, at, heard, before: 0, open: None, refused })
    }

    /// Lets chance fall as long as the match waits for it.
    fn draw(&mut self, at: Millis) -> Result<(), Refusal> {
        while let Status::Chance(need) = self.game.status() {
            let draw = self.dice.answer(&need);
            self.apply(at, &Input::Draw(draw))?;
        }
        Ok(())
    }

    fn apply(&mut self, at: Millis, input: &Input<Command>) -> Result<(), Refusal> {
        let mut events = vec![];
        self.game.decide(at, input, &mut events)?;
        for event in &events {
            self.heard.extend(self.game.notice(event, ME));
            self.game.evolve(event);
        }
        Ok(())
    }
}
