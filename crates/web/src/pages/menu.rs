//! The menu of a table: who sits there, whom to invite, and what may be done about the whole table.

use crate::live::{self, Room};
use crate::pages::table::{Invite, Seats};
use crate::route::Route;
use crate::ui::Show;
use crate::{api, t, ui};
use leptos::prelude::*;
use wire::api::DeviceLink;
use wire::{Act, Stage};

/// What the menu of this table holds, which was opened for this day; `close` closes it.
pub fn menu(id: StoredValue<String>, day: Signal<Option<String>>, close: Callback<()>) -> AnyView {
    // Nobody else comes to the table of this device.
    let at_home = id.with_value(|id| id == live::HOME);
    view! {
        {(!at_home).then(|| view! { <Invite id=id in_menu=true/> })}
        <Seats/>
        <TableActs close=close day=day/>
        {(!at_home).then(|| view! { <Device id=id/> })}
        // The header of a table has the brand alone.
        <p class="row elsewhere">
            <a href=Route::Games.path()>{t!("nav.games")}</a>
            <a href=Route::Rules.path()>{t!("nav.rules")}</a>
            <a href=Route::Settings.path()>{t!("nav.settings")}</a>
        </p>
    }
    .into_any()
}

/// What a person, or the host, may do about the whole table.
#[component]
fn TableActs(close: Callback<()>, day: Signal<Option<String>>) -> impl IntoView {
    let room: Room = expect_context();
    let stage = move || room.table.with(|t| t.as_ref().map(|t| t.stage));
    let playing = move || stage() == Some(Stage::Playing);
    let paused = move || room.table.with(|t| t.as_ref().and_then(live::paused_words).is_some());
    let seated = move || room.seat().is_some();
    let ending = move || {
        room.seat().is_some_and(|me| room.table.with(|t| t.as_ref().is_some_and(|t| t.ending.has(me))))
    };
    let leaving = RwSignal::new(false);
    view! {
        <div class="row table-acts">
            // The clock of a game of the day waits for nobody.
            <Show when=move || room.host.get() && playing() && !paused() && day.get().is_none()>
                <button data-testid="pause" on:click=move |_| { room.act(Act::Pause); close.run(()) }>{t!("table.pause")}</button>
            </Show>
            <Show when=move || playing() && seated() && day.get().is_none()>
                <button data-testid="end" aria-pressed=move || ending().to_string() on:click=move |_| room.act(Act::End { agree: !ending() })>
                    {move || if ending() { t!("table.end_agreed") } else { t!("table.end") }}
                </button>
            </Show>
            <Show when=seated>
                <Show
                    when=move || leaving.get()
                    fallback=move || view! {
                        <button class="danger" data-testid="stand" on:click=move |_| if playing() { leaving.set(true) } else { room.act(Act::Stand) }>
                            {move || if playing() { t!("table.leave") } else { t!("table.stand") }}
                        </button>
                    }
                >
                    <span>{t!("table.leave_sure")}</span>
                    <button class="danger" data-testid="leave-yes" on:click=move |_| { leaving.set(false); room.act(Act::Stand); close.run(()) }>{t!("table.leave")}</button>
                    <button on:click=move |_| leaving.set(false)>{t!("ui.cancel")}</button>
                </Show>
            </Show>
        </div>
        <p class="quiet">{move || room.table.with(|t| t.as_ref().map(|t| t!("table.host_is", name = t.host)))}</p>
        {move || room.table.with(|t| t.as_ref().map_or(vec![], |t| t.removed.clone())).into_iter().map(|name| view! {
            <p class="row">
                {t!("table.removed", name = name)}
                <button class="small" data-testid="let-back" on:click=move |_| room.act(Act::LetBack { name: name.clone() })>{t!("table.let_back")}</button>
            </p>
        }).collect_view()}
    }
}

/// A link and QR code that take one's seat on another device, once.
#[component]
fn Device(id: StoredValue<String>) -> impl IntoView {
    let room: Room = expect_context();
    let link = RwSignal::new(None::<DeviceLink>);
    let voice = ui::voice();
    let ask = move |_| {
        let path = format!("/api/tables/{}/device", id.get_value());
        leptos::task::spawn_local(async move {
            match api::post::<DeviceLink>(&path, &()).await {
                Ok(made) => {
                    let _ = link.try_set(Some(made));
                }
                Err(why) => voice.fail(why),
            }
        });
    };
    view! {
        <Show when=move || room.seat().is_some()>
            <section class="device">
                <button class="small" data-testid="device" on:click=ask>{t!("table.device")}</button>
                {move || link.get().map(|link| view! {
                    <p class="quiet">{t!("table.device_hint", n = link.seconds / 60)}</p>
                    <input type="text" readonly value=link.url.clone() aria-label=t!("table.device") data-testid="device-link"/>
                    <div class="qr" role="img" aria-label=t!("table.qr_label") inner_html=link.qr.clone()></div>
                })}
            </section>
        </Show>
    }
}
