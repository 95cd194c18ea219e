//! The screens of the games: each draws a [`game::View`] and sends commands. None of them judges what the server must.

mod advice;
mod board;
mod contract;
mod memory;
mod pattern;
mod pattern_advice;
mod puzzle;
pub mod race;
pub mod rummy;
mod setup;
pub mod trial;

pub use self::contract::Contract;
pub use self::pattern::Pattern;
use crate::desk::{Desk, Who};
use crate::scene::{Heard, Sight};
use cards::Point;
use leptos::prelude::{AnyView, IntoAny};
use rulebook::Part;
use serde::{Serialize, de::DeserializeOwned};
use worker::Story;

/// A family of games, as the program that shows its matches knows it. Nothing in that program speaks of both families, so
/// nothing of the other one is loaded.
pub trait Family: Sized + 'static {
    /// What a seat may do.
    type Command: Part + Serialize + Clone + Send + Sync;
    /// What a viewer learns.
    type Notice: Part + DeserializeOwned + Send + Sync;
    /// What a viewer holds.
    type View: game::View<Command = Self::Command, Notice = Self::Notice>
        + Part
        + DeserializeOwned
        + Send
        + Sync;
    /// What tells the views of one screen from those of another.
    type Screen: PartialEq;
    /// What a screen that is not there at once is opened with ([`crate::later::screen`]).
    type Opening: 'static;

    /// The screen that a view is for.
    fn screen_of(view: &Self::View) -> Self::Screen;

    /// Whether it is somebody's turn in this game, rather than everybody's all the time.
    fn has_turns(view: &Self::View) -> bool;

    /// Opens the screen for what is shown.
    fn screen(desk: Desk<Self::Command>, view: Sight<Self, Self::View>, heard: Heard<Self>) -> AnyView;

    /// Opens such a screen, once it is there.
    fn open(opening: Self::Opening) -> AnyView;

    /// Tells how a match went that ended with this view, by those who sat there.
    fn story(story: &Story, view: &Self::View, who: Who) -> AnyView;

    /// Draws the cards of some claims that this view leaves open, in a family that has claims.
    fn claims(_view: &Self::View, _claims: &[Vec<Point>]) -> AnyView {
        ().into_any()
    }
}

#[cfg(test)]
mod tests {
    /// What `:has` asks for in this style sheet.
    fn asked_for(styles: &str) -> Vec<&str> {
        styles
            .split(":has(")
            .skip(1)
            .map(|rest| {
                let mut open = 1_usize;
                let ends = |letter: char| {
                    open = open + usize::from(letter == '(') - usize::from(letter == ')');
                    open == 0
                };
                rest.find(ends).map_or(rest, |end| &rest[..end])
            })
            .collect()
    }

    /// At a table each card that comes or goes would otherwise have the browser work out the styles of all that lies there: it does not
    /// look which of them ask for it. Parts of pages, which come once, may be asked for by name.
    #[test]
    fn styles_of_a_table_do_not_ask_how_much_lies_there() {
        for (name, styles) in [
            ("style.css", include_str!("../../static/style.css")),
            ("race.css", include_str!("../../static/race.css")),
            ("rummy.css", include_str!("../../static/rummy.css")),
            ("replay.css", include_str!("../../static/replay.css")),
        ] {
            for asked in asked_for(styles) {
                let named =
                    asked.chars().all(|letter| letter.is_ascii_alphanumeric() || " .,-".contains(letter));
                assert!(named, "{name} asks for `{asked}`: say that by a class that the screen sets");
            }
        }
    }
}
