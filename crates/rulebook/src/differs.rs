//! What a game changes for somebody who knows another of its family: what changes play most comes first.

use crate::Rules;
use game::words::number_first;
use game::{Say, say};
use std::collections::BTreeSet;

/// How many sentences tell what differs, at most.
const STEPS: usize = 3;

/// How many contracts are named, at most.
const NAMED: usize = 3;

/// Keys of sentences of the table `rule`, or the beginnings of several, in the order in which a change of them matters. What stands
/// nowhere here comes last.
const ORDER: &[&str] = &[
    // What is played.
    "pattern.memory",
    "pattern.setup",
    "pattern.puzzle",
    "pattern.scout",
    "pattern.trial",
    "pattern.race",
    "pattern.super",
    "pattern.ultra1",
    "pattern.ultra2",
    "pattern.double",
    "pattern.eight",
    "contract.teams",
    "contract.sides",
    "contract.choice",
    "contract.choice_dealer",
    "contract.choice_loser",
    "contract.any_order",
    "contract.progress",
    // What one may do.
    "pattern.hand",
    "pattern.from_hand",
    "pattern.chain_own",
    "pattern.chain_table",
    "pattern.end.hand",
    "pattern.end.hand_or_stock",
    "pattern.end.lost",
    "pattern.end.goal",
    "pattern.end.clear",
    "pattern.leaves.picked",
    "pattern.leaves.chance",
    "pattern.down",
    "pattern.right",
    "pattern.deck.grounds",
    "pattern.open.groups",
    "pattern.chain_never",
    "pattern.chain_extra",
    "pattern.chain_point",
    "pattern.tap",
    "pattern.won",
    "pattern.refilled",
    "pattern.pairs_named",
    "pattern.sets_listed",
    "pattern.single",
    "pattern.padding",
    "pattern.no_padding",
    "pattern.dealer.sits_out",
    "pattern.tie",
    "pattern.one_by_one",
    "pattern.one_by_one_refill",
    "contract.shanghai.on",
    "contract.shanghai.alone",
    "contract.shanghai.fined",
    "contract.pass.on",
    "contract.draw.push",
    "contract.draw.whole_pile",
    "contract.draw.pile",
    "contract.draw.cards",
    "contract.draw.from_stock",
    "contract.wild.which",
    "contract.wild.none",
    "differs.new",
    "differs.many_new",
    "contract.pack",
    "contract.take.no",
    "contract.take.yes",
    "contract.take.round",
    "contract.take.game",
    "contract.take.any_number",
    "contract.meld.further",
    "contract.meld.once",
    "contract.layoff.next",
    "contract.layoff.same",
    "contract.layoff.never",
    "contract.layoff.all_down",
    "contract.meld.all",
    "contract.meld.points",
    "contract.meld.larger",
    "contract.meld.exact",
    "contract.out",
    "contract.skip",
    "contract.ace",
    "contract.wild.max",
    "contract.wild.at_least",
    "contract.wild.more",
    "contract.wild.min",
    "contract.wild.alone",
    "contract.wild.kinds",
    "contract.wild.no_kinds",
    "contract.group.suits_differ",
    "contract.group.ranks_differ",
    "contract.run.per_suit",
    "contract.draw.first_double",
    "contract.draw.not_when_down",
    "contract.take.not_down",
    "contract.take.own_turn",
    "contract.take.stays_open",
    "contract.take.no_chain",
    "contract.discard.wild_never",
    "contract.discard.wild_not_taken",
    "contract.discard.wild_last",
    "contract.cut.on",
    "contract.cut.points",
    "contract.cut.points_upcard",
    "contract.reclaim.everywhere",
    "contract.reclaim.runs_only",
    // What it counts.
    "pattern.score.setup",
    "pattern.score.others",
    "pattern.score.time",
    "pattern.score.trial",
    "pattern.score.time_errors",
    "pattern.wrong",
    "pattern.score.card",
    "pattern.false",
    "contract.end",
    "contract.money",
    "contract.score.high",
    "contract.score.high_of_equals",
    "contract.score.winner",
    "contract.score.at_once",
    "contract.score.not_down",
    "contract.score.not_down_twice",
    "contract.score.not_down_not",
    "contract.values",
    "contract.take.penalty",
    "contract.take.no_penalty",
    "contract.take.pennies",
    "contract.take.points",
    // What is dealt, and from which cards.
    "pattern.deck",
    "pattern.open.one",
    "pattern.score.claims",
    "pattern.none",
    "differs.dealt",
    "differs.dealt_from",
    "contract.upcard.no",
    "contract.decks",
    // What comes to bear now and then.
    "contract.reclaim",
    "contract.wild.end_free",
    "contract.wild.to_end",
    "contract.wild.ends",
    "contract.wild.adjacent",
    "contract.run",
    "contract.meld.exact_layoff",
    "contract.discard",
    "contract.cut",
    "contract.take.first_call",
];

/// Sentences of which only what stands over them says what they are about.
const UNDER: &[&str] = &["round", "game", "penalty", "no_penalty", "pennies", "penalty_pennies", "points"];

/// A sentence about takes, away from those that stand before it in the sheet, where `head` is over them.
pub(crate) fn of_take(line: Say, bare: &Say, head: Say) -> Say {
    match bare.key.strip_prefix("rule.contract.take.") {
        Some(what) if UNDER.contains(&what) => say!("rule.differs.under", head = head, line = line),
        _ => line,
    }
}

/// The place of a sentence among all, the one that matters most first.
fn place(say: &Say) -> usize {
    let key = say.key.strip_prefix("rule.").unwrap_or(&say.key);
    // The longest one: a sentence may have a place of its own, apart from others that begin as it does.
    let begins = |of: &str| key.strip_prefix(of).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let found = ORDER.iter().enumerate().filter(|(_, of)| begins(of)).max_by_key(|(_, of)| of.len());
    found.map_or(ORDER.len(), |(at, _)| at)
}

/// The sentences that matter most, [`STEPS`] at most: of each what it is ranked by, and what is said.
pub(crate) fn most(mut sentences: Vec<(Say, Say)>) -> Vec<Say> {
    sentences.sort_by_key(|(bare, _)| place(bare));
    sentences.into_iter().take(STEPS).map(|(_, plain)| plain).collect()
}

/// What differs in what is asked for and dealt, which the sheet has in a table.
pub(crate) fn of_rounds(ours: &Rules, theirs: &Rules) -> Vec<Say> {
    match (ours, theirs) {
        (Rules::Contract(ours), Rules::Contract(theirs)) => {
            contracts(ours, theirs).into_iter().chain(dealt(ours, theirs)).collect()
        }
        _ => Vec::new(),
    }
}

/// Contracts that the other game has not; sizes that melds may have besides are an option, with a sentence of its own.
fn contracts(ours: &contract::Rules, theirs: &contract::Rules) -> Option<Say> {
    let shape = |rules: &contract::Rules, at: usize| -> BTreeSet<Vec<String>> {
        let slots = |slots: &Vec<contract::rules::Choice>| {
            let mut slots: Vec<String> = slots.iter().map(ToString::to_string).collect();
            slots.sort();
            slots
        };
        rules.rounds[at].contracts.iter().map(slots).collect()
    };
    let mut met: BTreeSet<_> = theirs.played().into_iter().map(|at| shape(theirs, at)).collect();
    let new: Vec<usize> = ours.played().into_iter().filter(|at| met.insert(shape(ours, *at))).collect();
    // Of many, the longest.
    let cards = |at: &usize| {
        let slot =
            |choice: &contract::rules::Choice| choice.0.iter().map(|slot| slot.size).min().unwrap_or(0);
        let all = ours.rounds[*at].contracts.iter();
        all.map(|slots| slots.iter().map(|choice| u16::from(slot(choice))).sum::<u16>()).min()
    };
    let mut named = new.clone();
    named.sort_by_key(|at| std::cmp::Reverse((cards(at), *at)));
    named.truncate(NAMED);
    named.sort_unstable();
    let words = named.into_iter().map(|at| ours.law(at).all_contract_words());
    let contracts = words.reduce(|a, b| say!("rule.differs.also", a = a, b = b))?;
    let n = new.len();
    Some(if n > NAMED {
        say!("rule.differs.many_new", words = number_first(n as i64), contracts = contracts)
    } else {
        say!("rule.differs.new", n = n, contracts = contracts)
    })
}

/// How many cards are dealt, where that is otherwise.
fn dealt(ours: &contract::Rules, theirs: &contract::Rules) -> Option<Say> {
    let span = |rules: &contract::Rules| {
        let dealt = || rules.played().into_iter().map(|at| rules.rounds[at].deal);
        Some((dealt().min()?, dealt().max()?))
    };
    let (min, max) = span(ours).filter(|dealt| span(theirs) != Some(*dealt))?;
    Some(if min == max {
        say!("rule.differs.dealt", words = number_first(max))
    } else {
        say!("rule.differs.dealt_from", min = min, max = max)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_ranked_is_said() {
        let sheets: toml::Table = include_str!("../../web/lang/sheets/en.toml").parse().unwrap();
        for key in ORDER {
            let mut at = &sheets["rule"];
            for part in key.split('.') {
                at = at.get(part).unwrap_or_else(|| panic!("{key} is no sentence"));
            }
        }
        let twice: BTreeSet<_> = ORDER.iter().collect();
        assert_eq!(twice.len(), ORDER.len(), "something stands twice");
    }
}
