//! What happened, line by line: who took what and why, who melded, who cut well. New lines are announced.

use super::Rummy;
use crate::scene::Heard;
use crate::screens::Contract;
use crate::{t, ui};
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

/// The last lines, newest first.
#[component]
pub fn Story(heard: Heard<Contract>) -> impl IntoView {
    let rummy: Rummy = expect_context();
    let voice = ui::voice();
    let lines = Memo::new(move |_| heard.with(|heard| tell(rummy, heard)));
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
        lines.truncate(60);
        lines
    };
    // The line that says who got the offered card, and why, stands by the prompt as well.
    view! {
        <section class="panel story" data-testid="story">
            <h2 id="story">{t!("story.title")}</h2>
            <ol tabindex="0" aria-labelledby="story">
                <For each=shown key=|l| (l.n, l.text.clone()) let:line><li>{line.text}</li></For>
            </ol>
        </section>
    }
}

/// Tells the notices of a match as lines.
fn tell(rummy: Rummy, heard: &[(u32, Arc<Notice>)]) -> Vec<Line> {
    let desk = rummy.desk;
    let me = desk.me.get();
    let name = |seat: Seat| if Some(seat) == me { t!("ui.you") } else { desk.name(seat) };
    let hand_of = |seat: Option<Seat>| seat.map_or_else(|| t!("story.somebody"), |seat| desk.name(seat));
    let mut turn = None::<Seat>;
    let mut claimer = None::<Seat>;
    let mut asked = SeatSet::NONE;
    let mut answered = None::<bool>;
    let mut offered = false;
    let mut lines = Vec::new();
    for (n, notice) in heard {
        let who = |seat: Option<Seat>| seat.map(name).unwrap_or_else(|| t!("story.somebody"));
        let line: Option<(String, bool)> = match &**notice {
            Notice::Open(event) => match event {
                Event::Round { .. } => {
                    turn = None;
                    None
                }
                Event::Cut { depth, points } if *points != 0 => {
                    Some((t!("story.cut_hit", n = depth, points = points), true))
                }
                Event::Cut { depth, .. } => Some((t!("story.cut", n = depth), false)),
                Event::Turn { seat, .. } => {
                    turn = Some(*seat);
                    offered = false;
                    None
                }
                Event::Offer { asked: seats, .. } => {
                    asked = *seats;
                    offered = true;
                    answered = None;
                    None
                }
                Event::Answered { take, .. } => {
                    answered = Some(*take);
                    None
                }
                Event::Took { seat, card, .. } => {
                    let card = rummy.text(*card);
                    let mine = me == Some(*seat);
                    let text = if turn == Some(*seat) {
                        t!("story.bought", name = name(*seat), card = card)
                    } else if mine {
                        t!("story.got", card = card)
                    } else if answered == Some(true) && me.is_some_and(|me| asked.has(me)) {
                        t!("story.sooner", name = name(*seat), card = card)
                    } else {
                        t!("story.took", name = name(*seat), card = card)
                    };
                    offered = false;
                    Some((text, true))
                }
                // Who was pushed to, or sees every card, knows the card from the stock too.
                Event::Pushed { to, discard, card, .. } => {
                    let (discard, card) = (rummy.text(*discard), rummy.text(*card));
                    let key = if me == Some(*to) { "story.pushed_to_you" } else { "story.pushed_both" };
                    let to = desk.name(*to);
                    Some((t!(key, name = who(turn), card = discard, stock = card, to = to), true))
                }
                Event::Drew { discard: true, card, .. } => {
                    Some((t!("story.drew_discard", name = who(turn), card = rummy.text(*card)), true))
                }
                Event::Drew { card, .. } => {
                    let text = t!("story.drew_card", card = rummy.text(*card));
                    Some((text, true))
                }
                Event::Penalty { card, .. } => Some((t!("story.penalty", card = rummy.text(*card)), true)),
                Event::Melded { contract, melds } => {
                    let cards: Vec<String> =
                        melds.iter().map(|m| rummy.texts(&m.faces().collect::<Vec<_>>())).collect();
                    let key = if contract.is_some() { "story.melded" } else { "story.melded_more" };
                    Some((t!(key, name = who(turn), cards = cards.join("; ")), true))
                }
                Event::LaidOff { on, cards, .. } => {
                    let cards = rummy.texts(cards);
                    Some((t!("story.laid_off", name = who(turn), cards = cards, on = on), true))
                }
                Event::Reclaimed { from, card, .. } => {
                    Some((t!("story.reclaimed", name = who(turn), card = rummy.text(*card), on = from), true))
                }
                Event::Undone { .. } => Some((t!("story.undone", name = who(turn)), false)),
                Event::Discarded { card, protect } => {
                    let key = if *protect { "story.protected" } else { "story.discarded" };
                    Some((t!(key, name = who(turn), card = rummy.text(*card)), true))
                }
                Event::Held => Some((t!("story.held", name = who(turn)), false)),
                Event::Claimed { seat, on, .. } => {
                    claimer = Some(*seat);
                    Some((t!("story.claimed", name = name(*seat), on = on), true))
                }
                Event::Picked { card } => {
                    let (name, card) = (who(turn), rummy.text(*card));
                    Some((t!("story.picked", name = name, card = card, from = hand_of(claimer)), true))
                }
                Event::TimedOut { seat } => Some((t!("story.timed_out", name = name(*seat)), true)),
                Event::Remake { .. } => Some((t!("story.remake"), false)),
                _ => None,
            },
            Notice::Drew { .. } => {
                let nobody = offered.then(|| t!("story.nobody_asked"));
                offered = false;
                let drew = t!("story.drew_stock", name = who(turn));
                Some((nobody.map_or(drew.clone(), |n| format!("{n} {drew}")), false))
            }
            Notice::Picked => {
                Some((t!("story.picked_unseen", name = who(turn), from = hand_of(claimer)), true))
            }
            Notice::Penalty { seat } => Some((t!("story.penalty_other", name = name(*seat)), false)),
            Notice::Pushed { to, discard, .. } => Some((
                t!("story.pushed", name = who(turn), card = rummy.text(*discard), to = name(*to)),
                true,
            )),
            Notice::RoundOver { winner, .. } => Some((
                match winner {
                    Some(seat) => t!("story.round_won", name = name(*seat)),
                    None => t!("sheet.blocked"),
                },
                true,
            )),
            _ => None,
        };
        if let Some((text, loud)) = line {
            lines.push(Line { n: *n, text, loud });
        }
    }
    lines
}
