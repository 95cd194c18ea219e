//! How the hidden cards may lie, as far as anybody can know.

use super::super::{faces, size};
use super::Rollouts;
use ::contract::solver::Counts;
use cards::Face;
use game::Seat;
use game::chance::{Chance as _, SplitMix};

/// Cards that an opponent has seen for each turn, and the most that a hand is chosen from beside those held: so many make hands as near
/// to their contracts as those of players are.
const SEEN: (usize, usize) = (17, 10);
/// Turns of the table in which what opponents threw or left lying tells what they do not need.
const REMEMBERED: usize = 2;
/// Hands that are dealt to an opponent until one needs nothing of that.
const DEALT: usize = 4;

/// What nobody sees: hands, and for each seat the cards that it will draw and be fined with.
pub(super) struct World {
    pub(super) hands: Vec<Counts>,
    pub(super) draws: Vec<Vec<Face>>,
    pub(super) fines: Vec<Vec<Face>>,
}

impl Rollouts<'_> {
    /// Cards that each opponent is known not to need: what they threw of late, and what they left lying in their turn.
    pub(super) fn unneeded(&self) -> Vec<Vec<Face>> {
        let board = &self.mind.view.board;
        let mut unneeded = vec![Vec::new(); self.seats];
        let recent = board.thrown.iter().rev().take(REMEMBERED * self.seats);
        let mut top = true;
        for thrown in recent.filter(|thrown| !thrown.gone) {
            let offered = std::mem::take(&mut top);
            let Some(seat) = thrown.seat else { continue };
            unneeded[seat.index()].push(thrown.card);
            // What lies on top may not have been offered yet.
            if !offered {
                unneeded[self.next(seat.index())].push(thrown.card);
            }
        }
        unneeded
    }

    /// A hand that an opponent may hold: what is best kept of as many cards more as there have been turns.
    fn deal(&mut self, seat: usize, hidden: &mut Vec<Face>, chance: &mut SplitMix) -> Counts {
        let view = self.mind.view;
        let seen = (usize::from(view.flow.turns) * SEEN.0 / (10 * self.seats)).min(SEEN.1);
        let cards = usize::from(view.flow.sizes[seat]);
        let down = view.flow.down.has(Seat(seat as u8));
        let mut hand = [0; Face::COUNT];
        let mut held = 0;
        for face in self.mind.held(Seat(seat as u8)).take(cards) {
            hand[face.index()] += 1;
            held += 1;
        }
        let known = hand;
        let more = if down { 0 } else { seen };
        while held < cards + more {
            let Some(face) = hidden.pop() else { break };
            hand[face.index()] += 1;
            held += 1;
        }
        let mut back = Vec::new();
        let lays = cards as u8 + 1;
        let mut distance = if held > cards { self.distance(&hand, lays) } else { 0 };
        while held > cards {
            let (looked, spared) =
                if distance == 0 { (Face::JOKER, true) } else { self.throw_of(&hand, distance, lays, false) };
            let free = |face: &Face| hand[face.index()] > known[face.index()];
            let face = if distance > 0 && free(&looked) {
                distance += u8::from(!spared);
                looked
            } else {
                // Who could have laid would have, and what everybody knows stays: any other card goes.
                let all: Vec<Face> = faces(&hand).into_iter().filter(free).collect();
                if all.is_empty() {
                    break;
                }
                distance = 0;
                all[chance.below(all.len() as u32) as usize]
            };
            hand[face.index()] -= 1;
            if distance == 0 {
                distance = self.distance(&hand, lays);
            }
            back.push(face);
            held -= 1;
        }
        hidden.splice(0..0, back);
        hand
    }

    /// One way in which the hidden cards may lie.
    pub(super) fn world(&mut self, unseen: &[Face], unneeded: &[Vec<Face>], chance: &mut SplitMix) -> World {
        let view = self.mind.view;
        let mut hidden = unseen.to_vec();
        chance.shuffle(&mut hidden);
        if let Some(open) = &self.mind.open {
            return self.stocked(self.revealed(open, &mut hidden), hidden);
        }
        let mut hands = vec![[0; Face::COUNT]; self.seats];
        let first = chance.below(self.seats as u32) as usize;
        let seats = self.seats;
        for seat in (first..seats).chain(0..first) {
            if seat == self.me {
                hands[seat] = self.mind.hand;
                continue;
            }
            let mut best: Option<(usize, Counts, Vec<Face>)> = None;
            for _ in 0..DEALT {
                let mut rest = hidden.clone();
                chance.shuffle(&mut rest);
                let hand = self.deal(seat, &mut rest, chance);
                let conflicts = if view.flow.down.has(Seat(seat as u8)) || unneeded[seat].is_empty() {
                    0
                } else {
                    let lays = size(&hand) as u8 + 1;
                    let distance = self.distance(&hand, lays);
                    let helps = self.helps(&hand, distance, lays);
                    unneeded[seat].iter().filter(|face| helps >> face.index() & 1 != 0).count()
                };
                if best.as_ref().is_none_or(|best| conflicts < best.0) {
                    best = Some((conflicts, hand, rest));
                }
                if conflicts == 0 {
                    break;
                }
            }
            if let Some((_, hand, rest)) = best {
                hands[seat] = hand;
                hidden = rest;
            }
        }
        chance.shuffle(&mut hidden);
        self.stocked(hands, hidden)
    }

    /// The hands as they are, which are no longer hidden.
    fn revealed(&self, open: &[Counts], hidden: &mut Vec<Face>) -> Vec<Counts> {
        for seat in (0..self.seats).filter(|&seat| seat != self.me) {
            let mut held = open[seat];
            for face in self.mind.held(Seat(seat as u8)) {
                held[face.index()] = held[face.index()].saturating_sub(1);
            }
            hidden.retain(|face| {
                let lies = held[face.index()] == 0;
                held[face.index()] -= u8::from(!lies);
                lies
            });
        }
        open.to_vec()
    }

    /// A world with these hands: what else is hidden will be drawn, each seat from a stock of its own.
    fn stocked(&self, hands: Vec<Counts>, hidden: Vec<Face>) -> World {
        let mut draws = vec![Vec::new(); self.seats];
        let mut fines = vec![Vec::new(); self.seats];
        for (i, face) in hidden.into_iter().enumerate() {
            let seat = i % self.seats;
            if i / self.seats % 4 == 3 { fines[seat].push(face) } else { draws[seat].push(face) }
        }
        World { hands, draws, fines }
    }
}
