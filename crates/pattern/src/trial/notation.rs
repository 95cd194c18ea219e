//! The live trial in notation: positions, commands and statements (docs/notation.md).

use super::event::Event;
use super::{ALONE, Trial};
use crate::command::Command;
use crate::race::Race;
use crate::rules::Rules;
use crate::written::Position;
use game::written::{Mismatch, Opening, Written};
use game::{Game, Millis, Presence, Refusal, Seat, SeatSet};
use std::sync::Arc;

impl Written for Trial {
    type Position = Position;

    fn open_at(rules: Arc<Rules>, seats: u8, _: Opening) -> Result<Self, Vec<String>> {
        Trial::open(rules, seats).map_err(|refusal| vec![refusal.to_string()])
    }

    fn set_up(rules: Arc<Rules>, seats: u8, _: Opening, setup: Position) -> Result<Self, Vec<String>> {
        let alone = Arc::new(rules.of_board());
        let opening = Opening { round: 1, dealer: ALONE };
        let (scores, collected) = (setup.scores.clone(), setup.collected.clone());
        let many = |what: &str, given: usize| {
            (given > usize::from(seats)).then(|| format!("{what}: {given} are given for {seats} seats"))
        };
        let faults: Vec<String> =
            many("scores", scores.len()).into_iter().chain(many("collected", collected.len())).collect();
        if !faults.is_empty() {
            return Err(faults);
        }
        let boards = (0..usize::from(seats)).map(|seat| {
            let own = Position {
                scores: scores.get(seat).copied().into_iter().collect(),
                collected: collected.get(seat).copied().into_iter().collect(),
                ..setup.clone()
            };
            Race::set_up(alone.clone(), 1, opening, own)
        });
        let boards = boards.collect::<Result<Vec<Race>, _>>()?;
        let sets: Vec<u16> = boards.iter().map(|board| board.state().players[0].sets).collect();
        let mut trial = Trial::with(rules, boards);
        for (racer, sets) in trial.state.racers.iter_mut().zip(sets) {
            racer.sets = sets;
        }
        trial.state.started_at = Some(Millis(0));
        Ok(trial)
    }

    fn read_command(&self, seat: Seat, text: &str) -> Result<Command, Refusal> {
        self.of(seat)?.read_command(ALONE, text)
    }

    fn write_command(&self, command: &Command) -> String {
        command.text(self.rules.deck)
    }

    fn write_event(&self, event: &Event) -> String {
        match event {
            Event::Started { .. } => "the same cards for everybody".into(),
            Event::Board { seat, event } => {
                format!("board of {seat}: {}", self.boards[seat.index()].write_event(event))
            }
            Event::Presence { seat, presence, .. } => match presence {
                Presence::Dropped => format!("{seat} lost the connection"),
                Presence::Back | Presence::Joined => format!("{seat} is back"),
                Presence::Left => format!("{seat} has left"),
            },
            Event::Ended { outcome, .. } => {
                let winners: Vec<String> = outcome.winners.iter().map(|seat| seat.to_string()).collect();
                format!("the match is over, won by {}", winners.join(" and "))
            }
        }
    }

    fn check(&self, statement: &str) -> Result<(), Result<Mismatch, String>> {
        self.check_at(Millis(0), statement)
    }

    /// `board N: ...`, `slots N: ...`, `stock N: ...`, `taken N: ...`, `score N: ...`, `errors N: ...`, `locked N` are
    /// about the board of seat N; `scores ...` and `points ...` name all; `phase` is that of whoever still plays. What
    /// names no seat is about every board.
    fn check_at(&self, at: Millis, statement: &str) -> Result<(), Result<Mismatch, String>> {
        let on = |seat: &str| -> Result<&Race, Result<Mismatch, String>> {
            let seat = seat.trim().parse().ok().map(Seat).filter(|seat| seat.0 < self.seats());
            let seat = seat.ok_or_else(|| Err(format!("`{statement}` names no seat of this table")))?;
            Ok(&self.boards[seat.index()])
        };
        let (word, rest) = statement.split_once(char::is_whitespace).unwrap_or((statement, ""));
        let values: Vec<&str> = rest.split_whitespace().collect();
        match (word, statement.split_once(':'), statement.rsplit_once(char::is_whitespace)) {
            ("scores" | "points", _, _) if values.len() == self.boards.len() => {
                let mut each = self.boards.iter().zip(values);
                each.try_for_each(|(board, value)| board.check_at(at, &format!("{word} {value}")))
            }
            ("phase", _, _) if !self.racing().is_empty() => {
                self.racing().iter().try_for_each(|seat| self.boards[seat.index()].check_at(at, statement))
            }
            (_, Some((about, value)), _) if about.contains(char::is_whitespace) => {
                let (word, seat) = about.split_once(char::is_whitespace).unwrap_or((about, ""));
                match word {
                    "board" | "slots" => on(seat)?.check_at(at, &format!("{word}: {value}")),
                    "stock" => on(seat)?.check_at(at, &format!("stock {}", value.trim())),
                    _ => on(seat)?.check_at(at, &format!("{word} 0: {value}")),
                }
            }
            (_, None, Some((what @ ("locked" | "not locked"), seat))) => {
                on(seat)?.check_at(at, &format!("{what} 0"))
            }
            _ => self.boards.iter().try_for_each(|board| board.check_at(at, statement)),
        }
    }

    fn undecided(&self) -> SeatSet {
        self.racing()
    }

    fn turn_order(&self) -> Vec<Seat> {
        (0..self.seats()).map(Seat).collect()
    }

    fn position(&self) -> String {
        let boards = self.boards.iter().enumerate();
        boards.map(|(seat, board)| format!("{seat}: {}", board.position())).collect::<Vec<_>>().join("\n")
    }
}
