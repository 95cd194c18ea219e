//! The puzzle in notation: positions, commands and statements (docs/notation.md).

use super::Puzzle;
use super::event::Event;
use crate::command::Command;
use crate::finder::{Open, Sought};
use crate::frame::notation::{Checked, PositionReader, Statement, opened, same};
use crate::frame::roster::{Roster, Stage};
use crate::rules::Rules;
use crate::written::Position;
use cards::Point;
use game::written::{Mismatch, Opening, Written};
use game::{Game, Refusal, Seat};
use std::sync::Arc;

impl Written for Puzzle {
    type Position = Position;

    fn open_at(rules: Arc<Rules>, seats: u8, opening: Opening) -> Result<Self, Vec<String>> {
        let mut puzzle = Puzzle::open(rules, seats).map_err(|refusal| vec![refusal.to_string()])?;
        let mut faults = Vec::new();
        puzzle.state.roster = opened(seats, opening, &mut faults);
        if faults.is_empty() { Ok(puzzle) } else { Err(faults) }
    }

    fn set_up(rules: Arc<Rules>, seats: u8, opening: Opening, setup: Position) -> Result<Self, Vec<String>> {
        let mut puzzle = Puzzle::open(rules.clone(), seats).map_err(|refusal| vec![refusal.to_string()])?;
        let mut reader = PositionReader::new(&rules);
        let roster = reader.roster(seats, opening, &setup);
        let slots = reader.slots(setup.board.as_deref().unwrap_or_default());
        reader.refuse(&[
            ("hands", setup.hands.iter().any(|hand| !hand.trim().is_empty())),
            ("previous", setup.previous.iter().any(|set| !set.trim().is_empty())),
            ("heap", setup.heap.is_some()),
            ("discard", setup.discard.is_some()),
            ("turn", setup.turn.is_some_and(|turn| turn > 0)),
        ]);
        reader.phase(&setup, &["open"]);
        let layout: Vec<Point> = slots.iter().flatten().copied().collect();
        let open = Open::layout(layout.iter().map(|&card| (0, card)));
        let total = Sought::from(&*rules).count(&open);
        let wanted = u64::from(rules.puzzle_sets);
        if total == 0 {
            reader.faults.push("board: it holds no Set, so there is nothing to find".into());
        } else if total != wanted {
            reader
                .faults
                .push(format!("board: Sets to be found are {wanted}, and it holds {total} (DAILY-1)"));
        }
        if !reader.faults.is_empty() {
            return Err(reader.faults);
        }
        puzzle.state.roster = roster;
        puzzle.state.layout = layout;
        puzzle.state.total = u16::try_from(total).unwrap_or(u16::MAX);
        puzzle.slots = slots;
        Ok(puzzle)
    }

    fn read_command(&self, _: Seat, text: &str) -> Result<Command, Refusal> {
        Command::parse(self.rules.deck, text).map_err(|fault| {
            let rules: &[_] = if text.trim_start().starts_with("claim") { &["DAILY-1", "Q-01"] } else { &[] };
            Refusal::in_words(rules, fault)
        })
    }

    fn write_command(&self, command: &Command) -> String {
        command.text(self.rules.deck)
    }

    fn write_event(&self, event: &Event) -> String {
        let deck = self.rules.deck;
        match event {
            Event::Table(happening) => Roster::write(happening),
            Event::Discarded { .. } => "shuffled again".into(),
            Event::Shown { layout, total, .. } => format!("{total} to be found in {}", deck.text_all(layout)),
            Event::Judged { claim, finding, .. } => {
                format!("0 claim {}: {}", claim.text(deck), if finding.right() { "right" } else { "wrong" })
            }
            Event::Repeated { claim, .. } => format!("0 claim {}: found before", claim.text(deck)),
            Event::Hinted { card, .. } => format!("hint: {}", deck.text(*card)),
            Event::Solved { missed, .. } => {
                let missed: Vec<String> = missed.iter().map(|claim| claim.text(deck)).collect();
                format!("not found: {}", missed.join(", "))
            }
        }
    }

    fn check(&self, statement: &str) -> Result<(), Result<Mismatch, String>> {
        let it = Statement::read(self.rules.deck, statement);
        let state = &self.state;
        if let Some(checked) = it.about_roster(&state.roster, self.phase()) {
            return checked;
        }
        let lost = state.roster.stage == Stage::Over && state.found.len() < usize::from(state.total);
        let checked: Checked = match (it.word, it.negated) {
            ("errors", false) => {
                it.the_seat(1)?;
                same(it.rest.into(), state.errors.to_string())
            }
            ("turn", false) => same(it.rest.into(), "0".into()),
            ("await", false) => it.seat_set(self.undecided()),
            ("board", false) => it.multiset(state.layout.iter().copied()),
            ("slots", false) => it.slots(&self.slots),
            ("stock", false) => it.pile(&[]),
            ("heap" | "discard" | "hand", false) => it.multiset([]),
            ("locked" | "frozen", _) => it.holds(it.the_seat(1)?, false),
            ("lost", _) => {
                let say = |lost: bool| if lost { "lost" } else { "not lost" }.to_string();
                same(say(!it.negated), say(lost))
            }
            _ => it.unknown(),
        };
        checked
    }

    fn turn_order(&self) -> Vec<Seat> {
        vec![Seat(0)]
    }

    fn position(&self) -> String {
        let (deck, state) = (self.rules.deck, &self.state);
        format!(
            "phase {} · found {} of {} · errors {}\nboard {}",
            self.phase(),
            state.found.len(),
            state.total,
            state.errors,
            deck.text_all(&state.layout)
        )
    }
}
