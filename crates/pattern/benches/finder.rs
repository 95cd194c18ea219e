//! Speed of the finders on random layouts: `cargo bench -p parlour-pattern --bench finder`.

use cards::Point;
use divan::{Bencher, black_box};
use game::Chance;
use game::chance::SplitMix;
use pattern::finder::{self, Open, Sought};
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

const SUPER: Sought = Sought { pattern: Pattern::Super, ..Sought::SET };
const ULTRA: Sought = Sought { pattern: Pattern::Ultra1, ..Sought::SET };
const ULTRA9: Sought = Sought { pattern: Pattern::Ultra2, ..Sought::SET };
const DOUBLE: Sought = Sought { multiplicity: Multiplicity::Double, ..Sought::SET };
const EIGHT: Sought = Sought { multiplicity: Multiplicity::Eight, ..Sought::SET };

/// Asks of layouts that are dealt out over as many groups as the sought has.
fn ask<T>(bencher: Bencher, cards: usize, sought: Sought, question: impl Fn(Sought, &Open) -> T) {
    let zones = match sought.pattern {
        Pattern::Ultra1 => 3,
        Pattern::Ultra2 => 9,
        _ => 1,
    };
    each(bencher, cards, |layout| {
        let placed = layout.iter().enumerate().map(|(i, &card)| ((i * zones / cards) as u8, card));
        question(sought, &Open::layout(placed))
    });
}

/// Whether 12 cards hold a Set.
#[divan::bench]
fn set_exists(bencher: Bencher) {
    ask(bencher, 12, Sought::SET, Sought::exists);
}

/// Whether nine cards hold a SuperSET.
#[divan::bench]
fn super_exists(bencher: Bencher) {
    ask(bencher, 9, SUPER, Sought::exists);
}

/// Whether three groups of six hold an Ultra-Set.
#[divan::bench]
fn ultra_exists(bencher: Bencher) {
    ask(bencher, 18, ULTRA, Sought::exists);
}

/// Whether nine groups of three hold one.
#[divan::bench]
fn ultra9_exists(bencher: Bencher) {
    ask(bencher, 27, ULTRA9, Sought::exists);
}

/// Whether 12 cards hold a Double-Set.
#[divan::bench]
fn double_exists(bencher: Bencher) {
    ask(bencher, 12, DOUBLE, Sought::exists);
}

/// Whether 15 cards hold an Eight-Set.
#[divan::bench]
fn eight_exists(bencher: Bencher) {
    ask(bencher, 15, EIGHT, Sought::exists);
}

/// All Sets of 12 cards, through the general finder.
#[divan::bench]
fn set_all(bencher: Bencher) {
    ask(bencher, 12, Sought::SET, Sought::count);
}

/// All SuperSETs of nine cards.
#[divan::bench]
fn super_all(bencher: Bencher) {
    ask(bencher, 9, SUPER, Sought::count);
}

/// All Ultra-Sets of three groups of six.
#[divan::bench]
fn ultra_all(bencher: Bencher) {
    ask(bencher, 18, ULTRA, Sought::count);
}

/// All Ultra-Sets of nine groups of three.
#[divan::bench]
fn ultra9_all(bencher: Bencher) {
    ask(bencher, 27, ULTRA9, Sought::count);
}

/// All Double-Sets of 12 cards.
#[divan::bench]
fn double_all(bencher: Bencher) {
    ask(bencher, 12, DOUBLE, Sought::count);
}

/// All Eight-Sets of 15 cards.
#[divan::bench]
fn eight_all(bencher: Bencher) {
    ask(bencher, 15, EIGHT, Sought::count);
}
