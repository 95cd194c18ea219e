//! Odds in play: deals of a race through the real engine, as many as the page asks for, and what came of all so far.

use lab::matches::seed_of;
use lab::odds::{self, Pattern};
use lab::sim::{Choose, PatternTally, SomeNone, fewest, race_deal, without_waiting};
use lab::stats::{Interval, Sums, Z95, wilson};
use pattern::rules::{Mechanism, Multiplicity, Pattern as Sought, Sources};
use rulebook::{Loaded, Rules};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A race that can be simulated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RaceRow {
    /// Id of the built-in game.
    pub game: String,
    /// The fewest who can play it, alone for practice among them.
    pub fewest: u8,
    /// The most.
    pub most: u8,
}

/// What a simulation says of a number: its value, and the interval that holds the true one in 95 of 100 simulations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The number as it came out.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Estimate {
    fn share(hits: u64, of: u64) -> Estimate {
        let Interval { low, high } = wilson(hits, of);
        // What is not there at all may never be; the interval's formula leaves a trace there.
        Estimate { value: hits as f64 / of.max(1) as f64, low: if hits == 0 { 0.0 } else { low }, high }
    }

    fn mean(sums: &Sums) -> Estimate {
        let (value, half) = (sums.mean(), Z95 * sums.error());
        Estimate { value, low: (value - half).max(0.0), high: value + half }
    }
}

/// Layouts met in play, by something that they are counted by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MetRow {
    /// Their cards, or the claims made before.
    pub of: u64,
    /// How many there were.
    pub layouts: u64,
    /// The share that held no claim.
    pub none: Estimate,
}

/// The chance that fresh cards hold no claim.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FreshRow {
    /// How many cards.
    pub cards: usize,
    /// The chance.
    pub none: f64,
    /// Whether it was counted; else it was sampled.
    pub exact: bool,
}

/// What came of all deals so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayRow {
    /// How many.
    pub deals: u64,
    /// For how many players.
    pub players: u8,
    /// Cards that usually lie on the table.
    pub usual: u64,
    /// Claims of a deal.
    pub claims: Estimate,
    /// Extra deals of a deal.
    pub extra_deals: Estimate,
    /// The share of deals with at least one.
    pub extended: Estimate,
    /// The share of deals by the cards that were left.
    pub left: Vec<(usize, Estimate)>,
    /// Layouts by their cards.
    pub by_layout: Vec<MetRow>,
    /// Layouts of the usual size by the claims made before.
    pub by_stage: Vec<MetRow>,
    /// What does the same in a terminal.
    pub command: String,
}

/// A simulation under way.
pub(crate) struct Play {
    game: String,
    rules: Arc<pattern::Rules>,
    players: u8,
    choose: Choose,
    seed: u64,
    tally: PatternTally,
}

/// Deals that are played at a time at most: a page asks again.
const MOST_DEALS: u64 = 10_000;

/// Random layouts where fresh cards cannot be counted.
const SAMPLES: u64 = 20_000;

fn race(loaded: &Loaded, players: u8) -> Result<Arc<pattern::Rules>, String> {
    match &*loaded.rules(players).map_err(|faults| faults.to_string())? {
        Rules::Pattern(rules) if rules.mechanism == Mechanism::Race => Ok(Arc::new(without_waiting(rules))),
        _ => Err(format!("{} is no race: only races can be simulated here.", loaded.info.name)),
    }
}

/// The races among the built-in games.
pub(crate) fn races() -> Vec<RaceRow> {
    let row = |game: &str| {
        let loaded = rulebook::preset(game).ok()?;
        let fewest = fewest(&loaded);
        race(&loaded, fewest).ok()?;
        Some(RaceRow { game: game.to_owned(), fewest, most: loaded.info.players_max })
    };
    rulebook::presets().into_iter().filter_map(row).collect()
}

/// The chances of fresh cards in a game, for the sizes of its layouts: the usual one and those after one and two extra
/// deals. Nothing where it matters whose the cards are or in which group they lie.
pub(crate) fn fresh(game: &str) -> Result<Vec<FreshRow>, String> {
    let loaded = rulebook::preset(game).map_err(|faults| faults.to_string())?;
    let rules = race(&loaded, fewest(&loaded))?;
    let sought = match (rules.pattern, rules.multiplicity) {
        _ if rules.sources == Sources::Hand => return Ok(Vec::new()),
        (Sought::Set, Multiplicity::Single) => Pattern::Set,
        (Sought::Super, Multiplicity::Single) => Pattern::Super,
        (Sought::Set, Multiplicity::Double) if rules.sources == Sources::Layout => Pattern::Double,
        (Sought::Set, Multiplicity::Eight) => Pattern::Eight,
        _ => return Ok(Vec::new()),
    };
    let usual = usize::from(rules.base);
    // Layouts without a Double-Set are counted through hundreds of thousands of classes as they grow.
    let sizes = if sought == Pattern::Double { vec![usual] } else { vec![usual, usual + 3, usual + 6] };
    let found = odds::none_for(rules.deck, sought, &sizes, SAMPLES, 1)?;
    let row = |(cards, none): (usize, odds::Probability)| FreshRow {
        cards,
        none: none.p,
        exact: none.exact.is_some(),
    };
    Ok(sizes.into_iter().zip(found).map(row).collect())
}

impl Play {
    pub(crate) fn open(game: &str, players: Option<u8>, choose: Choose, seed: u64) -> Result<Play, String> {
        let loaded = rulebook::preset(game).map_err(|faults| faults.to_string())?;
        let players = players.unwrap_or_else(|| fewest(&loaded));
        let rules = race(&loaded, players)?;
        Ok(Play { game: game.to_owned(), rules, players, choose, seed, tally: PatternTally::default() })
    }

    /// Plays so many more deals.
    pub(crate) fn on(&mut self, deals: u64) -> Result<PlayRow, String> {
        let first = self.tally.deals;
        for deal in first..first + deals.min(MOST_DEALS) {
            race_deal(&self.rules, self.players, self.choose, seed_of(self.seed, deal), &mut self.tally)
                .map_err(|unfinished| unfinished.what)?;
        }
        Ok(self.row())
    }

    fn row(&self) -> PlayRow {
        let tally = &self.tally;
        let met = |(of, n): (u64, &SomeNone)| {
            let layouts = n.some + n.none;
            MetRow { of, layouts, none: Estimate::share(n.none, layouts) }
        };
        let choose = if self.choose == Choose::First { " --choose first" } else { "" };
        PlayRow {
            deals: tally.deals,
            players: self.players,
            usual: u64::from(self.rules.base) * u64::from(self.rules.zones),
            claims: Estimate::mean(&tally.claims),
            extra_deals: Estimate::mean(&tally.extra_deals),
            extended: Estimate::share(tally.extended, tally.deals),
            left: tally.left.iter().map(|(&k, &n)| (k, Estimate::share(n, tally.deals))).collect(),
            by_layout: tally.by_layout.iter().map(|(&k, n)| met((k as u64, n))).collect(),
            by_stage: tally.by_stage.iter().map(|(&k, n)| met((k, n))).collect(),
            command: format!(
                "parlour sim {} --deals {} --seed {} --players {}{choose}",
                self.game, tally.deals, self.seed, self.players
            ),
        }
    }
}
