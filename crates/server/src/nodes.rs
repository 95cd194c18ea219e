//! Several machines as one parlour: what this server does as a node of a cluster.
//!
//! All that is lasting goes into the log of its partition before it counts ([`ledger`], [`storage`]), and comes from there into
//! the database of every node ([`house`]), which is read as that of a server on its own is. The node that hosts the partition
//! of a table has it in memory; a socket that came in elsewhere is led there ([`relay`]).

mod house;
mod import;
mod ledger;
mod relay;
mod storage;

use crate::error::{Refused, StartError};
use crate::identity::{GuestId, Key, random, random_text};
use crate::lobby::LobbyNotifier;
use crate::metrics;
use crate::settings::{ClusterSettings, Settings};
use crate::{App, Shared, lock};
use axum::http::StatusCode;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use cluster::{Access, Account, Counted, Encryption, Hosting, Nats, NodeId, Partition};
use game::{Say, say};
use rulebook::Match;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::time::{Duration, SystemTime};
use store::{Change, Store};
use table::Env;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

pub use import::{Imported, import};
pub use relay::Remote;

type Node = cluster::Node<Nats, Nats>;

/// How long somebody who comes waits while a table moves from one node to another.
const MOVES: Duration = Duration::from_secs(4);
/// How long what another node has written takes to be here, at most; and how often it is looked.
const A_MOMENT: Duration = Duration::from_millis(20);
const SOON: usize = 20;
/// Names that are drawn until one is in a partition that this node hosts.
const DRAWN: usize = 10_000;

/// This server as a node.
pub struct Nodes {
    runtime: Handle,
    node: OnceLock<Node>,
    nats: OnceLock<Nats>,
    store: OnceLock<Weak<Store>>,
    app: OnceLock<Weak<Shared>>,
    /// What is to be written of which nobody waits to hear, for each partition.
    handed: OnceLock<Vec<UnboundedSender<Vec<u8>>>>,
    /// What was applied and concerns memory, for the thread that sees to it.
    news: Mutex<Sender<Change>>,
    /// Held while it is judged whether somebody may try a game of the day, until that is in the log.
    claims: Mutex<()>,
    relay: relay::Relay,
    /// How often a table was looked for that was on its way to another node.
    waited: AtomicU64,
}

/// What a node has once it has joined the others.
pub struct Opened {
    pub nodes: Arc<Nodes>,
    pub store: Arc<Store>,
    pub key: Key,
}

/// Where a table is.
pub enum Whereabouts {
    /// In the memory of this server, or on its disk.
    Here,
    /// At another node.
    There(NodeId),
}

/// What is said of a table that is on its way to another node.
pub fn moves() -> Say {
    say!("no_server.table_moves")
}

impl Refused {
    /// The table is on its way from one node to another.
    pub fn moves() -> Refused {
        Refused::new(StatusCode::SERVICE_UNAVAILABLE, moves()).after(1)
    }
}

/// How the engine is reached, if this server is to be a node.
fn access(settings: &ClusterSettings) -> Result<Option<Access>, StartError> {
    let own = match (&settings.certificate, &settings.key) {
        (Some(certificate), Some(key)) => Some([certificate.clone(), key.clone()]),
        (None, None) => None,
        _ => {
            let why = "--cluster-certificate and --cluster-key go together: give both, or neither";
            return Err(StartError::Cluster(why.to_owned()));
        }
    };
    let account = |user: &str, password: &Option<String>| Account {
        user: user.to_owned(),
        password: password.clone().unwrap_or_default(),
    };
    Ok((!settings.servers.is_empty()).then(|| Access {
        servers: settings.servers.clone(),
        encryption: Encryption { authority: settings.authority.clone(), own },
        log: account(&settings.user, &settings.password),
        system: account(&settings.system_user, &settings.system_password),
    }))
}

impl Nodes {
    /// Opens the storage of a node and brings it up to date; none where this server is on its own. Blocks, on a thread of a
    /// runtime with several.
    ///
    /// # Errors
    /// If the engine cannot be used, or this node does not fit the others: a sentence that says what to do.
    pub fn open(settings: &Settings) -> Result<Option<Opened>, StartError> {
        let Some(access) = access(&settings.cluster)? else { return Ok(None) };
        let name = settings.cluster.node.as_deref().ok_or_else(|| {
            StartError::Cluster("a node needs a name of its own: give it one with --node".to_owned())
        })?;
        let id = NodeId::new(name, u64::from_le_bytes(random())).map_err(StartError::Cluster)?;
        let (news, heard) = channel();
        let nodes = Arc::new(Nodes {
            runtime: Handle::current(),
            node: OnceLock::new(),
            nats: OnceLock::new(),
            store: OnceLock::new(),
            handed: OnceLock::new(),
            app: OnceLock::new(),
            news: Mutex::new(news),
            claims: Mutex::default(),
            relay: relay::Relay::default(),
            waited: AtomicU64::new(0),
        });
        let store = Arc::new(Store::open_shared(&settings.data, nodes.clone())?);
        let key = Key::of(settings)?;
        let _ = nodes.store.set(Arc::downgrade(&store));
        let print = URL_SAFE_NO_PAD.encode(key.secret("the nodes of a cluster"));
        let house: Arc<dyn cluster::House> = Arc::new(house::Applies(nodes.clone()));
        let node = nodes.runtime.block_on(async {
            let (nats, servers) =
                Nats::open(&access).await.map_err(|unfit| StartError::Cluster(unfit.to_string()))?;
            if servers.silent > 0 {
                tracing::warn!(silent = servers.silent, "servers of NATS do not answer");
            }
            let _ = nodes.nats.set(nats.clone());
            tracing::info!(node = %id, "reading the log of the cluster");
            Node::join(id, print, nats.clone(), nats, house)
                .await
                .map_err(|unable| StartError::Cluster(unable.to_string()))
        })?;
        let written_in_order = |partition: Partition| {
            let (handed, mut to_write) = unbounded_channel();
            let writer = node.clone();
            nodes.runtime.spawn(async move {
                // One after another: what is written of a guest or a table keeps its order.
                while let Some(change) = to_write.recv().await {
                    if let Err(why) = writer.commit(partition, change).await {
                        tracing::warn!(%partition, why, "something was not written");
                    }
                }
            });
            handed
        };
        let _ = nodes.handed.set((0..cluster::PARTITIONS).map(Partition).map(written_in_order).collect());
        let _ = nodes.node.set(node);
        house::see_to_news(Arc::downgrade(&nodes), heard).map_err(StartError::Threads)?;
        Ok(Some(Opened { nodes, store, key }))
    }

    /// From now on it takes its share of the tables.
    pub fn begin(&self, app: &App) {
        let _ = self.app.set(Arc::downgrade(&app.0));
        // What was applied since the tables were read has been missed.
        if let Err(error) = app.tables.rooms.look_at_all() {
            tracing::error!(%error, "tables of other nodes cannot be looked at");
        }
        self.node().open();
    }

    fn node(&self) -> &Node {
        self.node.get().expect("nobody has a node before it has joined")
    }

    fn app(&self) -> Option<App> {
        self.app.get()?.upgrade().map(App)
    }

    fn store(&self) -> Option<Arc<Store>> {
        self.store.get()?.upgrade()
    }

    /// Waits for something of the node's, on a thread that may wait.
    fn wait<T>(&self, what: impl Future<Output = T>) -> T {
        tokio::task::block_in_place(|| self.runtime.block_on(what))
    }

    /// The right to write about a table, if this node has it.
    pub fn hosting(&self, table: &str) -> Option<Hosting> {
        self.node.get()?.hosting(Partition::of(table))
    }

    /// Whether this node has a table in memory, or on its disk to be woken.
    pub fn hosts(&self, table: &str) -> bool {
        self.hosting(table).is_some()
    }

    /// A random name in a partition that this node hosts.
    pub fn name<const BYTES: usize>(&self) -> Result<String, Refused> {
        let drawn = std::iter::repeat_with(random_text::<BYTES>).take(DRAWN);
        drawn.into_iter().find(|id| self.hosts(id)).ok_or_else(Refused::moves)
    }

    /// Waits a moment for what another node may have written just before somebody was sent here. Whether it is there.
    pub async fn soon(&self, is_there: impl Fn() -> bool) -> bool {
        for _ in 0..SOON {
            if is_there() {
                return true;
            }
            tokio::time::sleep(A_MOMENT).await;
        }
        is_there()
    }

    /// Where a table is; it is waited for while it moves.
    pub async fn whereabouts(&self, table: &str) -> Result<Whereabouts, Refused> {
        let partition = Partition::of(table);
        let node = self.node();
        if node.hosting(partition).is_some() {
            return Ok(Whereabouts::Here);
        }
        if node.host_of(partition).is_none() {
            self.waited.fetch_add(1, Ordering::Relaxed);
        }
        match node.wait_for_host(partition, MOVES).await {
            Some(host) if host == *node.id() => Ok(Whereabouts::Here),
            Some(host) => Ok(Whereabouts::There(host)),
            None => Err(Refused::moves()),
        }
    }

    /// What a table of a partition that this node hosts works with.
    pub fn env(
        self: &Arc<Self>,
        table: &str,
        env: &Env<Match>,
        lobby: &Arc<crate::lobby::Lobby>,
    ) -> Result<Env<Match>, Refused> {
        let hosting = self.hosting(table).ok_or_else(Refused::moves)?;
        let store = self.store().ok_or_else(Refused::moves)?;
        let hosted = Arc::new(storage::Hosted {
            hosting,
            store,
            runtime: self.runtime.clone(),
            host: env.host.clone(),
        });
        Ok(Env {
            journal: hosted.clone(),
            tables: Arc::new(LobbyNotifier { tables: hosted, lobby: lobby.clone() }),
            ..env.clone()
        })
    }

    /// Begins a try at a table that another node hosts. Whether it is kept.
    pub fn begin_try_there(&self, table: &str, guest: &str) -> Result<bool, Refused> {
        let question = house::Question::Begin { table: table.to_owned(), guest: guest.to_owned() };
        let asked = self.node().question(Partition::of(table), house::asked(&question));
        let answer = self.wait(asked).map_err(|why| Refused::ours(&why))?;
        serde_json::from_slice(&answer).map_err(|why| Refused::ours(&why))
    }

    /// Whom a link to another device is for, and where it leads, asked of the node that made it.
    pub async fn link(&self, token: &str, take: bool) -> Result<Option<(GuestId, String)>, Refused> {
        let question = house::asked(&house::Question::Link { token: token.to_owned(), take });
        let answer = self.node().question(Partition::of(token), question).await;
        let answer = answer.map_err(|why| Refused::ours(&why))?;
        let found: Option<(String, String)> =
            serde_json::from_slice(&answer).map_err(|why| Refused::ours(&why))?;
        Ok(found.and_then(|(guest, table)| Some((guest.parse().ok()?, table))))
    }

    /// Drops what the log has had for long enough, of the partitions that this node hosts.
    pub async fn trim(&self, days: u64) {
        let Some(nats) = self.nats.get().filter(|_| days > 0) else { return };
        let age = Duration::from_secs(days.saturating_mul(24 * 3600));
        let mut trimmed = 0;
        for partition in (0..cluster::PARTITIONS).map(Partition) {
            if self.node().hosting(partition).is_some() {
                match nats.trim(partition, age, SystemTime::now()).await {
                    Ok(count) => trimmed += count,
                    Err(why) => return tracing::warn!(%partition, %why, "the log could not be trimmed"),
                }
            }
        }
        if trimmed > 0 {
            tracing::info!(messages = trimmed, "trimmed the log");
        }
    }

    /// Gives everything away, so that those who play here notice little of it that this server ends.
    pub async fn leave(&self) {
        self.node().leave().await;
    }

    /// Why this server is not to be sent anybody, if it is not.
    pub fn trouble(&self) -> Result<(), String> {
        let Counted { stuck, .. } = self.node().counted();
        match () {
            () if !self.node().is_in_touch() => Err("out of touch with the engine of the cluster".to_owned()),
            () if stuck > 0 => Err(format!("{stuck} partitions of the log cannot be stored here")),
            () => Ok(()),
        }
    }

    /// What is counted, in the text form that Prometheus reads.
    pub fn metrics(&self) -> String {
        let counted = self.node().counted();
        let Counted { nodes, hosted, unhosted, stuck, .. } = counted;
        metrics::text(&[
            ("cluster_nodes", "gauge", "Nodes of the cluster that are there.", nodes as u64),
            ("cluster_hosted", "gauge", "Partitions that this node hosts.", hosted as u64),
            ("cluster_unhosted", "gauge", "Partitions that no node is known to host.", unhosted as u64),
            ("cluster_stuck", "gauge", "Partitions that cannot be stored on this node.", stuck as u64),
            ("cluster_appended_total", "counter", "Messages that this node has written.", counted.appended),
            ("cluster_changes_total", "counter", "Changes in them.", counted.changes),
            ("cluster_applied_total", "counter", "Messages of all nodes stored here.", counted.applied),
            ("cluster_taken_total", "counter", "Partitions that this node has taken over.", counted.taken),
            (
                "cluster_superseded_total",
                "counter",
                "Partitions that another node took from it unasked.",
                counted.superseded,
            ),
            (
                "cluster_unsettled_total",
                "counter",
                "Times that it was not known whether a message is in the log.",
                counted.unsettled,
            ),
            ("cluster_sockets_elsewhere", "gauge", "WebSockets led to other nodes.", self.relay.led() as u64),
            (
                "cluster_waited_total",
                "counter",
                "Visitors who waited for a table to move.",
                self.waited.load(Ordering::Relaxed),
            ),
        ])
    }

    /// Hands news to the thread that sees to them.
    fn tell(&self, change: Change) {
        let _ = lock(&self.news).send(change);
    }
}
