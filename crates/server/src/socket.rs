//! The socket of a table: frames in, frames out. What they mean is the table's business; here they are counted, measured
//! and, if they are too many or no frames at all, refused.

use crate::App;
use crate::address::ClientAddress;
use crate::admit;
use crate::api::Asker;
use crate::error::Refused;
use crate::identity::GuestId;
use crate::limits::{Meter, Of, Place, processor_time};
use crate::metrics::Inside;
use crate::nodes::{Nodes, Remote, Whereabouts};
use crate::outbox::{Line, Next, Outbox, TooMuch};
use crate::pace::Paced;
use axum::body::Body;
use axum::extract::{Extension, Path, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use cluster::NodeId;
use futures_util::{SinkExt, StreamExt};
use game::{Say, say};
use hyper::upgrade::{OnUpgrade, Parts};
use hyper_util::rt::TokioIo;
use rulebook::Match;
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;
use table::{Connection, Outlet, Person, Table};
use tokio::time::Instant;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::server::create_response;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};
use wire::{Answer, ToClient};

/// Bytes that are read at once: what a player says is shorter. The library's own 128 KiB would make a thousand idle sockets
/// cost more than their tables.
const BUFFER: usize = 1024;

/// How long a client may say nothing. Those who play answer the table's pings much sooner.
const SILENCE: Duration = Duration::from_secs(60);

type Socket = WebSocketStream<Line>;

/// Opens the socket of a table.
pub async fn open(
    State(app): State<App>,
    Path(id): Path<String>,
    asker: Asker,
    Extension(line): Extension<admit::Line>,
    request: Request,
) -> Result<Response, Refused> {
    if !line.purse.take(Of::Sockets) {
        app.metrics.refused("rate");
        return Err(Refused::too_much(say!("no_server.sockets")).after(1));
    }
    let (answer, upgrade) = shake_hands(request)?;
    let person = app.tables.person(asker.guest)?;
    let way = match find(&app, &id, &asker).await? {
        None => {
            app.metrics.refused("table");
            return Err(Refused::no_table());
        }
        Some(Found::Here(table)) => {
            let mut watching =
                Watching::new(app.clone(), table.clone(), person.as_ref(), (asker.address, id));
            if !watching.has_a_place() {
                return Err(Refused::new(StatusCode::SERVICE_UNAVAILABLE, too_many_watch()));
            }
            Coming::In(table, watching)
        }
        Some(Found::There(nodes, host)) => Coming::Through(nodes, host, id),
    };
    let (shared, comes_in) = (app.clone(), async move {
        let upgraded = match upgrade.await {
            Ok(upgraded) => upgraded,
            Err(error) => return tracing::debug!(%error, "a connection did not become a socket"),
        };
        // What was read ahead lies in a buffer that would be kept as long as the socket is open.
        let (stream, read) = match upgraded.downcast::<TokioIo<Paced>>() {
            Ok(Parts { io, read_buf, .. }) => (io.into_inner().into_inner(), read_buf.to_vec()),
            Err(_) => return tracing::error!("a socket came on what is no connection of ours"),
        };
        let inside = app.metrics.sockets.enter();
        let most = app.settings.max_message_bytes;
        let config = WebSocketConfig::default()
            .read_buffer_size(BUFFER)
            .write_buffer_size(0)
            .max_message_size(Some(most))
            .max_frame_size(Some(most));
        let meter = Arc::new(app.of_sockets.meter(line.purse.clone()));
        let (outbox, mut stream) = Outbox::new(stream, meter.clone(), app.metrics.clone());
        if stream.count(&read).is_err() {
            app.metrics.refused("much");
            return;
        }
        if person.is_none() {
            line.turn.watch();
        }
        let socket = WebSocketStream::from_partially_read(stream, read, Role::Server, Some(config)).await;
        let way = match way {
            Coming::Through(nodes, host, id) => {
                let remote = nodes.lead(host, &id, asker.guest, asker.address, outbox.clone());
                Way::There(remote, person.is_some())
            }
            Coming::In(table, watching) => {
                match come_in(
                    &app,
                    table,
                    asker.guest.filter(|_| person.is_some()),
                    &watching,
                    outbox.clone(),
                )
                .await
                {
                    Some(connection) => Way::Here(connection, watching),
                    None => return,
                }
            }
        };
        Talk::new(app, line, inside, way, outbox, meter).serve(socket);
    });
    shared.precedence.serve(false, comes_in);
    Ok(answer)
}

/// Where a table was found.
enum Found {
    Here(Table<Match>),
    There(Arc<Nodes>, NodeId),
}

/// Finds a table, which is woken if it sleeps; none if there is no such table.
async fn find(app: &App, id: &str, asker: &Asker) -> Result<Option<Found>, Refused> {
    if let Some(table) = app.tables.table(id) {
        return Ok(Some(Found::Here(table)));
    }
    if !app.tables.has_table(id).await {
        return Ok(None);
    }
    if let (Whereabouts::There(host), Some(nodes)) = (app.tables.whereabouts(id).await?, app.tables.nodes()) {
        return Ok(Some(Found::There(nodes.clone(), host)));
    }
    let id = id.to_owned();
    let table = app.in_place(asker, move |app, _| app.tables.visit(&id)).await?;
    Ok(table.map(Found::Here))
}

/// How somebody comes to a table: into the room, or through to another node.
enum Coming {
    In(Table<Match>, Watching),
    Through(Arc<Nodes>, NodeId, String),
}

/// Connects a socket with a table of this server.
async fn come_in(
    app: &App,
    table: Table<Match>,
    guest: Option<GuestId>,
    watching: &Watching,
    outbox: Arc<Outbox>,
) -> Option<Connection<Match>> {
    if guest.is_none() {
        return Some(table.connect(None, outbox));
    }
    // They may be forgotten just now, which takes as long as the disk does.
    let turn = if watching.sits { None } else { app.coming_in.clone().acquire_owned().await.ok() };
    let app = app.clone();
    let came_in = move || {
        let _turn = turn;
        app.tables.come_in(&table, guest, outbox)
    };
    match tokio::task::spawn_blocking(came_in).await {
        Ok(Ok(connection)) => Some(connection),
        Ok(Err(error)) => {
            tracing::error!(%error, "nobody could be let in");
            None
        }
        Err(panic) => {
            tracing::error!(%panic, "nobody could be let in");
            None
        }
    }
}

/// What those are told who find no place to watch from.
pub(crate) fn too_many_watch() -> Say {
    say!("no_server.too_many_watch")
}

/// A place among those who watch a table: of the table, and of the address there.
type WatchersPlace = (Place<String>, Place<(ClientAddress, String)>);

/// The place that a socket takes among those who watch a table, as long as its person has no seat there. Many who watch make
/// every move dear.
pub(crate) struct Watching {
    app: App,
    table: Table<Match>,
    person: Option<String>,
    at: (ClientAddress, String),
    place: Option<WatchersPlace>,
    /// Whether the person sat when it was last looked.
    sits: bool,
}

impl Watching {
    pub fn new(
        app: App,
        table: Table<Match>,
        person: Option<&Person>,
        at: (ClientAddress, String),
    ) -> Watching {
        let person = person.map(|person| person.id.clone());
        Watching { app, table, person, at, place: None, sits: false }
    }

    /// Whether the person sits or keeps the table, or there is a place to watch from. Who sits down leaves that place to
    /// others, and who stands up needs one.
    pub fn has_a_place(&mut self) -> bool {
        self.sits = self.person.as_ref().is_some_and(|person| self.table.seat_of(person).is_some());
        if self.sits || self.person.is_some() && self.table.host().map(|host| host.id) == self.person {
            self.place = None;
            return true;
        }
        if self.place.is_none() {
            let of_address = self.app.watchers_of_address.enter(self.at.clone());
            self.place = of_address.and_then(|own| Some((self.app.watchers.enter(self.at.1.clone())?, own)));
        }
        let found = self.place.is_some();
        if !found {
            self.app.metrics.refused("watchers");
        }
        found
    }
}

/// The answer to a request for a socket, and the promise of one.
fn shake_hands(request: Request) -> Result<(Response, OnUpgrade), Refused> {
    let (mut parts, _) = request.into_parts();
    let upgrade = parts.extensions.remove::<OnUpgrade>();
    let answer = create_response(&Request::from_parts(parts, ()));
    match (answer, upgrade) {
        (Ok(answer), Some(upgrade)) => Ok((answer.map(|()| Body::empty()), upgrade)),
        (Err(error), _) => Err(Refused::in_english(
            StatusCode::BAD_REQUEST,
            format!("A WebSocket is to be asked for here: {error}."),
        )),
        (_, None) => {
            Err(Refused::in_english(StatusCode::BAD_REQUEST, "This connection cannot become a WebSocket."))
        }
    }
}

/// Where what comes on a socket goes.
enum Way {
    /// To a table of this server.
    Here(Connection<Match>, Watching),
    /// To another node, which has the table. Whether its person has a name: then they may play.
    There(Remote, bool),
}

impl Way {
    /// Whether the person plays, as far as is known.
    fn plays(&self) -> bool {
        match self {
            Way::Here(_, watching) => watching.sits,
            Way::There(_, named) => *named,
        }
    }
}

/// One socket.
struct Talk {
    app: App,
    line: admit::Line,
    _inside: Inside,
    /// Whether it is served on the threads of those who play.
    with_players: bool,
    outbox: Arc<Outbox>,
    way: Way,
    meter: Arc<Meter>,
    strikes: u32,
    /// When something last came.
    heard: Instant,
}

/// Why a socket is closed from our side.
struct Enough(&'static str);

impl Talk {
    /// Where others than those who play are served.
    fn new(
        app: App,
        line: admit::Line,
        inside: Inside,
        way: Way,
        outbox: Arc<Outbox>,
        meter: Arc<Meter>,
    ) -> Talk {
        let heard = Instant::now();
        Talk { app, line, _inside: inside, with_players: false, outbox, way, meter, strikes: 0, heard }
    }

    /// Serves the socket, with those who play as long as its person sits.
    fn serve(mut self, mut socket: Socket) {
        let (app, plays) = (self.app.clone(), self.way.plays());
        app.precedence.serve(plays, async move {
            if plays != self.with_players
                && let Err(error) = socket.get_mut().come_over()
            {
                return tracing::warn!(%error, "a socket could not be taken over, and is closed");
            }
            self.with_players = plays;
            if let Some((talk, socket)) = self.run(socket).await {
                talk.serve(socket);
            }
        });
    }

    /// Serves the socket until it ends, or its person sits down or stands up.
    async fn run(mut self, mut socket: Socket) -> Option<(Talk, Socket)> {
        let turn = self.line.turn.clone();
        let outbox = self.outbox.clone();
        let patience = Duration::from_secs(self.app.settings.patience_seconds);
        // Set anew only when it rings: not for each message.
        let silence = tokio::time::sleep_until(self.heard + SILENCE);
        tokio::pin!(silence);
        let ended = loop {
            tokio::select! {
                () = outbox.wanted() => match outbox.emptied(patience).await {
                    Next::GoOn => {}
                    Next::Goodbye => break Enough("the table has nothing more to say"),
                    Next::HangUp => return None,
                },
                message = socket.next() => match message {
                    Some(Ok(Message::Close(_))) => {
                        // The answer to it is on its way then.
                        let _ = socket.flush().await;
                        let _ = outbox.emptied(patience).await;
                        return None;
                    }
                    Some(Ok(message)) => {
                        if let Err(enough) = self.receive(message) {
                            break enough;
                        }
                        if self.way.plays() != self.with_players {
                            return Some((self, socket));
                        }
                    }
                    Some(Err(Error::Io(error))) if error.get_ref().is_some_and(|error| error.is::<TooMuch>()) => {
                        if self.app.metrics.refused("much") {
                            tracing::warn!("closed a socket on which too many frames or bytes came");
                        }
                        break Enough("too much at once");
                    }
                    Some(Err(error)) => {
                        // Longer than allowed, or no WebSocket any more.
                        self.app.metrics.refused("socket");
                        tracing::debug!(%error, "a socket broke off");
                        break Enough("that was no message, or too long");
                    }
                    None => return None,
                },
                () = turn.evicted() => break Enough("the house is full, and others want to play"),
                () = &mut silence => {
                    let due = self.heard + SILENCE;
                    if due <= Instant::now() {
                        tracing::debug!("a socket went silent");
                        return None;
                    }
                    silence.as_mut().reset(due);
                }
            }
        };
        let close = CloseFrame { code: CloseCode::Policy, reason: Utf8Bytes::from_static(ended.0) };
        let _ = socket.send(Message::Close(Some(close))).await;
        let _ = outbox.emptied(patience).await;
        None
    }

    fn receive(&mut self, message: Message) -> Result<(), Enough> {
        self.heard = Instant::now();
        let text = match message {
            Message::Text(text) => text,
            Message::Binary(_) => return self.strike("malformed", "a frame that is no text"),
            Message::Ping(_) | Message::Pong(_) | Message::Close(_) | Message::Frame(_) => {
                return self.stays();
            }
        };
        self.app.metrics.messages_in.add(1);
        if !self.meter.take(Of::Messages) || !self.meter.has(Of::Work) {
            turn_away(self.outbox.as_ref(), &text);
            return self.strike("rate", "too many messages at once");
        }
        self.stays()?;
        let connection = match &self.way {
            Way::There(remote, _) if remote.receive(&text) => return Ok(()),
            Way::There(..) => return Err(Enough("too much waits on the way to the table")),
            Way::Here(connection, _) => connection,
        };
        let before = processor_time();
        let received = connection.receive(&text);
        self.meter.spend(Of::Work, processor_time().saturating_sub(before).as_secs_f64());
        match received {
            Ok(()) => Ok(()),
            Err(malformed) => {
                tracing::debug!(%malformed, "a frame was not understood");
                self.strike("malformed", "a frame that is not of this protocol")
            }
        }
    }

    /// Whoever has stood up needs a place among those who watch.
    fn stays(&mut self) -> Result<(), Enough> {
        let stays = match &mut self.way {
            Way::Here(_, watching) => watching.has_a_place(),
            // The node that has the table sees to it.
            Way::There(..) => true,
        };
        if stays {
            return Ok(());
        }
        self.outbox.send(&error_frame(too_many_watch(), false));
        self.outbox.flush();
        Err(Enough("too many watch"))
    }

    fn strike(&mut self, reason: &'static str, what: &'static str) -> Result<(), Enough> {
        self.app.metrics.refused(reason);
        self.strikes += 1;
        if self.strikes < self.app.settings.max_strikes {
            return Ok(());
        }
        if self.app.metrics.refused("strikes") {
            tracing::warn!(reason, "closed a socket after {} refusals, the last for {what}", self.strikes);
        }
        Err(Enough("too many messages that could not be taken"))
    }
}

/// The frame that says why a socket is closed, and whether it is worth coming again.
pub(crate) fn error_frame(say: Say, retry: bool) -> Vec<u8> {
    let told = ToClient::<(), (), ()>::Error { text: say.to_string(), say, retry };
    serde_json::to_vec(&told).expect("frames are plain data")
}

/// Answers a command that came too fast, so that whoever gave it does not wait for ever.
pub(crate) fn turn_away(outlet: &dyn Outlet, text: &str) {
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Frame {
        Command { id: u32 },
    }
    if let Ok(Frame::Command { id }) = serde_json::from_str(text) {
        let say = say!("no_server.too_fast");
        let answer = Answer::NotNow { text: say.to_string(), say };
        let frame = ToClient::<(), (), ()>::Verdict { id, at: game::Millis(0), answer };
        outlet.send(&serde_json::to_vec(&frame).expect("frames are plain data"));
        outlet.flush();
    }
}
