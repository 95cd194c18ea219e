//! Whether a request is heard at all: it is counted for the address that it comes from before anything is done about it.

use crate::App;
use crate::address::{ClientAddress, FORWARDED, client_address};
use crate::error::Refused;
use crate::guard::warn_browsers;
use crate::idle::Busy;
use crate::limits::Place;
use crate::listen::Connection;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::body::{Frame, SizeHint};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// The way that a request came. What is open for its address counts for as long as a copy of this lives.
#[derive(Clone)]
pub struct Line {
    /// The address that it counts for.
    pub client: ClientAddress,
    _held: Arc<(Busy, Connection, Option<Place<ClientAddress>>)>,
}

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
    request.extensions_mut().insert(line.clone());
    next.run(request).await.map(|body| Body::new(Held { body, _line: line }))
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
            return Err(Refused::too_much("Too many connections are open from your address."));
        }
    }
    Ok(Line { client, _held: Arc::new((busy, connection, place)) })
}

/// An answer that is still on its way counts as a connection.
struct Held {
    body: Body,
    _line: Line,
}

impl hyper::body::Body for Held {
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
