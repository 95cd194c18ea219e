//! The layout on the screen: where each slot stands, the letter on each card, and the cards as buttons.

use super::RaceShared;
use crate::prefs::{Letters, prefs};
use crate::{dom, t, ui};
use cards::Point;
use leptos::prelude::*;
use pattern::race::Board;
use pattern::rules::Rules;

/// How zones and slots are laid out: once for wide screens, once for tall ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrangement {
    /// Zones beside one another, wide and tall.
    zone_columns: (usize, usize),
    /// Columns of cards in a zone, wide and tall.
    columns: (usize, usize),
    /// Rows of cards in a zone, wide and tall.
    rows: (usize, usize),
    /// Slots a zone has without extra cards.
    base: usize,
    zones: usize,
}

impl Arrangement {
    /// For this layout: room for the fullest zone.
    #[must_use]
    pub fn of(rules: &Rules, board: &Board) -> Arrangement {
        let (zones, base) = (usize::from(rules.zones).max(1), usize::from(rules.base).max(1));
        let most = board
            .zones()
            .map(|z| z.iter().rposition(Option::is_some).map_or(0, |last| last + 1))
            .max()
            .unwrap_or(0)
            .max(base);
        match zones {
            1 => {
                // Wide: three rows or four, extra cards in new columns. Tall: three columns, extra cards in new rows.
                let rows = usize::from(rules.layout_rows).max(1);
                let columns = base.div_ceil(rows) + (most - base).div_ceil(rows);
                Arrangement {
                    zone_columns: (1, 1),
                    columns: (columns, 3),
                    rows: (rows, most.div_ceil(3)),
                    base,
                    zones,
                }
            }
            3 => {
                let columns = most.div_ceil(3);
                Arrangement {
                    zone_columns: (3, 1),
                    columns: (columns, 3),
                    rows: (3, most.div_ceil(3)),
                    base,
                    zones,
                }
            }
            _ => {
                let wide = 2.max(most.div_ceil(2));
                Arrangement { zone_columns: (3, 3), columns: (wide, 1), rows: (2, most), base, zones }
            }
        }
    }

    /// Row and column in its zone of a slot on a wide screen, from 0.
    fn wide(&self, slot: usize) -> (usize, usize) {
        if self.zones == 1 {
            let rows = self.rows.0;
            let across = self.base.div_ceil(rows);
            if slot < self.base {
                (slot / across, slot % across)
            } else {
                ((slot - self.base) % rows, across + (slot - self.base) / rows)
            }
        } else {
            (slot / self.columns.0, slot % self.columns.0)
        }
    }

    /// Row and column in its zone of a slot on a tall screen, from 0.
    fn tall(&self, slot: usize) -> (usize, usize) {
        (slot / self.columns.1, slot % self.columns.1)
    }

    /// Columns and rows of cards in all, wide and tall.
    fn extent(&self) -> [usize; 4] {
        let zone_rows = (self.zones.div_ceil(self.zone_columns.0), self.zones.div_ceil(self.zone_columns.1));
        [
            self.zone_columns.0 * self.columns.0,
            zone_rows.0 * self.rows.0,
            self.zone_columns.1 * self.columns.1,
            zone_rows.1 * self.rows.1,
        ]
    }

    /// The key that picks a slot: the place on the keyboard is the place on a wide screen. Of four rows each column is a row of
    /// keys, for there are three; boards with yet more rows take the keys in reading order.
    #[must_use]
    pub fn key(&self, keys: Letters, zone: usize, slot: usize) -> Option<char> {
        let (row, column) = self.wide(slot);
        if self.rows.0 > 3 && self.zones == 1 {
            return keys.at(column % 3, column / 3 * self.rows.0 + row);
        }
        if self.zones <= 3 {
            return keys.at(row, zone * self.columns.0 + column);
        }
        let n = zone * 3 + slot;
        (slot < 3)
            .then(|| keys.at(n / 9, n % 9))
            .flatten()
            .or_else(|| keys.at(zone / 3, 9).filter(|_| slot == 3 && zone.is_multiple_of(3)))
    }

    /// The card that a key picks.
    #[must_use]
    pub fn card_at_key(&self, board: &Board, keys: Letters, letter: char) -> Option<Point> {
        board.zones().enumerate().find_map(|(z, slots)| {
            slots
                .iter()
                .enumerate()
                .find_map(|(s, card)| card.filter(|_| self.key(keys, z, s) == Some(letter)))
        })
    }
}

/// The layout.
#[component]
pub fn BoardView() -> impl IntoView {
    let race: RaceShared = expect_context();
    let prefs = prefs();
    let arrangement =
        Memo::new(move |_| race.state.with(|s| race.rules.with_value(|r| Arrangement::of(r, &s.board))));
    let extent = move |n: usize| arrangement.get().extent()[n].to_string();
    let keys = Memo::new(move |_| prefs.get().letters());
    let zones = race.rules.with_value(|r| usize::from(r.zones).max(1));
    let several = zones > 1;
    let zone = move |z: usize| {
        let cards = Memo::new(move |_| {
            race.state.with(|s| {
                s.board
                    .zones()
                    .nth(z)
                    .map(|slots| {
                        slots.iter().enumerate().filter_map(|(n, c)| Some((n, (*c)?))).collect::<Vec<_>>()
                    })
                    .unwrap_or_default()
            })
        });
        let label = if zones == 1 { t!("race.layout") } else { t!("race.zone", n = z + 1) };
        view! {
            <div class="zone" role="group" aria-label=label>
                <For each=move || cards.get() key=|(slot, card)| (*slot, card.0) let((slot, card))>
                    {
                        let place = move || arrangement.get();
                        view! {
                            <div
                                class="slot"
                                style:--r=move || (place().wide(slot).0 + 1).to_string()
                                style:--c=move || (place().wide(slot).1 + 1).to_string()
                                style:--tr=move || (place().tall(slot).0 + 1).to_string()
                                style:--tc=move || (place().tall(slot).1 + 1).to_string()
                            >
                                {card_button_with(race, card, Signal::derive(move || place().key(keys.get(), z, slot)), true)}
                            </div>
                        }
                    }
                </For>
            </div>
        }
    };
    view! {
        <div class="board-room">
            <div
                class="board"
                data-testid="board"
                class:several=several
                class:closed=move || race.state.with(|s| s.call.is_some_and(|c| race.desk.me.get().is_none_or(|me| !c.callers.has(me))))
                style:--c-wide=move || extent(0)
                style:--r-wide=move || extent(1)
                style:--c-tall=move || extent(2)
                style:--r-tall=move || extent(3)
                style:--z-wide=move || arrangement.get().zone_columns.0.to_string()
                style:--z-tall=move || arrangement.get().zone_columns.1.to_string()
                style:--zr-wide=move || zones.div_ceil(arrangement.get().zone_columns.0).to_string()
                style:--zr-tall=move || zones.div_ceil(arrangement.get().zone_columns.1).to_string()
            >
                {(0..zones).map(zone).collect_view()}
            </div>
        </div>
    }
}

/// By what a card is known where it moves to.
pub fn flip_key(card: Point) -> String {
    format!("p{}", card.0)
}

/// A card as a button, with the key that picks it.
pub fn card_button(race: RaceShared, card: Point, key: Option<char>) -> AnyView {
    card_button_with(race, card, Signal::stored(key), false)
}

fn card_button_with(race: RaceShared, card: Point, key: Signal<Option<char>>, on_board: bool) -> AnyView {
    let picker = race.picker;
    let place = Memo::new(move |_| picker.place(card));
    let wrong = Memo::new(move |_| {
        race.state.with(|s| s.last.iter().any(|v| !v.finding.right() && v.claim.cards().contains(&card)))
    });
    let lit = Memo::new(move |_| {
        race.state.with(|s| s.lit.contains(&card) || s.search.as_ref().is_some_and(|q| q.points == card))
            || race.view.with(|v| v.mine.hints.contains(&card))
            || race.advice.names(card)
    });
    let name = ui::pattern_name(race.deck, card);
    let label = {
        let name = name.clone();
        move || match key.get() {
            Some(key) => t!("race.card_key", card = name, key = dom::capital(key)),
            None => name.clone(),
        }
    };
    view! {
        <button
            class="pcard"
            class:picked=move || place.get().is_some()
            class:wrong=move || wrong.get()
            class:lit=move || lit.get()
            data-testid=if on_board { "card" } else { "own-card" }
            data-home=on_board.then_some("")
            data-card=race.deck.text(card)
            data-flip=flip_key(card)
            data-from="#race-stock"
            aria-label=label
            aria-pressed=move || place.get().is_some().to_string()
            // A claim is decided by milliseconds: the finger's touch counts, not its leaving.
            on:pointerdown=move |event| {
                if dom::presses(&event) {
                    picker.press(race, card);
                }
            }
            on:click=move |event| {
                if event.detail() == 0 {
                    picker.press(race, card);
                }
            }
        >
            {ui::pattern_card(race.deck, card)}
            {move || key.get().map(|key| view! { <kbd aria-hidden="true">{dom::capital(key)}</kbd> })}
            {move || place.get().flatten().map(|n| view! { <span class="badge" aria-hidden="true">{n}</span> })}
        </button>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prefs::Keys;
    use std::collections::HashSet;

    fn board(zones: usize, slots: usize) -> Board {
        let slot = |z, s| Some(Point((z * slots + s) as u8));
        let zones: Vec<Vec<_>> = (0..zones).map(|z| (0..slots).map(|s| slot(z, s)).collect()).collect();
        Board::of(&zones).expect("each card once")
    }

    #[test]
    fn every_slot_has_a_place_and_a_key_of_its_own() {
        for (zones, base, most, rows) in [
            (1, 9, 21, 3),
            (1, 12, 21, 3),
            (1, 12, 21, 4),
            (1, 15, 21, 3),
            (1, 15, 21, 4),
            (3, 6, 7, 3),
            (9, 3, 3, 3),
        ] {
            let rules = Rules { zones: zones as u8, base: base as u8, layout_rows: rows, ..Rules::default() };
            let board = board(zones, most);
            let arrangement = Arrangement::of(&rules, &board);
            let mut keys = HashSet::new();
            for zone in 0..zones {
                let places: HashSet<_> =
                    (0..most).map(|s| (arrangement.wide(s), arrangement.tall(s))).collect();
                assert_eq!(places.len(), most);
                for slot in 0..most {
                    let (row, column) = arrangement.wide(slot);
                    assert!(
                        row < arrangement.rows.0 && column < arrangement.columns.0,
                        "{arrangement:?} {slot}"
                    );
                    let key = arrangement.key(Keys::Qwerty.letters(), zone, slot).expect("a key");
                    assert!(keys.insert(key), "{key} twice");
                    assert_eq!(
                        arrangement.card_at_key(&board, Keys::Qwerty.letters(), key),
                        board.zone(zone)[slot]
                    );
                }
            }
        }
    }

    #[test]
    fn four_rows_of_three_are_three_rows_of_keys() {
        let rules = Rules { layout_rows: 4, ..Rules::default() };
        let arrangement = Arrangement::of(&rules, &board(1, 12));
        assert_eq!((arrangement.columns.0, arrangement.rows.0), (3, 4));
        let keys: String = (0..12).filter_map(|s| arrangement.key(Keys::Qwerty.letters(), 0, s)).collect();
        assert_eq!(keys, "qazwsxedcrfv");
    }

    #[test]
    fn twelve_cards_are_four_keys_in_three_rows() {
        let arrangement = Arrangement::of(&Rules::default(), &board(1, 12));
        let keys: String = (0..12).filter_map(|s| arrangement.key(Keys::Azerty.letters(), 0, s)).collect();
        assert_eq!(keys, "azerqsdfwxcv");
    }
}
