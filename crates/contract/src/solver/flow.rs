//! How many cards melds that want the same ones hold together: the largest flow from cards to melds.
//!
//! Groups want cards by rank and flushes by suit, so that one card may be wanted by both, and giving it to one may move others.
//! Cards are given out one by one, and what lies somewhere is moved on where that makes room.

use super::Counts;
use cards::Face;

/// A meld, or several places, that cards are given to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taker {
    /// The faces that may lie there as themselves, one bit for each [`Face::index`].
    pub naturals: u64,
    /// Whether each of them only once.
    pub once: bool,
    /// The wild faces that may not lie there as wilds.
    pub never_wild: u64,
    /// The most cards.
    pub cards: u16,
    /// The most wilds.
    pub wilds: u16,
}

/// The most of these cards that the takers hold together; `wild` are the faces that may lie anywhere.
pub(super) fn most(held: &Counts, wild: u64, takers: &[Taker]) -> u16 {
    let faces: Vec<usize> = (0..Face::COUNT).filter(|&i| held[i] > 0).collect();
    let none = vec![vec![0u8; takers.len()]; faces.len()];
    let mut flow = Flow {
        takers,
        wild,
        faces: &faces,
        naturals: none.clone(),
        wilds: none,
        cards: vec![(0, 0); takers.len()],
        seen: Seen::default(),
    };
    let mut given = 0;
    for (at, &face) in faces.iter().enumerate() {
        for _ in 0..held[face] {
            flow.seen = Seen {
                faces: vec![false; faces.len()],
                takers: vec![false; takers.len()],
                wilds: vec![false; takers.len()],
            };
            if !flow.give(at) {
                break;
            }
            given += 1;
        }
    }
    given
}

/// What has been looked at since a card was given out.
#[derive(Default)]
struct Seen {
    faces: Vec<bool>,
    takers: Vec<bool>,
    wilds: Vec<bool>,
}

struct Flow<'a> {
    takers: &'a [Taker],
    wild: u64,
    faces: &'a [usize],
    /// For each face and taker, how many lie there as themselves, and as wilds.
    naturals: Vec<Vec<u8>>,
    wilds: Vec<Vec<u8>>,
    /// For each taker its cards, and how many of them are wilds.
    cards: Vec<(u16, u16)>,
    seen: Seen,
}

impl Flow<'_> {
    /// Gives one card of a face to some taker.
    fn give(&mut self, at: usize) -> bool {
        if std::mem::replace(&mut self.seen.faces[at], true) {
            return false;
        }
        let bit = 1u64 << self.faces[at];
        for (to, taker) in self.takers.iter().enumerate() {
            let itself = taker.naturals & bit != 0 && !(taker.once && self.naturals[at][to] > 0);
            if itself && self.enter(to) {
                self.naturals[at][to] += 1;
                return true;
            }
            if self.wild & !taker.never_wild & bit != 0 && self.enter_wild(to) {
                self.wilds[at][to] += 1;
                return true;
            }
        }
        false
    }

    /// Makes room for one more card with a taker, and counts it.
    fn enter(&mut self, to: usize) -> bool {
        if std::mem::replace(&mut self.seen.takers[to], true) {
            return false;
        }
        if self.cards[to].0 < self.takers[to].cards {
            self.cards[to].0 += 1;
            return true;
        }
        for at in 0..self.faces.len() {
            if self.naturals[at][to] > 0 && self.give(at) {
                self.naturals[at][to] -= 1;
                return true;
            }
        }
        if std::mem::replace(&mut self.seen.wilds[to], true) || !self.move_wild(to) {
            return false;
        }
        self.cards[to].1 -= 1;
        true
    }

    /// Makes room for one more wild with a taker, and counts it.
    fn enter_wild(&mut self, to: usize) -> bool {
        if std::mem::replace(&mut self.seen.wilds[to], true) {
            return false;
        }
        if self.cards[to].1 < self.takers[to].wilds && self.enter(to) {
            self.cards[to].1 += 1;
            return true;
        }
        self.move_wild(to)
    }

    /// Moves a wild on to another taker.
    fn move_wild(&mut self, to: usize) -> bool {
        for at in 0..self.faces.len() {
            if self.wilds[at][to] > 0 && self.give(at) {
                self.wilds[at][to] -= 1;
                return true;
            }
        }
        false
    }
}
