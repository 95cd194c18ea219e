//! What the server keeps about a table, and names as they may be shown.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use wire::api::NAME_MOST;

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
}

impl About {
    /// What was written down.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(text: &str) -> Result<About, String> {
        let about: About = serde_json::from_str(text).map_err(|error| error.to_string())?;
        Ok(About { title: title_of(&about), ..about })
    }
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
