//! Players of the Set family.
//!
//! What makes a person slow is finding, not deciding. So a bot looks as people do (`pattern/scan.rs`): it compares two cards
//! after the other, similar ones first, until what belongs to them is noticed. How long that takes by the number of features
//! that differ is fitted to Taatgen, van Oploo, Braaksma and Niemantsverdriet (ICCM 2003); [`Level`] is one number.
//!
//! Now and then a bot claims what is only nearly right, whatever is claimed in the game. In memory it forgets, in setup it
//! overlooks, each by its level. It never keeps others waiting for an agreement (BOT-2): where it finds nothing, or all others
//! agree, it agrees.

mod advice;
mod level;
mod puzzling;
mod racing;
mod remembering;
mod scan;
mod setting_up;

pub use self::advice::{Advice, Found, Reason};
pub use self::level::Level;

use self::scan::Scan;
use self::setting_up::Look;
use crate::{Bot, Thought};
use ::pattern::{Claim, Command, View};
use cards::Point;
use game::{Chance, Millis, Viewer};

/// A player of any game of the family.
#[derive(Clone, Debug)]
pub struct PatternBot {
    name: String,
    level: Level,
    /// How much longer or shorter it looks than others of its level; none before it has thought.
    form: Option<f64>,
    /// Whether its level follows the match.
    adapts: Option<Adapts>,
    /// Where its eyes have been.
    scan: Scan,
    /// Scout: when each Set through the card shown will be found.
    shown: Vec<(Vec<Point>, Millis)>,
    /// When the next slip comes: a claim that is nearly right.
    slip: Option<Millis>,
    /// Its wrong claims of this deal, as it last saw them.
    errors: u16,
    /// What it called for.
    meant: Option<Claim>,
    /// Layout on which it began to look for nothing, and when it will be sure.
    sure: Option<(u32, Millis)>,
    /// Memory: what it remembers of each slot, and until when.
    known: Vec<Option<(Point, Millis)>>,
    /// Setup: the card it looks at, when it lets it stand, and what it will have found when.
    looking: Option<Look>,
    /// Scout: the search it slips in, by its end, and the card it takes for one of the Set, if any, with the time.
    hasty: Option<(Millis, Option<(Point, Millis)>)>,
}

/// How a level follows a match.
#[derive(Clone, Copy, Debug)]
struct Adapts {
    /// The level at which it would play if the scores were equal.
    about: i32,
    /// The own score and the best other one when it last changed.
    scores: (i32, i32),
}

/// Changes when the play of these bots does.
const VERSION: u8 = 5;

/// The score of the seat whose view it is, and the best other one; none where nobody else plays, or for the table.
fn standing(view: &View) -> Option<(i32, i32)> {
    let of = |who: Viewer, scores: Vec<i32>| {
        let Viewer::Seat(seat) = who else { return None };
        let others = scores.iter().enumerate().filter(|(i, _)| *i != seat.index());
        Some((*scores.get(seat.index())?, others.map(|(_, &score)| score).max()?))
    };
    match view {
        View::Race(view) => of(view.who, view.state.players.iter().map(|player| player.score).collect()),
        View::Memory(view) => of(view.who, view.state.roster.players.iter().map(|p| p.score).collect()),
        View::Setup(view) => of(view.who, view.state.roster.players.iter().map(|p| p.score).collect()),
        View::Trial(_) | View::Puzzle(_) => None,
    }
}

/// A time from an exponential distribution with this mean, in milliseconds, at most an hour.
fn exponential(mean: f64, chance: &mut dyn Chance) -> u32 {
    let u = f64::from(chance.below(1 << 24) + 1) / f64::from(1 << 24);
    (-u.ln() * mean).min(3_600_000.0) as u32
}

/// How far people of one level differ on a day, as the standard deviation of the logarithm of how long they look. So the better one does not
/// win all the more surely the longer a match lasts.
const FORM: f64 = 0.18;

/// How much longer somebody looks than others of the same level, as good a day as a bad one.
fn form(chance: &mut dyn Chance) -> f64 {
    // Twelve chances together are normal, with a deviation of one.
    let normal = (0..12).map(|_| f64::from(chance.below(1 << 16)) / f64::from(1 << 16)).sum::<f64>() - 6.0;
    (FORM * normal).exp()
}

/// A time between two bounds, in milliseconds.
fn between(low: u32, high: u32, chance: &mut dyn Chance) -> u32 {
    low + chance.below(high - low)
}

fn pick<T: Copy>(from: &[T], chance: &mut dyn Chance) -> Option<T> {
    (!from.is_empty()).then(|| from[chance.below(from.len() as u32) as usize])
}

/// How soon a thought at `at` is carried out if it is meant for `due`.
fn act(command: Command, at: Millis, due: Millis) -> Option<Thought<Command>> {
    Some(Thought::after(command, due.since(at)))
}

impl PatternBot {
    /// A bot of this level.
    #[must_use]
    pub fn new(level: Level) -> PatternBot {
        let named = Level::NAMED.iter().find(|(_, known)| *known == level);
        let name = named.map_or_else(|| level.number().to_string(), |(name, _)| (*name).to_owned());
        PatternBot {
            name: format!("{name}/{VERSION}"),
            level,
            form: None,
            adapts: None,
            scan: Scan::default(),
            shown: Vec::new(),
            slip: None,
            errors: 0,
            meant: None,
            sure: None,
            known: Vec::new(),
            looking: None,
            hasty: None,
        }
    }

    /// A bot that begins with experience, and plays better or worse as the match goes: as well as whoever does best against it.
    #[must_use]
    pub fn adaptive() -> PatternBot {
        let bot = PatternBot::new(Level::MEDIUM);
        PatternBot {
            name: format!("adaptive/{VERSION}"),
            adapts: Some(Adapts { about: Level::MEDIUM.number().into(), scores: (0, 0) }),
            ..bot
        }
    }

    /// Follows the match once somebody has scored: the further ahead it stands the worse it plays, and the other way about. What
    /// level that is from changes slowly, towards whoever does best against it.
    fn adapt(&mut self, view: &View) {
        let (Some(adapts), Some(scores)) = (&mut self.adapts, standing(view)) else { return };
        if scores == adapts.scores {
            return;
        }
        let behind = scores.1 - scores.0;
        adapts.scores = scores;
        adapts.about = (adapts.about + 3 * behind.signum()).clamp(5, 95);
        let number = (adapts.about + 8 * behind).clamp(0, 100);
        self.level = Level::new(number as u8).unwrap_or(self.level);
    }
}

impl Bot<View> for PatternBot {
    fn name(&self) -> &str {
        &self.name
    }

    fn think(&mut self, view: &View, at: Millis, chance: &mut dyn Chance) -> Option<Thought<Command>> {
        self.adapt(view);
        match view {
            View::Race(view) => self.race(view, at, chance),
            View::Trial(view) => self.race(view.board.as_ref()?, at, chance),
            View::Memory(view) => self.memory(view, at, chance),
            View::Setup(view) => self.setup(view, at, chance),
            View::Puzzle(view) => self.puzzle(view, at, chance),
        }
    }

    fn advise(&self, view: &View) -> Option<crate::Advice> {
        self.advised(view).map(crate::Advice::Pattern)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::chance::SplitMix;

    #[test]
    fn people_of_one_level_differ_by_a_fifth_and_are_as_often_slow_as_quick() {
        let logs: Vec<f64> = (0..4_000).map(|seed| form(&mut SplitMix(seed)).ln()).collect();
        let mean = logs.iter().sum::<f64>() / 4_000.0;
        let deviation = (logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / 4_000.0).sqrt();
        assert!(mean.abs() < 0.01 && (deviation - FORM).abs() < 0.01, "{mean:.3} and {deviation:.3}");
    }

    #[test]
    fn a_bot_looks_as_long_as_its_form_says_in_every_deal() {
        let mut bot = PatternBot::new(Level::EASY);
        let found = |bot: &mut PatternBot, seed| {
            let deck = cards::Deck::D81;
            let cards: Vec<Point> = (0..12).map(Point).collect();
            let claims = vec![Claim::one(&cards[..3])];
            let nothing = |_| false;
            bot.scan.clear();
            let at = (Millis(0), Millis(0));
            let found = bot.find(deck, &cards, claims, at, &nothing, &nothing, &mut SplitMix(seed));
            (bot.form, found.expect("it lies there").1)
        };
        let (form, _) = found(&mut bot, 1);
        assert!(form.is_some_and(|form| form > 0.4 && form < 2.5));
        assert_eq!(found(&mut bot, 2).0, form);
        assert_ne!(found(&mut PatternBot::new(Level::EASY), 2).0, form);
        let due = |form| found(&mut PatternBot { form: Some(form), ..PatternBot::new(Level::EASY) }, 3).1;
        assert!(due(0.5) < due(1.0) && due(1.0) < due(2.0), "whoever has a worse day finds it later");
    }
}
