//! Taking connections: so many at once, none that dawdles over its request or its answer, and an orderly end.

use crate::App;
use crate::address::ClientAddress;
use crate::idle::{Idle, Turn};
use crate::limits::{Of, Place};
use crate::metrics::Inside;
use crate::pace::{InTime, Paced, SEND_BUFFER};
use crate::precedence::a_little_at_a_time;
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tower::ServiceExt;

/// Connections that the system keeps until they are taken.
const BACKLOG: u32 = 1024;

/// Listens at an address.
///
/// # Errors
/// If the system does not let us.
pub fn bind(address: SocketAddr) -> io::Result<std::net::TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // Only on Windows would that let two listen at one address.
    #[cfg(not(windows))]
    socket.set_reuseaddr(true)?;
    // Connections have it from here.
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(address)?;
    // Served on other threads, it is announced there.
    socket.listen(BACKLOG)?.into_std()
}

/// Files that are open beside the connections: the database, what a web app is read from, and the like.
const OTHER_FILES: u64 = 64;

/// How many connections there is room for: as many as are wished for, or as the system lets this process have files. It is
/// asked for as many as it gives.
fn places(wished: usize) -> usize {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let needed = wished as u64 + OTHER_FILES;
        let limit = getrlimit(Resource::Nofile);
        let given = limit.maximum.map_or(needed, |most| most.min(needed));
        if limit.current.is_some_and(|current| current < given) {
            // If it does not, the limit is as it was.
            let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(given), ..limit });
        }
        if let Some(files) = getrlimit(Resource::Nofile).current.filter(|files| *files < needed) {
            let room = usize::try_from(files.saturating_sub(OTHER_FILES)).unwrap_or(wished).max(1);
            tracing::warn!("the system lets us have {files} files: {room} connections at once, not {wished}");
            return room;
        }
    }
    wished
}

/// Serves `router` to all who connect, until `stop` turns true; then the open requests may end.
///
/// # Panics
/// If the system does not say when somebody connects.
pub async fn serve(
    app: App,
    router: Router,
    listener: std::net::TcpListener,
    mut stop: watch::Receiver<bool>,
) {
    let listener = TcpListener::from_std(listener).expect("the system tells who connects");
    let places = Arc::new(Semaphore::new(places(app.settings.max_connections)));
    let idle = Arc::new(Idle::default());
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
                // Out of files, most likely: whoever only holds a connection open makes room.
                if app.metrics.refused("files") {
                    tracing::error!(%error, "cannot take a connection");
                }
                drop(idle.evict());
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            }
        };
        match enter(&app, &places, &idle, peer) {
            Ok(connection) => {
                let talk = converse(app.clone(), router.clone(), stream, connection, stop.clone());
                connections.spawn(a_little_at_a_time(talk));
            }
            Err(reason) => {
                if app.metrics.refused(reason) {
                    tracing::warn!(%peer, reason, "refused a connection");
                }
            }
        }
    }
    drop(listener);
    while connections.join_next().await.is_some() {}
}

/// A place for a connection; none (and the reason, in a word) where its address or the house has too many, or its address
/// opens them too fast.
fn enter(
    app: &App,
    places: &Arc<Semaphore>,
    idle: &Arc<Idle>,
    peer: SocketAddr,
) -> Result<Connection, &'static str> {
    // A proxy's connections are many people's: each request on them is counted for the address that it comes from.
    let proxied = app.settings.trust_proxy.believes(peer.ip());
    let client = ClientAddress::of(peer.ip());
    if !proxied && !app.limits.purse(client).take(Of::Requests) {
        return Err("rate");
    }
    let near = if proxied { None } else { Some(app.addresses.enter(client).ok_or("connections")?) };
    // Whoever only holds a connection open makes room for those who come.
    let place = places.clone().try_acquire_owned().ok().or_else(|| {
        app.metrics.refused("idle");
        idle.evict()
    });
    let turn = Turn::new(idle.clone(), place.ok_or("connections")?);
    Ok(Connection { peer, proxied, turn, _held: Arc::new((near, app.metrics.connections.enter())) })
}

/// The connection that a request came on. Its place is taken for as long as a copy of this lives, so a socket keeps one.
#[derive(Clone)]
pub struct Connection {
    /// Who is at the other end; behind a proxy, the proxy.
    pub peer: SocketAddr,
    /// Whether that is a proxy which is believed, so that each request counts for another address.
    pub proxied: bool,
    /// Its place in the house.
    pub turn: Arc<Turn>,
    _held: Arc<(Option<Place<ClientAddress>>, Inside)>,
}

impl Connection {
    /// That of requests which come on no connection but from this very process.
    pub fn inside(app: &App) -> Connection {
        let peer = SocketAddr::from(([127, 0, 0, 1], 0));
        enter(app, &Arc::new(Semaphore::new(1)), &Arc::default(), peer).expect("nobody else asks for a place")
    }
}

async fn converse(
    app: App,
    router: Router,
    stream: TcpStream,
    connection: Connection,
    mut stop: watch::Receiver<bool>,
) {
    // Moves are small and somebody waits for each.
    let _ = stream.set_nodelay(true);
    let Connection { peer, turn, .. } = connection.clone();
    let patience = Duration::from_secs(app.settings.patience_seconds);
    let service = router.map_request(move |mut request: hyper::Request<hyper::body::Incoming>| {
        request.extensions_mut().insert(connection.clone());
        request.map(|body| axum::body::Body::new(InTime::new(body, patience)))
    });
    let conversation = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience)
        .max_buf_size(32 * 1024)
        .serve_connection(TokioIo::new(Paced::new(stream, patience)), TowerToHyperService::new(service))
        .with_upgrades();
    tokio::pin!(conversation);
    let ended = tokio::select! {
        ended = &mut conversation => ended,
        () = turn.evicted() => return tracing::debug!(%peer, "an idle connection made room for another"),
        () = stopped(&mut stop) => {
            conversation.as_mut().graceful_shutdown();
            conversation.await
        }
    };
    turn.end();
    if let Err(error) = ended {
        tracing::debug!(%peer, %error, "a connection broke off");
    }
}

/// Waits until `stop` turns true.
pub async fn stopped(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}
