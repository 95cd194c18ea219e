//! What an input brings: commands and chance.

use super::SetupGame;
use super::event::Event;
use super::state::Challenged;
use crate::command::Command;
use crate::finder::is_set;
use crate::frame::draft::{Draft, ordered};
use crate::frame::roster::{DealEnd, Stage};
use crate::race::Hand;
use crate::rules::FalseChallenge;
use cards::Point;
use game::{Draw, Millis, Refusal, Seat};

impl Draft<SetupGame> {
    pub(super) fn act(&mut self, at: Millis, seat: Seat, command: &Command) -> Result<(), Refusal> {
        let state = &self.game.state;
        state.roster.may_act(seat, "SETUP-10")?;
        if let Command::Ready = command {
            return self.ready(at, seat);
        }
        if !matches!(command, Command::Play(_) | Command::Challenge(_) | Command::Pass) {
            return Err(Refusal::new(
                &["SETUP-3", "SETUP-4", "4.1"],
                "here a player plays a card, challenges the last one, or passes",
            ));
        }
        if state.roster.stage != Stage::Playing {
            return Err(Refusal::new(&["SETUP-3", "CORE-3"], "no deal is being played"));
        }
        match *command {
            Command::Play(card) => self.play(at, seat, card),
            Command::Challenge(named) => self.challenge(at, seat, named),
            _ => self.pass(at, seat),
        }
    }

    pub(super) fn play(&mut self, at: Millis, seat: Seat, card: Point) -> Result<(), Refusal> {
        let (state, rules) = (&self.game.state, &self.game.rules);
        let (mut ids, mut why) = (Vec::new(), Vec::new());
        if seat != state.turn {
            ids.push("SETUP-3");
            why.push(format!("it is the turn of seat {}", state.turn));
        }
        if !state.hands[seat.index()].cards().contains(&card) {
            ids.extend(["SETUP-3", "SETUP-2"]);
            why.push(format!("you do not hold {}", rules.deck.text(card)));
        }
        if !state.may_play(rules, at) {
            ids.extend(["SETUP-7", "A-37"]);
            why.push("the others may still challenge the last card".into());
        }
        if !ids.is_empty() {
            ids.dedup();
            return Err(Refusal::new(&ids, why.join("; ")));
        }
        self.lay(at, seat, card, false);
        Ok(())
    }

    pub(super) fn challenge(&mut self, at: Millis, seat: Seat, named: [Point; 2]) -> Result<(), Refusal> {
        let (state, rules) = (&self.game.state, &self.game.rules);
        let refuse = |ids: &[&'static str], text: String| Err(Refusal::new(ids, text));
        let Some(last) = state.last else {
            return refuse(&["SETUP-4", "SETUP-6", "SETUP-7"], "there is no card to challenge".into());
        };
        if seat == last.seat {
            return refuse(&["SETUP-4"], "nobody challenges the own card".into());
        }
        if state.locked.has(seat) {
            return refuse(
                &["SETUP-8", "A-38"],
                "after a false challenge you are locked out for this card".into(),
            );
        }
        if state.passed.has(seat) {
            return refuse(&["SETUP-7", "SETUP-4"], "you have let this card stand".into());
        }
        if let Some(&card) = named.iter().find(|card| !state.table.contains(card)) {
            return refuse(
                &["SETUP-4", "Q-01"],
                format!("{} does not lie on the table", rules.deck.text(card)),
            );
        }
        if named[0] == named[1] || named.contains(&last.card) {
            return refuse(
                &["SETUP-4", "SETUP-6", "Q-01"],
                "name two other cards that form a Set with the one just played".into(),
            );
        }
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
        Ok(())
    }

    pub(super) fn pass(&mut self, at: Millis, seat: Seat) -> Result<(), Refusal> {
        let state = &self.game.state;
        let refuse = |text: &str| Err(Refusal::new(&["SETUP-7", "SETUP-4"], text));
        let Some(last) = state.last else { return refuse("there is no card to let stand") };
        if seat == last.seat {
            return refuse("it is your own card");
        }
        if state.passed.has(seat) {
            return refuse("you have let this card stand already");
        }
        self.emit(Event::Passed { at, seat });
        self.over_if_decided(at);
        Ok(())
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
