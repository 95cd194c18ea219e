//! Whether a seat may do something now, and the refusal if not. The truth and the views judge by this.

use super::state::{Slot, State};
use crate::command::Command;
use crate::frame::roster::Stage;
use crate::offers::{self, Act, Asked, Needs};
use crate::rules::{MemoryEnd, Rules};
use game::{Millis, Refusal, Say, say};

/// What a seat knows, asked for what that seat may do.
pub(super) type Judge<'a> = Asked<'a, State>;

impl Judge<'_> {
    /// Refuses to turn up the card in a slot, numbered from 1; with none, whichever it were.
    fn flip(&self, slot: Option<u8>) -> Result<(), Refusal> {
        let state = self.state;
        if state.roster.stage != Stage::Playing {
            return Err(Refusal::new(&["MEM-3", "CORE-3"], say!("no_pattern.no_layout")));
        }
        let mut rules = Vec::new();
        let mut why: Option<Say> = None;
        if self.seat != state.turn {
            rules.extend(["MEM-1", "MEM-3"]);
            why.get_or_insert(say!("no.not_your_turn"));
        }
        if state.reveal_until.is_some() || state.filling {
            rules.push("MEM-5");
            why.get_or_insert(say!("no_pattern.still_up"));
        }
        let lies = |slot: u8| slot.checked_sub(1).and_then(|slot| state.slots.get(usize::from(slot)));
        match slot.map(|slot| (slot, lies(slot))) {
            None | Some((_, Some(Slot::Down))) => {}
            Some((slot, Some(Slot::Up(_)))) => {
                rules.push("MEM-3");
                why.get_or_insert(say!("no_pattern.up_already", n = slot));
            }
            Some((slot, Some(Slot::Empty))) => {
                rules.extend(["MEM-7", "MEM-3"]);
                why.get_or_insert(say!("no_pattern.slot_empty", n = slot));
            }
            Some((slot, None)) => {
                rules.extend(["MEM-2", "MEM-3"]);
                why.get_or_insert(say!("no_pattern.no_slot", n = slot, of = state.slots.len()));
            }
        }
        rules.dedup();
        why.map_or(Ok(()), |why| Err(Refusal::new(&rules, why)))
    }

    fn declare(&self) -> Result<(), Refusal> {
        let state = self.state;
        if self.rules.memory_end == MemoryEnd::Auto {
            let ids = ["MEM-8", "MEM-10", "A-21"];
            return Err(Refusal::new(&ids, say!("no_pattern.seen_by_itself")));
        }
        if state.roster.stage != Stage::Playing {
            return Err(Refusal::new(&["MEM-10", "CORE-3"], say!("no_pattern.no_deal")));
        }
        if state.declared.has(self.seat) {
            return Err(Refusal::new(&["MEM-10", "Q-04"], say!("no_pattern.said_already")));
        }
        if !state.up.is_empty() {
            return Err(Refusal::new(&["MEM-10", "MEM-5"], say!("no_pattern.still_up")));
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
            _ => Err(Refusal::new(&["MEM-3", "4.1"], say!("no_pattern.memory_only"))),
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
