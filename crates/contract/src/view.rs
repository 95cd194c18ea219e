//! What one viewer holds of a match: all that a screen or a bot needs, and nothing that is hidden from it.

use crate::command::Command;
use crate::event::{Claim, Event, Notice};
use crate::judge::Eyes;
use crate::meld::{End, Law, Meld};
use crate::rules::RoundRules;
use crate::sealed::{Call, Own};
use crate::solver::Solver;
use crate::table::{Board, Flow, Hand, Phase, SharedBook, Waiting, hand_moves, pile_moves};
use cards::Face;
use game::{Coverage, Millis, Outcome, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What one viewer knows of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ContractView")]
pub struct View {
    /// The rules.
    pub book: SharedBook,
    /// Whose view it is; none for the table's.
    pub seat: Option<Seat>,
    /// Everything small that is public.
    pub flow: Flow,
    /// Melds, score sheet, log and the like.
    pub board: Board,
    /// The viewer's own hand.
    pub hand: Hand,
    /// The viewer's own answers, standing ones among them.
    pub own: Own,
    /// The card drawn from the discard pile in this turn, which may not go back at once.
    pub back: Option<Face>,
    /// The whole discard pile, its top card last, where everybody may look through it; else empty.
    pub pile: Vec<Face>,
}

impl View {
    fn eyes(&self) -> Option<Eyes<'_>> {
        let seat = self.seat?;
        Some(Eyes {
            book: &self.book,
            flow: &self.flow,
            board: &self.board,
            hand: &self.hand,
            back: self.back,
            seat,
        })
    }

    /// The round being played: its contract, deal and settings.
    #[must_use]
    pub fn round(&self) -> &RoundRules {
        self.book.round(self.flow.round)
    }

    /// The round whose contract this viewer (or, for the table, P0) is after, as a place in the rules' list.
    #[must_use]
    pub fn contract(&self) -> u16 {
        self.flow.contract_of(&self.book, self.seat.unwrap_or(self.flow.turn))
    }

    /// The contracts from which the first to meld may pick, as places in the rules' list; empty where there is no choice
    /// or it has been made.
    #[must_use]
    pub fn contracts_left(&self) -> Vec<u16> {
        if !self.book.chosen() || self.flow.contract.is_some() {
            return Vec::new();
        }
        self.book.played.iter().map(|&at| at as u16).filter(|&at| self.flow.used >> at & 1 == 0).collect()
    }

    /// What this viewer's melds are judged by.
    #[must_use]
    pub fn law(&self) -> &Law {
        &self.book.laws[usize::from(self.contract())]
    }

    /// Whether `command` would be accepted now, or else why not. What cannot be told from a view (cuts, answers to
    /// chance) is taken to be right.
    ///
    /// # Errors
    /// The refusal that the truth would give.
    pub fn judge(&self, command: &Command) -> Result<(), game::Refusal> {
        let Some(eyes) = self.eyes() else { return Err("spectators do not play".into()) };
        match command {
            Command::DrawDiscard => eyes.draw_discard(),
            Command::DrawStock => eyes.draw_stock(),
            Command::DrawPush => eyes.draw_push(),
            Command::Buy => eyes.buy(),
            Command::Pass if self.flow.phase == Phase::Shanghai => eyes.may_claim(),
            Command::Take | Command::Pass => eyes.answer(),
            Command::Meld { contract, melds } => eyes.meld(*contract, melds).map(|_| ()),
            Command::LayOff { cards, on, end } => eyes.lay_off(cards, *on, *end).map(|_| ()),
            Command::Reclaim { card, from } => eyes.reclaim(*card, *from).map(|_| ()),
            Command::Undo => eyes.undo(),
            Command::Discard { card, shanghai } => eyes.discard(*card, *shanghai),
            Command::Hold => eyes.hold(),
            Command::Shanghai { on, end } => eyes.claim(Claim { on: *on, end: *end }).map(|_| ()),
            Command::Cut { .. } | Command::CutAt { .. } | Command::Pick { .. } | Command::Stand(_) => Ok(()),
        }
    }

    /// Applies an event that this viewer sees whole, or what it sees of it.
    fn apply(&mut self, event: &Event) {
        let flow = self.flow;
        if let Some(seat) = self.seat {
            self.own.apply(&flow, event, seat);
            if let Event::Drew { discard: true, card, .. } = event
                && flow.turn == seat
            {
                self.back = (self.hand.count(*card) == 0).then_some(*card);
            }
        }
        if matches!(event, Event::Turn { .. } | Event::Discarded { .. } | Event::Held | Event::Round { .. }) {
            self.back = None;
        }
        if matches!(event, Event::Round { .. }) {
            self.hand = Hand::default();
        }
        if self.book.rules.settings.table.discard_browse {
            pile_moves(&mut self.pile, event);
        }
        self.board.apply(&self.book, &flow, event);
        self.flow.apply(&self.book, event);
    }

    /// Every cheap command: the single cards that may be laid off, reclaims, discards.
    fn plays(&self, eyes: &Eyes<'_>, commands: &mut Vec<Command>) {
        for card in self.hand.faces() {
            if eyes.discard(card, false).is_ok() {
                commands.push(Command::Discard { card, shanghai: false });
                if eyes.discard(card, true).is_ok() {
                    commands.push(Command::Discard { card, shanghai: true });
                }
            }
        }
        if eyes.hold().is_ok() {
            commands.push(Command::Hold);
        }
        if eyes.undo().is_ok() {
            commands.push(Command::Undo);
        }
        let law = self.law();
        let lays = eyes.may_lay_off().is_ok();
        for (on, table) in (1..).zip(&self.board.melds) {
            for card in self.hand.faces() {
                if lays && eyes.onto(table.owner) {
                    let fit = law.fit(&table.meld, card);
                    for (fits, end) in
                        [(fit.low, Some(End::Low)), (fit.high, Some(End::High)), (fit.inside, None)]
                    {
                        if fits && eyes.lay_off(&[card.into()], on, end).is_ok() {
                            commands.push(Command::LayOff { cards: vec![card.into()], on, end });
                        }
                    }
                }
                let wanted =
                    || table.meld.cards.iter().any(|c| !c.is_itself() && c.stands.rank() == card.rank());
                if wanted() && eyes.reclaim(card, on).is_ok() {
                    commands.push(Command::Reclaim { card, from: on });
                }
            }
        }
        if !self.flow.down.has(eyes.seat) {
            let left = self.contracts_left();
            let candidates = if left.is_empty() { vec![self.contract()] } else { left };
            for at in candidates {
                let solver = Solver::new(&self.book.laws[usize::from(at)]).with_budget(50_000);
                if let Some(answer) = solver.best(self.hand.counts()).answer {
                    let melds = answer.melds.iter().map(Meld::said).collect();
                    let contract = self.book.chosen().then(|| self.book.round(at).number);
                    let command = Command::Meld { contract, melds };
                    if self.judge(&command).is_ok() {
                        commands.push(command);
                    }
                }
            }
        }
    }
}

impl game::View for View {
    type Command = Command;
    type Notice = Notice;

    fn observe(&mut self, notice: &Notice) {
        let joker = Face::JOKER;
        match notice {
            Notice::Open(event) => {
                if let Some(own) = self.seat {
                    let hand = &mut self.hand;
                    let before = *hand;
                    hand_moves(&self.flow, event, |seat, card, comes| {
                        if seat == own {
                            if comes {
                                hand.add(card);
                            } else {
                                hand.remove(card);
                            }
                        }
                    });
                    // What was held before is asked when the draw is taken in.
                    let after = std::mem::replace(&mut self.hand, before);
                    self.apply(event);
                    if !matches!(event, Event::Round { .. }) {
                        self.hand = after;
                    }
                } else {
                    self.apply(event);
                }
            }
            Notice::Dealt { hand, top } => {
                self.apply(&Event::Dealt { deck: Vec::new(), top: *top });
                self.hand = hand.iter().copied().collect();
            }
            Notice::Penalty { seat } => self.apply(&Event::Penalty { seat: *seat, card: joker }),
            Notice::Remade => self.apply(&Event::Remade { cards: Vec::new() }),
            Notice::Drew { until } => {
                self.apply(&Event::Drew { discard: false, card: joker, top: self.flow.top, until: *until });
            }
            Notice::Pushed { to, discard, top } => {
                self.apply(&Event::Pushed { to: *to, discard: *discard, card: joker, top: *top });
            }
            Notice::Picked => self.apply(&Event::Picked { card: joker }),
            Notice::RoundOver { winner, points, hands } => {
                self.apply(&Event::RoundOver { winner: *winner, points: points.clone() });
                self.board.shown.clone_from(hands);
            }
        }
    }

    fn commands(&self, _: Millis) -> Coverage<Command> {
        let mut coverage = Coverage::default();
        let Some(eyes) = self.eyes() else { return coverage };
        let (flow, commands) = (&self.flow, &mut coverage.commands);
        if flow.waiting != Waiting::Nothing {
            return coverage;
        }
        let own = flow.turn == eyes.seat;
        match flow.phase {
            Phase::Deal | Phase::Over => {}
            Phase::Cut => {
                if flow.cutter(&self.book) == eyes.seat {
                    let round = self.round();
                    let target =
                        u16::from(flow.seats) * u16::from(round.deal) + u16::from(round.settings.deal.upcard);
                    commands.push(Command::Cut { aim: target });
                    coverage.complete = false;
                }
            }
            Phase::Start if own => {
                for command in [Command::DrawDiscard, Command::DrawStock, Command::DrawPush, Command::Buy] {
                    if self.judge(&command).is_ok() {
                        commands.push(command);
                    }
                }
            }
            Phase::Start | Phase::Offer => {
                if eyes.answer().is_ok() {
                    commands.extend([Command::Take, Command::Pass]);
                }
            }
            Phase::Play if own => {
                self.plays(&eyes, commands);
                coverage.complete = false;
            }
            Phase::Play => {
                if eyes.answer().is_ok() {
                    commands.extend([Command::Take, Command::Pass]);
                }
            }
            Phase::Shanghai => {
                if eyes.may_claim().is_ok() {
                    commands.push(Command::Pass);
                    if let Some(card) = flow.top {
                        for (on, table) in (1..).zip(&self.board.melds) {
                            let fit = self.law().fit(&table.meld, card);
                            for (fits, end) in
                                [(fit.low, Some(End::Low)), (fit.high, Some(End::High)), (fit.inside, None)]
                            {
                                if fits && eyes.claim(Claim { on, end }).is_ok() {
                                    commands.push(Command::Shanghai { on, end });
                                }
                            }
                        }
                    }
                }
            }
            Phase::Pick => {
                if flow.discarder == eyes.seat {
                    let of = flow.claimer.map_or(0, |claimer| flow.sizes[claimer.index()]);
                    commands.extend((1..=of).map(|place| Command::Pick { place }));
                }
            }
        }
        coverage
    }

    fn awaited(&self) -> bool {
        let Some(seat) = self.seat else { return false };
        let flow = &self.flow;
        flow.waiting == Waiting::Nothing
            && match flow.phase {
                Phase::Deal | Phase::Over => false,
                Phase::Cut => flow.cutter(&self.book) == seat,
                Phase::Start | Phase::Play => flow.turn == seat,
                Phase::Offer => flow.asked.has(seat) && self.own.answer.is_none(),
                Phase::Shanghai => flow.asked.has(seat) && self.own.call == Call::Open,
                Phase::Pick => flow.discarder == seat,
            }
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.board.outcome.as_ref()
    }
}
