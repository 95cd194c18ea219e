//! The staging area: melds put together from the own hand, a box for each, and what the engine says of them.

use super::hand::Spot;
use super::{Rummy, hand_card};
use crate::lang::PAGE;
use crate::ui::Show;
use crate::{t, ui};
use contract::StagedMeld;
use contract::meld::{Choice, Judgement};
use contract::state::Phase;
use leptos::prelude::*;
use rulebook::Family;

/// The melds that are being prepared: as many boxes as the longest alternative of the contract has slots.
#[component]
pub fn Stage() -> impl IntoView {
    let rummy: Rummy = expect_context();
    let boxes = Memo::new(move |_| boxes(rummy));
    view! {
        <Show when=move || { boxes.get() > 0 }>
            <section class="stage" class:of-3=move || { boxes.get() >= 3 } aria-label=t!("stage.title") data-testid="stage">
                {move || (0..boxes.get()).map(|n| prepared(rummy, n)).collect_view()}
            </section>
        </Show>
    }
}

/// How many boxes there are now.
fn boxes(rummy: Rummy) -> usize {
    let between = matches!(rummy.phase(), Phase::Deal | Phase::Cut | Phase::Choose | Phase::Over);
    if between || rummy.me().is_none() || rummy.down() {
        0
    } else {
        rummy.staged.with(|staged| staged.melds.len())
    }
}

/// Whether anything lies in a box.
pub fn is_begun(rummy: Rummy) -> bool {
    let lies = |meld: &StagedMeld| meld.judged != Judgement::Empty;
    boxes(rummy) > 0 && rummy.staged.with(|staged| staged.melds.iter().any(lies))
}

/// What a slot asks for, in words; a box that the contract as it is prepared has no slot for is spare.
fn slot_words(rummy: Rummy, slot: &Choice) -> String {
    rummy.pack.with_value(|pack| screen::contract::slot_words(PAGE, pack, slot))
}

/// What the selected cards would be as a whole meld of the contract, in words, and whether that can be laid then; none where they are none.
pub fn suggested(rummy: Rummy) -> Option<(String, bool)> {
    let cards: Vec<_> = rummy.hand.chosen().iter().map(|card| card.face).collect();
    if rummy.down() {
        return None;
    }
    let prepared = rummy.preparation.get();
    let meld = rummy.view.with(|view| screen::contract::suggested(view, prepared, cards))?;
    let words = rummy.pack.with_value(|pack| meld.words(PAGE, pack));
    Some((words, meld.whole && rummy.may(|offers| &offers.meld)))
}

/// How a prepared meld stands, in words.
fn judged_words(rummy: Rummy, meld: &StagedMeld) -> AnyView {
    match rummy.pack.with_value(|pack| screen::contract::judged_words(PAGE, pack, meld)) {
        Ok(words) => words.into_any(),
        Err(why) => ui::refusal(Family::Contract, &why, 1),
    }
}

/// The box of a meld in preparation.
fn prepared(rummy: Rummy, n: usize) -> AnyView {
    let hand = rummy.hand;
    let spot = Spot::Stage(n as u8);
    let staged = Memo::new(move |_| rummy.staged.with(|staged| staged.melds.get(n).cloned()));
    let cards = Memo::new(move |_| hand.rack.with(|r| r.at(spot)));
    let title = move || staged.with(|meld| meld.as_ref().map(|meld| slot_words(rummy, &meld.slot)));
    let state = move || {
        staged.with(|meld| match meld.as_ref().map(|meld| &meld.judged) {
            None | Some(Judgement::Empty) => "empty",
            Some(Judgement::Needs { .. }) => "needs",
            Some(Judgement::Good(_)) => "good",
            Some(Judgement::Wrong(_)) => "wrong",
        })
    };
    let words = move || staged.with(|meld| meld.as_ref().map(|meld| judged_words(rummy, meld)));
    // Where the wilds of a run leave a choice: the positions where it could begin.
    let choices = Memo::new(move |_| {
        staged.with(|meld| meld.as_ref().map(|meld| meld.beginnings.clone()).unwrap_or_default())
    });
    let begins = move |at: u8| {
        staged.with(|meld| {
            let judged = meld.as_ref().map(|meld| &meld.judged);
            matches!(judged, Some(Judgement::Good(run)) if run.low == at)
        })
    };
    let chosen = Memo::new(move |_| !hand.selected.with(Vec::is_empty));
    let put = move |_| {
        let keys: Vec<u32> = hand.chosen().iter().map(|c| c.key).collect();
        rummy.prepare_at(&keys, n);
    };
    let back = move |_| {
        let keys: Vec<u32> = cards.with_untracked(|cards| cards.iter().map(|c| c.key).collect());
        hand.arrange(|r| r.put(&keys, Spot::Hand, None));
        rummy.begin_at(n, None);
    };
    view! {
        <div class="stage-slot" data-state=state data-drop=format!("stage-{n}") data-testid=format!("stage-{n}")>
            <div class="stage-head">
                <strong>{title}</strong>
                <span class="judgement" data-testid=format!("judgement-{n}")>{words}</span>
            </div>
            <div class="stage-cards">
                <For each=move || cards.get() key=|c| c.key let:card>{hand_card(rummy, card)}</For>
            </div>
            <div class="row stage-tools" class:puts=move || chosen.get()>
                <Show when=move || chosen.get()>
                    <button class="small" data-testid=format!("stage-put-{n}") on:click=put>{t!("stage.put")}</button>
                </Show>
                <Show when=move || { choices.with(Vec::len) > 1 }>
                    <label class="small-select">
                        <span class="offscreen">{t!("stage.begins")}</span>
                        <select on:change=move |e| rummy.begin_at(n, event_target_value(&e).parse().ok())>
                            {move || choices.get().into_iter().map(|at| {
                                let rank = rummy.with_law(|law| law.pack.ranks[usize::from(law.rank_at(at)) - 1].clone());
                                view! { <option value=at.to_string() prop:selected=move || begins(at)>{t!("stage.from", rank = rank)}</option> }
                            }).collect_view()}
                        </select>
                    </label>
                </Show>
                <Show when=move || !cards.with(Vec::is_empty)>
                    <button class="small plain" data-testid=format!("stage-back-{n}") aria-label=t!("stage.back") title=t!("stage.back") on:click=back><span class="words">{t!("stage.back")}</span><span class="sign" aria-hidden="true">"↩"</span></button>
                </Show>
            </div>
        </div>
    }
    .into_any()
}
