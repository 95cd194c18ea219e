//! What happened, line by line: who took what and why, who melded, who cut well. New lines are announced.

use super::Rummy;
use crate::scene::Heard;
use crate::screens::Contract;
use crate::ui::Show;
use crate::{lang, t, ui};
use contract::event::{Event, Notice};
use game::{Seat, SeatSet};
use leptos::prelude::*;
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
                for line in lines.iter().filter(|l| l.n > before && l.loud) {
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
    let under_way = rummy.view.with_untracked(|s| s.flow.turns > 0 || s.flow.finished > 0);
    // The line that says who got the offered card, and why, stands by the prompt as well.
    view! {
        <section class="panel story" data-testid="story">
            <h2 id="story">{t!("story.title")}</h2>
            <Show when=move || lines.with(Vec::is_empty) fallback=move || view! {
                <ol tabindex="0" aria-labelledby="story">
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
    let me = rummy.desk.me.get();
    let mut teller =
        Teller { rummy, me, turn: None, claimer: None, asked: SeatSet::NONE, answered: None, offered: false };
    let mut lines = Vec::new();
    let mut told = heard.first().map_or(0, |(n, _)| *n);
    for (n, notice) in heard {
        // What happened while the page was away is told by nobody.
        if *n > told + 1 {
            lines.push(Line { n: told, text: t!("story.away"), loud: false });
        }
        told = *n;
        lines.extend(teller.notice(notice).map(|(text, loud)| Line { n: *n, text, loud }));
    }
    lines
}

/// A sentence, and whether it is said to screen readers as well.
type Told = Option<(String, bool)>;

/// Who tells a match, with what it remembers from one notice to the next.
struct Teller {
    rummy: Rummy,
    me: Option<Seat>,
    turn: Option<Seat>,
    claimer: Option<Seat>,
    /// Who is asked whether they want the discard.
    asked: SeatSet,
    /// What this person has answered.
    answered: Option<bool>,
    /// Whether a discard is offered.
    offered: bool,
}

impl Teller {
    fn name(&self, seat: Seat) -> String {
        if Some(seat) == self.me { t!("ui.you") } else { self.rummy.desk.name(seat) }
    }

    /// Whose turn it is.
    fn who(&self) -> String {
        self.turn.map_or_else(|| t!("story.somebody"), |seat| self.name(seat))
    }

    /// From whose hand a card was picked.
    fn hand(&self) -> String {
        self.claimer.map_or_else(|| t!("story.somebody"), |seat| self.rummy.desk.name(seat))
    }

    fn notice(&mut self, notice: &Notice) -> Told {
        let rummy = self.rummy;
        match notice {
            Notice::Open(event) => self.begins(event).or_else(|| self.acts(event)),
            Notice::Gave { seat, .. } => Some((t!("story.has_chosen", name = self.name(*seat)), false)),
            Notice::Got { from, cards } => {
                Some((t!("story.came", name = rummy.desk.name(*from), cards = rummy.texts(cards)), true))
            }
            Notice::Drew { .. } => {
                let drew = t!("story.drew_stock", name = self.who());
                let nobody = std::mem::take(&mut self.offered).then(|| t!("story.nobody_asked"));
                Some((nobody.map_or(drew.clone(), |n| format!("{n} {drew}")), false))
            }
            Notice::Picked => Some((t!("story.picked_unseen", name = self.who(), from = self.hand()), true)),
            Notice::Penalty { seat } => Some((t!("story.penalty_other", name = self.name(*seat)), false)),
            Notice::Pushed { to, discard, .. } => {
                let (name, card) = (self.who(), rummy.text(*discard));
                Some((t!("story.pushed", name = name, card = card, to = self.name(*to)), true))
            }
            Notice::RoundOver { winner: Some(seat), .. } => {
                Some((t!("story.round_won", name = self.name(*seat)), true))
            }
            Notice::RoundOver { winner: None, .. } => Some((t!("sheet.blocked"), true)),
            _ => None,
        }
    }

    /// A turn begins, a discard is offered, somebody gets it.
    fn begins(&mut self, event: &Event) -> Told {
        match event {
            Event::Round { .. } => {
                self.turn = None;
                None
            }
            Event::Cut { depth, points } if *points != 0 => {
                Some((t!("story.cut_hit", n = depth, points = points), true))
            }
            Event::Cut { depth, .. } => Some((t!("story.cut", n = depth), false)),
            Event::Skipped { seat } => Some((t!("story.skipped", name = self.name(*seat)), true)),
            Event::Gave { to, cards, .. } => {
                let (cards, name) = (self.rummy.texts(cards), self.rummy.desk.name(*to));
                Some((t!("story.gave", cards = cards, name = name), false))
            }
            Event::PassedOn => Some((t!("story.taken_up"), false)),
            Event::Turn { seat, .. } => {
                self.turn = Some(*seat);
                self.offered = false;
                None
            }
            Event::Offer { asked, .. } => {
                (self.asked, self.offered, self.answered) = (*asked, true, None);
                None
            }
            Event::Answered { take, .. } => {
                self.answered = Some(*take);
                None
            }
            Event::Took { seat, card, .. } => {
                let (name, card) = (self.name(*seat), self.rummy.text(*card));
                self.offered = false;
                let wanted = self.answered == Some(true) && self.me.is_some_and(|me| self.asked.has(me));
                let text = if self.turn == Some(*seat) {
                    t!("story.bought", name = name, card = card)
                } else if self.me == Some(*seat) {
                    t!("story.got", card = card)
                } else if wanted {
                    t!("story.sooner", name = name, card = card)
                } else {
                    t!("story.took", name = name, card = card)
                };
                Some((text, true))
            }
            Event::Remake { .. } => Some((t!("story.remake"), false)),
            _ => None,
        }
    }

    /// What somebody does in a turn.
    fn acts(&mut self, event: &Event) -> Told {
        let rummy = self.rummy;
        match event {
            // Who was pushed to, or sees every card, knows the card from the stock too.
            Event::Pushed { to, discard, card, .. } => {
                let (discard, card) = (rummy.text(*discard), rummy.text(*card));
                let key = if self.me == Some(*to) { "story.pushed_to_you" } else { "story.pushed_both" };
                let to = rummy.desk.name(*to);
                Some((t!(key, name = self.who(), card = discard, stock = card, to = to), true))
            }
            Event::Drew { discard: true, card, .. } => {
                Some((t!("story.drew_discard", name = self.who(), card = rummy.text(*card)), true))
            }
            Event::Drew { card, .. } => Some((t!("story.drew_card", card = rummy.text(*card)), true)),
            Event::Penalty { card, .. } => Some((t!("story.penalty", card = rummy.text(*card)), true)),
            Event::Melded { contract, melds } => {
                let cards: Vec<String> =
                    melds.iter().map(|m| rummy.texts(&m.faces().collect::<Vec<_>>())).collect();
                let key = if contract.is_some() { "story.melded" } else { "story.melded_more" };
                Some((t!(key, name = self.who(), cards = lang::divided(&cards)), true))
            }
            Event::LaidOff { on, cards, .. } => {
                let cards = rummy.texts(cards);
                Some((t!("story.laid_off", name = self.who(), cards = cards, on = on), true))
            }
            Event::Reclaimed { from, card, .. } => {
                let card = rummy.text(*card);
                Some((t!("story.reclaimed", name = self.who(), card = card, on = from), true))
            }
            Event::Undone { .. } => Some((t!("story.undone", name = self.who()), false)),
            Event::Discarded { card, protect } => {
                let key = if *protect { "story.protected" } else { "story.discarded" };
                Some((t!(key, name = self.who(), card = rummy.text(*card)), true))
            }
            Event::Held => Some((t!("story.held", name = self.who()), false)),
            Event::Claimed { seat, on, .. } => {
                self.claimer = Some(*seat);
                Some((t!("story.claimed", name = self.name(*seat), on = on), true))
            }
            Event::Picked { card } => {
                let (name, card) = (self.who(), rummy.text(*card));
                Some((t!("story.picked", name = name, card = card, from = self.hand()), true))
            }
            Event::TimedOut { seat } => Some((t!("story.timed_out", name = self.name(*seat)), true)),
            _ => None,
        }
    }
}
