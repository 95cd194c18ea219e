//! What an input brings.

use crate::clock::seconds_of;
use crate::command::{Command, Standing};
use crate::draft::Draft;
use crate::event::{Claim, Event};
use crate::judge::{Judge, refuse};
use crate::rules::CutMode;
use crate::state::{Phase, Waiting};
use crate::truth::Match;
use cards::Face;
use game::{Draw, Input, Millis, Presence, Refusal, Seat, say};

impl Match {
    /// Decides what an input brings.
    pub(crate) fn decide_input(
        &self,
        at: Millis,
        input: &Input<Command>,
        out: &mut impl Extend<Event>,
    ) -> Result<(), Refusal> {
        match input {
            Input::Play(seat, command, _) => self.play(at, *seat, command, out),
            Input::Draw(draw) => self.drawn(at, draw, out),
            Input::Ring(id) => match self.next_alarm() {
                Some(alarm) if alarm.id == *id && at >= alarm.due => self.draft(at, out).ring(),
                _ => Err(say!("no.alarm").into()),
            },
            Input::Presence(seat, presence) => self.comes_or_goes(at, *seat, *presence, out),
        }
    }

    fn drawn(&self, at: Millis, draw: &Draw, out: &mut impl Extend<Event>) -> Result<(), Refusal> {
        let Some(need) = self.need() else { return Err(say!("no.chance_now").into()) };
        if !draw.answers(&need) {
            return Err(say!("no.chance").into());
        }
        let mut draft = self.draft(at, out);
        match (self.flow.waiting, draw) {
            (Waiting::Dealer, draw) => {
                let (seat, cards) = match draw {
                    Draw::Order(order) => self.high_card(order),
                    Draw::Pick(seat) => (Seat(*seat as u8), Vec::new()),
                    Draw::Noise(_) => return Err(say!("no.chance").into()),
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
                draft.dealt();
            }
            (Waiting::Remake, Draw::Order(order)) => {
                let beneath = self.pile.len() - 2;
                let cards: Vec<Face> = order.iter().map(|&i| self.pile[beneath - usize::from(i)]).collect();
                // What was left of the stock lies beneath it.
                let left = self.stock.iter().copied();
                draft.remade = Some(left.chain(cards.iter().rev().copied()).collect());
                draft.emit(Event::Remade { cards });
                draft.go_on();
            }
            (Waiting::Place(place), Draw::Pick(pick)) => {
                let claimer = self.flow.phase.claimer().unwrap_or(self.flow.turn);
                let hand = &self.hands[claimer.index()];
                // The hand in canonical order, turned by what chance says: every card is equally likely in every place.
                let at = (usize::from(place) + usize::from(*pick)) % hand.len().max(1);
                let Some(card) = hand.nth(at) else { return Err(say!("no.chance").into()) };
                draft.emit(Event::Picked { card });
                draft.after_claim();
            }
            _ => return Err(say!("no.chance").into()),
        }
        Ok(())
    }

    fn play(
        &self,
        at: Millis,
        seat: Seat,
        command: &Command,
        out: &mut impl Extend<Event>,
    ) -> Result<(), Refusal> {
        if seat.0 >= self.flow.seats {
            return Err(refuse(&self.compiled, &["RF-2"], say!("no.seat", n = seat)));
        }
        let judge = self.seat_judge(seat);
        judge.in_time(command)?;
        self.act(at, &judge, command, out).map_err(|why| judge.refused(why))
    }

    fn act(
        &self,
        at: Millis,
        judge: &Judge<'_>,
        command: &Command,
        out: &mut impl Extend<Event>,
    ) -> Result<(), Refusal> {
        let seat = judge.seat;
        match command {
            Command::Stand(standing) => {
                judge.stand(standing.as_ref())?;
                self.draft(at, out).stands(seat, standing.clone());
            }
            Command::CutAt { depth } => {
                judge.cut()?;
                let event = self.exact_cut(*depth)?;
                self.draft(at, out).emit(event);
            }
            Command::Cut { aim } => {
                judge.cut()?;
                let aims = self.flow.set(&self.compiled).cut.mode == CutMode::Aim;
                self.draft(at, out).emit(Event::Aimed { aim: aims.then_some(*aim) });
            }
            Command::Contract { number } => {
                let contract = judge.choose(*number)?;
                self.draft(at, out).chose(contract);
            }
            Command::Wild { rank } => {
                judge.name(*rank)?;
                let mut draft = self.draft(at, out);
                draft.emit(Event::Named { rank: *rank });
                draft.passing();
            }
            Command::PassOn { cards } => {
                judge.pass_on(cards)?;
                self.draft(at, out).gave(seat, cards.clone());
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
            Command::Pass if matches!(self.flow.phase, Phase::Shanghai { .. }) => {
                judge.pass()?;
                self.draft(at, out).called(seat, None);
            }
            Command::Take | Command::Pass => {
                judge.answer()?;
                self.draft(at, out).answered(seat, *command == Command::Take);
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
                self.draft(at, out).undo();
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
                self.draft(at, out).called(seat, Some(claim));
            }
            Command::Pick { place } => {
                judge.pick(*place)?;
                self.draft(at, out).emit(Event::PickedPlace { place: *place });
            }
        }
        Ok(())
    }

    /// The cut at a depth that is said outright, as in positions that were written down.
    fn exact_cut(&self, depth: u16) -> Result<Event, Refusal> {
        if !self.exact {
            return Err(refuse(&self.compiled, &["A-35", "Q-23"], say!("no_contract.aim")));
        }
        Ok(self.cut_at(i32::from(depth)))
    }

    fn comes_or_goes(
        &self,
        at: Millis,
        seat: Seat,
        presence: Presence,
        out: &mut impl Extend<Event>,
    ) -> Result<(), Refusal> {
        if seat.0 >= self.flow.seats {
            return Err(say!("no.seat", n = seat).into());
        }
        let mut flow = self.flow;
        flow.apply(&self.compiled, &Event::Presence { seat, presence, until: flow.until });
        let acts = match flow.phase {
            Phase::Start | Phase::Play => flow.turn == seat,
            Phase::Cut => flow.cutter(&self.compiled) == seat,
            Phase::Choose => flow.chooser(&self.compiled) == seat,
            Phase::Name => flow.dealer == seat,
            Phase::Pass => flow.passing().has(seat),
            Phase::Offer { asked } => asked.has(seat) && flow.set(&self.compiled).take.seconds == 0,
            Phase::Deal | Phase::Shanghai { .. } | Phase::Pick { .. } | Phase::Over => false,
        };
        // That the clock of P0 ran out says nothing of those who are asked.
        let moved_for = flow.timed_out && matches!(flow.phase, Phase::Start | Phase::Play);
        let clocked = flow.set(&self.compiled).turn.seconds > 0 || moved_for;
        let until = if acts && !clocked && flow.waiting == Waiting::Nothing {
            let own = seconds_of(&self.compiled, &flow, seat).map(|seconds| at.after(seconds * 1000));
            let asked = flow.phase.asked().or(flow.passing()).without(seat);
            // The clock of others who are away does not begin again because this seat is back.
            let others = asked.iter().any(|other| seconds_of(&self.compiled, &flow, other).is_some());
            own.max(flow.until.filter(|_| others))
        } else {
            flow.until
        };
        self.draft(at, out).emit(Event::Presence { seat, presence, until });
        Ok(())
    }
}

impl<O: Extend<Event>> Draft<'_, O> {
    /// A standing answer is set; it decides the offer that is open, too.
    fn stands(&mut self, seat: Seat, standing: Option<Standing>) {
        self.emit(Event::Stands { seat, standing });
        if matches!(self.flow.phase, Phase::Offer { asked } if asked.has(seat)) {
            self.settle_offer(false);
        }
    }

    /// A seat answers an offer, or what will be one.
    fn answered(&mut self, seat: Seat, take: bool) {
        self.emit(Event::Answered { seat, take });
        if matches!(self.flow.phase, Phase::Offer { .. }) {
            self.settle_offer(false);
        }
    }

    /// A seat decides about the discard that can be claimed.
    fn called(&mut self, seat: Seat, claim: Option<Claim>) {
        self.emit(Event::Called { seat, claim });
        self.settle_claims(false);
    }

    /// P0 takes back the last play.
    fn undo(&mut self) {
        if let Some(before) = self.game.board.undo.last() {
            self.emit(Event::Undone { before: Box::new(before.clone()) });
        }
    }
}
