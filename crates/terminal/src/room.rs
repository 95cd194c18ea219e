//! What a person sees of a table, and what their keys do: a state machine that takes frames, keys and presses of the mouse, and draws.

mod drawn;

use crate::key::{Action, Does, Key, Layer};
use crate::line::{Heard, Order};
use crate::page::Hit;
use crate::pattern_table::{self, PatternTable};
use crate::rummy::{self, Rummy};
use game::{Millis, Refusal, Seat, SeatSet, Viewer};
use ratatui::crossterm::event::KeyEvent;
use ratatui::layout::Rect;
use rulebook::{Command, Family, Notice, View};
use screen::keys::Letters;
use screen::{Desk, people, story};
use std::collections::VecDeque;
use wire::client::{Change, Client};
use wire::{Act, Answer, Occupant, Paused, Phrase, Stage, TableState};
use words::{Speaker, said};

/// Lines of the story that are remembered.
const STORY: usize = 400;
/// Longest command that can be typed.
const TYPED: usize = 400;
/// Letters of a name that are shown: that of a person, or of a bot with its level.
const LONGEST_NAME: usize = 40;
/// How long something said in passing is seen, in milliseconds.
const NOTED: f64 = 6000.0;
/// How long what is asked again waits to be pressed once more.
const AGAIN: f64 = 4000.0;
/// How often a clock that runs is drawn anew.
const SECOND: f64 = 250.0;

/// What others are sent to come to a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invite {
    /// The link.
    pub link: String,
    /// The same as a code for phones, drawn with blocks.
    pub code: Option<String>,
    /// How the links begin by which matches are looked at again: their record's id follows.
    pub replays: String,
}

/// Who sits before the terminal.
#[derive(Clone, Copy)]
pub struct Person {
    /// In which language they are spoken to.
    pub tongue: &'static Speaker,
    /// The letters of their keyboard.
    pub letters: Letters,
}

/// What cannot be taken back, so that it is to be pressed twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grave {
    Leave,
    End,
    GiveUp,
}

/// How the line is.
#[derive(Clone, Debug, PartialEq)]
enum Link {
    Opening,
    Up,
    /// From when on that is told. A table that goes on at another machine is there again before.
    Lost(f64),
    Closed(String),
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
    /// The match that is told of.
    told_of: u32,
    note: Option<(String, f64)>,
    refusal: Option<Refusal>,
    layer: Layer,
    /// What was pressed once, and until when it waits to be pressed again.
    pressed: Option<(Grave, f64)>,
    /// When the pause between two rounds is over at the latest, by the caller's clock.
    rest_until: Option<f64>,
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
            told_of: 0,
            note: None,
            refusal: None,
            layer: Layer::Table,
            pressed: None,
            rest_until: None,
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
        // What is closed for good stays so, whatever becomes of its line.
        if self.closed().is_some() {
            return;
        }
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
                if !matches!(self.link, Link::Lost(_)) {
                    self.link = Link::Lost(now + f64::from(wire::UNNOTICED_MS));
                }
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
            Change::Dropped { .. } => self.unsent(),
            Change::Table => {
                let rest = self.client.table().filter(|_| self.rests().is_some());
                self.rest_until = rest.map(|table| now + f64::from(table.rest_ms));
            }
            Change::View => {
                // Another match is another story.
                if self.told_of != self.client.game() {
                    self.told_of = self.client.game();
                    self.story.clear();
                }
                if let Some(View::Contract(view)) = self.client.view() {
                    self.teller = story::Teller::of(view);
                }
            }
            Change::Welcome(welcome) => {
                if welcome.kept_out {
                    self.refuse(game::say!("no_table.removed").into());
                }
            }
        }
        while self.story.len() > STORY {
            self.story.pop_front();
        }
    }

    fn notice(&mut self, notice: &Notice) {
        self.advice.clear();
        let (mut teller, mut pattern) = (std::mem::take(&mut self.teller), std::mem::take(&mut self.pattern));
        let told = match (notice, self.client.view()) {
            // What happened in one round is not taken for the next one's.
            (
                Notice::Contract(contract::Notice::Open(contract::Event::Round { .. })),
                Some(View::Contract(view)),
            ) => Some(format!("── {} ──", screen::contract::round_words(self.tongue(), view))),
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

    /// Sends a command. What is not known to arrive is refused, not sent when its moment has passed.
    fn send(&mut self, command: Command) {
        if self.client.is_up() {
            self.client.command(command);
        } else {
            self.unsent();
        }
    }

    fn unsent(&mut self) {
        self.refuse(game::say!("net.unsent").into());
    }

    /// The name of a seat.
    fn name(&self, seat: Seat) -> String {
        let state = self.client.table().and_then(|table| table.seats.get(seat.index()));
        match state.and_then(|state| people::seat_name(self.tongue(), state, seat)) {
            Some(name) => name.chars().take(LONGEST_NAME).collect(),
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
        let person = |who: &Occupant| matches!(who, Occupant::Person { .. });
        screen::people::practises(me, table.seats.iter().map(|seat| seat.who.as_ref().map(person)))
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
            Some(View::Pattern(view)) => {
                self.pattern.sync(view, self.client.game(), me.filter(|_| playing), at);
            }
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
        if self.client.is_up()
            && let Some(command) = self.rummy.due(now)
        {
            self.client.command(Command::Contract(command));
        }
        self.note.take_if(|(_, until)| *until <= now);
        self.pressed.take_if(|(_, until)| *until <= now);
        let runs = self.stage() == Some(Stage::Playing);
        let times = [
            self.rummy.wakes().filter(|_| self.client.is_up()),
            runs.then_some(now + SECOND),
            self.pressed.map(|(_, until)| until),
            self.note.as_ref().map(|note| note.1),
            if let Link::Lost(told) = self.link { Some(told).filter(|told| *told > now) } else { None },
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
            // A hint of the game itself has its own price.
            let taken = all.iter().any(|action: &Action| action.key == Key::Char('H'));
            let key = if contract {
                'h'
            } else if taken {
                'B'
            } else {
                'H'
            };
            all.push(Action::new(Key::Char(key), said!(tongue, "hint.ask"), Does::Advice));
        }
        if matches!(self.client.table(), Some(TableState { paused: Some(Paused::Asked), .. })) {
            // On a layout small letters are cards.
            let layout = matches!(self.client.view(), Some(View::Pattern(_)));
            let key = Key::Char(if layout { 'R' } else { 'g' });
            all.push(Action::new(key, said!(tongue, "table.resume"), Does::Act(Act::Resume)));
        }
        all.push(Action::new(Key::Help, said!(tongue, "terminal.keys"), Does::Show(Layer::Help(0))));
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
                let kept_out = self.client.welcome().is_some_and(|welcome| welcome.kept_out);
                let free = table.seats.iter().position(|seat| seat.who.is_none() && !kept_out);
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

    /// A text was pasted: part of a command that is being typed, and nothing else.
    pub fn paste(&mut self, text: &str) {
        if let Layer::Typing(typed) = &mut self.layer {
            let room = TYPED.saturating_sub(typed.len());
            typed.extend(text.chars().filter(|c| !c.is_control()).take(room));
        }
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
            Layer::Help(from) if key == Key::Down => {
                self.layer = Layer::Help(from.saturating_add(1));
                return;
            }
            Layer::Help(from) if key == Key::Up => {
                self.layer = Layer::Help(from.saturating_sub(1));
                return;
            }
            // Whatever else is pressed takes it away; what it would have done is done the next time.
            Layer::Help(_) | Layer::Sheet => return,
            Layer::Table => {}
        }
        self.refusal = None;
        self.advice.clear();
        let actions = self.actions(now);
        // There small letters are cards, and capitals what is to be done.
        let playing = self.stage() == Some(Stage::Playing);
        let layout = playing && matches!(self.client.view(), Some(View::Pattern(_)));
        let same = |action: &&Action| match (action.key, key) {
            (Key::Char(of), Key::Char(c)) if layout => of == c,
            (Key::Char(of), Key::Char(c)) => of.to_lowercase().eq(c.to_lowercase()),
            (of, key) => of == key,
        };
        // On a layout the letters are cards first; Enter is what stands below.
        let offered = key == Key::Enter && actions.iter().any(|action| action.key == Key::Enter);
        if playing && !offered && self.on_layout(key, now) {
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
            Key::Char('E') => self.agree_to_end(now),
            Key::Escape => self.advice.clear(),
            _ => {}
        }
    }

    /// Agrees to end the match now, if that was meant; or no longer.
    fn agree_to_end(&mut self, now: f64) {
        let (Some(me), Some(table)) = (self.me(), self.client.table()) else { return };
        if table.stage != Stage::Playing {
            return;
        }
        let agree = !table.ending.has(me);
        if !agree || self.again(Grave::End, "terminal.end_sure", now) {
            self.client.act(Act::End { agree });
        }
    }

    /// Leaves, if that was meant.
    fn leave(&mut self, now: f64) {
        let words = if self.at_home { "terminal.leave_sure_home" } else { "terminal.leave_sure" };
        self.left = self.stage() != Some(Stage::Playing) || self.again(Grave::Leave, words, now);
    }

    /// Whether this is pressed for the second time; at the first it is asked, by the key of a sentence.
    fn again(&mut self, what: Grave, words: &str, now: f64) -> bool {
        if self.pressed.take_if(|(pressed, _)| *pressed == what).is_some() {
            return true;
        }
        self.pressed = Some((what, now + AGAIN));
        self.note = Some((said!(self.tongue(), words), now + AGAIN));
        false
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
        if let Some(does) = self.rummy.silent(view, key) {
            self.hand(view, does);
            return true;
        }
        // A key of the game that does nothing now says why.
        let why = self.rummy.why(view, key);
        let says = why.is_some();
        self.refusal = why.or(self.refusal.take());
        says
    }

    fn hand(&mut self, view: &contract::View, does: rummy::Does) {
        let on = matches!(does, rummy::Does::On(_));
        match self.rummy.act(view, does) {
            // Where nothing can be laid off at all, that is said.
            Ok(None) if on && !self.rummy.is_half_done() => self.refusal = self.rummy.no_lay_off(),
            Ok(command) => command.into_iter().for_each(|command| self.send(Command::Contract(command))),
            Err(why) => {
                self.refusal = Some(game::Say::new(why).into());
            }
        }
    }

    fn act(&mut self, does: Does, now: f64) {
        match does {
            Does::Nothing => {}
            Does::Send(command @ Command::Pattern(pattern::Command::GiveUp)) => {
                if self.again(Grave::GiveUp, "terminal.give_up_sure", now) {
                    self.send(command);
                }
            }
            Does::Send(command) => self.send(command),
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
                        Ok(commands) => {
                            commands.into_iter().for_each(|command| self.send(Command::Pattern(command)));
                        }
                        Err(why) => {
                            self.refusal = Some(game::Say::new(why).into());
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
                pattern::Command::parse(screen::board::deck(view), text).map(Command::Pattern)
            }
            None => return,
        };
        match read {
            Ok(command) => self.send(command),
            Err(why) => {
                self.refusal = Some(Refusal::slip(why));
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
            // The key for it has other meanings, too.
            Hit::Stock => {
                use contract::Command::{DrawPush, DrawStock};
                let draws = |does: &Does| matches!(does, Does::Send(Command::Contract(DrawStock | DrawPush)));
                let draw = self.actions(now).into_iter().find(|action| draws(&action.does));
                draw.into_iter().for_each(|action| self.act(action.does, now));
            }
            Hit::Discard => self.key(Key::Char('t'), now),
            Hit::Place(n) => self.act(Does::Pattern(pattern_table::Does::Place(n)), now),
            Hit::Own(n) => self.act(Does::Pattern(pattern_table::Does::Own(n)), now),
            Hit::Key(key) => self.key(key, now),
        }
        self.sync(now);
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
            let deck = screen::board::deck(view);
            let card = |point| crate::art::small_text(desk.tongue, deck, point).0;
            let action = tell(&advice.action(&card));
            std::iter::once(action).chain(advice.reasons(&card).iter().map(tell)).collect()
        }
        _ => Vec::new(),
    }
}
