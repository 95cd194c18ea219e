//! What an input brings: on whose board, and whether the match ends with it.

use super::event::Event;
use super::{ALONE, Trial};
use crate::command::Command;
use crate::frame::presence::{Held, Place};
use game::{Game, Input, Millis, Presence, Refusal, Seat, say};

impl Trial {
    pub(super) fn judge(&self, at: Millis, input: &Input<Command>) -> Result<Vec<Event>, Refusal> {
        if !matches!(input, Input::Play(..)) {
            self.state.must_go_on()?;
        }
        let mut events = Vec::new();
        match input {
            Input::Play(seat, command, timing) => {
                self.may_play(at, *seat, command)?;
                let input = Input::Play(ALONE, command.clone(), *timing);
                self.on_board(at, *seat, &input, &mut events)?;
            }
            Input::Draw(_) if self.state.started_at.is_none() => {
                events.push(Event::Started { at });
                for seat in self.racing().iter() {
                    self.on_board(at, seat, input, &mut events)?;
                }
            }
            Input::Draw(_) => return Err(say!("no.chance_now").into()),
            Input::Ring(id) => match self.bell() {
                Some((seat, alarm)) if *id == self.plies && alarm.due <= at => {
                    self.on_board(at, seat, &Input::Ring(alarm.id), &mut events)?;
                }
                _ => return Err(say!("no.alarm").into()),
            },
            Input::Presence(seat, presence) => self.presence(at, *seat, *presence, &mut events)?,
        }
        let mut after = self.state.clone();
        events.iter().for_each(|event| after.apply(event));
        if after.all_done() || after.too_few(&self.rules) {
            events.push(Event::Ended { at, outcome: after.ranking(&self.rules) });
        }
        Ok(events)
    }

    /// Refuses an act of a seat that has no board to play on.
    fn may_play(&self, at: Millis, seat: Seat, command: &Command) -> Result<(), Refusal> {
        let Err(refusal) = self.state.may_play(seat) else { return Ok(()) };
        // What is wrong with it on any board forbids it as well.
        let own = self.of(seat).and_then(|board| board.forbids(at, ALONE, command)).err();
        Err(refusal.citing(own.map(|own| own.rules).unwrap_or_default()))
    }

    pub(super) fn presence(
        &self,
        at: Millis,
        seat: Seat,
        presence: Presence,
        events: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        let Some(racer) = self.state.racers.get(seat.index()) else {
            return Err(say!("no.seat", n = seat).into());
        };
        if racer.held == Held::Retired {
            // There is one deal: nobody comes in again.
            return Err(Refusal::new(&["LEAVE-2", "LEAVE-7"], say!("no.out")));
        }
        if racer.done.is_none() {
            return self.on_board(at, seat, &Input::Presence(ALONE, presence), events);
        }
        let place = Place { held: racer.held, returning: false, dealt: true };
        place.change(&self.rules, presence)?;
        events.push(Event::Presence { at, seat, presence });
        Ok(())
    }

    /// Judges an input on a board.
    pub(super) fn on_board(
        &self,
        at: Millis,
        seat: Seat,
        input: &Input<Command>,
        events: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        let mut own = Vec::new();
        self.of(seat)?.decide(at, input, &mut own)?;
        events.extend(own.into_iter().map(|event| Event::Board { seat, event }));
        Ok(())
    }
}
