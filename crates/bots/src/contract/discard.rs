//! What is thrown.

use super::strong::FIRST;
use super::value::WEIGHED;
use super::{Kin, Level, Mind, faces, kin};
use ::contract::Command;
use ::contract::meld::End;
use ::contract::rules::{MeldExtra, OutDiscard};
use ::contract::solver::{Counts, without};
use cards::Face;
use game::{Chance, Seat};
use std::cell::OnceCell;
use std::cmp::Reverse;

/// What it is worth to keep a card that can be laid off once 0, 1, 2, ... others lie beside it.
const KEPT: [i32; 4] = [16, 12, 8, 4];
/// Where the whole hand must go at once, what a card costs counts so many times for those who have measured it: most lose such a round with
/// all that they hold, and a card that nobody takes out of turn does little harm.
const WHOLE: i32 = 3;
/// What a turn that the next player loses is worth, in points.
const SKIP: i32 = 10;
/// Turns of each player after which it is plain that somebody waits for cards that others hold.
const LONG: u16 = 15;
/// Turns of each player after which even a card of the plan is given up now and then.
const ENDLESS: u16 = 60;

impl Mind<'_> {
    /// What to throw, or to hold.
    pub(super) fn discard(&self, chance: &mut dyn Chance) -> Command {
        let law = self.law();
        let legal: Vec<Face> = faces(&self.hand)
            .into_iter()
            .filter(|&card| self.view.judge(&Command::Discard { card, shanghai: false }).is_ok())
            .collect();
        let value = |card: Face| self.cost(card);
        let down = self.down();
        let forbidden = self.view.round().settings.out.discard == OutDiscard::Forbidden;
        let without = |card: Face| without(&self.hand, &[card]);
        let hoards = self.hoards();
        let hopeless = self.hopeless();
        let here = if down || hoards || hopeless { 0 } else { self.here() };
        let spare = OnceCell::new();
        let can_go = |card: Face| spare.get_or_init(|| self.spare(&self.hand, here)) >> card.index() & 1 != 0;
        // In a long round each waits for what another keeps: what is of no use goes in any order, so that all of it comes
        // round, and much later even a card that would have been kept.
        let turns = self.view.flow.turns / u16::from(self.view.flow.seats.max(1));
        let long = turns >= if hopeless { 2 * LONG } else { LONG };
        if long && !down && !hoards && chance.below(2) == 0 {
            let gives_up = hopeless || turns >= ENDLESS && chance.below(8) == 0;
            let may = |&card: &Face| !law.is_wild(card) && (gives_up || can_go(card));
            let any: Vec<Face> = legal.iter().copied().filter(may).collect();
            if !any.is_empty() {
                let card = any[chance.below(any.len() as u32) as usize];
                return Command::Discard { card, shanghai: false };
            }
        }
        let chances = if down { self.chances() } else { [0; Face::COUNT] };
        let short = !hoards && !hopeless && self.counts_short();
        let worth = |card: Face| -> i32 {
            if hoards || hopeless {
                return value(card);
            }
            if short {
                // Dear cards make dear melds.
                return 4 * self.laid(&without(card)) - i32::from(law.values[card.index()]);
            }
            // What is thrown may be what somebody waits for; what fits on the table is laid off sooner or later.
            let wild = if law.is_wild(card) { 60 } else { 0 };
            if down {
                let useful = if forbidden && self.fits(card) { 60 } else { 0 };
                let danger = if self.level >= Level::Counting { self.danger(card) } else { 0 };
                let careful = chances[card.index()] + danger - self.skips_by(card);
                let kept = if self.level == Level::Easy { 0 } else { careful };
                return value(card) - wild - useful - kept;
            }
            // Throwing a card takes the hand a step away or leaves it where it is.
            let distance = i32::from(!can_go(card));
            match self.level {
                Level::Easy => value(card) - 100 * distance,
                Level::Steady => value(card) - 100 * distance - 2 * wild + self.skips_by(card),
                Level::Counting | Level::Keen | Level::Strong => {
                    let (weight, danger) = if self.level >= Level::Keen && law.all {
                        (WHOLE, 0)
                    } else {
                        (if self.view.flow.down.is_empty() { 1 } else { 2 }, self.danger(card))
                    };
                    weight * value(card) - 80 * distance - 2 * wild - danger + self.skips_by(card)
                }
            }
        };
        let mut ranked: Vec<(i32, Face)> = legal.iter().map(|&card| (worth(card), card)).collect();
        ranked.sort_by_key(|&(worth, card)| (Reverse(worth), card));
        let plans = !down && !hoards && !hopeless && !short;
        let expects = self.level >= Level::Keen && plans;
        if let Some(weighed) = expects.then(|| self.keen_discards(&ranked)).flatten() {
            ranked = weighed;
        } else if self.level >= Level::Counting && plans {
            // Among those that look best, the one after which most cards help.
            let floor = ranked.first().map_or(0, |&(worth, _)| worth - 40);
            ranked.truncate(WEIGHED);
            for (worth, card) in &mut ranked {
                if *worth >= floor {
                    let away = u8::from(!can_go(*card));
                    *worth += 2 * self.helpers(&without(*card), here + away);
                }
            }
            ranked.sort_by_key(|&(worth, card)| (Reverse(worth), card));
        }
        let mut looked: Vec<Face> = ranked.iter().map(|&(_, card)| card).collect();
        let valued = expects.then(|| self.valued(&looked)).flatten();
        if let Some(valued) = &valued {
            looked = valued.iter().map(|&(_, card)| card).collect();
        }
        let Some(&(mut card)) = looked.first() else { return Command::Hold };
        if self.level == Level::Strong && plans {
            let first = looked[0];
            let alike = |&other: &Face| (if other == first { 0.0 } else { -FIRST }, other);
            let valued = valued.unwrap_or_else(|| looked.iter().map(alike).collect());
            card = self.strong_throw(&valued).unwrap_or(card);
        }
        self.notes.borrow_mut().ranked = looked;
        self.throwing(card)
    }

    /// How a card is thrown: protected, where it may be (SH-CALL-1).
    pub(super) fn throwing(&self, card: Face) -> Command {
        let protect = Command::Discard { card, shanghai: true };
        if self.level != Level::Easy && self.view.judge(&protect).is_ok() {
            return protect;
        }
        Command::Discard { card, shanghai: false }
    }

    /// How much it is worth to a player who is down to keep a card for a later turn, by its face: more the fewer cards must be
    /// laid off before it, and nothing where no card can ever lie beside it. Where there are further melds, what goes with
    /// another card of the hand is kept, too.
    fn chances(&self) -> [i32; Face::COUNT] {
        let law = self.law();
        let deck = &self.view.compiled.rules.settings.deck;
        let mut chances = [0; Face::COUNT];
        let mut laid: Counts = [0; Face::COUNT];
        for placed in self.view.board.melds.iter().flat_map(|m| &m.meld.cards) {
            laid[placed.card.index()] += 1;
        }
        for table in self.view.board.melds.iter().filter(|m| self.onto(m.owner)) {
            if !table.meld.is_run() {
                for face in faces(&self.hand) {
                    if law.fit(&table.meld, face).any() {
                        chances[face.index()] = KEPT[0];
                    }
                }
                continue;
            }
            for end in [End::Low, End::High] {
                let mut meld = table.meld.clone();
                for kept in KEPT {
                    let Some(next) = law.beyond(&meld, end) else { break };
                    let worth = &mut chances[next.index()];
                    *worth = kept.max(*worth);
                    // A card of which every copy lies elsewhere never comes here.
                    let gone = laid[next.index()] >= deck.decks;
                    let Some(longer) =
                        (!gone).then(|| law.lay_off(&meld, &[next.into()], Some(end)).ok()).flatten()
                    else {
                        break;
                    };
                    meld = longer;
                }
            }
        }
        if self.view.round().settings.meld.extra == MeldExtra::AfterContract {
            for card in faces(&self.hand) {
                let near = |other: Face| match (other.rank() == card.rank(), other.suit() == card.suit()) {
                    (true, same) => !(same && law.distinct_suits),
                    (false, same) => same && other.rank().abs_diff(card.rank()) <= 2,
                };
                let mut others = self.hand;
                others[card.index()] -= 1;
                let natural = |&other: &Face| !law.is_wild(other);
                let pairs = faces(&others).into_iter().filter(natural).filter(|&other| near(other)).count();
                chances[card.index()] += 4 * pairs.min(3) as i32;
            }
        }
        chances
    }

    /// What it is worth that a discard makes the next player lose a turn: much where that player is down, less than nothing where
    /// it would be thrown for nothing (HR-SKIP-2).
    pub(super) fn skips_by(&self, card: Face) -> i32 {
        if !self.law().is_skip(card) {
            return 0;
        }
        let flow = &self.view.flow;
        let other = |seat: &Seat| !flow.partners(&self.view.compiled, self.seat, *seat);
        match self.view.loses_turn(card).filter(other) {
            None => -SKIP,
            Some(next) if flow.down.has(next) => 2 * SKIP,
            Some(_) => SKIP,
        }
    }

    /// How well a card goes with another in a meld: 0 where it does not.
    pub(super) fn goes_with(&self, card: Face, other: Face) -> i32 {
        match kin(self.law(), card, other) {
            Some(Kin::Group) => 4,
            Some(Kin::Run) => 3,
            None => 0,
        }
    }

    /// How likely a discard helps somebody: what the others took from the pile lies near it, or it fits on the table.
    pub(super) fn danger(&self, card: Face) -> i32 {
        self.sought(card) + 3 * i32::from(self.fits_for_somebody(card))
    }

    /// How much of what the others took from the pile goes with a card: the next player's counted twice, and more for those whose points matter more.
    pub(super) fn sought(&self, card: Face) -> i32 {
        let view = self.view;
        let next = view.flow.step(&view.compiled, self.seat, 1);
        let taken: f64 = view
            .board
            .taken
            .iter()
            .filter(|t| t.seat != self.seat && !t.gone && !view.flow.down.has(t.seat))
            .map(|t| (t.seat, self.goes_with(card, t.card) * if t.seat == next { 2 } else { 1 }))
            .map(|(seat, goes)| f64::from(goes) * self.rivalry(seat))
            .sum();
        taken.round().min(24.0) as i32
    }
}
