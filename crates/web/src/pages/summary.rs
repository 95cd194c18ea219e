//! How a match ended.

use crate::t;
use game::Seat;
use leptos::prelude::*;

/// Who won, in a line; `me` is the seat of whoever reads it.
#[must_use]
pub fn headline(outcome: &game::Outcome, name: Callback<Seat, String>, me: Option<Seat>) -> String {
    let winners: Vec<String> = outcome.winners.iter().map(|seat| name.run(seat)).collect();
    match winners.len() {
        // Who plays alone beats nobody.
        n if n == 0 || outcome.scores.len() == 1 => t!("end.nobody"),
        1 if me.is_some_and(|me| outcome.winners.has(me)) => t!("end.you_won"),
        1 => t!("end.winner", name = winners[0]),
        _ => t!("end.winners", names = winners.join(", ")),
    }
}

/// Who won, places and scores.
#[component]
pub fn Outcome(
    outcome: game::Outcome,
    #[prop(into)] name: Callback<Seat, String>,
    /// The seat of whoever reads it.
    me: Option<Seat>,
) -> impl IntoView {
    view! {
        <h2 data-testid="outcome">{headline(&outcome, name, me)}</h2>
        {places(outcome, name, me)}
    }
}

/// Places and scores, best first; whoever reads it finds their own.
pub fn places(outcome: game::Outcome, name: Callback<Seat, String>, me: Option<Seat>) -> AnyView {
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
                                    <th scope="row">{name.run(Seat(n as u8))} {(me == Some(Seat(n as u8))).then(|| view! { " " <span class="tag">{t!("table.you")}</span> })}</th>
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
