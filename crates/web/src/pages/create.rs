//! A new table: seats, bots, who may see it, and every option in plain words.

use crate::api::{self, guest};
use crate::pages::lobby::NameForm;
use crate::route::{Route, navigator};
use crate::{games, t, ui};
use leptos::prelude::*;
use rulebook::{Family, Kind, NoFiles, OptionInfo, Source};
use serde_json::{Map, Value};
use wire::api::{GameChoice, NewTable, TableMade};

/// Options that stand above "All options", because people ask for them.
const FIRST: [&[&str]; 2] = [
    &["entry", "no_claim", "penalty", "base", "call_timeout_s", "deals", "hints", "show_missed"],
    &["game.rounds", "turn.seconds", "take.seconds", "take.limit", "layoff.when", "cut.mode", "money.on"],
];

#[component]
pub fn Create(game: String) -> impl IntoView {
    let Some(loaded) = games::load(&game) else {
        return view! {
            <div class="page narrow"><h1>{t!("new.unknown", game = game)}</h1><p><a class="button" href="/">{t!("nowhere.back")}</a></p></div>
        }
        .into_any();
    };
    let info = loaded.info.clone();
    let (min, max) = (info.players_min, info.players_max);
    let seats = RwSignal::new(if info.family == Family::Contract { 4 } else { 3 }.clamp(min, max));
    let bots = RwSignal::new(vec![String::new(); usize::from(max)]);
    let public = RwSignal::new(false);
    let chosen = RwSignal::new(Map::<String, Value>::new());
    let busy = RwSignal::new(false);
    let fault = RwSignal::new(String::new());
    let guest = guest();
    let go = navigator();
    let voice = ui::voice();

    // The loader says at once what cannot be, with the reason.
    let id = StoredValue::new(info.id.clone());
    let faults = Memo::new(move |_| {
        let options = chosen.with(to_toml);
        let judged = id.with_value(|id| rulebook::load(Source::Preset(id), Some(&options), &NoFiles));
        match judged {
            Err(faults) => {
                faults.faults.iter().map(|f| format!("{}: {}.", f.reason, f.remedy)).collect::<Vec<_>>()
            }
            Ok(loaded) => match loaded.rules(seats.get()) {
                Err(faults) => faults.faults.iter().map(|f| f.reason.clone()).collect(),
                Ok(_) => Vec::new(),
            },
        }
    });
    let notes = Memo::new(move |_| {
        let options = chosen.with(to_toml);
        id.with_value(|id| rulebook::load(Source::Preset(id), Some(&options), &NoFiles))
            .map(|l| l.notes(seats.get()))
            .unwrap_or_default()
    });

    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let n = usize::from(seats.get_untracked());
        let table = NewTable {
            game: GameChoice::Preset(id.get_value()),
            options: chosen.get_untracked(),
            seats: seats.get_untracked(),
            bots: bots.with_untracked(|b| b[1..n].iter().filter(|b| !b.is_empty()).cloned().collect()),
            public: public.get_untracked(),
        };
        busy.set(true);
        leptos::task::spawn_local(async move {
            let made = api::post::<TableMade>("/api/tables", &table).await;
            let _ = busy.try_set(false);
            match made {
                Ok(made) => go(Route::Table(made.id)),
                Err(why) => {
                    voice.say(why.clone());
                    let _ = fault.try_set(why);
                }
            }
        });
    };

    let options: Vec<OptionInfo> = loaded.options().into_iter().filter(|o| o.creator).collect();
    let first = FIRST[usize::from(info.family == Family::Contract)];
    let (top, rest): (Vec<_>, Vec<_>) = options.into_iter().partition(|o| first.contains(&o.key));
    let levels = games::bot_levels(info.family);
    let solo = max == 1;
    let bot_row = move |n: usize| {
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
                    {levels
                        .iter()
                        .map(|level| {
                            let label = t!("new.bot", level = crate::lang::look_up(&format!("bot.{level}")).unwrap_or_else(|| (*level).to_owned()));
                            view! { <option value=*level prop:selected=move || bots.with(|b| b[n] == *level)>{label}</option> }
                        })
                        .collect_view()}
                </select>
            </label>
        }
    };
    view! {
        <div class="page narrow" data-testid="create">
            <p class="crumbs"><a href="/">{t!("nav.lobby")}</a></p>
            <h1>{info.name.clone()}</h1>
            <p>{games::summary(&info)} " " <a href=Route::RuleSheet(info.id.clone()).path()>{t!("game.rules")}</a></p>
            <Show when=move || guest.0.with(|me| me.as_ref().is_some_and(|me| me.name.is_none()))>
                <section class="panel"><NameForm/></section>
            </Show>
            <form on:submit=submit>
                <section class="panel">
                    <h2>{t!("new.people")}</h2>
                    <div class="row" class:hidden=solo>
                        <span id="seats-label">{t!("new.seats")}</span>
                        <div class="stepper" role="group" aria-labelledby="seats-label">
                            <button type="button" aria-label=t!("new.fewer") disabled={move || seats.get() == min} on:click=move |_| seats.update(|s| *s -= 1)>"−"</button>
                            <output data-testid="seats">{move || seats.get()}</output>
                            <button type="button" aria-label=t!("new.more") data-testid="more-seats" disabled={move || seats.get() == max} on:click=move |_| seats.update(|s| *s += 1)>"+"</button>
                        </div>
                        <button type="button" class="small" data-testid="fill-bots" on:click=move |_| bots.update(|b| b.iter_mut().skip(1).for_each(|b| *b = levels[0].to_owned()))>{t!("new.fill")}</button>
                    </div>
                    <div class="seat-choices">
                        <span class="seat-choice"><span>{t!("table.seat", n = 1)}</span><span class="quiet">{t!("new.you")}</span></span>
                        {(1..usize::from(max)).map(bot_row).collect_view()}
                    </div>
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
                    {top.into_iter().map(|o| option_field(o, chosen)).collect_view()}
                    <details>
                        <summary>{t!("new.all_options", n = rest.len())}</summary>
                        {rest.into_iter().map(|o| option_field(o, chosen)).collect_view()}
                    </details>
                </section>
                <ul class="notes quiet">{move || notes.get().into_iter().map(|n| view! { <li>{n}</li> }).collect_view()}</ul>
                <div class="refusal" role="alert" data-testid="create-fault" class:hidden=move || faults.with(Vec::is_empty) && fault.with(String::is_empty)>
                    {move || faults.get().into_iter().map(|f| view! { <p>{f}</p> }).collect_view()}
                    <p>{move || fault.get()}</p>
                </div>
                <button
                    class="primary big"
                    type="submit"
                    data-testid="create-table"
                    disabled=move || busy.get() || !faults.with(Vec::is_empty) || guest.0.with(|me| me.as_ref().is_none_or(|me| me.name.is_none()))
                >{t!("new.create")}</button>
            </form>
        </div>
    }
    .into_any()
}

/// What was chosen, as the loader reads it.
fn to_toml(options: &Map<String, Value>) -> toml::Table {
    options.iter().filter_map(|(k, v)| Some((k.clone(), toml::Value::try_from(v).ok()?))).collect()
}

/// An option with its name in plain words, what it means, and a field for its kind.
fn option_field(option: OptionInfo, chosen: RwSignal<Map<String, Value>>) -> AnyView {
    let key = option.key;
    let default = StoredValue::new(option.default.clone());
    let current = move || chosen.with(|c| c.get(key).cloned()).unwrap_or_else(|| default.get_value());
    let set = move |value: Value| {
        chosen.update(|c| {
            if value == default.get_value() {
                c.remove(key);
            } else {
                c.insert(key.to_owned(), value);
            }
        });
    };
    let as_text = move || match current() {
        Value::String(text) => text,
        Value::Null => String::new(),
        other => other.to_string(),
    };
    let id = format!("opt-{}", key.replace('.', "-"));
    let help_id = format!("{id}-help");
    let number = move |min: i64, max: i64, id: String| {
        view! {
            <input
                id=id
                type="number"
                aria-label=option.label
                min=min.to_string()
                max=max.to_string()
                prop:value=as_text
                on:change=move |e| {
                    if let Ok(n) = event_target_value(&e).parse::<i64>() {
                        set(Value::from(n));
                    }
                }
            />
        }
        .into_any()
    };
    let choice = move |of: &'static [&'static str], number: bool, id: String| {
        view! {
            <select id=id on:change=move |e| {
                let value = event_target_value(&e);
                set(if number { value.parse::<i64>().map_or(Value::String(value), Value::from) } else { Value::String(value) });
            }>
                {of.iter()
                    .map(|v| {
                        let label = crate::lang::look_up(&format!("value.{v}")).unwrap_or_else(|| v.replace(['_', '-'], " "));
                        view! { <option value=*v prop:selected=move || as_text() == *v>{label}</option> }
                    })
                    .collect_view()}
            </select>
        }
        .into_any()
    };
    let field = match option.kind {
        Kind::Bool => view! {
            <input
                id=id.clone()
                type="checkbox"
                role="switch"
                prop:checked=move || current() == Value::Bool(true)
                on:change=move |e| set(Value::Bool(event_target_checked(&e)))
            />
        }
        .into_any(),
        Kind::Int { min, max } => number(min, max, id.clone()),
        Kind::Choice { of } => choice(of, false, id.clone()),
        Kind::ChoiceOrInt { of, min, max } => {
            let named = move || current().is_string();
            view! {
                <span class="row">
                    <select id=id.clone() on:change=move |e| {
                        let value = event_target_value(&e);
                        set(if value == "#" { Value::from(min.max(0)) } else { Value::String(value) });
                    }>
                        {of.iter().map(|v| {
                            let label = crate::lang::look_up(&format!("value.{v}")).unwrap_or_else(|| v.replace(['_', '-'], " "));
                            view! { <option value=*v prop:selected=move || as_text() == *v>{label}</option> }
                        }).collect_view()}
                        <option value="#" prop:selected=move || !named()>{t!("new.number")}</option>
                    </select>
                    <Show when=move || !named()>{number(min, max, format!("opt-{}-n", key.replace('.', "-")))}</Show>
                </span>
            }
            .into_any()
        }
        // Lists and tables are for rule files; numbers and words typed here are read as what they are.
        Kind::Expr { .. }
        | Kind::Deals
        | Kind::Text
        | Kind::Rounds
        | Kind::Texts
        | Kind::Values
        | Kind::Schedule => view! {
            <input
                id=id.clone()
                type="text"
                prop:value=as_text
                on:change=move |e| {
                    let text = event_target_value(&e).trim().to_owned();
                    set(serde_json::from_str(&text).unwrap_or(Value::String(text)));
                }
            />
        }
        .into_any(),
    };
    view! {
        <div class="option" data-testid=format!("option-{key}")>
            <label for=id.clone()>{option.label}</label>
            {field}
            <p id=help_id class="quiet">{option.help}</p>
        </div>
    }
    .into_any()
}
