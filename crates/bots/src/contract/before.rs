//! What is decided before the first turn: the contract, the rank that is wild, the cards that are passed on, the cut.

use super::{Level, Mind, faces, size};
use ::contract::Command;
use ::contract::meld::Law;
use ::contract::solver::{Counts, Gauge, without};
use cards::Face;
use std::cmp::Reverse;

/// Cards that are weighed for each one that is passed on: those that look least of use.
const PASSED: usize = 6;

impl Mind<'_> {
    /// The contract that the hand is nearest to, of several the first.
    pub(super) fn choose(&self) -> Command {
        let distances = self.gauges(false).iter().map(|gauge| gauge.distance(&self.hand));
        let near = self.aims.iter().zip(distances).min_by_key(|&(_, distance)| distance);
        Command::Contract { number: near.and_then(|((number, _), _)| *number).unwrap_or(1) }
    }

    /// The rank, of those in hand, that as a wild brings the hand nearest; of several the one of which it holds the most.
    pub(super) fn name(&self) -> Command {
        let (law, left) = (self.law(), self.left());
        let suits = self.view.compiled.rules.settings.deck.suits.len() as u8;
        let faces = |rank: u8| (0..suits).map(move |suit| Face::new(suit, rank));
        let held = |rank: u8| faces(rank).map(|face| u16::from(self.hand[face.index()])).sum::<u16>();
        let distance = |rank: u8| {
            let wild = faces(rank).fold(law.wild, |set, face| set | 1 << face.index());
            let law = Law { wild, ..law.clone() };
            Gauge::among(&law, size(&self.hand) + self.per_draw(), &left).distance(&self.hand)
        };
        let ranks = 1..=law.pack.ranks.len() as u8;
        let may = |rank: &u8| !law.is_skip(Face::new(0, *rank));
        let held = ranks.filter(may).map(|rank| (rank, held(rank))).filter(|&(_, held)| held > 0);
        let best = held.min_by_key(|&(rank, held)| (distance(rank), Reverse(held)));
        Command::Wild { rank: best.map_or(1, |(rank, _)| rank) }
    }

    /// The cards that the hand misses least, one after the other: those without which it is no further from its contract, of
    /// them the dear ones; for one who counts, too, those after which most cards still help. Wilds go last.
    pub(super) fn pass_on(&self) -> Command {
        let (flow, plans) = (&self.view.flow, !self.hoards() && !self.hopeless());
        let distance = |hand: &Counts| if plans { self.distance(hand) } else { 0 };
        let mut rest = self.hand;
        let mut cards = Vec::new();
        for _ in 0..flow.passes(&self.view.compiled) {
            let without = |card: Face| without(&rest, &[card]);
            let worth = |card: Face| {
                let wild = if self.law().is_wild(card) { 1_000 } else { 0 };
                self.cost(card) - 100 * i32::from(distance(&without(card))) - wild
            };
            let mut ranked: Vec<(i32, Face)> =
                faces(&rest).into_iter().map(|card| (worth(card), card)).collect();
            ranked.sort_by_key(|&(worth, card)| (Reverse(worth), card));
            if self.level >= Level::Counting && plans {
                ranked.truncate(PASSED);
                for (worth, card) in &mut ranked {
                    let rest = without(*card);
                    *worth += 2 * self.helpers(&rest, distance(&rest));
                }
                ranked.sort_by_key(|&(worth, card)| (Reverse(worth), card));
            }
            let Some(&(_, card)) = ranked.first() else { break };
            rest = without(card);
            cards.push(card);
        }
        Command::PassOn { cards }
    }

    pub(super) fn cut(&self) -> Command {
        let round = self.view.round();
        let hands = u16::from(self.view.flow.seats) * u16::from(round.deal);
        Command::Cut { aim: hands + u16::from(round.settings.deal.upcard) }
    }
}
