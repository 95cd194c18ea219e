//! How a person looks for patterns: two cards at a time.
//!
//! The eyes rest on one card, take up a second, the third that would complete a Set comes to mind, and is looked for; then two
//! other cards. Which two is chosen by similarity (Taatgen and others 2003; Jacob and Hochstein 2008; Nyamsuren and Taatgen 2013):
//! what is alike is compared first, practice makes that weigh less. New cards draw the eye. Two cards compared a moment ago are
//! not compared again, and what was seen before cards changed is kept. Patterns race each other, as Jacob and Hochstein found:
//! the more of them lie there, the sooner one is met.
//!
//! Nothing is found before the cards were perceived, and nothing claimed before a finger has moved. Nobody tires.

use super::{Level, exponential};
use cards::{Deck, Point};
use game::{Chance, Millis};

/// Most comparisons that are played out in one thought: over half an hour of looking.
const MOST: usize = 1_500;
/// Ordered pairs of fifteen cards, the most that people look over as a whole.
const AMONG: f64 = 15.0 * 14.0;
/// How much sooner a new card is looked at than one that lay there before.
const FRESH: f64 = 2.0;
/// How much sooner a card is looked at that a hint has lit.
const LIT: f64 = 6.0;
/// How much sooner one's own card is looked at than one of the table.
const OWN: f64 = 1.2;

/// What lies before the eyes.
pub(super) struct Sight<'a> {
    /// The deck that the cards are of.
    pub deck: Deck,
    /// The cards, each once.
    pub cards: &'a [Point],
    /// The patterns among them, each with its cards ascending.
    pub groups: &'a [Vec<Point>],
    /// Which of the cards a hint has lit.
    pub lit: &'a dyn Fn(Point) -> bool,
    /// Which of the cards are the player's own.
    pub own: &'a dyn Fn(Point) -> bool,
}

/// A pattern that was found.
#[derive(Clone, Debug)]
struct Find {
    cards: Vec<Point>,
    /// When it was seen.
    seen: Millis,
    /// When the finger that claims it arrives.
    due: Millis,
}

/// Two cards that were compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tried {
    pub pair: [Point; 2],
    pub at: Millis,
}

/// What the eyes have done so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Scan {
    /// The cards in sight, and whether each is new since the last change.
    cards: Vec<(Point, bool)>,
    /// Those of them that a hint has lit.
    lit: Vec<Point>,
    pub(super) tried: Vec<Tried>,
    finds: Vec<Find>,
    /// Up to when the looking is played out.
    until: Millis,
    /// When nothing of what lies there could be claimed yet.
    perceived: Millis,
}

impl Scan {
    /// Forgets everything: other cards lie there.
    pub(super) fn clear(&mut self) {
        *self = Scan::default();
    }

    /// Sees at `at` what lies there. Cards that are being laid are looked at once they lie, from `open` on.
    pub(super) fn see(
        &mut self,
        sight: &Sight<'_>,
        at: Millis,
        open: Millis,
        level: Level,
        chance: &mut dyn Chance,
    ) {
        let same = self.cards.len() == sight.cards.len()
            && sight.cards.iter().all(|card| self.cards.iter().any(|(known, _)| known == card));
        if !same {
            let known: Vec<Point> = self.cards.iter().map(|(card, _)| *card).collect();
            let fresh = |card: &Point| !known.is_empty() && !known.contains(card);
            self.cards = sight.cards.iter().map(|&card| (card, fresh(&card))).collect();
            // What was still to come is not seen any more, what was seen is kept.
            self.tried
                .retain(|tried| tried.at <= at && tried.pair.iter().all(|card| sight.cards.contains(card)));
            self.finds.retain(|find| find.seen <= at);
            self.perceived = jitter(at.max(open), level.perceive(), chance);
            self.until = self.perceived;
        }
        let lit: Vec<Point> = sight.cards.iter().copied().filter(|&card| (sight.lit)(card)).collect();
        if same && lit != self.lit {
            // A light draws the eyes from whatever they would have looked at.
            self.tried.retain(|tried| tried.at <= at);
            self.finds.retain(|find| find.seen <= at);
            self.until = jitter(at, level.perceive(), chance);
        }
        self.lit = lit;
        self.finds.retain(|find| sight.groups.contains(&find.cards));
        self.until = self.until.max(at);
    }

    /// When this pattern will be claimed, if it has been found.
    pub(super) fn due(&self, cards: &[Point], level: Level) -> Option<Millis> {
        let find = self.finds.iter().find(|find| find.cards == cards)?;
        Some(find.due.max(self.perceived.after(level.press() as u32)))
    }

    /// Whether this pattern has been seen by `at`.
    pub(super) fn has_seen(&self, cards: &[Point], at: Millis) -> bool {
        self.finds.iter().any(|find| find.cards == cards && find.seen <= at)
    }

    /// Looks on until `enough` of the patterns are found, or nothing more will be. Whoever's `form` is above 1 looks so many times longer.
    pub(super) fn look(
        &mut self,
        sight: &Sight<'_>,
        (level, form): (Level, f64),
        chance: &mut dyn Chance,
        enough: impl Fn(&Scan) -> bool,
    ) {
        let n = sight.cards.len();
        if n < 2 || sight.groups.is_empty() || enough(self) {
            return;
        }
        let compare =
            Compare::new(sight, level, self.cards.iter().filter(|(_, fresh)| *fresh).map(|(c, _)| *c));
        let hits = Hits::new(sight);
        let four = sight.groups.iter().any(|group| group.len() > 3);
        // Among many cards people look at those that lie together: a pattern is not found later and later the more there are.
        let many = ((n * (n - 1)) as f64 / AMONG).max(1.0);
        let (takes, notice) = if four {
            (1.5 * form * level.compare(), level.notice() * level.four() * many)
        } else {
            (form * level.compare(), level.notice() * many)
        };
        let notice = |lit: usize| {
            // What belongs to a card that was lit is one of its pattern: less has to be kept in mind.
            ((notice * LIT.powi(lit as i32)).min(1.0) * f64::from(1 << 16)) as u32
        };
        for _ in 0..MOST {
            let pair = self.pair(sight, level, &compare, chance);
            // Several looks of which each takes its time: a sum of three.
            let took: u32 = (0..3).map(|_| exponential(takes / 3.0, chance)).sum();
            self.until = self.until.after(took.max(250));
            let (i, j) = (pair.0.min(pair.1), pair.0.max(pair.1));
            self.tried.push(Tried { pair: [sight.cards[i], sight.cards[j]], at: self.until });
            let lit = [i, j].iter().filter(|&&place| self.lit.contains(&sight.cards[place])).count();
            let (notice, mut found) = (notice(lit), false);
            for group in hits.with(i, j) {
                let cards = &sight.groups[group];
                if chance.below(1 << 16) < notice && !self.finds.iter().any(|find| find.cards == *cards) {
                    let due = jitter(self.until, level.press(), chance);
                    self.finds.push(Find { cards: cards.clone(), seen: self.until, due });
                    found = true;
                }
            }
            if found && enough(self) {
                break;
            }
        }
        if self.tried.len() > 200 {
            self.tried.drain(..self.tried.len() - 200);
        }
    }

    /// The places of the two cards that are compared next: by how they draw the eye, and none that were compared just now.
    fn pair(
        &self,
        sight: &Sight<'_>,
        level: Level,
        compare: &Compare,
        chance: &mut dyn Chance,
    ) -> (usize, usize) {
        let n = sight.cards.len() as u32;
        let recent = &self.tried[self.tried.len().saturating_sub(level.span())..];
        let mut last = (0, 1);
        for _ in 0..60 {
            let (i, j) = (chance.below(n) as usize, chance.below(n - 1) as usize);
            let j = if j >= i { j + 1 } else { j };
            last = (i, j);
            let u = f64::from(chance.below(1 << 16)) / f64::from(1 << 16);
            let tried =
                |tried: &Tried| tried.pair.contains(&sight.cards[i]) && tried.pair.contains(&sight.cards[j]);
            if u * compare.most < compare.weight(i, j) && !recent.iter().any(tried) {
                break;
            }
        }
        last
    }
}

/// A time about this long after `from`: a third of it more or less.
fn jitter(from: Millis, mean: f64, chance: &mut dyn Chance) -> Millis {
    from.after((mean * (0.67 + 0.66 * f64::from(chance.below(1000)) / 1000.0)) as u32)
}

/// How two cards draw the eye together.
struct Compare {
    codes: Vec<Vec<u8>>,
    cards: Vec<f64>,
    similar: [f64; 6],
    /// No two cards draw it more.
    most: f64,
}

impl Compare {
    fn new(sight: &Sight<'_>, level: Level, fresh: impl Iterator<Item = Point>) -> Compare {
        let fresh: Vec<Point> = fresh.collect();
        let draw = |card: &Point| {
            let times = |on: bool, factor: f64| if on { factor } else { 1.0 };
            times(fresh.contains(card), FRESH)
                * times((sight.lit)(*card), LIT)
                * times((sight.own)(*card), OWN)
        };
        let cards: Vec<f64> = sight.cards.iter().map(draw).collect();
        let similar = std::array::from_fn(|differing| level.similar(differing));
        let card = cards.iter().copied().fold(0.0, f64::max);
        let most = card * card * similar.iter().copied().fold(0.0, f64::max);
        Compare {
            codes: sight.cards.iter().map(|&card| sight.deck.code(card)).collect(),
            cards,
            similar,
            most,
        }
    }

    fn weight(&self, i: usize, j: usize) -> f64 {
        let differing = self.codes[i].iter().zip(&self.codes[j]).filter(|(a, b)| a != b).count();
        self.cards[i] * self.cards[j] * self.similar[differing.min(5)]
    }
}

/// Which patterns two cards belong to, by their places.
struct Hits(Vec<(usize, usize, usize)>);

impl Hits {
    fn new(sight: &Sight<'_>) -> Hits {
        let mut hits = Vec::new();
        for (g, group) in sight.groups.iter().enumerate() {
            let mut places: Vec<usize> =
                group.iter().filter_map(|card| sight.cards.iter().position(|c| c == card)).collect();
            places.sort_unstable();
            for (n, &i) in places.iter().enumerate() {
                hits.extend(places[n + 1..].iter().map(|&j| (i, j, g)));
            }
        }
        hits.sort_unstable();
        Hits(hits)
    }

    fn with(&self, i: usize, j: usize) -> impl Iterator<Item = usize> + '_ {
        let from = self.0.partition_point(|&(a, b, _)| (a, b) < (i, j));
        self.0[from..].iter().take_while(move |&&(a, b, _)| (a, b) == (i, j)).map(|&(_, _, group)| group)
    }
}
