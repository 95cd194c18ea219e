//! Wilds taken back: how all of them can be laid again in the same turn.

use super::law::Scope;
use super::{DeclaredCard, End, Law, Meld};
use crate::options::WildBalance;
use cards::Face;

/// Cards tried on melds when it is asked how wilds taken back can all be laid off; what is not found then is refused.
const FITS: u32 = 200_000;
/// As much work as this many single cards several together make.
const TOGETHER: u32 = 200;

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

/// Why wilds that were taken back cannot all be laid again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoWay {
    /// There is no place for them.
    Place,
    /// They could lie, but what must be left in hand would not be.
    Left,
}

/// A step of a way to lay wilds that were taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayOff {
    /// One card, or wilds and a natural beyond them.
    pub cards: Vec<DeclaredCard>,
    /// The number of the meld on the table.
    pub on: u16,
    /// The end of a run.
    pub end: Option<End>,
}

impl Law {
    /// Whether what is left in hand may be left when melds lie so that one may lay off on them.
    pub(crate) fn may_leave<'a>(
        &self,
        left: Left,
        hand: &[Face],
        mut melds: impl Iterator<Item = &'a Meld>,
    ) -> bool {
        match (left, hand) {
            (Left::Discard, hand) => !hand.is_empty(),
            (Left::Playable, &[card]) => melds.any(|meld| self.fit(meld, card).any()),
            _ => true,
        }
    }

    /// How all of `pending` (reclaimed wilds still in hand) can be laid off on the melds of `table`, by legal lay-offs alone, with as few
    /// naturals of `hand` as will do, so that `left` holds then (CR-JOK-4, Q-01, Q-19).
    ///
    /// `hand` is the whole hand, the pending wilds among it; `table` has the melds that the player may lay off on, with their numbers.
    ///
    /// # Errors
    /// If they cannot, or no way was found in so many tries.
    pub fn pending_way(
        &self,
        table: Vec<(u16, Meld)>,
        hand: &[Face],
        pending: &[Face],
        left: Left,
    ) -> Result<Vec<LayOff>, NoWay> {
        let mut hand = hand.to_vec();
        for wild in pending {
            hand.remove(hand.iter().position(|card| card == wild).ok_or(NoWay::Place)?);
        }
        let target = |(on, meld): (u16, Meld)| {
            let sound = self.faults(&meld, Scope::Table).none();
            Target { on, meld, sound }
        };
        let mut search = Search {
            law: self,
            targets: table.into_iter().map(target).collect(),
            pending: pending.to_vec(),
            way: Vec::new(),
            left,
            naturals: 0,
            budget: FITS,
            no_way: NoWay::Place,
            bridges: !self.wild_ends || self.balance != WildBalance::None,
            hand,
        };
        for naturals in 0..=search.hand.len() {
            search.naturals = naturals;
            if search.goes_on() {
                return Ok(search.way);
            }
        }
        Err(search.no_way)
    }
}

/// A meld that cards are laid off on.
struct Target {
    on: u16,
    meld: Meld,
    /// Whether it is legal as it lies. One that was laid by another contract's rules need not be, and then is not with each card more.
    sound: bool,
}

/// A search over the orders in which cards are laid.
struct Search<'a> {
    law: &'a Law,
    targets: Vec<Target>,
    /// The hand without the wilds.
    hand: Vec<Face>,
    pending: Vec<Face>,
    way: Vec<LayOff>,
    left: Left,
    /// Naturals that may still be laid.
    naturals: usize,
    budget: u32,
    /// What was in the way so far.
    no_way: NoWay,
    /// Whether wilds may have a place only together with a natural beyond them: where they may not end a run, or not be more than its
    /// naturals.
    bridges: bool,
}

impl Search<'_> {
    fn goes_on(&mut self) -> bool {
        if self.pending.is_empty() {
            let melds = self.targets.iter().map(|target| &target.meld);
            if self.law.may_leave(self.left, &self.hand, melds) {
                return true;
            }
            self.no_way = NoWay::Left;
        }
        self.by_wild() || self.naturals > 0 && (self.by_bridge() || self.by_natural())
    }

    /// Lays a wild, and goes on.
    fn by_wild(&mut self) -> bool {
        for at in 0..self.pending.len() {
            let wild = self.pending[at];
            if self.pending[..at].contains(&wild) {
                continue;
            }
            self.pending.remove(at);
            if self.laid(&[wild.into()]) {
                return true;
            }
            self.pending.insert(at, wild);
        }
        false
    }

    /// Lays wilds and a natural beyond them, and goes on.
    fn by_bridge(&mut self) -> bool {
        if !self.bridges {
            return false;
        }
        for wilds in 1..=self.pending.len() {
            let kept = self.pending.split_off(wilds);
            let laid = std::mem::replace(&mut self.pending, kept);
            if self.with_natural(&laid) {
                return true;
            }
            self.pending.splice(..0, laid);
        }
        false
    }

    /// Lays a natural that may open a place, and goes on.
    fn by_natural(&mut self) -> bool {
        !self.pending.is_empty() && self.with_natural(&[])
    }

    fn with_natural(&mut self, wilds: &[Face]) -> bool {
        self.naturals -= 1;
        for at in 0..self.hand.len() {
            let card = self.hand[at];
            if self.hand[..at].contains(&card) {
                continue;
            }
            self.hand.remove(at);
            let cards: Vec<DeclaredCard> = wilds.iter().chain([&card]).map(|&card| card.into()).collect();
            if self.laid(&cards) {
                return true;
            }
            self.hand.insert(at, card);
        }
        self.naturals += 1;
        false
    }

    /// Whether the rest fits after these cards are laid in one of their places.
    fn laid(&mut self, cards: &[DeclaredCard]) -> bool {
        let together = cards.len() > 1;
        for at in 0..self.targets.len() {
            if together && !self.targets[at].meld.is_run() {
                continue;
            }
            let Some(budget) = self.budget.checked_sub(if together { TOGETHER } else { 1 }) else { break };
            self.budget = budget;
            for (end, grown) in self.places(&self.targets[at], cards) {
                let on = self.targets[at].on;
                let before =
                    std::mem::replace(&mut self.targets[at], Target { on, meld: grown, sound: true });
                self.way.push(LayOff { cards: cards.to_vec(), on, end });
                if self.goes_on() {
                    return true;
                }
                self.way.pop();
                self.targets[at] = before;
            }
        }
        false
    }

    /// Every meld that laying these cards off together can make.
    fn places(&self, target: &Target, cards: &[DeclaredCard]) -> Vec<(Option<End>, Meld)> {
        let mut places = match cards {
            [one] => self.law.single_lay_offs(&target.meld, one.card),
            _ => {
                let together = |end| self.law.laid_off(&target.meld, cards, Some(end)).ok();
                [End::Low, End::High]
                    .into_iter()
                    .filter_map(|end| Some((Some(end), together(end)?)))
                    .collect()
            }
        };
        if !target.sound {
            places.retain(|(_, grown)| self.law.faults(grown, Scope::Table).none());
        }
        places
    }
}
