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
    /// Three cards: are they a Set? To warm up.
    Warmup,
    /// Cards as codes of digits, one of three erased: two recover it.
    Code,
    /// A Set and one card: the Set through it in the same direction, parallel to the first.
    Direction,
    /// What is left at the end, one of it face down: which is it? (5.7: the sum of all cards is nought.)
    Left,
    /// The fewest cards to cross out so that no Set is left: a cap.
    Cap,
    /// Three cards that are no Set: the three that make a SuperSET of them.
    Completers,
    /// Four cards: which two pairs are they, and what joins them?
    Split,
}

impl Kind {
    /// All of them, by the names that they are asked for by.
    pub const ALL: [(&'static str, Kind); 12] = [
        ("warmup", Kind::Warmup),
        ("find", Kind::Find),
        ("complete", Kind::Complete),
        ("count", Kind::Count),
        ("square", Kind::Square),
        ("joint", Kind::Joint),
        ("split", Kind::Split),
        ("completers", Kind::Completers),
        ("code", Kind::Code),
        ("direction", Kind::Direction),
        ("left", Kind::Left),
        ("cap", Kind::Cap),
    ];

    /// The kind with this name, and the name.
    #[must_use]
    pub fn named(name: &str) -> Option<(&'static str, Kind)> {
        Kind::ALL.into_iter().find(|(known, _)| *known == name)
    }

    /// Columns of cards in a task, tasks beside each other, and tasks below each other.
    fn grid(self) -> (usize, usize, usize) {
        match self {
            Kind::Find | Kind::Count | Kind::Square | Kind::Cap => (3, 2, 3),
            Kind::Complete | Kind::Warmup | Kind::Code => (3, 2, 10),
            Kind::Direction | Kind::Left | Kind::Completers => (3, 2, 5),
            Kind::Joint | Kind::Split => (5, 1, 9),
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Task {
    /// The cards, and what is put into the empty places.
    places: Vec<(Point, bool)>,
    /// Which of the cards are asked for.
    marked: Vec<Point>,
    /// What is answered in writing.
    line: String,
}

impl Task {
    /// These cards, and places for those.
    fn of(shown: &[Point], asked: &[Point]) -> Task {
        let shown = shown.iter().map(|&card| (card, true));
        Task { places: shown.chain(asked.iter().map(|&card| (card, false))).collect(), ..Task::default() }
    }
}

/// The Sets among some cards.
fn sets(cards: &[Point]) -> Vec<[Point; 3]> {
    let mut sets = Vec::new();
    finder::sets(cards, |set| sets.push(set));
    sets
}

/// The fewest of the cards without which no Set is left; the first such in their order.
fn fewest(cards: &[Point], sets: &[[Point; 3]]) -> Vec<Point> {
    let taken = |mask: u32| -> Vec<Point> {
        let taken = cards.iter().enumerate().filter(|(n, _)| mask >> n & 1 == 1);
        taken.map(|(_, card)| *card).collect()
    };
    let masks = (0..1u32 << cards.len()).map(taken);
    let hits = masks.filter(|taken| sets.iter().all(|set| set.iter().any(|card| taken.contains(card))));
    hits.min_by_key(Vec::len).unwrap_or_default()
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
        loop {
            // Cards in an order by chance, of which a task takes the first; not each suits it.
            let mut left = every.clone();
            let many = if self.level() == 3 { 12 } else { 9 };
            let cards: Vec<Point> =
                (0..many).map(|_| left.swap_remove(dice.below(left.len() as u32) as usize)).collect();
            let coin = dice.below(2) == 0;
            let task = match self.kind {
                Kind::Find | Kind::Count | Kind::Cap => self.board(&cards),
                Kind::Complete | Kind::Code | Kind::Warmup => self.three(&cards, coin),
                Kind::Left => self.left(&cards),
                _ => self.space(&cards),
            };
            if let Some(task) = task {
                return task;
            }
        }
    }

    /// A task on a layout.
    fn board(&self, cards: &[Point]) -> Option<Task> {
        let sets = sets(cards);
        let task = Task::of(cards, &[]);
        match self.kind {
            Kind::Find if sets.len() == 1 => Some(Task { marked: sets.concat(), ..task }),
            Kind::Count if !sets.is_empty() => {
                let numbers =
                    |set: &[Point; 3]| set.map(|card| (u16::from(card.0) + 1).to_string()).join(" ");
                let listed: Vec<String> = sets.iter().map(numbers).collect();
                Some(Task { line: format!("{}: {}", sets.len(), listed.join(" / ")), ..task })
            }
            Kind::Cap if sets.len() > usize::from(self.level()) => {
                let marked = fewest(cards, &sets);
                Some(Task { line: marked.len().to_string(), marked, ..task })
            }
            _ => None,
        }
    }

    /// A task on three cards.
    fn three(&self, cards: &[Point], coin: bool) -> Option<Task> {
        let (a, b, other) = (cards[0], cards[1], cards[2]);
        // The more features differ, the harder it is to see.
        let differ = self.differing(a, b);
        if differ != usize::from(self.level()) && !(self.level() == 3 && differ == 4) {
            return None;
        }
        let third = finder::third(a, b);
        match self.kind {
            Kind::Warmup if coin => Some(Task { marked: vec![a, b, third], ..Task::of(&[a, b, third], &[]) }),
            Kind::Warmup => {
                let split = finder::split_features(self.deck().digits(), [a, b, other]).count_ones();
                let near = if self.level() == 1 { split > 0 } else { split == 1 };
                near.then(|| Task::of(&[a, b, other], &[]))
            }
            _ => Some(Task::of(&[a, b], &[third])),
        }
    }

    /// What is left at the end holds no Set, and its sum is nought, so that one of it follows from the others.
    fn left(&self, cards: &[Point]) -> Option<Task> {
        let shown = &cards[..if self.level() == 3 { 8 } else { 5 }];
        // The third of two cards is the negative of their sum.
        let negative = |card: Point| finder::third(card, Point(0));
        let sum = shown.iter().fold(Point(0), |sum, &card| negative(finder::third(sum, card)));
        let last = negative(sum);
        let all = [shown, &[last]].concat();
        (!shown.contains(&last) && finder::is_cap(&all)).then(|| Task::of(shown, &[last]))
    }

    /// A task on lines and planes of the space that the cards are.
    fn space(&self, cards: &[Point]) -> Option<Task> {
        let (a, b, c) = (cards[0], cards[1], cards[2]);
        // Any three cards that are no Set lie in one plane.
        let completers = finder::completers([a, b, c])?;
        match self.kind {
            Kind::Square => {
                let given = [0, 1, 3];
                let places = finder::plane(a, b, c).into_iter().enumerate();
                let places = places.map(|(n, card)| (card, given.contains(&n))).collect();
                Some(Task { places, ..Task::default() })
            }
            Kind::Direction => {
                let plane = finder::plane(a, b, c);
                Some(Task::of(&plane[..4], &plane[4..6]))
            }
            Kind::Completers => Some(Task::of(&[a, b, c], &completers)),
            _ => {
                let joint = finder::third(a, b);
                let all = [a, b, c, finder::third(joint, c)];
                finder::super_set(all).filter(|_| !all.contains(&joint))?;
                if self.kind == Kind::Joint {
                    let places = [(a, true), (b, true), (joint, false), (c, true), (all[3], true)];
                    return Some(Task { places: places.to_vec(), ..Task::default() });
                }
                // Laid in the order of their numbers, which tells nothing of the pairs.
                let mut laid = all;
                laid.sort_unstable();
                let place = |card: Point| 1 + laid.iter().position(|&other| other == card).unwrap_or(0);
                let line = format!("{} + {} / {} + {}", place(a), place(b), place(c), place(all[3]));
                Some(Task { line, ..Task::of(&laid, &[joint]) })
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
                let marked = solved && (task.marked.contains(card) || !given);
                stroke(
                    &mut content,
                    if marked { (0.1, 0.1, 0.12) } else { GREY },
                    if marked { 5.0 } else { 1.2 },
                );
                content.rect(1.0, 1.0, 148.0, 98.0).stroke();
                let told = *given || solved;
                if told && self.kind != Kind::Code {
                    face(&mut content, self.deck(), *card, Options::default());
                }
                content.restore_state();
                if told && self.kind == Kind::Code {
                    fill(&mut content, (0.1, 0.1, 0.12));
                    text(
                        &mut content,
                        x + 30.0 * unit,
                        y + 64.0 * unit,
                        40.0 * unit,
                        &self.deck().text(*card),
                    );
                }
            }
            if solved {
                fill(&mut content, (0.1, 0.1, 0.12));
                text(&mut content, left, top + room.1 - GAP + 3.5, 3.0, &task.line);
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
                Kind::Find => assert_eq!((sets(&cards).len(), task.marked.len()), (1, 3)),
                Kind::Count => {
                    let count = sets(&cards).len();
                    assert!(count > 0 && task.line.starts_with(&format!("{count}: ")), "{task:?}");
                }
                Kind::Warmup => assert_eq!(!task.marked.is_empty(), is_set([0, 1, 2])),
                Kind::Cap => {
                    let left = |out: &dyn Fn(usize) -> bool| -> Vec<Point> {
                        (0..cards.len()).filter(|&n| !out(n)).map(|n| cards[n]).collect()
                    };
                    assert!(finder::is_cap(&left(&|n| task.marked.contains(&cards[n]))));
                    // With one card fewer crossed out there is always a Set, whichever these are.
                    let fewer = task.marked.len() - 1;
                    for mask in (0..1u32 << cards.len()).filter(|mask| mask.count_ones() as usize == fewer) {
                        assert!(!finder::is_cap(&left(&|n| mask >> n & 1 == 1)), "{sheet:?}");
                    }
                }
                Kind::Left => {
                    let mut sums = [0; 4];
                    for code in cards.iter().map(|card| sheet.deck().code(*card)) {
                        code.iter().zip(&mut sums).for_each(|(digit, sum)| *sum += digit);
                    }
                    assert!(sums.iter().all(|sum| sum % 3 == 0) && finder::is_cap(&cards), "{task:?}");
                }
                Kind::Direction => {
                    assert!(is_set([0, 1, 2]) && is_set([3, 4, 5]));
                    // From card to card the same step.
                    let step = |from: usize, to: usize| {
                        let codes = [from, to].map(|n| sheet.deck().code(cards[n]));
                        codes[0].iter().zip(&codes[1]).map(|(a, b)| (3 + b - a) % 3).collect::<Vec<u8>>()
                    };
                    assert_eq!((step(0, 1), step(1, 2)), (step(3, 4), step(4, 5)), "{task:?}");
                }
                Kind::Completers => {
                    let joins = |n| finder::super_set([cards[0], cards[1], cards[2], cards[n]]).is_some();
                    assert!((3..6).all(joins) && cards.len() == 6);
                }
                Kind::Split => {
                    let named = task.line.split([' ', '+', '/']).filter_map(|n| n.parse::<usize>().ok());
                    let [a, b, c, d] = named.collect::<Vec<_>>()[..] else { panic!("{task:?}") };
                    assert!(is_set([a - 1, b - 1, 4]) && is_set([c - 1, d - 1, 4]), "{task:?}");
                }
                Kind::Complete | Kind::Code => assert!(is_set([0, 1, 2])),
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
    fn the_app_leads_to_every_kind() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../web/src/pages/rules.rs");
        let page = std::fs::read_to_string(page).unwrap();
        let listed = page.split_once("const SHEETS").and_then(|(_, rest)| rest.split_once("];")).unwrap().0;
        let named: Vec<&str> = listed.split('"').skip(1).step_by(2).collect();
        assert_eq!(named, Kind::ALL.map(|(name, _)| name));
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
