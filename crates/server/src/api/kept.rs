//! Answers about the built-in games. They never change while the program runs, so each is made once, when it is first
//! asked for, and takes no work from then on.

use super::Asker;
use crate::App;
use crate::error::Refused;
use axum::body::Bytes;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use std::collections::HashMap;
use std::sync::{LazyLock, PoisonError, RwLock};

/// What an answer is about. There are only so many: games are the program's own, and players at most twelve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum About {
    /// All games.
    List,
    /// House rules that were published.
    Published,
    /// One game.
    Game(&'static str),
    /// The rule sheet of a game for so many players.
    Sheet(&'static str, Option<u8>),
}

/// An answer that is kept: JSON, unless something else is said with it.
pub struct Kept(pub Bytes);

impl IntoResponse for Kept {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "application/json")], self.0).into_response()
    }
}

static ANSWERS: LazyLock<RwLock<HashMap<About, Bytes>>> = LazyLock::new(RwLock::default);

/// The answer about something, which `make` makes if nobody has asked before.
///
/// # Errors
/// Those of `make`, which are not kept.
pub async fn kept(
    app: &App,
    asker: &Asker,
    about: About,
    make: impl FnOnce() -> Result<Vec<u8>, Refused> + Send + 'static,
) -> Result<Kept, Refused> {
    let find = move || ANSWERS.read().unwrap_or_else(PoisonError::into_inner).get(&about).cloned();
    if let Some(found) = find() {
        return Ok(Kept(found));
    }
    // For a number of players that a game is not for there is no answer that could be kept.
    if let About::Sheet(..) = about {
        asker.count(app)?;
    }
    let made = app.in_place(asker, move |_, _| {
        // Somebody else may have made it meanwhile.
        if let Some(found) = find() {
            return Ok(found);
        }
        let answer = Bytes::from(make()?);
        ANSWERS.write().unwrap_or_else(PoisonError::into_inner).insert(about, answer.clone());
        Ok(answer)
    });
    made.await.map(Kept)
}
