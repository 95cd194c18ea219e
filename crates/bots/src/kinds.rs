//! Which bots there are: the one list that the server, the app, the command line and the protocol read.

use crate::contract::{Between, Counting, Easy, Keen, Steady, Strong};
use crate::pattern::{Level, PatternBot};
use crate::random::Random;
use crate::{Advice, Bot, Thought};
use game::{Chance, Millis};
use rulebook::{Command, Family, Rules, View};

/// A kind of bot that can be seated.
#[derive(Clone, Copy, Debug)]
pub struct BotKind {
    /// What it is called where one is asked for: `easy`.
    pub name: &'static str,
    /// How well it plays: 1 as a beginner, 2 as somebody with experience, 3 as an expert; 0 for those that are for tests and
    /// measurements and are not offered to people.
    pub level: u8,
    /// How it plays, in a sentence.
    pub plays: &'static str,
    make: Make,
}

/// How it is made: for one family alone.
#[derive(Clone, Copy, Debug)]
enum Make {
    Pattern(fn() -> Box<dyn Bot<pattern::View>>),
    Contract(fn() -> Box<dyn Bot<contract::View>>),
}

/// All of them, each family's in the order of their levels.
const KINDS: &[BotKind] = &[
    BotKind {
        name: "random",
        level: 0,
        plays: "Does anything that is allowed, at random.",
        make: Make::Pattern(|| Box::new(Random)),
    },
    BotKind {
        name: "easy",
        level: 1,
        plays: "Looks at similar cards first, needs a minute for hard Sets, and errs now and then.",
        make: Make::Pattern(|| Box::new(PatternBot::new(Level::EASY))),
    },
    BotKind {
        name: "casual",
        level: 1,
        plays: "Plays now and then: a little quicker than a beginner.",
        make: Make::Pattern(|| Box::new(PatternBot::new(Level::CASUAL))),
    },
    BotKind {
        name: "medium",
        level: 2,
        plays: "Has played for long: finds hard Sets clearly sooner than a beginner.",
        make: Make::Pattern(|| Box::new(PatternBot::new(Level::MEDIUM))),
    },
    BotKind {
        name: "adaptive",
        level: 2,
        plays: "Keeps even with you: quicker when it is behind, slower when it leads.",
        make: Make::Pattern(|| Box::new(PatternBot::adaptive())),
    },
    BotKind {
        name: "skilled",
        level: 2,
        plays: "Much practice: hard Sets hold it up only a little longer than easy ones.",
        make: Make::Pattern(|| Box::new(PatternBot::new(Level::SKILLED))),
    },
    BotKind {
        name: "hard",
        level: 3,
        plays: "As quick as experts were measured, and forgets little.",
        make: Make::Pattern(|| Box::new(PatternBot::new(Level::HARD))),
    },
    BotKind {
        name: "random",
        level: 0,
        plays: "Does anything that is allowed, at random.",
        make: Make::Contract(|| Box::new(Random)),
    },
    BotKind {
        name: "counting",
        level: 0,
        plays: "Counts the unseen cards that would help and what others picked up, and nothing more.",
        make: Make::Contract(|| Box::new(Counting)),
    },
    BotKind {
        name: "easy",
        level: 1,
        plays: "Takes a discard that plainly helps, goes down at once, and throws the dearest card it does not need.",
        make: Make::Contract(|| Box::new(Easy)),
    },
    BotKind {
        name: "steady",
        level: 2,
        plays: "Asks for a card out of turn where that is worth its price, throws dear cards that it does not need, and keeps what will fit on the table.",
        make: Make::Contract(|| Box::new(Steady)),
    },
    BotKind {
        name: "keen",
        level: 3,
        plays: "Counts the cards that would help, remembers what others picked up, and goes by what was learned from many rounds that bots played; under rarer rules by how many cards will go by until its contract lies.",
        make: Make::Contract(|| Box::new(Keen)),
    },
    BotKind {
        name: "strong",
        level: 3,
        plays: "Deals the hidden cards in its mind many times, plays each round to its end, and does what ends best, together with what keen has learned; where rules are rare it plays like keen.",
        make: Make::Contract(|| Box::new(Strong)),
    },
];

impl BotKind {
    /// The family whose games it plays.
    #[must_use]
    pub const fn family(&self) -> Family {
        match self.make {
            Make::Pattern(_) => Family::Pattern,
            Make::Contract(_) => Family::Contract,
        }
    }

    /// Makes one, for a table of its family.
    #[must_use]
    pub fn make(&self) -> Box<dyn Bot<View>> {
        match self.make {
            Make::Pattern(make) => Box::new(OfPattern(make())),
            Make::Contract(make) => Box::new(OfContract(make())),
        }
    }
}

/// The kinds of bots that can be seated in this family, in the order of their levels.
pub fn kinds(family: Family) -> impl Iterator<Item = &'static BotKind> {
    KINDS.iter().filter(move |kind| kind.family() == family)
}

/// The first kind of this level in this family, if there is one.
#[must_use]
pub fn of_level(family: Family, level: u8) -> Option<&'static BotKind> {
    kinds(family).find(|kind| kind.level == level)
}

/// The beginner of this family, who plays for people that are away.
#[must_use]
pub fn beginner(family: Family) -> &'static BotKind {
    of_level(family, 1).expect("each family has one")
}

/// What a kind is called now. (`easy` was `simple` once, and may stand so in old scripts and seats.)
#[must_use]
pub fn present_name(name: &str) -> &str {
    if name == "simple" { "easy" } else { name }
}

fn named(family: Family, name: &str) -> Option<&'static BotKind> {
    let name = present_name(name);
    kinds(family).find(|kind| kind.name == name)
}

/// The number that a name is: `40` is a bot between the named ones.
fn numbered(name: &str) -> Option<u8> {
    let plain = name == "0" || !name.starts_with(['0', '+']);
    name.parse().ok().filter(|_| plain)
}

/// Makes a bot of this kind for matches of the Set family, or of the level that a number from 0 to 100 stands for; none if there
/// is no such kind.
#[must_use]
pub fn of_pattern(name: &str) -> Option<Box<dyn Bot<pattern::View>>> {
    if let Some(number) = numbered(name) {
        return Some(Box::new(PatternBot::new(Level::new(number)?)));
    }
    match named(Family::Pattern, name)?.make {
        Make::Pattern(make) => Some(make()),
        Make::Contract(_) => None,
    }
}

/// Makes a bot of this kind for matches of the Contract Rummy family, or the one that a number from 0 to 100 stands for
/// ([`Between`]); none if there is no such kind.
#[must_use]
pub fn of_contract(name: &str) -> Option<Box<dyn Bot<contract::View>>> {
    if let Some(number) = numbered(name) {
        return Some(Box::new(Between::new(number)?));
    }
    match named(Family::Contract, name)?.make {
        Make::Contract(make) => Some(make()),
        Make::Pattern(_) => None,
    }
}

/// Makes a bot of this kind (`easy`, or a number: `40`) for matches under these rules; none if there is no such kind.
#[must_use]
pub fn make(name: &str, rules: &Rules) -> Option<Box<dyn Bot<View>>> {
    match rules.family() {
        Family::Pattern => Some(Box::new(OfPattern(of_pattern(name)?))),
        Family::Contract => Some(Box::new(OfContract(of_contract(name)?))),
    }
}

/// What a bot of this kind would do in the place of whoever sees a view, and why ([`Bot::advise`]).
///
/// # Errors
/// There is no such kind of bot in this family.
pub fn advise(name: &str, view: &View) -> Result<Option<Advice>, NoBot> {
    let bot = match view {
        View::Pattern(_) => of_pattern(name).map(|bot| Box::new(OfPattern(bot)) as Box<dyn Bot<View>>),
        View::Contract(_) => of_contract(name).map(|bot| Box::new(OfContract(bot)) as Box<dyn Bot<View>>),
    };
    Ok(bot.ok_or(NoBot)?.advise(view))
}

/// There is no bot of this name in a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoBot;

struct OfPattern(Box<dyn Bot<pattern::View>>);

impl Bot<View> for OfPattern {
    fn name(&self) -> &str {
        self.0.name()
    }
    fn think(&mut self, view: &View, at: Millis, chance: &mut dyn Chance) -> Option<Thought<Command>> {
        let View::Pattern(view) = view else { return None };
        Some(self.0.think(view, at, chance)?.map(Command::Pattern))
    }
    fn advise(&self, view: &View) -> Option<Advice> {
        let View::Pattern(view) = view else { return None };
        self.0.advise(view)
    }
}

struct OfContract(Box<dyn Bot<contract::View>>);

impl Bot<View> for OfContract {
    fn name(&self) -> &str {
        self.0.name()
    }
    fn think(&mut self, view: &View, at: Millis, chance: &mut dyn Chance) -> Option<Thought<Command>> {
        let View::Contract(view) = view else { return None };
        Some(self.0.think(view, at, chance)?.map(Command::Contract))
    }
    fn advise(&self, view: &View) -> Option<Advice> {
        let View::Contract(view) = view else { return None };
        self.0.advise(view)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_can_be_made_and_says_its_name() {
        for (preset, family) in [("set-classic", Family::Pattern), ("contract", Family::Contract)] {
            let game = rulebook::preset(preset).expect("a built-in game");
            let rules = game.rules(3).expect("for three");
            for kind in kinds(family) {
                let bot = make(kind.name, &rules).unwrap_or_else(|| panic!("{}", kind.name));
                assert!(bot.name().starts_with(&format!("{}/", kind.name)), "{} is a {kind:?}", bot.name());
            }
            // Between the names lie numbers.
            for number in ["0", "40", "100"] {
                let bot = make(number, &rules).unwrap_or_else(|| panic!("{number}"));
                assert!(bot.name().starts_with(&format!("{number}/")), "{} is {number}", bot.name());
            }
            assert_eq!(
                make("simple", &rules).expect("easy").name(),
                make("easy", &rules).expect("easy").name()
            );
            assert!(["101", "-1", "+5", "05", ""].iter().all(|name| make(name, &rules).is_none()));
            assert!(make("nobody", &rules).is_none());
            assert!(of_pattern("steady").is_none() && of_contract("medium").is_none(), "of the other family");
        }
    }

    #[test]
    fn every_family_has_its_levels_in_order_and_a_beginner() {
        for family in [Family::Pattern, Family::Contract] {
            let levels: Vec<u8> = kinds(family).map(|kind| kind.level).collect();
            assert!(levels.is_sorted(), "{family:?}: {levels:?}");
            let mut names: Vec<&str> = kinds(family).map(|kind| kind.name).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), levels.len(), "two of {family:?} are called the same");
            assert_eq!(beginner(family).level, 1);
        }
    }
}
