//! One table: its players' sockets, and the matches they play.

use crate::http::{self, Http};
use crate::{Failure, Plan, Tally, Told};
use bots::Bot;
use futures_util::{SinkExt, Stream};
use game::chance::SplitMix;
use game::{Seat, View as _};
use rulebook::View;
use serde_json::json;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};
use wire::api::{Me, NewTable, TableMade};
use wire::client::{Change, Client};
use wire::{Act, Answer, Stage};

/// How long the server may take over anything.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long players wait for what comes by itself before they look again.
const LOOK_AGAIN: Duration = Duration::from_millis(20);
/// What every player gets, comes this soon after the answer to the command.
const LATER: Duration = Duration::from_secs(1);
/// Bytes that a socket's buffers begin with: ten thousand sockets are held here.
const BUFFER: usize = 4 * 1024;

struct Player {
    socket: WebSocketStream<TcpStream>,
    client: Client<View>,
    bot: Box<dyn Bot<View>>,
    chance: SplitMix,
    /// The last answer to a command.
    answer: Option<(u32, Answer)>,
    open: bool,
}

/// A table and its players.
pub struct Table {
    plan: Arc<Plan>,
    id: String,
    /// That of the first player.
    cookie: String,
    players: Vec<Player>,
    since: Instant,
    tally: Tally,
}

impl Table {
    /// Makes the guests and the table, opens the sockets, and starts the first match.
    pub async fn open(plan: Arc<Plan>, number: usize) -> Result<Table, Failure> {
        let mut http = Http::connect(&plan).await?;
        let mut cookies = Vec::new();
        for player in 0..plan.players {
            let name = json!({ "name": format!("Player {}.{}", number + 1, player + 1) });
            let (_, cookie): (Me, _) = http.ask("a guest", "PUT", "/api/me", None, &name).await?;
            cookies.push(cookie.ok_or_else(|| Failure::Odd("no cookie came with a guest's name".into()))?);
        }
        let new = NewTable {
            options: plan.options.clone(),
            ..NewTable::private(plan.game.clone(), plan.seats, Vec::new())
        };
        let (made, _): (TableMade, _) =
            http.ask("a table", "POST", "/api/tables", cookies.first().map(String::as_str), &new).await?;
        let mut table = Table {
            players: Vec::new(),
            since: Instant::now(),
            tally: Tally::default(),
            id: made.id.clone(),
            cookie: cookies.first().cloned().unwrap_or_default(),
            plan,
        };
        for (cookie, seat) in cookies.iter().zip(0..) {
            let id = 64 * number as u64 + u64::from(seat);
            let player = Player::come(&table.plan, &made.id, cookie, id).await?;
            table.players.push(player);
            table
                .until("the table shows", |table| table.players.iter().all(|p| p.client.table().is_some()))
                .await?;
            if seat > 0 {
                table.act(usize::from(seat), Act::Sit { seat: Seat(seat) }).await;
            }
        }
        for seat in table.plan.players..table.plan.seats {
            let kind = table.plan.bot.clone();
            table.act(0, Act::Bot { seat: Seat(seat), kind }).await;
        }
        table.start().await?;
        Ok(table)
    }

    /// Its id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Its id, and the cookie of somebody who plays there.
    pub fn door(&self) -> (String, String) {
        (self.id.clone(), self.cookie.clone())
    }

    fn now(&self) -> f64 {
        self.since.elapsed().as_secs_f64() * 1000.0
    }

    /// Takes in the next frame that comes to any player; whether one came before `until`.
    async fn next(&mut self, until: Instant) -> bool {
        let players = &mut self.players;
        let coming = std::future::poll_fn(|context| {
            for (place, player) in players.iter_mut().enumerate().filter(|(_, player)| player.open) {
                if let Poll::Ready(message) = Pin::new(&mut player.socket).poll_next(context) {
                    return Poll::Ready((place, message));
                }
            }
            Poll::Pending
        });
        let Ok((place, message)) = tokio::time::timeout_at(until.into(), coming).await else { return false };
        let now = self.now();
        let player = &mut self.players[place];
        match message {
            Some(Ok(Message::Text(text))) => {
                if let Err(error) = player.client.receive_text(&text, now) {
                    self.tally.error(format!("a frame that is not of the protocol: {error}"));
                }
            }
            Some(Ok(Message::Close(_)) | Err(_)) | None => {
                player.open = false;
                self.tally.error("a socket was closed");
            }
            Some(Ok(_)) => {}
        }
        while let Some(change) = player.client.next_change() {
            match change {
                Change::Verdict { id, answer, .. } => player.answer = Some((id, answer)),
                Change::Declined { text, .. } => self.tally.error(format!("declined: {text}")),
                Change::Error { text, .. } => self.tally.error(format!("the server said: {text}")),
                Change::Behind { .. } => self.tally.error("the server had lost something"),
                Change::Unfair { .. } => self.tally.error("a deal was not fair"),
                _ => {}
            }
        }
        player.send().await;
        true
    }

    async fn until(&mut self, what: &str, mut holds: impl FnMut(&Table) -> bool) -> Result<(), Failure> {
        let end = Instant::now() + PATIENCE;
        while !holds(self) {
            if !self.next(end).await {
                let said = self.tally.errors.keys().next().map_or("", String::as_str);
                return Err(Failure::Odd(format!("not in time: {what}. {said}")));
            }
        }
        Ok(())
    }

    async fn act(&mut self, place: usize, act: Act) {
        self.players[place].client.act(act);
        self.players[place].send().await;
    }

    fn stage(&self) -> Option<Stage> {
        self.players[0].client.table().map(|table| table.stage)
    }

    /// Starts a match: all are seated.
    async fn start(&mut self) -> Result<(), Failure> {
        let players = self.players.len();
        self.until("everybody sits", |table| {
            table.players.iter().all(|p| matches!(p.client.viewer(), game::Viewer::Seat(_)))
        })
        .await?;
        for place in 0..players {
            self.act(place, Act::Ready { ready: true }).await;
        }
        self.until("everybody is ready", |table| {
            let state = table.players[0].client.table();
            state.is_some_and(|state| state.seats.iter().all(|seat| seat.ready))
        })
        .await?;
        self.act(0, Act::Start).await;
        self.until("the match begins", |table| {
            table.stage() == Some(Stage::Playing) && table.players.iter().all(|p| p.client.view().is_some())
        })
        .await
    }

    /// Answers what the server asks, and does nothing else, until then.
    pub async fn attend(&mut self, until: Instant) {
        while self.next(until).await && self.players.iter().any(|player| player.open) {}
        tokio::time::sleep_until(until.into()).await;
    }

    /// Plays from `begun` to `end`, match after match.
    pub async fn play(mut self, begun: Instant, end: Instant, stop: Arc<AtomicBool>) -> Tally {
        self.tally = Tally::default();
        let pace = self.plan.rate.map(|rate| Duration::from_secs_f64(self.plan.tables as f64 / rate));
        let mut turn = 0;
        let mut due = begun;
        if let Some(pace) = pace {
            // Not all tables at the same moment.
            due += pace.mul_f64(f64::from(self.players[0].chance.bits() as u32) / f64::from(u32::MAX));
        }
        while Instant::now() < end && !stop.load(Ordering::Relaxed) && self.players.iter().all(|p| p.open) {
            if self.plan.idle {
                self.attend(end.min(Instant::now() + Duration::from_millis(500))).await;
                continue;
            }
            if self.stage() == Some(Stage::Over) {
                self.tally.games += 1;
                self.act(0, Act::Rematch).await;
                let begun = match self.until("a rematch", |t| t.stage() == Some(Stage::Lobby)).await {
                    Ok(()) => self.start().await,
                    late => late,
                };
                if let Err(error) = begun {
                    self.tally.error(error.to_string());
                    break;
                }
            }
            if let Some(pace) = pace {
                self.attend(due.min(end)).await;
                due += pace;
            }
            if !self.make_a_move(&mut turn, begun, end).await {
                self.next(end.min(Instant::now() + LOOK_AGAIN)).await;
            }
        }
        self.tally
    }

    /// The next player who means to do something does it; false if nobody does. The move counts if all is done before
    /// `end`.
    async fn make_a_move(&mut self, turn: &mut usize, begun: Instant, end: Instant) -> bool {
        let now = self.now();
        let count = self.players.len();
        let chosen = (0..count).map(|step| (*turn + step) % count).find_map(|place| {
            let player = &mut self.players[place];
            let at = player.client.clock(now);
            let view = player.client.view().filter(|view| view.outcome().is_none())?;
            let thought = player.bot.think(view, at, &mut player.chance)?;
            Some((place, thought.command))
        });
        let Some((place, command)) = chosen else { return false };
        *turn = place + 1;
        let seen: Vec<(u32, u32)> = self.players.iter().map(|p| (p.client.game(), p.client.seen())).collect();
        let sent = Instant::now();
        let id = self.players[place].client.command(command);
        self.players[place].send().await;
        let micros = || u32::try_from(sent.elapsed().as_micros()).unwrap_or(u32::MAX);
        let answered = |table: &Table| {
            let answer = table.players[place].answer.as_ref();
            answer.filter(|(answered, _)| *answered == id).map(|(_, answer)| answer.clone())
        };
        let told = |table: &Table| {
            let mut players = table.players.iter().zip(&seen);
            players.all(|(p, before)| (p.client.game(), p.client.seen()) != *before)
        };
        let (mut answer, mut known) = (None, None);
        let mut until = Instant::now() + PATIENCE;
        while answer.is_none() || known.is_none() {
            if !self.next(until).await {
                break;
            }
            if !self.players.iter().all(|p| p.open) {
                return true;
            }
            if known.is_none() && told(self) {
                known = Some(micros());
            }
            if answer.is_none()
                && let Some(given) = answered(self)
            {
                if given != Answer::Done {
                    answer = Some((given, micros()));
                    break;
                }
                answer = Some((given, micros()));
                // Some moves are seen by their player alone.
                until = Instant::now() + LATER;
            }
        }
        match answer {
            None => self.tally.error("a command was not answered"),
            Some(_) if Instant::now() > end => {}
            Some((Answer::Done, micros)) => {
                self.tally.moves += 1;
                self.tally.answered.push(micros);
                let at = u32::try_from((sent - begun).as_millis()).unwrap_or(u32::MAX);
                self.tally.told.extend(known.map(|micros| Told { at, micros }));
            }
            Some((Answer::Refused(_) | Answer::Dropped { .. }, _)) => self.tally.refused += 1,
            Some((Answer::NotNow { text, .. }, _)) => self.tally.error(format!("not judged: {text}")),
            Some((Answer::Answered, _)) => self.tally.error("answered before"),
        }
        true
    }
}

impl Player {
    /// Opens a socket of the table for the guest with this cookie.
    async fn come(plan: &Plan, table: &str, cookie: &str, id: u64) -> Result<Player, Failure> {
        let odd =
            |error: &dyn std::fmt::Display| Failure::Odd(format!("a socket could not be opened: {error}"));
        let mut request = format!("ws://{}/ws/table/{table}", plan.host)
            .into_client_request()
            .map_err(|error| odd(&error))?;
        let value = cookie.parse().map_err(|_| odd(&"the cookie cannot be sent back"))?;
        request.headers_mut().insert("cookie", value);
        let stream = TcpStream::connect(plan.server)
            .await
            .map_err(|error| Failure::Unreachable { server: plan.server, why: error.to_string() })?;
        // A move is small and somebody waits for it.
        stream.set_nodelay(true).map_err(|error| odd(&error))?;
        let config = WebSocketConfig::default().read_buffer_size(BUFFER).write_buffer_size(BUFFER);
        let (socket, _) = tokio_tungstenite::client_async_with_config(request, stream, Some(config))
            .await
            .map_err(|error| match error {
                Error::Http(answer) => http::refused("a socket", answer.status().as_u16()),
                Error::Io(error) => http::broke("a socket", &error),
                Error::Protocol(ProtocolError::HandshakeIncomplete) => {
                    http::broke("a socket", &std::io::ErrorKind::UnexpectedEof.into())
                }
                error => odd(&error),
            })?;
        let mut secret = [0; 32];
        getrandom::fill(&mut secret).map_err(|error| odd(&error))?;
        let mut client = Client::new(id as u32 + 1, secret);
        client.go_on_by_itself(true);
        client.opened();
        let bot = bots::make(&plan.bot, &plan.rules)
            .ok_or_else(|| Failure::Plan(format!("there is no bot `{}` for this game", plan.bot)))?;
        let chance = SplitMix(plan.seed ^ (id + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut player = Player { socket, client, bot, chance, answer: None, open: true };
        player.send().await;
        Ok(player)
    }

    /// Sends what there is to send. A socket that takes nothing is seen to be closed when it is read.
    async fn send(&mut self) {
        let mut any = false;
        while let Some(frame) = self.client.next_frame() {
            let text = serde_json::to_string(&frame).expect("frames are plain data");
            let _ = self.socket.feed(Message::text(text)).await;
            any = true;
        }
        if any {
            let _ = self.socket.flush().await;
        }
    }
}
