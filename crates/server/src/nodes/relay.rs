//! Sockets of tables that another node hosts. The node where a socket came in, its *edge*, counts and bounds what comes on it,
//! and leads each frame to the node that hosts the table, where it is received as from a socket there; the frames for it come
//! back the same way. Each is numbered for its socket and direction: where one is missing the socket is closed, and whoever
//! holds it comes again, as after any other loss of its line.

use super::{Nodes, moves};
use crate::address::ClientAddress;
use crate::error::Refused;
use crate::identity::GuestId;
use crate::limits::{Meter, Of, processor_time};
use crate::outbox::Outbox;
use crate::socket::{Watching, error_frame, too_many_watch};
use crate::{App, lock};
use bytes::Bytes;
use cluster::NodeId;
use rulebook::Match;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use table::{Connection, Outlet};
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Frames of one socket that may wait to be received.
const WAITING: usize = 256;
/// Sockets of other nodes that are served here at once, at most.
const MOST: usize = 50_000;

/// What a node says to another about a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// To the host: it is open; for whom (JSON).
    Open,
    /// To the host: a frame came.
    Came,
    /// To the host: it is closed.
    Closed,
    /// To the edge: a frame for it.
    Goes,
    /// To the edge: the same, and it says all that the last one of its kind did.
    State,
    /// To the edge: there is nothing more to say, but for this frame if there is one.
    End,
}

const KINDS: [Kind; 6] = [Kind::Open, Kind::Came, Kind::Closed, Kind::Goes, Kind::State, Kind::End];

/// Kind, number of the socket at its edge, number of what is said about it in this direction, and what that is.
fn packet(kind: Kind, socket: u64, number: u32, body: &[u8]) -> Bytes {
    [&[kind as u8][..], &socket.to_le_bytes(), &number.to_le_bytes(), body].concat().into()
}

fn unpacked(bytes: &Bytes) -> Option<(Kind, u64, u32, Bytes)> {
    let (kind, rest) = bytes.split_first()?;
    let (socket, rest) = rest.split_first_chunk()?;
    let (number, _) = rest.split_first_chunk()?;
    let kind = KINDS.into_iter().find(|one| *one as u8 == *kind)?;
    Some((kind, u64::from_le_bytes(*socket), u32::from_le_bytes(*number), bytes.slice(13..)))
}

/// Whose socket it is.
#[derive(Debug, Serialize, Deserialize)]
struct Opening {
    table: String,
    guest: Option<[u8; 16]>,
    address: IpAddr,
}

/// All sockets that are led from or to another node.
#[derive(Default)]
pub(super) struct Relay {
    /// Sockets that came in here.
    edges: Mutex<HashMap<u64, Edge>>,
    next: AtomicU64,
    /// Sockets that came in at other nodes.
    visitors: Mutex<HashMap<(NodeId, u64), Visitor>>,
}

/// A socket that came in here, for a table elsewhere.
struct Edge {
    host: NodeId,
    outbox: Arc<Outbox>,
    /// Number of what the host says next.
    next: u32,
}

/// A socket that came in elsewhere, for a table here.
struct Visitor {
    came: Sender<Bytes>,
    /// Number of what the edge says next.
    next: u32,
}

impl Relay {
    /// Sockets that came in here and are led elsewhere.
    pub fn led(&self) -> usize {
        lock(&self.edges).len()
    }
}

/// The way of a socket to the node that hosts its table. Dropping it says that the socket is closed.
pub struct Remote {
    nodes: Arc<Nodes>,
    host: NodeId,
    socket: u64,
    next: AtomicU32,
}

impl Remote {
    /// A frame came. Whether it is on its way.
    #[must_use]
    pub fn receive(&self, text: &str) -> bool {
        self.say(Kind::Came, text.as_bytes())
    }

    fn say(&self, kind: Kind, body: &[u8]) -> bool {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.nodes.node().say(&self.host, packet(kind, self.socket, number, body))
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        lock(&self.nodes.relay.edges).remove(&self.socket);
        let _ = self.say(Kind::Closed, &[]);
    }
}

impl Nodes {
    /// Leads a socket to the node that hosts its table. What that node says comes out of `outbox`; it is closed when there is
    /// nothing more to come.
    pub fn lead(
        self: &Arc<Self>,
        host: NodeId,
        table: &str,
        guest: Option<GuestId>,
        address: ClientAddress,
        outbox: Arc<Outbox>,
    ) -> Remote {
        let socket = self.relay.next.fetch_add(1, Ordering::Relaxed);
        lock(&self.relay.edges).insert(socket, Edge { host: host.clone(), outbox: outbox.clone(), next: 0 });
        let remote = Remote { nodes: Arc::clone(self), host, socket, next: AtomicU32::new(0) };
        let opening =
            Opening { table: table.to_owned(), guest: guest.map(|guest| guest.0), address: address.ip() };
        let opening = serde_json::to_vec(&opening).expect("plain data");
        // If the host went in between, nobody would ever say so.
        if !remote.say(Kind::Open, &opening) || !self.node().knows(&remote.host) {
            moved(&outbox);
        }
        remote
    }

    /// Another node says something about a socket.
    pub(super) fn heard(self: &Arc<Self>, from: &NodeId, bytes: &Bytes) {
        let Some((kind, socket, number, body)) = unpacked(bytes) else {
            return tracing::debug!(%from, "what another node says cannot be read");
        };
        match kind {
            Kind::Open | Kind::Came | Kind::Closed => self.came(from, kind, socket, number, body),
            Kind::Goes | Kind::State | Kind::End => self.goes(from, kind, socket, number, &body),
        }
    }

    /// What came on a socket of another node.
    fn came(self: &Arc<Self>, from: &NodeId, kind: Kind, socket: u64, number: u32, body: Bytes) {
        let key = (from.clone(), socket);
        let mut visitors = lock(&self.relay.visitors);
        if kind == Kind::Open {
            if visitors.len() >= MOST {
                let _ = self.node().say(from, packet(Kind::End, socket, 0, &[]));
                return;
            }
            let (came, coming) = channel(WAITING);
            visitors.insert(key, Visitor { came, next: number.wrapping_add(1) });
            let (nodes, from) = (Arc::clone(self), from.clone());
            self.runtime.spawn(async move { nodes.visit(from, socket, body, coming).await });
            return;
        }
        let Some(visitor) = visitors.get_mut(&key) else { return };
        let follows = visitor.next == number;
        visitor.next = number.wrapping_add(1);
        if kind == Kind::Closed || !follows || visitor.came.try_send(body).is_err() {
            // Its task ends when there is nothing more to come, and says so.
            visitors.remove(&key);
        }
    }

    /// What is said to a socket that came in here.
    fn goes(&self, from: &NodeId, kind: Kind, socket: u64, number: u32, body: &[u8]) {
        let outbox = {
            let mut edges = lock(&self.relay.edges);
            let Some(edge) = edges.get_mut(&socket).filter(|edge| edge.host == *from) else { return };
            let (outbox, follows) = (edge.outbox.clone(), edge.next == number);
            edge.next = number.wrapping_add(1);
            if kind == Kind::End || !follows {
                edges.remove(&socket);
            }
            if !follows {
                drop(edges);
                return moved(&outbox);
            }
            outbox
        };
        match kind {
            Kind::Goes => outbox.send(body),
            Kind::State => outbox.send_state(body),
            _ => {
                if !body.is_empty() {
                    outbox.send(body);
                }
                outbox.flush();
                return outbox.close();
            }
        }
        outbox.flush();
    }

    /// A node is gone, or something that it said or was told may be missing; if none is named, of all of them. Its sockets are closed,
    /// and those of ours that were led there: their numbers would only tell of it when something more is said.
    pub(super) fn missed(&self, node: Option<&NodeId>) {
        let concerned = |other: &NodeId| node.is_none_or(|node| node == other);
        lock(&self.relay.visitors).retain(|(edge, _), _| !concerned(edge));
        let led: Vec<Arc<Outbox>> = {
            let mut edges = lock(&self.relay.edges);
            let led: Vec<u64> =
                edges.iter().filter(|(_, edge)| concerned(&edge.host)).map(|(socket, _)| *socket).collect();
            led.iter().filter_map(|socket| Some(edges.remove(socket)?.outbox)).collect()
        };
        led.iter().for_each(|outbox| moved(outbox));
    }

    /// Serves a socket that came in at another node.
    async fn visit(self: Arc<Self>, from: NodeId, socket: u64, opening: Bytes, coming: Receiver<Bytes>) {
        let outlet = Arc::new(Far {
            nodes: Arc::clone(&self),
            edge: from.clone(),
            socket,
            next: Mutex::new(0),
            closed: AtomicBool::new(false),
        });
        let last = match (self.app(), serde_json::from_slice::<Opening>(&opening)) {
            (Some(app), Ok(opening)) => match self.let_in(&app, opening, outlet.clone()).await {
                Ok(talk) => talk.listen(coming, &outlet).await,
                // Where it had come in here it would have been refused before it was a socket, and come again.
                Err(refused) => refused.say.map(|say| error_frame(say, true)),
            },
            _ => None,
        };
        lock(&self.relay.visitors).remove(&(from, socket));
        outlet.end(&last.unwrap_or_default());
    }

    async fn let_in(&self, app: &App, opening: Opening, outlet: Arc<Far>) -> Result<Talk, Refused> {
        let Opening { table: id, guest, address } = opening;
        let (guest, address) = (guest.map(GuestId), ClientAddress::of(address));
        if let Some(guest) = guest {
            // They may have got their name where they came in, a moment ago.
            self.soon(|| app.tables.is_settled(guest)).await;
        }
        let visited = id.clone();
        let found = app
            .blocking(move |app| {
                let table = app.tables.visit(&visited)?.ok_or_else(Refused::no_table)?;
                Ok::<_, Refused>((table, app.tables.person(guest)?))
            })
            .await;
        let (table, person) = found?;
        let mut watching = Watching::new(app.clone(), table.clone(), person.as_ref(), (address, id));
        if !watching.has_a_place() {
            return Err(Refused::new(axum::http::StatusCode::SERVICE_UNAVAILABLE, too_many_watch()));
        }
        let connection = app.blocking(move |app| app.tables.come_in(&table, guest, outlet)).await?;
        let meter = app.of_sockets.meter(app.limits.purse(address));
        Ok(Talk { app: app.clone(), connection, watching, meter, strikes: 0 })
    }
}

/// Tells a socket that its table is elsewhere now, and closes it.
fn moved(outbox: &Outbox) {
    outbox.send(&error_frame(moves(), true));
    outbox.flush();
    outbox.close();
}

/// One socket of another node, as it is served here.
struct Talk {
    app: App,
    connection: Connection<Match>,
    watching: Watching,
    meter: Meter,
    strikes: u32,
}

impl Talk {
    /// Receives what comes until nothing more does, or the table has nothing more to say. Gives the frame that says why it was
    /// ended from here.
    async fn listen(mut self, mut coming: Receiver<Bytes>, outlet: &Far) -> Option<Vec<u8>> {
        while let Some(frame) = coming.recv().await {
            if outlet.closed.load(Ordering::Relaxed) {
                return None;
            }
            if !self.watching.has_a_place() {
                return Some(error_frame(too_many_watch(), false));
            }
            let text = std::str::from_utf8(&frame).unwrap_or_default();
            let received = if self.meter.has(Of::Work) {
                let before = processor_time();
                let received = self.connection.receive(text).is_ok();
                self.meter.spend(Of::Work, processor_time().saturating_sub(before).as_secs_f64());
                received
            } else {
                crate::socket::turn_away(outlet, text);
                false
            };
            if !received {
                self.app.metrics.refused("elsewhere");
                self.strikes += 1;
                if self.strikes >= self.app.settings.max_strikes {
                    return None;
                }
            }
        }
        None
    }
}

/// The way out to a socket at another node.
struct Far {
    nodes: Arc<Nodes>,
    edge: NodeId,
    socket: u64,
    /// Number of what is said next.
    next: Mutex<u32>,
    closed: AtomicBool,
}

impl Far {
    fn say(&self, kind: Kind, body: &[u8]) {
        let mut next = lock(&self.next);
        if self.closed.load(Ordering::Relaxed) {
            return;
        }
        let number = *next;
        *next = next.wrapping_add(1);
        if kind == Kind::End {
            self.closed.store(true, Ordering::Relaxed);
        }
        // Where too much waits this one is missed, and the socket closed.
        let _ = self.nodes.node().say(&self.edge, packet(kind, self.socket, number, body));
    }

    fn end(&self, last: &[u8]) {
        self.say(Kind::End, last);
    }
}

impl Outlet for Far {
    fn send(&self, frame: &[u8]) {
        self.say(Kind::Goes, frame);
    }
    fn send_state(&self, frame: &[u8]) {
        self.say(Kind::State, frame);
    }
    fn close(&self) {
        self.end(&[]);
        // Its task need not wait for what comes.
        lock(&self.nodes.relay.visitors).remove(&(self.edge.clone(), self.socket));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By this the client knows that it need not wait before it comes again.
    #[test]
    fn a_table_that_moves_is_known_by_its_sentence() {
        assert_eq!(moves().key, wire::TABLE_MOVES);
    }

    #[test]
    fn what_is_said_of_a_socket_is_read_or_left() {
        for kind in KINDS {
            let bytes = packet(kind, u64::MAX, 7, b"frame");
            assert_eq!(unpacked(&bytes), Some((kind, u64::MAX, 7, Bytes::from_static(b"frame"))));
        }
        for strange in [&[][..], &[0; 12], &[9; 13]] {
            assert_eq!(unpacked(&Bytes::from_static(strange)), None, "{strange:?}");
        }
    }
}
