//! Set and its variants: a screen for each mechanism.

use super::memory::MemoryScreen;
use super::pattern_advice::SetAdvice;
use super::puzzle::PuzzleScreen;
use super::setup::SetupScreen;
use super::{Family, race, trial};
use crate::desk::{self, Who};
use crate::later;
use crate::scene::{Heard, Sight};
use crate::{t, ui};
use cards::{Deck, Point};
use game::Seat;
use leptos::prelude::*;
use pattern::View;
pub use screen::race::race_in;
use worker::Story;

/// The family of Set.
pub enum Pattern {}

/// Where a screen of this family reads.
pub type Of<V> = Sight<Pattern, V>;

/// A table with a match of this family on it.
pub type Desk = desk::Desk<pattern::Command>;

/// Which screen, and what it is built on.
#[derive(PartialEq, Eq)]
pub enum Screen {
    /// Claims on an open layout of cards of a deck, which changes when players graduate.
    Race(Deck),
    /// Cards turned up in turn.
    Memory,
    /// Cards placed in turn.
    Setup,
    /// A fixed layout.
    Puzzle,
    /// A race of each on a board of their own, with or without one's own.
    Trial(bool),
}

/// What is not there at once.
pub enum Opening {
    /// The screen for what is shown.
    Screen(Desk, Of<View>),
    /// What a bot would find.
    Advice(SetAdvice),
}

impl Family for Pattern {
    type Command = pattern::Command;
    type Notice = pattern::Notice;
    type View = View;
    type Screen = Screen;
    type Opening = Opening;

    fn screen_of(view: &View) -> Screen {
        match view {
            View::Race(race) => Screen::Race(race.rules.deck),
            View::Memory(_) => Screen::Memory,
            View::Setup(_) => Screen::Setup,
            View::Puzzle(_) => Screen::Puzzle,
            View::Trial(trial) => Screen::Trial(trial.board.is_some()),
        }
    }

    fn has_turns(view: &View) -> bool {
        matches!(view, View::Memory(_) | View::Setup(_))
    }

    fn screen(desk: Desk, view: Of<View>, heard: Heard<Self>) -> AnyView {
        scold(desk, heard);
        match view.with_untracked(Self::screen_of) {
            Screen::Race(_) => {
                view! { <race::RaceScreen desk=desk view=view practises=practises(desk)/> }.into_any()
            }
            // Most people play races.
            _ => later::screen::<Self>(move || Opening::Screen(desk, view)),
        }
    }

    fn open(opening: Opening) -> AnyView {
        let (desk, view) = match opening {
            Opening::Screen(desk, view) => (desk, view),
            Opening::Advice(advice) => return advice.open(),
        };
        match view.with_untracked(Self::screen_of) {
            Screen::Race(_) => ().into_any(),
            Screen::Memory => view! { <MemoryScreen desk=desk view=view/> }.into_any(),
            Screen::Setup => view! { <SetupScreen desk=desk view=view/> }.into_any(),
            Screen::Puzzle => view! { <PuzzleScreen desk=desk view=view/> }.into_any(),
            Screen::Trial(_) => view! { <trial::TrialScreen desk=desk view=view/> }.into_any(),
        }
    }

    fn story(story: &Story, view: &View, who: Who) -> AnyView {
        match view {
            View::Race(view) => race::told(story, view, who),
            View::Puzzle(view) => race::found(story, view.rules.deck, 1, false, who),
            _ => ().into_any(),
        }
    }

    fn claims(view: &View, claims: &[Vec<Point>]) -> AnyView {
        race_in(view).map(|race| race::open(race.rules.deck, claims)).into_any()
    }
}

/// Says it to all when somebody is scolded.
fn scold(desk: Desk, heard: Heard<Pattern>) {
    let voice = ui::voice();
    Effect::new(move |last: Option<u32>| {
        heard.with(|heard| {
            let new = heard.iter().filter(|(n, _)| last.is_some_and(|last| *n > last));
            for seat in new.filter_map(|(_, notice)| scolded(notice)) {
                voice.tell(t!("scout.scolded", name = desk.name(seat)));
            }
            heard.last().map_or(last.unwrap_or_default(), |(n, _)| *n)
        })
    });
}

/// Who has to give a card and holds none, and is scolded in public (SCOUT-10).
fn scolded(notice: &pattern::Notice) -> Option<Seat> {
    use pattern::race::Event;
    let pattern::Notice::Race(notice) = notice else { return None };
    match notice {
        Event::ScoutFailed { seat, loses: None, .. } => Some(*seat),
        Event::Resolved { verdict, loses: None, freezes: true, .. } => Some(verdict.seat),
        _ => None,
    }
}

/// Whether help is nobody's loss.
pub fn practises(desk: Desk) -> Signal<bool> {
    Signal::derive(move || desk.practises())
}

/// A live trial.
pub fn trial_in(view: &View) -> Option<&pattern::trial::View> {
    if let View::Trial(trial) = view { Some(trial) } else { None }
}

/// A game of memory.
pub fn memory_in(view: &View) -> Option<&pattern::memory::View> {
    if let View::Memory(memory) = view { Some(memory) } else { None }
}

/// A game of SETup.
pub fn setup_in(view: &View) -> Option<&pattern::setup_game::View> {
    if let View::Setup(setup) = view { Some(setup) } else { None }
}

/// A puzzle.
pub fn puzzle_in(view: &View) -> Option<&pattern::puzzle::View> {
    if let View::Puzzle(puzzle) = view { Some(puzzle) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pattern::race::Event;

    #[test]
    fn who_has_no_card_to_give_is_scolded() {
        let failed = |loses| {
            pattern::Notice::Race(Event::ScoutFailed {
                at: game::Millis(1),
                seat: Seat(2),
                shown: None,
                loses,
            })
        };
        assert_eq!(scolded(&failed(None)), Some(Seat(2)));
        assert_eq!(scolded(&failed(Some(cards::Point(7)))), None);
    }
}
