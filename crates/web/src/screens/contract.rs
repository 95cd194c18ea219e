//! Contract Rummy and its relatives: one screen for all.

use super::{Family, rummy};
use crate::desk::{Desk, Who};
use crate::later;
use crate::scene::{Heard, Sight};
use leptos::prelude::*;
use worker::Story;

/// The family of Contract Rummy.
pub enum Contract {}

impl Family for Contract {
    type Command = contract::Command;
    type Notice = contract::Notice;
    type View = contract::View;
    type Screen = ();
    type Opening = (Desk<contract::Command>, Sight<Self, contract::View>, Heard<Self>);

    fn screen_of(_: &contract::View) {}

    fn has_turns(_: &contract::View) -> bool {
        true
    }

    fn screen(
        desk: Desk<contract::Command>,
        view: Sight<Self, contract::View>,
        heard: Heard<Self>,
    ) -> AnyView {
        // Who is invited gathers first.
        later::screen::<Self>(move || (desk, view, heard))
    }

    fn open((desk, view, heard): Self::Opening) -> AnyView {
        view! { <rummy::RummyScreen desk=desk view=view heard=heard/> }.into_any()
    }

    fn story(story: &Story, view: &contract::View, who: Who) -> AnyView {
        rummy::told(story, view, who)
    }
}
