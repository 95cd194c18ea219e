//! The games and their rules. These take milliseconds to be read, which is done beside the sockets, a few at a time; what
//! is said of the built-in games never changes, and is kept.

use super::kept::{About, Kept, kept};
use super::{Asker, Body};
use crate::App;
use crate::error::Refused;
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderName, StatusCode, header};
use axum::response::IntoResponse;
use game::say;
use rulebook::markdown::html;
use rulebook::{Family, Loaded, house};
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};
use wire::api::{
    BotKind, GameChoice, GameSheet, Games, PublishedGame, PublishedRules, ReadRules, RulesAsked,
    RulesChecked, RulesRead,
};

static INFOS: LazyLock<HashMap<String, rulebook::Info>> = LazyLock::new(|| {
    let games = rulebook::presets().into_iter().filter_map(|id| rulebook::preset(id).ok());
    games.map(|game| (game.info.id.clone(), game.info)).collect()
});

/// The rule sheets of the built-in games in English, as they stand in a page: each written when it is first asked for.
static SHEETS: LazyLock<HashMap<&'static str, OnceLock<Option<String>>>> =
    LazyLock::new(|| rulebook::presets().into_iter().map(|id| (id, OnceLock::new())).collect());

/// The built-in games, and the bots that play them.
pub async fn list(State(app): State<App>, asker: Asker) -> Result<Kept, Refused> {
    kept(&app, &asker, About::List, || {
        let games = rulebook::presets().into_iter().filter_map(|id| rulebook::preset(id).ok());
        let bots = [Family::Pattern, Family::Contract].into_iter().flat_map(bots::kinds).map(bot_kind);
        // Where a game comes from stands on its sheet; everybody who looks in loads this list.
        let listed = |game: Loaded| {
            let (picture, minutes) = (game.picture(), rulebook::minutes(&game.info.id));
            rulebook::Info {
                note: String::new(),
                reconstruction: String::new(),
                picture,
                minutes,
                ..game.info
            }
        };
        json(&Games { games: games.map(listed).collect(), bots: bots.collect() })
    })
    .await
}

/// House rules that families, clubs and books have published.
pub async fn published(State(app): State<App>, asker: Asker) -> Result<Kept, Refused> {
    kept(&app, &asker, About::Published, || {
        let game = |(info, text): (rulebook::Info, &str)| PublishedGame {
            id: info.id,
            name: info.name,
            summary: info.summary,
            code: rulebook::share(text),
        };
        json(&PublishedRules { games: house::published().map(game).collect() })
    })
    .await
}

fn bot_kind(kind: &bots::BotKind) -> BotKind {
    BotKind {
        family: kind.family(),
        kind: kind.name.to_owned(),
        level: kind.level,
        name: kind.make().name().to_owned(),
        plays: kind.plays.to_owned(),
    }
}

/// What is said of a built-in game; none if there is no such game.
pub async fn info(id: String) -> Option<rulebook::Info> {
    tokio::task::spawn_blocking(move || INFOS.get(&id).cloned()).await.ok()?
}

/// What is said of all built-in games, in the order offered.
pub async fn infos() -> Vec<rulebook::Info> {
    let all = || rulebook::presets().into_iter().filter_map(|id| INFOS.get(id).cloned()).collect();
    tokio::task::spawn_blocking(all).await.unwrap_or_default()
}

/// The rule sheet of a built-in game in English, as it stands in a page; none if there is no such game.
pub async fn page_of(id: String) -> Option<&'static str> {
    let written = move || {
        let written = SHEETS.get(&*id)?.get_or_init(|| Some(html(&preset(&id).ok()?.sheet(None).ok()?)));
        written.as_deref()
    };
    tokio::task::spawn_blocking(written).await.ok()?
}

fn preset(id: &str) -> Result<Loaded, Refused> {
    rulebook::preset(id).map_err(|_| no_game(id))
}

fn no_game(id: &str) -> Refused {
    let shown: String = id.chars().take(60).collect();
    Refused::missing(say!("no_server.game", game = shown))
}

/// The id of a built-in game, as the program itself has it.
fn known(id: &str) -> Result<&'static str, Refused> {
    rulebook::presets().into_iter().find(|known| *known == id).ok_or_else(|| no_game(id))
}

fn json<T: serde::Serialize>(value: &T) -> Result<Vec<u8>, Refused> {
    serde_json::to_vec(value).map_err(|error| Refused::ours(&error))
}

/// One of them in full.
pub async fn sheet(State(app): State<App>, asker: Asker, Path(id): Path<String>) -> Result<Kept, Refused> {
    let id = known(&id)?;
    kept(&app, &asker, About::Game(id), move || {
        let game = preset(id)?;
        let options = serde_json::to_value(game.options()).and_then(serde_json::from_value);
        let told = game.sheet_to_say(None).map_err(|faults| Refused::ours(&faults))?;
        json(&GameSheet {
            options: options.map_err(|error| Refused::ours(&error))?,
            rules: rulebook::preset_text(id).unwrap_or_default().to_owned(),
            rounds: house::rounds_of(&game),
            sheet: told.to_string(),
            told,
            info: game.info,
        })
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
fn text_file<T: IntoResponse>(
    kind: &'static str,
    name: &str,
    kept: bool,
    text: T,
) -> impl IntoResponse + use<T> {
    let named = kept.then(|| [(header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\""))]);
    let kind: [(HeaderName, &str); 1] = [(header::CONTENT_TYPE, kind)];
    (named, kind, text)
}

const MARKDOWN: &str = "text/markdown; charset=utf-8";

/// The rule sheet of a built-in game, as Markdown.
pub async fn markdown(
    State(app): State<App>,
    asker: Asker,
    Path(id): Path<String>,
    Query(wish): Query<Wish>,
) -> Result<impl IntoResponse, Refused> {
    let id = known(&id)?;
    let sheet = kept(&app, &asker, About::Sheet(id, wish.players), move || {
        let sheet = preset(id)?.sheet(wish.players);
        sheet.map(String::into_bytes).map_err(|faults| Refused::faults(&faults))
    });
    Ok(text_file(MARKDOWN, &format!("{id}.md"), wish.download.is_some(), sheet.await?))
}

/// The rule file that a code stands for.
fn unshared(code: &str) -> Result<String, Refused> {
    rulebook::unshare(code).map_err(|why| Refused::bad(why.say()))
}

/// The rule file of a code.
pub async fn file_of(
    State(app): State<App>,
    asker: Asker,
    Path(code): Path<String>,
    Query(wish): Query<Wish>,
) -> Result<impl IntoResponse, Refused> {
    app.slow(&asker, move |_, _| {
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
    State(app): State<App>,
    asker: Asker,
    Path(code): Path<String>,
    Query(wish): Query<Wish>,
) -> Result<impl IntoResponse, Refused> {
    app.slow(&asker, move |_, _| {
        let game = house::load(&unshared(&code)?).map_err(|faults| Refused::faults(&faults))?;
        let sheet = game.sheet(wish.players).map_err(|faults| Refused::faults(&faults))?;
        Ok(text_file(MARKDOWN, &format!("{}.md", game.info.id), wish.download.is_some(), sheet))
    })
    .await
}

/// House rules: as a file and as a code, and what they mean.
pub async fn read(
    State(app): State<App>,
    asker: Asker,
    Body(asked): Body<ReadRules>,
) -> Result<Json<RulesRead>, Refused> {
    app.slow(&asker, move |_, _| asked.answer().map(Json).map_err(Refused::bad)).await
}

/// Whether rules can be played.
pub async fn check(
    State(app): State<App>,
    asker: Asker,
    Body(asked): Body<RulesAsked>,
) -> Result<Json<RulesChecked>, Refused> {
    app.slow(&asker, move |_, _| {
        let game = load(&asked.game, &asked.options)?;
        let checked = game.and_then(|game| game.rules(asked.seats).map(|_| game.notes(asked.seats)));
        Ok(Json(match checked {
            Ok(notes) => {
                RulesChecked { faults: Vec::new(), notes: notes.into_iter().map(Into::into).collect() }
            }
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
    game.load(options).map_err(|error| {
        Refused::in_english(StatusCode::BAD_REQUEST, format!("The options are wrong: {error}."))
    })
}
