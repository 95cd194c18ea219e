//! The first cards of a match, shown where the program of its table is still on its way: whoever presses "play" on a slow line sees
//! what was dealt long before the table has come. The same client (`wire::client::Keepsake`) goes on there, so that it takes part in the deal
//! and holds the server to its word.

use crate::live::send_all;
use crate::{api, dom, handover, t, ui};
use cards::{Deck, Face, Pack, Point};
use game::{Coverage, Millis, Outcome, View};
use leptos::prelude::*;
use serde::Deserialize;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wire::client::{Change, Client};
use wire::{Act, Stage};

/// Most bytes of what was heard that are kept for the table's page. What is missing there the server tells anew.
const KEPT: usize = 300_000;

/// The doors of the lobby lead to games with this deck, and with the ordinary pack.
const DECK: Deck = Deck::D81;

/// What was dealt, as far as its viewer sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dealt {
    /// The cards of a layout.
    Layout(Vec<Point>),
    /// The own hand, and the card that lies face up.
    Hand(Vec<Face>, Option<Face>),
}

/// A view of a match of either family that knows of nothing but the first deal. Whatever else is told is passed over.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
struct Glimpse {
    #[serde(skip)]
    dealt: Option<Dealt>,
}

/// What a glimpse learns of a notice.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Learnt {
    pattern: OfPattern,
    contract: OfContract,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct OfPattern {
    race: OfRace,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct OfRace {
    dealt: Option<Board>,
}

#[derive(Clone, Debug, Deserialize)]
struct Board {
    board: Vec<Vec<Option<Point>>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct OfContract {
    dealt: Option<Held>,
}

#[derive(Clone, Debug, Deserialize)]
struct Held {
    hand: Vec<Face>,
    top: Option<Face>,
}

impl View for Glimpse {
    type Command = ();
    type Notice = Learnt;

    fn observe(&mut self, notice: &Learnt) {
        let layout = |dealt: &Board| {
            let points = dealt.board.iter().flatten().flatten().copied();
            Dealt::Layout(points.filter(|point| usize::from(point.0) < DECK.points()).collect())
        };
        let hand = |dealt: &Held| Dealt::Hand(dealt.hand.clone(), dealt.top);
        let dealt = notice.pattern.race.dealt.as_ref().map(layout);
        let dealt = dealt.or_else(|| notice.contract.dealt.as_ref().map(hand));
        if self.dealt.is_none() {
            self.dealt = dealt;
        }
    }

    fn commands(&self, _: Millis) -> Coverage<()> {
        Coverage::default()
    }

    fn awaited(&self) -> bool {
        false
    }

    fn outcome(&self) -> Option<&Outcome> {
        None
    }
}

/// A look at a table of one's own with bots, whose match begins with it. It ends when this is dropped. How it ends is code of the part of
/// the program that it comes with.
pub struct Look(Option<Box<dyn FnOnce(bool)>>);

struct Core {
    table: String,
    client: Client<Glimpse>,
    socket: web_sys::WebSocket,
    begun: bool,
    told: bool,
    /// What it has brought, for the table's page, and how many bytes.
    heard: (Vec<String>, usize),
    /// What the socket calls.
    calls: Vec<Closure<dyn FnMut(JsValue)>>,
}

/// Looks at the table; what is dealt there comes into `shown`. None where no socket leads there: then one waits without it.
pub fn look(table: &str, shown: RwSignal<Option<Dealt>>) -> Option<Look> {
    let socket = web_sys::WebSocket::new(&api::socket_url(table)).ok()?;
    let core = Rc::new(RefCell::new(Core {
        table: table.to_owned(),
        client: handover::client(table),
        socket: socket.clone(),
        begun: false,
        told: false,
        heard: (Vec::new(), 0),
        calls: Vec::new(),
    }));
    // It holds the socket's closures, which must not hold it.
    let weak = Rc::downgrade(&core);
    let opened = move |_: JsValue| {
        if let Some(core) = weak.upgrade() {
            let core = &mut *core.borrow_mut();
            core.client.opened();
            send_all(&mut core.client, &core.socket);
        }
    };
    let weak = Rc::downgrade(&core);
    let message = move |event: JsValue| {
        let event: web_sys::MessageEvent = event.unchecked_into();
        if let (Some(core), Some(text)) = (weak.upgrade(), event.data().as_string())
            && let Some(dealt) = core.borrow_mut().receive(&text)
        {
            let _ = shown.try_set(Some(dealt));
            dom::let_ahead();
        }
    };
    let (opened, message) = (Closure::new(opened), Closure::new(message));
    socket.set_onopen(Some(opened.as_ref().unchecked_ref()));
    socket.set_onmessage(Some(message.as_ref().unchecked_ref()));
    core.borrow_mut().calls.extend([opened, message]);
    Some(Look(Some(Box::new(move |leaves| core.borrow().end(leaves)))))
}

impl Look {
    /// The page is left for the table's, where what is shown stays.
    pub fn leave(mut self) {
        self.end(true);
    }

    fn end(&mut self, leaves: bool) {
        if let Some(end) = self.0.take() {
            end(leaves);
        }
    }
}

impl Drop for Look {
    fn drop(&mut self) {
        self.end(false);
    }
}

impl Core {
    /// Takes in a frame, and gives what was dealt, once. What cannot be read is the table's own to tell of.
    fn receive(&mut self, text: &str) -> Option<Dealt> {
        self.heard.1 += text.len();
        if self.heard.1 <= KEPT {
            self.heard.0.push(text.to_owned());
        }
        self.client.receive_text(text, dom::now()).ok()?;
        while let Some(change) = self.client.next_change() {
            let gathers = || self.client.table().is_some_and(|table| table.stage == Stage::Lobby);
            if matches!(change, Change::Table) && !self.begun && self.client.is_up() && gathers() {
                self.begun = true;
                self.client.act(Act::Start);
            }
        }
        send_all(&mut self.client, &self.socket);
        let dealt = self.client.view().filter(|_| !self.told)?.dealt.clone()?;
        self.told = true;
        Some(dealt)
    }

    fn end(&self, leaves: bool) {
        self.socket.set_onopen(None);
        self.socket.set_onmessage(None);
        let _ = self.socket.close();
        if leaves {
            handover::leave_client(&self.table, &self.client.keepsake(self.heard.0.clone()));
            handover::leave_first(&self.table);
        }
    }
}

/// What was dealt, over the page, until the table is there. The header stays in sight, and leads elsewhere.
pub fn picture(dealt: Dealt) -> AnyView {
    ui::voice().say(t!("lobby.first_cards"));
    dom::scroll_to_top();
    let top = format!("{}px", dom::bottom_of("header.top").max(0.0));
    let card = |name: String, picture: AnyView, code: String| {
        view! { <span role="img" aria-label=name data-card=code>{picture}</span> }
    };
    let pack = Pack::standard();
    let face = |face: Face| {
        card(ui::playing_name(&pack, face), ui::playing_card(&pack, face), face.to_string()).into_any()
    };
    let cards = match dealt {
        Dealt::Layout(points) => {
            let point =
                |point| card(ui::pattern_name(DECK, point), ui::pattern_card(DECK, point), DECK.text(point));
            view! { <div class="first-layout">{points.into_iter().map(point).collect_view()}</div> }
                .into_any()
        }
        Dealt::Hand(hand, top) => view! {
            <div class="first-piles"><span aria-hidden="true">{ui::playing_back()}</span>{top.map(face)}</div>
            <div class="first-hand">{hand.into_iter().map(face).collect_view()}</div>
        }
        .into_any(),
    };
    view! {
        <section class="first match" id=handover::FIRST data-testid="first" style:top=top>
            <p>{t!("lobby.first_cards")}</p>
            {cards}
        </section>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a glimpse sees after these frames of a server.
    fn check(frames: &[&str], dealt: Option<Dealt>) {
        let mut client: Client<Glimpse> = Client::new(7, [7; 32]);
        client.opened();
        for frame in frames {
            client.receive_text(frame, 0.0).unwrap_or_else(|why| panic!("{frame}: {why}"));
        }
        assert_eq!(client.view().and_then(|view| view.dealt.clone()), dealt);
    }

    const WELCOME: &str =
        r#"{"welcome":{"protocol":1,"engine":"parlour 0.1.0","you":{"seat":0},"host":true,"game":1,"n":0}}"#;

    #[test]
    fn the_deal_is_seen_and_everything_else_passed_over() {
        check(&[WELCOME], None);
        let layout = [
            WELCOME,
            r#"{"view":{"game":1,"n":0,"at":0,"view":{"pattern":{"race":{"who":{},"state":{"no":"matter"}}}}}}"#,
            r#"{"notices":{"n":1,"at":50,"list":[{"pattern":{"race":{"first_dealer":0}}}]}}"#,
            r#"{"notices":{"n":2,"at":50,"list":[{"pattern":{"race":{"dealt":{"at":50,"left":69,"board":[[70,69,null],[26]],"hands":[[],[]],"open_at":450}}}}]}}"#,
        ];
        check(&layout[..3], None);
        check(&layout, Some(Dealt::Layout(vec![Point(70), Point(69), Point(26)])));
        let hand = [
            WELCOME,
            r#"{"view":{"game":1,"n":0,"at":0,"view":{"contract":{"seat":0,"hand":[]}}}}"#,
            r#"{"notices":{"n":1,"at":60,"list":[{"contract":{"open":{"dealer":{"seat":0}}}},{"contract":{"dealt":{"hand":[3,0],"top":4}}}]}}"#,
        ];
        let [three, four] = [3, 4].map(|rank| Face::new(0, rank));
        check(&hand, Some(Dealt::Hand(vec![three, Face::JOKER], Some(four))));
    }
}
