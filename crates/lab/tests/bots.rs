//! Bots over many matches: none gets stuck, none leaves lying what it needs, and what takes cost counts.

use cards::Face;
use contract::{Command, Match, Rules};
use game::chance::SplitMix;
use game::written::{Opening, Written};
use game::{Game, Input, Millis, Seat, Timing, Viewer};
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

/// Where everybody waits for cards that others keep, what is of no use goes round until somebody has them.
#[test]
fn a_full_run_is_finished_though_all_wait_for_each_other() {
    let one_round =
        |base: &str, round: u8| house(&format!("game.rounds = [{round}]")).replace("contract", base);
    check("full-run", &one_round("carioca", 9), 4, 20);
    check("run-of-ten", &one_round("shanghai-kolsov", 8), 4, 12);
}

/// What seat 1 of three throws, being down, once it has drawn from the stock.
fn thrown(hand: &str, melds: &str, stock: &str) -> Face {
    let rules = rules("alone", &house("take.on = false"), 3);
    let text = format!(
        "hands = [\"KC KS\", \"{hand}\", \"QC QS\"]\nmelds = [{melds}]\ndiscard = \"3C\"\nstock = \"{stock}\""
    );
    let position = toml::from_str(&text).expect("a position");
    let opening = Opening { round: 3, dealer: Seat(0) };
    let mut game = Match::set_up(rules, 3, opening, position).unwrap_or_else(|faults| panic!("{faults:?}"));
    let (mut chance, mut events) = (SplitMix(1), Vec::new());
    loop {
        let view = game.view(Viewer::Seat(Seat(1)));
        let thought = bots::of_contract("steady").expect("steady").think(&view, Millis(0), &mut chance);
        let command = thought.expect("it is its turn").command;
        if let Command::Discard { card, .. } = command {
            return card;
        }
        let input = Input::Play(Seat(1), command, Timing::at(Millis(0)));
        game::step(&mut game, Millis(0), &input, &mut events).unwrap_or_else(|why| panic!("{why}"));
    }
}

#[test]
fn who_is_down_keeps_what_will_fit_and_throws_what_never_can() {
    let check = |hand: &str, melds: &str, expected: &str| {
        let pack = cards::Pack::standard();
        assert_eq!(pack.text(thrown(hand, melds, "2D 5C")), expected, "{hand} beside {melds}");
    };
    let runs = r#""1: R[4H 5H 6H 7H]", "1: R[4S 5S 6S 7S]""#;
    // The nine fits once an eight lies there; the seven of clubs has nothing to wait for.
    check("9H 7C", runs, "7C");
    // Both eights lie elsewhere: neither has the nine.
    check("9H 7C", &format!(r#"{runs}, "2: G[8H 8H 8S]""#), "9H");
}

/// Whether seat 2 of four, who holds twelve cards for two groups, takes the five that seat 1 lets lie.
fn takes_the_five(bot: &str, options: &str) -> bool {
    let rules = rules("asked", &house(options), 4);
    let text = r#"
        hands = ["KC KS KD", "QC QS 2H", "5C 5D AS 2C 4H 6S 7D 8H 9C TS JD KH", "JC JS 3H"]
        discard = "5H"
        stock = "2D 3C 4C 4D 6C 6D 7C 7S 8C 8S 9D 9H TC TD AH AD 3S QH JH 6H"
    "#;
    let position = toml::from_str(text).expect("a position");
    let opening = Opening { round: 1, dealer: Seat(0) };
    let mut game = Match::set_up(rules, 4, opening, position).unwrap_or_else(|faults| panic!("{faults:?}"));
    let input = Input::Play(Seat(1), Command::DrawStock, Timing::at(Millis(0)));
    game::step(&mut game, Millis(0), &input, &mut Vec::new()).unwrap_or_else(|why| panic!("{why}"));
    let view = game.view(Viewer::Seat(Seat(2)));
    let thought = bots::of_contract(bot).expect(bot).think(&view, Millis(0), &mut SplitMix(1));
    match thought.expect("it is asked").command {
        Command::Take => true,
        Command::Pass => false,
        other => panic!("{other:?}"),
    }
}

/// A card that brings the hand nearer is worth its penalty card to keen even beside a full hand, unless takes are dear.
#[test]
fn keen_takes_what_brings_it_nearer() {
    assert!(takes_the_five("keen", ""));
    assert!(!takes_the_five("steady", ""));
    assert!(!takes_the_five("keen", "take.points = 100"));
}

/// Takes of a seat in a round, by round.
fn takes(tally: &ContractTally) -> Vec<f64> {
    tally.rounds.iter().map(|round| round.takes.mean()).collect()
}

#[test]
fn what_a_take_costs_in_points_counts() {
    let rounds = "game.rounds = [1, 2, 3]";
    for (bot, seats, matches) in [("steady", 3, 4), ("keen", 4, 4), ("strong", 3, 3)] {
        let (free, _) = played(&rules("free", &house(rounds), seats), bot, seats, matches);
        let dear = rules("dear", &house(&format!("{rounds}\ntake.points = 100")), seats);
        let (dear, _) = played(&dear, bot, seats, matches);
        assert!(takes(&free).iter().all(|&takes| takes > 0.2), "{bot}: {free:?}");
        assert!(takes(&dear).iter().all(|&takes| takes < 0.02), "{bot}: {dear:?}");
    }
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
    for kind in ["easy", "steady", "keen"] {
        let mut ahead = 0;
        for seed in 0..12 {
            let kinds = [[kind, "random", "random"], ["random", kind, "random"]][seed as usize % 2];
            let mut players: Vec<_> = kinds.iter().map(|kind| bots::of_contract(kind).expect(kind)).collect();
            let over =
                play::<Match>(&rules, &mut players, seed, 1_000_000, &mut |_, _, _| (), &mut |_, _| ());
            let places = over.unwrap_or_else(|why| panic!("{why}")).outcome.places;
            ahead += u32::from(places[seed as usize % 2] == 1);
        }
        assert!(ahead >= 8, "{kind} is first in {ahead} of 12, by chance 4");
    }
}

/// Bots know what families play: hardly a round is blocked by it.
#[test]
fn what_families_play_does_not_block() {
    let short = "game.rounds = [1, 2, 3]";
    check(
        "all down",
        &house(&format!("{short}\nlayoff.all_down = true\nscore.not_down_cards = \"twice\"")),
        3,
        2,
    );
    check("float", &house(&format!("{short}\nout.discard = \"float\"\nlayoff.when = \"same-turn\"")), 3, 2);
    let wilds = "wild.ranks = [\"2\"]\ndiscard = { wild = \"never\", wild_taken = false }";
    check("wilds", &house(&format!("{short}\n{wilds}\nwild.max_per_meld = 2")), 3, 2);
    check("target", &house("game = { rounds = [1, 2], target = 150, again = true, max_rounds = 12 }"), 3, 2);
    check("pile", &house(&format!("{short}\ndraw.pile = 0")), 3, 2);
    check(
        "top of the pile",
        &house(&format!("{short}\ndraw.pile = 3\nmeld.extra = \"after-contract\"")),
        3,
        2,
    );
    let named = "round = [{ contract = [\"P2=A\", \"G3\"] }, { contract = [\"P2=K\", \"R4\"] }]";
    check("named ranks", &house(named), 3, 2);
    check("upcard", &house(&format!("{short}\nwild.upcard = true")), 3, 2);
    check("named", &house(&format!("{short}\nwild.named = true")), 3, 2);
    let flushes = "round = [{ contract = [\"F7\"] }, { contract = [\"F5k\", \"G3\"] }, { contract = [\"F4\", \"R4\"] }]";
    check("flushes", &house(flushes), 3, 2);
    let skips = "skip.cards = [\"JK\", \"7\"]\nwild.reclaim = \"none\"";
    check("lost turns", &house(&format!("{short}\n{skips}")), 3, 2);
    check("lost turns of two", &house(&format!("{short}\n{skips}\nplayers.min = 2")), 2, 2);
    check("passed on", &house(&format!("{short}\npass = {{ cards = 3, to = \"alternate\" }}")), 3, 2);
    check("rummy", &house(&format!("{short}\nshanghai = {{ on = true, penalty = 2 }}")), 3, 2);
    check("points", &house(&format!("{short}\nmeld.points = 50")), 3, 2);
    for choice in ["dealer", "last-loser"] {
        check(choice, &house(&format!("{short}\ngame.choice = \"{choice}\"")), 3, 2);
    }
    let order = "game = { rounds = [1, 2, 3], progress = \"per-player\", end = \"finisher-total\", choice = \"any-order\" }";
    check("any order", &house(order), 3, 2);
}

/// The rule files of families are read, and each says where its facts are from.
#[test]
fn house_rules_can_be_played_and_name_their_source() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rules/house");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    assert!(files.len() >= 20, "{files:?}");
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

/// What the app says of how long a match takes is what bots need: of a few matches of the quick games the same, within half of it.
#[test]
fn how_long_games_take_is_as_it_was_measured() {
    for game in ["set-classic", "quick", "memory", "daily-puzzle", "contract", "house-jeanne"] {
        let told = u32::from(rulebook::minutes(game));
        let took = lab::lengths::minutes(game, lab::lengths::Lengths { matches: 9, seed: 3 });
        let took = took.unwrap_or_else(|why| panic!("{why}"));
        let near = told.div_ceil(2)..=told * 3 / 2 + 1;
        assert!(near.contains(&took), "{game}: {told} minutes are told, {took} were needed");
    }
    for game in rulebook::presets() {
        assert!(rulebook::minutes(game) > 0, "nothing is told of {game}: run the example `minutes` again");
    }
}
