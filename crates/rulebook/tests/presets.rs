//! The built-in games: each loads for every number of players it allows, and says what the rulebook's tables say.

mod common;

use common::EIGHT;
use contract::rules::{LayoffWhen, MeldSize, OutDiscard, Reclaim, RunAce, TakeCurrent, TakeShort};
use rulebook::{Family, Rules};
use std::sync::Arc;

fn contract_rules(id: &str, seats: u8) -> Arc<contract::Rules> {
    let loaded = rulebook::preset(id).unwrap_or_else(|faults| panic!("{id}:\n{faults}"));
    match &*loaded.rules(seats).unwrap_or_else(|faults| panic!("{id} for {seats}:\n{faults}")) {
        Rules::Contract(rules) => rules.clone(),
        Rules::Pattern(_) => panic!("{id} is of the other family"),
    }
}

#[test]
fn every_preset_loads_for_every_number_of_players() {
    let ids = rulebook::presets();
    assert!(ids.len() >= 20, "{ids:?}");
    for id in ids {
        let loaded = rulebook::preset(id).unwrap_or_else(|faults| panic!("{id}:\n{faults}"));
        assert_eq!(loaded.info.id, id);
        assert!(!loaded.info.name.is_empty() && !loaded.info.summary.is_empty(), "{id}");
        assert_eq!(loaded.warnings, [], "{id}");
        assert!(loaded.info.players_min <= loaded.info.players_max, "{id}");
        for seats in loaded.info.players_min..=loaded.info.players_max {
            let rules = loaded.rules(seats).unwrap_or_else(|faults| panic!("{id} for {seats}:\n{faults}"));
            let text = serde_json::to_string(&rules).unwrap();
            assert_eq!(serde_json::from_str::<Rules>(&text).unwrap(), *rules, "{id}");
        }
        if loaded.info.family == Family::Contract {
            assert!(loaded.rules(loaded.info.players_max + 1).is_err(), "{id}");
        }
    }
}

/// What small pictures of games show: the layout, a claim in it, and the backgrounds; or the contracts.
#[test]
fn a_game_says_what_is_to_be_seen_of_it() {
    let check =
        |id: &str, picture: &str| assert_eq!(rulebook::preset(id).unwrap().picture(), picture, "{id}");
    check("set-classic", "1*12+3/12");
    check("quick", "1*9+3/12");
    check("superset-w", "1*9+4/12b");
    check("double-super", "1*12+8/12");
    check("double", "1*12+6/12");
    check("eight", "1*15+8/12");
    check("mega-ultra", "3*6+3g/12");
    check("memory", "-1*27+3/8");
    check("contract", "g3g3 g3r4 r4r4 g3g3g3 g3g3r4 g3r4r4 r4r4r4/5jy");
}

/// Whoever has seen one of them in a list does not take another for it.
#[test]
fn no_two_games_have_the_same_picture() {
    let mut games = std::collections::BTreeMap::<String, Vec<String>>::new();
    for id in rulebook::presets() {
        games.entry(rulebook::preset(id).unwrap().picture()).or_default().push(id.to_string());
    }
    let alike: Vec<_> = games.into_values().filter(|games| games.len() > 1).collect();
    assert!(alike.is_empty(), "{alike:?}");
}

#[test]
fn the_base_game_is_what_the_family_calls_its_default() {
    for seats in 3..=5 {
        let mut rules = (*contract_rules("contract", seats)).clone();
        let default = contract::Rules::contract(seats);
        assert_eq!(rules.settings, default.settings);
        for (round, expected) in rules.rounds.iter_mut().zip(&default.rounds) {
            assert_eq!(round, expected);
        }
        assert_eq!(rules.rounds.len(), 7);
    }
}

/// Section 4.3, line by line: what each of the eight games has.
#[test]
fn the_eight_games_side_by_side() {
    fn row<T: std::fmt::Debug + PartialEq>(what: &str, of: impl Fn(&contract::Rules) -> T, expected: [T; 8]) {
        for (id, expected) in EIGHT.iter().zip(expected) {
            assert_eq!(of(&contract_rules(id, 4)), expected, "{what} of {id}");
        }
    }
    row("players.max", |r| r.settings.players.max, [5, 5, 5, 8, 5, 5, 5, 5]);
    row("decks", |r| r.settings.deck.decks, [2; 8]);
    row("jokers", |r| r.settings.deck.jokers, [3, 0, 3, 4, 4, 4, 4, 4]);
    row("cards in round 1", |r| r.rounds[0].deal, [10, 10, 10, 10, 11, 10, 11, 11]);
    row("cards in round 4", |r| r.rounds[3].deal, [12, 12, 12, 12, 11, 10, 11, 11]);
    row("rounds", |r| r.rounds.len(), [7, 7, 7, 7, 7, 8, 10, 15]);
    row("cut", |r| r.settings.cut.on, [false, false, true, false, false, false, false, false]);
    row("wild ranks", |r| r.settings.wild.ranks.len(), [0, 0, 0, 0, 0, 0, 0, 1]);
    row("wild cap", |r| r.settings.wild.max_per_meld, [0, 0, 0, 0, 1, 1, 1, 0]);
    row("naturals", |r| r.settings.wild.min_naturals, [1, 1, 1, 1, 1, 1, 1, 0]);
    let (run, none) = (Reclaim::Run, Reclaim::None);
    row("reclaim", |r| r.settings.wild.reclaim, [run, none, run, none, run, run, run, none]);
    let (both, high) = (RunAce::Both, RunAce::High);
    row("ace", |r| r.settings.run.ace, [both, both, both, both, high, high, high, both]);
    row("gap", |r| r.settings.run.gap, [1, 1, 1, 0, 1, 1, 1, 0]);
    row("per suit", |r| r.settings.run.per_suit, [0, 0, 0, 0, 0, 1, 0, 0]);
    row(
        "distinct",
        |r| r.settings.group.distinct_ranks,
        [false, false, false, false, true, true, true, false],
    );
    let (exact, least) = (MeldSize::Exact, MeldSize::AtLeast);
    row("size", |r| r.settings.meld.size, [exact, exact, exact, least, exact, exact, exact, exact]);
    let (next, same) = (LayoffWhen::NextTurn, LayoffWhen::SameTurn);
    row("lay-off", |r| r.settings.layoff.when, [next, next, next, next, same, same, same, same]);
    row(
        "takes in round 1",
        |r| r.rounds[0].settings.take.on,
        [true, true, true, true, true, true, true, false],
    );
    row(
        "label",
        |r| r.settings.take.label.clone(),
        ["May I"; 5]
            .into_iter()
            .chain(["Buy", "May I", "Buy"])
            .map(String::from)
            .collect::<Vec<_>>()
            .try_into()
            .unwrap(),
    );
    row("limit", |r| r.settings.take.limit, [0, 0, 0, 0, 2, 2, 2, 1]);
    row("penalty", |r| r.settings.take.penalty, [1, 1, 1, 1, 2, 2, 2, 0]);
    row("pennies", |r| r.settings.take.pennies, [0, 0, 0, 0, 0, 0, 0, 1]);
    row("own turn", |r| r.settings.take.own_turn, [false, false, false, false, false, false, false, true]);
    let commit = TakeCurrent::Commit;
    row(
        "current",
        |r| r.settings.take.current,
        [commit, commit, commit, commit, commit, commit, commit, TakeCurrent::EachCard],
    );
    let refuse = TakeShort::Refuse;
    row(
        "short",
        |r| r.settings.take.short,
        [refuse, refuse, refuse, refuse, refuse, refuse, refuse, TakeShort::Partial],
    );
    row("shanghai", |r| r.settings.shanghai.on, [false, false, false, false, true, false, true, false]);
    let (required, optional, forbidden) = (OutDiscard::Required, OutDiscard::Optional, OutDiscard::Forbidden);
    row(
        "out",
        |r| r.settings.out.discard,
        [required, required, required, optional, required, forbidden, optional, optional],
    );
    row(
        "last round whole hand",
        |r| r.rounds.last().unwrap().settings.meld.all,
        [true, true, true, false, true, false, false, false],
    );
    row(
        "last round's way out",
        |r| r.rounds.last().unwrap().settings.out.discard,
        [forbidden, forbidden, forbidden, optional, forbidden, forbidden, optional, optional],
    );
    row("money", |r| r.settings.money.on, [false, false, false, false, false, false, false, true]);
    for (text, expected) in [
        ("AH", [15, 15, 15, 15, 20, 20, 20, 15]),
        ("KD", [10, 10, 10, 10, 10, 10, 10, 10]),
        ("TC", [10, 10, 10, 10, 10, 10, 10, 5]),
        ("9S", [9, 9, 9, 9, 10, 10, 10, 5]),
        ("7S", [7, 7, 7, 7, 5, 5, 5, 5]),
        ("2S", [2, 2, 2, 2, 5, 5, 5, 20]),
        ("JK", [15, 15, 15, 25, 50, 50, 50, 20]),
    ] {
        row(text, |r| r.settings.score.values.of(text.parse().unwrap()), expected);
    }
}

#[test]
fn packs_grow_with_the_players() {
    let cards = |id: &str, seats| contract_rules(id, seats).cards().len();
    assert_eq!([3, 4, 5].map(|n| cards("contract", n)), [106, 107, 108]); // CR-DECK-1
    assert_eq!([3, 4, 5].map(|n| cards("contract-nj", n)), [104; 3]); // NJ-1
    assert_eq!([2, 3, 5, 6, 7, 8].map(|n| cards("may-i", n)), [108, 108, 162, 162, 216, 216]); // MI-1
    assert_eq!(cards("toonerville-rook", 4), 4 * 57);
    assert_eq!(contract_rules("house-jeanne", 6).settings.deck.decks, 3);
}

#[test]
fn progressive_buys_from_round_nine_to_fourteen() {
    let rules = contract_rules("progressive", 4);
    let on: Vec<u16> = rules.rounds.iter().filter(|r| r.settings.take.on).map(|r| r.number).collect();
    assert_eq!(on, [9, 10, 11, 12, 13, 14]);
    let (twelve, fourteen) = (&rules.rounds[11].settings.take, &rules.rounds[13].settings.take);
    assert_eq!((twelve.limit, twelve.penalty), (2, 1));
    assert_eq!((fourteen.limit, fourteen.penalty), (1, 0));
    let notes = rulebook::preset("progressive").unwrap().notes(4);
    let notes: Vec<_> = notes.iter().map(ToString::to_string).collect();
    let needed = ["Round 12: 2 takes (Buy) are needed", "Round 13: 2 takes (Buy) are needed"];
    assert_eq!(notes, needed.map(|text| format!("{text} before the contract can be laid.")));
    assert_eq!(rulebook::preset("contract").unwrap().notes(4), []);
}

#[test]
fn every_preset_has_a_rule_sheet() {
    for id in rulebook::presets() {
        let loaded = rulebook::preset(id).unwrap();
        for seats in [loaded.info.players_min, loaded.info.players_max] {
            let sheet = loaded.sheet(Some(seats)).unwrap_or_else(|faults| panic!("{id}: {faults}"));
            assert!(sheet.starts_with(&format!("# {}\n", loaded.info.name)), "{id}: {sheet}");
            assert!(sheet.contains("\n## Cards\n") && sheet.contains("\n## Score"), "{id}: {sheet}");
            assert_eq!(sheet.contains("Reconstruction:"), !loaded.info.reconstruction.is_empty(), "{id}");
        }
        assert!(loaded.sheet(Some(loaded.info.players_max + 1)).is_err(), "{id}");
    }
    let sheet = rulebook::preset("liverpool").unwrap().sheet(None).unwrap();
    assert!(sheet.contains("changes the own score by -50"), "{sheet}");
    let sheet = rulebook::preset("shanghai").unwrap().sheet(None).unwrap();
    assert!(sheet.contains("At most one wild in a meld.") && sheet.contains("## Shanghai"), "{sheet}");
}

/// what no source was found for is ours, and the file says so; the eight games of the sources need not.
#[test]
fn games_that_the_sources_only_name_say_what_is_ours() {
    for id in rulebook::presets() {
        let info = rulebook::preset(id).unwrap().info;
        // A family's own rules are whatever the family says.
        let ours = info.family == Family::Contract && !EIGHT.contains(&id) && id != "house-jeanne";
        assert_eq!(!info.reconstruction.is_empty(), ours, "{id}: {:?}", info.reconstruction);
        if ours {
            let sheet = rulebook::preset(id).unwrap().sheet(None).unwrap();
            assert!(sheet.contains(&format!("which are ours: {}.", info.reconstruction)), "{sheet}");
        }
    }
}

/// What the schema lets an editor offer is what the loader knows.
#[test]
fn the_schema_names_every_option() {
    let schema = rulebook::schema();
    for (id, family) in [("contract", "contract"), ("set-classic", "pattern")] {
        let properties = &schema["$defs"][family]["properties"];
        for option in rulebook::preset(id).unwrap().options() {
            let found = match option.key.split_once('.') {
                Some((group, name)) => &properties[group]["properties"][name],
                None => &properties[option.key],
            };
            // `base` of a pattern file is the number of cards; its parent is `extends`.
            assert_eq!(found["title"], option.label, "{}", option.key);
            assert!(found.get("default").is_some(), "{}", option.key);
        }
        assert!(properties["name"].is_object() && properties["summary"].is_object());
    }
    let set = &schema["$defs"]["contract"]["properties"]["round"]["items"]["properties"]["set"]["properties"];
    assert!(set["take.on"].is_object());
}

/// What may stand in a list, or as a text, is told where it is known: the loader takes each of these names and nothing that is none.
#[test]
fn what_options_name_is_what_the_loader_takes() {
    let check = |id: &str, key: &str, how_many: usize, strange: &str| {
        let game = rulebook::preset(id).unwrap();
        let option = game.options().into_iter().find(|option| option.key == key).unwrap();
        assert_eq!(option.names.len(), how_many, "{id}: {key}");
        let takes = |name: &str| {
            let value = match option.default {
                serde_json::Value::Array(_) => format!("[{name:?}]"),
                _ => format!("{name:?}"),
            };
            let text = format!("id = \"ours\"\nname = \"Ours\"\nbase = \"{id}\"\n{key} = {value}\n");
            let text = if id.starts_with("set") { text.replace("base =", "extends =") } else { text };
            rulebook::house::load(&text).map(|_| ()).map_err(|faults| faults.to_string())
        };
        for name in &option.names {
            assert_eq!(takes(name), Ok(()), "{id}: {key} {name}");
        }
        assert!(takes(strange).is_err(), "{id}: {key} {strange}");
    };
    check("contract", "wild.ranks", 13, "1");
    check("contract", "wild.faces", 52, "AX");
    check("toonerville-rook", "wild.faces", 56, "AH");
    check("contract", "skip.cards", 14, "AH");
    check("set-classic", "mini_fixed", 12, "shading = 3");
}

#[test]
fn what_is_reckoned_is_so_from_whatever_options_hold() {
    let check = |value: serde_json::Value, expected: [Option<i64>; 3]| {
        assert_eq!([3, 5, 8].map(|n| rulebook::reckon_option(&value, n, 2)), expected, "{value}");
    };
    check(serde_json::json!(4), [Some(4); 3]);
    check(serde_json::json!("n-1"), [Some(2), Some(4), Some(7)]);
    check(serde_json::json!("2*d"), [Some(4); 3]);
    check(serde_json::json!([{ "upto": 3, "is": 1 }, { "upto": 5, "is": "n" }]), [Some(1), Some(5), None]);
    for none in [
        serde_json::json!(null),
        serde_json::json!(1.5),
        serde_json::json!({ "is": 2 }),
        serde_json::json!("n-"),
    ] {
        check(none, [None; 3]);
    }
}
