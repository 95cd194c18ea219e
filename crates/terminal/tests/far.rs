//! A table at a real server, from two terminals.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use screen::keys::Letters;
use server::Settings;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use terminal::far::{Place, Server};
use terminal::{Heard, Invite, Line, Person, Room};
use wire::api::{GameChoice, NewTable};

/// Somebody at a terminal.
struct Guest {
    room: Room,
    line: Line,
    heard: Receiver<Heard>,
    terminal: Terminal<TestBackend>,
    since: Instant,
}

impl Guest {
    /// Comes to a server by a name, and to a table there: to this one, or to one of their own.
    fn come(address: &str, folder: &Path, name: &str, table: Option<&str>) -> (Guest, String) {
        let (mut server, _) = Server::at(address, folder).expect("an address");
        server.come(name).expect("a name");
        let id = table.map_or_else(
            || {
                let new =
                    NewTable::private(GameChoice::Preset("contract".to_owned()), 3, vec!["easy".to_owned()]);
                server.open(&new).expect("a table").id
            },
            str::to_owned,
        );
        let summary = server.table(&id).expect("the table");
        let invite = Invite { link: server.invite(&id), code: None, replays: server.replay("") };
        let (tell, heard) = channel();
        let line = server.join(summary, move |what| _ = tell.send(what)).expect("a socket");
        let person = Person { tongue: words::spoken("en"), letters: Letters::qwerty() };
        let room = Room::new(person, 1, [name.len() as u8; 32], false, Some(invite));
        let terminal = Terminal::new(TestBackend::new(100, 40)).expect("a terminal");
        (Guest { room, line, heard, terminal, since: Instant::now() }, id)
    }

    fn now(&self) -> f64 {
        self.since.elapsed().as_secs_f64() * 1000.0
    }

    fn go_on(&mut self) {
        while let Ok(what) = self.heard.recv_timeout(Duration::from_millis(10)) {
            self.room.hear(what, self.now());
        }
        self.room.tick(self.now());
        self.room.orders().for_each(|order| self.line.send(order));
    }

    fn press(&mut self, key: char) {
        self.room.press(KeyEvent::new(KeyCode::Char(key), KeyModifiers::NONE), self.now());
        self.go_on();
    }

    fn seen(&mut self) -> String {
        let now = self.now();
        self.terminal.draw(|frame| self.room.draw(frame, now)).expect("drawn");
        let buffer = self.terminal.backend().buffer();
        let line = |y| (0..buffer.area.width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
        (0..buffer.area.height).map(line).collect::<Vec<_>>().join("\n")
    }
}

#[track_caller]
fn until(guests: &mut [&mut Guest], who: usize, what: &str) {
    let end = Instant::now() + Duration::from_secs(60);
    while !guests[who].seen().contains(what) {
        guests.iter_mut().for_each(|guest| guest.go_on());
        assert!(Instant::now() < end, "never seen: {what}\n{}", guests[who].seen());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_terminals_play_at_a_server() {
    let data = tempfile::tempdir().expect("a folder");
    let settings = Settings {
        listen: "127.0.0.1:0".parse().expect("an address"),
        data: data.path().into(),
        drain_seconds: 1,
        ..Settings::default()
    };
    let listeners = server::listen(&settings).await.expect("a free port");
    let address = format!("http://{}", listeners.local_addr().expect("bound"));
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let done = tokio::spawn(server::launch(settings, listeners, async {
        let _ = stopped.await;
    }));
    let played = tokio::task::spawn_blocking(move || plays(&address)).await;
    let _ = stop.send(());
    done.await.expect("no panic").expect("it started");
    played.expect("no panic");
}

fn plays(address: &str) {
    let folders = [tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder")];
    let (mut ann, table) = Guest::come(address, folders[0].path(), "Ann", None);
    until(&mut [&mut ann], 0, "Your friends come in by this link");
    let (mut bob, _) = Guest::come(address, folders[1].path(), "Bob", Some(&table));
    until(&mut [&mut ann, &mut bob], 1, "S Sit here");
    bob.press('s');
    until(&mut [&mut ann, &mut bob], 0, "Bob");
    ann.press('r');
    bob.press('r');
    until(&mut [&mut ann, &mut bob], 0, "Everybody is ready.");
    ann.press('g');
    until(&mut [&mut ann, &mut bob], 0, "Round 1 of 7");
    until(&mut [&mut ann, &mut bob], 1, "Round 1 of 7");
    // Whoever's turn it is draws, and the other sees it.
    let mut guests = [&mut ann, &mut bob];
    let end = Instant::now() + Duration::from_secs(60);
    let first = loop {
        guests.iter_mut().for_each(|guest| guest.go_on());
        let draws = |guest: &mut &mut Guest| guest.seen().contains("P Draw from the stock");
        if let Some(first) = guests.iter_mut().position(draws) {
            break first;
        }
        assert!(Instant::now() < end, "nobody draws: {}", guests[0].seen());
    };
    guests[first].press('p');
    until(&mut guests, first, "You drew ");
    until(&mut guests, 1 - first, "drew from the stock");
    guests[first].press('d');
    guests[first].press('d');
    until(&mut guests, 1 - first, " discarded ");
    // A phrase is heard by the other.
    guests[0].press('"');
    guests[0].press('1');
    until(&mut guests, 1, "Ann says: Hello!");
    // Who leaves and comes again sits where they sat, and knows the hand: they are known by their folder.
    drop(bob);
    let (mut bob, _) = Guest::come(address, folders[1].path(), "Bob", Some(&table));
    until(&mut [&mut ann, &mut bob], 1, "Bob (you)");
    assert!(bob.seen().contains("╭───╭"), "{}", bob.seen());
    // Ann takes her seat along to another machine, by the link that her browser would show.
    let guests = std::fs::read_to_string(folders[0].path().join("guests.json")).expect("who she is");
    let guests: std::collections::BTreeMap<String, String> = serde_json::from_str(&guests).expect("JSON");
    let asked = ureq::post(format!("{address}/api/tables/{table}/device")).header("cookie", &guests[address]);
    let text = asked.send_empty().and_then(|mut link| link.body_mut().read_to_string()).expect("a link");
    let link: wire::api::DeviceLink = serde_json::from_str(&text).expect("a link");
    let other = tempfile::tempdir().expect("a folder");
    let (mut server, place) = Server::at(&link.url, other.path()).expect("an address");
    let Place::Seat(token) = place else { panic!("{place:?}") };
    assert_eq!(server.take_seat(&token).expect("her seat"), table);
    assert_eq!(server.me().expect("somebody").name.as_deref(), Some("Ann"));
    // It works once; why not again is said in the language of whoever asks.
    let why = server.take_seat(&token).expect_err("it was used");
    let told = ["en", "de"].map(|language| why.told(words::spoken(language)));
    assert!(told[0] == why.to_string() && told[1] != told[0] && told[1].starts_with(address), "{told:?}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let kept = std::fs::metadata(other.path().join("guests.json")).expect("kept");
        assert_eq!(kept.permissions().mode() & 0o077, 0, "nobody else reads who one is");
    }
}

#[test]
fn a_server_that_is_not_there_is_told_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut server, table) = Server::at("http://127.0.0.1:1/table/abc", folder.path()).expect("an address");
    assert_eq!(table, Place::Table("abc".to_owned()));
    let why = server.table("abc").expect_err("nobody listens").to_string();
    assert!(why.starts_with("http://127.0.0.1:1 cannot be reached: "), "{why}");
    assert!(Server::at("http://", folder.path()).is_err());
}
