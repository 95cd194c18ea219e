//! The games and their rules.

use super::{Asker, Body};
use crate::error::Refused;
use axum::Json;
use axum::extract::Path;
use rulebook::{Loaded, NoFiles, Source};
use wire::api::{GameChoice, GameSheet, Games, RulesAsked, RulesChecked};

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
    let options = serde_json::to_value(game.options()).and_then(serde_json::from_value);
    Ok(Json(GameSheet {
        options: options.map_err(|error| Refused::ours(&error))?,
        rules: rules.to_owned(),
        sheet: game.sheet(None).map_err(|faults| Refused::ours(&faults))?,
        info: game.info,
    }))
}

/// Whether rules can be played, and what they mean.
pub async fn check(_asker: Asker, Body(asked): Body<RulesAsked>) -> Result<Json<RulesChecked>, Refused> {
    let faults = |faults: rulebook::Faults| {
        let faults = faults.faults.iter().map(Into::into).collect();
        Ok(Json(RulesChecked { faults, ..RulesChecked::default() }))
    };
    let game = match load(&asked.game, &asked.options)? {
        Ok(game) => game,
        Err(found) => return faults(found),
    };
    let sheet = match game.sheet(asked.seats) {
        Ok(sheet) => sheet,
        Err(found) => return faults(found),
    };
    Ok(Json(RulesChecked {
        faults: vec![],
        warnings: game.warnings.iter().map(ToString::to_string).collect(),
        notes: asked.seats.map(|seats| game.notes(seats)).unwrap_or_default(),
        sheet: Some(sheet),
        game: Some(game.info),
    }))
}

/// Loads the game that was asked for, with its options.
///
/// # Errors
/// If the options are none that a rule file could hold.
pub fn load(
    game: &GameChoice,
    options: &serde_json::Map<String, serde_json::Value>,
) -> Result<Result<Loaded, rulebook::Faults>, Refused> {
    let options = toml::Table::try_from(options)
        .map_err(|error| Refused::bad(format!("The options are wrong: {error}.")))?;
    let source = match game {
        GameChoice::Preset(id) => Source::Preset(id),
        GameChoice::Rules(text) => Source::Text { name: "your rules", text },
    };
    Ok(rulebook::load(source, Some(&options), &NoFiles))
}
