//! What follows by itself: what a turn brought, refills, extra cards, the end of a deal.

use super::Memory;
use super::event::Event;
use super::state::{base, needed, sought};
use crate::claim::Claim;
use crate::finder::Open;
use crate::frame::draft::Draft;
use crate::frame::roster::DealEnd;
use crate::rules::{MemoryEnd, MemoryLayout, Score};
use cards::Point;
use game::Millis;

impl Memory {
    pub(super) fn laid(&self) -> impl Iterator<Item = Point> + '_ {
        self.cards.iter().filter_map(|&card| card)
    }

    /// Whether the layout holds what is looked for.
    pub(super) fn some_left(&self) -> bool {
        sought(&self.rules).exists(&Open::layout(self.laid().map(|card| (0, card))))
    }
}

impl Draft<Memory> {
    pub(super) fn turn_up(&mut self, at: Millis, slot: u8, by_chance: bool) {
        let seat = self.game.state.turn;
        let card = self.game.cards[usize::from(slot)].expect("a face-down slot holds a card");
        self.emit(Event::Flipped { at, seat, slot: slot + 1, card, by_chance });
        if self.game.state.up.len() == needed(&self.game.rules) {
            self.judge(at);
        }
    }

    pub(super) fn judge(&mut self, at: Millis) {
        let (rules, state) = (self.game.rules.clone(), &self.game.state);
        let (seat, cards) = (state.turn, state.cards_up());
        let open = Open::layout(cards.iter().map(|&card| (0, card)));
        let groups = match sought(&rules).judge(&open, &Claim::one(&cards)) {
            Ok(judged) if judged.finding.right() => judged.claim.len(),
            _ => 0,
        };
        if groups == 0 {
            self.emit(Event::Wrong { at, until: at.after(u32::from(rules.reveal_ms)) });
            if self.game.state.timed_out >= 2 * self.game.state.roster.remaining().len() as u16 {
                self.close(at, DealEnd::TimedOut);
            } else if rules.reveal_ms == 0 {
                self.pass_on(at);
            }
            return;
        }
        let points = match rules.score {
            Score::Claims => 1,
            Score::Cards => cards.len() as i32,
            _ => groups as i32,
        };
        let next = if rules.extra_turn { seat } else { state.roster.after(seat) };
        self.emit(Event::Taken { at, seat, cards, points, next });
        self.refill(at);
        if !self.settle(at)
            && self.game.state.timed_out >= 2 * self.game.state.roster.remaining().len() as u16
        {
            self.close(at, DealEnd::TimedOut);
        }
    }

    /// Turns the cards down and passes the turn on.
    pub(super) fn pass_on(&mut self, at: Millis) {
        let roster = &self.game.state.roster;
        let next = roster.after(self.game.state.turn);
        self.emit(Event::TurnedDown { at, next });
    }

    /// CORE-12: fills the layout up to its base, lowest emptied slot first.
    pub(super) fn refill(&mut self, at: Millis) {
        let game = &self.game;
        if !matches!(game.rules.memory_layout, MemoryLayout::Slots(_)) {
            return;
        }
        let missing = base(&game.rules).saturating_sub(game.laid().count()).min(game.stock.len());
        let empty = game.cards.iter().enumerate().filter(|(_, card)| card.is_none());
        let slots: Vec<u8> = empty.take(missing).map(|(i, _)| i as u8 + 1).collect();
        if !slots.is_empty() {
            self.emit(Event::Laid { at, slots, extra: false });
        }
    }

    /// MEM-8: adds cards or ends the deal while no Set is left; whether the deal ended. With `memory_end = declare` only
    /// what everybody can see is acted on: that too few cards are left for a turn.
    pub(super) fn settle(&mut self, at: Millis) -> bool {
        let declare = self.game.rules.memory_end == MemoryEnd::Declare;
        loop {
            let game = &self.game;
            let too_few = game.laid().count() < needed(&game.rules);
            if !too_few && (declare || game.some_left()) {
                return false;
            }
            if game.stock.is_empty() {
                self.close(at, DealEnd::Finished);
                return true;
            }
            self.extra(at);
        }
    }

    /// MEM-8, Q-09: three more, in new slots after the last.
    pub(super) fn extra(&mut self, at: Millis) {
        let (slots, count) = (self.game.cards.len(), self.game.stock.len().min(3));
        let slots = (slots..slots + count).map(|slot| slot as u8 + 1).collect();
        self.emit(Event::Laid { at, slots, extra: true });
    }

    /// what follows once everybody who is needed has declared.
    pub(super) fn agreed(&mut self, at: Millis) {
        let state = &self.game.state;
        let needed = state.roster.needed(at);
        if state.declared.is_empty() || !state.declared.contains_all(needed) {
            return;
        }
        if self.game.some_left() {
            self.emit(Event::DeclaredFalsely { at });
        } else if self.game.stock.is_empty() {
            self.close(at, DealEnd::Finished);
        } else {
            self.extra(at);
        }
    }
}
