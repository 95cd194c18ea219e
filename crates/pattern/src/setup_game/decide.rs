//! What an input brings: commands and chance.

use super::SetupGame;
use super::event::Event;
use super::judge::Judge;
use super::state::{Challenged, Played};
use crate::command::Command;
use crate::finder::is_set;
use crate::frame::draft::{Draft, ordered};
use crate::frame::roster::DealEnd;
use crate::offers::Judge as _;
use crate::race::Hand;
use crate::rules::FalseChallenge;
use cards::Point;
use game::{Draw, Millis, Refusal, Seat};

impl Draft<SetupGame> {
    pub(super) fn act(&mut self, at: Millis, seat: Seat, command: &Command) -> Result<(), Refusal> {
        Judge { rules: &self.game.rules, state: &self.game.state, seat }.judge(at, command)?;
        match *command {
            Command::Ready => self.ready(at, seat),
            Command::Play(card) => self.lay(at, seat, card, false),
            Command::Challenge(named) => {
                let last = self.game.state.last.expect("what is challenged lies there");
                self.challenge(at, seat, named, last);
            }
            _ => {
                self.emit(Event::Passed { at, seat });
                self.over_if_decided(at);
            }
        }
        Ok(())
    }

    fn challenge(&mut self, at: Millis, seat: Seat, named: [Point; 2], last: Played) {
        let rules = &self.game.rules;
        let right = is_set(named[0], named[1], last.card);
        let challenge = Challenged { seat, named, card: last.card, by: last.seat, right };
        let takes_one = !right && rules.false_challenge == FalseChallenge::TakeOne;
        let penalty = self.game.stock.last().copied().filter(|_| takes_one);
        let locks = !right && rules.false_challenge == FalseChallenge::Lockout;
        self.emit(Event::Challenged { at, challenge, penalty, locks });
        if right && self.game.state.all_played() {
            self.close(at, DealEnd::Finished);
        } else {
            self.over_if_decided(at);
        }
    }

    pub(super) fn draw(&mut self, at: Millis, draw: &Draw) -> Result<(), Refusal> {
        self.asked(draw)?;
        if let Draw::Order(_) = draw {
            let mut cards = ordered(&self.game.rules.pack(), draw).into_iter();
            let roster = &self.game.state.roster;
            let mut hands = vec![Vec::new(); self.game.state.hands.len()];
            let turn = roster.after(roster.dealer);
            for round in 0..usize::from(self.game.rules.hand) * hands.len() {
                // One at a time, from the dealer's left; a seat that nobody holds gets nothing.
                let seat = roster.dealer.step(1 + (round % hands.len()) as i32, roster.seats());
                if !roster.retired(seat) {
                    hands[seat.index()].extend(cards.next());
                }
            }
            let stock: Vec<Point> = cards.collect();
            let hands = hands.into_iter().map(Hand::Seen).collect();
            self.emit(Event::Dealt { at, left: stock.len() as u16, stock, hands, turn });
        } else {
            self.first_dealer(draw)?;
        }
        Ok(())
    }
}
