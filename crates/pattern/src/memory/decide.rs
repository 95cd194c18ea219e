//! What an input brings: commands, chance, coming and going.

use super::Memory;
use super::event::Event;
use super::state::{Slot, base};
use crate::command::Command;
use crate::frame::draft::{Draft, ordered};
use crate::frame::roster::Stage;
use crate::rules::MemoryEnd;
use game::{Draw, Millis, Need, Refusal, Seat};

impl Draft<Memory> {
    pub(super) fn play(&mut self, at: Millis, seat: Seat, command: &Command) -> Result<(), Refusal> {
        self.game.state.roster.may_act(seat, "MEM-8")?;
        match command {
            Command::Flip(slot) => self.flip(at, seat, *slot),
            Command::Declare => self.declare(at, seat),
            Command::Ready => self.ready(at, seat),
            _ => Err(Refusal::new(&["MEM-3", "4.1"], "in memory a player turns up cards, one after another")),
        }
    }

    pub(super) fn flip(&mut self, at: Millis, seat: Seat, slot: u8) -> Result<(), Refusal> {
        let state = &self.game.state;
        if state.roster.stage != Stage::Playing {
            return Err(Refusal::new(&["MEM-3", "CORE-3"], "no cards lie there yet"));
        }
        let mut rules = Vec::new();
        let mut why = Vec::new();
        if seat != state.turn {
            rules.extend(["MEM-1", "MEM-3"]);
            why.push(format!("it is the turn of seat {}", state.turn));
        }
        if state.reveal_until.is_some() {
            rules.push("MEM-5");
            why.push("the cards of the last turn are still up".into());
        }
        match slot.checked_sub(1).and_then(|slot| state.slots.get(usize::from(slot))) {
            Some(Slot::Down) => {}
            Some(Slot::Up(_)) => {
                rules.push("MEM-3");
                why.push(format!("the card in slot {slot} is up already"));
            }
            Some(Slot::Empty) => {
                rules.extend(["MEM-7", "MEM-3"]);
                why.push(format!("slot {slot} is empty"));
            }
            None => {
                rules.extend(["MEM-2", "MEM-3"]);
                why.push(format!(
                    "there is no slot {slot}: they are numbered from 1 to {}",
                    state.slots.len()
                ));
            }
        }
        if !rules.is_empty() {
            rules.dedup();
            return Err(Refusal::new(&rules, why.join("; ")));
        }
        self.turn_up(at, slot - 1, false);
        Ok(())
    }

    pub(super) fn declare(&mut self, at: Millis, seat: Seat) -> Result<(), Refusal> {
        let state = &self.game.state;
        if self.game.rules.memory_end == MemoryEnd::Auto {
            return Err(Refusal::new(
                &["MEM-8", "MEM-10", "A-21"],
                "here the server sees when no Set is left",
            ));
        }
        if state.roster.stage != Stage::Playing {
            return Err(Refusal::new(&["MEM-10", "CORE-3"], "no deal is being played"));
        }
        if state.declared.has(seat) {
            return Err(Refusal::new(&["MEM-10", "Q-04"], "you have declared that already"));
        }
        if !state.up.is_empty() {
            return Err(Refusal::new(&["MEM-10", "MEM-5"], "wait until no card lies face up"));
        }
        self.emit(Event::Declared { at, seat });
        self.agreed(at);
        Ok(())
    }

    pub(super) fn draw(&mut self, at: Millis, draw: &Draw) -> Result<(), Refusal> {
        match (self.asked(draw)?, draw) {
            (Need::Dealer { .. }, _) => self.first_dealer(draw)?,
            (Need::Pick { .. }, Draw::Pick(nth)) => {
                let slot =
                    self.game.state.face_down().nth(usize::from(*nth)).expect("the answer is in range");
                self.turn_up(at, slot, true);
            }
            (_, Draw::Order(_)) => {
                let cards = ordered(&self.game.rules.pack(), draw);
                let laid = base(&self.game.rules);
                let roster = &self.game.state.roster;
                let turn = roster.after(roster.dealer);
                let left = (cards.len() - laid) as u16;
                self.emit(Event::Dealt { at, cards, laid: laid as u8, left, turn });
                self.settle(at);
            }
            _ => return Err("this is no answer to what chance was asked".into()),
        }
        Ok(())
    }
}
