//! Whether a seat may do something now, and the refusal if not. The truth and the views judge by this.

use super::state::{Slot, State};
use crate::command::Command;
use crate::frame::roster::Stage;
use crate::offers::{self, Act, Asked, Needs};
use crate::rules::{MemoryEnd, Rules};
use game::{Millis, Refusal};

/// What a seat knows, asked for what that seat may do.
pub(super) type Judge<'a> = Asked<'a, State>;

impl Judge<'_> {
    /// Refuses to turn up the card in a slot, numbered from 1; with none, whichever it were.
    fn flip(&self, slot: Option<u8>) -> Result<(), Refusal> {
        let state = self.state;
        if state.roster.stage != Stage::Playing {
            return Err(Refusal::new(&["MEM-3", "CORE-3"], "no cards lie there yet"));
        }
        let mut rules = Vec::new();
        let mut why = Vec::new();
        if self.seat != state.turn {
            rules.extend(["MEM-1", "MEM-3"]);
            why.push(format!("it is the turn of seat {}", state.turn));
        }
        if state.reveal_until.is_some() || state.filling {
            rules.push("MEM-5");
            why.push("the cards of the last turn are still up".into());
        }
        let lies = |slot: u8| slot.checked_sub(1).and_then(|slot| state.slots.get(usize::from(slot)));
        match slot.map(|slot| (slot, lies(slot))) {
            None | Some((_, Some(Slot::Down))) => {}
            Some((slot, Some(Slot::Up(_)))) => {
                rules.push("MEM-3");
                why.push(format!("the card in slot {slot} is up already"));
            }
            Some((slot, Some(Slot::Empty))) => {
                rules.extend(["MEM-7", "MEM-3"]);
                why.push(format!("slot {slot} is empty"));
            }
            Some((slot, None)) => {
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
        Ok(())
    }

    fn declare(&self) -> Result<(), Refusal> {
        let state = self.state;
        if self.rules.memory_end == MemoryEnd::Auto {
            let ids = ["MEM-8", "MEM-10", "A-21"];
            return Err(Refusal::new(&ids, "here the server sees when no Set is left"));
        }
        if state.roster.stage != Stage::Playing {
            return Err(Refusal::new(&["MEM-10", "CORE-3"], "no deal is being played"));
        }
        if state.declared.has(self.seat) {
            return Err(Refusal::new(&["MEM-10", "Q-04"], "you have declared that already"));
        }
        if !state.up.is_empty() {
            return Err(Refusal::new(&["MEM-10", "MEM-5"], "wait until no card lies face up"));
        }
        Ok(())
    }
}

impl offers::Judge for Judge<'_> {
    fn rules(&self) -> &Rules {
        self.rules
    }

    fn judge(&self, _: Millis, command: &Command) -> Result<(), Refusal> {
        self.state.roster.may_act(self.seat, "MEM-8")?;
        match command {
            Command::Flip(slot) => self.flip(Some(*slot)),
            Command::Declare => self.declare(),
            Command::Ready => self.state.roster.may_be_ready(self.seat),
            _ => Err(Refusal::new(&["MEM-3", "4.1"], "in memory a player turns up cards, one after another")),
        }
    }

    fn needs(&self, at: Millis, act: Act) -> Result<Needs, Refusal> {
        match act {
            Act::Flip => {
                self.state.roster.may_act(self.seat, "MEM-8")?;
                self.flip(None)?;
                Ok(Needs::Slot(self.state.face_down().map(|slot| slot + 1).collect()))
            }
            _ => self.judge(at, &act.any()).map(|()| Needs::Nothing),
        }
    }
}
