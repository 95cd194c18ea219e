//! Bots against bots over duplicate deals.
//!
//! Two bots share a table, seat by seat in turn; the same deals are then played again with the bots changed about, so the luck of
//! the cards falls out. What the matches of one seed share is not counted twice: intervals are over seeds.

use crate::matches::{Unfinished, play_dealt, seed_of};
use crate::records::{Deals, Writer};
use crate::stats::{Interval, clustered_means, ratings, sign_test};
use bots::Bot;
use game::chance::{Chance, Need, SplitMix};
use game::{Game, Input, Seat};
use serde::Serialize;
use std::sync::Arc;

/// Makes a bot that knows nothing yet.
pub type MakeBot<G> = dyn Fn() -> Box<dyn Bot<<G as Game>::View>> + Sync;

/// What one bot won against another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pairing {
    /// First bot, with its version.
    pub first: String,
    /// Second bot, with its version.
    pub second: String,
    /// Seeds played; each is two matches.
    pub seeds: u64,
    /// Share of the pairs of opposed seats in which the first came out ahead, ties being halves.
    pub share: f64,
    /// 95 % interval of the share, clustered by seed.
    pub interval: Interval,
    /// Seeds in which the first won more than half.
    pub wins: u64,
    /// Seeds in which it won less.
    pub losses: u64,
    /// Two-sided p-value of the exact sign test on those.
    pub p: f64,
    /// Which is stronger: only said where the interval leaves out one half and `p`, times the number of pairs that were compared,
    /// is below .05.
    pub stronger: Option<String>,
}

/// A bot's place on the scale.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// The bot, with its version.
    pub bot: String,
    /// Rating on the scale of Elo; the mean of all is 0.
    pub rating: f64,
    /// 95 % interval from resampling the seeds.
    pub interval: Interval,
    /// Mean time for a decision, in microseconds.
    pub mean_us: f64,
    /// Median.
    pub p50_us: f64,
    /// 99th percentile.
    pub p99_us: f64,
}

/// What came of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standings {
    /// Each pair once.
    pub pairings: Vec<Pairing>,
    /// Best first.
    pub ratings: Vec<Rating>,
    /// Matches that were not played to their end, with the reason; they count for nobody.
    pub unfinished: Vec<String>,
}

/// A match that was played, for whoever keeps its record.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The pair, by name and version.
    pub pair: [String; 2],
    /// Number of the deal, from 1, and whether the bots have changed about.
    pub deal: (u64, bool),
    /// The record.
    pub text: String,
}

/// Keeps the records of matches.
pub type Keep<'a> = dyn Fn(Kept) + Sync + 'a;

/// Two bots that meet, by name and version.
struct Pair<'a, G: Game> {
    names: [&'a str; 2],
    make: [&'a MakeBot<G>; 2],
}

/// One seed of one pair: the first's share, and every decision time in nanoseconds by bot.
type SeedResult = (Result<f64, Unfinished>, [Vec<u32>; 2]);

/// Plays deal `number` both ways round and gives the share of the first bot.
fn seed_share<G: Game>(
    rules: &Arc<G::Rules>,
    setting: &Setting,
    pair: &Pair<'_, G>,
    number: u64,
    keep: Option<&Keep<'_>>,
) -> SeedResult {
    let (seats, seed) = (setting.seats, seed_of(setting.seed, number));
    let deals = Deals::new::<G>(rules, seats, seed);
    let mut times = [Vec::new(), Vec::new()];
    let mut share = 0.0;
    for turned in 0..2usize {
        let bot_at = |seat: usize| (seat + turned) % 2;
        let mut players: Vec<_> = (0..usize::from(seats)).map(|s| pair.make[bot_at(s)]()).collect();
        let seated: Vec<&str> = (0..usize::from(seats)).map(|s| pair.names[bot_at(s)]).collect();
        let mut writer = keep.map(|_| Writer::new::<G>(rules, &deals, &seated));
        let mut watch = |game: &G, input: &Input<G::Command>, events: &[G::Event]| {
            if let Some(writer) = &mut writer {
                writer.take(game, input, events);
            }
        };
        let mut timed = |seat: Seat, took: std::time::Duration| {
            times[bot_at(seat.index())].push(u32::try_from(took.as_nanos()).unwrap_or(u32::MAX));
        };
        let mut deal = |need: &Need| deals.answer(need);
        let played =
            play_dealt::<G>(rules, &mut players, seed, &mut deal, setting.most, &mut watch, &mut timed);
        if let (Some(writer), Some(keep)) = (writer, keep) {
            let text = writer.finish::<G>();
            keep(Kept { pair: pair.names.map(str::to_owned), deal: (number + 1, turned == 1), text });
        }
        let finished = match played {
            Ok(finished) => finished,
            Err(unfinished) => return (Err(unfinished), times),
        };
        let places = &finished.outcome.places;
        let (mut ahead, mut pairs) = (0.0, 0.0);
        for a in (0..places.len()).filter(|&s| bot_at(s) == 0) {
            for b in (0..places.len()).filter(|&s| bot_at(s) == 1) {
                pairs += 1.0;
                ahead += match places[a].cmp(&places[b]) {
                    std::cmp::Ordering::Less => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Greater => 0.0,
                };
            }
        }
        share += ahead / pairs / 2.0;
    }
    (Ok(share), times)
}

/// How a tournament is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Seats at the table, at least 2.
    pub seats: u8,
    /// How many deals each pair plays, both ways round.
    pub seeds: u64,
    /// Seed of them all.
    pub seed: u64,
    /// Threads to use.
    pub threads: usize,
    /// Most inputs a match may take.
    pub most: u64,
}

/// Plays every pair of `bots` over the same deals, each both ways round. `keep` is handed the record of each match; `done` is told
/// after each seed and says whether to go on.
pub fn tournament<G: Game>(
    rules: &Arc<G::Rules>,
    setting: &Setting,
    bots: &[(String, Box<MakeBot<G>>)],
    keep: Option<&Keep<'_>>,
    done: impl Fn() -> bool + Sync,
) -> Standings
where
    G::Rules: Sync + Send,
{
    let pairs = bots.len() * bots.len().saturating_sub(1) / 2;
    let mut pairings = Vec::new();
    let mut shares: Vec<(usize, usize, Vec<f64>)> = Vec::new();
    let mut times: Vec<Vec<u32>> = vec![Vec::new(); bots.len()];
    let mut unfinished = Vec::new();
    for first in 0..bots.len() {
        for second in first + 1..bots.len() {
            let names = [bots[first].0.as_str(), bots[second].0.as_str()];
            let met = Pair { names, make: [bots[first].1.as_ref(), bots[second].1.as_ref()] };
            let results = crate::matches::spread(
                setting.seeds,
                setting.threads,
                |number| seed_share::<G>(rules, setting, &met, number, keep),
                &done,
            );
            let mut pair = Vec::new();
            for (share, [a, b]) in results {
                times[first].extend(a);
                times[second].extend(b);
                match share {
                    Ok(share) => pair.push(share),
                    Err(why) => {
                        unfinished.push(format!("{} against {}: {why}", bots[first].0, bots[second].0))
                    }
                }
            }
            pairings.push(pairing(&bots[first].0, &bots[second].0, &pair, pairs));
            shares.push((first, second, pair));
        }
    }
    let mut ratings = rate(bots.len(), &shares);
    for (i, rating) in ratings.iter_mut().enumerate() {
        rating.bot.clone_from(&bots[i].0);
        times[i].sort_unstable();
        let at = |q: f64| {
            times[i].get((times[i].len() as f64 * q) as usize).map_or(0.0, |&t| f64::from(t) / 1000.0)
        };
        (rating.p50_us, rating.p99_us) = (at(0.5), at(0.99));
        let sum: f64 = times[i].iter().map(|&time| f64::from(time) / 1000.0).sum();
        rating.mean_us = sum / times[i].len().max(1) as f64;
    }
    ratings.sort_by(|a, b| b.rating.total_cmp(&a.rating));
    Standings { pairings, ratings, unfinished }
}

fn pairing(first: &str, second: &str, shares: &[f64], pairs: usize) -> Pairing {
    let interval = clustered_means(shares);
    let count = |test: fn(&f64) -> bool| shares.iter().filter(|s| test(s)).count() as u64;
    let (wins, losses) = (count(|&s| s > 0.5), count(|&s| s < 0.5));
    // Whoever compares many pairs finds a difference somewhere: each is asked the more for it (Bonferroni).
    let p = sign_test(wins, losses);
    let sure = p * (pairs.max(1) as f64) < 0.05;
    let stronger = if !sure {
        None
    } else if interval.low > 0.5 {
        Some(first.to_owned())
    } else if interval.high < 0.5 {
        Some(second.to_owned())
    } else {
        None
    };
    Pairing {
        first: first.to_owned(),
        second: second.to_owned(),
        seeds: shares.len() as u64,
        share: shares.iter().sum::<f64>() / (shares.len() as f64).max(1.0),
        interval,
        wins,
        losses,
        p,
        stronger,
    }
}

/// Ratings with intervals from 400 resamplings of the seeds.
fn rate(bots: usize, shares: &[(usize, usize, Vec<f64>)]) -> Vec<Rating> {
    let fit = |pick: &mut dyn FnMut(usize, usize) -> usize| {
        let mut points = vec![vec![0.0; bots]; bots];
        for (first, second, pair) in shares {
            for i in 0..pair.len() {
                let share = pair[pick(i, pair.len())];
                points[*first][*second] += share;
                points[*second][*first] += 1.0 - share;
            }
        }
        ratings(&points)
    };
    let whole = fit(&mut |i, _| i);
    let mut chance = SplitMix(0x7261_7465);
    let mut resampled = vec![Vec::new(); bots];
    for _ in 0..400 {
        for (bot, rating) in fit(&mut |_, len| chance.below(len as u32) as usize).into_iter().enumerate() {
            resampled[bot].push(rating);
        }
    }
    whole
        .into_iter()
        .zip(&mut resampled)
        .map(|(rating, sample)| {
            sample.sort_unstable_by(f64::total_cmp);
            let interval = Interval { low: sample[9], high: sample[389] };
            Rating { bot: String::new(), rating, interval, mean_us: 0.0, p50_us: 0.0, p99_us: 0.0 }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stronger_is_said_only_where_the_interval_says_so() {
        let even = pairing("a", "b", &[0.5, 0.25, 0.75, 0.5], 1);
        assert_eq!((even.stronger, even.wins, even.losses), (None, 1, 1));
        let uneven = pairing("a", "b", &[0.25; 20], 1);
        assert_eq!(uneven.stronger.as_deref(), Some("b"));
        assert!(uneven.p < 1e-5);
        // Of a few deals that all ended alike little is known.
        let all = pairing("a", "b", &[1.0; 2], 1).interval;
        assert!(all.low > 0.2 && all.low < 0.5 && all.high == 1.0, "{all:?}");
        // An interval alone does not do, nor a p that is one of many.
        let few = [0.75, 0.75, 0.8, 0.75, 0.7];
        let lucky = pairing("a", "b", &few, 1);
        assert!(lucky.interval.low > 0.5 && lucky.p > 0.05 && lucky.stronger.is_none(), "{lucky:?}");
        let six = [0.75, 0.75, 0.8, 0.75, 0.7, 0.75];
        assert!(
            pairing("a", "b", &six, 1).stronger.is_some() && pairing("a", "b", &six, 10).stronger.is_none()
        );
    }

    #[test]
    fn ratings_follow_the_shares() {
        let shares = vec![(0, 1, vec![0.75; 40]), (0, 2, vec![1.0; 40]), (1, 2, vec![0.75; 40])];
        let rated = rate(3, &shares);
        assert!(rated[0].rating > rated[1].rating && rated[1].rating > rated[2].rating);
        assert!(
            rated.iter().all(|r| r.interval.low <= r.rating + 1e-9 && r.rating <= r.interval.high + 1e-9)
        );
    }
}
