//! Melds on the way: cards put together for a slot of a contract, and what they still need.
//!
//! They are judged by what judges the contract itself. A meld that is not yet long enough is on the way if some cards
//! would make it one that fills the slot.

use super::law::{Faults, Scope};
use super::{Choice, DeclaredCard, DeclaredMeld, Kind, Law, Meld, Placed, Suits, Want};
use crate::hand::FaceSet;
use cards::{Face, list};
use game::{Refusal, say};

/// Cards that a player has put together for one meld.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prepared {
    /// The cards, in the order in which they were put there.
    pub cards: Vec<Face>,
    /// Of a run, the position where it is to begin, where its wilds leave a choice; what cannot be is as if not said.
    pub low: Option<u8>,
}

/// How prepared cards stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// No card is there yet.
    Empty,
    /// They are on the way.
    Needs {
        /// Fewest cards that are missing.
        cards: usize,
        /// The naturals among which the missing ones are.
        faces: FaceSet,
    },
    /// They fill the slot, as this meld.
    Good(Meld),
    /// They cannot become what the slot asks for.
    Wrong(Refusal),
}

/// Cards more than it has that a meld may need where slots set no upper limit.
const MORE: usize = 3;

impl Law {
    /// Judges the cards prepared for a slot.
    #[must_use]
    pub fn judge_prepared(&self, slot: &Choice, prepared: &Prepared) -> Judgement {
        if prepared.cards.is_empty() {
            return Judgement::Empty;
        }
        let (mut needs, mut wrong) = (None, None);
        for want in slot {
            match self.judge_for(want, prepared) {
                good @ Judgement::Good(_) => return good,
                Judgement::Wrong(why) => {
                    wrong.get_or_insert(Judgement::Wrong(why));
                }
                other => {
                    needs.get_or_insert(other);
                }
            }
        }
        needs.or(wrong).unwrap_or(Judgement::Empty)
    }

    fn judge_for(&self, want: &Want, prepared: &Prepared) -> Judgement {
        let cards = &prepared.cards;
        let placed = self.placed(&self.as_said(want, prepared), want.suits);
        let mut faults = match placed {
            Err(faults) => faults,
            Ok(meld) => match self.parts_of(&meld, want) {
                Ok(_) => return Judgement::Good(meld),
                // That it is too short is the least that can be said of it.
                Err(faults) => {
                    let mut all = self.faults(&meld, Scope::Contract(want));
                    all.join(faults);
                    all
                }
            },
        };
        let (size, have) = (usize::from(want.size), cards.len());
        let most = if self.exact && !self.same_turn { size } else { size.max(have + MORE) };
        for length in size.max(have + 1)..=most {
            let faces = self.completed(want, cards, length);
            if faces != FaceSet::default() {
                return Judgement::Needs { cards: length - have, faces };
            }
        }
        if faults.none() {
            faults = Faults::default();
            faults.add(&["CR-MELD-5"], || say!("no_contract.not_the_meld"));
        }
        Judgement::Wrong(faults.refusal(self.lineage))
    }

    /// The cards as a player would say a meld of this kind: those of a run ascending, wilds where they are wanted.
    #[must_use]
    pub fn as_said(&self, want: &Want, prepared: &Prepared) -> DeclaredMeld {
        let plain = |cards: &[Face]| DeclaredMeld {
            kind: want.kind,
            cards: cards.iter().map(|&c| c.into()).collect(),
        };
        let cards = &prepared.cards;
        if want.kind != Kind::Run {
            return plain(cards);
        }
        if let Some(said) = prepared.low.and_then(|low| self.run_from(want.suits, cards, low)) {
            return said;
        }
        let (mut run, wilds): (Vec<Face>, Vec<Face>) = cards.iter().partition(|&&card| !self.is_wild(card));
        list::sort_by_key(&mut run, |c| c.rank());
        // A run begins behind the widest gap: an ace goes to whichever end has its neighbours, and a run may go round the
        // corner.
        let gap = |i: usize| {
            let before = run[(i + run.len() - 1) % run.len()].rank();
            (run[i].rank() + self.ranks - before) % self.ranks
        };
        let first = (0..run.len()).rev().max_by_key(|&i| gap(i)).unwrap_or(0);
        run.rotate_left(first);
        run.extend(wilds);
        plain(&run)
    }

    /// The cards as a run of one suit that begins at `low`, wilds in the places that are left; none if that cannot be.
    fn run_from(&self, suits: Suits, cards: &[Face], low: u8) -> Option<DeclaredMeld> {
        let fits = cards.len() <= usize::from(self.run_max) && low >= self.first();
        if suits != Suits::One || !fits || usize::from(low) + cards.len() > usize::from(self.last()) + 1 {
            return None;
        }
        let (mut rest, mut wilds): (Vec<Face>, Vec<Face>) =
            cards.iter().partition(|&&card| !self.is_wild(card));
        let suit = rest.first()?.suit();
        let run = (low..).take(cards.len()).map(|position| {
            let face = Face::new(suit, self.rank_at(position));
            match rest.iter().position(|&card| card == face) {
                Some(at) => Some(rest.swap_remove(at).into()),
                None => Some(DeclaredCard { card: wilds.pop()?, stands: Some(face) }),
            }
        });
        Some(DeclaredMeld { kind: Kind::Run, cards: run.collect::<Option<_>>()? })
    }

    /// The positions where a run of these cards that fills the slot could begin: more than one where wilds leave a choice.
    #[must_use]
    pub fn beginnings(&self, slot: &Choice, cards: &[Face]) -> Vec<u8> {
        if !cards.iter().any(|&card| self.is_wild(card)) {
            return Vec::new();
        }
        let begins = |want: &Want, low: u8| {
            self.run_from(want.suits, cards, low)
                .and_then(|said| self.placed(&said, want.suits).ok())
                .is_some_and(|meld| self.parts_of(&meld, want).is_ok())
        };
        let runs = || slot.iter().filter(|want| want.kind == Kind::Run);
        (self.first()..=self.ranks).filter(|&low| runs().any(|want| begins(want, low))).collect()
    }

    /// The naturals that could be among those which make `length` cards of these that fill the slot; none if nothing does.
    fn completed(&self, want: &Want, cards: &[Face], length: usize) -> FaceSet {
        let mut found = 0;
        if want.kind == Kind::Run {
            let lows = self.first()..=self.ranks;
            for low in lows.filter(|&low| usize::from(low) + length <= usize::from(self.last()) + 1) {
                for (run, faces) in self.runs_with(want.suits, cards, low, length) {
                    if self.parts_of(&run, want).is_ok() {
                        found |= faces;
                    }
                }
            }
            return FaceSet(found);
        }
        if want.kind == Kind::Flush {
            return FaceSet(self.flushed(want, cards, length));
        }
        let mut naturals = cards.iter().filter(|&&card| !self.is_wild(card)).map(|card| card.rank());
        let ranks = match naturals.next() {
            Some(rank) if naturals.all(|other| other == rank) => rank..=rank,
            Some(_) => return FaceSet::default(),
            None => 1..=self.ranks,
        };
        for rank in ranks {
            let mut group: Vec<Placed> = cards.iter().map(|&card| self.in_group(card, rank)).collect();
            let there = |group: &[Placed], suit| {
                group.iter().any(|&c| !self.counts_as_wild(c) && c.card.suit() == suit)
            };
            let free =
                |group: &[Placed]| (0..self.suits).filter(|&suit| !there(group, suit)).collect::<Vec<_>>();
            let fresh = free(&group);
            while group.len() < length {
                let suit = free(&group).first().copied().unwrap_or_default();
                group.push(self.in_group(Face::new(suit, rank), rank));
            }
            let mut meld = Meld { kind: want.kind, suits: Suits::One, low: rank, cards: group };
            self.sort_group(&mut meld);
            if self.parts_of(&meld, want).is_ok() {
                let any =
                    if want.distinct || self.distinct_suits { fresh } else { (0..self.suits).collect() };
                found |= any.iter().fold(0, |set, &suit| set | 1 << Face::new(suit, rank).index());
            }
        }
        FaceSet(found)
    }

    /// The naturals that could be among those which make a flush of `length` of these cards for the slot.
    fn flushed(&self, want: &Want, cards: &[Face], length: usize) -> u64 {
        let mut found = 0;
        for low in (0..self.suits).filter(|&suit| self.flush_of(want.suits, suit) == suit) {
            let mut meld = Meld { kind: Kind::Flush, suits: want.suits, low, cards: Vec::new() };
            let there = |face: &Face| self.belongs(&meld, *face) && !self.is_skip(*face);
            let fresh: Vec<Face> = self.pack.faces().filter(there).collect();
            let fits = |&card: &Face| self.is_wild(card) || self.belongs(&meld, card);
            let Some(&first) = fresh.iter().find(|&&face| !self.is_wild(face)).or(fresh.first()) else {
                continue;
            };
            if !cards.iter().all(fits) {
                continue;
            }
            let mut laid: Vec<Placed> = cards.iter().map(|&card| self.inside(&meld, card)).collect();
            laid.resize(length, self.inside(&meld, first));
            meld.cards = laid;
            self.sort_group(&mut meld);
            if self.parts_of(&meld, want).is_ok() {
                found |= fresh.iter().fold(0, |set, face| set | 1 << face.index());
            }
        }
        found
    }

    /// Runs of `length` from `low` on with these cards in them, their wilds in some of the places that are left, and the
    /// naturals that fill the others.
    fn runs_with(
        &self,
        suits: Suits,
        cards: &[Face],
        low: u8,
        length: usize,
    ) -> impl Iterator<Item = (Meld, u64)> {
        let mut known: Vec<Option<Face>> = vec![None; length];
        let place = |known: &mut Vec<Option<Face>>, card: Face| {
            let free = |(at, face): (usize, &Option<Face>)| {
                (face.is_none() && self.rank_at(low + at as u8) == card.rank()).then_some(at)
            };
            let at = known.iter().enumerate().find_map(free);
            at.is_some_and(|at| known[at].replace(card).is_none())
        };
        let (wilds, naturals): (Vec<Face>, Vec<Face>) = cards.iter().partition(|&&card| self.is_wild(card));
        let mut fits = naturals.iter().all(|&card| place(&mut known, card));
        // Every place gets a suit: that of its card, else one that agrees with its neighbour's.
        let first = known.iter().flatten().next().map_or(0, |card| card.suit());
        let mut stands: Vec<Face> = Vec::with_capacity(length);
        let ahead = known.iter().position(Option::is_some).unwrap_or(0);
        for (at, card) in known.iter().enumerate() {
            let beside = |suit| self.suit_beside(suits, suit);
            let suit = match (card, stands.last()) {
                (Some(card), _) => card.suit(),
                (None, Some(left)) => beside(left.suit()),
                (None, None) if ahead % 2 == 1 => beside(first),
                (None, None) => first,
            };
            stands.push(Face::new(suit, self.rank_at(low + at as u8)));
        }
        fits &= stands.windows(2).all(|w| self.suits_agree(suits, w[1].suit(), w[0].suit()));
        let mut free: Vec<usize> = (0..length).filter(|&at| known[at].is_none()).collect();
        fits &= free.len() >= wilds.len();
        // A wild may have to lie at an end or inside, beside another or apart.
        let orders: Vec<Vec<usize>> = if fits {
            let apart: Vec<usize> =
                free.iter().step_by(2).chain(free.iter().skip(1).step_by(2)).copied().collect();
            let inside = free.iter().copied().filter(|&at| at > 0 && at + 1 < length);
            let inside: Vec<usize> =
                inside.chain([0, length - 1].into_iter().filter(|at| free.contains(at))).collect();
            let forwards = free.clone();
            free.reverse();
            vec![forwards, free, inside, apart]
        } else {
            Vec::new()
        };
        orders.into_iter().map(move |order| {
            let mut cards: Vec<Placed> =
                stands.iter().map(|&stands| Placed { card: stands, stands }).collect();
            let (with_wilds, missing) = order.split_at(wilds.len());
            for (&at, &wild) in with_wilds.iter().zip(&wilds) {
                cards[at].card = wild;
            }
            // Any suit that agrees with its neighbours' would do.
            let agrees = |suit: u8, at: Option<usize>| {
                let beside = at.and_then(|at| stands.get(at));
                beside.is_none_or(|face| self.suits_agree(suits, suit, face.suit()))
            };
            let mut faces = 0;
            for &at in missing {
                for suit in
                    (0..self.suits).filter(|&s| agrees(s, at.checked_sub(1)) && agrees(s, Some(at + 1)))
                {
                    faces |= 1 << Face::new(suit, stands[at].rank()).index();
                }
            }
            (Meld { kind: Kind::Run, suits, low, cards }, faces)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{RunAce, WildBalance};

    fn faces(text: &str) -> Vec<Face> {
        text.split_whitespace().map(|t| t.parse().unwrap()).collect()
    }

    fn want(kind: Kind, size: u8) -> Want {
        Want { kind, size, wilds: 255, distinct: false, suits: Suits::One, rank: 0 }
    }

    /// What is said of some cards prepared for a slot: the meld, what is missing and among which cards, or the rules that
    /// stand in the way.
    fn told(law: &Law, slot: &[Want], cards: &str, low: Option<u8>) -> String {
        let slot: Choice = slot.iter().copied().collect();
        match law.judge_prepared(&slot, &Prepared { cards: faces(cards), low }) {
            Judgement::Empty => "empty".into(),
            Judgement::Needs { cards, faces } => {
                format!("needs {cards} of {}", law.pack.text_all(&faces.faces().collect::<Vec<_>>()))
            }
            Judgement::Good(meld) => meld.text(&law.pack),
            Judgement::Wrong(why) => format!("wrong: {}", why.rules.join(" ")),
        }
    }

    #[test]
    fn prepared_cards_are_judged_as_they_come() {
        let law = Law::default();
        let check = |want, cards, expected| assert_eq!(told(&law, &[want], cards, None), expected, "{cards}");
        let (group, run) = (want(Kind::Group, 3), want(Kind::Run, 4));
        check(group, "", "empty");
        check(group, "5H 5D", "needs 1 of 5C 5D 5H 5S");
        check(group, "JK JK 5D", "G[5D JK JK]");
        check(group, "5H JK 5D", "G[5D 5H JK]");
        check(group, "5H 6D", "wrong: CR-MELD-2");
        check(group, "5H 5D 5S 5C", "wrong: CR-MELD-5 CR-MELD-2 A-12");
        check(Want { distinct: true, ..group }, "5H 5D", "needs 1 of 5C 5S");
        check(Want { distinct: true, ..group }, "5H 5H", "wrong: CR-MELD-2 CR-MELD-5 A-12");
        check(Want { wilds: 0, ..group }, "5H JK", "wrong: CR-MELD-5 CR-MELD-2 A-08 A-12");
        check(run, "6H 4H", "needs 2 of 3H 5H 7H");
        check(run, "AH JH JK", "needs 1 of QH KH");
        check(run, "9H 4H", "wrong: CR-MELD-1 A-09");
        check(run, "7H 4H 6H 5H", "R[4H 5H 6H 7H]");
        check(run, "QH AH KH JH", "R[JH QH KH AH]");
        check(run, "2H AH 3H 4H", "R[AH 2H 3H 4H]");
        check(run, "7H 4H 6S 5H", "wrong: CR-MELD-1");
        check(Want { suits: Suits::Alternate, size: 3, ..run }, "5C 7S", "needs 1 of 6D 6H");
        let flush = want(Kind::Flush, 4);
        check(flush, "5H JK KH", "needs 1 of AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH");
        check(flush, "5H 9H JK KH", "F[5H 9H KH JK]");
        check(flush, "5H 9D", "wrong: HR-SLOT-2");
        check(Want { suits: Suits::Colour, ..flush }, "5H 9D KH 9D", "F[9D 9D 5H KH]");
    }

    #[test]
    fn what_limits_wilds_is_known_before_the_meld_is_whole() {
        let law = Law { wild_ends: false, balance: WildBalance::More, ..Law::default() };
        let check = |want, cards, expected| assert_eq!(told(&law, &[want], cards, None), expected, "{cards}");
        // The wild must not stand at an end: the run reaches on beyond it.
        check(want(Kind::Run, 4), "5H JK 6H", "needs 1 of 3H 8H");
        check(want(Kind::Run, 4), "5H JK JK", "wrong: CR-MELD-1 CR-MELD-5 A-08 A-06 A-12");
        check(want(Kind::Group, 3), "5H JK JK", "wrong: A-08");
        let longer = Law { exact: false, ..law.clone() };
        assert_eq!(told(&longer, &[want(Kind::Group, 3)], "5H JK JK", None), "needs 2 of 5C 5D 5H 5S");
    }

    #[test]
    fn runs_go_round_the_corner_where_they_may() {
        let law = Law { ace: RunAce::Corner, run_max: 13, ..Law::default() };
        let run = want(Kind::Run, 4);
        let check = |cards, low, expected| assert_eq!(told(&law, &[run], cards, low), expected, "{cards}");
        check("2H KH AH QH", None, "R[QH KH AH 2H]");
        check("3H AH 2H KH", None, "R[KH AH 2H 3H]");
        check("AH JH QH KH", None, "R[JH QH KH AH]");
        check("4H 3H 2H AH", None, "R[AH 2H 3H 4H]");
        check("2H JK KH AH", Some(12), "R[JK=QH KH AH 2H]");
        check("2H KH", None, "needs 2 of AH 3H QH");
        let slot: Choice = [run].into_iter().collect();
        assert_eq!(law.beginnings(&slot, &faces("2H JK KH AH")), [12, 13]);
    }

    #[test]
    fn a_wild_at_the_end_of_a_run_leaves_a_choice() {
        let law = Law::default();
        let slot: Choice = [want(Kind::Run, 4)].into_iter().collect();
        assert_eq!(law.beginnings(&slot, &faces("5H 6H 7H JK")), [4, 5]);
        assert_eq!(law.beginnings(&slot, &faces("5H 6H 8H JK")), [5]);
        assert!(law.beginnings(&slot, &faces("5H 6H 7H 8H")).is_empty());
        assert_eq!(told(&law, &slot, "5H 6H 7H JK", Some(4)), "R[JK=4H 5H 6H 7H]");
        assert_eq!(told(&law, &slot, "5H 6H 7H JK", Some(11)), "R[5H 6H 7H JK=8H]");
    }

    #[test]
    fn a_slot_may_be_one_of_several_things() {
        let law = Law::default();
        let slot = [want(Kind::Group, 3), want(Kind::Run, 3)];
        assert_eq!(told(&law, &slot, "5H 6H 7H", None), "R[5H 6H 7H]");
        assert_eq!(told(&law, &slot, "5H", None), "needs 2 of 5C 5D 5H 5S");
        assert_eq!(told(&law, &slot, "5H 7H", None), "needs 1 of 6H");
    }
}
