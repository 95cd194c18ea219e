//! What `keen` adds to `counting` where nothing was learned of hands (`value.rs`): it weighs takes and discards by how many cards it expects to
//! see until its contract lies.
//!
//! The cards that it cannot place are put into a few dozen orders. Through each of them a hand walks to its contract, always with the
//! cards that bring it a step nearer ([`Gauge::helpful`]). How many cards go by on the way, up to what about four turns of the table
//! show, is what is weighed: each choice over the same orders. Where takes are limited or off, the table is small, or whole hands must
//! go, seeing a card is not having it: there it plays as `counting` does.

use super::{Mind, faces};
use ::contract::solver::{Counts, Gauge, without};
use cards::Face;
use game::chance::{Chance as _, SplitMix};
use std::cell::RefCell;
use std::collections::HashMap;

/// Orders of the unseen cards.
const ORDERS: usize = 40;
/// Turns of the table that are looked ahead.
const TURNS: usize = 4;
/// Hands whose helpers are worked out for one decision at most: a bound on its time.
const HANDS: usize = 1_000;
/// What a card fewer until the contract is worth, in points.
const CARD: i32 = 16;
/// Discards that are weighed: those that look best.
const WEIGHED: usize = 8;
/// Seats from which on most of the cards that a player sees come by takes, so that a take is hardly ever the last chance.
const TABLE: u8 = 4;

/// What the unseen cards may bring, for one decision.
struct Outlook<'a> {
    mind: &'a Mind<'a>,
    orders: Vec<Vec<Face>>,
    known: RefCell<HashMap<Counts, u64>>,
}

impl<'a> Outlook<'a> {
    fn new(mind: &'a Mind<'a>, cards: usize) -> Outlook<'a> {
        let seen = mind.seen();
        let deck = &mind.view.compiled.rules.settings.deck;
        let mut unseen = Vec::new();
        for face in faces(&[1; Face::COUNT]) {
            let copies = if face.is_joker() { deck.jokers } else { deck.decks };
            let there = face.is_joker() || mind.law().pack.faces().any(|other| other == face);
            let left = if there { copies.saturating_sub(seen[face.index()]) } else { 0 };
            unseen.extend(std::iter::repeat_n(face, usize::from(left)));
        }
        // The same view is always judged alike: chance is not asked.
        let mut chance = SplitMix(u64::from(mind.view.flow.turns));
        let mut order = || {
            chance.shuffle(&mut unseen);
            unseen.iter().copied().take(cards).collect()
        };
        Outlook {
            mind,
            orders: std::iter::repeat_with(&mut order).take(ORDERS).collect(),
            known: RefCell::default(),
        }
    }

    fn helpful(&self, hand: &Counts, distance: u8) -> Option<u64> {
        let mut known = self.known.borrow_mut();
        if let Some(&faces) = known.get(hand) {
            return Some(faces);
        }
        if known.len() >= HANDS {
            return None;
        }
        let faces = self.mind.helpful(hand, distance);
        known.insert(*hand, faces);
        Some(faces)
    }

    /// Cards that go by until the contract lies, summed over the orders; the first `free` of each are not counted. None where
    /// there is no end to it, or it would take too long.
    fn walk(&self, from: &Counts, free: usize) -> Option<usize> {
        let distance = Some(self.mind.distance(from)).filter(|&near| near != Gauge::NEVER)?;
        let mut sum = 0;
        for order in &self.orders {
            let (mut hand, mut distance) = (*from, distance);
            let mut gone = 0;
            let mut helps = self.helpful(&hand, distance)?;
            while distance > 0 && gone < order.len() {
                let card = order[gone];
                gone += 1;
                if helps >> card.index() & 1 != 0 {
                    hand[card.index()] += 1;
                    distance -= 1;
                    if distance > 0 {
                        helps = self.helpful(&hand, distance)?;
                    }
                }
            }
            sum += gone.saturating_sub(free);
        }
        Some(sum)
    }
}

/// What a sum over the orders is for one of them.
fn mean(sum: usize) -> f32 {
    sum as f32 / ORDERS as f32
}

impl Mind<'_> {
    /// Whether a card seen is a card that may be had: any number of takes, at a table large enough that most cards come by them.
    pub(super) fn has_what_it_sees(&self) -> bool {
        let take = &self.view.round().settings.take;
        take.on && take.limit == 0 && self.view.flow.seats >= TABLE && !self.law().all
    }

    /// The cards that go by in the turns that are looked ahead.
    fn outlook(&self) -> Outlook<'_> {
        Outlook::new(self, TURNS * usize::from(self.view.flow.seats) - 1)
    }

    /// Whether it takes the top discard out of turn; none where it goes by what `counting` does.
    pub(super) fn keen_take(&self, top: Face) -> Option<bool> {
        if self.network().is_some() {
            let pays = || self.here() == 1 || self.valued_take(top).is_some_and(|more| more > 0.0);
            return Some(self.nearer_with(top) && self.worth_its_price() && pays());
        }
        if !self.has_what_it_sees() {
            return None;
        }
        if !self.nearer_with(top) || !self.worth_its_price() {
            return Some(false);
        }
        if self.here() == 1 {
            return Some(true);
        }
        let penalty = self.view.round().settings.take.penalty;
        let mut others = self.view.flow.down.without(self.seat).iter();
        if self.drains(penalty) || others.any(|seat| self.view.flow.sizes[seat.index()] <= 1) {
            return Some(false);
        }
        let outlook = self.outlook();
        let without = outlook.walk(&self.hand, 0)?;
        let with = outlook.walk(&self.with(top), penalty.into())?;
        self.notes.borrow_mut().waits = Some([without, with].map(mean));
        Some(without >= with + ORDERS)
    }

    /// What it is worth to throw each of the cards that look best, the best first; none where it goes by what `counting` does.
    pub(super) fn keen_discards(&self, ranked: &[(i32, Face)]) -> Option<Vec<(i32, Face)>> {
        if !self.has_what_it_sees() || self.network().is_some() {
            return None;
        }
        let outlook = self.outlook();
        let urgent = !self.view.flow.down.is_empty();
        let mut weighed = Vec::new();
        for &(_, card) in ranked.iter().take(WEIGHED) {
            let gone = outlook.walk(&without(&self.hand, &[card]), 0)?;
            self.notes.borrow_mut().walked.push((card, mean(gone)));
            let walked = CARD * gone as i32 / ORDERS as i32;
            let relief = if urgent { 2 * self.cost(card) } else { self.cost(card) };
            let wild = if self.law().is_wild(card) { 120 } else { 0 };
            weighed.push((relief - wild - self.danger(card) + self.skips_by(card) - walked, card));
        }
        weighed.sort_by_key(|&(worth, card)| (std::cmp::Reverse(worth), card));
        Some(weighed)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Level, Mind, watched};
    use super::{Counts, Face};
    use ::contract::{Rules, View};
    use std::sync::Arc;

    /// What whoever was to move saw in a match of four.
    fn views(inputs: usize) -> impl Iterator<Item = View> {
        watched::views(&Arc::new(Rules::contract(4)), 4, 16, inputs).into_iter().map(|(view, ..)| view)
    }

    #[test]
    fn whoever_is_nearer_sees_fewer_cards_go_by() {
        let mut nearer = 0;
        for view in views(600) {
            let mind = Mind::new(&view, Level::Keen).expect("a seat");
            if mind.down() || mind.here() == 0 || !mind.has_what_it_sees() {
                continue;
            }
            let outlook = mind.outlook();
            let here = outlook.walk(&mind.hand, 0).expect("there is a way");
            assert!(here > 0, "{:?} is not there yet", mind.hand);
            let faces = outlook.helpful(&mind.hand, mind.here()).expect("few hands");
            for card in (0..Face::COUNT).filter(|i| faces >> i & 1 != 0).filter_map(Face::from_index) {
                let with = mind.outlook().walk(&mind.with(card), 0).expect("there is a way");
                assert_eq!(with == 0, mind.here() == 1, "{card:?} to {:?}", mind.hand);
                nearer += usize::from(with < here);
            }
        }
        assert!(nearer > 500, "only {nearer} cards helped");
    }

    #[test]
    fn what_lies_in_the_pile_is_not_waited_for() {
        let mut remembered = 0;
        for view in views(600) {
            let seen = |level| -> Counts { Mind::new(&view, level).expect("a seat").seen() };
            let (counting, keen) = (seen(Level::Counting), seen(Level::Keen));
            let deck = &view.compiled.rules.settings.deck;
            for i in 0..Face::COUNT {
                let copies = if i == 0 { deck.jokers } else { deck.decks };
                assert!(counting[i] <= keen[i] && keen[i] <= copies, "{:?}", Face::from_index(i));
                remembered += usize::from(counting[i] < keen[i]);
            }
        }
        assert!(remembered > 1_000, "only {remembered} cards below the top were remembered");
    }
}
