//! What a bot of this family would look at and find, and why: the cards that it speaks of are drawn.

use crate::lang;
use crate::later;
use crate::scene::Sight;
use crate::screens::Pattern;
use crate::screens::advice::{self, Adviser, Advises};
use crate::screens::pattern::{Of, Opening};
use crate::ui::Show;
use crate::{t, ui};
use cards::{Deck, Point};
use game::{Say, SeatSet};
use leptos::prelude::*;
use pattern::race::Phase;
use pattern::roster::Stage;
use pattern::{Command, View};
use worker::set::Advice;

/// A table at which a bot can be asked.
#[derive(Clone, Copy)]
pub struct SetAdvice {
    adviser: Adviser<Advice>,
    view: Of<View>,
    deck: Deck,
    /// Whether help is nobody's loss.
    practises: Signal<bool>,
}

impl SetAdvice {
    pub fn new(view: Of<View>, deck: Deck, practises: Signal<bool>) -> SetAdvice {
        SetAdvice { adviser: Adviser::new(), view, deck, practises }
    }

    /// The button that asks, where that is allowed.
    pub fn button(self) -> impl IntoView {
        view! {
            <Show when=move || self.practises.get()>
                <button class="asks" data-testid="ask-advice" on:click=move |_| self.adviser.ask()>
                    <span aria-hidden="true">"?"</span> <span class="words">{t!("hint.bot")}</span>
                </button>
            </Show>
        }
    }

    /// What was answered, as long as it counts.
    pub fn shown(self) -> impl IntoView {
        view! {
            <Show when=move || self.practises.get() && self.adviser.open()>
                {advice::frame(self.adviser, t!("hint.bot"), later::screen::<Pattern>(move || Opening::Advice(self)))}
            </Show>
        }
    }

    /// The same, once the part of the program is there that works it out.
    pub fn open(self) -> AnyView {
        advice::shown(self)
    }

    /// Whether it speaks of a card: it would be claimed, placed or shown.
    pub fn names(self, card: Point) -> bool {
        self.practises.get() && self.adviser.advises(|advice| advice.cards().contains(&card))
    }

    /// Whether the card in this place would be turned up, the first being 1.
    pub fn turns(self, place: u8) -> bool {
        self.practises.get() && self.adviser.advises(|advice| advice.command == Command::Flip(place))
    }

    /// A sentence with letters in the place of its cards.
    fn lettered(said: &Say) -> String {
        lang::tell(said).unwrap_or_default()
    }

    /// Such a sentence with its cards drawn.
    fn drawn(self, text: &str) -> AnyView {
        let deck = self.deck;
        let pieces = text.split_inclusive(|letter| card_of(letter).is_some()).map(|piece| {
            let card = piece.chars().next_back().and_then(card_of);
            let words = piece.trim_end_matches(|letter| card_of(letter).is_some()).to_owned();
            view! {
                {words}
                {card.map(|card| view! { <span class="mini" role="img" aria-label=ui::pattern_name(deck, card)>{ui::pattern_card(deck, card)}</span> })}
            }
        });
        pieces.collect_view().into_any()
    }
}

impl Advises for SetAdvice {
    type Family = Pattern;
    type Advice = Advice;
    /// What lies where, and what has been said about it.
    type Moment = (Vec<Option<Point>>, Vec<u32>);

    fn adviser(self) -> Adviser<Advice> {
        self.adviser
    }

    fn sight(self) -> Sight<Pattern, View> {
        self.view
    }

    fn moment(view: &View) -> Self::Moment {
        let race = |race: &pattern::race::View| {
            let state = &race.state;
            let open = !matches!(state.phase, Phase::Between | Phase::Over);
            let flagged = race.seat().is_some_and(|me| state.flags.has(me));
            (state.board.cards().map(Some).collect(), vec![state.deal.into(), open.into(), flagged.into()])
        };
        let bits = |seats: SeatSet| seats.iter().fold(0, |bits, seat| bits | 1 << seat.0);
        match view {
            View::Race(view) => race(view),
            View::Trial(view) => view.board.as_ref().map(race).unwrap_or_default(),
            View::Puzzle(view) => {
                let state = &view.state;
                let open = state.roster.stage == Stage::Playing;
                (
                    state.layout.iter().copied().map(Some).collect(),
                    vec![state.found.len() as u32, open.into()],
                )
            }
            View::Memory(view) => {
                let state = &view.state;
                let open = state.roster.stage == Stage::Playing;
                (state.seen.clone(), vec![state.up.len() as u32, bits(state.declared), open.into()])
            }
            View::Setup(view) => {
                let state = &view.state;
                let open = state.roster.stage == Stage::Playing;
                let said = vec![state.turn.0.into(), bits(state.passed), bits(state.locked), open.into()];
                (state.table.iter().copied().map(Some).collect(), said)
            }
        }
    }

    fn spoken(self, advice: &Advice) -> String {
        named(&Self::lettered(&advice.action(&letter)), |card| ui::pattern_name(self.deck, card))
    }

    fn action(self, advice: &Advice) -> AnyView {
        self.drawn(&Self::lettered(&advice.action(&letter)))
    }

    fn reasons(self, advice: &Advice) -> Vec<AnyView> {
        advice.reasons(&letter).iter().map(|said| self.drawn(&Self::lettered(said))).collect()
    }
}

/// The first of the letters that stand for cards: no sentence has one of Unicode's private use.
const FIRST: u32 = 0xE000;

/// The letter of a card.
fn letter(card: Point) -> String {
    char::from_u32(FIRST + u32::from(card.0)).map(String::from).unwrap_or_default()
}

/// The card of a letter.
fn card_of(letter: char) -> Option<Point> {
    u32::from(letter).checked_sub(FIRST).and_then(|n| u8::try_from(n).ok()).map(Point)
}

/// A sentence with its cards named: with commas between those that lie side by side.
fn named(text: &str, name: impl Fn(Point) -> String) -> String {
    let mut out = String::new();
    let mut letters = text.chars().peekable();
    let mut card_before = false;
    while let Some(letter) = letters.next() {
        let card = card_of(letter);
        match card {
            Some(card) => out += &name(card),
            None if card_before && letter == ' ' && letters.peek().copied().and_then(card_of).is_some() => {
                out += ", ";
            }
            None => out.push(letter),
        }
        card_before = card.is_some();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_in_a_sentence_are_named() {
        let cards = |cards: &[u8]| cards.iter().map(|&n| letter(Point(n))).collect::<Vec<_>>().join(" ");
        let check =
            |text: String, told: &str| assert_eq!(named(&text, |card| format!("card {}", card.0)), told);
        check("Let it stand.".to_owned(), "Let it stand.");
        check(format!("Claim {}.", cards(&[0, 80, 3])), "Claim card 0, card 80, card 3.");
        check(format!("{} · {} …", cards(&[1, 2]), cards(&[242])), "card 1, card 2 · card 242 …");
    }
}
