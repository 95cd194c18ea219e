//! Takes one's seat on this device, by a link made on another. It asks first: the browser may be somebody already.

use crate::route::{Route, navigator};
use crate::{api, t, ui};
use leptos::prelude::*;
use wire::api::{DeviceJoined, DeviceOffer, DeviceToken};

/// The question, and what comes of it.
#[component]
pub fn TakeSeat(token: String) -> impl IntoView {
    let go = navigator();
    let offer = RwSignal::new(None::<Result<DeviceOffer, String>>);
    let path = format!("/api/device/{token}");
    leptos::task::spawn_local(async move {
        match api::get::<DeviceOffer>(&path).await {
            Ok(DeviceOffer { table: Some(table), .. }) => go(Route::Table(table)),
            other => {
                let _ = offer.try_set(Some(other));
            }
        }
    });
    let token = StoredValue::new(token);
    let take = move |_| {
        let link = DeviceToken { token: token.get_value() };
        leptos::task::spawn_local(async move {
            match api::post::<DeviceJoined>("/api/device", &link).await {
                Ok(joined) => go(Route::Table(joined.table)),
                Err(why) => {
                    let _ = offer.try_set(Some(Err(why)));
                }
            }
        });
    };
    view! {
        <div class="page narrow">
            <h1>{t!("device.title")}</h1>
            {move || match offer.get() {
                None => ui::loading(),
                Some(Err(why)) => view! { <p class="refusal" role="alert">{why}</p> }.into_any(),
                Some(Ok(DeviceOffer { name, present, .. })) => view! {
                    <p data-testid="device-becomes">{t!("device.becomes", name = name)}</p>
                    {present.map(|present| view! { <p data-testid="device-present">{t!("device.present", present = present)}</p> })}
                    <p>
                        <button class="primary" data-testid="device-take" on:click=take>{t!("device.take", name = name)}</button>
                        " "
                        <a class="button" data-testid="device-leave" href="/">{t!("device.leave")}</a>
                    </p>
                }
                .into_any(),
            }}
        </div>
    }
}
