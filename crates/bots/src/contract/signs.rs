//! What is seen of a hand and of the table between two turns, in numbers that a network can weigh.
//!
//! All of it is what whoever holds the hand sees: nothing else may count. Each number is about 0 to 1, or a few.

use super::{Kin, Mind, cards_needed, faces, kin, size, slots};
use ::contract::meld::Kind;
use ::contract::meld::Meld;
use ::contract::rules::{DrawMode, LayoffWhen, LimitPer};
use ::contract::solver::{Counts, Gauge, counts_of, fitting, without};
use cards::Face;
use game::Seat;
use game::chance::{Chance as _, SplitMix};
use std::cell::RefCell;
use std::collections::HashMap;

/// How many numbers that are.
pub const SIGNS: usize = HAND + THROWN + 1 + TABLE;

/// What is seen, in numbers.
pub type Signs = [f32; SIGNS];

/// Numbers that tell of the hand.
const HAND: usize = DISTANCES + 15;
/// Distances that are told apart; whatever is further counts as the last.
const DISTANCES: usize = 8;
/// Numbers that tell of the card that was thrown just now.
const THROWN: usize = 11;
/// Numbers that tell of what is the same for whatever is held.
const TABLE: usize = 30;
/// Discards of each player that are looked back on.
const LOOKED_BACK: usize = 3;
/// Cards that may come with one taken out of turn are imagined so many times.
const IMAGINED: usize = 6;

/// Looks at hands that a seat might hold, for one decision.
pub(super) struct Eye<'a> {
    mind: &'a Mind<'a>,
    /// Cards that nobody has seen, and copies of each face among them.
    hidden: Vec<Face>,
    unseen: Counts,
    table: [f32; TABLE],
    /// The faces that this seat may lay off on the table as it lies, and what a card costs on average.
    fitting: u64,
    unit: f32,
    helped: RefCell<HashMap<Counts, u64>>,
}

impl<'a> Eye<'a> {
    pub(super) fn new(mind: &'a Mind<'a>) -> Eye<'a> {
        let hidden = mind.unseen();
        let unseen = counts_of(hidden.iter().copied());
        let table = &mind.view.board.melds;
        let melds: Vec<Meld> = table.iter().map(|m| m.meld.clone()).collect();
        let may = mind.view.round().settings.layoff.when != LayoffWhen::Never;
        let fitting = fitting(mind.law(), &melds, &|i| may && mind.onto(table[i].owner));
        let unit = mind.unit();
        Eye { mind, hidden, unseen, table: mind.table(), fitting, unit, helped: RefCell::default() }
    }

    /// What is seen between two turns, with the hand as it is.
    pub(super) fn waiting(&self) -> Signs {
        self.signs(&self.mind.hand, None, false)
    }

    /// What is seen once a card is thrown.
    pub(super) fn thrown(&self, card: Face) -> Signs {
        self.signs(&without(&self.mind.hand, &[card]), Some(card), false)
    }

    /// What is seen once the top discard is taken out of turn, with what comes with it on average.
    pub(super) fn taken(&self, top: Face) -> Signs {
        let penalty = usize::from(self.mind.view.round().settings.take.penalty);
        // The same view is always judged alike: chance is not asked.
        let mut cards: Vec<Face> = self.hidden.clone();
        cards.sort_unstable_by_key(|card| card.index());
        SplitMix(u64::from(self.mind.view.flow.turns)).shuffle(&mut cards);
        let times = if penalty == 0 { 1 } else { IMAGINED };
        let mut mean = [0.0; SIGNS];
        for i in 0..times {
            let mut hand = self.mind.with(top);
            cards.iter().skip(i * penalty).take(penalty).for_each(|card| hand[card.index()] += 1);
            let signs = self.signs(&hand, None, true);
            mean.iter_mut().zip(signs).for_each(|(sum, sign)| *sum += sign / times as f32);
        }
        mean
    }

    fn signs(&self, hand: &Counts, thrown: Option<Face>, took: bool) -> Signs {
        let mut signs = [0.0; SIGNS];
        let parts = self.held(hand, thrown.is_some()).into_iter().chain(self.discard(thrown));
        let parts = parts.chain([flag(took)]).chain(self.table);
        signs.iter_mut().zip(parts).for_each(|(sign, part)| *sign = part);
        signs
    }

    fn helps(&self, hand: &Counts, distance: u8) -> u64 {
        if distance == 0 || distance >= Gauge::NEVER {
            return 0;
        }
        if let Some(&helps) = self.helped.borrow().get(hand) {
            return helps;
        }
        let helps = self.mind.helpful(hand, distance);
        self.helped.borrow_mut().insert(*hand, helps);
        helps
    }

    /// How likely an unseen card is one of these.
    fn chance(&self, faces: u64) -> f32 {
        let copies = |i: usize| if faces >> i & 1 != 0 { f32::from(self.unseen[i]) } else { 0.0 };
        (0..Face::COUNT).map(copies).sum::<f32>() / self.hidden.len().max(1) as f32
    }

    /// How likely the card after one that helps helps again.
    fn again(&self, hand: &Counts, helps: u64, distance: u8) -> f32 {
        let (mut sum, mut of) = (0.0, 0.0);
        for i in (0..Face::COUNT).filter(|&i| distance > 1 && helps >> i & 1 != 0 && self.unseen[i] > 0) {
            let mut next = *hand;
            next[i] += 1;
            let copies = f32::from(self.unseen[i]);
            sum += copies * self.chance(self.helps(&next, distance - 1));
            of += copies;
        }
        sum / f32::max(of, 1.0)
    }

    fn held(&self, hand: &Counts, thrown: bool) -> [f32; HAND] {
        let mind = self.mind;
        let law = mind.law();
        let down = mind.down();
        let distance = if down { 0 } else { mind.distance(hand) };
        let helps = self.helps(hand, distance);
        let held = faces(hand);
        let count = |face: Face| f32::from(hand[face.index()]);
        let cost = |face: Face| mind.cost(face) as f32 / self.unit;
        let total: f32 = held.iter().map(|&face| cost(face) * count(face)).sum();
        // What can be spared, and what fits on the table.
        let (mut spare, mut spared, mut fits, mut fitting) = (0.0, 0.0, 0.0, 0.0);
        let spares = if down { 0 } else { mind.spare(hand, distance) };
        for &face in &held {
            if spares >> face.index() & 1 != 0 {
                spare += 1.0;
                spared += cost(face);
            }
            if self.fitting >> face.index() & 1 != 0 {
                fits += count(face);
                fitting += cost(face) * count(face);
            }
        }
        let wilds: f32 = held.iter().filter(|&&face| law.is_wild(face)).map(|&face| count(face)).sum();
        // Pairs of one rank, and neighbours of one suit.
        let (mut alike, mut beside) = (0.0, 0.0);
        let natural: Vec<Face> = held.iter().copied().filter(|&face| !law.is_wild(face)).collect();
        for (i, &face) in natural.iter().enumerate() {
            alike += count(face) * (count(face) - 1.0) / 2.0;
            for &other in &natural[i + 1..] {
                match kin(law, face, other) {
                    Some(Kin::Group) => alike += count(face) * count(other),
                    Some(Kin::Run) => beside += 1.0,
                    None => {}
                }
            }
        }
        let cards = size(hand) as f32;
        let need = mind.aims.iter().map(|(_, law)| cards_needed(law)).min().unwrap_or(0) as f32;
        let mut signs = [0.0; HAND];
        let last = DISTANCES - 1;
        signs[usize::from(distance).min(last)] = flag(!down);
        signs[DISTANCES..].copy_from_slice(&[
            flag(down),
            self.chance(helps),
            helps.count_ones() as f32 / 10.0,
            self.again(hand, helps, distance),
            total / 10.0,
            spare / 5.0,
            spared / 10.0,
            fits / 3.0,
            fitting / 10.0,
            wilds,
            alike / 5.0,
            beside / 5.0,
            cards / 10.0,
            (cards - need) / 5.0,
            mind.turns_before(thrown) / f32::from(mind.view.flow.seats),
        ]);
        signs
    }

    /// What others may make of a card that is thrown.
    fn discard(&self, thrown: Option<Face>) -> [f32; THROWN] {
        let mind = self.mind;
        let (flow, board, law) = (&mind.view.flow, &mind.view.board, mind.law());
        let Some(card) = thrown else { return [0.0; THROWN] };
        let goes_with = |other: Face| mind.goes_with(card, other) as f32 / 4.0;
        let next = flow.step(&mind.view.compiled, mind.seat, 1);
        let (mut next_threw, mut others_threw, mut same) = (0.0, 0.0, 0.0);
        for thrown in board.thrown.iter().rev().take(LOOKED_BACK * usize::from(flow.seats)) {
            match thrown.seat {
                Some(seat) if seat == next => {
                    next_threw += goes_with(thrown.card);
                    same += flag(kin(law, card, thrown.card) == Some(Kin::Group));
                }
                Some(seat) if seat != mind.seat => others_threw += goes_with(thrown.card),
                _ => {}
            }
        }
        // Unseen cards of its rank, and beside it in its suit.
        let (mut alike, mut beside) = (0.0, 0.0);
        for &other in &self.hidden {
            match kin(law, card, other) {
                Some(Kin::Group) => alike += 1.0,
                Some(Kin::Run) => beside += 1.0,
                None => {}
            }
        }
        [
            next_threw / 2.0,
            others_threw / 2.0,
            same,
            flow.top.map_or(0.0, goes_with),
            1.0,
            mind.cost(card) as f32 / self.unit,
            flag(law.is_wild(card)),
            flag(mind.fits_for_somebody(card)),
            mind.sought(card) as f32 / 10.0,
            alike / 5.0,
            beside / 5.0,
        ]
    }
}

impl Mind<'_> {
    /// What a card of the pack costs on average.
    pub(super) fn unit(&self) -> f32 {
        (self.mean_cost().abs() as f32 / 2.0).max(1.0)
    }

    /// Turns of others before one's own; after a throw those of all others.
    fn turns_before(&self, thrown: bool) -> f32 {
        let (flow, seats) = (&self.view.flow, self.view.flow.seats);
        if thrown {
            return f32::from(seats) - 1.0;
        }
        let turns =
            (0..=i32::from(seats)).find(|&by| flow.step(&self.view.compiled, flow.turn, by) == self.seat);
        turns.unwrap_or(seats.into()) as f32
    }

    /// How much of the takes that the rules allow is left: 1 where they are not limited.
    fn takes_left(&self) -> f32 {
        let take = &self.view.round().settings.take;
        let limit = u16::from(take.limit);
        match (take.on, limit, take.limit_per) {
            (false, ..) => 0.0,
            (true, 0, _) => 1.0,
            (true, _, LimitPer::Game) => f32::from(limit).min(6.0) / 12.0,
            _ => {
                let taken = u16::from(self.view.flow.takes[self.seat.index()]);
                f32::from(limit.saturating_sub(taken)).min(6.0) / 6.0
            }
        }
    }

    /// What is the same for all hands that this seat may hold now: the contract, the rules, the others.
    fn table(&self) -> [f32; TABLE] {
        let view = self.view;
        let (flow, board, law, set) = (&view.flow, &view.board, self.law(), view.round());
        let of = |is| law.contracts.first().map_or(0, |contract| slots(contract, is)) as f32;
        let seats = f32::from(flow.seats);
        let cards = |seat: Seat| f32::from(flow.sizes[seat.index()]);
        let (downs, ups): (Vec<Seat>, Vec<Seat>) =
            (0..flow.seats).map(Seat).filter(|&seat| seat != self.seat).partition(|&s| flow.down.has(s));
        let down = downs.len() as f32;
        let least = downs.iter().map(|&seat| cards(seat)).fold(12.0, f32::min);
        let up = ups.len().max(1) as f32;
        let known = |seat: Seat| board.known(seat).count() as f32;
        let sum = |of: &dyn Fn(Seat) -> f32| ups.iter().map(|&seat| of(seat)).sum::<f32>();
        let most = |of: &dyn Fn(Seat) -> f32| ups.iter().map(|&seat| of(seat)).fold(0.0, f32::max);
        let next = flow.step(&view.compiled, self.seat, 1);
        [
            of(|kind| kind == Kind::Run),
            of(|kind| kind != Kind::Run),
            cards_needed(law) as f32 / 10.0,
            flag(law.all),
            f32::from(set.deal) / 10.0,
            f32::from(flow.turns) / seats / 10.0,
            seats / 5.0,
            f32::from(flow.stock) / seats / 10.0,
            view.compiled.cards.len() as f32 / 100.0,
            flag(set.settings.take.on),
            self.takes_left(),
            f32::from(set.settings.take.penalty.min(3)),
            flag(set.settings.draw.mode == DrawMode::Push),
            f32::from(set.settings.draw.cards) - 1.0,
            f32::from(law.ranks) / 13.0,
            down,
            down / (seats - 1.0).max(1.0),
            (12.0 - least) / 12.0,
            flag(least <= 1.0),
            flag(least <= 2.0),
            flag(least <= 3.0),
            sum(&cards) / up / 10.0,
            most(&cards) / 10.0,
            sum(&known) / up / 3.0,
            most(&known) / 3.0,
            flag(flow.down.has(next)),
            cards(next) / 10.0,
            known(next) / 3.0,
            board.melds.len() as f32 / 5.0,
            board.melds.iter().filter(|m| m.meld.is_run()).count() as f32 / 5.0,
        ]
    }
}

fn flag(is: bool) -> f32 {
    f32::from(u8::from(is))
}
