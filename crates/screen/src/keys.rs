//! Which key is which card of a layout: the place on the keyboard is the place on a wide screen.

use cards::Point;
use pattern::race::Board;
use pattern::rules::Rules;
use serde::{Deserialize, Serialize};

/// The keys that pick cards: three rows of ten, from the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Letters([[char; 10]; 3]);

impl Letters {
    fn of(rows: [&str; 3]) -> Letters {
        let mut letters = [[' '; 10]; 3];
        for (row, keys) in letters.iter_mut().zip(rows) {
            row.iter_mut().zip(keys.chars()).for_each(|(place, key)| *place = key);
        }
        Letters(letters)
    }

    /// English keyboards.
    #[must_use]
    pub fn qwerty() -> Letters {
        Letters::of(["qwertyuiop", "asdfghjkl;", "zxcvbnm,./"])
    }

    /// French keyboards.
    #[must_use]
    pub fn azerty() -> Letters {
        Letters::of(["azertyuiop", "qsdfghjklm", "wxcvbn,;:!"])
    }

    /// German keyboards.
    #[must_use]
    pub fn qwertz() -> Letters {
        Letters::of(["qwertzuiop", "asdfghjklö", "yxcvbnm,.-"])
    }

    /// Those of whoever types after Dvorak.
    #[must_use]
    pub fn dvorak() -> Letters {
        Letters::of(["',.pyfgcrl", "aoeuidhtns", ";qjkxbmwvz"])
    }

    /// What most keyboards are where this language is spoken.
    #[must_use]
    pub fn usual(language: &str) -> Letters {
        match language.get(..2) {
            Some("fr") => Letters::azerty(),
            Some("de") => Letters::qwertz(),
            _ => Letters::qwerty(),
        }
    }

    /// The three rows.
    #[must_use]
    pub fn rows(&self) -> [String; 3] {
        self.0.map(|row| row.iter().collect())
    }

    /// The key at a place of the board, if there are so many.
    #[must_use]
    pub fn at(self, row: usize, column: usize) -> Option<char> {
        self.0.get(row)?.get(column).copied()
    }

    /// These keys with another row of small letters, if it is ten keys that differ from each other and from those of the other rows; no digits,
    /// which pick own cards, and no space, which calls.
    #[must_use]
    pub fn with_row(self, row: usize, keys: &str) -> Option<Letters> {
        let keys: Vec<char> = keys.chars().collect();
        let mut rows = self.0;
        *rows.get_mut(row)? = keys.try_into().ok()?;
        let all = rows.concat();
        let free = |key: &char| !key.is_whitespace() && !key.is_ascii_digit();
        let twice = all.iter().enumerate().any(|(n, key)| all[..n].contains(key));
        (all.iter().all(free) && !twice).then_some(Letters(rows))
    }
}

/// How zones and slots are laid out: once for wide screens, once for tall ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrangement {
    /// Zones beside one another, wide and tall.
    pub zone_columns: (usize, usize),
    /// Columns of cards in a zone, wide and tall.
    pub columns: (usize, usize),
    /// Rows of cards in a zone, wide and tall.
    pub rows: (usize, usize),
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
    #[must_use]
    pub fn wide(&self, slot: usize) -> (usize, usize) {
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
    #[must_use]
    pub fn tall(&self, slot: usize) -> (usize, usize) {
        (slot / self.columns.1, slot % self.columns.1)
    }

    /// Columns and rows of cards in all, wide and tall.
    #[must_use]
    pub fn extent(&self) -> [usize; 4] {
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

#[cfg(test)]
mod tests {
    use super::*;
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
                    let key = arrangement.key(Letters::qwerty(), zone, slot).expect("a key");
                    assert!(keys.insert(key), "{key} twice");
                    assert_eq!(
                        arrangement.card_at_key(&board, Letters::qwerty(), key),
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
        let keys: String = (0..12).filter_map(|s| arrangement.key(Letters::qwerty(), 0, s)).collect();
        assert_eq!(keys, "qazwsxedcrfv");
    }

    #[test]
    fn twelve_cards_are_four_keys_in_three_rows() {
        let arrangement = Arrangement::of(&Rules::default(), &board(1, 12));
        let keys: String = (0..12).filter_map(|s| arrangement.key(Letters::azerty(), 0, s)).collect();
        assert_eq!(keys, "azerqsdfwxcv");
    }
}
