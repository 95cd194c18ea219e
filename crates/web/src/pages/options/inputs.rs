//! The fields that options are set with: a switch, a stepper, words to choose from, and a line only where nothing else says it.

use super::Chosen;
use crate::{lang, t, ui};
use leptos::prelude::*;
use pattern::rules::Deals;
use rulebook::OptionType;
use serde_json::{Map, Value, json};
use wire::api::OptionShown;

/// A word that may be chosen, in this language; else as files have it.
fn choice(word: &str) -> String {
    lang::look_up(&format!("choice.{word}")).unwrap_or_else(|| word.replace(['_', '-'], " "))
}

/// Cards as the keys of their values name them: `J-K`, `JK`, `wild`.
fn cards_named(key: &str) -> String {
    let named = |one: &str| match one {
        "JK" => t!("card.joker"),
        "wild" => t!("group.wild"),
        rank => ui::rank_name(rank),
    };
    key.split('-').map(named).collect::<Vec<_>>().join(" – ")
}

/// A value as it stands in a field: a list by its parts, `1, 2, 7`.
fn written(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        Value::Object(none) if none.is_empty() => String::new(),
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
        OptionType::Rounds => rounds_typed(text).map_or_else(plain, Value::Array),
        _ => serde_json::from_str(text).unwrap_or_else(|_| plain()),
    }
}

/// The numbers of rounds in a line: `1, 3 5-7`; none where something else stands there.
fn rounds_typed(text: &str) -> Option<Vec<Value>> {
    let mut numbers = Vec::new();
    for part in text.split([',', ' ', ';']).filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once(['-', '–']).unwrap_or((part, part));
        let (first, last): (u8, u8) = (first.parse().ok()?, last.parse().ok()?);
        numbers.extend((first..=last).map(Value::from));
    }
    Some(numbers)
}

/// The numbers that a field may hold.
#[derive(Clone, Debug)]
pub struct Numbers {
    least: i64,
    most: i64,
    /// The least besides 0, where 0 stands for something else.
    besides_zero: Option<i64>,
    /// All of them, where those are not all of the range.
    only: Vec<i64>,
}

impl Numbers {
    /// All of a range.
    #[must_use]
    pub fn of(least: i64, most: i64) -> Numbers {
        Numbers { least, most, besides_zero: None, only: Vec::new() }
    }

    /// How far a press goes: where the range is long, over many.
    fn step(&self) -> i64 {
        match self.most - self.least {
            0..=100 => 1,
            101..=2_500 => 5,
            _ => 50,
        }
    }

    /// The number above this one, or below it; none at an end.
    fn next(&self, n: i64, up: bool) -> Option<i64> {
        if !self.only.is_empty() {
            let mut others = self.only.iter().copied();
            return if up { others.find(|other| *other > n) } else { others.rfind(|other| *other < n) };
        }
        let step = self.step();
        // Somebody may have typed any number.
        let next = if up {
            n.div_euclid(step).saturating_add(1).saturating_mul(step)
        } else {
            n.saturating_sub(1).div_euclid(step).saturating_mul(step)
        };
        let next = match self.besides_zero {
            Some(least) if next < least && up => least,
            Some(least) if next < least => 0,
            _ => next,
        };
        let next = next.clamp(self.least, self.most);
        (next != n && (next > n) == up).then_some(next)
    }
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

/// A number with a button for less and one for more.
#[must_use]
pub fn stepper(
    id: String,
    label: String,
    numbers: Numbers,
    get: impl Fn() -> Option<i64> + Copy + Send + Sync + 'static,
    set: impl Fn(i64) + Copy + Send + Sync + 'static,
) -> AnyView {
    let (least, most) = (numbers.least.to_string(), numbers.most.to_string());
    let numbers = StoredValue::new(numbers);
    let next = move |up| get().and_then(|n| numbers.with_value(|numbers| numbers.next(n, up)));
    let press = move |up| {
        if let Some(n) = untrack(|| next(up)) {
            set(n);
        }
    };
    view! {
        <span class="stepper">
            <button type="button" aria-label=t!("new.less", what = label) disabled=move || next(false).is_none() on:click=move |_| press(false)>"−"</button>
            <input
                id=id
                type="number"
                aria-label=label.clone()
                min=least
                max=most
                prop:value=move || get().map(|n| n.to_string()).unwrap_or_default()
                on:change=move |e| {
                    if let Ok(n) = event_target_value(&e).parse::<i64>() {
                        set(n);
                    }
                    // What cannot be is not left standing there.
                    let held = untrack(get).map(|n| n.to_string()).unwrap_or_default();
                    event_target::<web_sys::HtmlInputElement>(&e).set_value(&held);
                }
            />
            <button type="button" aria-label=t!("new.greater", what = label) disabled=move || next(true).is_none() on:click=move |_| press(true)>"+"</button>
        </span>
    }
    .into_any()
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
        self.option.with_value(|option| format!("opt-{}", option.key.replace('.', "-")))
    }

    /// Whether something else was chosen than the game has anyway.
    pub fn is_changed(self) -> bool {
        self.own().is_some()
    }

    /// What was chosen, if anything was.
    fn own(self) -> Option<Value> {
        self.option.with_value(|option| self.chosen.options.with(|chosen| chosen.get(&option.key).cloned()))
    }

    fn default(self) -> Value {
        self.option.with_value(|option| option.default.clone())
    }

    fn current(self) -> Value {
        self.own().unwrap_or_else(|| self.default())
    }

    fn set(self, value: Value) {
        let changed = self.default() != value;
        let key = self.option.with_value(|option| option.key.clone());
        self.chosen.set.run((key, changed.then_some(value)));
    }

    /// Back to what the game has anyway.
    fn clear(self) {
        self.set(self.default());
    }

    /// The numbers of this option, within a range.
    fn numbers(self, least: i64, most: i64) -> Numbers {
        self.option.with_value(|option| Numbers {
            least,
            most,
            besides_zero: option.besides_zero,
            only: option.only.clone(),
        })
    }

    /// The number that this option is.
    fn number(self, id: String, [least, most]: [i64; 2]) -> AnyView {
        let (get, set) = (move || self.current().as_i64(), move |n| self.set(Value::from(n)));
        stepper(id, self.label.get_value(), self.numbers(least, most), get, set)
    }

    /// Words to choose from, with what they are called, and what stands beside some of them.
    fn words(
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
    fn line(self, id: String) -> AnyView {
        let kind = move |text: &str| self.option.with_value(|option| typed(&option.kind, text));
        view! {
            <input
                id=id
                type="text"
                aria-label=self.label.get_value()
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

    /// A number that may be reckoned from the number of players and of packs: a line only where it is.
    fn reckoned(self, range: [i64; 2]) -> AnyView {
        let default = self.default();
        if default.is_number() && self.own().is_none_or(|own| own.is_number()) {
            return self.number(self.id(), range);
        }
        let current = move || if self.current().is_number() { "number" } else { "reckoned" }.to_owned();
        let choose = move |way: &str| match way {
            "number" => self.set(range[0].max(1).into()),
            _ => self.clear(),
        };
        let beside =
            move |way: &str, id| Some(if way == "number" { self.number(id, range) } else { self.line(id) });
        let mut words = vec![("number", t!("new.number"))];
        if !default.is_number() || !self.current().is_number() {
            words.insert(0, ("reckoned", t!("new.reckoned")));
        }
        self.words(words, current, choose, beside)
    }

    /// One of some words, or a number.
    fn choice_or_number(self, of: &[String], range: [i64; 2]) -> AnyView {
        let current = move || self.current().as_str().unwrap_or("#").to_owned();
        let choose = move |way: &str| self.set(if way == "#" { range[0].max(0).into() } else { way.into() });
        let beside = move |way: &str, id| (way == "#").then(|| self.number(id, range));
        let named = of.iter().map(|word| (word.as_str(), choice(word)));
        self.words(named.chain([("#", t!("new.number"))]).collect(), current, choose, beside)
    }

    /// All rounds, or some by their numbers (contract/A-47).
    fn rounds(self) -> AnyView {
        let current = move || if self.current() == "all" { "all" } else { "these" }.to_owned();
        let choose = move |way: &str| self.set(if way == "all" { "all".into() } else { json!([1]) });
        let beside = move |way: &str, id| (way == "these").then(|| self.line(id));
        let words = vec![("all", t!("new.all_rounds")), ("these", t!("new.these_rounds"))];
        self.words(words, current, choose, beside)
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
            Some(stepper(id, self.label.get_value(), Numbers::of(1, most), get, set))
        };
        let words = vec![
            ("each_dealer", t!("new.each_dealer")),
            ("number", t!("new.number")),
            ("to_points", t!("new.to_points")),
            ("to_points_each", t!("new.to_points_each")),
        ];
        self.words(words, move || deals(&self.current()).0.to_owned(), choose, beside)
    }

    /// Whether the names that may stand in the list are known, and those that do are among them.
    fn are_named(self) -> bool {
        self.option.with_value(|option| {
            let known = |one: &Value| option.names.iter().any(|name| one == name);
            !option.names.is_empty() && self.current().as_array().is_some_and(|held| held.iter().all(known))
        })
    }

    /// Several of some names, a box for each.
    fn several(self, of: Vec<String>, label: fn(&str) -> String) -> AnyView {
        let all = StoredValue::new(of.clone());
        let has = move |name: &str| {
            self.current().as_array().is_some_and(|held| held.iter().any(|one| one == name))
        };
        let toggle = move |name: &str| {
            let held = all.get_value().into_iter().filter(|one| has(one) != (one == name));
            self.set(held.map(Value::from).collect());
        };
        let boxes = of.into_iter().map(|name| {
            let (label, checked, toggled) = (label(&name), name.clone(), name);
            view! {
                <label class="row"><input type="checkbox" prop:checked=move || has(&checked) on:change=move |_| untrack(|| toggle(&toggled))/>{label}</label>
            }
        });
        view! { <span class="row" id=self.id() role="group" aria-label=self.label.get_value()>{boxes.collect_view()}</span> }
            .into_any()
    }

    /// What cards count: a row for each kind of card that the game tells apart.
    fn values(self) -> AnyView {
        let Value::Object(named) = self.default() else { return self.line(self.id()) };
        if !self.current().is_object() {
            return self.line(self.id());
        }
        let of = move |key: &str| self.current().get(key).cloned().unwrap_or_default();
        let put = move |key: &str, value: Value| {
            let mut all: Map<String, Value> = self.current().as_object().cloned().unwrap_or_default();
            all.insert(key.to_owned(), value);
            self.set(Value::Object(all));
        };
        let rows = named.into_iter().map(|(key, _)| {
            let (name, key) = (cards_named(&key), StoredValue::new(key));
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
            <div class="card-values" id=self.id() role="group" aria-label=self.label.get_value()><ul class="plain-list">{rows.collect_view()}</ul></div>
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
            OptionType::Choice { of } => view! {
                <select id=id on:change=move |e| self.set(Value::String(event_target_value(&e)))>{self.names(of)}</select>
            }
            .into_any(),
            OptionType::ChoiceOrInt { of, min, max } => self.choice_or_number(&of, [min, max]),
            OptionType::Expr { min, max } => self.reckoned([min, max]),
            OptionType::Rounds => self.rounds(),
            OptionType::Deals => self.deals(),
            OptionType::Several { of } => self.several(of, choice),
            OptionType::Values => self.values(),
            OptionType::Texts if self.are_named() => {
                self.several(self.option.with_value(|option| option.names.clone()), cards_named)
            }
            OptionType::Text | OptionType::Texts | OptionType::Schedule => self.line(id),
        }
    }

    fn names(self, of: Vec<String>) -> impl IntoView {
        of.into_iter()
            .map(|word| {
                let (label, value) = (choice(&word), word.clone());
                view! { <option value=value prop:selected=move || self.current() == Value::String(word.clone())>{label}</option> }
            })
            .collect_view()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_what_it_looks_like() {
        let check = |kind: &OptionType<Vec<String>>, text: &str, value: Value, shown: &str| {
            assert_eq!(typed(kind, text), value, "{text}");
            assert_eq!(written(&value), shown, "{text}");
        };
        check(&OptionType::Rounds, "2", json!([2]), "2");
        check(&OptionType::Rounds, "1, 2,7", json!([1, 2, 7]), "1, 2, 7");
        check(&OptionType::Rounds, "[1, 2]", json!([1, 2]), "1, 2");
        check(&OptionType::Rounds, "1 3-5", json!([1, 3, 4, 5]), "1, 3, 4, 5");
        check(&OptionType::Rounds, "1-x", json!("1-x"), "1-x");
        check(&OptionType::Rounds, "all", json!("all"), "all");
        check(&OptionType::Texts, "hearts, spades", json!(["hearts", "spades"]), "hearts, spades");
        check(&OptionType::Text, "12", json!("12"), "12");
        check(&OptionType::Schedule, "[[1, 2]]", json!([[1, 2]]), "[[1,2]]");
    }

    #[test]
    fn deals_are_read_as_they_are_written() {
        for deals_of in ["each_dealer", "3", "to_points(50)", "to_points(10 x players)"] {
            let value = deals_of.parse::<i64>().map_or_else(|_| json!(deals_of), Value::from);
            let (way, n) = deals(&value);
            assert_eq!(deals_written(way, n), value);
        }
        assert_eq!(deals_written("to_points", 99_999), json!(99_999));
    }

    #[test]
    fn a_press_goes_to_the_next_number_that_may_be() {
        let check = |numbers: &Numbers, n: i64, below: Option<i64>, above: Option<i64>| {
            assert_eq!((numbers.next(n, false), numbers.next(n, true)), (below, above), "{n} of {numbers:?}");
        };
        check(&Numbers::of(1, 12), 1, None, Some(2));
        check(&Numbers::of(1, 12), 12, Some(11), None);
        // Long ranges by fives, from wherever one is.
        check(&Numbers::of(-1_000, 1_000), -50, Some(-55), Some(-45));
        check(&Numbers::of(0, 600), 12, Some(10), Some(15));
        check(&Numbers::of(0, 602), 601, Some(600), Some(602));
        // 0, or 3 and more.
        let zero = Numbers { besides_zero: Some(3), ..Numbers::of(0, 60) };
        check(&zero, 0, None, Some(3));
        check(&zero, 3, Some(0), Some(4));
        // What stands outside, in a file that somebody wrote, comes back.
        check(&Numbers::of(1, 12), 40, Some(12), None);
        check(&Numbers::of(0, 600), i64::MAX, Some(600), None);
        check(&Numbers::of(0, 600), i64::MIN, None, Some(0));
        let some = Numbers { only: vec![1, 3, 9], ..Numbers::of(1, 9) };
        check(&some, 3, Some(1), Some(9));
        check(&some, 9, Some(3), None);
    }
}
