//! Games this guest has played; and forgetting them.

use crate::api::{self, guest};
use crate::pages::name::NameForm;
use crate::route::Route;
use crate::ui::Show;
use crate::{dom, lang, t, ui};
use leptos::prelude::*;
use wire::api::{Me, PlayedGame, PlayedGames};

#[component]
pub fn Games() -> impl IntoView {
    let games = RwSignal::new(None::<Result<Vec<PlayedGame>, String>>);
    let guest = guest();
    Effect::new(move || {
        // Who has no name has played nothing.
        match guest.0.with(|me| me.as_ref().map(|me| me.name.is_some())) {
            None => {}
            Some(false) if !api::is_unreached() => games.set(Some(Ok(Vec::new()))),
            Some(_) => leptos::task::spawn_local(async move {
                let answer = api::get::<PlayedGames>("/api/me/games").await.map(|g| g.games);
                let _ = games.try_set(Some(answer));
            }),
        }
    });
    let row = |game: PlayedGame| {
        let players = players(&game);
        let result = match &game.outcome {
            None => t!("games.on"),
            Some(o) => {
                let me = usize::from(game.seat);
                let (place, score) =
                    (o.places.get(me).copied().unwrap_or(0), o.scores.get(me).copied().unwrap_or(0));
                if o.winners.has(game::Seat(game.seat)) {
                    t!("games.won", score = score)
                } else {
                    t!("games.placed", place = place, score = score)
                }
            }
        };
        let on = game.outcome.is_none();
        let record = format!("/api/matches/{}/record?download", game.id);
        view! {
            <li class="panel played" data-testid="played-game">
                <div>
                    <strong>{lang::told(game.say.as_ref(), &game.title)}</strong> " " <span class="quiet">{dom::date_text(game.began as f64 * 1000.0)}</span>
                    <p class="quiet">{players}</p>
                    <p>{result}</p>
                </div>
                <div class="row">
                    {on.then(|| view! { <a class="button primary" href=Route::Table(game.table.clone()).path()>{t!("games.go_on")}</a> })}
                    {(!on).then(|| view! {
                        <a class="button" data-testid="replay-link" href=Route::Replay(game.id.clone()).path()>{t!("games.replay")}</a>
                        <a class="button" href=record.clone() download="">{t!("games.record")}</a>
                    })}
                </div>
            </li>
        }
    };
    view! {
        <div class="page narrow" data-testid="games">
            <h1>{t!("nav.games")}</h1>
            {move || match games.get() {
                None => ui::loading(),
                Some(Err(why)) => view! { <p class="refusal">{why}</p> }.into_any(),
                Some(Ok(list)) if list.is_empty() => view! { <p class="quiet">{t!("games.none")} " " <a href="/">{t!("nowhere.back")}</a></p> }.into_any(),
                Some(Ok(list)) => view! { <ul class="plain-list">{list.into_iter().map(row).collect_view()}</ul> }.into_any(),
            }}
        </div>
    }
}

/// The name, and a button that forgets it together with the games.
#[component]
pub fn Identity() -> impl IntoView {
    let guest = guest();
    let sure = RwSignal::new(false);
    let voice = ui::voice();
    let forget = move |_| {
        sure.set(false);
        leptos::task::spawn_local(async move {
            match api::delete("/api/me").await {
                Ok(()) => {
                    dom::forget_at_home().await;
                    guest.0.set(Some(Me { name: None }));
                    voice.tell(t!("settings.forgotten"));
                }
                Err(why) => voice.fail(why),
            }
        });
    };
    view! {
        <section class="panel">
            <h2>{t!("settings.you")}</h2>
            <Show when=move || guest.0.with(Option::is_some)>
                <NameForm/>
            </Show>
            <Show when=move || guest.name().is_some()>
                <Show
                    when=move || sure.get()
                    fallback=move || view! { <button class="danger" data-testid="forget" on:click=move |_| sure.set(true)>{t!("settings.forget")}</button> }
                >
                    <p>{t!("settings.forget_sure")}</p>
                    <div class="row">
                        <button class="danger" data-testid="forget-yes" on:click=forget>{t!("settings.forget")}</button>
                        <button on:click=move |_| sure.set(false)>{t!("ui.cancel")}</button>
                    </div>
                </Show>
            </Show>
        </section>
    }
}

/// Who sat there, as a table calls them.
fn players(game: &PlayedGame) -> String {
    let seats = (0..).map(game::Seat).zip(&game.players);
    let name = |(seat, name): (game::Seat, &String)| {
        let bot = game.bots.has(seat).then(|| wire::Occupant::Bot { kind: name.clone() });
        bot.map_or_else(|| name.clone(), |bot| crate::live::occupant_name(&bot, seat))
    };
    seats.map(name).collect::<Vec<_>>().join(", ")
}
