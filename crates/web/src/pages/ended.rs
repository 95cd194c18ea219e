//! The end of a match at a table: who won, with what, how it went, and another one.

use crate::desk::Who;
use crate::live::Room;
use crate::pages::summary::Outcome;
use crate::pages::{story, your_try};
use crate::route::Route;
use crate::scene::Scene;
use crate::screens::Family;
use crate::t;
use game::Seat;
use leptos::prelude::*;
use wire::Act;

/// After the match at the table with this id: who won, with what, and another one; or one's own try, and the table of the day.
pub fn ended<F: Family>(
    id: StoredValue<String>,
    scene: Scene<F>,
    day: Signal<Option<String>>,
    home: bool,
) -> AnyView {
    let room: Room = expect_context();
    let who = Who {
        people: Signal::derive(move || room.people()),
        name: Callback::new(move |seat| room.name(seat)),
    };
    let record = Memo::new(move |_| room.table.with(|table| table.as_ref()?.record.clone()));
    let replay = move || record.get().filter(|_| !home).map(|id| Route::Replay(id).path());
    let went = move || {
        let record = story::place(&record.get()?, home);
        let view = untrack(|| scene.with(Clone::clone))?;
        Some(story::story::<F>(record, view, who))
    };
    view! {
        <section class="panel ended" data-testid="ended" role="region" aria-label=t!("end.title")>
            {move || match room.outcome.get() {
                None => view! { <h2>{t!("end.title")}</h2> }.into_any(),
                Some(outcome) => view! { <Outcome outcome=outcome who=who me=room.seat()/> }.into_any(),
            }}
            {move || {
                let counts = room.table.with(|t| t.as_ref().map(|t| t.without_seed.clone())).unwrap_or_default();
                let line = |(n, seat): (u16, u8)| view! { <p class="quiet" data-testid="without-seed">{t!("end.without_seed", name = room.name(Seat(seat)), n = n)}</p> };
                counts.into_iter().zip(0..).filter(|(n, _)| *n > 0).map(line).collect_view()
            }}
            {move || day.get().filter(|_| !home).map(|date| your_try::at_table(id.get_value(), date))}
            <div class="row">
                {move || match day.get() {
                    Some(date) => view! { <a class="button primary big" data-testid="to-day" href=Route::Day(date).path()>{t!("end.to_day")}</a> }.into_any(),
                    None if room.seat().is_some() => view! {
                        <button class="primary big" data-testid="rematch" on:click=move |_| room.act(Act::Rematch)>{t!("end.rematch")}</button>
                    }
                    .into_any(),
                    None => ().into_any(),
                }}
                {move || replay().map(|path| view! { <a class="button" data-testid="watch" href=path>{t!("end.watch")}</a> })}
                <a class="button" href="/">{t!("nowhere.back")}</a>
            </div>
            {went}
        </section>
    }
    .into_any()
}
