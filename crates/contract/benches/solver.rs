//! The solver on dealt hands: S1, S2, S4, S5 and S6 of section 6. `cargo bench -p parlour-contract --bench solver`
//!
//! Each iteration solves one hand of a fixed list, so that the time shown is the mean over dealt hands.

use cards::{Face, Pack};
use contract::meld::{DeclaredMeld, Law, Meld, Suits};
use contract::rules::Rules;
use contract::solver::{Counts, Gauge, Rights, Solver, counts_of, shed};
use divan::{Bencher, black_box};
use game::Chance;
use game::chance::SplitMix;

fn main() {
    divan::main();
}

/// Hands of `cards` cards dealt from `packs` packs, `jokers` of their cards jokers where that is given.
fn dealt(hands: usize, cards: usize, packs: usize, in_pack: usize, jokers: Option<usize>) -> Vec<Counts> {
    let mut chance = SplitMix(42);
    let naturals: Vec<Face> = Pack::standard().faces().flat_map(|f| std::iter::repeat_n(f, packs)).collect();
    (0..hands)
        .map(|_| {
            let mut deck = naturals.clone();
            if jokers.is_none() {
                deck.extend(std::iter::repeat_n(Face::JOKER, in_pack));
            }
            chance.shuffle(&mut deck);
            let held = jokers.unwrap_or(0);
            counts_of(deck.into_iter().take(cards - held).chain(std::iter::repeat_n(Face::JOKER, held)))
        })
        .collect()
}

/// Solves the hands in turn.
fn each<T>(bencher: Bencher<'_, '_>, hands: &[Counts], mut solve: impl FnMut(&Counts) -> T) {
    let mut next = 0;
    bencher.bench_local(|| {
        next = (next + 1) % hands.len();
        solve(black_box(&hands[next]))
    });
}

/// Hands of rounds 1 to 6 of `contract` with four players, after the draw.
#[divan::bench(args = 1..=6)]
fn s1_dealt(bencher: Bencher<'_, '_>, round: usize) {
    let law = Rules::contract(4).law(round - 1);
    let solver = Solver::new(&law);
    let hands = dealt(2000, if round <= 3 { 11 } else { 13 }, 2, 3, None);
    each(bencher, &hands, |hand| solver.feasible(hand));
}

#[divan::bench(args = 1..=6)]
fn s2_dealt(bencher: Bencher<'_, '_>, round: usize) {
    let law = Rules::contract(4).law(round - 1);
    let solver = Solver::new(&law);
    let hands = dealt(2000, if round <= 3 { 11 } else { 13 }, 2, 3, None);
    each(bencher, &hands, |hand| solver.best(hand));
}

/// Twenty-six cards, eight of them jokers.
#[divan::bench(args = 1..=6)]
fn s2_many_wilds(bencher: Bencher<'_, '_>, round: usize) {
    let law = Rules::contract(4).law(round - 1);
    let solver = Solver::new(&law);
    let hands = dealt(500, 26, 4, 8, Some(8));
    each(bencher, &hands, |hand| solver.best(hand));
}

/// The whole hand in three runs: 13 cards as dealt, and 23 that are built so that it can be done.
#[divan::bench]
fn s4_dealt(bencher: Bencher<'_, '_>) {
    let law = Rules::contract(4).law(6);
    let solver = Solver::new(&law);
    let hands = dealt(2000, 13, 2, 3, None);
    each(bencher, &hands, |hand| solver.feasible(hand));
}

#[divan::bench]
fn s4_solvable(bencher: Bencher<'_, '_>) {
    let law = Rules::contract(4).law(6);
    let solver = Solver::new(&law);
    let run = |suit, from: u8, to: u8| (from..=to).map(move |rank| Face::new(suit, rank));
    let hands: Vec<Counts> = (0..4u8)
        .map(|s| {
            let naturals = run(s, 2, 7).chain(run(s, 5, 11)).chain(run((s + 1) % 4, 1, 6));
            counts_of(naturals.chain([Face::JOKER; 4]))
        })
        .collect();
    each(bencher, &hands, |hand| solver.feasible(hand));
}

/// Lay-offs of the hands on the melds of `table`, in notation.
fn lay_offs(bencher: Bencher<'_, '_>, law: &Law, table: &str, hands: &[Counts]) {
    let table: Vec<Meld> = DeclaredMeld::parse_all(table, &Pack::standard())
        .expect("well written")
        .iter()
        .map(|said| law.place(said, Suits::One).expect("legal"))
        .collect();
    let rights =
        Rights { lay_off: true, reclaim: true, keep_wilds: false, keep_one: true, budget: Rights::BUDGET };
    each(bencher, hands, |hand| shed(law, rights, hand, &[], &table, &|_| true, &|_| true));
}

/// Lay-offs of eight cards on ten melds.
#[divan::bench]
fn s5(bencher: Bencher<'_, '_>) {
    let table = "G[9C 9D 9H] G[KC KD JK] R[4H 5H JK=6H 7H] G[2C 2D 2H] G[JC JD JH] R[8S 9S TS JS] \
                 R[2D 3D 4D 5D] G[7C 7D 7S] G[AC AD AH] R[3C 4C 5C 6C]";
    lay_offs(bencher, &Rules::contract(4).law(4), table, &dealt(500, 8, 2, 3, None));
}

/// Lay-offs of twelve cards, three of them jokers, on sixteen melds.
#[divan::bench]
fn s5_many_wilds(bencher: Bencher<'_, '_>) {
    let table = "G[9C 9D 9H] G[KC KD KS] R[4H 5H JK=6H 7H] G[2C 2D 2H] G[JC JD JH] R[8S 9S TS JS] \
                 R[2D 3D 4D 5D] G[7C 7D 7S] R[3C 4C 5C 6C] G[3D 3H 3S] R[5S 6S 7S 8S] R[8D 9D TD JD] \
                 G[QC QD QH] R[9C TC JC QC] G[6C 6D 6S] R[8H 9H TH JH]";
    lay_offs(bencher, &Rules::contract(5).law(4), table, &dealt(500, 12, 2, 3, Some(3)));
}

#[divan::bench(args = 1..=6)]
fn s6_dealt(bencher: Bencher<'_, '_>, round: usize) {
    let law = Rules::contract(4).law(round - 1);
    let cards = if round <= 3 { 11 } else { 13 };
    let gauge = Gauge::new(&law, cards);
    let hands = dealt(500, cards, 2, 3, None);
    each(bencher, &hands, |hand| gauge.distance(hand));
}
