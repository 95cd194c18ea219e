//! What the server keeps about a table, and names as they may be shown.

use crate::api;
use rulebook::Rules;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::sync::Arc;
use std::time::SystemTime;
use wire::api::{GameChoice, NAME_MOST, NewTable};

/// Most letters of a table's title: those of a game's name, and of a day.
const TITLE_MOST: usize = 120;

/// What the server keeps about a table, beside what the table keeps itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct About {
    /// Title of the game.
    pub title: String,
    /// The same for who has it in another language; none where people named the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub say: Option<game::Say>,
    /// Id of the built-in game that it is or is based on; empty for a game of its own.
    pub preset: String,
    /// Whether the lobby lists it.
    pub public: bool,
    /// The guest who keeps it; empty once it is closed.
    #[serde(default)]
    pub host: String,
    /// The day whose game is played there, as `2026-01-31`; none at any other table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day: Option<String>,
    /// Fewest and most who can play; none where that was not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players: Option<(u8, u8)>,
    /// When it was opened, in milliseconds since 1970, by the clock of the machine where it was. What was opened before that was
    /// kept has its place among those of one machine instead, from 0.
    #[serde(default)]
    pub opened: u64,
}

/// What a table was made of: the rules are worked out from it when fewer people play than there are seats. It can be a whole rule
/// file, so it stays on the disk, beside what else is kept about the table.
#[derive(Serialize, Deserialize)]
pub struct Made {
    game: GameChoice,
    options: Map<String, Value>,
}

/// What the disk has about a table, to be written.
#[derive(Serialize)]
struct Written<'a> {
    #[serde(flatten)]
    about: &'a About,
    #[serde(skip_serializing_if = "Option::is_none")]
    made: Option<&'a Made>,
}

impl Made {
    /// Of what was asked for.
    pub fn of(new: &NewTable) -> Made {
        Made { game: new.game.clone(), options: new.options.clone() }
    }

    /// What was written down; none where that says nothing of it.
    pub fn read(text: &str) -> Option<Made> {
        /// What of it says that.
        #[derive(Deserialize)]
        struct Kept {
            made: Made,
        }
        serde_json::from_str(text).ok().map(|kept: Kept| kept.made)
    }

    /// The rules for so many; none if the game is not for them.
    pub fn rules(&self, seats: u8) -> Option<Arc<Rules>> {
        api::load(&self.game, &self.options).ok()?.ok()?.rules(seats).ok()
    }
}

impl About {
    /// As it is written down, with what the table was made of.
    ///
    /// # Errors
    /// If it is no JSON.
    pub fn written(&self, made: Option<&Made>) -> Result<String, serde_json::Error> {
        serde_json::to_string(&Written { about: self, made })
    }

    /// What was written down.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(text: &str) -> Result<About, String> {
        let about: About = serde_json::from_str(text).map_err(|error| error.to_string())?;
        Ok(About { title: title_of(&about), ..about })
    }
}

/// The time, in milliseconds since 1970.
pub(crate) fn opened_now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// A name as it may be shown: one that is older than the rule for names may break it.
pub(crate) fn shown(name: &str) -> Cow<'_, str> {
    match names::shown(name, NAME_MOST) {
        nothing if nothing.is_empty() => names::NOBODY.into(),
        shown => shown,
    }
}

fn title_of(about: &About) -> String {
    names::shown(&about.title, TITLE_MOST).into_owned()
}
