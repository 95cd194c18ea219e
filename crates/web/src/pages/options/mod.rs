//! The options of a game in plain words, and what the server's loader says about a choice of them.

mod inputs;

use crate::latest::Latest;
use crate::ui::Show;
use crate::{api, dom, lang};
use game::Sentence;
use inputs::Slot;
pub use inputs::{Numbers, stepper};
use leptos::prelude::*;
use rulebook::Family;
use rulebook::house::Told;
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
    /// What is wrong with them, as the loader says.
    pub faults: Signal<Vec<Told>>,
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
            let fault = faults.iter().find(|fault| is_about(fault, &key))?;
            Some(fault_in_words(fault, Some((&key, &label))))
        })
    });
    view! {
        <div class="option" class:changed=move || slot.is_changed() data-testid=format!("option-{name}")>
            <label for=slot.id()>{label}</label>
            {slot.input()}
            <p class="quiet">{quoted(&help)}</p>
            {move || wrong.get().map(|why| view! { <p class="wrong-option" data-testid="option-fault">{quoted(&why)}</p> })}
        </div>
    }
    .into_any()
}

/// Whether a fault is about the option of this name alone.
fn is_about(fault: &Told, key: &str) -> bool {
    let values = &fault.reason.say.values.0;
    ["key", "option"].iter().any(|name| {
        values.iter().any(|(of, value)| of == name && matches!(value, game::Value::Text(text) if text == key))
    })
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
