//! Which cards a hand wants, in its turn and out of it, and what they may cost.

use super::{BESIDE, FULL, Level, Mind, cards_needed, size};
use ::contract::Command;
use ::contract::meld::{End, Law, Want};
use ::contract::rules::{DiscardWild, DrawMode, LimitPer};
use ::contract::solver::{Counts, Gauge, Solver};
use ::contract::state::Phase;
use cards::Face;
use game::Chance;

/// Cards more than were dealt from which on a hand has grown.
const GROWN: u16 = 1;
/// Cards to draw, for each player, that a take leaves.
const SPARED: u16 = 3;

impl Mind<'_> {
    /// Whether what lies on the discard pile is worth having as the draw.
    pub(super) fn wants(&self, cards: &[Face]) -> bool {
        let mut hand = self.hand;
        cards.iter().for_each(|card| hand[card.index()] += 1);
        if self.down() {
            // What fits nowhere is left in hand.
            let fitting = cards.iter().filter(|&&card| self.fits(card)).count();
            return fitting > 0 && cards.len() <= 2 * fitting
                || self.extra(&hand).is_some() && self.extra(&self.hand).is_none();
        }
        if self.counts_short() {
            return self.laid(&hand) > self.laid(&self.hand);
        }
        let nearer = |nearer: u8| self.within(&hand, nearer);
        let completes = || nearer(0);
        self.here().checked_sub(1).is_some_and(nearer)
            && (cards.len() <= 1 || !self.crowded(cards.len()) || completes())
    }

    /// Whether the melds of the contract are in hand and do not count enough to go down with.
    pub(super) fn counts_short(&self) -> bool {
        let can = |law: &Law| Solver::new(law).with_budget(50_000).feasible(&self.hand) == Some(true);
        !self.down()
            && self.law().opening > 0
            && self.here() == 0
            && !self.aims.iter().any(|(_, law)| can(law))
    }

    /// The most that a contract laid from a hand counts.
    pub(super) fn laid(&self, hand: &Counts) -> i32 {
        let counts = |law: &Law| {
            let law = Law { opening: 0, ..law.clone() };
            let best = Solver::new(&law).with_budget(50_000).best(hand).answer;
            best.map_or(0, |answer| law.points_of(hand) - answer.points)
        };
        self.aims.iter().map(|(_, law)| counts(law)).max().unwrap_or(0)
    }

    /// START: the discard, a buy, or the stock.
    pub(super) fn draw(&self, chance: &mut dyn Chance) -> Command {
        let view = self.view;
        let pushes =
            view.round().settings.draw.mode == DrawMode::Push && view.judge(&Command::DrawPush).is_ok();
        let other = if pushes { Command::DrawPush } else { Command::DrawStock };
        if view.flow.top.is_none() {
            return other;
        }
        let discard = view.judge(&Command::DrawDiscard).is_ok();
        let pile = self.pile();
        let wanted = if self.hoards() || self.hopeless() {
            2 * pile.iter().map(|&card| self.cost(card)).sum::<i32>() < self.mean_cost()
        } else {
            self.wants(&pile)
        };
        if self.level != Level::Easy && wanted && !self.down() && view.judge(&Command::Buy).is_ok() {
            // A buy adds a card to the hand: worth it where the contract needs more cards than the turns bring.
            if self.short() && self.worth_its_price() {
                return Command::Buy;
            }
        }
        if discard && (wanted || pushes && pile.len() == 1 && self.spares_the_next(chance)) {
            Command::DrawDiscard
        } else {
            other
        }
    }

    /// Whether a useless discard is taken rather than pushed on. What is pushed comes back, with a stock card each time, until
    /// nobody can go out any more: so hands that have grown are spared mostly, and those of players who are down.
    fn spares_the_next(&self, chance: &mut dyn Chance) -> bool {
        let flow = &self.view.flow;
        let next = flow.step(&self.view.compiled, self.seat, 1);
        let grown = flow.sizes[next.index()] > u16::from(self.view.round().deal) + GROWN;
        // With few cards left, one that fits takes this hand out.
        let nearly_out = self.down() && size(&self.hand) <= 2;
        (grown || flow.down.has(next)) && !nearly_out && chance.below(4) > 0
    }

    /// Whether no cards to come can make the contract any more: what it needs lies on the table, or wilds that it does not take
    /// and that may not be thrown fill the hand, which cannot grow.
    pub(super) fn hopeless(&self) -> bool {
        if !self.down() && self.here() == Gauge::NEVER {
            return true;
        }
        let set = &self.view.round().settings;
        let several = set.draw.cards > 1 || set.draw.pile != 1;
        let grows = set.take.on || set.draw.mode == DrawMode::Push || several;
        if grows || set.discard.wild == DiscardWild::Allowed || self.down() {
            return false;
        }
        let playing = self.view.flow.phase == Phase::Play && self.view.flow.turn == self.seat;
        let cards = size(&self.hand) + usize::from(!playing);
        self.aims.iter().all(|(_, law)| {
            // A rank that is wild may lie in its own place where it counts as natural there.
            let bound = |i: &usize| law.wild >> i & 1 != 0 && (*i == 0 || !law.natural_in_place);
            let wilds: usize = (0..Face::COUNT).filter(bound).map(|i| usize::from(self.hand[i])).sum();
            let room =
                |want: &Want| want.wilds.min(law.wild_cap).min(want.size.saturating_sub(law.min_naturals));
            let most = |slots: &::contract::meld::Wanted| -> usize {
                slots
                    .iter()
                    .map(|slot| slot.iter().map(|want| usize::from(room(want))).max().unwrap_or(0))
                    .sum()
            };
            let taken = law.contracts.iter().map(most).max().unwrap_or(0);
            cards - wilds.saturating_sub(taken) < cards_needed(law)
        })
    }

    /// Whether a take leaves so few cards to draw that soon only what nobody can use goes round.
    pub(super) fn drains(&self, penalty: u8) -> bool {
        let flow = &self.view.flow;
        flow.supply(&self.view.compiled) < 1 + u16::from(penalty) + SPARED * u16::from(flow.seats)
    }

    /// Whether a take leaves so many cards beside the contract that being rid of them takes longer than the take saves.
    fn crowds(&self, penalty: u8) -> bool {
        // With the card taken and the one to be drawn.
        self.crowded(1 + self.per_draw() + usize::from(penalty))
    }

    /// Whether so many cards more are too many beside the contract.
    fn crowded(&self, more: usize) -> bool {
        let need = self.aims.iter().map(|(_, law)| cards_needed(law)).min().unwrap_or(0);
        size(&self.hand) + more > need + BESIDE
    }

    /// Cards that a draw from the stock brings.
    pub(super) fn per_draw(&self) -> usize {
        self.view.round().settings.draw.cards.into()
    }

    /// Whether no turn brings so many cards as the contract needs.
    fn short(&self) -> bool {
        let need = self.aims.iter().map(|(_, law)| cards_needed(law)).min().unwrap_or(0);
        size(&self.hand) + self.per_draw() < need
    }

    /// Whether a card that brings the contract nearer is worth what a take costs in points, and one of the takes that the
    /// match allows.
    pub(super) fn worth_its_price(&self) -> bool {
        let (view, flow) = (self.view, &self.view.flow);
        let take = &view.round().settings.take;
        let completes = self.here() == 1;
        // To be nearer saves a card or two of those left in hand; to lay the contract saves half of them.
        let saves = if completes {
            self.sign() * self.law().points_of(&self.hand) / 2
        } else {
            3 * self.mean_cost() / 4
        };
        if take.points * self.sign() > saves.max(0) {
            return false;
        }
        if take.limit == 0 || take.limit_per != LimitPer::Game || completes {
            return true;
        }
        // What is left is shared out among the rounds to come.
        let seat = self.seat.index();
        let left = u16::from(take.limit).saturating_sub(flow.takes_before[seat]);
        let rounds = view.compiled.most_deals().saturating_sub(usize::from(flow.finished)).max(1) as u16;
        u16::from(flow.takes[seat]) < left.div_ceil(rounds)
    }

    /// OFFER: ask or pass.
    pub(super) fn answer(&self) -> Command {
        let first = self.first_answer();
        let Some(top) = self.view.flow.top else { return first };
        let weighs = self.level == Level::Strong
            && matches!(self.view.flow.phase, Phase::Offer { .. })
            && !self.down()
            && !self.hoards()
            && self.here() > 1
            && size(&self.hand) <= FULL
            && self.view.judge(&Command::Take).is_ok()
            && self.nearer_with(top)
            && self.worth_its_price();
        match weighs.then(|| self.strong_take(top, first == Command::Take)).flatten() {
            Some(true) => Command::Take,
            Some(false) => Command::Pass,
            None => first,
        }
    }

    /// What comes to mind first when a discard is offered.
    fn first_answer(&self) -> Command {
        let Some(top) = self.view.flow.top else { return Command::Pass };
        // A beginner asks only where there is no other way to enough cards, or cards are what wins.
        let asks = self.level != Level::Easy || self.short() || self.hoards();
        if !asks || self.down() || self.view.judge(&Command::Take).is_err() {
            return Command::Pass;
        }
        let set = &self.view.round().settings;
        if self.hoards() {
            let gained = 2 * self.cost(top) + i32::from(set.take.penalty) * self.mean_cost();
            return if gained + 2 * set.take.points * self.sign() < 0 {
                Command::Take
            } else {
                Command::Pass
            };
        }
        if self.level >= Level::Keen && !self.short() && size(&self.hand) <= FULL {
            match self.keen_take(top) {
                Some(true) => return Command::Take,
                Some(false) => return Command::Pass,
                None => {}
            }
        }
        let nearer = if self.short() { self.nearer_with(top) } else { self.nearer_by_take(top) };
        if !nearer || !self.worth_its_price() {
            return Command::Pass;
        }
        if self.here() > 1 && (self.drains(set.take.penalty) || self.crowds(set.take.penalty)) {
            return Command::Pass;
        }
        // When somebody is about to go out, cards in hand are points lost.
        let others = self.view.flow.down.without(self.seat);
        let nearest = others.iter().map(|s| self.view.flow.sizes[s.index()]).min();
        let late = nearest.is_some_and(|cards| cards <= 3);
        let full = size(&self.hand) > FULL;
        if late && self.here() > 1 || full { Command::Pass } else { Command::Take }
    }

    /// SHANGHAI: lay the discard on a meld, if it fits.
    pub(super) fn claim(&self) -> Command {
        let steady = self.level != Level::Easy && !self.hoards();
        let Some(top) = self.view.flow.top.filter(|_| steady) else { return Command::Pass };
        // A card of ours goes to the discarder: better so than not, unless it might be one we need.
        let picked = self.view.round().settings.shanghai.penalty == 0;
        if picked && !self.down() && self.here() <= 1 {
            return Command::Pass;
        }
        for (on, table) in (1..).zip(&self.view.board.melds) {
            let fit = self.law().fit(&table.meld, top);
            let end = fit.both_ends().then_some(End::High);
            let claim = Command::Shanghai { on, end };
            if fit.any() && self.view.judge(&claim).is_ok() {
                return claim;
            }
        }
        Command::Pass
    }
}
