//! Exact counts of the rulebook (5.1 to 5.4), its worked examples (5.9), and naive twins.

use super::*;
use crate::race::Finding;
use game::chance::SplitMix;
use proptest::prelude::*;

const SUPER: Sought = Sought { pattern: Pattern::Super, ..Sought::SET };
const ULTRA: Sought = Sought { pattern: Pattern::Ultra1, ..Sought::SET };
const ULTRA9: Sought = Sought { pattern: Pattern::Ultra2, ..Sought::SET };
const DOUBLE: Sought = Sought { multiplicity: Multiplicity::Double, ..Sought::SET };
const EIGHT: Sought =
    Sought { multiplicity: Multiplicity::Eight, grouping: Grouping::Declared, ..Sought::SET };

fn whole(deck: Deck) -> Open {
    let rules = Rules { deck, ..Rules::default() };
    Open::layout(rules.cards().map(|card| (0, card)))
}

fn table(text: &str) -> Open {
    let zones = text.split('|').enumerate();
    Open::layout(zones.flat_map(|(zone, cards)| {
        Deck::D81.parse_all(cards).unwrap().into_iter().map(move |card| (zone as u8, card))
    }))
}

fn finding(sought: Sought, open: &Open, claim: &str) -> String {
    match sought.judge(open, &Claim::parse(sought.deck, claim).unwrap()) {
        Ok(judged) => format!("{:?}", judged.finding),
        Err(refusal) => format!("refused: {}", refusal.spoken().text),
    }
}

#[test]
fn counts_of_whole_decks() {
    assert_eq!(Sought::SET.count(&whole(Deck::D81)), 1080);
    assert_eq!(Sought::SET.count(&whole(Deck::D27)), 117);
    assert_eq!(Sought::SET.count(&whole(Deck::D243)), 9801);
    assert_eq!(SUPER.count(&whole(Deck::D81)), 63_180);
    let through = whole(Deck::D81);
    let mut by_features = [0; 5];
    let mut through_first = 0;
    for claim in Sought::SET.list(&through, usize::MAX) {
        let &[a, b, c] = claim.cards() else { panic!("a Set has three cards") };
        through_first += usize::from(a == Point(0));
        assert!(is_set(a, b, c) && split_features(4, [a, b, c]) == 0);
        let differing = Deck::D81.code(a).iter().zip(Deck::D81.code(b)).filter(|(x, y)| **x != *y).count();
        by_features[differing] += 1;
    }
    assert_eq!(through_first, 40);
    assert_eq!(by_features, [0, 108, 324, 432, 216]);
}

#[test]
fn a_double_of_the_whole_small_deck_is_any_two_sets_that_do_not_meet() {
    // 117 Sets; each meets 3 x 12 others.
    assert_eq!(DOUBLE.count(&whole(Deck::D27)), 117 * (117 - 1 - 36) / 2);
}

#[test]
fn planes_hold_twelve_sets_and_fifty_four_super_sets() {
    let mut planes = std::collections::HashSet::new();
    for a in 0..81 {
        for b in a + 1..81 {
            for c in b + 1..81 {
                let [a, b, c] = [a, b, c].map(Point);
                if let Some(found) = completers([a, b, c]) {
                    // X, Y, Z: three cards, what completes their pairs, and what completes the three.
                    let nine = [a, b, c, third(a, b), third(a, c), third(b, c), found[0], found[1], found[2]];
                    let plane = PointSet::of(&nine);
                    assert_eq!(plane.len(), 9);
                    planes.insert(plane);
                } else {
                    assert!(is_set(a, b, c));
                }
            }
        }
    }
    assert_eq!(planes.len(), 1170);
    for plane in planes {
        let open = Open::layout(plane.iter().map(|card| (0, card)));
        assert_eq!((Sought::SET.count(&open), SUPER.count(&open)), (12, 54));
    }
}

#[test]
fn vectors_find_what_the_portable_twin_finds() {
    let check = |cards: &[Point]| {
        let (mut fast, mut slow) = (Vec::new(), Vec::new());
        sets(cards, |set| fast.push(set));
        sets_portable(cards, |set| slow.push(set));
        fast.sort_unstable();
        slow.sort_unstable();
        assert_eq!(fast, slow, "{cards:?}");
        if let Some(sets) = simd::listed(cards) {
            // On a processor that has both ways: the other one.
            let mut narrow = Vec::new();
            let _ = sets.each(|set| {
                narrow.push(set);
                Continue::<(), ()>(())
            });
            narrow.sort_unstable();
            assert_eq!(narrow, slow, "{cards:?}");
        }
        // The same of the cards as a set, in canonical order.
        let lying = PointSet::of(cards);
        assert_eq!(some_set(&lying), some_set_portable(&lying), "{cards:?}");
        assert!(simd::any(&lying).is_none_or(|some| some != slow.is_empty()), "{cards:?}");
        let open = Open::layout(cards.iter().map(|&card| (0, card)));
        let mut ordered = Vec::new();
        let _ = Sought::SET.each_pattern_portable(&open, |found| {
            ordered.push(<[Point; 3]>::try_from(found.cards()).unwrap());
            Continue::<(), ()>(())
        });
        assert_eq!(ordered, slow, "{cards:?}");
        if let Some(sets) = simd::all(&lying) {
            let mut listed = Vec::new();
            let _ = sets.each(|set| {
                listed.push(set);
                Continue::<(), ()>(())
            });
            assert_eq!(listed, slow, "{cards:?}");
            assert_eq!(sets.count() as usize, slow.len());
            for (n, set) in (0..).zip(&slow) {
                assert_eq!(sets.nth(n), Some(*set));
            }
            assert_eq!(sets.nth(sets.count()), None);
        }
        #[cfg(target_arch = "x86_64")]
        for n in 0..=slow.len() {
            let chosen = wide::one(&lying, |count| {
                assert_eq!(count as usize, slow.len());
                n as u32
            });
            assert!(chosen.is_none_or(|set| set == slow.get(n).copied()), "{cards:?}");
        }
        let general = Sought::SET.random(&open, &mut SplitMix(5));
        assert_eq!(random_set(&lying, &mut SplitMix(5)).map(|set| Claim::one(&set)), general);
    };
    // Every three cards, wherever the three stand.
    for a in 0..81 {
        for b in 0..81 {
            for c in 0..81 {
                if a != b && b != c && a != c {
                    check(&[a, b, c].map(Point));
                }
            }
        }
    }
    let mut chance = SplitMix(81);
    for _ in 0..20_000 {
        // And a few more than are looked at together.
        let count = chance.below(20) as usize;
        let cards: Vec<Point> = chance.order(81)[..count].iter().map(|&card| Point(card as u8)).collect();
        check(&cards);
    }
    // A plane and more: the most Sets there can be.
    let plane: Vec<Point> = (0..16).map(Point).collect();
    check(&plane);
    // Cards of the large deck.
    check(&[Point(0), Point(81), Point(162)]);
    check(&[Point(0), Point(80), Point(127), Point(128), Point(242)]);
}

#[test]
fn every_pair_has_one_third_card() {
    for a in 0..=242 {
        for b in 0..=242 {
            let c = third(Point(a), Point(b));
            let sums = |x: u8| (0..5).map(move |k| x / 3u8.pow(k) % 3);
            assert!(sums(a).zip(sums(b)).zip(sums(c.0)).all(|((x, y), z)| (x + y + z) % 3 == 0));
            assert_eq!(a == b, c == Point(a));
        }
    }
}

#[test]
fn worked_examples() {
    let cards = |text: &str| Deck::D81.parse_all(text).unwrap();
    let four = |text: &str| <[Point; 4]>::try_from(cards(text)).unwrap();
    let joint = |text: &str| super_set(four(text)).map(|(_, _, joint)| Deck::D81.text(joint));
    assert_eq!(joint("0111 0002 2212 2021").as_deref(), Some("1010"));
    assert_eq!(joint("0111 0002 2212 1201").as_deref(), Some("0220"));
    assert_eq!(joint("0111 0002 2212 2100").as_deref(), Some("1122"));
    let three = <[Point; 3]>::try_from(cards("0111 0002 2212")).unwrap();
    assert_eq!(completers(three).map(|c| Deck::D81.text_all(&c)).as_deref(), Some("1201 2021 2100"));
    for (text, sets) in [
        (
            "0000 0001 0010 0100 0120 0121 0201 0221 0222 1000 1002 1020 1102 1111 1112 1200 1210 1212 2011 2022",
            0,
        ),
        ("0001 0011 0022 0102 0112 0201 1020 1110 1111 1220 2100 2220", 0),
        ("0012 0100 0101 0112 0120 0212 1100 1112 1122 1220 2012 2101", 6),
        ("0000 0001 0002 0010 0011 0012 0020 0021 0022 0100 0101 0200", 14),
        ("0012 1002 2022", 1),
        ("1000 1010 1020", 1),
        ("0000 1101 2202", 1),
    ] {
        assert_eq!(Sought::SET.count(&table(text)), sets, "{text}");
        assert_eq!(Sought::SET.exists(&table(text)), sets > 0);
        assert_eq!(is_cap(&cards(text)), sets == 0);
    }
    let nine = "0000 0001 0010 0100 1000 1111 1212 1220 2012";
    assert!(!SUPER.exists(&table(nine)));
    for card in 0..81 {
        let mut ten = table(nine);
        ten.lay(Point(card), 0);
        assert_eq!(SUPER.exists(&ten), ten.all().len() == 10);
    }
    assert!(!EIGHT.exists(&table("0000 0001 0002 0010 0020 0100 0200")));
    assert!(EIGHT.exists(&table("0000 0001 0002 0010 0020 1100 1101 1102")));
}

#[test]
fn claims_are_judged() {
    let open = table("0000 0001 0010 0111 0222 0002 2022");
    assert_eq!(finding(Sought::SET, &open, "0222 0000 0111"), "Right { joint: None }");
    // Shading and symbol, which are features 2 and 3.
    assert_eq!(finding(Sought::SET, &open, "0000 0001 0010"), "Split { group: 0, features: 12 }");
    assert_eq!(finding(Sought::SET, &open, "0000 0001 1000"), "refused: 1000 is not open to you");
    assert_eq!(finding(Sought::SET, &open, "0000 0001 0001"), "refused: 0001 is named twice");
    assert_eq!(finding(Sought::SET, &open, "0000 0001"), "refused: a claim here is one Set of three cards");
    let zones = table("0000 | 0111 | 0222");
    assert_eq!(finding(ULTRA, &zones, "0000 0111 0222"), "Right { joint: None }");
    assert_eq!(finding(ULTRA, &table("0000 0111 | | 0222"), "0000 0111 0222"), "Places { group: 0 }");
    let wrapped = table("0000 | | | | | 0111 | | 0222 |");
    assert_eq!(finding(ULTRA9, &wrapped, "0000 0111 0222"), "Right { joint: None }");
    assert_eq!(
        finding(ULTRA9, &table("0000 | | | | | | 0111 | 0222 |"), "0000 0111 0222"),
        "Places { group: 0 }"
    );
    let pairs = table("0111 0002 2212 2021");
    let right = format!("{:?}", Finding::Right { joint: Some(Deck::D81.parse("1010").unwrap()) });
    assert_eq!(finding(SUPER, &pairs, "0111 0002 2212 2021"), right);
    let declared = Sought { pairing: Grouping::Declared, ..SUPER };
    assert_eq!(finding(declared, &pairs, "0111 2212 + 2021 0002"), right);
    assert_eq!(finding(declared, &pairs, "0111 0002 + 2212 2021"), "NoSuper { group: 0 }");
    assert!(finding(declared, &pairs, "0111 0002 2212 2021").starts_with("refused: name the two pairs"));
    let two = table("0000 0001 0002 1000 1001 1002 0010 0020");
    assert_eq!(finding(DOUBLE, &two, "0000 1001 0002 1000 0001 1002"), "Right { joint: None }");
    assert_eq!(finding(DOUBLE, &two, "0000 0001 0002 / 0000 0010 0020"), "Overlap");
    assert_eq!(finding(DOUBLE, &two, "0000 0001 0002 1000 1001 0010"), "NoSplit");
    assert!(finding(DOUBLE, &two, "0000 0001 0002 / 0002 0001 0000").starts_with("refused: the same"));
    let eight = table("0000 0001 0002 0010 0020 1100 1101 1102 0100 0200");
    assert_eq!(
        finding(EIGHT, &eight, "0000 0001 0002 / 0000 0010 0020 / 1100 1101 1102"),
        "Right { joint: None }"
    );
    assert_eq!(finding(EIGHT, &eight, "0000 0001 0002 / 0000 0010 0020 / 0000 0100 0200"), "TooFew");
    assert!(finding(EIGHT, &eight, "0000 0001 0002 0010 0020 1100 1101 1102").starts_with("refused"));
    let auto = Sought { grouping: Grouping::Auto, ..EIGHT };
    assert_eq!(finding(auto, &eight, "0000 0001 0002 0010 0020 1100 1101 1102"), "Right { joint: None }");
}

#[test]
fn a_chain_needs_one_link_in_each_set() {
    let mut open = table("0212 2100 0111 2200 0001 0000 0022 0220 2211 1110 2011 1112");
    assert_eq!(finding(Sought::SET, &open, "0212 1110 2011"), "Right { joint: None }");
    for card in Deck::D81.parse_all("0102 1011 2220").unwrap() {
        open.link(card);
    }
    assert_eq!(finding(Sought::SET, &open, "0212 1110 2011"), "Link");
    assert_eq!(finding(Sought::SET, &open, "0102 1011 2220"), "Link");
    for claim in Sought::SET.list(&open, 100) {
        assert_eq!(claim.cards().iter().filter(|&&c| !open.lies(c)).count(), 1);
    }
}

#[test]
fn padding_may_be_forbidden() {
    let open = table("0000 0001 0002 0010 0011 0012 0020 0021 0022");
    let needed = Sought { eight_padding: EightPadding::NewCardNeeded, ..EIGHT };
    let rows_and_column = "0000 0001 0002 / 0010 0011 0012 / 0020 0021 0022 / 0000 0010 0020";
    assert_eq!(finding(EIGHT, &open, rows_and_column), "Right { joint: None }");
    assert_eq!(finding(needed, &open, rows_and_column), "TooFew");
    assert!(needed.count(&open) < EIGHT.count(&open));
}

/// All subsets of `k` of the cards.
fn choose(cards: &[Point], k: usize) -> Vec<Vec<Point>> {
    match (cards, k) {
        (_, 0) => vec![vec![]],
        ([], _) => vec![],
        ([first, rest @ ..], _) => {
            let mut with: Vec<Vec<Point>> = choose(rest, k - 1);
            with.iter_mut().for_each(|c| c.insert(0, *first));
            with.extend(choose(rest, k));
            with
        }
    }
}

/// PAT-SET and PAT-ULTRA digit by digit, as the rulebook puts it.
fn naive_set(cards: &[Point], zones: &[u8], zone_digits: u32) -> bool {
    let digits = |f: &dyn Fn(usize) -> u32, n: u32| {
        (0..n).all(|k| (0..3).map(|i| f(i) / 3u32.pow(k) % 3).sum::<u32>() % 3 == 0)
    };
    cards.len() == 3
        && digits(&|i| u32::from(cards[i].0), 5)
        && digits(&|i| u32::from(zones[usize::from(cards[i].0)]), zone_digits)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn sets_agree_with_the_naive_twin(seed: u64, count in 3usize..22, big: bool, zone_digits in 0u32..3) {
        let mut chance = SplitMix(seed);
        let deck = if big { Deck::D243 } else { Deck::D81 };
        let order = chance.order(deck.size() as u16);
        let mut cards: Vec<Point> = order[..count].iter().map(|&i| Point(i as u8)).collect();
        let mut unsorted = Vec::new();
        sets(&cards, |set| unsorted.push(set.to_vec()));
        cards.sort_unstable();
        let mut zones = [0u8; 243];
        for card in &cards {
            zones[usize::from(card.0)] = chance.below(3u32.pow(zone_digits)) as u8;
        }
        let open = Open::layout(cards.iter().map(|&c| (zones[usize::from(c.0)], c)));
        let pattern = [Pattern::Set, Pattern::Ultra1, Pattern::Ultra2][zone_digits as usize];
        let sought = Sought { deck, pattern, ..Sought::SET };
        let naive: Vec<Vec<Point>> =
            choose(&cards, 3).into_iter().filter(|c| naive_set(c, &zones, zone_digits)).collect();
        let listed: Vec<Vec<Point>> = sought.list(&open, usize::MAX).iter().map(|c| c.cards().to_vec()).collect();
        prop_assert_eq!(&listed, &naive);
        prop_assert_eq!(sought.exists(&open), !naive.is_empty());
        prop_assert_eq!(sought.count(&open), naive.len() as u64);
        prop_assert_eq!(sought.random(&open, &mut chance).is_some(), !naive.is_empty());
        if zone_digits == 0 {
            unsorted.sort();
            prop_assert_eq!(&unsorted, &naive);
        }
        // Doubles and eights of the same.
        let double = Sought { multiplicity: Multiplicity::Double, ..sought };
        let mut pairs = Vec::new();
        let (mut eights, mut tight) = (0, 0);
        for (i, a) in naive.iter().enumerate() {
            for (j, b) in naive.iter().enumerate().skip(i + 1) {
                if a.iter().all(|card| !b.contains(card)) {
                    pairs.push([a.clone(), b.clone()].concat());
                }
                for (k, c) in naive.iter().enumerate().skip(j + 1) {
                    let mut covered = [a.clone(), b.clone(), c.clone()].concat();
                    covered.sort_unstable();
                    covered.dedup();
                    eights += u64::from(covered.len() >= 8);
                    tight += u64::from(covered.len() >= 8);
                    for d in &naive[k + 1..] {
                        let mut all = [covered.clone(), d.clone()].concat();
                        all.sort_unstable();
                        all.dedup();
                        eights += u64::from(all.len() >= 8);
                        let sets = [a, b, c, d];
                        let adds = |s: &Vec<Point>| s.iter().any(|card| sets.iter().all(|t| *t == s || !t.contains(card)));
                        tight += u64::from(all.len() >= 8 && sets.iter().all(|s| adds(s)));
                    }
                }
            }
        }
        let listed: Vec<Vec<Point>> = double.list(&open, usize::MAX).iter().map(|c| c.cards().to_vec()).collect();
        prop_assert_eq!(double.exists(&open), !pairs.is_empty());
        prop_assert_eq!(listed, pairs);
        let eight = Sought { multiplicity: Multiplicity::Eight, ..sought };
        prop_assert_eq!(eight.count(&open), eights);
        prop_assert_eq!(eight.exists(&open), eights > 0);
        prop_assert_eq!(eight.list(&open, usize::MAX).len() as u64, eights);
        let needed = Sought { eight_padding: EightPadding::NewCardNeeded, ..eight };
        prop_assert_eq!(needed.count(&open), tight);
    }

    #[test]
    fn super_sets_agree_with_the_naive_twin(seed: u64, count in 4usize..14, big: bool) {
        let mut chance = SplitMix(seed);
        let deck = if big { Deck::D243 } else { Deck::D81 };
        let order = chance.order(deck.size() as u16);
        let mut cards: Vec<Point> = order[..count].iter().map(|&i| Point(i as u8)).collect();
        cards.sort_unstable();
        let open = Open::layout(cards.iter().map(|&c| (0, c)));
        let sought = Sought { deck, ..SUPER };
        let mut naive: Vec<Vec<Point>> = choose(&cards, 4)
            .into_iter()
            .filter_map(|c| {
                let works = |x: usize, y: usize, z: usize, w: usize| {
                    (third(c[x], c[y]) == third(c[z], c[w])).then(|| vec![c[x], c[y], c[z], c[w]])
                };
                let all: Vec<_> = [works(0, 1, 2, 3), works(0, 2, 1, 3), works(0, 3, 1, 2)].into_iter().flatten().collect();
                assert!(all.len() < 2, "at most one split works");
                all.into_iter().next()
            })
            .collect();
        naive.sort();
        let listed: Vec<Vec<Point>> = sought.list(&open, usize::MAX).iter().map(|c| c.cards().to_vec()).collect();
        prop_assert_eq!(sought.count(&open), naive.len() as u64);
        prop_assert_eq!(sought.exists(&open), !naive.is_empty());
        for claim in &listed {
            prop_assert!(sought.judge(&open, &Claim::one(claim)).unwrap().finding.right());
        }
        prop_assert_eq!(listed, naive);
        let double = Sought { multiplicity: Multiplicity::Double, ..sought };
        for claim in double.list(&open, 50) {
            prop_assert!(claim.paired() && claim.len() == 2);
            prop_assert!(double.judge(&open, &claim).unwrap().finding.right());
            prop_assert!(double.judge(&open, &Claim::one(claim.cards())).unwrap().finding.right());
        }
    }

    #[test]
    fn every_listed_claim_of_a_player_is_right_and_random_ones_mostly_wrong(seed: u64, personal in 0u8..2) {
        let mut chance = SplitMix(seed);
        let order: Vec<Point> = chance.order(81).into_iter().map(|i| Point(i as u8)).collect();
        let mut hand = Open::layout(order[..9].iter().map(|&c| (0, c)));
        order[9..15].iter().for_each(|&c| hand.hold(c));
        let sought = Sought { min_personal: personal, sources: Sources::Hand, ..Sought::SET };
        let mut right = 0;
        for three in choose(&order[..15], 3) {
            right += u64::from(sought.judge(&hand, &Claim::one(&three)).unwrap().finding.right());
        }
        prop_assert_eq!(sought.count(&hand), right);
        let mut chain = Open::layout(order[..12].iter().map(|&c| (0, c)));
        let sets = Sought::SET.list(&whole(Deck::D81), usize::MAX);
        let free = |claim: &Claim| claim.cards().iter().all(|&c| !chain.all().has(c));
        let two: Vec<Claim> = sets.into_iter().filter(free).take(2).collect();
        two.iter().flat_map(|c| c.cards().to_vec()).for_each(|c| chain.link(c));
        for claim in DOUBLE.list(&chain, usize::MAX) {
            prop_assert!(claim.groups().all(|g| g.iter().filter(|&&c| !chain.lies(c)).count() == 1));
            prop_assert!(DOUBLE.judge(&chain, &claim).unwrap().finding.right());
        }
    }
}
