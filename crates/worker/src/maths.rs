//! Odds and counts for the pages of the laboratory.

use crate::{Answer, Safe};
use cards::Deck;
use lab::{caps, odds as chances, space};
use serde::{Deserialize, Serialize};

/// What `cards` cards drawn at random from a full deck hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OddsRow {
    /// How many cards.
    pub cards: usize,
    /// The chance that they hold nothing, 0 to 1.
    pub none: f64,
    /// The same as a fraction, where it is exact.
    pub exact: Option<String>,
    /// Standard error of the chance, where it was sampled.
    pub error: Option<f64>,
    /// Something against nothing, as people write it: `30:1`.
    pub against: String,
    /// How many they hold on average, where known.
    pub mean: Option<f64>,
    /// How many layouts hold each number (numbers as text, they are large), where that can be counted.
    pub distribution: Vec<(usize, String)>,
    /// The most that any layout holds, where known.
    pub most: Option<usize>,
}

/// The caps of one size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CapRow {
    /// Cards in each.
    pub size: usize,
    /// How many there are, as text.
    pub caps: String,
    /// How many classes under the affine group.
    pub classes: usize,
    /// How many are complete, as text.
    pub complete: String,
}

/// Odds that somebody published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedRow {
    /// Where they stand.
    pub source: String,
    /// Odds of some Set against none in 12, 15 and 18 cards, as printed there; empty where nothing is said.
    pub odds: [String; 3],
    /// What was really measured.
    pub measures: String,
}

pub(crate) fn published() -> Vec<PublishedRow> {
    let row = |p: &chances::Published| PublishedRow {
        source: p.source.to_owned(),
        odds: p.odds.map(str::to_owned),
        measures: p.measures.to_owned(),
    };
    chances::PUBLISHED.iter().map(row).collect()
}

/// Random layouts where nothing can be counted; a page is not kept waiting for more.
const SAMPLES: u64 = 20_000;

pub(crate) fn odds(deck: &str, pattern: &str, cards: usize) -> Result<OddsRow, String> {
    let deck: Deck = match deck {
        "d27" => Deck::D27,
        "d81" => Deck::D81,
        other => return Err(format!("`{other}` is no deck that can be counted here: d27 or d81.")),
    };
    if !(3..=21).contains(&cards) {
        return Err(format!("3 to 21 cards can be asked for, not {cards}."));
    }
    let found = chances::odds(deck, pattern.parse()?, cards, SAMPLES, 1)?;
    let distribution = found.distribution.into_iter().flatten().collect();
    Ok(OddsRow {
        cards,
        none: found.none.p,
        exact: found.none.exact,
        error: found.none.error,
        against: chances::odds_text(found.none.p),
        mean: found.mean.value,
        distribution,
        most: found.max,
    })
}

fn geometry(dim: u32) -> Result<space::Space, String> {
    if !(1..=4).contains(&dim) {
        return Err(format!("Dimensions 1 to 4 can be counted, not {dim}."));
    }
    Ok(space::Space::new(dim))
}

pub(crate) fn caps(dim: u32) -> Result<Vec<CapRow>, String> {
    let row = |c: caps::CapCount| CapRow {
        size: c.size,
        caps: c.caps.to_string(),
        classes: c.classes,
        complete: c.complete.to_string(),
    };
    Ok(caps::count(&geometry(dim)?).into_iter().map(row).collect())
}

pub(crate) fn safe(dim: u32, cards: &[u8], count: bool) -> Result<Answer, String> {
    let geometry = geometry(dim)?;
    let mut set = 0;
    for &card in cards {
        if usize::from(card) >= geometry.size() {
            return Err(format!("There is no card {card} in dimension {dim}."));
        }
        set |= 1 << card;
    }
    let cap = caps::is_cap(&geometry, set);
    let extends = (count && cap).then(|| caps::extending(&geometry, set)).flatten();
    Ok(Answer::Safe(Safe {
        cap,
        safe: space::points(caps::safe(&geometry, set)).collect(),
        extends: extends.map(|sizes| sizes.iter().map(ToString::to_string).collect()),
    }))
}
