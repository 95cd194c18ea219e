//! All Sets of up to 16 cards of `d81` at once, with AVX2.
//!
//! A card is a byte of two bit planes: bit `k` says that feature `k` is 1, bit `4 + k` that it is 2. Then the third card of
//! `a` and `b` is `(a & b) | (!(a | b) & s)`, where `s` is `a ^ b` with its planes exchanged: where the two agree they
//! stay, where one is 0 and the other is not the missing value is in the other plane, and 1 with 2 gives 0.
//!
//! All pairs stand side by side: each card beside the one `d` places on, `d` = 1 to 8, round a circle of 16. Whether a
//! third card lies there is looked up in a table of 16 x 16 bits, which is the union of one row of memory for each card.
//! Each Set shows at its three pairs and is kept at the one whose third card is its greatest byte; empty places hold 255,
//! which no third card reaches.

use super::THIRD;
use cards::Point;
use std::arch::x86_64::*;

/// Most cards that are looked at together.
pub(super) const MOST: usize = 16;

/// The byte of each card.
static BYTES: [u8; 81] = bytes();

/// The bit of each card in the table: byte `b & 15`, in the upper half if bit 7 of `b` is set; bit `b >> 4 & 7`.
static ROWS: [[i64; 4]; 81] = rows();

const fn bytes() -> [u8; 81] {
    let mut bytes = [0; 81];
    let mut card = 0;
    while card < 81 {
        let (mut rest, mut feature) = (card, 0);
        while feature < 4 {
            bytes[card] |= [0, 1, 16][rest % 3] << feature;
            rest /= 3;
            feature += 1;
        }
        card += 1;
    }
    bytes
}

const fn rows() -> [[i64; 4]; 81] {
    let mut rows = [[0; 4]; 81];
    let mut card = 0;
    while card < 81 {
        let byte = bytes()[card] as usize;
        let place = (byte & 15) + 16 * (byte >> 7);
        rows[card][place / 8] = 1 << (8 * (place % 8) + (byte >> 4 & 7));
        card += 1;
    }
    rows
}

/// For two distances, the places of the second cards.
#[target_feature(enable = "avx2")]
fn places(first: i8) -> __m256i {
    let step = |lane: i8, d: i8| (lane + d) & 15;
    let (d, e) = (first, first + 1);
    _mm256_setr_epi8(
        step(0, d),
        step(1, d),
        step(2, d),
        step(3, d),
        step(4, d),
        step(5, d),
        step(6, d),
        step(7, d),
        step(8, d),
        step(9, d),
        step(10, d),
        step(11, d),
        step(12, d),
        step(13, d),
        step(14, d),
        step(15, d),
        step(0, e),
        step(1, e),
        step(2, e),
        step(3, e),
        step(4, e),
        step(5, e),
        step(6, e),
        step(7, e),
        step(8, e),
        step(9, e),
        step(10, e),
        step(11, e),
        step(12, e),
        step(13, e),
        step(14, e),
        step(15, e),
    )
}

/// Calls `found` with each Set, codes ascending. The cards are at most [`MOST`] different ones of `d81`.
#[target_feature(enable = "avx2")]
pub(super) fn sets(cards: &[Point], mut found: impl FnMut([Point; 3])) {
    debug_assert!(cards.len() <= MOST);
    let mut table = _mm256_setzero_si256();
    let mut halves = [u64::MAX; 2];
    for (place, card) in cards.iter().enumerate() {
        let row = &ROWS[usize::from(card.0)];
        table = _mm256_or_si256(table, _mm256_setr_epi64x(row[0], row[1], row[2], row[3]));
        let byte = u64::from(!BYTES[usize::from(card.0)]);
        halves[place >> 3] ^= byte << (8 * (place & 7));
    }
    let all = _mm256_broadcastsi128_si256(_mm_set_epi64x(halves[1] as i64, halves[0] as i64));
    let low_nibbles = _mm256_set1_epi8(15);
    // The same with the planes exchanged.
    let exchanged = _mm256_or_si256(
        _mm256_and_si256(_mm256_srli_epi16::<4>(all), low_nibbles),
        _mm256_andnot_si256(low_nibbles, _mm256_slli_epi16::<4>(all)),
    );
    let lower = _mm256_permute2x128_si256::<0x00>(table, table);
    let upper = _mm256_permute2x128_si256::<0x11>(table, table);
    let bits = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128,
    ));
    for step in 0..4 {
        let to = places(2 * step as i8 + 1);
        let other = _mm256_shuffle_epi8(all, to);
        let planes = _mm256_xor_si256(exchanged, _mm256_shuffle_epi8(exchanged, to));
        let third = _mm256_or_si256(
            _mm256_and_si256(all, other),
            _mm256_andnot_si256(_mm256_or_si256(all, other), planes),
        );
        let column = _mm256_and_si256(third, low_nibbles);
        let bit = _mm256_shuffle_epi8(bits, _mm256_and_si256(_mm256_srli_epi16::<4>(third), low_nibbles));
        let row =
            _mm256_blendv_epi8(_mm256_shuffle_epi8(lower, column), _mm256_shuffle_epi8(upper, column), third);
        let lies = _mm256_cmpeq_epi8(_mm256_and_si256(row, bit), bit);
        let greatest = _mm256_cmpeq_epi8(_mm256_max_epu8(third, _mm256_max_epu8(all, other)), third);
        let mut hits = _mm256_movemask_epi8(_mm256_and_si256(lies, greatest)) as u32;
        if step == 3 {
            // Eight places on and eight places back are the same pair.
            hits &= 0x00ff_ffff;
        }
        while hits != 0 {
            let lane = hits.trailing_zeros() as usize;
            hits &= hits - 1;
            let first = lane & 15;
            let second = (first + 2 * step + 1 + (lane >> 4)) & 15;
            let (a, b) = (cards[first], cards[second]);
            let c = Point(THIRD[usize::from(a.0)][usize::from(b.0)]);
            let (low, high) = (a.min(b), a.max(b));
            found([low.min(c), low.max(c.min(high)), high.max(c)]);
        }
    }
}
