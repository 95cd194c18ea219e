//! The games and their rule sheets.

use crate::route::Route;
use crate::{games, t};
use leptos::prelude::*;
use rulebook::Family;

#[component]
pub fn Rules() -> impl IntoView {
    let list = |family: Family| {
        games::all()
            .into_iter()
            .filter(|g| g.family == family)
            .map(|info| {
                view! {
                    <li>
                        <a href=Route::RuleSheet(info.id.clone()).path()>{info.name.clone()}</a>
                        <span class="quiet">" " {games::summary(&info)}</span>
                    </li>
                }
            })
            .collect_view()
    };
    view! {
        <div class="page narrow prose" data-testid="rules">
            <h1>{t!("rules.title")}</h1>
            <h2>{t!("lobby.pattern")}</h2>
            <ul class="plain-list">{list(Family::Pattern)}</ul>
            <h2>{t!("lobby.contract")}</h2>
            <ul class="plain-list">{list(Family::Contract)}</ul>
        </div>
    }
}

/// The rules of a game as they stand in its rule file, in plain words.
#[component]
pub fn RuleSheet(game: String) -> impl IntoView {
    let Some(loaded) = games::load(&game) else {
        return view! { <div class="page narrow"><h1>{t!("new.unknown", game = game)}</h1></div> }.into_any();
    };
    let info = loaded.info.clone();
    let seats = if info.family == Family::Contract { 4 } else { 3 }.clamp(info.players_min, info.players_max);
    let contracts = loaded.rules(seats).ok().and_then(|rules| match &*rules {
        rulebook::Rules::Contract(rules) => Some(
            rules
                .rounds
                .iter()
                .enumerate()
                .map(|(n, round)| {
                    let law = rules.law(n);
                    let words: Vec<String> = law.contracts.iter().map(|c| law.contract_text(c)).collect();
                    (round.number, words.join(&format!(" {} ", t!("ui.or"))), round.deal, round.label.clone())
                })
                .collect::<Vec<_>>(),
        ),
        rulebook::Rules::Pattern(_) => None,
    });
    let notes: Vec<String> = [info.note.clone(), info.reconstruction.clone()]
        .into_iter()
        .filter(|n| !n.is_empty())
        .chain(loaded.notes(seats))
        .collect();
    let value = |option: &rulebook::OptionInfo| match &option.default {
        serde_json::Value::Bool(yes) => {
            if *yes {
                t!("value.yes")
            } else {
                t!("value.no")
            }
        }
        serde_json::Value::String(text) => {
            crate::lang::look_up(&format!("value.{text}")).unwrap_or_else(|| text.replace(['_', '-'], " "))
        }
        other => other.to_string(),
    };
    let options = loaded
        .options()
        .into_iter()
        .filter(|o| !o.default.is_null() && !o.default.is_array() && !o.default.is_object())
        .map(|o| view! { <tr><th scope="row">{o.label}</th><td>{value(&o)}</td><td class="quiet">{o.help}</td></tr> })
        .collect_view();
    view! {
        <div class="page narrow" data-testid="rule-sheet">
            <p class="crumbs"><a href="/rules">{t!("nav.rules")}</a></p>
            <h1>{info.name.clone()}</h1>
            <p>{games::summary(&info)}</p>
            <p class="quiet">
                {games::players(&info)} {(!info.difficulty.is_empty()).then(|| format!(" · {}", info.difficulty))}
            </p>
            {notes.into_iter().map(|n| view! { <div class="sheet" inner_html=crate::markdown::html(&n)></div> }).collect_view()}
            <p><a class="button primary" href=Route::New(info.id.clone()).path()>{t!("rules.play")}</a></p>
            {contracts.map(|rounds| view! {
                <h2>{t!("rules.contracts")}</h2>
                <div class="scroll" tabindex="0">
                    <table>
                        <thead><tr><th scope="col">{t!("rules.round")}</th><th scope="col">{t!("rules.contract")}</th><th scope="col" class="number">{t!("rules.dealt")}</th></tr></thead>
                        <tbody>
                            {rounds.into_iter().map(|(number, words, deal, label)| view! {
                                <tr><td>{number}</td><td>{words} {label.map(|l| format!(" ({l})"))}</td><td class="number">{deal}</td></tr>
                            }).collect_view()}
                        </tbody>
                    </table>
                </div>
            })}
            <h2>{t!("rules.settings")}</h2>
            <div class="scroll" tabindex="0"><table class="sheet"><tbody>{options}</tbody></table></div>
        </div>
    }
    .into_any()
}
