//! All Sets in a list of up to 16 cards of `d81` at once, with the byte permutations of AVX-512.
//!
//! As in `simd` cards become digits of two bits, here by one look into a table; a third card is looked up among the bits of
//! the layout in one step, and what is found is gathered in one, too.
//!
//! Of three places two are always in the same half. So only pairs inside the halves are looked at, at most 56: a Set that
//! lies in both halves shows at one of them, and one that lies in one half at three, where it is taken at its two lesser
//! cards.

use super::PointSet;
use cards::{Deck, Point};
use std::arch::x86_64::*;
use std::sync::LazyLock;

/// Most cards that are looked at together.
const MOST: usize = 16;

/// Places of a half.
const HALF: usize = 8;

/// Bytes of a register. Pairs of the first half are in the first half of them.
const WIDTH: usize = 64;

/// Whether this processor has what is asked for here.
static HERE: LazyLock<bool> = LazyLock::new(|| {
    is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("avx512bitalg")
});

/// Bytes that a register is filled with.
#[repr(align(64))]
struct Bytes([u8; WIDTH]);

/// The places of each pair.
static FIRST: Bytes = places(true);
static SECOND: Bytes = places(false);

const fn places(first: bool) -> Bytes {
    let mut places = [0; WIDTH];
    let mut half = 0;
    while half < 2 {
        let (mut lane, mut one) = (half * WIDTH / 2, 1);
        while one < HALF {
            let mut other = 0;
            while other < one {
                places[lane] = (half * HALF + if first { one } else { other }) as u8;
                lane += 1;
                other += 1;
            }
            one += 1;
        }
        half += 1;
    }
    Bytes(places)
}

/// The lanes of the pairs of so many places.
static LANES: [u64; MOST + 1] = lanes();

/// One bit for each pair of so many places.
const fn first_lanes(places: usize) -> u64 {
    (1 << (places * places.saturating_sub(1) / 2)) - 1
}

const fn lanes() -> [u64; MOST + 1] {
    let mut lanes = [0; MOST + 1];
    let mut count = 0;
    while count <= MOST {
        let in_first = if count < HALF { count } else { HALF };
        let in_second = count - in_first;
        lanes[count] = first_lanes(in_first) | (first_lanes(in_second) << (WIDTH / 2));
        count += 1;
    }
    lanes
}

/// The digits of each number below 128, two bits each; and the same with the bits of each digit exchanged.
static DIGITS: [Bytes; 2] = digits(false);
static EXCHANGED: [Bytes; 2] = digits(true);

const fn digits(exchanged: bool) -> [Bytes; 2] {
    let mut tables = [Bytes([0; WIDTH]), Bytes([0; WIDTH])];
    let mut number = 0;
    while number < 2 * WIDTH {
        let (mut rest, mut place, mut byte) = (number, 0, 0);
        while place < 4 {
            byte |= [[0, 1, 2], [0, 2, 1]][exchanged as usize][rest % 3] << (2 * place);
            rest /= 3;
            place += 1;
        }
        tables[number / WIDTH].0[number % WIDTH] = byte;
        number += 1;
    }
    tables
}

/// What the lower two digits of a byte count, and what the upper two do.
static ONES: Bytes = counts(1);
static NINES: Bytes = counts(9);

const fn counts(unit: u8) -> Bytes {
    let mut bytes = [0; WIDTH];
    let mut at = 0;
    while at < WIDTH {
        bytes[at] = unit * (at as u8 % 4 + 3 * (at as u8 % 16 / 4));
        at += 1;
    }
    Bytes(bytes)
}

/// The numbers from 0.
static NUMBERS: Bytes = numbers();

const fn numbers() -> Bytes {
    let mut bytes = [0; WIDTH];
    let mut at = 0;
    while at < WIDTH {
        bytes[at] = at as u8;
        at += 1;
    }
    Bytes(bytes)
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn load(bytes: &Bytes) -> __m512i {
    // SAFETY: 64 bytes are there, and they are aligned.
    unsafe { _mm512_load_si512(bytes.0.as_ptr().cast()) }
}

/// In every lane of the first half what is in any lane of `first`, and in the second what is in any of `second`.
#[inline]
#[target_feature(enable = "avx512bw")]
fn gathered(first: __m512i, second: __m512i) -> __m512i {
    let lanes = _mm512_or_si512(
        _mm512_shuffle_i64x2::<0b01_00_01_00>(first, second),
        _mm512_shuffle_i64x2::<0b11_10_11_10>(first, second),
    );
    let lanes = _mm512_or_si512(lanes, _mm512_shuffle_i64x2::<0b10_11_00_01>(lanes, lanes));
    _mm512_or_si512(lanes, _mm512_permutex_epi64::<0b10_11_00_01>(lanes))
}

/// The pairs inside the halves of a layout.
struct Pairs {
    /// The lesser card of each, the other one and the third.
    less: __m512i,
    more: __m512i,
    third: __m512i,
    /// Third cards from 64 on.
    beyond: u64,
    /// Lanes in which there is a pair.
    lanes: u64,
}

impl Pairs {
    /// Of `count` cards by their numbers; 255 in the other places, which is in no layout.
    #[inline]
    #[target_feature(enable = "avx512bw,avx512vl,avx512vbmi")]
    fn new(numbers: __m128i, count: usize) -> Pairs {
        let places = _mm512_broadcast_i32x4(numbers);
        let of = |tables: &[Bytes; 2]| _mm512_permutex2var_epi8(load(&tables[0]), places, load(&tables[1]));
        let (digits, exchanged) = (of(&DIGITS), of(&EXCHANGED));
        let (first, second) = (load(&FIRST), load(&SECOND));
        let (a, b) = (_mm512_shuffle_epi8(digits, first), _mm512_shuffle_epi8(digits, second));
        let differ =
            _mm512_xor_si512(_mm512_shuffle_epi8(exchanged, first), _mm512_shuffle_epi8(exchanged, second));
        // Both where they agree, and the exchanged bits where neither has one.
        let third = _mm512_ternarylogic_epi64::<0b1100_0010>(a, b, differ);
        let nibble = _mm512_set1_epi8(15);
        let third = _mm512_add_epi8(
            _mm512_shuffle_epi8(load(&ONES), _mm512_and_si512(third, nibble)),
            _mm512_shuffle_epi8(load(&NINES), _mm512_and_si512(_mm512_srli_epi16::<4>(third), nibble)),
        );
        let (a, b) = (_mm512_shuffle_epi8(places, first), _mm512_shuffle_epi8(places, second));
        Pairs {
            less: _mm512_min_epu8(a, b),
            more: _mm512_max_epu8(a, b),
            third,
            beyond: _mm512_movepi8_mask(_mm512_add_epi8(third, third)),
            lanes: LANES[count],
        }
    }

    /// Those whose third card is among these: bits of the numbers below 64, and of the others.
    #[inline]
    #[target_feature(enable = "avx512bitalg")]
    fn with_third(&self, lower: __m512i, upper: __m512i) -> u64 {
        let lies = _mm512_bitshuffle_epi64_mask(lower, self.third) & !self.beyond
            | _mm512_bitshuffle_epi64_mask(upper, self.third) & self.beyond;
        lies & self.lanes
    }

    /// Those whose third card is the greatest.
    #[inline]
    #[target_feature(enable = "avx512bw")]
    fn ascending(&self) -> u64 {
        _mm512_cmpgt_epu8_mask(self.third, self.more)
    }

    /// The Sets of these pairs: the least cards close together, the middle ones, and the greatest.
    #[inline]
    #[target_feature(enable = "avx512bw,avx512vbmi2")]
    fn sets(&self, hits: u64) -> [__m512i; 3] {
        let Pairs { less, more, third, .. } = *self;
        let sorted = [
            _mm512_min_epu8(less, third),
            _mm512_max_epu8(less, _mm512_min_epu8(more, third)),
            _mm512_max_epu8(more, third),
        ];
        sorted.map(|bytes| _mm512_maskz_compress_epi8(hits, bytes))
    }
}

/// Of the pairs of cards that stand in any order, those at which a Set is taken.
#[inline]
#[target_feature(enable = "avx512bw,avx512vl,avx512bitalg")]
fn hits_in(pairs: &Pairs, numbers: __m128i) -> u64 {
    // The bits of each half, those of the numbers below 64 and the others; what is shifted too far is gone.
    let (one, others) = (_mm512_set1_epi64(1), _mm512_set1_epi64(64));
    let (first, second) = (_mm512_cvtepu8_epi64(numbers), _mm512_cvtepu8_epi64(_mm_srli_si128::<8>(numbers)));
    let bits = |first, second| gathered(_mm512_sllv_epi64(one, first), _mm512_sllv_epi64(one, second));
    let lower = bits(first, second);
    let upper = bits(_mm512_sub_epi64(first, others), _mm512_sub_epi64(second, others));
    let across = |lanes| _mm512_shuffle_i64x2::<0b01_00_11_10>(lanes, lanes);
    pairs.with_third(lower, upper) & pairs.ascending() | pairs.with_third(across(lower), across(upper))
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn stored(bytes: __m512i) -> Bytes {
    let mut stored = Bytes([0; WIDTH]);
    // SAFETY: 64 bytes are there, and they are aligned.
    unsafe { _mm512_store_si512(stored.0.as_mut_ptr().cast(), bytes) };
    stored
}

#[target_feature(enable = "avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,popcnt")]
fn all(cards: &[Point], mut found: impl FnMut([Point; 3])) -> bool {
    let count = cards.len();
    if count > MOST {
        return false;
    }
    let here = ((1u32 << count) - 1) as u16;
    // SAFETY: a point is a byte, and only the bytes that are there are read.
    let numbers = unsafe { _mm_mask_loadu_epi8(_mm_set1_epi8(-1), here, cards.as_ptr().cast()) };
    if _mm_mask_cmpge_epu8_mask(here, numbers, _mm_set1_epi8(Deck::D81.size() as i8)) != 0 {
        return false;
    }
    let pairs = Pairs::new(numbers, count);
    let hits = hits_in(&pairs, numbers);
    let lists = pairs.sets(hits).map(|bytes| stored(bytes));
    for at in 0..hits.count_ones() as usize {
        found([0, 1, 2].map(|list| Point(lists[list].0[at])));
    }
    true
}

/// The cards of a set, codes ascending.
struct Sorted {
    /// Their numbers, and 255 in the other places.
    numbers: __m128i,
    count: usize,
    /// The bits of the numbers below 64 in every lane, and of the others.
    lower: __m512i,
    upper: __m512i,
}

/// The cards of a set; none if they do not fit.
#[inline]
#[target_feature(enable = "avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
fn sorted(cards: &PointSet) -> Option<Sorted> {
    let [low, high, rest @ ..] = cards.words();
    let below = low.count_ones() as usize;
    let count = below + high.count_ones() as usize;
    if count > MOST || high >> (Deck::D81.size() - 64) != 0 || rest != [0; 2] {
        return None;
    }
    let all = load(&NUMBERS);
    let first = _mm512_maskz_compress_epi8(low, all);
    let others = _mm512_maskz_compress_epi8(high, _mm512_add_epi8(all, _mm512_set1_epi8(64)));
    let both = _mm512_mask_expand_epi8(first, (u64::MAX << below) & ((1 << MOST) - 1), others);
    let here = ((1u32 << count) - 1) as u16;
    let numbers = _mm_mask_mov_epi8(_mm_set1_epi8(-1), here, _mm512_castsi512_si128(both));
    let every = |word: u64| _mm512_set1_epi64(word as i64);
    Some(Sorted { numbers, count, lower: every(low), upper: every(high) })
}

#[target_feature(enable = "avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,popcnt")]
fn any_of(cards: &PointSet) -> Option<bool> {
    let Sorted { numbers, count, lower, upper } = sorted(cards)?;
    Some(Pairs::new(numbers, count).with_third(lower, upper) != 0)
}

/// Sets among which one is chosen without a branch.
const FEW: u32 = 8;

/// The place of each of a few numbers, four times: which are compared with all.
static EACH: [[i16; 32]; 2] = each();

const fn each() -> [[i16; 32]; 2] {
    let (mut each, mut lane) = ([[0; 32]; 2], 0);
    while lane < 64 {
        each[lane / 32][lane % 32] = (lane / 8) as i16;
        lane += 1;
    }
    each
}

#[target_feature(enable = "avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,popcnt")]
fn one_of(cards: &PointSet, choose: impl FnOnce(u32) -> u32) -> Option<Option<[Point; 3]>> {
    let Sorted { numbers, count, lower, upper } = sorted(cards)?;
    let pairs = Pairs::new(numbers, count);
    // A Set of both halves shows at a pair of the second only if its third card is less than all of them.
    let least = _mm512_broadcastb_epi8(_mm_srli_si128::<8>(numbers));
    let back = _mm512_cmplt_epu8_mask(pairs.third, least) & (u64::MAX << (WIDTH / 2));
    let hits = pairs.with_third(lower, upper) & (pairs.ascending() | back);
    let count = hits.count_ones();
    if count == 0 || count > FEW {
        return (count == 0).then_some(None);
    }
    let lists = pairs.sets(hits).map(|bytes| _mm512_castsi512_si128(bytes));
    // Two cards tell Sets apart and say how they stand in order: how many come before each?
    let keys = _mm_unpacklo_epi8(lists[1], lists[0]);
    let (every, all) = (_mm512_castsi128_si512(keys), _mm512_broadcast_i32x4(keys));
    let less = EACH.each_ref().map(|each| {
        // SAFETY: 32 numbers are there.
        let each = unsafe { _mm512_loadu_si512(each.as_ptr().cast()) };
        u64::from(_mm512_cmplt_epu16_mask(all, _mm512_permutexvar_epi16(each, every)))
    });
    let here = u64::MAX >> (64 - count);
    let before = (less[0] | less[1] << 32) & (here * 0x0101_0101_0101_0101);
    let before = _mm_popcnt_epi8(_mm_cvtsi64_si128(before as i64));
    let chosen = _mm_cmpeq_epi8_mask(before, _mm_set1_epi8(choose(count) as i8));
    let at = (u64::from(chosen) & here).trailing_zeros();
    let card = |list: __m128i| Point((_mm_cvtsi128_si64(list) as u64).unbounded_shr(8 * at) as u8);
    Some((at < count).then(|| lists.map(card)))
}

/// Calls `found` with each Set of different cards, codes ascending. False if this processor or these cards do not fit; then
/// nothing was called.
pub(super) fn sets(cards: &[Point], found: impl FnMut([Point; 3])) -> bool {
    // SAFETY: the processor has what the function asks for. What is found is compared with a safe twin by
    // `vectors_find_what_the_portable_twin_finds`.
    *HERE && unsafe { all(cards, found) }
}

/// Whether there is a Set among them; none if this processor or these cards do not fit.
pub(super) fn any(cards: &PointSet) -> Option<bool> {
    // SAFETY: as above.
    if *HERE { unsafe { any_of(cards) } } else { None }
}

/// The Set that has as many before it in canonical order as `choose` says, who is told how many there are if there is one. None
/// if this processor or these cards do not fit.
pub(super) fn one(cards: &PointSet, choose: impl FnOnce(u32) -> u32) -> Option<Option<[Point; 3]>> {
    // SAFETY: as above.
    if *HERE { unsafe { one_of(cards, choose) } } else { None }
}
