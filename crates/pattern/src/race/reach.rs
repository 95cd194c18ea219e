//! What lies open to a seat, and how its claims are judged: the finder's judgement with what a race adds to it.

use super::ids::Ids;
use super::state::{Finding, State};
use crate::claim::{Claim, Few};
use crate::finder::{Open, Sought, is_set};
use crate::rules::{
    ChainBreak, ChainScope, Grouping, Mechanism, Multiplicity, Pattern, Removed, Rules, Score, Sources,
};
use cards::Point;
use game::{Refusal, Say, Seat, say};

impl Rules {
    /// Whether a claim is one Set of the layout, wherever its cards lie.
    pub(super) fn plain_sets(&self) -> bool {
        self.sources == Sources::Layout
            && self.pattern == Pattern::Set
            && self.multiplicity == Multiplicity::Single
            && self.min_personal == 0
    }

    /// Whether such a claim is one point and takes its cards, and nothing else is to be looked at.
    fn plain_claims(&self) -> bool {
        self.plain_sets()
            && self.mechanism == Mechanism::Race
            && self.removed == Removed::All
            && matches!(self.score, Score::Sets | Score::Time)
    }
}

/// A claim of the right shape, judged by its content.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Judged {
    pub finding: Finding,
    /// With its patterns told apart and their pairs named, where that could be found.
    pub claim: Claim,
    /// Each card once, codes ascending.
    pub cards: Few<{ Claim::MOST_CARDS }>,
    /// Patterns it counts as.
    pub sets: u8,
    /// Whether it leaves the chain.
    pub unlinked: bool,
}

impl Judged {
    /// No claim at all, for the reason given.
    pub fn nothing(finding: Finding) -> Judged {
        Judged { finding, claim: Claim::new(), cards: Few::new(), sets: 0, unlinked: false }
    }
}

impl State {
    /// The cards, codes ascending, of a right claim of one Set that is one point and takes them from the layout; none where
    /// there is more to look at. `a_plain_set_is_judged_alike` compares it with `Reach::judge`.
    #[inline]
    pub(super) fn plain_set(&self, rules: &Rules, claim: &Claim) -> Option<[Point; 3]> {
        let &[a, b, c] = claim.cards() else { return None };
        let lies = |card: Point| self.board.has(card);
        if !rules.plain_claims()
            || claim.len() != 1
            || claim.paired()
            || !(lies(a) && lies(b) && lies(c))
            || !is_set(a, b, c)
        {
            return None;
        }
        let (low, high) = (a.min(b), a.max(b));
        Some([low.min(c), low.max(c.min(high)), high.max(c)])
    }
}

/// What a claim may be made of: what lies open to one seat, or to all.
pub(super) struct Reach<'a> {
    rules: &'a Rules,
    sought: Sought,
    open: Open,
    /// Without the link, where an ordinary claim will do, too.
    unlinked: Option<Open>,
}

impl<'a> Reach<'a> {
    /// For `seat`, or for everybody (the layout alone).
    pub fn new(rules: &'a Rules, state: &State, seat: Option<Seat>) -> Reach<'a> {
        let player = seat.map(|s| &state.players[s.index()]);
        let mut open = Open::layout(state.board.placed());
        player.iter().flat_map(|p| p.hand.cards()).for_each(|&card| open.hold(card));
        let linked = match (rules.sources, rules.chain_scope) {
            (Sources::Previous, ChainScope::Own) => player,
            (Sources::Previous, ChainScope::Table) => state.last_right.map(|s| &state.players[s.index()]),
            (Sources::Layout | Sources::Hand, _) => None,
        };
        let mut unlinked = None;
        if let Some(previous) = linked.map(|p| &p.previous).filter(|p| !p.is_empty()) {
            let free = rules.chain_break == ChainBreak::PenaltyPoint || player.is_some_and(|p| p.unlinked);
            unlinked = free.then(|| open.clone());
            previous.iter().for_each(|&card| open.link(card));
        }
        Reach { rules, sought: Sought::from(rules), open, unlinked }
    }

    /// The same for single patterns, if it has come to that: the stock is empty and no Double-Set is left.
    pub fn at_the_end(self, state: &State) -> Reach<'a> {
        let double = self.sought.multiplicity == Multiplicity::Double;
        let single = double && self.rules.final_single && state.stock == 0 && !self.any();
        if single { Reach { sought: self.sought.single(), ..self } } else { self }
    }

    /// Judges a claim; refuses what has not the shape of one here, or names a card that is not open.
    pub fn judge(&self, claim: &Claim) -> Result<Judged, Refusal> {
        let rules = self.rules;
        let cited = |shape: bool, say: Say| {
            let mut ids = if shape { rules.shape_ids() } else { Ids::new() };
            let gone = |&card: &Point| rules.holds(card) && !self.open.all().has(card);
            if claim.cards().iter().any(gone) {
                ids.extend(rules.gone_ids());
            }
            Refusal::new(&[], say).citing(ids)
        };
        if let Some(&card) = claim.cards().iter().find(|&&card| !rules.holds(card)) {
            let card = rules.deck.text(card);
            return Err(cited(true, say!("no_pattern.not_in_deck", card = card)));
        }
        let cited = |refusal: Refusal| cited(self.sought.shape(claim).is_err(), refusal.say);
        let mut found = self.sought.judge(&self.open, claim).map_err(cited)?;
        let mut unlinked = false;
        if let (Finding::Link, Some(open)) = (found.finding, &self.unlinked)
            && let Ok(free) = self.sought.judge(open, claim)
        {
            (found, unlinked) = (free, true);
        }
        // Told apart wrongly, but here the server finds the split (DBL-3).
        let auto = rules.grouping == Grouping::Auto && self.sought.multiplicity == Multiplicity::Double;
        if auto && !found.finding.right() && claim.len() == 2 && found.cards.len() == 2 * self.sought.size() {
            let lump = Claim::one(&found.cards);
            if let Ok(split) = self.sought.judge(&self.open, &lump)
                && split.finding.right()
            {
                found = split;
            }
        }
        let sets = found.claim.len() as u8;
        Ok(Judged { finding: found.finding, claim: found.claim, cards: found.cards, sets, unlinked })
    }

    /// Whether there is a claim.
    pub fn any(&self) -> bool {
        self.sought.exists(&self.open) || self.unlinked.as_ref().is_some_and(|open| self.sought.exists(open))
    }

    /// The claims, at most `limit` of them.
    pub fn list(&self, limit: usize) -> Vec<Claim> {
        let mut claims = self.sought.list(&self.open, limit);
        if let Some(open) = &self.unlinked {
            claims.extend(self.sought.list(open, limit - claims.len()));
        }
        claims
    }

    /// A claim drawn uniformly, if there is one.
    pub fn random(&self, chance: &mut impl game::Chance) -> Option<Claim> {
        self.sought
            .random(&self.open, chance)
            .or_else(|| self.unlinked.as_ref().and_then(|open| self.sought.random(open, chance)))
    }

    /// A claim, if there is one.
    pub fn first(&self) -> Option<Claim> {
        self.list(1).pop()
    }
}
