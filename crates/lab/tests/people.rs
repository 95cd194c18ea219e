//! The bots of the Set family beside what is known of people.

use bots::Bot;
use bots::pattern::{Level, PatternBot};
use lab::people::{PUBLISHED, alone, in_play};
use lab::tournament::{MakeBot, Pairing, Setting, tournament};
use pattern::{Match, Rules, View};
use std::sync::Arc;

fn rules(game: &str, seats: u8) -> Arc<Rules> {
    let loaded = rulebook::preset(game).unwrap_or_else(|faults| panic!("{game}: {faults}"));
    match &*loaded.rules(seats).unwrap_or_else(|faults| panic!("{game}: {faults}")) {
        rulebook::Rules::Pattern(rules) => rules.clone(),
        rulebook::Rules::Contract(_) => panic!("{game} is no game of the Set family"),
    }
}

/// Means within a fifth of the published ones, with a tail as long as chance finds make it: spread and mean are alike.
#[test]
fn one_set_among_twelve_takes_as_long_as_people_take() {
    let classic = rules("set-classic", 2);
    for (level, published) in PUBLISHED {
        let mut means = Vec::new();
        for (features, published) in (1..).zip(published) {
            let times = alone(&classic, level, features, 1_500, 7).unwrap_or_else(|why| panic!("{why}"));
            assert!(times.len() > 1_000, "{level:?}: {} Sets", times.len());
            let seconds: Vec<f64> = times.iter().map(|&ms| f64::from(ms) / 1000.0).collect();
            let n = seconds.len() as f64;
            let mean = seconds.iter().sum::<f64>() / n;
            let spread = (seconds.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / n).sqrt();
            assert!(
                (mean / published - 1.0).abs() < 0.2,
                "{level:?}, {features}: {mean:.1} s, not {published} s"
            );
            assert!(
                (0.8..1.2).contains(&(spread / mean)),
                "{level:?}, {features}: {mean:.1} s +- {spread:.1} s"
            );
            assert!(seconds.iter().all(|&s| s > 0.9), "nobody sees and presses within 0.9 s");
            means.push(mean);
        }
        assert!(
            means[2..].iter().all(|slow| means[..2].iter().all(|fast| slow > fast)),
            "{level:?}: {means:?}"
        );
    }
}

#[test]
fn beginners_hardly_ever_claim_within_two_seconds() {
    for game in ["set-classic", "superset-h", "ultra", "chain", "mega", "hands", "twenty", "quick"] {
        // So full of Sets that it comes close to the bound: it takes more claims to tell.
        let matches = if game == "quick" { 600 } else { 60 };
        let claims = in_play(&rules(game, 2), Level::EASY, 2, matches, 3)
            .unwrap_or_else(|why| panic!("{game}: {why}"));
        assert!(claims.within(2_000) <= 0.03, "{game}: {:.3}", claims.within(2_000));
    }
}

#[test]
fn a_superset_takes_longer_than_a_set_at_every_level() {
    let (set, four) = (rules("set-classic", 2), rules("superset-h", 2));
    for number in (0..=100).step_by(25) {
        let level = Level::new(number).expect("a level");
        let claims = |rules| in_play(rules, level, 2, 25, 4).unwrap_or_else(|why| panic!("{number}: {why}"));
        let (set, four) = (claims(&set), claims(&four));
        for share in [0.1, 0.5, 0.9] {
            assert!(four.quantile(share) > 1.5 * set.quantile(share), "level {number}, {share}");
        }
    }
}

/// Every kind of claim has its slips, at every level, and they stay rare.
#[test]
fn slips_happen_in_every_kind_of_claim() {
    for game in [
        "set-classic",
        "set-heap",
        "chain",
        "superset-h",
        "superset-w",
        "ultra",
        "ultra9",
        "double",
        "complex",
        "hands",
        "twenty",
    ] {
        for (level, most) in [(Level::EASY, 0.16), (Level::HARD, 0.10)] {
            let rules = rules(game, 3);
            let claims = in_play(&rules, level, 3, 20, 5).unwrap_or_else(|why| panic!("{game}: {why}"));
            let share = claims.wrong as f64 / (claims.times.len() as f64 + claims.wrong as f64);
            assert!(share > 0.0 && share < most, "{game}, {level:?}: {share:.3} of the claims are wrong");
        }
    }
}

/// Two levels over duplicate deals of two.
fn duel(game: &str, first: fn() -> PatternBot, second: fn() -> PatternBot, deals: u64) -> Pairing {
    let make = |bot: fn() -> PatternBot| -> (String, Box<MakeBot<Match>>) {
        (bot().name().to_owned(), Box::new(move || Box::new(bot()) as Box<dyn Bot<View>>))
    };
    let setting = Setting { seats: 2, seeds: deals, seed: 11, threads: 1, most: 1_000_000 };
    let standings =
        tournament::<Match>(&rules(game, 2), &setting, &[make(first), make(second)], None, || true);
    assert!(standings.unfinished.is_empty(), "{:?}", standings.unfinished);
    standings.pairings[0].clone()
}

#[test]
fn neighbouring_levels_are_not_worlds_apart() {
    let named: [fn() -> PatternBot; 5] = [
        || PatternBot::new(Level::EASY),
        || PatternBot::new(Level::CASUAL),
        || PatternBot::new(Level::MEDIUM),
        || PatternBot::new(Level::SKILLED),
        || PatternBot::new(Level::HARD),
    ];
    assert_eq!(named.map(|bot| bot().name().to_owned()), Level::NAMED.map(|(name, _)| format!("{name}/5")));
    for game in ["set-classic", "memory", "twenty"] {
        for pair in named.windows(2) {
            let won = duel(game, pair[1], pair[0], 500);
            let Pairing { first, second, share, .. } = won;
            assert!((0.60..=0.75).contains(&share), "{game}: {first} : {second}: {share:.3}");
        }
    }
}

/// Whoever adapts is even with a beginner and with an expert, where a fixed level between them is not.
#[test]
fn who_adapts_keeps_even() {
    let strangers: [fn() -> PatternBot; 2] =
        [|| PatternBot::new(Level::EASY), || PatternBot::new(Level::HARD)];
    for stranger in strangers {
        let fixed = duel("set-classic", || PatternBot::new(Level::MEDIUM), stranger, 60);
        let adapts = duel("set-classic", PatternBot::adaptive, stranger, 60);
        let off = |pairing: &Pairing| (pairing.share - 0.5).abs();
        assert!(
            off(&fixed) > 0.25 && off(&adapts) < 0.2,
            "{}: {} and {}",
            fixed.second,
            fixed.share,
            adapts.share
        );
    }
}
