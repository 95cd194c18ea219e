//! The layout: zones of slots.

use crate::finder::PointSet;
use crate::rules::Rules;
use arrayvec::ArrayVec;
use cards::{Deck, Point};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ops::Range;

/// The layout, zone by zone; in each its slots, some of them empty. A card keeps its slot. In JSON a list of zones, each a
/// list of slots.
///
/// The slots of all zones stand one after another, and which cards lie is kept as bits besides: it is asked far more often
/// than where they lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    slots: Vec<Option<Point>>,
    /// Where each zone ends.
    ends: ArrayVec<u16, { Board::MOST_ZONES }>,
    lying: PointSet,
}

impl Board {
    /// Most zones there can be (PAT-ULTRA, stage 2).
    pub const MOST_ZONES: usize = 9;

    /// No card on any slot of the base.
    #[must_use]
    pub fn empty(rules: &Rules) -> Board {
        let base = u16::from(rules.base);
        let ends: ArrayVec<u16, { Board::MOST_ZONES }> =
            (1..=u16::from(rules.zones)).map(|zone| zone * base).take(Board::MOST_ZONES).collect();
        let slots = usize::from(ends.last().copied().unwrap_or(0));
        Board { slots: vec![None; slots], ends, lying: PointSet::EMPTY }
    }

    /// These slots in these zones; none if the zones are too many, if a slot holds what is no card, or a card lies twice.
    #[must_use]
    pub fn of(zones: &[Vec<Option<Point>>]) -> Option<Board> {
        let mut board = Board { slots: Vec::new(), ends: ArrayVec::new(), lying: PointSet::EMPTY };
        for slots in zones {
            for &card in slots.iter().flatten() {
                if usize::from(card.0) >= Deck::D243.points() || board.has(card) {
                    return None;
                }
                board.lying.add(card);
            }
            board.slots.extend_from_slice(slots);
            board.ends.try_push(u16::try_from(board.slots.len()).ok()?).ok()?;
        }
        Some(board)
    }

    /// How many zones there are.
    #[must_use]
    pub const fn zone_count(&self) -> usize {
        self.ends.len()
    }

    fn range(&self, zone: usize) -> Range<usize> {
        let start = if zone == 0 { 0 } else { self.ends[zone - 1] };
        usize::from(start)..usize::from(self.ends[zone])
    }

    /// The slots of a zone.
    ///
    /// # Panics
    /// If there is no such zone.
    #[must_use]
    pub fn zone(&self, zone: usize) -> &[Option<Point>] {
        &self.slots[self.range(zone)]
    }

    /// The zones, each as its slots.
    pub fn zones(&self) -> impl ExactSizeIterator<Item = &[Option<Point>]> {
        (0..self.zone_count()).map(|zone| self.zone(zone))
    }

    /// The cards, zone by zone, slot by slot.
    pub fn cards(&self) -> impl Iterator<Item = Point> + '_ {
        self.slots.iter().filter_map(|&slot| slot)
    }

    /// The cards as a set.
    #[must_use]
    pub const fn lying(&self) -> &PointSet {
        &self.lying
    }

    /// The cards with their zones.
    pub fn placed(&self) -> impl Iterator<Item = (u8, Point)> + '_ {
        let zones = self.zones().enumerate();
        zones.flat_map(|(z, slots)| slots.iter().flatten().map(move |&card| (z as u8, card)))
    }

    /// How many cards lie.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.lying.len()
    }

    /// Whether none lies.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.lying.is_empty()
    }

    /// How many cards lie in a zone.
    ///
    /// # Panics
    /// If there is no such zone.
    #[must_use]
    pub fn count(&self, zone: usize) -> usize {
        self.zone(zone).iter().flatten().count()
    }

    /// The zone and slot where `card` lies.
    #[must_use]
    pub fn find(&self, card: Point) -> Option<(usize, usize)> {
        let place = self.place(card)?;
        let zone = self.ends.iter().position(|&end| place < usize::from(end))?;
        Some((zone, place - self.range(zone).start))
    }

    /// The zone where `card` lies; the first if it does not lie here.
    #[must_use]
    pub fn zone_of(&self, card: Point) -> u8 {
        self.find(card).map_or(0, |(zone, _)| zone as u8)
    }

    fn place(&self, card: Point) -> Option<usize> {
        if self.has(card) { self.slots.iter().position(|&slot| slot == Some(card)) } else { None }
    }

    /// Whether `card` lies here.
    #[must_use]
    pub const fn has(&self, card: Point) -> bool {
        self.lying.has(card)
    }

    /// Takes `card` away; whether it lay here.
    pub(crate) fn remove(&mut self, card: Point) -> bool {
        let found = self.place(card);
        if let Some(place) = found {
            self.slots[place] = None;
            self.lying.remove(card);
        }
        found.is_some()
    }

    /// Lays `card`, adding the slot if the zone has fewer.
    pub(crate) fn put(&mut self, zone: usize, slot: usize, card: Point) {
        let range = self.range(zone);
        if slot >= range.len() {
            let more = slot + 1 - range.len();
            self.slots.splice(range.end..range.end, std::iter::repeat_n(None, more));
            self.ends[zone..].iter_mut().for_each(|end| *end += more as u16);
        }
        let place = &mut self.slots[range.start + slot];
        if let Some(covered) = place.replace(card) {
            self.lying.remove(covered);
        }
        self.lying.add(card);
    }

    /// The first slot of a zone without a card; the one after its last if there is none.
    #[must_use]
    pub(crate) fn first_empty(&self, zone: usize) -> usize {
        let slots = self.zone(zone);
        slots.iter().position(Option::is_none).unwrap_or(slots.len())
    }

    /// Lays cards on all slots in order, as far as they reach.
    pub(crate) fn fill(&mut self, cards: impl IntoIterator<Item = Point>) {
        for (slot, card) in self.slots.iter_mut().zip(cards) {
            *slot = Some(card);
            self.lying.add(card);
        }
    }

    /// In notation: slots in order, `--` for an empty one, `|` between zones.
    #[must_use]
    pub fn text(&self, deck: Deck) -> String {
        let slot = |s: &Option<Point>| s.map_or("--".into(), |card| deck.text(card));
        let zone = |slots: &[Option<Point>]| slots.iter().map(slot).collect::<Vec<_>>().join(" ");
        self.zones().map(zone).collect::<Vec<_>>().join(" | ")
    }
}

impl Serialize for Board {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.zones())
    }
}

impl<'de> Deserialize<'de> for Board {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Board, D::Error> {
        let zones = Vec::<Vec<Option<Point>>>::deserialize(deserializer)?;
        Board::of(&zones).ok_or_else(|| {
            serde::de::Error::custom(
                "a layout has at most nine zones, and in them each card of the deck once",
            )
        })
    }
}

impl schemars::JsonSchema for Board {
    fn schema_name() -> Cow<'static, str> {
        "Board".into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let mut schema = Vec::<Vec<Option<Point>>>::json_schema(generator);
        let about = "The layout, zone by zone; in each its slots, some of them empty. A card keeps its slot.";
        schema.insert("description".into(), about.into());
        schema
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Board, serde_json::Error> {
        serde_json::from_str(json)
    }

    #[test]
    fn json_and_slots_agree() {
        let text = "[[0,null,5],[],[7]]";
        let mut board = read(text).expect("a layout");
        assert_eq!(serde_json::to_string(&board).expect("JSON"), text);
        board.put(1, 1, Point(9));
        assert!(board.remove(Point(0)) && !board.remove(Point(0)));
        assert_eq!(serde_json::to_string(&board).expect("JSON"), "[[null,null,5],[null,9],[7]]");
        assert_eq!((board.find(Point(9)), board.find(Point(7))), (Some((1, 1)), Some((2, 0))));
        assert_eq!((board.len(), board.count(0), board.first_empty(0)), (3, 1, 0));
        assert_eq!(board.first_empty(2), 1);
        let lying: Vec<Point> = board.lying().iter().collect();
        let mut cards: Vec<Point> = board.cards().collect();
        cards.sort_unstable();
        assert_eq!(lying, cards);
    }

    #[test]
    fn what_is_no_layout_is_not_read() {
        for text in ["[[0,0]]", "[[0],[0]]", "[[243]]", "[[],[],[],[],[],[],[],[],[],[]]", "[0]"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
