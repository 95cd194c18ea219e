//! What an input brings: the judge's half of a race. What then follows by itself is in `settle`.

use super::ids::{Ids, Topic};
use super::judge::Judged;
use super::state::{Event, Finding, Lock, Phase, Shuffle, Verdict, Why};
use super::{Hand, Held, Race};
use crate::claim::{Claim, Few};
use crate::command::Command;
use crate::frame::draft::ordered;
use crate::frame::presence::{Change, Place};
use crate::rules::{
    ComplexPick, DealStyle, Entry, Hints, Lockout, Mechanism, NoClaim, Penalty, Removed, Score, ScoreFloor,
    Sources, To,
};
use cards::{Deck, Point};
use game::{Draw, Game, Input, Millis, Presence, Refusal, Seat, Timing};
use std::cell::Cell;

/// A race as it will be after the events handed out so far.
pub(super) struct Draft<'a, X> {
    start: &'a Race,
    now: Option<Box<Race>>,
    out: &'a mut X,
    pub at: Millis,
}

thread_local! {
    /// A match to work on, kept for the next decision: with the memory it has, a match is copied in half the time.
    static SPARE: Cell<Option<Box<Race>>> = const { Cell::new(None) };
}

fn copied(race: &Race) -> Box<Race> {
    match SPARE.take() {
        Some(mut spare) => {
            (*spare).clone_from(race);
            spare
        }
        None => Box::new(race.clone()),
    }
}

impl<X> Drop for Draft<'_, X> {
    fn drop(&mut self) {
        if let Some(now) = self.now.take() {
            SPARE.set(Some(now));
        }
    }
}

impl<'a, X: Extend<Event>> Draft<'a, X> {
    pub fn new(start: &'a Race, at: Millis, out: &'a mut X) -> Draft<'a, X> {
        Draft { start, now: None, out, at }
    }

    pub fn race(&self) -> &Race {
        self.now.as_deref().unwrap_or(self.start)
    }

    pub fn emit(&mut self, event: Event) {
        self.now.get_or_insert_with(|| copied(self.start)).evolve(&event);
        self.out.extend([event]);
    }

    /// Cards laid now are settled then (CORE-14).
    pub fn settled(&self) -> Millis {
        self.at.after(u32::from(self.race().rules.settle_ms))
    }
}

/// Everything that forbids an act, gathered so that the refusal can cite it all.
pub(super) struct Objections {
    rules: Ids,
    text: Option<String>,
}

impl Objections {
    pub fn new() -> Objections {
        Objections { rules: Ids::new(), text: None }
    }

    #[inline(always)]
    pub fn when(&mut self, forbidden: bool, ids: &[&'static str], text: &str) -> bool {
        if forbidden {
            self.object(ids, text);
        }
        forbidden
    }

    #[cold]
    fn object(&mut self, ids: &[&'static str], text: &str) {
        for id in ids {
            if !self.rules.contains(id) {
                self.rules.push(id);
            }
        }
        self.text.get_or_insert_with(|| text.to_owned());
    }

    #[inline(always)]
    pub fn settle(self) -> Result<(), Refusal> {
        match self.text {
            None => Ok(()),
            Some(text) => Err(Refusal::new(&self.rules, text)),
        }
    }
}

/// What becomes of a claim that is not refused.
pub(super) enum Judgement {
    /// It waits for those of the other callers.
    Sealed,
    /// It is right, and chance picks the card that leaves.
    Picking,
    Wrong(Verdict),
    Right(Judged),
}

fn refuse<T>(ids: &[&'static str], text: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(ids, text))
}

impl Race {
    pub(super) fn decide_input<X: Extend<Event>>(
        &self,
        at: Millis,
        input: &Input<Command>,
        out: &mut X,
    ) -> Result<(), Refusal> {
        let mut draft = Draft::new(self, at, out);
        match (input, self.need()) {
            (_, _) if self.state.phase == Phase::Over => {
                let ids = [&["CORE-3", "CORE-21"], &self.rules.ids(Topic::End)[..]].concat();
                return refuse(&ids, "the match is over");
            }
            (Input::Draw(draw), Some(need)) if draw.answers(&need) => self.drawn(&mut draft, draw),
            (Input::Draw(_), Some(_)) => {
                return refuse(&["CORE-1"], "that is no answer to what is to be drawn");
            }
            (Input::Draw(_), None) => return refuse(&["CORE-1"], "nothing is to be drawn now"),
            // People come and go while cards are shuffled, too.
            (Input::Presence(seat, presence), _) => self.presence(&mut draft, *seat, *presence)?,
            (_, Some(_)) => return refuse(&["CORE-1", "CORE-3"], "the cards are being shuffled"),
            (Input::Ring(id), None) => self.ring(&mut draft, *id)?,
            (Input::Play(seat, command, timing), None) => {
                if seat.index() >= self.state.players.len() {
                    return refuse(&["Q-15"], format!("there is no seat {seat}"));
                }
                self.play(&mut draft, *seat, command, *timing)?;
            }
        }
        draft.settle();
        Ok(())
    }

    /// Chance has fallen.
    fn drawn<X: Extend<Event>>(&self, draft: &mut Draft<'_, X>, draw: &Draw) {
        let state = &self.state;
        if let Some(what) = state.shuffling {
            let mut stock = ordered(&self.to_shuffle(what), draw);
            if what == Shuffle::Pile {
                stock.splice(0..0, self.stock.iter().rev().copied());
            }
            let left = stock.len() as u16;
            draft.emit(Event::Shuffled { what, stock, left });
        } else if let (Some((seat, claim)), Draw::Pick(n)) = (&state.picking, draw) {
            let leaves = claim.cards()[usize::from(*n)];
            let Ok(judged) = self.reach(Some(*seat)).judge(claim) else { return };
            draft.emit(Event::Judged { at: draft.at, verdict: self.right(*seat, &judged, Some(leaves)) });
        } else if !self.dealer_known {
            let Draw::Pick(n) = draw else { return };
            draft.emit(Event::FirstDealer(Seat(*n as u8)));
        } else {
            draft.emit(self.dealt(draft.at, &ordered(&self.rules.pack(), draw)));
        }
    }

    /// Deals from a shuffled deck, top first: personal cards one at a time from the dealer's left, then the layout.
    pub(super) fn dealt(&self, at: Millis, deck: &[Point]) -> Event {
        let rules = &self.rules;
        let seats = self.seats();
        let mut top = deck.iter().copied();
        let mut hands = vec![Vec::new(); usize::from(seats)];
        for _ in 0..rules.hand {
            for step in 1..=seats {
                let seat = self.state.dealer.step(i32::from(step), seats);
                if !self.state.players[seat.index()].retired() {
                    hands[seat.index()].extend(top.next());
                }
            }
        }
        let mut board = Box::new(super::Board::empty(rules));
        let progressive = rules.deal_style == DealStyle::Progressive;
        if !progressive {
            board.fill(top.by_ref());
        }
        let stock: Vec<Point> = top.collect();
        let left = stock.len() as u16;
        let open_at = if progressive { at } else { at.after(u32::from(rules.settle_ms)) };
        Event::Dealt { at, stock, left, board, hands: hands.into_iter().map(Hand::Seen).collect(), open_at }
    }

    fn play<X: Extend<Event>>(
        &self,
        draft: &mut Draft<'_, X>,
        seat: Seat,
        command: &Command,
        timing: Timing,
    ) -> Result<(), Refusal> {
        let at = draft.at;
        match command {
            Command::Call => self.call(draft, seat, timing),
            Command::Cancel => self.cancel(draft, seat),
            Command::Claim { groups, leaves } => self.claim(draft, seat, groups, *leaves),
            Command::NoSet => {
                self.may_vote(seat, "raise a flag", self.state.flags.has(seat))?;
                draft.emit(Event::Flag { at, seat, up: true });
                Ok(())
            }
            Command::NoSetOff => {
                if !self.state.flags.has(seat) {
                    return refuse(&["CORE-15", "Q-04"], "your flag is not up");
                }
                draft.emit(Event::Flag { at, seat, up: false });
                Ok(())
            }
            Command::Looking => {
                self.may_vote(seat, "object", false)?;
                draft.emit(Event::Looking { at, seat });
                Ok(())
            }
            Command::Ask => self.ask(draft, seat),
            Command::GiveUp => {
                if !self.rules.solo() {
                    return refuse(&["Q-25", "SOLO-7"], "only a player who plays alone may give up");
                }
                if self.state.phase == Phase::Between {
                    return refuse(&["Q-25", "CORE-3"], "the deal is over");
                }
                draft.deal_over(super::DealEnd::GaveUp);
                Ok(())
            }
            Command::Hint => self.hint(draft, seat),
            Command::Ready => {
                self.between(seat, &["Q-26", "CORE-3"], self.state.ready.has(seat))?;
                draft.emit(Event::Ready { at, seat });
                Ok(())
            }
            Command::Graduate => {
                if self.rules.deck != Deck::D27 {
                    return refuse(&["QUICK-4"], "only the quick deck has another part");
                }
                self.between(seat, &["QUICK-4", "Q-26", "CORE-3"], self.state.graduating.has(seat))?;
                draft.emit(Event::Graduating { at, seat });
                if self.state.graduating.with(seat).contains_all(self.state.here()) {
                    draft.emit(Event::Graduated);
                }
                Ok(())
            }
            Command::Seal { .. } | Command::Scout(_) | Command::Show(_) | Command::Pass => {
                self.scout_act(draft, seat, command)
            }
            Command::Flip(_) | Command::Declare => {
                refuse(&["MEM-3", "4.1"], "no cards lie face down in this game")
            }
            Command::Play(_) | Command::Challenge(_) => {
                refuse(&["SETUP-3", "4.1"], "no cards are placed in this game")
            }
        }
    }

    /// What keeps a seat from calling or claiming, whatever the phase.
    #[inline(always)]
    pub(super) fn may_act(&self, objections: &mut Objections, seat: Seat) {
        let player = &self.state.players[seat.index()];
        objections.when(player.retired(), &["LEAVE-2", "Q-15"], "you have left the match");
        objections.when(
            matches!(player.held, Held::Away { .. }),
            &["LEAVE-1", "Q-15"],
            "you are not connected",
        );
        objections.when(
            self.state.sitting_out(&self.rules) == Some(seat),
            &["SETT-2", "A-15", "Q-15"],
            "the dealer sits this deal out",
        );
        objections.when(
            player.frozen.is_some(),
            &["SCOUT-8", "Q-15"],
            "you are frozen until another Set is found",
        );
    }

    /// What besides keeps a seat from calling or claiming now.
    #[inline(always)]
    fn may_start(&self, objections: &mut Objections, seat: Seat, at: Millis) {
        let state = &self.state;
        self.may_act(objections, seat);
        if state.locked(seat, at) {
            let mut ids = self.rules.ids(Topic::Wrong);
            ids.extend(["CORE-11", "A-11", "Q-03", "Q-15", "Q-18"]);
            if state.players[seat.index()].wasted > 1 {
                ids.push("Q-21");
            }
            objections.when(true, &ids, "you are locked out for a moment after a wrong claim");
        }
        let settling = state.phase == Phase::Open && at < state.open_at;
        objections.when(settling, &["CORE-14", "SETT-8", "A-13"], "the cards have only just been laid");
        objections.when(state.phase == Phase::Between, &["CORE-3", "Q-26"], "the deal is over");
    }

    fn call<X: Extend<Event>>(
        &self,
        draft: &mut Draft<'_, X>,
        seat: Seat,
        timing: Timing,
    ) -> Result<(), Refusal> {
        let (rules, state, at) = (&self.rules, &self.state, draft.at);
        let mut objections = Objections::new();
        if rules.entry == Entry::Tap {
            let mut ids = rules.ids(Topic::Call);
            ids.extend(["CORE-7", "Q-10"]);
            objections.when(true, &ids, "no call is made in this game: claim the cards at once");
        }
        let mut standing = rules.ids(Topic::Call);
        standing.extend(["CORE-5", "CORE-4", "CORE-3"]);
        match (state.phase, state.call) {
            (Phase::Tie, Some(call)) => {
                let within = timing.adjusted() <= call.since.after(u32::from(rules.tie_window_ms));
                standing.extend(["SETT-7", "A-6", "Q-05"]);
                objections.when(call.callers.has(seat), &standing, "you have called already");
                objections.when(!within, &standing, "the window for tied calls is over");
            }
            (Phase::Called | Phase::Tie, _) => {
                if rules.ties() {
                    standing.extend(["SETT-7", "A-6", "Q-05"]);
                }
                objections.when(true, &standing, "a call stands");
            }
            (Phase::Scout, _) => {
                standing.extend(["SCOUT-3"]);
                objections.when(true, &standing, "a Set is being searched");
            }
            _ => {}
        }
        self.may_start(&mut objections, seat, at);
        objections.settle()?;
        let first = at.after(u32::from(rules.call_timeout_s) * 1000);
        draft.emit(Event::Called {
            at,
            adjusted: timing.adjusted(),
            seat,
            deadline: state.call.map_or(first, |call| call.deadline),
        });
        Ok(())
    }

    /// Refuses what only a caller who has not answered may do.
    pub(super) fn must_be_caller(&self, seat: Seat) -> Result<(), Refusal> {
        let state = &self.state;
        let mut ids = self.rules.ids(Topic::Call);
        let Some(call) = state.call.filter(|_| matches!(state.phase, Phase::Called | Phase::Tie)) else {
            ids.extend(["CORE-4"]);
            if state.phase == Phase::Between {
                ids.extend(["CORE-3", "Q-26"]);
            }
            if state.phase == Phase::Scout {
                ids.extend(["CORE-5", "SCOUT-3"]);
            }
            return refuse(&ids, "the call comes before the claim");
        };
        if !call.callers.has(seat) {
            ids.extend(["CORE-5", "CORE-4"]);
            return refuse(&ids, "somebody else's call stands");
        }
        if self.mine[seat.index()].answer.is_some() {
            ids.extend(["CORE-5", "Q-05", "SETT-7"]);
            return refuse(&ids, "you have answered already");
        }
        Ok(())
    }

    /// Whether answers are sealed until all callers have given theirs.
    pub(super) fn sealed_answers(&self) -> bool {
        self.state.phase == Phase::Tie || self.state.call.is_some_and(|call| call.callers.len() > 1)
    }

    fn cancel<X: Extend<Event>>(&self, draft: &mut Draft<'_, X>, seat: Seat) -> Result<(), Refusal> {
        let at = draft.at;
        if self.rules.entry == Entry::Tap {
            let mut ids = self.rules.ids(Topic::Call);
            ids.extend(["CORE-7", "CORE-6"]);
            return refuse(&ids, "no call is made in this game, so there is none to withdraw");
        }
        self.must_be_caller(seat)?;
        if self.sealed_answers() {
            draft.emit(Event::Answered { at, seat, claim: None });
        } else {
            draft.close_call(seat, Finding::Cancelled);
        }
        Ok(())
    }

    fn claim<X: Extend<Event>>(
        &self,
        draft: &mut Draft<'_, X>,
        seat: Seat,
        claim: &Claim,
        leaves: Option<Point>,
    ) -> Result<(), Refusal> {
        let at = draft.at;
        let judgement = self.judge_claim(at, seat, claim, leaves, self.may_claim(at, seat))?;
        draft.emit(match judgement {
            Judgement::Sealed => Event::Answered { at, seat, claim: Some(claim.clone()) },
            Judgement::Picking => Event::Picking { at, seat, claim: claim.clone() },
            Judgement::Wrong(verdict) => Event::Judged { at, verdict },
            Judgement::Right(judged) => Event::Judged { at, verdict: self.right(seat, &judged, leaves) },
        });
        Ok(())
    }

    /// Refuses a claim that may not be made now, whatever its cards.
    #[inline(always)]
    pub(super) fn may_claim(&self, at: Millis, seat: Seat) -> Result<(), Refusal> {
        if self.rules.entry == Entry::Call {
            return self.must_be_caller(seat);
        }
        let mut objections = Objections::new();
        self.may_start(&mut objections, seat, at);
        objections.settle()
    }

    /// Judges a claim that may be made now, as `free` says.
    #[inline(never)]
    pub(super) fn judge_claim(
        &self,
        at: Millis,
        seat: Seat,
        claim: &Claim,
        leaves: Option<Point>,
        free: Result<(), Refusal>,
    ) -> Result<Judgement, Refusal> {
        let rules = &self.rules;
        if rules.mechanism == Mechanism::Scout {
            let mut ids = rules.ids(Topic::Claim);
            ids.push("4.1");
            return refuse(&ids, "a finder seals the Set: `seal A B C points A`");
        }
        if let Err(mut refusal) = free {
            // What is wrong with the cards forbids the claim as well.
            if let Err(shape) = self.reach(Some(seat)).judge(claim) {
                let more: Vec<_> = shape.rules.into_iter().filter(|rule| !refusal.cites(rule)).collect();
                refusal.rules.extend(more);
            }
            return Err(refusal);
        }
        let judged = self.judge(seat, claim)?;
        if let Some(card) = leaves {
            let ids = rules.shape_ids();
            if rules.removed == Removed::All {
                return refuse(&ids, "in this game all claimed cards leave: none is chosen");
            }
            if rules.complex_pick == ComplexPick::ServerRandom {
                return refuse(&ids, "in this game chance picks the card that leaves");
            }
            if !claim.cards().contains(&card) {
                return refuse(&ids, "the card that leaves is one of those claimed");
            }
        }
        Ok(if self.sealed_answers() {
            Judgement::Sealed
        } else if !judged.finding.right() {
            Judgement::Wrong(self.wrong(at, seat, judged.finding, judged.claim))
        } else if rules.removed == Removed::One && rules.complex_pick == ComplexPick::ServerRandom {
            Judgement::Picking
        } else {
            Judgement::Right(judged)
        })
    }

    /// The verdict on a right claim (CORE-10).
    #[inline(always)]
    pub(super) fn right(&self, seat: Seat, judged: &Judged, leaves: Option<Point>) -> Verdict {
        let rules = &self.rules;
        let taken: Few<12> = match rules.removed {
            Removed::All if rules.sources == Sources::Previous => {
                judged.cards.iter().copied().filter(|&card| self.state.board.has(card)).collect()
            }
            Removed::All => judged.cards.cut(),
            Removed::One => {
                let lowest = || judged.cards.iter().copied().min_by_key(|&card| self.state.board.find(card));
                leaves.or_else(lowest).into_iter().collect()
            }
        };
        let points = match rules.score {
            Score::Sets | Score::Time => i32::from(judged.sets),
            Score::Claims => 1,
            Score::Cards => taken.len() as i32,
            Score::OthersCards => 0,
        };
        Verdict {
            seat,
            finding: judged.finding,
            claim: judged.claim.clone(),
            points: points - i32::from(judged.unlinked && !self.state.players[seat.index()].unlinked),
            sets: judged.sets,
            taken,
            lock: Lock::NONE,
            pays: None,
            draws: false,
        }
    }

    /// The verdict on a wrong claim, or on a call that came to nothing (CORE-6, CORE-11).
    pub(super) fn wrong(&self, at: Millis, seat: Seat, finding: Finding, claim: Claim) -> Verdict {
        let (rules, player) = (&self.rules, &self.state.players[seat.index()]);
        let costs = finding != Finding::Lapsed;
        let pays = (costs && rules.penalty == Penalty::HeapSet && player.sets_held > 0)
            .then(|| player.taken.iter().rev().take(3).rev().copied().collect());
        let point = costs && matches!(rules.penalty, Penalty::Point | Penalty::HeapSet);
        let floored = rules.score_floor == ScoreFloor::Zero && player.score <= 0;
        let room = player.hand.len() < usize::from(rules.hand_max)
            && (self.state.stock > 0 || !self.state.pile.is_empty());
        Verdict {
            seat,
            finding,
            claim,
            points: -i32::from(point && !floored),
            sets: 0,
            taken: Few::new(),
            lock: self.lock(at, seat, finding),
            pays,
            draws: costs && rules.penalty == Penalty::Draw && room,
        }
    }

    /// How long a seat is locked out.
    pub(super) fn lock(&self, at: Millis, seat: Seat, finding: Finding) -> Lock {
        let idle = matches!(finding, Finding::Timeout | Finding::Cancelled | Finding::Lapsed);
        let before = self.state.players[seat.index()].wasted;
        let ramp = if idle && before > 0 { (2u32 << (before - 1).min(5)).min(60) } else { 0 };
        let usual = if finding == Finding::Lapsed { Lockout::Seconds(0) } else { self.rules.lockout() };
        match usual {
            Lockout::Until(_) => Lock::NextClaim,
            Lockout::Seconds(0) if ramp == 0 => Lock::NONE,
            Lockout::Seconds(seconds) => Lock::Until(at.after(u32::from(seconds).max(ramp) * 1000)),
        }
    }

    /// Refuses a vote that may not be given now.
    fn may_vote(&self, seat: Seat, act: &str, raised: bool) -> Result<(), Refusal> {
        let (rules, state) = (&self.rules, &self.state);
        let mut objections = Objections::new();
        if rules.no_claim == NoClaim::Auto {
            let mut ids = rules.ids(Topic::NoClaim);
            ids.extend(["CORE-16", "A-1", "CORE-15"]);
            objections.when(true, &ids, "in this game the server sees by itself when nobody has a claim");
        }
        objections.when(
            state.certain(rules),
            &["CORE-19", "CORE-15", "4.3", "QUICK-3", "SUPH-6"],
            "so many cards are certain to hold a claim",
        );
        objections.when(
            matches!(state.phase, Phase::Tie | Phase::Called | Phase::Scout),
            &["Q-04", "CORE-5", "CORE-15", "CORE-3"],
            &format!("nobody can {act} while a call stands"),
        );
        objections.when(
            state.phase == Phase::Dealing,
            &["SETW-1", "CORE-3", "CORE-15"],
            &format!("nobody can {act} while cards are still being laid"),
        );
        objections.when(state.phase == Phase::Between, &["CORE-3", "Q-26"], "the deal is over");
        objections.when(raised, &["Q-04", "CORE-15"], "your flag is up already");
        self.may_act(&mut objections, seat);
        objections.settle()
    }

    fn ask<X: Extend<Event>>(&self, draft: &mut Draft<'_, X>, seat: Seat) -> Result<(), Refusal> {
        let (rules, state, at) = (&self.rules, &self.state, draft.at);
        let mut objections = Objections::new();
        objections.when(rules.to != To::Discard, &["TWTY-6", "4.1"], "no cards are asked for in this game");
        let standing = state.phase != Phase::Open;
        objections.when(
            standing,
            &["TWTY-6", "CORE-5", "CORE-3"],
            "cards are asked for only while the table is open",
        );
        let full = state.players[seat.index()].hand.len() >= usize::from(rules.hand_max);
        objections.when(full, &["TWTY-6", "A-43"], "you hold as many cards as you may");
        let none = state.stock == 0 && state.pile.is_empty();
        objections.when(none, &["TWTY-6", "TWTY-5", "TWTY-7", "CORE-20"], "no card is left to draw");
        self.may_act(&mut objections, seat);
        objections.settle()?;
        draft.emit(Event::Asked { at, seat });
        Ok(())
    }

    fn hint<X: Extend<Event>>(&self, draft: &mut Draft<'_, X>, seat: Seat) -> Result<(), Refusal> {
        let (rules, state, at) = (&self.rules, &self.state, draft.at);
        let mut objections = Objections::new();
        objections.when(rules.hints == Hints::Off, &["A-50", "Q-24"], "there are no hints at this table");
        objections.when(
            state.phase != Phase::Open,
            &["A-50", "CORE-3"],
            "hints are given only while the table is open",
        );
        self.may_act(&mut objections, seat);
        objections.settle()?;
        let shown = |card: &Point| self.mine[seat.index()].hints.contains(card) || state.lit.contains(card);
        let next =
            self.reach(Some(seat)).first().and_then(|c| c.cards().iter().copied().find(|card| !shown(card)));
        let Some(card) = next else {
            return refuse(&["A-50"], "there is nothing more to show");
        };
        let free = rules.hints == Hints::Free
            || rules.score_floor == ScoreFloor::Zero && state.players[seat.index()].score <= 0;
        draft.emit(Event::Hinted { at, seat, card: Some(card), points: -i32::from(!free) });
        Ok(())
    }

    /// Refuses what belongs between deals, or is done already.
    fn between(&self, seat: Seat, ids: &[&'static str], done: bool) -> Result<(), Refusal> {
        let mut objections = Objections::new();
        objections.when(self.state.phase != Phase::Between, ids, "a deal is being played");
        objections.when(
            !self.state.players[seat.index()].here(),
            &["LEAVE-2", "Q-15"],
            "you are not at the table",
        );
        objections.when(done, ids, "you have said so already");
        objections.settle()
    }

    fn presence<X: Extend<Event>>(
        &self,
        draft: &mut Draft<'_, X>,
        seat: Seat,
        presence: Presence,
    ) -> Result<(), Refusal> {
        let (state, at) = (&self.state, draft.at);
        let Some(player) = state.players.get(seat.index()) else {
            return refuse(&["LEAVE-7"], format!("there is no seat {seat}"));
        };
        let place = Place {
            held: player.held,
            returning: state.returning.has(seat),
            dealt: !matches!(state.phase, Phase::Shuffling | Phase::Between),
        };
        match place.change(&self.rules, presence)? {
            Change::Away => {
                draft.emit(Event::Away { at, seat });
                draft.close_call_of(seat);
                if self.rules.grace_s == 0 {
                    draft.retire(seat);
                }
            }
            Change::Back => draft.emit(Event::Back { at, seat }),
            Change::Retired => draft.retire(seat),
            Change::Returning(here) => draft.emit(Event::Returning { at, seat, here }),
            Change::Joined { again } => draft.emit(Event::Joined { at, seat, again }),
        }
        Ok(())
    }
}

impl<X: Extend<Event>> Draft<'_, X> {
    /// A single caller's call came to nothing.
    pub fn close_call(&mut self, seat: Seat, finding: Finding) {
        if self.race().scouts() && finding != Finding::Lapsed {
            self.find_failed(finding, Claim::new(), None);
            return;
        }
        let verdict = self.race().wrong(self.at, seat, finding, Claim::new());
        self.emit(Event::Judged { at: self.at, verdict });
    }

    /// A player is gone: an unanswered call of theirs ends without penalty (LEAVE-3).
    pub fn close_call_of(&mut self, seat: Seat) {
        let race = self.race();
        let open = race.state.call.is_some_and(|call| call.callers.has(seat))
            && race.state.picking.is_none()
            && matches!(race.state.phase, Phase::Called | Phase::Tie)
            && race.mine[seat.index()].answer.is_none();
        if open {
            self.emit(Event::CallClosed { at: self.at, seat });
        }
    }

    /// Draws one personal card.
    pub fn draw_card(&mut self, seat: Seat, why: Why, count: usize) {
        let stock = &self.race().stock;
        let cards = stock.iter().rev().take(count).copied().collect();
        self.emit(Event::Drew { at: self.at, seat, why, cards: Hand::Seen(cards) });
    }
}
