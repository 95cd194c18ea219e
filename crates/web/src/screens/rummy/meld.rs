//! The melds on the table: whose they are, what each wild stands for, and where the selected cards may go.

use super::Rummy;
use crate::ui::Show;
use crate::{dom, t, ui};
use cards::Face;

use contract::meld::{End, Meld};
use contract::state::TableMeld;
use leptos::prelude::*;

/// "(joker as 7♥)" for each wild whose place tells something.
pub fn stands_text(rummy: Rummy, meld: &Meld) -> String {
    if !meld.is_run() {
        return String::new();
    }
    let list: Vec<String> = meld
        .cards
        .iter()
        .filter(|c| !c.is_itself())
        .map(|c| t!("meld.stands", wild = rummy.text(c.card), card = rummy.text(c.stands)))
        .collect();
    if list.is_empty() { String::new() } else { format!("({})", list.join(", ")) }
}

/// Every meld.
#[component]
pub fn Melds() -> impl IntoView {
    let rummy: Rummy = expect_context();
    let count = Memo::new(move |_| rummy.view.with(|s| s.board.melds.len()));
    // What is dragged, else what is selected.
    let chosen = Memo::new(move |_| {
        let dragged = rummy.drag.faces(rummy);
        if dragged.is_empty() { rummy.hand.chosen().iter().map(|c| c.face).collect() } else { dragged }
    });
    // Of the melds that take the chosen cards one comes into sight.
    Effect::new(move || {
        if !rummy.hand.selected.with(Vec::is_empty) {
            dom::next_frame(|| dom::reveal(".melds", ".tmeld.target"));
        }
    });
    view! {
        <section class="melds" aria-label=t!("meld.title") data-testid="melds">
            <Show when=move || count.get() == 0>
                <Show when=move || rummy.reading.get() fallback=|| view! { <p class="quiet melds-none">{t!("meld.none")}</p> }>
                    {super::panels::reading(rummy)}
                </Show>
            </Show>
            {move || (1..=count.get() as u16).map(|n| one(rummy, n, chosen)).collect_view()}
        </section>
    }
}

/// A meld. `chosen` are the cards that look for a place.
fn one(rummy: Rummy, number: u16, chosen: Memo<Vec<Face>>) -> AnyView {
    let meld = Memo::new(move |_| rummy.view.with(|s| s.board.meld(number).cloned()));
    // While the discard may be claimed, it is the card that looks for a place.
    let target = Memo::new(move |_| {
        if rummy.claiming() {
            !rummy.claims(number).is_empty()
        } else {
            chosen.with(|cards| !rummy.ends(cards, number).is_empty())
        }
    });
    let reclaim = Memo::new(move |_| {
        chosen.with(|cards| matches!(cards.as_slice(), [card] if rummy.reclaims(*card, number)))
    });
    let act = move |end: Option<End>| {
        if rummy.claiming() {
            return rummy.claim(number, end);
        }
        let keys = match rummy.asking_end.get_untracked() {
            Some((on, keys)) if on == number && end.is_some() => keys,
            _ => rummy.hand.chosen().iter().map(|c| c.key).collect(),
        };
        rummy.lay_off(keys, number, end);
    };
    let asking = move || rummy.asking_end.with(|a| a.as_ref().is_some_and(|a| a.0 == number));
    let beyond = move |end: End| {
        rummy
            .view
            .with(|s| s.board.meld(number).and_then(|m| s.law().beyond(&m.meld, end)))
            .map(|face| rummy.text(face))
            .unwrap_or_default()
    };
    let label = move || meld.with(|m| m.as_ref().map(|m| label(rummy, number, m)));
    let cards = move || meld.with(|m| m.as_ref().map(|m| cards(rummy, &m.meld)));
    view! {
        <div class="tmeld" class:target=move || target.get() data-drop=format!("meld-{number}") data-testid=format!("meld-{number}") data-flip=format!("m{number}")>
            <button
                class="tmeld-cards"
                aria-label=label
                aria-disabled=move || (!target.get()).to_string()
                on:click=move |_| if target.get_untracked() { act(None) }
            >{cards}</button>
            <div class="tmeld-foot">
                <span class="quiet"><b>{number}</b> " " {move || meld.with(|m| m.as_ref().map(|m| rummy.desk.name_or_you(m.owner)))}</span>
                <Show when=move || reclaim.get()>
                    <button class="small" data-testid=format!("reclaim-{number}") on:click=move |_| {
                        if let [card] = rummy.hand.chosen().as_slice() {
                            rummy.reclaim(*card, number);
                        }
                    }>{t!("meld.reclaim")}</button>
                </Show>
                <Show when=asking>
                    <span class="row" role="group" aria-label=t!("meld.which_end")>
                        <button class="small" data-testid=format!("low-{number}") on:click=move |_| act(Some(End::Low))>{move || t!("meld.low", card = beyond(End::Low))}</button>
                        <button class="small" data-testid=format!("high-{number}") on:click=move |_| act(Some(End::High))>{move || t!("meld.high", card = beyond(End::High))}</button>
                    </span>
                </Show>
            </div>
        </div>
    }
    .into_any()
}

/// What a meld is called: its number, kind, owner and cards, and what each wild stands for.
fn label(rummy: Rummy, number: u16, laid: &TableMeld) -> String {
    let meld = &laid.meld;
    let kind = if meld.is_run() { t!("meld.run") } else { t!("meld.group") };
    let cards: Vec<String> = meld
        .cards
        .iter()
        .map(|c| {
            if c.is_itself() || !meld.is_run() {
                rummy.name(c.card)
            } else {
                t!("meld.stands", wild = rummy.name(c.card), card = rummy.name(c.stands))
            }
        })
        .collect();
    let name = rummy.desk.name_or_you(laid.owner);
    t!("meld.label", n = number, kind = kind, name = name, cards = cards.join(", "))
}

/// The cards of a meld; in a run, what each wild stands for.
fn cards(rummy: Rummy, meld: &Meld) -> impl IntoView + use<> {
    let run = meld.is_run();
    meld.cards
        .iter()
        .map(|c| {
            let stands = (run && !c.is_itself()).then(|| rummy.text(c.stands));
            view! {
                <span class="mcard">
                    {rummy.pack.with_value(|pack| ui::playing_card(pack, c.card))}
                    {stands.map(|s| view! { <span class="stands">{s}</span> })}
                </span>
            }
        })
        .collect_view()
}
