//! What the chapters of a rule sheet show in cards: made from the rules, of cards that are played with, and right by these rules.

use crate::Rules;
use cards::{Deck, Face, Pack, Point};
use contract::meld::{DeclaredCard, DeclaredMeld, Kind, Law, Suits, Want};
use pattern::finder::third;
use serde::{Deserialize, Serialize};

/// Cards beside a line of a rule sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "RuleSheetPicture")]
pub struct Picture {
    /// What they are.
    pub shows: Shows,
    /// The cards.
    pub cards: Shown,
}

/// What a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "RuleSheetShows")]
#[serde(rename_all = "snake_case")]
pub enum Shows {
    /// The contract of a round.
    Contract(u16),
    /// Cards of one rank.
    Group,
    /// Consecutive cards of a suit.
    Run,
    /// Two cards of a rank.
    Pair,
    /// A meld with a wild.
    Wild,
    /// A Set, all features of which differ.
    Different,
    /// A Set that is alike in so many features and differs in one.
    Alike(u8),
    /// Three cards that are none.
    NoSet,
    /// Two pairs that one card would complete, which lies apart, last.
    Super,
    /// Two Sets without a common card.
    Two,
    /// A Set, and one that takes a card of it.
    Chain,
}

/// The cards of a picture; what belongs together lies together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "RuleSheetCards")]
#[serde(untagged)]
pub enum Shown {
    /// Playing cards.
    Playing {
        /// Of this make-up.
        pack: Pack,
        /// Melds.
        melds: Vec<Vec<DeclaredCard>>,
    },
    /// Pattern cards.
    Pattern {
        /// Of this deck.
        deck: Deck,
        /// Sets, or pairs.
        groups: Vec<Vec<Point>>,
    },
}

/// The pictures for the chapters of these rules, each chapter by the last part of its key.
pub(crate) fn of(rules: &Rules) -> Vec<(&'static str, Vec<Picture>)> {
    match rules {
        Rules::Contract(rules) => of_contract(rules),
        Rules::Pattern(rules) => vec![("claims", of_pattern(rules))],
    }
}

fn of_contract(rules: &contract::Rules) -> Vec<(&'static str, Vec<Picture>)> {
    let (pack, played, cards) = (rules.pack(), rules.played(), rules.cards());
    let Some(&first) = played.first() else { return Vec::new() };
    let picture = |shows, melds: Vec<DeclaredMeld>| Picture {
        shows,
        cards: Shown::Playing {
            pack: pack.clone(),
            melds: melds.into_iter().map(|meld| meld.cards).collect(),
        },
    };
    let laws: Vec<(usize, Law)> = played.iter().map(|&round| (round, rules.law(round))).collect();
    let law = &laws[0].1;
    let wanted = |kind| {
        laws.iter().flat_map(|(_, law)| &law.contracts).flatten().flatten().any(|want| want.kind == kind)
    };
    let legal = |meld: &DeclaredMeld| law.place(meld, Suits::One).is_ok_and(|meld| law.judge(&meld).is_ok());
    let one = |kind, size| melds(law, &want(kind, size)).find(legal);
    let mut chapter = Vec::new();
    for (shows, kind, size) in
        [(Shows::Group, Kind::Group, 3), (Shows::Run, Kind::Run, 4), (Shows::Pair, Kind::Pair, 2)]
    {
        if kind != Kind::Pair || wanted(kind) {
            chapter.extend(one(kind, size).map(|meld| picture(shows, vec![meld])));
        }
    }
    let wild = cards.iter().copied().filter(|card| law.is_wild(*card)).min_by_key(|card| card.index());
    let with_wild = wild.and_then(|wild| {
        let stands = |mut meld: DeclaredMeld| {
            let place = meld.cards.len() - 2;
            let card = &mut meld.cards[place];
            *card = DeclaredCard { card: wild, stands: Some(card.card) };
            meld
        };
        let in_run = melds(law, &want(Kind::Run, 4)).map(stands).find(legal);
        in_run.or_else(|| melds(law, &want(Kind::Group, 3)).map(stands).find(legal))
    });
    // A round that asks for groups and runs shows both.
    let kinds = |law: &Law| {
        let mut kinds: Vec<Kind> =
            law.contracts.iter().take(1).flatten().filter_map(|slot| Some(slot.first()?.kind)).collect();
        kinds.dedup();
        kinds.len()
    };
    let richest = laws.iter().find(|(_, law)| kinds(law) > 1).map_or(first, |(round, _)| *round);
    let laid =
        laid(&rules.law(richest)).map(|melds| picture(Shows::Contract(rules.rounds[richest].number), melds));
    vec![
        ("contracts", laid.into_iter().collect()),
        ("melds", chapter),
        ("wilds", with_wild.map(|meld| picture(Shows::Wild, vec![meld])).into_iter().collect()),
    ]
}

fn want(kind: Kind, size: u8) -> Want {
    Want { kind, size, wilds: 0, distinct: false, suits: Suits::One, rank: 0 }
}

/// Melds of natural cards that might be what is wanted, from the middle of the pack on.
fn melds<'a>(law: &'a Law, want: &'a Want) -> impl Iterator<Item = DeclaredMeld> + 'a {
    let (ranks, suits) = (law.ranks, law.suits.max(1));
    let starts = (0..ranks).flat_map(move |n| (0..suits).map(move |suit| ((n + 6) % ranks + 1, suit)));
    starts.filter_map(move |(rank, first)| {
        let card = |n: u8| -> Option<Face> {
            let (suit, rank) = match (want.kind, want.suits) {
                (Kind::Group | Kind::Pair, _) => ((first + n) % suits, rank),
                (Kind::Run, Suits::One) => (first, rank + n),
                (Kind::Run, _) => ((first + n) % suits, rank + n),
                (Kind::Flush, _) => (first, (rank + 2 * n) % ranks + 1),
            };
            let face = (rank <= ranks).then(|| Face::new(suit, rank))?;
            (!law.is_wild(face) && !law.is_skip(face)).then_some(face)
        };
        let cards: Option<Vec<DeclaredCard>> =
            (0..want.size).map(|n| card(n).map(DeclaredCard::from)).collect();
        Some(DeclaredMeld { kind: want.kind, cards: cards? })
    })
}

/// A contract as it may be laid.
fn laid(law: &Law) -> Option<Vec<DeclaredMeld>> {
    let wanted: Vec<&Want> = law.contracts.first()?.iter().filter_map(|slot| slot.first()).collect();
    let mut said: Vec<DeclaredMeld> = Vec::new();
    for (n, want) in wanted.iter().enumerate() {
        // Not the same cards twice, and runs of different suits, as far as there are enough.
        let fresh = |meld: &DeclaredMeld| {
            let apart = |other: &DeclaredMeld| {
                let (ours, theirs) = (meld.cards[0].card, other.cards[0].card);
                if meld.kind == Kind::Run && other.kind == Kind::Run {
                    ours.suit() != theirs.suit()
                } else {
                    ours.rank() != theirs.rank()
                }
            };
            want.takes(meld.cards[0].card.rank()) && said.iter().all(apart)
        };
        let place = |meld: &DeclaredMeld| law.place(meld, want.suits).is_ok();
        let from = |meld: &DeclaredMeld| place(meld) && want.takes(meld.cards[0].card.rank());
        let meld =
            melds(law, want).filter(place).find(fresh).or_else(|| melds(law, want).filter(from).nth(n))?;
        said.push(meld);
    }
    let cards: usize = said.iter().map(|meld| meld.cards.len()).sum();
    [cards + 1, cards].iter().any(|&hand| law.judge_contract(&said, hand).is_ok()).then_some(said)
}

fn of_pattern(rules: &pattern::Rules) -> Vec<Picture> {
    use pattern::options::{Multiplicity, Pattern, Sources};
    let (deck, cards): (Deck, Vec<Point>) = (rules.deck, rules.cards().collect());
    let picture = |shows, groups| Picture { shows, cards: Shown::Pattern { deck, groups } };
    let features = deck.digits() - usize::from(deck == Deck::D27);
    let values = |feature: usize, cards: &[Point]| {
        let mut values: Vec<u8> = cards.iter().map(|card| deck.code(*card)[feature]).collect();
        values.sort_unstable();
        values.dedup();
        values.len()
    };
    let differs = |cards: &[Point]| (0..deck.digits()).filter(|&feature| values(feature, cards) == 3).count();
    let sets = || {
        let pairs = cards.iter().enumerate().flat_map(|(n, a)| cards[n + 1..].iter().map(move |b| [*a, *b]));
        pairs.map(|[a, b]| vec![a, b, third(a, b)]).filter(|set| set[1] < set[2])
    };
    let different = sets().find(|set| differs(set) == features);
    let alike = sets().find(|set| differs(set) == 1);
    // Two of a symbol, and else a Set that is no dull one.
    const SYMBOL: usize = 3;
    let none = cards.iter().flat_map(|a| cards.iter().map(move |b| [*a, *b])).find_map(|[a, b]| {
        cards.iter().map(|c| vec![a, b, *c]).find(|three| {
            (0..deck.digits()).all(|feature| (values(feature, three) == 2) == (feature == SYMBOL))
                && differs(three) == 1
                && values(SYMBOL, &three[..2]) == 1
        })
    });
    let mut shown: Vec<Picture> =
        different.clone().map(|set| picture(Shows::Different, vec![set])).into_iter().collect();
    shown.extend(alike.map(|set| picture(Shows::Alike(features as u8 - 1), vec![set])));
    shown.extend(none.map(|three| picture(Shows::NoSet, vec![three])));
    let Some(first) = different else { return shown };
    if rules.pattern == Pattern::Super {
        let [a, b] = [first[0], first[1]];
        let middle = third(a, b);
        let other =
            |c: &&Point| ![a, b, middle].contains(*c) && differs(&[**c, third(**c, middle), middle]) > 1;
        shown.extend(
            cards
                .iter()
                .find(other)
                .map(|c| picture(Shows::Super, vec![vec![a, b], vec![*c, third(*c, middle)], vec![middle]])),
        );
    } else if rules.multiplicity == Multiplicity::Double {
        let apart = |set: &Vec<Point>| differs(set) > 1 && set.iter().all(|card| !first.contains(card));
        shown.extend(sets().find(apart).map(|set| picture(Shows::Two, vec![first.clone(), set])));
    }
    if rules.sources == Sources::Previous {
        let shares = |set: &Vec<Point>| {
            differs(set) > 1 && set.iter().filter(|card| first.contains(card)).count() == 1
        };
        shown.extend(sets().find(shares).map(|set| picture(Shows::Chain, vec![first.clone(), set])));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Loaded, preset, presets};
    use pattern::finder::is_set;

    fn shown(game: &Loaded) -> Vec<Picture> {
        let sheet = game.sheet_to_say(None).unwrap();
        sheet.lines.into_iter().flat_map(|line| line.shows).collect()
    }

    #[test]
    fn every_sheet_shows_what_its_game_is_about() {
        for id in presets() {
            let game = preset(id).unwrap();
            let shows: Vec<Shows> = shown(&game).iter().map(|picture| picture.shows).collect();
            let rules = game.rules(4.clamp(game.info.players_min, game.info.players_max)).unwrap();
            match &*rules {
                Rules::Contract(rules) => {
                    assert!(matches!(shows[0], Shows::Contract(_)), "{id}: {shows:?}");
                    for shown in [Shows::Group, Shows::Run] {
                        assert!(shows.contains(&shown), "{id}: {shows:?}");
                    }
                    let law = rules.law(0);
                    let wilds = rules.cards().iter().any(|card| law.is_wild(*card));
                    assert_eq!(shows.contains(&Shows::Wild), wilds, "{id}: {shows:?}");
                }
                Rules::Pattern(rules) => {
                    let features = rules.deck.digits() as u8 - u8::from(rules.deck == Deck::D27);
                    assert_eq!(
                        shows[..3],
                        [Shows::Different, Shows::Alike(features - 1), Shows::NoSet],
                        "{id}"
                    );
                }
            }
        }
    }

    #[test]
    fn what_a_sheet_shows_is_right_by_its_rules() {
        for id in presets() {
            let game = preset(id).unwrap();
            let rules = game.rules(4.clamp(game.info.players_min, game.info.players_max)).unwrap();
            for Picture { shows, cards } in shown(&game) {
                match (&*rules, cards) {
                    (Rules::Pattern(rules), Shown::Pattern { deck, groups }) => {
                        assert_eq!(deck, rules.deck, "{id}");
                        assert!(groups.iter().flatten().all(|card| rules.holds(*card)), "{id}: {groups:?}");
                        let set = |cards: &[Point]| matches!(*cards, [a, b, c] if is_set(a, b, c));
                        let right = match shows {
                            Shows::NoSet => !set(&groups[0]),
                            Shows::Super => {
                                groups[..2].iter().all(|pair| set(&[pair[0], pair[1], groups[2][0]]))
                            }
                            _ => groups.iter().all(|cards| set(cards)),
                        };
                        let common = groups.first().map_or(0, |first| {
                            groups[1..].iter().flatten().filter(|card| first.contains(card)).count()
                        });
                        assert!(
                            right && common == usize::from(shows == Shows::Chain),
                            "{id}, {shows:?}: {groups:?}"
                        );
                    }
                    (Rules::Contract(rules), Shown::Playing { melds, .. }) => {
                        let in_play = rules.cards();
                        assert!(
                            melds.iter().flatten().all(|card| in_play.contains(&card.card)),
                            "{id}: {melds:?}"
                        );
                    }
                    (_, other) => panic!("{id}: {other:?}"),
                }
            }
        }
    }
}
