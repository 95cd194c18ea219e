//! The games and their rules.

use super::{Asker, Body};
use crate::error::Refused;
use axum::Json;
use axum::extract::Path;
use rulebook::{NoFiles, Source};
use wire::api::{GameSheet, Games, RulesChecked, RulesText};

/// The built-in games.
pub async fn list() -> Json<Games> {
    let games = rulebook::presets().into_iter().filter_map(|id| rulebook::preset(id).ok());
    Json(Games { games: games.map(|game| game.info).collect() })
}

/// One of them in full.
pub async fn sheet(Path(id): Path<String>) -> Result<Json<GameSheet>, Refused> {
    let (Ok(game), Some(rules)) = (rulebook::preset(&id), rulebook::preset_text(&id)) else {
        return Err(Refused::missing(format!("There is no game called `{id}`.")));
    };
    let options = serde_json::to_value(game.options()).map_err(|error| Refused::ours(&error))?;
    Ok(Json(GameSheet { options, rules: rules.to_owned(), info: game.info }))
}

/// Whether a rule file can be played.
pub async fn check(_asker: Asker, Body(file): Body<RulesText>) -> Json<RulesChecked> {
    let source = Source::Text { name: "your rules", text: &file.rules };
    Json(match rulebook::load(source, None, &NoFiles) {
        Ok(game) => RulesChecked {
            warnings: game.warnings.iter().map(ToString::to_string).collect(),
            game: Some(game.info),
            faults: vec![],
        },
        Err(faults) => RulesChecked {
            faults: faults.faults.iter().map(ToString::to_string).collect(),
            ..RulesChecked::default()
        },
    })
}
