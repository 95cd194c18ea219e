//! A table at home as its page talks to it: text in, text out, with a device that keeps what it is asked to.

use game::{Seat, SeatSet, View as _, Viewer};
use home::{Call, Home, Keep, Row, Told, Turn};
use rulebook::View;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU8, Ordering};
use wire::client::{Change, Client};
use wire::{Act, Paused, Stage, TableState};

/// A browser: its storage, its clock, and a page.
struct Device {
    home: Home,
    wall: u64,
    table: String,
    rows: Vec<Row>,
    /// Whether the storage is full.
    full: bool,
    client: Client<View>,
    /// Whether the person reads how a round ended, and goes on when they have.
    reads: bool,
    frames: VecDeque<String>,
    closed: Option<String>,
}

impl Device {
    fn new() -> Device {
        Device {
            home: new_home(),
            wall: 1_000_000,
            table: String::new(),
            rows: Vec::new(),
            full: false,
            client: Client::new(1, [1; 32]),
            reads: false,
            frames: VecDeque::new(),
            closed: None,
        }
    }

    fn call(&mut self, call: Call) -> Turn {
        let told = Told { wall: self.wall, today: 1_800_000_000, call };
        let turn = self.home.turn_text(&serde_json::to_string(&told).unwrap());
        let turn: Turn = serde_json::from_str(&turn).unwrap();
        self.frames.extend(turn.frames.iter().cloned());
        if let Some(keep) = &turn.keep {
            let kept = self.keep(keep.clone());
            let next = self.call(Call::Kept(kept.err()));
            return Turn { wake: next.wake, ..turn };
        }
        turn
    }

    fn keep(&mut self, keep: Keep) -> Result<(), String> {
        if self.full {
            return Err("The storage is full.".to_owned());
        }
        self.table = keep.table.unwrap_or_else(|| std::mem::take(&mut self.table));
        self.rows.retain(|(id, ..)| !keep.fresh && !keep.forget.contains(id));
        for row in keep.rows {
            assert!(self.rows.iter().all(|(id, n, _)| (*id, *n) != (row.0, row.1)), "row {row:?} is new");
            self.rows.push(row);
        }
        Ok(())
    }

    /// The page opens: it greets, and both talk until nothing is left to be said.
    fn greet(&mut self) {
        self.client.go_on_by_itself(!self.reads);
        self.client.opened();
        self.talk();
    }

    fn talk(&mut self) {
        loop {
            if let Some(frame) = self.frames.pop_front() {
                self.client.receive_text(&frame, self.wall as f64).expect(&frame);
            } else if let Some(frame) = self.client.next_frame() {
                self.call(Call::Frame(serde_json::to_string(&frame).unwrap()));
            } else {
                break;
            }
        }
        while let Some(change) = self.client.next_change() {
            // One that is to be tried again is none that closes.
            if let Change::Error { text, retry: false, .. } = change {
                self.closed = Some(text);
            }
        }
    }

    /// Time passes until the table wants to be called, a second at most.
    fn tick(&mut self) {
        let mut wake = 0;
        // Bots think one after the other.
        while wake == 0 {
            wake = self.call(Call::Tick).wake.unwrap_or(1000);
            self.talk();
        }
        self.wall += wake.min(1000);
    }

    fn stage(&self) -> Stage {
        self.client.table().expect("a table").stage
    }

    /// The page is closed and opened again: nothing is left but what the device kept.
    fn reopen(&mut self) -> Turn {
        self.home = new_home();
        self.client = Client::new(2, [2; 32]);
        self.frames.clear();
        self.wall += 3_600_000;
        let mut rows = self.rows.clone();
        rows.sort();
        let turn = self.call(Call::Restore { table: self.table.clone(), rows });
        self.greet();
        turn
    }

    /// Plays until `holds`, moving by chance where it is this person's turn.
    fn play_until(&mut self, mut holds: impl FnMut(&Device) -> bool) {
        let mut chance = game::chance::SplitMix(5);
        for _ in 0..20_000 {
            if holds(self) {
                return;
            }
            let view = self.client.view().filter(|view| view.awaited());
            let commands =
                view.map_or(Vec::new(), |view| view.commands(self.client.clock(self.wall as f64)).commands);
            if self.client.unanswered().next().is_none() && !commands.is_empty() {
                let pick = game::Chance::below(&mut chance, commands.len() as u32) as usize;
                self.client.command(commands[pick].clone());
                self.talk();
            }
            self.tick();
        }
        panic!("it does not come to that");
    }
}

fn new_home() -> Home {
    // Bytes are never the same twice: matches are named by them.
    static DRAWN: AtomicU8 = AtomicU8::new(0);
    Home::new(Box::new(|| [DRAWN.fetch_add(1, Ordering::Relaxed); 32]))
}

/// A table against bots that take none of their time.
fn wanted(game: &str, seats: u8, bot: &str, options: &str) -> Call {
    let bots = vec![bot; usize::from(seats) - 1];
    Call::Open(format!(
        r#"{{"table":{{"game":{{"preset":"{game}"}},"seats":{seats},"bots":{bots:?},"options":{options}}},"name":"Ann","pace":0}}"#
    ))
}

fn begin(call: Call) -> Device {
    let mut device = Device::new();
    device.call(call);
    device.greet();
    assert_eq!(device.client.viewer(), Viewer::Seat(Seat(0)));
    device.client.act(Act::Start);
    device.talk();
    assert_eq!(device.stage(), Stage::Playing);
    device
}

#[test]
fn a_match_of_each_family_is_played_to_its_end() {
    for (game, options) in [("set-classic", "{}"), ("contract", r#"{"game.rounds":[1,2]}"#)] {
        let mut device = begin(wanted(game, 3, "easy", options));
        device.play_until(|device| device.stage() == Stage::Over);
        assert!(device.client.view().is_some_and(|view| view.outcome().is_some()), "{game}");
    }
}

#[test]
fn a_match_goes_on_after_the_page_was_closed() {
    let mut device = begin(wanted("contract", 3, "easy", r#"{"game.rounds":[1]}"#));
    device.play_until(|device| device.client.seen() > 30);
    let (seen, view) = (device.client.seen(), device.client.view().cloned());
    let turn = device.reopen();
    assert_eq!(turn.summary.map(|table| table.preset).as_deref(), Some("contract"));
    assert_eq!(device.client.viewer(), Viewer::Seat(Seat(0)));
    // What was told before was kept; what the table says of coming and going may follow.
    assert!(device.client.seen() >= seen, "{} of {seen}", device.client.seen());
    let hand = |view: Option<&View>| match view {
        Some(View::Contract(view)) => Some(view.hand),
        _ => None,
    };
    assert_eq!(hand(device.client.view()), hand(view.as_ref()));
    device.play_until(|device| device.stage() == Stage::Over);
    // Another match takes the place of this one.
    let before = device.rows[0].0;
    device.client.act(Act::Rematch);
    device.talk();
    device.client.act(Act::Start);
    device.talk();
    assert!(device.rows.iter().all(|(id, ..)| *id != before), "the match that is over is given up");
}

/// Two rounds that are soon over.
const SHORT: &str = r#"
id = "short"
name = "Short"
base = "contract"
[deal]
cards = 5
[[round]]
contract = ["P2"]
[[round]]
contract = ["P2"]
"#;

#[test]
fn between_two_rounds_it_waits_also_after_the_page_was_closed() {
    let table = serde_json::json!({ "game": { "rules": SHORT }, "seats": 3, "bots": ["easy", "easy"] });
    let call = Call::Open(serde_json::json!({ "table": table, "name": "Ann", "pace": 0 }).to_string());
    let mut device = begin(call);
    device.reads = true;
    device.client.go_on_by_itself(false);
    let left = |device: &Device| match device.client.table() {
        Some(TableState { paused: Some(Paused::Round { waits_for }), rest_ms, .. }) => {
            assert_eq!(*waits_for, SeatSet::one(Seat(0)));
            Some(*rest_ms)
        }
        _ => None,
    };
    // Rounds over, and cards in hand.
    let dealt = |device: &Device| match device.client.view() {
        Some(View::Contract(view)) => (view.flow.finished, view.hand.cards().count()),
        _ => (0, 0),
    };
    device.play_until(|device| left(device).is_some());
    (0..10).for_each(|_| device.tick());
    assert_eq!(dealt(&device), (1, 0));
    device.reopen();
    assert_eq!((left(&device), dealt(&device)), (Some(20_000), (1, 0)), "its time begins anew");
    device.client.act(Act::GoOn);
    device.talk();
    device.tick();
    assert_eq!((left(&device), dealt(&device)), (None, (1, 5)));
    // Without a word from her it goes on, too.
    let mut device =
        begin(Call::Open(serde_json::json!({ "table": table, "name": "Ann", "pace": 0 }).to_string()));
    device.reads = true;
    device.client.go_on_by_itself(false);
    device.play_until(|device| left(device).is_some());
    (0..22).for_each(|_| device.tick());
    assert_eq!((left(&device), dealt(&device).0), (None, 1));
}

#[test]
fn nothing_is_told_that_the_device_did_not_keep() {
    let mut device = begin(wanted("contract", 3, "easy", r#"{"game.rounds":[1]}"#));
    device.play_until(|device| device.client.seen() > 20);
    let seen = device.client.seen();
    device.full = true;
    // People are told that it stands still, and of nothing else.
    device.play_until(|device| device.client.table().is_some_and(|table| table.paused.is_some()));
    assert_eq!(device.client.seen(), seen);
    device.full = false;
    device.play_until(|device| device.stage() == Stage::Over);
}

#[test]
fn time_in_which_the_device_slept_does_not_count() {
    let mut device = begin(wanted("contract", 3, "easy", r#"{"game.rounds":[1],"turn.seconds":30}"#));
    device.play_until(|device| device.client.view().is_some_and(game::View::awaited));
    let before = device.client.clock(device.wall as f64);
    device.wall += 8 * 3_600_000;
    device.tick();
    assert!(device.client.view().is_some_and(game::View::awaited), "the turn did not run out");
    device.call(Call::Frame(r#""resync""#.to_owned()));
    device.talk();
    let table = device.client.table().expect("a table").at;
    assert!(table.since(before) < 10_000, "{} ms", table.since(before));
}

/// A game of a day, dealt from what a server told of it.
fn of_day(seed: char) -> Call {
    let seed: String = std::iter::repeat_n(seed, 64).collect();
    Call::Open(format!(
        r#"{{"table":{{"game":{{"preset":"daily-puzzle"}},"seats":1}},"name":"Ann","day":{{"date":"2026-01-31","deal":{{"name":"daily-puzzle/2026-01-31","seed":"{seed}"}}}}}}"#
    ))
}

#[test]
fn a_game_of_a_day_is_the_same_whenever_it_is_dealt_and_goes_on_after_the_page_was_closed() {
    let layout = |device: &Device| match device.client.view() {
        Some(View::Pattern(pattern::View::Puzzle(view))) => view.state.layout.clone(),
        _ => Vec::new(),
    };
    let dealt = |seed| {
        let mut device = begin(of_day(seed));
        device.play_until(|device| !layout(device).is_empty());
        device
    };
    let mut device = dealt('3');
    let cards = layout(&device);
    assert_eq!(cards.len(), 12);
    assert_eq!(layout(&dealt('3')), cards);
    assert_ne!(layout(&dealt('4')), cards);
    let turn = device.reopen();
    let summary = turn.summary.expect("a table");
    assert_eq!(
        (summary.title.as_str(), summary.day.as_deref()),
        ("Daily puzzle of 2026-01-31, unranked", Some("2026-01-31"))
    );
    device.play_until(|device| !layout(device).is_empty());
    assert_eq!(layout(&device), cards);
}

#[test]
fn what_cannot_be_opened_is_said() {
    let check = |call: Call, word: &str| {
        let mut device = Device::new();
        let turn = device.call(call);
        assert_eq!(turn.summary, None);
        device.greet();
        let closed = device.closed.unwrap_or_default();
        assert!(closed.contains(word), "`{closed}` does not say `{word}`");
    };
    check(Call::Restore { table: String::new(), rows: Vec::new() }, "No game is kept");
    check(Call::Restore { table: "{}".to_owned(), rows: Vec::new() }, "cannot be read");
    check(Call::Lost("QuotaExceededError".to_owned()), "QuotaExceededError");
    check(Call::Open("[".to_owned()), "EOF");
    check(wanted("no-such-game", 3, "easy", "{}"), "cannot be played");
    check(wanted("contract", 3, "no-such-bot", "{}"), "no-such-bot");
    check(wanted("contract", 3, "easy", r#"{"no.such":1}"#), "cannot be played");
    check(of_day('x'), "64 hexadecimal digits");
}

#[test]
fn a_table_that_is_opened_in_another_window_closes_here() {
    let mut device = begin(wanted("set-classic", 2, "easy", "{}"));
    device.call(Call::Taken);
    device.talk();
    assert!(device.closed.is_some_and(|why| why.contains("another window")));
}
