//! The games of the day: begin a try, the table of the day, the archive, a text to share.

use crate::api::{self, OfDay, guest};
use crate::desk::time_text;
use crate::pages::name::NameForm;
use crate::route::{Route, navigator};
use crate::ui::Show;
use crate::{dom, lang, t, ui};
use leptos::prelude::*;
use rulebook::Family;
use wire::api::{Day, DayDeal, DayGame, DayTry, GameChoice, NewTable, TableMade};

/// The games of a day; of today if none is named.
#[component]
pub fn Today(date: Option<String>) -> impl IntoView {
    let guest = guest();
    let day = RwSignal::new(None::<Result<Day, String>>);
    let path = date.map_or_else(|| "/api/days".to_owned(), |date| format!("/api/days/{date}"));
    // Asked again when there is a name: then one's own try shows.
    Effect::new(move || {
        let _ = guest.name();
        let path = path.clone();
        leptos::task::spawn_local(async move {
            let answer = api::get::<Day>(&path).await;
            let _ = day.try_set(Some(answer));
        });
    });
    let nameless = move || guest.0.with(|me| me.as_ref().is_some_and(|me| me.name.is_none()));
    view! {
        <div class="page narrow" data-testid="today">
            {move || match day.get() {
                None => view! { <p class="quiet">{t!("ui.loading")}</p> }.into_any(),
                Some(Err(why)) => view! { <h1>{t!("today.title")}</h1><p class="refusal" data-testid="day-fault">{why}</p> }.into_any(),
                Some(Ok(day)) => {
                    let (today, date, shown) = (day.today, day.date.clone(), dom::day_text(&day.date));
                    let link = |date: Option<String>, id: &'static str, text: String| {
                        date.map(|date| view! { <a class="button small" data-testid=id href=Route::Day(date).path()>{text}</a> })
                    };
                    view! {
                        <h1>{if today { t!("today.title") } else { t!("today.past", date = shown) }}</h1>
                        <p>{if today { t!("today.lead", date = shown) } else { t!("today.archive") }}</p>
                        <p class="row">
                            {link(day.before.clone(), "day-before", t!("today.before"))}
                            {link(day.after.clone(), "day-after", t!("today.after"))}
                            {(!today).then(|| view! { <a class="button small" href="/today">{t!("today.to_today")}</a> })}
                        </p>
                        <Show when=nameless><section class="panel"><NameForm/></section></Show>
                        {day.games.into_iter().map(|game| one(date.clone(), today, game)).collect_view()}
                        <p class="quiet" data-testid="good-faith">{t!("today.faith")}</p>
                    }
                    .into_any()
                }
            }}
        </div>
    }
}

/// One game: what to do, one's own result, and who has what place.
fn one(date: String, today: bool, game: DayGame) -> impl IntoView {
    let go = navigator();
    let voice = ui::voice();
    let guest = guest();
    let path = StoredValue::new(format!("/api/days/{date}/{}", game.game));
    let (id, date) = (StoredValue::new(game.game.clone()), StoredValue::new(date));
    let deal = StoredValue::new(game.deal.clone());
    // Without a server it is played on this device, if it is known what is dealt.
    let at_home = move || {
        let table = NewTable::private(GameChoice::Preset(id.get_value()), 1, Vec::new());
        let of_day = |deal: &DayDeal| {
            date.with_value(|date| guest.open_at_home(&table, Family::Pattern, Some(OfDay { date, deal })))
        };
        deal.with_value(|deal| deal.as_ref().and_then(of_day))
    };
    let play = move |ranked: bool| {
        let path = path.get_value();
        leptos::task::spawn_local(async move {
            let made = api::post::<TableMade>(&path, &DayTry { ranked }).await;
            let here = if made.is_err() && api::is_unreached() { at_home() } else { None };
            match (made, here) {
                (Ok(made), _) => go(Route::Table(made.id)),
                (_, Some(here)) => go(here),
                (Err(why), None) => voice.fail(why),
            }
        });
    };
    let named = move || guest.name().is_some();
    let name = move |what: &str| id.with_value(|id| format!("{what}-{id}"));
    let yours = game.yours.clone();
    let over = yours.as_ref().is_some_and(|y| y.over);
    let label = if yours.is_some() { t!("today.go_on") } else { t!("today.play") };
    let share = yours.as_ref().and_then(|y| y.share.as_ref()).map(lang::sentence);
    let none = game.places.is_empty();
    let of_game = |what: &str, english: String| {
        lang::look_up(&id.with_value(|id| format!("preset.{id}.{what}"))).unwrap_or(english)
    };
    view! {
        <section class="panel" data-testid=name("day")>
            <h2>{of_game("name", game.name)}</h2>
            <p>{of_game("summary", game.summary)}</p>
            <Show when=named>
                <p class="row">
                    {(today && !over).then(|| view! {
                        <button class="primary" data-testid=name("play") on:click=move |_| play(true)>{label.clone()}</button>
                    })}
                    {(!today || over).then(|| view! {
                        <button data-testid=name("practise") on:click=move |_| play(false)>{t!("today.practise")}</button>
                    })}
                </p>
            </Show>
            {(today && !over).then(|| view! { <p class="quiet">{t!("today.once")}</p> })}
            {(over && share.is_none()).then(|| view! { <p class="quiet">{t!("today.not_solved")}</p> })}
            {share.map(|text| view! {
                <p class="row">
                    <span data-testid=name("share")>{text.clone()}</span>
                    <button class="small" data-testid=name("copy") on:click=move |_| voice.copy(format!("{text}\n{}/today", dom::origin()))>{t!("ui.copy")}</button>
                </p>
            })}
            <h3>{t!("today.table", n = game.tries)}</h3>
            {(none && game.tries == 0).then(|| view! { <p class="quiet">{t!("today.nobody")}</p> })}
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
