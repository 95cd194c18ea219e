//! What an event changes of the course of a round.

use crate::compiled::CompiledRules;
use crate::event::Event;
use crate::meld::Meld;
use crate::rules;
use crate::state::{Before, Flow, Next, Phase, Waiting};
use cards::Face;
use game::{Millis, Presence, Seat, SeatSet};

impl Flow {
    /// Takes in what an event changes here. Looks at nothing that is hidden, so that views do the same.
    pub fn apply(&mut self, compiled: &CompiledRules, event: &Event) {
        match event {
            Event::Dealer { seat, .. } => {
                self.first_dealer = *seat;
                self.waiting = Waiting::Nothing;
            }
            Event::Round { round, deal, dealer, until } => {
                self.begin_round(compiled, *round, *deal, *dealer);
                self.clock(*until);
            }
            Event::Aimed { aim } => {
                self.waiting = Waiting::Noise(*aim);
                self.clock(None);
            }
            Event::Cut { points, .. } => self.cut(compiled, *points),
            Event::Dealt { top, .. } => self.dealt(compiled, *top),
            Event::Choose { until, .. } => {
                self.phase = Phase::Choose;
                self.clock(*until);
            }
            Event::Chose { contract } => {
                self.contract = Some(*contract);
                self.clock(None);
            }
            Event::Naming { until, .. } => {
                self.phase = Phase::Name;
                self.clock(*until);
            }
            Event::Named { rank } => {
                self.wild = Some(*rank);
                self.clock(None);
            }
            Event::Skipped { seat } => self.skipped.add(*seat),
            Event::Passing { until } => {
                self.phase = Phase::Pass;
                self.clock(*until);
            }
            Event::Gave { seat, until, .. } => self.gave(compiled, *seat, *until),
            Event::PassedOn => self.taken_up(compiled),
            Event::Turn { seat, protected, claimable, idle, until } => {
                self.turn = *seat;
                self.skipped.remove(*seat);
                self.protected = *protected;
                self.idle = *idle;
                self.begin_turn(compiled);
                self.claimable = *claimable;
                self.clock(*until);
            }
            Event::Declined { left, open } => self.declined(compiled, *left, *open),
            Event::Offer { asked, until } => self.offered(*asked, *until),
            Event::Answered { seat, take } => self.answered(compiled, *seat, *take),
            Event::Took { seat, top, owed, .. } => self.took(compiled, *seat, *top, *owed),
            Event::Penalty { seat, .. } => self.paid(compiled, *seat),
            Event::Remake { draw } => {
                self.waiting = Waiting::Remake;
                if *draw {
                    self.next = Next::Draw;
                }
            }
            Event::Remade { .. } => self.remade(),
            Event::Back { forced, until } => self.back(*forced, *until),
            Event::Drew { discard: true, top, until, .. } => self.drew_discard(*top, *until),
            Event::Drew { discard: false, until, .. } => self.drew_stock(*until),
            Event::Pushed { to, top, .. } => self.pushed(*to, *top),
            Event::Melded { contract, melds } => self.melded(compiled, *contract, melds),
            Event::LaidOff { cards, .. } => {
                self.sizes[self.turn.index()] -= cards.len() as u16;
                self.acted = true;
            }
            Event::Reclaimed { .. } => self.acted = true,
            Event::Undone { before } => self.undo(before),
            Event::Discarded { card, protect } => self.discarded(*card, *protect),
            Event::Held => {
                self.protected = false;
                self.thrower = None;
                self.end_turn();
            }
            Event::Claims { asked, until } => {
                self.phase = Phase::Shanghai { asked: *asked };
                self.clock(*until);
            }
            Event::Unclaimed => {
                self.question_is_settled();
                self.claimable = false;
                self.clock(None);
            }
            Event::Claimed { seat, top, until, .. } => self.claimed(compiled, *seat, *top, *until),
            Event::PickedPlace { place } => {
                self.waiting = Waiting::Place(*place);
                self.clock(None);
            }
            Event::Picked { .. } => self.picked(),
            Event::TimedOut { seat } => {
                self.timed_out |= *seat == self.turn && matches!(self.phase, Phase::Start | Phase::Play);
            }
            Event::RoundOver { winner, points } => self.round_over(compiled, *winner, points),
            Event::Over(_) => self.phase = Phase::Over,
            Event::Presence { seat, presence, until } => self.presence(compiled, *seat, *presence, *until),
            Event::Stands { .. } | Event::Called { .. } | Event::Withheld { .. } => {}
        }
    }

    fn clock(&mut self, until: Option<Millis>) {
        self.until = until;
        self.alarm = self.alarm.wrapping_add(1);
    }

    /// The turn is at an end.
    fn end_turn(&mut self) {
        self.turns = self.turns.saturating_add(1);
        self.open = SeatSet::NONE;
        self.next = Next::Nothing;
        self.clock(None);
    }

    /// Nobody is asked about the top discard any longer.
    fn question_is_settled(&mut self) {
        if let Phase::Offer { asked } | Phase::Shanghai { asked } = &mut self.phase {
            *asked = SeatSet::NONE;
        }
    }

    fn pop_discard(&mut self, top: Option<Face>) {
        self.pile -= 1;
        self.top = top;
        self.thrower = None;
        self.shown = SeatSet::NONE;
    }

    /// A round begins.
    fn begin_round(&mut self, compiled: &CompiledRules, round: u16, deal: u16, dealer: Seat) {
        let cut = &compiled.set(round).cut;
        let cuts = cut.on && cut.mode != rules::CutMode::Off;
        *self = Flow {
            round,
            deal,
            dealer,
            phase: if cuts { Phase::Cut } else { Phase::Deal },
            waiting: if cuts { Waiting::Nothing } else { Waiting::Shuffle },
            finished: self.finished,
            used: self.used,
            progress: self.progress,
            laid: self.laid,
            first_dealer: self.first_dealer,
            takes_before: self.takes_before,
            scores: self.scores,
            points: self.points,
            won: self.won,
            kitty: self.kitty,
            away: self.away,
            gone: self.gone,
            alarm: self.alarm,
            ..Flow::new(self.seats)
        };
        self.turn = self.step(compiled, dealer, 1);
    }

    /// The pack is cut.
    fn cut(&mut self, compiled: &CompiledRules, points: i32) {
        let cutter = self.cutter(compiled);
        self.scores[cutter.index()] += points;
        self.phase = Phase::Deal;
        self.waiting = Waiting::Shuffle;
        self.clock(None);
    }

    /// Every hand is dealt, and the upcard turned.
    fn dealt(&mut self, compiled: &CompiledRules, top: Option<Face>) {
        let round = compiled.round(self.round);
        let seats = usize::from(self.seats);
        self.sizes[..seats].fill(u16::from(round.deal));
        self.pile = u16::from(top.is_some());
        self.top = top;
        let wild = &round.settings.wild;
        let law = &compiled.laws[usize::from(self.round)];
        let turned = |top: &Face| wild.upcard && !wild.named && !top.is_joker() && !law.is_skip(*top);
        self.wild = top.filter(turned).map(Face::rank);
        self.stock = compiled.cards.len() as u16 - u16::from(round.deal) * u16::from(self.seats) - self.pile;
        self.waiting = Waiting::Nothing;
    }

    /// Everybody takes up what was passed on (HR-PASS-1).
    fn taken_up(&mut self, compiled: &CompiledRules) {
        let cards = self.passes(compiled);
        self.sizes[..usize::from(self.seats)].iter_mut().for_each(|size| *size += cards);
        self.passed = SeatSet::NONE;
        self.clock(None);
    }

    /// A seat has chosen the cards that it passes on.
    fn gave(&mut self, compiled: &CompiledRules, seat: Seat, until: Option<Millis>) {
        self.sizes[seat.index()] -= self.passes(compiled);
        self.passed.add(seat);
        if until != self.until {
            self.clock(until);
        }
    }

    fn begin_turn(&mut self, compiled: &CompiledRules) {
        self.phase = Phase::Start;
        self.fresh = false;
        self.acted = false;
        self.forced = false;
        self.waived = false;
        self.timed_out = false;
        self.left = None;
        self.shown = SeatSet::NONE;
        if self.set(compiled).take.repeat_scope == rules::RepeatScope::Turn {
            self.last_taker = None;
            self.takers = SeatSet::NONE;
        }
    }

    /// P0 has left the top discard.
    fn declined(&mut self, compiled: &CompiledRules, left: Option<u32>, open: SeatSet) {
        self.left = left;
        self.forced = false;
        self.waived = self.supply(compiled) == 0;
        self.open = open;
        self.clock(None);
    }

    /// The top discard is offered.
    fn offered(&mut self, asked: SeatSet, until: Option<Millis>) {
        self.phase = Phase::Offer { asked };
        self.shown = SeatSet::NONE;
        self.clock(until);
    }

    /// Early asks are seen by all where the game shows them.
    fn answered(&mut self, compiled: &CompiledRules, seat: Seat, take: bool) {
        let shown = self.set(compiled).take.early_asks == rules::EarlyAsks::Shown;
        if shown && self.phase == Phase::Start {
            if take {
                self.shown.add(seat);
            } else {
                self.shown.remove(seat);
            }
        }
    }

    /// The top discard has been taken out of turn, or bought.
    fn took(&mut self, compiled: &CompiledRules, seat: Seat, top: Option<Face>, owed: u8) {
        let take = &self.set(compiled).take;
        self.pop_discard(top);
        self.sizes[seat.index()] += 1;
        self.takes[seat.index()] = self.takes[seat.index()].saturating_add(1);
        self.scores[seat.index()] += take.points;
        self.kitty += i32::from(take.pennies);
        self.last_taker = Some(seat);
        if seat != self.turn {
            self.takers.add(seat);
        }
        self.taker = Some(seat);
        self.owed = owed;
        self.next = if self.open.is_empty() { Next::Offer } else { Next::Discard };
        self.open = SeatSet::NONE;
        self.question_is_settled();
        if seat == self.turn {
            self.left = None;
        } else {
            self.clock(None);
        }
    }

    /// A penalty card has been paid.
    fn paid(&mut self, compiled: &CompiledRules, seat: Seat) {
        self.stock -= 1;
        self.sizes[seat.index()] += 1;
        self.owed -= 1;
        // A claim is no take (SH-CALL-7).
        if self.phase.claimer().is_none() {
            self.kitty += i32::from(self.set(compiled).take.penalty_pennies);
        }
    }

    /// The stock has been remade.
    fn remade(&mut self) {
        self.stock += self.pile - 1;
        self.pile = 1;
        self.recycles += 1;
        self.waiting = Waiting::Nothing;
    }

    /// P0 is asked again about the top discard.
    fn back(&mut self, forced: bool, until: Option<Millis>) {
        self.phase = Phase::Start;
        self.forced = forced;
        self.next = Next::Nothing;
        self.left = None;
        self.claimable = false;
        self.clock(until);
    }

    /// P0 has taken the top discard as the draw.
    fn drew_discard(&mut self, top: Option<Face>, until: Option<Millis>) {
        self.pop_discard(top);
        self.sizes[self.turn.index()] += 1;
        self.phase = Phase::Play;
        self.open = SeatSet::NONE;
        self.next = Next::Nothing;
        self.left = None;
        self.clock(until);
    }

    /// P0 has drawn from the stock.
    fn drew_stock(&mut self, until: Option<Millis>) {
        self.stock -= 1;
        self.sizes[self.turn.index()] += 1;
        self.phase = Phase::Play;
        self.next = Next::Nothing;
        self.shown = SeatSet::NONE;
        self.left = None;
        self.claimable = false;
        self.clock(until);
    }

    /// The top discard and a stock card have been pushed.
    fn pushed(&mut self, to: Seat, top: Option<Face>) {
        self.pop_discard(top);
        self.stock -= 1;
        self.sizes[to.index()] += 2;
    }

    /// P0 has laid melds: those of a contract, or further ones.
    fn melded(&mut self, compiled: &CompiledRules, contract: Option<u16>, melds: &[Meld]) {
        let cards: usize = melds.iter().map(Meld::len).sum();
        self.sizes[self.turn.index()] -= cards as u16;
        self.acted = true;
        if let Some(contract) = contract {
            self.down.add(self.turn);
            self.fresh = true;
            if compiled.chosen() {
                self.contract = Some(contract);
            } else if compiled.any_order() {
                self.picked[self.turn.index()] = Some(contract);
            }
        }
    }

    /// P0 has discarded.
    fn discarded(&mut self, card: Face, protect: bool) {
        self.sizes[self.turn.index()] -= 1;
        self.pile += 1;
        self.top = Some(card);
        self.thrower = Some(self.turn);
        self.discarder = self.turn;
        self.protected = protect;
        self.shown = SeatSet::NONE;
        self.end_turn();
    }

    /// The discard lies on a meld, and the discarder is to pick from the claimer's hand, or to get penalty cards.
    fn claimed(&mut self, compiled: &CompiledRules, seat: Seat, top: Option<Face>, until: Option<Millis>) {
        self.phase = Phase::Pick { claimer: seat };
        self.pop_discard(top);
        let penalty = u16::from(self.set(compiled).shanghai.penalty);
        if penalty > 0 {
            self.taker = Some(self.discarder);
            self.owed = penalty.min(self.supply(compiled)) as u8;
        }
        self.acted = true;
        self.clock(until);
    }

    /// The discarder has got a card of the claimer's hand.
    fn picked(&mut self) {
        let claimer = self.phase.claimer().unwrap_or(self.turn);
        let picker = self.discarder;
        self.sizes[claimer.index()] -= 1;
        self.sizes[picker.index()] += 1;
        self.picks += 1;
        self.waiting = Waiting::Nothing;
        self.clock(None);
    }

    /// The round is over and scored.
    fn round_over(&mut self, compiled: &CompiledRules, winner: Option<Seat>, points: &[i32]) {
        for (seat, points) in points.iter().enumerate() {
            self.scores[seat] += points;
            self.points[seat] = *points;
        }
        if let Some(winner) = winner {
            self.won[winner.index()] += 1;
        }
        self.finished += 1;
        for seat in 0..usize::from(self.seats) {
            self.takes_before[seat] += u16::from(self.takes[seat]);
            if self.down.has(Seat(seat as u8)) {
                self.progress[seat] = self.progress[seat].saturating_add(1);
            }
            self.laid[seat] |= self.picked[seat].map_or(0, |at| 1 << at);
        }
        self.used |= self.contract.map_or(0, |c| 1 << c);
        if compiled.goes_round() && compiled.played.iter().all(|&at| self.used >> at & 1 == 1) {
            self.used = 0;
        }
        self.phase = Phase::Deal;
        self.next = Next::Nothing;
        self.waiting = Waiting::Nothing;
        self.open = SeatSet::NONE;
        self.clock(None);
    }

    /// Somebody came or went.
    fn presence(&mut self, compiled: &CompiledRules, seat: Seat, presence: Presence, until: Option<Millis>) {
        self.away.remove(seat);
        self.gone.remove(seat);
        match presence {
            Presence::Dropped => self.away.add(seat),
            Presence::Left => self.gone.add(seat),
            // Where no turn clock runs, that of the time away is over, with all that it did.
            Presence::Back | Presence::Joined
                if seat == self.turn && self.set(compiled).turn.seconds == 0 =>
            {
                self.timed_out = false;
                self.left = None;
            }
            Presence::Back | Presence::Joined => {}
        }
        if until != self.until {
            self.clock(until);
        }
    }

    /// What a play that was taken back had changed here.
    fn undo(&mut self, before: &Before) {
        let turn = self.turn.index();
        self.sizes[turn] = self.sizes[turn] + before.back.len() as u16 - u16::from(before.wild.is_some());
        if !before.down {
            self.down.remove(self.turn);
            self.fresh = false;
            self.picked[turn] = None;
        }
        self.contract = before.contract;
        self.acted = before.acted;
    }
}
