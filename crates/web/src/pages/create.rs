//! A new table: seats, bots, who may see it, and every option in plain words.

use crate::api::guest;
use crate::pages::options;
use crate::route::{Route, navigator};
use crate::{games, lang, t, ui};
use leptos::prelude::*;
use rulebook::Family;
use serde_json::{Map, Value};
use wire::api::{GameChoice, GameSheet, NewTable, OptionShown};

/// Options that stand above "All options", because people ask for them: those of these that a game has, five at most.
const FIRST: [&[&str]; 2] = [
    &["entry", "call_timeout_s", "penalty", "deals", "hints", "base", "no_claim"],
    &[
        "game.rounds",
        "turn.seconds",
        "take.limit",
        "layoff.when",
        "out.discard",
        "game.target",
        "take.seconds",
    ],
];
const MOST_FIRST: usize = 5;

/// Seconds of the pause between rounds that are offered; the third is what a table has where nobody says.
const RESTS: [u8; 5] = [0, 10, 20, 30, 60];

#[component]
pub fn Create(game: String) -> impl IntoView {
    let sheet = RwSignal::new(None::<Result<GameSheet, String>>);
    leptos::task::spawn_local(async move {
        let asked = games::sheet(&game).await;
        let _ = sheet.try_set(Some(asked));
    });
    move || {
        match sheet.get() {
        None => view! { <div class="page narrow">{ui::loading()}</div> }.into_any(),
        Some(Ok(sheet)) => form(sheet),
        Some(Err(why)) => view! {
            <div class="page narrow"><h1>{why}</h1><p><a class="button" href="/">{t!("nowhere.back")}</a></p></div>
        }
        .into_any(),
    }
    }
}

fn form(sheet: GameSheet) -> AnyView {
    let info = sheet.info;
    let (min, max) = (info.players_min, info.players_max);
    let seats = RwSignal::new(info.offered_seats());
    let bots = RwSignal::new(vec![String::new(); usize::from(max)]);
    let public = RwSignal::new(false);
    let pause_s = RwSignal::new(None::<u8>);
    let chosen = RwSignal::new(Map::<String, Value>::new());
    let busy = RwSignal::new(false);
    let fault = RwSignal::new(String::new());
    let guest = guest();
    let go = navigator();
    let voice = ui::voice();
    let id = StoredValue::new(info.id.clone());
    let checked =
        options::judge(Signal::stored(GameChoice::Preset(info.id.clone())), chosen.into(), seats.into());
    let choice = options::Chosen {
        options: chosen.into(),
        set: Callback::new(move |new| chosen.update(|chosen| options::put(chosen, new))),
        faults: Memo::new(move |_| checked.with(|checked| checked.faults.clone())).into(),
        game: StoredValue::new(options::Game {
            held: options::held(&sheet.options),
            rounds: Signal::stored(sheet.rounds.len()),
            seats: Some(seats.into()),
            round: None,
        }),
    };
    let sound = Memo::new(move |_| checked.with(|c| c.faults.is_empty()));

    let family = info.family;
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let n = usize::from(seats.get_untracked());
        let table = NewTable {
            game: GameChoice::Preset(id.get_value()),
            options: chosen.get_untracked(),
            seats: seats.get_untracked(),
            bots: bots.with_untracked(|b| b[1..n].iter().filter(|b| !b.is_empty()).cloned().collect()),
            public: public.get_untracked(),
            rest_s: pause_s.get_untracked(),
        };
        leptos::task::spawn_local(async move {
            let made = guest.open_table(&table, family, busy, |_| {}).await;
            match made {
                Ok(made) => made.into_iter().for_each(go),
                Err(why) => {
                    voice.say(why.clone());
                    let _ = fault.try_set(why);
                }
            }
        });
    };

    let offered: Vec<OptionShown> = sheet.options.into_iter().filter(|o| o.creator).collect();
    let first = FIRST[usize::from(info.family == Family::Contract)];
    let has = |key: &&&str| offered.iter().any(|option| option.key == **key);
    let first: Vec<&str> = first.iter().filter(has).take(MOST_FIRST).copied().collect();
    let (mut top, rest): (Vec<_>, Vec<_>) = offered.into_iter().partition(|o| first.contains(&&*o.key));
    top.sort_by_key(|option| first.iter().position(|key| *key == option.key));
    let all = t!("new.all_options", n = rest.len());
    view! {
        <div class="page narrow" data-testid="create">
            <p class="crumbs"><a href="/">{t!("nav.lobby")}</a></p>
            <h1>{info.name.clone()}</h1>
            <p>{info.summary.clone()} " " <a href=Route::RuleSheet(info.id.clone()).path()>{t!("game.rules")}</a></p>
            <form on:submit=submit>
                <section class="panel">
                    <h2>{t!("new.people")}</h2>
                    {people(info.family, [min, max], seats, bots)}
                    {(info.family == Family::Contract).then(|| pause(pause_s))}
                    <fieldset class="choice">
                        <legend>{t!("new.who")}</legend>
                        <div class="segments">
                            <label><input type="radio" name="public" prop:checked=move || !public.get() on:change=move |_| public.set(false)/><span>{t!("new.link")}</span></label>
                            <label><input type="radio" name="public" data-testid="public" prop:checked=move || public.get() on:change=move |_| public.set(true)/><span>{t!("new.public")}</span></label>
                        </div>
                    </fieldset>
                </section>
                <section class="panel options">
                    <h2>{t!("new.options")}</h2>
                    {top.into_iter().map(|o| options::field(info.family, o, choice)).collect_view()}
                    <div data-testid="all-options">{options::folded(all, move || options::grouped(info.family, rest.clone(), choice))}</div>
                </section>
                <ul class="notes quiet">{move || checked.get().notes.iter().map(|n| view! { <li>{lang::sentence(n)}</li> }).collect_view()}</ul>
                <div class="refusal" role="alert" data-testid="create-fault" class:hidden=move || sound.get() && fault.with(String::is_empty)>
                    {move || checked.get().faults.iter().map(|fault| view! { <p>{options::quoted(&options::fault_in_words(fault, None))}</p> }).collect_view()}
                    <p>{move || fault.get()}</p>
                </div>
                <button
                    class="primary big"
                    type="submit"
                    data-testid="create-table"
                    aria-busy=move || busy.get().then_some("true")
                    disabled=move || busy.get() || !sound.get()
                >{t!("new.create")}</button>
            </form>
        </div>
    }
    .into_any()
}

/// How long the table waits between two rounds.
fn pause(pause_s: RwSignal<Option<u8>>) -> AnyView {
    view! {
        <label class="seat-choice">
            <span>{t!("new.rest")}</span>
            <select data-testid="rest" on:change=move |e| pause_s.set(event_target_value(&e).parse().ok())>
                {RESTS.map(|s| view! {
                    <option value=s.to_string() prop:selected=move || pause_s.get().unwrap_or(RESTS[2]) == s>
                        {if s == 0 { t!("new.rest_none") } else { t!("new.rest_most", n = s) }}
                    </option>
                }).collect_view()}
            </select>
        </label>
    }
    .into_any()
}

/// How many sit at the table, and who beside the host: people, or bots of a level.
fn people(family: Family, [min, max]: [u8; 2], seats: RwSignal<u8>, bots: RwSignal<Vec<String>>) -> AnyView {
    let kinds = games::bots(family);
    let weakest = kinds.first().cloned().unwrap_or_default();
    let bot_row = move |n: usize| {
        // A level may be a number; the named kinds are some of them, or stand for one.
        let level = move || bots.with(|b| b[n].parse::<u8>().ok());
        view! {
            <label class="seat-choice" class:hidden=move || usize::from(seats.get()) <= n>
                <span>{t!("table.seat", n = n + 1)}</span>
                <select
                    data-testid=format!("bot-{n}")
                    on:change=move |e| {
                        let value = event_target_value(&e);
                        bots.update(|b| b[n] = value);
                    }
                >
                    <option value="">{t!("new.person")}</option>
                    {kinds
                        .iter()
                        .cloned()
                        .map(|kind| {
                            let (label, value) = (t!("new.bot", level = games::bot_label(&kind)), kind.clone());
                            view! { <option value=value prop:selected=move || bots.with(|b| b[n] == kind)>{label}</option> }
                        })
                        .collect_view()}
                    <option value="50" prop:selected=move || level().is_some()>{t!("new.bot", level = t!("bot.by_level"))}</option>
                </select>
                <Show when=move || level().is_some()>
                    <input
                        class="plays"
                        type="range"
                        min="0"
                        max="100"
                        step="5"
                        data-testid=format!("level-{n}")
                        aria-label=move || t!("bot.level", n = level().unwrap_or(50))
                        prop:value=move || level().unwrap_or(50).to_string()
                        on:input=move |e| {
                            let value = event_target_value(&e);
                            bots.update(|b| b[n] = value);
                        }
                    />
                </Show>
                <Show when=move || bots.with(|b| !b[n].is_empty())>
                    <small class="quiet plays" data-testid=format!("plays-{n}")>
                        {move || level().map(|n| t!("bot.level", n = n) + ": ")}
                        {move || bots.with(|b| games::bot_plays(family, &b[n]))}
                    </small>
                </Show>
            </label>
        }
    };
    view! {
        <div class="row" class:hidden=max == 1>
            <span id="seats-label">{t!("new.seats")}</span>
            <div class="stepper" role="group" aria-labelledby="seats-label">
                <button type="button" aria-label=t!("new.fewer") disabled={move || seats.get() == min} on:click=move |_| seats.update(|s| *s -= 1)>"−"</button>
                <output data-testid="seats">{move || seats.get()}</output>
                <button type="button" aria-label=t!("new.more") data-testid="more-seats" disabled={move || seats.get() == max} on:click=move |_| seats.update(|s| *s += 1)>"+"</button>
            </div>
            <button type="button" class="small" data-testid="fill-bots" on:click=move |_| bots.update(|b| b.iter_mut().skip(1).for_each(|b| b.clone_from(&weakest)))>{t!("new.fill")}</button>
        </div>
        <div class="seat-choices">
            <span class="seat-choice"><span>{t!("table.seat", n = 1)}</span><span class="quiet">{t!("new.you")}</span></span>
            {(1..usize::from(max)).map(bot_row).collect_view()}
        </div>
    }
    .into_any()
}
