//! Errors of a start, and refusals of a request: sentences for people.

use axum::Json;
use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use game::{Refusal, Say, say};
use std::borrow::Cow;
use store::StoreError;

/// Why the server could not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address cannot be listened on.
    #[error("{}", cannot_listen(.setting, .address, .error))]
    Listen {
        /// The setting that names it.
        setting: &'static str,
        /// Which.
        address: std::net::SocketAddr,
        /// Why not.
        error: std::io::Error,
    },
    /// The data folder cannot be used.
    #[error("cannot use the data folder {}: {}; choose another with --data", .0.display(), .1)]
    Data(std::path::PathBuf, String),
    /// The system gives no threads.
    #[error("the system gives no threads to serve on: {0}")]
    Threads(std::io::Error),
    /// The server cannot be a node of the cluster.
    #[error("cannot join the cluster: {0}")]
    Cluster(String),
    /// The storage cannot be used.
    #[error(transparent)]
    Store(#[from] store::StoreError),
}

fn cannot_listen(setting: &str, address: &std::net::SocketAddr, error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::AddrInUse => {
            format!(
                "port {} is in use already, perhaps by another Parlour; choose another with --{setting}",
                address.port()
            )
        }
        std::io::ErrorKind::PermissionDenied => {
            format!(
                "this user may not listen on port {}; choose one above 1023 with --{setting}",
                address.port()
            )
        }
        std::io::ErrorKind::AddrNotAvailable => {
            format!("{} is no address of this machine; choose another with --{setting}", address.ip())
        }
        _ => format!("cannot listen on {address}: {error}"),
    }
}

/// Why a request was refused.
#[derive(Debug)]
pub struct Refused {
    /// The status of the answer.
    pub status: StatusCode,
    /// One sentence, in English.
    pub text: Cow<'static, str>,
    /// The same in no language; none where it is said to programmers only.
    pub say: Option<Say>,
    /// After how many seconds it is worth asking again; none where that is not known.
    pub retry: Option<u32>,
}

impl Refused {
    /// A refusal with `status`.
    #[must_use]
    pub fn new(status: StatusCode, say: Say) -> Refused {
        Refused { status, text: say.to_string().into(), say: Some(say), retry: None }
    }
    /// A refusal in English: of a request that no page of ours makes.
    #[must_use]
    pub fn in_english(status: StatusCode, text: impl Into<Cow<'static, str>>) -> Refused {
        Refused { status, text: text.into(), say: None, retry: None }
    }
    /// What the rules, or the table, refuse.
    #[must_use]
    pub fn by_rules(refusal: &Refusal) -> Refused {
        let say = Some(refusal.say.clone()).filter(|say| !say.is_empty());
        Refused { say, ..Refused::in_english(StatusCode::BAD_REQUEST, refusal.to_string()) }
    }
    /// What is wrong with the rules that were sent.
    #[must_use]
    pub fn faults(faults: &rulebook::Faults) -> Refused {
        Refused::bad(faults.say())
    }
    /// It can be asked again after so many seconds.
    #[must_use]
    pub fn after(self, seconds: u32) -> Refused {
        Refused { retry: Some(seconds), ..self }
    }
    /// What was asked is wrong.
    #[must_use]
    pub fn bad(say: Say) -> Refused {
        Refused::new(StatusCode::BAD_REQUEST, say)
    }
    /// It is not there, or not for those who ask.
    #[must_use]
    pub fn missing(say: Say) -> Refused {
        Refused::new(StatusCode::NOT_FOUND, say)
    }
    /// Nobody with a name asks.
    #[must_use]
    pub fn nameless() -> Refused {
        Refused::new(StatusCode::UNAUTHORIZED, say!("no_server.nameless"))
    }
    /// Too much at once.
    #[must_use]
    pub fn too_much(say: Say) -> Refused {
        Refused::new(StatusCode::TOO_MANY_REQUESTS, say)
    }
    /// More than an address may ask in a moment.
    #[must_use]
    pub fn too_fast() -> Refused {
        Refused::too_much(say!("no_server.too_fast")).after(1)
    }
    /// No table with this id.
    #[must_use]
    pub fn no_table() -> Refused {
        Refused::missing(say!("no_server.table"))
    }
    /// Something of ours failed; `error` goes to the log, not to the guest.
    #[must_use]
    pub fn ours(error: &dyn std::fmt::Display) -> Refused {
        tracing::error!(%error, "a request failed");
        Refused::new(StatusCode::INTERNAL_SERVER_ERROR, say!("no_server.failed"))
    }
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Refused {
        Refused::ours(&error)
    }
}

/// Sees to it that whatever is refused under `/api` is refused in a sentence, as JSON, whoever refuses it: a library does so in
/// a text, or in none.
pub async fn in_words(request: Request, next: Next) -> Response {
    let api = request.uri().path().starts_with("/api/") && request.method() != Method::HEAD;
    let response = next.run(request).await;
    let status = response.status();
    let json = HeaderValue::from_static("application/json");
    let refused = status.is_client_error() || status.is_server_error();
    if !(api && refused) || response.headers().get(header::CONTENT_TYPE) == Some(&json) {
        return response;
    }
    let (mut head, body) = response.into_parts();
    let text = to_bytes(body, 1024).await.unwrap_or_default();
    let error = match String::from_utf8_lossy(&text).trim() {
        "" => format!("This cannot be done here: {status}."),
        text => text.to_owned(),
    };
    head.headers.insert(header::CONTENT_TYPE, json);
    head.headers.remove(header::CONTENT_LENGTH);
    let problem = serde_json::to_vec(&wire::api::Problem { error, say: None }).expect("plain data");
    Response::from_parts(head, problem.into())
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let retry = self.retry.map(|seconds| [(header::RETRY_AFTER, seconds.to_string())]);
        (self.status, retry, Json(wire::api::Problem { error: self.text.into_owned(), say: self.say }))
            .into_response()
    }
}
