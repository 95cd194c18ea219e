//! One's own try at a game of a day: how it went, how good that is, and what may be shown to others.

use crate::{api, dom, lang, t, ui};
use leptos::prelude::*;
use wire::api::{Day, YourTry};

/// Pauses after which the server is asked once more how a try went that is not written down yet.
const PAUSES: [i32; 5] = [0, 300, 700, 1500, 3000];

/// The try that was played at this table of a day, once it is judged, and the id of its game; none if it was not for the table of the day.
async fn played_at(table: &str, date: &str) -> Option<(String, YourTry)> {
    for pause in PAUSES {
        dom::sleep(pause).await;
        let day = api::get::<Day>(&format!("/api/days/{date}")).await.ok()?;
        let own = day.games.into_iter().find_map(|game| {
            let yours = game.yours.filter(|yours| yours.table == table)?;
            Some((game.game, yours))
        });
        let own = own?;
        if own.1.over {
            return Some(own);
        }
    }
    None
}

/// How the try went that was played at this table of a day; nothing until that is known.
pub fn at_table(table: String, date: String) -> AnyView {
    let own = RwSignal::new(None);
    leptos::task::spawn_local(async move {
        let played = played_at(&table, &date).await;
        let _ = own.try_set(played);
    });
    view! {
        {move || own.with(|own| own.as_ref().map(|(game, yours)| view! {
            <section class="your-try" data-testid="your-try">{your_try(game, yours)}</section>
        }))}
    }
    .into_any()
}

/// How a try at this game went, if it is over.
pub fn your_try(game: &str, yours: &YourTry) -> AnyView {
    let voice = ui::voice();
    let name = |what: &str| format!("{what}-{game}");
    let YourTry { over, squares, slower, streak, share, .. } = yours;
    let drawn = (!squares.is_empty()).then(|| squares.chars().map(square).collect_view());
    // How good that is beside others and beside the days before.
    let slower = slower.filter(|n| *n > 0).map(|n| t!("try.slower", n = n));
    let streak = (*streak > 1).then(|| t!("try.streak", n = *streak));
    let also = slower.into_iter().chain(streak).collect::<Vec<_>>().join(" ");
    view! {
        {(*over && share.is_none()).then(|| view! { <p class="quiet">{t!("try.not_solved")}</p> })}
        {share.as_ref().map(lang::sentence).map(|text| {
            let lines = [text.clone(), squares.clone(), format!("{}/today", dom::origin())];
            let copied = lines.into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
            view! {
                <p class="row">
                    <span data-testid=name("share")>{text}</span>
                    <button class="small" data-testid=name("copy") on:click=move |_| voice.copy(copied.clone())>{t!("ui.copy")}</button>
                </p>
            }
        })}
        {drawn.map(|drawn| view! { <p class="squares" role="img" aria-label=t!("try.squares") data-testid=name("squares")>{drawn}</p> })}
        {(!also.is_empty()).then(|| view! { <p class="quiet" data-testid=name("also")>{also}</p> })}
    }
    .into_any()
}

/// One of `YourTry::squares`, drawn, since not every device has letters for it.
fn square(square: char) -> impl IntoView {
    let class = match square {
        '🟩' => "quick",
        '🟨' => "slower",
        '🟧' => "slow",
        _ => "error",
    };
    view! { <span class=class></span> }
}
