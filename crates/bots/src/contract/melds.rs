//! What is laid: the contract, further melds, what fits on those that lie.

use super::{Level, Mind, faces, size};
use ::contract::Command;
use ::contract::meld::{Kind, Law, Meld, Suits, Want};
use ::contract::rules::{LayoffWhen, MeldExtra, OutDiscard, ReclaimUse};
use ::contract::solver::{Answer, Counts, Play, Rights, Solver, shed};
use game::{Chance, Seat};

/// Ways to lay a contract that are compared by what can be laid off after them.
const COMPARED: usize = 48;

impl Mind<'_> {
    /// PLAY: the contract, then lay-offs, then the discard.
    pub(super) fn play(&self, chance: &mut dyn Chance) -> (Command, u32) {
        if self.hoards() {
            return (self.discard(chance), 800);
        }
        if !self.down() {
            if let Some(command) = self.contract() {
                return (command, 1_800);
            }
            if let Some(command) = self.early_reclaim() {
                return (command, 1_000);
            }
        } else if self.view.board.pending.is_empty()
            && let Some(melds) = self.extra(&self.hand)
        {
            let command = Command::Meld { contract: None, melds: melds.iter().map(Meld::said).collect() };
            if self.view.judge(&command).is_ok() {
                return (command, 1_500);
            }
        }
        if let Some(command) = self.lay_off() {
            return (command, 900);
        }
        (self.discard(chance), 800)
    }

    /// The contract that leaves the least in hand, if there is one; for one who counts, once what fits on the table is laid off.
    pub(super) fn contract(&self) -> Option<Command> {
        let mut answers = Vec::new();
        for &(contract, law) in &self.aims {
            let solver = Solver::new(law).with_budget(200_000);
            let Some(best) = solver.best(&self.hand).answer else { continue };
            let mut ways = vec![best];
            if self.level != Level::Easy && !law.all {
                ways.extend(solver.all(&self.hand, COMPARED).0);
            }
            answers.extend(ways.into_iter().map(|answer| {
                let left =
                    if self.level == Level::Easy { answer.points } else { self.left_later(law, &answer) };
                let melds = answer.melds.iter().map(Meld::said).collect();
                ((left, answer.points), Command::Meld { contract, melds })
            }));
        }
        answers.sort_by_key(|(points, _)| *points);
        answers.into_iter().map(|(_, command)| command).find(|command| self.view.judge(command).is_ok())
    }

    /// What is left of a hand, in points, once a contract lies and all that fits on the table has been laid off.
    fn left_later(&self, law: &Law, answer: &Answer) -> i32 {
        let set = &self.view.round().settings;
        if set.layoff.when == LayoffWhen::Never {
            return answer.points;
        }
        let own = answer.melds.iter().map(|meld| (self.seat, meld));
        let table: Vec<(Seat, &Meld)> =
            self.view.board.melds.iter().map(|m| (m.owner, &m.meld)).chain(own).collect();
        let melds: Vec<Meld> = table.iter().map(|&(_, meld)| meld.clone()).collect();
        let onto = |i: usize| self.onto(table[i].0);
        let rights = Rights {
            lay_off: true,
            reclaim: false,
            keep_wilds: false,
            keep_one: law.keep_one,
            budget: 1_000,
        };
        shed(law, rights, &answer.left, &[], &melds, &onto, &|_| false).points
    }

    /// A wild taken back before the contract is laid, where the game lets one keep it and it helps.
    fn early_reclaim(&self) -> Option<Command> {
        let wild = &self.view.round().settings.wild;
        if self.level == Level::Easy || wild.reclaim_use != ReclaimUse::Keep {
            return None;
        }
        let nearer = self.here().checked_sub(1)?;
        for (from, table) in (1..).zip(&self.view.board.melds) {
            for card in faces(&self.hand) {
                let Ok(taken) = self.law().reclaim(&table.meld, card) else { continue };
                let mut after = self.with(taken.wild);
                after[card.index()] -= 1;
                let command = Command::Reclaim { card, from };
                if self.within(&after, nearer) && self.view.judge(&command).is_ok() {
                    return Some(command);
                }
            }
        }
        None
    }

    /// A further meld from this hand, once down, where the game has them.
    pub(super) fn extra(&self, hand: &Counts) -> Option<Vec<Meld>> {
        let law = self.further_law().filter(|_| self.down())?;
        Some(Solver::new(law).with_budget(50_000).best(hand).answer?.melds)
    }

    /// What a further meld is judged by, where the game has them: as a contract of one run or of one group.
    pub(super) fn further_law(&self) -> Option<&Law> {
        let made = || {
            let set = &self.view.round().settings;
            if set.meld.extra != MeldExtra::AfterContract {
                return None;
            }
            let want =
                |kind, size| Want { kind, size, wilds: 255, distinct: false, suits: Suits::One, rank: 0 };
            let one = |want: Want| vec![std::iter::once(want).collect()];
            Some(Law {
                contracts: vec![one(want(Kind::Run, set.run.min)), one(want(Kind::Group, set.group.min))],
                exact: false,
                all: false,
                gap: 0,
                overlap: true,
                per_suit: 255,
                distinct_ranks: false,
                ..self.law().clone()
            })
        };
        self.further.get_or_init(made).as_ref()
    }

    /// The next play of the lay-offs and reclaims that shed the most.
    pub(super) fn lay_off(&self) -> Option<Command> {
        let view = self.view;
        let set = &view.round().settings;
        let barred = !self.down()
            || view.flow.fresh && set.layoff.when != LayoffWhen::SameTurn
            || view.flow.waits_for_all(set);
        if view.board.melds.is_empty() || barred && view.board.pending.is_empty() {
            return None;
        }
        let melds: Vec<Meld> = view.board.melds.iter().map(|m| m.meld.clone()).collect();
        let onto = |i: usize| self.onto(view.board.melds[i].owner);
        // Whose wilds may be taken back, and when, the judge knows.
        let may_reclaim = |i: usize| {
            faces(&self.hand)
                .into_iter()
                .any(|card| view.judge(&Command::Reclaim { card, from: i as u16 + 1 }).is_ok())
        };
        let reclaimable: Vec<bool> = (0..melds.len()).map(may_reclaim).collect();
        for reclaim in [true, false] {
            let rights = Rights {
                lay_off: true,
                reclaim: reclaim && reclaimable.iter().any(|&r| r),
                keep_wilds: set.wild.reclaim_use == ReclaimUse::Keep,
                // Where only a discard takes out, a card is kept for it.
                keep_one: self.law().keep_one || set.out.discard == OutDiscard::Float,
                budget: 3_000,
            };
            let plan =
                shed(self.law(), rights, &self.hand, &view.board.pending, &melds, &onto, &|i| reclaimable[i]);
            // Who may not discard the last card keeps one that fits rather than one that does not: with another that fits
            // the hand is empty.
            let forbidden = set.out.discard == OutDiscard::Forbidden;
            if forbidden && plan.plays.len() == 1 && size(&plan.left) == 1 && view.board.pending.is_empty() {
                return None;
            }
            for play in plan.plays {
                let command = match play {
                    Play::LayOff { card, meld, end } => {
                        Command::LayOff { cards: vec![card], on: meld as u16 + 1, end }
                    }
                    Play::Reclaim { card, meld } => Command::Reclaim { card, from: meld as u16 + 1 },
                };
                if view.judge(&command).is_ok() {
                    return Some(command);
                }
            }
            if !rights.reclaim {
                break;
            }
        }
        // What was taken back must be laid, whatever that costs.
        view.next_pending()
    }
}
