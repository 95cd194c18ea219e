//! What `strong` adds: it plays the round on, many times over, before it throws a card or lets one lie.
//!
//! The cards that it cannot see are dealt in every way that fits what everybody knows (`strong/worlds.rs`); through each such world the
//! round is played to its end by players who go by distance and points alone (`strong/round.rs`), once for each choice and always over the same worlds. What
//! counts is how likely each opponent is to be behind at the end of the match, together with what `keen` has learned of the choice.

mod round;
mod worlds;

use super::{Kin, Mind, Played, cards_needed, kin, size, slots};
use ::contract::meld::{Kind, Law, Suits};
use ::contract::rules::{DrawMode, LayoffOnto, MeldExtra, OutDiscard, RunAce};
use ::contract::solver::{Counts, Gauge, Solver, Whole, is_fast};
use cards::Face;
use game::Seat;
use game::chance::SplitMix;
use round::{Laid, Round};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

/// Worlds that a decision is played on in at most.
const WORLDS: usize = 600;
/// What all hands that are looked at for one decision count together at most: a bound on its time.
const WORK: usize = 280_000;
/// What a hand counts where a contract has up to two runs, three, four, and more: so much longer they are searched.
const EACH: [usize; 4] = [4, 40, 160, 1_600];
/// The same where the whole hand must go.
const WHOLE: usize = 16;
/// So many times longer they are searched where runs go round the corner.
const CORNER: usize = 3;
/// One part of so many longer they are searched where a meld may hold one wild.
const CAPPED: usize = 4;
/// Hands that a way to lay one counts as.
const LAID: usize = 4;
/// Worlds after which choices that are plainly worse are given up, again and again.
const LOOKS: usize = 10;
/// Errors that a choice must be worse by to be given up.
const PRUNED: f64 = 1.5;
/// Worlds that what the network says of a choice counts as much as.
pub(super) const BEFORE: f64 = 150.0;
/// A difference in points that moves no match.
const FEW: i32 = 10;
/// Discards that are tried: those that look best.
const TRIED: usize = 5;
/// What the first choice is worth more than others where nothing was learned, in points.
pub(super) const FIRST: f32 = 1.0;

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
    measure: Measure,
    solver: Solver<'a>,
    /// The same for further melds, where the game has them.
    further: Option<Solver<'a>>,
    seats: usize,
    me: usize,
    /// Cards that the contract needs, and of what kinds.
    need: usize,
    groups: bool,
    runs: bool,
    /// For each face those that go with it in a run, a bit each.
    near: [u64; Face::COUNT],
    /// What was worked out, by hand: faces that help, the card to throw, the way to lay the contract and a further meld.
    helped: Table<(Counts, u8), u64>,
    thrown: Table<(Counts, u8, bool), (Face, bool)>,
    laid: Table<Counts, Option<Rc<Laid>>>,
    melded: Table<Counts, Option<Rc<Laid>>>,
    /// Hands looked at, and what each counts as.
    worked: usize,
    each: usize,
}

impl<'a> Rollouts<'a> {
    /// None where the round has rules that are not played on.
    pub(super) fn new(mind: &'a Mind<'a>) -> Option<Rollouts<'a>> {
        let law = mind.played_law()?;
        let most = |is| law.contracts.iter().map(|contract| slots(contract, is)).max().unwrap_or(0);
        let most_runs = most(|kind| kind == Kind::Run);
        let each = if law.all { WHOLE } else { EACH[most_runs.clamp(2, 5) - 2] };
        let each = match law.ace {
            RunAce::Corner => CORNER * each,
            _ if law.wild_cap <= 1 => each + each / CAPPED,
            _ => each,
        };
        Some(Rollouts {
            mind,
            law,
            measure: Measure::new(law, size(&mind.hand))?,
            solver: Solver::new(law).with_budget(5_000),
            further: mind.further_law().map(|law| Solver::new(law).with_budget(5_000)),
            seats: usize::from(mind.view.flow.seats),
            me: mind.seat.index(),
            need: cards_needed(law),
            groups: most(|kind| kind != Kind::Run) > 0,
            runs: most_runs > 0,
            near: std::array::from_fn(|i| Face::from_index(i).map_or(0, |face| near(law, face))),
            helped: Table::default(),
            thrown: Table::default(),
            laid: Table::default(),
            melded: Table::default(),
            worked: 0,
            each,
        })
    }

    fn next(&self, seat: usize) -> usize {
        self.mind.view.flow.step(&self.mind.view.compiled, Seat(seat as u8), 1).index()
    }

    /// How far a hand is from the contract, of which so many cards will be laid where all must go.
    fn distance(&mut self, hand: &Counts, lays: u8) -> u8 {
        self.measure.distance(hand, lays)
    }

    fn helps(&mut self, hand: &Counts, distance: u8, lays: u8) -> u64 {
        if distance == 0 {
            return 0;
        }
        if let Some(&helps) = self.helped.get(&(*hand, lays)) {
            return helps;
        }
        self.worked += self.each;
        let helps = self.measure.helpful(hand, distance, lays);
        self.helped.insert((*hand, lays), helps);
        helps
    }

    /// How many opponents are likely to be behind at the end of the match, of one.
    fn worth(&self, points: &[i32]) -> f64 {
        let flow = &self.mind.view.flow;
        let mine = f64::from(flow.scores[self.me] + points[self.me]);
        let others = (0..self.seats).filter(|&seat| seat != self.me);
        let ahead: f64 =
            others.map(|seat| self.mind.ahead(f64::from(flow.scores[seat] + points[seat]) - mine)).sum();
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

    /// What each choice comes to on average over so many worlds: by how many points the others end the round behind.
    pub(super) fn means(&mut self, choices: &[Choice], worlds: usize, chance: &mut SplitMix) -> Vec<f32> {
        let (unseen, unneeded) = (self.mind.unseen(), self.unneeded());
        let mut sums = vec![0.0; choices.len()];
        for _ in 0..worlds {
            let world = self.world(&unseen, &unneeded, chance);
            let start = self.start(&world);
            for (sum, &choice) in sums.iter_mut().zip(choices) {
                let (points, ..) = self.played(&start, choice);
                let mine = points[self.me];
                let others = points.iter().sum::<i32>() - mine;
                *sum += others as f32 / (self.seats - 1) as f32 - mine as f32;
            }
        }
        sums.iter().map(|sum| sum / worlds as f32).collect()
    }

    /// What it is worth at the end of the match that a round ends a point better.
    fn worth_of_a_point(&self) -> f64 {
        let mut points = vec![0; self.seats];
        let mut with = |mine: i32| {
            points[self.me] = mine;
            self.worth(&points)
        };
        (with(-FEW) - with(FEW)) / f64::from(2 * FEW)
    }

    /// The best of the choices, with what each of them is worth before anything is played, in points.
    pub(super) fn best(&mut self, choices: &[(f32, Choice)]) -> Option<Choice> {
        let &(_, first) = choices.first()?;
        if choices.len() < 2 {
            return Some(first);
        }
        let view = self.mind.view;
        let (unseen, unneeded) = (self.mind.unseen(), self.unneeded());
        let mut chance = SplitMix(u64::from(view.flow.turns) << 32 | u64::from(view.flow.stock));
        self.mind.notes.borrow_mut().played =
            choices.iter().map(|&(_, choice)| (choice, Played::default())).collect();
        let point = self.worth_of_a_point();
        let before = |points: f32| BEFORE * point * f64::from(points - choices[0].0);
        let mut live: Vec<Tried> = choices
            .iter()
            .map(|&(points, choice)| Tried { choice, before: before(points), sum: 0.0, squares: 0.0 })
            .collect();
        let mut n = 0;
        while n < WORLDS && self.worked < WORK && live.len() > 1 {
            let world = self.world(&unseen, &unneeded, &mut chance);
            let start = self.start(&world);
            n += 1;
            let base = self.rollout(&start, first);
            for tried in &mut live[1..] {
                let by = self.rollout(&start, tried.choice) - base;
                tried.sum += by;
                tried.squares += by * by;
            }
            if n % LOOKS == 0 {
                // What is plainly worse is not tried any longer.
                let most = live.iter().map(|tried| tried.mean(n)).fold(f64::MIN, f64::max);
                live.retain(|tried| tried.choice == first || tried.mean(n) > most - PRUNED * tried.error(n));
            }
        }
        // Of those that are alike the first stands.
        let best = live.iter().rev().max_by(|a, b| a.mean(n).total_cmp(&b.mean(n)));
        best.map(|tried| tried.choice)
    }
}

/// What hands are measured by.
enum Measure {
    /// By their melds.
    Melds(Box<Gauge>),
    /// By how much of the whole hand lies in melds; by number of cards what measures those that are not told at once.
    Whole { law: Box<Law>, whole: Box<Whole>, seen: Table<(Counts, u8), Seen>, gauges: Vec<Option<Gauge>> },
}

/// Cards that are missing from a hand, the faces that help and those that can be spared.
type Seen = (u8, u64, u64);

impl Measure {
    fn new(law: &Law, cards: usize) -> Option<Measure> {
        if law.all {
            let (law, whole) = (Box::new(law.clone()), Box::new(Whole::new(law)?));
            return Some(Measure::Whole { law, whole, seen: Table::default(), gauges: Vec::new() });
        }
        let exact = Law { exact: true, ..law.clone() };
        Some(Measure::Melds(Box::new(Gauge::new(&exact, cards))))
    }

    fn distance(&mut self, hand: &Counts, lays: u8) -> u8 {
        match self {
            Measure::Melds(gauge) => gauge.distance(hand),
            Measure::Whole { .. } => self.see(hand, lays).0,
        }
    }

    fn helpful(&mut self, hand: &Counts, distance: u8, lays: u8) -> u64 {
        match self {
            Measure::Melds(gauge) => gauge.helpful(hand, distance),
            Measure::Whole { .. } => self.see(hand, lays).1,
        }
    }

    fn spare(&mut self, hand: &Counts, distance: u8, lays: u8) -> u64 {
        match self {
            Measure::Melds(gauge) => gauge.spare(hand, distance),
            Measure::Whole { .. } => self.see(hand, lays).2,
        }
    }

    fn see(&mut self, hand: &Counts, lays: u8) -> Seen {
        let Measure::Whole { law, whole, seen, gauges } = self else { return (0, 0, 0) };
        if let Some(&known) = seen.get(&(*hand, lays)) {
            return known;
        }
        let told = whole.need(hand, lays.into()).map(|(need, spare)| (need.distance, need.faces, spare));
        let told = told.unwrap_or_else(|| {
            let at = usize::from(lays);
            if gauges.len() <= at {
                gauges.resize_with(at + 1, || None);
            }
            let gauge = gauges[at].get_or_insert_with(|| Gauge::new(law, at));
            let distance = gauge.distance(hand);
            (distance, gauge.helpful(hand, distance), gauge.spare(hand, distance))
        });
        seen.insert((*hand, lays), told);
        told
    }
}

/// The faces that go with a card in a run.
fn near(law: &Law, card: Face) -> u64 {
    let goes = |other: &Face| kin(law, card, *other) == Some(Kin::Run);
    law.pack.faces().filter(goes).fold(0, |set, face| set | 1 << face.index())
}

/// A choice that is tried, beside the first one.
struct Tried {
    choice: Choice,
    /// What it is better by before anything is played, as if that were the sum over [`BEFORE`] worlds.
    before: f64,
    /// What it was better by in the worlds since, and the squares of that.
    sum: f64,
    squares: f64,
}

impl Tried {
    /// What it is better by, after so many worlds.
    fn mean(&self, worlds: usize) -> f64 {
        (self.before + self.sum) / (BEFORE + worlds as f64)
    }

    /// How far off that still may be: what was known before leaves as much open as so many worlds do.
    fn error(&self, worlds: usize) -> f64 {
        let n = worlds.max(2) as f64;
        let mean = self.sum / n;
        ((self.squares / n - mean * mean).max(1e-12) * n / (n - 1.0) / (BEFORE + n)).sqrt()
    }
}

impl<'a> Mind<'a> {
    /// What the contract is judged by where the round has rules like those that were learned.
    pub(super) fn learned_law(&self) -> Option<&'a Law> {
        let learned = self.view.round().settings.meld.extra == MeldExtra::None;
        self.plain_law().filter(|law| learned && self.discards_usually(law) && law.ace != RunAce::Corner)
    }

    /// What the contract is judged by where the round has rules under which rounds are played on in mind, as far as hands are measured fast.
    pub(super) fn played_law(&self) -> Option<&'a Law> {
        let whole = |law: &Law| law.all && self.view.round().settings.out.discard == OutDiscard::Forbidden;
        self.plain_law().filter(|law| (self.discards_usually(law) || whole(law)) && is_fast(law))
    }

    /// Whether melds are laid from a hand of which a card may be thrown after.
    fn discards_usually(&self, law: &Law) -> bool {
        let out = self.view.round().settings.out.discard;
        !law.all && matches!(out, OutDiscard::Required | OutDiscard::Optional)
    }

    fn plain_law(&self) -> Option<&'a Law> {
        let view = self.view;
        let set = &view.round().settings;
        let [(_, law)] = self.aims[..] else { return None };
        let common = law.wild == 1
            && law.skips == 0
            && !law.distinct_suits
            && law.contracts.iter().flatten().flatten().all(|want| {
                want.suits == Suits::One && !want.distinct && want.rank == 0 && want.kind != Kind::Flush
            });
        let plain = common
            && law.opening == 0
            && !view.compiled.per_player()
            && !view.compiled.picks()
            && set.draw.mode == DrawMode::StockOrDiscard
            && set.draw.cards == 1
            && set.draw.pile == 1
            && set.layoff.onto == LayoffOnto::All
            && !set.layoff.all_down
            && view.compiled.rules.settings.players.teams == 0
            && view.compiled.rules.settings.score.low_wins
            && view.board.pending.is_empty();
        plain.then_some(law)
    }

    /// Whether it takes the top discard out of turn, where that was played on.
    pub(super) fn strong_take(&self, top: Face, likes: bool) -> Option<bool> {
        let known = self.notes.borrow().valued_take;
        let first = if likes { FIRST } else { -FIRST };
        let more = known.or_else(|| self.valued_take(top)).unwrap_or(first);
        let choices = [(0.0, Choice::Take(false)), (more, Choice::Take(true))];
        Some(Rollouts::new(self)?.best(&choices)? == Choice::Take(true))
    }

    /// The card to throw, of those that are worth most before anything is played, the best first.
    pub(super) fn strong_throw(&self, valued: &[(f32, Face)]) -> Option<Face> {
        let choices: Vec<(f32, Choice)> =
            valued.iter().take(TRIED).map(|&(points, card)| (points, Choice::Throw(card))).collect();
        match Rollouts::new(self)?.best(&choices)? {
            Choice::Throw(card) => Some(card),
            Choice::Take(_) => None,
        }
    }
}

#[cfg(test)]
mod tests;
