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
