//! Expressions: numbers that depend on the table.

use crate::{texts, work};

/// Numbers of players and of packs that an expression is tried with.
const TABLES: [(i64, i64); 6] = [(2, 1), (3, 1), (4, 2), (5, 0), (8, 3), (12, 9)];

fn values(text: &str) -> Result<Vec<Option<i64>>, game::Say> {
    TABLES.iter().map(|(n, d)| rulebook::reckon(text, *n, *d)).collect()
}

/// An expression: it is refused in words, or it has the value that arithmetic gives it, in parentheses and in sums and
/// products, too.
///
/// # Panics
/// If a law is broken.
pub fn expression(bytes: &[u8]) {
    let Some(text) = texts::text(bytes) else { return };
    let read = work::within("reading", work::most(4 << 10, 1024, text.len()), || values(text));
    assert_eq!(read, values(text), "{text}");
    let Ok(own) = read else {
        let why = read.expect_err("checked").to_string();
        assert!(why.len() > 5 && why.len() < 2 * text.len() + 512, "{why}");
        return;
    };
    // An expression around it may be longer or deeper than any may be; if it is read, its value is known.
    let same = |around: String, expected: &dyn Fn(i64) -> Option<i64>| {
        if let Ok(found) = values(&around) {
            let expected: Vec<_> = own.iter().map(|value| value.and_then(expected)).collect();
            assert_eq!(found, expected, "{around}");
        } else {
            assert!(text.len() > 64 || text.matches(['(', '-']).count() > 8, "{around} is refused");
        }
    };
    same(format!("({text})"), &Some);
    same(format!(" ( {text} ) "), &Some);
    same(format!("0+({text})"), &Some);
    same(format!("({text})*3"), &|value| value.checked_mul(3));
    same(format!("7-({text})"), &|value| 7_i64.checked_sub(value));
    same(format!("-({text})"), &|value| 0_i64.checked_sub(value));
    same(format!("floor(({text})/2)"), &|value| Some(value.div_euclid(2)));
    same(format!("ceil(({text})/2)"), &|value| {
        // The least of all numbers has no opposite.
        value.checked_neg().map(|_| value.div_euclid(2) + value.rem_euclid(2))
    });
    same(format!("({text})*1"), &Some);
    in_a_file(text, &own);
}

/// The loader reckons as the expression does: so many jokers are in the deck.
fn in_a_file(text: &str, own: &[Option<i64>]) {
    let file = toml::Table::from_iter([
        ("id".to_owned(), "e".into()),
        ("name".to_owned(), "E".into()),
        ("base".to_owned(), "contract".into()),
        ("deck.jokers".to_owned(), text.into()),
    ]);
    let Ok(loaded) = rulebook::house::load(&toml::to_string(&file).expect("plain data")) else { return };
    if let Ok(rules) = loaded.rules(4)
        && let rulebook::Rules::Contract(rules) = &*rules
    {
        let jokers = i64::from(rules.settings.deck.jokers);
        // The game for four has two packs.
        assert_eq!(own[2], Some(jokers), "{text}");
    }
}
