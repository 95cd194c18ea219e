//! The bots of both families, at tables that play either.

use crate::contract::{Easy, Steady};
use crate::pattern::{Level, PatternBot};
use crate::random::Random;
use crate::{Bot, Thought};
use game::{Chance, Millis};
use rulebook::{Command, Family, Rules, View};

/// The kinds of bots that can be seated in this family, the weakest first. `random` is for tests and measurements.
#[must_use]
pub fn kinds(family: Family) -> &'static [&'static str] {
    match family {
        Family::Pattern => &["easy", "medium", "hard", "random"],
        Family::Contract => &["easy", "steady", "random"],
    }
}

/// Makes a bot of this kind for matches of the Set family; none if there is no such kind.
#[must_use]
pub fn of_pattern(kind: &str) -> Option<Box<dyn Bot<pattern::View>>> {
    Some(match kind {
        "easy" => Box::new(PatternBot::new(Level::Easy)),
        "medium" => Box::new(PatternBot::new(Level::Medium)),
        "hard" => Box::new(PatternBot::new(Level::Hard)),
        "random" => Box::new(Random),
        _ => return None,
    })
}

/// Makes a bot of this kind for matches of the Contract Rummy family; none if there is no such kind.
#[must_use]
pub fn of_contract(kind: &str) -> Option<Box<dyn Bot<contract::View>>> {
    Some(match kind {
        "easy" => Box::new(Easy),
        "steady" => Box::new(Steady),
        "random" => Box::new(Random),
        _ => return None,
    })
}

/// Makes a bot of this kind (`easy`) for matches under these rules; none if there is no such kind.
#[must_use]
pub fn make(kind: &str, rules: &Rules) -> Option<Box<dyn Bot<View>>> {
    match rules {
        Rules::Pattern(_) => of_pattern(kind).map(|bot| Box::new(OfPattern(bot)) as _),
        Rules::Contract(_) => of_contract(kind).map(|bot| Box::new(OfContract(bot)) as _),
    }
}

struct OfPattern(Box<dyn Bot<pattern::View>>);

impl Bot<View> for OfPattern {
    fn name(&self) -> &str {
        self.0.name()
    }
    fn think(&mut self, view: &View, at: Millis, chance: &mut dyn Chance) -> Option<Thought<Command>> {
        let View::Pattern(view) = view else { return None };
        Some(self.0.think(view, at, chance)?.map(Command::Pattern))
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
                let bot = make(kind, &rules).unwrap_or_else(|| panic!("{kind}"));
                assert!(bot.name().starts_with(kind), "{} is called {kind}", bot.name());
            }
            assert!(make("nobody", &rules).is_none());
        }
    }
}
