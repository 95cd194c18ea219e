//! S6 where the whole hand must be laid in runs of one size or longer, and jokers alone are wild.
//!
//! How many of the hand's naturals a shape covers is a sum over suits. So for each suit it is worked out once what so many runs of so many
//! cards cover at most, and remembered: of two hands that differ by a card three suits are alike. What the suits come to together is a
//! small search.

use super::fast::beside;
use super::need::Need;
use super::{Counts, presence};
use crate::meld::{Kind, Law, Suits};
use crate::options::{RunAce, WildBalance};
use cards::Face;
use std::collections::HashMap;

/// Cards of a contract beyond the smallest runs at most, and runs in one suit at most that are worked out.
const MORE: usize = 8;
const IN_SUIT: usize = 2;
/// Suits that are remembered at most.
const KNOWN: usize = 50_000;

/// What runs of one suit cover at most.
#[derive(Clone, Copy, Debug, Default)]
struct Covered {
    naturals: u8,
    /// The ranks that are missing from such runs, and those of which a card is left over, over all ways to cover as many.
    open: u16,
    free: u16,
    possible: bool,
    /// Whether something is missing, and whether from two of the runs in one of these ways.
    lacks: bool,
    apart: bool,
}

/// By the number of runs less one, and their cards beyond the smallest.
type Suit = [[Covered; MORE + 1]; IN_SUIT];

/// Measures hands of one round.
#[derive(Debug)]
pub struct Whole {
    /// Suits of the pack, and the fewest naturals of a meld.
    suits: usize,
    naturals: u8,
    /// Runs of the contract, and cards of the smallest.
    runs: usize,
    size: usize,
    /// Cards beyond the smallest that are worked out.
    most: usize,
    /// The most wilds of a run.
    cap: u8,
    /// The ranks of each run and of each two runs, one bit each. By their cards beyond the smallest.
    ways: [[Vec<(u16, u16)>; MORE + 1]; IN_SUIT],
    /// What suits come to, by the ranks of which there is a card, and another one, and by the most cards beyond the smallest.
    known: HashMap<(u16, u16, usize), Suit>,
}

impl Whole {
    /// None for contracts and laws of other kinds.
    #[must_use]
    pub fn new(law: &Law) -> Option<Whole> {
        let [contract] = &law.contracts[..] else { return None };
        let size = contract.first()?.first()?.size;
        let runs = contract.iter().all(|slot| {
            slot.len() == 1
                && slot[0].kind == Kind::Run
                && slot[0].suits == Suits::One
                && !slot[0].distinct
                && (slot[0].size, slot[0].wilds) == (size, 255)
        });
        let plain = law.all
            && !law.exact
            && law.wild == 1
            && law.wild_kinds[Kind::Run as usize]
            && law.skips == 0
            && law.ace != RunAce::Corner
            && law.wild_ends
            && law.wild_adjacent
            && law.opening == 0
            && law.wild_cap > 0
            && law.balance == WildBalance::None
            && law.per_suit == 255;
        if !runs || !plain {
            return None;
        }
        let longest = (usize::from(size) + MORE).min(law.run_max.into()).min(law.ranks.into()) as u8;
        let mut places = Vec::new();
        for len in size..=longest {
            for low in law.first()..=(law.last() + 1).saturating_sub(len) {
                places.push((low, len, (low..low + len).fold(0_u16, |set, at| set | 1 << law.rank_at(at))));
            }
        }
        let mut ways: [[Vec<(u16, u16)>; MORE + 1]; IN_SUIT] = Default::default();
        for (i, &(low, len, one)) in places.iter().enumerate() {
            let more = usize::from(len - size);
            ways[0][more].push((one, 0));
            for &(other, long, two) in &places[i..] {
                let fine = beside(law, (low, len), (other, long));
                let both = ways[1].get_mut(more + usize::from(long - size)).filter(|_| fine);
                both.into_iter().for_each(|ways| ways.push((one, two)));
            }
        }
        Some(Whole {
            suits: law.suits.into(),
            naturals: law.min_naturals,
            runs: contract.len(),
            size: size.into(),
            cap: law.wild_cap,
            // A longer run would have an ace at both ends.
            most: MORE.min(usize::from(law.ranks.checked_sub(size)?)),
            ways,
            known: HashMap::new(),
        })
    }

    /// What is missing from so many cards that are all laid, and which faces help and can be spared. None where that is not known at once. More wilds
    /// than one run may hold are taken to find their places in others: so it may come to less than the distance, where those lack nothing.
    pub fn need(&mut self, hand: &Counts, cards: usize) -> Option<(Need, u64)> {
        let wilds = hand[Face::JOKER.index()];
        if usize::from(wilds) > self.runs * usize::from(self.cap) {
            return None;
        }
        let more = cards.checked_sub(self.runs * self.size).filter(|&more| more <= self.most)?;
        let copies = |than: u8| presence(&hand.map(|held| held.saturating_sub(than))) & !1;
        if usize::from(wilds) + usize::from(self.naturals) >= self.size || copies(2) != 0 {
            return None;
        }
        let (one, two) = (copies(0), copies(1));
        let mut suits = [Suit::default(); 4];
        let mut held = [(0, 0); 4];
        for suit in 0..self.suits {
            held[suit] = ((one >> (16 * suit)) as u16, (two >> (16 * suit)) as u16);
            suits[suit] = self.suit(held[suit], more);
        }
        let mut best = Best {
            suits: &suits,
            held: &held,
            found: false,
            most: 0,
            open: [0; 4],
            free: [0; 4],
            apart: false,
            chosen: [None; 4],
        };
        best.find(0, self.runs, more, 0, false);
        if !best.found {
            return None;
        }
        // More runs in one suit than are worked out might cover as many.
        let all = |(one, two): (u16, u16)| one.count_ones() + two.count_ones();
        if self.runs > IN_SUIT && held.iter().any(|&held| all(held) >= best.most) {
            return None;
        }
        best.find(0, self.runs, more, 0, true);
        let faces = |ranks: [u16; 4]| (0..4).fold(0, |set, suit| set | u64::from(ranks[suit]) << (16 * suit));
        let missing = (cards - usize::from(wilds)).saturating_sub(best.most as usize) as u8;
        let (open, free) = (faces(best.open), faces(best.free));
        Some(match missing {
            0 => (Need { distance: 0, faces: 0 }, 0),
            // One more wild than a run may hold lies in another one.
            _ => {
                let joker = u64::from(wilds < self.cap || best.apart);
                (Need { distance: missing, faces: open | joker }, free)
            }
        })
    }

    /// What runs of a suit cover that have so many cards beyond the smallest at most.
    fn suit(&mut self, (one, two): (u16, u16), most: usize) -> Suit {
        if let Some(suit) = self.known.get(&(one, two, most)) {
            return *suit;
        }
        let mut suit = Suit::default();
        for (covered, ways) in suit.iter_mut().zip(&self.ways) {
            for (covered, ways) in covered.iter_mut().zip(ways).take(most + 1) {
                for &(first, second) in ways {
                    let (once, twice) = (first | second, first & second);
                    let naturals = ((once & one).count_ones() + (twice & two).count_ones()) as u8;
                    if !covered.possible || naturals > covered.naturals {
                        *covered = Covered { naturals, possible: true, ..Covered::default() };
                    }
                    if naturals == covered.naturals {
                        covered.open |= once & !one | twice & !two;
                        covered.free |= one & !once | two & !twice;
                        // What both lack of which there is one card is missing from either.
                        let (mine, others) = (first & !one != 0, second & !one != 0);
                        let either = (twice & one & !two).count_ones();
                        covered.lacks |= mine || others || either > 0;
                        covered.apart |= mine && others || (mine || others) && either > 0 || either > 1;
                    }
                }
            }
        }
        if self.known.len() == KNOWN {
            self.known.clear();
        }
        self.known.insert((one, two, most), suit);
        suit
    }
}

/// The search for how the runs are shared out among the suits.
struct Best<'a> {
    suits: &'a [Suit; 4],
    held: &'a [(u16, u16); 4],
    found: bool,
    most: u32,
    open: [u16; 4],
    free: [u16; 4],
    /// Whether something may be missing from two runs.
    apart: bool,
    /// What was chosen in each suit: nothing where no run lies.
    chosen: [Option<Covered>; 4],
}

impl Best<'_> {
    /// From this suit on, with so many runs and cards beyond the smallest to be shared out.
    fn find(&mut self, at: usize, runs: usize, more: usize, covered: u32, gather: bool) {
        if runs == 0 {
            if more > 0 {
                return;
            }
            self.found = true;
            self.chosen[at..].fill(None);
            if !gather {
                self.most = self.most.max(covered);
            } else if covered == self.most {
                for suit in 0..4 {
                    let (one, two) = self.held[suit];
                    self.open[suit] |= self.chosen[suit].map_or(0, |chosen| chosen.open);
                    self.free[suit] |= self.chosen[suit].map_or(one | two, |chosen| chosen.free);
                }
                let chosen = || self.chosen.iter().flatten();
                self.apart |=
                    chosen().any(|suit| suit.apart) || chosen().filter(|suit| suit.lacks).count() > 1;
            }
            return;
        }
        if at == 4 {
            return;
        }
        self.chosen[at] = None;
        self.find(at + 1, runs, more, covered, gather);
        for here in 1..=runs.min(IN_SUIT) {
            for with in 0..=more {
                let one = self.suits[at][here - 1][with];
                if one.possible {
                    self.chosen[at] = Some(one);
                    self.find(at + 1, runs - here, more - with, covered + u32::from(one.naturals), gather);
                }
            }
        }
    }
}
