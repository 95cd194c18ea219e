//! The lobby: a name, open tables, games to play.

use crate::api::{self, guest};
use crate::pages::name::NameForm;
use crate::route::{Route, navigator};
use crate::ui::Show;
use crate::{games, t, ui};
use leptos::prelude::*;
use rulebook::Family;
use wire::Stage;
use wire::api::{GameChoice, NewTable, TableMade, TableSummary};

#[component]
pub fn Lobby() -> impl IntoView {
    let guest = guest();
    let known = move || guest.0.with(|me| me.as_ref().is_some_and(|me| me.name.is_some()));
    let asked = move || guest.0.with(Option::is_some);
    let renaming = RwSignal::new(false);
    let family = |wanted: Family| {
        games::all()
            .into_iter()
            .filter(|g| g.family == wanted)
            .map(|info| {
                let path = Route::New(info.id.clone()).path();
                let rules = Route::RuleSheet(info.id.clone()).path();
                view! {
                    <li class="game" data-testid=format!("game-{}", info.id)>
                        <a class="game-name" href=path>{info.name.clone()}</a>
                        <p>{games::summary(&info)}</p>
                        <p class="quiet">
                            {games::players(&info)}
                            {(!info.difficulty.is_empty()).then(|| format!(" · {}", info.difficulty))} " · "
                            <a href=rules>{t!("game.rules")}</a>
                        </p>
                    </li>
                }
            })
            .collect_view()
    };
    view! {
        <div class="page" data-testid="lobby">
            <section class="hero">
                <div>
                    <h1>{move || match guest.name() {
                        Some(name) => t!("lobby.hello", name = name),
                        None => t!("lobby.welcome"),
                    }}</h1>
                    <p>{t!("lobby.lead")}</p>
                    <Show when=move || asked() && (!known() || renaming.get())>
                        <NameForm then=Callback::new(move |()| renaming.set(false))/>
                    </Show>
                    <Show when=move || known() && !renaming.get()>
                        <div class="row">
                            <QuickStart game="set-classic" bots=2/>
                            <QuickStart game="contract" bots=3/>
                            <button class="plain small" data-testid="rename" on:click=move |_| renaming.set(true)>{t!("lobby.rename")}</button>
                        </div>
                    </Show>
                </div>
                <div class="hero-art" aria-hidden="true">
                    <span>{ui::pattern_card(cards::Deck::D81, cards::Point(64))}</span>
                    <span>{ui::playing_card(&cards::Pack::standard(), cards::Face::new(2, 12))}</span>
                    <span>{ui::pattern_card(cards::Deck::D81, cards::Point(13))}</span>
                </div>
            </section>
            <nav class="row alone" aria-label=t!("lobby.alone")>
                <a class="button" data-testid="to-today" href=Route::Today.path()>{t!("today.title")}</a>
                <a class="button" data-testid="to-learn" href=Route::Learn.path()>{t!("learn.title")}</a>
                <a class="button" data-testid="to-practice" href=Route::Practice.path()>{t!("practice.title")}</a>
            </nav>
            <OpenTables/>
            <h2>{t!("family.pattern")}</h2>
            <ul class="games">{family(Family::Pattern)}</ul>
            <h2>{t!("family.contract")}</h2>
            <ul class="games">{family(Family::Contract)}</ul>
        </div>
    }
}

/// One press: a table with bots, begun.
#[component]
fn QuickStart(game: &'static str, bots: u8) -> impl IntoView {
    let go = navigator();
    let voice = ui::voice();
    let Some(info) = games::all().into_iter().find(|g| g.id == game) else { return ().into_any() };
    let label = t!("lobby.quick", game = info.name);
    let Some(weakest) = games::bots(info.family).into_iter().next() else { return ().into_any() };
    let start = move |_| {
        let table = NewTable {
            game: GameChoice::Preset(game.to_owned()),
            options: serde_json::Map::new(),
            seats: bots + 1,
            bots: vec![weakest.clone(); usize::from(bots)],
            public: false,
        };
        leptos::task::spawn_local(async move {
            match api::post::<TableMade>("/api/tables", &table).await {
                Ok(made) => go(Route::Table(made.id)),
                Err(why) => voice.fail(why),
            }
        });
    };
    view! { <button class="primary" data-testid=format!("quick-{game}") on:click=start>{label}</button> }
        .into_any()
}

/// The public tables.
#[component]
fn OpenTables() -> impl IntoView {
    let tables = RwSignal::new(None::<Vec<TableSummary>>);
    let fault = RwSignal::new(String::new());
    // What the page was asked for with, and the next page is: the first has nothing.
    let (after, next) = (RwSignal::new(None::<String>), RwSignal::new(None::<String>));
    let load = move || {
        let asked = after.get_untracked();
        let path = match &asked {
            Some(place) => format!("/api/tables?after={place}"),
            None => "/api/tables".to_owned(),
        };
        leptos::task::spawn_local(async move {
            match api::get::<wire::api::Lobby>(&path).await {
                // Somebody may have turned the page meanwhile.
                Ok(lobby) if after.try_get_untracked() == Some(asked) => {
                    let _ = tables.try_set(Some(lobby.tables));
                    let _ = next.try_set(lobby.next);
                    let _ = fault.try_set(String::new());
                }
                Ok(_) => {}
                Err(why) => {
                    let _ = fault.try_set(why);
                }
            }
        });
    };
    // After the last page comes the first.
    let turn = move |_| {
        after.set(next.get_untracked());
        load();
    };
    load();
    let again = set_interval_with_handle(
        move || {
            if crate::dom::visible() {
                load();
            }
        },
        std::time::Duration::from_secs(5),
    );
    on_cleanup(move || {
        if let Ok(again) = again {
            again.clear();
        }
    });
    let row = |table: TableSummary| {
        let free = table.seats.iter().filter(|s| s.is_none()).count();
        let names: Vec<String> = table.seats.iter().flatten().map(|s| s.name.clone()).collect();
        let state = match table.stage {
            Stage::Lobby if free > 0 => t!("lobby.free", n = free),
            Stage::Lobby => t!("lobby.full"),
            Stage::Playing => t!("lobby.playing"),
            Stage::Over => t!("lobby.over"),
        };
        view! {
            <li data-testid="open-table">
                <a href=Route::Table(table.id.clone()).path()>
                    <strong>{table.title.clone()}</strong>
                    <span class="quiet">{names.join(", ")}</span>
                    <span class="tag">{state}</span>
                </a>
            </li>
        }
    };
    view! {
        <section aria-labelledby="open-tables">
            <h2 id="open-tables">{t!("lobby.tables")}</h2>
            <ul class="tables" data-testid="open-tables">
                {move || tables.get().unwrap_or_default().into_iter().map(row).collect_view()}
            </ul>
            <Show when=move || next.with(Option::is_some) || after.with(Option::is_some)>
                <button class="small" data-testid="more-tables" on:click=turn>
                    {move || if next.with(Option::is_some) { t!("lobby.more") } else { t!("lobby.first") }}
                </button>
            </Show>
            <Show when=move || tables.with(|t| t.as_ref().is_some_and(Vec::is_empty))>
                <p class="quiet">{t!("lobby.none")}</p>
            </Show>
            <Show when=move || !fault.with(String::is_empty)><p class="refusal">{move || fault.get()}</p></Show>
        </section>
    }
}
