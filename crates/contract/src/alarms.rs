//! What comes with time alone.

use crate::clock::seconds_of;
use crate::draft::Draft;
use crate::event::Event;
use crate::meld::End;
use crate::state::Phase;
use cards::Face;
use game::{Refusal, Seat, SeatSet, say};
use std::cmp::Reverse;

impl<O: Extend<Event>> Draft<'_, O> {
    pub(crate) fn ring(&mut self) -> Result<(), Refusal> {
        let flow = self.flow;
        match flow.phase {
            Phase::Cut => {
                self.emit(Event::TimedOut { seat: flow.cutter(self.compiled) });
                self.emit(Event::Aimed { aim: None });
            }
            Phase::Choose => {
                let chooser = flow.chooser(self.compiled);
                self.emit(Event::TimedOut { seat: chooser });
                if let Some(&first) = flow.contracts_left(self.compiled, chooser).first() {
                    self.chose(first);
                }
            }
            Phase::Name => {
                self.emit(Event::TimedOut { seat: flow.dealer });
                self.passing();
            }
            Phase::Pass => {
                let late = |seat: &Seat| seconds_of(self.compiled, &flow, *seat).is_some();
                for seat in flow.passing().iter().filter(late).collect::<Vec<_>>() {
                    self.emit(Event::TimedOut { seat });
                    self.gave(seat, self.passed_for(seat));
                }
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
            Phase::Offer { .. } => self.window_ends(),
            Phase::Shanghai { .. } => self.settle_claims(true),
            Phase::Pick { .. } => {
                self.emit(Event::TimedOut { seat: flow.discarder });
                self.emit(Event::PickedPlace { place: 1 });
            }
            Phase::Play => {
                if !flow.timed_out {
                    self.emit(Event::TimedOut { seat: flow.turn });
                }
                self.play_for()?;
            }
            Phase::Deal | Phase::Over => return Err(say!("no.alarm").into()),
        }
        Ok(())
    }

    /// The clock of an offer runs out: who has not answered passes. Nobody who has all the time in the world is hurried by the clock of
    /// another.
    fn window_ends(&mut self) {
        let open = self.game.missing();
        let late: SeatSet =
            open.iter().filter(|&seat| self.flow.answers_by_clock(self.compiled, seat)).collect();
        if late == open {
            return self.settle_offer(true);
        }
        late.iter().for_each(|seat| self.emit(Event::Answered { seat, take: false }));
        self.settle_offer(false);
    }

    /// The cards that are passed on for a seat whose clock ran out (HR-PASS-2): the dearest naturals, of equally dear ones the
    /// first in canonical order; wilds only where there are no others.
    fn passed_for(&self, seat: Seat) -> Vec<Face> {
        let law = self.flow.law(self.compiled, seat);
        let mut cards: Vec<Face> = self.game.hands[seat.index()].cards().collect();
        cards.sort_by_key(|&card| (law.is_wild(card), Reverse(law.values[card.index()])));
        cards.truncate(self.flow.passes(self.compiled).into());
        cards
    }

    /// The move made for P0 whose clock ran out: one wild taken back is laid, or what opens a place for it, or the turn ends.
    fn play_for(&mut self) -> Result<(), Refusal> {
        let judge = self.game.seat_judge(self.flow.turn);
        let board = &self.game.board;
        if !board.pending.is_empty() {
            let places = || {
                (1..=board.melds.len() as u16)
                    .flat_map(|on| [Some(End::Low), Some(End::High), None].map(|end| (on, end)))
            };
            let laid =
                |&wild: &Face| places().find_map(|(on, end)| judge.lay_off(&[wild.into()], on, end).ok());
            // A wild that only a contract has a place for: the contract is laid.
            let contract = || judge.meld(None, &judge.contract_with_pending()?).ok();
            // One that has its place beyond a natural: that goes first, or along with it.
            let natural =
                || judge.next_pending().and_then(|next| judge.lay_off(&next.cards, next.on, next.end).ok());
            if let Some(event) = board.pending.iter().find_map(laid).or_else(contract).or_else(natural) {
                self.play(event);
                return Ok(());
            }
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
