//! What this person has picked, and when that becomes a call or a claim.

use super::RaceShared;
use crate::lang::PAGE;
use cards::Point;
use leptos::prelude::*;
use pattern::Command;
use pattern::offers::Shape;
use screen::pick::{self, call};

/// The cards picked.
#[derive(Clone, Copy)]
pub struct Picker(RwSignal<pick::Picker>);

impl Picker {
    /// Nothing is picked.
    #[must_use]
    pub fn new() -> Picker {
        Picker(RwSignal::new(pick::Picker::default()))
    }

    /// Keeps what is picked in step with the layout: only cards that have gone are dropped from it.
    pub fn watch(self, race: RaceShared) {
        let open = Memo::new(move |_| {
            let mut cards: Vec<Point> = race.state.with(|s| s.board.cards().collect());
            cards.extend(race.own_cards());
            cards
        });
        Effect::new(move || {
            open.with(|open| {
                self.0.maybe_update(|picker| picker.keep(open));
            });
        });
        // A verdict on the own claim, or a refusal, ends it.
        let judged = Memo::new(move |_| race.state.with(|s| s.last.clone()));
        Effect::new(move |first: Option<()>| {
            let verdicts = judged.get();
            let me = race.desk.me.get_untracked();
            if first.is_some() && verdicts.iter().any(|v| Some(v.seat) == me) {
                self.clear();
            }
        });
        Effect::new(move |before: Option<u32>| {
            let n = race.desk.refused.with(|r| r.0);
            if before.is_some_and(|b| b != n) && self.0.with_untracked(pick::Picker::is_sent) {
                self.clear();
            }
            n
        });
        // A search begins or ends: what was picked for the find is done with.
        let searching = Memo::new(move |_| race.state.with(|s| s.search.is_some()));
        Effect::new(move |before: Option<bool>| {
            let now = searching.get();
            if before.is_some_and(|b| b != now) {
                self.clear();
            }
            now
        });
    }

    /// Picks nothing.
    pub fn clear(self) {
        self.0.update(pick::Picker::clear);
    }

    /// Whether a card is picked, and the number printed on it where the order matters.
    pub fn place(self, card: Point) -> Option<Option<usize>> {
        let shape = use_context::<RaceShared>().map_or(Shape::Cards(3), shape);
        self.0.with(|picker| picker.place(shape, card))
    }

    /// Looks at what is picked.
    pub fn with<T>(self, look: impl FnOnce(&pick::Picker) -> T) -> T {
        self.0.with(look)
    }

    /// Calls, if that is how this table begins a claim.
    pub fn call(self, race: RaceShared) {
        send(race, race.offers_untracked(call));
    }

    /// A card was pressed.
    pub fn press(self, race: RaceShared, card: Point) {
        if !race.desk.live || race.desk.me.get_untracked().is_none() {
            return;
        }
        let mut picker = self.0.get_untracked();
        let commands = race.state.with_untracked(|state| {
            race.offers_untracked(|offers| picker.press(shape(race), state, offers, card))
        });
        self.0.set(picker);
        send(race, commands);
    }

    /// Whether a button sends what is picked.
    pub fn can_claim(self, race: RaceShared) -> bool {
        self.0.with(|picker| picker.can_claim(shape(race)))
    }

    /// What that button says.
    pub fn claim_label(self, race: RaceShared) -> String {
        self.0.with(|picker| picker.claim_label(PAGE, shape(race)))
    }

    /// Claims what is picked.
    pub fn claim(self, race: RaceShared) {
        let mut picker = self.0.get_untracked();
        let commands = picker.claim(shape(race));
        self.0.set(picker);
        send(race, commands);
    }
}

impl Default for Picker {
    fn default() -> Self {
        Picker::new()
    }
}

fn send(race: RaceShared, commands: impl IntoIterator<Item = Command>) {
    commands.into_iter().for_each(|command| race.send(command));
}

fn shape(race: RaceShared) -> Shape {
    race.rules.with_value(|rules| rules.claim_shape())
}
