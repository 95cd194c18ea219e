//! Both families as one game, by delegation: what stands above the rules is written once.

use contract as contract_game;
use game::sum::Member;
use game::written::{Opening, Written};
use game::{Game, Refusal, sum_game, sum_view, sum_written};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The rules of a match of either family.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "MatchRules")]
#[serde(rename_all = "snake_case")]
pub enum Rules {
    /// Set and its variants.
    Pattern(Arc<pattern::Rules>),
    /// Contract Rummy and its variants.
    Contract(Arc<contract::Rules>),
}

impl Rules {
    /// Whose they are.
    #[must_use]
    pub const fn family(&self) -> crate::Family {
        match self {
            Rules::Pattern(_) => crate::Family::Pattern,
            Rules::Contract(_) => crate::Family::Contract,
        }
    }

    /// The name of the game: as its file has it, else that of the built-in game with these very rules.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Rules::Contract(rules) => rules.name.clone(),
            Rules::Pattern(own) => crate::presets()
                .into_iter()
                .filter_map(|id| crate::preset(id).ok())
                .find(|loaded| {
                    let rules = loaded.rules(loaded.info.players_min);
                    rules.is_ok_and(|rules| matches!(&*rules, Rules::Pattern(rules) if rules == own))
                })
                .map_or_else(|| "Set, by rules of the table".to_owned(), |loaded| loaded.info.name),
        }
    }
}

/// A command of either family.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Set and its variants.
    Pattern(pattern::Command),
    /// Contract Rummy and its variants.
    Contract(contract_game::Command),
}

/// An event of either family.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Set and its variants.
    Pattern(pattern::Event),
    /// Contract Rummy and its variants.
    Contract(contract_game::Event),
}

/// What a viewer learns of an event of either family.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Notice {
    /// Set and its variants.
    Pattern(pattern::Notice),
    /// Contract Rummy and its variants.
    Contract(contract_game::Notice),
}

/// What a viewer knows of a match of either family.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(clippy::large_enum_variant)] // held one by one, never in lists
pub enum View {
    /// Set and its variants.
    Pattern(pattern::View),
    /// Contract Rummy and its variants.
    Contract(contract_game::View),
}

/// A match of either family, and its rules.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)] // held one by one, never in lists
pub enum Match {
    /// Set and its variants.
    Pattern(pattern::Match, Arc<Rules>),
    /// Contract Rummy and its variants.
    Contract(contract_game::Match, Arc<Rules>),
}

/// A family as one of the two.
macro_rules! member {
    ($family:ident, $variant:ident) => {
        impl Member<Match> for $family::Match {
            fn command_of(command: &Command) -> Option<&Self::Command> {
                if let Command::$variant(command) = command { Some(command) } else { None }
            }
            fn of_command(command: Self::Command) -> Command {
                Command::$variant(command)
            }
            fn event_of(event: &Event) -> Option<&Self::Event> {
                if let Event::$variant(event) = event { Some(event) } else { None }
            }
            fn of_event(event: Self::Event) -> Event {
                Event::$variant(event)
            }
            fn notice_of(notice: &Notice) -> Option<&Self::Notice> {
                if let Notice::$variant(notice) = notice { Some(notice) } else { None }
            }
            fn of_notice(notice: Self::Notice) -> Notice {
                Notice::$variant(notice)
            }
            fn of_view(view: Self::View) -> View {
                View::$variant(view)
            }
            fn of_game(game: Self) -> Match {
                let rules = Arc::new(Rules::$variant(game.rules().clone()));
                Match::$variant(game, rules)
            }
        }
    };
}

member!(pattern, Pattern);
member!(contract_game, Contract);

/// Makes a match of the family that `rules` are of, which stay those of the match.
macro_rules! open {
    ($rules:expr, $own:ident => $body:expr) => {
        match &*$rules {
            Rules::Pattern($own) => $body.map(|game| Match::Pattern(game, $rules.clone())),
            Rules::Contract($own) => $body.map(|game| Match::Contract(game, $rules.clone())),
        }
    };
}

/// A position for the family that is to be set up.
fn position<P: DeserializeOwned>(setup: toml::Table) -> Result<P, Vec<String>> {
    P::deserialize(setup).map_err(|why| vec![format!("[setup]: {}", why.message())])
}

impl Game for Match {
    type Rules = Rules;
    type View = View;
    type Command = Command;
    type Event = Event;
    type Notice = Notice;

    fn open(rules: Arc<Rules>, seats: u8) -> Result<Match, Refusal> {
        open!(rules, own => Game::open(own.clone(), seats))
    }
    fn rules(&self) -> &Arc<Rules> {
        let (Match::Pattern(_, rules) | Match::Contract(_, rules)) = self;
        rules
    }
    sum_game!(Match, View { Pattern(pattern::Match), Contract(contract_game::Match) });
}

impl game::View for View {
    type Command = Command;
    type Notice = Notice;

    sum_view!(View of Match { Pattern(pattern::Match), Contract(contract_game::Match) });
}

impl Written for Match {
    /// Read by the family that the rules are of.
    type Position = toml::Table;

    fn open_at(rules: Arc<Rules>, seats: u8, opening: Opening) -> Result<Match, Vec<String>> {
        open!(rules, own => Written::open_at(own.clone(), seats, opening))
    }
    fn set_up(
        rules: Arc<Rules>,
        seats: u8,
        opening: Opening,
        setup: toml::Table,
    ) -> Result<Match, Vec<String>> {
        open!(rules, own => position(setup).and_then(|at| Written::set_up(own.clone(), seats, opening, at)))
    }
    sum_written!(Match { Pattern(pattern::Match), Contract(contract_game::Match) });
}
