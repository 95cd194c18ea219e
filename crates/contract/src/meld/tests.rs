//! Section 5.1 and 5.2 of the rulebook, and what else decides whether a meld is legal: text in, text out.

use super::*;
use crate::options::{Reclaim, RunAce, WildBalance, WildPlace};
use cards::Pack;

fn pack() -> Pack {
    Pack::standard()
}

fn want(text: &str) -> Want {
    let kind = Kind::from_letter(text.chars().next().unwrap()).unwrap();
    Want { kind, size: text[1..].parse().unwrap(), wilds: 255, distinct: false, suits: Suits::One, rank: 0 }
}

fn contract(text: &str) -> Vec<Wanted> {
    vec![text.split_whitespace().map(|slot| std::iter::once(want(slot)).collect()).collect()]
}

/// The meld rules of a game, by the letters of section 5.1.
fn law(game: &str) -> Law {
    let base = Law::default();
    let shanghai = Law {
        ace: RunAce::High,
        run_max: 13,
        wild_cap: 1,
        distinct_ranks: true,
        same_turn: true,
        lineage: Lineage::of(["shanghai", "contract"]),
        ..base.clone()
    };
    match game {
        "CR" => base,
        "MI" => Law {
            gap: 0,
            exact: false,
            reclaim: Reclaim::None,
            lineage: Lineage::of(["may-i", "contract"]),
            ..base
        },
        "SH" => shanghai,
        "PW" => {
            Law { per_suit: 1, lineage: Lineage::of(["shanghai-powe", "shanghai", "contract"]), ..shanghai }
        }
        "PR" => Law {
            wild: 1 | 4 | 4 << 16 | 4 << 32 | 4 << 48,
            min_naturals: 0,
            gap: 0,
            reclaim: Reclaim::None,
            same_turn: true,
            lineage: Lineage::of(["progressive", "contract"]),
            ..base
        },
        "CR7" => Law { exact: false, all: true, keep_one: false, ..base },
        "MI7" => Law { contracts: contract("R4 R4 R4"), ..law("MI") },
        "SH7" => Law { exact: false, all: true, keep_one: false, ..shanghai },
        _ => panic!("no such game: {game}"),
    }
}

/// The contract that these melds have the shape of, at the least sizes there are.
fn shape(melds: &[DeclaredMeld]) -> String {
    melds
        .iter()
        .map(|m| match m.kind {
            Kind::Group => "G3 ",
            Kind::Run => "R4 ",
            Kind::Pair => "P2 ",
            Kind::Flush => "F4 ",
        })
        .collect()
}

/// Judges the melds as a contract of their own shape: `ok`, or the rules broken.
fn judge(game: &str, melds: &str) -> String {
    let said = DeclaredMeld::parse_all(melds, &pack()).unwrap();
    let law = Law { contracts: contract(&shape(&said)), ..law(game) };
    judge_as(&law, melds)
}

fn judge_as(law: &Law, melds: &str) -> String {
    let said = DeclaredMeld::parse_all(melds, &pack()).unwrap();
    let cards = said.iter().map(|s| s.cards.len()).sum::<usize>();
    let hand = if law.all { 13 } else { cards + 2 };
    match law.judge_contract(&said, hand) {
        Ok(_) => "ok".into(),
        Err(refusal) => {
            assert!(!refusal.rules.is_empty(), "{melds}: no rule is cited: {refusal}");
            refusal.rules.join(" ")
        }
    }
}

#[test]
fn contract_melds_of_section_5_1() {
    let table = "
        X-1  | R[AD 2D 3D 4D]                        | ok ok no no ok
        X-2  | R[JC QC KC AC]                        | ok ok ok ok ok
        X-3  | R[QS KS AS 2S]                        | no no no no no
        X-4  | R[3H 4H 5H 6H] R[7H 8H 9H TH]         | no ok no no ok
        X-5  | R[3H 4H 5H 6H] R[5H 6H 7H 8H]         | ok ok ok no ok
        X-6  | R[3H 4H 5H 6H] R[8H 9H TH JH]         | ok ok ok no ok
        X-7  | R[3H 4H 5H 6H] R[3H 4H 5H 6H]         | ok ok ok no ok
        X-8  | R[3H 4H 5H 6H] R[7D 8D 9D TD]         | ok ok ok ok ok
        X-9  | R[3H 4H 5H JK=6H] R[7H 8H 9H TH]      | no ok no no ok
        X-10 | R[JK=2H 3H 4H 5H] R[7H 8H 9H TH]      | ok ok ok no ok
        X-11 | R[AH 2H 3H 4H] R[TH JH QH KH]         | ok ok no no ok
        X-12 | R[8S 9S TS JS] R[JS QS KS AS]         | ok ok ok no ok
        X-13 | R[3S 4S 5S 6S] R[5S 6S 7S 8S] R[9S TS JS QS] | no ok no no ok
        X-14 | R[2S=JS QS KS AS]                     | no no no no ok
        X-15 | G[5D 5D 5S]                           | ok ok ok ok ok
        X-16 | G[8C 8D 8H] G[8S 8C 8D]               | ok ok no no ok
        X-17 | G[9C JK JK]                           | ok ok no no ok
        X-18 | G[JK=9C JK=9C JK=9C]                  | no no no no ok
        X-19 | R[4C JK=5C JK=6C 7C]                  | ok ok no no ok
        X-20 | R[6D 7D 8D JK=9D] R[JK=TD JD QD KD]   | no ok no no ok
        X-21 | R[2H 3H 4H 5H]                        | ok ok ok ok ok
        X-22 | R[3S JK=4S 2H=5S 6S]                  | no no no no ok
        X-23 | G[5C 5D 5H 5S]                        | no ok ok ok ok";
    let mut rows = 0;
    for row in table.lines().filter(|r| !r.trim().is_empty()) {
        let mut parts = row.split('|').map(str::trim);
        let (id, melds, results) = (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap());
        for (game, expected) in ["CR", "MI", "SH", "PW", "PR"].iter().zip(results.split_whitespace()) {
            let found = judge(game, melds);
            assert_eq!(found == "ok", expected == "ok", "{id} {game}: {melds}: {found}");
        }
        rows += 1;
    }
    assert_eq!(rows, 23);
}

#[test]
fn whole_hands_of_section_5_1() {
    let x24 = "R[AC 2C 3C 4C 5C] R[5C 6C 7C 8C] R[TD JD QD KD]";
    let x25 = "R[3C 4C 5C 6C 7C] R[8C 9C TC JC] R[TD JD QD KD]";
    let x26 = "R[3C 4C 5C 6C] R[8C 9C TC JC] R[TD JD QD KD]";
    let with = |game: &str| Law { contracts: contract("R4 R4 R4"), ..law(game) };
    for (id, melds, results) in [
        ("X-24", x24, [("CR7", "ok"), ("MI7", "ok")].as_slice()),
        ("X-25", x25, &[("CR7", "CR-GAP-1"), ("MI7", "ok"), ("SH7", "SH-MELD-2")]),
        ("X-26", x26, &[("CR7", "CR-R7-1"), ("MI7", "ok"), ("SH7", "SH-CON-2")]),
    ] {
        for (game, expected) in results {
            let found = judge_as(&with(game), melds);
            assert!(found.split(' ').any(|rule| rule == *expected), "{id} {game}: {found}");
        }
    }
    for game in ["CR", "MI", "SH", "PW", "PR"] {
        let law = Law { contracts: contract("G3 G3"), ..law(game) };
        let found = judge_as(&law, "G[5C 5D 5S] G[6C 6D 6S] G[7C 7D 7S]");
        assert!(found.contains("CR-MELD-5"), "X-27 {game}: {found}");
    }
}

#[test]
fn refusals_cite_every_rule() {
    let check = |game: &str, melds: &str, rules: &str| {
        let found = judge(game, melds);
        for rule in rules.split_whitespace() {
            assert!(found.split(' ').any(|r| r == rule), "{game} {melds}: {rule} is not in {found}");
        }
    };
    check("SH", "R[AD 2D 3D 4D]", "SH-MELD-1");
    check("PW", "R[AD 2D 3D 4D]", "SH-MELD-1");
    check("CR", "R[QS KS AS 2S]", "CR-MELD-1");
    check("PR", "R[QS KS AS 3S]", "PR-MELD-1");
    check("SH", "R[3H 4H 5H 6H] R[7H 8H 9H TH]", "SH-MELD-2 CR-GAP-1");
    check("PW", "R[3H 4H 5H 6H] R[8H 9H TH JH]", "PW-4");
    check("CR", "R[3H 4H 5H JK=6H] R[7H 8H 9H TH]", "CR-GAP-1 CR-GAP-2");
    check("SH", "G[8C 8D 8H] G[8S 8C 8D]", "SH-MELD-3");
    check("SH", "G[9C JK JK]", "SH-MELD-4");
    check("CR", "G[JK=9C JK=9C JK=9C]", "CR-JOK-6");
    check("SH", "G[JK=9C JK=9C JK=9C]", "CR-JOK-6 SH-MELD-4");
    check("CR", "R[2S=JS QS KS AS]", "CR-JOK-1");
    check("CR", "R[JK=8H 9H TH]", "CR-MELD-1 CR-MELD-5");
    check("CR", "G[5C 5D 5H 5S]", "CR-MELD-5 A-12");
    check("CR", "G[5C 5D 6H]", "CR-MELD-2");
    check("PR", "R[JK JK JK JK]", "PR-MELD-4");
    check("CR", "G[5C 5D 6H] G[9C JK=8C 9D]", "CR-MELD-2");
    assert!(!judge("MI", "R[QS KS AS 2S]").contains("SH-"), "a rule of another game is cited");
    let near = judge("PW", "R[3H 4H 5H 6H] R[7H 8H 9H TH]");
    assert!(near.contains("PW-4") && !near.contains("CR-GAP"), "more of a gap would not help: {near}");
    // A game based on none of ours has no ids of its own: those of the base game are cited.
    let alone = Law { lineage: Lineage::default(), ..Law::default() };
    let meld = Meld {
        kind: Kind::Run,
        suits: Suits::One,
        low: 4,
        cards: (4..8)
            .map(|rank| Face::new(2, rank))
            .map(|face| Placed { card: face, stands: face })
            .collect(),
    };
    assert!(alone.reclaim(&meld, Face::new(2, 5)).is_err_and(|r| r.cites("CR-JOK-3")));
    // Two faults at once, both named.
    check("SH", "R[3H 4H 5H 6H] R[7H 8H JK=9H JK=TH]", "SH-MELD-4");
}

#[test]
fn oversize_contract_melds_stand_for_their_parts() {
    // 3-6 and 8-J, then the 7. The whole is recorded.
    let melds = "R[3H 4H 5H 6H 7H] R[8H 9H TH JH]";
    assert_eq!(judge("SH", melds), "ok");
    assert!(judge("CR", melds).contains("CR-MELD-5"));
    let said = DeclaredMeld::parse_all(melds, &pack()).unwrap();
    let laid = Law { contracts: contract("R4 R4"), ..law("SH") }.judge_contract(&said, 11).unwrap();
    assert_eq!((laid.laid_off, laid.melds[0].text(&pack())), (1, "R[3H 4H 5H 6H 7H]".into()));
    // One wild a meld holds for the whole of it.
    assert!(judge("SH", "G[9C 9D JK JK]").contains("SH-MELD-4"));
    // No part of six keeps the distance.
    assert!(judge("SH", "R[3H 4H 5H 6H] R[7H 8H 9H TH]").contains("SH-MELD-2"));
    // Slots in any order, of different sizes.
    let law = Law { contracts: contract("G4 R5"), ..law("PR") };
    assert_eq!(judge_as(&law, "R[3H 4H 5H 6H 7H] G[9C 9D 9H 9S]"), "ok");
    assert!(judge_as(&law, "R[3H 4H 5H 6H] G[9C 9D 9H 9S 9S]").contains("PR-CON-1"));
}

/// Where A-07 puts wilds that are not declared.
fn placed(game: &str, meld: &str) -> String {
    match law(game).place(&DeclaredMeld::parse(meld, &pack()).unwrap(), Suits::One) {
        Ok(meld) => meld.text(&pack()),
        Err(refusal) => format!("no: {}", refusal.rules.join(" ")),
    }
}

#[test]
fn undeclared_wilds_are_placed() {
    for (game, meld, expected) in [
        ("CR", "R[5H 6H 7H JK]", "R[5H 6H 7H JK=8H]"),
        ("CR", "R[JK JK 9S TS]", "R[9S TS JK=JS JK=QS]"),
        ("CR", "R[4H 5H JK 7H]", "R[4H 5H JK=6H 7H]"),
        ("CR", "R[4H JK 5H 7H]", "R[4H 5H JK=6H 7H]"),
        ("CR", "R[QC KC AC JK]", "R[JK=JC QC KC AC]"),
        ("CR", "R[KC AC JK JK]", "R[JK=JC JK=QC KC AC]"),
        ("CR", "R[JK QC KC JK]", "R[JK=JC QC KC JK=AC]"),
        ("CR", "R[AC JK JK 4C]", "R[AC JK=2C JK=3C 4C]"),
        ("CR", "R[JK JK KC AC]", "R[JK=JC JK=QC KC AC]"),
        ("SH", "R[JK 2C 3C 4C]", "R[2C 3C 4C JK=5C]"),
        ("CR", "R[6H 4H 5H 7H]", "R[4H 5H 6H 7H]"),
        ("CR", "R[QH KH AH JH]", "R[JH QH KH AH]"),
        ("CR", "R[JK=3H 4H 5H JK]", "R[JK=3H 4H 5H JK=6H]"),
        ("CR", "R[4H JK=5H JK 7H]", "R[4H JK=5H JK=6H 7H]"),
        ("CR", "R[4H 5H 9H JK]", "no: CR-MELD-1 A-09"),
        ("PR", "R[2H 3H 4H 5H]", "R[2H 3H 4H 5H]"),
        ("PR", "R[2H 2H 3H 4H]", "R[2H 3H 4H 2H=5H]"),
        ("PR", "R[2S QS KS AS]", "no: PR-MELD-1 CR-MELD-1 A-09"),
        ("PR", "R[2C QS KS AS]", "R[2C=JS QS KS AS]"),
        ("PR", "R[AH 2H 3H 4H]", "R[AH 2H 3H 4H]"),
        ("PR", "R[JK 2S 9H TH]", "R[9H TH JK=JH 2S=QH]"),
        ("PR", "R[5H 6H 7H 2C]", "R[5H 6H 7H 2C=8H]"),
        ("PR", "G[2C 2D JK]", "G[2C 2D JK]"),
        ("PR", "G[2C JK=7H 2D]", "G[JK=7C 2C=7C 2D=7C]"),
        ("PR", "G[2C 7D JK]", "G[7D JK 2C]"),
        ("CR", "G[JK 9S 9C]", "G[9C 9S JK]"),
        ("PR", "G[JK JK JK]", "no: PR-MELD-4 CR-JOK-6 A-07 A-08"),
    ] {
        assert_eq!(placed(game, meld), expected, "{game} {meld}");
    }
}

#[test]
fn a_placed_meld_reads_back() {
    for meld in ["R[4H 5H JK=6H 7H]", "G[5D 5H JK]", "R[JK=JC QC KC AC]", "P[9C 9D]", "G[JK=7C 2C=7C]"] {
        let meld = law("PR").place(&DeclaredMeld::parse(meld, &pack()).unwrap(), Suits::One).unwrap();
        assert_eq!(
            law("PR").place(&DeclaredMeld::parse(&meld.text(&pack()), &pack()).unwrap(), Suits::One).as_ref(),
            Ok(&meld)
        );
        assert_eq!(law("PR").place(&meld.said(), Suits::One), Ok(meld));
    }
}

/// Lays cards off: the meld they make, or the rules broken.
fn lay(law: &Law, meld: &str, cards: &str, end: Option<End>) -> String {
    let pack = pack();
    let meld = law.place(&DeclaredMeld::parse(meld, &pack).unwrap(), Suits::One).unwrap();
    let cards: Vec<DeclaredCard> =
        cards.split_whitespace().map(|c| DeclaredCard::parse(c, &pack).unwrap()).collect();
    let result = law.lay_off(&meld, &cards, end);
    if let [card] = cards.as_slice()
        && card.stands.is_none()
    {
        let fit = law.fit(&meld, card.card);
        let named = match end {
            None => fit.any(),
            Some(End::Low) => fit.low || fit.inside,
            Some(End::High) => fit.high || fit.inside,
        };
        assert_eq!(named, result.is_ok(), "fit and lay-off disagree on {} and {card:?}", meld.text(&pack));
    }
    match result {
        Ok(meld) => meld.text(&pack),
        Err(refusal) => format!("no: {}", refusal.rules.join(" ")),
    }
}

#[test]
fn lay_offs_of_section_5_2() {
    let check = |game: &str, meld: &str, cards: &str, expected: &str| {
        let found = lay(&law(game), meld, cards, None);
        if let Some(rules) = expected.strip_prefix("no: ") {
            assert!(found.starts_with("no: "), "{game}: {cards} on {meld}: {found}");
            for rule in rules.split(' ') {
                assert!(found.contains(rule), "{game}: {cards} on {meld}: {rule} is not in {found}");
            }
        } else {
            assert_eq!(found, expected, "{game}: {cards} on {meld}");
        }
    };
    //
    check("CR", "R[JC QC KC AC]", "2C", "no: CR-MELD-3 CR-MELD-1");
    check("CR", "R[JC QC KC AC]", "TC", "R[TC JC QC KC AC]");
    //
    let thirteen = "R[2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD]";
    let fourteen = "R[AD 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD]";
    check("CR", thirteen, "AD", fourteen);
    for card in ["AD", "2D", "KD", "JK"] {
        check("CR", fourteen, card, "no: CR-MELD-3");
    }
    check("SH", thirteen, "AD", "no: SH-MELD-1");
    //
    check("SH", "R[2D 3D 4D 5D]", "AD", "no: SH-MELD-1");
    // no sliding
    check("CR", "R[4H 5H JK=6H 7H]", "8H", "R[4H 5H JK=6H 7H 8H]");
    check("CR", "R[4H 5H JK=6H 7H]", "6H", "no: CR-JOK-2");
    check("CR", "R[5H 6H 7H JK=8H]", "4H", "R[4H 5H 6H 7H JK=8H]");
    check("CR", "R[5H 6H 7H JK=8H]", "8H", "no: CR-JOK-2 A-07");
    //
    check("CR", "G[9C 9D JK]", "9S", "G[9C 9D 9S JK]");
    check("CR", "G[9C 9D JK]", "8S", "no: CR-MELD-2");
    //
    check("SH", "R[4H 5H 6H 7H]", "JK=3H", "R[JK=3H 4H 5H 6H 7H]");
    check("SH", "G[QC QD JK]", "JK", "no: SH-MELD-4");
    //
    check("PR", "R[5C 2D=6C 7C 8C]", "6C", "no: PR-MELD-5");
    check("PR", "R[5C 2D=6C 7C 8C]", "2S=4C", "R[2S=4C 5C 2D=6C 7C 8C]");
    check("PR", "R[3C 4C 5C 6C]", "2C", "R[2C 3C 4C 5C 6C]");
    check("PR", "R[3C 4C 5C 6C]", "2C=7C", "R[3C 4C 5C 6C 2C=7C]");
    // Several at once, in any order, wilds bridging.
    check("CR", "R[4H 5H 6H 7H]", "9H 8H 3H", "R[3H 4H 5H 6H 7H 8H 9H]");
    check("CR", "R[4H 5H 6H 7H]", "JK 9H", "R[4H 5H 6H 7H JK=8H 9H]");
    check("CR", "R[4H 5H 6H 7H]", "JK 2H", "R[2H JK=3H 4H 5H 6H 7H]");
    check("CR", "R[4H 5H 6H 7H]", "JK JK JK AH", "R[AH JK=2H JK=3H 4H 5H 6H 7H JK=8H]");
    check("CR", "R[JC QC KC AC]", "JK", "R[JK=TC JC QC KC AC]");
    check("CR", "R[4H 5H 6H 7H]", "JK=9H", "no: CR-JOK-2");
    check("CR", "G[9C 9D 9H]", "JK=8C", "no: CR-MELD-2");
    check("CR", "R[4H 5H 6H 7H]", "9C=8H", "no: CR-JOK-1");
}

#[test]
fn ends_are_named() {
    let run = "R[2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD]";
    let cr = law("CR");
    assert!(lay(&cr, run, "AD", Some(End::Low)).starts_with("R[AD 2D"));
    assert!(lay(&cr, run, "AD", Some(End::High)).ends_with("KD AD]"));
    assert!(lay(&cr, run, "JK", Some(End::Low)).starts_with("R[JK=AD 2D"));
    assert_eq!(lay(&cr, "R[4H 5H 6H 7H]", "8H", Some(End::High)), "R[4H 5H 6H 7H 8H]");
    assert!(lay(&cr, "R[4H 5H 6H 7H]", "8H", Some(End::Low)).starts_with("no: "));
}

#[test]
fn wilds_that_give_way() {
    let free = Law { place: WildPlace::EndFree, ..law("CR") };
    assert_eq!(lay(&free, "R[5H 6H 7H JK=8H]", "8H", None), "R[5H 6H 7H 8H JK=9H]");
    assert_eq!(lay(&free, "R[5H 6H 7H JK=8H]", "8H", Some(End::Low)), "R[JK=4H 5H 6H 7H 8H]");
    assert_eq!(lay(&free, "R[JC QC KC JK=AC]", "AC", None), "R[JK=TC JC QC KC AC]");
    assert!(lay(&free, "R[4H 5H JK=6H 7H]", "6H", None).starts_with("no: "));
    let push = Law { place: WildPlace::ToEnd, ..law("CR") };
    assert_eq!(lay(&push, "R[4H 5H JK=6H 7H]", "6H", None), "R[4H 5H 6H 7H JK=8H]");
    assert_eq!(lay(&push, "R[4H 5H JK=6H 7H]", "6H", Some(End::Low)), "R[JK=3H 4H 5H 6H 7H]");
    assert!(lay(&push, "R[4H 5H JK=6H 7H]", "6C", None).starts_with("no: "));
}

#[test]
fn reclaims() {
    let check = |game: &str, meld: &str, card: &str, expected: &str| {
        let pack = pack();
        let law = law(game);
        let meld = law.place(&DeclaredMeld::parse(meld, &pack).unwrap(), Suits::One).unwrap();
        let found = match law.reclaim(&meld, pack.parse(card).unwrap()) {
            Ok(taken) => format!("{} {}", taken.meld.text(&pack), pack.text(taken.wild)),
            Err(refusal) => format!("no: {}", refusal.rules.join(" ")),
        };
        assert_eq!(found, expected, "{game}: {card} from {}", meld.text(&pack));
    };
    check("CR", "R[4H 5H JK=6H 7H]", "6H", "R[4H 5H 6H 7H] JK");
    check("CR", "R[4H 5H JK=6H 7H]", "8H", "no: CR-JOK-3");
    check("CR", "R[4H 5H JK=6H 7H]", "5H", "no: CR-JOK-3");
    check("CR", "R[4H 5H JK=6H 7H]", "6C", "no: CR-JOK-3");
    check("CR", "G[9C 9D JK]", "9S", "no: CR-JOK-5");
    check("SH", "R[4H 5H JK=6H 7H]", "8H", "no: SH-JOK-1 CR-JOK-3");
    check("MI", "R[4H 5H JK=6H 7H]", "6H", "no: MI-4");
    check("PR", "R[5C 2D=6C 7C 8C]", "6C", "no: PR-MELD-5");
}

#[test]
fn where_jokers_alone_are_taken_back_a_two_stays() {
    let pack = pack();
    let law = Law { reclaims_jokers_only: true, reclaim: Reclaim::Run, ..law("PR") };
    let meld = law.place(&DeclaredMeld::parse("R[5C 2D=6C JK=7C 8C]", &pack).unwrap(), Suits::One).unwrap();
    let told =
        |card: &str| law.reclaim(&meld, pack.parse(card).unwrap()).map_err(|refusal| refusal.spoken().text);
    assert_eq!(told("6C").unwrap_err(), "only jokers are taken back: the 2D that stands for the 6C stays");
    assert!(told("8C").unwrap_err().starts_with("no wild in R["));
    assert_eq!(told("7C").unwrap().wild, Face::JOKER);
}

#[test]
fn pending_wilds_must_fit() {
    let way = |law: &Law, melds: &[Meld], hand: &[Face], pending: &[Face], left: Left| {
        law.pending_way((1..).zip(melds.iter().cloned()).collect(), hand, pending, left)
    };
    let check = |game: &str, melds: &str, hand: &str, pending: &str, left: Left| {
        let (pack, law) = (pack(), law(game));
        let melds: Vec<Meld> = DeclaredMeld::parse_all(melds, &pack)
            .unwrap()
            .iter()
            .map(|said| law.place(said, Suits::One).unwrap())
            .collect();
        let (hand, pending) = (pack.parse_all(hand).unwrap(), pack.parse_all(pending).unwrap());
        way(&law, &melds, &hand, &pending, left).is_ok()
    };
    // after the first reclaim the joker fits, and the ten may be discarded; after a second reclaim none would be.
    let table = "R[4H 5H 6H 7H] R[8C 9C JK=TC JC]";
    assert!(check("CR", table, "JK TC", "JK", Left::Discard));
    let table = "R[4H 5H 6H 7H] R[8C 9C TC JC]";
    assert!(!check("CR", table, "JK JK", "JK JK", Left::Discard));
    assert!(check("MI", table, "JK JK", "JK JK", Left::Any));
    // two wilds and one place.
    let full = "R[AD 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD]";
    assert!(check("CR", full, "JK 3C", "JK", Left::Discard));
    assert!(!check("CR", full, "JK JK 3C", "JK JK", Left::Discard));
    // Caps: no meld takes a second wild.
    assert!(!check("SH", "R[4H 5H 6H 7H] G[QC QD JK]", "JK JK 3C", "JK JK", Left::Discard));
    assert!(check("SH", "R[4H 5H 6H 7H] G[QC QD QH]", "JK JK 3C", "JK JK", Left::Discard));
    // A natural must go first where wilds may not be neighbours.
    let apart = Law { wild_adjacent: false, ..law("CR") };
    let pack = pack();
    let meld = apart.place(&DeclaredMeld::parse("R[4H 5H 6H JK=7H]", &pack).unwrap(), Suits::One).unwrap();
    let low = Law { ace: RunAce::High, ..apart };
    let melds = [low.place(&DeclaredMeld::parse("R[2H 3H 4H JK=5H]", &pack).unwrap(), Suits::One).unwrap()];
    let hand = |text: &str| pack.parse_all(text).unwrap();
    let low_fits =
        |melds: &[Meld], held: &str| way(&low, melds, &hand(held), &hand("JK"), Left::Discard).is_ok();
    assert!(low_fits(&[meld], "JK KD"));
    assert!(!low_fits(&melds, "JK KD"));
    assert!(low_fits(&melds, "JK 6H KD"));
    assert!(!low_fits(&melds, "JK 6H"));
    // Where no wild may end a run it is laid with a natural beyond it.
    let inner = Law { wild_ends: false, ..law("CR") };
    let melds = [inner.place(&DeclaredMeld::parse("R[4H 5H 6H 7H]", &pack).unwrap(), Suits::One).unwrap()];
    let said = |held: &str, wilds: &str| {
        let way = way(&inner, &melds, &hand(held), &hand(wilds), Left::Discard).ok()?;
        let step =
            |step: &LayOff| step.cards.iter().map(|said| pack.text(said.card)).collect::<Vec<_>>().join("+");
        Some(way.iter().map(step).collect::<Vec<_>>().join(" "))
    };
    assert_eq!(said("JK KS", "JK"), None);
    assert_eq!(said("JK 9H KS", "JK").as_deref(), Some("JK+9H"));
    assert_eq!(said("JK 8H 2H KS", "JK").as_deref(), Some("JK+2H"));
    assert_eq!(said("JK 9H", "JK"), None, "the nine is to be discarded");
    assert_eq!(said("JK JK TH KS", "JK JK").as_deref(), Some("JK+JK+TH"));
    assert_eq!(said("JK JK 2H 9H KS", "JK JK").as_deref(), Some("JK+2H JK+9H"));
    assert_eq!(said("JK JK JK 9H KS", "JK JK JK"), None);
    // No more naturals than it takes.
    let mut runs = low.clone();
    runs.wild_kinds[Kind::Group as usize] = false;
    let melds = ["R[2H 3H 4H JK=5H]", "G[3D 3H 3C]"]
        .map(|text| runs.place(&DeclaredMeld::parse(text, &pack).unwrap(), Suits::One).unwrap());
    let way = way(&runs, &melds, &hand("JK 3C 3S 6H 9H KS"), &hand("JK"), Left::Discard).unwrap();
    let cards: Vec<String> =
        way.iter().flat_map(|step| &step.cards).map(|said| pack.text(said.card)).collect();
    assert_eq!(cards, ["6H", "JK"]);
}

#[test]
fn corners_colours_and_rook_packs() {
    let corner = Law { ace: RunAce::Corner, run_max: 13, ..law("CR") };
    let text = |law: &Law, meld: &str, suits: Suits| match law
        .place(&DeclaredMeld::parse(meld, &law.pack).unwrap(), suits)
    {
        Ok(meld) => meld.text(&law.pack),
        Err(refusal) => format!("no: {}", refusal.rules.join(" ")),
    };
    assert_eq!(text(&corner, "R[QS KS AS 2S]", Suits::One), "R[QS KS AS 2S]");
    assert_eq!(text(&corner, "R[KS JK 2S JK]", Suits::One), "R[KS JK=AS 2S JK=3S]");
    assert_eq!(lay(&corner, "R[QS KS AS 2S]", "3S JS", None), "R[JS QS KS AS 2S 3S]");
    assert_eq!(lay(&corner, "R[AS 2S 3S 4S]", "KS", None), "R[KS AS 2S 3S 4S]");
    let whole = "R[5S 6S 7S 8S 9S TS JS QS KS AS 2S 3S 4S]";
    assert!(lay(&corner, whole, "5S", None).starts_with("no: "));
    let touching = Law { contracts: contract("R4 R4"), ..corner };
    assert!(judge_as(&touching, "R[QS KS AS 2S] R[3S 4S 5S 6S]").contains("CR-GAP-1"));
    assert!(judge_as(&touching, "R[TS JS QS KS] R[AS 2S 3S 4S]").contains("CR-GAP-1"));
    assert_eq!(judge_as(&touching, "R[QS KS AS 2S] R[4S 5S 6S 7S]"), "ok");
    assert_eq!(judge_as(&touching, "R[QS KS AS 2S] R[2S 3S 4S 5S]"), "ok");

    let cr = law("CR");
    assert_eq!(text(&cr, "R[4H 5C JK 7D]", Suits::Free), "R[4H 5C JK=6C 7D]");
    assert_eq!(text(&cr, "R[4H 5D JK 7D]", Suits::Colour), "R[4H 5D JK=6D 7D]");
    assert_eq!(text(&cr, "R[4H 5C 6D 7S]", Suits::Alternate), "R[4H 5C 6D 7S]");
    assert!(text(&cr, "R[4H 5C 6D 7H]", Suits::Alternate).starts_with("no: "));
    assert!(text(&cr, "R[4H 5C 6D 7H]", Suits::Colour).starts_with("no: "));

    let rook = Pack {
        suits: ["red", "green", "black", "yellow"].map(String::from).to_vec(),
        ranks: (1..=14).map(|r| r.to_string()).collect(),
    };
    let rook = Law { pack: rook, ranks: 14, colours: [0, 1, 2, 3], ace: RunAce::Low, ..law("CR") };
    assert_eq!(text(&rook, "R[11R 12R JK 14R]", Suits::One), "R[11R 12R JK=13R 14R]");
    assert_eq!(text(&rook, "R[12R 13R 14R JK]", Suits::One), "R[JK=11R 12R 13R 14R]");
    assert!(text(&rook, "R[12R 13R 14R 1R]", Suits::One).starts_with("no: "));
}

#[test]
fn house_limits() {
    let check = |law: &Law, melds: &str, expected: bool| {
        let said = DeclaredMeld::parse_all(melds, &pack()).unwrap();
        let law = Law { contracts: contract(&shape(&said)), ..law.clone() };
        let found = judge_as(&law, melds);
        assert_eq!(found == "ok", expected, "{melds}: {found}");
    };
    let ends = Law { wild_ends: false, ..law("CR") };
    check(&ends, "R[4H JK=5H 6H 7H]", true);
    check(&ends, "R[4H 5H 6H JK=7H]", false);
    let adjacent = Law { wild_adjacent: false, ..law("CR") };
    check(&adjacent, "R[JK=3H 4H 5H JK=6H]", true);
    check(&adjacent, "R[3H JK=4H JK=5H 6H]", false);
    let balance = Law { balance: WildBalance::AtLeast, ..law("MI") };
    check(&balance, "G[9C 9D JK JK]", true);
    check(&balance, "G[9C JK JK]", false);
    check(&Law { balance: WildBalance::More, ..law("MI") }, "G[9C 9D JK JK]", false);
    let distinct = Law { distinct_suits: true, ..law("MI") };
    check(&distinct, "G[9C 9D 9H JK]", true);
    check(&distinct, "G[9C 9D 9C]", false);
    check(&distinct, "G[9C 9D 9H 9S JK]", false);
    let groups_only = Law { wild_kinds: [true, false, true, true], ..law("CR") };
    check(&groups_only, "G[9C 9D JK]", true);
    check(&groups_only, "R[4H 5H JK=6H 7H]", false);
    check(&Law { group_max: 4, ..law("MI") }, "G[9C 9D 9H 9S 9S]", false);
    check(&Law { run_max: 5, ..law("MI") }, "R[4H 5H 6H 7H 8H 9H]", false);
    check(&Law { overlap: false, ..law("CR") }, "R[3H 4H 5H 6H] R[5H 6H 7H 8H]", false);
    let wide = Law { gap: 2, ..law("CR") };
    check(&wide, "R[3H 4H 5H 6H] R[8H 9H TH JH]", false);
    check(&wide, "R[3H 4H 5H 6H] R[9H TH JH QH]", true);
    // A two in its own place is a wild where the rules say so.
    let twos = Law { wild: 5 | 4 << 16 | 4 << 32 | 4 << 48, balance: WildBalance::AtLeast, ..law("CR") };
    check(&twos, "R[2H JK=3H 4H JK=5H]", true);
    check(&Law { natural_in_place: false, ..twos }, "R[2H JK=3H 4H JK=5H]", false);
    // Limits that bind the contract only let later wilds in.
    let contract_only = Law { wild_cap: 1, caps_always: false, ..law("CR") };
    assert_eq!(lay(&contract_only, "G[9C 9D JK]", "JK", None), "G[9C 9D JK JK]");
    assert!(lay(&Law { wild_cap: 1, ..law("CR") }, "G[9C 9D JK]", "JK", None).starts_with("no: "));
}

#[test]
fn flushes_are_of_one_suit_or_colour() {
    let check = |law: &Law, slot: &str, melds: &str, expected: &str| {
        let slot: crate::rules::Slot = slot.parse().unwrap();
        let want =
            Want { suits: slot.suits, wilds: slot.wilds.unwrap_or(255), ..want(&format!("F{}", slot.size)) };
        let law = Law { contracts: vec![vec![std::iter::once(want).collect()]], ..law.clone() };
        let found = judge_as(&law, melds);
        assert!(found.split(' ').any(|rule| rule == expected), "{slot} {melds}: {found}");
    };
    let law = law("CR");
    check(&law, "F4", "F[2H 9H 9H KH]", "ok");
    check(&law, "F4", "F[2H 9H JK KH]", "ok");
    check(&law, "F4", "F[2H 9H JK=4H KH]", "ok");
    check(&law, "F4", "F[2H 9H JK=4S KH]", "HR-SLOT-2");
    check(&law, "F4", "F[2H 9H 9D KH]", "HR-SLOT-2");
    check(&law, "F4", "F[2H 9H KH]", "HR-SLOT-2");
    check(&law, "F4", "F[2H 9H JH QH KH]", "CR-MELD-5");
    check(&law, "F4", "F[JK JK JK JK]", "HR-SLOT-2");
    check(&law, "F4", "G[2H 2D 2C 2S]", "CR-MELD-5");
    check(&law, "F4c", "F[2H 9H JK KH]", "A-08");
    check(&law, "F4k", "F[2H 9D JD KH]", "ok");
    check(&law, "F4k", "F[2H 9D JC KH]", "HR-SLOT-2");
    check(&Law { exact: false, ..law.clone() }, "F4", "F[2H 9H JH QH KH]", "ok");
    check(&Law { same_turn: true, ..law.clone() }, "F4", "F[2H 9H JH QH KH]", "ok");
    // A rank that is wild is natural among its own suit where the rules say so.
    let twos = Law { wild: 1 | 4 | 4 << 16 | 4 << 32 | 4 << 48, wild_cap: 1, ..law.clone() };
    check(&twos, "F4", "F[2H 9H JK KH]", "ok");
    check(&twos, "F4", "F[2S 9H JK KH]", "A-08");
    check(&Law { natural_in_place: false, ..twos }, "F4", "F[2H 9H JK KH]", "A-08");
    // It grows without limit, by its suit alone, and gives wilds back only where groups do.
    assert_eq!(lay(&law, "F[2H 9H KH JK]", "9H", None), "F[2H 9H 9H KH JK]");
    assert!(lay(&law, "F[2H 9H KH JK]", "9S", None).starts_with("no: "));
    let flush = law.place(&DeclaredMeld::parse("F[2H 9H KH JK]", &pack()).unwrap(), Suits::One).unwrap();
    assert!(law.reclaim(&flush, Face::new(2, 5)).is_err_and(|why| why.cites("CR-JOK-5")));
    let all = Law { reclaim: Reclaim::All, ..law };
    let taken = all.reclaim(&flush, Face::new(2, 5)).unwrap();
    assert_eq!((taken.meld.text(&pack()), taken.wild), ("F[2H 5H 9H KH]".to_owned(), Face::JOKER));
    assert!(all.reclaim(&flush, Face::new(1, 5)).is_err());
}

#[test]
fn what_makes_somebody_lose_a_turn_lies_in_no_meld() {
    let fours = 16 | 16 << 16 | 16 << 32 | 16 << 48;
    let law = Law { skips: 1 | fours, wild: 0, ..law("CR") };
    let check = |melds: &str, expected: &str| {
        let said = DeclaredMeld::parse_all(melds, &pack()).unwrap();
        let law = Law { contracts: contract(&shape(&said)), ..law.clone() };
        assert_eq!(judge_as(&law, melds), expected, "{melds}");
    };
    check("G[4C 4D 4H]", "HR-SKIP-1");
    check("R[3H 4H 5H 6H]", "HR-SKIP-1");
    check("G[5C 5D JK]", "HR-SKIP-1");
    check("F[3H 4H 8H KH]", "HR-SKIP-1");
    check("R[5H 6H 7H 8H]", "ok");
    assert!(lay(&law, "R[5H 6H 7H 8H]", "4H", None).starts_with("no: "));
    assert!(lay(&law, "G[5C 5D 5H]", "JK", None).starts_with("no: "));
}

#[test]
fn a_contract_of_many_slots_is_judged_in_few_tries() {
    // Groups of 1 to 12 cards that may all be larger: each meld fills many slots, and the wrong way round nothing fits
    // before all orders were tried.
    let slots: Vec<String> = (1..=12).map(|size| format!("G{size}")).collect();
    let law = Law { contracts: contract(&slots.join(" ")), ..law("MI") };
    let ranks: Vec<char> = "23456789TJQK".chars().collect();
    let group = |n: usize| {
        let cards: Vec<String> = (0..=n).map(|c| format!("{}{}", ranks[n], b"CDHS"[c % 4] as char)).collect();
        format!("G[{}]", cards.join(" "))
    };
    let mut melds: Vec<String> = (0..12).map(group).collect();
    assert_eq!(judge_as(&law, &melds.join(" ")), "ok", "in the order of the contract");
    melds.reverse();
    let said = DeclaredMeld::parse_all(&melds.join(" "), &pack()).unwrap();
    let refusal = law.judge_contract(&said, 90).unwrap_err();
    assert!(refusal.to_string().contains("in the order of the contract"), "{refusal}");
    // One run among melds that must all be groups.
    melds.pop();
    melds.push("R[2H 3H 4H 5H]".into());
    let said = DeclaredMeld::parse_all(&melds.join(" "), &pack()).unwrap();
    let refusal = law.judge_contract(&said, 90).unwrap_err();
    assert!(refusal.to_string().starts_with("the contract of this round is"), "{refusal}");
    // More melds and cards than any hand holds.
    for text in ["G[2H 2D 2S]".repeat(100), format!("R[{}]", "2H ".repeat(3000))] {
        let said = DeclaredMeld::parse_all(&text, &pack()).unwrap();
        let refusal = law.judge_contract(&said, 90).unwrap_err();
        assert!(refusal.to_string().contains("at most 32 melds and 300 cards"), "{refusal}");
    }
}
