//! Odds and counts for the pages of the laboratory.

use crate::{Answer, Safe};
use cards::Deck;
use lab::{caps, flats, fourier, known as published_caps, lines, odds as chances, space};
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

/// Cards of a space, as a set of its points.
fn points_of(geometry: &space::Space, cards: &[u8]) -> Result<space::PointSet, String> {
    let mut set = 0;
    for &card in cards {
        if usize::from(card) >= geometry.size() {
            return Err(format!("There is no card {card} in dimension {}.", geometry.dim()));
        }
        set |= 1 << card;
    }
    Ok(set)
}

/// How many there are of what a space is made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountsRow {
    /// The dimension.
    pub dim: u32,
    /// Cards.
    pub cards: u64,
    /// Sets.
    pub sets: u64,
    /// Sets with a given card.
    pub sets_through: u64,
    /// Planes.
    pub planes: u64,
    /// Planes with a given card.
    pub planes_through: u64,
    /// Planes with a given Set.
    pub planes_on_set: u64,
    /// Directions of Sets.
    pub directions: u64,
    /// Sets of one direction.
    pub parallel: u64,
    /// Lines of directions: the four of a plane.
    pub pencils: u64,
    /// Four cards that hold a Set.
    pub with_set: u64,
    /// SuperSETs.
    pub supers: u64,
    /// Four cards that are neither.
    pub neither: u64,
}

pub(crate) fn counts(dim: u32) -> Result<CountsRow, String> {
    if dim == 1 {
        return Err("Planes begin with dimension 2.".to_owned());
    }
    let of = flats::counts(&geometry(dim)?);
    Ok(CountsRow {
        dim,
        cards: of.points,
        sets: of.lines,
        sets_through: of.lines_through,
        planes: of.planes,
        planes_through: of.planes_through,
        planes_on_set: of.planes_on_line,
        directions: of.directions,
        parallel: of.parallel,
        pencils: of.pencils,
        with_set: of.with_line,
        supers: of.supers,
        neither: of.neither,
    })
}

/// How one direction splits cards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaveRow {
    /// The direction, as a point.
    pub direction: u8,
    /// How many cards lie in each third of the deck.
    pub parts: [u64; 3],
    /// The square of the length of the three arrows' sum.
    pub square: u64,
    /// What it adds to the number of triples, times the cards of the deck.
    pub cubes: i64,
}

/// Cards and how every direction splits them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WavesRow {
    /// Cards of the deck.
    pub deck: u64,
    /// One for each direction and its opposite.
    pub waves: Vec<WaveRow>,
    /// The Sets that follow from them.
    pub by_waves: u64,
    /// The Sets, found by looking.
    pub by_looking: u64,
}

pub(crate) fn waves(dim: u32, cards: &[u8]) -> Result<WavesRow, String> {
    let geometry = geometry(dim)?;
    let set = points_of(&geometry, cards)?;
    let waves = fourier::waves(&geometry, set);
    let row = |wave: &fourier::Wave| WaveRow {
        direction: wave.direction,
        parts: wave.parts,
        square: wave.square(),
        cubes: wave.cubes(),
    };
    Ok(WavesRow {
        deck: geometry.size() as u64,
        by_waves: fourier::lines(&geometry, u64::from(set.count_ones()), &waves),
        by_looking: lines::lines_in(&geometry, set) as u64,
        waves: waves.iter().map(row).collect(),
    })
}

/// The bound on the caps of a dimension, from those one dimension below.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WaveBound {
    /// The dimension.
    pub dim: u32,
    /// The bound as a fraction.
    pub exact: String,
    /// Its value.
    pub value: f64,
    /// The largest cap.
    pub largest: u64,
}

pub(crate) fn wave_bounds() -> Vec<WaveBound> {
    let row = |(dim, exact, value, largest)| WaveBound { dim, exact, value, largest };
    published_caps::by_waves().into_iter().map(row).collect()
}

/// What others found out about the largest caps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KnownRows {
    /// By dimension: a cap of so many cards is there, none is larger if that is known, and who found it.
    pub largest: Vec<(u32, u64, bool, String)>,
    /// How they grow: the bound, whether it is one from above, and who found it.
    pub growth: Vec<(String, bool, String)>,
    /// The largest dimension that can be asked about.
    pub most_dim: u32,
}

pub(crate) fn known() -> KnownRows {
    let largest = published_caps::LARGEST.iter();
    let growth = published_caps::GROWTH.iter();
    KnownRows {
        largest: largest.map(|of| (of.dim, of.least, of.exact, of.source.to_owned())).collect(),
        growth: growth.map(|of| (of.bound.to_owned(), of.above, of.source.to_owned())).collect(),
        most_dim: published_caps::MOST_DIM,
    }
}

/// What bounds the largest cap of a dimension.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BetweenRow {
    /// All points.
    pub points: f64,
    /// A cap of so many is there.
    pub least: f64,
    /// None has more, by waves.
    pub waves: f64,
    /// None has more, by polynomials.
    pub polynomials: f64,
}

pub(crate) fn between(dim: u32) -> BetweenRow {
    let of = published_caps::between(dim);
    BetweenRow { points: of.points, least: of.least, waves: of.waves, polynomials: of.polynomials }
}

/// How rare a given deal is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DealRow {
    /// How many deals there are, as text.
    pub deals: String,
    /// How many of them hold no Set, as text.
    pub caps: String,
    /// The chance that a given one comes, in so many.
    pub given: f64,
    /// The chance that one without a Set comes.
    pub without: f64,
    /// The chance that some two of so many are the same.
    pub twice: f64,
}

pub(crate) fn deal(cards: u64, times: f64) -> Result<DealRow, String> {
    if !(1..=81).contains(&cards) || !(1.0..=1e30).contains(&times) {
        return Err("1 to 81 cards can be dealt, once or oftener.".to_owned());
    }
    let deals = lines::choose(81, cards);
    let counted = caps::count(&geometry(4)?);
    let caps = counted.get(cards as usize).map_or(0, |size| size.caps);
    let ways = deals as f64;
    Ok(DealRow {
        deals: deals.to_string(),
        caps: caps.to_string(),
        given: chances::at_least_once(1.0 / ways, times),
        without: chances::at_least_once(caps as f64 / ways, times),
        twice: chances::some_two_alike(ways, times),
    })
}

pub(crate) fn largest_cap(dim: u32) -> Result<Vec<u8>, String> {
    let classes = caps::classes(&geometry(dim)?);
    let cap = classes.iter().flatten().max_by_key(|class| class.set.count_ones());
    Ok(cap.map(|class| space::points(class.set).collect()).unwrap_or_default())
}

pub(crate) fn safe(dim: u32, cards: &[u8], count: bool) -> Result<Answer, String> {
    let geometry = geometry(dim)?;
    let set = points_of(&geometry, cards)?;
    let cap = caps::is_cap(&geometry, set);
    let extends = (count && cap).then(|| caps::extending(&geometry, set)).flatten();
    Ok(Answer::Safe(Safe {
        cap,
        safe: space::points(caps::safe(&geometry, set)).collect(),
        extends: extends.map(|sizes| sizes.iter().map(ToString::to_string).collect()),
    }))
}
