//! S5: the lay-offs and reclaims that leave the fewest points.
//!
//! A search over positions (melds on the table, cards in hand, reclaimed wilds that must still be laid), each looked at
//! once, with a bound: what is left can shrink by no more than the cards that could ever go anywhere.

use super::{Counts, cards_of, counts_of};
use crate::meld::{DeclaredCard, End, Kind, Law, Meld, Placed, Suits};
use crate::options::{Reclaim, RunAce, WildBalance, WildPlace};
use cards::{Face, list};
use std::collections::HashMap;

/// One play of a player who is down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Play {
    /// A card from hand onto a meld (its place in the list, from 0).
    LayOff {
        /// The card, declared if it is a wild in a run.
        card: DeclaredCard,
        /// Which meld.
        meld: usize,
        /// Which end, where the card would do at both.
        end: Option<End>,
    },
    /// A natural from hand into the place of the wild that stands for it.
    Reclaim {
        /// The natural.
        card: Face,
        /// Which meld.
        meld: usize,
    },
}

impl Play {
    /// Which meld it changes.
    const fn meld(&self) -> usize {
        match *self {
            Play::LayOff { meld, .. } | Play::Reclaim { meld, .. } => meld,
        }
    }
}

/// What a player who is down can shed in one turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shed {
    /// The plays in order.
    pub plays: Vec<Play>,
    /// The melds after them.
    pub melds: Vec<Meld>,
    /// What stays in hand.
    pub left: Counts,
    /// What that costs.
    pub points: i32,
    /// Whether the budget ended before this was known to be best.
    pub truncated: bool,
}

/// What a player may do with the melds on the table.
#[derive(Clone, Copy, Debug)]
pub struct Rights {
    /// Whether cards may be laid off.
    pub lay_off: bool,
    /// Whether wilds may be reclaimed.
    pub reclaim: bool,
    /// Whether a reclaimed wild may stay in hand.
    pub keep_wilds: bool,
    /// Whether a card must stay in hand to be discarded (RF-7).
    pub keep_one: bool,
    /// Steps after which the search gives its best so far.
    pub budget: u32,
}

impl Rights {
    /// Steps enough for any position met in play.
    pub const BUDGET: u32 = 200_000;
}

/// S5: the plays that leave the fewest points, with the fewest plays among those.
///
/// `pending` are wilds in hand that were reclaimed and must be laid; they are only while that can be done. `onto` says
/// which melds the player may lay off on, `from` which give wilds back.
#[must_use]
pub fn shed(
    law: &Law,
    rights: Rights,
    hand: &Counts,
    pending: &[Face],
    table: &[Meld],
    onto: &dyn Fn(usize) -> bool,
    from: &dyn Fn(usize) -> bool,
) -> Shed {
    let place = Place { law, rights, pending, table, onto, from };
    let free = search(&place, hand);
    if !rights.keep_one || free.left.iter().any(|&n| n > 0) {
        return free;
    }
    // Everything can go, but one card must stay: try each.
    let mut best: Option<Shed> = None;
    let mut truncated = free.truncated;
    for kept in distinct(hand) {
        let mut rest = *hand;
        rest[kept.index()] -= 1;
        let due = pending.iter().filter(|&&p| p == kept).count();
        if usize::from(rest[kept.index()]) < due {
            continue;
        }
        let mut shed = search(&place, &rest);
        shed.left[kept.index()] += 1;
        shed.points = law.points_of(&shed.left);
        truncated |= shed.truncated;
        if best.as_ref().is_none_or(|b| (shed.points, shed.plays.len()) < (b.points, b.plays.len())) {
            best = Some(shed);
        }
    }
    let nothing = || Shed {
        plays: Vec::new(),
        melds: table.to_vec(),
        left: *hand,
        points: law.points_of(hand),
        truncated: false,
    };
    Shed { truncated, ..best.unwrap_or_else(nothing) }
}

fn distinct(hand: &Counts) -> Vec<Face> {
    let mut faces = cards_of(hand);
    faces.dedup();
    faces
}

/// Where a search begins.
struct Place<'a> {
    law: &'a Law,
    rights: Rights,
    pending: &'a [Face],
    table: &'a [Meld],
    onto: &'a dyn Fn(usize) -> bool,
    from: &'a dyn Fn(usize) -> bool,
}

struct Search<'a> {
    law: &'a Law,
    rights: Rights,
    onto: &'a dyn Fn(usize) -> bool,
    from: &'a dyn Fn(usize) -> bool,
    melds: Vec<Meld>,
    hand: Counts,
    /// Reclaimed wilds that must still be laid.
    pending: Vec<Face>,
    plays: Vec<Play>,
    /// Fewest plays with which a position was reached.
    seen: HashMap<Vec<u8>, usize>,
    best: (i32, usize, Vec<Play>),
    budget: u32,
    truncated: bool,
}

fn search(place: &Place<'_>, hand: &Counts) -> Shed {
    let law = place.law;
    let mut search = Search {
        law,
        rights: place.rights,
        onto: place.onto,
        from: place.from,
        melds: place.table.to_vec(),
        hand: *hand,
        pending: place.pending.to_vec(),
        plays: Vec::new(),
        seen: HashMap::new(),
        best: (i32::MAX, 0, Vec::new()),
        budget: place.rights.budget,
        truncated: false,
    };
    search.step();
    let (_, _, plays) = search.best;
    let mut shed = Shed {
        plays: Vec::new(),
        melds: place.table.to_vec(),
        left: *hand,
        points: 0,
        truncated: search.truncated,
    };
    for play in plays {
        apply(law, &play, &mut shed.melds, &mut shed.left);
        shed.plays.push(play);
    }
    shed.points = law.points_of(&shed.left);
    shed
}

/// Makes a play that is known to be legal. Gives the wild that a reclaim brings.
fn apply(law: &Law, play: &Play, melds: &mut [Meld], hand: &mut Counts) -> Option<Face> {
    match *play {
        Play::LayOff { card, meld, end } => {
            if let Ok(grown) = law.lay_off(&melds[meld], &[card], end) {
                melds[meld] = grown;
                hand[card.card.index()] -= 1;
            }
            None
        }
        Play::Reclaim { card, meld } => {
            let taken = law.reclaim(&melds[meld], card).ok()?;
            melds[meld] = taken.meld;
            hand[card.index()] -= 1;
            hand[taken.wild.index()] += 1;
            Some(taken.wild)
        }
    }
}

/// What the melds could take of a hand.
struct Near {
    /// Wilds that may come to be laid.
    wilds: usize,
    /// Whether runs are not told by their ends, so that nothing can be said.
    anywhere: bool,
    /// Ranks of groups, and of those that take any number of cards from this player.
    groups: u16,
    open: u16,
    /// Suits of flushes, and of those that take cards from this player.
    flushes: u8,
    open_flushes: u8,
    /// In each suit the ranks held that go onto a run without a wild, and those that wilds in runs stand for.
    free: [u16; 4],
    /// How many places of runs could ever have a card of a face that is held.
    places: [u8; Face::COUNT],
    /// For a card laid at a low or a high end, how many other places want it: ends that grow the other way and would go on
    /// from it, and wilds that it could bring back.
    rivals: [[u8; Face::COUNT]; 2],
    /// The naturals held behind each end of a run, as (wilds that lead to it, what it is).
    ends: Vec<Vec<(usize, Face)>>,
}

impl Near {
    /// Takes in an end of a run: the places beyond it, as far as naturals of the hand and wilds reach.
    fn grow(&mut self, search: &Search<'_>, suit: u8, end: End, places: &mut dyn Iterator<Item = u8>) {
        let (mut used, mut behind) = (0, Vec::new());
        let mut before = None::<Face>;
        for card in places.map(|place| Face::new(suit, search.law.rank_at(place))) {
            if search.hand[card.index()] == 0 {
                used += 1;
                if used > self.wilds {
                    break;
                }
                continue;
            }
            self.places[card.index()] += 1;
            if let Some(before) = before.replace(card) {
                self.rivals[1 - end as usize][before.index()] += 1;
            }
            if used == 0 {
                self.free[usize::from(suit)] |= 1 << card.rank();
            } else {
                behind.push((used, card));
            }
        }
        if !behind.is_empty() {
            self.ends.push(behind);
        }
    }
}

impl Search<'_> {
    fn step(&mut self) {
        if self.budget == 0 {
            self.truncated = true;
            return;
        }
        self.budget -= 1;
        let points = self.law.points_of(&self.hand);
        if self.pending.is_empty() && (points, self.plays.len()) < (self.best.0, self.best.1) {
            self.best = (points, self.plays.len(), self.plays.clone());
        }
        let near = self.near();
        let (bound, loose) = self.bound(&near);
        if bound > self.best.0
            || bound == self.best.0 && self.plays.len() + fewest(loose, points - self.best.0) >= self.best.1
        {
            return;
        }
        let key = self.key();
        match self.seen.get_mut(&key) {
            Some(plays) if *plays <= self.plays.len() => return,
            Some(plays) => *plays = self.plays.len(),
            None => {
                self.seen.insert(key, self.plays.len());
            }
        }
        for play in self.moves(&near) {
            let forced = self.forced(&play, &near);
            let touched = play.meld();
            let (meld, hand, pending) = (self.melds[touched].clone(), self.hand, self.pending.clone());
            if let Play::LayOff { card, .. } = play
                && let Some(at) = self.pending.iter().position(|&p| p == card.card)
            {
                self.pending.remove(at);
            }
            if let Some(wild) = apply(self.law, &play, &mut self.melds, &mut self.hand)
                && !self.rights.keep_wilds
            {
                self.pending.push(wild);
                list::sort(&mut self.pending);
            }
            self.plays.push(play);
            self.step();
            self.plays.pop();
            (self.melds[touched], self.hand, self.pending) = (meld, hand, pending);
            if forced || self.truncated {
                return;
            }
        }
    }

    /// Whether nothing can be better than to make this play at once: a natural onto a group that takes any number, when
    /// runs cannot use as many of its face as are held; or onto a run, when all else that could use one can have one. Of
    /// ends that grow the same way the nearest one does as well as any: what comes behind the card would be the same, and a
    /// wild that stood there can change places with it.
    fn forced(&self, play: &Play, near: &Near) -> bool {
        let law = self.law;
        let Play::LayOff { card: DeclaredCard { card, .. }, meld, end } = *play else { return false };
        if law.is_wild(card) || law.reclaim == Reclaim::All || near.anywhere || law.values[card.index()] <= 0
        {
            return false;
        }
        let (held, places) = (self.hand[card.index()], near.places[card.index()]);
        if self.melds[meld].is_flush() {
            return places < held;
        }
        if !self.melds[meld].is_run() {
            return law.group_max == 255 && !law.distinct_suits && places < held;
        }
        // Where the ends are apart, what is laid at one leaves the other as it is.
        if law.run_max < law.ranks || !self.wilds_have_room() {
            return false;
        }
        let anywhere =
            law.wild_cap == u8::MAX && law.balance == WildBalance::None && law.wild_ends && law.wild_adjacent;
        if near.wilds > 0 && !(anywhere && law.wild_kinds[Kind::Run as usize]) {
            return places <= held;
        }
        let end = end.unwrap_or_else(|| {
            let low = law.beyond(&self.melds[meld], End::Low) == Some(card);
            if low { End::Low } else { End::High }
        });
        near.rivals[end as usize][card.index()] < held
    }

    /// Wilds that may come to be laid in this turn: those in hand, and those that melds could give back for a natural.
    fn wilds(&self) -> usize {
        let law = self.law;
        let held =
            (0..Face::COUNT).filter(|&i| law.wild >> i & 1 != 0).map(|i| usize::from(self.hand[i])).sum();
        if !self.rights.reclaim || law.reclaim == Reclaim::None {
            return held;
        }
        let in_hand = |rank: u8| (0..4).any(|suit| self.hand[Face::new(suit, rank).index()] > 0);
        let of_flush = |meld: &Meld| {
            let mut held = (1..Face::COUNT).filter(|&i| self.hand[i] > 0).filter_map(Face::from_index);
            held.any(|card| law.belongs(meld, card))
        };
        let given = self.melds.iter().filter(|m| m.is_run() || law.reclaim == Reclaim::All).map(|meld| {
            let flush = meld.is_flush() && of_flush(meld);
            let gives =
                |c: &&Placed| !c.is_itself() && (flush || !meld.is_flush() && in_hand(c.stands.rank()));
            meld.cards.iter().filter(gives).count()
        });
        held + given.sum::<usize>()
    }

    /// Whether groups have room for every wild, so that none depends on a place at a run.
    fn wilds_have_room(&self) -> bool {
        let law = self.law;
        let wilds = self.wilds();
        if wilds == 0 {
            return true;
        }
        if !self.rights.lay_off
            || law.group_max != 255
            || law.balance != WildBalance::None
            || law.distinct_suits
        {
            return false;
        }
        let room = |(i, meld): (usize, &Meld)| {
            if meld.is_run() || !(self.onto)(i) || !law.fit(meld, Face::JOKER).inside {
                0
            } else {
                usize::from(law.wild_cap).saturating_sub(law.wilds_in(meld))
            }
        };
        self.melds.iter().enumerate().map(room).sum::<usize>() >= wilds
    }

    /// What a wild at this end of a run could lead to: the value of a natural in hand beyond it that no group takes, shared
    /// among the wilds that it takes to get there; none if there is none.
    fn leads_on(&self, meld: &Meld, end: End, near: &Near) -> Option<i16> {
        if near.anywhere {
            return Some(0);
        }
        let suit = meld.cards.first()?.stands.suit();
        let (mut up, mut down) = (meld.high() + 2..=self.law.last(), (self.law.first()..meld.low - 1).rev());
        let places: &mut dyn Iterator<Item = u8> = if end == End::High { &mut up } else { &mut down };
        let mut used = 1;
        for card in places.map(|place| Face::new(suit, self.law.rank_at(place))) {
            if self.hand[card.index()] == 0 {
                used += 1;
                if used > near.wilds {
                    break;
                }
            } else if near.open >> card.rank() & 1 == 0 && near.open_flushes >> card.suit() & 1 == 0 {
                return Some(self.law.values[card.index()] / used as i16);
            }
        }
        None
    }

    /// What lies near the melds, and what could.
    fn near(&self) -> Near {
        let law = self.law;
        let mut near = Near {
            wilds: self.wilds(),
            anywhere: law.ace == RunAce::Corner
                || law.place != WildPlace::Fixed
                || self.melds.iter().any(|m| m.is_run() && m.suits != Suits::One),
            groups: 0,
            open: 0,
            flushes: 0,
            open_flushes: 0,
            free: [0; 4],
            places: [0; Face::COUNT],
            rivals: [[0; Face::COUNT]; 2],
            ends: Vec::new(),
        };
        if near.anywhere {
            return near;
        }
        let endless = self.rights.lay_off && law.group_max == 255 && !law.distinct_suits;
        for (i, meld) in self.melds.iter().enumerate() {
            if meld.is_flush() {
                let suits = (0..law.suits).filter(|&suit| law.suits_agree(meld.suits, suit, meld.low));
                let suits = suits.fold(0, |set, suit| set | 1 << suit);
                near.flushes |= suits;
                near.open_flushes |= if self.rights.lay_off && (self.onto)(i) { suits } else { 0 };
                continue;
            }
            if !meld.is_run() {
                near.groups |= 1 << meld.low;
                near.open |= u16::from(endless && (self.onto)(i)) << meld.low;
                continue;
            }
            let Some(suit) = meld.cards.first().map(|c| c.stands.suit()) else { continue };
            for card in meld.cards.iter().filter(|c| !c.is_itself()).map(|c| c.stands) {
                near.free[usize::from(suit)] |= 1 << card.rank();
                let gives = u8::from(self.rights.reclaim && law.reclaim != Reclaim::None);
                near.places[card.index()] += gives;
                near.rivals.iter_mut().for_each(|rivals| rivals[card.index()] += gives);
            }
            near.grow(self, suit, End::High, &mut (meld.high() + 1..=law.last()));
            near.grow(self, suit, End::Low, &mut (law.first()..meld.low).rev());
        }
        near
    }

    /// The fewest points that could be left, and the values of the cards that could go. Cards that need wilds to lead to
    /// them share the wilds there are; else each card is looked at as if it were alone.
    fn bound(&self, near: &Near) -> (i32, Vec<i32>) {
        let law = self.law;
        let value = |card: Face| i32::from(law.values[card.index()]).max(0);
        let is_free = |card: Face| {
            near.anywhere
                || law.is_wild(card)
                || near.flushes >> card.suit() & 1 != 0
                || (near.groups | near.free[usize::from(card.suit())]) >> card.rank() & 1 != 0
        };
        let (mut left, mut loose) = (0, Vec::new());
        for card in (0..Face::COUNT).filter(|&i| self.hand[i] > 0).filter_map(Face::from_index) {
            let number = usize::from(self.hand[card.index()]);
            if !is_free(card) {
                left += number as i32 * value(card);
            }
            if is_free(card) || near.places[card.index()] > 0 {
                loose.extend(std::iter::repeat_n(value(card), number));
            }
        }
        // The most that so many wilds can lead to, end by end.
        let mut most = vec![0; if near.ends.is_empty() { 0 } else { near.wilds + 1 }];
        for end in &near.ends {
            for all in (1..most.len()).rev() {
                let mut gain = 0;
                for &(used, card) in end.iter().take_while(|(used, _)| *used <= all) {
                    gain += if is_free(card) { 0 } else { value(card) };
                    most[all] = most[all].max(most[all - used] + gain);
                }
            }
        }
        (left - most.last().copied().unwrap_or(0).min(left), loose)
    }

    fn key(&self) -> Vec<u8> {
        let mut key = Vec::with_capacity(96);
        for i in (0..Face::COUNT).filter(|&i| self.hand[i] > 0) {
            key.extend([i as u8, self.hand[i]]);
        }
        key.push(255);
        key.extend(self.pending.iter().map(|p| p.index() as u8));
        for meld in &self.melds {
            key.push(255);
            key.push(meld.low);
            if meld.is_run() {
                key.extend(meld.cards.iter().map(|c| c.card.index() as u8));
            } else {
                let wilds = self.law.wilds_in(meld);
                key.extend([meld.len() as u8, wilds as u8]);
                if self.law.distinct_suits || self.law.reclaim == Reclaim::All {
                    key.extend(meld.cards.iter().map(|c| c.card.index() as u8));
                }
            }
        }
        key
    }

    /// The plays there are, likely good ones first: naturals onto runs, naturals onto groups, reclaims, wilds.
    fn moves(&self, near: &Near) -> Vec<Play> {
        let law = self.law;
        let mut moves: Vec<(u8, i16, Play)> = Vec::new();
        let room = self.wilds_have_room();
        for card in distinct(&self.hand) {
            let wild = law.is_wild(card);
            let value = -law.values[card.index()];
            if self.rights.lay_off {
                let mut common_group = false;
                for (i, meld) in self.melds.iter().enumerate().filter(|&(i, _)| (self.onto)(i)) {
                    let fit = law.fit(meld, card);
                    if fit.inside {
                        // Groups without limits are all the same to a wild: only how many they take together counts.
                        let free = !meld.is_run()
                            && law.group_max == 255
                            && law.balance == WildBalance::None
                            && !law.distinct_suits
                            && law.reclaim != Reclaim::All;
                        if free && wild && std::mem::replace(&mut common_group, true) {
                            continue;
                        }
                        moves.push((if wild { 4 } else { 1 }, value, lay(card, None, i, None)));
                    }
                    for (end, fits) in [(End::Low, fit.low), (End::High, fit.high)] {
                        let Some(beyond) = law.beyond(meld, end).filter(|_| fits) else { continue };
                        let natural = !wild || law.natural_in_place && beyond == card;
                        if natural && meld.suits == Suits::One {
                            moves.push((0, value, lay(card, None, i, fit.both_ends().then_some(end))));
                        } else if natural {
                            moves.push((0, value, lay(card, None, i, Some(end))));
                        } else {
                            let leads = self.leads_on(meld, end, near);
                            if !room || leads.is_some() {
                                let both = law.beyond(meld, End::Low) == law.beyond(meld, End::High);
                                let play = lay(card, Some(beyond), i, both.then_some(end));
                                moves.push((3, -leads.unwrap_or(-1), play));
                            }
                        }
                    }
                }
            }
            if self.rights.reclaim && law.reclaim != Reclaim::None && !self.pending.contains(&card) {
                for (i, meld) in self.melds.iter().enumerate().filter(|&(i, _)| (self.from)(i)) {
                    let may = meld.is_run() || law.reclaim == Reclaim::All;
                    if may && law.wilds_in(meld) > 0 && law.reclaim(meld, card).is_ok() {
                        moves.push((2, value, Play::Reclaim { card, meld: i }));
                    }
                }
            }
        }
        list::sort_by_key(&mut moves, |&(class, value, _)| (class, value));
        moves.into_iter().map(|(_, _, play)| play).collect()
    }
}

/// The fewest cards of these values that come to `sum`.
fn fewest(mut values: Vec<i32>, sum: i32) -> usize {
    list::sort_by_key(&mut values, |&value| std::cmp::Reverse(value));
    let reached = values.iter().scan(0, |reached, value| Some(std::mem::replace(reached, *reached + value)));
    reached.take_while(|&reached| reached < sum).count()
}

fn lay(card: Face, stands: Option<Face>, meld: usize, end: Option<End>) -> Play {
    Play::LayOff { card: DeclaredCard { card, stands }, meld, end }
}

/// The faces that fit somewhere on the table by themselves (S7), as one bit for each [`Face::index`].
#[must_use]
pub fn fitting(law: &Law, table: &[Meld], onto: &dyn Fn(usize) -> bool) -> u64 {
    let faces = law.pack.faces().chain([Face::JOKER]);
    faces.fold(0, |set, face| {
        let fits = table.iter().enumerate().any(|(i, m)| onto(i) && law.fit(m, face).any());
        set | u64::from(fits) << face.index()
    })
}

/// The counts after cards are taken from them, for callers that hold lists.
#[must_use]
pub fn without(hand: &Counts, cards: &[Face]) -> Counts {
    let used = counts_of(cards.iter().copied());
    std::array::from_fn(|i| hand[i].saturating_sub(used[i]))
}
