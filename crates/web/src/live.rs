//! The socket of a table: drives `wire::client`, which holds everything that is to be known about the protocol.
//!
//! The socket is opened again by itself, at once when the page is seen again or the network is back, else after a pause
//! that grows; the client then tells the server what it had, and goes on from there. A socket that may be dead is asked for an
//! answer, and replaced if none comes.

use crate::desk::{Clock, Person, Rest};
use crate::lang::PAGE;
use crate::scene::Scene;
use crate::screens::Family;
use crate::{api, dom, handover, lang, t, ui};
use game::{Outcome, Refusal, Seat, View as _, Viewer};
use leptos::prelude::*;
use rulebook::{Only, Part};
use screen::people;
use serde::{Serialize, de::DeserializeOwned};
use std::collections::VecDeque;
use std::sync::Arc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wire::client::{Change, Client, ToClientOf};
use wire::{Act, Answer, Occupant, Paused, Phrase, Stage, TableState, ToClient, UNNOTICED_MS};

/// How the connection is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// It is being opened.
    Opening,
    /// It is there.
    Up,
    /// The table goes on at another machine at once: what is done meanwhile waits for that.
    Moving,
    /// It was lost and is being opened again.
    Lost,
    /// It is closed for good, with a reason.
    Closed(String),
}

impl Link {
    /// Whether one can act, as far as people need to know.
    #[must_use]
    pub fn carries(&self) -> bool {
        matches!(self, Link::Up | Link::Moving)
    }
}

/// Something said at the table, for a few seconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bubble {
    /// Counts what was said.
    pub n: u32,
    /// Who said it.
    pub seat: Seat,
    /// What.
    pub phrase: Phrase,
}

/// A table, whatever is played there.
#[derive(Clone, Copy)]
pub struct Room {
    /// How the connection is.
    pub link: RwSignal<Link>,
    /// How things stand at the table.
    pub table: RwSignal<Option<TableState>>,
    /// When that was told, on the browser's clock.
    told: RwSignal<f64>,
    /// Whose eyes.
    pub viewer: RwSignal<Viewer>,
    /// Whether this person is the host.
    pub host: RwSignal<bool>,
    /// Whether the host has taken this person from their seat, and not let them back.
    pub kept_out: RwSignal<bool>,
    /// How the match ended, once it has.
    pub outcome: Signal<Option<Outcome>>,
    /// Which family of games is played.
    pub family: rulebook::Family,
    /// Match time.
    pub clock: Clock,
    /// The last refusal, and a counter.
    pub refused: RwSignal<(u32, Refusal)>,
    /// What was said lately.
    pub said: RwSignal<Vec<Bubble>>,
    acts: Callback<Act>,
    voice: ui::Voice,
}

/// A table, live, with the match on it.
pub struct Live<F: Family> {
    core: StoredValue<Core<F>, LocalStorage>,
    /// The table.
    pub room: Room,
    /// What this viewer knows of the match.
    pub scene: Scene<F>,
    /// Notices as they come, for what a view does not tell (who took which card).
    pub heard: RwSignal<Vec<(u32, Arc<F::Notice>)>>,
}

impl<F: Family> Clone for Live<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F: Family> Copy for Live<F> {}

struct Core<F: Family> {
    id: String,
    client: Client<Only<F::View>>,
    socket: Option<web_sys::WebSocket>,
    /// Counts sockets, so that a late event of an old one is known as such.
    serial: u32,
    /// Failed attempts in a row.
    failures: u32,
    /// Whether to open the socket again.
    again: bool,
    /// Whether the table goes on elsewhere at once: there is nothing to wait for before it is asked for again.
    moves: bool,
    /// What is to be said where it goes on.
    later: Vec<Saying<F>>,
    /// Which match at this table.
    game: u32,
    /// The frames that told what is still kept of what happened in it.
    told: VecDeque<String>,
    /// Whether this person has asked to leave their seat.
    stands: bool,
    /// When the last frame came, or the socket was asked for, by the clock on the wall, which goes on while a device sleeps.
    heard_at: f64,
    /// When an answer was last asked for to see whether the socket is there.
    probed_at: f64,
    /// Milliseconds in which a socket in doubt must answer; else another takes its place.
    patience: f64,
}

/// What a client is told to say.
type Saying<F> = Box<dyn FnOnce(&mut Client<Only<<F as Family>::View>>)>;

/// The least and the most patience. A phone that slept does not know that its connection died; a slow line is not dead.
const PATIENCE: [f64; 2] = [400.0, 10_000.0];

/// Milliseconds in which a new socket must be welcomed, by a server and by the table of this device, which is loaded first.
const WELCOME: [i32; 2] = [6000, 60_000];

/// The id of the table of this device. (Those of a server are longer.)
pub const HOME: &str = "home";

/// Milliseconds without a frame after which a socket is in doubt: when the page wakes up, while a command waits for its
/// answer, and at any time (the server pings every 15 s).
const SILENT: [f64; 3] = [1000.0, 2500.0, 20_000.0];

/// Milliseconds between two ticks of the clock after which the device must have slept.
const SLEPT: f64 = 3000.0;

/// Most notices kept for the list of what happened, and most frames that told them.
const KEPT: usize = 400;

/// Sends what a client has to say.
pub fn send_all<V>(client: &mut Client<V>, socket: &web_sys::WebSocket)
where
    V: game::View<Command: Clone + Serialize, Notice: DeserializeOwned> + DeserializeOwned,
{
    while let Some(frame) = client.next_frame() {
        if let Ok(text) = serde_json::to_string(&frame) {
            let _ = socket.send_with_str(&text);
        }
    }
}

impl<F: Family> Live<F> {
    /// Opens the socket of a table. It is closed when the owner of this is dropped.
    #[must_use]
    pub fn open(id: &str) -> Live<F> {
        let core = Core {
            id: id.to_owned(),
            client: handover::client(id),
            socket: None,
            serial: 0,
            failures: 0,
            again: true,
            moves: false,
            later: Vec::new(),
            game: 0,
            told: VecDeque::new(),
            stands: false,
            heard_at: 0.0,
            probed_at: 0.0,
            patience: PATIENCE[0],
        };
        let core = StoredValue::new_local(core);
        let scene = Scene::<F>::new();
        let room = Room {
            link: RwSignal::new(Link::Opening),
            table: RwSignal::new(None),
            told: RwSignal::new(0.0),
            viewer: RwSignal::new(Viewer::Table),
            host: RwSignal::new(false),
            kept_out: RwSignal::new(false),
            outcome: Signal::derive(move || scene.with(|view| view.outcome().cloned()).flatten()),
            family: F::View::FAMILY,
            clock: Clock::new(),
            refused: RwSignal::new((0, Refusal::default())),
            said: RwSignal::new(Vec::new()),
            acts: Callback::new(|_| {}),
            voice: ui::voice(),
        };
        let mut live = Live { core, room, scene, heard: RwSignal::new(Vec::new()) };
        let sender = live;
        live.room.acts = Callback::new(move |act| {
            sender.core.update_value(|core| core.stands |= act == Act::Stand);
            sender.send(|client| client.act(act));
        });
        let live = live;
        if let Some((game, frames)) = handover::told(id) {
            live.retell(game, frames);
        }
        // What another page has heard of this table stands at once, and is gone on with as after a broken line.
        live.tell();
        live.room.link.set(Link::Opening);
        // A match that was about to begin has begun.
        if room.table.with_untracked(|table| table.as_ref().is_some_and(|table| table.stage == Stage::Lobby))
        {
            room.table.set(None);
        }
        live.connect();
        handover::end_first();
        // A sleeping phone that wakes is back at once, not when its next pause is over.
        let wake = move |silent: f64| {
            if dom::visible() {
                live.wake(silent);
            }
        };
        // (`visibilitychange` is the document's event, and bubbles.)
        let handles = ["visibilitychange", "pageshow", "focus"]
            .map(|event| window_event_listener_untyped(event, move |_| wake(SILENT[0])));
        let online = window_event_listener_untyped("online", move |_| live.online());
        let leaves = window_event_listener_untyped("pagehide", move |_| {
            live.core.with_value(|core| handover::leave_told(&core.id, core.game, &core.told));
        });
        // Not every device says that it slept, and no browser that its line went dead.
        Effect::new(move |before: Option<f64>| {
            let _ = live.room.clock.now();
            let now = js_sys::Date::now();
            let (up, waits) =
                live.core.with_value(|core| (core.client.is_up(), core.client.unanswered().next().is_some()));
            if before.is_some_and(|before| now - before > SLEPT) {
                wake(SILENT[0]);
            } else if up {
                wake(SILENT[if waits { 1 } else { 2 }]);
            }
            now
        });
        on_cleanup(move || {
            for handle in handles {
                handle.remove();
            }
            online.remove();
            leaves.remove();
            live.close();
        });
        live
    }

    fn close(self) {
        let socket = self.core.try_update_value(|core| {
            core.again = false;
            core.serial += 1;
            core.socket.take()
        });
        if let Some(Some(socket)) = socket {
            let _ = socket.close();
        }
    }

    /// Takes in what was told of a match before this page was opened anew: for the list of what happened alone, since how things stand
    /// comes from the server.
    fn retell(self, game: u32, frames: VecDeque<String>) {
        let notices = frames.iter().filter_map(|frame| match wire::json::from_str(frame) {
            Ok(ToClientOf::<Only<F::View>>::Notices { n, list, .. }) => Some((n, list)),
            Ok(_) | Err(_) => None,
        });
        let each = notices.flat_map(|(n, list)| (n..).zip(list));
        self.heard.set(each.map(|(n, notice)| (n, Arc::new(notice.0))).collect());
        self.core.update_value(|core| {
            core.game = game;
            core.told = frames;
        });
    }

    fn connect(self) {
        let (home, url) = self.core.with_value(|core| (core.id == HOME, api::socket_url(&core.id)));
        let socket = if home { dom::home_line(F::View::FAMILY.name()) } else { dom::line(&url) };
        let Ok(socket) = socket else { return self.lost() };
        let serial = self.core.try_update_value(|core| {
            core.serial += 1;
            core.heard_at = js_sys::Date::now();
            if let Some(old) = core.socket.replace(socket.clone()) {
                let _ = old.close();
            }
            core.serial
        });
        let Some(serial) = serial else { return };
        let current = move || self.core.try_with_value(|core| core.serial == serial).unwrap_or(false);
        let opens = move || {
            if current() {
                self.core.update_value(|core| core.client.opened());
                self.flush();
            }
        };
        let opened = Closure::<dyn FnMut(JsValue)>::new(move |_| opens());
        let message =
            Closure::<dyn FnMut(web_sys::MessageEvent)>::new(move |event: web_sys::MessageEvent| {
                if let (true, Some(text)) = (current(), event.data().as_string()) {
                    self.receive(&text);
                }
            });
        let closed = Closure::<dyn FnMut(JsValue)>::new(move |_| {
            if current() {
                self.lost();
            }
        });
        self.unless_heard(WELCOME[usize::from(home)], Live::lost);
        socket.set_onopen(Some(opened.as_ref().unchecked_ref()));
        socket.set_onmessage(Some(message.as_ref().unchecked_ref()));
        socket.set_onclose(Some(closed.as_ref().unchecked_ref()));
        if socket.ready_state() == web_sys::WebSocket::OPEN {
            opens();
        }
        // They live as long as the socket may call them.
        opened.forget();
        message.forget();
        closed.forget();
    }

    /// The socket is not there any more. Gives its successor's number and the failures in a row, if there is to be one.
    fn drop_socket(self) -> Option<(u32, u32)> {
        let again = self.core.try_update_value(|core| {
            core.client.closed();
            if let Some(socket) = core.socket.take() {
                let _ = socket.close();
            }
            core.serial += 1;
            core.failures += 1;
            core.again.then_some((core.serial, core.failures))
        })?;
        // What goes on at the table is not known until the next welcome.
        self.room.clock.set(self.room.clock.read(), false);
        if again.is_some() {
            self.unlinked();
        }
        again
    }

    /// Says how the connection is that was lost.
    fn unlinked(self) {
        let link = self.room.link;
        match link.get_untracked() {
            Link::Moving => {}
            Link::Up if self.core.try_with_value(|core| core.moves).unwrap_or(false) => {
                link.set(Link::Moving);
                dom::after(UNNOTICED_MS.into(), move || {
                    if link.try_get_untracked() == Some(Link::Moving) {
                        link.set(Link::Lost);
                        self.not_said();
                    }
                });
            }
            _ => link.set(Link::Lost),
        }
    }

    /// What waited for the table to be there again is not said any more.
    fn not_said(self) {
        let waited = self.core.try_update_value(|core| std::mem::take(&mut core.later));
        if waited.is_some_and(|waited| !waited.is_empty()) {
            self.room.refuse(Refusal::slip(t!("net.unsent")));
        }
    }

    fn lost(self) {
        let Some((serial, failures)) = self.drop_socket() else { return };
        let moves = self.core.try_update_value(|core| std::mem::take(&mut core.moves)).unwrap_or(false);
        let base = if moves { 100.0 } else { 250.0 * f64::from(1u32 << failures.min(6)) };
        let pause = (base * (0.75 + js_sys::Math::random() / 2.0)) as i32;
        dom::after(pause.min(10_000), move || {
            if self.core.try_with_value(|core| core.serial == serial && core.again).unwrap_or(false) {
                self.connect();
            }
        });
    }

    /// Opens the socket at once if it is not there, or has been `silent` for so long and does not answer when asked.
    fn wake(self, silent: f64) {
        let now = js_sys::Date::now();
        let there = self.core.try_update_value(|core| {
            let there = core.socket.as_ref().is_some_and(|s| s.ready_state() <= 1);
            // A table of this device is silent only while a bot thinks, or the device sleeps.
            let doubt = core.id != HOME && now - core.heard_at > silent && core.probed_at < core.heard_at;
            if there && doubt {
                core.probed_at = now;
                core.client.probe();
            }
            (core.again && (doubt || !there)).then_some((there, core.patience))
        });
        match there {
            Some(Some((true, patience))) => {
                self.flush();
                self.unless_heard(patience as i32, |live| {
                    live.core.update_value(|core| core.patience = PATIENCE[1].min(2.0 * core.patience));
                    live.drop_socket();
                    live.connect();
                });
            }
            Some(Some((false, _))) => self.connect(),
            _ => {}
        }
    }

    /// The network is there again: what was opened without it leads nowhere, and is not waited for.
    fn online(self) {
        if self.room.link.get_untracked() == Link::Up {
            return self.wake(0.0);
        }
        if self.core.try_with_value(|core| core.again).unwrap_or(false) {
            self.drop_socket();
            self.connect();
        }
    }

    /// Does something when so many milliseconds have passed, if the socket is the same then and has brought nothing.
    fn unless_heard(self, millis: i32, then: fn(Self)) {
        let heard = move || self.core.try_with_value(|core| (core.serial, core.heard_at));
        let before = heard();
        dom::after(millis, move || {
            if before.is_some() && heard() == before {
                then(self);
            }
        });
    }

    fn flush(self) {
        self.core.update_value(|core| {
            if let Some(socket) = &core.socket {
                send_all(&mut core.client, socket);
            }
        });
    }

    fn receive(self, text: &str) {
        let understood = self.core.try_update_value(|core| {
            let now = js_sys::Date::now();
            if core.probed_at > core.heard_at {
                core.patience = (3.0 * (now - core.probed_at)).clamp(PATIENCE[0], PATIENCE[1]);
            }
            core.heard_at = now;
            let frame: ToClientOf<_> = wire::json::from_str(text).map_err(|e| e.to_string())?;
            if matches!(frame, ToClient::Notices { .. }) {
                core.told.push_back(text.to_owned());
                let surplus = core.told.len().saturating_sub(KEPT);
                core.told.drain(..surplus);
            }
            core.client.receive(frame, dom::now());
            Ok::<_, String>(())
        });
        if let Some(Err(error)) = understood {
            web_sys::console::warn_1(&JsValue::from_str(&error));
            return;
        }
        self.flush();
        self.tell();
    }

    /// Shows what has changed.
    fn tell(self) {
        let mut changes = Vec::new();
        self.core.update_value(|core| {
            while let Some(change) = core.client.next_change() {
                changes.push(change);
            }
        });
        if changes.is_empty() {
            return;
        }
        let (room, mut notices, mut fresh) = (self.room, Vec::new(), false);
        for change in changes {
            match change {
                Change::Welcome(welcome) => {
                    self.welcomed(&welcome);
                    fresh = true;
                }
                Change::Table => {
                    let table = self.core.with_value(|core| core.client.table().cloned());
                    if let Some(table) = &table {
                        room.clock.set(table.at, table.stage == Stage::Playing && table.paused.is_none());
                    }
                    room.told.set(dom::now());
                    room.table.set(table);
                }
                Change::View => fresh = true,
                Change::Notice { n, notice, .. } => notices.push((n, Arc::new(notice.0))),
                Change::Lost(lost) => {
                    if let Some(lost) = lost.first() {
                        room.voice.say(t!("table.lost_race", name = untrack(|| room.name(lost.seat))));
                    }
                }
                Change::Verdict { answer, .. } => room.answered(answer),
                Change::Dropped { .. } => room.refuse(Refusal::slip(t!("net.unsent"))),
                Change::Said { seat, phrase } => room.hear(seat, phrase),
                Change::Declined { text, say, .. } => {
                    self.core.update_value(|core| core.stands = false);
                    room.refuse(Refusal { rules: Vec::new(), text, say });
                }
                Change::Behind { .. } => room.voice.fail(t!("table.behind")),
                Change::Unfair { deal } => room.voice.fail(t!("table.unfair", n = deal)),
                Change::LeftOut { deal, other } => room.voice.tell(match other {
                    true => t!("table.other_seed", n = deal),
                    false => t!("table.left_out", n = deal),
                }),
                Change::Error { text, say, retry } => {
                    self.core.update_value(|core| core.moves = say.key == wire::TABLE_MOVES);
                    if !retry {
                        self.core.update_value(|core| core.again = false);
                        let why = lang::refusal(&Refusal { rules: Vec::new(), text, say });
                        room.link.set(Link::Closed(why));
                    }
                }
            }
        }
        if fresh || !notices.is_empty() {
            self.show(notices, fresh);
        }
    }

    /// Who this person is at the table has been said, anew or for the first time.
    fn welcomed(self, welcome: &wire::Welcome) {
        let room = self.room;
        let stood = self.core.try_update_value(|core| std::mem::take(&mut core.stands));
        let sat = matches!(room.viewer.get_untracked(), Viewer::Seat(_));
        if sat && welcome.you == Viewer::Table && stood == Some(false) {
            room.voice.fail(t!("table.you_removed"));
        }
        let another = self.core.try_update_value(|core| {
            core.failures = 0;
            std::mem::replace(&mut core.game, welcome.game) != welcome.game
        });
        // What was meant for another match or another seat must not count in this one.
        if another == Some(true) || room.viewer.get_untracked() != welcome.you {
            self.not_said();
        }
        self.core.update_value(|core| {
            for say in std::mem::take(&mut core.later) {
                say(&mut core.client);
            }
        });
        self.flush();
        batch(|| {
            if room.link.get_untracked() != Link::Up {
                room.link.set(Link::Up);
            }
            // What was told before the page was opened anew may be of a match that is not there any more.
            let of_another =
                self.heard.with_untracked(|heard| heard.last().is_some_and(|(n, _)| *n > welcome.n));
            if another == Some(true) || of_another {
                self.core.update_value(|core| core.told.clear());
                self.heard.set(Vec::new());
                self.scene.clear();
            }
            room.viewer.set(welcome.you);
            room.host.set(welcome.host);
            room.kept_out.set(welcome.kept_out);
        });
    }

    /// Shows the view as it is after these notices, or a fresh one.
    fn show(self, notices: Vec<(u32, Arc<F::Notice>)>, fresh: bool) {
        let room = self.room;
        let view = self.core.with_value(|core| core.client.share());
        let places = (!fresh).then(dom::Places::now);
        batch(|| {
            let at = self.core.with_value(|core| core.client.clock(dom::now()));
            let running = room.table.with_untracked(|t| {
                t.as_ref().is_some_and(|t| t.stage == Stage::Playing && t.paused.is_none())
            });
            room.clock.set(at, running);
            match view {
                Some(view) => drop(self.scene.show(view)),
                None => self.scene.clear(),
            }
            if !notices.is_empty() {
                room.forget_refusal(|refusal| refusal.rules.is_empty());
                self.heard.update(|heard| {
                    heard.extend(notices);
                    let surplus = heard.len().saturating_sub(KEPT);
                    heard.drain(..surplus);
                });
            }
        });
        if let Some(places) = places {
            places.play();
        }
    }

    /// Acts for this person's seat. What is not known to arrive is refused, not sent when the moment has passed.
    pub fn command(self, command: F::Command) {
        self.send(|client| {
            client.command(Only(command));
        });
    }

    fn send(self, say: impl FnOnce(&mut Client<Only<F::View>>) + 'static) {
        match self.room.link.get_untracked() {
            Link::Up => {
                self.core.update_value(|core| say(&mut core.client));
                self.flush();
            }
            Link::Moving => self.core.update_value(|core| core.later.push(Box::new(say))),
            Link::Opening | Link::Lost | Link::Closed(_) => {
                self.room.refuse(Refusal::slip(t!("net.unsent")));
            }
        }
    }
}

impl Room {
    /// Does something about the table.
    pub fn act(self, act: Act) {
        self.acts.run(act);
    }

    fn answered(self, answer: Answer) {
        match answer {
            Answer::Done | Answer::Answered => self.forget_refusal(|_| true),
            Answer::Refused(refusal) => self.refuse(refusal),
            Answer::Dropped { text, say } | Answer::NotNow { text, say } => {
                self.refuse(Refusal { rules: Vec::new(), text, say });
            }
        }
    }

    /// Shows a refusal where it happened, and says it.
    fn refuse(self, why: Refusal) {
        let n = self.refused.with_untracked(|r| r.0 + 1);
        self.voice.say(lang::refusal(&why));
        self.refused.set((n, why));
        dom::after(8000, move || {
            if self.refused.try_get_untracked().is_some_and(|r| r.0 == n) {
                self.refused.try_set((n, Refusal::default()));
            }
        });
    }

    /// Takes the last refusal from the screen, if it is to go: one that cites rules stays to be followed there.
    fn forget_refusal(self, goes: fn(&Refusal) -> bool) {
        if self.refused.with_untracked(|(_, why)| !why.is_empty() && goes(why)) {
            self.refused.update(|r| r.1 = Refusal::default());
        }
    }

    fn hear(self, seat: Seat, phrase: Phrase) {
        let n = self.said.with_untracked(|said| said.last().map_or(0, |b| b.n + 1));
        self.said.update(|said| {
            said.retain(|b| b.seat != seat);
            said.push(Bubble { n, seat, phrase });
        });
        self.voice.say(t!("table.says", name = untrack(|| self.name(seat)), words = phrase_words(phrase)));
        dom::after(5000, move || {
            self.said.try_update(|said| said.retain(|b| b.n != n));
        });
    }

    /// The pause between two rounds that is on.
    pub fn rest(self) -> Signal<Option<Rest>> {
        let rest = Memo::new(move |_| {
            let told = self.told.get();
            self.table.with(|table| match table.as_ref()? {
                TableState {
                    stage: Stage::Playing,
                    paused: Some(Paused::Round { waits_for }),
                    rest_ms,
                    ..
                } => Some(Rest { waits_for: *waits_for, until: told + f64::from(*rest_ms) }),
                _ => None,
            })
        });
        rest.into()
    }

    /// This person's seat.
    #[must_use]
    pub fn seat(self) -> Option<Seat> {
        match self.viewer.get() {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Table => None,
        }
    }

    /// Name of whoever sits there.
    #[must_use]
    pub fn name(self, seat: Seat) -> String {
        self.table.with(|table| {
            table
                .as_ref()
                .and_then(|t| t.seats.get(seat.index()))
                .and_then(|state| people::seat_name(PAGE, state, seat))
                .unwrap_or_else(|| t!("table.free"))
        })
    }

    /// Who sits where.
    #[must_use]
    pub fn people(self) -> Vec<Person> {
        self.table.with(|table| {
            table
                .as_ref()
                .map(|table| {
                    table
                        .seats
                        .iter()
                        .enumerate()
                        .map(|(n, seat)| Person {
                            name: people::seat_name(PAGE, seat, Seat(n as u8)).unwrap_or_default(),
                            bot: matches!(
                                seat.who,
                                Some(Occupant::Bot { .. } | Occupant::Person { bot_plays: true, .. })
                            ),
                            person: matches!(seat.who, Some(Occupant::Person { .. })),
                            here: seat.connected,
                            taken: seat.who.is_some(),
                        })
                        .collect()
                })
                .unwrap_or_default()
        })
    }
}

/// Name of a person or a bot.
#[must_use]
pub fn occupant_name(who: &Occupant, seat: Seat) -> String {
    people::occupant_name(PAGE, who, seat)
}

/// A quick phrase in this person's language.
#[must_use]
pub fn phrase_words(phrase: Phrase) -> String {
    people::phrase_words(PAGE, phrase)
}

/// Why a match stands still, in words; none where it goes on, or rests between two rounds: its screen tells of that.
#[must_use]
pub fn paused_words(table: &TableState) -> Option<String> {
    people::paused_words(PAGE, table)
}
