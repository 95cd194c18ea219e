//! Questions about a layout or a hand of any game, and their answers (SOLVE-1, SOLVE-3, S1 to S6; docs/notation.md, section 4).

use crate::{Loaded, Rules};
use cards::{Deck, Pack};
use game::Sentence;
use pattern::rules::Sources;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is asked. The query has the shape of [`pattern::solve::Query`] or [`contract::solve::Query`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// Which cards there are to ask about: a [`Setting`]. The query says at most for how many players.
    Setting,
    /// Every claim of a layout ([`pattern::solve::Answer`]), or how a hand lays the contract ([`contract::solve::Answer`]).
    Solve {
        /// How many claims are listed at most.
        limit: usize,
    },
    /// What else is to be said about a few cards ([`pattern::solve::About`]).
    About,
    /// Which lay-offs leave the fewest points ([`contract::solve::LayOff`]).
    LayOff,
    /// How far a hand is from the contract ([`contract::solve::Missing`]).
    Missing,
}

/// The cards of a game, as far as questions about it need them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Setting {
    /// Of a game of the pattern family.
    Pattern {
        /// Its deck.
        deck: Deck,
        /// Its cards as codes.
        cards: Vec<String>,
        /// How many zones its layouts have.
        zones: u8,
        /// Whether its claims use a hand.
        hand: bool,
        /// Whether its claims use the player's previous one.
        previous: bool,
    },
    /// Of a game of the contract family.
    Contract {
        /// Its pack.
        pack: Pack,
        /// Each face, and how often it is there.
        faces: Vec<(String, u8)>,
        /// The contracts of its rounds in words, in order.
        rounds: Vec<Sentence>,
    },
}

/// Answers questions about one game.
#[derive(Clone, Debug)]
pub struct Solver {
    loaded: Loaded,
    /// The rules by number of players, as far as they were asked for.
    rules: BTreeMap<u8, Arc<Rules>>,
}

impl Solver {
    /// For this game.
    #[must_use]
    pub fn new(loaded: Loaded) -> Solver {
        Solver { loaded, rules: BTreeMap::new() }
    }

    /// The answer to a question about what `query` says.
    ///
    /// # Errors
    /// What is wrong with the query, in words; or that the question is one for the other family.
    pub fn answer(&mut self, question: Question, query: Value) -> Result<Value, String> {
        let players = match query.get("players") {
            None | Some(Value::Null) => None,
            Some(n) => {
                let n = n.as_u64().and_then(|n| u8::try_from(n).ok());
                Some(n.ok_or_else(|| {
                    format!("`players` is {}, which is no number of players", query["players"])
                })?)
            }
        };
        let rules = self.rules(players)?;
        let unreadable = |why: serde_json::Error| format!("the query cannot be read: {why}");
        let answer = match (&*rules, question) {
            (rules, Question::Setting) => serde_json::to_value(self.setting(rules)),
            (Rules::Pattern(rules), question) => {
                let query: pattern::solve::Query = serde_json::from_value(query).map_err(unreadable)?;
                match question {
                    Question::Solve { limit } => {
                        serde_json::to_value(pattern::solve::solve(rules, &query, limit)?)
                    }
                    Question::About => serde_json::to_value(pattern::solve::about(rules, &query.cards)?),
                    Question::LayOff => return Err("lay-offs are a matter of contract games".to_owned()),
                    _ => return Err("what a hand lacks is a matter of contract games".to_owned()),
                }
            }
            (Rules::Contract(rules), question) => {
                let query = serde_json::from_value(query).map_err(unreadable)?;
                match question {
                    Question::LayOff => serde_json::to_value(contract::solve::lay_off(rules, &query)?),
                    Question::Missing => serde_json::to_value(contract::solve::missing(rules, &query)?),
                    Question::About => {
                        return Err(
                            "what is to be said about a few cards is a matter of pattern games".to_owned()
                        );
                    }
                    _ => serde_json::to_value(contract::solve::contract(rules, &query)?),
                }
            }
        };
        answer.map_err(|why| why.to_string())
    }

    /// The rules for so many players; where nothing is said, those with the largest pack, so that a hand may hold as many
    /// jokers as the game ever has.
    fn rules(&mut self, players: Option<u8>) -> Result<Arc<Rules>, String> {
        let seats = players.unwrap_or(self.loaded.info.players_max);
        if let Some(rules) = self.rules.get(&seats) {
            return Ok(rules.clone());
        }
        let rules = self.loaded.rules(seats).map_err(|faults| faults.to_string())?;
        self.rules.insert(seats, rules.clone());
        Ok(rules)
    }

    fn setting(&self, rules: &Rules) -> Setting {
        match rules {
            Rules::Pattern(rules) => Setting::Pattern {
                deck: rules.deck,
                cards: rules.cards().map(|card| rules.deck.text(card)).collect(),
                zones: pattern::solve::zones(rules),
                hand: rules.sources == Sources::Hand,
                previous: rules.sources == Sources::Previous,
            },
            Rules::Contract(rules) => {
                let pack = rules.pack();
                let deck = &rules.settings.deck;
                let jokers = (deck.jokers > 0).then(|| (pack.text(cards::Face::JOKER), deck.jokers));
                let faces = pack.faces().map(|face| (pack.text(face), deck.decks)).chain(jokers).collect();
                let words = |at| rules.law(at).all_contract_words().into();
                let rounds = (0..rules.rounds.len()).map(words).collect();
                Setting::Contract { pack, faces, rounds }
            }
        }
    }
}
