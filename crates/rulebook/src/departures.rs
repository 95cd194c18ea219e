//! Where a built-in game departs from the letter of its source on purpose, and the option that has the source's way.

use crate::{Family, Rules, keys};
use game::option::OptionType;
use game::{Say, say};
use serde_json::Value;

/// A departure: it holds for as long as the option is not what the source has.
struct Departure {
    games: &'static [&'static str],
    option: &'static str,
    /// What the option is in the source, as JSON.
    source: &'static str,
    /// The sentence, given the option's name and what the source has.
    say: fn(Say, Say) -> Say,
}

/// The games of the contract family whose sources tell all of it.
const TOLD: &[&str] = &[
    "contract",
    "contract-nj",
    "liverpool",
    "may-i",
    "shanghai",
    "shanghai-powe",
    "shanghai-kolsov",
    "progressive",
];

const CONTRACT: &[Departure] = &[
    Departure {
        games: &["may-i", "shanghai-kolsov"],
        option: "out.discard",
        source: "\"required\"",
        say: |option, value| say!("rule.departs.out", option = option, value = value),
    },
    Departure {
        games: TOLD,
        option: "discard.back",
        source: "\"allowed\"",
        say: |option, value| say!("rule.departs.back", option = option, value = value),
    },
    Departure {
        games: TOLD,
        option: "game.max_turns",
        source: "0",
        say: |option, value| say!("rule.departs.turns", option = option, value = value),
    },
];

const PATTERN: &[Departure] = &[
    Departure {
        games: &["set-classic", "set-heap", "quick", "superset-h", "hands", "complex"],
        option: "call_timeout_s",
        source: "\"off\"",
        say: |option, value| say!("rule.departs.clock", option = option, value = value),
    },
    Departure {
        games: &["complex"],
        option: "no_claim",
        source: "\"agree\"",
        say: |option, value| say!("rule.departs.agree", option = option, value = value),
    },
    Departure {
        games: &["complex", "hands", "superset-h", "superset-w"],
        option: "deals",
        source: "\"each_dealer\"",
        say: |option, value| say!("rule.departs.deals", option = option, value = value),
    },
];

/// Where the rules of a built-in game depart from the letter of their source.
pub(crate) fn of(id: &str, rules: &Rules) -> Vec<Say> {
    let (family, all, settings) = match rules {
        Rules::Contract(rules) => (Family::Contract, CONTRACT, serde_json::to_value(&rules.settings)),
        Rules::Pattern(rules) => (Family::Pattern, PATTERN, serde_json::to_value(&**rules)),
    };
    let settings = settings.expect("settings are plain data");
    let departs = |departure: &&Departure| {
        let value = settings.pointer(&format!("/{}", departure.option.replace('.', "/")));
        departure.games.contains(&id) && value != Some(&departure.has())
    };
    all.iter().filter(departs).map(|departure| departure.told(family)).collect()
}

impl Departure {
    fn has(&self) -> Value {
        serde_json::from_str(self.source).expect("what the source has is JSON")
    }

    fn told(&self, family: Family) -> Say {
        let row = keys::find(family.rows(), self.option).expect("departures name options");
        let option = Say::apart(format!("option.{}.{}.label", family.name(), row.key), row.label);
        let value = match self.has() {
            Value::String(word)
                if matches!(row.kind, OptionType::Choice { .. } | OptionType::ChoiceOrInt { .. }) =>
            {
                Say::apart(format!("choice.{word}"), word)
            }
            Value::String(word) => say!("list.name", name = word),
            other => say!("list.name", name = other.to_string()),
        };
        (self.say)(option, value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many departures the sheet of a game tells of, with these options set.
    fn check(id: &str, options: &str, expected: &[&str]) {
        let options: toml::Table = options.parse().unwrap();
        let loaded = crate::load(crate::Source::Preset(id), Some(&options), &crate::NoFiles).unwrap();
        let sheet = loaded.sheet(None).unwrap();
        let told = sheet.split("## As the source has it").nth(1).unwrap_or_default();
        assert_eq!(told.matches("\n- ").count(), expected.len(), "{id}: {told}");
        for part in expected {
            assert!(told.contains(part), "{id}: {part} is not in {told}");
        }
    }

    #[test]
    fn the_sheet_marks_where_it_departs_and_the_option_takes_it_back() {
        check("contract", "", &["(A-23)", "(Q-15)"]);
        check("contract", "\"discard.back\" = \"allowed\"\n\"game.max_turns\" = 0", &[]);
        let out = "“Going out” to “required”";
        check("may-i", "", &[out, "(A-23)", "(Q-15)"]);
        check("shanghai-kolsov", "\"discard.back\" = \"allowed\"", &[out, "(Q-15)"]);
        check("may-i", "\"out.discard\" = \"required\"", &["(A-23)", "(Q-15)"]);
        check("complex", "", &["(A-3)", "“agree”", "each_dealer"]);
        check("complex", "no_claim = \"agree\"\ndeals = \"each_dealer\"", &["(A-3)"]);
        check("superset-h", "", &["(A-3)", "(Q-27)"]);
        check("set-classic", "", &["“Seconds for a call” to “off”"]);
        check("set-classic", "call_timeout_s = \"off\"", &[]);
        check("carioca", "", &[]);
    }

    #[test]
    fn departures_name_built_in_games_and_their_options() {
        for (family, all) in [(Family::Contract, CONTRACT), (Family::Pattern, PATTERN)] {
            for departure in all {
                assert!(keys::find(family.rows(), departure.option).is_some(), "{}", departure.option);
                for id in departure.games {
                    let loaded = crate::preset(id).unwrap_or_else(|faults| panic!("{id}: {faults}"));
                    let rules = loaded.rules(loaded.info.players_min).unwrap();
                    assert!(!of(id, &rules).is_empty(), "{id} does not depart");
                }
            }
        }
    }
}
