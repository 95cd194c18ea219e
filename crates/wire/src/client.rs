//! The client's side of the protocol as a state machine without I/O: frames in; frames and changes out.
//!
//! Whoever drives it owns the socket and the clock. It tells the machine when the socket opens and closes and hands in
//! each frame; it sends what [`Client::next_frame`] gives and shows what [`Client::next_change`] gives. The machine keeps
//! the view, sees gaps in the numbering and asks for a fresh view, keeps commands until they are answered and sends them
//! again, with the same number, after a reconnect.

use crate::{
    Act, Answer, Hello, Last, LostClaim, PROTOCOL, Paused, Phrase, SeedCall, SeedGiven, TableState, ToClient,
    ToServer, ViewerKey, Welcome,
};
use game::{Millis, Say, Seat, SeatSet, View, Viewer};
use record::fair::{Bytes32, commitment};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::VecDeque;
use std::sync::Arc;

/// A frame for the server of a game with the view `V`.
pub type ToServerOf<V> = ToServer<<V as View>::Command>;
/// A frame for a client of such a game. Which command lost a race need not be known to tell whose it was.
pub type ToClientOf<V> = ToClient<V, <V as View>::Notice, IgnoredAny>;

/// Something that whoever shows the match should know.
#[derive(Clone, Debug)]
pub enum Change<V: View> {
    /// The server answered the hello, or the person's place at the table changed.
    Welcome(Welcome),
    /// How things stand at the table changed.
    Table,
    /// The view was replaced: a match began, or the client had fallen behind. Nothing to animate.
    View,
    /// The viewer learnt something; the view has taken it in already.
    Notice {
        /// Its number.
        n: u32,
        /// Match time.
        at: Millis,
        /// What.
        notice: V::Notice,
    },
    /// Claims that came in the same hold as the one just told of, and lost to it.
    Lost(Vec<LostClaim<IgnoredAny>>),
    /// A command was answered.
    Verdict {
        /// Its number.
        id: u32,
        /// The command.
        command: V::Command,
        /// The answer.
        answer: Answer,
    },
    /// A command will never be answered, because the match or the seat it was for is gone.
    Dropped {
        /// Its number.
        id: u32,
        /// The command.
        command: V::Command,
    },
    /// Somebody said something.
    Said {
        /// Who.
        seat: Seat,
        /// What.
        phrase: Phrase,
    },
    /// An act about the table was not done.
    Declined {
        /// Which.
        act: Act,
        /// Why, in English.
        text: String,
        /// The same, to be said in any language.
        say: Say,
    },
    /// The server has less of the match than this client had followed: something that it had told was lost.
    Behind {
        /// Number of the last notice this client had.
        had: u32,
        /// Number of the last one the server has; 0 if not even the match is the same.
        has: u32,
    },
    /// The server's seed of a deal did not fit what it had bound itself to: the deal was not fair.
    Unfair {
        /// Which deal.
        deal: u16,
    },
    /// A deal goes on without this device's seed, which stays closed: the server did not write down that it was bound to it.
    LeftOut {
        /// Which deal.
        deal: u16,
        /// Whether the seat is bound to another seed, such as that of another device of this person.
        other: bool,
    },
    /// The server will not talk on; it closes the connection.
    Error {
        /// Why, in one sentence.
        text: String,
        /// The same, to be said in any language.
        say: Say,
        /// Whether to try again later.
        retry: bool,
    },
}

#[derive(Clone, Debug)]
struct Pending<C> {
    id: u32,
    seen: u32,
    command: C,
}

/// What a client is known by, and what it has heard: with it another one goes on in its place, such as that of the page that comes after
/// one which was left. It holds the secret that its seeds are made of, and is for nobody but the person whose client it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keepsake {
    number: u32,
    secret: Bytes32,
    next_id: u32,
    server_hashes: Vec<(u32, u16, Bytes32)>,
    heard: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Link {
    Down,
    Greeted,
    Up,
}

/// The machine. `V` is the view of the game; the truth of the match is not in it.
#[derive(Clone, Debug)]
pub struct Client<V: View> {
    number: u32,
    secret: [u8; 32],
    link: Link,
    welcome: Option<Welcome>,
    table: Option<TableState>,
    game: u32,
    n: u32,
    viewer: Viewer,
    view: Option<Arc<V>>,
    resyncing: bool,
    next_id: u32,
    pending: VecDeque<Pending<V::Command>>,
    server_hashes: Vec<(u32, u16, Bytes32)>,
    clock: Option<(Millis, f64, bool)>,
    frames: VecDeque<ToServerOf<V>>,
    changes: VecDeque<Change<V>>,
    goes_on: bool,
}

impl<V> Client<V>
where
    V: View<Command: Clone, Notice: DeserializeOwned> + DeserializeOwned,
{
    /// A client that has seen nothing yet. `number` tells it from the other clients of the same person and `secret` is
    /// what its seeds for fair deals are made of; both are drawn at random by the caller when the client is loaded.
    #[must_use]
    pub fn new(number: u32, secret: [u8; 32]) -> Client<V> {
        Client {
            number,
            secret,
            link: Link::Down,
            welcome: None,
            table: None,
            game: 0,
            n: 0,
            viewer: Viewer::Table,
            view: None,
            resyncing: false,
            next_id: 1,
            pending: VecDeque::new(),
            server_hashes: Vec::new(),
            clock: None,
            frames: VecDeque::new(),
            changes: VecDeque::new(),
            goes_on: false,
        }
    }

    /// A client that goes on in the place of the one whose keepsake this is: it knows what that one had heard, also what the server is bound
    /// to, and counts its commands on. `now` is the caller's clock, as in [`Client::receive_text`]. A frame that it cannot read is
    /// passed over: whatever is missing comes after the next welcome.
    #[must_use]
    pub fn in_place_of(kept: Keepsake, now: f64) -> Client<V> {
        let Keepsake { number, secret, next_id, server_hashes, heard } = kept;
        let mut client = Client { next_id, server_hashes, ..Client::new(number, secret.0) };
        for frame in heard {
            let _ = client.receive_text(&frame, now);
        }
        // What was said of that one's line, and what it would have answered there, is over with the line.
        client.frames.clear();
        client.changes.retain(|change| !matches!(change, Change::Error { .. }));
        client
    }

    /// What another client goes on with in the place of this one, which has heard these frames.
    #[must_use]
    pub fn keepsake(&self, heard: Vec<String>) -> Keepsake {
        Keepsake {
            number: self.number,
            secret: Bytes32(self.secret),
            next_id: self.next_id,
            server_hashes: self.server_hashes.clone(),
            heard,
        }
    }

    /// Whether it goes on by itself between two rounds ([`Act::GoOn`]), for who reads no summary; it does not unless told to.
    pub fn go_on_by_itself(&mut self, does: bool) {
        self.goes_on = does;
    }

    /// The socket is open: the hello is the next frame.
    pub fn opened(&mut self) {
        self.link = Link::Greeted;
        self.resyncing = false;
        self.frames.clear();
        let last =
            self.view.is_some().then(|| Last { game: self.game, n: self.n, viewer: self.viewer.into() });
        self.frames.push_back(ToServer::Hello(Hello { protocol: PROTOCOL, client: self.number, last }));
    }

    /// The socket is closed. What was not answered is kept and sent again after the next welcome.
    pub fn closed(&mut self) {
        self.link = Link::Down;
        self.frames.clear();
    }

    /// The next frame to send, if any.
    pub fn next_frame(&mut self) -> Option<ToServerOf<V>> {
        self.frames.pop_front()
    }

    /// The next thing to show, if any.
    pub fn next_change(&mut self) -> Option<Change<V>> {
        self.changes.pop_front()
    }

    /// Takes in a frame as text. `now` is the caller's clock in milliseconds, any origin.
    ///
    /// # Errors
    /// If it is no frame of this protocol; nothing has changed then.
    pub fn receive_text(&mut self, text: &str, now: f64) -> Result<(), crate::json::Error> {
        self.receive(crate::json::from_str(text)?, now);
        Ok(())
    }

    /// Takes in a frame. `now` is the caller's clock in milliseconds, any origin.
    pub fn receive(&mut self, frame: ToClientOf<V>, now: f64) {
        match frame {
            ToClient::Welcome(welcome) => self.welcomed(welcome),
            ToClient::Table(table) => {
                let runs = table.stage == crate::Stage::Playing && table.paused.is_none();
                self.clock = Some((table.at, now, runs));
                let mine = |seats: SeatSet| matches!(self.viewer, Viewer::Seat(seat) if seats.has(seat));
                if matches!(table.paused, Some(Paused::Round { waits_for }) if self.goes_on && mine(waits_for))
                {
                    self.act(Act::GoOn);
                }
                self.table = Some(table);
                self.changes.push_back(Change::Table);
            }
            ToClient::View { game, n, at, view } => {
                self.game = game;
                self.n = n;
                self.view = Some(Arc::new(view));
                self.resyncing = false;
                self.tick(at, now);
                self.changes.push_back(Change::View);
            }
            ToClient::Notices { n, at, list, lost } => self.noticed(n, at, list, lost, now),
            ToClient::Verdict { id, at, answer } => {
                self.tick(at, now);
                if let Some(place) = self.pending.iter().position(|p| p.id == id) {
                    let command = self.pending.remove(place).expect("it was just found").command;
                    self.changes.push_back(Change::Verdict { id, command, answer });
                }
            }
            ToClient::Ping { nonce } => self.frames.push_back(ToServer::Pong { nonce }),
            ToClient::Seed(call) => self.seed(call),
            ToClient::Said { seat, phrase } => self.changes.push_back(Change::Said { seat, phrase }),
            ToClient::Declined { act, text, say } => {
                self.changes.push_back(Change::Declined { act, text, say });
            }
            ToClient::Error { text, say, retry } => {
                self.changes.push_back(Change::Error { text, say, retry });
            }
        }
    }

    fn welcomed(&mut self, welcome: Welcome) {
        let same = welcome.game == self.game && welcome.you == self.viewer;
        if self.link == Link::Greeted && self.view.is_some() {
            if welcome.game < self.game {
                self.changes.push_back(Change::Behind { had: self.n, has: 0 });
            } else if same && welcome.n < self.n {
                self.changes.push_back(Change::Behind { had: self.n, has: welcome.n });
            }
        }
        if !same {
            // What was meant for another match or another seat must not count in this one.
            for lost in self.pending.drain(..) {
                self.changes.push_back(Change::Dropped { id: lost.id, command: lost.command });
            }
            self.view = None;
            self.n = 0;
        }
        self.game = welcome.game;
        self.viewer = welcome.you;
        if self.link == Link::Greeted {
            self.link = Link::Up;
            for p in &self.pending {
                self.frames.push_back(ToServer::Command {
                    id: p.id,
                    seen: p.seen,
                    command: p.command.clone(),
                });
            }
        }
        self.changes.push_back(Change::Welcome(welcome.clone()));
        self.welcome = Some(welcome);
    }

    fn noticed(
        &mut self,
        n: u32,
        at: Millis,
        list: Vec<V::Notice>,
        lost: Vec<LostClaim<IgnoredAny>>,
        now: f64,
    ) {
        if self.resyncing {
            return;
        }
        if n > self.n + 1 {
            return self.resync();
        }
        // Whoever shows the view has a share in it: it is copied once, and not at all where nobody has.
        let Some(view) = self.view.as_mut().map(Arc::make_mut) else { return self.resync() };
        let known = (self.n + 1 - n) as usize;
        for notice in list.into_iter().skip(known) {
            view.observe(&notice);
            self.n += 1;
            self.changes.push_back(Change::Notice { n: self.n, at, notice });
        }
        if !lost.is_empty() && known == 0 {
            self.changes.push_back(Change::Lost(lost));
        }
        self.tick(at, now);
    }

    fn resync(&mut self) {
        if !self.resyncing && self.link == Link::Up {
            self.resyncing = true;
            self.frames.push_back(ToServer::Resync);
        }
    }

    fn tick(&mut self, at: Millis, now: f64) {
        let runs = self.clock.is_none_or(|(_, _, runs)| runs);
        if self.clock(now) < at || !runs {
            self.clock = Some((at, now, runs));
        }
    }

    /// Asks for something that is answered at once: whoever doubts the socket hears whether it is there.
    pub fn probe(&mut self) {
        if self.link == Link::Up {
            self.frames.push_back(ToServer::Resync);
        }
    }

    fn seed(&mut self, call: SeedCall) {
        match call {
            SeedCall::Committed { game, deal, hash } => {
                // A match that is over is not dealt again: our seeds for it are known.
                if self.server_hashes.iter().any(|(g, ..)| *g > game) {
                    return;
                }
                self.server_hashes.retain(|(g, ..)| *g == game);
                match self.server_hashes.iter().find(|(_, d, _)| *d == deal) {
                    None => self.server_hashes.push((game, deal, hash)),
                    // Bound once is bound: what it would like better now, knowing our seed, does not count.
                    Some((.., first)) if *first != hash => {
                        self.changes.push_back(Change::Unfair { deal });
                        return;
                    }
                    Some(_) => {}
                }
                if let Viewer::Seat(_) = self.viewer {
                    let hash = commitment(&self.seed_of(game, deal));
                    self.frames.push_back(ToServer::Seed(SeedGiven::Commit { game, deal, hash }));
                }
            }
            SeedCall::Open { game, deal, bound, .. } => {
                let Viewer::Seat(seat) = self.viewer else { return };
                let seed = self.seed_of(game, deal);
                let own = bound.get(seat.index()).copied().flatten();
                // Never before the server is bound: else it could choose its seed by ours. And never a seed that is not
                // written down: else it could leave ours out and nobody would know.
                let server = self.server_hashes.iter().any(|(g, d, _)| (*g, *d) == (game, deal));
                if own != Some(commitment(&seed)) {
                    self.changes.push_back(Change::LeftOut { deal, other: own.is_some() });
                } else if server {
                    self.frames.push_back(ToServer::Seed(SeedGiven::Open { game, deal, seed }));
                }
            }
            SeedCall::Revealed { game, deal, seed } => {
                let bound = self.server_hashes.iter().find(|(g, d, _)| (*g, *d) == (game, deal));
                if bound.is_some_and(|(_, _, hash)| *hash != commitment(&seed)) {
                    self.changes.push_back(Change::Unfair { deal });
                }
            }
        }
    }

    fn seed_of(&self, game: u32, deal: u16) -> Bytes32 {
        let mut hash = Sha256::new_with_prefix(self.secret);
        hash.update(game.to_be_bytes());
        hash.update(deal.to_be_bytes());
        Bytes32(hash.finalize().into())
    }

    /// Acts for the person's seat and gives the number of the command. It is sent at once, or after the next welcome if
    /// the socket is closed; [`Change::Verdict`] brings the answer.
    pub fn command(&mut self, command: V::Command) -> u32 {
        let id = self.next_id;
        self.next_id += 1;
        let p = Pending { id, seen: self.n, command };
        if self.link == Link::Up {
            self.frames.push_back(ToServer::Command { id, seen: p.seen, command: p.command.clone() });
        }
        self.pending.push_back(p);
        id
    }

    /// Does something about the table. Without a connection it is forgotten.
    pub fn act(&mut self, act: Act) {
        if self.link == Link::Up {
            self.frames.push_back(ToServer::Act(act));
        }
    }

    /// What the viewer knows of the match; none before there is one.
    #[must_use]
    pub fn view(&self) -> Option<&V> {
        self.view.as_deref()
    }

    /// A share in the view as it is now, for whoever shows it.
    #[must_use]
    pub fn share(&self) -> Option<Arc<V>> {
        self.view.clone()
    }

    /// Number of the last notice that the view has taken in.
    #[must_use]
    pub fn seen(&self) -> u32 {
        self.n
    }

    /// Which match at this table is followed, from 1; 0 before the first.
    #[must_use]
    pub fn game(&self) -> u32 {
        self.game
    }

    /// Whose eyes the person sees with.
    #[must_use]
    pub fn viewer(&self) -> Viewer {
        self.viewer
    }

    /// The last welcome.
    #[must_use]
    pub fn welcome(&self) -> Option<&Welcome> {
        self.welcome.as_ref()
    }

    /// How things stand at the table, as far as is known.
    #[must_use]
    pub fn table(&self) -> Option<&TableState> {
        self.table.as_ref()
    }

    /// Commands that are not answered yet, oldest first.
    pub fn unanswered(&self) -> impl Iterator<Item = (u32, &V::Command)> {
        self.pending.iter().map(|p| (p.id, &p.command))
    }

    /// Whether the server has answered the hello of this connection.
    #[must_use]
    pub fn is_up(&self) -> bool {
        self.link == Link::Up
    }

    /// Match time at `now` of the caller's clock, as well as it is known here: a little behind the server's.
    #[must_use]
    pub fn clock(&self, now: f64) -> Millis {
        match self.clock {
            Some((at, then, true)) => at.after((now - then).max(0.0) as u32),
            Some((at, _, false)) => at,
            None => Millis(0),
        }
    }

    /// What this client would say it has, in the hello of its next connection.
    #[must_use]
    pub fn last(&self) -> Option<Last> {
        self.view.as_ref().map(|_| Last { game: self.game, n: self.n, viewer: ViewerKey::from(self.viewer) })
    }
}
