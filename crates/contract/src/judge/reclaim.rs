//! How a wild on the table is taken back for the card that it stands for.

use super::Judge;
use super::lay::without;
use crate::compiled::Ways;
use crate::event::Event;
use crate::hand::Hand;
use crate::meld::{DeclaredMeld, Meld, NoWay, Reclaimed};
use crate::rules::{Reclaim, ReclaimFrom, ReclaimUse, ReclaimWhen};
use crate::solver::Answer;
use cards::Face;
use game::{Objections, Refusal, say};

/// More points than a hand without wilds has.
const DEAR: i16 = 1_000;
/// Ways to lay a contract, the best first, of which it is asked whether wilds can be laid off after it: each may take a long search.
const WITH_LAY_OFFS: usize = 4;

impl<'a> Judge<'a> {
    /// Whether this seat may play a card in the place of a wild at all now.
    pub fn may_reclaim(&self) -> Result<(), Refusal> {
        let rules: &[&'static str] = match self.set().wild.reclaim {
            Reclaim::None => self.law().never_reclaimed(),
            _ => &["SH-JOK-1", "CR-JOK-3"],
        };
        self.plays(rules, say!("no_contract.draw_then_reclaim"))
    }

    /// Judges a reclaim.
    pub fn reclaim(&self, card: Face, from: u16) -> Result<Event, Refusal> {
        let (flow, set, law) = (self.flow, self.set(), self.law());
        let mut all = Objections::new();
        all.also(self.may_reclaim());
        let target = all.also(self.on_table(from));
        let reclaimed = target.and_then(|target| all.also(law.reclaim(&target.meld, card)));
        let down = flow.down.has(self.seat);
        let when = match set.wild.reclaim_when {
            ReclaimWhen::PriorTurn => flow.down_before(self.seat),
            ReclaimWhen::AfterContract => down,
            ReclaimWhen::BeforeContract => !down,
            ReclaimWhen::Anytime => true,
        };
        let ever = set.wild.reclaim != Reclaim::None;
        if ever && !when {
            all.add(self.refuse(
                &["SH-JOK-1", "CR-JOK-3", "CR-JOK-4", "A-21"],
                match set.wild.reclaim_when {
                    ReclaimWhen::PriorTurn => say!("no_contract.reclaim_next_turn"),
                    ReclaimWhen::AfterContract => say!("no_contract.reclaim_down"),
                    _ => say!("no_contract.reclaim_not_down"),
                },
            ));
        }
        let from_whom = !ever
            || target.is_none_or(|target| match set.wild.reclaim_from {
                ReclaimFrom::Any => true,
                ReclaimFrom::Others => target.owner != self.seat,
                ReclaimFrom::Own => target.owner == self.seat,
            });
        if !from_whom {
            all.add(self.refuse(&["A-50", "CR-JOK-3"], say!("no_contract.not_from")));
        }
        if let Err(wrong) = self.holds(std::iter::once(card)) {
            let rules: &[&'static str] = if ever { &["RF-2", "CR-JOK-3"] } else { &["RF-2"] };
            all.add(self.refuse(rules, wrong.say));
        }
        let pending = set.wild.reclaim_use != ReclaimUse::Keep;
        if let Some(reclaimed) = reclaimed.as_ref().filter(|_| pending && when && self.is_playing())
            && let Err(no_place) = self.is_placeable(from, card, reclaimed)
        {
            all.add(no_place);
            all.also(self.all_are_down());
        }
        let Reclaimed { wild, meld } = all.allow(reclaimed)?;
        Ok(Event::Reclaimed { from, card, wild, meld, pending })
    }

    /// Whether a wild that `card` takes back can be laid in this turn, with those that were taken back before.
    fn is_placeable(&self, from: u16, card: Face, reclaimed: &Reclaimed) -> Result<(), Refusal> {
        let mut after = *self.hand;
        after.remove(card);
        after.add(reclaimed.wild);
        let mut all = self.board.pending.clone();
        all.push(reclaimed.wild);
        let table = || {
            let mut table = self.melds();
            table[usize::from(from) - 1] = reclaimed.meld.clone();
            table
        };
        let way = if self.flow.down.has(self.seat) {
            self.pending_way(self.aim(), &after, &all, table).map(drop)
        } else {
            let any = self.set().wild.reclaim_use == ReclaimUse::AnyMeld;
            // Where nobody looks for ways, whoever holds the match judges that.
            let found = any
                && self
                    .compiled
                    .ways
                    .is_none_or(|ways| self.contract_with(ways, &after, &all, table).is_some());
            if found { Ok(()) } else { Err(NoWay::Place) }
        };
        way.map_err(|no_way| self.wild_has_no_place(self.aim(), no_way))
    }

    /// A way to lay the contract with the wilds that were taken back, if there is one.
    pub fn contract_with_pending(&self) -> Option<Vec<DeclaredMeld>> {
        self.contract_with(self.compiled.ways?, self.hand, self.pending(), || self.melds())
    }

    /// A way to lay the contract from a hand beside the melds of the table, so that all of `pending` lie in it or can be laid off
    /// then (`wild.reclaim_use = any-meld`).
    fn contract_with(
        &self,
        ways: Ways,
        hand: &Hand,
        pending: &[Face],
        table: impl Fn() -> Vec<Meld>,
    ) -> Option<Vec<DeclaredMeld>> {
        let fits = |answer: &Answer, off: bool| {
            let (after, left) = without(hand, pending, answer.melds.iter().flat_map(Meld::faces));
            let melds = || {
                let mut melds = table();
                melds.extend(answer.melds.iter().cloned());
                melds
            };
            (off || left.is_empty())
                && self.keeps_one(self.set(), after.len()).is_ok()
                && self.rest_fits(self.aim(), &after, &left, melds).is_ok()
        };
        let best = ways(self.law(), hand.counts());
        // Of many ways these leave the fewest points: where wilds are left in all of them, once more as if wilds were dear.
        let dear = || {
            let mut law = self.law().clone();
            let faces = (0..Face::COUNT).filter_map(Face::from_index);
            faces.filter(|&face| self.law().is_wild(face)).for_each(|face| law.values[face.index()] = DEAR);
            // What the contract must be worth is told by the true values.
            let ways = if law.opening == 0 { ways(&law, hand.counts()) } else { Vec::new() };
            ways.into_iter().find(|answer| fits(answer, false))
        };
        let inside = best.iter().find(|answer| fits(answer, false)).cloned().or_else(dear);
        let found =
            inside.or_else(|| best.into_iter().take(WITH_LAY_OFFS).find(|answer| fits(answer, true)))?;
        Some(found.melds.iter().map(Meld::said).collect())
    }

    /// The wilds that this seat has taken back and not laid yet.
    pub(super) fn pending(&self) -> &'a [Face] {
        if self.flow.turn == self.seat { &self.board.pending } else { &[] }
    }

    pub(super) fn nothing_pending(&self) -> Result<(), Refusal> {
        match self.pending().first() {
            Some(&wild) => Err(self.refuse(
                &["CR-JOK-4", "A-20", "Q-01"],
                say!("no_contract.lay_wild_first", card = self.text(wild)),
            )),
            None => Ok(()),
        }
    }
}
