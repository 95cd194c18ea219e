//! The seeds of a match's deals (docs/fair-deal.md): who is bound to what, what was opened, and the key that follows.

use game::{Seat, SeatSet};
use record::Note;
use record::fair::{Bytes32, DealKey, Why, commitment};

/// The seeds of one deal.
#[derive(Clone, Debug)]
pub(crate) struct Deal {
    /// Which, from 1.
    pub deal: u16,
    /// What the server bound itself to.
    pub hash: Bytes32,
    /// The server's seed.
    pub server: Option<Bytes32>,
    /// What each seat's client bound itself to, as far as the log has it.
    pub commits: Vec<Option<Bytes32>>,
    /// What each seat opened, as far as the log has it.
    pub opened: Vec<Option<Bytes32>>,
    /// Who was connected without a commitment when they were closed.
    pub unbound: SeatSet,
    /// What came from clients and is not in the log yet: commitments.
    pub offered: Vec<Option<Bytes32>>,
    /// What came from clients and is not in the log yet: seeds.
    pub shown: Vec<Option<Bytes32>>,
    /// No more commitments are taken.
    pub closed: bool,
    /// No more seeds are taken: the key is fixed.
    pub settled: bool,
    /// The server's seed was shown.
    pub revealed: bool,
    key: Option<DealKey>,
}

impl Deal {
    fn new(deal: u16, hash: Bytes32, seats: usize) -> Deal {
        Deal {
            deal,
            hash,
            server: None,
            commits: vec![None; seats],
            opened: vec![None; seats],
            unbound: SeatSet::NONE,
            offered: vec![None; seats],
            shown: vec![None; seats],
            closed: false,
            settled: false,
            revealed: false,
            key: None,
        }
    }

    /// The key from which the chance of this deal comes, once it is settled.
    pub fn key(&mut self, id: &str) -> Option<&DealKey> {
        if self.key.is_none() {
            self.key = Some(DealKey::new(id, self.deal, &self.server?, &self.opened));
        }
        self.key.as_ref()
    }

    /// Why a seat has no part in this deal, which is settled; `person` says whether a person plays it.
    pub fn absence(&self, seat: usize, person: bool) -> Option<Why> {
        let has = |seeds: &[Option<Bytes32>]| seeds.get(seat).is_some_and(Option::is_some);
        Why::of(has(&self.commits), has(&self.opened), self.unbound.has(Seat(seat as u8)), person)
    }

    /// Whether every seat that is bound has opened.
    pub fn all_shown(&self) -> bool {
        self.commits.iter().zip(&self.shown).all(|(bound, shown)| bound.is_none() || shown.is_some())
    }
}

/// The seeds of all deals of which something is still to be done.
#[derive(Clone, Debug)]
pub(crate) struct Seeds {
    seats: usize,
    deals: Vec<Deal>,
}

impl Seeds {
    pub fn new(seats: usize) -> Seeds {
        Seeds { seats, deals: Vec::new() }
    }

    pub fn get(&self, deal: u16) -> Option<&Deal> {
        self.deals.iter().find(|d| d.deal == deal)
    }

    pub fn get_mut(&mut self, deal: u16) -> Option<&mut Deal> {
        self.deals.iter_mut().find(|d| d.deal == deal)
    }

    /// Deals before `deal` that the server has not shown its seed of.
    pub fn unrevealed(&self, before: u16) -> Vec<(u16, Bytes32)> {
        let hidden = self.deals.iter().filter(|d| d.deal < before && !d.revealed);
        hidden.filter_map(|d| Some((d.deal, d.server?))).collect()
    }

    /// All deals, the oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Deal> {
        self.deals.iter()
    }

    /// Takes in what a log says about seeds.
    pub fn take_in<C>(&mut self, note: &Note<C>) {
        match *note {
            Note::Commit { deal, hash } => {
                // What was revealed is done with.
                self.deals.retain(|d| !d.revealed && d.deal != deal);
                // There are few, and every match of every table keeps its own.
                self.deals.reserve_exact(1);
                self.deals.push(Deal::new(deal, hash, self.seats));
            }
            Note::Secret { deal, seed } => {
                if let Some(d) = self.get_mut(deal) {
                    d.server = Some(seed);
                }
            }
            Note::ClientCommit { deal, seat, hash } => {
                if let Some(d) = self.get_mut(deal) {
                    d.closed = true;
                    if let Some(commit) = d.commits.get_mut(seat.index()) {
                        *commit = Some(hash);
                    }
                }
            }
            Note::Open { deal, seat, seed } => {
                if let Some(d) = self.get_mut(deal) {
                    d.closed = true;
                    if let Some(opened) = d.opened.get_mut(seat.index()) {
                        *opened = Some(seed);
                    }
                }
            }
            Note::Unbound { deal, seat } => {
                if let Some(d) = self.get_mut(deal) {
                    d.closed = true;
                    d.unbound.add(seat);
                }
            }
            Note::Missing { deal, .. } => {
                if let Some(d) = self.get_mut(deal) {
                    d.closed = true;
                }
            }
            Note::Reveal { deal, .. } => {
                if let Some(d) = self.get_mut(deal) {
                    d.revealed = true;
                }
            }
            _ => {}
        }
    }

    /// A client binds its seat; the last of a seat's clients counts, since the page of an earlier one may have been closed
    /// and its seed lost. False if it comes too late.
    pub fn offer(&mut self, deal: u16, seat: usize, hash: Bytes32) -> bool {
        let Some(d) = self.get_mut(deal).filter(|d| !d.closed) else { return false };
        let Some(offered) = d.offered.get_mut(seat) else { return false };
        *offered = Some(hash);
        true
    }

    /// Whoever had this seat is gone: what they offered binds nobody.
    pub fn forget(&mut self, seat: usize) {
        for d in self.deals.iter_mut().filter(|d| !d.closed) {
            if let Some(offered) = d.offered.get_mut(seat) {
                *offered = None;
            }
        }
    }

    /// A client opens its seat's seed. False if it is not what the seat was bound to, or too late.
    pub fn show(&mut self, deal: u16, seat: usize, seed: Bytes32) -> bool {
        let Some(d) = self.get_mut(deal).filter(|d| d.closed && !d.settled) else { return false };
        if d.commits.get(seat).copied().flatten() != Some(commitment(&seed)) {
            return false;
        }
        d.shown[seat] = Some(seed);
        true
    }
}
