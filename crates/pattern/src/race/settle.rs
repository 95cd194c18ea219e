//! What follows by itself: refills, extra deals, agreements, the end of deals and of the match; and the alarms for what
//! comes with time alone.

use super::decide::Draft;
use super::reach::Judged;
use super::state::{DealEnd, Event, Finding, Phase, Placed, Shuffle, State, Verdict, Why};
use super::{Answer, Board, Race};
use crate::claim::Few;
use crate::rules::{
    ChainScope, Deals, End, EndCheck, NoClaim, NoClaimAction, Pattern, Rules, ShowMissed, SoloWin, Sources,
    TieHeap, Tiebreak, TrialGoal, UltraExtra,
};
use arrayvec::ArrayVec;
use cards::Point;
use game::{Game, Millis, Outcome, Refusal, Seat, SeatSet, say};
use std::cmp::Reverse;
use std::collections::HashMap;

/// Shuffles of a deal after which the table is not laid anew any more: what lies nowhere in so many layouts is not there.
const SWEEPS: u16 = 100;

/// Between two cards that are lit at a stuck table (CORE-19).
const LIGHT_EVERY: u32 = 30_000;

/// Claims of each seat that are counted to find one that is open to most.
const COUNTED: usize = 1_000;

/// What an alarm is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bell {
    /// A card is laid (SETW-1).
    NextCard,
    /// The tie window ends (SETT-7).
    Window,
    /// A caller's clock runs out (CORE-6).
    CallOver,
    /// A scout's clock to show a card runs out (SCOUT-5).
    ShowOver,
    /// The scouts' window ends (SCOUT-7).
    ScoutOver,
    /// Silence counts as agreement, or seats stop counting (CORE-17, Q-16).
    Votes,
    /// A card is lit (CORE-19).
    Light,
    /// Frozen seats thaw (SCOUT-8, Q-18).
    Thaw,
    /// Locks until the next claim end.
    Unlock,
    /// The next deal begins.
    NextDeal,
    /// A dropped player's grace is over (LEAVE-2).
    Grace(Seat),
    /// Nobody has acted for long.
    Abandon,
}

impl Race {
    /// What comes next by itself, and when.
    pub(super) fn next_bell(&self) -> Option<(Millis, Bell)> {
        let (rules, state) = (&self.rules, &self.state);
        if state.phase == Phase::Over || self.need().is_some() {
            return None;
        }
        let seconds = |from: Millis, s: u16| from.after(u32::from(s) * 1000);
        let mut bells = ArrayVec::<(Millis, Bell), 24>::new();
        let call = state.call;
        if let Phase::Dealing | Phase::Open = state.phase {
            bells.extend(self.free_from(State::all_locked).map(|at| (at, Bell::Unlock)));
            bells.extend(self.free_from(State::all_frozen).map(|at| (at, Bell::Thaw)));
        }
        match state.phase {
            Phase::Dealing => bells.extend(state.next_card_at.map(|at| (at, Bell::NextCard))),
            Phase::Tie => {
                bells.extend(call.map(|c| (c.since.after(u32::from(rules.tie_window_ms)), Bell::Window)));
            }
            Phase::Called => bells.extend(call.and_then(|c| Some((c.deadline?, Bell::CallOver)))),
            Phase::Scout => bells.extend(state.search.as_ref().map(|search| match search.showing {
                Some(showing) => (showing.deadline, Bell::ShowOver),
                None => (search.deadline, Bell::ScoutOver),
            })),
            Phase::Open => {
                let unclaimed =
                    if self.watched(usize::from(state.stock)) { self.unclaimed_from() } else { None };
                bells.extend(self.agreed_from().into_iter().chain(unclaimed).map(|at| (at, Bell::Votes)));
                bells.extend(self.light_at().map(|at| (at, Bell::Light)));
                let frozen = state.players.iter().filter_map(|p| p.frozen).max();
                bells
                    .extend(frozen.map(|since| (seconds(since.max(self.called), rules.stuck_s), Bell::Thaw)));
            }
            Phase::Between => bells.extend(state.next_at.map(|at| (at, Bell::NextDeal))),
            Phase::Shuffling | Phase::Over => {}
        }
        for (seat, player) in (0..).map(Seat).zip(&state.players) {
            bells.extend(player.held.grace_ends(rules).map(|at| (at, Bell::Grace(seat))));
        }
        bells.push((seconds(self.acted, rules.abandon_s), Bell::Abandon));
        bells.into_iter().min_by_key(|&(at, _)| at)
    }

    /// Whether the server acts by itself when nobody has a claim and so many cards are left in the stock (CORE-16, CORE-21,
    /// SOLO-2; not in 20/20: Q-23).
    pub(super) fn watched(&self, stock: usize) -> bool {
        let rules = &self.rules;
        let ends = rules.end != End::HandEmpty && rules.end_check == EndCheck::Server;
        rules.no_claim == NoClaim::Auto || rules.end == End::FirstNoClaimLoses || stock == 0 && ends
    }

    /// When the next card is to be lit, where flags are refused and somebody else is there to race with (CORE-19, Q-24).
    fn light_at(&self) -> Option<Millis> {
        let (rules, state) = (&self.rules, &self.state);
        let refused = state.certain(rules) || rules.no_claim == NoClaim::Auto || state.told;
        if !refused || self.seats() == 1 {
            return None;
        }
        self.to_light()?;
        Some(match state.lit.len() {
            0 => state.layout_at.max(self.judged).after(u32::from(rules.stuck_s) * 1000),
            _ => self.lit.after(LIGHT_EVERY),
        })
    }

    /// The next card to light: of a claim open to every seat, else to most, and never one that is private.
    fn to_light(&self) -> Option<Point> {
        let (rules, state) = (&self.rules, &self.state);
        // Where each has a chain of their own, what the layout alone holds is open to those without one.
        let chains = (rules.sources, rules.chain_scope) == (Sources::Previous, ChainScope::Own);
        let common = if chains { None } else { self.reach(None).first() };
        let claim = common.or_else(|| {
            if rules.private_hands() {
                return None;
            }
            let mut found: HashMap<crate::Claim, (usize, Reverse<usize>)> = HashMap::new();
            for seat in state.needed(rules, self.clock).iter() {
                for claim in self.reach(Some(seat)).list(COUNTED) {
                    let place = Reverse(found.len());
                    found.entry(claim).or_insert((0, place)).0 += 1;
                }
            }
            // The first of those open to most seats.
            found.into_iter().max_by_key(|&(_, order)| order).map(|(claim, _)| claim)
        })?;
        claim.cards().iter().copied().find(|card| !state.lit.contains(card))
    }

    /// Whether the match has come to its last deal, the present one being over and each seat having this score.
    fn match_over(&self, why: DealEnd, score: impl Fn(Seat) -> i32) -> bool {
        let (rules, state) = (&self.rules, &self.state);
        if matches!(
            why,
            DealEnd::Stuck | DealEnd::GaveUp | DealEnd::Goal | DealEnd::TooFew | DealEnd::Abandoned
        ) {
            return true;
        }
        let most = state.active().iter().map(&score).max().unwrap_or(0);
        let reached = |points: u32| i64::from(most) >= i64::from(points);
        let over = match rules.deals {
            Deals::Count(n) => state.deal >= n,
            Deals::EachDealer => state.dealt.contains_all(state.active()),
            Deals::ToPoints(n) => reached(u32::from(n)),
            Deals::ToPointsEach(n) => reached(u32::from(n) * u32::from(self.seats())),
        };
        over && !self.goes_on_tied(score)
    }

    /// Whether there is one more deal because several lead with equal scores.
    fn goes_on_tied(&self, score: impl Fn(Seat) -> i32) -> bool {
        let active = self.state.active();
        let most = active.iter().map(&score).max();
        let leaders = active.iter().filter(|&seat| Some(score(seat)) == most).count();
        self.rules.tiebreak == Tiebreak::ExtraDeal && leaders > 1
    }

    /// The next to deal: a retired player's turn is skipped (LEAVE-5).
    fn next_dealer(&self) -> Seat {
        let (state, seats) = (&self.state, self.seats());
        let mut next = state.dealer.step(1, seats).around(seats);
        next.find(|seat| !state.players[seat.index()].retired()).unwrap_or(state.dealer)
    }

    /// Places and winners (CORE-25, LEAVE-2) by these scores, `lost` being a solo game that is lost.
    fn result(&self, lost: bool, ranked: bool, score: impl Fn(Seat) -> i32) -> Outcome {
        let players = &self.state.players;
        let rank = |seat: Seat| (!players[seat.index()].retired(), score(seat));
        let seats = || (0..self.seats()).map(Seat);
        let places: Vec<u8> =
            seats().map(|seat| 1 + seats().filter(|&other| rank(other) > rank(seat)).count() as u8).collect();
        let first = seats().zip(&places).filter(|&(_, &place)| place == 1).map(|(seat, _)| seat);
        Outcome {
            winners: if lost { SeatSet::NONE } else { first.collect() },
            scores: seats().map(&score).collect(),
            places,
            ranked,
            settlement: Vec::new(),
        }
    }

    /// What comes once a deal is over, each seat having this score, and `cleared` being whether no card lies on the table:
    /// the end of the match, or the next deal.
    pub(super) fn after_deal(
        &self,
        at: Millis,
        why: DealEnd,
        cleared: bool,
        score: impl Fn(Seat) -> i32,
    ) -> ArrayVec<Event, 2> {
        let (rules, state, seats) = (&self.rules, &self.state, self.seats());
        let mut events = ArrayVec::new();
        if self.match_over(why, &score) {
            let short = rules.solo_win == SoloWin::Clear && !cleared;
            let lost = matches!(why, DealEnd::Stuck | DealEnd::GaveUp) || rules.solo() && short;
            let practice = seats == 1 && !rules.solo();
            let ranked = !matches!(why, DealEnd::TooFew | DealEnd::Abandoned) && !practice;
            events.push(Event::Ended { at, lost, outcome: self.result(lost, ranked, score) });
            return events;
        }
        let until = at.after(u32::from(rules.between_s) * 1000);
        events.push(Event::Next { deal: state.deal + 1, dealer: self.next_dealer(), until });
        if rules.between_s == 0 {
            events.push(Event::Begun);
        }
        events
    }
}

impl<X: Extend<Event>> Draft<'_, X> {
    /// Lets everything follow that follows by itself, until somebody has to act or chance to fall.
    pub fn settle(&mut self) {
        while self.step() {}
    }

    /// One thing that follows; whether anything did.
    fn step(&mut self) -> bool {
        let race = self.race();
        if race.need().is_some() {
            return false;
        }
        let playing = !matches!(race.state.phase, Phase::Between | Phase::Shuffling | Phase::Over);
        if playing && self.hand_in() {
            return true;
        }
        match self.race().state.phase {
            Phase::Over | Phase::Shuffling | Phase::Tie => false,
            Phase::Scout => self.search_over(),
            Phase::Between => self.all_graduate() || self.all_ready(),
            Phase::Called => self.answered(),
            // Claims are made while cards are laid one by one, and what they bring waits for no layout.
            Phase::Dealing => {
                self.draw_owed()
                    || self.hand_empty()
                    || self.refill_hands()
                    || self.goal_reached()
                    || self.nobody_free()
            }
            Phase::Open => {
                self.draw_owed()
                    || self.hand_empty()
                    || self.refill_hands()
                    || self.refill()
                    || self.goal_reached()
                    || self.nobody_can_claim()
                    || self.all_agree()
                    || self.nobody_free()
            }
        }
    }

    /// Judges sealed answers once they are all there.
    fn answered(&mut self) -> bool {
        let race = self.race();
        let Some(call) = race.state.call else { return false };
        let all = call.callers.iter().all(|s| race.mine[s.index()].answer.is_some());
        if all && !call.callers.is_empty() {
            self.judge_tie();
        }
        all
    }

    /// Judges what the callers have answered; who has not, has run out of time (SETT-6, SETT-7).
    fn judge_tie(&mut self) {
        let (race, at) = (self.race(), self.at);
        let rules = &race.rules;
        let callers = race.state.call.map_or(SeatSet::NONE, |call| call.callers);
        let judged: Vec<_> = callers
            .iter()
            .map(|seat| match &race.mine[seat.index()].answer {
                // It had the right shape when it was sealed, and neither the layout nor the hand has changed (see `hand_in`).
                Some(Answer::Claim(claim)) => (
                    seat,
                    race.reach(Some(seat)).judge(claim).unwrap_or_else(|_| Judged::nothing(Finding::NoSplit)),
                ),
                answer => {
                    let finding = match answer {
                        Some(_) => Finding::Cancelled,
                        None if rules.timeout_is_wrong => Finding::Timeout,
                        None => Finding::Lapsed,
                    };
                    (seat, Judged::nothing(finding))
                }
            })
            .collect();
        let named =
            |card: &Point| judged.iter().filter(|(_, j)| j.finding.right() && j.cards.contains(card)).count();
        let mut heaped: Vec<Point> = Vec::new();
        let mut to_draw = usize::from(race.state.stock) + race.state.pile.len();
        let verdicts: Vec<Verdict> = judged
            .iter()
            .map(|(seat, j)| {
                if !j.finding.right() {
                    let mut verdict = race.wrong(at, *seat, j.finding, j.claim.clone());
                    verdict.draws &= to_draw > 0 && !race.state.players[seat.index()].retired();
                    to_draw -= usize::from(verdict.draws);
                    return verdict;
                }
                let verdict = race.right(*seat, j, None);
                if !j.cards.iter().any(|card| named(card) > 1) {
                    return verdict;
                }
                for &card in &j.cards {
                    if (named(&card) > 1 || rules.tie_heap == TieHeap::BothSets) && !heaped.contains(&card) {
                        heaped.push(card);
                    }
                }
                Verdict { finding: Finding::Clash, points: 0, sets: 0, taken: Few::new(), ..verdict }
            })
            .collect();
        match <[Verdict; 1]>::try_from(verdicts) {
            Ok([verdict]) => self.emit(Event::Judged { at, verdict }),
            Err(verdicts) => self.emit(Event::TieJudged { at, verdicts, heaped }),
        }
    }

    /// Personal cards that a wrong claim or a request has brought (TWTY-5, TWTY-6, TWTY-7).
    fn draw_owed(&mut self) -> bool {
        let race = self.race();
        let Some(&(seat, why)) = race.draws.first() else { return false };
        if race.state.stock == 0 {
            self.emit(Event::Shuffling(Shuffle::Pile));
        } else {
            self.draw_card(seat, why, 1);
        }
        true
    }

    /// Replaces what a claim has used of hands, before the layout (HANDS-3, Q-02).
    fn refill_hands(&mut self) -> bool {
        let race = self.race();
        let (rules, state) = (&race.rules, &race.state);
        let Some(fill) = race.fill else { return false };
        // The hand of who has left goes back into the stock (LEAVE-4): it is not filled again.
        let active = if rules.hand_refill { state.active() } else { SeatSet::NONE };
        // A hand that was short when the stock ran out is filled from what comes back to it.
        let (first, then) = (active.and(fill.seats), active.minus(fill.seats));
        for seat in first.iter().chain(then.iter()) {
            let short = usize::from(rules.hand).saturating_sub(state.players[seat.index()].hand.len());
            let count = short.min(usize::from(state.stock));
            if count > 0 {
                self.draw_card(seat, Why::Refill, count);
                return true;
            }
        }
        false
    }

    /// Replaces what a claim has used of the layout (CORE-12).
    fn refill(&mut self) -> bool {
        let race = self.race();
        let state = &race.state;
        let Some(fill) = race.fill else { return false };
        let mut places = ArrayVec::<(u8, u8), 12>::new();
        let mut missing = 0;
        for (zone, slots) in state.board.zones().enumerate() {
            let short = usize::from(fill.target[zone]).saturating_sub(state.board.count(zone));
            missing += short;
            let empty = (0..).filter(|&slot| slots.get(slot).is_none_or(|s| s.is_none()));
            for slot in empty.take(short) {
                let _ = places.try_push((zone as u8, slot as u8));
            }
        }
        let (stock, pile) = (usize::from(state.stock), state.pile.len());
        if !state.swept.is_empty() && (missing == 0 || stock + pile < missing) {
            self.emit(Event::Shuffling(Shuffle::Swept { pile: missing > 0 && pile > 0 }));
        } else if missing == 0 || stock + pile == 0 {
            return false;
        } else if stock == 0 {
            self.emit(Event::Shuffling(Shuffle::Pile));
        } else {
            self.lay(Why::Refill, &places);
        }
        true
    }

    /// Lays cards from the stock on `places`, as far as it reaches.
    fn lay(&mut self, why: Why, places: &[(u8, u8)]) {
        let top = self.race().stock.iter().rev();
        let cards =
            places.iter().zip(top).map(|(&(zone, slot), &card)| Placed { zone, slot, card }).collect();
        // Calls are legal while cards are laid one by one: nothing settles (SETW-1).
        let open_at = if why == Why::Dealing { self.at } else { self.settled() };
        self.emit(Event::Laid { at: self.at, why, cards, open_at });
    }

    /// The next card of a layout that is dealt one by one.
    fn next_card(&mut self) {
        let race = self.race();
        let base = usize::from(race.rules.base);
        let board = &race.state.board;
        let short = (0..board.zone_count()).find(|&zone| board.count(zone) < base);
        let place = short.map(|zone| (zone as u8, board.first_empty(zone) as u8));
        self.lay(Why::Dealing, place.as_slice());
    }

    /// TWTY-8: the hand ends at once when somebody has no personal cards.
    fn hand_empty(&mut self) -> bool {
        let race = self.race();
        if race.rules.end != End::HandEmpty {
            return false;
        }
        let active = race.state.active();
        let held = |seat: Seat| race.state.players[seat.index()].hand.len();
        // Of several who call together (SETT-6) each may have laid the last card.
        let empty: Vec<Seat> = active.iter().filter(|&seat| held(seat) == 0).collect();
        let ends = !empty.is_empty();
        if ends {
            let points = active.iter().map(held).sum::<usize>() as i32;
            self.deal_over_with(DealEnd::HandEmpty, empty.into_iter().map(|seat| (seat, points)).collect());
        }
        ends
    }

    /// TRIAL-2.
    fn goal_reached(&mut self) -> bool {
        let race = self.race();
        let reached = match (race.rules.end, race.rules.trial_goal) {
            (End::Goal, TrialGoal::Sets(n)) => race.state.players.iter().any(|p| p.sets >= n),
            _ => false,
        };
        if reached {
            self.deal_over(DealEnd::Goal);
        }
        reached
    }

    /// CORE-16 (`auto`), CORE-21, SOLO-2.
    fn nobody_can_claim(&mut self) -> bool {
        let race = self.race();
        let (rules, state) = (&race.rules, &race.state);
        if !race.watched(usize::from(state.stock)) || race.has_claim(self.due) {
            return false;
        }
        if state.stock > 0 && rules.end == End::FirstNoClaimLoses {
            self.deal_over(DealEnd::Stuck);
        } else if state.stock > 0 || rules.end == End::HandEmpty {
            if !self.extra() {
                self.deal_over(DealEnd::NoClaim);
            }
        } else if rules.regroup_at_end && !state.regrouped && rules.zones > 1 && !state.board.is_empty() {
            let board = Box::new(regrouped(state, rules));
            let (at, open_at) = (self.at, self.settled());
            self.emit(Event::Regrouped { at, board, open_at });
        } else {
            self.deal_over(DealEnd::NoClaim);
        }
        true
    }

    /// CORE-15 to CORE-18, CORE-22.
    fn all_agree(&mut self) -> bool {
        let race = self.race();
        if race.agreed_from().is_none_or(|from| from > self.at) {
            return false;
        }
        if race.rules.no_claim == NoClaim::AgreeChecked && race.has_claim(self.at) {
            self.emit(Event::FlagsDropped { at: self.at });
            return true;
        }
        if !self.extra() {
            self.deal_over(DealEnd::Agreed);
        }
        true
    }

    /// The extra deal; whether there is anything to deal (CORE-18, CORE-20, TWTY-12).
    fn extra(&mut self) -> bool {
        let race = self.race();
        let (rules, state) = (&race.rules, &race.state);
        if rules.no_claim_action == NoClaimAction::Replace6 {
            let again = race.shuffles < SWEEPS;
            if again {
                self.emit(Event::Swept { at: self.at });
            }
            return again;
        }
        if state.stock < 3 && !state.pile.is_empty() {
            self.emit(Event::Shuffling(Shuffle::Pile));
            return true;
        }
        if state.stock == 0 {
            return false;
        }
        let places = extra_places(&state.board, state.extras, rules);
        self.lay(Why::Extra, &places);
        true
    }

    /// SCOUT-8, Q-18: locks until the next claim and freezes end when nobody is left to make one.
    fn nobody_free(&mut self) -> bool {
        let (race, at) = (self.race(), self.at);
        if race.state.all_locked(&race.rules, at) {
            self.emit(Event::Unlocked { at });
        } else if race.state.all_frozen(&race.rules, at) {
            self.emit(Event::Thawed { at });
        } else {
            return false;
        }
        true
    }

    /// QUICK-4: the two parts of the deck are joined once all who are there vote for it.
    fn all_graduate(&mut self) -> bool {
        let state = &self.race().state;
        let all = !state.graduating.is_empty() && state.graduating.contains_all(state.here());
        if all {
            self.emit(Event::Graduated);
        }
        all
    }

    /// the next deal begins once all who are there are ready.
    fn all_ready(&mut self) -> bool {
        let state = &self.race().state;
        let here = state.here();
        let ready = !here.is_empty() && state.ready.contains_all(here);
        if ready {
            self.emit(Event::Begun);
        }
        ready
    }

    /// The deal is over, and with it perhaps the match.
    pub fn deal_over(&mut self, why: DealEnd) {
        self.deal_over_with(why, Vec::new());
    }

    /// The deal is over, and these score for an empty hand.
    fn deal_over_with(&mut self, why: DealEnd, bonuses: Vec<(Seat, i32)>) {
        let at = self.at;
        let race = self.race();
        // While cards are shuffled no deal is played, and that of the one before has been told.
        let shown = race.rules.show_missed == ShowMissed::AfterDeal && race.state.phase != Phase::Shuffling;
        let missed = if shown { super::missed::missed(&race.rules, &race.history, at) } else { Vec::new() };
        let mut also = bonuses;
        let bonus = (!also.is_empty()).then(|| also.remove(0));
        self.emit(Event::DealOver { at, why, bonus, also, missed });
        let race = self.race();
        let score = |seat: Seat| race.state.players[seat.index()].score;
        for event in race.after_deal(at, why, race.state.board.is_empty(), score) {
            let goes_on = matches!(event, Event::Next { .. });
            self.emit(event);
            if goes_on {
                self.let_in();
            }
        }
    }

    /// Who has come back in mid-deal is in the match again (LEAVE-7).
    fn let_in(&mut self) {
        for seat in self.race().state.returning.iter() {
            self.emit(Event::Joined { at: self.at, seat, again: true });
        }
    }

    /// A seat is retired (LEAVE-2 to LEAVE-6).
    pub fn retire(&mut self, seat: Seat) {
        let at = self.at;
        self.close_call_of(seat);
        self.leave_search(seat);
        self.emit(Event::Retired { at, seat });
        let race = self.race();
        if race.state.active().len() < usize::from(race.rules.players.min) {
            self.deal_over(DealEnd::TooFew);
        } else if race.state.phase == Phase::Between && race.state.dealer == seat {
            self.skip_dealer();
        }
    }

    /// The next to deal has left between two deals: somebody else deals (LEAVE-5) or, if all others have, the match is over
    /// (SET-8).
    fn skip_dealer(&mut self) {
        let (race, at) = (self.race(), self.at);
        let state = &race.state;
        let score = |seat: Seat| state.players[seat.index()].score;
        let dealt = race.rules.deals == Deals::EachDealer && state.dealt.contains_all(state.active());
        let event = if dealt && !race.goes_on_tied(score) {
            Event::Ended { at, lost: false, outcome: race.result(false, true, score) }
        } else {
            let until = state.next_at.unwrap_or(at);
            Event::Next { deal: state.deal, dealer: race.next_dealer(), until }
        };
        self.emit(event);
    }

    /// The hand of a player who left goes back into the stock, once nothing else is being shuffled (LEAVE-4), and what that
    /// player has sealed is judged.
    fn hand_in(&mut self) -> bool {
        let state = &self.race().state;
        let callers = state.call.map_or(SeatSet::NONE, |call| call.callers);
        let players = (0..).map(Seat).zip(&state.players);
        let left = players
            .filter(|(seat, player)| player.retired() && !player.hand.is_empty() && !callers.has(*seat))
            .map(|(seat, _)| seat)
            .next();
        if let Some(seat) = left {
            self.emit(Event::Shuffling(Shuffle::Hand(seat)));
        }
        left.is_some()
    }
}

impl Race {
    /// An alarm rings.
    pub(super) fn ring<X: Extend<Event>>(&self, draft: &mut Draft<'_, X>, id: u32) -> Result<(), Refusal> {
        let at = draft.at;
        let (due, bell) = match self.next_bell() {
            Some((due, bell)) if id == self.plies && due <= at => (due, bell),
            _ => return Err(Refusal::new(&["CORE-3"], say!("no.alarm"))),
        };
        match bell {
            Bell::NextCard => draft.next_card(),
            Bell::Window => draft.emit(Event::WindowClosed),
            Bell::CallOver => draft.call_over(),
            Bell::ShowOver => draft.show_over(),
            Bell::ScoutOver => draft.open_seal(None),
            // What has come with time alone follows in `settle`.
            Bell::Votes => draft.due = due,
            Bell::Light => {
                if let Some(card) = self.to_light() {
                    draft.emit(Event::Lit { at, card });
                }
            }
            Bell::Thaw => draft.emit(Event::Thawed { at }),
            Bell::Unlock => draft.emit(Event::Unlocked { at }),
            Bell::NextDeal => draft.emit(Event::Begun),
            Bell::Grace(seat) => draft.retire(seat),
            Bell::Abandon => draft.deal_over(DealEnd::Abandoned),
        }
        Ok(())
    }
}

impl<X: Extend<Event>> Draft<'_, X> {
    /// The callers' clock has run out (CORE-6).
    fn call_over(&mut self) {
        let race = self.race();
        let Some(call) = race.state.call else { return };
        if call.callers.len() > 1 {
            self.judge_tie();
            return;
        }
        let finding = if race.rules.timeout_is_wrong { Finding::Timeout } else { Finding::Lapsed };
        for seat in call.callers.iter() {
            self.close_call(seat, finding);
        }
    }
}

/// Where the cards of an extra deal go: the lowest empty slots of their zones (CORE-18, ULTRA-4, ULT9-4).
pub(super) fn extra_places(board: &Board, extras: u16, rules: &Rules) -> ArrayVec<(u8, u8), 12> {
    let mut next: ArrayVec<usize, { Board::MOST_ZONES }> =
        (0..board.zone_count()).map(|zone| board.first_empty(zone)).collect();
    let zones: ArrayVec<usize, 9> = match (rules.pattern, rules.ultra_extra) {
        (Pattern::Ultra1, UltraExtra::OneEach) => (0..3).collect(),
        (Pattern::Ultra1, UltraExtra::ToSmallest) => {
            let mut counts = [board.count(0), board.count(1), board.count(2)];
            (0..3)
                .map(|_| {
                    let smallest = (0..3).min_by_key(|&zone| counts[zone]).unwrap_or(0);
                    counts[smallest] += 1;
                    smallest
                })
                .collect()
        }
        (Pattern::Ultra2, _) if rules.ultra9_extra == 9 => (0..9).collect(),
        (Pattern::Ultra2, _) => {
            let t = usize::from(extras % 3);
            (0..3).map(|row| 3 * row + (row + t) % 3).collect()
        }
        (Pattern::Set | Pattern::Super, _) => [0, 0, 0].into_iter().collect(),
    };
    zones
        .into_iter()
        .map(|zone| {
            let slot = next[zone];
            // The next that is empty: a slot that a claim has left, or one more at the end.
            let later = board.zone(zone).iter().enumerate().skip(slot + 1);
            next[zone] = later
                .filter(|(_, card)| card.is_none())
                .map(|(s, _)| s)
                .next()
                .unwrap_or_else(|| board.zone(zone).len().max(slot + 1));
            (zone as u8, slot as u8)
        })
        .collect()
}

/// The remaining cards, dealt out evenly over the zones in the order in which they lie.
fn regrouped(state: &State, rules: &Rules) -> Board {
    let mut board = Board::empty(rules);
    let zones = usize::from(rules.zones);
    for (i, card) in state.board.cards().enumerate() {
        board.put(i % zones, i / zones, card);
    }
    board
}
