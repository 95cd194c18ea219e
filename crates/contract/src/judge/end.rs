//! How a turn ends: the discard and the call that protects it, the claim, or no discard at all.

use super::Judge;
use crate::compiled::CompiledRules;
use crate::event::Claim;
use crate::meld::{Fit, Meld};
use crate::rules::{DiscardBack, DiscardWild, LayoffWhen, OutDiscard, Undo};
use crate::state::{Board, Flow, Phase};
use cards::Face;
use game::{Objections, Refusal, say};

/// Whether a card could be laid off on some meld of the table (SH-CALL-5, S7).
pub(crate) fn layable(compiled: &CompiledRules, flow: &Flow, board: &Board, card: Face) -> bool {
    let set = flow.set(compiled);
    if set.layoff.when == LayoffWhen::Never || flow.waits_for_all(set) {
        return false;
    }
    let law = &compiled.laws[usize::from(flow.round)];
    board.melds.iter().any(|m| law.fit(&m.meld, card) != Fit::default())
}

impl Judge<'_> {
    /// Whether this seat may discard at all now.
    pub fn may_discard(&self) -> Result<(), Refusal> {
        self.plays(&["CR-DISC-1"], say!("no_contract.draw_then_discard"))
    }

    /// Whether a card may be discarded; with `shanghai`, under the protecting call.
    pub fn discard(&self, card: Face, shanghai: bool) -> Result<(), Refusal> {
        let set = self.set();
        let mut all = Objections::new();
        all.also(self.may_discard());
        let held = self.hand.count(card) > 0;
        if !held {
            all.add(self.refuse(&["CR-DISC-1", "RF-2"], self.not_held(card)));
        }
        all.also(self.nothing_pending());
        // Before the draw there is a card more to come.
        let last = self.hand.len() == 1 && self.is_playing();
        if last && set.out.discard == OutDiscard::Forbidden {
            let rules: &[&'static str] = if set.meld.all {
                &["SH-CON-2", "CR-R7-3", "RF-7", "A-17"]
            } else {
                &["PW-3", "RF-7", "A-18", "A-17"]
            };
            all.add(self.refuse(rules, say!("no_contract.last_is_played")));
        }
        if held && self.taken_back(card) {
            let say = say!("no_contract.drawn_from_pile", card = self.text(card));
            all.add(self.refuse(&["A-23", "RF-1"], say));
        }
        if self.wild_kept(card) {
            all.add(match set.discard.wild {
                DiscardWild::Never => self.refuse(&["HR-WILD-2", "A-24"], say!("no_contract.never_wilds")),
                _ => self.refuse(&["A-24"], say!("no_contract.keep_wilds")),
            });
        }
        if shanghai {
            all.also(self.protects(card, last));
        }
        all.settle()
    }

    /// Whether `discard.back` forbids discarding this card.
    fn taken_back(&self, card: Face) -> bool {
        match self.flow.set(self.compiled).discard.back {
            DiscardBack::Allowed => false,
            DiscardBack::IfLast | DiscardBack::Never => {
                self.back == Some(card) && self.hand.count(card) == 1 && self.hand.len() > 1
            }
        }
    }

    /// Whether `discard.wild` forbids discarding this card: as long as a natural may go instead, or always (HR-WILD-2).
    fn wild_kept(&self, card: Face) -> bool {
        self.law().is_wild(card)
            && match self.flow.set(self.compiled).discard.wild {
                DiscardWild::Allowed => false,
                DiscardWild::IfLast => self.natural_may_go(),
                DiscardWild::Never => true,
            }
    }

    fn natural_may_go(&self) -> bool {
        let law = self.law();
        self.hand.faces().any(|face| !law.is_wild(face) && !self.taken_back(face))
    }

    /// Whether the protecting call is right (SH-CALL-1, SH-CALL-5).
    fn protects(&self, card: Face, last: bool) -> Result<(), Refusal> {
        if !self.flow.set(self.compiled).shanghai.on {
            return Err(self.refuse(&["PW-6", "SH-CALL-1"], say!("no_contract.no_shanghai")));
        }
        let mut all = Objections::new();
        if last {
            let say = say!("no_contract.nothing_to_protect_from");
            all.add(self.refuse(&["Q-10", "SH-CALL-1", "SH-CALL-8"], say));
        }
        if !layable(self.compiled, self.flow, self.board, card) {
            let say = say!("no_contract.nothing_to_protect", card = self.text(card));
            all.add(self.refuse(&["SH-CALL-5", "SH-CALL-1", "A-31"], say));
            all.also(self.all_are_down());
        }
        all.settle()
    }

    /// Whether the turn may end without a discard (RF-7).
    pub fn hold(&self) -> Result<(), Refusal> {
        let set = self.set();
        let mut all = Objections::new();
        all.also(self.plays(&["RF-7", "A-18"], say!("no_contract.draw_then_hold")));
        all.also(self.nothing_pending());
        // But where nothing in hand may be discarded (HR-WILD-2).
        let none = self.flow.set(self.compiled).discard.wild == DiscardWild::Never && !self.natural_may_go();
        if !none && set.out.discard != OutDiscard::Forbidden {
            all.add(self.refuse(&["RF-7", "CR-DISC-1", "A-17", "A-18"], say!("no_contract.discard_ends")));
        } else if !none && self.hand.len() != 1 && self.is_playing() {
            let rules: &[&'static str] = match set.meld.all {
                true => &["SH-CON-2", "CR-R7-3", "RF-7", "CR-DISC-1", "A-17", "A-18"],
                false => &["PW-3", "RF-7", "CR-DISC-1", "A-17", "A-18"],
            };
            all.add(self.refuse(rules, say!("no_contract.hold_one_card")));
        }
        all.settle()
    }

    /// Whether the last play of this turn may be taken back.
    pub fn undo(&self) -> Result<(), Refusal> {
        if self.compiled.rules.settings.table.undo == Undo::None {
            return Err(self.refuse(&["A-37", "RF-2", "RF-4"], say!("no_contract.no_undo")));
        }
        let mut all = Objections::new();
        all.also(self.plays(&["A-37", "RF-2"], say!("no_contract.draw_then_undo")));
        if self.board.undo.is_empty() {
            all.add(self.refuse(&["A-37", "RF-2"], say!("no_contract.nothing_to_undo")));
        }
        all.settle()
    }

    /// Judges a claim, and gives the meld with the card on it.
    pub fn claim(&self, claim: Claim) -> Result<Meld, Refusal> {
        self.may_claim()?;
        let Some(card) = self.flow.top else {
            return Err(self.refuse(&["SH-CALL-2"], say!("no_contract.none_to_claim")));
        };
        let target = self.on_table(claim.on).map_err(|why| self.cite(why, &["SH-CALL-2", "SH-CALL-5"]))?;
        let law = self.flow.law(self.compiled, self.seat);
        law.lay_off(&target.meld, &[card.into()], claim.end).map_err(|why| {
            let of_calls = self.refuse(&["SH-CALL-5", "SH-CALL-2", "A-31"], why.say);
            of_calls.citing(why.rules)
        })
    }

    /// Whether this seat may answer the claim window.
    pub fn may_claim(&self) -> Result<(), Refusal> {
        let flow = self.flow;
        if !flow.set(self.compiled).shanghai.on {
            return Err(self.refuse(&["PW-6", "SH-CALL-2"], say!("no_contract.no_shanghai")));
        }
        if matches!(flow.phase, Phase::Shanghai { asked } if asked.has(self.seat)) {
            return Ok(());
        }
        let rules: &[&'static str] = match flow.phase {
            Phase::Shanghai { .. } => &["SH-CALL-2"],
            _ if flow.protected => &["SH-CALL-1", "SH-CALL-2", "SH-CALL-6"],
            _ => &["SH-CALL-2", "SH-CALL-5", "SH-CALL-8", "A-31"],
        };
        Err(self.refuse(rules, say!("no_contract.no_claim")))
    }

    /// Whether this seat picks a card of the claimer's hand now, and there is such a place, from 1.
    pub fn pick(&self, place: u16) -> Result<(), Refusal> {
        let of = self.places();
        if !matches!(self.flow.phase, Phase::Pick { .. }) || self.seat != self.flow.discarder {
            return Err(self.refuse(&["SH-CALL-2", "A-54"], say!("no_contract.discarder_picks")));
        }
        if !(1..=of).contains(&place) {
            return Err(self.refuse(&["SH-CALL-2", "A-54"], say!("no_contract.pick_place", n = of)));
        }
        Ok(())
    }

    /// Number of places to pick from.
    pub fn places(&self) -> u16 {
        self.flow.phase.claimer().map_or(0, |claimer| self.flow.sizes[claimer.index()])
    }
}
