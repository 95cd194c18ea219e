//! How a claim was judged, in words: which feature splits two and one, what the joint is.

use crate::{card, divided};
use cards::{Deck, Point};
use pattern::Claim;
use pattern::race::{Finding, Verdict};
use words::{Tongue, said};

/// Features in the order of the code's digits.
pub const FEATURES: [&str; 5] = ["number", "colour", "shading", "symbol", "ground"];

/// One or two sentences about a verdict. `name` is the claimer's.
#[must_use]
pub fn verdict_text(tongue: &(impl Tongue + ?Sized), verdict: &Verdict, deck: Deck, name: &str) -> String {
    finding_text(tongue, verdict.finding, &verdict.claim, verdict.sets, deck, name)
}

/// The same of a finding about a claim that counts as so many Sets.
#[must_use]
pub fn finding_text(
    tongue: &(impl Tongue + ?Sized),
    finding: Finding,
    claim: &Claim,
    sets: u8,
    deck: Deck,
    name: &str,
) -> String {
    let group = |n: u8| claim.groups().nth(usize::from(n)).unwrap_or_default();
    match finding {
        Finding::Right { joint: Some(joint) } => {
            said!(tongue, "verdict.joint", name = name, joint = card::pattern_name(tongue, deck, joint))
        }
        Finding::Right { joint: None } => match sets {
            0 | 1 => {
                let right = said!(tongue, "verdict.right", name = name);
                let cards: Option<[Point; 3]> = claim.cards().try_into().ok();
                cards.map_or(right.clone(), |cards| format!("{right} {}", why_set(tongue, deck, cards)))
            }
            n => said!(tongue, "verdict.right_many", name = name, n = n),
        },
        Finding::Clash => said!(tongue, "verdict.clash", name = name),
        Finding::Split { group: g, features } => {
            let splits: Vec<String> = (0..5u8)
                .filter(|f| features >> f & 1 == 1)
                .map(|f| split_text(tongue, deck, group(g), usize::from(f)))
                .collect();
            said!(tongue, "verdict.split", name = name, why = divided(tongue, &splits))
        }
        Finding::Places { .. } => said!(tongue, "verdict.places", name = name),
        Finding::NoSuper { .. } => said!(tongue, "verdict.no_super", name = name),
        Finding::Overlap => said!(tongue, "verdict.overlap", name = name),
        Finding::NoSplit => said!(tongue, "verdict.no_split", name = name),
        Finding::TooFew => said!(tongue, "verdict.too_few", name = name),
        Finding::Link => said!(tongue, "verdict.link", name = name),
        Finding::NoPersonal => said!(tongue, "verdict.no_personal", name = name),
        Finding::Timeout => said!(tongue, "verdict.timeout", name = name),
        Finding::Lapsed => said!(tongue, "verdict.lapsed", name = name),
        Finding::Cancelled => said!(tongue, "verdict.cancelled", name = name),
    }
}

/// Why three cards are a Set: "Alike: colour. All different: number, symbol."
fn why_set(tongue: &(impl Tongue + ?Sized), deck: Deck, cards: [Point; 3]) -> String {
    let codes = cards.map(|card| deck.code(card));
    let said = |key: &str, differ: bool| {
        let is = |&feature: &usize| (codes[0][feature] != codes[1][feature]) == differ;
        let name = |feature: usize| said!(tongue, &format!("verdict.features.{}", FEATURES[feature]));
        let names: Vec<String> = (0..deck.digits()).filter(is).map(name).collect();
        (!names.is_empty()).then(|| said!(tongue, key, features = names.join(", ")))
    };
    [said("verdict.alike", false), said("verdict.differ", true)]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" ")
}

/// Why three cards are no Set: "colour: two red, one green; ...". Empty for a Set.
#[must_use]
pub fn why_no_set(tongue: &(impl Tongue + ?Sized), deck: Deck, cards: [Point; 3]) -> String {
    let features = pattern::finder::split_features(4, cards);
    let splits = (0..5).filter(|f| features >> f & 1 == 1).map(|f| split_text(tongue, deck, &cards, f));
    divided(tongue, &splits.collect::<Vec<_>>())
}

/// "colour: two red, one green".
fn split_text(tongue: &(impl Tongue + ?Sized), deck: Deck, cards: &[Point], feature: usize) -> String {
    let mut counts = [0usize; 3];
    for &card in cards {
        if let Some(&digit) = deck.code(card).get(feature) {
            counts[usize::from(digit)] += 1;
        }
    }
    let kind = FEATURES[feature];
    let words: Vec<String> = [2, 1]
        .iter()
        .filter_map(|&n| {
            let digit = counts.iter().position(|&c| c == n)?;
            // "two ovals", "two threes", but "two red" cards.
            let (noun, gender) = match kind {
                "number" => ("numbers", "number".to_owned()),
                "symbol" => (kind, digit.to_string()),
                _ => (kind, "card".to_owned()),
            };
            let form = card::form(tongue, &gender, n);
            let digit = u8::try_from(digit).ok()?;
            Some(format!(
                "{} {}",
                card::word(tongue, "number", n as u8 - 1, &form),
                card::word(tongue, noun, digit, &form)
            ))
        })
        .collect();
    said!(
        tongue,
        "verdict.feature",
        feature = said!(tongue, &format!("verdict.features.{kind}")),
        values = words.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_explained_by_what_its_cards_share() {
        let why = |deck: Deck, cards: &str| {
            why_set(
                words::spoken("en"),
                deck,
                deck.parse_all(cards).unwrap().try_into().expect("three cards"),
            )
        };
        assert_eq!(
            why(Deck::D81, "0000 0100 0200"),
            "Alike: number, shading, symbol. All different: colour."
        );
        assert_eq!(why(Deck::D81, "0000 1111 2222"), "All different: number, colour, shading, symbol.");
        assert_eq!(
            why(Deck::D243, "00000 01001 02002"),
            "Alike: number, shading, symbol. All different: colour, ground."
        );
    }

    #[test]
    fn a_split_feature_is_spelt_out() {
        let cards = Deck::D81.parse_all("0000 0100 0201").unwrap();
        assert_eq!(split_text(words::spoken("en"), Deck::D81, &cards, 3), "symbol: two ovals, one squiggle");
        let cards = Deck::D81.parse_all("0000 0000 0100").unwrap();
        assert_eq!(split_text(words::spoken("en"), Deck::D81, &cards, 1), "colour: two red, one green");
        let cards = Deck::D81.parse_all("1000 1000 0000").unwrap();
        assert_eq!(split_text(words::spoken("en"), Deck::D81, &cards, 0), "number: two twos, one one");
    }
}
