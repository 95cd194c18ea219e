//! How a match of Contract Rummy went: the scores round by round, who won how many, and what came of takes.

use crate::desk::Who;
use crate::pages::story::{curve, facts, rows};
use crate::t;
use contract::View;
use game::Seat;
use leptos::prelude::*;
use worker::Story;

/// Tells it, of a match that ended with this view.
pub fn told(story: &Story, view: &View, who: Who) -> AnyView {
    let sheet = &view.board.sheet;
    let seats = || (0..view.flow.seats).map(Seat);
    let scores =
        |seat: Seat| sheet.iter().filter_map(|round| round.scores.get(seat.index()).copied()).collect();
    let lines: Vec<(Seat, Vec<i32>)> = seats().map(|seat| (seat, scores(seat))).collect();
    let takes = story.takes.iter().any(|takes| takes.taken > 0);
    let columns = [Some(t!("end.won")), takes.then(|| t!("end.taken"))];
    let cells = seats().map(|seat| {
        let won = sheet.iter().filter(|round| round.winner == Some(seat)).count().to_string();
        let taken = story.takes.get(seat.index()).copied().unwrap_or_default();
        let taken = takes.then(|| match taken.taken {
            0 => "0".to_owned(),
            n => t!("end.paid_of", n = n, laid = taken.laid),
        });
        (seat, [Some(won), taken].into_iter().flatten().collect())
    });
    // Who had the most use of what was taken out of turn.
    let paid =
        story.takes.iter().zip(0u8..).filter(|(takes, _)| takes.laid > 0).max_by_key(|(takes, _)| takes.laid);
    let paid = paid.map(|(takes, seat)| {
        let value = view! {
            <strong>{t!("end.paid_of", n = takes.taken, laid = takes.laid)}</strong> {who.shown(Seat(seat))}
        };
        ("paid", t!("end.paid"), value.into_any())
    });
    view! {
        {facts(paid.into_iter())}
        {(sheet.len() > 1).then(|| curve(&lines, who, t!("end.curve")))}
        {rows(columns.into_iter().flatten().collect(), cells, who)}
    }
    .into_any()
}
