//! Melds on the table: what may be laid off on them, and what they give back.

use super::law::{Faults, Scope};
use super::{DeclaredCard, Kind, Law, Meld, Placed, Suits};
use crate::options::{Reclaim, RunAce, WildBalance, WildPlace};
use cards::Face;
use game::{Refusal, say};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RunEnd")]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// Below the lowest card.
    Low,
    /// Above the highest card.
    High,
}

/// Where a single card fits on a meld (S7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fit {
    /// At the low end of a run.
    pub low: bool,
    /// At the high end of a run.
    pub high: bool,
    /// In a group or flush; or in a run in the place of a wild that moves to an end (`wild.place`).
    pub inside: bool,
}

impl Fit {
    /// Whether the card fits at all.
    #[must_use]
    pub const fn any(self) -> bool {
        self.low || self.high || self.inside
    }

    /// Whether an end must be named to know what is meant.
    #[must_use]
    pub const fn both_ends(self) -> bool {
        self.low && self.high
    }
}

/// A wild taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reclaimed {
    /// The meld with the natural in the wild's place.
    pub meld: Meld,
    /// The wild that goes to hand.
    pub wild: Face,
}

impl Law {
    /// The face that stands beside a run at an end, for a card laid there; none if there is no place.
    #[must_use]
    pub fn beyond(&self, meld: &Meld, end: End) -> Option<Face> {
        if !meld.is_run() || meld.len() >= usize::from(self.run_max) {
            return None;
        }
        let (position, neighbour) = match end {
            End::Low if self.ace == RunAce::Corner => {
                ((meld.low + self.ranks - 2) % self.ranks + 1, meld.cards.first()?)
            }
            End::Low => (meld.low.checked_sub(1).filter(|&p| p >= self.first())?, meld.cards.first()?),
            End::High => {
                let position = meld.high() + 1;
                if position > self.last() + u8::from(self.ace == RunAce::Corner) {
                    return None;
                }
                (position, meld.cards.last()?)
            }
        };
        let suit = self.suit_beside(meld.suits, neighbour.stands.suit());
        Some(Face::new(suit, self.rank_at(position)))
    }

    /// Whether `card` fits on `meld` by itself, and where (S7). A wild is tried as a wild; a wild that is a natural in
    /// that place, as either.
    #[must_use]
    pub fn fit(&self, meld: &Meld, card: Face) -> Fit {
        let mut fit = Fit::default();
        if self.is_skip(card) {
            return fit;
        }
        if !meld.is_run() {
            if !self.is_wild(card) && !self.belongs(meld, card) {
                return fit;
            }
            fit.inside = self.legal_with(meld, self.inside(meld, card));
            return fit;
        }
        for end in [End::Low, End::High] {
            let Some(placed) = self.at_end(meld, card, None, end) else { continue };
            if self.legal_at_end(meld, placed, end) {
                match end {
                    End::Low => fit.low = true,
                    End::High => fit.high = true,
                }
            }
        }
        if self.place != WildPlace::Fixed && !fit.low && !fit.high {
            fit.inside = self.push_wild(meld, card, None).is_some();
        }
        fit
    }

    /// The card as it would lie at that end: itself, or as a wild what belongs there. None if it does not belong there.
    fn at_end(&self, meld: &Meld, card: Face, declared: Option<Face>, end: End) -> Option<Placed> {
        let beyond = self.beyond(meld, end)?;
        let neighbour = match end {
            End::Low => meld.cards.first()?,
            End::High => meld.cards.last()?,
        };
        let belongs = |face: Face| {
            face.rank() == beyond.rank()
                && !face.is_joker()
                && self.suits_agree(meld.suits, face.suit(), neighbour.stands.suit())
        };
        match declared {
            Some(stands) => belongs(stands).then_some(Placed { card, stands }),
            None if belongs(card) => Some(Placed { card, stands: card }),
            None => self.is_wild(card).then_some(Placed { card, stands: beyond }),
        }
    }

    /// Whether a run stays legal with this card at its end, given that it belongs there. Looks at no more than it must.
    fn legal_at_end(&self, meld: &Meld, placed: Placed, end: End) -> bool {
        if self.counts_as_wild(placed) {
            let neighbour = match end {
                End::Low => meld.cards.first(),
                End::High => meld.cards.last(),
            };
            if !self.wild_ends || !self.wild_adjacent && neighbour.is_some_and(|&n| self.counts_as_wild(n)) {
                return false;
            }
        }
        self.legal_with(meld, placed)
    }

    /// Whether the limits that go by number hold once `placed` is added.
    fn legal_with(&self, meld: &Meld, placed: Placed) -> bool {
        let wild = self.counts_as_wild(placed);
        let cards = meld.len() + 1;
        if wild {
            if !self.wild_kinds[meld.kind as usize] {
                return false;
            }
            if self.caps_always {
                let wilds = self.wilds_in(meld) + 1;
                let naturals = cards - wilds;
                let balanced = match self.balance {
                    WildBalance::None => true,
                    WildBalance::AtLeast => naturals >= wilds,
                    WildBalance::More => naturals > wilds,
                };
                if wilds > usize::from(self.wild_cap) || !balanced {
                    return false;
                }
            }
        }
        if meld.is_run() {
            return cards <= usize::from(self.run_max);
        }
        if meld.is_flush() {
            return true;
        }
        let repeated =
            || meld.cards.iter().any(|&c| !self.counts_as_wild(c) && c.card.suit() == placed.card.suit());
        cards <= usize::from(self.group_max)
            && (!self.distinct_suits || cards <= usize::from(self.suits) && (wild || !repeated()))
    }

    /// Lays cards off on a meld, all in one go; `end` says which end of a run is meant where both would do. Wilds that
    /// are not declared go to the high end, then to the low end, and bridge gaps to naturals laid with them.
    ///
    /// # Errors
    /// The rules it breaks.
    pub fn lay_off(&self, meld: &Meld, cards: &[DeclaredCard], end: Option<End>) -> Result<Meld, Refusal> {
        self.laid_off(meld, cards, end).map_err(|faults| faults.refusal(self.lineage))
    }

    pub(super) fn laid_off(
        &self,
        meld: &Meld,
        cards: &[DeclaredCard],
        end: Option<End>,
    ) -> Result<Meld, Faults> {
        let mut grown = meld.clone();
        let mut faults = Faults::default();
        for card in cards {
            if self.is_skip(card.card) {
                faults.add(&["HR-SKIP-1"], || self.no_meld_for(card.card));
                return Err(faults);
            }
            if let Some(stands) = card.stands
                && !self.is_wild(card.card)
            {
                faults.add(&["PR-DECK-1", "CR-JOK-1", "CR-LAY-2"], || self.not_wild(card.card, stands));
                return Err(faults);
            }
        }
        if meld.is_run() {
            self.lay_off_run(&mut grown, cards, end)?;
        } else {
            for card in cards {
                let there = self.belongs(meld, card.stands.unwrap_or(card.card));
                if !there && (card.stands.is_some() || !self.is_wild(card.card)) {
                    let rules: &[&str] = match meld.kind {
                        Kind::Flush => &["HR-SLOT-2", "CR-MELD-3", "CR-LAY-2", "PR-LAY-1"],
                        _ => &["PR-MELD-3", "CR-MELD-2", "CR-MELD-3", "CR-LAY-2", "PR-LAY-1"],
                    };
                    faults.add(rules, || {
                        let (card, on) = (self.pack.text(card.card), meld.text(&self.pack));
                        say!("no_contract.no_fit", card = card, on = on)
                    });
                    return Err(faults);
                }
                grown.cards.push(self.inside(meld, card.card));
            }
            self.sort_group(&mut grown);
        }
        let faults = self.faults(&grown, Scope::Table);
        if faults.none() { Ok(grown) } else { Err(faults) }
    }

    fn lay_off_run(&self, run: &mut Meld, cards: &[DeclaredCard], end: Option<End>) -> Result<(), Faults> {
        let mut rest: Vec<DeclaredCard> = cards.to_vec();
        while !rest.is_empty() {
            // First what has its place: naturals and declared wilds.
            let ends = |card: &DeclaredCard, run: &Meld| {
                let at = |end| self.at_end(run, card.card, card.stands, end);
                let itself = |p: &Placed| card.stands.is_some() || p.is_itself();
                (at(End::Low).filter(itself), at(End::High).filter(itself))
            };
            let next = rest.iter().enumerate().find_map(|(i, card)| {
                let (low, high) = ends(card, run);
                match (low, high, end) {
                    (Some(low), Some(_), Some(End::Low)) | (Some(low), None, None) => {
                        Some((i, low, End::Low))
                    }
                    (_, Some(high), None | Some(End::High)) => Some((i, high, End::High)),
                    // An end was named where only one would do: it must be that one, unless several cards are laid.
                    (Some(low), None, Some(end)) if end == End::Low || cards.len() > 1 => {
                        Some((i, low, End::Low))
                    }
                    (None, Some(high), Some(End::Low)) if cards.len() > 1 => Some((i, high, End::High)),
                    _ => None,
                }
            });
            if let Some((i, placed, end)) = next {
                rest.remove(i);
                self.extend(run, placed, end);
                continue;
            }
            // Then a free wild: towards a natural that waits for it, else where A-07 puts it.
            if let Some(i) = rest.iter().position(|c| c.stands.is_none() && self.is_wild(c.card)) {
                let wild = rest[i].card;
                let towards = self.bridge(run, &rest);
                let order = match end.or(towards) {
                    Some(end) if towards.is_some() || cards.len() == 1 => vec![end],
                    Some(End::Low) => vec![End::Low, End::High],
                    Some(End::High) | None => vec![End::High, End::Low],
                };
                let place = order.into_iter().find_map(|end| {
                    let stands = self.beyond(run, end)?;
                    Some((Placed { card: wild, stands }, end))
                });
                if let Some((placed, end)) = place {
                    rest.remove(i);
                    self.extend(run, placed, end);
                    continue;
                }
            }
            // Then a natural in the place of a wild that may move.
            let pushed = rest
                .iter()
                .enumerate()
                .filter(|(_, c)| c.stands.is_none())
                .find_map(|(i, c)| Some((i, self.push_wild(run, c.card, end)?)));
            if let Some((i, meld)) = pushed {
                rest.remove(i);
                *run = meld;
                continue;
            }
            return Err(self.no_place(run, rest[0], end));
        }
        Ok(())
    }

    /// Towards which end a natural among `rest` waits for wilds to bridge the gap; none if none does.
    fn bridge(&self, run: &Meld, rest: &[DeclaredCard]) -> Option<End> {
        let wilds = rest.iter().filter(|c| c.stands.is_none() && self.is_wild(c.card)).count();
        let steps = |end: End| {
            let mut probe = run.clone();
            (0..wilds).any(|_| {
                let Some(stands) = self.beyond(&probe, end) else { return false };
                self.extend(&mut probe, Placed { card: Face::JOKER, stands }, end);
                rest.iter().any(|c| {
                    (c.stands.is_some() || !self.is_wild(c.card))
                        && self.at_end(&probe, c.card, c.stands, end).is_some()
                })
            })
        };
        [End::High, End::Low].into_iter().find(|&end| steps(end))
    }

    /// Puts a card at an end of a run.
    pub(crate) fn extend(&self, run: &mut Meld, placed: Placed, end: End) {
        match end {
            End::High => run.cards.push(placed),
            End::Low => {
                run.cards.insert(0, placed);
                run.low = if self.ace == RunAce::Corner {
                    (run.low + self.ranks - 2) % self.ranks + 1
                } else {
                    run.low - 1
                };
            }
        }
    }

    /// The run with `card` in the place of a wild that moves to an end (`wild.place`), if that can be.
    fn push_wild(&self, run: &Meld, card: Face, end: Option<End>) -> Option<Meld> {
        if self.place == WildPlace::Fixed || self.is_wild(card) {
            return None;
        }
        let wild = |i: usize| self.counts_as_wild(run.cards[i]);
        let len = run.len();
        let at = (0..len).find(|&i| {
            wild(i)
                && run.cards[i].stands.rank() == card.rank()
                && self.suit_stays(run, i, card)
                && (self.place == WildPlace::ToEnd || (0..=i).all(wild) || (i..len).all(wild))
        })?;
        let mut next = run.clone();
        let moved = std::mem::replace(&mut next.cards[at], Placed { card, stands: card });
        // An end that was named, else where the wild lies, else the high end.
        let nearest =
            if self.place == WildPlace::EndFree && !(at..len).all(wild) { End::Low } else { End::High };
        let ends = match end {
            Some(end) => [end, end],
            None if nearest == End::Low => [End::Low, End::High],
            None => [End::High, End::Low],
        };
        ends.into_iter().find_map(|end| {
            let mut next = next.clone();
            let stands = self.beyond(&next, end)?;
            self.extend(&mut next, Placed { card: moved.card, stands }, end);
            self.faults(&next, Scope::Table).none().then_some(next)
        })
    }

    /// Whether `card` may stand at place `at` of a run as far as suits go.
    fn suit_stays(&self, run: &Meld, at: usize, card: Face) -> bool {
        if run.suits == Suits::One {
            return card.suit() == run.cards[at].stands.suit();
        }
        let agrees = |i: Option<usize>| {
            i.and_then(|i| run.cards.get(i))
                .is_none_or(|c| self.suits_agree(run.suits, card.suit(), c.stands.suit()))
        };
        agrees(at.checked_sub(1)) && agrees(Some(at + 1))
    }

    /// Why a card has no place on a run.
    fn no_place(&self, run: &Meld, card: DeclaredCard, end: Option<End>) -> Faults {
        let mut faults = Faults::default();
        let text = |face: Face| self.pack.text(face);
        let on = run.text(&self.pack);
        let face = card.stands.unwrap_or(card.card);
        let covered = run.cards.iter().any(|&c| self.counts_as_wild(c) && c.stands == face);
        let ace_below = self.ace == RunAce::High && face.rank() == 1 && run.low == 2;
        if covered {
            faults.add(&["MI-4", "PR-MELD-5", "CR-JOK-2", "A-07", "CR-MELD-3"], || {
                say!("no_contract.place_taken", on = on, card = text(face))
            });
        } else if ace_below {
            faults.add(&["SH-MELD-1", "A-09"], || say!("no_contract.no_fit_ace", on = on));
        } else if run.len() >= usize::from(self.run_max) {
            // Beyond it there is no place at all.
            if self.is_wild(card.card) && run.low == self.first() && run.high() == self.last() {
                faults.cite(&["CR-JOK-2", "A-06"]);
            }
            faults.add(&["SH-MELD-1", "CR-MELD-3", "A-09"], || {
                say!("no_contract.run_is_full", on = on, n = self.run_max)
            });
        } else if self.is_wild(card.card) {
            faults.add(&["SH-MELD-1", "PR-LAY-1", "CR-JOK-2", "CR-MELD-3", "A-06", "RF-3"], || {
                say!("no_contract.no_fit_wild", on = on)
            });
        } else {
            faults.add(
                &["SH-MELD-1", "PR-MELD-1", "PR-LAY-1", "CR-MELD-1", "CR-MELD-3", "CR-LAY-2", "RF-3"],
                || match end {
                    Some(End::Low) => say!("no_contract.no_fit_low", card = text(face), on = on),
                    Some(End::High) => say!("no_contract.no_fit_high", card = text(face), on = on),
                    None => say!("no_contract.no_fit", card = text(face), on = on),
                },
            );
            // Round the corner.
            let turns =
                run.high() > self.ranks && face.rank() == 2 || run.low == 1 && face.rank() == self.ranks;
            let suit =
                run.cards.first().is_some_and(|c| self.suits_agree(run.suits, face.suit(), c.stands.suit()));
            if turns && suit && self.ace != RunAce::Corner {
                faults.cite(&["A-09"]);
            }
        }
        faults
    }

    /// The wilds of a meld that stand for `card`, with their places.
    fn standing<'a>(&'a self, meld: &'a Meld, card: Face) -> impl Iterator<Item = (usize, Face)> + 'a {
        let natural =
            !card.is_joker() && !self.is_skip(card) && (!self.is_wild(card) || self.natural_in_place);
        let stands = move |(i, c): &(usize, &Placed)| {
            let there = if meld.is_run() {
                c.stands.rank() == card.rank() && self.suit_stays(meld, *i, card)
            } else {
                self.belongs(meld, card)
            };
            natural && self.counts_as_wild(**c) && there
        };
        meld.cards.iter().enumerate().filter(stands).map(|(i, c)| (i, c.card))
    }

    /// The meld with `card` in the place of a wild that stands for it and is given back, and that wild.
    fn put_in(&self, meld: &Meld, card: Face) -> Option<Reclaimed> {
        let gives = |&(_, wild): &(usize, Face)| !self.reclaims_jokers_only || wild.is_joker();
        let (at, wild) = self.standing(meld, card).find(gives)?;
        let mut meld = meld.clone();
        meld.cards[at] = Placed { card, stands: card };
        if !meld.is_run() {
            self.sort_group(&mut meld);
        }
        Some(Reclaimed { meld, wild })
    }

    /// What [`Law::reclaim`] gives, without the words for what is wrong.
    #[must_use]
    pub fn taken_back(&self, meld: &Meld, card: Face) -> Option<Reclaimed> {
        let may = self.reclaim == Reclaim::All || self.reclaim == Reclaim::Run && meld.is_run();
        let taken = self.put_in(meld, card).filter(|_| may)?;
        self.faults(&taken.meld, Scope::Table).none().then_some(taken)
    }

    /// The rules by which no wild is ever given back, in a game where that is so.
    pub(crate) fn never_reclaimed(&self) -> &'static [&'static str] {
        let by_name = &["MI-4", "PR-MELD-5", "NJ-2"];
        if by_name.iter().any(|rule| self.lineage.holds(rule)) { by_name } else { &["CR-JOK-3"] }
    }

    /// Puts `card` from hand into the place of the wild that stands for it, and takes the wild. Whose turn it is, who is
    /// down and where the wild can go are the engine's to judge.
    ///
    /// # Errors
    /// The rules it breaks.
    pub fn reclaim(&self, meld: &Meld, card: Face) -> Result<Reclaimed, Refusal> {
        let mut faults = Faults::default();
        match self.reclaim {
            Reclaim::None => {
                faults.add(self.never_reclaimed(), || say!("no_contract.no_reclaim"));
                // Nobody takes a wild out of a group where some are given back, either; where no wilds are, nothing is said of them (NJ-2).
                if !meld.is_run() && !self.lineage.holds("NJ-2") {
                    faults.cite(&["CR-JOK-5"]);
                }
                return Err(faults.refusal(self.lineage));
            }
            Reclaim::Run if !meld.is_run() => {
                faults.add(&["SH-JOK-1", "CR-JOK-5"], || say!("no_contract.no_reclaim_from_group"));
                return Err(faults.refusal(self.lineage));
            }
            Reclaim::Run | Reclaim::All => {}
        }
        if self.is_skip(card) {
            faults.cite(&["HR-SKIP-1"]);
        }
        let Some(taken) = self.put_in(meld, card) else {
            let text = |face: Face| self.pack.text(face);
            faults.add(&["SH-JOK-1", "CR-JOK-3"], || match self.standing(meld, card).next() {
                Some((_, wild)) => say!("no_contract.only_jokers", wild = text(wild), card = text(card)),
                None => say!("no_contract.no_such_wild", on = meld.text(&self.pack), card = text(card)),
            });
            return Err(faults.refusal(self.lineage));
        };
        faults.join(self.faults(&taken.meld, Scope::Table));
        faults.result(self.lineage)?;
        Ok(taken)
    }

    /// Every meld that laying this one card off on `meld` can make, and at which end of a run.
    pub(super) fn single_lay_offs(&self, meld: &Meld, card: Face) -> Vec<(Option<End>, Meld)> {
        let fit = self.fit(meld, card);
        if fit.inside {
            return self
                .laid_off(meld, &[card.into()], None)
                .ok()
                .map(|grown| (None, grown))
                .into_iter()
                .collect();
        }
        let at = |(end, fits): (End, bool)| {
            let placed = self.at_end(meld, card, None, end).filter(|_| fits)?;
            let mut grown = meld.clone();
            self.extend(&mut grown, placed, end);
            Some((Some(end), grown))
        };
        [(End::Low, fit.low), (End::High, fit.high)].into_iter().filter_map(at).collect()
    }
}
