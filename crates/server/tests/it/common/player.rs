//! Somebody who plays over a socket, with the client that the browser uses.

use super::{Guest, PATIENCE, Server, Socket};
use game::chance::SplitMix;
use game::{Chance, Seat, View};
use std::time::{Duration, Instant};
use wire::client::{Change, Client, ToServerOf};
use wire::{Act, Answer, SeedGiven, ToServer};

pub struct Player<'a> {
    pub guest: Guest<'a>,
    pub client: Client<rulebook::View>,
    pub changes: Vec<Change<rulebook::View>>,
    /// Who decides what to do; chance where nobody does.
    pub brain: Option<Box<dyn bots::Bot<rulebook::View>>>,
    /// Whether it keeps its seeds to itself when it is time to open them.
    pub withholds: bool,
    pub table: String,
    socket: Socket,
    chance: SplitMix,
    since: Instant,
}

/// Somebody whose connection is lost.
pub struct Away {
    cookie: String,
    client: Client<rulebook::View>,
    brain: Option<Box<dyn bots::Bot<rulebook::View>>>,
    withholds: bool,
    table: String,
    chance: SplitMix,
    since: Instant,
}

impl Away {
    /// Comes back to where it was, perhaps to a server that was started again. As the page does, it comes once more where its
    /// line breaks before it is greeted, as it does while a table moves from one node to another.
    pub async fn come_back(self, server: &Server) -> Player<'_> {
        let Away { cookie, client, brain, withholds, table, chance, since } = self;
        let guest = Guest { server, cookie };
        let deadline = Instant::now() + PATIENCE;
        let socket = guest.socket_by(&table, deadline).await;
        let mut player =
            Player { guest, client, changes: vec![], brain, withholds, table, socket, chance, since };
        loop {
            player.client.closed();
            player.client.opened();
            while !player.client.is_up() {
                player.send().await;
                let Some(text) = player.socket.next().await else { break };
                player.take_in(&text);
            }
            if player.client.is_up() {
                player.send().await;
                return player;
            }
            assert!(Instant::now() < deadline, "nobody is greeted; {:?}", player.changes.last());
            tokio::time::sleep(Duration::from_millis(50)).await;
            player.socket = player.guest.socket_by(&player.table, deadline).await;
        }
    }
}

impl<'a> Player<'a> {
    /// Comes to a table.
    pub async fn come(server: &'a Server, name: &str, table: &str, number: u32) -> Player<'a> {
        Player::with(server.guest(name).await, table, number).await
    }

    pub async fn with(guest: Guest<'a>, table: &str, number: u32) -> Player<'a> {
        let socket = guest.socket(table).await;
        let mut client = Client::new(number, [number as u8; 32]);
        client.go_on_by_itself(true);
        client.opened();
        let mut player = Player {
            guest,
            client,
            changes: vec![],
            brain: None,
            withholds: false,
            table: table.to_owned(),
            socket,
            chance: SplitMix(u64::from(number)),
            since: Instant::now(),
        };
        player.until("the table shows", |client| client.table().is_some()).await;
        player
    }

    /// Loses the connection and comes back to where it was, perhaps to a server that was started again.
    pub async fn come_back<'b>(self, server: &'b Server) -> Player<'b> {
        self.leave().come_back(server).await
    }

    /// Reads until the table closes the connection, and says this.
    pub async fn until_parted(mut self, says: &str) {
        let mut last = String::new();
        while let Some(text) = self.socket.next().await {
            last = text;
        }
        assert!(last.contains(says), "parted with: {last}");
    }

    /// Loses the connection.
    pub fn leave(self) -> Away {
        let Player { guest, client, brain, withholds, table, chance, since, .. } = self;
        Away { cookie: guest.cookie, client, brain, withholds, table, chance, since }
    }

    fn now(&self) -> f64 {
        self.since.elapsed().as_secs_f64() * 1000.0
    }

    /// Sends what there is to send, and takes in what comes within `wait`.
    pub async fn pump(&mut self, wait: Duration) {
        self.send().await;
        if let Ok(text) = tokio::time::timeout(wait, self.socket.next()).await {
            let text = text.unwrap_or_else(|| panic!("the socket was closed; {:?}", self.changes.last()));
            self.take_in(&text);
        }
        self.send().await;
    }

    fn take_in(&mut self, text: &str) {
        self.client.receive_text(text, self.now()).expect("a frame");
        while let Some(change) = self.client.next_change() {
            self.changes.push(change);
        }
    }

    async fn send(&mut self) {
        while let Some(frame) = self.client.next_frame() {
            let opening: &ToServerOf<rulebook::View> = &frame;
            if !(self.withholds && matches!(opening, ToServer::Seed(SeedGiven::Open { .. }))) {
                self.socket.send(serde_json::to_string(&frame).expect("plain data")).await;
            }
        }
    }

    pub async fn until(&mut self, what: &str, holds: impl Fn(&Client<rulebook::View>) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !holds(&self.client) {
            assert!(Instant::now() < deadline, "not in time: {what}; {:?}", self.changes.last());
            self.pump(Duration::from_millis(100)).await;
        }
    }

    pub async fn act(&mut self, act: Act) {
        self.client.act(act);
        self.pump(Duration::from_millis(50)).await;
    }

    pub async fn sit(&mut self, seat: u8) {
        self.act(Act::Sit { seat: Seat(seat) }).await;
        self.until("seated", |client| client.viewer() == game::Viewer::Seat(Seat(seat))).await;
    }

    /// Gives a command, and waits for its answer.
    pub async fn command(&mut self, command: rulebook::Command) -> Answer {
        let id = self.client.command(command);
        let deadline = Instant::now() + PATIENCE;
        loop {
            self.pump(Duration::from_millis(100)).await;
            let verdict = self.changes.iter().find_map(|change| match change {
                Change::Verdict { id: answered, answer, .. } if *answered == id => Some(answer.clone()),
                _ => None,
            });
            if let Some(answer) = verdict {
                return answer;
            }
            assert!(Instant::now() < deadline, "command {id} was not answered");
        }
    }

    /// Anything that it may do now, if there is something.
    async fn choose(&mut self) -> Option<rulebook::Command> {
        self.pump(Duration::from_millis(30)).await;
        let at = self.client.clock(self.now());
        let view = self.client.view().filter(|view| view.awaited())?;
        match &mut self.brain {
            Some(brain) => brain.think(view, at, &mut self.chance).map(|thought| thought.command),
            None => {
                let mut commands = view.commands(at).commands;
                let any = (!commands.is_empty()).then(|| self.chance.below(commands.len() as u32));
                any.map(|any| commands.swap_remove(any as usize))
            }
        }
    }

    /// Does anything that it may now, if there is something; whether it did.
    pub async fn move_if_may(&mut self) -> bool {
        let Some(command) = self.choose().await else { return false };
        let answer = self.command(command).await;
        if matches!(answer, Answer::NotNow { .. }) {
            // Told to wait a moment, it does: whoever goes on is cut off.
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        answer == Answer::Done
    }

    /// Does anything that it may now, if there is something, and does not wait for the answer. Whether it did.
    pub async fn move_unanswered(&mut self) -> bool {
        let Some(command) = self.choose().await else { return false };
        self.client.command(command);
        true
    }
}

/// Both move whenever they may, until each has made `moves` moves.
pub async fn moves(players: [&mut Player<'_>; 2], moves: usize) {
    let deadline = Instant::now() + Duration::from_secs(90);
    let mut made = [0; 2];
    let [one, two] = players;
    while made.iter().any(|&made| made < moves) {
        assert!(Instant::now() < deadline, "{made:?} moves in time");
        made[0] += usize::from(one.move_if_may().await);
        made[1] += usize::from(two.move_if_may().await);
    }
}

/// Both are ready, and the first, who is the host, begins the match once the word of the other has come, too.
pub async fn begin([host, other]: [&mut Player<'_>; 2]) {
    host.act(Act::Ready { ready: true }).await;
    other.act(Act::Ready { ready: true }).await;
    let all_ready = |table: &wire::TableState| table.seats.iter().all(|seat| seat.ready);
    host.until("all are ready", |client| client.table().is_some_and(all_ready)).await;
    host.act(Act::Start).await;
}
