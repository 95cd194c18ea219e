//! Some matches of a contract game, played for a short while to see whether its rounds can be played.
//!
//! A rule file can be right in every word and yet ask for contracts that nobody meets, or for rounds that nobody wins. That
//! shows when bots play it.

use crate::matches::seed_of;
use crate::sim::{ContractTally, contract_match};
use bots::{Bot, Thought};
use contract::{Command, Rules, View};
use game::{Chance, Millis};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What came of the matches that were played.
#[derive(Clone, Debug, Default)]
pub struct Rehearsal {
    /// How many were played to their end.
    pub matches: u64,
    /// Round by round; the match that the time cut short is not in it.
    pub tally: ContractTally,
}

/// Matches that are enough to tell.
const ENOUGH: u64 = 20;
/// A contract met by fewer of a hundred hands is hardly ever met.
const HARDLY: u64 = 5;
/// A round in which more of a hundred times nobody goes out ends blocked too often.
const OFTEN: u64 = 10;
/// Times that a round must have been played before it is judged.
const FEW: u64 = 4;

/// Plays matches of experienced bots for at most so long.
#[must_use]
pub fn rehearse(rules: &Arc<Rules>, seats: u8, time: Duration) -> Rehearsal {
    let until = Instant::now() + time;
    let mut rehearsal = Rehearsal::default();
    while rehearsal.matches < ENOUGH {
        let seat = |_| -> Box<dyn Bot<View>> { Box::new(Hurried { bot: bots::contract::Steady, until }) };
        let mut players: Vec<_> = (0..seats).map(seat).collect();
        let seed = seed_of(1, rehearsal.matches);
        let Ok(tally) = contract_match(rules, &mut players, seed, &mut |_, _, _| ()) else { break };
        rehearsal.matches += 1;
        rehearsal.tally.merge(&tally);
    }
    rehearsal
}

impl Rehearsal {
    /// Whether too little was played to tell that.
    #[must_use]
    pub fn tells_nothing(&self) -> bool {
        self.matches < FEW
    }

    /// What looks as if a round could hardly be played, a sentence each.
    #[must_use]
    pub fn doubts(&self) -> Vec<String> {
        let mut doubts = Vec::new();
        for (number, round) in (1..).zip(&self.tally.rounds).filter(|(_, round)| round.played >= FEW) {
            if round.met * 100 < round.seats * HARDLY {
                doubts.push(format!(
                    "round {number}: its contract is hardly ever met: by {} of {} hands in {} matches of bots",
                    round.met, round.seats, self.matches
                ));
            }
            if round.blocked * 100 > round.played * OFTEN {
                doubts.push(format!(
                    "round {number}: nobody went out in {} of the {} times that bots played it",
                    round.blocked, round.played
                ));
            }
        }
        doubts
    }
}

/// A bot that stops when the time is up.
struct Hurried<B> {
    bot: B,
    until: Instant,
}

impl<B: Bot<View>> Bot<View> for Hurried<B> {
    fn name(&self) -> &str {
        self.bot.name()
    }

    fn think(&mut self, view: &View, at: Millis, chance: &mut dyn Chance) -> Option<Thought<Command>> {
        if Instant::now() >= self.until { None } else { self.bot.think(view, at, chance) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rulebook::{NoFiles, Source};

    fn rehearsed(rules: &str) -> Rehearsal {
        let head = "id = \"mine\"\nname = \"Mine\"\nsummary = \"\"\nbase = \"contract\"\n";
        let text = format!("{head}{rules}");
        let loaded = rulebook::load(Source::Text { name: "mine", text: &text }, None, &NoFiles)
            .unwrap_or_else(|faults| panic!("{faults}"));
        match &*loaded.rules(3).unwrap() {
            rulebook::Rules::Contract(rules) => rehearse(rules, 3, Duration::from_secs(20)),
            rulebook::Rules::Pattern(_) => panic!("a contract game"),
        }
    }

    #[test]
    fn a_round_in_which_nobody_goes_out_is_told() {
        // Who lays six of twelve cards and may lay none off has no way to get rid of the others.
        let stuck = "{ contract = [\"G3\", \"G3\"], deal = 12, set = { \"layoff.when\" = \"never\" } }";
        let rounds = format!("round = [{{ contract = [\"G3\", \"G3\"] }}, {stuck}]");
        let rehearsal = rehearsed(&format!("deck.jokers = 0\ntake.on = false\n{rounds}"));
        assert!(rehearsal.matches >= FEW, "{rehearsal:?}");
        let doubts = rehearsal.doubts();
        assert!(doubts.iter().any(|doubt| doubt.starts_with("round 2: nobody went out")), "{doubts:?}");
        assert!(doubts.iter().all(|doubt| !doubt.starts_with("round 1")), "{doubts:?}");
    }

    #[test]
    fn a_contract_that_is_hardly_ever_met_is_told() {
        let round = |met| crate::sim::RoundTally { played: 20, seats: 60, met, ..Default::default() };
        let tally = ContractTally { rounds: vec![round(40), round(2), round(3)], ..Default::default() };
        let doubts = Rehearsal { matches: 20, tally }.doubts();
        assert_eq!(
            doubts,
            ["round 2: its contract is hardly ever met: by 2 of 60 hands in 20 matches of bots"]
        );
    }

    #[test]
    fn a_common_game_raises_no_doubts_and_the_time_is_kept() {
        let common = rehearsed("round = [{ contract = [\"G3\", \"G3\"] }]");
        assert!(common.matches >= FEW && common.doubts().is_empty(), "{:?}", common.doubts());
        let loaded = rulebook::preset("contract").unwrap();
        let rulebook::Rules::Contract(rules) = &*loaded.rules(5).unwrap() else { panic!("contract") };
        assert_eq!(rehearse(rules, 5, Duration::ZERO).matches, 0);
    }
}
