//! The bots of both families, at tables that play either.

use crate::random::Random;
use crate::{Bot, Thought};
use game::{Chance, Millis};
use rulebook::{Command, Rules, View};

/// Bots of the pattern family, by kind.
fn pattern(kind: &str, _rules: &pattern::Rules) -> Option<Box<dyn Bot<pattern::View>>> {
    match kind {
        "random" => Some(Box::new(Random)),
        _ => None,
    }
}

/// Bots of the contract family, by kind.
fn contract(kind: &str, _rules: &contract::Rules) -> Option<Box<dyn Bot<contract::View>>> {
    match kind {
        "random" => Some(Box::new(Random)),
        _ => None,
    }
}

/// Makes a bot of this kind (`easy`) for matches under these rules; none if there is no such kind.
#[must_use]
pub fn make(kind: &str, rules: &Rules) -> Option<Box<dyn Bot<View>>> {
    match rules {
        Rules::Pattern(rules) => pattern(kind, rules).map(|bot| Box::new(OfPattern(bot)) as _),
        Rules::Contract(rules) => contract(kind, rules).map(|bot| Box::new(OfContract(bot)) as _),
    }
}

struct OfPattern(Box<dyn Bot<pattern::View>>);

impl Bot<View> for OfPattern {
    fn name(&self) -> &str {
        self.0.name()
    }
    fn think(&mut self, view: &View, at: Millis, chance: &mut dyn Chance) -> Option<Thought<Command>> {
        let View::Pattern(view) = view else { return None };
        let thought = self.0.think(view, at, chance)?;
        Some(Thought { command: Command::Pattern(thought.command), after_ms: thought.after_ms })
    }
}

struct OfContract(Box<dyn Bot<contract::View>>);

impl Bot<View> for OfContract {
    fn name(&self) -> &str {
        self.0.name()
    }
    fn think(&mut self, view: &View, at: Millis, chance: &mut dyn Chance) -> Option<Thought<Command>> {
        let View::Contract(view) = view else { return None };
        let thought = self.0.think(view, at, chance)?;
        Some(Thought { command: Command::Contract(thought.command), after_ms: thought.after_ms })
    }
}
