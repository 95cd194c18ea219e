//! Judging a claim: refused for its shape, or right, or wrong and why (rulings ).

use super::{EIGHT, Open, PointSet, Sought, is_set, super_set, third};
use crate::claim::{Claim, Few};
use crate::race::Finding;
use crate::rules::{Grouping, Multiplicity, Pattern, Sources};
use arrayvec::ArrayVec;
use cards::Point;
use game::{Objections, Refusal, Say, say};

/// A claim of the right shape, judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// Right or wrong, and why.
    pub finding: Finding,
    /// The claim with its groups told apart and the pairs of its SuperSETs, where they could be found.
    pub claim: Claim,
    /// The cards it names, each once, codes ascending.
    pub cards: Few<{ Claim::MOST_CARDS }>,
}

/// CORE-8: the features that split two-and-one in three cards: bit 0 is the number, bit 1 the colour, and so on. None
/// for a Set.
#[must_use]
pub fn split_features(digits: usize, cards: [Point; 3]) -> u8 {
    let mut rest = cards.map(|card| card.0);
    (0..digits).rev().fold(0, |features, feature| {
        let sum: u8 = rest.iter().map(|r| r % 3).sum();
        rest = rest.map(|r| r / 3);
        features | u8::from(!sum.is_multiple_of(3)) << feature
    })
}

impl Sought {
    /// Judges a claim of the player to whom `open` is open.
    ///
    /// # Errors
    /// The shape does not fit this game: wrong numbers of groups or cards, a card twice in a group, a Set twice, a
    /// card that is not open to the player, no pairs where pairs are declared. That costs nothing.
    pub fn judge(self, open: &Open, claim: &Claim) -> Result<Judged, Refusal> {
        let mut no = Objections::new();
        no.also(self.shape(claim));
        if let Some(&card) = claim.cards().iter().find(|&&card| !open.all.has(card)) {
            let rules: &[_] = match self.sources {
                Sources::Layout => &["CORE-7", "Q-01"],
                Sources::Hand => &["CORE-7", "Q-01", "HANDS-2", "TWTY-3"],
                Sources::Previous => &["CORE-7", "Q-01", "CHAIN-3"],
            };
            no.object(rules, say!("no_pattern.not_open", card = self.deck.text(card)));
        }
        no.settle()?;
        let grouped = if claim.len() == 1 && self.multiplicity != Multiplicity::Single {
            self.regroup(open, claim.cards())
        } else {
            Some(self.paired(claim))
        };
        let finding = match &grouped {
            None => Finding::NoSplit,
            Some(claim) => self.finding(open, claim),
        };
        let cards = PointSet::of(claim.cards()).iter().collect();
        Ok(Judged { finding, claim: grouped.unwrap_or_else(|| claim.clone()), cards })
    }

    /// The rules that say what a claim of this game looks like.
    fn claim_rules(self) -> Vec<&'static str> {
        let mut rules = vec!["Q-01"];
        rules.push(match self.pattern {
            Pattern::Set => "PAT-SET",
            Pattern::Super => "PAT-SUPER",
            Pattern::Ultra1 | Pattern::Ultra2 => "PAT-ULTRA",
        });
        rules.extend_from_slice(match (self.pattern, self.pairing) {
            (Pattern::Set, _) => &["SET-2"],
            (Pattern::Super, Grouping::Auto) => &["SUPH-2"],
            (Pattern::Super, Grouping::Declared) => &["SUPW-1", "SUPH-2"],
            (Pattern::Ultra1, _) => &["ULTRA-2"],
            (Pattern::Ultra2, _) => &["ULT9-2"],
        });
        rules.extend_from_slice(match self.multiplicity {
            Multiplicity::Single => &[],
            Multiplicity::Double => &["PAT-DOUBLE", "DBL-1", "DBL-3"],
            Multiplicity::Eight => &["PAT-EIGHT", "EIGHT-2", "EIGHT-3"],
        });
        rules.extend_from_slice(match self.sources {
            Sources::Layout => &[],
            Sources::Hand => &["HANDS-2", "TWTY-3"],
            Sources::Previous => &["CHAIN-2", "CHAIN-3"],
        });
        rules
    }

    /// whether the shape of a claim fits this game, whatever its cards are.
    ///
    /// # Errors
    /// What does not fit, with the rules that say so.
    pub fn shape(self, claim: &Claim) -> Result<(), Refusal> {
        let refuse = |say: Say| Err(Refusal::new(&self.claim_rules(), say));
        let size = self.size();
        let auto = self.grouping == Grouping::Auto;
        let groups = claim.len();
        let grouped = claim.groups().all(|group| group.len() == size);
        let fits = match self.multiplicity {
            Multiplicity::Single => groups == 1 && grouped,
            Multiplicity::Double => {
                groups == 2 && grouped || auto && groups == 1 && claim.cards().len() == 2 * size
            }
            Multiplicity::Eight => {
                (3..=4).contains(&groups) && grouped
                    || auto && groups == 1 && (EIGHT..=4 * size).contains(&claim.cards().len())
            }
        };
        if !fits {
            return refuse(match (self.multiplicity, size) {
                (Multiplicity::Single, 4) => say!("no_pattern.claim_super"),
                (Multiplicity::Single, _) => say!("no_pattern.claim_set"),
                (Multiplicity::Double, 4) => say!("no_pattern.claim_two_supers"),
                (Multiplicity::Double, _) => say!("no_pattern.claim_two_sets"),
                (Multiplicity::Eight, 4) => say!("no_pattern.claim_many_supers"),
                (Multiplicity::Eight, _) => say!("no_pattern.claim_many_sets"),
            });
        }
        if claim.paired() && self.pattern != Pattern::Super {
            return refuse(say!("no_pattern.pairs_in_super"));
        }
        if !claim.paired() && self.pattern == Pattern::Super && self.pairing == Grouping::Declared {
            return refuse(say!("no_pattern.name_pairs"));
        }
        for group in claim.groups() {
            if let Some((i, card)) = group.iter().enumerate().find(|(i, card)| group[..*i].contains(card)) {
                debug_assert!(i > 0);
                let mut rules = self.claim_rules();
                rules.push("Q-28");
                return Err(Refusal::new(
                    &rules,
                    say!("no_pattern.named_twice", card = self.deck.text(*card)),
                ));
            }
        }
        let sets: ArrayVec<PointSet, { Claim::MOST_GROUPS }> = claim.groups().map(PointSet::of).collect();
        if (1..sets.len()).any(|i| sets[..i].contains(&sets[i])) {
            return refuse(say!("no_pattern.same_twice"));
        }
        Ok(())
    }

    /// The claim with the pairs of its SuperSETs found, where the server is to find them.
    fn paired(self, claim: &Claim) -> Claim {
        if self.pattern != Pattern::Super || self.pairing == Grouping::Declared {
            return claim.clone();
        }
        let mut paired = Claim::new();
        for group in claim.groups() {
            let split = group.try_into().ok().and_then(super_set);
            let Some(([a, b], [c, d], _)) = split else { return claim.clone() };
            paired.push(&[a, b, c, d]);
        }
        paired.set_paired();
        paired
    }

    /// Tells the patterns apart in cards that were named in one go; none if they do not make up a claim.
    fn regroup(self, open: &Open, cards: &[Point]) -> Option<Claim> {
        let mut within = open.clone();
        let named = PointSet::of(cards);
        within.all = open.all.and(&named);
        let plain = Sought { min_personal: 0, pairing: Grouping::Auto, ..self };
        let mut best: Option<Claim> = None;
        let _ = plain.each(&within, |found| {
            let covered = found.iter().fold(PointSet::EMPTY, |all, f| all.or(&f.points()));
            if covered == named && best.as_ref().is_none_or(|b| b.len() < found.len()) {
                best = Some(self.claim(found));
            }
            let enough =
                best.as_ref().is_some_and(|b| self.multiplicity == Multiplicity::Double || b.len() == 4);
            if enough { std::ops::ControlFlow::Break(()) } else { std::ops::ControlFlow::Continue(()) }
        });
        best
    }

    /// A claim whose groups are told apart.
    fn finding(self, open: &Open, claim: &Claim) -> Finding {
        let mut joint = None;
        for (number, group) in claim.groups().enumerate() {
            let number = number as u8;
            match *group {
                [a, b, c] => {
                    if !is_set(a, b, c) {
                        let features = split_features(self.deck.digits(), [a, b, c]);
                        return Finding::Split { group: number, features };
                    }
                    if self.ultra() && !open.zones_fit(a, b, c) {
                        return Finding::Places { group: number };
                    }
                    if !open.link_fits(group) {
                        return Finding::Link;
                    }
                }
                [a, b, c, d] => {
                    let declared = self.pairing == Grouping::Declared;
                    let of_pairs = third(a, b);
                    let right = match super_set([a, b, c, d]) {
                        Some((_, _, found)) => (!declared || of_pairs == third(c, d)).then_some(found),
                        None => None,
                    };
                    let Some(found) = right else { return Finding::NoSuper { group: number } };
                    joint = joint.or(Some(found));
                }
                _ => return Finding::NoSplit,
            }
        }
        let sets: ArrayVec<PointSet, { Claim::MOST_GROUPS }> = claim.groups().map(PointSet::of).collect();
        let covered = sets.iter().fold(PointSet::EMPTY, |all, set| all.or(set));
        match self.multiplicity {
            Multiplicity::Single => {}
            Multiplicity::Double => {
                if sets[0].meets(&sets[1]) {
                    return Finding::Overlap;
                }
            }
            Multiplicity::Eight => {
                if covered.len() < EIGHT || !self.each_adds(&sets) {
                    return Finding::TooFew;
                }
            }
        }
        if !self.personal(open, &covered) {
            return Finding::NoPersonal;
        }
        Finding::Right { joint }
    }
}
