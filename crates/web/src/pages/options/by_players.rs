//! Numbers that depend on how many play: one for each number of players, where rule files have steps or a reckoning
//! (contract rulebook, 4.1).

use super::PLAYERS;
use super::inputs::Slot;
use super::numbers::{Numbers, stepper};
use crate::t;
use leptos::prelude::*;
use rulebook::{MOST_PENNIES, reckon_option};
use serde_json::{Map, Value, json};
use std::ops::RangeInclusive;

/// Most pennies of a place that are pressed: whoever wants more writes them.
const PRESSED: i64 = 100;

/// What rule files say where each number of players has its own number.
fn steps(of: impl Fn(i64) -> i64) -> Value {
    let mut steps: Vec<(i64, i64)> = Vec::new();
    for n in PLAYERS {
        match steps.last_mut() {
            Some((upto, is)) if *is == of(n) => *upto = n,
            _ => steps.push((n, of(n))),
        }
    }
    steps.into_iter().map(|(upto, is)| json!({ "upto": upto, "is": is })).collect()
}

/// A row for each number of players, whose number is pressed.
fn rows(
    id: &str,
    players: RangeInclusive<i64>,
    numbers: &Numbers,
    get: impl Fn(i64) -> Option<i64> + Copy + Send + Sync + 'static,
    set: impl Fn(i64, i64) + Copy + Send + Sync + 'static,
) -> AnyView {
    let row = |n: i64| {
        let label = t!("new.for_players", n = n);
        let number = stepper(
            format!("{id}-{n}"),
            label.clone(),
            numbers.clone(),
            move || get(n),
            move |to| set(n, to),
        );
        view! { <li><span>{label}</span> {number}</li> }
    };
    view! { <ul class="plain-list value-rows">{players.map(row).collect_view()}</ul> }.into_any()
}

impl Slot {
    /// What it comes to for so many players.
    fn comes_to(self, n: i64) -> Option<i64> {
        reckon_option(&self.current(), n, self.chosen().packs(n))
    }

    /// A number that may depend on the numbers of players and of packs.
    pub(super) fn reckoned(self, range: [i64; 2]) -> AnyView {
        // Where it is known how many play there is one number.
        if let Some(seats) = self.chosen().seats() {
            let get = move || self.comes_to(seats.get().into());
            return stepper(self.id(), self.label(), self.numbers(range), get, move |n| self.set(n.into()));
        }
        let default = self.default();
        let players = Memo::new(move |_| self.chosen().players());
        // A reckoning is shown by what it comes to, until somebody wants to see how it is written.
        let writes = RwSignal::new(self.current() != default && self.current().is_string());
        let current = move || match self.current() {
            Value::String(_) if writes.get() => "reckoned".to_owned(),
            Value::String(_) | Value::Array(_) => "players".to_owned(),
            _ => "number".to_owned(),
        };
        let choose = move |to: &str| {
            let default = self.default();
            writes.set(to == "reckoned");
            match to {
                "number" if default.is_number() => self.clear(),
                "number" => {
                    let first = *self.chosen().players().start();
                    self.set(self.comes_to(first).unwrap_or(range[0]).into());
                }
                _ if !default.is_number() => self.clear(),
                _ => self.set(steps(|n| self.comes_to(n).unwrap_or(range[0]))),
            }
        };
        let beside = move |way: &str, id: String| {
            Some(match way {
                "number" => self.number(id, range),
                "players" => {
                    let set = move |n, to| {
                        untrack(|| {
                            self.set_by_players(|of| if of == n { Some(to) } else { self.comes_to(of) })
                        });
                    };
                    rows(&id, players.get(), &self.numbers(range), move |n| self.comes_to(n), set)
                }
                _ => view! { {self.line(id)} <small class="quiet">{move || self.said()}</small> }.into_any(),
            })
        };
        let mut words = vec![("number", t!("new.number")), ("players", t!("new.by_players"))];
        if default.is_string() || self.current().is_string() {
            words.push(("reckoned", t!("new.reckoned")));
        }
        self.words(words, current, choose, beside)
    }

    /// A number of its own for each number of players; what the game has anyway where they are the same.
    fn set_by_players(self, of: impl Fn(i64) -> Option<i64>) {
        let chosen = self.chosen();
        let anyway = |n| reckon_option(&self.default(), n, chosen.packs(n));
        if !self.default().is_number() && chosen.players().all(|n| of(n) == anyway(n)) {
            self.clear();
        } else {
            self.set(steps(|n| of(n).unwrap_or_default()));
        }
    }

    /// What a reckoning comes to: `3: 2, 4: 3`.
    fn said(self) -> String {
        let one = |n: i64| Some(t!("new.comes_to", n = n, number = self.comes_to(n)?));
        self.chosen().players().filter_map(one).collect::<Vec<_>>().join(", ")
    }

    /// What each place pays at the end, for the numbers of players where that is not by the step (contract/A-34).
    pub(super) fn schedule(self) -> AnyView {
        let list = move |n: i64| self.current().get(n.to_string()).and_then(Value::as_array).cloned();
        let put = move |n: i64, list: Option<Vec<Value>>| {
            let mut all: Map<String, Value> = self.current().as_object().cloned().unwrap_or_default();
            match list {
                Some(list) => all.insert(n.to_string(), list.into()),
                None => all.remove(&n.to_string()),
            };
            self.set(Value::Object(all));
        };
        let by_step = move |n: i64| {
            let step = self.chosen().held("money.step").as_i64().unwrap_or_default();
            (1..n).map(|k| Value::from(step * k)).collect::<Vec<_>>()
        };
        let players = Memo::new(move |_| self.chosen().players());
        let row = move |n: i64| {
            let own = Memo::new(move |_| list(n).is_some());
            let place = move |place: usize| {
                let label = t!("new.place_pays", n = place + 2);
                let get = move || list(n)?.get(place)?.as_i64();
                let set = move |to: i64| {
                    untrack(|| {
                        let mut amounts = list(n).unwrap_or_default();
                        if let Some(amount) = amounts.get_mut(place) {
                            *amount = to.clamp(0, MOST_PENNIES).into();
                        }
                        put(n, Some(amounts));
                    });
                };
                let numbers = Numbers::of(0, PRESSED);
                view! { <li><span>{label.clone()}</span> {stepper(format!("{}-{n}-{place}", self.id()), label, numbers, get, set)}</li> }
            };
            let toggle = move |_| untrack(|| put(n, (!own.get()).then(|| by_step(n))));
            let places = move || {
                own.get().then(|| view! { <ul class="plain-list value-rows">{(0..n as usize - 1).map(place).collect_view()}</ul> })
            };
            view! {
                <li>
                    <label class="row"><input type="checkbox" prop:checked=move || own.get() on:change=toggle/>{t!("new.for_players", n = n)}</label>
                    {places}
                </li>
            }
        };
        view! { <ul class="plain-list schedule" id=self.id() aria-label=self.label()>{move || players.get().map(row).collect_view()}</ul> }
            .into_any()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_say_what_each_number_of_players_has() {
        let check = |of: fn(i64) -> i64, expected: Value| {
            let steps = steps(of);
            assert_eq!(steps, expected);
            for n in PLAYERS {
                assert_eq!(reckon_option(&steps, n, 2), Some(of(n)), "{n}");
            }
        };
        check(|_| 2, json!([{ "upto": 12, "is": 2 }]));
        check(|n| if n < 5 { 2 } else { 3 }, json!([{ "upto": 4, "is": 2 }, { "upto": 12, "is": 3 }]));
        check(|n| n, (2..=12).map(|n| json!({ "upto": n, "is": n })).collect());
    }
}
