//! Who asks, and what they sent.

use crate::App;
use crate::address::ClientAddress;
use crate::admit::Line;
use crate::assets::Accepts;
use crate::error::Refused;
use crate::identity::GuestId;
use crate::limits::Of;
use crate::pace::TooSlow;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode, header};
use game::say;
use serde::de::DeserializeOwned;

/// Who asks. A request that changes something is refused here when its address has sent too many; one that takes work
/// (`App::slow`) is counted when that begins.
pub struct Asker {
    /// The guest of the cookie, if there is one.
    pub guest: Option<GuestId>,
    /// The address that it counts for.
    pub address: ClientAddress,
    /// Whether it can read what gzip has compressed.
    pub reads_gzip: bool,
    /// Whether it was counted already.
    counted: bool,
}

impl Asker {
    /// The guest, or the refusal that asks for a name.
    ///
    /// # Errors
    /// If there is no cookie.
    pub fn guest(&self) -> Result<GuestId, Refused> {
        self.guest.ok_or_else(Refused::nameless)
    }

    /// Counts the request for its address, unless that was done.
    ///
    /// # Errors
    /// If the address has sent too many.
    pub fn count(&self, app: &App) -> Result<(), Refused> {
        if self.counted || app.limits.purse(self.address).take(Of::Changes) {
            return Ok(());
        }
        app.metrics.refused("rate");
        Err(Refused::too_fast())
    }
}

impl FromRequestParts<App> for Asker {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Asker, Refused> {
        let line =
            parts.extensions.get::<Line>().ok_or_else(|| Refused::ours(&"a request without a connection"))?;
        let guest = app.key.guest(&parts.headers);
        if let (Some(nodes), Some(guest)) = (&app.nodes, guest) {
            // They may have got their name from another node, a moment ago.
            nodes.soon(|| app.tables.is_settled(guest)).await;
        }
        let asker = Asker {
            guest,
            address: line.client,
            reads_gzip: Accepts::of(&parts.headers).gzip,
            counted: false,
        };
        if parts.method == Method::GET {
            return Ok(asker);
        }
        asker.count(app)?;
        Ok(Asker { counted: true, ..asker })
    }
}

/// A JSON body.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = Refused;

    async fn from_request(request: Request, app: &App) -> Result<Body<T>, Refused> {
        let kind = request
            .headers()
            .get(header::CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok())
            .unwrap_or_default();
        if kind.split(';').next().map(str::trim) != Some("application/json") {
            return Err(Refused::in_english(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "The body must be JSON, and say so in its content-type.",
            ));
        }
        let most = app.settings.max_body_bytes;
        let bytes = axum::body::to_bytes(request.into_body(), most).await.map_err(|error| {
            if TooSlow::is_behind(&error) {
                app.metrics.refused("slow");
                return Refused::new(StatusCode::REQUEST_TIMEOUT, say!("no_server.slow"));
            }
            app.metrics.refused("size");
            Refused::new(StatusCode::PAYLOAD_TOO_LARGE, say!("no_server.long", n = most))
        })?;
        serde_json::from_slice(&bytes).map(Body).map_err(|error| {
            app.metrics.refused("malformed");
            Refused::in_english(StatusCode::BAD_REQUEST, format!("That was not understood: {error}."))
        })
    }
}
