//! The truth of a match: what is decided, and what follows from it.

use crate::command::Command;
use crate::event::{Claim, Event, Notice};
use crate::judge::{Judge, bar, layable, refuse};
use crate::meld::{End, Law, Meld};
use crate::rules::{
    Blocked, CutMode, DrawMode, FirstDealer, NextDealer, Rules, TakeClose, TakeCurrent, TakeShort, Tie,
    UpcardWild,
};
use crate::sealed::{Call, Own};
use crate::settle;
use crate::table::{Board, CompiledRules, Flow, Hand, MOST, Next, Phase, SharedRules, Waiting};
use crate::view::View;
use cards::Face;
use game::{
    Alarm, Chance, Draw, Game, Input, Millis, Need, Presence, Refusal, Seat, SeatSet, Status, Viewer,
};
use std::sync::Arc;

/// Seconds after which a seat whose player has left is moved for, where no turn clock runs.
const GONE_SECONDS: u32 = 5;
/// Seconds after which a seat whose connection is lost is moved for, where no turn clock runs.
const AWAY_SECONDS: u32 = 60;
/// Seconds to pick a card of the claimer's hand.
const PICK_SECONDS: u32 = 15;
/// How far a cut by chance may be from the exact depth.
const CUT_SPREAD: u8 = 30;
/// Which shuffle of the first deal finds the dealer, where the highest card deals: one that no reshuffle reaches.
const HIGH_CARD_SHUFFLE: u16 = u16::MAX;

/// The truth of one match.
///
/// What chance is asked: the indices of a deal's shuffle refer to [`Rules::cards`]; those of a reshuffle to the discard
/// pile without its top card, from the card beneath that downwards; entry 0 of an answer is the card that comes to lie on
/// top. A blind pick is asked once the place has been chosen: the claimer's hand in canonical order is turned by what
/// chance says, so that every card is equally likely at every place.
#[derive(Clone, Debug)]
pub struct Match {
    pub(crate) compiled: SharedRules,
    pub(crate) flow: Flow,
    pub(crate) board: Board,
    pub(crate) sealed: Sealed,
    pub(crate) hands: Vec<Hand>,
    /// The stock, its top card last.
    pub(crate) stock: Vec<Face>,
    /// The discard pile, its top card last.
    pub(crate) pile: Vec<Face>,
    /// Cards that are not in play: all before the first deal; in a written-down position those not named.
    pub(crate) aside: Hand,
    /// Whether the position was written down, so that cuts of exact depth are understood.
    pub(crate) exact: bool,
}

/// What is small and secret. Copied for a decision on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sealed {
    pub own: [Own; MOST],
    /// In what order seats asked or called: 0 for not at all.
    pub since: [u8; MOST],
    /// How many have.
    pub asked: u8,
    /// What each hand costs.
    pub deadwood: [i32; MOST],
    /// P0's discard (none: hold) and protecting call, held back while the card beneath is settled.
    pub discard: Option<(Option<Face>, bool)>,
    /// The card P0 drew from the discard pile, if the hand held none of its face before.
    pub back: Option<Face>,
}

impl Default for Sealed {
    fn default() -> Self {
        Sealed {
            own: [Own::default(); MOST],
            since: [0; MOST],
            asked: 0,
            deadwood: [0; MOST],
            discard: None,
            back: None,
        }
    }
}

impl Sealed {
    /// Takes in an event, given the flow before it.
    fn apply(&mut self, compiled: &CompiledRules, flow: &Flow, event: &Event) {
        let seats = usize::from(flow.seats);
        let changes_answers = !matches!(
            event,
            Event::Penalty { .. }
                | Event::Melded { .. }
                | Event::LaidOff { .. }
                | Event::Reclaimed { .. }
                | Event::Undone { .. }
                | Event::Withheld { .. }
                | Event::TimedOut { .. }
                | Event::Presence { .. }
        );
        if changes_answers {
            for (own, seat) in self.own[..seats].iter_mut().zip(0..) {
                own.apply(flow, event, Seat(seat));
            }
        }
        let law = &compiled.laws[usize::from(flow.round)];
        let value = |face: Face| i32::from(law.values[face.index()]);
        let turn = flow.turn.index();
        match event {
            Event::Answered { seat, take } => self.note(*seat, *take),
            Event::Called { seat, claim } => self.note(*seat, claim.is_some()),
            Event::Stands { seat, .. }
                if self.own[seat.index()].answer == Some(true) && self.since[seat.index()] == 0 =>
            {
                self.note(*seat, true);
            }
            Event::Offer { .. } | Event::Declined { .. } => {
                // Standing answers count from when the window opens, in turn order.
                for seat in flow.order(compiled, flow.turn) {
                    let wants = self.own[seat.index()].answer == Some(true);
                    if wants && self.since[seat.index()] == 0 {
                        self.note(seat, true);
                    } else if !wants {
                        self.since[seat.index()] = 0;
                    }
                }
            }
            Event::Took { seat, card, .. } => {
                self.deadwood[seat.index()] += value(*card);
                self.fresh_window();
            }
            Event::Penalty { seat, card } => self.deadwood[seat.index()] += value(*card),
            Event::Drew { discard, card, .. } => {
                self.deadwood[turn] += value(*card);
                if *discard || flow.open.is_empty() {
                    self.fresh_window();
                }
            }
            Event::Pushed { to, discard, card, .. } => {
                self.deadwood[to.index()] += value(*discard) + value(*card);
            }
            Event::Melded { melds, .. } => {
                self.deadwood[turn] -= melds.iter().flat_map(Meld::faces).map(value).sum::<i32>();
            }
            Event::LaidOff { cards, .. } => {
                self.deadwood[turn] -= cards.iter().map(|&c| value(c)).sum::<i32>()
            }
            Event::Reclaimed { card, wild, .. } => self.deadwood[turn] += value(*wild) - value(*card),
            Event::Undone { before } => {
                self.deadwood[turn] +=
                    before.back.iter().map(|&c| value(c)).sum::<i32>() - before.wild.map_or(0, value);
            }
            Event::Withheld { card, protect } => self.discard = Some((*card, *protect)),
            Event::Held => {
                self.discard = None;
                self.back = None;
                self.fresh_window();
            }
            Event::Discarded { card, .. } => {
                self.deadwood[turn] -= value(*card);
                self.discard = None;
                self.back = None;
                self.fresh_window();
            }
            Event::Picked { card } => {
                if let Some(claimer) = flow.claimer {
                    self.deadwood[claimer.index()] -= value(*card);
                }
                self.deadwood[flow.discarder.index()] += value(*card);
            }
            Event::Turn { .. } => {
                self.back = None;
                self.fresh_window();
            }
            Event::Back { .. } | Event::Claims { .. } | Event::Claimed { .. } | Event::Unclaimed => {
                self.fresh_window();
            }
            Event::Round { .. } => *self = Sealed::default(),
            _ => {}
        }
    }

    fn fresh_window(&mut self) {
        self.since = [0; MOST];
        self.asked = 0;
    }

    fn note(&mut self, seat: Seat, wants: bool) {
        if wants {
            self.asked = self.asked.saturating_add(1);
        }
        self.since[seat.index()] = if wants { self.asked } else { 0 };
    }

    /// Who has the card, once that is certain: `Some(None)` if nobody.
    fn settled(&self, compiled: &CompiledRules, flow: &Flow, window: &Window) -> Option<Option<Seat>> {
        let &Window { first, asked, tie, claims, last } = window;
        let mut soonest: Option<Seat> = None;
        let mut open = false;
        for seat in flow.order(compiled, first).filter(|&s| asked.has(s)) {
            let own = &self.own[seat.index()];
            let answer = if claims {
                match own.call {
                    Call::Open => None,
                    Call::Pass => Some(false),
                    Call::Claim(_) => Some(true),
                }
            } else {
                own.answer
            };
            match answer {
                Some(true) => match tie {
                    // The best-placed undecided seat can no longer beat this one.
                    Tie::TurnOrder if open && !last => return None,
                    Tie::TurnOrder => return Some(Some(seat)),
                    Tie::FirstCall => {
                        let earlier = |s: Seat| self.since[s.index()] < self.since[seat.index()];
                        if !soonest.is_some_and(earlier) {
                            soonest = Some(seat);
                        }
                    }
                },
                Some(false) => {}
                None => open = true,
            }
        }
        match soonest {
            Some(seat) => Some(Some(seat)),
            None if open && !last => None,
            None => Some(None),
        }
    }
}

/// A window in which several seats are asked about one card.
struct Window {
    /// From whom on turn order counts.
    first: Seat,
    asked: SeatSet,
    tie: Tie,
    /// Whether it asks for Shanghai claims; else about an offer.
    claims: bool,
    /// Whether it closes, so that who is undecided passes.
    last: bool,
}

/// A decision on its way: events are handed out, and their effect on what is small is applied.
struct Draft<'a, O: Extend<Event>> {
    game: &'a Match,
    compiled: &'a CompiledRules,
    flow: Flow,
    sealed: Sealed,
    /// The stock that has just been remade, its top card last.
    remade: Option<Vec<Face>>,
    out: &'a mut O,
    at: Millis,
}

impl<O: Extend<Event>> Draft<'_, O> {
    fn emit(&mut self, event: Event) {
        self.sealed.apply(self.compiled, &self.flow, &event);
        self.flow.apply(self.compiled, &event);
        self.out.extend(Some(event));
    }

    /// The card at the top of the pile once `gone` cards have gone from it.
    fn top_after(&self, gone: u16) -> Option<Face> {
        let left = self.flow.pile.checked_sub(gone)?;
        // Ahead of the truth cards only leave the pile, or it has been remade and holds one.
        usize::from(left).checked_sub(1).and_then(|i| self.game.pile.get(i)).copied()
    }

    fn stock_top(&self) -> Option<Face> {
        let stock = self.remade.as_ref().unwrap_or(&self.game.stock);
        usize::from(self.flow.stock).checked_sub(1).and_then(|i| stock.get(i)).copied()
    }

    /// When the clock of a seat runs out if it starts now; none if it has none.
    fn clock(&self, seat: Seat) -> Option<Millis> {
        seconds_of(self.compiled, &self.flow, seat).map(|seconds| self.at.after(seconds * 1000))
    }

    /// When P0 must have played: what was left on the turn clock.
    fn rest_of_turn(&self) -> Option<Millis> {
        if self.flow.timed_out {
            return Some(self.at);
        }
        match self.flow.left {
            Some(left) => Some(self.at.after(left)),
            // In START the clock is running.
            None if self.flow.phase == Phase::Start => self.flow.until,
            None => None,
        }
    }

    /// When a window that asks `asked` closes by itself.
    fn window(&self, seconds: u16, asked: SeatSet) -> Option<Millis> {
        if seconds > 0 {
            return Some(self.at.after(u32::from(seconds) * 1000));
        }
        // each has the turn clock to answer.
        let clocks = asked.iter().map(|seat| seconds_of(self.compiled, &self.flow, seat));
        clocks.flatten().max().map(|seconds| self.at.after(seconds * 1000))
    }

    // The deal

    fn round(&mut self, round: usize, deal: u16, dealer: Seat) {
        let cut = &self.compiled.set(round as u16).cut;
        let cuts = cut.on && cut.mode != CutMode::Off;
        let cutter = self.flow.step(self.compiled, dealer, -1);
        let until = if cuts { self.clock(cutter) } else { None };
        self.emit(Event::Round { round: round as u16, deal, dealer, until });
    }

    /// After the cards are dealt.
    fn first_turn(&mut self) {
        let first = self.flow.step(self.compiled, self.flow.dealer, 1);
        self.turn(first, 0, false);
    }

    // START

    fn turn(&mut self, seat: Seat, idle: u8, claimable: bool) {
        // A closed pile opens where the stock cannot supply a card (SH-CALL-6).
        let protected = self.flow.protected && self.flow.can_draw(self.compiled);
        let until = self.clock(seat);
        self.emit(Event::Turn { seat, protected, claimable, idle, until });
        self.blocked_at_start();
    }

    /// A round is blocked at once where P0 can get no card at all. Whether it was.
    fn blocked_at_start(&mut self) -> bool {
        let blocked = !self.flow.can_draw(self.compiled) && !self.flow.may_take(self.compiled);
        if blocked {
            self.round_over(None);
        }
        blocked
    }

    fn draw_discard(&mut self) {
        let Some(card) = self.flow.top else { return };
        let (top, until) = (self.top_after(1), self.rest_of_turn());
        self.emit(Event::Drew { discard: true, card, top, until });
    }

    /// P0 declined: claims, then offers, then the stock card.
    fn decline(&mut self) {
        let left = match self.flow.until {
            _ if self.flow.timed_out => Some(0),
            Some(until) => Some(until.since(self.at)),
            None => None,
        };
        let stays = self.stays_open();
        let open = if stays && !self.flow.claimable { self.eligible() } else { SeatSet::NONE };
        self.emit(Event::Declined { left, open });
        if self.flow.claimable {
            let asked = SeatSet::all(self.flow.seats).without(self.flow.discarder);
            return self.claims(asked);
        }
        if stays { self.draw() } else { self.offer() }
    }

    /// Whether the top discard stays open to askers while P0 plays. What is pushed does not.
    fn stays_open(&self) -> bool {
        let set = self.flow.set(self.compiled);
        set.take.close == TakeClose::BeforeDiscard && set.draw.mode != DrawMode::Push
    }

    // OFFER

    fn eligible(&self) -> SeatSet {
        SeatSet::all(self.flow.seats)
            .without(self.flow.turn)
            .iter()
            .filter(|&seat| bar(self.compiled, &self.flow, seat).is_none())
            .collect()
    }

    fn offer(&mut self) {
        let asked = self.eligible();
        if asked.is_empty() {
            return self.draw();
        }
        let until = self.window(self.flow.set(self.compiled).take.seconds, asked);
        self.emit(Event::Offer { asked, until });
        self.settle_offer(false);
    }

    /// Gives the offered card to whom it belongs, once that is certain.
    fn settle_offer(&mut self, last: bool) {
        let tie = self.flow.set(self.compiled).take.tie;
        let (asked, first) = (self.flow.asked, self.flow.turn);
        match self.sealed.settled(
            self.compiled,
            &self.flow,
            &Window { first, asked, tie, claims: false, last },
        ) {
            None => {}
            Some(None) => self.draw(),
            Some(Some(seat)) => self.took(seat),
        }
    }

    fn took(&mut self, seat: Seat) {
        let Some(card) = self.flow.top else { return };
        let penalty = u16::from(self.flow.set(self.compiled).take.penalty);
        let owed = penalty.min(self.flow.payable(self.compiled)) as u8;
        let top = self.top_after(1);
        self.emit(Event::Took { seat, card, top, owed });
        self.go_on();
    }

    /// Pays what is owed, and then goes on with what was under way. Stops where the stock must be remade.
    fn go_on(&mut self) {
        while self.flow.owed > 0 {
            let (Some(seat), Some(card)) = (self.flow.taker, self.stock_top()) else {
                return self.emit(Event::Remake { draw: false });
            };
            self.emit(Event::Penalty { seat, card });
        }
        match self.flow.next {
            Next::Nothing => {}
            Next::Offer => self.after_take(),
            Next::Draw => self.draw(),
            Next::Discard => self.held_back(),
        }
    }

    /// A take is paid: the card beneath is offered, or P0 is asked again, or draws.
    fn after_take(&mut self) {
        let take = &self.flow.set(self.compiled).take;
        if self.flow.taker == Some(self.flow.turn) || take.current == TakeCurrent::EachCard && take.chain {
            let until = self.rest_of_turn();
            self.emit(Event::Back { forced: false, until });
            self.blocked_at_start();
        } else if take.chain {
            self.offer();
        } else {
            self.draw();
        }
    }

    /// P0 draws from the stock, or pushes and draws.
    fn draw(&mut self) {
        let (push, enough) = (self.flow.pushes(self.compiled), self.flow.can_draw(self.compiled));
        if enough && self.flow.stock < self.flow.per_draw(self.compiled) {
            return self.emit(Event::Remake { draw: true });
        }
        if push && enough {
            let (Some(discard), Some(card)) = (self.flow.top, self.stock_top()) else { return };
            let (to, top) = (self.flow.step(self.compiled, self.flow.turn, 1), self.top_after(1));
            self.emit(Event::Pushed { to, discard, card, top });
        }
        match self.stock_top().filter(|_| enough) {
            Some(card) => {
                let until = self.rest_of_turn();
                self.emit(Event::Drew { discard: false, card, top: self.flow.top, until });
            }
            None => {
                // Nothing is left in the stock.
                let flow = &self.flow;
                let may = flow.set(self.compiled).draw.discard_when_down || !flow.down.has(flow.turn);
                if flow.waived || flow.pile == 0 || !may || flow.protected {
                    return self.round_over(None);
                }
                let until = self.rest_of_turn();
                self.emit(Event::Back { forced: true, until });
            }
        }
    }

    // PLAY and after

    /// P0's turn ends with a discard, or without one. The card that stayed open is settled before it is covered.
    fn end_turn(&mut self, card: Option<Face>, protect: bool) {
        if !self.flow.open.is_empty() {
            let take = &self.flow.set(self.compiled).take;
            let (asked, first) = (self.flow.open, self.flow.turn);
            let taker = self.sealed.settled(
                self.compiled,
                &self.flow,
                &Window { first, asked, tie: take.tie, claims: false, last: true },
            );
            let payable = take.short == TakeShort::Partial
                || self.flow.payable(self.compiled) >= u16::from(take.penalty);
            if let Some(Some(seat)) = taker
                && payable
            {
                self.emit(Event::Withheld { card, protect });
                return self.took(seat);
            }
        }
        self.turn_ended(card, protect);
    }

    fn turn_ended(&mut self, card: Option<Face>, protect: bool) {
        match card {
            Some(card) => self.discarded(card, protect),
            None => {
                self.emit(Event::Held);
                self.next_turn(false);
            }
        }
    }

    /// The end of the turn that was held back.
    fn held_back(&mut self) {
        if let Some((card, protect)) = self.sealed.discard {
            self.turn_ended(card, protect);
        }
    }

    fn discarded(&mut self, card: Face, protect: bool) {
        self.emit(Event::Discarded { card, protect });
        let (flow, compiled) = (&self.flow, self.compiled);
        let shanghai = &flow.set(compiled).shanghai;
        let out = flow.sizes[flow.turn.index()] == 0;
        let claimable = shanghai.on
            && !protect
            && (!out || shanghai.last_discard)
            && layable(compiled, flow, &self.game.board, card);
        if claimable && (shanghai.beats_draw || out) {
            let asked = SeatSet::all(flow.seats).without(flow.turn);
            return self.claims(asked);
        }
        if out {
            return self.round_over(Some(self.flow.turn));
        }
        self.next_turn(claimable);
    }

    fn next_turn(&mut self, claimable: bool) {
        let (flow, compiled) = (&self.flow, self.compiled);
        let set = flow.set(compiled);
        let idle = if !flow.acted && !flow.can_draw(compiled) { flow.idle + 1 } else { 0 };
        let most = u32::from(set.game.max_turns);
        // nothing lasts for ever. A stock with too few cards for a draw counts as empty, also where one card is
        // pushed and another drawn.
        if idle >= flow.seats || most > 0 && u32::from(flow.turns) >= most * u32::from(flow.seats) {
            return self.round_over(None);
        }
        let again = set.draw.first_double && flow.turns == 1;
        let seat = if again { flow.turn } else { flow.step(compiled, flow.turn, 1) };
        self.turn(seat, idle, claimable);
    }

    // SHANGHAI

    fn claims(&mut self, asked: SeatSet) {
        let until = self.window(self.flow.set(self.compiled).shanghai.seconds, asked);
        self.emit(Event::Claims { asked, until });
        self.settle_claims(false);
    }

    fn settle_claims(&mut self, last: bool) {
        let tie = self.flow.set(self.compiled).shanghai.tie;
        let (asked, first) = (self.flow.asked, self.flow.step(self.compiled, self.flow.discarder, 1));
        let Some(claimer) =
            self.sealed.settled(self.compiled, &self.flow, &Window { first, asked, tie, claims: true, last })
        else {
            return;
        };
        let claimed = claimer.and_then(|seat| {
            let Call::Claim(claim) = self.sealed.own[seat.index()].call else { return None };
            let table = self.game.board.meld(claim.on)?;
            let law = self.flow.law(self.compiled, seat);
            let meld = law.lay_off(&table.meld, &[self.flow.top?.into()], claim.end).ok()?;
            Some((seat, claim, meld))
        });
        match claimed {
            Some((seat, claim, meld)) => {
                let top = self.claimed_top();
                let empty = self.flow.sizes[seat.index()] == 0;
                let until = if empty { None } else { Some(self.at.after(PICK_SECONDS * 1000)) };
                self.emit(Event::Claimed { seat, on: claim.on, meld, top, until });
                if empty {
                    self.after_claim();
                }
            }
            None => {
                let declined = self.flow.claimable;
                self.emit(Event::Unclaimed);
                if self.flow.sizes[self.flow.discarder.index()] == 0 && !declined {
                    return self.round_over(Some(self.flow.discarder));
                }
                if declined {
                    if self.stays_open() { self.draw() } else { self.offer() }
                } else {
                    self.next_turn(false);
                }
            }
        }
    }

    /// The card under the one that is claimed.
    fn claimed_top(&self) -> Option<Face> {
        // Right after a discard the truth's pile does not hold it yet.
        let beneath = usize::from(self.flow.pile).checked_sub(2)?;
        self.game.pile.get(beneath).copied()
    }

    /// The discarder has picked, or there was nothing to pick from.
    fn after_claim(&mut self) {
        let Some(claimer) = self.flow.claimer else { return };
        let empties = self.flow.set(self.compiled).shanghai.empty_wins;
        if empties && self.flow.sizes[claimer.index()] == 0 {
            return self.round_over(Some(claimer));
        }
        if self.flow.claimable {
            let until = self.rest_of_turn();
            self.emit(Event::Back { forced: false, until });
            self.blocked_at_start();
        } else {
            self.next_turn(false);
        }
    }

    // The end

    fn round_over(&mut self, winner: Option<Seat>) {
        let (flow, compiled) = (&self.flow, self.compiled);
        let set = flow.set(compiled);
        let scores = winner.is_some() || set.stock.blocked == Blocked::ScoreAll;
        let points: Vec<i32> = (0..flow.seats)
            .map(|seat| {
                let out = winner.is_some_and(|winner| flow.partners(compiled, winner, Seat(seat)));
                if winner == Some(Seat(seat)) {
                    let at_once = flow.fresh && flow.turn == Seat(seat) && flow.down.has(Seat(seat));
                    set.score.winner + if at_once { set.score.at_once } else { 0 }
                } else if scores && !out {
                    self.sealed.deadwood[usize::from(seat)]
                } else {
                    0
                }
            })
            .collect();
        self.emit(Event::RoundOver { winner, points });
        if self.flow.last_round(compiled) {
            let outcome = settle::outcome(compiled, &self.flow);
            return self.emit(Event::Over(outcome));
        }
        let flow = &self.flow;
        let finished = usize::from(flow.finished);
        let round = if compiled.per_player() {
            compiled.played[finished.min(compiled.played.len() - 1)]
        } else {
            let next = compiled.played.iter().copied().find(|&at| at > usize::from(flow.round));
            next.unwrap_or(usize::from(flow.round))
        };
        let deal = if compiled.per_player() || compiled.chosen() {
            flow.deal + 1
        } else {
            compiled.rules.rounds[round].number
        };
        let dealer = match (set.deal.next_dealer, winner) {
            (NextDealer::Same, _) => flow.dealer,
            (NextDealer::Winner, Some(winner)) => winner,
            (NextDealer::Rotate | NextDealer::Winner, _) => flow.step(compiled, flow.dealer, 1),
        };
        self.round(round, deal, dealer);
    }

    // Time

    fn ring(&mut self) -> Result<(), Refusal> {
        let flow = self.flow;
        match flow.phase {
            Phase::Cut => {
                self.emit(Event::TimedOut { seat: flow.cutter(self.compiled) });
                self.emit(Event::Aimed { aim: None });
            }
            Phase::Start => {
                if !flow.timed_out {
                    self.emit(Event::TimedOut { seat: flow.turn });
                }
                let judge = self.game.seat_judge(flow.turn);
                let push = judge.draw_push().is_ok();
                if (push || judge.draw_stock().is_ok()) && !judge.declining_blocks() {
                    self.decline();
                } else if judge.draw_discard().is_ok() {
                    self.draw_discard();
                } else {
                    self.decline();
                }
            }
            Phase::Offer => self.settle_offer(true),
            Phase::Shanghai => self.settle_claims(true),
            Phase::Pick => {
                self.emit(Event::TimedOut { seat: flow.discarder });
                self.emit(Event::PickedPlace { place: 1 });
            }
            Phase::Play => {
                if !flow.timed_out {
                    self.emit(Event::TimedOut { seat: flow.turn });
                }
                self.play_for()?;
            }
            Phase::Deal | Phase::Over => return Err("nothing is waited for".into()),
        }
        Ok(())
    }

    /// The move made for P0 whose clock ran out: one wild taken back is laid, or the turn ends.
    fn play_for(&mut self) -> Result<(), Refusal> {
        let judge = self.game.seat_judge(self.flow.turn);
        for &wild in &self.game.board.pending {
            for on in 1..=self.game.board.melds.len() as u16 {
                for end in [Some(End::Low), Some(End::High), None] {
                    if let Ok(event) = judge.lay_off(&[wild.into()], on, end) {
                        self.emit(event);
                        return Ok(());
                    }
                }
            }
        }
        // A wild that only a contract has a place for: the contract is laid.
        if !self.game.board.pending.is_empty()
            && let Some(melds) = judge.contract_in_hand(&self.game.board.pending)
        {
            let event = judge.meld(None, &melds)?;
            let left = self.flow.sizes[self.flow.turn.index()]
                - melds.iter().map(|m| m.cards.len() as u16).sum::<u16>();
            self.emit(event);
            if left == 0 {
                self.round_over(Some(self.flow.turn));
            }
            return Ok(());
        }
        let law = self.flow.law(self.compiled, self.flow.turn);
        let dearest = |wild: bool| {
            let faces =
                judge.hand.faces().filter(|&f| law.is_wild(f) == wild && judge.discard(f, false).is_ok());
            // Of equally dear cards the first in canonical order.
            faces.reduce(|a, b| if law.values[b.index()] > law.values[a.index()] { b } else { a })
        };
        let card = dearest(false).or_else(|| dearest(true));
        if card.is_none() {
            judge.hold()?;
        }
        self.end_turn(card, false);
        Ok(())
    }
}

/// Seconds after which a seat is moved for; none if it has all the time in the world.
fn seconds_of(compiled: &CompiledRules, flow: &Flow, seat: Seat) -> Option<u32> {
    match flow.set(compiled).turn.seconds {
        0 if flow.gone.has(seat) => Some(GONE_SECONDS),
        0 if flow.away.has(seat) => Some(AWAY_SECONDS),
        0 => None,
        seconds => Some(u32::from(seconds)),
    }
}

impl Match {
    /// A match before anything has happened; `exact` says whether it is written down.
    pub(crate) fn new(rules: Arc<Rules>, seats: u8, exact: bool) -> Match {
        let compiled = CompiledRules::new(rules);
        Match {
            flow: Flow::new(seats),
            board: Board::default(),
            sealed: Sealed::default(),
            hands: vec![Hand::default(); usize::from(seats)],
            stock: Vec::with_capacity(compiled.cards.len()),
            pile: Vec::with_capacity(compiled.cards.len()),
            aside: compiled.cards.iter().copied().collect(),
            compiled: SharedRules(Arc::new(compiled)),
            exact,
        }
    }

    /// Whether the rules can be played by so many.
    ///
    /// # Errors
    /// Why not.
    pub(crate) fn playable(rules: &Rules, seats: u8) -> Result<(), Refusal> {
        let players = &rules.settings.players;
        if !(players.min.max(2)..=players.max.min(Seat::MOST)).contains(&seats) {
            return Err(Refusal::new(
                &["CR-PLAY-1", "A-01"],
                format!("{} is for {} to {} players, not {seats}", rules.name, players.min, players.max),
            ));
        }
        if rules.seats != seats {
            return Err(
                format!("these rules were worked out for {} players, not {seats}", rules.seats).into()
            );
        }
        let deck = &rules.settings.deck;
        if !(1..=4).contains(&deck.suits.len()) || !(1..=14).contains(&deck.ranks.len()) {
            return Err("a pack has 1 to 4 suits and 1 to 14 ranks".into());
        }
        if rules.played().is_empty() || rules.rounds.len() > 64 {
            return Err("a match has 1 to 64 rounds".into());
        }
        let cards = rules.cards().len();
        if let Some(round) =
            rules.rounds.iter().find(|r| usize::from(r.deal) * usize::from(seats) + 2 > cards)
        {
            return Err(format!(
                "round {} deals {} cards to each of {seats} players, but there are only {cards}",
                round.number, round.deal
            )
            .into());
        }
        Ok(())
    }

    /// Everything small that is public.
    #[must_use]
    pub fn flow(&self) -> &Flow {
        &self.flow
    }

    /// What a seat holds.
    #[must_use]
    pub fn hand(&self, seat: Seat) -> &Hand {
        &self.hands[seat.index()]
    }

    /// What a seat's contract and melds are judged by.
    #[must_use]
    pub fn law(&self, seat: Seat) -> &Law {
        self.flow.law(&self.compiled, seat)
    }

    /// Melds, score sheet and the like.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    pub(crate) fn seat_judge(&self, seat: Seat) -> Judge<'_> {
        Judge {
            compiled: &self.compiled,
            flow: &self.flow,
            board: &self.board,
            hand: &self.hands[seat.index()],
            back: if seat == self.flow.turn { self.sealed.back } else { None },
            seat,
        }
    }

    fn draft<'a, O: Extend<Event>>(&'a self, at: Millis, out: &'a mut O) -> Draft<'a, O> {
        Draft {
            game: self,
            compiled: &self.compiled,
            flow: self.flow,
            sealed: self.sealed,
            remade: None,
            out,
            at,
        }
    }

    /// What follows by itself in a position that was written down: P0 blocked at START, or offers to make.
    pub(crate) fn settle_position(&mut self, offer: bool) {
        let mut events = Vec::new();
        let mut draft = self.draft(Millis(0), &mut events);
        if !draft.blocked_at_start() && offer {
            draft.decline();
        }
        for event in &events {
            self.evolve(event);
        }
    }

    /// Opens the claim window of a position that was written down.
    pub(crate) fn open_claims(&mut self) {
        let mut events = Vec::new();
        let asked = SeatSet::all(self.flow.seats).without(self.flow.discarder);
        self.draft(Millis(0), &mut events).claims(asked);
        for event in &events {
            self.evolve(event);
        }
    }

    /// Starts the clock of P0, or of who picks, in a position that was written down, where none runs yet.
    pub(crate) fn start_clock(&mut self) {
        let flow = &self.flow;
        let until = match flow.phase {
            Phase::Start | Phase::Play => {
                seconds_of(&self.compiled, flow, flow.turn).map(|seconds| Millis(seconds * 1000))
            }
            Phase::Pick => Some(Millis(PICK_SECONDS * 1000)),
            _ => return,
        };
        if self.flow.until.is_none() {
            self.flow.until = until;
        }
    }

    /// Begins a round in a match that was written down.
    pub(crate) fn begin(&mut self, round: usize, deal: u16, dealer: Seat) {
        let mut events = Vec::new();
        self.draft(Millis(0), &mut events).round(round, deal, dealer);
        for event in &events {
            self.evolve(event);
        }
    }

    fn need(&self) -> Option<Need> {
        let (flow, deal) = (&self.flow, self.flow.deal);
        let cards = self.compiled.cards.len() as u16;
        match flow.waiting {
            Waiting::Nothing => None,
            Waiting::Dealer => Some(match self.compiled.rules.settings.deal.first_dealer {
                FirstDealer::HighCard => Need::Shuffle { deal, nth: HIGH_CARD_SHUFFLE, cards },
                FirstDealer::Random | FirstDealer::Seat1 => Need::Dealer { seats: flow.seats },
            }),
            Waiting::Noise(Some(_)) => {
                Some(Need::Cut { deal, noise: Some(flow.set(&self.compiled).cut.noise), spread: 0 })
            }
            Waiting::Noise(None) => Some(Need::Cut { deal, noise: None, spread: CUT_SPREAD }),
            Waiting::Shuffle => Some(Need::Shuffle { deal, nth: 0, cards }),
            Waiting::Remake => Some(Need::Shuffle { deal, nth: flow.recycles + 1, cards: flow.pile - 1 }),
            Waiting::Place(_) => {
                let claimer = flow.claimer.unwrap_or(flow.turn);
                Some(Need::Pick { deal, nth: flow.picks, of: flow.sizes[claimer.index()] })
            }
        }
    }

    /// The highest card deals (`deal.first_dealer = high-card`): everybody draws one, ace high, then by suit; jokers
    /// are drawn past, and who are level draw again.
    fn high_card(&self, order: &[u16]) -> (Seat, Vec<Face>) {
        let mut cards = order.iter().map(|&i| self.compiled.cards[usize::from(i)]).filter(|c| !c.is_joker());
        let mut drawn = Vec::new();
        let mut left: Vec<Seat> = (0..self.flow.seats).map(Seat).collect();
        while left.len() > 1 {
            let mut best: Option<((u8, u8), Vec<Seat>)> = None;
            for &seat in &left {
                let Some(card) = cards.next() else { return (left[0], drawn) };
                drawn.push(card);
                let rank = if card.rank() == 1 { u8::MAX } else { card.rank() };
                let key = (rank, card.suit());
                match &mut best {
                    Some((high, seats)) if *high == key => seats.push(seat),
                    Some((high, _)) if *high > key => {}
                    _ => best = Some((key, vec![seat])),
                }
            }
            left = best.map_or(left, |(_, seats)| seats);
        }
        (left[0], drawn)
    }

    /// The cards as they come to lie after a deal: stock and pile, top last. Hands are dealt to `hand`.
    fn deal(&self, deck: &[Face], mut hand: impl FnMut(Seat, Face)) -> (Vec<Face>, Vec<Face>) {
        let round = self.compiled.round(self.flow.round);
        let dealt = usize::from(round.deal) * self.hands.len();
        let first = self.flow.step(&self.compiled, self.flow.dealer, 1);
        for (i, &card) in deck[..dealt].iter().enumerate() {
            let steps = (i % self.hands.len()) as i32;
            hand(self.flow.step(&self.compiled, first, steps), card);
        }
        let mut stock: Vec<Face> = deck[dealt..].iter().rev().copied().collect();
        let mut pile = Vec::new();
        if round.settings.deal.upcard {
            let law = &self.compiled.laws[usize::from(self.flow.round)];
            let rebury = round.settings.deal.upcard_wild == UpcardWild::Rebury;
            if rebury && let Some(natural) = stock.iter().rposition(|&card| !law.is_wild(card)) {
                // Wild upcards go to the bottom of the stock, one after the other.
                for _ in natural + 1..stock.len() {
                    stock.rotate_right(1);
                }
            }
            pile.extend(stock.pop());
        }
        (stock, pile)
    }

    fn drawn(&self, at: Millis, draw: &Draw, out: &mut impl Extend<Event>) -> Result<(), Refusal> {
        let Some(need) = self.need() else { return Err("nothing is left to chance now".into()) };
        if !draw.answers(&need) {
            return Err("this is no answer to what chance is asked".into());
        }
        let mut draft = self.draft(at, out);
        match (self.flow.waiting, draw) {
            (Waiting::Dealer, draw) => {
                let (seat, cards) = match draw {
                    Draw::Order(order) => self.high_card(order),
                    Draw::Pick(seat) => (Seat(*seat as u8), Vec::new()),
                    Draw::Noise(_) => return Err("this is no answer to what chance is asked".into()),
                };
                draft.emit(Event::Dealer { seat, cards });
                let first = self.compiled.played[0];
                let deal = self.compiled.rules.rounds[first].number;
                draft.round(first, deal, seat);
            }
            (Waiting::Noise(aim), Draw::Noise(noise)) => {
                let target = self.flow.exact_cut(&self.compiled);
                let depth = i32::from(aim.unwrap_or(target)) + i32::from(*noise);
                draft.emit(self.cut_at(depth));
            }
            (Waiting::Shuffle, Draw::Order(order)) => {
                let deck: Vec<Face> = order.iter().map(|&i| self.compiled.cards[usize::from(i)]).collect();
                let (_, pile) = self.deal(&deck, |_, _| {});
                draft.emit(Event::Dealt { deck, top: pile.last().copied() });
                draft.first_turn();
            }
            (Waiting::Remake, Draw::Order(order)) => {
                let beneath = self.pile.len() - 2;
                let cards: Vec<Face> = order.iter().map(|&i| self.pile[beneath - usize::from(i)]).collect();
                draft.remade = Some(cards.iter().rev().copied().collect());
                draft.emit(Event::Remade { cards });
                draft.go_on();
            }
            (Waiting::Place(place), Draw::Pick(pick)) => {
                let claimer = self.flow.claimer.unwrap_or(self.flow.turn);
                let hand = &self.hands[claimer.index()];
                // The hand in canonical order, turned by what chance says: every card is equally likely in every place.
                let at = (usize::from(place) + usize::from(*pick)) % hand.len().max(1);
                let Some(card) = hand.nth(at) else { return Err("there is no card to pick".into()) };
                draft.emit(Event::Picked { card });
                draft.after_claim();
            }
            _ => return Err("this is no answer to what chance is asked".into()),
        }
        Ok(())
    }

    fn cut_at(&self, depth: i32) -> Event {
        let depth = depth.clamp(1, self.compiled.cards.len() as i32 - 1) as u16;
        let points = if depth == self.flow.exact_cut(&self.compiled) {
            self.flow.set(&self.compiled).cut.points
        } else {
            0
        };
        Event::Cut { depth, points }
    }

    fn play(
        &self,
        at: Millis,
        seat: Seat,
        command: &Command,
        out: &mut impl Extend<Event>,
    ) -> Result<(), Refusal> {
        let (compiled, flow) = (&self.compiled, &self.flow);
        if seat.0 >= flow.seats {
            return Err(refuse(compiled, &["RF-2"], format!("there is no seat {seat} at this table")));
        }
        let judge = self.seat_judge(seat);
        judge.in_time(command)?;
        match command {
            Command::Stand(standing) => {
                judge.stand(standing.as_ref())?;
                let mut draft = self.draft(at, out);
                draft.emit(Event::Stands { seat, standing: standing.clone() });
                if flow.phase == Phase::Offer && flow.asked.has(seat) {
                    draft.settle_offer(false);
                }
            }
            Command::CutAt { depth } => {
                judge.cut()?;
                if !self.exact {
                    return Err(refuse(compiled, &["A-35", "Q-23"], "aim the cut: chance adds to it"));
                }
                let event = self.cut_at(i32::from(*depth));
                self.draft(at, out).emit(event);
            }
            Command::Cut { aim } => {
                judge.cut()?;
                let aims = flow.set(compiled).cut.mode == CutMode::Aim;
                self.draft(at, out).emit(Event::Aimed { aim: aims.then_some(*aim) });
            }
            Command::DrawDiscard => {
                judge.draw_discard()?;
                self.draft(at, out).draw_discard();
            }
            Command::DrawStock => {
                judge.draw_stock()?;
                self.draft(at, out).decline();
            }
            Command::DrawPush => {
                judge.draw_push()?;
                self.draft(at, out).decline();
            }
            Command::Buy => {
                judge.buy()?;
                self.draft(at, out).took(seat);
            }
            Command::Pass if flow.phase == Phase::Shanghai => {
                judge.pass()?;
                let mut draft = self.draft(at, out);
                draft.emit(Event::Called { seat, claim: None });
                draft.settle_claims(false);
            }
            Command::Take | Command::Pass => {
                judge.answer()?;
                let mut draft = self.draft(at, out);
                draft.emit(Event::Answered { seat, take: *command == Command::Take });
                if flow.phase == Phase::Offer {
                    draft.settle_offer(false);
                }
            }
            Command::Meld { contract, melds } => {
                let event = judge.meld(*contract, melds)?;
                self.draft(at, out).play(event);
            }
            Command::LayOff { cards, on, end } => {
                let event = judge.lay_off(cards, *on, *end)?;
                self.draft(at, out).play(event);
            }
            Command::Reclaim { card, from } => {
                let event = judge.reclaim(*card, *from)?;
                self.draft(at, out).play(event);
            }
            Command::Undo => {
                judge.undo()?;
                if let Some(before) = self.board.undo.last() {
                    self.draft(at, out).emit(Event::Undone { before: Box::new(before.clone()) });
                }
            }
            Command::Discard { card, shanghai } => {
                judge.discard(*card, *shanghai)?;
                self.draft(at, out).end_turn(Some(*card), *shanghai);
            }
            Command::Hold => {
                judge.hold()?;
                self.draft(at, out).end_turn(None, false);
            }
            Command::Shanghai { on, end } => {
                let claim = Claim { on: *on, end: *end };
                judge.claim(claim)?;
                let mut draft = self.draft(at, out);
                draft.emit(Event::Called { seat, claim: Some(claim) });
                draft.settle_claims(false);
            }
            Command::Pick { place } => {
                judge.pick(*place)?;
                self.draft(at, out).emit(Event::PickedPlace { place: *place });
            }
        }
        Ok(())
    }

    fn comes_or_goes(
        &self,
        at: Millis,
        seat: Seat,
        presence: Presence,
        out: &mut impl Extend<Event>,
    ) -> Result<(), Refusal> {
        if seat.0 >= self.flow.seats {
            return Err(format!("there is no seat {seat} at this table").into());
        }
        let mut flow = self.flow;
        flow.apply(&self.compiled, &Event::Presence { seat, presence, until: flow.until });
        let acts = match flow.phase {
            Phase::Start | Phase::Play => flow.turn == seat,
            Phase::Cut => flow.cutter(&self.compiled) == seat,
            Phase::Offer => flow.asked.has(seat) && flow.set(&self.compiled).take.seconds == 0,
            Phase::Deal | Phase::Shanghai | Phase::Pick | Phase::Over => false,
        };
        let clocked = flow.set(&self.compiled).turn.seconds > 0 || flow.timed_out;
        let until = if acts && !clocked && flow.waiting == Waiting::Nothing {
            if flow.phase == Phase::Offer {
                let clocks = flow.asked.iter().filter_map(|s| seconds_of(&self.compiled, &flow, s));
                clocks.max().map(|seconds| at.after(seconds * 1000))
            } else {
                seconds_of(&self.compiled, &flow, seat).map(|seconds| at.after(seconds * 1000))
            }
        } else {
            flow.until
        };
        self.draft(at, out).emit(Event::Presence { seat, presence, until });
        Ok(())
    }

    /// The seats whose decision is missing.
    pub(crate) fn missing(&self) -> SeatSet {
        let flow = &self.flow;
        if flow.waiting != Waiting::Nothing {
            return SeatSet::NONE;
        }
        let open = |seat: &Seat| self.sealed.own[seat.index()].answer.is_none();
        match flow.phase {
            Phase::Deal | Phase::Over => SeatSet::NONE,
            Phase::Cut => SeatSet::one(flow.cutter(&self.compiled)),
            Phase::Start | Phase::Play => SeatSet::one(flow.turn),
            Phase::Offer => flow.asked.iter().filter(open).collect(),
            Phase::Shanghai => {
                flow.asked.iter().filter(|s| self.sealed.own[s.index()].call == Call::Open).collect()
            }
            Phase::Pick => SeatSet::one(flow.discarder),
        }
    }
}

impl<O: Extend<Event>> Draft<'_, O> {
    /// P0 plays; whoever has no card left is out.
    fn play(&mut self, event: Event) {
        let turn = self.flow.turn;
        self.emit(event);
        if self.flow.sizes[turn.index()] == 0 {
            self.round_over(Some(turn));
        }
    }
}

impl Game for Match {
    type Rules = Rules;
    type View = View;
    type Command = Command;
    type Event = Event;
    type Notice = Notice;

    fn open(rules: Arc<Rules>, seats: u8) -> Result<Match, Refusal> {
        Match::playable(&rules, seats)?;
        let mut game = Match::new(rules, seats, false);
        if game.compiled.rules.settings.deal.first_dealer == FirstDealer::Seat1 {
            let first = game.compiled.played[0];
            let deal = game.compiled.rules.rounds[first].number;
            game.begin(first, deal, Seat(0));
        }
        Ok(game)
    }

    fn rules(&self) -> &Arc<Rules> {
        &self.compiled.0.rules
    }

    fn seats(&self) -> u8 {
        self.flow.seats
    }

    fn status(&self) -> Status {
        if let Some(need) = self.need() {
            return Status::Chance(need);
        }
        match &self.board.outcome {
            Some(outcome) => Status::Over(outcome.clone()),
            None => Status::Seats(self.missing()),
        }
    }

    fn alarm(&self) -> Option<Alarm> {
        self.flow.until.map(|due| Alarm { id: self.flow.alarm, due })
    }

    fn decide(
        &self,
        at: Millis,
        input: &Input<Command>,
        out: &mut impl Extend<Event>,
    ) -> Result<(), Refusal> {
        match input {
            Input::Play(seat, command, _) => self.play(at, *seat, command, out),
            Input::Draw(draw) => self.drawn(at, draw, out),
            Input::Ring(id) => match self.alarm() {
                Some(alarm) if alarm.id == *id && at >= alarm.due => self.draft(at, out).ring(),
                _ => Err("this alarm is stale or not yet due".into()),
            },
            Input::Presence(seat, presence) => self.comes_or_goes(at, *seat, *presence, out),
        }
    }

    fn evolve(&mut self, event: &Event) {
        let (hands, flow) = (&mut self.hands, &self.flow);
        let fresh = matches!(event, Event::Drew { discard: true, card, .. } if hands[flow.turn.index()].count(*card) == 0);
        crate::table::hand_moves(flow, event, |seat, card, comes| {
            let hand = &mut hands[seat.index()];
            if comes {
                hand.add(card);
            } else {
                hand.remove(card);
            }
        });
        match event {
            Event::Round { .. } => {
                hands.fill(Hand::default());
                self.stock.clear();
                self.aside = self.compiled.cards.iter().copied().collect();
            }
            Event::Dealt { deck, .. } => {
                let mut hands = vec![Hand::default(); self.hands.len()];
                let (stock, _) = self.deal(deck, |seat, card| hands[seat.index()].add(card));
                self.stock = stock;
                self.hands = hands;
                self.aside = Hand::default();
            }
            Event::Drew { discard: false, .. } | Event::Penalty { .. } | Event::Pushed { .. } => {
                self.stock.pop();
            }
            Event::Remade { cards } => self.stock.extend(cards.iter().rev()),
            Event::RoundOver { .. } => {
                self.board.shown = self.hands.iter().map(|hand| hand.cards().collect()).collect();
            }
            _ => {}
        }
        crate::table::pile_moves(&mut self.pile, event);
        self.board.apply(&self.compiled, &self.flow, event);
        self.sealed.apply(&self.compiled, &self.flow, event);
        match event {
            Event::Drew { discard: true, card, .. } => self.sealed.back = fresh.then_some(*card),
            Event::Dealt { .. } => self.count_deadwood(),
            _ => {}
        }
        self.flow.apply(&self.compiled, event);
    }

    fn view(&self, who: Viewer) -> View {
        let seat = match who {
            Viewer::Seat(seat) if seat.0 < self.flow.seats => Some(seat),
            _ => None,
        };
        View {
            compiled: self.compiled.clone(),
            seat,
            flow: self.flow,
            board: self.board.clone(),
            hand: seat.map_or(Hand::default(), |s| self.hands[s.index()]),
            own: seat.map_or(Own::default(), |s| self.sealed.own[s.index()]),
            back: self.sealed.back.filter(|_| seat == Some(self.flow.turn)),
            pile: if self.compiled.rules.settings.table.discard_browse {
                self.pile.clone()
            } else {
                Vec::new()
            },
        }
    }

    fn notice(&self, event: &Event, who: Viewer) -> Option<Notice> {
        let flow = &self.flow;
        let open = || Some(Notice::Open(event.clone()));
        match event {
            Event::Dealt { deck, top } => {
                let mut own = Hand::default();
                self.deal(deck, |seat, card| {
                    if who.is(seat) {
                        own.add(card);
                    }
                });
                Some(Notice::Dealt { hand: own.cards().collect(), top: *top })
            }
            Event::Answered { seat, take } => {
                let shown = flow.set(&self.compiled).take.early_asks == crate::rules::EarlyAsks::Shown
                    && flow.phase == Phase::Start
                    && (*take || flow.shown.has(*seat));
                if who.is(*seat) || shown { open() } else { None }
            }
            Event::Stands { seat, .. } | Event::Called { seat, .. } => {
                if who.is(*seat) {
                    open()
                } else {
                    None
                }
            }
            Event::Withheld { .. } => None,
            Event::Penalty { seat, .. } if !who.is(*seat) => Some(Notice::Penalty { seat: *seat }),
            Event::Remade { .. } => Some(Notice::Remade),
            Event::Drew { discard: false, until, .. } if !who.is(flow.turn) => {
                Some(Notice::Drew { until: *until })
            }
            Event::Pushed { to, discard, top, .. } if !who.is(*to) => {
                Some(Notice::Pushed { to: *to, discard: *discard, top: *top })
            }
            Event::Picked { .. } if !who.is(flow.discarder) && !flow.claimer.is_some_and(|c| who.is(c)) => {
                Some(Notice::Picked)
            }
            Event::RoundOver { winner, points } => Some(Notice::RoundOver {
                winner: *winner,
                points: points.clone(),
                hands: self.hands.iter().map(|hand| hand.cards().collect()).collect(),
            }),
            _ => open(),
        }
    }

    fn ran_out(&self, event: &Event) -> Option<Seat> {
        match event {
            Event::TimedOut { seat } => Some(*seat),
            _ => None,
        }
    }

    fn imagine(view: &View, chance: &mut impl Chance) -> Match {
        let flow = view.flow;
        let mut game = Match::new(view.compiled.0.rules.clone(), flow.seats, false);
        game.compiled = view.compiled.clone();
        game.flow = flow;
        game.board = view.board.clone();
        // Every card that this viewer cannot place, in any order.
        let mut unseen: Hand = game.compiled.cards.iter().copied().collect();
        for face in view.board.melds.iter().flat_map(|m| m.meld.faces()).chain(view.hand.cards()) {
            unseen.remove(face);
        }
        if view.pile.is_empty() {
            flow.top.iter().for_each(|&top| {
                unseen.remove(top);
            });
        } else {
            view.pile.iter().for_each(|&card| {
                unseen.remove(card);
            });
        }
        // What others took from the pile and still hold, everybody knows.
        for seat in (0..flow.seats).map(Seat).filter(|&seat| view.seat != Some(seat)) {
            for card in view.board.known(seat) {
                let hand = &mut game.hands[seat.index()];
                if hand.len() < usize::from(flow.sizes[seat.index()]) && unseen.remove(card) {
                    hand.add(card);
                }
            }
        }
        let mut hidden: Vec<Face> = unseen.cards().collect();
        chance.shuffle(&mut hidden);
        let mut next = hidden.into_iter();
        for seat in 0..usize::from(flow.seats) {
            if view.seat == Some(Seat(seat as u8)) {
                game.hands[seat] = view.hand;
                continue;
            }
            let more = usize::from(flow.sizes[seat]).saturating_sub(game.hands[seat].len());
            next.by_ref().take(more).for_each(|card| game.hands[seat].add(card));
        }
        game.stock.extend(next.by_ref().take(usize::from(flow.stock)));
        if view.pile.is_empty() {
            game.pile.extend(next.by_ref().take(usize::from(flow.pile).saturating_sub(1)));
            game.pile.extend(flow.top);
        } else {
            game.pile.clone_from(&view.pile);
        }
        game.aside = next.collect();
        if let Some(seat) = view.seat {
            game.sealed.own[seat.index()] = view.own;
            game.sealed.back = view.back;
        }
        if flow.next == Next::Discard {
            game.sealed.discard = Some((game.hands[flow.turn.index()].nth(0), false));
        }
        game.count_deadwood();
        game
    }

    fn census(&self) -> Vec<u16> {
        let mut census: Vec<u16> = self.aside.counts().iter().map(|&n| u16::from(n)).collect();
        for hand in &self.hands {
            census.iter_mut().zip(hand.counts()).for_each(|(n, &held)| *n += u16::from(held));
        }
        let melds = self.board.melds.iter().flat_map(|m| m.meld.faces());
        for face in melds.chain(self.stock.iter().copied()).chain(self.pile.iter().copied()) {
            census[face.index()] += 1;
        }
        census
    }
}

impl Match {
    pub(crate) fn count_deadwood(&mut self) {
        let law = &self.compiled.laws[usize::from(self.flow.round)];
        for (seat, hand) in self.hands.iter().enumerate() {
            self.sealed.deadwood[seat] = hand.cards().map(|card| i32::from(law.values[card.index()])).sum();
        }
    }
}
