//! The HTTP and WebSocket server: guests and their cookies, the lobby, the sockets of the tables, the web app, metrics
//! and an orderly end. It decides no rule.
//!
//! [`launch`] is the whole server as a function, so that tests drive the real one.
//!
//! ```
//! use server::Settings;
//! use tokio::io::{AsyncReadExt, AsyncWriteExt};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let data = tempfile::tempdir()?;
//! let settings =
//!     Settings { listen: "127.0.0.1:0".parse()?, data: data.path().to_owned(), ..Settings::default() };
//! let listeners = server::listen(&settings).await?;
//! let address = listeners.local_addr()?;
//! let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
//! let serving = tokio::spawn(server::launch(settings, listeners, async { _ = stopped.await }));
//!
//! let mut visitor = tokio::net::TcpStream::connect(address).await?;
//! visitor.write_all(format!("GET /healthz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").as_bytes()).await?;
//! let mut answer = String::new();
//! visitor.read_to_string(&mut answer).await?;
//! assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
//!
//! stop.send(()).expect("it serves");
//! serving.await??; // tables are told, and all is on the disk
//! # Ok(())
//! # }
//! ```

mod about;
mod address;
mod admit;
mod api;
mod assets;
mod day;
mod day_table;
mod devices;
mod error;
mod frames;
mod greeting;
mod guard;
mod health;
mod identity;
mod idle;
mod limits;
mod listen;
mod lobby;
mod metrics;
mod nodes;
mod outbox;
mod pace;
mod precedence;
pub mod qr;
mod rooms;
mod settings;
mod sheets;
mod socket;
mod tables;
mod work;

pub use address::TrustProxy;
pub use error::StartError;
pub use identity::copy_key;
pub use nodes::{Imported, import};
pub use settings::{BaseUrl, ClusterSettings, Settings, default_data};

use address::ClientAddress;
use api::Asker;
use assets::Assets;
use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use devices::Devices;
use error::Refused;
use game::say;
use guard::Guard;
use identity::Key;
use limits::{Addresses, AtOnce, OfSockets, Rates};
use metrics::Metrics;
use nodes::{Nodes, Opened};
use precedence::{Precedence, a_little_at_a_time};
use std::future::Future;
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};
use store::Store;
use tables::Tables;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use work::{Caller, Undone, Work};

/// How often tables are looked for that nobody comes to, at most and at least.
const SWEEP: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));
/// How often what nobody will ask for again is looked for.
const TIDY: Duration = Duration::from_secs(600);

/// What all requests share.
#[derive(Clone)]
pub(crate) struct App(Arc<Shared>);

/// People who come to a table at the same time; others wait for their turn.
const COME_IN_AT_ONCE: usize = 2;

pub(crate) struct Shared {
    pub settings: Settings,
    pub assets: Assets,
    pub key: Key,
    pub tables: Tables,
    /// What this server is among several machines, if it is one of them.
    pub nodes: Option<Arc<Nodes>>,
    pub devices: Devices,
    pub metrics: Arc<Metrics>,
    pub health: health::Known,
    /// Connections at once, by address.
    pub addresses: AtOnce<ClientAddress>,
    /// What is left of all that is counted, by address.
    pub limits: Addresses,
    /// What sockets may use.
    pub of_sockets: OfSockets,
    /// Sockets whose people have no seat, by table.
    pub watchers: AtOnce<String>,
    /// The same, by address and table.
    pub watchers_of_address: AtOnce<(ClientAddress, String)>,
    /// Those who play go before all others.
    pub precedence: Precedence,
    /// Whose turn it is to come in: each takes a thread for a moment, and all at once would take the tables from those who
    /// play.
    pub coming_in: Arc<Semaphore>,
    /// Where slow work is done.
    pub work: Arc<Work>,
    /// Where tables are opened: elsewhere than other work if that waits for the log of several servers.
    pub opening: Arc<Work>,
    /// Says once that the proxy does not tell who asks.
    pub silent_proxy: Once,
}

impl std::ops::Deref for App {
    type Target = Shared;
    fn deref(&self) -> &Shared {
        &self.0
    }
}

/// What a lock guards, also after somebody who held it broke down: what is guarded so is whole after every step.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl App {
    /// Whether others reach this server by https.
    fn is_secure(&self) -> bool {
        self.settings.base_url.as_ref().is_some_and(BaseUrl::is_secure)
    }

    /// Does work that waits for the disk, where it holds up nobody else.
    async fn blocking<T: Send + 'static, E: Into<Refused> + Send + 'static>(
        &self,
        work: impl FnOnce(&App) -> Result<T, E> + Send + 'static,
    ) -> Result<T, Refused> {
        let app = self.clone();
        let done = tokio::task::spawn_blocking(move || work(&app)).await;
        done.map_err(|panic| Refused::ours(&panic))?.map_err(Into::into)
    }

    /// Does work that takes the processor for a while. It counts for the address of whoever asks, whatever the method,
    /// and is done with a few others at a time, as long as the caller is there.
    async fn slow<T: Send + 'static>(
        &self,
        asker: &Asker,
        work: impl FnOnce(&App, &Caller) -> Result<T, Refused> + Send + 'static,
    ) -> Result<T, Refused> {
        asker.count(self)?;
        self.in_place(asker, work).await
    }

    /// The same for what opens a table.
    async fn opening<T: Send + 'static>(
        &self,
        asker: &Asker,
        work: impl FnOnce(&App, &Caller) -> Result<T, Refused> + Send + 'static,
    ) -> Result<T, Refused> {
        asker.count(self)?;
        self.done_in(&self.opening, asker, work).await
    }

    /// The same for what need not be counted, since it can be asked for only so often.
    async fn in_place<T: Send + 'static>(
        &self,
        asker: &Asker,
        work: impl FnOnce(&App, &Caller) -> Result<T, Refused> + Send + 'static,
    ) -> Result<T, Refused> {
        self.done_in(&self.work, asker, work).await
    }

    async fn done_in<T: Send + 'static>(
        &self,
        places: &Work,
        asker: &Asker,
        work: impl FnOnce(&App, &Caller) -> Result<T, Refused> + Send + 'static,
    ) -> Result<T, Refused> {
        let app = self.clone();
        let done = places.run(asker.address, move |caller| work(&app, caller)).await;
        done.unwrap_or_else(|undone| {
            let (reason, refused) = match undone {
                Undone::AddressBusy => ("rate", Refused::too_much(say!("no_server.address_busy"))),
                Undone::HouseBusy => {
                    ("busy", Refused::new(StatusCode::SERVICE_UNAVAILABLE, say!("no_server.house_busy")))
                }
                Undone::Broken(panic) => return Err(Refused::ours(&panic)),
            };
            self.metrics.refused(reason);
            Err(refused.after(work::PATIENCE.as_secs() as u32))
        })
    }
}

/// The addresses that are listened on.
#[derive(Debug)]
pub struct Listeners {
    public: TcpListener,
    metrics: Option<TcpListener>,
}

impl Listeners {
    /// Where the parlour is open.
    ///
    /// # Errors
    /// If the system does not tell.
    pub fn local_addr(&self) -> std::io::Result<SocketAddr> {
        self.public.local_addr()
    }

    /// Where the metrics are, if they are anywhere.
    #[must_use]
    pub fn metrics_addr(&self) -> Option<SocketAddr> {
        self.metrics.as_ref()?.local_addr().ok()
    }
}

/// Takes the addresses to listen on.
///
/// # Errors
/// If one is in use, or may not be used: a sentence that says what to do.
pub async fn listen(settings: &Settings) -> Result<Listeners, StartError> {
    let bind = |setting, address| {
        listen::bind(address).map_err(|error| StartError::Listen { setting, address, error })
    };
    let public = bind("listen", settings.listen)?;
    let metrics = settings.metrics_listen.map(|address| bind("metrics-listen", address)).transpose()?;
    Ok(Listeners { public, metrics })
}

/// A server that is ready to serve: its data are open, its tables are there.
pub struct Server(App);

impl Server {
    /// Opens the data folder and the tables in it. Blocks.
    ///
    /// # Errors
    /// If the folder cannot be used: a sentence that says what to do.
    pub fn open(settings: Settings) -> Result<Server, StartError> {
        // First, as it makes the folder and keeps a second server out of it.
        let (nodes, store, key) = match Nodes::open(&settings)? {
            Some(Opened { nodes, store, key }) => (Some(nodes), store, key),
            None => (None, Arc::new(Store::open(&settings.data)?), Key::of(&settings)?),
        };
        let work = Arc::new(Work::default());
        let opening = if nodes.is_some() { Arc::new(Work::waiting()) } else { work.clone() };
        let app = App(Arc::new(Shared {
            assets: settings.web_dir.clone().map_or(Assets::Embedded, Assets::Folder),
            key,
            tables: Tables::open_on(store, nodes.clone(), &settings)?,
            nodes,
            devices: Devices::default(),
            metrics: Arc::default(),
            health: health::Known::default(),
            addresses: AtOnce::new(settings.max_connections_per_address),
            limits: Addresses::new(Rates::of_address(&settings)),
            of_sockets: OfSockets::new(&settings),
            watchers: AtOnce::new(settings.max_watchers_per_table),
            watchers_of_address: AtOnce::new(settings.max_watchers_per_table.div_ceil(4)),
            precedence: Precedence::new().map_err(StartError::Threads)?,
            coming_in: Arc::new(Semaphore::new(COME_IN_AT_ONCE)),
            opening,
            work,
            silent_proxy: Once::new(),
            settings,
        }));
        if let Some(nodes) = &app.nodes {
            nodes.begin(&app);
        }
        Ok(Server(app))
    }

    /// The whole service without a socket, as it answers somebody on this machine: for tests in the same process.
    pub fn service(&self) -> Router {
        router(&self.0).layer(axum::Extension(listen::Connection::inside(&self.0)))
    }

    /// Serves on `listeners` until `shutdown` is done, then lets open requests end. Tables tell their sockets, and all that
    /// was acknowledged is on the disk when this returns.
    pub async fn serve(self, listeners: Listeners, shutdown: impl Future<Output = ()>) {
        let app = self.0;
        let (stop, stopped) = watch::channel(false);
        let mut serving = JoinSet::new();
        let others = app.precedence.others();
        let public = listen::serve(app.clone(), router(&app), listeners.public, stopped.clone());
        serving.spawn_on(a_little_at_a_time(public), others);
        if let Some(listener) = listeners.metrics {
            serving.spawn_on(listen::serve(app.clone(), for_hosts(&app), listener, stopped), others);
        }
        let sweeping = sweep(&app);
        tokio::pin!(sweeping);
        let ended = tokio::select! {
            ended = serving.join_next() => ended,
            () = &mut sweeping => None,
            () = shutdown => None,
        };
        if let Some(nodes) = &app.nodes {
            // Whoever comes meanwhile is led to those who have taken the tables.
            nodes.leave().await;
        }
        let _ = stop.send(true);
        let closing = app.clone();
        let closed = tokio::task::spawn_blocking(move || closing.tables.shut()).await;
        if let Err(panic) = closed {
            tracing::error!(%panic, "the tables could not be closed in good order");
        }
        let patience = Duration::from_secs(app.settings.drain_seconds);
        let drained = async { while serving.join_next().await.is_some() {} };
        if tokio::time::timeout(patience, drained).await.is_err() {
            tracing::warn!("some connections did not end in time");
        }
        if let Some(Err(broken)) = ended
            && let Ok(panic) = broken.try_into_panic()
        {
            // Whoever looks after the server is to see that it did not end by itself.
            std::panic::resume_unwind(panic);
        }
    }
}

/// Looks after tables that nobody comes to, and after what is kept, for ever.
async fn sweep(app: &App) {
    let often = Duration::from_secs(app.settings.sleep_after_seconds / 2).clamp(SWEEP.0, SWEEP.1);
    let mut tidied = Instant::now();
    loop {
        tokio::time::sleep(often).await;
        let tidy = tidied.elapsed() >= TIDY;
        if tidy {
            tidied = Instant::now();
            if let Some(nodes) = &app.nodes {
                nodes.trim(app.settings.cluster.log_days).await;
            }
        }
        let sweeping = app.clone();
        let swept = tokio::task::spawn_blocking(move || {
            sweeping.tables.sweep();
            if tidy { sweeping.tables.tidy(&sweeping.settings) } else { Ok(()) }
        });
        match swept.await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "what is not kept any more could not be deleted"),
            Err(panic) => tracing::error!(%panic, "forgotten tables could not be looked after"),
        }
    }
}

/// The whole server as one call.
///
/// # Errors
/// If the data folder cannot be used. Once it serves, it does not fail.
pub async fn launch(
    settings: Settings,
    listeners: Listeners,
    shutdown: impl Future<Output = ()>,
) -> Result<(), StartError> {
    let server = tokio::task::spawn_blocking(|| Server::open(settings)).await;
    server
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()))?
        .serve(listeners, shutdown)
        .await;
    Ok(())
}

fn router(app: &App) -> Router {
    let guard = Guard { base_url: app.settings.base_url.clone(), metrics: app.metrics.clone() };
    Router::new()
        .route("/healthz", get(health::show))
        .route("/ws/table/{id}", get(socket::open))
        .route("/print/{file}", get(sheets::pdf))
        .route("/print/sheets/{file}", get(sheets::worksheet))
        .nest("/api", api::router())
        .fallback(assets::serve)
        .layer(axum::middleware::from_fn_with_state(guard, guard::guard))
        .layer(axum::middleware::from_fn_with_state(app.clone(), admit::admit))
        .layer(axum::middleware::from_fn(error::in_words))
        .with_state(app.clone())
}

/// What is for those who run the server only.
fn for_hosts(app: &App) -> Router {
    Router::new()
        .route("/healthz", get(health::tell))
        .route("/metrics", get(metrics_text))
        .with_state(app.clone())
}

async fn metrics_text(State(app): State<App>) -> impl IntoResponse {
    (
        [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")],
        app.metrics.text(&app.tables.counts())
            + &app.nodes.as_ref().map(|nodes| nodes.metrics()).unwrap_or_default(),
    )
}
