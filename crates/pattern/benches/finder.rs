//! Speed of the finders on random layouts: `cargo bench -p parlour-pattern --bench finder`.

use cards::Point;
use divan::{Bencher, black_box};
use game::Chance;
use game::chance::SplitMix;
use pattern::finder::{self, Kind, Open};
use pattern::rules::{Multiplicity, Pattern};

fn main() {
    divan::main();
}

/// Random layouts of so many cards; enough of them that no branch predictor learns them by heart.
fn layouts(cards: usize) -> Vec<Vec<Point>> {
    let mut chance = SplitMix(12);
    (0..4096).map(|_| chance.order(81)[..cards].iter().map(|&card| Point(card as u8)).collect()).collect()
}

fn each<T>(bencher: Bencher, cards: usize, mut work: impl FnMut(&[Point]) -> T) {
    let layouts = layouts(cards);
    bencher.counter(divan::counter::ItemsCount::new(layouts.len())).bench_local(|| {
        for layout in &layouts {
            black_box(work(black_box(layout)));
        }
    });
}

/// All Sets in so many cards, listed.
#[divan::bench(args = [12, 15, 21])]
fn list_sets(bencher: Bencher, cards: usize) {
    each(bencher, cards, |layout| {
        let mut found = arrayvec::ArrayVec::<[Point; 3], 64>::new();
        finder::sets(layout, |set| found.push(set));
        black_box(&found).len()
    });
}

/// The same without vector instructions.
#[divan::bench(args = [12, 15, 21])]
fn list_sets_portable(bencher: Bencher, cards: usize) {
    each(bencher, cards, |layout| {
        let mut found = arrayvec::ArrayVec::<[Point; 3], 64>::new();
        finder::sets_portable(layout, |set| found.push(set));
        black_box(&found).len()
    });
}

const SUPER: Kind = Kind { pattern: Pattern::Super, ..Kind::SET };
const ULTRA: Kind = Kind { pattern: Pattern::Ultra1, ..Kind::SET };
const ULTRA9: Kind = Kind { pattern: Pattern::Ultra2, ..Kind::SET };
const DOUBLE: Kind = Kind { multiplicity: Multiplicity::Double, ..Kind::SET };
const EIGHT: Kind = Kind { multiplicity: Multiplicity::Eight, ..Kind::SET };

/// Asks of layouts that are dealt out over as many groups as the kind has.
fn ask<T>(bencher: Bencher, cards: usize, kind: Kind, question: impl Fn(Kind, &Open) -> T) {
    let zones = match kind.pattern {
        Pattern::Ultra1 => 3,
        Pattern::Ultra2 => 9,
        _ => 1,
    };
    each(bencher, cards, |layout| {
        let placed = layout.iter().enumerate().map(|(i, &card)| ((i * zones / cards) as u8, card));
        question(kind, &Open::layout(placed))
    });
}

/// Whether 12 cards hold a Set.
#[divan::bench]
fn set_exists(bencher: Bencher) {
    ask(bencher, 12, Kind::SET, Kind::exists);
}

/// Whether nine cards hold a SuperSET.
#[divan::bench]
fn super_exists(bencher: Bencher) {
    ask(bencher, 9, SUPER, Kind::exists);
}

/// Whether three groups of six hold an Ultra-Set.
#[divan::bench]
fn ultra_exists(bencher: Bencher) {
    ask(bencher, 18, ULTRA, Kind::exists);
}

/// Whether nine groups of three hold one.
#[divan::bench]
fn ultra9_exists(bencher: Bencher) {
    ask(bencher, 27, ULTRA9, Kind::exists);
}

/// Whether 12 cards hold a Double-Set.
#[divan::bench]
fn double_exists(bencher: Bencher) {
    ask(bencher, 12, DOUBLE, Kind::exists);
}

/// Whether 15 cards hold an Eight-Set.
#[divan::bench]
fn eight_exists(bencher: Bencher) {
    ask(bencher, 15, EIGHT, Kind::exists);
}

/// All Sets of 12 cards, through the general finder.
#[divan::bench]
fn set_all(bencher: Bencher) {
    ask(bencher, 12, Kind::SET, Kind::count);
}

/// All SuperSETs of nine cards.
#[divan::bench]
fn super_all(bencher: Bencher) {
    ask(bencher, 9, SUPER, Kind::count);
}

/// All Ultra-Sets of three groups of six.
#[divan::bench]
fn ultra_all(bencher: Bencher) {
    ask(bencher, 18, ULTRA, Kind::count);
}

/// All Ultra-Sets of nine groups of three.
#[divan::bench]
fn ultra9_all(bencher: Bencher) {
    ask(bencher, 27, ULTRA9, Kind::count);
}

/// All Double-Sets of 12 cards.
#[divan::bench]
fn double_all(bencher: Bencher) {
    ask(bencher, 12, DOUBLE, Kind::count);
}

/// All Eight-Sets of 15 cards.
#[divan::bench]
fn eight_all(bencher: Bencher) {
    ask(bencher, 15, EIGHT, Kind::count);
}
