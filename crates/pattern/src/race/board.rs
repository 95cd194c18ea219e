//! The layout: zones of slots.

use crate::rules::Rules;
use cards::{Deck, Point};
use serde::{Deserialize, Serialize};

/// The layout, zone by zone; in each its slots, some of them empty. A card keeps its slot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(transparent)]
pub struct Board(pub Vec<Vec<Option<Point>>>);

impl Board {
    /// No card on any slot of the base.
    #[must_use]
    pub fn empty(rules: &Rules) -> Board {
        Board(vec![vec![None; usize::from(rules.base)]; usize::from(rules.zones)])
    }

    /// The cards, zone by zone, slot by slot.
    pub fn cards(&self) -> impl Iterator<Item = Point> + '_ {
        self.0.iter().flatten().filter_map(|&slot| slot)
    }

    /// The cards with their zones.
    pub fn placed(&self) -> impl Iterator<Item = (u8, Point)> + '_ {
        let zones = self.0.iter().enumerate();
        zones.flat_map(|(z, slots)| slots.iter().flatten().map(move |&card| (z as u8, card)))
    }

    /// How many cards lie.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cards().count()
    }

    /// Whether none lies.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cards().next().is_none()
    }

    /// How many cards lie in a zone.
    #[must_use]
    pub fn count(&self, zone: usize) -> usize {
        self.0[zone].iter().flatten().count()
    }

    /// The zone and slot where `card` lies.
    #[must_use]
    pub fn find(&self, card: Point) -> Option<(usize, usize)> {
        self.0
            .iter()
            .enumerate()
            .find_map(|(z, slots)| slots.iter().position(|&s| s == Some(card)).map(|s| (z, s)))
    }

    /// Whether `card` lies here.
    #[must_use]
    pub fn has(&self, card: Point) -> bool {
        self.find(card).is_some()
    }

    /// Takes `card` away; whether it lay here.
    pub(crate) fn remove(&mut self, card: Point) -> bool {
        let found = self.find(card);
        if let Some((zone, slot)) = found {
            self.0[zone][slot] = None;
        }
        found.is_some()
    }

    /// Lays `card`, adding the slot if the zone has fewer.
    pub(crate) fn put(&mut self, zone: usize, slot: usize, card: Point) {
        let slots = &mut self.0[zone];
        if slots.len() <= slot {
            slots.resize(slot + 1, None);
        }
        slots[slot] = Some(card);
    }

    /// In notation: slots in order, `--` for an empty one, `|` between zones.
    #[must_use]
    pub fn text(&self, deck: Deck) -> String {
        let slot = |s: &Option<Point>| s.map_or("--".into(), |card| deck.text(card));
        let zone = |slots: &Vec<Option<Point>>| slots.iter().map(slot).collect::<Vec<_>>().join(" ");
        self.0.iter().map(zone).collect::<Vec<_>>().join(" | ")
    }
}
