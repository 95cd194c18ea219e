//! The fields that options are set with: a switch, a stepper, words to choose from, and a line only where nothing else says it.

use super::lines::{typed, written};
use super::numbers::{Numbers, stepper};
use super::{Chosen, lists};
use crate::{dom, lang, t};
use leptos::prelude::*;
use pattern::rules::Deals;
use rulebook::OptionType;
use serde_json::{Map, Value};
use wire::api::OptionShown;

/// A word that may be chosen, in this language; else as files have it.
pub(super) fn choice(word: &str) -> String {
    lang::look_up(&format!("choice.{word}")).unwrap_or_else(|| word.replace(['_', '-'], " "))
}

/// How many deals a match has (pattern/A-16): a word for the way, and its number.
fn deals(value: &Value) -> (&'static str, i64) {
    let deals = match value {
        Value::Number(n) => return ("number", n.as_i64().unwrap_or(1)),
        Value::String(text) => text.parse(),
        _ => Ok(Deals::EachDealer),
    };
    match deals {
        Ok(Deals::Count(n)) => ("number", n.into()),
        Ok(Deals::ToPoints(n)) => ("to_points", n.into()),
        Ok(Deals::ToPointsEach(n)) => ("to_points_each", n.into()),
        Ok(Deals::EachDealer) | Err(_) => ("each_dealer", 1),
    }
}

/// The same as rule files write it. A number that is none of deals or points stays one: the loader says what it may be.
fn deals_written(way: &str, n: i64) -> Value {
    let deals = u16::try_from(n).ok().and_then(|n| match way {
        "to_points" => Some(Deals::ToPoints(n)),
        "to_points_each" => Some(Deals::ToPointsEach(n)),
        "each_dealer" => Some(Deals::EachDealer),
        _ => None,
    });
    deals.map_or_else(|| n.into(), |deals| deals.to_string().into())
}

/// An option's field: what it is, and where its value is kept.
#[derive(Clone, Copy)]
pub struct Slot {
    option: StoredValue<OptionShown>,
    label: StoredValue<String>,
    chosen: Chosen,
}

impl Slot {
    /// The field of an option that is called so.
    pub fn new(option: OptionShown, label: String, chosen: Chosen) -> Slot {
        Slot { option: StoredValue::new(option), label: StoredValue::new(label), chosen }
    }

    /// The id of what is pressed or written in.
    pub fn id(self) -> String {
        self.option
            .with_value(|option| format!("opt-{}{}", self.chosen.place(), option.key.replace('.', "-")))
    }

    /// What the option is called.
    pub(super) fn label(self) -> String {
        self.label.get_value()
    }

    /// What is chosen of all options.
    pub(super) fn chosen(self) -> Chosen {
        self.chosen
    }

    /// Whether something else was chosen than the game has anyway.
    pub fn is_changed(self) -> bool {
        self.own().is_some()
    }

    /// What was chosen, if anything was.
    fn own(self) -> Option<Value> {
        self.option.with_value(|option| self.chosen.options.with(|chosen| chosen.get(&option.key).cloned()))
    }

    pub(super) fn default(self) -> Value {
        self.option.with_value(|option| option.default.clone())
    }

    pub(super) fn current(self) -> Value {
        self.own().unwrap_or_else(|| self.default())
    }

    pub(super) fn set(self, value: Value) {
        let changed = self.default() != value;
        let key = self.option.with_value(|option| option.key.clone());
        self.chosen.set.run((key, changed.then_some(value)));
    }

    /// Back to what the game has anyway.
    pub(super) fn clear(self) {
        self.set(self.default());
    }

    /// The numbers of this option, within a range.
    pub(super) fn numbers(self, [least, most]: [i64; 2]) -> Numbers {
        self.option.with_value(|option| Numbers {
            least,
            most,
            besides_zero: option.besides_zero,
            only: option.only.clone(),
        })
    }

    /// The number that this option is.
    pub(super) fn number(self, id: String, range: [i64; 2]) -> AnyView {
        let (get, set) = (move || self.current().as_i64(), move |n| self.set(Value::from(n)));
        stepper(id, self.label(), self.numbers(range), get, set)
    }

    /// Words to choose from, with what they are called, and what stands beside some of them.
    pub(super) fn words(
        self,
        words: Vec<(&str, String)>,
        current: impl Fn() -> String + Copy + Send + Sync + 'static,
        choose: impl Fn(&str) + Copy + 'static,
        beside: impl Fn(&str, String) -> Option<AnyView> + Copy + Send + Sync + 'static,
    ) -> AnyView {
        let current = Memo::new(move |_| current());
        let options = words.into_iter().map(|(word, said)| {
            let (value, word) = (word.to_owned(), word.to_owned());
            view! { <option value=value prop:selected=move || current.with(|current| *current == word)>{said}</option> }
        });
        view! {
            <span class="row">
                <select id=self.id() on:change=move |e| choose(&event_target_value(&e))>{options.collect_view()}</select>
                {move || current.with(|current| beside(current, format!("{}-n", self.id())))}
            </span>
        }
        .into_any()
    }

    /// A line that is written.
    pub(super) fn line(self, id: String) -> AnyView {
        let kind = move |text: &str| self.option.with_value(|option| typed(&option.kind, text));
        view! {
            <input
                id=id
                type="text"
                aria-label=self.label()
                prop:value=move || written(&self.current())
                on:change=move |e| {
                    let text = event_target_value(&e);
                    match text.trim() {
                        "" => self.clear(),
                        text => self.set(kind(text)),
                    }
                }
            />
        }
        .into_any()
    }

    /// One of some words, or a number.
    fn choice_or_number(self, of: &[String], range: [i64; 2]) -> AnyView {
        let current = move || self.current().as_str().unwrap_or("#").to_owned();
        let choose = move |way: &str| self.set(if way == "#" { range[0].max(0).into() } else { way.into() });
        let beside = move |way: &str, id| (way == "#").then(|| self.number(id, range));
        let named = of.iter().map(|word| (word.as_str(), choice(word)));
        self.words(named.chain([("#", t!("new.number"))]).collect(), current, choose, beside)
    }

    /// How many deals.
    fn deals(self) -> AnyView {
        let choose = move |way: &str| {
            let n = match way {
                "to_points" => 20,
                "to_points_each" => 10,
                _ => 1,
            };
            self.set(deals_written(way, n));
        };
        let beside = move |way: &str, id| {
            let most = match way {
                "each_dealer" => return None,
                "number" => 20,
                _ => 1_000,
            };
            let (get, set) = (
                move || Some(deals(&self.current()).1),
                move |n| self.set(deals_written(untrack(|| deals(&self.current()).0), n)),
            );
            Some(stepper(id, self.label(), Numbers::of(1, most), get, set))
        };
        let words = vec![
            ("each_dealer", t!("new.each_dealer")),
            ("number", t!("new.number")),
            ("to_points", t!("new.to_points")),
            ("to_points_each", t!("new.to_points_each")),
        ];
        self.words(words, move || deals(&self.current()).0.to_owned(), choose, beside)
    }

    /// What cards count: a row for each kind of card that the game tells apart.
    fn values(self) -> AnyView {
        let Value::Object(named) = self.default() else { return self.line(self.id()) };
        if !self.current().is_object() {
            return self.line(self.id());
        }
        let pack = self.chosen.pack();
        let of = move |key: &str| self.current().get(key).cloned().unwrap_or_default();
        let put = move |key: &str, value: Value| {
            let mut all: Map<String, Value> = self.current().as_object().cloned().unwrap_or_default();
            all.insert(key.to_owned(), value);
            self.set(Value::Object(all));
        };
        let rows = named.into_iter().map(|(key, _)| {
            let (name, key) = (dom::capitalized(&lists::named(&pack, &key)), StoredValue::new(key));
            let current = move || key.with_value(|key| of(key));
            let set = move |value: Value| key.with_value(|key| untrack(|| put(key, value)));
            let shows = Memo::new(move |_| current().is_string());
            let label = StoredValue::new(name.clone());
            let id = key.with_value(|key| format!("{}-{key}", self.id()));
            let number = move || {
                let (get, set) = (move || current().as_i64(), move |n: i64| set(n.into()));
                stepper(id.clone(), label.get_value(), Numbers::of(-1_000, 1_000), get, set)
            };
            view! {
                <li>
                    <span>{name.clone()}</span>
                    <span class="row">
                        <select aria-label=name on:change=move |e| set(if event_target_value(&e) == "pip" { "pip".into() } else { 10.into() })>
                            <option value="pip" prop:selected=move || shows.get()>{t!("new.pip")}</option>
                            <option value="points" prop:selected=move || !shows.get()>{t!("new.points")}</option>
                        </select>
                        {move || (!shows.get()).then(&number)}
                    </span>
                </li>
            }
        });
        view! {
            <div class="value-rows" id=self.id() role="group" aria-label=self.label()><ul class="plain-list">{rows.collect_view()}</ul></div>
        }
        .into_any()
    }

    /// The field for this option's kind. (What is chosen changes what it shows, and makes no new one: else all would close around it.)
    pub fn input(self) -> AnyView {
        untrack(|| self.made())
    }

    fn made(self) -> AnyView {
        let id = self.id();
        match self.option.with_value(|option| option.kind.clone()) {
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
            OptionType::Int { min, max } => self.number(id, [min, max]),
            OptionType::Choice { of } => self.one_word(of),
            OptionType::ChoiceOrInt { of, min, max } => self.choice_or_number(&of, [min, max]),
            OptionType::Expr { min, max } => self.reckoned([min, max]),
            OptionType::Rounds => self.rounds(),
            OptionType::Deals => self.deals(),
            OptionType::Several { of } => self.several_words(of),
            OptionType::Values => self.values(),
            OptionType::Schedule => self.schedule(),
            OptionType::Text | OptionType::Texts => {
                match self.option.with_value(|option| option.names.clone()) {
                    names if names.is_empty() => self.line(id),
                    names => self.of_names(names),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn deals_are_read_as_they_are_written() {
        for deals_of in ["each_dealer", "3", "to_points(50)", "to_points(10 x players)"] {
            let value = deals_of.parse::<i64>().map_or_else(|_| json!(deals_of), Value::from);
            let (way, n) = deals(&value);
            assert_eq!(deals_written(way, n), value);
        }
        assert_eq!(deals_written("to_points", 99_999), json!(99_999));
    }
}
