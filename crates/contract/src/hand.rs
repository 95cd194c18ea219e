//! A hand of cards, and a set of faces.

use cards::Face;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A hand: how many cards of each face.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Hand {
    counts: [u8; Face::COUNT],
    len: u16,
}

impl Default for Hand {
    fn default() -> Self {
        Hand { counts: [0; Face::COUNT], len: 0 }
    }
}

impl Hand {
    /// Number of cards.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len as usize
    }
    /// Whether no card is held.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }
    /// How many cards of a face.
    #[must_use]
    pub const fn count(&self, face: Face) -> u8 {
        self.counts[face.index()]
    }
    /// How many of each face, by [`Face::index`].
    #[must_use]
    pub const fn counts(&self) -> &[u8; Face::COUNT] {
        &self.counts
    }
    /// Puts a card in.
    pub const fn add(&mut self, face: Face) {
        self.counts[face.index()] += 1;
        self.len += 1;
    }
    /// Takes a card out; false if there is none.
    pub const fn remove(&mut self, face: Face) -> bool {
        let count = &mut self.counts[face.index()];
        if *count == 0 {
            return false;
        }
        *count -= 1;
        self.len -= 1;
        true
    }
    /// The faces held, each once, in canonical order: suit by suit, ranks ascending, the joker last.
    pub fn faces(&self) -> impl Iterator<Item = Face> + '_ {
        (1..Face::COUNT).chain([0]).filter(|&i| self.counts[i] > 0).filter_map(Face::from_index)
    }
    /// Every card held, in canonical order.
    pub fn cards(&self) -> impl Iterator<Item = Face> + '_ {
        self.faces().flat_map(|face| std::iter::repeat_n(face, usize::from(self.count(face))))
    }
    /// The card at a place, from 0, in canonical order.
    #[must_use]
    pub fn nth(&self, place: usize) -> Option<Face> {
        self.cards().nth(place)
    }
}

impl FromIterator<Face> for Hand {
    fn from_iter<I: IntoIterator<Item = Face>>(cards: I) -> Hand {
        let mut hand = Hand::default();
        cards.into_iter().for_each(|card| hand.add(card));
        hand
    }
}

impl std::fmt::Debug for Hand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.cards()).finish()
    }
}

/// In JSON a hand is the list of its cards.
impl Serialize for Hand {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.cards())
    }
}

impl<'de> Deserialize<'de> for Hand {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let cards = Vec::<Face>::deserialize(deserializer)?;
        if cards.iter().any(|c| Face::from_index(c.index()) != Some(*c)) || cards.len() > 255 {
            return Err(serde::de::Error::custom("a hand is a list of at most 255 cards"));
        }
        Ok(cards.into_iter().collect())
    }
}

impl JsonSchema for Hand {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ContractHand".into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<Face>::json_schema(generator)
    }
}

/// A set of faces. In JSON the list of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaceSet(pub u64);

impl FaceSet {
    /// Whether a face is in it.
    #[must_use]
    pub const fn has(self, face: Face) -> bool {
        self.0 >> face.index() & 1 != 0
    }
    /// The faces in it, the joker last.
    pub fn faces(self) -> impl Iterator<Item = Face> {
        (1..Face::COUNT).chain([0]).filter(move |&i| self.0 >> i & 1 != 0).filter_map(Face::from_index)
    }
}

impl FromIterator<Face> for FaceSet {
    fn from_iter<I: IntoIterator<Item = Face>>(faces: I) -> FaceSet {
        FaceSet(faces.into_iter().fold(0, |set, face| set | 1 << face.index()))
    }
}

impl Serialize for FaceSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.faces())
    }
}

impl<'de> Deserialize<'de> for FaceSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::<Face>::deserialize(deserializer)?.into_iter().collect())
    }
}

impl JsonSchema for FaceSet {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "FaceSet".into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<Face>::json_schema(generator)
    }
}
