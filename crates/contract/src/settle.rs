//! What follows by itself.

use crate::clock::{PICK_SECONDS, seconds_of};
use crate::draft::Draft;
use crate::event::Event;
use crate::judge::{bar, layable};
use crate::outcome::outcome;
use crate::rules::{
    Blocked, CutMode, DrawMode, NextDealer, NotDownCards, OutDiscard, ScoreRules, TakeClose, TakeCurrent,
    TakeShort,
};
use crate::sealed::Call;
use crate::state::Next;
use crate::truth::Match;
use crate::window::Window;
use cards::Face;
use game::{Millis, Seat, SeatSet};

impl<O: Extend<Event>> Draft<'_, O> {
    // The deal

    pub(crate) fn round(&mut self, round: usize, deal: u16, dealer: Seat) {
        let cut = &self.compiled.set(round as u16).cut;
        let cuts = cut.on && cut.mode != CutMode::Off;
        let cutter = self.flow.step(self.compiled, dealer, -1);
        let until = if cuts { self.clock(cutter) } else { None };
        self.emit(Event::Round { round: round as u16, deal, dealer, until });
    }

    /// After the cards are dealt: somebody picks the contract, the dealer names what is wild, cards are passed on, the first turn begins.
    pub(crate) fn dealt(&mut self) {
        if !self.compiled.asks() {
            return self.naming();
        }
        let chooser = self.flow.chooser(self.compiled);
        match self.flow.contracts_left(self.compiled, chooser)[..] {
            // Nobody is asked about the last one.
            [only] => self.chose(only),
            _ => {
                let until = self.clock(chooser);
                self.emit(Event::Choose { seat: chooser, until });
            }
        }
    }

    /// The contract of the round is picked (HR-PICK-2).
    pub(crate) fn chose(&mut self, contract: u16) {
        self.emit(Event::Chose { contract });
        self.naming();
    }

    /// The dealer is asked for a rank that is wild in the round (HR-WILD-4), where that is so.
    pub(crate) fn naming(&mut self) {
        let law = &self.compiled.laws[usize::from(self.flow.round)];
        // Where every rank makes somebody lose a turn there is none to name.
        let some = (1..=law.ranks).any(|rank| !law.is_skip(Face::new(0, rank)));
        if !self.flow.set(self.compiled).wild.named || !some {
            return self.passing();
        }
        let seat = self.flow.dealer;
        let until = self.clock(seat);
        self.emit(Event::Naming { seat, until });
    }

    /// Everybody is asked for the cards to pass on (HR-PASS-1), where some are.
    pub(crate) fn passing(&mut self) {
        if self.flow.passes(self.compiled) == 0 {
            return self.first_turn();
        }
        let until = self.window(0, SeatSet::all(self.flow.seats));
        self.emit(Event::Passing { until });
    }

    /// A seat has chosen the cards that it passes on; once all have, they are taken up.
    pub(crate) fn gave(&mut self, seat: Seat, cards: Vec<Face>) {
        let others = self.flow.passing().without(seat);
        // Nobody who has all the time in the world is hurried by the clock of another.
        let clocked = others.iter().any(|other| seconds_of(self.compiled, &self.flow, other).is_some());
        let until = self.flow.until.filter(|_| clocked);
        let to = self.flow.passes_to(self.compiled, seat);
        self.emit(Event::Gave { seat, to, cards, until });
        if others.is_empty() {
            self.emit(Event::PassedOn);
            self.first_turn();
        }
    }

    pub(crate) fn first_turn(&mut self) {
        let first = self.flow.step(self.compiled, self.flow.dealer, 1);
        let skips = self.flow.skip_lies(self.compiled);
        let first = if skips { self.skipped(first) } else { first };
        self.turn(first, 0, false);
    }

    // START

    pub(crate) fn turn(&mut self, seat: Seat, idle: u8, claimable: bool) {
        // A closed pile opens where the stock cannot supply a card (SH-CALL-6).
        let protected = self.flow.protected && self.flow.can_draw(self.compiled);
        let until = self.clock(seat);
        self.emit(Event::Turn { seat, protected, claimable, idle, until });
        self.blocked_at_start();
    }

    /// A round is blocked at once where P0 can get no card at all. Whether it was.
    pub(crate) fn blocked_at_start(&mut self) -> bool {
        let blocked = !self.flow.can_draw(self.compiled) && !self.flow.may_take(self.compiled);
        if blocked {
            self.round_over(None);
        }
        blocked
    }

    pub(crate) fn draw_discard(&mut self) {
        let until = self.rest_of_turn();
        let most = match self.flow.set(self.compiled).draw.pile {
            0 => u16::MAX,
            cards => cards.into(),
        };
        // As many as lie there (HR-DRAW-2).
        for _ in 0..most.min(self.flow.pile) {
            let Some(card) = self.flow.top else { return };
            self.emit(Event::Drew { discard: true, card, top: self.top_after(1), until });
        }
    }

    /// P0 declined: claims, then offers, then the stock card.
    pub(crate) fn decline(&mut self) {
        let left = match self.flow.until {
            _ if self.flow.timed_out => Some(0),
            // Where no turn clock runs it is that of who is away, and ends when they come back.
            Some(until) if self.flow.set(self.compiled).turn.seconds > 0 => Some(until.since(self.at)),
            _ => None,
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
    pub(crate) fn stays_open(&self) -> bool {
        let set = self.flow.set(self.compiled);
        set.take.close == TakeClose::BeforeDiscard && set.draw.mode != DrawMode::Push
    }

    // OFFER

    pub(crate) fn eligible(&self) -> SeatSet {
        SeatSet::all(self.flow.seats)
            .without(self.flow.turn)
            .iter()
            .filter(|&seat| bar(self.compiled, &self.flow, seat).is_none())
            .collect()
    }

    pub(crate) fn offer(&mut self) {
        let asked = self.eligible();
        if asked.is_empty() {
            return self.draw();
        }
        let until = self.window(self.flow.set(self.compiled).take.seconds, asked);
        self.emit(Event::Offer { asked, until });
        self.settle_offer(false);
    }

    /// Gives the offered card to whom it belongs, once that is certain.
    pub(crate) fn settle_offer(&mut self, last: bool) {
        let tie = self.flow.set(self.compiled).take.tie;
        let (asked, first) = (self.flow.phase.asked(), self.flow.turn);
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

    pub(crate) fn took(&mut self, seat: Seat) {
        let Some(card) = self.flow.top else { return };
        let penalty = u16::from(self.flow.set(self.compiled).take.penalty);
        let owed = penalty.min(self.flow.payable(self.compiled)) as u8;
        let top = self.top_after(1);
        self.emit(Event::Took { seat, card, top, owed });
        self.go_on();
    }

    /// Pays what is owed, and then goes on with what was under way. Stops where the stock must be remade.
    pub(crate) fn go_on(&mut self) {
        while self.flow.owed > 0 {
            let (Some(seat), Some(card)) = (self.flow.taker, self.stock_top()) else {
                return self.emit(Event::Remake { draw: false });
            };
            self.emit(Event::Penalty { seat, card });
        }
        if self.flow.phase.claimer().is_some() {
            return self.after_claim();
        }
        match self.flow.next {
            Next::Nothing => {}
            Next::Offer => self.after_take(),
            Next::Draw => self.draw(),
            Next::Discard => self.held_back(),
        }
    }

    /// A take is paid: the card beneath is offered, or P0 is asked again, or draws.
    pub(crate) fn after_take(&mut self) {
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
    pub(crate) fn draw(&mut self) {
        let (push, enough) = (self.flow.pushes(self.compiled), self.flow.can_draw(self.compiled));
        let cards = u16::from(self.flow.set(self.compiled).draw.cards);
        let short = self.flow.stock < self.flow.per_draw(self.compiled) + cards - 1;
        if enough && short && self.flow.recyclable(self.compiled, self.flow.pile) > 0 {
            return self.emit(Event::Remake { draw: true });
        }
        if push && enough {
            let (Some(discard), Some(card)) = (self.flow.top, self.stock_top()) else { return };
            let (to, top) = (self.flow.step(self.compiled, self.flow.turn, 1), self.top_after(1));
            self.emit(Event::Pushed { to, discard, card, top });
        }
        match self.stock_top().filter(|_| enough) {
            Some(first) => {
                let until = self.rest_of_turn();
                let mut next = Some(first);
                // What there is, where the stock cannot supply them all (HR-DRAW-1).
                for _ in 0..cards {
                    let Some(card) = next else { break };
                    self.emit(Event::Drew { discard: false, card, top: self.flow.top, until });
                    next = self.stock_top();
                }
            }
            None => {
                // Nothing is left in the stock.
                if self.flow.waived || !self.flow.may_take(self.compiled) {
                    return self.round_over(None);
                }
                let until = self.rest_of_turn();
                self.emit(Event::Back { forced: true, until });
            }
        }
    }

    // PLAY and after

    /// P0's turn ends with a discard, or without one. The card that stayed open is settled before it is covered.
    pub(crate) fn end_turn(&mut self, card: Option<Face>, protect: bool) {
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

    pub(crate) fn turn_ended(&mut self, card: Option<Face>, protect: bool) {
        match card {
            Some(card) => self.discarded(card, protect),
            None => {
                self.emit(Event::Held);
                self.next_turn(false);
            }
        }
    }

    /// The end of the turn that was held back.
    pub(crate) fn held_back(&mut self) {
        if let Some((card, protect)) = self.sealed.discard {
            self.turn_ended(card, protect);
        }
    }

    pub(crate) fn discarded(&mut self, card: Face, protect: bool) {
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

    pub(crate) fn next_turn(&mut self, claimable: bool) {
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
        let skips = flow.thrower == Some(flow.turn) && flow.skip_lies(compiled);
        let seat = match flow.loser(compiled).filter(|_| skips) {
            _ if again => flow.turn,
            Some(loser) => self.skipped(loser),
            None => flow.step(compiled, flow.turn, 1),
        };
        self.turn(seat, idle, claimable);
    }

    /// Somebody loses a turn (HR-SKIP-2): who plays instead.
    fn skipped(&mut self, seat: Seat) -> Seat {
        self.emit(Event::Skipped { seat });
        self.flow.step(self.compiled, seat, 1)
    }

    // SHANGHAI

    pub(crate) fn claims(&mut self, asked: SeatSet) {
        let until = self.window(self.flow.set(self.compiled).shanghai.seconds, asked);
        self.emit(Event::Claims { asked, until });
        self.settle_claims(false);
    }

    pub(crate) fn settle_claims(&mut self, last: bool) {
        let tie = self.flow.set(self.compiled).shanghai.tie;
        let (asked, first) = (self.flow.phase.asked(), self.flow.step(self.compiled, self.flow.discarder, 1));
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
                let fined = self.flow.set(self.compiled).shanghai.penalty > 0;
                let settled = fined || self.flow.sizes[seat.index()] == 0;
                let until = if settled { None } else { Some(self.at.after(PICK_SECONDS * 1000)) };
                self.emit(Event::Claimed { seat, on: claim.on, meld, top, until });
                if settled {
                    self.go_on();
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
    pub(crate) fn claimed_top(&self) -> Option<Face> {
        // Right after a discard the truth's pile does not hold it yet.
        let beneath = usize::from(self.flow.pile).checked_sub(2)?;
        self.game.pile.get(beneath).copied()
    }

    /// The discarder has picked, or there was nothing to pick from.
    pub(crate) fn after_claim(&mut self) {
        let Some(claimer) = self.flow.phase.claimer() else { return };
        let set = self.flow.set(self.compiled);
        let empties = set.shanghai.empty_wins && set.out.discard != OutDiscard::Float;
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

    pub(crate) fn round_over(&mut self, winner: Option<Seat>) {
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
                    let cards = self.sealed.deadwood[usize::from(seat)];
                    if flow.down.has(Seat(seat)) { cards } else { never_down(&set.score, cards) }
                } else {
                    0
                }
            })
            .collect();
        self.emit(Event::RoundOver { winner, points });
        if self.flow.last_round(compiled) {
            let outcome = outcome(compiled, &self.flow);
            return self.emit(Event::Over(outcome));
        }
        let flow = &self.flow;
        let finished = usize::from(flow.finished);
        let round = if compiled.per_player() {
            compiled.played[finished.min(compiled.played.len() - 1)]
        } else {
            let next = compiled.played.iter().copied().find(|&at| at > usize::from(flow.round));
            let first = compiled.played.first().copied().filter(|_| compiled.goes_round());
            next.or(first).unwrap_or(usize::from(flow.round))
        };
        let deal = if compiled.per_player() || compiled.chosen() || compiled.goes_round() {
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

    /// P0 plays; whoever has no card left is out, or where only a discard takes out, goes on without one (HR-OUT-1).
    pub(crate) fn play(&mut self, event: Event) {
        let turn = self.flow.turn;
        self.emit(event);
        if self.flow.sizes[turn.index()] == 0 {
            let set = self.flow.own_set(self.compiled, turn);
            if set.out.discard == OutDiscard::Float && !set.meld.all {
                return self.end_turn(None, false);
            }
            self.round_over(Some(turn));
        }
    }
}

/// What a round costs somebody who has not laid the contract and is left with cards worth so much (HR-SCO-1, HR-SCO-2).
fn never_down(score: &ScoreRules, cards: i32) -> i32 {
    let cards = match score.not_down_cards {
        NotDownCards::Once => cards,
        NotDownCards::Twice => 2 * cards,
        NotDownCards::Not => 0,
    };
    cards + score.not_down
}

impl Match {
    /// What follows by itself in a position that was written down: P0 blocked at START, or offers to make.
    pub(crate) fn settle_position(&mut self, offer: bool) {
        self.go_on(|draft| {
            if !draft.blocked_at_start() && offer {
                draft.decline();
            }
        });
    }

    /// Asks for the contract, for the rank that is wild, or for the cards to pass on, in a position that was written down.
    pub(crate) fn ask(&mut self, phase: &str) {
        self.go_on(|draft| match phase {
            "choose" => draft.dealt(),
            "name" => draft.naming(),
            _ => draft.passing(),
        });
    }

    /// Opens the claim window of a position that was written down.
    pub(crate) fn open_claims(&mut self) {
        let asked = SeatSet::all(self.flow.seats).without(self.flow.discarder);
        self.go_on(|draft| draft.claims(asked));
    }

    /// Begins a round in a match that was written down.
    pub(crate) fn begin(&mut self, round: usize, deal: u16, dealer: Seat) {
        self.go_on(|draft| draft.round(round, deal, dealer));
    }

    /// Goes on from what was written down, as the match itself would.
    fn go_on(&mut self, act: impl FnOnce(&mut Draft<'_, Vec<Event>>)) {
        let mut events = Vec::new();
        act(&mut self.draft(Millis(0), &mut events));
        for event in &events {
            self.apply(event);
        }
    }
}
