//! What happened, line by line: who took what and why, who melded, who cut well. New lines are announced.

use super::Rummy;
use crate::scene::Heard;
use crate::screens::Contract;
use crate::ui::Show;
use crate::{t, ui};
use contract::event::{Event, Notice};
use leptos::prelude::*;
use screen::story::{Teller, Told};
use std::sync::Arc;

/// A line of the story.
#[derive(Clone, Debug, PartialEq)]
struct Line {
    n: u32,
    text: String,
    /// Whether it is said aloud at once.
    loud: bool,
}

/// Most lines that are shown, and so many of the last notices as tell about as many.
const SHOWN: usize = 60;
const TOLD: usize = 240;

/// Where to begin to tell, so that the last lines are told without all before them: whoever tells must know whose turn it is.
fn begins(heard: &[(u32, Arc<Notice>)]) -> usize {
    let before = &heard[..heard.len().saturating_sub(TOLD)];
    let turn = |(_, notice): &(u32, Arc<Notice>)| matches!(**notice, Notice::Open(Event::Turn { .. }));
    before.iter().rposition(turn).unwrap_or(0)
}

/// The last lines, newest first.
#[component]
pub fn Story(heard: Heard<Contract>) -> impl IntoView {
    let rummy: Rummy = expect_context();
    let voice = ui::voice();
    let lines = Memo::new(move |_| heard.with(|heard| tell(rummy, &heard[begins(heard)..])));
    Effect::new(move |before: Option<u32>| {
        let last = lines.with(|l| l.last().map_or(0, |l| l.n));
        if let Some(before) = before {
            lines.with_untracked(|lines| {
                let new = lines.iter().filter(|l| l.n > before && l.loud);
                // Of many that a replay leaps over the last is said.
                let leapt = if rummy.desk.live { 0 } else { new.clone().count().saturating_sub(1) };
                for line in new.skip(leapt) {
                    voice.say(line.text.clone());
                }
            });
        }
        last
    });
    let shown = move || {
        let mut lines = lines.get();
        lines.reverse();
        lines.truncate(SHOWN);
        lines
    };
    // Of what was before this page came to this tab nothing is told here: the record has it.
    let under_way = rummy.desk.live && rummy.view.with_untracked(|s| s.flow.turns > 0 || s.flow.finished > 0);
    // The line that says who got the offered card, and why, stands by the prompt as well.
    view! {
        <section class="panel story" data-testid="story">
            <h2 id="told">{t!("story.title")}</h2>
            <Show when=move || lines.with(Vec::is_empty) fallback=move || view! {
                <ol tabindex="0" aria-labelledby="told">
                    <For each=shown key=|l| (l.n, l.text.clone()) let:line><li>{line.text}</li></For>
                </ol>
            }>
                <p class="quiet">{if under_way { t!("story.nothing_since") } else { t!("story.nothing") }}</p>
            </Show>
        </section>
    }
}

/// Tells the notices of a match as lines.
fn tell(rummy: Rummy, heard: &[(u32, Arc<Notice>)]) -> Vec<Line> {
    let mut teller = Teller::default();
    let mut lines = Vec::new();
    let mut last = heard.first().map_or(0, |(n, _)| *n);
    for (n, notice) in heard {
        // What happened while the page was away is told by nobody.
        if *n > last + 1 {
            lines.push(Line { n: last, text: t!("story.away"), loud: false });
        }
        last = *n;
        let told = rummy.desk.told(|desk| rummy.pack.with_value(|pack| teller.notice(desk, pack, notice)));
        lines.extend(told.map(|Told { text, loud }| Line { n: *n, text, loud }));
    }
    lines
}
