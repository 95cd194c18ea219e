//! Chances that cards drawn at random hold no claim, and how many they hold (pattern rulebook, 5.3 to 5.5).

use crate::lines::choose;
use crate::space::{PointSet, Space, points};
use crate::{caps, lines, patterns};
use cards::Deck;
use game::chance::{Chance, SplitMix};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Pattern {
    /// A Set.
    Set,
    /// A SuperSET (PAT-SUPER).
    Super,
    /// Two disjoint Sets (PAT-DOUBLE).
    Double,
    /// Three or four Sets that cover at least eight cards (PAT-EIGHT).
    Eight,
}

impl std::str::FromStr for Pattern {
    type Err = String;
    fn from_str(text: &str) -> Result<Pattern, String> {
        Ok(match text {
            "set" => Pattern::Set,
            "super" => Pattern::Super,
            "double" => Pattern::Double,
            "eight" => Pattern::Eight,
            _ => return Err(format!("`{text}` is no pattern: set, super, double or eight")),
        })
    }
}

/// A number that is a fraction of whole numbers, in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction {
    /// Above the line.
    pub over: u128,
    /// Below the line.
    pub under: u128,
}

impl Fraction {
    /// `over / under`.
    #[must_use]
    pub fn new(over: u128, under: u128) -> Fraction {
        let (mut a, mut b) = (over, under);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        Fraction { over: over / a.max(1), under: under / a.max(1) }
    }
    /// As a floating-point number.
    #[must_use]
    pub fn value(self) -> f64 {
        self.over as f64 / self.under as f64
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.over, self.under)
    }
}

/// A chance.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Probability {
    /// The exact fraction, if known.
    pub exact: Option<String>,
    /// Its value, or the estimate.
    pub p: f64,
    /// Standard error of the estimate, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
}

/// An expected number.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mean {
    /// The exact fraction, if known.
    pub exact: Option<String>,
    /// Its value, or the estimate; none where it was neither derived nor sampled.
    pub value: Option<f64>,
}

/// What `k` cards drawn at random from a full deck hold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Odds {
    /// The deck.
    pub deck: Deck,
    /// What is looked for.
    pub pattern: Pattern,
    /// How many cards.
    pub k: usize,
    /// The chance that they hold none.
    pub none: Probability,
    /// How many they hold on average.
    pub mean: Mean,
    /// How many layouts hold each number, exactly, where that can be counted; numbers as text.
    pub distribution: Option<BTreeMap<usize, String>>,
    /// The most that any layout holds, where known.
    pub max: Option<usize>,
    /// Layouts sampled, where the chance is an estimate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples: Option<u64>,
}

/// The geometry of a deck, where the exact counts reach.
fn space(deck: Deck) -> Option<Space> {
    match deck {
        Deck::D27 => Some(Space::new(3)),
        Deck::D81 => Some(Space::new(4)),
        Deck::D243 => None,
    }
}

/// Answers for `k` cards. What cannot be counted is estimated from `samples` random layouts, seeded by `seed`.
///
/// # Errors
/// If there are not so many cards, in words.
pub fn odds(deck: Deck, pattern: Pattern, k: usize, samples: u64, seed: u64) -> Result<Odds, String> {
    odds_for(deck, pattern, &[k], samples, seed).map(|mut all| all.remove(0))
}

/// As [`odds`] for several numbers of cards, counting what they share once.
///
/// # Errors
/// If there are not so many cards, in words.
pub fn odds_for(
    deck: Deck,
    pattern: Pattern,
    ks: &[usize],
    samples: u64,
    seed: u64,
) -> Result<Vec<Odds>, String> {
    let none = none_for(deck, pattern, ks, samples, seed)?;
    let exact = Exact::new(deck, pattern, ks);
    Ok(ks
        .iter()
        .zip(none)
        .map(|(&k, none)| {
            let mean = mean(deck, pattern, k);
            let (distribution, max) = exact.as_ref().map_or((None, None), |exact| exact.distribution(k));
            Odds {
                deck,
                pattern,
                k,
                none,
                mean: Mean { exact: mean.map(|m| m.to_string()), value: mean.map(Fraction::value) },
                distribution,
                max,
                samples: exact.is_none().then_some(samples),
            }
        })
        .collect())
}

/// The chance alone that so many cards hold none, for several numbers of cards.
///
/// # Errors
/// If there are not so many cards, in words.
pub fn none_for(
    deck: Deck,
    pattern: Pattern,
    ks: &[usize],
    samples: u64,
    seed: u64,
) -> Result<Vec<Probability>, String> {
    let size = deck.size();
    if let Some(k) = ks.iter().find(|&&k| k > size) {
        return Err(format!("there are only {size} cards to draw {k} from"));
    }
    if samples == 0 {
        return Err("at least one sample is needed".to_owned());
    }
    let counted =
        space(deck).and_then(|space| layouts_without(&space, pattern, ks.iter().copied().max().unwrap_or(0)));
    let chance = |&k: &usize| match &counted {
        Some(counted) => {
            let layouts = counted.get(k).copied().unwrap_or(0);
            let p = Fraction::new(layouts, choose(size as u64, k as u64));
            Probability { exact: Some(p.to_string()), p: p.value(), error: None }
        }
        None => {
            let p = estimate(deck, pattern, k, samples, seed);
            Probability { exact: None, p, error: Some((p * (1.0 - p) / samples as f64).sqrt()) }
        }
    };
    Ok(ks.iter().map(chance).collect())
}

/// How many layouts of each size up to `most` hold none, where that can be counted.
fn layouts_without(space: &Space, pattern: Pattern, most: usize) -> Option<Vec<u128>> {
    Some(match pattern {
        Pattern::Set => caps::count(space).iter().map(|c| c.caps).collect(),
        Pattern::Super => patterns::count(space, most, &patterns::without_super, &mut |_, _| ()),
        Pattern::Double => patterns::count(space, most, &patterns::without_double, &mut |_, _| ()),
        Pattern::Eight => return None,
    })
}

/// What can be counted of how many there are: for Sets, the classes to count layouts by.
struct Exact {
    space: Space,
    classes: Vec<Vec<crate::classes::Class>>,
}

impl Exact {
    fn new(deck: Deck, pattern: Pattern, ks: &[usize]) -> Option<Exact> {
        let space = space(deck).filter(|_| pattern != Pattern::Eight)?;
        let mut classes = Vec::new();
        if pattern == Pattern::Set {
            let counted = ks.iter().filter(|&&k| space.dim() < 4 || k <= 15).map(|&k| lines::base(k)).max();
            classes = lines::classes(&space, counted.unwrap_or(0));
        }
        Some(Exact { space, classes })
    }

    fn distribution(&self, k: usize) -> (Option<BTreeMap<usize, String>>, Option<usize>) {
        if self.classes.is_empty() {
            return (None, None);
        }
        if self.space.dim() == 4 && k > 15 {
            return (None, (k <= 18).then(|| lines::most(&self.space, k).0));
        }
        let counts = lines::distribution_through(&self.space, k, &self.classes[lines::base(k)]);
        let max = counts.iter().rposition(|&n| n > 0);
        (
            Some(
                counts.iter().enumerate().filter(|(_, n)| **n > 0).map(|(j, n)| (j, n.to_string())).collect(),
            ),
            max,
        )
    }
}

/// Expected number of claims in `k` cards: the claims of the deck times the chance that all cards of one are drawn.
fn mean(deck: Deck, pattern: Pattern, k: usize) -> Option<Fraction> {
    let size = deck.size() as u128;
    let (claims, cards) = match pattern {
        Pattern::Set => (size * (size - 1) / 6, 3),
        // Each pair of cards has a joint; two of the (size - 1) / 2 pairs of one joint are a SuperSET.
        Pattern::Super => (size * ((size - 1) / 2) * ((size - 1) / 2 - 1) / 2, 4),
        Pattern::Double => {
            let (sets, through) = (size * (size - 1) / 6, (size - 1) / 2);
            (sets * (sets - 1) / 2 - size * (through * (through - 1) / 2), 6)
        }
        Pattern::Eight => return None,
    };
    Some(Fraction::new(claims * choose(k as u64, cards), choose(deck.size() as u64, cards)))
}

/// The share of `samples` random layouts of `k` cards that hold no claim.
fn estimate(deck: Deck, pattern: Pattern, k: usize, samples: u64, seed: u64) -> f64 {
    let mut chance = SplitMix(seed);
    let mut pack: Vec<u8> = (0..deck.size()).map(|i| i as u8).collect();
    let mut without = 0u64;
    for _ in 0..samples {
        for place in 0..k {
            let other = place + chance.below((pack.len() - place) as u32) as usize;
            pack.swap(place, other);
        }
        without += u64::from(!holds(deck, pattern, &pack[..k]));
    }
    without as f64 / samples as f64
}

/// The third of two cards of up to five digits, or of two vectors.
fn third(a: u8, b: u8) -> u8 {
    let (mut a, mut b, mut place, mut third) = (u16::from(a), u16::from(b), 1u16, 0u16);
    for _ in 0..5 {
        third += (6 - a % 3 - b % 3) % 3 * place;
        a /= 3;
        b /= 3;
        place *= 3;
    }
    third as u8
}

fn holds(deck: Deck, pattern: Pattern, cards: &[u8]) -> bool {
    let mut sets: Vec<PointSet> = Vec::new();
    let mut joints = [0u16; 256];
    let mut at = [None; 256];
    for (i, &card) in cards.iter().enumerate() {
        at[usize::from(card)] = Some(i);
    }
    for (i, &a) in cards.iter().enumerate() {
        for (j, &b) in cards[..i].iter().enumerate() {
            let c = third(a, b);
            joints[usize::from(c)] += 1;
            if let Some(k) = at[usize::from(c)].filter(|&k| k < j) {
                sets.push(1 << i | 1 << j | 1 << k);
            }
        }
    }
    match pattern {
        Pattern::Set => !sets.is_empty(),
        // Pairs with one joint never share a card.
        Pattern::Super => joints[..deck.points()].iter().any(|&n| n > 1),
        Pattern::Double => sets.iter().enumerate().any(|(i, a)| sets[..i].iter().any(|b| a & b == 0)),
        Pattern::Eight => {
            let covers = |sets: PointSet| sets.count_ones() >= 8;
            sets.iter().enumerate().any(|(i, a)| {
                sets[..i].iter().enumerate().any(|(j, b)| {
                    sets[..j]
                        .iter()
                        .enumerate()
                        .any(|(k, c)| covers(a | b | c) || sets[..k].iter().any(|d| covers(a | b | c | d)))
                })
            })
        }
    }
}

/// A figure that somebody published, and what it measures.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Published {
    /// Where it stands.
    pub source: &'static str,
    /// Odds of some Set against none in 12, 15 and 18 cards, as printed there.
    pub odds: [&'static str; 3],
    /// What was really measured.
    pub measures: &'static str,
}

/// Published odds (pattern rulebook, 5.5).
pub const PUBLISHED: [Published; 8] = [
    Published {
        source: "instruction booklet, as quoted by Norvig",
        odds: ["33:1", "2500:1", ""],
        measures: "fresh cards, rounded",
    },
    Published {
        source: "Norvig, SET notebook, 100,000 random layouts",
        odds: ["31:1", "2702:1", ""],
        measures: "fresh cards, sampled",
    },
    Published {
        source: "Norvig, game play, same run",
        odds: ["15:1", "87:1", "all (57 / 0)"],
        measures: "layouts met in play, first Set found is taken",
    },
    Published {
        source: "Norvig, game play, 10,000-run cell",
        odds: ["16:1", "103:1", "all (5 / 0)"],
        measures: "layouts met in play, a small sample",
    },
    Published {
        source: "Norvig, random layout whose earlier cards had no Set",
        odds: ["8:1", "92:1", ""],
        measures: "fresh cards, given that all but the last three hold none",
    },
    Published {
        source: "web pages quoting Norvig",
        odds: ["16:1 (30:1 first layout)", "", ""],
        measures: "play on average, and the first layout",
    },
    Published {
        source: "\"SET Probabilities Revisited\" (blog, 2011)",
        odds: ["30:1, then 14:1, then 13:1", "", ""],
        measures: "play, by how far the game has gone",
    },
    Published { source: "exact", odds: ["29.96:1", "2741:1", "7.05e7:1"], measures: "fresh cards" },
];

/// The chance that something whose chance is `p` each time comes at least once in `times` tries.
#[must_use]
pub fn at_least_once(p: f64, times: f64) -> f64 {
    -(times * (-p).ln_1p()).exp_m1()
}

/// The chance that among `times` tries, each of which may end in `ways` ways alike, some two end alike.
#[must_use]
pub fn some_two_alike(ways: f64, times: f64) -> f64 {
    -(-times * (times - 1.0).max(0.0) / (2.0 * ways)).exp_m1()
}

/// Odds of some claim against none, as people write them: `30:1` reads thirty to one.
#[must_use]
pub fn odds_text(none: f64) -> String {
    if none <= 0.0 {
        return "certain".to_owned();
    }
    let odds = (1.0 - none) / none;
    if odds >= 1e6 {
        format!("{odds:.3e}:1")
    } else if odds >= 100.0 {
        format!("{odds:.0}:1")
    } else {
        format!("{odds:.3}:1")
    }
}

/// The Sets of some points, for callers that hold a point set.
#[must_use]
pub fn sets_in(space: &Space, set: PointSet) -> Vec<[u8; 3]> {
    let mut sets = Vec::new();
    for a in points(set) {
        for b in points(set).filter(|&b| b > a) {
            let c = space.third(a, b);
            if c > b && set >> c & 1 == 1 {
                sets.push([a, b, c]);
            }
        }
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(deck: Deck, pattern: Pattern, k: usize) -> Odds {
        odds(deck, pattern, k, 1, 1).unwrap()
    }

    #[test]
    fn twelve_cards() {
        let twelve = exact(Deck::D81, Pattern::Set, 12);
        assert_eq!(twelve.none.exact.as_deref(), Some("325432404/10074689485"));
        assert_eq!(twelve.mean.exact.as_deref(), Some("220/79"));
        assert_eq!(twelve.max, Some(14));
        let distribution = twelve.distribution.unwrap();
        assert_eq!(distribution[&0], "2284535476080");
        assert_eq!(distribution[&6], "1649199670560");
        assert_eq!(distribution.values().map(|n| n.parse::<u128>().unwrap()).sum::<u128>(), choose(81, 12));
    }

    #[test]
    fn nine_cards_of_the_quick_deck() {
        let nine = exact(Deck::D27, Pattern::Set, 9);
        let counts: Vec<_> =
            nine.distribution.unwrap().into_iter().map(|(j, n)| (j, n.parse().unwrap())).collect();
        let published = [
            (0, 2106),
            (1, 227_448),
            (2, 812_916),
            (3, 1_550_952),
            (4, 1_337_310),
            (5, 657_072),
            (6, 92_664),
            (8, 6318),
            (12, 39),
        ];
        assert_eq!(counts, published);
    }

    #[test]
    fn layouts_without_a_superset() {
        let nine = exact(Deck::D81, Pattern::Super, 9);
        assert_eq!(
            nine.none.exact.as_deref(),
            Some(Fraction::new(19_712_160, 260_887_834_350).to_string().as_str())
        );
        assert_eq!(nine.mean.exact.as_deref(), Some("378/79"));
        assert_eq!(exact(Deck::D81, Pattern::Super, 10).none.p, 0.0);
    }

    #[test]
    fn layouts_without_a_double_set() {
        assert!((exact(Deck::D81, Pattern::Double, 12).none.p - 0.368_224).abs() < 1e-6);
        assert_eq!(exact(Deck::D27, Pattern::Double, 11).none.p, 0.0);
        assert!(exact(Deck::D27, Pattern::Double, 10).none.p > 0.0);
    }

    #[test]
    fn estimates_agree_with_the_rulebook_within_five_deviations() {
        let samples = 20_000;
        for (deck, pattern, k, published) in [
            (Deck::D243, Pattern::Set, 15, 0.129),
            (Deck::D243, Pattern::Set, 18, 0.0234),
            (Deck::D81, Pattern::Eight, 12, 0.600_873),
            (Deck::D81, Pattern::Eight, 15, 0.062_752_8),
            (Deck::D243, Pattern::Double, 18, 0.22),
            (Deck::D243, Pattern::Super, 9, 0.16),
        ] {
            let ours = odds(deck, pattern, k, samples, 7).unwrap().none;
            assert!(ours.exact.is_none());
            // Published figures are themselves rounded to the second digit in places.
            let slack = 5.0 * ours.error.unwrap() + 0.005;
            assert!(
                (ours.p - published).abs() < slack,
                "{deck:?} {pattern:?} {k}: {} not {published}",
                ours.p
            );
        }
    }

    #[test]
    fn what_is_rare_comes_in_many_tries() {
        assert!((at_least_once(0.5, 2.0) - 0.75).abs() < 1e-12);
        // Twenty-three people, and two of them have one birthday.
        assert!((some_two_alike(365.0, 23.0) - 0.507).abs() < 0.01);
        // Pattern rulebook, 5.3: a given deal of 20 cards.
        let ways = choose(81, 20);
        assert_eq!(ways, 4_694_436_188_839_116_720);
        assert!((at_least_once(1.0 / ways as f64, 1.0) / 2.13e-19 - 1.0).abs() < 0.01);
        assert_eq!(some_two_alike(ways as f64, 1.0), 0.0);
    }

    #[test]
    fn more_cards_than_there_are() {
        assert!(odds(Deck::D27, Pattern::Set, 28, 1, 1).unwrap_err().contains("only 27"));
    }
}
