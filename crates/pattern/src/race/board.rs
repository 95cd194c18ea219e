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
/// The slots of all zones stand one after another. Which cards lie is kept as bits besides, and where, because that is
/// asked far more often than it changes.
#[derive(Debug, PartialEq, Eq)]
pub struct Board {
    slots: Vec<Option<Point>>,
    zones: ArrayVec<Zone, { Board::MOST_ZONES }>,
    lying: PointSet,
    /// Which of the first 64 slots are empty.
    empty: u64,
    hints: Hints,
}

impl Board {
    /// The same cards on these slots.
    fn on(&self, slots: Vec<Option<Point>>) -> Board {
        Board {
            slots,
            zones: self.zones.clone(),
            lying: self.lying,
            empty: self.empty,
            hints: self.hints.clone(),
        }
    }
}

impl Clone for Board {
    fn clone(&self) -> Board {
        self.on(self.slots.clone())
    }

    /// Keeps the memory that the slots have.
    fn clone_from(&mut self, other: &Board) {
        let mut slots = std::mem::take(&mut self.slots);
        slots.clone_from(&other.slots);
        *self = other.on(slots);
    }
}

/// A slot of all as a bit; none after the first 64.
#[inline]
pub(super) fn bit(place: usize) -> u64 {
    if place < 64 { 1 << place } else { 0 }
}

/// Slots of all as bits.
pub(super) fn bits(places: Range<usize>) -> u64 {
    let below = |place: usize| if place < 64 { (1 << place) - 1 } else { u64::MAX };
    below(places.end) & !below(places.start)
}

/// Where each card was put last, which is where it lies if it lies there. No part of what the layout is. In place, because a
/// layout is copied more often than a hint is worth another piece of memory.
#[derive(Clone, Debug)]
struct Hints([u8; Deck::D243.points()]);

impl Hints {
    const NONE: Hints = Hints([0; Deck::D243.points()]);

    /// Remembers where `card` lies.
    #[inline]
    fn put(&mut self, card: Point, place: usize) {
        if let Some(hint) = self.0.get_mut(usize::from(card.0)) {
            *hint = place as u8;
        }
    }
}

impl PartialEq for Hints {
    fn eq(&self, _: &Hints) -> bool {
        true
    }
}

impl Eq for Hints {}

/// Of a zone, where its slots end and how many cards lie there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Zone {
    end: u16,
    cards: u16,
}

impl Board {
    /// Most zones there can be (PAT-ULTRA, stage 2).
    pub const MOST_ZONES: usize = 9;

    /// No card on any slot of the base.
    #[must_use]
    pub fn empty(rules: &Rules) -> Board {
        let base = u16::from(rules.base);
        let ends = (1..=u16::from(rules.zones)).map(|zone| zone * base).take(Board::MOST_ZONES);
        let zones: ArrayVec<Zone, { Board::MOST_ZONES }> = ends.map(|end| Zone { end, cards: 0 }).collect();
        let slots = zones.last().map_or(0, |zone| usize::from(zone.end));
        let empty = bits(0..slots);
        Board { slots: vec![None; slots], zones, lying: PointSet::EMPTY, empty, hints: Hints::NONE }
    }

    /// These slots in these zones; none if the zones are too many, if a slot holds what is no card, or a card lies twice.
    #[must_use]
    pub fn of(zones: &[Vec<Option<Point>>]) -> Option<Board> {
        let mut board = Board {
            slots: Vec::new(),
            zones: ArrayVec::new(),
            lying: PointSet::EMPTY,
            empty: 0,
            hints: Hints::NONE,
        };
        for slots in zones {
            for &card in slots.iter().flatten() {
                if usize::from(card.0) >= Deck::D243.points() || board.has(card) {
                    return None;
                }
                board.lying.add(card);
            }
            board.slots.extend_from_slice(slots);
            let (end, cards) =
                (u16::try_from(board.slots.len()).ok()?, slots.iter().flatten().count() as u16);
            board.zones.try_push(Zone { end, cards }).ok()?;
        }
        board.count_empty();
        Some(board)
    }

    fn count_empty(&mut self) {
        let empty = self.slots.iter().enumerate().filter(|(_, slot)| slot.is_none());
        self.empty = empty.fold(0, |bits, (place, _)| bits | bit(place));
    }

    /// Which of the first 64 slots of all are empty, as bits.
    pub(crate) const fn empty_places(&self) -> u64 {
        self.empty
    }

    /// How many zones there are.
    #[must_use]
    pub const fn zone_count(&self) -> usize {
        self.zones.len()
    }

    /// Where the slots of a zone stand among all.
    pub(crate) fn range(&self, zone: usize) -> Range<usize> {
        let start = if zone == 0 { 0 } else { self.zones[zone - 1].end };
        usize::from(start)..usize::from(self.zones[zone].end)
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
        usize::from(self.zones[zone].cards)
    }

    /// The zone and slot where `card` lies.
    #[must_use]
    pub fn find(&self, card: Point) -> Option<(usize, usize)> {
        let place = self.place(card)?;
        let zone = self.zone_at(place)?;
        Some((zone, place - self.range(zone).start))
    }

    /// The zone where `card` lies; the first if it does not lie here.
    #[must_use]
    pub fn zone_of(&self, card: Point) -> u8 {
        self.find(card).map_or(0, |(zone, _)| zone as u8)
    }

    fn zone_at(&self, place: usize) -> Option<usize> {
        self.zones.iter().position(|zone| place < usize::from(zone.end))
    }

    /// In which slot of all `card` lies.
    #[inline]
    pub(crate) fn place(&self, card: Point) -> Option<usize> {
        let hint = self.hints.0.get(usize::from(card.0)).map(|&place| usize::from(place));
        match hint {
            Some(place) if self.slots.get(place) == Some(&Some(card)) => Some(place),
            _ => self.search(card),
        }
    }

    #[cold]
    fn search(&self, card: Point) -> Option<usize> {
        self.slots.iter().position(|&slot| slot == Some(card))
    }

    /// Whether `card` lies here.
    #[must_use]
    pub const fn has(&self, card: Point) -> bool {
        self.lying.has(card)
    }

    /// Takes `card` away; whether it lay here.
    #[inline]
    pub(crate) fn remove(&mut self, card: Point) -> bool {
        let Some(place) = self.place(card) else { return false };
        self.slots[place] = None;
        self.empty |= bit(place);
        self.lying.remove(card);
        if let Some(zone) = self.zone_at(place) {
            self.zones[zone].cards -= 1;
        }
        true
    }

    /// Lays `card`, adding the slot if the zone has fewer.
    #[inline(always)]
    pub(crate) fn put(&mut self, zone: usize, slot: usize, card: Point) {
        let range = self.range(zone);
        if slot >= range.len() {
            self.widen(zone, slot + 1);
        }
        let place = range.start + slot;
        self.zones[zone].cards += 1;
        if let Some(covered) = self.slots[place].replace(card) {
            self.zones[zone].cards -= 1;
            self.lying.remove(covered);
        }
        self.empty &= !bit(place);
        self.lying.add(card);
        self.hints.put(card, place);
    }

    /// Gives a zone so many slots. Those of later zones move.
    #[cold]
    fn widen(&mut self, zone: usize, slots: usize) {
        let range = self.range(zone);
        let more = slots - range.len();
        self.slots.splice(range.end..range.end, std::iter::repeat_n(None, more));
        self.zones[zone..].iter_mut().for_each(|zone| zone.end += more as u16);
        if zone + 1 == self.zones.len() {
            self.empty |= bits(range.end..range.end + more);
        } else {
            self.count_empty();
        }
    }

    /// The first slot of a zone without a card; the one after its last if there is none.
    #[must_use]
    pub(crate) fn first_empty(&self, zone: usize) -> usize {
        let slots = self.zone(zone);
        slots.iter().position(Option::is_none).unwrap_or(slots.len())
    }

    /// Lays cards on all slots in order, as far as they reach.
    pub(crate) fn fill(&mut self, cards: impl IntoIterator<Item = Point>) {
        let mut cards = cards.into_iter();
        let mut start = 0;
        for zone in &mut self.zones {
            let end = usize::from(zone.end);
            for (place, card) in (start..end).zip(&mut cards) {
                zone.cards += u16::from(self.slots[place].is_none());
                self.slots[place] = Some(card);
                self.empty &= !bit(place);
                self.lying.add(card);
                self.hints.put(card, place);
            }
            start = end;
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
        "RaceBoard".into()
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
    use game::chance::{Chance, SplitMix};

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
    fn what_is_kept_besides_the_slots_follows_from_them() {
        let check = |board: &Board| {
            let slots: Vec<Vec<Option<Point>>> = board.zones().map(<[_]>::to_vec).collect();
            assert_eq!(Some(board), Board::of(&slots).as_ref());
            for (zone, slots) in slots.iter().enumerate() {
                assert_eq!(board.count(zone), slots.iter().flatten().count());
            }
            for (place, slot) in board.slots.iter().enumerate() {
                assert_eq!(board.empty_places() & bit(place) != 0, slot.is_none() && place < 64);
            }
            for card in (0..243).map(Point) {
                let place = board.slots.iter().position(|&slot| slot == Some(card));
                assert_eq!((board.place(card), board.has(card)), (place, place.is_some()));
            }
        };
        let mut chance = SplitMix(3);
        for (zones, base) in [(1, 12), (3, 6), (9, 3), (1, 70)] {
            let rules = Rules { zones, base, deck: Deck::D243, ..Rules::default() };
            let mut board = Board::empty(&rules);
            check(&board);
            board.fill((0..base * zones / 2).map(|card| Point(3 * card)));
            check(&board);
            for _ in 0..300 {
                let card = Point(chance.below(243) as u8);
                if board.has(card) {
                    assert!(board.remove(card));
                } else {
                    let slots = u32::from(base) + 2;
                    board.put(chance.below(u32::from(zones)) as usize, chance.below(slots) as usize, card);
                }
                check(&board);
            }
        }
    }

    #[test]
    fn what_is_no_layout_is_not_read() {
        for text in ["[[0,0]]", "[[0],[0]]", "[[243]]", "[[],[],[],[],[],[],[],[],[],[]]", "[0]"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
