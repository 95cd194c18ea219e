//! The games and their rules. These take milliseconds to be read, which is done beside the sockets.

use super::{Asker, Body};
use crate::beside;
use crate::error::Refused;
use axum::Json;
use axum::extract::{Path, Query};
use axum::http::{HeaderName, header};
use axum::response::IntoResponse;
use rulebook::{Loaded, NoFiles, Source, house};
use serde::Deserialize;
use std::sync::LazyLock;
use wire::api::{GameChoice, GameSheet, Games, HouseRules, ReadRules, RulesAsked, RulesChecked, RulesRead};

/// The built-in games.
pub async fn list() -> Result<Json<Games>, Refused> {
    static GAMES: LazyLock<Games> = LazyLock::new(|| {
        let games = rulebook::presets().into_iter().filter_map(|id| rulebook::preset(id).ok());
        Games { games: games.map(|game| game.info).collect() }
    });
    beside(|| Ok(Json(GAMES.clone()))).await
}

fn preset(id: &str) -> Result<Loaded, Refused> {
    rulebook::preset(id).map_err(|_| Refused::missing(format!("There is no game called `{id}`.")))
}

/// One of them in full.
pub async fn sheet(Path(id): Path<String>) -> Result<Json<GameSheet>, Refused> {
    beside(move || {
        let game = preset(&id)?;
        let options = serde_json::to_value(game.options()).and_then(serde_json::from_value);
        Ok(Json(GameSheet {
            options: options.map_err(|error| Refused::ours(&error))?,
            rules: rulebook::preset_text(&id).unwrap_or_default().to_owned(),
            rounds: house::rounds_of(&game),
            sheet: game.sheet(None).map_err(|faults| Refused::ours(&faults))?,
            info: game.info,
        }))
    })
    .await
}

/// What is asked of a rule sheet.
#[derive(Deserialize)]
pub struct Wish {
    /// For so many players.
    players: Option<u8>,
    /// Whether it is to be kept as a file.
    download: Option<String>,
}

/// A text with its type, and its name if it is to be kept.
fn text_file(kind: &'static str, name: &str, kept: bool, text: String) -> impl IntoResponse + use<> {
    let named = kept.then(|| [(header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\""))]);
    let kind: [(HeaderName, &str); 1] = [(header::CONTENT_TYPE, kind)];
    (named, kind, text)
}

fn sheet_file(game: &Loaded, wish: &Wish) -> Result<impl IntoResponse + use<>, Refused> {
    let sheet = game.sheet(wish.players).map_err(|faults| Refused::bad(faults.to_string()))?;
    let name = format!("{}.md", game.info.id);
    Ok(text_file("text/markdown; charset=utf-8", &name, wish.download.is_some(), sheet))
}

/// The rule sheet of a built-in game, as Markdown.
pub async fn markdown(
    Path(id): Path<String>,
    Query(wish): Query<Wish>,
) -> Result<impl IntoResponse, Refused> {
    beside(move || sheet_file(&preset(&id)?, &wish)).await
}

/// The rule file that a code stands for.
fn unshared(code: &str) -> Result<String, Refused> {
    rulebook::unshare(code).map_err(|why| Refused::bad(why.to_string()))
}

/// The rule file of a code.
pub async fn file_of(
    Path(code): Path<String>,
    Query(wish): Query<Wish>,
) -> Result<impl IntoResponse, Refused> {
    beside(move || {
        let rules = unshared(&code)?;
        let game = house::load(&rules);
        let name = game.map_or_else(|_| "house".to_owned(), |game| game.info.id);
        let (kind, kept) = ("application/toml; charset=utf-8", wish.download.is_some());
        Ok(text_file(kind, &format!("{name}.toml"), kept, rules))
    })
    .await
}

/// The rule sheet of a code, as Markdown.
pub async fn markdown_of(
    Path(code): Path<String>,
    Query(wish): Query<Wish>,
) -> Result<impl IntoResponse, Refused> {
    beside(move || {
        let rules = unshared(&code)?;
        let game = house::load(&rules).map_err(|faults| Refused::bad(faults.to_string()))?;
        sheet_file(&game, &wish)
    })
    .await
}

/// House rules: as a file and as a code, and what they mean.
pub async fn read(_asker: Asker, Body(asked): Body<ReadRules>) -> Result<Json<RulesRead>, Refused> {
    beside(move || {
        let rules = match asked.rules {
            HouseRules::Draft(draft) => draft.text(),
            HouseRules::File(text) => text,
            HouseRules::Code(code) => unshared(&code)?,
        };
        let meaning = house::meaning(&rules, asked.seats);
        Ok(Json(RulesRead { code: rulebook::share(&rules), rules, meaning }))
    })
    .await
}

/// Whether rules can be played.
pub async fn check(_asker: Asker, Body(asked): Body<RulesAsked>) -> Result<Json<RulesChecked>, Refused> {
    beside(move || {
        let game = load(&asked.game, &asked.options)?;
        let checked = game.and_then(|game| game.rules(asked.seats).map(|_| game.notes(asked.seats)));
        Ok(Json(match checked {
            Ok(notes) => RulesChecked { faults: Vec::new(), notes },
            Err(found) => {
                RulesChecked { faults: found.faults.iter().map(Into::into).collect(), notes: Vec::new() }
            }
        }))
    })
    .await
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
        GameChoice::Rules(text) => house::source(text),
    };
    Ok(rulebook::load(source, Some(&options), &NoFiles))
}
