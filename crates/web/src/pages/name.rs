//! A name to be known by, asked wherever somebody without one wants to play.

use crate::api::guest;
use crate::t;
use leptos::prelude::*;
use wire::api::NAME_MOST;

/// Asks for a name. `then` runs when there is one.
#[component]
pub fn NameForm(#[prop(optional, into)] then: Option<Callback<()>>) -> impl IntoView {
    let guest = guest();
    let text = RwSignal::new(untrack(|| guest.name()).unwrap_or_default());
    let fault = RwSignal::new(String::new());
    let busy = RwSignal::new(false);
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let name = text.get_untracked().trim().to_owned();
        if name.is_empty() {
            fault.set(t!("name.empty"));
            return;
        }
        busy.set(true);
        leptos::task::spawn_local(async move {
            let done = guest.rename(name).await;
            busy.set(false);
            match done {
                Ok(()) => {
                    fault.set(String::new());
                    if let Some(then) = then {
                        then.run(());
                    }
                }
                Err(why) => fault.set(why),
            }
        });
    };
    view! {
        <form class="name-form" on:submit=submit data-testid="name-form">
            <label for="name">{t!("name.ask")}</label>
            <div class="row">
                <input
                    id="name"
                    type="text"
                    data-testid="name"
                    autocomplete="nickname"
                    maxlength=NAME_MOST.to_string()
                    prop:value=move || text.get()
                    on:input=move |e| text.set(event_target_value(&e))
                    aria-describedby="name-fault"
                />
                <button class="primary" type="submit" data-testid="name-save" disabled=move || busy.get()>{t!("name.save")}</button>
            </div>
            <p id="name-fault" class="refusal" role="alert" class:hidden=move || fault.with(String::is_empty)>{move || fault.get()}</p>
        </form>
    }
}
