//! What `strong` adds: it plays the round on, many times over, before it throws a card or lets one lie.
//!
//! The cards that it cannot see are dealt in every way that fits what everybody knows (`strong/worlds.rs`); through each such world the
//! round is played to its end by players who go by distance and points alone (`strong/round.rs`), once for each choice and always over the same worlds. What
//! counts is how likely each opponent is to be behind at the end of the match. The choice of `keen` stands unless another is
//! better by more than chance would make it.

mod round;
mod worlds;

use super::{Mind, Played, cards_needed, size};
use ::contract::meld::{Kind, Law, Suits, Wanted};
use ::contract::rules::{DrawMode, LayoffOnto, MeldExtra, OutDiscard, RunAce};
use ::contract::solver::{Counts, Gauge, Solver};
use cards::Face;
use game::Seat;
use game::chance::SplitMix;
use round::{Laid, Round};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

/// Worlds that a decision is played on in at most.
const WORLDS: usize = 150;
/// Hands that are looked at for one decision at most: a bound on its time.
const WORK: usize = 20_000;
/// Hands that one counts as where the contract has three runs or more, which are searched so much longer.
const THREE_RUNS: usize = 6;
/// Worlds after which choices that are plainly worse are given up, again and again.
const LOOKS: usize = 10;
/// Standard errors that a choice must be worse by to be given up.
const PRUNED: f64 = 1.5;
/// Standard errors that a choice must be better by to overrule the first.
const SURE: f64 = 0.5;
/// Discards that are tried: those that look best.
const TRIED: usize = 5;
/// What one round may still move between two players, in cards of the pack.
const SPREAD: f64 = 2.6;
/// Rounds that the end of the match still counts as: so that points count a little beside places.
const LEAST: f64 = 0.05;

/// A choice that is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// To throw this card.
    Throw(Face),
    /// To take the discard out of turn, or let it lie.
    Take(bool),
}

/// Mixes the counts of a hand: they come from no stranger.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 = (self.0.rotate_left(5) ^ u64::from_le_bytes(word)).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
        self.0 ^= self.0 >> 29;
    }
}

type Table<K, V> = HashMap<K, V, BuildHasherDefault<Mixer>>;

/// Plays rounds on.
pub(super) struct Rollouts<'a> {
    mind: &'a Mind<'a>,
    law: &'a Law,
    gauge: Gauge,
    solver: Solver<'a>,
    seats: usize,
    me: usize,
    /// Cards that the contract needs, and of what kinds.
    need: usize,
    groups: bool,
    runs: bool,
    /// What was worked out, by hand: faces that help, the card to throw, the way to lay.
    helped: Table<Counts, u64>,
    thrown: Table<(Counts, bool), Face>,
    laid: Table<Counts, Option<Rc<Laid>>>,
    /// Hands looked at, and what each counts as.
    worked: usize,
    each: usize,
}

impl<'a> Rollouts<'a> {
    /// None where the round has rules that are not played on.
    pub(super) fn new(mind: &'a Mind<'a>) -> Option<Rollouts<'a>> {
        let view = mind.view;
        let set = &view.round().settings;
        let [(_, law)] = mind.aims[..] else { return None };
        // Only these are gauged in microseconds.
        let common = law.wild == 1
            && law.skips == 0
            && law.ace != RunAce::Corner
            && !law.distinct_suits
            && law.contracts.iter().flatten().flatten().all(|want| {
                want.suits == Suits::One && !want.distinct && want.rank == 0 && want.kind != Kind::Flush
            });
        let plain = common
            && !law.all
            && law.opening == 0
            && !view.compiled.per_player()
            && !view.compiled.picks()
            && set.draw.mode == DrawMode::StockOrDiscard
            && set.draw.cards == 1
            && set.draw.pile == 1
            && set.layoff.onto == LayoffOnto::All
            && !set.layoff.all_down
            && set.meld.extra == MeldExtra::None
            && matches!(set.out.discard, OutDiscard::Required | OutDiscard::Optional)
            && view.compiled.rules.settings.players.teams == 0
            && view.compiled.rules.settings.score.low_wins
            && view.board.pending.is_empty();
        if !plain {
            return None;
        }
        let exact = Law { exact: true, ..law.clone() };
        let runs = |slots: &Wanted| {
            slots.iter().filter(|slot| slot.iter().any(|want| want.kind == Kind::Run)).count()
        };
        let most_runs = law.contracts.iter().map(runs).max().unwrap_or(0);
        let wanted =
            |kind: fn(Kind) -> bool| law.contracts.iter().flatten().flatten().any(|want| kind(want.kind));
        Some(Rollouts {
            mind,
            law,
            gauge: Gauge::new(&exact, size(&mind.hand)),
            solver: Solver::new(law).with_budget(5_000),
            seats: usize::from(view.flow.seats),
            me: mind.seat.index(),
            need: cards_needed(law),
            groups: wanted(|kind| kind != Kind::Run),
            runs: wanted(|kind| kind == Kind::Run),
            helped: Table::default(),
            thrown: Table::default(),
            laid: Table::default(),
            worked: 0,
            each: if most_runs >= 3 { THREE_RUNS } else { 1 },
        })
    }

    fn next(&self, seat: usize) -> usize {
        self.mind.view.flow.step(&self.mind.view.compiled, Seat(seat as u8), 1).index()
    }

    fn helps(&mut self, hand: &Counts, distance: u8) -> u64 {
        if distance == 0 {
            return 0;
        }
        if let Some(&helps) = self.helped.get(hand) {
            return helps;
        }
        self.worked += self.each;
        let helps = self.gauge.helpful(hand, distance);
        self.helped.insert(*hand, helps);
        helps
    }

    /// How many opponents are likely to be behind at the end of the match, of one.
    fn worth(&self, points: &[i32]) -> f64 {
        let view = self.mind.view;
        let flow = &view.flow;
        let left = view.compiled.most_deals().saturating_sub(usize::from(flow.finished) + 1);
        let scale = f64::from(self.mind.mean_cost().abs()).max(2.0) * SPREAD;
        let spread = scale * (left as f64 + LEAST).sqrt();
        let mine = f64::from(flow.scores[self.me] + points[self.me]);
        let others = (0..self.seats).filter(|&seat| seat != self.me);
        let ahead: f64 = others
            .map(|seat| {
                let by = f64::from(flow.scores[seat] + points[seat]) - mine;
                1.0 / (1.0 + (-by / spread).exp())
            })
            .sum();
        ahead / (self.seats - 1) as f64
    }

    /// What a choice is worth in one world, which is noted.
    fn rollout(&mut self, start: &Round<'_>, choice: Choice) -> f64 {
        let (points, _, _) = self.played(start, choice);
        let worth = self.worth(&points);
        let mut notes = self.mind.notes.borrow_mut();
        if let Some((_, played)) = notes.played.iter_mut().find(|(tried, _)| *tried == choice) {
            played.add(points[self.me], worth);
        }
        worth
    }

    /// The best of the choices, the first of which stands unless another is surely better.
    pub(super) fn best(&mut self, choices: &[Choice]) -> Option<Choice> {
        let &first = choices.first()?;
        if choices.len() < 2 {
            return Some(first);
        }
        let view = self.mind.view;
        let unseen = self.unseen();
        let unneeded = self.unneeded();
        let mut chance = SplitMix(u64::from(view.flow.turns) << 32 | u64::from(view.flow.stock));
        self.mind.notes.borrow_mut().played =
            choices.iter().map(|&choice| (choice, Played::default())).collect();
        let mut live: Vec<(Choice, f64, f64)> = choices.iter().map(|&choice| (choice, 0.0, 0.0)).collect();
        let mut n = 0;
        while n < WORLDS && self.worked < WORK && live.len() > 1 {
            let world = self.world(&unseen, &unneeded, &mut chance);
            let start = self.start(&world);
            n += 1;
            let base = self.rollout(&start, live[0].0);
            for (choice, sum, squares) in &mut live[1..] {
                let by = self.rollout(&start, *choice) - base;
                *sum += by;
                *squares += by * by;
            }
            if n % LOOKS == 0 {
                // What is plainly worse is not tried any longer.
                let first = live.remove(0);
                live.retain(|&(_, sum, squares)| {
                    let (mean, error) = estimate(sum, squares, n);
                    mean > -PRUNED * error
                });
                live.insert(0, first);
            }
        }
        let surely = |&(_, (mean, error)): &(Choice, (f64, f64))| mean > SURE * error;
        let others = live[1..].iter().map(|&(choice, sum, squares)| (choice, estimate(sum, squares, n)));
        let best = others.filter(surely).max_by(|a, b| a.1.0.total_cmp(&b.1.0));
        Some(best.map_or(first, |(choice, _)| choice))
    }
}

/// Mean and standard error.
fn estimate(sum: f64, squares: f64, n: usize) -> (f64, f64) {
    let n = n.max(2) as f64;
    let mean = sum / n;
    (mean, ((squares / n - mean * mean).max(1e-12) / (n - 1.0)).sqrt())
}

impl Mind<'_> {
    /// Whether it takes the top discard out of turn, where `first` is what comes to mind; none where it goes by that.
    pub(super) fn strong_take(&self, first: bool) -> Option<bool> {
        let choices = [Choice::Take(first), Choice::Take(!first)];
        Some(Rollouts::new(self)?.best(&choices)? == Choice::Take(true))
    }

    /// The card to throw, of those that look best with the best first; none where it goes by that.
    pub(super) fn strong_throw(&self, ranked: &[Face]) -> Option<Face> {
        let choices: Vec<Choice> = ranked.iter().take(TRIED).map(|&card| Choice::Throw(card)).collect();
        match Rollouts::new(self)?.best(&choices)? {
            Choice::Throw(card) => Some(card),
            Choice::Take(_) => None,
        }
    }
}

#[cfg(test)]
mod tests;
