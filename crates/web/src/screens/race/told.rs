//! How a race or a puzzle went: who found what when, how fast, and what nobody took.

use super::minis;
use crate::desk::Who;
use crate::pages::story::{facts, lasted, rows, timeline};
use crate::t;
use cards::{Deck, Point};
use game::{Millis, Seat};
use leptos::prelude::*;
use pattern::race::View;
use worker::{Find, Story, What};

/// Tells it, of a race that ended with this view.
pub fn told(story: &Story, view: &View, who: Who) -> AnyView {
    // Where the table tells it itself, it is not told twice.
    let untold = view.state.missed.is_empty();
    found(story, view.rules.deck, view.state.players.len(), untold, who)
}

/// Some of the claims that lay open.
pub fn open(deck: Deck, claims: &[Vec<Point>]) -> AnyView {
    let one = |cards: &Vec<Point>| view! { <li>{minis(deck, cards.iter().copied())}</li> };
    view! { <ul class="missed" data-testid="open-claims">{claims.iter().map(one).collect_view()}</ul> }
        .into_any()
}

/// What was found with this deck by so many players; also what was not, where that is untold.
pub fn found(story: &Story, deck: Deck, players: usize, untold: bool, who: Who) -> AnyView {
    let seats: Vec<Seat> = (0..players as u8).map(Seat).collect();
    let of = |seat: Seat| story.finds.iter().filter(move |find| find.seat == seat);
    let fastest = story.finds.iter().min_by_key(|find| find.after);
    let marks: Vec<(Seat, Millis)> = story.finds.iter().map(|find| (find.seat, find.at)).collect();
    let columns = vec![t!("end.found"), t!("end.mean"), t!("end.best"), t!("end.wrong")];
    let mean = |all: u64, count: usize| all.checked_div(count as u64).map(|mean| lasted(mean as u32));
    let cells = seats.iter().map(|&seat| {
        let count = of(seat).count();
        let all: u64 = of(seat).map(|find| u64::from(find.after)).sum();
        let best = of(seat).map(|find| find.after).min().map_or("–".to_owned(), lasted);
        let wrong = story.moments.iter().filter(|m| m.what == What::Wrong && m.seat == Some(seat)).count();
        (seat, vec![count.to_string(), mean(all, count).unwrap_or("–".to_owned()), best, wrong.to_string()])
    });
    let untaken = (untold && story.missed.0 > 0).then(|| {
        view! {
            <p>{t!("end.untaken", n = story.missed.0)}</p>
            <ul class="missed" data-testid="untaken">
                {story.missed.1.iter().map(|missed| view! {
                    <li>
                        {minis(deck, missed.cards.iter().copied())}
                        <span class="quiet">{t!("end.open_for", time = lasted(missed.open))}</span>
                    </li>
                }).collect_view()}
            </ul>
        }
    });
    let fastest = fastest.map(|Find { seat, after, cards, .. }| {
        let value = view! {
            <strong>{lasted(*after)}</strong> {who.shown(*seat)}
            <span class="row">{minis(deck, cards.iter().copied())}</span>
        };
        ("fastest", t!("end.best"), value.into_any())
    });
    let all = story.finds.iter().map(|find| u64::from(find.after)).sum();
    let mean = mean(all, story.finds.len())
        .map(|mean| ("mean", t!("end.mean"), view! { <strong>{mean}</strong> }.into_any()));
    view! {
        {facts(fastest.into_iter().chain(mean))}
        {(marks.len() > 1).then(|| timeline(&seats, &marks, who, t!("end.timeline")))}
        {rows(columns, cells, who)}
        {untaken}
    }
    .into_any()
}
