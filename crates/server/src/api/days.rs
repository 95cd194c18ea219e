//! The games of the day: their tables, the archive, and a try.

use super::{Asker, Body};
use crate::App;
use crate::day::{self, Date};
use crate::error::Refused;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use game::say;
use wire::api::{Day, DayTry, TableMade};

/// Today's games.
pub async fn today(State(app): State<App>, asker: Asker) -> Result<Json<Day>, Refused> {
    let today = app.tables.today();
    day_of(&app, &asker, today).await
}

/// Those of another day.
pub async fn show(
    State(app): State<App>,
    asker: Asker,
    Path(date): Path<String>,
) -> Result<Json<Day>, Refused> {
    let date = kept(&app, &date)?;
    day_of(&app, &asker, date).await
}

async fn day_of(app: &App, asker: &Asker, date: Date) -> Result<Json<Day>, Refused> {
    let guest = asker.guest;
    let day = app.slow(asker, move |app, caller| {
        app.tables.day(&app.key, date, guest, caller).map_err(|error| Refused::ours(&error))
    });
    day.await.map(Json)
}

/// Begins a try, or goes back to the ranked one that is on.
pub async fn play(
    State(app): State<App>,
    asker: Asker,
    Path((date, game)): Path<(String, String)>,
    Body(wish): Body<DayTry>,
) -> Result<(StatusCode, Json<TableMade>), Refused> {
    asker.guest()?;
    let date = kept(&app, &date)?;
    if !day::GAMES.contains(&game.as_str()) {
        return Err(Refused::missing(say!("no_server.day_game", game = game)));
    }
    if wish.ranked && date != app.tables.today() {
        return Err(Refused::bad(say!("no_server.day_closed", date = date.to_string())));
    }
    let player = app.tables.person(asker.guest)?;
    let player = player.ok_or_else(Refused::nameless)?;
    let trial = day::trial(&app.key, date, &game);
    let from = asker.address;
    let open =
        app.opening(&asker, move |app, _| app.tables.open_try(player, from, date, &game, trial, wish.ranked));
    let id = open.await?;
    app.metrics.tables_made.add(1);
    let path = format!("/table/{id}");
    Ok((StatusCode::CREATED, Json(TableMade { id, path })))
}

/// A day that has come, and is not too long ago.
fn kept(app: &App, date: &str) -> Result<Date, Refused> {
    let date: Date = date.parse().map_err(Refused::bad)?;
    let today = app.tables.today();
    if date > today {
        return Err(Refused::bad(say!("no_server.day_to_come", date = date.to_string())));
    }
    if !date.kept(today) {
        return Err(Refused::missing(say!("no_server.day_too_old", date = date.to_string())));
    }
    Ok(date)
}
