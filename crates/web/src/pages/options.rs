//! The options of a game in plain words, and what the server's loader says about a choice of them.

use crate::{api, t};
use leptos::prelude::*;
use rulebook::Kind;
use serde_json::{Map, Value};
use wire::api::{GameChoice, OptionShown, RulesAsked, RulesChecked};

/// Asks the server at every change whether this can be played: its loader says at once what cannot be, with the reason.
#[must_use]
pub fn judge(
    game: Signal<GameChoice>,
    chosen: Signal<Map<String, Value>>,
    seats: Signal<u8>,
) -> RwSignal<RulesChecked> {
    let checked = RwSignal::new(RulesChecked::default());
    let latest = StoredValue::new(0u32);
    Effect::new(move || {
        let asked = RulesAsked { game: game.get(), options: chosen.get(), seats: seats.get() };
        latest.update_value(|n| *n += 1);
        let mine = latest.get_value();
        leptos::task::spawn_local(async move {
            let Ok(answer) = api::post::<RulesChecked>("/api/rules/check", &asked).await else { return };
            // An answer to an older question has no say.
            if latest.try_get_value() == Some(mine) {
                let _ = checked.try_set(answer);
            }
        });
    });
    checked
}

/// An option with its name in plain words, what it means, and a field for its kind.
#[must_use]
pub fn field(option: OptionShown, chosen: RwSignal<Map<String, Value>>) -> AnyView {
    let OptionShown { key: name, label, help, kind, default, .. } = option;
    let key = StoredValue::new(name.clone());
    let default = StoredValue::new(default);
    let current = move || {
        key.with_value(|key| chosen.with(|c| c.get(key).cloned())).unwrap_or_else(|| default.get_value())
    };
    let set = move |value: Value| {
        chosen.update(|c| {
            if value == default.get_value() {
                key.with_value(|key| c.remove(key));
            } else {
                c.insert(key.get_value(), value);
            }
        });
    };
    let as_text = move || match current() {
        Value::String(text) => text,
        Value::Null => String::new(),
        other => other.to_string(),
    };
    let label = StoredValue::new(label);
    let id = format!("opt-{}", name.replace('.', "-"));
    let help_id = format!("{id}-help");
    let number = move |min: i64, max: i64, id: String| {
        view! {
            <input
                id=id
                type="number"
                aria-label=label.get_value()
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
    let names = move |of: Vec<String>| {
        of.into_iter()
            .map(|v| {
                let label =
                    crate::lang::look_up(&format!("value.{v}")).unwrap_or_else(|| v.replace(['_', '-'], " "));
                let value = v.clone();
                view! { <option value=value prop:selected=move || as_text() == v>{label}</option> }
            })
            .collect_view()
    };
    let field = match kind {
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
        Kind::Choice { of } => view! {
            <select id=id.clone() on:change=move |e| set(Value::String(event_target_value(&e)))>{names(of)}</select>
        }
        .into_any(),
        Kind::ChoiceOrInt { of, min, max } => {
            let named = move || current().is_string();
            let number_id = format!("{id}-n");
            view! {
                <span class="row">
                    <select id=id.clone() on:change=move |e| {
                        let value = event_target_value(&e);
                        set(if value == "#" { Value::from(min.max(0)) } else { Value::String(value) });
                    }>
                        {names(of)}
                        <option value="#" prop:selected=move || !named()>{t!("new.number")}</option>
                    </select>
                    <Show when=move || !named()>{number(min, max, number_id.clone())}</Show>
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
        <div class="option" data-testid=format!("option-{name}")>
            <label for=id.clone()>{label.get_value()}</label>
            {field}
            <p id=help_id class="quiet">{help}</p>
        </div>
    }
    .into_any()
}
