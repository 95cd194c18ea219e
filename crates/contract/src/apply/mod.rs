//! How what happened changes what is seen: the one fold of truth and views.

mod board;
mod flow;
mod sealed;

use crate::event::Event;
use crate::hand::Hand;
use crate::meld::Meld;
use crate::state::Flow;
use crate::truth::Match;
use cards::Face;
use game::Seat;

/// The cards that an event brings into hands or takes from them: each seat, card, and whether it comes. Asked with the
/// flow as it was before it. The deal is not among them, nor what comes of cards that were passed on.
pub(crate) fn hand_moves(flow: &Flow, event: &Event, mut moved: impl FnMut(Seat, Face, bool)) {
    let turn = flow.turn;
    match event {
        Event::Took { seat, card, .. } | Event::Penalty { seat, card } => moved(*seat, *card, true),
        Event::Drew { card, .. } => moved(turn, *card, true),
        Event::Gave { seat, cards, .. } => cards.iter().for_each(|&card| moved(*seat, card, false)),
        Event::Pushed { to, discard, card, .. } => {
            moved(*to, *discard, true);
            moved(*to, *card, true);
        }
        Event::Melded { melds, .. } => {
            melds.iter().flat_map(Meld::faces).for_each(|card| moved(turn, card, false));
        }
        Event::LaidOff { cards, .. } => cards.iter().for_each(|&card| moved(turn, card, false)),
        Event::Reclaimed { card, wild, .. } => {
            moved(turn, *card, false);
            moved(turn, *wild, true);
        }
        Event::Undone { before } => {
            before.back.iter().for_each(|&card| moved(turn, card, true));
            before.wild.iter().for_each(|&card| moved(turn, card, false));
        }
        Event::Discarded { card, .. } => moved(turn, *card, false),
        Event::Picked { card } => {
            if let Some(claimer) = flow.phase.claimer() {
                moved(claimer, *card, false);
            }
            moved(flow.discarder, *card, true);
        }
        _ => {}
    }
}

/// What an event does to the discard pile, its top card last.
pub(crate) fn pile_moves(pile: &mut Vec<Face>, event: &Event) {
    match event {
        Event::Round { .. } => pile.clear(),
        Event::Dealt { top, .. } => pile.extend(top),
        Event::Discarded { card, .. } => pile.push(*card),
        Event::Took { .. }
        | Event::Drew { discard: true, .. }
        | Event::Pushed { .. }
        | Event::Claimed { .. } => {
            pile.pop();
        }
        Event::Remade { .. } => {
            let top = pile.pop();
            pile.clear();
            pile.extend(top);
        }
        _ => {}
    }
}

impl Match {
    /// Everybody takes up what was passed on.
    fn take_up(&mut self) {
        for seat in (0..self.flow.seats).map(Seat) {
            let from = self.flow.passed_by(&self.compiled, seat);
            let cards = self.passed[from.index()].given.clone();
            cards.iter().for_each(|&card| self.hands[seat.index()].add(card));
            self.passed[seat.index()].taken = cards;
        }
    }

    /// Takes in what happened.
    pub(crate) fn apply(&mut self, event: &Event) {
        let (hands, flow) = (&mut self.hands, &self.flow);
        let fresh = matches!(event, Event::Drew { discard: true, card, .. } if flow.bars_back(&hands[flow.turn.index()], *card));
        hand_moves(flow, event, |seat, card, comes| {
            let hand = &mut hands[seat.index()];
            if comes {
                hand.add(card);
            } else {
                hand.remove(card);
            }
        });
        match event {
            Event::Round { .. } => {
                hands.fill(Hand::default());
                self.stock.clear();
                self.aside = self.compiled.cards.iter().copied().collect();
            }
            Event::Dealt { deck, .. } => {
                let mut hands = vec![Hand::default(); self.hands.len()];
                let (stock, _) = self.deal(deck, |seat, card| hands[seat.index()].add(card));
                self.stock = stock;
                self.hands = hands;
                self.aside = Hand::default();
            }
            Event::Drew { discard: false, .. } | Event::Penalty { .. } | Event::Pushed { .. } => {
                self.stock.pop();
            }
            Event::PassedOn => self.take_up(),
            Event::Remade { cards } => self.stock.extend(cards.iter().rev()),
            Event::RoundOver { .. } => {
                self.board.shown = self.hands.iter().map(|hand| hand.cards().collect()).collect();
            }
            _ => {}
        }
        for (passed, seat) in self.passed.iter_mut().zip(0..) {
            passed.apply(&self.compiled, &self.flow, event, Seat(seat));
        }
        pile_moves(&mut self.pile, event);
        self.board.apply(&self.compiled, &self.flow, event);
        self.sealed.apply(&self.compiled, &self.flow, event);
        match event {
            Event::Drew { discard: true, card, .. } => self.sealed.back = fresh.then_some(*card),
            Event::Dealt { .. } => self.count_deadwood(),
            _ => {}
        }
        self.flow.apply(&self.compiled, event);
        self.compiled.turn(&self.flow);
    }
}
