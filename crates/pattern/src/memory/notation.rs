//! Memory in notation: positions, commands and statements (docs/notation.md).

use super::Memory;
use super::event::Event;
use super::state::{Slot, State};
use crate::command::Command;
use crate::frame::draft::Draft;
use crate::frame::notation::{Checked, PositionReader, Statement, opened, same, seats_text};
use crate::frame::roster::Roster;
use crate::rules::Rules;
use crate::written::Position;
use cards::Point;
use game::written::{Mismatch, Opening, Written};
use game::{Game, Millis, Refusal, Seat};
use std::sync::Arc;

impl Written for Memory {
    type Position = Position;

    fn open_at(rules: Arc<Rules>, seats: u8, opening: Opening) -> Result<Self, Vec<String>> {
        let mut faults = Vec::new();
        let roster = opened(seats, opening, &mut faults);
        if !faults.is_empty() {
            return Err(faults);
        }
        let state = State::new(&rules, roster);
        Ok(Memory { rules, state, cards: Vec::new(), stock: Vec::new(), aside: Vec::new() })
    }

    fn set_up(rules: Arc<Rules>, seats: u8, opening: Opening, setup: Position) -> Result<Self, Vec<String>> {
        let mut reader = PositionReader::new(&rules);
        let roster = reader.roster(seats, opening, &setup);
        let cards = reader.slots(setup.board.as_deref().unwrap_or_default());
        let stock = reader.stock(setup.stock.as_deref().unwrap_or_default());
        let turn = setup.turn.map(|seat| reader.seat("turn", seat, seats));
        reader.refuse(&[
            ("hands", setup.hands.iter().any(|hand| !hand.trim().is_empty())),
            ("previous", setup.previous.iter().any(|set| !set.trim().is_empty())),
            ("heap", setup.heap.is_some()),
            ("discard", setup.discard.is_some()),
        ]);
        reader.phase(&setup, &["open", "turn"]);
        // Cards that are added lie in slots of their own.
        if cards.len() + stock.len() > usize::from(u8::MAX) {
            reader.faults.push(format!("board: {} slots are more than a layout has", cards.len()));
        }
        let aside = reader.unnamed();
        if !reader.faults.is_empty() {
            return Err(reader.faults);
        }
        let mut state = State::new(&rules, roster);
        state.slots =
            cards.iter().map(|card| if card.is_some() { Slot::Down } else { Slot::Empty }).collect();
        state.seen = vec![None; cards.len()];
        state.stock = stock.len() as u16;
        state.turn = turn.unwrap_or(state.turn);
        state.clock(&rules, Millis(0));
        let stock = stock.into_iter().rev().collect();
        // What follows by itself from such a position has happened.
        let mut draft = Draft::of(&Memory { rules, state, cards, stock, aside });
        draft.settle(Millis(0));
        Ok(draft.game)
    }

    fn read_command(&self, _: Seat, text: &str) -> Result<Command, Refusal> {
        Command::parse(self.rules.deck, text).map_err(|fault| {
            let rules: &[_] = if text.trim_start().starts_with("flip") { &["MEM-3", "MEM-2"] } else { &[] };
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
            Event::Dealt { laid, left, turn, .. } => {
                format!("{laid} cards lie face down, {left} are in the stock, {turn} begins")
            }
            Event::Flipped { seat, slot, card, by_chance, .. } => {
                format!(
                    "{seat} flip {slot}: {}{}",
                    deck.text(*card),
                    if *by_chance { ", by chance" } else { "" }
                )
            }
            Event::Taken { seat, cards, .. } => format!("{seat} collects {}", deck.text_all(cards)),
            Event::Wrong { .. } => "not right".into(),
            Event::TurnedDown { next, .. } => format!("turned down, {next} is next"),
            Event::RanOut { seat, .. } => format!("the clock of {seat} ran out"),
            Event::Laid { slots, extra, .. } => {
                let slots: Vec<String> = slots.iter().map(ToString::to_string).collect();
                format!("{} cards in slots {}", if *extra { "extra" } else { "new" }, slots.join(" "))
            }
            Event::Declared { seat, .. } => format!("{seat} declare"),
            Event::DeclaredFalsely { .. } => "not so: something is left".into(),
        }
    }

    fn check(&self, statement: &str) -> Result<(), Result<Mismatch, String>> {
        let it = Statement::read(self.rules.deck, statement);
        if let Some(checked) = it.about_roster(&self.state.roster, self.phase()) {
            return checked;
        }
        let stock: Vec<Point> = self.stock.iter().rev().copied().collect();
        let checked: Checked = match (it.word, it.negated) {
            ("turn", false) => same(it.rest.into(), self.state.turn.to_string()),
            ("await", false) => it.seat_set(self.undecided()),
            ("board", false) => it.multiset(self.laid()),
            ("slots", false) => it.slots(&self.cards),
            ("stock", false) => it.pile(&stock),
            ("flags", false) => it.seat_set(self.state.declared),
            ("errors", false) => same(it.rest.into(), "0".into()),
            ("hand", false) => {
                it.the_seat(self.seats())?;
                it.multiset([])
            }
            ("heap" | "discard", false) => it.multiset([]),
            ("locked" | "frozen", _) => it.holds(it.the_seat(self.seats())?, false),
            _ => it.unknown(),
        };
        checked
    }

    fn turn_order(&self) -> Vec<Seat> {
        self.state.turn.around(self.seats()).collect()
    }

    fn position(&self) -> String {
        let (deck, state) = (self.rules.deck, &self.state);
        let slot = |(i, card): (usize, &Option<Point>)| match (card, state.slots[i]) {
            (None, _) => "--".to_string(),
            (Some(card), Slot::Up(_)) => format!("{}*", deck.text(*card)),
            (Some(card), _) => deck.text(*card),
        };
        let slots: Vec<String> = self.cards.iter().enumerate().map(slot).collect();
        let scores: Vec<String> = state.roster.players.iter().map(|m| m.score.to_string()).collect();
        format!(
            "phase {} · turn {} · scores {}\nslots (* face up): {}\nstock {} · declared {}",
            self.phase(),
            state.turn,
            scores.join(" "),
            slots.join(" "),
            self.stock.len(),
            seats_text(state.declared)
        )
    }
}
