//! The race and scout screen: claims on an open layout, for every preset of the mechanism.

mod board;
mod pick;
mod told;

use crate::feel::{Moment, feel};
use crate::lang::PAGE;
use crate::prefs::prefs;
use crate::screens::board::hint_label;
use crate::screens::pattern::{Desk, Of, race_in};
use crate::screens::pattern_advice::SetAdvice;
use crate::soon::soon;
use crate::ui::Show;
use crate::{dom, t, ui};
use board::{Arrangement, BoardView, flip_key};
use cards::{Deck, Point};
use game::Seat;
use leptos::{ev, prelude::*};
use pattern::race::{Held, Phase, State, View};
use pattern::rules::{Deals, HandVisibility, Rules, Sources};
use pattern::{Act, Command, Offers};
use pick::Picker;
use rulebook::Family;
use screen::people::time_text;
use screen::race::{Raised, banner, call_words, deal_end_words, none_words};
pub use screen::verdict::FEATURES;
use screen::verdict::verdict_text;
use std::sync::Arc;
pub use told::{found, open, told};

/// Why three cards are no Set: "colour: two red, one green; ...". Empty for a Set.
#[must_use]
pub fn why_no_set(deck: Deck, cards: [Point; 3]) -> String {
    screen::verdict::why_no_set(PAGE, deck, cards)
}

/// What the parts of this screen share.
#[derive(Clone, Copy)]
pub(crate) struct RaceShared {
    pub desk: Desk,
    pub view: Of<View>,
    pub state: Of<State>,
    /// What the own seat may do as soon as the cards lie long enough (CORE-14).
    offers: Memo<Offers>,
    pub rules: StoredValue<Arc<Rules>>,
    pub deck: Deck,
    pub picker: Picker,
    /// What a bot would find.
    advice: SetAdvice,
}

impl RaceShared {
    fn send(self, command: Command) {
        self.desk.send.run(command);
    }

    /// Whether the game has such an act.
    fn has(self, act: Act) -> bool {
        self.offers.with(|offers| offers.has(act))
    }

    /// Whether an act is open.
    fn open(self, act: Act) -> bool {
        self.offers.with(|offers| offers.open(act))
    }

    /// The same, read once.
    fn open_untracked(self, act: Act) -> bool {
        self.offers_untracked(|offers| offers.open(act))
    }

    /// What may be done, read once.
    fn offers_untracked<T>(self, read: impl FnOnce(&Offers) -> T) -> T {
        self.offers.with_untracked(read)
    }

    /// Why an act is closed, for whoever points at its button.
    fn why(self, act: Act) -> Option<String> {
        self.offers.with(|offers| offers.why(act).map(crate::lang::refusal))
    }

    /// The own seat's cards that may be claimed besides the layout: hand, or previous Set.
    fn own_cards(self) -> Vec<Point> {
        let me = self.desk.me.get();
        self.view.with(|view| screen::race::own_cards(view, me))
    }

    /// Whether the own seat may not call or claim just now, and for how many seconds more.
    fn locked(self) -> Option<u32> {
        let me = self.desk.me.get()?;
        let now = self.desk.clock.now();
        self.view.with(|view| screen::race::locked(view, Some(me), now))
    }
}

/// The screen of a race; `practises` where help is nobody's loss.
#[component]
pub fn RaceScreen(desk: Desk, view: Of<pattern::View>, practises: Signal<bool>) -> impl IntoView {
    let family = view;
    let (view, state) = (view.part(race_in), view.part(|view| race_in(view).map(|race| &race.state)));
    // Between the laying of cards and the moment that they count, whoever is quick is told so by the table.
    let settled = move || desk.clock.now().max(state.with(|s| s.open_at));
    let offers = Memo::new(move |_| family.with(|view| view.offers(settled())));
    let rules = view.with_untracked(|v| v.rules.clone());
    let deck = rules.deck;
    let picker = Picker::new();
    let advice = SetAdvice::new(family, deck, practises);
    let race = RaceShared { desk, view, state, offers, rules: StoredValue::new(rules), deck, picker, advice };
    provide_context(race);
    picker.watch(race);
    announce(race);
    keyboard(race);

    view! {
        <div class="match race" data-testid="race">
            <div class="field">
                <Banner/>
                <BoardView/>
                <OwnCards/>
                <Actions/>
            </div>
            <aside class="side" aria-label=t!("race.side")>
                <Scores/>
                <Piles/>
            </aside>
            {advice.shown()}
            {soon(|| DealSummary().into_any())}
        </div>
    }
}

/// Tells screen readers, and ears, what happens.
fn announce(race: RaceShared) {
    let desk = race.desk;
    let voice = ui::voice();
    let last = Memo::new(move |_| race.state.with(|s| s.last.clone()));
    Effect::new(move |before: Option<Vec<pattern::race::Verdict>>| {
        let now = last.get();
        if before.is_some_and(|b| b != now) {
            for verdict in &now {
                let right = verdict.finding.right();
                voice.say(verdict_text(PAGE, verdict, race.deck, &desk.name_or_you(verdict.seat)));
                let mine = desk.me.get_untracked() == Some(verdict.seat);
                feel(match (right, mine) {
                    (true, true) => Moment::Found,
                    (true, false) => Moment::FoundByOther,
                    (false, true) => Moment::Wrong,
                    (false, false) => Moment::WrongByOther,
                });
            }
        }
        now
    });
    let caller = Memo::new(move |_| race.state.with(|s| s.call.map(|c| c.callers)));
    Effect::new(move |before: Option<Option<game::SeatSet>>| {
        let now = caller.get();
        if let (Some(None), Some(seats)) = (before, now)
            && let Some(seat) = seats.iter().next()
        {
            if desk.me.get_untracked() != Some(seat) {
                feel(Moment::Called);
            }
            voice.say(t!("race.called", name = desk.name_or_you(seat)));
        }
        now
    });
    let flags = Memo::new(move |_| race.state.with(|s| s.flags));
    Effect::new(move |before: Option<game::SeatSet>| {
        let now = flags.get();
        if let Some(before) = before {
            for seat in now.minus(before).iter() {
                voice.say(t!("race.flagged", name = desk.name_or_you(seat)));
            }
        }
        now
    });
    let size = Memo::new(move |_| race.state.with(|s| (s.deal, s.extras, s.board.len())));
    Effect::new(move |before: Option<(u16, u16, usize)>| {
        let now = size.get();
        if let Some((deal, extras, _)) = before
            && deal == now.0
            && now.1 > extras
        {
            voice.say(t!("race.extra", n = now.2));
        }
        now
    });
}

/// Letters pick cards; space calls; minus is the "no set" flag.
fn keyboard(race: RaceShared) {
    let prefs = prefs();
    let handle = window_event_listener(ev::keydown, move |event| {
        if event.ctrl_key() || event.alt_key() || event.meta_key() || event.repeat() || dom::typing() {
            return;
        }
        if dom::find("dialog[open]").is_some() || !race.desk.playing() {
            return;
        }
        let key = event.key();
        match key.as_str() {
            " " => {
                if dom::find("button:focus, a:focus, input:focus").is_some() {
                    return;
                }
                race.picker.call(race);
                event.prevent_default();
            }
            "Escape" => {
                race.picker.clear();
                if race.open_untracked(Act::Cancel) {
                    race.send(Command::Cancel);
                }
            }
            _ => {
                let small = dom::small_letters(&key);
                let mut letters = small.chars();
                let (Some(letter), None) = (letters.next(), letters.next()) else { return };
                if let Some(n) = letter.to_digit(10) {
                    let own = race.own_cards();
                    if let Some(&card) = own.get((n as usize + 9) % 10) {
                        race.picker.press(race, card);
                        event.prevent_default();
                    }
                    return;
                }
                let keys = prefs.get_untracked().letters();
                let card = race.state.with_untracked(|s| {
                    let arrangement = Arrangement::of(&race.rules.get_value(), &s.board);
                    arrangement.card_at_key(&s.board, keys, letter)
                });
                if let Some(card) = card {
                    race.picker.press(race, card);
                    event.prevent_default();
                } else if letter == '-' {
                    toggle_flag(race);
                    event.prevent_default();
                }
            }
        }
    });
    on_cleanup(move || handle.remove());
}

fn toggle_flag(race: RaceShared) {
    race.send(if race.open_untracked(Act::NoSetOff) { Command::NoSetOff } else { Command::NoSet });
}

/// One line above the board: what is going on, or how the last claim was judged.
#[component]
fn Banner() -> impl IntoView {
    let race: RaceShared = expect_context();
    let desk = race.desk;
    let raised = Memo::new(move |before: Option<&Raised>| {
        race.state.with(|state| Raised::after(before, state, desk.clock.read()))
    });
    let line = move || {
        let (at, raised) = (desk.clock.read(), raised.get());
        desk.told(|desk| {
            race.view.with(|view| {
                race.offers
                    .with(|offers| race.picker.with(|picker| banner(desk, view, picker, offers, &raised, at)))
            })
        })
    };
    view! {
        <div
            class="banner"
            data-testid="banner"
            data-kind=move || line().kind
        >
            <span>{move || line().text}</span>
            {move || {
                line().due.map(|deadline| {
                    view! { <span class="countdown" data-testid="countdown">{move || t!("ui.seconds", n = desk.clock.seconds_to(deadline))}</span> }
                })
            }}
            {move || {
                race.locked().map(|n| {
                    let text = screen::race::locked_words(PAGE, n);
                    view! { <span class="lock" data-testid="locked">{text}</span> }
                })
            }}
        </div>
        {ui::refused(Family::Pattern, desk.refused)}
    }
}

/// The own hand, or the own previous Set, below the board.
#[component]
fn OwnCards() -> impl IntoView {
    let race: RaceShared = expect_context();
    let sources = race.rules.with_value(|r| r.sources);
    if sources == Sources::Layout {
        return ().into_any();
    }
    let title = if sources == Sources::Hand { t!("race.hand") } else { t!("race.previous") };
    let cards = Memo::new(move |_| race.own_cards());
    let each = move || -> Vec<(usize, Point)> { cards.get().into_iter().enumerate().collect() };
    view! {
        <section class="own" class:hidden=move || cards.with(Vec::is_empty) aria-label=title.clone() data-testid="own-cards">
            <h2>{title.clone()}</h2>
            <div class="own-cards">
                <For
                    each=each
                    key=|(n, card)| (*n, card.0)
                    let((n, card))
                >
                    {board::card_button(race, card, Some(char::from_digit((n as u32 + 1) % 10, 10).unwrap_or(' ')).filter(|_| n < 10))}
                </For>
            </div>
        </section>
    }
    .into_any()
}

/// The buttons under the board.
#[component]
fn Actions() -> impl IntoView {
    let race: RaceShared = expect_context();
    let desk = race.desk;
    let rules = race.rules.get_value();
    if !desk.live {
        return ().into_any();
    }
    let others_flagged = move || {
        desk.me
            .get()
            .is_some_and(|me| race.state.with(|s| !s.flags.without(me).is_empty() && !s.flags.has(me)))
    };
    let (word, none) = (call_words(PAGE, &rules), none_words(PAGE, &rules));
    // Both stand there, one unseen: the button is as wide whichever it says.
    let withdraws = move || race.open(Act::NoSetOff);
    view! {
        <div class="actions" data-testid="actions" class:hidden=move || !desk.playing() || race.state.with(|s| s.phase == Phase::Over)>
            <Show when=move || race.has(Act::Call) && !race.open(Act::Cancel)>
                <button
                    class="primary big"
                    data-testid="call"
                    disabled=move || !race.open(Act::Call)
                    title=move || race.why(Act::Call)
                    on:pointerdown=move |e| {
                        if dom::presses(&e) {
                            race.picker.call(race);
                        }
                    }
                    on:click=move |e| {
                        if e.detail() == 0 {
                            race.picker.call(race);
                        }
                    }
                >{word.clone()} <kbd aria-hidden="true">"␣"</kbd></button>
            </Show>
            <Show when=move || race.open(Act::Cancel)>
                <button class="danger" data-testid="cancel-call" on:click=move |_| { race.picker.clear(); race.send(Command::Cancel) }>
                    {t!("race.cancel")}
                </button>
            </Show>
            <Show when=move || race.picker.can_claim(race)>
                <button class="primary big" data-testid="claim" on:click=move |_| race.picker.claim(race)>
                    {move || race.picker.claim_label(race)}
                </button>
            </Show>
            <Show when=move || race.has(Act::NoSet)>
                <button
                    data-testid="no-set"
                    aria-pressed=move || race.open(Act::NoSetOff).to_string()
                    disabled=move || !race.open(Act::NoSet) && !race.open(Act::NoSetOff)
                    title=move || race.why(Act::NoSet).filter(|_| !race.open(Act::NoSetOff))
                    on:click=move |_| toggle_flag(race)
                >
                    <span aria-hidden="true">"⚑"</span>
                    <span class="either">
                        <span class:off=withdraws>{none.clone()}</span>
                        <span class:off=move || !withdraws()>{t!("race.no_set_off")}</span>
                    </span>
                    <kbd aria-hidden="true">"−"</kbd>
                </button>
                <Show when=move || others_flagged() && race.open(Act::Looking)>
                    <button data-testid="looking" on:click=move |_| race.send(Command::Looking)>{t!("race.looking")}</button>
                </Show>
            </Show>
            <Show when=move || race.has(Act::Ask)>
                <button data-testid="ask" disabled=move || !race.open(Act::Ask) title=move || race.why(Act::Ask) on:click=move |_| race.send(Command::Ask)>{t!("race.ask")}</button>
            </Show>
            <Show when=move || race.open(Act::Pass)>
                <button data-testid="pass" on:click=move |_| race.send(Command::Pass)>{t!("scout.pass")}</button>
            </Show>
            <Show when=move || race.has(Act::Hint)>
                <button data-testid="hint" disabled=move || !race.open(Act::Hint) title=move || race.why(Act::Hint) on:click=move |_| race.send(Command::Hint)>{move || race.offers.with(hint_label)}</button>
            </Show>
            <Show when=move || race.open(Act::GiveUp)>
                <button class="danger" data-testid="give-up" on:click=move |_| race.send(Command::GiveUp)>{t!("race.give_up")}</button>
            </Show>
            {race.advice.button()}
        </div>
    }
    .into_any()
}

/// Cards, small.
fn minis(deck: Deck, cards: impl IntoIterator<Item = Point>) -> AnyView {
    cards
        .into_iter()
        .map(|card| view! { <span class="mini" role="img" aria-label=ui::pattern_name(deck, card)>{ui::pattern_card(deck, card)}</span> })
        .collect_view()
        .into_any()
}

/// Who has how much, who is locked, who has flagged.
#[component]
fn Scores() -> impl IntoView {
    let race: RaceShared = expect_context();
    let desk = race.desk;
    let rules = race.rules.get_value();
    let chain = rules.sources == Sources::Previous;
    let shown_hands = rules.sources == Sources::Hand && rules.hand_visibility == HandVisibility::Public;
    let hands = rules.sources == Sources::Hand;
    // The score is the match's, what was claimed is the deal's.
    let one_deal = rules.deals == Deals::Count(1);
    let row = move |n: usize| {
        let seat = Seat(n as u8);
        let player = Memo::new(move |_| race.state.with(|s| s.players.get(n).cloned()));
        let calling = move || race.state.with(|s| s.call.is_some_and(|c| c.callers.has(seat)));
        // What is said of a player for now, each in the class of its tag.
        let notes = Memo::new(move |_| {
            race.state.with(|s| {
                let is = |what: fn(&pattern::race::Player) -> bool| s.players.get(n).is_some_and(what);
                let dealer = s.dealer == seat && s.players.len() > 1;
                let notes = [
                    dealer.then(|| ("tag", t!("table.dealer"))),
                    is(|p| matches!(p.held, Held::Away { .. })).then(|| ("tag warn", t!("table.away"))),
                    is(|p| p.frozen.is_some()).then(|| ("tag warn", t!("scout.frozen"))),
                    s.flags.has(seat).then(|| ("tag flag", format!("⚑ {}", t!("race.no_set")))),
                    s.looking.has(seat).then(|| ("tag", t!("race.is_looking"))),
                ];
                notes.into_iter().flatten().collect::<Vec<_>>()
            })
        });
        let get = move |f: fn(&pattern::race::Player) -> i64| player.with(|p| p.as_ref().map_or(0, f));
        let of_player = move |f: fn(&pattern::race::Player) -> Vec<Point>| {
            player.with(|p| p.as_ref().map(f).unwrap_or_default())
        };
        // What the seat's last claim won: while it is the last of all, and until its next.
        let takes = Memo::new(move |_| {
            let own = |verdict: &&pattern::race::Verdict| verdict.seat == seat && verdict.finding.right();
            race.state.with(|s| s.last.iter().find(own).map(|verdict| verdict.claim.cards().to_vec()))
        });
        // In a replay, where one goes back as well, the view has it.
        let took = Memo::new(move |before: Option<&Vec<Point>>| {
            let before = || if desk.live { before.cloned() } else { Some(of_player(|p| p.previous.clone())) };
            // What was won in the deal before is won no more.
            let any = || player.with(|p| p.as_ref().is_some_and(|p| p.sets > 0));
            takes.get().or_else(before).filter(|_| any()).unwrap_or_default()
        });
        let taken_keys =
            move || takes.get().into_iter().flatten().map(flip_key).collect::<Vec<_>>().join(" ");
        view! {
            <li
                class="score"
                style:--seat=n.to_string()
                data-takes=taken_keys
                class:me=move || desk.me.get() == Some(seat)
                class:calling=calling
                class:noted=move || !notes.with(Vec::is_empty)
                class:free=move || desk.free(seat)
                class:gone=move || !desk.free(seat) && player.with(|p| p.as_ref().is_none_or(|p| p.held == Held::Retired))
                data-testid=format!("score-{n}")
            >
                <span class="who">
                    <span class="name" class:bot=move || desk.is_bot(seat) dir="auto">{move || desk.is_bot(seat).then(|| ui::bot_face(seat))}{move || desk.plate(seat)}</span>
                    <Show when=move || desk.me.get() == Some(seat)><span class="tag">{t!("table.you")}</span></Show>
                    {move || notes.get().into_iter().map(|(class, words)| {
                        let flag = class.contains("flag").then(|| format!("flag-{n}"));
                        view! { <span class=class data-testid=flag>{words}</span> }
                    }).collect_view()}
                </span>
                <span class="points" data-testid=format!("points-{n}")>
                    {move || get(|p| i64::from(p.score))}
                </span>
                <span class="detail quiet">
                    {move || {
                        let (sets, errors) = (get(|p| i64::from(p.sets)), get(|p| i64::from(p.errors)));
                        if one_deal {
                            t!("race.detail", sets = sets, errors = errors)
                        } else {
                            t!("race.detail_of_deal", sets = sets, errors = errors)
                        }
                    }}
                    {move || hands.then(|| t!("race.hand_size", n = get(|p| p.hand.len() as i64)))}
                </span>
                // What was taken last; in a chain it is what can be claimed with, and there from the beginning.
                <span class="minis last" data-testid=format!("last-{n}")>
                    {move || minis(race.deck, if chain { of_player(|p| p.previous.clone()) } else { took.get() })}
                </span>
                {shown_hands.then(|| view! {
                    <span class="minis">
                        {move || minis(race.deck, if desk.me.get() == Some(seat) { Vec::new() } else { of_player(|p| p.hand.cards().to_vec()) })}
                    </span>
                })}
            </li>
        }
    };
    let seats = Memo::new(move |_| race.state.with(|s| s.players.len()));
    view! {
        <section class="panel scores" data-testid="scores">
            <h2>{t!("race.scores")}</h2>
            <ol>{move || (0..seats.get()).map(row).collect_view()}</ol>
        </section>
    }
}

/// Stock, deal, clock.
#[component]
fn Piles() -> impl IntoView {
    let race: RaceShared = expect_context();
    let desk = race.desk;
    view! {
        <section class="panel piles">
            <div class="pile" data-testid="stock">
                <span class="pile-card" id="race-stock">{ui::pattern_back()}</span>
                <span>{move || t!("race.stock", n = race.state.with(|s| s.stock))}</span>
            </div>
            <p class="quiet">
                {move || race.state.with(|s| {
                    // Between deals the number is already the next one's.
                    t!("race.deal_n", n = s.deal - u16::from(s.phase == Phase::Between))
                })} " · "
                <span data-testid="clock">{move || {
                    let started = race.state.with(|s| s.started_at);
                    let end = race.state.with(|s| s.ended_at);
                    time_text(end.unwrap_or_else(|| desk.clock.now()).since(started))
                }}</span>
            </p>
            {move || {
                let heap = race.state.with(|s| s.heap.len());
                (heap > 0).then(|| view! { <p class="quiet">{t!("race.heap", n = heap)}</p> })
            }}
        </section>
    }
}

/// Between deals: how the last one ended, and a button for the next.
#[component]
fn DealSummary() -> impl IntoView {
    let race: RaceShared = expect_context();
    let desk = race.desk;
    let between = Memo::new(move |_| race.state.with(|s| s.phase == Phase::Between));
    let over = Memo::new(move |_| race.state.with(|s| s.phase == Phase::Over));
    view! {
        <Show when=move || between.get() || over.get()>
            <section class="panel summary" class:between=move || between.get() role="group" aria-labelledby="deal-over" tabindex="0" data-testid="deal-summary" aria-live="polite">
                <h2 id="deal-over">{move || if over.get() { t!("table.match_over") } else { t!("race.deal_over") }}</h2>
                <p>{move || {
                    race.state.with(|s| s.deal_end.map(|end| deal_end_words(PAGE, end)))
                }}</p>
                <Missed/>
                <Show when=move || between.get() && desk.playing()>
                    <div class="row">
                        <button
                            class="primary"
                            data-testid="next-deal"
                            disabled=move || !race.open(Act::Ready)
                            on:click=move |_| race.send(Command::Ready)
                        >{t!("race.next")}</button>
                        {move || race.state.with(|s| s.next_at).map(|due| t!("race.next_in", n = desk.clock.seconds_to(due)))}
                        <Show when=move || race.has(Act::Graduate)>
                            <button
                                data-testid="graduate"
                                aria-pressed=move || desk.me.get().is_some_and(|me| race.state.with(|s| s.graduating.has(me))).to_string()
                                on:click=move |_| race.send(Command::Graduate)
                            >{t!("race.graduate")}</button>
                        </Show>
                    </div>
                </Show>
            </section>
        </Show>
    }
}

/// What lay open and was not taken.
#[component]
fn Missed() -> impl IntoView {
    let race: RaceShared = expect_context();
    let missed = Memo::new(move |_| race.state.with(|s| s.missed.clone()));
    view! {
        <Show when=move || !missed.with(Vec::is_empty)>
            <h3>{t!("race.missed")}</h3>
            <ul class="missed" data-testid="missed">
                {move || {
                    let mut list = missed.get();
                    cards::list::sort_by_key(&mut list, |m| std::cmp::Reverse(m.until.since(m.from)));
                    list.truncate(8);
                    list.into_iter()
                        .map(|m| {
                            view! {
                                <li>
                                    {minis(race.deck, m.claim.cards().iter().copied())}
                                    <span class="quiet">{t!("race.missed_for", time = time_text(m.until.since(m.from)))}</span>
                                </li>
                            }
                        })
                        .collect_view()
                }}
            </ul>
        </Show>
    }
}
