//! How a bot plays a race: what it finds when, what it claims, agrees to and slips in; and scout, which is one.

use super::scan::{Scan, Sight};
use super::{PatternBot, act, between, exponential, form, pick};
use crate::Thought;
use ::pattern::finder::{split_features, third};
use ::pattern::race::{self, Lock, Phase};
use ::pattern::rules::{Entry, Mechanism, Tie, To};
use ::pattern::{Claim, Command};
use cards::{Deck, Point};
use game::{Chance, Millis, Seat};

/// A claim with one of its cards made another.
fn swapped(claim: &Claim, at: usize, card: Point) -> Option<Claim> {
    let mut cards = claim.cards().to_vec();
    *cards.get_mut(at)? = card;
    let mut rest = &cards[..];
    let mut swapped = Claim::new();
    for group in claim.groups() {
        let (this, others) = rest.split_at(group.len());
        swapped.push(this)?;
        rest = others;
    }
    if claim.paired() {
        swapped.set_paired();
    }
    Some(swapped)
}

/// A claim that a hasty eye takes for a right one: one card of a right claim is taken for another that is like it. `wrong` says
/// whether a claim may be made and is wrong.
pub(super) fn nearly(
    deck: Deck,
    claims: &[Claim],
    cards: &[Point],
    wrong: impl Fn(&Claim) -> bool,
    chance: &mut dyn Chance,
) -> Option<Claim> {
    (0..60).find_map(|_| {
        let claim = &claims[chance.below(u32::try_from(claims.len()).ok().filter(|&n| n > 0)?) as usize];
        let at = chance.below(claim.cards().len() as u32) as usize;
        let (old, new) = (claim.cards()[at], pick(cards, chance)?);
        let differing = deck.code(old).iter().zip(deck.code(new)).filter(|(a, b)| **a != *b).count();
        let swapped = (differing > 0 && differing < 3).then(|| swapped(claim, at, new))??;
        wrong(&swapped).then_some(swapped)
    })
}

/// Milliseconds that a bot looks on, once it is all but sure that there is nothing, for what it has not found.
const PATIENCE: u32 = 120_000;

impl PatternBot {
    /// Looks on until a claim is found, and returns the one found first with the time when it is made.
    pub(super) fn look(
        &mut self,
        view: &race::View,
        seat: Seat,
        at: Millis,
        chance: &mut dyn Chance,
    ) -> Option<(Claim, Millis)> {
        let (rules, state) = (&view.rules, &view.state);
        let mut claims = view.claims(400);
        let player = &state.players[seat.index()];
        let hand = player.hand.cards();
        if rules.to == To::Discard {
            // A Set of table cards alone empties nobody's hand (TWTY-8).
            claims.retain(|claim| claim.cards().iter().any(|card| hand.contains(card)));
        }
        let mut cards: Vec<Point> = state.board.cards().collect();
        cards.extend(hand.iter().chain(&player.previous));
        cards.extend(claims.iter().flat_map(Claim::cards));
        cards.sort_unstable();
        cards.dedup();
        let own = |card: Point| hand.contains(&card) || player.previous.contains(&card);
        let lit = |card: Point| state.lit.contains(&card) || view.mine.hints.contains(&card);
        self.find(rules.deck, &cards, claims, (at, state.open_at), &lit, &own, chance)
    }

    /// The claim found first of these among these cards. They are seen at one time, and lie from another on.
    #[expect(clippy::too_many_arguments, reason = "all of what lies before the eyes")]
    pub(super) fn find(
        &mut self,
        deck: Deck,
        cards: &[Point],
        claims: Vec<Claim>,
        (at, open): (Millis, Millis),
        lit: &dyn Fn(Point) -> bool,
        own: &dyn Fn(Point) -> bool,
        chance: &mut dyn Chance,
    ) -> Option<(Claim, Millis)> {
        let sorted = |group: &[Point]| {
            let mut cards = group.to_vec();
            cards.sort_unstable();
            cards
        };
        let mut groups: Vec<Vec<Point>> = claims.iter().flat_map(|c| c.groups().map(sorted)).collect();
        groups.sort();
        groups.dedup();
        let level = self.level;
        let form = *self.form.get_or_insert_with(|| form(chance));
        let sight = Sight { deck, cards, groups: &groups, lit, own };
        self.scan.see(&sight, at, open, level, chance);
        // Several patterns are found when the last of them is.
        let due = |scan: &Scan, claim: &Claim| {
            claim
                .groups()
                .map(|group| scan.due(&sorted(group), level))
                .try_fold(Millis(0), |last, due| Some(last.max(due?)))
        };
        self.scan.look(&sight, (level, form), chance, |scan| {
            claims.iter().any(|claim| due(scan, claim).is_some())
        });
        let scan = &self.scan;
        claims
            .into_iter()
            .filter_map(|claim| Some((due(scan, &claim)?, claim)))
            .min_by_key(|(due, _)| *due)
            .map(|(due, claim)| (claim, due))
    }

    /// A claim that is nearly right.
    fn mistake(view: &race::View, seat: Seat, chance: &mut dyn Chance) -> Option<Claim> {
        let player = &view.state.players[seat.index()];
        let cards: Vec<Point> = view.state.board.cards().chain(player.hand.cards().iter().copied()).collect();
        let wrong = |claim: &Claim| view.judged(claim).is_some_and(|finding| !finding.right());
        nearly(view.rules.deck, &view.claims(60), &cards, wrong, chance).or_else(|| {
            // Where there is none: one feature alone of three cards splits two-and-one.
            (0..60).find_map(|_| {
                let (a, b, c) = (pick(&cards, chance)?, pick(&cards, chance)?, pick(&cards, chance)?);
                let split = split_features(view.rules.deck.digits(), [a, b, c]);
                let claim = (split.count_ones() == 1).then(|| Claim::one(&[a, b, c]))?;
                wrong(&claim).then_some(claim)
            })
        })
    }

    /// When the next slip comes: as much later as finding takes longer.
    pub(super) fn next_slip(&self, at: Millis, found: Option<Millis>, chance: &mut dyn Chance) -> Millis {
        let find = found.map_or(30_000, |due| due.since(at).max(5_000));
        at.after(exponential(self.level.finds_a_slip() * f64::from(find), chance))
    }

    pub(super) fn race(
        &mut self,
        view: &race::View,
        at: Millis,
        chance: &mut dyn Chance,
    ) -> Option<Thought<Command>> {
        let seat = view.seat()?;
        let (rules, state) = (&view.rules, &view.state);
        let me = &state.players[seat.index()];
        if !me.here() || state.shuffling.is_some() || state.picking.is_some() {
            return None;
        }
        if std::mem::replace(&mut self.errors, me.errors) != me.errors {
            // It has slipped. A table may be quicker than it is, so the time alone does not tell.
            self.slip = None;
        }
        match state.phase {
            Phase::Shuffling | Phase::Over => None,
            Phase::Between => {
                self.scan.clear();
                if !state.graduating.is_empty() && !state.graduating.has(seat) {
                    return act(Command::Graduate, at, at.after(between(500, 2_000, chance)));
                }
                let ready = !state.ready.has(seat);
                ready.then(|| Thought::after(Command::Ready, between(1_500, 4_000, chance)))
            }
            Phase::Open | Phase::Dealing => self.open(view, seat, at, chance),
            Phase::Tie | Phase::Called => {
                let call = state.call?;
                if call.callers.has(seat) {
                    if view.mine.answer.is_some() {
                        return None;
                    }
                    return self.answer(view, at, call.deadline, chance);
                }
                let (claim, due) = self.look(view, seat, at, chance)?;
                let window = call.since.after(u32::from(rules.tie_window_ms));
                let ties = state.phase == Phase::Tie && rules.tie == Tie::Shared && due < window;
                if !ties || !state.players_in(rules).has(seat) || me.lock.holds(at) {
                    return None;
                }
                self.meant = Some(claim);
                act(Command::Call, at, due)
            }
            Phase::Scout => self.scout(view, seat, at, chance),
        }
    }

    fn open(
        &mut self,
        view: &race::View,
        seat: Seat,
        at: Millis,
        chance: &mut dyn Chance,
    ) -> Option<Thought<Command>> {
        let (rules, state) = (&view.rules, &view.state);
        if !state.players_in(rules).has(seat) {
            return None;
        }
        let free = match state.players[seat.index()].lock {
            Lock::Until(end) => Some(end.max(state.open_at).max(at)),
            Lock::NextClaim => None,
        };
        let found = self.look(view, seat, at, chance);
        // One that others came before is forgotten.
        let due = found.as_ref().map(|(_, due)| *due);
        let slip = self.slip.filter(|&slip| slip >= at).unwrap_or_else(|| self.next_slip(at, due, chance));
        self.slip = Some(slip);
        let mut best: Option<Thought<Command>> = None;
        let mut consider = |thought: Option<Thought<Command>>| {
            if let Some(thought) = thought
                && best.as_ref().is_none_or(|b| thought.after_ms < b.after_ms)
            {
                best = Some(thought);
            }
        };
        if let Some(free) = free {
            let slips = due.is_none_or(|due| slip < due);
            let mut mistake = || Self::mistake(view, seat, chance).map(|claim| (claim, slip));
            let next = if slips { mistake().or_else(|| found.clone()) } else { found.clone() };
            if let Some((claim, due)) = next {
                let command = match rules.entry {
                    Entry::Call => Command::Call,
                    Entry::Tap => Command::claim(claim.clone()),
                };
                self.meant = Some(claim);
                let (after_ms, least_ms) = (due.max(free).since(at), free.since(at));
                consider(Some(Thought { command, after_ms, least_ms }));
            }
        }
        consider(self.flag(view, seat, at, found.is_some(), chance));
        best
    }

    /// BOT-2: agrees that there is nothing once it is sure, or once everybody else is.
    fn flag(
        &mut self,
        view: &race::View,
        seat: Seat,
        at: Millis,
        found: bool,
        chance: &mut dyn Chance,
    ) -> Option<Thought<Command>> {
        let (rules, state) = (&view.rules, &view.state);
        let asked = rules.no_claim != ::pattern::rules::NoClaim::Auto && !state.certain(rules);
        if !asked || state.phase != Phase::Open || state.flags.has(seat) {
            return None;
        }
        let others = view.needed(at).without(seat);
        let alone = !others.is_empty() && state.flags.contains_all(others);
        let sure = match self.sure {
            Some((layout, sure)) if layout == state.layout => sure,
            _ => {
                let look = self.level.between(15_000.0, 5_000.0) as u32;
                let sure = at.after(between(look, 2 * look, chance));
                self.sure = Some((state.layout, sure));
                sure
            }
        };
        match (found, alone) {
            (false, _) => act(Command::NoSet, at, sure),
            (true, true) => act(Command::NoSet, at, sure.min(at.after(between(2_000, 5_000, chance)))),
            // Whoever has looked for so long without finding anything gives up, whatever there is.
            (true, false) => act(Command::NoSet, at, sure.after(PATIENCE)),
        }
    }

    /// After its call: the claim it had in mind, or the seal.
    fn answer(
        &mut self,
        view: &race::View,
        at: Millis,
        deadline: Option<Millis>,
        chance: &mut dyn Chance,
    ) -> Option<Thought<Command>> {
        let rules = &view.rules;
        let cards = |claim: &Claim| claim.cards().to_vec();
        let mine = view.seat().map_or(&[][..], |seat| view.state.players[seat.index()].hand.cards());
        let previous = view.seat().map_or(&[][..], |seat| &view.state.players[seat.index()].previous[..]);
        let there = |claim: &Claim| {
            cards(claim).iter().all(|c| view.state.board.has(*c) || mine.contains(c) || previous.contains(c))
        };
        let meant = self.meant.clone().filter(there).or_else(|| view.claims(1).pop());
        let patterns = meant.as_ref().map_or(1, |claim| claim.len() as u32);
        let after = between(700, 1_400, chance) * patterns;
        let due = at.after(deadline.map_or(after, |end| after.min(end.since(at) / 2)));
        let Some(claim) = meant else { return act(Command::Cancel, at, due) };
        if rules.mechanism != Mechanism::Scout {
            return act(Command::claim(claim), at, due);
        }
        let cards: [Point; 3] = claim.cards().try_into().ok()?;
        // The fewer other Sets run through the card shown, the less there is to find for those who search.
        let decoys = |card: &Point| {
            let others: Vec<Point> = view.state.board.cards().filter(|c| c != card).collect();
            others.iter().filter(|&&x| others.contains(&third(*card, x))).count()
        };
        let points = if self.level.looks_ahead() {
            cards.into_iter().min_by_key(decoys)?
        } else {
            pick(&cards, chance)?
        };
        act(Command::Seal { cards, points }, at, due)
    }

    fn scout(
        &mut self,
        view: &race::View,
        seat: Seat,
        at: Millis,
        chance: &mut dyn Chance,
    ) -> Option<Thought<Command>> {
        let search = view.state.search.as_ref()?;
        if let Some(showing) = search.showing {
            let shown = third(search.points, showing.named);
            let there = view.state.board.has(shown);
            let shows = showing.scout == seat && there;
            return shows.then(|| Thought::after(Command::Show(shown), between(600, 1_500, chance)));
        }
        if self.hasty.is_none_or(|(end, _)| end != search.deadline) {
            self.shown.clear();
        }
        let out = search.failed.has(seat) || view.mine.passed || !search.scouts.has(seat);
        if out || !view.state.players_in(&view.rules).has(seat) {
            return None;
        }
        let board: Vec<Point> = view.state.board.cards().collect();
        // One card of the Set is known, so the rest is found sooner.
        let mut best: Option<(Point, Millis)> = None;
        for (i, &x) in board.iter().enumerate() {
            let y = third(search.points, x);
            if x == search.points || !board[i + 1..].contains(&y) {
                continue;
            }
            let mut cards = vec![search.points, x, y];
            cards.sort_unstable();
            let due = match self.shown.iter().find(|(known, _)| *known == cards) {
                Some((_, due)) => *due,
                None => {
                    let code = |card: Point| view.rules.deck.code(card);
                    let differing = code(x).iter().zip(code(y)).filter(|(a, b)| **a != *b).count();
                    // What was seen before the search is known.
                    let seen = self.scan.has_seen(&cards, at);
                    let looks = if seen { 0 } else { exponential(self.level.mean(differing) * 0.3, chance) };
                    let due = at.after(800 + looks);
                    self.shown.push((cards, due));
                    due
                }
            };
            let due = due.min(search.deadline);
            if best.is_none_or(|(_, b)| due < b) {
                best = Some((if chance.below(2) == 0 { x } else { y }, due));
            }
        }
        let gives_up = Millis(at.0 + search.deadline.since(at) * 2 / 3);
        let slip = match self.hasty {
            Some((end, slip)) if end == search.deadline => slip,
            _ => {
                let slip = self.scouts_wrongly(view, search.points, &board, chance);
                let slip = slip.map(|card| (card, at.after(1_500 + exponential(4_000.0, chance))));
                self.hasty = Some((search.deadline, slip));
                slip
            }
        };
        let best = [best, slip].into_iter().flatten().min_by_key(|(_, due)| *due);
        match best {
            Some((card, due)) if due < gives_up => act(Command::Scout(card), at, due.max(at.after(500))),
            _ => act(Command::Pass, at, gives_up),
        }
    }

    /// Now and then, a card that seems to make a Set with the one shown: one feature of the three splits two-and-one.
    fn scouts_wrongly(
        &self,
        view: &race::View,
        shown: Point,
        board: &[Point],
        chance: &mut dyn Chance,
    ) -> Option<Point> {
        if !self.level.happens(150.0, 30.0, chance) {
            return None;
        }
        (0..60).find_map(|_| {
            let (x, y) = (pick(board, chance)?, pick(board, chance)?);
            let split = split_features(view.rules.deck.digits(), [shown, x, y]);
            let nearly = x != y && x != shown && y != shown && split.count_ones() == 1;
            (nearly && !board.contains(&third(shown, x))).then_some(x)
        })
    }
}
