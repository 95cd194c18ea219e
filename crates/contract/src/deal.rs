//! How cards come to lie: who deals first, the cut, the deal.

use crate::event::Event;
use crate::rules::UpcardWild;
use crate::truth::Match;
use cards::Face;
use game::Seat;

impl Match {
    /// The highest card deals (`deal.first_dealer = high-card`): everybody draws one, ace high, then by suit; jokers
    /// are drawn past, and who are level draw again.
    pub(crate) fn high_card(&self, order: &[u16]) -> (Seat, Vec<Face>) {
        let mut cards = order.iter().map(|&i| self.compiled.cards[usize::from(i)]).filter(|c| !c.is_joker());
        let mut drawn = Vec::new();
        let mut left: Vec<Seat> = (0..self.flow.seats).map(Seat).collect();
        while left.len() > 1 {
            let mut best: Option<((u8, u8), Vec<Seat>)> = None;
            for &seat in &left {
                let Some(card) = cards.next() else { return (left[0], drawn) };
                drawn.push(card);
                let rank = if card.rank() == 1 { u8::MAX } else { card.rank() };
                let key = (rank, card.suit());
                match &mut best {
                    Some((high, seats)) if *high == key => seats.push(seat),
                    Some((high, _)) if *high > key => {}
                    _ => best = Some((key, vec![seat])),
                }
            }
            left = best.map_or(left, |(_, seats)| seats);
        }
        (left[0], drawn)
    }

    /// The cards as they come to lie after a deal: stock and pile, top last. Hands are dealt to `hand`.
    pub(crate) fn deal(&self, deck: &[Face], mut hand: impl FnMut(Seat, Face)) -> (Vec<Face>, Vec<Face>) {
        let round = self.compiled.round(self.flow.round);
        let dealt = usize::from(round.deal) * self.hands.len();
        let first = self.flow.step(&self.compiled, self.flow.dealer, 1);
        for (i, &card) in deck[..dealt].iter().enumerate() {
            let steps = (i % self.hands.len()) as i32;
            hand(self.flow.step(&self.compiled, first, steps), card);
        }
        let mut stock: Vec<Face> = deck[dealt..].iter().rev().copied().collect();
        let mut pile = Vec::new();
        if round.settings.deal.upcard {
            let law = &self.compiled.laws[usize::from(self.flow.round)];
            let rebury = round.settings.deal.upcard_wild == UpcardWild::Rebury;
            if rebury && let Some(natural) = stock.iter().rposition(|&card| !law.is_wild(card)) {
                // Wild upcards go to the bottom of the stock, one after the other.
                for _ in natural + 1..stock.len() {
                    stock.rotate_right(1);
                }
            }
            pile.extend(stock.pop());
        }
        (stock, pile)
    }

    pub(crate) fn cut_at(&self, depth: i32) -> Event {
        let depth = depth.clamp(1, self.compiled.cards.len() as i32 - 1) as u16;
        let points = if depth == self.flow.exact_cut(&self.compiled) {
            self.flow.set(&self.compiled).cut.points
        } else {
            0
        };
        Event::Cut { depth, points }
    }
}
