//! Whether a request is heard at all: it is counted for the address that it comes from before anything is done about it.

use crate::App;
use crate::address::{ClientAddress, FORWARDED, client_address};
use crate::error::Refused;
use crate::guard::warn_browsers;
use crate::idle::{Busy, Turn};
use crate::limits::{Of, Place, Purse};
use crate::listen::Connection;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::body::{Frame, SizeHint};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

/// The way that a request came. What is open for its address counts for as long as a copy of this lives.
#[derive(Clone)]
pub struct Line {
    /// The address that it counts for.
    pub client: ClientAddress,
    /// What that address has left.
    pub purse: Arc<Purse>,
    /// The place in the house that it takes.
    pub turn: Arc<Turn>,
    _held: Arc<(Busy, Connection, Option<Place<ClientAddress>>)>,
}

/// How long whoever asks too fast waits for the answer that says so.
const TOO_FAST: Duration = Duration::from_secs(1);

/// Lets through what its address may ask, and marks it with its [`Line`].
pub async fn admit(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let line = match line_of(&app, &request) {
        Ok(line) => line,
        Err(refused) => {
            let mut response = refused.into_response();
            warn_browsers(&mut response);
            return response;
        }
    };
    if !line.purse.take(Of::Requests) {
        app.metrics.refused("rate");
        // Whoever asks again at once waits for that, too.
        tokio::time::sleep(TOO_FAST).await;
        let mut response = Refused::too_fast().into_response();
        warn_browsers(&mut response);
        return response;
    }
    request.extensions_mut().insert(line.clone());
    next.run(request).await.map(|body| Body::new(CountedBody { body, _line: line }))
}

fn line_of(app: &App, request: &Request) -> Result<Line, Refused> {
    let connection = request.extensions().get::<Connection>();
    let connection = connection.ok_or_else(|| Refused::ours(&"a request without a connection"))?.clone();
    let busy = connection.turn.begin();
    let headers = request.headers();
    let client = client_address(&app.settings.trust_proxy, connection.peer, headers);
    let mut place = None;
    if connection.proxied {
        if !headers.contains_key(FORWARDED) {
            app.silent_proxy.call_once(|| {
                tracing::warn!(peer = %connection.peer, "the proxy does not say in X-Forwarded-For who asks: all its visitors share the limits of one address");
            });
        }
        place = app.addresses.enter(client);
        if place.is_none() {
            app.metrics.refused("connections");
            return Err(Refused::too_much(game::say!("no_server.connections")).after(1));
        }
    }
    let (purse, turn) = (app.limits.purse(client), connection.turn.clone());
    Ok(Line { client, purse, turn, _held: Arc::new((busy, connection, place)) })
}

/// An answer that is still on its way counts as a connection.
struct CountedBody {
    body: Body,
    _line: Line,
}

impl hyper::body::Body for CountedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
