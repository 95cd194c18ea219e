//! How what happened changes what is seen, and which card lies where.

use super::Memory;
use super::event::Event;
use super::state::{Slot, State, Turned};
use crate::frame::roster::Happening;
use crate::rules::Rules;
use game::SeatSet;

impl Memory {
    /// Takes in an event.
    pub(super) fn take_in(&mut self, event: &Event) {
        match event {
            Event::Dealt { cards, laid, .. } => {
                let (slots, stock) = cards.split_at(usize::from(*laid));
                self.cards = slots.iter().map(|&card| Some(card)).collect();
                self.stock = stock.iter().rev().copied().collect();
            }
            Event::Taken { .. } => {
                for &slot in &self.state.up {
                    self.cards[usize::from(slot)] = None;
                }
            }
            Event::Laid { slots, .. } => {
                for &slot in slots {
                    let slot = usize::from(slot) - 1;
                    if self.cards.len() <= slot {
                        self.cards.resize(slot + 1, None);
                    }
                    self.cards[slot] = self.stock.pop();
                }
            }
            Event::Table(Happening::Begun) => {
                self.cards.clear();
                self.stock.clear();
                self.aside.clear();
            }
            _ => {}
        }
        self.state.apply(&self.rules, event);
    }
}

impl State {
    /// Takes in an event, or what a viewer learnt of it.
    pub(super) fn apply(&mut self, rules: &Rules, event: &Event) {
        if let Event::Declared { at, .. } | Event::Flipped { at, by_chance: false, .. } = *event {
            self.roster.acted_at = at;
        }
        match *event {
            Event::Table(ref happening) => {
                self.roster.apply(happening);
                match *happening {
                    Happening::Retired { seat, .. } => self.declared.remove(seat),
                    Happening::DealOver { .. } => {
                        self.turn_down();
                        self.deadline = None;
                        self.declared = SeatSet::NONE;
                    }
                    Happening::Begun => *self = State::new(rules, self.roster.clone()),
                    _ => {}
                }
            }
            Event::Dealt { at, laid, left, turn, .. } => {
                self.roster.dealt_at(at);
                self.slots = vec![Slot::Down; usize::from(laid)];
                self.seen = vec![None; usize::from(laid)];
                self.stock = left;
                self.turn = turn;
                self.clock(rules, at);
            }
            Event::Flipped { at, slot, card, by_chance, .. } => {
                let slot = slot - 1;
                self.slots[usize::from(slot)] = Slot::Up(card);
                self.seen[usize::from(slot)] = Some(card);
                self.up.push(slot);
                self.picks += u16::from(by_chance);
                self.clock(rules, at);
            }
            Event::Taken { at, seat, ref cards, points, next } => {
                for slot in self.up.drain(..) {
                    self.slots[usize::from(slot)] = Slot::Empty;
                    self.seen[usize::from(slot)] = None;
                }
                let member = &mut self.roster.players[seat.index()];
                member.taken.extend_from_slice(cards);
                member.score += points;
                member.points += points;
                self.last = Some(Turned { seat, cards: cards.clone(), right: true });
                if !self.filling {
                    self.timed_out = 0;
                }
                self.filling = false;
                self.turn = next;
                self.declared = SeatSet::NONE;
                self.clock(rules, at);
            }
            Event::Wrong { until, .. } => {
                self.last = Some(Turned { seat: self.turn, cards: self.cards_up(), right: false });
                if !self.filling {
                    self.timed_out = 0;
                }
                self.filling = false;
                self.reveal_until = Some(until);
                self.deadline = None;
            }
            Event::TurnedDown { at, next } => {
                self.turn_down();
                self.turn = next;
                self.clock(rules, at);
            }
            Event::RanOut { filling, .. } => {
                self.timed_out += 1;
                self.filling = filling;
                self.deadline = None;
            }
            Event::Laid { ref slots, .. } => {
                for &slot in slots {
                    let slot = usize::from(slot) - 1;
                    if self.slots.len() <= slot {
                        self.slots.resize(slot + 1, Slot::Empty);
                        self.seen.resize(slot + 1, None);
                    }
                    self.slots[slot] = Slot::Down;
                    self.seen[slot] = None;
                    self.stock -= 1;
                }
                self.declared = SeatSet::NONE;
            }
            Event::Declared { seat, .. } => {
                self.declared.add(seat);
                self.declared_falsely = false;
            }
            Event::DeclaredFalsely { .. } => {
                self.declared = SeatSet::NONE;
                self.declared_falsely = true;
            }
        }
    }
}
