//! What a person sees of a table, and what their keys do: a state machine that takes frames, keys and presses of the mouse, and draws.

use crate::line::{Heard, Order};
use crate::pattern_table::{self, PatternTable};
use crate::rummy::{self, Rummy, split};
use game::{Millis, Refusal, Seat, SeatSet, View as _, Viewer};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use rulebook::{Command, Family, Notice, View};
use screen::keys::Letters;
use screen::{Desk, people, story};
use std::collections::VecDeque;
use wire::client::{Change, Client};
use wire::{Act, Answer, Occupant, Paused, Phrase, Stage, TableState};
use words::{Speaker, Tongue, said};

/// Columns and rows without which a table cannot be shown.
const LEAST: (u16, u16) = (60, 20);
/// Lines of the story that are remembered.
const STORY: usize = 400;
/// Longest command that can be typed.
const TYPED: usize = 400;
/// How long something said in passing is seen, in milliseconds.
const NOTED: f64 = 6000.0;
/// How long "leave" waits to be pressed again.
const LEAVES: f64 = 4000.0;
/// How often a clock that runs is drawn anew.
const SECOND: f64 = 250.0;

/// What others are sent to come to a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invite {
    /// The link.
    pub link: String,
    /// The same as a code for phones, drawn with blocks.
    pub code: Option<String>,
}

/// Who sits before the terminal.
#[derive(Clone, Copy)]
pub struct Person {
    /// In which language they are spoken to.
    pub tongue: &'static Speaker,
    /// The letters of their keyboard.
    pub letters: Letters,
}

/// A key, as far as tables have a use for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A letter, digit or sign.
    Char(char),
    /// A number of one digit, said of many keys at once.
    Digits,
    /// The long one.
    Space,
    /// Enter.
    Enter,
    /// Escape.
    Escape,
    /// Tab.
    Tab,
    /// Backspace.
    Backspace,
    /// An arrow.
    Left,
    /// An arrow.
    Right,
    /// An arrow.
    Up,
    /// An arrow.
    Down,
    /// An arrow, with Shift.
    FarLeft,
    /// An arrow, with Shift.
    FarRight,
    /// To the first.
    Home,
    /// To the last.
    End,
    /// Leaves.
    Leave,
    /// Help.
    Help,
}

impl Key {
    fn of(event: KeyEvent) -> Option<Key> {
        let shift =
            event.modifiers.contains(KeyModifiers::SHIFT) || event.modifiers.contains(KeyModifiers::ALT);
        if event.modifiers.contains(KeyModifiers::CONTROL) {
            return matches!(event.code, KeyCode::Char('c' | 'q')).then_some(Key::Leave);
        }
        Some(match event.code {
            KeyCode::Char(' ') => Key::Space,
            KeyCode::Char('?') | KeyCode::F(1) => Key::Help,
            KeyCode::Char(c) => Key::Char(c),
            KeyCode::Enter => Key::Enter,
            KeyCode::Esc => Key::Escape,
            KeyCode::Tab => Key::Tab,
            KeyCode::Backspace => Key::Backspace,
            KeyCode::Left if shift => Key::FarLeft,
            KeyCode::Right if shift => Key::FarRight,
            KeyCode::Left => Key::Left,
            KeyCode::Right => Key::Right,
            KeyCode::Up => Key::Up,
            KeyCode::Down => Key::Down,
            KeyCode::Home => Key::Home,
            KeyCode::End => Key::End,
            _ => return None,
        })
    }

    /// What is printed on it.
    fn cap(self, tongue: &dyn Tongue) -> String {
        match self {
            Key::Char(c) => c.to_uppercase().to_string(),
            Key::Digits => "1-9".to_owned(),
            Key::Space => said!(tongue, "terminal.space"),
            Key::Enter => "⏎".to_owned(),
            Key::Escape => "Esc".to_owned(),
            Key::Tab => "Tab".to_owned(),
            Key::Backspace => "⌫".to_owned(),
            Key::Left => "←".to_owned(),
            Key::Right => "→".to_owned(),
            Key::Up => "↑".to_owned(),
            Key::Down => "↓".to_owned(),
            Key::FarLeft => "⇧←".to_owned(),
            Key::FarRight => "⇧→".to_owned(),
            Key::Home => "Home".to_owned(),
            Key::End => "End".to_owned(),
            Key::Leave => "^C".to_owned(),
            Key::Help => "?".to_owned(),
        }
    }
}

/// What a key does.
#[derive(Clone, Debug, PartialEq)]
pub enum Does {
    /// Nothing by itself: it stands there to be known.
    Nothing,
    /// Sends a command.
    Send(Command),
    /// Does something about the table.
    Act(Act),
    /// Something with a hand of Contract Rummy.
    Rummy(rummy::Does),
    /// Something with a layout of Set.
    Pattern(pattern_table::Does),
    /// Asks a bot what it would do.
    Advice,
    /// Shows something over the table.
    Show(Layer),
    /// Leaves.
    Leave,
}

/// Something that can be done now, and the key for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// The key.
    pub key: Key,
    /// What it does, in words.
    pub label: String,
    /// Whether it is what is asked for now.
    pub main: bool,
    /// What it does.
    pub does: Does,
}

impl Action {
    /// An action.
    pub fn new(key: Key, label: String, does: Does) -> Action {
        Action { key, label, main: false, does }
    }

    /// The same, as what is asked for now.
    pub fn main(self) -> Action {
        Action { main: true, ..self }
    }
}

/// What lies over the table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Layer {
    /// Nothing.
    #[default]
    Table,
    /// What the keys do.
    Help,
    /// The score sheet.
    Sheet,
    /// The quick phrases.
    Phrases,
    /// A command that is being typed, in the notation.
    Typing(String),
}

/// What was drawn somewhere, for the mouse.
#[derive(Clone, Debug, PartialEq)]
pub enum Hit {
    /// A card of the own hand, by its key.
    Card(u32),
    /// A meld on the table.
    Meld(u16),
    /// The stock.
    Stock,
    /// The discard pile.
    Discard,
    /// A place of a layout.
    Place(usize),
    /// An own card of a layout.
    Own(usize),
    /// A key's word.
    Key(Key),
}

/// How the line is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Link {
    Opening,
    Up,
    Lost,
    Closed(String),
}

/// What a room is drawn on: a page of the terminal, which remembers for the mouse what stands where.
pub struct Page<'a, 'b> {
    frame: &'a mut Frame<'b>,
    hits: &'a mut Vec<(Rect, Hit)>,
    story: &'a VecDeque<String>,
}

impl Page<'_, '_> {
    /// What is drawn on.
    pub fn buffer(&mut self) -> &mut Buffer {
        self.frame.buffer_mut()
    }

    /// A line at the top of a place.
    pub fn line(&mut self, at: Rect, line: Line<'_>) {
        if at.height > 0 {
            self.frame.buffer_mut().set_line(at.x, at.y, &line, at.width);
        }
    }

    /// Lines from the top of a place on, as many as have room.
    pub fn lines(&mut self, at: Rect, lines: Vec<Line<'_>>) {
        for (n, line) in lines.into_iter().enumerate().take(usize::from(at.height)) {
            self.line(Rect { y: at.y + n as u16, height: 1, ..at }, line);
        }
    }

    /// Sentences, broken between words; how many lines they took.
    pub fn prose(&mut self, at: Rect, text: &str, style: Style) -> u16 {
        let lines = textwrap::wrap(text, usize::from(at.width.max(1)));
        let count = (lines.len() as u16).min(at.height);
        self.lines(at, lines.iter().map(|line| Line::from(Span::styled(line.to_string(), style))).collect());
        count
    }

    /// A line across.
    pub fn rule(&mut self, at: Rect) {
        let style = Style::default().add_modifier(Modifier::DIM);
        self.line(at, Line::from(Span::styled("─".repeat(usize::from(at.width)), style)));
    }

    /// A name, what is to be known of it, and a number at the right.
    pub fn columns(&mut self, at: Rect, (name, style): (String, Style), facts: &str, number: &str) {
        let quiet = Style::default().add_modifier(Modifier::DIM);
        let wide = usize::from(at.width);
        let left = format!("{name:<20} ");
        let room = wide.saturating_sub(left.chars().count() + number.chars().count() + 1);
        let facts: String = facts.chars().take(room).collect();
        self.line(
            at,
            Line::from(vec![
                Span::styled(left, style),
                Span::styled(format!("{facts:<room$} "), quiet),
                Span::styled(number.to_owned(), style.add_modifier(Modifier::BOLD)),
            ]),
        );
    }

    /// What happened last, the newest line at the bottom.
    pub fn story(&mut self, at: Rect) {
        let style = Style::default().add_modifier(Modifier::DIM);
        let wide = usize::from(at.width.max(1));
        let mut lines: Vec<String> = Vec::new();
        for told in self.story.iter().rev() {
            let broken = textwrap::wrap(told, wide);
            if lines.len() + broken.len() > usize::from(at.height) {
                break;
            }
            lines.extend(broken.iter().rev().map(|line| line.to_string()));
        }
        lines.reverse();
        self.lines(at, lines.into_iter().map(|line| Line::from(Span::styled(line, style))).collect());
    }

    /// Remembers what stands at a place.
    pub fn hit(&mut self, at: Rect, what: Hit) {
        self.hits.push((at, what));
    }
}

/// A table as somebody at a terminal sees it.
pub struct Room {
    person: Person,
    /// Whether the table is this machine's own.
    at_home: bool,
    client: Client<View>,
    link: Link,
    title: String,
    family: Family,
    invite: Option<Invite>,
    teller: story::Teller,
    story: VecDeque<String>,
    note: Option<(String, f64)>,
    refusal: Option<Refusal>,
    layer: Layer,
    leaves: Option<f64>,
    left: bool,
    rummy: Rummy,
    pattern: PatternTable,
    /// The match that was begun from here.
    begun: Option<u32>,
    /// The match whose record was asked for.
    recorded: Option<u32>,
    advice: Vec<String>,
    orders: VecDeque<Order>,
    hits: Vec<(Rect, Hit)>,
}

impl Room {
    /// A room at whose table nothing is known yet. `number` and `secret` are drawn at random: [`Client::new`].
    #[must_use]
    pub fn new(person: Person, number: u32, secret: [u8; 32], at_home: bool, invite: Option<Invite>) -> Room {
        Room {
            person,
            at_home,
            client: Client::new(number, secret),
            link: Link::Opening,
            title: String::new(),
            family: Family::Contract,
            invite,
            teller: story::Teller::default(),
            story: VecDeque::new(),
            note: None,
            refusal: None,
            layer: Layer::Table,
            leaves: None,
            left: false,
            rummy: Rummy::default(),
            pattern: PatternTable::default(),
            begun: None,
            recorded: None,
            advice: Vec::new(),
            orders: VecDeque::new(),
            hits: Vec::new(),
        }
    }

    /// What this person knows of the match, once there is one.
    #[must_use]
    pub fn view(&self) -> Option<&View> {
        self.client.view()
    }

    fn tongue(&self) -> &'static Speaker {
        self.person.tongue
    }

    /// Whether the person has left.
    #[must_use]
    pub fn is_left(&self) -> bool {
        self.left
    }

    /// Why the table was closed, if it was.
    #[must_use]
    pub fn closed(&self) -> Option<&str> {
        if let Link::Closed(why) = &self.link { Some(why) } else { None }
    }

    /// What is wanted of the table, in order.
    pub fn orders(&mut self) -> impl Iterator<Item = Order> {
        while let Some(frame) = self.client.next_frame() {
            let frame = serde_json::to_string(&frame).expect("frames are JSON");
            self.orders.push_back(Order::Frame(frame));
        }
        std::mem::take(&mut self.orders).into_iter()
    }

    /// Takes in what was heard of the table. `now` is a clock of the caller in milliseconds, from any origin.
    pub fn hear(&mut self, heard: Heard, now: f64) {
        match heard {
            Heard::Up(summary) => {
                self.link = Link::Up;
                if let Some(summary) = summary {
                    if let Ok(game) = rulebook::preset(&summary.preset) {
                        self.family = game.info.family;
                    }
                    let said = summary.say.as_ref().and_then(|say| screen::tell(self.tongue(), say));
                    self.title = said.unwrap_or(summary.title);
                }
                self.client.opened();
            }
            // What is no frame comes of no table of ours.
            Heard::Frame(frame) => _ = self.client.receive_text(&frame, now),
            Heard::Down => {
                self.client.closed();
                self.link = Link::Lost;
            }
            Heard::Recorded(path) => {
                let told = said!(self.tongue(), "terminal.recorded", path = path.display());
                self.story.push_back(told);
            }
            Heard::Unrecorded(why) => {
                let told = said!(self.tongue(), "terminal.unrecorded", why = why);
                self.story.push_back(told);
            }
            Heard::Closed(why) => self.link = Link::Closed(why),
        }
        while let Some(change) = self.client.next_change() {
            self.change(change, now);
        }
        self.sync(now);
    }

    fn change(&mut self, change: Change<View>, now: f64) {
        let tongue = self.tongue();
        match change {
            Change::Notice { notice, .. } => self.notice(&notice),
            Change::Verdict { answer, .. } => match answer {
                Answer::Refused(why) => self.refuse(why),
                Answer::Dropped { text, say } | Answer::NotNow { text, say } => {
                    self.refuse(Refusal { rules: Vec::new(), text, say });
                }
                Answer::Done | Answer::Answered => {}
            },
            Change::Declined { text, say, .. } => {
                self.refuse(Refusal { rules: Vec::new(), text, say });
            }
            Change::Said { seat, phrase } => {
                let words = people::phrase_words(tongue, phrase);
                let told = said!(tongue, "table.says", name = self.name(seat), words = words);
                self.story.push_back(told.clone());
                self.note = Some((told, now + NOTED));
            }
            Change::Error { text, say, retry } => {
                let why = Refusal { rules: Vec::new(), text, say };
                if !retry {
                    self.link = Link::Closed(screen::refusal(tongue, &why));
                }
            }
            Change::Behind { .. } => self.story.push_back(said!(tongue, "table.behind")),
            Change::Unfair { deal } => self.story.push_back(said!(tongue, "table.unfair", n = deal)),
            Change::LeftOut { deal, other } => {
                let key = if other { "table.other_seed" } else { "table.left_out" };
                self.story.push_back(said!(tongue, key, n = deal));
            }
            Change::Lost(claims) => {
                for lost in claims {
                    let name = self.name(lost.seat);
                    self.story.push_back(said!(tongue, "table.lost_race", name = name));
                }
            }
            Change::Welcome(_) | Change::Table | Change::View | Change::Dropped { .. } => {}
        }
        while self.story.len() > STORY {
            self.story.pop_front();
        }
    }

    fn notice(&mut self, notice: &Notice) {
        self.advice.clear();
        let (mut teller, mut pattern) = (std::mem::take(&mut self.teller), std::mem::take(&mut self.pattern));
        let told = match (notice, self.client.view()) {
            (Notice::Contract(notice), Some(View::Contract(view))) => {
                let told = self.desk(|desk| teller.notice(desk, &view.compiled.pack, notice));
                told.map(|told| told.text)
            }
            (Notice::Pattern(notice), Some(View::Pattern(view))) => {
                self.desk(|desk| pattern.tell(desk, view, notice))
            }
            _ => None,
        };
        (self.teller, self.pattern) = (teller, pattern);
        self.story.extend(told);
    }

    fn refuse(&mut self, why: Refusal) {
        self.rummy.refused();
        self.pattern.refused();
        self.refusal = Some(why);
    }

    /// The name of a seat.
    fn name(&self, seat: Seat) -> String {
        let occupant = self.client.table().and_then(|table| table.seats.get(seat.index())?.who.as_ref());
        match occupant {
            Some(who) => people::occupant_name(self.tongue(), who, seat),
            None => said!(self.tongue(), "table.seat", n = seat.0 + 1),
        }
    }

    fn me(&self) -> Option<Seat> {
        if let Viewer::Seat(seat) = self.client.viewer() { Some(seat) } else { None }
    }

    fn desk<T>(&self, tell: impl FnOnce(Desk<'_>) -> T) -> T {
        let name = |seat: Seat| self.name(seat);
        tell(Desk { tongue: self.tongue(), me: self.me(), name: &name })
    }

    fn stage(&self) -> Option<Stage> {
        self.client.table().map(|table| table.stage)
    }

    /// Whether the match rests between two rounds, and whom it waits for.
    fn rests(&self) -> Option<SeatSet> {
        match self.client.table()?.paused {
            Some(Paused::Round { waits_for }) => Some(waits_for),
            _ => None,
        }
    }

    /// Whether this person plays against bots and nobody else: then help is nobody's loss.
    fn practises(&self) -> bool {
        let (Some(me), Some(table)) = (self.me(), self.client.table()) else { return false };
        let others =
            || table.seats.iter().enumerate().filter(|(n, seat)| *n != me.index() && seat.who.is_some());
        others().count() > 0 && others().all(|(_, seat)| matches!(seat.who, Some(Occupant::Bot { .. })))
    }

    fn at(&self, now: f64) -> Millis {
        self.client.clock(now)
    }

    /// Brings what is shown in step with what is known.
    fn sync(&mut self, now: f64) {
        let (me, rests, at) = (self.me(), self.rests().is_some(), self.at(now));
        let playing = self.stage() == Some(Stage::Playing);
        match self.client.share().as_deref() {
            Some(View::Contract(view)) => {
                self.rummy.sync(view, self.client.game(), me.filter(|_| playing), rests, now);
            }
            Some(View::Pattern(view)) => self.pattern.sync(view, me.filter(|_| playing), at),
            None => {}
        }
        self.begin();
        if self.at_home && self.stage() == Some(Stage::Over) && self.recorded != Some(self.client.game()) {
            self.recorded = Some(self.client.game());
            self.orders.push_back(Order::Record);
        }
    }

    /// Begins a match at once where its host sits with nobody but bots: there is nobody to wait for.
    fn begin(&mut self) {
        let Some(table) = self.client.table() else { return };
        let people =
            table.seats.iter().filter(|seat| !matches!(seat.who, Some(Occupant::Bot { .. }))).count();
        let host = self.client.welcome().is_some_and(|welcome| welcome.host);
        let game = table.game;
        if table.stage == Stage::Lobby
            && people == 1
            && host
            && self.me().is_some()
            && self.begun != Some(game)
        {
            self.begun = Some(game);
            self.client.act(Act::Start);
        }
    }

    /// Does what is to be done by itself, and says when it wants to be called again, by the same clock; none where nothing is waited
    /// for.
    pub fn tick(&mut self, now: f64) -> Option<f64> {
        if let Some(command) = self.rummy.due(now) {
            self.client.command(Command::Contract(command));
        }
        self.note.take_if(|(_, until)| *until <= now);
        self.leaves.take_if(|until| *until <= now);
        let runs = self.stage() == Some(Stage::Playing);
        let times = [
            self.rummy.wakes(),
            runs.then_some(now + SECOND),
            self.leaves,
            self.note.as_ref().map(|note| note.1),
        ];
        times.into_iter().flatten().min_by(f64::total_cmp)
    }

    /// Everything that can be done now.
    fn actions(&self, now: f64) -> Vec<Action> {
        let tongue = self.tongue();
        let mut all = Vec::new();
        match self.stage() {
            Some(Stage::Playing) => match self.client.view() {
                Some(View::Contract(view)) => {
                    all.extend(self.desk(|desk| self.rummy.actions(desk, view, self.rests())));
                }
                Some(View::Pattern(view)) => {
                    all.extend(self.desk(|desk| self.pattern.actions(desk, view, self.at(now))));
                }
                None => {}
            },
            Some(Stage::Lobby) => all.extend(self.gathering()),
            Some(Stage::Over) => {
                let label = said!(tongue, "end.rematch");
                all.extend(
                    self.me().map(|_| Action::new(Key::Char('n'), label, Does::Act(Act::Rematch)).main()),
                );
            }
            None => {}
        }
        if self.stage() == Some(Stage::Playing)
            && self.practises()
            && self.client.view().is_some_and(game::View::awaited)
        {
            let contract = matches!(self.client.view(), Some(View::Contract(_)));
            let key = if contract { 'h' } else { 'B' };
            all.push(Action::new(Key::Char(key), said!(tongue, "hint.ask"), Does::Advice));
        }
        if matches!(self.client.table(), Some(TableState { paused: Some(Paused::Asked), .. })) {
            all.push(Action::new(Key::Char('g'), said!(tongue, "table.resume"), Does::Act(Act::Resume)));
        }
        all.push(Action::new(Key::Help, said!(tongue, "terminal.keys"), Does::Show(Layer::Help)));
        let leave = if matches!(self.client.view(), Some(View::Pattern(_))) { 'Q' } else { 'q' };
        all.push(Action::new(Key::Char(leave), said!(tongue, "terminal.leave"), Does::Leave));
        all
    }

    /// What can be done where people gather.
    fn gathering(&self) -> Vec<Action> {
        let tongue = self.tongue();
        let Some(table) = self.client.table() else { return Vec::new() };
        let host = self.client.welcome().is_some_and(|welcome| welcome.host);
        let mut all = Vec::new();
        let act = |key: char, label: String, act: Act| Action::new(Key::Char(key), label, Does::Act(act));
        match self.me() {
            None => {
                let free = table.seats.iter().position(|seat| seat.who.is_none());
                all.extend(
                    free.map(|n| {
                        act('s', said!(tongue, "table.sit"), Act::Sit { seat: Seat(n as u8) }).main()
                    }),
                );
            }
            Some(me) => {
                let ready = table.seats.get(me.index()).is_some_and(|seat| seat.ready);
                let words = if ready { "table.unready" } else { "table.ready" };
                all.push(act('r', said!(tongue, words), Act::Ready { ready: !ready }).main());
                all.push(act('u', said!(tongue, "table.stand"), Act::Stand));
            }
        }
        if host {
            if let Some(free) = table.seats.iter().position(|seat| seat.who.is_none()) {
                let kind = bots::beginner(self.family).name.to_owned();
                let bot = Act::Bot { seat: Seat(free as u8), kind };
                all.push(act('b', said!(tongue, "table.add_bot"), bot));
            }
            all.push(act('g', said!(tongue, "table.start"), Act::Start));
        }
        all
    }

    /// A key was pressed.
    pub fn press(&mut self, event: KeyEvent, now: f64) {
        let Some(key) = Key::of(event) else { return };
        self.key(key, now);
        self.sync(now);
    }

    fn key(&mut self, key: Key, now: f64) {
        if key == Key::Leave {
            self.left = true;
            return;
        }
        if self.closed().is_some() {
            self.left = matches!(key, Key::Enter | Key::Escape | Key::Space | Key::Char(_));
            return;
        }
        match std::mem::take(&mut self.layer) {
            Layer::Typing(text) => return self.typing(text, key),
            Layer::Phrases => {
                if let Key::Char(c) = key
                    && let Some(n) = c.to_digit(10)
                {
                    let phrase = Phrase::ALL.get((n as usize + 9) % 10);
                    phrase.into_iter().for_each(|phrase| self.client.act(Act::Say(*phrase)));
                }
                return;
            }
            // Whatever is pressed takes it away; what it would have done is done the next time.
            Layer::Help | Layer::Sheet => return,
            Layer::Table => {}
        }
        self.refusal = None;
        let actions = self.actions(now);
        // There small letters are cards, and capitals what is to be done.
        let layout = matches!(self.client.view(), Some(View::Pattern(_)));
        let same = |action: &&Action| match (action.key, key) {
            (Key::Char(of), Key::Char(c)) if layout => of == c,
            (Key::Char(of), Key::Char(c)) => of.to_lowercase().eq(c.to_lowercase()),
            (of, key) => of == key,
        };
        // On a layout the letters are cards first.
        let playing = self.stage() == Some(Stage::Playing);
        if playing && self.on_layout(key, now) {
            return;
        }
        if let Some(action) = actions.iter().filter(|action| action.does != Does::Nothing).find(same) {
            return self.act(action.does.clone(), now);
        }
        if playing && self.with_hand(key) {
            return;
        }
        match key {
            Key::Char(':') => self.layer = Layer::Typing(String::new()),
            Key::Char('"') if self.me().is_some() => self.layer = Layer::Phrases,
            Key::Char('v' | 'V') if matches!(self.client.view(), Some(View::Contract(_))) => {
                self.layer = Layer::Sheet
            }
            Key::Char('E') => self.agree_to_end(),
            Key::Escape => self.advice.clear(),
            _ => {}
        }
    }

    fn agree_to_end(&mut self) {
        if let (Some(me), Some(table)) = (self.me(), self.client.table()) {
            let agree = !table.ending.has(me);
            self.client.act(Act::End { agree });
        }
    }

    /// Leaves, if that was meant.
    fn leave(&mut self, now: f64) {
        if self.leaves.is_some() || self.stage() != Some(Stage::Playing) {
            self.left = true;
            return;
        }
        self.leaves = Some(now + LEAVES);
        let words = if self.at_home { "terminal.leave_sure_home" } else { "terminal.leave_sure" };
        self.note = Some((said!(self.tongue(), words), now + LEAVES));
    }

    /// A key that picks a card of a layout, or moves over it.
    fn on_layout(&mut self, key: Key, now: f64) -> bool {
        let Some(shared) = self.client.share() else { return false };
        let View::Pattern(view) = &*shared else { return false };
        let Some(place) = self.pattern.key(view, self.person.letters, key) else { return false };
        self.act(Does::Pattern(place), now);
        true
    }

    /// A key that moves over the hand.
    fn with_hand(&mut self, key: Key) -> bool {
        let Some(shared) = self.client.share() else { return false };
        let View::Contract(view) = &*shared else { return false };
        if key == Key::Escape && !self.rummy.is_busy() {
            return false;
        }
        let Some(does) = self.rummy.silent(key) else { return false };
        self.hand(view, does);
        true
    }

    fn hand(&mut self, view: &contract::View, does: rummy::Does) {
        match self.rummy.act(view, does) {
            Ok(command) => _ = command.map(|command| self.client.command(Command::Contract(command))),
            Err(why) => {
                let text = said!(self.tongue(), why);
                self.refusal = Some(Refusal { rules: Vec::new(), text, say: game::Say::default() });
            }
        }
    }

    fn act(&mut self, does: Does, now: f64) {
        match does {
            Does::Nothing => {}
            Does::Send(command) => _ = self.client.command(command),
            Does::Act(act) => self.client.act(act),
            Does::Rummy(does) => {
                if let Some(View::Contract(view)) = self.client.share().as_deref() {
                    self.hand(view, does);
                }
            }
            Does::Pattern(does) => {
                if let Some(View::Pattern(view)) = self.client.share().as_deref() {
                    let (at, me) = (self.at(now), self.me());
                    let done = self.pattern.act(view, me, at, does);
                    match done {
                        Ok(commands) => commands.into_iter().for_each(|command| {
                            self.client.command(Command::Pattern(command));
                        }),
                        Err(why) => {
                            let text = said!(self.tongue(), why);
                            self.refusal =
                                Some(Refusal { rules: Vec::new(), text, say: game::Say::default() });
                        }
                    }
                }
            }
            Does::Advice => self.ask(),
            Does::Show(layer) => self.layer = layer,
            Does::Leave => self.leave(now),
        }
    }

    /// What the best of the bots would do here, and why.
    fn ask(&mut self) {
        let Some(view) = self.client.share() else { return };
        let bot = match &*view {
            View::Contract(_) => "strong",
            View::Pattern(_) => "hard",
        };
        let tongue = self.tongue();
        let advice = bots::advise(bot, &view).ok().flatten();
        let told = advice.map(|advice| self.desk(|desk| advised(desk, &advice, &view)));
        self.advice =
            told.filter(|told| !told.is_empty()).unwrap_or_else(|| vec![said!(tongue, "hint.none")]);
    }

    /// A key, while a command is typed.
    fn typing(&mut self, mut text: String, key: Key) {
        match key {
            Key::Char(c) if text.len() < TYPED => text.push(c),
            Key::Help => text.push('?'),
            Key::Space => text.push(' '),
            Key::Backspace => _ = text.pop(),
            Key::Escape => return,
            Key::Enter => return self.typed(&text),
            _ => {}
        }
        self.layer = Layer::Typing(text);
    }

    fn typed(&mut self, text: &str) {
        let read = match self.client.view() {
            Some(View::Contract(view)) => {
                contract::Command::parse(text, &view.compiled.pack, false).map(Command::Contract)
            }
            Some(View::Pattern(view)) => {
                pattern::Command::parse(pattern_table::deck(view), text).map(Command::Pattern)
            }
            None => return,
        };
        match read {
            Ok(command) => _ = self.client.command(command),
            Err(why) => {
                self.refusal = Some(Refusal { rules: Vec::new(), text: why, say: game::Say::default() });
            }
        }
    }

    /// The mouse was pressed at a place.
    pub fn click(&mut self, column: u16, row: u16, now: f64) {
        self.layer = Layer::Table;
        let inside = |at: &Rect| at.contains((column, row).into());
        let Some((_, hit)) = self.hits.iter().rev().find(|(at, _)| inside(at)).cloned() else { return };
        self.refusal = None;
        match hit {
            Hit::Card(key) => self.rummy.press(key),
            Hit::Meld(on) => self.act(Does::Rummy(rummy::Does::On(on)), now),
            Hit::Stock => self.key(Key::Char('p'), now),
            Hit::Discard => self.key(Key::Char('t'), now),
            Hit::Place(n) => self.act(Does::Pattern(pattern_table::Does::Place(n)), now),
            Hit::Own(n) => self.act(Does::Pattern(pattern_table::Does::Own(n)), now),
            Hit::Key(key) => self.key(key, now),
        }
        self.sync(now);
    }

    /// Draws the room.
    pub fn draw(&mut self, frame: &mut Frame<'_>, now: f64) {
        let mut hits = Vec::new();
        let area = frame.area();
        let story = std::mem::take(&mut self.story);
        let mut page = Page { frame, hits: &mut hits, story: &story };
        if area.width < LEAST.0 || area.height < LEAST.1 {
            let small = said!(self.tongue(), "terminal.too_small", columns = LEAST.0, rows = LEAST.1);
            page.prose(area, &small, Style::default());
        } else {
            self.draw_room(&mut page, area, now);
        }
        self.story = story;
        self.hits = hits;
    }

    fn draw_room(&self, page: &mut Page<'_, '_>, area: Rect, now: f64) {
        let tongue = self.tongue();
        if let Some(why) = self.closed() {
            let why = if why.is_empty() { said!(tongue, "table.gone") } else { why.to_owned() };
            let used = page.prose(area, &why, Style::default().fg(Color::Red));
            page.prose(
                Rect { y: area.y + used + 1, height: area.height - used - 1, ..area },
                &said!(tongue, "terminal.any_key"),
                Style::default(),
            );
            return;
        }
        let actions = self.actions(now);
        let keys = self.key_lines(area.width, &actions);
        let (prompt, closed, due) = self.prompt(now);
        let prompt_lines =
            textwrap::wrap(&prompt, usize::from(area.width.saturating_sub(8).max(1))).len() as u16;
        let said_below = self.below(closed);
        let below_lines = said_below
            .as_ref()
            .map_or(0, |(text, _)| textwrap::wrap(text, usize::from(area.width)).len() as u16)
            .clamp(1, 4);
        let body = area.height.saturating_sub(1 + prompt_lines + below_lines + keys.len() as u16);
        let [head, table, ask, below, foot] =
            split(area, [1, body, prompt_lines, below_lines, keys.len() as u16]);
        self.draw_head(page, head, now);
        self.draw_table(page, table, now);
        let asks = Style::default().add_modifier(Modifier::BOLD).fg(Color::Cyan);
        page.prose(Rect { width: ask.width.saturating_sub(8), ..ask }, &prompt, asks);
        if let Some(seconds) = due {
            let text = format!("{:>7}", said!(tongue, "ui.seconds", n = seconds));
            let style = if seconds <= 5 { asks.fg(Color::Red) } else { asks };
            page.line(
                Rect { x: ask.right().saturating_sub(7), width: 7, ..ask },
                Line::from(Span::styled(text, style)),
            );
        }
        if let Some((text, style)) = said_below {
            page.prose(below, &text, style);
        }
        self.draw_keys(page, foot, keys);
        self.draw_layer(page, table);
    }

    /// What is asked, what stands in the way, and for how many seconds.
    fn prompt(&self, now: f64) -> (String, Option<Refusal>, Option<u32>) {
        let tongue = self.tongue();
        if let Layer::Typing(text) = &self.layer {
            return (format!(":{text}▏"), None, None);
        }
        let until = |due: f64| ((due - now).max(0.0) / 1000.0).ceil() as u32;
        match (self.stage(), self.client.view()) {
            (Some(Stage::Playing), Some(View::Contract(view))) => {
                let (words, closed) = self.desk(|desk| self.rummy.prompt(desk, view, self.rests()));
                let rest = self
                    .client
                    .table()
                    .filter(|_| self.rests().is_some())
                    .map(|table| table.rest_ms.div_ceil(1000));
                let clock = view.flow.until.map(|due| due.since(self.at(now)).div_ceil(1000));
                let due = self.rummy.passes_at().map(until).or(rest).or(clock);
                (words, closed, due)
            }
            (Some(Stage::Playing), Some(View::Pattern(view))) => {
                let at = self.at(now);
                let (words, due) = self.desk(|desk| self.pattern.prompt(desk, view, at));
                (words, None, due.map(|due| due.since(at).div_ceil(1000)))
            }
            (Some(Stage::Lobby), _) => (self.waits_for(), None, None),
            (Some(Stage::Over), Some(view)) => (self.outcome_words(view), None, None),
            _ => (said!(tongue, "net.opening"), None, None),
        }
    }

    /// Who is waited for where people gather.
    fn waits_for(&self) -> String {
        let tongue = self.tongue();
        let Some(table) = self.client.table() else { return String::new() };
        let free = table.seats.iter().filter(|seat| seat.who.is_none()).count();
        let unready = table.seats.iter().filter(|seat| seat.who.is_some() && !seat.ready).count();
        match (free, unready) {
            (0, 0) => said!(tongue, "table.all_ready"),
            (0, n) => said!(tongue, "table.wait_ready", n = n),
            (n, _) => said!(tongue, "table.wait_seats", n = n),
        }
    }

    fn outcome_words(&self, view: &View) -> String {
        let tongue = self.tongue();
        let Some(outcome) = view.outcome() else { return said!(tongue, "end.title") };
        let winners: Vec<Seat> = outcome.winners.iter().collect();
        match winners[..] {
            [] => said!(tongue, "end.nobody"),
            [seat] if self.me() == Some(seat) => said!(tongue, "end.you_won"),
            [seat] => said!(tongue, "end.winner", name = self.name(seat)),
            _ => {
                let names = self.desk(|desk| desk.names(winners.iter().copied()));
                said!(tongue, "end.winners", names = names)
            }
        }
    }

    /// What is said below the prompt: why something was refused, or is closed, what was said in passing, what a bot advises.
    fn below(&self, closed: Option<Refusal>) -> Option<(String, Style)> {
        let red = Style::default().fg(Color::Red);
        let told = |why: &Refusal| {
            let rules = why.rules.iter().take(3).map(ToString::to_string).collect::<Vec<_>>().join(", ");
            let words = screen::refusal(self.tongue(), why);
            if rules.is_empty() { words } else { format!("{words} ({rules})") }
        };
        if let Some(why) = &self.refusal {
            return Some((told(why), red));
        }
        if let Some((note, _)) = &self.note {
            return Some((note.clone(), Style::default().fg(Color::Yellow)));
        }
        if !self.advice.is_empty() {
            return Some((self.advice.join(" "), Style::default().fg(Color::Green)));
        }
        closed.map(|why| (told(&why), Style::default().add_modifier(Modifier::DIM)))
    }

    fn draw_head(&self, page: &mut Page<'_, '_>, at: Rect, now: f64) {
        let tongue = self.tongue();
        let mut right = Vec::new();
        if self.link == Link::Lost {
            right.push(said!(tongue, "net.lost"));
        }
        if let Some(table) = self.client.table() {
            right.extend(people::paused_words(tongue, table));
            if table.watching > 0 {
                right.push(said!(tongue, "table.watching", n = table.watching));
            }
        }
        if self.client.viewer() == Viewer::Table && self.client.table().is_some() {
            right.push(said!(tongue, "table.spectating"));
        }
        if let Some(Stage::Playing) = self.stage() {
            right.push(people::time_text(self.at(now).0));
        }
        let (right, wide) = (right.join(" · "), usize::from(at.width));
        let room = wide.saturating_sub(right.chars().count() + 1);
        let title: String = format!(" {}", self.title).chars().take(room).collect();
        let text = format!("{title:<room$} {right}");
        page.line(at, Line::from(Span::styled(text, Style::default().add_modifier(Modifier::REVERSED))));
    }

    fn draw_table(&self, page: &mut Page<'_, '_>, at: Rect, now: f64) {
        match (self.stage(), self.client.view()) {
            (Some(Stage::Lobby), _) => self.draw_gathering(page, at),
            (stage, Some(View::Contract(view))) => {
                let at =
                    if stage == Some(Stage::Over) { self.draw_outcome(page, at, view.outcome()) } else { at };
                self.desk(|desk| self.rummy.draw(page, at, desk, view, self.rests()));
            }
            (stage, Some(View::Pattern(view))) => {
                let at =
                    if stage == Some(Stage::Over) { self.draw_outcome(page, at, view.outcome()) } else { at };
                self.desk(|desk| self.pattern.draw(page, at, desk, view, self.person.letters, self.at(now)));
            }
            _ => {}
        }
    }

    fn draw_gathering(&self, page: &mut Page<'_, '_>, at: Rect) {
        let tongue = self.tongue();
        let Some(table) = self.client.table() else { return };
        let mut lines = Vec::new();
        for (n, state) in table.seats.iter().enumerate() {
            let seat = Seat(n as u8);
            let name = match &state.who {
                Some(who) => people::occupant_name(tongue, who, seat),
                None => said!(tongue, "table.free"),
            };
            let mut facts = Vec::new();
            if self.me() == Some(seat) {
                facts.push(said!(tongue, "table.you"));
            }
            if state.who.is_some() {
                let words = if state.ready { "table.is_ready" } else { "table.not_ready" };
                facts.push(said!(tongue, words));
                if !state.connected {
                    facts.push(said!(tongue, "table.away"));
                }
            }
            lines.push(Line::from(format!("  {} {name:<24} {}", n + 1, facts.join(" · "))));
        }
        if let Some(invite) = &self.invite {
            lines.push(Line::from(""));
            lines.push(Line::from(format!("  {}", said!(tongue, "table.invite_friends"))));
            let style = Style::default().add_modifier(Modifier::BOLD);
            lines.push(Line::from(Span::styled(format!("  {}", invite.link), style)));
            let used = lines.len() as u16 + 1;
            page.lines(at, lines);
            let below = Rect { y: at.y + used, height: at.height.saturating_sub(used), ..at };
            if let Some(code) = &invite.code
                && code.lines().count() <= usize::from(below.height)
            {
                page.lines(below, code.lines().map(|line| Line::from(format!("  {line}"))).collect());
            }
            return;
        }
        page.lines(at, lines);
    }

    /// How the match ended; what is left of the place.
    fn draw_outcome(&self, page: &mut Page<'_, '_>, at: Rect, outcome: Option<&game::Outcome>) -> Rect {
        let tongue = self.tongue();
        let Some(outcome) = outcome else { return at };
        let mut seats: Vec<usize> = (0..outcome.places.len()).collect();
        seats.sort_by_key(|&n| outcome.places[n]);
        let bold = Style::default().add_modifier(Modifier::BOLD);
        let head = format!(
            "{:>6}  {:<24} {:>8}",
            said!(tongue, "end.place"),
            said!(tongue, "end.player"),
            said!(tongue, "end.score")
        );
        let mut lines = vec![Line::from(Span::styled(head, bold))];
        for n in seats {
            let name = self.desk(|desk| desk.name_or_you(Seat(n as u8)));
            let score = outcome.scores.get(n).copied().unwrap_or_default();
            lines.push(Line::from(format!("{:>6}  {name:<24} {score:>8}", outcome.places[n])));
        }
        if !outcome.ranked {
            lines.push(Line::from(said!(tongue, "end.unranked")));
        }
        // Where the record is stands there, too.
        let last = page.story.back().map(|last| textwrap::wrap(last, usize::from(at.width)));
        lines.extend(last.into_iter().flatten().map(|line| Line::from(line.into_owned())));
        let used = (lines.len() as u16 + 1).min(at.height);
        page.lines(at, lines);
        Rect { y: at.y + used, height: at.height - used, ..at }
    }

    /// The keys with what they do, as lines.
    fn key_lines(&self, wide: u16, actions: &[Action]) -> Vec<Vec<(Action, u16)>> {
        let mut lines: Vec<Vec<(Action, u16)>> = vec![Vec::new()];
        let mut used = 0;
        for action in actions {
            let width =
                (action.key.cap(self.tongue()).chars().count() + action.label.chars().count() + 2) as u16;
            if used + width > wide && used > 0 {
                if lines.len() == 3 {
                    break;
                }
                lines.push(Vec::new());
                used = 0;
            }
            used += width + 2;
            if let Some(line) = lines.last_mut() {
                line.push((action.clone(), width));
            }
        }
        lines
    }

    fn draw_keys(&self, page: &mut Page<'_, '_>, at: Rect, lines: Vec<Vec<(Action, u16)>>) {
        for (n, actions) in lines.into_iter().enumerate() {
            let mut x = at.x;
            let y = at.y + n as u16;
            if y >= at.bottom() {
                return;
            }
            for (action, wide) in actions {
                let style = if action.main {
                    Style::default().add_modifier(Modifier::BOLD)
                } else {
                    Style::default()
                };
                let place = Rect { x, y, width: wide.min(at.right().saturating_sub(x)), height: 1 };
                page.hit(place, Hit::Key(action.key));
                let cap = Span::styled(
                    action.key.cap(self.tongue()),
                    style.fg(Color::Yellow).add_modifier(Modifier::BOLD),
                );
                page.line(place, Line::from(vec![cap, Span::styled(format!(" {}", action.label), style)]));
                x += wide + 2;
            }
        }
    }

    fn draw_layer(&self, page: &mut Page<'_, '_>, at: Rect) {
        let tongue = self.tongue();
        let lines: Vec<Line<'static>> = match (&self.layer, self.client.view()) {
            (Layer::Table | Layer::Typing(_), _) => return,
            (Layer::Sheet, Some(View::Contract(view))) => self.desk(|desk| rummy::score_sheet(desk, view)),
            (Layer::Phrases, _) => {
                let phrase = |(n, &phrase): (usize, &Phrase)| {
                    Line::from(format!("{}  {}", (n + 1) % 10, people::phrase_words(tongue, phrase)))
                };
                Phrase::ALL.iter().enumerate().map(phrase).collect()
            }
            (_, view) => {
                let of = match view {
                    Some(View::Pattern(_)) => "terminal.help_pattern",
                    _ => "terminal.help_contract",
                };
                let text = format!("{} {}", said!(tongue, of), said!(tongue, "terminal.help"));
                let wide = usize::from(at.width.saturating_sub(6)).clamp(20, 76);
                let sentences = text.split(" · ").map(str::to_owned).collect::<Vec<_>>();
                sentences
                    .iter()
                    .flat_map(|sentence| {
                        textwrap::wrap(sentence, wide)
                            .into_iter()
                            .map(|line| line.into_owned())
                            .collect::<Vec<_>>()
                    })
                    .map(Line::from)
                    .collect()
            }
        };
        let wide = lines.iter().map(Line::width).max().unwrap_or(0) as u16 + 4;
        let (width, height) = (wide.min(at.width), (lines.len() as u16 + 2).min(at.height));
        let place =
            Rect { x: at.x + (at.width - width) / 2, y: at.y + (at.height - height) / 2, width, height };
        let edge = ratatui::widgets::Block::bordered().border_type(ratatui::widgets::BorderType::Rounded);
        let inside = edge.inner(place);
        page.frame.render_widget(ratatui::widgets::Clear, place);
        page.frame.render_widget(edge, place);
        let inside = Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside };
        page.lines(inside, lines);
    }
}

/// What a bot would do, and why, in sentences.
fn advised(desk: Desk<'_>, advice: &bots::Advice, view: &View) -> Vec<String> {
    let tell = |say: &game::Say| screen::tell(desk.tongue, say).unwrap_or_default();
    match (advice, view) {
        (bots::Advice::Contract(advice), View::Contract(view)) => {
            let card = |face| screen::card::playing_short(desk.tongue, &view.compiled.pack, face);
            let name = |seat: Seat| desk.name(seat);
            let words = bots::contract::Words { card: &card, name: &name };
            let action = tell(&advice.action(words));
            std::iter::once(action).chain(advice.reasons(words).iter().map(tell)).collect()
        }
        (bots::Advice::Pattern(advice), View::Pattern(view)) => {
            let deck = pattern_table::deck(view);
            let card = |point| crate::art::small_text(desk.tongue, deck, point).0;
            let action = tell(&advice.action(&card));
            std::iter::once(action).chain(advice.reasons(&card).iter().map(tell)).collect()
        }
        _ => Vec::new(),
    }
}
