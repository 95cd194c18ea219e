//! Whether a seat may do something now, and the refusal if not. The truth and the views judge by this.

use super::state::{Slot, State};
use crate::command::Command;
use crate::offers::{self, Act, Asked, Needs};
use crate::rules::{MemoryEnd, Rules};
use game::{Millis, Objections, Refusal, say};

/// What a seat knows, asked for what that seat may do.
pub(super) type Judge<'a> = Asked<'a, State>;

impl Judge<'_> {
    /// What keeps this seat from every act.
    fn may_act(&self) -> Result<Objections, Refusal> {
        self.state.roster.may_act(self.rules, self.seat, "MEM-8")
    }

    /// Refuses to turn up the card in a slot, numbered from 1; with none, whichever it were.
    fn flip(&self, no: &mut Objections, slot: Option<u8>) {
        let state = self.state;
        if !state.roster.must_play(no, &["MEM-3"], say!("no_pattern.no_layout")) {
            return;
        }
        no.when(self.seat != state.turn, &["MEM-1", "MEM-3"], || say!("no.not_your_turn"));
        let up = state.reveal_until.is_some() || state.filling;
        no.when(up, &["MEM-5"], || say!("no_pattern.still_up"));
        let lies = |slot: u8| slot.checked_sub(1).and_then(|slot| state.slots.get(usize::from(slot)));
        match slot.map(|slot| (slot, lies(slot))) {
            None | Some((_, Some(Slot::Down))) => {}
            Some((slot, Some(Slot::Up(_)))) => no.object(&["MEM-3"], say!("no_pattern.up_already", n = slot)),
            Some((slot, Some(Slot::Empty))) => {
                no.object(&["MEM-7", "MEM-3"], say!("no_pattern.slot_empty", n = slot));
            }
            Some((slot, None)) => {
                let of = state.slots.len();
                no.object(&["MEM-2", "MEM-3"], say!("no_pattern.no_slot", n = slot, of = of));
            }
        }
    }

    /// Refuses to declare that no Set is left.
    fn declare(&self, no: &mut Objections) {
        let state = self.state;
        let auto = self.rules.memory_end == MemoryEnd::Auto;
        no.when(auto, &["MEM-8", "MEM-10", "A-21"], || say!("no_pattern.seen_by_itself"));
        state.roster.must_play(no, &["MEM-10"], say!("no_pattern.no_deal"));
        let said = state.declared.has(self.seat);
        no.when(said, &["MEM-10", "Q-04"], || say!("no_pattern.said_already"));
        no.when(!state.up.is_empty(), &["MEM-10", "MEM-5"], || say!("no_pattern.still_up"));
    }
}

impl offers::Judge for Judge<'_> {
    fn rules(&self) -> &Rules {
        self.rules
    }

    fn judge(&self, _: Millis, command: &Command) -> Result<(), Refusal> {
        let mut no = self.may_act()?;
        match command {
            Command::Flip(slot) => self.flip(&mut no, Some(*slot)),
            Command::Declare => self.declare(&mut no),
            Command::Ready => self.state.roster.may_be_ready(&mut no, self.seat),
            _ => no.object(&["MEM-3", "4.1"], say!("no_pattern.memory_only")),
        }
        no.settle()
    }

    fn needs(&self, at: Millis, act: Act) -> Result<Needs, Refusal> {
        match act {
            Act::Flip => {
                let mut no = self.may_act()?;
                self.flip(&mut no, None);
                no.settle()?;
                Ok(Needs::Slot(self.state.face_down().map(|slot| slot + 1).collect()))
            }
            _ => self.judge(at, &act.any()).map(|()| Needs::Nothing),
        }
    }
}
