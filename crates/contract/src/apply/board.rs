//! What an event changes of what lies on the table, and of what is noted of it.

use crate::compiled::CompiledRules;
use crate::event::Event;
use crate::meld::Meld;
use crate::rules;
use crate::state::{Before, Board, Flow, SheetRound, TableMeld, Taken, Thrown, Way};
use cards::Face;
use game::Seat;

impl Board {
    /// Takes in an event; asked with the flow as it was before it.
    pub fn apply(&mut self, compiled: &CompiledRules, flow: &Flow, event: &Event) {
        self.pile_moves(flow, event);
        match event {
            Event::Dealer { cards, .. } => self.high_cards.clone_from(cards),
            Event::Round { .. } => {
                self.melds.clear();
                self.pending.clear();
                self.taken.clear();
                self.thrown.clear();
                self.undo.clear();
                self.cut = None;
            }
            Event::Cut { depth, .. } => self.cut = Some(*depth),
            Event::Took { seat, card, .. } => {
                let way = if *seat == flow.turn { Way::Buy } else { Way::Take };
                self.taken.push(Taken { seat: *seat, card: *card, way, gone: false });
            }
            Event::Drew { discard: true, card, .. } => {
                self.taken.push(Taken { seat: flow.turn, card: *card, way: Way::Draw, gone: false });
            }
            Event::Pushed { to, discard, .. } => {
                self.taken.push(Taken { seat: *to, card: *discard, way: Way::Push, gone: false });
            }
            // Which card it was, only two know.
            Event::Picked { .. } => {
                let lost = self.taken.iter_mut().filter(|taken| Some(taken.seat) == flow.phase.claimer());
                lost.for_each(|taken| taken.gone = true);
            }
            Event::Melded { melds, .. } => self.melded(compiled, flow, melds),
            Event::LaidOff { on, cards, meld } => self.laid_off(compiled, flow, *on, cards, meld),
            Event::Reclaimed { from, card, wild, meld, pending } => {
                self.remember(compiled, flow, vec![*card], Some(*wild));
                if *pending {
                    self.pending.push(*wild);
                }
                self.parted(flow.turn, *card);
                self.replace(*from, meld);
            }
            Event::Undone { before } => self.undone(flow.turn, before),
            Event::Discarded { .. } | Event::Held => {
                if let Event::Discarded { card, .. } = event {
                    self.parted(flow.turn, *card);
                }
                self.undo.clear();
                self.pending.clear();
            }
            Event::Claimed { seat, on, meld, .. } => {
                if let Some(card) = flow.top {
                    self.taken.push(Taken { seat: *seat, card, way: Way::Claim, gone: true });
                }
                self.replace(*on, meld);
            }
            Event::RoundOver { winner, points } => {
                let seats = usize::from(flow.seats);
                self.undo.clear();
                self.sheet.push(SheetRound {
                    round: flow.contract.unwrap_or(flow.round),
                    winner: *winner,
                    points: points.clone(),
                    takes: flow.takes[..seats].to_vec(),
                    scores: (0..seats).map(|s| flow.scores[s] + points[s]).collect(),
                });
            }
            Event::Over(outcome) => self.outcome = Some(outcome.clone()),
            _ => {}
        }
    }

    /// What an event does to the log of the discard pile.
    fn pile_moves(&mut self, flow: &Flow, event: &Event) {
        match event {
            Event::Dealt { top, .. } => top.iter().for_each(|&card| self.throw(None, card)),
            Event::Discarded { card, .. } => self.throw(Some(flow.turn), *card),
            Event::Took { .. }
            | Event::Drew { discard: true, .. }
            | Event::Pushed { .. }
            | Event::Claimed { .. } => {
                if let Some(top) = self.thrown.iter_mut().rfind(|thrown| !thrown.gone) {
                    top.gone = true;
                }
            }
            // All but the top card.
            Event::Remade { .. } => {
                self.thrown
                    .iter_mut()
                    .rev()
                    .filter(|thrown| !thrown.gone)
                    .skip(1)
                    .for_each(|t| t.gone = true);
            }
            _ => {}
        }
    }

    /// A card comes to lie on the discard pile.
    pub(crate) fn throw(&mut self, seat: Option<Seat>, card: Face) {
        if self.thrown.len() == Board::THROWN {
            self.thrown.remove(0);
        }
        self.thrown.push(Thrown { seat, card, gone: false });
    }

    /// P0 has laid melds.
    fn melded(&mut self, compiled: &CompiledRules, flow: &Flow, melds: &[Meld]) {
        let owner = flow.turn;
        let faces = || melds.iter().flat_map(Meld::faces);
        self.remember(compiled, flow, faces().collect(), None);
        faces().for_each(|face| self.used(face));
        self.melds.extend(melds.iter().map(|meld| TableMeld { owner, meld: meld.clone() }));
        faces().for_each(|card| self.parted(owner, card));
    }

    /// P0 has laid cards off.
    fn laid_off(&mut self, compiled: &CompiledRules, flow: &Flow, on: u16, cards: &[Face], meld: &Meld) {
        self.remember(compiled, flow, cards.to_vec(), None);
        for &card in cards {
            self.used(card);
            self.parted(flow.turn, card);
        }
        self.replace(on, meld);
    }

    /// P0 has taken the last play back.
    fn undone(&mut self, turn: Seat, before: &Before) {
        self.undo.pop();
        self.melds.clone_from(&before.melds);
        self.pending.clone_from(&before.pending);
        for &card in &before.back {
            let back = |taken: &&mut Taken| taken.gone && (taken.seat, taken.card) == (turn, card);
            if let Some(taken) = self.taken.iter_mut().find(back) {
                taken.gone = false;
            }
        }
    }

    /// A card is laid: a wild that had to be used has been (`wild.reclaim_use = any-meld`).
    fn used(&mut self, card: Face) {
        if let Some(at) = self.pending.iter().position(|&p| p == card) {
            self.pending.swap_remove(at);
        }
    }

    /// A seat has laid or thrown a card: if it took one like it from the pile, that may be the one.
    fn parted(&mut self, seat: Seat, card: Face) {
        let held = |taken: &&mut Taken| !taken.gone && (taken.seat, taken.card) == (seat, card);
        if let Some(taken) = self.taken.iter_mut().find(held) {
            taken.gone = true;
        }
    }

    fn replace(&mut self, number: u16, meld: &Meld) {
        self.melds[usize::from(number) - 1].meld.clone_from(meld);
    }

    fn remember(&mut self, compiled: &CompiledRules, flow: &Flow, back: Vec<Face>, wild: Option<Face>) {
        if compiled.rules.settings.table.undo == rules::Undo::UntilDiscard {
            self.undo.push(Before {
                melds: self.melds.clone(),
                pending: self.pending.clone(),
                down: flow.down.has(flow.turn),
                contract: flow.contract,
                back,
                wild,
                acted: flow.acted,
            });
        }
    }
}
