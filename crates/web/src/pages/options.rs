//! The options of a game in plain words, and what the server's loader says about a choice of them.

use crate::latest::Latest;
use crate::ui::Show;
use crate::{api, lang, t};
use leptos::prelude::*;
use rulebook::{Family, OptionType};
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
    let latest = Latest::new();
    Effect::new(move || {
        let asked = RulesAsked { game: game.get(), options: chosen.get(), seats: seats.get() };
        let turn = latest.ask();
        leptos::task::spawn_local(async move {
            let Ok(answer) = api::post::<RulesChecked>("/api/rules/check", &asked).await else { return };
            if !answer.faults.is_empty() {
                lang::fetch_sheets().await;
            }
            if turn.holds() {
                checked.set(answer);
            }
        });
    });
    checked
}

/// An option's name, and what is chosen for it; none where that is what the game has anyway.
pub type Choice = (String, Option<Value>);

/// What is chosen, wherever it is kept.
#[derive(Clone, Copy)]
pub struct Chosen {
    /// Options by their dotted names, where they differ from the game's.
    pub options: Signal<Map<String, Value>>,
    /// Takes another choice.
    pub set: Callback<Choice>,
}

/// Keeps a choice among the others.
pub fn put(options: &mut Map<String, Value>, (key, value): Choice) {
    match value {
        Some(value) => options.insert(key, value),
        None => options.remove(&key),
    };
}

/// A word that may be chosen, in this language; else as files have it.
fn choice(word: &str) -> String {
    let said = |table: &str| lang::look_up(&format!("{table}.{word}"));
    said("choice").or_else(|| said("value")).unwrap_or_else(|| word.replace(['_', '-'], " "))
}

/// A value as it stands in a field: a list by its parts, `1, 2, 7`.
fn written(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        Value::Array(parts) if !parts.iter().any(|part| part.is_array() || part.is_object()) => {
            parts.iter().map(written).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

/// What was typed, as what it is: a number, a list, with or without its brackets, a table, else a text.
fn typed(kind: &OptionType<Vec<String>>, text: &str) -> Value {
    let plain = || Value::String(text.to_owned());
    let parts = || text.split(',').map(str::trim).filter(|part| !part.is_empty());
    match kind {
        OptionType::Text => plain(),
        _ if text.starts_with(['[', '{']) => serde_json::from_str(text).unwrap_or_else(|_| plain()),
        OptionType::Texts => parts().map(Value::from).collect(),
        OptionType::Rounds => {
            let numbers: Option<Vec<Value>> =
                parts().map(|part| part.parse::<u32>().ok().map(Value::from)).collect();
            numbers.map_or_else(plain, Value::Array)
        }
        _ => serde_json::from_str(text).unwrap_or_else(|_| plain()),
    }
}

/// An option with its name in plain words, what it means, a field for its kind, and a mark if it is changed.
#[must_use]
pub fn field(family: Family, option: OptionShown, chosen: Chosen) -> AnyView {
    let OptionShown { key: name, label, help, kind, default, .. } = option;
    // English stands in the option itself.
    let said = |part: &str, plain: String| {
        lang::look_up(&format!("option.{}.{name}.{part}", family.name())).unwrap_or(plain)
    };
    let (label, help) = (said("label", label), said("help", help));
    let slot = Slot { key: StoredValue::new(name.clone()), default: StoredValue::new(default), chosen };
    let id = format!("opt-{}", name.replace('.', "-"));
    view! {
        <div class="option" class:changed=move || slot.own().is_some() data-testid=format!("option-{name}")>
            <label for=id.clone()>{label.clone()}</label>
            {slot.input(kind, id, label)}
            <p class="quiet">{help}</p>
        </div>
    }
    .into_any()
}

/// Options that are folded away under a title: made when they are first opened.
#[must_use]
pub fn folded(title: String, family: Family, options: Vec<OptionShown>, chosen: Chosen) -> AnyView {
    let opened = RwSignal::new(false);
    view! {
        <details aria-label=title.clone() on:toggle=move |_| opened.set(true)>
            <summary>{title.clone()}</summary>
            <Show when=move || opened.get()>
                {options.iter().cloned().map(|option| field(family, option, chosen)).collect_view()}
            </Show>
        </details>
    }
    .into_any()
}

/// Where the value of an option is kept.
#[derive(Clone, Copy)]
struct Slot {
    key: StoredValue<String>,
    default: StoredValue<Value>,
    chosen: Chosen,
}

impl Slot {
    /// What was chosen, if anything was.
    fn own(self) -> Option<Value> {
        self.key.with_value(|key| self.chosen.options.with(|chosen| chosen.get(key).cloned()))
    }

    fn current(self) -> Value {
        self.own().unwrap_or_else(|| self.default.get_value())
    }

    fn set(self, value: Value) {
        let changed = self.default.with_value(|default| *default != value);
        self.chosen.set.run((self.key.get_value(), changed.then_some(value)));
    }

    /// Back to what the game has anyway.
    fn clear(self) {
        self.chosen.set.run((self.key.get_value(), None));
    }

    fn as_text(self) -> String {
        match self.current() {
            Value::String(text) => text,
            Value::Null => String::new(),
            other => other.to_string(),
        }
    }

    fn number(self, [min, max]: [i64; 2], id: String, label: String) -> AnyView {
        view! {
            <input
                id=id
                type="number"
                aria-label=label
                min=min.to_string()
                max=max.to_string()
                prop:value=move || self.as_text()
                on:change=move |e| {
                    if let Ok(n) = event_target_value(&e).parse::<i64>() {
                        self.set(Value::from(n));
                    }
                }
            />
        }
        .into_any()
    }

    fn names(self, of: Vec<String>) -> impl IntoView {
        of.into_iter()
            .map(|v| {
                let (label, value) = (choice(&v), v.clone());
                view! { <option value=value prop:selected=move || self.as_text() == v>{label}</option> }
            })
            .collect_view()
    }

    /// A value that is written, such as a list.
    fn written(self, kind: OptionType<Vec<String>>, id: String) -> AnyView {
        let kind = StoredValue::new(kind);
        view! {
            <input
                id=id
                type="text"
                prop:value=move || written(&self.current())
                on:change=move |e| {
                    let text = event_target_value(&e);
                    match text.trim() {
                        "" => self.clear(),
                        text => self.set(kind.with_value(|kind| typed(kind, text))),
                    }
                }
            />
        }
        .into_any()
    }

    /// The field for an option of this kind.
    fn input(self, kind: OptionType<Vec<String>>, id: String, label: String) -> AnyView {
        match kind {
            OptionType::Bool => view! {
                <input
                    id=id
                    type="checkbox"
                    role="switch"
                    prop:checked=move || self.current() == Value::Bool(true)
                    on:change=move |e| self.set(Value::Bool(event_target_checked(&e)))
                />
            }
            .into_any(),
            OptionType::Int { min, max } => self.number([min, max], id, label),
            OptionType::Choice { of } => view! {
                <select id=id on:change=move |e| self.set(Value::String(event_target_value(&e)))>{self.names(of)}</select>
            }
            .into_any(),
            OptionType::ChoiceOrInt { of, min, max } => {
                let named = move || self.current().is_string();
                let number_id = format!("{id}-n");
                view! {
                    <span class="row">
                        <select id=id on:change=move |e| {
                            let value = event_target_value(&e);
                            self.set(if value == "#" { Value::from(min.max(0)) } else { Value::String(value) });
                        }>
                            {self.names(of)}
                            <option value="#" prop:selected=move || !named()>{t!("new.number")}</option>
                        </select>
                        <Show when=move || !named()>{self.number([min, max], number_id.clone(), label.clone())}</Show>
                    </span>
                }
                .into_any()
            }
            kind @ (OptionType::Expr { .. }
            | OptionType::Deals
            | OptionType::Text
            | OptionType::Rounds
            | OptionType::Texts
            | OptionType::Values
            | OptionType::Schedule) => self.written(kind, id),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_typed_is_what_it_looks_like() {
        let check = |kind: &OptionType<Vec<String>>, text: &str, value: Value, shown: &str| {
            assert_eq!(typed(kind, text), value, "{text}");
            assert_eq!(written(&value), shown, "{text}");
        };
        check(&OptionType::Rounds, "2", json!([2]), "2");
        check(&OptionType::Rounds, "1, 2,7", json!([1, 2, 7]), "1, 2, 7");
        check(&OptionType::Rounds, "[1, 2]", json!([1, 2]), "1, 2");
        check(&OptionType::Rounds, "all", json!("all"), "all");
        check(&OptionType::Texts, "hearts, spades", json!(["hearts", "spades"]), "hearts, spades");
        check(&OptionType::Text, "12", json!("12"), "12");
        check(&OptionType::Values, "{\"A\": 20}", json!({"A": 20}), "{\"A\":20}");
        check(&OptionType::Schedule, "[[1, 2]]", json!([[1, 2]]), "[[1,2]]");
        check(&OptionType::Deals, "10", json!(10), "10");
    }
}
