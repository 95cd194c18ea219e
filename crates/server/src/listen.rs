//! Taking connections: so many at once, none that dawdles over its request, and an orderly end.

use crate::App;
use crate::address::ClientAddress;
use crate::limits::Place;
use crate::metrics::Inside;
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;
use tower::ServiceExt;

/// Serves `router` to all who connect, until `stop` turns true; then the open requests may end.
pub async fn serve(app: &App, router: Router, listener: TcpListener, mut stop: watch::Receiver<bool>) {
    let places = Arc::new(Semaphore::new(app.settings.max_connections));
    let mut connections = JoinSet::new();
    loop {
        while connections.try_join_next().is_some() {}
        let accepted = tokio::select! {
            () = stopped(&mut stop) => break,
            accepted = listener.accept() => accepted,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of file descriptors, most likely: the next try would fail at once, too.
                tracing::error!(%error, "cannot take a connection");
                tokio::time::sleep(Duration::from_millis(200)).await;
                continue;
            }
        };
        // A proxy's connections are many people's: each request on them is counted for the address that it comes from.
        let proxied = app.settings.trust_proxy.believes(peer.ip());
        let near = if proxied { None } else { Some(app.addresses.enter(ClientAddress::of(peer.ip()))) };
        let (Ok(place), None | Some(Some(_))) = (places.clone().try_acquire_owned(), &near) else {
            app.metrics.refused("connections");
            tracing::warn!(%peer, "refused a connection: too many are open");
            continue;
        };
        let held = Arc::new((place, near.flatten(), app.metrics.connections.enter()));
        let connection = Connection { peer, proxied, held };
        connections.spawn(converse(app.clone(), router.clone(), stream, connection, stop.clone()));
    }
    drop(listener);
    while connections.join_next().await.is_some() {}
}

/// The connection that a request came on. Its place is taken for as long as a copy of this lives, so a socket keeps one.
#[derive(Clone)]
pub struct Connection {
    /// Who is at the other end; behind a proxy, the proxy.
    pub peer: SocketAddr,
    /// Whether that is a proxy which is believed, so that each request counts for another address.
    pub proxied: bool,
    #[expect(dead_code, reason = "held until the connection is dropped")]
    held: Arc<(OwnedSemaphorePermit, Option<Place<ClientAddress>>, Inside)>,
}

async fn converse(
    app: App,
    router: Router,
    stream: TcpStream,
    line: Connection,
    mut stop: watch::Receiver<bool>,
) {
    // Moves are small and somebody waits for each.
    let _ = stream.set_nodelay(true);
    let peer = line.peer;
    let service = router.map_request(move |mut request: hyper::Request<hyper::body::Incoming>| {
        request.extensions_mut().insert(line.clone());
        request.map(axum::body::Body::new)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_secs(app.settings.patience_seconds))
        .max_buf_size(32 * 1024)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service))
        .with_upgrades();
    tokio::pin!(connection);
    let ended = tokio::select! {
        ended = &mut connection => ended,
        () = stopped(&mut stop) => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%peer, %error, "a connection broke off");
    }
}

/// Waits until `stop` turns true.
pub async fn stopped(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}
