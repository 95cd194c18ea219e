//! Contract Rummy and its relatives: one screen for all.

use super::{Family, rummy};
use crate::desk::Desk;
use crate::scene::{Heard, Sight};
use game::Seat;
use leptos::prelude::*;
use worker::Story;

/// The family of Contract Rummy.
pub enum Contract {}

impl Family for Contract {
    type Command = contract::Command;
    type Notice = contract::Notice;
    type View = contract::View;
    type Screen = ();
    type Later = rummy::Later;

    fn screen_of(_: &contract::View) {}

    fn has_turns(_: &contract::View) -> bool {
        true
    }

    fn screen(
        desk: Desk<contract::Command>,
        view: Sight<Self, contract::View>,
        heard: Heard<Self>,
    ) -> AnyView {
        view! { <rummy::RummyScreen desk=desk view=view heard=heard/> }.into_any()
    }

    fn later(part: rummy::Later) -> AnyView {
        rummy::later(part)
    }

    fn story(story: &Story, view: &contract::View, name: &dyn Fn(Seat) -> String) -> AnyView {
        rummy::told(story, view, name)
    }
}
