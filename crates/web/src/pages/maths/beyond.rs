//! What is known of the largest caps where nobody can count any more.

use super::{Counter, answer, answers, large, section, shown};
use crate::t;
use leptos::prelude::*;
use worker::{Ask, BetweenRow, KnownRows};

#[component]
pub fn Beyond(worker: Counter) -> impl IntoView {
    let known = answer::<KnownRows>(&worker, Ask::Known);
    let dim = RwSignal::new(7u32);
    let between = answers::<BetweenRow>(&worker, move || Ask::Between { dim: dim.get() });
    let told = |row: BetweenRow| {
        let line = |key: &str, n: f64, id: &'static str, best: bool| {
            let text = t!(&format!("maths.beyond.{key}"));
            view! { <tr class:best=best><th scope="row">{text}</th><td class="number" data-testid=id>{large(n.floor())}</td></tr> }
        };
        let waves = row.waves <= row.polynomials;
        view! {
            <table class="figures between">
                <tbody>
                    {line("points", row.points, "between-points", false)}
                    {line("by_waves", row.waves, "between-waves", waves)}
                    {line("by_polynomials", row.polynomials, "between-polynomials", !waves)}
                    {line("least", row.least, "between-least", false)}
                </tbody>
            </table>
        }
        .into_any()
    };
    let listed = |rows: KnownRows| {
        let largest = rows.largest.into_iter().map(|(dim, least, exact, source)| {
            let least = if exact { least.to_string() } else { t!("maths.beyond.at_least", n = least) };
            view! { <tr><td>{format!("AG({dim},3)")}</td><td class="number">{least}</td><td>{source}</td></tr> }
        });
        let growth = rows.growth.into_iter().map(|(bound, above, source)| {
            let side = if above { t!("maths.beyond.above") } else { t!("maths.beyond.below") };
            view! { <tr><th scope="row">{side}</th><td>{bound}</td><td>{source}</td></tr> }
        });
        view! {
            <div class="scroll" tabindex="0" role="group" aria-label=t!("maths.beyond.title")><table class="figures" data-testid="known">
                <thead><tr><th scope="col">{t!("maths.dim")}</th><th scope="col" class="number">{t!("maths.waves.largest")}</th><th scope="col">{t!("odds.source")}</th></tr></thead>
                <tbody>{largest.collect_view()}</tbody>
            </table></div>
            <p>{t!("maths.beyond.growth")}</p>
            <div class="scroll" tabindex="0" role="group" aria-label=t!("maths.beyond.bound")><table class="figures">
                <thead><tr><td></td><th scope="col">{t!("maths.beyond.bound")}</th><th scope="col">{t!("odds.source")}</th></tr></thead>
                <tbody>{growth.collect_view()}</tbody>
            </table></div>
        }
        .into_any()
    };
    section(
        "beyond",
        view! {
            <p>{t!("maths.beyond.lead")}</p>
            {shown(known, listed)}
            <h3>{t!("maths.beyond.try")}</h3>
            <label class="labelled">
                <span>{move || t!("maths.beyond.dim", n = dim.get())}</span>
                <input type="range" min="1" max="100" data-testid="between-dim" prop:value=move || dim.get().to_string() on:input=move |e| dim.set(event_target_value(&e).parse().unwrap_or(7))/>
            </label>
            <div aria-live="polite">{shown(between, told)}</div>
            <p>{t!("maths.beyond.end")}</p>
        },
    )
}
