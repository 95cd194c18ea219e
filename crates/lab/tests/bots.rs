//! Bots over many matches: none gets stuck, none leaves lying what it needs, and what takes cost counts.

use contract::{Match, Rules};
use lab::matches::{play, seed_of};
use lab::sim::{ContractTally, contract_match, leaves_completing};
use rulebook::{NoFiles, Source};
use std::sync::Arc;

fn rules(name: &str, text: &str, seats: u8) -> Arc<Rules> {
    let source = if text.is_empty() { Source::Preset(name) } else { Source::Text { name, text } };
    let loaded = rulebook::load(source, None, &NoFiles).unwrap_or_else(|faults| panic!("{name}: {faults}"));
    match &*loaded.rules(seats).unwrap_or_else(|faults| panic!("{name}: {faults}")) {
        rulebook::Rules::Contract(rules) => rules.clone(),
        rulebook::Rules::Pattern(_) => panic!("{name} is no contract game"),
    }
}

/// A game made of the base game.
fn house(options: &str) -> String {
    format!("id = \"mine\"\nname = \"Mine\"\nsummary = \"\"\nbase = \"contract\"\n{options}\n")
}

/// Matches of one kind of bot, and how many discards they left lying that completed a contract.
fn played(rules: &Arc<Rules>, bot: &str, seats: u8, matches: u64) -> (ContractTally, u64) {
    let (mut all, mut left) = (ContractTally::default(), 0);
    for i in 0..matches {
        let mut players: Vec<_> = (0..seats).map(|_| bots::of_contract(bot).expect(bot)).collect();
        let tally = contract_match(rules, &mut players, seed_of(1, i), &mut |game, input, _| {
            left += u64::from(leaves_completing(game, input) == Some(true));
        });
        all.merge(&tally.unwrap_or_else(|why| panic!("{}: {why}", rules.id)));
    }
    (all, left)
}

/// At most a part of the rounds ends with nobody out, and no discard that completes a contract is left lying.
#[track_caller]
fn check(name: &str, text: &str, seats: u8, matches: u64) {
    let (tally, left) = played(&rules(name, text, seats), "steady", seats, matches);
    let blocked: u64 = tally.rounds.iter().map(|round| round.blocked).sum();
    let all: u64 = tally.rounds.iter().map(|round| round.played).sum();
    assert!(blocked * 20 <= all, "{name}: {blocked} of {all} rounds were blocked: {tally:?}");
    assert_eq!(left, 0, "{name}: completing discards were left lying");
}

#[test]
fn whole_hands_groups_of_suits_corners_and_pushes_do_not_block() {
    check("shanghai", "", 3, 2);
    check("telefunken", "", 3, 2);
    check("carioca", "", 2, 1);
    check("push", "", 4, 10);
    check("suits", &house("group.distinct_suits = true\ngroup.max = 4\ngame.rounds = [2, 5, 6]"), 3, 2);
}

/// Takes of a seat in a round, by round.
fn takes(tally: &ContractTally) -> Vec<f64> {
    tally.rounds.iter().map(|round| round.takes.mean()).collect()
}

#[test]
fn what_a_take_costs_in_points_counts() {
    let rounds = "game.rounds = [1, 2, 3]";
    let (free, _) = played(&rules("free", &house(rounds), 3), "steady", 3, 4);
    let (dear, _) =
        played(&rules("dear", &house(&format!("{rounds}\ntake.points = 100")), 3), "steady", 3, 4);
    assert!(takes(&free).iter().all(|&takes| takes > 0.2), "{free:?}");
    assert!(takes(&dear).iter().all(|&takes| takes < 0.02), "{dear:?}");
}

#[test]
fn takes_for_the_whole_match_are_not_spent_in_its_first_rounds() {
    let options = "take.limit = 7\ntake.limit_per = \"game\"\ngame.rounds = [1, 2, 3, 4, 5, 6]";
    let (tally, _) = played(&rules("limited", &house(options), 3), "steady", 3, 6);
    let last: f64 = takes(&tally)[3..].iter().sum();
    assert!(last > 1.0, "takes by round: {:?}", takes(&tally));
}

#[test]
fn where_the_highest_total_wins_it_is_not_the_random_player_who_does() {
    let rules = rules("high", &house("score.low_wins = false\ngame.rounds = [1, 2]"), 3);
    let mut ahead = 0;
    for seed in 0..12 {
        let kinds = [["steady", "random", "random"], ["random", "steady", "random"]][seed as usize % 2];
        let mut players: Vec<_> = kinds.iter().map(|kind| bots::of_contract(kind).expect(kind)).collect();
        let over = play::<Match>(&rules, &mut players, seed, 1_000_000, &mut |_, _, _| (), &mut |_, _| ());
        let places = over.unwrap_or_else(|why| panic!("{why}")).outcome.places;
        ahead += u32::from(places[seed as usize % 2] == 1);
    }
    assert!(ahead >= 8, "first in {ahead} of 12, by chance 4");
}

/// The rule files of families are read, and each says where its facts are from.
#[test]
fn house_rules_can_be_played_and_name_their_source() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rules/house");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    assert!(files.len() >= 12, "{files:?}");
    for file in files {
        let (text, name) = (std::fs::read_to_string(&file).expect("text"), file.display().to_string());
        assert!(text.starts_with("# Facts of "), "{name} does not name its source");
        let loaded = rulebook::load(Source::Text { name: &name, text: &text }, None, &NoFiles)
            .unwrap_or_else(|faults| panic!("{faults}"));
        assert_eq!(Some(loaded.info.id.as_str()), file.file_stem().and_then(|stem| stem.to_str()));
        for seats in loaded.info.players_min..=loaded.info.players_max {
            loaded.rules(seats).unwrap_or_else(|faults| panic!("{name}, {seats} players: {faults}"));
        }
    }
}
