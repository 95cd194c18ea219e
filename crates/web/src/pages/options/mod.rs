//! The options of a game in plain words, and what the server's loader says about a choice of them.

mod by_players;
mod inputs;
mod lines;
mod lists;
mod numbers;

use crate::latest::Latest;
use crate::ui::Show;
use crate::{api, dom, lang};
use cards::Pack;
use game::{Say, Sentence};
use inputs::Slot;
use leptos::prelude::*;
pub use numbers::{Numbers, stepper};
use rulebook::Family;
use rulebook::house::Told;
use serde_json::{Map, Value};
use std::ops::RangeInclusive;
use wire::api::{GameChoice, OptionShown, RulesAsked, RulesChecked};

/// Numbers of players that rules may be for (contract/A-01).
const PLAYERS: RangeInclusive<i64> = 2..=12;

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
    /// What is wrong with them, as the loader says.
    pub faults: Signal<Vec<Told>>,
    /// The game that they are of.
    pub game: StoredValue<Game>,
}

/// What fields need to know of their game beside their own option.
#[derive(Clone)]
pub struct Game {
    /// What holds of each option unless something else is chosen, by its dotted name.
    pub held: Map<String, Value>,
    /// How many rounds it has.
    pub rounds: Signal<usize>,
    /// How many play, where that is known.
    pub seats: Option<Signal<u8>>,
    /// The round, from 1, that they hold in, where that is one alone.
    pub round: Option<usize>,
}

/// What holds of each option unless something else is chosen.
#[must_use]
pub fn held(options: &[OptionShown]) -> Map<String, Value> {
    options.iter().map(|option| (option.key.clone(), option.default.clone())).collect()
}

impl Chosen {
    /// What holds of this option; nothing if the game has none of this name.
    fn held(self, key: &str) -> Value {
        let own = self.options.with(|chosen| chosen.get(key).cloned());
        own.or_else(|| self.game.with_value(|game| game.held.get(key).cloned())).unwrap_or_default()
    }

    /// The numbers of players that may play.
    fn players(self) -> RangeInclusive<i64> {
        let (least, most) = PLAYERS.into_inner();
        let number = |key: &str, or: i64| self.held(key).as_i64().unwrap_or(or).clamp(least, most);
        number("players.min", least)..=number("players.max", most)
    }

    /// How many packs so many play with; 1 where that cannot be said.
    fn packs(self, players: i64) -> i64 {
        rulebook::reckon_option(&self.held("deck.decks"), players, 0).unwrap_or(1)
    }

    /// The pack of cards.
    fn pack(self) -> Pack {
        let texts = |key: &str| -> Vec<String> {
            let held = self.held(key);
            held.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
        };
        Pack { ranks: texts("deck.ranks"), suits: texts("deck.suits") }
    }

    fn rounds(self) -> usize {
        self.game.with_value(|game| game.rounds).get()
    }

    /// What tells the fields of a round from those of the others.
    fn place(self) -> String {
        self.game.with_value(|game| game.round.map(|n| format!("{n}-")).unwrap_or_default())
    }

    fn seats(self) -> Option<Signal<u8>> {
        self.game.with_value(|game| game.seats)
    }
}

/// Keeps a choice among the others.
pub fn put(options: &mut Map<String, Value>, (key, value): Choice) {
    match value {
        Some(value) => options.insert(key, value),
        None => options.remove(&key),
    };
}

/// An option with its name in plain words, what it means, a field for its kind, and a mark if it is changed.
#[must_use]
pub fn field(family: Family, option: OptionShown, chosen: Chosen) -> AnyView {
    // English stands in the option itself.
    let said = |part: &str, plain: &str| {
        lang::look_up(&format!("option.{}.{}.{part}", family.name(), option.key))
            .unwrap_or_else(|| plain.to_owned())
    };
    let (label, help) = (said("label", &option.label), said("help", &option.help));
    let name = option.key.clone();
    let key = StoredValue::new(option.key.clone());
    let called = StoredValue::new(label.clone());
    let slot = Slot::new(option, label.clone(), chosen);
    let wrong = Memo::new(move |_| {
        let (key, label) = (key.get_value(), called.get_value());
        chosen.faults.with(|faults| {
            let round = chosen.game.with_value(|game| game.round);
            let fault = faults.iter().find(|fault| is_about(&fault.reason.say, &key, round))?;
            Some(fault_in_words(fault, Some((&key, &label))))
        })
    });
    view! {
        <div class="option" class:changed=move || slot.is_changed() data-testid=format!("option-{}{name}", chosen.place())>
            <label for=slot.id()>{label}</label>
            {slot.input()}
            <p class="quiet">{quoted(&help)}</p>
            {move || wrong.get().map(|why| view! { <p class="wrong-option" data-testid="option-fault">{quoted(&why)}</p> })}
        </div>
    }
    .into_any()
}

/// Whether a fault is about the option of this name alone, in this round, or in no round in particular.
fn is_about(fault: &Say, key: &str, round: Option<usize>) -> bool {
    let values = &fault.values.0;
    let value = |of: &str| values.iter().find(|(name, _)| name == of).map(|(_, value)| value);
    match (round, value("round"), value("reason")) {
        (Some(n), Some(game::Value::Number(is)), Some(game::Value::Say(reason))) => {
            usize::try_from(*is) == Ok(n) && is_about(reason, key, None)
        }
        (Some(_), ..) => false,
        (None, ..) => ["key", "option"]
            .iter()
            .any(|name| matches!(value(name), Some(game::Value::Text(text)) if text == key)),
    }
}

/// What is wrong, and what would be right, in sentences. The option's name in plain words takes the place of that in rule files.
#[must_use]
pub fn fault_in_words(fault: &Told, called: Option<(&str, &str)>) -> String {
    let said = |part: &Sentence| {
        let text = lang::sentence(part);
        match called {
            Some((key, label)) => text.replace(&format!("`{key}`"), label),
            None => text,
        }
    };
    let sentence = |text: String| {
        let end = if text.is_empty() || text.ends_with(['.', '!', '?']) { "" } else { "." };
        dom::capitalized(&text) + end
    };
    [&fault.reason, &fault.remedy]
        .map(said)
        .into_iter()
        .filter(|text| !text.is_empty())
        .map(sentence)
        .collect::<Vec<_>>()
        .join(" ")
}

/// A text in which names stand between backticks.
#[must_use]
pub fn quoted(text: &str) -> AnyView {
    let part = |(n, part): (usize, &str)| {
        if n % 2 == 1 {
            view! { <code>{part.to_owned()}</code> }.into_any()
        } else {
            part.to_owned().into_any()
        }
    };
    text.split('`').enumerate().map(part).collect_view().into_any()
}

/// What is folded away under a title: made when it is first opened.
#[must_use]
pub fn folded(title: String, inner: impl Fn() -> AnyView + Send + Sync + 'static) -> AnyView {
    let opened = RwSignal::new(false);
    view! {
        <details aria-label=title.clone() on:toggle=move |_| opened.set(true)>
            <summary>{title.clone()}</summary>
            <Show when=move || opened.get()>{inner()}</Show>
        </details>
    }
    .into_any()
}

/// Options below what stands over them, each group folded away.
#[must_use]
pub fn grouped(family: Family, options: Vec<OptionShown>, chosen: Chosen) -> AnyView {
    let mut groups: Vec<(String, Vec<OptionShown>)> = Vec::new();
    for option in options {
        let title = lang::tell(&option.group).unwrap_or_default();
        match groups.iter_mut().find(|(over, _)| *over == title) {
            Some((_, list)) => list.push(option),
            None => groups.push((title, vec![option])),
        }
    }
    let group = |(title, list): (String, Vec<OptionShown>)| {
        let fields = move || {
            let one = |option: &OptionShown| match switch_of(&option.key, &list) {
                None => field(family, option.clone(), chosen),
                Some(switch) => {
                    let (switch, option) = (switch.clone(), option.clone());
                    let key = option.key.clone();
                    // What was chosen stays in sight, to be taken back.
                    let counts = move || {
                        chosen.options.with(|all| {
                            all.contains_key(&key) || *all.get(&switch.key).unwrap_or(&switch.default) == true
                        })
                    };
                    view! { <Show when=counts>{field(family, option.clone(), chosen)}</Show> }.into_any()
                }
            };
            list.iter().map(one).collect_view()
        };
        folded(title, move || fields().into_any())
    };
    groups.into_iter().map(group).collect_view().into_any()
}

/// The switch of the part of the rules that an option is of, as `cut.on`: while it is off the option means nothing.
fn switch_of<'a>(key: &str, options: &'a [OptionShown]) -> Option<&'a OptionShown> {
    let (part, own) = key.split_once('.')?;
    let switch = format!("{part}.on");
    if own == "on" { None } else { options.iter().find(|option| option.key == switch) }
}
