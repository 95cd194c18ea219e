//! The HTTP and WebSocket server: guests and their cookies, the lobby, the sockets of the tables, the web app, metrics
//! and an orderly end. It decides no rule.
//!
//! [`launch`] is the whole server as a function, so that tests drive the real one.

mod api;
mod assets;
mod error;
mod guard;
mod identity;
mod limits;
mod listen;
mod metrics;
pub mod qr;
mod settings;

pub use error::StartError;
pub use settings::{BaseUrl, Settings};

use assets::Assets;
use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;
use guard::Guard;
use identity::Key;
use limits::{AtOnce, PerAddress};
use metrics::Metrics;
use std::future::Future;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// What all requests share.
#[derive(Clone)]
pub(crate) struct App(Arc<Shared>);

pub(crate) struct Shared {
    pub settings: Settings,
    pub assets: Assets,
    pub key: Key,
    pub metrics: Arc<Metrics>,
    /// Connections at once, by address.
    pub addresses: AtOnce<IpAddr>,
    /// Requests that change something, by address.
    pub changes: PerAddress,
}

impl std::ops::Deref for App {
    type Target = Shared;
    fn deref(&self) -> &Shared {
        &self.0
    }
}

/// Takes the address to listen on.
///
/// # Errors
/// If it is in use, or may not be used: a sentence that says what to do.
pub async fn listen(settings: &Settings) -> Result<TcpListener, StartError> {
    TcpListener::bind(settings.listen).await.map_err(|error| StartError::Listen(settings.listen, error))
}

/// Serves on `listener` until `shutdown` is done and the connections have been drained.
///
/// # Errors
/// If the data folder cannot be used. Once it serves, it does not fail.
pub async fn launch(
    settings: Settings,
    listener: TcpListener,
    shutdown: impl Future<Output = ()>,
) -> Result<(), StartError> {
    let data = settings.data.clone();
    let unusable = |error: std::io::Error| StartError::Data(data.clone(), error.to_string());
    std::fs::create_dir_all(&data).map_err(unusable)?;
    let key = Key::load_or_make(&data).map_err(unusable)?;
    let app = App(Arc::new(Shared {
        assets: settings.web_dir.clone().map_or(Assets::Embedded, Assets::Folder),
        key,
        metrics: Arc::default(),
        addresses: AtOnce::new(settings.max_connections_per_address),
        changes: PerAddress::new(
            settings.requests_per_second,
            settings.requests_per_second.saturating_mul(10),
        ),
        settings,
    }));

    let (stop, stopped) = watch::channel(false);
    let serving = listen::serve(&app, router(&app), listener, stopped);
    tokio::pin!(serving);
    tokio::select! {
        () = &mut serving => {}
        () = shutdown => {
            let _ = stop.send(true);
            let patience = Duration::from_secs(app.settings.drain_seconds);
            if tokio::time::timeout(patience, serving).await.is_err() {
                tracing::warn!("some connections did not end in time");
            }
        }
    }
    Ok(())
}

fn router(app: &App) -> Router {
    let guard = Guard { base_url: app.settings.base_url.clone(), metrics: app.metrics.clone() };
    Router::new()
        .route("/healthz", get(async || "ok\n"))
        .route("/metrics", get(metrics_text))
        .nest("/api", api::router())
        .fallback(assets::serve)
        .layer(axum::middleware::from_fn_with_state(guard, guard::guard))
        .with_state(app.clone())
}

async fn metrics_text(State(app): State<App>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], app.metrics.text(0))
}
