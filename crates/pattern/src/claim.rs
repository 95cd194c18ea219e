//! Claims: which cards are said to form the table's pattern (rulebook, 1.4 and ruling Q-01).

use arrayvec::ArrayVec;
use cards::{Deck, Point};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Groups of cards that are said to be right. In JSON a list of groups: a Set `[[a,b,c]]`, a SuperSET with its pairs
/// `[[[a,b],[c,d]]]` or without `[[a,b,c,d]]`, several patterns one after another. Claims name cards, never slots.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Claim {
    /// The cards named, and then zeros: so claims that are the same are the same bytes, and copying is cheap.
    cards: [Point; Claim::MOST_CARDS],
    /// Cards in each group, and then zeros.
    lengths: [u8; Claim::MOST_GROUPS],
    /// How many cards and groups.
    count: u8,
    groups: u8,
    /// Whether each group of four is two pairs.
    paired: bool,
}

impl Claim {
    /// Most cards that can be named.
    pub const MOST_CARDS: usize = 20;
    /// Most groups that can be named.
    pub const MOST_GROUPS: usize = 6;

    /// A claim of nothing yet.
    #[must_use]
    pub const fn new() -> Claim {
        let cards = [Point(0); Claim::MOST_CARDS];
        Claim { cards, lengths: [0; Claim::MOST_GROUPS], count: 0, groups: 0, paired: false }
    }

    /// A claim of one group.
    #[must_use]
    #[inline]
    pub fn one(cards: &[Point]) -> Claim {
        Claim::of([cards]).unwrap_or_default()
    }

    /// A claim of several groups; none if they are too many.
    pub fn of<'a>(groups: impl IntoIterator<Item = &'a [Point]>) -> Option<Claim> {
        let mut claim = Claim::new();
        for group in groups {
            claim.push(group)?;
        }
        Some(claim)
    }

    /// A SuperSET with its pairs named.
    #[must_use]
    pub fn pairs(first: [Point; 2], second: [Point; 2]) -> Claim {
        let mut claim = Claim::one(&[first[0], first[1], second[0], second[1]]);
        claim.paired = true;
        claim
    }

    /// Adds a group; none if there is no room for it.
    #[inline]
    pub fn push(&mut self, group: &[Point]) -> Option<()> {
        let (from, to) = (usize::from(self.count), usize::from(self.count) + group.len());
        let length = self.lengths.get_mut(usize::from(self.groups))?;
        self.cards.get_mut(from..to)?.copy_from_slice(group);
        *length = group.len() as u8;
        (self.count, self.groups) = (to as u8, self.groups + 1);
        Some(())
    }

    /// Says that the groups are pairs of pairs.
    pub fn set_paired(&mut self) {
        self.paired = true;
    }

    /// Whether each group is two pairs, in order.
    #[must_use]
    pub const fn paired(&self) -> bool {
        self.paired
    }

    /// All cards named, group by group; a card that two groups share stands twice.
    #[must_use]
    pub fn cards(&self) -> &[Point] {
        &self.cards[..usize::from(self.count)]
    }

    fn lengths(&self) -> &[u8] {
        &self.lengths[..usize::from(self.groups)]
    }

    /// The groups.
    pub fn groups(&self) -> impl Iterator<Item = &[Point]> + Clone {
        let mut rest = self.cards();
        self.lengths().iter().map(move |&n| {
            let (group, after) = rest.split_at(usize::from(n));
            rest = after;
            group
        })
    }

    /// Number of groups.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.groups as usize
    }

    /// Whether nothing is claimed.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.groups == 0
    }

    /// In notation: `0000 0111 0222`, `0111 2212 + 0002 2021`, `A B C / D E F`.
    #[must_use]
    pub fn text(&self, deck: Deck) -> String {
        let group = |cards: &[Point]| match (self.paired, cards) {
            (true, [a, b, c, d]) => format!("{} + {}", deck.text_all(&[*a, *b]), deck.text_all(&[*c, *d])),
            _ => deck.text_all(cards),
        };
        self.groups().map(group).collect::<Vec<_>>().join(" / ")
    }

    /// Reads the notation of [`Claim::text`].
    ///
    /// # Errors
    /// What is wrong, in words: a word that is no card, too many cards, pairs that are none.
    pub fn parse(deck: Deck, text: &str) -> Result<Claim, String> {
        let mut claim = Claim::new();
        let many = || format!("a claim names at most {} cards", Claim::MOST_CARDS);
        for group in text.split('/') {
            let mut cards = ArrayVec::<Point, { Claim::MOST_CARDS }>::new();
            for (i, pair) in group.split('+').enumerate() {
                let pair = deck.parse_all(pair)?;
                if group.contains('+') {
                    if pair.len() != 2 || i > 1 {
                        return Err("write two pairs, such as `A B + C D`".into());
                    }
                    claim.paired = true;
                }
                cards.try_extend_from_slice(&pair).map_err(|_| many())?;
            }
            if cards.is_empty() {
                return Err("a claim names its cards".into());
            }
            claim.push(&cards).ok_or_else(many)?;
        }
        if claim.paired && claim.lengths().iter().any(|&n| n != 4) {
            return Err("if one pattern is written as two pairs, then all are".into());
        }
        Ok(claim)
    }
}

impl Default for Claim {
    fn default() -> Claim {
        Claim::new()
    }
}

impl std::fmt::Debug for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.groups()).finish()?;
        f.write_str(if self.paired { " in pairs" } else { "" })
    }
}

/// Up to `N` cards, copied as plain bytes whatever is in it. In JSON a list of cards.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Few<const N: usize> {
    /// And then zeros: so lists that are the same are the same bytes.
    cards: [Point; N],
    count: u8,
}

impl<const N: usize> Few<N> {
    /// No card.
    #[must_use]
    pub const fn new() -> Few<N> {
        Few { cards: [Point(0); N], count: 0 }
    }

    /// These cards.
    ///
    /// # Panics
    /// If they are too many.
    #[must_use]
    #[inline]
    pub fn of(cards: &[Point]) -> Few<N> {
        let mut few = Few::new();
        few.cards[..cards.len()].copy_from_slice(cards);
        few.count = cards.len() as u8;
        few
    }

    /// The same cards where there is room for `M`; they are not more.
    #[inline]
    pub(crate) fn cut<const M: usize>(&self) -> Few<M> {
        debug_assert!(self.len() <= M);
        let mut cut = Few::<M>::new();
        cut.cards.copy_from_slice(&self.cards[..M]);
        Few { count: self.count.min(M as u8), ..cut }
    }
}

impl<const N: usize> Default for Few<N> {
    fn default() -> Few<N> {
        Few::new()
    }
}

impl<const N: usize> std::ops::Deref for Few<N> {
    type Target = [Point];
    #[inline]
    fn deref(&self) -> &[Point] {
        &self.cards[..usize::from(self.count)]
    }
}

impl<const N: usize> FromIterator<Point> for Few<N> {
    fn from_iter<I: IntoIterator<Item = Point>>(cards: I) -> Few<N> {
        let mut few = Few::new();
        for card in cards {
            few.cards[usize::from(few.count)] = card;
            few.count += 1;
        }
        few
    }
}

impl<'a, const N: usize> IntoIterator for &'a Few<N> {
    type Item = &'a Point;
    type IntoIter = std::slice::Iter<'a, Point>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<const N: usize> std::fmt::Debug for Few<N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(f)
    }
}

impl<const N: usize> Serialize for Few<N> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
    }
}

impl<'de, const N: usize> Deserialize<'de> for Few<N> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Few<N>, D::Error> {
        Ok(Few::of(&ArrayVec::<Point, N>::deserialize(deserializer)?))
    }
}

impl<const N: usize> schemars::JsonSchema for Few<N> {
    fn inline_schema() -> bool {
        ArrayVec::<Point, N>::inline_schema()
    }
    fn schema_name() -> Cow<'static, str> {
        ArrayVec::<Point, N>::schema_name()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        ArrayVec::<Point, N>::json_schema(generator)
    }
}

/// A group as JSON has it.
#[derive(Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "ClaimGroup")]
#[serde(untagged, expecting = "a group is a list of cards or of two pairs of cards")]
enum Group {
    Pairs([[Point; 2]; 2]),
    Cards(Vec<Point>),
}

impl Serialize for Claim {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.groups().map(|cards| match (self.paired, cards) {
            (true, &[a, b, c, d]) => Group::Pairs([[a, b], [c, d]]),
            _ => Group::Cards(cards.to_vec()),
        }))
    }
}

impl<'de> Deserialize<'de> for Claim {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Claim, D::Error> {
        use serde::de::Error;
        let groups = Vec::<Group>::deserialize(deserializer)?;
        let paired = groups.iter().filter(|g| matches!(g, Group::Pairs(_))).count();
        if paired != 0 && paired != groups.len() {
            return Err(D::Error::custom("either all groups are two pairs or none is"));
        }
        let mut claim = Claim { paired: paired > 0, ..Claim::new() };
        for group in groups {
            let fits = match group {
                Group::Pairs([[a, b], [c, d]]) => claim.push(&[a, b, c, d]),
                Group::Cards(cards) => claim.push(&cards),
            };
            fits.ok_or_else(|| D::Error::custom("too many cards for a claim"))?;
        }
        Ok(claim)
    }
}

impl schemars::JsonSchema for Claim {
    fn schema_name() -> Cow<'static, str> {
        "PatternClaim".into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<Group>::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_json_round_trip() {
        for (text, json) in [
            ("0000 0111 0222", "[[0,13,26]]"),
            ("0111 2212 + 0002 2021", "[[[13,77],[2,61]]]"),
            ("0000 0001 0002 / 0010 0011 0012", "[[0,1,2],[3,4,5]]"),
        ] {
            let claim = Claim::parse(Deck::D81, text).unwrap();
            assert_eq!(claim.text(Deck::D81), text);
            assert_eq!(serde_json::to_string(&claim).unwrap(), json);
            assert_eq!(serde_json::from_str::<Claim>(json).unwrap(), claim);
        }
        for text in
            ["", "0000 /", "0000 0001 + 0002", "0000 + 0001 0002", "0000 0001 + 0002 0010 / 0011", "x"]
        {
            assert!(Claim::parse(Deck::D81, text).is_err(), "{text}");
        }
        assert!(serde_json::from_str::<Claim>("[[[1,2],[3,4]],[1,2,3]]").is_err());
    }

    #[test]
    fn a_few_cards_are_written_like_any_list() {
        let list: ArrayVec<Point, 3> = [Point(7), Point(80)].into_iter().collect();
        let few: Few<3> = list.iter().copied().collect();
        assert_eq!((&*few, few), (&list[..], Few::of(&list)));
        assert_eq!(few, Few::<12>::of(&list).cut());
        assert_eq!(serde_json::to_string(&few).unwrap(), serde_json::to_string(&list).unwrap());
        assert_eq!(serde_json::from_str::<Few<3>>("[7,80]").unwrap(), few);
        assert!(serde_json::from_str::<Few<3>>("[1,2,3,4]").is_err());
        assert_eq!(schemars::schema_for!(Few<3>), schemars::schema_for!(ArrayVec<Point, 3>));
    }
}
