//! Frames that come from sockets, and what a socket is told when it begins to listen.

use super::*;

/// What whoever does not say hello is told.
const HELLO_FIRST: &str = "The first frame must be the hello.";

/// A frame of this protocol whose inmost part is no part of it: a card, a seat or a command that there is not.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StrangeFrame {
    Command {
        id: u32,
        seen: u32,
        #[serde(rename = "command")]
        _command: serde::de::IgnoredAny,
    },
    Act(StrangeAct),
}

/// An act about a seat, with any number for it.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StrangeAct {
    Sit { seat: serde_json::Number },
    Remove { seat: serde_json::Number },
    Bot { seat: serde_json::Number, kind: String },
    Person { seat: serde_json::Number },
}

impl<G: Playable> Core<G> {
    pub(crate) fn receive(&mut self, from: Asker, frame: ToServer<G::Command>) {
        let now = self.now();
        let Some(socket) = self.socket(from) else { return };
        match frame {
            ToServer::Hello(hello) => self.hello(from, &hello),
            _ if !socket.hello => self.part(from, Refusal::slip(HELLO_FIRST), false),
            ToServer::Command { id, seen, command } => self.command(from, id, seen, Ok(command)),
            ToServer::Resync => self.resync(from),
            ToServer::Act(Act::Say(phrase)) => self.say(from, phrase),
            ToServer::Act(act) => self.asked_to(from, act),
            ToServer::Seed(given) => self.seed(from, given),
            ToServer::Pong { nonce } => {
                if let Some((sent_nonce, sent)) = socket.ping
                    && sent_nonce == nonce
                {
                    socket.ping = None;
                    if socket.trips.len() == 8 {
                        socket.trips.pop_front();
                    }
                    socket.trips.push_back(u16::try_from(now - sent).unwrap_or(u16::MAX));
                }
            }
        }
    }

    /// A frame came of which all but the inmost could be read: it speaks of a card or a seat that there is not.
    pub(crate) fn receive_strange(&mut self, from: Asker, frame: StrangeFrame, why: &str) {
        let Some(socket) = self.socket(from) else { return };
        match frame {
            _ if !socket.hello => self.part(from, Refusal::slip(HELLO_FIRST), false),
            StrangeFrame::Command { id, seen, .. } => {
                let text = format!("This is no command of the game that is played here: {why}.");
                let refusal = Refusal::slip(text);
                self.command(from, id, seen, Err(refusal));
            }
            StrangeFrame::Act(act) => {
                let text = format!("There is no such seat: {why}.");
                let frame = serde_json::json!({ "declined": { "act": act, "text": text } });
                self.send(from, frame.to_string().as_bytes());
            }
        }
    }

    /// Says goodbye to a socket.
    pub(super) fn part(&mut self, asker: Asker, why: Refusal, retry: bool) {
        let body = frame(&parting(why, retry));
        if let Some(socket) = self.socket(asker) {
            socket.send(&body);
            socket.outlet.close();
        }
        self.disconnect(asker);
    }

    pub(super) fn hello(&mut self, from: Asker, hello: &wire::Hello) {
        if hello.protocol != PROTOCOL {
            return self.part(from, say!("no_table.version").into(), false);
        }
        let now = self.now();
        let Some(socket) = self.socket(from) else { return };
        if socket.hello {
            return self.part(from, Refusal::slip("There is one hello for each connection."), false);
        }
        socket.hello = true;
        socket.client = hello.client;
        socket.next_ping = now;
        let person = socket.person.clone();
        let viewer = self.viewer_of(person.as_ref());
        if let Some(socket) = self.socket(from) {
            socket.viewer = viewer;
        }
        self.rewant();
        self.greet(from, hello.last);
        self.presence_changed(viewer);
        self.ping(now);
    }

    /// A socket wants a fresh view: it gets one a second, and none while others wait for its line.
    fn resync(&mut self, from: Asker) {
        let now = self.now();
        let Some(socket) = self.socket(from).filter(|s| s.view_due.is_none()) else { return };
        socket.view_due = Some(now.max(socket.resynced + RESYNC));
        self.views(now);
    }

    /// Sends the views that are due.
    pub(super) fn views(&mut self, now: u64) {
        for asker in self.askers(|s| s.view_due.is_some_and(|due| due <= now)) {
            let Some(socket) = self.socket(asker) else { continue };
            if socket.outlet.is_behind() {
                socket.view_due = Some(now + RESYNC);
            } else {
                socket.resynced = now;
                self.greet(asker, None);
            }
        }
    }

    /// Tells a socket who it is and what it needs to follow the match: what it misses, or a fresh view. Whoever has had many
    /// views lately waits for the next.
    pub(super) fn greet(&mut self, to: Asker, last: Option<wire::Last>) {
        let now = self.now();
        let unread = self.play.is_none() && self.playing.is_some();
        let unread = unread && !matches!(self.trouble, Some(Trouble::Log { .. }));
        // What memory holds beyond the log may never have been: whoever comes is greeted once it was read anew.
        let unsure = matches!(self.trouble, Some(Trouble::Storage { .. }))
            && self.play.as_ref().is_some_and(|play| play.ply != self.durable);
        let Some(socket) = self.socket(to).filter(|s| s.hello) else { return };
        if socket.viewed > now + VIEWS_EARLY {
            socket.greeted = false;
            socket.view_due = Some(socket.viewed - VIEWS_EARLY);
            return;
        }
        socket.view_due = None;
        if unsure {
            socket.greeted = false;
            return;
        }
        if unread {
            // There is nothing to be seen before the log is read.
            socket.greeted = false;
            return self.look_up();
        }
        socket.viewed = socket.viewed.max(now) + RESYNC;
        let at = self.at();
        let (game, durable) = (self.game, self.durable);
        let Some(socket) = self.socket(to) else { return };
        let viewer = socket.viewer;
        let person = socket.person.clone();
        let host = person.as_ref().is_some_and(|p| self.is_host(&p.id));
        let state = self.state_for(host);
        let kept_out = person.as_ref().is_some_and(|person| self.keeps_out(&person.id));
        let engine = record::ENGINE.to_owned();
        let mut welcome = Welcome { protocol: PROTOCOL, engine, you: viewer, host, kept_out, game, n: 0 };
        let mut frames = Vec::new();
        let mut head = 0;
        if let Some(play) = &mut self.play {
            head = play.ply;
            let slot = play.slot(viewer);
            welcome.n = play.n[usize::from(slot)];
            let n = play.n[usize::from(slot)];
            let same = last.filter(|l| (l.game, l.viewer) == (game, ViewerKey::from(viewer)) && l.n <= n);
            // What it misses, where all of that is durable and still at hand.
            let missed: Option<Vec<Vec<u8>>> = same.filter(|_| head == durable).and_then(|last| {
                let mut next = last.n + 1;
                let mut bodies = Vec::new();
                for frame in self.recent.iter().filter(|f| f.slot == slot && f.last > last.n) {
                    if frame.first > next {
                        return None;
                    }
                    next = frame.last + 1;
                    bodies.push(frame.body.to_vec());
                }
                (next == n + 1).then_some(bodies)
            });
            match missed {
                Some(bodies) => frames.extend(bodies),
                None => {
                    frames.push(view_frame(game, n, at, &play.view(viewer)));
                }
            }
            for deal in play.seeds.iter().filter(|d| !d.settled) {
                frames.push(seed_frame(SeedCall::Committed { game, deal: deal.deal, hash: deal.hash }));
                if deal.closed {
                    frames.push(open_frame(game, deal));
                }
            }
        }
        if let Some(socket) = self.socket(to) {
            socket.greeted = false;
            socket.from = head;
        }
        let (welcome, state) = (frame(&ToClient::Welcome(welcome)), frame(&ToClient::Table(state)));
        self.then(Then::Greet { to, welcome, state, frames });
    }

    pub(super) fn say(&mut self, from: Asker, phrase: Phrase) {
        let now = self.now();
        let Some(socket) = self.socket(from) else { return };
        let Viewer::Seat(seat) = socket.viewer else { return };
        if now.saturating_sub(socket.said) >= SAY || socket.said == 0 {
            socket.said = now.max(1);
            let body = frame(&ToClient::Said { seat, phrase });
            self.all(&body);
        }
    }
}

/// The frame of a view that is written already.
fn view_frame(game: u32, n: u32, at: Millis, view: &str) -> Vec<u8> {
    let without: ToClient<(), (), ()> = ToClient::View { game, n, at, view: () };
    let mut frame = serde_json::to_vec(&without).expect("numbers are plain data");
    // It stands last.
    frame.truncate(frame.len() - b"null}}".len());
    frame.extend_from_slice(view.as_bytes());
    frame.extend_from_slice(b"}}");
    frame
}
