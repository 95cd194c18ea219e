//! The Contract Rummy screen, for every game of the family: what it shows and offers follows from the rules data.

mod advice;
mod bar;
mod coach;
mod drag;
mod felt;
mod hand;
mod meld;
mod panels;
mod stage;
mod story;
mod told;

pub use told::told;

use crate::desk::Desk;
use crate::feel::{Moment, feel};
use crate::lang::PAGE;
use crate::prefs::{AutoPass, prefs};
use crate::scene::{Heard, Sight};
use crate::screens::Contract;
use crate::screens::advice::Adviser;
use crate::soon::soon;
use crate::ui::Show;
use crate::{dom, t, ui};
use cards::{Face, Pack};
use contract::View;
use contract::command::Command;
use contract::meld::{DeclaredCard, End, Law};
use contract::offers::{Declining, Throw};
use contract::state::{MOST, Phase, Waiting};
use contract::{Offer, Offers, Preparation, Staged};
use drag::Drag;
use game::Seat;
use hand::{Hand, Held, Order, Spot};
use leptos::{ev, prelude::*};
use screen::contract::{GLANCE, answer};

/// What the parts of this screen share. It asks the view what may be done, once a change, and judges nothing itself.
#[derive(Clone, Copy)]
pub struct Rummy {
    /// The table.
    pub desk: Desk<Command>,
    /// What this viewer knows of the match.
    pub view: Sight<Contract, View>,
    /// What the own seat may do now; none where nobody plays from here.
    pub offers: Memo<Option<Offers>>,
    /// The own hand as arranged.
    pub hand: Hand,
    /// How the melds that are prepared stand.
    pub staged: Memo<Staged>,
    /// What is prepared.
    preparation: Memo<Preparation>,
    /// Where the holder wants prepared runs to begin.
    lows: RwSignal<Vec<Option<u8>>>,
    /// The card whose discard was asked for once; a second time does it.
    pub armed: RwSignal<Option<u32>>,
    /// The contract prepared for, where the first melder of a round picks one.
    pub picked: RwSignal<Option<u16>>,
    /// A lay-off or claim that fits at both ends, until the end is said.
    pub asking_end: RwSignal<Option<(u16, Vec<u32>)>>,
    /// Whether what is left of the last round is shown where the melds will lie.
    pub reading: RwSignal<bool>,
    /// Whether this person has said that they have read it.
    pub read: RwSignal<bool>,
    /// Whom this person asks what to do.
    pub adviser: Adviser<worker::rummy::Advice>,
    /// Whether a discard is on offer that brings the own seat nothing, so that nobody needs to be disturbed.
    pub idle: Memo<bool>,
    /// When it is passed by itself, by the browser's clock, if it is in a moment.
    pub passes: RwSignal<Option<f64>>,
    /// The name of what is explained, if anything is, which is to be read before anything goes on.
    pub explained: RwSignal<Option<&'static str>>,
    /// The cards taken that the own seat must use in this turn.
    pending: Memo<Vec<Face>>,
    /// What is being dragged.
    pub drag: Drag,
    /// The make-up of a pack.
    pub pack: StoredValue<Pack>,
    /// Speaks to this person.
    voice: ui::Voice,
    prefs: RwSignal<crate::prefs::Prefs>,
}

impl Rummy {
    fn new(desk: Desk<Command>, view: Sight<Contract, View>) -> Rummy {
        let hand = Hand::new();
        let (picked, lows) = (RwSignal::new(None), RwSignal::new(Vec::new()));
        let preparation = Memo::new(move |_| Preparation {
            contract: picked.get(),
            piles: hand.rack.with(|rack| lows.with(|lows| rack.piles(lows))),
        });
        let offers = Memo::new(move |_| {
            let may = desk.playing() && desk.rests.now.get().is_none();
            if may { view.with(View::offers) } else { None }
        });
        Rummy {
            desk,
            view,
            offers,
            hand,
            staged: Memo::new(move |_| {
                view.with(|view| preparation.with(|preparation| view.staged(preparation)))
            }),
            preparation,
            lows,
            armed: RwSignal::new(None),
            picked,
            asking_end: RwSignal::new(None),
            reading: RwSignal::new(false),
            read: RwSignal::new(false),
            adviser: Adviser::new(),
            passes: RwSignal::new(None),
            explained: RwSignal::new(None),
            idle: Memo::new(move |_| {
                desk.playing() && view.with(|view| view.on_offer() && !view.offer_helps())
            }),
            pending: Memo::new(move |_| {
                let me = desk.me.get();
                view.with(|s| if me == Some(s.flow.turn) { s.board.pending.clone() } else { Vec::new() })
            }),
            drag: Drag::new(),
            pack: StoredValue::new(view.with_untracked(|s| s.compiled.pack.clone())),
            voice: ui::voice(),
            prefs: prefs(),
        }
    }

    pub(crate) fn send(self, command: Command) {
        self.armed.set(None);
        self.desk.send.run(command);
    }

    /// Sends what gives cards of the hand away.
    fn give(self, keys: Vec<u32>, command: Command) {
        self.hand.leaving.set_value(keys);
        self.hand.selected.set(Vec::new());
        self.send(command);
    }

    /// Whether an act is open now.
    pub(crate) fn may<T>(self, act: fn(&Offers) -> &Offer<T>) -> bool {
        self.offers.with(|offers| offers.as_ref().is_some_and(|offers| act(offers).is_ok()))
    }

    /// What an act that is open needs or costs.
    pub(crate) fn needs<T: Copy>(self, act: fn(&Offers) -> &Offer<T>) -> Option<T> {
        self.offers.with(|offers| act(offers.as_ref()?).as_ref().ok().copied())
    }

    /// The act that declines the top discard, and what comes of it or why it is closed.
    pub(crate) fn declines(self) -> (Command, Offer<Declining>) {
        self.view.with(|view| self.offers.with(|offers| screen::contract::declines(view, offers.as_ref())))
    }

    /// Works with the law of the contract that is prepared for.
    pub(crate) fn with_law<T>(self, f: impl FnOnce(&Law) -> T) -> T {
        let contract = self.staged.with(|staged| staged.contract);
        self.view.with(|s| f(&s.compiled.laws[usize::from(contract)]))
    }

    /// Whether the match rests between two rounds; and then, whether it waits for this person.
    pub(crate) fn rests(self) -> Option<bool> {
        let me = self.me();
        self.desk.rests.now.get().map(|rest| me.is_some_and(|me| rest.waits_for.has(me)))
    }

    /// What is left of the last round was read here.
    pub(crate) fn go_on(self) {
        self.read.set(true);
        self.desk.rests.go_on.run(());
    }

    pub(crate) fn me(self) -> Option<Seat> {
        self.desk.me.get()
    }

    pub(crate) fn phase(self) -> Phase {
        self.view.with(|s| s.flow.phase)
    }

    /// Whether it is the own turn.
    pub(crate) fn my_turn(self) -> bool {
        self.me().is_some_and(|me| self.view.with(|s| s.flow.turn == me))
    }

    /// Whether the own seat begins its turn now.
    pub(crate) fn starting(self) -> bool {
        let waits = || self.view.with(|s| s.flow.waiting != Waiting::Nothing);
        self.desk.playing() && self.my_turn() && self.phase() == Phase::Start && !waits()
    }

    /// Whether something is for the own seat to decide now.
    pub(crate) fn decides(self) -> bool {
        let offered = || self.phase() == Phase::Play && self.offered();
        self.desk.playing() && self.rests().is_none() && (self.view.with(game::View::awaited) || offered())
    }

    /// Whether the own seat may play cards now.
    pub(crate) fn playing(self) -> bool {
        self.may(|offers| &offers.discard)
    }

    /// Whether the own seat is down.
    pub(crate) fn down(self) -> bool {
        self.me().is_some_and(|me| self.view.with(|s| s.flow.down.has(me)))
    }

    pub(crate) fn text(self, face: Face) -> String {
        self.pack.with_value(|pack| ui::playing_short(pack, face))
    }

    /// Several cards in running text; "a joker" is only said of a single one.
    pub(crate) fn texts(self, cards: &[Face]) -> String {
        self.pack.with_value(|pack| screen::card::playing_all(PAGE, pack, cards))
    }

    pub(crate) fn name(self, face: Face) -> String {
        self.pack.with_value(|pack| ui::playing_name(pack, face))
    }

    /// The selected card, if it is the only one.
    fn chosen(self) -> Option<Held> {
        match self.hand.chosen()[..] {
            [card] => Some(card),
            _ => None,
        }
    }

    /// The same as a discard.
    fn throw(self) -> Option<Throw> {
        let card = self.chosen()?;
        self.offers.with(|offers| screen::contract::throw(offers.as_ref()?, card.face).cloned())
    }

    /// Asks for the discard of a card; does it when asked a second time, or at once where no guard is wanted.
    pub(crate) fn discard(self, card: Held) {
        if !self.playing() {
            return;
        }
        let last = self.view.with_untracked(|s| s.hand.len()) == 1;
        // What would be refused is not asked about twice: it is told why.
        let open = self.throw().is_some_and(|throw| throw.refused.is_none());
        let guard = open && (self.prefs.get_untracked().confirm_discard || last);
        if guard && self.armed.get_untracked() != Some(card.key) {
            self.armed.set(Some(card.key));
            dom::after(5000, move || {
                if self.armed.try_get_untracked() == Some(Some(card.key)) {
                    self.armed.try_set(None);
                }
            });
            return;
        }
        self.throw_away(card, false);
    }

    /// Discards a card, with or without the protecting call.
    fn throw_away(self, card: Held, shanghai: bool) {
        self.give(vec![card.key], Command::Discard { card: card.face, shanghai });
    }

    /// The ends of a meld at which these cards can be laid off now.
    pub(crate) fn ends(self, cards: &[Face], on: u16) -> Vec<Option<End>> {
        self.offers.with(|offers| {
            let Some(offers) = offers else { return Vec::new() };
            self.view.with(|view| screen::contract::ends(view, offers, cards, on))
        })
    }

    /// Whether the own seat is asked about the discard, or may ask for it, and has not answered.
    pub(crate) fn offered(self) -> bool {
        self.desk.playing() && self.view.with(View::on_offer)
    }

    /// Whether the discard is this person's own.
    pub(crate) fn threw(self) -> bool {
        let me = self.me();
        me.is_some() && self.view.with(|s| s.flow.thrower == me)
    }

    /// Whether the own seat may claim the discard onto a meld, and has not answered.
    pub(crate) fn claiming(self) -> bool {
        self.may(|offers| &offers.shanghai) && self.view.with(answer).is_none()
    }

    /// The ends of a meld at which the discard can be claimed.
    pub(crate) fn claims(self, on: u16) -> Vec<Option<End>> {
        self.offers.with(|offers| {
            offers.as_ref().map_or_else(Vec::new, |offers| screen::contract::claims(offers, on))
        })
    }

    /// The end that is meant, as far as it makes a difference; none if it must be said first, which is then asked.
    fn end_of(self, said: Option<End>, ends: &[Option<End>], on: u16, keys: &[u32]) -> Option<Option<End>> {
        let asks = said.is_none() && ends.len() > 1;
        self.asking_end.set(asks.then(|| (on, keys.to_vec())));
        (!asks).then(|| said.or_else(|| ends.first().copied().flatten()))
    }

    /// Claims the discard onto a meld, asking for the end where both would do.
    pub(crate) fn claim(self, on: u16, end: Option<End>) {
        if let Some(end) = self.end_of(end, &self.claims(on), on, &[]) {
            self.send(Command::Shanghai { on, end });
        }
    }

    /// Lays cards of the hand off on a meld, asking for the end where both would do.
    pub(crate) fn lay_off(self, keys: Vec<u32>, on: u16, end: Option<End>) {
        let cards: Vec<Face> = self
            .hand
            .rack
            .with_untracked(|r| keys.iter().filter_map(|&k| r.find(k)).map(|c| c.face).collect());
        if cards.is_empty() {
            return;
        }
        if let Some(end) = self.end_of(end, &self.ends(&cards, on), on, &keys) {
            let cards = cards.into_iter().map(DeclaredCard::from).collect();
            self.give(keys, Command::LayOff { cards, on, end });
        }
    }

    /// Whether this card gives back a wild of a meld now.
    pub(crate) fn reclaims(self, card: Face, from: u16) -> bool {
        self.offers.with(|offers| {
            let mut open = offers.iter().filter_map(|offers| offers.reclaim.as_ref().ok()).flatten();
            open.any(|found| *found == (card, from))
        })
    }

    /// The meld on which the selected cards are laid off where none is pressed.
    fn lays_off_on(self) -> Option<u16> {
        let cards: Vec<Face> = self.hand.chosen().iter().map(|card| card.face).collect();
        self.offers.with(|offers| {
            let offers = offers.as_ref()?;
            self.view.with(|view| screen::contract::lays_off_on(view, offers, &cards))
        })
    }

    /// Puts a card in the place of a wild.
    pub(crate) fn reclaim(self, card: Held, from: u16) {
        self.give(vec![card.key], Command::Reclaim { card: card.face, from });
    }

    /// The chosen cards, where they are as many as must be passed on now.
    fn chosen_to_pass(self) -> Option<Vec<Face>> {
        let passing = self.needs(|offers| &offers.pass_on)?;
        let cards: Vec<Face> = self.hand.chosen().iter().map(|card| card.face).collect();
        (cards.len() == usize::from(passing.cards)).then_some(cards)
    }

    /// Passes the chosen cards on.
    fn pass_on(self) {
        let Some(cards) = untrack(|| self.chosen_to_pass()) else { return };
        self.give(self.hand.selected.get_untracked(), Command::PassOn { cards });
    }

    /// The act that lays the selected cards as a further meld, where a player who is down may.
    fn further(self) -> Option<Command> {
        let cards: Vec<Face> = self.hand.chosen().iter().map(|c| c.face).collect();
        self.offers.with(|offers| {
            let offers = offers.as_ref()?;
            self.view.with(|view| screen::contract::further(view, offers, cards))
        })
    }

    /// Where a run that is prepared is to begin.
    fn begin_at(self, meld: usize, low: Option<u8>) {
        self.lows.update(|lows| {
            if lows.len() <= meld {
                lows.resize(meld + 1, None);
            }
            lows[meld] = low;
        });
    }

    /// Puts cards with a meld that is prepared.
    fn prepare_at(self, keys: &[u32], meld: usize) {
        self.hand.selected.set(Vec::new());
        self.hand.arrange(|r| r.put(keys, Spot::Stage(meld as u8), None));
    }

    /// Puts the selected cards where they help the contract, and lays it where nothing is missing then.
    fn prepare(self) {
        let lays = untrack(|| stage::suggested(self)).is_some_and(|(_, lays)| lays);
        let chosen = self.hand.chosen();
        let faces: Vec<Face> = chosen.iter().map(|c| c.face).collect();
        let keys: Vec<u32> = chosen.iter().map(|c| c.key).collect();
        match self.view.with(|view| self.preparation.with(|prepared| view.pile_for(prepared, &faces))) {
            Some(meld) => {
                self.prepare_at(&keys, meld);
                if lays {
                    self.meld();
                }
            }
            None => self.voice.fail(t!("stage.nowhere")),
        }
    }

    /// Whether a card of the hand goes somewhere now, laid off or in the place of a wild, of which this is true: which card, on
    /// which meld.
    pub fn goes(self, which: impl Fn(Face, u16) -> bool) -> bool {
        self.offers.with(|offers| {
            let Some(offers) = offers else { return false };
            let laid_off = offers.lay_off.iter().flatten().map(|(face, at)| (*face, at.on));
            laid_off.chain(offers.reclaim.iter().flatten().copied()).any(|(face, on)| which(face, on))
        })
    }

    /// The act that lays the contract as it is prepared, once it would be accepted.
    fn whole(self) -> Option<Command> {
        if self.down() || !self.may(|offers| &offers.meld) {
            return None;
        }
        self.staged.with(|staged| staged.whole.as_ref()?.as_ref().ok().cloned())
    }

    /// Lays the contract as it is prepared.
    fn meld(self) {
        let Some(command) = self.whole() else { return };
        let keys = self.hand.rack.with_untracked(|r| {
            r.cards().iter().filter(|c| c.spot != Spot::Hand).map(|c| c.key).collect::<Vec<_>>()
        });
        self.give(keys, command);
    }
}

/// The screen of Contract Rummy and its relatives.
#[component]
pub fn RummyScreen(
    desk: Desk<Command>,
    view: Sight<Contract, View>,
    heard: Heard<Contract>,
) -> impl IntoView {
    let rummy = Rummy::new(desk, view);
    let hand = rummy.hand;
    provide_context(rummy);
    let cards = Memo::new(move |_| view.with(|s| s.hand.cards().collect::<Vec<_>>()));
    let name = Memo::new(move |_| {
        let deal = view.with(|s| (s.flow.finished, s.flow.deal));
        let seat = desk.me.get().map_or(99, |s| s.0);
        format!("parlour.hand.{}.{seat}.{}.{}", dom::path(), deal.0, deal.1)
    });
    hand.follow(cards, name, move || {
        view.with_untracked(|s| desk.me.get_untracked().is_some_and(|me| s.flow.down.has(me)))
    });
    keyboard(rummy);
    pass_by_itself(rummy);
    panels::read_results(rummy);
    rustle(rummy);
    // What was prepared is taken back once the contract lies, or the round is over.
    let down = Memo::new(move |_| rummy.down());
    Effect::new(move |before: Option<bool>| {
        let now = down.get();
        if now && before == Some(false) {
            hand.rack.update(hand::Rack::unstage);
            rummy.lows.set(Vec::new());
        }
        now
    });
    view! {
        <div class="match rummy" data-testid="rummy" data-phase=move || rummy.phase().word()>
            <div class="field">
                <felt::Felt/>
                <div class="reach">
                    <bar::Bar/>
                    <HandView/>
                </div>
            </div>
            <aside class="side" tabindex="0" aria-label=t!("rummy.side")>
                {soon(|| view! { <panels::LastRound/> <panels::ScoreSheet/> }.into_any())}
                {soon(move || view! { <story::Story heard=heard/> <panels::StandingAnswer/> }.into_any())}
            </aside>
            <drag::Ghost/>
        </div>
    }
}

/// Puts the cards of the hand that could be laid together beside each other; where none could be, by rank.
fn sort_by_melds(rummy: Rummy) {
    rummy.hand.arrange(|rack| rummy.with_law(|law| rack.sort_by_melds(law)));
}

/// Passes what is on offer and brings nothing, as far as this person wants that, at once or after a glance: the others need not wait
/// longer.
fn pass_by_itself(rummy: Rummy) {
    let passes = Memo::new(move |_| {
        let after = match rummy.prefs.get().pass {
            AutoPass::Never => return None,
            // Nobody wants back what they have just thrown.
            _ if rummy.threw() => return rummy.offered().then_some(0),
            AutoPass::Down if !rummy.down() => i32::from(GLANCE),
            AutoPass::Down | AutoPass::Useless => 0,
        };
        (rummy.idle.get() && rummy.explained.get().is_none()).then_some(after)
    });
    // Each offer is passed once.
    let offer = Memo::new(move |_| {
        let offer =
            || rummy.view.with(|s| (s.flow.finished, s.flow.deal, s.flow.turn, s.flow.top, s.flow.pile));
        passes.get().map(|after| (after, offer()))
    });
    Effect::new(move || {
        let now = offer.get();
        let glance = now.map(|(after, _)| after).filter(|after| *after > 0);
        rummy.passes.set(glance.map(|after| dom::now() + f64::from(after)));
        match now {
            Some((0, _)) => rummy.send(Command::Pass),
            Some((after, _)) => dom::after(after, move || {
                // It may have been asked for, or the table be left.
                if offer.try_get_untracked() == Some(now) {
                    rummy.send(Command::Pass);
                }
            }),
            None => {}
        }
    });
}

/// Cards are heard: those laid, and one that is drawn or thrown.
fn rustle(rummy: Rummy) {
    let cards = Memo::new(move |_| {
        rummy.view.with(|s| (s.flow.deal, s.board.melds.len(), s.flow.sizes, s.flow.pile))
    });
    Effect::new(move |before: Option<(u16, usize, [u16; MOST], u16)>| {
        let now = cards.get();
        // Of a deal nothing is heard, nor of what was there when the page came.
        if let Some(before) = before.filter(|before| *before != now && before.0 == now.0) {
            feel(if now.1 > before.1 { Moment::Laid } else { Moment::Card });
        }
        now
    });
}

/// The own hand.
#[component]
fn HandView() -> impl IntoView {
    let rummy: Rummy = expect_context();
    let hand = rummy.hand;
    let cards = Memo::new(move |_| hand.rack.with(|r| r.at(Spot::Hand)));
    let count = move || cards.with(Vec::len);
    // Before the deal there is the room that the cards will need, and before a draw that of its card; what is prepared keeps its room: nothing
    // moves when cards come, or go to what is prepared.
    let held = Memo::new(move |_| rummy.view.with(|s| s.hand.len()));
    let needed = move || match held.get() {
        0 => rummy.view.with(|s| match s.flow.sizes.iter().sum::<u16>() {
            0 => usize::from(s.round().deal),
            _ => 0,
        }),
        held => held + usize::from(!rummy.playing()),
    };
    // What a round has once needed it keeps: the bar above stays where it is when a contract is laid.
    let room = Memo::new(move |before: Option<&(u16, usize)>| {
        let (round, now) = (rummy.view.with(|s| s.flow.round), needed());
        let most = before.filter(|(of, _)| *of == round).map_or(now, |(_, most)| now.max(*most));
        (round, most)
    });
    let many = move || match room.get().1 {
        0..=8 => "few",
        9..=15 => "some",
        _ => "many",
    };
    let wild = move |face: Face| rummy.with_law(|law| law.is_wild(face));
    let seated = move || rummy.me().is_some();
    view! {
        <Show when=seated>
            <section class="hand-area" aria-label=t!("rummy.hand")>
                // Between two rounds there is nothing to sort; the bar keeps its place.
                <div class="hand-tools" role="group" aria-label=t!("rummy.sort") style:visibility=move || rummy.rests().map(|_| "hidden")>
                    <button class="small" data-testid="sort-rank" on:click=move |_| hand.arrange(|r| r.sort(Order::Rank, wild))>{t!("rummy.by_rank")}</button>
                    <button class="small" data-testid="sort-suit" on:click=move |_| hand.arrange(|r| r.sort(Order::Suit, wild))>{t!("rummy.by_suit")}</button>
                    <button class="small" data-testid="sort-meld" on:click=move |_| sort_by_melds(rummy)>{t!("rummy.by_meld")}</button>
                    <advice::AskAdvice/>
                </div>
                <div class="hand-room">
                    <div
                        class="hand"
                        data-testid="hand"
                        data-drop="hand"
                        data-many=many
                        style:--gaps=move || count().saturating_sub(1).max(1).to_string()
                    >
                        <For each=move || cards.get() key=|c| (c.key, c.new) let:card>
                            {hand_card(rummy, card)}
                        </For>
                    </div>
                </div>
            </section>
        </Show>
    }
}

/// A card of the own hand, or prepared for a meld.
fn hand_card(rummy: Rummy, card: Held) -> AnyView {
    let hand = rummy.hand;
    let selected = Memo::new(move |_| hand.selected.with(|s| s.contains(&card.key)));
    let armed = move || rummy.armed.get() == Some(card.key);
    let pending = move || rummy.pending.with(|pending| pending.contains(&card.face));
    let label = rummy.name(card.face);
    let keys = move |event: ev::KeyboardEvent| {
        let shift = event.shift_key() || event.alt_key();
        match event.key().as_str() {
            "ArrowLeft" if shift => hand.arrange(|r| r.shift(card.key, -1)),
            "ArrowRight" if shift => hand.arrange(|r| r.shift(card.key, 1)),
            "ArrowLeft" => dom::focus_sibling(&event_target::<web_sys::HtmlElement>(&event), -1),
            "ArrowRight" => dom::focus_sibling(&event_target::<web_sys::HtmlElement>(&event), 1),
            _ => return,
        }
        event.prevent_default();
        if shift {
            dom::next_frame(move || dom::focus(&format!("[data-key='{}']", card.key)));
        }
    };
    view! {
        <button
            class="hcard"
            class:picked=move || selected.get()
            class:new=move || rummy.desk.live && hand.rack.with(|rack| rack.find(card.key).is_some_and(|card| card.new))
            class:armed=armed
            class:pending=pending
            class:fits=move || rummy.goes(|face, _| face == card.face)
            data-testid="hand-card"
            data-home=""
            data-face=card.face.to_string()
            data-key=card.key.to_string()
            data-flip=format!("h{}", card.key)
            data-from="#rummy-stock"
            aria-label=label
            aria-pressed=move || selected.get().to_string()
            on:pointerdown=move |event| rummy.drag.start(rummy, card, &event)
            on:pointermove=move |event| rummy.drag.travel(&event)
            on:pointerup=move |event| rummy.drag.end(rummy, &event)
            on:pointercancel=move |_| rummy.drag.cancel()
            on:click=move |event| {
                // A tap was handled when the finger left; this is the keyboard.
                if event.detail() == 0 {
                    hand.toggle(card.key);
                }
            }
            on:keydown=keys
        >
            {rummy.pack.with_value(|pack| ui::playing_card(pack, card.face))}
        </button>
    }
    .into_any()
}

/// Keys: G goes on to the next round, D discards, H asks for advice, L lays off, S prepares, M melds, T takes, P passes or passes on, digits lay off on a meld.
fn keyboard(rummy: Rummy) {
    let handle = window_event_listener(ev::keydown, move |event| {
        if event.ctrl_key() || event.alt_key() || event.meta_key() || event.repeat() || dom::typing() {
            return;
        }
        if !rummy.desk.playing() || dom::find("dialog[open]").is_some() {
            return;
        }
        let chosen = rummy.hand.chosen();
        match event.key().to_ascii_lowercase().as_str() {
            "g" if untrack(|| rummy.rests()) == Some(true) => rummy.go_on(),
            "d" => match chosen.as_slice() {
                [card] => rummy.discard(*card),
                _ => return,
            },
            "s" if !chosen.is_empty() => rummy.prepare(),
            "m" => rummy.meld(),
            "l" => match untrack(|| rummy.lays_off_on()) {
                Some(on) => rummy.lay_off(chosen.iter().map(|card| card.key).collect(), on, None),
                None => return,
            },
            "h" if untrack(|| rummy.desk.practises() && rummy.decides()) => rummy.adviser.ask(),
            "t" => {
                rummy.send(if rummy.starting() { Command::DrawDiscard } else { Command::Take });
            }
            "p" if rummy.may(|offers| &offers.pass_on) => rummy.pass_on(),
            "p" => {
                rummy.send(if rummy.starting() { rummy.declines().0 } else { Command::Pass });
            }
            "escape" => {
                rummy.hand.selected.set(Vec::new());
                rummy.armed.set(None);
                rummy.asking_end.set(None);
            }
            digit => {
                let Ok(on) = digit.parse::<u16>() else { return };
                if on == 0 || chosen.is_empty() || !rummy.may(|offers| &offers.lay_off) {
                    return;
                }
                rummy.lay_off(chosen.iter().map(|c| c.key).collect(), on, None);
            }
        }
        event.prevent_default();
    });
    on_cleanup(move || handle.remove());
}
