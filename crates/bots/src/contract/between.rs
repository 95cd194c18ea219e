//! A player between two of the others: one number from 0 to 100, as in the Set family.

use super::{Level, Mind, advice};
use crate::random::Random;
use crate::{Advice, Bot, Thought};
use ::contract::{Command, View};
use game::chance::SplitMix;
use game::{Chance, Millis};

/// Plays now like one of the others and now like the next stronger one: the nearer its number is to that one's, the more often. At 0 it
/// plays at random, at 25 like `easy`, at 50 like `steady`, at 75 like `keen`, at 100 like `strong`.
///
/// Below `steady` each decision is that of the one or of the other, as somebody errs who learns. From there on a round is played like one
/// of the two to its end: a plan that another one takes over is no plan.
///
/// Which of the two it is follows from what everybody sees, so the same view is always met alike, however often it is thought about.
#[derive(Clone, Debug)]
pub struct Between {
    name: String,
    number: u8,
}

/// Numbers from one rung to the next.
const STEP: u8 = 25;

/// From this number on a round is played like one of the two: `steady`.
const WHOLE_ROUNDS: u8 = 50;

/// The rungs from below; at the lowest, moves are made at random.
const RUNGS: [Option<Level>; 5] =
    [None, Some(Level::Easy), Some(Level::Steady), Some(Level::Keen), Some(Level::Strong)];

/// Changes when the play between the rungs does.
const VERSION: u8 = 3;

impl Between {
    /// The player of this number, 0 to 100; none for others.
    #[must_use]
    pub fn new(number: u8) -> Option<Between> {
        (number <= 100).then(|| Between { name: format!("{number}/{VERSION}"), number })
    }

    /// Like whom it plays now; none for moves at random.
    fn rung(&self, view: &View) -> Option<Level> {
        let flow = &view.flow;
        let seat = view.seat.map_or(0, |seat| seat.0);
        // Of a round: the card that was turned up, which is another one in each match.
        let upcard = view.board.thrown.first().filter(|thrown| thrown.seat.is_none());
        let turned_up = upcard.map_or(0, |thrown| thrown.card.index() as u64 + 1);
        let mut seen = vec![u64::from(seat), u64::from(flow.finished), u64::from(flow.deal), turned_up];
        if self.number < WHOLE_ROUNDS {
            let held = [view.board.melds.len(), view.hand.len()].map(|count| count as u64);
            seen.extend([u64::from(flow.turns), u64::from(flow.pile)].into_iter().chain(held));
        }
        let mixed = seen.into_iter().fold(0, |mixed, part| u64::from(SplitMix(mixed ^ part).below(u32::MAX)));
        let upper = SplitMix(mixed).below(STEP.into()) < u32::from(self.number % STEP);
        RUNGS[usize::from(self.number / STEP) + usize::from(upper)]
    }
}

impl Bot<View> for Between {
    fn name(&self) -> &str {
        &self.name
    }

    fn think(&mut self, view: &View, at: Millis, chance: &mut dyn Chance) -> Option<Thought<Command>> {
        match self.rung(view) {
            None => Random.think(view, at, chance),
            Some(level) => Mind::new(view, level)?.think(chance),
        }
    }

    fn advise(&self, view: &View) -> Option<Advice> {
        advice::advise(view, self.rung(view)?, &self.name).map(Advice::Contract)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_a_rung_or_lies_between_two() {
        assert!(Between::new(101).is_none());
        let rules = std::sync::Arc::new(::contract::Rules::contract(3));
        let game = <::contract::Match as game::Game>::open(rules, 3).expect("three may play");
        let mut view = game::Game::view(&game, game::Viewer::Seat(game::Seat(0)));
        // The same is thought of in many moments of many deals: each rung as often as the number says.
        let mut shares = |number: u8| {
            let bot = Between::new(number).expect("a number");
            let mut shares = [0_u32; 5];
            let mut changes = 0;
            for deal in 0..2_000 {
                view.flow.deal = deal;
                view.flow.turns = 1;
                let first = bot.rung(&view);
                view.flow.turns = 2;
                let rung = bot.rung(&view);
                assert_eq!(rung, bot.rung(&view), "the same view is met alike");
                changes += u32::from(rung != first);
                shares[RUNGS.iter().position(|other| *other == rung).expect("a rung")] += 1;
            }
            (shares, changes)
        };
        for (at, number) in [0, 25, 50, 75, 100].into_iter().enumerate() {
            assert_eq!(shares(number).0[at], 2_000, "{number}");
        }
        let (between, changes) = shares(60);
        assert_eq!(between[2] + between[3], 2_000);
        assert!((700..900).contains(&between[3]), "two of five are keen's: {between:?}");
        assert_eq!(changes, 0, "a round is played like one of them");
        let (between, changes) = shares(35);
        assert!((700..900).contains(&between[2]), "two of five are steady's: {between:?}");
        assert!(changes > 500, "decisions differ: {changes}");
    }
}
