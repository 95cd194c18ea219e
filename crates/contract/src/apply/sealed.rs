//! What an event changes of what is small and secret.

use super::hand_moves;
use crate::compiled::CompiledRules;
use crate::event::Event;
use crate::meld::Meld;
use crate::sealed::{Call, Own, Passed, Sealed};
use crate::state::{Flow, MOST, Phase};
use cards::Face;
use game::Seat;

impl Sealed {
    /// Takes in an event, given the flow before it.
    pub(crate) fn apply(&mut self, compiled: &CompiledRules, flow: &Flow, event: &Event) {
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
        self.count(compiled, flow, event);
        match event {
            Event::Answered { seat, take } => self.note(*seat, *take),
            Event::Called { seat, claim } => self.note(*seat, claim.is_some()),
            Event::Stands { seat, .. }
                if self.own[seat.index()].answer == Some(true) && self.since[seat.index()] == 0 =>
            {
                self.note(*seat, true);
            }
            Event::Offer { .. } | Event::Declined { .. } => self.open_window(compiled, flow),
            Event::Drew { discard, .. } if *discard || flow.open.is_empty() => self.fresh_window(),
            Event::Withheld { card, protect } => self.discard = Some((*card, *protect)),
            Event::Held | Event::Discarded { .. } => {
                self.discard = None;
                self.back = None;
                self.fresh_window();
            }
            Event::Turn { .. } => {
                self.back = None;
                self.fresh_window();
            }
            Event::Took { .. }
            | Event::Back { .. }
            | Event::Claims { .. }
            | Event::Claimed { .. }
            | Event::Unclaimed => self.fresh_window(),
            Event::Round { .. } => *self = Sealed::default(),
            _ => {}
        }
    }

    /// What each hand costs from now on.
    #[inline]
    fn count(&mut self, compiled: &CompiledRules, flow: &Flow, event: &Event) {
        let law = &compiled.laws[usize::from(flow.round)];
        let value = |face: Face| i32::from(law.values[face.index()]);
        let turn = flow.turn.index();
        match event {
            Event::Took { seat, card, .. } | Event::Penalty { seat, card } => {
                self.deadwood[seat.index()] += value(*card);
            }
            Event::Drew { card, .. } => self.deadwood[turn] += value(*card),
            // What lies face down is whose it comes to: no round ends meanwhile.
            Event::Gave { seat, to, cards, .. } => {
                let sum: i32 = cards.iter().map(|&card| value(card)).sum();
                self.deadwood[seat.index()] -= sum;
                self.deadwood[to.index()] += sum;
            }
            Event::Pushed { to, discard, card, .. } => {
                self.deadwood[to.index()] += value(*discard) + value(*card);
            }
            Event::Melded { melds, .. } => {
                self.deadwood[turn] -= melds.iter().flat_map(Meld::faces).map(value).sum::<i32>();
            }
            Event::LaidOff { cards, .. } => {
                self.deadwood[turn] -= cards.iter().map(|&c| value(c)).sum::<i32>();
            }
            Event::Reclaimed { card, wild, .. } => self.deadwood[turn] += value(*wild) - value(*card),
            Event::Undone { before } => {
                self.deadwood[turn] +=
                    before.back.iter().map(|&c| value(c)).sum::<i32>() - before.wild.map_or(0, value);
            }
            Event::Discarded { card, .. } => self.deadwood[turn] -= value(*card),
            Event::Picked { card } => {
                if let Some(claimer) = flow.phase.claimer() {
                    self.deadwood[claimer.index()] -= value(*card);
                }
                self.deadwood[flow.discarder.index()] += value(*card);
            }
            _ => {}
        }
    }

    /// Standing answers count from when the window opens, in turn order.
    fn open_window(&mut self, compiled: &CompiledRules, flow: &Flow) {
        for seat in flow.order(compiled, flow.turn) {
            let wants = self.own[seat.index()].answer == Some(true);
            if wants && self.since[seat.index()] == 0 {
                self.note(seat, true);
            } else if !wants {
                self.since[seat.index()] = 0;
            }
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
}

impl Passed {
    /// Takes in what an event changes for `seat`; asked with the flow as it was before it. What it gets it is told apart.
    pub fn apply(&mut self, compiled: &CompiledRules, flow: &Flow, event: &Event, seat: Seat) {
        match event {
            Event::Gave { seat: who, cards, .. } if *who == seat => self.given.clone_from(cards),
            Event::Round { .. } => *self = Passed::default(),
            _ if self.given.is_empty() || flow.phase == Phase::Pass => {}
            // Which card it was, only two know.
            Event::Picked { .. } if flow.phase.claimer() == Some(flow.passes_to(compiled, seat)) => {
                self.given.clear();
            }
            _ => {
                let taker = flow.passes_to(compiled, seat);
                hand_moves(flow, event, |who, card, comes| {
                    let at = self.given.iter().position(|&given| given == card);
                    if let Some(at) = at.filter(|_| who == taker && !comes) {
                        self.given.remove(at);
                    }
                });
            }
        }
    }
}

impl Own {
    /// Takes in what an event changes for `seat`; asked with the flow as it was before it.
    pub fn apply(&mut self, flow: &Flow, event: &Event, seat: Seat) {
        match event {
            Event::Answered { seat: who, take } if *who == seat => self.answer = Some(*take),
            Event::Called { seat: who, claim } if *who == seat => {
                self.call = claim.map_or(Call::Pass, Call::Claim);
            }
            Event::Stands { seat: who, standing } if *who == seat => {
                self.stand = standing.into();
                // It decides the offer that is open, too.
                let open =
                    matches!(flow.phase, Phase::Offer { asked } if asked.has(seat)) || flow.open.has(seat);
                if open && self.answer.is_none() {
                    self.answer = self.stand.answer(flow.top);
                }
            }
            Event::Offer { asked, .. } => self.asked(flow, asked.has(seat)),
            Event::Declined { open, .. } if !open.is_empty() => self.asked(flow, open.has(seat)),
            Event::Drew { discard: false, .. } => self.drawn(flow),
            Event::Took { .. }
            | Event::Drew { .. }
            | Event::Pushed { .. }
            | Event::Back { .. }
            | Event::Turn { .. }
            | Event::Discarded { .. }
            | Event::Held => {
                self.answer = None;
                self.call = Call::Open;
            }
            Event::Claims { .. } | Event::Unclaimed | Event::Claimed { .. } => self.call = Call::Open,
            Event::RoundOver { .. } | Event::Round { .. } => *self = Own::default(),
            _ => {}
        }
    }

    fn asked(&mut self, flow: &Flow, asked: bool) {
        if !asked {
            self.answer = None;
        } else if self.answer.is_none() {
            self.answer = self.stand.answer(flow.top);
        }
    }

    /// P0 drew from the stock: answers lapse, unless the card stays open while P0 plays.
    fn drawn(&mut self, flow: &Flow) {
        if flow.open.is_empty() {
            self.answer = None;
        }
    }
}
