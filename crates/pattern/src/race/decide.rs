//! What an input brings: the judge's half of a race. What then follows by itself is in `settle`.

use super::judge::over;
use super::reach::Judged;
use super::state::{Event, Finding, Lock, Phase, Shuffle, Verdict, Why};
use super::{Hand, Race};
use crate::claim::{Claim, Few};
use crate::command::Command;
use crate::frame::draft::ordered;
use crate::frame::presence::{Change, Place};
use crate::rules::{ComplexPick, DealStyle, Lockout, Penalty, Removed, Score, ScoreFloor, Sources};
use cards::Point;
use game::{Draw, Game, Input, Millis, Presence, Refusal, Say, Seat, Timing, say};
use std::cell::Cell;

/// A race as it will be after the events handed out so far.
pub(super) struct Draft<'a, X> {
    start: &'a Race,
    now: Option<Box<Race>>,
    out: &'a mut X,
    pub at: Millis,
    /// When what comes with time alone was due; else, now.
    pub due: Millis,
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
        Draft { start, now: None, out, at, due: at }
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

/// What becomes of a claim that is not refused.
pub(super) enum Judgement {
    /// It waits for those of the other callers.
    Sealed,
    /// It is right, and chance picks the card that leaves.
    Picking,
    Wrong(Verdict),
    Right(Judged),
}

fn refuse<T>(ids: &[&'static str], say: Say) -> Result<T, Refusal> {
    Err(Refusal::new(ids, say))
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
            (Input::Play(seat, ..), _) if seat.index() >= self.state.players.len() => {
                return refuse(&["Q-15"], say!("no.seat", n = *seat));
            }
            // Nobody acts once the match is over, and while chance is asked.
            (Input::Play(seat, command, _), need) if need.is_some() || self.state.phase == Phase::Over => {
                return self.allows(at, *seat, command);
            }
            (Input::Play(seat, command, timing), _) => self.play(&mut draft, *seat, command, *timing)?,
            _ if self.state.phase == Phase::Over => return Err(over(&self.rules, &self.state)),
            (Input::Draw(draw), Some(need)) if draw.answers(&need) => self.drawn(&mut draft, draw),
            (Input::Draw(_), Some(_)) => {
                return refuse(&["CORE-1"], say!("no.chance"));
            }
            (Input::Draw(_), None) => return refuse(&["CORE-1"], say!("no.chance_now")),
            // People come and go while cards are shuffled, too.
            (Input::Presence(seat, presence), _) => self.presence(&mut draft, *seat, *presence)?,
            (Input::Ring(_), Some(_)) => return refuse(&["CORE-1", "CORE-3"], say!("no_pattern.shuffling")),
            (Input::Ring(id), None) => self.ring(&mut draft, *id)?,
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
        let (at, judge) = (draft.at, self.judge(seat));
        match command {
            Command::Call => self.call(draft, seat, timing),
            Command::Cancel => self.cancel(draft, seat),
            Command::Claim { groups, leaves } => self.claim(draft, seat, groups, *leaves),
            Command::Seal { .. } | Command::Scout(_) | Command::Show(_) | Command::Pass => {
                self.scout_act(draft, seat, command)
            }
            Command::Hint => {
                let (card, points) = (judge.hint()?, judge.hint_points());
                draft.emit(Event::Hinted { at, seat, card: Some(card), points });
                Ok(())
            }
            Command::NoSet => {
                judge.raise_flag()?;
                draft.emit(Event::Flag { at, seat, up: true });
                Ok(())
            }
            Command::NoSetOff => {
                judge.lower_flag()?;
                draft.emit(Event::Flag { at, seat, up: false });
                Ok(())
            }
            Command::Looking => {
                judge.object()?;
                draft.emit(Event::Looking { at, seat });
                Ok(())
            }
            Command::Ask => {
                judge.ask()?;
                draft.emit(Event::Asked { at, seat });
                Ok(())
            }
            Command::GiveUp => {
                judge.give_up()?;
                draft.deal_over(super::DealEnd::GaveUp);
                Ok(())
            }
            Command::Ready => {
                judge.ready()?;
                draft.emit(Event::Ready { at, seat });
                Ok(())
            }
            Command::Graduate => {
                judge.graduate()?;
                draft.emit(Event::Graduating { at, seat });
                Ok(())
            }
            // Acts of other games: this one has none of them.
            Command::Flip(_) | Command::Declare | Command::Play(_) | Command::Challenge(_) => {
                judge.command(at, command)
            }
        }
    }

    fn call<X: Extend<Event>>(
        &self,
        draft: &mut Draft<'_, X>,
        seat: Seat,
        timing: Timing,
    ) -> Result<(), Refusal> {
        let at = draft.at;
        self.judge(seat).call(at, timing.adjusted())?;
        let first = self.rules.call_timeout_s.millis().map(|ms| at.after(ms));
        draft.emit(Event::Called {
            at,
            adjusted: timing.adjusted(),
            seat,
            deadline: self.state.call.map_or(first, |call| call.deadline),
        });
        Ok(())
    }

    /// Whether answers are sealed until all callers have given theirs.
    pub(super) fn sealed_answers(&self) -> bool {
        self.state.phase == Phase::Tie || self.state.call.is_some_and(|call| call.callers.len() > 1)
    }

    fn cancel<X: Extend<Event>>(&self, draft: &mut Draft<'_, X>, seat: Seat) -> Result<(), Refusal> {
        self.judge(seat).cancel(draft.at)?;
        if self.sealed_answers() {
            draft.emit(Event::Answered { at: draft.at, seat, claim: None });
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
        let judgement = self.judge_claim(at, seat, claim, leaves, self.judge(seat).may_claim(at))?;
        draft.emit(match judgement {
            Judgement::Sealed => Event::Answered { at, seat, claim: Some(claim.clone()) },
            Judgement::Picking => Event::Picking { at, seat, claim: claim.clone() },
            Judgement::Wrong(verdict) => Event::Judged { at, verdict },
            Judgement::Right(judged) => Event::Judged { at, verdict: self.right(seat, &judged, leaves) },
        });
        Ok(())
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
        let judged = self.judge(seat).claim(claim, leaves, free)?;
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
        let ramp = if idle { self.state.players[seat.index()].wasted_lockout() } else { 0 };
        let usual = if finding == Finding::Lapsed { Lockout::Seconds(0) } else { self.rules.lockout() };
        match usual {
            Lockout::Until(_) => Lock::NextClaim,
            Lockout::Seconds(0) if ramp == 0 => Lock::NONE,
            Lockout::Seconds(seconds) => Lock::Until(at.after(u32::from(seconds).max(ramp) * 1000)),
        }
    }

    fn presence<X: Extend<Event>>(
        &self,
        draft: &mut Draft<'_, X>,
        seat: Seat,
        presence: Presence,
    ) -> Result<(), Refusal> {
        let (state, at) = (&self.state, draft.at);
        let Some(player) = state.players.get(seat.index()) else {
            return refuse(&["LEAVE-7"], say!("no.seat", n = seat));
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
