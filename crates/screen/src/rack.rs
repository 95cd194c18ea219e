//! The own hand as its holder arranges it: every card has an identity, so that of two equal cards one can be moved, staged
//! or discarded without the other.

use cards::Face;
use contract::meld::{Law, Prepared};
use contract::solver::Solver;
use serde::{Deserialize, Serialize};

/// How many nodes of the solver sorting by melds is worth.
const LOOKS: u64 = 60_000;

/// Where a card of the hand is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Spot {
    /// Among the others.
    Hand,
    /// Prepared for a slot of the contract.
    Stage(u8),
}

/// A card with an identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// Tells it from every other, equal ones included.
    pub key: u32,
    /// The card.
    pub face: Face,
    /// Where it is kept.
    pub spot: Spot,
    /// Whether it has come since the holder last touched the hand.
    pub new: bool,
}

/// Orders in which a hand can be sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// By rank, then suit.
    Rank,
    /// By suit, then rank.
    Suit,
}

/// The cards held, in the order in which they are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rack {
    cards: Vec<Held>,
    next: u32,
}

impl Rack {
    /// The cards.
    #[must_use]
    pub fn cards(&self) -> &[Held] {
        &self.cards
    }

    /// A rack that was stored.
    #[must_use]
    pub fn stored(list: Vec<(Face, Spot)>) -> Rack {
        let mut rack = Rack::default();
        for (face, spot) in list {
            rack.push(face, spot, false);
        }
        rack
    }

    /// As it is stored.
    #[must_use]
    pub fn to_store(&self) -> Vec<(Face, Spot)> {
        self.cards.iter().map(|c| (c.face, c.spot)).collect()
    }

    fn push(&mut self, face: Face, spot: Spot, new: bool) {
        self.cards.push(Held { key: self.next, face, spot, new });
        self.next += 1;
    }

    /// Brings the rack in step with the hand that the game says is held. Of equal cards those in `leaving` go first, then
    /// the staged ones if `staged_first`, then the last. What is new comes to the end, and what was new before is so no longer.
    pub fn sync(&mut self, hand: &[Face], leaving: &[u32], staged_first: bool) {
        let mut counts = [0i32; Face::COUNT];
        for face in hand {
            counts[face.index()] += 1;
        }
        for card in &self.cards {
            counts[card.face.index()] -= 1;
        }
        for (index, count) in counts.iter_mut().enumerate() {
            while *count < 0 {
                let rank = |c: &Held| {
                    let staged = matches!(c.spot, Spot::Stage(_)) == staged_first;
                    (leaving.contains(&c.key), staged, c.key)
                };
                let go = self
                    .cards
                    .iter()
                    .enumerate()
                    .filter(|(_, c)| c.face.index() == index)
                    .max_by_key(|(_, c)| rank(c))
                    .map(|(at, _)| at);
                let Some(at) = go else { break };
                self.cards.remove(at);
                *count += 1;
            }
        }
        let first = self.next == 0;
        if counts.iter().any(|&count| count > 0) {
            self.touched();
        }
        for face in hand {
            if counts[face.index()] > 0 {
                counts[face.index()] -= 1;
                self.push(*face, Spot::Hand, !first);
            }
        }
    }

    /// The card with this key.
    #[must_use]
    pub fn find(&self, key: u32) -> Option<Held> {
        self.cards.iter().copied().find(|c| c.key == key)
    }

    /// Moves cards to a spot, before the card `before` or to the end.
    pub fn put(&mut self, keys: &[u32], spot: Spot, before: Option<u32>) {
        let (mut moved, mut rest): (Vec<Held>, Vec<Held>) =
            self.cards.iter().copied().partition(|c| keys.contains(&c.key));
        for card in &mut moved {
            card.spot = spot;
        }
        let at = before.and_then(|key| rest.iter().position(|c| c.key == key)).unwrap_or(rest.len());
        rest.splice(at..at, moved);
        self.cards = rest;
        self.touched();
    }

    /// Moves a card so many places to the right among those in the hand; to the left where negative.
    pub fn shift(&mut self, key: u32, by: i32) {
        let mut hand: Vec<Held> = self.cards.iter().copied().filter(|c| c.spot == Spot::Hand).collect();
        let Some(at) = hand.iter().position(|c| c.key == key) else { return };
        let to = (at as i32 + by).clamp(0, hand.len() as i32 - 1) as usize;
        let card = hand.remove(at);
        hand.insert(to, card);
        let staged = self.cards.iter().copied().filter(|c| c.spot != Spot::Hand);
        self.cards = hand.into_iter().chain(staged).collect();
    }

    /// Sorts the cards in the hand.
    pub fn sort(&mut self, order: Order, wild: impl Fn(Face) -> bool) {
        let key = |c: &Held| {
            let f = c.face;
            match order {
                Order::Rank => (wild(f), f.rank(), f.suit()),
                Order::Suit => (wild(f), f.suit() + 1, f.rank()),
            }
        };
        cards::list::sort_by_key(&mut self.cards, key);
        self.touched();
    }

    /// Sorts the cards in the hand so that these melds stand together, the rest behind them by rank.
    pub fn group(&mut self, melds: &[Vec<Face>]) {
        let mut rest: Vec<Held> = std::mem::take(&mut self.cards);
        cards::list::sort_by_key(&mut rest, |c| (c.face.is_joker(), c.face.rank(), c.face.suit()));
        for face in melds.iter().flatten() {
            if let Some(at) = rest.iter().position(|c| c.face == *face && c.spot == Spot::Hand) {
                self.cards.push(rest.remove(at));
            }
        }
        self.cards.append(&mut rest);
        self.touched();
    }

    /// Sorts the cards in the hand so that those stand together that could be laid together by this law; where none could be, by rank.
    pub fn sort_by_melds(&mut self, law: &Law) {
        let mut counts = [0u8; Face::COUNT];
        for card in self.at(Spot::Hand) {
            counts[card.face.index()] += 1;
        }
        let best = Solver::new(law).with_budget(LOOKS).best(&counts).answer;
        match best {
            Some(best) => {
                let melds: Vec<Vec<Face>> = best.melds.iter().map(|meld| meld.faces().collect()).collect();
                self.group(&melds);
            }
            None => self.sort(Order::Rank, |face| law.is_wild(face)),
        }
    }

    /// Puts everything back into the hand.
    pub fn unstage(&mut self) {
        for card in &mut self.cards {
            card.spot = Spot::Hand;
        }
    }

    /// The holder has seen the new cards.
    pub fn touched(&mut self) {
        for card in &mut self.cards {
            card.new = false;
        }
    }

    /// The cards prepared for each meld; `lows` says where its holder wants a run to begin.
    #[must_use]
    pub fn piles(&self, lows: &[Option<u8>]) -> Vec<Prepared> {
        let mut piles: Vec<Prepared> = Vec::new();
        for card in &self.cards {
            if let Spot::Stage(n) = card.spot {
                let n = usize::from(n);
                if piles.len() <= n {
                    piles.resize_with(n + 1, Prepared::default);
                }
                piles[n].cards.push(card.face);
            }
        }
        for (pile, low) in piles.iter_mut().zip(lows) {
            pile.low = *low;
        }
        piles
    }

    /// The cards at a spot, in order.
    #[must_use]
    pub fn at(&self, spot: Spot) -> Vec<Held> {
        self.cards.iter().copied().filter(|c| c.spot == spot).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faces(text: &str) -> Vec<Face> {
        text.split_whitespace().map(|t| t.parse().unwrap()).collect()
    }

    fn text(rack: &Rack) -> String {
        rack.cards().iter().map(|c| c.face.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn of_two_equal_cards_only_the_one_that_was_meant_goes() {
        let mut rack = Rack::default();
        rack.sync(&faces("7H 7H 9C"), &[], false);
        let second = rack.cards()[1].key;
        rack.put(&[second], Spot::Hand, None); // 7H 9C 7H', the second one last
        rack.sync(&faces("7H 9C"), &[0], false);
        assert_eq!(text(&rack), "9C 7H");
        assert_eq!(rack.cards()[1].key, second);
    }

    #[test]
    fn the_arrangement_stays_and_new_cards_come_last() {
        let mut rack = Rack::default();
        rack.sync(&faces("2C 3C 4C"), &[], false);
        rack.put(&[2], Spot::Hand, Some(0));
        rack.sync(&faces("2C 3C 4C KD"), &[], false);
        assert_eq!(text(&rack), "4C 2C 3C KD");
        assert!(rack.cards()[3].new);
        rack.sync(&faces("2C 3C 4C KD 5H"), &[], false);
        let new: Vec<bool> = rack.cards().iter().map(|card| card.new).collect();
        assert_eq!(new, [false, false, false, false, true], "the king was seen");
        let again = Rack::stored(rack.to_store());
        assert_eq!(text(&again), text(&rack));
    }

    #[test]
    fn a_staged_card_is_kept_for_the_meld_when_its_twin_is_thrown() {
        let mut rack = Rack::default();
        rack.sync(&faces("7H 7H"), &[], false);
        rack.put(&[1], Spot::Stage(0), None);
        rack.sync(&faces("7H"), &[], false);
        assert_eq!(rack.cards()[0].spot, Spot::Stage(0));
    }

    #[test]
    fn what_is_prepared_is_told_pile_by_pile() {
        let mut rack = Rack::default();
        rack.sync(&faces("5H 6H JK 9C"), &[], false);
        rack.put(&[1, 0, 2], Spot::Stage(1), None);
        let pile = |text, low| Prepared { cards: faces(text), low };
        assert_eq!(rack.piles(&[]), [pile("", None), pile("5H 6H JK", None)]);
        assert_eq!(rack.piles(&[None, Some(4)])[1], pile("5H 6H JK", Some(4)));
        rack.unstage();
        assert_eq!(rack.piles(&[]), []);
    }

    #[test]
    fn sorting_keeps_every_card() {
        let mut rack = Rack::default();
        rack.sync(&faces("KD 2C JK 2D AC"), &[], false);
        rack.sort(Order::Rank, Face::is_joker);
        assert_eq!(text(&rack), "AC 2C 2D KD JK");
        rack.sort(Order::Suit, Face::is_joker);
        assert_eq!(text(&rack), "AC 2C 2D KD JK");
        rack.shift(rack.cards()[0].key, 1);
        assert_eq!(text(&rack), "2C AC 2D KD JK");
    }
}
