//! Tables as somebody at a terminal plays them: keys in, what is seen out. The table is a real one, on this machine, whose dice are
//! loaded; its clock goes as fast as the test.

use home::{Call, Home, Keep, Row, Told, Wanted};
use pattern::race::Phase;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use rulebook::View;
use screen::keys::{Arrangement, Letters};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU8, Ordering};
use terminal::{Heard, Order, Person, Room};
use wire::api::{GameChoice, NewTable};

/// The same bytes in every test, and others each time.
fn random() -> home::Random {
    let next = AtomicU8::new(7);
    Box::new(move || [next.fetch_add(1, Ordering::Relaxed); 32])
}

/// A terminal with somebody before it, and the table on this machine.
struct Desk {
    home: Home,
    room: Room,
    terminal: Terminal<TestBackend>,
    /// Milliseconds.
    now: f64,
    wake: Option<u64>,
    table: String,
    rows: Vec<Row>,
    kept: usize,
}

impl Desk {
    /// Opens a table of a game with `bots` and looks at it, on a terminal of so many columns and rows.
    fn open(game: &str, bots: &[&str], size: (u16, u16), language: &str) -> Desk {
        let bots: Vec<String> = bots.iter().map(|bot| (*bot).to_owned()).collect();
        let seats = bots.len() as u8 + 1;
        let table = NewTable::private(GameChoice::Preset(game.to_owned()), seats, bots);
        let wanted = Wanted { table, name: "Ann".to_owned(), day: None, pace: None };
        let tongue = words::spoken(language);
        let person = Person { tongue, letters: Letters::usual(language) };
        let mut desk = Desk {
            home: Home::new(random()),
            room: Room::new(person, 1, [1; 32], true, None),
            terminal: Terminal::new(TestBackend::new(size.0, size.1)).expect("a terminal"),
            now: 0.0,
            wake: None,
            table: String::new(),
            rows: Vec::new(),
            kept: 0,
        };
        let opened = desk.call(Call::Open(serde_json::to_string(&wanted).expect("JSON")));
        assert!(opened, "the table opens");
        desk.talk();
        desk
    }

    fn call(&mut self, call: Call) -> bool {
        let mut calls = VecDeque::from([call]);
        let mut opened = false;
        while let Some(call) = calls.pop_front() {
            let turn = self.home.turn(Told { wall: self.now as u64, today: 1_800_000_000, call });
            if let Some(summary) = turn.summary {
                opened = true;
                self.room.hear(Heard::Up(Some(summary)), self.now);
            }
            turn.frames.into_iter().for_each(|frame| self.room.hear(Heard::Frame(frame), self.now));
            if let Some(keep) = turn.keep {
                self.keep(keep);
                calls.push_back(Call::Kept(None));
            }
            self.wake = turn.wake;
        }
        opened
    }

    fn keep(&mut self, keep: Keep) {
        self.kept += 1;
        self.rows.retain(|(id, ..)| !keep.fresh && !keep.forget.contains(id));
        self.table = keep.table.unwrap_or_else(|| std::mem::take(&mut self.table));
        self.rows.extend(keep.rows);
    }

    /// Room and table talk until nothing is left to be said.
    fn talk(&mut self) {
        loop {
            let orders: Vec<Order> = self.room.orders().collect();
            if orders.is_empty() {
                return;
            }
            for order in orders {
                match order {
                    Order::Frame(frame) => _ = self.call(Call::Frame(frame)),
                    Order::Record => self.room.hear(Heard::Recorded("records/1.jsonl".into()), self.now),
                }
            }
        }
    }

    /// Time passes until something is due, a second at most.
    fn wait(&mut self) {
        let room = self.room.tick(self.now).unwrap_or(f64::INFINITY);
        self.talk();
        let table = self.wake.map_or(f64::INFINITY, |wake| self.now + wake as f64);
        self.now = room.min(table).clamp(self.now, self.now + 1000.0);
        self.room.tick(self.now);
        self.talk();
        self.call(Call::Tick);
        self.talk();
    }

    /// Waits until something is seen.
    #[track_caller]
    fn until(&mut self, what: &str, holds: impl Fn(&str) -> bool) {
        for _ in 0..4000 {
            let seen = self.seen();
            if holds(&seen) {
                return;
            }
            self.wait();
        }
        panic!("never: {what}\n{}", self.seen());
    }

    fn press(&mut self, key: KeyCode) {
        self.room.press(KeyEvent::new(key, KeyModifiers::NONE), self.now);
        self.talk();
    }

    /// Presses keys one after another, as they are printed.
    fn keys(&mut self, keys: &str) {
        keys.chars().for_each(|key| self.press(KeyCode::Char(key)));
    }

    /// What stands on the terminal.
    fn seen(&mut self) -> String {
        self.terminal.draw(|frame| self.room.draw(frame, self.now)).expect("it is drawn");
        let buffer = self.terminal.backend().buffer();
        let line = |y| {
            let cells = (0..buffer.area.width).map(|x| buffer[(x, y)].symbol());
            cells.collect::<String>().trim_end().to_owned()
        };
        (0..buffer.area.height).map(line).collect::<Vec<_>>().join("\n").trim_end().to_owned()
    }

    /// Where something stands on the terminal.
    fn find(&mut self, what: &str) -> (u16, u16) {
        let seen = self.seen();
        let (row, line) = seen.lines().enumerate().find(|(_, line)| line.contains(what)).expect(what);
        let column = line[..line.find(what).expect("it is there")].chars().count();
        (column as u16, row as u16)
    }
}

#[test]
fn a_table_of_contract_rummy_is_seen_whole() {
    let mut desk = Desk::open("contract", &["easy", "easy"], (80, 24), "en");
    desk.until("the own turn", |seen| seen.contains("Your turn"));
    let seen = desk.seen();
    for part in [
        "Round 1 of 7: 2 groups of 3",
        "Ann (you)",
        "Mia (easy)",
        "Ben (easy)",
        "10 cards",
        "No meld lies on the table yet.",
        "Stock, ",
        "Discard pile, ",
        "Group of 3: Put cards here.",
        "╭───╭───",
        "T Take ",
        "P Draw from the stock",
        "? Keys",
        "Q Leave",
    ] {
        assert!(seen.contains(part), "{part}\n{seen}");
    }
}

#[test]
fn a_table_of_set_is_seen_whole() {
    let mut desk = Desk::open("set-classic", &["easy"], (80, 24), "en");
    desk.until("the cards", |seen| seen.contains("Find three cards"));
    let seen = desk.seen();
    for part in ["─ Q ─", "─ V ─", "You ", "Mia (easy)", "69 cards left", "Space Set!", "- No Set"] {
        assert!(seen.contains(part), "{part}\n{seen}");
    }
    // Each of the twelve cards is there with its shape, filling and colour.
    assert_eq!(seen.matches("╰─ ").count() + seen.matches("╚═ ").count(), 12, "{seen}");
}

#[test]
fn keys_and_the_mouse_pick_cards_and_prepare_melds() {
    let mut desk = Desk::open("contract", &["easy", "easy"], (80, 24), "en");
    desk.until("the own turn", |seen| seen.contains("Your turn"));
    desk.keys("p");
    desk.until("a card is drawn", |seen| seen.contains("then discard"));
    // Two cards of the hand by the keyboard, prepared for a meld.
    desk.press(KeyCode::Char(' '));
    let (column, row) = desk.find("╭───╭");
    desk.room.click(column + 9, row + 1, desk.now);
    assert!(desk.seen().contains("S Prepare"), "{}", desk.seen());
    desk.keys("s");
    let seen = desk.seen();
    assert!(seen.contains("X Back to hand") || seen.contains("These cards do not help"), "{seen}");
    // A word at the foot can be pressed as its key can.
    let (column, row) = desk.find("? Keys");
    desk.room.click(column, row, desk.now);
    assert!(desk.seen().contains("Tab sorts"), "{}", desk.seen());
    desk.press(KeyCode::Esc);
    assert!(!desk.seen().contains("Tab sorts"));
}

#[test]
fn what_the_rules_refuse_is_said_with_its_rule() {
    let mut desk = Desk::open("contract", &["easy", "easy"], (80, 24), "en");
    desk.until("the own turn", |seen| seen.contains("Your turn"));
    desk.keys(":");
    desk.keys("discard KS");
    assert!(desk.seen().contains(":discard KS"), "{}", desk.seen());
    desk.press(KeyCode::Enter);
    let seen = desk.seen();
    assert!(seen.contains("(CR-") || seen.contains("(A-"), "{seen}");
    desk.keys(":");
    desk.keys("dance");
    desk.press(KeyCode::Enter);
    assert!(desk.seen().contains("`dance` is no command"), "{}", desk.seen());
}

/// Plays Contract Rummy as somebody who draws from the stock and throws the card at the arrow.
fn plays_on(desk: &mut Desk) {
    let seen = desk.seen();
    if seen.contains("G Go on") {
        desk.keys("g");
    } else if seen.contains("P Draw from the stock") {
        desk.keys("p");
    } else if seen.contains("Really discard") || seen.contains("D Discard") {
        desk.keys("d");
    } else if seen.contains("T Take") {
        desk.keys("t");
    } else {
        desk.wait();
    }
}

#[test]
fn a_whole_match_of_contract_rummy_is_played_by_the_keyboard_and_its_record_verifies() {
    let mut desk = Desk::open("contract", &["steady", "steady"], (80, 24), "en");
    for _ in 0..60_000 {
        if desk.seen().contains("N Another one") {
            break;
        }
        plays_on(&mut desk);
    }
    let seen = desk.seen();
    assert!(seen.contains("N Another one") && seen.contains("won"), "{seen}");
    assert!(seen.contains("Place  Player") && seen.contains("records/1.jsonl"), "{seen}");
    let record: String = desk.rows.iter().map(|(_, _, row)| row.clone() + "\n").collect();
    let verified = record::verify::<rulebook::Match>(&record).expect("the record is right");
    assert!(verified.differs.is_none());
    // Another one begins by itself, for there is nobody but bots to wait for.
    desk.keys("n");
    desk.until("another match", |seen| seen.contains("Round 1 of 7"));
}

#[test]
fn a_set_is_claimed_by_its_letters_and_a_whole_deal_played() {
    let mut desk = Desk::open("set-classic", &["easy"], (100, 30), "fr");
    let (mut claimed, mut since) = (0, 0.0);
    for _ in 0..60_000 {
        if desk.seen().contains("N Encore une") {
            break;
        }
        let keys: Option<Vec<char>> = match desk.room.view() {
            Some(View::Pattern(pattern::View::Race(race)))
                if race.state.phase == Phase::Open && claimed < 3 && desk.now > since + 3000.0 =>
            {
                let around = Arrangement::of(&race.rules, &race.state.board);
                let key = |card: &cards::Point| {
                    race.state.board.zones().enumerate().find_map(|(zone, slots)| {
                        let slot = slots.iter().position(|other| *other == Some(*card))?;
                        around.key(Letters::azerty(), zone, slot)
                    })
                };
                race.claims(1).first().map(|claim| claim.cards().iter().filter_map(key).collect())
            }
            _ => None,
        };
        match keys {
            Some(keys) => {
                assert_eq!(keys.len(), 3, "{}", desk.seen());
                keys.into_iter().for_each(|key| desk.press(KeyCode::Char(key)));
                // It is told why it is one.
                assert!(desk.seen().contains("Tu as un Set"), "{}", desk.seen());
                (claimed, since) = (claimed + 1, desk.now);
            }
            None if desk.seen().contains("- Pas de Set") => desk.keys("-"),
            None => {}
        }
        desk.wait();
    }
    let seen = desk.seen();
    assert!(claimed == 3 && seen.contains("Rang  Joueur"), "{seen}");
}

#[test]
fn every_game_is_shown_on_a_small_terminal_and_on_a_large_one() {
    for game in rulebook::presets() {
        let loaded = rulebook::preset(game).expect("a game");
        let bots: Vec<&str> = match loaded.info.family {
            rulebook::Family::Contract => vec!["easy"; usize::from(loaded.info.players_min.max(2)) - 1],
            rulebook::Family::Pattern => vec!["easy"; usize::from(loaded.info.players_min) - 1],
        };
        for (size, language) in [((60, 20), "de"), ((200, 60), "es")] {
            let mut desk = Desk::open(game, &bots, size, language);
            for _ in 0..30 {
                desk.wait();
            }
            let seen = desk.seen();
            assert!(desk.room.closed().is_none(), "{game}: {seen}");
            assert!(desk.room.view().is_some(), "{game}: {seen}");
            // A sentence that there is not is a question mark by itself.
            let lost = |line: &str| line.replace("? T", "").split_whitespace().any(|word| word == "?");
            assert!(!seen.lines().any(lost), "{game}: {seen}");
            for key in [
                KeyCode::Right,
                KeyCode::Down,
                KeyCode::Char(' '),
                KeyCode::Tab,
                KeyCode::Char('s'),
                KeyCode::Char('?'),
            ] {
                desk.press(key);
                desk.seen();
            }
        }
    }
}

/// How many cards of the own hand are seen.
fn cards_seen(seen: &str) -> usize {
    let rows: Vec<&str> = seen.lines().collect();
    let foot = rows.len() - 8;
    let fan = |line: &&&str| line.starts_with('╭') && line.contains("╭───╭");
    let fans: usize =
        rows[foot.saturating_sub(14)..].iter().filter(fan).map(|line| line.matches('╭').count()).sum();
    let signs = |line: &&str| line.matches(['♣', '♦', '♥', '♠']).count() + line.matches("JK").count();
    if fans > 0 { fans } else { rows.iter().map(signs).max().unwrap_or(0) }
}

#[test]
fn the_own_hand_is_seen_however_small_the_window() {
    for game in ["contract", "shanghai", "may-i", "loba", "telefunken"] {
        let most = rulebook::preset(game).expect("a game").info.players_max;
        for size in [(60, 20), (80, 24), (100, 40)] {
            let mut desk = Desk::open(game, &vec!["easy"; usize::from(most) - 1], size, "de");
            desk.until("the own turn", |seen| seen.contains("Du bist dran"));
            let Some(View::Contract(view)) = desk.room.view() else { panic!("{game}") };
            let held = view.hand.len();
            let seen = desk.seen();
            assert!(cards_seen(&seen) >= held, "{game} on {size:?}: {held} cards\n{seen}");
        }
    }
}

#[test]
fn what_is_closed_stays_closed_and_says_why() {
    let mut desk = Desk::open("contract", &["easy", "easy"], (80, 24), "en");
    desk.until("the match", |seen| seen.contains("Round 1"));
    let frame = r#"{"error":{"text":"You play here from nine places.","retry":false}}"#;
    desk.room.hear(Heard::Frame(frame.to_owned()), desk.now);
    for heard in [Heard::Down, Heard::Up(None)] {
        desk.room.hear(heard, desk.now);
        assert!(desk.seen().contains("You play here from nine places."), "{}", desk.seen());
    }
    desk.press(KeyCode::Enter);
    assert!(desk.room.is_left());
}

#[test]
fn what_is_done_without_a_line_is_refused_and_not_sent_later() {
    let mut desk = Desk::open("contract", &["easy", "easy"], (80, 24), "en");
    desk.until("the own turn", |seen| seen.contains("Your turn"));
    desk.room.hear(Heard::Down, desk.now);
    // A table that goes on at another machine is there again by then.
    assert!(!desk.seen().contains("The connection was lost"), "{}", desk.seen());
    desk.now += 1500.0;
    assert!(desk.seen().contains("The connection was lost"), "{}", desk.seen());
    desk.room.press(KeyEvent::new(KeyCode::Char('p'), KeyModifiers::NONE), desk.now);
    assert!(desk.seen().contains("This did not arrive"), "{}", desk.seen());
    desk.room.hear(Heard::Up(None), desk.now);
    let sent: Vec<Order> = desk.room.orders().collect();
    let [Order::Frame(hello)] = &sent[..] else { panic!("{sent:?}") };
    assert!(hello.starts_with(r#"{"hello""#), "{hello}");
}

#[test]
fn ending_the_match_is_asked_again() {
    let mut desk = Desk::open("contract", &["easy", "easy"], (80, 24), "en");
    desk.until("the match", |seen| seen.contains("Round 1"));
    desk.keys("E");
    assert!(desk.seen().contains("Press it once more if you agree to end"), "{}", desk.seen());
    desk.keys("E");
    desk.until("the end", |seen| seen.contains("N Another one"));
}

#[test]
fn what_was_asked_of_one_thing_is_no_answer_to_another() {
    let mut desk = Desk::open("solitaire", &[], (80, 24), "en");
    desk.until("the cards", |seen| seen.contains("G Give up"));
    desk.keys("E");
    desk.keys("G");
    assert!(desk.seen().contains("Press it once more to give up."), "{}", desk.seen());
    desk.keys("G");
    desk.until("the end", |seen| seen.contains("N Another one"));
}

#[test]
fn a_window_that_is_too_small_says_so() {
    let mut desk = Desk::open("contract", &["easy", "easy"], (40, 10), "en");
    desk.wait();
    assert!(desk.seen().starts_with("This window is too small for a table"), "{}", desk.seen());
}

#[test]
fn who_leaves_in_a_match_is_asked_again() {
    let mut desk = Desk::open("contract", &["easy", "easy"], (80, 24), "en");
    desk.until("the match", |seen| seen.contains("Round 1"));
    desk.keys("q");
    assert!(!desk.room.is_left() && desk.seen().contains("The match is kept"), "{}", desk.seen());
    // Whoever does not mean it plays on.
    desk.now += 5000.0;
    desk.wait();
    assert!(!desk.seen().contains("The match is kept"), "{}", desk.seen());
    desk.keys("qq");
    assert!(desk.room.is_left());
}

#[test]
fn a_frame_that_is_none_changes_nothing() {
    let mut desk = Desk::open("contract", &["easy", "easy"], (80, 24), "en");
    desk.until("the own turn", |seen| seen.contains("Your turn"));
    let before = desk.seen();
    for frame in ["", "{}", "null", "[[[[", "{\"view\":{\"game\":1}}", &"[".repeat(100_000)] {
        desk.room.hear(Heard::Frame(frame.to_owned()), desk.now);
    }
    assert_eq!(desk.seen(), before);
}

/// The list of bots says in English how they play, and so do the words: in one way.
#[test]
fn how_a_bot_plays_is_said_once() {
    use words::Tongue as _;
    let english = words::spoken("en");
    for family in [rulebook::Family::Pattern, rulebook::Family::Contract] {
        for kind in bots::kinds(family).filter(|kind| kind.level > 0) {
            let key = format!("plays.{}_{}", family.name(), kind.name);
            assert_eq!(english.find(words::id(&key)), Some(kind.plays), "{key}");
        }
    }
}
