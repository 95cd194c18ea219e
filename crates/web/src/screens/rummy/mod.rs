//! The Contract Rummy screen, for every game of the family: what it shows and offers follows from the rules data.

mod drag;
mod hand;
mod meld;
mod panels;
mod stage;
mod story;

use crate::desk::Desk;
use crate::prefs::prefs;
use crate::scene::{Heard, Sight};
use crate::screens::Contract;
use crate::{dom, t, ui};
use cards::{Face, Pack};
use contract::View;
use contract::command::{Command, Standing};
use contract::meld::{End, Kind, Law, Said, SaidCard, Suits, Want};
use contract::rules::{LayoffWhen, MeldExtra, OutDiscard, ReclaimFrom, ReclaimWhen, Settings};
use contract::sealed::{Call, Stand};
use contract::table::Phase;
use drag::Drag;
use game::Seat;
use hand::{Hand, Held, Order, Spot};
use leptos::{ev, prelude::*};
use stage::Judgement;
use std::collections::BTreeMap;

/// What holds for the own contract.
pub fn own_rules(view: &View) -> &Settings {
    view.book.set(view.contract())
}

/// The own standing answer.
pub fn standing(view: &View) -> Option<Standing> {
    match view.own.stand {
        Stand::Off => None,
        Stand::Pass => Some(Standing::Pass),
        Stand::Take(faces) => Some(Standing::Take(faces.faces().collect())),
    }
}

/// The own answer to the offer, or the claim, that is open: whether it was a yes.
pub fn answer(view: &View) -> Option<bool> {
    match (view.flow.phase, view.own.call) {
        (Phase::Shanghai, Call::Open) => None,
        (Phase::Shanghai, call) => Some(matches!(call, Call::Claim(_))),
        _ => view.own.answer,
    }
}

/// What the parts of this screen share.
#[derive(Clone, Copy)]
pub struct Rummy {
    /// The table.
    pub desk: Desk<Command>,
    /// What is shown.
    pub seen: Sight<Contract, View>,
    /// The own hand as arranged.
    pub hand: Hand,
    /// Where the holder wants prepared runs to begin.
    pub lows: RwSignal<BTreeMap<usize, u8>>,
    /// The card whose discard was asked for once; a second time does it.
    pub armed: RwSignal<Option<u32>>,
    /// The contract prepared for, where the first melder of a round picks one.
    pub picked: RwSignal<Option<u16>>,
    /// A lay-off or claim that fits at both ends, until the end is said.
    pub asking_end: RwSignal<Option<(u16, Vec<u32>)>>,
    /// What is being dragged.
    pub drag: Drag,
    /// The make-up of a pack.
    pub pack: StoredValue<Pack>,
    /// Speaks to this person.
    voice: ui::Voice,
    prefs: RwSignal<crate::prefs::Prefs>,
}

impl Rummy {
    pub(crate) fn send(self, command: Command) {
        self.armed.set(None);
        self.desk.send.run(command);
    }

    /// Works with the law of this round.
    pub(crate) fn with_law<T>(self, f: impl FnOnce(&Law) -> T) -> T {
        self.seen.with(|s| {
            let round =
                if self.choosing() { self.picked.get().unwrap_or(s.contract()) } else { s.contract() };
            f(&s.book.laws[usize::from(round).min(s.book.laws.len() - 1)])
        })
    }

    /// Whether the contract of this round is still to be picked by whoever melds first.
    pub(crate) fn choosing(self) -> bool {
        self.seen.with(|s| s.book.chosen() && s.flow.contract.is_none())
    }

    pub(crate) fn me(self) -> Option<Seat> {
        self.desk.me.get()
    }

    pub(crate) fn phase(self) -> Phase {
        self.seen.with(|s| s.flow.phase)
    }

    /// Whether who begins the turn may take the discard.
    pub(crate) fn may_take(self) -> bool {
        self.seen.with(|s| s.flow.may_take(&s.book))
    }

    /// Whether who begins the turn may draw from the stock.
    pub(crate) fn may_draw(self) -> bool {
        self.seen.with(|s| s.flow.may_decline(&s.book))
    }

    /// Whether the discard is pushed on with that.
    pub(crate) fn pushes(self) -> bool {
        self.seen.with(|s| s.flow.pushes(&s.book))
    }

    /// Whether it is the own turn.
    pub(crate) fn my_turn(self) -> bool {
        self.me().is_some_and(|me| self.seen.with(|s| s.flow.turn == me))
    }

    /// Whether the own seat may play cards now.
    pub(crate) fn playing(self) -> bool {
        self.desk.playing() && self.my_turn() && self.phase() == Phase::Play
    }

    /// Whether the own seat is down.
    pub(crate) fn down(self) -> bool {
        self.me().is_some_and(|me| self.seen.with(|s| s.flow.down.has(me)))
    }

    /// Whether the own seat is asked about the offered card, and has not answered.
    pub(crate) fn asked(self) -> bool {
        let me = self.me();
        self.desk.playing()
            && self.seen.with(|s| me.is_some_and(|me| s.flow.asked.has(me)) && answer(s).is_none())
    }

    /// Whether the own seat may lay off now, as far as the turn is concerned.
    pub(crate) fn may_lay_off(self) -> bool {
        self.playing()
            && self.down()
            && self.seen.with(|s| match own_rules(s).layoff.when {
                LayoffWhen::NextTurn => !s.flow.fresh,
                LayoffWhen::SameTurn => true,
                LayoffWhen::Never => false,
            })
    }

    pub(crate) fn text(self, face: Face) -> String {
        self.pack.with_value(|pack| ui::playing_short(pack, face))
    }

    /// Several cards in running text; "a joker" is only said of a single one.
    pub(crate) fn texts(self, cards: &[Face]) -> String {
        match cards {
            [card] => self.text(*card),
            _ => cards
                .iter()
                .map(|&card| if card.is_joker() { t!("card.joker") } else { self.text(card) })
                .collect::<Vec<_>>()
                .join(" "),
        }
    }

    pub(crate) fn name(self, face: Face) -> String {
        self.pack.with_value(|pack| ui::playing_name(pack, face))
    }

    /// Asks for the discard of a card; does it when asked a second time, or at once where no guard is wanted.
    pub(crate) fn discard(self, card: Held) {
        if !self.playing() {
            return;
        }
        let last = self.seen.with_untracked(|s| s.hand.len()) == 1;
        let guard = self.prefs.get_untracked().confirm_discard || last;
        if guard && self.armed.get_untracked() != Some(card.key) {
            self.armed.set(Some(card.key));
            dom::after(5000, move || {
                if self.armed.try_get_untracked() == Some(Some(card.key)) {
                    self.armed.try_set(None);
                }
            });
            return;
        }
        self.hand.leaving.set_value(vec![card.key]);
        self.hand.selected.set(Vec::new());
        self.send(Command::Discard { card: card.face, shanghai: false });
    }

    /// Discards with the protecting call.
    pub(crate) fn protect(self, card: Held) {
        self.hand.leaving.set_value(vec![card.key]);
        self.hand.selected.set(Vec::new());
        self.send(Command::Discard { card: card.face, shanghai: true });
    }

    /// Lays cards of the hand off on a meld, asking for the end where both would do.
    pub(crate) fn lay_off(self, keys: Vec<u32>, on: u16, end: Option<End>) {
        let cards: Vec<Held> =
            self.hand.rack.with_untracked(|r| keys.iter().filter_map(|&k| r.find(k)).collect());
        if cards.is_empty() {
            return;
        }
        if end.is_none() && self.both_ends(&cards, on) {
            self.asking_end.set(Some((on, keys)));
            return;
        }
        self.asking_end.set(None);
        self.hand.leaving.set_value(keys);
        self.hand.selected.set(Vec::new());
        let cards = cards.into_iter().map(|c| SaidCard::from(c.face)).collect();
        self.send(Command::LayOff { cards, on, end });
    }

    fn both_ends(self, cards: &[Held], on: u16) -> bool {
        let [card] = cards else { return false };
        self.seen.with_untracked(|s| {
            s.board.meld(on).is_some_and(|meld| s.law().fit(&meld.meld, card.face).both_ends())
        })
    }

    /// Whether these cards could lie on a meld.
    pub(crate) fn fits(self, cards: &[Face], on: u16) -> bool {
        if cards.is_empty() {
            return false;
        }
        let said: Vec<SaidCard> = cards.iter().copied().map(SaidCard::from).collect();
        self.seen.with(|s| {
            let Some(meld) = s.board.meld(on) else { return false };
            match cards {
                [card] => s.law().fit(&meld.meld, *card).any(),
                _ => s.law().lay_off(&meld.meld, &said, None).is_ok(),
            }
        })
    }

    /// Whether this card gives back a wild of a meld, as far as turn and owner are concerned.
    pub(crate) fn reclaims(self, card: Face, from: u16) -> bool {
        let down = self.down();
        self.playing()
            && self.seen.with(|s| {
                let wild = &own_rules(s).wild;
                let when = match wild.reclaim_when {
                    ReclaimWhen::PriorTurn => down && !s.flow.fresh,
                    ReclaimWhen::AfterContract => down,
                    ReclaimWhen::BeforeContract => !down,
                    ReclaimWhen::Anytime => true,
                };
                let mine = |owner: Seat| Some(owner) == self.desk.me.get();
                when && s.board.meld(from).is_some_and(|meld| {
                    let whose = match wild.reclaim_from {
                        ReclaimFrom::Any => true,
                        ReclaimFrom::Others => !mine(meld.owner),
                        ReclaimFrom::Own => mine(meld.owner),
                    };
                    whose && s.law().taken_back(&meld.meld, card).is_some()
                })
            })
    }

    /// The selected cards as a further meld, where a player who is down may lay one (`meld.extra`).
    pub(crate) fn extra(self) -> Option<Said> {
        let chosen: Vec<Face> = self.hand.chosen().iter().map(|c| c.face).collect();
        if !self.playing() || !self.down() || chosen.len() < 2 {
            return None;
        }
        self.seen.with(|s| {
            let set = own_rules(s);
            if set.meld.extra == MeldExtra::None {
                return None;
            }
            [(Kind::Group, set.group.min), (Kind::Run, set.run.min)].into_iter().find_map(|(kind, size)| {
                let want = Want { kind, size, wilds: 255, distinct: false, suits: Suits::One };
                stage::judge(s.law(), &[want], &chosen, None, true).1
            })
        })
    }

    /// Lays the contract as it is prepared.
    pub(crate) fn meld(self) {
        let Some(melds) = self.prepared() else { return };
        let picked = self.picked.get_untracked();
        let contract = self
            .choosing()
            .then(|| self.seen.with_untracked(|s| s.book.round(picked.unwrap_or(s.contract())).number));
        let keys = self.hand.rack.with_untracked(|r| {
            r.cards().iter().filter(|c| c.spot != Spot::Hand).map(|c| c.key).collect::<Vec<_>>()
        });
        self.hand.leaving.set_value(keys);
        self.hand.selected.set(Vec::new());
        self.send(Command::Meld { contract, melds });
    }
}

/// The screen of Contract Rummy and its relatives.
#[component]
pub fn RummyScreen(
    desk: Desk<Command>,
    view: Sight<Contract, View>,
    heard: Heard<Contract>,
) -> impl IntoView {
    let seen = view;
    let hand = Hand::new();
    let rummy = Rummy {
        desk,
        seen,
        hand,
        lows: RwSignal::new(BTreeMap::new()),
        armed: RwSignal::new(None),
        picked: RwSignal::new(None),
        asking_end: RwSignal::new(None),
        drag: Drag::new(),
        pack: StoredValue::new(seen.with_untracked(|s| s.book.pack.clone())),
        voice: ui::voice(),
        prefs: prefs(),
    };
    provide_context(rummy);
    let cards = Memo::new(move |_| seen.with(|s| s.hand.cards().collect::<Vec<_>>()));
    let name = Memo::new(move |_| {
        let deal = seen.with(|s| (s.flow.finished, s.flow.deal));
        let seat = desk.me.get().map_or(99, |s| s.0);
        format!("parlour.hand.{}.{seat}.{}.{}", dom::path(), deal.0, deal.1)
    });
    hand.follow(cards, name, move || {
        seen.with_untracked(|s| desk.me.get_untracked().is_some_and(|me| s.flow.down.has(me)))
    });
    keyboard(rummy);
    // What was prepared is taken back once the contract lies, or the round is over.
    let down = Memo::new(move |_| rummy.down());
    Effect::new(move |before: Option<bool>| {
        let now = down.get();
        if now && before == Some(false) {
            hand.rack.update(hand::Rack::unstage);
            rummy.lows.set(BTreeMap::new());
        }
        now
    });
    view! {
        <div class="match rummy" data-testid="rummy" data-phase=move || rummy.phase().word()>
            <div class="field">
                <panels::Players/>
                <div class="rummy-middle">
                    <panels::Piles/>
                    <panels::Contract/>
                </div>
                <meld::Melds/>
                <panels::Prompt/>
                <Stage/>
                <HandView/>
            </div>
            <aside class="side" aria-label=t!("rummy.side")>
                <panels::ScoreSheet/>
                <panels::StandingAnswer/>
                <story::Story heard=heard/>
            </aside>
            <panels::RoundSummary/>
            <drag::Ghost/>
        </div>
    }
}

/// The own hand.
#[component]
fn HandView() -> impl IntoView {
    let rummy: Rummy = expect_context();
    let hand = rummy.hand;
    let cards = Memo::new(move |_| hand.rack.with(|r| r.at(Spot::Hand)));
    let count = move || cards.with(Vec::len);
    let many = move || match count() {
        0..=8 => "few",
        9..=15 => "some",
        _ => "many",
    };
    let wild = move |face: Face| rummy.with_law(|law| law.is_wild(face));
    let by_meld = move |_| {
        let melds = rummy.with_law(|law| {
            let mut counts = [0u8; Face::COUNT];
            for card in hand.rack.with_untracked(|r| r.at(Spot::Hand)) {
                counts[card.face.index()] += 1;
            }
            contract::solver::Solver::new(law)
                .with_budget(60_000)
                .best(&counts)
                .answer
                .map(|a| a.melds.iter().map(|m| m.faces().collect::<Vec<_>>()).collect::<Vec<_>>())
        });
        hand.arrange(|r| match melds {
            Some(melds) => r.group(&melds),
            None => r.sort(Order::Rank, wild),
        });
    };
    let seated = move || rummy.me().is_some();
    view! {
        <Show when=seated>
            <section class="hand-area" aria-label=t!("rummy.hand")>
                <div class="hand-tools" role="group" aria-label=t!("rummy.sort")>
                    <span class="quiet" data-testid="hand-size">{move || t!("rummy.hand_size", n = rummy.seen.with(|s| s.hand.len()))}</span>
                    <button class="small" data-testid="sort-rank" on:click=move |_| hand.arrange(|r| r.sort(Order::Rank, wild))>{t!("rummy.by_rank")}</button>
                    <button class="small" data-testid="sort-suit" on:click=move |_| hand.arrange(|r| r.sort(Order::Suit, wild))>{t!("rummy.by_suit")}</button>
                    <button class="small" data-testid="sort-meld" on:click=by_meld>{t!("rummy.by_meld")}</button>
                </div>
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
                <Actions/>
            </section>
        </Show>
    }
}

/// A card of the own hand, or prepared for a meld.
fn hand_card(rummy: Rummy, card: Held) -> AnyView {
    let hand = rummy.hand;
    let selected = Memo::new(move |_| hand.selected.with(|s| s.contains(&card.key)));
    let armed = move || rummy.armed.get() == Some(card.key);
    let pending = move || rummy.seen.with(|s| s.board.pending.contains(&card.face)) && rummy.my_turn();
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
            class:new=card.new
            class:armed=armed
            class:pending=pending
            data-testid="hand-card"
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

/// The melds that are being prepared, one box for each slot of the contract.
#[component]
fn Stage() -> impl IntoView {
    let rummy: Rummy = expect_context();
    let hand = rummy.hand;
    let slots = Memo::new(move |_| {
        if rummy.me().is_none()
            || rummy.down()
            || matches!(rummy.phase(), Phase::Deal | Phase::Cut | Phase::Over)
        {
            0
        } else {
            rummy.slots().len()
        }
    });
    let chosen = move || hand.chosen();
    let slot = move |n: usize| {
        let judged = Memo::new(move |_| rummy.judged(n).0);
        let cards = Memo::new(move |_| hand.rack.with(|r| r.at(Spot::Stage(n as u8))));
        let title = rummy.slots().get(n).map(|wants| {
            wants
                .iter()
                .map(|w| t!(&format!("stage.{}", w.kind.word()), n = w.size))
                .collect::<Vec<_>>()
                .join(&format!(" {} ", t!("ui.or")))
        });
        let title = title.unwrap_or_default();
        let state = move || match judged.get() {
            Judgement::Empty => "empty",
            Judgement::Needs(_) => "needs",
            Judgement::Good(_) => "good",
            Judgement::Wrong(_) => "wrong",
        };
        let words = move || match judged.get() {
            Judgement::Empty => t!("stage.empty"),
            Judgement::Needs(n) => t!("stage.needs", n = n),
            Judgement::Good(meld) => {
                let kind = if meld.is_run() { t!("stage.is_run") } else { t!("stage.is_group") };
                let wilds = meld::stands_text(rummy, &meld);
                if wilds.is_empty() { kind } else { format!("{kind} {wilds}") }
            }
            Judgement::Wrong(why) => why,
        };
        let choices = Memo::new(move |_| {
            let cards = rummy.staged(n);
            rummy.with_law(|law| {
                law.contracts
                    .first()
                    .and_then(|c| c.get(n))
                    .and_then(|wants| wants.first())
                    .map(|want| stage::beginnings(law, want, &cards))
                    .unwrap_or_default()
            })
        });
        let put = move |_| {
            let keys: Vec<u32> = chosen().iter().map(|c| c.key).collect();
            if !keys.is_empty() {
                hand.selected.set(Vec::new());
                hand.arrange(|r| r.put(&keys, Spot::Stage(n as u8), None));
            }
        };
        let back = move |_| {
            let keys: Vec<u32> = cards.get_untracked().iter().map(|c| c.key).collect();
            hand.arrange(|r| r.put(&keys, Spot::Hand, None));
            rummy.lows.update(|l| {
                l.remove(&n);
            });
        };
        view! {
            <div class="stage-slot" data-state=state data-drop=format!("stage-{n}") data-testid=format!("stage-{n}")>
                <div class="stage-head">
                    <strong>{title.clone()}</strong>
                    <span class="judgement" data-testid=format!("judgement-{n}")>{words}</span>
                </div>
                <div class="stage-cards">
                    <For each=move || cards.get() key=|c| c.key let:card>{hand_card(rummy, card)}</For>
                </div>
                <div class="row stage-tools">
                    <Show when=move || !chosen().is_empty()>
                        <button class="small" data-testid=format!("stage-put-{n}") on:click=put>{t!("stage.put")}</button>
                    </Show>
                    <Show when=move || { choices.with(Vec::len) > 1 }>
                        <label class="small-select">
                            <span class="offscreen">{t!("stage.begins")}</span>
                            <select on:change=move |e| {
                                if let Ok(low) = event_target_value(&e).parse() {
                                    rummy.lows.update(|l| { l.insert(n, low); });
                                }
                            }>
                                {move || choices.get().into_iter().map(|low| {
                                    let rank = rummy.with_law(|law| law.pack.ranks[usize::from(law.rank_at(low)) - 1].clone());
                                    let current = move || judged.with(|j| matches!(j, Judgement::Good(m) if m.low == low));
                                    view! { <option value=low.to_string() prop:selected=current>{t!("stage.from", rank = rank)}</option> }
                                }).collect_view()}
                            </select>
                        </label>
                    </Show>
                    <Show when=move || !cards.with(Vec::is_empty)>
                        <button class="small plain" data-testid=format!("stage-back-{n}") on:click=back>{t!("stage.back")}</button>
                    </Show>
                </div>
            </div>
        }
    };
    view! {
        <Show when=move || { slots.get() > 0 }>
            <section class="stage" aria-label=t!("stage.title") data-testid="stage">
                {move || (0..slots.get()).map(slot).collect_view()}
            </section>
        </Show>
    }
}

/// What can be done with the hand now.
#[component]
fn Actions() -> impl IntoView {
    let rummy: Rummy = expect_context();
    let hand = rummy.hand;
    let one = move || match hand.chosen().as_slice() {
        [card] => Some(*card),
        _ => None,
    };
    let ready = Memo::new(move |_| {
        rummy.playing() && !rummy.down() && rummy.prepared().is_some() && rummy.contract_fault().is_none()
    });
    let hold = move || {
        rummy.playing()
            && rummy.seen.with(|s| own_rules(s).out.discard == OutDiscard::Forbidden && s.hand.len() == 1)
    };
    let undo = move || rummy.playing() && rummy.seen.with(|s| !s.board.undo.is_empty());
    let protect = move || {
        rummy.playing()
            && one().is_some_and(|card| {
                rummy.seen.with(|s| s.flow.set(&s.book).shanghai.on)
                    && (1..=rummy.seen.with(|s| s.board.melds.len() as u16))
                        .any(|n| rummy.fits(&[card.face], n))
            })
    };
    let help = move || {
        if !rummy.playing() {
            return String::new();
        }
        match (one(), hand.chosen().len()) {
            (None, 0) => t!("rummy.select"),
            _ => String::new(),
        }
    };
    view! {
        <div class="actions" data-testid="actions">
            <Show when=move || ready.get()>
                <button class="primary big" data-testid="meld" on:click=move |_| rummy.meld()>{t!("rummy.meld")} <kbd aria-hidden="true">"M"</kbd></button>
            </Show>
            <Show when=move || rummy.playing() && one().is_some()>
                <button
                    class="primary"
                    data-testid="discard"
                    class:danger=move || one().is_some_and(|c| rummy.armed.get() == Some(c.key))
                    on:click=move |_| if let Some(card) = one() { rummy.discard(card) }
                >
                    {move || one().map(|card| {
                        let text = rummy.text(card.face);
                        if rummy.armed.get() == Some(card.key) { t!("rummy.discard_sure", card = text) } else { t!("rummy.discard", card = text) }
                    })}
                    <kbd aria-hidden="true">"D"</kbd>
                </button>
            </Show>
            <Show when=protect>
                <button data-testid="discard-shanghai" on:click=move |_| if let Some(card) = one() { rummy.protect(card) }>{t!("rummy.protect")}</button>
            </Show>
            <Show when=hold>
                <button class="primary" data-testid="hold" on:click=move |_| rummy.send(Command::Hold)>{t!("rummy.hold")}</button>
            </Show>
            <Show when=move || rummy.extra().is_some()>
                <button class="primary" data-testid="meld-extra" on:click=move |_| {
                    if let Some(said) = rummy.extra() {
                        hand.leaving.set_value(hand.chosen().iter().map(|c| c.key).collect());
                        hand.selected.set(Vec::new());
                        rummy.send(Command::Meld { contract: None, melds: vec![said] });
                    }
                }>{t!("rummy.extra")}</button>
            </Show>
            <Show when=undo>
                <button data-testid="undo" on:click=move |_| rummy.send(Command::Undo)>{t!("rummy.undo")}</button>
            </Show>
            <Show when=move || !hand.chosen().is_empty() && !rummy.down()>
                <button data-testid="prepare" on:click=move |_| prepare(rummy)>{t!("rummy.prepare")} <kbd aria-hidden="true">"S"</kbd></button>
            </Show>
            <span class="quiet">{help}</span>
        </div>
    }
}

/// Puts the selected cards where they help the contract.
fn prepare(rummy: Rummy) {
    let chosen = rummy.hand.chosen();
    let faces: Vec<Face> = chosen.iter().map(|c| c.face).collect();
    let keys: Vec<u32> = chosen.iter().map(|c| c.key).collect();
    if let Some(slot) = rummy.slot_for(&faces) {
        rummy.hand.selected.set(Vec::new());
        rummy.hand.arrange(|r| r.put(&keys, Spot::Stage(slot as u8), None));
    } else {
        rummy.voice.fail(t!("stage.nowhere"));
    }
}

/// Keys: D discards, S prepares, M melds, T takes, P passes, digits lay off on a meld.
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
            "d" => match chosen.as_slice() {
                [card] => rummy.discard(*card),
                _ => return,
            },
            "s" if !chosen.is_empty() => prepare(rummy),
            "m" if rummy.playing() => rummy.meld(),
            "t" => {
                if rummy.my_turn() && rummy.phase() == Phase::Start {
                    rummy.send(Command::DrawDiscard);
                } else {
                    rummy.send(Command::Take);
                }
            }
            "p" => {
                if rummy.my_turn() && rummy.phase() == Phase::Start {
                    rummy.send(draw_command(rummy));
                } else {
                    rummy.send(Command::Pass);
                }
            }
            "escape" => {
                rummy.hand.selected.set(Vec::new());
                rummy.armed.set(None);
                rummy.asking_end.set(None);
            }
            digit => {
                let Ok(on) = digit.parse::<u16>() else { return };
                if on == 0 || chosen.is_empty() || !rummy.may_lay_off() {
                    return;
                }
                rummy.lay_off(chosen.iter().map(|c| c.key).collect(), on, None);
            }
        }
        event.prevent_default();
    });
    on_cleanup(move || handle.remove());
}

/// The command that declines the top discard.
pub(crate) fn draw_command(rummy: Rummy) -> Command {
    if rummy.pushes() { Command::DrawPush } else { Command::DrawStock }
}
