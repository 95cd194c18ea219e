//! Tables at a server: who one is there, which tables there are, and the socket of one.

use crate::kept::replace;
use crate::line::{Heard, Line, Order, Teller};
use futures_util::{SinkExt, StreamExt};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{Instant, sleep, timeout_at};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::handshake::client::Request;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};
use ureq::http::StatusCode;
use wire::api::{
    COOKIE, DeviceJoined, DeviceToken, Lobby, Me, Name, NewTable, Problem, TableMade, TableSummary,
};
use wire::route::Route;
use words::Speaker;

/// Most bytes of an answer, and of a frame.
const MOST_BYTES: usize = 4 << 20;
/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(15);
/// How long a socket may be silent before it is asked whether it is there, and before it is taken for dead.
const SILENT: Duration = Duration::from_secs(40);
const DEAD: Duration = Duration::from_secs(55);
/// How soon a lost socket is opened again: at first, and at most.
const SOON: Duration = Duration::from_millis(500);
const LATE: Duration = Duration::from_secs(10);

/// Why a server does not do what it is asked.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// What was typed is the address of no server.
    #[error("`{0}` is no address of a parlour: write http://HOST or https://HOST, or the link of a table")]
    Address(String),
    /// It cannot be reached.
    #[error("{origin} cannot be reached: {why}")]
    Unreachable {
        /// Which server.
        origin: String,
        /// Why not.
        why: String,
    },
    /// It refuses.
    #[error("{origin}: {why}")]
    Refused {
        /// Which server.
        origin: String,
        /// Why, in its words.
        why: String,
        /// The same, to be said in any language; empty where it is said in English only.
        say: Box<game::Say>,
    },
    /// Its answer is none that a parlour gives.
    #[error("{origin} does not answer as a parlour does: {why}")]
    Strange {
        /// Which server.
        origin: String,
        /// What is strange.
        why: String,
    },
    /// Who one is there cannot be kept.
    #[error("{path}: {why}")]
    Guests {
        /// In which file.
        path: PathBuf,
        /// Why not.
        why: std::io::Error,
    },
}

impl Fault {
    /// The same as its text, in the language of whoever reads it, where its words are there.
    #[must_use]
    pub fn told(&self, tongue: &Speaker) -> String {
        let Fault::Refused { origin, say, .. } = self else { return self.to_string() };
        match screen::tell(tongue, say).filter(|_| !say.is_empty()) {
            Some(said) => format!("{origin}: {}", plain(&said)),
            None => self.to_string(),
        }
    }
}

/// A server, as the guest that one is there.
pub struct Server {
    agent: ureq::Agent,
    origin: String,
    /// The file with who one is at each server: whoever reads it sits in one's seat.
    guests: PathBuf,
    cookie: Option<String>,
}

/// What an address of a server leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// To the tables that everybody may come to.
    Lobby,
    /// To a table, by its id.
    Table(String),
    /// To one's own seat, taken along from another device, by a token that works once.
    Seat(String),
}

/// An address as people copy it: the server's origin, and what it leads to there.
fn parts(address: &str) -> Option<(String, Place)> {
    let (scheme, rest) = address.split_once("://")?;
    let scheme = scheme.to_ascii_lowercase();
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let plain = |host: &str| {
        !host.is_empty() && host.bytes().all(|b| b.is_ascii_graphic() && !b"\\@?#\"<>".contains(&b))
    };
    if !["http", "https"].contains(&&*scheme) || !plain(host) {
        return None;
    }
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let place = match Route::from_path(path) {
        Route::Table(id) if plain(&id) => Place::Table(id),
        Route::Device(token) if plain(&token) => Place::Seat(token),
        Route::Lobby => Place::Lobby,
        _ => return None,
    };
    Some((format!("{scheme}://{}", host.to_ascii_lowercase()), place))
}

/// Whether somebody who types this means a server, or a table there.
#[must_use]
pub fn is_address(text: &str) -> bool {
    text.contains("://")
}

impl Server {
    /// The server of an address, and what it leads to there. `folder` keeps who one is at which server.
    ///
    /// # Errors
    /// If it is no such address, or the folder cannot be read.
    pub fn at(address: &str, folder: &Path) -> Result<(Server, Place), Fault> {
        let (origin, place) = parts(address).ok_or_else(|| Fault::Address(address.to_owned()))?;
        // Nobody else is asked in its place, wherever a server would send us on to; and the socket takes no proxy either.
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(PATIENCE))
            .http_status_as_error(false)
            .max_redirects(0)
            .proxy(None);
        let guests = folder.join("guests.json");
        let cookie = read_guests(&guests)?.remove(&origin);
        Ok((Server { agent: config.build().into(), origin, guests, cookie }, place))
    }

    /// What people are sent to come to a table.
    #[must_use]
    pub fn invite(&self, table: &str) -> String {
        self.origin.clone() + &Route::Table(table.to_owned()).path()
    }

    /// Makes oneself known by a name; who is known there already keeps their seats.
    ///
    /// # Errors
    /// If the server refuses the name, or cannot be asked.
    pub fn come(&mut self, name: &str) -> Result<(), Fault> {
        let _: Me = self.ask("PUT", "/api/me", Some(&Name { name: name.to_owned() }))?;
        Ok(())
    }

    /// Who one is there; without a name for a stranger.
    ///
    /// # Errors
    /// If the server cannot be asked.
    pub fn me(&mut self) -> Result<Me, Fault> {
        self.ask("GET", "/api/me", None::<&()>)
    }

    /// The tables that everybody may come to.
    ///
    /// # Errors
    /// If the server cannot be asked.
    pub fn lobby(&mut self) -> Result<Lobby, Fault> {
        self.ask("GET", "/api/tables", None::<&()>)
    }

    /// A table.
    ///
    /// # Errors
    /// If there is none, or the server cannot be asked.
    pub fn table(&mut self, id: &str) -> Result<TableSummary, Fault> {
        self.ask("GET", &format!("/api/tables/{id}"), None::<&()>)
    }

    /// Opens a table.
    ///
    /// # Errors
    /// If the server refuses, or cannot be asked.
    pub fn open(&mut self, table: &NewTable) -> Result<TableMade, Fault> {
        self.ask("POST", "/api/tables", Some(table))
    }

    /// Becomes the guest whose seat a token takes to this machine: the id of their table.
    ///
    /// # Errors
    /// If the token is used up, or the server cannot be asked.
    pub fn take_seat(&mut self, token: &str) -> Result<String, Fault> {
        let joined: DeviceJoined =
            self.ask("POST", "/api/device", Some(&DeviceToken { token: token.to_owned() }))?;
        Ok(joined.table)
    }

    /// Where a match of this server can be looked at again.
    #[must_use]
    pub fn replay(&self, record: &str) -> String {
        self.origin.clone() + &Route::Replay(record.to_owned()).path()
    }

    fn ask<T: DeserializeOwned>(
        &mut self,
        method: &str,
        path: &str,
        body: Option<&impl Serialize>,
    ) -> Result<T, Fault> {
        let origin = || self.origin.clone();
        let unreachable =
            |why: ureq::Error| Fault::Unreachable { origin: origin(), why: plain(&why.to_string()) };
        let strange = |why: String| Fault::Strange { origin: origin(), why: plain(&why) };
        let mut request = ureq::http::Request::builder().method(method).uri(format!("{}{path}", self.origin));
        if let Some(cookie) = &self.cookie {
            request = request.header("cookie", cookie);
        }
        let body = match body {
            Some(body) => serde_json::to_vec(body).map_err(|why| strange(why.to_string()))?,
            None => Vec::new(),
        };
        let request = request.header("content-type", "application/json").body(body);
        let request = request.map_err(|why| strange(why.to_string()))?;
        let mut answer = self.agent.run(request).map_err(unreachable)?;
        let onward = answer.headers().get("location").and_then(|value| value.to_str().ok());
        if let Some(onward) = onward.filter(|_| answer.status().is_redirection()) {
            let why = format!("it sends on to {}: give that address", plain(onward));
            return Err(Fault::Refused { origin: origin(), why, say: Box::default() });
        }
        // What stands before the server may set cookies of its own.
        let given = answer.headers().get_all("set-cookie").iter().filter_map(|value| value.to_str().ok());
        let mut pair = given.filter_map(|value| value.split(';').next());
        let given = pair.rfind(|pair| pair.split('=').next() == Some(COOKIE)).map(str::to_owned);
        let text = answer.body_mut().with_config().limit(MOST_BYTES as u64).read_to_string();
        let text = text.map_err(unreachable)?;
        if !answer.status().is_success() {
            return Err(refused(origin(), answer.status(), &text));
        }
        let told = serde_json::from_str(&text).map_err(|why| strange(why.to_string()))?;
        if given.is_some() && given != self.cookie {
            self.cookie = given;
            self.remember()?;
        }
        Ok(told)
    }

    /// Keeps who one is here.
    fn remember(&self) -> Result<(), Fault> {
        let fault = |why| Fault::Guests { path: self.guests.clone(), why };
        if let Some(folder) = self.guests.parent() {
            std::fs::create_dir_all(folder).map_err(fault)?;
        }
        // Another terminal may come to another server just now.
        let lock = File::create(self.guests.with_extension("lock")).map_err(fault)?;
        lock.lock().map_err(fault)?;
        let mut guests = read_guests(&self.guests)?;
        guests.insert(self.origin.clone(), self.cookie.clone().unwrap_or_default());
        let text = serde_json::to_string_pretty(&guests).map_err(|why| fault(why.into()))?;
        replace(&self.guests, text.as_bytes()).map_err(fault)?;
        Ok(())
    }

    /// Goes to a table, in a thread of its own; `tell` hears of it. A lost socket is opened again.
    ///
    /// # Errors
    /// If no socket can lead there.
    pub fn join(
        self,
        summary: TableSummary,
        tell: impl FnMut(Heard) + Send + 'static,
    ) -> Result<Line, Fault> {
        let url = format!("{}/ws/table/{}", self.origin.replacen("http", "ws", 1), summary.id);
        let strange = |why: String| Fault::Strange { origin: self.origin.clone(), why: plain(&why) };
        let mut request = url.into_client_request().map_err(|why| strange(why.to_string()))?;
        if let Some(cookie) = &self.cookie {
            let cookie = cookie.parse().map_err(|_| strange("its cookie cannot be sent back".to_owned()))?;
            request.headers_mut().insert("cookie", cookie);
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|why| strange(why.to_string()))?;
        let (orders, taken) = unbounded_channel();
        let mut socket = Socket { request, orders: taken, tell: Teller::new(tell) };
        std::thread::spawn(move || runtime.block_on(socket.run(summary)));
        Ok(Line::far(orders))
    }
}

/// Most letters of what a server says that are repeated to the person.
const MOST_SAID: usize = 400;

/// What a server says, as it may be written to a terminal: without what would move its cursor.
#[must_use]
pub fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(MOST_SAID).collect()
}

fn refused(origin: String, status: StatusCode, text: &str) -> Fault {
    match serde_json::from_str::<Problem>(text) {
        Ok(Problem { error, say }) => {
            Fault::Refused { origin, why: plain(&error), say: Box::new(say.unwrap_or_default()) }
        }
        Err(_) => Fault::Strange { origin, why: format!("status {status}") },
    }
}

fn read_guests(path: &Path) -> Result<BTreeMap<String, String>, Fault> {
    match std::fs::read_to_string(path) {
        // Who has lost it is a stranger again.
        Ok(text) => Ok(serde_json::from_str(&text).unwrap_or_default()),
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => Ok(BTreeMap::new()),
        Err(why) => Err(Fault::Guests { path: path.to_owned(), why }),
    }
}

struct Socket {
    request: Request,
    orders: UnboundedReceiver<Order>,
    tell: Teller,
}

impl Socket {
    async fn run(&mut self, summary: TableSummary) {
        let mut pause = SOON;
        loop {
            let config = WebSocketConfig::default()
                .max_message_size(Some(MOST_BYTES))
                .max_frame_size(Some(MOST_BYTES));
            let connect =
                tokio_tungstenite::connect_async_with_config(self.request.clone(), Some(config), true);
            match tokio::time::timeout(PATIENCE, connect).await {
                Ok(Ok((stream, _))) => {
                    // What was meant for the socket before is sent again by who knows that it was not answered.
                    while self.orders.try_recv().is_ok() {}
                    let since = Instant::now();
                    self.tell.tell(Heard::Up(Some(summary.clone())));
                    if self.talk(stream).await.is_none() {
                        return;
                    }
                    // One that is closed at once, such as by a house that closes, is not opened again at once.
                    if since.elapsed() > LATE {
                        pause = SOON;
                    }
                    self.tell.tell(Heard::Down);
                }
                Ok(Err(Error::Http(answer)))
                    if (300..500).contains(&answer.status().as_u16()) && answer.status().as_u16() != 429 =>
                {
                    let said = answer.into_body().unwrap_or_default();
                    let said = serde_json::from_slice::<Problem>(&said).map(|problem| plain(&problem.error));
                    return self.tell.tell(Heard::Closed(said.unwrap_or_default()));
                }
                Ok(Err(_)) | Err(_) => self.tell.tell(Heard::Down),
            }
            let until = Instant::now() + pause;
            // Nobody waits for a table that nobody wants any more.
            loop {
                match timeout_at(until, self.orders.recv()).await {
                    Ok(Some(_)) => {}
                    Ok(None) => return,
                    Err(_) => break,
                }
            }
            pause = (pause * 2).min(LATE);
        }
    }

    /// Talks until the socket is lost; none if nobody wants it any more.
    async fn talk<S>(&mut self, mut socket: S) -> Option<()>
    where
        S: StreamExt<Item = Result<Message, Error>> + SinkExt<Message, Error = Error> + Unpin,
    {
        let (mut heard, mut asked) = (Instant::now(), false);
        loop {
            let quiet = if asked { DEAD } else { SILENT };
            tokio::select! {
                message = socket.next() => {
                    (heard, asked) = (Instant::now(), false);
                    match message {
                        Some(Ok(Message::Text(text))) => self.tell.tell(Heard::Frame(text.as_str().to_owned())),
                        Some(Ok(Message::Close(_)) | Err(_)) | None => return Some(()),
                        Some(Ok(_)) => {}
                    }
                }
                order = self.orders.recv() => match order {
                    Some(Order::Frame(frame)) => {
                        if socket.send(Message::text(frame)).await.is_err() {
                            return Some(());
                        }
                    }
                    // The server keeps it.
                    Some(Order::Record) => {}
                    None => {
                        let _ = tokio::time::timeout(SOON, socket.close()).await;
                        return None;
                    }
                },
                () = sleep((heard + quiet).saturating_duration_since(Instant::now())) => {
                    if asked || socket.send(Message::Ping(Vec::new().into())).await.is_err() {
                        return Some(());
                    }
                    asked = true;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lead_to_a_server_or_a_table() {
        let check = |address: &str| match parts(address) {
            Some((origin, Place::Lobby)) => origin,
            Some((origin, Place::Table(id))) => format!("{origin} {id}"),
            Some((origin, Place::Seat(token))) => format!("{origin} seat {token}"),
            None => "none".to_owned(),
        };
        assert_eq!(check("http://192.168.1.5:7420"), "http://192.168.1.5:7420");
        assert_eq!(check("https://cards.example/"), "https://cards.example");
        assert_eq!(check("HTTP://cards.example/table/abc123?x=1#y"), "http://cards.example abc123");
        assert_eq!(check("https://cards.example/device/t0k"), "https://cards.example seat t0k");
        for other in [
            "cards.example",
            "ftp://cards.example",
            "http://",
            "http://a b/",
            "http://x/rules",
            "http://u@x/",
        ] {
            assert_eq!(check(other), "none", "{other}");
        }
    }
}
