//! Work sheets for a class: tasks on cards, six or more a page, their solutions on pages of their own, and in the corner the seed
//! that makes the same sheet again.
//!
//! ```
//! use print::worksheet::{Kind, Worksheet};
//!
//! let sheet = Worksheet { kind: Kind::Find, level: 2, seed: 7, pages: 1 };
//! assert!(sheet.pdf("en").starts_with(b"%PDF-"));
//! assert_eq!(sheet.pdf("de"), sheet.pdf("de"), "a seed makes one sheet");
//! ```

use crate::{GREY, MM, Options, PAGE, assemble, cards_of, face, fill, stroke, text};
use cards::{Deck, Point};
use game::Chance;
use game::chance::SplitMix;
use pattern::finder;
use pdf_writer::Content;
use std::hash::{BuildHasher, RandomState};

/// What is asked on a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Each board holds exactly one Set: find it.
    Find,
    /// Two cards: which card makes a Set of them? (1.2 of the pattern rulebook: there is exactly one.)
    Complete,
    /// How many Sets does each board hold?
    Count,
    /// Three cards of a square: fill it so that each row, column and diagonal is a Set (a plane, "magic square").
    Square,
    /// Two pairs: which card makes a Set of each? (A SuperSET and its joint.)
    Joint,
}

impl Kind {
    /// All of them, by the names that they are asked for by.
    pub const ALL: [(&'static str, Kind); 5] = [
        ("find", Kind::Find),
        ("complete", Kind::Complete),
        ("count", Kind::Count),
        ("square", Kind::Square),
        ("joint", Kind::Joint),
    ];

    /// The kind with this name, and the name.
    #[must_use]
    pub fn named(name: &str) -> Option<(&'static str, Kind)> {
        Kind::ALL.into_iter().find(|(known, _)| *known == name)
    }

    /// Columns of cards in a task, tasks beside each other, and tasks below each other.
    fn grid(self) -> (usize, usize, usize) {
        match self {
            Kind::Find | Kind::Count | Kind::Square => (3, 2, 3),
            Kind::Complete => (3, 2, 10),
            Kind::Joint => (5, 1, 9),
        }
    }
}

/// A work sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worksheet {
    /// What is asked.
    pub kind: Kind,
    /// How hard it is, 1 to 3; what is beyond counts as the nearest.
    pub level: u8,
    /// Chooses the tasks: the same seed makes the same sheet.
    pub seed: u64,
    /// Pages of tasks, 1 to [`Worksheet::MOST_PAGES`]; what is beyond counts as the nearest.
    pub pages: usize,
}

/// A task: cards and empty places, and what is right.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Task {
    /// The cards, and what is put into the empty places.
    places: Vec<(Point, bool)>,
    /// The Sets that are asked for, where they lie among the cards.
    sets: Vec<[Point; 3]>,
}

impl Worksheet {
    /// The most pages of tasks in one file.
    pub const MOST_PAGES: usize = 10;

    /// A seed by chance, short enough to be written down.
    #[must_use]
    pub fn any_seed() -> u64 {
        RandomState::new().hash_one(()) % 1_000_000
    }

    /// The tasks and then their solutions as one PDF file, in a language by its code (`de`); in English where that is not known.
    #[must_use]
    pub fn pdf(&self, language: &str) -> Vec<u8> {
        let (_, beside, below) = self.kind.grid();
        let tasks = self.tasks();
        let pages = tasks.chunks(beside * below);
        let asked = pages.clone().enumerate().map(|(n, tasks)| self.page(n, tasks, false, language));
        let solved = pages.enumerate().map(|(n, tasks)| self.page(n, tasks, true, language));
        assemble(
            &format!("Parlour work sheet {} {}", self.name(), self.seed),
            &asked.chain(solved).collect::<Vec<_>>(),
        )
    }

    fn name(&self) -> &'static str {
        Kind::ALL.iter().find(|(_, kind)| *kind == self.kind).map_or("", |(name, _)| name)
    }

    fn level(&self) -> u8 {
        self.level.clamp(1, 3)
    }

    fn deck(&self) -> Deck {
        if self.level() == 1 { Deck::D27 } else { Deck::D81 }
    }

    fn tasks(&self) -> Vec<Task> {
        let (_, beside, below) = self.kind.grid();
        let pages = self.pages.clamp(1, Self::MOST_PAGES);
        let mut dice = SplitMix(self.seed);
        (0..pages * beside * below).map(|_| self.task(&mut dice)).collect()
    }

    fn task(&self, dice: &mut SplitMix) -> Task {
        let every = cards_of(self.deck());
        let mut drawn = |n: usize| {
            let mut left = every.clone();
            (0..n).map(|_| left.swap_remove(dice.below(left.len() as u32) as usize)).collect::<Vec<_>>()
        };
        let shown = |cards: &[Point]| cards.iter().map(|&card| (card, true)).collect::<Vec<_>>();
        loop {
            match self.kind {
                Kind::Find | Kind::Count => {
                    let cards = drawn(if self.level() == 3 { 12 } else { 9 });
                    let mut sets = Vec::new();
                    finder::sets(&cards, |set| sets.push(set));
                    if sets.len() == 1 || self.kind == Kind::Count && !sets.is_empty() {
                        return Task { places: shown(&cards), sets };
                    }
                }
                Kind::Complete => {
                    let cards = drawn(2);
                    // The more features differ, the harder it is to see.
                    let differ = self.differing(cards[0], cards[1]);
                    if differ == usize::from(self.level()) || self.level() == 3 && differ == 4 {
                        let third = finder::third(cards[0], cards[1]);
                        return Task {
                            places: [shown(&cards), vec![(third, false)]].concat(),
                            sets: Vec::new(),
                        };
                    }
                }
                Kind::Square => {
                    let cards = drawn(3);
                    let (a, b, c) = (cards[0], cards[1], cards[2]);
                    if finder::is_set(a, b, c) {
                        continue;
                    }
                    // Any three cards that are no Set lie in one plane.
                    let given = [0, 1, 3];
                    let places = finder::plane(a, b, c).into_iter().enumerate();
                    let places = places.map(|(n, card)| (card, given.contains(&n))).collect();
                    return Task { places, sets: Vec::new() };
                }
                Kind::Joint => {
                    let cards = drawn(3);
                    let joint = finder::third(cards[0], cards[1]);
                    let fourth = finder::third(joint, cards[2]);
                    let all = [cards[0], cards[1], cards[2], fourth];
                    if finder::super_set(all).is_some() && !all.contains(&joint) {
                        let places = [shown(&all[..2]), vec![(joint, false)], shown(&all[2..])].concat();
                        return Task { places, sets: Vec::new() };
                    }
                }
            }
        }
    }

    fn differing(&self, a: Point, b: Point) -> usize {
        let (a, b) = (self.deck().code(a), self.deck().code(b));
        a.iter().zip(&b).filter(|(a, b)| a != b).count()
    }
}

impl Worksheet {
    /// One page of tasks, or of their solutions.
    fn page(&self, n: usize, tasks: &[Task], solved: bool, language: &str) -> Vec<u8> {
        let (columns, beside, below) = self.kind.grid();
        let mut content = Content::new();
        // All below is in millimetres from the upper left corner, downwards.
        content.transform([MM, 0.0, 0.0, -MM, 0.0, PAGE.1]);
        fill(&mut content, (0.1, 0.1, 0.12));
        let said = |key: &str| words::printed(language, &format!("worksheet.{key}")).unwrap_or_default();
        let title = said(if solved { "solutions" } else { self.name() });
        text(&mut content, MARGIN, 18.0, 5.4, title);
        fill(&mut content, GREY);
        let values = [
            ("kind", self.name().to_owned()),
            ("level", self.level().to_string()),
            ("seed", self.seed.to_string()),
            ("page", (n + 1).to_string()),
        ];
        let corner = words::fill(said("corner"), &values, |_| 0);
        text(&mut content, MARGIN, 287.0, 3.2, &corner);
        let room = ((210.0 - 2.0 * MARGIN) / beside as f32, (278.0 - 24.0) / below as f32);
        // Some space between the tasks, and a line for what is answered with a number.
        let rows = tasks.iter().map(|task| task.places.len().div_ceil(columns)).max().unwrap_or(1);
        let wide = (room.0 - GAP) / columns as f32;
        let high = (room.1 - GAP) / rows as f32;
        let unit = (wide / 150.0).min(high / 100.0) * 0.96;
        for (i, task) in tasks.iter().enumerate() {
            let left = MARGIN + room.0 * (i % beside) as f32;
            let top = 26.0 + room.1 * (i / beside) as f32;
            fill(&mut content, GREY);
            text(&mut content, left - 5.0, top + 4.0, 3.4, &(n * beside * below + i + 1).to_string());
            for (place, (card, given)) in task.places.iter().enumerate() {
                let x = left + (place % columns) as f32 * 150.0 * unit * 1.04;
                let y = top + (place / columns) as f32 * 100.0 * unit * 1.04;
                content.save_state().transform([unit, 0.0, 0.0, unit, x, y]);
                let asked_for = task.sets.iter().any(|set| set.contains(card)) && self.kind == Kind::Find;
                let marked = solved && (asked_for || !given);
                stroke(
                    &mut content,
                    if marked { (0.1, 0.1, 0.12) } else { GREY },
                    if marked { 5.0 } else { 1.2 },
                );
                content.rect(1.0, 1.0, 148.0, 98.0).stroke();
                if *given || solved {
                    face(&mut content, self.deck(), *card, Options::default());
                }
                content.restore_state();
            }
            if solved && self.kind == Kind::Count {
                let numbers = |set: &[Point; 3]| {
                    let numbers: Vec<String> =
                        set.iter().map(|card| (u16::from(card.0) + 1).to_string()).collect();
                    numbers.join(" ")
                };
                let sets: Vec<String> = task.sets.iter().map(numbers).collect();
                fill(&mut content, (0.1, 0.1, 0.12));
                let line = format!("{}: {}", task.sets.len(), sets.join(" / "));
                text(&mut content, left, top + room.1 - GAP + 3.5, 3.0, &line);
            }
        }
        content.finish().to_vec()
    }
}

/// Millimetres that stay white at the sides.
const MARGIN: f32 = 16.0;
/// Millimetres between two tasks.
const GAP: f32 = 9.0;

#[cfg(test)]
mod tests {
    use super::*;

    fn sheets(mut check: impl FnMut(Worksheet, Task)) {
        for (_, kind) in Kind::ALL {
            for level in 1..=3 {
                for seed in 0..3 {
                    let sheet = Worksheet { kind, level, seed, pages: 1 };
                    sheet.tasks().into_iter().for_each(|task| check(sheet, task));
                }
            }
        }
    }

    #[test]
    fn what_is_right_is_right() {
        sheets(|sheet, task| {
            let cards: Vec<Point> = task.places.iter().map(|(card, _)| *card).collect();
            let is_set =
                |places: [usize; 3]| finder::is_set(cards[places[0]], cards[places[1]], cards[places[2]]);
            let mut seen = cards.clone();
            seen.sort_by_key(|card| card.0);
            seen.dedup();
            assert_eq!(seen.len(), cards.len(), "no card is there twice: {sheet:?}");
            match sheet.kind {
                Kind::Find => assert_eq!(task.sets.len(), 1),
                Kind::Count => assert!(!task.sets.is_empty()),
                Kind::Complete => assert!(is_set([0, 1, 2])),
                Kind::Square => {
                    let lines = [
                        [0, 1, 2],
                        [3, 4, 5],
                        [6, 7, 8],
                        [0, 3, 6],
                        [1, 4, 7],
                        [2, 5, 8],
                        [0, 4, 8],
                        [2, 4, 6],
                    ];
                    assert!(lines.into_iter().all(is_set), "{task:?}");
                }
                Kind::Joint => assert!(is_set([0, 1, 2]) && is_set([3, 4, 2])),
            }
        });
    }

    #[test]
    fn a_sheet_has_its_tasks_and_as_many_pages_of_solutions() {
        let pages = |pages: usize| {
            let file = Worksheet { kind: Kind::Count, level: 3, seed: 1, pages }.pdf("en");
            file.windows(11).filter(|w| w == b"/Type /Page").count() - 1
        };
        assert_eq!([pages(0), pages(1), pages(3), pages(1000)], [2, 2, 6, 2 * Worksheet::MOST_PAGES]);
    }

    #[test]
    fn a_sheet_is_said_in_its_language() {
        let sheet = Worksheet { kind: Kind::Find, level: 1, seed: 1, pages: 1 };
        let says = |language: &str, text: &[u8]| {
            // Text that is not all ASCII stands in a file as the numbers of its letters.
            let numbers: String = text.iter().map(|letter| format!("{letter:02X}")).collect();
            let file = sheet.pdf(language);
            let says = |text: &[u8]| file.windows(text.len()).any(|part| part == text);
            assert!(says(text) || says(numbers.as_bytes()), "{language}");
        };
        says("en", b"Each board holds exactly one Set. Find it.");
        says("xx", b"Solutions");
        // In the letters of the font, one byte each.
        says("de", b"L\xf6sungen");
        says("es", b"Encu\xe9ntralo.");
        says("fr", b"Trouve-le.");
    }
}
