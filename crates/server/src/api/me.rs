//! The guest who asks: name, games, and how to be forgotten.

use super::{Asker, Body};
use crate::App;
use crate::error::Refused;
use crate::identity::Key;
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use game::{Say, say};
use wire::api::{Me, NAME_MOST, Name, PlayedGames};

/// Who asks.
pub async fn show(State(app): State<App>, asker: Asker) -> Result<impl IntoResponse, Refused> {
    let person = app.tables.person(asker.guest)?;
    if let Some(guest) = asker.guest.filter(|_| person.is_some()) {
        app.tables.saw(guest)?;
    }
    // Each visit renews the cookie, so that it does not run out on those who come.
    let cookie =
        person.is_some().then_some(asker.guest).flatten().map(|guest| app.key.cookie(guest, app.is_secure()));
    let cookie = cookie.map(|cookie| [(header::SET_COOKIE, cookie)]);
    Ok((cookie, Json(Me { name: person.map(|person| person.name) })))
}

/// Takes a name, or another one.
pub async fn name(
    State(app): State<App>,
    asker: Asker,
    Body(wish): Body<Name>,
) -> Result<impl IntoResponse, Refused> {
    let name = names::name(&wish.name, NAME_MOST).map_err(|wrong| Refused::bad(no_name(wrong)))?;
    let (known, shown) = (asker.guest, name.clone());
    let (guest, is_new) = app.blocking(move |app| app.tables.name(known, name)).await?;
    app.metrics.guests_made.add(is_new.into());
    Ok(([(header::SET_COOKIE, app.key.cookie(guest, app.is_secure()))], Json(Me { name: Some(shown) })))
}

/// Why nobody can be called so.
fn no_name(wrong: names::Wrong) -> Say {
    match wrong {
        names::Wrong::Empty => say!("no_server.name_empty"),
        names::Wrong::Long(most) => say!("no_server.name_long", n = most),
        names::Wrong::Unseen(c) => {
            say!("no_server.name_unseen", letter = format!("U+{:04X}", u32::from(c)))
        }
        names::Wrong::Marks => say!("no_server.name_marks", n = names::MARKS),
    }
}

/// Forgets the guest.
pub async fn forget(State(app): State<App>, asker: Asker) -> Result<impl IntoResponse, Refused> {
    if let Some(guest) = asker.guest {
        app.devices.forget(guest);
        app.blocking(move |app| app.tables.forget(guest)).await?;
    }
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, Key::no_cookie(app.is_secure()))]))
}

/// The guest's matches.
pub async fn games(State(app): State<App>, asker: Asker) -> Result<Json<PlayedGames>, Refused> {
    let guest = asker.guest()?;
    let games =
        app.slow(&asker, move |app, _| app.tables.games_of(guest).map_err(|error| Refused::ours(&error)));
    Ok(Json(PlayedGames { games: games.await? }))
}
