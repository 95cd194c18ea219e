//! Fair deals: docs/fair-deal.md says what they prove and how.
//!
//! For each deal the server binds itself to a secret seed before any player's client gives its own. All seeds together
//! make the deal key; every use of chance draws from a stream of its own, named by a label. So neither side alone chose
//! the cards, and afterwards anybody can compute them again (`tools/verify_fair_deal.py`).

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher};
use game::{Chance, Draw, Need};
use hkdf::Hkdf;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;

/// A seed or a hash: 32 bytes, written as 64 hexadecimal digits.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, JsonSchema)]
#[schemars(with = "String")]
pub struct Bytes32(pub [u8; 32]);

impl fmt::Display for Bytes32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Bytes32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Bytes32 {
    type Err = String;
    fn from_str(text: &str) -> Result<Bytes32, String> {
        let wrong = || format!("`{text}` is no seed: write 64 hexadecimal digits");
        if text.len() != 64 || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(wrong());
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| wrong())?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| wrong())?;
        }
        Ok(Bytes32(bytes))
    }
}

impl Serialize for Bytes32 {
    fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Bytes32 {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Bytes32, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

/// What stands in for the seed of a bot, of an empty seat, and of a client that did not open: SHA-256 of the words
/// `parlour stand-in`.
#[must_use]
pub fn stand_in() -> Bytes32 {
    Bytes32(Sha256::digest(b"parlour stand-in").into())
}

/// The commitment to a seed: its SHA-256.
#[must_use]
pub fn commitment(seed: &Bytes32) -> Bytes32 {
    Bytes32(Sha256::digest(seed.0).into())
}

/// Why the seed of a seat is in no card of a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// Its person was connected, and not bound to a seed when commitments were closed.
    Unbound,
    /// It was bound to a seed, which was not opened in time.
    Unopened,
    /// Its person was not connected.
    Away,
}

impl Why {
    /// Why a seat has no part in a deal, from what the log says by the time of its first draw; none if it has one, or if
    /// nobody sits there who could.
    #[must_use]
    pub const fn of(bound: bool, opened: bool, unbound: bool, person: bool) -> Option<Why> {
        match (opened, bound, unbound, person) {
            (true, ..) => None,
            (_, true, ..) => Some(Why::Unopened),
            (_, _, true, _) => Some(Why::Unbound),
            (.., true) => Some(Why::Away),
            _ => None,
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Why::Unbound => "was connected but bound to no seed",
            Why::Unopened => "did not open its seed",
            Why::Away => "was away and had no seed",
        })
    }
}

/// The key of one deal, from which all its chance comes.
#[derive(Clone)]
pub struct DealKey {
    key: Hkdf<Sha256>,
    context: Vec<u8>,
}

impl fmt::Debug for DealKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DealKey")
    }
}

/// The length of `bytes` in four bytes, big end first, and then `bytes`.
fn prefixed(bytes: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&(bytes.len() as u32).to_be_bytes());
    out.extend_from_slice(bytes);
}

impl DealKey {
    /// The key of deal `deal` (from 1) of match `id`. `clients` holds one seed for each seat of the table, in order; none
    /// where the stand-in takes its place.
    #[must_use]
    pub fn new(id: &str, deal: u16, server: &Bytes32, clients: &[Option<Bytes32>]) -> DealKey {
        let mut seeds = Vec::with_capacity(36 * (clients.len() + 1));
        prefixed(&server.0, &mut seeds);
        for client in clients {
            prefixed(&client.unwrap_or_else(stand_in).0, &mut seeds);
        }
        let mut context = Vec::new();
        prefixed(id.as_bytes(), &mut context);
        context.extend_from_slice(&u32::from(deal).to_be_bytes());
        DealKey { key: Hkdf::new(Some(SALT), &seeds), context }
    }

    /// The stream for the use that `label` names.
    #[must_use]
    pub fn stream(&self, label: &str) -> Stream {
        let mut info = self.context.clone();
        prefixed(label.as_bytes(), &mut info);
        let mut key = [0; 32];
        self.key.expand(&info, &mut key).expect("32 bytes are within what HKDF gives");
        Stream { cipher: ChaCha20::new(&key.into(), &[0; 12].into()), block: [0; 64], used: 64 }
    }

    /// What chance decides about `need`, and always the same.
    #[must_use]
    pub fn answer(&self, need: &Need) -> Draw {
        self.stream(&label(need)).answer(need)
    }
}

const SALT: &[u8] = b"parlour fair-deal-1";

/// The label of the stream that answers `need`: `dealer`, `cut`, `shuffle/R` or `pick/K`.
#[must_use]
pub fn label(need: &Need) -> String {
    match need {
        Need::Dealer { .. } => "dealer".to_owned(),
        Need::Shuffle { nth, .. } => format!("shuffle/{nth}"),
        Need::Pick { nth, .. } => format!("pick/{nth}"),
        Need::Cut { .. } => "cut".to_owned(),
    }
}

/// The deal that `need` belongs to; who deals first belongs to the first.
#[must_use]
pub const fn deal(need: &Need) -> u16 {
    match need {
        Need::Dealer { .. } => 1,
        Need::Shuffle { deal, .. } | Need::Pick { deal, .. } | Need::Cut { deal, .. } => *deal,
    }
}

/// Numbers from one stream: the key stream of ChaCha20 (RFC 8439) in words of 32 bits, little end first.
pub struct Stream {
    cipher: ChaCha20,
    block: [u8; 64],
    used: usize,
}

impl Stream {
    fn word(&mut self) -> u32 {
        if self.used == 64 {
            self.block = [0; 64];
            self.cipher.apply_keystream(&mut self.block);
            self.used = 0;
        }
        let word = self.block[self.used..self.used + 4].try_into().expect("four bytes");
        self.used += 4;
        u32::from_le_bytes(word)
    }
}

/// A uniform number in `0..bound` from uniform words. Words from the last, incomplete round of `0..bound` are thrown away,
/// so that every number is equally likely.
fn uniform(bound: u32, mut word: impl FnMut() -> u32) -> u32 {
    assert!(bound > 0, "a number below 0 was asked for");
    let incomplete = (u32::MAX % bound + 1) % bound; // 2^32 mod bound
    loop {
        let word = word();
        if word <= u32::MAX - incomplete {
            return word % bound;
        }
    }
}

impl Chance for Stream {
    fn below(&mut self, bound: u32) -> u32 {
        uniform(bound, || self.word())
    }
}

/// The chance of a whole match from one seed, without clients: scenarios, and the day's games.
#[derive(Clone, Debug)]
pub struct Solo {
    id: String,
    seed: Bytes32,
    seats: u8,
}

impl Solo {
    /// The chance that match `id` of `seats` seats has from `seed`, the server's, with the stand-in for everybody else.
    #[must_use]
    pub fn new(id: impl Into<String>, seed: Bytes32, seats: u8) -> Solo {
        Solo { id: id.into(), seed, seats }
    }

    /// The key of one deal.
    #[must_use]
    pub fn key(&self, deal: u16) -> DealKey {
        DealKey::new(&self.id, deal, &self.seed, &vec![None; usize::from(self.seats)])
    }

    /// What chance decides about `need`.
    #[must_use]
    pub fn answer(&self, need: &Need) -> Draw {
        self.key(deal(need)).answer(need)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_thrown_away_only_in_the_incomplete_round() {
        let from = |bound, words: &[u32]| {
            let mut words = words.iter();
            (uniform(bound, || *words.next().unwrap()), words.len())
        };
        assert_eq!(from(2, &[u32::MAX]), (1, 0));
        assert_eq!(from(3, &[u32::MAX, 4, 5]), (1, 1));
        assert_eq!(from(3, &[u32::MAX - 1]), (2, 0));
        assert_eq!(from(1, &[77]), (0, 0));
    }

    #[test]
    fn seeds_read_back_and_slips_are_named() {
        let seed: Bytes32 =
            "0123456789abcdefABCDEF0123456789abcdef0123456789abcdef0123456789".parse().unwrap();
        assert_eq!(seed.to_string().parse(), Ok(seed));
        assert!("55".parse::<Bytes32>().unwrap_err().contains("64 hexadecimal digits"));
        assert!("zz".repeat(32).parse::<Bytes32>().is_err());
    }

    #[test]
    fn every_deal_and_every_use_has_a_stream_of_its_own() {
        let solo = Solo::new("scenario", Bytes32([5; 32]), 4);
        let order = |deal, nth| solo.answer(&Need::Shuffle { deal, nth, cards: 52 });
        assert_eq!(order(1, 0), order(1, 0));
        assert_ne!(order(1, 0), order(1, 1));
        assert_ne!(order(1, 0), order(2, 0));
        let other = Solo::new("scenario", Bytes32([5; 32]), 3);
        assert_ne!(order(1, 0), other.answer(&Need::Shuffle { deal: 1, nth: 0, cards: 52 }));
    }
}
