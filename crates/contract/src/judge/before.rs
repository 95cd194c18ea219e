//! What is decided before the first turn of a round: the cut, the contract, the rank that is wild, the cards that are passed on.

use super::Judge;
use crate::state::Phase;
use cards::Face;
use game::{Objections, Refusal, say};

impl Judge<'_> {
    /// Whether this seat cuts now.
    pub fn cut(&self) -> Result<(), Refusal> {
        if self.flow.phase != Phase::Cut {
            return Err(self.refuse(&["LV-2", "A-35"], say!("no_contract.no_cut")));
        }
        if self.seat != self.flow.cutter(self.compiled) {
            return Err(self.refuse(&["LV-2", "A-35"], say!("no_contract.other_cuts")));
        }
        Ok(())
    }

    /// Whether this seat picks the contract of the round now (HR-PICK-2).
    pub fn may_choose(&self) -> Result<(), Refusal> {
        if self.flow.phase != Phase::Choose {
            return Err(self.refuse(&["HR-PICK-2"], say!("no_contract.no_choice")));
        }
        if self.seat != self.flow.chooser(self.compiled) {
            return Err(self.refuse(&["HR-PICK-2"], say!("no_contract.other_chooses")));
        }
        Ok(())
    }

    /// The contract with this number, as a place in the rules' list, where this seat may pick it now (HR-PICK-2).
    pub fn choose(&self, number: u16) -> Result<u16, Refusal> {
        self.may_choose()?;
        let left = self.flow.contracts_left(self.compiled, self.seat);
        let named = left.into_iter().find(|&at| self.compiled.round(at).number == number);
        named.ok_or_else(|| self.refuse(&["HR-PICK-2"], say!("no_contract.contract_gone", n = number)))
    }

    /// Whether this seat names the rank that is wild in the round now (HR-WILD-4).
    pub fn may_name(&self) -> Result<(), Refusal> {
        if self.flow.phase != Phase::Name {
            return Err(self.refuse(&["HR-WILD-4"], say!("no_contract.no_naming")));
        }
        if self.seat != self.flow.dealer {
            return Err(self.refuse(&["HR-WILD-4"], say!("no_contract.dealer_names")));
        }
        Ok(())
    }

    /// Whether this seat may name this rank, by its place in the pack from 1, as wild in the round (HR-WILD-4).
    pub fn name(&self, rank: u8) -> Result<(), Refusal> {
        self.may_name()?;
        let of = self.compiled.pack.ranks.len();
        if rank == 0 || usize::from(rank) > of {
            return Err(self.refuse(&["HR-WILD-4"], say!("no_contract.no_rank", n = rank, of = of)));
        }
        if self.law().is_skip(Face::new(0, rank)) {
            let rank = self.law().rank_text(rank);
            return Err(self.refuse(&["HR-WILD-4", "HR-SKIP-1"], say!("no_contract.skip_named", rank = rank)));
        }
        Ok(())
    }

    /// Whether this seat chooses cards to pass on now (HR-PASS-1).
    pub fn may_pass_on(&self) -> Result<(), Refusal> {
        if self.flow.phase != Phase::Pass {
            return Err(self.refuse(&["HR-PASS-1"], say!("no_contract.no_passing")));
        }
        if self.flow.passed.has(self.seat) {
            return Err(self.refuse(&["HR-PASS-1"], say!("no_contract.passed_on")));
        }
        Ok(())
    }

    /// Whether this seat may pass these cards on (HR-PASS-1).
    pub fn pass_on(&self, cards: &[Face]) -> Result<(), Refusal> {
        self.may_pass_on()?;
        let n = self.flow.passes(self.compiled);
        let mut all = Objections::new();
        if cards.len() != usize::from(n) {
            let say = say!("no_contract.pass_so_many", n = n, m = cards.len());
            all.add(self.refuse(&["HR-PASS-1"], say));
        }
        all.also(self.holds(cards.iter().copied()).map_err(|why| why.citing(["HR-PASS-1"])));
        all.settle()
    }
}
