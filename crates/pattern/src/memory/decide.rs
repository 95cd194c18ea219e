//! What an input brings: commands, chance, coming and going.

use super::Memory;
use super::event::Event;
use super::judge::Judge;
use super::state::base;
use crate::command::Command;
use crate::frame::draft::{Draft, ordered};
use crate::offers::Judge as _;
use game::{Draw, Millis, Need, Refusal, Seat, say};

impl Draft<Memory> {
    pub(super) fn play(&mut self, at: Millis, seat: Seat, command: &Command) -> Result<(), Refusal> {
        let (rules, state) = (&self.game.rules, &self.game.state);
        Judge { rules, state, seat }.judge(at, command)?;
        match command {
            Command::Flip(slot) => self.turn_up(at, slot - 1, false),
            Command::Declare => {
                self.emit(Event::Declared { at, seat });
                self.agreed(at);
            }
            _ => self.ready(at, seat),
        }
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
            _ => return Err(say!("no.chance").into()),
        }
        Ok(())
    }
}
