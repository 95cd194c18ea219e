//! How well a bot of the Set family plays, as one number.

use game::Chance;

/// How well a bot plays, as one number from 0 to 100. `easy` to `hard` are names of some of them ([`Level::NAMED`]).
///
/// What people are known to need lies at two of the numbers: beginners' times at `easy`, those of experts at `hard`. Between and
/// beyond them everything grows by equal factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Level(u8);

impl Level {
    /// A beginner.
    pub const EASY: Level = Level(25);
    /// Somebody who plays now and then.
    pub const CASUAL: Level = Level(37);
    /// An experienced player.
    pub const MEDIUM: Level = Level(50);
    /// One with much practice.
    pub const SKILLED: Level = Level(63);
    /// An expert.
    pub const HARD: Level = Level(75);

    /// Those that have names, the weakest first.
    pub const NAMED: [(&'static str, Level); 5] = [
        ("easy", Level::EASY),
        ("casual", Level::CASUAL),
        ("medium", Level::MEDIUM),
        ("skilled", Level::SKILLED),
        ("hard", Level::HARD),
    ];

    /// The level of this number, up to 100.
    #[must_use]
    pub const fn new(number: u8) -> Option<Level> {
        if number <= 100 { Some(Level(number)) } else { None }
    }

    /// Its number, 0 to 100.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// A value that is `easy` for beginners, `hard` for experts, and changes by equal factors between and beyond them.
    pub(super) fn between(self, easy: f64, hard: f64) -> f64 {
        let span = f64::from(Level::HARD.0 - Level::EASY.0);
        easy * (hard / easy).powf((f64::from(self.0) - f64::from(Level::EASY.0)) / span)
    }

    /// Mean milliseconds to find a Set that is alone among twelve cards and differs in `features` features. Published are
    /// 29, 69, 89, 86 s of beginners and 33, 29, 61, 50 s of experts for one to four (Taatgen and others 2003); these are the
    /// nearest that never fall with the features, set apart a little where they would be equal. Five are read off the slope.
    pub(super) fn mean(self, features: usize) -> f64 {
        const BEGINNERS: [f64; 5] = [29.0, 69.0, 86.0, 89.0, 95.0];
        const EXPERTS: [f64; 5] = [30.0, 32.0, 54.0, 57.0, 60.0];
        let at = features.clamp(1, 5) - 1;
        self.between(BEGINNERS[at], EXPERTS[at]) * 1000.0
    }

    /// How much two cards that differ in so many features draw the eye together, against two that differ in four.
    pub(super) fn similar(self, differing: usize) -> f64 {
        // A little more than times tell: two cards compared a moment ago are not compared again, however alike they are.
        (self.mean(4) / self.mean(differing)).powf(1.15)
    }

    /// Milliseconds to compare two cards and look for what belongs to them.
    pub(super) fn compare(self) -> f64 {
        self.between(2_100.0, 1_330.0)
    }

    /// How often what belongs to two cards is noticed where it lies.
    pub(super) fn notice(self) -> f64 {
        self.between(0.62, 0.66).min(1.0)
    }

    /// How much less often two cards lead to a pattern of four: their meeting card has to be kept in mind while two others are
    /// tried.
    pub(super) fn four(self) -> f64 {
        self.between(0.05, 0.06)
    }

    /// How many pairs it knows to have just compared.
    pub(super) fn span(self) -> usize {
        self.between(5.0, 12.0) as usize
    }

    /// Milliseconds until cards that were laid are perceived.
    pub(super) fn perceive(self) -> f64 {
        self.between(1_050.0, 480.0)
    }

    /// Milliseconds to press once something is seen.
    pub(super) fn press(self) -> f64 {
        self.between(740.0, 540.0)
    }

    /// How many claims it finds for each one that is only nearly right.
    pub(super) fn finds_a_slip(self) -> f64 {
        self.between(28.0, 50.0)
    }

    /// Whether it looks beyond the card at hand.
    pub(super) fn looks_ahead(self) -> bool {
        self.0 >= 40
    }

    /// Whether something happens that happens to beginners in so many of a thousand cases, and to experts in so many.
    pub(super) fn happens(self, easy: f64, hard: f64, chance: &mut dyn Chance) -> bool {
        f64::from(chance.below(1_000)) < self.between(easy, hard)
    }
}
