//! The melds on the table: whose they are, what each wild stands for, and where the selected cards may go.

use super::Rummy;
use crate::ui::Show;
use crate::{t, ui};
use cards::Face;

use contract::meld::{End, Kind, Meld};
use contract::state::TableMeld;
use leptos::prelude::*;

/// A meld. `chosen` are the cards that look for a place.
pub fn one(rummy: Rummy, number: u16, chosen: Memo<Vec<Face>>) -> AnyView {
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
    // Whether any card of the hand goes there, before one is selected.
    let open = move || rummy.goes(|_, on| on == number);
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
        <div class="tmeld" class:open=open class:target=move || target.get() data-drop=format!("meld-{number}") data-testid=format!("meld-{number}") data-flip=format!("m{number}")>
            <button
                class="tmeld-cards"
                aria-label=label
                aria-disabled=move || (!target.get()).to_string()
                on:click=move |_| if target.get_untracked() { act(None) }
            >{cards}</button>
            <div class="tmeld-foot" class:asks=move || reclaim.get() || asking()>
                <b class="quiet">{number}</b>
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
    let kind = match meld.kind {
        Kind::Run => t!("meld.run"),
        Kind::Group | Kind::Pair => t!("meld.group"),
        Kind::Flush => t!("meld.flush"),
    };
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
            let stands = (run && !c.is_itself()).then(|| {
                let mut face = rummy.text(c.stands);
                // Where there is no width the suit stands below the rank.
                if let Some((suit, _)) = face.char_indices().next_back() {
                    face.insert(suit, '\u{200b}');
                }
                face
            });
            view! {
                <span class="mcard">
                    {rummy.pack.with_value(|pack| ui::playing_card(pack, c.card))}
                    // No text: what listens hears it of the whole meld.
                    {stands.map(|s| view! { <span class="stands" data-stands=s></span> })}
                </span>
            }
        })
        .collect_view()
}
