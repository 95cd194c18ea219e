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

/// The pairs of a layout with their third cards.
struct Pairs {
    /// The lesser card of each pair, the other one and the third.
    less: __m512i,
    more: __m512i,
    third: __m512i,
    /// Those whose third card lies in the same half, and those whose third card lies in the other.
    same: u64,
    across: u64,
}

impl Pairs {
    /// Of `count` cards by their numbers; 255 in the other places, which is in no layout.
    #[inline]
    #[target_feature(enable = "avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,popcnt")]
    fn new(numbers: __m128i, count: usize) -> Pairs {
        let places = _mm512_broadcast_i32x4(numbers);
        let of = |tables: &[Bytes; 2]| _mm512_permutex2var_epi8(load(&tables[0]), places, load(&tables[1]));
        let (digits, exchanged) = (of(&DIGITS), of(&EXCHANGED));
        // The bits of each half, those of the numbers below 64 and the others; what is shifted too far is gone.
        let (one, others) = (_mm512_set1_epi64(1), _mm512_set1_epi64(64));
        let (first, second) =
            (_mm512_cvtepu8_epi64(numbers), _mm512_cvtepu8_epi64(_mm_srli_si128::<8>(numbers)));
        let bits = |first, second| gathered(_mm512_sllv_epi64(one, first), _mm512_sllv_epi64(one, second));
        let lower = bits(first, second);
        let upper = bits(_mm512_sub_epi64(first, others), _mm512_sub_epi64(second, others));
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
        let beyond = _mm512_movepi8_mask(_mm512_add_epi8(third, third));
        let lies = |lower, upper| {
            let lies = _mm512_bitshuffle_epi64_mask(lower, third) & !beyond
                | _mm512_bitshuffle_epi64_mask(upper, third) & beyond;
            lies & LANES[count]
        };
        let across = |lanes| _mm512_shuffle_i64x2::<0b01_00_11_10>(lanes, lanes);
        Pairs {
            less: _mm512_min_epu8(a, b),
            more: _mm512_max_epu8(a, b),
            third,
            same: lies(lower, upper),
            across: lies(across(lower), across(upper)),
        }
    }
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
    let Pairs { less, more, third, same, across } = Pairs::new(numbers, count);
    // Each Set once.
    let hits = same & _mm512_cmpgt_epu8_mask(third, more) | across;
    let sorted = [
        _mm512_min_epu8(less, third),
        _mm512_max_epu8(less, _mm512_min_epu8(more, third)),
        _mm512_max_epu8(more, third),
    ];
    let mut lists = [Bytes([0; WIDTH]), Bytes([0; WIDTH]), Bytes([0; WIDTH])];
    for (list, bytes) in lists.iter_mut().zip(sorted) {
        // SAFETY: 64 bytes are there, and they are aligned.
        unsafe {
            _mm512_store_si512(list.0.as_mut_ptr().cast(), _mm512_maskz_compress_epi8(hits, bytes));
        }
    }
    for at in 0..hits.count_ones() as usize {
        found([0, 1, 2].map(|list| Point(lists[list].0[at])));
    }
    true
}

#[target_feature(enable = "avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,popcnt")]
fn any_of(cards: &PointSet) -> Option<bool> {
    let [low, high, rest @ ..] = cards.words();
    let below = low.count_ones() as usize;
    let count = below + high.count_ones() as usize;
    if count > MOST || high >> (Deck::D81.size() - 64) != 0 || rest != [0; 2] {
        return None;
    }
    // The numbers of the cards that lie, close together: those from 64 on after the others.
    let all = load(&NUMBERS);
    let first = _mm512_maskz_compress_epi8(low, all);
    let others = _mm512_maskz_compress_epi8(high, _mm512_add_epi8(all, _mm512_set1_epi8(64)));
    let both = _mm512_mask_expand_epi8(first, (u64::MAX << below) & ((1 << MOST) - 1), others);
    let here = ((1u32 << count) - 1) as u16;
    let numbers = _mm_mask_mov_epi8(_mm_set1_epi8(-1), here, _mm512_castsi512_si128(both));
    let pairs = Pairs::new(numbers, count);
    Some(pairs.same | pairs.across != 0)
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
