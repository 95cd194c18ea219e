//! What this is.

use crate::t;
use leptos::prelude::*;

#[component]
pub fn About() -> impl IntoView {
    view! {
        <div class="page narrow prose" data-testid="about">
            <h1>{t!("about.title")}</h1>
            <p>{t!("about.what")}</p>
            <p>{t!("about.free")}</p>
            <h2>{t!("about.fair_title")}</h2>
            <p>{t!("about.fair")}</p>
            <h2>{t!("about.privacy_title")}</h2>
            <p>{t!("about.privacy")}</p>
            <p class="quiet" data-testid="trademark">{t!("about.trademark")}</p>
            <p class="quiet">{t!("about.version", version = env!("CARGO_PKG_VERSION"))}</p>
        </div>
    }
}
