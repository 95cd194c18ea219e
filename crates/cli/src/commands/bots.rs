//! The bots, by the names that people type.

use anyhow::{Result, anyhow};
use bots::Bot;
use rulebook::{Family, Rules, View};

/// What the bots of each family are called, for the help of an argument.
pub fn listed() -> String {
    format!("contract games {}; pattern games {}", names(Family::Contract), names(Family::Pattern))
}

/// What the bots of a family are called, from the one that moves at random to the strongest.
pub fn names(family: Family) -> String {
    let names: Vec<&str> = bots::kinds(family).map(|kind| kind.name).collect();
    names.join(", ") + ", or a level from 0 to 100"
}

/// The bot of a family that plays unless another is named: somebody with experience.
pub fn usual(family: Family) -> &'static str {
    bots::of_level(family, 2).unwrap_or_else(|| bots::beginner(family)).name
}

/// A bot for pattern games, by name.
pub fn pattern_bot(name: &str) -> Result<Box<dyn Bot<pattern::View>>> {
    bots::of_pattern(name).ok_or_else(|| no_bot(name, Family::Pattern))
}

/// A bot for contract games, by name.
pub fn contract_bot(name: &str) -> Result<Box<dyn Bot<contract::View>>> {
    bots::of_contract(name).ok_or_else(|| no_bot(name, Family::Contract))
}

/// A bot for any game, by name.
pub fn bot(name: &str, rules: &Rules) -> Result<Box<dyn Bot<View>>> {
    bots::make(name, rules).ok_or_else(|| no_bot(name, rules.family()))
}

/// That there is no such bot.
pub fn no_bot(name: &str, family: Family) -> anyhow::Error {
    anyhow!("`{name}` is no bot for this game: {}", names(family))
}
