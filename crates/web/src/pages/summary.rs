//! How a match ended.

use crate::desk::Who;
use crate::t;
use game::Seat;
use leptos::prelude::*;

/// Who won, in a line; `me` is the seat of whoever reads it.
#[must_use]
pub fn headline(outcome: &game::Outcome, who: Who, me: Option<Seat>) -> String {
    let winners: Vec<String> = outcome.winners.iter().map(|seat| who.name(seat)).collect();
    match winners.len() {
        // Who plays alone beats nobody.
        n if n == 0 || outcome.scores.len() == 1 => t!("end.nobody"),
        1 if me.is_some_and(|me| outcome.winners.has(me)) => t!("end.you_won"),
        1 => t!("end.winner", name = winners[0]),
        _ => t!("end.winners", names = winners.join(", ")),
    }
}

/// Who won, with their faces, places and scores.
#[component]
pub fn Outcome(
    outcome: game::Outcome,
    who: Who,
    /// The seat of whoever reads it.
    me: Option<Seat>,
) -> impl IntoView {
    let alone = outcome.scores.len() == 1;
    // A single winner is called by name above.
    let named = !alone && outcome.winners.len() == 1 && !me.is_some_and(|me| outcome.winners.has(me));
    let winner = |seat: Seat| {
        view! {
            <li data-testid="victor">
                {(!alone).then(|| view! { <svg class="crown" viewBox="0 0 48 30" aria-hidden="true" focusable="false"><path d="M4 27 1 7 14 16 24 2 34 16 47 7 44 27Z"/></svg> })}
                {who.portrait(seat)}
                {(!named).then(|| view! { <bdi>{who.name(seat)}</bdi> })}
            </li>
        }
    };
    let shown = if alone { game::SeatSet::from_iter([Seat(0)]) } else { outcome.winners };
    let won = !alone && !outcome.winners.is_empty();
    view! {
        <div class="honours" class:won=won>
            {won.then(|| view! { <div class="paper-rain" aria-hidden="true">{(0..14).map(|n| view! { <i class=format!("s{}", n % 12) style:--n=n.to_string()></i> }).collect_view()}</div> })}
            <h2 data-testid="outcome">{headline(&outcome, who, me)}</h2>
            <ul class="victors">{shown.iter().map(winner).collect_view()}</ul>
        </div>
        {(!alone).then(|| places(outcome, who, me))}
    }
}

/// Places and scores, best first; whoever reads it finds their own.
pub fn places(outcome: game::Outcome, who: Who, me: Option<Seat>) -> AnyView {
    let mut order: Vec<usize> = (0..outcome.places.len()).filter(|&n| outcome.places[n] > 0).collect();
    cards::list::sort_by_key(&mut order, |&n| outcome.places[n]);
    let money = !outcome.settlement.is_empty();
    view! {
        <div class="scroll" tabindex="0">
            <table class="places">
                <thead>
                    <tr>
                        <th scope="col">{t!("end.place")}</th>
                        <th scope="col">{t!("end.player")}</th>
                        <th scope="col" class="number">{t!("end.score")}</th>
                        {money.then(|| view! { <th scope="col" class="number">{t!("end.pennies")}</th> })}
                    </tr>
                </thead>
                <tbody>
                    {order
                        .into_iter()
                        .map(|n| {
                            let pennies = outcome.settlement.get(n).copied().unwrap_or_default();
                            view! {
                                <tr data-testid=format!("place-{n}") class:winner=outcome.winners.has(Seat(n as u8)) class:me=me == Some(Seat(n as u8))>
                                    <td>{outcome.places[n]}</td>
                                    <th scope="row">{who.shown(Seat(n as u8))} {(me == Some(Seat(n as u8))).then(|| view! { " " <span class="tag">{t!("table.you")}</span> })}</th>
                                    <td class="number">{outcome.scores.get(n).copied().unwrap_or_default()}</td>
                                    {money.then(|| view! { <td class="number">{if pennies > 0 { format!("+{pennies}") } else { pennies.to_string() }}</td> })}
                                </tr>
                            }
                        })
                        .collect_view()}
                </tbody>
            </table>
        </div>
        {(!outcome.ranked).then(|| view! { <p class="quiet">{t!("end.unranked")}</p> })}
    }
    .into_any()
}
