//! How what happened changes what is seen, and the stock.

use super::SetupGame;
use super::event::Event;
use super::state::{Played, State};
use crate::frame::roster::Happening;
use crate::race::Hand;
use cards::Point;
use game::{Seat, SeatSet};

impl SetupGame {
    /// Takes in an event.
    pub(super) fn take_in(&mut self, event: &Event) {
        match event {
            Event::Dealt { stock, .. } => {
                self.stock = stock.iter().rev().copied().collect();
                self.aside.clear();
            }
            Event::Drew { .. } | Event::Challenged { penalty: Some(_), .. } => {
                self.stock.pop();
            }
            Event::HandedIn { seat } => {
                // Under the stock, the card held longest uppermost.
                let mut stock: Vec<Point> = self.state.hands[seat.index()].cards().to_vec();
                stock.reverse();
                stock.append(&mut self.stock);
                self.stock = stock;
            }
            Event::Table(Happening::Begun) => {
                self.stock.clear();
                self.aside.clear();
            }
            _ => {}
        }
        self.state.apply(event);
    }
}

impl State {
    /// Takes in an event, or what a viewer learnt of it.
    pub(super) fn apply(&mut self, event: &Event) {
        match *event {
            Event::Table(ref happening) => {
                self.roster.apply(happening);
                match happening {
                    Happening::DealOver { .. } => self.last = None,
                    Happening::Begun => *self = State::new(self.roster.clone()),
                    _ => {}
                }
            }
            Event::Dealt { at, left, ref hands, turn, .. } => {
                self.roster.dealt_at(at);
                self.hands.clone_from(hands);
                self.stock = left;
                self.turn = turn;
                self.turn_since = at;
            }
            Event::Played { at, seat, card, by_clock, next } => {
                self.hands[seat.index()].remove(card);
                self.table.push(card);
                self.last = Some(Played { seat, card, at });
                self.passed = SeatSet::NONE;
                self.locked = SeatSet::NONE;
                self.turn = next;
                self.turn_since = at;
                if !by_clock {
                    self.roster.acted_at = at;
                }
            }
            Event::Drew { seat, ref card } => {
                self.hands[seat.index()].add(card);
                self.stock -= 1;
            }
            Event::Passed { at, seat } => {
                self.passed.add(seat);
                self.roster.acted_at = at;
            }
            Event::Challenged { at, challenge, penalty, locks } => {
                self.roster.acted_at = at;
                self.challenged = Some(challenge);
                let mut take = |seat: Seat, cards: &mut Vec<Point>| {
                    let member = &mut self.roster.players[seat.index()];
                    member.score += cards.len() as i32;
                    member.points += cards.len() as i32;
                    member.taken.append(cards);
                };
                if challenge.right {
                    take(challenge.by, &mut self.table);
                    self.last = None;
                    self.turn_since = at;
                }
                if let Some(card) = penalty {
                    take(challenge.seat, &mut vec![card]);
                    self.stock -= 1;
                }
                if locks {
                    self.locked.add(challenge.seat);
                }
            }
            Event::HandedIn { seat } => {
                let hand = &mut self.hands[seat.index()];
                self.stock += hand.len() as u16;
                *hand = match hand {
                    Hand::Hidden(_) => Hand::Hidden(0),
                    Hand::Seen(_) => Hand::Seen(Vec::new()),
                };
            }
            Event::Skipped { at, next } => {
                self.turn = next;
                self.turn_since = at;
            }
        }
    }
}
