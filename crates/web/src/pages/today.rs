//! The games of the day: begin a try, the table of the day, the archive, a text to share.

use crate::api::{self, OfDay, guest};
use crate::pages::your_try::your_try;
use crate::route::{Route, navigator};
use crate::{dom, lang, t, ui};
use leptos::prelude::*;
use rulebook::Family;
use screen::people::time_text;
use wire::api::{Day, DayGame, DayTry, GameChoice, NewTable, TableMade};

/// The games of a day; of today if none is named.
#[component]
pub fn Today(date: Option<String>) -> impl IntoView {
    let guest = guest();
    let day = RwSignal::new(None::<Result<(Day, String), String>>);
    let is_today = date.is_none();
    let path = date.map_or_else(|| "/api/days".to_owned(), |date| format!("/api/days/{date}"));
    // Asked again when there is a name: then one's own try shows.
    Effect::new(move || {
        let _ = guest.name();
        let path = path.clone();
        leptos::task::spawn_local(async move {
            let answer = api::get::<Day>(&path).await;
            // The first date that a browser writes takes a slow device as long as all of the page.
            dom::turn().await;
            let answer = answer.map(|day| {
                let written = dom::day_text(&day.date);
                (day, written)
            });
            dom::turn().await;
            let _ = day.try_set(Some(answer));
        });
    });
    view! {
        <div class="page narrow" data-testid="today">
            {is_today.then(of_today)}
            {move || match day.get() {
                None => ui::loading(),
                Some(Err(why)) => view! { {(!is_today).then(|| view! { <h1>{t!("today.title")}</h1> })}<p class="refusal" data-testid="day-fault">{why}</p> }.into_any(),
                Some(Ok((day, shown))) => {
                    let (today, date) = (day.today, day.date.clone());
                    // Without a server there is what was fetched of the days before; those of today it deals itself.
                    let unreached = is_today && !today;
                    let games = if unreached { Vec::new() } else { day.games };
                    let lead = match today {
                        true => t!("today.lead", date = shown.clone()),
                        false if unreached => t!("today.unreached"),
                        false => t!("today.archive"),
                    };
                    let link = |date: Option<String>, id: &'static str, text: String| {
                        date.map(|date| view! { <a class="button small" data-testid=id href=Route::Day(date).path()>{text}</a> })
                    };
                    view! {
                        {(!is_today).then(|| if today { of_today() } else { view! { <h1>{t!("today.past", date = shown.clone())}</h1> }.into_any() })}
                        <p>{lead}</p>
                        <p class="row">
                            {link(day.before.clone(), "day-before", t!("today.before"))}
                            {link(day.after.clone(), "day-after", t!("today.after"))}
                            {(!today && !unreached).then(|| view! { <a class="button small" href="/today">{t!("today.to_today")}</a> })}
                        </p>
                        {games.into_iter().map(|game| one(date.clone(), today, game)).collect_view()}
                        <p class="quiet" data-testid="good-faith">{t!("today.faith")}</p>
                    }
                    .into_any()
                }
            }}
        </div>
    }
}

/// What the page of today begins with; the server says the same before it comes (crates/server/src/greeting.rs).
fn of_today() -> AnyView {
    view! { <h1>{t!("today.title")}</h1><p>{t!("today.once")}</p> }.into_any()
}

/// One game: what to do, one's own result, and who has what place.
fn one(date: String, today: bool, game: DayGame) -> impl IntoView {
    let go = navigator();
    let voice = ui::voice();
    let guest = guest();
    let path = format!("/api/days/{date}/{}", game.game);
    let table = NewTable::private(GameChoice::Preset(game.game.clone()), 1, Vec::new());
    let (id, deal) = (StoredValue::new(game.game), game.deal);
    // Whoever has no name gets one first, and the page is made again meanwhile: so what goes on then rests on nothing of it.
    let play = Callback::new(move |ranked: bool| {
        let (path, date, deal, table) = (path.clone(), date.clone(), deal.clone(), table.clone());
        leptos::task::spawn_local(async move {
            let made = match guest.have_a_name().await {
                Ok(()) => api::post::<TableMade>(&path, &DayTry { ranked }).await,
                Err(why) => Err(why),
            };
            match (made, deal) {
                (Ok(made), _) => go(Route::Table(made.id)),
                // Without a server it is played on this device, if it is known what is dealt.
                (Err(why), Some(deal)) if api::is_unreached() => {
                    let of_day = OfDay { date: &date, deal: &deal };
                    match guest.open_at_home(&table, Family::Pattern, Some(of_day)).await {
                        Some(here) => go(here),
                        None => voice.fail(why),
                    }
                }
                (Err(why), _) => voice.fail(why),
            }
        });
    });
    let name = move |what: &str| id.with_value(|id| format!("{what}-{id}"));
    let yours = game.yours.clone();
    let over = yours.as_ref().is_some_and(|y| y.over);
    let label = if yours.is_some() { t!("today.go_on") } else { t!("today.play") };
    let none = game.places.is_empty();
    let of_game = |what: &str, english: String| {
        lang::look_up(&id.with_value(|id| format!("preset.{id}.{what}"))).unwrap_or(english)
    };
    view! {
        <section class="panel" data-testid=name("day")>
            <h2>{of_game("name", game.name)}</h2>
            <p>{of_game("summary", game.summary)}</p>
            <p class="row">
                {(today && !over).then(|| view! {
                    <button class="primary" data-testid=name("play") on:click=move |_| play.run(true)>{label.clone()}</button>
                })}
                {(!today || over).then(|| view! {
                    <button data-testid=name("practise") on:click=move |_| play.run(false)>{t!("today.practise")}</button>
                })}
            </p>
            {yours.map(|yours| id.with_value(|id| your_try(id, &yours)))}
            <h3>{t!("today.table", n = game.tries)}</h3>
            {none.then(|| view! { <p class="quiet">{t!("today.nobody")}</p> })}
            {(!none).then(|| view! {
                <table class="places" data-testid=name("places")>
                    <thead><tr><th scope="col">{t!("end.place")}</th><th scope="col">{t!("end.player")}</th><th scope="col">{t!("today.time")}</th><th scope="col">{t!("today.errors")}</th></tr></thead>
                    <tbody>{game.places.into_iter().map(|line| view! {
                        <tr class:me=line.you>
                            <td>{line.place}</td>
                            <td>{line.name} {line.you.then(|| view! { " " <span class="tag">{t!("table.you")}</span> })}</td>
                            <td>{time_text(line.millis)}</td>
                            <td>{line.errors}</td>
                        </tr>
                    }).collect_view()}</tbody>
                </table>
            })}
        </section>
    }
}
