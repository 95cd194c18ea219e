//! `parlour odds`: the chance that random cards hold no claim, and how many they hold.

use anyhow::{Result, anyhow, bail};
use cards::Deck;
use lab::odds::{Odds, PUBLISHED, Pattern, odds_for, odds_text};
use serde_json::json;
use std::process::ExitCode;

/// Tells how likely it is that random cards hold no Set, and how many they hold
///
/// Without --cards: a table for 3 to 21 cards, beside the figures that others published. Exact where it can be counted;
/// an estimate says how many layouts were sampled.
#[derive(clap::Args)]
pub struct Args {
    /// d27, d81 or d243
    #[arg(long, default_value = "d81", value_parser = deck)]
    deck: Deck,
    /// set, super, double or eight
    #[arg(long, default_value = "set")]
    pattern: Pattern,
    /// How many cards are drawn
    #[arg(long, value_name = "K")]
    cards: Option<usize>,
    /// Random layouts where the chance cannot be counted
    #[arg(long, default_value_t = 200_000, value_name = "N")]
    samples: u64,
    /// Seed of the random layouts
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// JSON: one object, or an array of them without --cards
    #[arg(long)]
    json: bool,
}

fn deck(text: &str) -> Result<Deck, String> {
    match text {
        "d27" => Ok(Deck::D27),
        "d81" => Ok(Deck::D81),
        "d243" => Ok(Deck::D243),
        _ => Err(format!("`{text}` is no deck: d27, d81 or d243")),
    }
}

/// Runs the subcommand.
pub fn run(args: Args) -> Result<ExitCode> {
    if args.samples == 0 {
        bail!("--samples 0: at least one layout is needed");
    }
    let ks = args.cards.map_or_else(|| (3..=21.min(args.deck.size())).collect(), |k| vec![k]);
    let answers = odds_for(args.deck, args.pattern, &ks, args.samples, args.seed)
        .map_err(|e| anyhow!("--cards: {e}"))?;
    match args.cards {
        Some(_) => {
            let answer = &answers[0];
            if args.json {
                outln!("{}", serde_json::to_string(answer)?);
            } else {
                print(answer);
            }
        }
        None => {
            if args.json {
                outln!("{}", json!({"odds": answers, "published": PUBLISHED}));
            } else {
                table(&answers);
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn print(answer: &Odds) {
    outln!("{} cards of {:?}, {:?}", answer.k, answer.deck, answer.pattern);
    match (&answer.none.exact, answer.none.error) {
        (Some(exact), _) => outln!("none: {} = {exact}", answer.none.p),
        (None, error) => outln!(
            "none: about {:.6}, standard error {:.6} ({} random layouts)",
            answer.none.p,
            error.unwrap_or(0.0),
            answer.samples.unwrap_or(0)
        ),
    }
    outln!("odds of some against none: {}", odds_text(answer.none.p));
    if let (Some(value), Some(exact)) = (answer.mean.value, &answer.mean.exact) {
        outln!("on average: {value:.6} = {exact}");
    }
    if let Some(max) = answer.max {
        outln!("at most: {max}");
    }
    if let Some(distribution) = &answer.distribution {
        let all: f64 = distribution.values().filter_map(|n| n.parse::<f64>().ok()).sum();
        outln!("\n{:>4} {:>22} {:>12}", "Sets", "layouts", "share");
        for (sets, layouts) in distribution {
            let share = layouts.parse::<f64>().unwrap_or(0.0) / all;
            outln!("{sets:>4} {layouts:>22} {:>11.6}%", share * 100.0);
        }
    }
}

fn table(answers: &[Odds]) {
    outln!("{:>5} {:>16} {:>16} {:>10} {:>5}", "cards", "none", "some : none", "mean", "most");
    for a in answers {
        let estimated = if a.none.exact.is_none() { "~" } else { "" };
        outln!(
            "{:>5} {:>16} {:>16} {:>10} {:>5}",
            a.k,
            format!("{estimated}{:.9e}", a.none.p),
            odds_text(a.none.p),
            a.mean.value.map_or_else(|| "-".to_owned(), |m| format!("{m:.4}")),
            a.max.map_or_else(|| "-".to_owned(), |m| m.to_string()),
        );
    }
    if answers.iter().all(|a| a.deck == Deck::D81 && a.pattern == Pattern::Set) {
        outln!("\nPublished, for Sets in 12, 15 and 18 cards (some : none):");
        for p in PUBLISHED {
            outln!("  {:<55} {:<28} {:<14} {:<12} {}", p.source, p.odds[0], p.odds[1], p.odds[2], p.measures);
        }
    }
}
