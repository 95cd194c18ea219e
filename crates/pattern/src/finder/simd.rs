//! All Sets of up to 16 cards of `d81` at once, with AVX2.
//!
//! A card is a byte of four digits of two bits each, so cards and bytes rise alike. The third card of `a` and `b` is
//! `(a & b) | (!(a | b) & s)`, where `s` is `a ^ b` with the bits of each digit exchanged: where the two agree the digit
//! stays, where one is 0 and the other is not the missing value has the other bit, and 1 with 2 gives 0.
//!
//! All pairs of places stand side by side, 32 in a row, those of the first places first. The byte of a third card is made
//! its number again, and the number looked up among the bits of the layout. Each Set shows at its three pairs and is
//! listed at the one whose third card is the greatest.

use super::{PointSet, third};
use cards::{Deck, Point};
use std::arch::x86_64::*;
use std::ops::ControlFlow::{self, Continue};
use std::sync::LazyLock;

/// Most cards that are looked at together.
const MOST: usize = 16;

/// Rows of pairs.
const ROWS: usize = 4;

/// Whether this processor has what is asked for here.
static HERE: LazyLock<bool> =
    LazyLock::new(|| is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt"));

/// The places of each pair, the second before the first: 1 and 0, 2 and 0, 2 and 1, 3 and 0, and so on.
static PAIRS: [[u8; 2]; 32 * ROWS] = pairs();

const fn pairs() -> [[u8; 2]; 32 * ROWS] {
    let mut pairs = [[0; 2]; 32 * ROWS];
    let (mut lane, mut first) = (0, 1);
    while first < MOST {
        let mut second = 0;
        while second < first {
            pairs[lane] = [first as u8, second as u8];
            lane += 1;
            second += 1;
        }
        first += 1;
    }
    pairs
}

/// The first places of the pairs, row by row, and the second ones.
static FIRST: [[u64; 4]; ROWS] = places(0);
static SECOND: [[u64; 4]; ROWS] = places(1);

const fn places(which: usize) -> [[u64; 4]; ROWS] {
    let (pairs, mut rows) = (pairs(), [[0; 4]; ROWS]);
    let mut lane = 0;
    while lane < 32 * ROWS {
        rows[lane / 32][lane % 32 / 8] |= (pairs[lane][which] as u64) << (lane % 8 * 8);
        lane += 1;
    }
    rows
}

/// The lanes of the pairs of so many places, row by row.
static LANES: [[u32; ROWS]; MOST + 1] = lanes();

const fn lanes() -> [[u32; ROWS]; MOST + 1] {
    let mut lanes = [[0; ROWS]; MOST + 1];
    let mut count = 0;
    while count <= MOST {
        let mut lane = 0;
        while lane < count * count.saturating_sub(1) / 2 {
            lanes[count][lane / 32] |= 1 << (lane % 32);
            lane += 1;
        }
        count += 1;
    }
    lanes
}

/// The bit of each card in a layout.
static BITS: [[u64; 2]; 81] = bits();

const fn bits() -> [[u64; 2]; 81] {
    let mut bits = [[0; 2]; 81];
    let mut card = 0;
    while card < 81 {
        bits[card][card / 64] = 1 << (card % 64);
        card += 1;
    }
    bits
}

/// Sixteen bytes, in both halves.
#[inline]
#[target_feature(enable = "avx2")]
fn twice([low, high]: [u64; 2]) -> __m256i {
    _mm256_broadcastsi128_si256(_mm_set_epi64x(high as i64, low as i64))
}

#[inline]
#[target_feature(enable = "avx2")]
fn row([a, b, c, d]: [u64; 4]) -> __m256i {
    _mm256_setr_epi64x(a as i64, b as i64, c as i64, d as i64)
}

/// A layout, ready to be asked for its pairs.
struct Layout {
    /// The cards as bytes, in both halves, and with the bits of each digit exchanged.
    cards: __m256i,
    exchanged: __m256i,
    /// The numbers of the cards as bits, in both halves.
    lying: __m256i,
    /// How many places are taken.
    count: usize,
}

impl Layout {
    /// Of `count` cards, their numbers as bytes in `places`; anything in the other places.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(places: [u64; 2], lying: __m128i, count: usize) -> Layout {
        // The number is 9 q + r; by 16 bits, so that they can be multiplied.
        let numbers = _mm256_cvtepu8_epi16(_mm_set_epi64x(places[1] as i64, places[0] as i64));
        let q = _mm256_mulhi_epu16(numbers, _mm256_set1_epi16(65536u32.div_ceil(9) as i16));
        let both = _mm256_add_epi16(numbers, _mm256_mullo_epi16(q, _mm256_set1_epi16(256 - 9)));
        let digits = twice([0x0908_0605_0402_0100, 0x0a]);
        let bytes = _mm256_shuffle_epi8(digits, both);
        let bytes = _mm256_or_si256(bytes, _mm256_srli_epi16::<4>(bytes));
        let bytes = _mm256_and_si256(bytes, _mm256_set1_epi16(255));
        let cards = _mm256_permute4x64_epi64::<0b10_00_10_00>(_mm256_packus_epi16(bytes, bytes));
        let odd = _mm256_set1_epi8(0x55);
        let down = _mm256_and_si256(_mm256_srli_epi16::<1>(cards), odd);
        let up = _mm256_and_si256(cards, odd);
        let exchanged = _mm256_or_si256(down, _mm256_add_epi8(up, up));
        Layout { cards, exchanged, lying: _mm256_broadcastsi128_si256(lying), count }
    }

    /// The pairs of a row whose third card lies here; if `greatest`, only those where it is the greatest of the three.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn hits(&self, at: usize, greatest: bool) -> u32 {
        let (first, second) = (row(FIRST[at]), row(SECOND[at]));
        let (a, b) = (_mm256_shuffle_epi8(self.cards, first), _mm256_shuffle_epi8(self.cards, second));
        let exchanged = _mm256_xor_si256(
            _mm256_shuffle_epi8(self.exchanged, first),
            _mm256_shuffle_epi8(self.exchanged, second),
        );
        let third =
            _mm256_or_si256(_mm256_and_si256(a, b), _mm256_andnot_si256(_mm256_or_si256(a, b), exchanged));
        let nibble = _mm256_set1_epi8(15);
        let ones = twice([0x0005_0403_0002_0100, 0x0008_0706]);
        let nines = twice([0x002d_241b_0012_0900, 0x0048_3f36]);
        let number = _mm256_add_epi8(
            _mm256_shuffle_epi8(ones, _mm256_and_si256(third, nibble)),
            _mm256_shuffle_epi8(nines, _mm256_and_si256(_mm256_srli_epi16::<4>(third), nibble)),
        );
        let byte = _mm256_and_si256(_mm256_srli_epi16::<3>(number), nibble);
        let bit = _mm256_shuffle_epi8(twice([0x8040_2010_0804_0201; 2]), number);
        let lies = _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_shuffle_epi8(self.lying, byte), bit), bit);
        let hits = if greatest {
            let most = _mm256_max_epu8(third, _mm256_max_epu8(a, b));
            _mm256_and_si256(lies, _mm256_cmpeq_epi8(most, third))
        } else {
            lies
        };
        _mm256_movemask_epi8(hits) as u32 & LANES[self.count][at]
    }

    /// Whether there is a Set.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn any(&self) -> bool {
        (0..ROWS).any(|at| LANES[self.count][at] != 0 && self.hits(at, false) != 0)
    }

    /// Each Set once.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    fn sets(&self, places: [u64; 2]) -> Sets {
        let mut hits = [0; 2];
        for at in 0..ROWS {
            if LANES[self.count][at] != 0 {
                hits[at / 2] |= u64::from(self.hits(at, true)) << (at % 2 * 32);
            }
        }
        Sets { places, hits, count: hits[0].count_ones() + hits[1].count_ones() }
    }
}

/// The Sets of a layout.
pub(super) struct Sets {
    /// The cards in their places, as bytes.
    places: [u64; 2],
    /// The pairs whose third cards make Sets.
    hits: [u64; 2],
    count: u32,
}

impl Sets {
    /// How many.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Each Set, codes ascending; in canonical order if the greatest card stands first, the least last.
    #[inline]
    pub fn each<B>(&self, mut visit: impl FnMut([Point; 3]) -> ControlFlow<B>) -> ControlFlow<B> {
        for half in [1, 0] {
            let mut rest = self.hits[half];
            while rest != 0 {
                let lane = 63 - rest.leading_zeros() as usize;
                rest ^= 1 << lane;
                visit(self.at(64 * half + lane))?;
            }
        }
        Continue(())
    }

    /// The Set that has so many before it.
    #[inline]
    pub fn nth(&self, before: u32) -> Option<[Point; 3]> {
        let mut left = before;
        for half in [1, 0] {
            let mut rest = self.hits[half];
            while rest != 0 {
                let lane = 63 - rest.leading_zeros() as usize;
                if left == 0 {
                    return Some(self.at(64 * half + lane));
                }
                left -= 1;
                rest ^= 1 << lane;
            }
        }
        None
    }

    #[inline]
    fn at(&self, lane: usize) -> [Point; 3] {
        let card = |place: u8| Point((self.places[usize::from(place >> 3 & 1)] >> (8 * (place & 7))) as u8);
        let [a, b] = PAIRS[lane].map(card);
        [a.min(b), a.max(b), third(a, b)]
    }
}

/// The bits that are set in a byte, the highest first, and then zeros.
static SET_BITS: [[u8; 8]; 256] = set_bits();

const fn set_bits() -> [[u8; 8]; 256] {
    let mut all = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut count) = (8, 0);
        while bit > 0 {
            bit -= 1;
            if byte >> bit & 1 == 1 {
                all[byte][count] = bit;
                count += 1;
            }
        }
        byte += 1;
    }
    all
}

/// The cards of a set in their places, the greatest first, as bits, and how many they are; none if they do not fit. Byte
/// by byte of the set, whatever is in it: no branch that nobody can foresee.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn placed(cards: &PointSet) -> Option<([u64; 2], __m128i, usize)> {
    let [low, high, rest @ ..] = cards.words();
    let count = (low.count_ones() + high.count_ones()) as usize;
    if count > MOST || high >> (Deck::D81.size() - 64) != 0 || rest != [0; 2] {
        return None;
    }
    // Each time eight bytes are written, however many are meant; the mask changes nothing but spares a check.
    let mut places = [0u8; 32 + 8];
    let mut next = 0;
    for byte in (0..Deck::D81.size().div_ceil(8)).rev() {
        let set = if byte < 8 { low >> (8 * byte) } else { high >> (8 * byte - 64) } as u8;
        let bits = u64::from_le_bytes(SET_BITS[usize::from(set)]);
        let numbers = bits.wrapping_add(0x0101_0101_0101_0101 * 8 * byte as u64);
        places[next..][..8].copy_from_slice(&numbers.to_le_bytes());
        next = (next + set.count_ones() as usize) & 31;
    }
    let half = |at: usize| u64::from_le_bytes(places[at..][..8].try_into().expect("eight bytes"));
    Some(([half(0), half(8)], _mm_set_epi64x(high as i64, low as i64), count))
}

#[target_feature(enable = "avx2,popcnt")]
fn all_of(cards: &PointSet) -> Option<Sets> {
    let (places, lying, count) = placed(cards)?;
    Some(Layout::new(places, lying, count).sets(places))
}

#[target_feature(enable = "avx2,popcnt")]
fn any_of(cards: &PointSet) -> Option<bool> {
    let (places, lying, count) = placed(cards)?;
    Some(Layout::new(places, lying, count).any())
}

/// Eight numbers as bytes.
#[inline]
fn eight(cards: &[Point; 8]) -> u64 {
    u64::from_le_bytes(cards.map(|card| card.0))
}

#[target_feature(enable = "avx2,popcnt")]
fn all_in(cards: &[Point]) -> Option<Sets> {
    let count = cards.len();
    if count > MOST {
        return None;
    }
    let places = match (cards.first_chunk(), cards.last_chunk()) {
        // The last eight hold some of the first eight again.
        (Some(first), Some(last)) if count > 8 => [eight(first), eight(last) >> (8 * (MOST - count))],
        _ => [cards.iter().rev().fold(0, |bytes, card| bytes << 8 | u64::from(card.0)), 0],
    };
    let (mut even, mut odd) = (_mm_setzero_si128(), _mm_setzero_si128());
    let mut pairs = cards.chunks_exact(2);
    for pair in &mut pairs {
        even = _mm_or_si128(even, bits_of(pair[0])?);
        odd = _mm_or_si128(odd, bits_of(pair[1])?);
    }
    if let [last] = pairs.remainder() {
        even = _mm_or_si128(even, bits_of(*last)?);
    }
    Some(Layout::new(places, _mm_or_si128(even, odd), count).sets(places))
}

#[inline]
#[target_feature(enable = "avx2")]
fn bits_of(card: Point) -> Option<__m128i> {
    let [low, high] = *BITS.get(usize::from(card.0))?;
    Some(_mm_set_epi64x(high as i64, low as i64))
}

/// All Sets of different cards, in canonical order; none if this processor or these cards do not fit.
pub(super) fn all(cards: &PointSet) -> Option<Sets> {
    // SAFETY: the processor has what the function asks for, which touches no raw memory. The same holds below. What is
    // found is compared with safe twins by `vectors_find_what_the_portable_twin_finds`.
    if *HERE { unsafe { all_of(cards) } } else { None }
}

/// Whether there is a Set among them; none if this processor or these cards do not fit.
pub(super) fn any(cards: &PointSet) -> Option<bool> {
    // SAFETY: as above.
    if *HERE { unsafe { any_of(cards) } } else { None }
}

/// All Sets of different cards, wherever they stand; none if this processor or these cards do not fit.
pub(super) fn listed(cards: &[Point]) -> Option<Sets> {
    // SAFETY: as above.
    if *HERE { unsafe { all_in(cards) } } else { None }
}
