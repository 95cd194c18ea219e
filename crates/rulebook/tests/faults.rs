//! What is wrong with a rule file, text in, text out: every fault at once, with file, line, reason and remedy.

use game::say;
use rulebook::house::Told;
use rulebook::{Files, Source, preset};

/// The files of a family, by name.
struct Shelf(&'static [(&'static str, &'static str)]);

impl Files for Shelf {
    fn read(&self, path: &str) -> Result<String, String> {
        let found = self.0.iter().find(|(name, _)| *name == path);
        found
            .map(|(_, text)| (*text).to_owned())
            .ok_or_else(|| format!("`{path}` cannot be read: there is no such file"))
    }
}

fn faults(text: &str, options: &str, shelf: &'static [(&'static str, &'static str)]) -> String {
    let source = Source::Text { name: "my.toml", text };
    let options: toml::Table = options.parse().unwrap();
    match rulebook::load(source, (!options.is_empty()).then_some(&options), &Shelf(shelf)) {
        Ok(loaded) => loaded.warnings.iter().map(|w| format!("warning: {w}\n")).collect(),
        Err(faults) => format!("{faults}\n"),
    }
}

/// A contract file of four lines, and then `text`: so its first line is line 5.
fn check(text: &str, expected: &str) {
    let head = "id = \"my-game\"\nname = \"My game\"\nbase = \"contract\"\nnote = \"ours\"\n";
    let found = faults(&format!("{head}{text}\n"), "", &[]);
    let expected: String = expected.lines().map(|line| format!("{}\n", line.trim())).collect();
    assert_eq!(found, expected, "\n--- found\n{found}--- of\n{text}");
}

#[test]
fn a_file_that_changes_little_is_right() {
    check("deal.cards = 9\n\"take.seconds\" = 20", "");
}

#[test]
fn v1_keys_types_and_ranges_all_at_once() {
    check(
        "run.gpa = 1\nrun.gap = 4\ntake = { on = \"yes\", limit = -1 }\nout.discard = \"maybe\"\ncolour = 3\nround = []",
        "my.toml:5: `run.gpa` is not known: perhaps `run.gap` is meant (V1)
         my.toml:6: `run.gap` is 4: write a number from 0 to 3 (V1)
         my.toml:7: `take.on` is \"yes\": write true or false (V1)
         my.toml:7: `take.limit` is -1: write a number from 0 to 99 (V1)
         my.toml:8: `out.discard` is \"maybe\": write one of \"required\", \"optional\", \"forbidden\", \"float\" (V1)
         my.toml:9: `colour` is not known: take it out, or see `parlour rules schema` for what there is (V1)
         my.toml:10: `round` is []: write the rounds: round = [{ contract = [\"G3\", \"G3\"] }, ..] (V1)",
    );
    check(
        "take.seconds = 2",
        "my.toml:5: `take.seconds` is 2: write 0 to wait for everybody, or 3 to 60 (V1)",
    );
    check(
        "take = 3",
        "my.toml:5: `take` is a number, but it is a group of settings: write `take.on = ...`; the group has on, label, limit, limit_per, penalty, pennies, penalty_pennies, points, own_turn, current, chain, repeat, repeat_scope, who, own_discard, first_turn, tie, close, early_asks, short, seconds (V1)",
    );
    check("take.on = true\n\"take.on\" = true", "my.toml:6: `take.on` is given twice: take one out (V1)");
    check(
        "players.teams = 1",
        "my.toml:5: `players.teams` is 1: write 0 where everybody plays alone, or 2 to 3 (V1)",
    );
    check(
        "players = { min = 6, max = 4 }",
        "my.toml:5: players.min is 6, players.max 4: the fewest cannot be more than the most (V1)",
    );
    check(
        "deal.cards = 2.5",
        "my.toml:5: `deal.cards` is a number with a fraction: write a number, or a reckoning such as \"n-1\" or \"ceil(n/2)\" (V1)",
    );
}

#[test]
fn v1_what_is_no_toml_is_named_with_its_line() {
    let found = faults("id = \"x\"\nname = \"X\nbase = \"contract\"", "", &[]);
    assert!(found.starts_with("my.toml:2: this is no TOML ("), "{found}");
    assert!(found.contains("(V1)"), "{found}");
}

#[test]
fn v1_what_is_set_twice_and_whose_name_it_has() {
    check(
        "take.limit = 1\ntake = { on = true }",
        "my.toml:6: this is set a second time: set it once, a group of settings in one place (V1)",
    );
    assert_eq!(
        faults("id = \"contract\"\nname = \"Mine\"\nbase = \"contract\"", "", &[]),
        "my.toml:3: this game is based on `contract` and calls itself `contract` too: give it an `id` of its own (V1)\n"
    );
    let named = |name: &str| faults(&format!("id = \"x\"\nname = \"{name}\"\nbase = \"contract\""), "", &[]);
    assert_eq!(named(" "), "my.toml:2: `name` is empty: write a name of at most 80 letters (V1)\n");
    assert_eq!(
        named(&"x".repeat(81)),
        "my.toml:2: `name` is too long: write a name of at most 80 letters (V1)\n"
    );
    assert_eq!(named(&"x".repeat(80)), "");
}

#[test]
fn v1_what_every_file_needs() {
    assert_eq!(
        faults("deal.cards = 9", "", &[]),
        "my.toml: neither this file nor the games it is based on name any rounds: write round = [{ contract = [\"G3\", \"G3\"] }, ..], or a `base` that has them (V1)\n\
         my.toml: `id` is missing: write id = \"my-game\" (V1)\n\
         my.toml: `name` is missing: write name = \"My game\" (V1)\n"
    );
}

#[test]
fn v1_the_chain_of_bases_is_sound() {
    let file = |id: &str, base: &str| format!("id = \"{id}\"\nname = \"{id}\"\nbase = \"{base}\"");
    assert_eq!(
        faults(&file("mine", "contrakt"), "", &[]),
        "my.toml:3: there is no game `contrakt` to base this one on: perhaps `contract` is meant (V1)\n"
    );
    let circle: &[(&str, &str)] = &[("aunt.toml", "id = \"aunt\"\nname = \"Aunt\"\nbase = \"mine\"")];
    let found = faults(&file("mine", "aunt"), "", circle);
    assert!(
        found.starts_with("aunt.toml:3: the games are based on one another in a circle: mine -> aunt -> mine: take one `base` out (V1)\n"),
        "{found}"
    );
    let tower: &[(&str, &str)] = &[
        ("a.toml", "id = \"a\"\nname = \"A\"\nbase = \"b\""),
        ("b.toml", "id = \"b\"\nname = \"B\"\nbase = \"c\""),
        ("c.toml", "id = \"c\"\nname = \"C\"\nbase = \"contract\""),
    ];
    assert_eq!(faults(&file("mine", "a"), "", tower), "");
    let higher: &[(&str, &str)] = &[
        ("a.toml", "id = \"a\"\nname = \"A\"\nbase = \"b\""),
        ("b.toml", "id = \"b\"\nname = \"B\"\nbase = \"c\""),
        ("c.toml", "id = \"c\"\nname = \"C\"\nbase = \"liverpool\""),
    ];
    let found = faults(&file("mine", "a"), "", higher);
    assert!(
        found.starts_with("rules/contract/liverpool.toml:6: more than 4 games are based on one another: base this game on one nearer to the root (V1)\n"),
        "{found}"
    );
}

#[test]
fn v1_rounds_slots_and_reckonings() {
    check(
        "round = [\n  { contract = [\"G3\", \"X4\"] },\n  { contract = [] },\n  { deal = 9 },\n  { contract = [\"G3\"], deal = \"n/2\", colour = 1 },\n  { contract = [\"G3|R3\", \"R13m\"], set = { \"take.onn\" = true, \"players.max\" = 4 } },\n]",
        "my.toml:6: round 1: `X4` is no slot: write G, R, P or F, a size, and flags, such as G3, R4, P2, F7, G3cs, R7w1, P2=A: a contract is a list of slots, such as [\"G3\", \"R4\"]; a pair is P2, a choice \"G3|R3\" (V1)
         my.toml:7: round 2: the contract asks for nothing: a contract is a list of slots, such as [\"G3\", \"R4\"]; a pair is P2, a choice \"G3|R3\" (V1)
         my.toml:8: round 3: there is no contract: write contract = [\"G3\", \"R4\"] (V1)
         my.toml:9: round 4: `deal`: `n/2` cannot be reckoned: numbers, n (players), d (packs), + - *, ceil(a/b) and floor(a/b) are understood: such as 12 or \"n+8\" (V1)
         my.toml:9: round 4: `colour` is not known: a round has contract, deal, label and set (V1)
         my.toml:10: round 5: `take.onn` is not known: perhaps `take.on` is meant (V1)
         my.toml:10: round 5: `players.max` holds for the whole match: set it outside the rounds (V1)",
    );
    check(
        "deck.jokers = \"3-n\"",
        "my.toml:5: `deck.jokers` comes to -1 with 4 players: it must come to 0 to 48 for each number of players from players.min to players.max (V1)
         my.toml:5: `deck.jokers` comes to -2 with 5 players: it must come to 0 to 48 for each number of players from players.min to players.max (V1)",
    );
    check(
        "deck.decks = [{ upto = 4, is = 2 }]",
        "my.toml:5: `deck.decks` comes to nothing with 5 players: it must come to 1 to 12 for each number of players from players.min to players.max (V1)",
    );
    check(
        "deck.decks = \"d\"",
        "my.toml:5: `deck.decks` is reckoned from d, the number of packs, which is itself: reckon it from n, the number of players (V1)",
    );
    check(
        "round = [{ contract = [\"G3\"], deal = \"n*100\" }]",
        "my.toml:5: round 1 deals 300 cards to each of 3 players: deal at most 99 cards (V1)
         my.toml:5: round 1 deals 400 cards to each of 4 players: deal at most 99 cards (V1)
         my.toml:5: round 1 deals 500 cards to each of 5 players: deal at most 99 cards (V1)",
    );
    check(
        &format!("round = [{{ contract = [{}] }}]", ["\"G1\""; 13].join(", ")),
        "my.toml:5: round 1: the contract asks for too many melds: write at most 12 (V1)",
    );
    check(
        &format!("round = [{{ contract = [{}] }}]", ["\"G3|G4|R4|R5\""; 4].join(", ")),
        "my.toml:5: round 1: the contract leaves too much choice: leave at most 64 ways to read it (V1)",
    );
    check(
        &format!("round = [{}]", ["{ contract = [\"G3\"] }"; 65].join(", ")),
        "my.toml:5: there are 65 rounds: write at most 64 (V1)",
    );
    check(
        "game.rounds = [1, 9]",
        "my.toml:5: `game.rounds` names round 9, which there is not: the rounds are 1 to 7 (V1)",
    );
    check(
        "game.rounds = [3, 1]",
        "my.toml:5: `game.rounds` is [3, 1]: write the rounds in their order, each once (V1)",
    );
}

#[test]
fn v1_the_pack() {
    check(
        "deck.suits = [\"stars\", \"swords\"]",
        "my.toml:5: the suits stars and swords have the same initial: cards are written with the suit's initial: rename one (V1)",
    );
    check(
        "wild = { ranks = [\"1\"], faces = [\"AX\"], kinds = [\"S\"] }",
        "my.toml:5: `wild.ranks` names \"1\", which there is not: the ranks are A 2 3 4 5 6 7 8 9 T J Q K (V1)
         my.toml:5: `wild.faces` names \"AX\", which there is not: write the rank and the suit's initial, such as \"AH\" (V1)
         my.toml:5: `wild.kinds` names \"S\", which there is not: write \"G\", \"R\", \"P\" or \"F\" (V1)",
    );
    check(
        "wild = { ranks = [\"2\"], faces = [\"4H\"], reclaim = \"none\" }\nskip.cards = [\"2\", \"4\", \"1\", \"JK\"]\nscore.values.wild = 20",
        "my.toml:5: 2 is wild and a skip card: take it out of `wild` or out of `skip.cards` (V1)
         my.toml:5: 4H is wild and a skip card: take it out of `wild` or out of `skip.cards` (V1)
         my.toml:6: `skip.cards` names \"1\", which there is not: write a rank of the pack (A 2 3 4 5 6 7 8 9 T J Q K), or \"JK\" for the jokers (V1)",
    );
    check(
        "players.teams = 2",
        "my.toml:5: two partnerships need an even number of players: set players.min and players.max to the same even number (V1)",
    );
}

#[test]
fn v2_the_stock_keeps_twenty_cards() {
    check(
        "players.max = 8",
        "my.toml:5: with 8 players round 4 deals 96 cards and an upcard from a pack of 111, which leaves 14 in the stock: 20 must be left: deal fewer cards, take more packs, or set players.max = 7 (V2)",
    );
    check(
        "deal.cards = 40",
        "my.toml:5: with 3 players round 1 deals 120 cards and an upcard from a pack of 106, which leaves -15 in the stock: 20 must be left: deal fewer cards or take more packs (V2)",
    );
}

#[test]
fn v2_a_table_that_is_widened_is_shrunk_instead() {
    let options: toml::Table = "\"players.max\" = 8".parse().unwrap();
    let loaded = rulebook::load(Source::Preset("contract"), Some(&options), &rulebook::NoFiles).unwrap();
    assert_eq!((loaded.info.players_min, loaded.info.players_max), (3, 7));
    assert!(loaded.rules(7).is_ok());
    let refused = loaded.rules(8).unwrap_err().to_string();
    let why = "with 8 players round 4 deals 96 cards and an upcard from a pack of 111, which leaves 14 in the stock";
    assert!(refused.contains(why), "{refused}");
    let strange = loaded.rules(9).unwrap_err().to_string();
    assert!(strange.contains("this game is for 3 to 7 players, not for 9"), "{strange}");
}

#[test]
fn v3_each_round_can_be_reached() {
    check(
        "take.on = false\nround = [{ contract = [\"G3\", \"G3\"] }, { contract = [\"R4\", \"R4\", \"G3\"] }]",
        "my.toml:6: the contract of round 2 cannot be laid: it needs 12 cards with the discard, and a hand is 10 and the draw, with no takes: ask for less, deal more, or allow more takes (V3)",
    );
    check("take = { limit = 1, penalty = 0 }\nround = [{ contract = [\"R4\", \"R4\", \"G3\"] }]", "");
    check(
        "take = { limit = 1, penalty = 0 }\nround = [{ contract = [\"R4\", \"R4\", \"G4\"] }]",
        "my.toml:6: the contract of round 1 cannot be laid: it needs 13 cards with the discard, and a hand is 10 and the draw, with at most 1 takes of 1 cards: ask for less, deal more, or allow more takes (V3)",
    );
}

#[test]
fn v4_each_slot_can_be_filled() {
    check(
        "deal.cards = 14\nrun.ace = \"high\"\nround = [{ contract = [\"R14\"] }]",
        "my.toml:7: round 1: a run of 14, but the longest run is 13: ask for a shorter run, or change run.ace or run.max (V4)",
    );
    check(
        "group.max = 4\nround = [{ contract = [\"G5\"] }]",
        "my.toml:6: round 1: a group of 5, but the largest group is 4: ask for fewer cards, or change group.max (V4)",
    );
    check(
        "round = [{ contract = [\"G9c\"] }, { contract = [\"G5s\"] }]\nwild.max_per_meld = 1\ndeck.jokers = 0\nwild.reclaim = \"none\"",
        "my.toml:5: round 1: a group of 9, but only 8 naturals and 0 wilds can be in it: ask for fewer cards, or allow more wilds (V4)
         my.toml:5: round 2: a group of 5, but only 4 naturals and 0 wilds can be in it: ask for fewer cards, or allow more wilds (V4)",
    );
    let none = "deck = { decks = 1, jokers = 0 }\ndeal.cards = 8\nplayers.max = 3\nwild.reclaim = \"none\"";
    check(
        &format!("{none}\nskip.cards = [\"4\", \"8\"]\nrun.ace = \"low\"\nround = [{{ contract = [\"R6\"] }}, {{ contract = [\"F8\"] }}, {{ contract = [\"P2=4\"] }}]"),
        "my.toml:11: round 1: a run of 6, but only 5 naturals and 0 wilds can be in it: ask for fewer cards, or allow more wilds (V4)
         my.toml:11: round 3: a pair of 2, but only 0 naturals and 0 wilds can be in it: ask for fewer cards, or allow more wilds (V4)",
    );
    check(
        "deck = { decks = 1, jokers = 0 }\ndeal.cards = 9\nplayers.max = 3\nwild.reclaim = \"none\"\nskip.cards = [\"2\", \"3\", \"4\", \"5\", \"6\"]\nround = [{ contract = [\"F9\"] }, { contract = [\"F9k\"] }]",
        "my.toml:10: round 1: a flush of 9, but only 8 naturals and 0 wilds can be in it: ask for fewer cards, or allow more wilds (V4)",
    );
    check(
        "round = [{ contract = [\"P3\"] }]",
        "my.toml:5: round 1: `P3` has an impossible size: a contract is a list of slots, such as [\"G3\", \"R4\"]; a pair is P2, a choice \"G3|R3\" (V4)",
    );
}

#[test]
fn v5_each_contract_can_be_laid() {
    check(
        "run.per_suit = 1\nround = [{ contract = [\"R2\", \"R2\", \"R2\", \"R2\", \"R2\"] }]",
        "my.toml:6: round 1 asks for 5 runs, but with 1 a suit there are at most 4: ask for fewer runs, or raise run.per_suit (V5)",
    );
    check(
        "deck.ranks = [\"1\", \"2\", \"3\"]\ndeck.decks = 12\nscore.values = { \"1-3\" = \"pip\" }\ngroup.distinct_ranks = true\nround = [{ contract = [\"G2\", \"G2\", \"G2\", \"G2\"] }]",
        "my.toml:9: round 1 asks for 4 groups of different ranks, but there are 3 ranks: ask for fewer groups, or set group.distinct_ranks = false (V5)",
    );
}

#[test]
fn v6_the_whole_hand_at_once() {
    check(
        "round = [{ contract = [\"R4\", \"R4\"], set = { \"meld.all\" = true } }]",
        "my.toml:5: round 1 asks for the whole hand (`meld.all`), but `meld.size` is \"exact\": add \"meld.size\" = \"at-least\" to the round's `set` (V6)
         my.toml:5: round 1 asks for the whole hand (`meld.all`), but `out.discard` is \"required\": add \"out.discard\" = \"forbidden\" to the round's `set` (V6)",
    );
}

#[test]
fn v7_what_cannot_matter_is_a_warning() {
    check(
        "deck.jokers = 0",
        "warning: rules/contract/contract.toml:14: wilds can be taken back, but there are none in the pack: write wild.reclaim = \"none\" (V7)",
    );
    check(
        "shanghai.on = true\nlayoff.when = \"never\"",
        "warning: my.toml:5: Shanghai calls are on, but nothing may be laid off: write shanghai.on = false, or allow lay-offs (V7)",
    );
    check(
        "run.max = 4",
        "warning: rules/contract/contract.toml:24: the whole hand must be laid in round 7, up to 13 cards, but the melds have room for 12: deal fewer cards, ask for more melds, or allow larger ones (V7)",
    );
    check("run.max = 5", "");
}

#[test]
fn v7_jokers_that_are_not_there_make_nobody_lose_a_turn() {
    check(
        "deck.jokers = 0\nskip.cards = [\"JK\"]\nwild.reclaim = \"none\"",
        "warning: my.toml:6: `skip.cards` names the jokers, and there are none: set deck.jokers, or take \"JK\" out of skip.cards (V7)",
    );
    check(
        "skip.cards = [\"JK\"]",
        "warning: rules/contract/contract.toml:14: wilds can be taken back, but there are none in the pack: write wild.reclaim = \"none\" (V7)",
    );
}

#[test]
fn v7_a_round_that_the_base_leaves_out_is_a_warning() {
    let rounds = |n: usize| {
        let rounds = "{ contract = [\"G3\", \"G3\"] }, ".repeat(n);
        format!("id = \"ours\"\nname = \"Ours\"\nbase = \"carioca\"\nnote = \"ours\"\nround = [{rounds}]\n")
    };
    assert_eq!(faults(&rounds(9), "", &[]), "");
    assert_eq!(
        faults(&rounds(11), "", &[]),
        "warning: my.toml:5: round 10 is not played: `game.rounds` of rules/contract/carioca.toml leaves it out: write game.rounds = \"all\", or the numbers of those that are played (V7)\n"
    );
    assert_eq!(faults(&(rounds(11) + "game.rounds = \"all\"\n"), "", &[]), "");
    assert_eq!(faults(&(rounds(11) + "game.rounds = [1, 2]\n"), "", &[]), "", "as the file itself says");
}

#[test]
fn v8_every_card_has_a_value() {
    check(
        "deck.ranks = [\"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\", \"8\", \"9\"]\nscore.values = { \"1-5\" = 5, 7 = 10 }\ndeck.decks = 3",
        "my.toml:6: there is no value for 6, 8, 9: add to score.values, such as { \"6\" = 10 } (V8)",
    );
    check(
        "score.values = { \"K-J\" = 10, \"X\" = 1, JK = \"pip\", \"J-K\" = \"pip\" }",
        "my.toml:5: `score.values` names `K-J`, which is no card, rank or range of this pack: the ranks are A 2 3 4 5 6 7 8 9 T J Q K; a range goes upwards, such as \"2-3\" (V1)
         my.toml:5: `score.values` names `X`, which is no card, rank or range of this pack: the ranks are A 2 3 4 5 6 7 8 9 T J Q K; a range goes upwards, such as \"2-3\" (V1)
         my.toml:5: `JK` counts by the number on the card, but JK has none: write a number (V1)
         my.toml:5: `J-K` counts by the number on the card, but J has none: write a number (V1)",
    );
}

/// Look-up goes file by file, most derived first; inside a file the most specific key wins (4.1-7).
#[test]
fn the_most_specific_value_of_the_nearest_file_counts() {
    let text = "id = \"x\"\nname = \"X\"\nbase = \"progressive\"\nscore.values = { \"2-9\" = 1, 7 = 3, \"7H\" = 4, wild = 6 }";
    let loaded = rulebook::load(Source::Text { name: "x", text }, None, &rulebook::NoFiles).unwrap();
    let rulebook::Rules::Contract(rules) = &*loaded.rules(4).unwrap() else { panic!() };
    let value = |card: &str| rules.settings.score.values.of(card.parse().unwrap());
    assert_eq!(["3H", "7C", "7H", "2D", "TD", "KD", "AD", "JK"].map(value), [1, 3, 4, 6, 5, 10, 15, 20]);
}

/// A round has card values of its own, over those of the files and under those of the table.
#[test]
fn a_round_has_its_own_card_values() {
    let text = "id = \"x\"\nname = \"X\"\nbase = \"contract\"\nround = [{ contract = [\"G3\"] }, { contract = [\"G3\"], set = { \"score.values\" = { K = 1, \"9H\" = 7 } } }]";
    let values = |options: &str| {
        let options: toml::Table = options.parse().unwrap();
        let source = Source::Text { name: "x", text };
        let loaded = rulebook::load(source, Some(&options), &rulebook::NoFiles).unwrap();
        let rulebook::Rules::Contract(rules) = &*loaded.rules(4).unwrap() else { panic!() };
        let of = |round: usize| {
            ["KD", "9H", "9S"].map(|card| rules.rounds[round].settings.score.values.of(card.parse().unwrap()))
        };
        (of(0), of(1))
    };
    assert_eq!(values(""), ([10, 9, 9], [1, 7, 9]));
    assert_eq!(values("score.values = { K = 3 }"), ([3, 9, 9], [3, 7, 9]));
    check(
        "round = [{ contract = [\"G3\"], set = { \"score.values\" = { X = 1 } } }]",
        "my.toml:5: `score.values` names `X`, which is no card, rank or range of this pack: the ranks are A 2 3 4 5 6 7 8 9 T J Q K; a range goes upwards, such as \"2-3\" (V1)",
    );
}

#[test]
fn options_of_a_table_come_last_and_are_checked_too() {
    let options = |text: &str| faults("id = \"x\"\nname = \"X\"\nbase = \"contract\"", text, &[]);
    assert_eq!(options("\"take.seconds\" = 0\ntake.limit = 2"), "");
    assert_eq!(options("\"run.gap\" = 9"), "options: `run.gap` is 9: write a number from 0 to 3 (V1)\n");
    assert_eq!(options("deal.cards = 17"), "options: `deal.cards` is 17: write a number from 5 to 16 (V1)\n");
    assert_eq!(options("round = 3"), "options: `round` is not known: perhaps `game.rounds` is meant (V1)\n");
    // A whole-hand round stays one (V6), whatever way out the table chose for the others.
    assert_eq!(options("out.discard = \"optional\""), "");
}

/// The pattern family: its own checks, at the line of the option that clashes.
#[test]
fn pattern_files_are_checked_as_well() {
    let head = "id = \"x\"\nname = \"X\"\nextends = \"set-classic\"\n";
    let check = |text: &str, expected: &str| {
        assert_eq!(faults(&format!("{head}{text}"), "", &[]), expected, "{text}")
    };
    check("base = 15\nno_claim = \"auto\"", "");
    check("bace = 15", "my.toml:4: `bace` is not known: perhaps `base` is meant (V1)\n");
    check("call_timeout_s = 1", "my.toml:4: `call_timeout_s` is 1: write a number from 2 to 60 (V1)\n");
    check("call_timeout_s = \"off\"", "");
    check("ultra9_extra = 4", "my.toml:4: `ultra9_extra` is 4: write 3 or 9 (V1)\n");
    check(
        "removed = \"one\"\nmultiplicity = \"double\"",
        "my.toml:5: complex goes neither with double nor with eight (MIX-4)\n",
    );
    // with 243 cards fewer hold hardly a Set, and more always one.
    let mega =
        |base: u8| faults(&format!("id = \"x\"\nname = \"X\"\nextends = \"mega\"\nbase = {base}"), "", &[]);
    for base in [12, 21] {
        assert_eq!(mega(base), "", "{base}");
    }
    for base in [11, 22, 30] {
        assert_eq!(mega(base), format!("my.toml:4: base is {base}, and may be 12 to 21 (A-27)\n"));
    }
    let of = |base: &str, text: &str| {
        faults(&format!("id = \"x\"\nname = \"X\"\nextends = \"{base}\"\n{text}"), "", &[])
    };
    let only = |base: &str, key: &str, value: &str, good: &str, rule: &str| {
        let expected =
            format!("my.toml:4: {key} is {}, and may be {good} ({rule})\n", value.trim_matches('"'));
        assert_eq!(of(base, &format!("{key} = {value}")), expected);
    };
    // a card is drawn, time added and a card lost only in the games that have these.
    for wrong in ["\"draw\"", "\"seconds\"", "\"lose_card\""] {
        only("set-classic", "penalty", wrong, "none, point or heap_set", "A-10");
    }
    assert_eq!(of("time-trial", "penalty = \"none\""), "");
    assert_eq!(of("twenty", "penalty = \"none\""), "");
    // memory is played with 27 or 81 cards, all of them or twelve face down.
    only("memory", "deck", "\"d243\"", "d27 or d81", "A-21");
    assert_eq!(of("memory", "deck = \"d81\"\nmemory_layout = 12"), "");
    assert_eq!(
        of("memory", "memory_layout = 9"),
        "my.toml:4: `memory_layout` is 9: write \"full\" or 12 (V1)\n"
    );
    assert_eq!(
        of("memory", "memory_layout = \"all\""),
        "my.toml:4: `memory_layout` is \"all\": write \"full\" or 12 (V1)\n"
    );
    // with the pairs named nine cards lie there, or twelve.
    only("superset-w", "base", "15", "9 or 12", "A-23");
    assert_eq!(of("superset-w", "base = 12"), "");
    assert_eq!(of("superset-h", "base = 15"), "");
    // what Double-Sets and Eight-Sets count; time where one plays alone against it.
    for wrong in ["\"cards\"", "\"time\"", "\"others_cards\""] {
        only("double", "score", wrong, "sets or claims", "A-28");
    }
    only("eight", "score", "\"time\"", "sets, claims or cards", "A-29");
    assert_eq!(of("eight", "score = \"cards\""), "");
    assert_eq!(of("solitaire-relaxed", "multiplicity = \"double\""), "");
    // of a chain's Set the link stays, so ties are not shared there; personal cards leave as all do.
    assert_eq!(
        of("chain", "tie = \"shared\""),
        "my.toml:4: ties are shared only where single Sets are claimed and all three cards leave (4.4)\n"
    );
    assert_eq!(of("hands", "tie = \"shared\""), "");
    assert_eq!(
        of("memory", "hand = 3"),
        "my.toml:4: memory is not played with hands, chains, ultra or eight (MIX-4)\n"
    );
    // TWTY-1, Q-10, SCOUT-1: so many at most, and two at least.
    let not_for = |n: u8, rule: &str| format!("my.toml:4: this game is for 2 to 8, not for {n} ({rule})\n");
    assert_eq!(of("twenty", "players.max = 9"), not_for(9, "TWTY-1"));
    for (game, rule) in [("hands", "HANDS-1"), ("twenty", "TWTY-1"), ("scout", "SCOUT-1")] {
        assert_eq!(of(game, "players.min = 1"), not_for(1, rule));
    }
    assert_eq!(
        faults("id = \"x\"\nname = \"X\"\nextends = \"hands\"", "no_claim = \"auto\"", &[]),
        "options: with private hands only `agree` is possible: whoever says that a claim exists, or that none does, tells what hands hold (HANDS-5)\n"
    );
}

#[test]
fn a_game_that_is_not_there_is_missing() {
    let missing = rulebook::preset("contrat").unwrap_err();
    assert!(missing.missing);
    assert_eq!(missing.to_string(), "contrat: unknown game `contrat`; perhaps `contract` is meant (V1)");
}

/// What is wrong travels as keys with values; said in English it is what files were always told.
#[test]
fn what_is_wrong_is_said_in_english_as_it_displays_itself() {
    let found = |text: &str| rulebook::house::load(text).unwrap_err();
    let check = |text: &str, expected: &str| {
        let head = "id = \"x\"\nname = \"X\"\nbase = \"contract\"\n";
        let faults = found(&format!("{head}{text}"));
        assert_eq!(faults.to_string(), expected, "{text}");
        assert_eq!(faults.say().to_string(), expected, "{text}");
        // Whoever has no other language is told the same.
        let told: Vec<Told> = faults.faults.iter().map(Told::from).collect();
        for (told, fault) in told.iter().zip(&faults.faults) {
            assert_eq!(told.reason.text, fault.reason.to_string());
            assert_eq!(
                (told.remedy.is_empty(), &told.remedy.say),
                (told.remedy.text.is_empty(), &fault.remedy)
            );
        }
    };
    check(
        "run.gap = 9\nwild.ranks = [1.5, \"2\"]\nfoo = 1",
        "your rules:4: `run.gap` is 9: write a number from 0 to 3 (V1)\n\
         your rules:5: `wild.ranks` is [a number with a fraction, \"2\"]: write a list of texts, such as [\"2\"] (V1)\n\
         your rules:6: `foo` is not known: take it out, or see `parlour rules schema` for what there is (V1)",
    );
    check(
        "round = [{ contract = [\"G3\", \"P3\"], deal = \"m\" }]",
        "your rules:4: round 1: `P3` has an impossible size: a contract is a list of slots, such as [\"G3\", \"R4\"]; a pair is P2, a choice \"G3|R3\" (V4)\n\
         your rules:4: round 1: `deal`: `m` cannot be reckoned: numbers, n (players), d (packs), + - *, ceil(a/b) and floor(a/b) are understood: such as 12 or \"n+8\" (V1)",
    );
    check(
        "take.on = false\nround = [{ contract = [\"G3\", \"R10\"] }]",
        "your rules:5: the contract of round 1 cannot be laid: it needs 14 cards with the discard, and a hand is 10 and the draw, with no takes: ask for less, deal more, or allow more takes (V3)",
    );
    let values = "key of a `say` with what it says";
    let fault = found("id = \"x\"\nname = \"X\"\nbase = \"contract\"\nrun.gap = 9").faults.remove(0);
    assert_eq!(fault.reason, say!("fault.is", key = "run.gap", value = "9"), "{values}");
    assert_eq!(fault.remedy, say!("remedy.range", min = 0, max = 3), "{values}");
    // For programs it is written in English.
    let json = serde_json::to_value(&fault).unwrap();
    assert_eq!(
        (&json["reason"], &json["remedy"]),
        (&"`run.gap` is 9".into(), &"write a number from 0 to 3".into())
    );
}

#[test]
fn why_so_many_cannot_play_is_said() {
    let check = |game: &str, seats: u8, expected: &str| {
        let faults = preset(game).unwrap().rules(seats).unwrap_err();
        let told: Vec<String> = faults.faults.iter().map(|fault| fault.reason.to_string()).collect();
        assert_eq!(told.join("; "), expected, "{game} for {seats}");
    };
    check("contract", 9, "this game is for 3 to 5 players, not for 9");
    check("solitaire", 2, "this game is for 1, not for 2; this end is for one player");
    check("set-classic", 13, "this game is for 2 to 12, not for 13");
}

/// what lets one player block a table for ever is for tables of those who know each other.
#[test]
fn a_public_table_has_its_clocks() {
    let public = |options: &str| {
        let options: toml::Table = options.parse().unwrap();
        let loaded = rulebook::load(Source::Preset("set-classic"), Some(&options), &Shelf(&[]));
        loaded.unwrap().public().map_err(|faults| faults.to_string())
    };
    assert_eq!(public("call_timeout_s = 60\nidle_vote_s = 120"), Ok(()));
    for option in ["idle_vote_s", "refusal_lapse_s", "call_timeout_s"] {
        let refused = public(&format!("{option} = \"off\"")).unwrap_err();
        let why =
            format!("{option} cannot be off at a public table: one player could block it for ever (Q-17)");
        assert!(refused.contains(&why), "{refused}");
    }
}

/// What cannot be passed on, or to nobody, is refused; to whom, where nothing is, is idle (HR-PASS-1).
#[test]
fn what_is_passed_on_is_there_and_so_is_who_gets_it() {
    check("pass = { cards = 10, to = \"alternate\" }", "");
    check(
        "pass.cards = 11",
        "my.toml:5: `pass.cards` is 11: write 0 where no cards are passed on, or 1 to 10 (V1)",
    );
    check(
        "pass.cards = 4\ndeal.cards = 3",
        "my.toml:5: round 1 deals 3 cards to each of 3 players, of which 4 cannot be passed on: write pass.cards = 3 or fewer, or deal more cards (V1)",
    );
    let across = "across the table somebody sits only where the number of players is even: set players.min and players.max to the same even number, or write pass.to = \"left\" (V1)";
    check("pass = { cards = 1, to = \"across\" }", &format!("my.toml:5: {across}"));
    check("pass = { cards = 1, to = \"across\" }\nplayers = { min = 4, max = 4 }", "");
    check(
        "round = [{ contract = [\"G3\"] }, { contract = [\"G3\"], set = { \"pass.cards\" = 2, \"pass.to\" = \"across\" } }]",
        &format!("my.toml:5: {across}"),
    );
    let partner = "my.toml:5: cards go to the next partner, but not every number of players has partners: write pass.to = \"left\", or players.teams = 2 with players.min = 4 (V1)";
    check("pass = { cards = 1, to = \"partner\" }", partner);
    check("pass = { cards = 1, to = \"partner\" }\nplayers = { min = 2, max = 2, teams = 2 }", partner);
    check("pass = { cards = 1, to = \"partner\" }\nplayers = { min = 4, max = 4, teams = 2 }", "");
    check(
        "pass.to = \"right\"",
        "warning: my.toml:5: it is said to whom cards are passed on, but none are: write pass.cards = 3, or leave pass.to out (V7)",
    );
    // At a table, too.
    let told = faults(
        "id = \"my\"\nname = \"My\"\nbase = \"contract\"",
        "\"pass.cards\" = 2\n\"pass.to\" = \"across\"",
        &[],
    );
    assert!(told.contains("across the table"), "{told}");
}
