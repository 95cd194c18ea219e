//! The solver: what a layout or a hand of any game holds, answered beside the page by the engine that plays.

mod hand;
mod layout;

use self::hand::hand;
use self::layout::{Layout, layout};
use crate::route::Route;
use crate::worker_client::WorkerClient;
use crate::{dom, games, t, ui};
use leptos::prelude::*;
use rulebook::solve::{Question, Setting};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use worker::Ask;

/// Who answers, and about which game.
#[derive(Clone)]
struct Asker {
    worker: WorkerClient,
    game: String,
}

impl Asker {
    async fn ask<T: DeserializeOwned>(&self, question: Question, query: Value) -> Result<T, String> {
        self.worker.ask(&Ask::<()>::Solve { game: self.game.clone(), question, query }).await
    }
}

/// What the address says of a field.
fn given(name: &str) -> RwSignal<String> {
    RwSignal::new(dom::query(name).unwrap_or_default())
}

/// Keeps what is asked in the address, so that it can be passed on.
fn keep(game: &str, fields: &[(&str, String)]) {
    let said = fields.iter().filter(|(_, text)| !text.trim().is_empty());
    let said: Vec<String> =
        said.map(|(name, text)| format!("{name}={}", dom::in_address(text.trim()))).collect();
    let path = Route::Solve(game.to_owned()).path();
    dom::replace_path(&if said.is_empty() { path } else { format!("{path}?{}", said.join("&")) });
}

/// The solver, for a game.
#[component]
pub fn Solve(game: String) -> impl IntoView {
    let games = games::all();
    let game = games.iter().find(|g| g.id == game).or_else(|| games.first()).cloned();
    let go = crate::route::navigator();
    let chosen = game.as_ref().map(|game| game.id.clone()).unwrap_or_default();
    let options = games
        .iter()
        .map(|game| {
            let selected = game.id == chosen;
            view! { <option value=game.id.clone() selected=selected>{game.name.clone()}</option> }
        })
        .collect_view();
    let body = game.map(|info| {
        let setting = RwSignal::new_local(None::<Result<(Asker, Setting), String>>);
        leptos::task::spawn_local(async move {
            let asked = async {
                let asker = Asker { worker: WorkerClient::start()?, game: info.id };
                let found = asker.ask(Question::Setting, json!({})).await?;
                Ok((asker, found))
            };
            let _ = setting.try_set(Some(asked.await));
        });
        move || match setting.get() {
            None => ui::loading(),
            Some(Err(why)) => view! { <p class="refusal">{why}</p> }.into_any(),
            Some(Ok((asker, Setting::Pattern { deck, cards, zones, hand, previous }))) => {
                let cards = cards.iter().filter_map(|card| deck.parse(card).ok()).collect();
                layout(asker, Layout { deck, cards, zones, hand, previous })
            }
            Some(Ok((asker, Setting::Contract { pack, faces, rounds }))) => hand(asker, pack, faces, rounds),
        }
    });
    view! {
        <div class="page solve" data-testid="solve">
            <h1>{t!("solve.title")}</h1>
            <p>{t!("solve.lead")}</p>
            <label class="labelled">
                <span>{t!("solve.game")}</span>
                <select data-testid="solve-game" on:change=move |e| go(Route::Solve(event_target_value(&e)))>{options}</select>
            </label>
            {body}
        </div>
    }
}

/// A line of cards that is written; cards are pressed into the first one.
fn field(name: &'static str, label: String, text: RwSignal<String>) -> impl IntoView {
    view! {
        <label class="labelled grow">
            <span>{label}</span>
            <input type="text" autocapitalize="off" autocomplete="off" spellcheck="false" data-testid=format!("solve-{name}") prop:value=move || text.get() on:input=move |e| text.set(event_target_value(&e))/>
        </label>
    }
}
