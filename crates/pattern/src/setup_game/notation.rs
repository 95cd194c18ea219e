//! SETup in notation: positions, commands and statements (docs/notation.md).

use super::SetupGame;
use super::event::Event;
use super::state::State;
use crate::command::Command;
use crate::frame::notation::{Checked, PositionReader, Statement, opened, same, seats_text};
use crate::frame::roster::Roster;
use crate::race::Hand;
use crate::rules::Rules;
use crate::written::Position;
use cards::Point;
use game::written::{Mismatch, Opening, Written};
use game::{Game, Refusal, Seat};
use std::sync::Arc;

impl Written for SetupGame {
    type Position = Position;

    fn open_at(rules: Arc<Rules>, seats: u8, opening: Opening) -> Result<Self, Vec<String>> {
        let mut faults = Vec::new();
        let roster = opened(seats, opening, &mut faults);
        if !faults.is_empty() {
            return Err(faults);
        }
        Ok(SetupGame { rules, state: State::new(roster), stock: Vec::new(), aside: Vec::new() })
    }

    fn set_up(rules: Arc<Rules>, seats: u8, opening: Opening, setup: Position) -> Result<Self, Vec<String>> {
        let mut reader = PositionReader::new(&rules);
        let mut state = State::new(reader.roster(seats, opening, &setup));
        state.table =
            reader.slots(setup.board.as_deref().unwrap_or_default()).into_iter().flatten().collect();
        if setup.hands.len() > usize::from(seats) {
            reader.faults.push(format!("hands: there are {seats} seats"));
        }
        for (hand, text) in state.hands.iter_mut().zip(&setup.hands) {
            *hand = Hand::Seen(reader.cards("hands", text));
        }
        let stock = reader.stock(setup.stock.as_deref().unwrap_or_default());
        state.stock = stock.len() as u16;
        state.turn = match setup.turn {
            Some(turn) => reader.seat("turn", turn, seats),
            None => state.turn,
        };
        reader.refuse(&[
            ("previous", setup.previous.iter().any(|set| !set.trim().is_empty())),
            ("heap", setup.heap.is_some()),
            ("discard", setup.discard.is_some()),
            ("collected", setup.collected.iter().any(|&sets| sets > 0)),
        ]);
        reader.phase(&setup, &["open", "turn"]);
        if state.hands.iter().all(Hand::is_empty) {
            reader.faults.push("hands: somebody must hold a card".into());
        } else if state.hands[state.turn.index()].is_empty() {
            reader.faults.push(format!("turn: seat {} holds no card to play", state.turn));
        }
        let aside = reader.unnamed();
        if !reader.faults.is_empty() {
            return Err(reader.faults);
        }
        let stock = stock.into_iter().rev().collect();
        Ok(SetupGame { rules, state, stock, aside })
    }

    fn read_command(&self, _: Seat, text: &str) -> Result<Command, Refusal> {
        Command::parse(self.rules.deck, text).map_err(|fault| {
            let rules: &[_] = match text.split_whitespace().next() {
                Some("play") => &["SETUP-3"],
                Some("challenge") => &["SETUP-4", "Q-01"],
                _ => &[],
            };
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
            Event::Dealt { left, turn, .. } => {
                format!("the hands are dealt, {left} in the stock, {turn} begins")
            }
            Event::Played { seat, card, by_clock, .. } => {
                format!("{seat} play {}{}", deck.text(*card), if *by_clock { ", by the clock" } else { "" })
            }
            Event::Drew { seat, .. } => format!("{seat} draws"),
            Event::Passed { seat, .. } => format!("{seat} pass"),
            Event::Challenged { challenge, penalty, .. } => {
                let what = match (challenge.right, penalty) {
                    (true, _) => format!("right, {} takes the table", challenge.by),
                    (false, Some(card)) => format!("wrong, and takes {}", deck.text(*card)),
                    (false, None) => "wrong".into(),
                };
                format!("{} challenge {}: {what}", challenge.seat, deck.text_all(&challenge.named))
            }
            Event::HandedIn { seat } => format!("the hand of {seat} goes under the stock"),
            Event::Skipped { next, .. } => format!("{next} is next"),
        }
    }

    fn check(&self, statement: &str) -> Result<(), Result<Mismatch, String>> {
        let it = Statement::read(self.rules.deck, statement);
        let state = &self.state;
        if let Some(checked) = it.about_roster(&state.roster, self.phase()) {
            return checked;
        }
        let stock: Vec<Point> = self.stock.iter().rev().copied().collect();
        let table: Vec<Option<Point>> = state.table.iter().map(|&card| Some(card)).collect();
        let checked: Checked = match (it.word, it.negated) {
            ("turn", false) => same(it.rest.into(), state.turn.to_string()),
            ("await", false) => it.seat_set(self.undecided()),
            ("board", false) => it.multiset(state.table.iter().copied()),
            ("slots", false) => it.slots(&table),
            ("top", false) => it.sequence(state.table.last().map_or(&[], std::slice::from_ref)),
            ("stock", false) => it.pile(&stock),
            ("hand", false) => {
                let seat = it.the_seat(self.seats())?;
                it.multiset(state.hands[seat.index()].cards().iter().copied())
            }
            ("heap" | "discard", false) => it.multiset([]),
            ("locked", _) => {
                let seat = it.the_seat(self.seats())?;
                it.holds(seat, state.locked.has(seat))
            }
            ("frozen", _) => it.holds(it.the_seat(self.seats())?, false),
            _ => it.unknown(),
        };
        checked
    }

    fn turn_order(&self) -> Vec<Seat> {
        self.state.turn.around(self.seats()).collect()
    }

    fn position(&self) -> String {
        let (deck, state) = (self.rules.deck, &self.state);
        let scores: Vec<String> = state.roster.players.iter().map(|m| m.score.to_string()).collect();
        let mut text = format!(
            "phase {} · turn {} · penalty cards {}\ntable: {}\nstock {} · let it stand {} · locked {}",
            self.phase(),
            state.turn,
            scores.join(" "),
            deck.text_all(&state.table),
            self.stock.len(),
            seats_text(state.passed),
            seats_text(state.locked)
        );
        for (i, hand) in state.hands.iter().enumerate() {
            text.push_str(&format!("\nhand {i}: {}", deck.text_all(hand.cards())));
        }
        text
    }
}
