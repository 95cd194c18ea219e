//! Wilds taken back: whether all of them can be laid again in the same turn.

use super::{Law, Meld};
use cards::Face;

/// Cards tried on melds when it is asked whether wilds taken back can all be laid off; what is not found then is refused.
const FITS: u32 = 200_000;

/// What a turn must leave in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// Whatever it likes.
    Any,
    /// A card to discard (RF-7).
    Discard,
    /// Not just one card that has no place (A-18, `out.stuck = reject`).
    Playable,
}

impl Law {
    /// Whether all of `pending` (reclaimed wilds still in hand) can be laid off on the melds of `table`, in some order, by
    /// legal lay-offs of single cards alone, naturals of `hand` helping where they must, so that `left` holds (CR-JOK-4, Q-01, Q-19).
    ///
    /// `hand` is the whole hand, the pending wilds among it; `table` has the melds that the player may lay off on.
    #[must_use]
    pub fn pending_fit(&self, table: Vec<Meld>, hand: &[Face], pending: &[Face], left: Left) -> bool {
        if pending.is_empty() {
            return true;
        }
        let mut hand = hand.to_vec();
        for wild in pending {
            let Some(at) = hand.iter().position(|c| c == wild) else { return false };
            hand.remove(at);
        }
        if left == Left::Discard && hand.is_empty() {
            return false;
        }
        Search { law: self, melds: table, hand, pending: pending.to_vec(), left, budget: FITS }.fits()
    }
}

/// A search over the orders in which cards are laid.
struct Search<'a> {
    law: &'a Law,
    melds: Vec<Meld>,
    /// The hand without the wilds.
    hand: Vec<Face>,
    pending: Vec<Face>,
    left: Left,
    budget: u32,
}

impl Search<'_> {
    fn fits(&mut self) -> bool {
        self.pending.is_empty() && self.may_stop() || self.by_pending() || self.by_hand()
    }

    /// Whether what is left in hand may be left.
    fn may_stop(&self) -> bool {
        match (self.left, &self.hand[..]) {
            (Left::Discard, cards) => !cards.is_empty(),
            (Left::Playable, &[card]) => self.melds.iter().any(|meld| self.law.fit(meld, card).any()),
            _ => true,
        }
    }

    /// Lays a wild, and goes on.
    fn by_pending(&mut self) -> bool {
        for at in 0..self.pending.len() {
            let wild = self.pending[at];
            if self.pending[..at].contains(&wild) {
                continue;
            }
            self.pending.remove(at);
            if self.laid(wild) {
                return true;
            }
            self.pending.insert(at, wild);
        }
        false
    }

    /// Lays a card of the hand that may open a place, and goes on.
    fn by_hand(&mut self) -> bool {
        // The last card is never played where one must be left to discard.
        if self.pending.is_empty() || self.left == Left::Discard && self.hand.len() < 2 {
            return false;
        }
        for at in 0..self.hand.len() {
            let card = self.hand[at];
            if self.hand[..at].contains(&card) {
                continue;
            }
            self.hand.remove(at);
            if self.laid(card) {
                return true;
            }
            self.hand.insert(at, card);
        }
        false
    }

    /// Whether the rest fits after this card is laid in one of its places.
    fn laid(&mut self, card: Face) -> bool {
        for at in 0..self.melds.len() {
            let Some(budget) = self.budget.checked_sub(1) else { break };
            self.budget = budget;
            for grown in self.law.single_lay_offs(&self.melds[at], card) {
                let before = std::mem::replace(&mut self.melds[at], grown);
                let fits = self.fits();
                self.melds[at] = before;
                if fits {
                    return true;
                }
            }
        }
        false
    }
}
