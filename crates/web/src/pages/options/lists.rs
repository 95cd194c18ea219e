//! Options that are lists of what the game has: a box for each, or, where there are many, those that were picked and one more to pick.

use super::inputs::{Slot, choice};
use crate::{t, ui};
use cards::Pack;
use leptos::prelude::*;
use serde_json::{Value, json};

/// Names for which a box each is shown.
const BOXES: usize = 20;

/// What a text of a rule file names, in this language: cards by the keys of their values (`J-K`, `JK`, `wild`), a rank, a card, a
/// feature with its value (`colour = 1`).
pub(super) fn named(pack: &Pack, text: &str) -> String {
    let one = |one: &str| match one {
        "JK" => t!("card.joker"),
        "wild" => t!("group.wild"),
        rank if pack.ranks.iter().any(|of| of == rank) => ui::rank_name(rank),
        card => pack.parse(card).map_or_else(|_| ui::rank_name(card), |face| ui::playing_name(pack, face)),
    };
    let (feature, value) = text.split_once(" = ").unwrap_or((text, "0"));
    match value.parse() {
        Ok(value) if ["number", "colour", "shading", "symbol"].contains(&feature) => {
            let name = t!(&format!("verdict.features.{feature}"));
            format!("{name}: {}", ui::card_word(feature, value, &ui::form("card", 1)))
        }
        _ => text.split('-').map(one).collect::<Vec<_>>().join(" – "),
    }
}

impl Slot {
    /// What the list holds now, in the order of all that it may.
    fn held(self) -> Vec<Value> {
        self.current().as_array().cloned().unwrap_or_default()
    }

    /// Takes one of all into the list, or out of it.
    fn toggle(self, all: StoredValue<Vec<Value>>, one: &Value) {
        let held = self.held();
        let stays = |other: &Value| held.contains(other) != (other == one);
        self.set(all.with_value(|all| all.iter().filter(|other| stays(other)).cloned().collect()));
    }

    /// Several of some values, a box for each.
    pub(super) fn several(self, all: Vec<Value>, label: impl Fn(&Value) -> String) -> AnyView {
        let stored = StoredValue::new(all.clone());
        let boxes = all.into_iter().map(|one| {
            let (label, checked) = (label(&one), one.clone());
            view! {
                <label class="row"><input type="checkbox" prop:checked=move || self.held().contains(&checked) on:change=move |_| untrack(|| self.toggle(stored, &one))/>{label}</label>
            }
        });
        view! { <span class="row" id=self.id() role="group" aria-label=self.label()>{boxes.collect_view()}</span> }
            .into_any()
    }

    /// Some of many values: those that were picked, and the others to pick one more from.
    fn picked(self, all: Vec<Value>, label: impl Fn(&Value) -> String + Send + Sync + 'static) -> AnyView {
        let (stored, label) = (StoredValue::new(all.clone()), StoredValue::new(label));
        let said = move |one: &Value| label.with_value(|label| label(one));
        let id = self.id();
        let chips = move || {
            let one = |one: Value| {
                let name = said(&one);
                let out = move |_: leptos::ev::MouseEvent| {
                    untrack(|| self.toggle(stored, &one));
                    crate::dom::after(0, move || crate::dom::focus(&format!("#{}", self.id())));
                };
                view! { <li class="row"><span>{name.clone()}</span> <button type="button" class="plain small" aria-label=t!("new.take_out", what = name) on:click=out>"✕"</button></li> }
            };
            let held = self.held();
            (!held.is_empty())
                .then(|| view! { <ul class="plain-list">{held.into_iter().map(one).collect_view()}</ul> })
        };
        let options = all.into_iter().map(|one| {
            let (name, value) = (said(&one), one.as_str().unwrap_or_default().to_owned());
            view! { <option value=value hidden=move || self.held().contains(&one)>{name}</option> }
        });
        let pick = move |e: leptos::ev::Event| {
            let one = Value::from(event_target_value(&e));
            if untrack(|| !self.held().contains(&one)) {
                untrack(|| self.toggle(stored, &one));
            }
            event_target::<web_sys::HtmlSelectElement>(&e).set_value("");
        };
        view! {
            <div class="picked">
                {chips}
                <select id=id aria-label=self.label() on:change=pick><option value="">{t!("new.one_more")}</option>{options.collect_view()}</select>
            </div>
        }
        .into_any()
    }

    /// A list, or a line, of what the game has.
    pub(super) fn of_names(self, names: Vec<String>) -> AnyView {
        let pack = self.chosen().pack();
        let label = move |one: &Value| named(&pack, one.as_str().unwrap_or_default());
        let all: Vec<Value> = names.into_iter().map(Value::from).collect();
        if !self.is_among(&all) {
            return self.line(self.id());
        }
        match all.len() {
            _ if self.current().is_string() => self.one_of(all, label),
            0..=BOXES => self.several(all, label),
            _ => self.picked(all, label),
        }
    }

    /// Whether nothing else stands there than some of these.
    fn is_among(self, all: &[Value]) -> bool {
        match self.current() {
            Value::Array(held) => held.iter().all(|one| all.contains(one)),
            one => all.contains(&one),
        }
    }

    /// One of some texts.
    fn one_of(self, all: Vec<Value>, label: impl Fn(&Value) -> String) -> AnyView {
        let options = all.into_iter().map(|one| {
            let (name, value) = (label(&one), one.as_str().unwrap_or_default().to_owned());
            view! { <option value=value prop:selected=move || self.current() == one>{name}</option> }
        });
        view! { <select id=self.id() on:change=move |e| self.set(Value::String(event_target_value(&e)))>{options.collect_view()}</select> }
            .into_any()
    }

    /// All rounds, or some of them (contract/A-47).
    pub(super) fn rounds(self) -> AnyView {
        let current = move || if self.current() == "all" { "all" } else { "these" }.to_owned();
        let choose = move |way: &str| self.set(if way == "all" { "all".into() } else { json!([1]) });
        let beside = move |way: &str, id| {
            let all: Vec<Value> = (1..=self.chosen().rounds()).map(Value::from).collect();
            (way == "these").then(|| {
                if untrack(|| self.is_among(&all)) {
                    self.several(all, ToString::to_string)
                } else {
                    self.line(id)
                }
            })
        };
        let words = vec![("all", t!("new.all_rounds")), ("these", t!("new.these_rounds"))];
        self.words(words, current, choose, beside)
    }

    /// One of some words.
    pub(super) fn one_word(self, of: Vec<String>) -> AnyView {
        self.one_of(of.into_iter().map(Value::from).collect(), |one| choice(one.as_str().unwrap_or_default()))
    }

    /// Several of some words.
    pub(super) fn several_words(self, of: Vec<String>) -> AnyView {
        let all = of.into_iter().map(Value::from).collect();
        self.several(all, |one| choice(one.as_str().unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rule_files_name_is_said() {
        let check = |text: &str, said: &str| assert_eq!(named(&Pack::standard(), text), said);
        check("J-K", "jack – king");
        check("JK", "joker");
        check("7", "seven");
        check("AH", "ace of hearts");
        check("wild", "Wilds");
        check("shading", "shading: solid");
        check("colour = 1", "colour: green");
    }
}
