//! The guest who asks: name, games, and how to be forgotten.

use super::{Asker, Body};
use crate::App;
use crate::error::Refused;
use crate::identity::{GuestId, Key};
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use wire::api::{Me, NAME_MOST, Name, PlayedGames};

/// Who asks.
pub async fn show(State(app): State<App>, asker: Asker) -> Result<impl IntoResponse, Refused> {
    let person = app.house.person(asker.guest).map_err(|error| Refused::ours(&error))?;
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
    let name = good_name(&wish.name)?;
    let known = app.house.person(asker.guest).map_err(|error| Refused::ours(&error))?.is_some();
    // A guest who was forgotten comes back as somebody new.
    let guest = asker.guest.filter(|_| known).unwrap_or_else(|| {
        app.metrics.guests_made.add(1);
        GuestId::new()
    });
    let shown = name.clone();
    app.blocking(move |app| app.house.rename(guest, name)).await?;
    Ok(([(header::SET_COOKIE, app.key.cookie(guest, app.is_secure()))], Json(Me { name: Some(shown) })))
}

/// Forgets the guest.
pub async fn forget(State(app): State<App>, asker: Asker) -> Result<impl IntoResponse, Refused> {
    if let Some(guest) = asker.guest {
        app.blocking(move |app| app.house.forget(guest)).await?;
    }
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, Key::no_cookie(app.is_secure()))]))
}

/// The guest's matches.
pub async fn games(State(app): State<App>, asker: Asker) -> Result<Json<PlayedGames>, Refused> {
    let guest = asker.guest()?;
    let games = app.blocking(move |app| app.house.games_of(guest)).await?;
    Ok(Json(PlayedGames { games }))
}

/// A name that can be shown to others.
fn good_name(wish: &str) -> Result<String, Refused> {
    let name = wish.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        return Err(Refused::bad("A name has at least one letter."));
    }
    if name.chars().count() > NAME_MOST {
        return Err(Refused::bad(format!("A name has at most {NAME_MOST} letters.")));
    }
    if name.chars().any(is_unseen) {
        return Err(Refused::bad("A name has only letters that can be seen."));
    }
    Ok(name)
}

/// Control characters, and those that turn the text around them or take no room.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0e}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_seen_and_short() {
        for (wish, name) in [("Ann", "Ann"), ("  Ann   Bee ", "Ann Bee"), ("Zoë 李", "Zoë 李"), ("🦀", "🦀")]
        {
            assert_eq!(good_name(wish).ok().as_deref(), Some(name));
        }
        for wish in ["", " \t\n", "\u{200b}", "A\u{202e}B", "A\0", &"x".repeat(25)] {
            assert!(good_name(wish).is_err(), "{wish:?}");
        }
    }
}
