//! Answers about the built-in games. They never change while the program runs, so each is made once, when it is first
//! asked for, compressed with it, and takes no work from then on.

use super::Asker;
use crate::App;
use crate::assets::gzip;
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

/// An answer that is kept, as its asker can read it: JSON, unless something else is said with it.
pub struct Kept {
    body: Bytes,
    compressed: bool,
}

impl IntoResponse for Kept {
    fn into_response(self) -> Response {
        let encoding = self.compressed.then_some([(header::CONTENT_ENCODING, "gzip")]);
        let kind = [(header::CONTENT_TYPE, "application/json"), (header::VARY, "accept-encoding")];
        (encoding, kind, self.body).into_response()
    }
}

/// An answer as it was made, and compressed, where that is shorter.
#[derive(Clone)]
struct Made {
    plain: Bytes,
    gzip: Option<Bytes>,
}

impl Made {
    fn new(plain: Vec<u8>) -> Made {
        let gzip = gzip(&plain).filter(|gzip| gzip.len() < plain.len()).map(Bytes::from);
        Made { plain: plain.into(), gzip }
    }

    fn for_asker(self, asker: &Asker) -> Kept {
        match self.gzip {
            Some(body) if asker.reads_gzip => Kept { body, compressed: true },
            _ => Kept { body: self.plain, compressed: false },
        }
    }
}

static ANSWERS: LazyLock<RwLock<HashMap<About, Made>>> = LazyLock::new(RwLock::default);

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
        return Ok(found.for_asker(asker));
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
        let answer = Made::new(make()?);
        ANSWERS.write().unwrap_or_else(PoisonError::into_inner).insert(about, answer.clone());
        Ok(answer)
    });
    Ok(made.await?.for_asker(asker))
}
